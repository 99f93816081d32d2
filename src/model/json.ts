/**
 * Models as JSON: the same keys as in `model({ … })`, with shapes as data, materials by name, and a "kind" on joints, constraints and
 * forces. Motions are data, see motion-data.ts, and helical springs stand under `coilSprings`. What needs a function (laws, motions and conditions of the user's own) needs a TypeScript or JavaScript model.
 */

import { ModelError, suggestion } from '../errors.js';
import { bodySchema } from './body.js';
import { type CoilSpring, type CoilSpringOptions, coilSpring } from './coil-spring.js';
import { constraintSchema } from './constraints.js';
import { forceSchema } from './forces.js';
import { jointSchema } from './joints.js';
import { type PartReader, shapeSchema, solidsFromJson, within } from './json-shapes.js';
import { given as kept, length, whole } from './json-sizes.js';
import { parseJson } from './json-text.js';
import * as palette from './materials.js';
import { eventSchema, type Model, type ModelOptions, model, modelSchema } from './model.js';
import { check, notNegative, positive, shown, vector } from './schema.js';
import * as z from './schema-kinds.js';
import { soilBedSchema } from './soil-bed.js';

/** By name, in alphabetical order: that of a module's exports is not the same everywhere. */
const MATERIALS = new Map(
  Object.entries(palette as Record<string, unknown>)
    .filter(
      (entry): entry is [string, palette.Material] => typeof entry[1] === 'object' && 'density' in (entry[1] as object),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** Under which name we have this material, to the last figure; undefined if we have not. */
export function materialName(given: palette.Material): string | undefined {
  const keys = Object.keys(palette.materialSchema.unwrap().shape) as (keyof palette.Material)[];
  for (const [name, ours] of MATERIALS) if (keys.every((key) => given[key] === ours[key])) return name;
  return undefined;
}

const oneOrMany = <Item extends z.AnySchema>(item: Item) => z.union([item, z.array(item)]);

const materialByName = z.union([z.enum([...MATERIALS.keys()]), palette.materialSchema]);

/** A helical spring: its name is that of its bodies `spring[0]` …, `springBase` and `springTop`. */
const coilSpringSchema = z.strictObject({
  wireDiameter: length('a diameter'),
  meanDiameter: length('a diameter'),
  activeCoils: positive('a number of coils', ''),
  freeLength: length('a length'),
  material: materialByName,
  segmentsPerCoil: whole('segments', 8),
  dampingRatio: notNegative('a ratio', '').optional(),
  hand: z.enum(['right', 'left']).optional(),
  position: vector('a position', 'm').optional(),
  colour: bodySchema.unwrap().shape.colour,
});

/** The elements in their JSON form; those that need functions are left out when the schema is published. */
export const jsonElements = {
  body: bodySchema.unwrap().extend({
    shape: oneOrMany(shapeSchema).optional(),
    material: materialByName.optional(),
  }),
  coilSpring: coilSpringSchema,
  joint: jointSchema,
  constraint: constraintSchema,
  force: forceSchema,
  event: eventSchema,
};

export const jsonModelSchema = modelSchema.omit({ surfaces: true, elements: true }).extend({
  soils: z.record(z.string(), soilBedSchema.unwrap().omit({ terrain: true })).optional(),
  $schema: z.string().optional(),
  bodies: z.record(z.string(), oneOrMany(jsonElements.body)),
  coilSprings: z.record(z.string(), coilSpringSchema).optional(),
});

export interface JsonModelOptions {
  /** Reads the parts of a CAD file named by a shape `{ "file": … }`; without it such shapes are refused. */
  readonly readPart?: PartReader;
}

/**
 * A model from what JSON.parse gave.
 *
 * @throws ModelError with the path into the model, e.g. `bodies.arm.shape.sphere.radius`
 * @example await modelFromJson({ bodies: { ball: { shape: { sphere: { radius: 0.1 } }, material: 'steel' } } })
 */
export async function modelFromJson(value: unknown, options: JsonModelOptions = {}): Promise<Model> {
  if (!isRecord(value)) throw new ModelError('model', `expected an object { "bodies": … }, got ${shown(value)}`);
  const { $schema: _, coilSprings = {}, ...written } = value;
  refuseFunctions(written);
  refuseKinds(written);
  const { bodies } = written;
  if (!isRecord(bodies)) return model(written as ModelOptions);
  const made: [string, unknown][] = [];
  for (const [name, given] of Object.entries(bodies)) {
    const path = `bodies.${name}`;
    if (!Array.isArray(given)) made.push([name, await bodyFromJson(given, path, options)]);
    else {
      const list: unknown[] = [];
      for (const [i, item] of given.entries()) list.push(await bodyFromJson(item, `${path}[${i}]`, options));
      made.push([name, list]);
    }
  }
  return model(withSprings({ ...written, bodies: Object.fromEntries(made) }, coilSprings));
}

/** The model with the bodies, forces and contact rules of its helical springs. */
function withSprings(written: Readonly<Record<string, unknown>>, springs: unknown): ModelOptions {
  if (!isRecord(springs))
    throw new ModelError('coilSprings', `expected springs by name { "spring": { … } }, got ${shown(springs)}`);
  let all = written;
  for (const [name, value] of Object.entries(springs)) {
    const path = `coilSprings.${name}`;
    const material = isRecord(value) ? materialOf(value.material, path) : undefined;
    const size = check(coilSpringSchema, isRecord(value) ? { ...value, material } : value, path);
    let made: CoilSpring;
    try {
      made = coilSpring(kept({ ...size, name }) as CoilSpringOptions);
    } catch (error) {
      throw error instanceof ModelError ? within(error, path) : error;
    }
    const { bodies, forces, contacts } = all as Record<string, Record<string, unknown> | undefined | false>;
    for (const key of Object.keys(made.bodies))
      if (Object.hasOwn(bodies || {}, key))
        throw new ModelError(path, `makes a body "${key}", but there is one under bodies; rename one of them`);
    all = {
      ...all,
      bodies: { ...bodies, ...made.bodies },
      forces: { ...forces, ...made.forces },
      ...(contacts !== false && {
        contacts: { ...contacts, exclude: [...((contacts?.exclude as []) ?? []), ...made.exclude] },
      }),
    };
  }
  return all as ModelOptions;
}

/**
 * A model from the text of a JSON file.
 *
 * @param file name for errors
 * @throws FileError with line and column where the text is not JSON; ModelError as `modelFromJson`
 */
export async function modelFromJsonText(text: string, file: string, options: JsonModelOptions = {}): Promise<Model> {
  return modelFromJson(parseJson(text, file), options);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function bodyFromJson(given: unknown, path: string, { readPart }: JsonModelOptions): Promise<unknown> {
  if (!isRecord(given)) return given; // model() says what is wrong
  const { shape, material } = given;
  const made = { ...given };
  if (shape !== undefined) {
    const solids = await solidsFromJson(shape, `${path}.shape`, readPart);
    made.shape = solids.length === 1 && !Array.isArray(shape) ? solids[0] : solids;
  }
  if (material !== undefined) made.material = materialOf(material, path);
  return made;
}

/** The material of a name; others as they are. */
function materialOf(material: unknown, path: string): unknown {
  if (typeof material !== 'string') return material;
  const found = MATERIALS.get(material);
  if (found === undefined)
    throw new ModelError(
      `${path}.material`,
      `there is no material "${material}"${suggestion(material, MATERIALS.keys())}; known are ` +
        `${[...MATERIALS.keys()].join(', ')}, or give { "density": kg/m³ }`,
    );
  return found;
}

/** Keys whose value can only be a function. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  forces: ['law'],
  elements: ['create'],
  soils: ['terrain'],
  events: ['when'],
  surfaces: ['vertices'],
};

function refuseFunctions(written: Readonly<Record<string, unknown>>): void {
  for (const [group, keys] of Object.entries(FUNCTIONS))
    for (const [name, given] of Object.entries(written[group] ?? {}))
      for (const element of [given].flat())
        for (const key of keys)
          if (isRecord(element) && element[key] !== undefined)
            throw new ModelError(
              `${group}.${name}.${key}`,
              'is a function, which JSON cannot hold; write this model in TypeScript or JavaScript',
            );
}

/** What a "kind" may be; in TypeScript a function such as `revolute` writes it. */
const KINDS = Object.fromEntries(
  Object.entries({ joints: jointSchema, constraints: constraintSchema, forces: forceSchema }).map(([group, schema]) => [
    group,
    schema.options.map(({ shape }) => shape.kind.value as string).filter((kind) => kind !== 'lineForce'),
  ]),
);

function refuseKinds(written: Readonly<Record<string, unknown>>): void {
  for (const [group, kinds] of Object.entries(KINDS))
    for (const [name, given] of Object.entries(written[group] ?? {}))
      for (const element of [given].flat()) {
        if (!isRecord(element) || kinds.includes(element.kind as string)) continue;
        throw new ModelError(
          `${group}.${name}.kind`,
          `expected one of ${kinds.join(', ')}, got ${shown(element.kind)}${suggestion(String(element.kind), kinds)}`,
        );
      }
}
