/**
 * sinh, cosh and tanh: polynomials near 0, where exponentials would cancel; beyond, eˣ in two doubles.
 *
 *   sinh x = (eˣ − e⁻ˣ)/2,   cosh x = (eˣ + e⁻ˣ)/2,   tanh x = 1 − 2/(e²ˣ + 1)
 */
import { POWERS_OF_TWO, productError, scaleByPowerOfTwo } from './binary.js';
import { exponentialParts, PARTS } from './exponential.js';

const TINY = 7.450580596923828e-9; // 2^-27: x³/6 is below half an ulp of x
const ONE_SIDED = 22; // from here on e^−2x < 2^-63

/** Hyperbolic sine. */
export function sinh(x: number): number {
  const ax = Math.abs(x);
  if (ax <= 1) {
    if (ax < TINY) return x;
    const z = x * x;
    return x + x * z * sinhTail(z);
  }
  if (!(ax < 711)) return x * Number.POSITIVE_INFINITY; // NaN stays NaN
  const k = exponentialParts(ax, 0) - 1;
  let result: number;
  if (ax < ONE_SIDED) {
    const scale = POWERS_OF_TWO[k + 1022];
    const a = PARTS[0] * scale; // a + b = eˣ/2
    const b = PARTS[1] * scale;
    result = a + (b - 0.25 / (a + b));
  } else result = scaleByPowerOfTwo(PARTS[0] + PARTS[1], k);
  return x < 0 ? -result : result;
}

/** Hyperbolic cosine. */
export function cosh(x: number): number {
  const ax = Math.abs(x);
  if (ax <= 0.5) {
    const z = x * x;
    return 1 + (0.5 * z + z * z * coshTail(z));
  }
  if (!(ax < 711)) return ax * Number.POSITIVE_INFINITY;
  const k = exponentialParts(ax, 0) - 1;
  if (ax >= ONE_SIDED) return scaleByPowerOfTwo(PARTS[0] + PARTS[1], k);
  const scale = POWERS_OF_TWO[k + 1022];
  const a = PARTS[0] * scale;
  const b = PARTS[1] * scale;
  return a + (b + 0.25 / (a + b));
}

/** Hyperbolic tangent. */
export function tanh(x: number): number {
  const ax = Math.abs(x);
  if (ax <= 0.5) {
    if (ax < TINY) return x;
    const z = x * x;
    return x + x * z * tanhTail(z);
  }
  if (!(ax < ONE_SIDED)) return x > 0 ? 1 : x < 0 ? -1 : x;
  // d = e²ˣ + 1 in two doubles, t = 2/d with its residual
  const scale = POWERS_OF_TWO[exponentialParts(2 * ax, 0) + 1022];
  const power = PARTS[0] * scale;
  const sum = power + 1;
  const rest = power - sum + 1 + PARTS[1] * scale;
  const d = sum + rest;
  const dLow = sum - d + rest;
  const t = 2 / d;
  const p = t * d;
  const tLow = (2 - p - productError(t, d, p) - t * dLow) / d;
  const leading = 1 - t;
  const result = leading + (1 - leading - t - tLow);
  return x < 0 ? -result : result;
}

/** (sinh x − x)/x³ as a function of z = x² ≤ 1; error 2^-62 of sinh x. */
function sinhTail(z: number): number {
  const w = z * z;
  const even =
    0.16666666666666669 + w * (0.00019841269841425354 + w * (2.5052123477359666e-8 + w * 7.760411617749028e-13));
  const odd = 0.008333333333333174 + w * (2.7557319156695965e-6 + w * 1.605721707647952e-10);
  return even + z * odd;
}

/** (cosh x − 1 − x²/2)/x⁴ as a function of z = x² ≤ 1/4; error 2^-61 of cosh x. */
const coshTail = (z: number): number =>
  0.041666666666666886 +
  z * (0.0013888888888739658 + z * (2.480158759368613e-5 + z * (2.7557081122060857e-7 + z * 2.0962957689070267e-9)));

/** (tanh x − x)/x³ as a function of z = x² ≤ 1/4; error 2^-62 of tanh x. */
function tanhTail(z: number): number {
  const w = z * z;
  const even =
    -0.3333333333333333 +
    w *
      (-0.05396825396755862 +
        w *
          (-0.008863234742787177 +
            w * (-0.0014557120391858437 + w * (-0.00023555338742901452 - w * 2.1871986268862967e-5))));
  const odd =
    0.13333333333332614 +
    w * (0.021869488504883933 + w * (0.0035921158416561652 + w * (0.0005892144492655863 + w * 8.677494239079511e-5)));
  return even + z * odd;
}
