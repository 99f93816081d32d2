import { validateBytes } from 'gltf-validator';
import { describe, expect, test } from 'vitest';
import { box, sphere } from '../primitives.js';
import { translate } from '../transform.js';
import { triangleMesh } from '../triangle-mesh.js';
import { readGltf } from './gltf-read.js';
import { writeGlb } from './gltf-write.js';

const read = async (bytes: Uint8Array) => readGltf(bytes, { fileName: 'part.glb' });
const json = (bytes: Uint8Array) => {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
};

describe('writeGlb', () => {
  test('passes the Khronos validator without errors or warnings', async () => {
    const parts = [
      { name: 'ball', mesh: sphere(0.0123).mesh, colour: [0.5, 0.25, 1, 0.5] as const },
      { name: 'far', mesh: translate([1000.001, -2000.002, 3000.003], box(0.01)).mesh },
    ];
    const { issues } = await validateBytes(await writeGlb(parts));
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  });

  test('keeps names, colours and places; vertices to 32-bit floats', async () => {
    const parts = [
      { name: 'ball ✓', mesh: sphere(0.0123).mesh, colour: [0.5, 0.25, 1, 1] as const },
      { name: 'plate', mesh: box([0.1, 0.2, 0.3]).mesh, colour: [0, 0.1, 1, 0.4] as const },
      { name: 'plain', mesh: box(0.07).mesh },
    ];
    const document = await read(await writeGlb(parts));
    expect(document).toMatchObject({ format: 'glb', unit: 'm', unitFrom: 'file', notes: [] });
    document.parts.forEach((part, i) => {
      expect(part.name).toBe(parts[i].name);
      expect(part.colour).toEqual(parts[i].colour);
      expect(part.mesh.triangles).toEqual(parts[i].mesh.triangles);
      expect(part.mesh.vertices).toEqual(parts[i].mesh.vertices.map((x) => Math.fround(x) + 0)); // no −0
    });
    // and what has been through floats once goes through unchanged
    expect(await writeGlb((await read(await writeGlb(document.parts))).parts)).toEqual(await writeGlb(document.parts));
  });

  test('gives a part far away its place in double precision', async () => {
    const part = { name: 'far', mesh: translate([1000.001, -2000.002, 3000.003], box(0.01)).mesh };
    const [back] = (await read(await writeGlb([part]))).parts;
    // float32 positions alone would be 1.2e-4 m off; around the part's middle they are 5 mm · 2⁻²⁴ ≈ 3e-10 m,
    // and sums near 3000 round to 4.5e-13 m
    for (let i = 0; i < part.mesh.vertices.length; i++)
      expect(Math.abs(back.mesh.vertices[i] - part.mesh.vertices[i])).toBeLessThan(4e-10);
  });

  test('is a file as the specification wants it, the same at every call', async () => {
    const parts = [{ name: 'box', mesh: box([0.1, 0.2, 0.3]).mesh, colour: [1, 0, 0, 1] as const }];
    const bytes = await writeGlb(parts);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    expect([view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true)]).toEqual([
      0x46546c67,
      2,
      bytes.length,
    ]);
    expect(bytes.length % 4).toBe(0);
    const content = json(bytes);
    expect(content.asset).toEqual({ version: '2.0', generator: 'tippetop' });
    // y up: 0.1 wide along x, our height 0.3 along y, our depth 0.2 along z
    const position = content.accessors[content.meshes[0].primitives[0].attributes.POSITION];
    expect(position.max.map((x: number) => Math.fround(x))).toEqual([0.05, 0.15, 0.1].map(Math.fround));
    expect(position.min).toHaveLength(3);
    expect(content.meshes[0].primitives[0].attributes).not.toHaveProperty('NORMAL');
    expect(await writeGlb(parts)).toEqual(bytes);
  });

  test('uses 32-bit indices where 16 bits are not enough', async () => {
    const n = 70_000;
    const vertices = new Float64Array(3 * n);
    for (let i = 0; i < n; i++) vertices.set([i, i % 7, i % 11], 3 * i);
    const mesh = triangleMesh(vertices, [0, 1, n - 1]);
    const [part] = (await read(await writeGlb([{ name: 'x', mesh }]))).parts;
    expect(part.mesh.vertices[6]).toBe(n - 1);
  });

  test('refuses what glTF cannot hold', async () => {
    const mesh = box(1).mesh;
    await expect(writeGlb([{ name: 'x', mesh }], { unit: 'mm' })).rejects.toThrow(/metres by its standard/);
    await expect(writeGlb([{ name: 'x', mesh: triangleMesh([], []) }])).rejects.toThrow(
      /parts\[0\].mesh: expected triangles/,
    );
    const huge = { vertices: Float64Array.of(1e300, 0, 0, 0, 1, 0, 0, 0, 1), triangles: Uint32Array.of(0, 1, 2) };
    await expect(writeGlb([{ name: 'x', mesh: huge }])).rejects.toThrow(/parts\[0\].mesh.vertices\[0\]/);
  });
});
