import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convexHull } from './hull.js';
import { sideOfPlane, sideOfPoint } from './side-of-plane.js';
import { edgeTable, openEdges } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';

type Triple = [number, number, number];

/** What makes a mesh the hull of the points, all by exact signs. */
function expectHull(points: readonly Triple[], hull: TriangleMesh): void {
  const { vertices, triangles } = hull;
  const faces = triangles.length / 3;
  expect(openEdges(hull)).toEqual([]);
  const edges = edgeTable(hull).count;
  expect(vertices.length / 3 - edges + faces).toBe(2); // Euler characteristic of a sphere
  expect(edges).toBe(1.5 * faces); // two triangles at every edge
  let outside = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    for (const [x, y, z] of points) if (sideOfPoint(vertices, a, b, c, x, y, z) > 0) outside++;
  }
  expect(outside).toBe(0);
  const known = new Set(points.map((p) => p.join()));
  for (let i = 0; i < vertices.length; i += 3) expect(known.has(vertices.subarray(i, i + 3).join())).toBe(true);
  // every vertex is a corner: some triangle's plane through its neighbours has it strictly in front or the hull
  // without it would be the same; checked by leaving each out
  if (vertices.length > 12 && vertices.length <= 60)
    for (let i = 0; i < vertices.length; i += 3) {
      const others = vertices.filter((_, k) => k < i || k >= i + 3);
      let inside = true;
      try {
        const smaller = convexHull(others);
        for (let t = 0; t < smaller.triangles.length; t += 3) {
          const [a, b, c] = [...smaller.triangles.subarray(t, t + 3)].map((v) => 3 * v);
          const [x, y, z] = vertices.subarray(i, i + 3);
          if (sideOfPoint(smaller.vertices, a, b, c, x, y, z) > 0) inside = false;
        }
      } catch {
        inside = false; // the others are flat
      }
      expect(inside).toBe(false);
    }
}

const flat = (points: readonly Triple[]) => Float64Array.from(points.flat());
const spans = (points: readonly Triple[]) => {
  const v = flat(points);
  for (let i = 3; i < v.length; i += 3)
    for (let j = 3; j < i; j += 3) for (let k = 3; k < j; k += 3) if (sideOfPlane(v, 0, i, j, k) !== 0) return true;
  return false;
};

describe('convex hull', () => {
  test('random clouds', () => {
    const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 4, maxLength: 60 }), (points) => {
        if (spans(points)) expectHull(points, convexHull(points));
        else expect(() => convexHull(points)).toThrow(/convexHull.points: all/);
      }),
      { seed: 21, numRuns: 100 },
    );
  });
  test('clouds on a coarse grid: most points coplanar, collinear or equal', () => {
    const coordinate = fc.integer({ min: 0, max: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 4, maxLength: 40 }), (points) => {
        if (spans(points)) expectHull(points, convexHull(points));
        else expect(() => convexHull(points)).toThrow(/convexHull.points: all/);
      }),
      { seed: 22, numRuns: 200 },
    );
  });
  test('clouds flat within a few roundings', () => {
    const coordinate = fc.integer({ min: -8, max: 8 }).map((i) => i / 3);
    const ulps = fc.integer({ min: -1, max: 1 });
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate, ulps), { minLength: 4, maxLength: 40 }), (list) => {
        // in the plane x + y + z = 1 but for the last bit of z
        const points = list.map(([x, y, e]): Triple => [x, y, 1 - x - y + e * 2 ** -52]);
        if (spans(points)) expectHull(points, convexHull(points));
        else expect(() => convexHull(points)).toThrow(/convexHull.points: all/);
      }),
      { seed: 23, numRuns: 200 },
    );
  });
  test('a grid of 9³ points has the 8 corners of the cube, 12 triangles and its volume', () => {
    const points: Triple[] = [];
    for (let i = 0; i < 729; i++) points.push([(i % 9) / 8, (Math.floor(i / 9) % 9) / 8, Math.floor(i / 81) / 8]);
    const hull = convexHull(points);
    expect(hull.vertices.length).toBe(24);
    expect(hull.triangles.length).toBe(36);
    expectHull(points, hull);
    let volume = 0;
    for (let t = 0; t < 36; t += 3) {
      const [a, b, c] = [...hull.triangles.subarray(t, t + 3)].map((v) => [
        ...hull.vertices.subarray(3 * v, 3 * v + 3),
      ]);
      volume +=
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    expect(volume).toBe(6); // six times the volume of the unit cube, in exact numbers
  });
  test('the order of points does not change the solid', () => {
    const points = Array.from({ length: 50 }, (_, i): Triple => [(i * 7) % 11, (i * 5) % 13, (i * 3) % 17]);
    const [forth, back] = [convexHull(points), convexHull(points.toReversed())];
    const set = (mesh: TriangleMesh) =>
      Array.from({ length: mesh.vertices.length / 3 }, (_, i) =>
        mesh.vertices.subarray(3 * i, 3 * i + 3).join(),
      ).sort();
    expect(set(forth)).toEqual(set(back));
  });
  test('20 000 points on a sphere are all corners', () => {
    // Fibonacci spiral
    const points = Array.from({ length: 20_000 }, (_, i): Triple => {
      const z = 1 - (2 * i + 1) / 20_000;
      const r = Math.sqrt(1 - z * z);
      return [r * Math.cos(2.399963229728653 * i), r * Math.sin(2.399963229728653 * i), z];
    });
    const hull = convexHull(flat(points));
    expect(hull.vertices).toEqual(flat(points)); // all, in the order given, bit by bit
    expect(hull.triangles.length / 3).toBe(2 * 20_000 - 4);
    // exact local convexity at every edge makes a closed surface of genus 0 convex
    const edges = edgeTable(hull);
    let reflex = 0;
    for (let e = 0; e < edges.count; e++) {
      const [h, g] = edges.halfEdges.subarray(2 * e, 2 * e + 2);
      const t = 3 * Math.floor(h / 3);
      const [a, b, c] = hull.triangles.subarray(t, t + 3);
      const opposite = hull.triangles[g % 3 === 0 ? g + 2 : g - 1];
      if (sideOfPlane(hull.vertices, 3 * a, 3 * b, 3 * c, 3 * opposite) > 0) reflex++;
    }
    expect(reflex).toBe(0);
  });
});

describe('refuses', () => {
  const refusal = (points: Triple[]) => () => convexHull(points);
  test('what spans no volume, and says so', () => {
    expect(
      refusal([
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ]),
    ).toThrow('convexHull.points: expected at least 4 points, got 3');
    expect(refusal(Array(5).fill([1, 2, 3]))).toThrow('all 5 points coincide');
    expect(refusal([0, 1, 2, 3].map((i) => [i, 2 * i, -i]))).toThrow('lie on one line');
    expect(
      refusal([
        [0, 0, 1],
        [1, 0, 1],
        [0, 1, 1],
        [0.3, 0.3, 1],
      ]),
    ).toThrow('lie in one plane');
    expect(
      refusal([
        [0, 0, 1],
        [1, 0, 1],
        [0, Number.NaN, 1],
        [0.3, 0.3, 1],
      ]),
    ).toThrow('convexHull.points[2].y: expected a finite');
    expect(() => convexHull(new Float64Array(13))).toThrow('expected 3 coordinates each, got 13 numbers');
  });
});
