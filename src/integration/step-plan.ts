/**
 * Where the next step ends: as the error control proposed it, but not beyond what the problem or a function it was given allows, nor beyond the limit. Steps
 * of one length end on a grid of times.
 */
import { firstStep } from './first-step.js';
import type { FunctionProbe } from './function-probe.js';
import type { StepOptions } from './integration-options.js';
import type { OneStepMethod, Workshop } from './one-step-method.js';

export class StepPlan {
  /** The step that error control would make, had nothing cut it */
  wanted = 0;
  /** The limit, or a jump, is nearer than that. */
  cut = false;
  /** Fixed steps are counted from here, so that times do not drift */
  #anchor: number;
  #sinceAnchor = 0;
  /** Step to try next, 0: not chosen yet */
  h: number;
  readonly #work: Workshop;
  readonly #options: StepOptions;
  readonly #probe: FunctionProbe | undefined;

  constructor(work: Workshop, options: StepOptions, probe: FunctionProbe | undefined, h: number) {
    this.#work = work;
    this.#options = options;
    this.#probe = probe;
    this.#anchor = options.t0;
    this.h = h;
  }

  /** Fixed steps go on from here. */
  countFrom(t: number): void {
    this.#anchor = t;
    this.#sinceAnchor = 0;
  }

  /** End of the step to try from (t, y) with the rates f; t itself where a jump is right there. Sets `wanted` and `cut`. */
  end(method: OneStepMethod, t: number, y: Float64Array, f: Float64Array, limit: number, shortest: number): number {
    const { problem } = this.#work;
    if (!method.adaptive) return this.#fixedEnd(t, y, f, limit);
    const longest = Math.min(
      this.#options.hMax ?? Number.POSITIVE_INFINITY,
      problem.stepLimit?.(t, y, f, this.h === 0 ? limit - t : Math.min(this.h, limit - t)) ?? Number.POSITIVE_INFINITY,
    );
    if (this.h === 0) this.h = firstStep(this.#work, t, y, f, method.order, Math.min(longest, limit - t));
    this.wanted = Math.max(Math.min(this.h, longest), shortest);
    this.cut = this.wanted > limit - t;
    // a little longer rather than leaving a tiny rest
    const end = 1.01 * this.wanted >= limit - t ? limit : t + this.wanted;
    const probe = this.#probe;
    if (!probe) return end;
    probe.surveyAhead(t, y, this.#options.probe!.until);
    const allowed = probe.ahead(t, y, end, limit);
    if (allowed < end) this.cut = true;
    return allowed;
  }

  #fixedEnd(t: number, y: Float64Array, f: Float64Array, limit: number): number {
    const step = this.#options.fixedStep!;
    const end = this.#anchor + (this.#sinceAnchor + 1) * step;
    this.cut = end > limit + 1e-9 * step;
    // What the guard does not let pass is gone in shorter steps; the grid of times stays.
    const h = Math.min(end, limit) - t;
    const guarded = this.#work.problem.stepLimit?.(t, y, f, h) ?? h;
    if (guarded < (1 - 1e-9) * h) {
      this.cut = true;
      return t + Math.max(guarded, 1e-3 * h);
    }
    if (end < limit - 1e-9 * step) {
      this.#sinceAnchor++;
      return end;
    }
    this.countFrom(limit);
    return limit;
  }

  /** Shortest step from t that is tried */
  shortest(t: number, limit: number): number {
    return Math.max(this.#options.hMin ?? 0, this.resolution(t, limit));
  }

  /** 16 ulp of t; near t = 0 what is nothing against the whole time. */
  resolution(t: number, limit: number): number {
    const { EPSILON } = Number;
    return EPSILON * Math.max(16 * Math.abs(t), EPSILON * Math.abs(limit - this.#options.t0));
  }
}
