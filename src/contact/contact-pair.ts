/**
 * One pair of shapes that is near enough to touch, as a force between two carriers.
 *
 * A pair has **slots**, one per region, with the friction states of the region. Slots are there before a region is: an empty one waits, its
 * states zero, so that touching needs no event. Within a step the slots are frozen; a stage finds regions and matches each with the slot
 * nearest to it, seen from A. Between steps `settle` carries over what the accepted state shows: regions that came, went, merged, split.
 * A loaded slot is never dropped nor renamed: the body would slip by F/k at once.
 */
import { bristleDamping } from '../contact-laws/friction/bristle.js';
import type { PairLaw } from '../contact-laws/pair-law.js';
import type { Carriers } from '../dynamics/carriers.js';
import type { ContactScale, PairDerivative, PairElement, PowerLedger } from '../dynamics/pair-element.js';
import { pow } from '../math/elementary.js';
import { ContactPatches } from '../narrow-phase/contact-patches.js';
import { type Route, Separation, type ShapePoses } from '../narrow-phase/route.js';
import { type RegionForces, regionStates } from './region-forces.js';
import { merge, type RegionSize, reaches, Slot, split } from './slot.js';

/** What all pairs of a run share: one region at a time is worked on. */
export interface Workbench {
  readonly carriers: Carriers;
  readonly poses: ShapePoses;
  readonly patches: ContactPatches;
  readonly forces: RegionForces;
  /** m per shape: its farthest point from the reference point of its carrier */
  readonly reach: Float64Array;
  /** Brings the poses of two shapes up to the carriers'. */
  place(a: number, b: number): void;
  /** dᵀ M⁻¹ d at a point of a carrier, 1/kg */
  mobility(carrier: number, point: Float64Array, direction: Float64Array): number;
  /** A number that no region of the run has had */
  nextRegion(): number;
}

/** Most regions of a pair that keep friction states; more than these are without memory within a step. */
export const MOST_SLOTS = 64;

export class ContactPair implements PairElement, ContactScale {
  readonly timeDependent = false;
  /** Where the states are; set by the owner between steps. */
  stateAt = 0;
  /** Regions found by the last look, and the slot of each (−1: none) */
  found = 0;
  readonly slotOf = new Int32Array(4 * MOST_SLOTS);
  slots: Slot[] = [];
  /** At the start of the step: a region touches; depth and approach speed of the deepest, m and m/s */
  touching = false;
  depth = 0;
  approachSpeed = 0;
  /** Direction of the deepest region or of the separation, and the point, world */
  readonly normal = new Float64Array(3);
  readonly point = new Float64Array(3);
  /** Work of the pair is booked whole, for its law has no potential; see energy-book.ts */
  readonly booksWork: boolean;
  readonly perRegion: number;
  readonly separation = new Separation();
  /** m/s: how fast a body may be wrong at rest on this pair */
  readonly referenceSpeed: number;
  /** Loss by merging regions, J */
  mergeLoss = 0;
  private readonly taken = new Uint8Array(MOST_SLOTS);
  /** Per slot: the region that its own has become part of, as a row of the last look; −1: none */
  private readonly heir = new Int32Array(MOST_SLOTS);
  /** Per slot: its region has merged or split */
  private readonly reshaped = new Uint8Array(MOST_SLOTS);
  private time = Number.NaN;
  /** Regions of the last look. Routes that search keep theirs, so that a second look at the same poses costs nothing. */
  readonly patches: ContactPatches;
  /** 12 per shape: position and rotation at the last look; whether it had gradients */
  private readonly looked: Float64Array | undefined;
  private lookedWith: 'nothing' | 'rows' | 'gradients' = 'nothing';
  /** 12 per carrier: where the two were when they were last found apart, and by how much, m */
  private readonly partedAt: Float64Array | undefined;
  private parted = 0;

  /**
   * @param a, b          carriers of the route's shapes
   * @param referenceDepth m: at rest, but not below a fraction of the body's size
   */
  constructor(
    readonly name: string,
    readonly a: number,
    readonly b: number,
    readonly route: Route,
    readonly law: PairLaw,
    readonly referenceDepth: number,
    gravity: number,
    private readonly bench: Workbench,
  ) {
    this.perRegion = regionStates(law);
    this.booksWork = route.patches && !(route.curvature > 0 && law.normal.name === 'constant-restitution');
    this.referenceSpeed = Math.sqrt(gravity * referenceDepth);
    const searches = !Number.isFinite(route.mostRegions);
    this.patches = searches ? new ContactPatches(2) : bench.patches;
    this.looked = searches ? new Float64Array(24) : undefined;
    this.partedAt = searches ? new Float64Array(24) : undefined;
    this.slots.push(this.waiting());
  }

  get states(): number {
    return this.perRegion * this.slots.length;
  }

  get contact(): ContactScale {
    return this;
  }

  /** A slot that waits for a region */
  private waiting(): Slot {
    const slot = new Slot();
    const { law } = this;
    slot.effectiveMass = 1;
    slot.growth = 0;
    slot.stiffness = law.stiffness;
    return slot;
  }

  // ---- within a step --------------------------------------------------------------------------------------------------------------

  /** Regions at the carriers' present poses, matched with slots */
  private look(t: number, gradients: boolean): void {
    this.find(gradients);
    this.match(t);
  }

  /** Regions at the carriers' present poses, into `patches` */
  private find(gradients: boolean): void {
    const { bench, route, patches, looked, partedAt } = this;
    bench.place(route.a, route.b);
    if (looked && partedAt) {
      const sameA = notePose(bench.poses, route.a, looked, 0);
      const sameB = notePose(bench.poses, route.b, looked, 12);
      const enough = this.lookedWith === 'gradients' || (this.lookedWith === 'rows' && !gradients);
      if (sameA && sameB && enough) return;
      this.lookedWith = gradients ? 'gradients' : 'rows';
    }
    patches.clear();
    if (!this.isApart()) route.find(bench.poses, 0, patches, gradients);
  }

  /**
   * Since they were found apart the two have not come as far as to touch. A point at most ρ from the reference point of a carrier moves by at
   * most |Δp| + ρ ‖ΔR‖, and ‖ΔR‖ is 1/√2 of the root of the sum of its squares.
   */
  private isApart(): boolean {
    const { partedAt, parted, bench, route, a, b } = this;
    if (!partedAt || !(parted > 0)) return false;
    const { carriers, reach } = bench;
    const way = moved(carriers, a, partedAt, 0, reach[route.a]) + moved(carriers, b, partedAt, 12, reach[route.b]);
    return way * (1 + 1e-9) + 1e-9 * parted < parted;
  }

  /** Greedy: the closest couple of region and slot first; ties by index. Empty slots take what is left, in order. */
  private match(t: number): void {
    const { slots, slotOf, taken, heir, patches } = this;
    const count = Math.min(patches.count, slotOf.length);
    this.found = count;
    slotOf.fill(-1, 0, count);
    taken.fill(0, 0, slots.length);
    heir.fill(-1, 0, slots.length);
    const h = t - this.time;
    let left = count;
    let occupied = 0;
    for (const slot of slots) if (slot.region >= 0) occupied++;
    while (left > 0 && occupied > 0) {
      let best = Number.POSITIVE_INFINITY;
      let bestSlot = -1;
      let bestRow = -1;
      for (let s = 0; s < slots.length; s++) {
        const slot = slots[s];
        if (slot.region < 0 || taken[s] !== 0) continue;
        this.whereabouts(slot, h, PLACE);
        for (let p = 0; p < count; p++) {
          if (slotOf[p] >= 0) continue;
          const distance = this.squareDistance(p, PLACE);
          if (distance < best) {
            best = distance;
            bestSlot = s;
            bestRow = p;
          }
        }
      }
      if (bestSlot < 0) break;
      slotOf[bestRow] = bestSlot;
      taken[bestSlot] = 1;
      occupied--;
      left--;
    }
    for (let p = 0; p < count && left > 0; p++) {
      if (slotOf[p] >= 0) continue;
      for (let s = 0; s < slots.length; s++)
        if (taken[s] === 0 && slots[s].region < 0) {
          slotOf[p] = s;
          taken[s] = 1;
          left--;
          break;
        }
    }
    // What is left of loaded regions has become part of one that reaches as far, if there is such.
    if (occupied > 0)
      for (let s = 0; s < slots.length; s++) {
        const slot = slots[s];
        if (slot.region < 0 || taken[s] !== 0 || !(slot.load > 0)) continue;
        this.whereabouts(slot, h, PLACE);
        let best = Number.POSITIVE_INFINITY;
        for (let p = 0; p < count; p++) {
          const distance = this.squareDistance(p, PLACE);
          if (slotOf[p] < 0 || !(distance < best) || !this.reaches(p, PLACE)) continue;
          best = distance;
          heir[s] = p;
        }
      }
  }

  /** Where a slot's region would be h s after the start of the step if it went on as before, world */
  private whereabouts(slot: Slot, h: number, out: Float64Array): void {
    const { position, rotation } = this.bench.carriers;
    const { a } = this;
    const qx = slot.placeAfter(h, 0);
    const qy = slot.placeAfter(h, 1);
    const qz = slot.placeAfter(h, 2);
    for (let k = 0; k < 3; k++) {
      const r = 9 * a + 3 * k;
      out[k] = position[3 * a + k] + rotation[r] * qx + rotation[r + 1] * qy + rotation[r + 2] * qz;
    }
  }

  private squareDistance(p: number, point: Float64Array): number {
    const { centroid } = this.patches;
    const dx = centroid[3 * p] - point[0];
    const dy = centroid[3 * p + 1] - point[1];
    const dz = centroid[3 * p + 2] - point[2];
    return dx * dx + dy * dy + dz * dz;
  }

  /** A point lies within the ellipse that has the moments of region p: as far as that reaches in its direction. */
  private reaches(p: number, point: Float64Array): boolean {
    const { centroid, secondMoments: m, area } = this.patches;
    const x = point[0] - centroid[3 * p];
    const y = point[1] - centroid[3 * p + 1];
    const z = point[2] - centroid[3 * p + 2];
    const i = 6 * p;
    const square = x * x + y * y + z * z;
    const spread =
      m[i] * x * x + m[i + 1] * y * y + m[i + 2] * z * z + 2 * (m[i + 3] * x * y + m[i + 4] * x * z + m[i + 5] * y * z);
    return square * square * area[p] <= 4 * spread && area[p] > 0;
  }

  evaluate(t: number, y: Float64Array, rates: Float64Array): void {
    const { a, b, perRegion, stateAt } = this;
    const { carriers, forces } = this.bench;
    const { load } = carriers;
    this.look(t, false);
    this.fade(y, rates);
    for (let p = 0; p < this.found; p++) {
      const s = this.region(p, y);
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

  /** Slots without a region: memory fades, s' = −(k/d) s. What has become part of another keeps it until it is handed on. */
  private fade(y: Float64Array, rates: Float64Array): void {
    const { slots, stateAt, perRegion, taken, heir } = this;
    for (let s = 0; s < slots.length; s++) {
      const at = stateAt + perRegion * s;
      if (taken[s] !== 0) continue;
      const rate = heir[s] < 0 ? slots[s].stiffness / slots[s].damping : 0;
      for (let k = 0; k < perRegion; k++) rates[at + k] = 0 - rate * y[at + k];
    }
  }

  /** No wrench and no derivative at the last linearisation */
  idle = true;

  differentiate(t: number, y: Float64Array, out: PairDerivative): void {
    const { bench, patches, slots, slotOf, law, a, b, perRegion, stateAt, taken, heir } = this;
    const { forces } = bench;
    this.look(t, true);
    this.idle = this.found === 0;
    for (let p = 0; p < this.found; p++) {
      const s = slotOf[p];
      if (s < 0) continue; // a region beyond the slots: its derivative is left out for the step in which it appears
      const at = stateAt + perRegion * s;
      forces.evaluate(law, slots[s], patches, p, a, b, y, at);
      forces.differentiate(law, slots[s], patches, p, a, b, y, at, perRegion * s, out);
    }
    const n = this.states;
    for (let s = 0; s < slots.length; s++) {
      if (taken[s] !== 0 || heir[s] >= 0) continue;
      const rate = slots[s].stiffness / slots[s].damping;
      for (let k = 0; k < perRegion; k++) {
        const i = perRegion * s + k;
        out.ratesByState[i * n + i] = 0 - rate;
      }
    }
  }

  energy(t: number, y: Float64Array): number {
    const { forces } = this.bench;
    let sum = 0;
    const rows = this.survey(t);
    for (let p = 0; p < rows; p++) {
      this.region(p, y);
      if (!Number.isNaN(forces.energy)) sum += forces.energy;
    }
    return sum + this.fading(y);
  }

  /** What slots without a region still hold after the last survey, J */
  fading(y: Float64Array): number {
    let sum = 0;
    for (let s = 0; s < this.slots.length; s++) if (this.taken[s] === 0) sum += this.stretched(s, y);
    return sum;
  }

  /** Of one slot, its bristle as stiff as at the last touch */
  private stretched(s: number, y: Float64Array): number {
    const { perRegion, stateAt, law } = this;
    let [bristle, rolling] = [0, 0];
    for (let k = 0; k < perRegion; k++) {
      const z = y[stateAt + perRegion * s + k];
      if (k < 3) bristle += z * z;
      else rolling += z * z;
    }
    return 0.5 * (leastStiffness(law) * bristle + (law.rolling ? law.rolling.stiffness * rolling : 0));
  }

  power(t: number, y: Float64Array, ledger: PowerLedger): void {
    const { forces } = this.bench;
    const rows = this.survey(t);
    for (let p = 0; p < rows; p++) {
      this.region(p, y);
      ledger.dissipated += this.booksWork || Number.isNaN(forces.energy) ? forces.taken : forces.loss;
      ledger.friction += forces.forces.frictionLoss;
    }
    if (this.booksWork) return;
    for (let s = 0; s < this.slots.length; s++)
      if (this.taken[s] === 0 && this.heir[s] < 0)
        ledger.dissipated += ((2 * this.slots[s].stiffness) / this.slots[s].damping) * this.stretched(s, y);
  }

  /** Looks for regions at the carriers' present motion: how many there are. */
  survey(t: number): number {
    this.look(t, false);
    return this.found;
  }

  /** Evaluates region p of the last survey into `forces`; gives its slot, −1: none. */
  region(p: number, y: Float64Array): number {
    const { bench, patches, slots, law, a, b, perRegion, stateAt } = this;
    const s = this.slotOf[p];
    if (s < 0) bench.forces.evaluate(law, slots[0], patches, p, a, b, NO_STATES, 0);
    else bench.forces.evaluate(law, slots[s], patches, p, a, b, y, stateAt + perRegion * s);
    return s;
  }

  /** Of the region evaluated last */
  get forces(): RegionForces {
    return this.bench.forces;
  }

  /** Depth of the deepest region at the carriers' present poses, m */
  deepest(): number {
    const { patches } = this;
    this.find(false);
    let depth = 0;
    for (let p = 0; p < patches.count; p++) depth = Math.max(depth, patches.depth[p]);
    return depth;
  }

  /**
   * True if a step to the carriers' present poses passed a border too far: the pair touched at the start and does not now, though the two are not
   * apart. The speeds are then wrong by up to N h/m. The error estimate of a stiff method does not see that: it looks through the damper of
   * the contact that is gone.
   */
  missedBorder(t: number, { relative, contact }: { readonly relative: number; readonly contact: number }): boolean {
    const { bench, route, slots } = this;
    if (!route.borders || !this.touching || this.deepest() > 0) return false;
    route.separate(bench.poses, BORDER);
    if (BORDER.distance > 0) return false;
    let pull = 0;
    for (const { region, load, effectiveMass } of slots) if (region >= 0) pull = Math.max(pull, load / effectiveMass);
    const { twist } = bench.carriers;
    let square = pull * this.depth; // of the speed that the contact could give, or the bodies have
    for (const carrier of [this.a, this.b]) {
      const v = 6 * carrier + 3;
      square = Math.max(square, twist[v] * twist[v] + twist[v + 1] * twist[v + 1] + twist[v + 2] * twist[v + 2]);
    }
    return pull * (t - this.time) > Math.max(contact * this.referenceSpeed, relative * Math.sqrt(square));
  }

  /** Name of the region in a slot */
  regionOf(slot: number): number {
    return slot < 0 ? -1 : this.slots[slot].region;
  }

  /** Error of a bristle that counts as one: what it is stretched by when it slips, now or at the depth of the impact that goes on */
  stateScale(k: number): number {
    const slot = this.slots[Math.floor(k / this.perRegion)];
    const mu = Math.max(0.01, this.law.properties.kineticFriction);
    return mu * Math.max(this.depthScale(), slot.stiffness > 0 ? slot.load / slot.stiffness : 0);
  }

  /** Depth that counts as one for errors across the contact, m: at rest, now, or of an impact at the present speed */
  depthScale(): number {
    return Math.max(this.referenceDepth, this.depth, this.impactDepth(this.approachSpeed));
  }

  /** d_ref (v/v*)^(2/(n+1)), v*² = 2 k d²/(n (n+1) m) with k the stiffness at d_ref */
  impactDepth(speed: number): number {
    if (!(speed > 0)) return 0;
    const { stiffness, referenceDepth: d, exponent: n } = this.law;
    const mass = this.slots[0].effectiveMass;
    const squared = (2 * stiffness * d * d) / (n * (n + 1) * mass);
    return d * pow((speed * speed) / squared, 1 / (n + 1));
  }

  /** Half period of the contact, s: how long an impact at a speed takes */
  impactTime(speed: number): number {
    return speed > 0 ? (3 * this.impactDepth(speed)) / speed : Number.POSITIVE_INFINITY;
  }

  /** A step that an explicit method resolves the contact with, s: 1/50 of the period 2π √(m/k) at the depth it has or will reach */
  resolution(): number {
    const { stiffness, referenceDepth: d, exponent: n } = this.law;
    const k = stiffness * pow(Math.max(this.depth, this.impactDepth(this.approachSpeed), d) / d, n - 1);
    let least = Number.POSITIVE_INFINITY;
    for (const slot of this.slots) least = Math.min(least, slot.effectiveMass);
    return 0.125 * Math.sqrt(least / k);
  }

  // ---- between steps --------------------------------------------------------------------------------------------------------------

  /**
   * Carries the slots over to the accepted state (t, y): hands on what merged and split, names regions, moves places, re-expresses the basis.
   * True if the number of slots should change; `reslot` then does it, and this is to be called again. Where regions lack slots nothing is done
   * before, for all that became of a region must share what it held; unless there is no room, and it must be done with those there are.
   */
  settle(t: number, y: Float64Array, noRoom = false): boolean {
    const { bench, patches, slots, slotOf, taken, perRegion, stateAt } = this;
    const { carriers, forces } = bench;
    const h = t - this.time;
    this.look(t, false);
    const rows = this.found;
    const most = Math.min(this.route.mostRegions, MOST_SLOTS);
    let unplaced = 0;
    for (let p = 0; p < rows; p++) if (slotOf[p] < 0) unplaced++;
    if (unplaced > 0 && slots.length < most && !noRoom) return true;
    this.touching = false;
    this.depth = this.approachSpeed = 0;
    this.reshaped.fill(0, 0, slots.length);
    this.mergeAll(h, y);
    this.splitAll(h, y);
    for (let p = 0; p < rows; p++) {
      const s = this.region(p, y);
      if (s >= 0) {
        const slot = slots[s];
        const moved = slot.region >= 0 && this.reshaped[s] === 0;
        if (slot.region < 0) slot.region = bench.nextRegion();
        const radius = forces.contour.effectiveRadius;
        this.remember(slot, p, moved ? h : 0);
        // a patch of another shape from here on: the torque k b ψ stays
        if (radius > 0 && slot.effectiveRadius > 0) y[stateAt + perRegion * s + 2] *= radius / slot.effectiveRadius;
      }
      if (patches.depth[p] > this.depth || !this.touching) {
        this.touching = true;
        this.depth = patches.depth[p];
        this.approachSpeed = forces.measures.approachSpeed;
        for (let k = 0; k < 3; k++) {
          this.normal[k] = patches.normal[3 * p + k];
          this.point[k] = patches.centroid[3 * p + k];
        }
      }
    }
    let waiting = 0;
    let empty = 0;
    for (let s = 0; s < slots.length; s++) {
      if (taken[s] !== 0) continue;
      const slot = slots[s];
      if (slot.region >= 0) this.retire(slot, y, stateAt + perRegion * s);
      if (slot.region < 0) waiting++;
      else empty++;
    }
    if (rows === 0 || waiting > 0) this.expect(carriers);
    this.time = t;
    const wanted = slots.length - waiting < most ? 1 : 0;
    return !noRoom && (waiting < wanted || waiting > wanted + 3 || (empty > 0 && slots.length > 2 * rows + 4));
  }

  /**
   * Keeps what the step that follows holds constant.
   *
   * @param h s since its place was told; 0 where the region is new or another than before, and its place says nothing of its motion
   */
  private remember(slot: Slot, p: number, h: number): void {
    const { bench, patches, a, b, law } = this;
    const { carriers, forces } = bench;
    const { position, rotation } = carriers;
    const { basis, measures } = forces;
    const r = 9 * a;
    for (let k = 0; k < 3; k++) {
      // into A's axes: columns of R
      const e = rotation[r + k] * basis[3] + rotation[r + 3 + k] * basis[4] + rotation[r + 6 + k] * basis[5];
      const x =
        rotation[r + k] * (patches.centroid[3 * p] - position[3 * a]) +
        rotation[r + 3 + k] * (patches.centroid[3 * p + 1] - position[3 * a + 1]) +
        rotation[r + 6 + k] * (patches.centroid[3 * p + 2] - position[3 * a + 2]);
      slot.edge[k] = e;
      slot.normal[k] = rotation[r + k] * basis[0] + rotation[r + 3 + k] * basis[1] + rotation[r + 6 + k] * basis[2];
      if (h > 0) slot.drift[k] = (x - slot.place[k]) / h;
      slot.place[k] = x;
    }
    if (h > 0) this.calm(slot);
    for (let k = 0; k < 3; k++) {
      POINT[k] = patches.centroid[3 * p + k];
      DIRECTION[k] = basis[k];
    }
    const mobility = bench.mobility(a, POINT, DIRECTION) + bench.mobility(b, POINT, DIRECTION);
    for (let k = 0; k < 3; k++) DIRECTION[k] = basis[3 + k];
    const across = bench.mobility(a, POINT, DIRECTION) + bench.mobility(b, POINT, DIRECTION);
    slot.effectiveMass = mobility > 0 ? 1 / mobility : 1;
    slot.stiffness = measures.stiffness;
    slot.dampingScale = bristleDamping(1, across > 0 ? 1 / across : 1, law.dampingRatio);
    slot.damping = slot.dampingScale * Math.sqrt(measures.stiffness);
    slot.load = forces.forces.normal.force;
    slot.effectiveRadius = forces.foundRadius();
    for (let k = 0; k < 3; k++) slot.spread[k] = patches.area[p] > 0 ? forces.moments[k] : 0;
    const { force, bySpeed } = forces.forces.normal;
    // what the user says is pressed like a ball rolls like one, though it is a mesh
    const round = Number.isFinite(law.effectiveRadius) || this.route.rolls === true || law.pressure === 'hertz';
    const rocks = patches.area[p] > 0 && force > 0 && !round;
    this.rock(slot, rocks ? bySpeed / force : 0);
    const { volume, area } = measures;
    for (let k = 0; k < 3; k++) slot.patch[k] = patches.area[p] > 0 ? forces.felt[k] / area : k - 1;
    slot.growth = volume > 0 ? Math.min(2, Math.max(0, (area * patches.extent[p]) / volume - 1)) : 0;
  }

  /** P (n × S n×) P times a factor, P = 1 − k kᵀ with k the axis of a shape that rolls; see region-forces.ts */
  private rock({ rocking }: Slot, factor: number): void {
    const { route, bench } = this;
    const { basis, moments } = bench.forces;
    rocking[0] = rocking[3] = rocking[4] = 0;
    rocking[1] = factor * moments[2];
    rocking[2] = factor * moments[0];
    rocking[5] = 0 - factor * moments[1];
    if (route.roller === undefined || !(factor > 0)) return;
    // C → C − k (C k)ᵀ − (C k) kᵀ + (k · C k) k kᵀ in (n, t₁, t₂)
    const { rotation } = bench.poses;
    const z = 9 * route.roller + 2;
    const k0 = rotation[z] * basis[0] + rotation[z + 3] * basis[1] + rotation[z + 6] * basis[2];
    const k1 = rotation[z] * basis[3] + rotation[z + 3] * basis[4] + rotation[z + 6] * basis[5];
    const k2 = rotation[z] * basis[6] + rotation[z + 3] * basis[7] + rotation[z + 6] * basis[8];
    const c1 = rocking[1] * k1 + rocking[5] * k2;
    const c2 = rocking[5] * k1 + rocking[2] * k2;
    const c = k1 * c1 + k2 * c2;
    rocking[0] = c * k0 * k0;
    rocking[3] = c * k0 * k1 - k0 * c1;
    rocking[4] = c * k0 * k2 - k0 * c2;
    rocking[1] += c * k1 * k1 - 2 * k1 * c1;
    rocking[2] += c * k2 * k2 - 2 * k2 * c2;
    rocking[5] += c * k1 * k2 - k1 * c2 - k2 * c1;
  }

  /**
   * A centroid is carried along by what slides and rolls. One that goes much faster has jumped, as it does where a face comes to lie flat, and
   * will not go on like that.
   */
  private calm({ drift }: Slot): void {
    const { forces, carriers } = this.bench;
    const { velocity: u, leverA, leverB } = forces;
    const { twist } = carriers;
    const [i, j] = [6 * this.a, 6 * this.b];
    let speed = 0;
    let spin = 0;
    let arm = 0;
    let other = 0;
    let fastest = 0;
    for (let k = 0; k < 3; k++) {
      speed += u[k] * u[k];
      spin += (twist[j + k] - twist[i + k]) * (twist[j + k] - twist[i + k]);
      arm += leverA[k] * leverA[k];
      other += leverB[k] * leverB[k];
      fastest += drift[k] * drift[k];
    }
    const most = 2 * (Math.sqrt(speed) + Math.sqrt(spin * Math.max(arm, other)));
    if (fastest > most * most) {
      const share = most / Math.sqrt(fastest);
      for (let k = 0; k < 3; k++) drift[k] *= share;
    }
  }

  /** Slots whose region has become part of another hand their states on. */
  private mergeAll(h: number, y: Float64Array): void {
    const { slots, heir, slotOf, perRegion, stateAt } = this;
    for (let p = 0; p < this.found; p++) {
      let merged: number[] | undefined;
      for (let s = 0; s < slots.length; s++) {
        if (heir[s] !== p) continue;
        merged ??= [slotOf[p]];
        merged.push(s);
      }
      if (!merged) continue;
      this.mergeLoss += merge(
        merged.map((s) => slots[s]),
        h,
        this.sizeOf(p, y),
        merged.map((s) => stateAt + perRegion * s),
        perRegion,
        y,
      );
      this.reshaped[slotOf[p]] = 1;
      slots[slotOf[p]].patch[0] = -1; // states go with the patch as it is found
    }
  }

  /** Regions that were part of another a step ago take their share of what it held. */
  private splitAll(h: number, y: Float64Array): void {
    const { slots, slotOf, perRegion, stateAt } = this;
    for (let s = 0; s < slots.length; s++) {
      const whole = slots[s];
      if (whole.region < 0 || !(whole.load > 0) || this.taken[s] === 0) continue;
      let rows: number[] | undefined;
      for (let p = 0; p < this.found; p++)
        if (slotOf[p] >= 0 && slots[slotOf[p]].region < 0 && this.wholeOf(p, h) === s) {
          rows ??= [slotOf.indexOf(s)];
          rows.push(p);
          // the child's tangents are the parent's, as far as normals agree
          slots[slotOf[p]].edge.set(whole.edge);
          slots[slotOf[p]].drift.set(whole.drift);
        }
      if (!rows) continue;
      this.reshaped[s] = 1;
      const at = rows.map((p) => stateAt + perRegion * slotOf[p]);
      split(
        whole,
        rows.map((p) => this.sizeOf(p, y)),
        at,
        perRegion,
        y,
      );
      whole.patch[0] = -1;
    }
  }

  /** Slot of the loaded region that row p was part of: the nearest that reached as far; −1: none */
  private wholeOf(p: number, h: number): number {
    const { slots, taken } = this;
    let whole = -1;
    let best = Number.POSITIVE_INFINITY;
    this.localPlace(p, POINT);
    for (let s = 0; s < slots.length; s++) {
      const slot = slots[s];
      if (slot.region < 0 || !(slot.load > 0) || taken[s] === 0) continue;
      this.whereabouts(slot, h, PLACE);
      const distance = this.squareDistance(p, PLACE);
      if (!(distance < best) || !reaches(slot, h, POINT)) continue;
      best = distance;
      whole = s;
    }
    return whole;
  }

  private sizeOf(p: number, y: Float64Array): RegionSize {
    const { forces } = this.bench;
    this.region(p, y);
    const place = new Float64Array(3);
    this.localPlace(p, place);
    return { stiffness: forces.measures.stiffness, effectiveRadius: forces.foundRadius(), place };
  }

  /** A region that is no more waits until its memory has faded. */
  private retire(slot: Slot, y: Float64Array, at: number): void {
    const { perRegion } = this;
    slot.load = 0;
    let largest = 0;
    for (let k = 0; k < perRegion; k++) largest = Math.max(largest, Math.abs(y[at + k]));
    if (largest < 1e-6 * this.referenceDepth) {
      y.fill(0, at, at + perRegion);
      slot.region = -1;
      slot.drift.fill(0);
    }
  }

  /** Centroid of row p in A's axes, into out */
  private localPlace(p: number, out: Float64Array): void {
    const { patches, a } = this;
    const { position, rotation } = this.bench.carriers;
    const r = 9 * a;
    const x = patches.centroid[3 * p] - position[3 * a];
    const y = patches.centroid[3 * p + 1] - position[3 * a + 1];
    const z = patches.centroid[3 * p + 2] - position[3 * a + 2];
    for (let k = 0; k < 3; k++) out[k] = rotation[r + k] * x + rotation[r + 3 + k] * y + rotation[r + 6 + k] * z;
  }

  /** How far the two are apart; for one that has no states yet. */
  lookAhead(): void {
    this.touching = false;
    this.expect(this.bench.carriers);
  }

  /** Where the next region will appear, as far as can be seen: the masses it will feel and a basis for it */
  private expect(carriers: Carriers): void {
    const { bench, route, separation, slots, a, b, law } = this;
    // While they touch their distance is none, and nobody asks for more.
    if (this.touching) separation.distance = 0;
    else {
      bench.place(route.a, route.b);
      route.separate(bench.poses, separation);
      this.part(separation.distance);
    }
    const apart = separation.distance > 0;
    const direction = apart ? separation.direction : this.normal;
    const length = Math.abs(direction[0]) + Math.abs(direction[1]) + Math.abs(direction[2]);
    for (let k = 0; k < 3; k++) {
      DIRECTION[k] = length > 0 ? direction[k] : k === 2 ? 1 : 0;
      POINT[k] = apart ? 0.5 * (separation.pointA[k] + separation.pointB[k]) : this.point[k];
    }
    if (!apart && !this.touching) for (let k = 0; k < 3; k++) POINT[k] = carriers.position[3 * b + k];
    if (apart && !this.touching) {
      this.normal.set(DIRECTION);
      this.point.set(POINT);
    }
    const mobility = bench.mobility(a, POINT, DIRECTION) + bench.mobility(b, POINT, DIRECTION);
    const mass = mobility > 0 ? 1 / mobility : 1;
    const { rotation } = carriers;
    const r = 9 * a;
    for (const slot of slots) {
      if (slot.region >= 0) continue;
      slot.effectiveMass = mass;
      slot.rocking.fill(0);
      slot.patch[0] = -1;
      slot.stiffness = law.stiffness;
      slot.dampingScale = bristleDamping(1, mass, law.dampingRatio);
      slot.damping = slot.dampingScale * Math.sqrt(law.stiffness);
      // any direction across
      const k = Math.abs(DIRECTION[0]) < 0.6 ? 0 : Math.abs(DIRECTION[1]) < 0.6 ? 1 : 2;
      const ex = (k === 0 ? 1 : 0) - DIRECTION[k] * DIRECTION[0];
      const ey = (k === 1 ? 1 : 0) - DIRECTION[k] * DIRECTION[1];
      const ez = (k === 2 ? 1 : 0) - DIRECTION[k] * DIRECTION[2];
      const size = Math.sqrt(ex * ex + ey * ey + ez * ez);
      for (let i = 0; i < 3; i++)
        slot.edge[i] = (rotation[r + i] * ex + rotation[r + 3 + i] * ey + rotation[r + 6 + i] * ez) / size;
    }
  }

  /** Notes where the two are so far apart. */
  private part(distance: number): void {
    const { partedAt, bench, a, b } = this;
    if (!partedAt) return;
    this.parted = distance;
    notePose(bench.carriers, a, partedAt, 0);
    notePose(bench.carriers, b, partedAt, 12);
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
      if (slot.region < 0 && this.taken[s] === 0) return;
      keptSlots.push(slot);
      for (let k = 0; k < perRegion; k++) keptStates.push(states[perRegion * s + k]);
    });
    let unplaced = 0;
    for (let p = 0; p < this.found; p++) if (this.slotOf[p] < 0) unplaced++;
    const most = Math.min(this.route.mostRegions, MOST_SLOTS);
    while (keptSlots.length < most && unplaced >= 0) {
      keptSlots.push(this.waiting());
      for (let k = 0; k < perRegion; k++) keptStates.push(0);
      unplaced--;
    }
    this.slots = keptSlots;
    return Float64Array.from(keptStates);
  }
}

/** Tangential stiffness of a region at touch, N/m */
function leastStiffness({ tangential }: PairLaw): number {
  const { coefficient, areaPower, areaFloor, depthPower, depthFloor } = tangential;
  const byArea = areaPower === 0 ? 1 : areaPower === 1 ? areaFloor : Math.sqrt(areaFloor);
  return coefficient * byArea * (depthPower === 0 ? 1 : Math.sqrt(depthFloor));
}

interface Poses {
  readonly position: Float64Array;
  readonly rotation: Float64Array;
}

/** Copies a pose into 12 numbers; true if they were these already. */
function notePose({ position, rotation }: Poses, i: number, into: Float64Array, at: number): boolean {
  let same = true;
  for (let k = 0; k < 12; k++) {
    const value = k < 3 ? position[3 * i + k] : rotation[9 * i + k - 3];
    if (into[at + k] === value) continue;
    into[at + k] = value;
    same = false;
  }
  return same;
}

/** How far points of a body can have moved from the pose noted, which are at most `reach` from its reference point, m */
function moved({ position, rotation }: Poses, i: number, from: Float64Array, at: number, reach: number): number {
  let shift = 0;
  let turn = 0;
  for (let k = 0; k < 3; k++) shift += (position[3 * i + k] - from[at + k]) * (position[3 * i + k] - from[at + k]);
  for (let k = 0; k < 9; k++)
    turn += (rotation[9 * i + k] - from[at + 3 + k]) * (rotation[9 * i + k] - from[at + 3 + k]);
  return Math.sqrt(shift) + (turn > 0 ? reach * Math.sqrt(0.5 * turn) : 0);
}

const NO_STATES = new Float64Array(5);
const POINT = new Float64Array(3);
const PLACE = new Float64Array(3);
const BORDER = new Separation();
const DIRECTION = new Float64Array(3);
