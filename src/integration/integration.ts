/**
 * The loop around a method: tries a step, accepts it or tries a shorter one, puts the state back on its manifold, locates zero
 * crossings, hands out values in between. `Integration` can be stopped anywhere and continued; `integrate` runs one to its end.
 */
import { ModelError } from '../errors.js';
import { Crossings, type LocatedCrossing } from './crossings.js';
import { DenseLinearSolver } from './dense-linear-solver.js';
import { ErrorMeasure, firstNotFinite } from './error-measure.js';
import { firstStep } from './first-step.js';
import { FunctionProbe } from './function-probe.js';
import { IntegrationError } from './integration-error.js';
import { type Cause, chatter, noProgress, ratesNotFinite, stepTooSmall } from './integration-failure.js';
import { checkOptions, type StepOptions } from './integration-options.js';
import { MethodChoice, type StiffMethodName } from './method-choice.js';
import type { MethodName } from './method-name.js';
import type { OneStepMethod, StageQuadrature, Workshop } from './one-step-method.js';
import type { Problem } from './problem.js';
import { ProgressWatch } from './progress-watch.js';
import { noStatistics, Rates, type Statistics } from './statistics.js';
import { StepJumps } from './step-jumps.js';

export interface IntegrationOptions extends StepOptions {
  /** After every accepted step, from `integration.tPrevious` to `integration.t`. */
  readonly onStep?: (integration: Integration) => void;
  readonly onCrossing?: (located: LocatedCrossing, integration: Integration) => void;
}

/** What is left of a step whose end could not be put back on its manifold. */
const AFTER_PROJECTION = 0.7;

/** A step is cut this often to the place of a jump with the state before it is halved. */
const MOST_LANDINGS = 4;

/** Why `advance` returned. */
export type Outcome = 'end' | 'crossing' | 'stopped';

export class Integration {
  /** Start of the last accepted step. */
  tPrevious: number;
  t: number;
  /** State at t; change it only through `restart`. */
  readonly y: Float64Array;
  /** Crossings located in the last step, in order of time; reused by the next. */
  located: readonly LocatedCrossing[] = [];
  readonly statistics: Statistics;

  readonly #problem: Problem;
  readonly #options: IntegrationOptions;
  readonly #work: Workshop;
  readonly #choice: MethodChoice;
  readonly #crossings: Crossings | undefined;
  readonly #probe: FunctionProbe | undefined;
  readonly #jumps: StepJumps;
  readonly #progress = new ProgressWatch();
  /** Rates at (t, y), if known */
  readonly #f: Float64Array;
  #ratesKnown = false;
  /** Step to try next, 0: not chosen yet */
  #h: number;
  #planned = 0;
  #cut = false;
  /** End of the last step as the method made it; beyond t if a crossing cut it */
  #methodEnd: number;
  /** What projection added to the end of the last step, spread linearly over it in between */
  readonly #correction: Float64Array;
  #corrected = false;
  readonly #projected: Float64Array;
  readonly #sampled: Float64Array;
  /** The method that made the last step */
  #maker: OneStepMethod;
  /** Fixed steps are counted from here, so that times do not drift */
  #anchor: number;
  #sinceAnchor = 0;
  #nextOutput = 0;

  constructor(problem: Problem, options: IntegrationOptions) {
    const n = problem.size;
    checkOptions(problem, options);
    this.#problem = problem;
    this.#options = options;
    this.statistics = options.statistics ?? noStatistics();
    this.t = this.tPrevious = this.#methodEnd = this.#anchor = options.t0;
    this.y = Float64Array.from(options.y0);
    const rates = new Rates(problem, this.statistics);
    const measure = new ErrorMeasure(problem, options);
    const linear = problem.linear ?? new DenseLinearSolver(problem, rates, measure);
    this.#work = { problem, rates, measure, linear, statistics: this.statistics };
    this.#choice = new MethodChoice(this.#work, options.method ?? 'automatic', options.stiffMethod ?? 'rodas4');
    this.#maker = this.#choice.current;
    this.#jumps = new StepJumps(this.#work);
    this.#f = new Float64Array(n);
    this.#correction = new Float64Array(n);
    this.#projected = new Float64Array(n);
    this.#sampled = new Float64Array(n);
    if (options.probe && problem.given && this.#maker.adaptive)
      this.#probe = new FunctionProbe(problem.given, options.probe.finest, (t1, t2, h) =>
        this.#jumps.significance(t1, t2, h, this.y),
      );
    this.#h = (this.#maker.adaptive ? options.hInitial : options.fixedStep) ?? 0;
    if (options.crossings?.length) {
      this.#crossings = new Crossings(options.crossings, n);
      this.#crossings.start(this.t, this.y);
    }
    this.#emitOutputs(this.t); // those at t0
  }

  /** The method at work. */
  get method(): MethodName {
    return this.#choice.current.name;
  }

  /** Component with the largest error in the last accepted step, −1: none. Found when asked. */
  get worstComponent(): number {
    const { adaptive, h, error, y0, y1 } = this.#maker;
    return adaptive && h > 0 ? this.#work.measure.worst(error, y0, y1) : -1;
  }

  /** Step planned next; 0 before the first. */
  get plannedStep(): number {
    return this.#h;
  }

  /** Rates at (t, y). */
  get rates(): Float64Array {
    this.#knowRates();
    return this.#f;
  }

  /**
   * Steps until `limit`, which is hit exactly, or until a crossing that stops, or `shouldStop`. Can be called again to go on,
   * also after the state was changed with `restart`.
   */
  advance(limit: number): Outcome {
    if (!(limit >= this.t)) throw new ModelError('limit', `expected a time ≥ ${this.t}, got ${limit}`);
    const { onStep, onCrossing, shouldStop, maxSteps = Number.POSITIVE_INFINITY } = this.#options;
    while (this.t < limit) {
      const stopped = this.step(limit);
      for (let i = 0; i < this.located.length; i++) {
        this.#emitOutputs(this.located[i].t);
        onCrossing?.(this.located[i], this);
      }
      this.#emitOutputs(this.t);
      onStep?.(this);
      if (stopped) return 'crossing';
      if (shouldStop?.()) return 'stopped';
      if (this.statistics.accepted + this.statistics.rejected > maxSteps)
        throw new IntegrationError(
          'too many steps',
          this.t,
          this.#h,
          this.statistics.smallestStepComponent,
          `expected the end in ${maxSteps} steps; the step is ${this.#h}. Loosen the tolerances, or allow more`,
        );
    }
    return 'end';
  }

  /** One accepted step, not beyond `limit`. True if it ends at a crossing that stops. */
  step(limit: number): boolean {
    this.pass();
    this.#knowRates();
    const { rates, measure } = this.#work;
    const { y, statistics } = this;
    let { t } = this;
    const shortest = this.#shortestStep(limit);
    if (limit - t <= this.#resolution(limit)) {
      this.tPrevious = this.t;
      this.#maker.h = 0;
      this.t = this.#methodEnd = limit; // nothing between that could be resolved
      this.located = [];
      return false;
    }
    let end = this.#plan(limit, shortest);
    while (end === t) {
      // a jump right at the start
      this.pass();
      this.#knowRates();
      t = this.t;
      if (limit - t <= this.#resolution(limit)) return this.step(limit);
      end = this.#plan(limit, shortest);
    }
    let h = end - t;
    this.#load(this.#choice.current, h);
    this.#choice.beforeStep();
    const method = this.#choice.current;
    const whole = Math.max(limit, this.#options.probe?.until ?? limit) - this.#options.t0;
    let rejected = false;
    let jumps = 0;
    let size = 0;
    for (;;) {
      method.h = h = end - t;
      if (method.adaptive && this.#progress.tried(t, whole)) throw noProgress(method, measure);
      size = method.attempt();
      let { factor } = method;
      let cause: Cause = 'error';
      if (method.failed) {
        statistics.failures++;
        cause = 'iteration';
      } else if (!(size < Number.POSITIVE_INFINITY) || firstNotFinite(method.y1) >= 0) {
        factor = 0.2;
        cause = 'not finite';
      } else if (size > 1) cause = 'error';
      else if (this.#probe && this.#problem.given!.readsPerStep > 0 && this.#jumps.inside(this.#probe, method, end)) {
        // it moves as the step is cut to it; what always stays ahead, like a pole, must not hold the loop
        factor = ++jumps > MOST_LANDINGS ? Math.min(0.5, this.#jumps.before) : this.#jumps.before;
        cause = 'jump';
      } else if (!this.#projectEnd(method, end)) {
        // Not one half: if the end fell on a singular point of the manifold, two halves would end there again, and so on for ever.
        factor = AFTER_PROJECTION;
        cause = 'projection';
      } else if (!this.#endRates(method, end, rates, measure)) {
        factor = 0.2;
        cause = 'rates';
      } else break;
      statistics.rejected++;
      if (cause === 'jump') {
        this.#cut = true;
        const { alongFunction } = this.#probe!;
        if (this.#progress.cut(alongFunction, t, whole)) throw chatter(method, alongFunction);
      } else {
        this.#choice.rejected();
        rejected = true;
      }
      if (!method.adaptive || !(h * factor >= shortest))
        throw stepTooSmall(cause, method, measure, size, this.#sampled);
      end = t + h * factor;
    }

    // accepted
    method.accept(size);
    statistics.accepted++;
    statistics.lastStep = h;
    this.#maker = method;
    this.tPrevious = t;
    this.t = this.#methodEnd = end;
    const cut = this.#cut && !rejected;
    if (!cut && (statistics.smallestStep === 0 || h < statistics.smallestStep)) {
      statistics.smallestStep = h;
      statistics.smallestStepTime = t;
      statistics.smallestStepComponent = method.adaptive ? measure.worst(method.error, method.y0, method.y1) : -1;
    }
    y.set(this.#projected);
    let next = h;
    if (method.adaptive) {
      next = h * (rejected ? Math.min(1, method.factor) : method.factor);
      // a step cut short by the limit says little about the next: go on as planned
      if (cut && next < this.#planned) next = this.#planned;
    } else next = this.#h;
    this.#h = this.#choice.accepted(this.t, y, this.#f, next);
    return this.#locate();
  }

  /** Writes y at a time within the last step, tPrevious ≤ t ≤ this.t. */
  interpolate(t: number, out: Float64Array): void {
    const { h } = this.#maker;
    if (t === this.t || !(h > 0)) out.set(this.y);
    else this.#sample((t - this.tPrevious) / (this.#methodEnd - this.tPrevious), out);
  }

  /** The method's own quadrature over the last step, where it has one and the step was not cut: its weights, and its stages by `stageState` */
  get quadrature(): StageQuadrature | undefined {
    const { h, quadrature } = this.#maker;
    return h > 0 && this.t === this.#methodEnd ? quadrature : undefined;
  }

  /** Writes the state of a stage of the last step. */
  stageState(s: number, out: Float64Array): void {
    this.#maker.stageState(s, out);
  }

  /**
   * Goes on from another state, after an event or at an earlier time. @param hInitial step to try first; as planned unless said
   */
  restart(t: number, y: ArrayLike<number>, hInitial?: number): void {
    if (y.length !== this.y.length) throw new ModelError('y', `expected ${this.y.length} numbers, got ${y.length}`);
    const at = t === this.t ? this.located.filter((event) => Math.abs(event.t - t) <= 4e-14 * Math.abs(t)) : [];
    this.t = this.tPrevious = this.#methodEnd = this.#anchor = t;
    this.#sinceAnchor = 0;
    this.#maker.h = 0;
    this.y.set(y);
    this.#ratesKnown = false;
    this.#choice.current.forget();
    this.#probe?.forget();
    this.#crossings?.start(t, this.y, at);
    if (hInitial !== undefined && this.#choice.current.adaptive) this.#h = hInitial;
  }

  /**
   * Goes over the jump of a given function that the last step has ended before; `step` does so by itself, but an owner may want to know.
   * True if there was one: rates are others from here on.
   */
  pass(): boolean {
    const probe = this.#probe;
    if (!probe || !(probe.before <= this.t && this.t <= probe.after)) return false;
    const jump = probe.after > probe.before;
    if (jump) {
      this.t = this.#anchor = probe.after;
      this.#ratesKnown = false;
      this.#choice.current.forget();
    }
    probe.pass();
    return jump;
  }

  /** First instant behind a jump that t stands just before; ∞ where it does not. */
  get jumpsTo(): number {
    const probe = this.#probe;
    return probe && probe.before <= this.t && this.t < probe.after ? probe.after : Number.POSITIVE_INFINITY;
  }

  /**
   * Goes back to a time within the last step, tPrevious ≤ t ≤ this.t: from there on it is a step that ended earlier. Values up to t can
   * still be asked for, and the next step is tried as planned.
   */
  retreat(t: number): void {
    if (!(t >= this.tPrevious && t <= this.t))
      throw new ModelError('t', `expected a time of the last step, from ${this.tPrevious} to ${this.t}, got ${t}`);
    if (!(t < this.t)) return;
    this.#endAt(t, []);
    this.#probe?.forget();
  }

  /**
   * Takes back the step just made, which its owner does not believe: at its start again, a part of its length is tried next. False if it cannot be shorter; then it stays.
   */
  takeBack(part: number): boolean {
    const maker = this.#maker;
    const h = this.#methodEnd - this.tPrevious;
    if (!maker.adaptive || !(maker.h > 0) || !(part * h > this.#shortestStep(this.t))) return false;
    this.t = this.#methodEnd = this.#anchor = this.tPrevious;
    this.y.set(maker.y0);
    this.#problem.project?.(this.t, this.y);
    this.#h = part * h;
    maker.h = 0;
    this.#ratesKnown = false;
    this.located = [];
    this.#choice.current.forget();
    this.#probe?.forget();
    this.#crossings?.start(this.t, this.y, []);
    this.statistics.accepted--;
    this.statistics.rejected++;
    return true;
  }

  /** The owner knows that the problem is stiff from here on; heard where the method was to be chosen automatically. @param method that of the options unless said */
  stiffen(reason: string, method?: StiffMethodName): void {
    this.#choice.stiffen(this.t, reason, method);
  }

  /**
   * The owner has changed y in place, or what its entries mean, without changing the motion (states that were handed on from one element to
   * another): rates are told anew, the step goes on as planned. Values inside the last step are no longer to be asked for.
   */
  revise(): void {
    this.#ratesKnown = false;
    this.#choice.current.renew();
  }

  // ---- the step -----------------------------------------------------------------------------------------------------------------

  #knowRates(): void {
    if (this.#ratesKnown) return;
    this.#work.rates.evaluate(this.t, this.y, this.#f);
    const bad = firstNotFinite(this.#f);
    if (bad >= 0) throw ratesNotFinite(this.t, this.#f, bad);
    this.#ratesKnown = true;
  }

  /** End of the step to try. Sets #planned to the step the controller would make, #cut if the limit is nearer. */
  #plan(limit: number, shortest: number): number {
    const { t } = this;
    const method = this.#choice.current;
    if (!method.adaptive) return this.#fixedEnd(limit);
    const longest = Math.min(
      this.#options.hMax ?? Number.POSITIVE_INFINITY,
      this.#problem.stepLimit?.(t, this.y, this.#f, this.#h === 0 ? limit - t : Math.min(this.#h, limit - t)) ??
        Number.POSITIVE_INFINITY,
    );
    if (this.#h === 0) this.#h = firstStep(this.#work, t, this.y, this.#f, method.order, Math.min(longest, limit - t));
    this.#planned = Math.max(Math.min(this.#h, longest), shortest);
    this.#cut = this.#planned > limit - t;
    // a little longer rather than leaving a tiny rest
    const end = 1.01 * this.#planned >= limit - t ? limit : t + this.#planned;
    const probe = this.#probe;
    if (!probe) return end;
    probe.foresee(t, this.y, this.#options.probe!.until);
    const allowed = probe.ahead(t, this.y, end, limit);
    if (allowed < end) this.#cut = true;
    return allowed;
  }

  #fixedEnd(limit: number): number {
    const step = this.#options.fixedStep!;
    const end = this.#anchor + (this.#sinceAnchor + 1) * step;
    this.#cut = end > limit + 1e-9 * step;
    // What the guard does not let pass is gone in shorter steps; the grid of times stays.
    const h = Math.min(end, limit) - this.t;
    const guarded = this.#problem.stepLimit?.(this.t, this.y, this.#f, h) ?? h;
    if (guarded < (1 - 1e-9) * h) {
      this.#cut = true;
      return this.t + Math.max(guarded, 1e-3 * h);
    }
    if (end < limit - 1e-9 * step) {
      this.#sinceAnchor++;
      return end;
    }
    this.#anchor = limit;
    this.#sinceAnchor = 0;
    return limit;
  }

  #shortestStep(limit: number): number {
    return Math.max(this.#options.hMin ?? 0, this.#resolution(limit));
  }

  /** 16 ulp of t; near t = 0 what is nothing against the whole time. */
  #resolution(limit: number): number {
    const { EPSILON } = Number;
    return EPSILON * Math.max(16 * Math.abs(this.t), EPSILON * Math.abs(limit - this.#options.t0));
  }

  #load(method: OneStepMethod, h: number): void {
    method.t = this.t;
    method.h = h;
    method.y0.set(this.y);
    method.f0.set(this.#f);
  }

  /** Projects the end of the step into #projected. False: the owner wants a shorter step. */
  #projectEnd(method: OneStepMethod, end: number): boolean {
    const projected = this.#projected;
    projected.set(method.y1);
    this.#corrected = false;
    if (!this.#problem.project) return true;
    if (!this.#problem.project(end, projected) || firstNotFinite(projected) >= 0) return false;
    for (let i = 0; i < projected.length; i++) {
      this.#correction[i] = projected[i] - method.y1[i];
      if (this.#correction[i] !== 0) this.#corrected = true;
    }
    return true;
  }

  /**
   * Rates at the projected end into #f. Those of the method are taken if projection changed nothing, or for methods whose own are
   * worth more than evaluated ones while it changed little against the tolerance. False: not finite.
   */
  #endRates(method: OneStepMethod, end: number, rates: Rates, measure: ErrorMeasure): boolean {
    const keep =
      method.hasEndRates &&
      (!this.#corrected ||
        !method.adaptive ||
        (method.deducesEndRates && measure.norm(this.#correction, method.y0, method.y1) < 0.01));
    if (keep) this.#sampled.set(method.f1);
    else rates.evaluate(end, this.#projected, this.#sampled);
    if (firstNotFinite(this.#sampled) >= 0) return false;
    this.#f.set(this.#sampled);
    if (!method.hasEndRates) method.f1.set(this.#sampled);
    return true;
  }

  // ---- inside the step ----------------------------------------------------------------------------------------------------------

  /** y(tPrevious + θ h) of the whole step as the method made it. */
  #sample(theta: number, out: Float64Array): void {
    this.#maker.interpolate(theta, out);
    if (this.#corrected) for (let i = 0; i < out.length; i++) out[i] += theta * this.#correction[i];
  }

  /** Looks for crossings in the step just made, and cuts it at the first that stops. */
  #locate(): boolean {
    if (!this.#crossings) return false;
    this.located = this.#crossings.scan(this.#asSampled);
    const last = this.located.at(-1);
    if (!this.located.some(({ crossing }) => crossing.stops) || !last) return false;
    if (last.t < this.#methodEnd) this.#endAt(last.t, this.located);
    return true;
  }

  /** Ends the last step at an earlier time. @param at crossings that are at zero there */
  #endAt(t: number, at: readonly LocatedCrossing[]): void {
    this.#sample((t - this.tPrevious) / (this.#methodEnd - this.tPrevious), this.y);
    this.#problem.project?.(t, this.y);
    this.t = this.#anchor = t;
    this.#sinceAnchor = 0;
    this.#ratesKnown = false;
    this.#choice.current.forget();
    this.#crossings?.start(t, this.y, at);
  }

  readonly #asSampled = {
    of: this as Integration,
    get start(): number {
      return this.of.tPrevious;
    },
    get end(): number {
      return this.of.#methodEnd;
    },
    sample(theta: number, out: Float64Array): void {
      if (theta === 1) out.set(this.of.y);
      else this.of.#sample(theta, out);
    },
  };

  #emitOutputs(until: number): void {
    const { output, onOutput } = this.#options;
    if (!output || !onOutput) return;
    while (this.#nextOutput < output.length && output[this.#nextOutput] <= until) {
      const time = output[this.#nextOutput++];
      if (time < this.tPrevious) continue;
      this.interpolate(time, this.#sampled);
      onOutput(time, this.#sampled);
    }
  }
}

export interface IntegrationResult {
  readonly t: number;
  readonly y: Float64Array;
  readonly outcome: Outcome;
  /** Crossings that stopped the integration, if any did. */
  readonly located: readonly LocatedCrossing[];
  readonly statistics: Statistics;
}

/**
 * Integrates y' = f(t, y) from t0 to t1.
 *
 * @example const { y } = integrate({ size: 1, rates: (t, y, out) => { out[0] = -y[0]; } }, { t0: 0, t1: 1, y0: [1] });
 */
export function integrate(problem: Problem, options: IntegrationOptions & { readonly t1: number }): IntegrationResult {
  const integration = new Integration(problem, options);
  const outcome = integration.advance(options.t1);
  const { t, y, statistics } = integration;
  return { t, y, outcome, located: outcome === 'crossing' ? [...integration.located] : [], statistics };
}
