/**
 * Contact as the user writes it. Nothing needs to be written: every shape touches every other, with the laws that suit the shapes and the
 * numbers of the materials. What is written here says otherwise: who touches whom, the numbers of a pair, another law.
 */

import { ModelError } from '../errors.js';
import { nameOf, notNegative, orientation, positive, shown, userFunction, vector } from './schema.js';
import * as z from './schema-kinds.js';

// ---- normal laws --------------------------------------------------------------------------------------------------------------

/** What a normal law of the user's own is told of a contact region. */
export interface RegionMeasures {
  /** Penetration depth, m */
  readonly depth: number;
  /** Positive while the bodies close in, m/s */
  readonly approachSpeed: number;
  /** Of the overlap, m³; 0 for contacts in points */
  readonly volume: number;
  /** Of the patch, projected along the normal, m²; 0 for contacts in points */
  readonly area: number;
}

const stiffness = positive('a stiffness', 'N/mⁿ, n the exponent');
const exponent = positive('an exponent', '');

export const normalSchema = z.union(
  [
    z.enum(['hertz', 'overlap-volume']),
    /** k dⁿ with the pair's restitution, whatever the shapes */
    z.strictObject({ kind: z.literal('power'), stiffness, exponent: exponent.default(1) }),
    /** K V with the pair's restitution: a bed of springs */
    z.strictObject({ kind: z.literal('foundation'), modulus: positive('a foundation modulus', 'N/m³') }),
    /** E* k √(V d)(1 + c v), Elmqvist et al. (2015), §6.1–6.2.1 */
    z.strictObject({
      kind: z.literal('elmqvist'),
      damping: notNegative('a damping', 's/m'),
      depth: z.enum(['extent', 'volume']).default('extent'),
    }),
    /** Buse et al. (2023), eqs 1–3: k δ^1.5 (1 + d δ') */
    z.strictObject({
      kind: z.literal('buse'),
      stiffness: stiffness.optional(),
      impactSpeed: positive('an impact speed', 'm/s').default(1),
    }),
    /** Oestersötebier et al. (2014), eq. 8: c pⁿ + d pᵐ p' */
    z.strictObject({
      kind: z.literal('oestersoetebier'),
      stiffness,
      exponent: exponent.default(1),
      damping: notNegative('a damping', 'N s/mᵐ⁺¹').default(0),
      dampingExponent: notNegative('an exponent', '').default(1),
    }),
    /** Hofmann et al. (2014), eqs 2–5: K δⁿ with a damper clipped to it */
    z.strictObject({
      kind: z.literal('hofmann'),
      stiffness,
      exponent: exponent.default(1.5),
      damping: notNegative('a damping', 'N s/m').default(0),
    }),
    userFunction<(region: RegionMeasures) => number>(
      'a function of { depth, approachSpeed, volume, area } to a force in N',
    ),
  ],
  {
    error: ({ input }) =>
      `expected 'hertz', 'overlap-volume', { kind: 'power' | 'foundation' | 'elmqvist' | 'buse' | 'oestersoetebier' | 'hofmann', … } or a function, got ${shown(input)}`,
  },
);

// ---- friction laws ------------------------------------------------------------------------------------------------------------

export const frictionLawSchema = z.union(
  [
    z.enum(['bristle', 'none']),
    z.strictObject({
      kind: z.literal('bristle'),
      /** From the normal stiffness and the materials unless given */
      stiffness: positive('a tangential stiffness', 'N/m').optional(),
      /** Damping ratio of the bristle; unless given the one whose damper gives the restitution along the normal, from 0.01 at e = 0.98 to 0.43 at 0.5 and 3 at most */
      dampingRatio: positive('a damping ratio', '').optional(),
      /** Over which friction falls from static to kinetic; 0.04 √(g d), d the depth at rest, from 3e-5 to 1e-3 m/s, unless given */
      stribeckSpeed: positive('a speed', 'm/s').optional(),
      viscous: notNegative('a viscous gradient', 's/m').default(0),
    }),
    /** Elmqvist et al. (2015), §6.2.2 */
    z.strictObject({ kind: z.literal('elmqvist'), speed: positive('a speed', 'm/s').default(1e-3) }),
    /** Buse et al. (2023), eq. 4 */
    z.strictObject({ kind: z.literal('tanh'), deadBand: positive('a speed', 'm/s').default(1e-3) }),
    /** Buse et al. (2023), eq. 5 */
    z.strictObject({
      kind: z.literal('bengisu-akay'),
      peakSpeed: positive('a speed', 'm/s').default(1e-3),
      decay: positive('a decay', 's/m').default(1e3),
    }),
    /** Oestersötebier et al. (2014), eq. 9 */
    z.strictObject({
      kind: z.literal('makkar'),
      staticSpeed: positive('a speed', 'm/s').default(2e-3),
      viscousSpeed: positive('a speed', 'm/s').default(1e-2),
      viscous: notNegative('a viscous gradient', 's/m').default(0),
    }),
    /** Hofmann et al. (2014), eqs 10–13 */
    z.strictObject({
      kind: z.literal('two-level'),
      limitSpeed: positive('a speed', 'm/s').default(1e-2),
      cap: positive('a force', 'N').optional(),
    }),
  ],
  {
    error: ({ input }) =>
      `expected 'bristle', 'none' or { kind: 'bristle' | 'elmqvist' | 'tanh' | 'bengisu-akay' | 'makkar' | 'two-level', … }, got ${shown(input)}`,
  },
);

/** Torque about the normal beside that of the friction law. */
export const torsionSchema = z.union(
  [
    /**
     * Friction integrated over the patch, or the ellipsoid that stands for it in Leine & Glocker (2003); none for contacts in points
     * unless `torsionRadius` is given
     */
    z.enum(['patch', 'ellipsoid', 'none']),
    /** Elmqvist et al. (2015), §6.2.3: −A F c ω */
    z.strictObject({ kind: z.literal('elmqvist'), constant: positive('a constant', 's/m') }),
    /** Buse et al. (2023), eq. 6; dead band of its tanh */
    z.strictObject({ kind: z.literal('buse'), deadBand: positive('a speed', 'm/s').default(1e-3) }),
  ],
  {
    error: ({ input }) =>
      `expected 'patch', 'ellipsoid', 'none' or { kind: 'elmqvist' | 'buse', … }, got ${shown(input)}`,
  },
);

// ---- pairs --------------------------------------------------------------------------------------------------------------------

const coefficient = (what: string) => notNegative(`a coefficient of ${what}`, '');

const pairShape = {
  /** Both coefficients at once */
  friction: coefficient('friction').optional(),
  staticFriction: coefficient('friction').optional(),
  kineticFriction: coefficient('friction').optional(),
  restitution: coefficient('restitution')
    .max(1, { error: ({ input }) => `expected a coefficient of restitution from 0 to 1, got ${shown(input)}` })
    .optional(),
  /** 'hysteresis': what the materials lose as they are pressed and let go, from restitution and depth */
  rollingFriction: z.union([z.literal('hysteresis'), coefficient('rolling friction')]).optional(),
  /** Reduced modulus E* in place of that of the two materials */
  reducedModulus: positive('a reduced modulus', 'Pa').optional(),
  normalLaw: normalSchema.optional(),
  frictionLaw: frictionLawSchema.optional(),
  torsion: torsionSchema.optional(),
  /** Radius of the circle of contact for the torque about the normal: of a contact in a point, or in place of the patch that is found */
  torsionRadius: notNegative('a radius', 'm').optional(),
  pressure: z.enum(['automatic', 'uniform', 'hertz']).optional(),
  /** How the overlap is found: by what suits the shapes, or by the deepest points of convex shapes */
  search: z.enum(['automatic', 'overlap', 'points']).optional(),
  /**
   * Of flexible bodies in the plane: how the force comes to the nodes of the mesh. 'consistent' unless said: by the shape functions of the sides;
   * 'elmqvist': by penetration and distance from the centre, Elmqvist et al. (2015), §9.3
   */
  nodalForces: z.enum(['consistent', 'elmqvist']).optional(),
  /** False: they pass through each other. */
  touch: z.boolean().optional(),
};

const twoBodies = z
  .tuple([nameOf('a body'), nameOf('a body')], {
    error: ({ input }) => `expected the names of two bodies such as ['ball', 'floor'], got ${shown(input)}`,
  })
  .readonly();

const depthError = {
  error: ({ input }: { input?: unknown }) =>
    `expected a depth at rest as a part of the smaller body's size, > 0 and at most 0.01 (1e-4 is a good one), got ${shown(input)}`,
};
/** Depth under the weight, as a part of the smaller body's size: the pair is made softer, never harder, until it rests so deep. */
const depth = z.number(depthError).gt(0, depthError).max(0.01, depthError).optional();

export const pairSchema = z.strictObject({ between: twoBodies, ...pairShape, depth }).readonly();
export type ContactPair = z.output<typeof pairSchema>;
const pairDefaultsSchema = z.strictObject(pairShape).readonly();
export type PairDefaults = z.output<typeof pairDefaultsSchema>;
/** All that is said of one pair */
export type PairOptions = Omit<ContactPair, 'between'>;
export type NormalLawOptions = z.output<typeof normalSchema>;
export type FrictionLawOptions = z.output<typeof frictionLawSchema>;
export type TorsionOptions = z.output<typeof torsionSchema>;

export const contactsSchema = z.union(
  [
    z.literal(false),
    z
      .strictObject({
        /** For all pairs */
        defaults: pairDefaultsSchema.optional(),
        /** For some; what comes later overrides what came before. */
        pairs: z.array(pairSchema).readonly().optional(),
        /** Bodies that pass through each other */
        exclude: z.array(twoBodies).readonly().optional(),
        /** Bodies that a joint connects and that touch nevertheless; true: all of them */
        joined: z.union([z.boolean(), z.array(twoBodies).readonly()]).optional(),
        /** Of all pairs whose stiffness follows from their materials; the real one unless given */
        depth,
        broadPhase: z.enum(['automatic', 'brute-force', 'morton', 'tree']).optional(),
        /** Of depths, relative to the depth at rest or at impact; 0.01 unless given */
        tolerance: positive('a tolerance', '').optional(),
        /** Pairs whose force, torque, touch and heat are signals of their own; all if there are few */
        sensors: z.array(twoBodies).readonly().optional(),
        /** Every contact region at every recorded time; true unless said */
        records: z.boolean().optional(),
        /** Free bodies that are drawn inside each other or inside others are moved apart before the start, along the contact normal; false unless said */
        resolve: z.boolean().optional(),
      })
      .readonly(),
  ],
  { error: ({ input }) => `expected { pairs, exclude, … } or false for no contact at all, got ${shown(input)}` },
);
export type Contacts = Exclude<z.output<typeof contactsSchema>, false>;
export type ContactsOptions = z.input<typeof contactsSchema>;

// ---- what a body says ---------------------------------------------------------------------------------------------------------

const groups = z.union([z.string(), z.array(z.string()).readonly()]);

/** Idealized surfaces, Oestersötebier et al. (2014): contact at analytic points. */
const place = { position: vector('a position', 'm').optional(), orientation: orientation.optional() };
export const surfaceSchema = z.union(
  [
    z.strictObject({ kind: z.literal('sphere'), radius: positive('a radius', 'm'), ...place }).readonly(),
    /** About z, from −length/2 to length/2 */
    z
      .strictObject({
        kind: z.literal('cylinder'),
        radius: positive('a radius', 'm'),
        length: positive('a length', 'm'),
        ...place,
      })
      .readonly(),
    /** In the xy plane, facing +z; without width and length a plane */
    z
      .strictObject({
        kind: z.literal('rectangle'),
        width: positive('a width', 'm').optional(),
        length: positive('a length', 'm').optional(),
        ...place,
      })
      .readonly(),
    /** In the xy plane, facing +z */
    z.strictObject({ kind: z.literal('circle'), radius: positive('a radius', 'm'), ...place }).readonly(),
    z
      .strictObject({
        kind: z.literal('points'),
        points: z
          .array(vector('a point', 'm'))
          .min(1, { error: () => 'expected at least one point' })
          .readonly(),
        ...place,
      })
      .readonly(),
  ],
  {
    error: ({ input }) =>
      `expected { kind: 'sphere' | 'cylinder' | 'rectangle' | 'circle' | 'points', … }, got ${shown(input)}`,
  },
);
export type Surface = z.output<typeof surfaceSchema>;

export const bodyContactSchema = z.union(
  [
    z.literal(false),
    z
      .strictObject({
        /** Groups the body is in; 'default' unless given */
        group: groups.optional(),
        /** Groups it touches; all unless given */
        touches: groups.optional(),
        /** Idealized surfaces in place of the shape */
        surfaces: z.array(surfaceSchema).readonly().optional(),
        /** Those of O's library: the law along the axes of the surface in place of the normal */
        perAxis: z.boolean().optional(),
        /** Of the layer behind a surface: what is deeper does not touch; half the smaller side of a face unless given */
        thickness: positive('a thickness', 'm').optional(),
        /** Spheres and points touch the edges of faces; true unless given. False where faces of one body share edges */
        edges: z.boolean().optional(),
      })
      .readonly(),
  ],
  { error: ({ input }) => `expected { group, touches, surfaces } or false, got ${shown(input)}` },
);

export type BodyContactOptions = z.input<typeof bodyContactSchema>;

/** The greatest number of groups: they are bits. */
const MOST_GROUPS = 31;

/** Bits of named groups, in the order of their first mention. */
export class GroupBits {
  private readonly names: string[] = ['default'];

  of(given: string | readonly string[] | undefined, path: string): number {
    let bits = 0;
    for (const name of given === undefined ? ['default'] : [given].flat()) {
      let index = this.names.indexOf(name);
      if (index < 0) index = this.names.push(name) - 1;
      if (index >= MOST_GROUPS)
        throw new ModelError(path, `expected at most ${MOST_GROUPS} groups, got "${name}" as one more`);
      bits |= 1 << index;
    }
    return bits;
  }
}

/** `rack` names all of rack[0], rack[1], …; `*` names every body. */
export const namesBody = (pattern: string, body: string): boolean =>
  pattern === '*' || pattern === body || (body.startsWith(pattern) && body.charCodeAt(pattern.length) === 91); // [

/** What is written for two bodies: for all, then in every pair that names them, later ones last. */
export function pairOptions({ defaults = {}, depth, pairs = [] }: Contacts, a: string, b: string): PairOptions {
  let options: PairOptions = depth === undefined ? defaults : { ...defaults, depth };
  for (const { between, ...given } of pairs)
    if (
      (namesBody(between[0], a) && namesBody(between[1], b)) ||
      (namesBody(between[0], b) && namesBody(between[1], a))
    )
      options = { ...options, ...withoutUndefined(given) };
  return options;
}

const withoutUndefined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
