/**
 * The linear solver of problems without structure: J as a dense matrix, from the problem's `jacobian` or by finite differences
 * (n evaluations of the rates), and LU of I − e J.
 *
 * Differences are one-sided with δ_j = √ε · max(|y_j|, atol_j/rtol_j): atol/rtol is the size below which a component counts as small.
 * √ε balances rounding against curvature, so J is good to about 8 digits, enough for a Rosenbrock method.
 */
import { factoriseLu, solveLu } from '../math/dense-lu.js';
import type { ErrorMeasure } from './error-measure.js';
import type { LinearSolver, Problem } from './problem.js';
import type { Rates } from './statistics.js';

const ROOT_EPSILON = Math.sqrt(Number.EPSILON);

export class DenseLinearSolver implements LinearSolver {
  /** Row-major: ∂f_i/∂y_j at [i · size + j] */
  readonly jacobian: Float64Array;
  readonly #size: number;
  readonly #problem: Problem;
  readonly #rates: Rates;
  readonly #measure: ErrorMeasure;
  readonly #lu: Float64Array;
  readonly #pivots: Int32Array;
  readonly #moved: Float64Array;
  readonly #there: Float64Array;

  constructor(problem: Problem, rates: Rates, measure: ErrorMeasure) {
    const n = problem.size;
    this.#size = n;
    this.#problem = problem;
    this.#rates = rates;
    this.#measure = measure;
    this.jacobian = new Float64Array(n * n);
    this.#lu = new Float64Array(n * n);
    this.#pivots = new Int32Array(n);
    this.#moved = new Float64Array(n);
    this.#there = new Float64Array(n);
  }

  linearise(t: number, y: Float64Array, f: Float64Array, byTime: Float64Array): void {
    this.lineariseInState(t, y, f);
    const n = this.#size;
    const there = this.#there;
    const later = t + ROOT_EPSILON * Math.max(Math.abs(t), 1e-3);
    this.#rates.evaluate(later, y, there);
    const inverse = 1 / (later - t);
    for (let i = 0; i < n; i++) byTime[i] = (there[i] - f[i]) * inverse;
  }

  /** J alone, where ∂f/∂t is not needed. */
  lineariseInState(t: number, y: Float64Array, f: Float64Array): void {
    const n = this.#size;
    if (this.#problem.jacobian) {
      this.#problem.jacobian(t, y, this.jacobian);
      return;
    }
    const { rtol, atol, strictness } = this.#measure;
    const moved = this.#moved;
    const there = this.#there;
    moved.set(y);
    for (let j = 0; j < n; j++) {
      const small = atol[j] / (rtol[j] > 0 ? rtol[j] : strictness);
      const step = ROOT_EPSILON * Math.max(Math.abs(y[j]), small, 1e-30);
      // towards where y is going, so that a kink just behind does not count
      moved[j] = y[j] + (f[j] < 0 ? -step : step);
      const inverse = 1 / (moved[j] - y[j]); // the step as rounded
      this.#rates.evaluate(t, moved, there);
      for (let i = 0; i < n; i++) this.jacobian[i * n + j] = (there[i] - f[i]) * inverse;
      moved[j] = y[j];
    }
  }

  factorise(e: number): boolean {
    const n = this.#size;
    const lu = this.#lu;
    for (let i = 0; i < n * n; i++) lu[i] = -e * this.jacobian[i];
    for (let i = 0; i < n; i++) lu[i * n + i] += 1;
    return factoriseLu(lu, n, this.#pivots);
  }

  solve(r: Float64Array): void {
    solveLu(this.#lu, this.#size, this.#pivots, r);
  }
}
