/**
 * The underside of a body over the cells of a grid: triangles that face down are drawn into a window of it, the lowest wins. Cost: triangles near the ground + cells covered; no ray is cast.
 *
 * A cell under the body counts whole, seen at its node; one that the outline crosses counts for the part that is covered, seen at the middle of that part (coverage.ts). Forces are therefore continuous
 * functions of the pose, and the middle of a footprint is where it is, not where nodes happen to be.
 */
import { Coverage } from './coverage.js';
import type { SoilMesh } from './soil-mesh.js';
import { Underside } from './underside.js';

/** Faces whose unit normal goes down by less stand upright but for rounding, and have no underside */
const UPRIGHT = 1e-8;

/** Where a body is, in the terrain's frame: origin m, rotation row by row */
export interface SoilPose {
  readonly position: Float64Array;
  readonly rotation: Float64Array;
}

/** The window under a body alone has more nodes than there may be in all */
export class TooManyNodes extends Error {
  constructor(readonly nodes: number) {
    super(`${nodes} nodes`);
  }
}

/** The window of the grid under a body and what is over each of its nodes */
export class Footprint {
  mostNodes = Infinity;
  /** First node and number of nodes, along x and y */
  i0 = 0;
  j0 = 0;
  columns = 0;
  rows = 0;
  readonly underside = new Underside();
  readonly coverage = new Coverage();
  private turned = new Float64Array(0);
  private lowZ = new Float64Array(0);
  /** Triangles that face down, near the ground, and per triangle the drawing in which it last did */
  private facing = new Int32Array(0);
  private facingCount = 0;
  private facedDown = new Int32Array(0);
  private drawing = 0;

  /** Faces are cut off at the highest level of the ground nearby, and the outline is closed there: a side that begins to lean out changes it by no more than it leans. @param top that level, m; @param wantsRates how the outline moves with the pose is wanted, too */
  draw(mesh: SoilMesh, { position: p, rotation: R }: SoilPose, spacing: number, top: number, wantsRates = false): void {
    const { clusters, boxes } = mesh;
    if (this.lowZ.length < clusters) this.lowZ = new Float64Array(clusters);
    if (this.turned.length < mesh.vertices.length) this.turned = new Float64Array(mesh.vertices.length);
    if (this.facing.length < mesh.kinds.length) {
      this.facing = new Int32Array(mesh.kinds.length);
      this.facedDown = new Int32Array(mesh.kinds.length);
    }
    const { lowZ } = this;

    // Window: clusters whose box reaches near the ground
    this.note(mesh, p, R, spacing, top, wantsRates);
    let x0 = Infinity;
    let x1 = -Infinity;
    let y0 = Infinity;
    let y1 = -Infinity;
    for (let c = 0; c < clusters; c++) {
      const o = 6 * c;
      const bx = boxes[o];
      const by = boxes[o + 1];
      const bz = boxes[o + 2];
      const hx = boxes[o + 3];
      const hy = boxes[o + 4];
      const hz = boxes[o + 5];
      const deep = Math.abs(R[6]) * hx + Math.abs(R[7]) * hy + Math.abs(R[8]) * hz;
      const z = p[2] + R[6] * bx + R[7] * by + R[8] * bz - deep;
      lowZ[c] = z;
      if (z > top) continue;
      const x = p[0] + R[0] * bx + R[1] * by + R[2] * bz;
      const y = p[1] + R[3] * bx + R[4] * by + R[5] * bz;
      const long = Math.abs(R[0]) * hx + Math.abs(R[1]) * hy + Math.abs(R[2]) * hz;
      const wide = Math.abs(R[3]) * hx + Math.abs(R[4]) * hy + Math.abs(R[5]) * hz;
      if (x - long < x0) x0 = x - long;
      if (x + long > x1) x1 = x + long;
      if (y - wide < y0) y0 = y - wide;
      if (y + wide > y1) y1 = y + wide;
    }
    if (!(x0 <= x1)) {
      this.columns = this.rows = 0;
      return;
    }
    this.i0 = Math.floor(x0 / spacing);
    this.j0 = Math.floor(y0 / spacing);
    this.columns = Math.floor(x1 / spacing) - this.i0 + 2;
    this.rows = Math.floor(y1 / spacing) - this.j0 + 2;
    const nodes = this.columns * this.rows;
    if (nodes > this.mostNodes) throw new TooManyNodes(nodes);
    this.facingCount = 0;
    this.drawing++;
    for (let c = 0; c < clusters; c++) {
      if (lowZ[c] > top) continue;
      this.turn(mesh, c, p, R);
      this.look(mesh, c, R, top);
    }
    const { coverage, underside, turned } = this;
    coverage.begin(this.i0, this.j0, this.columns, this.rows, spacing, p, wantsRates);
    for (let k = 0; k < this.facingCount; k++) this.outline(mesh, this.facing[k], top);
    coverage.finish(top);
    const most = this.facingCount + coverage.count;
    underside.begin(this.i0, this.j0, this.columns, this.rows, spacing, top, coverage, most);
    for (let k = 0; k < this.facingCount; k++) underside.add(mesh, turned, this.facing[k], R);
    underside.trim(mesh, turned, R);
  }

  /** Of the last drawing: pose, distance of nodes, level of the ground. Steps are accepted where the force was asked for last. */
  private readonly drawn = new Float64Array(15).fill(Number.NaN);
  private drawnMesh: SoilMesh | undefined;

  /** It is drawn so already. */
  isOf(
    mesh: SoilMesh,
    { position: p, rotation: R }: SoilPose,
    spacing: number,
    top: number,
    wantsRates: boolean,
  ): boolean {
    const { drawn } = this;
    let same =
      mesh === this.drawnMesh && drawn[12] === spacing && drawn[13] === top && (drawn[14] === 1 || !wantsRates);
    for (let k = 0; k < 12 && same; k++) same = drawn[k] === (k < 3 ? p[k] : R[k - 3]);
    return same;
  }

  private note(
    mesh: SoilMesh,
    p: Float64Array,
    R: Float64Array,
    spacing: number,
    top: number,
    wantsRates: boolean,
  ): void {
    const { drawn } = this;
    this.drawnMesh = mesh;
    for (let k = 0; k < 12; k++) drawn[k] = k < 3 ? p[k] : R[k - 3];
    drawn[12] = spacing;
    drawn[13] = top;
    drawn[14] = wantsRates ? 1 : 0;
  }

  private turn({ vertices, vertexStart }: SoilMesh, c: number, p: Float64Array, R: Float64Array): void {
    const { turned } = this;
    const px = p[0];
    const py = p[1];
    const pz = p[2];
    const r0 = R[0];
    const r1 = R[1];
    const r2 = R[2];
    const r3 = R[3];
    const r4 = R[4];
    const r5 = R[5];
    const r6 = R[6];
    const r7 = R[7];
    const r8 = R[8];
    for (let i = 3 * vertexStart[c]; i < 3 * vertexStart[c + 1]; i += 3) {
      const x = vertices[i];
      const y = vertices[i + 1];
      const z = vertices[i + 2];
      turned[i] = px + r0 * x + r1 * y + r2 * z;
      turned[i + 1] = py + r3 * x + r4 * y + r5 * z;
      turned[i + 2] = pz + r6 * x + r7 * y + r8 * z;
    }
  }

  /** Notes the triangles of a cluster that face down near the ground. */
  private look({ triangles, triangleStart, normals }: SoilMesh, c: number, R: Float64Array, top: number): void {
    const { turned, facedDown, facing, drawing } = this;
    const r6 = R[6];
    const r7 = R[7];
    const r8 = R[8];
    let count = this.facingCount;
    for (let t = triangleStart[c], o = 3 * t; t < triangleStart[c + 1]; t++, o += 3) {
      if (!(r6 * normals[o] + r7 * normals[o + 1] + r8 * normals[o + 2] < -UPRIGHT)) continue;
      const low = Math.min(
        turned[3 * triangles[o] + 2],
        turned[3 * triangles[o + 1] + 2],
        turned[3 * triangles[o + 2] + 2],
      );
      if (low > top) continue;
      facedDown[t] = drawing;
      facing[count++] = t;
    }
    this.facingCount = count;
  }

  /**
   * Edges of a triangle, below a height, beyond which nothing faces down; and where it is cut off at that height. Seen from above its corners go round
   * clockwise: from each to the one before, it lies to the left.
   */
  private outline({ triangles, neighbours }: SoilMesh, t: number, top: number): void {
    const { turned, facedDown, drawing, coverage } = this;
    const { edge } = coverage;
    // where it comes down through the height, and where it goes up again
    let downX = 0;
    let downY = 0;
    let upX = 0;
    let upY = 0;
    let isCut = false;
    for (let side = 0; side < 3; side++) {
      const to = 3 * triangles[3 * t + side];
      const from = 3 * triangles[3 * t + (side === 2 ? 0 : side + 1)];
      let az = turned[from + 2];
      let bz = turned[to + 2];
      const beyond = neighbours[3 * t + side];
      const goesOn = beyond >= 0 && facedDown[beyond] === drawing;
      if (goesOn && az <= top && bz <= top) continue;
      let ax = turned[from];
      let ay = turned[from + 1];
      let bx = turned[to];
      let by = turned[to + 1];
      if (az > top || bz > top) {
        if (az > top && bz > top) continue;
        // from the lower end, so that both triangles of an edge find the same place
        const rises = bz > az;
        const along = rises ? (top - az) / (bz - az) : (top - bz) / (az - bz);
        const x = rises ? ax + along * (bx - ax) : bx + along * (ax - bx);
        const y = rises ? ay + along * (by - ay) : by + along * (ay - by);
        isCut = true;
        if (rises) {
          bx = upX = x;
          by = upY = y;
          bz = top;
        } else {
          ax = downX = x;
          ay = downY = y;
          az = top;
        }
      }
      if (goesOn) continue;
      edge[0] = ax;
      edge[1] = ay;
      edge[2] = az;
      edge[3] = bx;
      edge[4] = by;
      edge[5] = bz;
      edge[6] = 0;
      coverage.addEdge(t);
    }
    if (!isCut) return;
    const { underside } = this;
    underside.lay(triangles, turned, t);
    const g = Math.sqrt(underside.sx * underside.sx + underside.sy * underside.sy);
    edge[0] = upX;
    edge[1] = upY;
    edge[2] = edge[5] = top;
    edge[3] = downX;
    edge[4] = downY;
    edge[6] = g > 0 ? 1 / g : 0;
    coverage.addEdge(t);
  }
}
