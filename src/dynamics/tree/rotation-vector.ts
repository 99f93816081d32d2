/** From a rotation matrix to quaternion and rotation vector without leaving garbage behind; see quaternion.ts and mat3.ts in math. */
import { atan2 } from '../../math/elementary.js';

/** Unit quaternion w x y z of a row-major rotation matrix, w ≥ 0: the row of 4 qᵢ qⱼ with the largest diagonal (Shepperd 1978). */
export function quaternionOfMatrix(m: Float64Array, out: { [index: number]: number }): void {
  const w = 1 + m[0] + m[4] + m[8];
  const x = 1 + m[0] - m[4] - m[8];
  const y = 1 - m[0] + m[4] - m[8];
  const z = 1 - m[0] - m[4] + m[8];
  if (w >= x && w >= y && w >= z) set(out, w, m[7] - m[5], m[2] - m[6], m[3] - m[1]);
  else if (x >= y && x >= z) set(out, m[7] - m[5], x, m[1] + m[3], m[6] + m[2]);
  else if (y >= z) set(out, m[2] - m[6], m[1] + m[3], y, m[5] + m[7]);
  else set(out, m[3] - m[1], m[6] + m[2], m[5] + m[7], z);
}

function set(out: { [index: number]: number }, w: number, x: number, y: number, z: number): void {
  const factor = (w < 0 ? -1 : 1) / Math.sqrt(w * w + x * x + y * y + z * z);
  out[0] = factor * w;
  out[1] = factor * x;
  out[2] = factor * y;
  out[3] = factor * z;
}

const QUATERNION = new Float64Array(4);

/** Axis times angle of a rotation matrix, the shorter way round */
export function rotationVectorOfMatrix(m: Float64Array, out: Float64Array): void {
  quaternionOfMatrix(m, QUATERNION);
  const x = QUATERNION[1];
  const y = QUATERNION[2];
  const z = QUATERNION[3];
  const s = Math.sqrt(x * x + y * y + z * z);
  const factor = s > 0 ? (2 * atan2(s, QUATERNION[0])) / s : 2;
  out[0] = factor * x;
  out[1] = factor * y;
  out[2] = factor * z;
}
