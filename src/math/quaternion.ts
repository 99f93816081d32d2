/** Unit quaternions [w, x, y, z] for orientations: a vector v seen from B is q v q* seen from A. */
import { ModelError } from '../errors.js';
import { atan2, cos, sin } from './elementary.js';
import {
  add,
  addScaled,
  cross,
  dot,
  norm,
  normalize as normalizeVector,
  perpendicular,
  sub,
  type Vec3,
} from './vec3.js';

export type Quaternion = readonly [number, number, number, number];
export const IDENTITY: Quaternion = [1, 0, 0, 0];

export const multiply = (a: Quaternion, b: Quaternion): Quaternion => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];
export const conjugate = (q: Quaternion): Quaternion => [q[0], -q[1], -q[2], -q[3]];
/** q v q*, for unit q: v + 2 w (u × v) + 2 u × (u × v) with u the vector part. */
export const rotate = (q: Quaternion, v: Vec3): Vec3 => {
  const tx = 2 * (q[2] * v[2] - q[3] * v[1]);
  const ty = 2 * (q[3] * v[0] - q[1] * v[2]);
  const tz = 2 * (q[1] * v[1] - q[2] * v[0]);
  return [
    v[0] + q[0] * tx + q[2] * tz - q[3] * ty,
    v[1] + q[0] * ty + q[3] * tx - q[1] * tz,
    v[2] + q[0] * tz + q[1] * ty - q[2] * tx,
  ];
};

/** q/|q|; the zero quaternion becomes the identity. */
export const normalize = (q: Quaternion): Quaternion => {
  const length = lengthOf(q);
  return length > 0 ? [q[0] / length, q[1] / length, q[2] / length, q[3] / length] : IDENTITY;
};
const lengthOf = (q: Quaternion): number => {
  const largest = Math.max(Math.abs(q[0]), Math.abs(q[1]), Math.abs(q[2]), Math.abs(q[3]));
  if (!(largest > 0)) return largest;
  const [w, x, y, z] = [q[0] / largest, q[1] / largest, q[2] / largest, q[3] / largest];
  return largest * Math.sqrt(w * w + x * x + y * y + z * z);
};

const withVector = (w: number, v: Vec3): Quaternion => [w, v[0], v[1], v[2]];
const vectorOf = (q: Quaternion): Vec3 => [q[1], q[2], q[3]];

/** Rotation by an angle in rad about an axis of any length, right-handed. @throws ModelError for a zero axis */
export const fromAxisAngle = (axis: Vec3, angle: number): Quaternion => {
  const unit = normalizeVector(axis);
  if (!(norm(unit) > 0)) throw new ModelError('axis', `expected a direction other than zero, got [${axis.join(', ')}]`);
  const s = sin(0.5 * angle);
  return [cos(0.5 * angle), s * unit[0], s * unit[1], s * unit[2]];
};

/** exp: the rotation by |v| rad about v. */
export const fromRotationVector = (v: Vec3): Quaternion => {
  const angle = norm(v);
  const s = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
  return [cos(0.5 * angle), s * v[0], s * v[1], s * v[2]];
};

/** log: axis times angle in rad, the shorter way round, so its length is at most π. For unit q. */
export const toRotationVector = (q: Quaternion): Vec3 => {
  const s = norm(vectorOf(q));
  if (!(s > 0)) return [0, 0, 0];
  const factor = ((q[0] < 0 ? -1 : 1) * angle(q)) / s;
  return [factor * q[1], factor * q[2], factor * q[3]];
};

/** Angle of the rotation in rad, 0 … π. The arctangent is accurate for small angles too, where arccos w is not. */
export const angle = (q: Quaternion): number => 2 * atan2(norm(vectorOf(q)), Math.abs(q[0]));

/**
 * The shortest rotation that takes the direction of a to that of b, for vectors of any length but zero.
 *
 * With unit vectors at the angle φ: |a + b| = 2 cos φ/2 and |a − b| = 2 sin φ/2. The axis a × b is small near φ = π:
 * there it is cleaned of the part along a that rounding left, and if that was most of it any axis across a will do.
 */
export const between = (a: Vec3, b: Vec3): Quaternion => {
  const from = normalizeVector(a);
  const to = normalizeVector(b);
  const half = 0.5 * norm(add(from, to));
  const c = cross(from, to);
  if (dot(from, to) >= 0) return withVector(half, [c[0] / (2 * half), c[1] / (2 * half), c[2] / (2 * half)]);
  const axis = normalizeVector(c);
  const cleaned = addScaled(axis, -dot(axis, from), from);
  const across = normalizeVector(norm(cleaned) > 0.5 ? cleaned : perpendicular(from)); // else c was all rounding
  const s = 0.5 * norm(sub(from, to));
  return normalize(withVector(half, [s * across[0], s * across[1], s * across[2]]));
};

/** From a (t = 0) to b (t = 1) at constant angular speed, the shorter way round (Shoemake 1985). For unit a and b. */
export const slerp = (a: Quaternion, b: Quaternion, t: number): Quaternion => {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  const c: Quaternion = [sign * b[0], sign * b[1], sign * b[2], sign * b[3]];
  const difference = lengthOf([c[0] - a[0], c[1] - a[1], c[2] - a[2], c[3] - a[3]]);
  const sum = lengthOf([c[0] + a[0], c[1] + a[1], c[2] + a[2], c[3] + a[3]]);
  const arc = 2 * atan2(difference, sum); // between the quaternions: half the angle of the rotation
  const s = sin(arc);
  const u = s > 0 ? sin((1 - t) * arc) / s : 1 - t;
  const v = s > 0 ? sin(t * arc) / s : t;
  return normalize([u * a[0] + v * c[0], u * a[1] + v * c[1], u * a[2] + v * c[2], u * a[3] + v * c[3]]);
};
