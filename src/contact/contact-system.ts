/**
 * All contact of a run: which pairs are near enough to be forces (contact-list.ts), where their states are (state-room.ts), how long a step may be
 * (step-guard.ts) and which bodies rest (resting.ts).
 *
 * Before a step `stepLimit` finds who may be reached in it; after an accepted step `update` names regions and moves slots (contact-pair.ts).
 */
import type { ContactShape, System } from '../assembly/system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Carriers } from '../dynamics/tree/carriers.js';
import type { Tape } from '../math/tape.js';
import { type Route, Separation, type ShapePoses } from '../narrow-phase/route.js';
import { type Candidates, ContactList, isUnloaded } from './contact-list.js';
import type { ContactPair } from './contact-pair.js';
import type { Workbench } from './pair-regions.js';
import { Resting } from './resting.js';
import type { ShapeFacts } from './shape-facts.js';
import { ShapePlaces } from './shape-places.js';
import { type ShownPart as PartOf, ShownContacts } from './shown-contacts.js';
import { nearRigid, nearSoft, OverlapDepth, refuseOverlaps, resolveOverlaps } from './start-overlaps.js';
import { StateRoom } from './state-room.js';
import { StepGuard } from './step-guard.js';
import { contactsAlone, workbench } from './workbench.js';

/** A part of a system, with contacts of its own */
export type ShownPart = PartOf<ContactSystem>;

export interface ContactParts {
  readonly list: ContactList;
  readonly facts: ShapeFacts;
  readonly poses: ShapePoses;
  /** Sets the poses of two shapes to those of their carriers. */
  place(a: number, b: number): void;
}

export class ContactSystem {
  readonly shapes: readonly ContactShape[];
  /** Pairs that are near, in the order of their shapes */
  pairs: readonly ContactPair[] = [];
  /** Bodies that have come to rest; their pairs are no forces until something comes near */
  readonly resting: Resting;
  /** Counts changes of the list */
  version = 0;
  /** More states are needed than are reserved: call `resize` after having reserved more. */
  outOfRoom = false;
  /** The pair for whose sake the last step was cut, if any */
  limitedBy: ContactPair | undefined;
  private readonly places: ShapePlaces;
  private readonly bench: Workbench;
  private readonly room: StateRoom;
  readonly list: ContactList;
  private readonly shown: ShownContacts;
  private readonly guard: StepGuard;

  /** @param facts of the system's shapes: `ShapeFacts.of(system, routes)` */
  constructor(
    private readonly system: System,
    private readonly mechanics: MechanicalSystem,
    private readonly facts: ShapeFacts,
  ) {
    const { carriers } = mechanics;
    const { shapes } = facts;
    this.shapes = shapes;
    const mayRest = contactsAlone(mechanics);
    this.places = new ShapePlaces(shapes, carriers);
    this.bench = workbench(system, mechanics, facts, this.places, mayRest);
    this.room = new StateRoom(system.nq + system.nv + system.ns, mechanics.size);
    this.list = new ContactList(system, facts, this.bench, this.room, this.places.carrierOf);
    this.guard = new StepGuard(mechanics, facts, this.list.gravity);
    const sizes = new Float64Array(carriers.free);
    for (const { anchor, size } of system.bodies) if (anchor.node <= -2) sizes[-2 - anchor.node] = size;
    this.resting = new Resting(carriers, mayRest, sizes, this.list.gravity);
    this.shown = new ShownContacts(this.list, this.resting, this.room.first);
  }

  /** At the start: who touches, and that nobody is drawn inside another. Where it is `outOfRoom` thereafter, again with more room. */
  start(t: number, y: Float64Array): void {
    const { list, guard, facts } = this;
    const overlap = new OverlapDepth(facts, this.bench.poses);
    const { mechanics } = this;
    if (this.system.contacts!.resolve)
      resolveOverlaps(
        () => [...nearRigid(list, facts, overlap, mechanics), ...nearSoft(mechanics, t, y)],
        mechanics,
        t,
        y,
      );
    mechanics.update(t, y);
    guard.twistRates.fill(0);
    const added = this.add(list.candidates(0, guard.twistRates), y);
    this.update(t, y);
    if (added) this.install(t, y);
    refuseOverlaps(list, facts, overlap, (shape) => this.bodyName(shape), this.system.contacts!.told);
  }

  /** How far the two of a pair must be moved to come apart at the carriers' present poses, m */
  overlapOf(pair: ContactPair): number {
    return new OverlapDepth(this.facts, this.bench.poses).of(pair, NORMAL);
  }

  private bodyName(shape: number): string {
    return this.system.bodies[this.shapes[shape].body].name;
  }

  /** Lists candidates that are not yet; true if there were such. */
  private add(found: Candidates, y: Float64Array): boolean {
    const before = this.list.present.length;
    if (!this.list.add(found, y)) this.outOfRoom = true;
    return this.list.present.length > before;
  }

  /** Hands the pairs that act to the mechanical system. */
  install(t: number, y: Float64Array): void {
    this.pairs = this.list.sort();
    this.version++;
    const { resting, mechanics } = this;
    mechanics.resting = resting.any ? resting.bodies : undefined;
    mechanics.restingEnergy = mechanics.restingWork = 0;
    if (!resting.any) {
      mechanics.setElements(this.pairs, y);
      return;
    }
    const acting: ContactPair[] = [];
    for (const pair of this.pairs)
      if (this.isActive(pair)) acting.push(pair);
      else {
        const energy = pair.energy(t, y);
        mechanics.restingEnergy += energy;
        if (pair.booksWork) mechanics.restingWork += energy;
      }
    mechanics.setElements(acting, y);
  }

  /** Between two that rest, or one and the ground, nothing happens. */
  private isActive({ a, b }: ContactPair): boolean {
    return this.resting.isAwake(a) || this.resting.isAwake(b);
  }

  /** Wakes those who rest and have somebody within reach who moves: true if there were such. */
  private wakeNeighbours(): boolean {
    const { resting } = this;
    if (!resting.any) return false;
    let woken = false;
    for (const { pair, stepsAway } of this.list.present) {
      if (stepsAway > 0) continue;
      const { a, b } = pair;
      if (resting.isResting(a) && resting.isAwake(b)) resting.wake(a, this.pairs);
      else if (resting.isResting(b) && resting.isAwake(a)) resting.wake(b, this.pairs);
      else continue;
      woken = true;
    }
    return woken;
  }

  /** Names and carries over the regions of a pair, with more or fewer slots where it needs them: true if states moved. */
  private accept(pair: ContactPair, t: number, y: Float64Array): boolean {
    if (!pair.accept(t, y)) return false;
    const { room } = this;
    const { slots, stateAt, states } = pair;
    const before = y.slice(stateAt, stateAt + states);
    const after = pair.reslot(before);
    room.release(stateAt, states, y);
    const start = room.allocate(pair.states, y);
    if (start >= 0) {
      pair.stateAt = start;
      y.set(after, start);
      pair.accept(t, y);
      return true;
    }
    // no room for more regions of this pair: as before, until room is made
    room.take(stateAt, states);
    pair.slots = slots;
    y.set(before, stateAt);
    pair.accept(t, y, true);
    this.outOfRoom = true;
    return true;
  }

  /** Patches of an accepted state: the ledger, the records, the slots and the next step look at these. */
  findPatches(t: number, y: Float64Array): void {
    this.mechanics.update(t, y);
    for (const { pair } of this.list.present) if (this.isActive(pair)) pair.keepRegions();
  }

  /**
   * After an accepted step, in place: names regions, drops pairs that went away, lets rest what has come to rest (if the rates f are given).
   * True if states moved, the list changed, or regions hold other masses over the next step: rates at y must then be told anew, or the step
   * begins with those of another problem and is cut short.
   */
  update(t: number, y: Float64Array, f?: Float64Array): boolean {
    this.mechanics.update(t, y);
    let changed = false;
    for (const { pair } of this.list.present) if (this.isActive(pair) && this.accept(pair, t, y)) changed = true;
    if (this.list.dropAbsent(y)) changed = true;
    const { contact } = this.mechanics.norm.tolerance;
    const { nq, nv } = this.system;
    const velocities = nq + nv - 6 * this.system.free.count;
    if (f && this.resting.letRest(t, y, f, velocities, this.pairs, contact)) changed = true;
    if (changed || this.version === 0) this.install(t, y);
    return changed || this.touching;
  }

  /** The mechanical system has more reserved states than before. */
  resize(): void {
    this.room.resize(this.mechanics.size);
    this.guard.resize();
    this.outOfRoom = false;
  }

  // ---- the guard ------------------------------------------------------------------------------------------------------------------

  /** s: the steps are of this length, of a method without error control, and must resolve every contact by themselves; 0: they are chosen by their error. */
  get fixedStep(): number {
    return this.bench.fixedStep;
  }

  set fixedStep(step: number) {
    this.bench.fixedStep = step;
    this.guard.fixedSteps = step > 0;
  }

  /** Longest step from (t, y) with the rates f, at most `planned`; pairs that come within reach become forces. */
  stepLimit(t: number, y: Float64Array, f: Float64Array, planned: number): number {
    const { list, guard } = this;
    this.mechanics.update(t, y);
    guard.findTwistRates(t, y, f);
    let limit = planned;
    this.limitedBy = undefined;
    for (const listed of list.present) {
      const own = guard.limitOf(listed);
      if (own >= limit) continue;
      limit = own;
      this.limitedBy = listed.pair;
    }
    const horizon = Math.min(limit, 1e6);
    const before = list.present.length;
    const found = list.candidates(horizon, guard.twistRates);
    const added = this.add(found, y);
    if (this.outOfRoom) limit = Math.min(limit, this.limitOfUnlisted(found));
    for (let k = before; k < list.present.length; k++) {
      this.accept(list.present[k].pair, t, y);
      limit = Math.min(limit, guard.limitOf(list.present[k]));
    }
    if (this.wakeNeighbours() || added) this.install(t, y);
    return limit;
  }

  /** Candidates that found no room must not be reached before room is made. */
  private limitOfUnlisted(found: Candidates): number {
    let limit = Number.POSITIVE_INFINITY;
    for (let k = 0; k < found.count; k++) {
      const listed = this.list.of(found.a[k], found.b[k]);
      if (listed.present) continue;
      listed.pair.measureGap();
      limit = Math.min(limit, 0.5 * this.guard.limitOf(listed));
    }
    return limit;
  }

  /** A pair that was apart at the start of the step is deeper now than a step may see, or one that touched passed a border unseen. */
  tooDeep(t: number, y: Float64Array): boolean {
    if (this.fixedStep > 0) return false; // its steps end where bodies touch
    this.findPatches(t, y);
    for (const listed of this.list.present)
      if (this.isActive(listed.pair) && this.guard.missed(t, y, listed)) return true;
    return false;
  }

  // ---- parts of the system ---------------------------------------------------------------------------------------------------------

  /** @throws ModelError where two shapes may touch and the program has no way to find it */
  refuseUnfound(): void {
    this.list.refuseUnfound();
  }

  /** Contacts of a part of the system, which shares what is known of the shapes. @param shapes numbers here of the part's shapes */
  restrict(system: System, mechanics: MechanicalSystem, shapes: ArrayLike<number>): ContactSystem {
    return new ContactSystem(system, mechanics, this.facts.select(shapes, system.contacts!.shapes));
  }

  /** Who is near whom, what their regions remember, who rests. `install` is to follow when it was read. */
  remember(tape: Tape): void {
    this.list.remember(tape);
    this.resting.remember(tape);
  }

  /** Pairs are known, but none is listed. */
  forgetListed(): void {
    this.list.forgetListed();
  }

  /** States that pairs have here which others are to take over */
  get statesInUse(): number {
    let sum = 0;
    for (const { pair } of this.list.present) sum += pair.states;
    return sum;
  }

  /**
   * Takes over pairs, their memory and who rests from another system that had some of the same shapes and bodies. There must be room for all states:
   * reserve as many as there are in use (`statesInUse`). `install` is to follow.
   *
   * @param shapeHere per shape there its number here, −1: not here
   * @param bodyThere per free body here its number there, −1: not there
   * @param from      state there
   */
  adopt(
    before: ContactSystem,
    shapeHere: ArrayLike<number>,
    bodyThere: ArrayLike<number>,
    from: Float64Array,
    y: Float64Array,
  ): void {
    for (const listed of before.list.present) {
      const [i, j] = [shapeHere[listed.shapeA], shapeHere[listed.shapeB]];
      if (i < 0 || j < 0) continue;
      if (!this.list.adopt(i, j, listed, from, y)) throw new Error('no room was reserved for the states of contacts');
    }
    this.resting.takeOver(before.resting, bodyThere);
  }

  /**
   * Shows the pairs of parts of the system as they are there, for reports: with their slots, and with their states in y, which must be long enough for
   * all (`statesInUse`).
   *
   * @param anew some part is another than before, or its list
   */
  show(parts: readonly ShownPart[], anew: boolean, t: number, y: Float64Array): void {
    if (anew) this.shown.listAnew(parts);
    this.shown.copy(parts, y);
    if (!anew) return;
    this.mechanics.update(t, y);
    this.install(t, y);
  }

  /** What has come near each other in a part of the system has done so here. */
  noteMet(part: ContactSystem, shapes: ArrayLike<number>): void {
    for (const { route, hasTouched } of part.list.met)
      if (hasTouched) this.pairOf(shapes[route.a], shapes[route.b]).hasTouched = true;
      else this.pairOf(shapes[route.a], shapes[route.b]);
  }

  /**
   * Pairs that hold two carriers together: they touch, something is left in their bristles, or they are within twice the gap at which islands meet.
   * To be asked after `update`.
   */
  tied(y: Float64Array, tie: (a: number, b: number) => void): void {
    for (const { pair, shapeA, shapeB } of this.list.present) {
      const near = pair.separation.distance <= 2 * this.facts.meetingGap(shapeA, shapeB);
      if (pair.touching || near || !isUnloaded(pair, y)) tie(pair.a, pair.b);
    }
  }

  /** What is known of the shapes */
  get shapeFacts(): ShapeFacts {
    return this.facts;
  }

  /** How two shapes are searched for contact, i < j */
  routeOf(i: number, j: number): Route {
    return this.list.routeOf(i, j);
  }

  /**
   * How far two shapes are apart which two parts of the system have, m; 0 where they touch.
   *
   * @param a, b the parts' carriers of the route's shapes
   */
  apart(route: Route, placesA: Carriers, a: number, placesB: Carriers, b: number): number {
    this.places.place(route.a, placesA, a);
    this.places.place(route.b, placesB, b);
    route.separate(this.bench.poses, APART);
    return APART.distance;
  }

  // ---- what others ask ------------------------------------------------------------------------------------------------------------

  /** Pair of two shapes, for reports; it may be far apart. */
  pairOf(i: number, j: number): ContactPair {
    return this.list.of(Math.min(i, j), Math.max(i, j)).pair;
  }

  /** Names of the bodies of a pair, A first */
  bodiesOf(pair: ContactPair): readonly [number, number] {
    return [this.shapes[pair.route.a].body, this.shapes[pair.route.b].body];
  }

  /** For a stage that finds contact in its own way: who is near whom, where shapes are, what is known of them */
  get parts(): ContactParts {
    const { list, facts, bench } = this;
    return { list, facts, poses: bench.poses, place: bench.place };
  }

  /** Pairs that have come near each other since the start */
  get met(): readonly ContactPair[] {
    return this.list.met;
  }

  /** Some pair touches. */
  get touching(): boolean {
    for (const { pair } of this.list.present) if (pair.touching) return true;
    return false;
  }

  /** Some pair touches of which one shape is hollow. */
  get touchesHollow(): boolean {
    const { facts } = this;
    for (const { pair, shapeA, shapeB } of this.list.present)
      if (pair.touching && (facts.isHollow(shapeA) || facts.isHollow(shapeB))) return true;
    return false;
  }

  /** Regions that came and went since the start, in the whole model */
  get regions(): number {
    return this.facts.regions;
  }

  /** Reserved states that no pair has */
  get freeStates(): number {
    return this.room.free;
  }
}

const APART = new Separation();
const NORMAL = new Float64Array(3);
