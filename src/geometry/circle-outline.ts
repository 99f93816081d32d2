/** Outlines that are arcs throughout, or nearly: circles and slots. */
import type { Vec2 } from '../math/vec3.js';
import type { Outline } from './profile.js';
import { requireFinite, requireLength } from './require.js';

/** tan(90°/4): the bulge of a quarter of a circle. */
const QUARTER = Math.SQRT2 - 1;

/**
 * A circle, counter-clockwise: four quarters, so that its corners lie exactly on the axes.
 *
 * @param radius m
 * @param centre m, default the origin
 * @example extrude({ outer: circle(20e-3), holes: [circle(4e-3, [10e-3, 0])] }, 5e-3) // a disc with a hole beside its middle
 */
export function circle(radius: number, centre: Vec2 = [0, 0]): Outline {
  requireLength('circle.radius', radius);
  const [x, y] = centre;
  requireFinite('circle.centre.x', x, 'm');
  requireFinite('circle.centre.y', y, 'm');
  return [
    [x + radius, y, QUARTER],
    [x, y + radius, QUARTER],
    [x - radius, y, QUARTER],
    [x, y - radius, QUARTER],
  ];
}

/**
 * A straight slot with round ends, counter-clockwise.
 *
 * @param from, to centres of the two ends, m
 * @param width    m, twice the radius of the ends
 * @example extrude({ outer: plate, holes: [slot([5e-3, 0], [15e-3, 0], 3e-3)] }, 2e-3)
 */
export function slot(from: Vec2, to: Vec2, width: number): Outline {
  requireLength('slot.width', width);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = requireLength('slot.to − slot.from', Math.sqrt(dx * dx + dy * dy));
  const [x, y] = [(-dy * width) / (2 * length), (dx * width) / (2 * length)]; // to the left
  return [
    [from[0] - x, from[1] - y],
    [to[0] - x, to[1] - y, 1],
    [to[0] + x, to[1] + y],
    [from[0] + x, from[1] + y, 1],
  ];
}
