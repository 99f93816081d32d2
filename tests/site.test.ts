/** The documentation: every link leads somewhere, every public name is told, every whole model in a page runs. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSite } from '../scripts/site/build-site.mjs';
import * as tippetop from '../src/index.js';
import { type Model, simulate } from '../src/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tippetop-site-'));
// Models that are written out are loaded from inside the tree, where 'tippetop' is this source (vitest.config.ts).
const snippets = join(root, 'tests/fixtures/.snippets');
let pages: string[];

beforeAll(() => {
  pages = buildSite(folder);
});
afterAll(() => {
  for (const place of [folder, snippets]) rmSync(place, { recursive: true, force: true });
});

describe('the site', () => {
  test('every link and picture is there, with its anchor', () => {
    const html = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
    const broken: string[] = [];
    for (const [page, text] of html)
      for (const [, address] of text.replace(/<pre>[\s\S]*?<\/pre>/g, '').matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^[a-z]+:/i.test(address)) continue;
        const [path, anchor] = address.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(folder, target))) broken.push(`${page}: ${address}`);
        else if (anchor && !html.get(target)?.includes(` id="${anchor}"`))
          broken.push(`${page}: ${address} (no such heading)`);
      }
    expect(broken).toEqual([]);
  });

  test('every public value of the package is in its reference', () => {
    const reference = readFileSync(join(folder, 'reference/tippetop.html'), 'utf8');
    const missing = Object.entries(tippetop)
      .filter(([name, value]) => typeof value !== 'object' && !reference.includes(`<h3 id="${name.toLowerCase()}`))
      .map(([name]) => name);
    expect(missing).toEqual([]);
  });

  test('pages take nothing from the network and nothing but their own files', () => {
    for (const page of pages) {
      const text = readFileSync(join(folder, page), 'utf8');
      expect(text, page).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?\/\//);
    }
  });
});

/** Whole models in the pages: TypeScript that imports from 'tippetop' and has a default export. */
function wholeModels(): { name: string; code: string }[] {
  const files = ['README.md', ...readdirSync(join(root, 'docs/guide')).map((file) => `docs/guide/${file}`)];
  return files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)]
        .map(([, code], i) => ({ name: `${file} ${i + 1}`, code }))
        .filter(({ code }) => /^import .* from 'tippetop'/m.test(code) && /^export default /m.test(code)),
    );
}

describe('models in the pages', () => {
  test.each(wholeModels())('$name runs', async ({ name, code }) => {
    mkdirSync(snippets, { recursive: true });
    const file = join(snippets, `${name.replace(/\W+/g, '-')}.model.ts`);
    writeFileSync(file, code);
    const { default: build } = (await import(/* @vite-ignore */ file)) as {
      default: Model | (() => Model | Promise<Model>);
    };
    const model = typeof build === 'function' ? await build() : build;
    const run = simulate(model, { stopTime: 0.02, maxSteps: 20_000 });
    expect(run.rows).toBeGreaterThan(1);
  });
});
