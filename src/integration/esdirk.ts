/**
 * ESDIRK of order 4(3) with 6 stages: the implicit part of ARK4(3)6L[2]SA, L-stable, stiffly accurate, one real matrix a step.
 * Kennedy & Carpenter (2003), Appl. Numer. Math. 44, 139–181. Each stage solves
 *
 *   Y_i = y + h Σ_{j<i} a_ij k_j + γ h f(t + c_i h, Y_i),   γ = 1/4
 *
 * by simplified Newton iteration. J may be inexact: that costs iterations, not order. So this is what RODAS4 falls back to, and what bodies touch
 * with that are driven: a stage ends where its own rates hold it, on the surface that moves on, while the linearised stages of RODAS4P leave it by
 * half the curvature of the way, and a depth of 1 µm is less than that from 1 ms on.
 *
 * Error estimate: h Σ (b − b̂) k, filtered once by (I − γ h J)⁻¹ and taken ten times: the differences of the weights are
 * only 0.003 … 0.044, so a kink inside a step would be under-reported.
 * The rates at a stage are deduced from it, k = (Y − rest)/(γ h), not evaluated: that would multiply what the iteration left over
 * by the stiffness. The last of them starts the next step.
 */
import { pow } from '../math/elementary.js';
import {
  advance,
  hermite,
  hermiteSlope,
  OneStepMethod,
  stepFactor,
  type Workshop,
  weightedSum,
} from './one-step-method.js';

export const ARK436 = {
  gamma: 1 / 4,
  c: [0, 1 / 2, 83 / 250, 31 / 50, 17 / 20, 1],
  a: [
    [],
    [1 / 4],
    [8611 / 62500, -1743 / 31250],
    [5012029 / 34652500, -654441 / 2922500, 174375 / 388108],
    [15267082809 / 155376265600, -71443401 / 120774400, 730878875 / 902184768, 2285395 / 8070912],
    [82889 / 524892, 0, 15625 / 83664, 69875 / 102672, -2260 / 8211],
  ],
  b: [82889 / 524892, 0, 15625 / 83664, 69875 / 102672, -2260 / 8211, 1 / 4],
  bHat: [
    4586570599 / 29645900160,
    0,
    178811875 / 945068544,
    814220225 / 1159782912,
    -3700637 / 11593932,
    61727 / 225920,
  ],
} as const;

const ERROR_WEIGHTS: readonly number[] = ARK436.b.map((b, i) => b - ARK436.bHat[i]);
const ERROR_FACTOR = 10;
/** Newton stops when what is left is below this part of the error allowed, */
const NEWTON_TOLERANCE = 0.01;
const MOST_ITERATIONS = 8;
/** and linearises anew at an iterate at most so often in a step. */
const MOST_REBUILDS = 6;
/** Where increments fall by less than this, J is another at the iterate, */
const TOO_SLOW = 0.3;
/** Steps this much longer than the one before begin as if there had been none. */
const FARTHEST = 2.5;
/** J is kept while increments fall by this factor, and for so many steps: the filter of the error estimate needs it too. */
const SLOW = 0.1;
const OLD = 20;

export class Esdirk extends OneStepMethod {
  override readonly name = 'esdirk4';
  override readonly order = 4;
  override readonly denseOrder = 3;
  override readonly deducesEndRates = true;

  readonly #k: readonly Float64Array[];
  readonly #rest: Float64Array;
  readonly #stage: Float64Array;
  readonly #increment: Float64Array;
  readonly #byTime: Float64Array;
  /** J was taken at the start of this step; else it comes from an earlier one. */
  #fresh = false;
  #usable = false;
  /** γ h that the matrix is factorised for, 0: none. */
  #factorised = 0;
  #convergence = 1;
  #slowest = 0;
  #rebuilds = 0;
  /** Accepted steps since the linearisation */
  #age = 0;
  /** How the rates changed in the second half of the step before, per s, and its length: where they go on so, the first stage begins near its end */
  readonly #trend: Float64Array;
  #trendStep = 0;
  override readonly quadrature = { nodes: ARK436.c, weights: ARK436.b, compared: ARK436.bHat };

  constructor(work: Workshop) {
    super(work);
    this.#k = [this.f0, ...Array.from({ length: 4 }, () => new Float64Array(this.size)), this.f1];
    this.#rest = new Float64Array(this.size);
    this.#stage = new Float64Array(this.size);
    this.#increment = new Float64Array(this.size);
    this.#byTime = new Float64Array(this.size);
    this.#trend = new Float64Array(this.size);
  }

  override attempt(): number {
    const { y0, y1, t, h, error } = this;
    const { linear, measure } = this.work;
    const { gamma } = ARK436;
    const e = gamma * h;
    this.failed = false;
    this.hasEndRates = false;
    this.#rebuilds = 0;
    this.#slowest = 0;
    if (!this.#usable) {
      // f0 may be deduced; a difference quotient needs the rates themselves
      this.work.rates.evaluate(t, y0, this.#increment);
      this.#linearise(t, y0, this.#increment);
      this.#fresh = true;
    }
    if (e !== this.#factorised && !this.#factorise(e)) return this.#fail();

    for (let s = 1; s < 6; s++) if (!this.#solveStage(s, e)) return this.#fail();

    y1.set(this.#stage);
    this.hasEndRates = true; // deduced, in f1
    weightedSum(error, ERROR_WEIGHTS, this.#k);
    for (let i = 0; i < error.length; i++) error[i] *= ERROR_FACTOR * h;
    linear.solve(error);
    const size = measure.norm(error, y0, y1);
    if (size > 1) this.factor = stepFactor(size, 1 / 4, 0.1, 0.9);
    else {
      // a step that would change little keeps its length, and with it the factorisation
      const factor = stepFactor(size, 1 / 4, 0.2, 5);
      this.factor = factor >= 0.95 && factor <= 1.3 ? 1 : factor;
    }
    return size;
  }

  override accept(): void {
    const [, middle, , , , end] = this.#k;
    const half = (1 - ARK436.c[1]) * this.h;
    for (let i = 0; i < this.size; i++) this.#trend[i] = (end[i] - middle[i]) / half;
    this.#trendStep = this.h;
    this.#fresh = false;
    if (this.#slowest > SLOW || ++this.#age >= OLD) this.#usable = false;
  }

  override forget(): void {
    this.renew();
    this.#trendStep = 0;
  }

  override renew(): void {
    this.#usable = false;
    this.#fresh = false;
    this.#factorised = 0;
    this.#convergence = 1;
  }

  override stageState(s: number, out: Float64Array): void {
    const { gamma, a } = ARK436;
    const k = this.#k;
    const e = gamma * this.h;
    advance(out, this.y0, this.h, a[s], k);
    for (let i = 0; i < out.length; i++) out[i] += e * k[s][i];
  }

  override interpolate(theta: number, out: Float64Array): void {
    hermite(this, theta, out);
  }

  override slope(theta: number, out: Float64Array): void {
    hermiteSlope(this, theta, out);
  }

  override get damping(): number {
    return this.#factorised;
  }

  /** Newton iteration for stage s; leaves Y in #stage and the deduced rates in k[s]. */
  #solveStage(s: number, e: number): boolean {
    const { y0, t, h } = this;
    const { rates, linear, measure } = this.work;
    const { a, c } = ARK436;
    const k = this.#k;
    const rest = this.#rest;
    const stage = this.#stage;
    const increment = this.#increment;
    const time = t + c[s] * h;
    advance(rest, y0, h, a[s], k);
    this.#guess(s, e);

    let previous = 0;
    let slow = false;
    // θ/(1 − θ) of the last iteration that told it, trusted a little less each time (Hairer & Wanner, §IV.8)
    let rate = (this.#convergence = pow(Math.max(this.#convergence, Number.EPSILON), 0.8));
    for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
      rates.evaluate(time, stage, increment);
      if (this.#rebuilds < MOST_REBUILDS && (slow || linear.stale?.(time, stage))) {
        this.#rebuilds++;
        this.#linearise(time, stage, increment);
        this.#usable = false; // taken inside the step: of no use to the next
        if (!this.#factorise(e)) return false;
        previous = 0;
        slow = false;
      }
      for (let i = 0; i < stage.length; i++) increment[i] = rest[i] + e * increment[i] - stage[i];
      linear.solve(increment);
      for (let i = 0; i < stage.length; i++) stage[i] += increment[i];
      const size = measure.norm(increment, y0, y0);
      if (!(size < Number.POSITIVE_INFINITY)) return false;
      if (previous > 0) {
        const theta = size / previous;
        if (iteration >= 2 && theta > 2) return false;
        this.#slowest = Math.max(this.#slowest, theta);
        slow = theta > TOO_SLOW;
        rate = theta < 1 ? theta / (1 - theta) : Number.POSITIVE_INFINITY;
      }
      // one increment alone must itself be small for the rate of another iteration to be believed
      if (size === 0 || ((previous > 0 || size < 1) && rate * size < NEWTON_TOLERANCE)) {
        if (previous > 0) this.#convergence = rate;
        const out = k[s];
        for (let i = 0; i < stage.length; i++) out[i] = (stage[i] - rest[i]) / e;
        return true;
      }
      previous = size;
    }
    return false;
  }

  /** First guess of a stage: rates on the line through the two stages before, in time of the nodes; of the first one as they changed in the step before */
  #guess(s: number, e: number): void {
    const { c } = ARK436;
    const k = this.#k;
    const rest = this.#rest;
    const stage = this.#stage;
    const [near, far] = PREDICTORS[s];
    if (near !== far) {
      const slope = (c[s] - c[near]) / (c[near] - c[far]);
      for (let i = 0; i < stage.length; i++) stage[i] = rest[i] + e * (k[near][i] + slope * (k[near][i] - k[far][i]));
      return;
    }
    const ahead = this.h < FARTHEST * this.#trendStep ? c[s] * this.h : 0;
    for (let i = 0; i < stage.length; i++) stage[i] = rest[i] + e * (k[0][i] + ahead * this.#trend[i]);
  }

  #fail(): number {
    this.failed = true;
    this.#trendStep = 0;
    // with an old J the same step may still succeed; with one of this very step it must be shorter
    this.factor = this.#fresh ? 0.25 : 1;
    this.#usable = false;
    this.#factorised = 0;
    this.#convergence = 1;
    return Number.POSITIVE_INFINITY;
  }

  #linearise(t: number, y: Float64Array, f: Float64Array): void {
    this.work.linear.linearise(t, y, f, this.#byTime);
    this.work.statistics.linearisations++;
    this.#usable = true;
    this.#age = 0;
    this.#factorised = 0;
    this.#convergence = 1;
  }

  #factorise(e: number): boolean {
    this.work.statistics.factorisations++;
    this.#factorised = this.work.linear.factorise(e) ? e : 0;
    return this.#factorised !== 0;
  }
}

/** For each stage the nearest and the next earlier stage by node: 0, .5, .332, .62, .85, 1. */
const PREDICTORS = [
  [0, 0],
  [0, 0],
  [1, 0],
  [1, 2],
  [3, 1],
  [4, 3],
] as const;
