/**
 * An element of the user's own, an own force on a body or a soil, linearised for a step (element-terms.ts):
 *
 *   Δw = h X v₀ + h ∂w/∂t + (h X + C)(v − v₀),    X = ∂w/∂(pose), C = ∂w/∂(twist) of both carriers (pair-element.ts)
 *
 * The first part is known. Of the second the problem of the step can have what is the gradient of a convex function: S = the positive part of −½ (A + Aᵀ), A = h X + C. The rest is v − v₀ times
 * what is not stiff, of the second order in h, and left out.
 *
 * S = Σ d l lᵀ by Cholesky's method with the largest diagonal first, turns measured as ways at the size of the bodies; it ends where no diagonal is left that is positive. Each l is a row.
 *
 * States s of a stiff element are advanced with it, s' = r + Zx ξ + Zv ν + Zs Δs linearised:
 *
 *   Δs = h N (r + h Zx v + Zv (v − v₀)),  N = (1 − h Zs)⁻¹;    X and C have S_s h N (…) in them, S_s = ∂w/∂s
 *
 * Soil yields on the way in, and is stiff on the way out. Where w would turn the motion round within the step, w·v₀ < 0 < w·v*, the force that acts in the end is that of the way out: it is
 * linearised about − 10⁻³ v₀ in place of v₀, where that is stiff.
 */

import { type HeldElement, PairDerivative } from '../dynamics/elements/pair-element.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { invertStep } from '../dynamics/step/load-derivatives.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** Of the velocity that is turned round: where the way out begins */
const BACK = -1e-3;
/** h d w, w the mobility along a row: below, a step with the force of its middle is stable and loses less */
const STIFF = 0.5;
/** Of the largest diagonal: what is less is rounding */
const LEAST = 1e-9;

export class StepElement {
  readonly derivative: PairDerivative;
  /** 12 each: wrench at the start, of slow ones in the middle; what is known of its change; where it is linearised */
  readonly start = new Float64Array(12);
  readonly change = new Float64Array(12);
  readonly v0 = new Float64Array(12);
  /** Rows of S, 12 numbers each, and their d */
  readonly rows = new Float64Array(144);
  readonly slopes = new Float64Array(12);
  rank = 0;
  stiff = false;
  /** Rates of its states at the start, later those that they go on with; N */
  readonly rates: Float64Array;
  readonly inverse: Float64Array;
  /** First of its rows; work on the bodies in the step, J */
  row = 0;
  work = 0;
  /** Blocks; −1: none, the second −1: the same */
  readonly first: number;
  readonly second: number;

  constructor(
    readonly pair: HeldElement,
    { ofCarrier }: VelocityBlocks,
  ) {
    this.derivative = new PairDerivative(pair.states);
    this.rates = new Float64Array(pair.states);
    this.inverse = new Float64Array(pair.states * pair.states);
    const [a, b] = [ofCarrier[pair.a], ofCarrier[pair.b]];
    this.first = a < 0 ? b : a;
    this.second = a < 0 || a === b ? -1 : b;
  }
}

export class ElementLinearisation {
  /** 12 × 12 */
  private readonly s = new Float64Array(144);
  private readonly moving = new Float64Array(12);
  /** Of the states of one element */
  private readonly work: Float64Array;
  private readonly row: Float64Array;
  /** m per carrier: an angle times it is a way */
  private readonly sizes: Float64Array;

  /** @param most states of one element */
  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    most: number,
  ) {
    this.work = new Float64Array(most * most);
    this.row = new Float64Array(mechanics.nv);
    const { carriers, system } = mechanics;
    this.sizes = new Float64Array(carriers.ground + 1);
    for (const { anchor, size } of system.bodies) {
      const c = carriers.indexOf(anchor);
      this.sizes[c] = Math.max(this.sizes[c], size);
    }
  }

  /** At the carriers' present motion, the start of the step. @param rates of all states; @param free v* with the forces of the start, a vector of all blocks */
  look(element: StepElement, t: number, h: number, y: Float64Array, rates: Float64Array, free: Float64Array): void {
    const { pair, derivative } = element;
    derivative.clear();
    pair.differentiate(t, y, derivative);
    element.start.set(derivative.wrench);
    for (let k = 0; k < pair.states; k++) element.rates[k] = rates[pair.stateAt + k];
    if (pair.states === 0 && this.turnsRound(element, free)) {
      this.differentiateGoingBack(element, t, y);
      this.linearise(element, h, BACK);
      if (element.stiff) return;
      derivative.clear();
      pair.differentiate(t, y, derivative);
    }
    element.change.fill(0);
    this.linearise(element, h, 1);
  }

  /** Rows of S, and more of what is known of the change, about `along` times the motion at the start */
  private linearise(element: StepElement, h: number, along: number): void {
    const { pair, derivative, change, v0 } = element;
    const { twist } = this.mechanics.carriers;
    for (let k = 0; k < 12; k++) v0[k] = along * twist[6 * (k < 6 ? pair.a : pair.b) + (k % 6)];
    const follows = this.foldStates(element, h);
    const { byPose, byTwist, byTime } = derivative;
    const { s } = this;
    let any = false;
    for (let i = 0; i < 12; i++) {
      change[i] += h * byTime[i];
      for (let j = 0; j < 12; j++) {
        change[i] += h * byPose[12 * i + j] * v0[j];
        const [x, z] = [12 * i + j, 12 * j + i];
        s[x] = -0.5 * (h * (byPose[x] + byPose[z]) + byTwist[x] + byTwist[z]);
        if (s[x] !== 0) any = true;
      }
    }
    // what does not move has no part in it
    for (let side = 0; side < 2; side++)
      if (this.blocks.ofCarrier[side === 0 ? pair.a : pair.b] < 0) this.clear(element, 6 * side);
    element.rank = 0;
    element.stiff = follows;
    if (!any) return;
    this.decompose(element);
    let stiffest = 0;
    for (let i = 0; i < element.rank; i++)
      stiffest = Math.max(stiffest, h * element.slopes[i] * this.mobility(element, element.rows, 12 * i));
    if (stiffest > STIFF) element.stiff = true;
    if (!element.stiff) this.halve(element);
  }

  /** Of a slow one that acts on free bodies, whose velocity in the middle of the step is not foreseen: rows of ½ C */
  private halve(element: StepElement): void {
    const { byTwist } = element.derivative;
    const { s, blocks } = this;
    element.rank = 0;
    if (element.first < blocks.firstFree || (element.second >= 0 && element.second < blocks.firstFree)) return;
    for (let i = 0; i < 12; i++)
      for (let j = 0; j < 12; j++) s[12 * i + j] = -0.25 * (byTwist[12 * i + j] + byTwist[12 * j + i]);
    for (let side = 0; side < 2; side++)
      if (blocks.ofCarrier[side === 0 ? element.pair.a : element.pair.b] < 0) this.clear(element, 6 * side);
    this.decompose(element);
  }

  /** The wrench brakes the motion at the start, and drives that of v*. */
  private turnsRound({ pair, start }: StepElement, free: Float64Array): boolean {
    const { blocks, row } = this;
    const { twist } = this.mechanics.carriers;
    let before = 0;
    let after = 0;
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? pair.a : pair.b;
      for (let k = 0; k < 6; k++) before += start[6 * side + k] * twist[6 * carrier + k];
      const block = blocks.ofCarrier[carrier];
      if (block < 0) continue;
      const at = blocks.at[block];
      row.fill(0, at, at + blocks.size[block]);
      blocks.bias = 0;
      this.addTwist(carrier, start, 6 * side, row, at);
      after += blocks.bias;
      for (let k = at; k < at + blocks.size[block]; k++) after += row[k] * free[k];
    }
    return before < 0 && after > 0;
  }

  /** Derivatives where both carriers begin to go back; the wrench there, less that of the start, into `change` */
  private differentiateGoingBack({ pair, derivative, change, start }: StepElement, t: number, y: Float64Array): void {
    const { moving } = this;
    const { twist } = this.mechanics.carriers;
    const { a, b } = pair;
    for (let k = 0; k < 6; k++) {
      moving[k] = twist[6 * a + k];
      moving[6 + k] = twist[6 * b + k];
      twist[6 * a + k] = BACK * moving[k];
      twist[6 * b + k] = BACK * moving[6 + k];
    }
    derivative.clear();
    pair.differentiate(t, y, derivative);
    for (let k = 0; k < 12; k++) change[k] = derivative.wrench[k] - start[k];
    for (let k = 0; k < 6; k++) {
      twist[6 * a + k] = moving[k];
      twist[6 * b + k] = moving[6 + k];
    }
  }

  /** What states that follow within the step add to the derivatives and to the known change; true if they are too fast for an explicit step. */
  private foldStates({ pair, derivative, rates, inverse, change }: StepElement, h: number): boolean {
    const n = pair.states;
    if (n === 0) return false;
    const { byState, ratesByPose, ratesByTwist, ratesByState, ratesByTime, byPose, byTwist } = derivative;
    let fastest = 0;
    for (let k = 0; k < n; k++) {
      let sum = 0;
      for (let l = 0; l < n; l++) sum += Math.abs(ratesByState[n * k + l]);
      fastest = Math.max(fastest, h * sum);
      rates[k] += h * ratesByTime[k];
    }
    invertStep(n, h, ratesByState, inverse, this.work);
    for (let i = 0; i < 12; i++)
      for (let k = 0; k < n; k++) {
        let follows = 0;
        for (let l = 0; l < n; l++) follows += byState[i * n + l] * h * inverse[n * l + k];
        change[i] += follows * rates[k];
        for (let j = 0; j < 12; j++) {
          byPose[12 * i + j] += follows * ratesByPose[12 * k + j];
          byTwist[12 * i + j] += follows * ratesByTwist[12 * k + j];
        }
      }
    return fastest > STIFF;
  }

  private clear({ change }: StepElement, from: number): void {
    const { s } = this;
    for (let i = from; i < from + 6; i++) {
      change[i] = 0;
      for (let j = 0; j < 12; j++) s[12 * i + j] = s[12 * j + i] = 0;
    }
  }

  private decompose(element: StepElement): void {
    const { pair, rows, slopes } = element;
    const { s, sizes } = this;
    // turns as ways
    const scale = (i: number): number => (i % 6 > 2 ? 1 : 1 / Math.max(sizes[i < 6 ? pair.a : pair.b], 1e-12));
    let most = 0;
    for (let rank = 0; rank < 12; rank++) {
      let pivot = -1;
      let largest = 0;
      for (let i = 0; i < 12; i++) {
        const x = s[13 * i] * scale(i) * scale(i);
        if (x > largest) {
          largest = x;
          pivot = i;
        }
      }
      if (rank === 0) most = largest;
      if (pivot < 0 || !(largest > LEAST * most)) return;
      const d = s[13 * pivot];
      const l = 12 * rank;
      for (let i = 0; i < 12; i++) rows[l + i] = s[12 * pivot + i] / d;
      for (let i = 0; i < 12; i++) for (let j = 0; j < 12; j++) s[12 * i + j] -= d * rows[l + i] * rows[l + j];
      for (let i = 0; i < 12; i++) s[12 * pivot + i] = s[12 * i + pivot] = 0;
      slopes[rank] = d;
      element.rank = rank + 1;
    }
  }

  /** xᵀ J M⁻¹ Jᵀ x of 12 numbers */
  mobility({ pair, first, second }: StepElement, x: Float64Array, from: number): number {
    const { blocks, row } = this;
    const [a, b] = [blocks.at[first], second < 0 ? 0 : blocks.at[second]];
    row.fill(0, a, a + blocks.size[first]);
    if (second >= 0) row.fill(0, b, b + blocks.size[second]);
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? pair.a : pair.b;
      const block = blocks.ofCarrier[carrier];
      if (block >= 0) this.addTwist(carrier, x, from + 6 * side, row, blocks.at[block]);
    }
    return blocks.mobility(first, row, a) + (second < 0 ? 0 : blocks.mobility(second, row, b));
  }

  /** Adds Σ x · twist of a carrier, per velocity of its block */
  addTwist(carrier: number, x: Float64Array, from: number, out: Float64Array, to: number): void {
    const { blocks, mechanics } = this;
    const { position } = mechanics.carriers;
    const p = 3 * carrier;
    blocks.addTurn(carrier, x[from], x[from + 1], x[from + 2], 1, out, to);
    blocks.addPoint(
      carrier,
      position[p],
      position[p + 1],
      position[p + 2],
      x[from + 3],
      x[from + 4],
      x[from + 5],
      1,
      out,
      to,
    );
  }
}
