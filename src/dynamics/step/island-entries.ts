/**
 * Entries of the step matrix, mechanism by mechanism, and what an element adds between two of them. Of a mechanism, loop rows below and
 * beside the velocities:
 *
 *   W_ik = S_i · (I_m α + e (B − C)_m β − e² X''_m χ)_k,  + e² S_i · (s ×* f_k) E where i is above k;   m the deeper of i and k
 *
 * Matrices are given as an array, the place of the first entry and the length of a row, so that a block may lie within a larger matrix.
 */

import type { Loops } from '../loops/loops.js';
import type { FreeBodies } from '../tree/free-bodies.js';
import { spinMatrix } from '../tree/free-spin.js';
import { addCrossForce, dot6, shiftForce } from '../tree/spatial.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import type { Composites } from './composites.js';
import type { LoadTerm, LoadTerms } from './load-terms.js';
import type { Mechanism, Mechanisms } from './mechanisms.js';
import type { StepColumns } from './step-columns.js';

interface Parts {
  readonly derivatives: TreeDerivatives;
  readonly columns: StepColumns;
  readonly composites: Composites;
  readonly loads: LoadTerms;
  readonly freeBodies: FreeBodies;
  readonly loops: Loops;
  readonly mechanisms: Mechanisms;
  /** 3 per free body: ω at the linearisation */
  readonly spin: Float64Array;
  /** Per velocity: what joint forces add */
  readonly diagonal: Float64Array;
}

export class IslandEntries {
  private readonly parts: Parts;
  private readonly scratch = new Float64Array(18);
  private e = 0;
  /** The matrix that is filled */
  private w: Float64Array = new Float64Array(0);
  private at = 0;
  private stride = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Fills the block of a mechanism, which comes as zeros: its velocities, then its kept loop rows. */
  fill(e: number, mechanism: Mechanism, w: Float64Array, at: number, stride: number): void {
    this.open(e, w, at, stride);
    if (mechanism.body >= 0) this.fillBody(mechanism);
    else {
      this.parts.composites.gather(e, mechanism.nodes);
      this.fillTree(mechanism.nodes);
      if (mechanism.flexible) this.addFlexible(mechanism.nodes);
      this.fillRows(mechanism);
    }
  }

  /** Adds what the motion of the carrier B of a term does to A (side 0), or A's to B (side 1). */
  fillCross(
    e: number,
    { blocks, velocitiesA, velocitiesB }: LoadTerm,
    side: number,
    w: Float64Array,
    at: number,
    stride: number,
  ): void {
    this.open(e, w, at, stride);
    const { localOf } = this.parts.mechanisms;
    const rows = side === 0 ? velocitiesA : velocitiesB;
    const columns = side === 0 ? velocitiesB : velocitiesA;
    const from = side === 0 ? 6 : 72;
    for (let a = 0; a < columns.length; a++) {
      this.applyLoad(blocks.pose, blocks.twist, from, 12, columns[a]);
      this.addAlong(rows, localOf[columns[a]]);
    }
  }

  /**
   * Adds what an element does to the coordinates of deforming bodies, and these to it.
   *
   * @param a, b where the mechanisms of its carriers begin in the matrix
   */
  fillModal(
    e: number,
    { modal, velocitiesA, velocitiesB }: LoadTerm,
    w: Float64Array,
    a: number,
    b: number,
    stride: number,
  ): void {
    const { localOf } = this.parts.mechanisms;
    const { velocities, ofA, count: n, wrenchByQ, wrenchByEta, byPose, byTwist, byQ, byEta } = modal!;
    const { scratch } = this;
    for (let k = 0; k < n; k++) {
      const own = (k < ofA ? a : b) + localOf[velocities[k]];
      for (let l = 0; l < n; l++) {
        const other = (l < ofA ? a : b) + localOf[velocities[l]];
        w[own * stride + other] -= e * byEta[k * n + l] + e * e * byQ[k * n + l];
      }
      for (let side = 0; side < 2; side++) {
        const moving = side === 0 ? velocitiesA : velocitiesB;
        const first = side === 0 ? a : b;
        if (moving.length === 0) continue;
        // row of the coordinate
        for (let j = 0; j < moving.length; j++)
          w[own * stride + first + localOf[moving[j]]] -= this.alongRow(
            e,
            byPose,
            byTwist,
            12 * k + 6 * side,
            moving[j],
          );
        // its column: a wrench on the carrier
        for (let r = 0; r < 6; r++) {
          const at = (6 * side + r) * n + k;
          scratch[r] = 0 - (e * wrenchByEta[at] + e * e * wrenchByQ[at]);
        }
        this.open(e, w, first * stride, stride);
        this.addAlong(moving, own);
      }
    }
  }

  /** e C β + e² X'' χ of one row and velocity k; as in `applyLoad` */
  private alongRow(e: number, pose: Float64Array, twist: Float64Array, at: number, k: number): number {
    const { beta, chi } = this.parts.columns;
    const { size } = this.parts.derivatives;
    const slide = k < size ? 3 : (k - size) % 6;
    if (slide < 3) return e * twist[at + 3 + slide] + e * e * pose[at + 3 + slide];
    let byTwist = 0;
    let byPose = 0;
    for (let c = 0; c < 6; c++) byTwist += twist[at + c] * beta[6 * k + c];
    for (let c = 0; c < (k < size ? 6 : 3); c++) byPose += pose[at + c] * chi[6 * k + c];
    return e * byTwist + e * e * byPose;
  }

  private open(e: number, w: Float64Array, at: number, stride: number): void {
    this.e = e;
    this.w = w;
    this.at = at;
    this.stride = stride;
  }

  private fillTree(nodes: Int32Array): void {
    const { scratch, w, at, stride, e } = this;
    const { derivatives, columns, composites, diagonal, mechanisms } = this.parts;
    const { localOf } = mechanisms;
    const { tree } = derivatives.kinematics;
    const { chi, column, rotorOf } = columns;
    for (let index = 0; index < nodes.length; index++) {
      const i = nodes[index];
      const v = tree.v[i];
      if (v < 0) continue;
      const end = v + (rotorOf[v] < 0 ? 1 : 3);
      for (let k = v; k < end; k++) {
        const local = localOf[k];
        composites.column(i, k, scratch);
        for (let l = v; l < end; l++) w[at + localOf[l] * stride + local] = dot6(column, 6 * l, scratch, 0);
        w[at + local * stride + local] += diagonal[k];
        addCrossForce(e * e, chi, 6 * k, derivatives.wrench, 6 * i, scratch, 0);
        this.columnAbove(i, local);
        composites.row(i, k, scratch);
        this.rowAbove(i, local);
      }
    }
  }

  /** What the own inertia of deforming bodies adds between their coordinates, and between these and the joints that carry them */
  private addFlexible(nodes: Int32Array): void {
    const { scratch, w, at, stride, e } = this;
    const { derivatives, columns, mechanisms } = this.parts;
    const { kinematics, offset } = derivatives;
    const { tree, flexible } = kinematics;
    const { localOf } = mechanisms;
    const { alpha, beta, column, rotorOf } = columns;
    for (let f = 0; f < flexible.length; f++) {
      const { node, count, velocity, plan, byAcceleration, byEta, byQ, beta: gyro, rowsByEta, rowsByQ } = flexible[f];
      if (!nodes.includes(node)) continue;
      for (let k = 0; k < count; k++) {
        const local = localOf[velocity[k]];
        for (let l = 0; l < count; l++) {
          const kl = k * count + l;
          w[at + local * stride + localOf[velocity[l]]] += plan.mass[kl] + e * rowsByEta[kl] + e * e * rowsByQ[kl];
        }
        // (n_k, p_k) at the common origin, and the whole wrench of the column
        for (let j = 0; j < 6; j++)
          scratch[12 + j] = byAcceleration[6 * k + j] + e * byEta[6 * k + j] + e * e * byQ[6 * k + j];
        shiftForce(byAcceleration, 6 * k, offset, 3 * node, scratch, 0);
        shiftForce(scratch, 12, offset, 3 * node, scratch, 6);
        for (let i = node; i >= 0; i = tree.parent[i]) {
          const v = tree.v[i];
          const end = v < 0 ? v : v + (rotorOf[v] < 0 ? 1 : 3);
          for (let l = v; l < end; l++) {
            const other = localOf[l];
            w[at + local * stride + other] +=
              dot6(alpha, 6 * l, scratch, 0) +
              e * (gyro[3 * k] * beta[6 * l] + gyro[3 * k + 1] * beta[6 * l + 1] + gyro[3 * k + 2] * beta[6 * l + 2]);
            w[at + other * stride + local] += dot6(column, 6 * l, scratch, 6);
          }
        }
      }
    }
  }

  /** Entries of the joints above node i in column `local` */
  private columnAbove(i: number, local: number): void {
    const { scratch, w, at, stride } = this;
    const { tree } = this.parts.derivatives.kinematics;
    const { column, rotorOf } = this.parts.columns;
    const { localOf } = this.parts.mechanisms;
    for (let j = tree.parent[i]; j >= 0; j = tree.parent[j]) {
      const u = tree.v[j];
      if (u < 0) continue;
      const end = u + (rotorOf[u] < 0 ? 1 : 3);
      for (let l = u; l < end; l++) w[at + localOf[l] * stride + local] = dot6(column, 6 * l, scratch, 0);
    }
  }

  /** And in row `local` */
  private rowAbove(i: number, local: number): void {
    const { scratch, w, at, stride } = this;
    const { tree } = this.parts.derivatives.kinematics;
    const { alpha, beta, chi, rotorOf } = this.parts.columns;
    const { localOf } = this.parts.mechanisms;
    for (let j = tree.parent[i]; j >= 0; j = tree.parent[j]) {
      const u = tree.v[j];
      if (u < 0) continue;
      const end = u + (rotorOf[u] < 0 ? 1 : 3);
      for (let l = u; l < end; l++)
        w[at + local * stride + localOf[l]] =
          dot6(alpha, 6 * l, scratch, 0) + dot6(beta, 6 * l, scratch, 6) + dot6(chi, 6 * l, scratch, 12);
    }
  }

  private fillBody({ body, velocities }: Mechanism): void {
    const { w, at, stride, e } = this;
    const { derivatives, loads, freeBodies, spin } = this.parts;
    const mass = freeBodies.mass[body];
    for (let j = 0; j < 3; j++) w[at + j * stride + j] = mass;
    spinMatrix(e, freeBodies.moments, spin, 3 * body, w, at + 3 * stride + 3, stride);
    const from = 36 * (derivatives.kinematics.tree.count + body);
    for (let k = 0; k < 6; k++) {
      this.applyLoad(loads.pose, loads.twist, from, 6, velocities[k]);
      this.addAlong(velocities, k);
    }
  }

  /** scratch = −(e C β + e² X'' χ) of one 6 × 6 block and velocity k */
  private applyLoad(pose: Float64Array, twist: Float64Array, at: number, stride: number, k: number): void {
    const { scratch: out, e } = this;
    const { beta, chi } = this.parts.columns;
    const { size } = this.parts.derivatives;
    const b = 6 * k;
    const slide = k < size ? 3 : (k - size) % 6;
    // A slide of a free body: β = χ = (0, e_j); a turn moves its centre with its velocity only
    if (slide < 3)
      for (let r = 0, m = at + 3 + slide; r < 6; r++, m += stride) out[r] = 0 - (e * twist[m] + e * e * pose[m]);
    else
      for (let r = 0, m = at; r < 6; r++, m += stride) {
        let byTwist = 0;
        let byPose = 0;
        for (let c = 0; c < 6; c++) byTwist += twist[m + c] * beta[b + c];
        for (let c = 0; c < 3; c++) byPose += pose[m + c] * chi[b + c];
        if (k < size) for (let c = 3; c < 6; c++) byPose += pose[m + c] * chi[b + c];
        out[r] = 0 - (e * byTwist + e * e * byPose);
      }
  }

  /** Adds the wrench in scratch along all velocities of a carrier, in column `local`. Nothing turns an axis without inertia. */
  private addAlong(rows: Int32Array, local: number): void {
    const { scratch, w, stride } = this;
    const { column } = this.parts.columns;
    const { localOf, massless } = this.parts.mechanisms;
    const to = this.at + local;
    if (rows[0] < this.parts.derivatives.size) {
      for (let b = 0; b < rows.length; b++) w[to + localOf[rows[b]] * stride] += dot6(column, 6 * rows[b], scratch, 0);
      return;
    }
    for (let j = 0; j < 3; j++) {
      w[to + j * stride] += scratch[3 + j];
      const s = 6 * rows[3 + j];
      if (massless[rows[3 + j]] === 0)
        w[to + (3 + j) * stride] += column[s] * scratch[0] + column[s + 1] * scratch[1] + column[s + 2] * scratch[2];
    }
  }

  /** G beside W, G − e Dc − e² Kc E below it */
  private fillRows({ velocities, kept, keptCount }: Mechanism): void {
    const { w, at, stride, e } = this;
    const { rotorOf, rotorV, turning } = this.parts.columns;
    const { stepJacobian, byRate, byPosition, nv } = this.parts.loops;
    const n = velocities.length;
    for (let r = 0; r < keptCount; r++) {
      const row = kept[r] * nv;
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
        w[at + local * stride + n + r] = stepJacobian[row + k];
        w[at + (n + r) * stride + local] = stepJacobian[row + k] - e * byRate[row + k] - e * e * moved;
      }
    }
  }

  /**
   * Right side of a mechanism into out[at …]: of its velocities, then of its kept rows.
   *
   * @param right per velocity: the right side of W
   * @param shift per velocity: E r̃
   * @param r     of the whole system, velocities from index `nq`
   */
  rightSide(
    e: number,
    { velocities, kept, keptCount }: Mechanism,
    right: Float64Array,
    shift: Float64Array,
    r: Float64Array,
    nq: number,
    out: Float64Array,
    at: number,
  ): void {
    const { stepJacobian, byPosition, nv } = this.parts.loops;
    const n = velocities.length;
    for (let local = 0; local < n; local++) out[at + local] = right[velocities[local]];
    for (let row = 0; row < keptCount; row++) {
      const from = kept[row] * nv;
      let sum = 0;
      for (let local = 0; local < n; local++) {
        const k = velocities[local];
        sum += stepJacobian[from + k] * r[nq + k] + e * byPosition[from + k] * shift[k];
      }
      out[at + n + row] = sum;
    }
  }
}
