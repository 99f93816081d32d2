/**
 * A bed of spheres: flat arrays, lists of neighbours, the step. Leapfrog: velocities lag half a step behind positions, forces are those of
 * positions now and velocities half a step ago. Sums of forces are exact (kernels/grain-forces.kernel.ts), so the answer depends on nothing but the input.
 *
 *   const bed = new GrainBed({ kinds, lawOf, walls, gravity: [0, 0, -9.81] });
 *   bed.add([{ position, radius, velocity, kind: 0, density }]);
 *   bed.start();
 *   for (…) bed.step(h);
 */
import { ModelError } from '../errors.js';
import { STRIDE, TOUCHED } from '../kernels/index.js';
import { PI } from '../math/elementary.js';
import { Hash } from '../math/hash.js';
import { numberRoom } from '../math/room.js';
import type { Vec3 } from '../math/vec3.js';
import type { NewGrain, StepFacts } from './bed.js';
import { GrainArrays } from './grain-arrays.js';
import { type GrainKind, type GrainPairLaw, isFull, writeLaw } from './grain-laws.js';
import { GrainLists, USUAL_SLACK } from './grain-lists.js';
import { expectedForce, meanRadius, powerAbove, reachOfAdhesion } from './grain-scales.js';
import { imageWithin, type Period } from './neighbourhood.js';
import { SerialTeam, type Team } from './team.js';
import { packWalls, type WallBody, type WallPose } from './wall-arrays.js';

export interface GrainBedOptions {
  /** Species of grains and materials of walls */
  readonly kinds: readonly GrainKind[];
  readonly lawOf: (a: number, b: number) => GrainPairLaw;
  readonly walls?: readonly WallBody[];
  /** m/s² */
  readonly gravity?: Vec3;
  readonly period?: Period;
  /** Slack of the lists, m; at most a tenth of the mean diameter and what costs least unless given. Changes no bit. */
  readonly skin?: number;
  /** Fastest impact that is expected, m/s, for the scale of the exact sums; told by grains and height if not given */
  readonly fastest?: number;
  readonly team?: Team;
  /** False: TypeScript instead of WebAssembly. Changes no bit. */
  readonly wasm?: boolean;
}

export class GrainBed {
  readonly arrays: GrainArrays;
  readonly kinds: readonly GrainKind[];
  readonly walls: readonly WallBody[];
  readonly team: Team;
  readonly facts: StepFacts = {
    pairs: 0,
    wallContacts: 0,
    strongest: 0,
    deepestPair: 0,
    deepestWall: 0,
    deepestWallGrain: -1,
  };
  /** Done so far against damping, sliding, and rolling with twisting, J (grain-book.ts) */
  readonly work = { damping: 0, sliding: 0, rolling: 0 };
  /** Potential energy that grains found by going round a period, J: where gravity points along it, what falls comes in again above */
  wentRound = 0;
  /** Grains there are */
  count = 0;
  /** Scale of the exact sums, N: a power of two, at least 16 times every force */
  forceScale = 0;
  /** Steps at which a force was beyond the scale, so that sums may have depended on their order */
  inexactSteps = 0;
  readonly lists: GrainLists;
  readonly options: GrainBedOptions;
  private capacity = 0;
  /** Numbers are given once, also after their grains have left */
  nextId = 0;
  /** m: of all grains that ever were, and a length no lever about the origin exceeds; they scale the sums */
  greatestRadius = 0;
  extent = 1;
  private started = false;

  constructor(options: GrainBedOptions) {
    this.options = options;
    this.kinds = options.kinds;
    this.walls = options.walls ?? [];
    this.team = options.team ?? new SerialTeam();
    const arrays = new GrainArrays(this.team, options.wasm !== false);
    this.arrays = arrays;
    const { kinds } = this;
    arrays.give('laws', STRIDE.law * kinds.length * kinds.length);
    let full = false;
    for (let a = 0; a < kinds.length; a++)
      for (let b = 0; b < kinds.length; b++) {
        if (kinds[a].wall && kinds[b].wall) continue;
        const law = options.lawOf(Math.min(a, b), Math.max(a, b));
        if (isFull(law)) full = true;
        writeLaw(arrays.floats('laws'), STRIDE.law * (a * kinds.length + b), kinds[a], kinds[b], law);
      }
    const counts = arrays.ints('counts');
    counts[1] = this.team.threads;
    counts[6] = kinds.length;
    counts[7] = full ? 8 : 4;
    counts[9] = this.walls.length;
    counts[11] = full ? 1 : 0;
    packWalls(arrays, this.walls);
    this.lists = new GrainLists(arrays, this.team, this.walls, () => this.refuseNoNumber());
    this.lists.skin = options.skin ?? 0;
    const numbers = arrays.floats('numbers');
    for (let k = 0; k < 3; k++) {
      numbers[3 + k] = options.gravity?.[k] ?? 0;
      numbers[9 + k] = options.period?.length[k] ?? 0;
      numbers[12 + k] = options.period?.low[k] ?? 0;
      if (numbers[9 + k] > 0) counts[8] = 1;
    }
    for (let k = 0; k < kinds.length * kinds.length; k++)
      if (arrays.floats('laws')[STRIDE.law * k + 11] > 0) counts[12] = 1;
    arrays.give('records', STRIDE.record);
    this.reserve(64);
  }

  /** Adds grains; numbers (ids) are given in order and never again. Between steps only. */
  add(grains: readonly NewGrain[]): void {
    this.reserve(this.count + grains.length);
    const { arrays, options } = this;
    const x = arrays.floats('grains');
    const v = arrays.floats('motion');
    const ids = arrays.ints('ids');
    const kinds = arrays.ints('kinds');
    for (const { position, radius, velocity, spin, kind, density, id = this.nextId } of grains) {
      const i = this.count++;
      const mass = (4 / 3) * PI * density * radius * radius * radius;
      for (let k = 0; k < 3; k++) {
        x[4 * i + k] = imageWithin(position[k], k, options.period);
        v[8 * i + k] = velocity?.[k] ?? 0;
        v[8 * i + 4 + k] = spin?.[k] ?? 0;
        this.extent = Math.max(this.extent, 4 * Math.abs(position[k]));
      }
      x[4 * i + 3] = radius;
      v[8 * i + 3] = 1 / mass;
      v[8 * i + 7] = 1 / (0.4 * mass * radius * radius);
      ids[i] = id;
      kinds[i] = kind;
      this.nextId = Math.max(this.nextId, id + 1);
      this.greatestRadius = Math.max(this.greatestRadius, radius);
      // Nobody's neighbour yet
      for (const slot of ['starts', 'ends', 'wallStarts', 'wallEnds'] as const) arrays.ints(slot)[i] = 0;
    }
    this.lists.stale = true;
  }

  /** Takes grains out by place in the arrays; between `move` and `evaluate`, or before the start. */
  remove(places: readonly number[]): void {
    const { arrays } = this;
    const gone = new Set(places);
    let to = 0;
    // Places shift, so lists must be told: neighbours are renumbered, those of the gone vanish.
    const at = new Int32Array(this.count).fill(-1);
    for (let i = 0; i < this.count; i++) if (!gone.has(i)) at[i] = to++;
    const neighbours = arrays.ints('neighbours');
    for (let i = 0; i < this.count; i++) {
      const [start, end] = [arrays.ints('starts')[i], arrays.ints('ends')[i]];
      for (let k = start; k < end; k++) {
        const j = neighbours[k] & (TOUCHED - 1);
        neighbours[k] = gone.has(i) || at[j] < 0 ? -1 : at[j] | (neighbours[k] & TOUCHED);
      }
    }
    for (let i = 0; i < this.count; i++) {
      if (at[i] < 0) continue;
      for (const [slot, stride] of PER_GRAIN) {
        const values = slot === 'grains' || slot === 'motion' ? arrays.floats(slot) : arrays.ints(slot);
        values.copyWithin(stride * at[i], stride * i, stride * (i + 1));
      }
    }
    this.count = to;
    this.lists.stale = true;
  }

  /** Sets where a wall is and how it moves. */
  placeWall(body: number, pose: WallPose): void {
    const walls = this.arrays.floats('walls');
    const at = STRIDE.wall * body;
    walls.set(pose.rotation, at);
    walls.set(pose.position, at + 9);
    walls.set(pose.velocity, at + 12);
    walls.set(pose.angularVelocity, at + 15);
  }

  /** What an impact on a wall feels, 1/kg */
  giveWay(body: number, perMass: number): void {
    this.arrays.floats('walls')[STRIDE.wall * body + 27] = perMass;
  }

  /** Forces at the start; velocities are taken as those of now. */
  start(): void {
    this.prepare();
    if (this.forceScale === 0)
      this.forceScale = powerAbove(
        16 *
          expectedForce(
            this.arrays,
            this.count,
            this.greatestRadius,
            this.kinds,
            this.options.gravity ?? [0, 0, 0],
            this.options.fastest,
          ),
      );
    this.makeLists();
    this.arrays.floats('numbers')[0] = 0;
    this.evaluateNow();
    this.firstKick = true;
  }

  /** After a restart (bed-snapshot.ts): lists are made, forces are to be given, for finding them again would advance what contacts remember. */
  resume(firstKick: boolean): void {
    this.prepare();
    this.makeLists();
    this.firstKick = firstKick;
  }

  private prepare(): void {
    const { arrays, lists, kinds } = this;
    if (this.options.skin === undefined) lists.follow = 2 * meanRadius(arrays, this.count);
    if (lists.skin === 0) lists.skin = USUAL_SLACK * lists.follow;
    lists.adhesionReach = reachOfAdhesion(arrays, kinds.length * kinds.length, this.greatestRadius);
    arrays.floats('numbers')[22] = lists.adhesionReach;
    this.started = true;
  }

  /** Makes the lists anew; not between forces and the kick that takes them. */
  makeLists(): void {
    this.lists.make(this.count);
  }

  /** The next kick is a half one: velocities are those of now. */
  firstKick = true;
  /** s; of the drift that velocities are half of behind */
  lastStep = 0;

  /** One step of h s. */
  step(h: number): void {
    this.move(h);
    this.evaluate(h);
  }

  /** First half of a step: kick and drift. Walls are to be placed after it. */
  move(h: number): void {
    const numbers = this.arrays.floats('numbers');
    // From half a step ago to half a step on; the two may differ
    numbers[1] = this.firstKick ? 0.5 * h : 0.5 * (this.lastStep + h);
    numbers[2] = h;
    this.firstKick = false;
    this.lastStep = h;
    this.team.run('move');
    if (this.options.period) {
      const results = this.arrays.floats('results');
      for (let t = 0; t < this.team.threads; t++) this.wentRound += results[STRIDE.result * t + 8];
    }
  }

  /** Second half: lists if something moved too far, then forces. */
  evaluate(h: number): void {
    const { arrays, team } = this;
    const results = arrays.floats('results');
    let way = 0;
    for (let t = 0; t < team.threads; t++) {
      const own = results[STRIDE.result * t];
      if (!(own <= way)) way = own;
      if (!(own < Number.POSITIVE_INFINITY)) break;
    }
    if (!(way < Number.POSITIVE_INFINITY)) this.refuseNoNumber();
    const { lists } = this;
    lists.age++;
    if (lists.stale || 4 * way > lists.skin * lists.skin || lists.wallsMoved) this.makeLists();
    arrays.floats('numbers')[0] = h;
    this.evaluateNow();
  }

  private evaluateNow(): void {
    const { arrays, team, facts } = this;
    const numbers = arrays.floats('numbers');
    const torqueScale = this.forceScale * powerAbove(this.greatestRadius);
    numbers[6] = 6 * this.forceScale; // 1.5 · 2⁵² q with q = 2⁻⁵⁰ S
    numbers[7] = 6 * torqueScale;
    numbers[8] = 6 * this.forceScale * powerAbove(this.extent);
    team.run('forces');
    const results = arrays.floats('results');
    facts.pairs = 0;
    facts.wallContacts = 0;
    facts.strongest = 0;
    facts.deepestPair = 0;
    facts.deepestWall = 0;
    let [damping, sliding, rolling] = [0, 0, 0];
    for (let t = 0; t < team.threads; t++) {
      const at = STRIDE.result * t;
      damping += results[at + 7];
      sliding += results[at + 14];
      rolling += results[at + 15];
      facts.pairs += results[at + 3];
      facts.wallContacts += results[at + 4];
      if (!(results[at + 1] <= facts.strongest)) facts.strongest = results[at + 1];
      facts.deepestPair = Math.max(facts.deepestPair, results[at + 6]);
      if (results[at + 2] > facts.deepestWall) {
        facts.deepestWall = results[at + 2];
        facts.deepestWallGrain = arrays.ints('ids')[results[at + 5]];
      }
    }
    this.work.damping += damping;
    this.work.sliding += sliding;
    this.work.rolling += rolling;
    // A maximum knows no order, so the scale is the same for all
    if (facts.strongest > this.forceScale) this.inexactSteps++;
    while (facts.strongest > this.forceScale / 16 && facts.strongest < Number.POSITIVE_INFINITY) this.forceScale *= 4;
  }

  /** Force and moment about the world's origin that grains exert on a wall, N and N m; exact sums of all contacts. */
  wrenchOn(body: number, out: Float64Array = new Float64Array(6)): Float64Array {
    const wrenches = this.arrays.floats('wrenches');
    const bodies = this.walls.length;
    out.fill(0);
    for (let t = 0; t < this.team.threads; t++)
      for (let k = 0; k < 6; k++) out[k] += wrenches[8 * (bodies * t + body) + k];
    return out;
  }

  /** Force and torque on a grain, by place */
  forceOn(i: number, out: Float64Array): Float64Array {
    const forces = this.arrays.floats('forces');
    out.fill(0);
    for (let t = 0; t < this.team.threads; t++)
      for (let k = 0; k < 6; k++) out[k] += forces[8 * (this.capacity * t + i) + k];
    return out;
  }

  /** Force and torque on each grain, 6 by place, in `out` or a longer array */
  forcesOn(out: Float64Array): Float64Array {
    const { count, capacity } = this;
    const all = numberRoom(out, 6 * count);
    all.fill(0, 0, 6 * count);
    const forces = this.arrays.floats('forces');
    for (let t = 0; t < this.team.threads; t++)
      for (let i = 0; i < count; i++) for (let k = 0; k < 6; k++) all[6 * i + k] += forces[8 * (capacity * t + i) + k];
    return all;
  }

  /** Force and torque on a grain, by place, as the last forces found them; all in the share of the thread that moves it */
  setForce(i: number, force: ArrayLike<number>): void {
    const ranges = this.arrays.ints('ranges');
    let thread = 0;
    while (!(i < ranges[STRIDE.range * thread + 1])) thread++;
    this.arrays.floats('forces').set(force, 8 * (this.capacity * thread + i));
  }

  /** Places of grains in the order of their numbers */
  inOrder(): Int32Array {
    const { count, nextId } = this;
    const ids = this.arrays.ints('ids');
    const places = new Int32Array(count);
    if (nextId > 8 * count) {
      for (let i = 0; i < count; i++) places[i] = i;
      return places.sort((a, b) => ids[a] - ids[b]);
    }
    // No number is given twice
    const placeOf = new Int32Array(nextId).fill(-1);
    for (let i = 0; i < count; i++) placeOf[ids[i]] = i;
    let at = 0;
    for (let id = 0; id < nextId; id++) if (placeOf[id] >= 0) places[at++] = placeOf[id];
    return places;
  }

  /** Fingerprint of positions, velocities and spins in the order of numbers. */
  get hash(): string {
    const hash = new Hash();
    const x = this.arrays.floats('grains');
    const v = this.arrays.floats('motion');
    for (const i of this.inOrder()) {
      for (let k = 0; k < 3; k++) hash.number(x[4 * i + k] + 0);
      for (let k = 0; k < 3; k++) hash.number(v[8 * i + k] + 0);
      for (let k = 4; k < 7; k++) hash.number(v[8 * i + k] + 0);
    }
    return hash.hex();
  }

  close(): void {
    this.team.close();
  }

  // ---- sizes ------------------------------------------------------------------------------------------------------------------

  private reserve(count: number): void {
    if (count <= this.capacity) return;
    const capacity = Math.max(count, this.started ? Math.ceil(1.5 * this.capacity) : count);
    const { arrays } = this;
    for (const [slot, stride] of ARRAYS) arrays.give(slot, stride * capacity);
    // Forces of threads are one block: they are 0 between kick and evaluation, and before the start
    arrays.give('forces', 8 * capacity * this.team.threads);
    for (const slot of ['neighbours', 'owners', 'history', 'oldNeighbours', 'oldHistory'] as const)
      arrays.give(slot, 8);
    for (const slot of ['groupInts', 'groupOwners', 'groups', 'oldGroupInts', 'oldGroups', 'candidates'] as const)
      arrays.give(slot, 64);
    this.capacity = capacity;
    arrays.ints('counts')[5] = capacity;
  }

  private refuseNoNumber(): never {
    const x = this.arrays.floats('grains');
    for (let i = 0; i < this.count; i++)
      if (!Number.isFinite(x[4 * i] + x[4 * i + 1] + x[4 * i + 2]))
        throw new ModelError(
          'grains',
          `grain ${this.arrays.ints('ids')[i]} is at (${x[4 * i]}, ${x[4 * i + 1]}, ${x[4 * i + 2]}) m: the step is too long for its contacts; give a smaller one`,
        );
    throw new ModelError('grains', 'a grain went out of all bounds in one step; give a smaller step');
  }
}

const PER_GRAIN = [
  ['grains', 4],
  ['motion', 8],
  ['ids', 1],
  ['kinds', 1],
  ['starts', 1],
  ['ends', 1],
  ['wallStarts', 1],
  ['wallEnds', 1],
] as const;
const ARRAYS = [
  ...PER_GRAIN,
  ['newGrains', 4],
  ['newMotion', 8],
  ['newIds', 1],
  ['newKinds', 1],
  ['reference', 4],
  ['cell', 1],
  ['order', 1],
  ['weights', 1],
  ['oldStarts', 1],
  ['oldEnds', 1],
  ['oldWallStarts', 1],
  ['oldWallEnds', 1],
] as const;
