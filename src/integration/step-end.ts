/**
 * The end of a step, put back on the manifold of the problem, with the rates there. What that added to the method's own end is spread linearly over the
 * step, so that values in between lead up to it.
 */
import { firstNotFinite } from './error-measure.js';
import type { OneStepMethod, Workshop } from './one-step-method.js';

/** Of the error allowed: how much a projection may move an end whose rates the method has deduced, and keeps */
const LITTLE = 0.01;

export class StepEnd {
  readonly y: Float64Array;
  /** Rates at y */
  readonly f: Float64Array;
  readonly #work: Workshop;
  readonly #correction: Float64Array;
  #corrected = false;

  constructor(work: Workshop) {
    this.#work = work;
    const { size } = work.problem;
    this.y = new Float64Array(size);
    this.f = new Float64Array(size);
    this.#correction = new Float64Array(size);
  }

  /** Projects the end of the step just tried into y. False: the problem wants a shorter step. */
  project(method: OneStepMethod, end: number): boolean {
    const { y } = this;
    const correction = this.#correction;
    const { problem } = this.#work;
    y.set(method.y1);
    this.#corrected = false;
    if (!problem.project) return true;
    if (!problem.project(end, y) || firstNotFinite(y) >= 0) return false;
    for (let i = 0; i < y.length; i++) {
      correction[i] = y[i] - method.y1[i];
      if (correction[i] !== 0) this.#corrected = true;
    }
    return true;
  }

  /**
   * Rates at the projected end into f. Those of the method are taken if projection changed nothing, or for methods whose own are
   * worth more than evaluated ones while it changed little against the tolerance. False: not finite.
   */
  findRates(method: OneStepMethod, end: number): boolean {
    const { rates, measure } = this.#work;
    const keep =
      method.hasEndRates &&
      (!this.#corrected ||
        !method.adaptive ||
        (method.deducesEndRates && measure.norm(this.#correction, method.y0, method.y1) < LITTLE));
    if (keep) this.f.set(method.f1);
    else rates.evaluate(end, this.y, this.f);
    if (firstNotFinite(this.f) >= 0) return false;
    if (!method.hasEndRates) method.f1.set(this.f);
    return true;
  }

  /** Adds to a state at the part θ of the step what projection added there. */
  correct(theta: number, y: Float64Array): void {
    if (this.#corrected) for (let i = 0; i < y.length; i++) y[i] += theta * this.#correction[i];
  }
}
