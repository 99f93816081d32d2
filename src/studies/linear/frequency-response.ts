/**
 * G(iω) of a linear model, all outputs by all inputs, from one complex solution a frequency and input:
 *
 *   (iω 1 − A) X = B + iω B₁ − ω² B₂,     G = C X + D + iω D₁ − ω² D₂
 *
 * NaN where iω is an eigenvalue.
 */
import { factoriseComplexLu, solveComplexLu } from '../../math/dense-lu.js';
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
  const [re, im] = [new Float64Array(n * n), new Float64Array(n * n)];
  const pivots = new Int32Array(n);
  const x = Array.from({ length: m }, () => [new Float64Array(n), new Float64Array(n)] as const);
  for (let f = 0; f < frequencies.length; f++) {
    const w = 2 * Math.PI * frequencies[f];
    for (let i = 0; i < n * n; i++) {
      re[i] = -a[i];
      im[i] = i % (n + 1) === 0 ? w : 0;
    }
    const regular = factoriseComplexLu(re, im, n, pivots);
    x.forEach(([xRe, xIm], k) => {
      for (let i = 0; i < n; i++) {
        xRe[i] = regular ? b[0][i * m + k] - w * w * b[2][i * m + k] : Number.NaN;
        xIm[i] = w * b[1][i * m + k];
      }
      if (regular) solveComplexLu(re, im, n, pivots, xRe, xIm);
    });
    for (let i = 0; i < p; i++)
      for (let k = 0; k < m; k++) {
        const at = (f * p + i) * m + k;
        real[at] = d[0][i * m + k] - w * w * d[2][i * m + k];
        imaginary[at] = w * d[1][i * m + k];
        for (let j = 0; j < n; j++) {
          real[at] += c[i * n + j] * x[k][0][j];
          imaginary[at] += c[i * n + j] * x[k][1][j];
        }
      }
  }
  return { frequencies: Float64Array.from(frequencies), real, imaginary };
}
