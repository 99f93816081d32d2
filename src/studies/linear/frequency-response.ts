/**
 * G(iω) of a linear model, all outputs by all inputs, from one complex solution a frequency and input:
 *
 *   (iω 1 − A) X = B + iω B₁ − ω² B₂,     G = C X + D + iω D₁ − ω² D₂
 *
 * Gaussian elimination with partial pivoting.
 */
import type { LinearModel } from './linear-analysis.js';

export interface FrequencyResponse {
  /** Hz */
  readonly frequencies: Float64Array;
  /** By frequency, output, input: real and imaginary parts */
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
}

export function frequencyResponse(linear: LinearModel, frequencies: ArrayLike<number>): FrequencyResponse {
  const { a, b, c, d, states, inputs, outputs } = linear;
  const [n, m, p] = [states.length, inputs.length, outputs.length];
  const real = new Float64Array(frequencies.length * p * m);
  const imaginary = new Float64Array(frequencies.length * p * m);
  const width = n + m;
  const [re, im] = [new Float64Array(n * width), new Float64Array(n * width)];
  for (let f = 0; f < frequencies.length; f++) {
    const w = 2 * Math.PI * frequencies[f];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        re[i * width + j] = -a[i * n + j];
        im[i * width + j] = i === j ? w : 0;
      }
      for (let k = 0; k < m; k++) {
        re[i * width + n + k] = b[0][i * m + k] - w * w * b[2][i * m + k];
        im[i * width + n + k] = w * b[1][i * m + k];
      }
    }
    solve(re, im, n, width);
    for (let i = 0; i < p; i++)
      for (let k = 0; k < m; k++) {
        let [x, y] = [d[0][i * m + k] - w * w * d[2][i * m + k], w * d[1][i * m + k]];
        for (let j = 0; j < n; j++) {
          x += c[i * n + j] * re[j * width + n + k];
          y += c[i * n + j] * im[j * width + n + k];
        }
        real[(f * p + i) * m + k] = x;
        imaginary[(f * p + i) * m + k] = y;
      }
  }
  return { frequencies: Float64Array.from(frequencies), real, imaginary };
}

/** [M | R] → [· | M⁻¹ R], in place */
function solve(re: Float64Array, im: Float64Array, n: number, width: number): void {
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (size(i, k) > size(pivot, k)) pivot = i;
    if (pivot !== k)
      for (let j = 0; j < width; j++) {
        [re[k * width + j], re[pivot * width + j]] = [re[pivot * width + j], re[k * width + j]];
        [im[k * width + j], im[pivot * width + j]] = [im[pivot * width + j], im[k * width + j]];
      }
    const [x, y] = [re[k * width + k], im[k * width + k]];
    const square = x * x + y * y;
    const [ix, iy] = [x / square, -y / square];
    for (let j = k; j < width; j++) {
      const [u, v] = [re[k * width + j], im[k * width + j]];
      re[k * width + j] = u * ix - v * iy;
      im[k * width + j] = u * iy + v * ix;
    }
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const [u, v] = [re[i * width + k], im[i * width + k]];
      if (u === 0 && v === 0) continue;
      for (let j = k; j < width; j++) {
        const [s, t] = [re[k * width + j], im[k * width + j]];
        re[i * width + j] -= u * s - v * t;
        im[i * width + j] -= u * t + v * s;
      }
    }
  }
  function size(i: number, k: number): number {
    return re[i * width + k] ** 2 + im[i * width + k] ** 2;
  }
}
