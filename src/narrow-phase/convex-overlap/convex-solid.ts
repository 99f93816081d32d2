/**
 * A convex solid prepared once for clipping: flat faces instead of triangles, their planes, and the corners, all in the frame of the
 * solid's form (of the solid itself where the mesh is all there is).
 *
 * Triangles in one plane become one face: the two halves of a box's side would otherwise be clipped twice, and by planes that differ in
 * the last digit. A face is the set of its directed border edges, counter-clockwise seen from outside; nothing here needs their order.
 */

import { meshMassProperties } from '../../geometry/mass-properties.js';
import type { Form, Solid } from '../../geometry/solid.js';
import { edgeTable } from '../../geometry/topology.js';
import { meshBounds, type TriangleMesh } from '../../geometry/triangle-mesh.js';
import { weldMesh } from '../../geometry/weld.js';
import { findRoot, identity, unite } from '../../math/union-find.js';
import { norm, sub, type Vec3 } from '../../math/vec3.js';
import { CornerSupport } from '../distance/index.js';
import { formMesh } from '../mesh-overlap/index.js';

export interface ConvexSolid {
  /** 3 per corner, m */
  readonly corners: Float64Array;
  readonly faceCount: number;
  /** 3 per face: unit vector out of the solid */
  readonly normals: Float64Array;
  /** one per face: n · r on its plane, m */
  readonly offsets: Float64Array;
  /** one per face and one more: where its edges start */
  readonly firstEdge: Int32Array;
  /** 2 per edge: from corner, to corner */
  readonly edges: Int32Array;
  /** one per corner and one more: where the faces that meet there start in `cornerFaces` */
  readonly firstFace: Int32Array;
  readonly cornerFaces: Int32Array;
  readonly centroid: Vec3;
  /** middle and half extents of the bounds, m */
  readonly middle: Vec3;
  readonly half: Vec3;
  /** length of the diagonal of the bounds, m */
  readonly size: number;
  /** farthest corners, for distances */
  readonly support: CornerSupport;
}

/** Larger meshes are left to the routes for meshes: checking takes the square of this. */
const MOST_TRIANGLES = 8192;
/** How far a vertex may lie off a plane, over the size of the solid, and still be in it. */
const FLAT = 1e-12;

/** True if `prepareConvex` accepts the solid. */
export const isConvex = (solid: Solid): boolean => prepareConvex(solid) !== undefined;

/**
 * Prepares a solid, curved forms as the facets of their mesh; undefined if it is not convex, not closed, no solid at all, or of more than
 * 8192 triangles.
 * A dent less than 1e-12 of the size deep is taken for rounding.
 *
 * @example const dice = prepareConvex(box(0.02));
 */
export function prepareConvex(solid: Solid): ConvexSolid | undefined {
  const known = preparedBefore.get(solid);
  if (known !== undefined) return known ?? undefined;
  const prepared = prepare(solid);
  preparedBefore.set(solid, prepared ?? null);
  return prepared;
}
/** Solids are never changed, and one of a thousand equal grains is enough to look at. */
const preparedBefore = new WeakMap<Solid, ConvexSolid | null>();

function prepare(solid: Solid): ConvexSolid | undefined {
  const { form } = solid;
  if (form.kind === 'halfSpace' || solid.mesh.triangles.length > 3 * MOST_TRIANGLES) return undefined;
  const mesh = weldMesh(formMesh(solid));
  const { min, max } = meshBounds(mesh);
  const size = norm(sub(max, min));
  if (!(mesh.triangles.length >= 12 && size > 0 && size < Number.POSITIVE_INFINITY)) return undefined;

  // every edge lies between two triangles that run along it in opposite directions
  const table = edgeTable(mesh);
  const across = new Int32Array(mesh.triangles.length);
  for (let e = 0; e < table.count; e++) {
    if (table.start[e + 1] - table.start[e] !== 2) return undefined;
    const h = table.halfEdges[table.start[e]];
    const g = table.halfEdges[table.start[e] + 1];
    if (mesh.triangles[h] === mesh.triangles[g]) return undefined;
    across[h] = g;
    across[g] = h;
  }
  return faces(mesh, across, size, FLAT * size, form) ?? faces(mesh, across, size, -1, form);
}

/** Faces of triangles whose planes agree to `merge` (m; negative: every triangle is a face); undefined if a vertex lies in front of one or a face is not flat. */
function faces(
  mesh: TriangleMesh,
  across: Int32Array,
  size: number,
  merge: number,
  form: Form,
): ConvexSolid | undefined {
  const { vertices, triangles } = mesh;
  const count = triangles.length / 3;
  const at = (h: number): Vec3 => [
    vertices[3 * triangles[h]],
    vertices[3 * triangles[h] + 1],
    vertices[3 * triangles[h] + 2],
  ];

  // vector areas, 2 × area × normal, and the heights of the neighbours' far corners
  const vectors = new Float64Array(3 * count);
  for (let t = 0; t < count; t++) vectors.set(twiceVectorArea(at(3 * t), at(3 * t + 1), at(3 * t + 2)), 3 * t);
  const height = (t: number, p: Vec3): number => {
    const [x, y, z] = sub(p, at(3 * t));
    const length = norm([vectors[3 * t], vectors[3 * t + 1], vectors[3 * t + 2]]);
    return length > 0 ? (vectors[3 * t] * x + vectors[3 * t + 1] * y + vectors[3 * t + 2] * z) / length : 0;
  };
  const plane = identity(count);
  for (let h = 0; h < triangles.length; h++) {
    const g = across[h];
    if (g < h) continue;
    const t = Math.floor(h / 3);
    const u = Math.floor(g / 3);
    const far = height(t, at(3 * u + ((g + 2) % 3)));
    const back = height(u, at(3 * t + ((h + 2) % 3)));
    if (Math.min(far, back) > FLAT * size) return undefined; // the edge is concave
    if (Math.min(Math.abs(far), Math.abs(back)) <= merge) unite(plane, t, u);
  }

  // number the faces; sum up their vector areas and collect their borders
  const faceOf = new Int32Array(count).fill(-1);
  let faceCount = 0;
  for (let t = 0; t < count; t++) {
    const root = findRoot(plane, t);
    faceOf[t] = root === t ? faceCount++ : faceOf[root];
  }
  const normals = new Float64Array(3 * faceCount);
  const firstEdge = new Int32Array(faceCount + 1);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) normals[3 * faceOf[t] + k] += vectors[3 * t + k];
    for (let h = 3 * t; h < 3 * t + 3; h++)
      if (faceOf[t] !== faceOf[Math.floor(across[h] / 3)]) firstEdge[faceOf[t] + 1]++;
  }
  for (let f = 0; f < faceCount; f++) firstEdge[f + 1] += firstEdge[f];
  const next = firstEdge.slice(0, faceCount);
  const edges = new Int32Array(2 * firstEdge[faceCount]);
  for (let h = 0; h < triangles.length; h++) {
    const f = faceOf[Math.floor(h / 3)];
    if (f === faceOf[Math.floor(across[h] / 3)]) continue;
    edges[2 * next[f]] = triangles[h];
    edges[2 * next[f]++ + 1] = triangles[h % 3 === 2 ? h - 2 : h + 1];
  }

  // planes; all vertices must lie behind all of them, those of a face on it
  const tolerance = FLAT * size;
  const offsets = new Float64Array(faceCount);
  for (let f = 0; f < faceCount; f++) {
    const n = normals.subarray(3 * f, 3 * f + 3);
    const length = norm([n[0], n[1], n[2]]);
    if (!(length > 0) || firstEdge[f + 1] - firstEdge[f] < 3) return undefined;
    for (let k = 0; k < 3; k++) n[k] /= length;
    let low = Infinity;
    let high = -Infinity;
    for (let e = 2 * firstEdge[f]; e < 2 * firstEdge[f + 1]; e += 2) {
      const h = dotAt(n, vertices, 3 * edges[e]);
      low = Math.min(low, h);
      high = Math.max(high, h);
    }
    if (!(high - low <= tolerance)) return undefined;
    offsets[f] = 0.5 * low + 0.5 * high;
    for (let i = 0; i < vertices.length; i += 3) if (dotAt(n, vertices, i) > offsets[f] + tolerance) return undefined;
  }

  // corners: the vertices on borders, in their order
  const number = new Int32Array(vertices.length / 3).fill(-1);
  for (let i = 0; i < edges.length; i++) number[edges[i]] = 0;
  let used = 0;
  for (let v = 0; v < number.length; v++) if (number[v] === 0) number[v] = used++;
  const corners = new Float64Array(3 * used);
  for (let v = 0; v < number.length; v++)
    if (number[v] >= 0) corners.set(vertices.subarray(3 * v, 3 * v + 3), 3 * number[v]);
  for (let i = 0; i < edges.length; i++) edges[i] = number[edges[i]];

  const firstFace = new Int32Array(used + 1);
  for (let e = 0; e < edges.length; e += 2) firstFace[edges[e] + 1]++;
  for (let v = 0; v < used; v++) firstFace[v + 1] += firstFace[v];
  const place = firstFace.slice(0, used);
  const cornerFaces = new Int32Array(edges.length / 2);
  for (let f = 0; f < faceCount; f++)
    for (let e = firstEdge[f]; e < firstEdge[f + 1]; e++) cornerFaces[place[edges[2 * e]]++] = f;

  const centroid = centroidOf(mesh, form);
  if (!centroid) return undefined;
  const { min, max } = meshBounds(mesh);
  const middle: Vec3 = [0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1]), 0.5 * (min[2] + max[2])];
  const half: Vec3 = [0.5 * (max[0] - min[0]), 0.5 * (max[1] - min[1]), 0.5 * (max[2] - min[2])];
  return {
    corners,
    faceCount,
    normals,
    offsets,
    firstEdge,
    edges,
    firstFace,
    cornerFaces,
    centroid,
    middle,
    half,
    size,
    support: new CornerSupport(corners),
  };
}

/** Undefined if the mesh is inside out or encloses nothing. */
function centroidOf(mesh: TriangleMesh, form: Form): Vec3 | undefined {
  if (form.kind === 'box') return [0, 0, 0];
  try {
    return meshMassProperties(mesh).centroid;
  } catch {
    return undefined;
  }
}

const dotAt = (n: Float64Array, v: Float64Array, i: number): number => n[0] * v[i] + n[1] * v[i + 1] + n[2] * v[i + 2];

/** (b − a) × (c − a), taken at the corner between the two shorter sides, where a needle loses least. */
function twiceVectorArea(a: Vec3, b: Vec3, c: Vec3): Vec3 {
  const sides = [sub(b, a), sub(c, b), sub(a, c)];
  const lengths = sides.map(norm);
  const longest = lengths[0] >= lengths[1] && lengths[0] >= lengths[2] ? 0 : lengths[1] >= lengths[2] ? 1 : 2;
  const [u, v] = [sides[(longest + 1) % 3], sides[(longest + 2) % 3]];
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}
