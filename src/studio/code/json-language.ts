/**
 * What the editor knows of JSON models, from the published schema: which keys and values may stand at a place, and what a key is. The text may be half written; CodeMirror's parser makes
 * a tree of any.
 */
import { jsonLanguage } from '@codemirror/lang-json';
import type { Completion, Completions, Told } from './language.js';

type SyntaxNode = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

/** As much of JSON Schema as model/json-schema.ts writes */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** Keys whose text is the name of a body, or of a joint */
const NAMES_BODY = ['body', 'to', 'from', 'on', 'reactionOn', 'between', 'exclude', 'sensors', 'joined', 'bodies'];
const NAMES_JOINT = ['joints', 'release', 'attach', 'joint'];

type Key = string | number;

export class JsonLanguage {
  constructor(private readonly schema: Schema) {}

  /** Keys where one may stand, values where one may. */
  completions(text: string, at: number): Completions | undefined {
    const tree = jsonLanguage.parser.parse(text);
    const node = tree.resolveInner(at, -1);
    const name = node.name === 'PropertyName' ? node : undefined;
    const property = name?.parent ?? ownerOf(node, at, text);
    if (name || property?.name === 'Object' || (node.name === '⚠' && node.parent?.name === 'Object')) {
      const object = name ? name.parent?.parent : property;
      if (!object) return undefined;
      return this.#keys(text, object, name, at);
    }
    const value = ['String', 'Number', 'True', 'False', 'Null'].includes(node.name) ? node : undefined;
    const path = pathOf(text, value ?? node, value ? undefined : at);
    return path && this.#values(text, path, value, at);
  }

  #keys(text: string, object: SyntaxNode, name: SyntaxNode | undefined, at: number): Completions | undefined {
    const path = pathOf(text, object);
    if (!path) return undefined;
    const present = keysOf(text, object).filter((key) => !name || key !== textOf(text, name));
    const given = shapeOfObject(text, object, name);
    const found = new Map<string, Schema>();
    for (const option of this.#at(path, text).flatMap((schema) => this.#options(schema)))
      if (fits(option, given)) for (const [key, own] of Object.entries(option.properties ?? {})) found.set(key, own);
    const needed = new Set(
      this.#at(path, text)
        .flatMap((schema) => this.#options(schema))
        .filter((option) => fits(option, given))
        .flatMap(({ required = [] }) => required),
    );
    const isNew = !name || !/^\s*:/.test(text.slice(name.to));
    const names = [...found]
      .filter(([key]) => !present.includes(key))
      .map(
        ([key, own]): Completion => ({
          label: key,
          kind: 'property',
          isFarther: !needed.has(key),
          detail: this.#words(own),
          insert: isNew ? `"${key}": ${this.#begin(own)}` : `"${key}"`,
        }),
      );
    return { from: name?.from ?? at, to: name?.to ?? at, names };
  }

  #values(text: string, path: readonly Key[], value: SyntaxNode | undefined, at: number): Completions {
    const options = this.#at(path, text).flatMap((schema) => this.#options(schema));
    const found = new Set<string>();
    for (const option of options) {
      for (const one of option.enum ?? (option.const === undefined ? [] : [option.const]))
        found.add(JSON.stringify(one));
      if (option.type === 'boolean') for (const one of ['true', 'false']) found.add(one);
    }
    const key = path.findLast((part) => typeof part === 'string');
    if (options.some(({ type }) => type === 'string') && typeof key === 'string') {
      const group = NAMES_BODY.includes(key) ? 'bodies' : NAMES_JOINT.includes(key) ? 'joints' : undefined;
      if (group !== undefined) for (const name of namesIn(text, group)) found.add(JSON.stringify(name));
      if (group === 'bodies' && ['to', 'from', 'reactionOn'].includes(key)) found.add('"ground"');
    }
    const names = [...found].map(
      (label): Completion => ({ label: label.replaceAll('"', ''), kind: 'constant', isFarther: false, insert: label }),
    );
    return { from: value?.from ?? at, to: value?.to ?? at, names };
  }

  /** Of the key under the pointer: what may stand there, with its unit */
  tell(text: string, at: number): Told | undefined {
    const node = jsonLanguage.parser.parse(text).resolveInner(at, 1);
    const name = node.name === 'PropertyName' ? node : undefined;
    if (!name) return undefined;
    const path = pathOf(text, name);
    const found = path ? this.#at(path, text) : [];
    if (found.length === 0) return undefined;
    const words = [...new Set(found.map((schema) => this.#words(schema)))].join(' or ');
    const listed = found.flatMap((schema) => this.#options(schema)).flatMap(({ enum: values = [] }) => values);
    return {
      from: name.from,
      to: name.to,
      type: `${textOf(text, name)}: ${words}`,
      text: listed.length > 0 ? listed.map(String).join(', ') : '',
    };
  }

  /** Schemas that may be meant at a path, by what stands around it */
  #at(path: readonly Key[], text: string): readonly Schema[] {
    const tree = jsonLanguage.parser.parse(text);
    let schemas: readonly Schema[] = [this.schema];
    let node: SyntaxNode | null = tree.topNode.firstChild;
    for (const key of path) {
      const given: unknown = node ? shapeOfObject(text, node) : undefined;
      const options = schemas.flatMap((schema) => this.#options(schema)).filter((option) => fits(option, given, key));
      schemas = options.flatMap(({ properties, additionalProperties, items, prefixItems, type }) => {
        if (typeof key === 'number') return type === 'array' ? [prefixItems?.[key] ?? items ?? []].flat() : [];
        const own = properties?.[key];
        return own ? [own] : typeof additionalProperties === 'object' ? [additionalProperties] : [];
      });
      node = node && childAt(text, node, key);
    }
    return schemas;
  }

  /** A schema as its alternatives, references looked up */
  #options(schema: Schema): readonly Schema[] {
    if (schema.$ref !== undefined) {
      const found = this.schema.$defs?.[schema.$ref.slice('#/$defs/'.length)];
      return found ? this.#options(found) : [];
    }
    const options = schema.anyOf ?? schema.oneOf;
    return options ? options.flatMap((option) => this.#options(option)) : [schema];
  }

  #words(schema: Schema): string {
    const unit = schema.description?.replace(/^in /, '');
    const options = this.#options(schema);
    const words = options.slice(0, 4).map((option) => {
      const said = option.description?.replace(/^in /, '') ?? unit;
      const what = option.const !== undefined ? JSON.stringify(option.const) : kindOf(option);
      return said ? `${what} ${said}` : what;
    });
    return [...new Set(words)].join(' or ') + (options.length > 4 ? ' or …' : '');
  }

  /** How a value of it begins */
  #begin(schema: Schema): string {
    const [first, ...others] = this.#options(schema);
    if (first?.const !== undefined) return others.length === 0 ? JSON.stringify(first.const) : '';
    if (first?.type === 'object') return others.every(({ type }) => type !== 'number') ? '{}' : '';
    if (first?.type === 'array') return '[]';
    return '';
  }
}

const kindOf = ({ type, enum: values, exclusiveMinimum, minimum, minItems, maxItems }: Schema): string => {
  if (values) return values.length > 4 ? 'one of a list' : values.map((one) => JSON.stringify(one)).join(', ');
  if (type === 'array' && minItems !== undefined && minItems === maxItems) return `${minItems} numbers`;
  if (type === 'number' || type === 'integer') {
    const what = type === 'integer' ? 'whole number' : 'number';
    return exclusiveMinimum !== undefined
      ? `${what} > ${exclusiveMinimum}`
      : minimum !== undefined
        ? `${what} ≥ ${minimum}`
        : what;
  }
  return type ?? 'anything';
};

/** Whether an object as far as it is written can be of this schema: it knows all its keys, and is of its kind. @param more a key that is asked about */
function fits({ type, properties = {}, additionalProperties }: Schema, given: unknown, more?: Key): boolean {
  if (typeof more === 'number' || Array.isArray(given)) return type === 'array' || type === undefined;
  if (type !== undefined && type !== 'object') return false;
  if (typeof given !== 'object' || given === null) return true;
  const keys = [...Object.keys(given), ...(more === undefined ? [] : [more])];
  if (additionalProperties === false && !keys.every((key) => key in properties)) return false;
  return Object.entries(given).every(([key, value]) => {
    const wanted = properties[key]?.const;
    return wanted === undefined || typeof value !== 'string' || value === wanted;
  });
}

// ---- the tree of the text -------------------------------------------------------------------------------------------------------

const textOf = (text: string, { from, to }: SyntaxNode): string => {
  const own = text.slice(from, to);
  try {
    return String(JSON.parse(own));
  } catch {
    return own.replace(/^"|"$/g, '');
  }
};

const children = (node: SyntaxNode, name: string): SyntaxNode[] => node.getChildren(name);
const VALUES = ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'];
const isValue = ({ name }: SyntaxNode): boolean => VALUES.includes(name);

const keysOf = (text: string, object: SyntaxNode): string[] =>
  children(object, 'Property').flatMap((property) => {
    const name = property.getChild('PropertyName');
    return name ? [textOf(text, name)] : [];
  });

/** Keys with their values where these are texts: what tells alternatives apart. */
function shapeOfObject(text: string, node: SyntaxNode, except?: SyntaxNode): unknown {
  if (node.name === 'Array') return [];
  if (node.name !== 'Object') return textOf(text, node);
  const found: Record<string, unknown> = {};
  for (const property of children(node, 'Property')) {
    const name = property.getChild('PropertyName');
    const value = property.getChild('String');
    if (name && (!except || name.from !== except.from))
      found[textOf(text, name)] = value ? textOf(text, value) : undefined;
  }
  return found;
}

function childAt(text: string, node: SyntaxNode, key: Key): SyntaxNode | null {
  if (typeof key === 'number') return valuesIn(node)[key] ?? null;
  const property = children(node, 'Property').find((one) => {
    const name = one.getChild('PropertyName');
    return name && textOf(text, name) === key;
  });
  return property ? (valuesIn(property)[0] ?? null) : null;
}

function valuesIn(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (isValue(child)) found.push(child);
  return found;
}

/** The object that a key would belong to, if one is begun here: right after { or a comma */
function ownerOf(node: SyntaxNode, at: number, text: string): SyntaxNode | undefined {
  const before = text.slice(0, at).trimEnd().at(-1);
  let own: SyntaxNode | null = node;
  while (own && own.name !== 'Object' && own.name !== 'Array') own = own.parent;
  return own?.name === 'Object' && (before === '{' || before === ',') ? own : undefined;
}

/** Keys from the model down to a node; of a place in the white space behind a colon, or in a list, that of the value it would be */
function pathOf(text: string, node: SyntaxNode, at?: number): Key[] | undefined {
  const path: Key[] = [];
  let own: SyntaxNode | null = node;
  if (at !== undefined && own.name === 'Array') path.unshift(valuesIn(own).filter(({ to }) => to <= at).length);
  while (own?.parent) {
    const parent: SyntaxNode = own.parent;
    if (own.name === 'Property') {
      const name = own.getChild('PropertyName');
      if (!name) return undefined;
      path.unshift(textOf(text, name));
    } else if (parent.name === 'Array' && isValue(own)) {
      const from = own.from;
      path.unshift(valuesIn(parent).findIndex((item) => item.from === from));
    }
    own = parent;
  }
  return path;
}

/** Names of a group's elements in the text, those of lists with their numbers */
function namesIn(text: string, group: string): string[] {
  const top = jsonLanguage.parser.parse(text).topNode.firstChild;
  const own = top && childAt(text, top, group);
  if (!own) return [];
  return keysOf(text, own).flatMap((name) => {
    const value = childAt(text, own, name);
    return value?.name === 'Array' ? valuesIn(value).map((_, i) => `${name}[${i}]`) : [name];
  });
}

/** Where a path such as `bodies.rack[2].shape.sphere.radius` stands in the text: its last key that is there, or the item of a list. */
export function placeOfPath(text: string, path: string): { readonly from: number; readonly to: number } {
  let node: SyntaxNode | null = jsonLanguage.parser.parse(text).topNode.firstChild;
  let range = { from: 0, to: Math.min(1, text.length) };
  for (const part of path.split(/\.|(?=\[)/).filter(Boolean)) {
    const index = /^\[(\d+)\]$/.exec(part)?.[1];
    const key = index === undefined ? part.replace(/^\["|"\]$/g, '') : Number(index);
    const child: SyntaxNode | null = node && childAt(text, node, key);
    if (!child) break;
    const name = child.parent?.name === 'Property' ? child.parent.getChild('PropertyName') : undefined;
    range = name ?? { from: child.from, to: Math.min(child.to, text.indexOf('\n', child.from) + 1 || child.to) };
    node = child;
  }
  return { from: range.from, to: range.to };
}
