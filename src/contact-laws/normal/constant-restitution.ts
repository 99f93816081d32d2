/**
 * Normal force with the same restitution at every speed, without memory and without an event; the default.
 *
 *   w = 2 U/m                   elastic energy as a squared speed; for F = k dⁿ: 2 k dⁿ⁺¹/((n+1) m)
 *   u = √(v² + w + v_f²)        estimate of the impact speed, smooth, never 0
 *   N = F max(0, 1 + x v/u)
 *
 *   F    elastic force, here k dⁿ                                 N
 *   k    stiffness                                                N/mⁿ
 *   d    penetration depth; N = 0 for d ≤ 0                       m
 *   v    approach speed, positive while the bodies close in       m/s
 *   m    effective mass, 1/m = 1/m₁ + 1/m₂ for a central impact   kg
 *   x    damping factor from the restitution, restitution.ts
 *   v_f  floor speed                                              m/s
 *
 * During one impact u stays near the impact speed: it is exact at both ends, where w = 0. Hence e depends on x alone, not on
 * k, m, n or the speed. For x ≤ 1 (e ≥ 0.485) the max is never needed: no pull.
 *
 * v_f keeps u away from 0 at rest. It also makes u too large, so near v_f an impact loses less: at e = 0.7 a speed of 10 v_f
 * gives 0.702, v_f itself 0.79. What ends bouncing is the load: once the rebound is too slow to leave the static depth d_s, where
 * F carries the weight m g, the contact stays closed and vibrates with the damping ratio
 *
 *   ζ = x √(g d_s/n) / (2 u_s),   u_s² = v_f² + 2 g d_s/(n+1)
 *
 * `floorSpeed` chooses v_f = x √(g d_s/n)/(2 ζ₀), ζ₀ = 0.5. This ζ₀ neglects the elastic part of u_s: with it ζ is 0.42 for
 * e = 0.3 and 0.07 for e = 0.9 at n = 1.5 (`restDampingRatio`). A floor speed fixed in m/s would ring at high stiffness.
 *
 * **What a region carries.** A light body under a heavy one is pressed by c times its own weight. With its own m, w = 2 U/m grows with c², and from c ≈ x² on ζ falls as
 * 1/√c: the heavy one rings on it. What swings there is the heavy mass, so m is c m, and ζ does not fall below that of a body on its own: with c it goes to x/2 (n = 1). c follows
 * from the load that lasts (contact/pair-scales.ts), never from a blow, whose restitution it would change.
 *
 * Hunt & Crossley (1975) for the factor; the estimate u in place of a stored impact speed is ours.
 */
import { depthPower } from './depth-power.js';

export interface ConstantRestitution {
  /** k, N/mⁿ */
  readonly stiffness: number;
  /** n */
  readonly exponent: number;
  /** m, kg */
  readonly effectiveMass: number;
  /** x, from `dampingFactor(restitution)` */
  readonly dampingFactor: number;
  /** v_f, m/s */
  readonly floorSpeed: number;
}

/** max(0, 1 + x v/u), u² = v² + w; `squaredSpeed` is w + v_f². */
export function restitutionFactor(x: number, approachSpeed: number, squaredSpeed: number): number {
  const u = Math.sqrt(approachSpeed * approachSpeed + squaredSpeed);
  return u > 0 ? Math.max(0, 1 + (x * approachSpeed) / u) : 1;
}

/** Its derivative with respect to v; 0 where it is clipped. */
export function restitutionFactorBySpeed(x: number, approachSpeed: number, squaredSpeed: number): number {
  const u = Math.sqrt(approachSpeed * approachSpeed + squaredSpeed);
  return u > 0 && u + x * approachSpeed > 0 ? (x * squaredSpeed) / (u * u * u) : 0;
}

/** Its derivative with respect to w; 0 where it is clipped. */
export function restitutionFactorBySquaredSpeed(x: number, approachSpeed: number, squaredSpeed: number): number {
  const u = Math.sqrt(approachSpeed * approachSpeed + squaredSpeed);
  return u > 0 && u + x * approachSpeed > 0 ? (-0.5 * x * approachSpeed) / (u * u * u) : 0;
}

/**
 * v_f for a contact that will rest under a load, m/s.
 *
 * @param staticDepth d_s under that load, m
 * @param gravity     load per effective mass, m/s²
 */
export function floorSpeed(
  dampingFactor: number,
  exponent: number,
  staticDepth: number,
  gravity: number,
  dampingRatio = 0.5,
): number {
  return (dampingFactor * Math.sqrt((gravity * staticDepth) / exponent)) / (2 * dampingRatio);
}

/** ζ of small vibrations about rest. */
export function restDampingRatio(
  dampingFactor: number,
  exponent: number,
  staticDepth: number,
  gravity: number,
  floor: number,
): number {
  const restSpeed = Math.sqrt(floor * floor + (2 * gravity * staticDepth) / (exponent + 1));
  return (dampingFactor * Math.sqrt((gravity * staticDepth) / exponent)) / (2 * restSpeed);
}

/** d_s = (load/k)^(1/n): the depth that carries a load in N. */
export function staticDepth(stiffness: number, exponent: number, load: number): number {
  return depthPower(load / stiffness, 1 / exponent);
}
