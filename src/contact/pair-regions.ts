/**
 * Regions of a pair of shapes and the slots that keep what lasts of them (slot.ts).
 *
 * Slots are there before a region is: an empty one waits, its states zero, so that touching needs no event. Within a step the slots are frozen; a
 * stage finds regions and matches each with the slot nearest to it, seen from A.
 */
import type { PairLaw } from '../contact-laws/pair-law.js';
import { MOST_REGION_STATES } from '../contact-laws/region-states.js';
import type { Route } from '../narrow-phase/route.js';
import type { RegionDerivatives } from './region-derivatives.js';
import type { RegionForces } from './region-forces.js';
import { type PlacedShapes, RegionSearch } from './region-search.js';
import { Slot } from './slot.js';

/** What all pairs of a run share: one region at a time is worked on. */
export interface Workbench extends PlacedShapes {
  readonly forces: RegionForces;
  readonly derivatives: RegionDerivatives;
  /** dᵀ M⁻¹ d at a point of a carrier, 1/kg */
  mobility(carrier: number, point: Float64Array, direction: Float64Array): number;
  /** aᵀ M⁻¹ a of a torque about an axis, 1/(kg m²) */
  turningMobility(carrier: number, axis: Float64Array): number;
  /** kg: 1/m = 1/m_a + 1/m_b of two bodies, 0 where more than weight may press them together; and all that could lie on them */
  ownMass(a: number, b: number): number;
  readonly allMass: number;
  /** m: how near islands of two shapes come before they are one */
  meetingGap(a: number, b: number): number;
  /** s: steps are of this length, or shorter where bodies touch, and no error control is over them; 0: they are chosen by their error */
  fixedStep: number;
  /** A number that no region of two shapes has had */
  nextRegion(a: number, b: number): number;
}

/** Most regions of a pair that keep friction states; more than these are without memory within a step. */
export const MOST_SLOTS = 64;

export class PairRegions {
  /** Where the states are; set by the owner between steps. */
  stateAt = 0;
  /** States of a region, as its laws own them */
  readonly perRegion: number;
  /** Regions found by the last search, and the slot of each (−1: none) */
  found = 0;
  readonly slotOf = new Int32Array(4 * MOST_SLOTS);
  slots: Slot[] = [];
  /** 1 per slot that has a region of the last search */
  readonly occupied = new Uint8Array(MOST_SLOTS);
  /** Per slot: the region that its own has become part of, as a row of the last search; −1: none */
  readonly mergedInto = new Int32Array(MOST_SLOTS);
  /** Start of the step, s */
  time = Number.NaN;
  protected readonly search: RegionSearch;

  /** @param a, b carriers of the route's shapes */
  constructor(
    readonly a: number,
    readonly b: number,
    readonly route: Route,
    readonly law: PairLaw,
    readonly bench: Workbench,
  ) {
    this.perRegion = law.states.count;
    this.search = new RegionSearch(route, a, b, bench);
    this.slots.push(this.waitingSlot());
  }

  get states(): number {
    return this.perRegion * this.slots.length;
  }

  /** Regions of the last search */
  get patches(): RegionSearch['patches'] {
    return this.search.patches;
  }

  /** Of the region evaluated last */
  get forces(): RegionForces {
    return this.bench.forces;
  }

  /** A slot that waits for a region */
  waitingSlot(): Slot {
    const slot = new Slot();
    const { law } = this;
    slot.effectiveMass = 1;
    slot.growth = 0;
    slot.stiffness = law.stiffness;
    return slot;
  }

  /**
   * Finds regions at the carriers' present motion and matches them with slots: how many there are.
   *
   * @param keep this is an accepted state, which others will ask for, too
   */
  findRegions(t: number, gradients = false, keep = false): number {
    this.search.find(gradients, keep);
    this.match(t);
    return this.found;
  }

  /** Evaluates region p of the last search into `forces`; gives its slot, −1: none. */
  evaluateRegion(p: number, y: Float64Array): number {
    const { bench, patches, slots, law, a, b, perRegion, stateAt } = this;
    const s = this.slotOf[p];
    if (s < 0) bench.forces.evaluate(law, slots[0], patches, p, a, b, NO_STATES, 0, false);
    else bench.forces.evaluate(law, slots[s], patches, p, a, b, y, stateAt + perRegion * s, false);
    return s;
  }

  /** Name of the region in a slot */
  regionOf(slot: number): number {
    return slot < 0 ? -1 : this.slots[slot].region;
  }

  /** Greedy: the closest couple of region and slot first; ties by index. Empty slots take what is left, in order. */
  private match(t: number): void {
    const { slots, slotOf, occupied, mergedInto, patches } = this;
    const count = Math.min(patches.count, slotOf.length);
    this.found = count;
    for (let s = 0; s < slots.length; s++) {
      occupied[s] = 0;
      mergedInto[s] = -1;
    }
    if (count === 0) return;
    if (count === 1 && slots.length === 1) {
      slotOf[0] = 0;
      occupied[0] = 1;
      return;
    }
    for (let p = 0; p < count; p++) slotOf[p] = -1;
    const h = t - this.time;
    let left = count;
    let unmatched = 0;
    for (const slot of slots) if (slot.region >= 0) unmatched++;
    while (left > 0 && unmatched > 0) {
      let best = Number.POSITIVE_INFINITY;
      let bestSlot = -1;
      let bestRow = -1;
      for (let s = 0; s < slots.length; s++) {
        const slot = slots[s];
        if (slot.region < 0 || occupied[s] !== 0) continue;
        this.predictedPlace(slot, h, PLACE);
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
      occupied[bestSlot] = 1;
      unmatched--;
      left--;
    }
    for (let p = 0; p < count && left > 0; p++) {
      if (slotOf[p] >= 0) continue;
      for (let s = 0; s < slots.length; s++)
        if (occupied[s] === 0 && slots[s].region < 0) {
          slotOf[p] = s;
          occupied[s] = 1;
          left--;
          break;
        }
    }
    // What is left of loaded regions has become part of one that reaches as far, if there is such.
    if (unmatched > 0)
      for (let s = 0; s < slots.length; s++) {
        const slot = slots[s];
        if (slot.region < 0 || occupied[s] !== 0 || !(slot.load > 0)) continue;
        this.predictedPlace(slot, h, PLACE);
        let best = Number.POSITIVE_INFINITY;
        for (let p = 0; p < count; p++) {
          const distance = this.squareDistance(p, PLACE);
          if (slotOf[p] < 0 || !(distance < best) || !this.covers(p, PLACE)) continue;
          best = distance;
          mergedInto[s] = p;
        }
      }
  }

  /** Where a slot's region would be h s after the start of the step if it went on as before, world */
  predictedPlace(slot: Slot, h: number, out: Float64Array): void {
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

  /** Of the centroid of region p from a point, m² */
  squareDistance(p: number, point: Float64Array): number {
    const { centroid } = this.patches;
    const dx = centroid[3 * p] - point[0];
    const dy = centroid[3 * p + 1] - point[1];
    const dz = centroid[3 * p + 2] - point[2];
    return dx * dx + dy * dy + dz * dz;
  }

  /** A point lies within the ellipse that has the moments of region p: as far as that reaches in its direction. */
  private covers(p: number, point: Float64Array): boolean {
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

  /** Centroid of region p in A's axes, into out */
  localPlace(p: number, out: Float64Array): void {
    const { patches, a } = this;
    const { position, rotation } = this.bench.carriers;
    const r = 9 * a;
    const x = patches.centroid[3 * p] - position[3 * a];
    const y = patches.centroid[3 * p + 1] - position[3 * a + 1];
    const z = patches.centroid[3 * p + 2] - position[3 * a + 2];
    for (let k = 0; k < 3; k++) out[k] = rotation[r + k] * x + rotation[r + 3 + k] * y + rotation[r + 6 + k] * z;
  }
}

const NO_STATES = new Float64Array(MOST_REGION_STATES);
const PLACE = new Float64Array(3);
