import { defineConfig } from 'vitest/config';

// Three projects, in the order `npm test` runs them. The browser tests drive Debian's Chromium through playwright-core.
export default defineConfig({
  test: {
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts', 'src/**/*.generated.*'] },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'tests/*.test.ts', 'examples/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'verification',
          include: ['tests/verification/**/*.test.ts', 'tests/papers/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
