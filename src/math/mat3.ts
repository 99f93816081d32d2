/** 3×3 matrices, row by row in nine numbers, for code that runs once. Inner loops use flat typed arrays instead. */
import { ModelError } from '../errors.js';
import { scaleToOne } from './binary.js';
import { fromAxisAngle, normalize, type Quaternion } from './quaternion.js';
import { cross, dot, type Vec3 } from './vec3.js';

export type Mat3 = readonly [number, number, number, number, number, number, number, number, number];

export const IDENTITY: Mat3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** diag(x, y, z) */
export const diagonal = (x: number, y: number, z: number): Mat3 => [x, 0, 0, 0, y, 0, 0, 0, z];
export const fromRows = (a: Vec3, b: Vec3, c: Vec3): Mat3 => [...a, ...b, ...c];
export const fromColumns = (a: Vec3, b: Vec3, c: Vec3): Mat3 => transpose(fromRows(a, b, c));
/** Row i = 0, 1, 2. */
export const row = (m: Mat3, i: number): Vec3 => [m[3 * i], m[3 * i + 1], m[3 * i + 2]];
/** Column j = 0, 1, 2. */
export const column = (m: Mat3, j: number): Vec3 => [m[j], m[3 + j], m[6 + j]];

const map = (m: Mat3, f: (entry: number, index: number) => number): Mat3 => m.map(f) as unknown as Mat3;
export const add = (a: Mat3, b: Mat3): Mat3 => map(a, (entry, i) => entry + b[i]);
export const sub = (a: Mat3, b: Mat3): Mat3 => map(a, (entry, i) => entry - b[i]);
export const scale = (s: number, m: Mat3): Mat3 => map(m, (entry) => s * entry);

export const transpose = (m: Mat3): Mat3 => [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];

/** A B */
export const multiply = (a: Mat3, b: Mat3): Mat3 => [
  a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
  a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
  a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
  a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
  a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
  a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
  a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
  a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
  a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
];

/** M v */
export const apply = (m: Mat3, v: Vec3): Vec3 => [
  m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
  m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
  m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
];

export const trace = (m: Mat3): number => m[0] + m[4] + m[8];
export const determinant = (m: Mat3): number => dot(row(m, 0), cross(row(m, 1), row(m, 2)));

/**
 * M⁻¹ by cofactors, after scaling the largest entry to [1, 2) so that no product over- or underflows.
 *
 * @throws ModelError if M is singular or not finite
 */
export function inverse(m: Mat3): Mat3 {
  const factor = scaleToOne(largestEntry(m));
  const scaled = scale(factor, m);
  const [a, b, c] = [row(scaled, 0), row(scaled, 1), row(scaled, 2)];
  const cofactors = [cross(b, c), cross(c, a), cross(a, b)] as const; // columns of the inverse times the determinant
  const d = dot(a, cofactors[0]);
  if (!(Math.abs(d) > 0 && Math.abs(d) < Number.POSITIVE_INFINITY))
    throw new ModelError(
      'inverse',
      `expected a matrix with rows that span space, got [${m.join(', ')}], determinant ${d}`,
    );
  return map(fromColumns(...cofactors), (entry) => (entry / d) * factor);
}

const largestEntry = (m: Mat3): number => m.reduce((largest, entry) => Math.max(largest, Math.abs(entry)), 0);

/** [v]×: skew(v) w = v × w */
export const skew = (v: Vec3): Mat3 => [0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0];

/** a bᵀ */
export const outer = (a: Vec3, b: Vec3): Mat3 => [
  a[0] * b[0],
  a[0] * b[1],
  a[0] * b[2],
  a[1] * b[0],
  a[1] * b[1],
  a[1] * b[2],
  a[2] * b[0],
  a[2] * b[1],
  a[2] * b[2],
];

/** Rotation by an angle in rad about an axis of any length. */
export const rotation = (axis: Vec3, angle: number): Mat3 => fromQuaternion(fromAxisAngle(axis, angle));

/** The matrix R with R v = q v q*, for unit q. */
export function fromQuaternion([w, x, y, z]: Quaternion): Mat3 {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}

/**
 * The unit quaternion of a rotation matrix, with w ≥ 0.
 *
 * The matrix gives all products 4 qᵢ qⱼ; the row of the largest qᵢ² ≥ 1/4 has no cancellation (Shepperd 1978).
 */
export function toQuaternion(m: Mat3): Quaternion {
  const squares = [1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8]];
  let largest = 0;
  for (let i = 1; i < 4; i++) if (squares[i] > squares[largest]) largest = i;
  const [wx, wy, wz] = [m[7] - m[5], m[2] - m[6], m[3] - m[1]];
  const [xy, yz, zx] = [m[1] + m[3], m[5] + m[7], m[6] + m[2]];
  const products: Quaternion = (
    [
      [squares[0], wx, wy, wz],
      [wx, squares[1], xy, zx],
      [wy, xy, squares[2], yz],
      [wz, zx, yz, squares[3]],
    ] as const
  )[largest];
  const q = normalize(products);
  return q[0] < 0 ? [-q[0], -q[1], -q[2], -q[3]] : q;
}
