import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { ModelError } from '../../errors.js';
import { triangleMesh } from '../triangle-mesh.js';
import type { CadPart, LengthUnit } from './cad-document.js';
import { readThreeMf } from './threemf-read.js';
import { writeThreeMf } from './threemf-write.js';

const TRIANGLES = [
  [0, 2, 1],
  [0, 1, 3],
  [1, 2, 3],
  [0, 3, 2],
] as const;
const tetrahedron = (size: number) =>
  triangleMesh(
    [
      [0, 0, 0],
      [size, 0, 0],
      [0, size, 0],
      [0, 0, size],
    ],
    TRIANGLES,
  );

describe('writeThreeMf', () => {
  test('keeps names, colours and units', () => {
    const parts: CadPart[] = [
      { name: 'wheel "A" <&> \t✓', mesh: tetrahedron(0.01), colour: [1, 0.2, 0, 1] },
      { name: 'glass', mesh: tetrahedron(0.02), colour: [0, 0, 1, 0.4] },
      { name: 'plain', mesh: tetrahedron(0.03) },
    ];
    for (const unit of ['um', 'mm', 'cm', 'in', 'ft', 'm'] as const) {
      const document = readThreeMf(writeThreeMf(parts, { unit }), { fileName: 'a.3mf' });
      expect(document).toMatchObject({ format: '3mf', unit, unitFrom: 'file', notes: [] });
      expect(document.parts.map((part) => part.name)).toEqual(parts.map((part) => part.name));
      // 1, 0.2, 0, 0.4 are whole numbers of 255ths, which is how 3MF keeps colours
      expect(document.parts.map((part) => part.colour)).toEqual(parts.map((part) => part.colour));
      expect(document.parts[1].mesh.triangles).toEqual(parts[1].mesh.triangles);
    }
  });

  test('gives every double back with the same bits in decimal units, and to 2 ulp in inches', () => {
    const coordinate = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 });
    fc.assert(
      fc.property(
        fc.array(coordinate, { minLength: 12, maxLength: 12 }),
        fc.constantFrom('um', 'mm', 'cm', 'm'),
        (xyz, unit) => {
          const mesh = triangleMesh(xyz, TRIANGLES);
          const [part] = readThreeMf(writeThreeMf([{ name: 'x', mesh }], { unit: unit as LengthUnit }), {
            fileName: 'a',
          }).parts;
          expect(part.mesh.vertices).toEqual(mesh.vertices); // toEqual tells −0 from 0
        },
      ),
      { seed: 3, numRuns: 200 },
    );
    const mesh = tetrahedron(0.1234567890123);
    const [part] = readThreeMf(writeThreeMf([{ name: 'x', mesh }], { unit: 'in' }), { fileName: 'a' }).parts;
    for (let i = 0; i < 12; i++)
      expect(Math.abs(part.mesh.vertices[i] - mesh.vertices[i])).toBeLessThan(0.13 * 2 ** -51);
  });

  test('is a package of the three entries that the specification asks for, in mm, the same at every call', () => {
    const parts = [{ name: 'wheel', mesh: tetrahedron(0.01) }];
    const bytes = writeThreeMf(parts);
    const entries = unzipSync(bytes);
    expect(Object.keys(entries)).toEqual(['[Content_Types].xml', '_rels/.rels', '3D/3dmodel.model']);
    expect(strFromU8(entries['[Content_Types].xml'])).toContain(
      'application/vnd.ms-package.3dmanufacturing-3dmodel+xml',
    );
    expect(strFromU8(entries['_rels/.rels'])).toContain('Target="/3D/3dmodel.model"');
    const text = strFromU8(entries['3D/3dmodel.model']);
    expect(text).toContain('unit="millimeter"');
    expect(text).toContain('<vertex x="10" y="0" z="0"/>');
    expect(writeThreeMf(parts)).toEqual(bytes);
    // dates are fixed: 0x0021 is 1 January 1980
    expect(new DataView(bytes.buffer, bytes.byteOffset).getUint32(10, true)).toBe(0x00210000);
  });

  test('leaves out triangles that repeat a corner and refuses what 3MF cannot hold', () => {
    const mesh = triangleMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 0, 1]]); // biome-ignore format: a mesh
    const [part] = readThreeMf(writeThreeMf([{ name: 'x', mesh }]), { fileName: 'a' }).parts;
    expect([...part.mesh.triangles]).toEqual([0, 1, 2]);
    expect(() => writeThreeMf([{ name: 'x', mesh: triangleMesh([], []) }])).toThrow(ModelError);
    expect(() => writeThreeMf([{ name: 'x', mesh }], { unit: 'km' })).toThrow(/unit: expected a unit that 3MF knows/);
    const broken = { vertices: Float64Array.of(0, 0, Number.NaN), triangles: Uint32Array.of(0, 0, 0) };
    expect(() => writeThreeMf([{ name: 'x', mesh: broken }])).toThrow(/parts\[0\].mesh.vertices\[0\].z/);
  });
});
