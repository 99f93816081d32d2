/** `run`, `verify` and `list` as a user meets them: files, exit codes, Ctrl-C, a kill, a full disk. Runs the built package. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRecordingFile } from '../src/node/recording-files.js';
import type { Recording } from '../src/results/recording.js';
import { killAndGoOn } from '../src/verify/restart.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-run-'));
const inFolder = (...path: string[]): string => join(folder, ...path);

function tippetop(...words: string[]): { code: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, out: stdout, error: stderr };
}

interface Summary {
  readonly state: string;
  readonly error?: string;
  readonly parameters: Record<string, unknown>;
  readonly time: number;
  readonly rows: number;
  readonly hash: string;
  readonly events: readonly { time: number; name: string }[];
  readonly trust: { integrator: { method: string; rtol: number }; energy: { putIn: number } };
  readonly end: Record<string, number>;
  readonly files: readonly string[];
}
const run = (...words: string[]): Summary => {
  const { code, out, error } = tippetop('run', ...words, '--json');
  expect(error).toBe('');
  expect(code).toBe(0);
  return JSON.parse(out) as Summary;
};
const summaryIn = (out: string): Summary => JSON.parse(readFileSync(inFolder(out, 'summary.json'), 'utf8')) as Summary;

// A sled of 1 kg pushed along a rail, in several variants; `forever` never ends by itself.
const MODELS = `
import { body, model, prismatic, type Model } from 'tippetop';

const sled = (force: (t: number, x: number, v: number) => number, stop = 1): Model =>
  model({
    title: 'Sled',
    gravity: 'none',
    bodies: { sled: body({ mass: 1, inertia: [1, 1, 1] }) },
    joints: { rail: prismatic({ body: 'sled', axis: [1, 0, 0], force }) },
    simulation: { stop, interval: stop / 10 },
  });
export default ({ push = 2 /* N */, drag = 0 /* N s/m */ } = {}) => sled((_t, _x, v) => push - drag * v);
export const idle = sled(() => 0);
export const forever = () => model({
  bodies: Object.fromEntries(Array.from({ length: 12 }, (_, i) => ['bob' + i, body({ mass: 1, inertia: [1, 1, 1] })])),
  simulation: { stop: 2.5e4, interval: 0.01, integrator: 'verlet', step: 0.01 },
});
export const blowUp = () => sled((_t, _x, v) => 1 + v * v, 10);
export const notANumber = () => sled((t) => Math.sqrt(0.55 - t));
export const throws = () => {
  throw new RangeError('refused by the model');
};
export const throwsLater = () => sled((t) => {
  if (t > 0.5) throw new RangeError('refused at half time');
  return 1;
});
export const answer = 42;
`;

// A ball that falls on a floor, without friction, and has not yet left it again.
const DROP = `
import { body, halfSpace, model, sphere } from 'tippetop';
const soft = { name: 'soft', density: 1000, youngsModulus: 1e6, poissonRatio: 0.3 };
export default model({
  bodies: {
    floor: body({ shape: halfSpace(), fixed: true, material: soft }),
    ball: body({ shape: sphere(0.1), material: soft, position: [0, 0, 0.1001], velocity: [0, 0, -0.5] }),
  },
  contacts: { defaults: { friction: 0 } },
  simulation: { stop: 0.01, interval: 1e-4 },
});
`;

// A ball as soft as foam, thrown at a floor: it goes in by more than a quarter of its radius, where no law of elasticity holds.
const CRUSH = DROP.replace('youngsModulus: 1e6', 'youngsModulus: 1e3, restitution: 0.5')
  .replace('velocity: [0, 0, -0.5]', 'velocity: [0, 0, -1]')
  .replace('stop: 0.01', 'stop: 0.05');

beforeAll(() => {
  writeFileSync(inFolder('crush.model.ts'), CRUSH);
  writeFileSync(inFolder('sled.model.ts'), MODELS);
  writeFileSync(inFolder('drop.model.ts'), DROP);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('run', () => {
  test('leaves a recording, a summary and a report, and says how far to trust them', async () => {
    const { code, out, error } = tippetop('run', 'sled.model.ts');
    expect(error).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/^sled: 1 s simulated in [\d.]+ s, 11 rows of \d+ signals, run [0-9a-f]{16}$/m);
    expect(out).toMatch(/^ {2}energy .* 2\.000 J put in$/m);
    expect(out).toMatch(/^ {2}integrator +\w+, relative tolerance/m);
    expect(out).toMatch(/^ {2}verdict +trusted: the energy ledger closes to /m);
    expect(readdirSync(inFolder('out/sled')).sort()).toEqual(['recording.h5', 'report.html', 'summary.json']);
    const recording = await readRecordingFile(inFolder('out/sled/recording.h5'));
    expect(recording.state).toBe('finished');
    expect(recording.title).toBe('Sled');
    expect(recording.signal('sled.position.x').at(-1)).toBeCloseTo(1, 10); // ½ · 2 N · 1 s² / 1 kg
    const summary = summaryIn('out/sled');
    expect(summary.hash).toBe(recording.hash);
    expect(summary.end['sled.velocity.x']).toBeCloseTo(2, 10);
    expect(readFileSync(inFolder('out/sled/report.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*Sled/i);
  });

  test('--json prints one document, the summary', () => {
    const summary = run('sled.model.ts', '--out', 'json');
    expect(summary).toEqual(summaryIn('json'));
    expect(summary.hash).toBe(summaryIn('out/sled').hash); // the same run twice
    expect(summary.files).toEqual(['recording.h5', 'report.html', 'summary.json'].map((file) => join('json', file)));
    for (const file of summary.files) expect(existsSync(inFolder(file))).toBe(true);
  });

  test('--csv and --mat leave those too', async () => {
    run('sled.model.ts', '--out', 'tables', '--csv', '--mat');
    const [csv, h5] = await Promise.all(
      ['csv', 'h5'].map((form) => readRecordingFile(inFolder('tables', `recording.${form}`))),
    );
    expect(csv.rows).toBe(11);
    expect(csv.hash).toBe(h5.hash);
    // MATLAB level 4, as Modelica tools write it: a header of five integers, then the name "Aclass"
    expect(readFileSync(inFolder('tables/recording.mat')).subarray(20, 27).toString('latin1')).toBe('Aclass\0');
  });

  test('contacts: records beside the signals, and what they did in short', () => {
    const { code, out, error } = tippetop('run', 'drop.model.ts', '--csv');
    expect(error).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}contacts +1 region came, \d+ rows of records; 0 J of heat by friction$/m);
    expect(out).toMatch(/^ {2}note +restitution \(0\.5 taken\) of soft on soft, such as floor–ball, is a guess$/m);
    expect(readdirSync(inFolder('out/drop'))).toContain('contacts.csv');
    const [head, ...rows] = readFileSync(inFolder('out/drop/contacts.csv'), 'utf8').trimEnd().split('\r\n');
    expect(head).toMatch(/^time \[s\],pair,region,.*normalForce \[N\]/);
    const { contacts } = JSON.parse(readFileSync(inFolder('out/drop/summary.json'), 'utf8')) as {
      contacts: { regions: number; records: number; deepest: { value: number; pair: string } };
    };
    expect(contacts).toMatchObject({ regions: 1, records: rows.length });
    expect(contacts.deepest.value).toBeGreaterThan(0);
    expect(contacts.deepest.pair).toMatch(/ball/);
    // none without contacts
    run('sled.model.ts', '--out', 'plain', '--csv');
    expect(existsSync(inFolder('plain/contacts.csv'))).toBe(false);
  });

  test('--stop, --interval, --rtol, --integrator and --step', () => {
    expect(
      run('sled.model.ts', '--stop', '2', '--interval', '0.5', '--rtol', '1e-9', '--integrator', 'dop853'),
    ).toMatchObject({
      time: 2,
      rows: 5,
      trust: { integrator: { method: 'dop853', rtol: 1e-9 } },
    });
    const fixedStep = run('sled.model.ts', '--integrator', 'verlet', '--step', '0.125') as unknown as {
      trust: { steps: { accepted: number } };
    };
    expect(fixedStep.trust.steps.accepted).toBe(8);
  });

  test('a run that is not to be trusted: exit code 1, results kept, reason and remedy named', async () => {
    const { code, out, error } = tippetop('run', 'crush.model.ts');
    expect(error).toBe('');
    expect(code).toBe(1);
    expect(out).toMatch(
      /^ {2}verdict +not to be trusted: floor–ball was [\d.]+ mm deep at t = [\d.]+ s, and its law ends at 25 mm$/m,
    );
    expect(out).toMatch(/^ +→ a stiffer material/m);
    const { trust, rows } = await readRecordingFile(inFolder('out/crush/recording.h5'));
    expect(rows).toBeGreaterThan(100);
    expect(trust.verdict?.word).toBe('not to be trusted');
    const report = readFileSync(inFolder('out/crush/report.html'), 'utf8');
    expect(report).toContain('not to be trusted: floor–ball');
    expect(tippetop('run', 'crush.model.ts', '--json').code).toBe(1);
  });

  test('--max-steps and --max-time end a run, which keeps its results and says so; --longest-step bounds steps', () => {
    const { code, out } = tippetop(
      'run',
      'sled.model.ts',
      '--model',
      'forever',
      '--max-steps',
      '50',
      '--out',
      'limited',
    );
    expect(code).toBe(1);
    expect(out).toMatch(/kept \(interrupted\)/);
    expect(out).toMatch(/^ {2}note +ended before its time: 50 steps were tried/m);
    expect(summaryIn('limited')).toMatchObject({ state: 'interrupted', time: 0.5 });
    const timed = tippetop('run', 'sled.model.ts', '--model', 'forever', '--max-time', '0.3', '--out', 'timed');
    expect(timed.code).toBe(1);
    expect(timed.out).toMatch(/0\.3 s on the clock are over/);
    const short = run('sled.model.ts', '--longest-step', '0.01') as unknown as {
      trust: { steps: { accepted: number } };
    };
    expect(short.trust.steps.accepted).toBeGreaterThanOrEqual(100);
  });

  test('parameters by --name and by --set', () => {
    const { parameters, end } = run('sled.model.ts', '--push', '6', '--set', 'drag=2');
    expect(parameters).toEqual({ push: 6, drag: 2 });
    expect(end['sled.velocity.x']).toBeCloseTo(3 * (1 - Math.exp(-2)), 5); // v' = 6 − 2 v
  });

  test('--model takes another export, a function or a model', () => {
    expect(run('sled.model.ts', '--model', 'idle').end['sled.position.x']).toBe(0);
    expect(existsSync(inFolder('out/sled-idle/recording.h5'))).toBe(true);
  });

  test('--parameters lists them and runs nothing', () => {
    const { code, out } = tippetop('run', 'sled.model.ts', '--parameters', '--out', 'never');
    expect(code).toBe(0);
    expect(out).toMatch(/--push <value>\s+N \(default: 2\)/);
    expect(existsSync(inFolder('never'))).toBe(false);
  });

  test.each([
    [['--stop', '-1'], /^error: --stop: expected a number > 0 s, got "-1"/],
    [['--max-steps', 'many'], /^error: --max-steps: expected a number > 0, got "many"/],
    [['--max-time', '0'], /^error: --max-time: expected a number > 0 s, got "0"/],
    [['--rtol', 'fine'], /^error: --rtol: expected a number > 0, got "fine"/],
    [['--integrator', 'rodas5'], /^error: integrator: expected one of automatic, .* did you mean "rodas4"\?/],
    [['--pusch', '3'], /^error: --pusch: the model has no parameter of this name; .*did you mean "push"/],
    [
      ['--model', 'answer'],
      /an export "answer" that is a model or a function giving one, got number; it exports .*blowUp/,
    ],
  ])('%j is bad input: exit code 2, and nothing is written', (words, message) => {
    const { code, out, error } = tippetop('run', 'sled.model.ts', ...words, '--out', 'bad');
    expect(error).toMatch(message);
    expect(out).toBe('');
    expect(code).toBe(2);
    expect(existsSync(inFolder('bad'))).toBe(false);
  });

  test('a file of solids is sent to build', () => {
    expect(tippetop('run', 'geneva-wheel').error).toMatch(/gives solids, not a model: "tippetop build" builds them/);
  });
});

describe('a run that fails', () => {
  test.each([
    ['blowUp', /^error: t = 1\.5708 s: step fell to .* the speed of joint "rail"/m, 1.57],
    ['notANumber', /^error: joints\.rail: t = 0\.\d+ s: its force at x = .* gave NaN/m, 0.3],
    ['throwsLater', /^error: sled\.model\.ts:\d+:\d+: RangeError: refused at half time\n/m, 0.3, 2],
  ])('%s: exit code, the reason, and what was computed', async (name, message, atLeast, exitCode = 1) => {
    const { code, error } = tippetop('run', 'sled.model.ts', '--model', name, '--out', name);
    expect(error).toMatch(message);
    expect(code).toBe(exitCode);
    const recording = await readRecordingFile(inFolder(name, 'recording.h5'));
    expect(recording.state).toBe('failed');
    expect(recording.times.at(-1)).toBeGreaterThanOrEqual(atLeast);
    const summary = summaryIn(name);
    expect(summary.state).toBe('failed');
    expect(summary.error!.length).toBeGreaterThan(10);
  });

  test("a model that throws: the place in the user's file", () => {
    const { code, out, error } = tippetop('run', 'sled.model.ts', '--model', 'throws', '--out', 'thrown');
    expect(error).toMatch(/^error: sled\.model\.ts:\d+:\d+: RangeError: refused by the model\n/);
    expect(out).toBe('');
    expect(code).toBe(2);
    expect(existsSync(inFolder('thrown'))).toBe(false);
  });
});

/** Starts a run that never ends by itself and waits until some of it is on disk. */
async function startForever(
  out: string,
): Promise<{ child: ChildProcess; ended: Promise<number | null>; output: () => string }> {
  const child = spawn(process.execPath, [main, 'run', 'sled.model.ts', '--model', 'forever', '--out', out], {
    cwd: folder,
  });
  let text = '';
  child.stdout.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  child.stderr.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  for (let i = 0; i < 300; i++) {
    await pause(100);
    const rows = await readRecordingFile(inFolder(out, 'recording.h5')).then(
      (recording) => recording.rows,
      () => 0,
    );
    if (rows > 10) return { child, ended, output: () => text };
  }
  child.kill('SIGKILL');
  throw new Error(`nothing was recorded: ${text}`);
}

const isFall = (recording: Recording): void => {
  const z = recording.signal('bob3.position.z');
  for (const i of [1, recording.rows >> 1, recording.rows - 1]) {
    const t = recording.times[i];
    expect(z.at(i)! / (-0.5 * 9.81 * t * t)).toBeCloseTo(1, 9);
  }
};

describe('a run that is stopped', () => {
  test('Ctrl-C keeps what is computed', async () => {
    const signal = 'SIGINT';
    const { child, ended, output } = await startForever(signal);
    child.kill(signal);
    expect(await ended).toBe(130);
    expect(output()).toMatch(/s kept \(interrupted\) in/);
    const recording = await readRecordingFile(inFolder(signal, 'recording.h5'));
    expect(recording.state).toBe('interrupted');
    expect(recording.trust.steps!.accepted).toBeGreaterThan(10);
    isFall(recording);
    expect(summaryIn(signal)).toMatchObject({ state: 'interrupted', rows: recording.rows, hash: recording.hash });
    expect(existsSync(inFolder(signal, 'report.html'))).toBe(true);
  });

  test('SIGKILL leaves all rows up to the last flush', async () => {
    const { child, ended } = await startForever('killed');
    child.kill('SIGKILL');
    await ended;
    const recording = await readRecordingFile(inFolder('killed', 'recording.h5'));
    expect(recording.state).toBe('running');
    expect(recording.rows).toBeGreaterThan(10);
    isFall(recording);
    expect(existsSync(inFolder('killed', 'summary.json'))).toBe(false);
  });
});

test('grains that are killed twice, stopped once and gone on with end with the same bits', async () => {
  // one row at the end only: what is kept lies between rows
  const words = ['hopper', '--beads', '1000', '--stop', '0.1', '--interval', '0.1'];
  const { hash, reference, goneOn } = await killAndGoOn(words, 3, main);
  expect(hash).toBe(reference);
  expect(goneOn).toBeGreaterThan(0);
}, 120_000);

/** A disk of 1 MB, if this user may mount one. */
function smallDisk(): string | undefined {
  const path = inFolder('small-disk');
  mkdirSync(path, { recursive: true });
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'ignore' });
  return status === 0 ? path : undefined;
}

describe('a full disk', () => {
  let disk: string | undefined;
  // here and not at the top: it is mounted, and taken away, only where this test runs
  beforeAll(() => {
    if (process.platform === 'linux') disk = smallDisk();
  });
  afterAll(() => {
    if (disk) spawnSync('umount', [disk]);
  });
  test('is told, and the part before is readable', async ({ skip }) => {
    skip(!disk, 'only root may mount a small file system to fill up');
    const { code, error } = tippetop('run', 'sled.model.ts', '--model', 'forever', '--out', disk!, '--interval', '2');
    expect(error).toMatch(
      /^error: .*recording\.h5: the disk is full; what was written before is safe, free some space/,
    );
    expect(code).toBe(1);
    const recording = await readRecordingFile(join(disk!, 'recording.h5'));
    expect(recording.rows).toBeGreaterThan(10);
    isFall(recording);
    expect(readdirSync(disk!)).toEqual(['recording.h5']);
  });
});

describe('verify', () => {
  interface Verified {
    readonly checks: readonly Record<string, unknown>[];
    readonly passed: number;
    readonly failed: number;
  }
  const KEYS = ['error', 'id', 'limit', 'pass', 'reference', 'seconds', 'source', 'title', 'value'];

  test('--json has exactly the documented shape', () => {
    const { code, out, error } = tippetop('verify', '--json', '--only', 'A01*');
    expect(error).toBe('');
    expect(code).toBe(0);
    const document = JSON.parse(out) as Verified;
    expect(Object.keys(document)).toEqual(['checks', 'passed', 'failed']);
    expect(document.checks.map(({ id }) => id)).toContain('A01');
    expect(document.checks.length).toBeGreaterThan(1);
    for (const check of document.checks) {
      expect(Object.keys(check).sort()).toEqual(KEYS);
      for (const key of ['value', 'reference', 'error', 'limit', 'seconds']) expect(typeof check[key]).toBe('number');
      for (const key of ['id', 'title', 'source']) expect(check[key]).toMatch(/\S/);
      expect(check.pass).toBe((check.error as number) <= (check.limit as number));
    }
    expect(document.passed).toBe(document.checks.length);
    expect(document.failed).toBe(0);
  });

  test('--only with an id takes that one', () => {
    const { checks } = JSON.parse(tippetop('verify', '--json', '--only', 'TWOBODY').out) as Verified;
    expect(checks.map(({ id }) => id)).toEqual(['TWOBODY']);
  });

  test('as text: a line of verdict, figure, reference, error and time for each', () => {
    const { code, out } = tippetop('verify', '--only', 'A01');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^pass {2}A01 {2}pendulum: bob\.position\.x at t = 10 s\n +-0\.275087\d*, reference -0\.275087463, error [\d.e-]+ \(limit 1e-6\), [\d.]+ s$/m,
    );
    expect(out).toMatch(/^1 passed, 0 failed$/m);
  });

  test('the ids of the published problems are there', () => {
    const { code, out } = tippetop('verify', '--list');
    expect(code).toBe(0);
    const ids = out
      .trim()
      .split('\n')
      .map((row) => row.split('  ')[0]);
    for (const id of ['A01', 'A02', 'ANDREWS', 'BRICARD', 'TWOBODY', 'ARENSTORF', 'VANDERPOL', 'ROBERTSON'])
      expect(ids).toContain(id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('an id that is none, and one of long ones alone, are told', () => {
    const unknown = tippetop('verify', '--only', 'ANDREW');
    expect(unknown.code).toBe(2);
    expect(unknown.error).toMatch(
      /^error: --only: no check matches "ANDREW"; did you mean "ANDREWS"\?\n {2}"tippetop verify --list"/,
    );
    expect(tippetop('verify', '--only', 'A3-kill*').error).toMatch(
      /^error: --only: all \d+ checks that match "A3-kill\*" are long; --all/,
    );
  });
});

test('list names every example with a sentence; --json as one document', () => {
  const { code, out } = tippetop('list', '--json');
  expect(code).toBe(0);
  const { examples } = JSON.parse(out) as { examples: { name: string; title: string }[] };
  const text = tippetop('list').out;
  const names = examples.map(({ name }) => name);
  for (const name of ['pendulum', 'n-four-bar', 'andrews-squeezer', 'robot-arm', 'geneva-wheel'])
    expect(names).toContain(name);
  for (const { name, title } of examples) {
    expect(title, name).toMatch(/\w.*[.:]$/);
    expect(text).toMatch(new RegExp(`^${name} +\\S`, 'm'));
  }
});
