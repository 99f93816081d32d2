import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundLength, strongLength } from './round-length.js';

test('lengths of 1, 2 and 5 at or below a limit', () => {
  expect([1, 1.99, 2, 4.9, 5, 9.9, 10].map(roundLength)).toEqual([1, 1, 2, 2, 5, 5, 10]);
  expect(roundLength(0.0013)).toBeCloseTo(0.001, 15);
  expect(roundLength(1000)).toBe(1000);
  expect(roundLength(7e-7)).toBeCloseTo(5e-7, 18);
});

test('never above the limit, never below two fifths of it', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (limit) => {
      const ratio = roundLength(limit) / limit;
      expect(ratio).toBeLessThanOrEqual(1 + 1e-9);
      expect(ratio).toBeGreaterThan(0.4 - 1e-9);
    }),
    { seed: 7 },
  );
});

test('stronger lines are whole numbers of cells apart', () => {
  expect([0.1, 0.2, 0.5, 1, 2, 5, 10].map((spacing) => Math.round(strongLength(spacing) / spacing))).toEqual([
    10, 5, 10, 10, 5, 10, 10,
  ]);
});
