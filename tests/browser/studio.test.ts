/** The studio in a real Chromium, by mouse: a dropped part lands, a grabbed one is thrown and thrown again to the bit, a slider changes a model, what was made survives, and documents of strangers do nothing. */

import { copyFileSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { box } from '../../src/geometry/primitives.js';
import { modelFromJson } from '../../src/model/json.js';
import type { Model } from '../../src/model/model.js';
import { simulate } from '../../src/simulation/simulation.js';
import { codeDocument, emptyDocument, type JsonModel, type PlayInputs } from '../../src/studio/document/document.js';
import { linkText } from '../../src/studio/document/link.js';
import { modelOfPlay } from '../../src/studio/play/kept-play.js';
import { FileShelf, readCadParts } from '../../src/studio/run/cad-parts.js';
import { COARSE, DOCUMENT, PAGE, STUDIO, serveStudio, untilTrue } from './studio-page.js';

const LIMIT = 180_000;
const studio = serveStudio();
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  context = await studio.browser.newContext({ ...COARSE, acceptDownloads: true });
  page = await open();
}, LIMIT);

async function open(hash = ''): Promise<Page> {
  const opened = await studio.newPage(undefined, context);
  // a browser without a way to files: saving is a download (studio-files.test.ts has the other)
  await opened.addInitScript(() =>
    Object.assign(window, { showSaveFilePicker: undefined, showOpenFilePicker: undefined }),
  );
  await opened.goto(studio.server.url + hash);
  return opened;
}

/** Until an expression of the page is true; the page's policy forbids playwright's own way, which evaluates text in it. */
const until = (of: Page, expression: string): Promise<void> => untilTrue(of, expression, LIMIT);
const ended = (of: Page): Promise<void> => until(of, `${STUDIO}.runs.now.value.phase === 'ended'`);

/** 40 × 30 × 20, in mm as such files have it, far from the middle of its own frame */
const BRICK = (() => {
  const { vertices, triangles } = box([40, 30, 20]).mesh;
  const corner = (v: number): string =>
    `vertex ${vertices[3 * v] + 100} ${vertices[3 * v + 1]} ${vertices[3 * v + 2] + 500}`;
  const facets = Array.from({ length: triangles.length / 3 }, (_, t) => {
    const corners = [0, 1, 2].map((k) => corner(triangles[3 * t + k]));
    return `facet normal 0 0 0\nouter loop\n${corners.join('\n')}\nendloop\nendfacet`;
  });
  return new TextEncoder().encode(`solid brick\n${facets.join('\n')}\nendsolid brick\n`);
})();

/** Where a body is on the screen */
const onScreen = (body: string): Promise<{ readonly x: number; readonly y: number }> =>
  page.evaluate(
    `(() => {
      const { stage, session } = window.tippetop;
      const i = session.playback.scene.bodies.findIndex(({ name }) => name === ${JSON.stringify(body)});
      const { left, top } = document.querySelector('canvas').getBoundingClientRect();
      const { shapes, bodies } = session.playback.scene;
      const { vertices } = shapes[bodies[i].parts[0].shape];
      // the middle of its corners; it has hardly turned
      const middle = [0, 1, 2].map((k) => {
        let sum = 0;
        for (let v = k; v < vertices.length; v += 3) sum += vertices[v];
        return session.player.frame.poses[7 * i + k] + (3 * sum) / vertices.length;
      });
      const { x, y } = stage.project(middle);
      return { x: left + x, y: top + y };
    })()`,
  );

const drop = (of: Page, name: string, bytes: Uint8Array | string): Promise<void> =>
  of.evaluate(
    ({ name: file, data }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(data)], file));
      for (const kind of ['dragenter', 'dragover', 'drop'])
        document
          .querySelector('.studio')!
          .dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    { name, data: [...(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes)] },
  );

describe('making and playing', () => {
  test(
    'an STL file that is dropped lands on the floor',
    async () => {
      await page.getByRole('button', { name: /New scene/ }).click();
      await drop(page, 'brick.stl', BRICK);
      await page.getByRole('button', { name: 'Put it into the scene' }).click();
      await until(page, `${DOCUMENT}.source.model.bodies.brick?.position !== undefined`);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await ended(page);
      const z = (await page.evaluate(
        `(async () => { const { playback } = ${STUDIO}.runs; const z = await playback.signal('brick.position.z'); return [z.at(0), z.at(-1)]; })()`,
      )) as [number, number];
      // it hung a tenth of its 40 mm above the floor; its lowest corner is 490 mm above the origin of its frame
      expect(z[0]).toBeCloseTo(-0.49 + 0.004, 6);
      expect(Math.abs(z[1] + 0.49)).toBeLessThan(1e-4);
    },
    LIMIT,
  );

  test(
    'grabbed and thrown by mouse, kept, and run again: same bits, in Node too',
    async () => {
      await page.getByRole('tab', { name: 'Play' }).click();
      await until(page, `${STUDIO}.runs.now.value.phase === 'running' && window.tippetop.session.player.time > 0.1`);
      const { x, y } = await onScreen('brick');
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let i = 1; i <= 6; i++) await page.mouse.move(x + 12 * i, y - 10 * i);
      await until(page, `${STUDIO}.runs.now.value.pull?.force > 0`);
      await page.mouse.up();
      await page.keyboard.press('u'); // gravity off
      const time = (await page.evaluate('window.tippetop.session.player.time')) as number;
      await until(page, `window.tippetop.session.player.time > ${time + 0.2}`);
      await page.keyboard.press('Enter');
      await until(page, `${DOCUMENT}.plays['play 1'] !== undefined`);
      const play = (await page.evaluate(`${DOCUMENT}.plays['play 1']`)) as PlayInputs;
      const actions = play.notes.map(({ action }) => action);
      expect(actions).toEqual(expect.arrayContaining(['grab', 'move', 'release', 'gravity']));
      await page.getByRole('button', { name: 'Run it again' }).click();
      await until(page, `${STUDIO}.runs.playback.state === 'finished'`);
      expect(await page.evaluate(`${STUDIO}.runs.playback.hash`)).toBe(play.hash);
      const model = (await page.evaluate(`${DOCUMENT}.source.model`)) as JsonModel;
      const files = { 'brick.stl': { hash: 'brick', bytes: BRICK } };
      const shelf = new FileShelf();
      shelf.keep(files);
      const again = await modelFromJson(modelOfPlay(model, 'Untitled', play), {
        readPart: (file, unit) => readCadParts(file, unit, files, shelf),
      });
      expect(simulate(again).hash).toBe(play.hash);
    },
    LIMIT,
  );

  test(
    'back in time: what was done until then is done again, and time goes on from there',
    async () => {
      await page.keyboard.press('r');
      await until(page, `${STUDIO}.runs.now.value.phase === 'running' && window.tippetop.session.player.time > 0.3`);
      await page.keyboard.press('Space');
      const before = (await page.evaluate('window.tippetop.session.player.time')) as number;
      // A busy machine may not look between going back and having gone on, so the page itself does, frame by frame
      await page.evaluate(
        '(() => { window.least = Infinity; const look = () => { window.least = Math.min(window.least, window.tippetop.session?.player.time ?? Infinity); requestAnimationFrame(look); }; look(); })()',
      );
      await page.keyboard.press('ArrowLeft');
      await until(page, `${STUDIO}.runs.now.value.phase === 'running' && window.least < ${before}`);
      await until(page, `window.tippetop.session.player.time > 0.1`);
    },
    LIMIT,
  );

  test(
    'a lesson goes on when its step is done',
    async () => {
      await page.getByRole('button', { name: 'Gallery' }).click();
      await page.locator('[data-lesson=pendulum]').click();
      await until(page, `${STUDIO}.lesson?.step === 0`);
      await page.locator('[data-place=pendulum]').click();
      await until(page, `${STUDIO}.lesson.step === 1`);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await until(page, `${STUDIO}.lesson.step === 2`);
      await page.getByRole('button', { name: 'End the lesson' }).click();
    },
    LIMIT,
  );

  test(
    'Geneva: its slots are a slider',
    async () => {
      await page.getByRole('button', { name: 'Gallery' }).click();
      const opened = Date.now();
      await page.locator('[data-example=geneva-mechanism]').click();
      await until(page, `window.tippetop.session?.player.time > 0`);
      expect(Date.now() - opened).toBeLessThan(10_000); // something moves
      const corners = (): Promise<number> =>
        page.evaluate(
          `Math.max(...window.tippetop.session.playback.scene.shapes.map(({ vertices }) => vertices.length))`,
        );
      const before = await corners();
      const slider = page.getByRole('slider', { name: /slots/ });
      await slider.focus();
      await page.keyboard.press('ArrowRight');
      await until(page, `Object.keys(${DOCUMENT}.source.parameters).length === 1`);
      await expect.poll(corners, { timeout: LIMIT }).not.toBe(before);
    },
    LIMIT,
  );
});

describe('same bits as Node', () => {
  const names = [
    ...['pendulum', 'double-pendulum', 'gyroscope', 'quarter-car', 'spring-mass-chain'],
    ...['slider-crank', 'n-four-bar', 'flyball-governor', 'robot-arm', 'box-on-plane'],
  ];
  test(
    'ten examples, run from the studio',
    async () => {
      const [theirs, ours]: Record<string, string>[] = [{}, {}];
      for (const name of names) {
        await page.evaluate(`${STUDIO}.openExample(${JSON.stringify(name)})`);
        await until(page, `${STUDIO}.runs.now.value.phase === 'ended' && ${STUDIO}.runs.playback.hash !== ''`);
        theirs[name] = (await page.evaluate(`${STUDIO}.runs.playback.hash`)) as string;
        const { default: construct } = (await import(`../../examples/${name}/${name}.model.ts`)) as {
          default: () => Model | Promise<Model>;
        };
        ours[name] = simulate(await construct()).hash;
      }
      expect(theirs).toEqual(ours);
      expect(new Set(Object.values(theirs)).size).toBe(10);
    },
    LIMIT,
  );

  test(
    'edit in the scene: what a program builds becomes data, with the same hash where nothing is lost, and what is lost is named',
    async () => {
      const hash = async (): Promise<string> => {
        await until(page, `${STUDIO}.runs.now.value.phase === 'ended' && ${STUDIO}.runs.playback.hash !== ''`);
        return (await page.evaluate(`${STUDIO}.runs.playback.hash`)) as string;
      };
      const dialog = page.getByRole('dialog', { name: 'Edit in the scene' });
      for (const name of ['slider-crank', 'box-on-plane']) {
        await page.evaluate(`${STUDIO}.openExample(${JSON.stringify(name)})`);
        const program = await hash();
        await page.getByRole('tab', { name: 'Build' }).click();
        await page.getByRole('button', { name: 'Edit in the scene' }).click();
        await dialog.getByText(/Nothing is lost/).waitFor();
        await dialog.getByRole('button', { name: 'Make it a scene' }).click();
        await until(page, `${DOCUMENT}.source.kind === 'scene'`);
        await page.getByRole('button', { name: 'Run', exact: true }).click();
        expect(await hash(), name).toBe(program);
      }
      await page.keyboard.press('Control+z');
      await until(page, `${DOCUMENT}.source.kind === 'code'`);
      await page.evaluate(`${STUDIO}.openExample('robot-arm')`);
      await hash();
      await page.evaluate(`void ${STUDIO}.editInScene()`);
      await dialog
        .getByText(/joints\.yaw\.motor\.target\w* is a function of time; a table of/)
        .first()
        .waitFor();
      await dialog.getByRole('button', { name: 'Stay with the program' }).click();
      expect(await page.evaluate(`${DOCUMENT}.source.kind`)).toBe('code');
    },
    LIMIT,
  );

  test(
    'a run holds the page for less than 50 ms at a time, drawing excluded, with plots and contacts open',
    async () => {
      await page.evaluate(`${STUDIO}.openExample('geneva-mechanism')`);
      await until(page, `${STUDIO}.runs.playback?.times.length > 5`);
      await page.evaluate(
        `(() => { ${STUDIO}.rooms.openRight('contacts'); ${STUDIO}.rooms.togglePlots(); window.tippetop.stage.render = () => false; })()`,
      );
      const tasks = await tasksWhile(async () => {
        // other solids: a scene that has to be built anew
        await page.evaluate(
          `(() => { const slider = document.querySelector('.studio-parameters input[type=range]'); slider.value = String(Number(slider.value) + 0.1 * (slider.max - slider.min)); slider.dispatchEvent(new Event('input', { bubbles: true })); })()`,
        );
        await until(page, `${STUDIO}.runs.kept.value.length === 1 && ${STUDIO}.runs.playback.times.length > 200`);
      });
      await page.evaluate(`(() => { delete window.tippetop.stage.render; ${STUDIO}.rooms.togglePlots(); })()`);
      expect(tasks.length).toBeGreaterThan(20); // the trace saw the page; how many there are depends on the frames it has time for
      expect(Math.max(...tasks)).toBeLessThan(50); // ms
    },
    LIMIT,
  );
});

/** Tasks of the page's main thread, ms of the processor: what others on this machine do does not count. */
async function tasksWhile(act: () => Promise<void>): Promise<number[]> {
  interface TraceEvent {
    readonly name: string;
    readonly pid: number;
    readonly tid: number;
    /** µs */
    readonly tdur?: number;
    readonly args: { readonly name?: string };
  }
  const devtools = await context.newCDPSession(page);
  const events: TraceEvent[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await devtools.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] } });
  await act();
  const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.end');
  await complete;
  await devtools.detach();
  const place = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(place),
  );
  return events
    .filter((event) => event.name.endsWith('RunTask') && main.has(place(event)))
    .map(({ tdur = 0 }) => tdur / 1000);
}

describe('keeping', () => {
  test(
    'a page that crashes loses nothing',
    async () => {
      const crashing = await open();
      await crashing.getByRole('button', { name: /New scene/ }).click();
      await crashing.getByRole('textbox', { name: 'Title' }).fill('Survivor');
      await crashing.locator('[data-place=box]').click();
      await expect.poll(() => crashing.locator('.studio-saved').textContent(), { timeout: LIMIT }).toMatch(/^Saved/);
      const session = await context.newCDPSession(crashing);
      session.send('Page.crash').catch(() => undefined);
      const again = await open();
      await again.getByRole('button', { name: 'Survivor', exact: true }).click();
      await until(again, `${DOCUMENT}.source.model.bodies.box !== undefined`);
      // a second tab with the same document says that it is not the one that keeps it
      const second = await open();
      await second.getByRole('button', { name: 'Survivor', exact: true }).click();
      await expect.poll(() => second.locator('.studio-saved').textContent(), { timeout: LIMIT }).toMatch(/another tab/);
      await Promise.all([second.close(), again.close()]);
    },
    LIMIT,
  );

  test(
    'files and links come back as they went',
    async () => {
      const before = { ...emptyDocument('Round trip'), view: {} };
      const linked = await open(await linkText(before));
      await until(linked, `${DOCUMENT}.title === 'Round trip'`);
      const download = linked.waitForEvent('download');
      await linked.keyboard.press('Control+s');
      const text = readFileSync((await (await download).path())!, 'utf8');
      expect(JSON.parse(text)).toEqual(before);
      await drop(linked, 'again.json', text.replace('Round trip', 'Again'));
      await until(linked, `${DOCUMENT}.title === 'Again'`);
      await linked.close();
    },
    LIMIT,
  );
});

test(
  'one HTML file: opened from disk it plays by itself, and the studio opens the document inside again',
  async () => {
    const sharing = await open(await linkText(emptyDocument('To be shared')));
    await until(sharing, `${DOCUMENT}.title === 'To be shared'`);
    await sharing.locator('[data-place=box]').click();
    await until(sharing, `${DOCUMENT}.source.model.bodies.box !== undefined`);
    await sharing.getByRole('button', { name: 'Run', exact: true }).click();
    await ended(sharing);
    const hash = await sharing.evaluate(`${STUDIO}.runs.playback.hash`);
    const download = sharing.waitForEvent('download');
    await sharing.getByRole('button', { name: /one HTML file/ }).click();
    const file = `${await (await download).path()}.html`;
    copyFileSync(file.slice(0, -5), file);
    const alone = await context.newPage();
    alone.on('pageerror', (error) => studio.complaints.push(String(error)));
    await alone.goto(`file://${file}`);
    await until(alone, `window.tippetop?.player?.duration > 0`);
    expect(await alone.evaluate('window.tippetop.playback.hash')).toBe(hash);
    await alone.close();
    await drop(sharing, 'again.html', readFileSync(file, 'utf8').replace('To be shared', 'Came back'));
    await until(
      sharing,
      `${DOCUMENT}.source.model.bodies.box !== undefined && ${STUDIO}.runs.now.value.phase === 'none'`,
    );
    await sharing.close();
  },
  LIMIT,
);

describe('documents of strangers', () => {
  let stranger: Page;
  const passing = (): Promise<string> => stranger.evaluate(`document.querySelector('.viewer-messages').textContent`);
  test(
    'markup is text, prototypes stay, too much is refused with its path',
    async () => {
      stranger = await open();
      await until(stranger, `${STUDIO} !== undefined`);
      const evil = '<img src=x onerror="window.hurt = true">';
      const scene = { ...emptyDocument(evil), sketches: {} };
      const body = { shape: { sphere: { radius: 0.1 } }, material: 'steel', position: [0, 0, 1] };
      const text = JSON.stringify({
        ...scene,
        source: { kind: 'scene', model: { bodies: { [evil]: body, a: body } } },
      }).replace('{"bodies"', '{"__proto__":{"hurt":true},"constructor":{"prototype":{"hurt":true}},"bodies"');
      await drop(stranger, 'evil.json', text);
      await until(
        stranger,
        `${DOCUMENT}.title.startsWith('<img') || document.querySelector('.viewer-messages').textContent !== ''`,
      );
      for (const [name, content, words] of [
        [
          'many.json',
          JSON.stringify({ bodies: Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`b${i}`, {}])) }),
          /20000 bodies, got 20001/,
        ],
        ['huge.json', '{"bodies":{"a":{"mass":1e308}}}', /bodies\.a\.mass: expected a number up to/],
        ['deep.json', `{"bodies":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`, /nested deeper than 32/],
      ] as const) {
        await drop(stranger, name, content);
        await expect.poll(passing, { timeout: LIMIT }).toMatch(words);
      }
      expect(await stranger.evaluate('window.hurt === undefined && ({}).hurt === undefined')).toBe(true);
    },
    LIMIT,
  );

  test(
    'a program in a link is shown and asked about, and runs apart from everything',
    async () => {
      await stranger?.close();
      const program = `import { body, model, sphere, steel } from 'tippetop';
const tried = await Promise.allSettled([fetch('/gallery.json'), import('data:text/javascript,1'), new Promise((ok) => { indexedDB.open('a').onsuccess = ok; })]);
const done = tried.filter(({ status }) => status === 'fulfilled').length;
export default () => model({ title: done + ' got through', bodies: { a: body({ shape: sphere(0.1), material: steel }) }, simulation: { stop: 0.1 } });
`;
      stranger = await open(await linkText(codeDocument('A program', program)));
      await until(stranger, `${DOCUMENT}.source.kind === 'code'`);
      expect(await stranger.evaluate(`${STUDIO}.runs.now.value.phase`)).toBe('none');
      await stranger.getByRole('button', { name: 'Run', exact: true }).click();
      await stranger.getByText('This holds a program. Run it?').waitFor({ timeout: LIMIT });
      await stranger.getByRole('button', { name: 'Run it', exact: true }).click();
      await until(stranger, `['ended', 'failed'].includes(${STUDIO}.runs.now.value.phase)`);
      expect(await stranger.evaluate(`[${STUDIO}.runs.now.value.why, ${STUDIO}.runs.playback?.title]`)).toEqual([
        undefined,
        '0 got through',
      ]);
      await stranger.close();
    },
    LIMIT,
  );
});

test(
  'the first load: below 1.21 MB compressed without pictures and 2 MB with them; on screen after less than 3 s of the processor',
  async () => {
    const fresh = await studio.browser.newContext({ viewport: { width: 1280, height: 800 } });
    const first = await fresh.newPage();
    const paths: string[] = [];
    first.on('request', (request) => paths.push(new URL(request.url()).pathname.slice(1)));
    const devtools = await fresh.newCDPSession(first);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await first.goto(studio.server.url);
    await first.locator('[data-example]').first().waitFor();
    const { metrics } = await devtools.send('Performance.getMetrics');
    const processor = metrics.find(({ name }) => name === 'TaskDuration')!.value;
    await first.waitForLoadState('networkidle');
    // What a server that compresses sends: pictures and WebAssembly as they are, everything else by gzip
    const size = (path: string): number => {
      const bytes = readFileSync(`${PAGE}/${path || 'index.html'}`);
      return /\.png$/.test(path) ? bytes.length : gzipSync(bytes).length;
    };
    const sum = (wanted: (path: string) => boolean): number =>
      [...new Set(paths)].filter(wanted).reduce((all, path) => all + size(path), 0);
    const pictures = sum((path) => path.endsWith('.png'));
    const programs = sum((path) => !path.endsWith('.png'));
    await fresh.close();
    expect(pictures).toBeGreaterThan(50e3); // they are there
    expect(programs).toBeGreaterThan(0.5e6);
    expect(programs).toBeLessThan(1.21e6);
    expect(programs + pictures).toBeLessThan(2e6);
    expect(processor).toBeLessThan(3); // s of the page's main thread until the gallery is there
  },
  LIMIT,
);

test('the page complains of nothing but what strangers tried', () => {
  expect(studio.complaints.filter((text) => !/Content Security Policy|Failed to load resource/.test(text))).toEqual([]);
});
