import { describe, expect, test } from 'vitest';
import { Journal, powerCuts } from '../../../tests/fixtures/power-cut.js';
import { mutate } from '../../../tests/fuzz/mutate.js';
import { FileError } from '../../errors.js';
import { addContactTable, CONTACT } from '../contact-records.js';
import { blobFile, type ReadableFile } from '../readable-file.js';
import { Recording } from '../recording.js';
import { MemoryFile, type WritableFile } from '../writable-file.js';
import { LiveFile } from './live-file.js';
import { readHdf5 } from './read.js';
import { RecordingReader } from './recording-reader.js';
import { writeHdf5 } from './write.js';

/** Contacts come and go: instant k has k · 7 mod `most` of them, those of every fifth none. */
const countAt = (k: number, most: number): number => (k % 5 === 0 ? 0 : (k * 7) % most);

function begin(): Recording {
  const recording = new Recording([{ name: 'x' }, { name: 'y' }], { title: 'Stoß' });
  recording.addTable('contacts', [
    { name: 'pair', type: 'label', quantity: 'which two' },
    { name: 'region', type: 'i32' },
    { name: 'point.x', unit: 'm' },
    { name: 'force', unit: 'N', quantity: 'Kraft' },
  ]);
  return recording;
}

/** Labels come late: one more every third instant. */
function grow(recording: Recording, rows: number, most: number): Recording {
  const table = recording.table('contacts');
  for (let k = recording.rows; k < rows; k++) {
    for (let i = 0; i < countAt(k, most); i++)
      table.append(k / 10, [table.label(`Kugel ${Math.floor(k / 3)} – Wand`), i - 3, (k + i) / 3, i / 7]);
    recording.append(k / 10, [k / 3, -k]);
  }
  return recording;
}

async function compact(recording: Recording): Promise<Uint8Array<ArrayBuffer>> {
  const file = new MemoryFile();
  await writeHdf5(recording, file);
  return file.bytes();
}

function expectSame(copy: Recording, recording: Recording): void {
  expect(copy.hash).toBe(recording.hash);
  expect(copy.rows).toBe(recording.rows);
  expect(copy.tables.map(({ name }) => name).sort()).toEqual(recording.tables.map(({ name }) => name).sort());
  for (const { name, columns, labels, first } of recording.tables) {
    const table = copy.table(name);
    expect(table.columns).toEqual(columns);
    expect(table.labels).toEqual(labels);
    expect(table.first).toEqual(first);
    for (const column of columns) expect(table.column(column.name)).toEqual(recording.table(name).column(column.name));
  }
}

describe('records in a file', () => {
  // Rows around the height of a chunk: 4096 in a live file, 8192 in a compact one
  test.each([
    [0, 10],
    [1, 10],
    [5, 10],
    [60, 300],
    [100, 1000],
  ])('%i instants of up to %i records, compact and live', async (rows, most) => {
    const recording = grow(begin(), rows, most);
    recording.state = 'finished';
    expectSame(await readHdf5(await compact(recording)), recording);
    const file = new MemoryFile();
    new LiveFile(recording, file, { chunkK: 20 });
    expectSame(await readHdf5(file.bytes()), recording);
  });

  test('several tables, one of many columns, one without rows; special numbers keep their bits', async () => {
    const recording = new Recording([{ name: 'x' }]);
    const contacts = addContactTable(recording);
    const wide = recording.addTable(
      'wide',
      Array.from({ length: 250 }, (_, i) => ({ name: `c${i}`, type: i % 2 ? ('i32' as const) : ('f64' as const) })),
    );
    recording.addTable('empty', [{ name: 'a' }]);
    const specials = [-0, 5e-324, Number.NaN, Number.NEGATIVE_INFINITY, 1.7976931348623157e308];
    const row = new Float64Array(CONTACT.width);
    row[CONTACT.pair] = contacts.label('');
    for (const [k, x] of specials.entries()) {
      row[CONTACT.depth] = x;
      contacts.append(k, row);
      wide.append(
        k,
        Array.from({ length: 250 }, (_, i) => (i % 2 ? -(2 ** 31) + i : x)),
      );
      recording.append(k, [0]);
    }
    recording.state = 'finished';
    for (const bytes of [
      await compact(recording),
      (() => {
        const file = new MemoryFile();
        new LiveFile(recording, file, { chunkK: 1 });
        return file.bytes();
      })(),
    ]) {
      const copy = await readHdf5(bytes);
      expectSame(copy, recording);
      expect(Array.from(copy.table('contacts').column('depth'))).toEqual(specials);
      expect(copy.table('wide').column('c249')[4]).toBe(-(2 ** 31) + 249);
    }
  });

  test('a live file holds what was flushed: late labels, empty instants, a table that came after it', async () => {
    const recording = begin();
    const file = new MemoryFile();
    const live = new LiveFile(recording, file, { chunkK: 20 });
    expectSame(await readHdf5(file.bytes()), recording);
    recording.addTable('late', [{ name: 'a' }]);
    for (const rows of [1, 2, 3, 30, 31, 60]) {
      grow(recording, rows, 1000);
      live.flush();
      expectSame(await readHdf5(file.bytes()), recording);
    }
    // The rows of an instant that is still open are not there yet, nor lost
    const hash = recording.hash;
    recording.table('contacts').append(100, [0, 0, 0, 0]);
    live.flush();
    expect((await readHdf5(file.bytes())).hash).toBe(hash);
    recording.append(100, [0, 0]);
    recording.state = 'interrupted';
    live.flush();
    expectSame(await readHdf5(file.bytes()), recording);
  });

  test('a million records cost a live file no more than their bytes', () => {
    const recording = begin();
    let bytes = 0;
    let writes = 0;
    const counter: WritableFile = {
      write: (_, { length }) => {
        bytes += length;
        writes++;
      },
      sync: () => undefined,
      close: () => undefined,
    };
    const live = new LiveFile(recording, counter);
    const table = recording.table('contacts');
    const row = [0, 0, 0, 0];
    for (let k = 0; k < 100; k++) {
      for (let n = 0; n < 20; n++) table.label(`pair ${k}-${n}`); // 2000 labels, some with each flush
      for (let i = 0; i < 10_000; i++) {
        row[1] = i;
        table.append(k, row);
      }
      recording.append(k, [0, 0]);
      live.flush();
    }
    expect(table.rows).toBe(1e6);
    const content = 1e6 * (4 + 4 + 8 + 8);
    // A flush with new labels adds about 16 kB, however many there are already: texts of labels and of the root group (at least 4 KiB
    // each), root, events and table groups, headers, the sector.
    expect(bytes).toBeGreaterThan(content);
    expect((bytes - content) / 100).toBeLessThan(18_000);
    expect(writes).toBeLessThan(100 * 60);
  });

  test('a table that is full says so, and keeps what it has', async () => {
    const recording = grow(begin(), 20, 1000); // 7 · 19 = 133 records at most
    const file = new MemoryFile();
    const live = new LiveFile(recording, file, { chunkK: 1, name: 'big.h5' });
    const { hash } = recording;
    for (let i = 0; i < 8192; i++) recording.table('contacts').append(50, [0, 0, 0, 0]);
    recording.append(50, [0, 0]);
    expect(() => live.flush()).toThrow('big.h5: is full with 8192 rows of contacts; record them less often');
    expect((await readHdf5(file.bytes())).hash).toBe(hash);
  });

  // What the headers of tables say is not part of the sector that a flush writes last; see live-table.ts.
  test('survives a power cut at any moment', async () => {
    const recording = begin();
    const journal = new Journal();
    const live = new LiveFile(recording, journal, { chunkK: 4 });
    const hashes = [recording.hash];
    journal.flushed();
    for (const rows of [2, 20, 21, 30, 31]) {
      grow(recording, rows, 997);
      if (rows === 21) recording.addEvent(2, 'hit');
      if (rows === 31) recording.state = 'finished';
      live.flush();
      journal.flushed();
      hashes.push(recording.hash);
    }
    expect(recording.table('contacts').rows).toBeGreaterThan(2500);
    for (let i = 0; i < 3000; i++) recording.table('contacts').append(9, [i % 3, i, 0, 0]); // into a second chunk
    recording.append(9, [0, 0]);
    live.flush();
    journal.flushed();
    hashes.push(recording.hash);
    let cuts = 0;
    let sawNext = 0;
    for (const { flushed, bytes } of powerCuts(journal, 777)) {
      const { hash } = await readHdf5(bytes);
      cuts++;
      expect([hashes[flushed], hashes[flushed + 1]]).toContain(hash);
      if (hash !== hashes[flushed]) sawNext++;
    }
    expect(cuts).toBeGreaterThan(150);
    expect(sawNext).toBeGreaterThan(5);
  });
});

describe('damaged files with records', () => {
  test('each cut is refused; each of 250 mutations is read or refused with a FileError', async () => {
    const recording = grow(begin(), 25, 30);
    const live = new MemoryFile();
    new LiveFile(recording, live, { chunkK: 2 });
    recording.state = 'finished';
    const samples = [live.bytes(), await compact(recording)];
    let refused = 0;
    const attempt = async (bytes: Uint8Array<ArrayBuffer>, story: string) => {
      for (const read of [
        () => readHdf5(bytes, 'r.h5'),
        async () => {
          const reader = await RecordingReader.open(blobFile(new Blob([bytes])), 'r.h5');
          for (const table of reader.tables) if (table.instants > 0) await table.instant(-1);
          if (reader.rows > 0) await reader.row(-1);
        },
      ])
        try {
          await read();
        } catch (error) {
          refused++;
          if (!(error instanceof FileError)) throw new Error(story, { cause: error });
          if (error.message.length > 400) throw new Error(`${story}: ${error.message}`);
        }
    };
    for (const sample of samples)
      for (let length = 0; length < sample.length; length += 1 + Math.floor(length / 8)) {
        const before = refused;
        await attempt(sample.slice(0, length), `cut to ${length}`);
        expect(refused).toBe(before + 2);
      }
    const after = refused;
    for (let run = 0; run < 250; run++) {
      const { bytes, story } = mutate(samples, 5, run);
      await attempt(bytes as Uint8Array<ArrayBuffer>, `run ${run}: ${story}`);
    }
    expect(refused - after).toBeGreaterThan(200);
  });

  test('a changed record is noticed', async () => {
    const recording = grow(begin(), 25, 30);
    recording.state = 'finished';
    const file = new MemoryFile();
    new LiveFile(recording, file, { chunkK: 2 });
    const bytes = file.bytes();
    const needle = new Uint8Array(Float64Array.of(26 / 7).buffer);
    const at = bytes.findIndex((_, i) => needle.every((byte, k) => bytes[i + k] === byte));
    expect(at).toBeGreaterThan(0);
    bytes[at] ^= 1;
    await expect(readHdf5(bytes, 'r.h5')).rejects.toThrow(/r\.h5: is damaged: its numbers have the hash/);
  });
});

describe('a file read piece by piece', () => {
  /** Counts what is read. */
  const counting = (bytes: Uint8Array): ReadableFile & { bytes: number; reads: number } => {
    const file = {
      size: bytes.length,
      bytes: 0,
      reads: 0,
      read: async (position: number, length: number) => {
        file.bytes += length;
        file.reads++;
        return bytes.slice(position, position + length);
      },
    };
    return file;
  };

  test.each(['compact', 'live'])('%s: any instant, signal and column, as the whole file has them', async (kind) => {
    const recording = grow(begin(), 150, 1000);
    recording.addEvent(2, 'hit');
    let bytes: Uint8Array;
    if (kind === 'live') {
      const file = new MemoryFile();
      new LiveFile(recording, file); // indexes of full size: structures on many pages
      bytes = file.bytes();
    } else bytes = await compact(recording);
    const reader = await RecordingReader.open(counting(bytes));
    const contacts = recording.table('contacts');
    expect(reader.tables.map(({ name }) => name)).toEqual(['contacts']);
    const table = reader.table('contacts');
    expect([table.columns, table.labels, table.rows]).toEqual([contacts.columns, contacts.labels, contacts.rows]);
    expect(table.first).toEqual(contacts.first);
    for (const k of [0, 1, 149, 77, 76, -1, 100, 99, 3]) {
      const [got, wanted] = [await table.instant(k), contacts.instant(k)];
      expect(got.count).toBe(wanted.count);
      expect(got.values).toEqual(wanted.values);
      expect(Array.from(await reader.row(k))).toEqual(Array.from(recording.samples.row(k < 0 ? 150 + k : k)));
    }
    expect(await table.column('region')).toEqual(contacts.column('region'));
    expect(await table.column('force', 5000, 20_000)).toEqual(contacts.column('force').subarray(5000, 20_000));
    expect((await reader.signal('y')).values).toEqual(recording.signal('y').values);
    expect([reader.times, reader.events, reader.title]).toEqual([recording.times, recording.events, 'Stoß']);
    expect(reader.signals).toEqual(recording.signals);
    expect(() => reader.table('contact')).toThrow('did you mean "contacts"?');
    await expect(reader.signal('z')).rejects.toThrow('there is no signal "z"');
    await expect(table.instant(150)).rejects.toThrow('expected an instant from 0 to 149, got 150');
  });

  test('one instant takes a small part of the file, and a neighbour nothing more', async () => {
    const recording = new Recording([{ name: 'x' }]);
    const contacts = addContactTable(recording);
    const row = new Float64Array(CONTACT.width);
    row[CONTACT.pair] = contacts.label('a – b');
    let noise = 1;
    for (let k = 0; k < 1500; k++) {
      for (let i = 0; i < 50; i++) {
        for (let c = CONTACT.point; c < CONTACT.state; c++)
          row[c] = (noise = (Math.imul(noise, 1103515245) + 12345) >>> 0) / 3; // nothing to compress
        contacts.append(k, row);
      }
      recording.append(k, [0]);
    }
    const file = counting(await compact(recording));
    const reader = await RecordingReader.open(file);
    await reader.table('contacts').instant(700);
    // 75 000 records are 10 chunks of each column, of which one is needed; structures take pages of 64 KiB.
    expect(file.bytes / file.size).toBeLessThan(0.25);
    const before = file.bytes;
    expect(Array.from((await reader.table('contacts').instant(701)).column('depth'))).toEqual(
      Array.from(contacts.instant(701).column('depth')),
    );
    expect(file.bytes).toBe(before);
  });

  test('a file that becomes shorter meanwhile is refused', async () => {
    const bytes = await compact(grow(begin(), 100, 1000));
    const file = counting(bytes);
    const reader = await RecordingReader.open(file);
    file.read = async (position, length) => bytes.slice(position, Math.min(position + length, 100));
    await expect(reader.table('contacts').instant(51)).rejects.toThrow('the file was changed while it was being read');
  });
});
