/**
 * A body's surface made ready to be drawn into the soil's grid (footprint.ts): triangles in clusters of some 32, each in a box along the body's axes, so that clusters whose box is above the
 * ground are left out before a vertex of them is turned (a box is tighter than a ball where strips of a tread lie across the wheel); what kind of face each is; and which triangles are neighbours.
 *
 * A round surface is drawn with flat triangles. Where they meet at less than 30° they are round for pressure: its direction goes from one to the next without a jump, linear between corners that have
 * the mean of the normals around them. With a direction for each triangle, a wheel whose lowest edge lies over a node is pushed to the one side or the other by what rounding decides.
 */
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { acos } from '../../math/elementary.js';
import { findRoot, unite } from '../../math/union-find.js';
import { relief } from './relief.js';

const CLUSTER = 32;

/** Cosine of the largest angle at which triangles are parts of one round surface */
const ROUND = 0.866;

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
  /** 3 per triangle, indices of vertices */
  readonly triangles: Int32Array;
  /** 3 per triangle: the triangle beyond each of its edges, from corner 0 to 1, 1 to 2, 2 to 0; −1 where there is none */
  readonly neighbours: Int32Array;
  /** 3 per triangle: unit normal out of the body; 0 of a triangle without area */
  readonly normals: Float64Array;
  /** Per triangle whether it is part of a round surface; and 9 numbers, unit normals out of the body at its corners */
  readonly isRound: Uint8Array;
  readonly cornerNormals: Float64Array;
  /** Per triangle FACE, FLANK or FLOOR; and for flanks 3 numbers, the direction out of the body that pressure acts against */
  readonly kinds: Uint8Array;
  readonly flanks: Float64Array;
  readonly hasPockets: boolean;
  /** m: thickness of the thinnest grouser; ∞ without any */
  readonly thinnest: number;
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
    const order: number[] = [];
    let at = 0;
    for (const [c, group] of groups.entries()) {
      const local = new Map<number, number>();
      for (const t of group) {
        order.push(t);
        const isFlank = flanks[3 * t] !== 0 || flanks[3 * t + 1] !== 0 || flanks[3 * t + 2] !== 0;
        this.kinds[at / 3] = isFlank ? FLANK : floors[t] ? FLOOR : FACE;
        for (let k = 0; k < 3; k++) {
          this.flanks[at] = flanks[3 * t + k];
          const v = triangles[3 * t + k];
          if (!local.has(v)) {
            local.set(v, xyz.length / 3);
            xyz.push(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
          }
          this.triangles[at++] = local.get(v)!;
        }
      }
      this.vertexStart[c + 1] = this.vertexStart[c] + local.size;
      this.triangleStart[c + 1] = this.triangleStart[c] + group.length;
      this.enclose(c, xyz);
    }
    this.vertices = Float64Array.from(xyz);
    this.normals = normalsOf(this.vertices, this.triangles);
    const corners = cornersOf(vertices, triangles, order);
    this.neighbours = neighboursOf(corners, vertices.length / 3);
    this.cornerNormals = cornerNormalsOf(this, corners);
    this.isRound = Uint8Array.from(this.kinds, (kind, t) => (kind !== FLANK && this.bends(t) ? 1 : 0));
    let reach = 0;
    for (let i = 0; i < vertices.length; i += 3)
      reach = Math.max(
        reach,
        vertices[i] * vertices[i] + vertices[i + 1] * vertices[i + 1] + vertices[i + 2] * vertices[i + 2],
      );
    this.reach = Math.sqrt(reach);
  }

  /** The normal at some corner is not that of triangle t. */
  private bends(t: number): boolean {
    for (let k = 0; k < 9; k++)
      if (Math.abs(this.cornerNormals[9 * t + k] - this.normals[3 * t + (k % 3)]) > 1e-9) return true;
    return false;
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

function normalsOf(vertices: Float64Array, triangles: Int32Array): Float64Array {
  const normals = new Float64Array(triangles.length);
  for (let o = 0; o < triangles.length; o += 3) {
    const [a, b, c] = [3 * triangles[o], 3 * triangles[o + 1], 3 * triangles[o + 2]];
    const [bx, by, bz] = [0, 1, 2].map((k) => vertices[b + k] - vertices[a + k]);
    const [cx, cy, cz] = [0, 1, 2].map((k) => vertices[c + k] - vertices[a + k]);
    const [x, y, z] = [by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length > 0) for (const [k, value] of [x, y, z].entries()) normals[o + k] = value / length;
  }
  return normals;
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

/** 3 per triangle in the new order: number of each corner. Those at the same place are one, so that meshes whose triangles have corners of their own are understood. */
function cornersOf(vertices: Float64Array, triangles: Uint32Array, order: readonly number[]): Int32Array {
  const places = new Map<string, number>();
  const corner = new Int32Array(vertices.length / 3);
  for (let v = 0; v < corner.length; v++) {
    const key = `${vertices[3 * v] + 0},${vertices[3 * v + 1] + 0},${vertices[3 * v + 2] + 0}`;
    const known = places.get(key);
    corner[v] = known ?? v;
    if (known === undefined) places.set(key, v);
  }
  return Int32Array.from(triangles, (_v, k) => corner[triangles[3 * order[Math.floor(k / 3)] + (k % 3)]]);
}

/** Across each edge. Where more than two triangles share it, or none does, there is no neighbour: the edge is then drawn as an outline by each, which adds up to the same (coverage.ts). */
function neighboursOf(corners: Int32Array, count: number): Int32Array {
  const neighbours = new Int32Array(corners.length).fill(-1);
  const edges = new Map<number, number>();
  const from = (side: number): number => corners[side];
  const to = (side: number): number => corners[side % 3 === 2 ? side - 2 : side + 1];
  for (let side = 0; side < corners.length; side++) {
    const key = from(side) * count + to(side);
    edges.set(key, edges.has(key) ? -1 : side);
  }
  for (let side = 0; side < corners.length; side++) {
    const other = edges.get(to(side) * count + from(side)) ?? -1;
    if (other >= 0 && edges.get(from(side) * count + to(side)) === side) neighbours[side] = Math.floor(other / 3);
  }
  return neighbours;
}

/** At each corner of each triangle the mean of the normals of those around it that go on without an edge, weighted by their angles there: however they are cut, the same */
function cornerNormalsOf({ vertices, triangles, normals, neighbours }: SoilMesh, corners: Int32Array): Float64Array {
  const around = Int32Array.from(corners, (_c, k) => k);
  for (let side = 0; side < corners.length; side++) {
    const [t, u] = [Math.floor(side / 3), neighbours[side]];
    if (u < t) continue; // none, or done from there
    let cosine = 0;
    for (let k = 0; k < 3; k++) cosine += normals[3 * t + k] * normals[3 * u + k];
    if (!(cosine > ROUND)) continue;
    for (const mine of [side, side % 3 === 2 ? side - 2 : side + 1])
      for (let c = 0; c < 3; c++) if (corners[3 * u + c] === corners[mine]) unite(around, mine, 3 * u + c);
  }
  const sums = new Float64Array(3 * corners.length);
  for (let k = 0; k < corners.length; k++) {
    const t = Math.floor(k / 3);
    const angle = angleAt(vertices, triangles, t, k % 3);
    const root = findRoot(around, k);
    for (let c = 0; c < 3; c++) sums[3 * root + c] += angle * normals[3 * t + c];
  }
  const result = new Float64Array(3 * corners.length);
  for (let k = 0; k < corners.length; k++) {
    const root = 3 * findRoot(around, k);
    const length = Math.sqrt(
      sums[root] * sums[root] + sums[root + 1] * sums[root + 1] + sums[root + 2] * sums[root + 2],
    );
    for (let c = 0; c < 3; c++)
      result[3 * k + c] = length > 0 ? sums[root + c] / length : normals[3 * Math.floor(k / 3) + c];
  }
  return result;
}

/** Of triangle t at its corner c, rad */
function angleAt(vertices: Float64Array, triangles: Int32Array, t: number, c: number): number {
  const [a, b, d] = [0, 1, 2].map((k) => 3 * triangles[3 * t + ((c + k) % 3)]);
  let [dot, ab, ad] = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const [x, y] = [vertices[b + k] - vertices[a + k], vertices[d + k] - vertices[a + k]];
    dot += x * y;
    ab += x * x;
    ad += y * y;
  }
  return ab > 0 && ad > 0 ? acos(Math.max(-1, Math.min(1, dot / Math.sqrt(ab * ad)))) : 0;
}
