/**
 * Signs of `arc-side.ts` without rounding: all numbers as whole multiples of a power of two. The polynomials are homogeneous in the
 * coordinates and in the pairs (cos, sin), so the powers need not be kept. Asked only where the float value says nothing.
 */
const bits = new DataView(new ArrayBuffer(8));

/** Exponent of the last bit of a double, 0 for 0 */
function lastBit(x: number): number {
  if (x === 0) return Number.MAX_SAFE_INTEGER;
  bits.setFloat64(0, x);
  const exponent = (bits.getUint16(0) >> 4) & 0x7ff;
  return (exponent === 0 ? 1 : exponent) - 1075;
}

/** x / 2^unit, unit ≤ lastBit(x) */
function multiple(x: number, unit: number): bigint {
  if (x === 0) return 0n;
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const mantissa = (word & 0xfffffffffffffn) | (exponent === 0 ? 0n : 0x10000000000000n);
  const size = mantissa << BigInt((exponent === 0 ? 1 : exponent) - 1075 - unit);
  return x < 0 ? -size : size;
}

/** Doubles that share a unit as whole multiples of it */
function multiples(...values: number[]): bigint[] {
  const unit = Math.min(...values.map(lastBit));
  return values.map((x) => multiple(x, unit === Number.MAX_SAFE_INTEGER ? 0 : unit));
}

const sign = (x: bigint): number => (x > 0n ? 1 : x < 0n ? -1 : 0);

/** Sign of F(x) for the circle i → j with cosine and sine, see arc-side.ts. */
export function exactSide(
  ix: number,
  iy: number,
  jx: number,
  jy: number,
  cosine: number,
  sine: number,
  x: number,
  y: number,
): number {
  const [c, s] = multiples(cosine, sine);
  const [i0, i1, j0, j1, x0, x1] = multiples(ix, iy, jx, jy, x, y);
  return sign(side(c, s, i0, i1, j0, j1, x0, x1));
}

const side = (c: bigint, s: bigint, ix: bigint, iy: bigint, jx: bigint, jy: bigint, x: bigint, y: bigint): bigint =>
  c * ((jx - ix) * (y - iy) - (jy - iy) * (x - ix)) - s * ((x - ix) * (x - jx) + (y - iy) * (y - jy));

/** Sign of ∇F(x) · h. */
export function exactSlope(
  ix: number,
  iy: number,
  jx: number,
  jy: number,
  cosine: number,
  sine: number,
  x: number,
  y: number,
  hx: number,
  hy: number,
): number {
  const [c, s] = multiples(cosine, sine);
  const [i0, i1, j0, j1, x0, x1] = multiples(ix, iy, jx, jy, x, y);
  const [h0, h1] = multiples(hx, hy);
  return sign(slope(c, s, i0, i1, j0, j1, x0, x1, h0, h1));
}

const slope = (
  c: bigint,
  s: bigint,
  ix: bigint,
  iy: bigint,
  jx: bigint,
  jy: bigint,
  x: bigint,
  y: bigint,
  hx: bigint,
  hy: bigint,
): bigint => hx * (c * (iy - jy) - s * (2n * x - ix - jx)) + hy * (c * (jx - ix) - s * (2n * y - iy - jy));

/**
 * Sign of the middle coefficient a1 = ∇F(p) · t_p + 2 C_e F(p) of an edge p → q along the circle of i → j; with h its derivative
 * 2 C_e ∇F(p) · h − 2 s h · t_p.
 *
 * @param edge, circle cosine and sine of half the sweep
 */
export function exactMiddle(
  px: number,
  py: number,
  qx: number,
  qy: number,
  edgeCosine: number,
  edgeSine: number,
  ix: number,
  iy: number,
  jx: number,
  jy: number,
  cosine: number,
  sine: number,
  hx: number,
  hy: number,
): number {
  const [ce, se] = multiples(edgeCosine, edgeSine);
  const [c, s] = multiples(cosine, sine);
  const [p0, p1, q0, q1, i0, i1, j0, j1] = multiples(px, py, qx, qy, ix, iy, jx, jy);
  const tx = ce * (q0 - p0) + se * (q1 - p1);
  const ty = ce * (q1 - p1) - se * (q0 - p0);
  if (hx === 0 && hy === 0)
    return sign(slope(c, s, i0, i1, j0, j1, p0, p1, tx, ty) + 2n * ce * side(c, s, i0, i1, j0, j1, p0, p1));
  const [h0, h1] = multiples(hx, hy);
  return sign(ce * slope(c, s, i0, i1, j0, j1, p0, p1, h0, h1) - s * (h0 * tx + h1 * ty));
}
