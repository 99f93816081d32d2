/**
 * Densities made black and white: what the filter leaves grey is stiff by its cube but weighs as it is, and is lost when the outline is cut.
 *
 *   x̄ = ½ + tanh(β (x̃ − ½)) / (2 tanh(β/2))
 *
 *   x̃  filtered density        β  sharpness: 0 leaves it as it is, ∞ is a step at one half; 0, ½ and 1 stay what they are
 *
 * Wang, Lazarov & Sigmund (2011), doi 10.1007/s00158-010-0602-y, threshold ½.
 */
import { tanh } from '../../math/elementary.js';

/** x̄, in place */
export function project(x: Float64Array, sharpness: number): void {
  if (!(sharpness > 0)) return;
  const whole = 2 * tanh(sharpness / 2);
  for (let e = 0; e < x.length; e++) x[e] = 0.5 + tanh(sharpness * (x[e] - 0.5)) / whole;
}

/** ∂x̄/∂x̃ = β (1 − tanh²)/(2 tanh(β/2)) of filtered densities */
export function projectionSlope(x: Float64Array, sharpness: number, out: Float64Array): void {
  if (!(sharpness > 0)) {
    out.fill(1);
    return;
  }
  const whole = 2 * tanh(sharpness / 2);
  for (let e = 0; e < x.length; e++) {
    const t = tanh(sharpness * (x[e] - 0.5));
    out[e] = (sharpness * (1 - t * t)) / whole;
  }
}
