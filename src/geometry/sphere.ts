/**
 * Spheres and capsules of even triangles: the faces of an icosahedron or octahedron cut into f² triangles each and
 * pushed out onto the sphere.
 *
 * A point with barycentric coordinates a + b + c = 1 in the face ABC goes to the direction
 *
 *   sin(a ω) A + sin(b ω) B + sin(c ω) C,    ω = angle between two corners seen from the centre
 *
 * On an edge this is the great-circle arc in equal steps, so neighbouring faces agree and the equator of the octahedron
 * is a regular polygon. Radial projection of the flat face instead makes triangles in the middle of a face 2 times as
 * large as in its corners; with the sines the icosahedron's stay within a factor 1.21 for any f.
 */
import { ModelError } from '../errors.js';
import { acos, sin } from '../math/elementary.js';
import type { Vec3 } from '../math/vec3.js';
import type { Growing } from './disc-mesh.js';
import { madeBy } from './recipe.js';
import { requireCount, requireLength, requireSize } from './require.js';
import { type Form, ORIGIN, type Solid } from './solid.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Corner and face lists, faces counter-clockwise seen from outside. */
interface Polyhedron {
  readonly corners: readonly Vec3[];
  readonly faces: readonly (readonly [number, number, number])[];
  /** angle between neighbouring corners seen from the centre, rad */
  readonly edgeAngle: number;
}

const GOLDEN = (1 + Math.sqrt(5)) / 2;

/** Corners (0, ±1, ±φ) and their cyclic shifts: mirror symmetric in the three coordinate planes. */
const ICOSAHEDRON: Polyhedron = (() => {
  const corners: Vec3[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const u of [1, -1])
      for (const v of [GOLDEN, -GOLDEN]) {
        const corner: [number, number, number] = [0, 0, 0];
        corner[(axis + 1) % 3] = u;
        corner[(axis + 2) % 3] = v;
        corners.push(corner);
      }
  return { corners, faces: trianglesOfEdge(corners, 4), edgeAngle: acos(1 / Math.sqrt(5)) };
})();

const UPPER_OCTAHEDRON: Polyhedron = {
  corners: [
    [1, 0, 0],
    [0, 1, 0],
    [-1, 0, 0],
    [0, -1, 0],
    [0, 0, 1],
  ],
  faces: [
    [0, 1, 4],
    [1, 2, 4],
    [2, 3, 4],
    [3, 0, 4],
  ],
  edgeAngle: Math.PI / 2,
};

/** All triples of corners whose three squared distances are `squaredEdge`, turned counter-clockwise seen from outside. */
function trianglesOfEdge(corners: readonly Vec3[], squaredEdge: number): [number, number, number][] {
  const near = (p: Vec3, q: Vec3) =>
    Math.abs(
      (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]) - squaredEdge,
    ) < 1e-9;
  const faces: [number, number, number][] = [];
  for (let a = 0; a < corners.length; a++)
    for (let b = a + 1; b < corners.length; b++)
      for (let c = b + 1; c < corners.length; c++) {
        const [p, q, r] = [corners[a], corners[b], corners[c]];
        if (!(near(p, q) && near(q, r) && near(r, p))) continue;
        const volume =
          p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
        faces.push(volume > 0 ? [a, b, c] : [a, c, b]);
      }
  return faces;
}

/**
 * Cuts each face into f² triangles on the unit sphere. Vertices: corners, then edges, then faces, each once.
 *
 * Where three terms are added, two that are mirror images of each other come first; addition being commutative, the
 * mesh is then mirror symmetric to the last bit.
 */
function subdivide({ corners, faces, edgeAngle }: Polyhedron, f: number, into: Growing): void {
  const weight = Float64Array.from({ length: f + 1 }, (_, i) => sin((i / f) * edgeAngle));
  const { vertices, triangles } = into;
  const base = vertices.length / 3;
  const push = (p: Vec3, wp: number, q: Vec3, wq: number, r: Vec3, wr: number): number => {
    const x = wp * p[0] + wq * q[0] + wr * r[0];
    const y = wp * p[1] + wq * q[1] + wr * r[1];
    const z = wp * p[2] + wq * q[2] + wr * r[2];
    const length = Math.sqrt(x * x + y * y + z * z);
    vertices.push(x / length + 0, y / length + 0, z / length + 0); // + 0: no negative zeros
    return vertices.length / 3 - 1;
  };
  for (const corner of corners) push(corner, 1, corner, 0, corner, 0);
  // Edges: f − 1 inner vertices, from the corner of lower index to the other
  const edgeStart = new Map<number, number>();
  const edgeVertex = (a: number, b: number, i: number): number => {
    if (i === 0) return base + a;
    if (i === f) return base + b;
    const [low, high, k] = a < b ? [a, b, i] : [b, a, f - i];
    const key = low * corners.length + high;
    let start = edgeStart.get(key);
    if (start === undefined) {
      start = vertices.length / 3;
      for (let j = 1; j < f; j++) push(corners[low], weight[f - j], corners[high], weight[j], corners[high], 0);
      edgeStart.set(key, start);
    }
    return start + k - 1;
  };
  for (const face of faces) {
    const [a, b, c] = pairFirst(face, corners);
    // Rows parallel to AB: row k has f − k + 1 vertices, k steps towards C
    const rows: number[][] = [];
    for (let k = 0; k <= f; k++) {
      const row: number[] = [];
      for (let i = 0; i <= f - k; i++) {
        if (k === 0) row.push(edgeVertex(a, b, i));
        else if (i === 0) row.push(edgeVertex(a, c, k));
        else if (i === f - k) row.push(edgeVertex(b, c, k));
        else row.push(push(corners[a], weight[f - k - i], corners[b], weight[i], corners[c], weight[k]));
      }
      rows.push(row);
    }
    for (let k = 0; k < f; k++)
      for (let i = 0; i < f - k; i++) {
        triangles.push(rows[k][i], rows[k][i + 1], rows[k + 1][i]);
        if (i < f - k - 1) triangles.push(rows[k][i + 1], rows[k + 1][i + 1], rows[k + 1][i]);
      }
  }
}

/** Turns a face (not flipping it) so that corners with the same |coordinates| come first, else by zero coordinate. */
function pairFirst(
  face: readonly [number, number, number],
  corners: readonly Vec3[],
): readonly [number, number, number] {
  const kind = face.map((i) => corners[i].indexOf(0));
  const [a, b, c] = face;
  if (kind[0] === kind[1]) return [a, b, c];
  if (kind[1] === kind[2]) return [b, c, a];
  if (kind[2] === kind[0]) return [c, a, b];
  return kind[2] === 2 ? [a, b, c] : kind[0] === 2 ? [b, c, a] : [c, a, b];
}

const meshOf = ({ vertices, triangles }: Growing): TriangleMesh => ({
  vertices: Float64Array.from(vertices),
  triangles: Uint32Array.from(triangles),
});

/** Longest edge × f / (ω r) over all f: edges on the rim of a face are 1 by construction, those inside a little longer. */
const LONGEST_EDGE = 1.18;

/**
 * Sphere around the origin, of 20 f² nearly equal triangles with all vertices on it.
 *
 * @param radius m
 * @param options `subdivision` f, the pieces an icosahedron edge is cut into, default 8 (1280 triangles);
 *   or `edgeLength`, the longest edge wanted, m
 * @example sphere(0.01, { edgeLength: 1e-3 })
 */
export function sphere(radius: number, options: { subdivision?: number; edgeLength?: number } = {}): Solid {
  requireLength('sphere.radius', radius);
  let f = options.subdivision ?? 8;
  if (options.edgeLength !== undefined) {
    if (options.subdivision !== undefined)
      throw new ModelError('sphere', 'expected subdivision or edgeLength, got both; leave one out');
    requireLength('sphere.edgeLength', options.edgeLength);
    f = Math.max(1, Math.ceil((LONGEST_EDGE * ICOSAHEDRON.edgeAngle * radius) / options.edgeLength));
    if (f > 512)
      throw new ModelError(
        'sphere.edgeLength',
        `expected at least 1/400 of the radius ${radius} m, got ${options.edgeLength}: the mesh would have ${20 * f * f} triangles`,
      );
  }
  requireCount('sphere.subdivision', f, 1, 512);
  if (lastSphere?.radius !== radius || lastSphere.subdivision !== f) {
    const into: Growing = { vertices: [], triangles: [] };
    subdivide(ICOSAHEDRON, f, into);
    for (let i = 0; i < into.vertices.length; i++) into.vertices[i] *= radius;
    lastSphere = { radius, subdivision: f, mesh: meshOf(into) };
  }
  const solid: Solid = { mesh: { ...lastSphere.mesh }, form: { kind: 'sphere', radius }, pose: ORIGIN };
  return madeBy('sphere', { radius, subdivision: f }, solid);
}

/** Thousands of equal balls are written one by one, `sphere(0.1)` for each; they share their arrays, 33 kB. Meshes are never changed once made. */
let lastSphere: { readonly radius: number; readonly subdivision: number; readonly mesh: TriangleMesh } | undefined;

/**
 * Ellipsoid around the origin, of 20 f² triangles with all vertices on it.
 *
 * @param radii   half axes along x, y, z, m
 * @param options `subdivision` f, the pieces an icosahedron edge is cut into, default 12 (2880 triangles)
 * @example ellipsoid([0.2, 0.03, 0.02])
 */
export function ellipsoid(radii: Vec3, { subdivision = 12 }: { subdivision?: number } = {}): Solid {
  if (!Array.isArray(radii))
    throw new ModelError('ellipsoid.radii', 'expected one list of half axes in m, ellipsoid([0.2, 0.03, 0.02])');
  radii.forEach((radius, k) => {
    requireLength(`ellipsoid.radii[${k}]`, radius);
  });
  requireCount('ellipsoid.subdivision', subdivision, 1, 512);
  const into: Growing = { vertices: [], triangles: [] };
  subdivide(ICOSAHEDRON, subdivision, into);
  for (let i = 0; i < into.vertices.length; i++) into.vertices[i] *= radii[i % 3];
  const form: Form = { kind: 'ellipsoid', radii: [radii[0], radii[1], radii[2]] };
  return madeBy('ellipsoid', { radii, subdivision }, { mesh: meshOf(into), form, pose: ORIGIN });
}

/**
 * Cylinder with a half sphere at each end, axis z, centred on the origin.
 *
 * @param radius   m
 * @param height   distance between the centres of the half spheres, m; the whole is height + 2 radius long
 * @param segments corners of the round cross-section, a multiple of 4
 * @example capsule({ radius: 2e-3, height: 10e-3 })
 */
export function capsule(lengths: { radius: number; height: number; segments?: number }): Solid {
  const { radius, height, segments = 64 } = requireSize('capsule', lengths);
  requireLength('capsule.radius', radius);
  requireLength('capsule.height', height);
  requireCount('capsule.segments', segments, 4, 2048);
  if (segments % 4 !== 0)
    throw new ModelError(
      'capsule.segments',
      `expected a multiple of 4, got ${segments}; try ${4 * Math.ceil(segments / 4)}`,
    );
  const f = segments / 4;
  const half: Growing = { vertices: [], triangles: [] };
  subdivide(UPPER_OCTAHEDRON, f, half);
  // Upper half, then the lower one: each vertex mirrored in z, each triangle turned
  const { vertices, triangles } = half;
  const count = vertices.length / 3;
  const into: Growing = { vertices: [], triangles: [] };
  for (const side of [1, -1])
    for (let i = 0; i < count; i++)
      into.vertices.push(
        radius * vertices[3 * i],
        radius * vertices[3 * i + 1],
        side * (radius * vertices[3 * i + 2] + height / 2),
      );
  for (let i = 0; i < triangles.length; i += 3) into.triangles.push(triangles[i], triangles[i + 1], triangles[i + 2]);
  for (let i = 0; i < triangles.length; i += 3)
    into.triangles.push(count + triangles[i], count + triangles[i + 2], count + triangles[i + 1]);
  // The wall joins the two rims: 4 corners, 4 edges of f − 1 vertices, brought into order around the axis
  const rim = rimOrder(half, segments);
  for (let i = 0; i < segments; i++) {
    const a = rim[i];
    const b = rim[(i + 1) % segments];
    into.triangles.push(count + a, count + b, b, count + a, b, a);
  }
  const solid: Solid = { mesh: meshOf(into), form: { kind: 'capsule', radius, height }, pose: ORIGIN };
  return madeBy('capsule', { radius, height, segments }, solid);
}

/** Vertices with z = 0 of the upper half, counter-clockwise from (1, 0, 0), found by following the open edge. */
function rimOrder({ vertices, triangles }: Growing, segments: number): number[] {
  const next = new Map<number, number>();
  for (let i = 0; i < triangles.length; i++) {
    const a = triangles[i];
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    if (vertices[3 * a + 2] === 0 && vertices[3 * b + 2] === 0) next.set(a, b);
  }
  const order = [0];
  while (order.length < segments) order.push(next.get(order[order.length - 1])!);
  return order;
}
