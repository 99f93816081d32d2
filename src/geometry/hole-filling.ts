/**
 * Closes holes: loops of edges that have a triangle on one side only.
 *
 * A loop that is nearly plane and does not cross itself in its best plane is triangulated there, with angles as even as
 * its corners allow. Any other loop gets the triangulation of least area (Barequet & Sharir 1995,
 * doi 10.1016/0167-8396(94)00011-G), or, above `LARGE` corners, a fan from a new vertex in the middle.
 */
import { ModelError } from '../errors.js';
import type { Vec2, Vec3 } from '../math/vec3.js';
import { cross, normalize } from '../math/vec3.js';
import { edgeTable, nextHalfEdge } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { triangulate } from './triangulate.js';

const LARGE = 150;

export interface FilledHole {
  readonly corners: number;
  /** mean corner, m */
  readonly at: Vec3;
  readonly way: 'plane' | 'least area' | 'fan';
  readonly triangles: number;
}

/** The mesh with all holes closed whose borders are simple loops; what it did, and how many border edges remain. */
export function fillMeshHoles(mesh: TriangleMesh): { mesh: TriangleMesh; holes: FilledHole[] } {
  const loops = borderLoops(mesh);
  if (loops.length === 0) return { mesh, holes: [] };
  const added: number[] = [];
  const newVertices: number[] = [];
  const holes = loops.map((loop): FilledHole => {
    const points = loop.map((v): Vec3 => [mesh.vertices[3 * v], mesh.vertices[3 * v + 1], mesh.vertices[3 * v + 2]]);
    const mean = [0, 1, 2].map((k) => points.reduce((sum, p) => sum + p[k] / points.length, 0)) as unknown as Vec3;
    let corners: ArrayLike<number> | undefined = loop.length === 3 ? [0, 1, 2] : inPlane(points, mean);
    let way: FilledHole['way'] = 'plane';
    let names: readonly number[] = loop;
    if (!corners && loop.length <= LARGE) {
      corners = leastArea(points);
      way = 'least area';
    } else if (!corners) {
      names = [...loop, (mesh.vertices.length + newVertices.length) / 3];
      newVertices.push(...mean);
      corners = loop.flatMap((_, i) => [i, (i + 1) % loop.length, loop.length]);
      way = 'fan';
    }
    for (let i = 0; i < corners.length; i++) added.push(names[corners[i]]);
    return { corners: loop.length, at: mean, way, triangles: corners.length / 3 };
  });
  const vertices = new Float64Array(mesh.vertices.length + newVertices.length);
  vertices.set(mesh.vertices);
  vertices.set(newVertices, mesh.vertices.length);
  const triangles = new Uint32Array(mesh.triangles.length + added.length);
  triangles.set(mesh.triangles);
  triangles.set(added, mesh.triangles.length);
  return { mesh: { vertices, triangles }, holes };
}

/**
 * Borders of holes as loops of vertices, run so that a triangle along them fits the triangles around. A loop that meets
 * itself in a vertex is divided there, so that none repeats a vertex.
 */
export function borderLoops(mesh: TriangleMesh): number[][] {
  const edges = edgeTable(mesh);
  const { triangles } = mesh;
  // border a → b of a triangle is side b → a of the hole
  const leaving = new Map<number, number[]>();
  for (let e = 0; e < edges.count; e++) {
    if (edges.start[e + 1] - edges.start[e] !== 1 || edges.vertices[2 * e] === edges.vertices[2 * e + 1]) continue;
    const h = edges.halfEdges[edges.start[e]];
    const from = triangles[nextHalfEdge(h)];
    const list = leaving.get(from);
    if (list) list.push(triangles[h]);
    else leaving.set(from, [triangles[h]]);
  }
  const loops: number[][] = [];
  for (const start of [...leaving.keys()].sort((a, b) => a - b))
    while (leaving.get(start)!.length > 0) {
      const way = [start];
      const place = new Map([[start, 0]]);
      for (;;) {
        const next = leaving.get(way[way.length - 1])?.shift();
        if (next === undefined) break; // other defects interrupt the border: nothing to fill
        const seen = place.get(next);
        if (seen === undefined) {
          place.set(next, way.length);
          way.push(next);
          continue;
        }
        const loop = way.splice(seen);
        for (const v of loop) place.delete(v);
        if (loop.length >= 3) loops.push(loop);
        if (way.length === 0) break;
        way.push(next);
        place.set(next, way.length - 1);
      }
    }
  return loops;
}

/** Triangles of a loop in the plane of its vector area, if it is nearly plane and simple there. */
function inPlane(points: readonly Vec3[], mean: Vec3): Uint32Array | undefined {
  // vector area ½ Σ p × q, Newell's normal
  const normal: [number, number, number] = [0, 0, 0];
  const size: [number, number, number] = [0, 0, 0];
  const relative = points.map((p): Vec3 => [p[0] - mean[0], p[1] - mean[1], p[2] - mean[2]]);
  relative.forEach((p, i) => {
    const product = cross(p, relative[(i + 1) % relative.length]);
    for (let k = 0; k < 3; k++) {
      normal[k] += product[k];
      size[k] = Math.max(size[k], Math.abs(p[k]));
    }
  });
  const n = normalize(normal);
  const extent = Math.max(...size);
  const thickness = relative.reduce((most, p) => Math.max(most, Math.abs(p[0] * n[0] + p[1] * n[1] + p[2] * n[2])), 0);
  if (!(thickness <= 0.1 * extent)) return undefined;
  const least = Math.min(Math.abs(n[0]), Math.abs(n[1]), Math.abs(n[2]));
  const u = normalize(
    cross(n, least === Math.abs(n[0]) ? [1, 0, 0] : least === Math.abs(n[1]) ? [0, 1, 0] : [0, 0, 1]),
  );
  const w = cross(n, u);
  const outline = relative.map(
    (p): Vec2 => [p[0] * u[0] + p[1] * u[1] + p[2] * u[2], p[0] * w[0] + p[1] * w[1] + p[2] * w[2]],
  );
  try {
    return triangulate(outline);
  } catch (error) {
    if (error instanceof ModelError) return undefined; // the outline crosses itself
    throw error;
  }
}

/**
 * Triangulation of least area by dynamic programming, O(n³): the piece between corners i and k is the cheapest triangle
 * i, m, k together with the pieces i … m and m … k.
 */
function leastArea(points: readonly Vec3[]): number[] {
  const n = points.length;
  const cost = new Float64Array(n * n);
  const middle = new Int32Array(n * n);
  for (let span = 2; span < n; span++)
    for (let i = 0; i + span < n; i++) {
      const k = i + span;
      let best = Infinity;
      for (let m = i + 1; m < k; m++) {
        const sum = cost[i * n + m] + cost[m * n + k] + area(points[i], points[m], points[k]);
        if (sum < best) {
          best = sum;
          middle[i * n + k] = m;
        }
      }
      cost[i * n + k] = best;
    }
  const triangles: number[] = [];
  const pending: [number, number][] = [[0, n - 1]];
  for (let piece = pending.pop(); piece; piece = pending.pop()) {
    const [i, k] = piece;
    if (k - i < 2) continue;
    const m = middle[i * n + k];
    triangles.push(i, m, k);
    pending.push([i, m], [m, k]);
  }
  return triangles;
}

function area(p: Vec3, q: Vec3, r: Vec3): number {
  const n = cross([q[0] - p[0], q[1] - p[1], q[2] - p[2]], [r[0] - p[0], r[1] - p[1], r[2] - p[2]]);
  return Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}
