/**
 * Cholesky factors L Lᵀ of a sparse symmetric positive definite matrix of dense blocks, in the order of fewest neighbours
 * (elimination-order.ts). Eliminating block p with the neighbours N that go after it:
 *
 *   D_p = L_p L_pᵀ,    L_jp = A_jp L_p⁻ᵀ,    A_ij ← A_ij − L_ip L_jpᵀ,    i, j in N
 *
 * Off the diagonal only the block (later, earlier) is kept, row-major, later × earlier. Half the work and half the room of block-lu.ts, which
 * needs no symmetry.
 *
 * Golub & Van Loan (2013), §4.2; George & Liu (1981), ch. 5.
 */
import { BlockPattern } from './block-pattern.js';
import { intRoom, numberRoom } from './room.js';

export class BlockCholesky {
  /** Diagonal blocks, row-major, of which only the lower triangle is read; then those off the diagonal */
  values: Float64Array = new Float64Array(0);
  /** Per block: where its diagonal block starts in `values` */
  diagonal: Int32Array = new Int32Array(0);
  /** Products of blocks in a factorisation */
  products = 0;
  private readonly pattern = new BlockPattern();
  private used = 0;
  /** Per pair, as in `later` of the order: where its block starts in `values` */
  private below: Int32Array = new Int32Array(0);
  /** Per product of two different neighbours, in the order in which they come: the block it is taken from */
  private targets: Int32Array = new Int32Array(0);

  /** Pairs of blocks off the diagonal, fill included */
  get pairs(): number {
    return this.pattern.pairs;
  }

  /**
   * Prepares for matrices with other blocks; nothing to do where they are the same.
   *
   * @param sizes per block: number of unknowns
   * @param edges two blocks per pair that is not zero; may repeat
   */
  structure(count: number, sizes: Int32Array, edges: Int32Array, edgeCount: number): void {
    if (!this.pattern.set(count, sizes, edges, edgeCount)) return;
    const { pattern } = this;
    const { start, later, sequence } = pattern.order;
    this.below = intRoom(this.below, pattern.pairs);
    this.diagonal = intRoom(this.diagonal, count);
    let used = 0;
    for (let i = 0; i < count; i++) {
      this.diagonal[i] = used;
      used += sizes[i] * sizes[i];
    }
    this.products = 0;
    let targets = 0;
    for (let p = 0; p < count; p++) {
      const degree = start[p + 1] - start[p];
      targets += (degree * (degree - 1)) / 2;
      this.products += (degree * (degree + 1)) / 2;
      for (let k = start[p]; k < start[p + 1]; k++) {
        this.below[k] = used;
        used += sizes[sequence[p]] * sizes[later[k]];
      }
    }
    this.used = used;
    this.values = numberRoom(this.values, used);
    this.targets = intRoom(this.targets, targets);
    let target = 0;
    for (let p = 0; p < count; p++)
      for (let k = start[p]; k < start[p + 1]; k++) {
        pattern.scatter(later[k]);
        for (let l = k + 1; l < start[p + 1]; l++) this.targets[target++] = this.below[pattern.pairWith[later[l]]];
      }
  }

  /** Where the block of i and j starts in `values`; its rows are those of the one that `goesLater` */
  at(i: number, j: number): number {
    return this.below[this.pattern.pairOf(i, j)];
  }

  /** i is eliminated after j. */
  goesLater(i: number, j: number): boolean {
    const { place } = this.pattern.order;
    return place[i] > place[j];
  }

  /** Zero in all blocks, to be filled */
  clear(): void {
    this.values.fill(0, 0, this.used);
  }

  /** Overwrites the blocks by their factors. False if the matrix is not positive definite in floating point. */
  factorise(): boolean {
    const { values, below, diagonal, targets } = this;
    const { count, sizes } = this.pattern;
    const { sequence, start, later } = this.pattern.order;
    let target = 0;
    for (let p = 0; p < count; p++) {
      const block = sequence[p];
      const n = sizes[block];
      const d = diagonal[block];
      if (!choleskyInPlace(values, d, n)) return false;
      const end = start[p + 1];
      for (let k = start[p]; k < end; k++) divideByTransposed(values, below[k], sizes[later[k]], d, n);
      for (let k = start[p]; k < end; k++) {
        const i = later[k];
        const ni = sizes[i];
        subtractSquare(values, diagonal[i], below[k], ni, n);
        for (let l = k + 1; l < end; l++)
          subtractProduct(values, targets[target++], below[l], below[k], sizes[later[l]], ni, n);
      }
    }
    return true;
  }

  /**
   * Overwrites x with the solution.
   *
   * @param at per block: where its unknowns start in x
   */
  solve(x: Float64Array, at: Int32Array): void {
    const { values, below, diagonal } = this;
    const { count, sizes } = this.pattern;
    const { sequence, start, later } = this.pattern.order;
    for (let p = 0; p < count; p++) {
      const block = sequence[p];
      const n = sizes[block];
      const first = at[block];
      const d = diagonal[block];
      for (let i = 0; i < n; i++) {
        let sum = x[first + i];
        for (let j = 0; j < i; j++) sum -= values[d + n * i + j] * x[first + j];
        x[first + i] = sum / values[d + n * i + i];
      }
      for (let k = start[p]; k < start[p + 1]; k++) {
        const to = at[later[k]];
        const rows = sizes[later[k]];
        let v = below[k];
        for (let i = 0; i < rows; i++) {
          let sum = 0;
          for (let j = 0; j < n; j++) sum += values[v++] * x[first + j];
          x[to + i] -= sum;
        }
      }
    }
    for (let p = count - 1; p >= 0; p--) {
      const block = sequence[p];
      const n = sizes[block];
      const first = at[block];
      const d = diagonal[block];
      for (let k = start[p]; k < start[p + 1]; k++) {
        const from = at[later[k]];
        const rows = sizes[later[k]];
        let v = below[k];
        for (let i = 0; i < rows; i++) {
          const value = x[from + i];
          for (let j = 0; j < n; j++) x[first + j] -= values[v++] * value;
        }
      }
      for (let i = n - 1; i >= 0; i--) {
        let sum = x[first + i];
        for (let j = i + 1; j < n; j++) sum -= values[d + n * j + i] * x[first + j];
        x[first + i] = sum / values[d + n * i + i];
      }
    }
  }
}

/** Lower factor of the n × n block at v[d], in its lower triangle; the upper one is left as it is. */
function choleskyInPlace(v: Float64Array, d: number, n: number): boolean {
  for (let j = 0; j < n; j++) {
    const row = d + n * j;
    let pivot = v[row + j];
    for (let k = 0; k < j; k++) pivot -= v[row + k] * v[row + k];
    if (!(pivot > 0)) return false;
    const root = Math.sqrt(pivot);
    v[row + j] = root;
    const per = 1 / root;
    for (let i = j + 1; i < n; i++) {
      const other = d + n * i;
      let sum = v[other + j];
      for (let k = 0; k < j; k++) sum -= v[other + k] * v[row + k];
      v[other + j] = sum * per;
    }
  }
  return true;
}

/** A ← A L⁻ᵀ, A of rows × n at v[at], L lower at v[d] */
function divideByTransposed(v: Float64Array, at: number, rows: number, d: number, n: number): void {
  if (n === 6) {
    const p0 = 1 / v[d];
    const p1 = 1 / v[d + 7];
    const p2 = 1 / v[d + 14];
    const p3 = 1 / v[d + 21];
    const p4 = 1 / v[d + 28];
    const p5 = 1 / v[d + 35];
    for (let i = 0, row = at; i < rows; i++, row += 6) {
      const x0 = v[row] * p0;
      const x1 = (v[row + 1] - x0 * v[d + 6]) * p1;
      const x2 = (v[row + 2] - x0 * v[d + 12] - x1 * v[d + 13]) * p2;
      const x3 = (v[row + 3] - x0 * v[d + 18] - x1 * v[d + 19] - x2 * v[d + 20]) * p3;
      const x4 = (v[row + 4] - x0 * v[d + 24] - x1 * v[d + 25] - x2 * v[d + 26] - x3 * v[d + 27]) * p4;
      const x5 = (v[row + 5] - x0 * v[d + 30] - x1 * v[d + 31] - x2 * v[d + 32] - x3 * v[d + 33] - x4 * v[d + 34]) * p5;
      v[row] = x0;
      v[row + 1] = x1;
      v[row + 2] = x2;
      v[row + 3] = x3;
      v[row + 4] = x4;
      v[row + 5] = x5;
    }
    return;
  }
  for (let i = 0; i < rows; i++) {
    const row = at + n * i;
    for (let j = 0; j < n; j++) {
      let sum = v[row + j];
      const l = d + n * j;
      for (let k = 0; k < j; k++) sum -= v[row + k] * v[l + k];
      v[row + j] = sum / v[l + j];
    }
  }
}

/** Lower triangle of C −= A Aᵀ, A of rows × n, C of rows × rows, both in v */
function subtractSquare(v: Float64Array, c: number, a: number, rows: number, n: number): void {
  if (n === 6) {
    for (let i = 0, p = a; i < rows; i++, p += 6) {
      const a0 = v[p];
      const a1 = v[p + 1];
      const a2 = v[p + 2];
      const a3 = v[p + 3];
      const a4 = v[p + 4];
      const a5 = v[p + 5];
      const to = c + rows * i;
      for (let j = 0, q = a; j <= i; j++, q += 6)
        v[to + j] -= a0 * v[q] + a1 * v[q + 1] + a2 * v[q + 2] + a3 * v[q + 3] + a4 * v[q + 4] + a5 * v[q + 5];
    }
    return;
  }
  for (let i = 0; i < rows; i++)
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += v[a + n * i + k] * v[a + n * j + k];
      v[c + rows * i + j] -= sum;
    }
}

/** C −= A Bᵀ, A of rows × n, B of columns × n, C of rows × columns, all in v */
function subtractProduct(
  v: Float64Array,
  c: number,
  a: number,
  b: number,
  rows: number,
  columns: number,
  n: number,
): void {
  if (n === 6) {
    for (let i = 0; i < rows; i++) {
      const p = a + 6 * i;
      const a0 = v[p];
      const a1 = v[p + 1];
      const a2 = v[p + 2];
      const a3 = v[p + 3];
      const a4 = v[p + 4];
      const a5 = v[p + 5];
      const to = c + columns * i;
      for (let j = 0, q = b; j < columns; j++, q += 6)
        v[to + j] -= a0 * v[q] + a1 * v[q + 1] + a2 * v[q + 2] + a3 * v[q + 3] + a4 * v[q + 4] + a5 * v[q + 5];
    }
    return;
  }
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += v[a + n * i + k] * v[b + n * j + k];
      v[c + columns * i + j] -= sum;
    }
}
