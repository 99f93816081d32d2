/** Sets one value of the model, wherever it stands: a size, a material, a speed. */
import { ModelError } from '../../errors.js';
import { type Data, type JsonModel, withModel } from '../document/document.js';
import type { Command } from './command.js';
import { placeInList } from './elements.js';

export interface SetValue {
  /** Keys from the model down: ['bodies', 'drive', 'shape', 'cylinder', 'radius'] */
  readonly path: readonly (string | number)[];
  /** Undefined takes it away. */
  readonly value: Data | undefined;
  /** What undo says */
  readonly label?: string;
}

export const setValue: Command<SetValue> = {
  name: 'set-value',
  label: ({ path, label }) => label ?? `Change ${path.slice(1).join('.')}`,
  apply: (document, { path, value }) =>
    withModel(document, (model) => changed(model as Data, path.flatMap(intoList), value, 'model') as JsonModel),
};

/** `rack[3]` is the fourth of the list `rack`. */
const intoList = (key: string | number): readonly (string | number)[] =>
  (typeof key === 'string' && placeInList(key)) || [key];

function changed(
  tree: Data | undefined,
  path: readonly (string | number)[],
  value: Data | undefined,
  at: string,
): Data {
  const [key, ...rest] = path;
  if (key === '__proto__' || key === 'constructor')
    throw new ModelError(`${at}.${key}`, 'is no key of a model; take another name');
  if (Array.isArray(tree)) {
    const list: Data[] = [...tree];
    const item = rest.length > 0 ? changed(list[Number(key)], rest, value, `${at}[${key}]`) : value;
    if (item === undefined) list.splice(Number(key), 1);
    else list[Number(key)] = item;
    return list;
  }
  const record = typeof tree === 'object' && tree !== null ? (tree as { readonly [key: string]: Data }) : {};
  const item = rest.length > 0 ? changed(record[key], rest, value, `${at}.${key}`) : value;
  const { [key]: _, ...others } = record;
  if (item === undefined) return others;
  return key in record ? { ...record, [key]: item } : { ...others, [key]: item };
}
