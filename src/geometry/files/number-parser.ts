/**
 * Decimal numbers straight from bytes, with the same bits that Number() gives for the same text.
 *
 * A number of at most 15 digits is an integer w < 2⁵³ times a power of ten. Where that power is at most 10²², both are
 * exact doubles, and one product or quotient of exact doubles is rounded once, which is correct rounding. Up to 22
 * digits the same is done with w and the result as sums of two doubles, which are right to about 2⁻¹⁰⁰; that settles the
 * rounding unless the number lies that close to the middle between two doubles. All else goes to Number().
 *
 * Clinger (1990), How to read floating point numbers accurately, §3; Dekker (1971), A floating-point technique for
 * extending the available precision, §5.
 */

/**
 * The number written in bytes[start, end): sign, digits, point, exponent; `1.`, `.5` and `+1e5` included.
 * NaN for everything else: an empty range, hexadecimal, `nan`, `inf`, `1,5`. Infinity only where digits overflow (1e999).
 */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  return parseShifted(bytes, start, end, 0);
}

/** The number written in bytes[start, end) times 10^shift, rounded once; NaN if it is anything but a decimal number. */
export function parseShifted(bytes: Uint8Array, start: number, end: number, shift: number): number {
  let i = start;
  let negative = false;
  if (i < end) {
    const sign = bytes[i];
    if (sign === MINUS || sign === PLUS) {
      negative = sign === MINUS;
      i++;
    }
  }
  // Digits before and after the point: the first 15 in `leading`, the rest in `trailing`, leading zeros in neither.
  let leading = 0;
  let trailing = 0;
  let digits = 0;
  let exponent = 0;
  let seen = false;
  let afterPoint = false;
  let c = 0;
  for (; i < end; i++) {
    c = bytes[i];
    const digit = c - ZERO;
    if (digit < 0 || digit > 9) {
      if (c !== POINT || afterPoint) break;
      afterPoint = true;
      continue;
    }
    seen = true;
    if (digits < LEADING) leading = leading * 10 + digit;
    else if (digits < MOST_DIGITS) trailing = trailing * 10 + digit;
    if (leading > 0) digits++;
    if (afterPoint) exponent--;
  }
  if (!seen) return Number.NaN;
  const mantissaEnd = i;
  // Exponent
  let power = 0;
  if (i < end) {
    if ((c | LOWER) !== LETTER_E) return Number.NaN;
    i++;
    let down = false;
    if (i < end && (bytes[i] === MINUS || bytes[i] === PLUS)) {
      down = bytes[i] === MINUS;
      i++;
    }
    if (i >= end) return Number.NaN;
    for (; i < end; i++) {
      const digit = bytes[i] - ZERO;
      if (digit < 0 || digit > 9) return Number.NaN;
      if (power < 100_000) power = power * 10 + digit; // beyond, the number is 0 or infinite whatever follows
    }
    if (down) power = -power;
  }
  power += shift;
  exponent += power;

  if (exponent >= -22 && exponent <= 22) {
    if (digits <= LEADING) {
      const size = exponent < 0 ? leading / TENS[-exponent] : leading * TENS[exponent];
      return negative ? -size : size;
    }
    if (digits <= MOST_DIGITS) {
      const size = roundLong(leading, trailing, digits - LEADING, exponent);
      if (size > 0) return negative ? -size : size;
    }
  }
  return Number(`${asciiText(bytes, start, mantissaEnd)}e${power}`);
}

/**
 * (leading · 10^count + trailing) · 10^exponent, correctly rounded, or NaN where the precision does not settle it.
 * Both integers are below 10¹⁵ and the exponent within ±22: nothing over- or underflows.
 */
function roundLong(leading: number, trailing: number, count: number, exponent: number): number {
  // w = high + low, exactly
  const scaled = leading * TENS[count];
  const low = productError(leading, TENS[count], scaled) + trailing;
  const w = scaled + low;
  const rest = low - (w - scaled);
  // w · 10^exponent = high + remainder, to about 2⁻¹⁰⁰
  const ten = TENS[exponent < 0 ? -exponent : exponent];
  let high: number;
  let remainder: number;
  if (exponent < 0) {
    high = w / ten;
    const product = high * ten;
    remainder = (w - product - productError(high, ten, product) + rest) / ten;
  } else {
    high = w * ten;
    remainder = productError(w, ten, high) + rest * ten;
  }
  // Rounding goes up with its argument: if both ends of the uncertainty round alike, so does the number.
  const uncertainty = high * UNCERTAINTY;
  const rounded = high + (remainder - uncertainty);
  return rounded === high + (remainder + uncertainty) ? rounded : Number.NaN;
}

/** a · b − fl(a · b), exactly: each factor is split into halves of 26 bits whose products are exact (Dekker). */
function productError(a: number, b: number, product: number): number {
  const bigA = a * SPLITTER;
  const highA = bigA - (bigA - a);
  const lowA = a - highA;
  const bigB = b * SPLITTER;
  const highB = bigB - (bigB - b);
  const lowB = b - highB;
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}

/**
 * The whole number written in bytes[start, end), with an optional sign; NaN if it is anything else, also if it is too
 * large to be exact (beyond 2⁵³).
 */
export function parseInteger(bytes: Uint8Array, start: number, end: number): number {
  const sign = start < end ? bytes[start] : 0;
  let i = sign === MINUS || sign === PLUS ? start + 1 : start;
  if (i >= end) return Number.NaN;
  let value = 0;
  for (; i < end; i++) {
    const digit = bytes[i] - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  if (value > Number.MAX_SAFE_INTEGER) return Number.NaN;
  return sign === MINUS ? -value : value;
}

/** Bytes as text, each byte one character. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > 4096) return new TextDecoder('latin1').decode(bytes.subarray(start, end));
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]);
  return text;
}

/** Exact as doubles. */
const TENS = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
];
const LEADING = 15;
const MOST_DIGITS = 22;
const SPLITTER = 134217729; // 2²⁷ + 1
/** 2⁻⁹⁸ (562949953421312 is 2⁴⁹): some times the error of sums of two doubles after three operations. */
const UNCERTAINTY = 1 / 562949953421312 / 562949953421312;
const ZERO = 0x30;
const POINT = 0x2e;
const PLUS = 0x2b;
const MINUS = 0x2d;
const LETTER_E = 0x65;
const LOWER = 0x20;
