import { expect, test } from 'vitest';
import {
  automaticScale,
  factorOf,
  largestInstants,
  legendArrow,
  pixelsPerMetre,
  rootLength,
  sliderOf,
} from './arrow-scale.js';

test('the largest force is a quarter of the scene', () => {
  expect(200 / automaticScale(200, 0.8)).toBeCloseTo(0.2, 12);
  expect(automaticScale(0, 1)).toBe(1);
  for (const factor of [1e-3, 0.2, 1, 7, 1e3]) expect(factorOf(sliderOf(factor))).toBeCloseTo(factor, 9);
});

test('pixels per metre across any line of sight', () => {
  // parallel projection along a slanted direction, 250 px/m
  const right = [2 / 3, 1 / 3, -2 / 3];
  const up = [1 / 3, 2 / 3, 2 / 3];
  const flat = (p: readonly number[], a: readonly number[]): number => p[0] * a[0] + p[1] * a[1] + p[2] * a[2];
  const parallel = (p: readonly [number, number, number]) => ({ x: 250 * flat(p, right), y: -250 * flat(p, up) });
  expect(pixelsPerMetre(parallel, [3, 4, 5], 0.01)).toBeCloseTo(250, 8);
  // perspective from 2 m along z with a focal length of 500 px: 250 px/m there
  const perspective = ([x, y, z]: readonly [number, number, number]) => ({ x: (500 * x) / z, y: (500 * y) / z });
  expect(pixelsPerMetre(perspective, [0, 0, 2], 0.01)).toBeCloseTo(250, 1);
});

test('the legend has a round force and its true length', () => {
  // 1000 N/m at 100 px/m: 80 px are 800 N
  expect(legendArrow(1000, 100, 80)).toEqual({ force: 500, length: 50 });
  expect(legendArrow(1000, 0, 80)).toBeUndefined();
});

test('instants with the largest sums, in order', () => {
  expect(largestInstants(Float64Array.of(1, 5, 3, 9, 0, 5), 3)).toEqual([3, 1, 5]);
  expect(largestInstants(new Float64Array(4), 3)).toEqual([]);
});

test('by the root of the force the largest is as long as ever, and a hundredth of it a tenth', () => {
  expect(rootLength(200, 200, 50)).toBeCloseTo(4, 12);
  expect(rootLength(2, 200, 50)).toBeCloseTo(0.4, 12);
  expect(rootLength(-1, 200, 50)).toBe(0);
});
