/**
 * The coordinates of a flexible body inside the sweep of a mechanism that moves in the xy plane (plane-sweep.ts): flexible-sweep.ts with three numbers for six,
 * and their right side.
 */
import { ScaledLu } from '../../math/scaled-lu.js';
import type { FlexibleInertia } from '../flexible/flexible-inertia.js';
import type { TreeDerivatives } from '../tree/tree-derivatives.js';
import { byColumns, UNLOADED, WIDTH } from './plane-columns.js';
import type { StepColumns } from './step-columns.js';

export class FlexiblePlaneSweep {
  private readonly flexible: FlexibleInertia;
  private readonly derivatives: TreeDerivatives;
  private readonly columns: StepColumns;
  /** By local index: coordinates of the chain below each one, itself not */
  private readonly below: readonly Int32Array[];
  private readonly lu: ScaledLu;
  private readonly rows: Float64Array; // 9 per coordinate: R
  private readonly gain: Float64Array; // 9 per coordinate: D⁻¹ R
  private readonly back: Float64Array; // 3 per coordinate: U'
  /** 3 per coordinate, at the common origin: (n_k, p_k), and the wrench by q_k */
  private readonly inert: Float64Array;
  private readonly byQ: Float64Array;
  private readonly right: Float64Array;
  private readonly rates: Float64Array;
  private readonly moves: Float64Array;
  private e = 0;

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
    this.rows = new Float64Array(WIDTH * n);
    this.gain = new Float64Array(WIDTH * n);
    this.back = new Float64Array(3 * n);
    this.inert = new Float64Array(3 * n);
    this.byQ = new Float64Array(3 * n);
    this.right = new Float64Array(n);
    this.rates = new Float64Array(n);
    this.moves = new Float64Array(n);
  }

  start(): void {
    this.lu.matrix.fill(0);
  }

  /** A node of a chain, whose P (27 numbers from `at`) is complete, and the slides that are taken together with it */
  pass(node: number, e: number, matrix: Float64Array, at: number, width: number): void {
    const { first, tree } = this.derivatives.kinematics;
    const { velocity, nodes } = this.flexible;
    for (let k = nodes.indexOf(node), v = tree.v[node]; v >= first[node]; k--, v--)
      this.leave(k, velocity[k], node, e, matrix, at, width);
  }

  private leave(k: number, v: number, node: number, e: number, m: Float64Array, at: number, width: number): void {
    const { flexible, rows, back, lu, columns, derivatives } = this;
    const { column } = columns;
    const { wrench } = derivatives;
    const n = flexible.count;
    const c = 6 * v + 2;
    const b = 3 * k;
    for (let r = 0; r < 3; r++) back[b + r] = byColumns(m, at + WIDTH * r, columns, c, width);
    const s0 = column[c];
    const s1 = column[c + 1];
    const s2 = column[c + 2];
    for (let j = 0, from = at; j < width; j++, from++)
      rows[WIDTH * k + j] = s0 * m[from] + s1 * m[from + 9] + s2 * m[from + 18];
    const d = lu.matrix;
    d[k * n + k] += s0 * back[b] + s1 * back[b + 1] + s2 * back[b + 2];
    const own = this.below[k];
    for (let index = 0; index < own.length; index++) {
      const l = own[index];
      d[k * n + l] += s0 * back[3 * l] + s1 * back[3 * l + 1] + s2 * back[3 * l + 2];
      const r = WIDTH * l;
      const sum = byColumns(rows, r, columns, c, width);
      d[l * n + k] += sum;
    }
    // u' = u + e² (s ×* f)
    const f = 6 * node + 2;
    back[b] += e * e * (s1 * wrench[f + 2] - s2 * wrench[f + 1]);
    back[b + 1] -= e * e * s0 * wrench[f + 2];
    back[b + 2] += e * e * s0 * wrench[f + 1];
  }

  /** At the frame: takes the coordinates out of its P. False if they are singular. */
  eliminate(e: number, matrix: Float64Array, at: number, diagonal: Float64Array, width: number): boolean {
    const { flexible, lu, rows, gain, back, derivatives, inert, byQ: moved } = this;
    const { count: n, node, plan, velocity, byAcceleration, byEta, byQ, beta, rowsByEta, rowsByQ } = flexible;
    const { mass, carrying } = plan;
    const ox = derivatives.offset[3 * node];
    const oy = derivatives.offset[3 * node + 1];
    const d = lu.matrix;
    const e2 = e * e;
    this.e = e;
    for (let k = 0; k < n * n; k++) d[k] += mass[k] + e * rowsByEta[k] + e2 * rowsByQ[k];
    if (width === WIDTH) rows.fill(0, WIDTH * carrying);
    for (let k = 0; k < n; k++) {
      d[k * n + k] += diagonal[velocity[k]];
      const from = 6 * k + 2;
      const b = 3 * k;
      const r = WIDTH * k;
      const px = byAcceleration[from + 1];
      const py = byAcceleration[from + 2];
      const turning = byAcceleration[from] + ox * py - oy * px;
      const qx = byQ[from + 1];
      const qy = byQ[from + 2];
      const twisting = byQ[from] + ox * qy - oy * qx;
      const hx = byEta[from + 1];
      const hy = byEta[from + 2];
      inert[b] = turning;
      inert[b + 1] = px;
      inert[b + 2] = py;
      moved[b] = twisting;
      moved[b + 1] = qx;
      moved[b + 2] = qy;
      const u0 = turning + e * (byEta[from] + ox * hy - oy * hx) + e2 * twisting;
      const u1 = px + e * hx + e2 * qx;
      const u2 = py + e * hy + e2 * qy;
      const driven = e * beta[3 * k + 2];
      if (k < carrying) {
        rows[r] += turning;
        rows[r + 1] += px;
        rows[r + 2] += py;
        rows[r + 3] += driven;
        back[b] += u0;
        back[b + 1] += u1;
        back[b + 2] += u2;
      } else {
        rows[r] = turning;
        rows[r + 1] = px;
        rows[r + 2] = py;
        rows[r + 3] = driven;
        back[b] = u0;
        back[b + 1] = u1;
        back[b + 2] = u2;
      }
    }
    if (!lu.factorise()) return false;
    lu.solveRows(rows, WIDTH, width, gain);
    for (let j = 0; j < width; j++) this.subtract(matrix, at + j, j);
    return true;
  }

  /** P −= U' D⁻¹ R, column j: three sums that do not wait for each other */
  private subtract(matrix: Float64Array, to: number, j: number): void {
    const { back, gain } = this;
    let a = matrix[to];
    let b = matrix[to + 9];
    let c = matrix[to + 18];
    for (let k = 0, from = j; k < back.length; k += 3, from += WIDTH) {
      const x = gain[from];
      a -= back[k] * x;
      b -= back[k + 1] * x;
      c -= back[k + 2] * x;
    }
    matrix[to] = a;
    matrix[to + 9] = b;
    matrix[to + 18] = c;
  }

  /**
   * Solve, at the frame on the way up: the coordinates' right side and their share y, and what both do to the frame.
   *
   * @param rise 9 per node; g: 3 per node; b: along chains what hangs on them, else what joint forces add
   */
  up(r: Float64Array, nq: number, shift: Float64Array, rise: Float64Array, g: Float64Array, b: Float64Array): void {
    const { flexible, right, rates, moves, lu, back, inert, byQ, e } = this;
    const { count: n, velocity, node, plan, rowsByQ } = flexible;
    const { mass, carrying } = plan;
    const w = rise[9 * node];
    const x = rise[9 * node + 1];
    const y = rise[9 * node + 2];
    let g0 = g[3 * node];
    let g1 = g[3 * node + 1];
    let g2 = g[3 * node + 2];
    for (let k = 0, at = 0; k < n; k++, at += 3) {
      const rate = r[nq + velocity[k]];
      const moved = e * shift[velocity[k]];
      rates[k] = rate;
      moves[k] = moved;
      g0 += inert[at] * rate - byQ[at] * moved;
      g1 += inert[at + 1] * rate - byQ[at + 1] * moved;
      g2 += inert[at + 2] * rate - byQ[at + 2] * moved;
    }
    // two rows at a time: sums that do not wait for each other
    for (let k = 0, at = 0; k < n; k += 2, at += 2 * n) {
      const last = k + 1 === n;
      let held = 0;
      let held1 = 0;
      for (let l = 0, row = at, next = last ? at : at + n; l < n; l++, row++, next++) {
        const moved = moves[l];
        held += rowsByQ[row] * moved;
        held1 += rowsByQ[next] * moved;
      }
      right[k] = -held;
      if (!last) right[k + 1] = -held1;
    }
    // of modes the mass is diagonal
    for (let k = 0, at = 0; k < n; k++, at += 3) {
      let sum = b[velocity[k]] + inert[at] * w + inert[at + 1] * x + inert[at + 2] * y;
      const row = k * n;
      for (let l = 0; l < carrying; l++) sum += mass[row + l] * rates[l];
      if (k < carrying) for (let l = carrying; l < n; l++) sum += mass[row + l] * rates[l];
      else sum += mass[row + k] * rates[k];
      right[k] += sum;
    }
    lu.solve(right);
    for (let k = 0, at = 0; k < n; k++, at += 3) {
      const share = right[k];
      b[velocity[k]] = share;
      g0 -= back[at] * share;
      g1 -= back[at + 1] * share;
      g2 -= back[at + 2] * share;
    }
    g[3 * node] = g0;
    g[3 * node + 1] = g1;
    g[3 * node + 2] = g2;
  }

  /** On the way down: x = y − D⁻¹ R z */
  down(b: Float64Array, motion: Float64Array, width: number): void {
    const { flexible, gain } = this;
    const { count: n, velocity, node } = flexible;
    const at = WIDTH * node;
    const z0 = motion[at];
    const z1 = motion[at + 1];
    const z2 = motion[at + 2];
    const z3 = motion[at + 3];
    for (let k = 0, g = 0; k < n; k++, g += WIDTH) {
      let x = gain[g] * z0 + gain[g + 1] * z1 + gain[g + 2] * z2 + gain[g + 3] * z3;
      for (let j = UNLOADED; j < width; j++) x += gain[g + j] * motion[at + j];
      b[velocity[k]] -= x;
    }
  }
}
