/**
 * The exponent of a double, and exact scaling by powers of two.
 *
 * Typed arrays show a double's bytes in the machine's order; every machine that runs Node or a browser of ours is
 * little-endian, so word 1 is the high one: sign, 11 bits of exponent, 20 bits of fraction.
 */
const DOUBLE = new Float64Array(1);
const WORDS = new Int32Array(DOUBLE.buffer);

/** Sign, exponent and the first 20 bits of the fraction of x as a signed integer. */
export function highWord(x: number): number {
  DOUBLE[0] = x;
  return WORDS[1];
}

/** 2^k at index k + 1022, for all normal powers k = −1022 … 1023. */
export const POWERS_OF_TWO = powersOfTwo();

function powersOfTwo(): Float64Array {
  const powers = new Float64Array(2046);
  powers[1022] = 1;
  for (let k = 1; k <= 1023; k++) powers[1022 + k] = 2 * powers[1021 + k];
  for (let k = 1; k <= 1022; k++) powers[1022 - k] = powers[1023 - k] / 2;
  return powers;
}

/** y 2^k with one rounding, for y near 1 and −1100 < k < 1100: gradual underflow, and Infinity beyond the largest double. */
export function scaleByPowerOfTwo(y: number, k: number): number {
  if (k < -1022) return y * POWERS_OF_TWO[k + 1082] * POWERS_OF_TWO[962]; // 2^(k+60) 2^-60
  if (k > 1023) return y * POWERS_OF_TWO[2045] * POWERS_OF_TWO[k - 1]; // 2^1023 2^(k−1023)
  return y * POWERS_OF_TWO[k + 1022];
}

/** Integer nearest to |z| < 2^51: above 1.5 · 2^52 a double has no room for a fraction, so adding it rounds. */
export const nearestInteger = (z: number): number => z + 6755399441055744 - 6755399441055744;

/** 2^27 + 1: c = SPLITTER a, high = c − (c − a) leaves 26 bits of a in high and 26 in a − high (Veltkamp 1968, Dekker 1971). */
export const SPLITTER = 134217729;

/** a b − p exactly, where p is the rounded product a · b; all of them far from over- and underflow (Dekker 1971). */
export function productError(a: number, b: number, p: number): number {
  const ca = SPLITTER * a;
  const ah = ca - (ca - a);
  const al = a - ah;
  const cb = SPLITTER * b;
  const bh = cb - (cb - b);
  const bl = b - bh;
  return al * bl - (p - ah * bh - al * bh - ah * bl);
}

/** 2^-e for a largest magnitude 2^e ≤ x < 2^(e+1): brings it to [1, 2) exactly, and what is not normal near it; 1 for 0, NaN and Infinity. */
export function scaleToOne(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return 1;
  const exponent = (highWord(x) >> 20) - 1023;
  return POWERS_OF_TWO[1022 - Math.max(-1022, Math.min(1022, exponent))];
}
