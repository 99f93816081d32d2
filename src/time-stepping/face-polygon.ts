/**
 * What a convex solid turns towards the other, as corners in A's frame: the face most along a direction (a cap of 24 corners for a disc), the
 * generator of a curved side, the axis of a capsule, a point. Used again by every pair.
 */

import { cos, PI, sin } from '../math/elementary.js';
import type { ConvexShape } from '../narrow-phase/manifold/index.js';

const CAP_CORNERS = 24;
const CIRCLE = Float64Array.from({ length: 2 * CAP_CORNERS }, (_, i) =>
  i % 2 === 0 ? cos((PI * i) / CAP_CORNERS) : sin((PI * (i - 1)) / CAP_CORNERS),
);
const OWN_AXES = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const OWN_PLACE = new Float64Array(3);

export class FacePolygon {
  /** 2: face, 1: line, 0: point */
  dimension = 0;
  count = 0;
  /** 3 per corner, counter-clockwise seen from outside, m */
  points = new Float64Array(3 * CAP_CORNERS);
  /** Of a face: outward unit normal, and its cosine with the direction */
  readonly normal = new Float64Array(3);
  along = 0;
  /** Radius about a line, m; 0 for a bare edge */
  bend = 0;

  /** Of the solid in its own frame */
  setOwn(shape: ConvexShape, dx: number, dy: number, dz: number): void {
    this.setPlaced(shape, OWN_AXES, OWN_PLACE, dx, dy, dz);
  }

  /**
   * Of the solid at a pose.
   *
   * @param r 9, by rows: from its axes
   * @param t 3: its origin, m
   * @param dx dy dz direction out of it, unit
   */
  setPlaced(shape: ConvexShape, r: Float64Array, t: Float64Array, dx: number, dy: number, dz: number): void {
    const x = r[0] * dx + r[3] * dy + r[6] * dz;
    const y = r[1] * dx + r[4] * dy + r[7] * dz;
    const z = r[2] * dx + r[5] * dy + r[8] * dz;
    const { discs, polyhedron, radius } = shape;
    this.count = 0;
    this.bend = radius;
    if (discs) {
      this.setDiscs(discs, r, t, x, y, z);
      return;
    }
    const { corners, normals, loops, first, mostCorners } = polyhedron!;
    if (this.points.length < 3 * mostCorners) this.points = new Float64Array(3 * mostCorners);
    const f = polyhedron!.faceAlong(x, y, z);
    if (f < 0) {
      this.dimension = corners.length / 3 - 1;
      for (let i = 0; i < corners.length; i += 3) this.add(r, t, corners[i], corners[i + 1], corners[i + 2]);
      return;
    }
    this.dimension = 2;
    this.setNormal(r, normals[3 * f], normals[3 * f + 1], normals[3 * f + 2]);
    this.along = x * normals[3 * f] + y * normals[3 * f + 1] + z * normals[3 * f + 2];
    for (let k = first[f]; k < first[f + 1]; k++) {
      const i = 3 * loops[k];
      this.add(r, t, corners[i], corners[i + 1], corners[i + 2]);
    }
  }

  private setDiscs(
    { bottom, top, half, slope, middle }: NonNullable<ConvexShape['discs']>,
    r: Float64Array,
    t: Float64Array,
    x: number,
    y: number,
    z: number,
  ): void {
    const across = Math.sqrt(x * x + y * y);
    const onSide = (across - slope * z) / Math.sqrt(1 + slope * slope);
    const radius = z > 0 ? top : bottom;
    if (radius > 0 && Math.abs(z) > onSide) {
      this.dimension = 2;
      const up = z > 0 ? 1 : -1;
      this.setNormal(r, 0, 0, up);
      this.along = Math.abs(z);
      // the first corner is the one farthest along the direction, so that a disc rolls on its rim and not on corners
      const ex = across > 1e-12 ? x / across : 1;
      const ey = across > 1e-12 ? y / across : 0;
      for (let i = 0; i < CAP_CORNERS; i++) {
        const c = CIRCLE[2 * i];
        const s = up * CIRCLE[2 * i + 1];
        this.add(r, t, radius * (c * ex - s * ey), radius * (c * ey + s * ex), up * half);
      }
      return;
    }
    this.dimension = 1;
    this.bend = middle;
    const ex = across > 0 ? x / across : 1;
    const ey = across > 0 ? y / across : 0;
    this.add(r, t, bottom * ex, bottom * ey, -half);
    this.add(r, t, top * ex, top * ey, half);
  }

  private setNormal(r: Float64Array, x: number, y: number, z: number): void {
    for (let k = 0; k < 3; k++) this.normal[k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z;
  }

  private add(r: Float64Array, t: Float64Array, x: number, y: number, z: number): void {
    const at = 3 * this.count++;
    for (let k = 0; k < 3; k++) this.points[at + k] = r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z + t[k];
  }
}
