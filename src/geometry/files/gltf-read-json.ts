/** Values of a glTF file's JSON, each checked before it is used: the file may hold anything at all. */
import { FileError } from '../../errors.js';

export type JsonObject = { readonly [key: string]: unknown };

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60);

/** A list of objects such as `nodes`; empty if the file has none. */
export function objectsOf(object: JsonObject, key: string, file: string, where = ''): readonly JsonObject[] {
  const value = object[key];
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'object' || item === null || Array.isArray(item)))
    throw new FileError(file, where ? `${where}.${key}` : key, `expected a list of objects, got ${shown(value)}`);
  return value;
}

/** An object such as `attributes`; undefined if there is none. */
export function objectOf(object: JsonObject, key: string, where: string, file: string): JsonObject | undefined {
  const value = object[key];
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FileError(file, `${where}.${key}`, `expected an object, got ${shown(value)}`);
  return value as JsonObject;
}

export function textOf(object: JsonObject, key: string, where: string, file: string): string | undefined {
  const value = object[key];
  if (value === undefined || typeof value === 'string') return value;
  throw new FileError(file, `${where}.${key}`, `expected text, got ${shown(value)}`);
}

/** A whole number from `least`; undefined if there is none. */
export function countOf(object: JsonObject, key: string, where: string, file: string, least = 0): number | undefined {
  const value = object[key];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw new FileError(file, `${where}.${key}`, `expected a whole number from ${least}, got ${shown(value)}`);
}

/** The index of something in a list of `length`; undefined if there is none. */
export function indexOf(
  object: JsonObject,
  key: string,
  length: number,
  where: string,
  file: string,
): number | undefined {
  const value = countOf(object, key, where, file);
  if (value !== undefined && value >= length)
    throw new FileError(file, `${where}.${key}`, `expected an index below ${length}, got ${value}`);
  return value;
}

/** A list of indices such as `children`. */
export function indicesOf(
  object: JsonObject,
  key: string,
  length: number,
  where: string,
  file: string,
): readonly number[] {
  const value = object[key];
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((i) => Number.isInteger(i) && i >= 0 && i < length))
    throw new FileError(file, `${where}.${key}`, `expected a list of indices below ${length}, got ${shown(value)}`);
  return value;
}

/** A list of `length` finite numbers such as `translation`; undefined if there is none. */
export function numbersOf(
  object: JsonObject,
  key: string,
  length: number,
  where: string,
  file: string,
): readonly number[] | undefined {
  const value = object[key];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length !== length || !value.every(Number.isFinite))
    throw new FileError(file, `${where}.${key}`, `expected ${length} finite numbers, got ${shown(value)}`);
  return value;
}
