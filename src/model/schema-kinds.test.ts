import { describe, expect, test } from 'vitest';
import { check } from './schema.js';
import * as z from './schema-kinds.js';

const refused = (schema: z.AnySchema, value: unknown): string => {
  try {
    check(schema, value, 'it');
  } catch (error) {
    return (error as Error).message;
  }
  return 'taken';
};

describe('what is read', () => {
  test('known keys in the order of the schema, defaults filled in, frozen, nothing of the input kept', () => {
    const schema = z
      .strictObject({ a: z.number().default(2), list: z.array(z.number()).optional(), b: z.string().optional() })
      .readonly();
    const input = { b: 'x', list: [1] };
    const read = check(schema, input, 'it');
    expect(Object.keys(read)).toEqual(['a', 'list', 'b']);
    expect(read).toEqual({ a: 2, list: [1], b: 'x' });
    expect(Object.isFrozen(read)).toBe(true);
    expect(read.list).not.toBe(input.list);
    expect('list' in check(schema, {}, 'it')).toBe(false);
  });

  test('what is made of it, and only of what is right', () => {
    const schema = z.string().transform((text) => text.length);
    expect(check(schema, 'four', 'it')).toBe(4);
    expect(refused(schema, 4)).toBe('it: expected a string, got 4');
  });

  test('a body called __proto__ is no prototype', () => {
    const read = check(z.record(z.string(), z.number()), JSON.parse('{ "__proto__": 1, "a": 2 }'), 'it');
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(read).toEqual({ a: 2 });
  });
});

describe('what is refused', () => {
  const arm = z.strictObject({ kind: z.literal('arm'), length: z.number().positive() });
  const ball = z.strictObject({ kind: z.literal('ball'), radius: z.number() }).readonly();
  test.each<[string, z.AnySchema, unknown, string]>([
    ['no number', z.number(), Number.NaN, 'it: expected a number, got NaN'],
    ['infinity', z.number(), Number.POSITIVE_INFINITY, 'it: expected a number, got Infinity'],
    ['no whole number', z.int(), 1.5, 'it: expected a whole number, got 1.5'],
    ['too little', z.int().min(6), 3, 'it: expected a whole number ≥ 6, got 3'],
    ['too much', z.number().max(1), 2, 'it: expected a number ≤ 1, got 2'],
    ['too few', z.array(z.number()).min(2), [1], 'it: expected at least 2 entries, got [1]'],
    ['another length', z.tuple([z.number(), z.number()]), [1], 'it: expected 2 entries, got [1]'],
    ['inside a list', z.array(z.tuple([z.number()])), [[1], ['x']], 'it[1][0]: expected a number, got "x"'],
    [
      'a choice',
      z.enum(['left', 'right']),
      'rihgt',
      `it: expected one of 'left', 'right', got "rihgt"; did you mean "right"?`,
    ],
    ['an unknown key', arm, { kind: 'arm', lenght: 1, length: 1 }, 'it: has no "lenght"; did you mean "length"?'],
    [
      'a kind',
      z.discriminatedUnion('kind', [arm, ball]),
      { kind: 'bal' },
      'it.kind: expected one of arm, ball, got "bal"; did you mean "ball"?',
    ],
    [
      'inside a kind',
      z.discriminatedUnion('kind', [arm, ball]),
      { kind: 'arm', length: 0 },
      'it.length: expected a number > 0, got 0',
    ],
    [
      'the variant that was meant',
      z.union([z.string(), arm]),
      { kind: 'arm', length: -1 },
      'it.length: expected a number > 0, got -1',
    ],
    [
      'no variant',
      z.union([z.string(), z.boolean()], { error: 'expected a word or yes' }),
      3,
      'it: expected a word or yes',
    ],
    [
      'a Map where names stand',
      z.record(z.string(), z.number()),
      new Map([['a', 1]]),
      'it: expected an object, got {}',
    ],
    [
      'a rule of its own',
      z.number().refine((x) => x % 2 === 0, { error: 'expected an even number' }),
      3,
      'it: expected an even number',
    ],
  ])('%s', (_, schema, value, message) => {
    expect(refused(schema, value)).toBe(message);
  });

  test('a rule looks only at what is of its kind', () => {
    const schema = z.strictObject({ at: z.number() }).refine(({ at }) => at.toFixed(0) === '1', { error: 'not one' });
    expect(refused(schema, { at: 'x' })).toBe('it.at: expected a number, got "x"');
    expect(refused(schema, { at: 2 })).toBe('it: not one');
  });
});
