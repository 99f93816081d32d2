/**
 * Radau IIA with 3 stages, order 5: for stiff problems to high accuracy. Dense Jacobian; one real and one complex LU of size n.
 * Coefficients, transformation, error estimate, iteration and predictive step control: Hairer & Wanner, Solving ODEs II (1996), §IV.8.
 *
 * With Z_i = Y_i − y the stages solve Z = h (A ⊗ I) F(y + Z). T⁻¹A⁻¹T is the block diagonal of γ̂ and [α̂ −β̂; β̂ α̂], so that
 * in W = (T⁻¹ ⊗ I) Z the Newton matrix falls into γ̂/h I − J and (α̂ + iβ̂)/h I − J.
 */
import { factoriseComplexLu, factoriseLu, solveComplexLu, solveLu } from '../math/dense-lu.js';
import { cbrt, pow } from '../math/elementary.js';
import { DenseLinearSolver } from './dense-linear-solver.js';
import { OneStepMethod, type Workshop } from './one-step-method.js';

const S6 = Math.sqrt(6);
const gamma = (6 + cbrt(81) - cbrt(9)) / 30;
const alpha = (12 - cbrt(81) + cbrt(9)) / 60;
const beta = ((cbrt(81) + cbrt(9)) * Math.sqrt(3)) / 60;
const norm2 = alpha * alpha + beta * beta;

export const RADAU5 = {
  c: [(4 - S6) / 10, (4 + S6) / 10, 1],
  a: [
    [(88 - 7 * S6) / 360, (296 - 169 * S6) / 1800, (-2 + 3 * S6) / 225],
    [(296 + 169 * S6) / 1800, (88 + 7 * S6) / 360, (-2 - 3 * S6) / 225],
    [(16 - S6) / 36, (16 + S6) / 36, 1 / 9],
  ],
  gammaHat: 1 / gamma,
  alphaHat: alpha / norm2,
  betaHat: beta / norm2,
  t: [
    [0.09123239487089294, -0.1412552950209542, -0.03002919410514742],
    [0.241717932707107, 0.2041293522937999, 0.3829421127572619],
    [0.966048182615093, 1, 0],
  ],
  inverseT: [
    [4.325579890063155, 0.3391992518158099, 0.5417705399358749],
    [-4.178718591551905, -0.3276828207610624, 0.4766235545005505],
    [-0.5028726349457869, 2.571926949855605, -0.5960392048282249],
  ],
  /** Error: (γ̂/h I − J)⁻¹ (f(y) + Σ e_i Z_i / h) */
  e: [-(13 + 7 * S6) / 3, (-13 + 7 * S6) / 3, -1 / 3],
} as const;

const MOST_ITERATIONS = 7;

/** Length of the step before against this one, between which its stages help to interpolate: else they are too close or too far. */
const LEAST_RATIO = 0.2;
const MOST_RATIO = 2.5;

/** A tenth of the largest value of (θ − 1)(θ − c₂)(θ − c₁)θ(θ + r(1 − c₂)), about: the last term in between may be ten tolerances. */
const LAST_TERM = 0.002;

export class Radau5 extends OneStepMethod {
  override readonly name = 'radau5';
  override readonly order = 5;
  override readonly denseOrder = 3;

  readonly #solver: DenseLinearSolver;
  readonly #z: readonly [Float64Array, Float64Array, Float64Array];
  readonly #w: readonly [Float64Array, Float64Array, Float64Array];
  readonly #f: readonly [Float64Array, Float64Array, Float64Array];
  readonly #stage: Float64Array;
  readonly #increment: Float64Array;
  readonly #lu: Float64Array;
  readonly #pivots: Int32Array;
  readonly #luRe: Float64Array;
  readonly #luIm: Float64Array;
  readonly #complexPivots: Int32Array;
  /** Collocation polynomial of the last accepted step in divided differences, see #keepPolynomial */
  readonly #polynomial: readonly [Float64Array, Float64Array, Float64Array];
  /** The two divided differences more that the step before gives; used in between if `#bothSteps` */
  readonly #further: readonly [Float64Array, Float64Array];
  /** States at the inner nodes of the last accepted step and of the one before */
  #inner: readonly [Float64Array, Float64Array];
  #innerBefore: readonly [Float64Array, Float64Array];
  #bothSteps = false;
  #firstNodeBefore = 0;
  readonly #last: Float64Array;
  #lastStep = 0;
  #fresh = false;
  #usable = false;
  #factorised = 0;
  #convergence = 1;
  /** Rate of convergence of the last iteration, 0 if it ended at once */
  #theta = 0;
  #iterations = 0;
  #first = true;
  #rejected = false;
  #previousSize = 0;
  #previousStep = 0;
  #size = 0;
  /**
   * The estimate is of order 3, the result of order 5. Compared with the tolerance itself it would ask for far more than that, so it
   * is compared with 0.1 rtol^(3/4) instead. (The published code takes 0.1 rtol^(2/3), which at rtol 1e-10 gives up two digits.)
   */
  readonly #slack: number;
  readonly #newtonTolerance: number;

  constructor(work: Workshop) {
    super(work);
    const n = this.size;
    const fresh = () => new Float64Array(n);
    this.#solver =
      work.linear instanceof DenseLinearSolver
        ? work.linear
        : new DenseLinearSolver(work.problem, work.rates, work.measure);
    this.#z = [fresh(), fresh(), fresh()];
    this.#w = [fresh(), fresh(), fresh()];
    this.#f = [fresh(), fresh(), fresh()];
    this.#polynomial = [fresh(), fresh(), fresh()];
    this.#further = [fresh(), fresh()];
    this.#inner = [fresh(), fresh()];
    this.#innerBefore = [fresh(), fresh()];
    this.#last = fresh();
    this.#stage = fresh();
    this.#increment = fresh();
    this.#lu = new Float64Array(n * n);
    this.#luRe = new Float64Array(n * n);
    this.#luIm = new Float64Array(n * n);
    this.#pivots = new Int32Array(n);
    this.#complexPivots = new Int32Array(n);
    const rtol = work.measure.strictness;
    this.#slack = Math.max(1, 0.1 * pow(rtol, -1 / 4));
    const internal = rtol * this.#slack;
    this.#newtonTolerance = Math.max((10 * Number.EPSILON) / internal, Math.min(0.03, Math.sqrt(internal)));
  }

  override attempt(): number {
    const { y0, f0, y1, t, h, error } = this;
    const { rates } = this.work;
    this.failed = false;
    this.hasEndRates = false;
    if (!this.#usable) {
      this.#solver.lineariseInState(t, y0, f0);
      this.work.statistics.linearisations++;
      this.#usable = true;
      this.#fresh = true;
      this.#factorised = 0;
      this.#convergence = 1;
    }
    if (h !== this.#factorised && !this.#factorise(h)) return this.#fail(0.5);
    this.#guess();
    if (!this.#iterate()) return this.#fail(this.#fresh ? 0.5 : 1);

    const z = this.#z;
    for (let i = 0; i < this.size; i++) y1[i] = y0[i] + z[2][i];
    // estimate of the error; on the first step and after a rejection the stiff part is filtered once more
    const { e } = RADAU5;
    const increment = this.#increment;
    for (let i = 0; i < this.size; i++) {
      increment[i] = (e[0] * z[0][i] + e[1] * z[1][i] + e[2] * z[2][i]) / h;
      error[i] = increment[i] + f0[i];
    }
    solveLu(this.#lu, this.size, this.#pivots, error);
    let size = this.#norm(error, y1);
    if (size >= 1 && (this.#first || this.#rejected)) {
      for (let i = 0; i < this.size; i++) this.#stage[i] = y0[i] + error[i];
      rates.evaluate(t, this.#stage, error);
      for (let i = 0; i < this.size; i++) error[i] += increment[i];
      solveLu(this.#lu, this.size, this.#pivots, error);
      size = this.#norm(error, y1);
    }
    if (!(size < Number.POSITIVE_INFINITY)) return size;
    size = Math.max(size, 1e-10);
    const safety = Math.min(0.9, (0.9 * (1 + 2 * MOST_ITERATIONS)) / (this.#iterations + 2 * MOST_ITERATIONS));
    let factor = Math.min(8, Math.max(0.125, safety * pow(size, -0.25)));
    if (size < 1) {
      // predictive controller (Gustafsson 1994): believes that the error goes on changing as it did
      if (this.#previousSize > 0) {
        const predicted = 0.9 * (h / this.#previousStep) * pow((size * size) / this.#previousSize, -0.25);
        factor = Math.min(factor, Math.min(8, Math.max(0.125, predicted)));
      }
      // a slightly longer step is not worth a factorisation while the iteration converges well
      if (this.#theta <= 0.001 && factor >= 1 && factor <= 1.2) factor = 1;
      this.factor = factor;
    } else {
      this.factor = this.#first ? 0.1 : Math.min(0.9, factor);
      this.#rejected = true;
    }
    this.#size = size;
    return size;
  }

  override accept(): void {
    this.#previousSize = Math.max(0.01, this.#size);
    this.#previousStep = this.h;
    this.#rejected = false;
    this.#first = false;
    this.#fresh = false;
    if (this.#theta > 0.001) this.#usable = false;
    this.#keepPolynomial();
    if (!this.#bothSteps) return;
    const between = LAST_TERM * this.work.measure.norm(this.#further[1], this.y0, this.y1);
    if (between > 1) this.factor = Math.min(this.factor, Math.max(0.5, 0.9 * pow(between, -1 / 5)));
  }

  override forget(): void {
    this.#first = true;
    this.#usable = false;
    this.#fresh = false;
    this.#factorised = 0;
    this.#previousSize = 0;
    this.#previousStep = 0;
    this.#lastStep = 0;
    this.#convergence = 1;
  }

  /**
   * The collocation polynomial through y0 and the three stages, order 3; where the step before was of like length, through its two inner
   * stages as well. On a stiff part the step is as long as its end allows, and a cubic is off by h⁴ y⁗ in between, hundreds of tolerances.
   */
  override interpolate(theta: number, out: Float64Array): void {
    this.#extrapolate(theta, out);
    if (this.#bothSteps) {
      const [p4, p5] = this.#further;
      const [c1, c2] = RADAU5.c;
      const product = (theta - 1) * (theta - c2) * (theta - c1) * theta;
      const next = theta - this.#firstNodeBefore;
      for (let i = 0; i < out.length; i++) out[i] += product * (p4[i] + next * p5[i]);
    }
    for (let i = 0; i < out.length; i++) out[i] += this.#last[i];
  }

  #norm(error: Float64Array, after: Float64Array): number {
    return this.work.measure.norm(error, this.y0, after) / this.#slack;
  }

  /** Z at the start of the iteration: the polynomial of the step before, continued; zero at first. */
  #guess(): void {
    const { c, inverseT } = RADAU5;
    const z = this.#z;
    for (let s = 0; s < 3; s++) {
      if (this.#lastStep > 0) {
        this.#extrapolate(1 + (c[s] * this.h) / this.#lastStep, z[s]);
        for (let i = 0; i < this.size; i++) z[s][i] += this.#last[i] - this.y0[i];
      } else z[s].fill(0);
    }
    for (let s = 0; s < 3; s++)
      for (let i = 0; i < this.size; i++)
        this.#w[s][i] = inverseT[s][0] * z[0][i] + inverseT[s][1] * z[1][i] + inverseT[s][2] * z[2][i];
  }

  #iterate(): boolean {
    const { y0, t, h } = this;
    const { rates } = this.work;
    const { c, t: T, inverseT, gammaHat, alphaHat, betaHat } = RADAU5;
    const z = this.#z;
    const w = this.#w;
    const f = this.#f;
    const n = this.size;
    const [g, a, b] = [gammaHat / h, alphaHat / h, betaHat / h];
    let previous = 0;
    let previousTheta = 0;
    // θ/(1 − θ) of the last iteration that told it, trusted a little less each time
    let rate = (this.#convergence = pow(Math.max(this.#convergence, Number.EPSILON), 0.8));
    this.#theta = 0;
    for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
      this.#iterations = iteration + 1;
      for (let s = 0; s < 3; s++) {
        for (let i = 0; i < n; i++) this.#stage[i] = y0[i] + z[s][i];
        rates.evaluate(t + c[s] * h, this.#stage, f[s]);
      }
      // right sides T⁻¹F − Λ/h W, and their solution in place
      for (let i = 0; i < n; i++) {
        const f0 = f[0][i];
        const f1 = f[1][i];
        const f2 = f[2][i];
        f[0][i] = inverseT[0][0] * f0 + inverseT[0][1] * f1 + inverseT[0][2] * f2 - g * w[0][i];
        f[1][i] = inverseT[1][0] * f0 + inverseT[1][1] * f1 + inverseT[1][2] * f2 - a * w[1][i] + b * w[2][i];
        f[2][i] = inverseT[2][0] * f0 + inverseT[2][1] * f1 + inverseT[2][2] * f2 - b * w[1][i] - a * w[2][i];
      }
      solveLu(this.#lu, n, this.#pivots, f[0]);
      solveComplexLu(this.#luRe, this.#luIm, n, this.#complexPivots, f[1], f[2]);
      for (let s = 0; s < 3; s++) for (let i = 0; i < n; i++) w[s][i] += f[s][i];
      let size = 0;
      for (let s = 0; s < 3; s++) {
        for (let i = 0; i < n; i++) z[s][i] = T[s][0] * w[0][i] + T[s][1] * w[1][i] + T[s][2] * w[2][i];
        const part = this.#norm(f[s], y0);
        if (!(part <= size)) size = part;
      }
      if (!(size < Number.POSITIVE_INFINITY)) return false;
      if (previous > 0) {
        const quotient = size / previous;
        const theta = iteration === 1 ? quotient : Math.sqrt(quotient * previousTheta);
        previousTheta = quotient;
        this.#theta = theta;
        if (theta >= 0.99) return false;
        rate = theta / (1 - theta);
        const left = MOST_ITERATIONS - 2 - iteration;
        // would not converge in time
        if (left > 0 && rate * size * pow(theta, left) > this.#newtonTolerance) return false;
      }
      if (rate * size <= this.#newtonTolerance) {
        if (previous > 0) this.#convergence = rate;
        return true;
      }
      previous = Math.max(size, 1e-300);
    }
    return false;
  }

  #fail(factor: number): number {
    this.failed = true;
    this.factor = factor;
    if (!this.#fresh) this.#usable = false;
    this.#factorised = 0;
    this.#convergence = 1;
    return Number.POSITIVE_INFINITY;
  }

  #factorise(h: number): boolean {
    const n = this.size;
    const { jacobian } = this.#solver;
    const { gammaHat, alphaHat, betaHat } = RADAU5;
    for (let i = 0; i < n * n; i++) this.#lu[i] = this.#luRe[i] = -jacobian[i];
    this.#luIm.fill(0);
    for (let i = 0; i < n * n; i += n + 1) {
      this.#lu[i] += gammaHat / h;
      this.#luRe[i] += alphaHat / h;
      this.#luIm[i] += betaHat / h;
    }
    this.work.statistics.factorisations += 2;
    const regular =
      factoriseLu(this.#lu, n, this.#pivots) && factoriseComplexLu(this.#luRe, this.#luIm, n, this.#complexPivots);
    this.#factorised = regular ? h : 0;
    return regular;
  }

  /**
   * Newton's form of the polynomial through (θ, y − y1): (1, 0), (c2, Z2 − Z3), (c1, Z1 − Z3), (0, −Z3):
   *   p(θ) = (θ − 1) (p1 + (θ − c2) (p2 + (θ − c1) p3))
   */
  #keepPolynomial(): void {
    const [z1, z2, z3] = this.#z;
    const [p1, p2, p3] = this.#polynomial;
    const [c1, c2] = RADAU5.c;
    for (let i = 0; i < this.size; i++) {
      const d21 = (z2[i] - z3[i]) / (c2 - 1);
      const d12 = (z1[i] - z2[i]) / (c1 - c2);
      const d01 = z1[i] / c1;
      const second = (d12 - d21) / (c1 - 1);
      p1[i] = d21;
      p2[i] = second;
      p3[i] = second - (d01 - d12) / (0 - c2);
    }
    this.#keepInner();
    this.#last.set(this.y1);
    this.#lastStep = this.h;
  }

  /** Two nodes more, −r(1 − c2) and −r(1 − c1), r the length of the step before against this one: divided differences from 1 through them */
  #keepInner(): void {
    const [z1, z2] = this.#z;
    const inner = this.#innerBefore;
    const [late, early] = (this.#innerBefore = this.#inner);
    this.#inner = inner;
    for (let i = 0; i < this.size; i++) {
      inner[0][i] = this.y0[i] + z2[i];
      inner[1][i] = this.y0[i] + z1[i];
    }
    const [c1, c2] = RADAU5.c;
    const ratio = this.#lastStep / this.h;
    this.#bothSteps = ratio > LEAST_RATIO && ratio < MOST_RATIO;
    if (!this.#bothSteps) return;
    const x4 = (this.#firstNodeBefore = -ratio * (1 - c2));
    const x5 = -ratio * (1 - c1);
    const [p1, p2, p3] = this.#polynomial;
    const [p4, p5] = this.#further;
    for (let i = 0; i < this.size; i++) {
      // nested division of what the polynomial so far leaves over, node by node
      const at4 = ((late[i] - this.y1[i]) / (x4 - 1) - p1[i]) / (x4 - c2) - p2[i];
      const at5 = ((early[i] - this.y1[i]) / (x5 - 1) - p1[i]) / (x5 - c2) - p2[i];
      p4[i] = (at4 / (x4 - c1) - p3[i]) / x4;
      p5[i] = ((at5 / (x5 - c1) - p3[i]) / x5 - p4[i]) / (x5 - x4);
    }
  }

  #extrapolate(theta: number, out: Float64Array): void {
    const [p1, p2, p3] = this.#polynomial;
    const [c1, c2] = RADAU5.c;
    for (let i = 0; i < out.length; i++) out[i] = (theta - 1) * (p1[i] + (theta - c2) * (p2[i] + (theta - c1) * p3[i]));
  }
}
