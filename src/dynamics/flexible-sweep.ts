/**
 * The coordinates of a flexible body inside the O(n) sweep of steps (tree-sweep.ts): eliminated together at its frame. Chain nodes of interfaces are
 * left standing on the way up; each leaves its column and row, with those of the joints below it in the same chain
 *
 *   u = P col,   r = Sᵀ P,   u' = u + e² (s ×* f)
 *   D_ii = S_i · u_i,   D_id = S_i · u'_d,   D_di = r_d · col_i
 *
 * At the frame, with P_k = (n_k, p_k) and β_k of flexible-inertia.ts at the tree's common origin,
 *
 *   D += Mff + e ∂Q/∂η + e² ∂Q/∂q,   U' += ∂(F, T)/∂η' + e ∂/∂η + e² ∂/∂q,   R_k += [ P_k | e β_k | 0 ]
 *   P −= U' D⁻¹ R;   solve: y = D⁻¹ (b − S · c), c += U' y;   on the way down   x = y − D⁻¹ R z
 */
import { ScaledLu } from '../math/scaled-lu.js';
import type { FlexibleInertia } from './flexible-inertia.js';
import { addCrossForce, dot6, shiftForce } from './spatial.js';
import type { StepColumns } from './step-columns.js';
import type { TreeDerivatives } from './tree-derivatives.js';

export class FlexibleSweep {
  readonly flexible: FlexibleInertia;
  private readonly derivatives: TreeDerivatives;
  private readonly columns: StepColumns;
  /** By local index: coordinates of the chain below each one, itself not */
  private readonly below: readonly Int32Array[];
  private readonly lu: ScaledLu;
  private readonly rows: Float64Array; // 18 per coordinate: R
  private readonly gain: Float64Array; // 18 per coordinate: D⁻¹ R
  private readonly back: Float64Array; // 6 per coordinate: U'
  private readonly right: Float64Array;
  private readonly wrench = new Float64Array(12);

  constructor(flexible: FlexibleInertia, derivatives: TreeDerivatives, columns: StepColumns) {
    this.flexible = flexible;
    this.derivatives = derivatives;
    this.columns = columns;
    const { count: n, nodes, node } = flexible;
    const { parent } = derivatives.kinematics.tree;
    const { carrying } = flexible.plan;
    const below = Array.from({ length: carrying }, (): number[] => []);
    for (let k = 0; k < carrying; k++)
      for (let i = parent[nodes[k]]; i !== node; i = parent[i]) below[nodes.indexOf(i)].push(k);
    this.below = below.map((own) => Int32Array.from(own));
    this.lu = new ScaledLu(n);
    this.rows = new Float64Array(18 * n);
    this.gain = new Float64Array(18 * n);
    this.back = new Float64Array(6 * n);
    this.right = new Float64Array(n);
  }

  start(): void {
    this.lu.matrix.fill(0);
  }

  /** A chain node, whose P (108 numbers from `at`) is complete. @param k local index */
  pass(k: number, e: number, matrix: Float64Array, at: number): void {
    const { flexible, rows, back, below, lu, columns, derivatives } = this;
    const { alpha, beta, chi, column } = columns;
    const n = flexible.count;
    const c = 6 * flexible.velocity[k];
    for (let r = 0; r < 6; r++) {
      let sum = 0;
      const from = at + 18 * r;
      for (let j = 0; j < 6; j++)
        sum +=
          matrix[from + j] * alpha[c + j] + matrix[from + 6 + j] * beta[c + j] + matrix[from + 12 + j] * chi[c + j];
      back[6 * k + r] = sum;
    }
    for (let j = 0; j < 18; j++) {
      let sum = 0;
      for (let r = 0; r < 6; r++) sum += column[c + r] * matrix[at + 18 * r + j];
      rows[18 * k + j] = sum;
    }
    const d = lu.matrix;
    d[k * n + k] += dot6(column, c, back, 6 * k);
    const own = below[k];
    for (let index = 0; index < own.length; index++) {
      const l = own[index];
      d[k * n + l] += dot6(column, c, back, 6 * l);
      d[l * n + k] += dot6(rows, 18 * l, alpha, c) + dot6(rows, 18 * l + 6, beta, c) + dot6(rows, 18 * l + 12, chi, c);
    }
    addCrossForce(e * e, chi, c, derivatives.wrench, 6 * flexible.nodes[k], back, 6 * k);
  }

  /** At the frame: takes the coordinates out of its P. False if they are singular. */
  eliminate(e: number, matrix: Float64Array, at: number, diagonal: Float64Array): boolean {
    const { flexible, lu, rows, gain, back, wrench, derivatives } = this;
    const { count: n, node, plan, velocity, byAcceleration, byEta, byQ, beta, rowsByEta, rowsByQ } = flexible;
    const { offset } = derivatives;
    const { mass, carrying } = plan;
    const d = lu.matrix;
    for (let k = 0; k < n * n; k++) d[k] += mass[k] + e * rowsByEta[k] + e * e * rowsByQ[k];
    for (let k = 0; k < n; k++) {
      d[k * n + k] += diagonal[velocity[k]];
      if (k >= carrying) {
        rows.fill(0, 18 * k, 18 * k + 18);
        back.fill(0, 6 * k, 6 * k + 6);
      }
      shiftForce(byAcceleration, 6 * k, offset, 3 * node, wrench, 0);
      for (let j = 0; j < 6; j++) rows[18 * k + j] += wrench[j];
      for (let j = 0; j < 3; j++) rows[18 * k + 6 + j] += e * beta[3 * k + j];
      for (let j = 0; j < 6; j++)
        wrench[6 + j] = byAcceleration[6 * k + j] + e * byEta[6 * k + j] + e * e * byQ[6 * k + j];
      shiftForce(wrench, 6, offset, 3 * node, wrench, 0);
      for (let j = 0; j < 6; j++) back[6 * k + j] += wrench[j];
    }
    if (!lu.factorise()) return false;
    lu.solveRows(rows, 18, gain);
    for (let k = 0; k < n; k++)
      for (let r = 0; r < 6; r++) {
        const u = back[6 * k + r];
        const to = at + 18 * r;
        for (let j = 0; j < 18; j++) matrix[to + j] -= u * gain[18 * k + j];
      }
    return true;
  }

  /** Solve, at the frame on the way up: the coordinates' share, and what it does to the frame */
  up(b: Float64Array, wrench: Float64Array): void {
    const { flexible, right, lu, back, columns } = this;
    const { count: n, velocity, nodes, node, plan } = flexible;
    for (let k = 0; k < n; k++) {
      const v = velocity[k];
      right[k] = b[v];
      if (k < plan.carrying) right[k] -= dot6(columns.column, 6 * v, wrench, 6 * nodes[k]);
    }
    lu.solve(right);
    for (let k = 0; k < n; k++) {
      b[velocity[k]] = right[k];
      for (let j = 0; j < 6; j++) wrench[6 * node + j] += back[6 * k + j] * right[k];
    }
  }

  /** On the way down: x = y − D⁻¹ R z */
  down(b: Float64Array, motion: Float64Array): void {
    const { flexible, gain } = this;
    const { count: n, velocity, node } = flexible;
    for (let k = 0; k < n; k++) {
      let sum = b[velocity[k]];
      for (let j = 0; j < 18; j++) sum -= gain[18 * k + j] * motion[18 * node + j];
      b[velocity[k]] = sum;
    }
  }
}
