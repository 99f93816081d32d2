/**
 * Joins vertices that lie at the same place. An STL file repeats a vertex for every triangle around it; only after
 * welding does a mesh know its neighbours.
 */
import { ModelError } from '../errors.js';
import { findRoot, identity, unite } from '../math/union-find.js';
import { meshBounds, type TriangleMesh } from './triangle-mesh.js';

/**
 * The mesh with vertices joined that are equal (−0 equals 0), or that lie within `tolerance` of each other. What
 * remains is the first of each group, with its coordinates untouched and in the order of first appearance; triangles
 * keep their number and order, and one that has become a line or a point keeps its repeated index.
 *
 * Chains join: with a tolerance, a and c become one if a–b and b–c are near. Groups therefore do not depend on the
 * order of vertices; keep the tolerance well below the smallest detail.
 *
 * @param tolerance m, at most 1 % of the mesh's size
 * @throws ModelError on a tolerance that is negative or larger than that
 * @example const part = weldMesh(soup);
 */
export function weldMesh(mesh: TriangleMesh, tolerance = 0): TriangleMesh {
  const first = coincidentVertices(mesh.vertices, tolerance);
  return applyWeld(mesh, first);
}

/** For each vertex the first vertex at its place (see `weldMesh`); i for a vertex that stays. */
export function coincidentVertices(vertices: Float64Array, tolerance = 0): Uint32Array {
  const size = largestExtent(vertices);
  if (!(tolerance >= 0 && tolerance <= 0.01 * size) && tolerance !== 0)
    throw new ModelError(
      'weld.tolerance',
      `expected a length from 0 m to 1 % of the mesh's size, ${0.01 * size} m, got ${tolerance}; a larger one would close gaps that belong to the part`,
    );
  const first = equalVertices(vertices);
  return tolerance > 0 ? nearVertices(vertices, first, tolerance, size) : first;
}

/** Renumbers triangles to the vertices that stay and drops the others. */
export function applyWeld(mesh: TriangleMesh, first: Uint32Array): TriangleMesh {
  const renumbered = new Uint32Array(first.length);
  let kept = 0;
  for (let i = 0; i < first.length; i++) renumbered[i] = first[i] === i ? kept++ : renumbered[first[i]];
  const vertices = new Float64Array(3 * kept);
  for (let i = 0, to = 0; i < first.length; i++)
    if (first[i] === i) {
      vertices[to++] = mesh.vertices[3 * i];
      vertices[to++] = mesh.vertices[3 * i + 1];
      vertices[to++] = mesh.vertices[3 * i + 2];
    }
  const triangles = new Uint32Array(mesh.triangles.length);
  for (let h = 0; h < triangles.length; h++) triangles[h] = renumbered[mesh.triangles[h]];
  return { vertices, triangles };
}

/**
 * Exact equality by a hash table with open addressing that holds one vertex of each place and doubles when half full.
 * Memory beside the answer: 8 to 16 bytes per place. The hash reads the bits of the doubles; its quality decides the
 * time, never the answer.
 */
function equalVertices(vertices: Float64Array): Uint32Array {
  const n = vertices.length / 3;
  const words = new Uint32Array(vertices.buffer, vertices.byteOffset, 2 * vertices.length);
  const first = new Uint32Array(n);
  let table = new Uint32Array(1024); // vertex + 1; 0 is free
  let mask = table.length - 1;
  let places = 0;
  for (let i = 0; i < n; i++) {
    const x = vertices[3 * i];
    const y = vertices[3 * i + 1];
    const z = vertices[3 * i + 2];
    let slot = hashAt(words, 6 * i) & mask;
    for (;;) {
      const other = table[slot] - 1;
      if (other < 0) {
        table[slot] = i + 1;
        first[i] = i;
        if (2 * ++places > table.length) {
          table = doubled(table, words);
          mask = table.length - 1;
        }
        break;
      }
      if (vertices[3 * other] === x && vertices[3 * other + 1] === y && vertices[3 * other + 2] === z) {
        first[i] = other;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return first;
}

function doubled(table: Uint32Array, words: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * table.length);
  const mask = larger.length - 1;
  for (let s = 0; s < table.length; s++) {
    if (table[s] === 0) continue;
    let slot = hashAt(words, 6 * (table[s] - 1)) & mask;
    while (larger[slot] !== 0) slot = (slot + 1) & mask;
    larger[slot] = table[s];
  }
  return larger;
}

/** Multiply and rotate over the six words of a vertex, then mix the high bits down (Knuth, TAOCP 3, §6.4). */
function hashAt(words: Uint32Array, at: number): number {
  let h = 0;
  for (let k = 0; k < 6; k += 2) {
    // −0 has only the sign bit set, in one of the two words; it must hash as 0 does
    const mixed = words[at + k] === 0x80000000 && words[at + k + 1] === 0 ? 0 : words[at + k];
    const other = words[at + k + 1] === 0x80000000 && words[at + k] === 0 ? 0 : words[at + k + 1];
    h = Math.imul(h ^ mixed, 0x9e3779b1);
    h = (h << 13) | (h >>> 19);
    h = Math.imul(h ^ other, 0x85ebca6b);
    h ^= h >>> 15;
  }
  return Math.imul(h, 0xc2b2ae35) >>> 9;
}

/**
 * Joins vertices within `tolerance` through a grid of cells four tolerances wide: the neighbourhood of a vertex meets
 * one cell most often and at most eight. Cells are chained by hash; a wrong neighbour from a shared hash costs a
 * distance test and nothing else.
 */
function nearVertices(vertices: Float64Array, first: Uint32Array, tolerance: number, size: number): Uint32Array {
  const n = first.length;
  const [minX, minY, minZ] = meshBounds({ vertices, triangles: new Uint32Array(0) }).min;
  const cell = Math.max(4 * tolerance, size / 2147483648); // cell numbers stay below 2^31
  const reach = tolerance + cell / 262144; // 2^-18 cells more than asked: above the rounding of a cell number
  const squared = tolerance * tolerance;
  let places = 0;
  for (let i = 0; i < n; i++) if (first[i] === i) places++;
  let slots = 1024;
  while (slots < places) slots *= 2;
  const head = new Uint32Array(slots); // vertex + 1
  const next = new Uint32Array(n);
  const parent = identity(n);
  for (let i = 0; i < n; i++) {
    if (first[i] !== i) {
      parent[i] = first[i];
      continue;
    }
    const x = vertices[3 * i];
    const y = vertices[3 * i + 1];
    const z = vertices[3 * i + 2];
    const x1 = Math.floor((x - minX + reach) / cell);
    const y1 = Math.floor((y - minY + reach) / cell);
    const z1 = Math.floor((z - minZ + reach) / cell);
    for (let cx = Math.floor((x - minX - reach) / cell); cx <= x1; cx++)
      for (let cy = Math.floor((y - minY - reach) / cell); cy <= y1; cy++)
        for (let cz = Math.floor((z - minZ - reach) / cell); cz <= z1; cz++)
          for (let j = head[cellHash(cx, cy, cz) & (slots - 1)]; j !== 0; j = next[j - 1]) {
            const dx = vertices[3 * j - 3] - x;
            const dy = vertices[3 * j - 2] - y;
            const dz = vertices[3 * j - 1] - z;
            if (dx * dx + dy * dy + dz * dz <= squared) unite(parent, i, j - 1);
          }
    const slot =
      cellHash(Math.floor((x - minX) / cell), Math.floor((y - minY) / cell), Math.floor((z - minZ) / cell)) &
      (slots - 1);
    next[i] = head[slot];
    head[slot] = i + 1;
  }
  for (let i = 0; i < n; i++) parent[i] = findRoot(parent, i);
  return parent;
}

function cellHash(cx: number, cy: number, cz: number): number {
  let h = Math.imul(cx, 0x9e3779b1) ^ Math.imul(cy, 0x85ebca6b) ^ Math.imul(cz, 0xc2b2ae35);
  h ^= h >>> 16;
  return Math.imul(h, 0x7feb352d) >>> 4;
}

function largestExtent(vertices: Float64Array): number {
  if (vertices.length === 0) return 0;
  const { min, max } = meshBounds({ vertices, triangles: new Uint32Array(0) });
  return Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}
