/**
 * Hertz: two curved elastic solids pressed together, frictionless, small against their radii.
 *
 *   F = 4/3 E* √R d^(3/2),   a = √(R d),   dF/dd = 2 E* a
 *
 *   E*  reduced modulus, 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂    Pa
 *   R   effective radius, 1/R = 1/R₁ + 1/R₂; a plane has 1/R = 0; a hollow (concave) partner counts negative    m
 *   d   penetration depth    m
 *   a   radius of the contact circle    m
 *
 * An elastic impact of effective mass m at speed v (Johnson, Contact Mechanics, 1985, §11.4):
 *
 *   d* = (15 m v²/(16 E* √R))^(2/5),   F* = 4/3 E* √R d*^(3/2),   T = 2.943275 d* / v
 *
 * Damping comes from constant-restitution.ts with k = 4/3 E* √R, n = 3/2.
 */

import { pow } from '../../math/elementary.js';

/** k of F = k d^(3/2), N/m^(3/2) */
export function hertzStiffness(reducedModulus: number, effectiveRadius: number): number {
  return (4 / 3) * reducedModulus * Math.sqrt(effectiveRadius);
}

/** F, N */
export function hertzForce(reducedModulus: number, effectiveRadius: number, depth: number): number {
  return depth > 0 ? hertzStiffness(reducedModulus, effectiveRadius) * depth * Math.sqrt(depth) : 0;
}

/** dF/dd = 2 E* √(R d), N/m */
export function hertzForceByDepth(reducedModulus: number, effectiveRadius: number, depth: number): number {
  return depth > 0 ? 2 * reducedModulus * Math.sqrt(effectiveRadius * depth) : 0;
}

/** a, m */
export function hertzContactRadius(effectiveRadius: number, depth: number): number {
  return Math.sqrt(effectiveRadius * depth);
}

export interface Impact {
  /** m */
  readonly peakDepth: number;
  /** N */
  readonly peakForce: number;
  /** s */
  readonly duration: number;
}

/** What an elastic impact will be like, in closed form. */
export function hertzImpact(
  reducedModulus: number,
  effectiveRadius: number,
  effectiveMass: number,
  speed: number,
): Impact {
  const ratio = (15 * effectiveMass * speed * speed) / (16 * reducedModulus * Math.sqrt(effectiveRadius));
  const peakDepth = pow(ratio, 0.4);
  return {
    peakDepth,
    peakForce: hertzForce(reducedModulus, effectiveRadius, peakDepth),
    duration: (DURATION * peakDepth) / speed,
  };
}

// T v / d* = 2 ∫₀¹ dz/√(1 − z^(5/2)) = (4√π/5) Γ(2/5)/Γ(9/10)
const DURATION = 2.9432751843247047;
