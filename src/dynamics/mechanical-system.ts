/**
 * A system that moves: y' = f(t, y) with exact derivatives, for any integrator.
 *
 *   forces → accelerations of tree (articulated bodies) and free bodies → loops → rates
 *
 * `rates`, `linear`, `errorNorm`, `project` and `partition` have the shapes that integrators ask for. Two things are frozen between
 * calls of `project`, so that all stages of a step see the same problem: the set of independent loop rows, and the inertia that joint
 * stops and joint friction feel.
 */
import type { Constraint, System } from '../assembly/system.js';
import type { Tape } from '../math/tape.js';
import type { Vec3 } from '../math/vec3.js';
import { ArticulatedBody } from './articulated/articulated-body.js';
import { ActingElements } from './elements/acting-elements.js';
import { GivenFunctions } from './elements/given-functions.js';
import type { JointForce } from './elements/joint-forces.js';
import { LastingElements } from './elements/lasting-elements.js';
import type { OwnElement } from './elements/own-element.js';
import type { PairElement } from './elements/pair-element.js';
import { BodyErrorNorm, type Tolerance } from './error-norm.js';
import { ContactMobility } from './loops/contact-mobility.js';
import { LoopClosure } from './loops/loop-closure.js';
import { Loops } from './loops/loops.js';
import { Configuration } from './step/configuration.js';
import { DeadPoint } from './step/dead-point.js';
import { StepMatrix } from './step/step-matrix.js';
import { TimeDerivative } from './step/time-derivative.js';
import { Carriers } from './tree/carriers.js';
import { drivenCarriers, drivesItself, isDrivenStraight } from './tree/driven.js';
import { DrivenMotion } from './tree/driven-motion.js';
import { DynamicsError, NoAccelerationError } from './tree/dynamics-error.js';
import { sameBits } from './tree/ends-of-step.js';
import { FreeBodies } from './tree/free-bodies.js';
import { FreeRotation } from './tree/free-rotation.js';
import { GravityField } from './tree/gravity.js';
import { jointWrenches } from './tree/inverse-dynamics.js';
import { TreeDerivatives } from './tree/tree-derivatives.js';
import { TreeKinematics } from './tree/tree-kinematics.js';

export interface MechanicalOptions {
  readonly tolerance?: Partial<Tolerance>;
  /** From how many velocities a tree is solved by the O(n) sweep instead of a dense matrix */
  readonly sweepFrom?: number;
  /** From how many mechanisms that touch an island is solved by blocks instead of a dense matrix */
  readonly sparseFrom?: number;
  /** Forces beyond those of the system's plans, such as contacts; their states must be counted in `ns` or in the reserved states. */
  readonly elements?: (carriers: Carriers) => readonly PairElement[];
  /** Forces beyond those of the plans that stay for good, with history and steps of their own if they like; their states must be counted in `ns`. */
  readonly held?: (mechanics: MechanicalSystem) => readonly PairElement[];
  /** Places for the states of elements that come and go, behind the `ns` states of the system; the rates of unused ones are zero. */
  readonly reservedStates?: number;
}

/** Looks ahead of a step and back on it; contacts do. */
export interface StepGuard {
  stepLimit(t: number, y: Float64Array, f: Float64Array, planned: number): number;
  /** The end of a step shows that it was too long. */
  tooDeep(t: number, y: Float64Array): boolean;
}

export class MechanicalSystem {
  readonly system: System;
  guard: StepGuard | undefined;
  /** 1 per free body that rests: it stands still whatever acts on it. Undefined where none does. */
  resting: Uint8Array | undefined;
  /** Elastic energy of what rests, J, and the part of it whose work is booked whole */
  restingEnergy = 0;
  restingWork = 0;
  /** Springs, stops, friction and motors of joints, and the losses of flexible bodies, are left to somebody who solves for them: a time-stepping run */
  jointsApart = false;
  /** 6 per carrier, world axes, torque about the reference point and force: what else acts, such as contact that is no element */
  otherLoads: Float64Array | undefined;
  /** By velocity of the tree: what else drives joints, N or N m */
  otherDrives: Float64Array | undefined;
  /** nq + nv + ns and the reserved states */
  size: number;
  /** Why the last `rates` had none */
  refused: NoAccelerationError | undefined;
  readonly nq: number;
  readonly nv: number;
  readonly carriers: Carriers;
  readonly kinematics: TreeKinematics;
  readonly articulated: ArticulatedBody;
  readonly freeBodies: FreeBodies;
  readonly freeRotation: FreeRotation;
  readonly gravity: GravityField;
  readonly derivatives: TreeDerivatives;
  readonly loops: Loops;
  readonly matrix: StepMatrix;
  private readonly configuration: Configuration;
  readonly drivenMotion: DrivenMotion;
  readonly jointForces: readonly JointForce[];
  /** Elements of the system's plans, those held, then those of `setElements`; always the same array */
  readonly pairs: readonly PairElement[];
  private readonly acting: ActingElements;
  /** What of them stays for good */
  readonly lasting: LastingElements;
  /** Steps are of one length: an element cannot have them taken back. */
  fixedSteps = false;
  /** Functions of the user's; undefined where there are none */
  readonly given: GivenFunctions | undefined;
  /** All that is driven slides at constant speed. */
  readonly drivenStraight: boolean;
  norm: BodyErrorNorm;
  private deadPoint: DeadPoint;
  private readonly timeDerivative: TimeDerivative;
  /** Solves with I − e J */
  readonly linear: {
    exact: boolean;
    linearise(t: number, y: Float64Array, rates: Float64Array, byTime: Float64Array): void;
    factorise(e: number): boolean;
    solve(r: Float64Array): void;
  };
  /** For fixed-step methods that move positions and velocities in turn */
  readonly partition: {
    drift(y: Float64Array, h: number): void;
    readonly velocityStart: number;
    readonly velocityCount: number;
  };
  /** Generalised forces of the last evaluation, per velocity of the tree */
  readonly applied: Float64Array;
  /** 6 per node: wrench carried by each joint at the node's origin, after `linearise` or `wrenches` */
  readonly wrench: Float64Array;
  /** Zero where gravity is not uniform */
  private readonly uniformGravity: Float64Array;
  private readonly closure: LoopClosure;
  private steady: Float64Array;
  private readonly mobility: ContactMobility;
  /** Time and state at which the carriers are, if `placed` */
  private time = 0;
  private present: Float64Array;
  private placed = false;
  /** Loads and accelerations are those of that state, too */
  private solved = false;

  constructor(system: System, options: MechanicalOptions = {}) {
    this.system = system;
    this.nq = system.nq;
    this.nv = system.nv;
    this.size = system.nq + system.nv + system.ns + (options.reservedStates ?? 0);
    this.carriers = new Carriers(system);
    this.kinematics = new TreeKinematics(system, this.carriers);
    this.articulated = new ArticulatedBody(this.kinematics);
    this.freeBodies = new FreeBodies(system, this.carriers);
    this.gravity = new GravityField(system, this.kinematics);
    this.uniformGravity = Float64Array.from(
      system.gravity.kind === 'uniform' ? system.gravity.acceleration : [0, 0, 0],
    );
    this.derivatives = new TreeDerivatives(this.kinematics);
    this.loops = new Loops(system, this.carriers, this.derivatives, this.articulated);
    this.lasting = new LastingElements(
      system,
      {
        carriers: this.carriers,
        kinematics: this.kinematics,
        mobility: (carrier, place, direction) => this.mobility.at(carrier, place, direction),
        applied: () => this.applied,
      },
      () => options.held?.(this),
    );
    const jointForces = this.lasting.joints;
    const lasting = this.lasting.pairs;
    const driven = drivenCarriers(system, this.carriers);
    this.drivenStraight = isDrivenStraight(system);
    this.jointForces = jointForces;
    const given = new GivenFunctions(this, lasting);
    this.given = given.count > 0 ? given : undefined;
    const alwaysTimeDependent =
      drivesItself(system, driven) ||
      jointForces.some(({ timeDependent }) => timeDependent) ||
      lasting.some(({ timeDependent }) => timeDependent);
    const passing = options.elements?.(this.carriers) ?? [];
    this.acting = new ActingElements(this.carriers, lasting, passing, driven, alwaysTimeDependent);
    this.pairs = this.acting.all;
    this.freeRotation = new FreeRotation(this.freeBodies.moments, this.acting.turnable);
    this.matrix = new StepMatrix(this, this.pairs, options);
    this.configuration = new Configuration(system.nq, system.nv, this.matrix.columns);
    this.drivenMotion = new DrivenMotion(system, driven, this.derivatives);
    this.timeDerivative = new TimeDerivative({ ...this, driven: this.drivenMotion, loads: this.matrix.loads });
    this.mobility = new ContactMobility(this);
    this.applied = new Float64Array(system.nv);
    this.wrench = new Float64Array(6 * system.tree.count);
    this.closure = new LoopClosure(this, this.mobility);
    this.present = new Float64Array(this.size);
    this.steady = new Float64Array(this.size);
    this.norm = new BodyErrorNorm(this, options.tolerance);
    this.deadPoint = new DeadPoint(this);
    this.linear = {
      exact: false,
      linearise: (t, y, rates, byTime) => this.linearise(t, y, rates, byTime),
      factorise: (e) => this.matrix.factorise(e),
      solve: (r) => this.matrix.solve(r),
    };
    this.partition = {
      drift: (y, h) => this.drift(y, h),
      velocityStart: system.nq,
      velocityCount: system.nv,
    };
  }

  /**
   * Replaces the elements beyond those of the system's plans, between steps. Bodies that nothing turns any more have the angular
   * momentum and energy of y from now on.
   */
  setElements(elements: readonly PairElement[], y: Float64Array): void {
    const { acting } = this;
    acting.replace(elements);
    const { nq, derivatives, freeBodies } = this;
    this.freeRotation.follow(acting.turnable, y, nq - 7 * freeBodies.count, nq + derivatives.size);
    this.matrix.setPairs(this.pairs);
  }

  /** Something depends on time. */
  get timeDependent(): boolean {
    return this.acting.timeDependent;
  }

  /** At least this many reserved states from now on, between steps: states y become longer. */
  reserveStates(count: number): void {
    const { nq, nv, ns } = this.system;
    if (nq + nv + ns + count <= this.size) return;
    this.size = nq + nv + ns + count;
    this.present = new Float64Array(this.size);
    this.closure.resize();
    this.steady = new Float64Array(this.size);
    this.norm = new BodyErrorNorm(this, this.norm.tolerance);
    this.deadPoint = new DeadPoint(this);
    this.placed = false;
  }

  /**
   * How easily a point of a carrier is set moving, at the present pose: change of its velocity along `direction` per impulse along it,
   * dᵀ J M⁻¹ Jᵀ d, in 1/kg for a direction of length 1. Loops hold. 0 for the ground.
   *
   * @param point m, world
   */
  contactMobility(carrier: number, point: ArrayLike<number>, direction: ArrayLike<number>): number {
    this.solved = false;
    return this.mobility.at(carrier, point, direction);
  }

  /** Takes over what elements of another part of the model have committed. @param planHere index here of a plan of theirs */
  takeOverHistory(other: MechanicalSystem, planHere: (planThere: number) => number): void {
    this.lasting.takeOver(other.lasting, planHere);
  }

  /** What is no part of y and not told by it: joints let go of or taken hold of, the fastest motion so far, errors of free rotation; and what elements have committed. */
  remember(tape: Tape): void {
    this.loops.remember(tape);
    this.norm.fastestYet = tape.number(this.norm.fastestYet);
    tape.array(this.freeRotation.attitudeError);
    this.lasting.remember(tape);
  }

  /** The same for turning about an axis: change of the angular velocity about it per impulsive torque, 1/(kg m²) */
  turningMobility(carrier: number, axis: ArrayLike<number>): number {
    this.solved = false;
    return this.mobility.about(carrier, axis);
  }

  /** Poses and twists of all carriers at (t, y); nothing to do where they are there already */
  update(t: number, y: Float64Array): void {
    const { derivatives, nq, present } = this;
    if (this.placed && t === this.time && sameBits(y, present)) return;
    this.time = t;
    this.solved = false;
    this.placed = false; // a user's prescribed motion may throw
    this.mobility.moved();
    this.kinematics.update(t, y, nq);
    this.freeBodies.update(y, nq - 7 * this.freeBodies.count, nq + derivatives.size);
    present.set(y);
    this.placed = true;
  }

  /** A prescribed motion has become another one: poses at the same time and state are no longer true. */
  forgetPoses(): void {
    this.placed = this.solved = false;
  }

  /** Takes the invariants of bodies that nothing turns from y: at the start, and where y is changed from outside. */
  rememberRotation(y: Float64Array): void {
    this.freeRotation.remember(y, this.nq - 7 * this.freeBodies.count, this.nq + this.derivatives.size);
  }

  /**
   * Parts that deform: whatever they do, their fastest mode is hundreds of times faster. An explicit method finds that out with 15 steps at its limit of
   * stability, where what is at rest is thrown about by rounding.
   */
  get stiff(): boolean {
    return (this.system.flexible?.length ?? 0) > 0;
  }

  /** f(t, y); NaN where there are none, as `refused` says */
  rates(t: number, y: Float64Array, out: Float64Array): void {
    this.refused = undefined;
    // A step that is far too long may come to where there is nothing to compute: it is tried again, shorter
    if (!allFinite(y)) {
      out.fill(Number.NaN);
      return;
    }
    try {
      this.accelerate(t, y, out);
    } catch (error) {
      if (!(error instanceof NoAccelerationError)) throw error;
      this.refused = error;
      out.fill(Number.NaN);
    }
    this.configuration.rates(y, out);
  }

  /** Loads of all forces, on carriers and along joints; rates of their states into `rates` */
  private forces(t: number, y: Float64Array, rates: Float64Array): void {
    this.carriers.load.fill(0);
    this.applied.fill(0);
    rates.fill(0, this.nq + this.nv + this.system.ns, this.size);
    this.gravity.addLoads();
    if (!this.jointsApart) for (const joint of this.jointForces) joint.evaluate(t, y, this.applied, rates);
    for (const pair of this.pairs) pair.evaluate(t, y, rates);
    const { otherLoads, otherDrives } = this;
    if (otherDrives) for (let k = 0; k < otherDrives.length; k++) this.applied[k] += otherDrives[k];
    if (otherLoads) for (let k = 0; k < otherLoads.length; k++) this.carriers.load[k] += otherLoads[k];
  }

  private accelerate(t: number, y: Float64Array, out: Float64Array): void {
    const { nq, derivatives } = this;
    this.update(t, y);
    this.forces(t, y, out);
    this.articulated.solve(this.applied, out, nq);
    this.freeBodies.solve(y, nq + derivatives.size, out, nq + derivatives.size);
    this.holdResting(out);
    if (this.loops.any && !this.loops.constrain(out, nq)) out.fill(Number.NaN, nq, nq + derivatives.size);
    this.solved = this.plain;
  }

  /** Nothing acts but gravity and the forces of joints, and nobody changes loads between evaluations: what was found at a state is still so. */
  private get plain(): boolean {
    const { loops, pairs, system, otherLoads, otherDrives } = this;
    return !loops.any && pairs.length === 0 && system.gravity.kind === 'uniform' && !otherLoads && !otherDrives;
  }

  /** No accelerations of bodies that rest */
  private holdResting(out: Float64Array): void {
    const { resting, nq, derivatives } = this;
    if (!resting) return;
    for (let i = 0; i < resting.length; i++)
      if (resting[i] !== 0) out.fill(0, nq + derivatives.size + 6 * i, nq + derivatives.size + 6 * i + 6);
  }

  private linearise(t: number, y: Float64Array, rates: Float64Array, byTime: Float64Array): void {
    this.update(t, y);
    if (this.solved && this.plain) {
      // the rates were those of the last evaluation
      this.steady.set(rates);
      this.carry();
    } else this.wrenches(t, y);
    this.derivatives.update(this.loops.acceleration, this.wrench, this.uniformGravity, this.steady, this.nq);
    this.drivenMotion.update(t);
    this.loops.differentiate(this.drivenMotion);
    this.matrix.linearise(t, y);
    if (this.timeDependent) this.timeDerivative.fill(this.uniformGravity, byTime);
    else byTime.fill(0);
    this.holdResting(byTime);
  }

  /** Accelerations and the wrench each joint carries at (t, y), reactions of loops included; the rates are left in the result. */
  wrenches(t: number, y: Float64Array): Float64Array {
    this.accelerate(t, y, this.steady);
    this.carry();
    return this.steady;
  }

  /** Wrenches of joints, from the accelerations in `steady` */
  private carry(): void {
    const { loops, steady } = this;
    if (!loops.any) loops.acceleration.set(this.articulated.acceleration);
    else loops.addReactions(this.carriers.load);
    jointWrenches(this.kinematics, loops.acceleration, steady, this.nq, this.wrench);
  }

  /** Moves positions by h with the velocities in y: scalars add, quaternions turn. */
  drift(y: Float64Array, h: number): void {
    this.displace(y, y, this.nq, h);
  }

  /** q ← q ⊕ h v, v in `velocities` from index `at` */
  displace(y: Float64Array, velocities: Float64Array, at: number, h: number): void {
    this.configuration.displace(y, velocities, at, h);
  }

  /** A guard against steps that fly past an end stop or a contact unseen */
  stepLimit(t: number, y: Float64Array, f: Float64Array, planned = Number.POSITIVE_INFINITY): number {
    let limit = Number.POSITIVE_INFINITY;
    const { relative } = this.norm.tolerance;
    for (const joint of this.jointForces)
      limit = Math.min(limit, joint.stepLimit(y[joint.xAt], y[joint.vAt], f[joint.vAt], relative));
    this.lasting.limitedBy = undefined;
    if (this.lasting.bounds) {
      this.update(t, y);
      limit = this.lasting.stepLimit(t, y, f, limit, planned);
    }
    if (this.guard) limit = Math.min(limit, this.guard.stepLimit(t, y, f, Math.min(limit, planned)));
    return limit;
  }

  /** The element for whose sake the last step was cut, if any */
  get limitedBy(): PairElement | undefined {
    return this.lasting.limitedBy;
  }

  /** Contact elements of the user's own */
  get own(): readonly OwnElement[] {
    return this.lasting.own;
  }

  /** Gravity is another one from now on, m/s²; only where it is uniform. */
  changeGravity(acceleration: Vec3): void {
    this.solved = false;
    this.gravity.change(acceleration);
    this.uniformGravity.set(acceleration);
  }

  /** After an accepted step to (t, y): elements commit their history. True if rates at y are others from here on. */
  commit(t: number, y: Float64Array): boolean {
    if (!this.lasting.commits) return false;
    this.update(t, y);
    return this.lasting.commit(t, y);
  }

  /** Weighted size of a local error; see error-norm.ts. */
  errorNorm(error: Float64Array, before: Float64Array, after: Float64Array): number {
    const { loops, time } = this;
    const counted = loops.any && DeadPoint.near(loops) ? this.deadPoint.allowed(time, error, before) : error;
    return this.norm.size(time, counted, before, after);
  }

  /**
   * Puts y back on its manifold: quaternions to unit length, invariants of bodies that nothing turns, loops closed in position, then in velocity, each by the smallest change in
   * the norm of the mass matrix. Then prepares the next step. False if that cannot be done near y, or moves y by more than an error the
   * integrator would accept.
   */
  project(t: number, y: Float64Array): boolean {
    this.solved = false;
    this.restoreInvariants(y);
    const closed = this.isBelieved(t, y) && this.closure.close(t, y);
    if (closed && this.freeRotation.any) this.freeRotation.accept();
    return closed;
  }

  /** Elements and contacts do not find the step to (t, y) too long. */
  private isBelieved(t: number, y: Float64Array): boolean {
    if (this.lasting.judges && !this.fixedSteps) {
      this.update(t, y);
      if (this.lasting.steppedOver(t, y)) return false;
    }
    return !this.guard?.tooDeep(t, y);
  }

  /** Newton's iteration on the positions of loops. False if it does not get to rounding. */
  closePositions(t: number, y: Float64Array, iterations: number): boolean {
    return this.closure.closePositions(t, y, iterations);
  }

  /** Removes what velocities open loops; factors must be those of the pose. */
  closeVelocities(y: Float64Array): void {
    this.closure.closeVelocities(y);
  }

  /** Freezes what a step keeps, at (t, y): independent loop rows, inertia felt by stops and joint friction. */
  prepare(t: number, y: Float64Array): void {
    this.solved = false;
    this.closure.prepare(t, y);
  }

  /** Factors of the mass matrix at the present pose; loads do not matter. */
  factoriseMass(): void {
    this.solved = false;
    this.closure.factoriseMass();
  }

  /** What can be put right without solving: unit quaternions, invariants of bodies that nothing turns. For interpolated states too. */
  restoreInvariants(y: Float64Array): void {
    this.normalise(y);
    if (this.freeRotation.any)
      this.freeRotation.restore(y, this.nq - 7 * this.freeBodies.count, this.nq + this.derivatives.size);
  }

  /** Quaternions to unit length */
  normalise(y: Float64Array): void {
    this.configuration.normalise(y);
  }

  /** Lets go of a cut joint or constraint, or takes hold of it where the bodies are. Call `project` or `initialise` afterwards. */
  setActive(constraint: number, active: boolean, t: number, y: Float64Array): void {
    if (active) {
      this.update(t, y);
      this.loops.attach(constraint, y);
    } else this.loops.active[constraint] = 0;
    this.prepare(t, y);
    if (active) this.closeVelocities(y);
  }

  /** Index of a constraint by name, e.g. `joints.latch` */
  constraintIndex(name: string): number {
    const index = this.system.constraints.findIndex((constraint: Constraint) => constraint.name === name);
    if (index < 0) throw new DynamicsError(name, 'is not a cut joint or constraint that could be released or attached');
    return index;
  }
}

function allFinite(y: Float64Array): boolean {
  for (let i = 0; i < y.length; i++) if (!Number.isFinite(y[i])) return false;
  return true;
}
