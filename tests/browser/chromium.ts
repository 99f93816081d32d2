/** A real Chromium for tests, and a small static server on loopback with the headers a deployed page would have. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ensureChromium } from '../../scripts/chromium.mjs';

const FLAGS = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** playwright-core starts it with a new, empty profile each time. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: ensureChromium(), args: FLAGS, headless: true });

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** Serves `root` on 127.0.0.1. Cross-origin isolated, as SharedArrayBuffer needs, unless told otherwise. */
export async function serveFolder(root: string, { isolated = true } = {}): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname));
    try {
      const body = await readFile(join(root, path.endsWith('/') ? `${path}index.html` : path));
      response.writeHead(200, {
        'content-type': TYPES[extname(path)] ?? (path.endsWith('/') ? TYPES['.html'] : 'application/octet-stream'),
        ...(isolated && {
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-embedder-policy': 'require-corp',
        }),
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

/** Opens a page that sets `window.result` (or `window.failure`), and gives the result; console errors are failures. */
export async function resultOfPage<Result>(browser: Browser, url: string, timeout = 120_000): Promise<Result> {
  const page: Page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    // The browser asks for a favicon by itself; that one is nobody's mistake.
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  try {
    await page.goto(url);
    await page.waitForFunction('window.result !== undefined || window.failure !== undefined', undefined, { timeout });
    const failure = await page.evaluate('window.failure');
    if (failure !== undefined) errors.push(String(failure));
    if (errors.length > 0) throw new Error(`the page reported:\n${errors.join('\n')}`);
    return (await page.evaluate('window.result')) as Result;
  } finally {
    await page.close();
  }
}
