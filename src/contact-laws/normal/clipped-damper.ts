/**
 * Nonlinear spring with a linear damper that never exceeds it:
 *
 *   F_N = F_c + F_d,   F_c = K δⁿ                         (2), (3)
 *   F_d = D δ̇, limited to −F_c … F_c                      (4), (5)
 *
 *   δ   depth of the deepest point             m
 *   δ̇   its rate, positive while closing       m/s
 *   K   stiffness                              N/mⁿ
 *   D   damping                                N s/m
 *
 * So 0 ≤ F_N ≤ 2 F_c: no pull, and no jump at first touch. F_N has kinks where the damper reaches its limits.
 *
 * Hofmann et al. (2014), eqs 2–5.
 */
import { depthPower } from './depth-power.js';

export interface ClippedDamper {
  /** K, N/mⁿ */
  readonly stiffness: number;
  /** n */
  readonly exponent: number;
  /** D, N s/m */
  readonly damping: number;
}

/** F_N, N */
export function clippedDamperForce(law: ClippedDamper, depth: number, approachSpeed: number): number {
  if (!(depth > 0)) return 0;
  const spring = law.stiffness * depthPower(depth, law.exponent);
  return spring + Math.max(-spring, Math.min(spring, law.damping * approachSpeed));
}

/** ∂F_N/∂δ, N/m: once, twice or none of the spring's */
export function clippedDamperForceByDepth(law: ClippedDamper, depth: number, approachSpeed: number): number {
  if (!(depth > 0)) return 0;
  const spring = law.stiffness * depthPower(depth, law.exponent);
  const damper = law.damping * approachSpeed;
  const share = damper > spring ? 2 : damper < -spring ? 0 : 1;
  return (share * law.exponent * spring) / depth;
}

/** ∂F_N/∂δ̇, N s/m */
export function clippedDamperForceBySpeed(law: ClippedDamper, depth: number, approachSpeed: number): number {
  if (!(depth > 0)) return 0;
  const spring = law.stiffness * depthPower(depth, law.exponent);
  return Math.abs(law.damping * approachSpeed) > spring ? 0 : law.damping;
}
