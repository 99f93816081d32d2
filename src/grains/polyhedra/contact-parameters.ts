/**
 * Contact of two species as the kernel wants it.
 *
 *   K    bed modulus of the pair: pressure per depth, N = K V                    N/m³
 *   x    damping factor that gives the restitution e (contact-laws/normal/restitution.ts)
 *   µ    friction
 *   ζ    damping of the bristle; where one of the two is a ball as among balls (grain-laws.ts), so that a ball is the same in any company
 *   c    cohesion: pull by area of contact                                       Pa
 *   E*, G*  reduced moduli for spheres                                          Pa
 *
 * K is a choice of the computation, not of the material: a flat contact of area A has the stiffness K A, and the step must resolve √(m/KA). Granite would need about
 * 5e11 N/m³ for stones of a decimetre; 1e8 … 1e9 makes them softer than the pile around them is loose, and costs thousands of steps a second, not hundreds of thousands.
 */
import { dampingFactor } from '../../contact-laws/normal/restitution.js';
import { ModelError } from '../../errors.js';
import { bristleDamping as bristleOfBalls, LEAST_OF_RIGID } from '../grain-laws.js';

export interface GrainContact {
  /** K, N/m³ */
  readonly modulus: number;
  /** e, from 0 to 1 */
  readonly restitution: number;
  /** µ ≥ 0 */
  readonly friction: number;
  /** c ≥ 0: pull by area of contact, Pa */
  readonly cohesion?: number;
  /** E*, Pa, for spheres */
  readonly reducedModulus?: number;
  /** G*, Pa, for spheres */
  readonly reducedShearModulus?: number;
  /** ζ of the bristle; default from e, see `bristleDamping`, of balls as among balls */
  readonly dampingRatio?: number;
}

/** Numbers per pair of species in the kernel's LAWS */
export const LAW_LENGTH = 12;

/** @param where how an error names the contact */
export function lawNumbers(contact: GrainContact, where: string): number[] {
  const { modulus, restitution, friction, reducedModulus = 0, reducedShearModulus = 0, cohesion = 0 } = contact;
  if (!(modulus > 0 && modulus < Number.POSITIVE_INFINITY))
    throw new ModelError(`${where}.modulus`, `expected pressure per depth > 0 N/m³, e.g. 1e8, got ${modulus}`);
  if (!(restitution >= 0 && restitution <= 1))
    throw new ModelError(`${where}.restitution`, `expected a number from 0 to 1, got ${restitution}`);
  if (!(friction >= 0 && friction < Number.POSITIVE_INFINITY))
    throw new ModelError(`${where}.friction`, `expected a number ≥ 0, got ${friction}`);
  return [
    modulus,
    dampingFactor(Math.max(LEAST_OF_RIGID, restitution)),
    friction,
    contact.dampingRatio ?? bristleDamping(restitution),
    cohesion,
    reducedModulus,
    reducedShearModulus,
    contact.dampingRatio ?? bristleOfBalls(restitution),
    0,
    0,
    0,
    0,
  ];
}

/**
 * 18 (1 − e)², from 0.01 to 0.5 only, less than bodies have (contact-laws/pair-law.ts): grains take the velocity of the last half step, which
 * bears less damping than a step that solves for it, and a stone has a dozen contacts.
 */
const bristleDamping = (e: number): number => Math.min(0.5, Math.max(0.01, 18 * (1 - e) * (1 - e)));
