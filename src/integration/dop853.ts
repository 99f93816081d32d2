/**
 * DOP853: explicit Runge–Kutta of order 8 with 12 stages for accurate runs of smooth problems. The error estimate joins
 * one of order 5 and one of order 3, err = |e5|² / √(|e5|² + 0.01 |e3|²), which behaves like h⁸.
 * Dense output of order 7 needs three more stages, evaluated only when a value between the ends is asked for.
 * Hairer, Nørsett & Wanner, Solving ODEs I (1993), §II.5, II.6.
 */
import { DOP853 } from './dop853-coefficients.js';
import { advance, OneStepMethod, stepFactor, type Workshop, weightedSum } from './one-step-method.js';

const RESULT = DOP853.a[12];
const THIRD: readonly number[] = RESULT.map(
  (b, j) => b - (j === 0 ? DOP853.third[0] : j === 8 ? DOP853.third[1] : j === 11 ? DOP853.third[2] : 0),
);

/** Of what is allowed; at a tolerance of 1e-12 the estimate of order 5 is about 1e3 in steps that order 8 accepts. */
const RUNAWAY = 1e6;

export class Dop853 extends OneStepMethod {
  override readonly name = 'dop853';
  override readonly order = 8;
  override readonly denseOrder = 7;

  /** The rates at the stages; 1 and 13 belong to the ends of the step, 14 to 16 to dense output. */
  readonly #k: readonly Float64Array[];
  readonly #stage: Float64Array;
  /** The last four vectors of the dense output, once asked for. */
  readonly #dense: readonly Float64Array[];
  #denseReady = false;

  constructor(work: Workshop) {
    super(work);
    const fresh = (length: number) => Array.from({ length }, () => new Float64Array(this.size));
    this.#k = [this.f0, ...fresh(11), this.f1, ...fresh(3)];
    this.#stage = new Float64Array(this.size);
    this.#dense = fresh(4);
  }

  override attempt(): number {
    const { y0, y1, t, h, error } = this;
    const { rates, measure } = this.work;
    const k = this.#k;
    const stage = this.#stage;
    this.#denseReady = false;
    this.hasEndRates = false;
    for (let s = 1; s < 12; s++) {
      advance(stage, y0, h, DOP853.a[s], k);
      rates.evaluate(t + DOP853.c[s] * h, stage, k[s]);
    }
    advance(y1, y0, h, RESULT, k);
    weightedSum(stage, THIRD, k);
    weightedSum(error, DOP853.e5, k);
    for (let i = 0; i < error.length; i++) error[i] *= h;
    const third = h * measure.norm(stage, y0, y1);
    const fifth = measure.norm(error, y0, y1);
    const below = Math.sqrt(fifth * fifth + 0.01 * third * third);
    // Where stages have run away, as they do on stiff parts, the one estimate says nothing of the other: no step of such an error is good.
    const size = fifth === 0 ? 0 : fifth < RUNAWAY ? fifth * (fifth / below) : fifth;
    this.factor = stepFactor(size, 1 / 8, 1 / 3, 6);
    return size;
  }

  override interpolate(theta: number, out: Float64Array): void {
    if (!this.#denseReady) this.#prepareDense();
    const { y0, y1, f0, f1, h } = this;
    const [r4, r5, r6, r7] = this.#dense;
    const s = theta;
    const r = 1 - theta;
    for (let i = 0; i < out.length; i++) {
      const delta = y1[i] - y0[i];
      const start = h * f0[i] - delta;
      const end = delta - h * f1[i] - start;
      const inner = r4[i] + s * (r5[i] + r * (r6[i] + s * r7[i]));
      out[i] = y0[i] + s * (delta + r * (start + s * (end + r * inner)));
    }
  }

  #prepareDense(): void {
    const { y0, t, h } = this;
    for (let s = 13; s < 16; s++) {
      advance(this.#stage, y0, h, DOP853.a[s], this.#k);
      this.work.rates.evaluate(t + DOP853.c[s] * h, this.#stage, this.#k[s]);
    }
    for (let row = 0; row < 4; row++) {
      const out = this.#dense[row];
      weightedSum(out, DOP853.d[row], this.#k);
      for (let i = 0; i < out.length; i++) out[i] *= h;
    }
    this.#denseReady = true;
  }
}
