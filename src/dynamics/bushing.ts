/**
 * Six springs and dampers between two frames, in the axes of the first:
 *
 *   force on B   −K d − C ḋ,   d the offset of B's origin in A's axes, at B's origin
 *   torque on B  −J(φ)⁻ᵀ κ φ − c ω,   φ the rotation vector of B's axes against A's, ω the relative angular velocity, in A's axes
 *
 * J is the left Jacobian of the rotation vector, δφ = J⁻¹ θ: with it the torque is the gradient of ½ φᵀ κ φ, so a bushing without
 * damping keeps energy however far it turns; for small φ it is −κ φ.
 *
 *   J⁻ᵀ m = m + ½ φ × m + η φ × (φ × m),   η = (1 − (x/2) cot (x/2))/x²,  x = |φ|       (Bullo & Murray 1995)
 */
import type { ElementPlan } from '../assembly/system.js';
import { cos, sin } from '../math/elementary.js';
import { fromQuaternion, type Mat3 } from '../math/mat3.js';
import type { Carriers } from './carriers.js';
import { lever, type PairDerivative, type PairElement, type PowerLedger } from './pair-element.js';
import { rotationVectorOfMatrix } from './rotation-vector.js';

type BushingPlan = Extract<ElementPlan, { kind: 'bushing' }>;

export class Bushing implements PairElement {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly states = 0;
  readonly stateAt = -1;
  readonly timeDependent = false;
  private readonly plan: BushingPlan;
  private readonly carriers: Carriers;
  private readonly pointA: Float64Array;
  private readonly pointB: Float64Array;
  private readonly frameA: Mat3;
  private readonly frameB: Mat3;
  private readonly axes = new Float64Array(9); // A's axes in the world
  private readonly axesB = new Float64Array(9);
  private readonly levers = new Float64Array(6);
  private readonly offset = new Float64Array(3); // world
  private readonly rate = new Float64Array(3); // d' − ω_A × d, world
  private readonly turn = new Float64Array(3); // φ, A's axes
  private readonly spin = new Float64Array(3); // ω_B − ω_A, world
  private readonly force = new Float64Array(3); // on B, world
  private readonly torque = new Float64Array(3); // on B about its origin, world
  private readonly relative = new Float64Array(9);
  private readonly elastic = new Float64Array(3);

  constructor(plan: BushingPlan, carriers: Carriers) {
    this.name = plan.name;
    this.plan = plan;
    this.carriers = carriers;
    this.a = carriers.indexOf(plan.a);
    this.b = carriers.indexOf(plan.b);
    this.pointA = Float64Array.from(plan.a.position);
    this.pointB = Float64Array.from(plan.b.position);
    this.frameA = fromQuaternion(plan.a.orientation);
    this.frameB = fromQuaternion(plan.b.orientation);
  }

  private measure(): void {
    const { carriers, a, b, levers, offset, rate, spin, turn, axes, axesB } = this;
    const { position, twist, rotation } = carriers;
    lever(carriers, a, this.pointA, levers, 0);
    lever(carriers, b, this.pointB, levers, 3);
    product(rotation, 9 * a, this.frameA, axes);
    product(rotation, 9 * b, this.frameB, axesB);
    for (let j = 0; j < 3; j++) {
      offset[j] = position[3 * b + j] - position[3 * a + j] + (levers[3 + j] - levers[j]);
      spin[j] = twist[6 * b + j] - twist[6 * a + j];
    }
    for (let j = 0; j < 3; j++) {
      const n = (j + 1) % 3;
      const p = (j + 2) % 3;
      // Velocity of B's origin less that of A's material there: v_A + ω_A × (r_A + d)
      rate[j] =
        twist[6 * b + 3 + j] +
        twist[6 * b + n] * levers[3 + p] -
        twist[6 * b + p] * levers[3 + n] -
        (twist[6 * a + 3 + j] +
          twist[6 * a + n] * (levers[p] + offset[p]) -
          twist[6 * a + p] * (levers[n] + offset[n]));
    }
    const { relative, elastic } = this;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        relative[3 * i + j] = axes[i] * axesB[j] + axes[3 + i] * axesB[3 + j] + axes[6 + i] * axesB[6 + j];
    rotationVectorOfMatrix(relative, turn);
    // Force and torque in A's axes, then in the world's
    const { stiffness, damping } = this.plan;
    conjugateMoment(turn, stiffness[3] * turn[0], stiffness[4] * turn[1], stiffness[5] * turn[2], elastic);
    for (let i = 0; i < 3; i++) this.force[i] = this.torque[i] = 0;
    for (let i = 0; i < 3; i++) {
      const along = axes[i] * offset[0] + axes[3 + i] * offset[1] + axes[6 + i] * offset[2];
      const speed = axes[i] * rate[0] + axes[3 + i] * rate[1] + axes[6 + i] * rate[2];
      const spinning = axes[i] * spin[0] + axes[3 + i] * spin[1] + axes[6 + i] * spin[2];
      const f = -stiffness[i] * along - damping[i] * speed;
      const moment = -elastic[i] - damping[3 + i] * spinning;
      for (let j = 0; j < 3; j++) {
        this.force[j] += axes[3 * j + i] * f;
        this.torque[j] += axes[3 * j + i] * moment;
      }
    }
  }

  evaluate(): void {
    this.measure();
    const { force, torque, levers, offset } = this;
    const { load } = this.carriers;
    for (let side = 0; side < 2; side++) {
      const sign = side === 0 ? -1 : 1;
      const s = 6 * (side === 0 ? this.a : this.b);
      for (let j = 0; j < 3; j++) {
        const n = (j + 1) % 3;
        const p = (j + 2) % 3;
        const armN = side === 0 ? levers[n] + offset[n] : levers[3 + n];
        const armP = side === 0 ? levers[p] + offset[p] : levers[3 + p];
        load[s + j] += sign * (armN * force[p] - armP * force[n] + torque[j]);
        load[s + 3 + j] += sign * force[j];
      }
    }
  }

  differentiate(_t: number, _y: Float64Array, out: PairDerivative): void {
    this.measure();
    const { axes, levers, offset, rate, spin, turn, force, torque, plan } = this;
    const { twist } = this.carriers;
    const rA = [levers[0], levers[1], levers[2]];
    const rB = [levers[3], levers[4], levers[5]];
    const d = [...offset];
    const wA = [...twist.subarray(6 * this.a, 6 * this.a + 3)];
    const wB = [...twist.subarray(6 * this.b, 6 * this.b + 3)];
    const F = [...force];
    const T = [...torque];
    const armA = plus(rA, d);
    const inA = (v: readonly number[]): number[] =>
      [0, 1, 2].map((i) => axes[i] * v[0] + axes[3 + i] * v[1] + axes[6 + i] * v[2]);
    const inWorld = (v: readonly number[]): number[] =>
      [0, 1, 2].map((i) => axes[3 * i] * v[0] + axes[3 * i + 1] * v[1] + axes[3 * i + 2] * v[2]);
    const record = (
      matrix: Float64Array,
      column: number,
      dF: number[],
      dT: number[],
      dArmA: number[],
      dArmB: number[],
    ) => {
      const onB = plus(plus(cross(dArmB, F), cross(rB, dF)), dT);
      const onA = plus(plus(cross(dArmA, F), cross(armA, dF)), dT);
      for (let i = 0; i < 3; i++) {
        matrix[12 * i + column] -= onA[i];
        matrix[12 * (3 + i) + column] -= dF[i];
        matrix[12 * (6 + i) + column] += onB[i];
        matrix[12 * (9 + i) + column] += dF[i];
      }
    };
    for (let column = 0; column < 12; column++) {
      const unit = [0, 1, 2].map((i) => (column % 3 === i ? 1 : 0));
      const onB = column >= 6;
      const angular = column % 6 < 3;
      const zero = [0, 0, 0];
      // Pose
      const tA = angular && !onB ? unit : zero;
      const tB = angular && onB ? unit : zero;
      const dcA = !angular && !onB ? unit : zero;
      const dcB = !angular && onB ? unit : zero;
      const drA = cross(tA, rA);
      const drB = cross(tB, rB);
      const dd = minus(plus(dcB, drB), plus(dcA, drA));
      const dRate = minus(cross(wB, drB), cross(wA, plus(drA, dd)));
      const stretch = inA(minus(dd, cross(tA, d)));
      const speed = inA(minus(dRate, cross(tA, [...rate])));
      const twisted = inverseJacobian(turn, inA(minus(tB, tA)));
      const spinning = inA(times(-1, cross(tA, [...spin])));
      const dm = [0, 1, 2].map((i) => plan.stiffness[3 + i] * twisted[i]);
      const m = [0, 1, 2].map((i) => plan.stiffness[3 + i] * turn[i]);
      const elastic = conjugateMomentTangent(turn, m, twisted, dm);
      const dF = plus(
        inWorld([0, 1, 2].map((i) => -plan.stiffness[i] * stretch[i] - plan.damping[i] * speed[i])),
        cross(tA, F),
      );
      const dT = plus(inWorld([0, 1, 2].map((i) => -elastic[i] - plan.damping[3 + i] * spinning[i])), cross(tA, T));
      record(out.byPose, column, dF, dT, plus(drA, dd), drB);
      // Twist
      const sign = onB ? 1 : -1;
      const dv = angular ? cross(unit, onB ? rB : armA) : unit;
      const vF = inWorld(inA(dv).map((x, i) => -sign * plan.damping[i] * x));
      const vT = angular ? inWorld(inA(unit).map((x, i) => -sign * plan.damping[3 + i] * x)) : zero;
      record(out.byTwist, column, vF, vT, zero, zero);
    }
    const momentA = plus(cross(armA, F), T);
    const momentB = plus(cross(rB, F), T);
    for (let i = 0; i < 3; i++) {
      out.wrench[i] -= momentA[i];
      out.wrench[3 + i] -= F[i];
      out.wrench[6 + i] += momentB[i];
      out.wrench[9 + i] += F[i];
    }
  }

  energy(): number {
    this.measure();
    const { axes, offset, turn, plan } = this;
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      const along = axes[i] * offset[0] + axes[3 + i] * offset[1] + axes[6 + i] * offset[2];
      sum += 0.5 * (plan.stiffness[i] * along * along + plan.stiffness[3 + i] * turn[i] * turn[i]);
    }
    return sum;
  }

  power(_t: number, _y: Float64Array, ledger: PowerLedger): void {
    this.measure();
    const { axes, rate, spin, plan } = this;
    for (let i = 0; i < 3; i++) {
      const speed = axes[i] * rate[0] + axes[3 + i] * rate[1] + axes[6 + i] * rate[2];
      const spinning = axes[i] * spin[0] + axes[3 + i] * spin[1] + axes[6 + i] * spin[2];
      ledger.dissipated += plan.damping[i] * speed * speed + plan.damping[3 + i] * spinning * spinning;
    }
  }
}

type Numbers = ArrayLike<number>;
const plus = (a: Numbers, b: Numbers): number[] => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Numbers, b: Numbers): number[] => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (s: number, a: Numbers): number[] => [s * a[0], s * a[1], s * a[2]];
const cross = (a: Numbers, b: Numbers): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** R_carrier R_frame */
function product(rotation: Float64Array, at: number, frame: Mat3, out: Float64Array): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      out[3 * i + j] =
        rotation[at + 3 * i] * frame[j] +
        rotation[at + 3 * i + 1] * frame[3 + j] +
        rotation[at + 3 * i + 2] * frame[6 + j];
}

/** η(x), x² = `square` */
function etaOf(square: number): number {
  if (square < 0.01) return 1 / 12 + square * (1 / 720 + square * (1 / 30240 + square / 1209600));
  const x = Math.sqrt(square);
  return (1 - (0.5 * x * cos(0.5 * x)) / sin(0.5 * x)) / square;
}

/** η'(x)/x */
function etaSlope(square: number): number {
  if (square < 0.01) return 1 / 360 + square * (1 / 7560 + square / 201600);
  const x = Math.sqrt(square);
  const s = sin(0.5 * x);
  return (-2 / x + (0.5 * cos(0.5 * x)) / s + (0.25 * x) / (s * s)) / (square * x);
}

/** J(φ)⁻ᵀ m */
function conjugateMoment(phi: Float64Array, mx: number, my: number, mz: number, out: Float64Array): void {
  const value = etaOf(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2]);
  const x = phi[1] * mz - phi[2] * my;
  const y = phi[2] * mx - phi[0] * mz;
  const z = phi[0] * my - phi[1] * mx;
  out[0] = mx + 0.5 * x + value * (phi[1] * z - phi[2] * y);
  out[1] = my + 0.5 * y + value * (phi[2] * x - phi[0] * z);
  out[2] = mz + 0.5 * z + value * (phi[0] * y - phi[1] * x);
}

function conjugateMomentTangent(phi: Numbers, m: Numbers, dPhi: Numbers, dm: Numbers): number[] {
  const square = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
  const value = etaOf(square);
  const once = cross(phi, m);
  const dOnce = plus(cross(dPhi, m), cross(phi, dm));
  const dValue = etaSlope(square) * (phi[0] * dPhi[0] + phi[1] * dPhi[1] + phi[2] * dPhi[2]);
  const twice = plus(times(dValue, cross(phi, once)), times(value, plus(cross(dPhi, once), cross(phi, dOnce))));
  return plus(plus(dm, times(0.5, dOnce)), twice);
}

/** δφ = J(φ)⁻¹ θ = θ − ½ φ × θ + η φ × (φ × θ) */
function inverseJacobian(phi: Numbers, theta: Numbers): number[] {
  const value = etaOf(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2]);
  const once = cross(phi, theta);
  return plus(plus(theta, times(-0.5, once)), times(value, cross(phi, once)));
}
