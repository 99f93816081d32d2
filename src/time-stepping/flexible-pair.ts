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
 * An impact that the step does not resolve, h² k w > UNRESOLVED, returns the speed with which its places closed in times e, as contact of rigid bodies does: e of the pair where the model gives one, 1
 * where it does not, for the law is elastic; what waves take of it the modes tell.
 */

import { DynamicsError } from '../dynamics/dynamics-error.js';
import type { FlexibleContact } from '../dynamics/flexible-contact.js';
import type { LocalContact } from '../flexible-bodies/contact/local-contact.js';
import { numberRoom } from '../math/room.js';
import { type ConvexTerms, type CoupledLaw, TERM } from './convex-terms.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** h² k w: above, an impact is over within the step */
export const UNRESOLVED = 1;
/** Of the longest side: as near as this places are looked at beside what moves; deeper than MOST they are not looked at */
const NEAR = 0.1;
const MOST_NEAR = 0.5;
const MOST = 0.3;
/** Of the longest side: a guess that is as near to what came out is not looked at again */
const SETTLED = 1e-4;
/** Of the longest side: way along the normal in a step up to which a contact carries steadily */
const STEADY = 1e-4;
/** Of the largest mobility */
const ALIKE = 1e-9;
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
  /** Of A's coordinates, then B's */
  private readonly places: Int32Array;
  private readonly inFirst: Uint8Array;
  private readonly ofA: number;
  private readonly ofB: number;
  /** Places that are near */
  private count = 0;
  private h = 0;
  private gap: Float64Array = new Float64Array(16);
  private ownGap: Float64Array = new Float64Array(16);
  /** u with the velocities of the end if nothing touched */
  private freely: Float64Array = new Float64Array(16);
  private depth: Float64Array = new Float64Array(16);
  private force: Float64Array = new Float64Array(16);
  private expected: Float64Array = new Float64Array(16);
  private guessed: Float64Array = new Float64Array(16);
  private stiffness: Float64Array = new Float64Array(64);
  /** By place: forces at the start of the step, later as they came out, N */
  private readonly loads: Float64Array;
  /** By touch: speed with which a place that rebounds has closed in, and would have without the blow, m/s; 0: it does not */
  private impact: Float64Array = new Float64Array(16);
  private unhindered: Float64Array = new Float64Array(16);
  /** Per bristle: first row and term, −1: none; N̂ */
  private readonly slipRow: Int32Array;
  private readonly slipTerm: Int32Array;
  private readonly assumed: Float64Array;
  private readonly came: Float64Array;
  // of one row
  private readonly normal = new Float64Array(3);
  private readonly onA = new Float64Array(3);
  private readonly onB = new Float64Array(3);
  private readonly point = new Float64Array(3);
  private readonly direction = new Float64Array(3);
  private readonly modal: Float64Array;
  private readonly slopes: Float64Array;
  private readonly stretches = new Float64Array(3);

  constructor(
    readonly contact: FlexibleContact,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    const { modes, a, b, local } = contact;
    this.local = local;
    const { velocities, ofA } = modes;
    const one = ofA > 0 ? blocks.ofVelocity(velocities[0]) : blocks.ofCarrier[a];
    const other = velocities.length > ofA ? blocks.ofVelocity(velocities[ofA]) : blocks.ofCarrier[b];
    this.ofA = one;
    this.ofB = other;
    this.first = one < 0 ? other : one;
    this.second = one < 0 || one === other ? -1 : other;
    this.places = Int32Array.from(velocities, (v) => blocks.placeOf(v));
    this.inFirst = Uint8Array.from(velocities, (v) => (blocks.ofVelocity(v) === this.first ? 1 : 0));
    this.modal = new Float64Array(velocities.length);
    this.slopes = new Float64Array(velocities.length);
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

  /**
   * Writes rows and terms of what `look` found; the carriers are there.
   *
   * @param s     time that took them there, s
   * @param guess velocities that did, of all blocks
   * @param free  velocities of the end if nothing touched
   * @param y0    state at the start
   */
  write(s: number, guess: Float64Array, free: Float64Array, y0: Float64Array): boolean {
    const { terms, local, h } = this;
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
      local.placesOf(i, this.normal, this.onA, this.onB);
      this.addRow();
      this.addDirection(i, this.normal);
      this.slopes.fill(0);
      if (!walks?.along(i, this.direction, this.onA, this.slopes)) continue;
      this.onB.set(this.onA);
      this.addDirection(i, this.direction, this.slopes);
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
    const rows = terms.firstRow[this.group + 1] - row;
    this.guessed = numberRoom(this.guessed, rows);
    for (let r = 0; r < rows; r++) this.guessed[r] = terms.trial[row + r];
    return true;
  }

  private reserve(n: number): void {
    this.gap = numberRoom(this.gap, n);
    this.ownGap = numberRoom(this.ownGap, n);
    this.freely = numberRoom(this.freely, n);
    this.depth = numberRoom(this.depth, n);
    this.force = numberRoom(this.force, n);
    this.expected = numberRoom(this.expected, n);
    this.impact = numberRoom(this.impact, n);
    this.unhindered = numberRoom(this.unhindered, n);
    this.impact.fill(0);
    this.stiffness = numberRoom(this.stiffness, n * n);
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
        this.addRow();
        for (let i = 0; i < this.count; i++)
          if (slips.direction(slip, r, i, this.normal)) {
            local.placesOf(i, this.direction, this.onA, this.onB);
            this.addDirection(i, this.normal);
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

  private rowAt = 0;

  private addRow(): void {
    this.rowAt = this.terms.addRow();
  }

  /** Adds e · (velocity of A's place of touch i seen from B's) to the row that was added last, and `more` per coordinate; places in `onA`, `onB` */
  private addDirection(i: number, e: Float64Array, more?: Float64Array): void {
    const { blocks, terms, contact, local, point, modal, places, inFirst, rowAt: at } = this;
    const { frames } = contact;
    const second = this.second < 0 ? at : at + blocks.size[this.first];
    modal.fill(0);
    if (more) modal.set(more);
    local.addAlong(i, e, modal);
    frames.directionOf(e, blocks.along);
    blocks.bias = 0;
    for (let side = 0; side < 2; side++) {
      frames.pointAt(side === 0 ? this.onA : this.onB, point);
      blocks.point.set(point);
      blocks.along[3] = side === 0 ? 1 : -1;
      const block = side === 0 ? this.ofA : this.ofB;
      blocks.addPointRow(side === 0 ? contact.a : contact.b, terms.jacobian, block === this.first ? at : second);
    }
    terms.bias[terms.rows - 1] += blocks.bias;
    for (let k = 0; k < places.length; k++)
      if (modal[k] !== 0) terms.jacobian[(inFirst[k] !== 0 ? at : second) + places[k]] += modal[k];
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

  /**
   * Places that press are to be at the end of the step where its problem has them: what bodies go by, d, becomes d + M⁻¹ Jᵀ λ with J (d + M⁻¹ Jᵀ λ) = J v.
   *
   * @param drift velocities that positions move with, of all blocks; @param v of the end
   */
  correct(drift: Float64Array, v: Float64Array): void {
    const { terms, blocks, group, first, second } = this;
    const row = terms.firstRow[group];
    const [na, nb] = [blocks.size[first], second < 0 ? 0 : blocks.size[second]];
    let n = 0;
    for (let i = 0; i < this.count; i++) if (terms.gamma[row + i] > 0) n++;
    if (n === 0) return;
    this.solved = numberRoom(this.solved, n * (na + nb));
    this.matrix = numberRoom(this.matrix, n * n);
    this.right = numberRoom(this.right, n);
    const { solved, matrix, right } = this;
    // M⁻¹ Jᵀ by rows: L⁻¹ Jᵀ, whose products are J M⁻¹ Jᵀ
    terms.velocities(group, v, terms.trial, true);
    for (let i = 0, k = 0; i < this.count; i++) if (terms.gamma[row + i] > 0) right[k++] = terms.trial[row + i];
    terms.velocities(group, drift, terms.trial, true);
    for (let i = 0, k = 0; i < this.count; i++) {
      if (!(terms.gamma[row + i] > 0)) continue;
      right[k] -= terms.trial[row + i];
      const j = terms.jacobianAt[group] + (na + nb) * i;
      const at = k * (na + nb);
      for (let c = 0; c < na + nb; c++) solved[at + c] = terms.jacobian[j + c];
      blocks.halfSolve(first, solved, at);
      if (second >= 0) blocks.halfSolve(second, solved, at + na);
      k++;
    }
    let largest = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let c = 0; c < na + nb; c++) sum += solved[i * (na + nb) + c] * solved[j * (na + nb) + c];
        matrix[i * n + j] = sum;
        if (i === j) largest = Math.max(largest, sum);
      }
    // places of one face move together: what is left of them is rounding
    for (let i = 0; i < n; i++) {
      matrix[i * n + i] += ALIKE * largest;
      for (let j = 0; j <= i; j++) {
        let sum = matrix[i * n + j];
        for (let k = 0; k < j; k++) sum -= matrix[i * n + k] * matrix[j * n + k];
        matrix[i * n + j] = i === j ? Math.sqrt(Math.max(sum, ALIKE * largest)) : sum / matrix[j * n + j];
      }
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) right[i] -= matrix[i * n + j] * right[j];
      right[i] /= matrix[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      right[i] /= matrix[i * n + i];
      for (let j = 0; j < i; j++) right[j] -= matrix[i * n + j] * right[i];
    }
    for (let side = 0; side < 2; side++) {
      const block = side === 0 ? first : second;
      if (block < 0) continue;
      const at = blocks.at[block];
      const size = blocks.size[block];
      this.change = numberRoom(this.change, drift.length);
      this.change.fill(0, at, at + size);
      for (let i = 0, k = 0; i < this.count; i++) {
        if (!(terms.gamma[row + i] > 0)) continue;
        const j = terms.jacobianAt[group] + (na + nb) * i + (side === 0 ? 0 : na);
        for (let c = 0; c < size; c++) this.change[at + c] += terms.jacobian[j + c] * right[k];
        k++;
      }
      blocks.solveMass(block, this.change);
      for (let c = at; c < at + size; c++) drift[c] += this.change[c];
    }
  }
  private solved: Float64Array = new Float64Array(16);
  private matrix: Float64Array = new Float64Array(16);
  private right: Float64Array = new Float64Array(16);
  private change: Float64Array = new Float64Array(16);

  /**
   * After the solution without restitution: gaps that make an impact rebound that the step does not resolve. True if there are such.
   *
   * @param least m/s: slower ones do not
   */
  rebound(share: number, v0: Float64Array, least: number): boolean {
    const { terms, group, contact, h, local } = this;
    const restitution = contact.plan.restitution ?? 1;
    if (!this.acts || !(this.stiffnessInStep() > UNRESOLVED)) return false;
    const row = terms.firstRow[group];
    terms.velocities(group, v0, terms.trial, true);
    let any = false;
    for (let i = 0; i < this.count; i++) {
      const u = terms.trial[row + i];
      if (!(terms.gamma[row + i] > 0) || !(-u > least)) continue;
      // as fast as it is where the gap closes
      const gained = (2 * Math.max(0, this.ownGap[i]) * (u - this.freely[i])) / h;
      this.impact[i] = Math.sqrt(Math.max(0, u * u + gained));
      this.unhindered[i] = Math.max(this.impact[i], -this.freely[i]);
      if (restitution > 0) this.gap[i] = -(h + local.relaxation) * share * restitution * this.impact[i];
      any = true;
    }
    return any && restitution > 0;
  }

  /** h² k w of what presses: k of its places together, w the mobility along its resultant */
  private stiffnessInStep(): number {
    const { terms, blocks, group, count: n, h, stiffness, local } = this;
    const row = terms.firstRow[group];
    for (let i = 0; i < n; i++) this.depth[i] = -(this.gap[i] + (h + local.relaxation) * terms.u[row + i]);
    if (!local.ahead.press(this.depth, this.force, stiffness)) return 0;
    let k = 0;
    let load = 0;
    for (let i = 0; i < n; i++) {
      load += this.force[i];
      for (let j = 0; j < n; j++) k += stiffness[n * i + j];
    }
    if (!(load > 0)) return 0;
    const [na, nb] = [blocks.size[this.first], this.second < 0 ? 0 : blocks.size[this.second]];
    this.resultant = numberRoom(this.resultant, na + nb);
    const { resultant } = this;
    resultant.fill(0);
    for (let i = 0; i < n; i++) {
      const j = terms.jacobianAt[group] + (na + nb) * i;
      for (let c = 0; c < na + nb; c++) resultant[c] += (this.force[i] / load) * terms.jacobian[j + c];
    }
    const w =
      blocks.mobility(this.first, resultant, 0) + (this.second < 0 ? 0 : blocks.mobility(this.second, resultant, na));
    return h * h * k * w;
  }
  private resultant: Float64Array = new Float64Array(16);

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

  /**
   * What place i takes in the step, J: −γ ū, of one that strikes ½ γ' (v_c − u) with γ' = γ (v_c + u)/(v* + u), v_c the speed it closed in with, v* what it would have been at the end: the blow
   * without what the place bore while its body waited for the end of the step
   */
  private taken(i: number, before: number): number {
    const { terms, impact, unhindered } = this;
    const r = terms.firstRow[this.group] + i;
    const u = terms.u[r];
    if (impact[i] > 0 && u > -impact[i])
      return ((impact[i] + u) / (unhindered[i] + u)) * terms.gamma[r] * 0.5 * (impact[i] - u);
    return -0.5 * terms.gamma[r] * (before + u);
  }

  /** What all places and friction take, J. @param before velocities of rows at the start of the step; those of its end are in the terms */
  takes(before: Float64Array): number {
    const { terms, group, count } = this;
    const row = terms.firstRow[group];
    let sum = 0;
    for (let r = row; r < terms.firstRow[group + 1]; r++)
      sum += r < row + count ? this.taken(r - row, before[r]) : -0.5 * terms.gamma[r] * (before[r] + terms.u[r]);
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
        else if (contact.booksWork || this.impact[r - row] > 0) book.heat += this.taken(r - row, before[r]);
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
