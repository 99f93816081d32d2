import { expect, test } from 'vitest';
import {
  damperRatio,
  dampingFactor,
  huntCrossleyFactor,
  huntCrossleyRestitution,
  logDamperRestitution,
  logRestitution,
} from './restitution.js';

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

// max(0, d + 2 ζ v) on a unit mass thrown at 1 against a unit spring, integrated by small steps of the exact solution until the force vanishes
test.each([0.1, 0.25, 0.5, 0.8, 0.999999, 1, 1.5, 3])('spring and damper that do not pull, ζ = %f', (ratio) => {
  let [d, v] = [0, 1];
  const h = 1e-4;
  const slope = (depth: number, speed: number): number => -depth - 2 * ratio * speed;
  while (slope(d, v) < 0) {
    // Runge & Kutta; v falls below 0 before the force does
    const [k1, l1] = [v, slope(d, v)];
    const [k2, l2] = [v + 0.5 * h * l1, slope(d + 0.5 * h * k1, v + 0.5 * h * l1)];
    const [k3, l3] = [v + 0.5 * h * l2, slope(d + 0.5 * h * k2, v + 0.5 * h * l2)];
    const [k4, l4] = [v + h * l3, slope(d + h * k3, v + h * l3)];
    d += (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
    v += (h / 6) * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  expect(Math.exp(logDamperRestitution(ratio))).toBeCloseTo(-v, 6);
  expect(damperRatio(Math.exp(logDamperRestitution(ratio)), 5)).toBeCloseTo(ratio, 8);
});
