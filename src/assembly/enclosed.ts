/**
 * A body that is drawn wholly inside a flexible one, or around it: no surface of the one is near that of the other, so contact between surfaces would take
 * the two for far apart.
 */
import { ModelError } from '../errors.js';
import { buildBvh } from '../geometry/bvh.js';
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
  const { vertices } = inner.solid.mesh;
  if (vertices.length === 0 || mesh.triangles.length === 0) return false;
  const [low, high] = boxOf(mesh.vertices);
  const back = conjugate(outer.drawn.orientation);
  const places: Vec3[] = [];
  for (let i = 0; i < vertices.length; i += 3) {
    const own: Vec3 = [vertices[i], vertices[i + 1], vertices[i + 2]];
    let place = add(inner.drawn.position, rotate(inner.drawn.orientation, own));
    if (plane) place = add(place, scale(dot(sub(plane.at, place), plane.normal), plane.normal));
    const seen = rotate(back, sub(place, outer.drawn.position));
    if (seen.some((x, k) => !(x > low[k] && x < high[k]))) return false;
    places.push(seen);
  }
  const tree = buildBvh(mesh);
  return places.every((place) => isInside(tree, ...place));
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
