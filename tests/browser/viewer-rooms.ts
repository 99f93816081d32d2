/** A page with the real stage, player, inspector and plots over a small recording, without the rest of the viewer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { type Model, type Recording, simulate, writeHdf5 } from '../../src/index.js';
import { MemoryFile } from '../../src/results/index.js';
import { serveFolder, startChromium } from './chromium.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const MAIN = `
import '${root}src/viewer/page/styles.css';
import { blobFile } from '${root}src/results/readable-file.ts';
import { openRecordingPlayback } from '${root}src/viewer/playback/recording-playback.ts';
import { BodyLooks } from '${root}src/viewer/stage/body-looks.ts';
import { Player } from '${root}src/viewer/playback/player.ts';
import { Stage } from '${root}src/viewer/stage/stage.ts';
import { createInspector } from '${root}src/viewer/inspector/inspector.ts';
import { createPlots } from '${root}src/viewer/plots/plots.ts';

const place = (name) => document.querySelector('.viewer-' + name);
async function begin() {
  const playback = await openRecordingPlayback(blobFile(await (await fetch('recording.h5')).blob()), 'recording.h5');
  const player = new Player(playback);
  // without the view, plots alone
  if (location.search === '?plots') {
    document.querySelector('.viewer-middle').remove();
    document.querySelector('.viewer-plots').style.height = '100%';
    const plots = createPlots({ player, panel: place('plots') });
    await player.settled();
    window.tippetop = { playback, player, plots };
    return;
  }
  const stage = new Stage(document.querySelector('canvas'), playback.scene, { dark: matchMedia('(prefers-color-scheme: dark)').matches });
  stage.setDecor({ shadows: false });
  const view = place('view');
  const resize = () => stage.resize(view.clientWidth, view.clientHeight, devicePixelRatio);
  new ResizeObserver(resize).observe(view);
  player.on('frame', (frame) => stage.show(frame));
  const inspector = createInspector({ player, stage, looks: new BodyLooks(playback.scene.bodies.length, stage), panel: place('room'), strip: place('strip') });
  const plots = createPlots({ player, panel: place('plots') });
  await player.settled();
  stage.show(player.frame);
  resize();
  stage.fit(undefined, false);
  let last = performance.now();
  const draw = (now) => {
    player.tick((now - last) / 1000);
    last = now;
    stage.render();
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
  window.tippetop = { playback, player, stage, inspector, plots };
}
begin().catch((error) => { window.failure = String(error?.stack ?? error); });
`;

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>rooms</title>
    <script type="module" src="./main.js"></script>
  </head>
  <body data-viewer>
    <div class="viewer">
      <div class="viewer-middle">
        <main class="viewer-view"><canvas class="viewer-canvas"></canvas></main>
        <aside class="viewer-panel right"><div class="viewer-room"></div></aside>
      </div>
      <section class="viewer-plots"></section>
      <section class="viewer-strip"></section>
    </div>
  </body>
</html>`;

export interface Rooms {
  readonly recording: Recording;
  /** What the page has complained about so far */
  readonly complaints: readonly string[];
  /** @param query `?plots` for the plots alone */
  open(options?: Parameters<Browser['newPage']>[0], query?: string): Promise<Page>;
  close(): Promise<void>;
}

/** Runs a model, and serves a page that shows it. */
export async function openRooms(model: Model, options: Parameters<typeof simulate>[1]): Promise<Rooms> {
  const recording = simulate(model, options);
  const folder = mkdtempSync(join(tmpdir(), 'tippetop-rooms-'));
  writeFileSync(join(folder, 'main.js'), MAIN);
  writeFileSync(join(folder, 'index.html'), HTML);
  const [browser] = await Promise.all([
    startChromium(),
    build({
      root: folder,
      base: './',
      configFile: false,
      logLevel: 'error',
      build: { outDir: join(folder, 'site'), emptyOutDir: true, target: 'es2022', minify: false },
    }),
  ]);
  const file = new MemoryFile();
  await writeHdf5(recording, file);
  writeFileSync(join(folder, 'site/recording.h5'), file.bytes());
  const site = await serveFolder(join(folder, 'site'));
  const complaints: string[] = [];
  return {
    recording,
    complaints,
    async open(pageOptions = { viewport: { width: 1100, height: 800 } }, query = '') {
      const page = await browser.newPage(pageOptions);
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
          complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
      await page.goto(site.url + query);
      await page.waitForFunction('window.tippetop !== undefined || window.failure !== undefined');
      const failure = await page.evaluate('window.failure');
      if (failure !== undefined) throw new Error(String(failure));
      return page;
    },
    async close() {
      await browser.close();
      site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
