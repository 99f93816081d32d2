/** One tooth, slot or lobe repeated around the origin into one closed outline. */
import { ModelError } from '../errors.js';
import { corner } from './arc.js';
import { circlePoint } from './circle.js';
import type { Corner, Outline, Polygon } from './profile.js';
import { requireCount } from './require.js';

/**
 * Turns the corners of one tooth by 2π/count again and again about the origin and joins them into one outline.
 *
 * Elmqvist et al. (2015), §2.3.4. Quarter turns are exact, so a wheel of 4 n teeth is as symmetric as its drawing.
 *
 * @param tooth corners in m in counter-clockwise order; where its last corner, turned, falls on the first of the next
 *   tooth (within 1e-9 of its distance from the origin), it is left out
 * @example const star = replicate(5, [[10, 0], [3, 2.2]]);
 */
export function replicate(count: number, tooth: Polygon): Polygon;
export function replicate(count: number, tooth: Outline): Outline;
export function replicate(count: number, tooth: Outline): Outline {
  requireCount('replicate.count', count, 1);
  if (tooth.length === 0) throw new ModelError('replicate.tooth', 'expected at least one corner, got none');
  for (const [i, [x, y, bulge = 0]] of tooth.entries())
    if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(bulge)))
      throw new ModelError(
        `replicate.tooth[${i}]`,
        `expected a corner [x, y] or [x, y, bulge] in m, got ${JSON.stringify(tooth[i])}`,
      );
  const [x0, y0] = tooth[0];
  const [x1, y1] = tooth[tooth.length - 1];
  const [c1, s1] = circlePoint(1, count);
  const [dx, dy] = [c1 * x0 - s1 * y0 - x1, s1 * x0 + c1 * y0 - y1];
  const closes = tooth.length > 1 && dx * dx + dy * dy <= 1e-18 * (x1 * x1 + y1 * y1);
  const corners = closes ? tooth.slice(0, -1) : tooth;
  const outline: Corner[] = [];
  for (let k = 0; k < count; k++) {
    const [c, s] = circlePoint(k, count);
    for (const [x, y, bulge = 0] of corners) outline.push(corner(c * x - s * y, s * x + c * y, bulge));
  }
  return outline;
}
