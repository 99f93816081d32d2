/**
 * Friction that rises to its static value on a parabola and falls off exponentially:
 *
 *   µ = µ_s − µ_s (w − v_d)²/v_d²                    w < v_d
 *   µ = µ_k + (µ_s − µ_k) exp(−ξ (w − v_d))          w ≥ v_d
 *
 *   w    slip speed              m/s
 *   v_d  speed of the peak       m/s
 *   ξ    decay                   s/m
 *
 * Continuous, peak exactly µ_s; the slope jumps at v_d from 0 to −ξ (µ_s − µ_k).
 *
 * Bengisu & Akay (1994) in Marques et al. (2016); Buse et al. (2023), eq. 5.
 */
import { exp } from '../../math/elementary.js';
import type { FrictionCurve } from './friction-curve.js';

export interface BengisuAkay {
  readonly staticFriction: number;
  readonly kineticFriction: number;
  /** v_d, m/s */
  readonly peakSpeed: number;
  /** ξ, s/m */
  readonly decay: number;
}

/** µ */
export function bengisuAkayCoefficient(law: BengisuAkay, speed: number): number {
  const { staticFriction, kineticFriction, peakSpeed, decay } = law;
  if (speed < peakSpeed) {
    const x = speed / peakSpeed;
    return staticFriction * x * (2 - x);
  }
  return kineticFriction + (staticFriction - kineticFriction) * exp(-decay * (speed - peakSpeed));
}

/** dµ/dw, s/m; from above at the kink */
export function bengisuAkayCoefficientBySpeed(law: BengisuAkay, speed: number): number {
  const { staticFriction, kineticFriction, peakSpeed, decay } = law;
  if (speed < peakSpeed) return (2 * staticFriction * (1 - speed / peakSpeed)) / peakSpeed;
  return -decay * (staticFriction - kineticFriction) * exp(-decay * (speed - peakSpeed));
}

export const bengisuAkayCurve = (law: BengisuAkay): FrictionCurve => ({
  name: 'bengisu-akay',
  coefficient: (speed) => bengisuAkayCoefficient(law, speed),
  slope: (speed) => bengisuAkayCoefficientBySpeed(law, speed),
});
