/**
 * Decimal numbers with the point moved: `12.345` in mm is 12.345e-3 m, rounded once. 12.345 × 0.001 would be rounded
 * twice and often misses the double nearest to 0.012345; with the point moved, a length written in mm, cm or µm comes
 * back with the same bits.
 */

import { LENGTH_UNITS, type LengthUnit } from './cad-document.js';
import { parseShifted } from './number-parser.js';

/** Powers of ten that turn a number in the unit into metres; in and ft are no such power. */
const SHIFTS: Partial<Record<LengthUnit, number>> = { m: 0, cm: -2, mm: -3, um: -6, km: 3 };

/** Reads bytes[start, end) as a length in the unit and gives it in m; NaN if it is no number. */
export type LengthParser = (bytes: Uint8Array, start: number, end: number) => number;

export function lengthParser(unit: LengthUnit): LengthParser {
  const shift = SHIFTS[unit];
  if (shift === undefined) return (bytes, start, end) => parseShifted(bytes, start, end, 0) * LENGTH_UNITS[unit];
  return (bytes, start, end) => parseShifted(bytes, start, end, shift);
}

/** Writes a length given in m as a number in the unit, so that `lengthParser` gives the same bits (in and ft: ±1 ulp). */
export function lengthWriter(unit: LengthUnit): (metres: number) => string {
  const shift = SHIFTS[unit];
  if (shift === undefined) return (metres) => String(metres / LENGTH_UNITS[unit]);
  return (metres) => formatShifted(metres, -shift);
}

/** The shortest decimal digits of `value`, with the point moved `shift` places to the right. */
export function formatShifted(value: number, shift: number): string {
  if (value === 0) return 1 / value < 0 ? '-0' : '0';
  if (shift === 0 || !Number.isFinite(value)) return String(value);
  // −d.ddd…e±x, the digits that identify the double
  const [mantissa, power] = value.toExponential().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace('-', '').replace('.', '');
  const point = Number(power) + shift + 1; // digits before the point
  if (point > 21 || point < -6) return `${mantissa}e${point - 1}`;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
