// Pictures of the studio for docs/guide/studio.md, each state reached at the size of a desktop and of a tablet, some dark too: `node scripts/figures/studio.mjs [name …]`, after `npm run build`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { studioPolicy } from '../../dist/cli/studio.js';
import { writeStl } from '../../dist/geometry/files/stl-write.js';
import { box } from '../../dist/geometry/index.js';
import { startViewServer } from '../../dist/node/view-server.js';
import { codeDocument } from '../../dist/studio/document/document.js';
import { linkText } from '../../dist/studio/document/link.js';
import { ensureChromium } from '../chromium.mjs';

const FOLDER = fileURLToPath(new URL('../../docs/guide/pictures/studio/', import.meta.url));
const PAGE = fileURLToPath(new URL('../../dist/studio/page', import.meta.url));
const SIZES = { desktop: { width: 1280, height: 800 }, tablet: { width: 820, height: 1100 } };
/** These are taken in the dark too, at the size of a desktop */
const DARK = ['gallery', 'building', 'sketching', 'finished', 'playing', 'code'];
/** WebP, of 100: letters stay sharp */
const QUALITY = 62;
const FLAGS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const STUDIO = 'window.tippetop.studio';
const PATIENCE = 240_000; // ms
const wanted = process.argv.slice(2);

mkdirSync(FOLDER, { recursive: true });
const server = await startViewServer({ page: PAGE, policyOf: studioPolicy(PAGE) });

async function browserWith(flags) {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: flags, headless: true });
  const context = await browser.newContext({ viewport: SIZES.desktop });
  context.setDefaultTimeout(PATIENCE);
  return { browser, context };
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function until(page, expression) {
  const end = Date.now() + PATIENCE;
  while (!(await page.evaluate(expression).catch(() => false))) {
    if (Date.now() > end) throw new Error(`never: ${expression}`);
    await wait(100);
  }
}

const newScene = async (page) => {
  await page.getByRole('button', { name: /New scene/ }).click();
  await until(page, 'window.tippetop.session !== undefined');
};
const place = async (page, name) => {
  const before = await page.evaluate('window.tippetop.session.playback.scene.bodies.length');
  const tile = page.locator(`[data-place=${name}]`);
  await needs(page, tile, 'left');
  await tile.click();
  await until(page, `window.tippetop.session.playback.scene.bodies.length > ${before}`);
};
const example = async (page, name) => {
  await page.locator(`[data-example=${name}]`).click();
  await until(page, 'window.tippetop.session?.player.time > 0');
};
const lesson = (name) => async (page) => {
  await page.locator(`[data-lesson=${name}]`).click();
  await until(page, `${STUDIO}.lesson !== undefined && window.tippetop.session !== undefined`);
  await wait(2500);
};

/** 20 × 10 × 5, with one face missing, and no unit */
function openBrick() {
  const { mesh } = box([20, 10, 5]);
  const open = { ...mesh, triangles: mesh.triangles.slice(6) };
  const text = new TextDecoder().decode(writeStl([{ name: 'brick', mesh: open }], { ascii: true }));
  return text.replace(/(solid)[^\n]*/g, '$1 brick');
}

/** What is done before each picture, from the gallery on */
const STATES = {
  gallery: async () => undefined,
  empty: newScene,
  building: async (page) => {
    await newScene(page);
    await place(page, 'geneva');
    await page.locator('[data-path="bodies.drive"]').click();
  },
  problem: async (page) => {
    await newScene(page);
    await place(page, 'cylinder');
    const radius = page.getByRole('textbox', { name: /radius/ });
    await needs(page, radius, 'right');
    await radius.fill('-5');
    await radius.press('Enter');
    await until(
      page,
      `${STUDIO}.problem.value !== undefined || document.querySelector('.viewer-messages').textContent !== ''`,
    );
  },
  units: async (page) => {
    await newScene(page);
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'brick.stl'));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('.studio').dispatchEvent(drop);
    }, openBrick());
    await page.getByRole('dialog', { name: 'Unit of brick.stl' }).waitFor();
  },
  running: async (page) => {
    await example(page, 'dominoes');
    await until(page, 'window.tippetop.session.player.time > 0.15');
  },
  finished: async (page) => {
    await example(page, 'pendulum');
    await until(page, `${STUDIO}.runs.now.value.phase === 'ended'`);
    await page.evaluate(`${STUDIO}.rooms.openRight('result')`);
    await page.evaluate(`${STUDIO}.rooms.togglePlots()`);
  },
  playing: async (page) => {
    await newScene(page);
    await place(page, 'box');
    await page.getByRole('tab', { name: 'Play' }).click();
    await until(page, `${STUDIO}.runs.now.value.phase === 'running' && window.tippetop.session.player.time > 0.1`);
    const box = await page.locator('canvas.viewer-canvas').boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let i = 1; i <= 5; i++) await page.mouse.move(x + 10 * i, y - 28 * i);
    await until(page, `${STUDIO}.runs.now.value.pull?.force > 0`);
    await wait(700);
  },
  failed: async (page) => {
    const text =
      "import { body, model, sphere, steel } from 'tippetop';\nexport default () =>\n  model({ bodies: { a: body({ shape: sphere(-1), material: steel }) } });\n";
    await page.getByRole('button', { name: /New program/ }).click();
    await until(page, `['ended', 'failed'].includes(${STUDIO}.runs.now.value.phase)`);
    await page.evaluate(`document.querySelector('.studio-editor').shadowRoot.querySelector('.cm-content').focus()`);
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    await page.keyboard.press('Control+s');
    await until(page, `${STUDIO}.problem.value !== undefined`);
  },
  code: async (page) => {
    await page.getByRole('button', { name: /New program/ }).click();
    await until(page, `['ended', 'failed'].includes(${STUDIO}.runs.now.value.phase)`);
    await page.evaluate(`document.querySelector('.studio-editor').shadowRoot.querySelector('.cm-content').focus()`);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nconst other = body({ shape: sphere(0.1), mat');
    await until(
      page,
      `document.querySelector('.studio-editor').shadowRoot.querySelector('.cm-tooltip-autocomplete li') !== null`,
    );
  },
  'lesson-pendulum': lesson('pendulum'),
  'lesson-gears': lesson('gears'),
  'lesson-geneva': lesson('geneva'),
  'lesson-escapement': lesson('escapement'),
  'lesson-tippe-top': lesson('tippe-top'),
  asking: async (page) => {
    await until(page, `${STUDIO}.history.document.value.source.kind === 'code'`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('This holds a program. Run it?').waitFor();
  },
  copies: async (page) => {
    await newScene(page);
    await place(page, 'pendulum');
    await page.getByRole('button', { name: /^Copies/ }).click();
    await page.getByRole('combobox', { name: 'Arrangement' }).selectOption('circle');
  },
  sketching: async (page) => {
    await page.getByRole('button', { name: /New sketch/ }).click();
    await page.waitForSelector('.sketch-view svg');
    const corners = [
      ['0', '0'],
      ['60', '0'],
      ['30', '90'],
      ['60', '180'],
    ];
    for (const [a, b] of corners) {
      await page.keyboard.type(a);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Control+a');
      await page.keyboard.type(b);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Enter');
    await page.keyboard.press('c');
    for (const text of [['30', '15'], ['8']]) {
      await page.keyboard.type(text[0]);
      if (text.length > 1) {
        await page.keyboard.press('Tab');
        await page.keyboard.press('Control+a');
        await page.keyboard.type(text[1]);
      }
      await page.keyboard.press('Enter');
    }
    await until(page, `Object.keys(${STUDIO}.history.document.value.sketches.part.outlines).length === 2`);
  },
  restored: async (page) => {
    await newScene(page);
    await page.getByRole('textbox', { name: 'Title' }).fill('My machine');
    await place(page, 'gears');
    await until(page, `document.querySelector('.studio-saved').textContent.startsWith('Saved')`);
    await page.reload();
    await page.getByRole('button', { name: 'My machine', exact: true }).first().click();
    await until(page, `window.tippetop.session?.playback.scene.bodies.length > 2`);
  },
  'long-link': async (page) => {
    await newScene(page);
    await place(page, 'box');
    // a sketch that deflate cannot make short
    await page.evaluate(`(() => {
      const corners = Array.from({ length: 4000 }, () => [Math.random(), Math.random(), 0]);
      const apply = (document) => ({ ...document, sketches: { part: { outlines: { outline: { corners, closed: false } } } } });
      ${STUDIO}.do({ name: 'scribble', label: () => 'Scribble', apply }, {});
    })()`);
    await page.getByRole('button', { name: /Copy a link/ }).click();
    await page
      .getByText(/more than browsers take/)
      .first()
      .waitFor();
  },
  slow: async (page) => {
    await newScene(page);
    for (let i = 0; i < 3; i++) await place(page, 'geneva');
    await page.getByRole('tab', { name: 'Play' }).click();
    await until(page, `${STUDIO}.runs.now.value.phase === 'running' && window.tippetop.session.player.time > 0.2`);
  },
};
const LINKS = {
  asking: () =>
    linkText(
      codeDocument('From a link', "import { model } from 'tippetop';\nexport default () => model({ bodies: {} });\n"),
    ),
};

async function take(context, name, act, hash = '') {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const page = await context.newPage();
    try {
      await page.setViewportSize(viewport);
      await page.goto(server.url + hash);
      if (!hash) await page.locator('[data-example]').first().waitFor();
      await act(page);
      await wait(1500);
      await shoot(page, `${name}-${size}`);
      if (size === 'desktop' && DARK.includes(name)) {
        await page.emulateMedia({ colorScheme: 'dark' });
        await until(page, `document.querySelector('.studio').dataset.theme === 'dark'`);
        await wait(2500); // software draws
        await shoot(page, `${name}-dark`);
      }
      console.log(name, size);
    } catch (error) {
      console.error(`${name}, ${size}: ${error.message}`);
      process.exitCode = 1;
    } finally {
      await page.close();
    }
  }
}

async function shoot(page, name) {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await devtools.detach();
  writeFileSync(`${FOLDER}${name}.webp`, Buffer.from(data, 'base64'));
}

/** Where there is room for one panel at a time, the one that is needed is opened. */
async function needs(page, locator, side) {
  if (!(await locator.isVisible())) await page.getByRole('button', { name: `Panel at the ${side}` }).click();
}

const { browser, context } = await browserWith(FLAGS);
for (const [name, act] of Object.entries(STATES))
  if (wanted.length === 0 || wanted.includes(name)) await take(context, name, act, await LINKS[name]?.());
await browser.close();
if (wanted.length === 0 || wanted.includes('no-webgl')) {
  const bare = await browserWith([
    '--no-sandbox',
    '--disable-gpu',
    '--disable-software-rasterizer',
    '--disable-3d-apis',
  ]);
  await take(bare.context, 'no-webgl', async (page) => {
    await page.getByRole('button', { name: /New scene/ }).click();
    await page.getByText('This browser draws no 3D').waitFor();
  });
  await bare.browser.close();
}
await server.close();
