import { describe, expect, test } from 'vitest';
import { sobolPoints } from '../designs/sobol-sequence.js';
import { linearSwings } from './linear-swings.js';
import { localPlane, scatterAbout } from './response-surface.js';

const points = sobolPoints(64, 3);
const column = (k: number, from: number, to: number): number[] => points.map((point) => from + point[k] * (to - from));

describe('swings', () => {
  // Over its own range a parameter swings a plane by slope · range; Sobol's 64 points reach from 0 to 63/64
  test('of a plane are its slopes times the ranges, and it is told wholly', () => {
    const [a, b, c] = [column(0, 1, 3), column(1, -5, 5), column(2, 0, 1)];
    const { swings, rSquared } = linearSwings(
      [a, b, c],
      a.map((_, i) => 7 + 2 * a[i] - 0.5 * b[i]),
    )!;
    const span = 63 / 64;
    for (const [k, swing] of [4 * span, -5 * span, 0].entries()) expect(swings[k]).toBeCloseTo(swing, 12);
    expect(rSquared).toBeCloseTo(1, 12);
  });
  test('a parabola about the middle is no plane, and R² says so; failed runs are left out', () => {
    const x = column(0, -1, 1);
    const y = x.map((value, i) => (i === 5 ? Number.NaN : value * value));
    const { rSquared, rows } = linearSwings([x], y)!;
    expect(rows).toBe(63);
    expect(rSquared).toBeLessThan(0.02);
  });
  test('what does not vary, or too few runs, gives none', () => {
    expect(linearSwings([[1, 2, 3]], [4, 4, 4])).toBeUndefined();
    expect(linearSwings([[1, 2]], [4, 5])).toBeUndefined();
  });
});

describe('the surface', () => {
  const [u, v] = [column(0, 0, 1), column(1, 0, 1)];
  test('goes through a plane exactly, at runs and between', () => {
    const value = u.map((x, i) => 3 - 2 * x + 5 * v[i]);
    const surface = localPlane({ u, v, value });
    for (const [x, y] of [
      [0.31, 0.62],
      [0, 0],
      [1, 1],
    ])
      expect(surface(x, y)).toBeCloseTo(3 - 2 * x + 5 * y, 10);
    expect(scatterAbout({ u, v, value })).toBeLessThan(1e-12);
  });
  test('leaves the scatter of a parameter that is not on the map', () => {
    // third coordinate of the sequence: even over [0, 1), deviation 1/√12; six neighbours of 64 take about a fifth of it up
    const value = points.map((point) => point[2]);
    const rms = scatterAbout({ u, v, value });
    expect(rms).toBeGreaterThan(0.1);
    expect(rms).toBeLessThan(1 / Math.sqrt(12));
  });
  test('runs on a line give their mean', () => {
    const surface = localPlane({ u: [0, 0.5, 1], v: [0.5, 0.5, 0.5], value: [1, 2, 3] });
    expect(surface(0.5, 0.5)).toBeCloseTo(2, 12);
    expect(Number.isFinite(surface(0.2, 0.9))).toBe(true);
  });
});
