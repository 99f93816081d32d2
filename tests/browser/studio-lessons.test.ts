/** The five lessons in a real Chromium, each taken to its end by what a person would do: pointer and keys, nothing of the page's own. */
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { leverEscapement } from '../../src/assets/machine-elements/lever-escapement.js';
import type { Vec2 } from '../../src/math/vec3.js';
import { DRAWING } from '../../src/studio/lessons/lever-to-trace.js';
import { COARSE, STUDIO, serveStudio, untilTrue } from './studio-page.js';

const LIMIT = 240_000;
const studio = serveStudio();
let page: Page;

afterEach(async () => {
  await page?.close();
  expect(studio.complaints).toEqual([]);
});

const until = (expression: string): Promise<void> => untilTrue(page, expression, LIMIT);
/** The step that is asked for now; what it points at, where it points at something, is there and framed. */
const step = async (index: number, points = true): Promise<void> => {
  await until(`${STUDIO}.lesson?.step === ${index}`);
  if (points) await until(`document.querySelector('.studio-pointed')?.getClientRects().length === 1`);
};
const isOver = async (): Promise<void> => {
  await until(`${STUDIO}.lesson?.isOver`);
  await page.getByText('That was all of it').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await until(`${STUDIO}.lesson === undefined`);
};
const run = (): Promise<void> => page.getByRole('button', { name: 'Run', exact: true }).click();

async function begin(lesson: string): Promise<void> {
  page = await studio.newPage({ ...COARSE, viewport: { width: 1440, height: 900 } });
  await page.goto(studio.server.url);
  await page.locator(`[data-lesson=${lesson}]`).click();
}

test(
  'pendulum: built, run, played, grabbed and kept',
  async () => {
    await begin('pendulum');
    await step(0);
    await page.locator('[data-place=pendulum]').click();
    await step(1);
    await run();
    await step(2);
    await page.getByRole('tab', { name: 'Play' }).click();
    await step(3, false);
    await until(`${STUDIO}.runs.now.value.phase === 'running' && window.tippetop.session.player.time > 0.1`);
    // The bob swings: it is caught where it is, as often as it takes
    for (let tries = 0; tries < 20; tries++) {
      const { x, y } = (await page.evaluate(
        `(() => {
          const { stage, session } = window.tippetop;
          const i = session.playback.scene.bodies.findIndex(({ name }) => /bob/.test(name));
          const { left, top } = document.querySelector('canvas').getBoundingClientRect();
          const { x, y } = stage.project([...session.player.frame.poses.subarray(7 * i, 7 * i + 3)]);
          return { x: left + x, y: top + y };
        })()`,
      )) as { x: number; y: number };
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 30, y - 20);
      await page.mouse.move(x + 60, y - 30);
      const caught = await expect
        .poll(() => page.evaluate(`${STUDIO}.lesson.step`), { timeout: 3000, interval: 50 })
        .toBe(4)
        .then(
          () => true,
          () => false,
        );
      await page.mouse.up();
      if (caught) break;
    }
    await step(4, false);
    await page.keyboard.press('Enter');
    await isOver();
  },
  LIMIT,
);

test(
  'gears: put in, run, another speed, run again',
  async () => {
    await begin('gears');
    await step(0);
    await page.locator('[data-place=gears]').click();
    await step(1);
    await run();
    await step(2);
    await page.getByRole('tab', { name: 'Build' }).click();
    await page.locator('[data-path="joints.pinionAxis"]').click();
    const speed = page.locator('.studio-properties').getByRole('textbox', { name: /speed/ });
    await speed.fill('3');
    await speed.press('Enter');
    await run();
    await isOver();
  },
  LIMIT,
);

test(
  'Geneva: by its slider, compared with the run before, then played',
  async () => {
    await begin('geneva');
    await step(0);
    await until(`window.tippetop.session?.player.time > 0`);
    const slider = page.getByRole('slider', { name: /slots/ });
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await step(1, false);
    await step(2);
    await page.getByRole('tab', { name: 'Play' }).click();
    await isOver();
  },
  LIMIT,
);

test(
  'escapement: the lever is scaled, traced, put in place of the hub, and the watch ticks',
  async () => {
    await begin('escapement');
    await step(0);
    await page.getByRole('tab', { name: 'Sketch' }).click();
    await page.waitForSelector('.sketch-picture image');
    await step(1);
    const { width, height, pivot, bar, perMillimetre } = DRAWING;
    /** Where a pixel of the drawing is on the screen now */
    const onScreen = async (): Promise<(pixel: Vec2) => Vec2> => {
      const box = (await page.locator('.sketch-picture image').boundingBox())!;
      return ([x, y]) => [box.x + (box.width * x) / width, box.y + (box.height * y) / height];
    };
    const click = async (at: Vec2, { snap = false } = {}): Promise<void> => {
      // Nothing, the card of the lesson least of all, lies over what is to be clicked
      expect(
        await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('.sketch-view') !== null, [...at]),
      ).toBe(true);
      if (!snap) await page.keyboard.down('Alt');
      await page.mouse.click(...(at as [number, number]));
      if (!snap) await page.keyboard.up('Alt');
    };
    await page.getByRole('button', { name: 'Set scale' }).click();
    let to = await onScreen();
    for (const end of bar) await click(to(end));
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    await step(2);
    await page.getByRole('button', { name: 'Origin', exact: true }).click();
    to = await onScreen();
    await click(to(pivot));
    await step(3, false);
    await page.keyboard.press('l');
    to = await onScreen();
    const { pallet } = leverEscapement();
    const k = 1e3 * perMillimetre;
    const place = (i: number): Vec2 => to([pivot[0] + k * pallet[i][0], pivot[1] - k * pallet[i][1]]);
    // The horns of the fork are arcs of twelve chords: first, middle, last
    const horns = [
      [4, 10, 16],
      [19, 25, 31],
    ];
    for (let i = 0; i < pallet.length; i++) {
      // one corner of the outline is there twice, to a nanometre
      if (i > 0 && Math.hypot(pallet[i][0] - pallet[i - 1][0], pallet[i][1] - pallet[i - 1][1]) < 1e-6) continue;
      await click(place(i));
      const horn = horns.find(([first]) => first === i);
      if (!horn) continue;
      await page.keyboard.press('a');
      for (const on of horn.slice(1)) await click(place(on));
      await page.keyboard.press('l');
      i = horn[2];
    }
    await click(place(0), { snap: true }); // closes
    await step(4);
    await page.getByRole('button', { name: 'Put into the scene' }).click();
    await step(5);
    await run();
    await isOver();
  },
  LIMIT,
);

test(
  'tippe top: run, a slider, run again',
  async () => {
    await begin('tippe-top');
    await step(0, false);
    await step(1);
    const slider = page.locator('.studio-parameters input[type=range]').first();
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await step(2, false);
    await isOver();
  },
  LIMIT,
);
