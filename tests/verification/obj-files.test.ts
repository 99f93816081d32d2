// OBJ: files in the styles of known programs, round trips bit by bit, refusals that name place and defect.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../src/errors.js';
import { writeObj } from '../../src/geometry/files/obj-write.js';
import {
  anyMesh,
  anyName,
  expectBits,
  finiteDouble,
  fixture,
  isClosed,
  moderateDouble,
  obj,
  part,
  tetrahedron,
  utf8,
  volume,
} from '../mesh-file-samples.js';

describe('OBJ', () => {
  test('objects, quadrilaterals, materials: as Blender writes them', () => {
    const companion = (name: string) => (name === 'blender-style.mtl' ? fixture(name) : undefined);
    const { parts, notes } = obj(fixture('blender-style.obj'), { companion });
    expect(notes).toEqual([]);
    expect(parts.map(({ name, colour }) => ({ name, colour }))).toEqual([
      { name: 'Cube', colour: [0.8, 0.6, 0.2, 0.75] },
      { name: 'Cube.001', colour: [0.5, 0.5, 0.55, 1] },
    ]);
    expect(parts.map(({ mesh }) => volume(mesh))).toEqual([8, 1]);
    expect(parts.every(({ mesh }) => isClosed(mesh) && mesh.vertices.length === 24)).toBe(true);
  });

  test('without its .mtl the colours are missing, with a note', () => {
    const { parts, notes } = obj(fixture('blender-style.obj'));
    expect(parts[0].colour).toBeUndefined();
    expect(notes).toEqual(['colours are in "blender-style.mtl", which was not found']);
  });

  test('a concave pentagonal prism: as FreeCAD writes it', () => {
    const { parts } = obj(fixture('freecad-style.obj'));
    expect(parts[0].name).toBe('Pad');
    expect(isClosed(parts[0].mesh)).toBe(true);
    expect(volume(parts[0].mesh)).toBeCloseTo(2 * 8, 12); // rectangle 4 × 3 less a triangle 4 × 2 / 2, height 2
  });

  const face = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';
  test.each([
    ['negative numbers', `${face}f -4 -3 -2 -1`],
    ['all of v/vt/vn', `${face}f 1/1/1 2//1 3/2 4`],
    ['CR LF and comments', `# a\r\n${face.replaceAll('\n', ' # corner\r\n')}f 1 2 3 4\r\n`],
    ['continued lines', `v 0 0 \\\n0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2\\\n 3 4`],
    ['faces before vertices', `f 1 2 3 4\n${face}`],
    ['an old face word', `${face}fo 1 2 3 4`],
    ['weights', `${face.replaceAll('\n', ' 1.0\n')}f 1 2 3 4`],
    ['vertices nobody uses', `v 9 9 9\n${face}v 7 7 7\nf 2 3 4 5`],
  ])('%s', (_, text) => {
    const { parts, notes } = obj(text);
    expect(notes).toEqual([]);
    expect([...parts[0].mesh.vertices]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect([...parts[0].mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3]);
    expect(parts[0].name).toBe('a');
  });

  test('groups are parts where there is at most one object', () => {
    const groups = `${face}g top lid\nf 1 2 3\ng\nf 1 3 4\ng top lid\nf 2 3 4`;
    expect(obj(groups).parts.map(({ name, mesh }) => [name, mesh.triangles.length])).toEqual([
      ['top lid', 6],
      ['a 2', 3],
    ]);
    expect(obj(`o box\n${groups}`).parts.map((part) => part.name)).toEqual(['top lid', 'a 2']);
    const objects = `${face}o one\ng x\nf 1 2 3\ng y\nf 1 3 4\no two\ng x\nf 2 3 4`;
    expect(obj(objects).parts.map(({ name, mesh }) => [name, mesh.triangles.length])).toEqual([
      ['one', 6],
      ['two', 3],
    ]);
  });

  test('what has no place in a solid is skipped with a note', () => {
    const text = `${face}l 1 2\np 1\nvp 0\ncstype bezier\ncurv 0 1 1 2\nend\nf 1 2\nfoo bar\nbaz\nf 1 2 3`;
    expect(obj(text).notes).toEqual([
      'skipped 1 line statements',
      'skipped 1 point statements',
      'skipped 3 statements of free-form curves and surfaces',
      'skipped 1 faces of fewer than 3 corners',
      'skipped 2 unknown statements, the first "foo" in line 12',
    ]);
    expect(obj(face)).toMatchObject({ parts: [], notes: ['holds no faces'] });
    const bowTie = obj('v 0 0 0\nv 2 3 0\nv 2 0 0\nv 0 1 0\nf 1 2 3 4');
    expect(bowTie.notes[0]).toMatch(/1 faces cross themselves/);
    const mixed = obj(`mtllib m\n${face}usemtl A\nf 1 2 3\nusemtl B\nf 1 3 4`, {
      companion: () => utf8('newmtl A\nKd 1 0 0'),
    });
    expect(mixed.parts[0].colour).toBeUndefined();
    expect(mixed.notes[0]).toMatch(/1 parts have faces of several materials/);
  });

  test('colours of vertices, from 0 to 1 or to 255', () => {
    const coloured = (c: string) => `${face.replaceAll('\n', ` ${c}\n`)}f 1 2 3 4`;
    expect(obj(coloured('0.5 0.25 1')).parts[0].colour).toEqual([0.5, 0.25, 1, 1]);
    expect(obj(coloured('255 51 0')).parts[0].colour).toEqual([1, 0.2, 0, 1]);
    expect(obj(`v 5 5 5\n${coloured('1 0 0')}\nf -1 1 2`).parts[0].colour).toBeUndefined();
  });

  test('round trip: doubles bit by bit, names, colours, units', () => {
    const unit = fc.constantFrom('m', 'cm', 'mm', 'um', 'km');
    fc.assert(
      fc.property(anyMesh(moderateDouble), anyName, unit, (mesh, name, unit) => {
        const written = writeObj([{ name, mesh, colour: [0.1, 0.2, 1 / 3, 1] }, part('second part')], { unit });
        const document = obj(written);
        expect(document).toMatchObject({ unit, unitFrom: 'file', notes: [] });
        expectBits(document.parts[0].mesh, mesh);
        expectBits(document.parts[1].mesh, tetrahedron);
        expect(document.parts.map((p) => p.name)).toEqual([name, 'second part']);
        expect(document.parts[0].colour).toEqual([0.1, 0.2, 1 / 3, 1]);
      }),
      { seed: 3, numRuns: 200 },
    );
    fc.assert(
      fc.property(anyMesh(finiteDouble), (mesh) =>
        expectBits(obj(writeObj([{ name: 'a', mesh }])).parts[0].mesh, mesh),
      ),
      { seed: 4, numRuns: 200 },
    );
  });

  test('units: of a comment before the vertices, of the option', () => {
    expect(obj(`# units: millimeters\n${face}f 1 2 3`)).toMatchObject({ unit: 'mm', unitFrom: 'file' });
    expect(obj(`${face}# unit: mm\nf 1 2 3`)).toMatchObject({ unit: 'm', unitFrom: 'assumed' });
    const inches = obj(`# unit: mm\n${face}f 1 2 3`, { unit: 'in' });
    expect(inches).toMatchObject({ unit: 'in', unitFrom: 'option' });
    expect(inches.parts[0].mesh.vertices[3]).toBe(0.0254);
  });

  test.each([
    ['empty', '', 'a.obj: expected an OBJ file, got an empty file (0 bytes)'],
    ['HTML', '<html>\nno file', 'a.obj, byte 0: is an HTML page'],
    ['text', 'once upon a time', 'is not an OBJ file: expected vertices such as "v 0 0 1", got "once upon a time"'],
    ['number', 'v 0 0 0\nv 0 1,5 0', 'a.obj, line 2: expected y, a finite coordinate, got "1,5"'],
    ['infinite', 'v 0 0 inf', 'a.obj, line 1: expected z, a finite coordinate, got "inf"'],
    ['missing', 'v 0 0', 'a.obj, line 1: expected z, a finite coordinate, got the end of the file'],
    ['zero', `${face}f 0 1 2`, 'a.obj, line 5: expected a vertex number from 1 to 4 or from -4 to -1, got "0"'],
    ['too negative', `${face}f -5 1 2`, 'got "-5"'],
    ['no vertices', 'f 1 2 -1', 'a.obj, line 1: expected a vertex number of a vertex, and none came before, got "-1"'],
    ['too large', `${face}f 1 2 3\nf 1 2 9\nf 1 2 3`, 'a.obj, line 6: expected vertex numbers from 1 to 4, got 9'],
    ['4e9', `${face}f 1 2 4000000000`, 'a.obj, line 5: expected vertex numbers from 1 to 4, got 4000000000'],
    ['word', `${face}f 1 2 x`, 'got "x"'],
  ])('refuses: %s', (_, text, message) => {
    expect(() => obj(text)).toThrow(FileError);
    expect(() => obj(text)).toThrow(message);
  });

  test('a bad .mtl is refused by its own name and line', () => {
    const companion = () => utf8('newmtl A\nKd 1 red 0');
    expect(() => obj(`mtllib m.mtl\n${face}`, { companion })).toThrow(
      'm.mtl, line 2: expected a number from 0 to 1, got "red"',
    );
  });
});
