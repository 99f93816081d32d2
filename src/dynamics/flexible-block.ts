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
 * At the frame (n_k, p_k) is added to the columns, and
 *
 *   I −= U D⁻¹ Uᵀ,   p += U D⁻¹ ε;     on the way down   η' = D⁻¹ (ε − Uᵀ A)
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
  private readonly column: Float64Array; // 6 per coordinate, at the origin the sweep has come to
  private readonly matrix: Float64Array; // carrying × carrying: S + chains, then its Cholesky factor
  private readonly schur: Float64Array; // S
  private readonly share: Float64Array; // carrying per mode: W
  private readonly modeMass: Float64Array; // Mmm
  private readonly residual: Float64Array;
  private readonly work: Float64Array;
  private readonly gain: Float64Array; // 6 per coordinate: D⁻¹ Uᵀ by rows

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
    this.column = new Float64Array(6 * n);
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
    this.gain = new Float64Array(6 * n);
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
    const { byRate, own, bias, node, gravity: g, velocity, nodes } = flexible;
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
      } else {
        for (let j = s; j < s + 6; j++) column[j] = byRate[j];
        residual[k] = applied[velocity[k]] + left;
      }
    }
    this.factorise();
    this.solveColumns();
    this.subtract(inertia, at);
    for (let j = 0; j < 6; j++) force[6 * node + j] += bias[j];
    this.push(force, 6 * node);
    this.solve(residual);
  }

  /** I −= U D⁻¹ Uᵀ; many sums side by side, none waits for the one before */
  private subtract(inertia: Float64Array, at: number): void {
    const { count, column: u, gain: g } = this;
    for (let row = 0; row < 6; row += 2) {
      let [a0, a1, a2, a3, a4, a5] = [0, 0, 0, 0, 0, 0];
      let [b1, b2, b3, b4, b5] = [0, 0, 0, 0, 0];
      for (let k = 0; k < 6 * count; k += 6) {
        const a = u[k + row];
        const b = u[k + row + 1];
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

  /** force += U D⁻¹ ε */
  private push(force: Float64Array, at: number): void {
    const { count, residual, gain: g } = this;
    let [a0, a1, a2, a3, a4, a5] = [0, 0, 0, 0, 0, 0];
    for (let k = 0, i = 0; k < count; k++, i += 6) {
      const x = residual[k];
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
    const { count, residual, gain, flexible } = this;
    const { velocity, node } = flexible;
    const a = 6 * node;
    const a0 = acceleration[a];
    const a1 = acceleration[a + 1];
    const a2 = acceleration[a + 2];
    const a3 = acceleration[a + 3];
    const a4 = acceleration[a + 4];
    const a5 = acceleration[a + 5];
    for (let k = 0, g = 0; k < count; k++, g += 6)
      out[at + velocity[k]] =
        residual[k] -
        gain[g] * a0 -
        gain[g + 1] * a1 -
        gain[g + 2] * a2 -
        gain[g + 3] * a3 -
        gain[g + 4] * a4 -
        gain[g + 5] * a5;
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
    const { count: n, carrying: c, matrix: l, share, modeMass, residual, flexible } = this;
    const { velocity, node } = flexible;
    for (let k = c; k < n; k++) residual[k] = f[fAt + velocity[k]];
    this.push(force, 6 * node);
    for (let k = c; k < n; k++) x[xAt + velocity[k]] = residual[k] / Math.sqrt(modeMass[k - c]);
    for (let i = 0; i < c; i++) {
      let sum = residual[i];
      for (let k = c; k < n; k++) sum -= share[(k - c) * c + i] * residual[k];
      for (let j = 0; j < i; j++) sum -= l[i * c + j] * residual[j];
      residual[i] = sum / l[i * c + i];
      x[xAt + velocity[i]] = residual[i];
    }
  }

  /** a = L⁻ᵀ x − D⁻¹ Uᵀ A */
  halfForward(acceleration: Float64Array, x: Float64Array, xAt: number, a: Float64Array, aAt: number): void {
    const { count: n, carrying: c, matrix: l, share, modeMass, work, gain, flexible } = this;
    const { velocity, node } = flexible;
    for (let i = c - 1; i >= 0; i--) {
      let sum = x[xAt + velocity[i]];
      for (let j = i + 1; j < c; j++) sum -= l[j * c + i] * work[j];
      work[i] = sum / l[i * c + i];
    }
    for (let k = c; k < n; k++) {
      let sum = x[xAt + velocity[k]] / Math.sqrt(modeMass[k - c]);
      for (let i = 0; i < c; i++) sum -= share[(k - c) * c + i] * work[i];
      work[k] = sum;
    }
    for (let k = 0; k < n; k++) {
      let value = work[k];
      for (let j = 0; j < 6; j++) value -= gain[6 * k + j] * acceleration[6 * node + j];
      a[aAt + velocity[k]] = value;
    }
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

  /** gain = D⁻¹ Uᵀ, all six columns together */
  private solveColumns(): void {
    const { carrying: c, matrix: l, modeMass, share, column, gain } = this;
    for (let i = 0; i < c; i++) {
      // less what the modes take, and those before it
      this.reduce(column, 6 * i, share, i, c, modeMass.length, column, 6 * c, 1);
      this.reduce(gain, 6 * i, l, i * c, 1, i, gain, 0, 1 / l[i * c + i]);
    }
    for (let i = c - 1; i >= 0; i--)
      this.reduce(gain, 6 * i, l, (i + 1) * c + i, c, c - 1 - i, gain, 6 * (i + 1), 1 / l[i * c + i]);
    for (let k = 0; k < modeMass.length; k++) {
      const at = 6 * (c + k);
      const inverse = 1 / modeMass[k];
      for (let j = at; j < at + 6; j++) gain[j] = column[j] * inverse;
      this.reduce(gain, at, share, k * c, 1, c, gain, 0, 1);
    }
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

  /** b ← D⁻¹ b */
  private solve(b: Float64Array): void {
    const { count: n, carrying: c, matrix: l, share, modeMass } = this;
    for (let i = 0; i < c; i++) {
      let sum = b[i];
      for (let k = c; k < n; k++) sum -= share[(k - c) * c + i] * b[k];
      for (let j = 0; j < i; j++) sum -= l[i * c + j] * b[j];
      b[i] = sum / l[i * c + i];
    }
    for (let i = c - 1; i >= 0; i--) {
      let sum = b[i];
      for (let j = i + 1; j < c; j++) sum -= l[j * c + i] * b[j];
      b[i] = sum / l[i * c + i];
    }
    for (let k = c; k < n; k++) {
      let sum = b[k] / modeMass[k - c];
      for (let i = 0; i < c; i++) sum -= share[(k - c) * c + i] * b[i];
      b[k] = sum;
    }
  }
}
