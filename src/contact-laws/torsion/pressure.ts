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
 */
export type Pressure = 'uniform' | 'hertz' | 'automatic';

/** Radius of the uniform disc that has the drilling torque of a Hertz circle, over that circle's radius a */
export const HERTZ_DISC = (9 * Math.PI) / 32;

/** S_eff/S for a Hertz contact */
export const HERTZ_MOMENT_SHARE = 0.5 * HERTZ_DISC * HERTZ_DISC;

/** S_eff/S */
export function momentShare(pressure: Pressure, volume: number, area: number, extent: number): number {
  if (pressure === 'uniform') return 1;
  if (pressure === 'hertz') return HERTZ_MOMENT_SHARE;
  const box = area * extent;
  const fullness = box > 0 ? volume / box : 1;
  return Math.max(HERTZ_MOMENT_SHARE, Math.min(1, 1 - 2 * (1 - HERTZ_MOMENT_SHARE) * (1 - fullness)));
}
