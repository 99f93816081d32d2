/**
 * The laws of one pair of bodies, from their materials, sizes and what the user wrote. Where nothing is written:
 *
 *   normal    Hertz, k d^1.5 with k = 4/3 E* √R, where both shapes are round at the point they touch; else K V on the overlap, a bed of
 *             springs with K = 1.064 E* / L; k d for contacts in points. All with the restitution of the pair at every speed
 *   friction  the bristle that holds, on the whole patch
 *
 * K is what E* k √(V d) (Elmqvist et al. 2015), d = 2V/A, has for a flat face of area L², L³ the volume of the smaller body. The bed is the
 * default for it has a potential and adds up: E* k √(V d) changes by 29 % where two regions become one, and makes a body that slides on a part
 * of its face flutter, since V/√A grows when the patch shrinks; a corner is softer on the bed. Give 'overlap-volume' to have it.
 *
 * Tangential stiffness follows the patch: Mindlin's k_t = 8 G* a on the contact circle a = √(R d) is (4 G* / E*) · 2 E* a; on a lens of
 * area A = 2π R d the same is (4 G* / E*) E* √(2A/π), which we take for E* k √(V d) on patches of any shape; (4 G* / E*) K A on a bed.
 *
 * With a `depth` δ the pair is softer than its materials: E* is divided so that the depth at rest is δ × the size of the smaller body. All
 * stiffnesses go with E*; restitution and friction do not depend on it.
 */

import type { NormalLawOptions, PairDefaults, PairOptions } from '../model/contacts.js';
import { type Guessed, type Material, type PairProperties, pairProperties } from '../model/materials.js';
import { reducedModulus, tangentialRatio } from './combination.js';
import type { FrictionLaw } from './contact-law.js';
import { type DepthLimits, depthLimits } from './depth-limits.js';
import { contactTime, type ElasticPlan, elasticPlan, impactDepth, OVERLAP, power, slope } from './elastic-plan.js';
import { bengisuAkayCurve } from './friction/bengisu-akay.js';
import type { FrictionCurve } from './friction/friction-curve.js';
import { makkarCurve } from './friction/makkar.js';
import { stribeckCurve } from './friction/stribeck.js';
import { tanhCurve } from './friction/tanh-curve.js';
import { transitionCurve } from './friction/transition-curve.js';
import { smoothTwoLevelCurve } from './friction/two-level.js';
import { floorSpeed, staticDepth } from './normal/constant-restitution.js';
import {
  clippedDamperLaw,
  floresLankaraniLaw,
  foundationLaw,
  linearlyDampedVolumeLaw,
  type NormalLaw,
  overlapVolumeLaw,
  ownNormalLaw,
  powerDamperLaw,
  powerLaw,
} from './normal/normal-law.js';
import { damperRatio, dampingFactor } from './normal/restitution.js';
import { type RegionStates, regionStates } from './region-states.js';
import type { Pressure } from './torsion/pressure.js';
import { hysteresisFriction, rollingStiffness } from './torsion/rolling-resistance.js';

/** What is known of a pair before it touches. */
export interface PairFacts {
  readonly materialA: Material | undefined;
  readonly materialB: Material | undefined;
  /** 1/R₁ + 1/R₂, 1/m; 0 where the shapes do not touch in a point with one curvature */
  readonly curvature: number;
  /** Contacts have area and volume. */
  readonly patches: boolean;
  /** 1/m = 1/m₁ + 1/m₂, kg */
  readonly effectiveMass: number;
  /** Size of the smaller body, and the cube root of its volume, m */
  readonly size: number;
  readonly length: number;
  /** How deep an overlap tells its side, m (depth-limits.ts); no limit unless said */
  readonly tellableDepth?: number;
  /** Radius of what rolls on the other, m; for the torque of rolling friction */
  readonly rollingRadius: number;
  /** One of the two is round about an axis, and touches in a line */
  readonly roller?: boolean;
  /** m/s²; 0 without gravity */
  readonly gravity: number;
  /** For messages, e.g. `ball–floor` */
  readonly name: string;
}

/** k = coefficient · area^areaPower · depth^depthPower, of measures not below their floors */
export interface TangentialStiffness {
  readonly coefficient: number;
  readonly areaPower: 0 | 0.5 | 1;
  readonly areaFloor: number;
  readonly depthPower: 0 | 0.5;
  readonly depthFloor: number;
}

export interface PairLaw {
  readonly normal: NormalLaw;
  readonly friction: FrictionLaw;
  readonly tangential: TangentialStiffness;
  /** ζ of the bristle */
  readonly dampingRatio: number;
  readonly pressure: Pressure;
  /** 'patch', 'ellipsoid', 'none', or one of the papers' */
  readonly torsion: NonNullable<PairDefaults['torsion']>;
  /** m; radius of the circle of contact where the user gives it, 0 otherwise */
  readonly torsionRadius: number;
  readonly rolling: { readonly coefficient: number; readonly radius: number; readonly stiffness: number } | undefined;
  /** Where nobody said how much rolling is resisted, and so nothing does: µ_r that hysteresis would make it; 0 elsewhere */
  readonly unresistedRolling: number;
  /** Of a region, as the laws of friction and rolling own them */
  readonly states: RegionStates;
  readonly depthMeasure: 'volume' | 'extent';
  readonly properties: PairProperties;
  /** Pa; as it acts */
  readonly reducedModulus: number;
  /** What the materials have, where the pair is softer by the user's `depth` */
  readonly real: RealStiffness | undefined;
  /** m; Infinity where there is none */
  readonly effectiveRadius: number;
  /** m; of what rolls */
  readonly rollingRadius: number;
  /** Depth at rest under the lighter body's weight; without gravity at an impact of 1 m/s, m */
  readonly referenceDepth: number;
  /** How deep a region may be */
  readonly depthLimits: DepthLimits;
  /** dN/dd there, N/m */
  readonly stiffness: number;
  /** What its depth measures; of an overlap or a bed d = 2V/A, twice the approach of flat faces */
  readonly depthOf: ElasticPlan['of'];
  /** n of the normal law's k dⁿ */
  readonly exponent: number;
  /** Impact of 1 m/s, s */
  readonly contactTime: number;
  readonly floorSpeed: number;
  /** Over which friction falls from static to kinetic, m/s; ∞ where it does not fall */
  readonly stribeckSpeed: number;
  /** What the laws use of the properties that are guessed; and of these, what not even both materials say */
  readonly guessed: readonly Guessed[];
  readonly unknown: readonly Guessed[];
  /** The pair has the restitution of `properties` at every speed, or at one; otherwise the law has a damping of its own. */
  readonly restitution: 'kept' | 'nominal' | 'none';
  /** Materials that say nothing of their stiffness, where the normal law uses it: a hard polymer's is taken. */
  readonly assumed: readonly string[];
}

/** What a softened pair has by its materials. */
export interface RealStiffness {
  /** Pa */
  readonly reducedModulus: number;
  /** At rest, m */
  readonly depth: number;
  /** dN/dd there, N/m */
  readonly stiffness: number;
  /** Impact of 1 m/s, s */
  readonly contactTime: number;
}

/** E in Pa and ν of a material that does not say: a hard polymer. */
const ASSUMED = { youngsModulus: 2e9, poissonRatio: 0.35 };
/** A restitution of 0 would need infinite damping. */
const LEAST_RESTITUTION = 5e-4;
/** A pair is not softened beyond this part of the depth at which its law becomes doubtful: blows go deeper than the weight. */
const SOFTEST = 0.1;
export function pairLaw(options: PairOptions, facts: PairFacts): PairLaw {
  const { effectiveMass: mass, gravity, curvature, size } = facts;
  const assumed: string[] = [];
  const elastic = (material: Material | undefined, which: string) => {
    if (material?.youngsModulus !== undefined)
      return { youngsModulus: material.youngsModulus, poissonRatio: material.poissonRatio ?? 0.3 };
    // with E* or the stiffness given, all that is left of it is ν in the ratio of the stiffnesses
    if (options.reducedModulus === undefined && usesModulus(options.normalLaw)) assumed.push(which);
    return ASSUMED;
  };
  const first = elastic(facts.materialA, facts.materialA?.name ?? 'first');
  const second = elastic(facts.materialB, facts.materialB?.name ?? 'second');
  const realModulus = options.reducedModulus ?? reducedModulus(first, second);
  const ratio = tangentialRatio(first, second);
  const nameless: Material = { density: 1 };
  const { friction, staticFriction = friction, kineticFriction = friction, restitution, rollingFriction } = options;
  const given = pairProperties(
    facts.materialA ?? nameless,
    facts.materialB ?? nameless,
    {
      ...(staticFriction !== undefined && { staticFriction }),
      ...(kineticFriction !== undefined && { kineticFriction }),
      ...(restitution !== undefined && { restitution }),
      ...(typeof rollingFriction === 'number' && { rollingFriction }),
    },
    `contacts.pairs (${facts.name})`,
  );
  const x = dampingFactor(Math.max(LEAST_RESTITUTION, given.restitution));
  const radius = curvature > 0 ? 1 / curvature : Number.POSITIVE_INFINITY;
  const load = mass * gravity;
  const chosenReal = options.normalLaw ?? defaultLaw(realModulus, facts);
  const limits = depthLimits(
    elasticLength(chosenReal, options.normalLaw !== undefined, radius, facts.length),
    facts.tellableDepth ?? Number.POSITIVE_INFINITY,
  );
  const realPlan = elasticPlan(chosenReal, realModulus, radius, facts);
  const wanted = isSoftened(options) ? Math.min(options.depth! * size, SOFTEST * limits.doubtful) : 0;
  // E* goes into k of k dⁿ linearly: k dⁿ = load at the wanted depth
  const share = wanted > 0 && load > 0 ? load / (realPlan.stiffness * power(wanted, realPlan.exponent)) : 1;
  const modulus = share < 1 ? share * realModulus : realModulus;
  const chosen = options.normalLaw ?? defaultLaw(modulus, facts);
  const plan = elasticPlan(chosen, modulus, radius, facts);

  const byMaterials =
    typeof rollingFriction === 'number' ? undefined : hysteresis(realPlan, realModulus, radius, load, given, facts);
  const lost = rollingFriction === 'hysteresis' ? byMaterials : undefined;
  const properties = lost ? { ...given, rollingFriction: lost.coefficient } : given;

  // Depth and stiffness at rest
  const atRest = gravity > 0 ? staticDepth(plan.stiffness, plan.exponent, load) : impactDepth(plan, mass, 1);
  const least = 1e-12 * size;
  const referenceDepth = Math.max(atRest, least);
  const stiffness = slope(plan, referenceDepth);
  const floor = gravity > 0 ? floorSpeed(x, plan.exponent, referenceDepth, gravity) : 1e-6;
  const damping = { effectiveMass: mass, dampingFactor: x, floorSpeed: floor };
  const frictionStiffness =
    typeof options.frictionLaw === 'object' && options.frictionLaw.kind === 'bristle'
      ? options.frictionLaw.stiffness
      : undefined;
  const stribeckSpeed =
    (typeof options.frictionLaw === 'object' && options.frictionLaw.kind === 'bristle'
      ? options.frictionLaw.stribeckSpeed
      : undefined) ?? defaultStribeckSpeed(gravity);
  const frictionUsed = frictionLaw(options, properties, stribeckSpeed);
  const restitutionUse = restitutionOf(options.normalLaw);
  const used = (what: Guessed): boolean => (what === 'friction' ? frictionUsed.kind : restitutionUse) !== 'none';

  return {
    normal: normalLaw(chosen, plan, modulus, damping, properties, facts),
    friction: frictionUsed,
    stribeckSpeed: properties.staticFriction > properties.kineticFriction ? stribeckSpeed : Number.POSITIVE_INFINITY,
    tangential:
      frictionStiffness !== undefined
        ? constantStiffness(frictionStiffness)
        : tangentialStiffness(plan, ratio, modulus, radius, referenceDepth, facts),
    dampingRatio:
      (typeof options.frictionLaw === 'object' && options.frictionLaw.kind === 'bristle'
        ? options.frictionLaw.dampingRatio
        : undefined) ?? bristleDampingRatio(properties.restitution),
    pressure: options.pressure ?? (curvature > 0 ? 'hertz' : 'automatic'),
    torsion: options.torsion ?? 'patch',
    torsionRadius: options.torsionRadius ?? 0,
    rolling:
      properties.rollingFriction > 0
        ? {
            coefficient: properties.rollingFriction,
            radius: Number.isFinite(radius) ? radius : facts.rollingRadius,
            stiffness: lost?.stiffness ?? rollingStiffness(stiffness, properties.rollingFriction),
          }
        : undefined,
    unresistedRolling: properties.rollingFriction > 0 ? 0 : (byMaterials?.coefficient ?? 0),
    states: regionStates(frictionUsed, properties.rollingFriction > 0),
    depthMeasure: typeof chosen === 'object' && chosen.kind === 'elmqvist' ? chosen.depth : 'volume',
    properties,
    reducedModulus: modulus,
    real: share < 1 ? realStiffness(realPlan, realModulus, mass, load) : undefined,
    effectiveRadius: radius,
    rollingRadius: facts.rollingRadius,
    referenceDepth,
    depthLimits: limits,
    stiffness,
    depthOf: plan.of,
    exponent: plan.exponent,
    contactTime: contactTime(plan, mass, 1),
    floorSpeed: floor,
    guessed: properties.guessed.filter(used),
    unknown: properties.unknown.filter(used),
    restitution: restitutionUse,
    assumed,
  };
}

/**
 * ζ of the bristle. What loses energy in a blow loses it along the plane as along the normal: the damper is the one that would give the restitution e along the normal,
 * d = 2 ζ_n √(5/6) √(k m) in both directions (Tsuji, Tanaka & Ishida, Powder Technol. 71 (1992), 239–250), m the mass felt along the normal. By the mass that a ball feels
 * along the plane, 2/7 m, this is ζ = √(5/6) √(7/2) ζ_n: 0.01 at e = 0.98, 0.06 at 0.9, 0.43 at 0.5, 1 at 0.25. An impact that sticks springs back along the plane, the less
 * the more the blow loses. At least 0.01, for a bristle to be smooth.
 */
const bristleDampingRatio = (e: number): number =>
  Math.max(0.01, BALL_SHARE * damperRatio(Math.max(LEAST_RESTITUTION, e), 3 / BALL_SHARE));
const BALL_SHARE = Math.sqrt((5 / 6) * (7 / 2));

/** Resistance against rolling by what the materials lose, at the depth they have under the load; none where nothing rolls */
function hysteresis(
  plan: ElasticPlan,
  modulus: number,
  radius: number,
  load: number,
  { restitution }: PairProperties,
  { rollingRadius, roller = false, length, effectiveMass }: PairFacts,
): { readonly coefficient: number; readonly stiffness: number } | undefined {
  const ball = Number.isFinite(radius);
  if ((!ball && !roller) || !(restitution < 1)) return undefined;
  const force = load > 0 ? load : effectiveMass; // without weight: what the body would have at 1 m/s²
  const halfWidth = ball
    ? Math.sqrt(radius * staticDepth(plan.stiffness, plan.exponent, force))
    : Math.sqrt((4 * force * rollingRadius) / (Math.PI * modulus * length));
  const coefficient = hysteresisFriction({
    restitution,
    halfWidth,
    radius: ball ? radius : rollingRadius,
    line: !ball,
  });
  return { coefficient, stiffness: (coefficient * force) / halfWidth };
}

/** A depth is wanted, and the stiffness is that of the materials: what the user gives, and the laws of the papers, stay as they are. */
export const isSoftened = ({ depth, reducedModulus: given, normalLaw: law }: PairOptions): boolean =>
  depth !== undefined && given === undefined && (law === undefined || typeof law === 'string');

function realStiffness(plan: ElasticPlan, modulus: number, mass: number, load: number): RealStiffness {
  const depth = staticDepth(plan.stiffness, plan.exponent, load);
  return { reducedModulus: modulus, depth, stiffness: slope(plan, depth), contactTime: contactTime(plan, mass, 1) };
}

/** What becomes of the restitution of the pair */
const restitutionOf = (law: NormalLawOptions | undefined): PairLaw['restitution'] => {
  if (law === undefined || typeof law === 'string') return 'kept';
  if (typeof law === 'function') return 'none';
  if (law.kind === 'power' || law.kind === 'foundation') return 'kept';
  return law.kind === 'buse' ? 'nominal' : 'none';
};

/** The stiffness of the materials enters the law. */
const usesModulus = (law: NormalLawOptions | undefined): boolean =>
  law === undefined ||
  typeof law === 'string' ||
  (typeof law === 'object' && (law.kind === 'elmqvist' || (law.kind === 'buse' && law.stiffness === undefined)));

/** R of Hertz, L of a bed, m; Infinity where the user gives the stiffness */
const elasticLength = (law: NormalLawOptions, given: boolean, radius: number, side: number): number =>
  typeof law === 'string' ? (Number.isFinite(radius) ? radius : side) : given ? Number.POSITIVE_INFINITY : side;

/** One of four corners carries a quarter of what the face would. */
const defaultLaw = (modulus: number, { curvature, patches, length }: PairFacts): NormalLawOptions =>
  curvature > 0
    ? 'hertz'
    : patches
      ? { kind: 'foundation', modulus: (OVERLAP * modulus) / length }
      : { kind: 'power', stiffness: 0.25 * OVERLAP * modulus * length, exponent: 1 };

function normalLaw(
  law: NormalLawOptions,
  plan: ElasticPlan,
  modulus: number,
  damping: { readonly effectiveMass: number; readonly dampingFactor: number; readonly floorSpeed: number },
  { restitution }: PairProperties,
  { name, patches, curvature }: PairFacts,
): NormalLaw {
  if (typeof law === 'function') return ownNormalLaw(name, law);
  if (law === 'hertz' && plan.of === 'depth') return powerLaw({ ...plan, ...damping });
  if (law === 'hertz' || law === 'overlap-volume')
    return patches
      ? overlapVolumeLaw({ reducedModulus: modulus, growth: curvature > 0 ? 1 : 0, ...damping })
      : powerLaw({ ...plan, ...damping });
  switch (law.kind) {
    case 'power':
      return powerLaw({ ...plan, ...damping });
    case 'foundation':
      return foundationLaw({ modulus: law.modulus, growth: 0, ...damping });
    case 'elmqvist':
      return linearlyDampedVolumeLaw({ reducedModulus: modulus, damping: law.damping });
    case 'buse':
      return floresLankaraniLaw({
        stiffness: plan.stiffness,
        nominalRestitution: Math.max(LEAST_RESTITUTION, restitution),
        impactSpeed: law.impactSpeed,
      });
    case 'oestersoetebier':
      return powerDamperLaw(law);
    case 'hofmann':
      return clippedDamperLaw(law);
  }
}

/**
 * v_s where the user gives none, m/s. A block that breaks away gets going the later the greater v_s is: on a belt of 0.05 m/s the period of stick and slip is 2 % too long
 * at 1e-3 m/s and 0.2 % at 3e-5 m/s. What is stretched while it holds does not weaken, however fast (`held` of contact-law.ts).
 */
const defaultStribeckSpeed = (gravity: number): number => (gravity > 0 ? 3e-5 : 1e-4);

function frictionLaw(
  { frictionLaw: law = 'bristle' }: PairDefaults,
  properties: PairProperties,
  stribeckSpeed: number,
): FrictionLaw {
  const { staticFriction, kineticFriction } = properties;
  if (law === 'none' || !(staticFriction > 0)) return { kind: 'none' };
  const both = { staticFriction, kineticFriction };
  const curve = (of: FrictionCurve, cap?: number): FrictionLaw => ({
    kind: 'curve',
    curve: of,
    ...(cap !== undefined && { cap }),
  });
  if (law === 'bristle' || law.kind === 'bristle') {
    const viscous = law === 'bristle' ? 0 : law.viscous;
    const plain = staticFriction === kineticFriction && viscous === 0;
    // stiffness and damping come with each region
    return {
      kind: 'bristle',
      stiffness: 1,
      damping: 1,
      coefficient: plain ? kineticFriction : stribeckCurve({ ...both, stribeckSpeed, viscous }),
    };
  }
  switch (law.kind) {
    case 'elmqvist':
      return curve(transitionCurve({ ...both, transitionSpeed: law.speed }));
    case 'tanh':
      return curve(tanhCurve(kineticFriction, law.deadBand));
    case 'bengisu-akay':
      return curve(bengisuAkayCurve({ ...both, peakSpeed: law.peakSpeed, decay: law.decay }));
    case 'makkar':
      return curve(
        makkarCurve({ ...both, staticSpeed: law.staticSpeed, viscousSpeed: law.viscousSpeed, viscous: law.viscous }),
      );
    case 'two-level':
      return curve(smoothTwoLevelCurve({ ...both, limitSpeed: law.limitSpeed }), law.cap);
  }
}

function tangentialStiffness(
  plan: ElasticPlan,
  ratio: number,
  modulus: number,
  radius: number,
  depth: number,
  { size, length: side }: PairFacts,
): TangentialStiffness {
  const none = { areaPower: 0, areaFloor: 0, depthPower: 0, depthFloor: 0 } as const;
  if (plan.of === 'overlap') {
    // of the smallest patch that is worth a stiffness: what the depth at rest makes of it
    const areaFloor = Number.isFinite(radius) ? 2e-2 * Math.PI * radius * depth : 1e-8 * size * size;
    return {
      ...none,
      coefficient: ratio * modulus * Math.sqrt(2 / Math.PI),
      areaPower: 0.5,
      areaFloor,
    };
  }
  if (plan.of === 'bed')
    return {
      ...none,
      coefficient: (ratio * 2 * plan.stiffness) / (side * side),
      areaPower: 1,
      areaFloor: 1e-8 * size * size,
    };
  if (plan.exponent === 1.5)
    return { ...none, coefficient: 1.5 * ratio * plan.stiffness, depthPower: 0.5, depthFloor: 1e-3 * depth };
  return constantStiffness(0.8 * slope(plan, depth));
}

const constantStiffness = (coefficient: number): TangentialStiffness => ({
  coefficient,
  areaPower: 0,
  areaFloor: 0,
  depthPower: 0,
  depthFloor: 0,
});
