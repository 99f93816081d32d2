/**
 * Contact of a flexible body with another as a force between carriers: the frame of the flexible one and what carries the other, and the
 * coordinates of both. Of planar parts all of it happens in their plane (flexible-bodies/contact/plane-contact.ts); forces act in the
 * middle of the thickness that both have, and bodies that tilt against each other are refused. Solids touch in space
 * (flexible-bodies/contact/solid/solid-contact.ts).
 *
 * Restitution is what waves and damping leave of an impact; the pair has none of its own unless the model gives it one.
 */
import type { ElementPlan, System } from '../../assembly/system.js';
import { damperRatio } from '../../contact-laws/normal/restitution.js';
import type { ContactRegions } from '../../flexible-bodies/contact/contact-regions.js';
import type { FrictionOfPair, LocalContact } from '../../flexible-bodies/contact/local-contact.js';
import type { PlaneContact } from '../../flexible-bodies/contact/plane-contact.js';
import type { FlexibleInertia } from '../flexible/flexible-inertia.js';
import type { Carriers } from '../tree/carriers.js';
import { DynamicsError } from '../tree/dynamics-error.js';
import { sameBits } from '../tree/ends-of-step.js';
import { type ContactFrames, framesOf } from './contact-frames.js';
import { planeStiffness, softSide, solidSide, solidStiffness } from './flexible-sides.js';
import type { PairDerivative, PairElement, PowerLedger } from './pair-element.js';
import { PlaneFrames } from './plane-frames.js';
import { RestingScale } from './resting-scale.js';
import { SeenContact } from './seen-contact.js';
import { SpaceFrames } from './space-frames.js';

export type FlexibleContactPlan = Extract<ElementPlan, { kind: 'flexibleContact' }>;

/** Part of the deepest that an impact gets to by which it may begin in one step */
const LANDING = 0.1;
/** Of the longest side of the mesh */
const MOST_DEPTH = 0.5;
/** Ratio of the damping of a pair that hardly rebounds */
const MOST_DAMPING = 3;
/** Of a bristle */
const DAMPING_RATIO = 0.7;
/** Stiffness of a bristle over that along the normal */
const TANGENTIAL = 0.8;

export class FlexibleContact implements PairElement {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly modes: { readonly velocities: Int32Array; readonly ofA: number };
  readonly states: number;
  readonly stateAt: number;
  readonly timeDependent = false;
  readonly booksWork: boolean;
  readonly local: LocalContact;
  readonly plan: FlexibleContactPlan;
  idle = false;
  /** Somebody solves for its force, a time-stepping run: it pushes nothing; its power is booked elsewhere. */
  apart = false;
  powerApart = false;
  readonly frames: ContactFrames;
  /** Of contact in the plane: which of its bristles is whose */
  readonly regions: { readonly of: PlaneContact; readonly slots: ContactRegions } | undefined;
  private readonly flexibleA: FlexibleInertia;
  private readonly flexibleB: FlexibleInertia | undefined;
  private readonly carriers: Carriers;
  private readonly applied: () => Float64Array;
  /** As of the last accepted step; unknown before the first */
  private touching: boolean | undefined;
  readonly contact: RestingScale;
  /** What accepted steps have shown so far */
  readonly seen = new SeenContact();
  /** Counts what has been committed; whom it followed last, and that one's version */
  private version = 0;
  private followed: FlexibleContact | undefined;
  private followedVersion = -1;
  /** Lighter of the two, kg; stiffness of a middle point of the surface, of two that deform one behind the other, N/m */
  readonly mass: number;
  readonly stiffness: number;
  readonly swing: number;
  /** State of the last answer */
  private known = new Float64Array(0);
  private knownAt = Number.NaN;
  private readonly jacobian: Float64Array;
  private readonly input: Float64Array;
  private readonly output: Float64Array;

  constructor(
    plan: FlexibleContactPlan,
    system: System,
    carriers: Carriers,
    flexible: readonly FlexibleInertia[],
    applied: () => Float64Array,
  ) {
    this.plan = plan;
    this.name = plan.name;
    this.carriers = carriers;
    this.applied = applied;
    this.a = carriers.indexOf(plan.a);
    this.b = carriers.indexOf(plan.b);
    const named = (name: string): FlexibleInertia => flexible.find((one) => one.plan.name === name)!;
    this.flexibleA = named(plan.flexible[0]);
    this.flexibleB = plan.flexible[1] === undefined ? undefined : named(plan.flexible[1]);
    const massOf = (i: number): number =>
      i < carriers.nodes ? system.tree.mass[i] : i < carriers.ground ? system.free.mass[i - carriers.nodes] : 0;
    const other = massOf(this.b);
    this.mass = other > 0 ? Math.min(massOf(this.a), other) : massOf(this.a);
    const rubbing = (stiffness: number, bristles: number): FrictionOfPair | undefined => {
      const tangential = TANGENTIAL * stiffness;
      return plan.friction > 0
        ? {
            coefficient: plan.friction,
            stiffness: new Float64Array(bristles).fill(tangential),
            damping: new Float64Array(bristles).fill(2 * DAMPING_RATIO * Math.sqrt(tangential * this.mass)),
          }
        : undefined;
    };
    const { touching } = plan;
    if (this.flexibleA.plan.part.kind === 'solid') {
      const a = solidSide(this.flexibleA, touching);
      const b = plan.form ?? solidSide(this.flexibleB!, touching);
      const own = solidStiffness(a, plan.form, this.mass, touching);
      this.stiffness = 'kind' in b ? own : inSeries(own, solidStiffness(b, undefined, this.mass, touching));
      const local = new touching.SolidContact(a, b, rubbing(this.stiffness, touching.bristlesOf(plan.form)));
      const frames = new SpaceFrames(carriers, this.a, this.b, plan.a, plan.b);
      this.local = local;
      this.frames = framesOf(local, frames);
    } else {
      const a = softSide(this.flexibleA, touching);
      const soft = this.flexibleB && softSide(this.flexibleB, touching);
      const own = planeStiffness(a, touching);
      this.stiffness = soft ? inSeries(own, planeStiffness(soft, touching)) : own;
      const b = soft ?? new touching.RigidOutline(plan.shape!);
      const local = new touching.PlaneContact(a, b, rubbing(this.stiffness, touching.SLOTS), plan.nodalForces);
      const frames = new PlaneFrames(carriers, this.a, this.b, plan.a, plan.b, plan.height);
      this.local = local;
      this.regions = { of: local, slots: new touching.ContactRegions() };
      this.frames = framesOf(local, frames);
    }
    this.swing = Math.sqrt(this.stiffness / this.mass);
    const pull = system.gravity.kind === 'uniform' ? system.gravity.acceleration : [0, 0, 0];
    this.contact = new RestingScale(this.local, this.frames, pull, this.mass, this.stiffness);
    // a rigid body of that mass on that spring would rebound so
    if (plan.restitution !== undefined)
      this.local.relaxation = 2 * damperRatio(plan.restitution, MOST_DAMPING) * Math.sqrt(this.mass / this.stiffness);
    // nor does a rule of nodal forces other than the shape functions' keep energy
    this.booksWork = this.local.relaxation > 0 || plan.nodalForces === 'elmqvist';
    this.states = plan.states;
    this.stateAt = system.nq + system.nv + plan.state;
    this.modes = {
      velocities: Int32Array.from([...this.flexibleA.velocity, ...(this.flexibleB?.velocity ?? [])]),
      ofA: this.flexibleA.count,
    };
    this.jacobian = new Float64Array(this.local.inputs * this.local.outputs);
    this.input = new Float64Array(this.local.inputs);
    this.output = new Float64Array(this.local.outputs);
  }

  // ---- within a step --------------------------------------------------------------------------------------------------------------

  /** The plane's inputs at the carriers' present motion */
  private read(y: Float64Array): void {
    this.readMotion();
    const { local } = this;
    for (let k = 0; k < this.states; k++) local.bristle[k] = y[this.stateAt + k];
  }

  private readMotion(): void {
    const { local, frames, flexibleA, flexibleB } = this;
    if (!frames.update())
      throw new DynamicsError(
        this.name,
        'the bodies tilt against each other, but flexible bodies touch in their common plane only; hold both in it by their joints, or write contact: false',
      );
    local.qA.set(flexibleA.q);
    local.etaA.set(flexibleA.eta);
    if (flexibleB) {
      local.qB.set(flexibleB.q);
      local.etaB.set(flexibleB.eta);
    }
  }

  /** Nothing to do where it was asked last */
  private respond(t: number, y: Float64Array): void {
    if (this.known.length === y.length && t === this.knownAt && sameBits(y, this.known)) return;
    this.knownAt = Number.NaN;
    this.read(y);
    if (!this.local.evaluate())
      throw new DynamicsError(this.name, `t = ${t} s: the pressure between the bodies could not be found`);
    if (this.known.length !== y.length) this.known = new Float64Array(y.length);
    this.known.set(y);
    this.knownAt = t;
  }

  evaluate(t: number, y: Float64Array, rates: Float64Array): void {
    if (this.apart) return;
    this.respond(t, y);
    const { local, frames, modes, carriers } = this;
    const { out, nA, nB, wrenches } = local;
    for (let k = 0; k < this.states; k++) rates[this.stateAt + k] = out[wrenches + nA + nB + k];
    if (local.count === 0) return;
    frames.wrenches(out);
    for (let k = 0; k < 6; k++) {
      carriers.load[6 * this.a + k] += frames.wrench[k];
      carriers.load[6 * this.b + k] += frames.wrench[6 + k];
    }
    const applied = this.applied();
    for (let k = 0; k < nA + nB; k++) applied[modes.velocities[k]] += out[wrenches + k];
  }

  differentiate(t: number, y: Float64Array, out: PairDerivative): void {
    this.respond(t, y);
    const { local, frames, jacobian, input, output, states } = this;
    const { inputs, outputs, nA, nB, poses, speeds, wrenches } = local;
    this.idle = local.count === 0;
    const first = poses + speeds + 2 * (nA + nB);
    const rows = wrenches + nA + nB;
    if (this.idle) {
      const { friction } = local;
      if (friction)
        for (let k = 0; k < states; k++)
          out.ratesByState[k * states + k] = -friction.stiffness[k] / friction.damping[k];
      return;
    }
    for (let i = 0; i < inputs; i++) {
      if (i >= first && states === 0) break;
      input.fill(0);
      input[i] = 1;
      local.move(input, output);
      for (let o = 0; o < outputs; o++) jacobian[o * inputs + i] = output[o];
    }
    frames.wrenches(local.out);
    frames.differentiate(jacobian, out);
    const modal = out.modal!;
    const n = nA + nB;
    const velocities = poses + speeds + n;
    for (let k = 0; k < n; k++) {
      modal.force[k] = local.out[wrenches + k];
      for (let l = 0; l < n; l++) {
        modal.byQ[k * n + l] = jacobian[(wrenches + k) * inputs + poses + l];
        modal.byEta[k * n + l] = jacobian[(wrenches + k) * inputs + velocities + l];
      }
      for (let s = 0; s < states; s++) modal.byState[k * states + s] = jacobian[(wrenches + k) * inputs + first + s];
    }
    for (let s = 0; s < states; s++) {
      const row = (rows + s) * inputs;
      for (let l = 0; l < n; l++) {
        modal.ratesByQ[s * n + l] = jacobian[row + poses + l];
        modal.ratesByEta[s * n + l] = jacobian[row + velocities + l];
      }
      for (let k = 0; k < states; k++) out.ratesByState[s * states + k] = jacobian[row + first + k];
    }
  }

  energy(t: number, y: Float64Array): number {
    this.respond(t, y);
    return this.local.energy;
  }

  power(t: number, y: Float64Array, ledger: PowerLedger): void {
    if (this.powerApart) return;
    this.respond(t, y);
    const { local } = this;
    // with damping of its own the pair has no potential: all that it takes is booked, what it holds is booked against that
    ledger.dissipated += this.booksWork ? local.pressed + local.rubbed : local.dissipated;
    ledger.friction += local.dissipated;
  }

  /** µ N/k at the force that the lighter body's impact at 1 mm/s has, at least */
  stateScale(): number {
    const { friction } = this.local;
    let most = 0;
    for (let i = 0; i < this.local.count; i++) most += this.local.touches[i].force;
    const force = Math.max(most, 1e-3 * Math.sqrt(this.stiffness * this.mass));
    return friction ? (friction.coefficient * force) / friction.stiffness[0] : 1;
  }

  // ---- as drawn -------------------------------------------------------------------------------------------------------------------

  get bodies(): readonly [string, string] {
    return this.plan.bodies;
  }

  /** As a user is told */
  get shownName(): string {
    return this.plan.carrierNames.join('–');
  }

  /** Deeper than this no step is believed, m */
  get mostDepth(): number {
    return MOST_DEPTH * this.local.longestSide;
  }

  /** The deepest point, m, and the direction in which the second body is pushed; 0 where they do not touch. Carriers must be at (t, y). */
  overlap(t: number, y: Float64Array, normal: Float64Array): number {
    this.knownAt = Number.NaN;
    this.respond(t, y);
    const { local, frames } = this;
    frames.wrenches(local.out);
    const [x, u, z] = frames.wrench.subarray(9, 12);
    const size = Math.sqrt(x * x + u * u + z * z);
    if (!(size > 0)) return 0;
    normal[0] = x / size;
    normal[1] = u / size;
    normal[2] = z / size;
    return local.deepest;
  }

  /** Sum of the forces that press, N; carriers must be at (t, y) */
  pressing(t: number, y: Float64Array): number {
    this.respond(t, y);
    let force = 0;
    for (let i = 0; i < this.local.count; i++) force += this.local.touches[i].force;
    return force;
  }

  // ---- between steps --------------------------------------------------------------------------------------------------------------

  /** How deep an impact at a speed gets, m */
  private impactDepth(speed: number): number {
    return Math.abs(speed) * Math.sqrt(this.mass / this.stiffness);
  }

  stepLimit(t: number, y: Float64Array): number {
    this.knownAt = Number.NaN;
    if (this.touching === undefined) {
      // drawn into each other: no step has come over that
      this.respond(t, y);
      this.touching = this.local.deepest > 0;
      this.knownAt = Number.NaN;
    } else this.read(y);
    let least = Number.POSITIVE_INFINITY;
    this.local.approach((gap, closing) => {
      if (closing > 0) least = Math.min(least, (gap + LANDING * this.impactDepth(closing)) / closing);
      return least;
    });
    return least;
  }

  steppedOver(t: number, y: Float64Array): boolean {
    this.respond(t, y);
    const { local } = this;
    if (local.deepest > this.mostDepth) return true;
    if (this.touching || local.count === 0) return false;
    // a first touch that is deep: how fast it came there
    let speed = 0;
    for (let i = 0; i < local.count; i++) speed = Math.max(speed, Math.abs(local.touches[i].closing));
    return local.deepest > 3 * LANDING * this.impactDepth(speed) + 1e-4 * local.longestSide;
  }

  commit(t: number, y: Float64Array): boolean {
    this.respond(t, y);
    // also while it lets go faster than its damping follows
    const { touching } = this;
    this.touching = this.local.deepest > 0;
    this.seen.watch(t, this.touching && !touching, this.pressing(t, y), this.local, y, this.stateAt);
    this.contact.follow();
    this.version++;
    this.knownAt = Number.NaN;
    return this.regions?.slots.follow(this.regions.of, y, this.stateAt) ?? false;
  }

  snapshot(): unknown {
    return [this.touching, this.regions?.slots.snapshot(), this.seen.snapshot(), this.contact.snapshot()];
  }

  restore(snapshot: unknown): void {
    const [touching, regions, seen, scale] = snapshot as [boolean | undefined, unknown, unknown, unknown];
    this.touching = touching;
    this.seen.restore(seen);
    if (scale !== undefined) this.contact.restore(scale);
    this.version++;
    this.regions?.slots.restore(this.regions.of, regions);
    this.knownAt = Number.NaN;
  }

  /** Goes on as the same pair of another part of the model did. */
  follow(other: FlexibleContact): void {
    if (this.followed === other && this.followedVersion === other.version) return;
    this.restore(other.snapshot());
    this.followed = other;
    this.followedVersion = other.version;
  }

  // ---- for a time step ------------------------------------------------------------------------------------------------------------

  /** Forces at (t, y), where the carriers are, into `local` */
  press(t: number, y: Float64Array): void {
    this.knownAt = Number.NaN;
    this.respond(t, y);
  }

  /** Places that are nearer than `near` m at the carriers' present motion, into `local` */
  lookAhead(near: number): void {
    this.knownAt = Number.NaN;
    this.readMotion();
    this.local.ahead.look(near);
  }

  /** s until they meet if the carriers go on as they do; ∞: they do not close in */
  meetsWithin(): number {
    this.knownAt = Number.NaN;
    this.readMotion();
    let least = Number.POSITIVE_INFINITY;
    this.local.approach((gap, closing) => {
      if (closing > 0) least = Math.min(least, gap / closing);
      return least;
    });
    return least;
  }

  // ---- for signals ------------------------------------------------------------------------------------------------------------------

  /** Force on the body that is named second (world), how many points press, the deepest, the largest pressure: 6 numbers */
  writeSignals(t: number, y: Float64Array, out: Float64Array, at: number): void {
    this.respond(t, y);
    const { local, frames } = this;
    frames.wrenches(local.out);
    const from = this.plan.turned ? 3 : 9;
    for (let k = 0; k < 3; k++) out[at + k] = frames.wrench[from + k];
    out[at + 3] = local.count;
    out[at + 4] = local.deepest;
    out[at + 5] = local.pressure;
  }

  /** Force at which a contact with what is round becomes as wide as the longest side, a = h: π E t h²/(4 r), N, and r, m; none: nothing is round there */
  get wideFrom(): { readonly force: number; readonly radius: number; readonly side: number } | undefined {
    const { local, flexibleA } = this;
    const { roundest: radius, longestSide: side } = local;
    const { part } = flexibleA.plan;
    if (!(radius > 0) || part.kind !== 'plane') return undefined;
    const { youngsModulus, thickness } = part.material;
    return { force: (Math.PI * youngsModulus * thickness * side * side) / (4 * radius), radius, side };
  }

  /** Adds nodal forces on a flexible body of that name, if it is one of the two, at (t, y), where the carriers are. True if there are any. */
  addNodalForces(t: number, y: Float64Array, name: string, out: Float64Array): boolean {
    if (!this.plan.flexible.includes(name)) return false;
    this.respond(t, y);
    if (this.local.count === 0) return false;
    if (this.plan.flexible[0] === name) this.local.addNodalForces('a', out);
    else this.local.addNodalForces('b', out);
    return true;
  }
}

const inSeries = (one: number, other: number): number => 1 / (1 / one + 1 / other);
