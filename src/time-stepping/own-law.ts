/**
 * Force of a law N = k max(0, δ)ⁿ in the mean of a step on the way from the depth δ₀ to δ₁, n = 1 or 1.5:
 *
 *   F = (U₁ − U₀)/(δ₁ − δ₀),  U = k max(0, δ)ⁿ⁺¹/(n + 1)
 *
 * With it what is stored is what was done, so that a step loses nothing where touch begins, lasts and ends. By the velocity u of the end, δ₁ = δ₀ − h (u₀ + u)/2, it is linear about the
 * one that is foreseen; with the damping 1 − c (u₀ + u)/2 it is a normal term of the convex problem. Of contacts and of stops of joints; of these that turn, in rad, rad/s and kg m².
 */
import type { ConvexTerms } from './convex-terms.js';

/** Smallest rise of a law that is foreseen to touch as little as may be, by that which it has in touch */
const LEAST_RISE = 1e-3;

/** max(0, δ)ⁿ in the mean of the way, mⁿ */
export function meanPower(n: number, before: number, after: number): number {
  if (!(before > 0) && !(after > 0)) return 0;
  if (before > 0 && after > 0 && (n === 1 || Math.abs(after - before) < 1e-6 * (after + before)))
    return power(n, 0.5 * (before + after));
  return (storedPower(n, after) - storedPower(n, before)) / (after - before);
}

/** max(0, δ)ⁿ⁺¹/(n + 1): U/k, mⁿ⁺¹ */
export function storedPower(n: number, depth: number): number {
  return depth > 0 ? (depth * power(n, depth)) / (n + 1) : 0;
}

const power = (n: number, depth: number): number => (n === 1 ? depth : depth * Math.sqrt(depth));

/**
 * Writes the law as a normal term.
 *
 * @param k        N/mⁿ
 * @param n        1 or 1.5
 * @param gap      at the start, m
 * @param u0       its rate there, m/s
 * @param free     the same at the end if nothing touched
 * @param mobility 1/kg: what the point gives way by
 * @param likely   depth, m, whose stiffness acts where none is foreseen
 * @param felt     k/m of all that the bodies have between them and the mass that they feel there, N/mⁿ/kg
 * @param chi      damping of its restitution, c = χ/√(v² + 2 U/m + f²) at a rate v, s/m
 * @param floor    f², m²/s²
 */
export function followLaw(
  terms: ConvexTerms,
  term: number,
  k: number,
  n: number,
  gap: number,
  u0: number,
  free: number,
  mobility: number,
  likely: number,
  felt: number,
  chi: number,
  floor: number,
): void {
  const { h } = terms;
  const before = -gap;
  let u = free;
  let force = 0;
  let c = 0;
  let after = before;
  for (let again = 0; again < 2; again++) {
    const middle = 0.5 * (u0 + u);
    after = before - h * middle;
    force = k * meanPower(n, before, after);
    const stored = 2 * felt * storedPower(n, 0.5 * (before + after));
    c = chi > 0 ? chi / Math.sqrt(Math.max(middle * middle + stored + floor, 1e-24)) : 0;
    if (again === 0) u = free + h * force * Math.max(0, 1 - c * middle) * mobility;
  }
  // ½ ∂F/∂δ₁, in touch ¼ ∂N/∂δ
  const inTouch = 0.25 * (n === 1 ? k : 1.5 * k * Math.sqrt(Math.max(likely, before, after)));
  const way = after - before;
  const rise =
    n === 1 || !(force > 0) || Math.abs(way) < 1e-6 * (Math.abs(before) + Math.abs(after))
      ? inTouch
      : Math.max(LEAST_RISE * inTouch, (0.5 * (k * (after > 0 ? power(n, after) : 0) - force)) / way);
  // γ = h K d (1 − c₁ u), d = −(φ + h u), with 1 − c (u₀ + u)/2 = (1 − c u₀/2) (1 − c₁ u)
  const share = 1 - 0.5 * c * u0;
  const depth = force > 0 ? force / rise : 2 * (before + after);
  if (share > 0) terms.setNormal(term, -depth - h * u, rise * share, 1, (0.5 * c) / share);
  else terms.setNormal(term, 0, 0, 1, 0);
}
