// STL, OBJ and PLY readers against mutated files, and the fuzzing itself against readers that are wrong on purpose.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../src/errors.js';
import type { CadDocument, CadPart } from '../../src/geometry/files/cad-document.js';
import { readObj } from '../../src/geometry/files/obj-read.js';
import { writeObj } from '../../src/geometry/files/obj-write.js';
import { readPly } from '../../src/geometry/files/ply-read.js';
import { writePly } from '../../src/geometry/files/ply-write.js';
import { readStl } from '../../src/geometry/files/stl-read.js';
import { writeStl } from '../../src/geometry/files/stl-write.js';
import { triangleMesh } from '../../src/geometry/triangle-mesh.js';
import { fuzzReader } from '../fuzz/fuzz-reader.js';

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../fixtures/files/mesh/${name}`, import.meta.url)));

const tetrahedron = triangleMesh(
  [
    [0, 0, 0],
    [1e-3, 0, 0],
    [0, 1 / 3, 0],
    [0, 0, 0.1],
  ],
  [
    [0, 2, 1],
    [0, 1, 3],
    [1, 2, 3],
    [0, 3, 2],
  ],
);
const parts: CadPart[] = [
  { name: 'first', mesh: tetrahedron, colour: [1, 0.5, 0, 1] },
  { name: 'second', mesh: tetrahedron },
];

test('STL', async () => {
  const samples = [
    fixture('openscad-bracket-ascii.stl'),
    fixture('solidworks-style.stl'),
    fixture('openscad-bracket-binary.stl'),
    writeStl(parts),
    writeStl(parts, { ascii: true }),
  ];
  const read = (bytes: Uint8Array) => readStl(bytes, { fileName: 'fuzz.stl' });
  const report = await fuzzReader('stl', read, samples, { runs: 2000, seed: 1 });
  expect(report.read).toBeGreaterThan(100);
  expect(report.refused).toBeGreaterThan(100);
});

test('OBJ', async () => {
  const samples = [fixture('blender-style.obj'), fixture('freecad-style.obj'), writeObj(parts)];
  const companion = () => fixture('blender-style.mtl');
  const read = (bytes: Uint8Array) => readObj(bytes, { fileName: 'fuzz.obj', companion });
  const report = await fuzzReader('obj', read, samples, { runs: 2000, seed: 2 });
  expect(report.read).toBeGreaterThan(100);
  expect(report.refused).toBeGreaterThan(100);
});

test('materials of OBJ', async () => {
  const obj = new TextEncoder().encode('mtllib a.mtl\nusemtl Brass\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  const read = (bytes: Uint8Array) => readObj(obj, { fileName: 'fuzz.obj', companion: () => bytes });
  await fuzzReader('mtl', read, [fixture('blender-style.mtl')], { runs: 500, seed: 3 });
});

test('PLY', async () => {
  const samples = [fixture('meshlab-style.ply'), writePly(parts), writePly(parts, { ascii: true }), bigEndianStrip()];
  const read = (bytes: Uint8Array) => readPly(bytes, { fileName: 'fuzz.ply', unit: 'km' });
  const report = await fuzzReader('ply', read, samples, { runs: 2000, seed: 4 });
  expect(report.read).toBeGreaterThan(100);
  expect(report.refused).toBeGreaterThan(100);
});

/** Strips, odd types, an element of lists to be skipped. */
function bigEndianStrip(): Uint8Array {
  const head = `ply\nformat binary_big_endian 1.0\nelement note 1\nproperty list ushort char text\nelement vertex 4
property short z\nproperty double x\nproperty float y\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n`;
  const bytes = new Uint8Array(head.length + 4 + 4 * 14 + 4 + 6 * 4);
  bytes.set(new TextEncoder().encode(head));
  const view = new DataView(bytes.buffer);
  view.setUint16(head.length, 2);
  for (let i = 0; i < 4; i++) {
    const at = head.length + 4 + 14 * i;
    view.setInt16(at, -i);
    view.setFloat64(at + 2, i % 2);
    view.setFloat32(at + 10, Math.floor(i / 2));
  }
  const at = head.length + 4 + 56;
  view.setInt32(at, 6);
  [0, 1, 2, 3, -1, 0].forEach((index, i) => {
    view.setInt32(at + 4 + 4 * i, index);
  });
  return bytes;
}

// The fuzzing must be able to fail.
describe('fuzzing notices', () => {
  const good: CadDocument = { format: 'stl', unit: 'm', unitFrom: 'file', parts: [], profiles: [], notes: [] };
  const sample = fixture('solidworks-style.stl');
  const fuzz = (read: (bytes: Uint8Array) => CadDocument | Promise<CadDocument>, longest = 1000) =>
    fuzzReader('wrong', (bytes) => (bytes.length === sample.length ? good : read(bytes)), [sample], {
      runs: 50,
      seed: 1,
      longest,
      mostMemory: 30e6,
      truncations: 10,
    });

  test('an exception that is not ours', async () => {
    await expect(
      fuzz(() => {
        throw new RangeError('Invalid typed array length: 4000000000');
      }),
    ).rejects.toThrow(/sample 0 cut to 0 bytes.*Invalid typed array length/);
  });

  test('a coordinate that is not finite, an index out of range', async () => {
    const vertices = Float64Array.of(0, 0, Number.NaN);
    const nan: CadPart = { name: 'a', mesh: { vertices, triangles: new Uint32Array(3) } };
    await expect(fuzz(() => ({ ...good, parts: [nan] }))).rejects.toThrow(/coordinate NaN/);
    const out: CadPart = { name: 'a', mesh: { vertices: new Float64Array(3), triangles: Uint32Array.of(0, 0, 1) } };
    await expect(fuzz(async () => ({ ...good, parts: [out] }))).rejects.toThrow(/index 1 of 1/);
  });

  test('slow readers', async () => {
    const slow = () => {
      const end = performance.now() + 20;
      while (performance.now() < end);
      return good;
    };
    await expect(fuzz(slow, 10)).rejects.toThrow(/took \d+ ms/);
  });

  test('readers that take too much memory', async () => {
    const kept: Float64Array[] = [];
    const greedy = () => {
      kept.push(new Float64Array(8e6).fill(1)); // 64 MB
      throw new FileError('a', 'line 1', 'is too large');
    };
    await expect(fuzz(greedy)).rejects.toThrow(/MB of memory/);
  });
});
