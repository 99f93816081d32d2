/** Every example builds, and its figures are those of its expected.json, which says where each comes from. */
import { expect, test } from 'vitest';
import { exampleChecks } from '../src/verify/examples.js';
import { load, testExamples } from './fixtures/example-claims.js';

testExamples('a', 'c');

test('every claim has an id of its own, and the published benchmarks those of their sources', () => {
  const ids = exampleChecks(load).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ['A01', 'A02', 'ANDREWS', 'BRICARD', 'GOVERNOR', 'A02-n10', 'A01-energy']) expect(ids).toContain(id);
});
