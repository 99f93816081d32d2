/**
 * Coulomb friction integrated over a patch that slides and spins, from one scalar: the mean slip speed
 *
 *   D(v, ω) = (1/A) ∫ |u| dA,   u(r) = v + ω n × r
 *   f = ∂D/∂v = mean of u/|u|,   m = ∂D/∂ω = mean of r × u/|u|;   force −µ N f, torque −µ N m about the normal
 *
 *   v   slip velocity of the centroid, in the tangent plane    m/s
 *   ω   spin about the normal                                  rad/s
 *   D   m/s;  f  1;  m  m
 *
 * The power is −µ N D ≤ 0, and all pairs (f, m) lie on one convex limit surface: sliding takes from the torque and spinning
 * from the force (Contensou 1963; Goyal, Ruina & Papadopoulos 1991).
 *
 * |u| is |ω| times the distance from the pole, so D is a contour integral. With nodes r_i and weights q_i (patch-contour.ts)
 *
 *   g_i = (|u_i| − |v|)/ω = (2 v·(n × r_i) + ω |r_i|²)/(|u_i| + |v|)
 *   J = Σ g_i q_i,   f = n × J
 *   m = ⅓ (Σ g_i r_i·q_i + 2 T),   T = (|v| − v·f)/ω = Σ c_i (α_i g_i − |r_i|²)/(|u_i| + |v|)
 *   α_i = (v/|v|)·(n × r_i),   c_i = v·(n × q_i)
 *   D = v·f + ω m
 *
 * The second form of T follows from Σ r_i q_iᵀ = 1; nothing is divided by ω, so slow spin needs no branch of its own. Only
 * + − × ÷ √. On a disc 16 nodes leave 4e-3 where the pole crosses the contour (|v| = ω R) and 1e-6 away from it.
 *
 * A patch without nodes is the ellipsoid of ellipsoid-limit.ts, or a point if it has no arm.
 *
 * Checks: uniform disc m(0, ω) = 2R/3; Farkas et al. (2003): sliding and spinning end together at |v| = 0.653 ω R.
 */
import { ellipsoidSlip } from './ellipsoid-limit.js';
import type { PatchContour } from './patch-contour.js';

/** @param out 4 numbers: D, f₁, f₂, m */
export function meanSlip(patch: PatchContour, v1: number, v2: number, spin: number, out: Float64Array): void {
  const speed = Math.sqrt(v1 * v1 + v2 * v2);
  const e1 = speed > 0 ? v1 / speed : 0;
  const e2 = speed > 0 ? v2 / speed : 0;
  if (patch.count === 0 && patch.effectiveRadius > 0) {
    const arm = patch.effectiveRadius;
    const mean = Math.sqrt(speed * speed + arm * arm * spin * spin);
    const per = mean > 0 ? 1 / mean : 0;
    out[0] = mean;
    out[1] = v1 * per;
    out[2] = v2 * per;
    out[3] = arm * arm * spin * per;
    return;
  }
  if (patch.count === 0 || (speed === 0 && spin === 0)) {
    out[0] = speed;
    out[1] = e1;
    out[2] = e2;
    out[3] = 0;
    return;
  }
  const { x, y, qx, qy } = patch;
  let jx = 0;
  let jy = 0;
  let radial = 0;
  let rest = 0;
  for (let i = 0; i < patch.count; i++) {
    const rx = x[i];
    const ry = y[i];
    const u1 = v1 - spin * ry;
    const u2 = v2 + spin * rx;
    const r2 = rx * rx + ry * ry;
    const sum = Math.sqrt(u1 * u1 + u2 * u2) + speed;
    const g = (2 * (v2 * rx - v1 * ry) + spin * r2) / sum;
    jx += g * qx[i];
    jy += g * qy[i];
    radial += g * (rx * qx[i] + ry * qy[i]);
    rest += ((v2 * qx[i] - v1 * qy[i]) * ((e2 * rx - e1 * ry) * g - r2)) / sum;
  }
  const m = (radial + 2 * rest) / 3;
  out[0] = v2 * jx - v1 * jy + spin * m;
  out[1] = -jy;
  out[2] = jx;
  out[3] = m;
}

/**
 * D, f, m and the derivatives of f and m.
 *
 * @param out 13 numbers: D, f₁, f₂, m | rows of ∂(f₁, f₂, m)/∂(v₁, v₂, ω)
 */
export function meanSlipDerivatives(
  patch: PatchContour,
  v1: number,
  v2: number,
  spin: number,
  out: Float64Array,
): void {
  if (patch.count === 0 && patch.effectiveRadius > 0) {
    ellipsoidSlip(patch.effectiveRadius, v1, v2, spin, out);
    return;
  }
  const speed = Math.sqrt(v1 * v1 + v2 * v2);
  const e1 = speed > 0 ? v1 / speed : 0;
  const e2 = speed > 0 ? v2 / speed : 0;
  if (patch.count === 0 || (speed === 0 && spin === 0)) {
    out.fill(0);
    out[0] = speed;
    out[1] = e1;
    out[2] = e2;
    if (speed > 0) {
      out[4] = (e2 * e2) / speed;
      out[5] = out[7] = (-e1 * e2) / speed;
      out[8] = (e1 * e1) / speed;
    }
    return;
  }
  const { x, y, qx, qy } = patch;
  // sums as in meanSlip, each followed by its derivatives by v₁, v₂, ω
  let jx = 0;
  let jx1 = 0;
  let jx2 = 0;
  let jx3 = 0;
  let jy = 0;
  let jy1 = 0;
  let jy2 = 0;
  let jy3 = 0;
  let m = 0;
  let m1 = 0;
  let m2 = 0;
  let m3 = 0;
  for (let i = 0; i < patch.count; i++) {
    const rx = x[i];
    const ry = y[i];
    const px = qx[i];
    const py = qy[i];
    const u1 = v1 - spin * ry;
    const u2 = v2 + spin * rx;
    const r2 = rx * rx + ry * ry;
    const un = Math.sqrt(u1 * u1 + u2 * u2);
    const inverse = un > 0 ? 1 / un : 0;
    // |u| + |v| and its derivatives
    const sum = un + speed;
    const sum1 = u1 * inverse + e1;
    const sum2 = u2 * inverse + e2;
    const sum3 = (u2 * rx - u1 * ry) * inverse;
    const perSum = 1 / sum;
    // g
    const g = (2 * (v2 * rx - v1 * ry) + spin * r2) * perSum;
    const g1 = (-2 * ry - g * sum1) * perSum;
    const g2 = (2 * rx - g * sum2) * perSum;
    const g3 = (r2 - g * sum3) * perSum;
    jx += g * px;
    jx1 += g1 * px;
    jx2 += g2 * px;
    jx3 += g3 * px;
    jy += g * py;
    jy1 += g1 * py;
    jy2 += g2 * py;
    jy3 += g3 * py;
    // T: c h, h = (α g − r²)/sum; c ∂α/∂v = γ ((n × r) − α e), γ = c/|v|
    const alpha = e2 * rx - e1 * ry;
    const c = v2 * px - v1 * py;
    const gamma = e2 * px - e1 * py;
    const h = (alpha * g - r2) * perSum;
    const rq = rx * px + ry * py;
    const fromAlpha = 2 * gamma * g * perSum;
    const toG = rq + 2 * c * alpha * perSum;
    const toSum = -2 * c * h * perSum;
    m += g * rq + 2 * c * h;
    m1 += toG * g1 + toSum * sum1 - 2 * py * h + fromAlpha * (-ry - alpha * e1);
    m2 += toG * g2 + toSum * sum2 + 2 * px * h + fromAlpha * (rx - alpha * e2);
    m3 += toG * g3 + toSum * sum3;
  }
  out[1] = -jy;
  out[2] = jx;
  out[3] = m / 3;
  out[0] = v1 * out[1] + v2 * out[2] + spin * out[3];
  out[4] = -jy1;
  out[5] = -jy2;
  out[6] = -jy3;
  out[7] = jx1;
  out[8] = jx2;
  out[9] = jx3;
  out[10] = m1 / 3;
  out[11] = m2 / 3;
  out[12] = m3 / 3;
}
