/**
 * Two levels of friction and a cap on the force:
 *
 *   µ = µ_H for w < v_G, else µ_G                        (10)
 *   F = −min(F_max, µ N) u/w,   w = |u|                  (11)–(13)
 *
 *   w      slip speed                     m/s
 *   µ_H    static, µ_G sliding friction
 *   v_G    limit speed                    m/s
 *   F_max  cap, Infinity for none         N
 *
 * As printed the force jumps at w = 0 and at v_G, which stalls every integrator with error control. The smoothed form
 * replaces the jumps: smoothstep from 0.9 to 1.1 v_G between the levels, and tanh(w/(0.05 v_G)) at rest.
 *
 * Hofmann et al. (2014), eqs 10–13.
 */
import { tanh } from '../../math/elementary.js';
import type { FrictionCurve } from './friction-curve.js';

export interface TwoLevel {
  readonly staticFriction: number;
  readonly kineticFriction: number;
  /** v_G, m/s */
  readonly limitSpeed: number;
}

/** µ as printed */
export function twoLevelCoefficient(law: TwoLevel, speed: number): number {
  return speed < law.limitSpeed ? law.staticFriction : law.kineticFriction;
}

/** µ smoothed */
export function smoothTwoLevelCoefficient(law: TwoLevel, speed: number): number {
  return level(law, speed) * tanh(speed / (REST * law.limitSpeed));
}

/** dµ/dw smoothed, s/m */
export function smoothTwoLevelCoefficientBySpeed(law: TwoLevel, speed: number): number {
  const t = tanh(speed / (REST * law.limitSpeed));
  const y = clampedRatio(law, speed);
  const levelSlope = ((law.kineticFriction - law.staticFriction) * 6 * y * (1 - y)) / (2 * HALF_WIDTH * law.limitSpeed);
  return levelSlope * t + (level(law, speed) * (1 - t) * (1 + t)) / (REST * law.limitSpeed);
}

/** min(F_max, µ N), N */
export function cappedFriction(coefficient: number, normalForce: number, cap: number): number {
  return Math.min(cap, coefficient * normalForce);
}

function level(law: TwoLevel, speed: number): number {
  const y = clampedRatio(law, speed);
  return law.staticFriction + (law.kineticFriction - law.staticFriction) * y * y * (3 - 2 * y);
}

/** 0 at 0.9 v_G, 1 at 1.1 v_G */
function clampedRatio(law: TwoLevel, speed: number): number {
  const y = (speed / law.limitSpeed - (1 - HALF_WIDTH)) / (2 * HALF_WIDTH);
  return Math.max(0, Math.min(1, y));
}

const HALF_WIDTH = 0.1;
const REST = 0.05;

export const twoLevelCurve = (law: TwoLevel): FrictionCurve => ({
  name: 'two-level',
  coefficient: (speed) => twoLevelCoefficient(law, speed),
  slope: () => 0,
});

export const smoothTwoLevelCurve = (law: TwoLevel): FrictionCurve => ({
  name: 'smooth-two-level',
  coefficient: (speed) => smoothTwoLevelCoefficient(law, speed),
  slope: (speed) => smoothTwoLevelCoefficientBySpeed(law, speed),
});
