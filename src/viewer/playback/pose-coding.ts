/**
 * Poses in whole numbers.
 *
 * A position has `bits` bits along each axis of the box in which its body moves: within extent/(2 (2^bits − 1)).
 *
 * Of an orientation the three smallest parts are kept in 16 bits each, and which the fourth is, made positive. A part that is not the largest is
 * at most 1/√2, so a step is h = √2/65535 and each is within h/2. The fourth is w = √(1 − a·a) ≥ 1/2 with |a| ≤ √3/2; an error δ of the
 * three, |δ| ≤ √3 h/2, changes it by |a·δ|/w ≤ √3 |δ|, all four by 2 |δ| ≤ √3 h, and the angle by twice that: 7.5e-5 rad.
 */

/** Per body: 3 least, 3 extents, each a float of 32 bits that is on the safe side. */
export function motionBox(least: Float64Array, greatest: Float64Array): Float64Array {
  const box = new Float64Array(6);
  for (let k = 0; k < 3; k++) {
    const low = below(least[k]);
    box[k] = low;
    box[3 + k] = -below(-(greatest[k] - low));
  }
  return box;
}

/** A float of 32 bits that is not above. */
function below(value: number): number {
  const near = Math.fround(value);
  return near <= value ? near : Math.fround(near - Math.abs(near) * 2 ** -23 - 2 ** -149);
}

/** Writes 3 codes of a position; `box` is 6 numbers at `at`. */
export function codePosition(
  poses: Float64Array,
  pose: number,
  box: Float64Array,
  at: number,
  bits: number,
  out: Int32Array,
): void {
  const steps = 2 ** bits - 1;
  for (let k = 0; k < 3; k++) {
    const extent = box[at + 3 + k];
    out[k] = extent > 0 ? Math.min(steps, Math.round(((poses[pose + k] - box[at + k]) / extent) * steps)) : 0;
  }
}

export function decodePosition(
  codes: Int32Array,
  box: Float64Array,
  at: number,
  bits: number,
  poses: Float64Array,
  pose: number,
): void {
  const steps = 2 ** bits - 1;
  for (let k = 0; k < 3; k++) poses[pose + k] = box[at + k] + (codes[k] / steps) * box[at + 3 + k];
}

const STEPS = 65_535;
const HALF = 32_767.5;

/** Writes 3 codes of an orientation, 4 numbers at `at`; gives which part is the largest, the first of equals. */
export function codeOrientation(poses: Float64Array, at: number, out: Int32Array): number {
  let largest = 0;
  let square = 0;
  for (let k = 0; k < 4; k++) {
    square += poses[at + k] * poses[at + k];
    if (Math.abs(poses[at + k]) > Math.abs(poses[at + largest])) largest = k;
  }
  const scale = ((poses[at + largest] < 0 ? -1 : 1) * Math.SQRT2 * HALF) / Math.sqrt(square);
  for (let k = 0, i = 0; k < 4; k++) {
    if (k === largest) continue;
    const code = Math.round(poses[at + k] * scale + HALF);
    out[i++] = Math.min(STEPS, Math.max(0, code)) || 0; // NaN, from an orientation that is none, becomes 0
  }
  return largest;
}

export function decodeOrientation(codes: Int32Array, largest: number, poses: Float64Array, at: number): void {
  let square = 0;
  for (let k = 0, i = 0; k < 4; k++) {
    if (k === largest) continue;
    const part = (codes[i++] - HALF) / (Math.SQRT2 * HALF);
    poses[at + k] = part;
    square += part * part;
  }
  poses[at + largest] = Math.sqrt(Math.max(0, 1 - square));
}
