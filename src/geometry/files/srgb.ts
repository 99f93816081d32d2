/**
 * Colours between linear light, as glTF and Open CASCADE keep them, and sRGB, as screens and our documents have them.
 * IEC 61966-2-1:1999, §5.2.
 */
import { pow } from '../../math/elementary.js';

/**
 * Linear light 0…1 → sRGB 0…1; values outside are cut off. Rounded to 1e-6, so that 0.5 comes back as 0.5 also from
 * a file that kept it as a 32-bit float.
 */
export function linearToSrgb(linear: number): number {
  const x = Math.min(1, Math.max(0, linear));
  return Math.round(1e6 * (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055)) / 1e6;
}

/** sRGB 0…1 → linear light 0…1; values outside are cut off. */
export function srgbToLinear(srgb: number): number {
  const x = Math.min(1, Math.max(0, srgb));
  return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}
