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

  /** `out` = solutions for `width` right sides that lie side by side in the rows of b; of the same length as b. */
  solveRows(b: Float64Array, width: number, out: Float64Array): void {
    const { size: n, matrix: m, order } = this;
    for (let i = 0; i < n; i++) {
      const to = i * width;
      const own = order[i] * width;
      for (let c = 0; c < width; c++) out[to + c] = b[own + c];
      for (let j = 0; j < i; j++) {
        const f = m[i * n + j];
        if (f === 0) continue;
        const from = j * width;
        for (let c = 0; c < width; c++) out[to + c] -= f * out[from + c];
      }
    }
    for (let i = n - 1; i >= 0; i--) {
      const to = i * width;
      for (let j = i + 1; j < n; j++) {
        const f = m[i * n + j];
        const from = j * width;
        for (let c = 0; c < width; c++) out[to + c] -= f * out[from + c];
      }
      const inverse = 1 / m[i * n + i];
      for (let c = 0; c < width; c++) out[to + c] *= inverse;
    }
  }
}
