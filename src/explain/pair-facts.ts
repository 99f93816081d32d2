/** What the numbers of one pair of shapes mean: route, elasticity, depth, times, damping, friction, and where they come from. */
import type { ContactShape, System } from '../assembly/system.js';
import type { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';
import { inSeries } from '../contact-laws/combination.js';
import { noNormalForce } from '../contact-laws/normal/normal-law.js';
import { dampingFactor } from '../contact-laws/normal/restitution.js';
import { isSoftened, type PairLaw, type RealStiffness } from '../contact-laws/pair-law.js';
import { meshBounds } from '../geometry/triangle-mesh.js';
import { norm, sub } from '../math/vec3.js';
import type { FrictionLawOptions, PairOptions } from '../model/contacts.js';
import { SOFT } from '../time-stepping/step-pair.js';

/** A constant of a law, e.g. k = 2.1e9 N/m^1.5 */
export interface Constant {
  readonly symbol: string;
  readonly value: number;
  readonly unit: string;
}

export interface PairFacts {
  /** How the overlap is found, and whether it has area and volume or is points with a depth */
  readonly route: string;
  readonly contactsAre: 'patches' | 'points';
  /** One of the two is not convex and may lead the other along a hole, a groove, a corner */
  readonly hollow: boolean;
  readonly materials: readonly [string, string];
  /** E*, Pa; as it acts */
  readonly reducedModulus: number;
  /** The depth at rest that the user wants, as a part of the smaller shape; null where none is */
  readonly wantedDepth: number | null;
  /** What became of it: the pair is softer than its materials, rests so deep as it is, or has a stiffness that is given; null where none is wanted */
  readonly softened: 'softer' | 'soft enough' | 'given' | null;
  /** What the materials have; null unless the pair is softer */
  readonly real: RealStiffness | null;
  /** R, m; null where the shapes have none in common */
  readonly effectiveRadius: number | null;
  /** kg */
  readonly effectiveMass: number;
  readonly normalLaw: { readonly name: string; readonly formula: string; readonly constants: readonly Constant[] };
  /** m, at rest under the weight of the effective mass, or at the deepest of an impact of 1 m/s where nothing weighs */
  readonly depth: number;
  readonly depthAt: 'rest' | 'impact of 1 m/s';
  /** `depth` as a part of the smaller of the two shapes */
  readonly depthShare: number;
  /** dN/dd at `depth`, N/m */
  readonly stiffness: number;
  /** s, of an impact at 1 m/s */
  readonly contactTime: number;
  /** null where the law does not know one: its damping is its own */
  readonly restitution: number | null;
  /** x of the law that keeps the restitution, see docs/theory/contact-laws.md; null for other laws */
  readonly dampingFactor: number | null;
  /** m/s: slower impacts bounce more than `restitution` says */
  readonly floorSpeed: number | null;
  readonly friction: {
    readonly law: string;
    readonly static: number;
    readonly kinetic: number;
    readonly rolling: number;
    /** Of the bristle; null for laws without one */
    readonly dampingRatio: number | null;
  };
  readonly torsion: string;
  /** Where friction and restitution come from, and which of them are a guess */
  readonly origin: string;
  readonly guessed: readonly ('friction' | 'restitution')[];
  /** Materials, or shapes without one that has a name, whose stiffness is not known: that of a hard polymer was taken */
  readonly assumedStiffness: readonly string[];
  /** s, for integrators of fixed step: a twentieth of the shorter of contact time and half period at rest */
  readonly fixedStep: number;
  /** What 'time-stepping' makes of the pair at the model's step, and how deep it rests then under the effective mass, m; null for other integrators */
  readonly stepping: {
    readonly step: number;
    readonly regime: 'rigid' | 'own law';
    /** h² k w: above 0.1 the materials are too stiff for the step */
    readonly stiffness: number;
    readonly depth: number;
  } | null;
}

/** Pairs of one kind. */
export interface PairKind {
  /** Bodies of the one and the other side; one list where both are the same */
  readonly between: readonly [readonly string[], readonly string[]];
  /** Pairs of shapes */
  readonly count: number;
  /** Shapes of one such pair */
  readonly example: readonly [string, string];
  /** null where no route takes the two */
  readonly facts: PairFacts | null;
  /** Why not */
  readonly refused: string | null;
}

/** Steps per contact for a fixed-step method: 20 leave about 1 % of the impact's energy with Verlet. */
const STEPS_PER_CONTACT = 20;

/** @throws ModelError where no route takes the two shapes */
export function pairFacts(
  contacts: ContactSystem,
  system: System,
  i: number,
  j: number,
  asked: { readonly step?: number | undefined; readonly rigidity?: number | undefined } = {},
): PairFacts {
  const pair = contacts.pairOf(i, j);
  const { law, route } = pair;
  const [a, b] = [contacts.shapes[route.a], contacts.shapes[route.b]];
  const options = system.contacts!.pairOptions(a.body, b.body);
  const effectiveMass = inSeries(system.bodies[a.body].mass, system.bodies[b.body].mass);
  const keeps = law.restitution === 'kept';
  const { staticFriction, kineticFriction, rollingFriction, restitution, origin } = law.properties;
  const frictionName = staticFriction > 0 ? nameOfFriction(options.frictionLaw) : 'none';
  const halfPeriod = Math.PI * Math.sqrt(effectiveMass / law.stiffness);
  const ownDamping = law.restitution === 'none';
  const matters = (what: 'friction' | 'restitution'): boolean =>
    what === 'friction' ? frictionName !== 'none' : !ownDamping;
  return {
    route: route.name,
    contactsAre: route.patches ? 'patches' : 'points',
    hollow: contacts.shapeFacts.isHollow(i) || contacts.shapeFacts.isHollow(j),
    materials: [materialName(contacts.shapes[i]), materialName(contacts.shapes[j])],
    reducedModulus: law.reducedModulus,
    wantedDepth: options.depth ?? null,
    softened: options.depth === undefined ? null : law.real ? 'softer' : isSoftened(options) ? 'soft enough' : 'given',
    real: law.real ?? null,
    effectiveRadius: Number.isFinite(law.effectiveRadius) ? law.effectiveRadius : null,
    effectiveMass,
    normalLaw: normalFacts(options, pair),
    depth: law.referenceDepth,
    depthAt: weighs(system) ? 'rest' : 'impact of 1 m/s',
    depthShare: law.referenceDepth / Math.min(sizeOf(a), sizeOf(b)),
    stiffness: law.stiffness,
    contactTime: law.contactTime,
    restitution: ownDamping ? null : restitution,
    dampingFactor: keeps ? dampingFactor(Math.max(5e-4, restitution)) : null,
    floorSpeed: keeps ? law.floorSpeed : null,
    friction: {
      law: frictionName,
      static: staticFriction,
      kinetic: kineticFriction,
      rolling: rollingFriction,
      dampingRatio: frictionName === 'bristle' ? law.dampingRatio : null,
    },
    torsion: typeof law.torsion === 'string' ? law.torsion : law.torsion.kind,
    origin: origin
      .replaceAll("; give the pair's own to be sure", '')
      .split('; ')
      .filter((part) => matters(part.startsWith('friction') ? 'friction' : 'restitution'))
      .join('; '),
    guessed: law.guessed,
    assumedStiffness: law.assumed.map((name) => (name === 'first' ? a.name : name === 'second' ? b.name : name)),
    fixedStep: Math.min(law.contactTime, halfPeriod) / STEPS_PER_CONTACT,
    stepping: asked.step === undefined ? null : steppingFacts(law, effectiveMass, asked.step, asked.rigidity ?? 1000),
  };
}

/** The regime that src/time-stepping/step-contacts.ts takes for a central contact, and its depth at rest h² g/κ or that of the law */
function steppingFacts(law: PairLaw, mass: number, step: number, rigidity: number): NonNullable<PairFacts['stepping']> {
  const face = law.depthOf === 'depth' || law.exponent !== 1 ? 1 : 2; // d = 2V/A
  const stiffness = (face * step * step * law.stiffness) / mass;
  const soft = stiffness < SOFT && (law.exponent === 1 || law.exponent === 1.5);
  const depth = soft ? law.referenceDepth / face : (step * step * 9.81) / rigidity;
  return { step, regime: soft ? 'own law' : 'rigid', stiffness, depth };
}

const materialName = ({ material }: ContactShape): string =>
  material ? (material.name ?? 'a material without a name') : 'no material';

const weighs = ({ gravity }: System): boolean => gravity.kind === 'uniform' && norm(gravity.acceleration) > 0;

/** Diagonal of the box around a shape, m */
export function sizeOf({ solid, surface }: ContactShape): number {
  if (solid?.form.kind === 'halfSpace') return Number.POSITIVE_INFINITY;
  if (surface) {
    if (surface.kind === 'sphere' || surface.kind === 'circle') return 2 * Math.sqrt(3) * surface.radius;
    if (surface.kind === 'cylinder') return norm([2 * surface.radius, 2 * surface.radius, surface.length]);
    if (surface.kind === 'points') return 2 * Math.max(0, ...surface.points.map(norm));
    return norm([surface.width ?? Number.POSITIVE_INFINITY, surface.length ?? Number.POSITIVE_INFINITY, 0]);
  }
  const { min, max } = meshBounds(solid!.mesh);
  return norm(sub(max, min));
}

const nameOfFriction = (law: FrictionLawOptions | undefined): string =>
  law === undefined ? 'bristle' : typeof law === 'string' ? law : law.kind;

/** Name, formula and constants of the normal law as it acts; constants are what it gives for depth or volume 1. */
function normalFacts(options: PairOptions, { law }: ContactPair): PairFacts['normalLaw'] {
  const { normalLaw: chosen } = options;
  if (typeof chosen === 'function')
    return { name: 'a law of your own (what follows is of the elastic one in its place)', formula: '', constants: [] };
  const n = law.exponent;
  const power = n === 1 ? '' : `^${Number(n.toPrecision(4))}`;
  const dPower = `d${power}`;
  switch (law.normal.name) {
    case 'constant-restitution': {
      const k = { symbol: 'k', value: elasticAtOne(law), unit: `N/m${power}` };
      const hertz = n === 1.5 && (chosen === undefined || chosen === 'hertz');
      return { name: hertz ? 'Hertz' : n === 1 ? 'linear' : 'power', formula: `k ${dPower}`, constants: [k] };
    }
    case 'elastic-foundation':
      return {
        name: 'bed of springs',
        formula: 'K V',
        constants: [{ symbol: 'K', value: elasticAtOne(law), unit: 'N/m³' }],
      };
    case 'overlap-volume':
      return { name: 'overlap volume', formula: '0.752 E* √(V d)', constants: [] };
  }
  const constants: Constant[] = [];
  const add = (symbol: string, value: number, unit: string): void => void constants.push({ symbol, value, unit });
  if (typeof chosen !== 'object') return { name: law.normal.name, formula: '', constants };
  switch (chosen.kind) {
    case 'elmqvist':
      add('c', chosen.damping, 's/m');
      return { name: 'Elmqvist et al. (2015)', formula: `0.752 E* √(V d) (1 + c v), d by ${chosen.depth}`, constants };
    case 'buse':
      add('k', elasticAtOne(law), 'N/m^1.5');
      add('impact speed', chosen.impactSpeed, 'm/s');
      return { name: 'Buse et al. (2023)', formula: 'k d^1.5 (1 + D v)', constants };
    case 'oestersoetebier':
      add('c', chosen.stiffness, `N/m${power}`);
      add('D', chosen.damping, 'N s/mᵐ⁺¹');
      add('m', chosen.dampingExponent, '');
      return { name: 'Oestersötebier et al. (2014)', formula: `c ${dPower} + D dᵐ v`, constants };
    case 'hofmann':
      add('K', chosen.stiffness, `N/m${power}`);
      add('D', chosen.damping, 'N s/m');
      return { name: 'Hofmann et al. (2014)', formula: `K ${dPower} with a damper D v clipped to it`, constants };
    default:
      return { name: chosen.kind, formula: '', constants };
  }
}

function elasticAtOne({ normal }: PairLaw): number {
  const out = noNormalForce();
  normal.evaluate({ depth: 1, volume: 1, area: 1, approachSpeed: 0 }, out);
  return out.elastic;
}
