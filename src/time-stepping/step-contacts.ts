/** Who may touch whom in a step: pairs that come near, their points with gaps (finders), bodies that rest and are woken. What the points are in the convex problem: region-terms.ts. */
import type { Candidates } from '../contact/contact-list.js';
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Tape } from '../math/tape.js';
import type { ConvexTerms } from './convex-terms.js';
import { FoundPoints } from './found-points.js';
import { Meeting } from './meeting.js';
import { RegionStore } from './region-store.js';
import { RegionTerms, SLOW } from './region-terms.js';
import { SettledContacts } from './settled-contacts.js';
import { StepPair, StepShapes } from './step-pair.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** Of the smaller body: what is that near is looked at, however slow */
const NEAR = 1e-3;
/** Marks of candidates: out of reach; without points */
const FAR = 2;
const APART = 3;

export class StepContacts {
  /** Pairs with points in this step, in the order of their shapes */
  readonly present: StepPair[] = [];
  count = 0;
  /** Pairs of bodies at rest: they are as they were */
  readonly still: StepPair[] = [];
  stillCount = 0;
  /** Counts steps */
  stamp = 0;
  readonly regions: RegionTerms;
  readonly settled: SettledContacts;
  /** 1 per free body that rests */
  readonly resting: Uint8Array;
  /** Island of a resting body, by its lowest body */
  readonly restsWith: Int32Array;
  anyResting = false;
  private readonly savedResting: Uint8Array;
  private readonly meeting: Meeting;
  private readonly parts: ContactSystem['parts'];
  private readonly found = new FoundPoints();
  private readonly shapes = new StepShapes();
  private readonly store = new RegionStore();
  private readonly known = new Map<number, StepPair>();
  private readonly twistRates: Float64Array;
  /** Of the carriers with the velocities that they would have at the end of the step if nothing touched: forces may drive into each other what stood still */
  private readonly freeTwist: Float64Array;
  /** Of the candidates of this step: 0: both rest, 1: it has points, FAR, APART */
  private looked = new Uint8Array(64);
  private candidates: Candidates = { count: 0, a: new Int32Array(0), b: new Int32Array(0) };
  /** Those that a step which is tried again begins with */
  private readonly near = { count: 0, a: new Int32Array(0), b: new Int32Array(0) };

  constructor(
    private readonly mechanics: MechanicalSystem,
    contacts: ContactSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    const { carriers } = mechanics;
    this.parts = contacts.parts;
    this.regions = new RegionTerms(mechanics, blocks, terms, this.store, this.parts.list.gravity);
    this.settled = new SettledContacts(mechanics, contacts, terms, this.store);
    this.twistRates = new Float64Array(6 * (carriers.ground + 1));
    this.freeTwist = new Float64Array(6 * (carriers.ground + 1));
    this.resting = new Uint8Array(carriers.free);
    this.restsWith = new Int32Array(carriers.free);
    this.savedResting = new Uint8Array(carriers.free);
    this.meeting = new Meeting(carriers, this.parts, this.freeTwist);
  }

  /** m/s² */
  get gravity(): number {
    return this.regions.gravity;
  }

  /** J that friction turned into heat in the last step */
  get frictionHeat(): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.present[i].frictionHeat;
    return sum;
  }

  /** The same, of it in blows */
  get blowFriction(): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.present[i].blowFriction;
    return sum;
  }

  private pairFor(i: number, j: number): StepPair {
    const { list, facts } = this.parts;
    const key = i * facts.shapes.length + j;
    let known = this.known.get(key);
    if (!known) {
      const { pair } = list.of(i, j);
      known = new StepPair(pair, i, j, this.shapes.finder(pair, facts), facts, this.store);
      pair.told = known.table;
      this.known.set(key, known);
    }
    return known;
  }

  private isResting(carrier: number): boolean {
    const { nodes, ground } = this.mechanics.carriers;
    return carrier >= nodes && carrier < ground && this.resting[carrier - nodes] !== 0;
  }

  /** Points of all pairs that may touch within h s of the carriers' present state, as groups of the terms. @param free velocities of all blocks at the end of the step if nothing touched */
  find(h: number, free: Float64Array): void {
    const { twistRates, blocks } = this;
    const { list } = this.parts;
    this.stamp++;
    const { ground } = this.mechanics.carriers;
    this.accelerate(h, free);
    // and be hit by what was near in the step before
    for (let k = 0; k < this.candidates.count; k++) {
      const a = list.carrierOf[this.candidates.a[k]];
      const b = list.carrierOf[this.candidates.b[k]];
      const way = (2 * this.approachSpeed(a, b)) / h;
      if (a !== ground) twistRates[6 * a + 5] = Math.max(twistRates[6 * a + 5], way);
      if (b !== ground) twistRates[6 * b + 5] = Math.max(twistRates[6 * b + 5], way);
    }
    const candidates = list.candidates(h, twistRates);
    this.candidates = candidates;
    const n = candidates.count;
    if (this.looked.length < n) this.looked = new Uint8Array(2 * n);
    this.looked.fill(0, 0, n);
    this.count = this.stillCount = 0;
    for (let again = true; again; ) {
      again = false;
      for (let k = 0; k < n; k++) {
        if (this.looked[k] !== 0) continue;
        if (!this.mayTouch(candidates.a[k], candidates.b[k], h)) {
          this.looked[k] = FAR;
          continue;
        }
        const pair = this.pairFor(candidates.a[k], candidates.b[k]);
        const { a, b } = pair;
        if (blocks.ofCarrier[a] < 0 && blocks.ofCarrier[b] < 0) continue;
        const restsA = this.isResting(a) || blocks.ofCarrier[a] < 0;
        const restsB = this.isResting(b) || blocks.ofCarrier[b] < 0;
        if (restsA && restsB && !this.isMoved(a) && !this.isMoved(b)) continue;
        this.looked[k] = this.look(pair, h) ? 1 : APART;
        if (this.looked[k] !== 1) continue;
        for (let side = 0; side < 2; side++) {
          const carrier = side === 0 ? a : b;
          if (this.isResting(carrier)) {
            this.wake(carrier);
            again = true;
          }
        }
        this.present[this.count++] = pair;
      }
    }
    for (let k = 0; k < n; k++)
      if (this.looked[k] === 0) {
        const pair = this.pairFor(candidates.a[k], candidates.b[k]);
        pair.stamp = this.stamp;
        pair.heat = pair.frictionHeat = pair.blowFriction = 0;
        this.still[this.stillCount++] = pair;
      }
    sortByShapes(this.present, this.count);
  }

  /** Balls about both that hold them come within reach of each other in the step; what bounds them in the broad phase is swept one by one and holds more. */
  private mayTouch(i: number, j: number, h: number, least = 0): boolean {
    const { facts, list } = this.parts;
    const reach = facts.reach[i] + facts.reach[j];
    if (!Number.isFinite(reach)) return true;
    const { position } = this.mechanics.carriers;
    const a = list.carrierOf[i];
    const b = list.carrierOf[j];
    const near =
      reach * (1 + NEAR) +
      h *
        (Math.max(least, this.approachSpeed(a, b)) +
          h * this.gravity +
          this.spin(a, facts.reach[i]) +
          this.spin(b, facts.reach[j]));
    return distance(position, a, b) <= near;
  }

  /** How fast carriers may leave their straight way: everything as by gravity, and as the forces of the step accelerate it. */
  private accelerate(h: number, free: Float64Array): void {
    const { twistRates, freeTwist, gravity } = this;
    const { ground, twist } = this.mechanics.carriers;
    this.blocks.twists(free, freeTwist);
    for (let c = 0; c < ground; c++) {
      const faster = Math.sqrt(squareOfDifference(freeTwist, 6 * c + 3, twist, 6 * c + 3));
      twistRates[6 * c + 5] = Math.max(2 * gravity, (2 * faster) / h);
      twistRates[6 * c + 2] = Math.sqrt(squareOfDifference(freeTwist, 6 * c, twist, 6 * c)) / h;
    }
  }

  /** |v_b − v_a| of two carriers, m/s, at the start of the step or as forces change it */
  private approachSpeed(a: number, b: number): number {
    const { freeTwist } = this;
    const { twist } = this.mechanics.carriers;
    const now = squareOfDifference(twist, 6 * b + 3, twist, 6 * a + 3);
    return Math.sqrt(Math.max(now, squareOfDifference(freeTwist, 6 * b + 3, freeTwist, 6 * a + 3)));
  }

  /** m/s at the reach of a carrier's shape */
  private spin(c: number, reach: number): number {
    const square = Math.max(squareOf(this.mechanics.carriers.twist, 6 * c), squareOf(this.freeTwist, 6 * c));
    return square === 0 ? 0 : Math.sqrt(square) * reach;
  }

  /** Follows a prescribed motion */
  private isMoved(carrier: number): boolean {
    if (carrier >= this.mechanics.carriers.nodes) return false;
    const t = 6 * carrier;
    const { twist } = this.mechanics.carriers;
    for (let k = 0; k < 6; k++) if (twist[t + k] !== 0) return true;
    return false;
  }

  wake(carrier: number): void {
    const { resting, restsWith } = this;
    const island = restsWith[carrier - this.mechanics.carriers.nodes];
    this.anyResting = false;
    for (let i = 0; i < resting.length; i++) {
      if (resting[i] === 0) continue;
      if (restsWith[i] === island) resting[i] = 0;
      else this.anyResting = true;
    }
  }

  wakeAll(): void {
    this.resting.fill(0);
    this.anyResting = false;
  }

  /** Finds the points of a pair; false if there are none. @param least m/s: speed with which they may close in at least */
  private look(pair: StepPair, h: number, least = 0): boolean {
    const { found, mechanics } = this;
    const { poses, place, facts } = this.parts;
    const { position, rotation } = mechanics.carriers;
    const { a, b } = pair;
    const { route } = pair.pair;
    place(route.a, route.b);
    // fastest approach of any two of their points
    let spin = 0;
    for (let side = 0; side < 2; side++) {
      const reach = facts.reach[side === 0 ? route.a : route.b];
      spin += this.spin(side === 0 ? a : b, Number.isFinite(reach) ? reach : distance(position, a, b) + pair.size);
    }
    const margin = h * (Math.max(least, this.approachSpeed(a, b)) + spin + h * this.gravity) + NEAR * pair.size;
    found.clear();
    pair.finder.find(poses, margin, found);
    if (least === 0 && found.regions === 1) this.meeting.look(pair, h, margin, found);
    const lasts = pair.stamp === this.stamp - 1;
    pair.stamp = this.stamp;
    if (!lasts) pair.forget();
    if (found.regions === 0) {
      pair.forget();
      return false;
    }
    pair.match(found, rotation, 9 * pair.home, position, 3 * pair.home);
    return true;
  }

  /**
   * After a solution: pairs that were too far apart to be in it, and whose bodies its impulses drive into each other. They are written as more groups; true
   * if there are any. What rests is left to the next step.
   *
   * @param moving velocities that positions move with, of all blocks
   */
  findMore(h: number, v0: Float64Array, moving: Float64Array): boolean {
    const { candidates, blocks } = this;
    const { carrierOf } = this.parts.list;
    const { nodes, ground } = this.mechanics.carriers;
    let any = false;
    for (let k = 0; k < candidates.count; k++) {
      if (this.looked[k] !== FAR && this.looked[k] !== APART) continue;
      const a = carrierOf[candidates.a[k]];
      const b = carrierOf[candidates.b[k]];
      // what impulses changed, of free bodies
      let square = 0;
      let before = 0;
      for (let i = 0; i < 3; i++) {
        let after = 0;
        let start = 0;
        for (let side = 0; side < 2; side++) {
          const c = side === 0 ? a : b;
          if (c < nodes || c === ground) continue;
          const at = blocks.at[blocks.ofCarrier[c]] + i;
          after += side === 0 ? -moving[at] : moving[at];
          start += side === 0 ? -v0[at] : v0[at];
        }
        square += (after - start) * (after - start);
        before += after * after;
      }
      if (!(square > SLOW * SLOW)) continue;
      const speed = Math.sqrt(before);
      if (!this.mayTouch(candidates.a[k], candidates.b[k], h, speed)) continue;
      const pair = this.pairFor(candidates.a[k], candidates.b[k]);
      if (this.isResting(a) || this.isResting(b) || !this.look(pair, h, speed)) continue;
      const first = this.terms.groups;
      this.regions.write(pair, v0, moving);
      if (!this.regions.meets(pair, h, moving)) {
        while (this.terms.groups > first) this.terms.drop();
        pair.forget();
        continue;
      }
      this.looked[k] = 1;
      this.present[this.count++] = pair;
      any = true;
    }
    return any;
  }

  /** Writes the rows of all pairs that are present. */
  write(v0: Float64Array, free: Float64Array): void {
    for (let i = 0; i < this.count; i++) this.regions.write(this.present[i], v0, free);
  }

  /** What lasts, for a step that is tried again */
  save(): void {
    for (const pair of this.known.values()) {
      pair.savedStamp = pair.stamp;
      pair.savedActive = pair.active;
      for (const region of pair.regions) region.save();
    }
    this.savedResting.set(this.resting);
    const { near, candidates } = this;
    near.count = candidates.count;
    if (near.a.length < near.count) {
      near.a = new Int32Array(2 * near.count);
      near.b = new Int32Array(2 * near.count);
    }
    for (let k = 0; k < near.count; k++) {
      near.a[k] = candidates.a[k];
      near.b[k] = candidates.b[k];
    }
  }

  restore(): void {
    for (const pair of this.known.values()) {
      pair.stamp = pair.savedStamp;
      pair.active = pair.savedActive;
      for (const region of pair.regions) region.restore();
    }
    this.stamp--;
    this.candidates = this.near;
    this.resting.set(this.savedResting);
    this.anyResting = this.resting.includes(1);
  }

  /** What the next steps follow from beside y: who rests, who was near, what regions remember; and who was told of last. */
  remember(tape: Tape): void {
    const { known, candidates, resting } = this;
    this.stamp = tape.number(this.stamp);
    tape.array(resting);
    tape.array(this.restsWith);
    this.anyResting = resting.includes(1);
    const near = (shapes: Int32Array): Int32Array =>
      Int32Array.from(tape.numbers(Float64Array.from(shapes.subarray(0, candidates.count))));
    const [a, b] = [near(candidates.a), near(candidates.b)];
    if (tape.reading) this.candidates = { count: a.length, a, b };
    for (const pair of this.pairs(tape, [...known.values()])) pair.remember(tape);
    this.count = this.fill(this.present, this.pairs(tape, this.present.slice(0, this.count)));
    this.stillCount = this.fill(this.still, this.pairs(tape, this.still.slice(0, this.stillCount)));
  }

  private pairs(tape: Tape, written: readonly StepPair[]): StepPair[] {
    const shapes = this.parts.facts.shapes.length;
    const keys = tape.numbers(Float64Array.from(written, ({ shapeA, shapeB }) => shapeA * shapes + shapeB));
    return Array.from(keys, (key) => this.pairFor(Math.floor(key / shapes), key % shapes));
  }

  private fill(list: StepPair[], pairs: readonly StepPair[]): number {
    pairs.forEach((pair, i) => {
      list[i] = pair;
    });
    return pairs.length;
  }
}

const distance = (position: Float64Array, a: number, b: number): number => {
  const x = position[3 * b] - position[3 * a];
  const y = position[3 * b + 1] - position[3 * a + 1];
  const z = position[3 * b + 2] - position[3 * a + 2];
  return Math.sqrt(x * x + y * y + z * z);
};

const squareOf = (v: Float64Array, i: number): number => v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2];

const squareOfDifference = (v: Float64Array, i: number, w: Float64Array, j: number): number => {
  const x = v[i] - w[j];
  const y = v[i + 1] - w[j + 1];
  const z = v[i + 2] - w[j + 2];
  return x * x + y * y + z * z;
};

/** In place, the first n; nearly sorted, so by insertion */
function sortByShapes(pairs: StepPair[], n: number): void {
  for (let i = 1; i < n; i++) {
    const pair = pairs[i];
    let k = i - 1;
    for (; k >= 0 && isAfter(pairs[k], pair); k--) pairs[k + 1] = pairs[k];
    pairs[k + 1] = pair;
  }
}

const isAfter = (p: StepPair, q: StepPair): boolean =>
  p.shapeA > q.shapeA || (p.shapeA === q.shapeA && p.shapeB > q.shapeB);
