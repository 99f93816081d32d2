/** What users do to a command line without meaning harm: mistakes in their file, folders that are not theirs, figures out of range. Runs the built package. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCadFile } from '../src/node/cad-files.js';
import { findModel } from '../src/node/model-files/load-model.js';
import { openRecordingFile, readRecordingFile } from '../src/node/recording-files.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-edges-'));

function run(...words: string[]): { code: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'run', ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, out: stdout, error: stderr };
}

const FALL = `import { body, model } from 'tippetop';
export default ({ plot = 'stone.position.z' } = {}) => model({ bodies: { stone: body({ mass: 1 }) }, plots: { fall: plot } });
`;
const FILES: Record<string, string> = {
  'fall.model.ts': FALL,
  'throws.model.ts': 'const none: any = undefined;\nexport default () => none.foo.bar;\n',
  'syntax.model.ts': 'export default () => {{\n',
  'missing.model.ts': "import x from './nope.js';\nexport default () => x;\n",
  'no-such-name.model.ts': "import { body,\n  force } from 'tippetop';\nexport default () => force(body);\n",
  'called-otherwise.model.ts': "import { difference } from 'tippetop';\nexport default () => difference();\n",
  'rejects.model.ts': "export default async () => {\n  await Promise.reject(new Error('no luck'));\n};\n",
  'law.model.ts': `import { applied, body, model } from 'tippetop';
const wind = (t: number) => {
  if (t > 0.05) throw new Error('no wind');
  return [1, 0, 0] as const;
};
export default () => model({ bodies: { leaf: body({ mass: 1 }) }, forces: { wind: applied({ on: { body: 'leaf', at: [0, 0, 0] }, force: wind }) } });
`,
};

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a mistake in the user’s file is told with the user’s line, and nothing of ours', () => {
  test.each([
    [
      'throws',
      /^error: throws\.model\.ts:2:\d+: TypeError: Cannot read properties of undefined \(reading 'foo'\)\n {2}export default/,
    ],
    ['syntax', /^error: syntax\.model\.ts:\d+:\d+: SyntaxError: /],
    ['missing', /^error: missing\.model\.ts:1:15: imports "nope\.js", which is not there\n {2}import x from/],
    [
      'no-such-name',
      /^error: no-such-name\.model\.ts:2:3: imports "force" from tippetop, which has no such name; a force on a body is `applied\(/,
    ],
    [
      'called-otherwise',
      /^error: called-otherwise\.model\.ts:1:10: imports "difference" from tippetop, which has no such name; a solid less another is `subtract\(a, b\)`/,
    ],
    ['rejects', /^error: rejects\.model\.ts:2:\d+: no luck\n/],
    ['law', /error: law\.model\.ts:3:\d+: no wind\n/],
  ])('%s', (name, expected) => {
    const { code, error } = run(`${name}.model.ts`, '--stop', '0.1', '--quiet');
    expect(error).toMatch(expected);
    expect(error).not.toMatch(/\n\s+at /); // no stack
    expect(code).toBe(2);
  });
});

describe('what cannot be asked is refused at once', () => {
  test.each([
    ['a tolerance that is none', ['--rtol', '10'], 'rtol: expected a relative tolerance from 1e-14 to 0.1, got 10'],
    ['a run of ages', ['--stop', '1e300'], 'stopTime: expected a time > 0 s and at most 10000000000 s'],
    ['rows beyond memory', ['--stop', '1', '--interval', '1e-12'], 'interval: 1.00e+12 rows of'],
    ['a plot of nothing', ['--plot', 'stone.position.y.z'], 'plots.fall: no signal matches "stone.position.y.z"'],
    [
      'a folder below a file',
      ['--stop', '0.1', '--out', 'fall.model.ts/x'],
      'fall.model.ts/x/recording.h5: a part of the path is a file, not a folder',
    ],
    [
      'a folder in /proc',
      ['--stop', '0.1', '--out', '/proc/nowhere/x'],
      '/proc/nowhere/x/recording.h5: its folder cannot be made there',
    ],
  ])('%s', (_, words, message) => {
    const { code, error } = run('fall.model.ts', ...words);
    expect(error).toContain(`error: ${message}`);
    expect(code).toBe(2);
  });
});

// A pipe waits for a writer, /dev/zero never ends: both are told for what they are before a byte is read.
describe.skipIf(process.platform === 'win32')('what is no file is not waited for', () => {
  const kinds = { pipe: join(folder, 'pipe.stl'), device: '/dev/zero' } as const;
  beforeAll(() => {
    execFileSync('mkfifo', [kinds.pipe]);
    for (const [kind, file] of Object.entries(kinds))
      writeFileSync(
        join(folder, `${kind}.model.json`),
        JSON.stringify({ bodies: { a: { shape: { file }, density: 1000 } } }),
      );
    mkdirSync(join(folder, 'piped'));
    execFileSync('mkfifo', [join(folder, 'piped', 'recording.h5')]);
  });
  test.each(['pipe', 'device'] as const)('%s as a part, and as a file to read', async (kind) => {
    const { code, error } = run(`${kind}.model.json`);
    expect(error).toMatch(`error: bodies.a.shape.file: ${kinds[kind]}: expected a file, but this is a ${kind};`);
    expect(code).toBe(2);
    for (const read of [readCadFile, readRecordingFile, openRecordingFile])
      await expect(read(kinds[kind])).rejects.toThrow(`expected a file, but this is a ${kind}`);
    expect(() => findModel(kinds[kind])).toThrow(`this is a ${kind}`);
  });
  test('a pipe where the recording would go', () => {
    const { code, error } = run('fall.model.ts', '--stop', '0.1', '--out', 'piped');
    expect(error).toContain('piped holds recording.h5, and no run has left it');
    expect(code).toBe(2);
  });
});

test('files that no run has left are not written over, unless told', () => {
  mkdirSync(join(folder, 'thesis'));
  writeFileSync(join(folder, 'thesis', 'report.html'), 'three years of work');
  const refused = run('fall.model.ts', '--stop', '0.1', '--out', 'thesis');
  expect(refused.error).toContain('thesis holds report.html, and no run has left it');
  expect(refused.code).toBe(2);
  expect(readFileSync(join(folder, 'thesis', 'report.html'), 'utf8')).toBe('three years of work');
  expect(run('fall.model.ts', '--stop', '0.1', '--out', 'thesis', '--force').code).toBe(0);
  expect(run('fall.model.ts', '--stop', '0.1', '--out', 'thesis').code).toBe(0); // a run's own folder is
});

test.concurrent.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s keeps what is computed and ends with %i', async (signal, code) => {
  const out = join(folder, signal);
  const child = spawn(
    process.execPath,
    [main, 'run', 'fall.model.ts', '--stop', '1e6', '--longest-step', '1e-3', '--out', out],
    { cwd: folder },
  );
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  while (!existsSync(join(out, 'recording.h5')) && child.exitCode === null) await pause(50); // then it listens
  await pause(200);
  child.kill(signal);
  expect(await ended).toBe(code);
  expect(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')).state).toBe('interrupted');
});
