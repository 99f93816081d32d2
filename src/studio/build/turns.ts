/**
 * An orientation as three angles that can be typed: turned about x, then about y, then about z, all three axes those of the world,
 *
 *   R = R_z(c) R_y(b) R_x(a)
 *
 * Where b is a quarter turn, a and c turn about the same line: then a is 0.
 */
import { fromAxisAngle, multiply, normalize, type Quaternion } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';

/** a, b, c, rad */
export function turnsOf(orientation: Quaternion): Vec3 {
  const [w, x, y, z] = normalize(orientation);
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - x * z)));
  if (Math.abs(sine) > 1 - 1e-13)
    return [0, Math.sign(sine) * (Math.PI / 2), Math.atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))];
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(sine),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

export function orientationOf([a, b, c]: Vec3): Quaternion {
  const about = (axis: Vec3, angle: number): Quaternion => fromAxisAngle(axis, angle);
  return multiply(about([0, 0, 1], c), multiply(about([0, 1, 0], b), about([1, 0, 0], a)));
}
