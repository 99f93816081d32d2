/**
 * Whether a point lies inside an outline: exact for straight edges, also for points on an edge and rays through corners.
 *
 * An arc counts as its chord and the segment between both: a point inside the segment has changed sides once more. The
 * side of the chord is decided once for both, so a point on the chord of an arc is on one side of it for either. The
 * side of the circle is that of F = C (D × u) − s (u · w), D the chord, u and w the ways from its ends to the point, C and
 * s the cosine and sine of half the sweep; a point within rounding of it is on the boundary.
 */
import type { Vec2 } from '../math/vec3.js';
import { bulgeOf } from './arc.js';
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
    const bulge = bulgeOf(outline[j]);
    if (bulge === 0) {
      if ((ay < py && by < py) || (ay > py && by > py) || (ax < px && bx < px)) continue;
      const side = turn(ax, ay, bx, by, px, py);
      if (side === 0 && Math.min(ax, bx) <= px && px <= Math.max(ax, bx)) return 'boundary';
      if (ay > py !== by > py && side > 0 === by > ay) inside = !inside;
      continue;
    }
    if ((px === ax && py === ay) || (px === bx && py === by)) return 'boundary';
    const side = turn(ax, ay, bx, by, px, py);
    if (ay > py !== by > py && side > 0 === by > ay) inside = !inside;
    // The ray runs above a point of its height: a point on a level chord that runs to +x is left of it
    const right = side < 0 || (side === 0 && !(ay === by && bx > ax));
    if (right !== bulge > 0) continue;
    const place = placeByCircle(px - ax, py - ay, px - bx, py - by, bulge);
    if (place === 'boundary') return place;
    if (place === 'inside') inside = !inside;
  }
  return inside ? 'inside' : 'outside';
}

/** Place in the disc of an arc. @param ux, uy from its start to the point; @param wx, wy from its end, m */
function placeByCircle(ux: number, uy: number, wx: number, wy: number, bulge: number): Place {
  const c = (1 - bulge * bulge) / (1 + bulge * bulge);
  const s = (2 * bulge) / (1 + bulge * bulge);
  const [dx, dy] = [ux - wx, uy - wy];
  const value = c * (dx * uy - dy * ux) - s * (ux * wx + uy * wy);
  const size =
    Math.abs(c) * (Math.abs(dx * uy) + Math.abs(dy * ux)) + Math.abs(s) * (Math.abs(ux * wx) + Math.abs(uy * wy));
  if (Math.abs(value) <= 4e-15 * size) return 'boundary';
  return value > 0 === bulge > 0 ? 'inside' : 'outside';
}
