/**
 * The published JSON Schema of JSON models (draft 2020-12), for editors and other programs. Generated from the schemas that check models,
 * with what needs a function left out; `scripts/build-schema.mjs` writes it to schema/model.schema.json.
 */

import { anchorSchema } from './constraints.js';
import {
  bodyContactSchema,
  contactsSchema,
  frictionLawSchema,
  normalSchema,
  pairSchema,
  surfaceSchema,
  torsionSchema,
} from './contacts.js';
import { flexibleSchema } from './flexible.js';
import { placeSchema } from './joints.js';
import { jsonElements, jsonModelSchema } from './json.js';
import { movesSchema, shapeSchema } from './json-shapes.js';
import { materialSchema } from './materials.js';
import { GROUND } from './model.js';
import { motionData } from './motion-data.js';
import { orientation } from './schema.js';
import * as z from './schema-kinds.js';

export type JsonSchema = { readonly [key: string]: unknown };

/** Parts of the schema that have a name under $defs; larger ones first, for they hold smaller ones. */
const NAMED: Readonly<Record<string, z.AnySchema>> = {
  ...jsonElements,
  contacts: contactsSchema,
  contactPair: pairSchema,
  normalLaw: normalSchema,
  frictionLaw: frictionLawSchema,
  torsion: torsionSchema,
  bodyContact: bodyContactSchema,
  surface: surfaceSchema,
  flexible: flexibleSchema,
  shape: shapeSchema,
  moves: movesSchema,
  material: materialSchema,
  anchor: anchorSchema,
  place: placeSchema,
  orientation,
  angleOverTime: motionData('', 'rad'),
  positionOverTime: motionData('', 'm'),
  angularSpeedOverTime: motionData('', 'rad/s'),
  speedOverTime: motionData('', 'm/s'),
  torqueOverTime: motionData('', 'N m'),
  forceOverTime: motionData('', 'N'),
};

/** The schema as plain data. */
export function modelJsonSchema(): JsonSchema {
  const names = new Map(Object.entries(NAMED).map(([name, schema]) => [JSON.stringify(plain(schema)), name]));
  const definitions = Object.fromEntries(
    Object.entries(NAMED).map(([name, schema]) => [name, withReferences(plain(schema), names, name)]),
  );
  const { properties, ...rest } = withReferences(plain(jsonModelSchema), names) as Record<string, unknown>;
  const groups = properties as Record<string, JsonSchema>;
  const elementName = { pattern: `^(?!${GROUND}$)[\\p{L}_][\\p{L}\\p{N}_-]*$` };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A tippetop model',
    description: 'SI units, angles in rad; drawn in place, z up. See docs/guide/models.md.',
    ...rest,
    properties: Object.fromEntries(
      Object.entries(groups).map(([key, group]) => [
        key,
        ['bodies', 'joints', 'constraints', 'forces', 'events'].includes(key)
          ? { ...group, propertyNames: elementName }
          : group,
      ]),
    ),
    $defs: definitions,
  };
}

/** Marks what JSON cannot hold. */
const FUNCTION = 'x-function';

const plain = (schema: z.AnySchema): unknown => tidy(written(schema));

/** A schema in the words of JSON Schema */
function written(schema: z.AnySchema): Record<string, unknown> {
  const { description, extra } = schema;
  return { ...kindOf(schema), ...(description !== undefined && { description }), ...extra };
}

function kindOf(schema: z.AnySchema): Record<string, unknown> {
  if (schema instanceof z.NumberSchema) {
    const bounds = schema.checks.flatMap(({ bound }) => (bound ? [bound] : []));
    return { type: schema.whole ? 'integer' : 'number', ...Object.fromEntries(bounds) };
  }
  if (schema instanceof z.PlainSchema) return { type: schema.type };
  if (schema instanceof z.ChoiceSchema) {
    const type = typeof schema.value;
    return schema.options.length === 1 ? { type, const: schema.value } : { type, enum: schema.options };
  }
  if (schema instanceof z.ArraySchema)
    return {
      ...(schema.least > 0 && { minItems: schema.least }),
      ...(schema.greatest < Number.POSITIVE_INFINITY && { maxItems: schema.greatest }),
      type: 'array',
      items: written(schema.element),
    };
  if (schema instanceof z.TupleSchema) {
    const { length } = schema.items;
    return { type: 'array', prefixItems: schema.items.map(written), items: false, minItems: length, maxItems: length };
  }
  if (schema instanceof z.ObjectSchema) {
    const fields = Object.entries(schema.shape as Record<string, z.AnySchema>);
    const required = fields.filter(([, field]) => !mayBeLeftOut(field)).map(([key]) => key);
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map(([key, field]) => [key, written(field)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }
  if (schema instanceof z.RecordSchema) return { type: 'object', additionalProperties: written(schema.value) };
  if (schema instanceof z.KindSchema) return { oneOf: schema.options.map(written) };
  if (schema instanceof z.UnionSchema) {
    const options = (schema.options as readonly z.AnySchema[]).map(written);
    const plainTypes = options.every((option) => Object.keys(option).join() === 'type');
    return plainTypes ? { type: options.map(({ type }) => type) } : { anyOf: options };
  }
  if (schema instanceof z.DefaultSchema) return { default: schema.value, ...written(schema.inner) };
  if (schema instanceof z.CustomSchema) return { [FUNCTION]: true };
  return 'inner' in schema ? written(schema.inner as z.AnySchema) : {};
}

const mayBeLeftOut = (schema: z.AnySchema): boolean => schema.safeParse(undefined).success;

/**
 * Without functions, descriptions as units (the schemas say nothing else), and tuples of equal entries as arrays of a fixed length, which every editor knows.
 * Undefined where nothing is left.
 */
function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy).filter((item) => item !== undefined);
  if (typeof node !== 'object' || node === null) return node;
  const given = node as Record<string, unknown>;
  if (given[FUNCTION]) return undefined;
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (key === 'description' && value === '') continue;
    const inner = key === 'properties' ? tidyProperties(value as Record<string, unknown>) : tidy(value);
    if (inner !== undefined) out[key] = key === 'description' ? `in ${inner}` : inner;
  }
  // An object that needs a function is none of ours, nor is a choice between nothing
  const properties = out.properties as Record<string, unknown> | undefined;
  const required = (out.required ?? []) as string[];
  if (properties && required.some((key) => !(key in properties))) return undefined;
  for (const choice of ['anyOf', 'oneOf']) {
    const options = out[choice] as unknown[] | undefined;
    if (!options) continue;
    if (options.length === 0) return undefined;
    if (options.length === 1) {
      delete out[choice];
      Object.assign(out, options[0]);
    }
  }
  const entries = out.prefixItems as Record<string, unknown>[] | undefined;
  if (entries && new Set(entries.map((entry) => JSON.stringify(entry))).size === 1) {
    delete out.prefixItems;
    const { description, ...item } = entries[0];
    out.items = item;
    if (description !== undefined) out.description ??= description;
  }
  return out;
}

function tidyProperties(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, value]) => {
      const inner = tidy(value);
      return inner === undefined ? [] : [[key, inner]];
    }),
  );
}

/** Replaces every part that has a name by a reference to it; `except` is the definition at hand. */
function withReferences(node: unknown, names: ReadonlyMap<string, string>, except = ''): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => withReferences(item, names));
  const name = names.get(JSON.stringify(node));
  if (name !== undefined && name !== except) return { $ref: `#/$defs/${name}` };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withReferences(value, names)]));
}
