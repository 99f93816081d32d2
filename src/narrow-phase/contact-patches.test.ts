import { expect, test } from 'vitest';
import { at, Pair, unitCube } from '../../tests/fixtures/overlap.js';
import { fromAxisAngle, fromRotationVector, multiply } from '../math/quaternion.js';
import { add, cross, type Vec3 } from '../math/vec3.js';
import { ContactPatches } from './contact-patches.js';
import { prepareMesh } from './mesh-overlap/mesh-topology.js';

test('rows keep what was written when the arrays grow, and new ones are empty', () => {
  const patches = new ContactPatches(1);
  for (let i = 0; i < 9; i++) {
    expect(patches.add(10 + i, i % 2)).toBe(i);
    patches.volume[i] = i;
    patches.secondMoments[6 * i + 5] = 2 * i;
    patches.feature[2 * i + 1] = 3 * i;
  }
  for (let i = 0; i < 9; i++) {
    expect([patches.pair[i], patches.region[i], patches.volume[i]]).toEqual([10 + i, i % 2, i]);
    expect([patches.secondMoments[6 * i + 5], patches.feature[2 * i], patches.feature[2 * i + 1]]).toEqual([
      2 * i,
      -1,
      3 * i,
    ]);
  }
  patches.clear();
  patches.add(0, 0);
  expect([patches.volume[0], patches.secondMoments[5], patches.feature[1]]).toEqual([0, 0, -1]);
});

// Two cubes in general motion: dV/dt from S and Q against the difference of the volumes a moment before and after.
test('the rate of the volume', () => {
  const cube = prepareMesh(unitCube());
  const pair = new Pair(cube, cube);
  const poses = [
    { position: [0.1, 0.2, 0.3] as Vec3, orientation: fromAxisAngle([1, 2, 3], 0.4) },
    { ...at(0.7, 0.9, 0.5), orientation: fromAxisAngle([3, 1, 2], 0.9) },
  ];
  const angular: Vec3[] = [
    [0.3, -0.2, 0.5],
    [-0.7, 0.1, 0.4],
  ];
  const linear: Vec3[] = [
    [0.2, 0.1, -0.3],
    [-0.4, 0.3, 0.2],
  ];
  const moved = (i: number, t: number) => ({
    position: add(poses[i].position, linear[i].map((v) => v * t) as unknown as Vec3),
    orientation: multiply(fromRotationVector(angular[i].map((w) => w * t) as unknown as Vec3), poses[i].orientation),
  });
  const volume = (t: number): number => {
    pair.place(moved(0, t), moved(1, t));
    return pair.total('volume')[0];
  };
  const h = 1e-5;
  const rate = (volume(h) - volume(-h)) / (2 * h);
  expect(volume(0)).toBeGreaterThan(0.01);
  // dV/dt = −S·v − Q·ω, with the velocity v of B's material against A's at the centroid and the angular velocity ω of B against A's
  const { centroid, vectorArea, moment } = pair.patches;
  const arm = (i: number): Vec3 => [0, 1, 2].map((k) => centroid[k] - poses[i].position[k]) as unknown as Vec3;
  const [a, b] = [0, 1].map((i) => add(linear[i], cross(angular[i], arm(i))));
  let told = 0;
  for (let k = 0; k < 3; k++) told -= vectorArea[k] * (b[k] - a[k]) + moment[k] * (angular[1][k] - angular[0][k]);
  expect(told).toBeCloseTo(rate, 9);
});
