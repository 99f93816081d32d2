/** The page of a study in a real Chromium, from disk: charts drawn, a brush that narrows, a click that opens a run; light and dark. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StudyReport, studyReport } from '../../src/viewer/study-report.js';
import { startChromium } from './chromium.js';

const built = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../dist/viewer/page/${file}`, import.meta.url)), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'tippetop-page-'));
const n = 40;
const values = (f: (i: number) => number | null): (number | null)[] => Array.from({ length: n }, (_, i) => f(i));
const mass = (i: number): number => 1 + (i % 8);
const stiffness = (i: number): number => 10 ** (1 + Math.floor(i / 8) / 2);

const report: StudyReport = {
  name: 'sled',
  title: 'A sled </script> & its springs',
  about: '40 runs',
  found: ['best  row 1'],
  columns: [
    { name: 'mass', unit: 'kg', role: 'parameter', log: false, values: values(mass) },
    { name: 'stiffness', unit: 'N/m', role: 'parameter', log: true, values: values(stiffness) },
    {
      name: 'period',
      unit: 's',
      role: 'output',
      log: false,
      values: values((i) => (i === 5 ? null : 2 * Math.PI * Math.sqrt(mass(i) / stiffness(i)))),
    },
    { name: 'weight', unit: 'N', role: 'output', log: false, values: values((i) => 9.81 * mass(i)) },
  ],
  status: values(() => 0).map((_, i) => (i === 5 ? 'failed' : 'ok')),
  errors: values(() => null).map((_, i) => (i === 5 ? 'too heavy' : null)),
  verdicts: values(() => null).map(() => 'trusted'),
  runs: values(() => null).map((_, i) => (i === 2 ? 'run-3.html' : null)),
  goals: [
    { name: 'period', maximise: false },
    { name: 'weight', maximise: true },
  ],
  pareto: [39, 38],
  best: null,
  convergence: [
    [1, 10],
    [5, 1],
    [9, 0.1],
  ],
  tornado: [
    {
      output: 'period',
      measure: 'swing',
      bars: [
        { name: 'mass', value: 1 },
        { name: 'stiffness', value: -3 },
      ],
    },
  ],
  fit: {
    names: ['mass', 'stiffness'],
    correlation: [
      [1, 0.5],
      [0.5, 1],
    ],
    signals: [{ name: 'x', unit: 'm', times: [0, 1, 2], measured: [0, 1, 0], fitted: [0.1, 0.9, 0.1] }],
  },
};

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
  writeFileSync(
    join(folder, 'report.html'),
    studyReport(report, { script: built('study.js'), style: built('study.css') }),
  );
  writeFileSync(join(folder, 'run-3.html'), '<title>run 3</title>');
}, 60_000);
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const drawn = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLCanvasElement>('.chart canvas:first-child')].map((canvas) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      let inked = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i] > 0) inked++;
      return inked;
    }),
  );

test.each(['light', 'dark'] as const)('%s: every chart has ink, nothing complains', async (colorScheme) => {
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 }, colorScheme });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  await page.waitForSelector('.runs tbody tr');
  const headings = await page.locator('h2').allTextContents();
  expect(headings).toEqual([
    'All runs',
    'Pareto set',
    'Response surface',
    'What matters',
    'Fit',
    'Convergence',
    'All over all',
    'Table',
  ]);
  expect(await drawn(page)).toHaveLength(7);
  // Charts are drawn once the page knows their widths, after the table is there
  await expect.poll(async () => Math.min(...(await drawn(page))), { timeout: 10_000 }).toBeGreaterThan(500);
  expect(complaints).toEqual([]);
  await page.close();
});

test('a brush narrows the table, a click on a row opens its card and its run', async () => {
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  await page.waitForSelector('.runs tbody tr');
  expect(await page.locator('.runs tbody tr').count()).toBe(n);
  // upper half of the first axis: masses above 4.5
  const chart = (await page.locator('.chart').first().boundingBox())!;
  await page.mouse.move(chart.x + 58, chart.y + 30);
  await page.mouse.down();
  await page.mouse.move(chart.x + 58, chart.y + 176);
  await page.mouse.up();
  expect(await page.locator('.runs tbody tr').count()).toBe(n / 2);
  await page.mouse.click(chart.x + 58, chart.y + 200);
  expect(await page.locator('.runs tbody tr').count()).toBe(n);
  await page.locator('.runs tbody tr').nth(2).click();
  expect(await page.locator('.card').textContent()).toContain('Run 3');
  const [opened] = await Promise.all([page.waitForEvent('popup'), page.locator('.card a.open').click()]);
  await opened.waitForLoadState();
  expect(await opened.title()).toBe('run 3');
  await page.locator('.runs tbody tr').nth(5).click();
  expect(await page.locator('.card').textContent()).toContain('too heavy');
  expect(await page.locator('.card').textContent()).toContain('npx tippetop study keep sled 6');
  await page.keyboard.press('Escape');
  expect(await page.locator('.card').isHidden()).toBe(true);
  // sorted by a click on a column: the longest period last, what failed behind it
  await page.getByRole('button', { name: 'period [s]' }).click();
  expect(await page.locator('.runs tbody tr').last().getAttribute('data-row')).toBe('5');
  await page.close();
});
