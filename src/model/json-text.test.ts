import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from './json-text.js';

describe('parseJson', () => {
  test('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text, 'm.json')).toEqual(JSON.parse(text));
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  // Mutants of a valid text: accepted exactly where the platform's own parser accepts them.
  test('accepts and refuses as JSON.parse does', () => {
    const sample = '{"a": [1, -2.5e-3, true], "b\\n": {"c": null, "d": "\\u00e9 é"}, "e": []}';
    const pieces = [...'{}[],:"\\0123456789.-+eE tfnu/\n', 'true', 'null', '\\u12', '1e5', '01', '""', '\u0001'];
    let refused = 0;
    fc.assert(
      fc.property(
        fc.nat(sample.length),
        fc.nat(3),
        fc.array(fc.constantFrom(...pieces), { maxLength: 3 }),
        (at, cut, put) => {
          const text = sample.slice(0, at) + put.join('') + sample.slice(at + cut);
          const attempt = (read: () => unknown): string => {
            try {
              return JSON.stringify(read());
            } catch (error) {
              return (error as Error).message.includes('stands twice') ? 'twice' : 'refused';
            }
          };
          const ours = attempt(() => parseJson(text, 'm.json'));
          if (ours === 'twice') return;
          if (ours === 'refused') refused++;
          expect(ours, text).toBe(attempt(() => JSON.parse(text)));
        },
      ),
      { seed: 12, numRuns: 2000 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  test.each([
    ['{\n  "bodies": {\n    "a": 1,\n  }\n}', 'line 3, column 11: a comma before "}"; JSON allows none there'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: expected "," or "}", got """'],
    ["{'a': 1}", 'line 1, column 2: expected a key in double quotes, got a single quote (JSON wants double ones)'],
    ['{a: 1}', 'line 1, column 2: expected a key in double quotes, got "a"'],
    ['{"a" 1}', 'line 1, column 6: expected ":" behind "a", got "1"'],
    ['{"a": .5}', 'line 1, column 7: expected a number such as -0.5 or 1e-3, got .5'],
    ['{"a": +1}', 'line 1, column 7: expected a number such as -0.5 or 1e-3, got +1'],
    ['{"a": NaN}', 'line 1, column 7: expected a value, got "NaN"'],
    ['{"a": 1} x', 'line 1, column 10: expected nothing behind the model, got "x"'],
    ['{\r\n"a": [1, 2\r\n', 'line 3, column 1: expected "," or "]", got the end of the file'],
    ['// mine\n{}', 'line 1, column 1: a comment; JSON has none, a TypeScript model has'],
    ['{"a": "x\n"}', 'line 1, column 7: this text has no closing quote'],
    ['{"a": "\\x"}', 'line 1, column 8: expected an escape'],
    ['{"a": 1,\n "a": 2}', 'line 2, column 2: "a" stands twice in this object; the first would be lost'],
    ['  \n', 'line 2, column 1: expected a model { "bodies": … }, got an empty file'],
    ['['.repeat(5000), 'brackets inside each other'],
  ])('%j', (text, message) => {
    expect(() => parseJson(text, 'm.json')).toThrow(message);
  });
  test('a byte order mark is no part of the text', () => {
    expect(parseJson('\uFEFF{"a": 1}', 'm.json')).toEqual({ a: 1 });
  });
});
