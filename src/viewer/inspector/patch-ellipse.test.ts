import { expect, test } from 'vitest';
import { dot, norm, normalize, scale, type Vec3 } from '../../math/vec3.js';
import { ellipsePoints, patchEllipse } from './patch-ellipse.js';

/** ∫ r rᵀ dA of an ellipse with semi-axes along two unit vectors. */
const moments = (a: number, u: Vec3, b: number, v: Vec3) => {
  const area = Math.PI * a * b;
  const entry = (i: number, j: number): number => (area / 4) * (a * a * u[i] * u[j] + b * b * v[i] * v[j]);
  return {
    area,
    secondMoments: [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)] as const,
  };
};

test('an ellipse is found again from its moments', () => {
  const u = normalize([1, 2, 2]);
  const v = normalize([2, 1, -2]);
  const normal = normalize([2, -2, 1]);
  const ellipse = patchEllipse({ ...moments(3e-3, u, 1e-3, v), normal, patchCentroid: [1, 2, 3] })!;
  expect(norm(ellipse.major)).toBeCloseTo(3e-3, 12);
  expect(norm(ellipse.minor)).toBeCloseTo(1e-3, 12);
  expect(Math.abs(dot(ellipse.major, u))).toBeCloseTo(3e-3, 12);
  expect(Math.abs(dot(ellipse.minor, v))).toBeCloseTo(1e-3, 12);
  const points = ellipsePoints(ellipse, 8);
  expect(points).toHaveLength(8);
  for (const point of points) {
    const arm: Vec3 = [point[0] - 1, point[1] - 2, point[2] - 3];
    expect(dot(arm, normal)).toBeCloseTo(0, 12);
    expect((dot(arm, u) / 3e-3) ** 2 + (dot(arm, v) / 1e-3) ** 2).toBeCloseTo(1, 9);
  }
});

test('a square of edge s has a circle of s/√3; a point has none', () => {
  const s = 0.02;
  const moment = s ** 4 / 12;
  const ellipse = patchEllipse({
    area: s * s,
    secondMoments: [moment, moment, 0, 0, 0, 0],
    normal: [0, 0, 1],
    patchCentroid: [0, 0, 0],
  })!;
  expect([norm(ellipse.major), norm(ellipse.minor)]).toEqual([
    expect.closeTo(s / Math.sqrt(3), 12),
    expect.closeTo(s / Math.sqrt(3), 12),
  ]);
  expect(
    patchEllipse({
      area: 0,
      secondMoments: [0, 0, 0, 0, 0, 0],
      normal: scale(-1, [0, 0, 1]),
      patchCentroid: [0, 0, 0],
    }),
  ).toBeUndefined();
});
