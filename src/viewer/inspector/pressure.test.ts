import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../../math/vec3.js';
import { type Loops, polygonCentroid, spreadForce, vectorArea } from './pressure.js';

const rectangle = (x0: number, x1: number, y0: number, y1: number, height: (x: number) => number): Loops => [
  [
    [x0, y0, height(x0)],
    [x1, y0, height(x1)],
    [x1, y1, height(x1)],
    [x0, y1, height(x0)],
  ],
];
const turned = (loops: Loops): Loops => loops.map((loop) => [...loop].reverse());

describe('polygons', () => {
  test('area and centroid of a square with a hole, far from the origin', () => {
    const at = ([x, y]: readonly [number, number]): Vec3 => [x + 1e3, y, 5];
    const loops = [
      (
        [
          [0, 0],
          [4, 0],
          [4, 4],
          [0, 4],
        ] as const
      ).map(at),
      (
        [
          [2, 1],
          [2, 3],
          [4, 3],
          [4, 1],
        ] as const
      ).map(at), // clockwise
    ];
    expect(vectorArea(loops)).toEqual([0, 0, 12]);
    // (16 · 2 − 4 · 3)/12
    const [x, y, z] = polygonCentroid(loops);
    expect([x - 1e3, y, z]).toEqual([expect.closeTo(20 / 12, 9), expect.closeTo(2, 9), 5]);
  });
});

describe('spreadForce', () => {
  // A wedge over x from 0 to 1, depth x/10, pushed by 90 N: p = 90 · x/∫x dx = 180 x
  test('pressure grows with the depth', () => {
    const strips = Array.from({ length: 10 }, (_, k) => rectangle(k / 10, (k + 1) / 10, 0, 1, (x) => x / 10));
    const floor = [turned(rectangle(-1, 2, -1, 2, () => 0))];
    const pressed = spreadForce(strips, floor, [0, 0, 1], 90);
    pressed.forEach(({ depth, pressure, area }, k) => {
      const x = (k + 0.5) / 10;
      expect(depth).toBeCloseTo(x / 10, 12);
      expect(area).toBeCloseTo(0.1, 12);
      expect(pressure).toBeCloseTo(180 * x, 9);
    });
    // Σ depth · area is the volume of the wedge
    expect(pressed.reduce((sum, { depth, area }) => sum + depth * area, 0)).toBeCloseTo(0.05, 12);
  });

  test('forces add up to the recorded one, also over polygons that face away or have nothing behind them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.boolean()), { minLength: 1, maxLength: 40 }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        (strips, force) => {
          const polygons = strips.map(([height, facesAway], k) => {
            const strip = rectangle(k, k + 1, 0, 1, () => height);
            return facesAway ? turned(strip) : strip;
          });
          const opposite = [turned(rectangle(0, strips.length / 2, -1, 2, () => -0.5))];
          const pressed = spreadForce(polygons, opposite, [0, 0, 1], force);
          expect(pressed.reduce((sum, part) => sum + part.force, 0) / force).toBeCloseTo(1, 12);
          for (const part of pressed) expect(part.force).toBeGreaterThanOrEqual(0);
        },
      ),
      { seed: 3, numRuns: 100 },
    );
  });

  test('the nearest surface behind counts', () => {
    const top = [rectangle(0, 1, 0, 1, () => 1)];
    const behind = [0.2, 0.7, 2].map((height) => turned(rectangle(0, 1, 0, 1, () => height)));
    expect(spreadForce(top, behind, [0, 0, 1], 1)[0].depth).toBeCloseTo(0.3, 12);
  });
});
