/**
 * A body's surface made ready to be drawn into the soil's grid (footprint.ts): triangles in clusters of some 32, each in a box along the body's axes, so that clusters whose box is above the
 * ground are left out before a vertex of them is turned (a box is tighter than a ball where strips of a tread lie across the wheel); what kind of face each is; and which triangles are neighbours.
 */
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { relief } from './relief.js';

const CLUSTER = 32;

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
    this.neighbours = neighboursOf(vertices, triangles, order);
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

/**
 * Across each edge of the triangles in their new order: corners at the same place are one, so that meshes whose triangles have corners of their own are understood. Where more than two triangles share
 * an edge, or none does, there is no neighbour: the edge is then drawn as an outline by each, which adds up to the same (coverage.ts).
 */
function neighboursOf(vertices: Float64Array, triangles: Uint32Array, order: readonly number[]): Int32Array {
  const places = new Map<string, number>();
  const corner = new Int32Array(vertices.length / 3);
  for (let v = 0; v < corner.length; v++) {
    const key = `${vertices[3 * v] + 0},${vertices[3 * v + 1] + 0},${vertices[3 * v + 2] + 0}`;
    const known = places.get(key);
    corner[v] = known ?? v;
    if (known === undefined) places.set(key, v);
  }
  const count = corner.length;
  const neighbours = new Int32Array(triangles.length).fill(-1);
  const edges = new Map<number, number>();
  const ends = (side: number): readonly [number, number] => {
    const t = 3 * order[Math.floor(side / 3)];
    return [corner[triangles[t + (side % 3)]], corner[triangles[t + ((side + 1) % 3)]]];
  };
  for (let side = 0; side < triangles.length; side++) {
    const [from, to] = ends(side);
    const key = from * count + to;
    edges.set(key, edges.has(key) ? -1 : side);
  }
  for (let side = 0; side < triangles.length; side++) {
    const [from, to] = ends(side);
    const other = edges.get(to * count + from) ?? -1;
    if (other >= 0 && edges.get(from * count + to) === side) neighbours[side] = Math.floor(other / 3);
  }
  return neighbours;
}
