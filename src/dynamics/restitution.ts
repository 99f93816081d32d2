/**
 * Normal force with constant restitution and without memory:
 *
 *   w = 2 k dⁿ⁺¹/((n+1) m)      elastic energy as a squared speed
 *   u = √(v² + w + v_f²)        estimate of the impact speed
 *   N = max(0, k dⁿ (1 + x v/u))
 *
 * For one contact with v_f = 0 the motion in polar coordinates (v, √w) = u (cos θ, sin θ) gives the restitution
 *
 *   ln e = −∫₀^π g sin θ cos θ / (1 + g sin² θ) dθ,   g = max(0, 1 + x cos θ) − 1
 *
 * whatever k, m, speed and n are. `dampingFactor` solves it for x.
 */
import { cos, log, PI, sin } from '../math/elementary.js';

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
