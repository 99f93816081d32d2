/**
 * A DXF file as a list of groups: a whole number (the group code) that says what the value after it means.
 *
 * In the text form a group is two lines, so group i stands on lines 2 i + 1 and 2 i + 2. In the binary form a code is
 * one byte (up to AutoCAD R12) or two, and the length of a value follows from its code. Only codes and places are
 * kept, 10 bytes a group; values are read from the file's bytes when somebody asks.
 *
 * AutoCAD DXF Reference (2012), "Group Code Value Types", "Binary DXF Files".
 */
import { FileError } from '../../errors.js';
import { asciiText, parseInteger, parseNumber } from './number-parser.js';

export class DxfGroups {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly binary: boolean;
  readonly codes: Int16Array;
  /** Value i is bytes[starts[i], ends[i]). */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly count: number;
  /** WHATWG name of the encoding of text that is not UTF-8; the header may change it. */
  encoding = 'windows-1252';
  readonly #view: DataView;

  constructor(bytes: Uint8Array, file: string) {
    this.bytes = bytes;
    this.file = file;
    this.binary = hasSentinel(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const most = this.binary ? Math.ceil(bytes.length / 2) : countLines(bytes);
    this.codes = new Int16Array(most);
    this.starts = new Uint32Array(most);
    this.ends = new Uint32Array(most);
    this.count = this.binary ? this.#scanBinary() : this.#scanText();
  }

  /** `line 12` or `byte 345`: where group i stands. */
  where(i: number): string {
    return this.binary ? `byte ${this.starts[i]}` : `line ${2 * i + 2}`;
  }

  error(i: number, defect: string): FileError {
    return new FileError(this.file, this.where(i), defect);
  }

  is(i: number, word: string): boolean {
    const start = this.starts[i];
    if (this.ends[i] - start !== word.length) return false;
    for (let k = 0; k < word.length; k++) if (this.bytes[start + k] !== word.charCodeAt(k)) return false;
    return true;
  }

  /** Value of group i as a finite number. */
  number(i: number): number {
    const start = this.starts[i];
    let value = Number.NaN;
    if (!this.binary) value = parseNumber(this.bytes, start, this.ends[i]);
    else {
      const kind = valueKind(this.codes[i]);
      if (kind === 'double') value = this.#view.getFloat64(start, true);
      else if (kind === 'int16') value = this.#view.getInt16(start, true);
      else if (kind === 'int32') value = this.#view.getInt32(start, true);
      else if (kind === 'int64') value = Number(this.#view.getBigInt64(start, true));
      else if (kind === 'byte') value = this.bytes[start];
    }
    if (Number.isFinite(value)) return value;
    const got = this.binary ? `${value}` : `"${this.#shortText(i)}"`;
    throw this.error(i, `expected a finite number for group code ${this.codes[i]}, got ${got}`);
  }

  /** Value of group i as a whole number. */
  integer(i: number): number {
    const value = this.number(i);
    if (Number.isInteger(value)) return value;
    throw this.error(i, `expected a whole number for group code ${this.codes[i]}, got ${value}`);
  }

  /** Value of group i as text, `\U+00E9` resolved: UTF-8 where it is valid UTF-8, else in the drawing's code page. */
  text(i: number): string {
    const start = this.starts[i];
    const end = Math.min(this.ends[i], start + LONGEST_TEXT);
    let plain = true;
    for (let k = start; plain && k < end; k++) plain = this.bytes[k] < 0x80;
    let text: string;
    if (plain) text = asciiText(this.bytes, start, end);
    else {
      const bytes = this.bytes.subarray(start, end);
      text = decoded(bytes, 'utf-8') ?? decoded(bytes, this.encoding) ?? asciiText(bytes, 0, bytes.length);
    }
    if (text.includes('\\U+')) text = text.replace(/\\U\+([0-9A-Fa-f]{4})/g, (_, hex) => fromHex(hex));
    return text.length > 255 ? text.slice(0, 255) : text;
  }

  #shortText(i: number): string {
    return asciiText(this.bytes, this.starts[i], Math.min(this.ends[i], this.starts[i] + 40));
  }

  #scanText(): number {
    const { bytes, codes, starts, ends } = this;
    let i = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0; // UTF-8 byte order mark
    let lineStart = 0;
    let lineEnd = 0;
    // Takes one line, blanks around it left out, and goes behind its end: LF, CR LF or CR.
    const takeLine = (): boolean => {
      if (i >= bytes.length) return false;
      lineStart = i;
      while (i < bytes.length && bytes[i] !== LF && bytes[i] !== CR) i++;
      lineEnd = i;
      if (bytes[i] === CR && bytes[i + 1] === LF) i++;
      i++;
      while (lineStart < lineEnd && bytes[lineStart] <= SPACE) lineStart++;
      while (lineEnd > lineStart && bytes[lineEnd - 1] <= SPACE) lineEnd--;
      return true;
    };
    let n = 0;
    while (takeLine()) {
      const code = parseInteger(bytes, lineStart, lineEnd);
      if (!(code >= -5 && code <= 1071)) {
        const got = asciiText(bytes, lineStart, Math.min(lineEnd, lineStart + 40));
        const hint = n === 0 ? '; is this a DXF file?' : '';
        throw new FileError(
          this.file,
          `line ${2 * n + 1}`,
          `expected a group code from 0 to 1071, got "${got.replace(/[^ -~]/g, '?')}"${hint}`,
        );
      }
      if (!takeLine())
        throw new FileError(this.file, `line ${2 * n + 1}`, `the file is cut off: group code ${code} has no value`);
      codes[n] = code;
      starts[n] = lineStart;
      ends[n] = lineEnd;
      n++;
      if (code === 0 && this.is(n - 1, 'EOF')) return n;
    }
    if (n === 0) throw new FileError(this.file, '', 'the file is empty; expected a DXF drawing');
    throw new FileError(this.file, `line ${2 * n}`, 'the file is cut off: it ends without the closing group 0 EOF');
  }

  #scanBinary(): number {
    const { bytes, codes, starts, ends } = this;
    const cutOff = (place: number): FileError =>
      new FileError(this.file, `byte ${place}`, 'the file is cut off in the middle of a group');
    // The first group is 0 SECTION: its code is one zero byte up to R12 and two from R13 on.
    let i = SENTINEL.length;
    const wide = bytes[i + 1] === 0;
    let n = 0;
    while (i < bytes.length) {
      let code = bytes[i];
      if (wide || code === 255) {
        const at = wide ? i : i + 1;
        if (at + 2 > bytes.length) throw cutOff(at);
        code = this.#view.getInt16(at, true);
        i = at + 2;
      } else i++;
      const kind = valueKind(code);
      if (kind === undefined)
        throw new FileError(this.file, `byte ${i}`, `unknown group code ${code}; its length is not known`);
      let end = i;
      if (kind === 'text') while (end < bytes.length && bytes[end] !== 0) end++;
      else if (kind === 'chunk') end = i + 1 + bytes[i];
      else end = i + BYTES[kind];
      if (!(end <= bytes.length) || (kind === 'text' && end === bytes.length)) throw cutOff(i);
      codes[n] = code;
      starts[n] = i;
      ends[n] = end;
      n++;
      i = kind === 'text' ? end + 1 : end;
      if (code === 0 && this.is(n - 1, 'EOF')) return n;
    }
    throw new FileError(this.file, `byte ${i}`, 'the file is cut off: it ends without the closing group 0 EOF');
  }
}

type Kind = 'text' | 'double' | 'int16' | 'int32' | 'int64' | 'byte' | 'chunk';
const BYTES = { double: 8, int16: 2, int32: 4, int64: 8, byte: 1 } as const;

/** Type of a group's value in the binary form; undefined where the reference names none. */
function valueKind(code: number): Kind | undefined {
  if (code < 0) return undefined;
  if (code <= 9) return 'text';
  if (code <= 59) return 'double';
  if (code <= 79) return 'int16';
  if (code >= 90 && code <= 99) return 'int32';
  if (code >= 100 && code <= 109) return 'text';
  if (code >= 110 && code <= 149) return 'double';
  if (code >= 160 && code <= 169) return 'int64';
  if (code >= 170 && code <= 179) return 'int16';
  if (code >= 210 && code <= 239) return 'double';
  if (code >= 270 && code <= 289) return 'int16';
  if (code >= 290 && code <= 299) return 'byte';
  if (code >= 310 && code <= 319) return 'chunk';
  if (code >= 300 && code <= 369) return 'text';
  if (code >= 370 && code <= 389) return 'int16';
  if (code >= 390 && code <= 399) return 'text';
  if (code >= 400 && code <= 409) return 'int16';
  if (code >= 410 && code <= 419) return 'text';
  if (code >= 420 && code <= 429) return 'int32';
  if (code >= 430 && code <= 439) return 'text';
  if (code >= 440 && code <= 459) return 'int32';
  if (code >= 460 && code <= 469) return 'double';
  if (code >= 470 && code <= 481) return 'text';
  if (code === 999) return 'text';
  if (code === 1004) return 'chunk';
  if (code >= 1000 && code <= 1009) return 'text';
  if (code >= 1010 && code <= 1059) return 'double';
  if (code >= 1060 && code <= 1070) return 'int16';
  if (code === 1071) return 'int32';
  return undefined;
}

function hasSentinel(bytes: Uint8Array): boolean {
  for (let i = 0; i < SENTINEL.length; i++) if (bytes[i] !== SENTINEL.charCodeAt(i)) return false;
  return true;
}

/** Upper bound of the groups in a text: half its line ends, CR LF counted as two. */
function countLines(bytes: Uint8Array): number {
  let ends = 2;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) ends++;
  return ends >> 1;
}

/** undefined where the bytes are no text of that encoding, or the engine does not have it. */
function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const fromHex = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

const SENTINEL = 'AutoCAD Binary DXF\r\n\x1a\0';
/** Of a name, in bytes; the reference allows 255 characters. */
const LONGEST_TEXT = 1020;
const LF = 10;
const CR = 13;
const SPACE = 32;
