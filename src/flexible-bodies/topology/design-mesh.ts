/** Elements whose densities are designed: triangles of three or six nodes, or rectangles of four, each with its own stiffness at density 1. */
import type { NodePattern } from '../../math/sparse/dissection.js';
import { ElementPoint, type PlaneMaterial, planeModuli, THREE_POINTS } from '../fem/plane-elements.js';
import type { PlaneMesh } from '../mesh/plane-mesh.js';

export interface DesignMesh {
  /** 2 per node, m */
  readonly points: Float64Array;
  readonly nodeCount: number;
  readonly nodesPerElement: number;
  readonly elements: Int32Array;
  readonly elementCount: number;
  /** Per element, m² */
  readonly area: Float64Array;
  /** 2 per element, m */
  readonly centre: Float64Array;
  /** (2 nodes)² per element, or once for all where they are alike, N/m */
  readonly stiffness: Float64Array;
}

/** A grid of rectangles, column after column; nodes column after column from the top, as in Andreassen et al. (2011), doi 10.1007/s00158-010-0594-7. */
export function gridDesign(
  columns: number,
  rows: number,
  width: number,
  height: number,
  material: PlaneMaterial,
): DesignMesh {
  const points = new Float64Array(2 * (columns + 1) * (rows + 1));
  const dx = width / columns;
  const dy = height / rows;
  for (let i = 0; i <= columns; i++)
    for (let j = 0; j <= rows; j++) points.set([i * dx, height - j * dy], 2 * (i * (rows + 1) + j));
  const count = columns * rows;
  const elements = new Int32Array(4 * count);
  const centre = new Float64Array(2 * count);
  for (let i = 0; i < columns; i++)
    for (let j = 0; j < rows; j++) {
      const e = i * rows + j;
      const top = i * (rows + 1) + j;
      // counter-clockwise from the lower left
      elements.set([top + 1, top + rows + 2, top + rows + 1, top], 4 * e);
      centre.set([(i + 0.5) * dx, height - (j + 0.5) * dy], 2 * e);
    }
  return {
    points,
    nodeCount: points.length / 2,
    nodesPerElement: 4,
    elements,
    elementCount: count,
    area: new Float64Array(count).fill(dx * dy),
    centre,
    stiffness: rectangleStiffness(dx, dy, material),
  };
}

/** Bilinear rectangle, 2 × 2 points: exact */
function rectangleStiffness(dx: number, dy: number, material: PlaneMaterial): Float64Array {
  const [c11, c12, c33] = planeModuli(material);
  const out = new Float64Array(64);
  const g = 1 / Math.sqrt(3);
  const xi = [-1, 1, 1, -1];
  const eta = [-1, -1, 1, 1];
  for (const s of [-g, g])
    for (const t of [-g, g]) {
      const w = ((dx * dy) / 4) * material.thickness;
      for (let a = 0; a < 4; a++)
        for (let b = 0; b < 4; b++) {
          const ax = (xi[a] * (1 + t * eta[a])) / (2 * dx);
          const ay = (eta[a] * (1 + s * xi[a])) / (2 * dy);
          const bx = (xi[b] * (1 + t * eta[b])) / (2 * dx);
          const by = (eta[b] * (1 + s * xi[b])) / (2 * dy);
          const at = 16 * a + 2 * b;
          out[at] += w * (c11 * ax * bx + c33 * ay * by);
          out[at + 1] += w * (c12 * ax * by + c33 * ay * bx);
          out[at + 8] += w * (c12 * ay * bx + c33 * ax * by);
          out[at + 9] += w * (c11 * ay * by + c33 * ax * bx);
        }
    }
  return out;
}

/** The triangles of any meshed outline */
export function meshDesign(mesh: PlaneMesh, material: PlaneMaterial): DesignMesh {
  const { elements, elementCount, nodesPerElement: nodes, points } = mesh;
  const [c11, c12, c33] = planeModuli(material);
  const size = 4 * nodes * nodes;
  const stiffness = new Float64Array(size * elementCount);
  const area = new Float64Array(elementCount);
  const centre = new Float64Array(2 * elementCount);
  const point = new ElementPoint(nodes);
  const { n } = point;
  for (let e = 0; e < elementCount; e++) {
    for (let k = 0; k < 3; k++)
      for (let j = 0; j < 2; j++) centre[2 * e + j] += points[2 * elements[nodes * e + k] + j] / 3;
    for (let g = 0; g < 9; g += 3) {
      const determinant = point.at(mesh, e, THREE_POINTS[g], THREE_POINTS[g + 1]);
      const w = THREE_POINTS[g + 2] * determinant;
      area[e] += w;
      const t = w * material.thickness;
      for (let a = 0; a < nodes; a++)
        for (let b = 0; b < nodes; b++) {
          const [ax, ay, bx, by] = [n[nodes + a], n[2 * nodes + a], n[nodes + b], n[2 * nodes + b]];
          const at = size * e + 4 * nodes * a + 2 * b;
          stiffness[at] += t * (c11 * ax * bx + c33 * ay * by);
          stiffness[at + 1] += t * (c12 * ax * by + c33 * ay * bx);
          stiffness[at + 2 * nodes] += t * (c12 * ay * bx + c33 * ax * by);
          stiffness[at + 2 * nodes + 1] += t * (c11 * ay * by + c33 * ax * bx);
        }
    }
  }
  return {
    points,
    nodeCount: mesh.nodeCount,
    nodesPerElement: nodes,
    elements,
    elementCount,
    area,
    centre,
    stiffness,
  };
}

/** Which nodes share an element */
export function designPattern({ elements, elementCount, nodesPerElement: nodes, nodeCount }: DesignMesh): NodePattern {
  const rows: Set<number>[] = Array.from({ length: nodeCount }, () => new Set());
  for (let e = 0; e < elementCount; e++)
    for (let a = 0; a < nodes; a++)
      for (let b = 0; b < nodes; b++) rows[elements[nodes * e + a]].add(elements[nodes * e + b]);
  const rowStart = new Int32Array(nodeCount + 1);
  const columns: number[] = [];
  rows.forEach((row, i) => {
    for (const column of Int32Array.from(row).sort()) columns.push(column);
    rowStart[i + 1] = columns.length;
  });
  return { count: nodeCount, rowStart, column: Int32Array.from(columns) };
}
