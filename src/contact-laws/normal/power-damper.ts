/**
 * Nonlinear spring and damper between two contact points:
 *
 *   F = max(0, c pⁿ + d pᵐ ṗ)
 *
 *   p   penetration along the normal                        m
 *   ṗ   its rate, positive while the bodies close in        m/s
 *   c   stiffness                                           N/mⁿ
 *   d   damping                                             N s/mᵐ⁺¹
 *
 * n = 1, m = 0 is the linear Kelvin–Voigt model, whose force jumps by d ṗ at first touch; n = m is Hunt & Crossley's.
 * The paper does not say what happens when the sum is negative; a dry contact does not pull, hence the max.
 *
 * Oestersötebier et al. (2014), eq. 8, after Lankarani & Nikravesh (1994).
 */
import { depthPower } from './depth-power.js';

export interface PowerDamper {
  /** c, N/mⁿ */
  readonly stiffness: number;
  /** n */
  readonly exponent: number;
  /** d, N s/mᵐ⁺¹ */
  readonly damping: number;
  /** m */
  readonly dampingExponent: number;
}

/** F, N */
export function powerDamperForce(law: PowerDamper, depth: number, approachSpeed: number): number {
  return depth > 0 ? Math.max(0, unclipped(law, depth, approachSpeed)) : 0;
}

/** ∂F/∂p, N/m */
export function powerDamperForceByDepth(law: PowerDamper, depth: number, approachSpeed: number): number {
  if (!(depth > 0) || !(unclipped(law, depth, approachSpeed) > 0)) return 0;
  const { stiffness, exponent: n, damping, dampingExponent: m } = law;
  return (n * stiffness * depthPower(depth, n) + m * damping * depthPower(depth, m) * approachSpeed) / depth;
}

/** ∂F/∂ṗ, N s/m */
export function powerDamperForceBySpeed(law: PowerDamper, depth: number, approachSpeed: number): number {
  if (!(depth > 0) || !(unclipped(law, depth, approachSpeed) > 0)) return 0;
  return law.damping * depthPower(depth, law.dampingExponent);
}

function unclipped(law: PowerDamper, depth: number, approachSpeed: number): number {
  return (
    law.stiffness * depthPower(depth, law.exponent) +
    law.damping * depthPower(depth, law.dampingExponent) * approachSpeed
  );
}
