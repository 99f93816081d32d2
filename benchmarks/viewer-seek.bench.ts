// Scrubbing in the viewer, in a real Chromium: from asking for a time to having its poses, the recording served as `tippetop view` does. A
// recording of 1 GB must not take more than a few times what one of 10 MB takes. Times of the page alone: software GL draws nothing meanwhile.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { Recording, sphere } from 'tippetop';
import { startViewServer, writeRecordingFile } from 'tippetop/node';
import { benchmark } from './harness.js';
import { packageRoot } from './package-root.js';

const BODIES = 100;
const PARTS = [
  'position.x',
  'position.y',
  'position.z',
  'orientation.w',
  'orientation.x',
  'orientation.y',
  'orientation.z',
];
const RATE = 1000; // rows a second

/** Where body b is along x at row k, m: no two alike, so that a wrong row shows */
const place = (b: number, k: number): number => b + 0.4 * Math.sin(0.01 * k + b);

/** A recording of about so many megabytes, of numbers that do not compress. */
async function record(megabytes: number, path: string): Promise<number> {
  const width = BODIES * PARTS.length;
  const { mesh } = sphere(0.2);
  const recording = new Recording(
    Array.from({ length: BODIES }, (_, b) => PARTS.map((part) => ({ name: `ball[${b}].${part}` }))).flat(),
    {
      title: `${megabytes} MB`,
      scene: {
        title: '',
        up: [0, 0, 1],
        shapes: [{ vertices: mesh.vertices, triangles: mesh.triangles, form: 'sphere', radius: 0.2 }],
        bodies: Array.from({ length: BODIES }, (_, b) => ({
          name: `ball[${b}]`,
          mass: 1,
          centreOfMass: [0, 0, 0],
          fixed: false,
          pose: { position: [b, 0, 0], orientation: [1, 0, 0, 0] },
          parts: [{ shape: 0 }],
          frames: [],
        })),
        joints: [],
        springs: [],
        surfaces: [],
        plots: {},
      },
    },
  );
  const rows = Math.ceil((megabytes * 1e6) / (8 * width));
  const row = new Float64Array(width);
  for (let k = 0; k < rows; k++) {
    for (let b = 0; b < BODIES; b++) {
      const turn = 0.001 * k + b;
      row.set([place(b, k), Math.random(), Math.random(), Math.cos(turn), 0, 0, Math.sin(turn)], 7 * b);
    }
    recording.append(k / RATE, row);
  }
  recording.state = 'finished';
  await writeRecordingFile(path, recording);
  return rows;
}

interface Opened {
  readonly page: Page;
  readonly rows: number;
  readonly megabytes: number;
}

/** Started by the first size: this file is also read to list what there is. */
let started: Promise<{ readonly browser: Browser; readonly folder: string }> | undefined;
async function start(): Promise<{ readonly browser: Browser; readonly folder: string }> {
  const { ensureChromium } = (await import(pathToFileURL(join(packageRoot(), 'scripts/chromium.mjs')).href)) as {
    ensureChromium: () => string;
  };
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'tippetop-seek-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { browser, folder };
}

benchmark('viewer/seek', {
  source: 'a recording of 1 GB scrubs within a second, below 3 times what one of 10 MB takes',
  unit: 'seek',
  sizes: [10, 100, 1000], // MB
  prepare: async (megabytes): Promise<Opened> => {
    started ??= start();
    const { browser, folder } = await started;
    const path = join(folder, `${megabytes}.h5`);
    const rows = await record(megabytes, path);
    const server = await startViewServer({ page: join(packageRoot(), 'dist/viewer/page'), path });
    const page = await browser.newPage({ viewport: { width: 320, height: 240 } });
    await page.goto(server.url);
    // The page forbids eval, which playwright's own way of waiting needs
    while (!(await page.evaluate('window.tippetop?.player !== undefined'))) await page.waitForTimeout(50);
    await page.evaluate('window.tippetop.player.settled()');
    return { page, rows, megabytes: statSync(path).size / 1e6 };
  },
  run: async ({ page, rows }) => {
    const row = Math.floor(Math.random() * rows);
    // The page's own clock: what the test drives it with takes as long for any recording
    const [x, seconds] = (await page.evaluate(
      `(async () => { const { player } = window.tippetop; const start = performance.now(); player.time = ${row / RATE}; await player.settled(); return [player.frame.poses[7 * 42], (performance.now() - start) / 1000]; })()`,
    )) as [number, number];
    return { x, row, seconds };
  },
  work: () => 1,
  error: ({ x, row }) => Math.abs(x - place(42, row)),
  note: ({ seconds }, { megabytes }) =>
    `${megabytes.toFixed(0)} MB on disk, ${(1000 * seconds).toFixed(1)} ms in the page`,
});
