import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readCadFile } from './cad-files.js';

const folder = mkdtempSync(join(tmpdir(), 'companions-'));
afterAll(() => rmSync(folder, { recursive: true }));

// A tetrahedron of volume 1/6 m³, its four faces as a soup of twelve corners
const FACES = [
  [0, 0, 0, 0, 1, 0, 1, 0, 0],
  [0, 0, 0, 1, 0, 0, 0, 0, 1],
  [1, 0, 0, 0, 1, 0, 0, 0, 1],
  [0, 0, 0, 0, 0, 1, 0, 1, 0],
];
const bytes = new Uint8Array(Float32Array.from(FACES.flat()).buffer);

function partNaming(uri: string): string {
  const path = join(folder, 'part.gltf');
  const json = {
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 12, type: 'VEC3' }],
    bufferViews: [{ buffer: 0, byteLength: bytes.length }],
    buffers: [{ byteLength: bytes.length, uri }],
  };
  writeFileSync(path, JSON.stringify(json));
  return path;
}

describe('files that a CAD file names', () => {
  test('may lie beside it and in folders below it', async () => {
    mkdirSync(join(folder, 'data/deep'), { recursive: true });
    for (const uri of ['beside.bin', 'data/deep/below.bin']) {
      writeFileSync(join(folder, uri), bytes);
      const { parts } = await readCadFile(partNaming(uri));
      expect(parts[0].mesh.triangles).toHaveLength(12);
    }
  });
  test('are plain files: a folder, a pipe and a link that leads elsewhere are as if they were not there', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
    writeFileSync(join(elsewhere, 'secret.bin'), bytes);
    mkdirSync(join(folder, 'folder.bin'));
    execFileSync('mkfifo', [join(folder, 'pipe.bin')]);
    symlinkSync(join(elsewhere, 'secret.bin'), join(folder, 'link.bin'));
    symlinkSync('/dev/zero', join(folder, 'device.bin'));
    for (const uri of ['folder.bin', 'pipe.bin', 'link.bin', 'device.bin'])
      await expect(readCadFile(partNaming(uri))).rejects.toThrow(`needs the file "${uri}" beside it`);
    await expect(readCadFile(partNaming('../x.bin'))).rejects.toThrow(/expected a file beside this one/);
    rmSync(elsewhere, { recursive: true });
  });
});
