/**
 * Spatial vectors in flat arrays: motions (ω, v) and forces (τ, F) of six numbers at an index, inertias of ten, Coriolis matrices of twelve
 * (tree-derivatives.ts). All of one point and in world axes. Featherstone (2008), ch. 2.
 */

/** (ω, v) at a point c from the common origin → at the origin: v − ω × c */
export function shiftMotion(
  m: Float64Array,
  at: number,
  c: Float64Array,
  cAt: number,
  out: Float64Array,
  outAt: number,
): void {
  const wx = m[at];
  const wy = m[at + 1];
  const wz = m[at + 2];
  const cx = c[cAt];
  const cy = c[cAt + 1];
  const cz = c[cAt + 2];
  out[outAt + 3] = m[at + 3] + cy * wz - cz * wy;
  out[outAt + 4] = m[at + 4] + cz * wx - cx * wz;
  out[outAt + 5] = m[at + 5] + cx * wy - cy * wx;
  out[outAt] = wx;
  out[outAt + 1] = wy;
  out[outAt + 2] = wz;
}

/** (τ, F) at a point c from the common origin → at the origin: τ + c × F */
export function shiftForce(
  f: Float64Array,
  at: number,
  c: Float64Array,
  cAt: number,
  out: Float64Array,
  outAt: number,
): void {
  const fx = f[at + 3];
  const fy = f[at + 4];
  const fz = f[at + 5];
  const cx = c[cAt];
  const cy = c[cAt + 1];
  const cz = c[cAt + 2];
  out[outAt] = f[at] + cy * fz - cz * fy;
  out[outAt + 1] = f[at + 1] + cz * fx - cx * fz;
  out[outAt + 2] = f[at + 2] + cx * fy - cy * fx;
  out[outAt + 3] = fx;
  out[outAt + 4] = fy;
  out[outAt + 5] = fz;
}

/** a × b of motion vectors: (ω × ω₂, ω × v₂ + v × ω₂); out may not overlap. */
export function crossMotion(
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  bAt: number,
  out: Float64Array,
  outAt: number,
): void {
  const wx = a[aAt];
  const wy = a[aAt + 1];
  const wz = a[aAt + 2];
  const vx = a[aAt + 3];
  const vy = a[aAt + 4];
  const vz = a[aAt + 5];
  const px = b[bAt];
  const py = b[bAt + 1];
  const pz = b[bAt + 2];
  const qx = b[bAt + 3];
  const qy = b[bAt + 4];
  const qz = b[bAt + 5];
  out[outAt] = wy * pz - wz * py;
  out[outAt + 1] = wz * px - wx * pz;
  out[outAt + 2] = wx * py - wy * px;
  out[outAt + 3] = wy * qz - wz * qy + vy * pz - vz * py;
  out[outAt + 4] = wz * qx - wx * qz + vz * px - vx * pz;
  out[outAt + 5] = wx * qy - wy * qx + vx * py - vy * px;
}

/** a ×* f: (ω × τ + v × F, ω × F); adds `scale` times it to out. */
export function addCrossForce(
  scale: number,
  a: Float64Array,
  aAt: number,
  f: Float64Array,
  fAt: number,
  out: Float64Array,
  outAt: number,
): void {
  const wx = scale * a[aAt];
  const wy = scale * a[aAt + 1];
  const wz = scale * a[aAt + 2];
  const vx = scale * a[aAt + 3];
  const vy = scale * a[aAt + 4];
  const vz = scale * a[aAt + 5];
  const tx = f[fAt];
  const ty = f[fAt + 1];
  const tz = f[fAt + 2];
  const fx = f[fAt + 3];
  const fy = f[fAt + 4];
  const fz = f[fAt + 5];
  out[outAt] += wy * tz - wz * ty + vy * fz - vz * fy;
  out[outAt + 1] += wz * tx - wx * tz + vz * fx - vx * fz;
  out[outAt + 2] += wx * ty - wy * tx + vx * fy - vy * fx;
  out[outAt + 3] += wy * fz - wz * fy;
  out[outAt + 4] += wz * fx - wx * fz;
  out[outAt + 5] += wx * fy - wy * fx;
}

/** out += I x, I of 10 numbers (m, h, xx yy zz xy xz yz) */
export function addInertia(
  i10: Float64Array,
  k: number,
  x: Float64Array,
  at: number,
  out: Float64Array,
  outAt: number,
): void {
  const m = i10[k];
  const hx = i10[k + 1];
  const hy = i10[k + 2];
  const hz = i10[k + 3];
  const wx = x[at];
  const wy = x[at + 1];
  const wz = x[at + 2];
  const vx = x[at + 3];
  const vy = x[at + 4];
  const vz = x[at + 5];
  out[outAt] += i10[k + 4] * wx + i10[k + 7] * wy + i10[k + 8] * wz + hy * vz - hz * vy;
  out[outAt + 1] += i10[k + 7] * wx + i10[k + 5] * wy + i10[k + 9] * wz + hz * vx - hx * vz;
  out[outAt + 2] += i10[k + 8] * wx + i10[k + 9] * wy + i10[k + 6] * wz + hx * vy - hy * vx;
  out[outAt + 3] += m * vx + wy * hz - wz * hy;
  out[outAt + 4] += m * vy + wz * hx - wx * hz;
  out[outAt + 5] += m * vz + wx * hy - wy * hx;
}

/** out += scale · B x, B of 12 numbers: (B₁₁ x_ω, −2 P × x_ω) */
export function addCoriolis(
  scale: number,
  b12: Float64Array,
  b: number,
  x: Float64Array,
  at: number,
  out: Float64Array,
  outAt: number,
): void {
  const wx = scale * x[at];
  const wy = scale * x[at + 1];
  const wz = scale * x[at + 2];
  out[outAt] += b12[b] * wx + b12[b + 1] * wy + b12[b + 2] * wz;
  out[outAt + 1] += b12[b + 3] * wx + b12[b + 4] * wy + b12[b + 5] * wz;
  out[outAt + 2] += b12[b + 6] * wx + b12[b + 7] * wy + b12[b + 8] * wz;
  const px = 2 * b12[b + 9];
  const py = 2 * b12[b + 10];
  const pz = 2 * b12[b + 11];
  out[outAt + 3] -= py * wz - pz * wy;
  out[outAt + 4] -= pz * wx - px * wz;
  out[outAt + 5] -= px * wy - py * wx;
}

/** a · b of six numbers */
export function dot6(a: Float64Array, aAt: number, b: Float64Array, bAt: number): number {
  return (
    a[aAt] * b[bAt] +
    a[aAt + 1] * b[bAt + 1] +
    a[aAt + 2] * b[bAt + 2] +
    a[aAt + 3] * b[bAt + 3] +
    a[aAt + 4] * b[bAt + 4] +
    a[aAt + 5] * b[bAt + 5]
  );
}
