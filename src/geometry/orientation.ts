/** The exact questions of plane geometry, with the sign mathematicians use. */
import { incircle, orient2d } from 'robust-predicates';

/**
 * > 0 if c lies to the left of the way from a to b (a, b, c counter-clockwise), < 0 to the right, 0 on the line.
 * The sign is exact for all doubles whose products neither over- nor underflow; the value is about twice the area.
 *
 * Shewchuk (1997), doi 10.1007/PL00009321. The package counts y downwards, hence the minus.
 */
export const turn = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number =>
  0 - orient2d(ax, ay, bx, by, cx, cy);

/** > 0 if d lies inside the circle through a, b, c (counter-clockwise), < 0 outside, 0 on it; the sign is exact. */
export const inCircle = (
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): number => incircle(ax, ay, bx, by, cx, cy, dx, dy);
