/**
 * Points of two convex solids that touch or are about to, with signed gaps.
 *
 *   direction    of the nearest points (GJK) where the cores are apart by more than 10⁻⁹ of their size, of the smallest displacement that parts them
 *                (expanding polytope; of boxes that of fifteen, box-directions.ts) where they are not
 *   face         if a face of either is within 10° of it, the other's most opposed face is clipped by its sides and every corner keeps its own gap
 *                along the normal of the face
 *   lines        two generators, axes of capsules side by side: the ends of their common part
 *   else         one point with that direction and distance
 *
 * All is done in A's frame, where coordinates are as small as the bodies. Most pairs that are near are apart, and were along the same direction in the step before: it is
 * asked first.
 */
import { DifferenceCorners, Gjk, RelativePose } from '../narrow-phase/distance/index.js';
import { type ConvexShape, Expansion } from '../narrow-phase/manifold/index.js';
import { BoxDirections } from './box-directions.js';
import { FacePolygon } from './face-polygon.js';
import type { FoundPoints, PointFinder, Poses } from './found-points.js';
import { FACING } from './half-space-finder.js';

/** Of the size of the two: cores nearer than this have no direction to tell from their nearest points */
const TOUCHING = 1e-9;
/** Sine of the angle at which two lines no longer lie beside each other */
const BESIDE = 0.1;

/** Shared by all pairs: one is searched at a time. */
const GJK = new Gjk();
const EXPANSION = new Expansion();
const POSE = new RelativePose();
const BOXES = new BoxDirections();
const CORNER = new DifferenceCorners(1);
const FACE_A = new FacePolygon();
const FACE_B = new FacePolygon();
/** A's axes: direction from A to B; nearest points of the cores */
const N = new Float64Array(3);
const POINT_A = new Float64Array(3);
const POINT_B = new Float64Array(3);
/** A polygon, line or point that is cut, and how many corners are left of it */
let clipped = new Float64Array(3 * 64);
let spare = new Float64Array(3 * 64);
let corners = 0;

export class ConvexFinder implements PointFinder {
  private readonly size: number;
  /** Half sizes, where both are boxes */
  private readonly halfA: Float64Array | undefined;
  private readonly halfB: Float64Array | undefined;
  /** A's axes: direction along which they were apart the last time; 0: they were not */
  private readonly apart = new Float64Array(3);

  constructor(
    private readonly a: number,
    private readonly b: number,
    private readonly shapeA: ConvexShape,
    private readonly shapeB: ConvexShape,
  ) {
    this.size = shapeA.size + shapeB.size;
    if (shapeA.kind === 'box' && shapeB.kind === 'box') {
      this.halfA = halfSizes(shapeA);
      this.halfB = halfSizes(shapeB);
    }
  }

  find(poses: Poses, margin: number, out: FoundPoints): void {
    const { a, b, shapeA, shapeB } = this;
    const n = N;
    POSE.set(poses, a, b);
    const { rotation_AB: r, position_AB: t } = POSE;
    const radii = shapeA.radius + shapeB.radius;
    const reach = this.size + margin;
    if (t[0] * t[0] + t[1] * t[1] + t[2] * t[2] > reach * reach) return;
    if (this.halfA) {
      if (!BOXES.run(this.halfA, this.halfB!, r, t, margin)) return;
    } else if (this.areApart(r, t, margin + radii)) return;
    let core = this.direct(r, t, margin + radii);
    if (core - radii > margin) return;
    FACE_A.setOwn(shapeA, n[0], n[1], n[2]);
    FACE_B.setPlaced(shapeB, r, t, -n[0], -n[1], -n[2]);
    const byA = FACE_A.dimension === 2 ? FACE_A.along : -1;
    const byB = FACE_B.dimension === 2 ? FACE_B.along : -1;
    if (Math.max(byA, byB) > FACING && FACE_A.count + FACE_B.count > 3) {
      if (byA >= byB * (1 - 1e-9)) this.onFace(FACE_A, FACE_B, 1, shapeB.radius, margin, poses, out);
      else this.onFace(FACE_B, FACE_A, -1, shapeA.radius, margin, poses, out);
      if (out.regions > 0) return;
      core = this.direct(r, t, margin + radii); // nothing was left of the other face
    } else if (FACE_A.dimension === 1 && FACE_B.dimension === 1 && radiusOf(FACE_A) + radiusOf(FACE_B) > 0) {
      this.beside(margin, poses, out);
      if (out.regions > 0) return;
    }
    this.single(core - radii, poses, out);
  }

  /** Along the direction of the last time */
  private areApart(r: Float64Array, t: Float64Array, most: number): boolean {
    const { apart } = this;
    if (apart[0] === 0 && apart[1] === 0 && apart[2] === 0) return false;
    CORNER.take(this.shapeA.support, this.shapeB.support, r, t, apart[0], apart[1], apart[2], 0);
    return -(apart[0] * CORNER.w[0] + apart[1] * CORNER.w[1] + apart[2] * CORNER.w[2]) > most;
  }

  /** Direction, nearest points and distance of the cores, negative where they overlap; anything above `most` if they are farther apart */
  private direct(r: Float64Array, t: Float64Array, most: number): number {
    const { shapeA, shapeB, apart } = this;
    const n = N;
    const pointA = POINT_A;
    const pointB = POINT_B;
    if (this.halfA && BOXES.largest <= 0) {
      for (let k = 0; k < 3; k++) n[k] = BOXES.normal[k];
      if (BOXES.which >= 6)
        for (let k = 0; k < 3; k++) {
          pointA[k] = BOXES.pointA[k];
          pointB[k] = BOXES.pointB[k];
        }
      else this.deepest(r, t, BOXES.which < 3);
      return BOXES.largest;
    }
    GJK.run(shapeA.support, shapeB.support, r, t, most);
    apart.fill(0);
    if (GJK.distance > TOUCHING * this.size) {
      const per = -1 / GJK.distance;
      for (let k = 0; k < 3; k++) {
        n[k] = per * GJK.v[k];
        pointA[k] = GJK.point(GJK.corners.a, k);
        pointB[k] = GJK.point(GJK.corners.b, k);
      }
      if (!(GJK.lower > most)) return GJK.distance;
      apart.set(n);
      return Number.POSITIVE_INFINITY;
    }
    if (EXPANSION.run(shapeA.support, shapeB.support, r, t, 1e-7 * this.size)) {
      for (let k = 0; k < 3; k++) {
        n[k] = EXPANSION.normal[k];
        pointA[k] = EXPANSION.point(EXPANSION.corners.a, k);
        pointB[k] = EXPANSION.point(EXPANSION.corners.b, k);
      }
      return -EXPANSION.depth;
    }
    // points and lines that go through each other: from centre to centre, or any
    const length = Math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (let k = 0; k < 3; k++) {
      n[k] = length > 1e-12 * this.size ? t[k] / length : k === 2 ? 1 : 0;
      pointA[k] = GJK.point(GJK.corners.a, k);
      pointB[k] = GJK.point(GJK.corners.b, k);
    }
    return 0;
  }

  /** A box's corner that is deepest in the face of the other along n, and the point of the face below it */
  private deepest(r: Float64Array, t: Float64Array, inA: boolean): void {
    const { shapeA, shapeB } = this;
    const n = N;
    const pointA = POINT_A;
    const pointB = POINT_B;
    CORNER.take(shapeA.support, shapeB.support, r, t, n[0], n[1], n[2], 0);
    for (let k = 0; k < 3; k++) {
      pointA[k] = inA ? CORNER.b[k] - BOXES.largest * n[k] : CORNER.a[k];
      pointB[k] = inA ? CORNER.b[k] : CORNER.a[k] + BOXES.largest * n[k];
    }
  }

  private single(gap: number, poses: Poses, out: FoundPoints): void {
    const { shapeA, shapeB } = this;
    const n = N;
    const pointA = POINT_A;
    const pointB = POINT_B;
    this.open(n[0], n[1], n[2], poses, out);
    const shift = 0.5 * (shapeA.radius - shapeB.radius);
    this.add(
      0.5 * (pointA[0] + pointB[0]) + shift * n[0],
      0.5 * (pointA[1] + pointB[1]) + shift * n[1],
      0.5 * (pointA[2] + pointB[2]) + shift * n[2],
      gap,
      poses,
      out,
    );
    out.close();
  }

  /** @param sign 1: the reference face is A's, its normal goes from A to B */
  private onFace(
    face: FacePolygon,
    other: FacePolygon,
    sign: number,
    radius: number,
    margin: number,
    poses: Poses,
    out: FoundPoints,
  ): void {
    this.clip(other, face);
    const { normal: m, points: p } = face;
    this.open(sign * m[0], sign * m[1], sign * m[2], poses, out);
    for (let k = 0; k < corners; k++) {
      const x = clipped[3 * k];
      const y = clipped[3 * k + 1];
      const z = clipped[3 * k + 2];
      const gap = (x - p[0]) * m[0] + (y - p[1]) * m[1] + (z - p[2]) * m[2] - radius;
      if (!(gap < margin)) continue;
      const back = radius + 0.5 * gap;
      this.add(x - back * m[0], y - back * m[1], z - back * m[2], gap, poses, out);
    }
    out.measure();
    out.close();
  }

  /** Sutherland & Hodgman (1974): the other's polygon, line or point cut off at the sides of the face */
  private clip(subject: FacePolygon, face: FacePolygon): void {
    const room = 3 * (subject.count + face.count + 2);
    if (clipped.length < room) {
      clipped = new Float64Array(2 * room);
      spare = new Float64Array(2 * room);
    }
    for (let k = 0; k < 3 * subject.count; k++) clipped[k] = subject.points[k];
    corners = subject.count;
    const { points: p, normal: m, count } = face;
    const closed = subject.dimension === 2;
    for (let i = 0; i < count && corners > 0; i++) {
      const j = i + 1 === count ? 0 : i + 1;
      const ux = p[3 * j] - p[3 * i];
      const uy = p[3 * j + 1] - p[3 * i + 1];
      const uz = p[3 * j + 2] - p[3 * i + 2];
      const ox = uy * m[2] - uz * m[1];
      const oy = uz * m[0] - ux * m[2];
      const oz = ux * m[1] - uy * m[0];
      this.cut(ox, oy, oz, ox * p[3 * i] + oy * p[3 * i + 1] + oz * p[3 * i + 2], closed);
    }
  }

  private cut(ox: number, oy: number, oz: number, level: number, closed: boolean): void {
    const from = clipped;
    const to = spare;
    const n = corners;
    // a border that both have is not cut by rounding
    const doubt = 1e-12 * (Math.abs(ox) + Math.abs(oy) + Math.abs(oz)) * this.size;
    let count = 0;
    for (let k = 0; k < n; k++) {
      const x = from[3 * k];
      const y = from[3 * k + 1];
      const z = from[3 * k + 2];
      const here = ox * x + oy * y + oz * z - level;
      if (here <= doubt) {
        to[3 * count] = x;
        to[3 * count + 1] = y;
        to[3 * count + 2] = z;
        count++;
      }
      if (n === 1 || (!closed && k + 1 === n)) break;
      const l = k + 1 === n ? 0 : k + 1;
      const there = ox * from[3 * l] + oy * from[3 * l + 1] + oz * from[3 * l + 2] - level;
      if (here <= doubt === there <= doubt) continue;
      const s = here / (here - there);
      // both within doubt of the border, on its outside: it crosses nowhere between them, and far beyond them if at all
      if (s < 0 || s > 1) continue;
      to[3 * count] = x + s * (from[3 * l] - x);
      to[3 * count + 1] = y + s * (from[3 * l + 1] - y);
      to[3 * count + 2] = z + s * (from[3 * l + 2] - z);
      count++;
    }
    corners = count;
    clipped = to;
    spare = from;
  }

  /** Two lines side by side: ends of the part of B's that lies beside A's, gaps to A's along the direction */
  private beside(margin: number, poses: Poses, out: FoundPoints): void {
    const n = N;
    const p = FACE_A.points;
    const ux = p[3] - p[0];
    const uy = p[4] - p[1];
    const uz = p[5] - p[2];
    const uu = ux * ux + uy * uy + uz * uz;
    const q = FACE_B.points;
    const wx = q[3] - q[0];
    const wy = q[4] - q[1];
    const wz = q[5] - q[2];
    const cx = uy * wz - uz * wy;
    const cy = uz * wx - ux * wz;
    const cz = ux * wy - uy * wx;
    if (cx * cx + cy * cy + cz * cz > BESIDE * BESIDE * uu * (wx * wx + wy * wy + wz * wz)) return;
    for (let k = 0; k < 6; k++) clipped[k] = q[k];
    corners = 2;
    const low = ux * p[0] + uy * p[1] + uz * p[2];
    this.cut(ux, uy, uz, low + uu, false);
    if (corners === 2) this.cut(-ux, -uy, -uz, -low, false);
    if (corners < 2) return;
    const radiusA = this.shapeA.radius;
    const radiusB = this.shapeB.radius;
    this.open(n[0], n[1], n[2], poses, out);
    for (let k = 0; k < 2; k++) {
      const x = clipped[3 * k];
      const y = clipped[3 * k + 1];
      const z = clipped[3 * k + 2];
      const s = ((x - p[0]) * ux + (y - p[1]) * uy + (z - p[2]) * uz) / uu;
      const gap =
        (x - p[0] - s * ux) * n[0] + (y - p[1] - s * uy) * n[1] + (z - p[2] - s * uz) * n[2] - radiusA - radiusB;
      if (!(gap < margin)) continue;
      const back = radiusB + 0.5 * gap;
      this.add(x - back * n[0], y - back * n[1], z - back * n[2], gap, poses, out);
    }
    out.measure();
    out.close();
  }

  /** A region with a normal given in A's axes */
  private open(x: number, y: number, z: number, { rotation }: Poses, out: FoundPoints): void {
    const r = 9 * this.a;
    out.open(
      rotation[r] * x + rotation[r + 1] * y + rotation[r + 2] * z,
      rotation[r + 3] * x + rotation[r + 4] * y + rotation[r + 5] * z,
      rotation[r + 6] * x + rotation[r + 7] * y + rotation[r + 8] * z,
    );
  }

  /** A corner given in A's frame */
  private add(x: number, y: number, z: number, gap: number, { position, rotation }: Poses, out: FoundPoints): void {
    const r = 9 * this.a;
    const p = 3 * this.a;
    out.add(
      position[p] + rotation[r] * x + rotation[r + 1] * y + rotation[r + 2] * z,
      position[p + 1] + rotation[r + 3] * x + rotation[r + 4] * y + rotation[r + 5] * z,
      position[p + 2] + rotation[r + 6] * x + rotation[r + 7] * y + rotation[r + 8] * z,
      gap,
    );
  }
}

/** m; of a box about its middle */
function halfSizes({ polyhedron }: ConvexShape): Float64Array {
  const half = new Float64Array(3);
  const { corners } = polyhedron!;
  for (let i = 0; i < corners.length; i++) half[i % 3] = Math.max(half[i % 3], corners[i]);
  return half;
}

/** m; of what a line is the axis or a generator */
const radiusOf = (face: FacePolygon): number => face.bend;
