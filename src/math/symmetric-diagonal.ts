/**
 * A symmetric matrix of any size becomes diagonal by Jacobi's rotations; its vectors are orthogonal to rounding. For sizes up to some tens.
 * Golub & Van Loan, Matrix Computations, 4th ed. (2013), §8.5
 *
 * @param a row by row, changed in place: its eigenvalues end up on the diagonal
 * @returns the eigenvectors, in the order of the diagonal
 */
export function rotateToDiagonal(a: Float64Array, n: number): Float64Array[] {
  const vectors = Array.from({ length: n }, (_, i) => Float64Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    let on = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        if (i === j) on += a[n * i + i] * a[n * i + i];
        else off += a[n * i + j] * a[n * i + j];
    if (off <= 1e-30 * on) break;
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        if (a[n * p + q] === 0) continue;
        const theta = (a[n * q + q] - a[n * p + p]) / (2 * a[n * p + q]);
        const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(1 + theta * theta));
        const c = 1 / Math.sqrt(1 + tangent * tangent);
        const s = tangent * c;
        for (let k = 0; k < n; k++) {
          const [x, y] = [a[n * k + p], a[n * k + q]];
          a[n * k + p] = c * x - s * y;
          a[n * k + q] = s * x + c * y;
        }
        for (let k = 0; k < n; k++) {
          const [x, y] = [a[n * p + k], a[n * q + k]];
          a[n * p + k] = c * x - s * y;
          a[n * q + k] = s * x + c * y;
          const [u, v] = [vectors[p][k], vectors[q][k]];
          vectors[p][k] = c * u - s * v;
          vectors[q][k] = s * u + c * v;
        }
      }
  }
  return vectors;
}
