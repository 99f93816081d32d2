/**
 * Numbers of the contact law for each pair of kinds; the law itself is in kernels/grain-forces.kernel.ts.
 *
 *   1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂;   1/G* = (2 − ν₁)/G₁ + (2 − ν₂)/G₂,  G = E/(2(1 + ν))
 *
 * Mindlin & Deresiewicz (1953) for 8G*a; rolling after Ai et al. (2011), type C, k_r = 2.25 k_n (µ_r R)²; twisting after Marshall (2009).
 */
import { reducedModulus, reducedShearModulus } from '../contact-laws/combination.js';
import { dampingFactor } from '../contact-laws/normal/restitution.js';
import { STRIDE } from '../kernels/index.js';
import { log, PI } from '../math/elementary.js';

/** Of a kind: a species of grains, or the material of walls */
export interface GrainKind {
  readonly name: string;
  /** Pa */
  readonly youngsModulus: number;
  readonly poissonRatio: number;
  /** The material of a wall: never met by another wall here */
  readonly wall?: boolean;
}

/** Of a pair of kinds */
export interface GrainPairLaw {
  readonly restitution: number;
  readonly friction: number;
  /** µ_r: tangent of the slope on which a grain just does not roll */
  readonly rollingFriction?: number;
  /** Limit of the couple about the normal by (normal force × contact radius); 3π/16 µ where rolling friction is given, else 0 */
  readonly twistingFriction?: number;
  /** SJKR: cohesion per area of contact, Pa */
  readonly cohesion?: number;
  /** JKR: work of adhesion, J/m² */
  readonly adhesion?: number;
  /** Linear law: stiffness, N/m; Hertz if not given */
  readonly stiffness?: number;
  /** Of the linear law: k_t/k_n, 2/7 unless given */
  readonly stiffnessRatio?: number;
  /** Of polyhedra: pressure per depth, N/m³; from Young's modulus and size unless given */
  readonly foundation?: number;
  /** Of sliding, rolling and twisting bristles; what goes with the restitution unless given, see `bristleDamping` */
  readonly dampingRatio?: number;
}

/** Whether the law needs the terms beyond Hertz and friction. */
export const isFull = ({ rollingFriction, twistingFriction, adhesion, stiffness }: GrainPairLaw): boolean =>
  Boolean(rollingFriction || twistingFriction || adhesion || stiffness);

/** Fills the 16 numbers of a pair. */
export function writeLaw(laws: Float64Array, at: number, a: GrainKind, b: GrainKind, law: GrainPairLaw): void {
  const modulus = reducedModulus(a, b);
  const { rollingFriction = 0, cohesion = 0, adhesion = 0, stiffness = 0, stiffnessRatio = 2 / 7 } = law;
  const { dampingRatio = bristleDamping(law.restitution) } = law;
  const { twistingFriction = rollingFriction > 0 ? ((3 * PI) / 16) * law.friction : 0 } = law;
  laws.fill(0, at, at + STRIDE.law);
  laws[at] = 2 * modulus;
  laws[at + 1] = 8 * reducedShearModulus(a, b);
  laws[at + 2] = dampingFactor(Math.max(law.restitution, LEAST_RESTITUTION));
  laws[at + 3] = 2 * dampingRatio;
  laws[at + 4] = law.friction;
  laws[at + 5] = rollingFriction;
  laws[at + 6] = twistingFriction;
  laws[at + 7] = PI * cohesion;
  laws[at + 8] = adhesion > 0 ? 2 : stiffness > 0 ? 1 : 0;
  laws[at + 9] = stiffness;
  laws[at + 10] = stiffness * stiffnessRatio;
  laws[at + 11] = Math.sqrt((2 * PI * adhesion) / modulus);
  laws[at + 12] = Math.sqrt(8 * PI * adhesion * modulus);
  laws[at + 13] = 1.5 * PI * adhesion;
}

/** Below this the damping would have to be without bound. */
export const LEAST_RESTITUTION = 0.02;
/** Of grains with a shape, where the step would have to follow it */
export const LEAST_OF_RIGID = 0.05;

/**
 * ζ of the bristle: what a spring and a damper along the normal would need for the same restitution, √(5/6) b, b = −ln e/√(ln² e + π²) (Tsuji, Tanaka & Ishida 1992 take one
 * damping for both directions; √(5/6) for Hertz's spring, Antypov & Elliott 2011). An elastic grain thus has an elastic bristle.
 */
export function bristleDamping(restitution: number): number {
  const l = log(Math.max(restitution, LEAST_RESTITUTION));
  return (Math.sqrt(5 / 6) * -l) / Math.sqrt(l * l + PI * PI);
}
