/**
 * Contact of a step: who is near whom, points with their gaps, and the terms that they are in the convex problem.
 *
 *   normal     d = −(φ + h v_n),  γ_n = h k d₊,  k = κ/h² · max(1/w, min(N̂/10 g, Σm))       rigid, made regular; w mobility along n, 1/kg. The second keeps the depth
 *              under what is a thousand times heavier small. Where the materials' own stiffness has h² k w < 0.1 it acts itself
 *   friction   bristle on the patch of the region, at the middle of its points by load: W = F₀ + k_t h V within what µ N̂ can bear;
 *              k_t = min(0.85 κ/(h² w), κ/(h² w_t)). N̂ is that of the step before, then of the solution before
 *   rolling    the same on R ω_t within µ_r N̂
 */
import type { Candidates } from '../contact/contact-list.js';
import type { ContactSystem } from '../contact/contact-system.js';
import { COLUMN } from '../contact/contact-table.js';
import { SLIP, STICK } from '../contact-laws/friction/bristle.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { ContactRegion } from './contact-region.js';
import { type ConvexTerms, TERM } from './convex-terms.js';
import { FoundPoints } from './found-points.js';
import { SOFT, StepPair, StepShapes } from './step-pair.js';
import type { VelocityBlocks } from './velocity-blocks.js';

/** Of the smaller body: what is that near is looked at, however slow */
const NEAR = 1e-3;
/** Faster than max(this · g h, SLOW) a contact rebounds. */
const FAST = 4;
const SLOW = 1e-3;
/** A step takes at most this part of the smaller body out of an overlap. */
const MOST_RECOVERY = 0.1;
/** How many times its own mass a contact may carry before it is made stiffer */
const CARRIED = 10;
/** Of the smaller body: what may overlap at the end of a step before it is solved again; the next step sees it */
const SHALLOW = 1e-4;
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
  /** m/s²: gravity */
  gravity: number;
  /** 1 per free body that rests */
  readonly resting: Uint8Array;
  /** Island of a resting body, by its lowest body */
  readonly restsWith: Int32Array;
  anyResting = false;
  private readonly savedResting: Uint8Array;
  /** Bristle memory; without it friction creeps (for tests) */
  memory = true;
  private readonly found = new FoundPoints();
  private readonly shapes = new StepShapes();
  private readonly known = new Map<number, StepPair>();
  private readonly twistRates: Float64Array;
  /** Of the candidates of this step: 0: both rest, 1: it has points, FAR, APART */
  private looked = new Uint8Array(64);
  private candidates: Candidates = { count: 0, a: new Int32Array(0), b: new Int32Array(0) };
  /** Per group of the terms: pair and region, −1: none of ours */
  regionOf: (ContactRegion | undefined)[] = [];
  pairOf: (StepPair | undefined)[] = [];

  constructor(
    private readonly mechanics: MechanicalSystem,
    private readonly contacts: ContactSystem,
    private readonly blocks: VelocityBlocks,
    private readonly terms: ConvexTerms,
  ) {
    const { carriers } = mechanics;
    this.gravity = contacts.parts.list.gravity;
    this.twistRates = new Float64Array(6 * (carriers.ground + 1));
    this.resting = new Uint8Array(carriers.free);
    this.restsWith = new Int32Array(carriers.free);
    this.savedResting = new Uint8Array(carriers.free);
  }

  private pairFor(i: number, j: number): StepPair {
    const { list, facts } = this.contacts.parts;
    const key = i * facts.shapes.length + j;
    let known = this.known.get(key);
    if (!known) {
      const { pair } = list.of(i, j);
      known = new StepPair(pair, i, j, this.shapes.finder(pair, facts.shapes), facts);
      pair.told = known.table;
      this.known.set(key, known);
    }
    return known;
  }

  private isResting(carrier: number): boolean {
    const { nodes, ground } = this.mechanics.carriers;
    return carrier >= nodes && carrier < ground && this.resting[carrier - nodes] !== 0;
  }

  /** Points of all pairs that may touch within h s of the carriers' present state, as groups of the terms. */
  find(h: number): void {
    const { contacts, twistRates, blocks, gravity } = this;
    const { list } = contacts.parts;
    this.stamp++;
    // everything may be accelerated as by gravity
    const { ground } = this.mechanics.carriers;
    for (let c = 0; c < ground; c++) twistRates[6 * c + 5] = 2 * gravity;
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
        pair.heat = pair.frictionHeat = 0;
        this.still[this.stillCount++] = pair;
      }
    sortByShapes(this.present, this.count);
  }

  /** Balls about both that hold them come within reach of each other in the step; what bounds them in the broad phase is swept one by one and holds more. */
  private mayTouch(i: number, j: number, h: number, least = 0): boolean {
    const { facts, list } = this.contacts.parts;
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

  /** |v_b − v_a| of two carriers, m/s */
  private approachSpeed(a: number, b: number): number {
    const { twist } = this.mechanics.carriers;
    let square = 0;
    for (let k = 3; k < 6; k++) square += (twist[6 * b + k] - twist[6 * a + k]) * (twist[6 * b + k] - twist[6 * a + k]);
    return Math.sqrt(square);
  }

  /** m/s at the reach of a carrier's shape */
  private spin(c: number, reach: number): number {
    const { twist } = this.mechanics.carriers;
    const w = 6 * c;
    const square = twist[w] * twist[w] + twist[w + 1] * twist[w + 1] + twist[w + 2] * twist[w + 2];
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
    const { contacts, found, mechanics } = this;
    const { poses, place, facts } = contacts.parts;
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
    const { candidates, blocks, contacts } = this;
    const { carrierOf } = contacts.parts.list;
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
      this.writePair(pair, v0);
      if (!this.meets(pair, h, moving)) {
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

  /** They go into each other with these velocities. */
  private meets(pair: StepPair, h: number, moving: Float64Array): boolean {
    const { terms } = this;
    for (let r = 0; r < pair.active; r++) {
      const region = pair.regions[r];
      terms.velocities(region.group, moving, terms.trial, true);
      for (let p = 0; p < region.count; p++)
        if (region.gap[p] + h * terms.trial[terms.row[region.firstTerm + p]] < -SHALLOW * pair.size) return true;
    }
    return false;
  }

  /** Writes the rows of all regions; their terms are filled by `prepare`. */
  write(v0: Float64Array): void {
    for (let i = 0; i < this.count; i++) this.writePair(this.present[i], v0);
  }

  private writePair(pair: StepPair, v0: Float64Array): void {
    const { blocks, terms, mechanics } = this;
    const { rotation, position } = mechanics.carriers;
    const { a, b, law } = pair;
    const ba = blocks.ofCarrier[a];
    const bb = blocks.ofCarrier[b];
    const first = ba < 0 ? bb : ba;
    const second = ba < 0 || bb === ba ? -1 : bb;
    for (let r = 0; r < pair.active; r++) {
      const region = pair.regions[r];
      terms.open(first, second);
      const g = terms.groups - 1;
      this.regionOf[g] = region;
      this.pairOf[g] = pair;
      region.group = g;
      region.firstTerm = terms.terms;
      const { normal: n, place } = region;
      for (let p = 0; p < region.count; p++) {
        const at = terms.addRow();
        this.addPoint(pair, place, 3 * p, 0.5 * region.gap[p], n, n, at);
        region.mobility[p] = this.mobility(g, at);
        terms.addTerm(TERM.normal);
      }
      region.recall(rotation, 9 * pair.home, position, 3 * pair.home);
      const friction = law.friction.kind !== 'none';
      const spins = law.torsion !== 'none' && (region.spread[0] + region.spread[2] > 0 || law.torsionRadius > 0);
      region.frictionTerm = region.rollingTerm = -1;
      if (friction) {
        terms.addRow();
        terms.addRow();
        if (spins) terms.addRow();
        region.frictionTerm = terms.addTerm(spins ? TERM.patch : TERM.bounded, spins ? region.patch : undefined);
      }
      if (law.rolling) {
        for (let k = 0; k < 2; k++) {
          const at = terms.addRow();
          const t = k === 0 ? region.t1 : region.t2;
          this.addTurn(pair, t, law.rolling.radius, at);
        }
        region.rollingTerm = terms.addTerm(TERM.bounded);
      }
      terms.velocities(g, v0, terms.u, true);
      for (let p = 0; p < region.count; p++)
        region.approach[p] = Math.max(0, -terms.u[terms.row[region.firstTerm + p]]);
    }
  }

  /** A row along d: points of both surfaces, half of the gap to either side along n, which are one when they touch */
  private addPoint(
    { a, b }: StepPair,
    at: Float64Array,
    p: number,
    half: number,
    n: Float64Array,
    d: Float64Array,
    to: number,
  ): void {
    const { blocks, terms } = this;
    const x = half * n[0];
    const y = half * n[1];
    const z = half * n[2];
    const ba = blocks.ofCarrier[a];
    const bb = blocks.ofCarrier[b];
    const second = ba < 0 || ba === bb ? to : to + blocks.size[ba];
    blocks.bias = 0;
    blocks.addPoint(a, at[p] - x, at[p + 1] - y, at[p + 2] - z, d[0], d[1], d[2], -1, terms.jacobian, to);
    blocks.addPoint(b, at[p] + x, at[p + 1] + y, at[p + 2] + z, d[0], d[1], d[2], 1, terms.jacobian, second);
    terms.bias[this.rowAt] = blocks.bias;
  }

  private addTurn({ a, b }: StepPair, d: Float64Array, arm: number, to: number): void {
    const { blocks, terms } = this;
    const ba = blocks.ofCarrier[a];
    const bb = blocks.ofCarrier[b];
    const second = ba < 0 || ba === bb ? to : to + blocks.size[ba];
    blocks.bias = 0;
    blocks.addTurn(a, d[0], d[1], d[2], -arm, terms.jacobian, to);
    blocks.addTurn(b, d[0], d[1], d[2], arm, terms.jacobian, second);
    terms.bias[this.rowAt] = blocks.bias;
  }

  /** Row that is written: the last one added, or one that is written anew */
  private get rowAt(): number {
    return this.rewritten >= 0 ? this.rewritten : this.terms.rows - 1;
  }
  private rewritten = -1;

  /** J M⁻¹ Jᵀ of a row, 1/kg */
  private mobility(g: number, at: number): number {
    const { terms, blocks } = this;
    const first = terms.ends[2 * g];
    const second = terms.ends[2 * g + 1];
    let sum = first < 0 ? 0 : blocks.mobility(first, terms.jacobian, at);
    if (second >= 0) sum += blocks.mobility(second, terms.jacobian, at + (first < 0 ? 0 : blocks.size[first]));
    return sum;
  }

  /**
   * Fills the terms of a region for the first solution of a step.
   *
   * @param rigidity κ
   * @param contour  patches that are pressed steadily with their contours; else balls
   * @param mass     kg of the island: no contact in it can have more to carry, however hard walls that stand too close squeeze it
   */
  prepare(g: number, rigidity: number, contour: boolean, mass: number): void {
    const region = this.regionOf[g];
    const pair = this.pairOf[g];
    if (!region || !pair) return;
    const { terms, gravity } = this;
    const { h } = terms;
    const { law } = pair;
    for (let p = 0; p < region.count; p++) this.foreseeImpact(region, p);
    // is the law of the materials soft enough to be followed?
    let mobility = 0;
    for (let p = 0; p < region.count; p++) mobility = Math.max(mobility, region.mobility[p]);
    const own = pair.lawStiffness(region.area);
    let fast = false;
    for (let p = 0; p < region.count; p++) if (region.approach[p] > Math.max(FAST * gravity * h, SLOW)) fast = true;
    // a blow presses nowhere evenly: the contour of its patch would tell nothing
    region.steady = !fast && region.assumedLoad > 0;
    // and is rigid all the same: implicit steps would take most of its rebound
    const blow = fast && region.assumedLoad === 0 && pair.restitution > 0;
    region.soft = !blow && h * h * own * mobility < SOFT && (law.exponent === 1 || law.exponent === 1.5);
    for (let p = 0; p < region.count; p++) {
      const t = region.firstTerm + p;
      const w = region.mobility[p];
      const gap = Math.max(region.gap[p], -MOST_RECOVERY * pair.size);
      if (!(w > 0)) {
        terms.setNormal(t, gap, 0, 1, 0);
        continue;
      }
      if (region.soft) {
        const n = law.exponent;
        const d = law.referenceDepth;
        // N = k dⁿ with dN/dd = own at d
        const k = n === 1 ? own / region.count : law.stiffness / (1.5 * Math.sqrt(d));
        const u = Math.sqrt(
          region.approach[p] * region.approach[p] + this.storedSpeed(k, n, gap, w) + law.floorSpeed * law.floorSpeed,
        );
        terms.setNormal(t, gap, k, n, pair.damping / Math.max(u, 1e-12));
        continue;
      }
      const carried = gravity > 0 ? Math.min(mass, region.assumedLoad / (CARRIED * gravity * region.count)) : 0;
      terms.setNormal(t, gap, (rigidity / (h * h)) * Math.max(1 / w, carried), 1, 0);
    }
    region.settle(
      contour && region.steady,
      law.torsionRadius,
      region.frictionTerm >= 0 && terms.row[region.frictionTerm + 1] - terms.row[region.frictionTerm] === 3,
    );
    this.predict(region);
    this.rub(g, rigidity);
  }

  /** Speed with which the gap closes: √(v² + 2 a φ), a as other forces accelerate the point. u is that of v*. */
  private foreseeImpact(region: ContactRegion, p: number): void {
    const { terms } = this;
    const start = region.approach[p];
    const end = Math.max(0, -terms.u[terms.row[region.firstTerm + p]]);
    region.freely[p] = end;
    const gap = Math.max(0, region.gap[p]);
    const square = start * start + (2 * (end - start) * gap) / terms.h;
    region.impact[p] = start > 0 && square > 0 ? Math.min(Math.sqrt(square), Math.max(start, end)) : start;
  }

  /** 2 U/m of N = k dⁿ, m²/s² */
  private storedSpeed(k: number, n: number, gap: number, w: number): number {
    const d = Math.max(0, -gap);
    return (2 * k * w * (n === 1 ? d * d : d * d * Math.sqrt(d))) / (n + 1);
  }

  /** A region without a load yet: points by how deep they would go */
  private predict(region: ContactRegion): void {
    if (region.assumedLoad > 0) return;
    const { terms } = this;
    const { loads, gap } = region;
    let any = false;
    for (let p = 0; p < region.count; p++) {
      const depth = -(gap[p] + terms.h * terms.u[terms.row[region.firstTerm + p]]);
      loads[p] = Math.max(0, depth);
      if (loads[p] > 0) any = true;
    }
    if (any) region.settle(region.patch.count > 0, 0, region.patch.effectiveRadius > 0);
    loads.fill(0);
  }

  /** Rows and terms of friction, at the middle and with the load that are assumed */
  private rub(g: number, rigidity: number): void {
    const region = this.regionOf[g]!;
    const pair = this.pairOf[g]!;
    const { terms } = this;
    const { h } = terms;
    const { law } = pair;
    if (region.frictionTerm >= 0) {
      const t = region.frictionTerm;
      const rows = terms.row[t + 1] - terms.row[t];
      const b = region.patch.effectiveRadius;
      let slow = 0;
      for (let k = 0; k < rows; k++) {
        const row = terms.row[t] + k;
        const at = this.rowStart(g, row);
        this.rewritten = row;
        this.clearRow(g, at);
        if (k < 2)
          this.addPoint(
            pair,
            region.middle,
            0,
            0.5 * region.middleGap,
            region.normal,
            k === 0 ? region.t1 : region.t2,
            at,
          );
        else this.addTurn(pair, region.normal, b, at);
        slow = Math.max(slow, this.mobility(g, at));
      }
      this.rewritten = -1;
      let w = 0;
      for (let p = 0; p < region.count; p++) w = Math.max(w, region.mobility[p]);
      let k = slow > 0 ? Math.min((0.85 * rigidity) / (h * h * w), rigidity / (h * h * slow)) : 0;
      if (region.soft) {
        const { coefficient, areaPower } = law.tangential;
        const own =
          areaPower === 0
            ? 0.85 * pair.lawStiffness(region.area)
            : coefficient * (areaPower === 1 ? region.area : Math.sqrt(region.area));
        if (own > 0) k = Math.min(k, own);
      }
      region.stiffness = k;
      region.held[2] = b > 0 ? region.heldTorque / b : 0;
      const { held } = region;
      if (!this.memory) held.fill(0);
      terms.setBounded(t, held[0], held[1], held[2], k * h, pair.coefficient(region.slip) * region.assumedLoad);
    }
    if (region.rollingTerm >= 0) {
      const t = region.rollingTerm;
      let slow = 0;
      for (let row = terms.row[t]; row < terms.row[t + 1]; row++)
        slow = Math.max(slow, this.mobility(g, this.rowStart(g, row)));
      region.rollingStiffness = slow > 0 ? rigidity / (h * h * slow) : 0;
      const { heldRolling } = region;
      terms.setBounded(
        t,
        heldRolling[0],
        heldRolling[1],
        0,
        region.rollingStiffness * h,
        law.rolling!.coefficient * region.assumedLoad,
      );
    }
  }

  private rowStart(g: number, row: number): number {
    const { terms, blocks } = this;
    const first = terms.ends[2 * g];
    const second = terms.ends[2 * g + 1];
    const width = (first < 0 ? 0 : blocks.size[first]) + (second < 0 ? 0 : blocks.size[second]);
    return terms.jacobianAt[g] + width * (row - terms.firstRow[g]);
  }

  private clearRow(g: number, at: number): void {
    const { terms, blocks } = this;
    const first = terms.ends[2 * g];
    const second = terms.ends[2 * g + 1];
    const width = (first < 0 ? 0 : blocks.size[first]) + (second < 0 ? 0 : blocks.size[second]);
    terms.jacobian.fill(0, at, at + width);
  }

  /** Loads of a solution; how much they differ from what was assumed, as a part */
  weigh(g: number): number {
    const region = this.regionOf[g];
    if (!region) return 0;
    const { terms } = this;
    let sum = 0;
    for (let p = 0; p < region.count; p++) {
      region.loads[p] = terms.gamma[terms.row[region.firstTerm + p]] / terms.h;
      sum += region.loads[p];
    }
    if (region.frictionTerm < 0 && region.rollingTerm < 0) return 0;
    const larger = Math.max(sum, region.assumedLoad);
    return larger > 0 ? Math.abs(sum - region.assumedLoad) / larger : 0;
  }

  /** Assumes the loads of the last solution. */
  assume(g: number, rigidity: number, contour: boolean, share = 1): void {
    const region = this.regionOf[g];
    if (!region) return;
    let sum = 0;
    for (let p = 0; p < region.count; p++) sum += region.loads[p];
    region.assumedLoad += share * (sum - region.assumedLoad);
    if (region.frictionTerm < 0 && region.rollingTerm < 0) return;
    if (sum > 0)
      region.settle(
        contour && region.steady,
        this.pairOf[g]!.law.torsionRadius,
        region.frictionTerm >= 0 && this.terms.row[region.frictionTerm + 1] - this.terms.row[region.frictionTerm] === 3,
      );
    this.rub(g, rigidity);
  }

  /** Some point of it closes in fast. */
  strikes(g: number): boolean {
    const region = this.regionOf[g];
    if (!region || region.soft) return false;
    const least = Math.max(FAST * this.gravity * this.terms.h, SLOW);
    for (let p = 0; p < region.count; p++) if (region.approach[p] > least) return true;
    return false;
  }

  /** After the solution without restitution: gaps that make impacts rebound, and overlaps be left without speed. True if there are such. */
  rebound(g: number, share: number): boolean {
    const region = this.regionOf[g];
    const pair = this.pairOf[g];
    if (!region || !pair || region.soft) return false;
    const { terms } = this;
    const { h } = terms;
    const least = Math.max(FAST * this.gravity * h, SLOW);
    let any = false;
    let hit = 0;
    for (let p = 0; p < region.count; p++) if (terms.gamma[terms.row[region.firstTerm + p]] > 0) hit++;
    for (let p = 0; p < region.count; p++) {
      const t = region.firstTerm + p;
      if (!(terms.gamma[terms.row[t]] > 0)) continue;
      const approach = region.approach[p];
      if (approach > least && pair.restitution > 0) {
        // and what the contact gives way by, Δv/(k h² w), shared by the points that are hit
        const back = share * pair.restitution * region.impact[p];
        const give = (back + region.freely[p]) / (terms.stiffnessOf(t) * h * h * region.mobility[p] * hit);
        terms.setGap(t, -h * (back + give));
        pair.rebounds = any = true;
      } else if (-region.gap[p] > h * least) {
        terms.setGap(t, 0);
        any = true;
      }
    }
    return any;
  }

  // ---- after the step -------------------------------------------------------------------------------------------------------------

  /**
   * Keeps what lasts, and tells of the pair: means over the step. Gives what contacts turned into heat or store, J.
   *
   * @param before u of the rows at the start of the step
   */
  remember(t: number, before: Float64Array): number {
    const { terms, mechanics } = this;
    const { rotation, position } = mechanics.carriers;
    const { u, gamma, h } = terms;
    let all = 0;
    for (let i = 0; i < this.count; i++) {
      const pair = this.present[i];
      const { table } = pair;
      pair.heat = pair.frictionHeat = 0;
      pair.pair.touching = false;
      pair.pair.depth = 0;
      table.count = 0;
      for (let r = 0; r < pair.active; r++) {
        const region = pair.regions[r];
        const stored = this.storedIn(region);
        pair.heat += this.heatOf(region, before) + stored - region.stored;
        region.stored = stored;
        let f1 = 0;
        let f2 = 0;
        let torque = 0;
        if (region.frictionTerm >= 0) {
          const row = terms.row[region.frictionTerm];
          const last = terms.row[region.frictionTerm + 1];
          f1 = -gamma[row] / h;
          f2 = -gamma[row + 1] / h;
          if (last - row === 3) torque = (-gamma[row + 2] / h) * region.patch.effectiveRadius;
          for (let k = row; k < last; k++) pair.frictionHeat -= gamma[k] * 0.5 * (before[k] + u[k]);
          region.slip = Math.sqrt(u[row] * u[row] + u[row + 1] * u[row + 1]);
        }
        let r1 = 0;
        let r2 = 0;
        if (region.rollingTerm >= 0) {
          const row = terms.row[region.rollingTerm];
          r1 = -gamma[row] / h;
          r2 = -gamma[row + 1] / h;
        }
        region.remember(rotation, 9 * pair.home, position, 3 * pair.home, f1, f2, torque, r1, r2);
        if (region.load > 0) this.tell(t, pair, region, f1, f2, torque, r1, r2);
      }
      all += pair.heat;
    }
    return all;
  }

  /**
   * What a region turned into heat, J; u is that of the end.
   *
   *   friction   −γ·½ (u₀ + u)
   *   impact     ½ γ' (v − u), v the speed with which the gap closed; γ' = γ (v + u)/(v* + u) is the blow, the rest of γ bore the load after it,
   *              when nothing moved. What −γ·½ (u₀ + u) differs by is no loss: the body waited on the surface for the end of the step
   *   law        −(γ − γ_e)·½ (u₀ + u), γ_e = h k dⁿ, is damping; what is stored is booked apart, so that the rest is what the step lost of it
   */
  heatOf(region: ContactRegion, before: Float64Array): number {
    const { terms } = this;
    const { u, gamma } = terms;
    const g = region.group;
    const points = terms.row[region.firstTerm];
    let heat = 0;
    for (let row = terms.firstRow[g]; row < terms.firstRow[g + 1]; row++) {
      const mean = 0.5 * (before[row] + u[row]);
      const p = row - points;
      if (p < 0 || p >= region.count) heat -= gamma[row] * mean;
      else if (region.soft) heat -= (gamma[row] - terms.elasticImpulse(region.firstTerm + p, u[row])) * mean;
      else {
        const speed = region.impact[p];
        if (speed > 0 && u[row] > -speed)
          heat +=
            ((speed + u[row]) / (Math.max(speed, region.freely[p]) + u[row])) * gamma[row] * 0.5 * (speed - u[row]);
        else heat -= gamma[row] * mean; // pushed by what others were hit with
      }
    }
    return heat;
  }

  /** J that a region whose own law acts holds at the end of the step */
  private storedIn(region: ContactRegion): number {
    if (!region.soft) return 0;
    const { terms } = this;
    let stored = 0;
    for (let p = 0; p < region.count; p++) {
      const t = region.firstTerm + p;
      const u = terms.u[terms.row[t]];
      stored +=
        (terms.elasticImpulse(t, u) * Math.max(0, -(terms.gapOf(t) + terms.h * u))) /
        (terms.h * (terms.exponentOf(t) + 1));
    }
    return stored;
  }

  private tell(
    _t: number,
    pair: StepPair,
    region: ContactRegion,
    f1: number,
    f2: number,
    torque: number,
    r1: number,
    r2: number,
  ): void {
    const { terms } = this;
    const { table } = pair;
    const at = table.count * COLUMN.width;
    if (at + COLUMN.width > table.values.length) {
      const more = new Float64Array(2 * at + COLUMN.width);
      more.set(table.values);
      table.values = more;
    }
    table.count++;
    if (region.number < 0) {
      const { route } = pair.pair;
      region.number = this.contacts.parts.facts.nextRegion(route.a, route.b);
    }
    pair.pair.touching = pair.pair.hasTouched = true;
    let depth = 0;
    for (let p = 0; p < region.count; p++) depth = Math.max(depth, -region.gap[p]);
    pair.pair.depth = Math.max(pair.pair.depth, depth);
    const { values } = table;
    const { normal: n, t1, t2, middle } = region;
    const arm = pair.law.rolling?.radius ?? 0;
    const row = terms.row[region.firstTerm];
    let slip1 = 0;
    let slip2 = 0;
    let spin = 0;
    if (region.frictionTerm >= 0) {
      const first = terms.row[region.frictionTerm];
      slip1 = terms.u[first];
      slip2 = terms.u[first + 1];
      const b = region.patch.effectiveRadius;
      if (b > 0 && terms.row[region.frictionTerm + 1] - first === 3) spin = terms.u[first + 2] / b;
    }
    values.fill(0, at, at + COLUMN.width);
    for (let k = 0; k < 3; k++) {
      values[at + COLUMN.force + k] = region.load * n[k] - f1 * t1[k] - f2 * t2[k];
      values[at + COLUMN.torque + k] = -torque * n[k] - arm * (r1 * t1[k] + r2 * t2[k]);
      values[at + COLUMN.point + k] = middle[k];
      values[at + COLUMN.patchCentroid + k] = middle[k];
      values[at + COLUMN.normal + k] = n[k];
      values[at + COLUMN.velocity + k] = terms.u[row] * n[k] + slip1 * t1[k] + slip2 * t2[k];
    }
    values[at + COLUMN.normalForce] = region.load;
    values[at + COLUMN.approachSpeed] = -terms.u[row];
    values[at + COLUMN.spin] = spin;
    values[at + COLUMN.torqueAboutNormal] = -torque;
    values[at + COLUMN.regime] = this.regime(region, f1, f2);
    values[at + COLUMN.energy] = 0;
    values[at + COLUMN.slot] = region.number;
    values[at + COLUMN.depth] = depth;
    values[at + COLUMN.area] = region.area;
  }

  private regime(region: ContactRegion, f1: number, f2: number): number {
    if (region.frictionTerm < 0) return SLIP;
    const limit = this.terms.limitOf(region.frictionTerm);
    return Math.sqrt(f1 * f1 + f2 * f2) < (1 - 1e-9) * limit ? STICK : SLIP;
  }

  /** Mean loads of contact over the last step on all carriers, 6 each */
  loads(out: Float64Array): void {
    out.fill(0);
    const { position } = this.mechanics.carriers;
    for (let i = 0; i < this.count; i++) {
      const { a, b, table } = this.present[i];
      const { values, count } = table;
      for (let at = 0; at < count * COLUMN.width; at += COLUMN.width)
        for (let side = 0; side < 2; side++) {
          const c = side === 0 ? a : b;
          const sign = side === 0 ? -1 : 1;
          const f = at + COLUMN.force;
          const x = values[at + COLUMN.point] - position[3 * c];
          const y = values[at + COLUMN.point + 1] - position[3 * c + 1];
          const z = values[at + COLUMN.point + 2] - position[3 * c + 2];
          const o = 6 * c;
          out[o] += sign * (y * values[f + 2] - z * values[f + 1] + values[at + COLUMN.torque]);
          out[o + 1] += sign * (z * values[f] - x * values[f + 2] + values[at + COLUMN.torque + 1]);
          out[o + 2] += sign * (x * values[f + 1] - y * values[f] + values[at + COLUMN.torque + 2]);
          for (let k = 0; k < 3; k++) out[o + 3 + k] += sign * values[f + k];
        }
    }
  }

  /** What lasts, for a step that is tried again */
  save(): void {
    for (const pair of this.known.values()) {
      pair.savedStamp = pair.stamp;
      pair.savedActive = pair.active;
      for (const region of pair.regions) region.save();
    }
    this.savedResting.set(this.resting);
  }

  restore(): void {
    for (const pair of this.known.values()) {
      pair.stamp = pair.savedStamp;
      pair.active = pair.savedActive;
      for (const region of pair.regions) region.restore();
    }
    this.stamp--;
    this.resting.set(this.savedResting);
    this.anyResting = this.resting.includes(1);
  }
}

const distance = (position: Float64Array, a: number, b: number): number => {
  const x = position[3 * b] - position[3 * a];
  const y = position[3 * b + 1] - position[3 * a + 1];
  const z = position[3 * b + 2] - position[3 * a + 2];
  return Math.sqrt(x * x + y * y + z * z);
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
