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
import { ScaledLu } from '../../math/scaled-lu.js';
import type { FlexibleInertia } from '../flexible/flexible-inertia.js';
import { addCrossForce, dot6, shiftForce } from '../tree/spatial.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import type { StepColumns } from './step-columns.js';

export class FlexibleSweep {
  readonly flexible: FlexibleInertia;
  private readonly derivatives: TreeDerivatives;
  private readonly columns: StepColumns;
  /** By local index: coordinates of the chain below each one, itself not */
  private readonly below: readonly Int32Array[];
  /** By local index of chains: the node that it is taken together with */
  private readonly carrier: Int32Array;
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
    const { idle } = derivatives.kinematics;
    const { carrying } = flexible.plan;
    this.carrier = nodes.slice(0, carrying);
    for (let k = carrying - 2; k >= 0; k--) if (idle[nodes[k]] === 2) this.carrier[k] = this.carrier[k + 1];
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

  /** A chain node, whose P (108 numbers from `at`) is complete, and the slides that are taken together with it. @param k local index */
  pass(k: number, e: number, matrix: Float64Array, at: number, width: number): void {
    for (let l = k; l >= 0 && this.carrier[l] === this.carrier[k]; l--) this.passOne(l, e, matrix, at, width);
  }

  private passOne(k: number, e: number, matrix: Float64Array, at: number, width: number): void {
    const { flexible, rows, back, below, lu, columns, derivatives } = this;
    const { alpha, beta, chi, column } = columns;
    const n = flexible.count;
    const c = 6 * flexible.velocity[k];
    for (let r = 0; r < 6; r++) {
      let sum = 0;
      const from = at + 18 * r;
      for (let j = 0; j < 3; j++) sum += matrix[from + j] * alpha[c + j] + matrix[from + 6 + j] * beta[c + j];
      for (let j = 3; j < 6; j++) sum += matrix[from + j] * alpha[c + j];
      if (width === 18) {
        for (let j = 3; j < 6; j++) sum += matrix[from + 6 + j] * beta[c + j];
        for (let j = 0; j < 6; j++) sum += matrix[from + 12 + j] * chi[c + j];
      }
      back[6 * k + r] = sum;
    }
    const c0 = column[c];
    const c1 = column[c + 1];
    const c2 = column[c + 2];
    const c3 = column[c + 3];
    const c4 = column[c + 4];
    const c5 = column[c + 5];
    for (let j = 0, m = at; j < width; j++, m++)
      rows[18 * k + j] =
        c0 * matrix[m] +
        c1 * matrix[m + 18] +
        c2 * matrix[m + 36] +
        c3 * matrix[m + 54] +
        c4 * matrix[m + 72] +
        c5 * matrix[m + 90];
    const d = lu.matrix;
    d[k * n + k] += dot6(column, c, back, 6 * k);
    const own = below[k];
    for (let index = 0; index < own.length; index++) {
      const l = own[index];
      d[k * n + l] += dot6(column, c, back, 6 * l);
      const r = 18 * l;
      let sum = dot6(rows, r, alpha, c);
      if (width === 18) sum += dot6(rows, r + 6, beta, c) + dot6(rows, r + 12, chi, c);
      else sum += rows[r + 6] * beta[c] + rows[r + 7] * beta[c + 1] + rows[r + 8] * beta[c + 2];
      d[l * n + k] += sum;
    }
    addCrossForce(e * e, chi, c, derivatives.wrench, 6 * flexible.nodes[k], back, 6 * k);
  }

  /** At the frame: takes the coordinates out of its P. False if they are singular. */
  eliminate(e: number, matrix: Float64Array, at: number, diagonal: Float64Array, width: number): boolean {
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
    lu.solveRows(rows, 18, width, gain);
    for (let r = 0; r < 6; r++) for (let j = 0; j < width; j += 3) this.subtract(matrix, at + 18 * r + j, r, j);
    return true;
  }

  /** Three numbers of row r of P −= U' D⁻¹ R, from column j: sums that stay in registers */
  private subtract(matrix: Float64Array, to: number, r: number, j: number): void {
    const { back, gain } = this;
    let a = matrix[to];
    let b = matrix[to + 1];
    let c = matrix[to + 2];
    for (let k = r, from = j; k < back.length; k += 6, from += 18) {
      const u = back[k];
      a -= u * gain[from];
      b -= u * gain[from + 1];
      c -= u * gain[from + 2];
    }
    matrix[to] = a;
    matrix[to + 1] = b;
    matrix[to + 2] = c;
  }

  /** Solve, at the frame on the way up: the coordinates' share, and what it does to the frame */
  up(b: Float64Array, wrench: Float64Array): void {
    const { flexible, right, lu, back, columns, carrier } = this;
    const { count: n, velocity, node, plan } = flexible;
    for (let k = 0; k < n; k++) {
      const v = velocity[k];
      right[k] = b[v];
      if (k < plan.carrying) right[k] -= dot6(columns.column, 6 * v, wrench, 6 * carrier[k]);
    }
    lu.solve(right);
    const w = 6 * node;
    let w0 = wrench[w];
    let w1 = wrench[w + 1];
    let w2 = wrench[w + 2];
    let w3 = wrench[w + 3];
    let w4 = wrench[w + 4];
    let w5 = wrench[w + 5];
    for (let k = 0, at = 0; k < n; k++, at += 6) {
      const x = right[k];
      b[velocity[k]] = x;
      w0 += back[at] * x;
      w1 += back[at + 1] * x;
      w2 += back[at + 2] * x;
      w3 += back[at + 3] * x;
      w4 += back[at + 4] * x;
      w5 += back[at + 5] * x;
    }
    wrench[w] = w0;
    wrench[w + 1] = w1;
    wrench[w + 2] = w2;
    wrench[w + 3] = w3;
    wrench[w + 4] = w4;
    wrench[w + 5] = w5;
  }

  /** On the way down: x = y − D⁻¹ R z */
  down(b: Float64Array, motion: Float64Array, width: number): void {
    const { flexible, gain } = this;
    const { count: n, velocity, node } = flexible;
    const at = 18 * node;
    for (let k = 0; k < n; k++) {
      // three sums that do not wait for each other
      let x = 0;
      let y = 0;
      let z = 0;
      for (let j = at, g = 18 * k; j < at + width; j += 3, g += 3) {
        x += gain[g] * motion[j];
        y += gain[g + 1] * motion[j + 1];
        z += gain[g + 2] * motion[j + 2];
      }
      b[velocity[k]] -= x + y + z;
    }
  }
}
