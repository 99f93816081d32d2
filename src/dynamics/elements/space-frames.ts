/**
 * Two carriers seen in the axes of the first: relative pose and velocities for contact of solids, and its forces and derivatives back in the world.
 *
 *   p = Aᵀ (o_B − o_A),   v = Aᵀ v_o,   force A F on A, torque about A's reference point A M_A + r_A × A F, on B A M_B − r_B × A F
 *
 * A rotation of the first one's axes, o = c + r origins of the two frames. With small rotations θ and displacements of the origins δo:
 *
 *   dp = Aᵀ (δo_B − δo_A − θ_A × (o_B − o_A)),   ψ = Aᵀ (θ_B − θ_A),   dv = Aᵀ (δv_o − θ_A × v_o),   d(A F) = A dF + θ_A × A F
 */
import type { Anchor } from '../../assembly/system.js';
import type { SolidContact } from '../../flexible-bodies/contact/solid/solid-contact.js';
import { fromQuaternion } from '../../math/mat3.js';
import { add, cross, sub, type Vec3, ZERO } from '../../math/vec3.js';
import type { Carriers } from '../tree/carriers.js';
import type { PairDerivative } from './pair-element.js';

export class SpaceFrames {
  /** 12: torque and force on A, then on B, at reference points, world */
  readonly wrench = new Float64Array(12);
  private readonly carriers: Carriers;
  private readonly index: readonly [number, number];
  private readonly anchors: readonly [Anchor, Anchor];
  private readonly own: readonly [ArrayLike<number>, ArrayLike<number>];
  // world
  private readonly axes = new Float64Array(9);
  private readonly column = new Float64Array(3);
  private r: readonly [Vec3, Vec3] = [ZERO, ZERO];
  private v: readonly [Vec3, Vec3] = [ZERO, ZERO];
  private w: readonly [Vec3, Vec3] = [ZERO, ZERO];
  private apart: Vec3 = ZERO;
  private force: Vec3 = ZERO;
  private moments: readonly [Vec3, Vec3] = [ZERO, ZERO];

  constructor(carriers: Carriers, a: number, b: number, anchorA: Anchor, anchorB: Anchor) {
    this.carriers = carriers;
    this.index = [a, b];
    this.anchors = [anchorA, anchorB];
    this.own = [fromQuaternion(anchorA.orientation), fromQuaternion(anchorB.orientation)];
  }

  /** Writes pose and velocities into the inputs. */
  update(contact: SolidContact): boolean {
    const { carriers, index, anchors, own, axes } = this;
    const { rotation, twist, position } = carriers;
    const turned = (i: number, v: ArrayLike<number>, at = 0, step = 1): Vec3 => {
      const r = 9 * index[i];
      const row = (k: number): number =>
        rotation[r + k] * v[at] + rotation[r + k + 1] * v[at + step] + rotation[r + k + 2] * v[at + 2 * step];
      return [row(0), row(3), row(6)];
    };
    for (let c = 0; c < 3; c++) {
      const column = turned(0, own[0], c, 3);
      for (let k = 0; k < 3; k++) axes[3 * k + c] = column[k];
    }
    this.r = [turned(0, anchors[0].position), turned(1, anchors[1].position)];
    this.w = [vector(twist, 6 * index[0]), vector(twist, 6 * index[1])];
    this.v = [
      add(vector(twist, 6 * index[0] + 3), cross(this.w[0], this.r[0])),
      add(vector(twist, 6 * index[1] + 3), cross(this.w[1], this.r[1])),
    ];
    this.apart = sub(add(vector(position, 3 * index[1]), this.r[1]), add(vector(position, 3 * index[0]), this.r[0]));
    this.inward(this.apart, contact.place, 0);
    for (let c = 0; c < 3; c++) {
      this.inward(turned(1, own[1], c, 3), this.column, 0);
      for (let k = 0; k < 3; k++) contact.turn[3 * k + c] = this.column[k];
    }
    this.inward(this.v[0], contact.velocity, 0);
    this.inward(this.w[0], contact.velocity, 3);
    this.inward(this.v[1], contact.velocity, 6);
    this.inward(this.w[1], contact.velocity, 9);
    return true;
  }

  /** Of a place in A's axes, into the world */
  pointAt(x: Float64Array, out: Float64Array): void {
    const { position } = this.carriers;
    const at = 3 * this.index[0];
    this.directionOf(x, out);
    for (let k = 0; k < 3; k++) out[k] += position[at + k] + this.r[0][k];
  }

  /** Of a direction */
  directionOf(e: Float64Array, out: Float64Array): void {
    const { axes } = this;
    const [x, y, z] = e;
    for (let k = 0; k < 3; k++) out[k] = axes[3 * k] * x + axes[3 * k + 1] * y + axes[3 * k + 2] * z;
  }

  /** Aᵀ v */
  private inward(v: Vec3, out: Float64Array, at: number): void {
    const { axes } = this;
    for (let c = 0; c < 3; c++) out[at + c] = axes[c] * v[0] + axes[3 + c] * v[1] + axes[6 + c] * v[2];
  }

  /** A v */
  private outward(v: ArrayLike<number>, at: number): Vec3 {
    const { axes: r } = this;
    const row = (k: number): number => r[k] * v[at] + r[k + 1] * v[at + 1] + r[k + 2] * v[at + 2];
    return [row(0), row(3), row(6)];
  }

  /** From force, moment on A and moment on B */
  wrenches(out: Float64Array): void {
    const { wrench, r } = this;
    this.force = this.outward(out, 0);
    this.moments = [this.outward(out, 3), this.outward(out, 6)];
    wrench.set(add(this.moments[0], cross(r[0], this.force)), 0);
    wrench.set(this.force, 3);
    wrench.set(sub(this.moments[1], cross(r[1], this.force)), 6);
    for (let k = 0; k < 3; k++) wrench[9 + k] = -this.force[k];
  }

  /** After `wrenches`. @param jacobian outputs × inputs */
  differentiate({ nA, nB, inputs }: SolidContact, jacobian: Float64Array, out: PairDerivative): void {
    const { states } = out;
    const n = nA + nB;
    const modal = out.modal!;
    out.wrench.set(this.wrench);
    const d = new Float64Array(inputs);
    const answer = new Float64Array(9);
    const change = new Float64Array(12);
    const respond = (row: number): number => {
      let sum = 0;
      for (let i = 0; i < 18 + n; i++) if (d[i] !== 0) sum += jacobian[row * inputs + i] * d[i];
      return sum;
    };
    for (let column = 0; column < 12; column++)
      for (const twist of [false, true]) {
        d.fill(0);
        const turns = twist ? this.moveTwist(column, n, d) : this.movePose(column, n, d);
        for (let k = 0; k < 9; k++) answer[k] = respond(k);
        this.changeOf(answer, 0, turns, change);
        const into = twist ? out.byTwist : out.byPose;
        for (let i = 0; i < 12; i++) into[12 * i + column] = change[i];
        const forces = twist ? modal.byTwist : modal.byPose;
        for (let k = 0; k < n; k++) forces[12 * k + column] = respond(9 + k);
        const rates = twist ? out.ratesByTwist : out.ratesByPose;
        for (let k = 0; k < states; k++) rates[12 * k + column] = respond(9 + n + k);
      }
    // columns of coordinates and states
    const fill = (input: number, into: Float64Array, width: number, column: number): void => {
      for (let k = 0; k < 9; k++) answer[k] = jacobian[k * inputs + input];
      this.changeOf(answer, 0, STILL, change);
      for (let i = 0; i < 12; i++) into[i * width + column] = change[i];
    };
    for (let k = 0; k < n; k++) {
      fill(6 + k, modal.wrenchByQ, n, k);
      fill(18 + n + k, modal.wrenchByEta, n, k);
    }
    for (let k = 0; k < states; k++) fill(18 + 2 * n + k, out.byState, states, k);
  }

  private movePose(column: number, n: number, d: Float64Array): Turns {
    const { r, v, w, apart } = this;
    const side = column < 6 ? 0 : 1;
    const theta = unit(column % 6);
    const slide = unit((column % 6) - 3);
    const turns: Turns = side === 0 ? [theta, ZERO] : [ZERO, theta];
    const arm = cross(theta, r[side]);
    const moved = add(slide, arm);
    const spun = cross(w[side], arm);
    if (side === 0) {
      this.inward(sub(ZERO, add(moved, cross(theta, apart))), d, 0);
      this.inward(sub(ZERO, theta), d, 3);
      this.inward(sub(spun, cross(theta, v[0])), d, 6 + n);
      this.inward(sub(ZERO, cross(theta, w[0])), d, 9 + n);
      this.inward(sub(ZERO, cross(theta, v[1])), d, 12 + n);
      this.inward(sub(ZERO, cross(theta, w[1])), d, 15 + n);
    } else {
      this.inward(moved, d, 0);
      this.inward(theta, d, 3);
      this.inward(spun, d, 12 + n);
    }
    return turns;
  }

  private moveTwist(column: number, n: number, d: Float64Array): Turns {
    const side = column < 6 ? 0 : 1;
    const spin = unit(column % 6);
    const at = 6 + n + 6 * side;
    this.inward(add(unit((column % 6) - 3), cross(spin, this.r[side])), d, at);
    this.inward(spin, d, at + 3);
    return STILL;
  }

  /** Of the wrenches, as force and moments change in A's axes and the frames turn */
  private changeOf(answer: Float64Array, at: number, [thetaA, thetaB]: Turns, out: Float64Array): void {
    const { r, force, moments } = this;
    const f = add(this.outward(answer, at), cross(thetaA, force));
    const onA = add(this.outward(answer, at + 3), cross(thetaA, moments[0]));
    const onB = add(this.outward(answer, at + 6), cross(thetaA, moments[1]));
    out.set(add(onA, add(cross(cross(thetaA, r[0]), force), cross(r[0], f))), 0);
    out.set(f, 3);
    out.set(sub(onB, add(cross(cross(thetaB, r[1]), force), cross(r[1], f))), 6);
    for (let k = 0; k < 3; k++) out[9 + k] = -f[k];
  }
}

type Turns = readonly [Vec3, Vec3];
const STILL: Turns = [ZERO, ZERO];

const vector = (of: Float64Array, at: number): Vec3 => [of[at], of[at + 1], of[at + 2]];

/** Along axis k of 0 … 2; else nothing */
const unit = (k: number): Vec3 => [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
