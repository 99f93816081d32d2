/**
 * Two carriers seen in the plane of the first: relative pose and velocities for contact in the plane, and its forces and derivatives back in
 * space.
 *
 *   F = F_x e₁ + F_y e₂,   torque on A about its reference point  M_A e₃ + (r_A + z e₃) × F,   on B  M_B e₃ − (r_B + z_B e₃) × F
 *
 * e₁, e₂, e₃ axes of A's plane, o = c + r the planes' origins, z height of the plane of forces above A's. As A tilts the forces tilt with it.
 */
import type { Anchor } from '../../assembly/system.js';
import type { PlaneContact } from '../../flexible-bodies/contact/plane-contact.js';
import { fromQuaternion } from '../../math/mat3.js';
import type { Carriers } from '../tree/carriers.js';
import type { PairDerivative } from './pair-element.js';

/** Cosine of the angle by which two planes may differ, less than 1: 1e-3 rad */
const LEVEL = 1 - 5e-7;

type Three = [number, number, number];

export class PlaneFrames {
  /** 12: torque and force on A, then on B, at reference points, world */
  readonly wrench = new Float64Array(12);
  private readonly carriers: Carriers;
  private readonly a: number;
  private readonly b: number;
  private readonly anchorA: Anchor;
  private readonly anchorB: Anchor;
  private readonly axesA: Float64Array;
  private readonly axesB: Float64Array;
  private readonly height: number;
  // world
  private e1: Three = [1, 0, 0];
  private e2: Three = [0, 1, 0];
  private e3: Three = [0, 0, 1];
  private rA: Three = [0, 0, 0];
  private rB: Three = [0, 0, 0];
  private vA: Three = [0, 0, 0];
  private vB: Three = [0, 0, 0];
  private wA: Three = [0, 0, 0];
  private wB: Three = [0, 0, 0];
  /** From A's origin to B's */
  private apart: Three = [0, 0, 0];
  private force: Three = [0, 0, 0];
  private moments: readonly [number, number] = [0, 0];
  private flat = new Float64Array(2);

  /** @param height of the plane in which forces act, above A's origin along its normal, m */
  constructor(carriers: Carriers, a: number, b: number, anchorA: Anchor, anchorB: Anchor, height: number) {
    this.carriers = carriers;
    this.a = a;
    this.b = b;
    this.anchorA = anchorA;
    this.anchorB = anchorB;
    this.axesA = Float64Array.from(fromQuaternion(anchorA.orientation));
    this.axesB = Float64Array.from(fromQuaternion(anchorB.orientation));
    this.height = height;
  }

  /** Writes pose and velocities into the plane's inputs. False if the planes are not parallel. */
  update(plane: PlaneContact): boolean {
    const { carriers, a, b, anchorA, anchorB, axesA, axesB } = this;
    this.e1 = turned(carriers, a, axesA[0], axesA[3], axesA[6]);
    this.e2 = turned(carriers, a, axesA[1], axesA[4], axesA[7]);
    this.e3 = turned(carriers, a, axesA[2], axesA[5], axesA[8]);
    this.rA = turned(carriers, a, ...anchorA.position);
    this.rB = turned(carriers, b, ...anchorB.position);
    const b1 = turned(carriers, b, axesB[0], axesB[3], axesB[6]);
    const b3 = turned(carriers, b, axesB[2], axesB[5], axesB[8]);
    this.wA = part(carriers.twist, 6 * a);
    this.wB = part(carriers.twist, 6 * b);
    this.vA = plus(part(carriers.twist, 6 * a + 3), cross(this.wA, this.rA));
    this.vB = plus(part(carriers.twist, 6 * b + 3), cross(this.wB, this.rB));
    const from = plus(part(carriers.position, 3 * a), this.rA);
    const to = plus(part(carriers.position, 3 * b), this.rB);
    this.apart = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    const { e1, e2, e3 } = this;
    plane.px = dot(this.apart, e1);
    plane.py = dot(this.apart, e2);
    const c = dot(b1, e1);
    const s = dot(b1, e2);
    const size = Math.sqrt(c * c + s * s);
    plane.c = c / size;
    plane.s = s / size;
    const { velocity } = plane;
    velocity[0] = dot(this.vA, e1);
    velocity[1] = dot(this.vA, e2);
    velocity[2] = dot(this.wA, e3);
    velocity[3] = dot(this.vB, e1);
    velocity[4] = dot(this.vB, e2);
    velocity[5] = dot(this.wB, e3);
    return dot(b3, e3) > LEVEL;
  }

  /** Of a place in A's plane, into the world */
  pointAt(x: Float64Array, out: Float64Array): void {
    const { e1, e2, e3, rA, height, carriers, a } = this;
    for (let k = 0; k < 3; k++)
      out[k] = carriers.position[3 * a + k] + rA[k] + x[0] * e1[k] + x[1] * e2[k] + height * e3[k];
  }

  /** Of a direction */
  directionOf(e: Float64Array, out: Float64Array): void {
    const { e1, e2, e3 } = this;
    const [x, y, z] = e;
    for (let k = 0; k < 3; k++) out[k] = x * e1[k] + y * e2[k] + z * e3[k];
  }

  /** From F_x, F_y, M_A, M_B */
  wrenches(out: Float64Array): void {
    const { e1, e2, e3, rA, rB, height, apart, wrench } = this;
    this.flat[0] = out[0];
    this.flat[1] = out[1];
    this.moments = [out[2], out[3]];
    const f = combine(out[0], e1, out[1], e2);
    this.force = f;
    const onA = plus(scaled(out[2], e3), cross(plus(rA, scaled(height, e3)), f));
    const zB = height - dot(apart, e3);
    const onB = minus(scaled(out[3], e3), cross(plus(rB, scaled(zB, e3)), f));
    for (let k = 0; k < 3; k++) {
      wrench[k] = onA[k];
      wrench[3 + k] = f[k];
      wrench[6 + k] = onB[k];
      wrench[9 + k] = -f[k];
    }
  }

  /** After `wrenches`. @param jacobian outputs × inputs of the plane */
  differentiate(plane: PlaneContact, jacobian: Float64Array, out: PairDerivative): void {
    const { nA, nB, inputs } = plane;
    const n = nA + nB;
    const states = out.states;
    out.wrench.set(this.wrench);
    const d = new Float64Array(inputs);
    const change = new Float64Array(12);
    const respond = (row: number): number => {
      let sum = 0;
      for (let i = 0; i < inputs; i++) if (d[i] !== 0) sum += jacobian[row * inputs + i] * d[i];
      return sum;
    };
    const modal = out.modal!;
    for (let column = 0; column < 12; column++)
      for (const twist of [false, true]) {
        d.fill(0);
        const tilt = twist ? this.moveTwist(column, n, d) : this.movePose(column, n, d);
        this.changeOf(respond(0), respond(1), respond(2), respond(3), tilt, change);
        const into = twist ? out.byTwist : out.byPose;
        for (let i = 0; i < 12; i++) into[12 * i + column] = change[i];
        const forces = twist ? modal.byTwist : modal.byPose;
        for (let k = 0; k < n; k++) forces[12 * k + column] = respond(4 + k);
        const rates = twist ? out.ratesByTwist : out.ratesByPose;
        for (let k = 0; k < states; k++) rates[12 * k + column] = respond(4 + n + k);
      }
    // columns of coordinates and states
    const still: Tilt = { theta: NONE, dA: NONE, dB: NONE, rise: 0 };
    const fill = (input: number, into: Float64Array, width: number, column: number): void => {
      this.changeOf(
        jacobian[input],
        jacobian[inputs + input],
        jacobian[2 * inputs + input],
        jacobian[3 * inputs + input],
        still,
        change,
      );
      for (let i = 0; i < 12; i++) into[i * width + column] = change[i];
    };
    for (let k = 0; k < n; k++) {
      fill(3 + k, modal.wrenchByQ, n, k);
      fill(9 + n + k, modal.wrenchByEta, n, k);
    }
    for (let k = 0; k < states; k++) fill(9 + 2 * n + k, out.byState, states, k);
  }

  /** Column of a rotation or displacement of A or B; fills the change of the plane's inputs. */
  private movePose(column: number, n: number, d: Float64Array): Tilt {
    const { e1, e2, e3, rA, rB, apart, vA, vB, wA, wB } = this;
    const unit: Three = [0, 0, 0];
    unit[column % 3] = 1;
    const ofA = column < 6;
    const turns = column % 6 < 3;
    if (!turns) {
      const sign = ofA ? -1 : 1;
      d[0] = sign * dot(unit, e1);
      d[1] = sign * dot(unit, e2);
      return { theta: NONE, dA: NONE, dB: NONE, rise: -sign * dot(unit, e3) };
    }
    const v = 3 + n;
    if (ofA) {
      const moved = cross(unit, rA);
      const [t1, t2, t3] = [cross(unit, e1), cross(unit, e2), cross(unit, e3)];
      d[0] = dot(apart, t1) - dot(moved, e1);
      d[1] = dot(apart, t2) - dot(moved, e2);
      d[2] = -dot(unit, e3);
      const dv = cross(wA, moved);
      d[v] = dot(dv, e1) + dot(vA, t1);
      d[v + 1] = dot(dv, e2) + dot(vA, t2);
      d[v + 2] = dot(wA, t3);
      d[v + 3] = dot(vB, t1);
      d[v + 4] = dot(vB, t2);
      d[v + 5] = dot(wB, t3);
      return { theta: unit, dA: moved, dB: NONE, rise: dot(moved, e3) - dot(apart, t3) };
    }
    const moved = cross(unit, rB);
    d[0] = dot(moved, e1);
    d[1] = dot(moved, e2);
    d[2] = dot(unit, e3);
    const dv = cross(wB, moved);
    d[v + 3] = dot(dv, e1);
    d[v + 4] = dot(dv, e2);
    return { theta: NONE, dA: NONE, dB: moved, rise: -dot(moved, e3) };
  }

  private moveTwist(column: number, n: number, d: Float64Array): Tilt {
    const { e1, e2, e3, rA, rB } = this;
    const unit: Three = [0, 0, 0];
    unit[column % 3] = 1;
    const v = 3 + n + (column < 6 ? 0 : 3);
    const turns = column % 6 < 3;
    const dv = turns ? cross(unit, column < 6 ? rA : rB) : unit;
    d[v] = dot(dv, e1);
    d[v + 1] = dot(dv, e2);
    if (turns) d[v + 2] = dot(unit, e3);
    return { theta: NONE, dA: NONE, dB: NONE, rise: 0 };
  }

  /** Change of the 12 wrench numbers from changes of F_x, F_y, M_A, M_B and of the frames */
  private changeOf(
    fx: number,
    fy: number,
    mA: number,
    mB: number,
    { theta, dA, dB, rise }: Tilt,
    out: Float64Array,
  ): void {
    const { e1, e2, e3, rA, rB, height, apart, force, moments } = this;
    const df = plus(combine(fx, e1, fy, e2), cross(theta, force));
    const t3 = cross(theta, e3);
    const leverA = plus(rA, scaled(height, e3));
    const zB = height - dot(apart, e3);
    const leverB = plus(rB, scaled(zB, e3));
    const movedA = plus(dA, scaled(height, t3));
    const movedB = plus(plus(dB, scaled(zB, t3)), scaled(rise, e3));
    const onA = plus(plus(scaled(mA, e3), scaled(moments[0], t3)), plus(cross(movedA, force), cross(leverA, df)));
    const onB = minus(plus(scaled(mB, e3), scaled(moments[1], t3)), plus(cross(movedB, force), cross(leverB, df)));
    for (let k = 0; k < 3; k++) {
      out[k] = onA[k];
      out[3 + k] = df[k];
      out[6 + k] = onB[k];
      out[9 + k] = -df[k];
    }
  }
}

interface Tilt {
  /** Of A */
  readonly theta: Three;
  /** Displacement of r_A and r_B */
  readonly dA: Three;
  readonly dB: Three;
  /** Of the plane above B's origin */
  readonly rise: number;
}

const NONE: Three = [0, 0, 0];
const dot = (u: Three, v: Three): number => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
const cross = (u: Three, v: Three): Three => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
];
const plus = (u: Three, v: Three): Three => [u[0] + v[0], u[1] + v[1], u[2] + v[2]];
const minus = (u: Three, v: Three): Three => [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
const scaled = (f: number, v: Three): Three => [f * v[0], f * v[1], f * v[2]];
const combine = (f: number, u: Three, g: number, v: Three): Three => plus(scaled(f, u), scaled(g, v));
const part = (values: Float64Array, at: number): Three => [values[at], values[at + 1], values[at + 2]];

function turned({ rotation }: Carriers, carrier: number, x: number, y: number, z: number): Three {
  const r = 9 * carrier;
  return [
    rotation[r] * x + rotation[r + 1] * y + rotation[r + 2] * z,
    rotation[r + 3] * x + rotation[r + 4] * y + rotation[r + 5] * z,
    rotation[r + 6] * x + rotation[r + 7] * y + rotation[r + 8] * z,
  ];
}
