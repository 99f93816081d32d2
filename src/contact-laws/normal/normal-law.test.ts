import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { constantRestitutionForce } from '../../../tests/fixtures/constant-restitution-force.js';
import { clippedDamperForce } from './clipped-damper.js';
import { floorSpeed, restDampingRatio, staticDepth } from './constant-restitution.js';
import { foundationForce, foundationModulus } from './elastic-foundation.js';
import { floresLankaraniFactor, floresLankaraniForce, floresLankaraniStiffness } from './flores-lankarani.js';
import { hertzForce, hertzForceByDepth, hertzImpact, hertzStiffness } from './hertz.js';
import {
  clippedDamperLaw,
  floresLankaraniLaw,
  foundationLaw,
  linearlyDampedVolumeLaw,
  type NormalLaw,
  type NormalMeasures,
  noNormalForce,
  overlapVolumeLaw,
  ownNormalLaw,
  powerDamperLaw,
  powerLaw,
} from './normal-law.js';
import {
  depthOfVolume,
  overlapVolumeElastic,
  overlapVolumeEnergy,
  overlapVolumeForce,
  overlapVolumeForceByDepth,
  overlapVolumeForceBySpeed,
  overlapVolumeForceByVolume,
  overlapVolumeStiffness,
} from './overlap-volume.js';
import { powerDamperForce } from './power-damper.js';
import { dampingFactor, huntCrossleyRestitution } from './restitution.js';

const damping = { effectiveMass: 0.3, floorSpeed: 0.05, growth: 1 };
const laws: readonly NormalLaw[] = [
  powerLaw({ stiffness: 1e6, exponent: 1, effectiveMass: 0.3, dampingFactor: 0.5, floorSpeed: 0.02 }),
  powerLaw({ stiffness: 1e8, exponent: 1.5, effectiveMass: 0.3, dampingFactor: 2.4, floorSpeed: 0.02 }),
  powerLaw({ stiffness: 1e7, exponent: 1.3, effectiveMass: 2, dampingFactor: 0.9, floorSpeed: 0 }),
  overlapVolumeLaw({ ...damping, reducedModulus: 1e9, dampingFactor: 0.8 }),
  overlapVolumeLaw({ ...damping, growth: 0, reducedModulus: 1e9, dampingFactor: 1.7 }),
  foundationLaw({ ...damping, modulus: 1e12, dampingFactor: 0.8 }),
  linearlyDampedVolumeLaw({ reducedModulus: 1e9, damping: 0.7 }),
  floresLankaraniLaw({ stiffness: 1e8, nominalRestitution: 0.5, impactSpeed: 1.3 }),
  powerDamperLaw({ stiffness: 1e5, exponent: 1.5, damping: 1e4, dampingExponent: 1.5 }),
  powerDamperLaw({ stiffness: 1e5, exponent: 1, damping: 30, dampingExponent: 0 }),
  clippedDamperLaw({ stiffness: 1e7, exponent: 1.2, damping: 40 }),
  ownNormalLaw(
    'own',
    ({ depth, approachSpeed, volume, area }) => 3e4 * depth * (1 + 0.3 * approachSpeed) + 1e9 * volume + 2e3 * area,
  ),
];

describe('every normal law', () => {
  const measures = fc.record({
    depth: fc.double({ min: 1e-5, max: 1e-2, noNaN: true }),
    approachSpeed: fc.double({ min: -3, max: 3, noNaN: true }),
    volume: fc.double({ min: 1e-9, max: 1e-6, noNaN: true }),
    area: fc.double({ min: 1e-6, max: 1e-3, noNaN: true }),
  });

  test.each(laws.map((law, i) => [`${law.name} ${i}`, law] as const))('%s: derivatives and no pull', (_, law) => {
    const at = noNormalForce();
    const up = noNormalForce();
    const down = noNormalForce();
    let compared = 0;
    fc.assert(
      fc.property(measures, (m: NormalMeasures) => {
        law.evaluate(m, at);
        expect(at.force).toBeGreaterThanOrEqual(0);
        const keys = { depth: 'byDepth', approachSpeed: 'bySpeed', volume: 'byVolume', area: 'byArea' } as const;
        for (const key of Object.keys(keys) as (keyof typeof keys)[]) {
          const step = 1e-6 * (key === 'approachSpeed' ? 1 : m[key]);
          law.evaluate({ ...m, [key]: m[key] + step }, up);
          law.evaluate({ ...m, [key]: m[key] - step }, down);
          // a kink (clip) between the two points: the one-sided slopes differ, and there is nothing to compare
          const forward = (up.force - at.force) / step;
          const backward = (at.force - down.force) / step;
          const size = Math.max(
            Math.abs(forward),
            Math.abs(backward),
            (1e-3 * at.elastic) / m[key === 'approachSpeed' ? 'depth' : key],
          );
          if (Math.abs(forward - backward) > 1e-2 * size) continue;
          // central difference: third derivative times step², and rounding 1e-16 F/step: below 1e-6 of the size
          expect(Math.abs((up.force - down.force) / (2 * step) - at[keys[key]])).toBeLessThan(
            2e-6 * size + ((1e-9 * at.force) / step) * 1e-6,
          );
          compared++;
        }
      }),
      { seed: 41, numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(900);
  });

  test.each(laws.map((law, i) => [`${law.name} ${i}`, law] as const))('%s: nothing without overlap', (_, law) => {
    const out = noNormalForce();
    for (const depth of [0, -1e-3])
      for (const approachSpeed of [-1, 0, 2]) {
        law.evaluate({ depth, approachSpeed, volume: 0, area: 0 }, out);
        expect([out.force, out.elastic, out.byDepth, out.bySpeed, out.byVolume, out.byArea].map(Math.abs)).toEqual(
          Array(6).fill(0),
        );
      }
  });
});

describe('overlap volume', () => {
  const law = { reducedModulus: 7e10, damping: 0.4 };
  test.each([1e-6, 1e-4, 3e-3])('a sphere %f m deep in a wall is Hertz times √(1 − d/3R)', (d) => {
    const R = 0.01;
    const volume = Math.PI * d * d * (R - d / 3);
    const expected = hertzForce(law.reducedModulus, R, d) * Math.sqrt(1 - d / (3 * R));
    expect(overlapVolumeForce(law, volume, d, 0) / expected).toBeCloseTo(1, 14);
    expect(overlapVolumeForce(law, volume, d, 2) / expected).toBeCloseTo(1.8, 13);
    expect(overlapVolumeForce(law, volume, d, -3)).toBe(0);
  });

  test('partial derivatives', () => {
    const f = overlapVolumeForce(law, 2e-9, 1e-4, 1);
    expect(overlapVolumeForceByVolume(law, 2e-9, 1e-4, 1)).toBeCloseTo(f / 4e-9, 0);
    expect(overlapVolumeForceByDepth(law, 2e-9, 1e-4, 1) / (f / 2e-4)).toBeCloseTo(1, 14);
    expect(overlapVolumeForceBySpeed(law, 2e-9, 1e-4, 1) / ((f / 1.4) * 0.4)).toBeCloseTo(1, 14);
    expect(overlapVolumeForceBySpeed(law, 2e-9, 1e-4, -3)).toBe(0);
  });

  // linear elasticity: flat round punch 2 E* a δ, cone of half-angle slope T (2/π) E* T δ²; the law misses them by −5.7 and −1.3 %
  test('with d = 2V/A it is near the flat punch and the cone', () => {
    const a = 0.02;
    const delta = 1e-4;
    const area = Math.PI * a * a;
    const punch = overlapVolumeElastic(1, area * delta, depthOfVolume(area * delta, area));
    expect(punch / (2 * a * delta)).toBeCloseTo(0.9428, 3);
    const T = 0.7; // radius per depth
    const base = Math.PI * T * T * delta * delta;
    const cone = overlapVolumeElastic(1, (base * delta) / 3, depthOfVolume((base * delta) / 3, base));
    expect(cone / ((2 / Math.PI) * T * delta * delta)).toBeCloseTo(0.9872, 3);
  });

  test('its energy is the integral of its force', () => {
    // A ~ δ^growth, V = A δ/(growth + 1); Simpson over δ
    for (const growth of [0, 1, 2]) {
      const force = (delta: number) => {
        const area = delta ** growth;
        const volume = (area * delta) / (growth + 1);
        return overlapVolumeElastic(1, volume, depthOfVolume(volume, area));
      };
      const n = 4000;
      let integral = 0;
      for (let i = 0; i <= n; i++) integral += ((i === 0 || i === n ? 1 : i % 2 ? 4 : 2) * force(i / n)) / (3 * n);
      expect(overlapVolumeEnergy(force(1), 1 / (growth + 1), 1, growth) / integral).toBeCloseTo(1, 6);
    }
  });

  test('stiffness: 3F/2d for a lens, F/d for a flat punch', () => {
    expect(overlapVolumeStiffness(10, 0.5 * 4 * 1e-3, 1e-3, 4)).toBeCloseTo(15e3, 8);
    expect(overlapVolumeStiffness(10, 4 * 1e-3, 1e-3, 4)).toBeCloseTo(10e3, 8);
  });
});

describe('Hertz', () => {
  test('the slope is 2 E* a', () => {
    const h = 1e-9;
    const slope = (hertzForce(7e10, 0.01, 1e-5 + h) - hertzForce(7e10, 0.01, 1e-5 - h)) / (2 * h);
    expect(hertzForceByDepth(7e10, 0.01, 1e-5) / slope).toBeCloseTo(1, 8);
  });
  // Chung & Ooi (2011), test 1: glass spheres R 10 mm, ±10 m/s; figures from the closed form
  test('an impact in closed form', () => {
    const mass = (2800 * 4 * Math.PI * 1e-6) / 3;
    const { peakDepth, peakForce, duration } = hertzImpact(2.5e10, 0.005, mass / 2, 20);
    expect(peakDepth).toBeCloseTo(2.74113e-4, 9);
    expect(peakForce).toBeCloseTo(10696.9, 1);
    expect(duration).toBeCloseTo(40.339e-6, 9);
  });
});

describe('constant restitution', () => {
  test('at rest it carries the load and is as damped as said', () => {
    const x = dampingFactor(0.3);
    const [k, n, m, g] = [1e9, 1.5, 1.4, 9.81];
    const d = staticDepth(k, n, m * g);
    const vf = floorSpeed(x, n, d, g);
    const law = { stiffness: k, exponent: n, effectiveMass: m, dampingFactor: x, floorSpeed: vf };
    expect(constantRestitutionForce(law, d, 0) / (m * g)).toBeCloseTo(1, 12);
    const h = 1e-6 * vf;
    const c = (constantRestitutionForce(law, d, h) - constantRestitutionForce(law, d, -h)) / (2 * h);
    const stiffness = (n * m * g) / d;
    expect(c / (2 * Math.sqrt(stiffness * m)) / restDampingRatio(x, n, d, g, vf)).toBeCloseTo(1, 8);
    expect(restDampingRatio(x, n, d, g, vf)).toBeCloseTo(0.42, 2);
  });
  test('tiny depths and speeds give no NaN', () => {
    const law = { stiffness: 1e9, exponent: 1.5, effectiveMass: 1, dampingFactor: 0.5, floorSpeed: 0 };
    for (const d of [Number.MIN_VALUE, 1e-300, 1e-200])
      for (const v of [0, 1e-300, -1]) expect(constantRestitutionForce(law, d, v)).toBeGreaterThanOrEqual(0);
  });
});

describe("the papers' laws as printed", () => {
  test('Flores–Lankarani: factor, stiffness, and the restitution it really has', () => {
    expect(floresLankaraniFactor(0.6)).toBeCloseTo((8 / 5) * (0.4 / 0.6), 14);
    expect(floresLankaraniStiffness(5e9, 0.04) / hertzStiffness(5e9, 0.04)).toBeCloseTo(2, 14);
    const law = { stiffness: 2e6, nominalRestitution: 0.6, impactSpeed: 2 };
    expect(floresLankaraniForce(law, 0.01, 2)).toBeCloseTo(2e6 * 1e-3 * (1 + 1.6 / 1.5), 9);
    expect(huntCrossleyRestitution(floresLankaraniFactor(0.6))).toBeCloseTo(0.577276, 6);
  });
  test('c pⁿ + d pᵐ ṗ', () => {
    const law = { stiffness: 1e5, exponent: 1.5, damping: 10, dampingExponent: 1.5 };
    expect(powerDamperForce(law, 0.01, 0.5)).toBeCloseTo(1e5 * 1e-3 + 10 * 1e-3 * 0.5, 12);
    expect(powerDamperForce(law, 0.01, -1e5)).toBe(0);
    expect(powerDamperForce({ stiffness: 5e3, exponent: 1, damping: 500, dampingExponent: 0 }, 1e-3, 0.1)).toBeCloseTo(
      55,
    );
  });
  test('clipped damper: between 0 and twice the spring', () => {
    const law = { stiffness: 1e4, exponent: 1, damping: 100 };
    expect(clippedDamperForce(law, 1e-2, 0.5)).toBeCloseTo(150);
    expect(clippedDamperForce(law, 1e-2, 5)).toBeCloseTo(200);
    expect(clippedDamperForce(law, 1e-2, -5)).toBe(0);
  });
  // sphere R 1 m, bed 1e9 N/m³: F = k π h² (3R − h)/3
  test.each([
    [2e-3, 12557.99],
    [8e-3, 200525.8],
    [3.2e-2, 3182676],
    [6.4e-2, 12593447],
  ])('elastic foundation, sphere %f m deep', (h, force) => {
    expect(foundationForce(1e9, (Math.PI * h * h * (3 - h)) / 3) / force).toBeCloseTo(1, 6);
  });
  test('a layer: E/H for ν = 0, stiffer where it cannot give way sideways', () => {
    expect(foundationModulus(2e6, 0, 0.01)).toBeCloseTo(2e8, 4);
    // oedometric modulus E (1 − ν)/((1 + ν)(1 − 2ν)) = 0.7/(1.3 · 0.4) E at ν = 0.3
    expect(foundationModulus(2e6, 0.3, 0.01) / 2e8).toBeCloseTo(0.7 / 0.52, 12);
  });
});

describe('a law of the user’s own', () => {
  test('is asked only in contact, never pulls, and must give numbers', () => {
    let asked = 0;
    const law = ownNormalLaw('mine', ({ depth, approachSpeed }) => {
      asked++;
      return 1e4 * depth + 50 * approachSpeed;
    });
    const out = noNormalForce();
    law.evaluate({ depth: -1e-3, approachSpeed: 1, volume: 0, area: 0 }, out);
    expect(asked).toBe(0);
    law.evaluate({ depth: 1e-3, approachSpeed: -1, volume: 0, area: 0 }, out);
    expect(out.force).toBe(0);
    law.evaluate({ depth: 1e-3, approachSpeed: 1, volume: 0, area: 0 }, out);
    expect(out.force).toBeCloseTo(60);
    expect(out.byDepth / 1e4).toBeCloseTo(1, 6);
    expect(out.bySpeed / 50).toBeCloseTo(1, 6);
    const broken = ownNormalLaw('broken', ({ depth }) => Math.log(-depth));
    expect(() => broken.evaluate({ depth: 1e-3, approachSpeed: 0, volume: 0, area: 0 }, out)).toThrow(
      'law "broken": expected a finite force in N, got NaN at depth 0.001 m',
    );
  });
});
