/**
 * Elements of the user's own, own forces on bodies, and soils in a step. Where they are slow their force in the middle of the step is in v* (free-velocities.ts), of free bodies with the velocity of the
 * start, to which rows add ½ C (v − v₀). Where they are stiff, some h d w > ½ with d a slope of the linearised force (element-linearisation.ts) and w the mobility along it, their force w at the start
 * is, and what it changes by on the way to the end makes the step implicit, as of backward Euler: a stiff soil does not throw what stands on it. What is known of the change goes into v*; each row l of
 * the rest is a term
 *
 *   W = d (u − u₀)
 */
import { AppliedForce } from '../dynamics/elements/applied-force.js';
import { OwnElement } from '../dynamics/elements/own-element.js';
import type { HeldElement, PowerLedger } from '../dynamics/elements/pair-element.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Tape } from '../math/tape.js';
import type { ConvexTerms } from './convex-terms.js';
import { ElementLinearisation, StepElement } from './element-linearisation.js';
import { ROLE } from './term-role.js';
import type { VelocityBlocks } from './velocity-blocks.js';

export class ElementTerms {
  /** Those that act on something that moves */
  private readonly elements: readonly StepElement[];
  /** Per block: 1: something stiff acts on it in this step */
  readonly heldBlocks: Uint8Array;
  private readonly difference = new Float64Array(12);
  private readonly power: PowerLedger = { dissipated: 0, supplied: 0, friction: 0 };
  /** Per element, at the end of the last step: heat and what is put in, W; stored, J */
  private readonly books: Float64Array;
  private readonly savedBooks: Float64Array;
  private readonly row: Float64Array;
  private readonly twists: Float64Array;
  private readonly linear: ElementLinearisation;

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    this.elements = mechanics.pairs
      .filter(
        (pair): pair is OwnElement | AppliedForce =>
          pair instanceof OwnElement || (pair instanceof AppliedForce && pair.givenOfState),
      )
      .map((pair) => new StepElement(pair, blocks))
      .filter(({ first }) => first >= 0);
    this.heldBlocks = new Uint8Array(blocks.count);
    this.row = new Float64Array(mechanics.nv);
    this.twists = new Float64Array(6 * (mechanics.carriers.ground + 1));
    this.books = new Float64Array(3 * this.elements.length);
    this.savedBooks = new Float64Array(3 * this.elements.length);
    const most = this.elements.reduce((n, { pair }) => Math.max(n, pair.states), 0);
    this.linear = new ElementLinearisation(mechanics, blocks, most);
  }

  get any(): boolean {
    return this.elements.length > 0;
  }

  /**
   * Which of them are stiff: they are held as they are now. The carriers are at the start of the step, the rates known.
   *
   * @param free v* with the forces of the start, a vector of all blocks
   */
  look(t: number, h: number, y: Float64Array, rates: Float64Array, free: Float64Array): void {
    this.heldBlocks.fill(0);
    for (const element of this.elements) {
      this.linear.look(element, t, h, y, rates, free);
      if (element.stiff) this.hold(element);
    }
  }

  private hold(element: StepElement): void {
    const { pair, first, second, start } = element;
    element.stiff = true;
    pair.acting.set(start);
    pair.held = true;
    this.heldBlocks[first] = 1;
    if (second >= 0) this.heldBlocks[second] = 1;
  }

  /** All follow the motion again. */
  release(): void {
    for (const { pair, stiff, start, change } of this.elements) {
      pair.held = false;
      if (stiff) continue;
      start.set(pair.acting);
      change.fill(0);
    }
  }

  /**
   * After a look at the middle of the step, where the carriers are: an element whose force has changed by then by more than a step with it is stable with, h Δw M⁻¹ Δw > |Δw·u|, is held at that of the
   * start, and stiff in the next step: what just comes to touch. True if there are such.
   */
  holdJumps(h: number): boolean {
    const { difference, mechanics } = this;
    const { twist } = mechanics.carriers;
    let any = false;
    for (const element of this.elements) {
      if (element.stiff) continue;
      const { pair, start, v0 } = element;
      let moved = 0;
      for (let k = 0; k < 12; k++) {
        difference[k] = pair.acting[k] - start[k];
        const u = twist[6 * (k < 6 ? pair.a : pair.b) + (k % 6)];
        moved += Math.abs(difference[k] * v0[k]) + Math.abs(difference[k] * (u - v0[k]));
      }
      const w = this.linear.mobility(element, difference, 0);
      if (!(h * w > moved)) continue;
      element.rank = 0;
      element.change.fill(0);
      this.hold(element);
      any = true;
    }
    return any;
  }

  /** States of slow elements have the rates of the middle of the step. */
  takeRates(middle: Float64Array, rates: Float64Array): void {
    for (const { pair, stiff } of this.elements)
      for (let k = pair.stateAt; !stiff && k < pair.stateAt + pair.states; k++) rates[k] = middle[k];
  }

  /**
   * Groups of all elements: those without rows tie bodies, too. The carriers are at the start of the step.
   *
   * @param free v*, to which the known change is added
   * @param add  makes the term of the row that was added last
   */
  write(h: number, free: Float64Array, opened: (stiff: boolean) => void, add: (role: number) => number): void {
    for (const element of this.elements) {
      this.terms.open(element.first, element.second);
      opened(element.stiff && element.rank > 0);
      element.row = this.terms.rows;
      for (let i = 0; i < element.rank; i++) this.addRow(element, i, add);
      if (!element.stiff) continue;
      this.push(element, 0, h, free);
      if (element.pair.a !== element.pair.b) this.push(element, 6, h, free);
    }
  }

  /** Work of the elements. @param v0, v velocities at the start and end of the step, of all blocks; the carriers are where it began */
  measureWork(h: number, v0: Float64Array, v: Float64Array): void {
    if (!this.any) return;
    const { twists, terms } = this;
    for (let end = 0; end < 2; end++) {
      this.blocks.twists(end === 0 ? v0 : v, twists);
      for (const element of this.elements) {
        const { pair, start, change, rows } = element;
        if (end === 0) element.work = 0;
        for (let k = 0; k < 12; k++) {
          const u = twists[6 * (k < 6 ? pair.a : pair.b) + (k % 6)];
          let impulse = h * (start[k] + change[k]);
          for (let i = 0; i < element.rank; i++) impulse += terms.gamma[element.row + i] * rows[12 * i + k];
          element.work += 0.5 * impulse * u;
        }
      }
    }
  }

  /**
   * Books what elements did in a step: what they took from the bodies and did not store is heat, within what their powers at both ends would make of the step; of a spring that is too stiff for it no heat
   * is made. The carriers are at its end.
   */
  book(t: number, h: number, y: Float64Array, ledger: PowerLedger): void {
    const { books } = this;
    this.elements.forEach(({ pair, work }, i) => {
      const [dissipated, supplied, stored] = [books[3 * i], books[3 * i + 1], books[3 * i + 2]];
      this.measure(pair, i, t, y);
      if (pair instanceof AppliedForce) {
        ledger.supplied += work;
        return;
      }
      const put = 0.5 * h * (supplied + books[3 * i + 1]);
      const taken = put - work - (pair.booksWork ? 0 : books[3 * i + 2] - stored);
      const least = h * Math.min(0, dissipated, books[3 * i]);
      const most = h * Math.max(0, dissipated, books[3 * i]);
      ledger.supplied += put;
      ledger.dissipated += Math.min(most, Math.max(least, taken));
    });
  }

  /** Begins the books at (t, y), where the carriers are. */
  openBooks(t: number, y: Float64Array): void {
    this.elements.forEach(({ pair }, i) => {
      this.measure(pair, i, t, y);
    });
  }

  private measure(pair: HeldElement, i: number, t: number, y: Float64Array): void {
    const { books, power } = this;
    power.dissipated = power.supplied = power.friction = 0;
    pair.power(t, y, power);
    books[3 * i] = power.dissipated;
    books[3 * i + 1] = power.supplied;
    books[3 * i + 2] = pair.booksWork ? 0 : pair.energy(t, y);
  }

  saveBooks(): void {
    this.savedBooks.set(this.books);
  }

  restoreBooks(): void {
    this.books.set(this.savedBooks);
  }

  remember(tape: Tape): void {
    tape.array(this.books);
  }

  /** Leaves their powers to `book`, or lets them tell them. */
  setApart(apart: boolean): void {
    for (const { pair } of this.elements) pair.powerApart = apart;
  }

  /** States of stiff elements at the end of the step. @param v velocities there, of all blocks; the carriers are where it began */
  keep(h: number, v: Float64Array, y0: Float64Array, y: Float64Array): void {
    let told = false;
    for (const { pair, stiff, derivative, v0, rates, inverse } of this.elements) {
      const n = pair.states;
      if (!stiff || n === 0) continue;
      if (!told) this.blocks.twists(v, this.twists);
      told = true;
      const { ratesByPose, ratesByTwist } = derivative;
      for (let k = 0; k < n; k++) {
        for (let j = 0; j < 12; j++) {
          const u = this.twists[6 * (j < 6 ? pair.a : pair.b) + (j % 6)];
          rates[k] += h * ratesByPose[12 * k + j] * u + ratesByTwist[12 * k + j] * (u - v0[j]);
        }
      }
      for (let k = 0; k < n; k++) {
        let sum = 0;
        for (let l = 0; l < n; l++) sum += inverse[n * k + l] * rates[l];
        y[pair.stateAt + k] = y0[pair.stateAt + k] + h * sum;
      }
    }
  }

  /** v* += h M⁻¹ Jᵀ (change of the wrench on a carrier) */
  private push({ pair, change }: StepElement, from: number, h: number, free: Float64Array): void {
    const { blocks, row } = this;
    const carrier = from === 0 ? pair.a : pair.b;
    const block = blocks.ofCarrier[carrier];
    if (block < 0) return;
    const at = blocks.at[block];
    row.fill(0, at, at + blocks.size[block]);
    this.linear.addTwist(carrier, change, from, row, at);
    blocks.solveMass(block, row);
    for (let k = at; k < at + blocks.size[block]; k++) free[k] += h * row[k];
  }

  private addRow(
    { pair, first, second, rows, slopes, v0 }: StepElement,
    i: number,
    add: (role: number) => number,
  ): void {
    const { blocks, terms } = this;
    const at = terms.addRow();
    const other = second < 0 ? at : at + blocks.size[first];
    blocks.bias = 0;
    if (blocks.ofCarrier[pair.a] >= 0) this.linear.addTwist(pair.a, rows, 12 * i, terms.jacobian, at);
    if (blocks.ofCarrier[pair.b] >= 0) this.linear.addTwist(pair.b, rows, 12 * i + 6, terms.jacobian, other);
    terms.bias[terms.rows - 1] = blocks.bias;
    let u0 = 0;
    for (let k = 0; k < 12; k++) u0 += rows[12 * i + k] * v0[k];
    const d = slopes[i];
    terms.setBounded(add(ROLE.stored), -d * u0, 0, 0, d, Number.POSITIVE_INFINITY);
  }
}
