/** Structured meshes of rectangles, for tests and for bars where a regular mesh is wanted. */
import { type PlaneMesh, withMiddles } from './plane-mesh.js';

/** A grid of `columns` × `rows` cells, each cut in two by a diagonal that alternates: where i + j is even from lower left to upper right. */
export function stripMesh(
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  columns: number,
  rows: number,
  nodesPerElement: 3 | 6 = 6,
): PlaneMesh {
  const points = new Float64Array(2 * (columns + 1) * (rows + 1));
  const at = (i: number, j: number): number => j * (columns + 1) + i;
  for (let j = 0; j <= rows; j++)
    for (let i = 0; i <= columns; i++)
      points.set([x0 + ((x1 - x0) * i) / columns, y0 + ((y1 - y0) * j) / rows], 2 * at(i, j));
  const elements: number[] = [];
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      if ((i + j) % 2 === 0) elements.push(a, b, c, a, c, d);
      else elements.push(a, b, d, b, c, d);
    }
  const sides: number[] = [];
  const sideEdge: number[] = [];
  const side = (a: number, b: number, edge: number): void => {
    sides.push(a, b, -1);
    sideEdge.push(edge);
  };
  for (let i = 0; i < columns; i++) side(at(i, 0), at(i + 1, 0), 0);
  for (let j = 0; j < rows; j++) side(at(columns, j), at(columns, j + 1), 1);
  for (let i = columns; i > 0; i--) side(at(i, rows), at(i - 1, rows), 2);
  for (let j = rows; j > 0; j--) side(at(0, j), at(0, j - 1), 3);
  const count = points.length / 2;
  const mesh: PlaneMesh = {
    points,
    nodeCount: count,
    cornerCount: count,
    nodesPerElement: 3,
    elements: Int32Array.from(elements),
    elementCount: elements.length / 3,
    sides: Int32Array.from(sides),
    sideEdge: Int32Array.from(sideEdge),
    edgeLoop: new Int32Array(4),
  };
  return nodesPerElement === 3 ? mesh : withMiddles(mesh);
}
