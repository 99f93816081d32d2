// A half-space with convex solids and meshes: closed forms, the general overlap of meshes with a huge slab in its place, differences.
import { describe, expect, test } from 'vitest';
import { assortedMeshes, block, HERE, L_OUTLINE, type Placement } from '../../../tests/fixtures/overlap.js';
import { gradientDifference, OnRoute } from '../../../tests/fixtures/route-gradient.js';
import {
  box,
  cone,
  convexHull,
  extrude,
  halfSpace,
  joinMeshes,
  type Solid,
  sphere,
  type TriangleMesh,
  torus,
  translate,
} from '../../geometry/index.js';
import { fromAxisAngle, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import type { Vec3 } from '../../math/vec3.js';
import { PATCH } from '../contact-patches.js';
import { MeshRoute, OverlapBody, prepareMesh } from '../mesh-overlap/index.js';
import { halfSpaceRoute, MeshHalfSpace } from './index.js';

const solidOf = (mesh: TriangleMesh): Solid => ({ ...box(1), mesh, form: { kind: 'mesh' } });
const on = (solid: Solid, options = {}) => new OnRoute(halfSpaceRoute(halfSpace(), solid, 0, 1, options)!);
/** The same solid by the route for meshes, convex or not. */
const asMesh = ({ mesh }: Solid) => new OnRoute(new MeshHalfSpace(prepareMesh(mesh), 0, 1));
const at = (x: number, y: number, z: number): Placement => ({ ...HERE, position: [x, y, z] });

describe('closed forms', () => {
  test.each([
    ['convex', on(box([1, 2, 0.5]))],
    ['mesh', asMesh(box([1, 2, 0.5]))],
  ])('a flat box, %s', (_, pair) => {
    for (const depth of [0.3, 1e-3, 1e-6, 1e-9, 1e-12]) {
      const z = 0.25 - depth;
      const given = 0.25 - z; // the depth that the coordinates hold
      const {
        count,
        volume,
        depth: d,
        extent,
        area,
        centroid,
        normal,
        vectorArea,
        patchCentroid,
        secondMoments,
      } = pair.find(HERE, at(3, -4, z));
      expect(count).toBe(1);
      expect(Math.abs(volume[0] / (2 * given) - 1)).toBeLessThan(1e-15);
      expect(Math.abs(d[0] / (2 * given) - 1)).toBeLessThan(1e-15);
      expect(Math.abs(extent[0] / given - 1)).toBeLessThan(1e-15);
      expect(area[0]).toBeCloseTo(2, 14);
      expect([...normal.slice(0, 3)]).toEqual([0, 0, 1]);
      expect(vectorArea[2]).toBeCloseTo(2, 14);
      expect(centroid[0]).toBeCloseTo(3, 12);
      expect(centroid[1]).toBeCloseTo(-4, 12);
      expect(centroid[2]).toBeCloseTo(-given / 2, 14);
      expect(patchCentroid[2]).toBeCloseTo(0, 15);
      expect(secondMoments[0]).toBeCloseTo(2 / 12, 13);
      expect(secondMoments[1]).toBeCloseTo(8 / 12, 13);
    }
    for (const z of [0.25, 0.25 + 1e-15, 1]) expect(pair.find(HERE, at(0, 0, z)).count).toBe(0);
  });

  // A corner of a cube sunk by δ under a plane with normal n in the cube's axes: V = δ³/(6 n₁n₂n₃), centroid at δ/4, 2V/|S| = 2δ/3.
  test('the corner of a cube', () => {
    const turn = fromAxisAngle([0.3, -0.5, 0.2], 0.8);
    for (const pair of [on(box(1)), asMesh(box(1))])
      for (const depth of [0.05, 1e-3, 1e-6, 1e-9]) {
        const corners = [-0.5, 0.5].flatMap((x) =>
          [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z) => rotate(turn, [x, y, z]))),
        );
        const lowest = Math.min(...corners.map(([, , z]) => z));
        const n = rotate([turn[0], -turn[1], -turn[2], -turn[3]], [0, 0, 1]);
        const {
          volume,
          depth: d,
          extent,
          centroid,
          count,
        } = pair.find(HERE, { position: [0.2, 0.1, -lowest - depth], orientation: turn });
        expect(count).toBe(1);
        const tolerance = (20 * 2.3e-16) / depth + 1e-13;
        const expected = depth ** 3 / (6 * Math.abs(n[0] * n[1] * n[2]));
        expect(Math.abs(volume[0] / expected - 1)).toBeLessThan(3 * tolerance);
        expect(Math.abs(d[0] / ((2 / 3) * depth) - 1)).toBeLessThan(3 * tolerance);
        expect(Math.abs(extent[0] / depth - 1)).toBeLessThan(tolerance);
        expect(Math.abs(centroid[2] / (-depth / 4) - 1)).toBeLessThan(3 * tolerance);
      }
  });

  test('wholly below: flagged, with the plane’s normal and no vector area', () => {
    for (const pair of [on(box(1)), asMesh(box(1))]) {
      const { flags, volume, normal, vectorArea, depth, extent } = pair.find(HERE, at(0, 0, -5));
      expect(flags[0] & PATCH.contained).toBe(PATCH.contained);
      expect(volume[0]).toBeCloseTo(1, 14);
      expect([...normal.slice(0, 3)]).toEqual([0, 0, 1]);
      expect([...vectorArea.slice(0, 3)]).toEqual([0, 0, 0]);
      expect(depth[0]).toBeCloseTo(1, 14);
      expect(extent[0]).toBeCloseTo(1, 14);
    }
  });
});

describe('what hangs together', () => {
  const legs = ([x, y]: readonly [number, number]) => block([x - 0.05, y - 0.05, 0], [x + 0.05, y + 0.05, 0.7]);
  const table = extrude(
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ],
    0.1,
  ).mesh;
  const feet = [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ] as const;

  test('four legs are four regions, a tilted table stands on two', () => {
    const bench = extrude(
      [
        [-1, 0],
        [-0.8, 0],
        [-0.8, 0.6],
        [0.8, 0.6],
        [0.8, 0],
        [1, 0],
        [1, 0.7],
        [-1, 0.7],
      ],
      1,
    );
    const pair = on(bench);
    const upright = fromAxisAngle([1, 0, 0], Math.PI / 2);
    const { count, volume, area } = pair.find(HERE, { position: [0, 0, -0.01], orientation: upright });
    expect(count).toBe(2);
    for (let k = 0; k < 2; k++) {
      expect(volume[k]).toBeCloseTo(0.2 * 0.01, 12);
      expect(area[k]).toBeCloseTo(0.2, 12);
    }
    // two shells per leg would do as well: legs that only touch the top are shells of their own
    const four = on(solidOf(joinMeshes([...feet.map(legs), translate([0, 0, 0.7], table)])));
    expect(four.find(HERE, at(0, 0, -0.02)).count).toBe(4);
    expect(four.find(HERE, { position: [0, 0, 0.03], orientation: fromAxisAngle([1, 0, 0], 0.06) }).count).toBe(2);
  });

  // lying flat, the waterline is two circles, the inner one a hole of the cap; upright, two loops of one connected piece
  test('a ring is one region however it lies', () => {
    const pair = on(torus({ majorRadius: 1, minorRadius: 0.25, segments: 48, minorSegments: 24 }));
    expect(pair.find(HERE, at(0, 0, 0.1)).count).toBe(1);
    const orientation = fromAxisAngle([1, 0, 0], Math.PI / 2);
    for (const z of [-1, -0.1, 0.1, 1]) expect(pair.find(HERE, { position: [0, 0, z], orientation }).count).toBe(1);
  });

  // A hollow ball cut through its cavity has an annulus for a cap; its inner wall is joined to the outer one through it, or, when the
  // cavity is wholly below, by looking along a level line.
  test('a hollow ball is one region at any depth', () => {
    const mesh = assortedMeshes().hollowBall;
    const pair = on(solidOf(mesh));
    const slab = new OnRoute(
      new MeshRoute(
        new OverlapBody(prepareMesh(block([-3, -3, -3], [3, 3, 0]))),
        new OverlapBody(prepareMesh(mesh)),
        0,
        1,
      ),
    );
    for (const z of [0.5, 0.3, 0.01, -0.2, -0.47, -0.55, -0.7]) {
      const placement = { position: [0.1, 0.05, z] as Vec3, orientation: fromAxisAngle([0.2, 1, 0.3], 0.4) };
      const expected = slab.find(HERE, placement, false);
      const found = pair.find(HERE, placement, false);
      expect(found.count).toBe(1);
      expect(found.volume[0]).toBeCloseTo(expected.volume[0], 12);
    }
  });

  test('a ball in the cavity of a hollow one is a region of its own', () => {
    const inner = translate([0.1, 0, 0], sphere(0.2, { subdivision: 2 }).mesh);
    const pair = on(solidOf(joinMeshes([assortedMeshes().hollowBall, inner])));
    expect(pair.find(HERE, at(0, 0, 0.05)).count).toBe(2);
    const { count, flags } = pair.find(HERE, at(0, 0, -5));
    expect(count).toBe(2);
    expect([...flags.slice(0, 2)]).toEqual([PATCH.contained, PATCH.contained]);
  });
});

describe('against a huge slab by the general overlap of meshes', () => {
  const slab = new OverlapBody(prepareMesh(block([-4, -4, -4], [4, 4, 0])));
  const draw = random('half-space');
  const hull = solidOf(convexHull(Array.from({ length: 30 }, () => draw.unitVector())));
  const solids: [string, Solid][] = [
    ['hull', hull],
    ['cone', cone({ radius: 0.5, height: 1, segments: 16 })],
    ['bracket', extrude(L_OUTLINE, 0.5)],
    ...Object.entries(assortedMeshes()).map(([name, mesh]): [string, Solid] => [name, solidOf(mesh)]),
  ];
  test.each(solids)('%s', (_, solid) => {
    const reference = new OnRoute(new MeshRoute(slab, new OverlapBody(prepareMesh(solid.mesh)), 0, 1));
    for (const pair of [on(solid), asMesh(solid)])
      for (let k = 0; k < 20; k++) {
        const [x, y, z] = draw.inSphere();
        const placement = { position: [x, y, z] as Vec3, orientation: draw.rotation() };
        const expected = reference.find(HERE, placement, false);
        const found = pair.find(HERE, placement, false);
        expect(found.count).toBe(expected.count);
        const used = new Set<number>();
        for (let i = 0; i < found.count; i++) {
          // the same region may have another number
          let j = -1;
          for (let m = 0; m < expected.count; m++)
            if (!used.has(m) && (j < 0 || gap(found, i, expected, m) < gap(found, i, expected, j))) j = m;
          used.add(j);
          expect(Math.abs(found.volume[i] - expected.volume[j])).toBeLessThan(1e-13);
          expect(Math.abs(found.area[i] - expected.area[j])).toBeLessThan(1e-12);
          expect(found.flags[i]).toBe(expected.flags[j]);
          if (found.flags[i] || found.volume[i] < 1e-6) continue; // wholly below, the other route's normal is another one
          expect(Math.abs(found.extent[i] - expected.extent[j])).toBeLessThan(1e-11);
          expect(Math.abs(found.depth[i] / expected.depth[j] - 1)).toBeLessThan(1e-8);
          for (let n = 0; n < 3; n++) {
            expect(Math.abs(found.centroid[3 * i + n] - expected.centroid[3 * j + n])).toBeLessThan(1e-9);
            expect(Math.abs(found.vectorArea[3 * i + n] - expected.vectorArea[3 * j + n])).toBeLessThan(1e-12);
            expect(Math.abs(found.moment[3 * i + n] - expected.moment[3 * j + n])).toBeLessThan(1e-12);
          }
          for (let n = 0; n < 6; n++)
            expect(Math.abs(found.secondMoments[6 * i + n] - expected.secondMoments[6 * j + n])).toBeLessThan(1e-12);
        }
      }
  });
  const gap = (p: OnRoute['patches'], i: number, q: OnRoute['patches'], j: number): number =>
    [0, 1, 2].reduce((sum, k) => sum + Math.abs(p.centroid[3 * i + k] - q.centroid[3 * j + k]), 0);
});

// Extrapolated central differences with steps of 2e-5 leave about 1e-10 of rounding; the tolerance is that of the contract.
describe('gradients are the differences of the rows', () => {
  const draw = random('half-space gradients');
  const hull = solidOf(convexHull(Array.from({ length: 20 }, () => draw.unitVector())));
  const cases: [string, OnRoute][] = [
    ['box', on(box([1, 0.7, 0.4]))],
    ['hull', on(hull)],
    ['hull, extent', on(hull, { depth: 'extent' })],
    ['hull as a mesh', asMesh(hull)],
    ['bracket', on(extrude(L_OUTLINE, 0.5))],
    ['bracket, extent', on(extrude(L_OUTLINE, 0.5), { depth: 'extent' })],
    ['ring', on(torus({ majorRadius: 0.7, minorRadius: 0.25, segments: 16, minorSegments: 8 }))],
  ];
  test.each(cases)('%s', (_, pair) => {
    let compared = 0;
    for (let k = 0; k < 30; k++) {
      const ground = { position: draw.inSphere(), orientation: draw.rotation() };
      const [x, y, z] = draw.inSphere();
      const shift = rotate(ground.orientation, [x, y, 0.5 * z]);
      const position = [0, 1, 2].map((i) => ground.position[i] + shift[i]) as unknown as Vec3;
      const solid = { position, orientation: draw.rotation() };
      const found = pair.find(ground, solid);
      const { count, vectorArea: s, moment: q, gradient } = found;
      for (let row = 0; row < count; row++)
        for (let i = 0; i < 3; i++) {
          expect(gradient[54 * row + i]).toBe(0 - s[3 * row + i]);
          expect(gradient[54 * row + 3 + i]).toBe(0 - q[3 * row + i]);
        }
      const volumes = [...found.volume.slice(0, count)];
      for (let row = 0; row < count; row++) {
        if (volumes[row] < 1e-3) continue;
        const difference = gradientDifference(pair, ground, solid, row);
        if (!difference) continue;
        expect(difference.error).toBeLessThan(1e-6);
        if (difference.kinks === 0) compared++;
      }
    }
    expect(compared).toBeGreaterThan(5);
  });
});

test('the distance is that of the lowest corner', () => {
  const draw = random('half-space distance');
  const solids = [
    box([1, 0.7, 0.4]),
    solidOf(assortedMeshes().gear),
    solidOf(convexHull(Array.from({ length: 100 }, () => draw.unitVector()))),
  ];
  for (const solid of solids) {
    const pair = on(solid);
    for (let k = 0; k < 20; k++) {
      const ground = { position: draw.inSphere(), orientation: draw.rotation() };
      const up = rotate(ground.orientation, [0, 0, 1]);
      const position = ground.position.map((x, i) => x + draw.uniformBetween(-0.5, 3) * up[i]) as unknown as Vec3;
      const placement = { position, orientation: draw.rotation() };
      let lowest = Infinity;
      for (let v = 0; v < solid.mesh.vertices.length; v += 3) {
        const p = rotate(placement.orientation, [...solid.mesh.vertices.slice(v, v + 3)] as unknown as Vec3);
        lowest = Math.min(
          lowest,
          [0, 1, 2].reduce((sum, i) => sum + up[i] * (p[i] + position[i] - ground.position[i]), 0),
        );
      }
      const { distance, direction, pointA, pointB } = pair.separate(ground, placement);
      expect(Math.abs(distance - Math.max(0, lowest))).toBeLessThan(1e-14);
      if (!(lowest > 0)) {
        expect(pair.find(ground, placement).count).toBeGreaterThan(0);
        continue;
      }
      expect(pair.find(ground, placement).count).toBe(0);
      for (let i = 0; i < 3; i++) {
        expect(direction[i]).toBeCloseTo(up[i], 14);
        expect(pointB[i] - pointA[i]).toBeCloseTo(distance * up[i], 13);
      }
    }
  }
});

test('either order gives the same route; two half-spaces give none', () => {
  const swapped = halfSpaceRoute(box(1), halfSpace(), 0, 1)!;
  expect([swapped.a, swapped.b]).toEqual([1, 0]);
  const { count, normal } = new OnRoute(swapped).find(at(0, 0, 0.4), HERE);
  expect(count).toBe(1);
  expect([...normal.slice(0, 3)]).toEqual([0, 0, 1]);
  expect(halfSpaceRoute(halfSpace(), halfSpace(), 0, 1)).toBeUndefined();
  expect(halfSpaceRoute(box(1), box(1), 0, 1)).toBeUndefined();
});

test('nothing is remembered: the same bits whatever was asked before', () => {
  const draw = random('pure');
  const mesh = solidOf(assortedMeshes().gear);
  for (const solid of [box(1), mesh]) {
    const used = on(solid);
    for (let k = 0; k < 20; k++) {
      const placement = { position: draw.inSphere(), orientation: draw.rotation() };
      const { count, gradient, centroid } = used.find(HERE, placement);
      const fresh = on(solid).find(HERE, placement);
      expect(fresh.count).toBe(count);
      expect([...fresh.gradient.slice(0, 54 * count)]).toEqual([...gradient.slice(0, 54 * count)]);
      expect([...fresh.centroid.slice(0, 3 * count)]).toEqual([...centroid.slice(0, 3 * count)]);
    }
  }
});
