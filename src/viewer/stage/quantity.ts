/**
 * Quantities that differ from point to point of a body, each linear in the point's place g in the shape's frame: W g + w, a vector
 * whose length (speed, displacement) or first component (height) is the value. The card multiplies it out at every vertex.
 *
 *   x = R (c + s g) + p          place of the point; c the shape's centre, s its factor
 *   speed          |v + ω × R (c + s g)|                       m/s
 *   displacement   |(R − R₀)(c + s g) + p − p₀|                m, from where the body stood at the start
 *   height         u · x                                       m, along the scene's up
 */
import type { Vec3 } from '../../math/vec3.js';
import type { Placement } from './placement.js';

export type VertexQuantity = 'speed' | 'height' | 'displacement';

export const UNITS: Readonly<Record<VertexQuantity, string>> = { speed: 'm/s', height: 'm', displacement: 'm' };
/** A height may be negative: its value is the first component, not the length. */
export const isSigned = (quantity: VertexQuantity): boolean => quantity === 'height';

/**
 * Writes the three rows [W | w] (12 numbers) for shape points of a body. Heights are measured from the stage's origin.
 *
 * @returns false where the velocity was not recorded
 */
export function writeRates(
  quantity: VertexQuantity,
  placement: Placement,
  up: Vec3,
  body: number,
  centre: ArrayLike<number>,
  at: number,
  factor: number,
  rows: Float64Array,
): boolean {
  const { rotations, startRotations, poses, velocities, origin } = placement;
  const r = 9 * body;
  const [cx, cy, cz] = [centre[at], centre[at + 1], centre[at + 2]];
  if (quantity === 'height') {
    rows.fill(0);
    for (let k = 0; k < 3; k++) {
      const u = up[k];
      for (let j = 0; j < 3; j++) rows[j] += factor * u * rotations[r + 3 * k + j];
      rows[3] +=
        u *
        (poses[7 * body + k] -
          origin[k] +
          rotations[r + 3 * k] * cx +
          rotations[r + 3 * k + 1] * cy +
          rotations[r + 3 * k + 2] * cz);
    }
    return true;
  }
  if (quantity === 'displacement') {
    for (let k = 0; k < 3; k++) {
      const i = r + 3 * k;
      const dx = rotations[i] - startRotations[i];
      const dy = rotations[i + 1] - startRotations[i + 1];
      const dz = rotations[i + 2] - startRotations[i + 2];
      rows[4 * k] = factor * dx;
      rows[4 * k + 1] = factor * dy;
      rows[4 * k + 2] = factor * dz;
      rows[4 * k + 3] = dx * cx + dy * cy + dz * cz + poses[7 * body + k] - placement.startPosition(body, k);
    }
    return true;
  }
  const v = 6 * body;
  const [wx, wy, wz] = [velocities[v + 3], velocities[v + 4], velocities[v + 5]];
  for (let j = 0; j < 4; j++) {
    // a column of R, and R c for the constant part
    const column = j < 3;
    const x = column ? factor * rotations[r + j] : rotations[r] * cx + rotations[r + 1] * cy + rotations[r + 2] * cz;
    const y = column
      ? factor * rotations[r + 3 + j]
      : rotations[r + 3] * cx + rotations[r + 4] * cy + rotations[r + 5] * cz;
    const z = column
      ? factor * rotations[r + 6 + j]
      : rotations[r + 6] * cx + rotations[r + 7] * cy + rotations[r + 8] * cz;
    rows[j] = wy * z - wz * y + (column ? 0 : velocities[v]);
    rows[4 + j] = wz * x - wx * z + (column ? 0 : velocities[v + 1]);
    rows[8 + j] = wx * y - wy * x + (column ? 0 : velocities[v + 2]);
  }
  return Number.isFinite(rows[3] + rows[7] + rows[11] + wx + wy + wz);
}

/** The value at g = (x, y, z) of rows written before. */
export function valueAt(rows: Float64Array, signed: boolean, x: number, y: number, z: number): number {
  const a = rows[0] * x + rows[1] * y + rows[2] * z + rows[3];
  if (signed) return a;
  const b = rows[4] * x + rows[5] * y + rows[6] * z + rows[7];
  const c = rows[8] * x + rows[9] * y + rows[10] * z + rows[11];
  return Math.sqrt(a * a + b * b + c * c);
}
