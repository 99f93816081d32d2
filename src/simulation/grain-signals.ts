/** What is told of grains at every row: sums over all of them, wrenches on walls, flows, packings; and the grains themselves where it is their turn. */
import type { Bed, ContactRecords } from '../grains/bed.js';
import { GrainBook } from '../grains/grain-book.js';
import { orderedContacts } from '../grains/grain-fields.js';
import type { GrainPlan } from '../grains/grain-plan.js';
import { coordination, normalForces } from '../grains/measures.js';
import { RigidBed } from '../grains/polyhedra/rigid-bed.js';
import { drawnForm } from '../grains/shapes/grain-forms.js';
import { addGrainContactTable, addGrainTable, GRAIN } from '../results/grain-records.js';
import type { RecordTable } from '../results/record-table.js';
import type { Recording, SignalDescription } from '../results/recording.js';
import type { SceneGrains } from '../results/scene.js';
import { expectedNumber, type GrainDoors } from './grain-doors.js';
import type { GrainProbes } from './grain-probes.js';
import type { GrainSoil } from './grain-soil.js';

/** Rows of grains that are kept unless the user says how often */
const MOST_ROWS = 2_000_000;
/** Rows over which flows are told */
const FLOW_ROWS = 20;

/** Grains of one packing, by their numbers */
export interface GrainGroup {
  readonly name: string;
  readonly first: number;
  readonly end: number;
}

export class GrainSignals {
  readonly descriptions: readonly SignalDescription[];
  private readonly plan: GrainPlan;
  private readonly bed: Bed;
  private readonly doors: GrainDoors;
  readonly groups: readonly GrainGroup[];
  private table: RecordTable | undefined;
  private contactTable: RecordTable | undefined;
  readonly probes: GrainProbes;
  /** Rows from one picture of all grains to the next, and rows so far */
  every: number | undefined;
  rows = 0;
  readonly book = new GrainBook();
  private readonly wrench = new Float64Array(6);
  private forces: Float64Array = new Float64Array(0);
  /** Sums of the forces on walls since the last row, 3 per wall, and over how many steps */
  private readonly felt: Float64Array;
  private steps = 0;

  constructor(
    plan: GrainPlan,
    bed: Bed,
    doors: GrainDoors,
    probes: GrainProbes,
    groups: readonly GrainGroup[],
    private readonly soils: readonly GrainSoil[] = [],
  ) {
    this.plan = plan;
    this.bed = bed;
    this.doors = doors;
    this.probes = probes;
    this.groups = groups;
    this.felt = new Float64Array(3 * bed.walls.length);
    this.descriptions = this.describe();
  }

  /** What a viewer is told of them */
  get drawn(): SceneGrains {
    const { bed, plan } = this;
    const x = bed.grains;
    const low: [number, number, number] = [0, 0, 0];
    const high: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let i = 0; i < bed.count; i++) {
        least = Math.min(least, x[4 * i + k] - x[4 * i + 3]);
        most = Math.max(most, x[4 * i + k] + x[4 * i + 3]);
      }
      for (const { region } of this.doors.inlets) {
        least = Math.min(least, region.low[k]);
        most = Math.max(most, region.high[k]);
      }
      [low[k], high[k]] = least <= most ? [least, most] : [0, 0];
    }
    const species = plan.species.map(([name, { colour }], k) => ({
      name,
      ...(colour && { colour }),
      ...(plan.forms && { forms: plan.forms[k].shapes.map(drawnForm) }),
    }));
    return { species, low, high };
  }

  /** Adds the table of grains to the recording; before the first row. */
  keep(recording: Recording, stopTime: number, interval: number): void {
    const rows = Math.ceil(stopTime / interval) + 1;
    const expected = Math.max(
      this.bed.count,
      ...this.doors.inlets.map(({ inlet }) => this.bed.count + expectedNumber(inlet, stopTime)),
    );
    this.every ??= this.plan.grains.every ?? Math.max(1, Math.ceil((rows * expected) / MOST_ROWS));
    if (this.every > 0) this.table = addGrainTable(recording, this.plan.forms !== undefined);
    if (this.every > 0 && this.plan.grains.contacts) this.contactTable = addGrainContactTable(recording);
    if (this.every > 0) this.probes.open(recording);
  }

  private describe(): SignalDescription[] {
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
      { name: 'grains.heat.damping', unit: 'J', description: 'of impacts, so far' },
      { name: 'grains.heat.sliding', unit: 'J', description: 'work against sliding so far, with what bristles hold' },
      { name: 'grains.heat.rolling', unit: 'J', description: 'the same against rolling and twisting' },
      { name: 'grains.dissipated', unit: 'J', description: 'all three, less what bristles hold' },
      {
        name: 'grains.supplied',
        unit: 'J',
        description: 'by walls that move, and by grains that came less those that left',
      },
      { name: 'grains.imbalance', unit: 'J', description: 'energy and heat, less what was supplied, since the start' },
      { name: 'grains.margin', description: 'critical step by step' },
      ...(plan.forms ? [{ name: 'grains.touches', description: 'times that two began to touch so far' }] : []),
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
        { name: `${name}.grains.power`, unit: 'W', description: 'that it gives to grains' },
        ...['x', 'y', 'z'].map((axis) => ({
          name: `${name}.grains.meanForce.${axis}`,
          unit: 'N',
          description: 'of grains on it, mean of all steps since the last row',
        })),
      ]),
      ...this.doors.outlets.flatMap(({ name }) => [
        { name: `${name}.count`, description: 'grains that have left here' },
        { name: `${name}.mass`, unit: 'kg', description: 'that has left here' },
        { name: `${name}.flow`, unit: 'kg/s', description: `mean of the last ${FLOW_ROWS} rows` },
      ]),
      ...this.doors.inlets.map(({ name }) => ({ name: `${name}.count`, description: 'grains that have come in here' })),
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
      ...this.soils.flatMap(({ descriptions }) => descriptions),
      ...this.probes.descriptions,
    ];
  }

  /** After the forces of a step */
  feel(): void {
    const { bed, felt, wrench } = this;
    for (let b = 0; b < bed.walls.length; b++) {
      bed.wrenchOn(b, wrench);
      for (let k = 0; k < 3; k++) felt[3 * b + k] += wrench[k];
    }
    this.steps++;
  }

  /** What was felt since the last row: over how many steps, and the sums */
  get feltSoFar(): readonly number[] | Float64Array {
    return [this.steps, ...this.felt];
  }
  set feltSoFar(numbers: readonly number[] | Float64Array) {
    this.steps = numbers[0];
    for (let k = 0; k < this.felt.length; k++) this.felt[k] = numbers[1 + k];
  }

  /** All signals, and the grains themselves where it is their turn */
  record(
    t: number,
    { step, margin, supplied }: { readonly step: number; readonly margin: number; readonly supplied: number },
    row: Float64Array,
    first: number,
  ): void {
    const { bed } = this;
    const records = bed.contacts();
    const energies = bed.energies(step, records);
    const { grains: x, motion: v, gravity } = bed;
    let at = first;
    let mass = 0;
    let fastest = 0;
    const centre = [0, 0, 0];
    const momentum = [0, 0, 0];
    const half = bed.firstKick ? 0 : 0.5 * step;
    const force = this.wrench;
    const places = bed.inOrder(); // sums in the order of numbers, so that they do not depend on how grains lie
    const speeds = new Float64Array(3 * bed.count);
    this.forces = bed.forcesOn(this.forces);
    const { forces } = this;
    for (const i of places) {
      const w = v[8 * i + 3];
      const m = 1 / w;
      mass += m;
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const speed = v[8 * i + k] + half * (forces[6 * i + k] * w + gravity[k]);
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
    this.book.look(energies, bed.work, supplied);
    const { book } = this;
    const elastic = energies.elastic + energies.bristles;
    row[at++] = elastic;
    row[at++] = energies.kinetic + energies.rotational + energies.potential + elastic;
    row[at++] = book.heat.damping;
    row[at++] = book.heat.sliding;
    row[at++] = book.heat.rolling;
    row[at++] = book.dissipated;
    row[at++] = supplied;
    row[at++] = book.imbalance;
    row[at++] = margin;
    if (bed.counted) row[at++] = bed.counted.touches;
    const wall = new Float64Array(9);
    for (let b = 0; b < bed.walls.length; b++) {
      const w = bed.wrenchOn(b, force);
      for (let k = 0; k < 3; k++) row[at++] = w[k];
      const p = bed.motionOfWall(b, wall);
      for (let k = 0; k < 3; k++) {
        const [m, n] = [(k + 1) % 3, (k + 2) % 3];
        row[at++] = w[3 + k] - (p[m] * w[n] - p[n] * w[m]);
      }
      let power = 0;
      for (let k = 0; k < 3; k++) power -= row[at - 6 + k] * wall[3 + k] + row[at - 3 + k] * wall[6 + k];
      row[at++] = power;
      for (let k = 0; k < 3; k++) row[at++] = this.steps > 0 ? this.felt[3 * b + k] / this.steps : w[k];
    }
    this.felt.fill(0);
    this.steps = 0;
    for (const { count, mass: left, past } of this.doors.outlets) {
      row[at++] = count;
      row[at++] = left;
      past.push({ t, mass: left });
      if (past.length > FLOW_ROWS + 1) past.shift();
      row[at++] = t > past[0].t ? (left - past[0].mass) / (t - past[0].t) : 0;
    }
    for (const { emitted } of this.doors.inlets) row[at++] = emitted;
    this.recordGroups(places, speeds, row, at);
    at += 7 * this.groups.length;
    for (const soil of this.soils) {
      soil.record(row, at);
      at += soil.descriptions.length;
    }
    const every = this.every ?? 0;
    const kept = every > 0 && this.rows % every === 0;
    this.rows++;
    this.probes.measure({ t, places, speeds, records, kept }, row, at);
    if (this.contactTable && kept) this.recordContacts(t, records);
    if (this.table && kept) {
      const pressed = new Float64Array(bed.count);
      const contacts = new Int32Array(bed.count);
      normalForces(records, pressed, contacts);
      this.recordGrains(t, places, speeds, pressed, contacts);
    }
  }

  /** Centre, its velocity and the energy of each packing; grains that have left count no more */
  private recordGroups(places: Int32Array, speeds: Float64Array, row: Float64Array, first: number): void {
    const { grains: x, motion: v, ids } = this.bed;
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

  private recordContacts(t: number, records: ContactRecords): void {
    const { bed } = this;
    const table = this.contactTable!;
    const { grains: x, ids } = bed;
    const r = records.numbers;
    const branch = new Float64Array(3);
    const values = new Float64Array(9);
    for (const at of orderedContacts(bed, records)) {
      // From the lower number to the higher; to the point of the wall
      const [one, other] = [r[at], r[at + 1]];
      const [i, j] = other >= 0 && ids[other] < ids[one] ? [other, one] : [one, other];
      const sign = i === one ? 1 : -1;
      bed.branchOf(r, at, branch);
      values[0] = ids[i];
      values[1] = j >= 0 ? ids[j] : -1;
      for (let k = 0; k < 3; k++) {
        values[2 + k] = x[4 * i + k];
        values[5 + k] = x[4 * i + k] + sign * branch[k];
      }
      values[8] = r[at + 6];
      table.append(t, values);
    }
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
    const { grains: x, ids, kindsOf: kinds } = bed;
    const values = new Float64Array(table.columns.length);
    const shaped = bed instanceof RigidBed ? bed : undefined;
    for (const i of places) {
      values[GRAIN.id] = ids[i];
      values[GRAIN.species] = labels[kinds[i]];
      for (let k = 0; k < 4; k++) values[GRAIN.x + k] = x[4 * i + k];
      for (let k = 0; k < 3; k++) values[GRAIN.velocity + k] = speeds[3 * i + k];
      values[GRAIN.force] = forces[i];
      values[GRAIN.contacts] = contacts[i];
      if (shaped) {
        values[GRAIN.form] = shaped.formOf(i);
        values.set(shaped.orientationOf(i), GRAIN.orientation);
      }
      table.append(t, values);
    }
  }
}
