/**
 * Eigenvalues of a real square matrix: balanced, brought to Hessenberg form by Householder's reflections, then Francis' QR steps with
 * double shifts. Eigenvectors by inverse iteration. Golub & Van Loan, Matrix Computations, 4th ed. (2013), §7.4–7.6;
 * Parlett & Reinsch (1969) for balancing.
 */
import { ModelError } from '../errors.js';

export interface Eigenvalues {
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
}

/**
 * @param n      size
 * @param matrix row-major, not changed
 * @throws ModelError if an entry is not finite
 */
export function eigenvalues(n: number, matrix: Float64Array): Eigenvalues {
  const a = matrix.slice(0, n * n);
  for (const entry of a)
    if (!Number.isFinite(entry)) throw new ModelError('eigenvalues', `expected finite entries, got ${entry}`);
  balance(n, a);
  hessenberg(n, a);
  return francis(n, a);
}

/** Scales rows and columns by powers of two until their norms are alike. */
function balance(n: number, a: Float64Array): void {
  for (let again = true, rounds = 0; again && rounds < 50; rounds++) {
    again = false;
    for (let i = 0; i < n; i++) {
      let c = 0;
      let r = 0;
      for (let j = 0; j < n; j++)
        if (j !== i) {
          c += Math.abs(a[j * n + i]);
          r += Math.abs(a[i * n + j]);
        }
      if (c === 0 || r === 0) continue;
      let f = 1;
      const sum = c + r;
      while (c < r / 2 && f < 1e150) {
        c *= 4;
        f *= 2;
      }
      while (c >= r * 2 && f > 1e-150) {
        c /= 4;
        f /= 2;
      }
      if ((c + r) / f >= 0.95 * sum) continue;
      again = true;
      for (let j = 0; j < n; j++) a[i * n + j] /= f;
      for (let j = 0; j < n; j++) a[j * n + i] *= f;
    }
  }
}

/** A ← Q A Qᵀ with zeros below the first subdiagonal */
function hessenberg(n: number, a: Float64Array): void {
  const v = new Float64Array(n);
  for (let k = 0; k < n - 2; k++) {
    let square = 0;
    for (let i = k + 1; i < n; i++) square += a[i * n + k] * a[i * n + k];
    const norm = Math.sqrt(square);
    if (!(norm > 0)) continue;
    const alpha = a[(k + 1) * n + k] > 0 ? -norm : norm;
    for (let i = k + 1; i < n; i++) v[i] = a[i * n + k];
    v[k + 1] -= alpha;
    const beta = 1 / (norm * Math.abs(v[k + 1]));
    for (let j = 0; j < n; j++) {
      let dot = 0;
      for (let i = k + 1; i < n; i++) dot += v[i] * a[i * n + j];
      dot *= beta;
      for (let i = k + 1; i < n; i++) a[i * n + j] -= dot * v[i];
    }
    for (let i = 0; i < n; i++) {
      let dot = 0;
      for (let j = k + 1; j < n; j++) dot += a[i * n + j] * v[j];
      dot *= beta;
      for (let j = k + 1; j < n; j++) a[i * n + j] -= dot * v[j];
    }
    for (let i = k + 2; i < n; i++) a[i * n + k] = 0;
  }
}

/** Double-shift QR on a Hessenberg matrix; splits off 1 × 1 and 2 × 2 blocks from below. */
function francis(n: number, h: Float64Array): Eigenvalues {
  const real = new Float64Array(n);
  const imaginary = new Float64Array(n);
  let size = 0;
  for (const entry of h) size = Math.max(size, Math.abs(entry));
  let high = n - 1;
  let tries = 0;
  while (high >= 0) {
    // Where the active block begins
    let low = high;
    for (; low > 0; low--) {
      const s = Math.abs(h[(low - 1) * n + low - 1]) + Math.abs(h[low * n + low]);
      if (Math.abs(h[low * n + low - 1]) <= 2.2e-16 * (s > 0 ? s : size)) {
        h[low * n + low - 1] = 0;
        break;
      }
    }
    if (low === high) {
      real[high] = h[high * n + high];
      high--;
      tries = 0;
      continue;
    }
    const a = h[(high - 1) * n + high - 1];
    const b = h[(high - 1) * n + high];
    const c = h[high * n + high - 1];
    const d = h[high * n + high];
    if (low === high - 1) {
      const p = 0.5 * (a - d);
      const q = p * p + b * c;
      if (q >= 0) {
        // The larger root first, the other from the determinant of the shifted block: no cancellation
        const z = p + (p < 0 ? -Math.sqrt(q) : Math.sqrt(q));
        real[high - 1] = d + z;
        real[high] = z !== 0 ? d - (b * c) / z : d;
      } else {
        real[high - 1] = real[high] = d + p;
        imaginary[high - 1] = Math.sqrt(-q);
        imaginary[high] = -imaginary[high - 1];
      }
      high -= 2;
      tries = 0;
      continue;
    }
    if (++tries > 300) throw new ModelError('eigenvalues', 'the QR steps do not converge');
    // Shifts: the eigenvalues of the last 2 × 2 block, now and then something else
    let trace = a + d;
    let determinant = a * d - b * c;
    if (tries % 10 === 0) {
      const s = Math.abs(h[high * n + high - 1]) + Math.abs(h[(high - 1) * n + high - 2]);
      trace = 1.5 * s;
      determinant = s * s;
    }
    let x =
      h[low * n + low] * h[low * n + low] +
      h[low * n + low + 1] * h[(low + 1) * n + low] -
      trace * h[low * n + low] +
      determinant;
    let y = h[(low + 1) * n + low] * (h[low * n + low] + h[(low + 1) * n + low + 1] - trace);
    let z = h[(low + 1) * n + low] * h[(low + 2) * n + low + 1];
    for (let k = low; k < high; k++) {
      const last = k === high - 1;
      if (k > low) {
        x = h[k * n + k - 1];
        y = h[(k + 1) * n + k - 1];
        z = last ? 0 : h[(k + 2) * n + k - 1];
      } else if (last) z = 0;
      const norm = Math.sqrt(x * x + y * y + z * z);
      if (norm > 0) {
        const alpha = x > 0 ? -norm : norm;
        const v0 = x - alpha;
        const beta = 1 / (norm * Math.abs(v0));
        const v1 = y;
        const v2 = z;
        for (let j = Math.max(0, k - 1); j < n; j++) {
          let dot = v0 * h[k * n + j] + v1 * h[(k + 1) * n + j];
          if (!last) dot += v2 * h[(k + 2) * n + j];
          dot *= beta;
          h[k * n + j] -= dot * v0;
          h[(k + 1) * n + j] -= dot * v1;
          if (!last) h[(k + 2) * n + j] -= dot * v2;
        }
        const bottom = Math.min(high, k + 3);
        for (let i = 0; i <= bottom; i++) {
          let dot = v0 * h[i * n + k] + v1 * h[i * n + k + 1];
          if (!last) dot += v2 * h[i * n + k + 2];
          dot *= beta;
          h[i * n + k] -= dot * v0;
          h[i * n + k + 1] -= dot * v1;
          if (!last) h[i * n + k + 2] -= dot * v2;
        }
      }
    }
    // Below the subdiagonal only rounding is left
    for (let i = low + 2; i <= high; i++) for (let j = low; j < i - 1; j++) h[i * n + j] = 0;
  }
  return { real, imaginary };
}

/**
 * A unit eigenvector (real parts, then imaginary parts) for an eigenvalue: two steps of inverse iteration with complex elimination.
 */
export function eigenvector(n: number, matrix: Float64Array, real: number, imaginary: number): Float64Array {
  let size = 0;
  for (let i = 0; i < n * n; i++) size = Math.max(size, Math.abs(matrix[i]));
  const nudge = 1e-10 * (size + 1e-300);
  const re = matrix.slice(0, n * n);
  const im = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    re[i * n + i] -= real + nudge;
    im[i * n + i] = -imaginary;
  }
  const order = Array.from({ length: n }, (_, i) => i);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    let best = -1;
    for (let i = k; i < n; i++) {
      const m = re[i * n + k] * re[i * n + k] + im[i * n + k] * im[i * n + k];
      if (m > best) {
        best = m;
        pivot = i;
      }
    }
    for (let j = 0; j < n && pivot !== k; j++)
      for (const m of [re, im]) {
        const kept = m[k * n + j];
        m[k * n + j] = m[pivot * n + j];
        m[pivot * n + j] = kept;
      }
    [order[k], order[pivot]] = [order[pivot], order[k]];
    if (!(best > 0)) re[k * n + k] = nudge;
    const pr = re[k * n + k];
    const pi = im[k * n + k];
    const square = pr * pr + pi * pi;
    for (let i = k + 1; i < n; i++) {
      const fr = (re[i * n + k] * pr + im[i * n + k] * pi) / square;
      const fi = (im[i * n + k] * pr - re[i * n + k] * pi) / square;
      re[i * n + k] = fr;
      im[i * n + k] = fi;
      for (let j = k + 1; j < n; j++) {
        re[i * n + j] -= fr * re[k * n + j] - fi * im[k * n + j];
        im[i * n + j] -= fr * im[k * n + j] + fi * re[k * n + j];
      }
    }
  }
  const x = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) x[i] = 1 + 0.1 * (i % 7);
  for (let turn = 0; turn < 3; turn++) {
    const b = Float64Array.from({ length: 2 * n }, (_, i) => x[i < n ? order[i] : n + order[i - n]]);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < i; j++) {
        b[i] -= re[i * n + j] * b[j] - im[i * n + j] * b[n + j];
        b[n + i] -= re[i * n + j] * b[n + j] + im[i * n + j] * b[j];
      }
    for (let i = n - 1; i >= 0; i--) {
      for (let j = i + 1; j < n; j++) {
        b[i] -= re[i * n + j] * b[j] - im[i * n + j] * b[n + j];
        b[n + i] -= re[i * n + j] * b[n + j] + im[i * n + j] * b[j];
      }
      const pr = re[i * n + i];
      const pi = im[i * n + i];
      const square = pr * pr + pi * pi;
      const br = (b[i] * pr + b[n + i] * pi) / square;
      b[n + i] = (b[n + i] * pr - b[i] * pi) / square;
      b[i] = br;
    }
    let norm = 0;
    for (const entry of b) norm += entry * entry;
    norm = Math.sqrt(norm);
    for (let i = 0; i < 2 * n; i++) x[i] = b[i] / norm;
  }
  return x;
}
