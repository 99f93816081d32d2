/** A mesh of a planar part with fields on its nodes, as legacy VTK: triangles of three nodes (type 5) or six (type 22). */
import type { PlaneMesh } from '../../flexible-bodies/mesh/plane-mesh.js';
import type { SolidMesh } from '../../geometry/solid-mesh.js';

export interface NodeField {
  /** Without spaces */
  readonly name: string;
  /** 1 or 2 per node */
  readonly values: Float64Array;
  readonly components: 1 | 2;
}

export function meshVtk(mesh: PlaneMesh, title: string, fields: readonly NodeField[]): string {
  const { points, nodeCount, elements, elementCount, nodesPerElement: nodes } = mesh;
  const out: string[] = [
    '# vtk DataFile Version 3.0',
    title.slice(0, 250).replaceAll('\n', ' '),
    'ASCII',
    'DATASET UNSTRUCTURED_GRID',
  ];
  out.push(`POINTS ${nodeCount} double`);
  for (let i = 0; i < nodeCount; i++) out.push(`${points[2 * i]} ${points[2 * i + 1]} 0`);
  out.push(`CELLS ${elementCount} ${elementCount * (nodes + 1)}`);
  for (let e = 0; e < elementCount; e++)
    out.push(`${nodes} ${elements.subarray(nodes * e, nodes * e + nodes).join(' ')}`);
  out.push(`CELL_TYPES ${elementCount}`);
  for (let e = 0; e < elementCount; e++) out.push(nodes === 3 ? '5' : '22');
  if (fields.length > 0) out.push(`POINT_DATA ${nodeCount}`);
  for (const { name, values, components } of fields) {
    out.push(components === 1 ? `SCALARS ${name} double 1\nLOOKUP_TABLE default` : `VECTORS ${name} double`);
    for (let i = 0; i < nodeCount; i++)
      out.push(components === 1 ? String(values[i]) : `${values[2 * i]} ${values[2 * i + 1]} 0`);
  }
  return `${out.join('\n')}\n`;
}

export interface SolidField {
  /** Without spaces */
  readonly name: string;
  /** 1 or 3 per node */
  readonly values: Float64Array;
  readonly components: 1 | 3;
}

/** The same of tetrahedra of ten nodes (type 24, whose order is ours) */
export function solidVtk(mesh: SolidMesh, title: string, fields: readonly SolidField[]): string {
  const { points, nodeCount, elements, elementCount } = mesh;
  const out: string[] = [
    '# vtk DataFile Version 3.0',
    title.slice(0, 250).replaceAll('\n', ' '),
    'ASCII',
    'DATASET UNSTRUCTURED_GRID',
    `POINTS ${nodeCount} double`,
  ];
  for (let i = 0; i < nodeCount; i++) out.push(points.subarray(3 * i, 3 * i + 3).join(' '));
  out.push(`CELLS ${elementCount} ${11 * elementCount}`);
  for (let e = 0; e < elementCount; e++) out.push(`10 ${elements.subarray(10 * e, 10 * e + 10).join(' ')}`);
  out.push(`CELL_TYPES ${elementCount}`);
  for (let e = 0; e < elementCount; e++) out.push('24');
  if (fields.length > 0) out.push(`POINT_DATA ${nodeCount}`);
  for (const { name, values, components } of fields) {
    out.push(components === 1 ? `SCALARS ${name} double 1\nLOOKUP_TABLE default` : `VECTORS ${name} double`);
    for (let i = 0; i < nodeCount; i++) out.push(values.subarray(components * i, components * (i + 1)).join(' '));
  }
  return `${out.join('\n')}\n`;
}
