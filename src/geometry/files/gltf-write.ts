/**
 * Writes GLB, the one-file form of glTF 2.0: a node, mesh and material per part. Positions are 32-bit floats as the
 * format wants them, in metres and y up: our (x, y, z) becomes (x, z, −y). A part far from the origin gets its place
 * from the node, in double precision, so that its vertices keep their digits. There are no normals: by the specification
 * (§3.7.2.1) a viewer then shades every triangle flat, which is what machined parts look like.
 *
 * The same parts give the same bytes.
 */
import { ModelError } from '../../errors.js';
import { meshBounds } from '../triangle-mesh.js';
import type { CadPart, WriteOptions } from './cad-document.js';
import { GlbBuilder } from './glb-builder.js';

/**
 * @param parts coordinates in m
 * @throws ModelError on a part without triangles, a coordinate that is not finite, a unit other than m
 * @example const bytes = await writeGlb([{ name: 'wheel', mesh: wheel.mesh, colour: [0.8, 0.6, 0.2, 1] }]);
 */
export async function writeGlb(parts: readonly CadPart[], options: WriteOptions = {}): Promise<Uint8Array> {
  if ((options.unit ?? 'm') !== 'm')
    throw new ModelError('unit', `glTF is in metres by its standard; leave the unit out, got "${options.unit}"`);
  const glb = new GlbBuilder();
  parts.forEach((part, i) => {
    const { vertices, triangles } = part.mesh;
    if (triangles.length === 0)
      throw new ModelError(
        `parts[${i}].mesh`,
        `expected triangles in "${part.name}", got none; glTF has no empty parts`,
      );
    const origin = originOf(part);
    const positions = new Float32Array(vertices.length);
    for (let v = 0; v < vertices.length; v += 3) {
      positions[v] = vertices[v] - origin[0];
      positions[v + 1] = vertices[v + 2] - origin[2];
      positions[v + 2] = origin[1] - vertices[v + 1];
      for (let k = 0; k < 3; k++)
        if (!Number.isFinite(positions[v + k]))
          throw new ModelError(
            `parts[${i}].mesh.vertices[${v / 3}]`,
            `expected coordinates in m that fit 32-bit floats, got ${vertices.slice(v, v + 3).join(', ')}`,
          );
    }
    const mesh = glb.mesh(part.name, [
      {
        attributes: { POSITION: glb.numbers(positions, 'vertices') },
        indices: glb.numbers(indexArray(triangles, vertices.length / 3), 'indices'),
        ...(part.colour && { material: glb.material(part.colour) }),
      },
    ]);
    const away = origin.some((x) => x !== 0);
    glb.node({ name: part.name, mesh, ...(away && { translation: [origin[0], origin[2], 0 - origin[1]] }) });
  });
  return glb.bytes();
}

/**
 * Where positions are counted from: the world's origin, or the middle of a part that is more than ten times its size
 * away, rounded to a 32-bit float so that readers which chain transforms in floats agree.
 */
function originOf(part: CadPart): readonly [number, number, number] {
  const { min, max } = meshBounds(part.mesh);
  const size = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const middle = [0, 1, 2].map((k) => Math.fround((min[k] + max[k]) / 2));
  const away = Math.max(...middle.map(Math.abs));
  return away > 10 * size && Number.isFinite(away) ? [middle[0], middle[1], middle[2]] : [0, 0, 0];
}

/** 16-bit indices where they are enough; 65535 itself is reserved (§3.7.2.1). */
export const indexArray = (
  triangles: Uint32Array,
  vertexCount: number,
): Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> =>
  vertexCount < 65_535 ? Uint16Array.from(triangles) : Uint32Array.from(triangles);
