import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimate, firstRowFrom, lastRowTo, nearestRow, peakRow } from './decimation.js';

const steps = (n: number, gap: (k: number) => number): Float64Array => {
  const times = new Float64Array(n);
  for (let k = 1; k < n; k++) times[k] = times[k - 1] + gap(k);
  return times;
};

describe('decimate', () => {
  test('one row among a million stays', () => {
    const times = steps(1_000_000, () => 1e-6);
    const values = new Float64Array(times.length);
    values[654_321] = 7;
    values[123_456] = -3;
    const rows = decimate(times, [values], 0, 1, 500);
    expect(rows.length).toBeLessThanOrEqual(2000);
    expect(rows).toContain(654_321);
    expect(rows).toContain(123_456);
  });

  test('of every stretch of time the extremes stay, whatever the spacing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: -50, max: 50 })), {
          minLength: 200,
          maxLength: 600,
        }),
        fc.integer({ min: 1, max: 20 }),
        (rows, columns) => {
          const times = steps(rows.length, (k) => rows[k][0]);
          const values = Float64Array.from(rows, ([, value]) => value);
          const kept = decimate(times, [values], times[0], times[times.length - 1], columns);
          for (let k = 1; k < kept.length; k++) expect(kept[k]).toBeGreaterThan(kept[k - 1]);
          const shown = [...kept].map((k) => values[k]);
          expect(Math.max(...shown)).toBe(Math.max(...values));
          expect(Math.min(...shown)).toBe(Math.min(...values));
          expect(kept[0]).toBe(0);
          expect(kept[kept.length - 1]).toBe(rows.length - 1);
          expect(kept.length).toBeLessThanOrEqual(4 * columns);
        },
      ),
      { seed: 5, numRuns: 100 },
    );
  });

  test('a zoom shows its own rows, all if they are few, and one beyond each end', () => {
    const times = steps(1000, () => 1);
    const rows = decimate(times, [new Float64Array(1000)], 500, 502, 100);
    expect([...rows]).toEqual([499, 500, 501, 502, 503]);
    expect(decimate(times, [], 2000, 3000, 10)).toHaveLength(1);
    expect(decimate(new Float64Array(0), [], 0, 1, 10)).toHaveLength(0);
  });

  test('a gap stays a gap', () => {
    const times = steps(1000, () => 1);
    const values = Float64Array.from(times, (t) => (t > 400 && t < 420 ? Number.NaN : t));
    const rows = decimate(times, [values], 0, 1000, 10);
    expect([...rows].some((row) => Number.isNaN(values[row]))).toBe(true);
  });
});

test('rows by time', () => {
  const times = Float64Array.of(0, 1, 1, 2);
  expect([firstRowFrom(times, 1), lastRowTo(times, 1), firstRowFrom(times, 5), lastRowTo(times, -1)]).toEqual([
    1, 2, 4, -1,
  ]);
  expect([nearestRow(times, 0.4), nearestRow(times, 0.6), nearestRow(times, 9), nearestRow(times, -9)]).toEqual([
    0, 1, 3, 0,
  ]);
  expect(nearestRow(times, 1)).toBe(2); // after the event
  expect(peakRow(times, Float64Array.of(0, 3, 5, 9), 0.5, 1.5)).toBe(2);
  expect(peakRow(times, Float64Array.of(0, 3, 5, 9), 0.2, 0.3)).toBe(-1);
});
