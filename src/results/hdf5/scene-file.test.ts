import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Journal, powerCuts } from '../../../tests/fixtures/power-cut.js';
import { FileError } from '../../errors.js';
import { box } from '../../geometry/primitives.js';
import type { Solid } from '../../geometry/solid.js';
import { body } from '../../model/body.js';
import { steel } from '../../model/materials.js';
import { model } from '../../model/model.js';
import { simulate } from '../../simulation/simulation.js';
import { blobFile } from '../readable-file.js';
import { Recording } from '../recording.js';
import { sceneBytes } from '../scene/scene-bytes.js';
import { sceneOf } from '../scene/scene-of.js';
import type { Scene } from '../scene.js';
import { MemoryFile } from '../writable-file.js';
import { LiveFile } from './live-file.js';
import { readHdf5 } from './read.js';
import { RecordingReader } from './recording-reader.js';
import { writeHdf5 } from './write.js';

const falling = () => model({ title: 'falling', bodies: { brick: body({ shape: box([1, 2, 3]), material: steel }) } });
const scene = sceneOf(falling());

async function compact(recording: Recording): Promise<Uint8Array<ArrayBuffer>> {
  const file = new MemoryFile();
  await writeHdf5(recording, file);
  return file.bytes();
}

describe('a scene in a recording', () => {
  test('a run tells what it shows; its meshes are the model’s own', () => {
    const given = falling();
    const recording = simulate(given, { stopTime: 0.1 });
    const { mesh } = given.bodies.get('brick')!.shape as Solid;
    expect(recording.scene!.shapes[0].vertices).toBe(mesh.vertices);
    expect(recording.scene).toEqual(scene);
  });

  test('is no part of the hash, and is made when it is asked for', () => {
    let asked = 0;
    const record = (given?: Scene | (() => Scene)) => {
      const recording = new Recording([{ name: 'x' }], { scene: given });
      recording.append(0, [1]);
      return recording;
    };
    const counting = record(() => {
      asked++;
      return scene;
    });
    expect(counting.hash).toBe(record().hash);
    expect(asked).toBe(0);
    expect([counting.scene, counting.scene]).toEqual([scene, scene]);
    expect(asked).toBe(1);
    expect(() => {
      counting.scene = scene;
    }).toThrow('recording.scene: expected it before the first row, got it after 1');
  });

  test('compact, live and piece by piece', async () => {
    const recording = simulate(falling(), { stopTime: 0.1 });
    const bytes = await compact(recording);
    expect((await readHdf5(bytes)).scene).toEqual(scene);
    expect((await RecordingReader.open(blobFile(new Blob([bytes])))).scene).toEqual(scene);
    const live = new MemoryFile();
    new LiveFile(recording, live);
    expect((await readHdf5(live.bytes())).scene).toEqual(scene);
  });

  test('files without one still open', async () => {
    const recording = new Recording([{ name: 'x' }]);
    recording.append(0, [1]);
    expect((await readHdf5(await compact(recording))).scene).toBeUndefined();
    const live = new MemoryFile();
    new LiveFile(recording, live);
    expect((await readHdf5(live.bytes())).scene).toBeUndefined();
  });

  test('stands in the file from the start: whenever the power goes, there is something to see', async () => {
    const recording = new Recording([{ name: 'x' }], { scene });
    const journal = new Journal();
    const file = new LiveFile(recording, journal);
    journal.flushed();
    for (let i = 0; i < 3; i++) {
      recording.append(i, [i]);
      file.flush();
      journal.flushed();
    }
    let seen = 0;
    for (const { bytes } of powerCuts(journal, 3)) {
      expect((await readHdf5(bytes)).scene).toEqual(scene);
      seen++;
    }
    expect(seen).toBeGreaterThan(10);
  });

  test('h5wasm finds bytes', async () => {
    const h5wasm = await import('h5wasm/node');
    const { FS } = await h5wasm.ready; // in Node this is the disk
    const folder = mkdtempSync(join(tmpdir(), 'tippetop-scene-'));
    const path = join(folder, 'scene.h5');
    const recording = simulate(falling(), { stopTime: 0.1 });
    const live = new MemoryFile();
    new LiveFile(recording, live);
    for (const bytes of [await compact(recording), live.bytes()]) {
      FS.writeFile(path, bytes);
      const file = new h5wasm.File(path, 'r');
      const dataset = file.get('scene') as InstanceType<typeof h5wasm.Dataset>;
      expect(dataset.dtype).toBe('<B');
      expect(dataset.value).toEqual(sceneBytes(scene));
      file.close();
    }
    rmSync(folder, { recursive: true });
  });

  test('a damaged scene is told as such', async () => {
    const bytes = await compact(new Recording([{ name: 'x' }], { scene }));
    const at = Buffer.from(bytes).indexOf('ttscene1');
    bytes[at + 7]++;
    await expect(readHdf5(bytes, 'a.h5')).rejects.toThrow(
      new FileError('a.h5', 'scene', 'expected "ttscene1" at its start'),
    );
  });
});
