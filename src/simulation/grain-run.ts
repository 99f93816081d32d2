/** Grains of a run: made from the model, stepped between the steps of the machine, fed and emptied, watched and recorded. */

import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import { impactStep } from '../grains/critical-step.js';
import { GrainBed, type NewGrain } from '../grains/grain-bed.js';
import { GrainCoupling } from '../grains/grain-coupling.js';
import type { GrainLoad } from '../grains/grain-load.js';
import { clearanceOf, type GrainPlan, startingGrains, wallsOf } from '../grains/grain-plan.js';
import { type Sizes, sizesOf } from '../grains/grain-sizes.js';
import { type Census, census, contactRecords, coordination, energiesOf, normalForces } from '../grains/measures.js';
import { type Region, regionOf } from '../grains/region.js';
import type { Team } from '../grains/team.js';
import type { WallPose } from '../grains/wall-arrays.js';
import { fromQuaternion, type Mat3, multiply } from '../math/mat3.js';
import { type Random, random } from '../math/random.js';
import { norm, type Vec3 } from '../math/vec3.js';
import type { Inlet } from '../model/grains.js';
import type { Model } from '../model/model.js';
import { addGrainTable, GRAIN, GRAIN_COLUMNS } from '../results/grain-records.js';
import type { RecordTable } from '../results/record-table.js';
import type { Recording, SignalDescription } from '../results/recording.js';
import type { SceneGrains } from '../results/scene.js';

/** Steps between looks at inlets, outlets and the critical step */
const LOOK = 32;
const CENSUS = 96;
/** Part of the critical step that is still taken */
const REFUSED = 0.9;
/** Steps of the grains in one of the machine, at first and at most */
const FIRST_SUBSTEPS = 4;
const MOST_SUBSTEPS = 32;
/** Rows of grains that are kept unless the user says how often */
const MOST_ROWS = 2_000_000;

interface OpenInlet {
  readonly name: string;
  readonly inlet: Inlet;
  readonly kind: number;
  readonly region: Region;
  readonly sizes: Sizes;
  readonly places: Random;
  emitted: number;
  skipped: number;
}

interface OpenOutlet {
  readonly name: string;
  readonly region: Region;
  count: number;
  mass: number;
  /** Masses that had left at the last rows, kg, and when */
  readonly past: { readonly t: number; readonly mass: number }[];
}

/** Grains of one packing, by their numbers */
interface Group {
  readonly name: string;
  readonly first: number;
  readonly end: number;
}

/** Rows over which flows are told */
const FLOW_ROWS = 20;

export class GrainRun {
  readonly bed: GrainBed;
  readonly plan: GrainPlan;
  readonly descriptions: readonly SignalDescription[];
  /** s */
  readonly step: number;
  /** Least of critical step by step so far */
  margin = Number.POSITIVE_INFINITY;
  steps = 0;
  private readonly coupling: GrainCoupling;
  private readonly groups: readonly Group[];
  private readonly inlets: readonly OpenInlet[];
  private readonly outlets: readonly OpenOutlet[];
  private readonly free: ReturnType<typeof clearanceOf>;
  private readonly interval: number;
  private readonly perRow: number;
  private readonly stopTime: number;
  private substeps = FIRST_SUBSTEPS;
  /** Steps of the grains in one of the machine; chosen by how far predictions are off unless set */
  fixedSubsteps: number | undefined;
  private time = 0;
  private row = 0;
  /** Steps done since the last row */
  private done = 0;
  private table: RecordTable | undefined;
  private every = 1;
  private rows = 0;
  private deepest = { pair: 0, wall: 0, grain: -1, wallTime: 0 };
  private lastCensus: Census | undefined;
  /** Greatest overlap at which the critical step was looked at */
  private looked = 0;
  private removed = 0;
  private readonly wrench = new Float64Array(6);
  private readonly referenceDepth: number;
  /** Energy at the start, J, and what moved since */
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
    }: { stopTime: number; interval: number; step?: number | undefined; team?: Team | undefined },
  ) {
    this.plan = plan;
    this.interval = interval;
    this.stopTime = stopTime;
    const { grains, kinds, lawOf, species } = plan;
    const gravity = uniformGravity(mechanics);
    mechanics.update(0, state);
    const walls = wallsOf(plan, (name) => poseOf(mechanics, name));
    this.free = clearanceOf(model, plan, walls);
    const period = periodOf(grains.periodic);
    const start = startingGrains(plan, this.free, { walls, gravity, period });
    const fastest =
      grains.fastest ??
      expectedSpeed(
        plan,
        start.grains,
        walls.map(({ pose, farthest }) => ({ pose, farthest })),
        gravity,
      );
    this.bed = new GrainBed({
      kinds,
      lawOf,
      walls,
      gravity,
      fastest,
      ...(period && { period }),
      ...(grains.skin !== undefined && { skin: grains.skin }),
      ...(team && { team }),
    });

    // Step: what the user says, or what the fastest impact of each species allows
    let own = Number.POSITIVE_INFINITY;
    let least = Number.POSITIVE_INFINITY;
    species.forEach(([, { radius, material }], a) => {
      const r = sizesOf(radius, random(0)).least;
      least = Math.min(least, r);
      kinds.forEach((partner, b) => {
        const law = lawOf(Math.min(a, b), Math.max(a, b));
        own = Math.min(own, impactStep(kinds[a], partner, law, r, material.density, fastest).step);
      });
    });
    const wanted = step ?? grains.step ?? own;
    this.perRow = Math.max(1, Math.ceil(interval / wanted - 1e-9));
    this.step = interval / this.perRow;
    this.referenceDepth = 1e-2 * least;

    this.inlets = Object.entries(grains.inlets ?? {}).map(([name, inlet]) => {
      const kind = species.findIndex(([other]) => other === inlet.species);
      const stream = random(`${grains.seed ?? 1} inlet ${name}`);
      return {
        name,
        inlet,
        kind,
        region: regionOf(inlet.region),
        sizes: sizesOf(species[kind][1].radius, stream.fork('sizes')),
        places: stream.fork('places'),
        emitted: 0,
        skipped: 0,
      };
    });
    this.outlets = Object.entries(grains.outlets ?? {}).map(([name, { region }]) => ({
      name,
      region: regionOf(region),
      count: 0,
      mass: 0,
      past: [],
    }));
    this.groups = start.groups;
    this.bed.add(start.grains);
    this.bed.start();
    this.coupling = new GrainCoupling(mechanics, this.bed, loads);
    this.coupling.place(0, state);
    this.descriptions = this.signals();
    this.look();
  }

  /** What a viewer is told of them */
  get drawn(): SceneGrains {
    const { bed, plan } = this;
    const x = bed.arrays.floats('grains');
    const low: [number, number, number] = [0, 0, 0];
    const high: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let i = 0; i < bed.count; i++) {
        least = Math.min(least, x[4 * i + k] - x[4 * i + 3]);
        most = Math.max(most, x[4 * i + k] + x[4 * i + 3]);
      }
      for (const { region } of this.inlets) {
        least = Math.min(least, region.low[k]);
        most = Math.max(most, region.high[k]);
      }
      [low[k], high[k]] = least <= most ? [least, most] : [0, 0];
    }
    return { species: plan.species.map(([name, { colour }]) => ({ name, ...(colour && { colour }) })), low, high };
  }

  /** Adds the table of grains to the recording; before the first row. */
  keep(recording: Recording): void {
    const rows = Math.ceil(this.stopTime / this.interval) + 1;
    const expected = Math.max(
      this.bed.count,
      ...this.inlets.map(({ inlet }) => this.bed.count + expectedNumber(inlet, this.stopTime)),
    );
    this.every = this.plan.grains.every ?? Math.max(1, Math.ceil((rows * expected) / MOST_ROWS));
    if (this.every > 0) this.table = addGrainTable(recording);
  }

  /** End of the next step of the machine, s; it ends with a row at the latest. */
  get nextTime(): number {
    const left = this.perRowNow - this.done;
    const steps = Math.min(this.coupling.moving ? (this.fixedSubsteps ?? this.substeps) : left, left);
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

  /** Steps of the grains up to `until`, the value of `nextTime`, against a prediction of the machine from (time, y). */
  advance(until: number, y: Float64Array): void {
    const { bed, coupling } = this;
    const h = this.stepNow;
    const duration = until - this.time;
    const steps = Math.round(duration / h);
    coupling.predict(this.time, y, duration);
    for (let k = 0; k < steps; k++) {
      bed.move(h);
      coupling.move(h);
      if (this.steps % LOOK === 0 && this.inlets.length + this.outlets.length > 0) this.feed(this.time + (k + 1) * h);
      bed.evaluate(h);
      coupling.take(h, k * h, (k + 1) * h);
      this.steps++;
      this.watch(this.time + (k + 1) * h);
      if (this.steps % CENSUS === 0) this.look();
    }
    coupling.hold(this.time, duration);
    this.done += steps;
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
    if (jump > 1e-3 * this.referenceDepth) this.substeps = Math.max(1, this.substeps >> 1);
    else if (jump < 1e-4 * this.referenceDepth) this.substeps = Math.min(MOST_SUBSTEPS, 2 * this.substeps);
  }

  /** Critical step of the contacts there are; too long a step is refused. */
  private look(): void {
    if (this.bed.facts.pairs + this.bed.facts.wallContacts === 0) return;
    const found = census(this.bed, contactRecords(this.bed));
    this.lastCensus = found;
    const margin = found.step / this.step;
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

  // ---- coming and going -------------------------------------------------------------------------------------------------------

  private feed(t: number): void {
    const { bed } = this;
    const x = bed.arrays.floats('grains');
    const gone: number[] = [];
    for (const outlet of this.outlets)
      for (let i = 0; i < bed.count; i++)
        if (outlet.region.contains(x[4 * i], x[4 * i + 1], x[4 * i + 2]) && !gone.includes(i)) {
          gone.push(i);
          outlet.count++;
          outlet.mass += 1 / bed.arrays.floats('motion')[8 * i + 3];
        }
    if (gone.length > 0) bed.remove(gone);
    this.removed += gone.length;
    for (const open of this.inlets) this.let(open, t);
  }

  private let(open: OpenInlet, t: number): void {
    const { inlet, region } = open;
    const { from = 0, until = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY } = inlet;
    const due = Math.min(count, Math.floor((Math.min(t, until) - from) * inlet.rate));
    const fresh: NewGrain[] = [];
    const { density } = this.plan.species[open.kind][1].material;
    const most = this.plan.grains.most ?? Number.POSITIVE_INFINITY;
    while (open.emitted < due && this.bed.count + fresh.length < most) {
      const radius = open.sizes.draw();
      const position = [0, 1, 2].map((k) =>
        open.places.uniformBetween(region.low[k], Math.max(region.high[k], region.low[k] + 1e-12)),
      ) as unknown as Vec3;
      if (!region.contains(...position) || !this.free(...position, radius) || this.taken(position, radius, fresh)) {
        open.skipped++;
        break; // again next time
      }
      fresh.push({ position, radius, kind: open.kind, density, ...(inlet.velocity && { velocity: inlet.velocity }) });
      open.emitted++;
    }
    if (fresh.length > 0) this.bed.add(fresh);
  }

  private taken([px, py, pz]: Vec3, radius: number, fresh: readonly NewGrain[]): boolean {
    const x = this.bed.arrays.floats('grains');
    for (let i = 0; i < this.bed.count; i++) {
      const [dx, dy, dz] = [x[4 * i] - px, x[4 * i + 1] - py, x[4 * i + 2] - pz];
      const reach = radius + x[4 * i + 3];
      if (dx * dx + dy * dy + dz * dz < reach * reach) return true;
    }
    return fresh.some(({ position: [qx, qy, qz], radius: r }) => {
      const [dx, dy, dz] = [qx - px, qy - py, qz - pz];
      return dx * dx + dy * dy + dz * dz < (radius + r) * (radius + r);
    });
  }

  // ---- what is told -----------------------------------------------------------------------------------------------------------

  private signals(): SignalDescription[] {
    const { plan } = this;
    return [
      { name: 'grains.count', description: 'grains there are' },
      { name: 'grains.contacts', description: 'between grains' },
      { name: 'grains.wallContacts', description: 'with bodies' },
      { name: 'grains.coordination', description: 'contacts per grain' },
      ...['x', 'y', 'z'].map((axis) => ({ name: `grains.centre.${axis}`, unit: 'm', description: 'centre of mass' })),
      ...['x', 'y', 'z'].map((axis) => ({ name: `grains.momentum.${axis}`, unit: 'kg m/s' })),
      { name: 'grains.speed', unit: 'm/s', description: 'of the fastest' },
      { name: 'grains.mass', unit: 'kg' },
      { name: 'grains.force', unit: 'N', description: 'the greatest normal force of a contact' },
      { name: 'grains.kinetic', unit: 'J', description: 'of motion, without turning' },
      { name: 'grains.rotational', unit: 'J', description: 'of turning' },
      { name: 'grains.potential', unit: 'J', description: 'in the field of gravity' },
      { name: 'grains.elastic', unit: 'J', description: 'in contacts' },
      { name: 'grains.energy', unit: 'J', description: 'all four; what friction and impacts take is gone from it' },
      { name: 'grains.margin', description: 'critical step by step' },
      ...plan.wallNames.flatMap((name) => [
        ...['x', 'y', 'z'].map((axis) => ({
          name: `${name}.grains.force.${axis}`,
          unit: 'N',
          description: 'of grains on it',
        })),
        ...['x', 'y', 'z'].map((axis) => ({
          name: `${name}.grains.torque.${axis}`,
          unit: 'N m',
          description: "of grains on it, about its frame's origin",
        })),
      ]),
      ...this.outlets.flatMap(({ name }) => [
        { name: `${name}.count`, description: 'grains that have left here' },
        { name: `${name}.mass`, unit: 'kg', description: 'that has left here' },
        { name: `${name}.flow`, unit: 'kg/s', description: `mean of the last ${FLOW_ROWS} rows` },
      ]),
      ...this.inlets.map(({ name }) => ({ name: `${name}.count`, description: 'grains that have come in here' })),
      ...this.groups.flatMap(({ name }) => [
        ...['x', 'y', 'z'].map((axis) => ({
          name: `${name}.centre.${axis}`,
          unit: 'm',
          description: 'centre of mass of the packing',
        })),
        ...['x', 'y', 'z'].map((axis) => ({
          name: `${name}.velocity.${axis}`,
          unit: 'm/s',
          description: 'of that centre',
        })),
        { name: `${name}.kinetic`, unit: 'J', description: 'of motion, without turning' },
      ]),
    ];
  }

  /** All signals, and the grains themselves where it is their turn */
  record(t: number, row: Float64Array, first: number): void {
    const { bed } = this;
    const records = contactRecords(bed);
    const energies = energiesOf(bed, this.step, records);
    const x = bed.arrays.floats('grains');
    const v = bed.arrays.floats('motion');
    const gravity = bed.arrays.floats('numbers').subarray(3, 6);
    let at = first;
    let mass = 0;
    let fastest = 0;
    const centre = [0, 0, 0];
    const momentum = [0, 0, 0];
    const half = bed.firstKick ? 0 : 0.5 * this.step;
    const force = this.wrench;
    const places = bed.inOrder(); // sums in the order of numbers, so that they do not depend on how grains lie
    const speeds = new Float64Array(3 * bed.count);
    for (const i of places) {
      const w = v[8 * i + 3];
      const m = 1 / w;
      mass += m;
      bed.forceOn(i, force);
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const speed = v[8 * i + k] + half * (force[k] * w + gravity[k]);
        speeds[3 * i + k] = speed;
        centre[k] += m * x[4 * i + k];
        momentum[k] += m * speed;
        square += speed * speed;
      }
      fastest = Math.max(fastest, square);
    }
    row[at++] = bed.count;
    row[at++] = bed.facts.pairs;
    row[at++] = bed.facts.wallContacts;
    row[at++] = coordination(bed);
    for (let k = 0; k < 3; k++) row[at++] = mass > 0 ? centre[k] / mass : 0;
    for (let k = 0; k < 3; k++) row[at++] = momentum[k];
    row[at++] = Math.sqrt(fastest);
    row[at++] = mass;
    row[at++] = bed.facts.strongest;
    row[at++] = energies.kinetic;
    row[at++] = energies.rotational;
    row[at++] = energies.potential;
    row[at++] = energies.elastic;
    row[at++] = energies.kinetic + energies.rotational + energies.potential + energies.elastic;
    row[at++] = this.lastCensus ? this.lastCensus.step / this.step : 0;
    const walls = bed.arrays.floats('walls');
    for (let b = 0; b < bed.walls.length; b++) {
      const w = bed.wrenchOn(b, force);
      for (let k = 0; k < 3; k++) row[at++] = w[k];
      const p = walls.subarray(32 * b + 9, 32 * b + 12);
      for (let k = 0; k < 3; k++) {
        const [m, n] = [(k + 1) % 3, (k + 2) % 3];
        row[at++] = w[3 + k] - (p[m] * w[n] - p[n] * w[m]);
      }
    }
    for (const { count, mass: left, past } of this.outlets) {
      row[at++] = count;
      row[at++] = left;
      past.push({ t, mass: left });
      if (past.length > FLOW_ROWS + 1) past.shift();
      row[at++] = t > past[0].t ? (left - past[0].mass) / (t - past[0].t) : 0;
    }
    for (const { emitted } of this.inlets) row[at++] = emitted;
    this.recordGroups(places, speeds, row, at);
    if (this.table && this.rows++ % this.every === 0) {
      const forces = new Float64Array(bed.count);
      const contacts = new Int32Array(bed.count);
      normalForces(records, forces, contacts);
      this.recordGrains(t, places, speeds, forces, contacts);
    }
  }

  /** Centre, its velocity and the energy of each packing; grains that have left count no more */
  private recordGroups(places: Int32Array, speeds: Float64Array, row: Float64Array, first: number): void {
    const x = this.bed.arrays.floats('grains');
    const v = this.bed.arrays.floats('motion');
    const ids = this.bed.arrays.ints('ids');
    row.fill(0, first, first + 7 * this.groups.length);
    const masses = new Float64Array(this.groups.length);
    for (const i of places) {
      const g = this.groups.findIndex(({ first: low, end }) => ids[i] >= low && ids[i] < end);
      if (g < 0) continue;
      const m = 1 / v[8 * i + 3];
      masses[g] += m;
      for (let k = 0; k < 3; k++) {
        row[first + 7 * g + k] += m * x[4 * i + k];
        row[first + 7 * g + 3 + k] += m * speeds[3 * i + k];
        row[first + 7 * g + 6] += 0.5 * m * speeds[3 * i + k] * speeds[3 * i + k];
      }
    }
    masses.forEach((mass, g) => {
      for (let k = 0; k < 6; k++) row[first + 7 * g + k] /= mass > 0 ? mass : 1;
    });
  }

  private recordGrains(
    t: number,
    places: Int32Array,
    speeds: Float64Array,
    forces: Float64Array,
    contacts: Int32Array,
  ): void {
    const { bed, plan } = this;
    const table = this.table!;
    const labels = plan.species.map(([name]) => table.label(name));
    const x = bed.arrays.floats('grains');
    const ids = bed.arrays.ints('ids');
    const kinds = bed.arrays.ints('kinds');
    const values = new Float64Array(GRAIN_COLUMNS.length);
    for (const i of places) {
      values[GRAIN.id] = ids[i];
      values[GRAIN.species] = labels[kinds[i]];
      for (let k = 0; k < 4; k++) values[GRAIN.x + k] = x[4 * i + k];
      for (let k = 0; k < 3; k++) values[GRAIN.velocity + k] = speeds[3 * i + k];
      values[GRAIN.force] = forces[i];
      values[GRAIN.contacts] = contacts[i];
      table.append(t, values);
    }
  }

  /** For the trust report */
  get report() {
    const { bed } = this;
    return {
      count: bed.count,
      steps: this.steps,
      step: this.step,
      margin: this.margin,
      lists: bed.listBuilds,
      kernels: bed.arrays.kernels.kind,
      threads: bed.team.threads,
      deepestPair: this.deepest.pair,
      deepestWall: this.deepest.wall,
      inexactSteps: bed.inexactSteps,
      removed: this.removed,
      hash: bed.hash,
      ...(this.coupling.moving && { jump: this.greatestJump }),
    };
  }

  /** What a user should know, in words */
  get remarks(): readonly string[] {
    const { bed, plan } = this;
    return [
      ...new Set(plan.notes),
      ...this.inlets
        .filter(({ inlet, emitted }) => emitted < Math.floor(expectedNumber(inlet, this.time)) - 1)
        .map(
          ({ name, emitted, inlet }) =>
            `grains.inlets.${name} could place ${emitted} of ${Math.floor(expectedNumber(inlet, this.time))} grains: its region was full`,
        ),
      ...this.outlets.filter(({ count }) => count === 0).map(({ name }) => `no grain came to grains.outlets.${name}`),
      ...(bed.inexactSteps > 0
        ? [
            `in ${bed.inexactSteps} steps a force was beyond the scale of exact sums: bits may depend on the number of threads; give a larger grains.fastest`,
          ]
        : []),
    ];
  }

  /** Greatest overlaps, by radius */
  get overlaps(): { readonly pair: number; readonly wall: number; readonly grain: number; readonly time: number } {
    return { pair: this.deepest.pair, wall: this.deepest.wall, grain: this.deepest.grain, time: this.deepest.wallTime };
  }

  close(): void {
    this.bed.close();
  }
}

const expectedNumber = (
  { rate, from = 0, until = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY }: Inlet,
  t: number,
): number => Math.min(count, Math.max(0, Math.min(t, until) - from) * rate);

function uniformGravity({ system }: MechanicalSystem): Vec3 {
  if (system.gravity.kind === 'uniform') return system.gravity.acceleration;
  throw new ModelError(
    'gravity',
    'grains need gravity that is the same everywhere; expected a vector in m/s², or a planet',
  );
}

/** Where a body's frame is and how it moves, where the carriers are */
function poseOf({ carriers, system }: MechanicalSystem, name: string): WallPose {
  const { anchor } = system.bodies.find((body) => body.name === name)!;
  const c = carriers.indexOf(anchor);
  const own = [...carriers.rotation.subarray(9 * c, 9 * c + 9)] as unknown as Mat3;
  const lever = [0, 1, 2].map(
    (k) => own[3 * k] * anchor.position[0] + own[3 * k + 1] * anchor.position[1] + own[3 * k + 2] * anchor.position[2],
  );
  const w = carriers.twist.subarray(6 * c, 6 * c + 6);
  return {
    rotation: multiply(own, fromQuaternion(anchor.orientation)),
    position: lever.map((l, k) => carriers.position[3 * c + k] + l),
    velocity: [0, 1, 2].map((k) => {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      return w[3 + k] + w[m] * lever[n] - w[n] * lever[m];
    }),
    angularVelocity: [w[0], w[1], w[2]],
  };
}

function periodOf(
  given: { x?: unknown; y?: unknown; z?: unknown } | undefined,
): { low: Vec3; length: Vec3 } | undefined {
  if (!given) return undefined;
  const ranges = [given.x, given.y, given.z] as (readonly [number, number] | undefined)[];
  return {
    low: ranges.map((range) => range?.[0] ?? 0) as unknown as Vec3,
    length: ranges.map((range) => (range ? range[1] - range[0] : 0)) as unknown as Vec3,
  };
}

/** Velocities that are written, free fall through the height there is, and walls that move */
function expectedSpeed(
  { grains, species }: GrainPlan,
  start: readonly NewGrain[],
  walls: readonly { readonly pose: WallPose; readonly farthest: number }[],
  gravity: Vec3,
): number {
  let speed = 0;
  for (const { velocity } of start) if (velocity) speed = Math.max(speed, norm(velocity));
  for (const { velocity } of Object.values(grains.inlets ?? {})) if (velocity) speed = Math.max(speed, norm(velocity));
  for (const { pose, farthest } of walls)
    if (farthest < Number.POSITIVE_INFINITY)
      speed = Math.max(
        speed,
        norm([pose.velocity[0], pose.velocity[1], pose.velocity[2]]) +
          farthest * norm([pose.angularVelocity[0], pose.angularVelocity[1], pose.angularVelocity[2]]),
      );
  const g = norm(gravity);
  if (g > 0) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const see = (p: ArrayLike<number>): void => {
      const along = (p[0] * gravity[0] + p[1] * gravity[1] + p[2] * gravity[2]) / g;
      low = Math.min(low, along);
      high = Math.max(high, along);
    };
    for (const { position } of start) see(position);
    for (const { region } of Object.values(grains.inlets ?? {})) {
      const bounds = regionOf(region);
      see(bounds.low);
      see(bounds.high);
    }
    for (const { pose } of walls) see(pose.position);
    let radius = 0;
    for (const [, { radius: given }] of species) radius = Math.max(radius, sizesOf(given, random(0)).greatest);
    speed = Math.max(speed, Math.sqrt(2 * g * (Math.max(0, high - low) + 2 * radius)));
  }
  return Math.max(speed, 1e-3);
}
