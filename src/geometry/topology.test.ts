import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edgeTable, NONE, openEdges, shells, vertexComponents, vertexEdges, vertexTriangles } from './topology.js';
import { joinMeshes, type TriangleMesh, triangleMesh } from './triangle-mesh.js';

const tetrahedron = triangleMesh(
  [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0, 2, 1],
    [0, 1, 3],
    [1, 2, 3],
    [0, 3, 2],
  ],
);
const withTriangles = (vertices: number, triangles: number[]): TriangleMesh => ({
  vertices: new Float64Array(3 * vertices),
  triangles: Uint32Array.from(triangles),
});

describe('edges', () => {
  test('a tetrahedron has 6 edges, 2 half-edges on each, in ascending order', () => {
    const edges = edgeTable(tetrahedron);
    expect(edges.count).toBe(6);
    expect([...edges.vertices]).toEqual([0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]);
    expect([...edges.start]).toEqual([0, 2, 4, 6, 8, 10, 12]);
    expect([...vertexTriangles(tetrahedron).items.subarray(0, 3)]).toEqual([0, 1, 3]);
    expect([...vertexEdges(tetrahedron, edges).items.subarray(0, 3)]).toEqual([0, 1, 2]);
  });

  test('a table over random triangles equals a table made with a Map', () => {
    const index = fc.integer({ min: 0, max: 7 });
    fc.assert(
      fc.property(fc.array(fc.tuple(index, index, index), { maxLength: 30 }), (list) => {
        const mesh = withTriangles(8, list.flat());
        const expected = new Map<string, number[]>();
        const balance = new Map<string, number>();
        list.forEach((corners, t) => {
          for (let k = 0; k < 3; k++) {
            const [a, b] = [corners[k], corners[(k + 1) % 3]];
            const key = a < b ? `${a},${b}` : `${b},${a}`;
            expected.set(key, [...(expected.get(key) ?? []), 3 * t + k]);
            balance.set(key, (balance.get(key) ?? 0) + Math.sign(b - a));
          }
        });
        const edges = edgeTable(mesh);
        expect(edges.count).toBe(expected.size);
        for (let e = 0; e < edges.count; e++) {
          const halfEdges = [...edges.halfEdges.subarray(edges.start[e], edges.start[e + 1])];
          expect(halfEdges).toEqual(expected.get(edges.vertices.subarray(2 * e, 2 * e + 2).join()));
          for (const h of halfEdges) expect(edges.edgeOf[h]).toBe(e);
        }
        expect(openEdges(mesh).map(({ from, to }) => [Math.min(from, to), Math.max(from, to), Math.sign(to - from)]))
          // the same edges in the same order, each in the direction used more
          .toEqual(
            [...balance]
              .filter(([, n]) => n !== 0)
              .map(([key, n]) => [...key.split(',').map(Number), Math.sign(n)])
              .sort((p, q) => p[0] - q[0] || p[1] - q[1]),
          );
      }),
      { seed: 1 },
    );
  });
});

describe('open edges', () => {
  test('a closed mesh has none', () => expect(openEdges(tetrahedron)).toEqual([]));
  test('a missing triangle leaves its three sides, along the triangles that remain', () => {
    const open = withTriangles(4, [0, 2, 1, 0, 1, 3, 1, 2, 3]);
    expect(openEdges(open)).toEqual([
      { from: 0, to: 2 },
      { from: 3, to: 0 },
      { from: 2, to: 3 },
    ]);
    expect(openEdges(open, 2)).toHaveLength(2);
  });
  test('a flipped triangle shows its three sides', () => {
    expect(openEdges(withTriangles(4, [0, 1, 2, 0, 1, 3, 1, 2, 3, 0, 3, 2]))).toEqual([
      { from: 0, to: 1 },
      { from: 2, to: 0 },
      { from: 1, to: 2 },
    ]);
  });
  test('a triangle with a repeated index opens nothing', () => {
    expect(openEdges(withTriangles(4, [...tetrahedron.triangles, 0, 0, 1]))).toEqual([]);
  });
  test('an empty mesh has no edges', () => {
    expect(edgeTable(withTriangles(0, [])).count).toBe(0);
    expect(shells(withTriangles(3, [])).count).toBe(0);
  });
});

describe('parts', () => {
  test('two tetrahedra that share nothing, a vertex, an edge', () => {
    const apart = joinMeshes([tetrahedron, tetrahedron]);
    expect(shells(apart)).toEqual({ count: 2, labels: Uint32Array.of(0, 0, 0, 0, 1, 1, 1, 1) });
    expect(vertexComponents(apart).count).toBe(2);
    const renumber = (from: number[], to: number[]) => ({
      vertices: apart.vertices,
      triangles: apart.triangles.map((v) => (from.includes(v) ? to[from.indexOf(v)] : v)),
    });
    const touching = renumber([4], [0]);
    expect(shells(touching).count).toBe(2);
    expect(vertexComponents(touching)).toEqual({ count: 1, labels: Uint32Array.of(0, 0, 0, 0, NONE, 0, 0, 0) });
    expect(shells(renumber([4, 5], [0, 1])).count).toBe(1);
  });
});

test('a million triangles take well under a second', () => {
  // torus of 1000 × 500 quads; the time is measured loosely, it guards against the wrong complexity only
  const [n, m] = [1000, 500];
  const triangles = new Uint32Array(6 * n * m);
  for (let i = 0, h = 0; i < n; i++)
    for (let j = 0; j < m; j++) {
      const [a, b] = [i * m + j, ((i + 1) % n) * m + j];
      const [c, d] = [i * m + ((j + 1) % m), ((i + 1) % n) * m + ((j + 1) % m)];
      triangles.set([a, b, d, a, d, c], h);
      h += 6;
    }
  const mesh = { vertices: new Float64Array(3 * n * m), triangles };
  const before = performance.now();
  expect(openEdges(mesh)).toEqual([]);
  expect(performance.now() - before).toBeLessThan(3000);
  expect(shells(mesh).count).toBe(1);
});
