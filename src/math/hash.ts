/**
 * A 64-bit fingerprint of numbers and bytes: two lanes of 32 bits, each a chain of multiplications and rotations
 * (in the manner of xxHash and MurmurHash3), mixed with each other at the end.
 *
 * For finding out whether two runs gave the same bits, not for security. Each step of a lane is one-to-one in the word
 * that enters, so inputs of equal length that differ in a single word never collide within a lane.
 */
export class Hash {
  private a = 0x243f6a88 | 0; // digits of π
  private b = 0x85a308d3 | 0;
  private words = 0;

  /** The bits of doubles; every NaN counts as the same one, −0 and 0 differ. */
  numbers(values: ArrayLike<number>): this {
    for (let i = 0; i < values.length; i++) this.number(values[i]);
    return this;
  }

  number(value: number): this {
    DOUBLE[0] = value;
    const none = Number.isNaN(value); // an engine may write NaN with any payload
    this.word(none ? 0 : WORDS[0]);
    this.word(none ? 0x7ff80000 : WORDS[1]);
    return this;
  }

  /** Bytes in groups of four, the last filled with zeros; then their count, so that trailing zeros are seen. */
  bytes(values: Uint8Array): this {
    const whole = values.length - (values.length % 4);
    for (let i = 0; i < whole; i += 4)
      this.word(values[i] | (values[i + 1] << 8) | (values[i + 2] << 16) | (values[i + 3] << 24));
    let last = 0;
    for (let i = whole; i < values.length; i++) last |= values[i] << (8 * (i - whole));
    this.word(last);
    this.word(values.length | 0);
    return this;
  }

  /** The UTF-16 units of a text, then their count. */
  text(value: string): this {
    for (let i = 0; i < value.length; i++) this.word(value.charCodeAt(i));
    this.word(value.length | 0);
    return this;
  }

  word(word: number): void {
    this.a = Math.imul(rotate(this.a ^ Math.imul(word, 0x9e3779b1), 13), 0x85ebca77);
    this.b = (Math.imul(rotate(this.b ^ rotate(Math.imul(word, 0xcc9e2d51), 15), 19), 5) + 0x6b64e653) | 0;
    this.words++;
  }

  /** One that goes on from here by itself */
  copy(): Hash {
    const copy = new Hash();
    copy.a = this.a;
    copy.b = this.b;
    copy.words = this.words;
    return copy;
  }

  /** The fingerprint so far, two words of 32 bits. */
  lanes(): readonly [number, number] {
    const a = finish(this.a ^ this.words);
    const b = finish((this.b ^ this.words) + a);
    return [finish(a + b) >>> 0, b >>> 0];
  }

  /** The fingerprint so far, 16 hexadecimal digits. */
  hex(): string {
    return this.lanes()
      .map((lane) => lane.toString(16).padStart(8, '0'))
      .join('');
  }
}

export const hashNumbers = (values: ArrayLike<number>): string => new Hash().numbers(values).hex();
export const hashBytes = (values: Uint8Array): string => new Hash().bytes(values).hex();

const DOUBLE = new Float64Array(1);
const WORDS = new Int32Array(DOUBLE.buffer); // low, high: little-endian as all our machines

const rotate = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));

/** Final mixing of MurmurHash3 (Appleby): every input bit changes about half of the output bits. */
function finish(x: number): number {
  let h = x | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
