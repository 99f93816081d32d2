import { describe, expect, test } from 'vitest';
import { eigenvalues, eigenvector } from './eigen.js';
import { random } from './random.js';

/** Eigenvalues as re + i im, sorted */
const sorted = ({ real, imaginary }: ReturnType<typeof eigenvalues>) =>
  Array.from(real, (re, i) => [re, imaginary[i]] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]);

describe('eigenvalues', () => {
  test('of a companion matrix are the roots of its polynomial', () => {
    // (x − 1)(x − 2)(x − 3)(x² + 4)
    const coefficients = [24, -44, 30, -15, 6]; // x⁵ = 24 − 44 x + 30 x² − 15 x³ + 6 x⁴
    const a = new Float64Array(25);
    for (let i = 0; i < 4; i++) a[(i + 1) * 5 + i] = 1;
    for (let i = 0; i < 5; i++) a[i * 5 + 4] = coefficients[i];
    const expected = [
      [0, -2],
      [0, 2],
      [1, 0],
      [2, 0],
      [3, 0],
    ];
    sorted(eigenvalues(5, a)).forEach(([re, im], i) => {
      expect(re).toBeCloseTo(expected[i][0], 10);
      expect(im).toBeCloseTo(expected[i][1], 10);
    });
  });

  // Trace, trace of the square, and A v = λ v: what must hold for any matrix
  test.each([1, 2, 3, 5, 8, 20, 40])('of random matrices of size %i', (n) => {
    const draw = random(n);
    const a = Float64Array.from({ length: n * n }, () => draw.normal() * 10 ** draw.uniformBetween(-2, 2));
    const values = eigenvalues(n, a);
    let trace = 0;
    let square = 0;
    let size = 0;
    for (let i = 0; i < n; i++) {
      trace += a[i * n + i];
      for (let j = 0; j < n; j++) {
        square += a[i * n + j] * a[j * n + i];
        size = Math.max(size, Math.abs(a[i * n + j]));
      }
    }
    const sum = values.real.reduce((total, x) => total + x, 0);
    const squares = values.real.reduce((total, x, i) => total + x * x - values.imaginary[i] ** 2, 0);
    expect(Math.abs(sum - trace) / (size * n)).toBeLessThan(1e-12);
    expect(Math.abs(squares - square) / (size * size * n)).toBeLessThan(1e-12);
    for (let k = 0; k < n; k++) {
      const [re, im] = [values.real[k], values.imaginary[k]];
      const v = eigenvector(n, a, re, im);
      for (let i = 0; i < n; i++) {
        let x = -re * v[i] + im * v[n + i];
        let y = -re * v[n + i] - im * v[i];
        for (let j = 0; j < n; j++) {
          x += a[i * n + j] * v[j];
          y += a[i * n + j] * v[n + j];
        }
        expect(Math.hypot(x, y) / (size * n)).toBeLessThan(1e-9);
      }
    }
  });

  test('a zero matrix, a defective one, NaN', () => {
    expect(sorted(eigenvalues(3, new Float64Array(9)))).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    for (const [re] of sorted(eigenvalues(2, Float64Array.of(1, 1, 0, 1)))) expect(re).toBeCloseTo(1, 7);
    expect(() => eigenvalues(1, Float64Array.of(Number.NaN))).toThrow('expected finite entries');
  });
});
