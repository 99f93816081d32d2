import { describe, expect, test } from 'vitest';
import { svgOf } from '../../../tests/fixtures/svg.js';
import { profileArea } from '../polygon-measure.js';
import { readSvg } from './svg-read.js';
import { writeSvg } from './svg-write.js';

const read = (inside: string, head?: string) => readSvg(svgOf(inside, head), { fileName: 'drawing.svg' });
/** mm² of all profiles */
const area = (inside: string, head?: string): number =>
  1e6 * read(inside, head).profiles.reduce((sum, { profile }) => sum + profileArea(profile), 0);

describe('readSvg', () => {
  // In mm, by the head that svgOf gives; areas by their closed forms. Curves are fitted within 1e-4 of their size.
  test.each<[string, string, number, number]>([
    ['a rectangle', '<rect x="1" y="2" width="3" height="4"/>', 12, 12],
    ['a round one', '<rect width="4" height="4" rx="1"/>', 16 - (4 - Math.PI), 12],
    ['a circle', '<circle cx="5" cy="5" r="2"/>', 4 * Math.PI, 12],
    ['an ellipse', '<ellipse cx="5" cy="5" rx="3" ry="1"/>', 3 * Math.PI, 2],
    ['a circle that is stretched', '<g transform="scale(2 1)"><circle r="1"/></g>', 2 * Math.PI, 2],
    ['a polygon', '<polygon points="0,0 4,0 4,3"/>', 6, 12],
    ['a polyline that comes back', '<polyline points="0,0 4,0 4,3 0,0"/>', 6, 12],
    ['a path of lines', '<path d="M0 0H4v3L0 3z"/>', 12, 12],
    ['numbers that lean on each other', '<path d="M0,0l4,0-0-3-4.0.0z"/>', 12, 12],
    ['more than one pair after M', '<path d="m0 0 4 0 0 3 -4 0z"/>', 12, 12],
    ['half a disc, flags without spaces', '<path d="M-1 0a1 1 0 012 0z"/>', Math.PI / 2, 12],
    ['three quarters of a disc', '<path d="M0 0L1 0A1 1 0 1 1 0 -1z"/>', 0.75 * Math.PI, 12],
    ['radii that are too small grow', '<path d="M-1 0A.1 .1 0 0 1 1 0z"/>', Math.PI / 2, 12],
    // under a Bézier curve with handles at (0, 1) and (1, 1): ∫ = 3/5 · … = 0.6
    ['a cubic curve', '<path d="M0 0C0 1 1 1 1 0z"/>', 0.6, 3],
    ['a quadratic and its smooth follower', '<path d="M0 0Q1 2 2 0T4 0z"/>', Number.NaN, 0],
    ['a hole', '<path d="M0 0h4v4h-4z M1 1h2v2h-2z"/>', 12, 12],
    ['nested transforms', '<g transform="translate(9 9) rotate(30)"><rect width="2" height="2"/></g>', 4, 12],
  ])('%s', (_, inside, wanted, digits) => {
    if (Number.isNaN(wanted)) {
      // one half is above, the other below the axis: it crosses itself in (2, 0)
      expect(() => area(inside)).toThrow('crosses itself');
    } else expect(area(inside)).toBeCloseTo(wanted, digits);
  });
  test('y goes up, and the scale is that of the head', () => {
    const { outer } = read('<path d="M0 0H4V3z"/>').profiles[0].profile;
    expect(Math.min(...outer.map(([, y]) => y))).toBeCloseTo(-3e-3, 15);
    expect(area('<rect width="96" height="96"/>', 'viewBox="0 0 96 96"')).toBeCloseTo(25.4 ** 2, 9);
    expect(area('<rect width="1" height="1"/>', 'width="2in" viewBox="0 0 10 10"')).toBeCloseTo(5.08 ** 2, 9);
  });
  test('a drawing in px says so: nobody makes brackets of a quarter of a millimetre by the number', () => {
    const square = '<rect width="9" height="9"/>';
    for (const head of [
      '',
      'width="100" height="50"',
      'width="100%" viewBox="0 0 9 9"',
      'width="90px" viewBox="0 0 9 9"',
    ])
      expect(read(square, head).notes).toEqual([expect.stringContaining('numbers taken as px, 96 to an inch')]);
    expect(read(square, 'width="90mm" viewBox="0 0 9 9"').notes).toEqual([]);
    expect(readSvg(svgOf(square, ''), { fileName: 'x.svg', unit: 'mm' }).notes).toEqual([]);
  });
  test('what is written comes back, arcs as arcs', () => {
    const profile = {
      outer: [
        [0, 0],
        [0.02, 0, 0.4],
        [0.02, 0.01],
        [0, 0.01, -0.3],
      ] as const,
      holes: [],
    };
    const [again] = readSvg(writeSvg([{ name: 'plate', profile }]), { fileName: 'x.svg' }).profiles;
    expect(again.name).toBe('plate');
    expect(profileArea(again.profile)).toBeCloseTo(profileArea(profile), 14);
    expect(again.profile.outer).toHaveLength(4);
  });
  test('what is hidden, open or a program is nothing', () => {
    const inside = '<defs><rect width="9" height="9"/></defs><script>alert(1)</script><path id="l" d="M0 0L9 9"/>';
    const { profiles, notes } = read(`${inside}<rect width="1" height="1"/>`);
    expect(profiles).toHaveLength(1);
    expect(notes).toEqual(['an open line of path "l" was left out']);
  });
  test.each([
    ['<html></html>', 'expected an <svg> drawing'],
    [svgOf('<path d="M0 0"/>'), 'has no closed outline'],
    [svgOf('<path d="M0 0L1"/>'), 'expected 2 numbers for each L, got 1'],
    [svgOf('<path d="M0 0B1 2z"/>'), 'expected a command such as M, L or A, got B'],
    [svgOf('<g transform="spin(3)"/>'), 'expected a transform'],
    ['<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', 'has a document type'],
  ])('refuses %s', (text, why) => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    expect(() => readSvg(bytes, { fileName: 'x.svg' })).toThrow(why);
  });
});

test('a unit that is not the one of the drawing is told', () => {
  const drawing = new TextEncoder().encode(
    '<svg width="40mm" height="20mm" viewBox="0 0 40 20"><rect width="40" height="20"/></svg>',
  );
  expect(readSvg(drawing, { fileName: 'plate.svg', unit: 'mm' }).notes).toEqual([]);
  expect(readSvg(drawing, { fileName: 'plate.svg', unit: 'm' }).notes).toEqual([
    'the drawing says that a unit of its numbers is 1 mm; they are taken as m, as asked for',
  ]);
});
