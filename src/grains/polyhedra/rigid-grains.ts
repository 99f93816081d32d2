/**
 * Rigid grains of any shape in motion: one leapfrog step is kick, drift, new list if something went far enough, forces
 * (velocities at half steps, poses at whole steps; specs in docs/theory/grains-polyhedra.md).
 *
 * Answers are the same bits for every number of threads, any skin, any order of the bodies, and after a restart: forces are rounded to a common
 * grid before they are added, and nothing else depends on order.
 */
import { ModelError } from '../../errors.js';
import type { Pose } from '../../geometry/solid.js';
import { Arena } from '../../kernels/arena.js';
import { type PolyhedronPhase, polyhedronKernels } from '../../kernels/polyhedron-kernels.js';
import {
  REPORT_BRISTLES,
  REPORT_CONTACTS,
  REPORT_CUTS,
  REPORT_DAMPED,
  REPORT_DEEPEST,
  REPORT_DEPTH,
  REPORT_ELASTIC,
  REPORT_FORCE,
  REPORT_FORCE_GRID,
  REPORT_LENGTH,
  REPORT_NEAR,
  REPORT_NEW,
  REPORT_RECORD,
  REPORT_SLID,
  REPORT_TORQUE,
  REPORT_TORQUE_GRID,
  REPORT_VECTORS,
  REPORT_WALL_GRID,
  REPORT_WALLS,
} from '../../kernels/polyhedron-report.kernel.js';
import { Hash } from '../../math/hash.js';
import { type Mat3, toQuaternion } from '../../math/mat3.js';
import { conjugate, multiply, rotate } from '../../math/quaternion.js';
import { norm, sub, type Vec3 } from '../../math/vec3.js';
import type { Period } from '../neighbourhood.js';
import { SerialTeam, type Team } from '../team.js';
import type { WallPose } from '../wall-arrays.js';
import { census, refuseStep } from './census.js';
import { type GrainContact, LAW_LENGTH, lawNumbers } from './contact-parameters.js';
import { forceScale, powerOfTwo } from './force-scale.js';
import { GrainArrays, type GrainBody } from './grain-arrays.js';
import { PairList } from './pair-list.js';
import { BODY, bodiesOf, placeBodies, type RigidGrainsSnapshot, touchingPairs } from './snapshot.js';

export interface RigidGrainsOptions {
  readonly bodies: readonly GrainBody[];
  /** How species i and j touch; asked once for each pair */
  readonly contact: (i: number, j: number) => GrainContact;
  /** m/s² */
  readonly gravity: Vec3;
  /** h, s */
  readonly step: number;
  /** Where bodies of infinite density are at time t: pose of the frame their shape was given in */
  readonly motions?: ReadonlyMap<number, (time: number) => Pose>;
  /** How far bounding spheres may be apart to be listed, m; default a tenth of the largest grain's diameter */
  readonly skin?: number;
  /** Who does the work; one thread unless given. Changes no bit. */
  readonly team?: Team;
  /** false: the kernels as TypeScript, the same bits at a third of the speed */
  readonly wasm?: boolean;
  /** How an error names a body; default `bodies[i]` */
  readonly nameOf?: (body: number) => string;
  /** What leaves on one side comes in on the other; bodies of infinite density have no images */
  readonly period?: Period;
  /** Places where grains come from, m */
  readonly around?: readonly Vec3[];
  /** Those of the run that is gone on with, see `levers` */
  readonly levers?: readonly [number, number];
}

/** What was counted since the start. */
export interface GrainCounts {
  steps: number;
  rebuilds: number;
  /** Pairs that touched, summed over steps */
  contacts: number;
  /** Times that a pair began to touch */
  touches: number;
  /** Pairs whose bounding spheres met, separating vectors tried, overlaps cut, summed over steps */
  near: number;
  vectors: number;
  cuts: number;
}

/** V/|S| of a contact over the smallest width of the thinner piece that is refused: beyond, pieces punch through each other. */
const DEEPEST = 0.25;
/** Steps from one census of stiffnesses to the next */
const CENSUS = 250;

const COUNTS = ['steps', 'rebuilds', 'contacts', 'touches', 'near', 'vectors', 'cuts'] as const;

export class RigidGrains {
  readonly arrays: GrainArrays;
  readonly step: number;
  readonly threads: number;
  readonly kernelKind: 'wasm' | 'typescript';
  /** Powers of two no lever exceeds, of grains and of walls, m */
  readonly levers: readonly [number, number];
  readonly counts: GrainCounts = { steps: 0, rebuilds: 0, contacts: 0, touches: 0, near: 0, vectors: 0, cuts: 0 };
  /** Pairs that touch now, and those of them of which one is a wall */
  touching = 0;
  touchingWalls = 0;
  /** Of the last step: greatest |component| of a force, N; whether all sums were exact; deepest contact, as `deepest`, and its bodies */
  stepForce = 0;
  stepExact = true;
  readonly stepDeepest: { share: number; bodies: readonly [number, number] } = { share: 0, bodies: [-1, -1] };
  /** Greatest |component| of a contact force ever, N, and the scale S_F that sums are exact to */
  greatestForce = 0;
  forceScale: number;
  /** Whether every sum so far was exact */
  exact = true;
  /** Shortest of the longest stable steps that were found, s */
  criticalStep = Number.POSITIVE_INFINITY;
  /** Deepest contact ever: V/|S| over the width of the thinner piece, and when, s */
  deepest = { share: 0, time: 0, pair: '' };
  /** Done so far against damping, and against bristles and twists, J */
  readonly work = { damping: 0, sliding: 0 };
  /** In overlaps, and in bristles and twists now, J */
  readonly stored = { elastic: 0, bristles: 0 };
  /** Done so far on grains by bodies whose motions are given, J */
  driven = 0;
  /** Potential energy that grains found by going round a period, J: where gravity points along it, what falls comes in again above */
  wentRound = 0;
  /** Whether the next forces are written down pair by pair in `arrays.records` */
  recording = false;
  /** Whether what is too deep is refused; who makes grains may want to say it in other words */
  refusing = true;
  readonly #team: Team;
  readonly #list: PairList;
  readonly #gravity: Vec3;
  readonly #skin: number;
  readonly #motions: ReadonlyMap<number, (time: number) => Pose>;
  readonly #prescribed: readonly { readonly body: number; readonly radius: number }[];
  /** Those with motions, and their loads of the last step */
  readonly #driving: readonly { readonly body: number; readonly before: Float64Array }[];
  readonly #nameOf: (body: number) => string;
  #wallTravel = 0;
  #begun = false;
  /** Bodies have come or left since the list was made */
  #stale = false;

  constructor(options: RigidGrainsOptions) {
    const { bodies, contact, gravity, step, motions = new Map(), team = new SerialTeam() } = options;
    const { threads } = team;
    if (!(step > 0 && step < Number.POSITIVE_INFINITY))
      throw new ModelError('grains.step', `expected a time > 0 s, got ${step}`);
    this.step = step;
    this.threads = threads;
    this.#team = team;
    this.#gravity = gravity;
    this.#motions = motions;
    this.#nameOf = options.nameOf ?? ((body) => `bodies[${body}]`);
    const species = 1 + bodies.reduce((most, body) => Math.max(most, body.species), 0);
    const arena = new Arena({ shared: team.shared });
    const kernels = polyhedronKernels(arena, threads, options.wasm);
    this.kernelKind = kernels.kind;
    team.join(kernels, arena.memory);
    this.arrays = new GrainArrays(arena, kernels, bodies, species, threads, options.period);
    const laws = this.arrays.laws.view;
    for (let i = 0; i < species; i++)
      for (let j = 0; j <= i; j++) {
        const numbers = lawNumbers(contact(i, j), `contact(${i}, ${j})`);
        laws.set(numbers, LAW_LENGTH * (species * i + j));
        laws.set(numbers, LAW_LENGTH * (species * j + i));
      }
    const free = bodies.filter(({ density }) => density < Number.POSITIVE_INFINITY);
    this.#prescribed = bodies.flatMap(({ density, shape }, body) =>
      density < Number.POSITIVE_INFINITY ? [] : [{ body, radius: shape.radius }],
    );
    this.#driving = [...motions.keys()].map((body) => ({ body, before: new Float64Array(6) }));
    const largest = free.reduce((most, { shape }) => Math.max(most, shape.radius), 0);
    this.#skin = options.skin ?? 0.2 * largest;
    this.#refuseNarrow(largest);
    for (const { body } of this.#prescribed) this.#prescribe(body, 0, 0);
    this.#move(0, 0);
    this.#list = new PairList(this.arrays);
    const { scale, reach } = forceScale(bodies, gravity, laws, options.around);
    this.forceScale = scale;
    this.levers = options.levers ?? [
      powerOfTwo(2 * largest),
      powerOfTwo(Math.max(reach, norm(options.period?.length ?? [0, 0, 0]))),
    ];
  }

  get time(): number {
    return this.counts.steps * this.step;
  }

  /** Takes steps. The first call also finds the forces at the start. */
  advance(steps: number): void {
    if (!this.#begun) this.begin();
    for (let n = 0; n < steps; n++) {
      const { counts, step } = this;
      const time = (counts.steps + 1) * step;
      for (const { body, radius } of this.#prescribed) this.#prescribe(body, time, radius);
      this.drift(step);
      const counting = counts.steps % CENSUS === 0;
      const asked = this.recording;
      this.recording = asked || counting;
      this.meet(step);
      this.recording = asked;
      this.#drive();
      if (counting) this.#count();
    }
  }

  /** First half of a step: kick and drift, s. Walls are to be placed before or after it. */
  drift(h: number): void {
    const { settings, travel, period } = this.arrays;
    settings.view[14] = 6 * this.forceScale * this.levers[1];
    this.#move(this.counts.steps === 0 ? 0.5 * h : h, h);
    if (period) for (let t = 0; t < this.threads; t++) this.wentRound += travel.view[4 * t + 1];
    this.counts.steps++;
  }

  /** Second half: a new list if something has gone far or come, then forces. */
  meet(h: number): void {
    const travel = this.#travel();
    if (this.#stale || 2 * travel > this.#skin || travel + this.#wallTravel > this.#skin) this.#rebuild();
    this.#press(h);
  }

  /** A body comes; between `drift` and `meet`. */
  come(b: number, body: GrainBody): void {
    this.arrays.put(b, body);
    this.#stale = true;
  }

  /** A body leaves; between `drift` and `meet`. */
  leave(b: number): void {
    this.arrays.absent[b] = 1;
    this.arrays.velocities.view.fill(0, 8 * b, 8 * b + 8);
    this.#stale = true;
  }

  /** Bodies from the number `first` to before `end` grow or shrink; between `drift` and `meet`. */
  resize(first: number, end: number, factor: number): void {
    this.arrays.resize(first, end, factor);
    this.#stale = true;
  }

  /** Lists pairs and finds the forces without moving: at the start, or after a restart. */
  begin(historyStep = 0): void {
    this.#begun = true;
    this.#rebuild();
    this.#press(historyStep);
    for (const { body, before } of this.#driving) this.wrench(body, before);
  }

  /** To go on from here with the same bits */
  snapshot(): RigidGrainsSnapshot {
    const { counts, deepest } = this;
    return {
      bodies: bodiesOf(this.arrays, (body, into) => this.wrench(body, into)),
      pairs: touchingPairs(this.arrays),
      scales: Float64Array.of(
        ...[this.forceScale, this.greatestForce, this.exact ? 1 : 0, this.criticalStep],
        ...[deepest.share, deepest.time, this.touching],
        ...[this.work.damping, this.work.sliding, this.stored.elastic, this.stored.bristles, this.driven],
        ...COUNTS.map((key) => counts[key]),
        this.wentRound,
      ),
    };
  }

  /** Goes on from where a snapshot was taken; instead of `begin`. @param deepest names of the pair of the deepest contact */
  resume({ bodies, pairs, scales }: RigidGrainsSnapshot, deepest: string): void {
    const { arrays } = this;
    this.#begun = true;
    placeBodies(arrays, bodies);
    this.#move(0, 0);
    this.#list.remember(pairs);
    this.#rebuild();
    for (let b = 0; b < arrays.bodyCount; b++)
      arrays.forces.view.set(bodies.subarray(BODY * b + 20, BODY * (b + 1)), 8 * b);
    [this.forceScale, this.greatestForce, , this.criticalStep] = scales;
    this.exact = scales[2] === 1;
    this.deepest = { share: scales[4], time: scales[5], pair: deepest };
    this.touching = scales[6];
    [this.work.damping, this.work.sliding, this.stored.elastic, this.stored.bristles, this.driven] = scales.subarray(7);
    for (const { body, before } of this.#driving) this.wrench(body, before);
    COUNTS.forEach((key, k) => {
      this.counts[key] = scales[12 + k];
    });
    this.wentRound = scales[12 + COUNTS.length];
  }

  /** Adds to the force and torque on a grain, on the grid of the sums. */
  load(body: number, load: ArrayLike<number>): void {
    const forces = this.arrays.forces.view;
    const [f, t] = [6 * this.forceScale, 6 * this.forceScale * this.levers[0]];
    for (let k = 0; k < 3; k++) {
      forces[8 * body + k] += load[k] + f - f;
      forces[8 * body + 3 + k] += load[3 + k] + t - t;
    }
  }

  /** Force and torque about its origin that a body feels now, N and N m, into 6 numbers. */
  wrench(body: number, into: Float64Array): void {
    const forces = this.arrays.forces.view;
    const stride = 8 * this.arrays.bodyCount;
    for (let k = 0; k < 6; k++) {
      let sum = 0;
      for (let t = 0; t < this.threads; t++) sum += forces[t * stride + 8 * body + k];
      into[k] = sum;
    }
  }

  /** Lets the workers go. */
  close(): void {
    this.#team.close();
  }

  /** Hash of poses and momenta, bodies in the order given (all, as numbered, by default). */
  hash(order?: readonly number[]): string {
    const { positions, orientations, velocities, momenta, bodyCount } = this.arrays;
    const hash = new Hash();
    for (let i = 0; i < bodyCount; i++) {
      const b = order ? order[i] : i;
      hash.numbers(positions.view.subarray(4 * b, 4 * b + 3));
      hash.numbers(orientations.view.subarray(4 * b, 4 * b + 4));
      hash.numbers(velocities.view.subarray(8 * b, 8 * b + 3));
      hash.numbers(momenta.view.subarray(4 * b, 4 * b + 3));
    }
    return hash.hex();
  }

  /** Bodies of a listed pair. */
  bodiesOf(pair: number): readonly [number, number] {
    const { pairs, pieces } = this.arrays;
    return [pieces.view[8 * pairs.view[2 * pair]], pieces.view[8 * pairs.view[2 * pair + 1]]];
  }

  /** All threads do their share. */
  #run(phase: PolyhedronPhase): void {
    this.#team.run(phase);
  }

  #move(kick: number, step: number): void {
    const settings = this.arrays.settings.view;
    settings[0] = kick;
    settings[1] = step;
    for (let k = 0; k < 3; k++) settings[2 + k] = this.#gravity[k];
    this.#run('movePolyhedra');
  }

  #press(step: number): void {
    const { arrays, threads, counts } = this;
    const reports = arrays.reports.view;
    arrays.settings.view[1] = step;
    reports.fill(0);
    for (let t = 0; t < threads; t++) {
      const at = REPORT_LENGTH * t;
      reports[at + REPORT_FORCE_GRID] = 6 * this.forceScale;
      reports[at + REPORT_TORQUE_GRID] = 6 * this.forceScale * this.levers[0];
      reports[at + REPORT_WALL_GRID] = 6 * this.forceScale * this.levers[1];
      reports[at + REPORT_RECORD] = this.recording ? 1 : 0;
    }
    this.#run('pressPolyhedra');

    // What the threads have to report
    let [touching, walls, force, torque, depth, deepest] = [0, 0, 0, 0, 0, 0];
    for (let at = 0; at < REPORT_LENGTH * threads; at += REPORT_LENGTH) {
      touching += reports[at + REPORT_CONTACTS];
      walls += reports[at + REPORT_WALLS];
      counts.near += reports[at + REPORT_NEAR];
      counts.vectors += reports[at + REPORT_VECTORS];
      counts.cuts += reports[at + REPORT_CUTS];
      counts.touches += reports[at + REPORT_NEW];
      force = Math.max(force, reports[at + REPORT_FORCE]);
      torque = Math.max(torque, reports[at + REPORT_TORQUE]);
      if (reports[at + REPORT_DEPTH] > depth) {
        depth = reports[at + REPORT_DEPTH];
        deepest = reports[at + REPORT_DEEPEST];
      }
    }
    const { work, stored } = this;
    [stored.elastic, stored.bristles] = [0, 0];
    let [damped, slid] = [0, 0];
    for (let at = 0; at < REPORT_LENGTH * threads; at += REPORT_LENGTH) {
      damped += reports[at + REPORT_DAMPED];
      slid += reports[at + REPORT_SLID];
      stored.elastic += reports[at + REPORT_ELASTIC];
      stored.bristles += reports[at + REPORT_BRISTLES];
    }
    work.damping += damped;
    work.sliding += slid;
    this.touching = touching;
    this.touchingWalls = walls;
    this.stepForce = force;
    counts.contacts += touching;
    this.greatestForce = Math.max(this.greatestForce, force);
    const needed = Math.max(force, torque / this.levers[1]);
    this.stepExact = needed <= this.forceScale;
    if (!this.stepExact) this.exact = false;
    while (needed > this.forceScale / 16) this.forceScale *= 4;
    this.stepDeepest.share = depth;
    if (depth > 0) this.stepDeepest.bodies = this.bodiesOf(deepest);
    if (depth > this.deepest.share) {
      const [a, b] = this.bodiesOf(deepest);
      this.deepest = { share: depth, time: this.time, pair: `${this.#nameOf(a)}–${this.#nameOf(b)}` };
    }
    if (depth > DEEPEST && this.refusing) this.#refuse(deepest, depth);
  }

  /** What bodies on given motions did in this step: loads before and after it on the way between */
  #drive(): void {
    const v = this.arrays.velocities.view;
    for (const { body, before } of this.#driving) {
      this.wrench(body, LOAD);
      for (let k = 0; k < 3; k++) {
        this.driven -= 0.5 * this.step * (before[k] + LOAD[k]) * v[8 * body + k];
        this.driven -= 0.5 * this.step * (before[3 + k] + LOAD[3 + k]) * v[8 * body + 4 + k];
      }
      before.set(LOAD);
    }
  }

  /** The longest stable step now; a step beyond it is refused. */
  #count(): void {
    const found = census(this.arrays);
    this.criticalStep = Math.min(this.criticalStep, found.criticalStep);
    if (this.step <= found.criticalStep) return;
    const [a, b] = this.bodiesOf(found.pair);
    refuseStep(this.step, found, this.time, this.#nameOf, a === found.body ? b : a);
  }

  #refuse(pair: number, depth: number): never {
    const [a, b] = this.bodiesOf(pair);
    throw new ModelError(
      'grains',
      `t = ${this.time} s: ${this.#nameOf(a)} and ${this.#nameOf(b)} overlap by ${depth < 1 ? `${(100 * depth).toFixed(0)} %` : 'more than all'} of the ` +
        `thinner one's width; more than ${100 * DEEPEST} % is refused, for thin pieces punch through one another. ` +
        (this.counts.steps === 0
          ? 'Place them apart.'
          : 'A shorter step, a greater modulus, or walls built thicker away from the grains help.'),
    );
  }

  /** Nearest images are those that may touch, and no grain meets itself */
  #refuseNarrow(largest: number): void {
    const side = 2 * largest + this.#skin;
    const { period } = this.arrays;
    for (let k = 0; k < 3; k++) {
      const length = period?.length[k] ?? 0;
      if (length > 0 && !(length >= 3 * side))
        throw new ModelError(
          `grains.periodic.${'xyz'[k]}`,
          `expected a period of at least three cells of ${side.toPrecision(3)} m (greatest diameter and skin), got ${length} m`,
        );
    }
  }

  #travel(): number {
    const travel = this.arrays.travel.view;
    let most = 0;
    for (let t = 0; t < this.threads; t++) most = Math.max(most, travel[4 * t]);
    return Math.sqrt(most);
  }

  #rebuild(): void {
    if (this.#stale) {
      this.#move(0, 0); // what came has corners and planes now; forces are 0 between drift and meet
      this.#list.regroup();
      this.#stale = false;
    }
    this.#list.rebuild(this.#skin);
    this.#wallTravel = 0;
    this.counts.rebuilds++;
  }

  /** Pose at `time`; the twist is what takes it there from where it is. */
  #prescribe(body: number, time: number, radius: number): void {
    const motion = this.#motions.get(body);
    if (!motion) return;
    const { position, orientation } = motion(time);
    const x = this.arrays.positions.view;
    const q = this.arrays.orientations.view;
    const v = this.arrays.velocities.view;
    if (time > 0) {
      const from: Vec3 = [x[4 * body], x[4 * body + 1], x[4 * body + 2]];
      const way = sub(position, from);
      const turned = multiply(orientation, conjugate([q[4 * body], q[4 * body + 1], q[4 * body + 2], q[4 * body + 3]]));
      const sign = turned[0] < 0 ? -2 : 2;
      for (let k = 0; k < 3; k++) {
        v[8 * body + k] = way[k] / this.step;
        v[8 * body + 4 + k] = (sign * turned[k + 1]) / this.step;
      }
      this.#wallTravel += norm(way) + 2 * norm([turned[1], turned[2], turned[3]]) * radius;
    }
    x.set(position, 4 * body);
    q.set(orientation, 4 * body);
    this.arrays.turned(body);
  }

  /** Where a body of infinite density is at the end of the coming step, and how it moves; with 1/m > 0 it gives way to impacts by that, 1/kg */
  place(body: number, { position, rotation, velocity, angularVelocity }: WallPose, perMass: number): void {
    const x = this.arrays.positions.view;
    const q = this.arrays.orientations.view;
    const v = this.arrays.velocities.view;
    const to = toQuaternion(Array.from(rotation) as unknown as Mat3);
    const { radius } = this.#prescribed.find((told) => told.body === body)!;
    let [way, turn] = [0, 0];
    for (let k = 0; k < 3; k++) way += Math.abs(position[k] - x[4 * body + k]);
    for (let k = 0; k < 4; k++) turn += Math.abs(to[k] - q[4 * body + k]);
    this.#wallTravel += way + 2 * Math.min(turn, 2) * radius;
    x.set(position, 4 * body);
    q.set(to, 4 * body);
    if (turn > 0) this.arrays.turned(body);
    v.set(velocity, 8 * body);
    v.set(angularVelocity, 8 * body + 4);
    v[8 * body + 7] = perMass;
  }

  /** Pose of the frame a body's shape was given in. */
  poseOf(body: number, shape: GrainBody['shape']): Pose {
    const x = this.arrays.positions.view;
    const q = this.arrays.orientations.view;
    const orientation = multiply(
      [q[4 * body], q[4 * body + 1], q[4 * body + 2], q[4 * body + 3]],
      conjugate(shape.axes),
    );
    const centre: Vec3 = [x[4 * body], x[4 * body + 1], x[4 * body + 2]];
    return { position: sub(centre, rotate(orientation, shape.centre)), orientation };
  }
}

const LOAD = new Float64Array(6);
