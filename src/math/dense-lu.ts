/**
 * LU factorisation of dense matrices with partial pivoting, real and complex, in place in flat row-major arrays:
 * P A = L U, L with ones on its diagonal. 2/3 n³ operations (complex: four times that), 2 n² for a solution.
 * Golub & Van Loan, Matrix Computations, 4th ed. (2013), §3.4.
 */

/**
 * Overwrites `a` (n × n) with L and U, and `pivots` (n) with the row exchanged with row k at step k.
 * False if a pivot is zero or not finite: `a` is then half done and of no use.
 */
export function factoriseLu(a: Float64Array, n: number, pivots: Int32Array): boolean {
  for (let k = 0; k < n; k++) {
    let p = k;
    let largest = Math.abs(a[k * n + k]);
    for (let i = k + 1; i < n; i++) {
      const size = Math.abs(a[i * n + k]);
      if (size > largest) {
        largest = size;
        p = i;
      }
    }
    pivots[k] = p;
    if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return false;
    if (p !== k) exchangeRows(a, n, k, p);
    const pivot = a[k * n + k];
    for (let i = k + 1; i < n; i++) {
      const factor = a[i * n + k] / pivot;
      a[i * n + k] = factor;
      if (factor !== 0) for (let j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return true;
}

/** Overwrites b with the solution of A x = b; `lu` and `pivots` from `factoriseLu`. */
export function solveLu(lu: Float64Array, n: number, pivots: Int32Array, b: Float64Array): void {
  for (let k = 0; k < n; k++) exchange(b, k, pivots[k]);
  for (let i = 1; i < n; i++) {
    let sum = b[i];
    for (let j = 0; j < i; j++) sum -= lu[i * n + j] * b[j];
    b[i] = sum;
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = b[i];
    for (let j = i + 1; j < n; j++) sum -= lu[i * n + j] * b[j];
    b[i] = sum / lu[i * n + i];
  }
}

/** As `factoriseLu` for the matrix re + i·im. Pivots are compared by |re| + |im|, which needs no root. */
export function factoriseComplexLu(re: Float64Array, im: Float64Array, n: number, pivots: Int32Array): boolean {
  for (let k = 0; k < n; k++) {
    const kk = k * n + k;
    let p = k;
    let largest = Math.abs(re[kk]) + Math.abs(im[kk]);
    for (let i = k + 1; i < n; i++) {
      const size = Math.abs(re[i * n + k]) + Math.abs(im[i * n + k]);
      if (size > largest) {
        largest = size;
        p = i;
      }
    }
    pivots[k] = p;
    if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return false;
    if (p !== k) {
      exchangeRows(re, n, k, p);
      exchangeRows(im, n, k, p);
    }
    // 1/pivot, scaled by its size so that the squares neither over- nor underflow
    const x = re[kk] / largest;
    const y = im[kk] / largest;
    const square = (x * x + y * y) * largest;
    const inverseRe = x / square;
    const inverseIm = -y / square;
    for (let i = k + 1; i < n; i++) {
      const ik = i * n + k;
      const factorRe = re[ik] * inverseRe - im[ik] * inverseIm;
      const factorIm = re[ik] * inverseIm + im[ik] * inverseRe;
      re[ik] = factorRe;
      im[ik] = factorIm;
      if (factorRe !== 0 || factorIm !== 0)
        for (let j = k + 1; j < n; j++) {
          const uRe = re[k * n + j];
          const uIm = im[k * n + j];
          re[i * n + j] -= factorRe * uRe - factorIm * uIm;
          im[i * n + j] -= factorRe * uIm + factorIm * uRe;
        }
    }
  }
  return true;
}

/** Overwrites bRe + i·bIm with the solution of A x = b; the factors from `factoriseComplexLu`. */
export function solveComplexLu(
  re: Float64Array,
  im: Float64Array,
  n: number,
  pivots: Int32Array,
  bRe: Float64Array,
  bIm: Float64Array,
): void {
  for (let k = 0; k < n; k++) {
    exchange(bRe, k, pivots[k]);
    exchange(bIm, k, pivots[k]);
  }
  for (let i = 1; i < n; i++) {
    let sumRe = bRe[i];
    let sumIm = bIm[i];
    for (let j = 0; j < i; j++) {
      const ij = i * n + j;
      sumRe -= re[ij] * bRe[j] - im[ij] * bIm[j];
      sumIm -= re[ij] * bIm[j] + im[ij] * bRe[j];
    }
    bRe[i] = sumRe;
    bIm[i] = sumIm;
  }
  for (let i = n - 1; i >= 0; i--) {
    let sumRe = bRe[i];
    let sumIm = bIm[i];
    for (let j = i + 1; j < n; j++) {
      const ij = i * n + j;
      sumRe -= re[ij] * bRe[j] - im[ij] * bIm[j];
      sumIm -= re[ij] * bIm[j] + im[ij] * bRe[j];
    }
    const ii = i * n + i;
    const largest = Math.abs(re[ii]) + Math.abs(im[ii]);
    const x = re[ii] / largest;
    const y = im[ii] / largest;
    const square = (x * x + y * y) * largest;
    bRe[i] = (sumRe * x + sumIm * y) / square;
    bIm[i] = (sumIm * x - sumRe * y) / square;
  }
}

function exchangeRows(a: Float64Array, n: number, k: number, p: number): void {
  for (let j = 0; j < n; j++) {
    const kept = a[k * n + j];
    a[k * n + j] = a[p * n + j];
    a[p * n + j] = kept;
  }
}

function exchange(b: Float64Array, k: number, p: number): void {
  const kept = b[k];
  b[k] = b[p];
  b[p] = kept;
}
