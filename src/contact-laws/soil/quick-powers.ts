/**
 * Powers for laws whose numbers are tuned and whose force is asked for a million times: log₂ x to 3e-13 and 2ʸ to 2e-15 of it, a third of the cost of
 * functions that are right to the last bit (math/elementary.ts). The same bits in every engine: tables from those functions, then + − × only.
 *
 *   x = 2ᵏ m,  c ≈ 1/m at the middle of one of 128 intervals,  log₂ x = k − log₂ c + log₂(1 + r),  r = c m − 1,  |r| ≤ 2⁻⁸
 *   y = k + i/128 + f,  |f| ≤ 2⁻⁸,  2ʸ = 2ᵏ 2^(i/128) 2^f
 *   xᵖ of one exponent p = 2^(pk) c⁻ᵖ (1 + r)ᵖ: tables of the first two, binomial series of the last: what a logarithm alone costs
 */
import { POWERS_OF_TWO } from '../../math/binary.js';
import { exp, log, pow } from '../../math/elementary.js';

const INTERVALS = 128;
const LN2 = Math.LN2;
/** Per interval of m in [1, 2): 1/m at its middle, and −log₂ of that */
const INVERSES = new Float64Array(2 * INTERVALS);
const ROOTS = new Float64Array(INTERVALS);
for (let i = 0; i < INTERVALS; i++) {
  INVERSES[2 * i] = 1 / (1 + (i + 0.5) / INTERVALS);
  INVERSES[2 * i + 1] = -log(INVERSES[2 * i]) / LN2;
  ROOTS[i] = exp((i / INTERVALS) * LN2);
}

const number = new Float64Array(1);
const words = new Int32Array(number.buffer);
/** Which of the two words has the exponent */
number[0] = 1;
const HIGH = words[1] === 0 ? 0 : 1;

/** log₂ x of a normal double > 0 */
export function log2Of(x: number): number {
  number[0] = x;
  const high = words[HIGH];
  const k = high >> 20; // 1023 and the exponent
  const at = (high >> 12) & 254;
  const r = x * POWERS_OF_TWO[2045 - k] * INVERSES[at] - 1;
  const square = r * r;
  return (
    k -
    1023 +
    INVERSES[at + 1] +
    r * (Math.LOG2E - r * 0.7213475204444817 + square * (0.48089834696298783 - r * 0.36067376022224085))
  );
}

/** 2ʸ; 0 below −1022, and no more than 2¹⁰²³ */
export function exp2Of(y: number): number {
  if (!(y > -1022)) return 0;
  const n = Math.floor(Math.min(y, 1023) * INTERVALS + 0.5) | 0;
  const f = (y - n * (1 / INTERVALS)) * LN2;
  const square = f * f;
  const power = ROOTS[n & 127] * POWERS_OF_TWO[(n >> 7) + 1022];
  return power + power * (f + square * (0.5 + f * 0.16666666666666666 + square * 0.041666666666666664));
}

/** xᵖ for one p, to (p over 5) 2⁻⁴⁰: 3e-14 at 1.5, 2e-11 at −3 */
export class QuickPower {
  private readonly scales = new Float64Array(2047);
  private readonly roots = new Float64Array(INTERVALS);
  private readonly second: number;
  private readonly third: number;
  private readonly fourth: number;

  constructor(private readonly p: number) {
    for (let k = 0; k < this.scales.length; k++) this.scales[k] = pow(2, p * (k - 1023));
    for (let i = 0; i < INTERVALS; i++) this.roots[i] = pow(1 / INVERSES[2 * i], p);
    this.second = (p * (p - 1)) / 2;
    this.third = (this.second * (p - 2)) / 3;
    this.fourth = (this.third * (p - 3)) / 4;
  }

  /** Of a normal double > 0 */
  of(x: number): number {
    number[0] = x;
    const high = words[HIGH];
    const k = high >> 20;
    const i = (high >> 13) & 127;
    const r = x * POWERS_OF_TWO[2045 - k] * INVERSES[2 * i] - 1;
    const square = r * r;
    return (
      this.scales[k] * this.roots[i] * (1 + r * this.p + square * (this.second + r * this.third + square * this.fourth))
    );
  }
}
