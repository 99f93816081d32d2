/**
 * Sobol's sequence: points that fill the unit cube evenly, whatever their number, best at powers of two.
 *
 *   x_i = Σ over the bits of the Gray code of i of the direction numbers v_k,   v_k = m_k/2^k,
 *   m_k = 2 a₁ m_{k−1} ⊕ 2² a₂ m_{k−2} ⊕ … ⊕ 2^s m_{k−s} ⊕ m_{k−s}
 *
 * Point 0 is the corner (0, …, 0) and is kept: leaving it out spoils the balance (Owen 2021). With a seed every coordinate is shifted digit by
 * digit (⊕ with a random number), which keeps the evenness and makes points of different seeds independent: that is where error bars come from.
 * Antonov & Saleev (1979) for the order by Gray code; Joe & Kuo (2008) for the numbers.
 */
import { ModelError } from '../../errors.js';
import { random } from '../../math/random.js';
import { DIRECTIONS } from './sobol-directions.js';

const BITS = 32;
export const MOST_DIMENSIONS = DIRECTIONS.length + 1;

export interface SobolOptions {
  /** Shifts the points; none unless given */
  readonly seed?: number | string;
}

/** The first `count` points of [0, 1)^dimensions. */
export function sobolPoints(count: number, dimensions: number, { seed }: SobolOptions = {}): Float64Array[] {
  if (!(dimensions >= 1 && dimensions <= MOST_DIMENSIONS))
    throw new ModelError(
      'design',
      `Sobol's sequence is known for 1 to ${MOST_DIMENSIONS} parameters, got ${dimensions}`,
    );
  if (!(count >= 1 && count <= 2 ** BITS))
    throw new ModelError('design.runs', `expected 1 to 2^32 points, got ${count}`);
  const directions = Array.from({ length: dimensions }, (_, d) => directionNumbers(d));
  const draw = seed === undefined ? undefined : random(seed);
  const x = Uint32Array.from({ length: dimensions }, () => (draw ? draw.integer(2 ** BITS) : 0));
  const points: Float64Array[] = [];
  for (let i = 0; i < count; i++) {
    // a shifted point stands in the middle of its smallest box, so that none lies on the border
    points.push(Float64Array.from(x, (bits) => (bits + (draw ? 0.5 : 0)) / 2 ** BITS));
    const changed = lowestZero(i);
    if (changed < BITS) for (let d = 0; d < dimensions; d++) x[d] ^= directions[d][changed];
  }
  return points;
}

/** Index of the lowest bit of i that is 0: the digit in which the next Gray code differs */
function lowestZero(i: number): number {
  let [bit, rest] = [0, i];
  while (rest % 2 === 1) {
    rest = (rest - 1) / 2;
    bit++;
  }
  return bit;
}

/** v_1 … v_32 as whole numbers, 2^32 v */
function directionNumbers(dimension: number): Uint32Array {
  const v = new Uint32Array(BITS);
  if (dimension === 0) {
    for (let k = 0; k < BITS; k++) v[k] = 2 ** (BITS - 1 - k);
    return v;
  }
  const [degree, coefficients, start] = DIRECTIONS[dimension - 1];
  for (let k = 0; k < BITS; k++) {
    if (k < degree) {
      v[k] = start[k] * 2 ** (BITS - 1 - k);
      continue;
    }
    v[k] = v[k - degree] ^ (v[k - degree] >>> degree);
    for (let j = 1; j < degree; j++) if ((coefficients >> (degree - 1 - j)) & 1) v[k] ^= v[k - j];
  }
  return v;
}
