/** The values in the body of a PLY file, one after the other, from text or from binary numbers of either byte order. */
import { FileError } from '../../errors.js';
import type { LengthParser } from './decimal-shift.js';
import { PLY_BYTES, type PlyElement, type PlyScalar } from './ply-header.js';
import type { TextReader } from './text-reader.js';

export interface PlyValues {
  /** Refuses a count that the rest of the file cannot hold, before anything is allocated for it. */
  checkRoom(element: PlyElement): void;
  /** Starts row `index` of the element. */
  startRow(element: PlyElement, index: number): void;
  /** Next value; `what` is for errors. */
  value(type: PlyScalar, what: string): number;
  /** Next value as a finite length in m. */
  coordinate(type: PlyScalar, what: string): number;
  /** Passes over `count` values. */
  skip(type: PlyScalar, count: number, what: string): void;
  error(defect: string): FileError;
}

export class BinaryPlyValues implements PlyValues {
  readonly #view: DataView;
  readonly #little: boolean;
  readonly #scale: number;
  readonly #file: string;
  #position: number;
  #element = '';
  #row = 0;

  /** @param scale m per unit of the file */
  constructor(bytes: Uint8Array, start: number, little: boolean, scale: number, file: string) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#position = start;
    this.#little = little;
    this.#scale = scale;
    this.#file = file;
  }

  checkRoom({ name, count, properties }: PlyElement): void {
    let least = 0; // bytes of a row whose lists are empty
    for (const { type, countType } of properties) least += PLY_BYTES[countType ?? type];
    const left = this.#view.byteLength - this.#position;
    if (count * least > left)
      throw new FileError(
        this.#file,
        `byte ${this.#position}`,
        `expected ${count} elements "${name}" of ${least} bytes or more, got ${left} bytes up to the end of the file`,
      );
  }

  startRow({ name }: PlyElement, index: number): void {
    this.#element = name;
    this.#row = index;
  }

  value(type: PlyScalar, what: string): number {
    const at = this.#position;
    const end = at + PLY_BYTES[type];
    if (end > this.#view.byteLength) throw this.#cutShort(PLY_BYTES[type], what);
    this.#position = end;
    switch (type) {
      case 'float32':
        return this.#view.getFloat32(at, this.#little);
      case 'int32':
        return this.#view.getInt32(at, this.#little);
      case 'uint8':
        return this.#view.getUint8(at);
      case 'uint32':
        return this.#view.getUint32(at, this.#little);
      case 'float64':
        return this.#view.getFloat64(at, this.#little);
      case 'int16':
        return this.#view.getInt16(at, this.#little);
      case 'uint16':
        return this.#view.getUint16(at, this.#little);
      case 'int8':
        return this.#view.getInt8(at);
    }
  }

  coordinate(type: PlyScalar, what: string): number {
    const number = this.value(type, what);
    const metres = number * this.#scale;
    if (!(metres - metres === 0)) throw this.error(`expected ${what}, a finite coordinate, got ${number}`);
    return metres;
  }

  skip(type: PlyScalar, count: number, what: string): void {
    const bytes = count * PLY_BYTES[type];
    if (this.#position + bytes > this.#view.byteLength) throw this.#cutShort(bytes, what);
    this.#position += bytes;
  }

  error(defect: string): FileError {
    return new FileError(this.#file, `${this.#element} ${this.#row} (byte ${this.#position})`, defect);
  }

  #cutShort(bytes: number, what: string): FileError {
    const left = this.#view.byteLength - this.#position;
    return this.error(`expected ${bytes} bytes of ${what}, got ${left} up to the end of the file: it is cut short`);
  }
}

export class TextPlyValues implements PlyValues {
  readonly #reader: TextReader;
  readonly #parse: LengthParser;

  /** @param reader in the last line of the header */
  constructor(reader: TextReader, parse: LengthParser) {
    this.#reader = reader;
    this.#parse = parse;
  }

  checkRoom({ name, count, properties }: PlyElement): void {
    const least = 2 * properties.length; // a digit and a separator each
    const left = this.#reader.bytes.length - this.#reader.position;
    if (count * least > left + 1)
      throw this.#reader.error(
        `expected ${count} elements "${name}" of ${least} characters or more, got ${left} up to the end of the file`,
      );
  }

  startRow({ name, count }: PlyElement, index: number): void {
    const reader = this.#reader;
    do
      if (!reader.nextLine())
        throw reader.error(`expected ${count} elements "${name}", got ${index}: the file is cut short`);
    while (isBlankLine(reader));
  }

  value(_type: PlyScalar, what: string): number {
    return this.#reader.number(what);
  }

  coordinate(_type: PlyScalar, what: string): number {
    return this.#reader.length(what, this.#parse);
  }

  skip(_type: PlyScalar, count: number, what: string): void {
    const reader = this.#reader;
    for (let i = 0; i < count; i++)
      if (!reader.nextWord()) throw reader.error(`expected ${count} values of ${what}, got ${i}`);
  }

  error(defect: string): FileError {
    return this.#reader.error(defect);
  }
}

function isBlankLine(reader: TextReader): boolean {
  const { bytes } = reader;
  let i = reader.position;
  while (i < bytes.length && (bytes[i] === 0x20 || bytes[i] === 0x09)) i++;
  return i < bytes.length && (bytes[i] === 0x0a || bytes[i] === 0x0d);
}
