/**
 * Jumps of functions that the problem was given (function-probe.ts), weighed: how much the rates change by one, in a step, against the error that is
 * allowed. What does not matter a step may go over.
 */
import type { FunctionProbe } from './function-probe.js';
import { hermite, type OneStepMethod, type Workshop } from './one-step-method.js';

/** Of the error allowed: a jump with the state that a step may go over */
const JUMP_ALLOWED = 0.1;

export class StepJumps {
  /** What is left of the step just tried, as a part: up to just before the jump or, from there, over it in a step so short that it does not matter */
  before = 1;
  readonly #work: Workshop;
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  readonly #between: Float64Array;
  #method: OneStepMethod | undefined;

  constructor(work: Workshop) {
    const { size } = work.problem;
    this.#work = work;
    this.#first = new Float64Array(size);
    this.#second = new Float64Array(size);
    this.#between = new Float64Array(size);
  }

  /** Size of what the rates change by from t1 to t2, the state y being held, in a step h */
  significance(t1: number, t2: number, h: number, y: Float64Array): number {
    const { rates } = this.#work;
    rates.evaluate(t1, y, this.#first);
    rates.evaluate(t2, y, this.#second);
    return this.#changeOf(y, h);
  }

  #changeOf(y: Float64Array, h: number): number {
    const change = this.#first;
    for (let i = 0; i < change.length; i++) change[i] = h * (this.#second[i] - change[i]);
    return this.#work.measure.norm(change, y, y);
  }

  /** Does a given function jump with the state on the way of the step just tried, so that it matters? Sets `before`. @param end s, of that step */
  inside(probe: FunctionProbe, method: OneStepMethod, end: number): boolean {
    const { t } = method;
    const h = end - t;
    this.#method = method;
    if (!probe.along(t, end, this.#path)) return false;
    const { rates } = this.#work;
    rates.evaluate(probe.alongBefore, this.#path(probe.alongBefore), this.#first);
    rates.evaluate(probe.alongAfter, this.#path(probe.alongAfter), this.#second);
    const size = this.#changeOf(method.y1, h);
    if (!(size > JUMP_ALLOWED)) return false;
    const before = (probe.alongBefore - t) / h;
    const across = (0.5 * JUMP_ALLOWED) / size;
    this.before = before > 2 * across ? before : across;
    return true;
  }

  /** The state at a time inside the step just tried, roughly */
  readonly #path = (time: number): Float64Array => {
    const method = this.#method!;
    const theta = (time - method.t) / method.h;
    const out = this.#between;
    if (method.hasEndRates) hermite(method, theta, out);
    else for (let i = 0; i < out.length; i++) out[i] = method.y0[i] + theta * (method.y1[i] - method.y0[i]);
    return out;
  };
}
