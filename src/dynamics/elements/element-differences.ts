/**
 * Derivatives of an element that gives none: differences over the motion of its two carriers and its states,
 *
 *   ∂W/∂v ≈ (W(v + h) − W(v − h))/2h,              h = 1e-6 (|v| + L s⁻¹), and for states 1e-6 of their scale or value
 *   ∂W/∂x ≈ (4 W(x + h) − 3 W(x) − W(x + 2h))/2h,  h = ± 1e-7 L for places, ± 1e-7 rad for turns, L the smaller body's size
 *
 * Those by places look ahead, where the carrier goes against the other: what yields stands right at a kink after every accepted step, soft on the
 * side it goes to and stiff on the other, and a step matrix of both is of use for neither. Errors of order h² and ε/h: some 1e-8 of what is
 * smooth over a hundredth of L. Time is differenced as everywhere (math/rate-ahead.ts).
 */
import { AHEAD, rateAhead } from '../../math/rate-ahead.js';
import type { Carriers } from '../tree/carriers.js';
import type { PairDerivative } from './pair-element.js';

/** Wrench on A and B (torque, force), 12, then rates, as an element gives them at the carriers' present motion */
export type Response = (t: number, states: Float64Array, out: Float64Array) => void;

export class ElementDifferences {
  /** At the present motion, and at two others */
  private readonly here: Float64Array;
  private readonly above: Float64Array;
  private readonly below: Float64Array;
  private readonly pose = new Float64Array(12);

  /**
   * @param length m: L
   * @param scales of the states
   */
  constructor(
    private readonly carriers: Carriers,
    private readonly sides: readonly [number, number],
    private readonly length: number,
    private readonly scales: readonly number[],
  ) {
    this.here = new Float64Array(12 + scales.length);
    this.above = new Float64Array(12 + scales.length);
    this.below = new Float64Array(12 + scales.length);
  }

  fill(t: number, states: Float64Array, dependsOnTime: boolean, respond: Response, out: PairDerivative): void {
    respond(t, states, this.here);
    for (let side = 0; side < 2; side++) {
      if (this.sides[side] === this.carriers.ground) continue;
      for (let m = 0; m < 6; m++) {
        this.byPose(side, m, t, states, respond, out);
        this.byTwist(side, m, t, states, respond, out);
      }
    }
    for (let k = 0; k < this.scales.length; k++) this.byState(k, t, states, respond, out);
    if (dependsOnTime) this.byTime(t, states, respond, out);
  }

  private byPose(
    side: number,
    m: number,
    t: number,
    states: Float64Array,
    respond: Response,
    out: PairDerivative,
  ): void {
    const { pose, here, above, below, sides } = this;
    const { position, rotation, twist } = this.carriers;
    const c = sides[side];
    for (let k = 0; k < 3; k++) pose[k] = position[3 * c + k];
    for (let k = 0; k < 9; k++) pose[3 + k] = rotation[9 * c + k];
    const away = twist[6 * c + m] - twist[6 * sides[1 - side] + m];
    const h = (away < 0 ? -1e-7 : 1e-7) * (m < 3 ? 1 : this.length);
    this.move(c, m, h);
    respond(t, states, above);
    this.putBack(c);
    this.move(c, m, 2 * h);
    respond(t, states, below);
    this.putBack(c);
    const column = 6 * side + m;
    for (let i = 0; i < here.length; i++) {
      const slope = (4 * above[i] - 3 * here[i] - below[i]) / (2 * h);
      if (i < 12) out.byPose[12 * i + column] = slope;
      else out.ratesByPose[12 * (i - 12) + column] = slope;
    }
  }

  /** A turn by h about a world axis, to third order in h, or a shift along one */
  private move(c: number, m: number, h: number): void {
    const { position, rotation } = this.carriers;
    if (m >= 3) {
      position[3 * c + m - 3] += h;
      return;
    }
    const n = 3 * ((m + 1) % 3);
    const p = 3 * ((m + 2) % 3);
    const cosine = 1 - 0.5 * h * h;
    for (let k = 0; k < 3; k++) {
      const rn = rotation[9 * c + n + k];
      const rp = rotation[9 * c + p + k];
      rotation[9 * c + n + k] = cosine * rn - h * rp;
      rotation[9 * c + p + k] = cosine * rp + h * rn;
    }
  }

  private putBack(c: number): void {
    const { position, rotation } = this.carriers;
    for (let k = 0; k < 3; k++) position[3 * c + k] = this.pose[k];
    for (let k = 0; k < 9; k++) rotation[9 * c + k] = this.pose[3 + k];
  }

  private byTwist(
    side: number,
    m: number,
    t: number,
    states: Float64Array,
    respond: Response,
    out: PairDerivative,
  ): void {
    const { above, below, length } = this;
    const { twist } = this.carriers;
    const at = 6 * this.sides[side] + m;
    const before = twist[at];
    const h = 1e-6 * (Math.abs(before) + (m < 3 ? 1 : length));
    twist[at] = before + h;
    respond(t, states, above);
    twist[at] = before - h;
    respond(t, states, below);
    twist[at] = before;
    const column = 6 * side + m;
    for (let i = 0; i < above.length; i++) {
      const slope = (above[i] - below[i]) / (2 * h);
      if (i < 12) out.byTwist[12 * i + column] = slope;
      else out.ratesByTwist[12 * (i - 12) + column] = slope;
    }
  }

  private byState(k: number, t: number, states: Float64Array, respond: Response, out: PairDerivative): void {
    const { above, below, scales } = this;
    const n = scales.length;
    const before = states[k];
    const h = 1e-6 * Math.max(scales[k], Math.abs(before));
    states[k] = before + h;
    respond(t, states, above);
    states[k] = before - h;
    respond(t, states, below);
    states[k] = before;
    for (let i = 0; i < 12; i++) out.byState[n * i + k] = (above[i] - below[i]) / (2 * h);
    for (let l = 0; l < n; l++) out.ratesByState[n * l + k] = (above[12 + l] - below[12 + l]) / (2 * h);
  }

  private byTime(t: number, states: Float64Array, respond: Response, out: PairDerivative): void {
    const { here, above, below } = this;
    respond(t + AHEAD, states, above);
    respond(t + 2 * AHEAD, states, below);
    for (let i = 0; i < above.length; i++) {
      const rate = rateAhead(here[i], above[i], below[i]);
      if (i < 12) out.byTime[i] = rate;
      else out.ratesByTime[i - 12] = rate;
    }
  }
}
