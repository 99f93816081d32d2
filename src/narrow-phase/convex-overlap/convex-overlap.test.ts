// Overlap of convex solids by clipping: closed forms, symmetries, differences. Against other algorithms: tests/verification/convex-overlap.test.ts.
import { describe, expect, test } from 'vitest';
import { at, block, HERE, L_OUTLINE, type Placement, unitCube } from '../../../tests/fixtures/overlap.js';
import { gradientDifference, OnRoute } from '../../../tests/fixtures/route-gradient.js';
import {
  box,
  capsule,
  cone,
  convexHull,
  cylinder,
  extrude,
  halfSpace,
  joinMeshes,
  type Solid,
  sphere,
  type TriangleMesh,
  torus,
  translate,
  rotate as turned,
} from '../../geometry/index.js';
import { fromAxisAngle, multiply, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { add, type Vec3 } from '../../math/vec3.js';
import { PATCH } from '../contact-patches.js';
import { convexRoute, isConvex, prepareConvex } from './index.js';

const solidOf = (mesh: TriangleMesh): Solid => ({ ...box(1), mesh, form: { kind: 'mesh' } });
const on = (a: Solid, b: Solid, options = {}) => new OnRoute(convexRoute(a, b, 0, 1, options)!);
const cubes = on(solidOf(unitCube()), solidOf(unitCube()));
const list = (values: Float64Array, n = 3): number[] => [...values.slice(0, n)];

describe('prepared solids', () => {
  test('triangles in one plane are one face', () => {
    const dice = prepareConvex(box([1, 2, 3]))!;
    expect(dice.faceCount).toBe(6);
    expect(dice.corners.length).toBe(24);
    expect([...dice.normals].sort((a, b) => a - b)).toEqual([-1, -1, -1, ...new Array(12).fill(0), 1, 1, 1]);
    expect([...dice.offsets].sort((a, b) => a - b)).toEqual([0.5, 0.5, 1, 1, 1.5, 1.5]);
    expect(prepareConvex(cylinder({ radius: 1, height: 2, segments: 24 }))!.faceCount).toBe(26);
    expect(prepareConvex(cone({ radius: 1, height: 2, segments: 24 }))!.faceCount).toBe(25);
    // turned in its solid: the form's frame has them exact again
    const tilted = turned(fromAxisAngle([1, 2, 3], 0.7), translate([1, 2, 3], box([1, 2, 3])));
    expect(prepareConvex(tilted)!.offsets).toEqual(dice.offsets);
    const prism = turned(fromAxisAngle([3, 2, 1], 0.3), cylinder({ radius: 0.3, height: 1, segments: 7 }));
    expect(prepareConvex(prism)!.faceCount).toBe(9);
  });

  test('what is convex and what is not', () => {
    const draw = random('hulls');
    const hull = convexHull(Array.from({ length: 50 }, () => draw.unitVector()));
    expect(isConvex(solidOf(hull))).toBe(true);
    expect(isConvex(sphere(1))).toBe(true);
    expect(isConvex(capsule({ radius: 0.2, height: 1 }))).toBe(true);
    expect(isConvex(extrude(L_OUTLINE, 1))).toBe(false);
    expect(isConvex(torus({ majorRadius: 2, minorRadius: 0.5 }))).toBe(false);
    expect(isConvex(halfSpace())).toBe(false);
    expect(isConvex(solidOf(joinMeshes([unitCube(), block([2, 0, 0], [3, 1, 1])])))).toBe(false);
    const inverted = unitCube();
    expect(isConvex(solidOf({ ...inverted, triangles: inverted.triangles.slice().reverse() }))).toBe(false);
    expect(isConvex(solidOf({ ...inverted, triangles: inverted.triangles.slice(3) }))).toBe(false);
    const dented = { ...hull, vertices: hull.vertices.slice() };
    dented.vertices.set([0, 0, 0]);
    expect(isConvex(solidOf(dented))).toBe(false);
    expect(convexRoute(box(1), torus({ majorRadius: 2, minorRadius: 0.5 }), 0, 1)).toBeUndefined();
    // where the route for meshes is faster
    expect(convexRoute(sphere(1), sphere(1), 0, 1)).toBeUndefined();
    expect(convexRoute(sphere(1), box(1), 0, 1)).toBeDefined();
  });
});

describe('closed forms', () => {
  test('unit cubes, shifted', () => {
    const { volume, centroid, area, vectorArea, depth, normal } = cubes.find(HERE, at(0.3, 0.2, 0.1));
    expect(volume[0]).toBeCloseTo(0.504, 14);
    [0.65, 0.6, 0.55].forEach((x, k) => void expect(centroid[k]).toBeCloseTo(x, 14));
    expect(area[0]).toBeCloseTo(1.91, 14);
    [0.72, 0.63, 0.56].forEach((x, k) => void expect(vectorArea[k]).toBeCloseTo(x, 14));
    const size = Math.sqrt(0.72 ** 2 + 0.63 ** 2 + 0.56 ** 2);
    expect(depth[0]).toBeCloseTo(1.008 / size, 13);
    expect(normal[0]).toBeCloseTo(0.72 / size, 14);
    expect(cubes.find(HERE, at(0.5, 0.5, 0)).volume[0]).toBeCloseTo(0.25, 14);
  });

  test('touching is no overlap', () => {
    for (const [x, y, z] of [
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
      [0, -1, 0.5],
      [0.3, 0.3, 1],
    ])
      expect(cubes.find(HERE, at(x, y, z)).count).toBe(0);
    const onEdge = {
      position: [0.5, 0.2, 1 + Math.SQRT1_2],
      orientation: fromAxisAngle([0, 1, 0], Math.PI / 4),
    } as const;
    const { count, volume } = cubes.find(HERE, onEdge);
    expect(count === 0 || volume[0] < 1e-30).toBe(true);
  });

  // Flush stacks: the digits of the depth are those of the coordinates.
  test('a stack of cubes, from 0.1 m to 1e-12 m deep', () => {
    for (const depth of [0.1, 1e-3, 1e-6, 1e-9, 1e-12]) {
      const z = 1 - depth;
      const {
        count,
        volume,
        normal,
        vectorArea,
        depth: d,
        extent,
        centroid,
        area,
        moment,
        gradient,
      } = cubes.find(HERE, at(0, 0, z));
      expect(count).toBe(1);
      expect(Math.abs(volume[0] / (1 - z) - 1)).toBeLessThan(1e-15);
      expect(list(normal)).toEqual([0, 0, 1]);
      expect(vectorArea[2]).toBeCloseTo(1, 15);
      expect(Math.abs(d[0] / (2 * (1 - z)) - 1)).toBeLessThan(1e-15);
      expect(extent[0]).toBe(1 - z);
      expect(centroid[0]).toBeCloseTo(0.5, 12);
      expect(centroid[1]).toBeCloseTo(0.5, 12);
      expect(area[0]).toBeCloseTo(1 + 4 * depth, 14);
      for (const q of list(moment)) expect(Math.abs(q)).toBeLessThan(1e-15);
      for (let k = 0; k < 54; k++) expect(Number.isFinite(gradient[k])).toBe(true);
      expect(gradient[6 + 2]).toBeCloseTo(-2, 12); // the depth falls by 2 per metre lifted
    }
  });

  // The sides of the lower box inside the upper one count in S: V = (1 − |s|) δ has a kink at s = 0, its slope a jump of 2δ over |S| = 1.
  test('sliding over a flush side tilts the normal by no more than depth over size', () => {
    const depth = 1e-6;
    for (const s of [0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-6, -1e-6, 0.1, -0.1]) {
      const { normal, volume, depth: d } = cubes.find(HERE, at(s, 0, 1 - depth));
      expect(Math.abs(normal[0])).toBeLessThanOrEqual((depth * (1 + 1e-9)) / (1 - Math.abs(s)));
      expect(normal[1]).toBeCloseTo(0, 15);
      expect(volume[0]).toBeCloseTo((1 - Math.abs(s)) * depth, 15);
      expect(d[0] / (2 * depth)).toBeCloseTo(1, 9);
    }
  });

  // A corner sunk by δ into a face: V = δ³/(6 n₁n₂n₃), centroid at δ/4, 2V/|S| = 2δ/3. What the coordinates allow is ε/δ.
  test('a corner in a face', () => {
    const turn = multiply(fromAxisAngle([0, 1, 0], -0.6), fromAxisAngle([1, 0, 0], 0.7));
    const corners = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => rotate(turn, [x, y, z]))));
    const lowest = corners.reduce((a, b) => (b[2] < a[2] ? b : a));
    const n = rotate([turn[0], -turn[1], -turn[2], -turn[3]], [0, 0, 1]);
    for (const depth of [0.05, 1e-3, 1e-6, 1e-9]) {
      const position = add([0.5, 0.4, 1 - depth], [-lowest[0], -lowest[1], -lowest[2]]);
      const { volume, depth: d, extent, centroid, normal } = cubes.find(HERE, { position, orientation: turn });
      const tolerance = 1e-12 + (30 * 2.3e-16) / depth;
      expect(Math.abs(volume[0] / (depth ** 3 / (6 * Math.abs(n[0] * n[1] * n[2]))) - 1)).toBeLessThan(3 * tolerance);
      expect(Math.abs(d[0] / ((2 / 3) * depth) - 1)).toBeLessThan(3 * tolerance);
      expect(Math.abs(extent[0] / depth - 1)).toBeLessThan(3 * tolerance);
      expect(Math.abs((1 - centroid[2]) / (0.25 * depth) - 1)).toBeLessThan(3 * tolerance + 2e-15 / depth);
      expect(normal[2]).toBeCloseTo(1, 9);
    }
  });

  test('one inside the other: flagged, no vector area, no moment', () => {
    const small = solidOf(block([0.3, 0.4, 0.5], [0.4, 0.6, 0.8]));
    for (const pair of [on(solidOf(unitCube()), small), on(small, solidOf(unitCube()))]) {
      const { flags, volume, vectorArea, moment, depth, normal, centroid } = pair.find(HERE, HERE);
      expect(flags[0]).toBe(PATCH.contained);
      expect(volume[0]).toBeCloseTo(0.006, 16);
      expect([...list(vectorArea), ...list(moment)]).toEqual([0, 0, 0, 0, 0, 0]);
      expect(depth[0]).toBeGreaterThan(0);
      expect(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2).toBeCloseTo(1, 14);
      expect(centroid[2]).toBeCloseTo(0.65, 14);
    }
    const { flags, volume } = cubes.find(HERE, HERE);
    expect(flags[0]).toBe(PATCH.contained);
    expect(volume[0]).toBeCloseTo(1, 14);
  });

  // A bar that runs right through a cube, a little askew: the two ends of its patch nearly cancel in S, and 2V/|S| would be without bound.
  test('the depth is at most twice the extent', () => {
    const pair = on(box([3, 0.2, 0.3]), box(1));
    const askew = { position: [0, 0.1, 0], orientation: fromAxisAngle([0, 0, 1], 0.1) } as const;
    const { depth, extent, volume, vectorArea, flags } = pair.find(HERE, askew, false);
    expect(flags[0]).toBe(PATCH.contained); // opposite faces cancel exactly
    expect(depth[0]).toBe(extent[0]);
    const tilted = pair.find(HERE, { position: [1, 0, 0], orientation: fromAxisAngle([0, 0, 1], 0.1) }, false);
    expect(tilted.flags[0]).toBe(0);
    expect((2 * volume[0]) / Math.sqrt(vectorArea[0] ** 2 + vectorArea[1] ** 2 + vectorArea[2] ** 2)).toBeGreaterThan(
      2 * extent[0],
    );
    expect(depth[0]).toBe(2 * extent[0]);
  });

  // The top 0.1 of a unit cube in a larger block: ∫ (x − ½)² dA = 1/12 + 0.05 + 1/60 over the top and the sides.
  test('second moments of the patch', () => {
    const pair = on(solidOf(unitCube()), solidOf(block([-1, -1, 0.9], [2, 2, 2])));
    const { volume, area, secondMoments, patchCentroid } = pair.find(HERE, HERE);
    expect(volume[0]).toBeCloseTo(0.1, 14);
    expect(area[0]).toBeCloseTo(1.4, 14);
    expect(patchCentroid[0]).toBeCloseTo(0.5, 14);
    expect(secondMoments[0]).toBeCloseTo(0.15, 14);
    expect(secondMoments[1]).toBeCloseTo(0.15, 14);
  });
});

const draw = random('convex pairs');
const hull = (n: number): Solid => solidOf(convexHull(Array.from({ length: n }, () => draw.unitVector())));
const SOLIDS: [string, Solid][] = [
  ['box', box([1, 0.8, 0.6])],
  ['slab', box([1.4, 1.2, 0.15])],
  ['cylinder', cylinder({ radius: 0.5, height: 1, segments: 24 })],
  ['cone', cone({ radius: 0.5, height: 1, segments: 16 })],
  ['tetrahedron', hull(4)],
  ['stone', hull(20)],
  [
    'prism',
    extrude(
      [
        [0, 0],
        [1, 0],
        [1, 0.5],
        [0.2, 0.9],
      ],
      0.7,
    ),
  ],
];
const anywhere = (): Placement => ({ position: draw.inSphere(), orientation: draw.rotation() });
function near({ position }: Placement): Placement {
  const { position: shift, orientation } = anywhere();
  return { position: add(position, shift), orientation };
}

// Extrapolated central differences with steps of 2e-5 leave about 1e-10 of rounding; 1e-6 is what the contract of a route asks.
describe('gradients are the differences of the rows', () => {
  test.each(SOLIDS)('%s with all', (_, a) => {
    let smooth = 0;
    for (const [, b] of SOLIDS)
      for (const depth of ['volume', 'extent'] as const) {
        const pair = on(a, b, { depth });
        for (let k = 0; k < 4; k++) {
          const p = anywhere();
          const q = near(p);
          const { count, volume, gradient, vectorArea: s, moment } = pair.find(p, q);
          if (count === 0 || volume[0] < 1e-3) continue;
          for (let i = 0; i < 3; i++) {
            expect(gradient[i]).toBe(0 - s[i]);
            expect(gradient[3 + i]).toBe(0 - moment[i]);
          }
          const difference = gradientDifference(pair, p, q, 0);
          if (!difference) continue;
          expect(difference.error).toBeLessThan(1e-6);
          if (difference.kinks === 0) smooth++;
        }
      }
    expect(smooth).toBeGreaterThan(10);
  });

  test('also where one is inside the other or runs right through it', () => {
    const bar = box([3, 0.2, 0.3]);
    for (const [a, b] of [
      [bar, box(1)],
      [box(1), bar],
      [box(1), box(0.3)],
      [box(0.3), box(1)],
    ])
      for (const depth of ['volume', 'extent'] as const) {
        const pair = on(a, b, { depth });
        for (let k = 0; k < 5; k++) {
          const p = anywhere();
          const q = {
            position: add(p.position, draw.inSphere().map((x) => 0.2 * x) as unknown as Vec3),
            orientation: draw.rotation(),
          };
          const difference = gradientDifference(pair, p, q, 0);
          expect(difference!.error).toBeLessThan(1e-6);
        }
      }
  });
});

describe('symmetries', () => {
  test('swapped: the same volume and centroid, the normal reversed', () => {
    for (const [, a] of SOLIDS)
      for (const [, b] of SOLIDS) {
        const [p, q] = [anywhere(), HERE];
        const one = on(a, b).find(q, p, false);
        const other = on(b, a).find(p, q, false);
        expect(other.count).toBe(one.count);
        if (one.count === 0) continue;
        expect(Math.abs(other.volume[0] - one.volume[0])).toBeLessThan(1e-14);
        for (let k = 0; k < 3; k++) {
          expect(Math.abs(other.vectorArea[k] + one.vectorArea[k])).toBeLessThan(1e-13);
          expect(Math.abs(other.centroid[k] - one.centroid[k]) * one.volume[0]).toBeLessThan(1e-13);
        }
      }
  });

  test('both moved alike: all turns with them', () => {
    const turn = draw.rotation();
    const shift: Vec3 = [10, -20, 30];
    const move = ({ position, orientation }: Placement): Placement => ({
      position: add(rotate(turn, position), shift),
      orientation: multiply(turn, orientation),
    });
    for (const [, a] of SOLIDS) {
      const pair = on(a, a);
      const [p, q] = [HERE, near(HERE)];
      const still = pair.find(p, q, true);
      if (still.count === 0) continue;
      const [volume, normal, gradient] = [
        still.volume[0],
        list(still.normal) as unknown as Vec3,
        list(still.gradient, 54),
      ];
      const moved = pair.find(move(p), move(q), true);
      expect(Math.abs(moved.volume[0] - volume)).toBeLessThan(1e-13);
      const expected = rotate(turn, normal);
      for (let k = 0; k < 3; k++) expect(moved.normal[k]).toBeCloseTo(expected[k], 9);
      for (const row of [6, 12]) {
        const depth = rotate(turn, gradient.slice(row, row + 3) as unknown as Vec3);
        for (let k = 0; k < 3; k++)
          expect(Math.abs(moved.gradient[row + k] - depth[k])).toBeLessThan(1e-9 * (1 + Math.abs(depth[k])));
      }
    }
  });

  test('size: parts of 1 µm and of 100 m', () => {
    for (const size of [1e-6, 100]) {
      const dice = on(box(size), box(size));
      const unit = on(box(1), box(1));
      for (let k = 0; k < 20; k++) {
        const q = near(HERE);
        const scaled = { ...q, position: q.position.map((x) => size * x) as unknown as Vec3 };
        const [found, expected] = [dice.find(HERE, scaled, false), unit.find(HERE, q, false)];
        expect(found.count).toBe(expected.count);
        if (found.count === 0) continue;
        expect(Math.abs(found.volume[0] / size ** 3 - expected.volume[0])).toBeLessThan(1e-14);
        expect(Math.abs(found.depth[0] / size - expected.depth[0])).toBeLessThan(1e-9);
      }
    }
  });
});

test('nothing is remembered: the same bits whatever was asked before', () => {
  const poses = Array.from({ length: 10 }, () => [anywhere(), near(HERE)] as const);
  const record = (order: readonly number[]) => {
    const rows: string[] = [];
    for (const i of order)
      for (const [name, a] of SOLIDS) {
        const { count, gradient, centroid, secondMoments } = on(a, SOLIDS[i % SOLIDS.length][1]).find(...poses[i]);
        rows.push(
          `${i} ${name} ${count} ${count ? [...list(gradient, 54), ...list(centroid), ...list(secondMoments, 6)] : ''}`,
        );
      }
    return rows.sort();
  };
  const order = [...poses.keys()];
  expect(record(order.toReversed())).toEqual(record(order));
});

test('the distance of solids apart, and 0 of those that overlap', () => {
  const pair = on(box(1), box(1));
  const { distance, direction, pointA, pointB } = pair.separate(HERE, at(1.5, 0.2, 0.1));
  expect(distance).toBeCloseTo(0.5, 14);
  expect(list(direction)).toEqual([1, 0, 0]);
  expect(pointA[0]).toBeCloseTo(0.5, 14);
  expect(pointB[0]).toBeCloseTo(1, 14);
  expect(pair.separate(HERE, at(0.9, 0, 0)).distance).toBe(0);
  expect(pair.separate(HERE, at(2, 2, 2)).distance).toBeCloseTo(Math.sqrt(3), 14);
  for (let k = 0; k < 30; k++) {
    const [p, q] = [HERE, near(HERE)];
    const apart = pair.separate(p, q).distance > 1e-12;
    expect(pair.find(p, q).count > 0).toBe(!apart);
  }
});
