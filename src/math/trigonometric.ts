/**
 * sin, cos and tan: the angle is brought to |r| ≤ π/4 in two doubles (angle-reduction.ts), where
 *
 *   sin r = r + r³ p(r²),   cos r = 1 − r²/2 + r⁴ q(r²),   tan r = sin r / cos r
 *
 * with minimax polynomials of six terms. The rounding error of r, `low`, enters through the first derivative.
 */
import { REDUCED, reduceAngle } from './angle-reduction.js';
import { productError } from './binary.js';

const QUARTER_PI = 0.7853981633974483;
const TINY = 7.450580596923828e-9; // 2^-27: x³/6 is below half an ulp of x

/** (sin r − r)/r³ as a function of z = r²; error 2^-57 of sin r. */
const sineTail = (z: number): number =>
  -0.1666666666666664 +
  z *
    (0.008333333333323662 +
      z *
        (-0.00019841269830144393 +
          z * (2.755731365185318e-6 + z * (-2.505073457106949e-8 + z * 1.5894710581634463e-10))));

/** (cos r − 1 + r²/2)/r⁴ as a function of z = r²; error 2^-62 of cos r. */
const cosineTail = (z: number): number =>
  0.04166666666666665 +
  z *
    (-0.001388888888888284 +
      z *
        (2.4801587294628004e-5 +
          z * (-2.7557315738613277e-7 + z * (2.0875897738682843e-9 - z * 1.1367981880469046e-11))));

/** sin(r + low) */
function reducedSine(r: number, low: number): number {
  const z = r * r;
  return r + (z * r * sineTail(z) + low * (1 - 0.5 * z));
}

/** cos(r + low): 1 − r²/2 is rounded once and its rounding error is added back with the rest. */
function reducedCosine(r: number, low: number): number {
  const z = r * r;
  const half = 0.5 * z;
  const leading = 1 - half;
  return leading + (1 - leading - half + (z * z * cosineTail(z) - r * low));
}

/** Sine of an angle in rad. */
export function sin(x: number): number {
  const ax = Math.abs(x);
  if (ax <= QUARTER_PI) return ax < TINY ? x : reducedSine(x, 0);
  if (!(ax < Number.POSITIVE_INFINITY)) return Number.NaN;
  const quadrant = reduceAngle(x);
  const r = REDUCED[0];
  const low = REDUCED[1];
  const y = quadrant & 1 ? reducedCosine(r, low) : reducedSine(r, low);
  return quadrant & 2 ? -y : y;
}

/** Cosine of an angle in rad. */
export function cos(x: number): number {
  const ax = Math.abs(x);
  if (ax <= QUARTER_PI) return reducedCosine(x, 0);
  if (!(ax < Number.POSITIVE_INFINITY)) return Number.NaN;
  const quadrant = reduceAngle(x);
  const r = REDUCED[0];
  const low = REDUCED[1];
  const y = quadrant & 1 ? reducedSine(r, low) : reducedCosine(r, low);
  return (quadrant + 1) & 2 ? -y : y;
}

/** Tangent of an angle in rad. */
export function tan(x: number): number {
  const ax = Math.abs(x);
  if (ax <= QUARTER_PI) return ax < TINY ? x : reducedTangent(x, 0, false);
  if (!(ax < Number.POSITIVE_INFINITY)) return Number.NaN;
  const quadrant = reduceAngle(x);
  return reducedTangent(REDUCED[0], REDUCED[1], (quadrant & 1) === 1);
}

/** tan(r + low), or −1/tan(r + low): sine and cosine in two doubles each, then their quotient with its residual. */
function reducedTangent(r: number, low: number, cotangent: boolean): number {
  const z = r * r;
  const zError = productError(r, r, z);
  const sineRest = z * r * sineTail(z) + low * (1 - 0.5 * z);
  const sine = r + sineRest;
  const sineLow = r - sine + sineRest;
  const half = 0.5 * z;
  const leading = 1 - half;
  const cosineRest = 1 - leading - half + (z * z * cosineTail(z) - (0.5 * zError + r * low));
  const cosine = leading + cosineRest;
  const cosineLow = leading - cosine + cosineRest;
  if (cotangent) return quotient(-cosine, -cosineLow, sine, sineLow);
  return quotient(sine, sineLow, cosine, cosineLow);
}

/** (a + aLow)/(b + bLow) */
function quotient(a: number, aLow: number, b: number, bLow: number): number {
  const q = a / b;
  const p = q * b;
  return q + (a - p - productError(q, b, p) + (aLow - q * bLow)) / b;
}
