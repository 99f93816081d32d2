/**
 * The functions of the user's in a mechanism, read by themselves: forces and torques along joints, targets of motors, prescribed motions,
 * laws along lines, applied forces and torques. Integrators probe them for jumps (src/integration/function-probe.ts).
 *
 * A prescribed motion must not jump in position or speed: no finite force follows it. Its acceleration may.
 */
import type { Motion, System } from '../../assembly/system.js';
import { DynamicsError, nodeNames } from '../tree/dynamics-error.js';
import type { JointForce } from './joint-forces.js';
import type { PairElement } from './pair-element.js';

/** Joint coordinates are read from the state as they are; points of bodies want the poses of all. */
const JOINT_READS = 10000;
const PLACED_READS = 40;

/** An element that asks functions of the user's. */
interface Asking {
  /** How many numbers they give */
  readonly given: number;
  /** They depend on more than time. */
  readonly givenOfState: boolean;
  /** Writes the numbers at time t into out[at …], the carriers being where they are. */
  readGiven(t: number, out: Float64Array, at: number): void;
}

/** What they are part of */
interface Mechanism {
  readonly system: System;
  readonly jointForces: readonly JointForce[];
  update(t: number, y: Float64Array): void;
}

export class GivenFunctions {
  readonly count: number;
  readonly readsPerStep: number;
  readonly #mechanics: Mechanism;
  readonly #joints: readonly JointForce[];
  readonly #motions: readonly { readonly motion: Motion; readonly name: string }[];
  readonly #pairs: readonly Asking[];
  /** Some pair reads the motion of its carriers. */
  readonly #placed: boolean;
  readonly #names: string[] = [];
  /** First value of the motions */
  readonly #motionsAt: number;
  #time = 0;
  #held = new Float64Array(0);
  readonly #sample = new Float64Array(3);

  constructor(mechanics: Mechanism, pairs: readonly PairElement[]) {
    this.#mechanics = mechanics;
    const { system } = mechanics;
    this.#joints = mechanics.jointForces.filter(({ timeDependent }) => timeDependent);
    const names = nodeNames(system);
    const followed = system.motions.map((motion, i) => ({ motion, name: names[system.tree.motion.indexOf(i)] }));
    this.#motions = followed.filter(({ motion }) => motion.given);
    this.#pairs = pairs.filter((pair): pair is PairElement & Asking => ((pair as Partial<Asking>).given ?? 0) > 0);
    this.#placed = this.#pairs.some(({ givenOfState }) => givenOfState);
    const ofState = this.#placed || this.#joints.some(({ plan }) => (plan.force?.length ?? 0) > 1);
    this.readsPerStep = ofState ? (this.#placed ? PLACED_READS : JOINT_READS) : 0;
    for (const { name } of this.#joints) this.#names.push(name, name, name);
    this.#motionsAt = this.#names.length;
    for (const { name } of this.#motions) this.#names.push(name, name, name);
    for (const pair of this.#pairs)
      for (let i = 0; i < pair.given; i++) this.#names.push((pair as unknown as PairElement).name);
    this.count = this.#names.length;
  }

  /** `joints.arm`, `forces.wind` */
  name(i: number): string {
    return this.#names[i];
  }

  hold(t: number, y: Float64Array): void {
    this.#time = t;
    if (this.#held.length !== y.length) this.#held = new Float64Array(y.length);
    this.#held.set(y);
  }

  sample(t: number, out: Float64Array): void {
    try {
      this.#ask(t, out);
    } catch {
      out.fill(Number.NaN); // a function that is not defined there: where the run comes to it, it will say so
    }
  }

  #ask(t: number, out: Float64Array): void {
    const y = this.#held;
    let at = 0;
    for (const { plan, xAt, vAt } of this.#joints) {
      const { motor, force } = plan;
      out[at++] = motor ? motor.target(t) : 0;
      out[at++] = motor ? motor.speed(t) : 0;
      out[at++] = force ? force(t, y[xAt], y[vAt]) : 0;
    }
    for (const { motion } of this.#motions) {
      motion.given!(t, this.#sample);
      for (let j = 0; j < 3; j++) out[at++] = this.#sample[j];
    }
    if (this.#placed) this.#mechanics.update(this.#time, y);
    for (const pair of this.#pairs) {
      pair.readGiven(t, out, at);
      at += pair.given;
    }
  }

  refuse(i: number, t: number, before: number, after: number): void {
    const part = i - this.#motionsAt;
    if (part < 0 || part >= 3 * this.#motions.length || part % 3 === 2) return;
    const what = part % 3 === 0 ? 'position' : 'speed';
    throw new DynamicsError(
      this.name(i),
      `its prescribed ${what} jumps from ${Number(before.toPrecision(6))} to ${Number(after.toPrecision(6))} at ` +
        `t = ${Number(t.toPrecision(9))} s, which takes a force without bound; let it change over some time, or drive the joint by a motor`,
    );
  }
}
