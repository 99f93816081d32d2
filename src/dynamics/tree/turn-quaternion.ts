import { cos, sin } from '../../math/elementary.js';

/** q ← q exp(θ/2), at y[q], θ of three numbers in the child's frame */
export function turnQuaternion(y: Float64Array, q: number, theta: Float64Array): void {
  const tx = theta[0];
  const ty = theta[1];
  const tz = theta[2];
  const angle = Math.sqrt(tx * tx + ty * ty + tz * tz);
  const s = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
  const c = cos(0.5 * angle);
  const ax = s * tx;
  const ay = s * ty;
  const az = s * tz;
  const w = y[q];
  const x = y[q + 1];
  const yy = y[q + 2];
  const z = y[q + 3];
  y[q] = c * w - x * ax - yy * ay - z * az;
  y[q + 1] = c * x + w * ax + yy * az - z * ay;
  y[q + 2] = c * yy + w * ay + z * ax - x * az;
  y[q + 3] = c * z + w * az + x * ay - yy * ax;
}
