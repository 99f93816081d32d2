import { expect, test } from 'vitest';
import { TimeWindow } from './time-window.js';

const window = (): TimeWindow => new TimeWindow(Float64Array.of(1, 2, 3, 5));

test('zooms about a time that stays in its place', () => {
  const shown = window();
  expect([shown.from, shown.to, shown.isWhole]).toEqual([1, 5, true]);
  shown.zoom(2, 2);
  expect([shown.from, shown.to, shown.isWhole]).toEqual([1.5, 3.5, false]);
  shown.zoom(0.25, 2);
  expect([shown.from, shown.to]).toEqual([1, 5]); // no farther than the recording
});

test('refuses nonsense', () => {
  const shown = window();
  shown.set(3, 3);
  shown.set(4, 2);
  shown.set(Number.NaN, 2);
  expect(shown.isWhole).toBe(true);
  shown.set(2, 3);
  shown.reset();
  expect(shown.isWhole).toBe(true);
  const single = new TimeWindow(Float64Array.of(4));
  expect([single.from, single.to]).toEqual([4, 5]);
});

test('two fingers', () => {
  const shown = window();
  // the middle half is spread over the whole
  shown.stretch([0.25, 0.75], [0, 1]);
  expect([shown.from, shown.to]).toEqual([2, 4]);
  shown.stretch([0.5, 0.5], [0, 1]);
  expect([shown.from, shown.to]).toEqual([2, 4]);
});
