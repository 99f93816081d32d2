/** Elements of a model by their path, `bodies.drive`, and names for new ones. */
import { ModelError } from '../../errors.js';
import type { Data, DataRecord, JsonModel } from '../document/document.js';

/** Groups of the model whose elements have names, in the order a tree shows them */
export const GROUPS = ['bodies', 'coilSprings', 'joints', 'constraints', 'forces', 'events'] as const;
export type Group = (typeof GROUPS)[number];

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
export const GROUND = 'ground';

export const isRecord = (value: unknown): value is DataRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const written = (model: JsonModel, group: Group): DataRecord =>
  isRecord(model[group]) ? (model[group] as DataRecord) : {};

/** By their full names: those of a list `rack: [ … ]` are `rack[0]`, `rack[1]`, … */
export function elementsOf(model: JsonModel, group: Group): DataRecord {
  const own = written(model, group);
  if (!Object.values(own).some(Array.isArray)) return own;
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((item: Data, i) => [`${name}[${i}]`, item] as const) : [[name, value] as const],
    ),
  );
}

/** `rack[3]` → ['rack', 3]; undefined for a name that is none of a list */
export function placeInList(name: string): readonly [list: string, index: number] | undefined {
  const found = /^([^[]+)\[(\d+)\]$/.exec(name);
  return found ? [found[1], Number(found[2])] : undefined;
}

/** @throws ModelError where it is no name, or taken */
export function checkName(model: JsonModel, group: Group, name: string): void {
  if (!NAME.test(name) || name === GROUND)
    throw new ModelError(
      `${group}.${name}`,
      `expected a name of letters, digits, _ and -, beginning with a letter, other than "${GROUND}", got "${name}"`,
    );
  if (Object.hasOwn(written(model, group), name))
    throw new ModelError(`${group}.${name}`, `there is already one of that name; take another`);
}

/** `gear`, or `gear2`, `gear3` … where that is taken */
export function freeName(model: JsonModel, group: Group, wanted: string): string {
  const base = wanted.replace(/[^\p{L}\p{N}_-]/gu, '').replace(/^[^\p{L}_]+/u, '') || 'part';
  const taken = written(model, group);
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

/** Undefined takes it away; those behind it in a list move up, and what speaks of them goes along. */
export function withElement(model: JsonModel, group: Group, name: string, value: Data | undefined): JsonModel {
  const own = written(model, group);
  const [list, index] = placeInList(name) ?? [];
  const items = list === undefined ? undefined : own[list];
  if (list === undefined || index === undefined || !Array.isArray(items))
    return { ...model, [group]: withEntry(own, name, value) } as JsonModel;
  if (value !== undefined)
    return { ...model, [group]: { ...own, [list]: items.map((item: Data, i) => (i === index ? value : item)) } };
  const rest = items.filter((_, i) => i !== index);
  const moved = { ...model, [group]: withEntry(own, list, rest.length > 0 ? rest : undefined) } as JsonModel;
  return withReferences(moved, group, (text) => {
    const after = /^([^[]+)\[(\d+)\](.*)$/s.exec(text);
    const i = Number(after?.[2]);
    return after?.[1] === list && i > index ? `${list}[${i - 1}]${after[3]}` : text;
  });
}

/** Keys under which joints are named; everywhere else it is bodies. */
const NAMES_JOINTS = ['joints', 'joint', 'release', 'attach'];

/** The model with every text replaced that may speak of an element of the group: joints are named by gears, events and plots, bodies by everybody. */
export function withReferences(model: JsonModel, group: Group, replace: (text: string) => string): JsonModel {
  if (group !== 'bodies' && group !== 'joints') return model;
  const spoken = (tree: Data | undefined, isJoint: boolean): Data | undefined => {
    if (typeof tree === 'string') return isJoint === (group === 'joints') ? replace(tree) : tree;
    if (Array.isArray(tree)) return tree.map((item: Data) => spoken(item, isJoint) as Data);
    if (!isRecord(tree)) return tree;
    return Object.fromEntries(
      Object.entries(tree).map(([key, value]) => [
        key,
        key === 'kind' ? value : spoken(value, isJoint || NAMES_JOINTS.includes(key)),
      ]),
    ) as DataRecord;
  };
  return Object.fromEntries(
    Object.entries(model).map(([key, value]) => [
      key,
      key === 'title' || key === 'bodies' ? value : spoken(value, key === 'plots' && group === 'joints'),
    ]),
  ) as JsonModel;
}

/** `bodies.drive` → the two words of it */
export function partsOf(path: string): { readonly group: Group; readonly name: string } | undefined {
  const [group, name] = path.split('.', 2);
  return name !== undefined && (GROUPS as readonly string[]).includes(group)
    ? { group: group as Group, name }
    : undefined;
}

/** Of a body as it is drawn; those that a coil spring brings, `spring[3]`, `springTop`, are of the spring. */
export function pathOfDrawn(model: JsonModel, body: string): string {
  if (Object.hasOwn(elementsOf(model, 'bodies'), body)) return `bodies.${body}`;
  const spring = Object.keys(elementsOf(model, 'coilSprings')).find((name) =>
    [`${name}Base`, `${name}Top`, `${name}[`].some((part) => body.startsWith(part)),
  );
  return spring === undefined ? `bodies.${body}` : `coilSprings.${spring}`;
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
