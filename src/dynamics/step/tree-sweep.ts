/**
 * The step matrix W = M − e D − e² K E of a tree factored in O(n): an articulated-body algorithm for the linearised motion, with
 * 6 × 18 matrices. Per node z = (Σ α x, Σ β x, Σ χ x) over the joints above and at it; a change of velocities x changes the wrench of
 * the node by P z,
 *
 *   P_i = [ I | e (B − C) | −e² X'' ]     without loads nothing but I and the angular part of B: 9 columns instead of 18
 *   leaf to root   u = P col,  d = Sᵀ u + joint's own,  row = d⁻¹ Sᵀ P,  u' = u + e² (s ×* f) E;   P_parent += P − u' row
 *   solve          y = d⁻¹ (b − S · c),  c_parent += c + u' y;   root to leaf  x = y − row z_parent,  z = z_parent + col x
 *
 * Coordinates of deforming bodies are taken together at their frames (flexible-sweep.ts).
 *
 * Without derivatives of loads and forces this is the articulated-body algorithm.
 */

import { addCrossForce } from '../tree/spatial.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import { FlexibleSweep } from './flexible-sweep.js';
import type { StepColumns } from './step-columns.js';

export class TreeSweep {
  private readonly derivatives: TreeDerivatives;
  private readonly columns: StepColumns;
  private readonly matrix: Float64Array; // 108 per node: P
  private readonly row: Float64Array; // 18 per velocity
  private readonly back: Float64Array; // 6 per velocity: u'
  private readonly inverse: Float64Array; // 9 per node: d⁻¹
  private readonly wrench: Float64Array; // 6 per node: c
  private readonly motion: Float64Array; // 18 per node: z
  private readonly pivot = new Float64Array(9);
  private readonly rows = new Float64Array(54);
  /** By the first node of each tree, columns of P that are not zero throughout, and numbers of z: 9 without loads that have derivatives, else 18 */
  private readonly widths: Uint8Array;
  /** Of bodies that deform; per node the one whose frame it is, whose coordinate it is, −1: none; and which coordinate */
  private readonly blocks: readonly FlexibleSweep[];
  private readonly frameOf: Int32Array;
  private readonly blockOf: Int32Array;
  private readonly placeInBlock: Int32Array;

  constructor(derivatives: TreeDerivatives, columns: StepColumns) {
    const n = derivatives.kinematics.tree.count;
    this.derivatives = derivatives;
    this.columns = columns;
    this.matrix = new Float64Array(108 * n);
    this.widths = new Uint8Array(n);
    this.row = new Float64Array(18 * derivatives.size);
    this.back = new Float64Array(6 * derivatives.size);
    this.inverse = new Float64Array(9 * n);
    this.wrench = new Float64Array(6 * n);
    this.motion = new Float64Array(18 * n);
    const { flexible } = derivatives.kinematics;
    this.blocks = flexible.map((body) => new FlexibleSweep(body, derivatives, columns));
    this.frameOf = new Int32Array(n).fill(-1);
    this.blockOf = new Int32Array(n).fill(-1);
    this.placeInBlock = new Int32Array(n);
    flexible.forEach(({ node, nodes }, index) => {
      this.frameOf[node] = index;
      nodes.forEach((own, k) => {
        this.blockOf[own] = index;
        this.placeInBlock[own] = k;
      });
    });
  }

  /**
   * @param nodes    of the tree, ascending
   * @param pose     36 per node: X''
   * @param twist    36 per node: C
   * @param loaded   per node: pose and twist are not zero
   * @param diagonal per velocity: what joint forces add to W
   * @returns false if the matrix is singular
   */
  factorise(
    e: number,
    nodes: Int32Array,
    pose: Float64Array,
    twist: Float64Array,
    loaded: Uint8Array,
    diagonal: Float64Array,
  ): boolean {
    const { matrix, row, back, inverse, derivatives, columns, pivot, rows, blocks, frameOf, blockOf } = this;
    const { inertia, coriolis, wrench, kinematics } = derivatives;
    const { tree, idle, above: parent } = kinematics;
    const { alpha, beta, chi, column, rotorOf } = columns;

    let width = 9;
    for (const i of nodes) if (loaded[i] !== 0) width = 18;
    this.widths[nodes[0]] = width;

    // Own parts
    for (const i of nodes) {
      if (idle[i] !== 0) continue;
      const at = 108 * i;
      if (frameOf[i] >= 0) blocks[frameOf[i]].start();
      matrix.fill(0, at, at + 108);
      if (tree.mass[i] !== 0) {
        const k = 10 * i;
        const m = inertia[k];
        const hx = inertia[k + 1];
        const hy = inertia[k + 2];
        const hz = inertia[k + 3];
        matrix[at] = inertia[k + 4];
        matrix[at + 1] = matrix[at + 18] = inertia[k + 7];
        matrix[at + 2] = matrix[at + 36] = inertia[k + 8];
        matrix[at + 19] = inertia[k + 5];
        matrix[at + 20] = matrix[at + 37] = inertia[k + 9];
        matrix[at + 38] = inertia[k + 6];
        matrix[at + 4] = -hz;
        matrix[at + 5] = hy;
        matrix[at + 21] = hz;
        matrix[at + 23] = -hx;
        matrix[at + 39] = -hy;
        matrix[at + 40] = hx;
        matrix[at + 55] = hz;
        matrix[at + 56] = -hy;
        matrix[at + 72] = -hz;
        matrix[at + 74] = hx;
        matrix[at + 90] = hy;
        matrix[at + 91] = -hx;
        matrix[at + 57] = matrix[at + 76] = matrix[at + 95] = m;
        const b = 12 * i;
        for (let r = 0; r < 3; r++)
          for (let c = 0; c < 3; c++) matrix[at + 18 * r + 6 + c] = e * coriolis[b + 3 * r + c];
        const px = 2 * e * coriolis[b + 9];
        const py = 2 * e * coriolis[b + 10];
        const pz = 2 * e * coriolis[b + 11];
        matrix[at + 54 + 7] = pz;
        matrix[at + 54 + 8] = -py;
        matrix[at + 72 + 6] = -pz;
        matrix[at + 72 + 8] = px;
        matrix[at + 90 + 6] = py;
        matrix[at + 90 + 7] = -px;
      }
      if (loaded[i] === 0) continue;
      for (let r = 0; r < 6; r++)
        for (let c = 0; c < 6; c++) {
          matrix[at + 18 * r + 6 + c] -= e * twist[36 * i + 6 * r + c];
          matrix[at + 18 * r + 12 + c] -= e * e * pose[36 * i + 6 * r + c];
        }
    }

    for (let index = nodes.length - 1; index >= 0; index--) {
      const i = nodes[index];
      if (idle[i] !== 0) continue;
      const at = 108 * i;
      const p = parent[i];
      const v = tree.v[i];
      if (frameOf[i] >= 0 && !blocks[frameOf[i]].eliminate(e, matrix, at, diagonal, width)) return false;
      if (blockOf[i] >= 0) blocks[blockOf[i]].pass(this.placeInBlock[i], e, matrix, at, width);
      else if (v >= 0) {
        const count = rotorOf[v] < 0 ? 1 : 3;
        // u = P col and d = Sᵀ u
        for (let k = 0; k < count; k++) {
          const c = 6 * (v + k);
          for (let r = 0; r < 6; r++) {
            let sum = 0;
            const from = at + 18 * r;
            if (width === 18)
              for (let j = 0; j < 6; j++)
                sum +=
                  matrix[from + j] * alpha[c + j] +
                  matrix[from + 6 + j] * beta[c + j] +
                  matrix[from + 12 + j] * chi[c + j];
            else {
              for (let j = 0; j < 3; j++) sum += matrix[from + j] * alpha[c + j] + matrix[from + 6 + j] * beta[c + j];
              for (let j = 3; j < 6; j++) sum += matrix[from + j] * alpha[c + j];
            }
            back[c + r] = sum;
          }
        }
        for (let l = 0; l < count; l++)
          for (let k = 0; k < count; k++) {
            let sum = l === k ? diagonal[v + k] : 0;
            for (let j = 0; j < 6; j++) sum += column[6 * (v + l) + j] * back[6 * (v + k) + j];
            pivot[3 * l + k] = sum;
          }
        if (!invertPivot(count, pivot, inverse, 9 * i)) return false;
        // row = d⁻¹ Sᵀ P
        for (let l = 0; l < count; l++)
          for (let j = 0; j < width; j++) {
            let sum = 0;
            for (let r = 0; r < 6; r++) sum += column[6 * (v + l) + r] * matrix[at + 18 * r + j];
            rows[18 * l + j] = sum;
          }
        for (let l = 0; l < count; l++)
          for (let j = 0; j < width; j++) {
            let sum = 0;
            for (let k = 0; k < count; k++) sum += inverse[9 * i + 3 * l + k] * rows[18 * k + j];
            row[18 * (v + l) + j] = sum;
          }
        // u' = u + e² (s ×* f) E: by columns χ = s E
        for (let k = 0; k < count; k++) {
          addCrossForce(e * e, chi, 6 * (v + k), wrench, 6 * i, back, 6 * (v + k));
          if (p < 0) continue;
          for (let r = 0; r < 6; r++) {
            const u = back[6 * (v + k) + r];
            const from = 18 * (v + k);
            const to = at + 18 * r;
            for (let j = 0; j < width; j++) matrix[to + j] -= u * row[from + j];
          }
        }
      }
      if (p < 0) continue;
      const above = 108 * p;
      for (let r = 0; r < 108; r += 18) for (let j = r; j < r + width; j++) matrix[above + j] += matrix[at + j];
    }
    return true;
  }

  /** Overwrites b (per velocity) with the solution. */
  solve(nodes: Int32Array, b: Float64Array): void {
    const { row, back, inverse, wrench, motion, derivatives, columns, blocks, frameOf, blockOf, widths } = this;
    const width = widths[nodes[0]];
    const { tree, idle, above, first, end } = derivatives.kinematics;
    const { alpha, beta, chi, column, rotorOf } = columns;
    for (const i of nodes) wrench.fill(0, 6 * i, 6 * i + 6);
    for (let index = nodes.length - 1; index >= 0; index--) {
      const i = nodes[index];
      if (idle[i] !== 0) continue;
      const c = 6 * i;
      const v = tree.v[i];
      const p = above[i];
      if (frameOf[i] >= 0) blocks[frameOf[i]].up(b, wrench);
      if (v >= 0 && blockOf[i] < 0) {
        const count = rotorOf[v] < 0 ? 1 : 3;
        let t0 = 0;
        let t1 = 0;
        let t2 = 0;
        for (let l = 0; l < count; l++) {
          let sum = b[v + l];
          for (let j = 0; j < 6; j++) sum -= column[6 * (v + l) + j] * wrench[c + j];
          if (l === 0) t0 = sum;
          else if (l === 1) t1 = sum;
          else t2 = sum;
        }
        for (let l = 0; l < count; l++) {
          const d = 9 * i + 3 * l;
          b[v + l] = count === 1 ? inverse[d] * t0 : inverse[d] * t0 + inverse[d + 1] * t1 + inverse[d + 2] * t2;
        }
        if (p >= 0)
          for (let l = 0; l < count; l++) for (let j = 0; j < 6; j++) wrench[c + j] += back[6 * (v + l) + j] * b[v + l];
      }
      if (p >= 0) for (let j = 0; j < 6; j++) wrench[6 * p + j] += wrench[c + j];
    }
    for (const i of nodes) {
      if (idle[i] !== 0) continue;
      const z = 18 * i;
      const p = above[i];
      const v = tree.v[i];
      if (p >= 0) for (let j = 0; j < width; j++) motion[z + j] = motion[18 * p + j];
      else motion.fill(0, z, z + 18);
      if (v < 0) {
        if (frameOf[i] >= 0) blocks[frameOf[i]].down(b, motion, width);
        continue;
      }
      const count = rotorOf[v] < 0 ? 1 : 3;
      if (p >= 0 && blockOf[i] < 0)
        for (let l = 0; l < count; l++) {
          let sum = b[v + l];
          for (let j = 0; j < width; j++) sum -= row[18 * (v + l) + j] * motion[18 * p + j];
          b[v + l] = sum;
        }
      for (let k = first[i]; k < end[i]; k++) {
        const x = b[k];
        const c = 6 * k;
        if (width === 18)
          for (let j = 0; j < 6; j++) {
            motion[z + j] += alpha[c + j] * x;
            motion[z + 6 + j] += beta[c + j] * x;
            motion[z + 12 + j] += chi[c + j] * x;
          }
        else {
          for (let j = 0; j < 6; j++) motion[z + j] += alpha[c + j] * x;
          for (let j = 0; j < 3; j++) motion[z + 6 + j] += beta[c + j] * x;
        }
      }
      if (frameOf[i] >= 0) blocks[frameOf[i]].down(b, motion, width);
    }
  }
}

/** Inverse of a 1 × 1 or 3 × 3 pivot; by Gauss–Jordan with row exchanges. Leaves it in out[at …], 3 wide. */
function invertPivot(n: number, m: Float64Array, out: Float64Array, at: number): boolean {
  if (n === 1) {
    out[at] = 1 / m[0];
    return Math.abs(m[0]) > 0 && Math.abs(m[0]) < Number.POSITIVE_INFINITY;
  }
  for (let j = 0; j < 9; j++) out[at + j] = j % 4 === 0 ? 1 : 0;
  for (let k = 0; k < 3; k++) {
    let pivot = k;
    for (let i = k + 1; i < 3; i++) if (Math.abs(m[3 * i + k]) > Math.abs(m[3 * pivot + k])) pivot = i;
    const value = m[3 * pivot + k];
    if (!(Math.abs(value) > 0)) return false;
    for (let j = 0; j < 3; j++) {
      const a = m[3 * k + j];
      m[3 * k + j] = m[3 * pivot + j] / value;
      if (pivot !== k) m[3 * pivot + j] = a;
      const b = out[at + 3 * k + j];
      out[at + 3 * k + j] = out[at + 3 * pivot + j] / value;
      if (pivot !== k) out[at + 3 * pivot + j] = b;
    }
    for (let i = 0; i < 3; i++) {
      if (i === k) continue;
      const factor = m[3 * i + k];
      for (let j = 0; j < 3; j++) {
        m[3 * i + j] -= factor * m[3 * k + j];
        out[at + 3 * i + j] -= factor * out[at + 3 * k + j];
      }
    }
  }
  return true;
}
