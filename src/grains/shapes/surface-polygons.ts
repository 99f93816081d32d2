/**
 * The surface of a closed mesh as convex polygons: triangles of one plane are joined as long as the outcome stays convex (Hertel & Mehlhorn 1983), so that a box's side is one polygon
 * and a disc's end a few. Each edge knows the polygon on its other side.
 */
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { weldMesh } from '../../geometry/weld.js';
import { add, cross, dot, norm, scale, sub, type Vec3, ZERO } from '../../math/vec3.js';

export interface SurfacePolygon {
  /** Numbers of its corners, counter-clockwise seen from outside */
  readonly loop: readonly number[];
  /** Unit vector out of the solid */
  readonly normal: Vec3;
  /** n · r on its plane, m */
  readonly offset: number;
  /** One per edge, from corner k to the next: the polygon on the other side */
  readonly across: readonly number[];
}

export interface Surface {
  readonly points: readonly Vec3[];
  readonly polygons: readonly SurfacePolygon[];
  /** Diagonal of the bounds, m */
  readonly size: number;
}

/** How far corners may lie off the plane of the polygon they join, by the size of the solid */
const FLAT = 1e-10;

/** Of a mesh that is known to be closed; triangles without an area have no polygon, and their neighbours look past them */
export function surfaceOf(given: TriangleMesh): Surface {
  const { vertices, triangles } = weldMesh(given);
  const points = Array.from(
    { length: vertices.length / 3 },
    (_, v): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]],
  );
  const low = [0, 1, 2].map((k) => points.reduce((least, p) => Math.min(least, p[k]), Number.POSITIVE_INFINITY));
  const high = [0, 1, 2].map((k) => points.reduce((most, p) => Math.max(most, p[k]), Number.NEGATIVE_INFINITY));
  const size = norm(sub([high[0], high[1], high[2]], [low[0], low[1], low[2]]));

  // Loops of corners; a triangle joins the polygon it becomes a part of
  const loops: (number[] | undefined)[] = [];
  const normals: Vec3[] = [];
  const owner = new Map<string, number>();
  const key = (a: number, b: number): string => `${a} ${b}`;
  for (let t = 0; t < triangles.length; t += 3) {
    const loop = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const area = vectorArea(points, loop);
    const polygon = loops.length;
    const live = norm(area) > 1e-14 * size * size;
    loops.push(live ? loop : undefined);
    normals.push(live ? scale(1 / norm(area), area) : ZERO);
    loop.forEach((a, k) => {
      owner.set(key(a, loop[(k + 1) % 3]), polygon);
    });
  }
  for (let p = 0; p < loops.length; p++) {
    for (let k = 0; loops[p] && k < loops[p]!.length; k++) {
      const loop: readonly number[] = loops[p]!;
      const [a, b] = [loop[k], loop[(k + 1) % loop.length]];
      const q = owner.get(key(b, a));
      const other = q === undefined || q === p ? undefined : loops[q];
      if (!other || dot(normals[p], normals[q!]) < 0.5) continue;
      const level = dot(normals[p], points[a]);
      if (other.some((v) => Math.abs(dot(normals[p], points[v]) - level) > FLAT * size)) continue;
      const joined = joinedAlong(loop, other, a, b);
      if (!joined || !isConvexLoop(points, joined, normals[p], size)) continue;
      if (!hasPlainSides(points, joined, (from, to) => normals[owner.get(key(to, from)) ?? p])) continue;
      loops[p] = joined;
      loops[q!] = undefined;
      other.forEach((v, m) => {
        owner.set(key(v, other[(m + 1) % other.length]), p);
      });
      const area = vectorArea(points, joined);
      normals[p] = scale(1 / norm(area), area);
      k = -1; // from the first edge again
    }
  }
  const place = new Int32Array(loops.length).fill(-1);
  let count = 0;
  loops.forEach((loop, p) => {
    if (loop) place[p] = count++;
  });
  const polygons = loops.flatMap((loop, p): SurfacePolygon[] => {
    if (!loop) return [];
    const offset = loop.reduce((sum, v) => sum + dot(normals[p], points[v]), 0) / loop.length;
    const across = loop.map((a, k) => {
      const q = owner.get(key(loop[(k + 1) % loop.length], a));
      return q !== undefined && place[q] >= 0 ? place[q] : place[p];
    });
    return [{ loop, normal: normals[p], offset, across }];
  });
  return { points, polygons, size };
}

/** Two loops that run along the edge a–b in opposite directions as one, without the way there and back that neighbouring common edges leave */
function joinedAlong(one: readonly number[], two: readonly number[], a: number, b: number): number[] | undefined {
  const turned = (loop: readonly number[], first: number): readonly number[] => {
    const at = loop.indexOf(first);
    return [...loop.slice(at), ...loop.slice(0, at)];
  };
  const all = [...turned(one, b), ...turned(two, a).slice(1, -1)];
  for (let k = 0; all.length > 3 && k < all.length; k++) {
    const [before, after] = [all[(k + all.length - 1) % all.length], all[(k + 1) % all.length]];
    if (before !== after) continue;
    all.splice(k, 1);
    all.splice(k % all.length, 1);
    k = -1;
  }
  return new Set(all).size === all.length && all.length >= 3 ? all : undefined;
}

function isConvexLoop(points: readonly Vec3[], loop: readonly number[], normal: Vec3, size: number): boolean {
  return loop.every((v, k) => {
    const before = points[loop[(k + loop.length - 1) % loop.length]];
    const after = points[loop[(k + 1) % loop.length]];
    const [u, w] = [sub(points[v], before), sub(after, points[v])];
    return (
      dot(cross(u, w), normal) >= -FLAT * size * Math.max(norm(u), norm(w)) && dot(u, w) > -0.999 * norm(u) * norm(w)
    );
  });
}

/** Whether what lies across each straight side has one normal: a cell under the polygon has one plane there, and its neighbours meet it in that. */
function hasPlainSides(
  points: readonly Vec3[],
  loop: readonly number[],
  normalAcross: (from: number, to: number) => Vec3,
): boolean {
  return loop.every((v, k) => {
    const before = loop[(k + loop.length - 1) % loop.length];
    const after = loop[(k + 1) % loop.length];
    const [u, w] = [sub(points[v], points[before]), sub(points[after], points[v])];
    if (norm(cross(u, w)) > 1e-9 * norm(u) * norm(w)) return true;
    return norm(sub(normalAcross(before, v), normalAcross(v, after))) < 1e-9;
  });
}

function vectorArea(points: readonly Vec3[], loop: readonly number[]): Vec3 {
  const origin = points[loop[0]];
  let sum = ZERO;
  for (let k = 1; k + 1 < loop.length; k++)
    sum = add(sum, cross(sub(points[loop[k]], origin), sub(points[loop[k + 1]], origin)));
  return scale(0.5, sum);
}
