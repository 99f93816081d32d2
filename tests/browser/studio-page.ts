/** The studio as it is served, in a real Chromium: how every test of it begins and ends, and how it waits. */
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { studioPolicy } from '../../src/cli/studio.js';
import { startViewServer, type ViewServer } from '../../src/node/view-server.js';
import { startChromium } from './chromium.js';

/** The folder that is served */
export const PAGE = fileURLToPath(new URL('../../dist/studio/page', import.meta.url));

/** The studio's own object in its page, its document, and the model of that */
export const STUDIO = 'window.tippetop.studio';
export const DOCUMENT = `${STUDIO}.history.document.value`;
export const MODEL = `${DOCUMENT}.source.model`;

/** A sixteenth of the points: software draws a whole screen in tenths of a second, and pointers wait for it */
export const COARSE = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 0.25 };

export interface ServedStudio {
  browser: Browser;
  server: ViewServer;
  /** Errors that pages have written or thrown */
  readonly complaints: string[];
  /** A page that has not gone anywhere yet, whose errors are kept. @param context with which it is opened; a new one with `options` unless said */
  newPage(options?: Parameters<Browser['newPage']>[0], context?: BrowserContext): Promise<Page>;
}

/** One browser and one server for all tests of a file; what is in the result is there when they begin. */
export function serveStudio(): ServedStudio {
  const complaints: string[] = [];
  const studio = {
    complaints,
    newPage: async (options = COARSE, context?: BrowserContext): Promise<Page> => {
      const page = await (context ? context.newPage() : studio.browser.newPage(options));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      return page;
    },
  } as ServedStudio;
  beforeAll(async () => {
    [studio.browser, studio.server] = await Promise.all([
      startChromium(),
      startViewServer({ page: PAGE, policyOf: studioPolicy(PAGE) }),
    ]);
  }, 60_000);
  afterAll(async () => {
    await studio.browser?.close();
    await studio.server?.close();
  });
  return studio;
}

/** Waits until an expression is true in the page. @param timeout ms */
export const untilTrue = (page: Page, expression: string, timeout: number): Promise<void> =>
  expect.poll(() => page.evaluate(expression).catch(() => false), { timeout, interval: 50 }).toBe(true);
