/**
 * Points of a circle that are as symmetric in floating point as they are on paper: the quarter points are exactly
 * (±1, 0) and (0, ±1), and mirror images in both axes and both diagonals have the same digits.
 */
import { cos, sin } from '../math/elementary.js';
import type { Vec2 } from '../math/vec3.js';

const QUARTER = Math.PI / 2;

/**
 * (cos, sin) of i/n of a full turn, i and n whole numbers, n > 0.
 *
 * The angle is reduced in whole numbers to the first eighth of the turn, so no rounding of 2π breaks the symmetry.
 */
export function circlePoint(i: number, n: number): Vec2 {
  const turn = ((i % n) + n) % n;
  const quarter = Math.floor((4 * turn) / n);
  const part = 4 * turn - quarter * n; // of n: how far into the quarter
  const mirrored = 2 * part > n;
  const angle = ((mirrored ? n - part : part) / n) * QUARTER;
  let c = cos(angle);
  let s = 2 * part === n ? c : sin(angle);
  if (mirrored) [c, s] = [s, c];
  return quarterTurn(quarter, c, s);
}

/** n points, x and y alternating, of the unit circle: counter-clockwise from (1, 0). */
export function unitCircle(n: number): Float64Array {
  const points = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) points.set(circlePoint(i, n), 2 * i);
  return points;
}

/**
 * (cos, sin) of an angle in rad; a multiple of π/2, as a program writes it, gives exactly 0 and ±1.
 *
 * No floating-point number is π/2, so whoever writes `Math.PI / 2` means the quarter turn and not the number
 * 6e-17 rad short of it. Multiples up to 1024 quarter turns are recognised.
 */
export function cosSin(angle: number): Vec2 {
  const quarters = Math.round(angle / QUARTER);
  if (Math.abs(quarters) <= 1024 && quarters * QUARTER === angle) return quarterTurn(((quarters % 4) + 4) % 4, 1, 0);
  return [cos(angle), sin(angle)];
}

function quarterTurn(quarter: number, c: number, s: number): Vec2 {
  if (quarter === 0) return [c, s];
  if (quarter === 1) return [0 - s, c]; // 0 − s and not −s: no negative zeros
  if (quarter === 2) return [0 - c, 0 - s];
  return [s, 0 - c];
}
