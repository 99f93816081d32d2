/**
 * How far the linearisation is from the rates it belongs to. Along a direction v the difference quotient of f gives w ≈ J v. A
 * solver only solves, so x is taken from (I − e J) x = v − e w, which is v if J is exact, and for small e
 *
 *   (x − v)/e ≈ J v − w,   compared with |w| in the error norm.
 *
 * Two directions: signs drawn at random over all components, and f itself, where the solution is going. Both move y by about a
 * tolerance, so that a state near a kink is left on its side of it; where the quotients forward and backward differ all the same,
 * there is a kink, and nothing is concluded.
 */
import type { Workshop } from './one-step-method.js';

export class JacobianProbe {
  readonly #work: Workshop;
  readonly #direction: Float64Array;
  readonly #moved: Float64Array;
  readonly #forward: Float64Array;
  readonly #backward: Float64Array;
  #seed = 0x9e3779b9;

  constructor(work: Workshop) {
    const fresh = () => new Float64Array(work.problem.size);
    this.#work = work;
    this.#direction = fresh();
    this.#moved = fresh();
    this.#forward = fresh();
    this.#backward = fresh();
  }

  /** Relative difference of the linearisation just made at (t, y), where the rates are f. Leaves the solver without a factorisation. */
  mismatch(t: number, y: Float64Array, f: Float64Array): number {
    const { measure } = this.#work;
    const v = this.#direction;
    for (let i = 0; i < v.length; i++) v[i] = this.#sign() * this.#perturbation(i, y[i]);
    const anywhere = this.#along(t, y, f);
    // along f, as far as the same measure of perturbation allows
    let stretch = Number.POSITIVE_INFINITY;
    for (let i = 0; i < v.length; i++)
      if (f[i] !== 0) stretch = Math.min(stretch, this.#perturbation(i, y[i]) / Math.abs(f[i]));
    if (!(stretch > 0 && stretch < Number.POSITIVE_INFINITY)) return anywhere;
    for (let i = 0; i < v.length; i++) v[i] = stretch * f[i];
    if (!(measure.norm(v, y, y) > 1e-6)) return anywhere; // rounding would decide
    return Math.max(anywhere, this.#along(t, y, f));
  }

  #along(t: number, y: Float64Array, f: Float64Array): number {
    const { rates, measure, linear, statistics } = this.#work;
    const v = this.#direction;
    const moved = this.#moved;
    const forward = this.#forward;
    const backward = this.#backward;
    for (let i = 0; i < v.length; i++) moved[i] = y[i] + v[i];
    rates.evaluate(t, moved, forward);
    for (let i = 0; i < v.length; i++) moved[i] = y[i] - v[i];
    rates.evaluate(t, moved, backward);
    // w into `forward`, half the difference of the two quotients into `backward`
    for (let i = 0; i < v.length; i++) {
      const ahead = forward[i] - f[i];
      const behind = f[i] - backward[i];
      forward[i] = 0.5 * (ahead + behind);
      backward[i] = ahead - behind;
    }
    const sizeV = measure.norm(v, y, y);
    const sizeW = measure.norm(forward, y, y);
    const bend = measure.norm(backward, y, y);
    if (!(sizeW > 0 && sizeV > 0 && bend < 0.005 * sizeW)) return 0;
    const e = (0.01 * sizeV) / sizeW;
    statistics.factorisations++;
    if (!linear.factorise(e)) return 0;
    for (let i = 0; i < v.length; i++) moved[i] = v[i] - e * forward[i];
    linear.solve(moved);
    for (let i = 0; i < v.length; i++) moved[i] = (moved[i] - v[i]) / e;
    return measure.norm(moved, y, y) / sizeW;
  }

  #perturbation(i: number, value: number): number {
    const { measure } = this.#work;
    const relative = measure.rtol[i] > 0 ? measure.rtol[i] : measure.strictness;
    return Math.max(
      measure.tolerance(i, Math.abs(value)),
      1e-7 * Math.max(Math.abs(value), measure.atol[i] / relative),
    );
  }

  /** ±1 from a xorshift generator: the same signs in every run. */
  #sign(): number {
    let s = this.#seed;
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    this.#seed = s;
    return s < 0 ? -1 : 1;
  }
}
