/**
 * A Rosenbrock step with its derivative by parameters. With U_i, Y_i the step's own stages (rosenbrock-coefficients.ts), e = γ h, J at the step's start, S = ∂y/∂p, V_i = ∂U_i/∂p and
 * Z_i = S + Σ a_ij V_j,
 *
 *   (1 − e J) V_i = e [J(Y_i) Z_i + f_p(Y_i)] + γ Σ c_ij V_j + e (J_y[S] + J_p) U_i + e h γ_i (f_ty S + f_tp),      S⁺ = S + Σ m_i V_i
 *
 * with the factors of the step itself. The third term, how J changes along (S, 1), is no refinement: without it S is of order 1, with it of order 4. All derivatives of f on the right
 * are central differences along (Z, 1), of rates at p ± δ; the mixed ones in two directions. S is not in the control of the step.
 */
import { weightedSum } from './one-step-method.js';
import type { LinearSolver } from './problem.js';
import { RODAS4P, type RosenbrockTableau } from './rosenbrock-coefficients.js';

export interface TangentProblem {
  readonly size: number;
  readonly parameters: number;
  /** f where parameter k is moved by `side` of its step: −1, 0 or 1 */
  rates(k: number, side: -1 | 0 | 1, t: number, y: Float64Array, out: Float64Array): void;
  /** By how much parameter k is moved */
  readonly steps: readonly number[];
  /** Of f at the parameters themselves */
  readonly linear: LinearSolver;
}

/** Size of the second direction of mixed differences, in units of the state */
const SIDEWAYS = 1e-4;
/** and in time, of a step */
const IN_TIME = 0.02;
const STAGES = 6;

export class RosenbrockTangent {
  /** ∂y/∂p, one per parameter; to be set at the start */
  readonly s: readonly Float64Array[];
  readonly error: Float64Array;
  readonly #problem: TangentProblem;
  readonly #tableau: RosenbrockTableau;
  readonly #u: readonly Float64Array[];
  readonly #stages: readonly Float64Array[];
  readonly #v: readonly Float64Array[];
  readonly #z: Float64Array;
  readonly #byTime: Float64Array;
  readonly #rates: readonly Float64Array[];
  readonly #moved: Float64Array;
  readonly #sum: Float64Array;

  constructor(problem: TangentProblem, tableau: RosenbrockTableau = RODAS4P) {
    this.#problem = problem;
    this.#tableau = tableau;
    const vector = (): Float64Array => new Float64Array(problem.size);
    const several = (count: number): Float64Array[] => Array.from({ length: count }, vector);
    this.s = several(problem.parameters);
    this.#u = several(STAGES);
    this.error = this.#u[STAGES - 1];
    this.#stages = several(STAGES);
    this.#v = several(STAGES);
    this.#rates = several(4);
    [this.#z, this.#byTime, this.#moved, this.#sum] = [vector(), vector(), vector(), vector()];
  }

  /** Tries a step: writes y₁, leaves U₆ as `error`. False if the matrix is singular. S stays until `accept`. */
  attempt(t: number, y: Float64Array, h: number, y1: Float64Array): boolean {
    const { rates, linear, size: n } = this.#problem;
    const { gamma, c, alpha, gammas } = this.#tableau;
    const [f] = this.#rates;
    const e = gamma * h;
    rates(0, 0, t, y, f);
    linear.linearise(t, y, f, this.#byTime);
    if (!linear.factorise(e)) return false;
    for (let s = 0; s < STAGES; s++) {
      const stage = this.#stages[s];
      this.#argument(s, y, this.#u, this.#stages, stage);
      if (s > 0) rates(0, 0, t + alpha[s] * h, stage, f);
      const u = this.#u[s];
      if (s > 0) weightedSum(u, c[s - 1], this.#u);
      else u.fill(0);
      for (let i = 0; i < n; i++) u[i] = gamma * u[i] + e * (f[i] + h * gammas[s] * this.#byTime[i]);
      linear.solve(u);
    }
    for (let i = 0; i < n; i++) y1[i] = this.#stages[STAGES - 1][i] + this.#u[STAGES - 1][i];
    return true;
  }

  /** Takes the step that was tried: S goes to its end */
  accept(t: number, y: Float64Array, h: number): void {
    for (let k = 0; k < this.#problem.parameters; k++) this.#advance(k, t, y, h);
  }

  #advance(k: number, t: number, y: Float64Array, h: number): void {
    const { linear, size: n } = this.#problem;
    const { gamma, c, alpha, gammas } = this.#tableau;
    const [s, z, sum] = [this.s[k], this.#z, this.#sum];
    const e = gamma * h;
    const timeDependent = this.#byTime.some((v) => v !== 0);
    // f_ty S + f_tp is the same in all stages
    const byTime = new Float64Array(n);
    if (timeDependent) this.#mixed(k, t, y, s, undefined, IN_TIME * h, byTime);
    for (let i = 0; i < STAGES; i++) {
      if (i < STAGES - 1) this.#argument(i, s, this.#v, [], z);
      else for (let j = 0; j < n; j++) z[j] += this.#v[STAGES - 2][j];
      const v = this.#v[i];
      if (i > 0) weightedSum(v, c[i - 1], this.#v);
      else v.fill(0);
      for (let j = 0; j < n; j++) v[j] *= gamma;
      this.#along(k, t + alpha[i] * h, this.#stages[i], z, sum);
      for (let j = 0; j < n; j++) v[j] += e * sum[j];
      // how J changes along (S, 1), times U_i
      const u = this.#u[i];
      let most = 0;
      for (let j = 0; j < n; j++) most = Math.max(most, Math.abs(u[j]));
      if (most > 0) {
        this.#mixed(k, t, y, s, u, SIDEWAYS / most, sum);
        for (let j = 0; j < n; j++) v[j] += e * sum[j];
      }
      if (timeDependent && gammas[i] !== 0) for (let j = 0; j < n; j++) v[j] += e * h * gammas[i] * byTime[j];
      linear.solve(v);
    }
    for (let j = 0; j < n; j++) s[j] = z[j] + this.#v[STAGES - 1][j];
  }

  /** Argument of a stage: base + Σ a_ij U_j; the last is the one before it + U₅ */
  #argument(
    i: number,
    base: Float64Array,
    u: readonly Float64Array[],
    stages: readonly Float64Array[],
    out: Float64Array,
  ): void {
    const n = base.length;
    if (i === 0) out.set(base);
    else if (i < STAGES - 1) {
      weightedSum(out, this.#tableau.a[i - 1], u);
      for (let j = 0; j < n; j++) out[j] += base[j];
    } else for (let j = 0; j < n; j++) out[j] = stages[i - 1][j] + u[i - 1][j];
  }

  /** J(Y) Z + f_p(Y) */
  #along(k: number, t: number, y: Float64Array, z: Float64Array, out: Float64Array): void {
    const { rates, steps } = this.#problem;
    const [above, below] = this.#rates;
    const moved = this.#moved;
    const d = steps[k];
    for (let j = 0; j < y.length; j++) moved[j] = y[j] + d * z[j];
    rates(k, 1, t, moved, above);
    for (let j = 0; j < y.length; j++) moved[j] = y[j] - d * z[j];
    rates(k, -1, t, moved, below);
    for (let j = 0; j < y.length; j++) out[j] = (above[j] - below[j]) / (2 * d);
  }

  /** Second derivative of f along (S, 1) and along u, or in time where there is no u */
  #mixed(
    k: number,
    t: number,
    y: Float64Array,
    s: Float64Array,
    u: Float64Array | undefined,
    size: number,
    out: Float64Array,
  ): void {
    const { rates, steps } = this.#problem;
    const moved = this.#moved;
    const d = steps[k];
    let at = 0;
    for (const side of [1, -1] as const)
      for (const sideways of [size, -size]) {
        for (let j = 0; j < y.length; j++) moved[j] = y[j] + side * d * s[j] + (u ? sideways * u[j] : 0);
        rates(k, side, u ? t : t + sideways, moved, this.#rates[at++]);
      }
    const [pp, pm, mp, mm] = this.#rates;
    for (let j = 0; j < y.length; j++) out[j] = (pp[j] - pm[j] - mp[j] + mm[j]) / (4 * d * size);
  }
}
