// Every query of the tree against the same question put to every triangle, over random meshes and points chosen to
// cause trouble: on vertices, on edges, on faces, in line with them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildBvh, triangleBounds } from './bvh.js';
import { ClosestPoint, closestOnTriangle, closestPoint, signedDistance } from './closest-point.js';
import { selfPairs, trianglePairs, trianglesInBox } from './overlap-search.js';
import { isInside, locatePoint, windingNumber } from './point-location.js';
import { allHits, firstHit, RayHit } from './ray.js';
import { joinMeshes, type TriangleMesh, triangleMesh } from './triangle-mesh.js';

type Triple = [number, number, number];

/** Axis-aligned box of `cells` quads along each edge, two triangles each, outward. */
function box(min: Triple, max: Triple, cells = 1): TriangleMesh {
  const vertices: number[] = [];
  const triangles: number[] = [];
  const index = new Map<string, number>();
  const vertex = (p: number[]) => {
    const key = p.join();
    if (!index.has(key)) {
      index.set(key, vertices.length / 3);
      vertices.push(...p.map((i, k) => min[k] + ((max[k] - min[k]) * i) / cells));
    }
    return index.get(key)!;
  };
  for (let axis = 0; axis < 3; axis++)
    for (const side of [0, cells])
      for (let i = 0; i < cells; i++)
        for (let j = 0; j < cells; j++) {
          const at = (u: number, w: number) => {
            const p = [0, 0, 0];
            p[axis] = side;
            p[(axis + 1) % 3] = i + u;
            p[(axis + 2) % 3] = j + w;
            return vertex(p);
          };
          const [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
          triangles.push(...(side ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
        }
  return triangleMesh(vertices, triangles);
}

/** Closed torus around z, n × m quads. */
function torus(n: number, m: number): TriangleMesh {
  const vertices: Triple[] = [];
  const triangles: Triple[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < m; j++) {
      const [u, w] = [(2 * Math.PI * i) / n, (2 * Math.PI * j) / m];
      const r = 1 + 0.4 * Math.cos(w);
      vertices.push([r * Math.cos(u), r * Math.sin(u), 0.4 * Math.sin(w)]);
      const [a, b] = [i * m + j, ((i + 1) % n) * m + j];
      const [c, d] = [i * m + ((j + 1) % m), ((i + 1) % n) * m + ((j + 1) % m)];
      triangles.push([a, b, d], [a, d, c]);
    }
  return triangleMesh(vertices, triangles);
}

const half = fc.integer({ min: -4, max: 4 }).map((i) => i / 2);
const anywhere = fc.oneof(half, fc.double({ min: -3, max: 3, noNaN: true }));
const point = fc.tuple(anywhere, anywhere, anywhere);
/** Triangles with corners on a coarse grid or anywhere: needles, points, duplicates and crossings included. */
const randomMesh = fc
  .tuple(
    fc.array(point, { minLength: 3, maxLength: 20 }),
    fc.array(fc.tuple(fc.nat(19), fc.nat(19), fc.nat(19)), { minLength: 1, maxLength: 40 }),
  )
  .map(([points, list]) =>
    triangleMesh(
      points,
      list.map((corners) => corners.map((i) => i % points.length) as Triple),
    ),
  );
const corners = ({ vertices, triangles }: TriangleMesh, t: number): Triple[] =>
  [0, 1, 2].map((k) => [...vertices.subarray(3 * triangles[3 * t + k], 3 * triangles[3 * t + k] + 3)] as Triple);

describe('the tree', () => {
  const check = (mesh: TriangleMesh) => {
    const { boxes, links, order, depth } = buildBvh(mesh);
    expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()]);
    const bounds = triangleBounds(mesh);
    let deepest = 0;
    const visit = (node: number, level: number): number[] => {
      deepest = Math.max(deepest, level);
      const [p, q] = links.subarray(2 * node, 2 * node + 2);
      const inside = p < 0 ? [...order.subarray(q, q - p)] : [...visit(p, level + 1), ...visit(q, level + 1)];
      if (p < 0) expect(-p).toBeLessThanOrEqual(2);
      for (const t of inside)
        for (let k = 0; k < 3; k++) {
          expect(bounds[6 * t + k]).toBeGreaterThanOrEqual(boxes[6 * node + k] - boxes[6 * node + 3 + k]);
          expect(bounds[6 * t + 3 + k]).toBeLessThanOrEqual(boxes[6 * node + k] + boxes[6 * node + 3 + k]);
        }
      return inside;
    };
    expect(visit(0, 1).sort((a, b) => a - b)).toEqual([...order.keys()]);
    expect(deepest).toBe(depth);
  };
  test('holds every triangle once, in boxes that contain it', () => {
    fc.assert(fc.property(randomMesh, check), { seed: 4, numRuns: 200 });
  });
  test('above the size from which cuts are binned', () => {
    const mesh = torus(300, 60); // 36 000 triangles
    const tree = buildBvh(mesh);
    expect([...tree.order].sort((a, b) => a - b)).toEqual([...tree.order.keys()]);
    expect(tree.depth).toBeLessThan(30); // log2(36 000 / 2) = 14.1; halves by area are not halves by number
    const point = closestPoint(tree, 0.1, 1.2, 0.3);
    const all = new Float64Array(3);
    let least = Infinity;
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      const [a, b, c] = mesh.triangles.subarray(t, t + 3);
      least = Math.min(least, closestOnTriangle(mesh.vertices, 3 * a, 3 * b, 3 * c, 0.1, 1.2, 0.3, all));
    }
    expect(point.distance).toBe(Math.sqrt(least));
  });
  test('is flat over a thousand equal triangles', () => {
    const mesh = triangleMesh(
      [0, 0, 0, 1, 0, 0, 0, 1, 0],
      Array.from({ length: 1024 }, (): Triple => [0, 1, 2]),
    );
    expect(buildBvh(mesh).depth).toBe(10); // 1024 = 2 × 2⁹
  });
  test.each([1e-200, 1e200])('is as good in units of %f m', (scale) => {
    const mesh = torus(20, 10);
    const scaled = { ...mesh, vertices: mesh.vertices.map((x) => x * scale) };
    expect(buildBvh(scaled).depth).toBeLessThanOrEqual(buildBvh(mesh).depth + 1);
  });
  test('an empty mesh answers', () => {
    const tree = buildBvh({ vertices: new Float64Array(0), triangles: new Uint32Array(0) });
    expect(closestPoint(tree, 0, 0, 0).triangle).toBe(-1);
    expect(firstHit(tree, [0, 0, 0], [1, 0, 0]).triangle).toBe(-1);
    expect(isInside(tree, 0, 0, 0)).toBe(false);
  });
});

describe('closest point', () => {
  test('equals the least over all triangles, and lies on its triangle', () => {
    const into = new ClosestPoint();
    const out = new Float64Array(3);
    fc.assert(
      fc.property(randomMesh, point, (mesh, [x, y, z]) => {
        closestPoint(buildBvh(mesh), x, y, z, into);
        let least = Infinity;
        for (let t = 0; t < mesh.triangles.length; t += 3) {
          const [a, b, c] = mesh.triangles.subarray(t, t + 3);
          least = Math.min(least, closestOnTriangle(mesh.vertices, 3 * a, 3 * b, 3 * c, x, y, z, out));
        }
        expect(into.distance).toBe(Math.sqrt(least));
        const reached = Math.sqrt((into.x - x) ** 2 + (into.y - y) ** 2 + (into.z - z) ** 2);
        expect(Math.abs(reached - into.distance)).toBeLessThan(1e-14); // rounding of coordinates up to 3
      }),
      { seed: 5, numRuns: 500 },
    );
  });
  test('on a triangle equals the least over a fine sampling of it', () => {
    const out = new Float64Array(3);
    fc.assert(
      fc.property(point, point, point, point, (a, b, c, p) => {
        const squared = closestOnTriangle(Float64Array.from([...a, ...b, ...c]), 0, 3, 6, ...p, out);
        const n = 24;
        let least = Infinity;
        for (let i = 0; i <= n; i++)
          for (let j = 0; i + j <= n; j++) {
            let sum = 0;
            for (let k = 0; k < 3; k++) sum += ((a[k] * i + b[k] * j + c[k] * (n - i - j)) / n - p[k]) ** 2;
            least = Math.min(least, sum);
          }
        // no sample is nearer, and the nearest sample is off by less than the sample spacing
        const longest = Math.max(
          ...[a, b, c].flatMap((q, i) => q.map((x, k) => Math.abs(x - [b, c, a][i][k]) * Math.sqrt(3))),
        );
        expect(Math.sqrt(squared)).toBeLessThanOrEqual(Math.sqrt(least) + 1e-14);
        expect(Math.sqrt(squared)).toBeGreaterThanOrEqual(Math.sqrt(least) - longest / n);
      }),
      { seed: 6, numRuns: 500 },
    );
  });
  test('counts nothing beyond the distance asked for', () => {
    const tree = buildBvh(box([-1, -1, -1], [1, 1, 1]));
    expect(closestPoint(tree, 0, 0, 3, undefined, 1.9).triangle).toBe(-1);
    expect(closestPoint(tree, 0, 0, 3, undefined, 2).distance).toBe(2);
  });
  test('signed distance of a box, closed form', () => {
    const tree = buildBvh(box([-1, -2, -3], [1, 2, 3], 3));
    fc.assert(
      fc.property(point, ([x, y, z]) => {
        const [p, q, r] = [Math.abs(x) - 1, Math.abs(y) - 2, Math.abs(z) - 3];
        const outside = Math.sqrt(Math.max(p, 0) ** 2 + Math.max(q, 0) ** 2 + Math.max(r, 0) ** 2);
        const expected = outside > 0 ? outside : Math.max(p, q, r);
        expect(signedDistance(tree, x, y, z)).toBeCloseTo(expected, 13);
        if (expected !== 0) expect(Math.sign(signedDistance(tree, x, y, z))).toBe(Math.sign(expected));
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe('inside', () => {
  // A box of 4 × 4 × 4 quads in a coordinate grid: most test points are in line with vertices, edges and faces.
  const tree = buildBvh(box([-1, -1, -1], [1, 1, 1], 4));
  test('a box on a grid, every point of the grid, exactly', () => {
    for (let x = -1.5; x <= 1.5; x += 0.25)
      for (let y = -1.5; y <= 1.5; y += 0.25)
        for (let z = -1.5; z <= 1.5; z += 0.25) {
          const reach = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
          expect(locatePoint(tree, x, y, z)).toBe(Math.sign(1 - reach));
        }
  });
  test('one rounding inside and outside of a face', () => {
    expect(locatePoint(tree, 1 - 2 ** -53, 0.3, 0.7)).toBe(1);
    expect(locatePoint(tree, 1 + 2 ** -52, 0.3, 0.7)).toBe(-1);
    expect(locatePoint(tree, 1, 0.3, 0.7)).toBe(0);
    expect(locatePoint(tree, 0.25, -1, -1)).toBe(0);
  });
  test('a cavity is outside, two overlapping boxes count twice, a box turned inside out counts −1', () => {
    const inner = box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5], 2);
    const reversed = { ...inner, triangles: inner.triangles.slice().reverse() };
    const hollow = buildBvh(joinMeshes([box([-1, -1, -1], [1, 1, 1]), reversed]));
    expect(windingNumber(hollow, 0, 0, 0)).toBe(0);
    expect(locatePoint(hollow, 0, 0, 0)).toBe(-1);
    expect(locatePoint(hollow, 0.75, 0, 0)).toBe(1);
    expect(windingNumber(buildBvh(joinMeshes([inner, inner])), 0, 0, 0)).toBe(2);
    expect(windingNumber(buildBvh(reversed), 0, 0, 0)).toBe(-1);
  });
  test('a torus against its formula, away from its facets', () => {
    const ring = buildBvh(torus(64, 32));
    fc.assert(
      fc.property(point, ([x, y, z]) => {
        const r = Math.sqrt((Math.sqrt(x * x + y * y) - 1) ** 2 + z * z);
        // facets lie within the torus and deviate by less than R (1 − cos(π/64)) + r (1 − cos(π/32)) < 0.004
        if (r < 0.4 && r > 0.395) return;
        expect(locatePoint(ring, x, y, z)).toBe(r < 0.4 ? 1 : -1);
      }),
      { seed: 8, numRuns: 1000 },
    );
  });
  test('points on a mesh with random coordinates: vertices are on it', () => {
    const mesh = torus(13, 7);
    const ring = buildBvh(mesh);
    for (let i = 0; i < mesh.vertices.length; i += 3) {
      const [x, y, z] = mesh.vertices.subarray(i, i + 3);
      expect(locatePoint(ring, x, y, z)).toBe(0);
    }
  });
});

describe('rays', () => {
  test('first hit is the least of all hits, all hits equal those of every triangle alone', () => {
    const direction = fc
      .tuple(fc.integer({ min: -2, max: 2 }), anywhere, anywhere)
      .filter((d) => d.some((x) => Math.abs(x) > 1e-3));
    const into = new RayHit();
    fc.assert(
      fc.property(randomMesh, point, direction, (mesh, origin, d) => {
        const tree = buildBvh(mesh);
        const hits = allHits(tree, origin, d);
        firstHit(tree, origin, d, into);
        expect(into.parameter).toBe(hits.length > 0 ? hits[0].parameter : Infinity);
        expect(into.triangle).toBe(hits.length > 0 ? hits[0].triangle : -1);
        const alone = [];
        for (let t = 0; t < mesh.triangles.length / 3; t++) {
          const single = triangleMesh(corners(mesh, t), [[0, 1, 2]]);
          if (firstHit(buildBvh(single), origin, d).triangle === 0) alone.push(t);
        }
        expect(hits.map((hit) => hit.triangle).sort((a, b) => a - b)).toEqual(alone);
        for (const { triangle, parameter } of hits) {
          const p = origin.map((x, k) => x + parameter * d[k]) as Triple;
          const flat = Float64Array.from(corners(mesh, triangle).flat());
          const off = closestOnTriangle(flat, 0, 3, 6, ...p, new Float64Array(3));
          // rounding 1e-16 of coordinates up to 3, times the slope of triangles seen almost edge on
          expect(Math.sqrt(off)).toBeLessThan(1e-6);
        }
      }),
      { seed: 9, numRuns: 300 },
    );
  });
  test('through a closed mesh every ray enters as often as it leaves, aimed at vertices and edges too', () => {
    const mesh = torus(24, 12);
    const tree = buildBvh(mesh);
    const target = fc.tuple(fc.nat(mesh.triangles.length / 3 - 1), fc.constantFrom(0, 0.5, 1 / 3));
    fc.assert(
      fc.property(target, point, ([t, weight], direction) => {
        if (!direction.some((x) => Math.abs(x) > 1e-3)) return;
        const [a, b, c] = corners(mesh, t);
        const through = a.map((x, k) => x + weight * (b[k] - x) + (weight === 1 / 3 ? (c[k] - x) / 3 : 0));
        const origin = through.map((x, k) => x - 8 * direction[k]) as Triple;
        if (origin.every((x) => Math.abs(x) < 2)) return;
        const hits = allHits(tree, origin, direction);
        expect(hits.reduce((sum, hit) => sum + hit.facing, 0)).toBe(0);
        if (weight === 1 / 3) expect(hits.length).toBeGreaterThan(0);
      }),
      { seed: 10, numRuns: 1000 },
    );
  });
  test('hits a box where it must', () => {
    const tree = buildBvh(box([-1, -1, -1], [1, 1, 1], 2));
    const hits = allHits(tree, [-3, 0, 0], [2, 0, 0]); // through the vertices in the middle of two faces
    expect(hits.map(({ parameter, facing }) => [parameter, facing])).toEqual([
      [1, -1],
      [2, 1],
    ]);
    expect(firstHit(tree, [-3, 0, 0], [2, 0, 0], undefined, 0.99).triangle).toBe(-1);
    expect(firstHit(tree, [0, 0, 0], [0, 0, -4])).toMatchObject({ parameter: 0.25, facing: 1 });
    expect(firstHit(tree, [0, 0, 3], [0, 0, -4])).toMatchObject({ parameter: 0.5, facing: -1 });
  });
  test.each([[[0, 0, 0]], [[0, Number.NaN, 1]], [[Infinity, 0, 0]]])('refuses direction %o', (direction) => {
    expect(() => firstHit(buildBvh(torus(3, 3)), [0, 0, 0], direction as Triple)).toThrow(/ray: expected/);
  });
});

describe('overlaps of boxes', () => {
  const overlap = (bounds: Float64Array, s: number, other: Float64Array, t: number) =>
    [0, 1, 2].every((k) => bounds[6 * s + k] <= other[6 * t + 3 + k] && other[6 * t + k] <= bounds[6 * s + 3 + k]);
  test('pairs within a mesh and between two equal those of a double loop', () => {
    fc.assert(
      fc.property(randomMesh, randomMesh, (mesh, other) => {
        const [p, q] = [triangleBounds(mesh), triangleBounds(other)];
        const expected: string[] = [];
        const between: string[] = [];
        for (let s = 0; s < p.length / 6; s++) {
          for (let t = s + 1; t < p.length / 6; t++) if (overlap(p, s, p, t)) expected.push(`${s},${t}`);
          for (let t = 0; t < q.length / 6; t++) if (overlap(p, s, q, t)) between.push(`${s},${t}`);
        }
        const found: string[] = [];
        selfPairs(buildBvh(mesh), (s, t) => found.push(`${s},${t}`) > 0);
        expect(found.sort()).toEqual(expected.sort());
        const foundBetween: string[] = [];
        trianglePairs(buildBvh(mesh), buildBvh(other), (s, t) => foundBetween.push(`${s},${t}`) > 0);
        expect(foundBetween.sort()).toEqual(between.sort());
      }),
      { seed: 11, numRuns: 200 },
    );
  });
  test('triangles in a box equal those of a loop', () => {
    fc.assert(
      fc.property(randomMesh, point, point, (mesh, p, q) => {
        const min = p.map((x, k) => Math.min(x, q[k])) as Triple;
        const max = p.map((x, k) => Math.max(x, q[k])) as Triple;
        const bounds = triangleBounds(mesh);
        const found: number[] = [];
        trianglesInBox(buildBvh(mesh), min, max, (t) => found.push(t));
        const expected = [...Array(bounds.length / 6).keys()].filter((t) =>
          overlap(bounds, t, Float64Array.from([...min, ...max]), 0),
        );
        expect(found.sort((a, b) => a - b)).toEqual(expected);
      }),
      { seed: 12, numRuns: 200 },
    );
  });
});
