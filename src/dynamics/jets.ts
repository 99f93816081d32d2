/**
 * Numbers that carry their derivatives along: value, time derivative, derivative in some other direction, and the mixed second one.
 * Product rules then differentiate a formula exactly, as it is written. Vectors are 12 numbers (four of three), scalars 4.
 *
 *   (x y)' = x' y + x y'     δ(x y)' = δx' y + x' δy + δx y' + x δy'
 */
export type VectorJet = Float64Array;
export type ScalarJet = Float64Array;

export const vectorJet = (): VectorJet => new Float64Array(12);
export const scalarJet = (): ScalarJet => new Float64Array(4);

/** Which halves of a product belong to which part: part, first factor's part, second factor's part */
const PRODUCT = [0, 0, 0, 1, 1, 0, 1, 0, 1, 2, 2, 0, 2, 0, 2, 3, 3, 0, 3, 1, 2, 3, 2, 1, 3, 0, 3];

export function crossJet(a: VectorJet, b: VectorJet, out: VectorJet): void {
  out.fill(0);
  for (let k = 0; k < 27; k += 3) {
    const o = 3 * PRODUCT[k];
    const i = 3 * PRODUCT[k + 1];
    const j = 3 * PRODUCT[k + 2];
    out[o] += a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
    out[o + 1] += a[i + 2] * b[j] - a[i] * b[j + 2];
    out[o + 2] += a[i] * b[j + 1] - a[i + 1] * b[j];
  }
}

/** out (+)= a · b */
export function addDotJet(a: VectorJet, b: VectorJet, out: ScalarJet): void {
  for (let k = 0; k < 27; k += 3) {
    const i = 3 * PRODUCT[k + 1];
    const j = 3 * PRODUCT[k + 2];
    out[PRODUCT[k]] += a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
  }
}

/** out += factor · s a */
export function addScaledJet(factor: number, s: ScalarJet, a: VectorJet, out: VectorJet): void {
  for (let k = 0; k < 27; k += 3) {
    const o = 3 * PRODUCT[k];
    const f = factor * s[PRODUCT[k + 1]];
    const j = 3 * PRODUCT[k + 2];
    out[o] += f * a[j];
    out[o + 1] += f * a[j + 1];
    out[o + 2] += f * a[j + 2];
  }
}

/** f(x) from f, f', f'' at the value of x */
export function applyJet(x: ScalarJet, value: number, slope: number, curvature: number, out: ScalarJet): void {
  out[0] = value;
  out[1] = slope * x[1];
  out[2] = slope * x[2];
  out[3] = slope * x[3] + curvature * x[1] * x[2];
}
