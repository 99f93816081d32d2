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
import type { ElementPlan } from '../../assembly/system.js';
import { cos, sin } from '../../math/elementary.js';
import { fromQuaternion, type Mat3 } from '../../math/mat3.js';
import type { Carriers } from '../tree/carriers.js';
import { rotationVectorOfMatrix } from '../tree/rotation-vector.js';
import { lever, type PairDerivative, type PairElement, type PowerLedger } from './pair-element.js';

type BushingPlan = Extract<ElementPlan, { kind: 'bushing' }>;

export class Bushing implements PairElement {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly states = 0;
  readonly stateAt = -1;
  readonly timeDependent = false;
  /** Its damping is somebody else's: neither in the force nor in the power */
  dampingApart = false;
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
  // For derivatives: 3 × 3, row by row
  private readonly matrixK = new Float64Array(9);
  private readonly matrixC = new Float64Array(9);
  private readonly matrixH = new Float64Array(9);
  private readonly matrixR = new Float64Array(9);
  private readonly local = new Float64Array(9);
  private readonly arms = new Float64Array(6); // of A and of B to the point where the force acts
  private readonly change = new Float64Array(12);

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
      const f = -stiffness[i] * along - (this.dampingApart ? 0 : damping[i] * speed);
      const moment = -elastic[i] - (this.dampingApart ? 0 : damping[3 + i] * spinning);
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

  /**
   * With K, C, C_r the stiffness and dampings and H = R (∂m/∂φ J⁻¹) Rᵀ, m the elastic torque, all in world axes, s the relative angular
   * velocity, a = r_A + d the lever at A, ρ the rate of the offset:
   *
   *   B moves by e        dF = (−K + C [ω_A]) e =: P e                       da = e
   *   B turns by e        dF = P u − C (ω_B × u), u = e × r_B, dT = −H e     da = dr_B = u
   *   A moves by e        dF = −P e                                          da = −e
   *   A turns by e        dF = K (e × a) + C (e × ρ) + e × F, dT = H e + C_r (e × s) + e × T
   */
  differentiate(_t: number, _y: Float64Array, out: PairDerivative): void {
    this.measure();
    const { axes, levers, offset, rate, spin, force, torque, plan, local, change } = this;
    const { twist } = this.carriers;
    const { byPose, byTwist, wrench } = out;
    const { stiffness, damping } = plan;
    const { matrixK: K, matrixC: C, matrixH: H, matrixR: Cr } = this;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        local[3 * i + j] = 0;
        let [k, c, r] = [0, 0, 0];
        for (let m = 0; m < 3; m++) {
          const product = axes[3 * i + m] * axes[3 * j + m];
          k += product * stiffness[m];
          c += product * damping[m];
          r += product * damping[3 + m];
        }
        K[3 * i + j] = k;
        C[3 * i + j] = c;
        Cr[3 * i + j] = r;
      }
    elasticTangent(this.turn, stiffness, local);
    similar(axes, local, this.relative, H);
    const arm = this.arms;
    for (let k = 0; k < 3; k++) {
      arm[k] = levers[k] + offset[k];
      arm[3 + k] = levers[3 + k];
    }
    const at = 6 * this.a;
    const bt = 6 * this.b;
    for (let axis = 0; axis < 3; axis++) {
      const n = (axis + 1) % 3;
      const p = (axis + 2) % 3;
      // change: 0 dF, 3 dT, 6 change of A's lever, 9 of B's
      // B moves, and A against it: ω_A × e has two entries
      change.fill(0);
      for (let i = 0; i < 3; i++)
        change[i] = C[3 * i + n] * twist[at + p] - C[3 * i + p] * twist[at + n] - K[3 * i + axis];
      change[6 + axis] = 1;
      this.record(byPose, 9 + axis, 1);
      this.record(byPose, 3 + axis, -1);
      // B turns: u = e × r_B, and (ω_A − ω_B) × u
      change.fill(0);
      const un = -arm[3 + p];
      const up = arm[3 + n];
      change[6 + n] = change[9 + n] = un;
      change[6 + p] = change[9 + p] = up;
      const wa = twist[at + axis] - twist[bt + axis];
      const wn = twist[at + n] - twist[bt + n];
      const wp = twist[at + p] - twist[bt + p];
      for (let i = 0; i < 3; i++) {
        const row = 3 * i;
        change[i] =
          C[row + axis] * (wn * up - wp * un) -
          C[row + n] * (wa * up) +
          C[row + p] * (wa * un) -
          K[row + n] * un -
          K[row + p] * up;
        change[3 + i] = -H[row + axis];
      }
      this.record(byPose, 6 + axis, 1);
      // A turns
      change.fill(0);
      for (let i = 0; i < 3; i++) {
        const row = 3 * i;
        change[i] = K[row + p] * arm[n] - K[row + n] * arm[p] + (C[row + p] * rate[n] - C[row + n] * rate[p]);
        change[3 + i] = H[row + axis] + (Cr[row + p] * spin[n] - Cr[row + n] * spin[p]);
      }
      change[n] -= force[p];
      change[p] += force[n];
      change[3 + n] -= torque[p];
      change[3 + p] += torque[n];
      this.record(byPose, axis, 1);
      // Velocities, B's and A's
      change.fill(0);
      for (let i = 0; i < 3; i++) change[i] = -C[3 * i + axis];
      this.record(byTwist, 9 + axis, 1);
      this.record(byTwist, 3 + axis, -1);
      for (let side = 0; side < 2; side++) {
        change.fill(0);
        const sign = side === 0 ? 1 : -1;
        for (let i = 0; i < 3; i++) {
          const row = 3 * i;
          change[i] = sign * (C[row + p] * arm[3 * side + n] - C[row + n] * arm[3 * side + p]);
          change[3 + i] = sign * Cr[row + axis];
        }
        this.record(byTwist, 6 * side + axis, 1);
      }
    }
    for (let i = 0; i < 3; i++) {
      const n = (i + 1) % 3;
      const p = (i + 2) % 3;
      wrench[i] -= arm[n] * force[p] - arm[p] * force[n] + torque[i];
      wrench[3 + i] -= force[i];
      wrench[6 + i] += arm[3 + n] * force[p] - arm[3 + p] * force[n] + torque[i];
      wrench[9 + i] += force[i];
    }
  }

  /** Adds `sign` times the change to a column: moments d(arm) × F + arm × dF + dT about A and B, and the forces */
  private record(matrix: Float64Array, column: number, sign: number): void {
    const { change, arms: arm, force } = this;
    for (let i = 0; i < 3; i++) {
      const n = i === 2 ? 0 : i + 1;
      const p = i === 0 ? 2 : i - 1;
      const onA =
        change[6 + n] * force[p] - change[6 + p] * force[n] + (arm[n] * change[p] - arm[p] * change[n]) + change[3 + i];
      const onB =
        change[9 + n] * force[p] -
        change[9 + p] * force[n] +
        (arm[3 + n] * change[p] - arm[3 + p] * change[n]) +
        change[3 + i];
      matrix[12 * i + column] -= sign * onA;
      matrix[12 * (3 + i) + column] -= sign * change[i];
      matrix[12 * (6 + i) + column] += sign * onB;
      matrix[12 * (9 + i) + column] += sign * change[i];
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
    if (this.dampingApart) return;
    this.measure();
    const { axes, rate, spin, plan } = this;
    for (let i = 0; i < 3; i++) {
      const speed = axes[i] * rate[0] + axes[3 + i] * rate[1] + axes[6 + i] * rate[2];
      const spinning = axes[i] * spin[0] + axes[3 + i] * spin[1] + axes[6 + i] * spin[2];
      ledger.dissipated += plan.damping[i] * speed * speed + plan.damping[3 + i] * spinning * spinning;
    }
  }
}

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

/**
 * ∂m/∂φ · J(φ)⁻¹ of the elastic torque m = J⁻ᵀ κ φ, row by row, A's axes: with c = φ × κφ, and δφ the columns of J⁻¹,
 *
 *   δm = κ δφ + ½ δc + η' (φ · δφ) φ × c + η (δφ × c + φ × δc),   δc = δφ × κφ + φ × κ δφ
 */
function elasticTangent(phi: Float64Array, stiffness: readonly number[], out: Float64Array): void {
  const [x, y, z] = phi;
  const [kx, ky, kz] = [stiffness[3], stiffness[4], stiffness[5]];
  const square = x * x + y * y + z * z;
  const value = etaOf(square);
  const slope = etaSlope(square);
  const [mx, my, mz] = [kx * x, ky * y, kz * z];
  const cx = y * mz - z * my;
  const cy = z * mx - x * mz;
  const cz = x * my - y * mx;
  for (let column = 0; column < 3; column++) {
    // δφ = J⁻¹ e = e − ½ φ × e + η (φ (φ · e) − φ² e)
    const along = value * phi[column];
    const own = 1 - value * square;
    const px = along * x + (column === 0 ? own : column === 1 ? 0.5 * z : -0.5 * y);
    const py = along * y + (column === 1 ? own : column === 2 ? 0.5 * x : -0.5 * z);
    const pz = along * z + (column === 2 ? own : column === 0 ? 0.5 * y : -0.5 * x);
    const [ux, uy, uz] = [kx * px, ky * py, kz * pz];
    const dx = py * mz - pz * my + (y * uz - z * uy);
    const dy = pz * mx - px * mz + (z * ux - x * uz);
    const dz = px * my - py * mx + (x * uy - y * ux);
    const grow = slope * (x * px + y * py + z * pz);
    out[column] = ux + 0.5 * dx + grow * (y * cz - z * cy) + value * (py * cz - pz * cy + (y * dz - z * dy));
    out[3 + column] = uy + 0.5 * dy + grow * (z * cx - x * cz) + value * (pz * cx - px * cz + (z * dx - x * dz));
    out[6 + column] = uz + 0.5 * dz + grow * (x * cy - y * cx) + value * (px * cy - py * cx + (x * dy - y * dx));
  }
}

/** out = R M Rᵀ; `work` is overwritten. */
function similar(r: Float64Array, m: Float64Array, work: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) work[3 * i + j] = r[3 * i] * m[j] + r[3 * i + 1] * m[3 + j] + r[3 * i + 2] * m[6 + j];
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      out[3 * i + j] = work[3 * i] * r[3 * j] + work[3 * i + 1] * r[3 * j + 1] + work[3 * i + 2] * r[3 * j + 2];
}
