/** Turns triangles round until neighbours agree and shells face outward, cavities inward. */
import { buildBvh } from './bvh.js';
import { measureShells, nestShells } from './nesting.js';
import { edgeTable, shells } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Swaps two corners of triangle t. */
function turnRound(triangles: Uint32Array, t: number): void {
  const kept = triangles[3 * t + 1];
  triangles[3 * t + 1] = triangles[3 * t + 2];
  triangles[3 * t + 2] = kept;
}

/**
 * Makes neighbours across edges of two triangles run opposite ways along them. Each patch of such neighbours keeps the
 * direction that most of its triangles have; of equal numbers that of its first triangle.
 *
 * @returns the mesh, how many triangles were turned, and how many edges of one-sided patches (as a Möbius strip has
 *   them) could not be satisfied
 */
export function orientNeighbours(mesh: TriangleMesh): { mesh: TriangleMesh; turned: number; contradictions: number } {
  const edges = edgeTable(mesh);
  const count = mesh.triangles.length / 3;
  const triangles = mesh.triangles.slice();
  // 0: not reached; 1: stays; 2: is to be turned if the first triangle of its patch stays
  const state = new Uint8Array(count);
  const queue = new Uint32Array(count);
  let turned = 0;
  let contradictions = 0;
  for (let seed = 0; seed < count; seed++) {
    if (state[seed] !== 0) continue;
    let length = 1;
    let toTurn = 0;
    queue[0] = seed;
    state[seed] = 1;
    for (let i = 0; i < length; i++) {
      const t = queue[i];
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        const e = edges.edgeOf[h];
        const start = edges.start[e];
        if (edges.start[e + 1] - start !== 2) continue;
        const g = edges.halfEdges[start] === h ? edges.halfEdges[start + 1] : edges.halfEdges[start];
        const other = Math.floor(g / 3);
        if (other === t) continue;
        const sameWay = mesh.triangles[h] === mesh.triangles[g];
        const wanted = sameWay ? 3 - state[t] : state[t];
        if (state[other] === 0) {
          state[other] = wanted;
          if (wanted === 2) toTurn++;
          queue[length++] = other;
        } else if (state[other] !== wanted && t < other) contradictions++;
      }
    }
    const wrong = 2 * toTurn > length ? 1 : 2;
    for (let i = 0; i < length; i++)
      if (state[queue[i]] === wrong) {
        turnRound(triangles, queue[i]);
        turned++;
      }
  }
  return { mesh: turned > 0 ? { vertices: mesh.vertices, triangles } : mesh, turned, contradictions };
}

/** Turns closed shells so that they face outward, those inside an odd number of others inward. */
export function orientShells(mesh: TriangleMesh): { mesh: TriangleMesh; turned: number } {
  const edges = edgeTable(mesh);
  const parts = shells(mesh, edges);
  const { closed, volume, flat } = measureShells(mesh, edges, parts);
  const counts = closed.map((isClosed, s) => (isClosed === 1 && flat[s] === 0 ? 1 : 0));
  const { depth } = nestShells(buildBvh(mesh), parts, counts);
  const wrong = new Uint8Array(parts.count);
  let turned = 0;
  for (let s = 0; s < parts.count; s++)
    if (counts[s] === 1 && volume[s] > 0 !== (depth[s] % 2 === 0)) {
      wrong[s] = 1;
      turned++;
    }
  if (turned === 0) return { mesh, turned };
  const triangles = mesh.triangles.slice();
  for (let t = 0; t < parts.labels.length; t++) if (wrong[parts.labels[t]] === 1) turnRound(triangles, t);
  return { mesh: { vertices: mesh.vertices, triangles }, turned };
}
