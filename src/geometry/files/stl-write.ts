/** Writes STL: binary with floats, or text with the digits that keep double precision. */
import { ModelError } from '../../errors.js';
import type { Colour } from '../solid.js';
import { type CadPart, LENGTH_UNITS, parseUnit, type WriteOptions } from './cad-document.js';
import { lengthWriter } from './decimal-shift.js';
import { FACET, HEADER } from './stl-read-binary.js';
import { singleLine, TextWriter } from './text-writer.js';

/**
 * Writes parts as STL. A text file has a solid for each part; a binary file joins them and keeps colours with 5 bits a
 * channel, as VisCAM does. The unit is said as `UNITS=mm`, in the header or after the solid's name.
 *
 * @throws ModelError if a coordinate is beyond single precision, or there are more than 2³² triangles
 * @example writeStl([{ name: 'wheel', mesh }], { unit: 'mm' })
 */
export function writeStl(parts: readonly CadPart[], options: WriteOptions & { ascii?: boolean } = {}): Uint8Array {
  return options.ascii ? writeAscii(parts, options) : writeBinary(parts, options);
}

function writeBinary(parts: readonly CadPart[], options: WriteOptions): Uint8Array {
  const unit = parseUnit(options.unit ?? 'm', 'unit');
  const scale = LENGTH_UNITS[unit];
  const count = parts.reduce((n, part) => n + part.mesh.triangles.length / 3, 0);
  if (count > 0xffffffff) throw new ModelError('writeStl', `expected at most 4294967295 triangles, got ${count}`);
  const bytes = new Uint8Array(HEADER + FACET * count);
  bytes.set(headerText(parts, unit));
  const view = new DataView(bytes.buffer);
  view.setUint32(HEADER - 4, count, true);

  let at = HEADER;
  const corners = new Float64Array(9);
  const normal = new Float64Array(3);
  for (const { name, mesh, colour } of parts) {
    const { vertices, triangles } = mesh;
    const attribute = colour ? colourBits(colour) : 0;
    for (let t = 0; t < triangles.length; t += 3) {
      for (let i = 0; i < 9; i++) {
        const value = Math.fround(vertices[3 * triangles[t + Math.floor(i / 3)] + (i % 3)] / scale);
        if (!Number.isFinite(value))
          throw new ModelError(
            `writeStl.parts.${name}.vertices[${triangles[t + Math.floor(i / 3)]}]`,
            `expected a coordinate within single precision (3.4e38 ${unit}), got ${value}`,
          );
        corners[i] = value;
      }
      facetNormal(corners, normal);
      for (let k = 0; k < 3; k++) view.setFloat32(at + 4 * k, normal[k], true);
      for (let i = 0; i < 9; i++) view.setFloat32(at + 12 + 4 * i, corners[i], true);
      view.setUint16(at + 48, attribute, true);
      at += FACET;
    }
  }
  return bytes;
}

function writeAscii(parts: readonly CadPart[], options: WriteOptions): Uint8Array {
  const unit = parseUnit(options.unit ?? 'm', 'unit');
  const inUnit = lengthWriter(unit);
  const out = new TextWriter();
  const corners = new Float64Array(9);
  const normal = new Float64Array(3);
  for (const part of parts) {
    const { vertices, triangles } = part.mesh;
    const name = singleLine(part.name);
    out.write(`solid ${name} UNITS=${unit}\n`);
    for (let t = 0; t < triangles.length; t += 3) {
      for (let i = 0; i < 9; i++) corners[i] = vertices[3 * triangles[t + Math.floor(i / 3)] + (i % 3)];
      facetNormal(corners, normal);
      out.write(`facet normal ${Array.from(normal, (n) => String(Math.fround(n))).join(' ')}\n`);
      out.write('  outer loop\n');
      for (let i = 0; i < 9; i += 3)
        out.write(`    vertex ${inUnit(corners[i])} ${inUnit(corners[i + 1])} ${inUnit(corners[i + 2])}\n`);
      out.write('  endloop\nendfacet\n');
    }
    out.write(`endsolid ${name}\n`);
  }
  return out.toBytes();
}

/** Unit normal of three corners; 0 for a triangle without area. Edges are scaled so that products do not overflow. */
function facetNormal(corners: Float64Array, normal: Float64Array): void {
  let largest = 0;
  for (let i = 3; i < 9; i++) largest = Math.max(largest, Math.abs(corners[i] - corners[i % 3]));
  const inverse = largest > 0 ? 1 / largest : 0;
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners;
  const ux = (bx - ax) * inverse;
  const uy = (by - ay) * inverse;
  const uz = (bz - az) * inverse;
  const vx = (cx - ax) * inverse;
  const vy = (cy - ay) * inverse;
  const vz = (cz - az) * inverse;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const by1 = length > 0 && length < Infinity ? 1 / length : 0;
  normal[0] = nx * by1;
  normal[1] = ny * by1;
  normal[2] = nz * by1;
}

/** The unit, then the name of a single part, cut to the 80 bytes there are. It must not begin with "solid". */
function headerText(parts: readonly CadPart[], unit: string): Uint8Array {
  const name = parts.length === 1 ? singleLine(parts[0].name).replaceAll('"', "'") : '';
  let shown = name.slice(0, HEADER);
  for (;;) {
    const bytes = new TextEncoder().encode(`STL UNITS=${unit}${shown ? ` name="${shown}"` : ''}`);
    if (bytes.length <= HEADER - 4) return bytes;
    shown = Array.from(shown).slice(0, -1).join('');
  }
}

/** VisCAM: bit 15 set, then 5 bits each of red, green, blue. */
function colourBits([red, green, blue]: Colour): number {
  const five = (c: number): number => Math.round(Math.min(1, Math.max(0, c)) * 31);
  return 0x8000 | (five(red) << 10) | (five(green) << 5) | five(blue);
}
