/**
 * Derivatives of loads in the form the tree wants: at the tree's origin, with the rigid part taken out.
 *
 * A load F on a carrier with dF = X ξ + C dV enters the step matrix through C and
 *
 *   X'' ξ = X ξ − C (V × ξ) − ξ ×* F
 *
 * because the subtree of a moved joint turns as one: what turns rigidly with it cancels (see tree-derivatives.ts, whose wrenches f
 * include the loads). From the material form of pair-element.ts this is short: only the columns of rotations change,
 *
 *   X''(·, θ) = X(·, θ) − C(·, ω) [ω] − C(·, v) [v],   and on the carrier itself  − (θ × τ, θ × F)
 *
 * after which rows and columns are shifted to the origin. Free bodies keep their centre as origin, and their slides do not turn with
 * them, so their force rows leave out θ × F.
 *
 * States of an element are eliminated here, for they are local: ds = N (r_s + e (Zx ξ + Zv ν)), N = (1 − e Zs)⁻¹, hence
 * X + e S N Zx and C + e S N Zv instead of X and C.
 */

import type { PairDerivative } from '../elements/pair-element.js';
import type { Carriers } from '../tree/carriers.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';

/** The four 6 × 6 blocks of one pair for one step size. */
export class PairBlocks {
  /** Carriers */
  a = -1;
  b = -1;
  /** 12 × 12 */
  readonly pose = new Float64Array(144);
  readonly twist = new Float64Array(144);
  /** 12 × states: S N, at the carriers' origins */
  readonly stateGain: Float64Array;
  /** states × states: N */
  readonly stateInverse: Float64Array;
  private readonly carriers: Carriers;
  private readonly derivatives: TreeDerivatives;
  private readonly work: Float64Array;

  constructor(states: number, carriers: Carriers, derivatives: TreeDerivatives) {
    this.carriers = carriers;
    this.derivatives = derivatives;
    this.stateGain = new Float64Array(12 * states);
    this.stateInverse = new Float64Array(states * states);
    this.work = new Float64Array(states * states);
  }

  /** N for a step size. False if there is none. */
  eliminate(from: PairDerivative, e: number): boolean {
    return invertStep(from.states, e, from.ratesByState, this.stateInverse, this.work);
  }

  /**
   * After `eliminate`.
   *
   * @param motion twists of all carriers where the derivative was taken
   */
  update(from: PairDerivative, motion: Float64Array, e: number): void {
    const { pose, twist, carriers } = this;
    pose.set(from.byPose);
    twist.set(from.byTwist);
    if (from.states > 0) this.addStates(from, e);
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? this.a : this.b;
      if (carrier === carriers.ground) continue;
      const v = 6 * carrier;
      const theta = 6 * side;
      // X(·, θ) − C(·, ω) [ω] − C(·, v) [v]
      for (let row = 0; row < 144; row += 12) {
        const c = row + theta;
        const w = motion;
        pose[c] -= crossRow(twist, c, w, v, 0) + crossRow(twist, c + 3, w, v + 3, 0);
        pose[c + 1] -= crossRow(twist, c, w, v, 1) + crossRow(twist, c + 3, w, v + 3, 1);
        pose[c + 2] -= crossRow(twist, c, w, v, 2) + crossRow(twist, c + 3, w, v + 3, 2);
      }
      // θ × τ and θ × F on the carrier itself
      const own = from.wrench;
      addSkew(pose, 12 * theta + theta, own, theta);
      if (carrier < carriers.nodes) {
        addSkew(pose, 12 * (theta + 3) + theta, own, theta + 3);
        this.shift(side, carrier);
      }
    }
  }

  /** X + e S N Zx and C + e S N Zv */
  private addStates(from: PairDerivative, e: number): void {
    const n = from.states;
    const { stateInverse, stateGain, pose, twist } = this;
    stateGain.fill(0);
    // States of different regions of a contact do not meet: most of N is zero
    for (let i = 0; i < 12; i++)
      for (let l = 0; l < n; l++) {
        const byState = from.byState[i * n + l];
        if (byState === 0) continue;
        for (let k = 0; k < n; k++) stateGain[i * n + k] += byState * stateInverse[l * n + k];
      }
    for (let i = 0; i < 12; i++)
      for (let k = 0; k < n; k++) {
        const gain = e * stateGain[i * n + k];
        if (gain === 0) continue;
        for (let j = 0; j < 12; j++) {
          pose[12 * i + j] += gain * from.ratesByPose[12 * k + j];
          twist[12 * i + j] += gain * from.ratesByTwist[12 * k + j];
        }
      }
  }

  /** Columns and rows of one carrier from its reference point to its tree's origin */
  private shift(side: number, carrier: number): void {
    const { offset } = this.derivatives;
    const c = 3 * carrier;
    shiftColumns(this.pose, 6 * side, offset, c);
    shiftRows(this.pose, 72 * side, 12, 12, offset, c);
    shiftColumns(this.twist, 6 * side, offset, c);
    shiftRows(this.twist, 72 * side, 12, 12, offset, c);
    const n = this.stateGain.length / 12;
    if (n > 0) shiftRows(this.stateGain, 6 * n * side, n, n, offset, c);
  }
}

/** ξ_v at the point = ξ_v + θ × c, in six columns of all rows */
export function shiftColumns(m: Float64Array, column: number, offset: Float64Array, c: number): void {
  for (let at = column; at < m.length; at += 12) {
    const x = m[at + 3];
    const y = m[at + 4];
    const z = m[at + 5];
    m[at] += offset[c + 1] * z - offset[c + 2] * y;
    m[at + 1] += offset[c + 2] * x - offset[c] * z;
    m[at + 2] += offset[c] * y - offset[c + 1] * x;
  }
}

/** τ + c × F down the columns of six rows */
export function shiftRows(
  m: Float64Array,
  at: number,
  stride: number,
  columns: number,
  offset: Float64Array,
  c: number,
): void {
  for (let j = at; j < at + columns; j++) {
    const x = m[j + 3 * stride];
    const y = m[j + 4 * stride];
    const z = m[j + 5 * stride];
    m[j] += offset[c + 1] * z - offset[c + 2] * y;
    m[j + stride] += offset[c + 2] * x - offset[c] * z;
    m[j + 2 * stride] += offset[c] * y - offset[c + 1] * x;
  }
}

/** Row vector m[at …] times column k of [w]: m · (w × e_k) */
export function crossRow(m: Float64Array, at: number, w: Float64Array, v: number, k: number): number {
  if (k === 0) return m[at + 1] * w[v + 2] - m[at + 2] * w[v + 1];
  if (k === 1) return m[at + 2] * w[v] - m[at] * w[v + 2];
  return m[at] * w[v + 1] - m[at + 1] * w[v];
}

/** Adds [f] to a 3 × 3 block of a 12-wide matrix: −θ × f = f × θ */
function addSkew(m: Float64Array, at: number, f: Float64Array, fAt: number): void {
  m[at + 1] -= f[fAt + 2];
  m[at + 2] += f[fAt + 1];
  m[at + 12] += f[fAt + 2];
  m[at + 14] -= f[fAt];
  m[at + 24] -= f[fAt + 1];
  m[at + 25] += f[fAt];
}

/** (1 − e Z)⁻¹ by Gauss–Jordan with row exchanges; cheap where most of Z is zero. */
export function invertStep(n: number, e: number, z: Float64Array, out: Float64Array, work: Float64Array): boolean {
  for (let i = 0; i < n * n; i++) {
    const unit = i % (n + 1) === 0 ? 1 : 0;
    work[i] = unit - e * z[i];
    out[i] = unit;
  }
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(work[i * n + k]) > Math.abs(work[pivot * n + k])) pivot = i;
    const value = work[pivot * n + k];
    if (!(Math.abs(value) > 0)) return false;
    for (let j = 0; j < n; j++) {
      const kept = work[k * n + j];
      work[k * n + j] = work[pivot * n + j] / value;
      if (pivot !== k) work[pivot * n + j] = kept;
      const keptOut = out[k * n + j];
      out[k * n + j] = out[pivot * n + j] / value;
      if (pivot !== k) out[pivot * n + j] = keptOut;
    }
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = work[i * n + k];
      if (factor === 0) continue;
      for (let j = 0; j < n; j++) {
        work[i * n + j] -= factor * work[k * n + j];
        out[i * n + j] -= factor * out[k * n + j];
      }
    }
  }
  return true;
}
