/**
 * Colours for a value between low (0) and high (1): dark blue over teal to light yellow.
 *
 * A path through OKLab (Ottosson 2020, "A perceptual color space for image processing") on which lightness grows in a straight line,
 * so that it reads in grey and with any colour vision; only blue to yellow matter for the hue:
 *
 *   L = 0.30 + 0.62 s,   hue = 275° − 167° s,   chroma = 0.105 + 0.045 s
 *
 * cut to what a screen can show.
 */

import { cos, pow, sin } from '../../math/elementary.js';

/** Red, green, blue, each 0…1, sRGB. */
export type Rgb = readonly [number, number, number];

export function scaleColour(s: number): Rgb {
  const part = Math.min(1, Math.max(0, s));
  const hue = ((275 - 167 * part) * Math.PI) / 180;
  const lightness = 0.3 + 0.62 * part;
  // The most colourful that still fits the screen: chroma is taken back until all three channels do
  for (let chroma = 0.105 + 0.045 * part; ; chroma *= 0.96) {
    const rgb = fromOklab(lightness, chroma * cos(hue), chroma * sin(hue));
    if (chroma < 1e-3 || rgb.every((c) => c >= 0 && c <= 1)) return rgb.map(encode) as unknown as Rgb;
  }
}

/** `count` colours from low to high as CSS understands them, for a legend. */
export function scaleStops(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => cssColour(scaleColour(i / (count - 1))));
}

/** Bytes red, green, blue, opacity of `count` colours from low to high. */
export function scaleTable(count: number): Uint8Array {
  const bytes = new Uint8Array(4 * count).fill(255);
  for (let i = 0; i < count; i++) {
    const colour = scaleColour(i / (count - 1));
    for (let k = 0; k < 3; k++) bytes[4 * i + k] = Math.round(255 * colour[k]);
  }
  return bytes;
}

export const cssColour = (colour: Rgb): string =>
  `rgb(${colour.map((c) => Math.round(255 * Math.min(1, Math.max(0, c)))).join(', ')})`;

/** sRGB 0…1 to light, IEC 61966-2-1. */
export const toLinear = (c: number): number => (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
const encode = (c: number): number => (c <= 0.0031308 ? 12.92 * c : 1.055 * pow(Math.max(c, 0), 1 / 2.4) - 0.055);

/** OKLab to linear light, the matrices of Ottosson (2020). */
function fromOklab(L: number, a: number, b: number): [number, number, number] {
  const l = cube(L + 0.3963377774 * a + 0.2158037573 * b);
  const m = cube(L - 0.1055613458 * a - 0.0638541728 * b);
  const s = cube(L - 0.0894841775 * a - 1.291485548 * b);
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const cube = (x: number): number => x * x * x;
