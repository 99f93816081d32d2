/**
 * Least squares for parameters that are positive: their logarithms are varied, by levenberg-marquardt.ts.
 * The covariance of the logarithms is s² (JᵀJ)⁻¹, s² the mean square of what is left over per degree of freedom.
 */

import { ModelError } from '../errors.js';
import { exp, log } from '../math/elementary.js';
import { levenbergMarquardt } from './search/levenberg-marquardt.js';
import { search } from './search/search.js';

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
  mostIterations = 60,
): Fit {
  for (const [i, value] of start.entries())
    if (!(value > 0)) throw new ModelError(`start[${i}]`, `expected a value > 0, got ${value}`);
  const fit = search(
    levenbergMarquardt(
      start.map((value) => log(value)),
      // a logarithm of 0 is no small one; no value more than e-fold in one step
      { mostIterations, longestStep: 1, difference: 1e-5, scales: start.map(() => 1e3) },
    ),
    (point) => residuals(point.map((v) => exp(v))),
  );
  if (!fit) throw new ModelError('start', 'the residuals at the start are not all numbers');
  return {
    values: fit.point.map((v) => exp(v)),
    relativeDeviations: fit.deviations,
    covariance: [...fit.covariance],
    before: Math.sqrt(fit.before / fit.residuals.length),
    after: Math.sqrt(fit.squares / fit.residuals.length),
    iterations: fit.iterations,
  };
}
