import { expect, test } from 'vitest';
import { transformed, transformedName, transformedUnit } from './transform.js';

test('the rate of a parabola is exact between uneven rows', () => {
  const times = Float64Array.of(0, 0.1, 0.15, 0.4, 1);
  const values = times.map((t) => 3 * t * t - t);
  const rates = transformed(times, values, 'rate');
  for (let i = 1; i < 4; i++) expect(rates[i]).toBeCloseTo(6 * times[i] - 1, 12);
});

test('a jump at an event stays a jump', () => {
  // v = t up to 1, then −t + 3: slopes 1 and −1
  const times = Float64Array.of(0, 0.5, 1, 1, 1.5, 2);
  const values = Float64Array.of(0, 0.5, 1, 2, 1.5, 1);
  expect([...transformed(times, values, 'rate')]).toEqual([1, 1, 1, -1, -1, -1]);
});

test('absolute values, names and units', () => {
  expect([...transformed(Float64Array.of(0, 1), Float64Array.of(-2, 3), 'absolute')]).toEqual([2, 3]);
  expect(transformedName('ball.speed', 'rate')).toBe('d/dt ball.speed');
  expect(transformedName('x', 'absolute')).toBe('|x|');
  expect(['m', 'm/s', 'm/s²', '', 'N m', 'J', 's'].map((unit) => transformedUnit(unit, 'rate'))).toEqual([
    'm/s',
    'm/s²',
    'm/s³',
    '1/s',
    'N m/s',
    'W',
    '',
  ]);
  expect(transformedUnit('m', 'absolute')).toBe('m');
});
