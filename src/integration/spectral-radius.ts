/**
 * Spectral radius of ∂f/∂y along a solution: a power iteration with difference quotients, one product and one evaluation a step,
 * v ← J v. Its direction is kept from step to step, so it converges while the solution goes on.
 * |J v|/|v| alternates for oscillators (position and velocity differ in size): the geometric mean of two neighbours does not.
 */
import type { Workshop } from './one-step-method.js';

export class SpectralRadius {
  readonly #work: Workshop;
  readonly #v: Float64Array;
  readonly #moved: Float64Array;
  #started = false;
  #previous = 0;

  constructor(work: Workshop) {
    this.#work = work;
    this.#v = new Float64Array(work.problem.size);
    this.#moved = new Float64Array(work.problem.size);
  }

  forget(): void {
    this.#started = false;
    this.#previous = 0;
  }

  /** The estimate after one more product at (t, y), rates f; ∞ before there are two. */
  refine(t: number, y: Float64Array, f: Float64Array): number {
    const { rates, measure } = this.#work;
    const v = this.#v;
    const moved = this.#moved;
    if (!this.#started) {
      // no component without a share, signs in no simple pattern
      for (let i = 0; i < v.length; i++)
        v[i] = ((i * 7) % 5 < 2 ? -1 : 1) * measure.tolerance(i, Math.max(Math.abs(y[i]), Number.EPSILON));
      this.#started = true;
    }
    // moved by one tolerance: small, and well above rounding
    const before = measure.norm(v, y, y);
    if (!(before > 0 && before < Number.POSITIVE_INFINITY)) {
      this.forget();
      return Number.POSITIVE_INFINITY;
    }
    for (let i = 0; i < v.length; i++) moved[i] = y[i] + v[i] / before;
    rates.evaluate(t, moved, v);
    for (let i = 0; i < v.length; i++) v[i] -= f[i];
    const ratio = measure.norm(v, y, y);
    const estimate = this.#previous > 0 ? Math.sqrt(ratio * this.#previous) : Number.POSITIVE_INFINITY;
    this.#previous = ratio;
    return Number.isFinite(ratio) ? estimate : Number.POSITIVE_INFINITY;
  }
}
