/**
 * The system H Δ = −∇ of one island (island-newton.kernel.ts has assembled H and lists the slots) by Cholesky factors H = L Lᵀ in the order of elimination. Conjugate gradients with the blocks on
 * the diagonal for preconditioner were tried and are slower (docs/theory/time-stepping.md).
 *
 * Golub & Van Loan (2013), §4.2.
 */
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';
import { backward6, divide6, forward6, subtractProducts6, subtractSquare6 } from './six-blocks.js';

/** Overwrites the blocks of the matrix by their factors; 0 if it is not positive definite in floating point. */
export function factoriseMatrix(count: i32): i32 {
  const values: FloatArray = ptrF(31);
  const places: IntArray = ptrI(32);
  const below: IntArray = ptrI(33);
  const targets: IntArray = ptrI(34);
  const sizes: IntArray = ptrI(35);
  const sequence: IntArray = ptrI(36);
  const start: IntArray = ptrI(37);
  const later: IntArray = ptrI(38);
  let target: i32 = 0;
  for (let p: i32 = 0; p < count; p++) {
    const block: i32 = sequence[p];
    const n: i32 = sizes[block];
    const d: i32 = places[block];
    // D = L Lᵀ, in its lower triangle
    for (let j: i32 = 0; j < n; j++) {
      const row: i32 = d + n * j;
      let pivot: f64 = values[row + j];
      for (let k: i32 = 0; k < j; k++) pivot -= values[row + k] * values[row + k];
      if (!(pivot > 0)) return 0;
      const root: f64 = Math.sqrt(pivot);
      values[row + j] = root;
      const per: f64 = 1 / root;
      for (let i: i32 = j + 1; i < n; i++) {
        const other: i32 = d + n * i;
        let sum: f64 = values[other + j];
        for (let k: i32 = 0; k < j; k++) sum -= values[other + k] * values[row + k];
        values[other + j] = sum * per;
      }
    }
    const end: i32 = start[p + 1];
    for (let k: i32 = start[p]; k < end; k++) {
      const columns: i32 = sizes[later[k]];
      const x: i32 = below[k];
      if (n === 6 && columns === 6) {
        divide6(values, x, d);
        continue;
      }
      for (let j: i32 = 0; j < n; j++)
        for (let c: i32 = 0; c < columns; c++) {
          let sum: f64 = values[x + columns * j + c];
          for (let m: i32 = 0; m < j; m++) sum -= values[d + n * j + m] * values[x + columns * m + c];
          values[x + columns * j + c] = sum / values[d + n * j + j];
        }
    }
    for (let k: i32 = start[p]; k < end; k++) {
      const i: i32 = later[k];
      subtractSquare(values, places[i], below[k], sizes[i], n);
      for (let l: i32 = k + 1; l < end; l++) {
        subtractProducts(values, targets[target], below[k], sizes[i], below[l], sizes[later[l]], n);
        target += 1;
      }
    }
  }
  return 1;
}

/** C −= Aᵀ A, A of n × rows, in the lower triangle of C */
function subtractSquare(v: FloatArray, c: i32, a: i32, rows: i32, n: i32): void {
  if (n === 6 && rows === 6) {
    subtractSquare6(v, c, a);
    return;
  }
  for (let i: i32 = 0; i < rows; i++)
    for (let j: i32 = 0; j <= i; j++) {
      let sum: f64 = 0;
      for (let k: i32 = 0; k < n; k++) sum += v[a + rows * k + i] * v[a + rows * k + j];
      v[c + rows * i + j] -= sum;
    }
}

/** C −= Aᵀ B, A of n × rows, B of n × columns */
function subtractProducts(v: FloatArray, c: i32, a: i32, rows: i32, b: i32, columns: i32, n: i32): void {
  if (n === 6 && rows === 6 && columns === 6) {
    subtractProducts6(v, c, a, b);
    return;
  }
  for (let i: i32 = 0; i < rows; i++)
    for (let j: i32 = 0; j < columns; j++) {
      let sum: f64 = 0;
      for (let k: i32 = 0; k < n; k++) sum += v[a + rows * k + i] * v[b + columns * k + j];
      v[c + columns * i + j] -= sum;
    }
}

/** Overwrites slot 23 with the solution */
export function solveMatrix(count: i32): void {
  const x: FloatArray = ptrF(23);
  const at: IntArray = ptrI(30);
  const values: FloatArray = ptrF(31);
  const places: IntArray = ptrI(32);
  const below: IntArray = ptrI(33);
  const sizes: IntArray = ptrI(35);
  const sequence: IntArray = ptrI(36);
  const start: IntArray = ptrI(37);
  const later: IntArray = ptrI(38);
  for (let p: i32 = 0; p < count; p++) {
    const block: i32 = sequence[p];
    const n: i32 = sizes[block];
    const first: i32 = at[block];
    const d: i32 = places[block];
    for (let i: i32 = 0; i < n; i++) {
      let sum: f64 = x[first + i];
      for (let j: i32 = 0; j < i; j++) sum -= values[d + n * i + j] * x[first + j];
      x[first + i] = sum / values[d + n * i + i];
    }
    for (let k: i32 = start[p]; k < start[p + 1]; k++) {
      const to: i32 = at[later[k]];
      const columns: i32 = sizes[later[k]];
      const b: i32 = below[k];
      if (n === 6 && columns === 6) {
        forward6(values, b, x, first, to);
        continue;
      }
      for (let i: i32 = 0; i < columns; i++) {
        let sum: f64 = 0;
        for (let j: i32 = 0; j < n; j++) sum += values[b + columns * j + i] * x[first + j];
        x[to + i] -= sum;
      }
    }
  }
  for (let p: i32 = count - 1; p >= 0; p--) {
    const block: i32 = sequence[p];
    const n: i32 = sizes[block];
    const first: i32 = at[block];
    const d: i32 = places[block];
    for (let k: i32 = start[p]; k < start[p + 1]; k++) {
      const from: i32 = at[later[k]];
      const columns: i32 = sizes[later[k]];
      const b: i32 = below[k];
      if (n === 6 && columns === 6) {
        backward6(values, b, x, from, first);
        continue;
      }
      for (let j: i32 = 0; j < n; j++) {
        let sum: f64 = 0;
        for (let i: i32 = 0; i < columns; i++) sum += values[b + columns * j + i] * x[from + i];
        x[first + j] -= sum;
      }
    }
    for (let i: i32 = n - 1; i >= 0; i--) {
      let sum: f64 = x[first + i];
      for (let j: i32 = i + 1; j < n; j++) sum -= values[d + n * j + i] * x[first + j];
      x[first + i] = sum / values[d + n * i + i];
    }
  }
}
