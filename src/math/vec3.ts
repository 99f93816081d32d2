/** Vectors of two and three numbers for code that runs once. Inner loops use flat typed arrays instead. */

export type Vec2 = readonly [number, number];
export type Vec3 = readonly [number, number, number];

export const ZERO: Vec3 = [0, 0, 0];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (s: number, a: Vec3): Vec3 => [s * a[0], s * a[1], s * a[2]];
/** a + s b */
export const addScaled = (a: Vec3, s: number, b: Vec3): Vec3 => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
/** Length; scaled by the largest component so that neither 1e-200 nor 1e200 under- or overflows. */
export const norm = (a: Vec3): number => {
  const largest = Math.max(Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2]));
  if (!(largest > 0) || largest === Number.POSITIVE_INFINITY) return largest;
  const x = a[0] / largest;
  const y = a[1] / largest;
  const z = a[2] / largest;
  return largest * Math.sqrt(x * x + y * y + z * z);
};
/** Unit vector along a; the zero vector stays zero. */
export const normalize = (a: Vec3): Vec3 => {
  const length = norm(a);
  return length > 0 ? [a[0] / length, a[1] / length, a[2] / length] : ZERO;
};
export const distance = (a: Vec3, b: Vec3): number => norm(sub(a, b));
/** (1 − t) a + t b */
export const lerp = (a: Vec3, b: Vec3, t: number): Vec3 => [
  (1 - t) * a[0] + t * b[0],
  (1 - t) * a[1] + t * b[1],
  (1 - t) * a[2] + t * b[2],
];
/** A unit vector across a ≠ 0: the cross product with the axis that a is farthest from, the first of equals. */
export const perpendicular = (a: Vec3): Vec3 => {
  const [x, y, z] = [Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2])];
  const axis: Vec3 = x <= y && x <= z ? [1, 0, 0] : y <= z ? [0, 1, 0] : [0, 0, 1];
  return normalize(cross(axis, normalize(a)));
};
export const isFiniteVec3 = (a: Vec3): boolean =>
  Number.isFinite(a[0]) && Number.isFinite(a[1]) && Number.isFinite(a[2]);
