/** Files in the studio, in a real Chromium: STEP dropped in, another file of the same name, and documents saved where they were opened. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { writeStl } from '../../src/geometry/files/stl-write.js';
import { box } from '../../src/geometry/index.js';
import { DOCUMENT, MODEL, STUDIO, serveStudio, untilTrue } from './studio-page.js';

const STEP = fileURLToPath(new URL('../fixtures/files/step/pin-plate.step', import.meta.url));
const LIMIT = 120_000;
const studio = serveStudio();
let page: Page;

beforeAll(async () => {
  page = await studio.newPage();
  // Bytes of files that go to workers; and files chosen are those of the origin's own file system, whose handles are like those of a disk
  await page.addInitScript(() => {
    const own = Worker.prototype.postMessage;
    const seen = { posted: [] as number[], asked: [] as string[] };
    Object.assign(window, { seen });
    Worker.prototype.postMessage = function (request, ...more) {
      const files: { bytes?: Uint8Array }[] = Object.values(request?.source?.files ?? {});
      if (files.length > 0) seen.posted.push(files.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0));
      return own.call(this, request, ...(more as [StructuredSerializeOptions]));
    };
    const handle = async (name: string): Promise<FileSystemFileHandle> =>
      (await navigator.storage.getDirectory()).getFileHandle(name, { create: true });
    Object.assign(window, {
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => {
        seen.asked.push(`save ${suggestedName}`);
        return handle(suggestedName);
      },
      showOpenFilePicker: async () => {
        seen.asked.push('open');
        return [await handle('chosen.tippetop.json')];
      },
    });
  });
  await page.goto(studio.server.url);
  await page.getByRole('button', { name: /New scene/ }).click();
}, LIMIT);

const until = (expression: string): Promise<void> => untilTrue(page, expression, LIMIT);
const dropAll = (files: Readonly<Record<string, Uint8Array>>): Promise<void> =>
  page.evaluate(
    (all) => {
      const dataTransfer = new DataTransfer();
      for (const [file, data] of all) dataTransfer.items.add(new File([Uint8Array.from(data)], file));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('.studio')!.dispatchEvent(event);
    },
    Object.entries(files).map(([name, bytes]): [string, number[]] => [name, [...bytes]]),
  );
const drop = (name: string, bytes: Uint8Array): Promise<void> => dropAll({ [name]: bytes });
const drawnMass = (body: string): Promise<number> =>
  page.evaluate(
    `window.tippetop.session?.playback.scene.bodies.find(({ name }) => name === ${JSON.stringify(body)})?.mass ?? 0`,
  );

test(
  'a STEP file becomes a part; edits of the scene post it no second time, and undo takes it away as one',
  async () => {
    await drop('pin-plate.step', readFileSync(STEP));
    await until(`${MODEL}.bodies['pin-plate']?.position !== undefined`);
    // a plate of 60 × 20 × 5 mm, 47 g of steel, with two pins: the file's own units
    const mass = await drawnMass('pin-plate');
    expect(mass).toBeGreaterThan(0.02);
    expect(mass).toBeLessThan(0.1);
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
    await until(`window.seen.posted.length >= 3`);
    const posted = (await page.evaluate('window.seen.posted')) as number[];
    expect(posted[0]).toBeGreaterThan(7e6); // Open CASCADE, once
    expect(Math.max(...posted.slice(1))).toBe(0);
    await page.keyboard.press('Control+z'); // the arrows
    await page.keyboard.press('Control+z');
    await until(`${MODEL}.bodies['pin-plate'] === undefined && Object.keys(${DOCUMENT}.assets).length === 0`);
  },
  LIMIT,
);

test(
  'several files at once stand beside each other above the floor, land on it when it is run, and are taken back one by one',
  async () => {
    await dropAll({
      'plate-a.step': readFileSync(STEP),
      'plate-b.step': readFileSync(STEP),
      'plate-c.step': readFileSync(STEP),
    });
    await until(`${MODEL}.bodies['plate-c']?.position !== undefined`);
    const names = ['plate-a', 'plate-b', 'plate-c'];
    const x = (await page.evaluate(
      `${JSON.stringify(names)}.map((name) => ${MODEL}.bodies[name].position[0])`,
    )) as number[];
    // each is 60 mm long
    for (const k of [1, 2]) expect(x[k] - x[k - 1]).toBeGreaterThan(0.06);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await until(`${STUDIO}.runs.now.value.phase === 'ended'`);
    const heights = (await page.evaluate(
      `Promise.all(${JSON.stringify(names)}.map(async (name) => { const z = await ${STUDIO}.runs.playback.signal(name + '.position.z'); return [z.at(0), z.at(-1)]; }))`,
    )) as [number, number][];
    for (const [first, last] of heights) expect(first - last).toBeCloseTo(0.006, 4); // a tenth of its length
    await page.keyboard.press('Alt+1');
    for (let i = 2; i >= 0; i--) {
      await page.keyboard.press('Control+z');
      await until(`${MODEL}.bodies[${JSON.stringify(names[i])}] === undefined`);
    }
    expect(await page.evaluate(`Object.keys(${DOCUMENT}.assets).length`)).toBe(0);
  },
  LIMIT,
);

test(
  'another file of the same name, and the same length, is asked about',
  async () => {
    const brick = (width: number): Uint8Array => writeStl([{ name: 'b', mesh: box([width, 10, 10]).mesh }]);
    const put = page.getByRole('button', { name: 'Put it into the scene' });
    await drop('brick.stl', brick(10));
    if (await put.isVisible({ timeout: 2000 }).catch(() => false)) await put.click();
    await until(`${MODEL}.bodies.brick?.position !== undefined`);
    const mass = await drawnMass('brick');
    expect(mass).toBeGreaterThan(0);
    await drop('brick.stl', brick(20));
    const again = page.getByRole('dialog', { name: 'brick.stl again' });
    await put.or(again).first().waitFor();
    if (await put.isVisible()) await put.click();
    await again.getByText('the shape of brick').waitFor();
    await again.getByRole('button', { name: 'Replace it' }).click();
    await expect.poll(() => drawnMass('brick'), { timeout: LIMIT }).toBeCloseTo(2 * mass, 6);
    await page.keyboard.press('Control+z');
    await expect.poll(() => drawnMass('brick'), { timeout: LIMIT }).toBeCloseTo(mass, 6);
    await drop('brick.stl', brick(30));
    await put.or(again).first().waitFor();
    if (await put.isVisible()) await put.click();
    await again.getByRole('button', { name: 'Add another part' }).click();
    await expect.poll(() => drawnMass('brick2'), { timeout: LIMIT }).toBeCloseTo(3 * mass, 6);
    expect(await drawnMass('brick')).toBeCloseTo(mass, 6);
  },
  LIMIT,
);

test(
  'Ctrl S asks for a file once, then writes into it; one that was opened is saved where it came from',
  async () => {
    const inFile = (name: string): Promise<string> =>
      page.evaluate(
        `navigator.storage.getDirectory().then((all) => all.getFileHandle(${JSON.stringify(name)})).then((one) => one.getFile()).then((file) => file.text())`,
      );
    const asked = (): Promise<string[]> => page.evaluate('window.seen.asked');
    await page.evaluate(`${STUDIO}.showGallery()`);
    await page.getByRole('button', { name: /New scene/ }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved as untitled.tippetop.json').first().waitFor({ timeout: LIMIT });
    await page.locator('[data-place=box]').click();
    await page.keyboard.press('Control+s');
    await expect.poll(() => inFile('untitled.tippetop.json'), { timeout: LIMIT }).toContain('"box"');
    expect(await asked()).toEqual(['save untitled.tippetop.json']);
    // the same as another file, opened again, changed and saved
    await page.evaluate(
      `(async () => { const all = await navigator.storage.getDirectory(); const from = await (await all.getFileHandle('untitled.tippetop.json')).getFile(); const to = await (await all.getFileHandle('chosen.tippetop.json', { create: true })).createWritable(); await to.write((await from.text()).replace('"Untitled"', '"Chosen"')); await to.close(); })()`,
    );
    await page.keyboard.press('Control+o');
    await until(`${DOCUMENT}.title === 'Chosen'`);
    await page.locator('[data-place=ball]').click();
    await page.keyboard.press('Control+s');
    await expect.poll(() => inFile('chosen.tippetop.json'), { timeout: LIMIT }).toContain('"ball"');
    expect(await asked()).toEqual(['save untitled.tippetop.json', 'open']);
  },
  LIMIT,
);
