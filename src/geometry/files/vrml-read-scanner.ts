/**
 * Words, numbers, strings and brackets of a VRML 2.0 file, straight from its bytes. Blanks, line breaks and commas
 * separate; `#` begins a comment.
 *
 * ISO/IEC 14772-1:1997 (VRML97), §4.2 and annex A.
 */
import { FileError } from '../../errors.js';
import { parseNumber } from './number-parser.js';
import { decodeText, quote } from './text-reader.js';

export type VrmlToken = '{' | '}' | '[' | ']' | 'word' | 'string' | 'end';

export class VrmlScanner {
  readonly bytes: Uint8Array;
  readonly file: string;
  /** The token just read is bytes[start, end); of a string without its quotes. */
  start = 0;
  end = 0;
  token: VrmlToken = 'end';
  /** Line of the token just read, from 1. */
  line = 1;
  #position = 0;

  constructor(bytes: Uint8Array, file: string) {
    this.bytes = bytes;
    this.file = file;
  }

  /** Goes to the next token and gives its kind. */
  next(): VrmlToken {
    const { bytes } = this;
    let i = this.#position;
    // Blanks and comments
    for (; i < bytes.length; i++) {
      const c = bytes[i];
      if (c === 0x0a) this.line++;
      else if (c === 0x23) {
        while (i + 1 < bytes.length && bytes[i + 1] !== 0x0a && bytes[i + 1] !== 0x0d) i++;
      } else if (!isSeparator(c)) break;
    }
    this.start = i;
    if (i >= bytes.length) {
      this.#position = this.end = i;
      return (this.token = 'end');
    }
    const bracket = BRACKETS.get(bytes[i]);
    if (bracket) {
      this.#position = this.end = i + 1;
      return (this.token = bracket);
    }
    if (bytes[i] === QUOTE) return this.#string(i + 1);
    while (
      i < bytes.length &&
      !isSeparator(bytes[i]) &&
      !BRACKETS.has(bytes[i]) &&
      bytes[i] !== QUOTE &&
      bytes[i] !== 0x23
    )
      i++;
    this.#position = this.end = i;
    return (this.token = 'word');
  }

  /** The next call of `next` gives the same token again. */
  back(): void {
    this.#position = this.token === 'string' ? this.start - 1 : this.start;
    if (this.token === 'string') for (let i = this.start; i < this.end; i++) if (this.bytes[i] === 0x0a) this.line--;
  }

  /** The token as a number, NaN if it is none. */
  number(): number {
    if (this.token !== 'word') return Number.NaN;
    const value = parseNumber(this.bytes, this.start, this.end);
    if (!Number.isNaN(value)) return value;
    // Numbers may be hexadecimal (§5.5).
    const text = this.text();
    return /^[+-]?0x[0-9a-f]{1,8}$/i.test(text)
      ? Number(text.replace(/^[+-]/, '')) * (text[0] === '-' ? -1 : 1)
      : value;
  }

  is(word: string): boolean {
    if (this.token !== 'word' || this.end - this.start !== word.length) return false;
    for (let i = 0; i < word.length; i++) if (this.bytes[this.start + i] !== word.charCodeAt(i)) return false;
    return true;
  }

  /** The token as text; of a very long one only the start. */
  text(): string {
    return decodeText(this.bytes, this.start, Math.min(this.end, this.start + 1000));
  }

  /** The token for error messages. */
  got(): string {
    return this.token === 'end' ? 'the end of the file' : quote(this.bytes, this.start, this.end);
  }

  /** An error at the token just read, to be thrown. */
  error(defect: string): FileError {
    return new FileError(this.file, `line ${this.line}`, defect);
  }

  #string(from: number): VrmlToken {
    const { bytes } = this;
    let i = from;
    while (i < bytes.length && bytes[i] !== QUOTE) {
      if (bytes[i] === 0x0a) this.line++;
      i += bytes[i] === 0x5c ? 2 : 1;
    }
    if (i >= bytes.length) throw this.error('a string does not end; is the file cut off?');
    this.start = from;
    this.end = i;
    this.#position = i + 1;
    return (this.token = 'string');
  }
}

const QUOTE = 0x22;
const BRACKETS: ReadonlyMap<number, VrmlToken> = new Map([
  [0x7b, '{'],
  [0x7d, '}'],
  [0x5b, '['],
  [0x5d, ']'],
]);
const isSeparator = (c: number): boolean => c <= 0x20 || c === 0x2c;
