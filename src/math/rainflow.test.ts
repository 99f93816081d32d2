import { expect, test } from 'vitest';
import { rainflow, rainflowTable } from './rainflow.js';

// ASTM E1049-85, §5.4.4 with figure 6: −2 1 −3 5 −1 3 −4 4 −2: half cycles of 3, 4, 8, 9, 8, 6 and one full cycle of 4
test('the history of the standard', () => {
  const cycles = rainflow([-2, 1, -3, 5, -1, 3, -4, 4, -2]);
  expect(cycles.map(({ range, count }) => [range, count])).toEqual([
    [3, 0.5],
    [4, 0.5],
    [4, 1],
    [8, 0.5],
    [9, 0.5],
    [8, 0.5],
    [6, 0.5],
  ]);
  expect(cycles[2].mean).toBe(1);
  expect(rainflowTable(cycles, 9).map(({ to, count }) => [to, count])).toEqual([
    [9, 1.5],
    [7, 0.5],
    [5, 1.5],
    [4, 0.5],
  ]);
});

test('points between extremes and plateaus do not count', () => {
  expect(rainflow([0, 1, 1, 2, 1, 1, 0])).toEqual(rainflow([0, 2, 0]));
  expect(rainflow([3, 3])).toEqual([]);
  expect(rainflowTable([], 8)).toEqual([]);
});

test('rounding of what stands under load is no cycle, small cycles are', () => {
  const standing = Array.from({ length: 9 }, (_, i) => 1.14e8 * (1 + (i % 3) * 2e-16));
  expect(rainflow(standing)).toEqual([]);
  expect(rainflow([1e8, 1e8 + 1, 1e8]).map(({ count }) => count)).toEqual([0.5, 0.5]);
});

// §5.4.4: a range that is as large as the one before closes it: 6 there and back is one cycle, not two halves
test('equal ranges', () => {
  const told = (values: number[]) => rainflow(values).map(({ range, mean, count }) => [range, mean, count]);
  expect(told([5, -5, 1, -5])).toEqual([
    [6, -2, 1],
    [10, 0, 0.5],
  ]);
});

test('means of a class are weighted by counts', () => {
  const [row] = rainflowTable(
    [
      { range: 4, mean: 1, count: 1 },
      { range: 4, mean: -2, count: 0.5 },
    ],
    5,
  );
  expect(row).toEqual({ from: 3.2, to: 4, mean: 0, count: 1.5 });
});
