/**
 * The coordinates of a flexible body inside the articulated-body algorithm: eliminated together, when the sweep reaches the frame.
 *
 * Coordinates that move an interface are ordinary joints of massless nodes below the frame. On the way up nothing is eliminated there: each
 * leaves its column u = I S and passes its inertia on; with the columns of the joints below it in the same chain
 *
 *   D_ii = S_i · u_i,   D_di = u_d · S_i,   ε_d −= u_d · bias_i
 *
 * At the frame (n_k, p_k) is added to the columns, Mff to D, and
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
  /** Local indices of the coordinates below each one in its chain, itself last */
  private readonly chain: readonly Int32Array[];
  private readonly column: Float64Array; // 6 per coordinate, at the origin the sweep has come to
  private readonly matrix: Float64Array; // D, then its Cholesky factor
  private readonly residual: Float64Array;
  private readonly work: Float64Array;
  private readonly gain: Float64Array; // 6 per coordinate: D⁻¹ Uᵀ by rows

  constructor(flexible: FlexibleInertia, kinematics: TreeKinematics) {
    this.flexible = flexible;
    this.kinematics = kinematics;
    const n = flexible.count;
    this.count = n;
    const { parent } = kinematics.tree;
    const local = new Map<number, number>();
    flexible.nodes.forEach((node, k) => {
      local.set(node, k);
    });
    const chains = Array.from({ length: n }, (): number[] => []);
    for (let k = n - 1; k >= 0; k--)
      for (let i = flexible.nodes[k]; i !== flexible.node; i = parent[i]) chains[local.get(i)!].push(k);
    this.chain = chains.map((own) => Int32Array.from(own).sort().reverse());
    this.column = new Float64Array(6 * n);
    this.matrix = new Float64Array(n * n);
    this.residual = new Float64Array(n);
    this.work = new Float64Array(n);
    this.gain = new Float64Array(6 * n);
  }

  start(): void {
    const { matrix, flexible } = this;
    matrix.set(flexible.plan.mass);
  }

  /**
   * A chain node, whose inertia (21 numbers from `at`) and force are complete.
   *
   * @param k local index
   */
  pass(k: number, inertia: Float64Array, at: number, force: Float64Array, applied: Float64Array): void {
    const { column, matrix, residual, count, chain, flexible } = this;
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
      matrix[d * count + k] += along;
      if (d !== k) matrix[k * count + d] += along;
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
  eliminate(inertia: Float64Array, at: number, force: Float64Array, along: Float64Array): void {
    const { count: n, column, matrix, residual, work, gain, flexible } = this;
    const { byRate, own, bias, node, gravity: g } = flexible;
    for (let k = 0; k < n; k++) along[flexible.nodes[k]] = matrix[k * n + k];
    for (let k = 0; k < n; k++) {
      for (let j = 0; j < 6; j++) column[6 * k + j] += byRate[6 * k + j];
      residual[k] -= own[k] - (byRate[6 * k + 3] * g[0] + byRate[6 * k + 4] * g[1] + byRate[6 * k + 5] * g[2]);
    }
    this.factorise();
    // D⁻¹ Uᵀ, a column of U at a time
    for (let j = 0; j < 6; j++) {
      for (let k = 0; k < n; k++) work[k] = column[6 * k + j];
      this.solve(work);
      for (let k = 0; k < n; k++) gain[6 * k + j] = work[k];
    }
    for (let m = 0; m < 21; m++) {
      const a = FIRST[m];
      const b = SECOND[m];
      let sum = 0;
      for (let k = 0; k < n; k++) sum += column[6 * k + a] * gain[6 * k + b];
      inertia[at + m] -= sum;
    }
    for (let j = 0; j < 6; j++) {
      let sum = bias[j];
      for (let k = 0; k < n; k++) sum += gain[6 * k + j] * residual[k];
      force[6 * node + j] += sum;
    }
    this.solve(residual);
  }

  /** η' from the acceleration of the frame */
  forward(acceleration: Float64Array, out: Float64Array, at: number): void {
    const { count, residual, gain, flexible } = this;
    for (let k = 0; k < count; k++) {
      let x = residual[k];
      for (let j = 0; j < 6; j++) x -= gain[6 * k + j] * acceleration[6 * flexible.node + j];
      out[at + flexible.velocity[k]] = x;
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

  /** At the frame: x = L⁻¹ ε, force += U D⁻¹ ε */
  halfEliminate(force: Float64Array, x: Float64Array, xAt: number): void {
    const { count: n, matrix: l, residual, gain, flexible } = this;
    for (let j = 0; j < 6; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += gain[6 * k + j] * residual[k];
      force[6 * flexible.node + j] += sum;
    }
    for (let i = 0; i < n; i++) {
      let sum = residual[i];
      for (let j = 0; j < i; j++) sum -= l[i * n + j] * residual[j];
      residual[i] = sum / l[i * n + i];
      x[xAt + flexible.velocity[i]] = residual[i];
    }
  }

  /** a = L⁻ᵀ x − D⁻¹ Uᵀ A */
  halfForward(acceleration: Float64Array, x: Float64Array, xAt: number, a: Float64Array, aAt: number): void {
    const { count: n, matrix: l, work, gain, flexible } = this;
    for (let i = n - 1; i >= 0; i--) {
      let sum = x[xAt + flexible.velocity[i]];
      for (let j = i + 1; j < n; j++) sum -= l[j * n + i] * work[j];
      work[i] = sum / l[i * n + i];
    }
    for (let k = 0; k < n; k++) {
      let value = work[k];
      for (let j = 0; j < 6; j++) value -= gain[6 * k + j] * acceleration[6 * flexible.node + j];
      a[aAt + flexible.velocity[k]] = value;
    }
  }

  private factorise(): void {
    const { count: n, matrix: l } = this;
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

  private solve(b: Float64Array): void {
    const { count: n, matrix: l } = this;
    for (let i = 0; i < n; i++) {
      let sum = b[i];
      for (let j = 0; j < i; j++) sum -= l[i * n + j] * b[j];
      b[i] = sum / l[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      let sum = b[i];
      for (let j = i + 1; j < n; j++) sum -= l[j * n + i] * b[j];
      b[i] = sum / l[i * n + i];
    }
  }
}

/** Row and column of the 21 numbers: J xx yy zz xy xz yz, H row by row, M xx yy zz xy xz yz */
const FIRST = [0, 1, 2, 0, 0, 1, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4, 5, 3, 3, 4];
const SECOND = [0, 1, 2, 1, 2, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3, 4, 5, 4, 5, 5];
