/** What a page gets that imports `simulate`: built with Vite as it comes, without a warning, and no larger than said in docs/guide/programs.md. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, createLogger, type Rolldown } from 'vite';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The first chunk of a page: kB compressed, and the files of src/ that are in it */
async function page(name: string, code: string): Promise<{ gzip: number; brotli: number; files: string[] }> {
  const input = join(folder, `${name}.js`);
  writeFileSync(input, code);
  const warnings: string[] = [];
  const logger = createLogger('silent');
  logger.warn = (message) => warnings.push(message);
  logger.warnOnce = logger.warn;
  const src = fileURLToPath(new URL('../src/', import.meta.url));
  const built = (await build({
    root: folder,
    configFile: false,
    customLogger: logger,
    resolve: {
      alias: [
        { find: /^tippetop$/, replacement: `${src}index.ts` },
        { find: /^tippetop\/([\w-]+)$/, replacement: `${src}$1/index.ts` },
      ],
    },
    // Size is tested below, and an application of one's own may choose its own limit
    build: { write: false, chunkSizeWarningLimit: 2000, rolldownOptions: { input } },
  })) as Rolldown.RolldownOutput;
  expect(warnings).toEqual([]);
  const first = built.output.filter((file) => file.type === 'chunk').filter(({ isEntry }) => isEntry);
  expect(first.length).toBe(1);
  const [{ code: text, modules }] = first;
  const files = Object.keys(modules).filter((id) => (modules[id].renderedLength ?? 0) > 0);
  return {
    gzip: gzipSync(text, { level: 9 }).length / 1000,
    brotli: brotliCompressSync(text).length / 1000,
    files: files.map((id) => id.replace(src, '')),
  };
}

const ball = 'model({ bodies: { ball: body({ shape: sphere(0.1), density: 1000 }) } })';
const matching = (files: readonly string[], pattern: RegExp): string[] => files.filter((file) => pattern.test(file));

test('a page with simulate alone needs no CAD, no CSG, nothing of Node', async () => {
  const { gzip, brotli, files } = await page(
    'whole',
    `import { body, model, simulate, sphere } from 'tippetop';\nglobalThis.run = () => simulate(${ball});\n`,
  );
  expect(matching(files, /geometry\/(files|csg|vendor)\/|^(viewer|studio|node|cli|studies)\//)).toEqual([]);
  // What all stages come to today, so that growth is seen; a page that needs less takes simulationWith
  expect(gzip).toBeLessThan(648);
  expect(brotli).toBeLessThan(530);
}, 60_000);

test('a page with rigid bodies alone needs a little more than half of it', async () => {
  const { gzip, brotli, files } = await page(
    'rigid',
    "import { body, model, sphere } from 'tippetop';\nimport { simulationWith } from 'tippetop/simulation';\n" +
      `globalThis.run = () => simulationWith().simulate(${ball});\n`,
  );
  expect(matching(files, /^(grains|time-stepping|contact\/soil|flexible-bodies\/(mesh|contact|topology))\//)).toEqual(
    [],
  );
  expect(matching(files, /^narrow-phase\/(extrusion-overlap|cylinder-|idealized\/idealized-route)/)).toEqual([]);
  expect(gzip).toBeLessThan(308.5); // 200 is wished for; the page says what it is made of
  expect(brotli).toBeLessThan(257);
}, 60_000);

test('a part that is handed in does not bring the others along', async () => {
  const { files } = await page(
    'surfaces',
    "import { body, model, sphere } from 'tippetop';\nimport { simulationWith, surfaces } from 'tippetop/simulation';\n" +
      `globalThis.run = () => simulationWith(surfaces).simulate(${ball});\n`,
  );
  expect(matching(files, /^narrow-phase\/idealized\/idealized-route/)).not.toEqual([]);
  expect(matching(files, /^(grains|time-stepping|contact\/soil|flexible-bodies\/(mesh|contact|topology))\//)).toEqual(
    [],
  );
}, 60_000);
