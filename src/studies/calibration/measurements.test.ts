import { describe, expect, test } from 'vitest';
import { csvColumns, intervalFor, measuredSignals } from './measurements.js';
import { toSi } from './units.js';

test.each([
  ['mm', 'm', 1e-3],
  ['km/h', 'm/s', 1 / 3.6],
  ['deg', 'rad', Math.PI / 180],
  ['rpm', 'rad/s', Math.PI / 30],
  ['kN m', 'N m', 1e3],
  ['g', 'kg', 1e-3],
  ['N/mm', 'N/m', 1e3],
  ['mm/s²', 'm/s²', 1e-3],
  ['m/s^2', 'm/s²', 1],
  ['µs', 's', 1e-6],
  ['mbar', 'Pa', 100],
  ['1/min', 'Hz', 1 / 60],
  ['', 'm', 1],
  ['%', '', 0.01],
])('%s is %s times %d', (from, to, factor) => {
  expect(Math.abs(toSi(from, to, 'x') / factor - 1)).toBeLessThan(1e-14);
});

test('units of another kind, and none, are refused', () => {
  expect(() => toSi('deg', 'm', 'measurements.signals.x')).toThrow(
    'measurements.signals.x: is measured in deg, which cannot be brought to m',
  );
  expect(() => toSi('furlong', 'm', 'x')).toThrow('"furlong" is no unit that is known');
});

describe('a CSV file', () => {
  const columns = csvColumns('# lab 3\ntime [ms],height (mm),angle [deg]\r\n0,10,0\r\n20,11,\r\n40,12,90\r\n', 'a.csv');
  const unitOf = (name: string): string | undefined => ({ z: 'm', a: 'rad' })[name];

  test('gives SI values, leaves gaps out', () => {
    const [z, a] = measuredSignals(
      { file: 'a.csv', signals: { z: { column: 'height', deviation: 1e-4 }, a: 'angle [deg]' } },
      columns,
      unitOf,
    );
    expect(z.times).toEqual([0, 0.02, 0.04]);
    for (const [i, value] of [0.01, 0.011, 0.012].entries()) expect(z.values[i]).toBeCloseTo(value, 15);
    expect(z.deviation).toBe(1e-4);
    expect(a.times).toEqual([0, 0.04]);
    expect(a.values[1]).toBeCloseTo(Math.PI / 2, 15);
    expect(intervalFor([z, a], 0.1)).toBeCloseTo(0.02, 15);
    expect(intervalFor([z, a], 0.015)).toBeCloseTo(0.01, 15);
  });

  test.each([
    [{ z: 'hight' }, 'measurements.signals.z: a.csv has no column "hight"; did you mean "height"?'],
    [{ y: 'height' }, 'measurements.signals.y: the model has no signal "y"'],
    [{ z: 'angle' }, 'is measured in deg, which cannot be brought to m'],
  ])('%j is refused', (signals, message) => {
    expect(() => measuredSignals({ file: 'a.csv', signals }, columns, unitOf)).toThrow(message);
  });

  test('a field that is no number is named by its line', () => {
    expect(() => csvColumns('t,x\n0,1\n1,abc\n', 'b.csv')).toThrow(
      'b.csv, line 3: expected a number in column "x", got "abc"',
    );
    expect(() => csvColumns('t,x\n0,1\n1\n', 'b.csv')).toThrow('b.csv, line 3: expected 2 fields');
  });
});
