/**
 * Friction of a patch without memory, for any curve µ of the slip speed:
 *
 *   force −µ(D) N f,   torque −µ(D) N m
 *
 * D, f, m from mean-slip.ts: the curve is taken at the mean slip speed of the patch. Exact for constant µ and for pure
 * sliding; where the speeds over the patch straddle the bend of the curve it differs from pointwise integration by up to
 * 0.03 (tanh) … 0.16 (transition, two-level) of µ_s N b. The power is −µ(D) N D ≤ 0. At rest the wrench is 0; it has no
 * derivative there in the strict sense, and that of pure sliding and pure spinning is given.
 */
import type { FrictionCurve } from '../friction/friction-curve.js';
import { meanSlip } from './mean-slip.js';
import type { PatchContour } from './patch-contour.js';

const slip = new Float64Array(13);

/**
 * @param out 15 numbers: F₁, F₂, M | their derivatives by N | rows of ∂(F₁, F₂, M)/∂(v₁, v₂, ω)
 */
export function patchFriction(
  curve: FrictionCurve,
  patch: PatchContour,
  normalForce: number,
  v1: number,
  v2: number,
  spin: number,
  out: Float64Array,
): void {
  meanSlip(patch, v1, v2, spin, slip);
  const mu = curve.coefficient(slip[0]);
  const slope = curve.slope(slip[0]);
  if (!(slip[0] > 0)) {
    out.fill(0);
    const { effectiveRadius } = patch;
    out[6] = out[10] = -normalForce * slope;
    out[14] = -normalForce * slope * effectiveRadius * effectiveRadius;
    return;
  }
  for (let i = 0; i < 3; i++) {
    const direction = slip[1 + i];
    out[3 + i] = -mu * direction;
    out[i] = normalForce * out[3 + i];
    for (let j = 0; j < 3; j++) {
      out[6 + 3 * i + j] = -normalForce * (mu * slip[4 + 3 * i + j] + slope * direction * slip[1 + j]);
    }
  }
}
