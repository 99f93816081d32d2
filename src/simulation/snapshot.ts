/**
 * All that an object holds, directly and through others, kept so that it can be put back in place: numbers, arrays, maps, sets, and which objects it refers to. Whoever adds a field
 * somewhere below need not tell anybody. Not seen are `#` fields and variables of closures: objects that have such, and change, are told apart.
 */
import { ModelError } from '../errors.js';
import { Arena } from '../kernels/arena.js';

/** Puts everything back as it was. @throws ModelError if memory has moved since */
export type Restore = () => void;

/** @param apart objects that are neither looked at nor changed */
export function holdings(root: object, apart: ReadonlySet<object>): Restore {
  const seen = new Set<object>(apart);
  const waiting: object[] = [root];
  const restores: Restore[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    waiting.push(value);
  };
  for (let held = waiting.pop(); held; held = waiting.pop()) restores.push(one(held, look));
  return () => {
    for (const restore of restores) restore();
  };
}

const nothing: Restore = () => undefined;

function one(held: object, look: (value: unknown) => void): Restore {
  if (ArrayBuffer.isView(held)) return numbers(held as Float64Array);
  if (held instanceof Arena) {
    const { buffer } = held;
    return () => {
      if (held.buffer !== buffer) throw new ModelError('restore', 'memory of the run has grown since the snapshot');
    };
  }
  if (held instanceof ArrayBuffer || held instanceof WeakMap || held instanceof WeakSet) return nothing;
  if (held instanceof Map) {
    const entries = [...held];
    for (const entry of entries) entry.forEach(look);
    return () => {
      held.clear();
      for (const [key, value] of entries) held.set(key, value);
    };
  }
  if (held instanceof Set) {
    const members = [...held];
    members.forEach(look);
    return () => {
      held.clear();
      for (const member of members) held.add(member);
    };
  }
  if (Array.isArray(held)) {
    held.forEach(look);
    if (Object.isFrozen(held)) return nothing;
    const values = held.slice();
    return () => {
      held.length = values.length;
      for (let i = 0; i < values.length; i++) held[i] = values[i];
    };
  }
  return fields(held as Record<string, unknown>, look);
}

function numbers(held: Float64Array): Restore {
  const values = held.slice();
  return () => held.set(values);
}

function fields(held: Record<string, unknown>, look: (value: unknown) => void): Restore {
  const isFrozen = Object.isFrozen(held);
  const names: string[] = [];
  const values: unknown[] = [];
  for (const name of Object.keys(held)) {
    const described = Object.getOwnPropertyDescriptor(held, name)!;
    if (!('value' in described)) continue;
    look(described.value);
    if (isFrozen || !described.writable) continue;
    names.push(name);
    values.push(described.value);
  }
  if (isFrozen) return nothing;
  return () => {
    for (let i = 0; i < names.length; i++) if (!Object.is(held[names[i]], values[i])) held[names[i]] = values[i];
    // what came later goes, as a value that was found once and kept
    const now = Object.keys(held);
    if (now.length > names.length) for (const name of now) if (!names.includes(name)) drop(held, name);
  };
}

function drop(held: Record<string, unknown>, name: string): void {
  const described = Object.getOwnPropertyDescriptor(held, name);
  if (described && 'value' in described && described.configurable && described.writable) delete held[name];
}
