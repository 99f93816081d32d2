/**
 * Documents from files and links, which may come from anybody: read as data within limits, refused with the path where they go beyond, never run. Records without a prototype,
 * so that no key means more than itself.
 */
import { ModelError } from '../../errors.js';
import { type Data, type DataRecord, emptyDocument, frozen, type StudioDocument, VERSION } from './document.js';
import { migrated } from './migrations.js';

/** Bytes of a document's text */
export const MOST_BYTES = 8 * 1024 * 1024;
const MOST_DEPTH = 32;
const MOST_BODIES = 20_000;
/** Young's modulus of diamond is 1.1e12 Pa, G M of the Earth 4e14 m³/s² */
const LARGEST = 1e15;

/** @throws ModelError with the path and what is wrong */
export function readDocument(text: string, name = 'document'): StudioDocument {
  if (text.length > MOST_BYTES)
    throw new ModelError(
      name,
      `expected at most ${MOST_BYTES / 1024 / 1024} MB of text, got ${(text.length / 1024 / 1024).toFixed(1)} MB`,
    );
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new ModelError(name, `is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  const data = plain(parsed, name, 0) as DataRecord;
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new ModelError(name, 'expected a document or a model { "bodies": … }');
  // A bare model, as the command line takes it
  if (data.format === undefined && typeof data.bodies === 'object') {
    checkBodies(data, name);
    const title = typeof data.title === 'string' ? data.title : name.replace(/(\.tippetop)?\.json$/, '');
    return frozen({ ...emptyDocument(title), source: { kind: 'scene', model: data as never } });
  }
  if (data.format !== 'tippetop-studio')
    throw new ModelError(
      `${name}.format`,
      `expected "tippetop-studio", got ${JSON.stringify(data.format)?.slice(0, 60)}`,
    );
  return frozen(checked(migrated(data, name, VERSION), name));
}

function checked(data: DataRecord, name: string): StudioDocument {
  const source = record(data.source, `${name}.source`);
  const base = emptyDocument(typeof data.title === 'string' ? data.title.slice(0, 200) : 'Untitled');
  const beside = {
    sketches: record(data.sketches ?? {}, `${name}.sketches`) as never,
    assets: record(data.assets ?? {}, `${name}.assets`) as never,
    plays: record(data.plays ?? {}, `${name}.plays`) as never,
    view: record(data.view ?? {}, `${name}.view`) as never,
  };
  if (source.kind === 'code') {
    if (typeof source.text !== 'string') throw new ModelError(`${name}.source.text`, 'expected the text of a program');
    return {
      ...base,
      ...beside,
      source: {
        kind: 'code',
        text: source.text,
        parameters: record(source.parameters ?? {}, `${name}.source.parameters`) as never,
      },
    };
  }
  if (source.kind !== 'scene')
    throw new ModelError(`${name}.source.kind`, `expected "scene" or "code", got ${JSON.stringify(source.kind)}`);
  const model = record(source.model, `${name}.source.model`);
  checkBodies(model, `${name}.source.model`);
  return { ...base, ...beside, source: { kind: 'scene', model: model as never } };
}

function record(value: Data | undefined, path: string): DataRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ModelError(path, 'expected an object { … }');
  return value as DataRecord;
}

function checkBodies(model: DataRecord, path: string): void {
  const bodies = record(model.bodies, `${path}.bodies`);
  const count = Object.values(bodies).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length : 1),
    0,
  );
  if (count > MOST_BODIES)
    throw new ModelError(`${path}.bodies`, `expected at most ${MOST_BODIES} bodies, got ${count}`);
}

/** The same data without prototypes; numbers, depth and keys within what a document may have */
function plain(value: unknown, path: string, depth: number): Data {
  if (depth > MOST_DEPTH) throw new ModelError(path.slice(0, 200), `is nested deeper than ${MOST_DEPTH}`);
  if (typeof value === 'number') {
    if (!(Math.abs(value) <= LARGEST)) throw new ModelError(path, `expected a number up to ${LARGEST}, got ${value}`);
    return value;
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((item, i) => plain(item, `${path}[${i}]`, depth + 1));
  const out: Record<string, Data> = Object.create(null);
  for (const [key, item] of Object.entries(value as object)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      throw new ModelError(`${path}.${key}`, 'is no key of a document');
    out[key] = plain(item, `${path}.${key}`, depth + 1);
  }
  // spread gives it an ordinary prototype again, for those who ask for one; the keys have been checked
  return { ...out };
}
