/**
 * The step matrix of one island as a dense one, loop rows below and beside the velocities:
 *
 *   W_ik = S_i · (I_m α + e (B − C)_m β − e² X''_m χ)_k,  + e² S_i · (s ×* f_k) E where i is above k;   m the deeper of i and k
 */

import { ScaledLu } from '../math/scaled-lu.js';
import type { Composites } from './composites.js';
import type { FreeBodies } from './free-bodies.js';
import { spinMatrix } from './free-spin.js';
import type { Island } from './islands.js';
import type { LoadTerm, LoadTerms } from './load-terms.js';
import type { Loops } from './loops.js';
import { addCrossForce, dot6 } from './spatial.js';
import type { StepColumns } from './step-columns.js';
import type { TreeDerivatives } from './tree-derivatives.js';

interface Parts {
  readonly derivatives: TreeDerivatives;
  readonly columns: StepColumns;
  readonly composites: Composites;
  readonly loads: LoadTerms;
  readonly freeBodies: FreeBodies;
  readonly loops: Loops;
  /** Place of each velocity within its island */
  readonly localOf: Int32Array;
}

export class DenseIsland {
  private readonly island: Island;
  private readonly parts: Parts;
  private readonly cross: readonly LoadTerm[];
  private readonly localOf: Int32Array;
  /** Loop rows of this step */
  private readonly rows: Int32Array;
  private rowCount = 0;
  private lu: ScaledLu;
  private readonly work: Float64Array;
  private readonly scratch = new Float64Array(18);
  private e = 0;

  /**
   * @param cross terms between two of its carriers that move
   * @param rows  most loop rows it can have
   */
  constructor(island: Island, cross: readonly LoadTerm[], rows: number, parts: Parts) {
    this.island = island;
    this.parts = parts;
    this.cross = cross;
    this.localOf = parts.localOf;
    this.rows = new Int32Array(rows);
    this.lu = new ScaledLu(island.velocities.length);
    this.work = new Float64Array(island.velocities.length + rows);
  }

  clearRows(): void {
    this.rowCount = 0;
  }

  addRow(row: number): void {
    this.rows[this.rowCount++] = row;
  }

  /** False if the matrix is singular. @param spin 3 per free body: ω @param diagonal per velocity: what joint forces add */
  factorise(e: number, spin: Float64Array, diagonal: Float64Array): boolean {
    const size = this.island.velocities.length + this.rowCount;
    if (this.lu.size !== size) this.lu = new ScaledLu(size);
    this.e = e;
    this.lu.matrix.fill(0);
    this.parts.composites.gather(e, this.island.nodes);
    this.fillTree(diagonal);
    this.fillBodies(spin);
    for (let k = 0; k < this.cross.length; k++) this.fillCross(this.cross[k]);
    this.clearMassless();
    this.fillRows();
    return this.lu.factorise();
  }

  private fillTree(diagonal: Float64Array): void {
    const { scratch, localOf, lu, e } = this;
    const { derivatives, columns, composites } = this.parts;
    const { nodes } = this.island;
    const { tree } = derivatives.kinematics;
    const { chi, column, rotorOf } = columns;
    const { matrix: w, size } = lu;
    for (let index = 0; index < nodes.length; index++) {
      const i = nodes[index];
      const v = tree.v[i];
      if (v < 0) continue;
      const end = v + (rotorOf[v] < 0 ? 1 : 3);
      for (let k = v; k < end; k++) {
        const at = localOf[k];
        composites.column(i, k, scratch);
        for (let l = v; l < end; l++) w[localOf[l] * size + at] = dot6(column, 6 * l, scratch, 0);
        w[at * size + at] += diagonal[k];
        addCrossForce(e * e, chi, 6 * k, derivatives.wrench, 6 * i, scratch, 0);
        this.columnAbove(i, at);
        composites.row(i, k, scratch);
        this.rowAbove(i, at);
      }
    }
  }

  /** Entries of the joints above node i in column `at` */
  private columnAbove(i: number, at: number): void {
    const { scratch, localOf, lu } = this;
    const { tree } = this.parts.derivatives.kinematics;
    const { column, rotorOf } = this.parts.columns;
    const { matrix: w, size } = lu;
    for (let j = tree.parent[i]; j >= 0; j = tree.parent[j]) {
      const u = tree.v[j];
      if (u < 0) continue;
      const end = u + (rotorOf[u] < 0 ? 1 : 3);
      for (let l = u; l < end; l++) w[localOf[l] * size + at] = dot6(column, 6 * l, scratch, 0);
    }
  }

  /** And in row `at` */
  private rowAbove(i: number, at: number): void {
    const { scratch, localOf, lu } = this;
    const { tree } = this.parts.derivatives.kinematics;
    const { alpha, beta, chi, rotorOf } = this.parts.columns;
    const { matrix: w, size } = lu;
    for (let j = tree.parent[i]; j >= 0; j = tree.parent[j]) {
      const u = tree.v[j];
      if (u < 0) continue;
      const end = u + (rotorOf[u] < 0 ? 1 : 3);
      for (let l = u; l < end; l++)
        w[at * size + localOf[l]] =
          dot6(alpha, 6 * l, scratch, 0) + dot6(beta, 6 * l, scratch, 6) + dot6(chi, 6 * l, scratch, 12);
    }
  }

  private fillBodies(spin: Float64Array): void {
    const { scratch, localOf, lu, e } = this;
    const { derivatives, columns, loads, freeBodies } = this.parts;
    const { bodies } = this.island;
    const { column } = columns;
    const { matrix: w, size } = lu;
    const nodes = derivatives.kinematics.tree.count;
    for (let index = 0; index < bodies.length; index++) {
      const i = bodies[index];
      const v = derivatives.size + 6 * i;
      const at = localOf[v];
      const mass = freeBodies.mass[i];
      for (let j = 0; j < 3; j++) w[(at + j) * size + at + j] = mass;
      spinMatrix(e, freeBodies.moments, spin, 3 * i, w, (at + 3) * size + at + 3, size);
      for (let k = 0; k < 6; k++) {
        this.applyLoad(loads.pose, loads.twist, 36 * (nodes + i), 6, 6 * (v + k));
        for (let l = 0; l < 6; l++) w[(at + l) * size + at + k] += dot6(column, 6 * (v + l), scratch, 0);
      }
    }
  }

  /** A pair of moving carriers: what the motion of each does to the other */
  private fillCross({ blocks, velocitiesA, velocitiesB }: LoadTerm): void {
    const { scratch, localOf, lu } = this;
    const { column } = this.parts.columns;
    const { matrix: w, size } = lu;
    for (let side = 0; side < 2; side++) {
      const rows = side === 0 ? velocitiesA : velocitiesB;
      const columns = side === 0 ? velocitiesB : velocitiesA;
      const from = side === 0 ? 6 : 72;
      for (let a = 0; a < columns.length; a++) {
        const k = columns[a];
        this.applyLoad(blocks.pose, blocks.twist, from, 12, 6 * k);
        for (let b = 0; b < rows.length; b++)
          w[localOf[rows[b]] * size + localOf[k]] += dot6(column, 6 * rows[b], scratch, 0);
      }
    }
  }

  /** scratch = −(e C β + e² X'' χ) of one 6 × 6 block */
  private applyLoad(pose: Float64Array, twist: Float64Array, at: number, stride: number, column: number): void {
    const { scratch: out, e } = this;
    const { beta, chi } = this.parts.columns;
    for (let r = 0; r < 6; r++) {
      let sum = 0;
      for (let c = 0; c < 6; c++) {
        const k = at + stride * r + c;
        sum += e * twist[k] * beta[column + c] + e * e * pose[k] * chi[column + c];
      }
      out[r] = 0 - sum;
    }
  }

  /** Nothing turns a body about an axis without inertia. */
  private clearMassless(): void {
    const { localOf, lu } = this;
    const { derivatives, freeBodies } = this.parts;
    const { bodies } = this.island;
    const { matrix: w, size } = lu;
    for (let index = 0; index < bodies.length; index++)
      for (let j = 0; j < 3; j++)
        if (freeBodies.moments[3 * bodies[index] + j] === 0) {
          const at = localOf[derivatives.size + 6 * bodies[index] + 3 + j];
          w.fill(0, at * size, (at + 1) * size);
          w[at * size + at] = 1;
        }
  }

  /** G beside W, G − e Dc − e² Kc E below it */
  private fillRows(): void {
    const { rows, lu, e } = this;
    const { velocities } = this.island;
    const { rotorOf, rotorV, turning } = this.parts.columns;
    const { stepJacobian, byRate, byPosition, nv } = this.parts.loops;
    const { matrix: w, size } = lu;
    const n = velocities.length;
    for (let r = 0; r < this.rowCount; r++) {
      const row = rows[r] * nv;
      for (let local = 0; local < n; local++) {
        const k = velocities[local];
        // (Kc E)_k
        const rotor = rotorOf[k];
        let moved = byPosition[row + k];
        if (rotor >= 0) {
          const v = row + rotorV[rotor];
          const c = 9 * rotor + k - rotorV[rotor];
          moved = byPosition[v] * turning[c] + byPosition[v + 1] * turning[c + 3] + byPosition[v + 2] * turning[c + 6];
        }
        w[local * size + n + r] = stepJacobian[row + k];
        w[(n + r) * size + local] = stepJacobian[row + k] - e * byRate[row + k] - e * e * moved;
      }
    }
  }

  /**
   * Solves for the velocities in r, from index `nq`.
   *
   * @param right per velocity: the right side of W
   * @param shift per velocity: E r̃
   */
  solve(right: Float64Array, shift: Float64Array, r: Float64Array, nq: number): void {
    const { work, rows, e } = this;
    const { velocities } = this.island;
    const { stepJacobian, byPosition, nv } = this.parts.loops;
    const n = velocities.length;
    for (let local = 0; local < n; local++) work[local] = right[velocities[local]];
    for (let row = 0; row < this.rowCount; row++) {
      const at = rows[row] * nv;
      let sum = 0;
      for (let local = 0; local < n; local++) {
        const k = velocities[local];
        sum += stepJacobian[at + k] * r[nq + k] + e * byPosition[at + k] * shift[k];
      }
      work[n + row] = sum;
    }
    this.lu.solve(work);
    for (let local = 0; local < n; local++) r[nq + velocities[local]] = work[local];
  }
}
