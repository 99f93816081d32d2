/**
 * Convex hull of points in space: quickhull (Barber, Dobkin & Huhdanpaa 1996, doi 10.1145/235815.235821) with exact
 * sides of planes instead of tolerances.
 *
 * Every face keeps the points strictly in front of it. A face with points takes the farthest, removes all faces that
 * see it and closes the hole with triangles from the rim of the hole to that point. Seeing is strict and exact, so
 * the faces seen are one patch, no new triangle is without area, and the result is convex without any tolerance.
 */
import { ModelError } from '../errors.js';
import { findRoot, identity, unite } from '../math/union-find.js';
import type { Vec3 } from '../math/vec3.js';
import { axisShowing, sideOfPlane } from './side-of-plane.js';
import { edgeTable, nextHalfEdge, previousHalfEdge } from './topology.js';
import type { TriangleMesh } from './triangle-mesh.js';

/**
 * The smallest convex solid that contains the points. Its vertices are corners of the hull and bitwise equal to given
 * points, in the order given; points inside faces and edges are dropped.
 *
 * @param points coordinates in m, 3 per point, or a list of points
 * @throws ModelError for fewer than 4 points, points that coincide or lie on one line or in one plane, and for
 *   coordinates that are not finite
 * @example const stone = convexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]);
 */
export function convexHull(points: Float64Array | readonly Vec3[]): TriangleMesh {
  const xyz = points instanceof Float64Array ? points : flat(points);
  if (xyz.length % 3 !== 0)
    throw new ModelError('convexHull.points', `expected 3 coordinates each, got ${xyz.length} numbers`);
  const n = xyz.length / 3;
  if (n < 4) throw new ModelError('convexHull.points', `expected at least 4 points, got ${n}`);
  for (let i = 0; i < xyz.length; i++)
    if (!Number.isFinite(xyz[i]))
      throw new ModelError(
        `convexHull.points[${Math.floor(i / 3)}].${'xyz'[i % 3]}`,
        `expected a finite coordinate in m, got ${xyz[i]}`,
      );
  const hull = compact(xyz, new Quickhull(xyz).run());
  const corners = properCorners(hull);
  // Points taken early may turn out to lie inside a face or an edge: the hull of the proper corners is the same solid.
  return corners.length === hull.vertices.length ? hull : compact(corners, new Quickhull(corners).run());
}

function flat(points: readonly Vec3[]): Float64Array {
  const xyz = new Float64Array(3 * points.length);
  for (let i = 0; i < points.length; i++)
    for (let k = 0; k < 3; k++) xyz[3 * i + k] = points[i].length === 3 ? points[i][k] : Number.NaN;
  return xyz;
}

/** Four points that span a volume, p3 behind the plane of p0, p1, p2; as places in the coordinates. */
function firstTetrahedron(xyz: Float64Array): [number, number, number, number] {
  const refuse = (where: string) =>
    new ModelError('convexHull.points', `all ${xyz.length / 3} points ${where}; a solid needs four that span a volume`);
  let p0 = 0;
  let p1 = 0;
  for (let i = 3; i < xyz.length; i += 3) {
    if (precedes(xyz, i, p0)) p0 = i;
    if (precedes(xyz, p1, i)) p1 = i;
  }
  if (!precedes(xyz, p0, p1)) throw refuse('coincide');

  // the farthest from the line; if rounding has misled us to a point on it, any point off it
  let p2 = p0;
  let farthest = 0;
  const ux = xyz[p1] - xyz[p0];
  const uy = xyz[p1 + 1] - xyz[p0 + 1];
  const uz = xyz[p1 + 2] - xyz[p0 + 2];
  for (let i = 0; i < xyz.length; i += 3) {
    const wx = xyz[i] - xyz[p0];
    const wy = xyz[i + 1] - xyz[p0 + 1];
    const wz = xyz[i + 2] - xyz[p0 + 2];
    const distance = Math.abs(uy * wz - uz * wy) + Math.abs(uz * wx - ux * wz) + Math.abs(ux * wy - uy * wx);
    if (distance > farthest) {
      farthest = distance;
      p2 = i;
    }
  }
  for (let i = 0; i < xyz.length && axisShowing(xyz, p0, p1, p2) < 0; i += 3) p2 = i;
  if (axisShowing(xyz, p0, p1, p2) < 0) throw refuse('lie on one line');

  let p3 = p0;
  farthest = 0;
  for (let i = 0; i < xyz.length; i += 3) {
    const side = sideOfPlane(xyz, p0, p1, p2, i);
    if (Math.abs(side) > Math.abs(farthest)) {
      farthest = side;
      p3 = i;
    }
  }
  if (farthest === 0) throw refuse('lie in one plane');
  return farthest < 0 ? [p0, p1, p2, p3] : [p0, p2, p1, p3];
}

const precedes = (xyz: Float64Array, i: number, j: number): boolean => {
  for (let k = 0; k < 3; k++) if (xyz[i + k] !== xyz[j + k]) return xyz[i + k] < xyz[j + k];
  return false;
};

/** The hull under construction; points are named by their place in the coordinates. */
class Quickhull {
  private capacity = 256;
  /** 3 per face: corners, counter-clockwise seen from outside */
  private corners = new Int32Array(3 * this.capacity);
  /** 3 per face: the face behind side k, which runs from corner k to corner k + 1 */
  private neighbours = new Int32Array(3 * this.capacity);
  /** first point in front of the face, −1: none; the others follow in `next`. −2: the face is removed. */
  private front = new Int32Array(this.capacity);
  private farthest = new Int32Array(this.capacity);
  private farthestSide = new Float64Array(this.capacity);
  /** 2 × the number of the step in which the face was looked at, + 1 if it was seen */
  private looked = new Int32Array(this.capacity);
  /** per point: the next one in front of the same face, −1 at the end */
  private readonly next: Int32Array;
  /** per point: the new face whose first corner it is, during one step */
  private readonly startsAt: Int32Array;
  private used = 0;
  private readonly free: number[] = [];
  private readonly pending: number[] = [];

  constructor(private readonly xyz: Float64Array) {
    this.next = new Int32Array(xyz.length / 3).fill(-1);
    this.startsAt = new Int32Array(xyz.length / 3);
  }

  /** Corners of the hull's triangles, as places in the coordinates. */
  run(): Int32Array {
    this.start();
    for (let step = 1; this.pending.length > 0; ) {
      const face = this.pending.pop()!;
      if (this.front[face] >= 0) this.include(this.farthest[face], face, step++);
    }
    const result = new Int32Array(3 * (this.used - this.free.length));
    for (let f = 0, at = 0; f < this.used; f++)
      if (this.front[f] !== -2) for (let k = 0; k < 3; k++) result[at++] = this.corners[3 * f + k];
    return result;
  }

  private start(): void {
    const { xyz, neighbours } = this;
    const [a, b, c, d] = firstTetrahedron(xyz);
    for (const [p, q, r] of [
      [a, b, c],
      [a, d, b],
      [b, d, c],
      [c, d, a],
    ])
      this.addFace(p, q, r);
    neighbours.set([1, 2, 3, 3, 2, 0, 1, 3, 0, 2, 1, 0]);
    const faces = [0, 1, 2, 3];
    for (let p = 0; p < xyz.length; p += 3) this.assign(p, faces, 4);
    this.pending.push(3, 2, 1, 0);
  }

  private addFace(p: number, q: number, r: number): number {
    const face = this.free.pop() ?? this.used++;
    if (face >= this.capacity) this.grow();
    this.corners[3 * face] = p;
    this.corners[3 * face + 1] = q;
    this.corners[3 * face + 2] = r;
    this.front[face] = -1;
    this.farthestSide[face] = 0;
    this.looked[face] = 0;
    return face;
  }

  private grow(): void {
    this.capacity *= 2;
    const wider = (from: Int32Array, length: number) => {
      const to = new Int32Array(length);
      to.set(from);
      return to;
    };
    this.corners = wider(this.corners, 3 * this.capacity);
    this.neighbours = wider(this.neighbours, 3 * this.capacity);
    this.front = wider(this.front, this.capacity);
    this.farthest = wider(this.farthest, this.capacity);
    this.looked = wider(this.looked, this.capacity);
    const sides = new Float64Array(this.capacity);
    sides.set(this.farthestSide);
    this.farthestSide = sides;
  }

  private sideOf(face: number, p: number): number {
    const { corners } = this;
    return sideOfPlane(this.xyz, corners[3 * face], corners[3 * face + 1], corners[3 * face + 2], p);
  }

  /** Hands point p to the first of the faces that it is strictly in front of; drops it if there is none. */
  private assign(p: number, faces: readonly number[], count: number): void {
    for (let i = 0; i < count; i++) {
      const face = faces[i];
      const side = this.sideOf(face, p);
      if (!(side > 0)) continue;
      this.next[p / 3] = this.front[face];
      this.front[face] = p;
      if (side > this.farthestSide[face]) {
        this.farthestSide[face] = side;
        this.farthest[face] = p;
      }
      return;
    }
  }

  private readonly seen: number[] = [];
  private readonly fresh: number[] = [];

  /** Makes p a corner of the hull. It is strictly in front of `face`. */
  private include(p: number, face: number, step: number): void {
    const { seen, fresh, startsAt } = this;

    // faces that see p, spreading from the one we know
    seen.length = 0;
    fresh.length = 0;
    seen.push(face);
    this.looked[face] = 2 * step + 1;
    for (let i = 0; i < seen.length; i++)
      for (let k = 0; k < 3; k++) {
        const f = seen[i];
        const other = this.neighbours[3 * f + k];
        if (this.looked[other] < 2 * step) {
          const sees = this.sideOf(other, p) > 0;
          this.looked[other] = 2 * step + (sees ? 1 : 0);
          if (sees) seen.push(other);
        }
        if (this.looked[other] === 2 * step + 1) continue;

        // a side between seen and not seen is on the rim: a new triangle from it to p
        const from = this.corners[3 * f + k];
        const to = this.corners[3 * f + ((k + 1) % 3)];
        const made = this.addFace(from, to, p);
        this.neighbours[3 * made] = other;
        for (let m = 0; m < 3; m++)
          if (this.corners[3 * other + m] === to && this.corners[3 * other + ((m + 1) % 3)] === from)
            this.neighbours[3 * other + m] = made;
        startsAt[from / 3] = made;
        fresh.push(made);
      }
    for (const made of fresh) {
      const following = startsAt[this.corners[3 * made + 1] / 3];
      this.neighbours[3 * made + 1] = following;
      this.neighbours[3 * following + 2] = made;
    }

    // the points of the removed faces find a new face or are inside
    for (const f of seen) {
      for (let q = this.front[f]; q >= 0; ) {
        const after = this.next[q / 3];
        if (q !== p) this.assign(q, fresh, fresh.length);
        q = after;
      }
      this.front[f] = -2;
    }
    for (const f of seen) this.free.push(f);
    for (const made of fresh) if (this.front[made] >= 0) this.pending.push(made);
  }
}

/** A mesh of the points that the triangles use, in their order. */
function compact(xyz: Float64Array, corners: Int32Array): TriangleMesh {
  const number = new Int32Array(xyz.length / 3).fill(-1);
  for (let i = 0; i < corners.length; i++) number[corners[i] / 3] = 0;
  let used = 0;
  for (let i = 0; i < number.length; i++) if (number[i] === 0) number[i] = used++;
  const vertices = new Float64Array(3 * used);
  for (let i = 0; i < number.length; i++)
    if (number[i] >= 0) vertices.set(xyz.subarray(3 * i, 3 * i + 3), 3 * number[i]);
  return { vertices, triangles: Uint32Array.from(corners, (p) => number[p / 3]) };
}

/** Coordinates of the vertices at which at least three planes meet; those of the mesh itself if all do. */
function properCorners(hull: TriangleMesh): Float64Array {
  const { vertices, triangles } = hull;
  const edges = edgeTable(hull);
  const plane = identity(triangles.length / 3);
  for (let e = 0; e < edges.count; e++) {
    const [h, g] = [edges.halfEdges[2 * e], edges.halfEdges[2 * e + 1]];
    const opposite = 3 * triangles[previousHalfEdge(g)];
    const [a, b, c] = [h, nextHalfEdge(h), previousHalfEdge(h)].map((i) => 3 * triangles[i]);
    if (sideOfPlane(vertices, a, b, c, opposite) === 0) unite(plane, Math.floor(h / 3), Math.floor(g / 3));
  }
  const first = new Int32Array(vertices.length / 3).fill(-1);
  const second = new Int32Array(vertices.length / 3).fill(-1);
  const proper = new Uint8Array(vertices.length / 3);
  for (let h = 0; h < triangles.length; h++) {
    const v = triangles[h];
    const root = findRoot(plane, Math.floor(h / 3));
    if (first[v] < 0 || first[v] === root) first[v] = root;
    else if (second[v] < 0 || second[v] === root) second[v] = root;
    else proper[v] = 1;
  }
  return vertices.filter((_, i) => proper[Math.floor(i / 3)] === 1);
}
