/** What the stage draws, looked at pixel by pixel in a real browser: places, picking, looks, colours, decoration, loss of the card. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveFolder, startChromium } from './chromium.js';
import type { trials } from './stage-page.js';

type Trials = typeof trials;
const folder = mkdtempSync(join(tmpdir(), 'tippetop-stage-'));
const complaints: string[] = [];
let browser: Browser;
let page: Page;
let site: { url: string; close: () => void };

beforeAll(async () => {
  const script = fileURLToPath(new URL('./stage-page.ts', import.meta.url));
  writeFileSync(
    join(folder, 'main.js'),
    `import { trials } from ${JSON.stringify(script)};\nObject.assign(window, { trials, ready: true });`,
  );
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><meta charset="utf-8"><title>stage</title><link rel="icon" href="data:,"><style>body { margin: 0 } canvas { display: block; width: 480px; height: 360px }</style><script type="module" src="./main.js"></script>',
  );
  await build({
    root: folder,
    base: './',
    configFile: false,
    logLevel: 'error',
    build: { outDir: join(folder, 'site'), emptyOutDir: true, target: 'es2022' },
  });
  site = await serveFolder(join(folder, 'site'));
  browser = await startChromium();
  page = await browser.newPage({ viewport: { width: 480, height: 360 } });
  // three says in plain words that the card was lost and came back; everything else on the console is a defect
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' || (message.type() === 'warning' && !/GPU stall due to ReadPixels/.test(text)))
      complaints.push(text);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(site.url);
  await page.waitForFunction('window.ready === true');
});

afterAll(async () => {
  await browser?.close();
  site?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function trial<Name extends keyof Trials>(
  name: Name,
  ...args: Parameters<Trials[Name]>
): Promise<Awaited<ReturnType<Trials[Name]>>> {
  const result = await page.evaluate(`trials.${name}(...${JSON.stringify(args)})`);
  expect(complaints).toEqual([]);
  return result as Awaited<ReturnType<Trials[Name]>>;
}

const brightness = ([r, g, b]: readonly number[]): number => r + g + b;

describe('places', () => {
  // Small markers on turned bodies: the middle of their pixels is where `project` says, for 7 views in both projections. A marker
  // is a dozen pixels wide, so its middle is known to about a tenth of a pixel; faces near the background's colour cost another.
  const SOME = ['left', 'bottom', 'isometric'] as const;
  const SCENES: Readonly<Record<string, Parameters<Trials['projections']>[0]>> = {
    'a scene of a metre': {},
    '0.1 mm, a thousand metres from the origin': { scale: 1e-4, offset: [700, -700, 100], views: SOME },
    'a hundred metres with y up': { scale: 100, up: [0, 1, 0], views: SOME },
    'followed for 20 000 sizes of the scene': { travel: 20_000, views: SOME },
  };
  test.each(Object.keys(SCENES))('%s', async (name) => {
    const { results } = await trial('projections', SCENES[name]);
    expect(results.length).toBe(2 * (SCENES[name]?.views?.length ?? 7) * 5);
    for (const { view, body, apart, count, picked, off } of results) {
      expect(count, `${view}, body ${body}: pixels`).toBeGreaterThan(15);
      expect(apart, `${view}, body ${body}: px between drawn and computed`).toBeLessThan(0.4);
      if (body < 0) continue; // a sign of the overlay, which is not picked
      expect(picked, `${view}, body ${body}: picked`).toBe(body);
      // The picked point lies on the surface of the marker: 0.03 from the centre, or on the cube of 0.05
      expect(off).toBeGreaterThan(0.02499);
      expect(off).toBeLessThan(0.0434);
      if (body < 2) expect(off).toBeCloseTo(0.03, 6);
    }
  });

  test('picks the nearest that is visible, and ground without end', async () => {
    const { first, second, ground, sky } = await trial('picking');
    expect(first?.body).toBe(0);
    // On the sphere around (0, −2, 0.5), on its front
    expect(first!.point[1]).toBeCloseTo(-2.5, 3);
    expect(first!.normal[1]).toBeCloseTo(-1, 3);
    expect(second?.body).toBe(1);
    expect(ground?.body).toBe(2);
    expect(ground!.normal).toEqual([0, 0, 1]);
    for (let k = 0; k < 3; k++) expect(ground!.point[k]).toBeCloseTo([2.3, -1, 0][k], 9);
    expect(sky).toBeUndefined();
  });
});

test('bodies are hidden, isolated, transparent, wired, chosen; light and dark', async () => {
  const { solid, both, hidden, wire, inside, corner, outline } = await trial('looks');
  expect(solid).toBeGreaterThan(3000);
  expect(both).toBeGreaterThan(1.6 * solid);
  expect(hidden).toBe(solid);
  expect(wire).toBeGreaterThan(100);
  expect(wire).toBeLessThan(0.3 * solid);
  // Red stays red, a third of it over a light background
  expect(inside.solid[0]).toBeGreaterThan(2 * inside.solid[2]);
  expect(inside.clear[2]).toBeGreaterThan(inside.solid[2] + 60);
  expect(brightness(corner.light)).toBeGreaterThan(600);
  expect(brightness(corner.dark)).toBeLessThan(150);
  expect(brightness(inside.dark)).toBeLessThan(brightness(inside.solid));
  expect(outline.without).toBe(0);
  expect(outline.with).toBeGreaterThan(200);
});

test('a ball has two tones that turn with it, or one', async () => {
  const { two, turned, one } = await trial('tones');
  expect(Math.abs(two[0] - two[1])).toBeGreaterThan(12);
  expect(Math.sign(turned[0] - turned[1])).toBe(-Math.sign(two[0] - two[1]));
  // the light falls from the side
  expect(Math.abs(one[0] - one[1])).toBeLessThan(0.7 * Math.abs(two[0] - two[1]));
});

test('colours per body, per triangle and by quantities, with a legend', async () => {
  const { body, triangle, speeds, speed, height, displacement, set, unknown } = await trial('colouring');
  expect(body[0]).toBeGreaterThan(2 * body[1]);
  expect(triangle[1]).toBeGreaterThan(2 * triangle[0]);
  // 2 rad/s times the distance of a corner from the axis; the float32 of the card has no part in the legend
  expect(speed).toMatchObject({ quantity: 'speed', unit: 'm/s', low: 0 });
  expect(speed!.high).toBeCloseTo(2 * Math.hypot(1, 0.1), 12);
  expect(speed!.colours.length).toBeGreaterThan(8);
  // The colour belongs to the value at vertices, all of which are equally fast here: one colour from end to end
  for (const colour of speeds) for (let k = 0; k < 3; k++) expect(Math.abs(colour[k] - speeds[0][k])).toBeLessThan(6);
  expect(brightness(speeds[0])).toBeGreaterThan(400);
  expect(height!.low).toBeCloseTo(4.9, 12);
  expect(height!.high).toBeCloseTo(5.1, 12);
  expect(displacement!.high).toBeCloseTo(5, 12);
  expect(set!.high).toBe(7);
  // Without a recorded velocity the body keeps its colour
  expect(unknown[0]).toBeGreaterThan(2 * unknown[1]);
});

test('springs, frames, joints, grid, trails, moving surfaces, scale bar', async () => {
  const seen = await trial('decor');
  // The spring reaches from one body to the other
  expect(seen.spring.left).toBeLessThan(seen.ends[0].x + 25);
  expect(seen.spring.right).toBeGreaterThan(seen.ends[1].x - 25);
  expect(seen.spring.count).toBeGreaterThan(500);
  expect(seen.frames.count).toBeGreaterThan(200);
  expect(seen.joints.count).toBeGreaterThan(100);
  expect(seen.gone.count).toBe(0);
  expect(seen.grid.count).toBeGreaterThan(500);
  const [r, g, b] = seen.trail;
  expect(b).toBeGreaterThan(r + 80);
  expect(b).toBeGreaterThan(g + 80);
  expect(seen.collected[1]).toBeGreaterThan(seen.collected[0] + 80);
  expect(brightness(seen.rewound)).toBeGreaterThan(600);
  // Values from 0 at the left to 10 at the right: ever brighter
  const [low, middle, high] = seen.sheetColours.map(brightness);
  expect(low).toBeLessThan(middle);
  expect(middle).toBeLessThan(high);
  expect(brightness(seen.left)).toBeGreaterThan(600);
  expect(seen.legend).toMatchObject({ quantity: 'stress', unit: 'Pa', low: 0, high: 10 });
  expect([1, 2, 5].some((n) => Math.abs(Math.log10(seen.bar.length / n) % 1) < 1e-9)).toBe(true);
  // At the depth of the target the bar is as long as it says
  expect(seen.apart).toBeCloseTo(seen.bar.pixels, 6);
});

test('draws only when asked and changed, gives a PNG, survives the loss of the card, refuses without WebGL', async () => {
  const { idle, signature, size, events, whileLost, apart, refusal } = await trial('life');
  expect(idle).toBe(false);
  expect(signature).toEqual([0x89, 0x50, 0x4e, 0x47]);
  expect(size).toEqual([480, 360]);
  expect(whileLost).toBe(false);
  expect(events).toEqual(['lost', 'restored', 'drawn']);
  expect(apart).toBe(0);
  expect(refusal).toMatch(/^DisplayError: .*WebGL 2.*hardware acceleration/);
});

test('5050 balls are a handful of calls, and picked at once', async () => {
  const { bodies, calls, triangles, script, pickMs, picked } = await trial('many', 100);
  expect(bodies).toBe(5050);
  expect(calls).toBeLessThan(12);
  // Balls of two pixels are drawn with 36 triangles each
  expect(triangles).toBeLessThan(200_000);
  expect(picked).toBe(5049);
  // Of one core of a slow machine, times ten
  expect(pickMs).toBeLessThan(100);
  expect(script).toBeLessThan(400);
});
