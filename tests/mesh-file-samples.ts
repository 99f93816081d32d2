/** What the tests of mesh files share: fixtures, meshes to write, and independent measures of what was read. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { CadPart } from '../src/geometry/files/cad-document.js';
import { readObj } from '../src/geometry/files/obj-read.js';
import { readPly } from '../src/geometry/files/ply-read.js';
import { readStl } from '../src/geometry/files/stl-read.js';
import { type TriangleMesh, triangleMesh } from '../src/geometry/triangle-mesh.js';

export const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`./fixtures/files/mesh/${name}`, import.meta.url)));
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const stl = (content: string | Uint8Array, options = {}) =>
  readStl(typeof content === 'string' ? utf8(content) : content, { fileName: 'a.stl', ...options });
export const obj = (content: string | Uint8Array, options = {}) =>
  readObj(typeof content === 'string' ? utf8(content) : content, { fileName: 'a.obj', ...options });
export const ply = (content: string | Uint8Array, options = {}) =>
  readPly(typeof content === 'string' ? utf8(content) : content, { fileName: 'a.ply', ...options });

/** Sum of the signed tetrahedra under the triangles, m³. */
export function volume({ vertices: v, triangles }: TriangleMesh): number {
  let six = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    six +=
      v[a] * (v[b + 1] * v[c + 2] - v[b + 2] * v[c + 1]) +
      v[a + 1] * (v[b + 2] * v[c] - v[b] * v[c + 2]) +
      v[a + 2] * (v[b] * v[c + 1] - v[b + 1] * v[c]);
  }
  return six / 6;
}

/** Each edge is met once in each direction. */
export function isClosed({ triangles }: TriangleMesh): boolean {
  const edges = new Set<string>();
  for (let i = 0; i < triangles.length; i++) {
    const next = i % 3 === 2 ? i - 2 : i + 1;
    const edge = `${triangles[i]} ${triangles[next]}`;
    if (edges.has(edge)) return false;
    edges.add(edge);
  }
  return [...edges].every((edge) => edges.has(edge.split(' ').reverse().join(' ')));
}

export const tetrahedron = triangleMesh(
  [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0, 2, 1],
    [0, 1, 3],
    [1, 2, 3],
    [0, 3, 2],
  ],
);

/** Random triangles over random vertices, each vertex used. */
export const anyMesh = (coordinate: fc.Arbitrary<number>): fc.Arbitrary<TriangleMesh> =>
  fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 3, maxLength: 12 }).map((vertices) => {
    const n = vertices.length;
    return triangleMesh(
      vertices,
      vertices.map((_, i) => [i, (i + 1) % n, (i + 2) % n] as const),
    );
  });
export const finiteDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
export const moderateDouble = fc.double({ noNaN: true, min: -1e100, max: 1e100 });
export const anyName = fc
  .string({ minLength: 1, maxLength: 30 })
  .map((name) => name.replaceAll(/[^\w åé-]/g, '_').trim() || 'x');

export function part(name: string, colour?: CadPart['colour']): CadPart {
  return colour ? { name, mesh: tetrahedron, colour } : { name, mesh: tetrahedron };
}

/** Coordinates of the corners of all triangles; welding may renumber vertices, this stays. −0 counts as 0. */
export function corners({ vertices, triangles }: TriangleMesh): number[] {
  return Array.from(triangles).flatMap((i) => [vertices[3 * i] + 0, vertices[3 * i + 1] + 0, vertices[3 * i + 2] + 0]);
}

export function expectBits(found: TriangleMesh, wanted: TriangleMesh): void {
  expect(found.triangles).toEqual(wanted.triangles);
  expect(new BigUint64Array(found.vertices.buffer)).toEqual(new BigUint64Array(wanted.vertices.buffer));
}
