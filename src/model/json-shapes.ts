/**
 * Shapes written as data: an object with one key that names the solid, and perhaps a turn and a shift (in this order) of the result.
 *
 *   { "cylinder": { "radius": 0.02, "height": 1 }, "rotate": { "axis": [0, 1, 0], "angle": 1.5708 }, "translate": [0.5, 0, 0] }
 */

import { ModelError, suggestion } from '../errors.js';
import { extrude } from '../geometry/extrude.js';
import { type CadPart, LENGTH_UNITS, type LengthUnit } from '../geometry/files/cad-document.js';
import { halfSpace } from '../geometry/half-space.js';
import { meshMassProperties } from '../geometry/mass-properties.js';
import {
  box,
  capsule,
  cone,
  cylinder,
  ellipsoid,
  frustum,
  regularPrism,
  sphere,
  torus,
  tube,
  wedge,
} from '../geometry/primitives.js';
import type { Outline } from '../geometry/profile.js';
import { revolve } from '../geometry/revolve.js';
import { type Colour, ORIGIN, type Solid } from '../geometry/solid.js';
import { type Affine, mirror, type Rotation, rotate, scale, transform, translate } from '../geometry/transform.js';
import { requireSolid } from '../geometry/validation.js';
import type { Vec3 } from '../math/vec3.js';
import { ELEMENT_SIZES, ELEMENT_SOLIDS } from './json-machine-elements.js';
import { given, length, outline, segments, whole } from './json-sizes.js';
import { check, notNegative, orientation, positive, real, shown, vector } from './schema.js';
import * as z from './schema-kinds.js';

/** Reads the parts of a CAD file that a model names; `unit` where the model says one. */
export type PartReader = (file: string, unit: LengthUnit | undefined) => Promise<readonly CadPart[]>;

const edges = z.tuple([length('x'), length('y'), length('z')], {
  error: ({ input }) => `expected edge lengths [x, y, z] > 0 m, got ${shown(input)}`,
});

const SIZES = {
  sphere: z.strictObject({
    radius: length('a radius'),
    subdivision: whole('pieces of an edge', 1),
    edgeLength: length('a length').optional(),
  }),
  ellipsoid: z.strictObject({
    radii: z.tuple([length('x'), length('y'), length('z')], {
      error: ({ input }) => `expected half axes [x, y, z] > 0 m, got ${shown(input)}`,
    }),
    subdivision: whole('pieces of an edge', 1),
  }),
  box: z.strictObject({
    size: z.union([length('an edge'), edges], {
      error: ({ input }) => `expected edge lengths [x, y, z] > 0 m, or one for a cube, got ${shown(input)}`,
    }),
  }),
  cylinder: z.strictObject({ radius: length('a radius'), height: length('a height'), segments }),
  tube: z.strictObject({
    outerRadius: length('a radius'),
    innerRadius: length('a radius'),
    height: length('a height'),
    segments,
  }),
  cone: z.strictObject({ radius: length('a radius'), height: length('a height'), segments }),
  frustum: z.strictObject({
    bottomRadius: notNegative('a radius', 'm'),
    topRadius: notNegative('a radius', 'm'),
    height: length('a height'),
    segments,
  }),
  capsule: z.strictObject({ radius: length('a radius'), height: length('a height'), segments }),
  torus: z.strictObject({
    majorRadius: length('a radius'),
    minorRadius: length('a radius'),
    segments,
    minorSegments: segments,
  }),
  wedge: z.strictObject({
    size: edges,
    top: notNegative('a length', 'm').optional(),
  }),
  prism: z.strictObject({
    sides: whole('sides', 3).unwrap(),
    radius: length('a radius'),
    height: length('a height'),
  }),
  halfSpace: z.strictObject({ extent: length('a length').optional() }),
  extrude: z.strictObject({
    outline,
    holes: z.array(outline).optional(),
    height: length('a height'),
    twist: real('an angle', 'rad').optional(),
    scale: positive('a factor', '').optional(),
    layers: whole('layers of triangles', 1),
    segments,
  }),
  revolve: z.strictObject({
    outline,
    holes: z.array(outline).optional(),
    angle: real('an angle', 'rad').optional(),
    segments,
  }),
  /** A closed surface of triangles, counter-clockwise seen from outside */
  mesh: z.strictObject({
    vertices: z.array(vector('a vertex', 'm'), { error: () => 'expected vertices [[x, y, z], …] in m' }),
    triangles: z.array(z.tuple([z.int().min(0), z.int().min(0), z.int().min(0)]), {
      error: () => 'expected triangles [[a, b, c], …], each of three places of vertices, counted from 0',
    }),
  }),
  ...ELEMENT_SIZES,
};
type ShapeName = keyof typeof SIZES;
type Size<Name extends ShapeName> = z.output<(typeof SIZES)[Name]>;

const SOLIDS: { readonly [Name in ShapeName]: (size: Size<Name>) => Solid | Promise<Solid> } = {
  sphere: ({ radius, ...mesh }) => sphere(radius, given(mesh)),
  ellipsoid: ({ radii, ...mesh }) => ellipsoid(radii, given(mesh)),
  box: ({ size }) => box(size),
  cylinder: (size) => cylinder(given(size)),
  tube: (size) => tube(given(size)),
  cone: (size) => cone(given(size)),
  frustum: (size) => frustum(given(size)),
  capsule: (size) => capsule(given(size)),
  torus: (size) => torus(given(size)),
  wedge: (size) => wedge(given(size)),
  prism: (size) => regularPrism(size),
  halfSpace: (size) => halfSpace(given(size)),
  extrude: ({ outline: outer, holes, height, ...options }) =>
    extrude(
      holes ? { outer: outer as Outline, holes: holes as Outline[] } : (outer as Outline),
      height,
      given(options),
    ),
  revolve: ({ outline: outer, holes, ...options }) =>
    revolve(holes ? { outer: outer as Outline, holes: holes as Outline[] } : (outer as Outline), given(options)),
  mesh: ({ vertices, triangles }) => meshSolid(vertices, triangles),
  ...ELEMENT_SOLIDS,
};

/** Of shapes, which may be of this kind again. The shapes inside are checked one by one, with their own paths. */
const operands = z.array(z.unknown().meta({ $ref: '#/$defs/shape' }), {
  error: ({ input }) => `expected shapes in an array, got ${shown(input)}`,
});
const COMBINED = {
  /** All that is in any of them. */
  union: operands.min(1, { error: () => 'expected at least one shape, got none' }),
  /** The first without all others. */
  subtract: operands.min(2, { error: () => 'expected a shape and at least one to cut from it' }),
  /** All that is in every one of them. */
  intersect: operands.min(1, { error: () => 'expected at least one shape, got none' }),
};
type Combination = keyof typeof COMBINED;

const FILE = {
  /** Relative to the model's file. */
  file: z.string({ error: ({ input }) => `expected the name of a CAD file, got ${shown(input)}` }),
  /** Of the numbers in the file, where the file does not say; m unless said. */
  unit: z
    .enum(Object.keys(LENGTH_UNITS) as [LengthUnit], {
      error: ({ input }) =>
        `expected one of ${Object.keys(LENGTH_UNITS).join(', ')}, got ${shown(input)}${suggestion(String(input), Object.keys(LENGTH_UNITS))}`,
    })
    .optional(),
  /** One of several parts in the file; all of them unless said. */
  part: z.string().optional(),
};

const turn = z.union([real('an angle about z', 'rad'), orientation], {
  error: ({ input }) =>
    `expected an angle about z in rad, { axis, angle in rad } or a quaternion [w, x, y, z], got ${shown(input)}`,
});
const row = z.tuple([real('', ''), real('', ''), real('', ''), real('a shift', 'm')]);
const MOVE_WORDS =
  '{ "rotate": an angle about z in rad, { axis, angle } or a quaternion, "centre": [x, y, z] in m }, { "translate": [x, y, z] in m }, { "scale": a factor or three }, { "mirror": "x", "y", "z" or a normal } or { "transform": three rows of four }';
/** Motions and stretches, with the words of the functions */
const MOVES = [
  z.strictObject({ rotate: turn, centre: vector('a point', 'm').optional() }),
  z.strictObject({ translate: vector('a shift', 'm') }),
  z.strictObject({ scale: z.union([real('a factor', ''), vector('factors', '')]) }),
  z.strictObject({ mirror: z.union([z.enum(['x', 'y', 'z']), vector('a normal', '')]) }),
  z.strictObject({ transform: z.tuple([row, row, row]) }),
] as const;

export const movesSchema = z.array(
  z.union([...MOVES], { error: ({ input }) => `expected ${MOVE_WORDS}, got ${shown(input)}` }),
);

function afterMove(solid: Solid, move: z.output<(typeof MOVES)[number]>): Solid {
  if ('rotate' in move) return rotate(move.rotate as Rotation, solid, move.centre);
  if ('translate' in move) return translate(move.translate, solid);
  if ('scale' in move) return scale(move.scale, solid);
  if ('mirror' in move) return mirror(move.mirror as Vec3, solid);
  return transform(move.transform as Affine, solid);
}

const PLACING = {
  rotate: turn.optional(),
  translate: vector('a shift', 'm').optional(),
  /** What is done to it after that, one thing after the other */
  moves: movesSchema.optional(),
  colour: z
    .tuple([real('red', ''), real('green', ''), real('blue', ''), real('opacity', '')], {
      error: ({ input }) => `expected red, green, blue and opacity, each from 0 to 1, got ${shown(input)}`,
    })
    .optional(),
};

/** One schema per kind of shape, for the published schema. */
export const shapeSchema = z.union([
  ...Object.entries({ ...SIZES, ...COMBINED }).map(([name, size]) => z.strictObject({ [name]: size, ...PLACING })),
  z.strictObject({ ...FILE, ...PLACING }),
] as unknown as [z.AnySchema, z.AnySchema]);

/**
 * The solids that a shape, or several, stand for.
 *
 * @param path where the shape stands, e.g. `bodies.arm.shape`
 * @throws ModelError with the path into the model
 */
export async function solidsFromJson(value: unknown, path: string, readPart: PartReader | undefined): Promise<Solid[]> {
  if (Array.isArray(value)) {
    const solids: Solid[] = [];
    for (const [i, item] of value.entries()) solids.push(...(await solidsFromJson(item, `${path}[${i}]`, readPart)));
    return solids;
  }
  const names = [...Object.keys(SIZES), ...Object.keys(COMBINED), 'file'];
  const wanted = `expected a shape such as { "sphere": { "radius": 0.1 } }`;
  if (typeof value !== 'object' || value === null) throw new ModelError(path, `${wanted}, got ${shown(value)}`);
  const keys = Object.keys(value).filter((key) => !(key in PLACING));
  const named = keys.filter((key) => names.includes(key));
  if (named.length === 0) {
    const near = keys.length > 0 ? suggestion(keys[0], names) : '';
    throw new ModelError(path, `${wanted}, got ${shown(value)}${near || `; shapes are ${names.join(', ')}`}`);
  }
  if (named.length > 1)
    throw new ModelError(path, `expected one shape, got ${named.join(' and ')}; several go into an array [ … ]`);
  const [name] = named;
  const turned = (solid: Solid): Solid => {
    const { rotate: by, translate: shift, moves = [], colour } = placing;
    const rotated = by === undefined ? solid : rotate(by as Rotation, solid);
    const placed = moves.reduce(afterMove, shift === undefined ? rotated : translate(shift as Vec3, rotated));
    return colour === undefined ? placed : { ...placed, colour: colour as Colour };
  };
  const kind =
    name === 'file' ? FILE : { [name]: name in COMBINED ? COMBINED[name as Combination] : SIZES[name as ShapeName] };
  const schema = z.strictObject({ ...kind, ...PLACING });
  const placing = check(schema, value, path) as z.output<z.ObjectSchema<typeof PLACING>> & Record<string, unknown>;
  if (name === 'file') return (await fromFile(placing as never, path, readPart)).map(turned);
  if (name in COMBINED)
    return [turned(await combined(name as Combination, placing[name] as unknown[], `${path}.${name}`, readPart))];
  try {
    return [turned(await (SOLIDS[name as ShapeName] as (size: unknown) => Solid | Promise<Solid>)(placing[name]))];
  } catch (error) {
    throw error instanceof ModelError ? within(error, `${path}.${name}`) : error;
  }
}

/** Solids joined, cut or intersected; the CSG library is loaded when one is wanted. */
async function combined(
  name: Combination,
  shapes: readonly unknown[],
  path: string,
  readPart: PartReader | undefined,
): Promise<Solid> {
  const csg = await import('../geometry/csg/boolean.js');
  const solids: Solid[] = [];
  for (const [i, shape] of shapes.entries()) {
    const here = `${path}[${i}]`;
    const parts = await solidsFromJson(shape, here, readPart);
    if (parts.some(({ form }) => form.kind === 'halfSpace'))
      throw new ModelError(here, 'a half-space has no end to cut with; take a large box');
    if (parts.length === 0) throw new ModelError(here, 'expected a shape, got an empty array');
    solids.push(parts.length === 1 ? parts[0] : csg.union(...parts)); // several solids of one shape are one operand
  }
  try {
    const [first, ...others] = solids;
    const made = csg[name](first, ...others);
    if (made.mesh.triangles.length === 0)
      throw new ModelError(name, 'leaves nothing: the shapes have no room in common, or all is cut away');
    return made;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const operand = /, operand (\d+) of/.exec(error.path);
    throw new ModelError(
      operand ? `${path}[${Number(operand[1]) - 1}]` : path,
      error.message.slice(error.path.length + 2),
    );
  }
}

async function fromFile(
  { file, unit, part }: { file: string; unit: LengthUnit | undefined; part: string | undefined },
  path: string,
  readPart: PartReader | undefined,
): Promise<Solid[]> {
  if (!readPart) throw new ModelError(`${path}.file`, `"${file}" cannot be read here: no reader of parts was given`);
  const parts = await readPart(file, unit).catch((error: unknown) => {
    throw error instanceof ModelError ? new ModelError(`${path}.file`, error.message) : error;
  });
  const names = parts.map(({ name }) => name);
  const chosen = part === undefined ? parts : parts.filter(({ name }) => name === part);
  if (chosen.length === 0)
    throw new ModelError(
      part === undefined ? `${path}.file` : `${path}.part`,
      part === undefined
        ? `"${file}" holds no solid`
        : `"${file}" has no part "${part}"${suggestion(part, names) || `; it has ${names.join(', ')}`}`,
    );
  return chosen.map(({ name, ...shown }) => {
    try {
      meshMassProperties(shown.mesh);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const others = names.filter((other) => other !== name);
      throw new ModelError(
        `${path}.file`,
        `part "${name}" of "${file}" is no solid: ${error.message.slice(error.path.length + 2)}${
          chosen.length > 1 ? `; "part" takes one of the others, ${others.join(', ')}` : ''
        }`,
      );
    }
    return { ...shown, form: { kind: 'mesh' }, pose: ORIGIN };
  });
}

function meshSolid(vertices: readonly Vec3[], triangles: readonly (readonly number[])[]): Solid {
  const wrong = triangles.findIndex((corners) => corners.some((place) => place >= vertices.length));
  if (wrong >= 0)
    throw new ModelError(
      `mesh.triangles[${wrong}]`,
      `expected places of vertices from 0 to ${vertices.length - 1}, got ${shown(triangles[wrong])}`,
    );
  const mesh = { vertices: Float64Array.from(vertices.flat()), triangles: Uint32Array.from(triangles.flat()) };
  requireSolid(mesh, 'mesh', { selfIntersections: false });
  return { mesh, form: { kind: 'mesh' }, pose: ORIGIN };
}

/** `tube.innerRadius: …` of the geometry, as an error of the model. */
export function within(error: ModelError, path: string): ModelError {
  const dot = error.path.indexOf('.');
  return new ModelError(path + (dot < 0 ? '' : error.path.slice(dot)), error.message.slice(error.path.length + 2));
}
