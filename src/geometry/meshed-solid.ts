/** A solid whose inside is meshed. */
import { ModelError } from '../errors.js';
import { ORIGIN, type Solid } from './solid.js';
import { type SolidMesh, surfaceOf } from './solid-mesh.js';

/**
 * A solid with a mesh of tetrahedra inside, such as `readCadFile('bracket.inp')` finds: rigid as any other, or flexible.
 *
 * @throws ModelError if the mesh has no elements
 * @example body({ shape: meshedSolid(part.tetrahedra), material: steel, flexible: true })
 */
export function meshedSolid(tetrahedra: SolidMesh): Solid {
  if (tetrahedra.elementCount === 0) throw new ModelError('meshedSolid', 'expected tetrahedra, got none');
  const { vertices, triangles } = surfaceOf(tetrahedra);
  return { mesh: { vertices, triangles }, form: { kind: 'mesh' }, pose: ORIGIN, tetrahedra };
}
