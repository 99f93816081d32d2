/**
 * Numbers that carry their derivatives along: value, time derivative, derivative in some other direction, and the mixed second one.
 * Product rules then differentiate a formula exactly, as it is written. Vectors are 12 numbers (four of three), scalars 4.
 *
 *   (x y)' = x' y + x y'     δ(x y)' = δx' y + x' δy + δx y' + x δy'
 *
 * A formula is worked out in halves: `MOTION` gives value and time derivative, `VARIATION` the other two for one direction. The first half
 * stays as it is while the second is worked out for many directions.
 */
export type VectorJet = Float64Array;
export type ScalarJet = Float64Array;

export const MOTION = 0;
export const VARIATION = 1;
export type Half = typeof MOTION | typeof VARIATION;

export const vectorJet = (): VectorJet => new Float64Array(12);
export const scalarJet = (): ScalarJet => new Float64Array(4);

/** out = a × b */
export function crossJet(half: Half, a: VectorJet, b: VectorJet, out: VectorJet): void {
  out.fill(0, 6 * half, 6 * half + 6);
  if (half === MOTION) {
    addCross(a, 0, b, 0, out, 0);
    addCross(a, 3, b, 0, out, 3);
    addCross(a, 0, b, 3, out, 3);
  } else {
    addCross(a, 6, b, 0, out, 6);
    addCross(a, 0, b, 6, out, 6);
    addCross(a, 9, b, 0, out, 9);
    addCross(a, 3, b, 6, out, 9);
    addCross(a, 6, b, 3, out, 9);
    addCross(a, 0, b, 9, out, 9);
  }
}

function addCross(a: Float64Array, i: number, b: Float64Array, j: number, out: Float64Array, k: number): void {
  out[k] += a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  out[k + 1] += a[i + 2] * b[j] - a[i] * b[j + 2];
  out[k + 2] += a[i] * b[j + 1] - a[i + 1] * b[j];
}

/** out += a · b */
export function addDotJet(half: Half, a: VectorJet, b: VectorJet, out: ScalarJet): void {
  if (half === MOTION) {
    addDot(a, 0, b, 0, out, 0);
    addDot(a, 3, b, 0, out, 1);
    addDot(a, 0, b, 3, out, 1);
  } else {
    addDot(a, 6, b, 0, out, 2);
    addDot(a, 0, b, 6, out, 2);
    addDot(a, 9, b, 0, out, 3);
    addDot(a, 3, b, 6, out, 3);
    addDot(a, 6, b, 3, out, 3);
    addDot(a, 0, b, 9, out, 3);
  }
}

function addDot(a: Float64Array, i: number, b: Float64Array, j: number, out: Float64Array, k: number): void {
  out[k] += a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

/** out += factor · s a */
export function addScaledJet(half: Half, factor: number, s: ScalarJet, a: VectorJet, out: VectorJet): void {
  if (half === MOTION) {
    addScaled(factor * s[0], a, 0, out, 0);
    addScaled(factor * s[1], a, 0, out, 3);
    addScaled(factor * s[0], a, 3, out, 3);
  } else {
    addScaled(factor * s[2], a, 0, out, 6);
    addScaled(factor * s[0], a, 6, out, 6);
    addScaled(factor * s[3], a, 0, out, 9);
    addScaled(factor * s[1], a, 6, out, 9);
    addScaled(factor * s[2], a, 3, out, 9);
    addScaled(factor * s[0], a, 9, out, 9);
  }
}

function addScaled(f: number, a: Float64Array, j: number, out: Float64Array, k: number): void {
  out[k] += f * a[j];
  out[k + 1] += f * a[j + 1];
  out[k + 2] += f * a[j + 2];
}

/** f(x) from f, f', f'' at the value of x */
export function applyJet(
  half: Half,
  x: ScalarJet,
  value: number,
  slope: number,
  curvature: number,
  out: ScalarJet,
): void {
  if (half === MOTION) {
    out[0] = value;
    out[1] = slope * x[1];
  } else {
    out[2] = slope * x[2];
    out[3] = slope * x[3] + curvature * x[1] * x[2];
  }
}
