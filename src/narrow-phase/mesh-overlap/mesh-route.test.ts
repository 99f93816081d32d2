import { describe, expect, test } from 'vitest';
import {
  assortedMeshes,
  at,
  block,
  HERE,
  type Placement,
  prepared,
  unitCube,
} from '../../../tests/fixtures/overlap.js';
import { gradientDifference, OnRoute } from '../../../tests/fixtures/route-gradient.js';
import { extrude } from '../../geometry/extrude.js';
import { box } from '../../geometry/primitives.js';
import { rotate as rotateSolid, translate } from '../../geometry/transform.js';
import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { fromAxisAngle } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { add, norm, sub, type Vec3 } from '../../math/vec3.js';
import { PATCH } from '../contact-patches.js';
import { formMesh } from './form-mesh.js';
import { MeshRoute, type OverlapRouteOptions } from './mesh-route.js';
import { prepareMesh } from './mesh-topology.js';
import { OverlapBody } from './overlap-body.js';

const onRoute = (a: TriangleMesh, b: TriangleMesh, options?: OverlapRouteOptions) =>
  new OnRoute(new MeshRoute(new OverlapBody(prepareMesh(a)), new OverlapBody(prepareMesh(b)), 0, 1, options));
const vector = (array: Float64Array, i = 0): Vec3 => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];

describe('gradients', () => {
  const solids = prepared(assortedMeshes());

  // Away from kinks the rows are rational functions of the pose; differences of step 2e-5, extrapolated, know them to about 1e-9 of
  // their size, less where a region is small: regions of less than 1e-4 m³ are passed over.
  test.each(['volume', 'extent'] as const)('are those of find itself, depth by %s', (depth) => {
    const draw = random(`mesh gradient ${depth}`);
    let compared = 0;
    let kinks = 0;
    let worst = 0;
    for (let k = 0; k < 110; k++) {
      const [, , a] = solids[draw.integer(solids.length)];
      const [, , b] = solids[draw.integer(solids.length)];
      const on = new OnRoute(new MeshRoute(new OverlapBody(a), new OverlapBody(b), 0, 1, { depth }));
      const p = { position: draw.inSphere(), orientation: draw.rotation() };
      const q = { position: add(p.position, draw.inSphere()), orientation: draw.rotation() };
      const { count, volume, flags, gradient, vectorArea, moment } = on.find(p, q);
      for (let row = 0; row < Math.min(count, 2); row++) {
        for (let c = 0; c < 3; c++) {
          expect(gradient[54 * row + c]).toBe(0 - vectorArea[3 * row + c]);
          expect(gradient[54 * row + 3 + c]).toBe(0 - moment[3 * row + c]);
        }
        if (volume[row] < 1e-4 || flags[row] !== 0) continue;
        const difference = gradientDifference(on, p, q, row);
        if (!difference) continue;
        compared += 54 - difference.kinks;
        kinks += difference.kinks;
        worst = Math.max(worst, difference.error);
      }
    }
    expect(compared).toBeGreaterThan(1500);
    expect(kinks).toBeLessThan(0.1 * compared);
    expect(worst).toBeLessThan(1e-6);
  });

  test('a bar right through a plate: normal between the centroids, depth its extent', () => {
    const on = onRoute(block([-2, -2, 0], [2, 2, 0.3]), block([-0.2, -0.2, -1], [0.2, 0.2, 1.5]));
    const q: Placement = { position: [0.3, 0.1, 0.05], orientation: fromAxisAngle([1, 2, 0.5], 0.3) };
    const patches = on.find(HERE, q);
    expect(patches.flags[0]).toBe(PATCH.contained);
    const difference = gradientDifference(on, HERE, q, 0);
    // |S| = 0 has no derivative: row 2 is 0 by definition, its differences are rounding
    expect(difference!.error).toBeLessThan(1e-6);
    expect([...patches.gradient.slice(12, 18)]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('a cavity counts with what it is in', () => {
    const [, hollow] = solids.find(([name]) => name === 'hollowBall')!;
    const on = onRoute(block([-1, -1, -1], [1, 1, 0.53]), hollow);
    const q: Placement = { position: [0.01, 0.02, 0.03], orientation: fromAxisAngle([1, 1, 1], 0.4) };
    expect(on.find(HERE, q).count).toBe(1);
    const difference = gradientDifference(on, HERE, q, 0);
    expect(difference!.kinks).toBeLessThan(6);
    expect(difference!.error).toBeLessThan(1e-6);
  });

  test('asked for or not, everything else is the same to the last bit', () => {
    const draw = random('mesh gradient bits');
    for (let k = 0; k < 30; k++) {
      const [, , a] = solids[draw.integer(solids.length)];
      const [, , b] = solids[draw.integer(solids.length)];
      const on = new OnRoute(new MeshRoute(new OverlapBody(a), new OverlapBody(b), 0, 1));
      const p = { position: draw.inSphere(), orientation: draw.rotation() };
      const q = { position: add(p.position, draw.inSphere()), orientation: draw.rotation() };
      const plain = JSON.stringify({ ...on.find(p, q, false), gradient: 0 });
      const first = on.find(p, q, true);
      expect(JSON.stringify({ ...first, gradient: 0 })).toBe(plain);
      const gradient = [...first.gradient.slice(0, 54 * first.count)];
      on.find(q, p);
      const again = on.find(p, q, true);
      expect([...again.gradient.slice(0, 54 * again.count)]).toEqual(gradient);
    }
  });
});

describe('separation', () => {
  test('distance between faces, and nearest points on both', () => {
    const on = onRoute(unitCube(), unitCube());
    const turned: Placement = { position: [1.25, 0.2, 0.1], orientation: [1, 0, 0, 0] };
    const s = on.separate(HERE, turned);
    expect(s.distance).toBeCloseTo(0.25, 14);
    expect(s.direction[0]).toBeCloseTo(1, 15);
    expect(norm(sub(vector(s.pointB), vector(s.pointA)))).toBeCloseTo(0.25, 14);
  });
  test('0 where they overlap, touch, or one is inside the other, but not in a cavity', () => {
    const on = onRoute(block([-1, -1, -1], [1, 1, 1]), block([-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]));
    for (const q of [at(0, 0, 0), at(0.9, 0, 0), at(1.2, 0, 0)]) {
      expect(on.separate(HERE, q).distance).toBe(0);
      expect(
        onRoute(block([-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]), block([-1, -1, -1], [1, 1, 1])).separate(q, HERE).distance,
      ).toBe(0);
    }
    const hollow = assortedMeshes().hollowBall;
    expect(onRoute(hollow, block([-0.1, -0.1, -0.1], [0.1, 0.1, 0.1])).separate(HERE, HERE).distance).toBeGreaterThan(
      0.2,
    );
  });
});

describe('symmetricFlush', () => {
  // Cubes shifted along x with flush sides: S = (1, ±0.1, ±0.1) as the shift decides; by symmetry the mean is (1, 0, 0).
  test('the mean of both sides', () => {
    const plain = onRoute(unitCube(), unitCube()).find(HERE, at(0.9, 0, 0));
    expect(Math.abs(plain.vectorArea[1])).toBeCloseTo(0.1, 14);
    expect(Math.abs(plain.vectorArea[2])).toBeCloseTo(0.1, 14);
    const mean = onRoute(unitCube(), unitCube(), { symmetricFlush: true }).find(HERE, at(0.9, 0, 0));
    expect(mean.count).toBe(1);
    const close = (actual: ArrayLike<number>, expected: number[]) => {
      for (let k = 0; k < expected.length; k++) expect(actual[k]).toBeCloseTo(expected[k], 13);
    };
    close(mean.vectorArea, [1, 0, 0]);
    close(mean.normal, [1, 0, 0]);
    close(mean.moment, [0, 0, 0]);
    expect(mean.depth[0]).toBeCloseTo(0.2, 14);
    close(mean.gradient, [-1, 0, 0, 0, 0, 0]);
    // depth 2V/|S| grows by 2 for every m, |S| does not change
    close(mean.gradient.slice(6, 9), [-2, 0, 0]);
    // half of A's side faces are wet on average: 1 + 4 × 0.1/2
    expect(mean.area[0]).toBeCloseTo(1.2, 14);
    // and its centroid moves half as fast as B
    expect(mean.gradient[36]).toBeCloseTo(0.5, 13);
  });
  test('nothing changes where nothing coincides', () => {
    const q: Placement = { position: [0.5, 0.3, 0.2], orientation: fromAxisAngle([1, 2, 3], 0.5) };
    const plain = onRoute(unitCube(), unitCube()).find(HERE, q);
    const mean = onRoute(unitCube(), unitCube(), { symmetricFlush: true }).find(HERE, q);
    expect(JSON.stringify(mean)).toBe(JSON.stringify(plain));
  });
});

test('features name triangles of either body', () => {
  const { feature } = onRoute(unitCube(), unitCube()).find(HERE, at(0.9, 0.1, 0.2));
  expect(feature[0]).toBeGreaterThanOrEqual(0);
  expect(feature[1]).toBeLessThan(12);
});

test('one body for both shapes is refused', () => {
  const body = new OverlapBody(prepareMesh(unitCube()));
  expect(() => new MeshRoute(body, body, 0, 1)).toThrow(/an OverlapBody for each shape/);
});

test('meshes in the frame of the form', () => {
  const turn = fromAxisAngle([1, 2, 3], 0.7);
  const moved = translate([1, 2, 3], rotateSolid(turn, box([1, 2, 3])));
  expect([...formMesh(moved).vertices]).toEqual([...box([1, 2, 3]).mesh.vertices]);
  const prism = extrude(
    [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
    2,
  );
  expect([...formMesh(translate([0.1, 0, 0], prism)).vertices]).toEqual([...prism.mesh.vertices]);
  expect(formMesh(prism)).toBe(prism.mesh);
});
