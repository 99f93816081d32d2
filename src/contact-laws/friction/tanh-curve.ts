/**
 * Coulomb friction smoothed by a dead band of speed:
 *
 *   µ = µ_k tanh(w/v_d)
 *
 *   w    slip speed    m/s
 *   v_d  dead band     m/s
 *
 * On a slope of angle α it creeps at v_d artanh(tan α/µ_k).
 *
 * Buse et al. (2023), eq. 4, with µ_k the harmonic mean of the two materials'.
 */
import { tanh } from '../../math/elementary.js';
import type { FrictionCurve } from './friction-curve.js';

/** µ */
export function tanhCoefficient(kineticFriction: number, deadBand: number, speed: number): number {
  return kineticFriction * tanh(speed / deadBand);
}

/** dµ/dw, s/m */
export function tanhCoefficientBySpeed(kineticFriction: number, deadBand: number, speed: number): number {
  const t = tanh(speed / deadBand);
  return (kineticFriction * (1 - t) * (1 + t)) / deadBand;
}

export const tanhCurve = (kineticFriction: number, deadBand: number): FrictionCurve => ({
  name: 'tanh',
  coefficient: (speed) => tanhCoefficient(kineticFriction, deadBand, speed),
  slope: (speed) => tanhCoefficientBySpeed(kineticFriction, deadBand, speed),
});
