/**
 * The normal of a flat patch, face on face.
 *
 * S/|S| is the direction in which the volume falls fastest. Where two boxes are stacked with their sides flush, the volume has a ridge: the
 * strips of the sides, depth high, belong to A a hair to the one side and to B a hair to the other, and S jumps by them; a stack would be
 * pushed to and fro by N · depth/width. There the normal is that of the two faces instead,
 *
 *   n = (n_A − n_B)/|n_A − n_B|,    r = (what is not of the faces)/(of the faces), on both sides
 *
 * wholly so for q < 1e-3, not at all from q = 1e-2 on, and smoothly between; q = min(r, |n_A + n_B|). Between parallel faces the strips count however deep
 * they are: a soft body pressed against a wall that ends at its lower edge is not pushed down along it by N · depth/size. A wedge of two faces at an angle
 * has S along one of them, and keeps it. From r = 0.2 to 0.5 on the faces are no longer all there is, parallel or not.
 */
import { type ContactPatches, GRADIENT } from '../contact-patches.js';

const FLAT = 1e-3;
const NOT_FLAT = 1e-2;
/** r between which even parallel faces stop to count */
const DEEP = 0.2;
const TOO_DEEP = 0.5;

/** 1 below `from`, 0 above `to`, smooth between */
function smoothFall(x: number, from: number, to: number): number {
  if (x <= from) return 1;
  if (x >= to) return 0;
  const y = (x - from) / (to - from);
  return 1 - y * y * (3 - 2 * y);
}

/**
 * Replaces normal and its gradient in a row.
 *
 * @param rest  r
 * @param faces 6: n_A and n_B, world axes
 * @param turning whether n_B turns with B; false where it stands for −n_A
 */
export function preferFaces(
  patches: ContactPatches,
  row: number,
  rest: number,
  faces: Float64Array,
  gradients: boolean,
  turning = true,
): void {
  if (!(rest < TOO_DEEP)) return;
  const ax = faces[0] + faces[3];
  const ay = faces[1] + faces[4];
  const az = faces[2] + faces[5];
  // one that stands for the other tells no angle
  const angle = turning ? Math.sqrt(ax * ax + ay * ay + az * az) : Number.POSITIVE_INFINITY;
  const share = smoothFall(Math.min(rest, angle), FLAT, NOT_FLAT) * smoothFall(rest, DEEP, TOO_DEEP);
  if (!(share > 0)) return;
  const mx = faces[0] - faces[3];
  const my = faces[1] - faces[4];
  const mz = faces[2] - faces[5];
  const between = Math.sqrt(mx * mx + my * my + mz * mz);
  if (!(between > 1.9)) return; // not face on face: 2 where they are opposite
  const { normal, gradient } = patches;
  const i = 3 * row;
  const fx = mx / between;
  const fy = my / between;
  const fz = mz / between;
  const x = (1 - share) * normal[i] + share * fx;
  const yy = (1 - share) * normal[i + 1] + share * fy;
  const z = (1 - share) * normal[i + 2] + share * fz;
  const length = Math.sqrt(x * x + yy * yy + z * z);
  const nx = x / length;
  const ny = yy / length;
  const nz = z / length;
  normal[i] = nx;
  normal[i + 1] = ny;
  normal[i + 2] = nz;
  if (!gradients) return;
  const g = 54 * row + GRADIENT.normal;
  for (let c = 0; c < 6; c++) {
    let dx = (1 - share) * gradient[g + c];
    let dy = (1 - share) * gradient[g + 6 + c];
    let dz = (1 - share) * gradient[g + 12 + c];
    if (c >= 3 && turning) {
      // n_B turns: d(−n_B) = n_B × e_c
      const k = c - 3;
      const tx = k === 1 ? -faces[5] : k === 2 ? faces[4] : 0;
      const ty = k === 0 ? faces[5] : k === 2 ? -faces[3] : 0;
      const tz = k === 0 ? -faces[4] : k === 1 ? faces[3] : 0;
      const along = tx * fx + ty * fy + tz * fz;
      dx += (share * (tx - along * fx)) / between;
      dy += (share * (ty - along * fy)) / between;
      dz += (share * (tz - along * fz)) / between;
    }
    const along = dx * nx + dy * ny + dz * nz;
    gradient[g + c] = (dx - along * nx) / length;
    gradient[g + 6 + c] = (dy - along * ny) / length;
    gradient[g + 12 + c] = (dz - along * nz) / length;
  }
}
