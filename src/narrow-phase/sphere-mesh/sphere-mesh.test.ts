import { describe, expect, test } from 'vitest';
import {
  assortedMeshes,
  at,
  block,
  HERE,
  L_OUTLINE,
  type Placement,
  prepared,
  unitCube,
} from '../../../tests/fixtures/overlap.js';
import { gradientDifference, measures, OnRoute } from '../../../tests/fixtures/route-gradient.js';
import { signedDistance } from '../../geometry/closest-point.js';
import { extrude } from '../../geometry/extrude.js';
import { box } from '../../geometry/primitives.js';
import { sphere } from '../../geometry/sphere.js';
import { type TriangleMesh, triangleMesh } from '../../geometry/triangle-mesh.js';
import { fromAxisAngle, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import { norm, sub, type Vec3 } from '../../math/vec3.js';
import { SphereHalfSpace } from '../closed-form/sphere-half-space.js';
import { PATCH } from '../contact-patches.js';
import { MeshRoute } from '../mesh-overlap/mesh-route.js';
import { prepareMesh } from '../mesh-overlap/mesh-topology.js';
import { OverlapBody } from '../mesh-overlap/overlap-body.js';
import { BallInMesh } from './ball-in-mesh.js';
import { sphereMeshRoute } from './prepare-route.js';
import { SphereMeshRoute } from './sphere-mesh-route.js';

const onMesh = (radius: number, mesh: TriangleMesh) =>
  new OnRoute(new SphereMeshRoute(radius, new BallInMesh(prepareMesh(mesh)), 0, 1));
const vector = (array: Float64Array, i = 0): Vec3 => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];

/** A slab with its top at z = 0, the top in n × n squares of irregular shape, two triangles each. */
function tessellated(n: number, half: number): TriangleMesh {
  const draw = random('floor');
  const points: number[] = [];
  for (const z of [0, -1])
    for (let i = 0; i <= n; i++)
      for (let j = 0; j <= n; j++) {
        const rim = i === 0 || j === 0 || i === n || j === n;
        const jitter = () => (rim ? 0 : draw.uniformBetween(-0.3, 0.3));
        points.push(half * ((2 * (i + jitter())) / n - 1), half * ((2 * (j + jitter())) / n - 1), z);
      }
  const at = (layer: number, i: number, j: number) => layer * (n + 1) ** 2 + i * (n + 1) + j;
  const triangles: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const [a, b, c, d] = [at(0, i, j), at(0, i + 1, j), at(0, i + 1, j + 1), at(0, i, j + 1)];
      triangles.push(...((i + j) % 2 === 0 ? [a, b, c, a, c, d] : [a, b, d, b, c, d]));
      const [e, f, g, h] = [at(1, i, j), at(1, i + 1, j), at(1, i + 1, j + 1), at(1, i, j + 1)];
      triangles.push(e, g, f, e, h, g);
    }
  for (let k = 0; k < n; k++) {
    const wall = (p: number, q: number, r: number, s: number) => triangles.push(p, q, r, p, r, s);
    wall(at(1, k, 0), at(1, k + 1, 0), at(0, k + 1, 0), at(0, k, 0));
    wall(at(1, k + 1, n), at(1, k, n), at(0, k, n), at(0, k + 1, n));
    wall(at(1, 0, k + 1), at(1, 0, k), at(0, 0, k), at(0, 0, k + 1));
    wall(at(1, n, k), at(1, n, k + 1), at(0, n, k + 1), at(0, n, k));
  }
  return triangleMesh(points, triangles);
}

describe('on a plane in many triangles', () => {
  const floor = tessellated(12, 1);
  const R = 0.3;

  // The closed form of a sphere and a half-space knows nothing of triangles. Coordinates of size 1 know δ to 1e-16, the volume to
  // 1e-16 R/δ.
  test.each([0.1, 1e-3, 1e-6])('the sphere sunk by %d touches it as a half-space', (depth) => {
    const plane = new OnRoute(new SphereHalfSpace(0, 1, R));
    const on = onMesh(R, floor);
    const draw = random('rolling');
    for (let k = 0; k < 60; k++) {
      const pose = at(draw.uniformBetween(-0.5, 0.5), draw.uniformBetween(-0.5, 0.5), R - depth);
      const m = on.find(pose, HERE);
      const p = plane.find(pose, HERE);
      expect(m.count).toBe(1);
      const tolerance = (20 * 1e-16) / depth + 1e-14;
      expect(Math.abs(m.volume[0] / p.volume[0] - 1)).toBeLessThan(tolerance);
      expect(Math.abs(m.depth[0] / p.depth[0] - 1)).toBeLessThan(tolerance);
      expect(Math.abs(m.area[0] / p.area[0] - 1)).toBeLessThan(tolerance);
      for (let c = 0; c < 3; c++) {
        expect(Math.abs(m.normal[c] - p.normal[c])).toBeLessThan(1e-13);
        expect(Math.abs(m.centroid[c] - p.centroid[c])).toBeLessThan(tolerance);
        expect(Math.abs(m.patchCentroid[c] - p.patchCentroid[c])).toBeLessThan(tolerance);
        expect(Math.abs(m.vectorArea[c] - p.vectorArea[c])).toBeLessThan(tolerance * p.area[0]);
      }
      for (let c = 0; c < 6; c++)
        expect(Math.abs(m.secondMoments[c] - p.secondMoments[c])).toBeLessThan(1e-14 * p.area[0]);
      // the centroid's derivative divides differences of size R by δ twice
      for (let c = 0; c < 54; c++)
        expect(Math.abs(m.gradient[c] - p.gradient[c])).toBeLessThan(
          (c < 36 ? 50 * tolerance : 50 * tolerance + (20 * 1e-16 * R ** 2) / depth ** 2) *
            (1 + Math.abs(p.gradient[c])),
        );
    }
  });

  test('at vertices and on edges, exactly, too', () => {
    const on = onMesh(0.3, block([-1, -1, -1], [1, 1, 0]));
    const flat = on.find(at(0.31, 0.17, 0.2), HERE).volume[0];
    // the diagonal of the top face, wherever it runs
    for (const [x, y] of [
      [0, 0],
      [0.25, 0.25],
      [0.25, -0.25],
      [-0.5, 0.5],
    ])
      expect(Math.abs(on.find(at(x, y, 0.2), HERE).volume[0] / flat - 1)).toBeLessThan(1e-13);
    const fine = onMesh(0.3, floor);
    for (let v = 0; v < 169; v += 7) {
      const [x, y] = floor.vertices.subarray(3 * v, 3 * v + 2);
      if (Math.abs(x) > 0.6 || Math.abs(y) > 0.6) continue;
      expect(Math.abs(fine.find(at(x, y, 0.2), HERE).volume[0] / flat - 1)).toBeLessThan(1e-13);
    }
  });
});

describe('convex and concave features', () => {
  // A ball centred on a corner of a cube: one eighth of it is inside; on an edge: a quarter; on a face: a half; in it: all.
  test.each([
    [[0, 0, 0], 1 / 8],
    [[0.5, 0, 0], 1 / 4],
    [[0.5, 0.5, 0], 1 / 2],
    [[0.5, 0.5, 0.5], 1],
  ] as [Vec3, number][])('a ball about %j has %d of itself in the cube', (place, share) => {
    const R = 0.4;
    const on = onMesh(R, unitCube());
    const m = on.find({ position: place, orientation: [1, 0, 0, 0] }, HERE);
    expect(m.count).toBe(1);
    // a centre on the surface is taken 1e-8 R beside it
    const digits = share === 1 ? 13 : 7;
    expect(m.volume[0] / ((4 / 3) * Math.PI * R ** 3)).toBeCloseTo(share, digits);
    expect(m.area[0] / (4 * Math.PI * R ** 2)).toBeCloseTo(share, digits);
    // centroid of an octant, quarter, half: 3R/8 along every halved axis
    for (let k = 0; k < 3; k++) expect(m.centroid[k] - place[k]).toBeCloseTo(place[k] === 0 ? (3 / 8) * R : 0, digits);
    expect(m.flags[0]).toBe(share === 1 ? PATCH.contained : 0);
  });

  test('in a groove two regions while its bottom is out of reach, one when it is not', () => {
    // V-groove of 90°, bottom at the origin along y
    const block = extrude(
      [
        [-2, -1],
        [2, -1],
        [2, 2],
        [0, 0],
        [-2, 2],
      ],
      4,
    ).mesh;
    const R = 0.5;
    const on = onMesh(R, block);
    const turned: Placement = { position: [0, 2, 0], orientation: fromAxisAngle([1, 0, 0], Math.PI / 2) };
    const height = Math.SQRT2 * (R - 0.01);
    const m = on.find(at(0, 0, height), turned);
    expect(m.count).toBe(2);
    for (let i = 0; i < 2; i++) {
      expect(m.depth[i]).toBeCloseTo(0.01, 12);
      expect(Math.abs(m.normal[3 * i])).toBeCloseTo(Math.SQRT1_2, 12);
      expect(m.normal[3 * i + 2]).toBeCloseTo(-Math.SQRT1_2, 12);
    }
    expect(on.find(at(0, 0, 0.45), turned).count).toBe(1);
  });

  test('a thin plate reached through is one region, a plate inside is contained', () => {
    const plate = block([-1, -1, -0.02], [1, 1, 0.02]);
    const on = onMesh(0.3, plate);
    const m = on.find(at(0.1, 0.2, 0.2), HERE);
    expect(m.count).toBe(1);
    // slab between two parallel planes: ∫ π (R² − z²) dz
    const part = (z: number) => Math.PI * (0.09 * z - z ** 3 / 3);
    expect(m.volume[0]).toBeCloseTo(part(0.22) - part(0.18), 14);
    expect(m.normal[2]).toBeCloseTo(-1, 12);
    const centred = on.find(at(0.1, 0.2, 0), HERE);
    expect(centred.count).toBe(1);
    expect(centred.volume[0]).toBeCloseTo(2 * part(0.02), 14);
    const pebble = onMesh(2, unitCube()).find(at(0.3, 0.1, -0.2), HERE);
    expect(pebble.count).toBe(1);
    expect(pebble.volume[0]).toBeCloseTo(1, 13);
    expect(pebble.flags[0]).toBe(PATCH.contained);
    for (let k = 0; k < 3; k++) expect(pebble.centroid[k]).toBeCloseTo(0.5, 13);
  });
});

describe('against the overlap of meshes', () => {
  // A faceted ball of N subdivisions has its volume right to second order in the facets; halving them must quarter the difference.
  test('a faceted ball comes near the exact one at second order', () => {
    const solids = prepared(assortedMeshes());
    const draw = random('faceted');
    const R = 0.35;
    let compared = 0;
    for (let k = 0; k < 24; k++) {
      const [name, mesh] = solids[draw.integer(solids.length)];
      if (name === 'needle') continue;
      const p: Placement = { position: draw.inSphere(), orientation: draw.rotation() };
      const q: Placement = { position: [0, 0, 0], orientation: draw.rotation() };
      const exact = onMesh(R, mesh).find(p, q);
      const total = (values: Float64Array, count: number) => [...values.subarray(0, count)].reduce((a, b) => a + b, 0);
      const volume = total(exact.volume, exact.count);
      if (volume < 1e-3) continue;
      const topology = prepareMesh(mesh);
      const errors = [12, 24].map((subdivision) => {
        const faceted = new MeshRoute(
          new OverlapBody(prepareMesh(sphere(R, { subdivision }).mesh)),
          new OverlapBody(topology),
          0,
          1,
        );
        const m = new OnRoute(faceted).find(p, q);
        const error = Math.abs(total(m.volume, m.count) / volume - 1);
        if (m.count === 1 && exact.count === 1 && m.flags[0] === 0 && exact.flags[0] === 0) {
          for (let c = 0; c < 3; c++) {
            expect(Math.abs(m.centroid[c] - exact.centroid[c])).toBeLessThan(0.01);
            expect(Math.abs(m.vectorArea[c] - exact.vectorArea[c])).toBeLessThan(0.02 * exact.area[0]);
            expect(Math.abs(m.moment[c] - exact.moment[c])).toBeLessThan(0.02 * exact.area[0] * R);
            expect(Math.abs(m.secondMoments[c] - exact.secondMoments[c])).toBeLessThan(0.02 * exact.area[0] * R * R);
          }
          expect(Math.abs(m.area[0] / exact.area[0] - 1)).toBeLessThan(0.02);
        }
        return error;
      });
      expect(errors[0]).toBeLessThan(0.03);
      expect(errors[1] / errors[0]).toBeLessThan(0.35);
      compared++;
    }
    expect(compared).toBeGreaterThan(8);
  });
});

describe('gradients', () => {
  const solids = prepared(assortedMeshes());
  test('are those of find itself', () => {
    const draw = random('ball gradient');
    let compared = 0;
    let kinks = 0;
    let worst = 0;
    for (let k = 0; k < 160; k++) {
      const [, , topology] = solids[draw.integer(solids.length)];
      const R = draw.uniformBetween(0.1, 0.5);
      const on = new OnRoute(new SphereMeshRoute(R, new BallInMesh(topology), 0, 1));
      const p: Placement = { position: draw.inSphere(), orientation: draw.rotation() };
      const q: Placement = { position: [0.1, 0.2, 0.1], orientation: draw.rotation() };
      const { count, volume, flags, gradient, vectorArea, moment } = on.find(p, q);
      for (let row = 0; row < Math.min(2, count); row++) {
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
  test('of a ball wholly inside: only the direction to the centroid turns', () => {
    const on = onMesh(0.2, unitCube());
    const difference = gradientDifference(on, at(0.4, 0.55, 0.6), HERE, 0);
    expect(difference!.kinks).toBe(0);
    expect(difference!.error).toBeLessThan(1e-7);
  });
});

// Places on a grid on which vertices, edges and faces of the solids lie as well, and radii that just reach them: whatever coincides, a ball
// 1e-7 R beside must have the same volume but for what its surface swept.
describe('coincidences', () => {
  const solids: [string, TriangleMesh][] = [
    ['cube', unitCube()],
    [
      'L',
      extrude(
        L_OUTLINE.map(([x, y]) => [Math.round(8 * x) / 8, Math.round(8 * y) / 8] as const),
        1,
      ).mesh,
    ],
    ['tube', assortedMeshes().squareTube],
    ['floor', tessellated(4, 1)],
  ];
  test.each(solids)('%s', (name, mesh) => {
    const draw = random(`coincidences ${name}`);
    const ball = new BallInMesh(prepareMesh(mesh));
    for (let k = 0; k < 400; k++) {
      const R = [0.125, 0.25, 0.5, Math.sqrt(2) / 8, Math.sqrt(3) / 8, 1, 1e-3][draw.integer(7)];
      const on = new OnRoute(new SphereMeshRoute(R, ball, 0, 1));
      const grid = () => draw.integer(17) / 8 - 0.5;
      const place: Vec3 = [grid(), grid(), grid()];
      const total = (p: Vec3): number => {
        const m = on.find({ position: p, orientation: [1, 0, 0, 0] }, HERE, false);
        let sum = 0;
        for (let i = 0; i < m.count; i++) {
          sum += m.volume[i];
          expect(m.depth[i]).toBeLessThanOrEqual(2 * R);
          expect(m.area[i]).toBeGreaterThan(-1e-12 * R * R);
        }
        return sum;
      };
      const volume = total(place);
      const whole = (4 / 3) * Math.PI * R ** 3;
      expect(volume).toBeLessThanOrEqual(whole * (1 + 1e-12));
      const [x, y, z] = draw.unitVector();
      const step = 1e-7 * R; // more than the 1e-8 R by which a centre on the surface is moved
      const near = total([place[0] + step * x, place[1] + step * y, place[2] + step * z]);
      expect(Math.abs(near - volume)).toBeLessThanOrEqual(1.2 * 4 * Math.PI * R * R * step + 1e-13 * R);
    }
  });
});

// A depth δ ≪ R sees the sphere as its tangent plane: at a corner of three right angles it cuts off a tetrahedron with the legs δ/n_i, V = δ³/(6 n₁ n₂ n₃) and 2V/|S| = ⅔ δ. Along an edge
// it is e = δ − t²/2R deep at t, V = ∫ e²/(2 n₁ n₃) dt = (8/15) δ² √(2Rδ)/(n₁ n₃) and 2V/|S| = ⅘ δ. Curvature leaves a few δ/R, rounding of the corners' places a few ε R/δ.
describe('a ball that just touches', () => {
  const R = 0.0213;
  const cube = box([0.05, 0.04, 0.03]);
  const touch = (corner: Vec3, direction: Vec3, depth: number) => {
    const n = direction.map((x) => x / norm(direction));
    const place: Vec3 = [0, 1, 2].map((k) => corner[k] + (R - depth) * n[k]) as [number, number, number];
    const on = new OnRoute(sphereMeshRoute(sphere(R), cube, 0, 1)!);
    const found = on.find({ position: place, orientation: [1, 0, 0, 0] }, HERE, true);
    expect(found.count).toBe(1);
    const away = norm(sub(vector(found.centroid), corner));
    expect(away).toBeLessThan(4 * Math.sqrt(R * depth));
    return { n, volume: found.volume[0], depth: found.depth[0], within: (10 * depth) / R + (1e-14 * R) / depth };
  };
  const depths = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12];

  test.each(depths)('a corner, by %s m', (delta) => {
    const { n, volume, depth, within } = touch([0.025, 0.02, 0.015], [0.6, 0.5, 0.7], delta);
    expect(Math.abs((volume * 6 * n[0] * n[1] * n[2]) / delta ** 3 - 1)).toBeLessThan(within);
    expect(Math.abs(depth / ((2 / 3) * delta) - 1)).toBeLessThan(within);
  });

  test.each(depths)('an edge, by %s m', (delta) => {
    const { n, volume, depth, within } = touch([0.025, 0.003, 0.015], [0.6, 0, 0.8], delta);
    const expected = ((8 / 15) * delta * delta * Math.sqrt(2 * R * delta)) / (n[0] * n[2]);
    expect(Math.abs(volume / expected - 1)).toBeLessThan(within);
    expect(Math.abs(depth / (0.8 * delta) - 1)).toBeLessThan(within);
  });
});

describe('separation', () => {
  test('the distance to the nearest point, 0 inside', () => {
    const draw = random('ball distance');
    for (const [, mesh, topology] of prepared(assortedMeshes())) {
      const R = 0.1;
      const on = onMesh(R, mesh);
      for (let k = 0; k < 10; k++) {
        const p: Placement = { position: draw.inSphere(), orientation: draw.rotation() };
        const q: Placement = { position: draw.inSphere(), orientation: draw.rotation() };
        const s = on.separate(p, q);
        const back = rotate(
          [q.orientation[0], -q.orientation[1], -q.orientation[2], -q.orientation[3]],
          sub(p.position, q.position),
        );
        const distance = signedDistance(topology.tree, ...back) - R;
        expect(Math.abs(s.distance - Math.max(0, distance))).toBeLessThan(1e-14);
        if (distance > 0) {
          expect(norm(sub(vector(s.pointB), vector(s.pointA)))).toBeCloseTo(distance, 13);
          expect(norm(sub(vector(s.pointA), p.position))).toBeCloseTo(R, 13);
        }
        expect(on.find(p, q).count > 0).toBe(distance < 0);
      }
    }
  });
});

test('shared scratch, other evaluations in between: the same bits', () => {
  const ball = new BallInMesh(prepareMesh(assortedMeshes().gear));
  const one = new OnRoute(new SphereMeshRoute(0.2, ball, 0, 1));
  const other = new OnRoute(new SphereMeshRoute(0.5, ball, 0, 1));
  const pose = at(0.5, 0.2, 0.3);
  const first = measures(one.find(pose, HERE), 0);
  other.find(at(0.1, 0.1, 0.1), HERE);
  one.find(at(0.3, 0.1, 0.1), HERE);
  expect(measures(one.find(pose, HERE), 0)).toEqual(first);
});

test('made from two solids in either order; balls share what is prepared of a mesh', () => {
  const ball = sphere(0.2);
  const cube = { ...box(1), form: { kind: 'mesh' } as const };
  const one = sphereMeshRoute(ball, cube, 3, 5);
  const other = sphereMeshRoute(cube, ball, 5, 3);
  expect([one?.a, one?.b, one?.curvature]).toEqual([3, 5, 5]);
  expect([other?.a, other?.b]).toEqual([3, 5]);
  expect(one?.ball).toBe(other?.ball);
  expect(sphereMeshRoute(cube, cube, 0, 1)).toBeUndefined();
});
