/**
 * LU factors of a square matrix with row exchanges. Unlike in dense-lu.ts each row's pivot is judged against the row's own largest entry, so that rows in
 * different units (forces, torques, loop conditions) compare fairly. Golub & Van Loan (2013), §3.4–3.5.
 */
export class ScaledLu {
  readonly size: number;
  /** Row-major; fill it, then `factorise` overwrites it. */
  readonly matrix: Float64Array;
  private readonly order: Int32Array;
  private readonly scale: Float64Array;
  private readonly work: Float64Array;

  constructor(size: number) {
    this.size = size;
    this.matrix = new Float64Array(size * size);
    this.order = new Int32Array(size);
    this.scale = new Float64Array(size);
    this.work = new Float64Array(size);
  }

  /** False if the matrix is singular or not finite. */
  factorise(): boolean {
    const { size: n, matrix: m, order, scale } = this;
    for (let i = 0; i < n; i++) {
      let largest = 0;
      for (let j = 0; j < n; j++) largest = Math.max(largest, Math.abs(m[i * n + j]));
      if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return false;
      scale[i] = 1 / largest;
      order[i] = i;
    }
    for (let k = 0; k < n; k++) {
      let pivot = k;
      let best = -1;
      for (let i = k; i < n; i++) {
        const size = Math.abs(m[i * n + k]) * scale[i];
        if (size > best) {
          best = size;
          pivot = i;
        }
      }
      if (!(best > 0)) return false;
      if (pivot !== k) {
        for (let j = 0; j < n; j++) {
          const kept = m[k * n + j];
          m[k * n + j] = m[pivot * n + j];
          m[pivot * n + j] = kept;
        }
        const keptOrder = order[k];
        order[k] = order[pivot];
        order[pivot] = keptOrder;
        const keptScale = scale[k];
        scale[k] = scale[pivot];
        scale[pivot] = keptScale;
      }
      const inverse = 1 / m[k * n + k];
      for (let i = k + 1; i < n; i++) {
        const at = i * n;
        const factor = m[at + k] * inverse;
        m[at + k] = factor;
        if (factor === 0) continue;
        const from = k * n;
        for (let j = k + 1; j < n; j++) m[at + j] -= factor * m[from + j];
      }
    }
    return true;
  }

  /** Overwrites b with the solution. */
  solve(b: Float64Array): void {
    const { size: n, matrix: m, order, work } = this;
    for (let i = 0; i < n; i++) {
      let sum = b[order[i]];
      for (let j = 0; j < i; j++) sum -= m[i * n + j] * work[j];
      work[i] = sum;
    }
    for (let i = n - 1; i >= 0; i--) {
      let sum = work[i];
      for (let j = i + 1; j < n; j++) sum -= m[i * n + j] * b[j];
      b[i] = sum / m[i * n + i];
    }
  }

  /** `out` = solutions for the first `count` of the right sides that lie side by side in the rows of b, `width` wide; of the same length as b. */
  solveRows(b: Float64Array, width: number, count: number, out: Float64Array): void {
    let c = 0;
    for (; c + 6 <= count; c += 6) this.solveSix(b, width, out, c);
    for (; c + 3 <= count; c += 3) this.solveThree(b, width, out, c);
    for (; c < count; c++) this.solveOne(b, width, out, c);
  }

  /** Of the right side in column c */
  private solveOne(b: Float64Array, width: number, out: Float64Array, c: number): void {
    const { size: n, matrix: m, order } = this;
    for (let i = 0; i < n; i++) {
      let sum = b[order[i] * width + c];
      for (let j = 0; j < i; j++) sum -= m[i * n + j] * out[j * width + c];
      out[i * width + c] = sum;
    }
    for (let i = n - 1; i >= 0; i--) {
      let sum = out[i * width + c];
      for (let j = i + 1; j < n; j++) sum -= m[i * n + j] * out[j * width + c];
      out[i * width + c] = sum * (1 / m[i * n + i]);
    }
  }

  /** Of three from column c on */
  private solveThree(b: Float64Array, width: number, out: Float64Array, c: number): void {
    const { size: n, matrix: m, order } = this;
    for (let i = 0; i < n; i++) {
      const own = order[i] * width + c;
      let x0 = b[own];
      let x1 = b[own + 1];
      let x2 = b[own + 2];
      for (let j = 0, at = i * n, from = c; j < i; j++, at++, from += width) {
        const f = m[at];
        x0 -= f * out[from];
        x1 -= f * out[from + 1];
        x2 -= f * out[from + 2];
      }
      const to = i * width + c;
      out[to] = x0;
      out[to + 1] = x1;
      out[to + 2] = x2;
    }
    for (let i = n - 1; i >= 0; i--) {
      const to = i * width + c;
      let x0 = out[to];
      let x1 = out[to + 1];
      let x2 = out[to + 2];
      for (let j = i + 1, at = i * n + j, from = j * width + c; j < n; j++, at++, from += width) {
        const f = m[at];
        x0 -= f * out[from];
        x1 -= f * out[from + 1];
        x2 -= f * out[from + 2];
      }
      const inverse = 1 / m[i * n + i];
      out[to] = x0 * inverse;
      out[to + 1] = x1 * inverse;
      out[to + 2] = x2 * inverse;
    }
  }

  /** Of six from column c on: sums that stay in registers */
  private solveSix(b: Float64Array, width: number, out: Float64Array, c: number): void {
    const { size: n, matrix: m, order } = this;
    for (let i = 0; i < n; i++) {
      const own = order[i] * width + c;
      let x0 = b[own];
      let x1 = b[own + 1];
      let x2 = b[own + 2];
      let x3 = b[own + 3];
      let x4 = b[own + 4];
      let x5 = b[own + 5];
      for (let j = 0, at = i * n, from = c; j < i; j++, at++, from += width) {
        const f = m[at];
        if (f === 0) continue;
        x0 -= f * out[from];
        x1 -= f * out[from + 1];
        x2 -= f * out[from + 2];
        x3 -= f * out[from + 3];
        x4 -= f * out[from + 4];
        x5 -= f * out[from + 5];
      }
      const to = i * width + c;
      out[to] = x0;
      out[to + 1] = x1;
      out[to + 2] = x2;
      out[to + 3] = x3;
      out[to + 4] = x4;
      out[to + 5] = x5;
    }
    for (let i = n - 1; i >= 0; i--) {
      const to = i * width + c;
      let x0 = out[to];
      let x1 = out[to + 1];
      let x2 = out[to + 2];
      let x3 = out[to + 3];
      let x4 = out[to + 4];
      let x5 = out[to + 5];
      for (let j = i + 1, at = i * n + j, from = j * width + c; j < n; j++, at++, from += width) {
        const f = m[at];
        x0 -= f * out[from];
        x1 -= f * out[from + 1];
        x2 -= f * out[from + 2];
        x3 -= f * out[from + 3];
        x4 -= f * out[from + 4];
        x5 -= f * out[from + 5];
      }
      const inverse = 1 / m[i * n + i];
      out[to] = x0 * inverse;
      out[to + 1] = x1 * inverse;
      out[to + 2] = x2 * inverse;
      out[to + 3] = x3 * inverse;
      out[to + 4] = x4 * inverse;
      out[to + 5] = x5 * inverse;
    }
  }
}
