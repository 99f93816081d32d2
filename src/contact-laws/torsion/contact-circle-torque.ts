/**
 * Torque about the contact normal from the contact circle of a Hertz contact:
 *
 *   M = −µ F π a² tanh(a ω/v_d),   a = √(R δ)
 *
 *   F    normal force                      N
 *   R    effective radius, δ depth         m
 *   ω    relative spin about the normal    rad/s
 *   v_d  dead band of speed                m/s
 *
 * As printed its dimension is N m²: the area π a² stands where a length belongs. We keep the numbers (in SI) for comparison
 * with the paper. `circleTorque` has the length of a Hertz circle instead, M = −µ F (3π/16) a tanh(a ω/v_d).
 *
 * Buse et al. (2023), eq. 6.
 */
import { tanh } from '../../math/elementary.js';

export interface ContactCircle {
  /** µ */
  readonly friction: number;
  /** v_d, m/s */
  readonly deadBand: number;
}

/** M as printed */
export function contactCircleTorque(law: ContactCircle, normalForce: number, radius: number, spin: number): number {
  return -law.friction * normalForce * Math.PI * radius * radius * tanh((radius * spin) / law.deadBand);
}

/** ∂M/∂ω as printed */
export function contactCircleTorqueBySpin(
  law: ContactCircle,
  normalForce: number,
  radius: number,
  spin: number,
): number {
  const t = tanh((radius * spin) / law.deadBand);
  return (-law.friction * normalForce * Math.PI * radius * radius * radius * (1 - t) * (1 + t)) / law.deadBand;
}

/** ∂M/∂a as printed */
export function contactCircleTorqueByRadius(
  law: ContactCircle,
  normalForce: number,
  radius: number,
  spin: number,
): number {
  const t = tanh((radius * spin) / law.deadBand);
  const area = Math.PI * radius * radius;
  return -law.friction * normalForce * (2 * Math.PI * radius * t + (area * spin * (1 - t) * (1 + t)) / law.deadBand);
}

/** M with the length of a Hertz circle, N m */
export function circleTorque(law: ContactCircle, normalForce: number, radius: number, spin: number): number {
  return -law.friction * normalForce * HERTZ_ARM * radius * tanh((radius * spin) / law.deadBand);
}

/** ∂M/∂ω, N m s */
export function circleTorqueBySpin(law: ContactCircle, normalForce: number, radius: number, spin: number): number {
  const t = tanh((radius * spin) / law.deadBand);
  return (-law.friction * normalForce * HERTZ_ARM * radius * radius * (1 - t) * (1 + t)) / law.deadBand;
}

/** Drilling friction of a Hertz pressure is 3π/16 µ F a (Johnson 1985, §7.4). */
const HERTZ_ARM = (3 * Math.PI) / 16;
