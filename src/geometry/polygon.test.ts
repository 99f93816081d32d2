import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Vec2 } from '../math/vec3.js';
import {
  checkedProfile,
  clockwise,
  counterClockwise,
  firstCrossing,
  firstCrossingAmong,
  nestOutlines,
  perimeter,
  placeOf,
  planeMoments,
  profileArea,
  signedArea,
  winding,
  withoutRepeats,
} from './polygon.js';
import { circleOutline } from './primitives.js';
import type { Polygon, PolygonProfile } from './profile.js';
import { rotate, translate } from './transform.js';

const square = (half: number, x = 0, y = 0): Polygon => [
  [x - half, y - half],
  [x + half, y - half],
  [x + half, y + half],
  [x - half, y + half],
];

describe('measures', () => {
  test('a rectangle with a rectangular hole, by hand', () => {
    const profile: PolygonProfile = {
      outer: [
        [0, 0],
        [6, 0],
        [6, 4],
        [0, 4],
      ],
      holes: [
        [
          [1, 1],
          [1, 2],
          [3, 2],
          [3, 1],
        ],
      ],
    };
    expect(profileArea(profile)).toBe(22);
    const { area, centroid, xx, yy, xy } = planeMoments(profile);
    expect(area).toBe(22);
    // Σ A x̄: 24·3 − 2·2 = 68; Σ A ȳ: 24·2 − 2·1.5 = 45
    expect(centroid[0]).toBeCloseTo(68 / 22, 15);
    expect(centroid[1]).toBeCloseTo(45 / 22, 15);
    // Steiner: b h³/12 + A d² for each rectangle
    const [cx, cy] = [68 / 22, 45 / 22];
    expect(xx).toBeCloseTo((4 * 6 ** 3) / 12 + 24 * (3 - cx) ** 2 - ((1 * 2 ** 3) / 12 + 2 * (2 - cx) ** 2), 12);
    expect(yy).toBeCloseTo((6 * 4 ** 3) / 12 + 24 * (2 - cy) ** 2 - ((2 * 1 ** 3) / 12 + 2 * (1.5 - cy) ** 2), 12);
    expect(xy).toBeCloseTo(24 * (3 - cx) * (2 - cy) - 2 * (2 - cx) * (1.5 - cy), 12);
    // Which way a hole runs does not change what it takes away
    expect(planeMoments({ outer: profile.outer, holes: [profile.holes[0].toReversed()] })).toEqual(
      planeMoments(profile),
    );
    expect(planeMoments({ outer: profile.outer.toReversed(), holes: profile.holes }).area).toBe(22);
  });

  test('lose no digits a kilometre away', () => {
    const here = planeMoments(circleOutline(100, 1));
    const there = planeMoments(translate([1000, -1000], circleOutline(100, 1)));
    // Corners 1000 m away are rounded to 1e-13 m
    expect(Math.abs(there.area / here.area - 1)).toBeLessThan(1e-12);
    expect(Math.abs(there.xx / here.xx - 1)).toBeLessThan(1e-12);
    expect(there.centroid[0]).toBeCloseTo(1000, 11);
  });

  test('winding, orientation, perimeter, repeats', () => {
    expect(winding(square(1))).toBe('counter-clockwise');
    expect(winding(square(1).toReversed())).toBe('clockwise');
    expect(
      winding([
        [0, 0],
        [1, 1],
        [2, 2],
      ]),
    ).toBe('flat');
    expect(counterClockwise(square(1).toReversed())).toEqual(square(1));
    expect(signedArea(clockwise(square(1)))).toBe(-4);
    expect(perimeter(square(1))).toBe(8);
    expect(
      withoutRepeats([
        [0, 0],
        [0, 0],
        [1, 0],
        [2, 0],
        [2, 0],
        [2, 1],
        [0, 0],
      ]),
    ).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 1],
    ]);
    expect(
      withoutRepeats(
        [
          [0, 0],
          [1, 0],
          [1, 1e-6],
          [0, 1],
        ],
        1e-5,
      ),
    ).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
    ]);
  });
});

// Independent judge on whole numbers, where all arithmetic is exact
const side = (a: Vec2, b: Vec2, c: Vec2) => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
const onSegment = (a: Vec2, b: Vec2, p: Vec2) =>
  side(a, b, p) === 0 &&
  Math.min(a[0], b[0]) <= p[0] &&
  p[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= p[1] &&
  p[1] <= Math.max(a[1], b[1]);
function shareAPoint(a: Vec2, b: Vec2, c: Vec2, d: Vec2): boolean {
  if (onSegment(a, b, c) || onSegment(a, b, d) || onSegment(c, d, a) || onSegment(c, d, b)) return true;
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}
function crossesByBruteForce(rings: readonly Polygon[]): boolean {
  const edges = rings.flatMap((ring, r) =>
    ring.map((a, i) => ({ a, b: ring[(i + 1) % ring.length], r, i, n: ring.length })),
  );
  return edges.some((e, k) =>
    edges.slice(k + 1).some((f) => {
      const follows = e.r === f.r && (e.i + 1) % e.n === f.i;
      const precedes = e.r === f.r && (f.i + 1) % f.n === e.i;
      if (!follows && !precedes) return shareAPoint(e.a, e.b, f.a, f.b);
      // Neighbours share a corner; more than that only if one turns back along the other, or a corner is repeated
      const [p, corner, q] = follows ? [e.a, e.b, f.b] : [f.a, f.b, e.b];
      return onSegment(p, corner, q) || onSegment(corner, q, p);
    }),
  );
}
const grid = (size: number) => fc.tuple(fc.integer({ min: 0, max: size }), fc.integer({ min: 0, max: size }));

describe('crossings', () => {
  test('the bow tie is found where it crosses', () => {
    expect(
      firstCrossing([
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ]),
    ).toEqual({ first: 0, second: 2, firstOutline: 0, secondOutline: 0, at: [0.5, 0.5], kind: 'cross' });
    expect(firstCrossing(square(1))).toBeUndefined();
  });

  test('touching and overlapping count, and say so', () => {
    // Corner 3 on edge 0; a spike that turns back; a corner used twice; a repeated corner
    expect(
      firstCrossing([
        [0, 0],
        [4, 0],
        [4, 2],
        [2, 0],
        [0, 2],
      ]),
    ).toMatchObject({ kind: 'touch', at: [2, 0] });
    expect(
      firstCrossing([
        [0, 0],
        [4, 0],
        [4, 2],
        [4, 1],
        [0, 1],
      ])?.kind,
    ).toBe('overlap');
    expect(
      firstCrossing([
        [0, 0],
        [2, 0],
        [1, 1],
        [2, 2],
        [0, 2],
        [1, 1],
      ]),
    ).toMatchObject({ kind: 'touch', at: [1, 1] });
    expect(
      firstCrossing([
        [0, 0],
        [1, 0],
        [1, 0],
        [0, 1],
      ]),
    ).toMatchObject({ kind: 'touch', at: [1, 0] });
    expect(
      firstCrossing([
        [0, 0],
        [1, 0],
      ]),
    ).toBeDefined();
  });

  test('on small grids, full of ties, as pairwise testing finds them', () => {
    let clean = 0;
    fc.assert(
      fc.property(fc.array(grid(5), { minLength: 3, maxLength: 9 }), (outline) => {
        const found = firstCrossing(outline);
        expect(found !== undefined).toBe(crossesByBruteForce([outline]));
        if (!found) clean++;
      }),
      { seed: 1976, numRuns: 6000 },
    );
    expect(clean).toBeGreaterThan(300); // both answers were put to the test
  });

  test('among several outlines too', () => {
    let clean = 0;
    fc.assert(
      fc.property(
        fc.array(fc.array(grid(9), { minLength: 3, maxLength: 4 }), { minLength: 2, maxLength: 3 }),
        (outlines) => {
          const found = firstCrossingAmong(outlines);
          expect(found !== undefined).toBe(crossesByBruteForce(outlines));
          if (!found) clean++;
        },
      ),
      { seed: 1976, numRuns: 4000 },
    );
    expect(clean).toBeGreaterThan(100);
  });

  test('the place named lies on both edges', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })), {
          minLength: 4,
          maxLength: 12,
        }),
        (outline) => {
          const found = firstCrossing(outline);
          if (!found) return;
          for (const edge of [found.first, found.second]) {
            const [a, b] = [outline[edge], outline[(edge + 1) % outline.length]];
            const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
            const off = Math.abs((b[0] - a[0]) * (found.at[1] - a[1]) - (b[1] - a[1]) * (found.at[0] - a[0]));
            expect(off).toBeLessThan(1e-13 + 1e-12 * length);
          }
        },
      ),
      { seed: 3, numRuns: 500 },
    );
  });

  test('by a hair: one unit in the last place decides', () => {
    const up = 1 + Number.EPSILON;
    // Corner (1, y) against the edge from (0, 0) to (2, 2): below, on, above
    const dart = (y: number): Polygon => [
      [0, 0],
      [2, 2],
      [3, 0.5],
      [1, y],
      [3, -2],
    ];
    expect(firstCrossing(dart(1 - Number.EPSILON / 2))).toBeUndefined();
    expect(firstCrossing(dart(1))).toMatchObject({ kind: 'touch', at: [1, 1] });
    expect(firstCrossing(dart(up))?.kind).toBe('cross');
  });

  test('of 100 000 corners in well under n² steps', () => {
    // A comb turned by 45°, whose edges' boxes all overlap; one tooth too long crosses the other side
    const teeth = 50_000;
    const comb = (long: number): Vec2[] => {
      const lower = Array.from({ length: teeth }, (_, i): Vec2 => [i / teeth, i % 2 === 0 ? 0 : i === long ? 3 : 1]);
      const upper = lower.map(([x], i): Vec2 => [x, (i % 2 === 0 ? 0 : 1) + 0.5]).reverse();
      return [...lower, ...upper];
    };
    const start = performance.now();
    expect(firstCrossing(rotate(Math.PI / 4, comb(-1)))).toBeUndefined();
    const found = firstCrossing(rotate(Math.PI / 4, comb(20_001)));
    expect(found?.kind).toBe('cross');
    expect([20_000, 20_001]).toContain(found?.first);
    // About 0.3 s; pairwise testing would take 5e9 pairs, a minute and more
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

describe('inside or outside', () => {
  test('a square, its edge, its corner, a hole', () => {
    const profile: PolygonProfile = { outer: square(2), holes: [square(1).toReversed()] };
    expect(placeOf([1.5, 0], profile)).toBe('inside');
    expect(placeOf([0, 0], profile)).toBe('outside');
    expect(placeOf([1, 0.5], profile)).toBe('boundary');
    expect(placeOf([2, 2], profile)).toBe('boundary');
    expect(placeOf([3, 2], profile)).toBe('outside');
    expect(placeOf([-3, 1], profile)).toBe('outside');
  });

  test('agrees with winding numbers at every grid point', () => {
    fc.assert(
      fc.property(fc.array(grid(4), { minLength: 3, maxLength: 8 }), grid(4), (outline, p) => {
        if (crossesByBruteForce([outline])) return;
        const edges = outline.map((a, i): [Vec2, Vec2] => [a, outline[(i + 1) % outline.length]]);
        const angle = edges.reduce((sum, [a, b]) => {
          const [ax, ay, bx, by] = [a[0] - p[0], a[1] - p[1], b[0] - p[0], b[1] - p[1]];
          return sum + Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
        }, 0);
        const expected = edges.some(([a, b]) => onSegment(a, b, p))
          ? 'boundary'
          : Math.abs(angle) > 1
            ? 'inside'
            : 'outside';
        expect(placeOf(p, outline)).toBe(expected);
      }),
      { seed: 5, numRuns: 4000 },
    );
  });
});

describe('nesting', () => {
  test('even and odd depth: outlines, holes, islands in holes', () => {
    const [plate, window, island, bore] = [square(10), square(6), square(4), square(1)];
    const aside = square(1, 20, 0);
    const profiles = nestOutlines([bore.toReversed(), window, plate.toReversed(), aside, island]);
    expect(profiles).toEqual([
      { outer: plate, holes: [window.toReversed()] },
      { outer: aside, holes: [] },
      { outer: island, holes: [bore.toReversed()] },
    ]);
  });

  test('as counting with point-in-polygon', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.integer({ min: -8, max: 8 }),
            fc.integer({ min: -8, max: 8 }),
            fc.integer({ min: 1, max: 9 }),
            fc.boolean(),
          ),
          { minLength: 1, maxLength: 9 },
        ),
        (specs) => {
          const outlines = specs.map(([x, y, half, turned]) =>
            turned ? square(half, x, y).toReversed() : square(half, x, y),
          );
          if (firstCrossingAmong(outlines)) {
            expect(() => nestOutlines(outlines)).toThrow('outlines[');
            return;
          }
          const depth = outlines.map((a) => outlines.filter((b) => b !== a && placeOf(a[0], b) === 'inside').length);
          const profiles = nestOutlines(outlines);
          expect(profiles.length).toBe(depth.filter((d) => d % 2 === 0).length);
          expect(profiles.reduce((n, p) => n + p.holes.length, 0)).toBe(depth.filter((d) => d % 2 === 1).length);
          for (const { outer, holes } of profiles)
            for (const hole of holes) expect(placeOf(hole[0], outer)).toBe('inside');
          // Even–odd area: each outline counts + or − by its depth
          const area = outlines.reduce((sum, o, i) => sum + (depth[i] % 2 === 0 ? 1 : -1) * Math.abs(signedArea(o)), 0);
          expect(profiles.reduce((sum, p) => sum + profileArea(p), 0)).toBe(area);
        },
      ),
      { seed: 8, numRuns: 3000 },
    );
  });

  test('repeated corners go, collinear ones stay', () => {
    const [profile] = nestOutlines([
      [
        [0, 0],
        [1, 0],
        [2, 0],
        [2, 0],
        [2, 2],
        [0, 2],
        [0, 0],
      ],
    ]);
    expect(profile.outer).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ]);
  });

  test('refuses in words', () => {
    expect(() => nestOutlines([square(1), square(1, 0.5, 0.5)])).toThrow(
      /^outlines\[1\]: edge \d and edge \d of outlines\[0\] cross at \(.*\) m/,
    );
    expect(() =>
      nestOutlines([
        [
          [0, 0],
          [1, 1],
        ],
      ]),
    ).toThrow('outlines[0]: expected at least 3 different corners, or 2 and an arc, got 2');
    expect(() =>
      nestOutlines([
        [
          [0, 0],
          [1, Number.NaN],
          [2, 0],
        ],
      ]),
    ).toThrow('outlines[0][1]: expected a corner [x, y] in m');
    expect(() => checkedProfile({ outer: square(1), holes: [square(0.1, 5, 0)] }, 'plate')).toThrow(
      'plate.holes[0]: expected a hole inside the outline, got one outside',
    );
    expect(() => checkedProfile({ outer: square(3), holes: [square(2), square(1)] }, 'plate')).toThrow(
      'plate.holes[1]: expected a hole in the material, got one inside plate.holes[0]',
    );
    expect(() => checkedProfile({ outer: square(1), holes: [square(1, 1, 0)] }, 'plate')).toThrow('plate.holes[0]');
  });
});
