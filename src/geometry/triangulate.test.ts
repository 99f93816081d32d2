import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Vec2 } from '../math/vec3.js';
import { monotoneTriangles } from './monotone.js';
import { firstCrossing, firstCrossingAmong, placeOf, profileArea, signedArea } from './polygon.js';
import { sweepEdges } from './polygon-crossing.js';
import { circleOutline } from './primitives.js';
import type { Polygon, PolygonProfile } from './profile.js';
import { rotate, translate } from './transform.js';
import { triangulate } from './triangulate.js';

const cornersOf = ({ outer, holes }: PolygonProfile): readonly Vec2[] => [...outer, ...holes.flat()];
const twiceArea = (a: Vec2, b: Vec2, c: Vec2) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
const angles = (a: Vec2, b: Vec2, c: Vec2): number => {
  const at = (p: Vec2, q: Vec2, r: Vec2) =>
    Math.atan2(Math.abs(twiceArea(p, q, r)), (q[0] - p[0]) * (r[0] - p[0]) + (q[1] - p[1]) * (r[1] - p[1]));
  return Math.min(at(a, b, c), at(b, c, a), at(c, a, b));
};

/** Everything a triangulation must be: proper triangles, each outline edge once, inner edges twice, the whole area. */
function expectTriangulation(profile: PolygonProfile, triangles: Uint32Array, exact = false): number {
  const corners = cornersOf(profile);
  expect(triangles.length / 3).toBe(corners.length + 2 * profile.holes.length - 2);
  const edges = new Set<number>();
  let smallest = Math.PI;
  let area = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = triangles.subarray(i, i + 3);
    const twice = twiceArea(corners[a], corners[b], corners[c]);
    if (!(twice > 0)) throw new Error(`triangle ${a}, ${b}, ${c} has area ${twice / 2}`);
    area += twice / 2;
    smallest = Math.min(smallest, angles(corners[a], corners[b], corners[c]));
    for (const [p, q] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      const edge = p * corners.length + q;
      if (edges.has(edge)) throw new Error(`edge ${p}–${q} twice`);
      edges.add(edge);
    }
  }
  // Edges without a partner are exactly those of the outlines, each from corner to corner: no T-junctions
  const open = [...edges].filter(
    (e) => !edges.has((e % corners.length) * corners.length + Math.floor(e / corners.length)),
  );
  const expected = new Set<number>();
  let start = 0;
  for (const [r, ring] of [profile.outer, ...profile.holes].entries()) {
    const forwards = signedArea(ring) > 0 === (r === 0);
    for (let i = 0; i < ring.length; i++) {
      const [p, q] = [start + i, start + ((i + 1) % ring.length)];
      expected.add(forwards ? p * corners.length + q : q * corners.length + p);
    }
    start += ring.length;
  }
  expect(new Set(open)).toEqual(expected);
  if (exact) expect(area).toBe(profileArea(profile));
  else expect(Math.abs(area / profileArea(profile) - 1)).toBeLessThan(1e-12);
  return smallest;
}

/** Largest smallest angle over all triangulations of a simple polygon, by dynamic programming over its diagonals. */
function bestAngle(outline: Polygon): number {
  const n = outline.length;
  const side = (a: Vec2, b: Vec2, c: Vec2) => Math.sign(twiceArea(a, b, c));
  const isDiagonal = (i: number, j: number): boolean => {
    const [p, q] = [outline[i], outline[j]];
    for (let k = 0; k < n; k++) {
      const [a, b] = [outline[k], outline[(k + 1) % n]];
      if (
        k !== i &&
        k !== j &&
        side(p, q, a) === 0 &&
        (a[0] - p[0]) * (a[0] - q[0]) + (a[1] - p[1]) * (a[1] - q[1]) < 0
      )
        return false;
      if (side(a, b, p) * side(a, b, q) < 0 && side(p, q, a) * side(p, q, b) < 0) return false;
    }
    return placeOf([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2], outline) === 'inside';
  };
  const best = Array.from({ length: n }, () => new Array<number>(n).fill(Number.NEGATIVE_INFINITY));
  for (let i = 0; i + 1 < n; i++) best[i][i + 1] = Math.PI;
  for (let span = 2; span < n; span++)
    for (let i = 0; i + span < n; i++) {
      const j = i + span;
      if (span < n - 1 && !isDiagonal(i, j)) continue;
      for (let k = i + 1; k < j; k++)
        if (side(outline[i], outline[k], outline[j]) > 0)
          best[i][j] = Math.max(
            best[i][j],
            Math.min(best[i][k], best[k][j], angles(outline[i], outline[k], outline[j])),
          );
    }
  return best[0][n - 1];
}

const grid = (size: number) => fc.tuple(fc.integer({ min: 0, max: size }), fc.integer({ min: 0, max: size }));

test('the square, and a square whose sides have corners in between', () => {
  expect(
    triangulate([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]).length,
  ).toBe(6);
  const dotted: Polygon = [
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 0],
    [3, 1],
    [3, 3],
    [2, 3],
    [0, 3],
    [0, 2],
    [0, 1],
  ];
  expectTriangulation({ outer: dotted, holes: [] }, triangulate(dotted), true);
});

test('of polygons on small grids, full of collinear corners: exact area, and the best smallest angle there is', () => {
  let tried = 0;
  let collinear = 0;
  fc.assert(
    fc.property(fc.array(grid(5), { minLength: 3, maxLength: 10 }), (points) => {
      if (firstCrossing(points)) return;
      const outline = signedArea(points) > 0 ? points : points.toReversed();
      tried++;
      const n = outline.length;
      if (outline.some((p, i) => twiceArea(outline[(i + n - 1) % n], p, outline[(i + 1) % n]) === 0)) collinear++;
      const smallest = expectTriangulation({ outer: outline, holes: [] }, triangulate(outline), true);
      // Angles of an atan2 agree to rounding; ties between diagonals have equal smallest angles
      expect(smallest).toBeGreaterThan(bestAngle(outline) - 1e-12);
    }),
    { seed: 1986, numRuns: 8000 },
  );
  expect(tried).toBeGreaterThan(400);
  expect(collinear).toBeGreaterThan(100);
});

test('monotone pieces alone, before any flip, are proper triangles too', () => {
  let tried = 0;
  fc.assert(
    fc.property(fc.array(grid(5), { minLength: 4, maxLength: 10 }), (points) => {
      if (firstCrossing(points)) return;
      const outer = signedArea(points) > 0 ? points : points.toReversed();
      const n = outer.length;
      const next = Uint32Array.from(outer, (_, i) => (i + 1) % n);
      const previous = Uint32Array.from(outer, (_, i) => (i + n - 1) % n);
      expectTriangulation({ outer, holes: [] }, monotoneTriangles({ ...sweepEdges([outer], n), next, previous }), true);
      tried++;
    }),
    { seed: 3, numRuns: 4000 },
  );
  expect(tried).toBeGreaterThan(200);
});

test('with holes, whichever way outlines run', () => {
  let tried = 0;
  // Small holes scattered over an outline on a wide grid, so that many fit; ties are still common
  const hole = fc
    .tuple(grid(20), fc.array(grid(3), { minLength: 3, maxLength: 4 }))
    .map(([[x, y], corners]) => corners.map(([u, v]): Vec2 => [x + u, y + v]));
  fc.assert(
    fc.property(
      fc.array(
        grid(6).map(([x, y]): Vec2 => [4 * x, 4 * y]),
        { minLength: 3, maxLength: 7 },
      ),
      fc.array(hole, { minLength: 1, maxLength: 3 }),
      (outer, holes) => {
        if (firstCrossingAmong([outer, ...holes])) return;
        if (
          holes.some(
            (h, i) =>
              placeOf(h[0], outer) !== 'inside' || holes.some((g, j) => i !== j && placeOf(h[0], g) === 'inside'),
          )
        )
          return;
        tried++;
        expectTriangulation({ outer, holes }, triangulate({ outer, holes }), true);
      },
    ),
    { seed: 7, numRuns: 15_000 },
  );
  expect(tried).toBeGreaterThan(60);
});

test('of a plate with many holes on a grid, its corners in line with theirs', () => {
  const holes: Polygon[] = [];
  for (let i = 0; i < 12; i++)
    for (let j = 0; j < 12; j++)
      holes.push(
        translate(
          [2 * i + 1, 2 * j + 1],
          [
            [0, 0],
            [0, 1],
            [1, 1],
            [1, 0],
          ],
        ),
      );
  const outer: Vec2[] = [];
  for (let i = 0; i < 25; i++) outer.push([i, 0]);
  for (let i = 0; i < 25; i++) outer.push([25, i]);
  for (let i = 0; i < 25; i++) outer.push([25 - i, 25]);
  for (let i = 0; i < 25; i++) outer.push([0, 25 - i]);
  const profile = { outer, holes };
  const smallest = expectTriangulation(profile, triangulate(profile), true);
  // Every face is a unit square, and unit squares in halves are best
  expect((smallest * 180) / Math.PI).toBeCloseTo(45, 10);
});

test('of 20 000 corners, wavy and with holes, in seconds', () => {
  const outer = circleOutline(16_000, 1).map(([x, y], i): Vec2 => {
    const k = 1 + 0.1 * Math.sin((40 * 2 * Math.PI * i) / 16_000);
    return [k * x, k * y];
  });
  const holes = [circleOutline(2000, 0.3), translate([0.6, 0], circleOutline(2000, 0.1))];
  const start = performance.now();
  expectTriangulation({ outer, holes }, triangulate({ outer, holes }));
  expect(performance.now() - start).toBeLessThan(20_000); // about 0.4 s
});

test('turned and tiny: micrometres, with corners on straight lines only to rounding', () => {
  const dotted: Polygon = [
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 0],
    [3, 1],
    [3, 3],
    [2, 3],
    [0, 3],
    [0, 2],
    [0, 1],
  ];
  for (let k = 1; k < 50; k++) {
    const outer = rotate(0.1 * k, dotted).map(([x, y]): Vec2 => [1e-6 * x, 1e-6 * y]);
    expectTriangulation({ outer, holes: [] }, triangulate(outer));
  }
});

describe('refuses', () => {
  test('crossing outlines, stray holes, repeated corners', () => {
    expect(() =>
      triangulate([
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ]),
    ).toThrow('triangulate.profile: edges 0 and 2 cross at (0.5, 0.5) m');
    expect(() =>
      triangulate({
        outer: [
          [0, 0],
          [1, 0],
          [0, 1],
        ],
        holes: [
          [
            [5, 5],
            [6, 5],
            [5, 6],
          ],
        ],
      }),
    ).toThrow('triangulate.profile.holes[0]');
    expect(() =>
      triangulate([
        [0, 0],
        [1, 0],
        [1, 0],
        [0, 1],
      ]),
    ).toThrow('got 1 repeated ones');
  });
});
