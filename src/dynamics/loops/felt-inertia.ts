/**
 * Inertia that a joint feels in what a spring of stiffness k between its sides makes of it: a stop while it is touched, a bristle that sticks. 1/(M⁻¹)_ii is that of the
 * first instant, when nothing has been told of the blow but what the joint holds. Of parts that deform that is little, and it is not what bounces: modes much faster than
 * the touch follow it without inertia of their own. So
 *
 *   1/m = [(M + τ² K)⁻¹]_ii,   τ² = m/k        K: stiffness of all that deforms
 *
 * which is 1/(M⁻¹)_ii where parts are soft beside the touch, and that of the rigid mechanism where they are stiff, up to a part of the square of the ratio of
 * their periods. With M⁻¹ = Bᵀ B, K = L Lᵀ and what loops hold taken out of all columns (Woodbury)
 *
 *   x = B e_i,  Y = B L:   1/m = x · x − bᵀ (1/τ² + Yᵀ Y)⁻¹ b,   b = Yᵀ x
 *
 * Yᵀ Y = Q T Qᵀ is made tridiagonal once a step (Golub & Van Loan, Matrix Computations, 4th ed. (2013), §8.3.1), so that each joint and each τ costs little. The
 * iteration for m begins with the least, at the first instant; m rises with τ, so it goes up to the first m that fits.
 */
import type { System } from '../../assembly/system.js';
import type { Loops } from './loops.js';

const MOST_ITERATIONS = 40;
const EXACT = 1e-6;

export class FeltInertia {
  private readonly loops: Loops;
  /** Coordinates of all that deforms */
  private readonly count: number;
  private readonly size: number;
  /** Columns of L as generalised forces, nv each; Y, size each */
  private readonly root: Float64Array;
  private readonly columns: Float64Array;
  /** Yᵀ Y; below the diagonal its reflections */
  private readonly matrix: Float64Array;
  private readonly beta: Float64Array;
  private readonly diagonal: Float64Array;
  private readonly beside: Float64Array;
  private readonly force: Float64Array;
  private readonly x: Float64Array;
  private readonly b: Float64Array;
  private readonly work: Float64Array;

  constructor({ flexible = [], tree, nv }: System, loops: Loops, size: number) {
    this.loops = loops;
    this.size = size;
    const n = flexible.reduce((sum, { nodes }) => sum + nodes.length, 0);
    this.count = n;
    this.root = new Float64Array(n * nv);
    this.columns = new Float64Array(n * nv);
    this.matrix = new Float64Array(n * n);
    this.beta = new Float64Array(n);
    this.diagonal = new Float64Array(n);
    this.beside = new Float64Array(n);
    this.force = new Float64Array(nv);
    this.x = new Float64Array(nv);
    this.b = new Float64Array(n);
    this.work = new Float64Array(n);
    let first = 0;
    for (const { nodes, stiffness } of flexible) {
      const l = choleskyOf(stiffness, nodes.length);
      for (let c = 0; c < nodes.length; c++)
        for (let r = c; r < nodes.length; r++) this.root[(first + c) * nv + tree.v[nodes[r]]] = l[r * nodes.length + c];
      first += nodes.length;
    }
  }

  /** At the pose of the factors that `loops` has */
  prepare(): void {
    const { count: n, size, root, columns, matrix, force, x, loops } = this;
    const nv = force.length;
    for (let k = 0; k < n; k++) {
      for (let i = 0; i < nv; i++) force[i] = root[k * nv + i];
      loops.half(force, x);
      for (let i = 0; i < size; i++) columns[k * nv + i] = x[i];
      for (let j = 0; j <= k; j++) {
        let sum = 0;
        for (let i = 0; i < size; i++) sum += columns[k * nv + i] * columns[j * nv + i];
        matrix[k * n + j] = matrix[j * n + k] = sum;
      }
    }
    this.tridiagonalise();
  }

  /** Of the velocity i, kg or kg m²; @param k N/m or N m/rad; `prepare` must have been called */
  of(i: number, k: number): number {
    const { loops, count: n, size, columns, matrix, beta, force, x, b } = this;
    const instant = loops.effectiveInertia(i);
    if (n === 0 || !(k > 0)) return instant;
    const nv = force.length;
    force.fill(0);
    force[i] = 1;
    loops.half(force, x);
    let free = 0;
    for (let j = 0; j < size; j++) free += x[j] * x[j];
    if (!(Math.abs(instant * free - 1) < 1e-6)) return instant; // loops lock it
    for (let c = 0; c < n; c++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += columns[c * nv + j] * x[j];
      b[c] = sum;
    }
    for (let c = 0; c < n - 2; c++) reflect(matrix, n, c, beta[c], b);
    let inertia = 1 / free;
    for (let turn = 0; turn < MOST_ITERATIONS; turn++) {
      const held = free - this.followed(k / inertia);
      if (!(held > 0)) break;
      const next = 1 / held;
      const done = Math.abs(next - inertia) <= EXACT * inertia;
      inertia = next;
      if (done) break;
    }
    return inertia;
  }

  /** bᵀ (s + T)⁻¹ b */
  private followed(s: number): number {
    const { count: n, diagonal, beside, b, work } = this;
    let sum = 0;
    let pivot = 0;
    for (let j = 0; j < n; j++) {
      const factor = j > 0 ? beside[j - 1] / pivot : 0;
      pivot = s + diagonal[j] - (j > 0 ? factor * beside[j - 1] : 0);
      work[j] = b[j] - (j > 0 ? factor * work[j - 1] : 0);
      sum += (work[j] * work[j]) / pivot;
    }
    return sum;
  }

  /** Householder's reflections from both sides, column by column */
  private tridiagonalise(): void {
    const { count: n, matrix: a, beta, diagonal, beside, work: p } = this;
    for (let c = 0; c < n - 1; c++) {
      let square = 0;
      for (let r = c + 1; r < n; r++) square += a[r * n + c] * a[r * n + c];
      const norm = Math.sqrt(square);
      const lead = a[(c + 1) * n + c];
      const alpha = lead > 0 ? -norm : norm;
      beta[c] = 0;
      beside[c] = c < n - 2 ? alpha : lead;
      if (c === n - 2 || norm === 0) continue;
      const v = lead - alpha;
      a[(c + 1) * n + c] = v;
      const factor = 1 / (norm * Math.abs(v)); // 2/|v|²
      beta[c] = factor;
      // p = β A v, A −= v wᵀ + w vᵀ with w = p − ½ β (pᵀ v) v
      let dot = 0;
      for (let r = c + 1; r < n; r++) {
        let sum = 0;
        for (let j = c + 1; j < n; j++) sum += a[r * n + j] * a[j * n + c];
        p[r] = factor * sum;
        dot += p[r] * a[r * n + c];
      }
      dot *= 0.5 * factor;
      for (let r = c + 1; r < n; r++) p[r] -= dot * a[r * n + c];
      for (let r = c + 1; r < n; r++)
        for (let j = c + 1; j < n; j++) a[r * n + j] -= a[r * n + c] * p[j] + p[r] * a[j * n + c];
    }
    for (let c = 0; c < n; c++) diagonal[c] = a[c * n + c];
  }
}

/** x −= β v (v · x), v below the diagonal of column c */
function reflect(a: Float64Array, n: number, c: number, beta: number, x: Float64Array): void {
  if (beta === 0) return;
  let dot = 0;
  for (let r = c + 1; r < n; r++) dot += a[r * n + c] * x[r];
  dot *= beta;
  for (let r = c + 1; r < n; r++) x[r] -= dot * a[r * n + c];
}

/** Lower L with L Lᵀ = K; where rounding leaves nothing, nothing */
function choleskyOf(k: Float64Array, n: number): Float64Array {
  const l = new Float64Array(n * n);
  for (let c = 0; c < n; c++) {
    for (let r = c; r < n; r++) {
      let sum = k[r * n + c];
      for (let j = 0; j < c; j++) sum -= l[r * n + j] * l[c * n + j];
      if (r === c) l[c * n + c] = sum > 1e-14 * k[c * n + c] ? Math.sqrt(sum) : 0;
      else l[r * n + c] = l[c * n + c] > 0 ? sum / l[c * n + c] : 0;
    }
  }
  return l;
}
