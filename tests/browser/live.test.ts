/** A model that is edited while its page is open: the real command, a real file, real Chromium. Runs the built package. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Playback } from '../../src/viewer/playback/playback.js';
import type { Player } from '../../src/viewer/playback/player.js';
import type { Plots } from '../../src/viewer/plots/plots.js';
import { startChromium } from './chromium.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-live-'));
const env = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', WSL_DISTRO_NAME: '' };
let browser: Browser;

const SWING = `import { body, box, model, revolute, steel } from 'tippetop';
import { length } from './sizes.js';

export default () => model({
  title: 'swing of ' + length + ' m',
  bodies: { rod: body({ shape: box([length, 0.02, 0.02]), material: steel, position: [length / 2, 0, 0] }) },
  joints: { pivot: revolute({ body: 'rod', at: [0, 0, 0], axis: [0, 1, 0] }) },
});
`;
const sizes = (length: string): void => writeFileSync(join(folder, 'sizes.ts'), `export const length = ${length};\n`);

beforeAll(async () => {
  writeFileSync(join(folder, 'swing.model.ts'), SWING);
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a command that serves a page, opens it, and ends the command as Ctrl-C does. */
async function opened(words: string[], look: (page: Page, said: () => string) => Promise<void>): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [main, ...words], { cwd: folder, env });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  let said = '';
  child.stdout?.on('data', (piece) => (said += piece));
  child.stderr?.on('data', (piece) => (said += piece));
  const page = await browser.newPage({ viewport: { width: 700, height: 500 } });
  try {
    await expect.poll(() => said, { timeout: 30_000 }).toMatch(/http:\/\/\S+/);
    await page.goto(/http:\/\/\S+/.exec(said)?.[0] ?? '');
    await look(page, () => said);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await page.close();
  }
}

type Shown = { tippetop?: { player: Player; playback: Playback; plots: Plots } };
const title = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => (window as unknown as Shown).tippetop?.playback.title);

test('run --watch --view: saved, run again, shown at the same instant with the same plots; a mistake stands in the page at its line', async () => {
  sizes('0.5');
  await opened(['run', 'swing.model.ts', '--watch', '--view', '--stop', '0.5', '--quiet'], async (page, said) => {
    await expect.poll(() => title(page), { timeout: 30_000 }).toBe('swing of 0.5 m');
    await page.evaluate(async () => {
      const { player, plots } = (window as unknown as Required<Shown>).tippetop;
      player.time = 0.3;
      await plots.add('pivot.speed');
    });
    await expect.poll(said).toContain('watching swing.model.ts and 1 file it uses');

    sizes('0.8');
    await expect.poll(() => title(page), { timeout: 30_000 }).toBe('swing of 0.8 m');
    await expect
      .poll(
        () =>
          page.evaluate(() => {
            const { player, plots } = (window as unknown as Required<Shown>).tippetop;
            return [player.time, ...plots.shown().flatMap(({ lines }) => lines.map(({ name }) => name))];
          }),
        { timeout: 10_000 },
      )
      .toEqual([0.3, 'pivot.speed']);

    sizes('oops');
    const alert = page.getByRole('alert');
    await alert.waitFor({ timeout: 30_000 });
    expect(await alert.textContent()).toContain('sizes.ts:1:23: ReferenceError: oops is not defined');
    expect(await alert.locator('pre').textContent()).toBe(`  export const length = oops;\n  ${' '.repeat(22)}^`);

    sizes('0.6');
    await expect.poll(() => title(page), { timeout: 30_000 }).toBe('swing of 0.6 m');
    await expect.poll(() => alert.count()).toBe(0);
  });
});

test('view of a model: drawn again when it is saved', async () => {
  sizes('0.5');
  await opened(['view', 'swing.model.ts', '--drawn', '--no-open'], async (page, said) => {
    await expect.poll(() => title(page), { timeout: 30_000 }).toBe('swing of 0.5 m');
    await expect.poll(said).toContain('and 1 file it uses');
    sizes('0.9');
    await expect.poll(() => title(page), { timeout: 30_000 }).toBe('swing of 0.9 m');
  });
});
