import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factoriseComplexLu, factoriseLu, solveComplexLu, solveLu } from './dense-lu.js';

/** max |A x − b| / (n max|A| max|x|): a backward stable solution keeps it near the unit roundoff. */
function residual(a: number[], n: number, x: ArrayLike<number>, b: number[]): number {
  let worst = 0;
  let [sizeA, sizeX] = [0, 0];
  for (const v of a) sizeA = Math.max(sizeA, Math.abs(v));
  for (let i = 0; i < n; i++) {
    sizeX = Math.max(sizeX, Math.abs(x[i]));
    let sum = -b[i];
    for (let j = 0; j < n; j++) sum += a[i * n + j] * x[j];
    worst = Math.max(worst, Math.abs(sum));
  }
  return worst / (n * sizeA * sizeX || 1);
}

const entry = fc.integer({ min: -1000, max: 1000 }).map((v) => v / 1000);
const system = fc.integer({ min: 1, max: 12 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    a: fc.array(entry, { minLength: n * n, maxLength: n * n }),
    c: fc.array(entry, { minLength: n * n, maxLength: n * n }),
    b: fc.array(entry, { minLength: n, maxLength: n }),
  }),
);

describe('LU with partial pivoting', () => {
  test('solves real systems to rounding', () => {
    fc.assert(
      fc.property(system, ({ n, a, b }) => {
        const lu = Float64Array.from(a);
        const x = Float64Array.from(b);
        const pivots = new Int32Array(n);
        if (!factoriseLu(lu, n, pivots)) return;
        solveLu(lu, n, pivots, x);
        expect(residual(a, n, x, b)).toBeLessThan(1e-14); // growth of small random matrices stays below 10
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test('a complex system is the real system of twice the size', () => {
    fc.assert(
      fc.property(system, ({ n, a, c, b }) => {
        const [re, im] = [Float64Array.from(a), Float64Array.from(c)];
        const [xRe, xIm] = [Float64Array.from(b), Float64Array.from(b, (v) => 1 - v)];
        const pivots = new Int32Array(n);
        if (!factoriseComplexLu(re, im, n, pivots)) return;
        solveComplexLu(re, im, n, pivots, xRe, xIm);
        const m = 2 * n;
        const big = new Array<number>(m * m);
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++) {
            big[i * m + j] = big[(i + n) * m + j + n] = a[i * n + j];
            big[(i + n) * m + j] = c[i * n + j];
            big[i * m + j + n] = -c[i * n + j];
          }
        expect(residual(big, m, [...xRe, ...xIm], [...b, ...b.map((v) => 1 - v)])).toBeLessThan(1e-14);
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  test('a zero pivot is exchanged, a singular or non-finite matrix refused', () => {
    const swap = Float64Array.of(0, 2, 3, 0);
    const pivots = new Int32Array(2);
    expect(factoriseLu(swap, 2, pivots)).toBe(true);
    const x = Float64Array.of(4, 9);
    solveLu(swap, 2, pivots, x);
    expect([...x]).toEqual([3, 2]);
    expect(factoriseLu(Float64Array.of(1, 2, 2, 4), 2, pivots)).toBe(false);
    expect(factoriseLu(Float64Array.of(1, 2, Number.NaN, 4), 2, pivots)).toBe(false);
    expect(factoriseComplexLu(Float64Array.of(1, 0, 0, 0), new Float64Array(4), 2, pivots)).toBe(false);
  });

  test('entries near the ends of the range of doubles', () => {
    const [re, im] = [Float64Array.of(1e200), Float64Array.of(1e200)];
    const pivots = new Int32Array(1);
    expect(factoriseComplexLu(re, im, 1, pivots)).toBe(true);
    const [xRe, xIm] = [Float64Array.of(2e200), Float64Array.of(0)];
    solveComplexLu(re, im, 1, pivots, xRe, xIm);
    expect(xRe[0]).toBeCloseTo(1, 14); // 2/(1 + i) = 1 − i
    expect(xIm[0]).toBeCloseTo(-1, 14);
  });
});
