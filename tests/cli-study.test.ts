/** Studies as a user meets them: `sweep`, `study run`, a kill, a resume, runs that hang, crash and throw. Runs the built package. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-study-'));
const inFolder = (...path: string[]): string => join(folder, ...path);

function tippetop(...words: string[]): { code: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { code: status, out: stdout, error: stderr };
}

// A mass on a spring: period 2π √(m/k). Some masses misbehave.
const MODEL = `
import { body, model, prismatic } from 'tippetop';
export default ({ mass = 1 /* kg */, stiffness = 4 /* N/m */, trouble = false } = {}) => {
  if (trouble && mass > 3) throw new Error('too heavy');
  return model({
    gravity: 'none',
    bodies: { sled: body({ mass, inertia: [1, 1, 1] }) },
    joints: { rail: prismatic({ body: 'sled', axis: [1, 0, 0], initialPosition: 0.1, force: (_t, x) => {
      if (trouble && mass > 2 && mass < 2.5) for (;;);
      if (trouble && mass < 0.6) { const all = []; for (;;) all.push(new Array(1e6).fill(x)); }
      return -stiffness * x;
    } }) },
    events: { turn: { when: (signal) => signal('rail.speed') } },
    simulation: { stop: 20, interval: 0.02 },
  });
};
`;
beforeAll(() => {
  writeFileSync(inFolder('sled.model.ts'), MODEL);
  writeFileSync(
    inFolder('long.study.ts'),
    `import { study } from 'tippetop';
export default study({
  model: 'sled.model.ts',
  parameters: { mass: { from: 1, to: 2 }, stiffness: { median: 4, factor: 1.2 } },
  design: { kind: 'latin-hypercube', runs: 300 },
  outputs: { period: "period('rail.position')", error: 'period / (2 * 3.141592653589793 * sqrt(mass / stiffness)) - 1', own: (recording) => recording.rows },
});`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const csv = (...path: string[]): string[][] =>
  readFileSync(inFolder(...path), 'utf8')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));

describe('sweep', () => {
  test('varies a parameter and shows what comes out', () => {
    const { code, out, error } = tippetop(
      'sweep',
      'sled.model.ts',
      '--mass',
      '1:4:3',
      '--out',
      'period:rail.position',
      '--out',
      "eventTime('turn')",
      '--quiet',
    );
    expect(error).toBe('');
    expect(code).toBe(0);
    expect(out).toContain('sled-sweep: 3 rows; 3 runs computed');
    const [head, ...rows] = csv('out', 'sled-sweep', 'results.csv');
    expect(head.slice(0, 4)).toEqual(['p.mass [kg]', 'out.period_rail_position [s]', 'out.out2 [s]', 'run.status']);
    // crossings on straight lines between rows of 1/157 of a period
    for (const row of rows) expect(Number(row[1]) / (Math.PI * Math.sqrt(Number(row[0])))).toBeCloseTo(1, 5);
    // again: nothing is computed
    expect(
      tippetop(
        'sweep',
        'sled.model.ts',
        '--mass',
        '1:4:3',
        '--out',
        'period:rail.position',
        '--out',
        "eventTime('turn')",
        '--quiet',
      ).out,
    ).toContain('0 runs computed in 1 s, 3 known before');
  });

  test.each([
    [
      ['--mass', '2:1:3', '--out', 'max:rail.position'],
      "parameters.mass.to: expected an end above the range's beginning 2, got 1",
    ],
    [['--mas', '1:2:3', '--out', 'max:rail.position'], '--mas: the model has no parameter of this name'],
    [
      ['--mass', '1:2:3', '--out', 'max:rail.positon'],
      'the model has no signal "rail.positon"; did you mean "rail.position"?',
    ],
    [
      ['--mass', '1:2:3', '--out', 'maximum of x'],
      'outputs.out1: expected an operator or the end, got "of" at character 9',
    ],
    [['--mass', '4,5', '--trouble', 'true', '--out', 'max:rail.position'], 'too heavy'],
    [['--mass', '1:2:3'], '--out: expected at least one output'],
  ])('%j is refused before the first run', (words, message) => {
    const { code, error } = tippetop('sweep', 'sled.model.ts', ...words, '--into', 'out/none');
    expect(error).toContain(message);
    expect(code).toBe(2);
    expect(existsSync(inFolder('out/none/journal.jsonl'))).toBe(false);
  });
});

test('what hangs, crashes or throws is a row with its error; the rest is there', () => {
  writeFileSync(
    inFolder('trouble.study.json'),
    JSON.stringify({
      model: 'sled.model.ts',
      parameters: { mass: [1, 0.5, 1.5, 2.2, 4, 1.2], trouble: true },
      design: { kind: 'grid' },
      outputs: { top: "max('rail.speed')" },
      limits: { seconds: 5, memory: 120 },
      keep: 'failures',
    }),
  );
  const { code, out } = tippetop('study', 'run', 'trouble.study.json', '--quiet');
  expect(code).toBe(0);
  expect(out).toContain('6 rows, 3 of them failed');
  const rows = csv('out', 'trouble', 'results.csv').slice(1);
  expect(rows.map((row) => row[3])).toEqual(['ok', 'crashed', 'ok', 'timeout', 'failed', 'ok']);
  expect(rows[1].join(',')).toContain('ran out of memory, 120 MB');
  expect(rows[3].join(',')).toContain('stopped after 5 s on the clock');
  expect(rows[4].join(',')).toContain('too heavy');
  for (const row of rows) expect(Number(row.at(-4))).toBeGreaterThan(0); // its seed
  for (const i of [0, 2, 5]) expect(Number(rows[i][2])).toBeCloseTo(0.1 * Math.sqrt(4 / Number(rows[i][0])), 5);
}, 120_000);

test('killed at any moment it goes on, and leaves the bytes of a study that was not; Ctrl-C keeps what is computed', async () => {
  expect(tippetop('study', 'run', 'long.study.ts', '--quiet', '--out', 'out/whole').code).toBe(0);
  const start = (): ReturnType<typeof spawn> =>
    spawn(process.execPath, [main, 'study', 'run', 'long.study.ts', '--quiet', '--out', 'out/cut'], {
      cwd: folder,
      stdio: 'ignore',
    });
  const lines = (): number =>
    existsSync(inFolder('out/cut/journal.jsonl'))
      ? readFileSync(inFolder('out/cut/journal.jsonl'), 'utf8').split('\n').length
      : 0;
  for (const [signal, after] of [
    ['SIGKILL', 20],
    ['SIGKILL', 90],
    ['SIGINT', 150],
  ] as const) {
    const child = start();
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    while (lines() < after && child.exitCode === null) await pause(20);
    child.kill(signal);
    const code = await ended;
    if (signal === 'SIGINT') {
      expect(code).toBe(130);
      expect(csv('out', 'cut', 'results.csv').length).toBeGreaterThan(100);
      expect(csv('out', 'cut', 'results.csv').length).toBeLessThan(301);
    }
  }
  // a line that was cut
  writeFileSync(
    inFolder('out/cut/journal.jsonl'),
    `${readFileSync(inFolder('out/cut/journal.jsonl'), 'utf8')}{"key":"half`,
  );
  expect(tippetop('study', 'run', 'long.study.ts', '--quiet', '--out', 'out/cut').out).toMatch(
    /long: 300 rows; \d+ runs computed .*, 1\d\d known before/,
  );
  for (const file of ['results.csv', 'results.parquet'])
    expect(readFileSync(inFolder('out/cut', file)).equals(readFileSync(inFolder('out/whole', file)))).toBe(true);
  // periods are right, all of them
  for (const row of csv('out', 'whole', 'results.csv').slice(1)) expect(Math.abs(Number(row[3]))).toBeLessThan(1e-5);
  expect(JSON.parse(tippetop('study', 'status', 'out/whole', '--json').out)).toMatchObject({
    runs: 300,
    ok: 300,
    finished: true,
  });
  expect(readdirSync(inFolder('out/whole')).sort()).toEqual([
    'analysis.json',
    'journal.jsonl',
    'results.csv',
    'results.parquet',
    'study.json',
  ]);
}, 240_000);

test('DuckDB reads the table: types, nulls and units', async () => {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const file = inFolder('out/trouble/results.parquet');
  const reader = await connection.runAndReadAll(
    `select "p.mass", "out.top", "run.status", "run.steps" from '${file}' order by "p.mass"`,
  );
  expect(reader.columnTypes().map(String)).toEqual(['DOUBLE', 'DOUBLE', 'VARCHAR', 'INTEGER']);
  const rows = reader.getRows();
  expect(rows.map(([mass]) => mass)).toEqual([0.5, 1, 1.2, 1.5, 2.2, 4]);
  expect(rows[0][1]).toBeNull();
  expect(rows[1][1]).toBeCloseTo(0.2, 5);
  const facts = await connection.runAndReadAll(
    `select decode(value) from parquet_kv_metadata('${file}') where decode(key) = 'units'`,
  );
  expect(JSON.parse(String(facts.getRows()[0][0]))).toMatchObject({ 'p.mass': 'kg', 'out.top': 'm/s' });
  connection.closeSync();
});
