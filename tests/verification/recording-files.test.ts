/**
 * Recordings on disk, read by others: HDF5 through the HDF5 library (h5py with Debian's, h5wasm with another version), Modelica
 * result files through scipy, CSV through Python's csv. And runs that are killed by SIGKILL at any moment: the file must open
 * and hold every row that was flushed.
 *
 * Values are (row + column)/3 and times row/10: one correctly rounded division, so Python computes the same doubles and all
 * comparisons are exact.
 */
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileError } from '../../src/errors.js';
import { DiskRecording, readRecordingFile, writeRecordingFile } from '../../src/node/recording-files.js';
import { Recording } from '../../src/results/recording.js';

const PYTHON = '/usr/bin/python3';
const folder = mkdtempSync(join(tmpdir(), 'tippetop-recording-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Whether Python has a module; says so if not. */
function hasModule(name: string): boolean {
  try {
    execFileSync(PYTHON, ['-c', `import ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    console.log(`skipped: ${PYTHON} with ${name} is not installed (Debian: python3-${name})`);
    return false;
  }
}
const python = (script: string, ...args: readonly string[]): unknown =>
  JSON.parse(execFileSync(PYTHON, ['-c', script, ...args], { encoding: 'utf8', cwd: folder }));
const h5py = hasModule('h5py');
const scipy = hasModule('scipy');

function sample(width: number, rows: number): Recording {
  const signals = Array.from({ length: width }, (_, i) => ({
    name: `rack[${i}].x`,
    unit: i % 2 ? 'm' : '',
    description: `Kugel ${i}`,
  }));
  const recording = new Recording(signals, { title: 'Stoß', parameters: { layers: 3, on: true, label: 'a' } });
  const row = new Float64Array(width);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < width; k++) row[k] = (i + k) / 3;
    recording.append(i / 10, row);
  }
  return recording;
}

// Prints for each file what it says of itself, and whether all its numbers are as they should be.
const READ_HDF5 = `
import h5py, numpy, json, sys
found = []
for path in sys.argv[1:]:
    with h5py.File(path, 'r') as f:
        values, time = f['signals/values'], f['time']
        rows, width = values.shape
        v, i = values[:], numpy.arange(rows, dtype=float)
        right = numpy.array_equal(v, (i[:, None] + numpy.arange(width)) / 3) and numpy.array_equal(time[:], i / 10)
        right = right and (rows == 0 or numpy.array_equal(values[:, width - 1], v[:, width - 1]))
        found.append(dict(rows=rows, width=width, right=bool(right), times=len(time), compression=values.compression,
            maxshape=values.maxshape, attrs={k: str(a) for k, a in f.attrs.items()},
            names=list(f['signals/name'].asstr()[:2]), units=list(f['signals/unit'].asstr()[:2]),
            descriptions=list(f['signals/description'].asstr()[:2]),
            events=[list(f['events/time'][:]), list(f['events/name'].asstr()[:])]))
print(json.dumps(found))
`;

interface Found {
  rows: number;
  right: boolean;
  [more: string]: unknown;
}

describe('HDF5', () => {
  // 300 000 rows of one signal are 74 chunks, more than one node of the index holds.
  const shapes = [
    [1, 0],
    [2, 1],
    [40, 9000],
    [1, 300_000],
    [3000, 100],
  ] as const;
  test.skipIf(!h5py)('files of runs that have ended, read by h5py', async () => {
    const paths: string[] = [];
    for (const [width, rows] of shapes) {
      const recording = sample(width, rows);
      recording.addEvent(0.5, 'Aufprall');
      recording.state = 'finished';
      recording.trust = { steps: { accepted: 1, rejected: 0, smallest: 0.5 } };
      const path = join(folder, `${width}x${rows}.h5`);
      await writeRecordingFile(path, recording);
      paths.push(path);
    }
    const found = python(READ_HDF5, ...paths) as Found[];
    found.forEach(({ attrs, ...one }, i) => {
      const [width, rows] = shapes[i];
      expect(one).toEqual({
        rows,
        width,
        right: true,
        times: rows,
        compression: 'gzip',
        maxshape: [null, width],
        names: ['rack[0].x', 'rack[1].x'].slice(0, width),
        units: ['', 'm'].slice(0, width),
        descriptions: ['Kugel 0', 'Kugel 1'].slice(0, width),
        events: [[0.5], ['Aufprall']],
      });
      expect(attrs).toEqual({
        format: 'tippetop recording 1',
        title: 'Stoß',
        state: 'finished',
        hash: sample(width, rows).hash,
        parameters: '{"layers":3,"on":true,"label":"a"}',
        versions: '{}',
        trust: '{"steps":{"accepted":1,"rejected":0,"smallest":0.5}}',
      });
    });
  });

  test('files of runs that have ended and that go on, read by h5wasm', async () => {
    const { File, ready } = await import('h5wasm');
    const library = await ready;
    for (const live of [false, true])
      for (const [width, rows] of shapes.slice(2)) {
        const recording = sample(width, rows);
        const path = join(folder, 'wasm.h5');
        if (live) new DiskRecording(path, recording).flush();
        else await writeRecordingFile(path, recording);
        (library.FS as unknown as { writeFile(path: string, bytes: Uint8Array): void }).writeFile(
          '/r.h5',
          readFileSync(path),
        );
        const file = new File('/r.h5', 'r');
        const [values, names] = ['signals/values', 'signals/name'].map((name) => file.get(name)) as {
          shape: number[];
          value: unknown;
        }[];
        expect(values.shape).toEqual([rows, width]);
        const numbers = values.value as Float64Array;
        let wrong = 0;
        for (let i = 0; i < rows; i++)
          for (let k = 0; k < width; k++) if (numbers[i * width + k] !== (i + k) / 3) wrong++;
        expect(wrong).toBe(0);
        expect(names.value).toEqual(recording.signals.map(({ name }) => name));
        expect(file.attrs.title.value).toBe('Stoß');
        file.close();
      }
  });

  test.skipIf(!h5py)('a file that h5py has added to is still a recording; one of its own is not', async () => {
    const path = join(folder, 'annotated.h5');
    const recording = sample(40, 500);
    await writeRecordingFile(path, recording);
    python(
      `
import h5py, sys, json, numpy
with h5py.File(sys.argv[1], 'r+') as f:
    f.attrs['note'] = 'the good run'; f.attrs['number'] = 3.5; f.attrs['list'] = [1, 2]
    for i in range(20): f['extra/set%d' % i] = numpy.arange(5)
    f['signals'].attrs['n'] = 1
with h5py.File('foreign.h5', 'w') as f: f['a'] = numpy.arange(9.0)
with h5py.File('new.h5', 'w', libver='latest') as f: f['a'] = 1
print(1)`,
      path,
    );
    expect((await readRecordingFile(path)).hash).toBe(recording.hash);
    await expect(readRecordingFile(join(folder, 'foreign.h5'))).rejects.toThrow(/not a recording of tippetop/);
    await expect(readRecordingFile(join(folder, 'new.h5'))).rejects.toThrow(FileError);
  });
});

describe('killed runs', () => {
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
    // Records as fast as it can, flushes every few ms and says how many rows are safe; after `most` rows it ends the run
    // and begins the next under the same name, so that kills also hit the change to a compact file.
    writeFileSync(
      script,
      `import { writeSync } from 'node:fs';
import { DiskRecording, Recording } from './built/run.js';
const [path, width, most] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
for (let run = 0; ; run++) {
  const recording = new Recording(Array.from({ length: width }, (_, i) => ({ name: 'rack[' + i + '].x' })));
  const disk = new DiskRecording(path, recording, { flushSeconds: 0.002 });
  const row = new Float64Array(width);
  let safe = 0;
  for (let i = 0; i < most; i++) {
    for (let k = 0; k < width; k++) row[k] = (i + k) / 3;
    recording.append(i / 10, row);
    if (i % 500 === 0) recording.addEvent(i / 10, 'event ' + i);
    disk.flushWhenDue();
    if (disk.rows > safe) writeSync(1, run + ' ' + (safe = disk.rows) + '\\n');
  }
  await disk.finish('finished');
  writeSync(1, run + ' ' + most + '\\n');
}
`,
    );
  });

  test('leave every flushed row, in a file that opens', async () => {
    const kills: { path: string; run: number; safe: number; most: number }[] = [];
    const kill = async (i: number): Promise<void> => {
      const path = join(folder, `killed-${i}.h5`);
      const [width, most] = i % 2 ? [7, 1500] : [60, 1e9]; // short runs that end and begin; a long one of many chunks
      const child = spawn(process.execPath, [script, path, String(width), String(most)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        if (said === '') setTimeout(() => child.kill('SIGKILL'), 3 + ((i * 7919) % 151)); // 3 … 153 ms after the first flush
        said += text;
      });
      await new Promise((resolve) => child.on('close', resolve));
      expect(child.signalCode).toBe('SIGKILL');
      const [run, safe] = (said.trimEnd().split('\n').at(-1) ?? '').split(' ').map(Number);
      kills.push({ path, run, safe, most });
    };
    for (let i = 0; i < 24; i += 2) await Promise.all([kill(i), kill(i + 1)]);
    expect(kills).toHaveLength(24);
    const finished: string[] = [];
    for (const { path, run, safe, most } of kills) {
      const recording = await readRecordingFile(path);
      // A line may come from a run before the one whose file we find: then all its rows were safe already.
      if (recording.rows < safe && most === 1e9) throw new Error(`${path}: ${recording.rows} rows of ${safe} flushed`);
      if (recording.rows < safe) expect(safe).toBe(most);
      const column = recording.signal(`rack[${recording.signals.length - 1}].x`).values;
      for (let i = 0; i < column.length; i++)
        if (column[i] !== (i + recording.signals.length - 1) / 3) throw new Error(`${path}: row ${i} is wrong`);
      expect(recording.events.length).toBeLessThanOrEqual(Math.ceil(recording.rows / 500) + 1);
      if (recording.state === 'finished') finished.push(path);
      expect(run).toBeGreaterThanOrEqual(0);
    }
    // 2184 rows of 60 signals are a chunk
    expect(kills.some(({ safe, most }) => most === 1e9 && safe > 2200)).toBe(true);
    console.log(
      `24 kills: ${kills.filter(({ most }) => most === 1e9).map(({ safe }) => safe)} rows of long runs; ` +
        `${finished.length} short ones hit after their end; run numbers ${Math.max(...kills.map(({ run }) => run))}`,
    );
    if (h5py)
      for (const [i, { rows, right }] of (python(READ_HDF5, ...kills.map(({ path }) => path)) as Found[]).entries()) {
        expect(right).toBe(true);
        expect(rows).toBe((await readRecordingFile(kills[i].path)).rows);
      }
  });

  test('a new run under an old name replaces the file at once, an end leaves nothing beside it', async () => {
    const path = join(folder, 'again', 'recording.h5');
    await writeRecordingFile(path, sample(1, 50));
    const recording = sample(2, 3);
    const disk = new DiskRecording(path, recording);
    expect((await readRecordingFile(path)).state).toBe('running');
    copyFileSync(path, join(folder, 'running.h5'));
    await disk.finish('interrupted');
    const copy = await readRecordingFile(path);
    expect([copy.state, copy.rows, copy.hash]).toEqual(['interrupted', 3, recording.hash]);
    expect(readFileSync(path).length).toBeLessThan(readFileSync(join(folder, 'running.h5')).length);
    expect(existsSync(`${path}.part`)).toBe(false);
  });
});

describe('CSV and Modelica result files', () => {
  test.skipIf(!existsSync(PYTHON))('CSV, read by Python', async () => {
    const recording = sample(3, 1000);
    const path = join(folder, 'r.csv');
    await writeRecordingFile(path, recording);
    const found = python(
      `
import csv, json, sys
rows = list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8')))
right = all([float(x) for x in row] == [i / 10, i / 3, (i + 1) / 3, (i + 2) / 3] for i, row in enumerate(rows[1:]))
print(json.dumps([rows[0], len(rows) - 1, right]))`,
      path,
    );
    expect(found).toEqual([['time [s]', 'rack[0].x', 'rack[1].x [m]', 'rack[2].x'], 1000, true]);
    expect((await readRecordingFile(path)).hash).toBe(recording.hash);
  });

  // The layout as the Python reader DyMat takes it: names and descriptions are columns of characters; dataInfo row 0 is the
  // matrix, row 1 the row in it counted from 1 with its sign, and row 1 of a matrix is the abscissa.
  test.skipIf(!scipy)('Modelica result file, read by scipy', async () => {
    const recording = sample(40, 5000);
    const path = join(folder, 'r.mat');
    await writeRecordingFile(path, recording);
    const found = python(
      `
import scipy.io, numpy, json, sys
m = scipy.io.loadmat(sys.argv[1], chars_as_strings=False)
normal = lambda a: [''.join(r).rstrip('\\0 ') for r in a]
columns = lambda a: [''.join(c).rstrip('\\0 ') for c in a.T]
names, texts, places = columns(m['name']), columns(m['description']), m['dataInfo']
def values(name):
    i = names.index(name)
    matrix, row = places[0][i], places[1][i]
    return numpy.sign(row) * m['data_%d' % matrix][abs(row) - 1]
i = numpy.arange(5000.0)
right = all(numpy.array_equal(values('rack[%d].x' % k), (i + k) / 3) for k in range(40))
print(json.dumps([normal(m['Aclass']), names[:3], texts[:3], right,
    names[[j for j in range(len(names)) if abs(places[1][j]) == 1][0]], sum(abs(places[1]) == 1).item(),
    bool(numpy.array_equal(m['data_2'][0], i / 10)), m['data_1'][0].tolist(),
    values('parameters.layers').tolist(), values('parameters.on').tolist(), 'parameters.label' in names,
    sorted(k for k in m if not k.startswith('__'))]))`,
      path,
    );
    expect(found).toEqual([
      ['Atrajectory', '1.1', '', 'binTrans'],
      ['time', 'rack[0].x', 'rack[1].x'],
      ['Simulation time [s]', 'Kugel 0', 'Kugel 1 [m]'],
      true,
      'time',
      1,
      true,
      [0, 499.9],
      [3, 3],
      [1, 1],
      false,
      ['Aclass', 'dataInfo', 'data_1', 'data_2', 'description', 'name'],
    ]);
  });

  test('paths that cannot be', async () => {
    await expect(writeRecordingFile(join(folder, 'r.xls'), sample(1, 1))).rejects.toThrow(
      'expected an extension of .h5, .csv, .mat',
    );
    await expect(readRecordingFile(join(folder, 'missing.h5'))).rejects.toThrow(/missing\.h5: there is no such file/);
    writeFileSync(join(folder, 'file'), '');
    expect(() => new DiskRecording(join(folder, 'file', 'r.h5'), sample(1, 1))).toThrow(FileError);
  });
});
