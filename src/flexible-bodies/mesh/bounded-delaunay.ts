/**
 * A constrained Delaunay triangulation that points are put into, one after the other, bounded by segments that may be halved. The triangles whose circumcircles hold a new point are its cavity;
 * segments bound it, and its border is joined to the point (Bowyer 1981, doi 10.1093/comjnl/24.2.162; Watson 1981, doi 10.1093/comjnl/24.2.167).
 *
 * Half-edge e = 3 t + k of triangle t goes from its corner k to the next one.
 */
import { inCircle, turn } from '../../geometry/orientation.js';
import { grown, grownInt } from './grown.js';

/** Straight segments of the boundary as the refinement starts from them, and as it leaves them. */
export interface Segments {
  /** 2 per segment: points from and to, the inside to the left */
  readonly ends: Int32Array;
  /** Per segment: the outline edge it is part of */
  readonly edge: Int32Array;
  /** 2 per segment: where on that edge it begins and ends, 0 … 1 of its length */
  readonly along: Float64Array;
}

export interface Refined {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly triangles: Int32Array;
  readonly segments: Segments;
}

export const after = (e: number): number => (e % 3 === 2 ? e - 2 : e + 1);
export const before = (e: number): number => (e % 3 === 0 ? e + 2 : e - 1);

export class BoundedDelaunay {
  x: Float64Array;
  y: Float64Array;
  points: number;
  triangles: number;
  /** 3 per triangle; −1 where there is none */
  corner: Int32Array;
  /** Per triangle: changes when it does */
  stamp: Int32Array;
  /** 3 per triangle: boundary segment of the half-edge, −1 inside */
  segment: Int32Array;
  readonly segmentEnds: number[];
  readonly segmentEdge: number[];
  /** Half-edge of each segment */
  readonly segmentAt: number[];
  /** Outline edge a point was put on, −1 for corners and points inside */
  edgeOf: Int32Array;
  /** Half-edges of the border of the last cavity */
  readonly rim: number[] = [];
  private readonly segmentAlong: number[];
  /** 3 per triangle: the half-edge beyond, −1 at the boundary */
  private twin: Int32Array;
  private readonly free: number[] = [];
  private readonly cavity: number[] = [];
  private inCavity: Int32Array;
  private visit = 0;
  /** Per point: new half-edge from the new point to it */
  private spokeOf: Int32Array;

  constructor(x: Float64Array, y: Float64Array, triangles: Uint32Array, segments: Segments) {
    this.points = x.length;
    this.triangles = triangles.length / 3;
    const room = 4 * Math.max(64, this.triangles);
    this.x = grown(x, room);
    this.y = grown(y, room);
    this.edgeOf = new Int32Array(room).fill(-1);
    this.spokeOf = new Int32Array(room);
    this.corner = new Int32Array(3 * room).fill(-1);
    this.corner.set(triangles);
    this.twin = new Int32Array(3 * room).fill(-1);
    this.segment = new Int32Array(3 * room).fill(-1);
    this.stamp = new Int32Array(room);
    this.inCavity = new Int32Array(room);
    this.segmentEnds = [...segments.ends];
    this.segmentEdge = [...segments.edge];
    this.segmentAlong = [...segments.along];
    this.segmentAt = new Array<number>(segments.edge.length).fill(-1);
    this.link();
  }

  private link(): void {
    const { corner, twin, segment, segmentAt, segmentEnds } = this;
    const at = new Map<number, number>();
    for (let e = 0; e < 3 * this.triangles; e++) at.set(corner[e] * this.points + corner[after(e)], e);
    for (let e = 0; e < 3 * this.triangles; e++) twin[e] = at.get(corner[after(e)] * this.points + corner[e]) ?? -1;
    for (let s = 0; s < segmentAt.length; s++) {
      const e = at.get(segmentEnds[2 * s] * this.points + segmentEnds[2 * s + 1])!;
      segmentAt[s] = e;
      segment[e] = s;
    }
    // A point between two segments of one edge lies on it; between two edges it is a corner
    const first = new Int32Array(this.points).fill(-1);
    for (let s = 0; s < segmentAt.length; s++)
      for (let k = 0; k < 2; k++) {
        const p = segmentEnds[2 * s + k];
        if (first[p] === -1) first[p] = this.segmentEdge[s];
        else if (first[p] !== this.segmentEdge[s]) first[p] = -2;
      }
    for (let p = 0; p < this.points; p++) this.edgeOf[p] = first[p] >= 0 ? first[p] : -1;
  }

  /** The triangle that holds a point, walking from t; −1 − s if segment s is in the way. */
  walk(t: number, px: number, py: number): number {
    const { x, y, corner, twin, segment } = this;
    let from = -1;
    for (let steps = 0; steps < 100_000; steps++) {
      let out = -1;
      for (let k = 0; k < 3; k++) {
        const e = 3 * t + k;
        if (e === from) continue;
        if (turn(x[corner[e]], y[corner[e]], x[corner[after(e)]], y[corner[after(e)]], px, py) < 0) {
          out = e;
          break;
        }
      }
      if (out < 0) return t;
      if (segment[out] >= 0) return -1 - segment[out];
      from = twin[out];
      t = Math.floor(from / 3);
    }
    throw new Error('a walk through the mesh does not end');
  }

  /** The triangles around t whose circumcircles hold the point, and the border of them. */
  gather(t: number, px: number, py: number): void {
    const { x, y, corner, twin, segment, inCavity, cavity, rim } = this;
    const mark = ++this.visit;
    cavity.length = 0;
    rim.length = 0;
    cavity.push(t);
    inCavity[t] = mark;
    for (let i = 0; i < cavity.length; i++)
      for (let e = 3 * cavity[i]; e < 3 * cavity[i] + 3; e++) {
        const other = twin[e];
        if (segment[e] >= 0 || other < 0) {
          rim.push(e);
          continue;
        }
        const n = Math.floor(other / 3);
        if (inCavity[n] === mark) continue;
        const [a, b, c] = [corner[3 * n], corner[3 * n + 1], corner[3 * n + 2]];
        if (inCircle(x[a], y[a], x[b], y[b], x[c], y[c], px, py) > 0) {
          inCavity[n] = mark;
          cavity.push(n);
        } else rim.push(e);
      }
    // What was taken in later is no border
    let kept = 0;
    for (const e of rim)
      if (segment[e] >= 0 || twin[e] < 0 || inCavity[Math.floor(twin[e] / 3)] !== mark) rim[kept++] = e;
    rim.length = kept;
  }

  /** Puts a point where the last cavity was gathered. @returns the triangles made */
  insert(px: number, py: number): readonly number[] {
    return this.fill(this.addPoint(px, py, -1), -1, -1, -1);
  }

  /** Puts a point on a segment, at `part` of its length: the segment becomes its first part, the second one is new. @returns the triangles made */
  halve(s: number, part: number): readonly number[] {
    const { segmentEnds, segmentAlong } = this;
    const a = segmentEnds[2 * s];
    const b = segmentEnds[2 * s + 1];
    const [ax, ay, bx, by] = [this.x[a], this.y[a], this.x[b], this.y[b]];
    const middle = segmentAlong[2 * s] + part * (segmentAlong[2 * s + 1] - segmentAlong[2 * s]);
    const e = this.segmentAt[s];
    const p = this.addPoint(ax + part * (bx - ax), ay + part * (by - ay), this.segmentEdge[s]);
    this.gather(Math.floor(e / 3), this.x[p], this.y[p]);
    const second = this.segmentAt.length;
    this.segmentEnds.push(p, b);
    this.segmentEdge.push(this.segmentEdge[s]);
    this.segmentAlong.push(middle, segmentAlong[2 * s + 1]);
    this.segmentAt.push(-1);
    segmentEnds[2 * s + 1] = p;
    segmentAlong[2 * s + 1] = middle;
    return this.fill(p, e, s, second);
  }

  private addPoint(px: number, py: number, edge: number): number {
    if (this.points === this.x.length) {
      this.x = grown(this.x, 2 * this.points);
      this.y = grown(this.y, 2 * this.points);
      this.edgeOf = grownInt(this.edgeOf, 2 * this.points);
      this.spokeOf = grownInt(this.spokeOf, 2 * this.points);
    }
    const p = this.points++;
    this.x[p] = px;
    this.y[p] = py;
    this.edgeOf[p] = edge;
    return p;
  }

  /** Joins the point to the border of the cavity; `split`: half-edge of a segment that the point halves, which becomes two. */
  private fill(p: number, split: number, firstSegment: number, secondSegment: number): readonly number[] {
    const { rim, cavity, spokeOf, free } = this;
    const ends = new Int32Array(4 * rim.length);
    for (let i = 0; i < rim.length; i++) {
      const e = rim[i];
      ends[4 * i] = e === split ? -1 : this.corner[e];
      ends[4 * i + 1] = this.corner[after(e)];
      ends[4 * i + 2] = this.twin[e];
      ends[4 * i + 3] = this.segment[e];
    }
    for (const t of cavity) {
      this.corner[3 * t] = -1;
      this.stamp[t]++;
      free.push(t);
    }
    const made: number[] = [];
    for (let i = 0; i < rim.length; i++) {
      if (ends[4 * i] < 0) continue;
      const t = this.newTriangle();
      made.push(t);
      const [a, b, outer, s] = [ends[4 * i], ends[4 * i + 1], ends[4 * i + 2], ends[4 * i + 3]];
      const e = 3 * t;
      this.corner[e] = a;
      this.corner[e + 1] = b;
      this.corner[e + 2] = p;
      this.twin[e] = outer;
      if (outer >= 0) this.twin[outer] = e;
      this.segment[e] = s;
      if (s >= 0) this.segmentAt[s] = e;
      this.segment[e + 1] = this.segment[e + 2] = -1;
      this.twin[e + 1] = this.twin[e + 2] = -1;
      spokeOf[a] = e + 2; // p → a
    }
    for (const t of made) {
      const e = 3 * t + 1; // b → p
      const b = this.corner[e];
      const other = spokeOf[b];
      if (this.corner[other] === p && this.corner[after(other)] === b && this.corner[other] >= 0) {
        this.twin[e] = other;
        this.twin[other] = e;
      }
    }
    if (firstSegment >= 0)
      for (const t of made) {
        // the two spokes without a neighbour are the halves
        if (this.twin[3 * t + 2] < 0) this.adopt(3 * t + 2, secondSegment);
        if (this.twin[3 * t + 1] < 0) this.adopt(3 * t + 1, firstSegment);
      }
    return made;
  }

  private adopt(e: number, s: number): void {
    this.segment[e] = s;
    this.segmentAt[s] = e;
  }

  private newTriangle(): number {
    const reused = this.free.pop();
    if (reused !== undefined) return reused;
    const t = this.triangles++;
    if (3 * t >= this.corner.length) {
      const room = 6 * t;
      this.corner = grownInt(this.corner, room);
      this.twin = grownInt(this.twin, room);
      this.segment = grownInt(this.segment, room);
      this.stamp = grownInt(this.stamp, room / 3);
      this.inCavity = grownInt(this.inCavity, room / 3);
    }
    return t;
  }

  result(): Refined {
    const { corner, triangles } = this;
    const kept: number[] = [];
    for (let t = 0; t < triangles; t++)
      if (corner[3 * t] >= 0) kept.push(corner[3 * t], corner[3 * t + 1], corner[3 * t + 2]);
    return {
      x: this.x.slice(0, this.points),
      y: this.y.slice(0, this.points),
      triangles: Int32Array.from(kept),
      segments: {
        ends: Int32Array.from(this.segmentEnds),
        edge: Int32Array.from(this.segmentEdge),
        along: Float64Array.from(this.segmentAlong),
      },
    };
  }
}
