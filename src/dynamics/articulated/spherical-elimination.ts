/**
 * A spherical joint in the articulated-body algorithm (articulated-body.ts has the layout of I = [J H; Hᵀ M] and p): its columns are the world's axes, so D = J = L Lᵀ, and with Y = J⁻¹ H
 *
 *   M ← M − Hᵀ Y,   f ← f + Yᵀ ε,   ε = τ − t
 *
 * J and H vanish behind it, for no torque passes but the one applied.
 */
import type { TreeKinematics } from '../tree/tree-kinematics.js';

/** The arrays of the articulated-body algorithm that are needed here */
export interface ArticulatedArrays {
  readonly kinematics: TreeKinematics;
  readonly inertia: Float64Array;
  readonly force: Float64Array;
  readonly gain: Float64Array;
  readonly pivot: Float64Array;
  readonly residual: Float64Array;
  readonly along: Float64Array;
  readonly least: Float64Array;
  /** @throws DynamicsError: D is not above the least */
  refuse(node: number, found: number): never;
}

/** Eliminates the joint of node i, in place. @param v index of its torques in `applied`, N m, its own axes */
export function eliminateSpherical(of: ArticulatedArrays, i: number, applied: Float64Array, v: number): void {
  const { inertia, force, gain, pivot, residual, along, least } = of;
  const { rotation } = of.kinematics.carriers;
  const { parent } = of.kinematics.tree;
  const k = 21 * i;
  const s = 6 * i;
  const jxx = inertia[k];
  const jyy = inertia[k + 1];
  const jzz = inertia[k + 2];
  const jxy = inertia[k + 3];
  const jxz = inertia[k + 4];
  const jyz = inertia[k + 5];
  const h00 = inertia[k + 6];
  const h01 = inertia[k + 7];
  const h02 = inertia[k + 8];
  const h10 = inertia[k + 9];
  const h11 = inertia[k + 10];
  const h12 = inertia[k + 11];
  const h20 = inertia[k + 12];
  const h21 = inertia[k + 13];
  const h22 = inertia[k + 14];
  const tx = force[s];
  const ty = force[s + 1];
  const tz = force[s + 2];
  // J = L Lᵀ
  const l00 = Math.sqrt(jxx);
  const l10 = jxy / l00;
  const l20 = jxz / l00;
  const p1 = jyy - l10 * l10;
  const l11 = Math.sqrt(p1);
  const l21 = (jyz - l20 * l10) / l11;
  const p2 = jzz - l20 * l20 - l21 * l21;
  const l22 = Math.sqrt(p2);
  const smallest = Math.min(jxx, p1, p2);
  if (!(smallest > least[i])) of.refuse(i, smallest);
  along[i] = smallest;
  pivot[s] = l00;
  pivot[s + 1] = l10;
  pivot[s + 2] = l11;
  pivot[s + 3] = l20;
  pivot[s + 4] = l21;
  pivot[s + 5] = l22;
  const r = 9 * i;
  const r0 = applied[v];
  const r1 = applied[v + 1];
  const r2 = applied[v + 2];
  const ex = rotation[r] * r0 + rotation[r + 1] * r1 + rotation[r + 2] * r2;
  const ey = rotation[r + 3] * r0 + rotation[r + 4] * r1 + rotation[r + 5] * r2;
  const ez = rotation[r + 6] * r0 + rotation[r + 7] * r1 + rotation[r + 8] * r2;
  const e0 = ex - tx;
  const e1 = ey - ty;
  const e2 = ez - tz;
  residual[3 * i] = e0;
  residual[3 * i + 1] = e1;
  residual[3 * i + 2] = e2;
  // Y by columns
  for (let c = 0; c < 3; c++) {
    const b0 = inertia[k + 6 + c];
    const b1 = inertia[k + 9 + c];
    const b2 = inertia[k + 12 + c];
    const a0 = b0 / l00;
    const a1 = (b1 - l10 * a0) / l11;
    const a2 = (b2 - l20 * a0 - l21 * a1) / l22;
    const x2 = a2 / l22;
    const x1 = (a1 - l21 * x2) / l11;
    gain[r + c] = (a0 - l10 * x1 - l20 * x2) / l00;
    gain[r + 3 + c] = x1;
    gain[r + 6 + c] = x2;
  }
  if (parent[i] < 0) return;
  inertia[k + 15] -= h00 * gain[r] + h10 * gain[r + 3] + h20 * gain[r + 6];
  inertia[k + 16] -= h01 * gain[r + 1] + h11 * gain[r + 4] + h21 * gain[r + 7];
  inertia[k + 17] -= h02 * gain[r + 2] + h12 * gain[r + 5] + h22 * gain[r + 8];
  inertia[k + 18] -= h00 * gain[r + 1] + h10 * gain[r + 4] + h20 * gain[r + 7];
  inertia[k + 19] -= h00 * gain[r + 2] + h10 * gain[r + 5] + h20 * gain[r + 8];
  inertia[k + 20] -= h01 * gain[r + 2] + h11 * gain[r + 5] + h21 * gain[r + 8];
  force[s + 3] += gain[r] * e0 + gain[r + 3] * e1 + gain[r + 6] * e2;
  force[s + 4] += gain[r + 1] * e0 + gain[r + 4] * e1 + gain[r + 7] * e2;
  force[s + 5] += gain[r + 2] * e0 + gain[r + 5] * e1 + gain[r + 8] * e2;
  force[s] = ex;
  force[s + 1] = ey;
  force[s + 2] = ez;
  inertia.fill(0, k, k + 15); // J and H
}
