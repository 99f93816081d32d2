/**
 * Building blocks of the model's schema: numbers with units, vectors, names; and how an issue becomes our error:
 * where, what was expected with its unit, what came, what to do.
 */

import { ModelError, suggestion } from '../errors.js';
import * as z from './schema-kinds.js';

/** What came, short enough for a line. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value === 'function') return 'a function';
  if (ArrayBuffer.isView(value)) return value.constructor.name;
  if (typeof value === 'object' && value !== null) {
    const text = JSON.stringify(value, (_, part) =>
      typeof part === 'number' && !Number.isFinite(part) ? String(part) : part,
    );
    return text.length > 80 ? `${text.slice(0, 77)}…` : text;
  }
  return String(value);
}

const expected = (what: string) => (issue: { input?: unknown }) => `expected ${what}, got ${shown(issue.input)}`;

/** Any finite number, in `unit`. */
export const real = (what: string, unit: string) =>
  z.number({ error: expected(unit ? `${what} in ${unit}` : what) }).describe(unit);

/** A number > 0. */
export const positive = (what: string, unit: string) =>
  real(what, unit).positive({ error: expected(`${what} > 0${unit && ` ${unit}`}`) });

/** A number ≥ 0. */
export const notNegative = (what: string, unit: string) =>
  real(what, unit).nonnegative({ error: expected(`${what} ≥ 0${unit && ` ${unit}`}`) });

/** A whole number > 0. */
export const positiveWhole = (what: string) =>
  z
    .number({ error: expected(`${what}, a whole number > 0`) })
    .int({ error: expected(`${what}, a whole number > 0`) })
    .positive({ error: expected(`${what}, a whole number > 0`) });

/** A whole number ≥ 0. */
export const notNegativeWhole = (what: string) =>
  z
    .number({ error: expected(`${what}, a whole number ≥ 0`) })
    .int({ error: expected(`${what}, a whole number ≥ 0`) })
    .nonnegative({ error: expected(`${what}, a whole number ≥ 0`) });

/** Three numbers. */
export const vector = (what: string, unit: string) => {
  const message = expected(`${what}: 3 numbers${unit && ` in ${unit}`}`);
  const entry = z.number({ error: message });
  return z.tuple([entry, entry, entry], { error: message }).readonly().describe(unit);
};

/** A direction: any length but zero. */
export const direction = (what: string) =>
  vector(what, '').refine(([x, y, z]) => x * x + y * y + z * z > 0, {
    error: expected(`${what}: a vector other than zero`),
  });

/** A function of the user's; only in TypeScript or JavaScript models. */
// biome-ignore lint/suspicious/noExplicitAny: the caller names the signature
export const userFunction = <Signature extends (...args: any[]) => unknown>(what: string) =>
  z.custom<Signature>((value) => typeof value === 'function', { error: expected(what) });

/** The name of another element. */
export const nameOf = (what: string) => z.string({ error: expected(`the name of ${what}`) });

/** An orientation: unit quaternion [w, x, y, z] (normalised here), or a turn about an axis. */
export const orientation = z.union(
  [
    z
      .tuple([z.number(), z.number(), z.number(), z.number()])
      .refine((q) => q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 1e-12)
      .readonly(),
    z.strictObject({ axis: direction('an axis'), angle: real('an angle', 'rad') }).readonly(),
  ],
  { error: expected('an orientation: a quaternion [w, x, y, z] or { axis, angle in rad }') },
);

/** What people from other tools write, and what it is called here, where there is such a key. */
const CALLED_HERE: readonly (readonly [written: string, here: string, how: string])[] = [
  [
    'density',
    'material',
    'a density belongs to its material: material: { density: 500 } in kg/m³, or give mass and inertia',
  ],
  [
    'friction',
    'material',
    'friction belongs to its material, material: { ...steel, friction: 0.3 }, or to a pair: contacts: { pairs: [{ between: ["a", "b"], friction: 0.3 }] }',
  ],
  [
    'restitution',
    'material',
    'restitution belongs to its material, material: { ...steel, restitution: 0.8 }, or to a pair: contacts: { pairs: [{ between: ["a", "b"], restitution: 0.8 }] }',
  ],
  ['friction', 'defaults', 'that of all pairs is contacts: { defaults: { friction: 0.3 } }'],
  ['restitution', 'defaults', 'that of all pairs is contacts: { defaults: { restitution: 0.8 } }'],
  ['gain', 'kp', 'it is called "kp", in N m/rad or N/m; "kd" is that of the speed'],
  ['limits', 'stops', 'it is called "stops": { lower, upper, stiffness }'],
  ['range', 'stops', 'it is called "stops": { lower, upper, stiffness }'],
  ['stiffness', 'spring', 'it belongs to its spring: spring: { stiffness, rest }'],
  ['rotation', 'orientation', 'it is called "orientation": { axis: [0, 0, 1], angle: 0.5 } in rad'],
  ['static', 'fixed', 'it is called "fixed: true"'],
  ['parent', 'to', 'it is called "to"; leave it out for the ground'],
  ['child', 'body', 'it is called "body"'],
  ['stopTime', 'stop', 'it is called "stop", in s'],
  ['duration', 'stop', 'it is called "stop", in s'],
  ['tolerance', 'rtol', 'it is called "rtol"'],
  ['anchor', 'at', 'it is called "at", a point in the world as drawn'],
];

function calledHere(key: string, known: readonly string[]): string {
  const how = CALLED_HERE.find(([written, here]) => written === key && known.includes(here))?.[2];
  return how ? `; ${how}` : '';
}

/**
 * Checks `value`, throwing the first issue as a ModelError with the path into the user's model.
 *
 * @param path where `value` stands in the model, e.g. `bodies.rack[17]`
 */
export function check<Schema extends z.AnySchema>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = deepest(result.issues);
  const where = joinPath(path, issue.path);
  const { code, input, message, expected: wanted = '', values = [], keys: unknown = [] } = issue;
  if (message !== undefined && code !== 'unrecognized_keys') throw new ModelError(where, message);
  if (code === 'unrecognized_keys') {
    const [key] = unknown;
    const known = keysAt(schema, value, issue.path);
    throw new ModelError(
      where,
      `has no "${key}"${calledHere(key, known) || suggestion(key, known) || (known.length > 0 ? `; it knows ${known.join(', ')}` : '')}`,
    );
  }
  if (code === 'invalid_value') {
    const choices = values.map(String);
    const told = values.map((item) => (typeof item === 'string' ? `'${item}'` : String(item))).join(', ');
    throw new ModelError(
      where,
      `expected ${choices.length > 1 ? 'one of ' : ''}${told}, got ${shown(input)}${suggestion(String(input), choices)}`,
    );
  }
  if (code === 'invalid_type' && wanted === 'object') {
    const keys = keysAt(schema, value, issue.path);
    throw new ModelError(
      where,
      `expected ${keys.length > 0 ? `an object such as { ${keys.join(', ')} }` : 'an object'}, got ${shown(input)}`,
    );
  }
  if (wanted !== '')
    throw new ModelError(where, `expected ${code === 'invalid_type' ? article(wanted) : wanted}, got ${shown(input)}`);
  throw new ModelError(where, unknownKind(issue) ?? `got ${shown(input)}, which is nothing that can stand here`);
}

type Issue = z.Issue;

/** Where a model has what was written in another place */
const KEPT_IN = { constraints: 'gear rod pointOnPlane rollingWheel', forces: 'spring lineForce bushing applied' };

/** What to say of a `kind` that is none of those a place takes; undefined of other issues. */
function unknownKind(issue: Issue): string | undefined {
  if (issue.code !== 'invalid_union' || !issue.values) return undefined;
  const kinds = issue.values.map(String);
  const given = (issue.input as { kind?: unknown } | undefined)?.kind;
  const [place] = Object.entries(KEPT_IN).find(([, kept]) => kept.split(' ').includes(String(given))) ?? [];
  return `expected one of ${kinds.join(', ')}, got ${shown(given)}${
    place ? `; a ${given} stands in the model's ${place}` : suggestion(String(given), kinds)
  }`;
}

/** The issue furthest inside: in a union that of the variant the user meant. */
function deepest(issues: readonly Issue[]): Issue {
  const flat = issues.map((issue) => {
    const { errors = [] } = issue;
    if (errors.length === 0) return issue;
    const meant = errors.filter(isMeant);
    if (meant.length !== 1 && issue.message !== undefined) return issue;
    const inner = deepest(meant.length === 1 ? meant[0] : errors.flat());
    return { ...inner, path: [...issue.path, ...inner.path] } as Issue;
  });
  return flat.reduce((best, issue) => (issue.path.length > best.path.length ? issue : best));
}

/** The value is such a variant but for something inside: it is an object or array as wanted, and of this kind. */
const isMeant = (issues: readonly Issue[]): boolean =>
  issues.every(({ code, path }) => (path.length === 0 ? code === 'unrecognized_keys' : path[0] !== 'kind'));

/** `bodies.rack` + [17, 'shape'] → `bodies.rack[17].shape` */
export function joinPath(path: string, rest: readonly PropertyKey[]): string {
  return rest.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    path,
  );
}

/** Keys that the object at `path` inside the schema knows, for suggestions; empty where that cannot be told. */
function keysAt(schema: z.AnySchema, value: unknown, path: readonly PropertyKey[]): string[] {
  let here: z.AnySchema | undefined = schema;
  let given = value;
  for (const key of path) {
    here = chosen(here, given);
    if (here instanceof z.ObjectSchema) here = here.shape[String(key)] as z.AnySchema | undefined;
    else if (here instanceof z.ArraySchema) here = here.element;
    else here = undefined;
    if (!here) return [];
    given = (given as Record<PropertyKey, unknown> | undefined)?.[key];
  }
  here = chosen(here, given);
  return here instanceof z.ObjectSchema ? Object.keys(here.shape) : [];
}

/** What is inside optional and the like; of a union the object of the kind that was given, or its array. */
function chosen(schema: z.AnySchema, given: unknown): z.AnySchema {
  const inner = unwrapped(schema);
  if (!(inner instanceof z.UnionSchema)) return inner;
  const options = (inner.options as readonly z.AnySchema[]).map((option) => chosen(option, given));
  const found = options.find((option) => {
    if (Array.isArray(given)) return option instanceof z.ArraySchema;
    if (!(option instanceof z.ObjectSchema)) return false;
    const kind = (option.shape as Record<string, z.AnySchema>).kind;
    return kind === undefined || kind.safeParse((given as { kind?: unknown } | undefined)?.kind).success;
  });
  return found ?? inner;
}

function unwrapped(schema: z.AnySchema): z.AnySchema {
  let inner: z.AnySchema = schema;
  while (inner instanceof z.OptionalSchema || inner instanceof z.ReadonlySchema || inner instanceof z.DefaultSchema)
    inner = inner.unwrap() as z.AnySchema;
  return inner;
}

const article = (type: string): string => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
