// What the studio costs inside Chromium, for the table in docs/guide/studio.md: `node scripts/figures/studio-costs.mjs`, after `npm run build`.
// Seconds of the processor are told beside those of the clock: what else the machine does counts in the latter alone. Drawing is software here; it is left out where it is said.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { studioPolicy } from '../../dist/cli/studio.js';
import { startViewServer } from '../../dist/node/view-server.js';
import { emptyDocument } from '../../dist/studio/document/document.js';
import { linkText } from '../../dist/studio/document/link.js';
import { ensureChromium } from '../chromium.mjs';

const PAGE = fileURLToPath(new URL('../../dist/studio/page', import.meta.url));
const FLAGS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const STUDIO = 'window.tippetop.studio';
const PATIENCE = 120_000; // ms

const server = await startViewServer({ page: PAGE, policyOf: studioPolicy(PAGE) });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: FLAGS, headless: true });

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function until(page, expression, every = 20) {
  const end = Date.now() + PATIENCE;
  while (!(await page.evaluate(expression).catch(() => false))) {
    if (Date.now() > end) throw new Error(`never: ${expression}`);
    await wait(every);
  }
}

/** Tasks of every thread of the page while something is done: { main, workers }, ms of the processor each */
async function traced(page, act) {
  const devtools = await page.context().newCDPSession(page);
  const events = [];
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await devtools.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] } });
  const from = Date.now();
  const result = await act();
  const clock = (Date.now() - from) / 1000;
  const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.end');
  await complete;
  await devtools.detach();
  const place = ({ pid, tid }) => `${pid} ${tid}`;
  const threads = (pattern) =>
    new Set(events.filter(({ name, args }) => name === 'thread_name' && pattern.test(args.name)).map(place));
  const tasksOf = (own) =>
    events
      .filter((event) => event.name.endsWith('RunTask') && own.has(place(event)))
      .map(({ tdur = 0 }) => tdur / 1000);
  return {
    result,
    clock,
    main: tasksOf(threads(/CrRendererMain/)),
    workers: tasksOf(threads(/DedicatedWorker/)),
  };
}
const sum = (tasks) => tasks.reduce((all, task) => all + task, 0) / 1000;
const seconds = (x) => `${x.toFixed(2)} s`;

/** From an empty cache to the gallery, and from a press on an example until it moves */
async function opening() {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const files = new Set();
  page.on('request', (request) => files.add(new URL(request.url()).pathname));
  await page.goto('about:blank');
  const opened = await traced(page, async () => {
    await page.goto(server.url);
    await until(page, `document.querySelector('[data-example] img')?.complete === true`);
    return page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`);
  });
  const isText = (path) => !/\.(png|wasm)$/.test(path);
  const bytes = (paths) =>
    paths.reduce((all, path) => {
      const file = readFileSync(`${PAGE}${path === '/' ? '/index.html' : path}`);
      return all + (isText(path) ? gzipSync(file).length : file.length);
    }, 0);
  const own = [...files].filter((path) => !path.endsWith('favicon.ico'));
  const pictures = own.filter((path) => /^\/gallery\/.*\.png$/.test(path));
  const program = own.filter((path) => !pictures.includes(path));
  const moving = await traced(page, async () => {
    await page.locator('[data-example=pendulum]').click();
    await until(page, 'window.tippetop.session?.player.time > 0');
  });
  await page.close();
  console.log(
    `first load: ${(bytes(program) / 1e6).toFixed(2)} MB compressed in ${program.length} files, and pictures of the gallery in view: ${(bytes(pictures) / 1e6).toFixed(2)} MB`,
  );
  console.log(
    `gallery on the screen: ${seconds(opened.clock)} by the clock, ${seconds(sum(opened.main))} of the processor in the page, ${seconds(sum(opened.workers))} in workers; first paint after ${seconds(opened.result / 1000)}`,
  );
  console.log(
    `an example moves after the press: ${seconds(moving.clock)} by the clock, ${seconds(sum(moving.main))} of the processor in the page (software drawing included), ${seconds(sum(moving.workers))} in workers`,
  );
}

/** Longest task of the page while a run goes on, with plots and contacts open */
async function running(name) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(server.url);
  await page.locator('[data-example]').first().waitFor();
  await page.evaluate(`${STUDIO}.openExample(${JSON.stringify(name)})`);
  await until(page, `${STUDIO}.runs.playback?.times.length > 2`);
  await page.evaluate(
    `(() => { ${STUDIO}.rooms.openRight('contacts'); ${STUDIO}.rooms.togglePlots(); window.tippetop.stage.render = () => false; })()`,
  );
  const { main, clock } = await traced(page, async () => {
    await page.evaluate(`${STUDIO}.run()`);
    await wait(300);
    await until(
      page,
      `['ended', 'failed'].includes(${STUDIO}.runs.now.value.phase) || ${STUDIO}.runs.playback.times.length > 400`,
      200,
    );
  });
  await page.close();
  console.log(
    `run of ${name}, drawing excluded: longest task ${Math.max(...main).toFixed(1)} ms of ${main.length}, in ${seconds(clock)}`,
  );
}

/** Fifty blocks that fall onto each other, played */
async function playing() {
  const bodies = { floor: { shape: { halfSpace: {} }, material: 'steel', fixed: true } };
  for (let i = 0; i < 50; i++)
    bodies[`block${i}`] = {
      shape: { box: { size: [0.1, 0.1, 0.1] } },
      material: 'oak',
      position: [0.11 * (i % 5) + 0.003 * (i % 3), 0.11 * (Math.floor(i / 5) % 5), 0.06 + 0.13 * Math.floor(i / 25)],
    };
  const document = { ...emptyDocument('Fifty'), source: { kind: 'scene', model: { bodies, simulation: { stop: 3 } } } };
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(server.url + (await linkText(document)));
  await until(page, 'window.tippetop?.session !== undefined');
  await page.evaluate('window.tippetop.stage.render = () => false');
  await page.keyboard.press('Alt+4');
  await until(page, `${STUDIO}.runs.now.value.phase === 'running' && window.tippetop.session.player.time > 0.05`);
  await page.evaluate('window.tippetop.stage.render = () => false');
  const now = () => page.evaluate('window.tippetop.session.player.time');
  const { result, clock, main, workers } = await traced(page, async () => {
    const from = await now();
    await until(page, `window.tippetop.session.player.time > ${from + 4}`, 100);
    return (await now()) - from;
  });
  await page.close();
  console.log(
    `play of 50 blocks, drawing excluded: ${seconds(result)} of time in ${seconds(clock)} by the clock; per second of time ${seconds(sum(workers) / result)} of the processor in the worker, ${seconds(sum(main) / result)} in the page, longest task of the page ${Math.max(...main).toFixed(1)} ms`,
  );
}

try {
  await opening();
  for (const name of ['geneva-mechanism', 'dominoes', 'pendulum']) await running(name);
  await playing();
} finally {
  await browser.close();
  await server.close();
}
