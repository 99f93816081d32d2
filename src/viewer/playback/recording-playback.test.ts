import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileError } from '../../errors.js';
import { halfSpace } from '../../geometry/half-space.js';
import { box } from '../../geometry/primitives.js';
import { sphere } from '../../geometry/sphere.js';
import { body } from '../../model/body.js';
import { model } from '../../model/model.js';
import { surface } from '../../model/surfaces.js';
import { LiveFile } from '../../results/hdf5/live-file.js';
import { writeHdf5 } from '../../results/hdf5/write.js';
import { blobFile, type ReadableFile } from '../../results/readable-file.js';
import { Recording } from '../../results/recording.js';
import { sceneOf } from '../../results/scene/scene-of.js';
import { MemoryFile } from '../../results/writable-file.js';
import { simulate } from '../../simulation/simulation.js';
import { httpFile } from './http-file.js';
import { modelPlayback } from './model-playback.js';
import { openRecordingPlayback } from './recording-playback.js';

const rubber = { density: 1100, youngsModulus: 5e6, poissonRatio: 0.45, restitution: 0.5, friction: 0.5 };
const rolling = () =>
  model({
    title: 'rolling',
    bodies: {
      floor: body({ shape: halfSpace(), material: rubber, fixed: true, position: [0, 0, 0] }),
      ball: body({ shape: sphere(0.1), material: rubber, position: [0, 0, 0.1], velocity: [1, 0, 0] }),
      die: body({ shape: box([0.1, 0.1, 0.1]), material: rubber, position: [0, 1, 0.05] }),
    },
    surfaces: {
      wave: surface({ triangles: [[0, 1, 2]], vertices: (t) => [0, 0, t, 1, 0, 0, 0, 1, 0], values: (t) => [t, 1, 2] }),
    },
  });
const recording = simulate(rolling(), { stopTime: 0.2, interval: 0.01 });

async function compact(of: Recording): Promise<Uint8Array<ArrayBuffer>> {
  const file = new MemoryFile();
  await writeHdf5(of, file);
  return file.bytes();
}

function live(of: Recording): Uint8Array<ArrayBuffer> {
  const file = new MemoryFile();
  new LiveFile(of, file);
  return file.bytes();
}

/** Counts what is read. */
const counted = (bytes: Uint8Array): { file: ReadableFile; read: { bytes: number; times: number; last: number } } => {
  const read = { bytes: 0, times: 0, last: 0 };
  return {
    read,
    file: {
      size: bytes.length,
      read: (position, length) => {
        read.bytes += length;
        read.times++;
        read.last = position;
        return bytes.slice(position, position + length);
      },
    },
  };
};

describe.each([
  ['compact', compact],
  ['live', async (of: Recording) => live(of)],
])('a recording, %s', (_, written) => {
  test('has the bodies, signals, contacts and surfaces of the run at any instant', async () => {
    const playback = await openRecordingPlayback(blobFile(new Blob([await written(recording)])), 'a.h5');
    expect([playback.title, playback.state, playback.hash]).toEqual(['rolling', 'finished', recording.hash]);
    expect(playback.times).toEqual(recording.times);
    expect(playback.scene).toEqual(recording.scene);
    for (const i of [20, 0, 7, 7]) {
      const { time, poses, velocities } = await playback.frame(i);
      expect(time).toBe(recording.times[i]);
      playback.scene.bodies.forEach(({ name }, b) => {
        const values = (parts: readonly string[]) => parts.map((part) => recording.signal(`${name}.${part}`).values[i]);
        const axes = (what: string) => ['x', 'y', 'z'].map((axis) => `${what}.${axis}`);
        expect([...poses.subarray(7 * b, 7 * b + 7)]).toEqual(
          values([...axes('position'), 'orientation.w', ...axes('orientation')]),
        );
        expect([...velocities.subarray(6 * b, 6 * b + 6)]).toEqual(
          values([...axes('velocity'), ...axes('angularVelocity')]),
        );
      });
      const own = recording.table('contacts').instant(i);
      expect((await playback.contacts(i)).values).toEqual(own.values);
      const [wave] = await playback.surfaces(i);
      expect([...wave.vertices]).toEqual([0, 0, time, 1, 0, 0, 0, 1, 0]);
      expect([...wave.values]).toEqual([time, 1, 2]);
    }
    const told: number[] = [];
    const { values } = await playback.signal('ball.velocity.x', (part) => told.push(part));
    expect(values).toEqual(recording.signal('ball.velocity.x').values);
    expect(told.at(-1)).toBe(1);
  });

  test('sums contact forces, of all pairs or some', async () => {
    const playback = await openRecordingPlayback(blobFile(new Blob([await written(recording)])), 'a.h5');
    const table = recording.table('contacts');
    const sum = (i: number, pair?: number) => {
      const { count, values } = table.instant(i);
      let total = 0;
      for (let row = 0; row < count; row++) if (pair === undefined || values[0][row] === pair) total += values[8][row];
      return total;
    };
    const all = await playback.contactForces();
    const some = await playback.contactForces(new Set([1]));
    expect(playback.pairs.length).toBeGreaterThan(1);
    recording.times.forEach((_time, i) => {
      expect(all[i]).toBeCloseTo(sum(i), 9);
      expect(some[i]).toBeCloseTo(sum(i, 1), 9);
    });
  });
});

test('bodies of which no motion is recorded stand as drawn; files of before show bodies without shapes', async () => {
  const part = new Recording([{ name: 'ball.position.x' }, { name: 'ball.orientation.w' }], {
    scene: sceneOf(rolling()),
  });
  part.append(0, [7, 0.5]);
  const playback = await openRecordingPlayback(blobFile(new Blob([await compact(part)])), 'a.h5');
  const { poses, velocities } = await playback.frame(0);
  // half an orientation is none
  expect([...poses.subarray(7, 14)]).toEqual([7, 0, 0.1, 1, 0, 0, 0]);
  expect(velocities.every(Number.isNaN)).toBe(true);
  expect((await playback.contacts(0)).count).toBe(0);
  expect([...(await playback.surfaces(0))[0].vertices]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);

  const old = new Recording([{ name: 'rod.position.x' }, { name: 'rod.orientation.w' }]);
  old.append(0, [7, 1]);
  const bare = await openRecordingPlayback(blobFile(new Blob([await compact(old)])), 'old.h5');
  expect([bare.title, bare.scene.bodies.map(({ name }) => name)]).toEqual(['old.h5', ['rod']]);
  expect((await bare.frame(0)).poses[0]).toBe(7);
});

test('a model that has not been run', async () => {
  const playback = modelPlayback(sceneOf(rolling()));
  expect([playback.state, [...playback.times]]).toEqual(['model', [0]]);
  expect([...(await playback.frame(0)).poses.subarray(7, 10)]).toEqual([0, 0, 0.1]);
  await expect(playback.signal('x')).rejects.toThrow('the model has not been run');
});

describe('what is no recording is refused with words', () => {
  test.each([
    ['empty', async () => new Uint8Array(0), 'expected an HDF5 file, got an empty file'],
    ['foreign', async () => new TextEncoder().encode('solid cube\n'), 'is not an HDF5 file'],
    ['cut', async () => (await compact(recording)).slice(0, 5000), 'is cut short'],
  ])('%s', async (_, bytes, words) => {
    const opening = openRecordingPlayback(blobFile(new Blob([(await bytes()) as Uint8Array<ArrayBuffer>])), 'a.h5');
    await expect(opening).rejects.toThrow(FileError);
    await expect(opening).rejects.toThrow(words);
  });

  test('a damaged chunk is told at the instant that needs it', async () => {
    const wide = crowd(2000, 270); // bands of 16 rows
    const bytes = await compact(wide);
    const { file, read } = counted(bytes);
    const good = await openRecordingPlayback(file, 'a.h5');
    const first = await good.frame(0);
    await good.frame(200);
    bytes.fill(0x55, read.last + 1000, read.last + 1100); // in what row 200 needs
    const playback = await openRecordingPlayback(blobFile(new Blob([bytes])), 'a.h5');
    expect((await playback.frame(0)).poses).toEqual(first.poses);
    const failures: unknown[] = [];
    for (let i = 0; i < 270; i += 9) await playback.frame(i).catch((error) => failures.push(error));
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThan(10);
    for (const error of failures)
      expect(String(error)).toContain('a.h5, signals/values: is damaged: the chunk at byte');
  });
});

/** Many bodies that jump about. */
function crowd(count: number, rows: number): Recording {
  const names = Array.from({ length: count }, (_, b) =>
    ['position.x', 'position.y', 'position.z', 'orientation.w'].map((part) => ({ name: `b[${b}].${part}` })),
  ).flat();
  const made = new Recording(names);
  const row = new Float64Array(names.length);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < row.length; k++) row[k] = ((k * 31 + i * 17) % 97) / 3;
    made.append(i, row);
  }
  made.state = 'finished';
  return made;
}

describe('a long recording', () => {
  // Kept small here: what matters is that reading an instant does not grow with the file.
  test.each([
    ['compact', compact],
    ['live', async (of: Recording) => live(of)],
  ])('%s: an instant takes as many bytes of a file three times as long', async (_, written) => {
    const bytesRead = async (rows: number): Promise<number> => {
      const { file, read } = counted(await written(crowd(2000, rows)));
      const playback = await openRecordingPlayback(file, 'a.h5');
      await playback.frame(0);
      const before = read.bytes;
      await playback.frame(Math.floor(rows / 2));
      return read.bytes - before;
    };
    const [short, long] = [await bytesRead(270), await bytesRead(810)];
    expect(long).toBeGreaterThan(0);
    expect(long).toBeLessThan(1.2 * short);
  });

  test('instants around one that was seen are at hand', async () => {
    const { file, read } = counted(await compact(crowd(700, 400)));
    const playback = await openRecordingPlayback(file, 'a.h5');
    await playback.frame(200);
    const before = read.times;
    await playback.frame(201);
    await playback.frame(200);
    expect(read.times).toBe(before);
  });

  test('one signal of long rows that are not packed takes little more than itself', async () => {
    const wide = crowd(3000, 20);
    const { file, read } = counted(live(wide));
    const playback = await openRecordingPlayback(file, 'a.h5');
    const before = read.bytes;
    const { values } = await playback.signal('b[17].position.y');
    expect(values).toEqual(wide.signal('b[17].position.y').values);
    expect(read.bytes - before).toBeLessThan(200_000); // of 2 MB of rows
  });

  test('one signal of a packed file takes its own chunks only', async () => {
    const wide = crowd(700, 400);
    const { file, read } = counted(await compact(wide));
    const playback = await openRecordingPlayback(file, 'a.h5');
    const before = read.bytes;
    const { values } = await playback.signal('b[17].position.y');
    expect(values).toEqual(wide.signal('b[17].position.y').values);
    expect(read.bytes - before).toBeLessThan(file.size / 4); // four chunks stand side by side
  });
});

describe('a file on a server', () => {
  let whole: Uint8Array<ArrayBuffer>;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.range}`);
    const bytes = request.url === '/empty.h5' ? new Uint8Array(0) : whole;
    if (request.url === '/none.h5') return response.writeHead(404).end();
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (!range || request.url === '/whole.h5') return response.writeHead(200).end(bytes);
    const [from, to] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
    if (from >= bytes.length) return response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${bytes.length}` });
    return response.end(bytes.subarray(from, to + 1));
  });
  let address = '';
  beforeAll(async () => {
    whole = await compact(recording);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
  });

  test.each(['/parts.h5', '/whole.h5?v=1'])('%s plays', async (path) => {
    const playback = await openRecordingPlayback(await httpFile(address + path), 'a.h5');
    expect((await playback.frame(20)).poses[7]).toBe(recording.signal('ball.position.x').values[20]);
  });

  test('is read in parts', async () => {
    const file = await httpFile(`${address}/parts.h5`);
    expect(file.size).toBe(whole.length);
    expect([...(await file.read(1, 3))]).toEqual([0x48, 0x44, 0x46]);
    expect((await file.read(5, 0)).length).toBe(0);
    expect(asked.at(-1)).toBe('/parts.h5 bytes=1-3');
  });

  test('none, and an empty one', async () => {
    await expect(httpFile(`${address}/none.h5`)).rejects.toThrow('none.h5: cannot be loaded: the server says 404');
    await expect(httpFile('http://127.0.0.1:1/x.h5')).rejects.toThrow('x.h5: cannot be loaded');
    expect((await httpFile(`${address}/empty.h5`)).size).toBe(0);
  });
});
