/**
 * Reads PLY, the polygon format of 3D scanners: text or binary of either byte order, any properties in any order.
 * Faces may be polygons or strips of triangles. What is no vertex and no face is skipped.
 *
 * Turk (1994), The PLY polygon file format; strips after the files of the Stanford 3D Scanning Repository.
 */
import { FileError } from '../../errors.js';
import type { Colour } from '../solid.js';
import {
  type CadDocument,
  type CadPart,
  chooseUnit,
  LENGTH_UNITS,
  type ReadOptions,
  unitNotes,
} from './cad-document.js';
import { lengthParser } from './decimal-shift.js';
import { crossingNote, FaceCutter } from './face-cutter.js';
import { GrowingUint32 } from './growing.js';
import { stemOf, unitIn } from './part-names.js';
import { type PlyElement, type PlyProperty, type PlyScalar, propertyNames, readPlyHeader } from './ply-header.js';
import { BinaryPlyValues, type PlyValues, TextPlyValues } from './ply-values.js';
import { notOfFormat, openingText, refuseEmpty } from './recognise.js';
import { TextReader } from './text-reader.js';
import { UsedVertices } from './used-vertices.js';

/**
 * Reads a PLY file into one part. PLY has no unit: a comment `unit: mm` in the header is honoured, otherwise m is
 * assumed. Colours of vertices or faces become the part's colour if they are all the same, else colours of its vertices or triangles.
 *
 * @throws FileError naming the line, or the vertex or face and its byte, and the defect
 * @example readPly(bytes, { fileName: 'scan.ply', unit: 'mm' }).parts[0].mesh
 */
export function readPly(bytes: Uint8Array, options: ReadOptions): CadDocument {
  const file = options.fileName;
  refuseEmpty(bytes, file, 'a PLY file');
  if (!/^ply[ \t]*[\r\n]/.test(openingText(bytes)))
    throw notOfFormat(bytes, file, 'a PLY file', '"ply" alone in line 1');
  const reader = new TextReader(bytes, file);
  const header = readPlyHeader(reader);
  const said = header.comments.map(unitIn).find((unit) => unit !== undefined);
  const { unit, unitFrom } = chooseUnit(options, said);
  const values: PlyValues =
    header.form === 'ascii'
      ? new TextPlyValues(reader, lengthParser(unit))
      : new BinaryPlyValues(bytes, header.bodyStart, header.form === 'binary_little_endian', LENGTH_UNITS[unit], file);

  const body = new PlyBody(values, header.elements, file);
  for (const element of header.elements) body.read(element);
  const { vertices, faces, notes } = body;
  notes.push(...unitNotes(options, said));

  // Cut faces into triangles and leave out vertices that none of them uses.
  const cutter = new FaceCutter(vertices, file);
  const triangles = new GrowingUint32(faces.length);
  const faceOf = new GrowingUint32(faces.length); // of each triangle
  for (let at = 0, face = 0; at < faces.length; at += 1 + faces.values[at], face++) {
    cutter.cut(faces.values, at + 1, faces.values[at], triangles, () => `face ${face}`);
    while (3 * faceOf.length < triangles.length) faceOf.push(face);
  }
  notes.push(...crossingNote(cutter));
  const document = { format: 'ply', unit, unitFrom, profiles: [], notes } as const;
  if (triangles.length === 0) {
    notes.push(`holds ${vertices.length / 3} points and no faces`);
    return { ...document, parts: [] };
  }
  const indices = triangles.toArray();
  const colours = body.colours(indices, faceOf);
  const mesh = new UsedVertices(vertices).mesh(indices);
  const unused = (vertices.length - mesh.vertices.length) / 3;
  if (unused > 0) notes.push(`left out ${unused} vertices that no face uses`);
  const name = header.comments.map((comment) => /^name:\s*(.+)/.exec(comment)?.[1]).find((found) => found);
  return { ...document, parts: [{ name: name ?? stemOf(file), mesh, ...colours }] };
}

class PlyBody {
  /** 3 per vertex, m */
  vertices = new Float64Array(0);
  /** For each face the number of corners, then its vertices. */
  readonly faces = new GrowingUint32();
  readonly notes: string[] = [];
  readonly #values: PlyValues;
  readonly #file: string;
  readonly #vertexCount: number;
  readonly #vertexColour = new ColourWatch();
  readonly #faceColour = new ColourWatch();
  /** Faces of the file that are in `faces` */
  readonly #kept = new GrowingUint32();
  #smallFaces = 0;
  #faceRows = 0;

  constructor(values: PlyValues, elements: readonly PlyElement[], file: string) {
    this.#values = values;
    this.#file = file;
    this.#vertexCount = elements.find(({ name }) => name === 'vertex')?.count ?? 0;
  }

  read(element: PlyElement): void {
    if (element.properties.length === 0) return;
    this.#values.checkRoom(element);
    if (element.name === 'vertex' && this.vertices.length === 0) this.#readVertices(element);
    else if (element.name === 'face' || element.name === 'tristrips') this.#readFaces(element);
    else this.#skipElement(element);
  }

  /**
   * The colours of vertices or, if they have none, of faces: one if they are all the same.
   *
   * @param triangles of vertices of the file
   * @param faceOf each triangle
   */
  colours(
    triangles: Uint32Array,
    faceOf: GrowingUint32,
  ): Pick<CadPart, 'colour' | 'vertexColours' | 'triangleColours'> {
    if (this.#smallFaces > 0) this.notes.push(`skipped ${this.#smallFaces} faces of fewer than 3 corners`);
    const watch = this.#vertexColour.seen ? this.#vertexColour : this.#faceColour;
    const colour = watch.seen ? watch.colour() : undefined;
    if (!colour || watch.uniform) return colour ? { colour } : {};
    if (this.#vertexColour.seen) {
      const kept = new UsedVertices(watch.parts(this.#vertexCount)).mesh(triangles.slice()).vertices;
      return { vertexColours: Uint8Array.from(kept) };
    }
    const parts = watch.parts(this.#faceRows);
    const triangleColours = new Uint8Array(triangles.length);
    for (let i = 0; i < faceOf.length; i++) {
      const face = 3 * this.#kept.values[faceOf.values[i]];
      triangleColours.set(parts.subarray(face, face + 3), 3 * i);
    }
    return { triangleColours };
  }

  #headerError(defect: string): FileError {
    return new FileError(this.#file, 'header', defect);
  }

  #readVertices(element: PlyElement): void {
    const values = this.#values;
    const { count, properties } = element;
    const axes = properties.map(({ name, countType }) => (countType ? -1 : ['x', 'y', 'z'].indexOf(name)));
    for (let k = 0; k < 3; k++)
      if (axes.filter((axis) => axis === k).length !== 1)
        throw this.#headerError(
          `expected one property "${'xyz'[k]}" of element "vertex", got ${propertyNames(element)}`,
        );
    const channels = properties.map(channelOf);
    this.vertices = new Float64Array(3 * count);
    for (let row = 0; row < count; row++) {
      values.startRow(element, row);
      for (let i = 0; i < properties.length; i++) {
        const { type, name } = properties[i];
        if (axes[i] >= 0) this.vertices[3 * row + axes[i]] = values.coordinate(type, name);
        else if (channels[i] >= 0) this.#vertexColour.add(row, channels[i], fraction(values.value(type, name), type));
        else this.#skipProperty(properties[i]);
      }
    }
  }

  #readFaces(element: PlyElement): void {
    const { count, properties } = element;
    const values = this.#values;
    const isIndices = ({ name, countType }: PlyProperty): boolean =>
      countType !== undefined && (name === 'vertex_indices' || name === 'vertex_index');
    const channels = properties.map(channelOf);
    if (!properties.some(isIndices))
      throw this.#headerError(
        `expected a list "vertex_indices" in element "${element.name}", got ${propertyNames(element)}`,
      );
    this.#faceRows += count;
    for (let row = 0; row < count; row++) {
      values.startRow(element, row);
      for (let i = 0; i < properties.length; i++) {
        const property = properties[i];
        if (isIndices(property)) {
          if (element.name === 'face') this.#readFace(property, row);
          else this.#readStrip(property, row);
        } else if (channels[i] >= 0)
          this.#faceColour.add(row, channels[i], fraction(values.value(property.type, property.name), property.type));
        else this.#skipProperty(property);
      }
    }
  }

  #readFace(property: PlyProperty, row: number): void {
    const length = this.#listLength(property);
    const { faces } = this;
    const start = faces.length;
    faces.push(length);
    for (let i = 0; i < length; i++) faces.push(this.#index(property.type, 0));
    if (length >= 3) {
      this.#kept.push(row);
      return;
    }
    faces.length = start;
    this.#smallFaces++;
  }

  /** Strips of triangles a b c, c b d, c d e …; −1 starts a new one. Triangles with a repeated corner only link others. */
  #readStrip(property: PlyProperty, row: number): void {
    const length = this.#listLength(property);
    let a = -1;
    let b = -1;
    let odd = false;
    for (let i = 0; i < length; i++) {
      const c = this.#index(property.type, -1);
      if (c < 0) {
        a = b = -1;
        continue;
      }
      if (a < 0) odd = false;
      else {
        if (a !== b && b !== c && c !== a) {
          this.#kept.push(row);
          this.faces.push(3);
          this.faces.push3(odd ? b : a, odd ? a : b, c);
        }
        odd = !odd;
      }
      a = b;
      b = c;
    }
  }

  #index(type: PlyScalar, least: number): number {
    const index = this.#values.value(type, 'a vertex index');
    if (!(index >= least && index < this.#vertexCount && Number.isInteger(index)))
      throw this.#values.error(`expected vertex indices from ${least} to ${this.#vertexCount - 1}, got ${index}`);
    return index;
  }

  #listLength({ name, countType }: PlyProperty): number {
    const length = this.#values.value(countType!, `the length of list "${name}"`);
    if (!(length >= 0 && Number.isInteger(length)))
      throw this.#values.error(`expected the length of list "${name}", a whole number of 0 or more, got ${length}`);
    return length;
  }

  #skipProperty(property: PlyProperty): void {
    const count = property.countType ? this.#listLength(property) : 1;
    this.#values.skip(property.type, count, property.name);
  }

  #skipElement(element: PlyElement): void {
    if (element.count > 0) this.notes.push(`skipped ${element.count} elements "${element.name}"`);
    for (let row = 0; row < element.count; row++) {
      this.#values.startRow(element, row);
      for (const property of element.properties) this.#skipProperty(property);
    }
  }
}

/** Keeps colours, and notices whether all are the same. */
class ColourWatch {
  seen = false;
  uniform = true;
  readonly #first = [Number.NaN, Number.NaN, Number.NaN, Number.NaN];
  /** 3 per row, 0 to 255 */
  #parts = new Uint8Array(0);

  add(row: number, channel: number, value: number): void {
    this.seen = true;
    if (channel < 3) {
      if (3 * row >= this.#parts.length) {
        const grown = new Uint8Array(Math.max(3072, 6 * (row + 1)));
        grown.set(this.#parts);
        this.#parts = grown;
      }
      this.#parts[3 * row + channel] = Math.round(255 * Math.min(1, Math.max(0, value)));
    }
    if (Number.isNaN(this.#first[channel])) this.#first[channel] = value;
    else if (this.#first[channel] !== value) this.uniform = false;
  }

  /** 3 for each of so many rows, 0 to 255 */
  parts(rows: number): Float64Array {
    return Float64Array.from({ length: 3 * rows }, (_, i) => this.#parts[i] ?? 0);
  }

  colour(): Colour | undefined {
    const [red, green, blue, alpha] = this.#first;
    if (!Number.isFinite(red + green + blue)) return undefined;
    const part = (value: number) => Math.min(1, Math.max(0, value));
    return [part(red), part(green), part(blue), Number.isFinite(alpha) ? part(alpha) : 1];
  }
}

function channelOf({ name, countType }: PlyProperty): number {
  return countType ? -1 : ['red', 'green', 'blue', 'alpha'].indexOf(name.replace(/^diffuse_/, ''));
}

/** Whole-number channels run up to the largest of their type, others to 1. */
const fraction = (value: number, type: PlyScalar): number =>
  type === 'uint8' ? value / 255 : type === 'uint16' ? value / 65535 : value;
