/**
 * DOPRI5: explicit Runge–Kutta of order 5(4) with 7 stages, the last of which is the first of the next step.
 * Coefficients: Dormand & Prince (1980), J. Comput. Appl. Math. 6, 19–26. Dense output of order 4 from the same stages,
 * PI step control and stiffness test: Hairer, Nørsett & Wanner, Solving ODEs I (1993), §II.5, II.6; Hairer & Wanner,
 * Solving ODEs II (1996), §IV.2.
 */
import { pow } from '../math/elementary.js';
import { advance, OneStepMethod, type Workshop, weightedSum } from './one-step-method.js';

/** Nodes, rows of A, error weights b − b̂, and the weights of the fourth dense-output vector. */
export const DOPRI5 = {
  c: [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1],
  a: [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
  ],
  b: [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
  e: [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40],
  d: [
    -12715105075 / 11282082432,
    0,
    87487479700 / 32700410799,
    -10690763975 / 1880347072,
    701980252875 / 199316789632,
    -1453857185 / 822651844,
    69997945 / 29380423,
  ],
} as const;

/** PI controller h_new = h · 0.9 err^(−0.17) err_old^0.04: calmer than err^(−1/5) where stability bounds the step. */
const BETA = 0.04;
const EXPONENT = 0.2 - 0.75 * BETA;

export class Dopri5 extends OneStepMethod {
  override readonly name = 'dopri5';
  override readonly order = 5;
  override readonly denseOrder = 4;
  /** Estimate of h times the largest eigenvalue of ∂f/∂y in the last step; the method is stable up to 3.3. */
  stiffness = 0;
  /** Change of the rates over the last step against the rates: h ω for a motion of frequency ω that is being followed. */
  turning = 0;

  /** The rates at the stages; the first and the last belong to the ends of the step. */
  readonly #k: readonly Float64Array[];
  /** Argument of stage 6, which also lies at t + h */
  readonly #stage: Float64Array;
  readonly #difference: Float64Array;
  #previousSize = 1e-4;

  constructor(work: Workshop) {
    super(work);
    const stages = Array.from({ length: 5 }, () => new Float64Array(this.size));
    this.#k = [this.f0, ...stages, this.f1];
    this.#stage = new Float64Array(this.size);
    this.#difference = new Float64Array(this.size);
  }

  override attempt(): number {
    const { y0, y1, t, h, error } = this;
    const { rates, measure } = this.work;
    const { a, c, e } = DOPRI5;
    const k = this.#k;
    for (let s = 1; s < 6; s++) {
      advance(this.#stage, y0, h, a[s], k);
      rates.evaluate(t + c[s] * h, this.#stage, k[s]);
    }
    advance(y1, y0, h, a[6], k);
    rates.evaluate(t + h, y1, k[6]);
    this.hasEndRates = true;
    weightedSum(error, e, k);
    for (let i = 0; i < error.length; i++) error[i] *= h;

    const size = measure.norm(error, y0, y1);
    const raw = size > 0 ? 0.9 * pow(size, -EXPONENT) : 10;
    this.factor = size > 1 ? Math.max(0.2, raw) : Math.min(10, Math.max(0.2, raw * pow(this.#previousSize, BETA)));
    return size;
  }

  /** h λ ≈ h |k7 − k6| / |y7 − y6|: both stages lie at t + h, so their difference has turned towards the largest eigenvalue. */
  override accept(size: number): void {
    this.#previousSize = Math.max(size, 1e-4);
    const { y0, y1, f1 } = this;
    const k6 = this.#k[5];
    const stage = this.#stage;
    const difference = this.#difference;
    for (let i = 0; i < this.size; i++) {
      difference[i] = f1[i] - k6[i];
      stage[i] = y1[i] - stage[i];
    }
    const below = this.work.measure.norm(stage, y0, y1);
    this.stiffness = below > 0 ? (this.h * this.work.measure.norm(difference, y0, y1)) / below : 0;
    const { f0 } = this;
    for (let i = 0; i < this.size; i++) difference[i] = f1[i] - f0[i];
    const rates = Math.max(this.work.measure.norm(f0, y0, y1), this.work.measure.norm(f1, y0, y1));
    this.turning = rates > 0 ? this.work.measure.norm(difference, y0, y1) / rates : 0;
  }

  override forget(): void {
    this.#previousSize = 1e-4;
  }

  override interpolate(theta: number, out: Float64Array): void {
    const { y0, y1, f0, f1, h } = this;
    const rest = 1 - theta;
    weightedSum(out, DOPRI5.d, this.#k);
    for (let i = 0; i < out.length; i++) {
      const delta = y1[i] - y0[i];
      const start = h * f0[i] - delta;
      const end = delta - h * f1[i] - start;
      out[i] = y0[i] + theta * (delta + rest * (start + theta * (end + rest * h * out[i])));
    }
  }
}
