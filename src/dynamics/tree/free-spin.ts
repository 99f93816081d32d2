/**
 * The step matrix of a free body that turns: J − e ([J ω] − [ω] J), from J ω' = τ − ω × J ω in the principal frame. The matrix of its
 * translation is m.
 */

/** The nine entries for the body whose moments start at moments[at] and whose ω at w[at]; a moment of zero leaves the velocity as it is. */
export function spinMatrix(
  e: number,
  moments: Float64Array,
  w: Float64Array,
  at: number,
  out: Float64Array,
  first: number,
  stride: number,
): void {
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) {
      const entry = first + stride * r + c;
      if (moments[at + r] === 0) out[entry] = r === c ? 1 : 0;
      else if (r === c) out[entry] = moments[at + r];
      else {
        const k = 3 - r - c;
        // [a]_rc = ∓ a_k: − for c = r + 1 (cyclic)
        const sign = (r + 1) % 3 === c ? -1 : 1;
        out[entry] = -e * sign * (moments[at + k] - moments[at + c]) * w[at + k];
      }
    }
}

/** Inverse by cofactors; the matrix is the inertia of a body plus what its spin adds, far from singular. */
export function invertSpin(m: Float64Array, out: Float64Array, at: number): boolean {
  const c00 = m[4] * m[8] - m[5] * m[7];
  const c01 = m[5] * m[6] - m[3] * m[8];
  const c02 = m[3] * m[7] - m[4] * m[6];
  const d = m[0] * c00 + m[1] * c01 + m[2] * c02;
  if (!(Math.abs(d) > 0)) return false;
  out[at] = c00 / d;
  out[at + 1] = (m[2] * m[7] - m[1] * m[8]) / d;
  out[at + 2] = (m[1] * m[5] - m[2] * m[4]) / d;
  out[at + 3] = c01 / d;
  out[at + 4] = (m[0] * m[8] - m[2] * m[6]) / d;
  out[at + 5] = (m[2] * m[3] - m[0] * m[5]) / d;
  out[at + 6] = c02 / d;
  out[at + 7] = (m[1] * m[6] - m[0] * m[7]) / d;
  out[at + 8] = (m[0] * m[4] - m[1] * m[3]) / d;
  return true;
}
