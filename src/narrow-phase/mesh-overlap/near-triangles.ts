/**
 * Pairs of triangles that can cross while the two bodies have not moved far against each other: those that are nearer than a slack. A step
 * asks for the overlap a dozen times at poses that hardly differ; the trees of boxes are walked once in many of them.
 *
 * A point of the smaller body, at most ρ from the middle c of its bounds, moves in the frame of the other by at most
 *
 *   |Δc| + ρ ‖ΔR‖,   ‖ΔR‖ = 2 sin(θ/2) = √(Σ ΔR_ij²)/√2
 *
 * Where two triangles come to cross, a point of the one meets a point of the other, and the two were no farther apart than that before. Pairs
 * are kept in the order in which the trees yield them, and all that cross are among them, so the overlap is the same bit for bit as with a
 * search of its own.
 */
import { TriangleDistance } from '../distance/triangle-distance.js';
import type { OverlapBody } from './overlap-body.js';
import type { OverlapCurves } from './overlap-curves.js';
import { crossTriangles } from './triangle-crossing.js';

/** Of the smaller body's radius: where lists begin, and the least */
const SLACK = 1e-2;
const LEAST_SLACK = 1e-5;
/** A list that serves more often than this was longer than it need be, one that serves less often was too short */
const MANY_USES = 200;
const FEW_USES = 20;
/** Rounding of distances, over the sizes that they come from */
const ROUNDING = 1e-12;
/** A list that serves less often is not worth its making, and none is made for so many evaluations; twice as many the next time, and so on */
const LEAST_USES = 3;
const MOST_WAITS = 64;

export class NearTriangles {
  /** m; by how much boxes may be apart to be looked at. It follows how often lists serve; what is found is the same with any. */
  slack: number;
  private readonly smallerIsB: boolean;
  /** ρ, m */
  private readonly radius: number;
  /** Of the radius and of the larger body's: what rounding is measured by */
  private readonly size: number;
  private pairs = new Int32Array(256);
  private count = 0;
  /** 9 and 3: R and t when the list was made, and where c was in the frame of the larger body */
  private readonly rotation = new Float64Array(9).fill(Number.NaN);
  private readonly centre = new Float64Array(3);
  private readonly now = new Float64Array(3);
  private readonly distance = new TriangleDistance();
  private readonly cornersA = new Float64Array(9);
  private readonly cornersB = new Float64Array(9);
  private uses = LEAST_USES;
  private waits = 0;
  private wait = 8;

  constructor(
    private readonly a: OverlapBody,
    private readonly b: OverlapBody,
  ) {
    const boxA = a.topology.tree.boxes;
    const boxB = b.topology.tree.boxes;
    const ra = radiusOf(boxA);
    const rb = radiusOf(boxB);
    this.smallerIsB = rb <= ra;
    this.radius = Math.min(ra, rb);
    this.size = ra + rb;
    this.slack = SLACK * this.radius;
  }

  /** The list is still good at B's pose (r, t) in A's frame. */
  holds(r: Float64Array, t: Float64Array): boolean {
    const { rotation, centre, now } = this;
    let turn = 0;
    for (let k = 0; k < 9; k++) turn += (r[k] - rotation[k]) * (r[k] - rotation[k]);
    this.place(r, t, now);
    let way = 0;
    for (let k = 0; k < 3; k++) way += (now[k] - centre[k]) * (now[k] - centre[k]);
    const moved = Math.sqrt(way) + this.radius * Math.sqrt(0.5 * turn);
    if (!(moved < this.slack)) return false;
    // hardly moved in many questions: a shorter list will serve as well
    if (++this.uses > MANY_USES && moved < 0.1 * this.slack && this.slack > LEAST_SLACK * this.radius) return false;
    return true;
  }

  /** Starts a list at the pose; false where lists are not worth it at present. */
  begin(r: Float64Array, t: Float64Array): boolean {
    const { rotation, centre } = this;
    if (this.waits > 0) {
      this.waits--;
      return false;
    }
    rotation.fill(Number.NaN);
    if (this.uses < LEAST_USES) {
      this.uses = LEAST_USES;
      this.waits = this.wait;
      this.wait = Math.min(MOST_WAITS, 2 * this.wait);
      return false;
    }
    if (this.uses > LEAST_USES) this.wait = 8;
    if (this.uses > MANY_USES) this.slack = Math.max(0.25 * this.slack, LEAST_SLACK * this.radius);
    else if (this.uses < FEW_USES) this.slack = Math.min(2 * this.slack, SLACK * this.radius);
    rotation.set(r);
    this.place(r, t, centre);
    this.count = 0;
    this.uses = 0;
    return true;
  }

  /** Middle of the smaller body in the frame of the larger */
  private place(r: Float64Array, t: Float64Array, out: Float64Array): void {
    if (this.smallerIsB) {
      const { boxes } = this.b.topology.tree;
      for (let k = 0; k < 3; k++)
        out[k] = r[3 * k] * boxes[0] + r[3 * k + 1] * boxes[1] + r[3 * k + 2] * boxes[2] + t[k];
      return;
    }
    const { boxes } = this.a.topology.tree;
    const x = boxes[0] - t[0];
    const y = boxes[1] - t[1];
    const z = boxes[2] - t[2];
    for (let k = 0; k < 3; k++) out[k] = r[k] * x + r[3 + k] * y + r[6 + k] * z;
  }

  /** Puts a pair of triangles, both placed, on the list unless they cannot come to cross while it holds. */
  consider(ta: number, tb: number): void {
    const { a, b, cornersA, cornersB } = this;
    const wide = this.slack + ROUNDING * this.size;
    if (!boundsMeet(a.bounds, b.bounds, 6 * ta, 6 * tb, wide)) return;
    take(a, ta, cornersA);
    take(b, tb, cornersB);
    if (!(this.distance.measure(cornersA, 0, cornersB, 0, wide * wide) < wide * wide)) return;
    if (2 * this.count === this.pairs.length) {
      const more = new Int32Array(2 * this.pairs.length);
      more.set(this.pairs);
      this.pairs = more;
    }
    this.pairs[2 * this.count] = ta;
    this.pairs[2 * this.count++ + 1] = tb;
  }

  /** Crossings of the triangles on the list. */
  cross(curves: OverlapCurves): void {
    const { a, b, pairs } = this;
    for (let k = 0; k < this.count; k++) {
      const ta = pairs[2 * k];
      const tb = pairs[2 * k + 1];
      a.placeTriangle(ta);
      b.placeTriangle(tb);
      if (boundsMeet(a.bounds, b.bounds, 6 * ta, 6 * tb, 0)) crossTriangles(a, b, curves, ta, tb);
    }
  }
}

function take({ points, triangles }: OverlapBody, t: number, out: Float64Array): void {
  for (let corner = 0; corner < 3; corner++) {
    const v = 3 * triangles[3 * t + corner];
    for (let k = 0; k < 3; k++) out[3 * corner + k] = points[v + k];
  }
}

/** Half the diagonal of the box around all */
const radiusOf = (boxes: Float64Array): number =>
  Math.sqrt(boxes[3] * boxes[3] + boxes[4] * boxes[4] + boxes[5] * boxes[5]);

/** Two boxes, least and greatest x, y, z from i and j on, are no farther apart than `slack` along any axis. */
export const boundsMeet = (p: Float64Array, q: Float64Array, i: number, j: number, slack: number): boolean =>
  p[i] <= q[j + 3] + slack &&
  q[j] <= p[i + 3] + slack &&
  p[i + 1] <= q[j + 4] + slack &&
  q[j + 1] <= p[i + 4] + slack &&
  p[i + 2] <= q[j + 5] + slack &&
  q[j + 2] <= p[i + 5] + slack;
