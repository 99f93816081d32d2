import { describe, expect, test } from 'vitest';
import { fromAxisAngle, rotate } from '../../math/quaternion.js';
import { add, cross, norm, sub, type Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';
import { Placement } from './placement.js';
import { valueAt, writeRates } from './quantity.js';

const start = { position: [5, -2, 1] as Vec3, orientation: fromAxisAngle([0, 0, 1], 0.3) };
const scene: Scene = {
  title: '',
  up: [0, 0, 1],
  shapes: [],
  bodies: [{ name: 'a', mass: 1, centreOfMass: [0, 0, 0], fixed: false, pose: start, parts: [], frames: [] }],
  joints: [],
  springs: [],
  surfaces: [],
  plots: {},
};
const now = { position: [7, 1, 4] as Vec3, orientation: fromAxisAngle([1, 2, -1], 1.1) };
const [velocity, spin]: [Vec3, Vec3] = [
  [0.3, -1, 2],
  [0.5, 4, -1],
];
const centre: Vec3 = [0.2, 0.4, -0.7];
const factor = 0.5;
const g: Vec3 = [0.1, -0.6, 0.3];
// The point in the body's frame, and where it is
const local: Vec3 = [centre[0] + factor * g[0], centre[1] + factor * g[1], centre[2] + factor * g[2]];

function placed(): Placement {
  const placement = new Placement(scene);
  placement.origin = [100, 200, 300];
  placement.set(Float64Array.from([...now.position, ...now.orientation]), Float64Array.from([...velocity, ...spin]));
  return placement;
}

describe('quantities at a point, against vectors written out', () => {
  const rows = new Float64Array(12);
  test('speed is |v + ω × r|', () => {
    expect(writeRates('speed', placed(), scene.up, 0, centre, 0, factor, rows)).toBe(true);
    const expected = norm(add(velocity, cross(spin, rotate(now.orientation, local))));
    expect(valueAt(rows, false, ...g)).toBeCloseTo(expected, 12);
  });
  test('displacement is the distance from the place at the start', () => {
    writeRates('displacement', placed(), scene.up, 0, centre, 0, factor, rows);
    const at = (pose: typeof now): Vec3 => add(pose.position, rotate(pose.orientation, local));
    expect(valueAt(rows, false, ...g)).toBeCloseTo(norm(sub(at(now), at(start))), 12);
  });
  test('height is along up, from the origin of the stage', () => {
    writeRates('height', placed(), scene.up, 0, centre, 0, factor, rows);
    expect(valueAt(rows, true, ...g)).toBeCloseTo(now.position[2] + rotate(now.orientation, local)[2] - 300, 11);
  });
  test('an unknown velocity is said', () => {
    const placement = placed();
    placement.velocities.fill(Number.NaN);
    expect(writeRates('speed', placement, scene.up, 0, centre, 0, factor, rows)).toBe(false);
  });
});

test('a pose that was not recorded is the scene’s own', () => {
  const placement = new Placement(scene);
  placement.set(new Float64Array(7).fill(Number.NaN), undefined);
  expect([...placement.poses]).toEqual([...start.position, ...start.orientation]);
  const there = placement.point(0, local);
  const expected = add(start.position, rotate(start.orientation, local));
  for (let k = 0; k < 3; k++) expect(there[k]).toBeCloseTo(expected[k], 12);
  expect(placement.point(-1, local)).toEqual(local);
});
