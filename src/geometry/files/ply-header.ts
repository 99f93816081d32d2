/**
 * The header of a PLY file: form of the body, then elements with a count and properties each.
 *
 *     ply
 *     format binary_little_endian 1.0
 *     comment unit: mm
 *     element vertex 8
 *     property float x
 *     element face 12
 *     property list uchar int vertex_indices
 *     end_header
 *
 * Turk (1994), The PLY polygon file format.
 */
import { suggestion } from '../../errors.js';
import type { TextReader } from './text-reader.js';

/** Bytes of the scalar types, by both of their usual names. */
export type PlyScalar = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64';
export const PLY_BYTES: Readonly<Record<PlyScalar, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
};
const OLD_NAMES: Readonly<Record<string, PlyScalar>> = {
  char: 'int8',
  uchar: 'uint8',
  short: 'int16',
  ushort: 'uint16',
  int: 'int32',
  uint: 'uint32',
  float: 'float32',
  double: 'float64',
};

export interface PlyProperty {
  readonly name: string;
  /** Type of the value, or of the items of a list. */
  readonly type: PlyScalar;
  /** Type of the length; a property without it is a single value. */
  readonly countType?: PlyScalar;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: PlyProperty[];
}

export type PlyForm = 'ascii' | 'binary_little_endian' | 'binary_big_endian';

export interface PlyHeader {
  readonly form: PlyForm;
  readonly elements: readonly PlyElement[];
  readonly comments: readonly string[];
  /** First byte of the body. */
  readonly bodyStart: number;
}

/** Reads up to and with `end_header`; the reader is left in that line. */
export function readPlyHeader(reader: TextReader): PlyHeader {
  const elements: PlyElement[] = [];
  const comments: string[] = [];
  let form: PlyForm | undefined;
  reader.nextLine(); // "ply", seen by the caller
  while (reader.nextLine()) {
    if (reader.line > LONGEST_HEADER) throw reader.error(`expected "end_header" within ${LONGEST_HEADER} lines`);
    if (!reader.nextWord()) continue;
    if (reader.wordIs('comment') || reader.wordIs('obj_info')) comments.push(reader.restOfLine());
    else if (reader.wordIs('format')) form = readForm(reader);
    else if (reader.wordIs('element')) elements.push(readElement(reader));
    else if (reader.wordIs('property')) {
      const element = elements.at(-1);
      if (!element) throw reader.error('expected "element" before the first "property"');
      element.properties.push(readProperty(reader));
    } else if (reader.wordIs('end_header')) {
      if (!form) throw reader.error('expected a "format" line before the end of the header');
      return { form, elements, comments, bodyStart: bodyStart(reader) };
    } else throw reader.error(`expected "element", "property", "comment" or "end_header", got ${reader.got()}`);
  }
  throw reader.error('expected "end_header", got the end of the file: it is cut short');
}

/** The names of an element's properties, for an error. */
export function propertyNames({ properties }: PlyElement): string {
  const names = properties.slice(0, 12).map(({ name }) => `"${name}"`);
  return names.join(', ') + (properties.length > names.length ? ', …' : '');
}

function readForm(reader: TextReader): PlyForm {
  const form = reader.nextWord() ? reader.word() : '';
  if (form === 'ascii' || form === 'binary_little_endian' || form === 'binary_big_endian') return form;
  throw reader.error(`expected ascii, binary_little_endian or binary_big_endian, got ${reader.got()}`);
}

function readElement(reader: TextReader): PlyElement {
  if (!reader.nextWord()) throw reader.error('expected the name of an element, got the end of the line');
  const name = reader.word().slice(0, LONGEST_NAME);
  const count = reader.integer(`the number of elements "${name}"`);
  if (count < 0) throw reader.error(`expected the number of elements "${name}", 0 or more, got ${count}`);
  return { name, count, properties: [] };
}

function readProperty(reader: TextReader): PlyProperty {
  if (reader.nextWord() && reader.wordIs('list')) {
    const countType = readType(reader);
    if (countType.startsWith('float'))
      throw reader.error(`expected a whole-number type of a list's length, got ${reader.got()}`);
    const type = readType(reader);
    return { name: readName(reader), type, countType };
  }
  const type = typeHere(reader);
  return { name: readName(reader), type };
}

function readName(reader: TextReader): string {
  if (!reader.nextWord()) throw reader.error('expected the name of a property, got the end of the line');
  return reader.word().slice(0, LONGEST_NAME);
}

function readType(reader: TextReader): PlyScalar {
  reader.nextWord();
  return typeHere(reader);
}

function typeHere(reader: TextReader): PlyScalar {
  const word = reader.word();
  if (Object.hasOwn(OLD_NAMES, word)) return OLD_NAMES[word];
  if (Object.hasOwn(PLY_BYTES, word)) return word as PlyScalar;
  const known = [...Object.keys(OLD_NAMES), ...Object.keys(PLY_BYTES)];
  throw reader.error(`expected a type (${known.join(', ')}), got ${reader.got()}${suggestion(word, known)}`);
}

/**
 * The body starts after the line break. A CR alone is one only if the first line ends so as well, for a body may start
 * with the byte of an LF.
 */
function bodyStart(reader: TextReader): number {
  const { bytes } = reader;
  reader.restOfLine();
  const at = reader.position;
  if (at >= bytes.length) return at;
  if (bytes[at] === LF) return at + 1;
  const first = bytes.indexOf(CR);
  return bytes[first + 1] === LF ? at + 2 : at + 1;
}

const LF = 0x0a;
const CR = 0x0d;
const LONGEST_HEADER = 10_000;
const LONGEST_NAME = 60;
