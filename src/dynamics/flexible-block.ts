/**
 * The coordinates of a flexible body inside the articulated-body algorithm: eliminated together, when the sweep reaches the frame.
 *
 * Coordinates that move an interface are ordinary joints of massless nodes below the frame. On the way up nothing is eliminated there: each
 * leaves its column u = I S and passes its inertia on; with the columns of the joints below it in the same chain
 *
 *   D_ii = S_i · u_i,   D_di = u_d · S_i,   ε_d −= u_d · bias_i
 *
 * Modes m are orthogonal by the mass, so of D = Mff + (what hangs on the chains c) only the part of the chains changes; with the constant
 * W = Mmm⁻¹ Mmc and S = Mcc − Mcm W
 *
 *   D⁻¹ (b_c, b_m):   x_c = (S + chains)⁻¹ (b_c − Wᵀ b_m),   x_m = Mmm⁻¹ b_m − W x_c
 *
 * At the frame (n_k, p_k) is added to the columns of chains and is the column of a mode. With U' = U_c − Wᵀ U_m and G = (S + chains)⁻¹ U'
 *
 *   I −= U_mᵀ Mmm⁻¹ U_m + U'ᵀ G,   p += U_mᵀ Mmm⁻¹ ε_m + Gᵀ (ε_c − Wᵀ ε_m)
 *   on the way down   η'_c = x_c − G A,   η'_m = Mmm⁻¹ (ε_m − U_m A) − W η'_c
 *
 * Where the body moves in its plane (flexible-in-plane.ts) the column of a mode is three numbers in the frame's axes, and what it does with p_k alone is constant.
 */
import { DynamicsError } from './dynamics-error.js';
import type { FlexibleInertia } from './flexible-inertia.js';
import type { TreeKinematics } from './tree-kinematics.js';

export class FlexibleBlock {
  readonly flexible: FlexibleInertia;
  private readonly kinematics: TreeKinematics;
  private readonly count: number;
  /** Coordinates of chains; the modes come behind them */
  private readonly carrying: number;
  /** Local indices of the coordinates below each one in its chain, itself last */
  private readonly chain: readonly Int32Array[];
  private readonly column: Float64Array; // 6 per coordinate of chains, at the origin the sweep has come to; then U'
  private readonly matrix: Float64Array; // carrying × carrying: S + chains, then its Cholesky factor
  private readonly schur: Float64Array; // S
  private readonly share: Float64Array; // carrying per mode: W
  private readonly modeMass: Float64Array; // Mmm
  private readonly residual: Float64Array;
  private readonly work: Float64Array;
  private readonly gain: Float64Array; // 6 per coordinate of chains: G
  private readonly modeInverse: Float64Array; // Mmm⁻¹
  private readonly modeRoot: Float64Array; // Mmm^(−½)
  private readonly reduced: Float64Array; // ε_c − Wᵀ ε_m
  /** In the plane, frame's axes: Σ p pᵀ / Mmm (xx, xy, yy), and Σ W p, 2 per coordinate of chains */
  private readonly still = new Float64Array(3);
  private readonly shareMoved: Float64Array;

  constructor(flexible: FlexibleInertia, kinematics: TreeKinematics) {
    this.flexible = flexible;
    this.kinematics = kinematics;
    const n = flexible.count;
    this.count = n;
    const c = flexible.plan.carrying;
    this.carrying = c;
    const { parent } = kinematics.tree;
    const local = new Map<number, number>();
    flexible.nodes.forEach((node, k) => {
      local.set(node, k);
    });
    const chains = Array.from({ length: c }, (): number[] => []);
    for (let k = c - 1; k >= 0; k--)
      for (let i = flexible.nodes[k]; i !== flexible.node; i = parent[i]) chains[local.get(i)!].push(k);
    this.chain = chains.map((own) => Int32Array.from(own).sort().reverse());
    this.column = new Float64Array(6 * c);
    const { mass } = flexible.plan;
    this.matrix = new Float64Array(c * c);
    this.schur = new Float64Array(c * c);
    this.modeMass = Float64Array.from({ length: n - c }, (_, k) => mass[(c + k) * (n + 1)]);
    this.share = Float64Array.from({ length: (n - c) * c }, (_, at) => {
      const k = Math.floor(at / c);
      return mass[(c + k) * n + (at % c)] / this.modeMass[k];
    });
    for (let i = 0; i < c; i++)
      for (let j = 0; j < c; j++) {
        let sum = mass[i * n + j];
        for (let k = 0; k < n - c; k++) sum -= mass[i * n + c + k] * this.share[k * c + j];
        this.schur[i * c + j] = sum;
      }
    this.residual = new Float64Array(n);
    this.work = new Float64Array(n);
    this.gain = new Float64Array(6 * c);
    this.modeInverse = this.modeMass.map((own) => 1 / own);
    this.modeRoot = this.modeMass.map((own) => 1 / Math.sqrt(own));
    this.reduced = new Float64Array(c);
    this.shareMoved = new Float64Array(2 * c);
    const { p } = flexible.plan.integrals;
    for (let k = 0; k < n - c; k++) {
      const [x, y] = [p[3 * (c + k)], p[3 * (c + k) + 1]];
      const inverse = this.modeInverse[k];
      this.still[0] += x * x * inverse;
      this.still[1] += x * y * inverse;
      this.still[2] += y * y * inverse;
      for (let i = 0; i < c; i++) {
        this.shareMoved[2 * i] += this.share[k * c + i] * x;
        this.shareMoved[2 * i + 1] += this.share[k * c + i] * y;
      }
    }
  }

  start(): void {
    this.matrix.set(this.schur);
  }

  /**
   * A chain node, whose inertia (21 numbers from `at`) and force are complete.
   *
   * @param k local index
   */
  pass(k: number, inertia: Float64Array, at: number, force: Float64Array, applied: Float64Array): void {
    const { column, matrix, residual, carrying, chain, flexible } = this;
    const { axis, turn, slide, bias, arm } = this.kinematics;
    const i = flexible.nodes[k];
    const a = turn[i];
    const b = slide[i];
    const ux = axis[3 * i];
    const uy = axis[3 * i + 1];
    const uz = axis[3 * i + 2];
    const s = 6 * i;
    const below = chain[k];
    const c = 6 * k;
    // u = I S
    const j = inertia;
    const rx = a * ux;
    const ry = a * uy;
    const rz = a * uz;
    const lx = b * ux;
    const ly = b * uy;
    const lz = b * uz;
    column[c] = j[at] * rx + j[at + 3] * ry + j[at + 4] * rz + j[at + 6] * lx + j[at + 7] * ly + j[at + 8] * lz;
    column[c + 1] =
      j[at + 3] * rx + j[at + 1] * ry + j[at + 5] * rz + j[at + 9] * lx + j[at + 10] * ly + j[at + 11] * lz;
    column[c + 2] =
      j[at + 4] * rx + j[at + 5] * ry + j[at + 2] * rz + j[at + 12] * lx + j[at + 13] * ly + j[at + 14] * lz;
    column[c + 3] =
      j[at + 6] * rx + j[at + 9] * ry + j[at + 12] * rz + j[at + 15] * lx + j[at + 18] * ly + j[at + 19] * lz;
    column[c + 4] =
      j[at + 7] * rx + j[at + 10] * ry + j[at + 13] * rz + j[at + 18] * lx + j[at + 16] * ly + j[at + 20] * lz;
    column[c + 5] =
      j[at + 8] * rx + j[at + 11] * ry + j[at + 14] * rz + j[at + 19] * lx + j[at + 20] * ly + j[at + 17] * lz;
    residual[k] =
      applied[flexible.velocity[k]] -
      (rx * force[s] +
        ry * force[s + 1] +
        rz * force[s + 2] +
        lx * force[s + 3] +
        ly * force[s + 4] +
        lz * force[s + 5]);
    const ax = arm[3 * i];
    const ay = arm[3 * i + 1];
    const az = arm[3 * i + 2];
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
      for (let m = 0; m < 6; m++) residual[d] -= column[e + m] * bias[s + m];
      // on to the parent's origin
      const fx = column[e + 3];
      const fy = column[e + 4];
      const fz = column[e + 5];
      column[e] += ay * fz - az * fy;
      column[e + 1] += az * fx - ax * fz;
      column[e + 2] += ax * fy - ay * fx;
    }
  }

  /** At the frame: takes the coordinates out of its inertia and force; leaves the diagonal of D in `along`, by node. */
  eliminate(inertia: Float64Array, at: number, force: Float64Array, applied: Float64Array, along: Float64Array): void {
    const { count: n, carrying: c, column, matrix, modeMass, residual, flexible } = this;
    const { byRate, own, bias, node, gravity: g, velocity, nodes, inPlane } = flexible;
    const gx = g[0];
    const gy = g[1];
    const gz = g[2];
    for (let k = 0; k < n; k++) {
      const s = 6 * k;
      along[nodes[k]] = k < c ? matrix[k * c + k] : modeMass[k - c];
      const left = byRate[s + 3] * gx + byRate[s + 4] * gy + byRate[s + 5] * gz - own[k];
      if (k < c) {
        for (let j = s; j < s + 6; j++) column[j] += byRate[j];
        residual[k] += left;
      } else residual[k] = applied[velocity[k]] + left;
    }
    if (inPlane === undefined) this.takeModes(inertia, at);
    else this.takeModesInPlane(inPlane.axial, inertia, at);
    this.factorise();
    this.solveColumns();
    this.subtract(column, this.gain, 0, c, 1, inertia, at);
    for (let j = 0; j < 6; j++) force[6 * node + j] += bias[j];
    this.push(force, 6 * node);
    this.solve();
  }

  /** I −= U_mᵀ Mmm⁻¹ U_m, and U' */
  private takeModes(inertia: Float64Array, at: number): void {
    const { carrying: c, column, share, modeInverse, flexible } = this;
    const { byRate } = flexible;
    for (let k = 0; k < modeInverse.length; k++) {
      const from = 6 * (c + k);
      this.subtract(byRate, byRate, from, 1, modeInverse[k], inertia, at);
      for (let i = 0; i < c; i++) {
        const w = share[k * c + i];
        for (let j = 0; j < 6; j++) column[6 * i + j] -= w * byRate[from + j];
      }
    }
  }

  /** @param axial n_k */
  private takeModesInPlane(axial: Float64Array, inertia: Float64Array, at: number): void {
    const { carrying: c, column, share, shareMoved, still, modeInverse, flexible } = this;
    const { p } = flexible.plan.integrals;
    const { rotation } = this.kinematics.carriers;
    let nn = 0;
    let nx = 0;
    let ny = 0;
    for (let k = 0, m = c; k < modeInverse.length; k++, m++) {
      const own = axial[m];
      const y = own * modeInverse[k];
      nn += own * y;
      nx += p[3 * m] * y;
      ny += p[3 * m + 1] * y;
    }
    const r = 9 * flexible.node;
    const x0 = rotation[r];
    const x1 = rotation[r + 3];
    const x2 = rotation[r + 6];
    const y0 = rotation[r + 1];
    const y1 = rotation[r + 4];
    const y2 = rotation[r + 7];
    const z0 = rotation[r + 2];
    const z1 = rotation[r + 5];
    const z2 = rotation[r + 8];
    const xx = still[0];
    const xy = still[1];
    const yy = still[2];
    inertia[at] -= nn * z0 * z0;
    inertia[at + 1] -= nn * z1 * z1;
    inertia[at + 2] -= nn * z2 * z2;
    inertia[at + 3] -= nn * z0 * z1;
    inertia[at + 4] -= nn * z0 * z2;
    inertia[at + 5] -= nn * z1 * z2;
    const h0 = nx * x0 + ny * y0;
    const h1 = nx * x1 + ny * y1;
    const h2 = nx * x2 + ny * y2;
    inertia[at + 6] -= z0 * h0;
    inertia[at + 7] -= z0 * h1;
    inertia[at + 8] -= z0 * h2;
    inertia[at + 9] -= z1 * h0;
    inertia[at + 10] -= z1 * h1;
    inertia[at + 11] -= z1 * h2;
    inertia[at + 12] -= z2 * h0;
    inertia[at + 13] -= z2 * h1;
    inertia[at + 14] -= z2 * h2;
    const a0 = xx * x0 + xy * y0;
    const a1 = xx * x1 + xy * y1;
    const a2 = xx * x2 + xy * y2;
    const b0 = xy * x0 + yy * y0;
    const b1 = xy * x1 + yy * y1;
    const b2 = xy * x2 + yy * y2;
    inertia[at + 15] -= a0 * x0 + b0 * y0;
    inertia[at + 16] -= a1 * x1 + b1 * y1;
    inertia[at + 17] -= a2 * x2 + b2 * y2;
    inertia[at + 18] -= a0 * x1 + b0 * y1;
    inertia[at + 19] -= a0 * x2 + b0 * y2;
    inertia[at + 20] -= a1 * x2 + b1 * y2;
    for (let i = 0; i < c; i++) {
      let turned = 0;
      for (let k = 0, w = i; k < modeInverse.length; k++, w += c) turned += share[w] * axial[c + k];
      const x = shareMoved[2 * i];
      const y = shareMoved[2 * i + 1];
      const to = 6 * i;
      column[to] -= turned * z0;
      column[to + 1] -= turned * z1;
      column[to + 2] -= turned * z2;
      column[to + 3] -= x * x0 + y * y0;
      column[to + 4] -= x * x1 + y * y1;
      column[to + 5] -= x * x2 + y * y2;
    }
  }

  /** I −= factor Σ u gᵀ of `count` columns of six from `from` on; many sums side by side, none waits for the one before */
  private subtract(
    u: Float64Array,
    g: Float64Array,
    from: number,
    count: number,
    factor: number,
    inertia: Float64Array,
    at: number,
  ): void {
    for (let row = 0; row < 6; row += 2) {
      let [a0, a1, a2, a3, a4, a5] = [0, 0, 0, 0, 0, 0];
      let [b1, b2, b3, b4, b5] = [0, 0, 0, 0, 0];
      for (let k = from; k < from + 6 * count; k += 6) {
        const a = factor * u[k + row];
        const b = factor * u[k + row + 1];
        a0 += a * g[k];
        a1 += a * g[k + 1];
        a2 += a * g[k + 2];
        a3 += a * g[k + 3];
        a4 += a * g[k + 4];
        a5 += a * g[k + 5];
        b1 += b * g[k + 1];
        b2 += b * g[k + 2];
        b3 += b * g[k + 3];
        b4 += b * g[k + 4];
        b5 += b * g[k + 5];
      }
      // the 21 numbers: J xx yy zz xy xz yz, H row by row, M xx yy zz xy xz yz
      if (row === 0) {
        inertia[at] -= a0;
        inertia[at + 3] -= a1;
        inertia[at + 4] -= a2;
        inertia[at + 6] -= a3;
        inertia[at + 7] -= a4;
        inertia[at + 8] -= a5;
        inertia[at + 1] -= b1;
        inertia[at + 5] -= b2;
        inertia[at + 9] -= b3;
        inertia[at + 10] -= b4;
        inertia[at + 11] -= b5;
      } else if (row === 2) {
        inertia[at + 2] -= a2;
        inertia[at + 12] -= a3;
        inertia[at + 13] -= a4;
        inertia[at + 14] -= a5;
        inertia[at + 15] -= b3;
        inertia[at + 18] -= b4;
        inertia[at + 19] -= b5;
      } else {
        inertia[at + 16] -= a4;
        inertia[at + 20] -= a5;
        inertia[at + 17] -= b5;
      }
    }
  }

  /** force += U D⁻¹ ε; leaves ε_c − Wᵀ ε_m */
  private push(force: Float64Array, at: number): void {
    const { carrying: c, residual, gain: g, share, reduced, modeInverse, flexible } = this;
    const { byRate } = flexible;
    let [a0, a1, a2, a3, a4, a5] = [0, 0, 0, 0, 0, 0];
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
    const { residual, modeInverse, flexible } = this;
    this.descend(acceleration, this.reduced, residual, modeInverse);
    const { velocity } = flexible;
    const { work } = this;
    for (let k = 0; k < this.count; k++) out[at + velocity[k]] = work[k];
  }

  /** work_c = x_c − G A,  work_m = ε_m f_m − Mmm⁻¹ U_m A − W work_c */
  private descend(acceleration: Float64Array, x: Float64Array, modal: Float64Array, factor: Float64Array): void {
    const { carrying: c, work, gain, share, modeInverse, flexible } = this;
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

  /** Half solve, at a chain node: what is left along it */
  halfPass(k: number, force: Float64Array, f: Float64Array, fAt: number): void {
    const { flexible, residual } = this;
    const { axis, turn, slide } = this.kinematics;
    const i = flexible.nodes[k];
    let along = 0;
    for (let j = 0; j < 3; j++)
      along += axis[3 * i + j] * (turn[i] * force[6 * i + j] + slide[i] * force[6 * i + 3 + j]);
    residual[k] = f[fAt + flexible.velocity[k]] - along;
  }

  /** At the frame: x = L⁻¹ ε, modes first; force += U D⁻¹ ε */
  halfEliminate(force: Float64Array, f: Float64Array, fAt: number, x: Float64Array, xAt: number): void {
    const { count: n, carrying: c, matrix: l, modeRoot, residual, reduced, flexible } = this;
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
    const { count: n, carrying: c, matrix: l, residual, reduced, work, modeRoot, flexible } = this;
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

  private factorise(): void {
    const { carrying: n, matrix: l } = this;
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let sum = l[i * n + j];
        for (let k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
        if (i !== j) l[i * n + j] = sum / l[j * n + j];
        else if (sum > 0) l[i * n + i] = Math.sqrt(sum);
        else
          throw new DynamicsError(
            this.flexible.plan.name,
            Number.isNaN(sum)
              ? 'the motion is not a number any more; the step was too long'
              : 'the inertia of its deformation is not positive; it is deformed beyond what its shapes can tell',
          );
      }
  }

  /** G = (S + chains)⁻¹ U', all six columns together */
  private solveColumns(): void {
    const { carrying: c, matrix: l, column, gain } = this;
    for (let i = 0; i < c; i++) this.reduce(column, 6 * i, l, i * c, 1, i, gain, 0, 1 / l[i * c + i]);
    for (let i = c - 1; i >= 0; i--)
      this.reduce(gain, 6 * i, l, (i + 1) * c + i, c, c - 1 - i, gain, 6 * (i + 1), 1 / l[i * c + i]);
  }

  /**
   * gain[at …] = (start − Σ_k f_k from_k) · factor, six numbers that stay in registers.
   *
   * @param start six numbers from `at`
   * @param f     `count` numbers from `first`, `step` apart
   * @param from  six numbers each from `at2`
   */
  private reduce(
    start: Float64Array,
    at: number,
    f: Float64Array,
    first: number,
    step: number,
    count: number,
    from: Float64Array,
    at2: number,
    factor: number,
  ): void {
    const { gain } = this;
    let x0 = start[at];
    let x1 = start[at + 1];
    let x2 = start[at + 2];
    let x3 = start[at + 3];
    let x4 = start[at + 4];
    let x5 = start[at + 5];
    for (let k = 0, a = first, b = at2; k < count; k++, a += step, b += 6) {
      const y = f[a];
      x0 -= y * from[b];
      x1 -= y * from[b + 1];
      x2 -= y * from[b + 2];
      x3 -= y * from[b + 3];
      x4 -= y * from[b + 4];
      x5 -= y * from[b + 5];
    }
    gain[at] = x0 * factor;
    gain[at + 1] = x1 * factor;
    gain[at + 2] = x2 * factor;
    gain[at + 3] = x3 * factor;
    gain[at + 4] = x4 * factor;
    gain[at + 5] = x5 * factor;
  }

  /** x_c = (S + chains)⁻¹ (ε_c − Wᵀ ε_m), in place */
  private solve(): void {
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
