/**
 * Makes a solid of a mesh as a person would who only wants it closed: first without inventing anything (equal vertices joined, slivers and repeats dropped, triangles and shells turned round),
 * then, if it is still open, vertices joined over wider gaps, at most a ten-thousandth of the size, and at last holes filled with triangles that were not there. Holes are filled in what joining
 * has left open: where gaps are everywhere and a triangle is missing, filling first would put slivers into every gap and leave the surface cracked. What was done is said; what is not closed then
 * stays open and is said too.
 */

import { type Repair, repairMesh } from './repair.js';
import { openEdges } from './topology.js';
import { meshBounds, type TriangleMesh } from './triangle-mesh.js';

/** Gaps that vertices are joined over, of the size of the mesh */
const GAPS = [1e-6, 1e-5, 1e-4] as const;

/** @example const { mesh, changes, remaining } = mendMesh(scan); */
export function mendMesh(mesh: TriangleMesh): Repair {
  const gentle = repairMesh(mesh);
  if (mesh.triangles.length === 0 || isClosed(gentle)) return gentle;
  const { min, max } = meshBounds(mesh);
  const size = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  let fewest = openEdges(gentle.mesh).length;
  let weld: number | 'borders' = 'borders';
  for (const gap of GAPS) {
    const wider = repairMesh(mesh, { weld: gap * size });
    if (isClosed(wider)) return wider;
    // The least gap that leaves fewest edges open; one that swallows triangles is no gap but the shape
    const open = openEdges(wider.mesh).length;
    if (open < fewest && wider.mesh.triangles.length >= gentle.mesh.triangles.length) {
      fewest = open;
      weld = gap * size;
    }
  }
  return repairMesh(mesh, { weld, fillHoles: true });
}

const isClosed = ({ mesh, remaining }: Repair): boolean =>
  remaining.length === 0 && mesh.triangles.length > 0 && openEdges(mesh, 1).length === 0;
