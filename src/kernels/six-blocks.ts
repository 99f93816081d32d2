/**
 * Products of blocks of 6 × 6 numbers, by rows: one number after the other here, two in the lanes of f64x2 in WebAssembly (`assembly/six-blocks.ts`), each with the
 * same operations in the same order.
 */
import type { FloatArray, i32 } from './prelude.js';

/** C += Jᵀ W over rows, C at c[at]; six columns of J from w[p] and of W from w[q] on, both `width` wide */
export function addProducts6(c: FloatArray, at: i32, w: FloatArray, p: i32, q: i32, rows: i32, width: i32): void {
  for (let i = 0; i < 6; i++) {
    const to = at + 6 * i;
    let c0 = c[to];
    let c1 = c[to + 1];
    let c2 = c[to + 2];
    let c3 = c[to + 3];
    let c4 = c[to + 4];
    let c5 = c[to + 5];
    let from = q;
    let of = p + i;
    for (let r = 0; r < rows; r++) {
      const x = w[of];
      c0 += x * w[from];
      c1 += x * w[from + 1];
      c2 += x * w[from + 2];
      c3 += x * w[from + 3];
      c4 += x * w[from + 4];
      c5 += x * w[from + 5];
      from += width;
      of += width;
    }
    c[to] = c0;
    c[to + 1] = c1;
    c[to + 2] = c2;
    c[to + 3] = c3;
    c[to + 4] = c4;
    c[to + 5] = c5;
  }
}

/** The same where C is symmetric: its lower triangle, by pairs of columns */
export function addSquare6(c: FloatArray, at: i32, w: FloatArray, p: i32, q: i32, rows: i32, width: i32): void {
  for (let i = 0; i < 6; i++)
    for (let k = 0; k <= (i | 1); k++) {
      let sum = c[at + 6 * i + k];
      for (let r = 0; r < rows; r++) sum += w[p + r * width + i] * w[q + r * width + k];
      c[at + 6 * i + k] = sum;
    }
}

/** C −= Aᵀ B, all in v */
export function subtractProducts6(v: FloatArray, c: i32, a: i32, b: i32): void {
  for (let i = 0; i < 6; i++) {
    const a0 = v[a + i];
    const a1 = v[a + 6 + i];
    const a2 = v[a + 12 + i];
    const a3 = v[a + 18 + i];
    const a4 = v[a + 24 + i];
    const a5 = v[a + 30 + i];
    const to = c + 6 * i;
    for (let k = 0; k < 6; k++)
      v[to + k] -=
        a0 * v[b + k] +
        a1 * v[b + 6 + k] +
        a2 * v[b + 12 + k] +
        a3 * v[b + 18 + k] +
        a4 * v[b + 24 + k] +
        a5 * v[b + 30 + k];
  }
}

/** C −= Aᵀ A, in the lower triangle of C, by pairs of columns */
export function subtractSquare6(v: FloatArray, c: i32, a: i32): void {
  for (let i = 0; i < 6; i++)
    for (let k = 0; k <= (i | 1); k++)
      v[c + 6 * i + k] -=
        v[a + i] * v[a + k] +
        v[a + 6 + i] * v[a + 6 + k] +
        v[a + 12 + i] * v[a + 12 + k] +
        v[a + 18 + i] * v[a + 18 + k] +
        v[a + 24 + i] * v[a + 24 + k] +
        v[a + 30 + i] * v[a + 30 + k];
}

/** A ← L⁻¹ A, A at v[at], L lower at v[d] */
export function divide6(v: FloatArray, at: i32, d: i32): void {
  const p0 = 1 / v[d];
  const p1 = 1 / v[d + 7];
  const p2 = 1 / v[d + 14];
  const p3 = 1 / v[d + 21];
  const p4 = 1 / v[d + 28];
  const p5 = 1 / v[d + 35];
  for (let i = at; i < at + 6; i++) {
    const x0 = v[i] * p0;
    const x1 = (v[i + 6] - x0 * v[d + 6]) * p1;
    const x2 = (v[i + 12] - x0 * v[d + 12] - x1 * v[d + 13]) * p2;
    const x3 = (v[i + 18] - x0 * v[d + 18] - x1 * v[d + 19] - x2 * v[d + 20]) * p3;
    const x4 = (v[i + 24] - x0 * v[d + 24] - x1 * v[d + 25] - x2 * v[d + 26] - x3 * v[d + 27]) * p4;
    const x5 = (v[i + 30] - x0 * v[d + 30] - x1 * v[d + 31] - x2 * v[d + 32] - x3 * v[d + 33] - x4 * v[d + 34]) * p5;
    v[i] = x0;
    v[i + 6] = x1;
    v[i + 12] = x2;
    v[i + 18] = x3;
    v[i + 24] = x4;
    v[i + 30] = x5;
  }
}

/** x[to …] −= Aᵀ x[from …], A at v[a] */
export function forward6(v: FloatArray, a: i32, x: FloatArray, from: i32, to: i32): void {
  const x0 = x[from];
  const x1 = x[from + 1];
  const x2 = x[from + 2];
  const x3 = x[from + 3];
  const x4 = x[from + 4];
  const x5 = x[from + 5];
  for (let i = 0; i < 6; i++) {
    const p = a + i;
    x[to + i] -= v[p] * x0 + v[p + 6] * x1 + v[p + 12] * x2 + v[p + 18] * x3 + v[p + 24] * x4 + v[p + 30] * x5;
  }
}

/** x[to …] −= A x[from …], A at v[a]; even and odd columns are summed apart */
export function backward6(v: FloatArray, a: i32, x: FloatArray, from: i32, to: i32): void {
  const x0 = x[from];
  const x1 = x[from + 1];
  const x2 = x[from + 2];
  const x3 = x[from + 3];
  const x4 = x[from + 4];
  const x5 = x[from + 5];
  for (let i = 0, p = a; i < 6; i++, p += 6)
    x[to + i] -= v[p] * x0 + v[p + 2] * x2 + v[p + 4] * x4 + (v[p + 1] * x1 + v[p + 3] * x3 + v[p + 5] * x5);
}

/** Σ a[p + k] x[q + k] over six numbers; even and odd ones are summed apart */
export function dot6(a: FloatArray, p: i32, x: FloatArray, q: i32): number {
  return (
    a[p] * x[q] +
    a[p + 2] * x[q + 2] +
    a[p + 4] * x[q + 4] +
    (a[p + 1] * x[q + 1] + a[p + 3] * x[q + 3] + a[p + 5] * x[q + 5])
  );
}

/** x[q + k] −= s a[p + k] of six numbers */
export function subtractScaled6(x: FloatArray, q: i32, s: number, a: FloatArray, p: i32): void {
  x[q] -= s * a[p];
  x[q + 1] -= s * a[p + 1];
  x[q + 2] -= s * a[p + 2];
  x[q + 3] -= s * a[p + 3];
  x[q + 4] -= s * a[p + 4];
  x[q + 5] -= s * a[p + 5];
}
