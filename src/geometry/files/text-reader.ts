/**
 * Lines and words of a text file, read straight from its bytes: a file of any size becomes neither one string nor an
 * array of lines. Lines end with LF, CR LF or CR; words are separated by blanks and tabs.
 *
 *     const reader = new TextReader(bytes, 'part.obj', { comment: '#' });
 *     while (reader.nextLine())
 *       if (reader.nextWord() && reader.wordIs('v')) x = reader.number('x');
 *
 * Formats whose statements run over lines use `nextWordInFile`. Every error carries the line: `throw reader.error(…)`.
 */
import { FileError } from '../../errors.js';
import type { LengthParser } from './decimal-shift.js';
import { asciiText, parseInteger, parseNumber } from './number-parser.js';

export interface TextReaderOptions {
  /** One character: a word that starts with it ends the line's words. */
  readonly comment?: string;
  /** A backslash at the end of a line joins the next line to it. */
  readonly continuation?: boolean;
}

export class TextReader {
  readonly bytes: Uint8Array;
  readonly file: string;
  /** Next byte to be read. */
  position: number;
  /** Number of the current line, from 1; 0 before the first. */
  line = 0;
  /** The current word is bytes[wordStart, wordEnd). */
  wordStart = 0;
  wordEnd = 0;
  readonly #comment: number;
  readonly #continuation: boolean;

  constructor(bytes: Uint8Array, file: string, options: TextReaderOptions = {}) {
    this.bytes = bytes;
    this.file = file;
    this.#comment = options.comment ? options.comment.charCodeAt(0) : -1;
    this.#continuation = options.continuation ?? false;
    refuseUtf16(bytes, file);
    this.position = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0; // UTF-8 byte order mark
  }

  /** Goes to the start of the next line, whatever is left of this one; false at the end of the file. */
  nextLine(): boolean {
    const { bytes } = this;
    const end = bytes.length;
    let i = this.position;
    if (this.line > 0) {
      while (i < end && bytes[i] !== LF && bytes[i] !== CR) i++;
      i = afterBreak(bytes, i);
    }
    this.position = i;
    this.wordStart = this.wordEnd = i;
    if (i >= end) return false;
    this.line++;
    return true;
  }

  /** Goes to the next word of this line; false if there is none. */
  nextWord(): boolean {
    const { bytes } = this;
    const end = bytes.length;
    let i = this.position;
    let c = 0;
    while (i < end) {
      c = bytes[i];
      if (c === BLANK || c === TAB) i++;
      else if (c === BACKSLASH && this.#continuation && isBreakAt(bytes, i + 1)) {
        i = afterBreak(bytes, i + 1);
        this.line++;
      } else break;
    }
    if (i >= end || c === LF || c === CR || c === this.#comment) {
      this.position = this.wordStart = this.wordEnd = i;
      return false;
    }
    this.wordStart = i;
    do i++;
    while (
      i < end &&
      (c = bytes[i]) !== BLANK &&
      c !== LF &&
      c !== TAB &&
      c !== CR &&
      !(c === BACKSLASH && this.#continuation && isBreakAt(bytes, i + 1))
    );
    this.position = this.wordEnd = i;
    return true;
  }

  /** Goes to the next word of this or a later line; false at the end of the file. */
  nextWordInFile(): boolean {
    if (this.line === 0 && !this.nextLine()) return false;
    while (!this.nextWord()) if (!this.nextLine()) return false;
    return true;
  }

  /** The current word is `word`; letters of A–Z compare equal in both cases. Give `word` in lower case. */
  wordIs(word: string): boolean {
    const { bytes, wordStart } = this;
    if (this.wordEnd - wordStart !== word.length) return false;
    for (let i = 0; i < word.length; i++) {
      const c = bytes[wordStart + i];
      if ((c >= 0x41 && c <= 0x5a ? c | 0x20 : c) !== word.charCodeAt(i)) return false;
    }
    return true;
  }

  /** The current word as text; of a very long one only the start. */
  word(): string {
    return decodeText(this.bytes, this.wordStart, Math.min(this.wordEnd, this.wordStart + LONGEST_TEXT));
  }

  /** The current word as a number, NaN if it is none. */
  wordNumber(): number {
    return parseNumber(this.bytes, this.wordStart, this.wordEnd);
  }

  /** The next word of this line, which must be a finite number. `what` completes "expected …", e.g. `x in mm`. */
  number(what: string): number {
    const value = this.nextWord() ? parseNumber(this.bytes, this.wordStart, this.wordEnd) : Number.NaN;
    if (!(value - value === 0)) throw this.error(`expected ${what}, a finite number, got ${this.got()}`);
    return value;
  }

  /** The next word of this line, which must be a length: read by `parse` (see decimal-shift.ts), finite, in m. */
  length(what: string, parse: LengthParser): number {
    const value = this.nextWord() ? parse(this.bytes, this.wordStart, this.wordEnd) : Number.NaN;
    if (!(value - value === 0)) throw this.error(`expected ${what}, a finite coordinate, got ${this.got()}`);
    return value;
  }

  /** The next word of this line, which must be a whole number. */
  integer(what: string): number {
    const value = this.nextWord() ? parseInteger(this.bytes, this.wordStart, this.wordEnd) : Number.NaN;
    if (Number.isNaN(value)) throw this.error(`expected ${what}, a whole number, got ${this.got()}`);
    return value;
  }

  /** What is left of this line, without blanks around it; of a very long line only the start. Comments are not cut. */
  restOfLine(): string {
    const { bytes } = this;
    let end = this.position;
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
    const start = this.position;
    this.position = end;
    return decodeText(bytes, start, Math.min(end, start + LONGEST_TEXT)).trim();
  }

  /** The current word in quotes, for error messages, or `the end of the line` or `the end of the file`. */
  got(): string {
    if (this.wordEnd > this.wordStart) return quote(this.bytes, this.wordStart, this.wordEnd);
    return this.position >= this.bytes.length ? 'the end of the file' : 'the end of the line';
  }

  /** `line 12` */
  where(): string {
    return `line ${Math.max(1, this.line)}`;
  }

  /** An error at this line, to be thrown. */
  error(defect: string): FileError {
    return new FileError(this.file, this.where(), defect);
  }
}

/** Text in UTF-8, or in Latin-1 where it is not UTF-8, as older programs write. */
export function decodeText(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let ascii = true;
  for (let i = start; i < end && ascii; i++) ascii = bytes[i] < 0x80;
  if (ascii) return asciiText(bytes, start, end);
  const part = bytes.subarray(start, end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(part);
  } catch {
    return new TextDecoder('latin1').decode(part);
  }
}

/** Bytes in quotes for an error message: at most 40 of them, control characters as `\x07`. */
export function quote(bytes: Uint8Array, start: number, end: number): string {
  const text = decodeText(bytes, start, Math.min(end, start + LONGEST_QUOTE));
  const shown = Array.from(text, (c) => {
    const code = c.charCodeAt(0);
    return code < 0x20 || (code >= 0x7f && code < 0xa0) ? `\\x${code.toString(16).padStart(2, '0')}` : c;
  }).join('');
  return `"${shown}${end - start > LONGEST_QUOTE ? '…' : ''}"`;
}

function refuseUtf16(bytes: Uint8Array, file: string): void {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new FileError(file, 'byte 0', 'is text in UTF-16; save it as UTF-8 or plain ASCII');
}

function isBreakAt(bytes: Uint8Array, i: number): boolean {
  return i < bytes.length && (bytes[i] === LF || bytes[i] === CR);
}

/** The byte after the line break at i. */
function afterBreak(bytes: Uint8Array, i: number): number {
  return bytes[i] === CR && bytes[i + 1] === LF ? i + 2 : Math.min(i + 1, bytes.length);
}

const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;
const BLANK = 0x20;
const BACKSLASH = 0x5c;
/** Bytes of a name or comment that are kept: names are for people. */
const LONGEST_TEXT = 1000;
const LONGEST_QUOTE = 40;
