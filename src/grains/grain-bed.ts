/**
 * A bed of spheres: flat arrays, lists of neighbours, the step. Leapfrog: velocities lag half a step behind positions, forces are those of
 * positions now and velocities half a step ago. Sums of forces are exact (kernels/grain-forces.kernel.ts), so the answer depends on nothing but the input.
 *
 *   const bed = new GrainBed({ kinds, lawOf, walls, gravity: [0, 0, -9.81] });
 *   bed.add([{ position, radius, velocity, kind: 0, density }]);
 *   bed.start();
 *   for (…) bed.step(h);
 */
import { reducedModulus } from '../contact-laws/combination.js';
import { ModelError } from '../errors.js';
import { STRIDE, TOUCHED } from '../kernels/index.js';
import { PI, pow } from '../math/elementary.js';
import { Hash } from '../math/hash.js';
import type { Vec3 } from '../math/vec3.js';
import { GrainArrays } from './grain-arrays.js';
import { type GrainKind, type GrainPairLaw, isFull, writeLaw } from './grain-laws.js';
import { SerialTeam, type Team } from './team.js';
import { packWalls, type WallBody, type WallPose } from './wall-arrays.js';

export interface GrainBedOptions {
  /** Species of grains and materials of walls */
  readonly kinds: readonly GrainKind[];
  readonly lawOf: (a: number, b: number) => GrainPairLaw;
  readonly walls?: readonly WallBody[];
  /** m/s² */
  readonly gravity?: Vec3;
  /** Low corner and lengths of a periodic box, m; length 0 along an axis: not periodic */
  readonly period?: { readonly low: Vec3; readonly length: Vec3 };
  /** Slack of the lists, m; a tenth of the mean diameter unless given. Changes no bit. */
  readonly skin?: number;
  /** Fastest impact that is expected, m/s, for the scale of the exact sums; told by grains and height if not given */
  readonly fastest?: number;
  readonly team?: Team;
  /** False: TypeScript instead of WebAssembly. Changes no bit. */
  readonly wasm?: boolean;
}

export interface NewGrain {
  readonly position: Vec3; // m
  readonly radius: number; // m
  readonly velocity?: Vec3; // m/s
  readonly spin?: Vec3; // rad/s
  /** Species */
  readonly kind: number;
  /** kg/m³ */
  readonly density: number;
  readonly id?: number;
}

/** What the last step found */
export interface StepFacts {
  pairs: number;
  wallContacts: number;
  /** N */
  strongest: number;
  /** Overlap by the smaller radius */
  deepestPair: number;
  deepestWall: number;
  /** Number (id) of the grain deepest in a wall, −1 if none */
  deepestWallGrain: number;
}

const MOST_CELLS_PER_GRAIN = 8;

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
  /** Grains there are */
  count = 0;
  /** Scale of the exact sums, N: a power of two, at least 16 times every force */
  forceScale = 0;
  /** Steps at which a force was beyond the scale, so that sums may have depended on their order */
  inexactSteps = 0;
  /** How often lists were made */
  listBuilds = 0;
  readonly options: GrainBedOptions;
  private capacity = 0;
  private nextId = 0;
  private greatestRadius = 0;
  private extent = 1;
  private skin: number;
  private adhesionReach = 0;
  private stale = true;
  private started = false;
  /** Where walls were when lists were made */
  private readonly listedPoses: Float64Array;

  constructor(options: GrainBedOptions) {
    this.options = options;
    this.kinds = options.kinds;
    this.walls = options.walls ?? [];
    this.team = options.team ?? new SerialTeam();
    this.skin = options.skin ?? 0;
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
    this.listedPoses = arrays.floats('walls').slice();
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
    const { arrays } = this;
    const x = arrays.floats('grains');
    const v = arrays.floats('motion');
    const ids = arrays.ints('ids');
    const kinds = arrays.ints('kinds');
    for (const { position, radius, velocity, spin, kind, density, id = this.nextId } of grains) {
      const i = this.count++;
      const mass = (4 / 3) * PI * density * radius * radius * radius;
      for (let k = 0; k < 3; k++) {
        x[4 * i + k] = position[k];
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
    this.stale = true;
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
    this.stale = true;
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

  /** Forces at the start; velocities are taken as those of now. */
  start(): void {
    if (this.skin === 0) this.skin = 0.2 * this.meanRadius();
    this.arrays.floats('numbers')[22] = this.adhesionReach = this.reachOfAdhesion();
    if (this.forceScale === 0) this.forceScale = powerAbove(16 * this.expectedForce());
    this.started = true;
    this.makeLists();
    this.arrays.floats('numbers')[0] = 0;
    this.evaluateNow();
    this.firstKick = true;
  }

  /** After a restart: forces are those of the checkpoint, not evaluated again, for history would advance twice. */
  resume(firstKick: boolean): void {
    if (this.skin === 0) this.skin = 0.2 * this.meanRadius();
    this.arrays.floats('numbers')[22] = this.adhesionReach = this.reachOfAdhesion();
    this.started = true;
    this.firstKick = firstKick;
  }

  /** The next kick is a half one: velocities are those of now. */
  firstKick = true;

  /** One step of h s. */
  step(h: number): void {
    this.move(h);
    this.evaluate(h);
  }

  /** First half of a step: kick and drift. Walls are to be placed after it. */
  move(h: number): void {
    const numbers = this.arrays.floats('numbers');
    numbers[1] = this.firstKick ? 0.5 * h : h;
    numbers[2] = h;
    this.firstKick = false;
    this.team.run('move');
  }

  /** Second half: lists if something moved too far, then forces. */
  evaluate(h: number): void {
    const { arrays, team } = this;
    const results = arrays.floats('results');
    let way = 0;
    for (let t = 0; t < team.threads; t++) {
      const own = results[STRIDE.result * t];
      if (!(own <= way)) way = own;
    }
    if (!(way < Number.POSITIVE_INFINITY)) this.refuseNoNumber();
    if (this.stale || 4 * way > this.skin * this.skin || this.wallsMoved()) this.makeLists();
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
    for (let t = 0; t < team.threads; t++) {
      const at = STRIDE.result * t;
      facts.pairs += results[at + 3];
      facts.wallContacts += results[at + 4];
      if (!(results[at + 1] <= facts.strongest)) facts.strongest = results[at + 1];
      facts.deepestPair = Math.max(facts.deepestPair, results[at + 6]);
      if (results[at + 2] > facts.deepestWall) {
        facts.deepestWall = results[at + 2];
        facts.deepestWallGrain = arrays.ints('ids')[results[at + 5]];
      }
    }
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

  /** Places of grains in the order of their numbers */
  inOrder(): Int32Array {
    const ids = this.arrays.ints('ids');
    const places = new Int32Array(this.count);
    for (let i = 0; i < this.count; i++) places[i] = i;
    return places.sort((a, b) => ids[a] - ids[b]);
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

  // ---- lists ------------------------------------------------------------------------------------------------------------------

  /** Makes the lists anew; not between forces and the kick that takes them. */
  makeLists(): void {
    const { arrays, team, count } = this;
    const { threads } = team;
    this.listBuilds++;
    this.stale = false;
    this.listedPoses.set(arrays.floats('walls').subarray(0, this.listedPoses.length));
    const counts = arrays.ints('counts');
    counts[0] = count;
    arrays.floats('numbers')[15] = this.skin + this.adhesionReach;
    const ranges = arrays.ints('ranges');
    for (let t = 0; t < threads; t++) {
      ranges[STRIDE.range * t + 2] = Math.floor((count * t) / threads);
      ranges[STRIDE.range * t + 3] = Math.floor((count * (t + 1)) / threads);
    }
    this.layCells();
    arrays.kernels.sort();
    for (const [one, other] of LISTS) arrays.swap(one, other);
    this.roomForLists(Math.ceil(6 * count), Math.ceil(0.25 * count) + 64, count + 256);
    for (;;) {
      this.cutSegments();
      team.run('rows');
      let overflow = 0;
      for (let t = 0; t < threads; t++) overflow |= arrays.ints('ranges')[STRIDE.range * t + 15];
      if (overflow === 0) break;
      const grown = (slot: 'neighbours' | 'groupInts' | 'candidates', per: number, bit: number): number =>
        Math.ceil((arrays.lengthOf(slot) / per) * (overflow & bit ? 1.5 : 1));
      this.roomForLists(grown('neighbours', 1, 1), grown('groupInts', 4, 2), grown('candidates', 1, 4));
    }
    for (const [one, other] of RECORDS) arrays.swap(one, other);
    this.cutRows();
  }

  private layCells(): void {
    const { arrays, team, count } = this;
    team.run('bounds');
    const results = arrays.floats('results');
    const numbers = arrays.floats('numbers');
    const counts = arrays.ints('counts');
    const low = [0, 0, 0];
    const size = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let t = 0; t < team.threads; t++) {
        least = Math.min(least, results[STRIDE.result * t + 8 + k]);
        most = Math.max(most, results[STRIDE.result * t + 11 + k]);
      }
      if (!(most - least < Number.POSITIVE_INFINITY) && count > 0) this.refuseNoNumber();
      const period = numbers[9 + k];
      low[k] = period > 0 ? numbers[12 + k] : count > 0 ? least : 0;
      size[k] = period > 0 ? period : count > 0 ? most - least : 0;
    }
    const side = 2 * this.greatestRadius + numbers[15];
    const number = (length: number, cell: number): number => Math.max(1, Math.floor(length / cell));
    let cell = side;
    const most = MOST_CELLS_PER_GRAIN * count + 64;
    while (number(size[0], cell) * number(size[1], cell) * number(size[2], cell) > most) cell *= 1.26;
    for (let k = 0; k < 3; k++) {
      const n = number(size[k], cell);
      if (numbers[9 + k] > 0 && n < 3)
        throw new ModelError(
          'grains.periodic',
          `expected a period of at least three cells of ${side.toPrecision(3)} m (greatest diameter and skin) along ${'xyz'[k]}, got ${size[k]} m`,
        );
      counts[2 + k] = n;
      numbers[16 + k] = low[k];
      numbers[19 + k] = size[k] > 0 ? n / size[k] : 0;
      // A cell may be a little longer than needed, never shorter; rounding of n/size must not make it so
      if (numbers[9 + k] === 0 && n > 0) numbers[19 + k] = Math.min(numbers[19 + k], 1 / side);
    }
    arrays.give('cellStart', counts[2] * counts[3] * counts[4] + 1);
  }

  /** For pairs, groups and candidates of the new lists; the old ones have had theirs. */
  private roomForLists(pairs: number, groups: number, candidates: number): void {
    const { arrays } = this;
    const stride = arrays.ints('counts')[7];
    arrays.give('neighbours', pairs);
    arrays.give('history', stride * arrays.lengthOf('neighbours'));
    if (this.walls.length === 0) return;
    arrays.give('groupInts', 4 * groups);
    arrays.give('groups', (STRIDE.group * arrays.lengthOf('groupInts')) / 4);
    arrays.give('candidates', candidates);
  }

  /** Each thread its part of the room */
  private cutSegments(): void {
    const { arrays } = this;
    const { threads } = this.team;
    const ranges = arrays.ints('ranges');
    const walls = this.walls.length > 0;
    const rooms = [
      [4, arrays.lengthOf('neighbours')],
      [9, walls ? arrays.lengthOf('groupInts') >> 2 : 0],
      [12, walls ? arrays.lengthOf('candidates') : 0],
    ];
    for (const [at, room] of rooms)
      for (let t = 0; t < threads; t++) {
        ranges[STRIDE.range * t + at] = Math.floor((room * t) / threads);
        ranges[STRIDE.range * t + at + 1] = Math.floor((room * (t + 1)) / threads);
      }
  }

  /** Rows by list entries: a bed is denser below. Changes no bit. */
  private cutRows(): void {
    const { arrays, count } = this;
    const { threads } = this.team;
    const ranges = arrays.ints('ranges');
    const counts = arrays.ints('counts');
    const starts = arrays.ints('starts');
    const ends = arrays.ints('ends');
    const PER_ROW = 0.6;
    let total = PER_ROW * count;
    for (let i = 0; i < count; i++) total += ends[i] - starts[i];
    let i = 0;
    let sum = 0;
    for (let t = 0; t < threads; t++) {
      const at = STRIDE.range * t;
      ranges[at] = i;
      const share = t === threads - 1 ? Number.POSITIVE_INFINITY : (total * (t + 1)) / threads;
      while (i < count && sum < share) {
        sum += ends[i] - starts[i] + PER_ROW;
        i++;
      }
      ranges[at + 1] = i;
      // Forces reach forward by a cell in each direction at most
      if (counts[8] || ranges[at] === i) {
        ranges[at + 7] = 0;
        ranges[at + 8] = counts[8] ? count : 0;
      } else {
        ranges[at + 7] = ranges[at];
        const cells = counts[2] * counts[3] * counts[4];
        const last = this.cellOf(i - 1) + 1 + counts[2] + counts[2] * counts[3];
        ranges[at + 8] = arrays.ints('cellStart')[Math.min(last, cells - 1) + 1];
      }
    }
  }

  private cellOf(i: number): number {
    const x = this.arrays.floats('grains');
    const numbers = this.arrays.floats('numbers');
    const counts = this.arrays.ints('counts');
    const c = [0, 1, 2].map((k) =>
      Math.max(0, Math.min(counts[2 + k] - 1, Math.floor((x[4 * i + k] - numbers[16 + k]) * numbers[19 + k]))),
    );
    return c[0] + counts[2] * (c[1] + counts[3] * c[2]);
  }

  /** Whether the farthest point of a wall has moved half of the skin since lists were made */
  private wallsMoved(): boolean {
    const walls = this.arrays.floats('walls');
    const old = this.listedPoses;
    for (let b = 0; b < this.walls.length; b++) {
      const at = STRIDE.wall * b;
      let turn = 0;
      for (let k = 0; k < 9; k++) turn = Math.max(turn, Math.abs(walls[at + k] - old[at + k]));
      let way = 0;
      for (let k = 9; k < 12; k++) way += Math.abs(walls[at + k] - old[at + k]);
      if (turn === 0 && way === 0) continue;
      // |ΔR r| ≤ √9 · greatest element · |r|
      if (way + 3 * turn * this.walls[b].farthest > 0.5 * this.skin) return true;
    }
    return false;
  }

  // ---- sizes ------------------------------------------------------------------------------------------------------------------

  private reserve(count: number): void {
    if (count <= this.capacity) return;
    const capacity = Math.max(count, this.started ? Math.ceil(1.5 * this.capacity) : count);
    const { arrays } = this;
    for (const [slot, stride] of ARRAYS) arrays.give(slot, stride * capacity);
    // Forces of threads are one block: they are 0 between kick and evaluation, and before the start
    arrays.give('forces', 8 * capacity * this.team.threads);
    for (const slot of ['neighbours', 'history', 'oldNeighbours', 'oldHistory'] as const) arrays.give(slot, 8);
    for (const slot of ['groupInts', 'groups', 'oldGroupInts', 'oldGroups', 'candidates'] as const)
      arrays.give(slot, 64);
    this.capacity = capacity;
    arrays.ints('counts')[5] = capacity;
  }

  private meanRadius(): number {
    const x = this.arrays.floats('grains');
    let least = this.greatestRadius;
    for (let i = 0; i < this.count; i++) least = Math.min(least, x[4 * i + 3]);
    return this.count > 0 ? 0.5 * (least + this.greatestRadius) : 1e-3;
  }

  /** Hertz's peak force of the fastest impact that is expected, N; a start, the scale follows. */
  private expectedForce(): number {
    const { kinds } = this;
    const x = this.arrays.floats('grains');
    const v = this.arrays.floats('motion');
    let speed = this.options.fastest ?? 0;
    let mass = 0;
    const g = this.options.gravity ?? [0, 0, 0];
    const size = Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    let [low, high] = [0, 0];
    for (let i = 0; i < this.count; i++) {
      const along = size > 0 ? (g[0] * x[4 * i] + g[1] * x[4 * i + 1] + g[2] * x[4 * i + 2]) / size : 0;
      low = i === 0 ? along : Math.min(low, along);
      high = i === 0 ? along : Math.max(high, along);
      const [a, b, c] = [v[8 * i], v[8 * i + 1], v[8 * i + 2]];
      if (this.options.fastest === undefined) speed = Math.max(speed, Math.sqrt(a * a + b * b + c * c));
      mass = Math.max(mass, 1 / v[8 * i + 3]);
    }
    speed = Math.max(speed, Math.sqrt(2 * size * (high - low + 2 * this.greatestRadius)), 1e-3);
    let modulus = 0;
    for (const a of kinds)
      for (const b of kinds) if (!(a.wall && b.wall)) modulus = Math.max(modulus, reducedModulus(a, b));
    if (!(mass > 0)) return 1;
    const k = (4 / 3) * modulus * Math.sqrt(Math.max(this.greatestRadius, 1e-9));
    const depth = pow((1.25 * mass * speed * speed) / k, 0.4);
    return k * depth * Math.sqrt(depth);
  }

  /** How far an adhesive contact of the largest grains is drawn out before it parts, m */
  private reachOfAdhesion(): number {
    const laws = this.arrays.floats('laws');
    let reach = 0;
    for (let k = 0; k < this.kinds.length * this.kinds.length; k++) {
      const c = laws[STRIDE.law * k + 11];
      if (c > 0) reach = Math.max(reach, 0.75 * c * pow((c * this.greatestRadius) / 4, 1 / 3));
    }
    return reach;
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

/** The least power of two ≥ x */
export function powerAbove(x: number): number {
  let power = 1;
  while (power < x) power *= 2;
  while (power / 2 >= x && power > 1e-300) power /= 2;
  return power;
}

const LISTS = [
  ['starts', 'oldStarts'],
  ['ends', 'oldEnds'],
  ['neighbours', 'oldNeighbours'],
  ['history', 'oldHistory'],
  ['wallStarts', 'oldWallStarts'],
  ['wallEnds', 'oldWallEnds'],
  ['groupInts', 'oldGroupInts'],
  ['groups', 'oldGroups'],
] as const;
const RECORDS = [
  ['grains', 'newGrains'],
  ['motion', 'newMotion'],
  ['ids', 'newIds'],
  ['kinds', 'newKinds'],
] as const;
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
  ['oldStarts', 1],
  ['oldEnds', 1],
  ['oldWallStarts', 1],
  ['oldWallEnds', 1],
] as const;
