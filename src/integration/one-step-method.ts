/**
 * A one-step method: a formula that carries y from t to t + h, estimates its own error, proposes the next step, and knows the
 * values in between. Deciding what to do with that (accept, reject, project, locate events) is `Integration`'s part.
 */
import { pow } from '../math/elementary.js';
import type { ErrorMeasure } from './error-measure.js';
import type { MethodName } from './method-name.js';
import type { LinearSolver, Problem } from './problem.js';
import type { Rates, Statistics } from './statistics.js';

/** What a method works with; one set for all methods of a run, so that they can take over from each other. */
export interface Workshop {
  readonly problem: Problem;
  readonly rates: Rates;
  readonly measure: ErrorMeasure;
  readonly linear: LinearSolver;
  readonly statistics: Statistics;
}

/** Per stage: its time as a part of the step, and its weight in the result and in the one of lower order that it is compared with */
export interface StageQuadrature {
  readonly nodes: readonly number[];
  readonly weights: readonly number[];
  readonly compared: readonly number[];
}

export abstract class OneStepMethod {
  abstract readonly name: MethodName;
  /** Global error falls as h^order at step ends, */
  abstract readonly order: number;
  /** and as h^denseOrder in between. */
  abstract readonly denseOrder: number;
  /** False: steps of one length, no error estimate. */
  readonly adaptive: boolean = true;

  /** The step last tried: from (t, y0) with the rates f0, by h, to y1. `Integration` writes the first four. */
  t = 0;
  h = 0;
  readonly y0: Float64Array;
  readonly f0: Float64Array;
  readonly y1: Float64Array;
  /** Rates at y1: from the method if it has them (`hasEndRates`), else `Integration` fills them in on acceptance. */
  readonly f1: Float64Array;
  hasEndRates = false;
  /** Its end rates are deduced from the stages; evaluating them again would multiply small errors of y1 by the stiffness. */
  readonly deducesEndRates: boolean = false;
  /** Error estimate of y1, component by component. */
  readonly error: Float64Array;
  /** Factor for the next step (after acceptance), or for the next try (after rejection or failure). */
  factor = 1;
  /** The last try failed for a reason of the method's own (no convergence, singular matrix); `factor` says what to do. */
  failed = false;

  protected readonly work: Workshop;
  protected readonly size: number;

  constructor(work: Workshop) {
    this.work = work;
    const n = (this.size = work.problem.size);
    this.y0 = new Float64Array(n);
    this.f0 = new Float64Array(n);
    this.y1 = new Float64Array(n);
    this.f1 = new Float64Array(n);
    this.error = new Float64Array(n);
  }

  /**
   * Tries the step set up in t, h, y0, f0. Fills y1, error, factor (and f1). Returns the size of the error, ≤ 1 is acceptable;
   * NaN or ∞ if something on the way was not finite, or with `failed` set.
   */
  abstract attempt(): number;

  /** The step last tried was accepted; `size` is its error. */
  accept(_size: number): void {}

  /** What is known of earlier steps no longer holds: start, event, another method before. */
  forget(): void {}

  /** The rates are to be told and linearised anew, but the motion goes on as it did: how it has been changing may still be used. */
  renew(): void {
    this.forget();
  }

  /**
   * Quadrature of the method itself: ∫ g(t, y) dt over the accepted step, as the method would have found it had it been one more component. Only for
   * methods that evaluate the rates at the states their stages end with; others have no such weights.
   */
  readonly quadrature: StageQuadrature | undefined = undefined;

  /** Writes the state of stage s of the accepted step. */
  stageState(_s: number, _out: Float64Array): void {}

  /** Writes y(t + θ h) of the accepted step into out, 0 ≤ θ ≤ 1. */
  abstract interpolate(theta: number, out: Float64Array): void;

  /** Its slope dy/dt there, of methods whose `damping` is not 0 */
  slope(_theta: number, _out: Float64Array): void {}

  /** s: e of the matrix I − e J that `linear` has factorised in the accepted step, 0: none */
  get damping(): number {
    return 0;
  }
}

/**
 * out = base + h Σ_j weights_j k_j over as many stages as there are weights. The increments are summed before they meet the
 * larger base, so that they are rounded at their own size.
 */
export function advance(
  out: Float64Array,
  base: Float64Array,
  h: number,
  weights: readonly number[],
  k: readonly Float64Array[],
): void {
  weightedSum(out, weights, k);
  for (let i = 0; i < out.length; i++) out[i] = base[i] + h * out[i];
}

/** out = Σ_j weights_j k_j, summed in the order of the stages; three of them in one pass, which spares memory two ways out of three. */
export function weightedSum(out: Float64Array, weights: readonly number[], k: readonly Float64Array[]): void {
  out.fill(0);
  let j = nextWeight(weights, 0);
  while (j < weights.length) {
    const second = nextWeight(weights, j + 1);
    const third = nextWeight(weights, second + 1);
    if (third < weights.length) addThree(out, weights[j], k[j], weights[second], k[second], weights[third], k[third]);
    else {
      addOne(out, weights[j], k[j]);
      if (second < weights.length) addOne(out, weights[second], k[second]);
    }
    j = nextWeight(weights, third + 1);
  }
}

/**
 * Two such sums over the same stages, at least one, in one pass over three of them: `one` = base + Σ a_j k_j, `other` = Σ c_j k_j. Each in the order of the stages, the base last, as by
 * `weightedSum`.
 */
export function twoWeightedSums(
  one: Float64Array,
  base: Float64Array,
  a: readonly number[],
  other: Float64Array,
  c: readonly number[],
  k: readonly Float64Array[],
): void {
  const stages = a.length;
  one.fill(0);
  other.fill(0);
  for (let j = 0; j < stages; j += 3) {
    const left = Math.min(3, stages - j);
    // of stages that there are not the weight is zero
    const second = k[left > 1 ? j + 1 : j];
    const third = k[left > 2 ? j + 2 : j];
    const a1 = left > 1 ? a[j + 1] : 0;
    const a2 = left > 2 ? a[j + 2] : 0;
    const c1 = left > 1 ? c[j + 1] : 0;
    const c2 = left > 2 ? c[j + 2] : 0;
    addTwo(one, a[j], a1, a2, other, c[j], c1, c2, k[j], second, third);
  }
  for (let i = 0; i < one.length; i++) one[i] += base[i];
}

function addTwo(
  one: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  other: Float64Array,
  c0: number,
  c1: number,
  c2: number,
  k0: Float64Array,
  k1: Float64Array,
  k2: Float64Array,
): void {
  for (let i = 0; i < one.length; i++) {
    const x = k0[i];
    const y = k1[i];
    const z = k2[i];
    one[i] = one[i] + a0 * x + a1 * y + a2 * z;
    other[i] = other[i] + c0 * x + c1 * y + c2 * z;
  }
}

/** The first weight from j on that is not zero */
function nextWeight(weights: readonly number[], j: number): number {
  let next = j;
  while (next < weights.length && weights[next] === 0) next++;
  return next;
}

function addOne(out: Float64Array, a: number, k: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] += a * k[i];
}

function addThree(
  out: Float64Array,
  a: number,
  ka: Float64Array,
  b: number,
  kb: Float64Array,
  c: number,
  kc: Float64Array,
): void {
  for (let i = 0; i < out.length; i++) out[i] = out[i] + a * ka[i] + b * kb[i] + c * kc[i];
}

/** safety · size^(−exponent) within [least, most]; an error of zero gives `most`. */
export function stepFactor(size: number, exponent: number, least: number, most: number, safety = 0.9): number {
  if (!(size > 0)) return most;
  return Math.min(most, Math.max(least, safety * pow(size, -exponent)));
}

/**
 * The cubic through y0, y1 with the slopes f0, f1 (Hermite): order 3 wherever the ends have order ≥ 3.
 *
 *   y(θ) = y0 + θ Δ + θ(θ − 1) ((1 − 2θ) Δ + (θ − 1) h f0 + θ h f1),   Δ = y1 − y0
 */
export function hermite(method: OneStepMethod, theta: number, out: Float64Array): void {
  const { y0, y1, f0, f1, h } = method;
  const bend = theta * (theta - 1);
  const a = theta + bend * (1 - 2 * theta);
  const b = bend * (theta - 1) * h;
  const c = bend * theta * h;
  for (let i = 0; i < out.length; i++) out[i] = y0[i] + a * (y1[i] - y0[i]) + b * f0[i] + c * f1[i];
}

/**
 * Its slope,
 *
 *   y′(θ) = 6 θ (1 − θ) Δ/h + (1 − θ)(1 − 3θ) f0 + θ (3θ − 2) f1
 */
export function hermiteSlope(method: OneStepMethod, theta: number, out: Float64Array): void {
  const { y0, y1, f0, f1, h } = method;
  const a = (6 * theta * (1 - theta)) / h;
  const b = (1 - theta) * (1 - 3 * theta);
  const c = theta * (3 * theta - 2);
  for (let i = 0; i < out.length; i++) out[i] = a * (y1[i] - y0[i]) + b * f0[i] + c * f1[i];
}
