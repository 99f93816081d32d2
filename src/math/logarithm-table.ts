/**
 * Triples c, high, low with c ≈ 1/m for the 128 intervals of m in [0.6875, 1.375) and −log c = high + low.
 * c is the multiple of 2^-10 nearest 1/m in the middle of the interval, 1 on both sides of m = 1; high is a multiple of 2^-42.
 */
import { exactly, fixedLogarithm, rounded } from './fixed-point.js';

const FINEST = 0x400_0000_0000; // 2^42
export const LOGARITHMS = /* @__PURE__ */ logarithms();

function logarithms(): Float64Array {
  const table = new Float64Array(384);
  for (let i = 0; i < 128; i++) {
    const middle = i < 80 ? 0.6875 + (i + 0.5) / 256 : 1 + (i - 79.5) / 128;
    const c = i === 79 || i === 80 ? 1024 : Math.round(1024 / middle);
    const exact = fixedLogarithm(1024n, BigInt(c));
    const high = Math.round(rounded(exact) * FINEST) / FINEST;
    table.set([c / 1024, high, rounded(exact - exactly(high))], 3 * i);
  }
  return table;
}
