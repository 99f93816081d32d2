/**
 * One fingerprint of all elementary functions: engines that agree on it give the same bits for every function.
 *
 * Arguments come from a seeded generator: all exponents, the usual ranges, neighbours of 1, and for pow the exponents
 * whose results fill the range of doubles.
 */

import { POWERS_OF_TWO } from './binary.js';
import {
  acos,
  asin,
  atan,
  atan2,
  cbrt,
  cos,
  cosh,
  exp,
  expm1,
  hypot,
  log,
  log1p,
  pow,
  sin,
  sinh,
  tan,
  tanh,
} from './elementary.js';
import { Hash } from './hash.js';
import { random } from './random.js';

export const ELEMENTARY = {
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  exp,
  expm1,
  log,
  log1p,
  pow,
  sinh,
  cosh,
  tanh,
  cbrt,
  hypot,
};

/**
 * @param count     arguments for each function
 * @param functions to be hashed; others than ours only to try the hash itself
 * @returns 16 hexadecimal digits
 */
export function elementaryHash(count = 1_000_000, functions: typeof ELEMENTARY = ELEMENTARY): string {
  const f = functions;
  const draw = random('elementary functions');
  const hash = new Hash();
  for (let i = 0; i < count; i++) {
    const u = draw.uniformBetween(-1, 1);
    // any exponent, subnormals included
    const sign = u < 0 ? -1 : 1;
    const wide =
      sign * (1 + draw.uniform()) * POWERS_OF_TWO[draw.integer(2046)] * (i % 32 === 0 ? 1.1102230246251565e-16 : 1);
    const usual = 20 * draw.uniformBetween(-1, 1);
    const nearOne = 1 + u * POWERS_OF_TWO[1022 - draw.integer(52)];
    const x = i % 4 === 0 ? wide : i % 4 === 1 ? u : i % 4 === 2 ? usual : nearOne;
    hash.number(f.sin(x)).number(f.cos(x)).number(f.tan(x)).number(f.atan(x)).number(f.cbrt(x)).number(f.tanh(x));
    const arc = i % 2 === 0 ? u : 2 - Math.abs(nearOne);
    hash.number(f.asin(arc)).number(f.acos(arc));
    const exponent = i % 2 === 0 ? 745 * u : x;
    hash.number(f.exp(exponent)).number(f.expm1(exponent)).number(f.sinh(exponent)).number(f.cosh(exponent));
    const positive = Math.abs(x);
    hash.number(f.log(positive)).number(f.log1p(i % 2 === 0 ? positive : x));
    hash.number(f.atan2(u * x, i % 8 < 4 ? usual : wide)).number(f.hypot(u * wide, i % 8 < 4 ? wide : x));
    hash.number(f.pow(positive, i % 2 === 0 ? usual : (745 * u) / log(positive)));
  }
  return hash.hex();
}
