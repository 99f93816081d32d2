/** Writes Wavefront OBJ: the shortest decimals that read back as the same doubles, an object for each part. */
import { type CadPart, parseUnit, type WriteOptions } from './cad-document.js';
import { lengthWriter } from './decimal-shift.js';
import { singleLine, TextWriter } from './text-writer.js';

/**
 * Writes parts as OBJ. A part's colour is written with each of its vertices, as MeshLab and Blender read it, since
 * materials would need a second file. The unit stands in a comment.
 *
 * @example writeObj([{ name: 'wheel', mesh }], { unit: 'mm' })
 */
export function writeObj(parts: readonly CadPart[], options: WriteOptions = {}): Uint8Array {
  const unit = parseUnit(options.unit ?? 'm', 'unit');
  const inUnit = lengthWriter(unit);
  const out = new TextWriter();
  out.write(`# unit: ${unit}\n`);
  let base = 1;
  for (const { name, mesh, colour } of parts) {
    const { vertices, triangles } = mesh;
    const tail = colour ? ` ${colour[0]} ${colour[1]} ${colour[2]}\n` : '\n';
    out.write(`o ${singleLine(name)}\n`);
    for (let i = 0; i < vertices.length; i += 3)
      out.write(`v ${inUnit(vertices[i])} ${inUnit(vertices[i + 1])} ${inUnit(vertices[i + 2])}${tail}`);
    for (let i = 0; i < triangles.length; i += 3)
      out.write(`f ${base + triangles[i]} ${base + triangles[i + 1]} ${base + triangles[i + 2]}\n`);
    base += vertices.length / 3;
  }
  return out.toBytes();
}
