/**
 * Step of the grains before there are contacts: from the fastest impact of the smallest grains,
 *
 *   δ = (15 m* v²/(16 E*√R))^0.4,   k_t = 8G*√(Rδ),   ω² = 3.5 k_t/m*,   h_c = ½·2/ω (dense beds)
 *   T = 2.87 (m*²/(R E*² v))^(1/5), contact time (Johnson 1985, §11.4)
 *
 * and h = min(0.35 h_c, T/40). The tangential–rotational mode is the stiffest. What the run itself says comes from the census (measures.ts).
 */
import { reducedModulus, reducedShearModulus } from '../contact-laws/combination.js';
import { PI, pow } from '../math/elementary.js';
import type { GrainKind, GrainPairLaw } from './grain-laws.js';

export interface ImpactStep {
  readonly critical: number;
  readonly contactTime: number;
  /** What is taken */
  readonly step: number;
}

const STEPS_PER_CONTACT = 40;
const PART_OF_CRITICAL = 0.35;

/**
 * @param partner of the kind: a grain of radius and mass like it, or a wall
 * @param speed   m/s
 */
export function impactStep(
  kind: GrainKind,
  partner: GrainKind,
  law: GrainPairLaw,
  radius: number,
  density: number,
  speed: number,
): ImpactStep {
  const mass = (4 / 3) * PI * density * radius * radius * radius;
  const [m, r] = partner.wall ? [mass, radius] : [mass / 2, radius / 2];
  let normal: number;
  let tangential: number;
  let contactTime: number;
  if (law.stiffness) {
    normal = law.stiffness;
    tangential = normal * (law.stiffnessRatio ?? 2 / 7);
    contactTime = PI * Math.sqrt(m / normal);
  } else {
    const modulus = reducedModulus(kind, partner);
    const depth = pow((15 * m * speed * speed) / (16 * modulus * Math.sqrt(r)), 0.4);
    normal = 2 * modulus * Math.sqrt(r * depth);
    tangential = 8 * reducedShearModulus(kind, partner) * Math.sqrt(r * depth);
    contactTime = 2.87 * pow((m * m) / (r * modulus * modulus * speed), 0.2);
  }
  const stiffest = law.friction > 0 ? Math.max(normal, 3.5 * tangential) : normal;
  const critical = 1 / Math.sqrt(stiffest / m);
  return { critical, contactTime, step: Math.min(PART_OF_CRITICAL * critical, contactTime / STEPS_PER_CONTACT) };
}
