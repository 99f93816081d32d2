/** Every example builds, and its figures are those of its expected.json, which says where each comes from. */
import { expect, test } from 'vitest';
import { exampleNames } from '../src/node/model-files/load-model.js';
import { exampleChecks, expectedOf } from '../src/verify/examples.js';
import { VIEW_NAMES } from '../src/viewer/standard-views.js';
import { load, testExamples } from './fixtures/example-claims.js';

testExamples('a', 'c');

test('every claim has an id of its own, and the published benchmarks those of their sources', () => {
  const ids = exampleChecks(load).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ['A01', 'A02', 'ANDREWS', 'BRICARD', 'GOVERNOR', 'A02-n10', 'A01-energy']) expect(ids).toContain(id);
});

test('every example’s picture is of a moment of its run, from a side there is: the gallery can make it', () => {
  for (const name of exampleNames()) {
    const { at = 0, pale = [], view = 'isometric' } = expectedOf(name)?.picture ?? {};
    for (const moment of [at, pale].flat()) {
      expect(moment, name).toBeGreaterThanOrEqual(0);
      expect(moment, name).toBeLessThanOrEqual(1);
    }
    expect(VIEW_NAMES, name).toContain(view);
  }
});
