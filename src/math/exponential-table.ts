/** 2^(i/128) for i = 0 … 127 as pairs high, low */
import { BITS, exactly, fixedSqrt, ONE, rounded } from './fixed-point.js';

export const EXPONENTIALS = /* @__PURE__ */ exponentials();

function exponentials(): Float64Array {
  let root = 2n * ONE;
  for (let k = 0; k < 7; k++) root = fixedSqrt(root);
  const table = new Float64Array(256);
  for (let i = 0, power = ONE; i < 128; i++, power = (power * root) >> BITS) {
    table[2 * i] = rounded(power);
    table[2 * i + 1] = rounded(power - exactly(table[2 * i]));
  }
  return table;
}
