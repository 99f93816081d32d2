/** Writes PLY with double-precision coordinates, binary or as text. */
import { ModelError } from '../../errors.js';
import { joinMeshes } from '../triangle-mesh.js';
import { type CadPart, LENGTH_UNITS, parseUnit, type WriteOptions } from './cad-document.js';
import { lengthWriter } from './decimal-shift.js';
import { singleLine, TextWriter } from './text-writer.js';

/**
 * Writes parts as one PLY mesh. Colours stand with the vertices, 8 bits a channel; the unit and the name of a single
 * part in comments of the header.
 *
 * @example writePly([{ name: 'wheel', mesh }], { unit: 'mm' })
 */
export function writePly(parts: readonly CadPart[], options: WriteOptions & { ascii?: boolean } = {}): Uint8Array {
  const unit = parseUnit(options.unit ?? 'm', 'unit');
  const { vertices, triangles } = joinMeshes(parts.map((part) => part.mesh));
  if (vertices.length / 3 > 0x7fffffff)
    throw new ModelError('writePly', `expected at most 2147483647 vertices, got ${vertices.length / 3}`);
  const colours = vertexColours(parts);
  const header = new TextWriter();
  header.write(`ply\nformat ${options.ascii ? 'ascii' : 'binary_little_endian'} 1.0\ncomment unit: ${unit}\n`);
  if (parts.length === 1) header.write(`comment name: ${singleLine(parts[0].name)}\n`);
  header.write(`element vertex ${vertices.length / 3}\nproperty double x\nproperty double y\nproperty double z\n`);
  if (colours) for (const channel of ['red', 'green', 'blue', 'alpha']) header.write(`property uchar ${channel}\n`);
  header.write(`element face ${triangles.length / 3}\nproperty list uchar int vertex_indices\nend_header\n`);

  if (options.ascii) {
    const inUnit = lengthWriter(unit);
    for (let i = 0; i < vertices.length; i += 3) {
      header.write(`${inUnit(vertices[i])} ${inUnit(vertices[i + 1])} ${inUnit(vertices[i + 2])}`);
      if (colours) for (let k = 0; k < 4; k++) header.write(` ${colours[4 * (i / 3) + k]}`);
      header.write('\n');
    }
    for (let i = 0; i < triangles.length; i += 3)
      header.write(`3 ${triangles[i]} ${triangles[i + 1]} ${triangles[i + 2]}\n`);
    return header.toBytes();
  }

  const head = header.toBytes();
  const vertexBytes = colours ? 28 : 24;
  const bytes = new Uint8Array(head.length + (vertices.length / 3) * vertexBytes + (triangles.length / 3) * 13);
  bytes.set(head);
  const view = new DataView(bytes.buffer);
  const scale = LENGTH_UNITS[unit];
  let at = head.length;
  for (let i = 0; i < vertices.length; i += 3) {
    for (let k = 0; k < 3; k++) view.setFloat64(at + 8 * k, vertices[i + k] / scale, true);
    if (colours) for (let k = 0; k < 4; k++) view.setUint8(at + 24 + k, colours[4 * (i / 3) + k]);
    at += vertexBytes;
  }
  for (let i = 0; i < triangles.length; i += 3) {
    view.setUint8(at, 3);
    for (let k = 0; k < 3; k++) view.setInt32(at + 1 + 4 * k, triangles[i + k], true);
    at += 13;
  }
  return bytes;
}

/** 4 per vertex, 0 to 255; undefined if no part has a colour. A part without one is white among parts that have one. */
function vertexColours(parts: readonly CadPart[]): Uint8Array | undefined {
  if (!parts.some((part) => part.colour)) return undefined;
  const colours = new Uint8Array((4 * parts.reduce((n, part) => n + part.mesh.vertices.length, 0)) / 3);
  let at = 0;
  for (const { mesh, colour = [1, 1, 1, 1] } of parts)
    for (let i = 0; i < mesh.vertices.length; i += 3)
      for (let k = 0; k < 4; k++) colours[at++] = Math.round(255 * Math.min(1, Math.max(0, colour[k])));
  return colours;
}
