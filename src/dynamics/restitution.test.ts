import { expect, test } from 'vitest';
import { dampingFactor, logRestitution } from './restitution.js';

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
