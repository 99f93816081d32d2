/**
 * Sobol indices: which share of an output's variance a parameter has alone (S) and with all others (S_T). From two independent sets A and B of n points and, for each
 * parameter i, A with column i of B:
 *
 *   S_i = (1/n) Σ f(B) (f(AB_i) − f(A)) / V            Saltelli et al. (2010), doi 10.1016/j.cpc.2009.09.018, table 2 (b)
 *   S_Ti = (1/2n) Σ (f(A) − f(AB_i))² / V              Jansen (1999); the same, (f)
 *
 * with values taken from their mean, which takes nothing from the expectation and much from its noise. Points are Sobol's of twice as many dimensions, shifted by
 * the seed; bars are 95 % of a bootstrap over the n rows.
 */
import { random } from '../../math/random.js';
import { sobolPoints } from '../designs/sobol-sequence.js';

const RESAMPLES = 200;

/** A, B, AB_1 … AB_d one after another, n points each */
export function saltelliPoints(samples: number, dimensions: number, seed: number | string): Float64Array[] {
  const wide = sobolPoints(samples, 2 * dimensions, { seed });
  const a = wide.map((x) => x.slice(0, dimensions));
  const b = wide.map((x) => x.slice(dimensions));
  const mixed = Array.from({ length: dimensions }, (_, i) =>
    a.map((x, row) => {
      const point = x.slice();
      point[i] = b[row][i];
      return point;
    }),
  );
  return [...a, ...b, ...mixed.flat()];
}

export interface SobolIndex {
  readonly first: number;
  readonly total: number;
  /** Half widths of 95 % intervals */
  readonly firstBar: number;
  readonly totalBar: number;
}

export interface SobolIndices {
  readonly variance: number;
  readonly indices: readonly SobolIndex[];
  /** Rows of which all runs came through */
  readonly rows: number;
}

/** @param values of `saltelliPoints`, in their order; NaN where the run failed */
export function sobolIndices(values: readonly number[], dimensions: number, seed: number | string): SobolIndices {
  const n = values.length / (dimensions + 2);
  const whole = Array.from({ length: n }, (_, row) => row).filter((row) =>
    Array.from({ length: dimensions + 2 }, (_, k) => values[k * n + row]).every(Number.isFinite),
  );
  const estimate = (rows: ArrayLike<number>): { variance: number; first: number[]; total: number[] } => {
    let [sum, square] = [0, 0];
    for (let k = 0; k < rows.length; k++) sum += values[rows[k]] + values[n + rows[k]];
    const mean = sum / (2 * rows.length);
    for (let k = 0; k < rows.length; k++) {
      const [a, b] = [values[rows[k]] - mean, values[n + rows[k]] - mean];
      square += a * a + b * b;
    }
    const variance = square / (2 * rows.length - 1);
    const first: number[] = [];
    const total: number[] = [];
    for (let i = 0; i < dimensions; i++) {
      let [s, t] = [0, 0];
      for (let k = 0; k < rows.length; k++) {
        const a = values[rows[k]] - mean;
        const b = values[n + rows[k]] - mean;
        const mixed = values[(2 + i) * n + rows[k]] - mean;
        s += b * (mixed - a);
        t += (a - mixed) * (a - mixed);
      }
      first.push(variance > 0 ? s / rows.length / variance : Number.NaN);
      total.push(variance > 0 ? t / (2 * rows.length) / variance : Number.NaN);
    }
    return { variance, first, total };
  };
  const { variance, first, total } = estimate(whole);
  const draw = random(seed).fork('bootstrap');
  const again = Array.from({ length: RESAMPLES }, () =>
    estimate(Int32Array.from(whole, () => whole[draw.integer(whole.length)])),
  );
  const bar = (of: (one: (typeof again)[number]) => number): number => {
    const list = again.map(of);
    const mean = list.reduce((sum, v) => sum + v, 0) / list.length;
    return 1.96 * Math.sqrt(list.reduce((sum, v) => sum + (v - mean) * (v - mean), 0) / (list.length - 1));
  };
  return {
    variance,
    rows: whole.length,
    indices: first.map((_, i) => ({
      first: first[i],
      total: total[i],
      firstBar: bar((one) => one.first[i]),
      totalBar: bar((one) => one.total[i]),
    })),
  };
}
