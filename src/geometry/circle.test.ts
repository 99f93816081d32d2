import { describe, expect, test } from 'vitest';
import { circlePoint, cosSin, unitCircle } from './circle.js';

describe('circle points', () => {
  test('quarter points are exact and mirror images have the same digits', () => {
    for (const n of [4, 8, 12, 20, 64, 100, 360]) {
      expect(circlePoint(0, n)).toEqual([1, 0]);
      expect(circlePoint(n / 4, n)).toEqual([0, 1]);
      expect(circlePoint(n / 2, n)).toEqual([-1, 0]);
      expect(circlePoint((3 * n) / 4, n)).toEqual([0, -1]);
      for (let i = 0; i < n; i++) {
        const [c, s] = circlePoint(i, n);
        expect(circlePoint(n - i, n)).toEqual([c, 0 - s]);
        expect(circlePoint(n / 4 - i, n)).toEqual([s, c]);
      }
    }
  });

  test('they are cos and sin', () => {
    for (const n of [3, 5, 7, 15, 17, 64])
      for (let i = -n; i < 2 * n; i++) {
        const [c, s] = circlePoint(i, n);
        // 2π i / n itself is rounded: up to 4π × 2⁻⁵³ of an angle, hence 4e-15
        expect(Math.abs(c - Math.cos((2 * Math.PI * i) / n))).toBeLessThan(4e-15);
        expect(Math.abs(s - Math.sin((2 * Math.PI * i) / n))).toBeLessThan(4e-15);
      }
    expect([...unitCircle(4)]).toEqual([1, 0, 0, 1, -1, 0, 0, -1]);
  });

  test('cosSin takes the quarter turns a program writes as exact, and only those', () => {
    expect(cosSin(Math.PI / 2)).toEqual([0, 1]);
    expect(cosSin(Math.PI)).toEqual([-1, 0]);
    expect(cosSin((3 * Math.PI) / 2)).toEqual([0, -1]);
    expect(cosSin(-Math.PI / 2)).toEqual([0, -1]);
    expect(cosSin(2 * Math.PI)).toEqual([1, 0]);
    expect(cosSin(0)).toEqual([1, 0]);
    expect(cosSin(Math.PI / 2 + 1e-12)[0]).not.toBe(0);
    expect(cosSin(Math.PI / 6)[1]).toBeCloseTo(0.5, 15);
  });
});
