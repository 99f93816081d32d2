/** Plots beside a real player: search, drag, axes, cursor, zoom, statistics, files. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../../src/results/csv.js';
import { quantity } from '../../src/viewer/plots/quantity.js';
import { sliding } from './sliding.model.js';
import { openRooms, type Rooms } from './viewer-rooms.js';

interface Shown {
  title: string;
  lines: { name: string; unit: string }[];
  axes: { unit: string; side: string }[];
}

let rooms: Rooms;
let page: Page;
const shown = (): Promise<Shown[]> => page.evaluate('window.tippetop.plots.shown()');
const namesIn = async (plot: number): Promise<string[]> => (await shown())[plot].lines.map(({ name }) => name);
const time = (): Promise<number> => page.evaluate('window.tippetop.player.time');
const setTime = (seconds: number) =>
  page.evaluate(`(window.tippetop.player.time = ${seconds}, window.tippetop.player.settled())`);
/** Rows of the legend of a plot: cells of text */
const legend = (plot: number): Promise<string[][]> =>
  page.evaluate(
    `[...document.querySelectorAll('.plot')[${plot}].querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))`,
  );

beforeAll(async () => {
  rooms = await openRooms(sliding(), { stopTime: 0.3, interval: 2e-3 });
  page = await rooms.open({ viewport: { width: 800, height: 900 } }, '?plots');
  await page.waitForFunction("document.querySelectorAll('.plot tbody tr').length === 7");
});
afterAll(async () => {
  await rooms?.close();
});

test("the author's plots are there, an axis for each unit", async () => {
  const [heights, speeds] = await shown();
  expect(heights.title).toBe('Heights');
  expect(heights.lines.map(({ name }) => name)).toEqual(
    ['floor', 'ball', 'crate', 'brick'].map((body) => `${body}.position.z`),
  );
  expect(heights.axes).toEqual([{ unit: 'm', side: 'left' }]);
  expect(speeds.axes).toEqual([
    { unit: 'm/s', side: 'left' },
    { unit: 'N', side: 'right' },
  ]);
});

test('the legend has the value at the time of the player', async () => {
  await setTime(0.13);
  const height = rooms.recording.signal('ball.position.z');
  const rows = await legend(0);
  expect(rows[1][0]).toContain('ball.position.z');
  expect(rows[1][1]).toBe(quantity(height.valueAt(0.13), 'm'));
  await setTime(0.2511);
  expect((await legend(0))[1][1]).toBe(quantity(height.valueAt(0.2511), 'm'));
  // statistics of the whole run, in the unit of the line
  expect(rows[1].slice(2, 4)).toEqual([height.min(), height.max()].map((value) => (1e3 * value).toPrecision(4)));
});

test('a press goes to a time, a drag zooms all plots, a double press shows everything again', async () => {
  const over = page.locator('.u-over').first();
  const { width } = (await over.boundingBox())!;
  await over.click({ position: { x: width / 3, y: 60 } });
  expect(await time()).toBeCloseTo(0.1, 2);

  await over.hover({ position: { x: width / 2, y: 50 } });
  await page.mouse.down();
  const { x, y } = (await over.boundingBox())!;
  await page.mouse.move(x + 0.75 * width, y + 50, { steps: 3 });
  await page.mouse.up();
  const csv = readCsv(new TextEncoder().encode(await page.evaluate('window.tippetop.plots.csv()')));
  expect(csv.times[0]).toBeCloseTo(0.15, 2);
  expect(csv.times.at(-1)).toBeCloseTo(0.225, 2);
  // every row of it to the bit, from both plots
  const force = rooms.recording.signal('ball.contact.force.z');
  const first = rooms.recording.times.indexOf(csv.times[0]);
  expect([...csv.signal('ball.contact.force.z').values]).toEqual([...force.values.slice(first, first + csv.rows)]);
  const stretch = force.values.slice(first, first + csv.rows);
  expect(Number((await legend(1))[2][3])).toBeCloseTo(Math.max(...stretch), 2);

  await over.dblclick({ position: { x: 30, y: 40 } });
  expect(readCsv(new TextEncoder().encode(await page.evaluate('window.tippetop.plots.csv()'))).rows).toBe(
    rooms.recording.rows,
  );
});

test('search: loosely and Enter, by a pattern, by drag, into a new plot', async () => {
  await page.locator('.plot').nth(1).focus();
  await page.fill('.plots-search input', 'cratevx');
  await page.press('.plots-search input', 'Enter');
  await page.waitForFunction("document.querySelectorAll('.plot')[1].querySelectorAll('tbody tr').length === 4");
  expect(await namesIn(1)).toContain('crate.velocity.x');

  await page.fill('.plots-search input', 'brick.{position,velocity}.y');
  await page.press('.plots-search input', 'Shift+Enter');
  await page.waitForFunction("document.querySelectorAll('.plot')[2]?.querySelectorAll('tbody tr').length === 2");
  expect(await namesIn(2)).toEqual(['brick.position.y', 'brick.velocity.y']);

  await page.fill('.plots-search input', 'ball.contact.heat');
  await page
    .locator('.plots-found li')
    .first()
    .dragTo(page.locator('.plot').nth(2), { targetPosition: { x: 200, y: 60 } });
  await page.waitForFunction("document.querySelectorAll('.plot')[2].querySelectorAll('tbody tr').length === 3");
  expect((await shown())[2].axes.map(({ unit }) => unit)).toEqual(['m', 'm/s', 'J']);
  // the same again is no second line
  await page.evaluate("window.tippetop.plots.add('ball.contact.heat', 2)");
  expect(await namesIn(2)).toHaveLength(3);
  expect(await page.evaluate("window.tippetop.plots.add('bal.speed').catch((error) => error.message)")).toContain(
    'there is no signal "bal.speed"',
  );
});

test('rates, removal, keys', async () => {
  const choice = page.locator('.plot').nth(2).locator('tbody select').first();
  await choice.selectOption('rate');
  expect(await namesIn(2)).toContain('d/dt brick.position.y');
  // dy/dt is the velocity: both lines share an axis now, and their greatest values agree
  const rows = await legend(2);
  expect(Number(rows[0][3]) / Number(rows[1][3])).toBeCloseTo(1, 2);
  await page.locator('.plot').nth(2).getByRole('button', { name: 'Remove ball.contact.heat' }).click();
  expect(await namesIn(2)).toHaveLength(2);
  await page.locator('.plot').nth(2).focus();
  await page.keyboard.press('+');
  await expect.poll(() => page.locator('.plots-bar button', { hasText: 'Whole run' }).isEnabled()).toBe(true);
  await page.keyboard.press('0');
  expect(await page.locator('.plots-bar button', { hasText: 'Whole run' }).isEnabled()).toBe(false);
  await page.keyboard.press('Delete');
  expect(await shown()).toHaveLength(2);
});

test('files, clearing, and nobody complained', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.plots-bar button', { hasText: 'CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('ball-and-crate.csv');
  const [width, height]: number[] = await page.evaluate(
    'window.tippetop.plots.png().then(createImageBitmap).then((picture) => [picture.width, picture.height])',
  );
  expect(width).toBeGreaterThan(700);
  expect(height).toBeGreaterThan(2 * 190);
  await page.locator('.plots-bar button', { hasText: 'Clear' }).click();
  expect(await shown()).toEqual([{ title: '', lines: [], axes: [] }]);
  await page.evaluate('window.tippetop.plots.dispose()');
  expect(await page.locator('.plots').count()).toBe(0);
  expect(rooms.complaints).toEqual([]);
});
