/**
 * Reads Wavefront OBJ: vertices in double precision, faces of any number of corners, objects and groups as parts.
 * Curves, surfaces, lines and points have no place in a solid and are skipped with a note; normals and texture
 * coordinates are ignored.
 *
 * Wavefront Technologies, Advanced Visualizer, appendix B1: Object files (1989).
 */
import { type CadDocument, chooseUnit, type LengthUnit, type ReadOptions, unitNotes } from './cad-document.js';
import { lengthParser } from './decimal-shift.js';
import { GrowingFloat64, GrowingUint32 } from './growing.js';
import { parseInteger } from './number-parser.js';
import { assembleObj, type ObjContent, type ObjSegment } from './obj-parts.js';
import { unitIn } from './part-names.js';
import { notOfFormat, refuseEmpty } from './recognise.js';
import { TextReader } from './text-reader.js';

export interface ObjReadOptions extends ReadOptions {
  /** Gives the bytes of a file named in this one, such as its .mtl of colours; without it colours are not read. */
  readonly companion?: (name: string) => Uint8Array | undefined;
}

/**
 * Reads an OBJ file. Parts are its objects, or its groups where it has no more than one object. OBJ has no unit: a
 * comment `# unit: mm` before the first vertex is honoured, otherwise m is assumed.
 *
 * @throws FileError naming the line and the defect
 * @example readObj(bytes, { fileName: 'wheel.obj', unit: 'mm' }).parts.map((part) => part.name)
 */
export function readObj(bytes: Uint8Array, options: ObjReadOptions): CadDocument {
  const file = options.fileName;
  refuseEmpty(bytes, file, 'an OBJ file');
  const reader = new TextReader(bytes, file, { comment: '#', continuation: true });
  const statements = new ObjStatements(reader);
  let said: LengthUnit | undefined;
  let parse = lengthParser(chooseUnit(options, undefined).unit);
  while (reader.nextLine()) {
    if (!reader.nextWord()) {
      if (statements.content.vertices.length === 0 && bytes[reader.position] === HASH) {
        said ??= unitIn(reader.restOfLine());
        parse = lengthParser(chooseUnit(options, said).unit);
      }
      continue;
    }
    const first = bytes[reader.wordStart];
    const length = reader.wordEnd - reader.wordStart;
    if (length === 1 && first === LETTER_V) {
      const x = reader.length('x', parse);
      const y = reader.length('y', parse);
      statements.vertex(x, y, reader.length('z', parse));
    } else if (length === 1 && first === LETTER_F) statements.face();
    else statements.other(reader.word());
  }
  if (statements.content.vertices.length === 0 && statements.unknown > 0)
    throw notOfFormat(bytes, file, 'an OBJ file', 'vertices such as "v 0 0 1"');
  statements.checkForward();
  const { unit, unitFrom } = chooseUnit(options, said);
  const { parts, notes } = assembleObj(statements.content, options);
  return {
    format: 'obj',
    unit,
    unitFrom,
    parts,
    profiles: [],
    notes: [...notes, ...unitNotes(options, said), ...statements.notes()],
  };
}

/** Collects what the statements of a file say, one after the other. */
class ObjStatements {
  readonly content: ObjContent = { vertices: new GrowingFloat64(3072), segments: [], libraries: [] };
  unknown = 0;
  readonly #reader: TextReader;
  /** Segments by object and group. */
  readonly #segments = new Map<string, ObjSegment>();
  #object = '';
  #group = '';
  #material = '';
  #segment: ObjSegment | undefined;
  readonly #corners = new GrowingUint32();
  readonly #skipped = new Map<string, number>();
  #firstUnknown = '';
  #smallFaces = 0;
  /** The largest vertex number used before its vertex came, and where. */
  #forward = 0;
  #forwardError = '';
  #forwardLine = 0;

  constructor(reader: TextReader) {
    this.#reader = reader;
  }

  /** `v x y z`, with a weight that only curves use, or with a colour. */
  vertex(x: number, y: number, z: number): void {
    const reader = this.#reader;
    const { content } = this;
    content.vertices.push3(x, y, z);
    if (!reader.nextWord()) {
      content.colours?.push3(Number.NaN, Number.NaN, Number.NaN);
      return;
    }
    const red = reader.wordNumber();
    const green = reader.nextWord() ? reader.wordNumber() : Number.NaN;
    const blue = reader.nextWord() ? reader.wordNumber() : Number.NaN;
    if (!content.colours && Number.isFinite(blue)) {
      content.colours = new GrowingFloat64(content.vertices.length);
      for (let i = 3; i < content.vertices.length; i++) content.colours.push(Number.NaN);
    }
    content.colours?.push3(red, green, blue);
  }

  /** `f 1 2 3`, `f 1/1 2/2 3/3`, `f 1//1 2//2 3//3`, `f -3 -2 -1` */
  face(): void {
    const reader = this.#reader;
    const corners = this.#corners;
    const count = this.content.vertices.length / 3;
    const { line } = reader;
    corners.length = 0;
    while (reader.nextWord()) {
      const { bytes, wordStart, wordEnd } = reader;
      let end = wordStart;
      while (end < wordEnd && bytes[end] !== SLASH) end++;
      const number = parseInteger(bytes, wordStart, end);
      if (!(number !== 0 && number >= -count && number < MOST_VERTICES)) throw reader.error(this.#badIndex(count));
      if (number > count && number > this.#forward) {
        this.#forward = number;
        this.#forwardLine = line;
      }
      corners.push(number > 0 ? number - 1 : count + number);
    }
    if (corners.length < 3) {
      this.#smallFaces++;
      return;
    }
    const segment = (this.#segment ??= this.#openSegment());
    const { faces } = segment;
    faces.push(corners.length);
    if (corners.length > 4) faces.push(line);
    for (let i = 0; i < corners.length; i++) faces.push(corners.values[i]);
    if (segment.material !== this.#material) segment.mixed = true;
  }

  other(word: string): void {
    const reader = this.#reader;
    switch (word) {
      case 'vn':
      case 'vt':
        return;
      case 'o':
        this.#object = reader.restOfLine();
        this.#group = '';
        this.#segment = undefined;
        return;
      case 'g':
        this.#group = reader.restOfLine();
        this.#segment = undefined;
        return;
      case 'usemtl':
        this.#material = reader.restOfLine();
        return;
      case 'mtllib':
        this.content.libraries.push(reader.restOfLine());
        return;
      case 'fo': // faces in files older than version 3
        this.face();
        return;
    }
    if (IGNORED.has(word)) return;
    const what = SKIPPED.get(word);
    if (what) this.#skipped.set(what, (this.#skipped.get(what) ?? 0) + 1);
    else if (this.unknown++ === 0) this.#firstUnknown = `${reader.got()} in line ${reader.line}`;
  }

  /** @throws FileError if a face used a vertex that never came */
  checkForward(): void {
    const count = this.content.vertices.length / 3;
    if (this.#forward <= count) return;
    this.#reader.line = this.#forwardLine;
    this.#forwardError = `expected vertex numbers from 1 to ${count}, got ${this.#forward}`;
    throw this.#reader.error(this.#forwardError);
  }

  notes(): string[] {
    const notes = Array.from(this.#skipped, ([what, count]) => `skipped ${count} ${what}`);
    if (this.#smallFaces > 0) notes.push(`skipped ${this.#smallFaces} faces of fewer than 3 corners`);
    if (this.unknown > 0) notes.push(`skipped ${this.unknown} unknown statements, the first ${this.#firstUnknown}`);
    return notes;
  }

  #openSegment(): ObjSegment {
    const key = `${this.#object}\n${this.#group}`;
    let segment = this.#segments.get(key);
    if (!segment) {
      segment = {
        object: this.#object,
        group: this.#group,
        material: this.#material,
        mixed: false,
        faces: new GrowingUint32(),
      };
      this.#segments.set(key, segment);
      this.content.segments.push(segment);
    }
    return segment;
  }

  #badIndex(count: number): string {
    const range = count > 0 ? `from 1 to ${count} or from -${count} to -1` : 'of a vertex, and none came before';
    return `expected a vertex number ${range}, got ${this.#reader.got()}`;
  }
}

const IGNORED = new Set(
  's mg bevel c_interp d_interp lod shadow_obj trace_obj ctech stech maplib usemap csh call vp'.split(' '),
);
const SKIPPED = new Map([
  ['l', 'line statements'],
  ['p', 'point statements'],
  ...'cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con bsp bzp cdc cdp res'
    .split(' ')
    .map((word) => [word, 'statements of free-form curves and surfaces'] as const),
]);

const HASH = 0x23;
const SLASH = 0x2f;
const LETTER_F = 0x66;
const LETTER_V = 0x76;
/** Vertex indices are 32 bits. */
const MOST_VERTICES = 0xffffffff;
