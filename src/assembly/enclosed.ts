/**
 * A body that is drawn wholly inside a flexible one, or around it: no surface of the one is near that of the other, so contact between surfaces would take
 * the two for far apart.
 *
 * All corners of a pin that is wider than its hole are inside the part, too, as those of the facets of one with little room in it may be. Its middle is not: it fills a hole, and overlaps by how deep its corners are.
 */
import { ModelError } from '../errors.js';
import { buildBvh } from '../geometry/bvh.js';
import { closestOnTriangle } from '../geometry/closest-point.js';
import { isInside } from '../geometry/point-location.js';
import type { Solid } from '../geometry/solid.js';
import { conjugate, rotate } from '../math/quaternion.js';
import { add, dot, scale, sub, type Vec3 } from '../math/vec3.js';
import type { DrawnFrame } from './places.js';

/** A solid where its body is drawn */
export interface DrawnSolid {
  readonly body: string;
  readonly solid: Solid;
  readonly drawn: DrawnFrame;
}

/** Of its longest side: deeper no overlap begins (contact/start-overlaps.ts) */
const FITS = 0.02;

/** Parts that touch in a plane are compared there: through this point, across this unit vector, world. */
export interface CommonPlane {
  readonly at: Vec3;
  readonly normal: Vec3;
}

/** @throws ModelError if one of the two lies inside the other */
export function refuseEnclosed(a: DrawnSolid, b: DrawnSolid, plane?: CommonPlane): void {
  for (const [inner, outer] of [
    [a, b],
    [b, a],
  ])
    if (encloses(outer, inner, plane))
      throw new ModelError(
        `contacts (${a.body}–${b.body})`,
        `"${inner.body}" is drawn inside "${outer.body}": draw it outside, or say that they do not touch: contacts: { exclude: [['${a.body}', '${b.body}']] }`,
      );
}

function encloses(outer: DrawnSolid, inner: DrawnSolid, plane: CommonPlane | undefined): boolean {
  const { mesh } = outer.solid;
  const { vertices, triangles } = inner.solid.mesh;
  if (vertices.length === 0 || mesh.triangles.length === 0) return false;
  const [low, high] = boxOf(mesh.vertices);
  const back = conjugate(outer.drawn.orientation);
  const seenBy = (own: Vec3): Vec3 => {
    let place = add(inner.drawn.position, rotate(inner.drawn.orientation, own));
    if (plane) place = add(place, scale(dot(sub(plane.at, place), plane.normal), plane.normal));
    return rotate(back, sub(place, outer.drawn.position));
  };
  const corner = (i: number): Vec3 => [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]];
  const places: Vec3[] = [];
  for (let i = 0; 3 * i < vertices.length; i++) {
    const seen = seenBy(corner(i));
    if (seen.some((x, k) => !(x > low[k] && x < high[k]))) return false;
    places.push(seen);
  }
  const tree = buildBvh(mesh);
  if (!places.every((place) => isInside(tree, ...place))) return false;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [corner(triangles[t]), corner(triangles[t + 1]), corner(triangles[t + 2])];
    if (isInside(tree, ...seenBy(scale(1 / 3, add(a, add(b, c)))))) continue;
    const [from, to] = boxOf(vertices);
    const size = Math.max(...to.map((x, k) => x - from[k]));
    return !(depthOf(outer.solid, places, plane !== undefined) < FITS * size);
  }
  return true;
}

/** How deep the place that is nearest to the surface of a solid is, m; of one that is seen in its plane only its walls, which stand along its z, count */
function depthOf({ mesh: { vertices, triangles } }: Solid, places: readonly Vec3[], inPlane: boolean): number {
  const v = Float64Array.from(vertices);
  const foot = new Float64Array(3);
  let least = Infinity;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    if (inPlane && v[a + 2] === v[b + 2] && v[b + 2] === v[c + 2]) continue;
    for (const place of places) least = Math.min(least, closestOnTriangle(v, a, b, c, ...place, foot));
  }
  return Math.sqrt(least);
}

function boxOf(vertices: ArrayLike<number>): [low: number[], high: number[]] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < vertices.length; i++) {
    low[i % 3] = Math.min(low[i % 3], vertices[i]);
    high[i % 3] = Math.max(high[i % 3], vertices[i]);
  }
  return [low, high];
}
