import { expect, test } from 'vitest';
import { bodyLooks, lookOf } from './material-looks.js';

const part = (material?: string, colour?: readonly [number, number, number, number]) => ({
  shape: 0,
  ...(material && { material }),
  ...(colour && { colour }),
});

test('materials are known by the last word of their name that is', () => {
  expect(lookOf('stainless steel')).toBe(lookOf('steel'));
  expect(lookOf('Oak, dry')).toBe(lookOf('oak'));
  expect(lookOf('constructor')).toBeUndefined();
  expect(lookOf(undefined)).toBeUndefined();
});

test('metal shines and rubber does not; a colour of one’s own wins, with the gloss of the material', () => {
  const [[brass], [painted], [rubber], [plain]] = bodyLooks([
    { name: 'wheel', parts: [part('brass')] },
    { name: 'lever', parts: [part('steel', [1, 0, 0, 1])] },
    { name: 'foot', parts: [part('rubber')] },
    { name: 'other', parts: [part()] },
  ]);
  expect(brass.metal).toBeGreaterThan(0.3);
  expect(brass.colour[0]).toBeGreaterThan(brass.colour[2]);
  expect(painted.colour).toEqual([1, 0, 0, 1]);
  expect(painted.metal).toBe(lookOf('steel')!.metal);
  expect(rubber.roughness).toBeGreaterThan(2 * brass.roughness);
  expect(plain.metal).toBeLessThan(0.1);
});

test('a family is one colour, others of the same material are told apart by lightness', () => {
  const looks = bodyLooks(['rack[0]', 'rack[1]', 'cue'].map((name) => ({ name, parts: [part('ivory')] })));
  expect(looks[0]).toEqual(looks[1]);
  const lightness = looks.map(([{ colour }]) => colour[0] + colour[1] + colour[2]);
  expect(lightness[2]).toBeLessThan(0.9 * lightness[0]);
});
