/**
 * The step size enters the derivatives through a few combinations per velocity. With e = h γ, a joint's position moves by E (r̃ + e x)
 * when its velocity moves by x; E = 1 for scalar joints, and for a unit quaternion with angular velocity ω in the child's frame
 *
 *   a = e ω/2,   E = (1 − [a])/(1 + |a|²)
 *
 * which is exact for the quaternion as four numbers: from x_q = q (σ, θ/2) and q' = ½ q (0, ω),
 * θ + (e²/4) ω (ω · θ) + (e/2) ω × θ = r̃ + e x_ω,  r̃ = r_θ + e ρ ω,  σ = ρ − (e/4) θ · ω,  with (ρ, r_θ/2) = conj(q) r_q.
 *
 * Per velocity, 6 numbers each at the tree's origin (free bodies: at their centre):
 *
 *   α = s + e φ + e² ψ₂ E      β = s + e ψ₁ E      χ = s E
 */
import { NODE, type System } from '../../assembly/system.js';
import type { Carriers } from '../tree/carriers.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';

export class StepColumns {
  readonly nv: number;
  readonly alpha: Float64Array;
  readonly beta: Float64Array;
  readonly chi: Float64Array;
  /** s and ψ₁ of all velocities; those of the tree are the derivatives' own */
  readonly column: Float64Array;
  readonly psi1: Float64Array;
  /** Per rotor (spherical nodes, then free bodies): first index in q and in v */
  readonly rotorQ: Int32Array;
  readonly rotorV: Int32Array;
  /** 9 per rotor: E */
  readonly turning: Float64Array;
  /** Rotor of each velocity, −1 for scalar ones and linear ones of free bodies */
  readonly rotorOf: Int32Array;
  /** 1 per velocity of a free body that no load with derivatives acts on, and of modes: its columns are not needed */
  readonly unused: Uint8Array;
  /** Position in q of each scalar velocity, −1 where a rotor has it */
  readonly coordinateOf: Int32Array;
  private readonly derivatives: TreeDerivatives;
  private readonly carriers: Carriers;
  private readonly nq: number;
  /** State at the linearisation */
  private readonly quaternion: Float64Array;
  private readonly spin: Float64Array;
  private readonly radial: Float64Array; // ρ per rotor
  private e = 0;

  constructor(system: System, carriers: Carriers, derivatives: TreeDerivatives) {
    const { tree, nv, nq } = system;
    this.nv = nv;
    this.nq = nq;
    this.derivatives = derivatives;
    this.carriers = carriers;
    this.alpha = new Float64Array(6 * nv);
    this.beta = new Float64Array(6 * nv);
    this.chi = new Float64Array(6 * nv);
    this.column = new Float64Array(6 * nv);
    this.psi1 = new Float64Array(6 * nv);
    this.rotorOf = new Int32Array(nv).fill(-1);
    this.unused = new Uint8Array(nv);
    this.coordinateOf = new Int32Array(nv).fill(-1);
    const rotorQ: number[] = [];
    const rotorV: number[] = [];
    let q = 0;
    for (let i = 0; i < tree.count; i++) {
      if (tree.v[i] < 0) continue;
      if (tree.kind[i] === NODE.spherical) {
        for (let j = 0; j < 3; j++) this.rotorOf[tree.v[i] + j] = rotorQ.length;
        rotorQ.push(tree.q[i]);
        rotorV.push(tree.v[i]);
        q = tree.q[i] + 4;
      } else {
        this.coordinateOf[tree.v[i]] = tree.q[i];
        this.unused[tree.v[i]] = derivatives.kinematics.idle[i] === 1 ? 1 : 0; // modes have no columns: they carry nothing
        q = tree.q[i] + 1;
      }
    }
    for (let i = 0; i < system.free.count; i++) {
      const at = q + 7 * i;
      const v = derivatives.size + 6 * i;
      for (let j = 0; j < 3; j++) {
        this.coordinateOf[v + j] = at + j;
        this.rotorOf[v + 3 + j] = rotorQ.length;
      }
      rotorQ.push(at + 3);
      rotorV.push(v + 3);
    }
    this.rotorQ = Int32Array.from(rotorQ);
    this.rotorV = Int32Array.from(rotorV);
    this.turning = new Float64Array(9 * rotorQ.length);
    this.quaternion = new Float64Array(4 * rotorQ.length);
    this.spin = new Float64Array(3 * rotorQ.length);
    this.radial = new Float64Array(rotorQ.length);
  }

  /** Keeps the state at which E and the quaternions are meant. */
  linearise(y: Float64Array): void {
    const { rotorQ, rotorV, quaternion, spin, column, psi1, derivatives, nq } = this;
    for (let k = 0; k < rotorQ.length; k++) {
      for (let j = 0; j < 4; j++) quaternion[4 * k + j] = y[rotorQ[k] + j];
      for (let j = 0; j < 3; j++) spin[3 * k + j] = y[nq + rotorV[k] + j];
    }
    column.set(derivatives.column);
    psi1.set(derivatives.psi1);
    // Free bodies: slides (0, e_j), then turns (R e_j, 0) with ψ₁ = (0, v × R e_j)
    const { rotation, twist, nodes, free } = this.carriers;
    for (let i = 0; i < free; i++) {
      if (this.unused[derivatives.size + 6 * i] !== 0) continue;
      const r = 9 * (nodes + i);
      const v = 6 * (nodes + i) + 3;
      for (let j = 0; j < 3; j++) {
        const at = 6 * (derivatives.size + 6 * i + j);
        column[at + 3 + j] = 1;
        const x = rotation[r + j];
        const y2 = rotation[r + 3 + j];
        const z = rotation[r + 6 + j];
        column[at + 18] = x;
        column[at + 19] = y2;
        column[at + 20] = z;
        psi1[at + 21] = twist[v + 1] * z - twist[v + 2] * y2;
        psi1[at + 22] = twist[v + 2] * x - twist[v] * z;
        psi1[at + 23] = twist[v] * y2 - twist[v + 1] * x;
      }
    }
  }

  /** E, α, β, χ for a step size */
  prepare(e: number): void {
    const { rotorQ, turning, spin, alpha, beta, chi, column, psi1, rotorOf, derivatives } = this;
    const { psi2, phi, size } = derivatives;
    this.e = e;
    for (let k = 0; k < rotorQ.length; k++) {
      const ax = 0.5 * e * spin[3 * k];
      const ay = 0.5 * e * spin[3 * k + 1];
      const az = 0.5 * e * spin[3 * k + 2];
      const f = 1 / (1 + ax * ax + ay * ay + az * az);
      const at = 9 * k;
      turning[at] = turning[at + 4] = turning[at + 8] = f;
      turning[at + 1] = f * az;
      turning[at + 2] = -f * ay;
      turning[at + 3] = -f * az;
      turning[at + 5] = f * ax;
      turning[at + 6] = f * ay;
      turning[at + 7] = -f * ax;
    }
    for (let k = 0; k < this.nv; k++) {
      if (this.unused[k] !== 0) continue;
      const s = 6 * k;
      const rotor = rotorOf[k];
      const inTree = k < size;
      if (rotor < 0) {
        for (let j = s; j < s + 6; j++) {
          alpha[j] = column[j] + (inTree ? e * phi[j] + e * e * psi2[j] : 0);
          beta[j] = column[j] + e * psi1[j];
          chi[j] = column[j];
        }
        continue;
      }
      const first = 6 * this.rotorV[rotor];
      const c = k - this.rotorV[rotor];
      const e0 = turning[9 * rotor + c];
      const e1 = turning[9 * rotor + 3 + c];
      const e2 = turning[9 * rotor + 6 + c];
      for (let j = 0; j < 6; j++) {
        const a = first + j;
        chi[s + j] = column[a] * e0 + column[a + 6] * e1 + column[a + 12] * e2;
        beta[s + j] = column[s + j] + e * (psi1[a] * e0 + psi1[a + 6] * e1 + psi1[a + 12] * e2);
        alpha[s + j] = column[s + j];
        if (inTree) alpha[s + j] += e * phi[s + j] + e * e * (psi2[a] * e0 + psi2[a + 6] * e1 + psi2[a + 12] * e2);
      }
    }
  }

  /** ρ per velocity, E r̃: what positions move by for velocities that do not; from the right side r. */
  positions(r: Float64Array, out: Float64Array): void {
    const { rotorQ, rotorV, rotorOf, coordinateOf, quaternion, spin, turning, radial, e } = this;
    for (let k = 0; k < this.nv; k++) if (rotorOf[k] < 0) out[k] = r[coordinateOf[k]];
    for (let k = 0; k < rotorQ.length; k++) {
      const at = rotorQ[k];
      const w = quaternion[4 * k];
      const x = quaternion[4 * k + 1];
      const y = quaternion[4 * k + 2];
      const z = quaternion[4 * k + 3];
      const r0 = r[at];
      const r1 = r[at + 1];
      const r2 = r[at + 2];
      const r3 = r[at + 3];
      // conj(q) r_q = (ρ, r_θ/2)
      const rho = w * r0 + x * r1 + y * r2 + z * r3;
      radial[k] = rho;
      const tx = 2 * (w * r1 - x * r0 - y * r3 + z * r2) + e * rho * spin[3 * k];
      const ty = 2 * (w * r2 - y * r0 - z * r1 + x * r3) + e * rho * spin[3 * k + 1];
      const tz = 2 * (w * r3 - z * r0 - x * r2 + y * r1) + e * rho * spin[3 * k + 2];
      const m = 9 * k;
      const v = rotorV[k];
      out[v] = turning[m] * tx + turning[m + 1] * ty + turning[m + 2] * tz;
      out[v + 1] = turning[m + 3] * tx + turning[m + 4] * ty + turning[m + 5] * tz;
      out[v + 2] = turning[m + 6] * tx + turning[m + 7] * ty + turning[m + 8] * tz;
    }
  }

  /**
   * Finishes a solve: from `given` (ρ of `positions`) and velocities x, writes the position part of the solution into r and leaves the
   * displacements θ = E (r̃ + e x) in `given`.
   */
  finish(given: Float64Array, x: Float64Array, r: Float64Array): void {
    const { rotorQ, rotorV, rotorOf, coordinateOf, quaternion, spin, turning, radial, e } = this;
    for (let k = 0; k < this.nv; k++)
      if (rotorOf[k] < 0) {
        given[k] += e * x[k];
        r[coordinateOf[k]] = given[k];
      }
    for (let k = 0; k < rotorQ.length; k++) {
      const v = rotorV[k];
      const m = 9 * k;
      const x0 = x[v];
      const x1 = x[v + 1];
      const x2 = x[v + 2];
      given[v] += e * (turning[m] * x0 + turning[m + 1] * x1 + turning[m + 2] * x2);
      given[v + 1] += e * (turning[m + 3] * x0 + turning[m + 4] * x1 + turning[m + 5] * x2);
      given[v + 2] += e * (turning[m + 6] * x0 + turning[m + 7] * x1 + turning[m + 8] * x2);
      const tx = given[v];
      const ty = given[v + 1];
      const tz = given[v + 2];
      const sigma = radial[k] - 0.25 * e * (tx * spin[3 * k] + ty * spin[3 * k + 1] + tz * spin[3 * k + 2]);
      // q (σ, θ/2)
      const qw = quaternion[4 * k];
      const qx = quaternion[4 * k + 1];
      const qy = quaternion[4 * k + 2];
      const qz = quaternion[4 * k + 3];
      const ax = 0.5 * tx;
      const ay = 0.5 * ty;
      const az = 0.5 * tz;
      const at = rotorQ[k];
      r[at] = qw * sigma - qx * ax - qy * ay - qz * az;
      r[at + 1] = qw * ax + qx * sigma + qy * az - qz * ay;
      r[at + 2] = qw * ay + qy * sigma + qz * ax - qx * az;
      r[at + 3] = qw * az + qz * sigma + qx * ay - qy * ax;
    }
  }
}
