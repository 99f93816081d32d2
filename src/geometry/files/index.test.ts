import { describe, expect, test } from 'vitest';
import { FileError, ModelError } from '../../errors.js';
import { triangleMesh } from '../triangle-mesh.js';
import type { CadFormat, CadPart, CadProfile } from './cad-document.js';
import { readCad, writeCad } from './index.js';
import { sniffFormat } from './sniff-format.js';

const mesh = triangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]);
const parts: CadPart[] = [{ name: 'corner', mesh }];
const profiles: CadProfile[] = [
  {
    name: 'plate',
    profile: {
      outer: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
      holes: [],
    },
  },
];
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('what is written in a format is recognised by content alone and read back', () => {
  test.each<CadFormat>(['stl', 'obj', 'ply', '3mf', 'glb'])('%s', async (format) => {
    const bytes = await writeCad(format, parts, [], { unit: 'm' });
    expect(sniffFormat(bytes)).toBe(format);
    const document = await readCad(bytes, { fileName: 'part' });
    expect(document).toMatchObject({ format, unit: 'm', unitFrom: 'file', notes: [] });
    expect(document.parts.length).toBe(1);
    expect(document.parts[0].name).toBe('corner');
    expect(document.parts[0].mesh.vertices.length).toBe(12);
  });

  test('dxf', async () => {
    const bytes = await writeCad('dxf', [], profiles);
    expect(sniffFormat(bytes)).toBe('dxf');
    const document = await readCad(bytes, { fileName: 'plate' });
    expect(document.profiles.length).toBe(1);
  });

  test('svg is written only', async () => {
    const bytes = await writeCad('svg', [], profiles);
    await expect(readCad(bytes, { fileName: 'plate.svg' })).rejects.toThrow(
      /plate.svg: expected a CAD file .* is an SVG drawing/,
    );
  });
});

test.each<[string, CadFormat | undefined]>([
  ['ply\nformat ascii 1.0\n', 'ply'],
  ['#VRML V2.0 utf8\n', 'vrml'],
  ['ISO-10303-21;\nHEADER;', 'step'],
  [`${'a CAD system'.padEnd(72)}S      1\n`, 'iges'],
  ['  0\r\nSECTION\r\n  2\r\nHEADER\r\n', 'dxf'],
  ['999\nfrom a program\n  0\nSECTION\n', 'dxf'],
  ['{ "asset": { "version": "2.0" } }', 'gltf'],
  ['{ "name": "no model" }', undefined],
  ['solid a\nendsolid', 'stl'],
  ['# Blender\nmtllib a.mtl\no Cube\nv 1.0 -1 .5\n', 'obj'],
  ['\ufeff\n\nv 0 0 0', 'obj'],
  ['values follow', undefined],
  ['<!DOCTYPE html>', undefined],
  ['', undefined],
])('%j looks like %s', (text, format) => {
  expect(sniffFormat(utf8(text))).toBe(format);
});

test('content wins over the extension, with a note', async () => {
  const bytes = await writeCad('ply', parts, []);
  const document = await readCad(bytes, { fileName: 'part.STL' });
  expect(document.format).toBe('ply');
  expect(document.notes).toEqual(['is called .stl, but holds PLY']);
});

test('where the content does not tell, the extension decides and its reader explains', async () => {
  await expect(readCad(utf8('hello'), { fileName: 'part.stl' })).rejects.toThrow(
    'part.stl, byte 0: is not an STL file',
  );
  await expect(readCad(utf8('hello'), { fileName: 'part.obj' })).rejects.toThrow(
    'part.obj, byte 0: is not an OBJ file',
  );
});

test('what is no CAD file is refused with what it is and the list of what we read', async () => {
  const reading = readCad(utf8('<html>'), { fileName: 'download' });
  await expect(reading).rejects.toThrow(FileError);
  await expect(reading).rejects.toThrow(/expected a CAD file \(stl, obj, ply, 3mf, .*\), but it is an HTML page/);
  await expect(readCad(utf8('?'), { fileName: 'a.xyz' })).rejects.toThrow(/and this is none of them/);
  await expect(readCad(new Uint8Array(0), { fileName: 'a.stl' })).rejects.toThrow(
    'a.stl: expected a CAD file, got an empty file',
  );
});

test('bad options are refused', async () => {
  const bytes = await writeCad('ply', parts, []);
  await expect(readCad(bytes, { fileName: 'a', unit: 'mmm' as 'mm' })).rejects.toThrow(
    /unit: expected one of m, cm, mm.*"mmm"/,
  );
  await expect(writeCad('step', parts, [])).rejects.toThrow(
    /expected one of stl, obj, ply, 3mf, glb, dxf, svg, got "step"/,
  );
  await expect(writeCad('stl', [], profiles)).rejects.toThrow(
    'stl holds solids, got none but outlines; extrude them first',
  );
  await expect(writeCad('dxf', parts, [])).rejects.toThrow(ModelError);
});
