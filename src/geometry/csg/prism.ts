/**
 * Prisms stay prisms: where all operands are extrusions, boxes or cylinders along z and their heights fit, the result
 * of CSG is an extrusion, and its profile is read off the bottom of the result, to the last digit. A Geneva wheel cut
 * from a disc thus keeps its outline for exact mass properties and plane contact.
 */
import { IDENTITY } from '../../math/quaternion.js';
import type { Vec2 } from '../../math/vec3.js';
import { flipToDelaunay } from '../delaunay-flips.js';
import { signedArea } from '../polygon-measure.js';
import type { Solid } from '../solid.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import type { BooleanOperation } from './manifold.js';
import type { Operand } from './operand.js';

/** Where a prism begins and ends on the z axis, m. */
export interface Range {
  readonly bottom: number;
  readonly top: number;
}

/** The range of the result if it is a prism along z, else undefined. */
export function commonPrism(operation: BooleanOperation, operands: readonly Operand[]): Range | undefined {
  const ranges: Range[] = [];
  for (const operand of operands) {
    const range = prismRange(operand);
    if (range === undefined) return undefined;
    ranges.push(range);
  }
  const [first, ...others] = ranges;
  switch (operation) {
    case 'Union':
      return others.every(({ bottom, top }) => bottom === first.bottom && top === first.top) ? first : undefined;
    case 'Difference':
      return others.every(({ bottom, top }) => bottom <= first.bottom && top >= first.top) ? first : undefined;
    case 'Intersection':
      return {
        bottom: ranges.reduce((most, { bottom }) => Math.max(most, bottom), -Infinity),
        top: ranges.reduce((least, { top }) => Math.min(least, top), Infinity),
      };
  }
}

function prismRange(operand: Operand): Range | undefined {
  if (!('mesh' in operand)) return undefined;
  const { kind } = operand.form;
  if (kind !== 'extrusion' && kind !== 'box' && kind !== 'cylinder') return undefined;
  const [, x, y] = operand.pose.orientation;
  const axisAlongZ = 1 - 2 * (x * x + y * y); // z component of the turned z axis
  if (!(Math.abs(axisAlongZ) > 1 - 1e-14)) return undefined;
  const { vertices } = operand.mesh;
  let bottom = Infinity;
  let top = -Infinity;
  for (let i = 2; i < vertices.length; i += 3) {
    bottom = Math.min(bottom, vertices[i]);
    top = Math.max(top, vertices[i]);
  }
  for (let i = 2; i < vertices.length; i += 3) if (vertices[i] !== bottom && vertices[i] !== top) return undefined;
  return bottom < top ? { bottom, top } : undefined;
}

/**
 * The prism over the triangles at the bottom of a mesh, with its profile as exact form; undefined if they do not make
 * one polygon with holes (two separate parts, or parts that touch in a corner).
 */
export function asPrism(mesh: TriangleMesh, { bottom, top }: Range): Solid | undefined {
  const floor = floorTriangles(mesh, bottom);
  const loops = boundaryLoops(floor, mesh.vertices.length / 3);
  if (loops === undefined) return undefined;
  const outlines = loops.map((loop) => loop.map((v) => pointOf(mesh, v)));
  const outer = outlines.filter((outline) => signedArea(outline) > 0);
  const holes = outlines.filter((outline) => signedArea(outline) < 0);
  if (outer.length !== 1 || holes.length + 1 !== outlines.length) return undefined;
  return {
    mesh: prismMesh(mesh.vertices, floor, loops, bottom, top),
    form: { kind: 'extrusion', profile: { outer: outer[0], holes }, height: top - bottom },
    pose: { position: [0, 0, bottom], orientation: IDENTITY },
  };
}

const pointOf = ({ vertices }: TriangleMesh, v: number): Vec2 => [vertices[3 * v], vertices[3 * v + 1]];

/** Outlines of the triangles at the bottom of a mesh, material on their left; undefined where two meet in a corner. */
export const bottomLoops = (mesh: TriangleMesh, bottom: number): Vec2[][] | undefined =>
  boundaryLoops(floorTriangles(mesh, bottom), mesh.vertices.length / 3)?.map((loop) =>
    loop.map((v) => pointOf(mesh, v)),
  );

/** Corners of the triangles that lie in the plane z = bottom; they face down. */
function floorTriangles({ vertices, triangles }: TriangleMesh, bottom: number): number[] {
  const floor: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    if (vertices[3 * a + 2] === bottom && vertices[3 * b + 2] === bottom && vertices[3 * c + 2] === bottom)
      floor.push(a, b, c);
  }
  return floor;
}

/** Edges of the floor without a neighbour, chained, with the material on their left seen from above. */
function boundaryLoops(floor: readonly number[], vertexCount: number): number[][] | undefined {
  const edges = new Set<number>();
  for (let h = 0; h < floor.length; h++) {
    const from = floor[h];
    const to = floor[h % 3 === 2 ? h - 2 : h + 1];
    if (!edges.delete(to * vertexCount + from)) edges.add(from * vertexCount + to);
  }
  // Seen from above the floor runs clockwise, so its edges are followed backwards.
  const next = new Map<number, number>();
  for (const edge of edges) {
    const from = Math.floor(edge / vertexCount);
    const to = edge - from * vertexCount;
    if (next.has(to)) return undefined; // two loops meet in this corner
    next.set(to, from);
  }
  const loops: number[][] = [];
  for (const start of [...next.keys()].sort((a, b) => a - b)) {
    if (!next.has(start)) continue;
    const loop: number[] = [];
    for (let v = start; next.has(v); ) {
      loop.push(v);
      const following = next.get(v)!;
      next.delete(v);
      v = following;
    }
    loops.push(loop);
  }
  return loops;
}

/**
 * The floor, turned over as ceiling, and walls between them: vertex i of the floor is below vertex i + n. CSG cuts
 * triangles as it comes; flipping edges to Delaunay among the same vertices leaves better ones.
 */
function prismMesh(
  vertices: Float64Array,
  floor: readonly number[],
  loops: readonly (readonly number[])[],
  bottom: number,
  top: number,
): TriangleMesh {
  // Vertices
  const used = [...new Set(floor)].sort((a, b) => a - b);
  const index = new Map(used.map((v, i) => [v, i]));
  const n = used.length;
  const x = Float64Array.from(used, (v) => vertices[3 * v]);
  const y = Float64Array.from(used, (v) => vertices[3 * v + 1]);
  const points = new Float64Array(6 * n);
  for (let i = 0; i < n; i++) {
    points.set([x[i], y[i], bottom], 3 * i);
    points.set([x[i], y[i], top], 3 * (i + n));
  }
  // Ceiling and floor
  const flat = Uint32Array.from(floor, (_, h) => index.get(floor[h - (h % 3) + 2 - (h % 3)])!);
  flipToDelaunay(flat, x, y);
  const wallCount = loops.reduce((sum, loop) => sum + loop.length, 0);
  const triangles = new Uint32Array(2 * flat.length + 6 * wallCount);
  let t = 0;
  for (let i = 0; i < flat.length; i += 3) {
    const [a, b, c] = [flat[i], flat[i + 1], flat[i + 2]];
    triangles.set([a, c, b, a + n, b + n, c + n], t);
    t += 6;
  }
  // Walls
  for (const loop of loops)
    loop.forEach((v, i) => {
      const a = index.get(v)!;
      const b = index.get(loop[i + 1 < loop.length ? i + 1 : 0])!;
      triangles.set([a, b, b + n, a, b + n, a + n], t);
      t += 6;
    });
  return { vertices: points, triangles };
}
