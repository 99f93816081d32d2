/**
 * Keeps loops closed between steps: positions by Newton's iteration, then velocities, each by the smallest change in the norm of the mass matrix; and freezes
 * what all stages of the next step must see alike, the set of independent loop rows and the inertia that joint stops and joint friction feel.
 */
import type { System } from '../../assembly/system.js';
import type { ArticulatedBody } from '../articulated/articulated-body.js';
import type { JointForce } from '../elements/joint-forces.js';
import { NoAccelerationError } from '../tree/dynamics-error.js';
import type { ContactMobility } from './contact-mobility.js';
import { FeltInertia } from './felt-inertia.js';
import type { Loops } from './loops.js';

/** The parts of a mechanical system that are needed here */
interface Constrained {
  readonly system: System;
  readonly size: number;
  readonly nq: number;
  readonly nv: number;
  readonly derivatives: { readonly size: number };
  readonly loops: Loops;
  readonly articulated: Pick<ArticulatedBody, 'solve'>;
  readonly jointForces: readonly JointForce[];
  readonly applied: Float64Array;
  update(t: number, y: Float64Array): void;
  displace(y: Float64Array, velocities: Float64Array, at: number, h: number): void;
  errorNorm(error: Float64Array, before: Float64Array, after: Float64Array): number;
}

/** Newton's iterations on positions after a step; it starts within the error of the step */
const ITERATIONS = 4;

export class LoopClosure {
  /** Joint forces that depend on the inertia the joint feels, and that inertia before a projection */
  private readonly jointsWithInertia: readonly JointForce[];
  private readonly felt: FeltInertia | undefined;
  private readonly inertias: Float64Array;
  private before: Float64Array;
  private change: Float64Array;
  private unused: Float64Array;

  constructor(
    private readonly mechanics: Constrained,
    private readonly mobility: ContactMobility,
  ) {
    this.jointsWithInertia = mechanics.jointForces.filter(({ needsInertia }) => needsInertia);
    if (this.jointsWithInertia.length > 0)
      this.felt = new FeltInertia(mechanics.system, mechanics.loops, mechanics.derivatives.size);
    this.inertias = new Float64Array(this.jointsWithInertia.length);
    this.before = new Float64Array(mechanics.size);
    this.change = new Float64Array(mechanics.size);
    this.unused = new Float64Array(mechanics.size);
  }

  /** States have become longer. */
  resize(): void {
    const { size } = this.mechanics;
    this.before = new Float64Array(size);
    this.change = new Float64Array(size);
    this.unused = new Float64Array(size);
  }

  /** Closes the loops at the end of a step, in place, and prepares the next. False, and y as it was, if that cannot be done near y, or moves y by more than an error the integrator would accept. */
  close(t: number, y: Float64Array): boolean {
    try {
      return this.closeNear(t, y);
    } catch (error) {
      if (!(error instanceof NoAccelerationError)) throw error;
      if (this.mechanics.loops.any) y.set(this.before);
      return false;
    }
  }

  private closeNear(t: number, y: Float64Array): boolean {
    const { mechanics, before, change, jointsWithInertia, inertias } = this;
    const { loops, size } = mechanics;
    if (!loops.any) {
      if (jointsWithInertia.length > 0) this.prepare(t, y);
      return true;
    }
    before.set(y);
    if (!this.closePositions(t, y, ITERATIONS)) {
      y.set(before);
      return false;
    }
    // The step that is tried again must see what it saw before
    const { kept, keptPositions } = loops;
    for (let i = 0; i < jointsWithInertia.length; i++) inertias[i] = jointsWithInertia[i].effectiveInertia;
    this.prepare(t, y);
    this.closeVelocities(y);
    for (let i = 0; i < size; i++) change[i] = y[i] - before[i];
    if (mechanics.errorNorm(change, before, y) > 1) {
      y.set(before);
      loops.kept = kept;
      loops.keptPositions = keptPositions;
      for (let i = 0; i < jointsWithInertia.length; i++) jointsWithInertia[i].effectiveInertia = inertias[i];
      return false;
    }
    return true;
  }

  /** Newton's iteration on the kept rows' positions. False if it does not get to rounding. */
  closePositions(t: number, y: Float64Array, iterations: number): boolean {
    const { mechanics, change } = this;
    const { loops } = mechanics;
    let previous = Number.POSITIVE_INFINITY;
    for (let i = 0; ; i++) {
      mechanics.update(t, y);
      const largest = loops.openness(y);
      if (largest < 1e-14 || (largest < 1e-11 && largest >= 0.5 * previous)) return true;
      if (i === iterations || !(largest < 0.1)) return largest < 1e-11;
      previous = largest;
      this.factoriseMass();
      if (!loops.positionChange(y, change)) return false;
      change.fill(0, mechanics.derivatives.size, mechanics.nv);
      mechanics.displace(y, change, 0, 1);
    }
  }

  /** Removes the velocity of the kept rows; factors must be those of the pose. */
  closeVelocities(y: Float64Array): void {
    const { change } = this;
    const { loops, nq, derivatives } = this.mechanics;
    if (loops.kept.length === 0 || !loops.velocityChange(y, change)) return;
    for (let k = 0; k < derivatives.size; k++) y[nq + k] += change[k];
  }

  /** Freezes what a step keeps, at (t, y): independent loop rows, inertia felt by stops and joint friction. */
  prepare(t: number, y: Float64Array): void {
    const { jointsWithInertia, felt } = this;
    const { loops } = this.mechanics;
    this.mechanics.update(t, y);
    this.factoriseMass();
    loops.select();
    this.mobility.moved();
    if (!felt) return;
    if (loops.kept.length > 0) loops.factorise();
    felt.prepare();
    for (const joint of jointsWithInertia) joint.effectiveInertia = felt.of(joint.velocity, joint.touchStiffness);
  }

  /** Factors of the mass matrix at the present pose; loads do not matter. */
  factoriseMass(): void {
    const { articulated, applied } = this.mechanics;
    applied.fill(0);
    articulated.solve(applied, this.unused, 0);
  }
}
