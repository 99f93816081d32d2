/** Corners, edges and plane faces of a convex solid given as a triangle mesh: triangles in one plane are one face. */

import type { TriangleMesh } from '../../geometry/triangle-mesh.js';
import { findRoot, identity, unite } from '../../math/union-find.js';
import { cross, dot, norm, normalize, scale, sub, type Vec3 } from '../../math/vec3.js';

/** Faces whose normals differ by less than this, rad, are one. */
const FLAT = 1e-9;
/** How far a corner may stand out of a face's plane, of the solid's size, before the solid counts as concave. */
const CONVEX = 1e-9;
/** Points that a face hands on at most; of more corners every second, third, … is taken. */
const MOST_ANCHORS = 7;

export class Polyhedron {
  /** 3 per face: unit vector out of the solid */
  readonly normals: Float64Array;
  /** corners of all faces in turn, counter-clockwise seen from outside; face f has those from first[f] to first[f + 1] */
  readonly loops: Int32Array;
  readonly first: Int32Array;
  /** likewise: the corners of face f at which contact is measured */
  readonly anchors: Int32Array;
  readonly firstAnchor: Int32Array;
  /** one per face, m² */
  readonly areas: Float64Array;
  /** 2 per edge: its corners; its faces, −1 where there are none */
  readonly edges: Int32Array;
  readonly edgeFaces: Int32Array;
  /** the most corners of a face */
  readonly mostCorners: number;

  /** @param corners 3 per corner, m */
  constructor(
    readonly corners: Float64Array,
    faces: readonly (readonly number[])[],
    bareEdges: readonly (readonly [number, number])[] = [],
  ) {
    const normals: number[] = [];
    const areas: number[] = [];
    const edges = new Map<string, { corners: [number, number]; faces: [number, number] }>();
    for (const [p, q] of bareEdges) edges.set(`${p} ${q}`, { corners: [p, q], faces: [-1, -1] });
    faces.forEach((loop, f) => {
      const area = vectorArea(corners, loop);
      normals.push(...normalize(area));
      areas.push(norm(area));
      loop.forEach((p, i) => {
        const q = loop[(i + 1) % loop.length];
        const key = p < q ? `${p} ${q}` : `${q} ${p}`;
        const edge = edges.get(key);
        if (edge) edge.faces[1] = f;
        else edges.set(key, { corners: [p, q], faces: [f, -1] });
      });
    });
    this.normals = Float64Array.from(normals);
    this.areas = Float64Array.from(areas);
    this.loops = Int32Array.from(faces.flat());
    this.first = starts(faces);
    const anchors = faces.map((loop) => {
      const every = Math.ceil(loop.length / MOST_ANCHORS);
      return loop.filter((_, i) => i % every === 0);
    });
    this.anchors = Int32Array.from(anchors.flat());
    this.firstAnchor = starts(anchors);
    this.edges = Int32Array.from([...edges.values()].flatMap((edge) => edge.corners));
    this.edgeFaces = Int32Array.from([...edges.values()].flatMap((edge) => edge.faces));
    this.mostCorners = faces.reduce((most, loop) => Math.max(most, loop.length), 0);
  }

  get faceCount(): number {
    return this.areas.length;
  }
  get edgeCount(): number {
    return this.edges.length / 2;
  }

  /** The face whose normal is most along n, −1 if there are none. */
  faceAlong(nx: number, ny: number, nz: number): number {
    const { normals } = this;
    let best = -1;
    let most = -Infinity;
    for (let f = 0; f < normals.length; f += 3) {
      const along = nx * normals[f] + ny * normals[f + 1] + nz * normals[f + 2];
      if (along > most) {
        most = along;
        best = f / 3;
      }
    }
    return best;
  }

  /** Of a closed triangle mesh; undefined if it is not convex. */
  static fromMesh(mesh: TriangleMesh): Polyhedron | undefined {
    const { vertices, triangles } = mesh;
    const count = triangles.length / 3;
    if (count < 4) return undefined;
    const at = (i: number): Vec3 => [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]];
    const area = (t: number): Vec3 => {
      const a = at(triangles[3 * t]);
      return scale(0.5, cross(sub(at(triangles[3 * t + 1]), a), sub(at(triangles[3 * t + 2]), a)));
    };
    const normals = Array.from({ length: count }, (_, t) => normalize(area(t)));

    // neighbours in one plane are one face
    const half = new Map<string, number>();
    for (let h = 0; h < triangles.length; h++) {
      const key = `${triangles[h]} ${triangles[next(h)]}`;
      if (half.has(key)) return undefined;
      half.set(key, h);
    }
    const root = identity(count);
    for (const [key, h] of half) {
      const [p, q] = key.split(' ');
      const twin = half.get(`${q} ${p}`);
      if (twin === undefined) return undefined;
      const [s, t] = [Math.floor(h / 3), Math.floor(twin / 3)];
      if (norm(cross(normals[s], normals[t])) < FLAT && dot(normals[s], normals[t]) > 0) unite(root, s, t);
    }
    // the border of each face, as one loop
    const borders = new Map<number, Map<number, number>>();
    for (const [key, h] of half) {
      const [p, q] = key.split(' ');
      const [s, t] = [Math.floor(h / 3), Math.floor((half.get(`${q} ${p}`) ?? h) / 3)];
      const f = findRoot(root, s);
      if (f === findRoot(root, t)) continue;
      const border = borders.get(f) ?? new Map<number, number>();
      if (border.has(Number(p))) return undefined;
      borders.set(f, border.set(Number(p), Number(q)));
    }
    const faces: number[][] = [];
    for (const border of borders.values()) {
      const loop: number[] = [];
      const start = Math.min(...border.keys());
      for (let p = start; loop.length <= border.size; ) {
        loop.push(p);
        p = border.get(p) ?? start;
        if (p === start) break;
      }
      if (loop.length !== border.size) return undefined;
      faces.push(loop);
    }
    return compact(vertices, faces);
  }
}

/** Leaves out corners in the middle of edges and faces, and refuses what is not convex. */
function compact(vertices: Float64Array, faces: readonly number[][]): Polyhedron | undefined {
  const at = (i: number): Vec3 => [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]];
  const meetings = new Map<number, number>();
  for (const loop of faces) for (const p of loop) meetings.set(p, (meetings.get(p) ?? 0) + 1);
  const kept = [...meetings.keys()].filter((p) => (meetings.get(p) ?? 0) > 2).sort((p, q) => p - q);
  const place = new Map(kept.map((p, i) => [p, i]));
  const loops = faces.map((loop) => loop.filter((p) => place.has(p)).map((p) => place.get(p) ?? 0));
  if (loops.some((loop) => loop.length < 3)) return undefined;
  const polyhedron = new Polyhedron(Float64Array.from(kept.flatMap((p) => [...at(p)])), loops);
  const { corners, normals } = polyhedron;
  let size = 0;
  for (let i = 0; i < corners.length; i++) size = Math.max(size, Math.abs(corners[i] - corners[i % 3]));
  for (let f = 0; f < loops.length; f++) {
    const n: Vec3 = [normals[3 * f], normals[3 * f + 1], normals[3 * f + 2]];
    const offset = dot(n, at(kept[loops[f][0]]));
    for (const p of kept) if (dot(n, at(p)) - offset > CONVEX * size) return undefined;
  }
  return polyhedron;
}

const next = (h: number): number => (h % 3 === 2 ? h - 2 : h + 1);

function starts(lists: readonly (readonly number[])[]): Int32Array {
  const first = new Int32Array(lists.length + 1);
  lists.forEach((list, i) => {
    first[i + 1] = first[i] + list.length;
  });
  return first;
}

/** ½ Σ p_i × p_{i+1} about the first corner. */
function vectorArea(corners: Float64Array, loop: readonly number[]): Vec3 {
  const at = (i: number): Vec3 => [corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]];
  const origin = at(loop[0]);
  let sum: Vec3 = [0, 0, 0];
  for (let i = 1; i + 1 < loop.length; i++) {
    const c = cross(sub(at(loop[i]), origin), sub(at(loop[i + 1]), origin));
    sum = [sum[0] + 0.5 * c[0], sum[1] + 0.5 * c[1], sum[2] + 0.5 * c[2]];
  }
  return sum;
}
