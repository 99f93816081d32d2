import { expect, test } from 'vitest';
import { writePly } from '../../geometry/files/ply-write.js';
import { writeStl } from '../../geometry/files/stl-write.js';
import { box } from '../../geometry/index.js';
import { FileShelf, readCadParts } from './cad-parts.js';
import { lookAtCad } from './look-at-cad.js';

const { mesh } = box([20, 10, 5]);
const part = { name: 'brick', mesh };
/** Without two of its twelve triangles, one face */
const open = { name: 'brick', mesh: { ...mesh, triangles: mesh.triangles.slice(6) } };
const stl = (given: typeof part): Uint8Array =>
  new TextEncoder().encode(
    new TextDecoder().decode(writeStl([given], { ascii: true })).replace(/(solid|endsolid)[^\n]*/g, '$1 brick'),
  );

test('a closed STL: its size in its own numbers, no unit, nothing to mend', async () => {
  expect(await lookAtCad(stl(part), 'brick.stl')).toEqual({
    unit: undefined,
    size: [20, 10, 5],
    defects: [],
    mended: undefined,
  });
});

test('a file that says its unit: m', async () => {
  const found = await lookAtCad(writePly([part], { unit: 'cm' }), 'brick.ply');
  expect(found.unit).toBe('cm');
  expect(found.size.map((x) => Number(x.toPrecision(12)))).toEqual([20, 10, 5]);
});

test('an open one: said, and mended to the solid it was; the mended file takes the unit that is chosen', async () => {
  const { defects, mended } = await lookAtCad(stl(open), 'brick.stl');
  expect(defects).toEqual([
    'not a solid: 10 triangles, 8 vertices, 1 shell',
    '4 edges have a triangle on one side only',
  ]);
  expect(mended?.remaining).toEqual([]);
  expect(mended?.changes).toEqual(['filled a hole of 4 edges at (0, -5, 0) with 2 triangles (plane)']);
  const shelf = new FileShelf();
  shelf.keep({ 'b.ply': { hash: 'a', bytes: mended!.bytes } });
  const [read] = await readCadParts('b.ply', 'mm', { 'b.ply': { hash: 'a' } }, shelf);
  // Six tetrahedra from the origin would do; the sum of a·(b×c)/6 over the triangles is the volume, 20 × 10 × 5 mm³
  let volume = 0;
  const { vertices, triangles } = read.mesh;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vertices.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    volume +=
      (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
      6;
  }
  expect(volume).toBeCloseTo(1e-6, 15);
});

test('what cannot be read is refused in the words of its reader', async () => {
  await expect(lookAtCad(new TextEncoder().encode('solid x\nfacet normal 0 0 nan\n'), 'broken.stl')).rejects.toThrow(
    'broken.stl',
  );
});

test('another file of the same name and length is another part', async () => {
  const stl = (width: number): Uint8Array => writeStl([{ name: 'b', mesh: box([width, 1, 1]).mesh }]);
  const shelf = new FileShelf();
  const widthOf = async (hash: string, bytes?: Uint8Array): Promise<number> => {
    const files = { 'b.stl': { hash, ...(bytes && { bytes }) } };
    shelf.keep(files);
    const [{ mesh }] = await readCadParts('b.stl', 'm', files, shelf);
    return Math.max(...mesh.vertices) - Math.min(...mesh.vertices);
  };
  expect(stl(2).length).toBe(stl(3).length);
  expect(await widthOf('two', stl(2))).toBe(2);
  expect(await widthOf('three', stl(3))).toBe(3);
  expect(await widthOf('two')).toBe(2); // which is not posted again
});
