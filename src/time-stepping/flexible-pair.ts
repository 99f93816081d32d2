/**
 * Contact of a flexible body with another in a step. The bodies are looked at where a guess v_g of the velocities takes them in s ≤ h, mostly the end of the step; each place that is near has a gap that is
 * linear from there on, and its pressure is that of the pair's own law at the end of the step:
 *
 *   φ(u) = φ_s − s u_g + h u,   δ = −φ − τ u,   (R + diag c) f − δ ≥ 0,  f ≥ 0,   γ = h f,   −∂γ/∂u = h (h + τ) (R + diag c)⁻¹ of those that press
 *
 *   u = n · w  how fast the place opens, m/s;  R, c, τ: flexible-bodies/contact/plane-contact.ts
 *
 * f is the gradient of a convex function of δ, so γ is one of the minimum that a step is (convex-terms.ts). Where loads walk along a surface that deforms, n is turned by what draws them to where
 * it is softer, per newton, with the f that are expected (flexible-bodies/contact/walking-loads.ts). Friction: the bristles of the pair, each along its slip u_t = Σ f e · w/N with the
 * f that are expected,
 *
 *   W = k z₀ + (k h + d) u_t,   |F| ≤ µ N̂,   γ = −h F,   z⁺ = (d z₀ + h F)/(d + h k)
 *
 * With the velocities found the pair is looked at again where they lead to (flexible-terms.ts); once that changes nothing, the law at the end of the step is what acted in it.
 *
 * Impacts that the step does not resolve: flexible-impact.ts.
 */

import type { FlexibleContact } from '../dynamics/elements/flexible-contact.js';
import { DynamicsError } from '../dynamics/tree/dynamics-error.js';
import type { LocalContact } from '../flexible-bodies/contact/local-contact.js';
import { numberRoom } from '../math/room.js';
import { type ConvexTerms, type CoupledLaw, TERM } from './convex-terms.js';
import { FlexibleImpact } from './flexible-impact.js';
import { PairRows } from './pair-rows.js';
import { PutInPlace } from './put-in-place.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** Of the longest side: as near as this places are looked at beside what moves; deeper than MOST they are not looked at */
const NEAR = 0.1;
const MOST_NEAR = 0.5;
const MOST = 0.3;
/** Of the longest side: a guess that is as near to what came out is not looked at again */
const SETTLED = 1e-4;
/** Of the longest side: way along the normal in a step up to which a contact carries steadily */
const STEADY = 1e-4;
/** Sum of the shares of a load that are others than expected */
const SHIFTED = 0.02;

export class FlexiblePair implements CoupledLaw {
  /** Blocks; the second −1: none, or the same */
  readonly first: number;
  readonly second: number;
  /** Group of the terms, −1: nothing is near */
  group = -1;
  /** They press at the start of the step. */
  touching = false;
  private readonly local: LocalContact;
  private readonly rows: PairRows;
  /** Places that are near */
  count = 0;
  h = 0;
  gap: Float64Array = new Float64Array(16);
  ownGap: Float64Array = new Float64Array(16);
  /** u with the velocities of the end if nothing touched */
  freely: Float64Array = new Float64Array(16);
  private depth: Float64Array = new Float64Array(16);
  private force: Float64Array = new Float64Array(16);
  private expected: Float64Array = new Float64Array(16);
  private guessed: Float64Array = new Float64Array(16);
  /** By place: forces at the start of the step, later as they came out, N */
  private readonly loads: Float64Array;
  /** Per bristle: first row and term, −1: none; N̂ */
  private readonly slipRow: Int32Array;
  private readonly slipTerm: Int32Array;
  private readonly assumed: Float64Array;
  private readonly came: Float64Array;
  // of one row
  private readonly normal = new Float64Array(3);
  private readonly direction = new Float64Array(3);
  private readonly slopes: Float64Array;
  private readonly inPlace: PutInPlace;
  private readonly impact: FlexibleImpact;
  private readonly stretches = new Float64Array(3);

  constructor(
    readonly contact: FlexibleContact,
    blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    this.inPlace = new PutInPlace(blocks, terms);
    this.impact = new FlexibleImpact(blocks, terms);
    const { local } = contact;
    this.local = local;
    this.rows = new PairRows(contact, blocks, terms);
    this.first = this.rows.first;
    this.second = this.rows.second;
    this.slopes = new Float64Array(contact.modes.velocities.length);
    this.loads = new Float64Array(local.placeCount);
    const slips = local.slips.count;
    this.slipRow = new Int32Array(slips).fill(-1);
    this.slipTerm = new Int32Array(slips).fill(-1);
    this.assumed = new Float64Array(slips);
    this.came = new Float64Array(slips);
  }

  get longestSide(): number {
    return this.local.longestSide;
  }

  private placeOf(i: number): number {
    return this.local.touches[i].place;
  }

  /** At (t, y), the start of the step, where the carriers are: what presses. */
  begin(t: number, y: Float64Array, h: number): void {
    const { contact, local, loads } = this;
    this.h = h;
    this.group = -1;
    this.count = 0;
    contact.press(t, y);
    this.touching = local.count > 0;
    loads.fill(0);
    for (let i = 0; i < local.count; i++) loads[this.placeOf(i)] = local.touches[i].force;
  }

  /** Looks where the carriers are; false: some place lies too deep to be told of. */
  look(): boolean {
    const { contact, local, h } = this;
    const { longestSide } = local;
    contact.lookAhead(MOST_NEAR * longestSide);
    // how far they might get in half the step
    let fastest = 0;
    let deepest = 0;
    for (let i = 0; i < local.ahead.count; i++) {
      fastest = Math.max(fastest, Math.abs(local.touches[i].closing));
      deepest = Math.max(deepest, local.touches[i].depth);
    }
    const near = Math.min(MOST_NEAR, NEAR + (h * fastest) / longestSide) * longestSide;
    if (near < MOST_NEAR * longestSide) contact.lookAhead(near);
    return deepest < MOST * longestSide;
  }

  /** Some place touches where the carriers are. */
  meets(): boolean {
    const { contact, local } = this;
    contact.lookAhead(0);
    for (let i = 0; i < local.ahead.count; i++) if (local.touches[i].depth >= 0) return true;
    return false;
  }

  /**
   * Writes rows and terms of what `look` found; the carriers are there.
   *
   * @param s     time that took them there, s
   * @param guess velocities that did, of all blocks
   * @param free  velocities of the end if nothing touched
   * @param y0    state at the start
   */
  write(s: number, guess: Float64Array, free: Float64Array, y0: Float64Array): boolean {
    const { terms, local, rows, normal, direction, h } = this;
    const n = local.ahead.count;
    this.count = n;
    this.group = -1;
    this.slipRow.fill(-1);
    this.slipTerm.fill(-1);
    if (n === 0) return false;
    this.reserve(n);
    terms.open(this.first, this.second);
    this.group = terms.groups - 1;
    let load = 0;
    for (let i = 0; i < n; i++) {
      this.expected[i] = this.loads[this.placeOf(i)];
      load += this.expected[i];
    }
    const walks = load > 0 && local.walks?.find(this.expected) ? local.walks : undefined;
    for (let i = 0; i < n; i++) {
      local.placesOf(i, normal, rows.onA, rows.onB);
      rows.open();
      rows.add(i, normal);
      this.slopes.fill(0);
      if (!walks?.along(i, direction, rows.onA, this.slopes)) continue;
      rows.onB.set(rows.onA);
      rows.add(i, direction, this.slopes);
    }
    terms.addCoupled(this);
    terms.velocities(this.group, free, terms.trial, true);
    const row = terms.firstRow[this.group];
    for (let i = 0; i < n; i++) this.freely[i] = this.depth[i] = terms.trial[row + i];
    terms.velocities(this.group, guess, terms.trial, true);
    for (let i = 0; i < n; i++) {
      const u = terms.trial[row + i];
      this.gap[i] = this.ownGap[i] = -local.touches[i].depth - s * u;
      this.depth[i] = -(this.gap[i] + (h + local.relaxation) * this.depth[i]);
    }
    if (local.friction) this.writeSlips(load > 0, y0);
    terms.velocities(this.group, guess, terms.trial, true);
    const all = terms.firstRow[this.group + 1] - row;
    this.guessed = numberRoom(this.guessed, all);
    for (let r = 0; r < all; r++) this.guessed[r] = terms.trial[row + r];
    return true;
  }

  private reserve(n: number): void {
    this.gap = numberRoom(this.gap, n);
    this.ownGap = numberRoom(this.ownGap, n);
    this.freely = numberRoom(this.freely, n);
    this.depth = numberRoom(this.depth, n);
    this.force = numberRoom(this.force, n);
    this.expected = numberRoom(this.expected, n);
    this.impact.begin(n);
  }

  /** Friction with the loads that are known, or with those that places would have if they went on freely; then with no limit yet */
  private writeSlips(known: boolean, y0: Float64Array): void {
    const { terms, local, contact, expected, h } = this;
    const { slips, friction } = local;
    if (!known && !local.ahead.press(this.depth, expected)) return;
    slips.expect(expected);
    for (let slip = 0; slip < slips.count; slip++) {
      const rows = slips.rows(slip);
      if (rows === 0) continue;
      this.slipRow[slip] = terms.rows;
      for (let r = 0; r < rows; r++) {
        this.rows.open();
        for (let i = 0; i < this.count; i++)
          if (slips.direction(slip, r, i, this.normal)) {
            local.placesOf(i, this.direction, this.rows.onA, this.rows.onB);
            this.rows.add(i, this.normal);
          }
        this.stretches[r] = slips.stretch(slip, r, y0, contact.stateAt);
      }
      const k = friction!.stiffness[slip];
      for (let r = 0; r < 3; r++) this.stretches[r] *= r < rows ? k : 0;
      this.assumed[slip] = known ? slips.load[slip] : 0;
      const term = terms.addTerm(TERM.bounded);
      this.slipTerm[slip] = term;
      terms.setBounded(
        term,
        this.stretches[0],
        this.stretches[1],
        this.stretches[2],
        k * h + friction!.damping[slip],
        friction!.coefficient * this.assumed[slip],
      );
    }
  }

  // ---- in the problem of the step ---------------------------------------------------------------------------------------------------

  evaluate(
    u: Float64Array,
    du: Float64Array,
    alpha: number,
    row: number,
    gamma: Float64Array,
    slope: Float64Array | undefined,
    at: number,
  ): void {
    const { count: n, gap, depth, force, h, local } = this;
    const reach = h + local.relaxation;
    for (let i = 0; i < n; i++)
      depth[i] = -(gap[i] + reach * (alpha === 0 ? u[row + i] : u[row + i] + alpha * du[row + i]));
    if (!local.ahead.press(depth, force, slope, at, h * reach))
      throw new DynamicsError(this.contact.name, 'the pressure between the bodies could not be found');
    for (let i = 0; i < n; i++) gamma[row + i] = h * force[i];
  }

  /** Loads of bristles as they came out, from those that were assumed by at most this part */
  weigh(): number {
    const { terms, local, h, came, assumed, slipTerm } = this;
    if (this.group < 0 || !local.friction) return 0;
    this.weighInto(came);
    let most = 0;
    for (let slip = 0; slip < came.length; slip++)
      if (slipTerm[slip] >= 0 && came[slip] !== assumed[slip])
        most = Math.max(most, Math.abs(came[slip] - assumed[slip]) / Math.max(came[slip], assumed[slip]));
    return h > 0 && terms.groups > 0 ? most : 0;
  }

  /** Friction with the loads that came out */
  assume(): void {
    const { terms, local, slipTerm, assumed, came } = this;
    if (this.group < 0 || !local.friction) return;
    for (let slip = 0; slip < assumed.length; slip++) {
      if (slipTerm[slip] < 0) continue;
      assumed[slip] = came[slip];
      terms.setLimit(slipTerm[slip], local.friction.coefficient * came[slip]);
    }
  }

  private weighInto(out: Float64Array): void {
    const { terms, local } = this;
    out.fill(0);
    const row = terms.firstRow[this.group];
    for (let i = 0; i < this.count; i++) out[local.slips.slotOf(i)] += terms.gamma[row + i] / this.h;
  }

  get acts(): boolean {
    const { terms } = this;
    if (this.group < 0) return false;
    const row = terms.firstRow[this.group];
    for (let i = 0; i < this.count; i++) if (terms.gamma[row + i] > 0) return true;
    return false;
  }

  /**
   * What presses did so at the start, and moves along the normal as little there as at the end: bodies may go on with the mean velocity of the step, of second order. Others may not come to touch by that.
   */
  carriesSteadily(v0: Float64Array, v: Float64Array, mean: Float64Array): boolean {
    const { terms, group, h, gap } = this;
    const row = terms.firstRow[group];
    if (this.acts) {
      if (!this.touching) return false;
      const most = (STEADY * this.longestSide) / h;
      for (let end = 0; end < 2; end++) {
        terms.velocities(group, end === 0 ? v0 : v, terms.trial, true);
        for (let i = 0; i < this.count; i++)
          if (terms.gamma[row + i] > 0 && !(Math.abs(terms.trial[row + i]) < most)) return false;
      }
      return true;
    }
    terms.velocities(group, mean, terms.trial, true);
    for (let i = 0; i < this.count; i++) if (gap[i] + h * terms.trial[row + i] < 0) return false;
    return true;
  }

  /** Places that press are put at the end of the step where its problem has them. @param drift velocities that positions move with, of all blocks; @param v of the end */
  correct(drift: Float64Array, v: Float64Array): void {
    this.inPlace.put(this, drift, v);
  }

  /**
   * After the solution without restitution: gaps that make an impact rebound that the step does not resolve. True if there are such.
   *
   * @param least m/s: slower ones do not
   */
  rebound(share: number, v0: Float64Array, least: number): boolean {
    return this.acts && this.impact.rebound(this, share, v0, least);
  }

  /** A blow that gave less back than it should presses deeper. @param v of all blocks; @param makes the island made energy */
  reach(v: Float64Array, makes: boolean): boolean {
    return this.impact.any && this.impact.reach(this, v, makes);
  }

  /** Blows are as deep as they were when they last made no energy. True if that is another depth. */
  settle(): boolean {
    return this.impact.any && this.impact.settle(this);
  }

  /** What came out is what was guessed, and loads lie where they were expected to. @param moving velocities that positions move with */
  stands(moving: Float64Array): boolean {
    const { terms, group, h, guessed, local, expected } = this;
    const row = terms.firstRow[group];
    const rows = terms.firstRow[group + 1] - row;
    terms.velocities(group, moving, terms.trial, true);
    for (let r = 0; r < rows; r++)
      if (Math.abs(terms.trial[row + r] - guessed[r]) * h > SETTLED * this.longestSide) return false;
    if (!local.friction) return true;
    let load = 0;
    let before = 0;
    for (let i = 0; i < this.count; i++) {
      load += terms.gamma[row + i];
      before += expected[i];
    }
    if (!(load > 0)) return true;
    if (!(before > 0)) return false;
    let shifted = 0;
    for (let i = 0; i < this.count; i++) shifted += Math.abs(terms.gamma[row + i] / load - expected[i] / before);
    return shifted < SHIFTED;
  }

  /** The group is given up; its loads are kept for the next look. */
  leave(): void {
    const { terms, loads, h } = this;
    if (this.group < 0) return;
    const row = terms.firstRow[this.group];
    loads.fill(0);
    for (let i = 0; i < this.count; i++) loads[this.placeOf(i)] = terms.gamma[row + i] / h;
    terms.silence(this.group);
    this.group = -1;
    this.count = 0;
  }

  // ---- after it -----------------------------------------------------------------------------------------------------------------------

  /** Bristles at the end of the step */
  keep(y0: Float64Array, y: Float64Array): void {
    const { contact, local, terms, h, slipRow, stretches } = this;
    const { friction, slips } = local;
    if (!friction) return;
    const at = contact.stateAt;
    for (let k = 0; k < contact.states; k++) y[at + k] = y0[at + k];
    for (let slip = 0; slip < slips.count; slip++) {
      const [k, d] = [friction.stiffness[slip], friction.damping[slip]];
      const relaxed = d / (d + h * k);
      const row = this.group < 0 ? -1 : slipRow[slip];
      if (row < 0) {
        slips.relax(slip, relaxed, y, at);
        continue;
      }
      for (let r = 0; r < slips.rows(slip); r++)
        stretches[r] = (d * slips.stretch(slip, r, y0, at) - terms.gamma[row + r]) / (d + h * k);
      slips.settle(slip, stretches, relaxed, y, at);
    }
  }

  /** What all places and friction take, J. @param before velocities of rows at the start of the step; those of its end are in the terms */
  takes(before: Float64Array): number {
    const { terms, group, count } = this;
    const row = terms.firstRow[group];
    let sum = 0;
    for (let r = row; r < terms.firstRow[group + 1]; r++)
      sum +=
        r < row + count ? this.impact.taken(r - row, row, before[r]) : -0.5 * terms.gamma[r] * (before[r] + terms.u[r]);
    return sum;
  }

  /** Heat of the step, J: of friction, and of a pair that books its work whole all that it takes. @param before velocities of rows at the start */
  heat(before: Float64Array, y0: Float64Array, y: Float64Array): { friction: number; heat: number } {
    const { contact, local, terms, group, count } = this;
    const { friction, slips } = local;
    const book = this.booked;
    book.friction = book.heat = 0;
    if (group >= 0) {
      const row = terms.firstRow[group];
      for (let r = row; r < terms.firstRow[group + 1]; r++) {
        if (r >= row + count) book.friction -= 0.5 * terms.gamma[r] * (before[r] + terms.u[r]);
        else if (contact.booksWork || this.impact.strikes(r - row))
          book.heat += this.impact.taken(r - row, row, before[r]);
      }
    }
    book.heat += book.friction;
    if (!friction) return book;
    const at = contact.stateAt;
    for (let slip = 0; slip < slips.count; slip++) {
      const k = friction.stiffness[slip];
      const held = 0.5 * k * (slips.square(slip, y, at) - slips.square(slip, y0, at));
      book.friction -= held;
      if (!contact.booksWork) book.heat -= held;
    }
    return book;
  }
  private readonly booked = { friction: 0, heat: 0 };
}
