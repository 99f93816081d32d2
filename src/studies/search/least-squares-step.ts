/** Linear least squares by Householder's reflections; Golub & Van Loan, Matrix Computations, 4th ed. (2013), §5.2–5.3. */

/** J as columns of equal length; R of J = Q R, row by row, and Qᵀ b: enough for solutions and covariances. */
export interface Triangular {
  readonly size: number;
  readonly r: Float64Array;
  readonly right: Float64Array;
}

export function triangular(columns: readonly ArrayLike<number>[], b: ArrayLike<number>): Triangular {
  const n = columns.length;
  const m = b.length;
  const a = columns.map((column) => Float64Array.from(column));
  const right = Float64Array.from(b);
  const r = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    let square = 0;
    for (let i = k; i < m; i++) square += a[k][i] * a[k][i];
    const norm = Math.sqrt(square);
    const alpha = k < m && a[k][k] > 0 ? -norm : norm;
    r[n * k + k] = alpha;
    if (norm > 0) {
      const v = a[k];
      v[k] -= alpha;
      const beta = 1 / (norm * Math.abs(v[k]));
      for (const other of [...a.slice(k + 1), right]) {
        let dot = 0;
        for (let i = k; i < m; i++) dot += v[i] * other[i];
        dot *= beta;
        for (let i = k; i < m; i++) other[i] -= dot * v[i];
      }
    }
    for (let j = k + 1; j < n; j++) r[n * k + j] = k < m ? a[j][k] : 0;
  }
  return { size: n, r, right: right.slice(0, n) };
}

/** x of R x = b; entries that the rows do not tell are 0 */
export function backSolve({ size: n, r }: Triangular, b: ArrayLike<number>): number[] {
  const x = new Array<number>(n).fill(0);
  const largest = Math.max(...Array.from({ length: n }, (_, k) => Math.abs(r[n * k + k])));
  for (let k = n - 1; k >= 0; k--) {
    let sum = b[k];
    for (let j = k + 1; j < n; j++) sum -= r[n * k + j] * x[j];
    x[k] = Math.abs(r[n * k + k]) > 1e-15 * largest ? sum / r[n * k + k] : 0;
  }
  return x;
}

/** (JᵀJ)⁻¹ = R⁻¹ R⁻ᵀ, row by row; ∞ on the diagonal of what is not told at all */
export function inverseNormal(rows: Triangular): Float64Array {
  const { size: n, r } = rows;
  const largest = Math.max(...Array.from({ length: n }, (_, k) => Math.abs(r[n * k + k])));
  const columns = Array.from({ length: n }, (_, k) => {
    const unit = new Float64Array(n);
    unit[k] = 1;
    return backSolve(rows, unit);
  });
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      for (let k = Math.max(i, j); k < n; k++) inverse[n * i + j] += columns[k][i] * columns[k][j];
  for (let k = 0; k < n; k++) if (!(Math.abs(r[n * k + k]) > 1e-15 * largest)) inverse[n * k + k] = Infinity;
  return inverse;
}
