/**
 * Numbers of a film in few bits, and bits so laid out that deflate finds what they have in common.
 *
 *   float24   numbers of any size with 16 binary digits: within 2⁻¹⁶ of the value, 1.5e-5; for forces, velocities
 *   Range     whole steps between the least and the greatest: within (greatest − least)/2²⁵ for 24 bits; for signals and places
 */

const FLOAT = new Float32Array(1);
const BITS = new Uint32Array(FLOAT.buffer);

/** The upper 24 bits of the nearest float of 32 bits, rounded. NaN and ±∞ stay. */
export function float24(value: number): number {
  FLOAT[0] = value;
  // The greatest 24 bits may round up to ∞, as they should; NaN must not round over into the sign.
  return Number.isNaN(value) ? 0x7fc000 : (BITS[0] + 0x80) >>> 8;
}

export function fromFloat24(code: number): number {
  BITS[0] = code << 8;
  return FLOAT[0];
}

/** Equal steps over an interval; a value that is none has a code of its own, 0 … `steps` are the others. */
export class Range {
  readonly least: number;
  readonly step: number;
  readonly steps: number;

  constructor(least: number, greatest: number, bits: number) {
    this.steps = 2 ** bits - 2;
    this.least = least;
    this.step = greatest > least ? (greatest - least) / this.steps : 0;
  }

  static around(values: Float64Array, bits: number): Range {
    let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
    return least <= greatest ? new Range(least, greatest, bits) : new Range(0, 0, bits);
  }

  code(value: number): number {
    if (!Number.isFinite(value)) return this.steps + 1;
    if (this.step === 0) return 0;
    return Math.min(this.steps, Math.max(0, Math.round((value - this.least) / this.step)));
  }

  value(code: number): number {
    return code > this.steps ? Number.NaN : this.least + code * this.step;
  }
}

/** Small numbers of either sign as small numbers: 0, −1, 1, −2, … become 0, 1, 2, 3, … */
export const zigzag = (difference: number): number => (difference << 1) ^ (difference >> 31);
export const unzigzag = (code: number): number => (code >>> 1) ^ -(code & 1);

/** The lowest byte of all codes, then the next of all, up to `width`. */
export function planes(codes: Int32Array | Uint32Array, width: number): Uint8Array {
  const { length } = codes;
  const bytes = new Uint8Array(width * length);
  for (let b = 0; b < width; b++) for (let i = 0; i < length; i++) bytes[b * length + i] = codes[i] >>> (8 * b);
  return bytes;
}

export function fromPlanes(bytes: Uint8Array, width: number): Int32Array {
  const length = Math.floor(bytes.length / width);
  const codes = new Int32Array(length);
  for (let b = 0; b < width; b++) for (let i = 0; i < length; i++) codes[i] |= bytes[b * length + i] << (8 * b);
  return codes;
}

/** Numbers over time as differences of their codes in a range, 4 bytes each before deflate. */
export function rangeCoded(
  values: Float64Array,
  bits = 24,
): { readonly range: readonly [number, number]; readonly bytes: Uint8Array } {
  const range = Range.around(values, bits);
  const codes = new Int32Array(values.length);
  let last = 0;
  for (let i = 0; i < values.length; i++) {
    const code = range.code(values[i]);
    codes[i] = zigzag(code - last);
    last = code;
  }
  return { range: [range.least, range.step], bytes: planes(codes, 4) };
}

export function fromRangeCoded([least, step]: readonly [number, number], bytes: Uint8Array, bits = 24): Float64Array {
  const codes = fromPlanes(bytes, 4);
  const none = 2 ** bits - 1;
  const values = new Float64Array(codes.length);
  let last = 0;
  for (let i = 0; i < codes.length; i++) {
    last += unzigzag(codes[i]);
    values[i] = last === none ? Number.NaN : least + last * step;
  }
  return values;
}

/** Numbers of any size, 3 bytes each before deflate. */
export const floatCoded = (values: ArrayLike<number>): Uint8Array =>
  planes(
    Uint32Array.from({ length: values.length }, (_, i) => float24(values[i])),
    3,
  );

export const fromFloatCoded = (bytes: Uint8Array): Float64Array =>
  Float64Array.from(fromPlanes(bytes, 3), (code) => fromFloat24(code));
