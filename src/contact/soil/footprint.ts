/**
 * The underside of a body over the cells of a grid: triangles that face down are drawn into a window of it, the lowest wins. Cost: triangles near the ground + cells covered; no ray is cast.
 *
 * A cell under the body counts whole, seen at its node; one that the outline crosses counts for the part that is covered, seen at the middle of that part (coverage.ts). Forces are therefore continuous
 * functions of the pose, and the middle of a footprint is where it is, not where nodes happen to be.
 */
import { Coverage } from './coverage.js';
import { FLANK, type SoilMesh } from './soil-mesh.js';

/** Nearer than this part of their distance to the edge of a triangle, nodes are on it and must not be lost between two */
const ON_EDGE = 1e-6;

/** Faces whose n_z² is below this part of the rest stand upright but for rounding, and have no underside */
const UPRIGHT = 1e-16;

/** Faces of a greater slope are not seen at nodes: one that lies on their edge by rounding would find them at any height. They belong to the outline. */
const SHEER = 1e3;

/** So many distances of nodes above the ground faces are cut off, and the outline is closed there */
const AROUND = 1;

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
  /** Per node of the window, row by row: height of the underside, m (∞ where there is none), and what kind of face is there */
  under = new Float64Array(0);
  kind = new Uint8Array(0);
  /** 3 per node: unit vector into the body that pressure acts along: the face's normal but on flanks */
  normal = new Float64Array(0);
  /** 2 per node: slopes of the face, along x and y */
  slopes = new Float64Array(0);
  readonly coverage = new Coverage();
  private turned = new Float64Array(0);
  private lowZ = new Float64Array(0);
  /** Triangles that face down, near the ground, and per triangle the drawing in which it last did */
  private facing = new Int32Array(0);
  private facingCount = 0;
  private facedDown = new Int32Array(0);
  private drawing = 0;

  /** @param topOver highest level of the ground over a rectangle of the terrain's frame, m */
  draw(
    mesh: SoilMesh,
    { position: p, rotation: R }: SoilPose,
    spacing: number,
    topOver: (x0: number, x1: number, y0: number, y1: number) => number,
    wantsRates = false,
  ): void {
    const { clusters, boxes } = mesh;
    if (this.lowZ.length < clusters) this.lowZ = new Float64Array(clusters);
    if (this.turned.length < mesh.vertices.length) this.turned = new Float64Array(mesh.vertices.length);
    if (this.facing.length < mesh.kinds.length) {
      this.facing = new Int32Array(mesh.kinds.length);
      this.facedDown = new Int32Array(mesh.kinds.length);
    }
    const { lowZ } = this;

    // Window: clusters whose box reaches near the ground
    const top = topOver(p[0] - mesh.reach, p[0] + mesh.reach, p[1] - mesh.reach, p[1] + mesh.reach);
    if (this.isDrawn(mesh, p, R, spacing, top, wantsRates)) return;
    const around = top + AROUND * spacing;
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
      if (z > around) continue;
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
    if (this.under.length < nodes) {
      this.under = new Float64Array(2 * nodes);
      this.kind = new Uint8Array(2 * nodes);
      this.normal = new Float64Array(6 * nodes);
      this.slopes = new Float64Array(4 * nodes);
    }
    this.under.fill(Infinity, 0, nodes);

    this.facingCount = 0;
    this.drawing++;
    for (let c = 0; c < clusters; c++) {
      if (lowZ[c] > around) continue;
      this.turn(mesh, c, p, R);
      for (let t = mesh.triangleStart[c]; t < mesh.triangleStart[c + 1]; t++) this.look(mesh, t, around);
    }
    this.coverage.begin(this.i0, this.j0, this.columns, this.rows, spacing, p, wantsRates);
    for (let k = 0; k < this.facingCount; k++) this.outline(mesh, this.facing[k], around);
    this.coverage.finish(top);
    for (let k = 0; k < this.facingCount; k++) this.fill(mesh, this.facing[k], R, spacing, top);
    this.trim(mesh, R, spacing, top);
  }

  /** Of the last drawing: pose, distance of nodes, level of the ground. Steps are accepted where the force was asked for last. */
  private readonly drawn = new Float64Array(15).fill(Number.NaN);
  private drawnMesh: SoilMesh | undefined;

  private isDrawn(
    mesh: SoilMesh,
    p: Float64Array,
    R: Float64Array,
    spacing: number,
    top: number,
    wantsRates: boolean,
  ): boolean {
    const { drawn } = this;
    let same =
      mesh === this.drawnMesh && drawn[12] === spacing && drawn[13] === top && (drawn[14] === 1 || !wantsRates);
    for (let k = 0; k < 12 && same; k++) same = drawn[k] === (k < 3 ? p[k] : R[k - 3]);
    if (same) return true;
    this.drawnMesh = mesh;
    for (let k = 0; k < 12; k++) drawn[k] = k < 3 ? p[k] : R[k - 3];
    drawn[12] = spacing;
    drawn[13] = top;
    drawn[14] = wantsRates ? 1 : 0;
    return false;
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

  /** Notes a triangle if it faces down near the ground. */
  private look({ triangles }: SoilMesh, t: number, around: number): void {
    const { turned } = this;
    const a = 3 * triangles[3 * t];
    const b = 3 * triangles[3 * t + 1];
    const c = 3 * triangles[3 * t + 2];
    const bx = turned[b] - turned[a];
    const by = turned[b + 1] - turned[a + 1];
    const cx = turned[c] - turned[a];
    const cy = turned[c + 1] - turned[a + 1];
    const nz = bx * cy - by * cx; // twice its area seen from above, negative if it faces down
    if (!(nz < 0)) return;
    if (Math.min(turned[a + 2], turned[b + 2], turned[c + 2]) > around) return;
    const bz = turned[b + 2] - turned[a + 2];
    const cz = turned[c + 2] - turned[a + 2];
    const nx = by * cz - bz * cy;
    const ny = bz * cx - bx * cz;
    if (nz * nz < UPRIGHT * (nx * nx + ny * ny)) return;
    this.facedDown[t] = this.drawing;
    this.facing[this.facingCount++] = t;
  }

  /**
   * Edges of a triangle, below a height, beyond which nothing faces down; and where it is cut off at that height. Seen from above its corners go round
   * clockwise: from each to the one before, it lies to the left.
   */
  private outline({ triangles, neighbours }: SoilMesh, t: number, around: number): void {
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
      let ax = turned[from];
      let ay = turned[from + 1];
      let az = turned[from + 2];
      let bx = turned[to];
      let by = turned[to + 1];
      let bz = turned[to + 2];
      const beyond = neighbours[3 * t + side];
      const goesOn = beyond >= 0 && facedDown[beyond] === drawing;
      if (az > around || bz > around) {
        if (az > around && bz > around) continue;
        // from the lower end, so that both triangles of an edge find the same place
        const rises = bz > az;
        const along = rises ? (around - az) / (bz - az) : (around - bz) / (az - bz);
        const x = rises ? ax + along * (bx - ax) : bx + along * (ax - bx);
        const y = rises ? ay + along * (by - ay) : by + along * (ay - by);
        isCut = true;
        if (rises) {
          bx = upX = x;
          by = upY = y;
          bz = around;
        } else {
          ax = downX = x;
          ay = downY = y;
          az = around;
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
    this.slope(triangles, t);
    const g = Math.sqrt(this.sx * this.sx + this.sy * this.sy);
    edge[0] = upX;
    edge[1] = upY;
    edge[2] = edge[5] = around;
    edge[3] = downX;
    edge[4] = downY;
    edge[6] = g > 0 ? 1 / g : 0;
    coverage.addEdge(t);
  }

  // The plane of the triangle at hand: through its first corner, slopes along x and y; unit vector into the body that pressure acts along
  private ax = 0;
  private ay = 0;
  private az = 0;
  private sx = 0;
  private sy = 0;
  private mx = 0;
  private my = 0;
  private mz = 0;
  // and from that corner to the two others, seen from above
  private bx = 0;
  private by = 0;
  private cx = 0;
  private cy = 0;
  private nx = 0;
  private ny = 0;
  private nz = 0;
  private lowest = 0;

  /** Plane of triangle t */
  private slope(triangles: Int32Array, t: number): void {
    const { turned } = this;
    const a = 3 * triangles[3 * t];
    const b = 3 * triangles[3 * t + 1];
    const c = 3 * triangles[3 * t + 2];
    const ax = turned[a];
    const ay = turned[a + 1];
    const az = turned[a + 2];
    const bx = turned[b] - ax;
    const by = turned[b + 1] - ay;
    const bz = turned[b + 2] - az;
    const cx = turned[c] - ax;
    const cy = turned[c + 1] - ay;
    const cz = turned[c + 2] - az;
    const nz = bx * cy - by * cx;
    const nx = by * cz - bz * cy;
    const ny = bz * cx - bx * cz;
    this.ax = ax;
    this.ay = ay;
    this.az = az;
    this.bx = bx;
    this.by = by;
    this.cx = cx;
    this.cy = cy;
    this.nz = nz;
    this.lowest = az + Math.min(0, bz, cz);
    this.sx = nx / -nz;
    this.sy = ny / -nz;
    this.nx = nx;
    this.ny = ny;
  }

  /** Plane of triangle t, and the direction of pressure on it */
  private lay({ triangles, kinds, flanks: e }: SoilMesh, t: number, R: Float64Array): void {
    this.slope(triangles, t);
    const { nx, ny, nz } = this;
    if (kinds[t] === FLANK) {
      this.mx = -(R[0] * e[3 * t] + R[1] * e[3 * t + 1] + R[2] * e[3 * t + 2]);
      this.my = -(R[3] * e[3 * t] + R[4] * e[3 * t + 1] + R[5] * e[3 * t + 2]);
      this.mz = -(R[6] * e[3 * t] + R[7] * e[3 * t + 1] + R[8] * e[3 * t + 2]);
    } else {
      const inverse = -1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
      this.mx = nx * inverse;
      this.my = ny * inverse;
      this.mz = nz * inverse;
    }
  }

  /** The underside at cell k is the triangle at hand, at the height z. */
  private set(k: number, z: number, face: number): void {
    const { under, normal, slopes, kind } = this;
    under[k] = z;
    kind[k] = face;
    normal[3 * k] = this.mx;
    normal[3 * k + 1] = this.my;
    normal[3 * k + 2] = this.mz;
    slopes[2 * k] = this.sx;
    slopes[2 * k + 1] = this.sy;
  }

  /** One triangle into the cells that are seen at a place under it; those on its edges count to it. */
  private fill(mesh: SoilMesh, t: number, R: Float64Array, spacing: number, top: number): void {
    const { under, i0, j0, columns, rows } = this;
    const { rowIsCut, offsetX, offsetY } = this.coverage;
    this.lay(mesh, t, R);
    const { ax, ay, az, bx, by, cx, cy, nz, sx, sy } = this;
    if (this.lowest > top || sx * sx + sy * sy > SHEER * SHEER) return;
    const face = mesh.kinds[t];
    const left = (ax + Math.min(0, bx, cx)) / spacing - ON_EDGE;
    const right = (ax + Math.max(0, bx, cx)) / spacing + ON_EDGE;
    const near = (ay + Math.min(0, by, cy)) / spacing - ON_EDGE;
    const far = (ay + Math.max(0, by, cy)) / spacing + ON_EDGE;
    const first = Math.ceil(left);
    const last = Math.floor(right);
    const low = Math.ceil(near);
    const high = Math.floor(far);
    // Cells that are seen off their node may be half a cell farther
    const firstCut = Math.max(i0, Math.ceil(left - 0.5));
    const lastCut = Math.min(i0 + columns - 1, Math.floor(right + 0.5));
    const lowCut = Math.max(j0, Math.ceil(near - 0.5));
    const highCut = Math.min(j0 + rows - 1, Math.floor(far + 0.5));
    // A node on the edge of two triangles must not be lost between them
    const edge = ON_EDGE * (Math.abs(bx) + Math.abs(by) + Math.abs(cx) + Math.abs(cy)) * spacing;
    for (let j = lowCut; j <= highCut; j++) {
      const row = (j - j0) * columns - i0;
      // Barycentric coordinates times nz < 0: u = x cy − y cx, v = bx y − by x
      if (rowIsCut[j - j0] !== 0) {
        for (let i = firstCut; i <= lastCut; i++) {
          const k = row + i;
          const x = i * spacing - ax + offsetX[k];
          const y = j * spacing - ay + offsetY[k];
          const u = x * cy - y * cx;
          const v = bx * y - by * x;
          if (u > edge || v > edge || u + v < nz - edge) continue;
          const z = az + sx * x + sy * y;
          if (z < under[k]) this.set(k, z, face);
        }
        continue;
      }
      if (j < low || j > high) continue;
      const y = j * spacing - ay;
      for (let i = first; i <= last; i++) {
        const x = i * spacing - ax;
        const u = x * cy - y * cx;
        const v = bx * y - by * x;
        if (u > edge || v > edge || u + v < nz - edge) continue;
        const z = az + sx * x + sy * y;
        const k = row + i;
        if (z < under[k]) this.set(k, z, face);
      }
    }
  }

  /**
   * Cells that the outline merely touches are not under the body. The middle of two parts, where there may be nothing, is seen on the plane of the edge that passes lowest, no lower than that edge
   * and with no slope if it stands upright.
   */
  private trim(mesh: SoilMesh, R: Float64Array, spacing: number, top: number): void {
    const { under, coverage, columns, i0, j0 } = this;
    const { cells, count, cover, offsetX, offsetY, lowest, lowestZ } = coverage;
    for (let n = 0; n < count; n++) {
      const k = cells[n];
      if (cover[k] === 0) under[k] = Infinity;
      else if (under[k] === Infinity && cover[k] < 1 && lowestZ[n] <= top) {
        this.lay(mesh, lowest[n], R);
        const x = (i0 + (k % columns)) * spacing + offsetX[k] - this.ax;
        const y = (j0 + Math.floor(k / columns)) * spacing + offsetY[k] - this.ay;
        const z = this.az + this.sx * x + this.sy * y;
        if (!(z >= lowestZ[n])) this.sx = this.sy = 0;
        this.set(k, Math.max(z, lowestZ[n]), mesh.kinds[lowest[n]]);
      }
    }
  }
}
