/** What a fit promises: 95 % intervals that hold the truth, and parameters named that the data do not tell apart. */
import { expect, test } from 'vitest';
import { random } from '../../math/random.js';
import { studentQuantile } from '../designs/quantiles.js';
import { levenbergMarquardt } from '../search/levenberg-marquardt.js';
import { search } from '../search/search.js';

// x = A e^{−δt} cos ωt: amplitude, decay and frequency of a swing, 60 samples with noise of 0.02
const [A, decay, omega] = [1, 0.25, 5];
const times = Array.from({ length: 60 }, (_, i) => 0.1 * i);
const swing = ([a, d, w]: readonly number[], t: number): number => a * Math.exp(-d * t) * Math.cos(w * t);

test('95 % intervals hold each true value in at least 90 of 100 noisy trials', () => {
  const truth = [A, decay, omega];
  const held = [0, 0, 0];
  for (let trial = 0; trial < 100; trial++) {
    const draw = random('trial').fork(trial);
    const data = times.map((t) => swing(truth, t) + 0.02 * draw.normal());
    const fit = search(
      levenbergMarquardt([0.8, 0.4, 4.8], { bounds: { lower: [0, 0, 3], upper: [3, 2, 7] } }),
      (point) => times.map((t, i) => (swing(point, t) - data[i]) / 0.02),
    )!;
    const t = studentQuantile(0.975, fit.freedom);
    truth.forEach((value, k) => {
      if (Math.abs(fit.point[k] - value) <= t * fit.deviations[k]) held[k]++;
    });
  }
  for (const count of held) {
    expect(count).toBeGreaterThanOrEqual(90);
    expect(count).toBeLessThan(100); // intervals that always hold would be too wide
  }
});

test('runs that differ by their own noise do not keep a fit from ending', () => {
  const draw = random('record');
  const data = times.map((t) => swing([A, decay, omega], t) + 0.02 * draw.normal());
  // what a run's tolerance leaves: 2e-5, another number for every point however near
  const noisy = (point: readonly number[]): number[] => {
    const noise = random(`run ${point.join(' ')}`);
    return times.map((t, i) => (swing(point, t) + 2e-5 * noise.normal() - data[i]) / 0.02);
  };
  const start = [0.8, 0.4, 4.8];
  const exact = search(levenbergMarquardt(start), (point) => times.map((t, i) => (swing(point, t) - data[i]) / 0.02))!;
  const fit = search(levenbergMarquardt(start, { tolerance: 1e-2, difference: 2e-3, mostIterations: 50 }), noisy)!;
  const without = search(levenbergMarquardt(start, { difference: 2e-3, mostIterations: 50 }), noisy)!;
  expect(fit.reason).toContain('standard deviations');
  expect(fit.evaluations).toBeLessThan(50);
  expect(without.evaluations).toBeGreaterThan(fit.evaluations + 7); // more by a step and its derivatives at least
  // it may end 1 % of a deviation away, ten where no step gains; twice that for what the derivatives add
  fit.point.forEach((value, k) => {
    expect(Math.abs(value - exact.point[k]) / exact.deviations[k]).toBeLessThan(0.2);
  });
});

test('a product of two parameters tells neither: both are named, a third is not', () => {
  const data = times.map((t) => swing([A, decay, omega], t));
  const fit = search(levenbergMarquardt([0.9, 0.8, 0.3]), ([m, k, d]) =>
    times.map((t, i) => swing([m * k, d, omega], t) - data[i]),
  )!;
  expect(fit.identifiability.condition).toBeGreaterThan(1e6);
  expect(fit.identifiability.together).toEqual([0, 1]);
});
