import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isGlob, matchesGlob } from './signal-glob.js';

describe('patterns', () => {
  test.each([
    ['rack[*].position.x', 'rack[17].position.x', true],
    ['rack[*].position.x', 'rack[17].inner[2].position.x', false],
    ['rack[*].position.x', 'rack.position.x', false],
    ['rack[3].position.x', 'rack[3].position.x', true],
    ['rack[3].position.x', 'rack3.position.x', false],
    ['grid[*][*].height', 'grid[1][22].height', true],
    ['*.energy', 'ball.kinetic.energy', true],
    ['*.energy', 'ball.kinetic.energy2', false],
    ['*', 'anything[0].at all', true],
    ['ball.*', 'ball.position.z', true],
    ['ball.*', 'ballast.z', false],
    ['{a,b}.speed', 'b.speed', true],
    ['{a,b}.speed', 'c.speed', false],
    ['{a,b[*],c.{d,e}}.speed', 'c.e.speed', true],
    ['{a,b[*]}.speed', 'b[9].speed', true],
    ['a,b', 'a,b', true],
    ['x?', 'xy', true],
    ['x?', 'x', false],
    ['ball.v^2', 'ball.v^2', true],
    ['a.b', 'axb', false],
    ['µ*', 'µ-friction', true],
    ['', '', true],
  ])('%s against %s: %s', (pattern, name, expected) => {
    expect(matchesGlob(pattern)(name)).toBe(expected);
  });
  test('a name is a pattern of itself alone', () => {
    const name = fc.string({ unit: fc.constantFrom(...'ab.[]0123()+$^|/\\-_ é,') });
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(isGlob(a)).toBe(false);
        expect(matchesGlob(a)(a)).toBe(true);
        expect(matchesGlob(a)(b)).toBe(a === b);
      }),
      { seed: 5, numRuns: 500 },
    );
  });
  // Independent: matching by recursion over the pattern, as the definition says it.
  test('stars as defined', () => {
    const matches = (pattern: string, name: string): boolean => {
      if (pattern === '') return name === '';
      if (pattern[0] === '*')
        return matches(pattern.slice(1), name) || (name !== '' && matches(pattern, name.slice(1)));
      return name !== '' && (pattern[0] === '?' || pattern[0] === name[0]) && matches(pattern.slice(1), name.slice(1));
    };
    const letters = (all: string) => fc.string({ unit: fc.constantFrom(...all), maxLength: 7 });
    fc.assert(
      fc.property(letters('ab.*?'), letters('ab.'), (pattern, name) => {
        expect(matchesGlob(pattern)(name)).toBe(matches(pattern, name));
      }),
      { seed: 6, numRuns: 2000 },
    );
  });
  test.each([
    ['{a,b', 'never closed'],
    ['a}', 'closes no'],
  ])('%s is refused', (pattern, message) => {
    expect(() => matchesGlob(pattern)).toThrow(message);
  });
});
