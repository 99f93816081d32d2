import { expect, test } from 'vitest';
import { fourthOrder, PowerHistory, thirdOrder } from './power-history.js';

// P = c t⁴ + lower powers over [t₀, t₀ + h] is known to the last digit from five samples. Of Simpson's rule, h⁵/2880 P⁗ = c h⁵/120 is missing.
test('knows a quartic, whatever the step before, and what Simpson’s rule misses of it', () => {
  for (const before of [0.01, 0.3, 1, 7])
    for (const c of [3, 0]) {
      const power = (t: number): number => 2 - t + 4 * t * t - 5 * t ** 3 + c * t ** 4;
      const work = (t: number): number => 2 * t - t ** 2 / 2 + (4 / 3) * t ** 3 - (5 / 4) * t ** 4 + (c / 5) * t ** 5;
      const [t0, h] = [0.7, 0.2];
      const start = t0 - before * h;
      const history = new PowerHistory();
      expect(history.prepare(t0, t0 + h)).toBe(false); // nothing known yet
      history.remember(start, t0);
      expect(history.prepare(t0, t0 + h)).toBe(true);
      // older powers as seen before the power jumped by 9 W
      const terms = new Float64Array(2);
      const [p0, p1, p2] = [power(t0), power(t0 + h / 2), power(t0 + h)];
      history.terms(p0 + 9, p1 + 9, p2 + 9, power(start + 0.5 * (t0 - start)), power(start), p0, terms, 0);
      // rounding of some 1e-15, magnified by the divided difference where the step before was short: 1/(0.01 · 0.005) times
      const tolerance = 1e-15 + 1e-14 / (before * before);
      expect(Math.abs(terms[1] - c * h ** 4)).toBeLessThan(10 * tolerance);
      const missing = work(t0 + h) - work(t0) - (h / 6) * (p0 + 4 * p1 + p2);
      expect(Math.abs(h * fourthOrder(1, history.node) * terms[1] - missing)).toBeLessThan(tolerance);
      for (const x of [0.2, 0.5, 0.9]) {
        const parabola = x * p0 + x * x * (-1.5 * p0 + 2 * p1 - 0.5 * p2) + (x ** 3 * (2 * p0 - 4 * p1 + 2 * p2)) / 3;
        const found = h * (parabola + terms[0] * thirdOrder(x) + terms[1] * fourthOrder(x, history.node));
        expect(Math.abs(found - (work(t0 + x * h) - work(t0)))).toBeLessThan(tolerance);
      }
    }
});

test('knows nothing after a gap', () => {
  const history = new PowerHistory();
  history.remember(0, 0.1);
  expect(history.prepare(0.2, 0.3)).toBe(false);
});
