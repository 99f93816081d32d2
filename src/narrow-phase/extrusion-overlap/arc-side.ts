/**
 * On which side of a directed circle a point lies, and how an edge runs along it; exact signs.
 *
 * Edge i → j with half its sweep φ, C = cos φ, s = sin φ (a line: 1, 0) is part of the directed circle F = 0. With D = j − i, u = x − i, w = x − j,
 *
 *   F(x) = C (D × u) − s (u · w)      > 0 to the left,      ∇F = C (−D_y, D_x) − s (u + w),      F = distance × |D| near the circle
 *
 * Edge p → q is the rational quadratic curve with the weights 1, C_e, 1. Along it F times the weight is the quadratic
 *
 *   P(t) = a0 (1 − t)² + a1 t (1 − t) + a2 t²,     a0 = F(p),  a2 = F(q),  a1 = ∇F(p) · t_p + 2 C_e F(p)
 *
 * with t_p = (C_e d_x + s_e d_y, C_e d_y − s_e d_x), d = q − p, the tangent at p as long as the chord. Three signs tell how often the edge
 * crosses the circle. C and s are what they are as doubles: the exact curve is the circle through the two vertices with tan φ = s/C.
 *
 * Signs: the float value beyond its rounding; else exact; else, if zero, that of the derivative as B moves by the infinitesimal shift, so that
 * points of A move by h = −e against B's edges and points of B by h = e against A's; else that of the second derivative, −s; for
 * a line parallel to e, a still smaller shift along y.
 */
import { exactMiddle, exactSide, exactSlope } from './exact-side.js';
import { planeShift, SHIFT_X, SHIFT_Y } from './plane-shift.js';

/** The float value belonging to the last sign that was asked for */
export const sideValue = { value: 0 };

/**
 * 1 if the point lies to the left of the circle of i → j, −1 to the right; F itself is in `sideValue`.
 *
 * @param shift −1 for a point of A and an edge of B, 1 the other way round
 */
export function sideOfCircle(
  ix: number,
  iy: number,
  jx: number,
  jy: number,
  cosine: number,
  sine: number,
  x: number,
  y: number,
  shift: 1 | -1,
): 1 | -1 {
  const dx = jx - ix;
  const dy = jy - iy;
  const ux = x - ix;
  const uy = y - iy;
  const wx = x - jx;
  const wy = y - jy;
  const value = cosine * (dx * uy - dy * ux) - sine * (ux * wx + uy * wy);
  const bound =
    2e-15 *
    (cosine * (Math.abs(dx * uy) + Math.abs(dy * ux)) + Math.abs(sine) * (Math.abs(ux * wx) + Math.abs(uy * wy)));
  sideValue.value = value;
  if (value > bound) return 1;
  if (value < -bound) return -1;
  const exact = exactSide(ix, iy, jx, jy, cosine, sine, x, y);
  if (exact !== 0) return exact > 0 ? 1 : -1;
  planeShift.ties++;
  const way = shift * planeShift.direction;
  const first = way * exactSlope(ix, iy, jx, jy, cosine, sine, x, y, SHIFT_X, SHIFT_Y);
  return lastResort(first, sine, way * (jx - ix));
}

/**
 * Sign of a1 for the edge p → q along the circle of i → j; a1 itself is in `sideValue`.
 *
 * @param shift −1 if the edge is A's, 1 if it is B's
 */
export function middleSign(
  px: number,
  py: number,
  qx: number,
  qy: number,
  edgeCosine: number,
  edgeSine: number,
  ix: number,
  iy: number,
  jx: number,
  jy: number,
  cosine: number,
  sine: number,
  shift: 1 | -1,
): 1 | -1 {
  const value = middleValue(px, py, qx, qy, edgeCosine, edgeSine, ix, iy, jx, jy, cosine, sine);
  sideValue.value = value;
  if (value > middleBound) return 1;
  if (value < -middleBound) return -1;
  const exact = exactMiddle(px, py, qx, qy, edgeCosine, edgeSine, ix, iy, jx, jy, cosine, sine, 0, 0);
  if (exact !== 0) return exact > 0 ? 1 : -1;
  planeShift.ties++;
  const way = shift * planeShift.direction;
  const first = way * exactMiddle(px, py, qx, qy, edgeCosine, edgeSine, ix, iy, jx, jy, cosine, sine, SHIFT_X, SHIFT_Y);
  return lastResort(first, sine, way * (jx - ix));
}

const lastResort = (first: number, sine: number, along: number): 1 | -1 => {
  const sign = first !== 0 ? first : sine !== 0 ? 0 - sine : along;
  return sign > 0 ? 1 : -1;
};

let middleBound = 0;

/** a1, and in `middleBound` what rounding may have done to it */
export function middleValue(
  px: number,
  py: number,
  qx: number,
  qy: number,
  edgeCosine: number,
  edgeSine: number,
  ix: number,
  iy: number,
  jx: number,
  jy: number,
  cosine: number,
  sine: number,
): number {
  const ex = qx - px;
  const ey = qy - py;
  const tx = edgeCosine * ex + edgeSine * ey;
  const ty = edgeCosine * ey - edgeSine * ex;
  const dx = jx - ix;
  const dy = jy - iy;
  const ux = px - ix;
  const uy = py - iy;
  const wx = px - jx;
  const wy = py - jy;
  const steep = Math.abs(sine);
  const size = Math.abs(edgeSine);
  const turn = cosine * (Math.abs(dx * uy) + Math.abs(dy * ux)) + steep * (Math.abs(ux * wx) + Math.abs(uy * wy));
  middleBound =
    8e-15 *
    ((cosine * Math.abs(dy) + steep * (Math.abs(ux) + Math.abs(wx))) *
      (edgeCosine * Math.abs(ex) + size * Math.abs(ey)) +
      (cosine * Math.abs(dx) + steep * (Math.abs(uy) + Math.abs(wy))) *
        (edgeCosine * Math.abs(ey) + size * Math.abs(ex)) +
      2 * edgeCosine * turn);
  const start = cosine * (dx * uy - dy * ux) - sine * (ux * wx + uy * wy);
  return (0 - cosine * dy - sine * (ux + wx)) * tx + (cosine * dx - sine * (uy + wy)) * ty + 2 * edgeCosine * start;
}
