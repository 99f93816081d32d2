/** The studio by finger, at the size of a tablet: touches as Chromium gets them from a screen. */
import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { STUDIO, serveStudio, untilTrue } from './studio-page.js';

const LIMIT = 60_000;
const POSITION = `${STUDIO}.history.document.value.source.model.bodies.box.position`;
type Point = readonly [x: number, y: number];

const studio = serveStudio();
let page: Page;
let screen: CDPSession;

beforeAll(async () => {
  // A quarter of the points: software draws a whole tablet's screen in half a second, and touches wait for it
  const context = await studio.browser.newContext({
    viewport: { width: 820, height: 1100 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 0.25,
  });
  page = await studio.newPage(undefined, context);
  screen = await context.newCDPSession(page);
  await page.goto(studio.server.url);
}, LIMIT);

const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: readonly Point[]): Promise<unknown> =>
  screen.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
/** Every finger from one place to another, in steps */
async function drag(...fingers: readonly (readonly [Point, Point])[]): Promise<void> {
  const at = (part: number): Point[] =>
    fingers.map(([[x, y], [u, v]]): Point => [x + part * (u - x), y + part * (v - y)]);
  await touch('touchStart', ...at(0));
  for (let i = 1; i <= 4; i++) await touch('touchMove', ...at(i / 4));
}
const until = (expression: string): Promise<void> => untilTrue(page, expression, LIMIT);
/** Of a point of the world on the screen */
const onScreen = async (point: readonly number[]): Promise<Point> =>
  (await page.evaluate(
    `(() => { const { left, top } = document.querySelector('canvas').getBoundingClientRect(); const { x, y } = window.tippetop.stage.project(${JSON.stringify(point)}); return [left + x, top + y]; })()`,
  )) as Point;
const away = (): Promise<number> => page.evaluate('window.tippetop.stage.view.controls.distance');
const place = (): Promise<number[]> => page.evaluate(POSITION);

test(
  'parts are put in by tapping; one finger turns the view, two move and zoom it',
  async () => {
    await page.getByRole('button', { name: /New scene/ }).tap();
    await page.locator('[data-place=box]').tap(); // the panel with it is the one that is open
    await until(
      `window.tippetop.session?.playback.scene.bodies.length === 2 && ${STUDIO}.history.selection.value.length === 1`,
    );
    const [right, top] = (await page.evaluate(
      `(() => { const { right, top } = document.querySelector('canvas').getBoundingClientRect(); return [right, top]; })()`,
    )) as Point;
    const far = await away();
    await drag(
      [
        [right - 120, top + 60],
        [right - 240, top + 60],
      ],
      [
        [right - 60, top + 120],
        [right - 60, top + 240],
      ],
    );
    await touch('touchEnd');
    await expect.poll(away, { timeout: LIMIT }).toBeLessThan(0.8 * far);
    const turned = 'window.tippetop.stage.view.controls.azimuthAngle';
    const before = (await page.evaluate(turned)) as number;
    await drag([
      [right - 60, top + 60],
      [right - 160, top + 60],
    ]);
    await touch('touchEnd');
    await expect
      .poll(async () => Math.abs(((await page.evaluate(turned)) as number) - before), { timeout: LIMIT })
      .toBeGreaterThan(0.1);
    await page.evaluate('window.tippetop.stage.fit(undefined, false)');
  },
  LIMIT,
);

test(
  'an arrow moves the part along its axis, by the grid',
  async () => {
    const [x, y, z] = await place();
    const [from, along] = [await onScreen([x, y, z]), await onScreen([x, y, z + 0.01])];
    const up = (pixels: number): Point => {
      const [dx, dy] = [along[0] - from[0], along[1] - from[1]];
      const length = Math.hypot(dx, dy);
      return [from[0] + (pixels * dx) / length, from[1] + (pixels * dy) / length];
    };
    await drag([up(110), up(210)]);
    await touch('touchEnd');
    await expect.poll(async () => (await place())[2], { timeout: LIMIT }).toBeGreaterThan(z + 0.005);
    const [, , raised] = await place();
    expect(await place()).toEqual([x, y, raised]);
    const grid = (await page.evaluate(`window.tippetop.stage.size / 30`)) as number; // 1, 2 or 5 of a decade below it
    const step = [5, 2, 1].map((n) => n * 10 ** Math.floor(Math.log10(grid))).find((n) => n <= grid)!;
    expect(Math.abs(raised / step - Math.round(raised / step))).toBeLessThan(1e-6);
  },
  LIMIT,
);

test(
  'a finger grabs and throws; with a second one the part is let go and the view zooms',
  async () => {
    await page.getByRole('tab', { name: 'Play' }).tap();
    await until(`${STUDIO}.runs.now.value.phase === 'running' && window.tippetop.session.player.time > 0.05`);
    const body = (): Promise<number[]> => page.evaluate('[...window.tippetop.session.player.frame.poses.slice(7, 10)]');
    const [x, y] = await onScreen(await body());
    await drag([
      [x, y],
      [x + 60, y - 160],
    ]);
    await until(`${STUDIO}.runs.now.value.pull?.force > 0`);
    await touch('touchEnd');
    await until(`${STUDIO}.runs.now.value.pull === undefined`);
    const notes = await page.evaluate(
      `${STUDIO}.runs.ask('notes').then(({ text }) => JSON.parse(text).map(({ action }) => action))`,
    );
    expect(notes).toEqual(expect.arrayContaining(['grab', 'move', 'release']));
    await until(`window.tippetop.session.player.frame.poses[9] < 0.2`); // it came down again
    await page.evaluate('window.tippetop.stage.fit(undefined, false)');
    const [u, v] = await onScreen(await body());
    const far = await away();
    await touch('touchStart', [u, v]);
    await until(`${STUDIO}.runs.now.value.pull !== undefined`);
    await touch('touchStart', [u, v], [u + 40, v + 40]);
    for (let i = 1; i <= 4; i++) await touch('touchMove', [u - 24 * i, v - 24 * i], [u + 40 + 24 * i, v + 40 + 24 * i]);
    await touch('touchEnd');
    await until(`${STUDIO}.runs.now.value.pull === undefined`);
    await expect.poll(away, { timeout: LIMIT }).toBeLessThan(0.8 * far);
  },
  LIMIT,
);
