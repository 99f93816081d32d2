/**
 * Decimal numbers with the point moved: `12.345` in mm is 12.345e-3 m, rounded once. 12.345 × 0.001 would be rounded
 * twice and often misses the double nearest to 0.012345; with the point moved, a length written in mm, cm or µm comes
 * back with the same bits.
 */

import { LENGTH_UNITS, type LengthUnit } from './cad-document.js';
import { asciiText } from './number-parser.js';

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

/**
 * The number written in bytes[start, end) times 10^shift, rounded once; NaN if it is anything but a decimal number.
 * Up to 15 digits and powers up to 10²² one division or product of exact doubles is correctly rounded: Clinger (1990), §3.
 */
export function parseShifted(bytes: Uint8Array, start: number, end: number, shift: number): number {
  let i = start;
  const negative = bytes[i] === 0x2d;
  if (i < end && (negative || bytes[i] === 0x2b)) i++;
  let mantissa = 0;
  let digits = 0;
  let exponent = 0;
  let point = 0;
  let seen = false;
  for (; i < end; i++) {
    const c = bytes[i];
    if (c === 0x2e && point === 0) {
      point = 1;
      continue;
    }
    const digit = c - 0x30;
    if (digit < 0 || digit > 9) break;
    seen = true;
    mantissa = mantissa * 10 + digit;
    if (mantissa > 0) digits++;
    exponent -= point;
  }
  const mantissaEnd = i;
  if (!seen) return Number.NaN;
  let power = 0;
  if (i < end) {
    if ((bytes[i] | 0x20) !== 0x65) return Number.NaN;
    i++;
    const down = bytes[i] === 0x2d;
    if (i < end && (down || bytes[i] === 0x2b)) i++;
    if (i >= end) return Number.NaN;
    for (; i < end; i++) {
      const digit = bytes[i] - 0x30;
      if (digit < 0 || digit > 9) return Number.NaN;
      if (power < 100_000) power = power * 10 + digit; // beyond, the number is 0 or infinite whatever follows
    }
    if (down) power = -power;
  }
  power += shift;
  exponent += power;
  if (digits <= 15 && exponent >= -22 && exponent <= 22) {
    const size = exponent < 0 ? mantissa / TENS[-exponent] : mantissa * TENS[exponent];
    return negative ? -size : size;
  }
  return Number(`${asciiText(bytes, start, mantissaEnd)}e${power}`);
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

const TENS = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
];
