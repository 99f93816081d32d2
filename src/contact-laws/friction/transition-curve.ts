/**
 * Friction with a smooth transition from static to kinetic, without exponentials:
 *
 *   µ = (2 µ* − µ_k) x²/(x⁴ + 1) + µ_k − µ_k/(x² + 1),   x = w/v_s
 *   µ* = µ_s (1 − 0.09 (µ_k/µ_s)⁴)
 *
 *   w    slip speed                                   m/s
 *   v_s  speed of the transition                      m/s
 *
 * Smooth, ≥ 0, near µ_s at x ≈ 1.1 and µ_k for fast sliding. Its slope at rest is 0: to first order it holds nothing.
 * For µ_s 0.5 and µ_k 0.3 the peak is 0.5024 at x = 1.119, half a per cent above µ_s.
 *
 * Nassauer & Kuna (2013); Elmqvist et al. (2015), §6.2.2.
 */
import type { FrictionCurve } from './friction-curve.js';

export interface TransitionCurve {
  readonly staticFriction: number;
  readonly kineticFriction: number;
  /** v_s, m/s */
  readonly transitionSpeed: number;
}

/** µ */
export function transitionCoefficient(law: TransitionCurve, speed: number): number {
  const x = speed / law.transitionSpeed;
  const x2 = x * x;
  return (peakWeight(law) * x2) / (x2 * x2 + 1) + law.kineticFriction * (x2 / (x2 + 1));
}

/** dµ/dw, s/m */
export function transitionCoefficientBySpeed(law: TransitionCurve, speed: number): number {
  const x = speed / law.transitionSpeed;
  const x2 = x * x;
  const quartic = x2 * x2 + 1;
  const square = x2 + 1;
  const byRatio =
    (peakWeight(law) * 2 * x * (1 - x2 * x2)) / (quartic * quartic) + (law.kineticFriction * 2 * x) / (square * square);
  return byRatio / law.transitionSpeed;
}

/** 2 µ* − µ_k */
function peakWeight({ staticFriction, kineticFriction }: TransitionCurve): number {
  if (!(staticFriction > 0)) return 0;
  const ratio = kineticFriction / staticFriction;
  return 2 * staticFriction * (1 - 0.09 * ratio * ratio * ratio * ratio) - kineticFriction;
}

export const transitionCurve = (law: TransitionCurve): FrictionCurve => ({
  name: 'transition',
  coefficient: (speed) => transitionCoefficient(law, speed),
  slope: (speed) => transitionCoefficientBySpeed(law, speed),
});
