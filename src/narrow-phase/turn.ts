/** Rotations of rows of flat arrays, in place. */

/** v ← R v for the three numbers from `at` on; R by rows. */
export function turn(r: Float64Array, v: Float64Array, at: number): void {
  const x = v[at];
  const y = v[at + 1];
  const z = v[at + 2];
  v[at] = r[0] * x + r[1] * y + r[2] * z;
  v[at + 1] = r[3] * x + r[4] * y + r[5] * z;
  v[at + 2] = r[6] * x + r[7] * y + r[8] * z;
}

/** M ← R M Rᵀ for the six numbers xx yy zz xy xz yz from `at` on. */
export function turnTensor(r: Float64Array, m: Float64Array, at: number): void {
  const xx = m[at];
  const yy = m[at + 1];
  const zz = m[at + 2];
  const xy = m[at + 3];
  const xz = m[at + 4];
  const yz = m[at + 5];
  const entry = (i: number, j: number): number =>
    r[3 * i] * (xx * r[3 * j] + xy * r[3 * j + 1] + xz * r[3 * j + 2]) +
    r[3 * i + 1] * (xy * r[3 * j] + yy * r[3 * j + 1] + yz * r[3 * j + 2]) +
    r[3 * i + 2] * (xz * r[3 * j] + yz * r[3 * j + 1] + zz * r[3 * j + 2]);
  m[at] = entry(0, 0);
  m[at + 1] = entry(1, 1);
  m[at + 2] = entry(2, 2);
  m[at + 3] = entry(0, 1);
  m[at + 4] = entry(0, 2);
  m[at + 5] = entry(1, 2);
}
