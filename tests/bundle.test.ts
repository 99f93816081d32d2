/** What a page gets that imports `simulate`: built with Vite as it comes, without a warning, and no larger than said in docs/guide/programs.md. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, createLogger, type Rolldown } from 'vite';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** kB compressed by gzip; what is inside by part: docs/guide/programs.md */
const LIMIT = 560;

test('a page with simulate alone needs no CAD, no CSG, nothing of Node', async () => {
  writeFileSync(
    join(folder, 'page.js'),
    "import { body, model, simulate, sphere } from 'tippetop';\n" +
      'globalThis.run = () => simulate(model({ bodies: { ball: body({ shape: sphere(0.1), density: 1000 }) } }));\n',
  );
  const warnings: string[] = [];
  const logger = createLogger('silent');
  logger.warn = (message) => warnings.push(message);
  logger.warnOnce = logger.warn;
  const built = (await build({
    root: folder,
    configFile: false,
    customLogger: logger,
    resolve: { alias: { tippetop: fileURLToPath(new URL('../src/index.ts', import.meta.url)) } },
    // Size is tested below, and an application of one's own may choose its own limit
    build: { write: false, chunkSizeWarningLimit: 2000, rolldownOptions: { input: join(folder, 'page.js') } },
  })) as Rolldown.RolldownOutput;
  expect(warnings).toEqual([]);
  const chunks = built.output.filter((file) => file.type === 'chunk');
  const first = chunks.filter(({ isEntry }) => isEntry);
  expect(first.length).toBe(1);
  const modules = Object.keys(first[0].modules).filter((id) => (first[0].modules[id].renderedLength ?? 0) > 0);
  expect(
    modules.filter((id) => /geometry\/(files|csg|vendor)\/|\/(viewer|studio|node|cli|studies)\//.test(id)),
  ).toEqual([]);
  const size = gzipSync(first[0].code, { level: 9 }).length / 1000;
  expect(size).toBeLessThan(LIMIT);
}, 60_000);
