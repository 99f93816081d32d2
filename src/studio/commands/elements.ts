/** Elements of a model by their path, `bodies.drive`, and names for new ones. */
import { ModelError } from '../../errors.js';
import type { Data, DataRecord, JsonModel } from '../document/document.js';

/** Groups of the model whose elements have names, in the order a tree shows them */
export const GROUPS = ['bodies', 'joints', 'constraints', 'forces', 'events'] as const;
export type Group = (typeof GROUPS)[number];

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
export const GROUND = 'ground';

export const isRecord = (value: unknown): value is DataRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const elementsOf = (model: JsonModel, group: Group): DataRecord =>
  isRecord(model[group]) ? (model[group] as DataRecord) : {};

/** @throws ModelError where it is no name, or taken */
export function checkName(model: JsonModel, group: Group, name: string): void {
  if (!NAME.test(name) || name === GROUND)
    throw new ModelError(
      `${group}.${name}`,
      `expected a name of letters, digits, _ and -, beginning with a letter, other than "${GROUND}", got "${name}"`,
    );
  if (Object.hasOwn(elementsOf(model, group), name))
    throw new ModelError(`${group}.${name}`, `there is already one of that name; take another`);
}

/** `gear`, or `gear2`, `gear3` … where that is taken */
export function freeName(model: JsonModel, group: Group, wanted: string): string {
  const base = wanted.replace(/[^\p{L}\p{N}_-]/gu, '').replace(/^[^\p{L}_]+/u, '') || 'part';
  const taken = elementsOf(model, group);
  const isFree = (name: string): boolean => !Object.hasOwn(taken, name) && name !== GROUND;
  if (isFree(base)) return base;
  const stem = base.replace(/\d+$/, '') || base;
  for (let i = 2; ; i++) if (isFree(`${stem}${i}`)) return `${stem}${i}`;
}

/** A copy of the record with one entry more or another value; undefined takes it away. Order stays. */
export function withEntry(record: DataRecord | undefined, key: string, value: Data | undefined): DataRecord {
  const entries = Object.entries(record ?? {}).filter(([name]) => value !== undefined || name !== key);
  const at = entries.findIndex(([name]) => name === key);
  if (value !== undefined) {
    if (at >= 0) entries[at] = [key, value];
    else entries.push([key, value]);
  }
  return Object.fromEntries(entries);
}

export const withElement = (model: JsonModel, group: Group, name: string, value: Data | undefined): JsonModel =>
  ({ ...model, [group]: withEntry(elementsOf(model, group), name, value) }) as JsonModel;

/** `bodies.drive` → the two words of it */
export function partsOf(path: string): { readonly group: Group; readonly name: string } | undefined {
  const [group, name] = path.split('.', 2);
  return name !== undefined && (GROUPS as readonly string[]).includes(group)
    ? { group: group as Group, name }
    : undefined;
}

/** Names of the bodies among paths */
export const bodiesIn = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const parts = partsOf(path);
    return parts?.group === 'bodies' ? [parts.name] : [];
  });

export type Vector = readonly [number, number, number];

/** The vector of three numbers that stands there, or 0. */
export const vectorAt = (value: Data | undefined): Vector =>
  Array.isArray(value) && value.length === 3 && value.every((x) => typeof x === 'number')
    ? (value as unknown as Vector)
    : [0, 0, 0];
