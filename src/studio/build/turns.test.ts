import { expect, test } from 'vitest';
import { fromAxisAngle, type Quaternion, rotate } from '../../math/quaternion.js';
import { random } from '../../math/random.js';
import type { Vec3 } from '../../math/vec3.js';
import { orientationOf, turnsOf } from './turns.js';

const apart = (a: Quaternion, b: Quaternion): number =>
  Math.max(
    ...[
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ].map((axis) => {
      const [p, q] = [rotate(a, axis as unknown as Vec3), rotate(b, axis as unknown as Vec3)];
      return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    }),
  );

test('what is typed is what stands there again', () => {
  for (const [a, b, c] of [
    [0.3, -1.2, 2.5],
    [0, 0, -3],
    [Math.PI / 2, 0, 0],
    [-3, 1.5, 0.1],
  ])
    for (const [k, angle] of turnsOf(orientationOf([a, b, c])).entries()) expect(angle).toBeCloseTo([a, b, c][k], 12);
});

test('any orientation is that of its angles, at a quarter turn about y too', () => {
  const draw = random(5);
  const between = (): number => draw.uniformBetween(-1, 1);
  for (let i = 0; i < 200; i++) {
    const q = fromAxisAngle([between(), between(), between()], 3 * between());
    expect(apart(orientationOf(turnsOf(q)), q)).toBeLessThan(1e-12);
  }
  for (const b of [Math.PI / 2, -Math.PI / 2]) {
    const q = orientationOf([0.4, b, 1]);
    expect(apart(orientationOf(turnsOf(q)), q)).toBeLessThan(1e-6); // the sine of a quarter turn has lost half its digits
  }
});
