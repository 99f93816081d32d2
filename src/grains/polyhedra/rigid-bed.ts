/**
 * Rigid grains of any shape as a run sees them: species of balls, clumps, rocks, blocks, polyhedra; they come and leave. Bodies of the engine (rigid-grains.ts) are the walls, then all
 * grains of the packings, then those that inlets will let in, absent until then: which these are is known beforehand, for the form of each is drawn from a seed of its own.
 */
import { ModelError } from '../../errors.js';
import { Hash } from '../../math/hash.js';
import { rotate } from '../../math/quaternion.js';
import { numberRoom } from '../../math/room.js';
import type { Vec3 } from '../../math/vec3.js';
import type { Bed, Census, ContactRecords, GrainEnergies, NewGrain, StepFacts } from '../bed.js';
import type { GrainPairLaw } from '../grain-laws.js';
import { type Period, wayBetween } from '../neighbourhood.js';
import type { GrainForms } from '../shapes/grain-forms.js';
import type { GrainShape } from '../shapes/grain-shape.js';
import { SerialTeam, type Team } from '../team.js';
import type { WallPose } from '../wall-arrays.js';
import { census } from './census.js';
import { energiesOf } from './energies.js';
import { type LayeredKind, rigidContact } from './foundation.js';
import type { GrainBody } from './grain-arrays.js';
import { bodiesFor } from './grain-body.js';
import { pointsIn } from './inner-points.js';
import { RigidGrains } from './rigid-grains.js';
import type { RigidGrainsSnapshot } from './snapshot.js';
import { poseQuaternion } from './tool.js';

/** A wall as rigid grains touch it: convex pieces, balls and half-spaces */
export interface RigidWall {
  readonly name: string;
  readonly kind: number;
  readonly shape: GrainShape;
  readonly farthest: number;
  readonly pose: WallPose;
}

export interface RigidBedOptions {
  /** Species, then walls */
  readonly kinds: readonly LayeredKind[];
  readonly lawOf: (a: number, b: number) => GrainPairLaw;
  /** Of each species */
  readonly forms: readonly GrainForms[];
  readonly walls: readonly RigidWall[];
  readonly gravity: Vec3;
  /** s, that is meant; others may be taken */
  readonly step: number;
  readonly period?: Period | undefined;
  readonly skin?: number | undefined;
  readonly team?: Team | undefined;
  /** Grains that inlets will let in at most, in the order in which they are due */
  readonly coming?: readonly NewGrain[];
  /** Places where they come in, m */
  readonly around?: readonly Vec3[];
}

/** Numbers of a grain in a snapshot: id (−1 not yet there, −2 gone), species, form, radius, density, inlet (−1 none), turn */
const SLOT = 7;
const RECORD = 20;
const NOT_YET = -1;
const GONE = -2;

export class RigidBed implements Bed {
  readonly walls: readonly RigidWall[];
  readonly team: Team;
  readonly gravity: Vec3;
  readonly period: Period | undefined;
  readonly adhesive = false;
  readonly facts: StepFacts = {
    pairs: 0,
    wallContacts: 0,
    strongest: 0,
    deepestPair: 0,
    deepestWall: 0,
    deepestWallGrain: -1,
  };
  inexactSteps = 0;
  /** The engine; from `start` on */
  #engine: RigidGrains | undefined;
  /** Grains that are, were and will be, and their numbers */
  readonly #slots: NewGrain[] = [];
  #numbers: number[] = [];
  /** Slots that are there, in their order: their places are the places of grains */
  #present: Int32Array = new Int32Array(0);
  #nextId = 0;
  readonly #bodyFor: (grain: NewGrain) => GrainBody;
  readonly #work = { damping: 0, sliding: 0, rolling: 0 };
  #grains = new Float64Array(0);
  #motion = new Float64Array(0);
  #ids = new Int32Array(0);
  #kinds = new Int32Array(0);
  #records = new Float64Array(0);
  readonly #perMass: Float64Array;

  constructor(readonly options: RigidBedOptions) {
    this.walls = options.walls;
    this.team = options.team ?? new SerialTeam();
    this.gravity = options.gravity;
    this.period = options.period;
    this.#perMass = new Float64Array(options.walls.length);
    this.#bodyFor = bodiesFor(options.forms);
  }

  get engine(): RigidGrains {
    return this.#engine!;
  }
  get kernelKind(): 'wasm' | 'typescript' {
    return this.engine.kernelKind;
  }
  get count(): number {
    return this.#engine ? this.#present.length : this.#slots.length;
  }
  get listsMade(): number {
    return this.engine.counts.rebuilds;
  }
  get counted(): NonNullable<Bed['counted']> {
    const { contacts, touches } = this.engine.counts;
    return { contactsSoFar: contacts, touches };
  }
  get deepestNow(): readonly [number, number | string] | undefined {
    const { share, bodies } = this.engine.stepDeepest;
    if (!(share > 0)) return undefined;
    const n = this.walls.length;
    const [low, high] = [Math.min(...bodies), Math.max(...bodies)];
    return [this.#numbers[high - n], low < n ? this.walls[low].name : this.#numbers[low - n]];
  }
  get firstKick(): boolean {
    return this.engine.counts.steps === 0;
  }
  get work(): Bed['work'] {
    const { damping, sliding } = this.engine.work;
    this.#work.damping = damping;
    this.#work.sliding = sliding;
    return this.#work;
  }

  // ---- coming and going ---------------------------------------------------------------------------------------------------------

  add(grains: readonly NewGrain[]): void {
    for (const grain of grains) {
      if (!this.#engine) {
        this.#slots.push(grain);
        this.#numbers.push(this.#nextId++);
        continue;
      }
      const { inlet, turn } = grain.from!;
      const slot = this.#slots.findIndex(
        ({ from }, k) => this.#numbers[k] === NOT_YET && from?.inlet === inlet && from.turn === turn,
      );
      if (slot < 0)
        throw new ModelError('grains.inlets', `no room was kept for grain ${turn + 1} of an inlet; give its count`);
      this.#slots[slot] = grain;
      this.#numbers[slot] = this.#nextId++;
      this.engine.come(this.#bodyOf(slot), this.#bodyFor(grain));
    }
    if (this.#engine) this.#regroup();
  }

  remove(places: readonly number[]): void {
    for (const place of places) {
      const slot = this.#present[place];
      this.#numbers[slot] = GONE;
      this.engine.leave(this.#bodyOf(slot));
    }
    this.#regroup();
  }

  start(): void {
    this.#slots.push(...(this.options.coming ?? []));
    while (this.#numbers.length < this.#slots.length) this.#numbers.push(NOT_YET);
    this.#engine = this.#made();
    this.#regroup();
    this.engine.refusing = false;
    this.engine.begin();
    this.engine.refusing = true;
    this.#look();
  }

  #made(levers?: readonly [number, number]): RigidGrains {
    const { kinds, lawOf, walls, gravity, period, step, skin, team, around } = this.options;
    const bodies: GrainBody[] = walls.map(({ shape, kind, pose }) => ({
      shape,
      species: kind,
      density: Number.POSITIVE_INFINITY,
      position: [pose.position[0], pose.position[1], pose.position[2]],
      orientation: poseQuaternion(pose),
      velocity: [pose.velocity[0], pose.velocity[1], pose.velocity[2]],
      angularVelocity: [pose.angularVelocity[0], pose.angularVelocity[1], pose.angularVelocity[2]],
    }));
    this.#slots.forEach((grain, k) => {
      bodies.push({ ...this.#bodyFor(grain), ...(this.#numbers[k] < 0 && { absent: true }) });
    });
    const engine = new RigidGrains({
      bodies,
      contact: (i, j) => {
        const [a, b] = [Math.min(i, j), Math.max(i, j)];
        if (kinds[a].wall) return { modulus: 1, restitution: 1, friction: 0 }; // two walls: never asked
        return rigidContact(kinds[a], kinds[b], lawOf(a, b));
      },
      gravity,
      step,
      ...(period && { period }),
      ...(skin !== undefined && { skin }),
      ...(team && { team }),
      ...(around && { around }),
      ...(levers && { levers }),
      nameOf: (body) => this.#nameOf(body),
    });
    engine.recording = true;
    return engine;
  }

  #bodyOf(slot: number): number {
    return this.walls.length + slot;
  }

  #nameOf(body: number): string {
    return body < this.walls.length ? `"${this.walls[body].name}"` : `grain ${this.#numbers[body - this.walls.length]}`;
  }

  #regroup(): void {
    this.#present = Int32Array.from(this.#numbers.flatMap((id, slot) => (id >= 0 ? [slot] : [])));
    const n = this.#present.length;
    this.#grains = new Float64Array(4 * n);
    this.#motion = new Float64Array(8 * n);
    this.#ids = Int32Array.from(this.#present, (slot) => this.#numbers[slot]);
    this.#kinds = Int32Array.from(this.#present, (slot) => this.#slots[slot].kind);
  }

  // ---- steps --------------------------------------------------------------------------------------------------------------------

  move(h: number): void {
    this.engine.drift(h);
  }

  evaluate(h: number): void {
    this.engine.meet(h);
    this.#look();
  }

  #look(): void {
    const { engine, facts } = this;
    facts.strongest = engine.stepForce;
    if (!engine.stepExact) this.inexactSteps++;
    facts.pairs = engine.touching - engine.touchingWalls;
    facts.wallContacts = engine.touchingWalls;
    facts.deepestPair = 0;
    facts.deepestWall = 0;
    const { share, bodies } = engine.stepDeepest;
    if (share > 0) {
      const wall = Math.min(...bodies) < this.walls.length;
      if (wall) {
        facts.deepestWall = share;
        facts.deepestWallGrain = this.#numbers[Math.max(...bodies) - this.walls.length];
      } else facts.deepestPair = share;
    }
  }

  /** Force and torque on a grain from outside, N and N m, by place; after `evaluate`, for the next kick */
  addForce(place: number, load: Float64Array): void {
    this.engine.load(this.#bodyOf(this.#present[place]), load);
  }

  placeWall(wall: number, pose: WallPose): void {
    this.engine.place(wall, pose, this.#perMass[wall]);
  }

  giveWay(wall: number, perMass: number, mobility: Float64Array): void {
    this.#perMass[wall] = perMass;
    this.engine.arrays.mobilities.view.set(mobility, 36 * wall);
  }

  wrenchOn(wall: number, out: Float64Array = new Float64Array(6)): Float64Array {
    this.engine.wrench(wall, out);
    // About the world's origin
    const x = this.engine.arrays.positions.view;
    for (let k = 0; k < 3; k++) {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      out[3 + k] += x[4 * wall + m] * out[n] - x[4 * wall + n] * out[m];
    }
    return out;
  }

  // ---- what is told -------------------------------------------------------------------------------------------------------------

  get grains(): Float64Array {
    const x = this.engine.arrays.positions.view;
    this.#present.forEach((slot, i) => {
      const b = this.#bodyOf(slot);
      for (let k = 0; k < 3; k++) this.#grains[4 * i + k] = x[4 * b + k];
      this.#grains[4 * i + 3] = this.#slots[slot].radius;
    });
    return this.#grains;
  }

  /** The moment of inertia told is the mean of the three. */
  get motion(): Float64Array {
    const { velocities, inverseMoments } = this.engine.arrays;
    this.#present.forEach((slot, i) => {
      const b = this.#bodyOf(slot);
      this.#motion.set(velocities.view.subarray(8 * b, 8 * b + 7), 8 * i);
      const [p, q, r] = inverseMoments.view.subarray(4 * b, 4 * b + 3);
      this.#motion[8 * i + 7] = 3 / (1 / p + 1 / q + 1 / r);
    });
    return this.#motion;
  }

  get ids(): Int32Array {
    return this.#ids;
  }

  get kindsOf(): Int32Array {
    return this.#kinds;
  }

  /** By place: form, and the orientation of its principal axes, w x y z */
  formOf(place: number): number {
    return this.#slots[this.#present[place]].form ?? 0;
  }

  orientationOf(place: number): Float64Array {
    const b = this.#bodyOf(this.#present[place]);
    return this.engine.arrays.orientations.view.subarray(4 * b, 4 * b + 4);
  }

  inOrder(): Int32Array {
    const ids = this.#ids;
    return Int32Array.from(ids, (_, i) => i).sort((a, b) => ids[a] - ids[b]);
  }

  forceOn(place: number, out: Float64Array): Float64Array {
    this.engine.wrench(this.#bodyOf(this.#present[place]), out);
    return out;
  }

  forcesOn(out: Float64Array): Float64Array {
    const all = numberRoom(out, 6 * this.count);
    const one = new Float64Array(6);
    for (let i = 0; i < this.count; i++) all.set(this.forceOn(i, one), 6 * i);
    return all;
  }

  motionOfWall(wall: number, out: Float64Array): Float64Array {
    const { positions, velocities } = this.engine.arrays;
    out.set(positions.view.subarray(4 * wall, 4 * wall + 3));
    out.set(velocities.view.subarray(8 * wall, 8 * wall + 3), 3);
    out.set(velocities.view.subarray(8 * wall + 4, 8 * wall + 7), 6);
    return out;
  }

  energyOf(place: number, lag: number): number {
    const b = this.#bodyOf(this.#present[place]);
    const { positions, velocities, momenta } = this.engine.arrays;
    const perMass = velocities.view[8 * b + 3];
    let energy = 0;
    for (let k = 0; k < 3; k++) {
      const v = velocities.view[8 * b + k] + lag * this.gravity[k];
      energy += (0.5 * v * v - this.gravity[k] * positions.view[4 * b + k]) / perMass;
      energy += 0.5 * momenta.view[4 * b + k] * velocities.view[8 * b + 4 + k];
    }
    return energy;
  }

  eachPoint(place: number, see: (x: number, y: number, z: number, share: number) => void): void {
    const slot = this.#present[place];
    const { kind, form = 0, radius } = this.#slots[slot];
    const shape = this.options.forms[kind].shapes[form];
    const points = pointsIn(shape);
    const b = this.#bodyOf(slot);
    const { positions, orientations } = this.engine.arrays;
    const [x, y, z] = positions.view.subarray(4 * b, 4 * b + 3);
    const [w, i, j, k] = orientations.view.subarray(4 * b, 4 * b + 4);
    const share = (shape.volume * radius * radius * radius) / points.length;
    for (const point of points) {
      const [px, py, pz] = rotate([w, i, j, k], point);
      see(x + radius * px, y + radius * py, z + radius * pz, share);
    }
  }

  get hash(): string {
    const { positions, orientations, velocities, momenta } = this.engine.arrays;
    const hash = new Hash();
    for (const i of this.inOrder()) {
      const b = this.#bodyOf(this.#present[i]);
      hash.numbers(positions.view.subarray(4 * b, 4 * b + 3));
      hash.numbers(orientations.view.subarray(4 * b, 4 * b + 4));
      hash.numbers(velocities.view.subarray(8 * b, 8 * b + 3));
      hash.numbers(momenta.view.subarray(4 * b, 4 * b + 3));
    }
    return hash.hex();
  }

  contacts(): ContactRecords {
    const { engine } = this;
    const { records, pairCount } = engine.arrays;
    const r = records.view;
    const placeOf = new Int32Array(this.#slots.length);
    this.#present.forEach((slot, i) => {
      placeOf[slot] = i;
    });
    const walls = this.walls.length;
    if (this.#records.length < RECORD * engine.touching) this.#records = new Float64Array(2 * RECORD * engine.touching);
    const out = this.#records;
    const x = engine.arrays.positions.view;
    let count = 0;
    for (let pair = 0; pair < pairCount; pair++) {
      const from = 16 * pair;
      if (!(r[from] > 0)) continue;
      let [a, b] = engine.bodiesOf(pair);
      let sign = 1;
      if (a < walls) {
        [a, b] = [b, a];
        sign = -1;
      }
      const at = RECORD * count++;
      out[at] = placeOf[a - walls];
      out[at + 1] = b < walls ? -1 - b : placeOf[b - walls];
      out[at + 5] = r[from + 14];
      out[at + 6] = r[from + 2];
      for (let k = 0; k < 3; k++) {
        const n = sign * r[from + 9 + k];
        out[at + 2 + k] = n;
        out[at + 7 + k] = -(r[from + 2] * n + sign * r[from + 3 + k]);
        out[at + 10 + k] = r[from + 6 + k];
        out[at + 17 + k] = wayBetween(b < walls ? r[from + 6 + k] : x[4 * b + k], x[4 * a + k], k, this.period);
      }
      out[at + 13] = pair;
    }
    return { numbers: out, ranges: [[0, count]], count };
  }

  branchOf(numbers: Float64Array, at: number, out: Float64Array): Float64Array {
    for (let k = 0; k < 3; k++) out[k] = numbers[at + 17 + k];
    return out;
  }

  energies(h: number): GrainEnergies {
    return energiesOf(this.engine, this.gravity, h);
  }

  census(): Census {
    const { engine } = this;
    const found = census(engine.arrays);
    engine.criticalStep = Math.min(engine.criticalStep, found.criticalStep);
    if (found.body < 0) return { step: found.criticalStep, grain: -1, partner: -1, stiffness: 0 };
    const [a, b] = engine.bodiesOf(found.pair);
    const other = a === found.body ? b : a;
    return {
      step: found.criticalStep,
      grain: this.#numbers[found.body - this.walls.length],
      partner: other < this.walls.length ? this.walls[other].name : this.#numbers[other - this.walls.length],
      stiffness: engine.arrays.records.view[16 * found.pair + 12],
    };
  }

  // ---- going on -----------------------------------------------------------------------------------------------------------------

  snapshot(): Record<string, Float64Array> {
    const { facts } = this;
    const slots = new Float64Array(SLOT * this.#slots.length);
    this.#slots.forEach(({ kind, form = 0, radius, density, from }, k) => {
      slots.set([this.#numbers[k], kind, form, radius, density, from?.inlet ?? -1, from?.turn ?? 0], SLOT * k);
    });
    const { bodies, pairs, scales } = this.engine.snapshot();
    return {
      bodies,
      pairs,
      scales,
      slots,
      perMass: this.#perMass.slice(),
      bed: Float64Array.of(
        ...[this.#nextId, this.inexactSteps, facts.pairs, facts.wallContacts, facts.strongest],
        ...[facts.deepestPair, facts.deepestWall, facts.deepestWallGrain, ...this.engine.levers],
      ),
    };
  }

  restore(arrays: Readonly<Record<string, Float64Array>>): void {
    const { slots, bed } = arrays;
    for (let at = 0; at < slots.length; at += SLOT) {
      const [id, kind, form, radius, density, inlet, turn] = slots.subarray(at, at + SLOT);
      this.#numbers.push(id);
      const from = inlet >= 0 ? { from: { inlet, turn } } : {};
      this.#slots.push({ position: [0, 0, 0], kind, form, radius, density, ...from });
    }
    // A run that goes on for longer may let in more
    const before = this.#slots.filter(({ from }) => from).length;
    for (const grain of (this.options.coming ?? []).slice(before)) {
      this.#slots.push(grain);
      this.#numbers.push(NOT_YET);
    }
    this.#engine = this.#made([bed[8], bed[9]]);
    this.#regroup();
    this.#perMass.set(arrays.perMass);
    const { facts } = this;
    [this.#nextId, this.inexactSteps, facts.pairs, facts.wallContacts, facts.strongest] = bed;
    [facts.deepestPair, facts.deepestWall, facts.deepestWallGrain] = bed.subarray(5);
    this.engine.resume(arrays as unknown as RigidGrainsSnapshot, '');
  }

  close(): void {
    this.team.close();
  }
}
