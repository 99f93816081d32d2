/**
 * What a generator asks for: every parameter with its default, limits and unit, said once. From the table come the check of what a user gives,
 * the canonical form (defaults filled in, keys in the order of the table) from which ids are made, and the options of the command line.
 */
import { ModelError, suggestion } from '../errors.js';
import { Hash } from '../math/hash.js';

export interface NumberRule {
  readonly kind: 'number';
  readonly default: number;
  readonly least: number;
  readonly most: number;
  /** Empty for pure numbers */
  readonly unit: string;
  readonly whole?: boolean;
  readonly text: string;
}
export interface ChoiceRule<Choice extends string = string> {
  readonly kind: 'choice';
  readonly default: Choice;
  readonly of: readonly Choice[];
  readonly text: string;
}
/** Pairs of numbers, such as the points of a profile; none unless given */
export interface PairsRule {
  readonly kind: 'pairs';
  readonly default: readonly (readonly [number, number])[];
  readonly unit: string;
  readonly text: string;
}
export type Rule = NumberRule | ChoiceRule | PairsRule | Rules;
export interface Rules {
  readonly [name: string]: Rule;
}

/** What a user may give: any part of it. */
export type Given<R extends Rules> = {
  readonly [K in keyof R]?: R[K] extends NumberRule
    ? number
    : R[K] extends ChoiceRule<infer C>
      ? C
      : R[K] extends PairsRule
        ? readonly (readonly [number, number])[]
        : R[K] extends Rules
          ? Given<R[K]>
          : never;
};
/** All of it, checked. */
export type Filled<R extends Rules> = {
  readonly [K in keyof R]: R[K] extends NumberRule
    ? number
    : R[K] extends ChoiceRule<infer C>
      ? C
      : R[K] extends PairsRule
        ? readonly (readonly [number, number])[]
        : R[K] extends Rules
          ? Filled<R[K]>
          : never;
};

export const number = (fallback: number, least: number, most: number, unit: string, text: string): NumberRule => ({
  kind: 'number',
  default: fallback,
  least,
  most,
  unit,
  text,
});
export const whole = (fallback: number, least: number, most: number, text: string): NumberRule => ({
  ...number(fallback, least, most, '', text),
  whole: true,
});
export const choice = <C extends string>(of: readonly C[], text: string, fallback = of[0]): ChoiceRule<C> => ({
  kind: 'choice',
  default: fallback,
  of,
  text,
});
export const pairs = (unit: string, text: string): PairsRule => ({ kind: 'pairs', default: [], unit, text });

const isRule = (rule: Rule): rule is NumberRule | ChoiceRule | PairsRule => typeof rule.kind === 'string';

/**
 * Checks what was given and fills in the rest.
 *
 * @throws ModelError naming the parameter, its limits with their unit, and what came
 */
export function fill<R extends Rules>(path: string, rules: R, given: Given<R> = {}): Filled<R> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ModelError(path, `expected parameters { ${Object.keys(rules).join(', ')} }, got ${String(given)}`);
  for (const name of Object.keys(given))
    if (!Object.hasOwn(rules, name))
      throw new ModelError(
        `${path}.${name}`,
        `there is no such parameter${suggestion(name, Object.keys(rules)) || `; there are ${Object.keys(rules).join(', ')}`}`,
      );
  const result: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = (given as Record<string, unknown>)[name];
    const at = `${path}.${name}`;
    if (!isRule(rule)) result[name] = fill(at, rule, (value ?? {}) as Given<Rules>);
    else result[name] = value === undefined ? rule.default : checked(at, rule, value);
  }
  return result as Filled<R>;
}

function checked(path: string, rule: NumberRule | ChoiceRule | PairsRule, value: unknown): unknown {
  if (rule.kind === 'choice') {
    if (typeof value === 'string' && rule.of.includes(value)) return value;
    throw new ModelError(
      path,
      `expected one of ${rule.of.join(', ')}, got ${JSON.stringify(value)}${suggestion(String(value), rule.of)}`,
    );
  }
  if (rule.kind === 'pairs') {
    const fine =
      Array.isArray(value) &&
      value.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((x) => Number.isFinite(x)));
    if (!fine) throw new ModelError(path, `expected pairs of numbers in ${rule.unit}, got ${JSON.stringify(value)}`);
    return value;
  }
  const fits = typeof value === 'number' && value >= rule.least && value <= rule.most;
  if (fits && (!rule.whole || Number.isInteger(value))) return value === 0 ? 0 : value; // one zero
  const unit = rule.unit && ` ${rule.unit}`;
  throw new ModelError(
    path,
    `expected ${rule.whole ? 'a whole number' : 'a number'} from ${rule.least}${unit} to ${rule.most}${unit}, got ${String(value)}`,
  );
}

/** Shortest decimals that read back as the same doubles, keys sorted: equal parameters, equal text. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalText(inner)}`)
      .join(',')}}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`;
  return JSON.stringify(value);
}

/** 16 hexadecimal digits from kind, version of the generator and canonical parameters. */
export const assetId = (kind: string, version: number, parameters: unknown): string =>
  new Hash().text(`${kind} ${version} ${canonicalText(parameters)}`).hex();

/** `grouser.count`, rule by rule, in the order of the table. */
export function* flatRules(rules: Rules, prefix = ''): Generator<[string, NumberRule | ChoiceRule | PairsRule]> {
  for (const [name, rule] of Object.entries(rules))
    if (isRule(rule)) yield [prefix + name, rule];
    else yield* flatRules(rule, `${prefix}${name}.`);
}

/** A generated thing: what a cache keeps of it. */
export interface Asset {
  /** wheel, surface, rock, field */
  readonly kind: string;
  readonly id: string;
  /** `<kind>_<id>` */
  readonly name: string;
  /** Canonical: defaults filled in */
  readonly parameters: unknown;
}
