import { describe, expect, test } from 'vitest';
import { latinHypercube, monteCarlo } from './latin-hypercube.js';
import { fisherQuantile, normalQuantile, studentQuantile } from './quantiles.js';
import { sobolPoints } from './sobol-sequence.js';

/** Hickernell's centred discrepancy, squared (1998), doi 10.1090/S0025-5718-98-00894-1, eq. 1.5 */
function centredDiscrepancy(points: readonly Float64Array[]): number {
  const [n, d] = [points.length, points[0].length];
  let [single, double] = [0, 0];
  for (const x of points) {
    let product = 1;
    for (let k = 0; k < d; k++) product *= 1 + 0.5 * Math.abs(x[k] - 0.5) - 0.5 * (x[k] - 0.5) ** 2;
    single += product;
    for (const y of points) {
      let pair = 1;
      for (let k = 0; k < d; k++)
        pair *= 1 + 0.5 * Math.abs(x[k] - 0.5) + 0.5 * Math.abs(y[k] - 0.5) - 0.5 * Math.abs(x[k] - y[k]);
      double += pair;
    }
  }
  return (13 / 12) ** d - (2 / n) * single + double / (n * n);
}

describe('Sobol’s sequence', () => {
  test('has the points of Joe and Kuo', () => {
    expect(sobolPoints(8, 5).map((x) => [...x])).toEqual([
      [0, 0, 0, 0, 0],
      [0.5, 0.5, 0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25, 0.25, 0.75],
      [0.25, 0.75, 0.75, 0.75, 0.25],
      [0.375, 0.375, 0.625, 0.875, 0.375],
      [0.875, 0.875, 0.125, 0.375, 0.875],
      [0.625, 0.125, 0.875, 0.625, 0.625],
      [0.125, 0.625, 0.375, 0.125, 0.125],
    ]);
    const far = sobolPoints(101, 20)[100];
    expect([...far.slice(0, 5)]).toEqual([0.4140625, 0.2578125, 0.7734375, 0.7265625, 0.8828125]);
    expect([...far.slice(-2)]).toEqual([0.8359375, 0.3359375]);
  });

  // Figures of an independent implementation (SciPy's), of which twelve digits are kept
  test.each([
    [2, 16, 3.624386257595e-3],
    [2, 64, 2.400196260874e-4],
    [2, 256, 1.663160380994e-5],
    [2, 1024, 1.10673638809e-6],
    [8, 16, 1.70649456183e-1],
    [8, 1024, 2.404978829915e-4],
  ])('in %i dimensions %i points have their centred discrepancy', (d, n, expected) => {
    // sums near 1 leave 1e-15 or so of absolute error
    expect(Math.abs(centredDiscrepancy(sobolPoints(n, d)) - expected)).toBeLessThan(1e-11 * expected + 3e-14);
  });

  test('shifted by a seed it stays even, leaves the border alone, and differs from seed to seed', () => {
    const a = sobolPoints(64, 3, { seed: 1 });
    expect(centredDiscrepancy(a)).toBeLessThan(1.5e-3); // Monte Carlo: 2e-2
    expect(a.every((x) => x.every((v) => v > 0 && v < 1))).toBe(true);
    expect(sobolPoints(64, 3, { seed: 2 })[5]).not.toEqual(a[5]);
    expect(sobolPoints(64, 3, { seed: 1 })[5]).toEqual(a[5]);
  });

  test('refuses more dimensions than it knows', () => {
    expect(() => sobolPoints(8, 65)).toThrow('1 to 64 parameters, got 65');
  });
});

test('a Latin hypercube has one point in each part of each range', () => {
  const points = latinHypercube(50, 4, 7);
  for (let d = 0; d < 4; d++)
    expect(points.map((x) => Math.floor(50 * x[d])).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, i) => i),
    );
  expect(latinHypercube(50, 4, 7)).toEqual(points);
  expect(latinHypercube(50, 4, 8)).not.toEqual(points);
});

test('a longer Monte Carlo study begins with the rows of the shorter one', () => {
  expect(monteCarlo(20, 3, 1).slice(0, 10)).toEqual(monteCarlo(10, 3, 1));
});

test('quantiles: tables of the normal and of Student’s distribution', () => {
  // Abramowitz & Stegun, tables 26.1 and 26.10, and SciPy for the digits beyond
  for (const [u, z] of [
    [0.5, 0],
    [0.975, 1.959963984540054],
    [0.999, 3.090232306167813],
    [1e-9, -5.997807015007686],
    [1e-20, -9.262340089798409],
  ])
    expect(Math.abs(normalQuantile(u) - z)).toBeLessThan(2e-15 * Math.max(1, Math.abs(z)) * 3);
  for (const [u, nu, t] of [
    [0.975, 1, 12.706204736174694],
    [0.975, 4, 2.7764451051977934],
    [0.975, 12, 2.1788128296672284],
    [0.975, 200, 1.9718962236339088],
    [0.025, 4, -2.7764451051977934],
  ])
    expect(Math.abs(studentQuantile(u, nu) / t - 1)).toBeLessThan(1e-12);
});

// F of 1 and ν degrees is t² (two-sided); of 2 and ν it has a closed form, (ν/2)((1 − u)^(−2/ν) − 1); of 3 and 10 tables have 3.708
test('quantiles of Fisher’s distribution: closed forms and a table', () => {
  for (const nu of [3, 17, 398]) {
    expect(Math.abs(fisherQuantile(0.95, 1, nu) / studentQuantile(0.975, nu) ** 2 - 1)).toBeLessThan(1e-11);
    expect(Math.abs(fisherQuantile(0.95, 2, nu) / ((nu / 2) * (0.05 ** (-2 / nu) - 1)) - 1)).toBeLessThan(1e-11);
  }
  expect(fisherQuantile(0.95, 3, 10)).toBeCloseTo(3.708, 3);
});
