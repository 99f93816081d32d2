/** Centres of mass of bodies and their motion at both ends of a step, for its errors to be held against (error-norm.ts). */
import type { System } from '../../assembly/system.js';
import type { Carriers } from './carriers.js';
import type { TreeKinematics } from './tree-kinematics.js';

interface Placed {
  readonly system: System;
  readonly carriers: Carriers;
  readonly kinematics: TreeKinematics;
  update(t: number, y: Float64Array): void;
}

export class EndsOfStep {
  // 3 per carrier: centre of mass, m; 6 per carrier: its velocity and the angular velocity, m/s, rad/s
  centre: Float64Array;
  motion: Float64Array;
  centreAfter: Float64Array;
  motionAfter: Float64Array;
  private readonly of: Placed;
  private readonly carriers: Int32Array;
  /** The step that they are of; no number: none */
  private time = Number.NaN;
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  /** Poses are those of the state alone: what was found at one is still so. */
  private readonly still: boolean;

  /** @param carriers those that are asked for, ascending */
  constructor(of: Placed & { readonly size: number }, carriers: Int32Array) {
    const count = of.carriers.ground;
    this.of = of;
    this.carriers = carriers;
    this.centre = new Float64Array(3 * count);
    this.motion = new Float64Array(6 * count);
    this.centreAfter = new Float64Array(3 * count);
    this.motionAfter = new Float64Array(6 * count);
    this.from = new Float64Array(of.size);
    this.to = new Float64Array(of.size);
    this.still = of.system.motions.length === 0;
  }

  /** Leaves the kinematics at `after`. False: they are of this step already. */
  find(t: number, before: Float64Array, after: Float64Array): boolean {
    const { of, from, to, still } = this;
    const known = !Number.isNaN(this.time);
    const again = known && sameBits(before, from);
    if (again && t === this.time && sameBits(after, to)) {
      of.update(t, after);
      return false;
    }
    this.time = Number.NaN; // a user's function may throw
    // A step that is tried again begins where it began, else one begins where the last ended
    if (still && known && !again && sameBits(before, to)) this.goOn();
    else if (!(still && again)) {
      of.update(t, before);
      this.record(this.centre, this.motion);
    }
    of.update(t, after);
    this.record(this.centreAfter, this.motionAfter);
    from.set(before);
    to.set(after);
    this.time = t;
    return true;
  }

  private goOn(): void {
    const { centre, motion } = this;
    this.centre = this.centreAfter;
    this.motion = this.motionAfter;
    this.centreAfter = centre;
    this.motionAfter = motion;
  }

  private record(centre: Float64Array, motion: Float64Array): void {
    const { carriers: asked } = this;
    const { carriers, kinematics } = this.of;
    const { position, twist } = carriers;
    for (let index = 0; index < asked.length; index++) {
      const i = asked[index];
      const inTree = i < carriers.nodes;
      const a = 3 * i;
      const cx = inTree ? kinematics.centre[a] : 0;
      const cy = inTree ? kinematics.centre[a + 1] : 0;
      const cz = inTree ? kinematics.centre[a + 2] : 0;
      centre[a] = position[a] + cx;
      centre[a + 1] = position[a + 1] + cy;
      centre[a + 2] = position[a + 2] + cz;
      const s = 6 * i;
      motion[s] = twist[s + 3] + twist[s + 1] * cz - twist[s + 2] * cy;
      motion[s + 1] = twist[s + 4] + twist[s + 2] * cx - twist[s] * cz;
      motion[s + 2] = twist[s + 5] + twist[s] * cy - twist[s + 1] * cx;
      motion[s + 3] = twist[s];
      motion[s + 4] = twist[s + 1];
      motion[s + 5] = twist[s + 2];
    }
  }
}

/** The very same numbers; −0 is not 0. */
export function sameBits(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) {
    const x = a[i];
    if (x !== b[i] || (x === 0 && 1 / x !== 1 / b[i])) return false;
  }
  return true;
}
