/**
 * Second moments of the patch that friction works on, from those of the geometric overlap. A flat patch has uniform pressure and
 * its own moments. The lens of two overlapping spheres has the radius √(2Rd), but Hertz's contact circle has a = √(Rd), and its
 * pressure is highest in the middle: the drilling torque is (3π/16) µ N a. The uniform disc with that torque has the radius
 * (9π/32) a = 0.8836 a, so
 *
 *   S_eff = ½ (9π/32)² S = 0.3904 S
 *
 * Left to itself, the choice follows how full the overlap is: χ = V/(A d), 1 for a flat patch, ½ for a paraboloid:
 *
 *   S_eff = S · clamp(1 − 2 (1 − 0.3904)(1 − χ), 0.3904, 1)
 *
 * exact at both ends. d is the extent of the overlap along the normal (2V/A would make χ = ½ always).
 *
 * A flat patch that is pressed more on one side is flat all the same, though its deepest point is deeper than V/A. Its depth V/A (1 + δᵀC⁻¹x) tells itself by
 * the offset δ of the overlap's centroid from the patch's, with C the second moments per area; over an ellipse x its greatest is V/A (1 + τ), τ = 2 √(δᵀC⁻¹δ),
 * 1 where one edge is about to lift. So χ is taken as (1 + τ) V/(A d), at most 1: tilt counts for nothing, and what is round has δ = 0.
 */
export type Pressure = 'uniform' | 'hertz' | 'automatic';

/** Radius of the uniform disc that has the drilling torque of a Hertz circle, over that circle's radius a */
export const HERTZ_DISC = (9 * Math.PI) / 32;

/** S_eff/S for a Hertz contact */
export const HERTZ_MOMENT_SHARE = 0.5 * HERTZ_DISC * HERTZ_DISC;

/** S_eff/S. @param tilt τ, 0 where the patch is pressed evenly about its centroid */
export function momentShare(pressure: Pressure, volume: number, area: number, extent: number, tilt = 0): number {
  if (pressure === 'uniform') return 1;
  if (pressure === 'hertz') return HERTZ_MOMENT_SHARE;
  const box = area * extent;
  const fullness = box > 0 ? ((1 + tilt) * volume) / box : 1;
  return Math.max(HERTZ_MOMENT_SHARE, Math.min(1, 1 - 2 * (1 - HERTZ_MOMENT_SHARE) * (1 - fullness)));
}

/**
 * τ = 2 √(δᵀC⁻¹δ), at most 1.
 *
 * @param d1, d2        δ in the tangent plane, m
 * @param c11, c12, c22 second moments per area, m²; where the patch is a line, that along it counts alone
 */
export function patchTilt(d1: number, d2: number, c11: number, c12: number, c22: number): number {
  const trace = c11 + c22;
  if (!(trace > 0)) return 0;
  const determinant = c11 * c22 - c12 * c12;
  const square =
    determinant > 1e-9 * trace * trace
      ? (c22 * d1 * d1 - 2 * c12 * d1 * d2 + c11 * d2 * d2) / determinant
      : (d1 * d1 + d2 * d2) / trace;
  return Math.min(1, 2 * Math.sqrt(Math.max(0, square)));
}
