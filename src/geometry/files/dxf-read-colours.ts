/**
 * The AutoCAD colour index. 1–9 are fixed colours and 250–255 greys; 10–249 are hue, saturation and value in steps:
 * the tens give the hue, 15° each from red at 10; the last digit gives the value 100, 80, 60, 50, 30 % for 0/1, 2/3,
 * 4/5, 6/7, 8/9, and the saturation, full for even and half for odd digits. Channels are cut to whole numbers of 255.
 * The table CAD programs show differs from the rule by 1 of 255 in 40 entries.
 */
import type { Colour } from '../solid.js';

/** Colour of index 1 to 255; none for 7, which means black on white paper and white on a black screen. */
export function indexedColour(index: number): Colour | undefined {
  if (!(index >= 1 && index <= 255) || index === 7) return undefined;
  if (index <= 6)
    return rgb(255 * PRIMARIES[index - 1][0], 255 * PRIMARIES[index - 1][1], 255 * PRIMARIES[index - 1][2]);
  if (index === 8) return rgb(128, 128, 128);
  if (index === 9) return rgb(192, 192, 192);
  if (index >= 250) {
    const grey = GREYS[index - 250];
    return rgb(grey, grey, grey);
  }
  const hue = (Math.floor(index / 10) - 1) / 4; // in sixths of a turn: 15° is a quarter of 60°
  const value = VALUES[Math.floor((index % 10) / 2)];
  const saturation = index % 2 === 0 ? 1 : 0.5;
  // HSV to RGB: each channel is full over two sixths around its own hue and falls over one sixth on either side.
  const channel = (centre: number): number => {
    const away = Math.abs(hue - centre);
    const weight = Math.min(1, Math.max(0, 2 - Math.min(away, 6 - away)));
    return Math.floor(255 * value * (1 - saturation * (1 - weight)) + 1e-9);
  };
  return rgb(channel(0), channel(2), channel(4));
}

/** 24 bits, red in the highest: group code 420. */
export const trueColour = (bits: number): Colour => rgb((bits >> 16) & 255, (bits >> 8) & 255, bits & 255);

const rgb = (r: number, g: number, b: number): Colour => [r / 255, g / 255, b / 255, 1];

/** Red, yellow, green, cyan, blue, magenta. */
const PRIMARIES = [
  [1, 0, 0],
  [1, 1, 0],
  [0, 1, 0],
  [0, 1, 1],
  [0, 0, 1],
  [1, 0, 1],
] as const;
const VALUES = [1, 0.8, 0.6, 0.5, 0.3];
const GREYS = [51, 91, 132, 173, 214, 255];
