import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bengisuAkayCurve } from './bengisu-akay.js';
import { type FrictionCurve, slidingFriction } from './friction-curve.js';
import { makkarConstants, makkarCurve } from './makkar.js';
import { stribeckCurve } from './stribeck.js';
import { tanhCurve } from './tanh-curve.js';
import { transitionCurve } from './transition-curve.js';
import { cappedFriction, smoothTwoLevelCurve, twoLevelCoefficient } from './two-level.js';

const levels = { staticFriction: 0.5, kineticFriction: 0.3 };
const vs = 2e-3;
const curves: readonly FrictionCurve[] = [
  transitionCurve({ ...levels, transitionSpeed: vs }),
  tanhCurve(0.3, vs),
  bengisuAkayCurve({ ...levels, peakSpeed: vs, decay: 300 }),
  makkarCurve({ ...levels, staticSpeed: vs, viscousSpeed: 0.01, viscous: 0 }),
  makkarCurve({ ...levels, staticSpeed: vs, viscousSpeed: 0.01, viscous: 0.5 }),
  smoothTwoLevelCurve({ ...levels, limitSpeed: vs }),
  stribeckCurve({ ...levels, stribeckSpeed: vs, viscous: 0.1 }),
];
const named = curves.map((curve, i) => [`${curve.name} ${i}`, curve] as const);

describe('every curve', () => {
  test.each(named)('%s: derivative by differences', (_, curve) => {
    for (let i = 1; i <= 400; i++) {
      const w = (i * 20 * vs) / 400 + 1e-7; // not on the kinks at v_s
      const h = 1e-9;
      const central = (curve.coefficient(w + h) - curve.coefficient(w - h)) / (2 * h);
      // rounding 1e-16/h = 1e-7 beside slopes of up to 0.5/v_s = 250
      expect(Math.abs(central - curve.slope(w))).toBeLessThan(1e-4);
    }
  });
  test.each(named)('%s: never pushes on: µ ≥ 0 up to 100 v_s', (_, curve) => {
    for (let i = 0; i <= 5000; i++) expect(curve.coefficient((i / 50) * vs)).toBeGreaterThanOrEqual(0);
  });

  test.each(named)('%s: the vector force opposes the slip, with its derivatives', (_, curve) => {
    const out = new Float64Array(8);
    const up = new Float64Array(8);
    const down = new Float64Array(8);
    const slip = fc.double({ min: -5 * vs, max: 5 * vs, noNaN: true });
    fc.assert(
      fc.property(slip, slip, (u1, u2) => {
        fc.pre(Math.hypot(u1, u2) > 1e-6 && Math.abs(Math.hypot(u1, u2) - vs) > 1e-7);
        slidingFriction(curve, 7, u1, u2, out);
        expect(out[0] * u1 + out[1] * u2).toBeLessThanOrEqual(0);
        expect(Math.hypot(out[0], out[1]) / 7).toBeCloseTo(curve.coefficient(Math.hypot(u1, u2)), 12);
        const h = 1e-9;
        for (let j = 0; j < 2; j++) {
          slidingFriction(curve, 7, u1 + (j ? 0 : h), u2 + (j ? h : 0), up);
          slidingFriction(curve, 7, u1 - (j ? 0 : h), u2 - (j ? h : 0), down);
          for (let i = 0; i < 2; i++)
            // slopes are of size N µ/w up to 7 · 0.5/1e-6; h² times their second derivative
            expect(Math.abs((up[i] - down[i]) / (2 * h) - out[4 + 2 * i + j])).toBeLessThan(
              1e-2 + (1e-5 * 7 * vs) / Math.hypot(u1, u2) ** 2,
            );
        }
        expect(out[2] * 7).toBeCloseTo(out[0], 14);
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});

test('at rest there is no force, and the slope of a smooth curve', () => {
  const out = new Float64Array(8);
  slidingFriction(tanhCurve(0.3, vs), 7, 0, 0, out);
  expect([...out].map((x) => x + 0)).toEqual([0, 0, 0, 0, (-7 * 0.3) / vs, 0, 0, (-7 * 0.3) / vs]);
});

// Elmqvist et al. (2015), fig. 11: peak a little above µ_s, µ_k far out, flat at rest
test('transition: peak 0.5024 at 1.119 v_s', () => {
  const [curve] = curves;
  let best = 0;
  let at = 0;
  for (let x = 0.5; x < 2; x += 1e-4)
    if (curve.coefficient(x * vs) > best) {
      best = curve.coefficient(x * vs);
      at = x;
    }
  expect(best).toBeCloseTo(0.5024, 4);
  expect(at).toBeCloseTo(1.119, 3);
  expect(curve.coefficient(1e4 * vs)).toBeCloseTo(0.3, 6);
  expect(curve.slope(0)).toBe(0);
});

test('tanh: on a slope it creeps at v_d artanh(tan α/µ)', () => {
  const creep = vs * Math.atanh(Math.tan(0.2) / 0.3);
  expect(tanhCurve(0.3, vs).coefficient(creep)).toBeCloseTo(Math.tan(0.2), 14);
});

test('Bengisu–Akay: peak µ_s at v_d, continuous, slope −ξ(µ_s − µ_k) beyond', () => {
  const curve = curves[2];
  expect(curve.coefficient(vs)).toBe(0.5);
  expect(curve.coefficient(vs * (1 - 1e-12))).toBeCloseTo(0.5, 14);
  expect(curve.slope(vs)).toBeCloseTo(-60, 12);
  expect(curve.coefficient(0.5 * vs)).toBeCloseTo(0.5 * 0.75, 14);
});

describe('Makkar', () => {
  test('the constants for given parameters', () => {
    const g = makkarConstants({
      staticFriction: 0.03,
      kineticFriction: 0.02,
      staticSpeed: 0.01,
      viscousSpeed: 0.1,
      viscous: 0,
    });
    expect(g[0]).toBeCloseTo(0.01 / (1 - Math.tanh(0.2)), 15);
    expect(g.slice(1)).toEqual([200, 30, 0.02, 200, 0].map((x) => expect.closeTo(x, 12)));
  });
  test('peak 0.431 for µ_s 0.5; µ_k far out; no peak for µ_s = µ_k', () => {
    let peak = 0;
    for (let i = 1; i < 5000; i++) peak = Math.max(peak, curves[3].coefficient(i * 1e-6));
    expect(peak).toBeCloseTo(0.431, 3);
    expect(curves[3].coefficient(1)).toBeCloseTo(0.3, 12);
    expect(
      makkarConstants({
        staticFriction: 0.12,
        kineticFriction: 0.12,
        staticSpeed: 0.01,
        viscousSpeed: 0.01,
        viscous: 0,
      })[0],
    ).toBe(0);
  });
});

test('two levels and the cap', () => {
  const law = { ...levels, limitSpeed: vs };
  expect(twoLevelCoefficient(law, 0)).toBe(0.5);
  expect(twoLevelCoefficient(law, vs)).toBe(0.3);
  expect(cappedFriction(0.5, 100, 30)).toBe(30);
  expect(cappedFriction(0.5, 50, 30)).toBe(25);
  const smooth = smoothTwoLevelCurve(law);
  expect(smooth.coefficient(0)).toBe(0);
  expect(smooth.coefficient(0.6 * vs)).toBeCloseTo(0.5, 9);
  expect(smooth.coefficient(1.2 * vs)).toBeCloseTo(0.3, 9);
  expect(smooth.coefficient(vs)).toBeCloseTo(0.4, 9);
});
