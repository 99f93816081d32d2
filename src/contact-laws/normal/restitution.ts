/**
 * How much damping makes which coefficient of restitution e, for the two laws that scale their elastic force F by a factor:
 *
 * **Without memory**, F max(0, 1 + x v/u), u² = v² + w + v_f², w = 2 U/m the elastic energy as a squared speed
 * (constant-restitution.ts). For one contact with v_f = 0 the motion in polar coordinates (v, √w) = u (cos θ, sin θ) gives
 *
 *   ln e = −∫₀^π g sin θ cos θ / (1 + g sin² θ) dθ,   g = max(0, 1 + x cos θ) − 1
 *
 * whatever stiffness, mass, speed and exponent of F are. `dampingFactor` solves it for x.
 *
 * **With the impact speed v_i kept**, F (1 + x v/v_i) (Hunt & Crossley 1975). Along an impact m v dv = −(1 + x v/v_i) dU, so
 * ∫ v dv/(1 + x v/v_i) from v_i to −e v_i is 0 (U is 0 at both ends), hence for every F
 *
 *   x (1 + e) = ln((1 + x)/(1 − e x))
 *
 * `huntCrossleyFactor` solves it for x, `huntCrossleyRestitution` for e.
 *
 * And for **a spring and a damper side by side** that do not pull, max(0, k d + 2 ζ √(k m) v): with c = √|1 − ζ²|
 *
 *   ln e = −(ζ/c) (π − atan2(2 ζ c, 1 − 2 ζ²)),   ζ < 1;      −(ζ/c) ln((ζ + c)/(ζ − c)),   ζ > 1
 *
 * Schwager & Pöschel, Granular Matter 9 (2007), 465–469. With 2 ζ √(5/6) √(k m), k = dF/dd, it holds for Hertz's spring to 1e-3.
 */
import { atan2, cos, log, log1p, PI, sin } from '../../math/elementary.js';

/** ln e for a damping factor x. Behind the angle θ₀ where the force is clipped the integrand is tan θ, its integral ln |cos θ₀|. */
export function logRestitution(x: number): number {
  if (x <= 1) return simpson(x, PI);
  // cos θ₀ = −1/x, by bisection
  let low = PI / 2;
  let high = PI;
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (low + high);
    if (1 + x * cos(middle) > 0) low = middle;
    else high = middle;
  }
  return simpson(x, low) + log(1 / x);
}

/** The integral from 0 to θ by Simpson's rule; smooth there, so 2000 intervals leave rounding only. */
function simpson(x: number, theta: number): number {
  const n = 2000;
  const h = theta / n;
  let sum = 0;
  for (let i = 0; i <= n; i++) {
    const c = cos(i * h);
    const s = sin(i * h);
    const g = x * c;
    sum += ((i === 0 || i === n ? 1 : i % 2 ? 4 : 2) * (-g * s * c)) / (1 + g * s * s);
  }
  return (sum * h) / 3;
}

const known = new Map<number, number>();

/** The x that gives the restitution 0 < e ≤ 1. */
export function dampingFactor(restitution: number): number {
  const before = known.get(restitution);
  if (before !== undefined) return before;
  if (restitution >= 1) return 0;
  const target = log(restitution);
  let low = 0;
  let high = 1;
  while (logRestitution(high) > target && high < 1e6) high *= 2;
  for (let i = 0; i < 80; i++) {
    const middle = 0.5 * (low + high);
    if (logRestitution(middle) > target) low = middle;
    else high = middle;
  }
  const x = 0.5 * (low + high);
  known.set(restitution, x);
  return x;
}

/** x of F (1 + x v/v_i) for the restitution 0 < e ≤ 1, v_i the impact speed. */
export function huntCrossleyFactor(restitution: number): number {
  if (restitution >= 1) return 0;
  // ln((1 + x)/(1 − e x)) − x (1 + e) is < 0 below the root and > 0 above, up to its pole at 1/e
  return bisect(1 / restitution, (x) => impactBalance(x, restitution) < 0);
}

/** e that F (1 + x v/v_i) gives, for x ≥ 0. */
export function huntCrossleyRestitution(x: number): number {
  if (x <= 0) return 1;
  return bisect(Math.min(1, 1 / x), (e) => impactBalance(x, e) < 0);
}

/** ζ of the spring and damper side by side for the restitution 0 < e ≤ 1, at most `most` */
export function damperRatio(restitution: number, most: number): number {
  if (restitution >= 1) return 0;
  const before = knownRatio.get(restitution);
  if (before?.most === most) return before.ratio;
  const target = log(restitution);
  const ratio = bisect(most, (at) => logDamperRestitution(at) > target);
  knownRatio.set(restitution, { most, ratio });
  return ratio;
}
const knownRatio = new Map<number, { readonly most: number; readonly ratio: number }>();

/** ln e of the spring and damper side by side */
export function logDamperRestitution(ratio: number): number {
  const c = Math.sqrt(Math.abs(1 - ratio * ratio));
  if (c < 1e-6) return -2;
  const angle = ratio < 1 ? PI - atan2(2 * ratio * c, 1 - 2 * ratio * ratio) : log((ratio + c) / (ratio - c));
  return (-ratio / c) * angle;
}

const impactBalance = (x: number, e: number): number => log1p(x) - log1p(-e * x) - x * (1 + e);

/** Where `below` turns false, between 0 and `end`. */
function bisect(end: number, below: (at: number) => boolean): number {
  let low = 0;
  let high = end;
  for (let i = 0; i < 80; i++) {
    const middle = 0.5 * (low + high);
    if (below(middle)) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
