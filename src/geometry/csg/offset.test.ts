import { describe, expect, test } from 'vitest';
import type { Vec2 } from '../../math/vec3.js';
import { profileArea, signedArea } from '../polygon-measure.js';
import type { Outline } from '../profile.js';
import { manifold } from './manifold.js';
import { offsetOutline } from './offset.js';

const rectangle = (w: number, h: number, x = 0, y = 0): Vec2[] => [
  [x, y],
  [x + w, y],
  [x + w, y + h],
  [x, y + h],
];
const frame = { outer: rectangle(3, 2), holes: [rectangle(1, 1, 1, 0.5).reverse()] };

describe('offset', () => {
  test('miter joins of a rectangle are right to the last digit', () => {
    const [{ outer, holes }] = offsetOutline(rectangle(1 / 3, 1 / 7), 0.1, { join: 'miter' });
    expect(holes).toEqual([]);
    expect(outer).toHaveLength(4);
    for (const [x, y] of outer) {
      // one unit in the last place of 0.5
      expect(Math.min(Math.abs(x + 0.1), Math.abs(x - 1 / 3 - 0.1))).toBeLessThan(1.2e-16);
      expect(Math.min(Math.abs(y + 0.1), Math.abs(y - 1 / 7 - 0.1))).toBeLessThan(1.2e-16);
    }
    expect(signedArea(outer)).toBeGreaterThan(0);
  });

  // Steiner: the curve at distance t around a convex figure has the area A + t L + π t²; with the circle as a polygon
  // of N edges between two corners at right angles, N/2 sin(2π/N) stands for π.
  test('round joins follow the formula of Steiner', () => {
    const [{ outer }] = offsetOutline(rectangle(3, 2), 0.5, { segments: 64 });
    expect(signedArea(outer)).toBeCloseTo(6 + 0.5 * 10 + 0.25 * 32 * Math.sin((2 * Math.PI) / 64), 13);
    let worst = 0;
    for (const [x, y] of outer)
      worst = Math.max(worst, Math.abs(Math.hypot(Math.max(-x, 0, x - 3), Math.max(-y, 0, y - 2)) - 0.5));
    expect(worst).toBeLessThan(5e-16);
  });

  test('square joins cut corners off at the distance', () => {
    const [{ outer }] = offsetOutline(rectangle(3, 2), 0.5, { join: 'square' });
    // corner: a square of side t less the triangle beyond the line at distance t from the corner
    const cut = 0.5 * (Math.SQRT2 - 1);
    expect(signedArea(outer)).toBeCloseTo(4 * 3 - 4 * cut * cut, 13);
  });

  test('holes shrink, and vanish', () => {
    const [grown] = offsetOutline(frame, 0.25, { join: 'miter' });
    expect(grown.holes).toHaveLength(1);
    expect(signedArea(grown.holes[0])).toBeCloseTo(-0.25, 14);
    expect(profileArea(grown)).toBeCloseTo(3.5 * 2.5 - 0.25, 14);
    const [filled] = offsetOutline(frame, 0.6, { join: 'miter' });
    expect(filled.holes).toEqual([]);
    const [thin] = offsetOutline(frame, -0.2, { join: 'miter' });
    expect(profileArea(thin)).toBeCloseTo(2.6 * 1.6 - 1.4 * 1.4, 14);
  });

  test('inwards a dumbbell falls apart, further in nothing is left', () => {
    const dumbbell: Outline = [
      [0, 0],
      [2, 0],
      [2, 0.9],
      [4, 0.9],
      [4, 0],
      [6, 0],
      [6, 2],
      [4, 2],
      [4, 1.1],
      [2, 1.1],
      [2, 2],
      [0, 2],
    ];
    const parts = offsetOutline(dumbbell, -0.25, { join: 'miter' });
    expect(parts).toHaveLength(2);
    for (const part of parts) expect(profileArea(part)).toBeCloseTo(2.25, 13);
    expect(offsetOutline(dumbbell, -1.01)).toEqual([]);
  });

  test('an island that hangs on a thin neck is cut off, and lies in the hole of the rest', () => {
    const around: Outline = [
      [9, 5.05],
      [9, 9],
      [1, 9],
      [1, 1],
      [9, 1],
      [9, 4.95],
      [6, 4.95],
      [6, 4],
      [4, 4],
      [4, 6],
      [6, 6],
      [6, 5.05],
    ];
    const parts = offsetOutline({ outer: rectangle(10, 10), holes: [around] }, -0.1, { join: 'miter' });
    expect(parts.map(({ holes }) => holes.length).sort()).toEqual([0, 1]);
    const areas = parts.map(profileArea).sort((a, b) => a - b);
    expect(areas[0]).toBeCloseTo(1.8 ** 2, 13);
    expect(areas[1]).toBeCloseTo(9.8 ** 2 - 8.2 ** 2, 13);
  });

  test('which way round does not matter, nor how far away or how large', () => {
    const [forwards] = offsetOutline(rectangle(3, 2), 0.1, { join: 'miter' });
    const [backwards] = offsetOutline(rectangle(3, 2).reverse(), 0.1, { join: 'miter' });
    expect(signedArea(backwards.outer)).toBeCloseTo(signedArea(forwards.outer), 14);
    const [far] = offsetOutline(rectangle(3e-3, 2e-3, 1000, -2000), 1e-4, { join: 'miter' });
    // coordinates there are multiples of 2.3e-13
    expect(Math.abs(signedArea(far.outer) - 3.2e-3 * 2.2e-3)).toBeLessThan(5e-15);
    const [large] = offsetOutline(rectangle(3e6, 2e6), 1e5, { join: 'miter' });
    expect(signedArea(large.outer) / (3.2e6 * 2.2e6)).toBeCloseTo(1, 14);
  });

  test('distance 0 leaves the figure', () => {
    expect(profileArea(offsetOutline(frame, 0)[0])).toBeCloseTo(5, 14);
  });

  test('refused', () => {
    expect(() => offsetOutline(rectangle(1, 1), Number.NaN)).toThrow('offsetOutline.distance');
    expect(() =>
      offsetOutline(
        [
          [0, 0],
          [1, 0],
        ],
        1,
      ),
    ).toThrow('offsetOutline.outline: expected at least 3 different corners, or 2 and an arc, got 2');
    expect(() =>
      offsetOutline(
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
        ],
        1,
      ),
    ).toThrow('offsetOutline.outline: edges 0 and 2 cross');
    expect(() =>
      offsetOutline(
        {
          outer: rectangle(1, 1),
          holes: [
            [
              [0, 0],
              [Infinity, 0],
              [1, 1],
            ],
          ],
        },
        1,
      ),
    ).toThrow('offsetOutline.profile.holes[0][1]');
    expect(() => offsetOutline(rectangle(1, 1), 1, { segments: 2 })).toThrow('offsetOutline.segments');
    expect(() => offsetOutline(rectangle(1, 1), 1, { miterLimit: 1 })).toThrow('offsetOutline.miterLimit');
    expect(() => offsetOutline(rectangle(1, 1), 1, { join: 'bevel' as 'round' })).toThrow(
      "expected 'round', 'miter' or 'square'",
    );
  });

  test('memory does not grow', () => {
    // 160 kB each way and time: one leaked copy would take 19 MB, more than the memory has to begin with
    const corners = 10_000;
    const circle = Array.from({ length: corners }, (_, i): Vec2 => {
      const angle = (2 * Math.PI * i) / corners;
      return [Math.cos(angle), Math.sin(angle)];
    });
    const once = () => offsetOutline(circle, 0.1, { join: 'miter' });
    for (let i = 0; i < 5; i++) once();
    const before = manifold().heapSize();
    for (let i = 0; i < 120; i++) once();
    expect(manifold().heapSize()).toBe(before);
  });
});
