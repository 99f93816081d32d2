/** The sketcher in a real Chromium: a pallet lever traced over a picture by mouse, extruded, set into a watch, which ticks; and a part drawn by keyboard alone. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { traced } from '../../examples/traced-pallet/traced-pallet.model.js';
import { signedArea } from '../../src/geometry/polygon-measure.js';
import type { Corner } from '../../src/geometry/profile.js';
import type { Vec2 } from '../../src/math/vec3.js';
import type { DataRecord } from '../../src/studio/document/document.js';
import { BEAT_ANGLE, watchWith } from '../../src/studio/lessons/watch-scene.js';
import { serveStudio } from './studio-page.js';

/** Of the picture: px per mm, and the pivot in px; the bar below is 3 mm long */
const [PER_MM, WIDTH, HEIGHT] = [190, 900, 1000];
const PIVOT: Vec2 = [400, 740];
const BAR: readonly [Vec2, Vec2] = [
  [115, 940],
  [115 + 3 * PER_MM, 940],
];

const studio = serveStudio();

async function newSketch(): Promise<Page> {
  const page = await studio.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(studio.server.url);
  await page.getByRole('button', { name: /New sketch/ }).click();
  await page.waitForSelector('.sketch-view svg');
  return page;
}

/** A drawing of the lever, as a picture: what a scan would be. */
const drawLever = (page: Page): Promise<number[]> =>
  page.evaluate(
    async ({ corners, k, pivot, bar, size }) => {
      const canvas = new OffscreenCanvas(size[0], size[1]);
      const c = canvas.getContext('2d')!;
      c.fillStyle = '#faf7f0';
      c.fillRect(0, 0, size[0], size[1]);
      c.beginPath();
      for (const [x, y] of corners) c.lineTo(pivot[0] + k * x, pivot[1] - k * y);
      c.closePath();
      c.fillStyle = '#d4dbd8';
      c.fill();
      c.strokeStyle = '#555';
      c.stroke();
      c.beginPath();
      c.moveTo(bar[0][0], bar[0][1]);
      c.lineTo(bar[1][0], bar[1][1]);
      c.stroke();
      c.fillStyle = '#333';
      c.font = '22px serif';
      c.fillText('3 mm', 370, 972);
      c.fillText('Pallet lever, Swiss', 20, 34);
      const blob = await canvas.convertToBlob({ type: 'image/png' });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    { corners: traced as readonly Vec2[], k: PER_MM, pivot: PIVOT, bar: BAR, size: [WIDTH, HEIGHT] },
  );

describe('sketching', () => {
  let page: Page;
  /** Where a pixel of the picture is on the screen now */
  const onScreen = async (): Promise<(pixel: Vec2) => Vec2> => {
    const box = (await page.locator('.sketch-picture image').boundingBox())!;
    return ([x, y]) => [box.x + (box.width * x) / WIDTH, box.y + (box.height * y) / HEIGHT];
  };
  const click = async (at: Vec2, { snap = false } = {}): Promise<void> => {
    if (!snap) await page.keyboard.down('Alt');
    await page.mouse.click(...(at as [number, number]));
    if (!snap) await page.keyboard.up('Alt');
  };
  const corners = (): Promise<readonly (readonly [number, number, number])[]> =>
    page.evaluate('window.tippetop.studio.history.document.value.sketches.part.outlines.outline.corners');

  test('a lever is traced over its picture by mouse: 45 clicks, 3 arcs, its area within 0.1 %', async () => {
    page = await newSketch();
    const bytes = await drawLever(page);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a picture' }).click();
    await (await chooser).setFiles({ name: 'pallet.png', mimeType: 'image/png', buffer: Buffer.from(bytes) });
    await page.waitForSelector('.sketch-picture image');
    // Scale: two clicks, a length, Enter
    let to = await onScreen();
    for (const end of BAR) await click(to(end));
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    // The pivot is the origin
    await page.getByRole('button', { name: 'Origin', exact: true }).click();
    to = await onScreen();
    await click(to(PIVOT));
    // Corner by corner; arcs through their middle
    to = await onScreen();
    const place = ([x, y]: Corner): Vec2 => to([PIVOT[0] + PER_MM * x, PIVOT[1] - PER_MM * y]);
    const index = (x: number, y: number): number => traced.findIndex(([u, v]) => u === x && v === y);
    const arcs = [
      [index(0.336994, 3.448074), index(0.263519, 3.328734), index(0.17, 3.224356)],
      [index(-0.17, 3.224356), index(-0.263519, 3.328734), index(-0.336994, 3.448074)],
      [index(-0.0691, -0.24), index(0, -0.25), index(0.0691, -0.24)],
    ];
    let clicks = 0;
    for (let i = 0; i < traced.length; i++) {
      await click(place(traced[i]));
      clicks++;
      const arc = arcs.find(([first]) => first === i);
      if (!arc) continue;
      await page.keyboard.press('a');
      for (const k of arc.slice(1)) await click(place(traced[k]));
      await page.keyboard.press('l');
      clicks += 2;
      i = arc[2];
    }
    await click(place(traced[0]), { snap: true }); // closes
    expect(clicks + 1).toBe(45);
    const drawn = await corners();
    expect([drawn.length, drawn.filter(([, , bulge]) => bulge !== 0).length]).toEqual([41, 3]);
    const wanted = 1e-6 * signedArea(traced);
    expect(Math.abs(signedArea(drawn) / wanted - 1)).toBeLessThan(1e-3);
    await page.getByText('2.80', { exact: false }).first().waitFor();
  }, 180_000);

  test('extruded, set into a watch and run, it ticks', async () => {
    await page.getByRole('textbox', { name: 'Height' }).fill('0.15');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Put into the scene' }).click();
    const body = (await page.evaluate(
      'window.tippetop.studio.history.document.value.source.model.bodies.part',
    )) as DataRecord;
    expect(body).toMatchObject({ shape: { extrude: { height: 1.5e-4 } }, material: 'steel' });
    const model = watchWith(body, { stop: 0.07 });
    const angles = await page.evaluate(async (scene: unknown) => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own object
      const { studio } = (window as any).tippetop;
      const command = {
        name: 'set-watch',
        label: () => 'Set into a watch',
        // biome-ignore lint/suspicious/noExplicitAny: the document
        apply: (document: any) => ({ ...document, source: { kind: 'scene', model: scene } }),
      };
      studio.do(command, {});
      studio.open('run');
      studio.run();
      const { runs } = studio;
      await new Promise<void>((resolve, reject) => {
        const look = (): void => {
          const { phase, why } = runs.now.value;
          if (phase === 'ended') resolve();
          else if (phase === 'failed') reject(new Error(why));
        };
        runs.now.onChange(look);
        studio.problem.onChange((problem: { text: string } | undefined) => problem && reject(new Error(problem.text)));
      });
      const { playback } = runs;
      const values = await playback.signal('wheelArbor.angle');
      return [values.at(0), values.at(-1)];
    }, model as unknown);
    // Half a pitch on, give or take the run of the lever to its banking
    expect(Math.abs(((angles[1] - angles[0]) * 180) / Math.PI + BEAT_ANGLE)).toBeLessThan(0.6);
    await page.close();
  }, 180_000);

  test('by keyboard alone: a plate with a hole, put into the scene, pinned at the hole, turned and run', async () => {
    page = await newSketch();
    const type = async (...texts: string[]): Promise<void> => {
      for (const [i, text] of texts.entries()) {
        if (i > 0) await page.keyboard.press('Tab');
        if (i > 0) await page.keyboard.press('Control+a');
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
    };
    await type('0', '0'); // the first corner: x, y
    await type('40', '0'); // then length, angle
    await type('30', '90');
    await type('40', '180');
    await page.keyboard.press('Enter'); // on the last corner: closes
    await page.keyboard.press('c');
    await type('20', '15'); // a centre
    await type('5'); // and a radius
    const outlines = (await page.evaluate(
      'window.tippetop.studio.history.document.value.sketches.part.outlines',
    )) as Record<string, { closed: boolean; corners: [number, number, number][] }>;
    expect(outlines.outline.closed).toBe(true);
    expect(signedArea(outlines.outline.corners)).toBeCloseTo(12e-4, 12);
    expect(signedArea(outlines.circle.corners)).toBeCloseTo(Math.PI * 25e-6, 12);
    const put = page.getByRole('button', { name: 'Put into the scene' });
    await expect.poll(() => put.isEnabled()).toBe(true);
    await put.focus();
    await page.keyboard.press('Enter');
    const body = (await page.evaluate('window.tippetop.studio.history.document.value.source.model.bodies.part')) as {
      shape: { extrude: { holes: unknown[] } };
    };
    expect(body.shape.extrude.holes).toHaveLength(1);
    const until = (expression: string): Promise<void> =>
      expect.poll(() => page.evaluate(expression).catch(() => false), { timeout: 120_000, interval: 50 }).toBe(true);
    const tabTo = async (expression: string): Promise<void> => {
      for (let i = 0; i < 120 && !(await page.evaluate(expression)); i++) await page.keyboard.press('Tab');
      expect(await page.evaluate(expression), expression).toBe(true);
    };
    const [studio, model] = ['window.tippetop.studio', 'window.tippetop.studio.history.document.value.source.model'];
    await page.keyboard.press('Alt+1');
    await until(`document.querySelector('[data-path="bodies.part"]') !== null`);
    await tabTo(`document.activeElement.matches('[data-path="bodies.part"]')`);
    await page.keyboard.press('Enter');
    await until(`window.tippetop.session?.playback.scene.bodies.some(({ name }) => name === 'part')`);
    await tabTo(`document.activeElement.textContent === 'Hinge here'`);
    await page.keyboard.press('Enter');
    await until(`${model}.joints?.partAxis?.kind === 'revolute'`);
    // driven: a speed from the list of what a joint may have
    await tabTo(
      `document.activeElement.matches('.studio-properties select:last-of-type') && document.activeElement.options[0].text.startsWith('Add')`,
    );
    await page.keyboard.type('Turn at a steady');
    await page.keyboard.press('Enter');
    await until(`${model}.joints.partAxis.speed > 0`);
    await page.keyboard.press('Control+Enter');
    await until(`['ended', 'failed'].includes(${studio}.runs.now.value.phase)`);
    const [why, turned, wanted] = (await page.evaluate(
      `(async () => { const angle = await ${studio}.runs.playback.signal('partAxis.angle'); return [${studio}.runs.now.value.why ?? '', angle.at(-1) - angle.at(0), 3 * ${model}.joints.partAxis.speed]; })()`,
    )) as [string, number, number];
    expect(why).toBe('');
    expect(turned).toBeCloseTo(wanted, 6); // in the 3 s of a new scene
    await page.close();
  }, 180_000);

  test('the page complains of nothing', () => {
    expect(studio.complaints).toEqual([]);
  });
});
