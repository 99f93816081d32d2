import { describe, expect, test } from 'vitest';
import type { Vec2 } from '../math/vec3.js';
import { slot } from './circle-outline.js';
import { firstCrossing, perimeter, signedArea } from './polygon.js';
import type { Polygon } from './profile.js';
import { replicate } from './replicate.js';
import { roundCorners } from './round-corners.js';

const rectangle: Polygon = [
  [0, 0],
  [4, 0],
  [4, 3],
  [0, 3],
];

describe('round corners', () => {
  test('are arcs: of a rectangle they take exactly (4 − π) r² from its area and (8 − 2π) r from its length', () => {
    const rounded = roundCorners(rectangle, 1);
    expect(rounded).toHaveLength(8);
    expect(signedArea(rounded)).toBeCloseTo(12 - (4 - Math.PI), 13);
    expect(perimeter(rounded)).toBeCloseTo(14 - 8 + 2 * Math.PI, 13);
    expect(firstCrossing(rounded)).toBeUndefined();
    // half the width: two edges vanish between arcs that meet
    expect(signedArea(roundCorners(rectangle, 1.5))).toBeCloseTo(12 - (4 - Math.PI) * 2.25, 13);
    expect(roundCorners(rectangle, 1.5)).toHaveLength(6);
  });

  test('beside an arc stay as they are', () => {
    const slotted = slot([0, 0], [4, 0], 2);
    expect(roundCorners(slotted, 0.3)).toEqual(slotted);
  });

  test('of a rectangle take (4 − π) r² from its area, to second order in the segments', () => {
    const shortfall = [32, 64, 128].map(
      (segments) => 12 - (4 - Math.PI) - signedArea(roundCorners(rectangle, 1, segments)),
    );
    expect(shortfall[2]).toBeGreaterThan(0);
    expect(shortfall[2]).toBeLessThan(2e-3);
    expect(Math.log2(shortfall[0] / shortfall[1])).toBeCloseTo(2, 1);
    expect(Math.log2(shortfall[1] / shortfall[2])).toBeCloseTo(2, 1);
    expect(perimeter(roundCorners(rectangle, 1, 4096))).toBeCloseTo(14 - 8 + 2 * Math.PI, 5);
  });

  test('lie on the circle that touches both edges, and start along them', () => {
    const dart: Polygon = [
      [0, 0],
      [5, 1],
      [1, 1.5],
      [2, 5],
    ]; // corner 2 is an inner one
    const r = 0.1;
    const rounded = roundCorners(dart, r, 64);
    expect(firstCrossing(rounded)).toBeUndefined();
    for (let i = 0; i < 4; i++) {
      const [a, p, b] = [dart[(i + 3) % 4], dart[i], dart[(i + 1) % 4]];
      const unit = (q: Vec2): Vec2 => {
        const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
        return [(q[0] - p[0]) / length, (q[1] - p[1]) / length];
      };
      const [u, v] = [unit(a), unit(b)];
      const half = Math.acos(u[0] * v[0] + u[1] * v[1]) / 2;
      const bisector = [u[0] + v[0], u[1] + v[1]];
      const k = r / Math.sin(half) / Math.hypot(...bisector);
      const centre = [p[0] + k * bisector[0], p[1] + k * bisector[1]];
      const on = rounded.filter(([x, y]) => Math.abs(Math.hypot(x - centre[0], y - centre[1]) - r) < 1e-12);
      // The turn π − 2 half in pieces of 1/64 of a circle
      expect(on.length).toBe(Math.ceil(((Math.PI - 2 * half) * 64) / (2 * Math.PI)) + 1);
      // Both ends of the arc are r cot(half) from the corner, on the edges
      for (const [end, w] of [
        [on[0], u],
        [on[on.length - 1], v],
      ] as const) {
        expect(end[0]).toBeCloseTo(p[0] + (r / Math.tan(half)) * w[0], 12);
        expect(end[1]).toBeCloseTo(p[1] + (r / Math.tan(half)) * w[1], 12);
      }
    }
  });

  test('arcs that meet in the middle of an edge leave no repeated corner: a square becomes a circle', () => {
    const circle = roundCorners(
      [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ],
      1,
      64,
    );
    expect(circle.length).toBe(64);
    for (const [x, y] of circle) expect(Math.hypot(x, y)).toBeCloseTo(1, 14);
  });

  test('radius 0 and corners on a straight line stay; one radius per corner', () => {
    expect(roundCorners(rectangle, 0)).toEqual(rectangle);
    const dotted: Polygon = [
      [0, 0],
      [2, 0],
      [4, 0],
      [4, 3],
      [0, 3],
    ];
    expect(roundCorners(dotted, [0, 1, 0, 0, 0])).toEqual(dotted);
    const one = roundCorners(rectangle, [0, 0, 1, 0], 64);
    expect(one.length).toBe(3 + 17);
    expect(one.slice(0, 2)).toEqual(rectangle.slice(0, 2));
  });

  test('of a profile with a hole, which runs the other way', () => {
    const { outer, holes } = roundCorners(
      {
        outer: rectangle,
        holes: [
          [
            [1, 1],
            [1, 2],
            [2, 2],
            [2, 1],
          ],
        ],
      },
      0.25,
      256,
    );
    expect(signedArea(outer)).toBeCloseTo(12 - (4 - Math.PI) / 16, 4);
    expect(signedArea(holes[0])).toBeCloseTo(-1 + (4 - Math.PI) / 16, 4);
  });

  test('refuses a radius that does not fit, naming the corner', () => {
    expect(() => roundCorners(rectangle, 1.6)).toThrow(
      /^roundCorners\.outline\[[12]\]: a radius of 1.6 m does not fit at \(4, [03]\) m: the arcs at both ends of edge 1 take 3.2\d* m of its 3 m; use a smaller radius/,
    );
    expect(() => roundCorners(rectangle, -1)).toThrow('roundCorners.radius: expected a length ≥ 0 m, got -1');
    expect(() => roundCorners(rectangle, [1, 2])).toThrow('expected one radius for each of 4 corners, got 2');
    expect(() =>
      roundCorners(
        [
          [0, 0],
          [1, 0],
          [1, 0],
          [0, 1],
        ],
        0.1,
      ),
    ).toThrow('roundCorners.outline[1]');
    expect(() =>
      roundCorners(
        [
          [0, 0],
          [2, 0],
          [1, 0],
          [1, 1],
        ],
        0.1,
      ),
    ).toThrow('a turn back on itself at (2, 0) m');
  });
});

describe('replicate', () => {
  test('a star: area of its triangles', () => {
    const star = replicate(5, [
      [1, 0],
      [0.5 * Math.cos(Math.PI / 5), 0.5 * Math.sin(Math.PI / 5)],
    ]);
    expect(star.length).toBe(10);
    expect(signedArea(star)).toBeCloseTo(5 * 0.5 * Math.sin(Math.PI / 5), 14);
  });

  test('leaves out a corner that two teeth share', () => {
    const c = Math.SQRT1_2;
    const octagon = replicate(4, [
      [1, 0],
      [c, c],
      [0, 1],
    ]);
    expect(octagon.length).toBe(8);
    expect(firstCrossing(octagon)).toBeUndefined();
    expect(
      replicate(1, [
        [0, 0],
        [1, 0],
        [0, 1],
      ]).length,
    ).toBe(3);
  });

  test('quarter turns are exact', () => {
    const wheel = replicate(12, [
      [3.1, 0.7],
      [2.9, 1.1],
    ]);
    for (let i = 0; i < 24; i++)
      expect(wheel[(i + 6) % 24]).toEqual([0 - wheel[i][1], wheel[i][0]].map((x) => expect.closeTo(x, 15)));
    expect(wheel[6]).toEqual([-0.7, 3.1]);
  });

  test('refuses', () => {
    expect(() => replicate(0, rectangle)).toThrow('replicate.count');
    expect(() => replicate(3, [])).toThrow('replicate.tooth');
    expect(() => replicate(3, [[1, Number.NaN]])).toThrow('replicate.tooth[0]');
  });
});
