/** Outlines that are arcs throughout, or nearly: circles and slots. */
import type { Vec2 } from '../math/vec3.js';
import { arcCircle, bulgeOf, sweepOf } from './arc.js';
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

/** Arcs whose centres and radii differ by less than this part of the radius are of one circle. */
const ONE_CIRCLE = 1e-12;

/** The circle that an outline of arcs is, in as many pieces as it may be drawn; undefined if it is something else. */
export function fullCircle(outline: Outline): { readonly centre: Vec2; readonly radius: number } | undefined {
  let first: { readonly centre: Vec2; readonly radius: number } | undefined;
  let sweep = 0;
  for (const [i, corner] of outline.entries()) {
    const bulge = bulgeOf(corner);
    if (bulge === 0) return undefined;
    const { centre, radius } = arcCircle(corner, outline[(i + 1) % outline.length], bulge);
    first ??= { centre, radius };
    const [dx, dy] = [centre[0] - first.centre[0], centre[1] - first.centre[1]];
    const off = Math.sqrt(dx * dx + dy * dy) + Math.abs(radius - first.radius);
    if (!(off <= ONE_CIRCLE * first.radius)) return undefined;
    sweep += sweepOf(bulge);
  }
  // once around, not to and fro
  return Math.abs(Math.abs(sweep) - 2 * Math.PI) < 1e-9 ? first : undefined;
}
