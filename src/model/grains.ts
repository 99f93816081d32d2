/**
 * Grains in a model: species, packings, inlets and outlets. Walls are the bodies that are there. Grains are not bodies with signals each; they have
 * fields, and what is measured of all of them.
 */

import { ModelError, suggestion } from '../errors.js';
import type { Solid } from '../geometry/solid.js';
import { grainShapeSchema } from './grain-shapes.js';
import { materialSchema } from './materials.js';
import {
  direction,
  nameOf,
  notNegative,
  notNegativeWhole,
  positive,
  positiveWhole,
  real,
  shown,
  vector,
} from './schema.js';
import * as z from './schema-kinds.js';

// ---- sizes --------------------------------------------------------------------------------------------------------------------

const pairOf = (what: string) => z.tuple([positive(what, 'm'), positive(what, 'm')]).readonly();

/** Radii of a species */
export const radiusSchema = z.union(
  [
    positive('a radius', 'm'),
    /** From one radius to the other, equally likely */
    z.strictObject({ uniform: pairOf('a radius') }).readonly(),
    /** Cut at three deviations */
    z
      .strictObject({
        normal: z
          .strictObject({ mean: positive('a radius', 'm'), deviation: positive('a standard deviation', 'm') })
          .readonly(),
      })
      .readonly(),
    /** One of them, by number of grains */
    z
      .strictObject({
        list: z
          .array(positive('a radius', 'm'))
          .min(1, { error: () => 'expected at least one radius in m' })
          .readonly(),
      })
      .readonly(),
    /** Sieve curve: diameters of the openings, m, and the part of the mass that passes, rising from 0 to 1 */
    z
      .strictObject({
        sieve: z
          .array(z.tuple([positive('an opening', 'm'), notNegative('a part of the mass', '')]).readonly())
          .min(2, { error: () => 'expected at least two openings of the sieve curve' })
          .readonly(),
      })
      .readonly(),
  ],
  {
    error: ({ input }) =>
      `expected a radius > 0 m, or { uniform: [least, greatest] }, { normal: { mean, deviation } }, { list } or { sieve }, got ${shown(input)}`,
  },
);
export type GrainRadius = z.output<typeof radiusSchema>;

// ---- laws ---------------------------------------------------------------------------------------------------------------------

const lawShape = {
  restitution: positive('a coefficient of restitution', '')
    .max(1, { error: 'expected a coefficient of restitution ≤ 1' })
    .optional(),
  friction: notNegative('a coefficient of friction', '').optional(),
  /** Tangent of the slope on which a grain just does not roll */
  rollingFriction: notNegative('a coefficient of rolling friction', '').optional(),
  /** Couple about the normal by force × contact radius; 3π/16 of the friction where there is rolling friction */
  twistingFriction: notNegative('a coefficient of twisting friction', '').optional(),
  /** Pull per area of contact: SJKR, of shapes by the area of their overlap */
  cohesion: notNegative('a cohesion', 'Pa').optional(),
  /** JKR: work of adhesion */
  adhesion: notNegative('a work of adhesion', 'J/m²').optional(),
  /** Makes the law linear, for comparison with other codes */
  stiffness: positive('a stiffness', 'N/m').optional(),
  stiffnessRatio: positive('a ratio of stiffnesses', '').optional(),
  /** Of grains that are no balls: pressure per depth; from Young's modulus and size unless given */
  foundation: positive('a foundation modulus', 'N/m³').optional(),
};

export const speciesSchema = z
  .strictObject({
    /** Of a ball; of other shapes the farthest from the centre of mass, to which they are scaled: as drawn unless given */
    radius: radiusSchema.optional(),
    /** A ball unless given */
    shape: grainShapeSchema.optional(),
    material: materialSchema,
    colour: z
      .tuple([real('red', ''), real('green', ''), real('blue', ''), real('opacity', '')])
      .readonly()
      .optional(),
    ...lawShape,
  })
  .readonly();
export type Species = z.output<typeof speciesSchema>;

const twoNames = z
  .tuple([nameOf('a species or a body'), nameOf('a species or a body')], {
    error: ({ input }) => `expected two names such as ['beads', 'drum'], got ${shown(input)}`,
  })
  .readonly();
const grainPairSchema = z.strictObject({ between: twoNames, ...lawShape }).readonly();
export type GrainPair = z.output<typeof grainPairSchema>;

// ---- regions ------------------------------------------------------------------------------------------------------------------

const solid = z.custom<Solid>((value) => typeof value === 'object' && value !== null && 'mesh' in value, {
  error: ({ input }) => `expected a solid such as box([1, 1, 1]), got ${shown(input)}`,
});

/** A part of space */
export const regionSchema = z.union(
  [
    /** Two opposite corners */
    z.strictObject({ box: z.tuple([vector('a corner', 'm'), vector('a corner', 'm')]).readonly() }).readonly(),
    /** From `from`, the centre of one end, along the axis */
    z
      .strictObject({
        cylinder: z
          .strictObject({
            radius: positive('a radius', 'm'),
            height: positive('a height', 'm'),
            from: vector('a position', 'm').optional(),
            axis: direction('an axis').optional(),
          })
          .readonly(),
      })
      .readonly(),
    /** Inside a closed solid, in world coordinates */
    z.strictObject({ inside: solid }).readonly(),
    /** Behind a plane: where (x − through) · normal < 0 */
    z
      .strictObject({
        behind: z.strictObject({ through: vector('a point', 'm'), normal: direction('a normal') }).readonly(),
      })
      .readonly(),
  ],
  {
    error: ({ input }) =>
      `expected { box: [corner, corner] }, { cylinder: { radius, height, from, axis } }, { inside: solid } or { behind: { through, normal } }, got ${shown(input)}`,
  },
);
export type GrainRegion = z.output<typeof regionSchema>;

const motion = {
  velocity: vector('a velocity', 'm/s').optional(),
};

export const packingSchema = z
  .strictObject({
    species: nameOf('a species'),
    region: regionSchema.optional(),
    /** On a lattice; at random, however dense; let sink until they lie; or exactly at `at` */
    arrangement: z.enum(['lattice', 'random', 'poured', 'given']).optional(),
    /** Grains; as many as fit unless given */
    count: positiveWhole('a number of grains').optional(),
    /** Part of the region that grains shall fill */
    fraction: positive('a packing fraction', '').max(1, { error: 'expected a packing fraction ≤ 1' }).optional(),
    /** Between neighbours of a lattice, in diameters of the largest; 1.05 unless given */
    spacing: positive('a spacing', '').optional(),
    /** Shift of each grain from its place on the lattice, in diameters; 0.02 unless given */
    jitter: notNegative('a shift', '').optional(),
    /** Where given: centre; radius, if it is not that of the species; of grains with a shape also the orientation of their principal axes, w x y z, and the number of the form, as tables of runs have them */
    at: z
      .array(
        z
          .array(real('a coordinate', 'm'))
          .min(3)
          .max(9)
          .readonly()
          .refine((row) => [3, 4, 8, 9].includes(row.length), {
            error: ({ input }) =>
              `expected x, y, z and, if wanted, the radius in m, then the orientation w, x, y, z and the number of the form; got ${(input as readonly number[]).length} numbers`,
          }),
      )
      .readonly()
      .optional(),
    /** Of all grains of the packing, w x y z; at random unless given */
    orientation: z
      .tuple([real('w', ''), real('x', ''), real('y', ''), real('z', '')])
      .readonly()
      .optional(),
    ...motion,
  })
  .readonly();
export type Packing = z.output<typeof packingSchema>;

/** Of a lattice unless given: between neighbours and shift of each, in diameters of the largest */
export const LATTICE = { spacing: 1.05, jitter: 0.02 };

export const inletSchema = z
  .strictObject({
    species: nameOf('a species'),
    region: regionSchema,
    /** Grains per second */
    rate: positive('a rate', '1/s'),
    from: notNegative('a time', 's').optional(),
    until: positive('a time', 's').optional(),
    /** At most */
    count: positiveWhole('a number of grains').optional(),
    ...motion,
  })
  .readonly();
export type Inlet = z.output<typeof inletSchema>;

/** Grains whose centre comes here are taken out and counted. */
export const outletSchema = z.strictObject({ region: regionSchema }).readonly();
export type Outlet = z.output<typeof outletSchema>;

const wholeCells = z
  .tuple([positive('a number of cells', ''), positive('a number of cells', ''), positive('a number of cells', '')], {
    error: ({ input }) => `expected three numbers of cells such as [20, 1, 20], got ${shown(input)}`,
  })
  .readonly();

/** What is measured at a place: means over a region, over each cell of a grid, what goes through a plane, or what presses on a wall */
export const probeSchema = z.union(
  [
    z.strictObject({ region: regionSchema }).readonly(),
    z
      .strictObject({
        grid: z
          .strictObject({
            box: z.tuple([vector('a corner', 'm'), vector('a corner', 'm')]).readonly(),
            cells: wholeCells,
          })
          .readonly(),
      })
      .readonly(),
    z
      .strictObject({
        plane: z
          .strictObject({
            through: vector('a point', 'm'),
            normal: direction('a normal'),
            /** Of a disc about the point; all of the plane unless given */
            radius: positive('a radius', 'm').optional(),
          })
          .readonly(),
      })
      .readonly(),
    z
      .strictObject({
        wall: nameOf('a body'),
        /** The part of the wall, in the world; all of it unless given */
        region: regionSchema.optional(),
        /** Of that part; that of its mesh unless given */
        area: positive('an area', 'm²').optional(),
      })
      .readonly(),
  ],
  {
    error: ({ input }) =>
      `expected { region }, { grid: { box, cells } }, { plane: { through, normal } } or { wall: 'silo', region }, got ${shown(input)}`,
  },
);
export type GrainProbe = z.output<typeof probeSchema>;

/** A wall of a body that is exactly round: a profile turned about an axis, in the body's frame, in place of its mesh */
export const roundWallSchema = z
  .strictObject({
    /** Points (distance from the axis, height along it), m; grains are on the left of its direction, seen with the distance to the right */
    profile: z
      .array(z.tuple([notNegative('a distance from the axis', 'm'), real('a height', 'm')]).readonly())
      .min(2, { error: () => 'expected at least two points of the profile' })
      .readonly(),
    closed: z.boolean().optional(),
    origin: vector('a position', 'm').optional(),
    axis: direction('an axis').optional(),
  })
  .readonly();

export type RoundWall = z.output<typeof roundWallSchema>;

const period = z.tuple([real('a coordinate', 'm'), real('a coordinate', 'm')]).readonly();

export const grainsSchema = z
  .strictObject({
    species: z.record(z.string(), speciesSchema),
    packings: z.record(z.string(), packingSchema).optional(),
    inlets: z.record(z.string(), inletSchema).optional(),
    outlets: z.record(z.string(), outletSchema).optional(),
    /** Laws of pairs of species, or of a species and a body; later ones override earlier ones, `*` is everything */
    pairs: z.array(grainPairSchema).readonly().optional(),
    /** By name of a body */
    roundWalls: z.record(z.string(), roundWallSchema).optional(),
    /** From … to along an axis: what leaves on one side comes in on the other */
    periodic: z
      .strictObject({ x: period.optional(), y: period.optional(), z: period.optional() })
      .readonly()
      .optional(),
    /** What is measured, by name */
    probes: z.record(z.string(), probeSchema).optional(),
    /** Whether contacts between grains are kept beside the grains, for drawing how forces go through them */
    contacts: z.boolean().optional(),
    /** Step of the grains; told by their contacts unless given */
    step: positive('a time', 's').optional(),
    /** Fastest impact that is expected; told by heights and velocities unless given */
    fastest: positive('a speed', 'm/s').optional(),
    /** Slack of the neighbour lists; changes no bit of the answer */
    skin: positive('a length', 'm').optional(),
    seed: z.union([z.number(), z.string()]).optional(),
    /** Grains are kept at every so many recorded rows; 0: never. As memory allows unless given */
    every: notNegativeWhole('a number of rows').optional(),
    /** Most grains there may be at once, for inlets */
    most: positiveWhole('a number of grains').optional(),
  })
  .readonly();
export type Grains = z.output<typeof grainsSchema>;
export type GrainsOptions = z.input<typeof grainsSchema>;

/** The relations between the keys, which no single key can tell. */
export function checkGrains(grains: Grains, bodies: ReadonlySet<string>): void {
  const species = Object.keys(grains.species);
  if (species.length === 0) throw new ModelError('grains.species', 'expected at least one species, got none');
  const requireSpecies = (name: string, path: string): void => {
    if (!species.includes(name))
      throw new ModelError(
        path,
        `there is no species "${name}"${suggestion(name, species) || `; there are ${species.join(', ')}`}`,
      );
  };
  const shaped = Object.entries(grains.species).find(([, { shape }]) => shape !== undefined)?.[0];
  if (shaped !== undefined) refuseBesideShapes(grains, `"${shaped}" are none`);
  else
    for (const [name, { foundation }] of Object.entries(grains.species))
      if (foundation !== undefined)
        throw new ModelError(`grains.species.${name}.foundation`, 'is for grains with a shape; balls touch by Hertz');
  for (const [name, { material, radius, shape }] of Object.entries(grains.species)) {
    if (radius === undefined && (shape === undefined || 'rock' in shape))
      throw new ModelError(`grains.species.${name}.radius`, 'expected a radius > 0 m, got nothing');
    if (material.youngsModulus === undefined)
      throw new ModelError(
        `grains.species.${name}.material.youngsModulus`,
        "expected Young's modulus in Pa, got nothing; 1e7 is soft enough for long steps and hard enough for most flows",
      );
    if (typeof radius === 'object' && 'uniform' in radius && !(radius.uniform[0] <= radius.uniform[1]))
      throw new ModelError(
        `grains.species.${name}.radius.uniform`,
        `expected the smaller radius first, got ${radius.uniform.join(' and ')} m`,
      );
    if (typeof radius === 'object' && 'normal' in radius && !(radius.normal.mean > 3 * radius.normal.deviation))
      throw new ModelError(
        `grains.species.${name}.radius.normal`,
        `expected a mean above three deviations, got ${radius.normal.mean} and ${radius.normal.deviation} m`,
      );
    if (typeof radius === 'object' && 'sieve' in radius)
      checkSieve(radius.sieve, `grains.species.${name}.radius.sieve`);
  }
  for (const [name, packing] of Object.entries(grains.packings ?? {})) {
    const path = `grains.packings.${name}`;
    requireSpecies(packing.species, `${path}.species`);
    if (packing.at !== undefined && packing.arrangement !== 'given')
      throw new ModelError(`${path}.at`, "is for arrangement: 'given'; write that beside it, or take it away");
    if (packing.arrangement === 'given' ? !packing.at?.length : packing.region === undefined)
      throw new ModelError(
        path,
        packing.arrangement === 'given' ? 'expected "at", a list of centres in m' : 'expected a "region" to be filled',
      );
    if (packing.jitter !== undefined) checkJitter(packing, path);
    if (packing.region) refuseBeyondPeriod(grains, packing.region, `${path}.region`);
    if (packing.region && 'behind' in packing.region)
      throw new ModelError(`${path}.region`, 'expected a region with an end, got all that is behind a plane');
    if ((packing.fraction ?? 0) > 0.74 && !grains.species[packing.species].shape)
      throw new ModelError(
        `${path}.fraction`,
        `expected a packing fraction ≤ 0.74, the densest of equal balls, got ${packing.fraction}`,
      );
    if (packing.fraction !== undefined && packing.count !== undefined)
      throw new ModelError(path, 'expected a count or a fraction, got both');
  }
  for (const [name, inlet] of Object.entries(grains.inlets ?? {})) {
    requireSpecies(inlet.species, `grains.inlets.${name}.species`);
    if ('behind' in inlet.region)
      throw new ModelError(
        `grains.inlets.${name}.region`,
        'expected a region with an end, got all that is behind a plane',
      );
    refuseBeyondPeriod(grains, inlet.region, `grains.inlets.${name}.region`);
    if (inlet.until !== undefined && !(inlet.until > (inlet.from ?? 0)))
      throw new ModelError(
        `grains.inlets.${name}.until`,
        `expected a time after ${inlet.from ?? 0} s, got ${inlet.until}`,
      );
  }
  if (Object.keys(grains.packings ?? {}).length + Object.keys(grains.inlets ?? {}).length === 0)
    throw new ModelError('grains', 'expected packings or inlets, else there are no grains; got neither');
  const known = [...species, ...bodies];
  for (const [i, { between }] of (grains.pairs ?? []).entries())
    for (const [k, name] of between.entries())
      if (name !== '*' && !known.some((other) => other === name || other.startsWith(`${name}[`)))
        throw new ModelError(
          `grains.pairs[${i}].between[${k}]`,
          `there is no species or body "${name}"${suggestion(name, known)}`,
        );
  for (const name of species)
    if (bodies.has(name)) throw new ModelError(`grains.species.${name}`, 'a body has this name already; take another');
  for (const name of Object.keys(grains.roundWalls ?? {}))
    if (!bodies.has(name))
      throw new ModelError(`grains.roundWalls.${name}`, `there is no body "${name}"${suggestion(name, bodies)}`);
  for (const [name, probe] of Object.entries(grains.probes ?? {})) {
    const path = `grains.probes.${name}`;
    if ('region' in probe && !('wall' in probe) && probe.region && 'behind' in probe.region)
      throw new ModelError(`${path}.region`, 'expected a region with an end, got all that is behind a plane');
    if ('wall' in probe && !bodies.has(probe.wall))
      throw new ModelError(`${path}.wall`, `there is no body "${probe.wall}"${suggestion(probe.wall, bodies)}`);
    if (!('grid' in probe)) continue;
    const { box, cells } = probe.grid;
    const number = cells[0] * cells[1] * cells[2];
    if (!(cells.every(Number.isInteger) && number <= MOST_CELLS))
      throw new ModelError(
        `${path}.grid.cells`,
        `expected whole numbers, ${MOST_CELLS} cells at most, got ${cells.join(' × ')}`,
      );
    for (let k = 0; k < 3; k++)
      if (box[0][k] === box[1][k])
        throw new ModelError(`${path}.grid.box`, `expected a box with a volume > 0 m³, got none along ${'xyz'[k]}`);
  }
  for (const [axis, range] of Object.entries(grains.periodic ?? {}))
    if (range && !(range[1] > range[0]))
      throw new ModelError(`grains.periodic.${axis}`, `expected [from, to] with from < to, got ${range.join(', ')} m`);
}

const MOST_CELLS = 100_000;

/** Grains of a lattice are shaken within the room between neighbours, or they would be in one another. */
function checkJitter({ jitter = 0, spacing = LATTICE.spacing }: Packing, path: string): void {
  const most = Math.max(0, spacing - 1);
  if (jitter > most * (1 + 1e-9))
    throw new ModelError(
      `${path}.jitter`,
      `expected at most ${Number(most.toPrecision(6))} diameters, the room between neighbours (spacing − 1), got ${jitter}; make the spacing larger`,
    );
}

/** What is put in on the far side of a period would come out elsewhere. */
function refuseBeyondPeriod({ periodic }: Grains, region: GrainRegion, path: string): void {
  if (!('box' in region)) return;
  for (const [k, axis] of (['x', 'y', 'z'] as const).entries()) {
    const range = periodic?.[axis];
    if (!range || !(range[1] > range[0])) continue;
    const [from, to] = [Math.min(region.box[0][k], region.box[1][k]), Math.max(region.box[0][k], region.box[1][k])];
    const slack = 1e-9 * (range[1] - range[0]);
    if (from < range[0] - slack || to > range[1] + slack)
      throw new ModelError(
        path,
        `expected it between ${range[0]} and ${range[1]} m along ${axis}, which is periodic, got ${from} to ${to} m`,
      );
  }
}

/** What only balls among balls have. @param why they are not, in words */
export function refuseBesideShapes({ species, pairs = [] }: Grains, why: string): void {
  const refuse = (path: string): never => {
    throw new ModelError(path, `is for models whose grains are all balls among walls, and ${why}; take it away`);
  };
  for (const key of BALLS_ONLY) {
    for (const [name, own] of Object.entries(species))
      if (own[key] !== undefined) refuse(`grains.species.${name}.${key}`);
    pairs.forEach((own, i) => {
      if (own[key] !== undefined) refuse(`grains.pairs[${i}].${key}`);
    });
  }
}

const BALLS_ONLY = ['rollingFriction', 'twistingFriction', 'adhesion', 'stiffness', 'stiffnessRatio'] as const;

function checkSieve(curve: readonly (readonly [number, number])[], path: string): void {
  for (let k = 1; k < curve.length; k++)
    if (!(curve[k][0] > curve[k - 1][0] && curve[k][1] >= curve[k - 1][1]))
      throw new ModelError(
        `${path}[${k}]`,
        `expected a larger opening that lets more pass, got ${shown(curve[k])} after ${shown(curve[k - 1])}`,
      );
  if (curve[0][1] !== 0 || curve[curve.length - 1][1] !== 1)
    throw new ModelError(path, 'expected a curve from 0, nothing passes, to 1, everything passes');
}
