import { expect, test } from 'vitest';
import { indexedColour, trueColour } from './dxf-read-colours.js';

const bits = (index: number): number =>
  (indexedColour(index) ?? [0, 0, 0]).slice(0, 3).reduce((all, channel) => 256 * all + Math.round(255 * channel), 0);

// Entries of the table CAD programs show, e.g. AutoCAD's colour dialogue.
test.each([
  [1, 0xff0000],
  [2, 0xffff00],
  [3, 0x00ff00],
  [4, 0x00ffff],
  [5, 0x0000ff],
  [6, 0xff00ff],
  [8, 0x808080],
  [9, 0xc0c0c0],
  [10, 0xff0000],
  [11, 0xff7f7f],
  [12, 0xcc0000],
  [13, 0xcc6666],
  [18, 0x4c0000],
  [20, 0xff3f00],
  [30, 0xff7f00],
  [50, 0xffff00],
  [90, 0x00ff00],
  [130, 0x00ffff],
  [170, 0x0000ff],
  [171, 0x7f7fff],
  [210, 0xff00ff],
  [240, 0xff003f],
  [250, 0x333333],
  [255, 0xffffff],
])('colour %i is %i', (index, expected) => {
  expect(bits(index)).toBe(expected);
});

test('no colour of its own: 0, 7, 256 and what is no index', () => {
  for (const index of [0, 7, 256, -1, Number.NaN]) expect(indexedColour(index)).toBeUndefined();
});

test('true colours', () => {
  expect(trueColour(0xff8000)).toEqual([1, 128 / 255, 0, 1]);
});
