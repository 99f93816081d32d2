/**
 * Elements of the user's own and soils in a step. Their force w at its start is in v*; what it changes by on the way to the end,
 *
 *   Δw = h X v₀ + (h X + C)(v − v₀),    X = ∂w/∂(pose), C = ∂w/∂(twist) of both carriers (pair-element.ts)
 *
 * makes the step implicit, as of backward Euler on the linearised force: a stiff soil does not throw what stands on it. The first part is known, and goes into v*. Of the second the
 * problem of the step can have what is the gradient of a convex function: S = the positive part of −½ (A + Aᵀ), A = h X + C. The rest is v − v₀ times what is not
 * stiff, of the second order in h, and left out.
 *
 * S = Σ d l lᵀ by Cholesky's method with the largest diagonal first, turns measured as ways at the size of the bodies; it ends where no diagonal is left that is positive. Each l is a row, on which
 *
 *   W = d (u − u₀)
 *
 * All this only where some h d w > ½, w the mobility along l; else the explicit force is all.
 *
 * Soil yields on the way in, and is stiff on the way out. Where w would turn the motion round within the step, w·v₀ < 0 < w·v*, the force that acts in the end is that of the way out: it is
 * linearised about − 10⁻³ v₀ in place of v₀, and its difference to w goes into v*.
 */
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { OwnElement } from '../dynamics/own-element.js';
import { PairDerivative } from '../dynamics/pair-element.js';
import type { ConvexTerms } from './convex-terms.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** Of the velocity that is turned round: where the way out begins */
const BACK = -1e-3;
/** h d w, w the mobility along a row: below, an explicit step is stable and loses less */
const STIFF = 0.5;
/** Of the largest diagonal: what is less is rounding */
const LEAST = 1e-9;

export class ElementTerms {
  private readonly derivatives: readonly PairDerivative[];
  /** 12 × 12; 12 */
  private readonly s = new Float64Array(144);
  private readonly l = new Float64Array(12);
  private readonly v0 = new Float64Array(12);
  private readonly change = new Float64Array(12);
  private readonly moving = new Float64Array(12);
  /** Of the element at hand */
  private turns = false;
  private readonly row: Float64Array;
  /** m per carrier: an angle times it is a way */
  private readonly sizes: Float64Array;

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    this.derivatives = mechanics.own.map(({ states }) => new PairDerivative(states));
    this.row = new Float64Array(mechanics.nv);
    const { carriers, system } = mechanics;
    this.sizes = new Float64Array(carriers.ground + 1);
    for (const { anchor, size } of system.bodies) {
      const c = carriers.indexOf(anchor);
      this.sizes[c] = Math.max(this.sizes[c], size);
    }
  }

  /**
   * Groups of all elements that act on something that moves. The carriers are at the start of the step.
   *
   * @param free v*, to which the known change is added
   * @param add  makes the term of the row that was added last
   */
  write(t: number, h: number, y: Float64Array, free: Float64Array, opened: () => void, add: () => number): void {
    this.mechanics.own.forEach((element, i) => {
      const { a, b } = element;
      const { ofCarrier } = this.blocks;
      if (ofCarrier[a] < 0 && ofCarrier[b] < 0) return;
      const derivative = this.derivatives[i];
      derivative.clear();
      element.differentiate(t, y, derivative);
      this.turns = this.turnsRound(element, derivative.wrench, free);
      if (this.turns) this.differentiateGoingBack(element, t, y, derivative);
      this.writeElement(element, derivative, h, free, opened, add);
    });
  }

  /** The wrench brakes the motion at the start, and drives that of v*. */
  private turnsRound({ a, b }: OwnElement, wrench: Float64Array, free: Float64Array): boolean {
    const { blocks, row, mechanics } = this;
    const { twist } = mechanics.carriers;
    let before = 0;
    let after = 0;
    for (let side = 0; side < 2; side++) {
      const carrier = side === 0 ? a : b;
      for (let k = 0; k < 6; k++) before += wrench[6 * side + k] * twist[6 * carrier + k];
      const block = blocks.ofCarrier[carrier];
      if (block < 0) continue;
      const at = blocks.at[block];
      row.fill(0, at, at + blocks.size[block]);
      blocks.bias = 0;
      this.addTwist(carrier, wrench, 6 * side, row, at);
      after += blocks.bias;
      for (let k = at; k < at + blocks.size[block]; k++) after += row[k] * free[k];
    }
    return before < 0 && after > 0;
  }

  /** Derivatives where both carriers begin to go back; the wrench there, less that of the start, into `change` */
  private differentiateGoingBack(element: OwnElement, t: number, y: Float64Array, out: PairDerivative): void {
    const { change, moving } = this;
    const { twist } = this.mechanics.carriers;
    const { a, b } = element;
    for (let k = 0; k < 6; k++) {
      moving[k] = twist[6 * a + k];
      moving[6 + k] = twist[6 * b + k];
      twist[6 * a + k] = BACK * moving[k];
      twist[6 * b + k] = BACK * moving[6 + k];
    }
    for (let k = 0; k < 12; k++) change[k] = -out.wrench[k];
    out.clear();
    element.differentiate(t, y, out);
    for (let k = 0; k < 12; k++) change[k] += out.wrench[k];
    for (let k = 0; k < 6; k++) {
      twist[6 * a + k] = moving[k];
      twist[6 * b + k] = moving[6 + k];
    }
  }

  private writeElement(
    { a, b }: OwnElement,
    { byPose, byTwist }: PairDerivative,
    h: number,
    free: Float64Array,
    opened: () => void,
    add: () => number,
  ): void {
    const { s, v0, change, blocks, terms, mechanics } = this;
    const { twist } = mechanics.carriers;
    for (let k = 0; k < 6; k++) {
      v0[k] = (this.turns ? BACK : 1) * twist[6 * a + k];
      v0[6 + k] = (this.turns ? BACK : 1) * twist[6 * b + k];
    }
    let any = false;
    for (let i = 0; i < 12; i++) {
      if (!this.turns) change[i] = 0;
      for (let j = 0; j < 12; j++) {
        change[i] += h * byPose[12 * i + j] * v0[j];
        const [x, y] = [12 * i + j, 12 * j + i];
        s[x] = -0.5 * (h * (byPose[x] + byPose[y]) + byTwist[x] + byTwist[y]);
        if (s[x] !== 0) any = true;
      }
    }
    // what does not move has no part in it
    for (let side = 0; side < 2; side++) if (blocks.ofCarrier[side === 0 ? a : b] < 0) this.clear(6 * side);
    if (!any) return;
    const first = blocks.ofCarrier[a] < 0 ? blocks.ofCarrier[b] : blocks.ofCarrier[a];
    const second = blocks.ofCarrier[a] < 0 || blocks.ofCarrier[b] === first ? -1 : blocks.ofCarrier[b];
    terms.open(first, second);
    opened();
    let stiffest = 0;
    this.decompose(this.sizes[a], this.sizes[b], (d) => {
      const w = this.addRow(a, b, first, second, d, add);
      stiffest = Math.max(stiffest, h * d * w);
    });
    if (!(stiffest > STIFF)) {
      terms.drop();
      return;
    }
    this.push(a, 0, h, free);
    if (b !== a) this.push(b, 6, h, free);
  }

  private clear(from: number): void {
    const { s, change } = this;
    for (let i = from; i < from + 6; i++) {
      change[i] = 0;
      for (let j = 0; j < 12; j++) s[12 * i + j] = s[12 * j + i] = 0;
    }
  }

  /** v* += h M⁻¹ Jᵀ (change of the wrench on a carrier) */
  private push(carrier: number, from: number, h: number, free: Float64Array): void {
    const { blocks, change, row } = this;
    const block = blocks.ofCarrier[carrier];
    if (block < 0) return;
    const at = blocks.at[block];
    row.fill(0, at, at + blocks.size[block]);
    this.addTwist(carrier, change, from, row, at);
    blocks.solveMass(block, row);
    // v* of a mechanism has the force of the middle of the step
    const rest = block < blocks.firstFree && !this.turns ? 0.5 * h : h;
    for (let k = at; k < at + blocks.size[block]; k++) free[k] += rest * row[k];
  }

  /** Adds Σ x · twist of a carrier, per velocity of its block */
  private addTwist(carrier: number, x: Float64Array, from: number, out: Float64Array, to: number): void {
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

  private decompose(sizeA: number, sizeB: number, take: (d: number) => void): void {
    const { s, l } = this;
    // turns as ways
    const scale = (i: number): number => (i % 6 > 2 ? 1 : 1 / Math.max(i < 6 ? sizeA : sizeB, 1e-12));
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
      for (let i = 0; i < 12; i++) l[i] = s[12 * pivot + i] / d;
      for (let i = 0; i < 12; i++) for (let j = 0; j < 12; j++) s[12 * i + j] -= d * l[i] * l[j];
      for (let i = 0; i < 12; i++) s[12 * pivot + i] = s[12 * i + pivot] = 0;
      take(d);
    }
  }

  /** Gives the mobility along the row, 1/kg */
  private addRow(a: number, b: number, first: number, second: number, d: number, add: () => number): number {
    const { blocks, terms, l, v0 } = this;
    const at = terms.addRow();
    const other = second < 0 ? at : at + blocks.size[first];
    blocks.bias = 0;
    if (blocks.ofCarrier[a] >= 0) this.addTwist(a, l, 0, terms.jacobian, at);
    if (blocks.ofCarrier[b] >= 0) this.addTwist(b, l, 6, terms.jacobian, other);
    terms.bias[terms.rows - 1] = blocks.bias;
    let u0 = 0;
    for (let k = 0; k < 12; k++) u0 += l[k] * v0[k];
    terms.setBounded(add(), -d * u0, 0, 0, d, Number.POSITIVE_INFINITY);
    let w = blocks.mobility(first, terms.jacobian, at);
    if (second >= 0) w += blocks.mobility(second, terms.jacobian, other);
    return w;
  }
}
