import { expect, test } from 'vitest';
import { runCheck } from './checks.js';

const check = { id: 'X1', title: 'a figure', source: 'a book', limit: 0.5 };

test('a check that fails has its error beside its limit', async () => {
  const { seconds, ...result } = await runCheck({ ...check, measure: () => ({ value: 4, reference: 3 }) });
  expect(result).toEqual({ ...check, value: 4, reference: 3, error: 1, pass: false });
  expect(seconds).toBeGreaterThanOrEqual(0);
});

test('one at its limit passes; NaN never does', async () => {
  expect((await runCheck({ ...check, measure: () => ({ value: 3.5, reference: 3 }) })).pass).toBe(true);
  expect((await runCheck({ ...check, measure: () => ({ value: Number.NaN, reference: 3 }) })).pass).toBe(false);
});

test('one that crashes says why, and only that one has a failure', async () => {
  const crashed = await runCheck({
    ...check,
    measure: () => {
      throw new RangeError('no such signal');
    },
  });
  expect(crashed).toMatchObject({ pass: false, failure: 'no such signal', value: Number.NaN });
  expect(await runCheck({ ...check, measure: () => ({ value: 3, reference: 3 }) })).not.toHaveProperty('failure');
});
