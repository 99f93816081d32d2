import { expect, test } from 'vitest';
import { elementaryEffects, morrisPoints } from './morris.js';
import { saltelliPoints, sobolIndices } from './sobol-indices.js';

// Ishigami & Homma (1990), a = 7, b = 0.1 on [−π, π]³: variances in closed form
const ishigami = ([u, v, w]: ArrayLike<number> & Iterable<number>): number => {
  const [x, y, z] = [u, v, w].map((t) => Math.PI * (2 * t - 1));
  return Math.sin(x) + 7 * Math.sin(y) ** 2 + 0.1 * z ** 4 * Math.sin(x);
};
const VARIANCE = 13.844587940719;
const FIRST = [0.313905191148, 0.44241114479, 0];
const TOTAL = [0.55758885521, 0.44241114479, 0.243683664062];

test('Sobol indices of Ishigami’s function to 1 % at n = 2¹³, within their bars', () => {
  const n = 2 ** 13;
  const values = saltelliPoints(n, 3, 1).map(ishigami);
  const { variance, indices } = sobolIndices(values, 3, 1);
  expect(Math.abs(variance / VARIANCE - 1)).toBeLessThan(0.01);
  for (const [i, { first, total, firstBar, totalBar }] of indices.entries()) {
    // of the whole variance, which is 1
    expect(Math.abs(first - FIRST[i])).toBeLessThan(0.01);
    expect(Math.abs(total - TOTAL[i])).toBeLessThan(0.01);
    // even points are better than the bootstrap, which takes them for independent, believes
    expect(Math.abs(first - FIRST[i])).toBeLessThan(firstBar);
    expect(Math.abs(total - TOTAL[i])).toBeLessThan(totalBar);
    expect(firstBar).toBeLessThan(0.05);
  }
});

test('a row with a failed run is left out', () => {
  const values = saltelliPoints(512, 3, 2).map(ishigami);
  values[5] = Number.NaN;
  values[3 * 512 + 100] = Number.NaN;
  const { rows, indices } = sobolIndices(values, 3, 2);
  expect(rows).toBe(510);
  expect(Math.abs(indices[1].total - TOTAL[1])).toBeLessThan(0.1);
});

test('elementary effects: a straight function has its slopes and no deviation', () => {
  const points = morrisPoints({ trajectories: 6, levels: 4, dimensions: 4, seed: 3 });
  expect(points).toHaveLength(30);
  expect(points.every((x) => x.every((v) => v >= -1e-12 && v <= 1 + 1e-12))).toBe(true);
  const effects = elementaryEffects(
    points,
    points.map(([a, b, c]) => 2 * a - 5 * b + 0.1 * c),
  );
  for (const [k, slope] of [2, -5, 0.1, 0].entries()) {
    expect(effects[k].mean).toBeCloseTo(slope, 9);
    expect(effects[k].meanSize).toBeCloseTo(Math.abs(slope), 9);
    expect(effects[k].deviation).toBeLessThan(1e-9);
    expect(effects[k].count).toBe(6);
  }
});

test('elementary effects: Ishigami’s third parameter only acts with others', () => {
  const points = morrisPoints({ trajectories: 200, levels: 4, dimensions: 3, seed: 1 });
  const [x, y, z] = elementaryEffects(points, points.map(ishigami));
  expect(z.deviation).toBeGreaterThan(3 * Math.abs(z.mean));
  for (const effect of [x, y, z]) expect(effect.meanSize).toBeGreaterThan(3 * effect.error);
});
