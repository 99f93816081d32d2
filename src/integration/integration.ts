/**
 * The loop around a method: tries a step, accepts it or tries a shorter one, puts the state back on its manifold, locates zero
 * crossings, hands out values in between. `Integration` can be stopped anywhere and continued; `integrate` runs one to its end.
 */
import { ModelError } from '../errors.js';
import { Crossings, type LocatedCrossing } from './crossings.js';
import { DenseLinearSolver } from './dense-linear-solver.js';
import { ErrorMeasure, firstNotFinite } from './error-measure.js';
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
import { StepEnd } from './step-end.js';
import { StepJumps } from './step-jumps.js';
import { StepPlan } from './step-plan.js';
import { StiffOutput } from './stiff-output.js';

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
  readonly #plan: StepPlan;
  /** End of the last step as the method made it; beyond t if a crossing cut it */
  #methodEnd: number;
  readonly #ending: StepEnd;
  readonly #stiffOutput: StiffOutput;
  /** End of the step being tried, what is left of it if it is not good, how often it was cut to a jump with the state, and that it was rejected */
  #tryEnd = 0;
  #left = 1;
  #landings = 0;
  #rejected = false;
  /** The method that made the last step */
  #maker: OneStepMethod;
  readonly #output: Float64Array;
  #nextOutput = 0;

  constructor(problem: Problem, options: IntegrationOptions) {
    const n = problem.size;
    checkOptions(problem, options);
    this.#problem = problem;
    this.#options = options;
    this.statistics = options.statistics ?? noStatistics();
    this.t = this.tPrevious = this.#methodEnd = options.t0;
    this.y = Float64Array.from(options.y0);
    const rates = new Rates(problem, this.statistics);
    const measure = new ErrorMeasure(problem, options);
    const linear = problem.linear ?? new DenseLinearSolver(problem, rates, measure);
    this.#work = { problem, rates, measure, linear, statistics: this.statistics };
    this.#choice = new MethodChoice(this.#work, options.method ?? 'automatic', options.stiffMethod ?? 'rodas4');
    this.#maker = this.#choice.current;
    this.#jumps = new StepJumps(this.#work);
    this.#f = new Float64Array(n);
    this.#output = new Float64Array(n);
    this.#ending = new StepEnd(this.#work);
    this.#stiffOutput = new StiffOutput(this.#work);
    if (options.probe && problem.given && this.#maker.adaptive)
      this.#probe = new FunctionProbe(problem.given, options.probe.finest, (t1, t2, h) =>
        this.#jumps.significance(t1, t2, h, this.y),
      );
    const first = (this.#maker.adaptive ? options.hInitial : options.fixedStep) ?? 0;
    this.#plan = new StepPlan(this.#work, options, this.#probe, first);
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
    return this.#plan.h;
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
          this.#plan.h,
          this.statistics.smallestStepComponent,
          `expected the end in ${maxSteps} steps; the step is ${this.#plan.h}. Loosen the tolerances, or allow more`,
        );
    }
    return 'end';
  }

  /** One accepted step, not beyond `limit`. True if it ends at a crossing that stops. */
  step(limit: number): boolean {
    const plan = this.#plan;
    this.pass();
    this.#knowRates();
    const shortest = plan.shortest(this.t, limit);
    if (this.#isThere(limit)) return this.#endAtLimit(limit);
    this.#tryEnd = plan.end(this.#choice.current, this.t, this.y, this.#f, limit, shortest);
    while (this.#tryEnd === this.t) {
      // a jump right at the start
      this.pass();
      this.#knowRates();
      if (this.#isThere(limit)) return this.step(limit);
      this.#tryEnd = plan.end(this.#choice.current, this.t, this.y, this.#f, limit, shortest);
    }
    this.#load(this.#choice.current, this.#tryEnd - this.t);
    this.#choice.beforeStep();
    const method = this.#choice.current;
    const whole = Math.max(limit, this.#options.probe?.until ?? limit) - this.#options.t0;
    const error = this.#tryUntilGood(method, shortest, whole);
    this.#accept(method, error);
    return this.#locate();
  }

  /** Writes y at a time within the last step, tPrevious ≤ t ≤ this.t. */
  interpolate(t: number, out: Float64Array): void {
    const { h } = this.#maker;
    if (t === this.t || !(h > 0)) out.set(this.y);
    else this.#sample((t - this.tPrevious) / (this.#methodEnd - this.tPrevious), out);
  }

  /** Takes y at such a time to where who reads forces from it finds those of the motion (stiff-output.ts). */
  relax(t: number, y: Float64Array): void {
    if (t !== this.t && this.#maker.h > 0)
      this.#stiffOutput.relax(this.#maker, (t - this.tPrevious) / (this.#methodEnd - this.tPrevious), y);
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
    this.t = this.tPrevious = this.#methodEnd = t;
    this.#plan.countFrom(t);
    this.#maker.h = 0;
    this.y.set(y);
    this.#ratesKnown = false;
    this.#choice.current.forget();
    this.#probe?.forget();
    this.#crossings?.start(t, this.y, at);
    if (hInitial !== undefined && this.#choice.current.adaptive) this.#plan.h = hInitial;
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
      this.t = probe.after;
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
    if (!maker.adaptive || !(maker.h > 0) || !(part * h > this.#plan.shortest(this.t, this.t))) return false;
    this.t = this.#methodEnd = this.tPrevious;
    this.y.set(maker.y0);
    this.#problem.project?.(this.t, this.y);
    this.#plan.h = part * h;
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

  /** Nothing between t and the limit could be resolved. */
  #isThere(limit: number): boolean {
    return limit - this.t <= this.#plan.resolution(this.t, limit);
  }

  /** A step of no length, to a limit that is at t but for rounding */
  #endAtLimit(limit: number): boolean {
    this.tPrevious = this.t;
    this.#maker.h = 0;
    this.t = this.#methodEnd = limit;
    this.located = [];
    return false;
  }

  #load(method: OneStepMethod, h: number): void {
    method.t = this.t;
    method.h = h;
    method.y0.set(this.y);
    method.f0.set(this.#f);
  }

  /** Tries the step to #tryEnd, then shorter ones, until one is good: its error. @param whole time of the run */
  #tryUntilGood(method: OneStepMethod, shortest: number, whole: number): number {
    const { t, statistics } = this;
    const { measure } = this.#work;
    this.#rejected = false;
    this.#landings = 0;
    for (;;) {
      const h = this.#tryEnd - t;
      method.h = h;
      if (method.adaptive && this.#progress.tried(t, whole)) throw noProgress(method, measure);
      const error = method.attempt();
      const cause = this.#fault(method, error);
      if (!cause) return error;
      statistics.rejected++;
      if (cause === 'jump') {
        this.#plan.cut = true;
        const { alongFunction } = this.#probe!;
        if (this.#progress.cut(alongFunction, t, whole)) throw chatter(method, alongFunction);
      } else {
        this.#choice.rejected();
        this.#rejected = true;
      }
      if (!method.adaptive || !(h * this.#left >= shortest))
        throw stepTooSmall(cause, method, measure, error, this.#ending.f);
      this.#tryEnd = t + h * this.#left;
    }
  }

  /** What is wrong with the step just tried, undefined: nothing. Sets #left, the part of it to try next. Of a good step the end is projected and its rates are known. */
  #fault(method: OneStepMethod, error: number): Cause | undefined {
    const end = this.#tryEnd;
    this.#left = method.factor;
    if (method.failed) {
      this.statistics.failures++;
      return 'iteration';
    }
    if (!(error < Number.POSITIVE_INFINITY) || firstNotFinite(method.y1) >= 0) {
      this.#left = 0.2;
      return 'not finite';
    }
    if (error > 1) return 'error';
    if (this.#probe && this.#problem.given!.readsPerStep > 0 && this.#jumps.inside(this.#probe, method, end)) {
      // it moves as the step is cut to it; what always stays ahead, like a pole, must not hold the loop
      const { before } = this.#jumps;
      this.#left = ++this.#landings > MOST_LANDINGS ? Math.min(0.5, before) : before;
      return 'jump';
    }
    if (!this.#ending.project(method, end)) {
      // Not one half: if the end fell on a singular point of the manifold, two halves would end there again, and so on for ever.
      this.#left = AFTER_PROJECTION;
      return 'projection';
    }
    if (!this.#ending.findRates(method, end)) {
      this.#left = 0.2;
      return 'rates';
    }
    return undefined;
  }

  /** The step to #tryEnd is made; plans the next. */
  #accept(method: OneStepMethod, error: number): void {
    const { y, statistics } = this;
    const { measure } = this.#work;
    const { h } = method;
    const plan = this.#plan;
    this.#f.set(this.#ending.f);
    method.accept(error);
    statistics.accepted++;
    statistics.lastStep = h;
    this.#maker = method;
    this.tPrevious = this.t;
    this.t = this.#methodEnd = this.#tryEnd;
    const cut = plan.cut && !this.#rejected;
    if (!cut && (statistics.smallestStep === 0 || h < statistics.smallestStep)) {
      statistics.smallestStep = h;
      statistics.smallestStepTime = this.tPrevious;
      statistics.smallestStepComponent = method.adaptive ? measure.worst(method.error, method.y0, method.y1) : -1;
    }
    y.set(this.#ending.y);
    let next = plan.h;
    if (method.adaptive) {
      next = h * (this.#rejected ? Math.min(1, method.factor) : method.factor);
      // a step cut short by the limit says little about the next: go on as planned
      if (cut && next < plan.wanted) next = plan.wanted;
    }
    plan.h = this.#choice.accepted(this.t, y, this.#f, next);
  }

  // ---- inside the step ----------------------------------------------------------------------------------------------------------

  /** y(tPrevious + θ h) of the whole step as the method made it. */
  #sample(theta: number, out: Float64Array): void {
    this.#maker.interpolate(theta, out);
    this.#ending.correct(theta, out);
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
    this.t = t;
    this.#plan.countFrom(t);
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
      this.interpolate(time, this.#output);
      onOutput(time, this.#output);
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
