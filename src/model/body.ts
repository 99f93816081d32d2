/** Rigid bodies: mass properties given, or taken from a solid and its material. */

import { ModelError } from '../errors.js';
import { asExtrusion } from '../geometry/as-extrusion.js';
import { ORIGIN, type Solid } from '../geometry/solid.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { requireSolid } from '../geometry/validation.js';
import type { Mat3 } from '../math/mat3.js';
import { symmetricEigen } from '../math/symmetric-eigen.js';
import { bodyContactSchema } from './contacts.js';
import { flexibleSchema } from './flexible.js';
import { materialSchema } from './materials.js';
import { orientation, positive, real, vector } from './schema.js';
import * as z from './schema-kinds.js';

/** A named place on a body, in the body's frame. */
const frameSchema = z
  .strictObject({ position: vector('a position', 'm').optional(), orientation: orientation.optional() })
  .readonly();

function gotInstead(input: unknown): string {
  if (input === undefined) return 'nothing';
  const isProfile = typeof input === 'object' && input !== null && 'outer' in input && 'holes' in input;
  return isProfile || Array.isArray(input) ? 'an outline; a solid of it is extrude(outline, height)' : typeof input;
}

const solidSchema = z.custom<Solid>(
  (value) => typeof value === 'object' && value !== null && 'mesh' in value && 'form' in value && 'pose' in value,
  {
    error: ({ input }) => `expected a solid such as box([1, 1, 1]), got ${gotInstead(input)}`,
  },
);

/** A closed mesh is a solid of which nothing more exact is known. */
const meshSchema = z
  .custom<TriangleMesh>(
    (value) => typeof value === 'object' && value !== null && 'vertices' in value && 'triangles' in value,
    { error: ({ input }) => `expected a solid such as box([1, 1, 1]), or a closed mesh, got ${gotInstead(input)}` },
  )
  .transform((mesh): Solid => {
    const solid: Solid = { mesh, form: { kind: 'mesh' }, pose: ORIGIN };
    OF_MESHES.add(solid);
    return solid;
  });
/** Solids made of meshes that nobody has looked at yet */
const OF_MESHES = new WeakSet<Solid>();

const shapeSchema = z.union([solidSchema, meshSchema], {
  error: ({ input }) => `expected a solid such as box([1, 1, 1]), or a closed mesh, got ${gotInstead(input)}`,
});

/** Principal moments, or the full tensor row by row, about the centre of mass in the body's axes. */
const inertiaSchema = z.union(
  [
    z.tuple([z.number(), z.number(), z.number()]).readonly(),
    z
      .tuple([
        z.number(),
        z.number(),
        z.number(),
        z.number(),
        z.number(),
        z.number(),
        z.number(),
        z.number(),
        z.number(),
      ])
      .readonly(),
  ],
  { error: () => 'expected 3 principal moments or the 9 entries of the tensor, in kg m²' },
);

export const bodySchema = z
  .strictObject({
    /** In the body's frame; several solids make one rigid body. A closed mesh, such as convexHull gives, is one. */
    shape: z.union([shapeSchema, z.array(shapeSchema).readonly()]).optional(),
    material: materialSchema.optional(),
    /** Part of the ground: it does not move, and needs no mass. */
    fixed: z.boolean().optional(),
    /** Whom it touches; false: nobody. */
    contact: bodyContactSchema.optional(),
    /** The body deforms: a straight extrusion (a box or cylinder along z), or a solid with tetrahedra inside, of a material with Young's modulus. true takes all defaults. */
    flexible: z
      .union([z.boolean(), flexibleSchema], { error: () => 'expected true, or options such as { modes: 6 }' })
      .optional(),
    mass: positive('a mass', 'kg').optional(),
    centreOfMass: vector('a position', 'm').optional(),
    inertia: inertiaSchema.optional(),
    /** Where the body's frame is drawn in the world. */
    position: vector('a position', 'm').optional(),
    orientation: orientation.optional(),
    /** Of the body's frame origin, in world axes; for bodies without joints. */
    velocity: vector('a velocity', 'm/s').optional(),
    angularVelocity: vector('an angular velocity', 'rad/s').optional(),
    frames: z.record(z.string(), frameSchema).optional(),
    colour: z
      .tuple([real('red', ''), real('green', ''), real('blue', ''), real('opacity', '')])
      .readonly()
      .optional(),
  })
  .readonly();
export type BodyOptions = z.input<typeof bodySchema>;
export type Body = z.output<typeof bodySchema>;

/**
 * A rigid body. With a `shape` and a `material` its mass, centre of mass and inertia come from the solid;
 * `mass`, `centreOfMass` and `inertia` override them.
 *
 * @example body({ shape: sphere(0.1), material: steel, position: [0, 0, 1] })
 * @example body({ mass: 2, inertia: [0.1, 0.1, 0.02] })
 */
export const body = (options: BodyOptions): BodyOptions => options;

/** The relations between the keys, which no single key can tell. */
export function checkBody(given: Body, path: string): void {
  for (const solid of [given.shape ?? []].flat())
    if (OF_MESHES.has(solid)) requireSolid(solid.mesh, `${path}.shape`, { selfIntersections: false });
  if (given.fixed) {
    for (const key of ['velocity', 'angularVelocity'] as const)
      if (given[key])
        throw new ModelError(`${path}.${key}`, 'the body is fixed and does not move; take one of them away');
    if (given.flexible)
      throw new ModelError(
        `${path}.flexible`,
        'the body is fixed and does not deform; hold it by a joint such as fixed({ body, at }) where it is clamped, or take one of them away',
      );
    return;
  }
  if (given.flexible) checkFlexible(given, path);
  if (given.mass === undefined && given.shape === undefined)
    throw new ModelError(path, 'expected a shape with a material, or a mass in kg; got neither');
  if (given.mass === undefined && given.material === undefined)
    throw new ModelError(
      `${path}.material`,
      'expected a material (its density gives the mass), or a mass in kg beside the shape; got neither',
    );
  if (given.inertia !== undefined && given.mass === undefined && given.shape === undefined)
    throw new ModelError(`${path}.mass`, 'expected a mass in kg to go with the inertia, got nothing');
  if (given.inertia) checkInertia(given.inertia, `${path}.inertia`);
}

/** A box or cylinder that deforms is the extrusion of its figure. */
export const drawnFlat = (given: Body): Body =>
  given.flexible && given.shape && !Array.isArray(given.shape)
    ? { ...given, shape: asExtrusion(given.shape as Solid) }
    : given;

/** A body that deforms is a straight extrusion of one material or has tetrahedra inside, and its mass is that of its mesh. */
function checkFlexible(given: Body, path: string): void {
  const solids = given.shape === undefined ? [] : Array.isArray(given.shape) ? given.shape : [given.shape as Solid];
  if (solids.length !== 1 || (solids[0].form.kind !== 'extrusion' && !solids[0].tetrahedra))
    throw new ModelError(
      `${path}.shape`,
      `expected one straight extrusion such as extrude(outline, height), box or cylinder, or a solid with tetrahedra inside (a .msh or .inp file), for a flexible body, got ${
        solids.length === 1 ? `a solid of kind ${solids[0].form.kind}` : `${solids.length} solids`
      }`,
    );
  if (given.material?.youngsModulus === undefined || given.material.poissonRatio === undefined)
    throw new ModelError(
      `${path}.material`,
      "expected Young's modulus in Pa and Poisson's ratio: without them nobody knows how it deforms",
    );
  for (const key of ['mass', 'inertia', 'centreOfMass'] as const)
    if (given[key] !== undefined)
      throw new ModelError(
        `${path}.${key}`,
        'a flexible body has the mass of its mesh; take this away, or change the density',
      );
}

/**
 * A rigid body's principal moments are positive and obey the triangle inequality A + B ≥ C, for each is a sum of two of the three
 * positive integrals ∫x², ∫y², ∫z². Zero is allowed for a point mass or a thin rod.
 */
export function checkInertia(inertia: readonly number[], path: string): void {
  const full = inertia.length === 9;
  const [xx, yy, zz] = full ? [inertia[0], inertia[4], inertia[8]] : inertia;
  if (!(xx >= 0 && yy >= 0 && zz >= 0))
    throw new ModelError(path, `expected moments of inertia ≥ 0 kg m², got ${xx}, ${yy}, ${zz}`);
  const slack = 1e-9 * Math.max(xx, yy, zz);
  for (const [a, b, c, names] of [
    [xx, yy, zz, 'xx + yy ≥ zz'],
    [yy, zz, xx, 'yy + zz ≥ xx'],
    [zz, xx, yy, 'zz + xx ≥ yy'],
  ] as const)
    if (a + b < c - slack)
      throw new ModelError(
        path,
        `expected ${names}, which holds for every rigid body, got ${xx}, ${yy}, ${zz} kg m²; is an entry wrong, or one for another axis?`,
      );
  if (!full) return;
  for (const [i, j] of [
    [1, 3],
    [2, 6],
    [5, 7],
  ])
    if (!(Math.abs(inertia[i] - inertia[j]) <= slack))
      throw new ModelError(
        path,
        `expected a symmetric tensor, got ${inertia[i]} and ${inertia[j]} at entries ${i} and ${j}`,
      );
  // The diagonal alone does not tell: products of inertia that are too large make a principal moment negative.
  const principal = symmetricEigen(inertia as unknown as Mat3).values;
  const [a, b, c] = principal;
  if (!(a >= -slack && a + b >= c - slack))
    throw new ModelError(
      path,
      `expected principal moments A, B, C ≥ 0 kg m² with A + B ≥ C, as every rigid body has, got ${principal.map((x) => Number(x.toPrecision(6))).join(', ')}; ` +
        'the products of inertia are too large, or one has the wrong sign',
    );
}
