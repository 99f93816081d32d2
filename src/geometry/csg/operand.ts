/** What a user passes to union, subtract and intersect, checked once at the border. */
import { ModelError } from '../../errors.js';
import type { Solid } from '../solid.js';
import { openEdges } from '../topology.js';
import { type Bounds, meshBounds, type TriangleMesh, vertexAt } from '../triangle-mesh.js';

/** A solid, or the closed mesh of one. */
export type Operand = Solid | TriangleMesh;

export const meshOf = (operand: Operand): TriangleMesh => ('mesh' in operand ? operand.mesh : operand);

/** Beyond this the square of a coordinate nears the end of the number range. */
const FURTHEST = 1e150; // m

/**
 * Bounds of an operand that is fit for CSG: finite, closed, oriented, right side out. A mesh without triangles is fit:
 * it is the empty solid. Whether the surface cuts through itself is not examined, see docs/theory/geometry-csg.md.
 *
 * @throws ModelError saying which operand it is and what is wrong with it
 */
export function checkOperand(operand: Operand, path: string): Bounds {
  if (typeof operand !== 'object' || operand === null || !('mesh' in operand || 'triangles' in operand))
    throw new ModelError(
      path,
      `expected a solid or a triangle mesh, got ${operand === null ? 'null' : typeof operand}`,
    );
  const mesh = meshOf(operand);

  // coordinates and indices
  for (let i = 0; i < mesh.vertices.length; i++)
    if (!(Math.abs(mesh.vertices[i]) < FURTHEST))
      throw new ModelError(
        path,
        `vertex ${Math.floor(i / 3)}: expected coordinates below ${FURTHEST} m, got ${vertexAt(mesh, Math.floor(i / 3)).join(', ')}`,
      );
  const count = mesh.vertices.length / 3;
  for (let i = 0; i < mesh.triangles.length; i++)
    if (!(mesh.triangles[i] < count))
      throw new ModelError(
        path,
        `triangle ${Math.floor(i / 3)}: expected vertex indices below ${count}, got ${mesh.triangles[i]}`,
      );

  // surface
  const open = openEdges(mesh);
  if (open.length > 0) {
    const listed = open.slice(0, 3).map(({ from, to }) => `${point(mesh, from)} – ${point(mesh, to)}`);
    throw new ModelError(
      path,
      `the surface is not closed: ${open.length} open ${open.length === 1 ? 'edge' : 'edges'}, ` +
        `${listed.join('; ')}${open.length > 3 ? '; …' : ''} m; weld or repair the mesh first (weldMesh, repairMesh)`,
    );
  }
  const bounds = meshBounds(mesh);
  if (mesh.triangles.length === 0) return bounds;
  const volume = signedVolume(mesh);
  if (
    volume <
    -1e-9 * (bounds.max[0] - bounds.min[0]) * (bounds.max[1] - bounds.min[1]) * (bounds.max[2] - bounds.min[2])
  )
    throw new ModelError(
      path,
      `the surface is inside out (volume ${volume} m³); turn its triangles round (repairMesh)`,
    );
  return bounds;
}

const point = (mesh: TriangleMesh, i: number): string => `(${vertexAt(mesh, i).join(', ')})`;

/** m³; the sum of tetrahedra from the first vertex to every triangle. */
function signedVolume({ vertices, triangles }: TriangleMesh): number {
  let six = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = vertices[a] - vertices[0];
    const ay = vertices[a + 1] - vertices[1];
    const az = vertices[a + 2] - vertices[2];
    const bx = vertices[b] - vertices[0];
    const by = vertices[b + 1] - vertices[1];
    const bz = vertices[b + 2] - vertices[2];
    const cx = vertices[c] - vertices[0];
    const cy = vertices[c + 1] - vertices[1];
    const cz = vertices[c + 2] - vertices[2];
    six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return six / 6;
}
