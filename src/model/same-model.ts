/** Where two models differ: the same run comes of two that do not. */
import type { Model } from './model.js';
import { dataOf } from './motion-data.js';

/**
 * The path of the first difference, to the last bit of every number and triangle; undefined if there is none. Functions are the same if they are one, or made of the same data.
 *
 * @param ignore paths whose elements are not looked at, e.g. `joints.crank`
 */
export function firstDifference(a: Model, b: Model, ignore: readonly string[] = []): string | undefined {
  return difference(a, b, '', new Set(ignore));
}

function difference(a: unknown, b: unknown, path: string, ignore: ReadonlySet<string>): string | undefined {
  // −0 and 0 are one number for us: JSON has no −0
  if (a === b || ignore.has(path)) return undefined;
  if (typeof a === 'function' && typeof b === 'function')
    return difference(dataOf(a) ?? a, dataOf(b) ?? b, path, ignore);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return path;
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return sameNumbers(a, b) ? undefined : path;
  if (a instanceof Map && b instanceof Map) return ofEntries([...a], [...b], path, ignore);
  const given = (value: object): [string, unknown][] => Object.entries(value).filter(([, item]) => item !== undefined);
  return ofEntries(given(a).sort(byName), given(b).sort(byName), path, ignore);
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

function ofEntries(
  a: readonly [string, unknown][],
  b: readonly [string, unknown][],
  path: string,
  ignore: ReadonlySet<string>,
): string | undefined {
  const inside = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const looked = ([key]: [string, unknown]): boolean => !ignore.has(inside(key));
  const [first, second] = [a.filter(looked), b.filter(looked)];
  for (const [i, [key, value]] of first.entries()) {
    if (second[i]?.[0] !== key) return inside(key);
    const found = difference(value, second[i][1], inside(key), ignore);
    if (found !== undefined) return found;
  }
  return second.length > first.length ? inside(second[first.length][0]) : undefined;
}

function sameNumbers(a: ArrayBufferView, b: ArrayBufferView): boolean {
  const [p, q] = [a as unknown as ArrayLike<number>, b as unknown as ArrayLike<number>];
  if (p.length !== q.length) return false;
  for (let i = 0; i < p.length; i++) if (p[i] !== q[i]) return false;
  return true;
}
