/** Numbers, vectors and rotations with the same bits in every engine; see docs/theory/math.md. */
export {
  acos,
  asin,
  atan,
  atan2,
  cbrt,
  cos,
  cosh,
  exp,
  expm1,
  hypot,
  log,
  log1p,
  PI,
  pow,
  sin,
  sinh,
  tan,
  tanh,
} from './elementary.js';
export { elementaryHash } from './elementary-hash.js';
export { Hash, hashBytes, hashNumbers } from './hash.js';
export type { Mat3 } from './mat3.js';
export * as mat3 from './mat3.js';
export type { Quaternion } from './quaternion.js';
export * as quaternion from './quaternion.js';
export { type Random, random } from './random.js';
export { type SymmetricEigen, symmetricEigen } from './symmetric-eigen.js';
export type { Vec2, Vec3 } from './vec3.js';
export * as vec3 from './vec3.js';
