import { expect, test } from 'vitest';
import { withTimeLimit } from './time-limit.js';

test('an endless loop is ended and told; what ends by itself, or fails, is handed on', () => {
  expect(() =>
    withTimeLimit(0.05, () => {
      for (;;);
    }),
  ).toThrow('takes longer than 0.05 s');
  expect(withTimeLimit(5, () => 42)).toBe(42);
  expect(() =>
    withTimeLimit(5, () => {
      throw new TypeError('its own');
    }),
  ).toThrow(TypeError);
});
