/**
 * How grains press on each other where one of them is no ball: each has about itself a layer as thick as its radius, whose springs stand side by side (elastic foundation,
 * Johnson, Contact Mechanics (1985), §4.3, with the modulus of plane strain),
 *
 *   k = E/((1 − ν²) r),   K = 1/(1/k₁ + 1/k₂)
 *
 *   k  pressure by the depth of the layer, N/m³;  K  of the pair, two layers one behind the other;  r  mean radius of the species, m
 *
 * A species may say its own K, which holds among its like and on walls; two that do, or one and another, have the harmonic mean of theirs. A wall that nobody gave a material has no
 * layer; one that has a material has one as thick as the grain's.
 */
import { reducedModulus, reducedShearModulus } from '../../contact-laws/combination.js';
import { cbrt } from '../../math/elementary.js';
import { random } from '../../math/random.js';
import type { GrainKind, GrainPairLaw } from '../grain-laws.js';
import type { GrainPlan } from '../grain-plan.js';
import { sizesOf } from '../grain-sizes.js';
import type { GrainContact } from './contact-parameters.js';

export interface LayeredKind extends GrainKind {
  /** Mean radius, m; of walls it is not asked for */
  readonly radius: number;
  /** K among its like, N/m³ */
  readonly foundation?: number | undefined;
}

/** @param law of the pair, as written */
export function rigidContact(a: LayeredKind, b: LayeredKind, law: GrainPairLaw): GrainContact {
  return {
    modulus: law.foundation ?? foundationOf(a, b),
    restitution: law.restitution,
    friction: law.friction,
    ...(law.cohesion !== undefined && { cohesion: law.cohesion }),
    reducedModulus: reducedModulus(a, b),
    reducedShearModulus: reducedShearModulus(a, b),
    ...(law.dampingRatio !== undefined && { dampingRatio: law.dampingRatio }),
  };
}

export function foundationOf(a: LayeredKind, b: LayeredKind): number {
  const [grain, other] = a.wall ? [b, a] : [a, b];
  const layer = ({ youngsModulus, poissonRatio }: GrainKind, r: number): number =>
    youngsModulus / ((1 - poissonRatio * poissonRatio) * r);
  const own = grain.foundation ? 2 * grain.foundation : layer(grain, grain.radius);
  if (other.wall) {
    if (grain.foundation) return grain.foundation;
    return other.youngsModulus < Number.POSITIVE_INFINITY ? 1 / (1 / own + 1 / layer(other, grain.radius)) : own;
  }
  const second = other.foundation ? 2 * other.foundation : layer(other, other.radius);
  return 1 / (1 / own + 1 / second);
}

/** Kinds of a plan with what the layer about a grain needs: a mean radius, that of the mean volume */
export const layered = ({ kinds, species }: GrainPlan): readonly LayeredKind[] =>
  kinds.map((kind, k) =>
    k < species.length
      ? {
          ...kind,
          radius: cbrt(sizesOf(species[k][1].radius, random(0)).meanCube),
          foundation: species[k][1].foundation,
        }
      : { ...kind, radius: 0 },
  );
