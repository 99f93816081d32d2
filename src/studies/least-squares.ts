/**
 * Least squares by Levenberg & Marquardt, for parameters that are positive: their logarithms are varied. Derivatives are forward differences.
 * The covariance of the logarithms is s² (JᵀJ)⁻¹, s² the mean square of what is left over per degree of freedom.
 */

import { ModelError } from '../errors.js';
import { exp, log } from '../math/elementary.js';

export interface Fit {
  readonly values: number[];
  /** Of each value, relative: standard deviation of its logarithm; ∞ where the data do not tell it */
  readonly relativeDeviations: number[];
  /** Of the logarithms, row by row */
  readonly covariance: number[];
  /** Root mean square of the residuals at the start and at the end */
  readonly before: number;
  readonly after: number;
  readonly iterations: number;
}

export function leastSquares(
  residuals: (values: readonly number[]) => readonly number[],
  start: readonly number[],
  most = 60,
): Fit {
  const n = start.length;
  for (const [i, value] of start.entries())
    if (!(value > 0)) throw new ModelError(`start[${i}]`, `expected a value > 0, got ${value}`);
  let x = start.map((value) => log(value));
  const at = (point: readonly number[]): readonly number[] => residuals(point.map((v) => exp(v)));
  const norm = (r: readonly number[]): number => r.reduce((sum, v) => sum + v * v, 0);
  let r = at(x);
  const first = norm(r);
  let [cost, damping, iterations] = [first, 1e-2, 0];
  let normal = new Float64Array(n * n);
  for (; iterations < most; iterations++) {
    const columns = x.map((_, k) => {
      const moved = [...x];
      moved[k] += 1e-5;
      return at(moved).map((v, i) => (v - r[i]) / 1e-5);
    });
    normal = new Float64Array(n * n);
    const right = new Float64Array(n);
    for (let a = 0; a < n; a++) {
      for (let b = 0; b < n; b++) normal[n * a + b] = columns[a].reduce((sum, v, i) => sum + v * columns[b][i], 0);
      right[a] = -columns[a].reduce((sum, v, i) => sum + v * r[i], 0);
    }
    let better = false;
    for (let tries = 0; tries < 12 && !better; tries++) {
      const step = solve(normal, right, n, damping);
      const moved = x.map((v, k) => v + Math.max(-1, Math.min(1, step[k])));
      const there = at(moved);
      const value = norm(there);
      if (value < cost) {
        better = true;
        const gain = cost - value;
        [x, r, cost, damping] = [moved, there, value, damping / 5];
        if (gain < 1e-10 * first) iterations = most;
      } else damping *= 4;
    }
    if (!better) break;
  }
  const spread = cost / Math.max(1, r.length - n);
  const covariance = inverse(normal, n).map((v) => v * spread);
  return {
    values: x.map((v) => exp(v)),
    relativeDeviations: x.map((_, k) => Math.sqrt(Math.max(0, covariance[n * k + k]))),
    covariance,
    before: Math.sqrt(first / r.length),
    after: Math.sqrt(cost / r.length),
    iterations,
  };
}

/** (A + λ diag A) x = b by Gauss; A symmetric, positive */
function solve(A: Float64Array, b: Float64Array, n: number, damping: number): number[] {
  const m = Array.from({ length: n }, (_, i) => [...A.subarray(n * i, n * i + n), b[i]]);
  for (let i = 0; i < n; i++) m[i][i] += damping * m[i][i] + 1e-14;
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let k = i + 1; k < n; k++) if (Math.abs(m[k][i]) > Math.abs(m[pivot][i])) pivot = k;
    [m[i], m[pivot]] = [m[pivot], m[i]];
    for (let k = 0; k < n; k++) {
      if (k === i) continue;
      const factor = m[k][i] / m[i][i];
      for (let j = i; j <= n; j++) m[k][j] -= factor * m[i][j];
    }
  }
  return m.map((row, i) => row[n] / row[i]);
}

function inverse(A: Float64Array, n: number): number[] {
  const result = new Array<number>(n * n).fill(0);
  for (let k = 0; k < n; k++) {
    const unit = new Float64Array(n);
    unit[k] = 1;
    for (const [i, v] of solve(A, unit, n, 0).entries()) result[n * i + k] = v;
  }
  return result;
}
