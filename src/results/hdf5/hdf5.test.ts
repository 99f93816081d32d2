import { describe, expect, test } from 'vitest';
import { Journal, powerCuts } from '../../../tests/fixtures/power-cut.js';
import { mutate } from '../../../tests/fuzz/mutate.js';
import { FileError } from '../../errors.js';
import { Recording } from '../recording.js';
import { MemoryFile } from '../writable-file.js';
import { WholeStore } from './byte-store.js';
import { ByteWriter } from './byte-writer.js';
import { chunkTree } from './chunk-tree.js';
import { LiveFile } from './live-file.js';
import { readHdf5 } from './read.js';
import { Hdf5Source } from './source.js';
import { TextHeap } from './structures.js';
import { writeHdf5 } from './write.js';

function grow(recording: Recording, rows: number): Recording {
  const { width } = recording.samples;
  for (let i = recording.rows; i < rows; i++)
    recording.append(
      i / 10,
      Array.from({ length: width }, (_, k) => (i + k) / 3),
    );
  return recording;
}

const start = (width: number) =>
  new Recording(
    Array.from({ length: width }, (_, i) => ({
      name: `rack[${i}].x`,
      unit: i % 2 ? 'm' : '',
      description: `Kugel №${i}`,
    })),
    { title: 'Stoß', parameters: { layers: 3, on: true, list: [1, null] }, versions: { tippetop: '0.1.0' } },
  );

async function compact(recording: Recording): Promise<Uint8Array> {
  const file = new MemoryFile();
  await writeHdf5(recording, file);
  return file.bytes();
}

function expectSame(copy: Recording, recording: Recording): void {
  expect(copy.signals).toEqual(recording.signals);
  expect(copy.title).toBe(recording.title);
  expect(copy.parameters).toEqual(recording.parameters);
  expect(copy.versions).toEqual(recording.versions);
  expect(copy.events).toEqual(recording.events);
  expect(copy.state).toBe(recording.state);
  expect(copy.rows).toBe(recording.rows);
  expect(copy.hash).toBe(recording.hash);
}

describe('a compact file', () => {
  // Widths around the columns of a chunk, rows around its height (4096 rows of 32 columns)
  test.each([
    [1, 0],
    [1, 1],
    [2, 4096],
    [3, 4097],
    [33, 4100],
    [200, 700],
  ])('%i signals, %i rows', async (width, rows) => {
    const recording = grow(start(width), rows);
    recording.addEvent(0.25, 'contact');
    recording.addEvent(0.5, 'Ablösung');
    recording.state = 'finished';
    recording.trust = { steps: { accepted: 10, rejected: 2, smallest: 1e-9, smallestCausedBy: 'ball–floor' } };
    const copy = await readHdf5(await compact(recording));
    expectSame(copy, recording);
    expect(copy.trust).toEqual(recording.trust);
  });
  test('numbers without a JSON form are kept as text', async () => {
    const recording = grow(start(1), 1);
    recording.trust = { drift: Number.NaN, steps: { accepted: 0, rejected: 0, smallest: Number.POSITIVE_INFINITY } };
    const { trust } = await readHdf5(await compact(recording));
    expect(trust).toEqual({ drift: 'NaN', steps: { accepted: 0, rejected: 0, smallest: 'Infinity' } });
  });
  test('special doubles keep their bits', async () => {
    const recording = start(1);
    for (const [i, x] of [-0, 5e-324, Number.NaN, Number.NEGATIVE_INFINITY, 1.7976931348623157e308].entries())
      recording.append(i, [x]);
    const copy = await readHdf5(await compact(recording));
    expect(Array.from(copy.signal('rack[0].x').values)).toEqual([
      -0,
      5e-324,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      1.7976931348623157e308,
    ]);
  });
  test('texts of any length and many of them', () => {
    const texts = [
      '',
      'a',
      'é'.repeat(50_000),
      ...Array.from({ length: 70_000 }, (_, i) => `t${i}`),
      'x'.repeat(200_000),
    ];
    const heap = new TextHeap(104);
    const references = texts.map((text) => heap.add(text));
    const bytes = new ByteWriter().zeros(104).bytes(heap.bytes()).done();
    const file = new ByteWriter().bytes(bytes);
    for (const reference of references) file.bytes(reference);
    const whole = file.done();
    whole.set([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 0, 0, 0, 8, 8]);
    const source = new Hdf5Source(new WholeStore(whole), 'texts.h5');
    texts.forEach((text, i) => {
      if (source.text(bytes.length + 16 * i) !== text) throw new Error(`text ${i} came back otherwise`);
    });
  });
  test('an index of several levels leads to every chunk once and in order', () => {
    const chunks = Array.from({ length: 1000 }, (_, i) => ({ size: 8, address: 5000 + i, place: [4 * i, 0] }));
    const { bytes, root } = chunkTree(chunks, [4000, 0], 2, 104);
    const file = new ByteWriter().zeros(104).bytes(bytes).done();
    file.set([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 0, 0, 0, 8, 8]);
    const found: number[] = [];
    new Hdf5Source(new WholeStore(file), 'tree.h5').walk(root, 1, 32, (child) => found.push(child));
    expect(found).toEqual(chunks.map(({ address }) => address));
  });
});

describe('damaged and foreign files', () => {
  const recording = grow(start(3), 60);
  recording.addEvent(1, 'hit');
  test('each cut, and each of 600 mutations, is read or refused with a FileError', async () => {
    const live = new MemoryFile();
    new LiveFile(recording, live, { chunkK: 2 });
    recording.state = 'finished';
    const samples = [live.bytes(), await compact(recording)];
    let refused = 0;
    const attempt = async (bytes: Uint8Array, story: string) => {
      try {
        await readHdf5(bytes, 'r.h5');
      } catch (error) {
        refused++;
        if (!(error instanceof FileError)) throw new Error(story, { cause: error });
        if (error.message.length > 400) throw new Error(`${story}: ${error.message}`);
      }
    };
    for (const sample of samples)
      for (let length = 0; length < sample.length; length += 1 + Math.floor(length / 20)) {
        const before = refused;
        await attempt(sample.slice(0, length), `cut to ${length}`);
        expect(refused).toBe(before + 1);
      }
    const after = refused;
    for (let run = 0; run < 600; run++) {
      const { bytes, story } = mutate(samples, 21, run);
      await attempt(bytes, `run ${run}: ${story}`);
    }
    expect(refused - after).toBeGreaterThan(300);
  });
  test('a changed number is noticed', async () => {
    const file = new MemoryFile();
    recording.state = 'finished';
    new LiveFile(recording, file, { chunkK: 2 }); // not compressed, so a number can be found and changed
    const bytes = file.bytes();
    const needle = new Uint8Array(Float64Array.of(20 / 3).buffer);
    const at = bytes.findIndex((_, i) => needle.every((byte, k) => bytes[i + k] === byte));
    expect(at).toBeGreaterThan(0);
    await expect(readHdf5(bytes)).resolves.toBeInstanceOf(Recording);
    bytes[at] ^= 1;
    await expect(readHdf5(bytes, 'r.h5')).rejects.toThrow(/r\.h5: is damaged: its numbers have the hash/);
  });
  test.each([
    ['', 'an empty file'],
    ['PK\u0003\u0004', 'byte 0: is not an HDF5 file'],
  ])('%j', async (text, message) => {
    await expect(readHdf5(new TextEncoder().encode(text), 'r.h5')).rejects.toThrow(message);
  });
});

describe('a live file', () => {
  test('holds what was flushed, also over several chunks', async () => {
    const recording = start(40);
    const file = new MemoryFile();
    const live = new LiveFile(recording, file);
    expectSame(await readHdf5(file.bytes()), recording);
    for (const rows of [1, 2, 3276, 3277, 9000]) {
      grow(recording, rows);
      if (rows === 3277) recording.addEvent(300, 'hit');
      expect(live.rows).toBeLessThan(rows);
      live.flush();
      expect(live.rows).toBe(rows);
      expectSame(await readHdf5(file.bytes()), recording);
    }
    recording.state = 'interrupted';
    live.flush();
    expectSame(await readHdf5(file.bytes()), recording);
  });
  test('does not write when nothing is new', () => {
    const recording = grow(start(2), 3);
    const journal = new Journal();
    const live = new LiveFile(recording, journal, { chunkK: 2 });
    const writes = journal.entries.length;
    live.flush();
    expect(journal.entries).toHaveLength(writes);
  });
  test('says when it is full, and keeps what it has', async () => {
    const recording = grow(start(50_000), 4); // 2 rows a chunk
    const file = new MemoryFile();
    const live = new LiveFile(recording, file, { chunkK: 1, name: 'big.h5' });
    const hash = recording.hash;
    grow(recording, 5);
    expect(() => live.flush()).toThrow('big.h5: is full with 4 rows of 50000 signals; record fewer signals');
    expect((await readHdf5(file.bytes())).hash).toBe(hash);
  });

  // For a power cut after each write: the file must open, with all rows of the last flush that came back, or of the one under way.
  test('survives a power cut at any moment', async () => {
    const recording = start(3000); // 43 rows a chunk
    const journal = new Journal();
    const live = new LiveFile(recording, journal, { chunkK: 4 });
    const hashes: string[] = [recording.hash];
    journal.flushed();
    for (const rows of [5, 43, 60, 100, 101]) {
      grow(recording, rows);
      if (rows === 60) recording.addEvent(5, 'hit');
      if (rows === 101) recording.state = 'finished';
      live.flush();
      journal.flushed();
      hashes.push(recording.hash);
    }
    let cuts = 0;
    let sawNext = 0;
    for (const { flushed, bytes } of powerCuts(journal, 12345)) {
      const { hash } = await readHdf5(bytes);
      cuts++;
      expect([hashes[flushed], hashes[flushed + 1]]).toContain(hash);
      if (hash !== hashes[flushed]) sawNext++;
    }
    expect(cuts).toBeGreaterThan(60);
    expect(sawNext).toBeGreaterThan(3);
  });
});
