/**
 * log and log1p, and the logarithm in two doubles that pow needs.
 *
 *   x = 2ᵏ m,  0.6875 ≤ m < 1.375,   c ≈ 1/m with 11 bits from a table,   r = c m − 1,  |r| ≤ 2^-7
 *   log x = k ln 2 − log c + log(1 + r),   log(1 + r) = r − r²/2 + r³ p(r)
 *
 * m is split so that c m − 1 is exact in two parts. c = 1 on both sides of m = 1, so that nothing cancels near x = 1.
 * k ln 2 − log c is exact in its leading parts, both multiples of 2^-42.
 * Method: Tang, "Table-driven implementation of the logarithm function", ACM TOMS 16 (1990) 378–400.
 */
import { highWord, POWERS_OF_TWO, productError, SPLITTER } from './binary.js';
import { LOGARITHMS } from './logarithm-table.js';

const LN2_HIGH = 0.6931471805598903; // multiple of 2^-42
const LN2_LOW = 5.497923018708371e-14;
const SMALLEST_NORMAL = 2.2250738585072014e-308;
const TWO_54 = 18014398509481984;
const INTERVALS_START = 0x3fe60000; // high word of 0.6875

/** (log(1 + r) − r + r²/2)/r³ for |r| ≤ 2^-7; error 2^-73 of log(1 + r). */
function cubicTail(r: number, square: number): number {
  return (
    0.3333333333333333 -
    r * 0.25000000000000605 +
    square *
      (0.20000000000001752 -
        r * 0.16666666616020462 +
        square * (0.14285714204559136 - r * 0.1250127649233886 + square * 0.11112574899836933))
  );
}

/** Natural logarithm. */
export function log(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return outsideLog(x);
  let shift = 0;
  let scaled = x;
  if (x < SMALLEST_NORMAL) {
    scaled = x * TWO_54;
    shift = -54;
  }
  // Exponent, interval, and r = c m − 1 as rh + rl.
  const place = highWord(scaled) - INTERVALS_START;
  const k = place >> 20;
  const entry = 3 * ((place >> 13) & 127);
  const m = scaleDown(scaled, k);
  const c = LOGARITHMS[entry];
  const cm = SPLITTER * m;
  const mh = cm - (cm - m);
  const rh = mh * c - 1;
  const rl = (m - mh) * c;
  const r = rh + rl;
  const square = r * r;
  // Large to small.
  const power = k + shift;
  const leading = power * LN2_HIGH + LOGARITHMS[entry + 1];
  const low = power * LN2_LOW + LOGARITHMS[entry + 2] + (rh - r + rl);
  const tail = low - square * (0.5 - r * cubicTail(r, square));
  const sum = leading + r;
  // leading is 0 or exceeds r, so that leading − sum + r is the exact error of the sum
  return sum + (leading - sum + r + tail);
}

/** Result of `logarithmParts`: log x = LOG_PARTS[0] + LOG_PARTS[1]. */
export const LOG_PARTS = new Float64Array(2);

/**
 * log(x + low) in two doubles for a finite x > 0 and |low| a rounding error of x; relative error below 2^-67,
 * because pow multiplies it by up to 745 / log x.
 */
export function logarithmParts(x: number, low: number): void {
  let shift = 0;
  let scaled = x;
  if (x < SMALLEST_NORMAL) {
    scaled = x * TWO_54;
    shift = -54;
  }
  const place = highWord(scaled) - INTERVALS_START;
  const k = place >> 20;
  const entry = 3 * ((place >> 13) & 127);
  const m = scaleDown(scaled, k);
  const c = LOGARITHMS[entry];
  const cm = SPLITTER * m;
  const mh = cm - (cm - m);
  const rh = mh * c - 1;
  const rl = (m - mh) * c + scaleDown(low, k) * c;
  const r = rh + rl;
  const rError = rh - r + rl;
  const square = r * r;
  const squareError = productError(r, r, square);
  const power = k + shift;
  const leading = power * LN2_HIGH + LOGARITHMS[entry + 1];
  // leading + r − r²/2, with the rounding error of each sum
  const first = leading + r;
  const firstError = leading - first + r;
  const half = 0.5 * square;
  const second = first - half;
  const secondError = first - second - half;
  const tail =
    firstError +
    (secondError +
      (power * LN2_LOW +
        LOGARITHMS[entry + 2] +
        (rError * (1 - r) - 0.5 * squareError + square * r * cubicTail(r, square))));
  const sum = second + tail;
  LOG_PARTS[0] = sum;
  LOG_PARTS[1] = second - sum + tail;
}

/** log(1 + x) without the cancellation near 0: 1 + x is taken as a rounded sum and its error. */
export function log1p(x: number): number {
  if (!(x > -1 && x < Number.POSITIVE_INFINITY)) return outsideLog(1 + x);
  if (Math.abs(x) < 5.551115123125783e-17) return x; // 2^-54: x²/2 is below half an ulp; keeps −0
  const sum = 1 + x;
  logarithmParts(sum, x < 1 ? x - (sum - 1) : 1 - (sum - x));
  return LOG_PARTS[0] + LOG_PARTS[1];
}

/** x 2^-k */
const scaleDown = (x: number, k: number): number =>
  k <= 1022 ? x * POWERS_OF_TWO[1022 - k] : x * POWERS_OF_TWO[0] * POWERS_OF_TWO[2044 - k];

/** log of what is not a positive finite number. */
function outsideLog(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  return x === Number.POSITIVE_INFINITY ? x : Number.NaN;
}
