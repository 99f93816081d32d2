/**
 * RODAS4 and RODAS4P: one linearisation a step, one factorisation and six solutions a try, no iteration.
 * The Jacobian must be exact: with an inexact one the method stays stable and its error estimate honest, but its order falls to 1.
 * Hairer & Wanner, Solving ODEs II (1996), §IV.7.
 */
import { OneStepMethod, stepFactor, twoWeightedSums, type Workshop, weightedSum } from './one-step-method.js';
import { RODAS4, RODAS4P, type RosenbrockTableau } from './rosenbrock-coefficients.js';

export class Rosenbrock extends OneStepMethod {
  override readonly name: 'rodas4' | 'rodas4p';
  override readonly order = 4;
  override readonly denseOrder = 3;

  readonly #tableau: RosenbrockTableau;
  readonly #u: readonly Float64Array[];
  readonly #stage: Float64Array;
  readonly #rates: Float64Array;
  readonly #byTime: Float64Array;
  #linearised = false;
  #timeDependent = false;

  constructor(work: Workshop, name: 'rodas4' | 'rodas4p') {
    super(work);
    this.name = name;
    this.#tableau = name === 'rodas4' ? RODAS4 : RODAS4P;
    // U₆ is the error estimate
    this.#u = [...Array.from({ length: 5 }, () => new Float64Array(this.size)), this.error];
    this.#stage = new Float64Array(this.size);
    this.#rates = new Float64Array(this.size);
    this.#byTime = new Float64Array(this.size);
  }

  /** Linearises at the start of the step, unless that is done: a rejected step keeps its J. */
  linearise(): void {
    if (this.#linearised) return;
    this.work.linear.linearise(this.t, this.y0, this.f0, this.#byTime);
    this.work.statistics.linearisations++;
    this.#linearised = true;
    this.#timeDependent = false;
    for (let i = 0; i < this.size; i++) if (this.#byTime[i] !== 0) this.#timeDependent = true;
  }

  override attempt(): number {
    const { y0, f0, y1, t, h } = this;
    const { rates, linear, measure, statistics } = this.work;
    const { gamma, a, c, alpha, gammas } = this.#tableau;
    const u = this.#u;
    const stage = this.#stage;
    const n = this.size;
    this.hasEndRates = false;
    this.linearise();
    const e = gamma * h;
    statistics.factorisations++;
    this.failed = !linear.factorise(e);
    if (this.failed) {
      this.factor = 0.2;
      return Number.POSITIVE_INFINITY;
    }

    for (let s = 0; s < 6; s++) {
      let f = f0;
      const unknown = u[s];
      if (s === 0) unknown.fill(0);
      else {
        // argument of the stage; those of stages 5 and 6 lead up to the result, y₁ = argument of stage 6 + U₆
        if (s < 5) twoWeightedSums(stage, y0, a[s - 1], unknown, c[s - 1], u);
        else {
          for (let i = 0; i < n; i++) stage[i] += u[4][i];
          weightedSum(unknown, c[s - 1], u);
        }
        f = this.#rates;
        rates.evaluate(t + alpha[s] * h, stage, f);
      }
      for (let i = 0; i < n; i++) unknown[i] = gamma * unknown[i] + e * f[i];
      if (this.#timeDependent && gammas[s] !== 0) {
        const factor = e * h * gammas[s];
        for (let i = 0; i < n; i++) unknown[i] += factor * this.#byTime[i];
      }
      linear.solve(unknown);
    }
    for (let i = 0; i < n; i++) y1[i] = stage[i] + u[5][i];
    const size = measure.norm(this.error, y0, y1);
    this.factor = size > 1 ? stepFactor(size, 1 / 4, 0.1, 0.9) : stepFactor(size, 1 / 4, 0.2, 5);
    return size;
  }

  override accept(): void {
    this.#linearised = false;
  }

  override forget(): void {
    this.#linearised = false;
  }

  override interpolate(theta: number, out: Float64Array): void {
    const { y0, y1 } = this;
    const { d2, d3 } = this.#tableau;
    out.fill(0);
    for (let j = 0; j < 5; j++) {
      const weight = d2[j] + theta * d3[j];
      const u = this.#u[j];
      for (let i = 0; i < out.length; i++) out[i] += weight * u[i];
    }
    const rest = 1 - theta;
    for (let i = 0; i < out.length; i++) out[i] = rest * y0[i] + theta * (y1[i] + rest * out[i]);
  }

  /** Of (1 − θ) y0 + θ (y1 + (1 − θ)(D₂ + θ D₃)), D_k = Σ d_kj U_j */
  override slope(theta: number, out: Float64Array): void {
    const { y0, y1, h } = this;
    const { d2, d3 } = this.#tableau;
    out.fill(0);
    for (let j = 0; j < 5; j++) {
      const weight = (1 - 2 * theta) * (d2[j] + theta * d3[j]) + theta * (1 - theta) * d3[j];
      const u = this.#u[j];
      for (let i = 0; i < out.length; i++) out[i] += weight * u[i];
    }
    for (let i = 0; i < out.length; i++) out[i] = (y1[i] - y0[i] + out[i]) / h;
  }

  override get damping(): number {
    return this.failed ? 0 : this.#tableau.gamma * this.h;
  }
}
