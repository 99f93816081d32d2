/**
 * asin, acos, atan and atan2.
 *
 * asin: |x| ≤ 1/2: x + x³ p(x²). Beyond: asin x = π/2 − 2 asin s with s = √((1 − x)/2), whose rounding error is kept.
 * atan: a table of atan c at c = k/16 and atan x = atan c + atan u with u = (x − c)/(1 + c x), |u| ≤ 1/32;
 *       |x| < 7/32 needs no table; |x| > 1 is π/2 − atan(1/x). atan u = u + u³ q(u²).
 * (Table with argument addition: Gal & Bachelis, ACM TOMS 17 (1991) 26–45, in the plain form without accurate points.)
 */
import { highWord, POWERS_OF_TWO, productError, SPLITTER } from './binary.js';

const PI_HIGH = Math.PI;
const PI_LOW = 1.2246467991473532e-16;
const HALF_PI_HIGH = 1.5707963267948966;
const HALF_PI_LOW = 6.123233995736766e-17;

/** (asin x − x)/x³ as a function of z = x² ≤ 1/4; error 2^-62 of asin x. */
function arcsineTail(z: number): number {
  const w = z * z;
  const even =
    0.16666666666666663 +
    w *
      (0.0446428571409038 +
        w *
          (0.022372153219191254 +
            w *
              (0.013962213419623644 +
                w * (0.009497026505021376 + w * (0.00077909784447863 - w * 0.026157215571006823)))));
  const odd =
    0.07500000000001254 +
    w *
      (0.030381944586729912 +
        w *
          (0.017352916578763096 +
            w *
              (0.011583237920252263 +
                w * (0.009964056956622329 + w * (0.024727621125148546 + w * 0.03372004415202518)))));
  return even + z * odd;
}

/** Arcsine in rad, −π/2 … π/2; NaN outside −1 … 1. */
export function asin(x: number): number {
  const ax = Math.abs(x);
  if (ax <= 0.5) {
    if (ax < 7.450580596923828e-9) return x; // 2^-27
    const z = x * x;
    return x + x * z * arcsineTail(z);
  }
  if (!(ax <= 1)) return Number.NaN;
  const z = 0.5 * (1 - ax);
  const s = Math.sqrt(z);
  const rest = halfAngleRest(s, z);
  const leading = HALF_PI_HIGH - 2 * s;
  const result = leading + (HALF_PI_HIGH - leading - 2 * s + (HALF_PI_LOW - 2 * rest));
  return x < 0 ? -result : result;
}

/** Arccosine in rad, 0 … π; NaN outside −1 … 1. */
export function acos(x: number): number {
  const ax = Math.abs(x);
  if (ax <= 0.5) {
    const z = x * x;
    const leading = HALF_PI_HIGH - x;
    return leading + (HALF_PI_HIGH - leading - x + (HALF_PI_LOW - x * z * arcsineTail(z)));
  }
  if (!(ax <= 1)) return Number.NaN;
  const z = 0.5 * (1 - ax);
  const s = Math.sqrt(z);
  const rest = halfAngleRest(s, z);
  if (x > 0) return 2 * (s + rest);
  const leading = PI_HIGH - 2 * s;
  return leading + (PI_HIGH - leading - 2 * s + (PI_LOW - 2 * rest));
}

/** asin(√z) − s for s = √z rounded: the rounding error (z − s²)/(2s) and the polynomial. */
function halfAngleRest(s: number, z: number): number {
  if (z === 0) return 0;
  const square = s * s;
  return (z - square - productError(s, s, square)) / (2 * s) + s * z * arcsineTail(z);
}

/** atan(k/16), k = 0 … 16, as pairs high, low. */
const ARCTANGENTS = new Float64Array([
  0, 0, 0.06241880999595735, -1.5490756308295046e-18, 0.12435499454676144, -3.1253241424539383e-18, 0.18534794999569476,
  4.180692268843079e-18, 0.24497866312686414, 1.0698755618734451e-17, 0.3028848683749714, -1.1010827903001369e-17,
  0.35877067027057225, -2.4623815582638635e-17, 0.4124104415973873, -1.587652227770689e-17, 0.4636476090008061,
  2.2698777452961687e-17, 0.5123894603107377, -2.5462781472855804e-17, 0.5585993153435624, -5.4556305485916264e-18,
  0.6022873461349642, 2.950430737228402e-17, 0.6435011087932844, 1.5834785051444286e-17, 0.6823165548747481,
  6.943223671560008e-18, 0.7188299996216245, -2.1478388444456983e-17, 0.7531512809621944, -2.4256934659182068e-17,
  0.7853981633974483, 3.061616997868383e-17,
]);
const FIRST_STEP = 0.21875; // 7/32: below it the polynomial alone

/** (atan u − u)/u³ as a function of z = u² ≤ (7/32)²; error 2^-60 of atan u. */
function arctangentTail(z: number): number {
  const w = z * z;
  const even = -0.33333333333333276 + w * (-0.14285714271592995 + w * (-0.09090799023141402 - w * 0.06579331942527353));
  const odd = 0.19999999999946805 + w * (0.1111110940822754 + w * (0.07688227468350904 + w * 0.04866047345548579));
  return even + z * odd;
}

/** Arctangent in rad, −π/2 … π/2. */
export function atan(x: number): number {
  const ax = Math.abs(x);
  let result: number;
  if (ax < FIRST_STEP) {
    if (ax < 7.450580596923828e-9) return x; // 2^-27
    const z = x * x;
    return x + x * z * arctangentTail(z);
  }
  if (ax <= 1) {
    const k = Math.floor(16 * ax + 0.5);
    const c = k / 16;
    const u = (ax - c) / (1 + c * ax);
    const z = u * u;
    result = ARCTANGENTS[2 * k] + (u + (ARCTANGENTS[2 * k + 1] + u * z * arctangentTail(z)));
  } else if (ax < 18014398509481984) {
    const inverse = 1 / ax;
    let u = inverse;
    let k = 0;
    if (inverse >= FIRST_STEP) {
      // 1 − c x is exact in two parts: c has 5 bits, the halves of x 26
      k = Math.floor(16 * inverse + 0.5);
      const c = k / 16;
      const split = SPLITTER * ax;
      const high = split - (split - ax);
      u = (1 - c * high - c * (ax - high)) / (ax + c);
    }
    const z = u * u;
    const table = ARCTANGENTS[2 * k];
    const leading = HALF_PI_HIGH - table;
    const error = HALF_PI_HIGH - leading - table;
    result = leading + (error + (HALF_PI_LOW - ARCTANGENTS[2 * k + 1] - u * z * arctangentTail(z)) - u);
  } else if (ax >= 18014398509481984) {
    result = HALF_PI_HIGH; // 1/x is below half an ulp of π/2
  } else return Number.NaN;
  return x < 0 ? -result : result;
}

/**
 * Angle of the point (x, y) in rad, −π … π; signed zeros as in ECMAScript.
 *
 * With small/large of |x|, |y| in place of the tangent: u = (small − c large)/(large + c small).
 */
export function atan2(y: number, x: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  if (!(ax > 0 && ay > 0 && ax < Number.POSITIVE_INFINITY && ay < Number.POSITIVE_INFINITY)) return onAxis(y, x);
  const steep = ay > ax;
  const large = steep ? ay : ax;
  const small = steep ? ax : ay;

  // The quotient t, and its angle a = high + low.
  const t = small / large;
  let high: number;
  let low: number;
  if (t < 3.725290298461914e-9) {
    high = t; // 2^-28: t³/3 is below half an ulp, and t rounded is the answer or far below an ulp of it
    low = 0;
  } else {
    // large to [1, 2), exactly; small is then at least 2^-29
    const exponent = highWord(large < 2.2250738585072014e-308 ? large * 18014398509481984 : large) >> 20;
    const scale = exponent <= 2045 ? POWERS_OF_TWO[2045 - exponent] : POWERS_OF_TWO[0] * 0.5;
    let p = large;
    let q = small;
    if (large < 2.2250738585072014e-308) {
      p *= 18014398509481984;
      q *= 18014398509481984;
    }
    p *= scale;
    q *= scale;
    if (t < FIRST_STEP) {
      const product = t * p;
      const z = t * t;
      high = t;
      low = (q - product - productError(t, p, product)) / p + t * z * arctangentTail(z);
    } else {
      const k = Math.floor(16 * t + 0.5);
      const c = k / 16;
      const split = SPLITTER * p;
      const pHigh = split - (split - p);
      const u = (q - c * pHigh - c * (p - pHigh)) / (p + c * q);
      const z = u * u;
      high = ARCTANGENTS[2 * k];
      low = u + (ARCTANGENTS[2 * k + 1] + u * z * arctangentTail(z));
    }
  }

  // a, π/2 ∓ a or π − a
  let result: number;
  if (steep) {
    const signed = x < 0 ? high : -high;
    const leading = HALF_PI_HIGH + signed;
    result = leading + (HALF_PI_HIGH - leading + signed + (HALF_PI_LOW + (x < 0 ? low : -low)));
  } else if (x < 0) {
    const leading = PI_HIGH - high;
    result = leading + (PI_HIGH - leading - high + (PI_LOW - low));
  } else {
    result = high + low;
  }
  return y < 0 ? -result : result;
}

/** atan2 where a coordinate is zero, infinite or NaN. */
function onAxis(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const left = x < 0 || (x === 0 && 1 / x < 0);
  const below = y < 0 || (y === 0 && 1 / y < 0);
  let angle: number;
  if (y === 0 || Math.abs(x) === Number.POSITIVE_INFINITY) {
    if (Math.abs(y) === Number.POSITIVE_INFINITY) angle = left ? 0.75 * PI_HIGH : 0.25 * PI_HIGH;
    else angle = left ? PI_HIGH : 0;
  } else angle = HALF_PI_HIGH;
  return below ? -angle : angle;
}
