import { expect, test } from 'vitest';
import { depthLimits, tellableDepth } from './depth-limits.js';
import { hertzForce } from './normal/hertz.js';

/** Sneddon (1965): depth and force of a rigid sphere on an elastic half-space from the radius a of the contact; R = E* = 1 */
const sneddon = (a: number) => {
  const log = Math.log((1 + a) / (1 - a));
  return { depth: 0.5 * a * log, force: 0.5 * ((a * a + 1) * log - 2 * a) };
};

/** By bisection: the depth grows with a. */
const sneddonForce = (depth: number): number => {
  let [low, high] = [0, 1 - 1e-12];
  for (let i = 0; i < 60; i++) {
    const a = 0.5 * (low + high);
    if (sneddon(a).depth < depth) low = a;
    else high = a;
  }
  return sneddon(low).force;
};

test('at the limits the force of Hertz is off as much as they say', () => {
  const { doubtful, most } = depthLimits(1, tellableDepth(2, false)); // a ball of radius 1 is 2 thick
  const excess = (depth: number): number => hertzForce(1, 1, depth) / sneddonForce(depth) - 1;
  expect(excess(1e-3)).toBeLessThan(2e-4); // small depths: the same law
  // the figures above the code, to their last digit
  expect(excess(doubtful)).toBeCloseTo(0.01, 3);
  expect(excess(most)).toBeCloseTo(0.026, 3);
});

test('thin parts have less, laws of the user’s own no strain to keep to', () => {
  const limits = (elasticLength: number, thinnest: number) =>
    depthLimits(elasticLength, tellableDepth(thinnest, false));
  expect(limits(0.02, 0.001)).toEqual({ doubtful: 0.00025, most: 0.00025 });
  expect(limits(0.02, 0.1)).toEqual({ doubtful: 0.002, most: 0.005 });
  expect(limits(Number.POSITIVE_INFINITY, 0.1)).toEqual({ doubtful: 0.025, most: 0.025 });
  // the layer of an idealized surface counts to its bottom
  expect(depthLimits(Number.POSITIVE_INFINITY, tellableDepth(5e-3, true)).most).toBe(5e-3);
});
