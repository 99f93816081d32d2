/**
 * What grains do to a body during one step of the machine: a wrench about the world's origin that is linear in time, with the impulse J₀ and its first moment J₁
 * that grains gave in their own steps:
 *
 *   f(τ) = J₀/H + 12 (J₁ − J₀H/2)/H³ (τ − H/2),   0 ≤ τ ≤ H
 *
 * Held about the origin, not about the body's moving centre, it gives the body exactly the momentum and angular momentum that grains lost.
 */

import type { PairDerivative, PairElement, PowerLedger } from '../dynamics/elements/pair-element.js';
import type { Carriers } from '../dynamics/tree/carriers.js';

export class GrainLoad implements PairElement {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly states = 0;
  readonly stateAt = -1;
  readonly timeDependent = true;
  private readonly carriers: Carriers;
  /** Start and length of the step, s */
  private from = 0;
  /** Wrench in the middle (force, moment about the origin), and its rate */
  readonly middle = new Float64Array(6);
  readonly rate = new Float64Array(6);
  private readonly now = new Float64Array(6);

  constructor(name: string, carrier: number, carriers: Carriers) {
    this.name = name;
    this.a = carriers.ground;
    this.b = carrier;
    this.carriers = carriers;
  }

  /** @param impulse J₀ and @param moment J₁, 6 each: N s and N m s; N s² … */
  hold(t: number, duration: number, impulse: Float64Array, moment: Float64Array): void {
    this.from = t + 0.5 * duration;
    for (let k = 0; k < 6; k++) {
      this.middle[k] = impulse[k] / duration;
      this.rate[k] = (12 * (moment[k] - 0.5 * duration * impulse[k])) / (duration * duration * duration);
    }
  }

  /** The same all the time, for finding out what the body does under it */
  constant(wrench: ArrayLike<number>): void {
    this.middle.set(wrench);
    this.rate.fill(0);
  }

  private at(t: number): Float64Array {
    for (let k = 0; k < 6; k++) this.now[k] = this.middle[k] + this.rate[k] * (t - this.from);
    return this.now;
  }

  evaluate(t: number): void {
    const { load, position } = this.carriers;
    const w = this.at(t);
    const [o, p] = [6 * this.b, 3 * this.b];
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      load[o + k] += w[3 + k] - (position[p + m] * w[n] - position[p + n] * w[m]);
      load[o + 3 + k] += w[k];
    }
  }

  /** Torque about the reference point c: M − c × F, so −δc × F; and what changes with time */
  differentiate(t: number, _y: Float64Array, out: PairDerivative): void {
    const { position } = this.carriers;
    const w = this.at(t);
    const { rate } = this;
    const p = 3 * this.b;
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      out.wrench[6 + k] += w[3 + k] - (position[p + m] * w[n] - position[p + n] * w[m]);
      out.wrench[9 + k] += w[k];
      out.byPose[12 * (6 + k) + 9 + m] -= w[n];
      out.byPose[12 * (6 + k) + 9 + n] += w[m];
      out.byTime[6 + k] += rate[3 + k] - (position[p + m] * rate[n] - position[p + n] * rate[m]);
      out.byTime[9 + k] += rate[k];
    }
  }

  energy(): number {
    return 0;
  }

  /** What grains do is work from outside the machine. */
  power(t: number, _y: Float64Array, ledger: PowerLedger): void {
    const { twist, position } = this.carriers;
    const w = this.at(t);
    const [o, p] = [6 * this.b, 3 * this.b];
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      const torque = w[3 + k] - (position[p + m] * w[n] - position[p + n] * w[m]);
      ledger.supplied += torque * twist[o + k] + w[k] * twist[o + 3 + k];
    }
  }
}
