/** `view` and `run --view` as a user meets them: the address, Ctrl-C, and what they say when there is nothing to show. Runs the built package. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ViewContent } from '../src/viewer/content.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-view-'));
// No browser is to be opened by a test, wherever it runs.
const env = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', WSL_DISTRO_NAME: '' };

function tippetop(...words: string[]): { code: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env,
  });
  return { code: status, out: stdout, error: stderr };
}

/** Starts it, waits for the address, looks at it, and ends it with Ctrl-C. */
async function serving(words: string[], look: (url: string, said: string) => Promise<void>): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [main, ...words], { cwd: folder, env });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  let said = '';
  let complaint = '';
  child.stderr?.on('data', (piece) => (complaint += piece));
  try {
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (piece) => {
        said += piece;
        const found = /http:\/\/\S+/.exec(said)?.[0];
        if (found) resolve(found);
      });
      void ended.then((code) => reject(new Error(`ended with ${code} before it served: ${complaint}`)));
    });
    await look(url, said);
    // With a connection still open
    const open = await fetch(url);
    child.kill('SIGINT');
    const start = performance.now();
    expect(await ended).toBe(0);
    expect(performance.now() - start).toBeLessThan(3000);
    await open.body?.cancel().catch(() => undefined);
    expect(complaint).toBe('');
  } finally {
    child.kill('SIGKILL');
  }
}

const contentAt = async (url: string): Promise<ViewContent> =>
  (await (await fetch(new URL('content.json', url))).json()) as ViewContent;

beforeAll(() => {
  expect(tippetop('run', 'pendulum', '--stop', '0.2', '--quiet').code).toBe(0);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('tippetop view', () => {
  test('a folder of results: prints the address, serves the page and the recording, ends with Ctrl-C', async () => {
    await serving(['view', 'out/pendulum', '--no-open'], async (url, said) => {
      expect(said).toMatch(/^out\/pendulum: http:\/\/127\.0\.0\.1:\d+\//);
      const page = await (await fetch(url)).text();
      expect(page).toContain('<body data-viewer>');
      for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
        expect(address).toMatch(/^\.\//);
        expect((await fetch(new URL(address, url))).status, address).toBe(200);
      }
      expect((await fetch(new URL('LICENSES.txt', url))).status).toBe(200);
      const { recordings, model } = await contentAt(url);
      expect(recordings.map(({ name }) => name)).toEqual(['recording.h5']);
      expect(model).toBeUndefined();
      const head = await fetch(new URL(recordings[0].address, url), { headers: { range: 'bytes=1-3' } });
      expect(await head.text()).toBe('HDF');
      expect((await fetch(new URL('files/summary.json', url))).status).toBe(200);
    });
  });

  test('an example with results shows them, with --drawn or parameters the model', async () => {
    await serving(['view', 'pendulum', '--no-open'], async (url, said) => {
      expect(said).toContain('showing the results in out/pendulum');
      expect((await contentAt(url)).recordings).toHaveLength(1);
    });
    await serving(['view', 'pendulum', '--length', '2', '--no-open'], async (url) => {
      const { recordings, model } = await contentAt(url);
      expect(recordings).toEqual([]);
      expect(model?.parameters.length).toBe(2);
      expect((await (await fetch(new URL(model!.scene, url))).arrayBuffer()).byteLength).toBeGreaterThan(100);
    });
  });

  test('one file serves nothing beside it; no argument serves out', async () => {
    await serving(['view', 'out/pendulum/recording.h5', '--no-open'], async (url) => {
      expect((await fetch(new URL('files/recording.h5', url))).status).toBe(200);
      expect((await fetch(new URL('files/summary.json', url))).status).toBe(404);
    });
    await serving(['view', '--no-open'], async (url) => {
      expect((await contentAt(url)).recordings.map(({ name }) => name)).toEqual(['pendulum/recording.h5']);
    });
  });

  test('run --view serves what was run', async () => {
    await serving(['run', 'pendulum', '--stop', '0.1', '--out', 'elsewhere', '--quiet', '--view'], async (url) => {
      expect((await contentAt(url)).recordings.map(({ name }) => name)).toEqual(['recording.h5']);
    });
    expect(existsSync(join(folder, 'elsewhere/recording.h5'))).toBe(true);
  });

  test('says what to do when there is nothing to show', () => {
    mkdirSync(join(folder, 'bare'), { recursive: true });
    writeFileSync(join(folder, 'notes.txt'), 'nothing');
    for (const [words, message] of [
      [['bare'], 'bare: the folder holds no recording (recording.h5) and no model; "tippetop run <model>"'],
      [['out/gears'], 'out/gears: there is no such folder; "tippetop run gears" leaves a recording in out/gears'],
      [['pendulm'], 'did you mean "pendulum"?'],
      [['notes.txt'], 'expected a folder of results, a recording (.h5) or a model file'],
      [['out/pendulum', '--port', 'http'], '--port: expected a whole number from 0 to 65535, got "http"'],
      [['out/pendulum', '--host', '192.0.2.7'], '--host: "192.0.2.7" is no address of this machine'],
      [['pendulum', '--lenght', '2'], 'did you mean'],
      [['--length', '2'], 'expected a model before'],
    ] as const) {
      const { code, error } = tippetop('view', ...words, '--no-open');
      expect(error, words.join(' ')).toContain(message);
      expect(code, words.join(' ')).toBe(2);
    }
    expect(tippetop('run', 'pendulum', '--view', '--json').code).toBe(2);
    expect(tippetop('view', '--help').out).toContain('--no-open');
  });
});
