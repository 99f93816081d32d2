/**
 * Elasticity of a pair before it touches, as one k dⁿ: exactly, or what its law is near to at the sizes expected. From it follow depth at rest,
 * stiffness there, depth and time of an impact.
 */
import type { NormalLawOptions } from '../model/contacts.js';
import { staticDepth } from './normal/constant-restitution.js';
import { floresLankaraniStiffness } from './normal/flores-lankarani.js';
import { hertzStiffness } from './normal/hertz.js';

/** 4/(3√π) · √2: F = this · E* V/√A with d = 2V/A */
export const OVERLAP = (4 * Math.SQRT2) / (3 * Math.sqrt(Math.PI));

/** k dⁿ that the law is, or is near to, at the sizes expected */
export interface ElasticPlan {
  readonly stiffness: number;
  readonly exponent: number;
  /** What measures it goes with */
  readonly of: 'depth' | 'overlap' | 'bed';
}

/**
 * @param modulus E*, Pa
 * @param radius  R, m; Infinity where there is none
 */
export function elasticPlan(
  law: NormalLawOptions,
  modulus: number,
  radius: number,
  { patches, size, length: side }: { readonly patches: boolean; readonly size: number; readonly length: number },
): ElasticPlan {
  const round = Number.isFinite(radius) ? radius : size;
  // d = 2V/A: the approach of two flat faces counts twice
  const flat: ElasticPlan = patches
    ? { stiffness: 0.5 * OVERLAP * modulus * side, exponent: 1, of: 'overlap' }
    : { stiffness: modulus * side, exponent: 1, of: 'depth' };
  if (law === 'hertz')
    return Number.isFinite(radius) ? { stiffness: hertzStiffness(modulus, radius), exponent: 1.5, of: 'depth' } : flat;
  if (law === 'overlap-volume' || typeof law === 'function')
    return Number.isFinite(radius)
      ? { stiffness: hertzStiffness(modulus, radius), exponent: 1.5, of: 'overlap' }
      : flat;
  switch (law.kind) {
    case 'power':
    case 'oestersoetebier':
    case 'hofmann':
      return { stiffness: law.stiffness, exponent: law.exponent, of: 'depth' };
    case 'foundation':
      return { stiffness: 0.5 * law.modulus * side * side, exponent: 1, of: 'bed' };
    case 'buse':
      return { stiffness: law.stiffness ?? floresLankaraniStiffness(modulus, round), exponent: 1.5, of: 'depth' };
    case 'elmqvist':
      return Number.isFinite(radius)
        ? { stiffness: hertzStiffness(modulus, radius), exponent: 1.5, of: 'overlap' }
        : flat;
  }
}

/** dN/dd = n k dⁿ⁻¹, N/m */
export const slope = ({ stiffness, exponent }: ElasticPlan, depth: number): number =>
  (exponent * stiffness * power(depth, exponent)) / depth;

/** d* = ((n + 1) m v²/(2k))^(1/(n+1)) */
export function impactDepth({ stiffness, exponent }: ElasticPlan, mass: number, speed: number): number {
  return staticDepth(1, exponent + 1, (0.5 * (exponent + 1) * mass * speed * speed) / stiffness);
}

/** π √(m/k) for n = 1, 2.9433 d*∕v for n = 1.5, in between linearly */
export function contactTime(plan: ElasticPlan, mass: number, speed: number): number {
  const factor = Math.PI + (plan.exponent - 1) * 2 * (2.9433 - Math.PI);
  return (factor * impactDepth(plan, mass, speed)) / speed;
}

export const power = (depth: number, exponent: number): number => staticDepth(1, 1 / exponent, depth);
