/**
 * Binary STL: 80 bytes of free text, the number of triangles, then for each 12 floats (normal and three corners) and
 * an attribute of 16 bits, all little-endian.
 *
 * Two programs keep colours in the attribute, 5 bits a channel. VisCAM: bit 15 set means a colour, red in the high
 * bits. Materialise Magics: the header says `COLOR=` and 4 bytes for the whole part; bit 15 clear means a colour of
 * the triangle's own, red in the low bits.
 *
 * Bits of the attribute after "STL (file format)", Wikipedia, §Color in binary STL.
 */
import type { Colour } from '../solid.js';
import { type CadDocument, chooseUnit, finiteCoordinate, type ReadOptions, unitNotes } from './cad-document.js';
import { asciiText } from './number-parser.js';
import { stemOf, unitIn } from './part-names.js';
import { decodeText } from './text-reader.js';
import { Float32Welder } from './vertex-weld.js';

/** Bytes before the first record: text and count. */
export const HEADER = 84;
/** Bytes of a record. */
export const FACET = 50;

/** @param count triangles to read; the caller has checked that the bytes are there */
export function readBinaryStl(
  bytes: Uint8Array,
  count: number,
  options: ReadOptions,
  notes: readonly string[],
): CadDocument {
  const header = decodeText(bytes, 0, HEADER - 4);
  const { unit, unitFrom, scale } = chooseUnit(options, unitIn(header));
  const document = { format: 'stl', unit, unitFrom, profiles: [] } as const;
  const told = [...notes, ...unitNotes(options, unitIn(header))];
  if (count === 0) return { ...document, parts: [], notes: [...told, 'holds no triangles'] };

  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const triangles = new Uint32Array(3 * count);
  const welder = new Float32Welder(Math.ceil(count / 2)); // a closed surface has about half as many vertices
  const firstAttribute = view.getUint16(HEADER + FACET - 2, true);
  let sameAttribute = true;
  for (let t = 0, at = HEADER + 12; t < count; t++, at += FACET) {
    for (let corner = 0; corner < 3; corner++) {
      const place = at + 12 * corner;
      const x = view.getInt32(place, true);
      const y = view.getInt32(place + 4, true);
      const z = view.getInt32(place + 8, true);
      if ((x & EXPONENT) === EXPONENT || (y & EXPONENT) === EXPONENT || (z & EXPONENT) === EXPONENT)
        refuseCorner(view, place, t, options.fileName);
      triangles[3 * t + corner] = welder.add(x, y, z);
    }
    if (view.getUint16(at + 36, true) !== firstAttribute) sameAttribute = false;
  }

  const partColour = magicsColour(bytes);
  const colour = sameAttribute ? attributeColour(firstAttribute, partColour) : undefined;
  return {
    ...document,
    parts: [
      {
        name: /\bname="([^"]*)"/.exec(header)?.[1] || stemOf(options.fileName),
        mesh: { vertices: welder.points(scale), triangles },
        ...(colour && { colour }),
      },
    ],
    notes: [
      ...told,
      ...(sameAttribute ? [] : colourNote(view, count, partColour)),
      ...(normalsOppose(view, count) ? [NORMALS_OPPOSE] : []),
    ],
  };
}

export const NORMALS_OPPOSE =
  'most normals point against the winding of their triangles; the winding was kept and normals ignored, so the part may be inside out';

/** Exponent bits of a float: all set means infinite or not a number. */
const EXPONENT = 0x7f800000;

function refuseCorner(view: DataView, place: number, triangle: number, file: string): void {
  for (let k = 0; k < 3; k++)
    finiteCoordinate(view.getFloat32(place + 4 * k, true), file, `triangle ${triangle} (byte ${place + 4 * k})`);
}

/** The four bytes after `COLOR=` in the header, if any. */
function magicsColour(bytes: Uint8Array): Colour | undefined {
  const at = asciiText(bytes, 0, HEADER - 4).indexOf('COLOR=');
  if (at < 0 || at + 10 > HEADER - 4) return undefined;
  return [bytes[at + 6] / 255, bytes[at + 7] / 255, bytes[at + 8] / 255, bytes[at + 9] / 255];
}

function attributeColour(attribute: number, partColour: Colour | undefined): Colour | undefined {
  const low = (attribute & 31) / 31;
  const middle = ((attribute >> 5) & 31) / 31;
  const high = ((attribute >> 10) & 31) / 31;
  if (!partColour) return attribute & 0x8000 ? [high, middle, low, 1] : undefined;
  // A file of nothing but zeros does not use the attribute, whatever the bits would mean.
  return attribute & 0x8000 || attribute === 0 ? partColour : [low, middle, high, 1];
}

/** Attributes differ: says so if they are colours. */
function colourNote(view: DataView, count: number, partColour: Colour | undefined): string[] {
  const colours = new Set<number>();
  for (let t = 0; t < count; t++) {
    const attribute = view.getUint16(HEADER + FACET * t + 48, true);
    const coloured = (attribute & 0x8000) !== 0;
    if (partColour ? true : coloured) colours.add(partColour && coloured ? 0x8000 : attribute);
  }
  return colours.size === 0 ? [] : [`triangles have ${colours.size} colours; a part keeps only one, so none was kept`];
}

/** Looks at up to 4096 triangles spread over the file. */
function normalsOppose(view: DataView, count: number): boolean {
  const stride = Math.ceil(count / 4096);
  let against = 0;
  let seen = 0;
  for (let t = 0; t < count; t += stride) {
    const f = (i: number) => view.getFloat32(HEADER + FACET * t + 4 * i, true);
    const side = sideOfNormal(
      f(0),
      f(1),
      f(2),
      f(6) - f(3),
      f(7) - f(4),
      f(8) - f(5),
      f(9) - f(3),
      f(10) - f(4),
      f(11) - f(5),
    );
    if (side < 0) against++;
    if (side !== 0) seen++;
  }
  return 2 * against > seen;
}

/** Sign of n · (u × v) for the edges u and v from the first corner; 0 where the normal is missing or not a number. */
export function sideOfNormal(
  nx: number,
  ny: number,
  nz: number,
  ux: number,
  uy: number,
  uz: number,
  vx: number,
  vy: number,
  vz: number,
): number {
  const product = nx * (uy * vz - uz * vy) + ny * (uz * vx - ux * vz) + nz * (ux * vy - uy * vx);
  return product > 0 ? 1 : product < 0 ? -1 : 0;
}
