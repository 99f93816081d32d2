import { expect, test } from 'vitest';
import { exp2Of, log2Of, QuickPower } from './quick-powers.js';
import { contactLength } from './terra.js';

// Against the engine's own functions, which are good to 1e-15; bounds are the first terms left out, (2⁻⁸)⁵/(5 ln 2) and (ln 2/256)⁵/120
test('log₂ to 3e-13 and 2ʸ to 2e-15 over forty decades', () => {
  let [log, power] = [0, 0];
  for (let i = 0; i < 20_000; i++) {
    const y = -66 + 0.0066 * i + 1e-5;
    log = Math.max(log, Math.abs(log2Of(2 ** y) - y));
    power = Math.max(power, Math.abs(exp2Of(y) / 2 ** y - 1));
  }
  expect(log).toBeLessThan(3e-13);
  expect(power).toBeLessThan(2e-15);
  expect([exp2Of(-2000), exp2Of(Number.NaN), exp2Of(0), exp2Of(1023)]).toEqual([0, 0, 1, 2 ** 1023]);
});

// The first term left out is (p over 5) 2⁻⁴⁰
test.each([0.3, 0.83, 1, 1.5, 2.2, -0.5, -3.1, 4])('x^%f as good as its series over forty decades', (p) => {
  const power = new QuickPower(p);
  let worst = 0;
  for (let i = 0; i < 5000; i++) {
    const x = 2 ** (-66 + 0.0264 * i + 1e-5);
    worst = Math.max(worst, Math.abs(power.of(x) / x ** p - 1));
  }
  const binomial = (p * (p - 1) * (p - 2) * (p - 3) * (p - 4)) / 120;
  expect(worst).toBeLessThan(1e-14 + 1.1 * Math.abs(binomial) * 2 ** -40 + 1e-15 * 66 * Math.abs(p));
});

test('the length of the contact is r acos(1 − z/r), to 2e-11', () => {
  for (const z of [1e-4, 0.01, 0.199, 0.201, 0.5, 1, 1.8])
    expect(Math.abs(contactLength(0.1, 0.1 * z) / (0.1 * Math.acos(1 - z)) - 1)).toBeLessThan(2e-11);
});
