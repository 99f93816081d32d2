/** Whether a point lies inside a polygon: exact, also for points on an edge and rays through corners. */
import type { Vec2 } from '../math/vec3.js';
import { turn } from './orientation.js';
import type { Outline, Profile } from './profile.js';

export type Place = 'inside' | 'outside' | 'boundary';

/**
 * Where a point lies. An outline may run either way round and may cross itself (even–odd rule).
 *
 * Counts the edges that a ray towards +x crosses; an edge counts if exactly one end is above the ray, so a corner on
 * the ray is counted once or twice as it must be. O(n).
 *
 * @example placeOf([0.5, 0.5], [[0, 0], [1, 0], [1, 1]]) // 'boundary'
 */
export function placeOf(point: Vec2, figure: Outline | Profile): Place {
  if (!('outer' in figure)) return placeInOutline(point, figure);
  const outer = placeInOutline(point, figure.outer);
  if (outer !== 'inside') return outer;
  for (const hole of figure.holes) {
    const place = placeInOutline(point, hole);
    if (place !== 'outside') return place === 'inside' ? 'outside' : 'boundary';
  }
  return 'inside';
}

function placeInOutline([px, py]: Vec2, outline: Outline): Place {
  let inside = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [ax, ay] = outline[j];
    const [bx, by] = outline[i];
    if ((ay < py && by < py) || (ay > py && by > py) || (ax < px && bx < px)) continue;
    const side = turn(ax, ay, bx, by, px, py);
    if (side === 0 && Math.min(ax, bx) <= px && px <= Math.max(ax, bx)) return 'boundary';
    if (ay > py !== by > py && side > 0 === by > ay) inside = !inside;
  }
  return inside ? 'inside' : 'outside';
}
