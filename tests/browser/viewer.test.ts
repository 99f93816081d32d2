/**
 * The viewer as a person meets it: the built page from the real server, in real Chromium. Three balls of plain colours fall on a
 * plate; their colours are looked for in the picture, so that what is seen is compared with what was recorded.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPage } from '../../scripts/build-page.mjs';
import { body, box, cylinder, model, rotate, simulate, sphere, type Vec3 } from '../../src/index.js';
import { DiskRecording, writeRecordingFile } from '../../src/node/recording-files.js';
import { startViewServer, type ViewServer } from '../../src/node/view-server.js';
import { Recording } from '../../src/results/recording.js';
import { sceneBytes } from '../../src/results/scene/scene-bytes.js';
import { sceneOf } from '../../src/results/scene/scene-of.js';
import { filmBytes } from '../../src/viewer/playback/film.js';
import type { Playback } from '../../src/viewer/playback/playback.js';
import type { Player } from '../../src/viewer/playback/player.js';
import type { Plots } from '../../src/viewer/plots/plots.js';
import { runReport } from '../../src/viewer/run-report.js';
import type { Stage } from '../../src/viewer/stage/stage.js';
import { startChromium } from './chromium.js';

declare global {
  interface Window {
    tippetop: { player: Player; stage: Stage; playback: Playback; plots: Plots };
    violations: string[];
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tippetop-viewer-'));
const page_ = join(folder, 'page');
const out = join(folder, 'out');
const rubber = { name: 'rubber', density: 1000, youngsModulus: 1e6, poissonRatio: 0.45 };
const BALLS = ['red', 'green', 'blue'] as const;

const balls = model({
  title: 'Three balls',
  bodies: {
    plate: body({
      shape: box([0.6, 0.4, 0.02]),
      fixed: true,
      material: rubber,
      position: [0, 0, -0.01],
      colour: [0.5, 0.5, 0.5, 1],
    }),
    red: body({ shape: sphere(0.04), material: rubber, position: [-0.2, 0, 0.2], colour: [1, 0, 0, 1] }),
    green: body({
      shape: sphere(0.04),
      material: rubber,
      position: [0, 0.05, 0.3],
      velocity: [0.1, 0, 0],
      colour: [0, 1, 0, 1],
    }),
    blue: body({
      shape: sphere(0.04),
      material: rubber,
      position: [0.2, -0.05, 0.06],
      angularVelocity: [0, 0, 20],
      colour: [0, 0, 1, 1],
    }),
  },
  contacts: { defaults: { friction: 0.3, restitution: 0.6 } },
  plots: { heights: ['*.position.z'] },
});

let browser: Browser;
let server: ViewServer;
let recording: Recording;

beforeAll(async () => {
  recording = simulate(balls, { stopTime: 0.4, interval: 0.005 });
  mkdirSync(out);
  await Promise.all([
    buildPage(page_),
    writeRecordingFile(join(out, 'recording.h5'), recording),
    startChromium().then((started) => {
      browser = started;
    }),
  ]);
  server = await startViewServer({ page: page_, path: join(out, 'recording.h5'), title: 'balls' });
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Visit {
  readonly page: Page;
  /** Closes it, and fails on what the console or the policy complained of. */
  leave(): Promise<void>;
}

async function openPage({
  url = server.url,
  allowed,
  ...options
}: BrowserContextOptions & { url?: string; allowed?: RegExp } = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 800, height: 420 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if ((message.type() === 'error' || message.type() === 'warning') && !allowed?.test(message.text()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack)));
  page.on('request', (request) => {
    if (!/^(?:blob|data):/.test(request.url()) && !request.url().startsWith(url))
      complaints.push(`asks for ${request.url()}`);
  });
  await page.addInitScript(() => {
    window.violations = [];
    // Shadows take most of the time of a card that is none; one test looks at what they do.
    if (location.protocol !== 'file:' && localStorage.getItem('tippetop.viewer') === null)
      localStorage.setItem('tippetop.viewer', JSON.stringify({ decor: { shadows: false } }));
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      window.violations.push(`${violatedDirective}: ${blockedURI}`),
    );
  });
  await page.goto(url);
  const leave = async (): Promise<void> => {
    const violations = await page.evaluate(() => window.violations);
    await context.close();
    expect(violations).toEqual([]);
    expect(complaints).toEqual([]);
  };
  return { page, leave };
}

async function visit(look: (page: Page) => Promise<void>, options: Parameters<typeof openPage>[0] = {}): Promise<void> {
  const { page, leave } = await openPage(options);
  try {
    await look(page);
  } catch (error) {
    await page.context().close();
    throw error;
  }
  await leave();
}

const loaded = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => window.tippetop !== undefined);
  await page.evaluate(() => window.tippetop.player.settled());
};

/** Moves the slider as a hand does, and waits until the picture is there. */
async function scrub(page: Page, time: number): Promise<void> {
  await page.getByLabel('Time', { exact: true }).evaluate((slider: HTMLInputElement, to) => {
    slider.value = String(to);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, time);
  await page.evaluate(() => window.tippetop.player.settled());
}

/** Where the picture has a colour: middle in CSS px of the canvas, and how many pixels. Shading changes lightness, not hue. */
function findColours(page: Page): Promise<Record<string, { x: number; y: number; count: number }>> {
  return page.evaluate(async () => {
    const picture = await createImageBitmap(await window.tippetop.stage.toPng());
    const copy = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
    copy.drawImage(picture, 0, 0);
    const { data } = copy.getImageData(0, 0, picture.width, picture.height);
    const found: Record<string, { x: number; y: number; count: number }> = {};
    ['red', 'green', 'blue'].forEach((name, channel) => {
      let [x, y, count] = [0, 0, 0];
      for (let i = 0; i < data.length; i += 4) {
        const own = data[i + channel];
        const other = Math.max(data[i + ((channel + 1) % 3)], data[i + ((channel + 2) % 3)]);
        if (own < 40 || own < 2 * other) continue;
        x += (i / 4) % picture.width;
        y += Math.floor(i / 4 / picture.width);
        count++;
      }
      const scale = window.tippetop.stage.renderer.getPixelRatio();
      found[name] = { x: (x / count + 0.5) / scale, y: (y / count + 0.5) / scale, count };
    });
    return found;
  });
}

const recorded = (name: string, time: number): Vec3 =>
  ['x', 'y', 'z'].map((axis) => recording.signal(`${name}.position.${axis}`).valueAt(time)) as unknown as Vec3;

const project = (page: Page, point: Vec3): Promise<{ x: number; y: number }> =>
  page.evaluate((at) => window.tippetop.stage.project(at), point);

/** A point of the canvas in CSS px of the page. */
async function onPage(page: Page, { x, y }: { x: number; y: number }): Promise<[number, number]> {
  const bounds = await page.locator('canvas.viewer-canvas').boundingBox();
  return [bounds!.x + x, bounds!.y + y];
}

const drop = (page: Page, name: string, bytes: Uint8Array): Promise<void> =>
  page.evaluate(
    ({ name, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
      const target = document.querySelector('.viewer-view')!;
      for (const type of ['dragenter', 'dragover', 'drop'])
        target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
    },
    { name, text: Buffer.from(bytes).toString('base64') },
  );

describe('a recording', () => {
  let page: Page;
  let leave: () => Promise<void>;
  beforeAll(async () => {
    ({ page, leave } = await openPage());
    await loaded(page);
  });
  afterAll(() => leave());
  // Each test finds it as it was opened: from the start, nothing picked, all seen, the usual view
  beforeEach(async () => {
    await page.evaluate(() => {
      window.tippetop.player.playing = false;
    });
    for (const room of ['Plots', 'Run', 'Bodies']) {
      const button = page.getByRole('toolbar', { name: 'Viewer' }).getByRole('button', { name: room });
      if ((await button.getAttribute('aria-pressed')) === 'true') await button.click();
    }
    await page.keyboard.press('Escape');
    for (const key of ['Escape', '1', 'f']) await page.locator('body').press(key);
    await scrub(page, 0);
  });

  test('is drawn where it was recorded, at any time', async () => {
    expect(await page.title()).toBe('Three balls · tippetop');
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    for (const time of [0, 0.1325, 0.4, 0.21]) {
      await scrub(page, time);
      const found = await findColours(page);
      for (const name of BALLS) {
        const at = await project(page, recorded(name, time));
        // Perspective shifts the middle of a ball's outline by less than a pixel at this size; a highlight takes some pixels away.
        expect(found[name].count, `${name} at ${time} s`).toBeGreaterThan(150);
        expect(Math.hypot(found[name].x - at.x, found[name].y - at.y), `${name} at ${time} s`).toBeLessThan(2.5);
      }
    }
    // They have moved by much more than that
    await scrub(page, 0);
    const start = await project(page, recorded('green', 0));
    const end = await project(page, recorded('green', 0.4));
    expect(Math.hypot(start.x - end.x, start.y - end.y)).toBeGreaterThan(40);
  });

  test('plays, pauses, steps and jumps by keyboard and by buttons', async () => {
    const time = (): Promise<number> => page.evaluate(() => window.tippetop.player.time);
    const state = () =>
      page.evaluate(() => ({
        playing: window.tippetop.player.playing,
        speed: window.tippetop.player.speed,
        loop: window.tippetop.player.loop,
      }));
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.tippetop.player.time > 0.004);
    expect((await state()).playing).toBe(true);
    await page.getByRole('button', { name: /^Pause/ }).click();
    expect((await state()).playing).toBe(false);
    const paused = await time();
    await page.waitForTimeout(150);
    expect(await time()).toBe(paused);

    await page.keyboard.press('Home');
    expect(await time()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await time()).toBe(recording.times[2]);
    await page.getByRole('button', { name: 'One instant back' }).click();
    expect(await time()).toBe(recording.times[1]);
    await page.locator('body').press('Shift+ArrowRight');
    expect(await time()).toBeCloseTo(recording.times[1] + 0.4 / 20, 12);
    await page.keyboard.press('End');
    expect(await time()).toBe(0.4);
    expect(await page.locator('.viewer-time').textContent()).toBe('400.0 / 400.0 ms');

    const { speed } = await state();
    await page.keyboard.press('+');
    expect((await state()).speed).toBeCloseTo(2 * speed, 12);
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    expect((await state()).speed).toBeCloseTo(speed / 2, 12);
    await page.keyboard.press('l');
    expect((await state()).loop).toBe(true);

    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    for (const [key, room] of [
      ['p', '.viewer-plots'],
      ['i', '.viewer-strip'],
      ['r', '.viewer-panel.right'],
      ['b', '.viewer-panel.left'],
    ]) {
      const shown = await page.locator(room).isVisible();
      await page.keyboard.press(key);
      expect(await page.locator(room).isVisible(), key).toBe(key === 'r' ? true : !shown);
    }
    // Letters typed into a field are text
    await page.keyboard.press('/');
    await page.keyboard.type('blue p');
    expect(await page.getByLabel(/^Search bodies/).inputValue()).toBe('blue p');
    expect((await state()).playing).toBe(false);
  });

  test('looks from every side, and fits', async () => {
    // From the front x is to the right and z up; from the top y is up
    const apart = async (axis: 'x' | 'y' | 'z'): Promise<{ x: number; y: number }> => {
      const offset: Vec3 = [axis === 'x' ? 0.1 : 0, axis === 'y' ? 0.1 : 0, axis === 'z' ? 0.1 : 0];
      const [from, to] = [await project(page, [0, 0, 0]), await project(page, offset)];
      return { x: to.x - from.x, y: to.y - from.y };
    };
    await page.keyboard.press('2');
    await page.waitForTimeout(100);
    expect((await apart('x')).x).toBeGreaterThan(10);
    expect((await apart('z')).y).toBeLessThan(-10);
    await page.keyboard.press('6');
    await page.waitForTimeout(100);
    expect((await apart('y')).y).toBeLessThan(-10);
    expect(Math.abs((await apart('z')).x)).toBeLessThan(10);
    // Far away, then fitted again
    await page.keyboard.press('1');
    await page.mouse.move(350, 200);
    await page.mouse.wheel(0, 3000);
    await page.waitForTimeout(200);
    const small = (await findColours(page)).green.count;
    await page.locator('body').press('f');
    await page.waitForTimeout(200);
    expect((await findColours(page)).green.count).toBeGreaterThan(2 * small);
  });

  test('tells of the body that is clicked', async () => {
    await scrub(page, 0.2);
    await page.mouse.click(...(await onPage(page, await project(page, recorded('red', 0.2)))));
    const card = page.getByRole('tabpanel', { name: 'Body' });
    expect(await card.locator('h3').textContent()).toBe('red');
    const figures = Object.fromEntries(
      await card
        .locator('dl > div')
        .evaluateAll((rows) =>
          rows.map((row) => [row.querySelector('dt')?.textContent, row.querySelector('dd')?.textContent]),
        ),
    ) as Record<string, string>;
    const mass = (4 / 3) * Math.PI * 0.04 ** 3 * 1000; // kg
    expect(Number.parseFloat(figures.mass)).toBeCloseTo(1000 * mass, 0);
    expect(figures.mass).toMatch(/ g$/);
    const [x, , z] = figures.position
      .replaceAll('−', '-')
      .match(/-?[\d.]+/g)!
      .map(Number);
    expect([x, z]).toEqual([
      Number((1000 * recorded('red', 0.2)[0]).toPrecision(4)),
      Number((1000 * recorded('red', 0.2)[2]).toPrecision(4)),
    ]);
    expect(figures.position).toMatch(/mm$/);
    expect(figures.velocity).toMatch(/m\/s, size/);
    expect(figures['angular velocity']).toMatch(/rad\/s/);

    // Hidden by its key it is not seen; beside everything a click picks nothing
    await page.locator('body').press('h');
    expect((await findColours(page)).red.count).toBe(0);
    expect((await findColours(page)).blue.count).toBeGreaterThan(150);
    await page.locator('body').press('h');
    expect((await findColours(page)).red.count).toBeGreaterThan(150);
    await page.locator('body').press('Escape');
    expect(await card.locator('h3').count()).toBe(0);
  });

  test('plots a signal, with its line at the time of the slider; draws the way of a body', async () => {
    await scrub(page, 0.3);
    await page.keyboard.press('p');
    await page.waitForFunction(() => document.querySelectorAll('.plot tbody tr').length === 4);
    const part = async (): Promise<number> => {
      const now = await page.locator('.plot-now').first().boundingBox();
      const area = await page.locator('.u-over').first().boundingBox();
      return (now!.x + 1 - area!.x) / area!.width;
    };
    await expect.poll(part).toBeCloseTo(0.3 / 0.4, 2);
    await page.getByPlaceholder(/^Search signals/).fill('blue.angularVelocity.z');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.plot tbody tr').length === 5);
    const text = await page.locator('.plot tbody tr').last().textContent();
    expect(text).toContain('blue.angularVelocity.z');
    const value = recording.signal('blue.angularVelocity.z').valueAt(0.3);
    expect(text).toContain(`z rad/s${value.toPrecision(4)}`); // the unit stands once, beside the name
    await page.keyboard.press('Escape');
    await page.locator('body').press('p');

    const point = recorded('green', 0.1); // where it is no longer
    const colour = (): Promise<number[]> =>
      page.evaluate(async (at) => {
        const { stage } = window.tippetop;
        const picture = await createImageBitmap(await stage.toPng());
        const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
        pen.drawImage(picture, 0, 0);
        const { x, y } = stage.project(at);
        return [...pen.getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3).data];
      }, point);
    await page.mouse.click(...(await onPage(page, await project(page, recorded('green', 0.3)))));
    const before = await colour();
    await page.locator('body').press('y');
    await expect.poll(colour).not.toEqual(before);
    await page.locator('body').press('y');
    await expect.poll(colour).toEqual(before);
  });

  test('Space plays whatever has the focus; the axes of the world stand in the corner', async () => {
    await page.getByRole('button', { name: 'Light or dark' }).focus();
    const theme = await page.locator('.viewer').getAttribute('data-theme');
    await page.keyboard.press('Space');
    expect(await page.evaluate(() => window.tippetop.player.playing)).toBe(true);
    expect(await page.locator('.viewer').getAttribute('data-theme')).toBe(theme);
    await page.keyboard.press('Space');
    expect(await page.evaluate(() => window.tippetop.player.playing)).toBe(false);
    // from the front x points right and z up, gravity down
    await page.locator('body').press('2');
    const arm = (name: string) =>
      page.evaluate((axis) => {
        const line = document.querySelector(`.viewer-axis-${axis} line`)!;
        return ['x2', 'y2'].map((end) => Math.round(Number(line.getAttribute(end))));
      }, name);
    await expect.poll(() => arm('x')).toEqual([27, 0]);
    expect(await arm('z')).toEqual([0, -27]);
    expect((await arm('g'))[1]).toBeGreaterThan(20);
  });

  test('plots signals over each other; the next contact is where something begins to touch', async () => {
    await page.keyboard.press('p');
    await page.waitForFunction(() => document.querySelectorAll('.plot tbody tr').length >= 4);
    await page.getByRole('button', { name: 'x–y' }).first().click();
    const label = page.locator('.plot-xy').first();
    await expect.poll(() => label.getAttribute('aria-label')).toMatch(/ over \w+\.position\.z$/);
    expect((await label.boundingBox())!.height).toBeGreaterThan(100);
    await page.getByRole('button', { name: 'x–y' }).first().click();
    await page.keyboard.press('Escape');
    await page.locator('body').press('p');
    await page.locator('body').press('m');
    const touches = recording.table('contacts').first;
    const first = recording.times.findIndex((_, k) => touches[k + 1] > touches[k]);
    await expect.poll(() => page.evaluate(() => window.tippetop.player.instant)).toBe(first);
    await page.locator('body').press('i');
  });

  test('has one time axis: the strip shows the stretch that plots are zoomed to, and the slider marks it', async () => {
    await page.evaluate(`(() => {
      const { times } = window.tippetop.playback;
      const [first, last] = [times[0], times[times.length - 1]];
      window.tippetop.plots.zoom(first + 0.25 * (last - first), first + 0.75 * (last - first));
    })()`);
    // The way between first and last instant on the strip is two widths, for half of the run fills one; the strip must be open to have a width.
    await page.locator('body').press('i');
    await page.waitForSelector('.strip-area', { state: 'visible' });
    const ways = (): Promise<number[]> =>
      page.evaluate(`[0, window.tippetop.playback.times.length - 1].map((k) =>
        window.tippetop.inspector.strip.placeOf(k) / document.querySelector('.strip-area').clientWidth)`);
    const [start, end] = await ways();
    expect(start).toBeCloseTo(-0.5, 2);
    expect(end).toBeCloseTo(1.5, 2);
    const [left, width]: number[] = await page.evaluate(`(() => {
      const track = document.querySelector('.viewer-slider').getBoundingClientRect();
      const { left, width } = document.querySelector('.viewer-window').getBoundingClientRect();
      return [(left - track.left - 7) / (track.width - 14), width / (track.width - 14)];
    })()`);
    expect(left).toBeCloseTo(0.25, 2);
    expect(width).toBeCloseTo(0.5, 2);
    await page.evaluate('window.tippetop.plots.zoom()');
    expect(await ways()).toEqual([0, 1]);
    expect(await page.isVisible('.viewer-window')).toBe(false);
    // With plots open, the same instant is at the same place in both
    const ends = (selector: string): Promise<number[]> =>
      page.evaluate(`(() => {
        const { left, right } = document.querySelector('${selector}').getBoundingClientRect();
        return [Math.round(left), Math.round(right)];
      })()`);
    await page.locator('body').press('p');
    await page.waitForSelector('.u-over', { state: 'visible' });
    await expect
      .poll(async () => [await ends('.strip-area'), await ends('.u-over')])
      .toSatisfy(([strip, plot]: number[][]) => Math.abs(strip[0] - plot[0]) <= 1 && Math.abs(strip[1] - plot[1]) <= 1);
    await page.locator('body').press('p');
    await expect.poll(async () => (await ends('.strip-area'))[0]).toBeLessThan(20);
    await page.locator('body').press('i');
  });

  test('films what it plays, and puts what is looked at into its address', async () => {
    await scrub(page, 0.3);
    const download = page.waitForEvent('download');
    await page.locator('body').press('v');
    const film = await download;
    expect(film.suggestedFilename()).toMatch(/^Three-balls\.(webm|mp4)$/);
    const bytes = readFileSync((await film.path())!);
    expect(bytes.length).toBeGreaterThan(1000);
    if (film.suggestedFilename().endsWith('webm')) expect([...bytes.subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
    await scrub(page, 0.2);
    await page.locator('body').press('6');
    await page.locator('body').press('u');
    await page.waitForFunction(() => location.hash.startsWith('#view='));
    const address = page.url();
    const eye = () => JSON.stringify(window.tippetop.stage.view.target.map((x) => Number(x.toFixed(3))));
    const visit = await openPage();
    await visit.page.goto(address);
    await visit.page.reload();
    await loaded(visit.page);
    await expect.poll(() => visit.page.evaluate(() => window.tippetop.player.time)).toBeCloseTo(0.2, 9);
    expect(await visit.page.evaluate(eye)).toBe(await page.evaluate(eye));
    await visit.leave();
  });

  test('has a list of bodies with search, hide and show alone', async () => {
    await page.keyboard.press('b');
    await page.getByLabel(/^Search bodies/).fill('blu');
    expect(await page.locator('.viewer-tree-row').allTextContents()).toEqual(['blue']);
    await page.getByRole('button', { name: 'Show alone: blue' }).click();
    let found = await findColours(page);
    expect([found.red.count, found.green.count]).toEqual([0, 0]);
    expect(found.blue.count).toBeGreaterThan(150);
    await page.getByRole('button', { name: 'Hide: blue' }).click();
    expect((await findColours(page)).blue.count).toBe(0);
    await page.getByRole('button', { name: 'Show all as they are' }).click();
    found = await findColours(page);
    for (const name of BALLS) expect(found[name].count).toBeGreaterThan(150);
    await page.getByLabel(/^Search bodies/).fill('nothing like it');
    expect(await page.locator('.viewer-tree').textContent()).toContain('No body');
  });

  test('says how far it can be trusted', async () => {
    await page.keyboard.press('r');
    const text = await page.getByRole('tabpanel', { name: 'Run' }).textContent();
    expect(text).toContain('The run went to its end.');
    expect(text).toContain(recording.hash);
    expect(text).toMatch(/closes to \S+ of the energy that moved/);
    expect(text).toContain(`${recording.trust.steps?.accepted} accepted`.replace(/\B(?=(\d{3})+ )/g, ' '));
  });
});

test('soft ground is drawn as it deforms: colours with their scale beside the axes, slip and sinkage in plots', async () => {
  const soft = model({
    gravity: [0, 0, -9.81],
    bodies: {
      wheel: body({
        shape: rotate({ axis: [1, 0, 0], angle: Math.PI / 2 }, cylinder({ radius: 0.1, height: 0.1 })),
        mass: 10,
        inertia: [0.05, 0.05, 0.05],
        position: [0, 0.005, 0.1],
        velocity: [0.3, 0, 0],
        angularVelocity: [0, 4, 0],
        contact: false,
      }),
    },
    soils: {
      bed: {
        soil: 'dry-sand-lll',
        spacing: 0.005,
        bodies: { wheel: { radius: 0.1 } },
        drawn: { size: [0.5, 0.3], resolution: 0.005 },
      },
    },
    simulation: { integrator: 'verlet', step: 1e-3 },
  });
  const run = simulate(soft, { stopTime: 0.3, interval: 0.02 });
  const file = join(folder, 'soft.h5');
  await writeRecordingFile(file, run);
  const shown = await startViewServer({ page: page_, path: file, title: 'soft' });
  try {
    await visit(
      async (page) => {
        await loaded(page);
        const deepest = Math.max(...run.signal('elements.bed.wheel.sinkage').values);
        await page.evaluate(async () => {
          const { player, plots } = window.tippetop;
          player.time = 0.3;
          for (const name of ['elements.bed.wheel.slip', 'elements.bed.wheel.sinkage']) await plots.add(name);
        });
        const legend = page.locator('.viewer-legend');
        await legend.filter({ hasText: 'sinkage, mm' }).waitFor();
        // nodes and vertices 5 mm apart: the lowest line of a wheel of 10 cm is 0.03 mm below the nearest at most, and passes it within 8 ms, in which it sinks or rises by half a millimetre; σ/Ke, a hundredth of the sinkage, springs back
        const high = await page.evaluate(() => window.tippetop.stage.legend()?.high ?? 0);
        expect(high).toBeLessThanOrEqual(deepest + 1e-9);
        expect(high).toBeGreaterThan(deepest - 1e-3);
        const [scale, axes] = await Promise.all([legend.boundingBox(), page.locator('.viewer-triad').boundingBox()]);
        expect(scale!.x).toBeGreaterThanOrEqual(axes!.x + axes!.width);
        expect(
          await page.evaluate(() =>
            window.tippetop.plots.shown().flatMap(({ lines }) => lines.map(({ name }) => name)),
          ),
        ).toEqual(expect.arrayContaining(['elements.bed.wheel.slip', 'elements.bed.wheel.sinkage']));
      },
      { url: shown.url },
    );
  } finally {
    await shown.close();
  }
});

describe('files', () => {
  test('a recording is dropped and opens; a file that is none says why, and the page goes on', async () => {
    const bytes = readFileSync(join(out, 'recording.h5'));
    const damaged = Uint8Array.from(bytes);
    damaged.fill(0x5a, 600, Math.floor(bytes.length / 2));
    await visit(async (page) => {
      await loaded(page);
      const message = page.getByRole('alert');
      const refused: [string, Uint8Array][] = [
        ['notes.txt', new TextEncoder().encode('nothing to see')],
        ['holiday.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])],
        ['empty.h5', new Uint8Array(0)],
        ['cut.h5', bytes.subarray(0, Math.floor(bytes.length / 3))],
        ['head.h5', bytes.subarray(0, 64)],
        ['damaged.h5', damaged],
      ];
      for (const [name, content] of refused) {
        await drop(page, name, content);
        await page.waitForFunction((of) => document.querySelector('[role=alert]')?.textContent?.includes(of), name);
        expect(await message.textContent()).toContain(name);
        expect(await message.textContent(), name).not.toContain('mistake in the viewer');
      }
      // What was open still is
      await page.getByRole('button', { name: 'Back', exact: true }).click();
      expect(await message.count()).toBe(0);
      expect((await findColours(page)).red.count).toBeGreaterThan(150);
      // and a good file opens in its place
      await page.evaluate(() => Reflect.deleteProperty(window, 'tippetop'));
      await drop(page, 'again.h5', bytes);
      await loaded(page);
      expect(await message.count()).toBe(0);
      await scrub(page, 0.3);
      const found = await findColours(page);
      const at = await project(page, recorded('blue', 0.3));
      expect(Math.hypot(found.blue.x - at.x, found.blue.y - at.y)).toBeLessThan(2.5);
    });
  });

  test('a folder of several offers them; one that is cut says so in the page', async () => {
    const several = join(folder, 'several');
    for (const name of ['good', 'cut']) mkdirSync(join(several, name), { recursive: true });
    const bytes = readFileSync(join(out, 'recording.h5'));
    writeFileSync(join(several, 'good/recording.h5'), bytes);
    await new Promise((resolve) => setTimeout(resolve, 20)); // the newest is opened first
    writeFileSync(join(several, 'cut/recording.h5'), bytes.subarray(0, 5000));
    const offering = await startViewServer({ page: page_, path: several });
    try {
      await visit(
        async (page) => {
          await page.getByRole('alert').waitFor();
          expect(await page.getByRole('alert').textContent()).toContain('cut/recording.h5');
          await page
            .getByLabel('Recording', { exact: true })
            .and(page.locator('select'))
            .selectOption({ label: 'good/recording.h5' });
          await loaded(page);
          expect((await findColours(page)).green.count).toBeGreaterThan(150);
        },
        { url: offering.url, viewport: { width: 500, height: 320 } },
      );
    } finally {
      await offering.close();
    }
  });

  test('a model that has not been run is shown as drawn; nothing at all says what to do', async () => {
    const drawn = await startViewServer({
      page: page_,
      model: { title: 'Balls', scene: sceneBytes(sceneOf(balls)), parameters: { count: 3 } },
    });
    const empty = await startViewServer({ page: page_ });
    try {
      await visit(
        async (page) => {
          await loaded(page);
          const found = await findColours(page);
          const at = await project(page, [-0.2, 0, 0.2]);
          expect(Math.hypot(found.red.x - at.x, found.red.y - at.y)).toBeLessThan(2.5);
          await page.keyboard.press('r');
          expect(await page.getByRole('tabpanel', { name: 'Run' }).textContent()).toContain('it has not been run');
          expect(await page.locator('.viewer-time-bar').isVisible()).toBe(false);
        },
        { url: drawn.url, viewport: { width: 500, height: 320 } },
      );
      await visit(
        async (page) => {
          await page.getByText('Nothing is open').waitFor();
          for (const key of [' ', 'f', 'i', 'p', 'h', 'End', '3']) await page.keyboard.press(key);
        },
        { url: empty.url, viewport: { width: 500, height: 320 } },
      );
    } finally {
      await drawn.close();
      await empty.close();
    }
  });
});

describe('a recording that changes', () => {
  test('goes on while its run does, to its end; another run of that name is offered', async () => {
    const place = join(folder, 'going');
    const file = join(place, 'recording.h5');
    const scene = sceneOf(balls);
    const signals = recording.signals.filter(({ name }) => /\.(position|orientation)\./.test(name));
    const columns = signals.map(({ name }) => recording.signal(name).values);
    const growing = new Recording(signals, { title: 'Growing', scene });
    const add = (to: number): void => {
      for (let row = growing.rows; row < to; row++)
        growing.append(
          recording.times[row],
          columns.map((values) => values[row]),
        );
    };
    add(11);
    const disk = new DiskRecording(file, growing);
    disk.flush();
    const going = await startViewServer({ page: page_, path: file });
    const lookAgain = (page: Page): Promise<void> =>
      page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
    const plottedRows = (page: Page): Promise<number> =>
      page.evaluate(() => window.tippetop.plots.csv().trim().split('\n').length - 1);
    try {
      await visit(
        async (page) => {
          await loaded(page);
          const state = (): Promise<[number, number, string]> =>
            page.evaluate(() => {
              const { playback, player } = window.tippetop;
              return [playback.times.length, player.time, playback.state];
            });
          await page.keyboard.press('p');
          await page.keyboard.press('End');
          expect(await state()).toEqual([11, recording.times[10], 'running']);
          add(31);
          disk.flush();
          await lookAgain(page);
          await expect.poll(state).toEqual([31, recording.times[30], 'running']);
          await expect.poll(() => plottedRows(page)).toBe(31);
          add(recording.rows);
          await disk.finish('finished');
          await lookAgain(page);
          await expect.poll(state).toEqual([recording.rows, 0.4, 'finished']);
          await expect.poll(() => plottedRows(page)).toBe(recording.rows);
          await page.evaluate(() => window.tippetop.player.settled());
          await page.locator('body').press('p');
          const apart = async (): Promise<number> => {
            const found = await findColours(page);
            const at = await project(page, recorded('green', 0.4));
            return Math.hypot(found.green.x - at.x, found.green.y - at.y);
          };
          // the view becomes higher without the plots, and its colours are looked for before or after
          await expect.poll(apart).toBeLessThan(2.5);
          expect(await page.getByLabel('Time', { exact: true }).getAttribute('max')).toBe('0.4');

          // Another run
          const shorter = new Recording(signals, { title: 'Shorter', scene });
          for (const row of [0, 5])
            shorter.append(
              recording.times[row],
              columns.map((values) => values[row]),
            );
          shorter.state = 'finished';
          await writeRecordingFile(file, shorter);
          await lookAgain(page);
          await page.getByRole('button', { name: 'Show it' }).click();
          await expect.poll(() => page.title()).toBe('Shorter · tippetop');
          await expect.poll(state).toEqual([2, recording.times[5], 'finished']);
        },
        // who reads while another file takes the name may ask for what lies beyond its end
        { url: going.url, viewport: { width: 500, height: 400 }, allowed: /416 \(Range Not Satisfiable\)/ },
      );
    } finally {
      await going.close();
    }
  });
});

test('a report opens from disk and plays what was recorded', async () => {
  const file = join(folder, 'report.html');
  const film = filmBytes(recording, { budget: 1e6 });
  const part = (name: string): string => readFileSync(join(page_, name), 'utf8');
  const replay = { film, script: part('inline.js'), style: part('inline.css') };
  writeFileSync(file, runReport({ name: 'balls', recording, pictures: [], trust: ['closes'], replay }));
  await visit(
    async (page) => {
      await loaded(page);
      await scrub(page, 0.3);
      const found = await findColours(page);
      for (const name of BALLS) {
        const at = await project(page, recorded(name, 0.3));
        expect(Math.hypot(found[name].x - at.x, found[name].y - at.y), name).toBeLessThan(2.5);
      }
      expect(await page.locator('body').textContent()).toContain(recording.hash);
    },
    { url: pathToFileURL(file).href, viewport: { width: 700, height: 560 } },
  );
});

describe('appearance', () => {
  test('fits a phone: nothing sticks out, panels lie below the view, a tap picks; is dark as the system is until it is told', async () => {
    const ground = (page: Page): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.querySelector('.viewer')!).backgroundColor);
    await visit(
      async (page) => {
        await loaded(page);
        const dark = await ground(page);
        const widths = (): Promise<[number, number]> =>
          page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        expect((await widths())[0]).toBe(390);
        const found = await findColours(page);
        for (const name of BALLS) expect(found[name].count).toBeGreaterThan(20);
        for (const label of ['Bodies', 'Contacts', 'Plots', 'Run', 'Settings']) {
          const button = page.getByRole('toolbar', { name: 'Viewer' }).getByRole('button', { name: label });
          const bounds = await button.boundingBox();
          expect(bounds!.x + bounds!.width, label).toBeLessThanOrEqual(390);
          await button.tap();
          expect((await widths())[0], label).toBe(390);
          const view = await page.locator('.viewer-view').boundingBox();
          expect(view!.height, label).toBeGreaterThan(150);
          await button.tap();
        }
        expect(await page.locator('.viewer-panel:visible').count()).toBe(0);
        await page.touchscreen.tap(...(await onPage(page, found.green)));
        expect(await page.evaluate(() => document.querySelector('.viewer-body-name')?.textContent)).toBe('green');

        await page.keyboard.press('n');
        const light = await ground(page);
        expect(light).not.toBe(dark);
        await page.reload();
        await loaded(page);
        expect(await ground(page)).toBe(light);
      },
      { viewport: { width: 390, height: 720 }, hasTouch: true, isMobile: true, colorScheme: 'dark' },
    );
  });
});
