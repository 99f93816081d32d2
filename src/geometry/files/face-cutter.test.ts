import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FaceCutter } from './face-cutter.js';
import { GrowingUint32 } from './growing.js';

type Point = readonly [number, number];

/** Lifts a plane polygon into space: onto the plane z = x + 2 y or another, so that every axis leads once. */
const PLANES: ((p: Point) => [number, number, number])[] = [
  ([x, y]) => [x, y, 0],
  ([x, y]) => [y, x, 3],
  ([x, y]) => [5, x, y],
  ([x, y]) => [x + 0.1 * y, 0.2 * x, y],
  ([x, y]) => [0.3 * x + y, x, 0.25 * y - x],
];

function cut(polygon: readonly Point[], lift = PLANES[0]): { triangles: number[][]; crossing: number } {
  const cutter = new FaceCutter(Float64Array.from(polygon.flatMap(lift)), 'a.obj');
  const out = new GrowingUint32();
  const corners = Uint32Array.from(polygon, (_, i) => i);
  cutter.cut(corners, 0, corners.length, out, () => 'line 1');
  const triangles = Array.from({ length: out.length / 3 }, (_, t) => [...out.values.slice(3 * t, 3 * t + 3)]);
  return { triangles, crossing: cutter.crossing };
}

const doubleArea = (points: readonly Point[]): number =>
  points.reduce((sum, [x, y], i) => {
    const [u, v] = points[(i + 1) % points.length];
    return sum + x * v - y * u;
  }, 0);

/** n − 2 triangles; inner edges twice, once each way; outer edges once, as in the polygon; areas add up. */
function expectProper(polygon: readonly Point[], triangles: readonly number[][]): void {
  expect(triangles.length).toBe(polygon.length - 2);
  const edges = new Map<string, number>();
  for (const [a, b, c] of triangles)
    for (const edge of [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]) edges.set(edge, (edges.get(edge) ?? 0) + 1);
  for (const count of edges.values()) expect(count).toBe(1);
  const open = [...edges.keys()].filter((edge) => !edges.has(edge.split(' ').reverse().join(' ')));
  expect(open.sort()).toEqual(polygon.map((_, i) => `${i} ${(i + 1) % polygon.length}`).sort());
  const sign = Math.sign(doubleArea(polygon));
  const areas = triangles.map((triangle) => sign * doubleArea(triangle.map((i) => polygon[i])));
  for (const area of areas) expect(area).toBeGreaterThanOrEqual(-1e-12);
  expect(areas.reduce((a, b) => a + b, 0)).toBeCloseTo(Math.abs(doubleArea(polygon)), 10);
}

const arrow: Point[] = [
  [0, 0],
  [4, 0],
  [4, 3],
  [2, 1],
  [0, 3],
];
const dart: Point[] = [
  [0, 0],
  [2, -1],
  [0.5, 0],
  [2, 1],
];
const squareWithMiddles: Point[] = [
  [0, 0],
  [1, 0],
  [2, 0],
  [2, 1],
  [2, 2],
  [1, 2],
  [0, 2],
  [0, 1],
];
const comb: Point[] = [
  ...Array.from({ length: 40 }, (_, i): Point => [i, i % 2 === 0 ? 0 : 3]),
  ...Array.from({ length: 40 }, (_, i): Point => [39 - i, (39 - i) % 2 === 0 ? 1 : 4]),
];

describe('each face keeps its corners, winding and area', () => {
  for (const [name, polygon] of Object.entries({ arrow, dart, squareWithMiddles, comb }))
    test.each([0, 1, 2, 3, 4])(`${name}, plane %i`, (plane) => {
      const { triangles, crossing } = cut(polygon, PLANES[plane]);
      expectProper(polygon, triangles);
      expect(crossing).toBe(0);
      // The other way round, and from every first corner.
      for (let first = 0; first < Math.min(8, polygon.length); first++) {
        const turned = [...polygon.slice(first), ...polygon.slice(0, first)];
        expectProper(turned, cut(turned, PLANES[plane]).triangles);
        turned.reverse();
        expectProper(turned, cut(turned, PLANES[plane]).triangles);
      }
    });

  test('star-shaped polygons', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 4, maxLength: 60 }), (radii) => {
        const polygon = radii.map((r, i): Point => {
          const angle = (2 * Math.PI * i) / radii.length;
          return [r * Math.cos(angle), r * Math.sin(angle)];
        });
        expectProper(polygon, cut(polygon, PLANES[radii.length % 5]).triangles);
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

test('quadrilaterals take the shorter diagonal', () => {
  const kite: Point[] = [
    [0, 0],
    [1, -3],
    [2, 0],
    [1, 3],
  ];
  expect(cut(kite).triangles).toEqual([
    [0, 1, 2],
    [0, 2, 3],
  ]);
  expect(cut([...kite.slice(1), kite[0]]).triangles).toEqual([
    [1, 2, 3],
    [1, 3, 0],
  ]);
});

test('a round face has no slivers: angles of a halved circle are as wide as its corners allow', () => {
  const n = 100_000;
  const circle = Array.from(
    { length: n },
    (_, i): Point => [Math.cos((2 * Math.PI * i) / n), Math.sin((2 * Math.PI * i) / n)],
  );
  const start = performance.now();
  const { triangles } = cut(circle);
  expect(performance.now() - start).toBeLessThan(5000); // n, not n²
  expect(triangles.length).toBe(n - 2);
  // A fan would put all n − 2 triangles around one corner; halving puts at most about 2 log₂ n there.
  const uses = new Uint32Array(n);
  for (const triangle of triangles) for (const i of triangle) uses[i]++;
  expect(Math.max(...uses.subarray(0, 50_000))).toBeLessThan(40);
});

describe('faces that cannot be cut properly keep their edges', () => {
  test('without area', () => {
    const line = Array.from({ length: 6 }, (_, i): Point => [i, 0]);
    expect(cut(line).triangles.length).toBe(4);
    expect(cut(Array(5).fill([1, 1])).triangles.length).toBe(3);
  });

  test('crossing themselves', () => {
    const pentagram = [0, 2, 4, 1, 3].map((i): Point => [Math.cos(1.2566 * i), Math.sin(1.2566 * i)]);
    expect(cut(pentagram).triangles.length).toBe(3);
    const bowTie: Point[] = [
      [0, 0],
      [2, 3],
      [2, 0],
      [0, 1],
    ];
    const { triangles, crossing } = cut(bowTie);
    expect(triangles.length).toBe(2);
    expect(crossing).toBe(1);
  });

  test('with coordinates near the end of the range', () => {
    const big = arrow.map(([x, y]): Point => [x * 1e307, y * 1e307]);
    expect(cut(big).triangles).toEqual(cut(arrow).triangles);
    expect(cut(arrow.map(([x, y]): Point => [(x - 2) * 8e307, y])).triangles.length).toBe(3);
  });
});

test('a concave face with too many corners is refused', () => {
  const star = Array.from({ length: 6000 }, (_, i): Point => {
    const r = 1 + (i % 2);
    return [r * Math.cos((2 * Math.PI * i) / 6000), r * Math.sin((2 * Math.PI * i) / 6000)];
  });
  expect(() => cut(star)).toThrow('a.obj, line 1: expected a face of at most 5000 corners unless convex, got 6000');
});

// Cutting ears off such a face takes cubic time: minutes for these, far beyond what a test may last.
test.each([
  ['the same three corners', (i: number): Point => [[0, 0] as const, [1, 0] as const, [0, 1] as const][i % 3]],
  ['a star that is run through many times', (i: number): Point => [((i * 3) % 7) % 5, ((i * 5) % 7) % 3]],
])('%s again and again, 4900 times, are cut from the first and counted', (_, at) => {
  const { triangles, crossing } = cut(Array.from({ length: 4900 }, (_, i) => at(i)));
  expect(triangles).toHaveLength(4898);
  expect(crossing).toBe(1);
});
