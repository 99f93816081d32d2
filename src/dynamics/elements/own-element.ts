/**
 * Holds a contact element of the user's own (model/contact-element.ts) as a force between two carriers: hands it its states, takes its forces and
 * rates, refuses what is not finite by name, and differentiates it where it does not do so itself.
 */
import type { ElementPlan, System } from '../../assembly/system.js';
import type { Carrier, ContactElement, ElementTouch } from '../../model/contact-element.js';
import type { Carriers } from '../tree/carriers.js';
import { DynamicsError } from '../tree/dynamics-error.js';
import { ElementDifferences } from './element-differences.js';
import { addHeld, type HeldElement, type PairDerivative, type PowerLedger } from './pair-element.js';
import { PointDerivatives } from './point-derivatives.js';
import { type MobilityAt, RigidCarrier } from './rigid-carrier.js';

export type OwnPlan = Extract<ElementPlan, { kind: 'own' }>;

/** What an element may offer beside `evaluate` */
const MEMBERS = [
  'differentiate',
  'energy',
  'made',
  'power',
  'accept',
  'snapshot',
  'restore',
  'stepLimit',
  'steppedOver',
  'signals',
  'touches',
] as const;

export class OwnElement implements HeldElement {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly states: number;
  readonly stateAt: number;
  readonly timeDependent: boolean;
  readonly relativeStates = true;
  readonly booksWork: boolean;
  readonly acting = new Float64Array(12);
  held = false;
  powerApart = false;
  /** Those that the element offers */
  readonly commit?: (t: number, y: Float64Array) => boolean;
  readonly stepLimit?: (t: number, y: Float64Array, f: Float64Array) => number;
  readonly steppedOver?: (t: number, y: Float64Array) => boolean;
  /** Counts changes of its history */
  version = 0;
  private readonly element: ContactElement;
  private readonly carrierA: RigidCarrier;
  private readonly carrierB: RigidCarrier;
  private readonly carriers: Carriers;
  private readonly differences: ElementDifferences;
  private readonly points: PointDerivatives;
  /** Copies of its states and their rates */
  private readonly own: Float64Array;
  private readonly ownRates: Float64Array;
  private readonly response: Float64Array;
  /** Whom it followed last, and that one's version */
  private followed: OwnElement | undefined;
  private followedVersion = -1;

  constructor(
    readonly plan: OwnPlan,
    system: Pick<System, 'nq' | 'nv' | 'bodies'>,
    carriers: Carriers,
    mobilityAt: MobilityAt,
  ) {
    this.name = plan.name;
    this.carriers = carriers;
    const sizeOf = (name: string): number => system.bodies.find((body) => body.name === name)?.size ?? 0;
    const [nameA, nameB] = plan.carrierNames;
    this.carrierA = new RigidCarrier(nameA, sizeOf(nameA), carriers, plan.a, mobilityAt);
    this.carrierB = new RigidCarrier(nameB, sizeOf(nameB), carriers, plan.b, mobilityAt);
    this.a = this.carrierA.index;
    this.b = this.carrierB.index;
    this.states = plan.states.length;
    this.stateAt = system.nq + system.nv + plan.state;
    this.timeDependent = plan.dependsOnTime;
    this.own = new Float64Array(this.states);
    this.ownRates = new Float64Array(this.states);
    this.response = new Float64Array(12 + this.states);
    this.element = this.create();
    this.booksWork = this.element.power === undefined;
    if (this.element.accept) this.commit = (t, y) => this.acceptStep(t, y);
    if (this.element.stepLimit) this.stepLimit = (t, y, f) => this.longestStep(t, y, f);
    if (this.element.steppedOver) this.steppedOver = (t, y) => this.element.steppedOver!(t, this.takeStates(y));
    const sizes = [this.carrierA.size, this.carrierB.size].filter((size) => size > 0);
    this.differences = new ElementDifferences(
      carriers,
      [this.a, this.b],
      sizes.length > 0 ? Math.min(...sizes) : 1,
      plan.states.map(({ scale }) => scale),
    );
    this.points = new PointDerivatives(carriers, this.carrierA, this.carrierB);
  }

  private create(): ContactElement {
    const { plan, name } = this;
    const carriers: { a: Carrier; b: Carrier } = { a: this.carrierA, b: this.carrierB };
    const element = plan.create(carriers) as unknown as Record<string, unknown> | undefined;
    if (typeof element !== 'object' || element === null || typeof element.evaluate !== 'function')
      throw new DynamicsError(
        `${name}.create`,
        'expected it to give an element { evaluate(t, states, rates), … }, got none',
      );
    for (const member of MEMBERS)
      if (element[member] !== undefined && typeof element[member] !== 'function')
        throw new DynamicsError(
          `${name}.create`,
          `expected "${member}" to be a function, got ${typeof element[member]}`,
        );
    if (element.accept && !(element.snapshot && element.restore))
      throw new DynamicsError(
        `${name}.create`,
        'expected "snapshot" and "restore" beside "accept": where bodies come together or apart its history goes to another element',
      );
    if (plan.signals.length > 0 && !element.signals)
      throw new DynamicsError(
        `${name}.create`,
        `expected a function "signals" that writes ${plan.signals.map((signal) => signal.name).join(', ')}, got none`,
      );
    return element as unknown as ContactElement;
  }

  // ---- within a step: nothing lasts -------------------------------------------------------------------------------------------------

  private takeStates(y: Float64Array): Float64Array {
    const { own, stateAt } = this;
    for (let k = 0; k < own.length; k++) own[k] = y[stateAt + k];
    return own;
  }

  /** Wrenches and rates at the carriers' present motion */
  private respond(t: number, states: Float64Array): void {
    const { carrierA, carrierB, ownRates } = this;
    carrierA.clear();
    carrierB.clear();
    ownRates.fill(0);
    this.element.evaluate(t, states, ownRates);
  }

  private readonly respondInto = (t: number, states: Float64Array, out: Float64Array): void => {
    this.respond(t, states);
    out.set(this.carrierA.wrench, 0);
    out.set(this.carrierB.wrench, 6);
    out.set(this.ownRates, 12);
  };

  evaluate(t: number, y: Float64Array, rates: Float64Array): void {
    if (this.held) {
      addHeld(this, this.carriers.load);
      return;
    }
    this.respond(t, this.takeStates(y));
    const { carrierA, carrierB, ownRates, stateAt, plan, acting } = this;
    for (let k = 0; k < 6; k++) {
      this.requireFinite(carrierA.wrench[k], t, 'evaluate', `its force or torque on "${carrierA.name}"`);
      this.requireFinite(carrierB.wrench[k], t, 'evaluate', `its force or torque on "${carrierB.name}"`);
      acting[k] = carrierA.wrench[k];
      acting[6 + k] = carrierB.wrench[k];
    }
    addHeld(this, this.carriers.load);
    for (let k = 0; k < ownRates.length; k++) {
      if (!Number.isFinite(ownRates[k]))
        this.requireFinite(ownRates[k], t, 'evaluate', `the rate of "${plan.states[k].name}"`);
      rates[stateAt + k] = ownRates[k];
    }
  }

  private requireFinite(value: number, t: number, member: string, what: string): void {
    if (Number.isFinite(value)) return;
    throw new DynamicsError(`${this.name}.${member}`, `t = ${t} s: expected ${what} to be finite, got ${value}`);
  }

  differentiate(t: number, y: Float64Array, out: PairDerivative): void {
    const states = this.takeStates(y);
    this.respond(t, states);
    out.wrench.set(this.carrierA.wrench, 0);
    out.wrench.set(this.carrierB.wrench, 6);
    if (this.element.differentiate) {
      this.points.begin(out);
      this.element.differentiate(t, states, this.points);
    } else this.differences.fill(t, states, this.timeDependent, this.respondInto, out);
  }

  energy(t: number, y: Float64Array): number {
    if (!this.element.energy) return 0;
    const energy = this.element.energy(t, this.takeStates(y));
    this.requireFinite(energy, t, 'energy', 'its stored energy');
    return energy;
  }

  /** J that it made from nothing until its last accepted step, where it tells */
  get made(): number {
    return this.element.made?.() ?? 0;
  }

  power(t: number, y: Float64Array, ledger: PowerLedger): void {
    if (this.powerApart) return;
    const states = this.takeStates(y);
    if (this.element.power) {
      this.element.power(t, states, ledger);
      this.requireFinite(ledger.dissipated + ledger.supplied + ledger.friction, t, 'power', 'what it adds');
      return;
    }
    // all that it takes from the bodies; what it stores is booked against it
    this.respond(t, states);
    const { twist } = this.carriers;
    for (let k = 0; k < 6; k++)
      ledger.dissipated -=
        this.carrierA.wrench[k] * twist[6 * this.a + k] + this.carrierB.wrench[k] * twist[6 * this.b + k];
  }

  stateScale(k: number): number {
    return this.plan.states[k].scale;
  }

  // ---- between steps ----------------------------------------------------------------------------------------------------------------

  private acceptStep(t: number, y: Float64Array): boolean {
    const { stateAt } = this;
    const states = this.takeStates(y);
    const changed = this.element.accept!(t, states) === true;
    this.version++;
    for (let k = 0; k < states.length; k++) {
      this.requireFinite(states[k], t, 'accept', `"${this.plan.states[k].name}"`);
      y[stateAt + k] = states[k];
    }
    return changed;
  }

  private longestStep(t: number, y: Float64Array, f: Float64Array): number {
    const { ownRates, stateAt } = this;
    for (let k = 0; k < ownRates.length; k++) ownRates[k] = f[stateAt + k];
    const limit = this.element.stepLimit!(t, this.takeStates(y), ownRates);
    if (!(limit > 0))
      throw new DynamicsError(`${this.name}.stepLimit`, `t = ${t} s: expected a time > 0 s or Infinity, got ${limit}`);
    return limit;
  }

  snapshot(): unknown {
    return this.element.snapshot?.();
  }

  restore(snapshot: unknown): void {
    this.version++;
    this.element.restore?.(snapshot);
  }

  /** Has the history of the same element in another system from here on. */
  follow(other: OwnElement): void {
    if (!this.element.accept || (this.followed === other && this.followedVersion === other.version)) return;
    this.restore(other.snapshot());
    this.followed = other;
    this.followedVersion = other.version;
  }

  // ---- what others ask --------------------------------------------------------------------------------------------------------------

  /** Force and torque on B about the origin of its frame: 3 and 3; its states; its signals; from out[at …] */
  writeSignals(t: number, y: Float64Array, out: Float64Array, at: number): void {
    const { carrierB, response, plan, element } = this;
    const states = this.takeStates(y);
    this.respond(t, states);
    const { wrench } = carrierB;
    carrierB.leverOf(ORIGIN, response);
    for (let k = 0; k < 3; k++) {
      const n = (k + 1) % 3;
      const p = (k + 2) % 3;
      out[at + k] = wrench[3 + k];
      out[at + 3 + k] = wrench[k] - (response[n] * wrench[3 + p] - response[p] * wrench[3 + n]);
    }
    for (let k = 0; k < states.length; k++) out[at + 6 + k] = states[k];
    if (plan.signals.length === 0) return;
    const first = at + 6 + states.length;
    const signals = out.subarray(first, first + plan.signals.length);
    element.signals!(t, states, signals);
    for (let k = 0; k < signals.length; k++) this.requireFinite(signals[k], t, 'signals', `"${plan.signals[k].name}"`);
  }

  get tellsTouches(): boolean {
    return this.element.touches !== undefined;
  }

  touches(t: number, y: Float64Array, add: (touch: ElementTouch) => void): void {
    this.element.touches?.(t, this.takeStates(y), add);
  }
}

const ORIGIN = [0, 0, 0];
