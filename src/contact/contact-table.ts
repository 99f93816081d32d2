/**
 * What contact does at one state, evaluated once for all who ask: the ledger takes powers and energies from it, sensors their forces, the records
 * their rows. Each pair has its part of the table, one row per region, which holds as long as the pair's motion, states and slots are the same.
 */
import type { Carriers } from '../dynamics/tree/carriers.js';
import type { ContactPatches } from '../narrow-phase/contact-patches.js';
import type { RegionForces } from './region-forces.js';

/** Columns of a row. World axes; what acts on B, minus which acts on A. */
export const COLUMN = {
  /** 3: N, all of it; 3: N m about the point, all of it */
  force: 0,
  torque: 3,
  /** 3: centroid of the overlap, m */
  point: 6,
  /** 3: unit vector from A to B */
  normal: 9,
  /** 3: velocity of B's material against A's, m/s */
  velocity: 12,
  /** N */
  normalForce: 15,
  /** m/s, positive while the bodies close in */
  approachSpeed: 16,
  /** About the normal: velocity of B against A, rad/s, and torque of friction, N m */
  spin: 17,
  torqueAboutNormal: 18,
  /** `REGIME` of friction */
  regime: 19,
  /** J; NaN where the law has none to tell */
  energy: 20,
  /** Slot, −1: none */
  slot: 21,
  /** Of the overlap: depth for the law, m, volume, m³, area of A's surface inside B, m² */
  depth: 22,
  volume: 23,
  area: 24,
  /** 3: centroid of that surface, m; 6: ∫ r rᵀ dA about it, xx yy zz xy xz yz, m⁴ */
  patchCentroid: 25,
  secondMoments: 28,
  width: 34,
} as const;

export class PairTable {
  /** Regions */
  count = 0;
  /** `COLUMN.width` per region */
  values = new Float64Array(0);
  /** J, of all regions and of slots whose region is gone */
  energy = 0;
  /** W: turned into heat, or taken from the bodies where the work is booked whole; of it by sliding and spinning friction */
  dissipated = 0;
  friction = 0;
  /** s, 12 poses and 6 twists per carrier, states: what it was evaluated for */
  private time = Number.NaN;
  private readonly motion = new Float64Array(36);
  private states = new Float64Array(0);

  /** It holds for a state. */
  holds(
    t: number,
    { position, rotation, twist }: Carriers,
    a: number,
    b: number,
    y: Float64Array,
    at: number,
  ): boolean {
    if (t !== this.time) return false;
    const { motion, states } = this;
    for (let side = 0; side < 2; side++) {
      const c = side === 0 ? a : b;
      const m = 18 * side;
      for (let k = 0; k < 6; k++) if (twist[6 * c + k] !== motion[m + k]) return false;
      for (let k = 0; k < 3; k++) if (position[3 * c + k] !== motion[m + 6 + k]) return false;
      for (let k = 0; k < 9; k++) if (rotation[9 * c + k] !== motion[m + 9 + k]) return false;
    }
    for (let k = 0; k < states.length; k++) if (y[at + k] !== states[k]) return false;
    return true;
  }

  /** Slots have changed: it holds no more. */
  forget(): void {
    this.time = Number.NaN;
  }

  /** Empty, for a state */
  begin(
    t: number,
    { position, rotation, twist }: Carriers,
    a: number,
    b: number,
    y: Float64Array,
    at: number,
    count: number,
  ): void {
    this.time = t;
    const { motion } = this;
    for (let side = 0; side < 2; side++) {
      const c = side === 0 ? a : b;
      const m = 18 * side;
      for (let k = 0; k < 6; k++) motion[m + k] = twist[6 * c + k];
      for (let k = 0; k < 3; k++) motion[m + 6 + k] = position[3 * c + k];
      for (let k = 0; k < 9; k++) motion[m + 9 + k] = rotation[9 * c + k];
    }
    if (this.states.length !== count) this.states = new Float64Array(count);
    for (let k = 0; k < count; k++) this.states[k] = y[at + k];
    this.count = 0;
    this.energy = this.dissipated = this.friction = 0;
  }

  /** Appends the region evaluated last, row p of the patches. */
  add(
    { force, torque, velocity, basis, measures, forces, energy, torqueAboutNormal }: RegionForces,
    patches: ContactPatches,
    p: number,
    slot: number,
  ): void {
    const at = this.count * COLUMN.width;
    if (at + COLUMN.width > this.values.length) {
      const more = new Float64Array(2 * at + COLUMN.width);
      more.set(this.values);
      this.values = more;
    }
    this.count++;
    const { values } = this;
    for (let k = 0; k < 3; k++) {
      values[at + COLUMN.force + k] = force[k];
      values[at + COLUMN.torque + k] = torque[k];
      values[at + COLUMN.point + k] = patches.centroid[3 * p + k];
      values[at + COLUMN.normal + k] = basis[k];
      values[at + COLUMN.velocity + k] = velocity[k];
      values[at + COLUMN.patchCentroid + k] = patches.patchCentroid[3 * p + k];
    }
    for (let k = 0; k < 6; k++) values[at + COLUMN.secondMoments + k] = patches.secondMoments[6 * p + k];
    values[at + COLUMN.normalForce] = forces.normal.force;
    values[at + COLUMN.approachSpeed] = measures.approachSpeed;
    values[at + COLUMN.spin] = measures.spin;
    values[at + COLUMN.torqueAboutNormal] = torqueAboutNormal;
    values[at + COLUMN.regime] = forces.regime;
    values[at + COLUMN.energy] = energy;
    values[at + COLUMN.slot] = slot;
    values[at + COLUMN.depth] = patches.depth[p];
    values[at + COLUMN.volume] = patches.volume[p];
    values[at + COLUMN.area] = patches.area[p];
  }
}
