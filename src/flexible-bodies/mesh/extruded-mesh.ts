/** Planar meshes extruded into solids of ten-node tetrahedra. */
import { ModelError } from '../../errors.js';
import type { SolidMesh } from '../../geometry/solid-mesh.js';
import type { PlaneMesh } from './plane-mesh.js';

/** With the node of the planar mesh that each node lies above */
export interface ExtrudedMesh extends SolidMesh {
  readonly planeNode: Int32Array;
}

/**
 * A planar mesh of six-node triangles extruded along z from 0: each layer of prisms is cut into three tetrahedra, along diagonals from the lower node number, so that
 * neighbours fit. Sets: bottom, top, and outline and holes as `side 0`, `side 1` …
 */
export function extrudeMesh(mesh: PlaneMesh, height: number, layers: number): ExtrudedMesh {
  if (!(Number.isInteger(layers) && layers >= 1))
    throw new ModelError('layers', `expected a whole number of layers from 1, got ${layers}`);
  const { elements, elementCount, nodesPerElement: n, cornerCount, points } = mesh;
  if (n !== 6) throw new ModelError('mesh', 'expected triangles of six nodes to be extruded');
  const middle = new Map<number, number>();
  const pair = (a: number, b: number): number => (a < b ? a * cornerCount + b : b * cornerCount + a);
  for (let e = 0; e < elementCount; e++)
    for (let k = 0; k < 3; k++)
      middle.set(pair(elements[6 * e + k], elements[6 * e + ((k + 1) % 3)]), elements[6 * e + 3 + k]);
  const coordinates: number[] = [];
  const planeNode: number[] = [];
  const add = (plane: number, level: number): number => {
    planeNode.push(plane);
    coordinates.push(points[2 * plane], points[2 * plane + 1], (height * level) / layers);
    return coordinates.length / 3 - 1;
  };
  for (let level = 0; level <= layers; level++) for (let i = 0; i < cornerCount; i++) add(i, level);
  const between = new Map<number, number>();
  const count = cornerCount * (layers + 1);
  const mid = (p: number, q: number): number => {
    const key = p < q ? p * count + q : q * count + p;
    let node = between.get(key);
    if (node === undefined) {
      const [a, b] = [p % cornerCount, q % cornerCount];
      const level = (Math.floor(p / cornerCount) + Math.floor(q / cornerCount)) / 2;
      node = add(a === b ? a : middle.get(pair(a, b))!, level);
      between.set(key, node);
    }
    return node;
  };
  const out: number[] = [];
  const tetrahedron = (a: number, b: number, c: number, d: number): void => {
    out.push(a, b, c, d, mid(a, b), mid(b, c), mid(c, a), mid(a, d), mid(b, d), mid(c, d));
  };
  for (let level = 0; level < layers; level++)
    for (let e = 0; e < elementCount; e++) {
      // turned, not mirrored, until the lowest number is first: the order round the triangle stays
      const own = [0, 1, 2].map((k) => elements[6 * e + k]);
      const turn = own.indexOf(Math.min(...own));
      const [a, b, c] = [0, 1, 2].map((k) => own[(turn + k) % 3] + level * cornerCount);
      const [A, B, C] = [a, b, c].map((node) => node + cornerCount);
      if (b < c) {
        tetrahedron(a, b, c, C);
        tetrahedron(a, b, C, B);
      } else {
        tetrahedron(a, b, c, B);
        tetrahedron(a, B, c, C);
      }
      tetrahedron(a, B, C, A);
    }
  const all = Float64Array.from(coordinates);
  const sets = new Map<string, Int32Array>();
  const where = (test: (i: number) => boolean): Int32Array =>
    Int32Array.from({ length: all.length / 3 }, (_, i) => i).filter(test);
  sets.set(
    'bottom',
    where((i) => all[3 * i + 2] === 0),
  );
  sets.set(
    'top',
    where((i) => all[3 * i + 2] === height),
  );
  const loops = mesh.edgeLoop.reduce((most, loop) => Math.max(most, loop), 0);
  for (let loop = 0; loop <= loops; loop++) {
    const rim = new Set<string>();
    for (let s = 0; s < mesh.sideEdge.length; s++)
      if (mesh.edgeLoop[mesh.sideEdge[s]] === loop)
        for (let k = 0; k < 3; k++) {
          const node = mesh.sides[3 * s + k];
          rim.add(`${points[2 * node]},${points[2 * node + 1]}`);
        }
    sets.set(
      `side ${loop}`,
      where((i) => rim.has(`${all[3 * i]},${all[3 * i + 1]}`)),
    );
  }
  return {
    points: all,
    nodeCount: all.length / 3,
    elements: Int32Array.from(out),
    elementCount: out.length / 10,
    sets,
    planeNode: Int32Array.from(planeNode),
  };
}
