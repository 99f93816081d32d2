/**
 * What is connected to what in a triangle mesh: edges, neighbours, shells. Indices only, no coordinates.
 *
 * Half-edge h = 3 t + k is side k of triangle t and runs from corner k to corner k + 1 (mod 3). All half-edges between
 * the same two vertices make one edge, whatever their directions and however many there are. They are grouped by two
 * counting sorts (by the larger vertex, then by the smaller): time and memory proportional to the mesh, about 40 bytes
 * a triangle, no hashing, and an order that depends on nothing but the indices.
 */
import { findRoot, identity, unite } from '../math/union-find.js';
import { type TriangleMesh, vertexCount } from './triangle-mesh.js';

/** Label of a vertex that no triangle uses. */
export const NONE = 0xffffffff;

/** Every edge of a mesh with the half-edges on it; edges ascend by (smaller vertex, larger vertex). */
export interface EdgeTable {
  readonly count: number;
  /** 2 per edge: smaller vertex, larger vertex; equal for the side of a triangle that repeats an index */
  readonly vertices: Uint32Array;
  /** one per edge and one more: where its half-edges start in `halfEdges` */
  readonly start: Uint32Array;
  /** 3 per triangle, grouped by edge, ascending within each */
  readonly halfEdges: Uint32Array;
  /** 3 per triangle: the edge of each half-edge */
  readonly edgeOf: Uint32Array;
}

export interface DirectedEdge {
  readonly from: number;
  readonly to: number;
}

/** The half-edge that follows h in its triangle. */
export const nextHalfEdge = (h: number): number => (h % 3 === 2 ? h - 2 : h + 1);
/** The half-edge before h in its triangle. */
export const previousHalfEdge = (h: number): number => (h % 3 === 0 ? h + 2 : h - 1);

/** The edges of a mesh, each once, with all half-edges on each. */
export function edgeTable(mesh: TriangleMesh): EdgeTable {
  const { triangles } = mesh;
  const sides = triangles.length;

  // counting sort by the larger vertex
  const count = new Uint32Array(vertexCount(mesh) + 1);
  for (let h = 0; h < sides; h += 3) {
    const a = triangles[h];
    const b = triangles[h + 1];
    const c = triangles[h + 2];
    count[Math.max(a, b) + 1]++;
    count[Math.max(b, c) + 1]++;
    count[Math.max(c, a) + 1]++;
  }
  accumulate(count);
  const byLarger = new Uint32Array(sides);
  for (let h = 0; h < sides; h += 3) {
    const a = triangles[h];
    const b = triangles[h + 1];
    const c = triangles[h + 2];
    byLarger[count[Math.max(a, b)]++] = h;
    byLarger[count[Math.max(b, c)]++] = h + 1;
    byLarger[count[Math.max(c, a)]++] = h + 2;
  }

  // stable counting sort by the smaller vertex
  count.fill(0);
  for (let h = 0; h < sides; h += 3) {
    const a = triangles[h];
    const b = triangles[h + 1];
    const c = triangles[h + 2];
    count[Math.min(a, b) + 1]++;
    count[Math.min(b, c) + 1]++;
    count[Math.min(c, a) + 1]++;
  }
  accumulate(count);
  const halfEdges = new Uint32Array(sides);
  for (let i = 0; i < sides; i++) {
    const h = byLarger[i];
    const a = triangles[h];
    const b = triangles[nextHalfEdge(h)];
    halfEdges[count[Math.min(a, b)]++] = h;
  }

  // runs with the same two vertices are edges; `byLarger` is done with and takes their starts
  const edgeOf = new Uint32Array(sides);
  let edges = 0;
  let lastLo = NONE;
  let lastHi = NONE;
  for (let i = 0; i < sides; i++) {
    const h = halfEdges[i];
    const a = triangles[h];
    const b = triangles[nextHalfEdge(h)];
    const lo = Math.min(a, b);
    const hi = Math.max(a, b);
    if (lo !== lastLo || hi !== lastHi) {
      byLarger[edges++] = i;
      lastLo = lo;
      lastHi = hi;
    }
    edgeOf[h] = edges - 1;
  }
  const start = new Uint32Array(edges + 1);
  start.set(byLarger.subarray(0, edges));
  start[edges] = sides;
  const vertices = new Uint32Array(2 * edges);
  for (let e = 0; e < edges; e++) {
    const h = halfEdges[start[e]];
    const a = triangles[h];
    const b = triangles[nextHalfEdge(h)];
    vertices[2 * e] = Math.min(a, b);
    vertices[2 * e + 1] = Math.max(a, b);
  }
  return { count: edges, vertices, start, halfEdges, edgeOf };
}

/** counts[i + 1] becomes the start of bucket i + 1, so that counts[i] is the start of bucket i. */
function accumulate(counts: Uint32Array): void {
  for (let i = 1; i < counts.length; i++) counts[i] += counts[i - 1];
}

/** How many half-edges run from the smaller to the larger vertex minus how many run back; 0 on a closed surface. */
export function edgeBalance(mesh: TriangleMesh, edges: EdgeTable, e: number): number {
  const lo = edges.vertices[2 * e];
  if (lo === edges.vertices[2 * e + 1]) return 0; // a side of no length is its own opposite
  let balance = 0;
  for (let i = edges.start[e]; i < edges.start[e + 1]; i++)
    balance += mesh.triangles[edges.halfEdges[i]] === lo ? 1 : -1;
  return balance;
}

/**
 * Edges on which the two directions are not used equally often, in the direction used more, each once. None are left
 * exactly if the surface is closed and oriented, so that it bounds a volume: the border of a hole is listed along its
 * triangles, and so is every side of a triangle turned the wrong way round.
 *
 * @param limit stop after so many
 * @example const isClosed = openEdges(mesh, 1).length === 0;
 */
export function openEdges(mesh: TriangleMesh, limit = Infinity, edges: EdgeTable = edgeTable(mesh)): DirectedEdge[] {
  const open: DirectedEdge[] = [];
  for (let e = 0; e < edges.count && open.length < limit; e++) {
    const balance = edgeBalance(mesh, edges, e);
    if (balance === 0) continue;
    const lo = edges.vertices[2 * e];
    const hi = edges.vertices[2 * e + 1];
    open.push(balance > 0 ? { from: lo, to: hi } : { from: hi, to: lo });
  }
  return open;
}

/** Lists of different lengths in one array: list i is items[start[i]] … items[start[i + 1] − 1]. */
export interface Lists {
  readonly start: Uint32Array;
  readonly items: Uint32Array;
}

/** The triangles around each vertex, ascending. A triangle that repeats an index is listed once for each corner. */
export function vertexTriangles(mesh: TriangleMesh): Lists {
  const { triangles } = mesh;
  return bucket(vertexCount(mesh), triangles.length, (i) => triangles[i], 3);
}

/** The edges that end at each vertex, ascending. */
export function vertexEdges(mesh: TriangleMesh, edges: EdgeTable): Lists {
  return bucket(vertexCount(mesh), edges.vertices.length, (i) => edges.vertices[i], 2);
}

/** Puts entry i of n, which is item ⌊i / perItem⌋, into the list `keyOf(i)`. */
function bucket(lists: number, n: number, keyOf: (i: number) => number, perItem: number): Lists {
  const start = new Uint32Array(lists + 1);
  for (let i = 0; i < n; i++) start[keyOf(i) + 1]++;
  accumulate(start);
  const next = start.slice(0, lists);
  const items = new Uint32Array(n);
  for (let i = 0; i < n; i++) items[next[keyOf(i)]++] = Math.floor(i / perItem);
  return { start, items };
}

/** Parts of a whole, numbered in the order of their first member. */
export interface Labels {
  readonly count: number;
  readonly labels: Uint32Array;
}

/**
 * Shells: triangles connected through edges; one label per triangle. Each shell of a closed mesh is closed in itself.
 * Two cubes that touch in a corner are two shells, two that share an edge are one.
 */
export function shells(mesh: TriangleMesh, edges: EdgeTable = edgeTable(mesh)): Labels {
  const parent = identity(mesh.triangles.length / 3);
  for (let e = 0; e < edges.count; e++) {
    const first = Math.floor(edges.halfEdges[edges.start[e]] / 3);
    for (let i = edges.start[e] + 1; i < edges.start[e + 1]; i++)
      unite(parent, first, Math.floor(edges.halfEdges[i] / 3));
  }
  return numberRoots(parent);
}

/** Vertices connected through edges; one label per vertex, `NONE` for a vertex that no triangle uses. */
export function vertexComponents(mesh: TriangleMesh): Labels {
  const { triangles } = mesh;
  const parent = identity(vertexCount(mesh));
  const used = new Uint8Array(parent.length);
  for (let h = 0; h < triangles.length; h += 3) {
    unite(parent, triangles[h], triangles[h + 1]);
    unite(parent, triangles[h], triangles[h + 2]);
    used[triangles[h]] = used[triangles[h + 1]] = used[triangles[h + 2]] = 1;
  }
  return numberRoots(parent, used);
}

/** Numbers the parts of a union–find forest by their first members; where `used` is 0 the label is `NONE`. */
export function numberRoots(parent: Uint32Array, used?: Uint8Array): Labels {
  const labels = new Uint32Array(parent.length);
  let count = 0;
  for (let i = 0; i < parent.length; i++) {
    if (used && used[i] === 0) labels[i] = NONE;
    else {
      const root = findRoot(parent, i); // root ≤ i, so it has its label already unless it is i
      labels[i] = root === i ? count++ : labels[root];
    }
  }
  return { count, labels };
}
