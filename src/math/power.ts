/**
 * pow, cbrt and hypot.
 *
 * pow: |x|ʸ = e^(y log |x|). An error of y log |x| is the relative error of the result, and y log |x| reaches 745,
 * so the logarithm and the product are kept in two doubles (Dekker 1971).
 */
import { highWord, POWERS_OF_TWO, productError, SPLITTER, scaleByPowerOfTwo } from './binary.js';
import { exponentialParts, PARTS } from './exponential.js';
import { LOG_PARTS, logarithmParts } from './logarithm.js';

const SMALLEST_NORMAL = 2.2250738585072014e-308;

/** xʸ, with the special cases of ECMAScript: x⁰ is 1 even for NaN, and (±1)^±∞ is NaN. */
export function pow(x: number, y: number): number {
  if (y === 2) return x * x;
  if (y === 1) return x;
  if (y === 0) return 1;
  const ax = Math.abs(x);
  if (!(ax < Number.POSITIVE_INFINITY && ax > 0 && y - y === 0)) return powOutside(x, y);
  const sign = x < 0 ? signOfNegativeBase(y) : 1;
  if (ax === 1) return sign;

  logarithmParts(ax, 0);
  const high = y * LOG_PARTS[0];
  if (!(Math.abs(high) < 746)) return high > 0 ? sign * Number.POSITIVE_INFINITY : sign * 0;
  if (Math.abs(high) < 5.551115123125783e-17) return sign * (1 + high); // 2^-54; also keeps tiny y from the product below
  const low = productError(y, LOG_PARTS[0], high) + y * LOG_PARTS[1];
  const k = exponentialParts(high, low);
  return sign * scaleByPowerOfTwo(PARTS[0] + PARTS[1], k);
}

/** (−1)ʸ for a finite y: ±1 for integers, NaN otherwise. */
function signOfNegativeBase(y: number): number {
  if (Math.floor(y) !== y) return Number.NaN;
  return isOdd(y) ? -1 : 1;
}

/** For an integer y; from 2^53 on all doubles are even. */
const isOdd = (y: number): boolean => Math.floor(0.5 * y) !== 0.5 * y;

/** NaN, infinities and zero bases; y ≠ 0. */
function powOutside(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const ax = Math.abs(x);
  if (Math.abs(y) === Number.POSITIVE_INFINITY) {
    if (ax === 1) return Number.NaN;
    return ax > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0;
  }
  // x is ±0 or ±∞; an odd integer power keeps its sign
  const magnitude = (ax === 0) === y > 0 ? 0 : Number.POSITIVE_INFINITY;
  const negative = x < 0 || (x === 0 && 1 / x < 0);
  return negative && Math.floor(y) === y && isOdd(y) ? -magnitude : magnitude;
}

/**
 * Cube root, with the sign of x.
 *
 * |x| = 2^(3q) M with 1 ≤ M < 8. A quadratic gives ∛M to 2^-10, Halley's iteration
 *   t ← t + t (M − t³)/(2 t³ + M)
 * triples the digits: once plainly, then once from a t cut to 26 bits, for which M − t³ is computed almost exactly.
 */
export function cbrt(x: number): number {
  const ax = Math.abs(x);
  if (!(ax > 0 && ax < Number.POSITIVE_INFINITY)) return x;
  const subnormal = ax < SMALLEST_NORMAL;
  const scaled = subnormal ? ax * 18014398509481984 : ax; // 2^54
  const exponent = (highWord(scaled) >> 20) - 1023;
  const q = Math.floor(exponent / 3);
  const s = exponent - 3 * q;
  const m = exponent <= 1022 ? scaled * POWERS_OF_TWO[1022 - exponent] : scaled * 0.5 * POWERS_OF_TWO[0];

  const guess = 0.6228994466917707 + m * (0.4374686095217261 - m * 0.059656734410769297);
  const cube = guess * guess * guess;
  let t = (guess * (cube + 2 * m)) / (2 * cube + m);
  let M = m;
  if (s === 1) {
    t *= 1.2599210498948732; // ∛2
    M *= 2;
  } else if (s === 2) {
    t *= 1.5874010519681996; // ∛4
    M *= 4;
  }
  // 26 bits: t² is exact, and so are the products of its two halves with t
  const c = SPLITTER * t;
  t = c - (c - t);
  const square = t * t;
  const cs = SPLITTER * square;
  const squareHigh = cs - (cs - square);
  const residual = M - squareHigh * t - (square - squareHigh) * t;
  const root = t + (t * residual) / (2 * square * t + M);
  const result = root * POWERS_OF_TWO[(subnormal ? q - 18 : q) + 1022];
  return x < 0 ? -result : result;
}

/** √(x² + y²) without over- or underflow on the way; Infinity if one is infinite. */
export function hypot(x: number, y: number): number {
  let a = Math.abs(x);
  let b = Math.abs(y);
  if (a < b) {
    a = b;
    b = Math.abs(x);
  }
  if (!(a < Number.POSITIVE_INFINITY && b >= 0)) {
    return a === Number.POSITIVE_INFINITY || b === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : Number.NaN;
  }
  if (!(b > a * 3.725290298461914e-9)) return a; // 2^-28: b²/(2a) is below half an ulp of a
  let scale = 1;
  if (a > 3.273390607896142e150)
    scale = 2.409919865102884e-181; // 2^500, 2^-600
  else if (b < 3.4395525670743494e-136) scale = 4.149515568880993e180; // 2^-450, 2^600
  a *= scale;
  b *= scale;
  // h² = a² + b²; one Newton step with the exact residual
  const aa = a * a;
  const bb = b * b;
  const sum = aa + bb;
  const h = Math.sqrt(sum);
  const hh = h * h;
  const residual =
    sum - hh - productError(h, h, hh) + (aa - sum + bb + (productError(a, a, aa) + productError(b, b, bb)));
  return (h + residual / (2 * h)) / scale;
}
