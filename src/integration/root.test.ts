import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRoot } from './root.js';

describe('findRoot', () => {
  const counted = (f: (x: number) => number) => {
    const count = { evaluations: 0 };
    const counting = (x: number) => {
      count.evaluations++;
      return f(x);
    };
    return { count, f: counting };
  };

  test.each<[string, (x: number) => number, number]>([
    ['line', (x) => x - 0.3, 0.3],
    ['falling', (x) => 0.7 - x, 0.7],
    ['exponential', (x) => Math.exp(5 * x) - 2, Math.log(2) / 5],
    ['triple zero', (x) => (x - 0.9) ** 3, 0.9],
    ['jump', (x) => (x < 0.123 ? -1 : 5), 0.123],
    ['next to the end', (x) => x - 1e-9, 1e-9],
    ['almost flat before', (x) => x ** 30 - 0.5, 0.5 ** (1 / 30)],
  ])('%s', (_, function_, root) => {
    const { count, f } = counted(function_);
    const x = findRoot(f, 0, function_(0), 1, function_(1), 1e-14);
    expect(Math.abs(x - root)).toBeLessThan(1e-14 + 2 * Number.EPSILON);
    // on b's side, and no more evaluations than bisection (47) and two
    expect(Math.sign(function_(x)) === Math.sign(function_(1)) || function_(x) === 0).toBe(true);
    expect(count.evaluations).toBeLessThanOrEqual(49);
  });

  test('smooth functions take few evaluations', () => {
    const { count, f } = counted((x) => Math.cos(x) - x);
    expect(findRoot(f, 0, 1, 1, Math.cos(1) - 1, 1e-14)).toBeCloseTo(0.7390851332151607, 13);
    expect(count.evaluations).toBeLessThan(14);
  });

  test('any cubic with a change of sign', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 4, maxLength: 4 }), ([a, b, c, d]) => {
        const f = (x: number) => ((a * x + b) * x + c) * x + d;
        if (!(f(0) * f(1) < 0)) return;
        const x = findRoot(f, 0, f(0), 1, f(1), 1e-12);
        expect(f(x) * f(1)).toBeGreaterThanOrEqual(0);
        expect(f(Math.max(0, x - 2e-12)) * f(0)).toBeGreaterThanOrEqual(0);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  test('a zero at an end is that end, NaN is not a root', () => {
    expect(findRoot((x) => x, 0, 0, 1, 1, 1e-14)).toBe(0);
    expect(findRoot((x) => x - 1, 0, -1, 1, 0, 1e-14)).toBe(1);
    expect(findRoot(() => Number.NaN, 0, -1, 1, 1, 1e-14)).toBeNaN();
  });
});
