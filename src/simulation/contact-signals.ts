/**
 * What contact does, as signals and as records. Every body that can touch has a sensor: force and torque of all its contacts, in how many
 * regions it touches, and what they have turned into heat. So have pairs of bodies, all if there are few, else those the model names. The
 * records hold every region of every pair.
 *
 * Heat is an integral over time, which the energy book takes for every sensor as it does for the whole (energy-book.ts): of contacts without
 * a potential all that they take from the bodies, less what they hold.
 */

import type { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';
import { COLUMN } from '../contact/contact-table.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { Tape } from '../math/tape.js';
import { CONTACT, pairLabel } from '../results/contact-records.js';
import type { RecordTable } from '../results/record-table.js';
import type { SignalDescription } from '../results/recording.js';
import { ElementSensors } from './element-sensors.js';

const AXES = ['x', 'y', 'z'] as const;
/** Beyond so many bodies only the sensors that the model names are signals. */
const FEW_BODIES = 100;
/** Numbers per sensor: force, torque, touching, heat */
const WIDTH = 8;

export class ContactSampler extends ElementSensors {
  readonly descriptions: readonly SignalDescription[];
  /** Sensor of each body, −1: none */
  private readonly ofBody: Int32Array;
  /** Sensor of a pair of bodies a · count + b, a < b */
  private readonly ofPair = new Map<number, number>();
  private readonly values: Float64Array;
  /** Number of sensors */
  readonly count: number;
  /** J per sensor: in contacts that are booked whole, now and at the start */
  private readonly held: Float64Array;
  private readonly heldAtStart: Float64Array;
  private readonly row = new Float64Array(CONTACT.width);

  constructor(mechanics: MechanicalSystem, contacts: ContactSystem) {
    super(mechanics, contacts);
    const { bodies, contacts: plan } = mechanics.system;
    const touching = [...new Set(contacts.shapes.map(({ body }) => body))].filter((body) => !bodies[body].fixed);
    this.ofBody = new Int32Array(bodies.length).fill(-1);
    const descriptions: SignalDescription[] = [];
    let sensors = 0;
    const describe = (name: string, of: string, about: string): void => {
      for (const axis of AXES)
        descriptions.push({ name: `${name}.force.${axis}`, unit: 'N', description: `contact force ${of}, world axes` });
      for (const axis of AXES)
        descriptions.push({
          name: `${name}.torque.${axis}`,
          unit: 'N m',
          description: `of these forces about ${about}`,
        });
      descriptions.push({ name: `${name}.touching`, unit: '', description: 'number of contact regions' });
      descriptions.push({ name: `${name}.heat`, unit: 'J', description: 'of these contacts since the start' });
    };
    if (touching.length <= FEW_BODIES)
      for (const body of touching) {
        this.ofBody[body] = sensors++;
        describe(`${bodies[body].name}.contact`, 'on the body', "the body's origin");
      }
    for (const [a, b] of plan!.sensors) {
      const [first, second] = bodies[b].fixed ? [b, a] : [a, b];
      this.ofPair.set(Math.min(a, b) * bodies.length + Math.max(a, b), sensors++);
      describe(
        `contacts.${bodies[first].name}-${bodies[second].name}`,
        `on ${bodies[second].name} by ${bodies[first].name}`,
        `the origin of ${bodies[second].name}`,
      );
    }
    this.descriptions = descriptions;
    this.values = new Float64Array(WIDTH * sensors);
    this.count = sensors;
    this.held = new Float64Array(sensors);
    this.heldAtStart = new Float64Array(sensors);
  }

  /** A signal of ours that is known at the end of a step only */
  isHeat(signal: string): boolean {
    return signal.endsWith('.heat') && this.descriptions.some(({ name }) => name === signal);
  }

  /** What contacts hold at the start is none of their heat. */
  start(t: number, y: Float64Array): void {
    this.mechanics.update(t, y);
    this.gather(t, y);
    this.heldAtStart.set(this.held);
  }

  remember(tape: Tape): void {
    tape.array(this.heldAtStart);
  }

  protected numbersOf(a: number, b: number): readonly [number, number, number] {
    return this.sensorsOf(a, b);
  }

  /** Sensors of two bodies and of the pair, −1: none */
  sensorsOf(a: number, b: number): readonly [number, number, number] {
    return [this.ofBody[a], this.ofBody[b], this.pairSensor(a, b)];
  }

  private pairSensor(a: number, b: number): number {
    return this.ofPair.get(Math.min(a, b) * this.mechanics.system.bodies.length + Math.max(a, b)) ?? -1;
  }

  /** Sums all regions at (t, y); the carriers must be there. */
  gather(t: number, y: Float64Array): void {
    const values = this.values.fill(0);
    const held = this.held.fill(0);
    const { bodies } = this.mechanics.system;
    for (const pair of this.contacts.pairs) {
      const [a, b] = this.contacts.bodiesOf(pair);
      const sensorA = this.ofBody[a];
      const sensorB = this.ofBody[b];
      const sensor = this.pairSensor(a, b);
      if (sensorA < 0 && sensorB < 0 && sensor < 0) continue;
      // a pair's sensor tells of the second of its name: the one that moves, or the later one
      const [, second] = bodies[Math.max(a, b)].fixed ? [b, Math.min(a, b)] : [a, Math.max(a, b)];
      const { count, values: rows, energy } = pair.tabulate(t, y);
      if (pair.booksWork) {
        if (sensorA >= 0) held[sensorA] += energy;
        if (sensorB >= 0) held[sensorB] += energy;
        if (sensor >= 0) held[sensor] += energy;
      }
      for (let at = 0; at < count * COLUMN.width; at += COLUMN.width) {
        if (sensorA >= 0) this.add(values, sensorA, a, -1, rows, at);
        if (sensorB >= 0) this.add(values, sensorB, b, 1, rows, at);
        if (sensor >= 0) this.add(values, sensor, second, second === b ? 1 : -1, rows, at);
      }
    }
  }

  /** Adds the region in the table's row at `at` to a sensor. */
  private add(values: Float64Array, sensor: number, body: number, sign: 1 | -1, rows: Float64Array, at: number): void {
    const { carriers, system } = this.mechanics;
    const { anchor } = system.bodies[body];
    const carrier = carriers.indexOf(anchor);
    const [px, py, pz] = anchor.position;
    const r = 9 * carrier;
    const { rotation, position } = carriers;
    const o = WIDTH * sensor;
    const p = at + COLUMN.point;
    const f = at + COLUMN.force;
    const m = at + COLUMN.torque;
    const x = rows[p] - position[3 * carrier] - (rotation[r] * px + rotation[r + 1] * py + rotation[r + 2] * pz);
    const y =
      rows[p + 1] - position[3 * carrier + 1] - (rotation[r + 3] * px + rotation[r + 4] * py + rotation[r + 5] * pz);
    const z =
      rows[p + 2] - position[3 * carrier + 2] - (rotation[r + 6] * px + rotation[r + 7] * py + rotation[r + 8] * pz);
    values[o] += sign * rows[f];
    values[o + 1] += sign * rows[f + 1];
    values[o + 2] += sign * rows[f + 2];
    values[o + 3] += sign * (y * rows[f + 2] - z * rows[f + 1] + rows[m]);
    values[o + 4] += sign * (z * rows[f] - x * rows[f + 2] + rows[m + 1]);
    values[o + 5] += sign * (x * rows[f + 1] - y * rows[f] + rows[m + 2]);
    values[o + 6] += 1;
  }

  /** @param booked J per sensor since the start */
  write(booked: Float64Array, out: Float64Array, at: number): void {
    out.set(this.values, at);
    for (let s = 0; s < this.count; s++) out[at + WIDTH * s + 7] = booked[s] - this.held[s] + this.heldAtStart[s];
  }

  /** One row per region into the records */
  record(t: number, y: Float64Array, table: RecordTable): void {
    for (const pair of this.contacts.pairs) this.recordPair(pair, t, y, table);
  }

  private recordPair(pair: ContactPair, t: number, y: Float64Array, table: RecordTable): void {
    const row = this.row;
    const { shapes } = this.contacts;
    const { count, values } = pair.tabulate(t, y);
    for (let at = 0; at < count * COLUMN.width; at += COLUMN.width) {
      const normalForce = values[at + COLUMN.normalForce];
      row[CONTACT.pair] = table.label(pairLabel(shapes[pair.route.a].name, shapes[pair.route.b].name));
      row[CONTACT.region] = pair.regionOf(values[at + COLUMN.slot]);
      row[CONTACT.normalForce] = normalForce;
      row[CONTACT.torque] = values[at + COLUMN.torqueAboutNormal];
      row[CONTACT.depth] = values[at + COLUMN.depth];
      row[CONTACT.volume] = values[at + COLUMN.volume];
      row[CONTACT.area] = values[at + COLUMN.area];
      row[CONTACT.spin] = values[at + COLUMN.spin];
      row[CONTACT.state] = values[at + COLUMN.regime];
      for (let k = 0; k < 3; k++) {
        const n = values[at + COLUMN.normal + k];
        row[CONTACT.point + k] = values[at + COLUMN.point + k];
        row[CONTACT.normal + k] = n;
        row[CONTACT.friction + k] = values[at + COLUMN.force + k] - normalForce * n;
        row[CONTACT.slip + k] = values[at + COLUMN.velocity + k] + values[at + COLUMN.approachSpeed] * n;
        row[CONTACT.patchCentroid + k] = values[at + COLUMN.patchCentroid + k];
      }
      for (let k = 0; k < 6; k++) row[CONTACT.secondMoments + k] = values[at + COLUMN.secondMoments + k];
      table.append(t, row);
    }
  }
}
