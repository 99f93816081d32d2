/**
 * LU factors of a sparse matrix of dense blocks: symmetric in where its blocks are, not in what they hold. Each diagonal block D_k is
 * factored with row exchanges inside it (scaled-lu.ts), blocks are not exchanged; the order is that of fewest neighbours
 * (elimination-order.ts). Eliminating block k with the neighbours N that go after it:
 *
 *   X_kj = D_k⁻¹ A_kj,    A_ij ← A_ij − A_ik X_kj,    i, j in N         (D_i for i = j)
 *
 *   solve   z_k = D_k⁻¹ b_k,  b_i ← b_i − A_ik z_k,    then backwards   x_k = z_k − Σ X_kj x_j
 *
 * A diagonal block may be larger than its size says: unknowns at its end that no other block sees.
 *
 * Golub & Van Loan (2013), §4.5; George & Liu (1981), ch. 5.
 */
import { BlockPattern } from './block-pattern.js';
import { intRoom, numberRoom } from './room.js';
import type { ScaledLu } from './scaled-lu.js';

/** A pivot below this part of the largest entry of its column is rounding. */
const NOTHING = 1e-15;

export class BlockLu {
  /** Blocks off the diagonal, each row-major */
  values: Float64Array = new Float64Array(0);
  /** Products of blocks in a factorisation */
  products = 0;
  private readonly pattern = new BlockPattern();
  private used = 0;
  /** Per pair, as in `later` of the order: where A_kj (then X_kj) and A_jk are in `values`, k the one that goes first */
  private right: Int32Array = new Int32Array(0);
  private below: Int32Array = new Int32Array(0);
  private work: Float64Array = new Float64Array(0);
  private largest: Float64Array = new Float64Array(0);
  private diagonals: readonly ScaledLu[] = [];

  /** Pairs of blocks off the diagonal, fill included */
  get pairs(): number {
    return this.pattern.pairs;
  }

  /**
   * Prepares for matrices with other blocks; nothing to do where they are the same.
   *
   * @param sizes per block: number of unknowns that other blocks see
   * @param edges two blocks per pair that is not zero; may repeat
   */
  structure(count: number, sizes: Int32Array, edges: Int32Array, edgeCount: number): void {
    if (!this.pattern.set(count, sizes, edges, edgeCount)) return;
    const { pairs } = this.pattern;
    const { start, later, sequence } = this.pattern.order;
    this.right = intRoom(this.right, pairs);
    this.below = intRoom(this.below, pairs);
    this.products = 0;
    let used = 0;
    for (let p = 0; p < count; p++) {
      const degree = start[p + 1] - start[p];
      this.products += degree * degree;
      for (let k = start[p]; k < start[p + 1]; k++) {
        const entries = sizes[sequence[p]] * sizes[later[k]];
        this.right[k] = used;
        this.below[k] = used + entries;
        used += 2 * entries;
      }
    }
    this.used = used;
    this.values = numberRoom(this.values, used);
  }

  /** Where block (i, j) starts in `values`; i and j differ and meet */
  at(i: number, j: number): number {
    const { place } = this.pattern.order;
    const pair = this.pattern.pairOf(i, j);
    return place[i] < place[j] ? this.right[pair] : this.below[pair];
  }

  /** Zero in all blocks off the diagonal, to be filled */
  clear(): void {
    this.values.fill(0, 0, this.used);
  }

  /**
   * Overwrites the blocks by their factors. False if a diagonal block is singular when its turn comes, which it may be though the whole
   * matrix is not.
   *
   * @param diagonals per block, filled; used by `solve` again
   */
  factorise(diagonals: readonly ScaledLu[]): boolean {
    this.diagonals = diagonals;
    const { values, right, below, pattern } = this;
    const { count, sizes } = pattern;
    const { sequence, start, later } = pattern.order;
    for (let i = 0; i < count; i++) this.work = numberRoom(this.work, diagonals[i].size);
    for (let p = 0; p < count; p++) {
      const block = sequence[p];
      const n = sizes[block];
      if (!this.factoriseDiagonal(diagonals[block])) return false;
      for (let k = start[p]; k < start[p + 1]; k++) this.divide(diagonals[block], n, right[k], sizes[later[k]]);
      for (let k = start[p]; k < start[p + 1]; k++) {
        const i = later[k];
        const ni = sizes[i];
        subtractProduct(diagonals[i].matrix, 0, diagonals[i].size, values, below[k], right[k], ni, n, ni);
        if (k + 1 === start[p + 1]) break;
        pattern.scatter(i);
        for (let l = k + 1; l < start[p + 1]; l++) {
          const j = later[l];
          const nj = sizes[j];
          const pair = pattern.pairWith[j];
          subtractProduct(values, right[pair], nj, values, below[k], right[l], ni, n, nj);
          subtractProduct(values, below[pair], ni, values, below[l], right[k], nj, n, ni);
        }
      }
    }
    return true;
  }

  private factoriseDiagonal(lu: ScaledLu): boolean {
    const { size, matrix } = lu;
    this.largest = numberRoom(this.largest, size);
    const { largest } = this;
    largest.fill(0, 0, size);
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) largest[j] = Math.max(largest[j], Math.abs(matrix[i * size + j]));
    if (!lu.factorise()) return false;
    for (let j = 0; j < size; j++) if (!(Math.abs(matrix[j * size + j]) > NOTHING * largest[j])) return false;
    return true;
  }

  /** A ← D⁻¹ A, n rows; unknowns of D beyond them have no right side and are not wanted. */
  private divide(lu: ScaledLu, n: number, at: number, columns: number): void {
    const { work, values } = this;
    for (let j = 0; j < columns; j++) {
      for (let i = 0; i < n; i++) work[i] = values[at + i * columns + j];
      for (let i = n; i < lu.size; i++) work[i] = 0;
      lu.solve(work);
      for (let i = 0; i < n; i++) values[at + i * columns + j] = work[i];
    }
  }

  /**
   * Overwrites x with the solution; unknowns that only a diagonal block has are not finished.
   *
   * @param at per block: where its unknowns start in x, those that no other block sees at their end
   */
  solve(x: Float64Array, at: Int32Array): void {
    const { values, right, below, work, diagonals } = this;
    const { count, sizes } = this.pattern;
    const { sequence, start, later } = this.pattern.order;
    for (let p = 0; p < count; p++) {
      const block = sequence[p];
      const n = sizes[block];
      const first = at[block];
      const lu = diagonals[block];
      for (let i = 0; i < lu.size; i++) work[i] = x[first + i];
      lu.solve(work);
      for (let i = 0; i < lu.size; i++) x[first + i] = work[i];
      for (let k = start[p]; k < start[p + 1]; k++)
        subtractApplied(x, at[later[k]], values, below[k], x, first, sizes[later[k]], n);
    }
    for (let p = count - 1; p >= 0; p--) {
      const block = sequence[p];
      for (let k = start[p]; k < start[p + 1]; k++)
        subtractApplied(x, at[block], values, right[k], x, at[later[k]], sizes[block], sizes[later[k]]);
    }
  }
}

/** C −= A X, A of rows × inner at v[aAt], X of inner × columns at v[xAt], C `stride` wide */
function subtractProduct(
  c: Float64Array,
  cAt: number,
  stride: number,
  v: Float64Array,
  aAt: number,
  xAt: number,
  rows: number,
  inner: number,
  columns: number,
): void {
  if (inner === 6) {
    for (let i = 0; i < rows; i++) {
      const a = aAt + 6 * i;
      const a0 = v[a];
      const a1 = v[a + 1];
      const a2 = v[a + 2];
      const a3 = v[a + 3];
      const a4 = v[a + 4];
      const a5 = v[a + 5];
      const to = cAt + stride * i;
      for (let j = 0, x = xAt; j < columns; j++, x++)
        c[to + j] -=
          a0 * v[x] +
          a1 * v[x + columns] +
          a2 * v[x + 2 * columns] +
          a3 * v[x + 3 * columns] +
          a4 * v[x + 4 * columns] +
          a5 * v[x + 5 * columns];
    }
    return;
  }
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += v[aAt + inner * i + k] * v[xAt + columns * k + j];
      c[cAt + stride * i + j] -= sum;
    }
}

/** b −= A x */
function subtractApplied(
  b: Float64Array,
  bAt: number,
  a: Float64Array,
  aAt: number,
  x: Float64Array,
  xAt: number,
  rows: number,
  columns: number,
): void {
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += a[aAt + columns * i + j] * x[xAt + j];
    b[bAt + i] -= sum;
  }
}
