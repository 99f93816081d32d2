/**
 * When a bristle that holds will slip, and how far a step may go beyond. Nothing within a step tells of it before a stage has met it, and a stiff method looks
 * through the damper of the bristle at what it skipped: like a gap that closes, the time must bound the step.
 *
 *   |W + k V t| = L
 *
 *   W   wrench that the bristle bears, k its stiffness, V the rate it is stretched with     N, N/m, m/s
 *   L   most it can bear                                                                    N
 *
 * with V as it is now, or slowing with the rate λ = −V·V'/|V|² where it does: of what is left of an impact the bristle is stretched by V/λ at most, which need
 * not reach the limit.
 *
 * Having slipped for a time τ unseen, speeds are wrong by ½ k |V| τ²/m, m the mass that is held. What happens within some √(m/k) the error estimate
 * sees, for a step then follows the bristle itself. Where friction falls as it slips, it does so at the end of the step in which that began, for
 * within a step what held bears its static limit: speeds are then wrong by (µ_s − µ_k) N τ/m, which nothing else sees.
 */
import { log } from '../../math/elementary.js';

/**
 * s; ∞ where it is not stretched
 *
 * @param square   |W|²
 * @param product  k W·V
 * @param rate     k |V|, N/s
 * @param slowing   λ ≥ 0, 1/s
 */
export function breakAwayTime(square: number, product: number, rate: number, limit: number, slowing: number): number {
  if (!(rate > 0)) return Number.POSITIVE_INFINITY;
  const slack = Math.max(0, limit * limit - square);
  const time = slack / (product + Math.sqrt(product * product + rate * rate * slack));
  if (!(time >= 0)) return Number.POSITIVE_INFINITY;
  const share = slowing * time;
  if (share >= 1) return Number.POSITIVE_INFINITY;
  return share > 1e-3 ? -log(1 - share) / slowing : time;
}

/**
 * τ, s
 *
 * @param mass  m, kg
 * @param rate  k |V|, N/s
 * @param drop  (µ_s − µ_k) N, N
 * @param speed how wrong speeds may be, m/s
 */
export function unseenSlip(stiffness: number, mass: number, rate: number, drop: number, speed: number): number {
  const followed = Math.sqrt(mass / stiffness);
  const bySlope = rate > 0 ? Math.sqrt((2 * mass * speed) / rate) : Number.POSITIVE_INFINITY;
  const byDrop = drop > 0 ? (mass * speed) / drop : Number.POSITIVE_INFINITY;
  return Math.max(0.01 * followed, Math.min(byDrop, Math.max(0.5 * followed, bySlope)));
}

/** Longest step for the sake of a bristle that will slip after `time`: to just before, and from there just beyond */
export const stepToSlip = (time: number, unseen: number): number => (time > 4 * unseen ? time - unseen : time + unseen);
