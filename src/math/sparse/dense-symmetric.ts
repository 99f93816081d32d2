/** Eigenvalues and vectors of small dense symmetric matrices and pencils, by Jacobi's rotations: slow but accurate to the last digits. */

/** Values ascending; vectors[k * n …] the k-th, of length 1. Golub & Van Loan, Matrix Computations, §8.5. */
export function denseSymmetricEigen(matrix: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  const a = matrix.slice();
  const v = new Float64Array(n * n);
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    let on = 0;
    for (let i = 0; i < n; i++) {
      on += a[i * n + i] * a[i * n + i];
      for (let j = 0; j < i; j++) off += a[i * n + j] * a[i * n + j];
    }
    if (off <= 1e-40 * on || off === 0) break;
    for (let p = 0; p < n - 1; p++)
      for (let q = p + 1; q < n; q++) {
        const apq = a[p * n + q];
        // negligible beside both diagonal entries
        if (Math.abs(apq) <= 1e-20 * Math.sqrt(Math.abs(a[p * n + p] * a[q * n + q]))) {
          a[p * n + q] = a[q * n + p] = 0;
          continue;
        }
        const theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < n; k++) {
          const x = a[k * n + p];
          const y = a[k * n + q];
          a[k * n + p] = c * x - s * y;
          a[k * n + q] = s * x + c * y;
        }
        for (let k = 0; k < n; k++) {
          const x = a[p * n + k];
          const y = a[q * n + k];
          a[p * n + k] = c * x - s * y;
          a[q * n + k] = s * x + c * y;
        }
        for (let k = 0; k < n; k++) {
          const x = v[p * n + k];
          const y = v[q * n + k];
          v[p * n + k] = c * x - s * y;
          v[q * n + k] = s * x + c * y;
        }
      }
  }
  const order = Array.from({ length: n }, (_, i) => i).sort((i, j) => a[i * n + i] - a[j * n + j] || i - j);
  const values = new Float64Array(n);
  const vectors = new Float64Array(n * n);
  order.forEach((from, k) => {
    values[k] = a[from * n + from];
    vectors.set(v.subarray(from * n, from * n + n), k * n);
  });
  return { values, vectors };
}

/**
 * K x = λ M x with M positive definite, by M = L Lᵀ: values ascending, vectors with xᵀ M x = 1. Both matrices n × n, row-major.
 *
 * @throws RangeError where M is not positive definite
 */
export function densePencilEigen(
  k: Float64Array,
  m: Float64Array,
  n: number,
): { values: Float64Array; vectors: Float64Array } {
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = m[i * n + j];
      for (let s = 0; s < j; s++) sum -= l[i * n + s] * l[j * n + s];
      if (i !== j) l[i * n + j] = sum / l[j * n + j];
      else if (sum > 0) l[i * n + i] = Math.sqrt(sum);
      else throw new RangeError('the mass matrix is not positive definite');
    }
  // A = L⁻¹ K L⁻ᵀ
  const a = k.slice();
  for (let c = 0; c < n; c++)
    for (let i = 0; i < n; i++) {
      let sum = a[i * n + c];
      for (let s = 0; s < i; s++) sum -= l[i * n + s] * a[s * n + c];
      a[i * n + c] = sum / l[i * n + i];
    }
  for (let r = 0; r < n; r++)
    for (let i = 0; i < n; i++) {
      let sum = a[r * n + i];
      for (let s = 0; s < i; s++) sum -= l[i * n + s] * a[r * n + s];
      a[r * n + i] = sum / l[i * n + i];
    }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) a[i * n + j] = a[j * n + i] = (a[i * n + j] + a[j * n + i]) / 2;
  const { values, vectors } = denseSymmetricEigen(a, n);
  for (let e = 0; e < n; e++)
    for (let i = n - 1; i >= 0; i--) {
      let sum = vectors[e * n + i];
      for (let s = i + 1; s < n; s++) sum -= l[s * n + i] * vectors[e * n + s];
      vectors[e * n + i] = sum / l[i * n + i];
    }
  return { values, vectors };
}
