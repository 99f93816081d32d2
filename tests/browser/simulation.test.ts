/** The same run gives the same bits: twice in Node, and in Chromium, whose engine has another compiler and other Math functions. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import andrews from '../../examples/andrews-squeezer/andrews-squeezer.model.js';
import cantilever from '../../examples/cantilever/cantilever.model.js';
import flexibleGripper from '../../examples/flexible-gripper/flexible-gripper.model.js';
import gyroscope from '../../examples/gyroscope/gyroscope.model.js';
import hertzChain from '../../examples/hertz-chain/hertz-chain.model.js';
import pendulum from '../../examples/pendulum/pendulum.model.js';
import robotArm from '../../examples/robot-arm/robot-arm.model.js';
import singleWheel from '../../examples/single-wheel/single-wheel.model.js';
import snapFit from '../../examples/snap-fit/snap-fit.model.js';
import spinUpBeam from '../../examples/spin-up-beam/spin-up-beam.model.js';
import wallAndBall from '../../examples/wall-and-ball/wall-and-ball.model.js';
import { type Model, simulate } from '../../src/index.js';
import { assetFingerprints } from '../fixtures/asset-bytes.js';
import bending from '../fixtures/models/bending.model.js';
import stones from '../fixtures/models/stones.model.js';
import touching from '../fixtures/models/touching.model.js';
import { resultOfPage, serveFolder, startChromium } from './chromium.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-page-'));

/** A tree, loops, a free rotation with quaternions, motors and events, contacts of all kinds; explicit and stiff integrators. */
const RUNS: Readonly<Record<string, readonly [model: () => Model, options: Parameters<typeof simulate>[1]]>> = {
  pendulum: [pendulum, {}],
  'andrews-squeezer': [andrews, {}],
  gyroscope: [gyroscope, { stopTime: 1 }],
  'robot-arm': [robotArm, { stopTime: 2, integrator: 'rodas4' }],
  touching: [touching, { stopTime: 0.1, interval: 0.01 }],
  // A wheel with grousers let down on soft soil, which flows: the rut is in the recording
  'single-wheel': [singleWheel, { stopTime: 0.6, interval: 0.1 }],
  // Time stepping: boxes, a ball, Newton's kernels; the ball arrives after 0.1 s
  'wall-and-ball': [wallAndBall, { stopTime: 0.2, interval: 0.02 }],
  // Spheres by the kernels of grains; stones and a pan on a spring by those of polyhedra
  'hertz-chain': [hertzChain, { stopTime: 2e-4 }],
  stones: [stones, {}],
  // Meshes, modes, a solid and a planar part that deform and are struck
  bending: [bending, { stopTime: 1e-4, interval: 1e-5 }],
  // Start in equilibrium and a gauge; pieces in a row with the membrane term; friction of a part that bends; fingers that close, by time stepping
  cantilever: [cantilever, { stopTime: 1e-3, interval: 1e-4 }],
  'spin-up-beam': [spinUpBeam, { stopTime: 1, interval: 0.1 }],
  'snap-fit': [snapFit, { stopTime: 0.032, interval: 1e-3 }],
  'flexible-gripper': [flexibleGripper, { stopTime: 0.32, interval: 0.01 }],
};
/** Those that a team of threads computes */
const GRAINS = ['hertz-chain', 'stones'];
const fileOf = (name: string): string =>
  ['touching', 'stones', 'bending'].includes(name)
    ? `tests/fixtures/models/${name}.model.ts`
    : `examples/${name}/${name}.model.ts`;

interface Fingerprint {
  readonly hash: string;
  readonly rows: number;
  readonly events: number;
}
const fingerprint = ([construct, options]: (typeof RUNS)[string]): Fingerprint => {
  const { hash, rows, events } = simulate(construct(), options);
  return { hash, rows, events: events.length };
};

let browser: Browser;
beforeAll(async () => {
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('equal recordings from repeated runs, and from Node and Chromium', async () => {
  const inNode = Object.fromEntries(Object.entries(RUNS).map(([name, run]) => [name, fingerprint(run)]));
  for (const [name, run] of Object.entries(RUNS)) expect(fingerprint(run)).toEqual(inNode[name]);
  expect(inNode['robot-arm'].events).toBe(1);
  expect(new Set(Object.values(inNode).map(({ hash }) => hash)).size).toBe(14);
  // everything touched something, and the hash has seen the records of it
  const records = simulate(touching(), RUNS.touching[1]).table('contacts');
  expect(records.labels.length).toBeGreaterThanOrEqual(6);

  // The same models and options, bundled as a user's page would be
  const names = Object.keys(RUNS);
  const source = `
import { simulate } from 'tippetop';
import { assetFingerprints } from ${JSON.stringify(`${root}tests/fixtures/asset-bytes.ts`)};
import { pageWorkers } from 'tippetop/simulation';
${names.map((name, i) => `import model${i} from ${JSON.stringify(root + fileOf(name))};`).join('\n')}
const fingerprint = (construct, options) => {
  const { hash, rows, events } = simulate(construct(), options);
  return { hash, rows, events: events.length };
};
const grains = async () => {
  const results = {};
  for (const [name, construct, options] of [${GRAINS.map((name) => `['${name}', model${names.indexOf(name)}, ${JSON.stringify(RUNS[name][1])}]`).join(', ')}]) {
    const team = await pageWorkers(3);
    results[name] = { hash: simulate(construct(), { ...options, team }).hash, threads: team.threads };
  }
  return results;
};
try {
  if (location.search === '?workers') window.result = await grains();
  else window.result = { assets: assetFingerprints(), ${names.map((name, i) => `${JSON.stringify(name)}: fingerprint(model${i}, ${JSON.stringify(RUNS[name][1])})`).join(', ')} };
} catch (error) {
  window.failure = String(error && error.stack || error);
}
`;
  writeFileSync(join(folder, 'main.js'), source);
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><meta charset="utf-8"><title>runs</title><script type="module" src="./main.js"></script>',
  );
  await build({
    root: folder,
    base: './',
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^tippetop$/, replacement: join(root, 'src/index.ts') },
        { find: /^tippetop\/simulation$/, replacement: join(root, 'src/simulation/index.ts') },
      ],
    },
    build: { outDir: join(folder, 'site'), emptyOutDir: true, target: 'es2022' },
  });
  const site = await serveFolder(join(folder, 'site'));
  try {
    const { assets, ...inPage } = await resultOfPage<Record<string, unknown>>(browser, site.url);
    expect(inPage).toEqual(inNode);
    expect(assets).toEqual(assetFingerprints()); // wheel, rock, ground, field of rocks: ids, bytes of the OBJ files, placed rocks
    // Grains on three threads, and on one where the server does not allow memory to be shared
    for (const isolated of [true, false]) {
      const again = await serveFolder(join(folder, 'site'), { isolated });
      try {
        const onTeam = await resultOfPage<Record<string, object>>(browser, `${again.url}?workers`);
        expect(onTeam).toEqual(
          Object.fromEntries(GRAINS.map((name) => [name, { hash: inNode[name].hash, threads: isolated ? 3 : 1 }])),
        );
      } finally {
        again.close();
      }
    }
  } finally {
    site.close();
  }
});
