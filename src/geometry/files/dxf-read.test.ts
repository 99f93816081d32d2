import { describe, expect, test } from 'vitest';
import { FileError } from '../../errors.js';
import type { CadDocument } from './cad-document.js';
import { type DxfReadOptions, readDxf } from './dxf-read.js';

/** A drawing with these entities, given as lines separated by blanks: `0 LINE 8 0 10 0 …`. */
const file = (entities: string, before = ''): Uint8Array =>
  lines(`${before} 0 SECTION 2 ENTITIES ${entities} 0 ENDSEC 0 EOF`);
const lines = (text: string): Uint8Array => new TextEncoder().encode(text.trim().split(/\s+/).join('\n'));
const header = (unit: number): string => `0 SECTION 2 HEADER 9 $INSUNITS 70 ${unit} 0 ENDSEC`;
const line = (x1: number, y1: number, x2: number, y2: number, layer = '0'): string =>
  `0 LINE 8 ${layer} 10 ${x1} 20 ${y1} 11 ${x2} 21 ${y2}`;
const circle = (x: number, y: number, r: number, rest = '8 0'): string => `0 CIRCLE ${rest} 10 ${x} 20 ${y} 40 ${r}`;
const read = (bytes: Uint8Array, options: Partial<DxfReadOptions> = {}): CadDocument =>
  readDxf(bytes, { fileName: 'plate.dxf', ...options });
const messageOf = (bytes: Uint8Array, options: Partial<DxfReadOptions> = {}): string => {
  try {
    read(bytes, options);
  } catch (error) {
    expect(error).toBeInstanceOf(FileError);
    return (error as Error).message;
  }
  return 'no error';
};

describe('broken files say what is wrong and where', () => {
  test.each([
    ['an empty file', new Uint8Array(), 'plate.dxf: the file is empty; expected a DXF drawing'],
    [
      'text that is no DXF',
      new TextEncoder().encode('solid part\nfacet normal 0 0 1\n'),
      'plate.dxf, line 1: expected a group code from 0 to 1071, got "solid part"; is this a DXF file?',
    ],
    [
      'a file cut off',
      lines('0 SECTION 2 ENTITIES 0 LINE 8 0 10 1'),
      'plate.dxf, line 10: the file is cut off: it ends without the closing group 0 EOF',
    ],
    [
      'a section that stays open',
      lines('0 SECTION 2 ENTITIES 0 EOF'),
      'line 2: section ENTITIES is not closed by 0 ENDSEC',
    ],
    [
      'no entities section',
      lines('0 SECTION 2 HEADER 0 ENDSEC 0 EOF'),
      'plate.dxf: the drawing has no ENTITIES section',
    ],
    ['no entities', file(''), 'the drawing is empty: its ENTITIES section has no entity'],
    [
      'a number that is none',
      file('0 CIRCLE 8 0 10 1,5 20 0 40 1'),
      'line 10: expected a finite number for group code 10, got "1,5"',
    ],
    ['NaN', file('0 CIRCLE 8 0 10 nan 20 0 40 1'), 'line 10: expected a finite number for group code 10, got "nan"'],
    ['a missing radius', file('0 CIRCLE 8 0 10 1 20 0'), 'line 6: CIRCLE: its radius (group code 40) is missing'],
    ['a negative radius', file(circle(0, 0, -1)), 'line 6: CIRCLE: expected a radius > 0, got -1'],
    [
      'a coordinate beyond all drawings',
      file(circle(1e300, 0, 1)),
      'line 6: expected coordinates up to 1000000000000000',
    ],
    [
      'a polyline that announces other corners',
      file('0 LWPOLYLINE 8 0 90 4000000000 70 1 10 0 20 0 10 1 20 0 10 1 20 1'),
      'line 6: LWPOLYLINE: expected the 4000000000 corners it announces, got 3',
    ],
    [
      'a polyline without an end',
      file('0 POLYLINE 8 0 66 1 0 VERTEX 10 0 20 0'),
      'POLYLINE: its vertices are not closed by 0 SEQEND',
    ],
    [
      'a spline short of knots',
      file('0 SPLINE 8 0 70 8 71 2 40 0 40 0 40 1 10 0 20 0 10 1 20 1 10 2 20 0'),
      'SPLINE: expected 6 knots for 3 control points of degree 2, got 3',
    ],
    [
      'a polyface with a wrong vertex',
      file('0 POLYLINE 70 64 0 VERTEX 70 192 10 0 20 0 0 VERTEX 70 128 71 1 72 2 73 9 0 SEQEND'),
      'polyface mesh: expected vertices 1 to 1, got 2',
    ],
    [
      'a polygon mesh with other counts',
      file('0 POLYLINE 70 16 71 30000 72 30000 0 VERTEX 70 64 10 0 20 0 0 SEQEND'),
      'polygon mesh: expected 30000 × 30000 vertices, got 1',
    ],
    ['a block that is not there', file('0 INSERT 2 WHEEL 10 0 20 0'), 'INSERT: the drawing defines no block "WHEEL"'],
    [
      'a unit we have not',
      file(circle(0, 0, 1), header(10)),
      'plate.dxf, HEADER, $INSUNITS: expected a unit among m, cm, mm, um, km, in, ft, got 10, yards; pass the unit yourself',
    ],
    [
      'a zero extrusion',
      file(circle(0, 0, 1, '210 0 220 0 230 0')),
      'CIRCLE: its extrusion direction is the zero vector',
    ],
    [
      'only text',
      file('0 TEXT 8 0 10 0 20 0 1 hello'),
      'the drawing has no closed outline and no faces: 1 TEXT skipped',
    ],
    [
      'an outline that is open',
      file(`${line(0, 0, 4, 0)} ${line(4, 0, 4, 3)} ${line(4, 3, 0.01, 0)}`, header(4)),
      'plate.dxf, line 16: the drawing has no closed outline and no faces: the outline on layer "0" is open between (0, 0) and (0.01, 0) mm, gap 0.01 mm',
    ],
    [
      'an outline that crosses itself',
      file('0 LWPOLYLINE 8 cut 70 1 10 0 20 0 10 2 20 2 10 2 20 0 10 0 20 2', header(4)),
      'layer "cut": two edges of one outline cross at (1, 1) mm; left out',
    ],
    [
      'three lines that meet',
      file(
        `${line(0, 0, 2, 0)} ${line(2, 0, 2, 2)} ${line(2, 2, 0, 0)} ${line(2, 2, 5, 5)} ${line(5, 5, 2, 0)}`,
        header(6),
      ),
      'layer "0": 3 curves meet at (2, 0) m; an outline needs exactly two',
    ],
  ])('%s', (_, bytes, message) => {
    expect(messageOf(bytes)).toContain(message);
  });

  test('a chord error that is no length, or too small', () => {
    expect(() => read(file(circle(0, 0, 1)), { chordError: -1 })).toThrow(
      'chordError: expected a length > 0 m, got -1',
    );
    expect(() => read(file(circle(0, 0, 1)), { joinTolerance: Number.NaN })).toThrow(
      'joinTolerance: expected a length',
    );
    expect(messageOf(file(circle(0, 0, 1)), { chordError: 1e-15 })).toContain('CIRCLE of radius 1 would take');
  });

  test('binary: a byte instead of a line', () => {
    const bytes = new TextEncoder().encode('AutoCAD Binary DXF\r\n\x1a\0\0SECTION\0\x02ENTITIES');
    expect(messageOf(bytes)).toBe('plate.dxf, byte 32: the file is cut off in the middle of a group');
  });
});

describe('drawings made to break a reader', () => {
  /** Blocks B0 … Bn, each of which inserts the one before ten times; B0 holds a circle. */
  const bomb = (levels: number, inside: string): Uint8Array => {
    const block = (i: number): string =>
      `0 BLOCK 2 B${i} 10 0 20 0 ${i === 0 ? inside : `0 INSERT 2 B${i - 1} 10 0 20 0 `.repeat(10)} 0 ENDBLK`;
    const blocks = Array.from({ length: levels }, (_, i) => block(i)).join(' ');
    return file(`0 INSERT 2 B${levels - 1} 10 0 20 0`, `0 SECTION 2 BLOCKS ${blocks} 0 ENDSEC`);
  };

  test('blocks that grow tenfold a level are refused quickly, also if they hold nothing', () => {
    const start = performance.now();
    expect(messageOf(bomb(20, circle(0, 0, 1)))).toContain("the drawing's blocks expand to more than 1000000 entities");
    expect(messageOf(bomb(20, ''))).toContain("the drawing's blocks expand to more than");
    expect(messageOf(bomb(6, circle(0, 0, 1)), { chordError: 1e-3 })).toContain(
      'the drawing expands to more than 2000000 points',
    );
    expect(messageOf(bomb(40, ''))).toContain('INSERT: blocks nested deeper than 32');
    const array = '0 INSERT 2 B 10 0 20 0 70 32767 71 32767 44 1 45 1';
    expect(messageOf(file(array, '0 SECTION 2 BLOCKS 0 BLOCK 2 B 0 ENDBLK 0 ENDSEC'))).toContain('expand to more than');
    expect(performance.now() - start).toBeLessThan(10_000); // most of it for the 2 million points
  });

  test('a block in itself', () => {
    const blocks = '0 SECTION 2 BLOCKS 0 BLOCK 2 A 0 INSERT 2 B 0 ENDBLK 0 BLOCK 2 B 0 INSERT 2 a 0 ENDBLK 0 ENDSEC';
    expect(messageOf(file('0 INSERT 2 A', blocks))).toContain('INSERT: block "A" contains itself');
  });

  test('a million lines of rubbish are refused at the first', () => {
    const rubbish = new TextEncoder().encode('0\nRUBBISH\n'.repeat(500_000));
    const start = performance.now();
    expect(messageOf(rubbish)).toContain('line 1000000: the file is cut off');
    expect(messageOf(new TextEncoder().encode('12 monkeys\n'.repeat(1_000_000)))).toContain(
      'line 1: expected a group code',
    );
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test('a name like __proto__ is a name', () => {
    const { profiles } = read(file(circle(0, 0, 1, '8 __proto__')), { unit: 'm' });
    expect(profiles[0].name).toBe('__proto__');
  });
});

describe('what is read and what is left out', () => {
  test('units: assumed with a note, or as the user says', () => {
    const bytes = file(circle(0, 0, 1));
    expect(read(bytes)).toMatchObject({ unit: 'm', unitFrom: 'assumed' });
    expect(read(bytes).notes[0]).toContain('$INSUNITS');
    expect(read(file(circle(0, 0, 1), header(0)))).toMatchObject({ unit: 'm', unitFrom: 'assumed' });
    expect(read(file(circle(0, 0, 1), header(1)), { unit: 'mm' })).toMatchObject({
      unit: 'mm',
      unitFrom: 'option',
      // a bar of 7850 kg came of --unit m without a word
      notes: ['the file says that its unit is in; numbers are taken as mm, as asked for'],
    });
    expect(read(file(circle(0, 0, 1), header(4)), { unit: 'mm' }).notes).toEqual([]);
    expect(read(file(circle(0, 0, 1), header(10)), { unit: 'm' }).profiles).toHaveLength(1);
  });

  test('hidden layers, paper space and invisible entities are skipped with a note', () => {
    const tables =
      '0 SECTION 2 TABLES 0 TABLE 2 LAYER 0 LAYER 2 dim 70 0 62 -3 0 LAYER 2 old 70 1 62 3 0 ENDTAB 0 ENDSEC';
    const entities = ['8 cut', '8 DIM', '8 old', '8 cut 67 1', '8 cut 60 1'].map((rest) => circle(0, 0, 1, rest));
    const { profiles, notes } = read(file(entities.join(' '), `${header(6)} ${tables}`));
    expect(profiles.map(({ name }) => name)).toEqual(['cut']);
    expect(notes).toEqual([
      'layer "DIM" is off: 1 entities on it skipped',
      'layer "old" is frozen: 1 entities on it skipped',
      '1 entities in paper space skipped',
      '1 invisible entities skipped',
    ]);
  });

  test('entities we do not read are counted', () => {
    const entities = `${circle(0, 0, 1)} 0 TEXT 1 a 0 3DSOLID 1 b 0 TEXT 1 c 0 VIEWPORT 10 0`;
    expect(read(file(entities), { unit: 'm' }).notes).toEqual([
      '2 TEXT skipped',
      '1 3DSOLID skipped; export solids as STEP to read them',
    ]);
  });

  test('a loop with a tail is a loop and an open chain', () => {
    const loop = `${line(0, 0, 2, 0)} ${line(2, 0, 2, 2)} ${line(2, 2, 0, 0)} ${line(2, 2, 3, 3)}`;
    const { profiles, notes } = read(file(loop), { unit: 'm' });
    expect(profiles).toHaveLength(1);
    expect(notes[0]).toBe('a curve on layer "0" ends at (3, 3) m without closing');
  });

  test('a gap closes with a larger tolerance', () => {
    const open = file(`${line(0, 0, 4, 0)} ${line(4, 0, 4, 3)} ${line(4, 3, 0.01, 0)}`, header(4));
    expect(read(open, { joinTolerance: 2e-5 }).profiles[0].profile.outer).toHaveLength(3);
  });

  test('outlines that touch each other are left out with the place', () => {
    const { profiles, notes } = read(file(`${circle(0, 0, 1)} ${circle(2, 0, 1)} ${circle(9, 0, 1)}`), { unit: 'm' });
    expect(profiles).toHaveLength(1);
    expect(notes).toEqual(['layer "0": two outlines touch at (1, 0) m; left out']);
  });

  test('a filled SOLID is an outline, its corners in the order of the file: 1, 2, 4, 3', () => {
    const { profiles } = read(file('0 SOLID 8 0 10 0 20 0 11 2 21 0 12 0 22 1 13 2 23 1'), { unit: 'm' });
    expect(profiles[0].profile.outer).toEqual([[0, 0], [2, 0], [2, 1], [0, 1]]); // biome-ignore format: one line
  });

  test('an old POLYLINE with bulges and an elevation; a thickness is noted', () => {
    const entities =
      '0 POLYLINE 8 0 66 1 39 5 10 0 20 0 30 7 70 1 0 VERTEX 10 0 20 0 42 1 0 VERTEX 10 2 20 0 42 1 0 SEQEND';
    const { profiles, notes } = read(file(entities), { unit: 'm' });
    for (const [x, y] of profiles[0].profile.outer) expect(Math.hypot(x - 1, y)).toBeCloseTo(1, 14);
    expect(notes).toEqual(['thickness of 1 entities ignored: outlines are read flat']);
  });

  test('a smoothed POLYLINE: the vertices of its frame are not on the curve', () => {
    const vertex = (x: number, y: number, flags: number): string => `0 VERTEX 10 ${x} 20 ${y} 70 ${flags}`;
    const square = `${vertex(0, 0, 8)} ${vertex(1, 0, 8)} ${vertex(1, 1, 8)} ${vertex(0, 1, 8)}`;
    const entities = `0 POLYLINE 66 1 70 5 ${vertex(-5, -5, 16)} ${square} ${vertex(9, 9, 16)} 0 SEQEND`;
    expect(read(file(entities), { unit: 'm' }).profiles[0].profile.outer).toEqual([[0, 0], [1, 0], [1, 1], [0, 1]]); // biome-ignore format: one line
  });

  // An arrowhead of area 2 − 1 = 1: the cut must go through its notch, wherever the corners start.
  test('a face with a notch is cut inside', () => {
    const arrow = [[0, 0], [2, 0], [0.5, 0.5], [0, 2]]; // biome-ignore format: one line
    for (let start = 0; start < 4; start++) {
      const corners = [0, 1, 2, 3].flatMap((k) => {
        const [x, y] = arrow[(start + k) % 4];
        return [10 + k, x, 20 + k, y, 30 + k, 0];
      });
      const { vertices, triangles } = read(file(`0 3DFACE 8 0 ${corners.join(' ')}`), { unit: 'm' }).parts[0].mesh;
      const areas = [0, 3].map((t) => {
        const [ax, ay, bx, by, cx, cy] = [0, 1, 2].flatMap((k) => [
          ...vertices.slice(3 * triangles[t + k]).slice(0, 2),
        ]);
        return ((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
      });
      expect(areas[0]).toBe(0.5);
      expect(areas[1]).toBe(0.5);
    }
  });

  test('names in UTF-8, in the code page of the drawing, and with \\U+ escapes', () => {
    const named = (name: number[], page = ''): string => {
      const [before, after] = ['@', ''].map((mark) => mark);
      const text = new TextDecoder('latin1').decode(
        file(circle(0, 0, 1, `8 ${before}${after}`), `0 SECTION 2 HEADER ${page} 0 ENDSEC`),
      );
      const bytes = [...text].flatMap((c) => (c === '@' ? name : [c.charCodeAt(0)]));
      return read(Uint8Array.from(bytes), { unit: 'm' }).profiles[0].name;
    };
    expect(named([...new TextEncoder().encode('Träger')])).toBe('Träger');
    expect(named([0x54, 0x72, 0xe4, 0x67, 0x65, 0x72])).toBe('Träger');
    expect(named([0xcf, 0xeb], '9 $DWGCODEPAGE 3 ANSI_1251')).toBe('Пл');
    expect(named([...new TextEncoder().encode('Tr\\U+00E4ger')])).toBe('Träger');
  });

  test('line ends LF, CR LF and CR, a byte order mark and comments', () => {
    const text = new TextDecoder().decode(file(`999 hello ${circle(0, 0, 1)}`, '999 made-by-hand'));
    const expected = read(new TextEncoder().encode(text), { unit: 'm' });
    for (const other of [text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r'), `\ufeff${text}`])
      expect(read(new TextEncoder().encode(other), { unit: 'm' })).toEqual(expected);
  });
});

test('layers taken together: holes of a layer of their own', () => {
  const plate = file(
    `${line(0, 0, 9, 0, 'CUT')} ${line(9, 0, 9, 9, 'CUT')} ${line(9, 9, 0, 0, 'Edge')} ${circle(7, 3, 1, '8 HOLES')} ${circle(0, 0, 50, '8 FRAME')}`,
  );
  const { profiles } = read(plate, { unit: 'm', layers: ['CUT', 'edge', 'HOLES'] });
  expect(profiles.map(({ name, profile }) => [name, profile.outer.length, profile.holes.length])).toEqual([
    ['CUT', 3, 1],
  ]);
  expect(messageOf(plate, { unit: 'm', layers: ['CUT', 'BEND'] })).toBe(
    'plate.dxf: there is nothing on a layer "BEND"; the drawing has "CUT", "Edge", "HOLES", "FRAME"',
  );
});
