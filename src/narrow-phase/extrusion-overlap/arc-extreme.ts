/**
 * The point of an arc that lies farthest along a direction, where the tangent is square to it. Found from the nearer end, not from the
 * circle's centre, which is far away if the arc is flat: with the tangent t at the end, β the angle between it and the tangent m wanted,
 *
 *   x = p + R tan(β/2) (t + m),     sin β = |n · t|,     tan(β/2) = sin β/(1 + cos β)
 */

/** 2: the point that `arcExtreme` found, m */
export const extremePoint = new Float64Array(2);

/**
 * Whether the inside of the arc p → q has a point with its tangent square to n; it is then in `extremePoint`.
 *
 * @param curvature 1/m, > 0 turns left
 * @param nx, ny    unit vector
 */
export function arcExtreme(
  px: number,
  py: number,
  qx: number,
  qy: number,
  curvature: number,
  nx: number,
  ny: number,
): boolean {
  const dx = qx - px;
  const dy = qy - py;
  const d2 = dx * dx + dy * dy;
  if (!(d2 > 0)) return false;
  const d = Math.sqrt(d2);
  const s = 0.5 * curvature * d;
  const c = Math.sqrt(Math.max(0, 1 - s * s));
  // unit tangents at the ends: the chord turned by −φ and φ
  const ex = dx / d;
  const ey = dy / d;
  const tx = c * ex + s * ey;
  const ty = c * ey - s * ex;
  const start = nx * tx + ny * ty;
  const end = nx * (c * ex - s * ey) + ny * (c * ey + s * ex);
  if (!(start * end < 0)) return false;
  // the tangent there, square to n, on the side to which the arc turns
  const way = start * curvature > 0 ? 1 : -1;
  const mx = 0 - way * ny;
  const my = way * nx;
  const cosine = mx * tx + my * ty;
  if (cosine < -0.5) return false; // the end itself, but for rounding of `start`
  const scale = Math.abs(start / ((1 + cosine) * curvature));
  extremePoint[0] = px + scale * (tx + mx);
  extremePoint[1] = py + scale * (ty + my);
  return true;
}
