import { describe, expect, test } from 'vitest';
import type { CadProfile } from './cad-document.js';
import { readDxf } from './dxf-read.js';
import { writeDxf } from './dxf-write.js';
import { writeSvg } from './svg-write.js';

const triangle: CadProfile['profile']['outer'] = [[0, 0], [0.03, 0], [0, 0.04]]; // biome-ignore format: one line
const hole: CadProfile['profile']['outer'] = [[0.005, 0.005], [0.005, 0.01], [0.01, 0.005]]; // biome-ignore format: one line
const plate = (name: string): CadProfile => ({ name, profile: { outer: triangle, holes: [hole] } });
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('writeDxf', () => {
  test('is made of pairs of lines, with unique handles below the seed and owners that exist', () => {
    const lines = text(writeDxf([plate('a'), plate('b')], { unit: 'mm' }))
      .trimEnd()
      .split('\n');
    expect(lines.length % 2).toBe(0);
    const groups = Array.from(
      { length: lines.length / 2 },
      (_, i) => [Number(lines[2 * i]), lines[2 * i + 1]] as const,
    );
    const seed = groups.findIndex(([, value]) => value === '$HANDSEED') + 1;
    const handles = groups.filter(([code], i) => (code === 5 || code === 105) && i !== seed).map(([, value]) => value);
    expect(new Set(handles).size).toBe(handles.length);
    for (const handle of handles)
      expect(Number.parseInt(handle, 16)).toBeLessThan(Number.parseInt(groups[seed][1], 16));
    for (const [code, value] of groups)
      if ([330, 340, 350, 390].includes(code) && value !== '0') expect(handles).toContain(value);
    for (const [code] of groups) expect(Number.isInteger(code)).toBe(true);
    const sections = groups.flatMap(([, value], i) => (value === 'SECTION' ? [groups[i + 1][1]] : []));
    expect(sections).toEqual(['HEADER', 'CLASSES', 'TABLES', 'BLOCKS', 'ENTITIES', 'OBJECTS']);
    expect(lines).toContain('30.0');
  });

  test('names become layers: forbidden characters replaced, equal ones numbered, others escaped', () => {
    const names = ['a/b', 'a_b', 'A_B', '', '0', 'ä', 'line\nbreak', '<|>'];
    const { profiles } = readDxf(writeDxf(names.map(move)), { fileName: 'a.dxf' });
    expect(profiles.map(({ name }) => name)).toEqual(['a_b', 'a_b_2', 'A_B_3', '0', '0_2', 'ä', 'line_break', '___']);
  });

  test('refuses what is no coordinate or no unit', () => {
    const broken: CadProfile = { name: 'a', profile: { outer: [[0, 0], [Number.NaN, 0], [0, 1]], holes: [] } }; // biome-ignore format: one line
    expect(() => writeDxf([broken])).toThrow('profiles[0].outer[1]: expected finite coordinates in m, got (NaN, 0)');
    expect(() => writeSvg([broken])).toThrow('profiles[0].outer[1]: expected finite coordinates in m, got (NaN, 0)');
    expect(() => writeDxf([], { unit: 'yd' as 'm' })).toThrow('writeDxf.unit: expected one of m, cm, mm');
  });
});

describe('writeSvg', () => {
  test('true size in mm, y upwards, holes by the even-odd rule', () => {
    expect(text(writeSvg([plate('plate')], { margin: 1e-3, strokeWidth: 1e-4 }))).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="32mm" height="42mm" viewBox="-1 -41 32 42">',
        '<g fill="#d0d7de" fill-rule="evenodd" stroke="#000000" stroke-width="0.1" stroke-linejoin="round">',
        '<path id="plate" d="M0,0 L30,0 L0,-40 Z M5,-5 L5,-10 L10,-5 Z"><title>plate</title></path>',
        '</g>',
        '</svg>',
        '',
      ].join('\n'),
    );
  });

  test('inches and centimetres; other units are no lengths of SVG', () => {
    expect(text(writeSvg([plate('a')], { unit: 'in', margin: 0.0254 }))).toContain('width="3.18110236220472in"');
    expect(text(writeSvg([plate('a')], { unit: 'cm', margin: 0 }))).toContain('viewBox="0 -4 3 4"');
    expect(() => writeSvg([plate('a')], { unit: 'ft' })).toThrow('writeSvg.unit: expected mm, cm or in');
    expect(() => writeSvg([plate('a')], { margin: -1 })).toThrow('writeSvg.margin: expected a length ≥ 0 m, got -1');
  });

  test('names are escaped, ids are XML names and unique', () => {
    const svg = text(writeSvg(['<a & "b">', 'x\u0000y', '1 x', '1 x', 'ä'].map(plate)));
    expect(svg).toContain('<title>&lt;a &amp; &quot;b&quot;&gt;</title>');
    expect([...svg.matchAll(/id="([^"]*)"/g)].map(([, id]) => id)).toEqual(['_a____b__', 'x_y', '_1_x', '_1_x-2', 'ä']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is left is the point
    expect(svg).not.toMatch(/[\u0000-\u0008]/);
  });

  test('no profiles make an empty picture', () => {
    expect(text(writeSvg([]))).toContain('viewBox="0 0 0 0"');
  });
});

/** Side by side, so that they do not touch. */
function move(name: string, i: number): CadProfile {
  return { name, profile: { outer: triangle.map(([x, y]) => [x + i, y] as const), holes: [] } };
}
