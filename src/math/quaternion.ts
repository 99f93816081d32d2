/** Unit quaternions [w, x, y, z] for orientations: a vector v seen from B is q v q* seen from A. */
import type { Vec3 } from './vec3.js';

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
