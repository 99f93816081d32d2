import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Three projects, in the order `npm test` runs them. The browser tests drive Debian's Chromium through playwright-core.
const src = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
// Examples import the package by its name; under test that is the source, not the last build.
const resolve = {
  alias: [
    { find: /^tippetop$/, replacement: src('index.ts') },
    { find: /^tippetop\/([\w-]+)$/, replacement: src('$1/index.ts') },
  ],
};

// Compiled modules by the hash of their text: the three projects compile the sources once, and a single file starts in half the time.
// scripts/test.mjs throws away what is old.
const MODULES = join(tmpdir(), `tippetop-tests-${process.getuid?.() ?? 0}`);

export default defineConfig({
  test: {
    experimental: { fsModuleCache: true, fsModuleCachePath: MODULES },
    maxWorkers: '100%', // by default vitest leaves a core to itself, which on two cores is half of what there is
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts', 'src/**/*.generated.*'] },
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          isolate: false,
          include: ['src/**/*.test.ts', 'tests/*.test.ts', 'examples/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        test: {
          name: 'verification',
          isolate: false,
          include: ['tests/verification/**/*.test.ts', 'tests/papers/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        resolve,
        test: {
          name: 'browser',
          isolate: false,
          include: ['tests/browser/**/*.test.ts'],
          expect: { poll: { timeout: 10_000 } }, // a page on a busy machine may take longer than vitest's second
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
