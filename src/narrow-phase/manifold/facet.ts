/**
 * What a solid turns towards the other: the face whose normal is most along the contact normal, the generator of a curved side, the segment of a
 * capsule or a single point; and on it the anchors, places at which the depth is measured. Anchors belong to the body, so that
 * a contact keeps its name while the bodies slide.
 */
import type { Discs } from './convex-shape.js';
import type { PlacedShape } from './placed-shape.js';
import type { Tape } from './tape.js';

/** Corners of the polygon that stands for a circular cap where it is cut off; its anchors lie on the circle. */
export const CAP_CORNERS = 24;

export class Facet {
  /** 2: plane face, 1: segment, 0: point or none */
  dimension = 0;
  /** corners on the tape, counter-clockwise seen from outside */
  readonly points: Int32Array;
  count = 0;
  /** outward normal on the tape, for a face */
  normal = 0;
  /** on the tape; and their numbers on the body */
  readonly anchors: Int32Array;
  readonly anchorIds: Int32Array;
  anchorCount = 0;
  /** m² for faces, m for segments */
  measure = 0;
  /** radius of a circular cap, m, else 0 */
  capRadius = 0;
  /** radius of curvature of the side of which a segment is the generator, or of the rounding, m */
  bend = 0;
  /** number of the face on the body, after the numbers of its corners */
  id = 0;

  constructor(private readonly placed: PlacedShape) {
    const { polyhedron, discs } = placed.shape;
    this.points = new Int32Array(discs ? CAP_CORNERS : Math.max(2, polyhedron!.mostCorners));
    this.anchors = new Int32Array(8);
    this.anchorIds = new Int32Array(8);
  }

  /** @param n on the tape: the contact normal out of this body, a unit vector */
  set(tape: Tape, n: number): void {
    const { placed } = this;
    const { polyhedron, discs, radius } = placed.shape;
    this.capRadius = 0;
    this.bend = radius;
    placed.turnBack(tape.value(n), tape.value(n + 1), tape.value(n + 2));
    const { local } = placed;
    if (discs) this.setDiscs(tape, n, discs, local[0], local[1], local[2]);
    else {
      const { corners, loops, first, anchors, firstAnchor, normals, areas } = polyhedron!;
      const f = polyhedron!.faceAlong(local[0], local[1], local[2]);
      this.id = corners.length / 3 + Math.max(0, f);
      this.count = 0;
      this.anchorCount = 0;
      if (f < 0) {
        this.dimension = Math.min(1, corners.length / 3 - 1);
        for (let i = 0; i < corners.length / 3; i++) this.addCorner(tape, corners, i);
        for (let i = 0; i < this.count; i++) this.addAnchor(this.points[i], i);
        this.measure = corners.length > 3 ? corners[5] - corners[2] : 0;
        return;
      }
      this.dimension = 2;
      this.measure = areas[f];
      this.normal = placed.direction(tape, normals[3 * f], normals[3 * f + 1], normals[3 * f + 2]);
      let next = firstAnchor[f];
      for (let i = first[f]; i < first[f + 1]; i++) {
        this.addCorner(tape, corners, loops[i]);
        if (next === firstAnchor[f + 1] || anchors[next] !== loops[i]) continue;
        this.addAnchor(this.points[this.count - 1], loops[i]);
        next++;
      }
    }
  }

  private addCorner(tape: Tape, corners: Float64Array, i: number): void {
    this.points[this.count++] = this.placed.corner(tape, corners, i);
  }
  private addAnchor(point: number, id: number): void {
    this.anchors[this.anchorCount] = point;
    this.anchorIds[this.anchorCount++] = id;
  }

  /** Numbers: anchors of the bottom 0 … 3, of the top 4 … 7, ends of the generator 8 and 9; bottom 10, top 11, side 12. */
  private setDiscs(tape: Tape, n: number, discs: Discs, x: number, y: number, z: number): void {
    const { placed } = this;
    const across = Math.sqrt(x * x + y * y);
    const onSide = (across - discs.slope * z) / Math.sqrt(1 + discs.slope * discs.slope);
    const radius = z > 0 ? discs.top : discs.bottom;
    const height = z > 0 ? discs.half : -discs.half;
    this.count = 0;
    this.anchorCount = 0;
    if (radius > 0 && Math.abs(z) > onSide) {
      this.dimension = 2;
      this.measure = Math.PI * radius * radius;
      this.capRadius = radius;
      this.normal = placed.direction(tape, 0, 0, z > 0 ? 1 : -1);
      this.id = z > 0 ? 11 : 10;
      for (let i = 0; i < CAP_CORNERS; i++) {
        const k = z > 0 ? i : (CAP_CORNERS - i) % CAP_CORNERS;
        this.points[this.count++] = placed.point(tape, radius * CIRCLE[2 * k], radius * CIRCLE[2 * k + 1], height);
        if (k % (CAP_CORNERS / 4) === 0) this.addAnchor(this.points[i], (z > 0 ? 4 : 0) + k / (CAP_CORNERS / 4));
      }
      return;
    }
    this.dimension = 1;
    this.id = 12;
    this.measure = 2 * discs.half * Math.sqrt(1 + discs.slope * discs.slope);
    this.bend = discs.middle * Math.sqrt(1 + discs.slope * discs.slope);
    this.points[this.count++] = placed.farthestOnCircle(tape, n, discs.bottom, -discs.half);
    this.points[this.count++] = placed.farthestOnCircle(tape, n, discs.top, discs.half);
    this.addAnchor(this.points[0], 8);
    this.addAnchor(this.points[1], 9);
  }
}

/** cos and sin of multiples of 15°, exactly symmetric */
const CIRCLE = circle();
function circle(): Float64Array {
  const cosines = [
    1,
    0.25 * (Math.sqrt(6) + Math.sqrt(2)),
    0.5 * Math.sqrt(3),
    Math.SQRT1_2,
    0.5,
    0.25 * (Math.sqrt(6) - Math.sqrt(2)),
    0,
  ];
  const cosine = (i: number): number => {
    const k = i % 24;
    return k <= 6 ? cosines[k] : k <= 12 ? -cosines[12 - k] : k <= 18 ? -cosines[k - 12] : cosines[24 - k];
  };
  const out = new Float64Array(2 * CAP_CORNERS);
  for (let i = 0; i < CAP_CORNERS; i++) {
    out[2 * i] = cosine(i);
    out[2 * i + 1] = cosine(i + 18);
  }
  return out;
}
