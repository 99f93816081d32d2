/**
 * One pair of shapes that is near enough to touch, as a force between two carriers.
 *
 * A pair has **slots**, one per region, with the friction states of the region (pair-regions.ts). Within a step they are frozen. Between steps `accept`
 * carries over what the accepted state shows: regions that came, went, merged, split (region-life.ts), and what is held over the next step
 * (region-memory.ts).
 */
import type { PairLaw } from '../contact-laws/pair-law.js';
import type { ContactScale, PairDerivative, PairElement, PowerLedger } from '../dynamics/elements/pair-element.js';
import type { Tape } from '../math/tape.js';
import { type Route, Separation } from '../narrow-phase/route.js';
import { borneShare, slipsSlowly } from './break-away.js';
import { PairTable } from './contact-table.js';
import { OpenSlots } from './open-slots.js';
import { MOST_SLOTS, type Workbench } from './pair-regions.js';
import { PairScales } from './pair-scales.js';
import { emptySlot, mergeRegions, splitRegions } from './region-life.js';
import { boundRelaxation, prepareWaitingSlots, rememberRegion } from './region-memory.js';
import type { Slot } from './slot.js';

export class ContactPair extends PairScales implements PairElement, ContactScale {
  readonly timeDependent = false;
  /** What somebody else tells of the pair in place of its laws: a time-stepping run, the means over its last step */
  told: PairTable | undefined;
  /** Direction of the deepest region or of the separation, and the point, world */
  readonly normal = new Float64Array(3);
  readonly point = new Float64Array(3);
  readonly separation = new Separation();
  /** Work of the pair is booked whole, for its law has no potential; see energy-book.ts */
  readonly booksWork: boolean;
  /** It had a region, at some time. */
  hasTouched = false;
  /** No wrench and no derivative at the last linearisation */
  idle = true;
  private readonly open: OpenSlots;
  private readonly table = new PairTable();
  /** Derivatives were asked for since the last accepted state, and so they will be at the next. */
  private differentiated = false;
  /** Per slot: its region has merged or split */
  private readonly reshaped = new Uint8Array(MOST_SLOTS);

  /**
   * @param a, b          carriers of the route's shapes
   * @param referenceDepth m: at rest, but not below a fraction of the body's size
   */
  constructor(
    readonly name: string,
    a: number,
    b: number,
    route: Route,
    law: PairLaw,
    referenceDepth: number,
    gravity: number,
    bench: Workbench,
  ) {
    super(a, b, route, law, bench, referenceDepth, gravity);
    // On facets that meet, the depth of a ball is not what its force is the slope of.
    const smooth = route.curvature > 0 && Number.isFinite(route.mostRegions);
    this.booksWork = route.patches && !(smooth && law.normal.name === 'constant-restitution');
    this.open = new OpenSlots(this);
  }

  get contact(): ContactScale {
    return this;
  }

  // ---- within a step --------------------------------------------------------------------------------------------------------------

  evaluate(t: number, y: Float64Array, rates: Float64Array): void {
    const { a, b, perRegion, stateAt } = this;
    const { carriers, forces } = this.bench;
    const { load } = carriers;
    this.findRegions(t);
    this.open.fade(y, rates);
    for (let p = 0; p < this.found; p++) {
      const s = this.evaluateRegion(p, y);
      if (s >= 0) {
        const at = stateAt + perRegion * s;
        for (let k = 0; k < perRegion; k++) rates[at + k] = forces.rates[k];
      }
      const { force: f, torque: m, leverA, leverB } = forces;
      const i = 6 * a;
      load[i] -= leverA[1] * f[2] - leverA[2] * f[1] + m[0];
      load[i + 1] -= leverA[2] * f[0] - leverA[0] * f[2] + m[1];
      load[i + 2] -= leverA[0] * f[1] - leverA[1] * f[0] + m[2];
      load[i + 3] -= f[0];
      load[i + 4] -= f[1];
      load[i + 5] -= f[2];
      const j = 6 * b;
      load[j] += leverB[1] * f[2] - leverB[2] * f[1] + m[0];
      load[j + 1] += leverB[2] * f[0] - leverB[0] * f[2] + m[1];
      load[j + 2] += leverB[0] * f[1] - leverB[1] * f[0] + m[2];
      load[j + 3] += f[0];
      load[j + 4] += f[1];
      load[j + 5] += f[2];
    }
  }

  differentiate(t: number, y: Float64Array, out: PairDerivative): void {
    this.findRegions(t, true);
    this.differentiated = true;
    const { bench, patches, slots, slotOf, law, a, b, perRegion, stateAt } = this;
    const { forces } = bench;
    this.idle = this.found === 0;
    for (let p = 0; p < this.found; p++) {
      const s = slotOf[p];
      if (s < 0) continue; // a region beyond the slots: its derivative is left out for the step in which it appears
      const at = stateAt + perRegion * s;
      forces.evaluate(law, slots[s], patches, p, a, b, y, at);
      bench.derivatives.add(law, patches, p, a, b, y, at, perRegion * s, out);
    }
    this.open.differentiate(out);
  }

  /** What the pair does at (t, y), where the carriers must be; evaluated once */
  tabulate(t: number, y: Float64Array): PairTable {
    if (this.told) return this.told;
    const { table, a, b, stateAt, bench } = this;
    const { carriers, forces } = bench;
    if (table.holds(t, carriers, a, b, y, stateAt)) return table;
    const rows = this.findRegions(t);
    table.begin(t, carriers, a, b, y, stateAt, this.states);
    for (let p = 0; p < rows; p++) {
      const slot = this.evaluateRegion(p, y);
      const { energy, absorbed, loss } = forces;
      if (!Number.isNaN(energy)) table.energy += energy;
      table.dissipated += this.booksWork || Number.isNaN(energy) ? absorbed : loss;
      table.friction += forces.forces.frictionLoss;
      table.add(forces, this.patches, p, slot);
    }
    table.energy += this.open.energy(y);
    if (!this.booksWork) table.dissipated += this.open.loss(y);
    return table;
  }

  override regionOf(slot: number): number {
    return this.told ? slot : super.regionOf(slot);
  }

  energy(t: number, y: Float64Array): number {
    return this.tabulate(t, y).energy;
  }

  power(t: number, y: Float64Array, ledger: PowerLedger): void {
    const { dissipated, friction } = this.tabulate(t, y);
    ledger.dissipated += dissipated;
    ledger.friction += friction;
  }

  /**
   * How far the two must be moved to come apart, along the normal from A to B, which is written: the largest extent of a region at the carriers' present
   * poses, m; 0 where they do not overlap.
   */
  overlap(normal: Float64Array): number {
    this.search.find(false);
    const { extent, count, normal: normals } = this.search.patches;
    let deepest = 0;
    for (let p = 0; p < count; p++) {
      if (!(extent[p] > deepest)) continue;
      deepest = extent[p];
      for (let k = 0; k < 3; k++) normal[k] = normals[3 * p + k];
    }
    return deepest;
  }

  /** Depth of the deepest region at the carriers' present poses, m */
  deepest(): number {
    return this.search.deepest();
  }

  // ---- between steps --------------------------------------------------------------------------------------------------------------

  /**
   * Carries the slots over to the accepted state (t, y): hands on what merged and split, names regions, moves places, re-expresses the basis.
   * True if the number of slots should change; `reslot` then does it, and this is to be called again. Where regions lack slots nothing is done
   * before, for all that became of a region must share what it held; unless there is no room, and it must be done with those there are.
   */
  accept(t: number, y: Float64Array, noRoom = false): boolean {
    const rows = this.findRegions(t, false, true);
    this.differentiated = false;
    this.table.forget();
    const { bench, patches, slots, slotOf, occupied, perRegion, stateAt } = this;
    const { forces } = bench;
    const h = t - this.time;
    const most = Math.min(this.route.mostRegions, MOST_SLOTS);
    let unplaced = 0;
    for (let p = 0; p < rows; p++) if (slotOf[p] < 0) unplaced++;
    if (unplaced > 0 && slots.length < most && !noRoom) return true;
    this.touching = false;
    this.depth = this.approachSpeed = 0;
    this.nearLimit = false;
    this.borneShare = 0;
    this.reshaped.fill(0, 0, slots.length);
    mergeRegions(this, h, y, this.reshaped);
    splitRegions(this, h, y, this.reshaped);
    for (let p = 0; p < rows; p++) {
      const s = this.evaluateRegion(p, y);
      if (s >= 0) {
        const slot = slots[s];
        const moved = slot.region >= 0 && this.reshaped[s] === 0;
        if (slot.region < 0) slot.region = bench.nextRegion(this.route.a, this.route.b);
        const radius = forces.contour.effectiveRadius;
        this.borneShare = Math.max(this.borneShare, borneShare(this.law, forces));
        if (this.borneShare > NEAR_LIMIT || slipsSlowly(this.law, forces)) this.nearLimit = true;
        rememberRegion(this, slot, p, moved ? h : 0);
        // a patch of another shape from here on: the torque k b ψ stays
        const { bristle } = this.law.states;
        if (bristle >= 0 && radius > 0 && slot.effectiveRadius > 0)
          y[stateAt + perRegion * s + bristle + 2] *= radius / slot.effectiveRadius;
      }
      if (patches.depth[p] > this.depth || !this.touching) {
        this.touching = this.hasTouched = true;
        this.depth = patches.depth[p];
        this.approachSpeed = forces.measures.approachSpeed;
        for (let k = 0; k < 3; k++) {
          this.normal[k] = patches.normal[3 * p + k];
          this.point[k] = patches.centroid[3 * p + k];
        }
      }
    }
    const forgotten = this.isClear() ? Number.POSITIVE_INFINITY : 1e-6 * this.referenceDepth;
    let waiting = 0;
    let empty = 0;
    for (let s = 0; s < slots.length; s++) {
      if (occupied[s] !== 0) continue;
      const slot = slots[s];
      slot.holds = false;
      if (slot.region >= 0) emptySlot(this, slot, y, stateAt + perRegion * s, forgotten);
      if (slot.region < 0) waiting++;
      else empty++;
    }
    if (rows === 0 || waiting > 0) this.prepareNext();
    const { fixedStep } = bench;
    if (fixedStep > 0) {
      const touching = Math.min(fixedStep, this.resolution());
      for (const slot of slots) boundRelaxation(slot, touching, fixedStep);
    }
    this.followLoad(t);
    this.time = t;
    const wanted = slots.length - waiting < most ? 1 : 0;
    return !noRoom && (waiting < wanted || waiting > wanted + 3 || (empty > 0 && slots.length > 2 * rows + 4));
  }

  /**
   * They have come so far apart that what touched will not touch again: nothing is left to be remembered. Where energy is booked whole what the bristles held is booked
   * with it (energy-book.ts); else it fades.
   */
  private isClear(): boolean {
    const { bench, route, separation } = this;
    return this.booksWork && !this.touching && separation.distance > 2 * bench.meetingGap(route.a, route.b);
  }

  /** Finds the regions of a state that is accepted or about to be, for all who will ask for them. */
  keepRegions(): void {
    this.search.find(this.differentiated, true);
  }

  /** Goes on as another did that was the same pair in another system, with all that `remember` keeps: its slots too, whose states are the owner's to move. */
  takeOver(before: ContactPair): void {
    this.slots = before.slots;
    this.touching = before.touching;
    this.depth = before.depth;
    this.approachSpeed = before.approachSpeed;
    this.normal.set(before.normal);
    this.point.set(before.point);
    this.separation.copy(before.separation);
    this.nearLimit = before.nearLimit;
    this.borneShare = before.borneShare;
    this.lastingLoad = before.lastingLoad;
    this.carried = before.carried;
    this.referenceSpeed = before.referenceSpeed;
    this.hasTouched ||= before.hasTouched;
    this.time = before.time;
  }

  /** Its slots and what else lasts from step to step; its states are in y. */
  remember(tape: Tape): void {
    const slots = tape.number(this.slots.length);
    if (tape.reading) this.slots = Array.from({ length: slots }, () => this.waitingSlot());
    for (const slot of this.slots) tape.fields(slot);
    this.touching = tape.flag(this.touching);
    this.hasTouched = tape.flag(this.hasTouched);
    this.nearLimit = tape.flag(this.nearLimit);
    this.depth = tape.number(this.depth);
    this.approachSpeed = tape.number(this.approachSpeed);
    this.borneShare = tape.number(this.borneShare);
    this.lastingLoad = tape.number(this.lastingLoad);
    this.carried = tape.number(this.carried);
    this.referenceSpeed = tape.number(this.referenceSpeed);
    this.time = tape.number(this.time);
    tape.array(this.normal);
    tape.array(this.point);
    tape.fields(this.separation);
  }

  /** How far the two are apart; for one that has no states yet. */
  measureGap(): void {
    this.touching = false;
    this.prepareNext();
  }

  /** Tells slots that wait where the next region will appear, as far as can be seen. */
  private prepareNext(): void {
    const { separation, b } = this;
    // While they touch their distance is none, and nobody asks for more.
    if (this.touching) separation.distance = 0;
    else this.search.separate(separation);
    const apart = separation.distance > 0;
    const direction = apart ? separation.direction : this.normal;
    const length = Math.abs(direction[0]) + Math.abs(direction[1]) + Math.abs(direction[2]);
    for (let k = 0; k < 3; k++) {
      DIRECTION[k] = length > 0 ? direction[k] : k === 2 ? 1 : 0;
      POINT[k] = apart ? 0.5 * (separation.pointA[k] + separation.pointB[k]) : this.point[k];
    }
    const { position } = this.bench.carriers;
    if (!apart && !this.touching) for (let k = 0; k < 3; k++) POINT[k] = position[3 * b + k];
    if (apart && !this.touching) {
      this.normal.set(DIRECTION);
      this.point.set(POINT);
    }
    prepareWaitingSlots(this, POINT, DIRECTION);
  }

  /**
   * Gives every region a slot and keeps one that waits; drops slots that wait in vain. The states move with their slots.
   *
   * @param states this pair's states before
   * @returns      its states after, in the order of the slots
   */
  reslot(states: Float64Array): Float64Array {
    const { perRegion } = this;
    const keptSlots: Slot[] = [];
    const keptStates: number[] = [];
    this.slots.forEach((slot, s) => {
      if (slot.region < 0 && this.occupied[s] === 0) return;
      keptSlots.push(slot);
      for (let k = 0; k < perRegion; k++) keptStates.push(states[perRegion * s + k]);
    });
    let unplaced = 0;
    for (let p = 0; p < this.found; p++) if (this.slotOf[p] < 0) unplaced++;
    const most = Math.min(this.route.mostRegions, MOST_SLOTS);
    while (keptSlots.length < most && unplaced >= 0) {
      keptSlots.push(this.waitingSlot());
      for (let k = 0; k < perRegion; k++) keptStates.push(0);
      unplaced--;
    }
    this.slots = keptSlots;
    return Float64Array.from(keptStates);
  }
}

/** Of what friction can bear: beyond it may slip soon */
const NEAR_LIMIT = 0.8;

const POINT = new Float64Array(3);
const DIRECTION = new Float64Array(3);
