/** Solids from a plane figure moved along a line in space: gutters, pipes, bent rods. */
import { ModelError } from '../errors.js';
import { add, cross, norm, scale, sub, type Vec3 } from '../math/vec3.js';
import { flattened } from './outline.js';
import { checkedProfile } from './polygon-nesting.js';
import type { Outline, Profile } from './profile.js';
import { requireKnown } from './require.js';
import { ORIGIN, type Solid } from './solid.js';
import { triangulateChecked } from './triangulate.js';
import { requireSolid } from './validation.js';

export interface SweepOptions {
  /** Direction to which the figure's y axis keeps as near as it can; z unless given. The path must not run along it. */
  readonly up?: Vec3;
  /** The last point is joined to the first: a ring without ends. */
  readonly closed?: boolean;
}

/**
 * Moves a polygon along a path. In each point of the path the figure lies across it, in the plane between the directions before and
 * after, its y axis as near to `up` as that allows and its x axis to the left of who goes along with `up` overhead. The path is what the
 * figure's origin goes along, in straight pieces.
 *
 * @param figure corners in m, or a profile with holes; arcs are drawn by chords, 64 to a full circle
 * @param path   points in m, at least two, three if closed
 * @throws ModelError if the path runs along `up` or turns so sharply that the solid runs through itself
 * @example sweep(circleOutline(16, 2e-3), [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0]]) // a bent rod
 */
export function sweep(figure: Outline | Profile, path: readonly Vec3[], options: SweepOptions = {}): Solid {
  requireKnown('sweep', options, ['up', 'closed']);
  const { up = [0, 0, 1], closed = false } = options;
  const profile = flattened(checkedProfile(figure, Array.isArray(figure) ? 'sweep.outline' : 'sweep.profile'));
  const rings = [profile.outer, ...profile.holes];
  const corners = rings.flat();
  const n = corners.length;
  const count = path.length;
  if (!(count >= (closed ? 3 : 2)))
    throw new ModelError('sweep.path', `expected at least ${closed ? 'three points' : 'two points'}, got ${count}`);

  // A vertex per corner and point, in the axes of the point
  const vertices = new Float64Array(3 * n * count);
  for (let k = 0; k < count; k++) {
    const { left, top } = axesAt(path, k, up, closed);
    for (const [i, [x, y]] of corners.entries()) {
      const place = add(path[k], add(scale(x, left), scale(y, top)));
      vertices.set(place, 3 * (n * k + i));
    }
  }

  // Walls, then the ends
  const triangles: number[] = [];
  const pieces = closed ? count : count - 1;
  let start = 0;
  for (const { length } of rings) {
    for (let i = 0; i < length; i++) {
      const a = start + i;
      const b = start + (i + 1 === length ? 0 : i + 1);
      for (let k = 0; k < pieces; k++) {
        const here = n * k;
        const there = k + 1 === count ? 0 : here + n;
        triangles.push(here + a, here + b, there + b, here + a, there + b, there + a);
      }
    }
    start += length;
  }
  if (!closed) {
    const last = n * (count - 1);
    const ends = triangulateChecked(profile);
    for (let i = 0; i < ends.length; i += 3) {
      const [a, b, c] = [ends[i], ends[i + 1], ends[i + 2]];
      triangles.push(a, c, b, last + a, last + b, last + c);
    }
  }
  const mesh = { vertices, triangles: Uint32Array.from(triangles) };
  requireSolid(mesh, 'sweep');
  return { mesh, form: { kind: 'mesh' }, pose: ORIGIN };
}

/** Unit vectors across the path at point k. */
function axesAt(path: readonly Vec3[], k: number, up: Vec3, closed: boolean): { left: Vec3; top: Vec3 } {
  const count = path.length;
  const before = k > 0 || closed ? path[(k + count - 1) % count] : undefined;
  const after = k + 1 < count || closed ? path[(k + 1) % count] : undefined;
  let along: Vec3 = [0, 0, 0];
  for (const step of [before && sub(path[k], before), after && sub(after, path[k])]) {
    if (!step) continue;
    const length = norm(step);
    if (!(length > 0))
      throw new ModelError(`sweep.path[${k}]`, `expected points that differ, got (${path[k].join(', ')}) m twice`);
    along = add(along, scale(1 / length, step));
  }
  const left = cross(up, along);
  const size = norm(left);
  if (!(size > 1e-9 * norm(up)))
    throw new ModelError(
      `sweep.path[${k}]`,
      `the path turns back on itself or runs along up = (${up.join(', ')}); give another direction as up, across the whole path`,
    );
  const across = scale(1 / size, left);
  const top = cross(along, across);
  return { left: across, top: scale(1 / norm(top), top) };
}
