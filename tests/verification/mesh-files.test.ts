// All mesh formats: what holds for each of them.
import { expect, test } from 'vitest';
import type { CadDocument } from '../../src/geometry/files/cad-document.js';
import { writeObj } from '../../src/geometry/files/obj-write.js';
import { writePly } from '../../src/geometry/files/ply-write.js';
import { writeStl } from '../../src/geometry/files/stl-write.js';
import { triangleMesh } from '../../src/geometry/triangle-mesh.js';
import { obj, ply, stl } from '../mesh-file-samples.js';

test('memory stays within 20 times the file, whatever the format', () => {
  // A grid of 200 × 200 cells, 80 000 triangles: 2 to 15 MB of file. Buffers are counted, also those that are garbage.
  const n = 200;
  const vertices = new Float64Array(3 * (n + 1) * (n + 1));
  for (let i = 0; i <= n; i++)
    for (let j = 0; j <= n; j++) vertices.set([i / 7, j / 7, Math.sin(i * j)], 3 * (i * (n + 1) + j));
  const triangles: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const a = i * (n + 1) + j;
      triangles.push(a, a + n + 1, a + n + 2, a, a + n + 2, a + 1);
    }
  const big = [{ name: 'grid', mesh: triangleMesh(vertices, triangles) }];
  const cases: [string, Uint8Array, (bytes: Uint8Array) => CadDocument][] = [
    ['binary STL', writeStl(big), stl],
    ['text STL', writeStl(big, { ascii: true }), stl],
    ['OBJ', writeObj(big), obj],
    ['binary PLY', writePly(big), ply],
    ['text PLY', writePly(big, { ascii: true }), ply],
  ];
  for (const [name, bytes, read] of cases) {
    const before = process.memoryUsage();
    const { parts } = read(bytes);
    const after = process.memoryUsage();
    expect(parts[0].mesh.triangles.length, name).toBe(6 * n * n);
    const taken = after.arrayBuffers - before.arrayBuffers + Math.max(0, after.heapUsed - before.heapUsed);
    expect(taken / bytes.length, name).toBeLessThan(20);
  }
});
