/** Grains of a run: made from the model, stepped between the steps of the machine, fed and emptied, watched and recorded. */

import { soilsUnderGrains } from '../contact/soil/soil-bed.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import type { Bed } from '../grains/bed.js';
import { clearanceOf, type WallClearance } from '../grains/clearance.js';
import type { GrainBook } from '../grains/grain-book.js';
import { GrainCoupling } from '../grains/grain-coupling.js';
import type { GrainLoad } from '../grains/grain-load.js';
import { type GrainPlan, wallsOf } from '../grains/grain-plan.js';
import { OVERLAP } from '../grains/packings/packing.js';
import { shapeSurroundings, startingGrains } from '../grains/packings/starting-grains.js';
import { RigidBed } from '../grains/polyhedra/rigid-bed.js';
import { toolsOf } from '../grains/polyhedra/tool.js';
import type { Team } from '../grains/team.js';
import { Tape } from '../math/tape.js';
import type { Model } from '../model/model.js';
import type { Checkpoint } from '../results/checkpoint.js';
import type { Recording } from '../results/recording.js';
import { bedOf } from './bed-of-plan.js';
import { GrainDoors } from './grain-doors.js';
import { GrainProbes } from './grain-probes.js';
import { GrainSignals } from './grain-signals.js';
import { GrainSoil } from './grain-soil.js';
import { expectedSpeed, periodOf, poseOf, uniformGravity } from './grain-start.js';
import { GrainTrails } from './grain-trails.js';

/** Steps between looks at inlets, outlets and the critical step */
const LOOK = 32;
const CENSUS = 96;
/** Part of the critical step that is still taken */
const REFUSED = 0.9;
/** Steps of the grains in one of the machine, at first and at most */
const FIRST_SUBSTEPS = 4;
const MOST_SUBSTEPS = 32;
/** Steps of the grains from one instant that the run can be gone on with from to the next, in rows that are longer; a machine that moves sets out anew there */
const STATION = 1024;

/** What is known of the start of a run that is gone on with: numbers of the grains of each packing, the fastest impact that was expected, m/s */
export type GrainFacts = {
  readonly groups: readonly { readonly name: string; readonly first: number; readonly end: number }[];
  readonly fastest: number;
};

export class GrainRun {
  readonly bed: Bed;
  readonly plan: GrainPlan;
  /** s */
  readonly step: number;
  /** Least of critical step by step so far */
  margin = Number.POSITIVE_INFINITY;
  steps = 0;
  private readonly coupling: GrainCoupling;
  /** Soft ground that grains lie on */
  readonly soils: readonly GrainSoil[];
  private readonly doors: GrainDoors;
  private readonly free: WallClearance;
  private readonly trails: GrainTrails;
  /** Ways of grains are followed from look to look, for planes and for outlets with an end. */
  private readonly following: boolean;
  readonly signals: GrainSignals;
  private readonly interval: number;
  private readonly perRow: number;
  private readonly stopTime: number;
  private substeps = FIRST_SUBSTEPS;
  /** Steps of the grains in one of the machine; chosen by how far predictions are off unless set */
  fixedSubsteps: number | undefined;
  /** Most of them; and the parts of a hundredth of the least radius that predictions may be off by, and that they are below before there are more */
  private mostSubsteps = MOST_SUBSTEPS;
  private allowedJump = 1e-3;
  private spareJump = 1e-4;
  /** The last step, s: shorter in a last row that is */
  private made = 0;
  private time = 0;
  private row = 0;
  /** Steps done since the last row that the machine has followed, */
  private done = 0;
  /** and those since then, on their way to `nextTime` */
  private ahead = 0;
  private deepest = { pair: 0, wall: 0, grain: -1, wallTime: 0 };
  /** Critical step by step at the last look; 0 before it */
  private lastMargin = 0;
  private readonly fastest: number;
  /** Greatest overlap at which the critical step was looked at */
  private looked = 0;
  private readonly referenceDepth: number;
  /** Greatest distance between a prediction of the machine and what it did, m */
  private greatestJump = 0;

  constructor(
    model: Model,
    plan: GrainPlan,
    mechanics: MechanicalSystem,
    loads: readonly GrainLoad[],
    state: Float64Array,
    {
      stopTime,
      interval,
      step,
      team,
      preparing,
      restart,
    }: {
      stopTime: number;
      interval: number;
      step?: number | undefined;
      team?: Team | undefined;
      preparing?: ((what: string) => void) | undefined;
      restart?: Checkpoint | undefined;
    },
  ) {
    this.plan = plan;
    this.interval = interval;
    this.stopTime = stopTime;
    const { grains } = plan;
    const gravity = uniformGravity(mechanics);
    mechanics.update(0, state);
    const walls = wallsOf(plan, (name) => poseOf(mechanics, name));
    const free = clearanceOf(model, plan, walls);
    const past = restart?.facts.grains as GrainFacts | undefined;
    const period = periodOf(grains.periodic);
    const tools = toolsOf(model, plan);
    const start = past
      ? { grains: [], groups: past.groups }
      : startingGrains(plan, free, {
          walls,
          gravity,
          period,
          shapes: shapeSurroundings(plan, tools, period),
          told: preparing,
        });
    const fastest =
      past?.fastest ??
      grains.fastest ??
      expectedSpeed(
        plan,
        start.grains,
        walls.map(({ pose, farthest }) => ({ pose, farthest })),
        gravity,
      );
    const planned = bedOf(plan, {
      walls,
      tools,
      gravity,
      period,
      fastest,
      team,
      stopTime,
      interval,
      step,
    });
    this.bed = planned.bed;
    this.perRow = planned.perRow;
    this.step = planned.step;
    this.made = planned.step;
    this.referenceDepth = 1e-2 * planned.least;

    const { bed } = this;
    this.soils = bed instanceof RigidBed ? soilsUnderGrains(model).map((soil) => new GrainSoil(soil, bed, plan)) : [];
    this.free = free;
    this.trails = new GrainTrails(bed);
    this.doors = new GrainDoors(plan, bed, free, this.trails, loads.length > 0);
    const probes = new GrainProbes(plan, bed, model, this.trails);
    this.following = probes.following || this.doors.following;
    this.signals = new GrainSignals(plan, bed, this.doors, probes, start.groups, this.soils);
    this.fastest = fastest;
    if (restart) this.bed.restore(restart.arrays);
    else {
      this.bed.add(start.grains);
      this.bed.start();
      if (plan.forms) refuseOverlaps(this.bed, start.groups, free);
    }
    this.coupling = new GrainCoupling(mechanics, this.bed, loads);
    this.coupling.place(0, state);
    if (restart) this.restore(restart.arrays);
    else {
      if (this.following) this.trails.mark();
      this.look();
    }
  }

  /** Contacts that snap in and out: their energy is not booked. */
  get adhesive(): boolean {
    return this.bed.adhesive;
  }

  get book(): GrainBook | undefined {
    return this.adhesive ? undefined : this.signals.book;
  }

  /**
   * The run can be gone on with from here: nothing that its next steps depend on is older. At rows, in long ones at every `STATION`th step; where grains move no body, at any step,
   * for the machine is not asked before the row is over.
   */
  get atStation(): boolean {
    if (this.ahead > 0 && this.coupling.moving) return false;
    return this.done > 0 ? this.done % STATION === 0 : this.time === this.row * this.interval;
  }

  /** Grains are on their way to `nextTime`, ahead of the machine. */
  get underWay(): boolean {
    return this.ahead > 0;
  }

  /** Where the grains are, s */
  get reached(): number {
    return this.time + this.ahead * this.stepNow;
  }

  get facts(): GrainFacts {
    return { groups: this.signals.groups.map((group) => ({ ...group })), fastest: this.fastest };
  }

  /** At a station: the bed, doors, and what was watched */
  snapshot(): Record<string, Float64Array> {
    const { deepest, signals, soils } = this;
    const ground = new Tape();
    for (const soil of soils) soil.remember(ground);
    const followed = new Tape();
    if (this.following) this.follow(followed);
    return {
      ...this.bed.snapshot(),
      ...(soils.length > 0 && { ground: ground.values }),
      ...(this.following && { followed: followed.values }),
      doors: this.doors.snapshot(),
      watched: Float64Array.from([
        ...[this.step, this.time, this.row, this.steps, this.margin, this.substeps, this.looked, this.greatestJump],
        ...[deepest.pair, deepest.wall, deepest.grain, deepest.wallTime],
        ...[this.lastMargin, signals.every!, signals.rows, this.coupling.done],
        ...signals.book.snapshot(),
      ]),
      within: Float64Array.from([this.stepNow, this.done, this.ahead, ...signals.feltSoFar]),
    };
  }

  /** What is known of the ways of grains */
  private follow(tape: Tape): void {
    this.trails.remember(tape);
    this.signals.probes.remember(tape);
  }

  private restore({ doors, watched, within, ground, followed }: Checkpoint['arrays']): void {
    const { deepest } = this;
    if (watched[0] !== this.step)
      throw new ModelError('step', `expected ${watched[0]} s, as in the run that is gone on with, got ${this.step}`);
    [, this.time, this.row, this.steps, this.margin, this.substeps, this.looked, this.greatestJump] = watched;
    [deepest.pair, deepest.wall, deepest.grain, deepest.wallTime] = watched.subarray(8);
    [this.lastMargin, this.signals.every, this.signals.rows, this.coupling.done] = watched.subarray(12);
    this.signals.book.restore(watched.subarray(16));
    this.doors.restore(doors);
    const tape = new Tape(ground);
    for (const soil of this.soils) soil.remember(tape);
    if (this.following) this.follow(new Tape(followed ?? new Float64Array(0)));
    if (!within) return; // of a checkpoint at a row
    [, this.done, this.ahead] = within;
    this.signals.feltSoFar = within.subarray(3);
    if (this.done + this.ahead > 0 && within[0] !== this.stepNow)
      throw new ModelError(
        'stop',
        `the run that is gone on with was stopped in its last row, whose steps were made to fit its end; expected that end again, got ${this.stopTime} s`,
      );
  }

  /** The machine is where the run is gone on with from. */
  takeUp(t: number, y: Float64Array): void {
    this.coupling.place(t, y);
  }

  /** The machine makes steps of a first-order method, of at most so many s. */
  followSteps(longest: number): void {
    this.mostSubsteps = Math.max(1, Math.floor(longest / this.step + 1e-9));
    this.substeps = Math.min(this.substeps, this.mostSubsteps);
    this.allowedJump = 1e-2;
    this.spareJump = 2e-3;
  }

  /** End of the next step of the machine, s; it ends with a row at the latest. */
  get nextTime(): number {
    const left = this.perRowNow - this.done;
    const steps = this.coupling.moving
      ? Math.min(this.fixedSubsteps ?? this.substeps, left, STATION - (this.done % STATION))
      : left;
    return steps === left ? this.rowEnd : this.time + steps * this.stepNow;
  }

  private get rowEnd(): number {
    return Math.min((this.row + 1) * this.interval, this.stopTime);
  }

  /** The last row may be shorter. */
  private get perRowNow(): number {
    const length = this.rowEnd - this.row * this.interval;
    return length > this.interval * (1 - 1e-9) ? this.perRow : Math.max(1, Math.ceil(length / this.step - 1e-9));
  }

  private get stepNow(): number {
    const length = this.rowEnd - this.row * this.interval;
    return length > this.interval * (1 - 1e-9) ? this.step : length / this.perRowNow;
  }

  /**
   * Steps of the grains up to `until`, the value of `nextTime`, against a prediction of the machine from (time, y).
   *
   * @param tried       end of the machine's step, tried, where it is solved for (grains/grain-coupling.ts)
   * @param shouldPause asked after every step; another call with the same `until` goes on, with the same bits
   * @returns true if they are there
   */
  advance(until: number, y: Float64Array, tried?: (end: number) => Float64Array, shouldPause?: () => boolean): boolean {
    const { bed, coupling } = this;
    const h = this.stepNow;
    this.made = h;
    const duration = until - this.time;
    const steps = Math.round(duration / h);
    if (this.ahead === 0) coupling.predict(this.time, y, duration, tried);
    while (this.ahead < steps) {
      const k = this.ahead;
      bed.move(h);
      coupling.move(h);
      if (this.steps % LOOK === 0 && (this.doors.any || this.following)) this.feed(this.time + (k + 1) * h, h);
      bed.evaluate(h);
      for (const soil of this.soils) soil.press(this.time + (k + 1) * h, h);
      coupling.take(h, k * h, (k + 1) * h);
      this.signals.feel();
      this.steps++;
      this.watch(this.time + (k + 1) * h);
      if (this.steps % CENSUS === 0) this.look();
      this.ahead++;
      if (this.ahead < steps && shouldPause?.()) return false;
    }
    this.arrive(duration, tried !== undefined);
    return true;
  }

  /** Ways so far are counted, grains go out and come in clear of walls where these are. */
  private feed(t: number, step: number): void {
    const { coupling, doors, free, trails } = this;
    if (this.following) this.signals.probes.follow();
    if (doors.inlets.length > 0) coupling.eachPose((wall, pose) => free.place(wall, pose));
    if (doors.any) doors.feed(t, step);
    if (this.following) trails.mark();
  }

  /** Ends the way of the grains where they are, before `nextTime`, and says where that is, s: for a run that is stopped. */
  cutShort(evenly: boolean): number {
    const { reached } = this;
    this.arrive(reached - this.time, evenly);
    return reached;
  }

  private arrive(duration: number, evenly: boolean): void {
    this.coupling.hold(this.time, duration, evenly);
    this.done += this.ahead;
    this.ahead = 0;
  }

  /** The machine has made its step. */
  correct(t: number, y: Float64Array): void {
    this.coupling.correct(t, y);
    this.time = t;
    if (this.done >= this.perRowNow) {
      this.row++;
      this.done = 0;
    }
    if (!this.coupling.moving) return;
    // Steps of the machine from how far the prediction was off
    const { jump } = this.coupling;
    this.greatestJump = Math.max(this.greatestJump, jump);
    const [most, least] = [this.allowedJump * this.referenceDepth, this.spareJump * this.referenceDepth];
    if (jump > most) this.substeps = Math.max(1, this.substeps >> 1);
    else if (jump < least) this.substeps = Math.min(this.mostSubsteps, 2 * this.substeps);
  }

  /** Critical step of the contacts there are; too long a step is refused. */
  private look(): void {
    if (this.bed.facts.pairs + this.bed.facts.wallContacts === 0) return;
    const found = this.bed.census(this.bed.contacts());
    const margin = found.step / this.step;
    this.lastMargin = margin;
    this.margin = Math.min(this.margin, margin);
    if (this.step > REFUSED * found.step)
      throw new ModelError(
        `t = ${Number(this.time.toPrecision(6))} s`,
        `the step of the grains, ${this.step.toPrecision(3)} s, is longer than ${REFUSED} of the critical one, ${found.step.toPrecision(3)} s. ` +
          `Grain ${found.grain} decides, its stiffest contact is with ${typeof found.partner === 'number' ? `grain ${found.partner}` : `"${found.partner}"`} (${found.stiffness.toPrecision(3)} N/m); ` +
          'give a smaller grains.step, a larger grains.fastest, or softer grains',
      );
  }

  private watch(t: number): void {
    const { facts } = this.bed;
    // Deeper than ever is stiffer than ever
    const depth = Math.max(facts.deepestPair, facts.deepestWall);
    if (depth > 1.1 * this.looked) {
      this.looked = depth;
      this.look();
    }
    if (facts.deepestPair > this.deepest.pair) this.deepest.pair = facts.deepestPair;
    if (facts.deepestWall > this.deepest.wall) {
      this.deepest.wall = facts.deepestWall;
      this.deepest.grain = facts.deepestWallGrain;
      this.deepest.wallTime = t;
    }
  }

  /** Adds the table of grains to the recording; before the first row. */
  keep(recording: Recording): void {
    this.signals.keep(recording, this.stopTime, this.interval);
  }

  /** All signals into the row, from place `first` on */
  record(t: number, row: Float64Array, first: number): void {
    let supplied = this.doors.brought - this.coupling.done;
    for (const { done } of this.soils) supplied += done;
    this.signals.record(t, { step: this.made, margin: this.lastMargin, supplied }, row, first);
  }

  /** For the trust report */
  get report() {
    const { bed } = this;
    return {
      count: bed.count,
      steps: this.steps,
      step: this.step,
      margin: this.margin,
      lists: bed.listsMade,
      kernels: bed.kernelKind,
      threads: bed.team.threads,
      deepestPair: this.deepest.pair,
      deepestWall: this.deepest.wall,
      overlapsOf: this.overlaps.of,
      ...bed.counted,
      inexactSteps: bed.inexactSteps,
      removed: this.doors.removed,
      hash: bed.hash,
      ...(this.coupling.moving && { jump: this.greatestJump }),
    };
  }

  /** What a user should know, in words */
  get remarks(): readonly string[] {
    const { bed, plan } = this;
    return [
      ...new Set(plan.notes),
      ...this.doors.remarks(this.time),
      ...(bed.inexactSteps > 0
        ? [
            `in ${bed.inexactSteps} steps a force was beyond the scale of exact sums: bits may depend on the number of threads; give a larger grains.fastest`,
          ]
        : []),
    ];
  }

  /** Greatest overlaps, by radius or width */
  get overlaps() {
    const { pair, wall, grain, wallTime } = this.deepest;
    const of = this.plan.forms ? ('width' as const) : ('radius' as const);
    return { pair, wall, grain, time: wallTime, of, booked: !this.adhesive };
  }

  close(): void {
    this.bed.close();
  }
}

/** Grains with shapes that were given in one another, or in a wall: of those that touch by how deep they are, of those too deep for that by where their inside is */
function refuseOverlaps(bed: Bed, groups: GrainFacts['groups'], { wallAt }: WallClearance): void {
  const { facts, deepestNow } = bed;
  const nameOf = (grain: number | string): string => {
    if (typeof grain === 'string') return `"${grain}"`;
    const group = groups.find(({ first, end }) => grain >= first && grain < end)!;
    return `grains.packings.${group.name}.at[${grain - group.first}]`;
  };
  for (let i = 0; i < bed.count; i++) {
    let [points, within] = [0, 0];
    let wall: string | undefined;
    bed.eachPoint(i, (x, y, z) => {
      const found = wallAt(x, y, z);
      points++;
      if (found !== undefined) within++;
      wall ??= found;
    });
    if (2 * within > points) throw new ModelError(nameOf(bed.ids[i]), `most of it is inside "${wall}"; move it out`);
  }
  const depth = Math.max(facts.deepestPair, facts.deepestWall);
  if (!(depth > OVERLAP) || !deepestNow) return;
  const [grain, other] = deepestNow;
  throw new ModelError(
    nameOf(grain),
    `is in ${nameOf(other)} by ${depth < 1 ? `${(100 * depth).toPrecision(2)} %` : 'more than all'} of the width of the thinner one; move them apart`,
  );
}
