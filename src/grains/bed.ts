/**
 * Grains at work, as a run sees them: balls in arrays of their own (grain-bed.ts), or rigid bodies of any shape, balls among them (polyhedra/rigid-bed.ts). Grains are told apart by
 * their place, which may change from step to step, and by their number, which never does.
 */
import type { Quaternion } from '../math/quaternion.js';
import type { Vec3 } from '../math/vec3.js';
import type { TouchedWalls } from './grain-coupling.js';
import type { Team } from './team.js';
import type { WallPose } from './wall-arrays.js';

export interface NewGrain {
  readonly position: Vec3; // m, of the centre of mass
  /** m; of the ball about it */
  readonly radius: number;
  readonly velocity?: Vec3; // m/s
  readonly spin?: Vec3; // rad/s
  /** Species */
  readonly kind: number;
  /** kg/m³ */
  readonly density: number;
  readonly id?: number;
  /** Among the forms of its species; balls have none */
  readonly form?: number;
  readonly orientation?: Quaternion;
  /** Of an inlet, and how many came before it there */
  readonly from?: { readonly inlet: number; readonly turn: number };
}

/** What the last step found */
export interface StepFacts {
  pairs: number;
  wallContacts: number;
  /** N */
  strongest: number;
  /** Overlap by the smaller radius; of polyhedra by the smaller width */
  deepestPair: number;
  deepestWall: number;
  /** Number (id) of the grain deepest in a wall, −1 if none */
  deepestWallGrain: number;
}

/** Contacts of the last step, 20 numbers each, of which the first 13 are: place, other place or −1 − wall, normal to the other, overlap, normal force, force on it, point (kernels/grain-forces.kernel.ts, `note`). */
export interface ContactRecords {
  readonly numbers: Float64Array;
  /** First rows of each thread, and how many */
  readonly ranges: readonly (readonly [first: number, count: number])[];
  readonly count: number;
}

export interface GrainEnergies {
  /** J, of all grains */
  kinetic: number;
  rotational: number;
  potential: number;
  /** In overlaps, and in the bristles of sliding, rolling and twisting */
  elastic: number;
  bristles: number;
}

export interface Census {
  /** Critical step 2/Ω, s; Infinity where nothing touches */
  readonly step: number;
  /** Grain (id) that decides, and its stiffest contact: a grain, or the name of a wall */
  readonly grain: number;
  readonly partner: number | string;
  /** N/m */
  readonly stiffness: number;
}

export interface Bed extends TouchedWalls {
  readonly walls: readonly { readonly name: string; readonly farthest: number; readonly pose: WallPose }[];
  readonly team: Team;
  readonly kernelKind: 'wasm' | 'typescript';
  /** Grains there are */
  readonly count: number;
  readonly facts: StepFacts;
  /** Done so far against damping, sliding, and rolling with twisting, J (grain-book.ts) */
  readonly work: { readonly damping: number; readonly sliding: number; readonly rolling: number };
  /** Of the deepest contact of the last step: a grain, and the other or the name of a wall; not told of balls */
  readonly deepestNow: readonly [number, number | string] | undefined;
  /** Steps at which a force was beyond the scale, so that sums may have depended on their order */
  readonly inexactSteps: number;
  readonly listsMade: number;
  /** Contacts summed over steps, and times that two began to touch; not counted of balls */
  readonly counted: { readonly contactsSoFar: number; readonly touches: number } | undefined;
  /** Contacts that snap in and out: their energy is not booked. */
  readonly adhesive: boolean;
  /** The next kick is a half one: velocities are those of now. */
  readonly firstKick: boolean;
  readonly gravity: Vec3;
  readonly period: { readonly low: Vec3; readonly length: Vec3 } | undefined;
  /** Fingerprint of all that moves, in the order of numbers */
  readonly hash: string;

  /** By place: x y z r */
  readonly grains: Float64Array;
  /** By place: v, 1/m, ω, 1/I */
  readonly motion: Float64Array;
  readonly ids: Int32Array;
  readonly kindsOf: Int32Array;
  /** Places in the order of numbers */
  inOrder(): Int32Array;
  /** Force and torque on a grain, by place */
  forceOn(place: number, out: Float64Array): Float64Array;
  /** Of all grains, 6 by place, in `out` or a longer array */
  forcesOn(out: Float64Array): Float64Array;
  /** Origin of a wall's frame, its velocity and the angular velocity, 9 numbers */
  motionOfWall(wall: number, out: Float64Array): Float64Array;
  /** Kinetic and potential energy of a grain that touches nothing, by place, J. @param lag that its velocity is behind, s */
  energyOf(place: number, lag: number): number;
  /** Points spread evenly in a grain, by place, each with its share of the volume, m³ */
  eachPoint(place: number, see: (x: number, y: number, z: number, share: number) => void): void;

  /** Between steps only. */
  add(grains: readonly NewGrain[]): void;
  /** By place; between `move` and `evaluate`, or before the start. */
  remove(places: readonly number[]): void;
  /** Forces at the start; velocities are taken as those of now. */
  start(): void;
  /** First half of a step: kick and drift. Walls are to be placed after it. */
  move(h: number): void;
  /** Second half: lists if something moved too far, then forces. */
  evaluate(h: number): void;

  /** Contacts of the last step; valid until the next call */
  contacts(): ContactRecords;
  /** From the first grain's centre to the other's, or to the point of the wall, m; of the contact whose numbers begin `at` */
  branchOf(numbers: Float64Array, at: number, out: Float64Array): Float64Array;
  /** At now. @param h the last step, s */
  energies(h: number, records: ContactRecords): GrainEnergies;
  census(records: ContactRecords): Census;
  snapshot(): Record<string, Float64Array>;
  /** Puts a bed that has no grains yet where the snapshot was taken. */
  restore(arrays: Readonly<Record<string, Float64Array>>): void;
  close(): void;
}
