/**
 * x = n π/2 + r with |r| ≤ π/4 (a rounding error more at the ends), r in two doubles, for every finite x.
 *
 * Up to 2^20 quarter turns, π/2 is subtracted in three parts of 33, 33 and 53 bits, the first two exactly
 * (Cody & Waite, Software Manual for the Elementary Functions, 1980). What cancels too much, and all larger x,
 * goes the way of Payne & Hanek, "Radian reduction for trigonometric functions", SIGNUM 18 (1983) 19–24: of the product
 * x · 2/π only the last two bits before the point and the fraction matter, so only some digits of 2/π are needed.
 * The double nearest to a multiple of π/2 is 6381956970095103 · 2^797, with r ≈ 2^-61.
 */
import { highWord, nearestInteger, POWERS_OF_TWO, productError } from './binary.js';

const TWO_OVER_PI = 0.6366197723675814;
const HALF_PI_1 = 1.5707963267341256; // 33 bits: n times it is exact for n < 2^20
const HALF_PI_2 = 6.077100506303966e-11; // 33 bits
const HALF_PI_3 = 2.0222662487959506e-21; // the rest, 53 bits
const HALF_PI_HIGH = 1.5707963267948966;
const HALF_PI_LOW = 6.123233995736766e-17;
const FEW_TURNS = 1647099; // rad, below 2^20 π/2

/** Result of `reduceAngle`: r = REDUCED[0] + REDUCED[1]. */
export const REDUCED = new Float64Array(2);

/** Fills REDUCED and returns n mod 4; x finite. */
export function reduceAngle(x: number): number {
  if (Math.abs(x) < FEW_TURNS) {
    const n = nearestInteger(x * TWO_OVER_PI);
    const first = x - n * HALF_PI_1;
    const subtrahend = n * HALF_PI_2;
    const second = first - subtrahend;
    const back = first - second;
    const error = first - (second + back) + (back - subtrahend);
    const low = error - n * HALF_PI_3;
    const r = second + low;
    // The error is below 2^-98: relative to 2^-20 that is far below an ulp of an ulp.
    if (Math.abs(r) > 9.5367431640625e-7) {
      REDUCED[0] = r;
      REDUCED[1] = second - r + low;
      return n & 3;
    }
  }
  return reduceExactly(x);
}

const BASE = 16777216; // 2^24
const INVERSE_BASE = 1 / BASE;

/** 2/π = Σ digit_j 2^(−24 (j − 3)), j = 4 … 52, enough for the largest double; the four zeros in front serve small x. */
const DIGITS = new Float64Array([
  0, 0, 0, 0, 10680707, 7228996, 1387004, 2578385, 16069853, 12639074, 9804092, 4427841, 16666979, 11263675, 12935607,
  2387514, 4345298, 14681673, 3074569, 13734428, 16653803, 1880361, 10960616, 8533493, 3062596, 8710556, 7349940,
  6258241, 3772886, 3769171, 3798172, 8675211, 12450088, 3874808, 9961438, 366607, 15675153, 9132554, 7151469, 3571407,
  2607881, 12013382, 4155038, 6285869, 7677882, 13102053, 15825725, 473591, 9065106, 15363067, 6271263, 9264392,
  5636912,
]);
const PRODUCT = new Float64Array(8); // digits of |x| 2/π: units, then 7 digits of the fraction

function reduceExactly(x: number): number {
  // |x| = 2^(24 E) (a0 + a1 2^-24 + a2 2^-48 + a3 2^-72) with integers a < 2^24
  const ax = Math.abs(x);
  const exponent = (highWord(ax) >> 20) - 1023;
  const E = exponent < 0 ? 0 : Math.floor(exponent / 24);
  let rest = ax * POWERS_OF_TWO[1022 - 24 * E];
  const a0 = Math.floor(rest);
  rest = (rest - a0) * BASE;
  const a1 = Math.floor(rest);
  rest = (rest - a1) * BASE;
  const a2 = Math.floor(rest);
  const a3 = Math.floor((rest - a2) * BASE);

  // Long multiplication from the last digit kept (2^-168) to the units; every sum is below 2^51 and exact.
  let carry = 0;
  for (let place = 7; place >= 0; place--) {
    const j = place + E + 3;
    const sum = carry + a0 * DIGITS[j] + a1 * DIGITS[j - 1] + a2 * DIGITS[j - 2] + a3 * DIGITS[j - 3];
    carry = Math.floor(sum * INVERSE_BASE);
    PRODUCT[place] = sum - carry * BASE;
  }

  // Fraction to [−1/2, 1/2), as a sum of exact pairs of digits, largest first.
  let n = PRODUCT[0];
  let firstDigit = PRODUCT[1];
  if (firstDigit >= BASE / 2) {
    firstDigit -= BASE;
    n += 1;
  }
  const A = (firstDigit + PRODUCT[2] * INVERSE_BASE) * INVERSE_BASE;
  const SECOND = 3.552713678800501e-15; // 2^-48
  const B = (PRODUCT[3] + PRODUCT[4] * INVERSE_BASE) * INVERSE_BASE * SECOND;
  const C = (PRODUCT[5] + PRODUCT[6] * INVERSE_BASE) * INVERSE_BASE * SECOND * SECOND;
  const ab = A + B;
  const abError = Math.abs(A) >= Math.abs(B) ? A - ab + B : B - ab + A;
  const high = ab + C;
  const low = abError + (ab - high + C);
  const fraction = high + low;
  const fractionLow = high - fraction + low;

  // times π/2
  const r = fraction * HALF_PI_HIGH;
  const rLow = productError(fraction, HALF_PI_HIGH, r) + (fraction * HALF_PI_LOW + fractionLow * HALF_PI_HIGH);
  const sign = x < 0 ? -1 : 1;
  REDUCED[0] = sign * (r + rLow);
  REDUCED[1] = sign * (r - (r + rLow) + rLow);
  return (sign * n) & 3;
}
