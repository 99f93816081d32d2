import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, quantity, scaledUnit } from './quantity.js';

describe('quantity', () => {
  test.each([
    [0.00123, 'm', '1.230 mm'],
    [999.96, 'mm', '1000 mm'], // a unit that has its prefix already is left alone
    [1234, 'm', '1.234 km'],
    [3.2e-9, 'm³', '3.200 mm³'],
    [5e-3, 'm³', '0.005000 m³'],
    [1.2e-4, 'm²', '120.0 mm²'],
    [0.02, 'kg', '20.00 g'],
    [2, 'kg', '2.000 kg'],
    [1.5e5, 'N', '150.0 kN'],
    [1500, 'N m', '1.500 kN m'],
    [-0.0125, 'm/s', '−12.50 mm/s'],
    [2e11, 'Pa', '200.0 GPa'],
    [2000, 'rad/s', '2000 rad/s'],
    [3600, 's', '3600 s'],
    [2.5e-6, 's', '2.500 µs'],
    [50, '1/s', '50.00 1/s'],
    [1e-7, '', '1.000e−7'],
    [0, 'N', '0 N'],
    [3.33e-23, 'N m', '0 N m'],
    [2.00434e-56, 'J', '0 J'],
    [4.58834e-13, 'm³', '4.588e5 µm³'],
    [12345, '1/s', '12345 1/s'],
    [Number.NaN, 'N', '–'],
    [Number.POSITIVE_INFINITY, 'N', '∞ N'],
  ])('%d %s', (value, unit, text) => {
    expect(quantity(value, unit)).toBe(text);
  });

  test('the number written, taken back by the factor, is the value', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-11, max: 1e11, noNaN: true }),
        fc.constantFrom('m', 'm²', 'm³', 'N', 'N m', 'kg', 'm/s', 's', 'rad', 'J'),
        (value, unit) => {
          const { factor, unit: scaled } = scaledUnit(value, unit);
          const written = Number(quantity(value, unit, 9).replace(` ${scaled}`, '').replace('−', '-'));
          expect(written / factor / value).toBeCloseTo(1, 7);
        },
      ),
      { seed: 11, numRuns: 300 },
    );
  });

  test('decimal keeps its digits', () => {
    expect(decimal(12345678)).toBe('1.235e7');
    expect(decimal(123456)).toBe('1.235e5');
    expect(decimal(0.5, 3)).toBe('0.500');
  });
});
