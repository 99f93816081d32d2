/**
 * A rigid body that turns without torque, over one step. Euler's equation in its principal axes:
 *
 *   ω̇₁ = (J₂ − J₃)/J₁ ω₂ ω₃   and cyclic
 *
 * by one step of RK4 while it turns by less than a quarter of a rad. Beyond that RK4 loses its energy, and from |ω| h of some 3 on the numbers grow without end; so a faster one is followed in
 * parts of a tenth of a rad, each with the energy of the start (the torque does no work), and its turns are added up.
 */

import { turnQuaternion } from '../dynamics/tree/turn-quaternion.js';
import { atan2 } from '../math/elementary.js';

/** rad in a step: slower ones are one step */
const SLOW = 0.25;
/** rad in a part, and the most parts: beyond a hundred turns in a step only the energy is kept */
const PART = 0.1;
const MOST_PARTS = 8192;

export class FreeSpin {
  /** rad/s that ω changes by */
  readonly change = new Float64Array(3);
  /** rad/s: the constant velocity that leads to the same pose */
  readonly meanTurn = new Float64Array(3);
  private a = 0;
  private b = 0;
  private c = 0;
  private readonly moments = new Float64Array(3);
  private readonly w = new Float64Array(3);
  private readonly rates = new Float64Array(12);
  private readonly turned = new Float64Array(4);
  private readonly theta = new Float64Array(3);

  /** @param jx jy jz principal moments, kg m² */
  set(jx: number, jy: number, jz: number): void {
    this.moments[0] = jx;
    this.moments[1] = jy;
    this.moments[2] = jz;
    this.a = (jy - jz) / jx;
    this.b = (jz - jx) / jy;
    this.c = (jx - jy) / jz;
  }

  get hasInertia(): boolean {
    const { moments } = this;
    return moments[0] > 0 && moments[1] > 0 && moments[2] > 0;
  }

  /** ω̇ along axis j */
  explicit(j: number, wx: number, wy: number, wz: number): number {
    return j === 0 ? this.a * wy * wz : j === 1 ? this.b * wz * wx : this.c * wx * wy;
  }

  partsOf(h: number, wx: number, wy: number, wz: number): number {
    const angle = h * Math.sqrt(wx * wx + wy * wy + wz * wz);
    return angle <= SLOW ? 1 : Math.min(MOST_PARTS, Math.ceil(angle / PART));
  }

  /** In parts from ω over h s; fills `change` and `meanTurn`. */
  turn(h: number, parts: number, wx: number, wy: number, wz: number): void {
    const { change, w, turned, theta, meanTurn } = this;
    const part = h / parts;
    w[0] = wx;
    w[1] = wy;
    w[2] = wz;
    const energy = this.energy();
    turned[0] = 1;
    turned[1] = turned[2] = turned[3] = 0;
    for (let k = 0; k < parts; k++) {
      this.rate(part, w[0], w[1], w[2]);
      for (let j = 0; j < 3; j++) {
        theta[j] = 0.5 * part * w[j];
        w[j] += part * this.mean(j);
      }
      const scale = Math.sqrt(energy / this.energy());
      for (let j = 0; j < 3; j++) {
        w[j] *= scale;
        theta[j] += 0.5 * part * w[j];
      }
      turnQuaternion(turned, 0, theta);
    }
    change[0] = w[0] - wx;
    change[1] = w[1] - wy;
    change[2] = w[2] - wz;
    // the turn as one about a fixed axis: its half has the sine |(x, y, z)| and the cosine w
    const sine = Math.sqrt(turned[1] * turned[1] + turned[2] * turned[2] + turned[3] * turned[3]);
    const per = sine > 0 ? (2 * atan2(sine, turned[0])) / (h * sine) : 0;
    for (let j = 0; j < 3; j++) meanTurn[j] = per * turned[1 + j];
  }

  /** Twice the energy, J */
  private energy(): number {
    const { moments, w } = this;
    return moments[0] * w[0] * w[0] + moments[1] * w[1] * w[1] + moments[2] * w[2] * w[2];
  }

  /** One step of RK4: ω̇ at its stages */
  rate(h: number, wx: number, wy: number, wz: number): void {
    const { rates } = this;
    for (let stage = 0; stage < 4; stage++) {
      const s = stage === 0 ? 0 : stage === 3 ? h : 0.5 * h;
      const p = 3 * Math.max(0, stage - 1);
      const x = wx + s * (stage === 0 ? 0 : rates[p]);
      const y = wy + s * (stage === 0 ? 0 : rates[p + 1]);
      const z = wz + s * (stage === 0 ? 0 : rates[p + 2]);
      rates[3 * stage] = this.a * y * z;
      rates[3 * stage + 1] = this.b * z * x;
      rates[3 * stage + 2] = this.c * x * y;
    }
  }

  /** and ω̇ on the whole, along axis j */
  mean(j: number): number {
    const { rates } = this;
    return (rates[j] + 2 * rates[3 + j] + 2 * rates[6 + j] + rates[9 + j]) / 6;
  }
}
