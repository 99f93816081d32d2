/**
 * Records (contacts) in recordings on disk, read by others: the HDF5 library through h5py and through h5wasm, Python's csv. And runs
 * that are killed by SIGKILL at any moment: the file must open and hold every instant that was flushed, with all its records.
 *
 * Instant k has k mod 7 records; record i of it holds label ⌊k/50⌋, the whole number k − i and the double (k + i)/3, one correctly
 * rounded division: Python computes the same doubles, and all comparisons are exact.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DiskRecording,
  openRecordingFile,
  readRecordingFile,
  writeRecordingFile,
  writeRecordsCsv,
} from '../../src/node/recording-files.js';
import { addContactTable, CONTACT } from '../../src/results/contact-records.js';
import { Recording } from '../../src/results/recording.js';

const PYTHON = '/usr/bin/python3';
const folder = mkdtempSync(join(tmpdir(), 'tippetop-records-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const python = (script: string, ...args: readonly string[]): unknown =>
  JSON.parse(execFileSync(PYTHON, ['-c', script, ...args], { encoding: 'utf8', cwd: folder }));
const h5py = (() => {
  try {
    execFileSync(PYTHON, ['-c', 'import h5py'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log(`skipped: ${PYTHON} with h5py is not installed (Debian: python3-h5py)`);
    return false;
  }
})();

const COLUMNS = [
  { name: 'pair', type: 'label', quantity: 'which two' },
  { name: 'region', type: 'i32' },
  { name: 'point.x', unit: 'm' },
] as const;

function sample(instants: number): Recording {
  const recording = new Recording([{ name: 'x' }]);
  const table = recording.addTable('contacts', COLUMNS);
  for (let k = 0; k < instants; k++) {
    for (let i = 0; i < k % 7; i++)
      table.append(k / 10, [table.label(`Kugel ${Math.floor(k / 50)}`), k - i, (k + i) / 3]);
    recording.append(k / 10, [k]);
  }
  return recording;
}

// What is beyond offset[rows] does not count.
const READ_RECORDS = `
import h5py, numpy, json, sys
found = []
for path in sys.argv[1:]:
    with h5py.File(path, 'r') as f:
        t, rows = f['records/contacts'], len(f['time'])
        offset = t['offset'][:rows + 1]
        k = numpy.repeat(numpy.arange(rows), numpy.arange(rows) % 7)
        i = numpy.arange(len(k)) - offset[k] if rows else k
        n = int(offset[rows])
        right = numpy.array_equal(numpy.diff(offset), numpy.arange(rows) % 7) and n == len(k)
        right = right and numpy.array_equal(t['region'][:n], k - i) and numpy.array_equal(t['point.x'][:n], (k + i) / 3)
        labels = list(t['labels'].asstr()[:])
        right = right and [labels[p] for p in t['pair'][:n]] == ['Kugel %d' % (m // 50) for m in k]
        right = right and len(t['region']) >= n and (f.attrs['state'] == 'running' or len(t['region']) == n)
        found.append(dict(rows=rows, records=n, right=bool(right), kinds=[str(t[c].dtype) for c in ('pair', 'region', 'point.x', 'offset')],
            units=[t[c].attrs['unit'] for c in ('region', 'point.x')], type=t['pair'].attrs['type'],
            quantity=t['pair'].attrs['quantity'], columns=json.loads(t.attrs['columns']), names=sorted(t)))
print(json.dumps(found))
`;
interface Found {
  rows: number;
  records: number;
  right: boolean;
  [more: string]: unknown;
}

describe('read by others', () => {
  test.skipIf(!h5py)('h5py: finished and running, with few and many chunks', () =>
    Promise.all(
      // 30 000 instants have 89 997 records: 11 compact chunks of a column, 22 of a live file
      [0, 1, 3, 30_000].map(async (instants) => {
        const recording = sample(instants);
        const live = join(folder, `live-${instants}.h5`);
        new DiskRecording(live, recording).flush();
        recording.state = 'finished';
        const done = join(folder, `done-${instants}.h5`);
        await writeRecordingFile(done, recording);
        const records = recording.table('contacts').rows;
        for (const found of python(READ_RECORDS, live, done) as Found[])
          expect(found).toEqual({
            rows: instants,
            records,
            right: true,
            kinds: ['int32', 'int32', 'float64', 'int32'],
            units: ['', 'm'],
            type: 'label',
            quantity: 'which two',
            columns: ['pair', 'region', 'point.x'],
            names: ['labels', 'offset', 'pair', 'point.x', 'region'],
          });
      }),
    ).then(() => undefined),
  );

  test('h5wasm: all columns of contacts, of which a group has more than one node', async () => {
    const { File, ready } = await import('h5wasm');
    const library = await ready;
    const recording = new Recording([{ name: 'x' }]);
    const contacts = addContactTable(recording);
    const row = new Float64Array(CONTACT.width);
    for (let k = 0; k < 3000; k++) {
      for (let i = 0; i < k % 7; i++) {
        for (let c = 0; c < CONTACT.width; c++) row[c] = (k + c) / 3;
        row[CONTACT.pair] = contacts.label(`ball[${k % 11}] – floor`);
        row[CONTACT.region] = k;
        row[CONTACT.state] = i % 3;
        contacts.append(k, row);
      }
      recording.append(k, [0]);
    }
    for (const live of [true, false]) {
      const path = join(folder, 'wasm.h5');
      if (live) new DiskRecording(path, recording).flush();
      else await writeRecordingFile(path, recording);
      (library.FS as unknown as { writeFile(path: string, bytes: Uint8Array): void }).writeFile(
        '/r.h5',
        readFileSync(path),
      );
      const file = new File('/r.h5', 'r');
      const read = (name: string) =>
        file.get(`records/contacts/${name}`) as unknown as {
          value: ArrayLike<number>;
          attrs: Record<string, { value: string }>;
        };
      expect(Array.from(read('offset').value)).toEqual(Array.from(contacts.first));
      for (const { name, unit } of contacts.columns) {
        expect(read(name).attrs.unit.value).toBe(unit);
        expect(Array.from(read(name).value)).toEqual(Array.from(contacts.column(name)));
      }
      expect(read('labels').value).toEqual(contacts.labels);
      file.close();
    }
  });

  test.skipIf(!h5py)('a file to which h5py has added attributes and columns is still a recording', async () => {
    const path = join(folder, 'annotated.h5');
    const recording = sample(500);
    recording.state = 'finished';
    await writeRecordingFile(path, recording);
    python(
      `
import h5py, sys, numpy
with h5py.File(sys.argv[1], 'r+') as f:
    t = f['records/contacts']
    t.attrs['note'] = 'mine'; t['region'].attrs['n'] = 3
    for i in range(60): t['extra%d' % i] = numpy.arange(5)
print(1)`,
      path,
    );
    const copy = await readRecordingFile(path);
    expect(copy.hash).toBe(recording.hash);
    expect(copy.table('contacts').columns).toHaveLength(3);
  });

  test.skipIf(!existsSync(PYTHON))('CSV of records, read by Python', async () => {
    const path = join(folder, 'contacts.csv');
    await writeRecordsCsv(path, sample(100), 'contacts');
    const found = python(
      `
import csv, json, sys
rows = list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8')))
wanted = [[k / 10, 'Kugel %d' % (k // 50), k - i, (k + i) / 3] for k in range(100) for i in range(k % 7)]
print(json.dumps([rows[0], [[float(a), b, int(c), float(d)] for a, b, c, d in rows[1:]] == wanted]))`,
      path,
    );
    expect(found).toEqual([['time [s]', 'pair', 'region', 'point.x [m]'], true]);
    await expect(writeRecordsCsv(join(folder, 'no.csv'), sample(1), 'contact')).rejects.toThrow('did you mean');
    expect(existsSync(join(folder, 'no.csv')) || existsSync(join(folder, 'no.csv.part'))).toBe(false);
  });

  test('opened piece by piece from disk, also while it grows', async () => {
    const path = join(folder, 'growing.h5');
    const recording = sample(100);
    const disk = new DiskRecording(path, recording);
    const { reader, close } = await openRecordingFile(path);
    recording.table('contacts').append(10, [0, 1, 2]);
    recording.append(10, [0]);
    disk.flush();
    expect([reader.rows, reader.state, reader.table('contacts').rows]).toEqual([100, 'running', 297 - 2]);
    expect(Array.from((await reader.table('contacts').instant(13)).column('region'))).toEqual([13, 12, 11, 10, 9, 8]);
    await close();
    await disk.finish('finished');
    const again = await openRecordingFile(path);
    expect([again.reader.rows, again.reader.hash]).toEqual([101, recording.hash]);
    expect((await again.reader.table('contacts').instant(-1)).count).toBe(1);
    await again.close();
    await expect(openRecordingFile(join(folder, 'none.h5'))).rejects.toThrow('there is no such file');
  });
});

describe('killed runs with records', () => {
  const script = join(folder, 'run.mjs');
  beforeAll(async () => {
    const src = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
    const entry = join(folder, 'entry.ts');
    const names = ['node/recording-files.ts', 'results/recording.ts'].map((path) => JSON.stringify(src(path)));
    writeFileSync(entry, names.map((name) => `export * from ${name};`).join('\n'));
    await build({
      configFile: false,
      root: folder,
      logLevel: 'silent',
      build: {
        ssr: entry,
        outDir: join(folder, 'built'),
        target: 'node20',
        rollupOptions: { output: { entryFileNames: 'run.js' } },
      },
    });
    // Records as fast as it can, flushes every few ms and says how many rows are safe; labels come all the time.
    writeFileSync(
      script,
      `import { writeSync } from 'node:fs';
import { DiskRecording, Recording } from './built/run.js';
const [path, most] = [process.argv[2], Number(process.argv[3])];
for (let run = 0; ; run++) {
  const recording = new Recording([{ name: 'x' }]);
  const table = recording.addTable('contacts', ${JSON.stringify(COLUMNS)});
  const disk = new DiskRecording(path, recording, { flushSeconds: 0.002 });
  let safe = 0;
  for (let k = 0; k < most; k++) {
    for (let i = 0; i < k % 7; i++)
      table.append(k / 10, [table.label('Kugel ' + Math.floor(k / 50)), k - i, (k + i) / 3]);
    recording.append(k / 10, [k]);
    disk.flushWhenDue();
    if (disk.rows > safe) writeSync(1, run + ' ' + (safe = disk.rows) + '\\n');
  }
  await disk.finish('finished');
  writeSync(1, run + ' ' + most + '\\n');
}
`,
    );
  });

  test('leave every flushed instant with all its records', async () => {
    const kills: { path: string; safe: number; most: number }[] = [];
    const kill = async (i: number): Promise<void> => {
      const path = join(folder, `killed-${i}.h5`);
      const most = i % 2 ? 3000 : 1e9; // short runs that end and begin; a long one of many chunks
      const child = spawn(process.execPath, [script, path, String(most)], { stdio: ['ignore', 'pipe', 'inherit'] });
      // Some ms after so many flushed rows: 2800 of the last long run have 8400 records, three chunks
      const enough = i % 2 ? 0 : 200 * i;
      let said = '';
      let struck = false;
      const safe = (): number => Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1)?.split(' ')[1]);
      child.stdout.setEncoding('utf8').on('data', (text) => {
        said += text;
        if (struck || !(safe() >= enough)) return;
        struck = true;
        setTimeout(() => child.kill('SIGKILL'), (i * 7919) % 131);
      });
      await new Promise((resolve) => child.on('close', resolve));
      expect(child.signalCode).toBe('SIGKILL');
      kills.push({ path, safe: safe(), most });
    };
    for (let i = 0; i < 16; i += 2) await Promise.all([kill(i), kill(i + 1)]);
    for (const { path, safe, most } of kills) {
      const recording = await readRecordingFile(path);
      // A line may come from a run before the one whose file we find: then all its rows were safe already.
      if (recording.rows < safe) expect([path, safe]).toEqual([path, most]);
      expect(recording.table('contacts').hash).toBe(sample(recording.rows).table('contacts').hash);
    }
    expect(kills.some(({ safe, most }) => most === 1e9 && safe >= 2800)).toBe(true);
    console.log(`16 kills: ${kills.map(({ safe }) => safe)} instants flushed`);
    if (h5py)
      for (const { right, rows, records } of python(READ_RECORDS, ...kills.map(({ path }) => path)) as Found[]) {
        expect(right).toBe(true);
        expect(records).toBe(sample(rows).table('contacts').rows);
      }
  });
});
