/**
 * What a user gets: the packed tarball, installed into an empty folder, used from plain Node and from a page that vite bundled, in real
 * Chromium. Both run the same checks and must agree to the last bit.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resultOfPage, serveFolder, startChromium } from './chromium.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-user-'));
const run = (command: string, args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs in Node and in the browser. */
const CHECKS = `
import * as tippetop from 'tippetop';
import { loadKernels, twin } from 'tippetop/kernels';
import { elementaryHash, hashNumbers } from 'tippetop/math';

export async function checks() {
  const { box, cylinder, extrude, genevaWheel, meshMassProperties, readCad, sphere, subtract, translate, writeCad } = tippetop;
  const wheel = genevaWheel({ slots: 6, radius: 0.02 });
  const ball = sphere(0.05);
  const bored = subtract(box([0.1, 0.1, 0.1]), translate([0.01, 0, 0], cylinder({ radius: 0.02, height: 0.3 })));
  const meshes = [wheel.mesh, ball.mesh, bored.mesh, extrude([[0, 0], [1, 0], [1, 1], [0.5, 0.2]], 0.5).mesh];
  const properties = meshes.map((mesh) => meshMassProperties(mesh, 7850));

  // The kernel as WASM and as TypeScript, on the wheel
  const kernels = await loadKernels();
  const { arena } = kernels;
  const vertices = arena.floats(wheel.mesh.vertices.length);
  const triangles = arena.ints(wheel.mesh.triangles.length);
  const fromWasm = arena.floats(22);
  const fromTwin = new Float64Array(22);
  vertices.view.set(wheel.mesh.vertices);
  triangles.view.set(wheel.mesh.triangles);
  kernels.meshMoments(vertices.view, triangles.view, 0, 0, 0, fromWasm.view);
  twin.meshMoments(wheel.mesh.vertices, Int32Array.from(wheel.mesh.triangles), 0, 0, 0, fromTwin);

  // Files written and read back
  const files = {};
  for (const format of ['stl', 'obj', 'ply', '3mf', 'glb']) {
    const bytes = await writeCad(format, [{ name: 'bored', mesh: bored.mesh }], []);
    const document = await readCad(bytes, { fileName: 'bored.' + format });
    files[format] = hashNumbers(document.parts[0].mesh.vertices) + ' ' + document.parts[0].mesh.triangles.length;
  }
  let refusal = '';
  try { await readCad(new TextEncoder().encode('solid x\\n facet normal 0 0 1\\n  outer loop\\n   vertex 0 0 nan\\n'), { fileName: 'broken.stl' }); }
  catch (error) { refusal = error.message; }
  return {
    elementary: elementaryHash(),
    meshes: meshes.map((mesh) => hashNumbers(mesh.vertices) + ' ' + hashNumbers(mesh.triangles)),
    properties: properties.map(({ volume, centroid, inertia }) => hashNumbers([volume, ...centroid, ...inertia])),
    volume: properties[2].volume,
    kernels: kernels.kind,
    wasm: hashNumbers(fromWasm.view),
    twin: hashNumbers(fromTwin),
    files,
    refusal,
  };
}
`;

interface Checked {
  readonly elementary: string;
  readonly volume: number;
  readonly kernels: string;
  readonly wasm: string;
  readonly twin: string;
  readonly refusal: string;
}

let browser: Browser;
let inNode: Checked;
let warnings: string[];

beforeAll(async () => {
  // Pack what `npm test` has built, and install it where nothing else is
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  ) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  // what npm complains of, such as scripts that a user would have to approve
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', `./${filename}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  warnings = stderr.split('\n').filter((line) => /tippetop|install-scripts|deprecated|EBADENGINE/.test(line));
  writeFileSync(join(folder, 'checks.js'), CHECKS);
  writeFileSync(
    join(folder, 'node.js'),
    "import { checks } from './checks.js'; console.log(JSON.stringify(await checks()));",
  );
  inNode = JSON.parse(run(process.execPath, ['node.js'])) as Checked;
  browser = await startChromium();
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the packed package', () => {
  test('is installed without a warning', () => {
    expect(warnings).toEqual([]);
  });
  // In the order they stand, each as typed into a shell; what serves a page until Ctrl-C, and the long `verify`, have tests of their own.
  test('every line of the README’s minute works in an empty folder', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const minute = /## In a minute\n```\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const lines = minute.split('\n').filter((line) => line.startsWith('npx tippetop '));
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines)
      if (!/--view|tippetop (?:view|verify)/.test(line)) expect(() => run('sh', ['-c', line]), line).not.toThrow();
    for (const left of ['out/fine/report.html', 'pendulum.png', 'wheel.png', 'wheel.3mf'])
      expect(existsSync(join(folder, left)), left).toBe(true);
  }, 400_000);

  test('works in plain Node', () => {
    expect(inNode.kernels).toBe('wasm');
    expect(inNode.wasm).toBe(inNode.twin);
    expect(inNode.refusal).toContain('broken.stl');
    // A cube of 0.1 m less a 64-gon bore: within 0.2 % of the round one
    expect(inNode.volume).toBeCloseTo(1e-3 - Math.PI * 4e-4 * 0.1, 6);
  });

  test('brings no development tools along', () => {
    const installed = readdirSync(join(folder, 'node_modules'));
    for (const heavy of [
      'sharp',
      'esbuild-wasm',
      'manifold-3d',
      'assemblyscript',
      'vite',
      'typescript',
      'occt-import-js',
      'three',
    ])
      expect(installed).not.toContain(heavy);
    expect(installed.length).toBeLessThan(30);
  });

  test('holds no source maps to missing files, no tests, and its types', () => {
    const files = readdirSync(join(folder, 'node_modules/tippetop'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /\.test\./.test(file))).toEqual([]);
    expect(files).toContain('dist/index.d.ts');
    expect(files).toContain('NOTICE');
  });

  test('what its README links to came along', () => {
    const home = join(folder, 'node_modules/tippetop');
    const readme = readFileSync(join(home, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path);
    expect(links.length).toBeGreaterThan(60);
    expect(links.filter((path) => !existsSync(join(home, path)))).toEqual([]);
  });

  test('its command line runs from node_modules/.bin', () => {
    const bin = join(folder, 'node_modules/.bin/tippetop');
    expect(run(bin, ['--version']).trim()).toBe(
      (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
    );
    // A model of the user's own, in TypeScript, without a compiler installed
    writeFileSync(
      join(folder, 'plate.model.ts'),
      "import { box, type Solid } from 'tippetop';\nexport default ({ width = 0.1 /* m */ }: { width?: number } = {}): Record<string, Solid> => ({ plate: box([width, 0.1, 0.01]) });\n",
    );
    const { solids } = JSON.parse(run(bin, ['build', 'plate.model.ts', '--width', '0.2', '--json'])) as {
      solids: { volume: number }[];
    };
    expect(solids[0].volume).toBeCloseTo(2e-4, 15);
  });

  test('gives the same bits in Chromium, bundled by vite', async () => {
    mkdirSync(join(folder, 'page'));
    writeFileSync(
      join(folder, 'page/index.html'),
      '<!doctype html><meta charset="utf-8"><title>checks</title><script type="module" src="./main.js"></script>',
    );
    writeFileSync(
      join(folder, 'page/main.js'),
      "import { checks } from '../checks.js';\nchecks().then((result) => { window.result = result; }, (error) => { window.failure = String(error && error.stack || error); });",
    );
    await build({
      root: join(folder, 'page'),
      base: './',
      logLevel: 'error',
      build: { outDir: join(folder, 'site'), emptyOutDir: true, target: 'es2022' },
    });
    const site = await serveFolder(join(folder, 'site'));
    try {
      const inBrowser = await resultOfPage<Checked>(browser, site.url);
      expect(inBrowser).toEqual(inNode);
    } finally {
      site.close();
    }
  });
});
