/**
 * Removes triangles without area so that nothing tears.
 *
 * Leaving one out would open a slit: its sides still have triangles behind them, and its middle corner would hang on
 * the side of a neighbour without being a corner of it. Instead a needle, whose short side has no length, is closed by
 * making the ends of that side one vertex. A cap, whose third corner lies on its long side, is merged into the triangle
 * behind the long side, which is divided at that corner:
 *
 *        d                  d
 *      /   \              / | \
 *    a ——c—— b    →     a — c — b
 *
 * Both keep every edge balanced, so a closed mesh stays closed.
 */

import { findRoot, identity, unite } from '../math/union-find.js';
import { edgeTable, nextHalfEdge, previousHalfEdge } from './topology.js';
import { isDegenerate } from './triangle-defects.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { applyWeld } from './weld.js';

/** 2^-49: eight roundings of a coordinate. */
const NOISE = 1.7763568394002505e-15;

export interface Thinned {
  readonly mesh: TriangleMesh;
  readonly collapsed: number;
  readonly merged: number;
  /** triangles left out: with a repeated index, or caps whose long side was the border of a hole */
  readonly dropped: number;
}

/** Removes what `isDegenerate` finds; a triangle between others that cannot give way stays. */
export function removeThinTriangles(mesh: TriangleMesh): Thinned {
  let current = mesh;
  let collapsed = 0;
  let merged = 0;
  let dropped = 0;
  // Every merge makes the longest side of a thin triangle shorter, so that rounds end; the bound is for safety.
  for (let round = 0; round < 100; round++) {
    const thin: number[] = [];
    for (let t = 0; t < current.triangles.length / 3; t++) if (isDegenerate(current, t)) thin.push(t);
    if (thin.length === 0) break;

    const needles = collapseNeedles(current, thin);
    if (needles.removed > 0) {
      collapsed += needles.removed;
      dropped += needles.dropped;
      current = needles.mesh;
      continue;
    }
    const caps = mergeCaps(current, thin);
    if (caps.merged + caps.dropped === 0) break;
    merged += caps.merged;
    dropped += caps.dropped;
    current = caps.mesh;
  }
  return { mesh: current, collapsed, merged, dropped };
}

/** Makes the ends of sides one vertex that are no longer than the noise of their coordinates. */
function collapseNeedles(
  mesh: TriangleMesh,
  thin: readonly number[],
): { mesh: TriangleMesh; removed: number; dropped: number } {
  const { vertices: v, triangles } = mesh;
  const parent = identity(v.length / 3);
  let removed = 0;
  let repeated = 0;
  for (const t of thin) {
    const corners = triangles.subarray(3 * t, 3 * t + 3);
    if (corners[0] === corners[1] || corners[1] === corners[2] || corners[2] === corners[0]) {
      repeated++;
      continue;
    }
    for (let k = 0; k < 3; k++) {
      const [p, q] = [3 * corners[k], 3 * corners[(k + 1) % 3]];
      let largest = 0;
      let distance = 0;
      for (let c = 0; c < 3; c++) {
        largest = Math.max(largest, Math.abs(v[p + c]), Math.abs(v[q + c]));
        distance = Math.max(distance, Math.abs(v[p + c] - v[q + c]));
      }
      const apart = distance > NOISE * largest;
      if (apart || findRoot(parent, p / 3) === findRoot(parent, q / 3)) continue;
      unite(parent, p / 3, q / 3);
      removed++;
    }
  }
  if (removed + repeated === 0) return { mesh, removed: 0, dropped: 0 };
  for (let i = 0; i < parent.length; i++) parent[i] = findRoot(parent, i);
  const welded = applyWeld(mesh, parent);
  const { mesh: kept } = withoutRepeatedIndices(welded);
  return { mesh: kept, removed: removed + repeated, dropped: repeated };
}

/** Leaves out triangles that repeat an index; their two remaining sides cancel. */
export function withoutRepeatedIndices(mesh: TriangleMesh): { mesh: TriangleMesh; dropped: number } {
  const { triangles } = mesh;
  const kept = new Uint32Array(triangles.length);
  let at = 0;
  for (let h = 0; h < triangles.length; h += 3) {
    const [a, b, c] = [triangles[h], triangles[h + 1], triangles[h + 2]];
    if (a === b || b === c || c === a) continue;
    kept[at++] = a;
    kept[at++] = b;
    kept[at++] = c;
  }
  const dropped = (triangles.length - at) / 3;
  return { mesh: dropped > 0 ? { vertices: mesh.vertices, triangles: kept.slice(0, at) } : mesh, dropped };
}

/** Merges caps into the triangles behind their longest sides; each triangle takes part once in a round. */
function mergeCaps(
  mesh: TriangleMesh,
  thin: readonly number[],
): { mesh: TriangleMesh; merged: number; dropped: number } {
  const edges = edgeTable(mesh);
  const triangles = mesh.triangles.slice();
  const busy = new Uint8Array(triangles.length / 3);
  const gone = new Uint8Array(triangles.length / 3);
  const made = new Set<string>(); // edges c – d of this round
  let merged = 0;
  let dropped = 0;
  for (const t of thin) {
    if (busy[t] === 1) continue;
    const h = longestSide(mesh, t);
    const [a, b, c] = [mesh.triangles[h], mesh.triangles[nextHalfEdge(h)], mesh.triangles[previousHalfEdge(h)]];
    const e = edges.edgeOf[h];
    if (edges.start[e + 1] - edges.start[e] === 1) {
      busy[t] = gone[t] = 1;
      dropped++;
      continue;
    }
    for (let i = edges.start[e]; i < edges.start[e + 1]; i++) {
      const g = edges.halfEdges[i];
      const other = Math.floor(g / 3);
      if (other === t || busy[other] === 1 || mesh.triangles[g] !== b) continue;
      const d = mesh.triangles[previousHalfEdge(g)];
      const key = c < d ? `${c},${d}` : `${d},${c}`;
      if (d !== c && (made.has(key) || hasEdge(edges.vertices, edges.count, c, d))) continue;
      made.add(key);
      busy[t] = busy[other] = 1;
      triangles.set([c, a, d], 3 * t);
      triangles.set([d, b, c], 3 * other);
      if (c === d) gone[t] = gone[other] = 1; // back to back: nothing remains
      merged++;
      break;
    }
  }
  const kept = triangles.filter((_, i) => gone[Math.floor(i / 3)] === 0);
  return { mesh: { vertices: mesh.vertices, triangles: kept }, merged, dropped };
}

function longestSide({ vertices: v, triangles }: TriangleMesh, t: number): number {
  let longest = -1;
  let side = 3 * t;
  for (let h = 3 * t; h < 3 * t + 3; h++) {
    const [p, q] = [3 * triangles[h], 3 * triangles[nextHalfEdge(h)]];
    const [x, y, z] = [v[q] - v[p], v[q + 1] - v[p + 1], v[q + 2] - v[p + 2]];
    const squared = x * x + y * y + z * z;
    if (squared > longest) {
      longest = squared;
      side = h;
    }
  }
  return side;
}

/** Whether two vertices are joined by one of the edges, which ascend by (smaller, larger). */
function hasEdge(vertices: Uint32Array, count: number, p: number, q: number): boolean {
  const [lo, hi] = p < q ? [p, q] : [q, p];
  let begin = 0;
  let end = count;
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (vertices[2 * middle] < lo || (vertices[2 * middle] === lo && vertices[2 * middle + 1] < hi)) begin = middle + 1;
    else end = middle;
  }
  return begin < count && vertices[2 * begin] === lo && vertices[2 * begin + 1] === hi;
}
