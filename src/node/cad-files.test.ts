import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

describe('STEP', () => {
  const step = fileURLToPath(new URL('../../tests/fixtures/files/step/bored-block-mm.step', import.meta.url));

  test('is read in a thread that can be stopped; the next file is read all the same', async () => {
    const controller = new AbortController();
    const reading = readCadFile(step, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await expect(reading).rejects.toThrow(/bored-block-mm\.step: reading was stopped/);
    await expect(readCadFile(step, { timeLimit: 1e-3 })).rejects.toThrow(/was not done with it after 0\.001 s/);
    expect((await readCadFile(step)).parts).toHaveLength(1);
  });

  test('whose parts are in other files names them; with own parts it is a note', async () => {
    const text = readFileSync(step, 'latin1');
    const names = "#90001=DOCUMENT_FILE('bolt.stp','','',#90002,'',$);#90002=DOCUMENT_TYPE('file');";
    const both = join(folder, 'both.step');
    writeFileSync(both, text.replace(/ENDSEC;\s*END-ISO/, `${names} ENDSEC; END-ISO`));
    const head = text.slice(0, text.indexOf('DATA;'));
    const empty = join(folder, 'empty.step');
    writeFileSync(empty, `${head}DATA;\n${names}\nENDSEC;\nEND-ISO-10303-21;\n`);
    await expect(readCadFile(empty)).rejects.toThrow(
      /is an assembly whose parts are in other files: "bolt\.stp"; read those/,
    );
    expect((await readCadFile(both)).notes).toContain('parts in other files were not read: "bolt.stp"');
  });

  test('with a circle in a property says that it is one', async () => {
    const head = readFileSync(step, 'latin1').split('DATA;')[0];
    const ring = join(folder, 'ring.step');
    writeFileSync(
      ring,
      `${head}DATA;\n#1=GENERAL_PROPERTY('a','',#2);\n#2=PROPERTY_DEFINITION('b','',#1);\nENDSEC;\nEND-ISO-10303-21;\n`,
    );
    await expect(readCadFile(ring)).rejects.toThrow(
      /#2 \(PROPERTY_DEFINITION\) refers to #1 \(GENERAL_PROPERTY\), which is made of it; the circle is in a property/,
    );
  });
});
