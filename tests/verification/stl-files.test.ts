// STL: real files against closed forms, round trips bit by bit, refusals that name place and defect.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../src/errors.js';
import { writeStl } from '../../src/geometry/files/stl-write.js';
import { triangleMesh } from '../../src/geometry/triangle-mesh.js';
import {
  anyMesh,
  anyName,
  corners,
  fixture,
  isClosed,
  moderateDouble,
  part,
  stl,
  tetrahedron,
  textOf,
  utf8,
  volume,
} from '../mesh-file-samples.js';

describe('STL', () => {
  // openscad-bracket.scad, mm: plate 20×10×2 and wall 2×10×13, less a bore of radius 2.5 and its countersink, both as
  // regular polygons of 24 corners with area k r², k = 12 sin 15°. Below z = 1 mm the bore alone; from 1 to 2 mm the
  // frustum with radii 2.5 and 3.5 holds k (r₁² + r₁ r₂ + r₂²)/3.
  const k = 12 * Math.sin(Math.PI / 12);
  const bracket = (660 - k * (2.5 ** 2 + (2.5 ** 2 + 2.5 * 3.5 + 3.5 ** 2) / 3)) * 1e-9;

  test.each(['openscad-bracket-ascii.stl', 'openscad-bracket-binary.stl'])('%s has the volume of its model', (name) => {
    const document = stl(fixture(name), { unit: 'mm' });
    expect(document).toMatchObject({ format: 'stl', unit: 'mm', unitFrom: 'option', notes: [] });
    const [{ mesh }] = document.parts;
    expect(mesh.vertices.length / 3).toBe(108); // as OpenSCAD counts them in its OFF export
    expect(mesh.triangles.length / 3).toBe(216);
    expect(isClosed(mesh)).toBe(true);
    // Text has 6 digits, binary 24 bits: coordinates are right to 1e-6 of the size.
    expect(volume(mesh) / bracket).toBeCloseTo(1, 6);
  });

  test('text and binary of the same model agree', () => {
    const [a] = stl(fixture('openscad-bracket-ascii.stl')).parts;
    const [b] = stl(fixture('openscad-bracket-binary.stl')).parts;
    expect(a.name).toBe('OpenSCAD_Model');
    expect(b.name).toBe('a'); // the header of a binary file is no name
    expect(volume(a.mesh) / volume(b.mesh)).toBeCloseTo(1, 6);
  });

  test('two solids are two parts, with their names', () => {
    const { parts, unitFrom } = stl(fixture('solidworks-style.stl'));
    expect(parts.map((part) => part.name)).toEqual(['Pawl-1 housing', 'Pawl-2']);
    expect(unitFrom).toBe('assumed');
    for (const { mesh } of parts) {
      expect(mesh.vertices.length).toBe(12);
      expect(isClosed(mesh)).toBe(true);
      expect(volume(mesh)).toBeCloseTo(1000 / 6, 9);
    }
  });

  test('a binary file may start with "solid", a text file may not pass for binary', () => {
    const bytes = fixture('openscad-bracket-binary.stl');
    bytes.set(utf8('solid part\nfacet normal 0 0 1'));
    expect(stl(bytes).parts[0].mesh.triangles.length).toBe(648);
  });

  test('words in upper case, -0 and 0 welded, normals that are not numbers', () => {
    const text = `SOLID\nFACET NORMAL nan -nan(ind) 0\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 -0\nVERTEX 0 1 -0.0\nENDLOOP\nENDFACET
facet normal 0 0 1\nouter loop\nvertex -0 -0 0\nvertex 0 1 0\nvertex -1 0 0\nendloop\nendfacet\nendsolid`;
    const [{ mesh, name }] = stl(text).parts;
    expect(name).toBe('a');
    expect(mesh.vertices.length).toBe(12);
    expect([...mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3]);
    const binary = writeStl([{ name: 'w', mesh }]);
    new DataView(binary.buffer).setUint32(84 + 12, 0x80000000, true); // −0
    expect(stl(binary).parts[0].mesh.vertices.length).toBe(12);
  });

  test('round trip of a binary file: single precision, bit by bit', () => {
    const meshes = anyMesh(fc.float({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(meshes, anyName, (mesh, name) => {
        const [part] = stl(writeStl([{ name, mesh, colour: [1, 0, 16 / 31, 1] }])).parts;
        expect(corners(part.mesh)).toEqual(corners(mesh).map(Math.fround));
        expect(part.name).toBe(name);
        expect(part.colour).toEqual([1, 0, 16 / 31, 1]);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test('round trip of a text file: double precision, bit by bit, in mm too', () => {
    fc.assert(
      fc.property(anyMesh(moderateDouble), anyName, fc.constantFrom('m', 'mm', 'um', 'km'), (mesh, name, unit) => {
        const two = [
          { name, mesh },
          { name: 'b', mesh: tetrahedron },
        ];
        const document = stl(writeStl(two, { ascii: true, unit }));
        expect(document).toMatchObject({ unit, unitFrom: 'file' });
        expect(document.parts.map((part) => part.name)).toEqual([name, 'b']);
        expect(corners(document.parts[0].mesh)).toEqual(corners(mesh));
      }),
      { seed: 2, numRuns: 200 },
    );
  });

  test('several parts of a binary file become one, and units are kept', () => {
    const document = stl(writeStl([part('a', [1, 0, 0, 1]), part('b', [0, 1, 0, 1])], { unit: 'in' }));
    expect(document).toMatchObject({ unit: 'in', unitFrom: 'file' });
    expect(document.notes).toEqual(['triangles have 2 colours; a part keeps only one, so none was kept']);
    expect(document.parts[0].mesh.triangles.length).toBe(24);
    expect(document.parts[0].colour).toBeUndefined();
    expect(Math.max(...document.parts[0].mesh.vertices)).toBeCloseTo(1, 6); // 1 m is 39.37 in, in single precision
    const long = stl(writeStl([part('ä'.repeat(100))])).parts[0].name;
    expect(long).toMatch(/^ä{20,}$/); // cut to fit, not in the middle of a letter
  });

  test('colours of Materialise Magics: of the part, and of the triangles', () => {
    const bytes = writeStl([part('a')]);
    bytes.set(utf8('COLOR='), 30);
    bytes.set([255, 51, 0, 102], 36);
    expect(stl(bytes).parts[0].colour).toEqual([1, 0.2, 0, 0.4]);
    const view = new DataView(bytes.buffer);
    for (let t = 0; t < 4; t++) view.setUint16(84 + 50 * t + 48, 31 | (15 << 5), true); // red in the low bits
    expect(stl(bytes).parts[0].colour).toEqual([1, 15 / 31, 0, 1]);
    for (let t = 0; t < 4; t++) view.setUint16(84 + 50 * t + 48, 0x8000, true); // as the part
    expect(stl(bytes).parts[0].colour).toEqual([1, 0.2, 0, 0.4]);
  });

  test('normals against the winding are noted', () => {
    const bytes = writeStl([part('a')]);
    const view = new DataView(bytes.buffer);
    expect(stl(bytes).notes).toEqual([]);
    for (let t = 0; t < 4; t++)
      for (let i = 0; i < 3; i++)
        view.setFloat32(84 + 50 * t + 4 * i, -view.getFloat32(84 + 50 * t + 4 * i, true), true);
    expect(stl(bytes).notes[0]).toMatch(/most normals point against the winding/);
    const text = textOf(writeStl([part('a')], { ascii: true })).replaceAll(/normal (\S+)/g, 'normal -$1');
    expect(
      stl(text.replaceAll(/normal (\S+) (\S+) (\S+)/g, 'normal $1 -$2 -$3').replaceAll('--', '')).notes[0],
    ).toMatch(/most normals/);
  });

  test('a count of 0 with triangles after it, bytes after the last triangle: read, with a note', () => {
    const bytes = writeStl([part('a')]);
    new DataView(bytes.buffer).setUint32(80, 0, true);
    expect(stl(bytes).notes).toEqual(['the header counts 0 triangles; read the 4 the file has room for']);
    expect(stl(bytes).parts[0].mesh.triangles.length).toBe(12);
    const longer = new Uint8Array(84 + 200 + 7);
    longer.set(writeStl([part('a')]));
    expect(stl(longer).notes).toEqual(['ignored 7 bytes after the last of 4 triangles']);
    expect(stl(bytes.slice(0, 84)).notes).toEqual(['holds no triangles']);
    expect(stl('solid a\nendsolid a\n')).toMatchObject({ parts: [], notes: ['holds no triangles'] });
  });

  const good = textOf(writeStl([part('a')], { ascii: true }));
  test.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'a.stl: expected an STL file, got an empty file (0 bytes)'],
    ['HTML', '<!DOCTYPE html>\n<html>', 'a.stl, byte 0: is an HTML page'],
    ['zip', 'PK\x03\x04', 'a.stl, byte 0: is a zip archive'],
    [
      'LFS',
      'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n',
      'a.stl, byte 0: is a Git LFS pointer',
    ],
    ['text', 'hello', 'is not an STL file: expected "solid" or a binary header of 84 bytes, got "hello"'],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x73, 0), 'a.stl, byte 0: is not an STL file'],
    ['word', good.replace('outer', 'inner'), 'a.stl, line 3: expected "outer", got "inner"'],
    [
      'NaN',
      good.replace('vertex 0 0 0', 'vertex 0 nan 0'),
      'a.stl, line 4: expected y, a finite coordinate, got "nan"',
    ],
    [
      'missing',
      good.replace('vertex 0 0 0', 'vertex 0 0'),
      'a.stl, line 4: expected z, a finite coordinate, got the end of the line',
    ],
    [
      'overflow',
      good.replace('vertex 0 0 0', 'vertex 1e999 0 0'),
      'a.stl, line 4: expected x, a finite coordinate, got "1e999"',
    ],
    ['quadrilateral', good.replace('endloop', 'vertex 1 1 1'), 'a.stl, line 7: expected "endloop", got "vertex"'],
    ['cut in a facet', good.slice(0, 60), 'got the end of the file'],
    [
      'cut between facets',
      good.slice(0, good.indexOf('\nfacet', 40)),
      'expected "facet" or "endsolid", got the end of the file: the solid that starts in line 1 is cut short after 1 triangles',
    ],
    ['trailing', `${good}garbage`, 'expected "solid", got "garbage"'],
    [
      'cut binary',
      writeStl([part('a')]).slice(0, 200),
      'a.stl, byte 200: expected 4 triangles (284 bytes), got 200 bytes, enough for 2: the file is cut short or no STL file',
    ],
    ['cut header', writeStl([part('a')]).slice(0, 50), 'is not an STL file'],
  ])('refuses: %s', (_, content, message) => {
    expect(() => stl(content)).toThrow(FileError);
    expect(() => stl(content)).toThrow(message);
  });

  test('refuses: binary counts and coordinates', () => {
    const bytes = writeStl([part('a')]);
    const view = new DataView(bytes.buffer);
    view.setUint32(80, 4_000_000_000, true);
    expect(() => stl(bytes)).toThrow('expected 4000000000 triangles (200000000084 bytes), got 284 bytes, enough for 4');
    view.setUint32(80, 4, true);
    view.setFloat32(84 + 2 * 50 + 12 + 16, Number.NaN, true);
    expect(() => stl(bytes)).toThrow('a.stl, triangle 2 (byte 212): expected a finite coordinate, got NaN');
    view.setFloat32(84 + 2 * 50 + 12 + 16, -Infinity, true);
    expect(() => stl(bytes)).toThrow('got -Infinity');
  });

  test('the writer refuses what single precision cannot hold, and unknown units', () => {
    const mesh = triangleMesh([0, 0, 0, 1e39, 0, 0, 0, 1, 0], [0, 1, 2]);
    expect(() => writeStl([{ name: 'far', mesh }])).toThrow(
      /writeStl.parts.far.vertices\[1\]: .*3.4e38 m.*got Infinity/,
    );
    expect(() => writeStl([part('a')], { unit: 'mil' as 'mm' })).toThrow('unit: expected one of m, cm, mm');
  });
});
