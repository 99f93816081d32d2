import { describe, expect, test } from 'vitest';
import { frame, RoutedPair } from '../../../tests/fixtures/closed-form.js';
import { gradientDifference, OnRoute } from '../../../tests/fixtures/route-gradient.js';
import { ellipsoid, halfSpace, sphere } from '../../geometry/index.js';
import { fromAxisAngle, fromRotationVector, type Quaternion } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import type { Vec3 } from '../../math/vec3.js';
import { PATCH } from '../contact-patches.js';
import { halfSpaceRoute } from '../half-space-overlap/index.js';

const RADII: Vec3 = [0.5, 0.3, 0.2];
const GROUND = frame([0, 0, 0]);
const exact = () => new RoutedPair(halfSpace(), ellipsoid(RADII));
const ratio = (a: number, b: number) => Math.abs(a / b - 1);

/** Distance from the centre to the tangent plane below, of an ellipsoid so turned */
function support(orientation: Quaternion): number {
  const [w, x, y, z] = orientation;
  // third row of the rotation matrix: the vertical in the ellipsoid's axes
  const up = [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z];
  return Math.sqrt(up.reduce((sum, u, k) => sum + (u * RADII[k]) ** 2, 0));
}

describe('an ellipsoid and a half-space', () => {
  test('with three equal half axes it is a sphere', () => {
    const ball = new RoutedPair(halfSpace(), sphere(0.4));
    const other = new RoutedPair(halfSpace(), ellipsoid([0.4, 0.4, 0.4]));
    const turned = fromAxisAngle([0.6, 0, 0.8], 1.1);
    for (const depth of [1e-6, 0.01, 0.3, 0.7]) {
      const p = ball.find(GROUND, frame([1, 2, 0.4 - depth], turned));
      const q = other.find(GROUND, frame([1, 2, 0.4 - depth], turned));
      // 1e-16 R of the coordinates is 1e-16 R/d of the depth
      const tolerance = 1e-14 + 1e-15 / depth;
      for (const key of ['volume', 'depth', 'extent'] as const)
        expect(ratio(q[key][0], p[key][0])).toBeLessThan(tolerance);
      for (let k = 0; k < 3; k++) expect(q.centroid[k]).toBeCloseTo(p.centroid[k], 12);
      // the sphere's A is the ball: its normal runs down, its patch is the cap
      expect(q.normal[2]).toBe(1);
      expect(ratio(q.area[0], -p.vectorArea[2])).toBeLessThan(tolerance);
    }
  });

  // Standing on its three axes: cap of height d of an ellipsoid, V = π (b c/a²) d² (a − d/3), section an ellipse with half axes b ρ, c ρ, ρ² = (d/a)(2 − d/a)
  test('cap and section, upright', () => {
    const [a, b, c] = RADII;
    const p = exact().find(GROUND, frame([3, -4, a - 0.1], fromAxisAngle([0, 1, 0], Math.PI / 2)));
    const rho2 = (0.1 / a) * (2 - 0.1 / a);
    expect(ratio(p.volume[0], ((Math.PI * b * c) / (a * a)) * 0.01 * (a - 0.1 / 3))).toBeLessThan(1e-13);
    expect(ratio(p.area[0], Math.PI * b * c * rho2)).toBeLessThan(1e-13);
    // ∫ of an ellipse: A/4 times the square of its half axis; x lies up and down, so z lies along −x or x of the world
    expect(ratio(p.secondMoments[0], (p.area[0] * c * c * rho2) / 4)).toBeLessThan(1e-12);
    expect(ratio(p.secondMoments[1], (p.area[0] * b * b * rho2) / 4)).toBeLessThan(1e-12);
    expect(Math.abs(p.secondMoments[2])).toBeLessThan(1e-15);
    expect(p.patchCentroid[2]).toBeCloseTo(0, 14);
  });

  test('agrees with a fine mesh of it, however it lies', () => {
    const solid = ellipsoid(RADII, { subdivision: 40 });
    const mesh = new OnRoute(
      halfSpaceRoute(halfSpace(), { ...solid, form: { kind: 'mesh' } }, 0, 1, { depth: 'volume' })!,
    );
    const stream = random(3);
    for (let i = 0; i < 30; i++) {
      const orientation = fromRotationVector([
        4 * stream.uniform() - 2,
        4 * stream.uniform() - 2,
        4 * stream.uniform() - 2,
      ]);
      const at = frame([0.1, -0.2, support(orientation) * (0.9 - 1.6 * stream.uniform())], orientation);
      const p = exact().find(GROUND, at);
      const q = mesh.find(GROUND, at);
      expect(q.count).toBe(1);
      // facets of 1/40 of an icosahedron's edge lie up to 4e-4 of the size below the surface
      expect(ratio(p.volume[0], q.volume[0])).toBeLessThan(3e-3);
      expect(ratio(p.area[0], q.area[0])).toBeLessThan(3e-3);
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(p.centroid[k] - q.centroid[k])).toBeLessThan(2e-4);
        expect(Math.abs(p.patchCentroid[k] - q.patchCentroid[k])).toBeLessThan(2e-4);
        expect(Math.abs(p.moment[k] - q.moment[k])).toBeLessThan(1e-3 * q.area[0]);
      }
      for (let k = 0; k < 6; k++) expect(Math.abs(p.secondMoments[k] - q.secondMoments[k])).toBeLessThan(3e-5);
    }
  });

  test('gradients are the derivatives', () => {
    const stream = random(8);
    for (const deep of [1e-3, 0.2, 1.3]) {
      const orientation = fromRotationVector([2 * stream.uniform(), 2 * stream.uniform(), 2 * stream.uniform()]);
      const on = new OnRoute(exact().route);
      const tilt = frame([0.3, 0.1, -0.2], fromRotationVector([0.2, -0.4, 0.1]));
      // tilted ground: move the ellipsoid along its normal
      const { normal } = on.find(tilt, frame([0, 0, -9], orientation));
      const n = [...normal.slice(0, 3)];
      const level = on.separate(tilt, frame([0.3 + 9 * n[0], 0.1 + 9 * n[1], -0.2 + 9 * n[2]], orientation)).distance;
      const height = 9 - level; // support distance of the ellipsoid along n
      const up = height * (1 - deep);
      const at = frame([0.35 + up * n[0], 0.1 + up * n[1], -0.2 + up * n[2]], orientation);
      const difference = gradientDifference(on, tilt, at, 0, { step: 1e-5 })!;
      expect(difference.kinks).toBe(0);
      // central differences with steps of 1e-5 of coordinates of 1, and a cap of 1e-3 that changes within 1e-4
      expect(difference.error).toBeLessThan(deep < 0.01 ? 1e-5 : 1e-7);
    }
  });

  test('wholly below, and apart', () => {
    const pair = exact();
    const p = pair.find(GROUND, frame([0, 0, -0.7]));
    expect(p.flags[0]).toBe(PATCH.contained);
    expect(ratio(p.volume[0], (4 / 3) * Math.PI * RADII[0] * RADII[1] * RADII[2])).toBeLessThan(1e-14);
    expect([...p.centroid.slice(0, 3)]).toEqual([0, 0, -0.7]);
    expect(pair.find(GROUND, frame([0, 0, 0.21])).count).toBe(0);
    const apart = pair.separate(GROUND, frame([1, 2, 0.7]));
    expect(apart.distance).toBeCloseTo(0.5, 14);
    expect([...apart.pointB]).toEqual([1, 2, expect.closeTo(0.5, 14)]);
    expect([...apart.pointA]).toEqual([1, 2, expect.closeTo(0, 14)]);
  });
});
