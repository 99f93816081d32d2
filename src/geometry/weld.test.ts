import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openEdges } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';
import { coincidentVertices, weldMesh } from './weld.js';

const soup = (...points: [number, number, number][]): TriangleMesh => ({
  vertices: Float64Array.from(points.flat()),
  triangles: Uint32Array.from(points.keys()),
});

describe('exact welding', () => {
  test('a soup of tetrahedron faces becomes a closed tetrahedron', () => {
    const [a, b, c, d]: [number, number, number][] = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const welded = weldMesh(soup(a, c, b, a, b, d, b, c, d, a, d, c));
    expect([...welded.triangles]).toEqual([0, 1, 2, 0, 2, 3, 2, 1, 3, 0, 3, 1]);
    expect([...welded.vertices]).toEqual([...a, ...c, ...b, ...d]);
    expect(openEdges(welded)).toEqual([]);
  });
  test('−0 equals 0 and the first coordinates stay, bit by bit', () => {
    const welded = weldMesh(soup([-0, 1, 2], [0, 1, 2], [0, 1, 2.0000000000000004]));
    expect([...welded.triangles]).toEqual([0, 0, 1]);
    expect(Object.is(welded.vertices[0], -0)).toBe(true);
  });
  test('equals a search through all pairs', () => {
    const coordinate = fc.constantFrom(0, -0, 1, -1, 1e-300, 0.1, 0.1 + 2 ** -56);
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: 60 }), (points) => {
        const first = coincidentVertices(Float64Array.from(points.flat()));
        points.forEach((p, i) => {
          expect(first[i]).toBe(points.findIndex((q) => p.every((x, k) => x === q[k])));
        });
      }),
      { seed: 2 },
    );
  });
});

describe('welding with a tolerance', () => {
  test('groups are the connected parts of the nearness graph, named by their first vertex', () => {
    const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 2, maxLength: 40 }),
        fc.double({ min: 1e-4, max: 1, noNaN: true }),
        (points, fraction) => {
          const jittered = points.flatMap(([x, y, z]) => [
            [x, y, z],
            [x + 0.01 * fraction, y, z],
            [x, y - 0.006, z + 0.006],
          ]);
          jittered.push([5, 5, 5], [-5, -5, -5]); // fixes the size at 10 m, so that 0.01 m is 0.1 % of it
          const tolerance = 0.01;
          const near = (p: number[], q: number[]) =>
            (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2 <= tolerance ** 2;
          const label = jittered.map((_, i) => i);
          for (let changed = true; changed; ) {
            changed = false;
            for (let i = 0; i < jittered.length; i++)
              for (let j = 0; j < i; j++)
                if (label[i] !== label[j] && near(jittered[i], jittered[j])) {
                  label[i] = label[j] = Math.min(label[i], label[j]);
                  changed = true;
                }
          }
          expect([...coincidentVertices(Float64Array.from(jittered.flat()), tolerance)]).toEqual(label);
        },
      ),
      { seed: 3 },
    );
  });
  test('a part far from the origin welds as it does there', () => {
    const points = [0, 0, 0, 1, 0, 0, 1, 1e-6, 0, 0, 1, 0].map((x) => x + 1e4);
    expect([...coincidentVertices(Float64Array.from(points), 2e-6)]).toEqual([0, 1, 1, 3]);
  });
  test.each([-1, Number.NaN, 0.5])('refuses tolerance %f', (tolerance) => {
    expect(() => weldMesh(soup([0, 0, 0], [1, 0, 0], [0, 1, 0]), tolerance)).toThrow(/weld.tolerance: expected/);
  });
});

test('a soup of a million triangles welds in about a second', () => {
  // height field of 1000 × 500 quads as float32 triples, as a binary STL file has it
  const [n, m] = [1000, 500];
  const vertices = new Float64Array(18 * n * m);
  let at = 0;
  const put = (i: number, j: number) => {
    vertices[at++] = Math.fround(i * 0.1);
    vertices[at++] = Math.fround(j * 0.1);
    vertices[at++] = Math.fround(((i * 7919 + j * 104729) % 1000) * 1e-4);
  };
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++) {
      for (const [di, dj] of [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
        [1, 1],
        [0, 1],
      ])
        put(i + di, j + dj);
    }
  const triangles = new Uint32Array(vertices.length / 3).map((_, i) => i);
  const before = performance.now();
  const welded = weldMesh({ vertices, triangles });
  const time = performance.now() - before;
  expect(welded.vertices.length).toBe(3 * (n + 1) * (m + 1));
  expect(time).toBeLessThan(5000); // loose: guards against the wrong complexity on a busy machine
});
