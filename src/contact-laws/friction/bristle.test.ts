import { describe, expect, test } from 'vitest';
import { random } from '../../math/random.js';
import { bristle, bristleDerivatives, bristleEnergy, bristleLoss, OPEN, SLIP, STICK } from './bristle.js';

const k = 2e5;
const d = 60;

/** F, s' by (s₁, s₂, u₁, u₂, L), by central differences. */
function difference(arguments_: number[], j: number, h: number): number[] {
  const up = new Float64Array(4);
  const down = new Float64Array(4);
  const a = [...arguments_];
  a[j] += h;
  bristle(k, d, a[4], a[0], a[1], a[2], a[3], up);
  a[j] -= 2 * h;
  bristle(k, d, a[4], a[0], a[1], a[2], a[3], down);
  return [...up].map((x, i) => (x - down[i]) / (2 * h));
}

describe('bristle', () => {
  const out = new Float64Array(4);
  test('sticks: the force of spring and damper, s follows u to the bit', () => {
    expect(bristle(k, d, 10, 1e-5, -2e-5, 0.01, 0.02, out)).toBe(STICK);
    expect([...out]).toEqual([k * 1e-5 + d * 0.01, -k * 2e-5 + d * 0.02, 0.01, 0.02]);
  });
  test('slips: |F| = L along W', () => {
    expect(bristle(k, d, 3, 2e-5, 1e-5, 0.3, -0.1, out)).toBe(SLIP);
    expect(Math.hypot(out[0], out[1])).toBeCloseTo(3, 14);
    expect(out[0] * (k * 1e-5 - d * 0.1) - out[1] * (k * 2e-5 + d * 0.3)).toBeCloseTo(0, 12);
  });
  test('open: no force, memory fades with d/k', () => {
    expect(bristle(k, d, 0, 2e-5, 1e-5, 0.3, -0.1, out)).toBe(OPEN);
    expect([...out]).toEqual([0, 0, (-k / d) * 2e-5, (-k / d) * 1e-5].map((x) => expect.closeTo(x, 12)));
  });
  test('continuous where stick turns to slip and where contact opens', () => {
    const other = new Float64Array(4);
    const W = Math.hypot(k * 1e-5 + d * 0.1, d * 0.05);
    bristle(k, d, W * (1 + 1e-13), 1e-5, 0, 0.1, 0.05, out);
    bristle(k, d, W * (1 - 1e-13), 1e-5, 0, 0.1, 0.05, other);
    for (let i = 0; i < 4; i++) expect(out[i]).toBeCloseTo(other[i], 11);
    bristle(k, d, 1e-13, 1e-5, 0, 0.1, 0.05, out);
    bristle(k, d, 0, 1e-5, 0, 0.1, 0.05, other);
    for (let i = 0; i < 4; i++) expect(out[i]).toBeCloseTo(other[i], 11);
  });
  test('derivatives in stick, slip and open', () => {
    const draw = random('bristle derivatives');
    const p = new Float64Array(6);
    const seen = [0, 0, 0];
    for (let n = 0; n < 300; n++) {
      const a = [...Array(4)].map((_, i) => draw.uniformBetween(-1, 1) * (i < 2 ? 3e-5 : 0.1));
      a[4] = draw.uniformBetween(-1, 10);
      const regime = bristleDerivatives(k, d, a[4], a[0], a[1], a[2], a[3], p);
      const W = Math.hypot(k * a[0] + d * a[2], k * a[1] + d * a[3]);
      if (Math.abs(W - a[4]) < 1e-2 || Math.abs(a[4]) < 1e-2 || W < 0.05) continue; // near a kink
      seen[regime]++;
      for (let j = 0; j < 5; j++) {
        const byArgument = difference(a, j, j < 2 ? 1e-10 : j < 4 ? 1e-7 : 1e-6);
        for (let i = 0; i < 2; i++) {
          const pi = p[2 * i + (j % 2)];
          const force = j < 2 ? k * pi : j < 4 ? d * pi : p[4 + i];
          // sizes: k 2e5, d 60, 1; differences good to about 1e-6 of that
          expect(Math.abs(byArgument[i] - force)).toBeLessThan(j < 2 ? 1 : 1e-3);
          const rate = (force - (j < 2 && i === j ? k : 0)) / d;
          expect(Math.abs(byArgument[2 + i] - rate)).toBeLessThan(j < 2 ? 0.02 : 1e-4);
        }
      }
    }
    for (const count of seen) expect(count).toBeGreaterThan(20);
  });

  // work done on it − stored energy = loss ≥ 0 at every instant, whatever path and normal force; and summed over time
  test('is passive on random smooth paths', () => {
    const draw = random('bristle paths');
    let least = 0;
    let mismatch = 0;
    for (let path = 0; path < 200; path++) {
      const waves = [...Array(6)].map(() => [
        draw.uniformBetween(0.02, 0.4),
        draw.uniformBetween(5, 200),
        draw.uniformBetween(0, 7),
      ]);
      const speed = (t: number, i: number) =>
        waves.reduce((sum, [a, w, phase], n) => (n % 2 === i ? sum + a * Math.sin(w * t + phase) : sum), 0);
      let s1 = 0;
      let s2 = 0;
      let work = 0;
      let lost = 0;
      const h = 2e-6;
      for (let n = 0; n < 5000; n++) {
        const t = n * h;
        const u1 = speed(t, 0);
        const u2 = speed(t, 1);
        const limit = path % 2 ? 5 : 5 + 7 * Math.sin(300 * t);
        bristle(k, d, limit, s1, s2, u1, u2, out);
        const loss = bristleLoss(d, u1, u2, out);
        least = Math.min(least, loss);
        mismatch = Math.max(mismatch, Math.abs(out[0] * u1 + out[1] * u2 - k * (s1 * out[2] + s2 * out[3]) - loss));
        work += h * (out[0] * u1 + out[1] * u2);
        lost += h * loss;
        s1 += h * out[2];
        s2 += h * out[3];
      }
      // explicit Euler with h k/d = 0.007 adds ½ k |h s'|² per step: stored + lost exceeds the work by that, at most 1 %
      expect(work - bristleEnergy(k, s1, s2)).toBeGreaterThan(0);
      expect(Math.abs(work - bristleEnergy(k, s1, s2) - lost)).toBeLessThan(0.02 * lost);
    }
    // instantaneous balance, exact up to rounding of terms of size L u
    expect(least).toBeGreaterThanOrEqual(-1e-12);
    expect(mismatch).toBeLessThan(1e-11);
  });
});
