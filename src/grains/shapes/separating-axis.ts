/**
 * How deep two convex polyhedra are in one another: the least overlap along the directions that can separate them, normals of faces and cross products of edges (Gottschalk, Lin & Manocha 1996, doi
 * 10.1145/237170.237244, for boxes; the argument is that of any convex polyhedra).
 */
import { cross, dot, norm, scale, sub, type Vec3 } from '../../math/vec3.js';
import type { Piece } from './piece.js';

/** m; 0 or less: apart, or flush */
export function commonDepth(a: Piece, b: Piece): number {
  let least = Number.POSITIVE_INFINITY;
  const see = (axis: Vec3): boolean => {
    const [low, high] = extent(a, axis);
    const [from, to] = extent(b, axis);
    least = Math.min(least, high - from, to - low);
    return least <= 0;
  };
  for (const piece of [a, b])
    for (let p = 0; p < piece.planes.length; p += 4)
      if (see([piece.planes[p], piece.planes[p + 1], piece.planes[p + 2]])) return least;
  const edges = edgesOf(b);
  for (const u of edgesOf(a))
    for (const w of edges) {
      const axis = cross(u, w);
      const length = norm(axis);
      if (length > 1e-9 && see(scale(1 / length, axis))) return least;
    }
  return least;
}

function extent({ vertices }: Piece, [x, y, z]: Vec3): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let v = 0; v < vertices.length; v += 3) {
    const at = x * vertices[v] + y * vertices[v + 1] + z * vertices[v + 2];
    low = Math.min(low, at);
    high = Math.max(high, at);
  }
  return [low, high];
}

/** Directions of edges, each once but for its sign */
function edgesOf({ vertices, loops, loopStart }: Piece): Vec3[] {
  const at = (k: number): Vec3 => [vertices[3 * loops[k]], vertices[3 * loops[k] + 1], vertices[3 * loops[k] + 2]];
  const found: Vec3[] = [];
  for (let f = 0; f + 1 < loopStart.length; f++)
    for (let k = loopStart[f]; k < loopStart[f + 1]; k++) {
      const way = sub(at(k + 1 < loopStart[f + 1] ? k + 1 : loopStart[f]), at(k));
      const edge = scale(1 / norm(way), way);
      if (!found.some((other) => Math.abs(dot(other, edge)) > 1 - 1e-12)) found.push(edge);
    }
  return found;
}
