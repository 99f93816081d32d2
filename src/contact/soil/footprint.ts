/**
 * The underside of a body over the nodes of a grid: triangles that face down are drawn into a window of the grid, the lowest wins. Cost: triangles
 * near the ground + nodes covered; no ray is cast.
 *
 * The body's mesh is cut into clusters of some 32 triangles, each in a box along the body's axes; clusters whose box is above the ground are left out
 * before a vertex of them is turned. A box is tighter than a ball where strips of a tread lie across the wheel.
 */
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { relief } from './relief.js';

const CLUSTER = 32;

/** Nearer than this part of their distance to an edge, nodes are on it: farther than what rounding and iterations move a body at rest, else rows of nodes come and go under its edges and shake it */
const ON_EDGE = 1e-6;

/** Faces whose n_z² is below this part of the rest stand upright but for rounding, and have no underside */
const UPRIGHT = 1e-16;

/** Kinds of faces: all others, walls and floors of pockets (relief.ts) */
export const FACE = 0;
export const FLANK = 1;
export const FLOOR = 2;

/** A mesh in the body's frame, clustered. */
export class SoilMesh {
  readonly clusters: number;
  /** 6 per cluster: centre and half lengths of its box, body's axes, m */
  readonly boxes: Float64Array;
  /** First vertex and first triangle of each cluster, and one beyond */
  readonly vertexStart: Int32Array;
  readonly triangleStart: Int32Array;
  /** 3 per vertex, m; a vertex that several clusters have is there several times */
  readonly vertices: Float64Array;
  /** 3 per triangle, of the cluster's vertices */
  readonly triangles: Int32Array;
  /** Per triangle FACE, FLANK or FLOOR; and for flanks 3 numbers, the direction out of the body that pressure acts against */
  readonly kinds: Uint8Array;
  readonly flanks: Float64Array;
  readonly hasPockets: boolean;
  /** m: thickness of the thinnest grouser; ∞ without any */
  readonly thinnest: number;
  readonly mostVertices: number;
  /** Greatest distance of a vertex from the body's origin, m */
  readonly reach: number;

  constructor(mesh: TriangleMesh) {
    const { vertices, triangles } = mesh;
    const { flanks, floors, thinnest } = relief(mesh);
    this.thinnest = thinnest;
    this.hasPockets = floors.includes(1);
    const groups = clustersOf(vertices, triangles);
    this.clusters = groups.length;
    this.boxes = new Float64Array(6 * groups.length);
    this.vertexStart = new Int32Array(groups.length + 1);
    this.triangleStart = new Int32Array(groups.length + 1);
    this.triangles = new Int32Array(triangles.length);
    this.flanks = new Float64Array(triangles.length);
    this.kinds = new Uint8Array(triangles.length / 3);
    const xyz: number[] = [];
    let most = 0;
    let at = 0;
    for (const [c, group] of groups.entries()) {
      const local = new Map<number, number>();
      for (const t of group) {
        const isFlank = flanks[3 * t] !== 0 || flanks[3 * t + 1] !== 0 || flanks[3 * t + 2] !== 0;
        this.kinds[at / 3] = isFlank ? FLANK : floors[t] ? FLOOR : FACE;
        for (let k = 0; k < 3; k++) {
          this.flanks[at] = flanks[3 * t + k];
          const v = triangles[3 * t + k];
          if (!local.has(v)) {
            local.set(v, local.size);
            xyz.push(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
          }
          this.triangles[at++] = local.get(v)!;
        }
      }
      this.vertexStart[c + 1] = this.vertexStart[c] + local.size;
      this.triangleStart[c + 1] = this.triangleStart[c] + group.length;
      most = Math.max(most, local.size);
      this.enclose(c, xyz);
    }
    this.vertices = Float64Array.from(xyz);
    this.mostVertices = most;
    let reach = 0;
    for (let i = 0; i < vertices.length; i += 3)
      reach = Math.max(
        reach,
        vertices[i] * vertices[i] + vertices[i + 1] * vertices[i + 1] + vertices[i + 2] * vertices[i + 2],
      );
    this.reach = Math.sqrt(reach);
  }

  private enclose(c: number, xyz: readonly number[]): void {
    const [from, to] = [3 * this.vertexStart[c], 3 * this.vertexStart[c + 1]];
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = from; i < to; i++) {
      low[i % 3] = Math.min(low[i % 3], xyz[i]);
      high[i % 3] = Math.max(high[i % 3], xyz[i]);
    }
    for (let k = 0; k < 3; k++) {
      this.boxes[6 * c + k] = (low[k] + high[k]) / 2;
      this.boxes[6 * c + 3 + k] = (high[k] - low[k]) / 2;
    }
  }
}

/** Halves along the longest side until few are left */
function clustersOf(vertices: Float64Array, triangles: Uint32Array): number[][] {
  const centre = (t: number, k: number): number =>
    vertices[3 * triangles[3 * t] + k] +
    vertices[3 * triangles[3 * t + 1] + k] +
    vertices[3 * triangles[3 * t + 2] + k];
  const result: number[][] = [];
  const cut = (group: number[]): void => {
    if (group.length <= CLUSTER) {
      if (group.length > 0) result.push(group);
      return;
    }
    let [axis, longest] = [0, -1];
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Infinity, -Infinity];
      for (const t of group) {
        low = Math.min(low, centre(t, k));
        high = Math.max(high, centre(t, k));
      }
      if (high - low > longest) [axis, longest] = [k, high - low];
    }
    const sorted = [...group].sort((a, b) => centre(a, axis) - centre(b, axis) || a - b);
    const middle = sorted.length >> 1;
    cut(sorted.slice(0, middle));
    cut(sorted.slice(middle));
  };
  cut(Array.from({ length: triangles.length / 3 }, (_, t) => t));
  return result;
}

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
  private turned = new Float64Array(0);
  private lowZ = new Float64Array(0);

  /** @param topOver highest level of the ground over a rectangle of the terrain's frame, m */
  draw(
    mesh: SoilMesh,
    { position: p, rotation: R }: SoilPose,
    spacing: number,
    topOver: (x0: number, x1: number, y0: number, y1: number) => number,
  ): void {
    const { clusters, boxes } = mesh;
    if (this.lowZ.length < clusters) this.lowZ = new Float64Array(clusters);
    if (this.turned.length < 3 * mesh.mostVertices) this.turned = new Float64Array(3 * mesh.mostVertices);
    const { lowZ } = this;

    // Window: clusters whose box reaches below the ground
    const top = topOver(p[0] - mesh.reach, p[0] + mesh.reach, p[1] - mesh.reach, p[1] + mesh.reach);
    if (this.isDrawn(mesh, p, R, spacing, top)) return;
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
    if (this.under.length < nodes) {
      this.under = new Float64Array(2 * nodes);
      this.kind = new Uint8Array(2 * nodes);
      this.normal = new Float64Array(6 * nodes);
      this.slopes = new Float64Array(4 * nodes);
    }
    this.under.fill(Infinity, 0, nodes);

    for (let c = 0; c < clusters; c++) {
      if (lowZ[c] > top) continue;
      this.turn(mesh, c, p, R);
      for (let t = 3 * mesh.triangleStart[c]; t < 3 * mesh.triangleStart[c + 1]; t += 3)
        this.fill(mesh, t, R, spacing, top);
    }
  }

  /** Of the last drawing: pose, distance of nodes, level of the ground. Steps are accepted where the force was asked for last. */
  private readonly drawn = new Float64Array(14).fill(Number.NaN);
  private drawnMesh: SoilMesh | undefined;

  private isDrawn(mesh: SoilMesh, p: Float64Array, R: Float64Array, spacing: number, top: number): boolean {
    const { drawn } = this;
    let same = mesh === this.drawnMesh && drawn[12] === spacing && drawn[13] === top;
    for (let k = 0; k < 12 && same; k++) same = drawn[k] === (k < 3 ? p[k] : R[k - 3]);
    if (same) return true;
    this.drawnMesh = mesh;
    for (let k = 0; k < 12; k++) drawn[k] = k < 3 ? p[k] : R[k - 3];
    drawn[12] = spacing;
    drawn[13] = top;
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
    for (let i = 3 * vertexStart[c], o = 0; i < 3 * vertexStart[c + 1]; i += 3, o += 3) {
      const x = vertices[i];
      const y = vertices[i + 1];
      const z = vertices[i + 2];
      turned[o] = px + r0 * x + r1 * y + r2 * z;
      turned[o + 1] = py + r3 * x + r4 * y + r5 * z;
      turned[o + 2] = pz + r6 * x + r7 * y + r8 * z;
    }
  }

  /** One triangle, its corners in `turned`; the nodes on its edges count to it. */
  private fill(mesh: SoilMesh, t: number, R: Float64Array, spacing: number, top: number): void {
    const { turned, under, normal, slopes, kind, i0, j0, columns } = this;
    const { triangles } = mesh;
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = turned[a];
    const ay = turned[a + 1];
    const az = turned[a + 2];
    const bx = turned[b] - ax;
    const by = turned[b + 1] - ay;
    const cx = turned[c] - ax;
    const cy = turned[c + 1] - ay;
    const nz = bx * cy - by * cx; // twice its area seen from above, negative if it faces down
    if (!(nz < 0)) return;
    const bz = turned[b + 2] - az;
    const cz = turned[c + 2] - az;
    if (az + Math.min(0, bz, cz) > top) return;
    const first = Math.ceil((ax + Math.min(0, bx, cx)) / spacing - ON_EDGE);
    const last = Math.floor((ax + Math.max(0, bx, cx)) / spacing + ON_EDGE);
    if (first > last) return;
    const low = Math.ceil((ay + Math.min(0, by, cy)) / spacing - ON_EDGE);
    const high = Math.floor((ay + Math.max(0, by, cy)) / spacing + ON_EDGE);
    if (low > high) return;
    const nx = by * cz - bz * cy;
    const ny = bz * cx - bx * cz;
    if (nz * nz < UPRIGHT * (nx * nx + ny * ny)) return;
    const sx = nx / -nz; // slopes of the plane
    const sy = ny / -nz;
    const face = mesh.kinds[t / 3];
    // into the body
    let mx: number;
    let my: number;
    let mz: number;
    if (face === FLANK) {
      const { flanks: e } = mesh;
      mx = -(R[0] * e[t] + R[1] * e[t + 1] + R[2] * e[t + 2]);
      my = -(R[3] * e[t] + R[4] * e[t + 1] + R[5] * e[t + 2]);
      mz = -(R[6] * e[t] + R[7] * e[t + 1] + R[8] * e[t + 2]);
    } else {
      const inverse = -1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
      mx = nx * inverse;
      my = ny * inverse;
      mz = nz * inverse;
    }
    // A node on the edge of two triangles must not be lost between them, nor come and go at the edge of a body by rounding
    const edge = ON_EDGE * (Math.abs(bx) + Math.abs(by) + Math.abs(cx) + Math.abs(cy)) * spacing;
    for (let j = low; j <= high; j++) {
      const y = j * spacing - ay;
      // Barycentric coordinates times nz < 0: u = x cy − y cx, v = bx y − by x
      const row = (j - j0) * columns - i0;
      for (let i = first; i <= last; i++) {
        const x = i * spacing - ax;
        const u = x * cy - y * cx;
        const v = bx * y - by * x;
        if (u > edge || v > edge || u + v < nz - edge) continue;
        const z = az + sx * x + sy * y;
        const k = row + i;
        if (z < under[k]) {
          under[k] = z;
          kind[k] = face;
          normal[3 * k] = mx;
          normal[3 * k + 1] = my;
          normal[3 * k + 2] = mz;
          slopes[2 * k] = sx;
          slopes[2 * k + 1] = sy;
        }
      }
    }
  }
}
