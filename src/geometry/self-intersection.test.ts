// The dimension of what two triangles have in common, against an independent computation with integers of any length.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { selfIntersections } from './self-intersection.js';
import { joinMeshes, type TriangleMesh, triangleMesh } from './triangle-mesh.js';
import { meetingOf, meetingPoint } from './triangle-pair.js';

type Triple = [number, number, number];
/** x/w, y/w, z/w with w > 0 */
type Exact = [bigint, bigint, bigint, bigint];

const minus = (p: bigint[], q: bigint[]) => p.map((x, k) => x - q[k]);
const cross = (p: bigint[], q: bigint[]) =>
  [0, 1, 2].map((k) => p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3]);
const dot = (p: bigint[], q: bigint[]) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];

/** The part of a polygon where m·x ≥ m·a, border included. */
function clip(polygon: Exact[], m: bigint[], a: bigint[]): Exact[] {
  const side = (p: Exact) => dot(m, p) - dot(m, a) * p[3];
  return polygon.flatMap((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    const [s, t] = [side(p), side(q)];
    const kept: Exact[] = s >= 0n ? [p] : [];
    if ((s > 0n && t < 0n) || (s < 0n && t > 0n)) {
      // p + λ (q − p) with λ = (s/wp) / (s/wp − t/wq), in homogeneous coordinates
      const [u, w] = s > 0n ? [s, -t] : [-s, t];
      kept.push([0, 1, 2, 3].map((k) => w * p[k] + u * q[k]) as Exact);
    }
    return kept;
  });
}

/** Dimension of the common part of two triangles: clip B to the plane of A and to the three sides of A. −2: no area */
function dimension(a: Triple[], b: Triple[]): number {
  const [p, q, r] = a.map((c) => c.map(BigInt));
  const n = cross(minus(q, p), minus(r, p));
  const [i, j, k] = b.map((c) => c.map(BigInt));
  const isZero = (x: bigint[]) => x.every((c) => c === 0n);
  if (isZero(n) || isZero(cross(minus(j, i), minus(k, i)))) return -2;
  let polygon = [i, j, k].map((c) => [...c, 1n] as Exact);
  polygon = clip(
    clip(polygon, n, p),
    n.map((x) => -x),
    p,
  );
  for (const [from, to] of [
    [p, q],
    [q, r],
    [r, p],
  ])
    polygon = clip(polygon, cross(n, minus(to, from)), from);
  if (polygon.length === 0) return -1;
  const [o, ...rest] = polygon;
  const arrows = rest.map((c) => [0, 1, 2].map((x) => c[x] * o[3] - o[x] * c[3])).filter((c) => !isZero(c));
  if (arrows.length === 0) return 0;
  return arrows.every((c) => isZero(cross(arrows[0], c))) ? 1 : 2;
}

describe('two triangles', () => {
  const coordinate = fc.integer({ min: 0, max: 3 });
  const corner = fc.tuple(coordinate, coordinate, coordinate);
  const agrees = (a: Triple[], b: Triple[]) => {
    const points: Triple[] = [];
    const place = (c: Triple) => {
      let at = points.findIndex((p) => p.join() === c.join());
      if (at < 0) at = points.push(c) - 1;
      return 3 * at;
    };
    const corners = [...a, ...b].map(place) as [number, number, number, number, number, number];
    const v = Float64Array.from(points.flat());
    const shared = b.filter((c) => a.some((d) => c.join() === d.join())).length;
    const exact = dimension(a, b);
    // a common corner makes dimension 0, a common side dimension 1: only more than that is a meeting
    const expected = exact === -2 || (shared < 3 && exact <= shared - 1) ? -1 : exact;
    const found = meetingOf(v, ...corners);
    expect(found).toBe(expected);
    // in either order, turned and flipped
    const [a0, a1, a2, b0, b1, b2] = corners;
    if (found >= 0) {
      const at = meetingPoint.slice();
      for (const t of [a, b]) {
        const normal = cross(minus(t[1].map(BigInt), t[0].map(BigInt)), minus(t[2].map(BigInt), t[0].map(BigInt))).map(
          Number,
        );
        const off = normal.reduce((sum, x, k) => sum + x * (at[k] - t[0][k]), 0);
        expect(Math.abs(off)).toBeLessThan(1e-12); // rounding of coordinates up to 3, normals up to 18
        for (let k = 0; k < 3; k++) {
          expect(at[k]).toBeGreaterThan(Math.min(...t.map((c) => c[k])) - 1e-12);
          expect(at[k]).toBeLessThan(Math.max(...t.map((c) => c[k])) + 1e-12);
        }
      }
    }
    expect(meetingOf(v, b0, b1, b2, a0, a1, a2)).toBe(expected);
    expect(meetingOf(v, a2, a1, a0, b1, b2, b0)).toBe(expected);
  };
  test('with corners on a coarse grid, any positions', () => {
    fc.assert(fc.property(fc.tuple(corner, corner, corner), fc.tuple(corner, corner, corner), agrees), {
      seed: 31,
      numRuns: 4000,
    });
  });
  test('with a common corner', () => {
    fc.assert(
      fc.property(corner, fc.tuple(corner, corner), fc.tuple(corner, corner), (p, a, b) =>
        agrees([p, ...a], [b[0], p, b[1]]),
      ),
      { seed: 32, numRuns: 4000 },
    );
  });
  test('with a common side', () => {
    fc.assert(
      fc.property(corner, corner, corner, corner, (p, q, a, b) => agrees([p, q, a], [q, p, b])),
      { seed: 33, numRuns: 2000 },
    );
  });
  test('in one plane', () => {
    const flat = fc.tuple(coordinate, coordinate).map(([x, y]): Triple => [x, y, 3 - x]);
    fc.assert(fc.property(fc.tuple(flat, flat, flat), fc.tuple(flat, flat, flat), agrees), { seed: 34, numRuns: 4000 });
  });
});

const cube = (min: Triple, max: Triple): TriangleMesh =>
  triangleMesh(
    [0, 1, 2, 3, 4, 5, 6, 7].map(
      (i): Triple => [i & 1 ? max[0] : min[0], i & 2 ? max[1] : min[1], i & 4 ? max[2] : min[2]],
    ),
    [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5],
  );
const kinds = ({ crossing, overlapping, touching }: ReturnType<typeof selfIntersections>) => [
  crossing,
  overlapping,
  touching,
];

describe('meshes', () => {
  const unit = cube([0, 0, 0], [1, 1, 1]);
  test('a cube has none, far from the origin and tilted neither', () => {
    expect(kinds(selfIntersections(unit))).toEqual([0, 0, 0]);
    const tilted = unit.vertices.map((_, i, v) => {
      const [x, y, z] = v.subarray(3 * Math.floor(i / 3), 3 * Math.floor(i / 3) + 3);
      return 1e6 + [0.6 * x - 0.8 * y, 0.64 * x + 0.48 * y - 0.6 * z, 0.48 * x + 0.36 * y + 0.8 * z][i % 3];
    });
    expect(kinds(selfIntersections({ ...unit, vertices: tilted }))).toEqual([0, 0, 0]);
  });
  test('two cubes that overlap, that touch with faces, that are one rounding apart', () => {
    const overlapping = selfIntersections(joinMeshes([unit, cube([0.5, 0.5, 0.5], [1.5, 1.5, 1.5])]));
    expect(overlapping.crossing).toBeGreaterThan(0);
    for (const { at } of overlapping.list) {
      // the crossing curve lies on both surfaces: some coordinate 1 and some 0.5, all between
      expect(at.some((x) => Math.abs(x - 1) < 1e-15) && at.some((x) => Math.abs(x - 0.5) < 1e-15)).toBe(true);
      for (const x of at) expect(x >= 0.5 && x <= 1).toBe(true);
    }
    // faces of two triangles each, on top of each other with the same diagonal
    const flush = selfIntersections(joinMeshes([unit, cube([1, 0, 0], [2, 1, 1])]));
    expect(kinds(flush)).toEqual([0, 2, 0]);
    const shifted = selfIntersections(joinMeshes([unit, cube([1, 0.5, 0], [2, 1.5, 1])]));
    expect(shifted.overlapping).toBeGreaterThan(0);
    const gap = 1 + 2 ** -52;
    expect(kinds(selfIntersections(joinMeshes([unit, cube([gap, 0.1, 0.1], [2, 0.9, 0.9])])))).toEqual([0, 0, 0]);
    expect(
      selfIntersections(joinMeshes([unit, cube([1 - 2 ** -53, 0.1, 0.1], [2, 0.9, 0.9])])).crossing,
    ).toBeGreaterThan(0);
  });
  test('a neighbour folded back onto its neighbour is found', () => {
    const folded = triangleMesh(
      [
        [0, 0, 0],
        [2, 0, 0],
        [1, 2, 0],
        [1, 1, 0],
      ],
      [
        [0, 1, 2],
        [1, 0, 3],
      ],
    );
    expect(kinds(selfIntersections(folded))).toEqual([0, 1, 0]);
    const small = { ...folded, vertices: folded.vertices.map((x) => x / 1024) };
    expect(kinds(selfIntersections(small))).toEqual([0, 1, 0]);
    const open = { ...folded, vertices: folded.vertices.map((x, i) => (i === 10 ? -1 : x)) };
    expect(kinds(selfIntersections(open))).toEqual([0, 0, 0]);
  });
  test('a tip on a face touches in a point', () => {
    const tip = triangleMesh([0.5, 0.4, 1, 0, 0, 2, 1, 0, 2, 0.5, 1, 2], [0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3]);
    const { crossing, overlapping, touching, list } = selfIntersections(joinMeshes([unit, tip]));
    expect([crossing, overlapping]).toEqual([0, 0]);
    expect(touching).toBe(3); // the three triangles at the tip with the one it stands on
    expect(list[0].at).toEqual([0.5, 0.4, 1]);
  });
  test('the list is limited and in the order of triangles, the counts are not', () => {
    const both = joinMeshes([unit, cube([0.5, 0.5, 0.5], [1.5, 1.5, 1.5])]);
    const all = selfIntersections(both, Infinity);
    const few = selfIntersections(both, 2);
    expect(kinds(few)).toEqual(kinds(all));
    expect(few.list).toEqual(all.list.slice(0, 2));
    expect(all.complete).toBe(true);
  });
  test('ten thousand copies of one triangle end the search early', () => {
    const copies = triangleMesh(
      [0, 0, 0, 1, 0, 0, 0, 1, 0],
      Array.from({ length: 10_000 }, (): Triple => [0, 1, 2]),
    );
    expect(selfIntersections(copies)).toMatchObject({ complete: false, overlapping: 1_000_000 });
  });
});
