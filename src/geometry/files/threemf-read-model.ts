/**
 * One model part of a 3MF package (`3D/3dmodel.model` and, with the production extension, others): objects, colours
 * and what is to be built of them, in one pass over the XML.
 *
 * 3D Manufacturing Format, Core Specification 1.3, chapters 3 and 4; Materials and Properties Extension 1.2.1, §3;
 * Production Extension 1.1.2, §4.
 */
import type { Colour } from '../solid.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { chooseUnit, type LengthUnit, type ReadOptions, unitNotes } from './cad-document.js';
import { type LengthParser, lengthParser } from './decimal-shift.js';
import { GrowingFloat64, GrowingUint32 } from './growing.js';
import { parseInteger, parseShifted } from './number-parser.js';
import type { Affine } from './placement.js';
import { IDENTITY_AFFINE } from './placement.js';
import { XmlScanner } from './threemf-read-xml.js';

/** An object put somewhere: a component of another object or an item to be built. */
export interface ThreeMfPlace {
  readonly objectId: string;
  /** Entry of the package that defines the object; undefined: the same as this one. */
  readonly path: string | undefined;
  /** Row form, translation in m. */
  readonly transform: Affine;
  readonly partNumber: string | undefined;
  /** `3D/3dmodel.model, line 7` */
  readonly where: string;
}

export interface ThreeMfObject {
  readonly name: string | undefined;
  readonly type: string;
  readonly colour: Colour | undefined;
  /** m; an object has either a mesh or components */
  readonly mesh: TriangleMesh | undefined;
  readonly components: readonly ThreeMfPlace[];
}

export interface ThreeMfModel {
  readonly unit: LengthUnit;
  readonly unitFrom: 'file' | 'option' | 'assumed';
  readonly objects: ReadonlyMap<string, ThreeMfObject>;
  readonly items: readonly ThreeMfPlace[];
  readonly notes: readonly string[];
}

const UNITS: ReadonlyMap<string, LengthUnit> = new Map([
  ['micron', 'um'],
  ['millimeter', 'mm'],
  ['centimeter', 'cm'],
  ['inch', 'in'],
  ['foot', 'ft'],
  ['meter', 'm'],
]);

/** Reads a model part. @param entry its name in the package */
export function readModelPart(bytes: Uint8Array, entry: string, options: ReadOptions): ThreeMfModel {
  const scanner = new XmlScanner(bytes, options.fileName, entry);
  return new ModelPartReader(scanner, options).read();
}

/** An object as it is read: its colour is known only when all colour groups are. */
interface PendingObject extends Omit<ThreeMfObject, 'colour'> {
  readonly property: string | undefined;
  /** Colours of single triangles, `group index` → how many. */
  readonly triangleColours: ReadonlyMap<string, number>;
}

class ModelPartReader {
  readonly #scanner: XmlScanner;
  readonly #options: ReadOptions;
  #parseLength: LengthParser = () => Number.NaN;
  readonly #objects = new Map<string, PendingObject>();
  readonly #items: ThreeMfPlace[] = [];
  /** Colours of `basematerials` and `colorgroup` by the id of the group. */
  readonly #groups = new Map<string, Colour[]>();
  readonly #skipped = new Set<string>();

  constructor(scanner: XmlScanner, options: ReadOptions) {
    this.#scanner = scanner;
    this.#options = options;
  }

  read(): ThreeMfModel {
    const scanner = this.#scanner;
    if (!scanner.next() || !scanner.opens || !scanner.is('model'))
      throw scanner.error('expected the element <model> of a 3MF model');
    const said = scanner.text('unit') ?? 'millimeter'; // the default of the specification
    const known = UNITS.get(said.toLowerCase());
    if (!known && !this.#options.unit)
      throw scanner.error(`expected the unit to be one of ${[...UNITS.keys()].join(', ')}, got "${said}"`);
    const { unit, unitFrom } = chooseUnit(this.#options, known);
    this.#parseLength = lengthParser(unit);

    while (scanner.next()) {
      if (!scanner.opens || scanner.is('resources') || scanner.is('build')) continue;
      if (scanner.is('object')) this.#readObject();
      else if (scanner.is('item')) {
        this.#items.push(this.#readPlace());
        scanner.skip();
      } else if (scanner.is('basematerials')) this.#readColours('base', 'displaycolor');
      else if (scanner.is('colorgroup')) this.#readColours('color', 'color');
      else this.#skip();
    }
    const notes = [
      ...[...this.#skipped].map((name) => `3MF elements <${name}> were skipped`),
      ...unitNotes(this.#options, known),
    ];
    const objects = new Map(Array.from(this.#objects, ([id, object]) => [id, this.#paint(id, object, notes)]));
    return { unit, unitFrom, objects, items: this.#items, notes };
  }

  #readObject(): void {
    const scanner = this.#scanner;
    const id = scanner.text('id');
    if (id === undefined) throw scanner.error('expected the attribute id of <object>');
    if (this.#objects.has(id)) throw scanner.error(`expected each object id once, got ${id} again`);
    const name = scanner.text('name');
    const type = scanner.text('type') ?? 'model';
    const group = scanner.text('pid');
    const property = group === undefined ? undefined : `${group} ${scanner.text('pindex') ?? '0'}`;
    let mesh: TriangleMesh | undefined;
    let triangleColours: ReadonlyMap<string, number> = new Map();
    const components: ThreeMfPlace[] = [];
    const { depth } = scanner;
    while (scanner.next() && scanner.depth > depth) {
      if (!scanner.opens || scanner.is('components')) continue;
      if (scanner.is('mesh')) {
        if (mesh) throw scanner.error('expected one <mesh> in an object, got another');
        const read = this.#readMesh(group);
        mesh = read.mesh;
        triangleColours = read.colours;
      } else if (scanner.is('component')) {
        components.push(this.#readPlace());
        scanner.skip();
      } else this.#skip();
    }
    if (mesh && components.length > 0)
      throw scanner.error(`object ${id} has a mesh and components; expected one of them`);
    this.#objects.set(id, { name, type, property, mesh, triangleColours, components });
  }

  #readMesh(objectGroup: string | undefined): { mesh: TriangleMesh; colours: ReadonlyMap<string, number> } {
    const scanner = this.#scanner;
    const colours = new Map<string, number>();
    const vertices = new GrowingFloat64();
    const triangles = new GrowingUint32();
    /** The largest corner so far. */
    let largest = -1;
    const refuseCorner = () =>
      scanner.error(
        `the mesh has ${vertices.length / 3} vertices, but a triangle uses vertex ${largest}, counted from 0`,
      );
    const { depth } = scanner;
    while (scanner.next() && scanner.depth > depth) {
      if (!scanner.opens) continue;
      if (scanner.is('vertex')) vertices.push3(this.#length('x'), this.#length('y'), this.#length('z'));
      else if (scanner.is('triangle')) {
        const a = this.#corner('v1');
        const b = this.#corner('v2');
        const c = this.#corner('v3');
        triangles.push3(a, b, c);
        largest = Math.max(largest, a, b, c);
        if (3 * largest >= vertices.length) throw refuseCorner();
        if (scanner.attribute('p1')) {
          const key = `${scanner.text('pid') ?? objectGroup ?? ''} ${scanner.text('p1')}`;
          colours.set(key, (colours.get(key) ?? 0) + 1);
        }
      } else if (!scanner.is('vertices') && !scanner.is('triangles')) this.#skip();
    }
    return { mesh: { vertices: vertices.toArray(), triangles: triangles.toArray() }, colours };
  }

  #length(axis: string): number {
    const scanner = this.#scanner;
    const value = scanner.attribute(axis)
      ? this.#parseLength(scanner.bytes, scanner.valueStart, scanner.valueEnd)
      : Number.NaN;
    if (!(value - value === 0))
      throw scanner.error(`expected ${axis} of the vertex, a finite number, got ${scanner.got(axis)}`);
    return value;
  }

  #corner(name: string): number {
    const scanner = this.#scanner;
    const value = scanner.attribute(name)
      ? parseInteger(scanner.bytes, scanner.valueStart, scanner.valueEnd)
      : Number.NaN;
    if (!(value >= 0 && value < 0xffffffff))
      throw scanner.error(`expected ${name} of the triangle, the index of a vertex, got ${scanner.got(name)}`);
    return value;
  }

  #readPlace(): ThreeMfPlace {
    const scanner = this.#scanner;
    const objectId = scanner.text('objectid');
    if (objectId === undefined) throw scanner.error(`expected the attribute objectid of <${scanner.name()}>`);
    const path = scanner.text('path');
    const partNumber = scanner.text('partnumber');
    return { objectId, path, transform: this.#readTransform(), partNumber, where: scanner.where() };
  }

  /** `m00 m01 … m32`: rows of the 4 × 3 matrix by which the specification multiplies row vectors from the right (§3.3). */
  #readTransform(): Affine {
    const scanner = this.#scanner;
    const text = scanner.text('transform');
    if (text === undefined) return IDENTITY_AFFINE;
    const words = text.split(/\s+/).slice(0, 13);
    const bytes = words.map((word) => new TextEncoder().encode(word));
    const m = bytes.map((word, i) =>
      i < 9 ? parseShifted(word, 0, word.length, 0) : this.#parseLength(word, 0, word.length),
    );
    if (m.length !== 12 || !m.every(Number.isFinite))
      throw scanner.error(`expected a transform of 12 finite numbers, got "${text.slice(0, 200)}"`);
    return [m[0], m[3], m[6], m[9], m[1], m[4], m[7], m[10], m[2], m[5], m[8], m[11]];
  }

  #readColours(element: string, attribute: string): void {
    const scanner = this.#scanner;
    const id = scanner.text('id') ?? '';
    const colours: Colour[] = [];
    const { depth } = scanner;
    while (scanner.next() && scanner.depth > depth) {
      if (!scanner.opens || !scanner.is(element)) continue;
      const text = scanner.text(attribute) ?? '';
      if (!/^#[0-9a-f]{6}([0-9a-f]{2})?$/i.test(text))
        throw scanner.error(`expected ${attribute} as #RRGGBB or #RRGGBBAA, got "${text.slice(0, 40)}"`);
      const part = (i: number) => Number.parseInt(text.slice(i, i + 2), 16) / 255;
      colours.push([part(1), part(3), part(5), text.length === 9 ? part(7) : 1]);
    }
    this.#groups.set(id, colours);
  }

  /** An object has one colour with us: its own, else that of most of its triangles. */
  #paint(id: string, object: PendingObject, notes: string[]): ThreeMfObject {
    const { property, triangleColours, ...rest } = object;
    const colourOf = (key: string): Colour | undefined => {
      const [group, index] = key.split(' ');
      return this.#groups.get(group)?.[Number(index)];
    };
    let colour = property === undefined ? undefined : colourOf(property);
    const painted = [...triangleColours].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (painted.length > 0) {
      const triangles = (rest.mesh?.triangles.length ?? 0) / 3;
      const count = painted.reduce((n, [, times]) => n + times, 0);
      if (painted.length > 1 || count < triangles)
        notes.push(
          `object ${id.slice(0, 20)}${rest.name ? ` "${rest.name.slice(0, 60)}"` : ''} has colours per triangle; one colour was kept`,
        );
      if (!colour || (painted[0][1] === triangles && painted.length === 1)) colour = colourOf(painted[0][0]) ?? colour;
    }
    return { ...rest, colour };
  }

  /** Skips an element that says nothing about the shape, or something we do not read. */
  #skip(): void {
    const name = this.#scanner.name();
    if (!SILENT.has(name) && this.#skipped.size < 20) this.#skipped.add(name);
    this.#scanner.skip();
  }
}

const SILENT = new Set(['metadata', 'metadatagroup', 'trianglesets']);
