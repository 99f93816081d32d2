import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { JsonLanguage, placeOfPath, type Schema } from './json-language.js';

const language = new JsonLanguage(
  JSON.parse(readFileSync(new URL('../../../schema/model.schema.json', import.meta.url), 'utf8')) as Schema,
);
/** `|` is the cursor */
const at = (marked: string): [string, number] => [marked.replace('|', ''), marked.indexOf('|')];
const offered = (marked: string): string[] =>
  language.completions(...at(marked))?.names.map(({ label }) => label) ?? [];
const applied = (marked: string, label: string): string => {
  const [text, place] = at(marked);
  const { from, to = place, names } = language.completions(text, place)!;
  return text.slice(0, from) + names.find((one) => one.label === label)!.insert + text.slice(to);
};

describe('keys and values that fit', () => {
  test('of the model, without those that are there', () => {
    const keys = offered('{ "bodies": {}, | }');
    expect(keys).toEqual(expect.arrayContaining(['joints', 'gravity', 'forces', 'contacts', 'simulation']));
    expect(keys).not.toContain('bodies');
  });
  test('of a body, in a list too, in the middle of a word, and of a text that ends here', () => {
    for (const text of [
      '{ "bodies": { "a": { | } } }',
      '{ "bodies": { "a": [{}, { "m|" }] } }',
      '{ "bodies": { "a": { |',
    ])
      expect(offered(text)).toEqual(expect.arrayContaining(['shape', 'material', 'mass', 'fixed', 'position']));
    expect(offered('{ "bodies": { | } }')).toEqual([]); // a name of one's own
  });
  test('shapes as long as none is chosen, then what goes with it', () => {
    expect(offered('{ "bodies": { "a": { "shape": { | } } } }')).toEqual(
      expect.arrayContaining(['sphere', 'box', 'subtract', 'mesh', 'file']),
    );
    const more = offered('{ "bodies": { "a": { "shape": { "sphere": {}, | } } } }');
    expect(more).toEqual(['rotate', 'translate', 'moves', 'colour']);
    expect(offered('{ "bodies": { "a": { "shape": { "subtract": [{ "cylinder": { "height": 1, | } }] } } } }')).toEqual(
      ['radius', 'segments'],
    );
  });
  test('of a joint of its kind', () => {
    const joint = (inside: string): string =>
      `{ "bodies": { "arm": {}, "ball": [{}, {}] }, "joints": { "j": { ${inside} } } }`;
    expect(offered(joint('"kind": |'))).toEqual(expect.arrayContaining(['revolute', 'prismatic', 'planar']));
    expect(offered(joint('"kind": "revolute", |'))).toEqual(expect.arrayContaining(['speed', 'motor', 'axis']));
    expect(offered(joint('"kind": "fixed", |'))).toEqual(['body', 'to', 'at']);
    expect(offered(joint('"kind": "fixed", "body": "|"'))).toEqual(['arm', 'ball[0]', 'ball[1]']);
    expect(offered(joint('"kind": "fixed", "to": "a|"'))).toContain('ground');
  });
  test('materials by name, true and false, choices', () => {
    expect(offered('{ "bodies": { "a": { "material": "st|" } } }')).toEqual(expect.arrayContaining(['steel', 'brass']));
    expect(offered('{ "bodies": { "a": { "fixed": | } } }')).toEqual(['true', 'false']);
    expect(offered('{ "gravity": | }')).toEqual(expect.arrayContaining(['earth', 'moon']));
    expect(offered('{ "bodies": { "a": {} }, "contacts": { "sensors": [["|"]] } }')).toEqual(['a']);
  });
  test('what is written', () => {
    expect(applied('{ "bodies": { "a": { "sh|" } } }', 'shape')).toBe('{ "bodies": { "a": { "shape": {} } } }');
    expect(applied('{ "bodies": { "a": { | } } }', 'mass')).toBe('{ "bodies": { "a": { "mass":  } } }');
    expect(applied('{ "bodies": { "a": { "ma|": "x" } } }', 'material')).toBe(
      '{ "bodies": { "a": { "material": "x" } } }',
    );
    expect(applied('{ "bodies": { "a": { "material": "b|" } } }', 'brass')).toBe(
      '{ "bodies": { "a": { "material": "brass" } } }',
    );
  });
});

test('a key tells what may stand there, with its unit', () => {
  const told = (marked: string): string | undefined => language.tell(...at(marked))?.type;
  expect(told('{ "bodies": { "a": { "shape": { "sphere": { "rad|ius": 1 } } } } }')).toBe('radius: number > 0 m');
  expect(told('{ "bodies": { "a": { "pos|ition": [] } } }')).toBe('position: 3 numbers m');
  expect(told('{ "joints": { "a": { "kind": "prismatic", "sp|eed": 1 } } }')).toBe('speed: number m/s');
  expect(told('{ "joints": { "a": { "kind": "revolute", "sp|eed": 1 } } }')).toBe('speed: number rad/s');
  expect(told('{ "nothing|": 1 }')).toBeUndefined();
});

test('a path stands where it is, not where the same word stands first', () => {
  const text = JSON.stringify(
    { bodies: { a: { shape: { box: { size: 1 } } }, shape: [{ mass: 1 }, { mass: 2 }] } },
    null,
    2,
  );
  const shown = (path: string): string => {
    const { from, to } = placeOfPath(text, path);
    return `${text.slice(0, from).split('\n').length}: ${text.slice(from, to).trim()}`;
  };
  expect(shown('bodies.a.shape.box.size')).toBe('6: "size"');
  expect(shown('bodies.shape[1].mass')).toBe('15: "mass"');
  expect(shown('bodies.shape[1]')).toBe('14: {');
  expect(shown('bodies.shape[1].radius')).toBe('14: {');
  expect(shown('nothing.of.it')).toBe('1: {');
});
