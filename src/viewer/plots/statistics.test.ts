import { expect, test } from 'vitest';
import { statistics } from './statistics.js';

// a sin over whole periods: mean 0, rms a/√2; lines between 1000 rows a period are short by (π/1000)²/3 of that
test('a sine', () => {
  const times = Float64Array.from({ length: 3001 }, (_, k) => k / 1000);
  const values = times.map((t) => 4 * Math.sin(2 * Math.PI * t) + 1);
  const { mean, rms, min, max, peakToPeak, final, count } = statistics(times, values, 1, 3);
  expect(count).toBe(2001);
  expect(mean).toBeCloseTo(1, 10);
  expect(rms).toBeCloseTo(Math.sqrt(8 + 1), 4);
  expect([min, max, peakToPeak]).toEqual([-3, 5, 8].map((x) => expect.closeTo(x, 9)));
  expect(final).toBeCloseTo(1, 10);
});

test('rows that lie densely weigh no more than the time they cover', () => {
  const dense = Array.from({ length: 1001 }, (_, k) => k * 1e-6);
  const times = Float64Array.from([...dense, 0.5, 1]);
  // a straight line: mean 1/2, rms 1/√3 whatever the rows
  const { mean, rms } = statistics(times, times, 0, 1);
  expect(mean).toBeCloseTo(0.5, 12);
  expect(rms).toBeCloseTo(1 / Math.sqrt(3), 12);
});

test('gaps, single rows, nothing', () => {
  const times = Float64Array.of(0, 1, 2, 3);
  const values = Float64Array.of(2, Number.NaN, 6, 6);
  expect(statistics(times, values, 0, 3)).toMatchObject({ count: 3, min: 2, max: 6, mean: 6, rms: 6, final: 6 });
  expect(statistics(times, values, 0, 0)).toMatchObject({ count: 1, mean: 2, rms: 2, peakToPeak: 0 });
  expect(statistics(times, values, 0.5, 0.6).mean).toBeNaN();
});
