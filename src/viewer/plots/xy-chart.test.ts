import { expect, test } from 'vitest';
import { ticks, xyPairs } from './xy-chart.js';

const line = (name: string, values: number[]) => ({
  name,
  unit: 'rad',
  colour: '#000',
  values: Float64Array.from(values),
});

test('several signals are drawn over the first; one alone as its rate over itself', () => {
  const times = Float64Array.from({ length: 101 }, (_, i) => i / 100);
  const [a, b] = [line('a', [1, 2]), line('b', [3, 4])];
  expect(xyPairs([a, b], times)).toEqual({ x: a, ys: [b] });
  const swing = line(
    'q',
    [...times].map((t) => Math.sin(3 * t)),
  );
  const { x, ys } = xyPairs([swing], times);
  expect(x).toBe(swing);
  expect([ys[0].name, ys[0].unit]).toEqual(['d/dt q', 'rad/s']);
  // (q')² + 9 q² = 9: the portrait of a swing is an ellipse; differences are of second order, (3 · 0.01)²/6 of 3
  for (let i = 1; i < 100; i++) expect(Math.hypot(ys[0].values[i], 3 * x.values[i])).toBeCloseTo(3, 2);
});

test('marks are round and within the range', () => {
  expect(ticks(-1.05, 1.05, 5)).toEqual([-1, -0.5, 0, 0.5, 1]);
  expect(ticks(0, 7e-6, 3).map((x) => Number(x.toPrecision(6)))).toEqual([0, 5e-6]);
  expect(ticks(1, 1, 5)).toEqual([]);
});
