/** Tables of exp and log are worked out when the program starts: bit for bit those that mpmath gives with 240 bits (scripts/reference-elementary.py tables). */
import { expect, test } from 'vitest';
import { EXPONENTIALS } from './exponential-table.js';
import { hashNumbers } from './hash.js';
import { LOGARITHMS } from './logarithm-table.js';

test('2^(i/128) and −log c are those of mpmath', () => {
  expect(hashNumbers(EXPONENTIALS)).toBe('7f982209e2af3f4c');
  expect(hashNumbers(LOGARITHMS)).toBe('de7a127673292acf');
  // √2 and log 1, to be seen at once
  expect(EXPONENTIALS[128]).toBe(Math.SQRT2);
  expect(LOGARITHMS.slice(237, 243)).toEqual(new Float64Array([1, 0, 0, 1, 0, 0]));
});
