/**
 * The limit surface as an ellipsoid: F₁² + F₂² + (M/b)² ≤ L², cheapest of all and without iteration; for thousands of grains,
 * and to compare with work that uses it. With the exact surface of a disc it agrees in pure sliding and pure spinning; between them the
 * force is off by up to 12 % and the torque by 15 %, and a sliding, spinning disc has no terminal ratio of the two.
 *
 *   D = √(v² + b² ω²),   f = v/D,   m = b² ω/D
 *
 * Leine & Glocker (2003); b = 3π/16 a for a Hertz contact circle of radius a, 2R/3 for a uniform disc.
 */

/** @param out 13 numbers as `meanSlipDerivatives`: D, f₁, f₂, m | rows of ∂(f₁, f₂, m)/∂(v₁, v₂, ω) */
export function ellipsoidSlip(effectiveRadius: number, v1: number, v2: number, spin: number, out: Float64Array): void {
  out.fill(0);
  const b = effectiveRadius;
  const v3 = b * spin;
  const mean = Math.sqrt(v1 * v1 + v2 * v2 + v3 * v3);
  if (!(mean > 0)) return;
  const e1 = v1 / mean;
  const e2 = v2 / mean;
  const e3 = v3 / mean;
  out[0] = mean;
  out[1] = e1;
  out[2] = e2;
  out[3] = b * e3;
  out[4] = (1 - e1 * e1) / mean;
  out[5] = out[7] = (-e1 * e2) / mean;
  out[6] = out[10] = (-b * e1 * e3) / mean;
  out[8] = (1 - e2 * e2) / mean;
  out[9] = out[11] = (-b * e2 * e3) / mean;
  out[12] = (b * b * (1 - e3 * e3)) / mean;
}
