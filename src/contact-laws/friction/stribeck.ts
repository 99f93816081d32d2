/**
 * Sliding friction that falls from its static to its kinetic value with speed, for the limit of a bristle:
 *
 *   µ = µ_k + (µ_s − µ_k) exp(−(w/v_s)²) + k_v w
 *
 *   w    slip speed              m/s
 *   v_s  Stribeck speed          m/s
 *   k_v  viscous gradient        s/m
 *
 * It does not vanish at rest: holding is the bristle's work, this is only how far it may be loaded. µ_s = µ_k, k_v = 0 is
 * Coulomb's law. A bristle that holds at the start of a step bears µ_s N until its end, however fast it is stretched.
 */
import { exp } from '../../math/elementary.js';
import type { FrictionCurve } from './friction-curve.js';

export interface Stribeck {
  readonly staticFriction: number;
  readonly kineticFriction: number;
  /** v_s, m/s */
  readonly stribeckSpeed: number;
  /** k_v, s/m */
  readonly viscous: number;
}

/** µ */
export function stribeckCoefficient(law: Stribeck, speed: number): number {
  const x = speed / law.stribeckSpeed;
  return law.kineticFriction + (law.staticFriction - law.kineticFriction) * exp(-x * x) + law.viscous * speed;
}

/** dµ/dw, s/m */
export function stribeckCoefficientBySpeed(law: Stribeck, speed: number): number {
  const x = speed / law.stribeckSpeed;
  return (-2 * x * (law.staticFriction - law.kineticFriction) * exp(-x * x)) / law.stribeckSpeed + law.viscous;
}

export const stribeckCurve = (law: Stribeck): FrictionCurve => ({
  name: 'stribeck',
  coefficient: (speed) => stribeckCoefficient(law, speed),
  slope: (speed) => stribeckCoefficientBySpeed(law, speed),
});
