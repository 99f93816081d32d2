/**
 * The coordinates of a flexible body inside the articulated-body algorithm: eliminated together, when the sweep reaches the frame.
 *
 * Coordinates that move an interface are ordinary joints of massless nodes below the frame. On the way up nothing is eliminated there: each
 * leaves its column u = I S and passes its inertia on; with the columns of the joints below it in the same chain
 *
 *   D_ii = S_i · u_i,   D_di = u_d · S_i,   ε_d −= u_d · bias_i
 *
 * Of the modes m of D = Mff + (what hangs on the chains c) nothing changes, and they go by constants (mode-elimination.ts: W, S),
 *
 *   D⁻¹ (b_c, b_m):   x_c = (S + chains)⁻¹ (b_c − Wᵀ b_m),   x_m = Mmm⁻¹ b_m − W x_c
 *
 * At the frame (n_k, p_k) is added to the columns of chains and is the column of a mode. With U' = U_c − Wᵀ U_m and G = (S + chains)⁻¹ U'
 *
 *   I −= U_mᵀ Mmm⁻¹ U_m + U'ᵀ G,   p += U_mᵀ Mmm⁻¹ ε_m + Gᵀ (ε_c − Wᵀ ε_m)
 *   on the way down   η'_c = x_c − G A,   η'_m = Mmm⁻¹ (ε_m − U_m A) − W η'_c
 */

import type { FlexibleInertia } from '../flexible/flexible-inertia.js';
import { ModeElimination, subtractSquares } from '../flexible/mode-elimination.js';
import { NoAccelerationError } from '../tree/dynamics-error.js';
import type { TreeKinematics } from '../tree/tree-kinematics.js';

export class FlexibleBlock {
  readonly flexible: FlexibleInertia;
  protected readonly kinematics: TreeKinematics;
  protected readonly modes: ModeElimination;
  private readonly count: number;
  /** Coordinates of chains; the modes come behind them */
  protected readonly carrying: number;
  /** Local indices of the coordinates below each one in its chain, itself last */
  protected readonly chain: readonly Int32Array[];
  /** The node that each coordinate of a chain is taken together with */
  protected readonly carrier: Int32Array;
  protected readonly column: Float64Array; // 6 per coordinate of chains, at the origin the sweep has come to; then U'
  protected readonly matrix: Float64Array; // carrying × carrying: S + chains, then its Cholesky factor
  protected readonly residual: Float64Array;
  protected readonly work: Float64Array;
  protected readonly gain: Float64Array; // 6 per coordinate of chains: G
  protected readonly reduced: Float64Array; // ε_c − Wᵀ ε_m

  constructor(flexible: FlexibleInertia, kinematics: TreeKinematics) {
    this.flexible = flexible;
    this.kinematics = kinematics;
    const n = flexible.count;
    this.count = n;
    const c = flexible.plan.carrying;
    this.carrying = c;
    this.modes = new ModeElimination(flexible);
    const { parent } = kinematics.tree;
    const local = new Map<number, number>();
    flexible.nodes.forEach((node, k) => {
      local.set(node, k);
    });
    const chains = Array.from({ length: c }, (): number[] => []);
    for (let k = c - 1; k >= 0; k--)
      for (let i = flexible.nodes[k]; i !== flexible.node; i = parent[i]) chains[local.get(i)!].push(k);
    this.chain = chains.map((own) => Int32Array.from(own).sort().reverse());
    this.carrier = flexible.nodes.slice(0, c);
    for (let k = c - 2; k >= 0; k--)
      if (kinematics.idle[flexible.nodes[k]] === 2) this.carrier[k] = this.carrier[k + 1];
    this.column = new Float64Array(6 * c);
    this.matrix = new Float64Array(c * c);
    this.residual = new Float64Array(n);
    this.work = new Float64Array(n);
    this.gain = new Float64Array(6 * c);
    this.reduced = new Float64Array(c);
  }

  start(): void {
    this.matrix.set(this.modes.schur);
  }

  /**
   * A chain node, whose inertia (21 numbers from `at`) and force are complete, and the slides that are taken together with it.
   *
   * @param k local index
   */
  pass(k: number, inertia: Float64Array, at: number, force: Float64Array, applied: Float64Array): void {
    const { carrier } = this;
    let first = k;
    while (first > 0 && carrier[first - 1] === carrier[k]) first--;
    for (let own = k; own >= first; own--) this.leave(own, inertia, at, force, applied);
    this.moveUp(this.chain[first], carrier[k]);
  }

  /** Column of one coordinate, its entries with those below it, and what is left along it */
  protected leave(k: number, j: Float64Array, at: number, force: Float64Array, applied: Float64Array): void {
    const { column, matrix, residual, carrying, chain, flexible, carrier } = this;
    const { axis, turn, slide } = this.kinematics;
    const i = flexible.nodes[k];
    const a = turn[i];
    const b = slide[i];
    const s = 6 * carrier[k];
    const below = chain[k];
    const c = 6 * k;
    // u = I S
    const rx = a * axis[3 * i];
    const ry = a * axis[3 * i + 1];
    const rz = a * axis[3 * i + 2];
    const lx = b * axis[3 * i];
    const ly = b * axis[3 * i + 1];
    const lz = b * axis[3 * i + 2];
    let u0 = 0;
    let u1 = 0;
    let u2 = 0;
    let u3 = 0;
    let u4 = 0;
    let u5 = 0;
    if (a !== 0) {
      u0 = j[at] * rx + j[at + 3] * ry + j[at + 4] * rz;
      u1 = j[at + 3] * rx + j[at + 1] * ry + j[at + 5] * rz;
      u2 = j[at + 4] * rx + j[at + 5] * ry + j[at + 2] * rz;
      u3 = j[at + 6] * rx + j[at + 9] * ry + j[at + 12] * rz;
      u4 = j[at + 7] * rx + j[at + 10] * ry + j[at + 13] * rz;
      u5 = j[at + 8] * rx + j[at + 11] * ry + j[at + 14] * rz;
    }
    if (b !== 0) {
      u0 += j[at + 6] * lx + j[at + 7] * ly + j[at + 8] * lz;
      u1 += j[at + 9] * lx + j[at + 10] * ly + j[at + 11] * lz;
      u2 += j[at + 12] * lx + j[at + 13] * ly + j[at + 14] * lz;
      u3 += j[at + 15] * lx + j[at + 18] * ly + j[at + 19] * lz;
      u4 += j[at + 18] * lx + j[at + 16] * ly + j[at + 20] * lz;
      u5 += j[at + 19] * lx + j[at + 20] * ly + j[at + 17] * lz;
    }
    column[c] = u0;
    column[c + 1] = u1;
    column[c + 2] = u2;
    column[c + 3] = u3;
    column[c + 4] = u4;
    column[c + 5] = u5;
    residual[k] =
      applied[flexible.velocity[k]] -
      (rx * force[s] +
        ry * force[s + 1] +
        rz * force[s + 2] +
        lx * force[s + 3] +
        ly * force[s + 4] +
        lz * force[s + 5]);
    for (let index = 0; index < below.length; index++) {
      const d = below[index];
      const e = 6 * d;
      const along =
        rx * column[e] +
        ry * column[e + 1] +
        rz * column[e + 2] +
        lx * column[e + 3] +
        ly * column[e + 4] +
        lz * column[e + 5];
      matrix[d * carrying + k] += along;
      if (d !== k) matrix[k * carrying + d] += along;
    }
  }

  /** Columns of a node and all below it on to the origin of the node above; ε −= u · bias */
  protected moveUp(coordinates: Int32Array, node: number): void {
    const { column, residual } = this;
    const { bias, arm } = this.kinematics;
    const s = 6 * node;
    const ax = arm[3 * node];
    const ay = arm[3 * node + 1];
    const az = arm[3 * node + 2];
    for (let index = 0; index < coordinates.length; index++) {
      const d = coordinates[index];
      const e = 6 * d;
      const tx = column[e];
      const ty = column[e + 1];
      const tz = column[e + 2];
      const fx = column[e + 3];
      const fy = column[e + 4];
      const fz = column[e + 5];
      residual[d] -=
        tx * bias[s] + ty * bias[s + 1] + tz * bias[s + 2] + fx * bias[s + 3] + fy * bias[s + 4] + fz * bias[s + 5];
      column[e] = tx + ay * fz - az * fy;
      column[e + 1] = ty + az * fx - ax * fz;
      column[e + 2] = tz + ax * fy - ay * fx;
    }
  }

  /** At the frame: takes the coordinates out of its inertia and force; leaves the diagonal of D in `along`, by node. */
  eliminate(inertia: Float64Array, at: number, force: Float64Array, applied: Float64Array, along: Float64Array): void {
    this.complete(applied, along);
    this.modes.take(this.column, this.kinematics.carriers.rotation, inertia, at);
    this.factorise();
    this.solveColumns();
    subtractSquares(this.column, this.gain, 0, this.carrying, 1, inertia, at);
    const { bias, node } = this.flexible;
    for (let j = 0; j < 6; j++) force[6 * node + j] += bias[j];
    this.push(force, 6 * node);
    this.solve();
  }

  /** Own forces and columns of all coordinates */
  protected complete(applied: Float64Array, along: Float64Array): void {
    const { carrying: c, column, matrix, residual, modes, flexible } = this;
    const { byRate, own, gravity: g, velocity, nodes } = flexible;
    const gx = g[0];
    const gy = g[1];
    const gz = g[2];
    for (let k = 0; k < this.count; k++) {
      const s = 6 * k;
      const left = byRate[s + 3] * gx + byRate[s + 4] * gy + byRate[s + 5] * gz - own[k];
      if (k < c) {
        along[nodes[k]] = matrix[k * c + k];
        for (let j = s; j < s + 6; j++) column[j] += byRate[j];
        residual[k] += left;
      } else {
        along[nodes[k]] = modes.mass[k - c];
        residual[k] = applied[velocity[k]] + left;
      }
    }
  }

  /** force += U D⁻¹ ε; leaves ε_c − Wᵀ ε_m */
  protected push(force: Float64Array, at: number): void {
    const { carrying: c, residual, gain: g, modes, reduced, flexible } = this;
    const { share, inverse: modeInverse } = modes;
    const { byRate } = flexible;
    let a0 = 0;
    let a1 = 0;
    let a2 = 0;
    let a3 = 0;
    let a4 = 0;
    let a5 = 0;
    for (let k = 0, i = 6 * c; k < modeInverse.length; k++, i += 6) {
      const x = residual[c + k] * modeInverse[k];
      a0 += byRate[i] * x;
      a1 += byRate[i + 1] * x;
      a2 += byRate[i + 2] * x;
      a3 += byRate[i + 3] * x;
      a4 += byRate[i + 4] * x;
      a5 += byRate[i + 5] * x;
    }
    for (let k = 0, i = 0; k < c; k++, i += 6) {
      let x = residual[k];
      for (let m = 0, w = k; m < modeInverse.length; m++, w += c) x -= share[w] * residual[c + m];
      reduced[k] = x;
      a0 += g[i] * x;
      a1 += g[i + 1] * x;
      a2 += g[i + 2] * x;
      a3 += g[i + 3] * x;
      a4 += g[i + 4] * x;
      a5 += g[i + 5] * x;
    }
    force[at] += a0;
    force[at + 1] += a1;
    force[at + 2] += a2;
    force[at + 3] += a3;
    force[at + 4] += a4;
    force[at + 5] += a5;
  }

  /** η' from the acceleration of the frame */
  forward(acceleration: Float64Array, out: Float64Array, at: number): void {
    const { residual, modes, flexible, work } = this;
    this.descend(acceleration, this.reduced, residual, modes.inverse);
    const { velocity } = flexible;
    for (let k = 0; k < this.count; k++) out[at + velocity[k]] = work[k];
  }

  /** work_c = x_c − G A,  work_m = ε_m f_m − Mmm⁻¹ U_m A − W work_c */
  protected descend(acceleration: Float64Array, x: Float64Array, modal: Float64Array, factor: Float64Array): void {
    const { carrying: c, work, gain, modes, flexible } = this;
    const { share, inverse: modeInverse } = modes;
    const { node, byRate } = flexible;
    const a = 6 * node;
    const a0 = acceleration[a];
    const a1 = acceleration[a + 1];
    const a2 = acceleration[a + 2];
    const a3 = acceleration[a + 3];
    const a4 = acceleration[a + 4];
    const a5 = acceleration[a + 5];
    for (let k = 0, g = 0; k < c; k++, g += 6)
      work[k] =
        x[k] -
        gain[g] * a0 -
        gain[g + 1] * a1 -
        gain[g + 2] * a2 -
        gain[g + 3] * a3 -
        gain[g + 4] * a4 -
        gain[g + 5] * a5;
    for (let k = 0, m = c, u = 6 * c; k < modeInverse.length; k++, m++, u += 6) {
      const moved =
        byRate[u] * a0 +
        byRate[u + 1] * a1 +
        byRate[u + 2] * a2 +
        byRate[u + 3] * a3 +
        byRate[u + 4] * a4 +
        byRate[u + 5] * a5;
      let sum = modal[m] * factor[k] - moved * modeInverse[k];
      for (let i = 0, w = k * c; i < c; i++, w++) sum -= share[w] * work[i];
      work[m] = sum;
    }
  }

  /** Half solve, at a chain node: what is left along it, and along the slides that are taken together with it */
  halfPass(k: number, force: Float64Array, f: Float64Array, fAt: number): void {
    const { flexible, residual, carrier } = this;
    const { axis, turn, slide } = this.kinematics;
    const s = 6 * carrier[k];
    for (let own = k; own >= 0 && carrier[own] === carrier[k]; own--) {
      const i = flexible.nodes[own];
      let along = 0;
      for (let j = 0; j < 3; j++) along += axis[3 * i + j] * (turn[i] * force[s + j] + slide[i] * force[s + 3 + j]);
      residual[own] = f[fAt + flexible.velocity[own]] - along;
    }
  }

  /** At the frame: x = L⁻¹ ε, modes first; force += U D⁻¹ ε */
  halfEliminate(force: Float64Array, f: Float64Array, fAt: number, x: Float64Array, xAt: number): void {
    const { count: n, carrying: c, matrix: l, residual, reduced, flexible } = this;
    const modeRoot = this.modes.root;
    const { velocity, node } = flexible;
    for (let k = c; k < n; k++) residual[k] = f[fAt + velocity[k]];
    this.push(force, 6 * node);
    for (let k = c; k < n; k++) x[xAt + velocity[k]] = residual[k] * modeRoot[k - c];
    for (let i = 0; i < c; i++) {
      let sum = reduced[i];
      for (let j = 0; j < i; j++) sum -= l[i * c + j] * reduced[j];
      reduced[i] = sum / l[i * c + i];
      x[xAt + velocity[i]] = reduced[i];
    }
  }

  /** a = L⁻ᵀ x − D⁻¹ Uᵀ A */
  halfForward(acceleration: Float64Array, x: Float64Array, xAt: number, a: Float64Array, aAt: number): void {
    const { count: n, carrying: c, matrix: l, residual, reduced, work, flexible } = this;
    const modeRoot = this.modes.root;
    const { velocity } = flexible;
    for (let i = c - 1; i >= 0; i--) {
      let sum = x[xAt + velocity[i]];
      for (let j = i + 1; j < c; j++) sum -= l[j * c + i] * reduced[j];
      reduced[i] = sum / l[i * c + i];
    }
    for (let k = c; k < n; k++) residual[k] = x[xAt + velocity[k]];
    this.descend(acceleration, reduced, residual, modeRoot);
    for (let k = 0; k < n; k++) a[aAt + velocity[k]] = work[k];
  }

  protected factorise(): void {
    const { carrying: n, matrix: l } = this;
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let sum = l[i * n + j];
        for (let k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
        if (i !== j) l[i * n + j] = sum / l[j * n + j];
        else if (sum > 0) l[i * n + i] = Math.sqrt(sum);
        else
          throw new NoAccelerationError(
            this.flexible.plan.name,
            Number.isNaN(sum)
              ? 'the motion is not a number any more; the step was too long'
              : 'the inertia of its deformation is not positive; it is deformed beyond what its shapes can tell',
          );
      }
  }

  /** G = (S + chains)⁻¹ U', all six columns together */
  protected solveColumns(): void {
    const { carrying: c, matrix: l, column, gain } = this;
    for (let i = 0; i < c; i++) this.reduce(column, i, l, i * c, 1, i, 0);
    for (let i = c - 1; i >= 0; i--) this.reduce(gain, i, l, (i + 1) * c + i, c, c - 1 - i, i + 1);
  }

  /**
   * gain of coordinate i = (start − Σ_k f_k gain_k)/f_ii, six numbers that stay in registers. Only integers cross the call: others become heap objects.
   *
   * @param start six numbers per coordinate
   * @param f     `count` numbers from `first`, `step` apart
   * @param from  first coordinate of the sum
   */
  private reduce(
    start: Float64Array,
    i: number,
    f: Float64Array,
    first: number,
    step: number,
    count: number,
    from: number,
  ): void {
    const { gain } = this;
    const at = 6 * i;
    let x0 = start[at];
    let x1 = start[at + 1];
    let x2 = start[at + 2];
    let x3 = start[at + 3];
    let x4 = start[at + 4];
    let x5 = start[at + 5];
    for (let k = 0, a = first, b = 6 * from; k < count; k++, a += step, b += 6) {
      const y = f[a];
      x0 -= y * gain[b];
      x1 -= y * gain[b + 1];
      x2 -= y * gain[b + 2];
      x3 -= y * gain[b + 3];
      x4 -= y * gain[b + 4];
      x5 -= y * gain[b + 5];
    }
    const factor = 1 / f[i * this.carrying + i];
    gain[at] = x0 * factor;
    gain[at + 1] = x1 * factor;
    gain[at + 2] = x2 * factor;
    gain[at + 3] = x3 * factor;
    gain[at + 4] = x4 * factor;
    gain[at + 5] = x5 * factor;
  }

  /** x_c = (S + chains)⁻¹ (ε_c − Wᵀ ε_m), in place */
  protected solve(): void {
    const { carrying: c, matrix: l, reduced: b } = this;
    for (let i = 0; i < c; i++) {
      let sum = b[i];
      for (let j = 0; j < i; j++) sum -= l[i * c + j] * b[j];
      b[i] = sum / l[i * c + i];
    }
    for (let i = c - 1; i >= 0; i--) {
      let sum = b[i];
      for (let j = i + 1; j < c; j++) sum -= l[j * c + i] * b[j];
      b[i] = sum / l[i * c + i];
    }
  }
}
