/**
 * How large an error is: in the problem's own norm, or the largest component against its tolerance,
 *
 *   max_i |error_i| / (atol_i + rtol_i max(|before_i|, |after_i|)),   ≤ 1 is acceptable.
 *
 * The maximum rather than the root mean square: one ball that hits the ground among a thousand at rest is not averaged away,
 * and a system has the same steps alone as beside a copy of itself.
 */
import { ModelError } from '../errors.js';
import type { Problem } from './problem.js';

/** Tolerances for all components, or one per component. */
export interface Tolerances {
  /** Relative; 1e-6 unless said. */
  readonly rtol?: number | ArrayLike<number>;
  /** Absolute, in the unit of the component; a thousandth of rtol unless said, so values below 0.001 count as small. */
  readonly atol?: number | ArrayLike<number>;
}

export class ErrorMeasure {
  readonly rtol: Float64Array;
  readonly atol: Float64Array;
  /** Smallest positive relative tolerance: how strict the run is as a whole; 1e-6 if all are zero. */
  readonly strictness: number;
  readonly #problem: Problem;

  constructor(problem: Problem, { rtol = 1e-6, atol }: Tolerances = {}) {
    this.#problem = problem;
    this.rtol = perComponent('rtol', rtol, problem.size);
    this.atol =
      atol === undefined ? this.rtol.map((relative) => 1e-3 * relative) : perComponent('atol', atol, problem.size);
    let strictness = Number.POSITIVE_INFINITY;
    for (let i = 0; i < problem.size; i++) {
      if (this.rtol[i] > 0) strictness = Math.min(strictness, this.rtol[i]);
      if (!(this.rtol[i] + this.atol[i] > 0))
        throw new ModelError(`atol[${i}]`, 'expected rtol or atol > 0, got 0 for both; no step could satisfy that');
    }
    this.strictness = strictness < 1 ? strictness : 1e-6;
  }

  /** NaN if any component is. */
  norm(error: Float64Array, before: Float64Array, after: Float64Array): number {
    if (this.#problem.errorNorm) return this.#problem.errorNorm(error, before, after);
    const { atol, rtol } = this;
    let largest = 0;
    for (let i = 0; i < error.length; i++) {
      const size = Math.abs(error[i]);
      if (size === 0) continue; // 0/0 with atol = 0
      const ratio = size / (atol[i] + rtol[i] * Math.max(Math.abs(before[i]), Math.abs(after[i])));
      if (!(ratio <= largest)) {
        if (!(ratio >= 0)) return Number.NaN;
        largest = ratio;
      }
    }
    return largest;
  }

  /** Component that decided `norm`. */
  worst(error: Float64Array, before: Float64Array, after: Float64Array): number {
    if (this.#problem.worstComponent) return this.#problem.worstComponent(error, before, after);
    let worst = -1;
    let largest = -1;
    for (let i = 0; i < error.length; i++) {
      const ratio = Math.abs(error[i]) / this.tolerance(i, Math.max(Math.abs(before[i]), Math.abs(after[i])));
      if (Number.isNaN(ratio) && error[i] !== 0) return i;
      if (ratio > largest) {
        largest = ratio;
        worst = i;
      }
    }
    return worst;
  }

  tolerance(i: number, size: number): number {
    return this.atol[i] + this.rtol[i] * size;
  }
}

/** First component that is not finite, or −1. */
export function firstNotFinite(y: Float64Array): number {
  for (let i = 0; i < y.length; i++) if (!Number.isFinite(y[i])) return i;
  return -1;
}

function perComponent(name: string, value: number | ArrayLike<number>, size: number): Float64Array {
  const all = typeof value === 'number' ? new Float64Array(size).fill(value) : Float64Array.from(value);
  if (all.length !== size)
    throw new ModelError(name, `expected one number, or ${size} of them, one per component; got ${all.length}`);
  all.forEach((v, i) => {
    if (!(v >= 0 && v < Number.POSITIVE_INFINITY))
      throw new ModelError(typeof value === 'number' ? name : `${name}[${i}]`, `expected a number ≥ 0, got ${v}`);
  });
  return all;
}
