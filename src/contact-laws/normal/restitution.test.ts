import { expect, test } from 'vitest';
import { dampingFactor, huntCrossleyFactor, huntCrossleyRestitution, logRestitution } from './restitution.js';

// x(e) from the integral by adaptive quadrature in another program (scipy), six digits
test.each([
  [0.95, 0.076905],
  [0.9, 0.157741],
  [0.7, 0.52372],
  [0.5, 0.963554],
  [0.4, 1.242005],
  [0.3, 1.670635],
  [0.1, 4.291013],
])('restitution %f', (e, x) => {
  expect(dampingFactor(e)).toBeCloseTo(x, 5);
  expect(Math.exp(logRestitution(dampingFactor(e)))).toBeCloseTo(e, 10);
});

test('an elastic stop has no damping', () => {
  expect(dampingFactor(1)).toBe(0);
});

// x(1 + e) = ln((1 + x)/(1 − e x)) solved in another program, six digits
test.each([
  [0.9, 0.166482],
  [0.7, 0.634828],
  [0.5, 1.432751],
  [0.3, 3.087082],
])('Hunt–Crossley restitution %f', (e, x) => {
  expect(huntCrossleyFactor(e)).toBeCloseTo(x, 6);
  expect(huntCrossleyRestitution(huntCrossleyFactor(e))).toBeCloseTo(e, 12);
});

test('no damping, no loss', () => {
  expect(huntCrossleyFactor(1)).toBe(0);
  expect(huntCrossleyRestitution(0)).toBe(1);
});
