// biome-ignore-all lint/suspicious/noExplicitAny: documents of --json
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
  design: { kind: 'latin-hypercube', runs: 100 },
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
    const words = ['--mass', '1:4:3', '--out', 'period:rail.position', '--out', "eventTime('turn')", '--quiet'];
    const { code, out, error } = tippetop('sweep', 'sled.model.ts', ...words);
    expect(error).toBe('');
    expect(code).toBe(0);
    expect(out).toContain('sled-sweep: 3 rows; 3 runs computed');
    const [head, ...rows] = csv('out', 'sled-sweep', 'results.csv');
    expect(head.slice(0, 4)).toEqual(['p.mass [kg]', 'out.period_rail_position [s]', 'out.out2 [s]', 'run.status']);
    // crossings on straight lines between rows of 1/157 of a period
    for (const row of rows) expect(Number(row[1]) / (Math.PI * Math.sqrt(Number(row[0])))).toBeCloseTo(1, 5);
    // again: nothing is computed
    expect(tippetop('sweep', 'sled.model.ts', ...words).out).toContain('0 runs computed in 1 s, 3 known before');
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
      parameters: { mass: [2.2, 0.5, 1.5, 1, 4, 1.2], trouble: true },
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
  expect(rows.map((row) => row[3])).toEqual(['timeout', 'crashed', 'ok', 'ok', 'failed', 'ok']);
  expect(rows[1].join(',')).toContain('ran out of memory, 120 MB');
  expect(rows[0].join(',')).toContain('stopped after 5 s on the clock');
  expect(rows[4].join(',')).toContain('too heavy');
  for (const row of rows) expect(Number(row.at(-4))).toBeGreaterThan(0); // its seed
  for (const i of [2, 3, 5]) expect(Number(rows[i][2])).toBeCloseTo(0.1 * Math.sqrt(4 / Number(rows[i][0])), 5);
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
    ['SIGINT', 50],
  ] as const) {
    const child = start();
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    while (lines() < after && child.exitCode === null) await pause(20);
    child.kill(signal);
    const code = await ended;
    if (signal === 'SIGINT') {
      expect(code).toBe(130);
      expect(csv('out', 'cut', 'results.csv').length).toBeGreaterThan(30);
      expect(csv('out', 'cut', 'results.csv').length).toBeLessThan(101);
    }
  }
  // a line that was cut
  writeFileSync(
    inFolder('out/cut/journal.jsonl'),
    `${readFileSync(inFolder('out/cut/journal.jsonl'), 'utf8')}{"key":"half`,
  );
  expect(tippetop('study', 'run', 'long.study.ts', '--quiet', '--out', 'out/cut').out).toMatch(
    /long: 100 rows; \d+ runs computed .*, \d+ known before/,
  );
  for (const file of ['results.csv', 'results.parquet'])
    expect(readFileSync(inFolder('out/cut', file)).equals(readFileSync(inFolder('out/whole', file)))).toBe(true);
  // periods are right, all of them
  for (const row of csv('out', 'whole', 'results.csv').slice(1)) expect(Math.abs(Number(row[3]))).toBeLessThan(1e-5);
  expect(JSON.parse(tippetop('study', 'status', 'out/whole', '--json').out)).toMatchObject({
    runs: 100,
    ok: 100,
    finished: true,
  });
  expect(readdirSync(inFolder('out/whole')).sort()).toEqual([
    'analysis.json',
    'journal.jsonl',
    'report.html',
    'results.csv',
    'results.parquet',
    'study.json',
  ]);
}, 240_000);

describe('what a study finds, through the command', () => {
  // period 2π √(m/k): d ln T = ½ d ln m − ½ d ln k
  const study = (more: object): object => ({
    model: 'sled.model.ts',
    parameters: { mass: { from: 0.9, to: 1.1, start: 1 }, stiffness: { from: 3.6, to: 4.4, start: 4 } },
    outputs: { period: "period('rail.position')" },
    simulation: { stop: 10 },
    ...more,
  });
  const found = (name: string, more: object, ...words: string[]): any => {
    writeFileSync(inFolder(`${name}.study.json`), JSON.stringify(study(more)));
    const { code, out, error } = tippetop('study', 'run', `${name}.study.json`, '--json', ...words);
    expect(error).toBe('');
    expect(code).toBe(0);
    return JSON.parse(out).analysis;
  };

  test('Morris: both matter alike, and hardly bend', () => {
    const { mass, stiffness } = found('morris', { design: { kind: 'morris', trajectories: 4 } }).morris.period;
    // over the whole range T swings by 10 % of π
    expect(mass.meanSize).toBeCloseTo(0.1 * Math.PI, 2);
    expect(stiffness.meanSize / mass.meanSize).toBeCloseTo(1, 1);
    expect(mass.deviation).toBeLessThan(0.1 * mass.meanSize);
  });

  test('Sobol indices: a half each, to the bars of 16 samples', () => {
    const { indices } = found('indices', { design: { kind: 'sobol-indices', samples: 16 } }).sobol.period;
    for (const { total, totalBar } of Object.values<any>(indices))
      expect(Math.abs(total - 0.5)).toBeLessThan(0.1 + totalBar);
  });

  test('NSGA-II: mass against period, all of the front at the stiff end; the page, a table for MATLAB, a kept run', () => {
    const analysis = found('front', {
      search: { kind: 'nsga-ii', population: 8, generations: 4 },
      outputs: { period: "period('rail.position')", weight: '10 * mass' },
      objective: [{ minimise: 'period' }, { maximise: 'weight' }],
    });
    expect(analysis.pareto.length).toBeGreaterThan(3);
    for (const { parameters } of analysis.pareto) expect(parameters.stiffness).toBeGreaterThan(4.1);
    const page = readFileSync(inFolder('out/front/report.html'), 'utf8');
    expect(page).toContain('<script type="application/json" id="study">');
    expect(page).not.toMatch(/(?:src|href)="https?:/);
    expect(tippetop('study', 'export', 'front', 'front.mat', '--rows', 'pareto').out).toContain(
      `${analysis.pareto.length} rows`,
    );
    expect(readFileSync(inFolder('front.mat')).includes('out_period')).toBe(true);
    expect(tippetop('study', 'keep', 'front', '2').code).toBe(0);
    const [recording] = readdirSync(inFolder('out/front/recordings')).filter((file) => file.endsWith('.html'));
    expect(readFileSync(inFolder('out/front/report.html'), 'utf8')).toContain(`recordings/${recording}`);
    expect(tippetop('study', 'keep', 'front', '900').error).toContain('expected numbers from 1 to');
  });

  test('local derivatives by tangents where the model is smooth; events make it differences; asked for there, they are refused', () => {
    writeFileSync(
      inFolder('smooth.model.ts'),
      MODEL.replace("events: { turn: { when: (signal) => signal('rail.speed') } },", ''),
    );
    const local = { design: { kind: 'local' }, outputs: { end: "final('rail.position')" } };
    const { method, outputs } = found('smooth', { ...local, model: 'smooth.model.ts' }).local;
    expect(method).toBe('tangent');
    // x = 0.1 cos(ωt), t = 10, ω = 2: ∂x/∂k = −0.1 t sin(ωt)/(2 √(km))
    expect(outputs.end.stiffness.value).toBeCloseTo((-0.1 * 10 * Math.sin(20)) / 4, 5);
    expect(outputs.end.mass.value).toBeCloseTo((0.1 * 10 * Math.sin(20)) / 1, 5);
    const rough = found('rough', local).local;
    expect(rough.method).toBe('difference');
    expect(rough.outputs.end.stiffness.value).toBeCloseTo((-0.1 * 10 * Math.sin(20)) / 4, 5);
    writeFileSync(
      inFolder('asked.study.json'),
      JSON.stringify(study({ design: { kind: 'local', method: 'tangent' } })),
    );
    expect(tippetop('study', 'run', 'asked.study.json').error).toContain('tangents need a smooth model: it has events');
  });

  test('a fit by tangents: what was put in comes out, and what the data do not tell apart is named', () => {
    const times = Array.from({ length: 41 }, (_, i) => 0.25 * i);
    writeFileSync(
      inFolder('track.csv'),
      `time [s],x [mm]\n${times.map((t) => `${t},${100 * Math.cos(2 * t)}`).join('\n')}\n`,
    );
    const analysis = found('twins', {
      model: 'smooth.model.ts',
      search: { kind: 'levenberg-marquardt' },
      parameters: { mass: { from: 0.8, to: 1.2 }, stiffness: { from: 3.2, to: 5, start: 4.2 } },
      measurements: { file: 'track.csv', signals: { 'rail.position': { column: 'x', deviation: 1e-3 } } },
    });
    const [mass, stiffness] = analysis.fit.parameters;
    expect(stiffness.value / mass.value).toBeCloseTo(4, 4);
    expect(analysis.fit.together).toEqual(['mass', 'stiffness']);
    expect(analysis.fit.signals[0].fitted).toHaveLength(41);
  });
});

test('linear: eigenvalues, and a file that is read back', () => {
  const { code, out } = tippetop('linear', 'sled.model.ts', '--stiffness', '9', '--out', 'out/linear');
  expect(code).toBe(0);
  expect(out).toMatch(/0 ± 3 i/);
  const bytes = readFileSync(inFolder('out/linear/linear.mat'));
  // A comes first: header of 20 bytes, name and NUL, then by columns 0, −9, 1, 0
  const a = [0, 1, 2, 3].map((i) => bytes.readDoubleLE(22 + 8 * i));
  for (const [i, value] of [0, -9, 1, 0].entries()) expect(a[i]).toBeCloseTo(value, 8);
  expect(tippetop('linear', 'sled.model.ts', '--frequencies', '5:1').error).toContain('expected from:to:count in Hz');
});

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
