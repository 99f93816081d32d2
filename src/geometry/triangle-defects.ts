/** Single triangles and vertices that do not belong in a mesh: without area, twice, unused, pinched. */

import { findRoot, identity, unite } from '../math/union-find.js';
import { type EdgeTable, previousHalfEdge } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** 2^-50: four roundings of a coordinate. */
const NOISE = 8.881784197001252e-16;

/**
 * Whether triangle t has no area: a repeated index, or a height over its longest side of no more than four roundings
 * of its largest coordinate (2^-50 of it). Such a triangle has no direction; where its third corner lies is noise.
 */
export function isDegenerate({ vertices, triangles }: TriangleMesh, t: number): boolean {
  const a = 3 * triangles[3 * t];
  const b = 3 * triangles[3 * t + 1];
  const c = 3 * triangles[3 * t + 2];
  return a === b || b === c || c === a || isThin(vertices, a, b, c);
}

/** `isDegenerate` of a triangle given by the places of its corners. */
export function isThin(v: Float64Array, a: number, b: number, c: number): boolean {
  const [ux, uy, uz] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
  const [wx, wy, wz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
  const [sx, sy, sz] = [wx - ux, wy - uy, wz - uz];
  const [nx, ny, nz] = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
  const longest = Math.max(ux * ux + uy * uy + uz * uz, wx * wx + wy * wy + wz * wz, sx * sx + sy * sy + sz * sz);
  let largest = 0;
  for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(v[a + k]), Math.abs(v[b + k]), Math.abs(v[c + k]));
  // |n| = longest side × height
  return !(nx * nx + ny * ny + nz * nz > longest * NOISE * largest * (NOISE * largest));
}

export function degenerateTriangles(mesh: TriangleMesh): number[] {
  const found: number[] = [];
  for (let t = 0; t < mesh.triangles.length / 3; t++) if (isDegenerate(mesh, t)) found.push(t);
  return found;
}

/** Triangles that have the same three vertices as an earlier one, in either direction: [earlier, later]. */
export function duplicateTriangles(mesh: TriangleMesh, edges: EdgeTable): [number, number][] {
  const { triangles } = mesh;
  const { edgeOf, halfEdges, start } = edges;
  const found: [number, number][] = [];
  const here: number[] = [];
  for (let e = 0; e < edges.count; e++) {
    if (start[e + 1] - start[e] < 2) continue;
    // duplicates have the same edges, so that they meet at the first of them
    here.length = 0;
    for (let i = start[e]; i < start[e + 1]; i++) {
      const h = halfEdges[i];
      const t = 3 * Math.floor(h / 3);
      const [p, q, r] = [edgeOf[t], edgeOf[t + 1], edgeOf[t + 2]];
      if (p === q || q === r || r === p) continue; // a repeated index
      if (e <= p && e <= q && e <= r) here.push(h);
    }
    if (here.length < 2) continue;
    const opposite = (h: number) => triangles[previousHalfEdge(h)];
    here.sort((h, g) => opposite(h) - opposite(g) || h - g);
    for (let i = 1, earliest = 0; i < here.length; i++) {
      if (opposite(here[i]) !== opposite(here[earliest])) earliest = i;
      else found.push([Math.floor(here[earliest] / 3), Math.floor(here[i] / 3)]);
    }
  }
  return found.sort((p, q) => p[1] - q[1]);
}

/**
 * Vertices at which the surface is pinched: their triangles form more than one fan, as where two cones meet tip to tip.
 */
export function pinchedVertices(mesh: TriangleMesh, edges: EdgeTable): number[] {
  const { triangles } = mesh;
  // corners at the same end of the same edge belong to one fan
  const parent = identity(triangles.length);
  for (let e = 0; e < edges.count; e++) {
    const lo = edges.vertices[2 * e];
    let firstLo = -1;
    let firstHi = -1;
    for (let i = edges.start[e]; i < edges.start[e + 1]; i++) {
      const h = edges.halfEdges[i];
      const after = h % 3 === 2 ? h - 2 : h + 1;
      const [atLo, atHi] = triangles[h] === lo ? [h, after] : [after, h];
      if (firstLo < 0) {
        firstLo = atLo;
        firstHi = atHi;
      } else {
        unite(parent, firstLo, atLo);
        unite(parent, firstHi, atHi);
      }
    }
  }
  const fan = new Int32Array(mesh.vertices.length / 3).fill(-1);
  const pinched = new Uint8Array(fan.length);
  for (let h = 0; h < triangles.length; h++) {
    const root = findRoot(parent, h);
    if (fan[triangles[h]] < 0) fan[triangles[h]] = root;
    else if (fan[triangles[h]] !== root) pinched[triangles[h]] = 1;
  }
  const found: number[] = [];
  for (let v = 0; v < pinched.length; v++) if (pinched[v] === 1) found.push(v);
  return found;
}

export function unusedVertexCount(mesh: TriangleMesh): number {
  const used = new Uint8Array(mesh.vertices.length / 3);
  let unused = used.length;
  for (const v of mesh.triangles)
    if (used[v] === 0) {
      used[v] = 1;
      unused--;
    }
  return unused;
}
