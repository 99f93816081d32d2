/**
 * Independent loop rows and the projections they define. With M⁻¹ = Bᵀ B and Z = B Gᵀ (a column per row), Z = Q R:
 *
 *   the smallest change in the norm of M with G a = −r     a = Bᵀ x,  x = −Q R⁻ᵀ r,   multipliers λ = −R⁻¹ R⁻ᵀ r
 *
 * Going through Q instead of Gᵀ's normal equations keeps the accuracy of a where rows are nearly dependent.
 */
export class RowBasis {
  /** Columns of Z, one after the other */
  readonly z: Float64Array;
  readonly size: number;
  private readonly copy: Float64Array;
  private readonly r: Float64Array; // upper triangle, row-major, `capacity` wide
  private readonly beta: Float64Array;
  private readonly capacity: number;
  private readonly squares: Float64Array;
  private readonly open: Uint8Array;
  private readonly changed: Uint8Array;
  private count = 0;

  constructor(size: number, capacity: number) {
    this.size = size;
    this.capacity = capacity;
    this.z = new Float64Array(size * capacity);
    this.copy = new Float64Array(size * capacity);
    this.r = new Float64Array(capacity * capacity);
    this.beta = new Float64Array(capacity);
    this.squares = new Float64Array(capacity);
    this.open = new Uint8Array(capacity);
    this.changed = new Uint8Array(capacity);
  }

  /**
   * Which of the first `count` columns of z are independent: Gram–Schmidt, the largest rest first, until what is left of a column is
   * below `tolerance` of its scale. Columns of level 0 go before those of level 1.
   *
   * @param pivots gets what was left of each chosen column in units of its scale
   * @param chosen gets the columns in the order of choice
   * @returns how many there are
   */
  select(
    count: number,
    scale: Float64Array,
    levels: Uint8Array,
    tolerance: number,
    pivots: Float64Array,
    chosen: Int32Array,
  ): number {
    const { size, copy, z, squares, open, changed } = this;
    for (let i = 0; i < size * count; i++) copy[i] = z[i];
    for (let j = 0; j < count; j++) open[j] = scale[j] > 0 ? 1 : 0;
    changed.fill(1);
    let rank = 0;
    for (let level = 0; level < 2; level++)
      for (;;) {
        let best = -1;
        let most = tolerance;
        for (let j = 0; j < count; j++) {
          if (open[j] === 0 || levels[j] !== level) continue;
          if (changed[j] !== 0) {
            let sum = 0;
            for (let i = 0; i < size; i++) sum += copy[j * size + i] * copy[j * size + i];
            squares[j] = sum;
            changed[j] = 0;
          }
          const rest = Math.sqrt(squares[j]) / scale[j];
          if (rest > most * (1 + 1e-9)) {
            most = rest;
            best = j;
          }
        }
        if (best < 0 || rank === size) break;
        open[best] = 0;
        chosen[rank++] = best;
        pivots[best] = most;
        // Rows of a long mechanism have few joints in common: where there is no product there is nothing to take away
        const b = best * size;
        const first = firstNonZero(copy, b, size);
        const end = endOfNonZero(copy, b, size);
        for (let j = 0; j < count; j++) {
          if (open[j] === 0) continue;
          // Twice is enough to be orthogonal to rounding
          for (let turn = 0; turn < 2; turn++) {
            let dot = 0;
            for (let i = first; i < end; i++) dot += copy[b + i] * copy[j * size + i];
            if (dot === 0) break;
            const factor = dot / squares[best];
            for (let i = first; i < end; i++) copy[j * size + i] -= factor * copy[b + i];
            changed[j] = 1;
          }
        }
      }
    return rank;
  }

  /** Householder's QR of the first `count` columns of z. False if they are dependent. */
  factorise(count: number): boolean {
    const { size: n, z, r, beta, capacity } = this;
    this.count = count;
    for (let k = 0; k < count; k++) {
      const column = k * n;
      let square = 0;
      for (let i = k; i < n; i++) square += z[column + i] * z[column + i];
      const norm = Math.sqrt(square);
      if (!(norm > 0)) return false;
      const alpha = z[column + k] > 0 ? -norm : norm;
      r[k * capacity + k] = alpha;
      const lead = z[column + k] - alpha;
      z[column + k] = lead;
      // v with H = 1 − β v vᵀ; |v|² = 2 norm (norm + |z_k|)
      beta[k] = 1 / (norm * Math.abs(lead));
      const end = endOfNonZero(z, column, n);
      for (let j = k + 1; j < count; j++) {
        let dot = 0;
        for (let i = k; i < end; i++) dot += z[column + i] * z[j * n + i];
        dot *= beta[k];
        if (dot !== 0) for (let i = k; i < end; i++) z[j * n + i] -= dot * z[column + i];
        r[k * capacity + j] = z[j * n + k];
      }
    }
    return true;
  }

  /** b ← R⁻ᵀ b for the first `count` rows (all, if not said) */
  solveTransposed(b: Float64Array, count = this.count): void {
    const { r, capacity } = this;
    for (let i = 0; i < count; i++) {
      let sum = b[i];
      for (let j = 0; j < i; j++) sum -= r[j * capacity + i] * b[j];
      b[i] = sum / r[i * capacity + i];
    }
  }

  /** b ← R⁻¹ b */
  solve(b: Float64Array, count = this.count): void {
    const { r, capacity } = this;
    for (let i = count - 1; i >= 0; i--) {
      let sum = b[i];
      for (let j = i + 1; j < count; j++) sum -= r[i * capacity + j] * b[j];
      b[i] = sum / r[i * capacity + i];
    }
  }

  /** x = Q (b, 0), b of `count` numbers */
  applyQ(b: Float64Array, x: Float64Array, count = this.count): void {
    const { size: n, z, beta } = this;
    x.fill(0, 0, n);
    for (let i = 0; i < count; i++) x[i] = b[i];
    for (let k = count - 1; k >= 0; k--) {
      let dot = 0;
      for (let i = k; i < n; i++) dot += z[k * n + i] * x[i];
      dot *= beta[k];
      for (let i = k; i < n; i++) x[i] -= dot * z[k * n + i];
    }
  }

  /** x ← (1 − Q Qᵀ) x: what the rows leave free */
  removeRows(x: Float64Array): void {
    const { size: n, z, beta, count } = this;
    for (let k = 0; k < count; k++) reflect(z, k * n, beta[k], k, n, x);
    for (let i = 0; i < count; i++) x[i] = 0;
    for (let k = count - 1; k >= 0; k--) reflect(z, k * n, beta[k], k, n, x);
  }
}

/** Where the numbers other than zero in values[at … at + n) begin and end */
function firstNonZero(values: Float64Array, at: number, n: number): number {
  let first = 0;
  while (first < n && values[at + first] === 0) first++;
  return first;
}
function endOfNonZero(values: Float64Array, at: number, n: number): number {
  let end = n;
  while (end > 0 && values[at + end - 1] === 0) end--;
  return end;
}

function reflect(z: Float64Array, at: number, beta: number, from: number, n: number, x: Float64Array): void {
  let dot = 0;
  for (let i = from; i < n; i++) dot += z[at + i] * x[i];
  dot *= beta;
  for (let i = from; i < n; i++) x[i] -= dot * z[at + i];
}
