/**
 * exp and expm1.
 *
 *   x = (n/128) ln 2 + r,  |r| ≤ ln 2 / 256,   n = 128 k + i:   eˣ = 2ᵏ · 2^(i/128) · eʳ
 *
 * 2^(i/128) is read from a table of doubles with their rounding errors, eʳ − 1 is a polynomial of degree 5.
 * Method: Tang, "Table-driven implementation of the exponential function", ACM TOMS 15 (1989) 144–157.
 */
import { nearestInteger, POWERS_OF_TWO, productError, scaleByPowerOfTwo } from './binary.js';
import { EXPONENTIALS } from './exponential-table.js';

const STEPS_PER_UNIT = 184.6649652337873; // 128 / ln 2
// ln 2 / 128 in two parts; the first has 35 bits, so that n times it is exact for all |n| < 2^18.
const STEP_HIGH = 0.0054152123482253955;
const STEP_LOW = -1.0082281460997769e-13;

const OVERFLOW = 709.782712893384; // largest double x with eˣ < 2^1024
const UNDERFLOW = -745.1332191019412; // below it eˣ < 2^-1075 rounds to 0

/** eʳ − 1 for |r| ≤ ln 2 / 256, error 2^-65. */
const small = (r: number): number =>
  r + r * r * (0.4999999999999665 + r * 0.1666666666666586 + r * r * (0.04166668112835352 + r * 0.008333335895895468));

/** eˣ */
export function exp(x: number): number {
  if (!(x <= OVERFLOW)) return x > 0 ? Number.POSITIVE_INFINITY : x; // x is NaN
  if (x < UNDERFLOW) return 0;
  const n = nearestInteger(x * STEPS_PER_UNIT);
  const r = x - n * STEP_HIGH - n * STEP_LOW;
  const k = n >> 7;
  const entry = (n & 127) << 1;
  const power = EXPONENTIALS[entry];
  const y = power + (EXPONENTIALS[entry + 1] + power * small(r));
  return k >= -1022 && k <= 1023 ? y * POWERS_OF_TWO[k + 1022] : scaleByPowerOfTwo(y, k);
}

/** Result of `exponentialParts`: e^(x + low) = 2ᵏ (PARTS[0] + PARTS[1]), 1 ≤ PARTS[0] < 2, |PARTS[1]| < 0.006. */
export const PARTS = new Float64Array(2);

/** Fills PARTS and returns k; −746 < x < 711 and |low| a rounding error of x. Relative error of the sum below 2^-61. */
export function exponentialParts(x: number, low: number): number {
  const n = nearestInteger(x * STEPS_PER_UNIT);
  const r = x - n * STEP_HIGH - (n * STEP_LOW - low);
  const entry = (n & 127) << 1;
  const power = EXPONENTIALS[entry];
  PARTS[0] = power;
  PARTS[1] = EXPONENTIALS[entry + 1] + power * small(r);
  return n >> 7;
}

/**
 * eˣ − 1 without the cancellation near 0.
 *
 * |x| ≤ 1/4: x + x²/2 + x³ p(x), with the error of x² kept; beyond, 2ᵏ 2^(i/128) − 1 is taken before the rest is added.
 */
export function expm1(x: number): number {
  if (Math.abs(x) <= 0.25) {
    if (Math.abs(x) < 5.551115123125783e-17) return x; // 2^-54: x²/2 is below half an ulp; keeps −0
    const square = x * x;
    const half = 0.5 * square;
    const sum = x + half;
    const rest = x - sum + half + 0.5 * productError(x, x, square);
    return sum + (rest + square * x * cubicTail(x, square));
  }
  if (!(x <= OVERFLOW)) return x > 0 ? Number.POSITIVE_INFINITY : x;
  if (x < -40) return -1; // e^-40 < 2^-57
  const k = exponentialParts(x, 0);
  if (k > 60) return scaleByPowerOfTwo(PARTS[0] + PARTS[1], k);
  const scale = POWERS_OF_TWO[k + 1022];
  const power = PARTS[0] * scale;
  const difference = power - 1;
  const error = power >= 1 ? power - difference - 1 : power - (difference + 1);
  return difference + (error + PARTS[1] * scale);
}

/** (eˣ − 1 − x − x²/2)/x³ for |x| ≤ 1/4; error 2^-60 of eˣ − 1. */
function cubicTail(x: number, square: number): number {
  const even =
    0.16666666666666666 +
    square *
      (0.008333333333332289 +
        square * (0.00019841269848699304 + square * (2.7557296551378337e-6 + square * 2.5083389971570963e-8)));
  const odd =
    0.04166666666666323 +
    square * (0.0013888888893355007 + square * (2.480156806757458e-5 + square * 2.759110327619515e-7));
  return even + x * odd;
}
