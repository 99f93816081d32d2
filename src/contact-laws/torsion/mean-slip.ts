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
 * |u| is |ω| times the distance from the pole p = n × v/ω, and div(|u| (r − p)) = 3 |u|, so D is a contour integral. With nodes r_i,
 * weights q_i (patch-contour.ts), t_i = n × r_i and u_i = v + ω t_i
 *
 *   D = (1/3ω) Σ |u_i| s_i,   s_i = u_i·(n × q_i) = ω (r_i − p)·q_i                              pole near the patch, |v| ≤ |ω| r_max
 *   D = ⅓ (2|v| + Σ g_i s_i),   g_i = (|u_i| − |v|)/ω = (2 v·t_i + ω |t_i|²)/(|u_i| + |v|)       pole far away
 *
 * The two are the same number, since Σ q_i = 0 and Σ r_i·q_i = 2; the second divides nothing by ω, so slow spin loses no digits.
 * f, m and their derivatives H are those of this very sum. So H is symmetric, G·V = D and H V = 0 to rounding, D of an ellipse is convex
 * as the integral is, and the limit surface has one nearest point (limit-surface.ts). Taken by a quadrature of their own, f and m would be the
 * gradient of nothing, and three times as far from the integral. Only + − × ÷ √. On a disc 16 nodes leave 1e-4 of D and
 * 3e-3 of f and m where the pole crosses the contour (|v| = ω R), and 1e-6 away from it.
 *
 * A patch without nodes is the ellipsoid of ellipsoid-limit.ts, or a point if it has no arm.
 *
 * Checks: uniform disc m(0, ω) = 2R/3; Farkas et al. (2003): sliding and spinning end together at |v| = 0.653 ω R.
 */
import { ellipsoidSlip } from './ellipsoid-limit.js';
import type { PatchContour } from './patch-contour.js';

/** @param out 13 numbers: D, f₁, f₂, m | rows of H = ∂(f₁, f₂, m)/∂(v₁, v₂, ω) */
export function meanSlip(patch: PatchContour, v1: number, v2: number, spin: number, out: Float64Array): void {
  if (patch.count === 0 && patch.effectiveRadius > 0) {
    ellipsoidSlip(patch.effectiveRadius, v1, v2, spin, out);
    return;
  }
  const speed = Math.sqrt(v1 * v1 + v2 * v2);
  if (patch.count === 0 || (speed === 0 && spin === 0)) {
    out.fill(0);
    if (!(speed > 0)) return;
    const e1 = v1 / speed;
    const e2 = v2 / speed;
    out[0] = speed;
    out[1] = e1;
    out[2] = e2;
    out[4] = (e2 * e2) / speed;
    out[5] = out[7] = (-e1 * e2) / speed;
    out[8] = (e1 * e1) / speed;
    return;
  }
  if (speed <= Math.abs(spin) * patch.reach) aboutPole(patch, v1, v2, spin, out);
  else alongSlip(patch, v1, v2, spin, speed, out);
}

/** X = Σ |u_i| s_i with its derivatives, and D = X/3ω */
function aboutPole({ count, x, y, qx, qy }: PatchContour, v1: number, v2: number, w: number, out: Float64Array): void {
  let X = 0;
  let X1 = 0;
  let X2 = 0;
  let X3 = 0;
  let X11 = 0;
  let X12 = 0;
  let X13 = 0;
  let X22 = 0;
  let X23 = 0;
  let X33 = 0;
  for (let i = 0; i < count; i++) {
    const t1 = -y[i];
    const t2 = x[i];
    // n × q and r·q: the gradient of s
    const c1 = -qy[i];
    const c2 = qx[i];
    const c3 = t1 * c1 + t2 * c2;
    const u1 = v1 + w * t1;
    const u2 = v2 + w * t2;
    const u = Math.sqrt(u1 * u1 + u2 * u2);
    const inverse = u > 0 ? 1 / u : 0;
    // gradient of |u|: e, e·t
    const e1 = u1 * inverse;
    const e2 = u2 * inverse;
    const e3 = e1 * t1 + e2 * t2;
    const s = u1 * c1 + u2 * c2;
    const share = s * inverse;
    X += u * s;
    X1 += e1 * s + u * c1;
    X2 += e2 * s + u * c2;
    X3 += e3 * s + u * c3;
    X11 += share * (1 - e1 * e1) + 2 * e1 * c1;
    X12 += e1 * c2 + c1 * e2 - share * e1 * e2;
    X13 += share * (t1 - e1 * e3) + e1 * c3 + c1 * e3;
    X22 += share * (1 - e2 * e2) + 2 * e2 * c2;
    X23 += share * (t2 - e2 * e3) + e2 * c3 + c2 * e3;
    X33 += share * (t1 * t1 + t2 * t2 - e3 * e3) + 2 * e3 * c3;
  }
  const per = 1 / (3 * w);
  const D = per * X;
  const m = per * X3 - D / w;
  out[0] = D;
  out[1] = per * X1;
  out[2] = per * X2;
  out[3] = m;
  out[4] = per * X11;
  out[5] = out[7] = per * X12;
  out[6] = out[10] = per * X13 - out[1] / w;
  out[8] = per * X22;
  out[9] = out[11] = per * X23 - out[2] / w;
  out[12] = per * X33 - (2 * m) / w;
}

/** 2|v| + Σ g_i s_i with its derivatives, and a third of them */
function alongSlip(
  { count, x, y, qx, qy }: PatchContour,
  v1: number,
  v2: number,
  w: number,
  speed: number,
  out: Float64Array,
): void {
  const a1 = v1 / speed;
  const a2 = v2 / speed;
  // second derivatives of |v|
  const p11 = (a2 * a2) / speed;
  const p12 = (-a1 * a2) / speed;
  const p22 = (a1 * a1) / speed;
  let Y = 2 * speed;
  let Y1 = 2 * a1;
  let Y2 = 2 * a2;
  let Y3 = 0;
  let Y11 = 2 * p11;
  let Y12 = 2 * p12;
  let Y13 = 0;
  let Y22 = 2 * p22;
  let Y23 = 0;
  let Y33 = 0;
  for (let i = 0; i < count; i++) {
    const t1 = -y[i];
    const t2 = x[i];
    const tt = t1 * t1 + t2 * t2;
    const c1 = -qy[i];
    const c2 = qx[i];
    const c3 = t1 * c1 + t2 * c2;
    const u1 = v1 + w * t1;
    const u2 = v2 + w * t2;
    const u = Math.sqrt(u1 * u1 + u2 * u2);
    const inverse = u > 0 ? 1 / u : 0;
    const e1 = u1 * inverse;
    const e2 = u2 * inverse;
    const e3 = e1 * t1 + e2 * t2;
    const s = u1 * c1 + u2 * c2;
    // S = |u| + |v| and its gradient; S g = 2 v·t + ω t²
    const per = 1 / (u + speed);
    const S1 = e1 + a1;
    const S2 = e2 + a2;
    const g = (2 * (v1 * t1 + v2 * t2) + w * tt) * per;
    const g1 = (2 * t1 - g * S1) * per;
    const g2 = (2 * t2 - g * S2) * per;
    const g3 = (tt - g * e3) * per;
    // s ∂²g = −(s/S) (∂g ∂Sᵀ + ∂S ∂gᵀ + g ∂²S)
    const f = -s * per;
    const fg = f * g;
    Y += g * s;
    Y1 += g1 * s + g * c1;
    Y2 += g2 * s + g * c2;
    Y3 += g3 * s + g * c3;
    Y11 += 2 * (f * S1 + c1) * g1 + fg * ((1 - e1 * e1) * inverse + p11);
    Y12 += f * (g1 * S2 + S1 * g2) + g1 * c2 + c1 * g2 + fg * (p12 - e1 * e2 * inverse);
    Y13 += f * (g1 * e3 + S1 * g3) + g1 * c3 + c1 * g3 + fg * (t1 - e1 * e3) * inverse;
    Y22 += 2 * (f * S2 + c2) * g2 + fg * ((1 - e2 * e2) * inverse + p22);
    Y23 += f * (g2 * e3 + S2 * g3) + g2 * c3 + c2 * g3 + fg * (t2 - e2 * e3) * inverse;
    Y33 += 2 * (f * e3 + c3) * g3 + fg * (tt - e3 * e3) * inverse;
  }
  out[0] = Y / 3;
  out[1] = Y1 / 3;
  out[2] = Y2 / 3;
  out[3] = Y3 / 3;
  out[4] = Y11 / 3;
  out[5] = out[7] = Y12 / 3;
  out[6] = out[10] = Y13 / 3;
  out[8] = Y22 / 3;
  out[9] = out[11] = Y23 / 3;
  out[12] = Y33 / 3;
}
