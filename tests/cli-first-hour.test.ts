/** A newcomer's first hour: `new`, its test, two runs compared, a program that imports a model file. Runs the built package. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'tippetop-first-'));
const mechanism = join(folder, 'my-mechanism');

function node(cwd: string, ...words: string[]): { code: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8', timeout: 60_000 });
  return { code: status, out: stdout, error: stderr };
}

beforeAll(() => {
  expect(node(folder, main, 'new', 'my-mechanism')).toMatchObject({ code: 0, error: '' });
  // What `npm install` would do; the package is this one.
  mkdirSync(join(mechanism, 'node_modules'));
  symlinkSync(root, join(mechanism, 'node_modules', 'tippetop'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('tippetop new', () => {
  test('gives a test that passes', () => {
    const { code, out } = node(mechanism, '--import', 'tippetop/register', '--test');
    expect(out).toContain('# pass 1');
    expect(code).toBe(0);
  });

  test('refuses a folder with something in it, and names that are none', () => {
    expect(node(folder, main, 'new', 'my-mechanism')).toMatchObject({
      code: 2,
      error: 'error: new: my-mechanism exists and is not empty; choose another name\n',
    });
    expect(node(folder, main, 'new', 'My Mechanism').error).toContain('expected a name of small letters');
  });

  test('a program imports the model file', () => {
    writeFileSync(
      join(mechanism, 'program.mjs'),
      "import { simulate } from 'tippetop';\nimport swing from './my-mechanism.model.ts';\nconsole.log(simulate(swing({ push: 0.2 }), { stopTime: 0.1 }).signal('pivot.angle').max());\n",
    );
    const { code, out, error } = node(mechanism, '--import', 'tippetop/register', 'program.mjs');
    expect(error).toBe('');
    expect({ code, out: out.trim() }).toEqual({ code: 0, out: '0.2' });
  });
});

test('compare tells where two runs differ, and by its exit code if it is too much', () => {
  for (const rtol of ['1e-3', '1e-8'])
    expect(
      node(
        mechanism,
        main,
        'run',
        'my-mechanism.model.ts',
        '--stop',
        '2',
        '--rtol',
        rtol,
        '--out',
        `out/${rtol}`,
        '--quiet',
      ).code,
    ).toBe(0);
  const differing = node(mechanism, main, 'compare', '1e-3', '1e-8', '--signals', 'pivot.angle', '--within', '1e-9');
  expect(differing.out).toMatch(
    /^1 signal from 0 to 2 s; 1 differ:\n {2}pivot\.angle {2}\S+ rad at \S+ s, \S+ of its range\n$/,
  );
  expect(differing.code).toBe(1);
  expect(node(mechanism, main, 'compare', '1e-8', '1e-8').out).toMatch(/: the same bits\n$/);
});
