/**
 * Delaunay refinement: points are put into a constrained Delaunay triangulation until no triangle is skinny or too large.
 *
 *   skinny      circumradius/shortest side > B = 1/(2 sin α), α the smallest angle wanted
 *   too large   circumradius > h/√3, that of the equilateral triangle of side h
 *
 * Segments that have a corner inside the circle above them (encroached) are halved first. A bad triangle gets a point at its
 * circumcentre, or nearer, 0.95 l (B + √(B² − ¼)) from the middle of its shortest side l, which is as good and adds fewer points; if
 * that encroaches a segment or lies beyond one, the segment is halved instead. The points of the cavity whose circumcircles hold
 * the new one are joined to it anew (Bowyer & Watson), segments bound the cavity. At corners under 60° segments are split at
 * distances from the corner that are powers of two, and triangles between two such segments of one corner are left as they are.
 *
 * Ruppert (1995), doi 10.1006/jagm.1995.1021; Shewchuk (2002), doi 10.1016/S0925-7721(01)00047-5; Üngör (2009),
 * doi 10.1016/j.comgeo.2008.06.002.
 */
import { ModelError } from '../../errors.js';
import { inCircle, turn } from '../../geometry/orientation.js';

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

export interface RefinementOptions {
  /** Largest side wanted at a place, m */
  readonly size: (x: number, y: number) => number;
  /** sin α */
  readonly sine: number;
  readonly mostPoints: number;
  readonly path: string;
}

const after = (e: number): number => (e % 3 === 2 ? e - 2 : e + 1);
const before = (e: number): number => (e % 3 === 0 ? e + 2 : e - 1);

class Refinement {
  private x: Float64Array;
  private y: Float64Array;
  private points: number;
  private corner: Int32Array; // 3 per triangle; −1 where there is none
  private twin: Int32Array; // 3 per triangle: the half-edge beyond, −1 at the boundary
  private segment: Int32Array; // 3 per triangle: boundary segment of the half-edge, −1 inside
  private stamp: Int32Array; // per triangle: changes when it does
  private triangles: number;
  private readonly free: number[] = [];
  private readonly segmentEnds: number[];
  private readonly segmentEdge: number[];
  private readonly segmentAlong: number[];
  private readonly segmentAt: number[]; // half-edge of each segment
  /** Outline edge a point was put on, −1 for corners and points inside */
  private edgeOf: Int32Array;
  /** Per given point: it is a corner under 60° */
  private readonly sharp: Uint8Array;
  /** Sharp corners by the two edges that meet there */
  private readonly apexes = new Map<number, Map<number, number[]>>();
  private readonly givenPoints: number;
  private readonly options: RefinementOptions;
  private readonly bound: number; // B²
  /** Waiting: segments, and a heap of triangles, the worst first */
  private readonly encroached: number[] = [];
  private heapKey: Float64Array = new Float64Array(1024);
  private heapTriangle: Int32Array = new Int32Array(1024);
  private heapStamp: Int32Array = new Int32Array(1024);
  private heapSize = 0;
  // of the last cavity
  private readonly cavity: number[] = [];
  private readonly rim: number[] = []; // half-edges of the cavity's border
  private inCavity: Int32Array;
  private visit = 0;
  private spokeOf: Int32Array; // per point: new half-edge from the new point to it
  /** Circumcentre of the last triangle looked at */
  private cx = 0;
  private cy = 0;
  private worst = 0;

  constructor(
    x: Float64Array,
    y: Float64Array,
    triangles: Uint32Array,
    segments: Segments,
    options: RefinementOptions,
  ) {
    this.options = options;
    this.bound = 1 / (4 * options.sine * options.sine);
    this.points = x.length;
    this.givenPoints = x.length;
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
    this.sharp = new Uint8Array(x.length);
    this.link();
    this.findSharpCorners();
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
      this.edgeOf[segmentEnds[2 * s]] = this.edgeOf[segmentEnds[2 * s]] < 0 ? this.segmentEdge[s] : -2;
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

  private findSharpCorners(): void {
    const { x, y, segmentEnds, segmentEdge } = this;
    const next = new Int32Array(this.points).fill(-1);
    const edgeFrom = new Int32Array(this.points).fill(-1);
    for (let s = 0; s < segmentEnds.length; s += 2) {
      next[segmentEnds[s]] = segmentEnds[s + 1];
      edgeFrom[segmentEnds[s]] = segmentEdge[s / 2];
    }
    const meet = (one: number, other: number, apex: number): void => {
      const own = this.apexes.get(one) ?? new Map<number, number[]>();
      this.apexes.set(one, own.set(other, [...(own.get(other) ?? []), apex]));
    };
    for (let s = 0; s < segmentEnds.length; s += 2) {
      const [a, b] = [segmentEnds[s], segmentEnds[s + 1]];
      const c = next[b];
      const [ux, uy, wx, wy] = [x[a] - x[b], y[a] - y[b], x[c] - x[b], y[c] - y[b]];
      const cosine = (ux * wx + uy * wy) / Math.sqrt((ux * ux + uy * uy) * (wx * wx + wy * wy));
      if (!(cosine > 0.5 && turn(x[a], y[a], x[b], y[b], x[c], y[c]) > 0)) continue;
      this.sharp[b] = 1;
      meet(segmentEdge[s / 2], edgeFrom[b], b);
      meet(edgeFrom[b], segmentEdge[s / 2], b);
    }
  }

  run(): Refined {
    for (let s = 0; s < this.segmentAt.length; s++) this.lookAtSegment(s);
    for (let t = 0; t < this.triangles; t++) this.lookAt(t);
    for (;;) {
      const s = this.encroached.pop();
      if (s !== undefined) {
        if (this.isEncroached(s)) this.split(s);
        continue;
      }
      const t = this.pop();
      if (t < 0) break;
      this.improve(t);
      if (this.points > this.options.mostPoints) throw tooMany(this.options);
    }
    return this.result();
  }

  /** Encroached: the corner of its triangle lies in the circle above it. */
  private isEncroached(s: number): boolean {
    const e = this.segmentAt[s];
    return this.encroaches(s, this.x[this.corner[before(e)]], this.y[this.corner[before(e)]]);
  }

  private encroaches(s: number, px: number, py: number): boolean {
    const { x, y, segmentEnds } = this;
    const a = segmentEnds[2 * s];
    const b = segmentEnds[2 * s + 1];
    return (x[a] - px) * (x[b] - px) + (y[a] - py) * (y[b] - py) < 0;
  }

  private lookAtSegment(s: number): void {
    if (this.isEncroached(s)) this.encroached.push(s);
  }

  /** Halves a segment, at corners under 60° at a power of two from the corner. */
  private split(s: number): void {
    const { segmentEnds, segmentAlong, sharp, givenPoints } = this;
    const a = segmentEnds[2 * s];
    const b = segmentEnds[2 * s + 1];
    const [ax, ay, bx, by] = [this.x[a], this.y[a], this.x[b], this.y[b]];
    const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    let part = 0.5;
    const sharpA = a < givenPoints && sharp[a] !== 0;
    const sharpB = b < givenPoints && sharp[b] !== 0;
    if (sharpA !== sharpB) {
      let d = 1;
      while (d > (2 / 3) * length) d /= 2;
      while (d < length / 3) d *= 2;
      part = sharpA ? d / length : 1 - d / length;
    }
    const middle = segmentAlong[2 * s] + part * (segmentAlong[2 * s + 1] - segmentAlong[2 * s]);
    const e = this.segmentAt[s];
    const p = this.addPoint(ax + part * (bx - ax), ay + part * (by - ay), this.segmentEdge[s]);
    this.gather(Math.floor(e / 3), this.x[p], this.y[p]);
    // The segment becomes its first half; the second half is new
    const second = this.segmentAt.length;
    this.segmentEnds.push(p, b);
    this.segmentEdge.push(this.segmentEdge[s]);
    this.segmentAlong.push(middle, segmentAlong[2 * s + 1]);
    this.segmentAt.push(-1);
    segmentEnds[2 * s + 1] = p;
    segmentAlong[2 * s + 1] = middle;
    this.fill(p, e, s, second);
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

  /** Circumcentre of a triangle relative to its first corner into cx, cy; how bad it is into worst: 0 for good. */
  private judge(t: number): void {
    const { x, y, corner, options } = this;
    const [a, b, c] = [corner[3 * t], corner[3 * t + 1], corner[3 * t + 2]];
    const bx = x[b] - x[a];
    const by = y[b] - y[a];
    const dx = x[c] - x[a];
    const dy = y[c] - y[a];
    const bb = bx * bx + by * by;
    const dd = dx * dx + dy * dy;
    const cc = (dx - bx) * (dx - bx) + (dy - by) * (dy - by);
    const twice = 2 * (bx * dy - by * dx);
    const ux = (dy * bb - by * dd) / twice;
    const uy = (bx * dd - dx * bb) / twice;
    const radius2 = ux * ux + uy * uy;
    this.cx = x[a] + ux;
    this.cy = y[a] + uy;
    const least = Math.min(bb, dd, cc);
    const h = options.size((x[a] + x[b] + x[c]) / 3, (y[a] + y[b] + y[c]) / 3);
    const large = (3 * radius2) / (h * h);
    const skinny = radius2 / (this.bound * least);
    this.worst = 0;
    if (large > 1) this.worst = large;
    if (skinny > 1) {
      // between two segments of one sharp corner nothing can be gained
      const [p, q] = least === bb ? [a, b] : least === cc ? [b, c] : [c, a];
      if (large > 1 || !this.spansSharpCorner(p, q)) this.worst = Math.max(this.worst, skinny);
    }
    if (skinny <= 1 || large > 1) return;
    // Nearer than the circumcentre, on the way to it from the middle of the shortest side
    const [p, q] = least === bb ? [a, b] : least === cc ? [b, c] : [c, a];
    const mx = (x[p] + x[q]) / 2;
    const my = (y[p] + y[q]) / 2;
    const wx = this.cx - mx;
    const wy = this.cy - my;
    const away = Math.sqrt(wx * wx + wy * wy);
    const near = 0.95 * Math.sqrt(least) * (Math.sqrt(this.bound) + Math.sqrt(Math.max(0, this.bound - 0.25)));
    if (away > near) {
      this.cx = mx + (near / away) * wx;
      this.cy = my + (near / away) * wy;
    }
  }

  /** Both lie on edges that meet in one sharp corner, equally far from it */
  private spansSharpCorner(p: number, q: number): boolean {
    const { x, y, edgeOf, apexes } = this;
    if (edgeOf[p] < 0 || edgeOf[q] < 0 || edgeOf[p] === edgeOf[q]) return false;
    for (const apex of apexes.get(edgeOf[p])?.get(edgeOf[q]) ?? []) {
      const pp = (x[p] - x[apex]) * (x[p] - x[apex]) + (y[p] - y[apex]) * (y[p] - y[apex]);
      const qq = (x[q] - x[apex]) * (x[q] - x[apex]) + (y[q] - y[apex]) * (y[q] - y[apex]);
      if (Math.abs(pp - qq) < 1e-6 * (pp + qq)) return true;
    }
    return false;
  }

  private lookAt(t: number): void {
    if (this.corner[3 * t] < 0) return;
    this.judge(t);
    if (this.worst > 0) this.push(this.worst, t);
  }

  private improve(t: number): void {
    this.judge(t);
    const px = this.cx;
    const py = this.cy;
    const at = this.walk(t, px, py);
    if (at < 0) {
      // a segment is in the way
      this.split(-1 - at);
      this.lookAt(t);
      return;
    }
    this.gather(at, px, py);
    let clear = true;
    for (const e of this.rim) {
      const s = this.segment[e];
      if (s >= 0 && this.encroaches(s, px, py)) {
        this.encroached.push(s);
        clear = false;
      }
    }
    if (!clear) {
      for (const s of this.encroached.splice(0)) if (this.segmentAt[s] >= 0) this.split(s);
      this.lookAt(t);
      return;
    }
    const { x, y, corner } = this;
    for (const e of this.rim)
      if (!(turn(x[corner[e]], y[corner[e]], x[corner[after(e)]], y[corner[after(e)]], px, py) > 0)) return;
    this.fill(this.addPoint(px, py, -1), -1, -1, -1);
  }

  /** The triangle that holds a point, walking from t; −1 − s if segment s is in the way. */
  private walk(t: number, px: number, py: number): number {
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
  private gather(t: number, px: number, py: number): void {
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

  /** Joins the point to the border of the cavity; `split`: half-edge of a segment that the point halves, which becomes two. */
  private fill(p: number, split: number, firstSegment: number, secondSegment: number): void {
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
    for (const t of made) {
      for (let e = 3 * t; e < 3 * t + 3; e++) if (this.segment[e] >= 0) this.lookAtSegment(this.segment[e]);
      this.lookAt(t);
    }
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

  private push(key: number, t: number): void {
    if (this.heapSize === this.heapKey.length) {
      this.heapKey = grown(this.heapKey, 2 * this.heapSize);
      this.heapTriangle = grownInt(this.heapTriangle, 2 * this.heapSize);
      this.heapStamp = grownInt(this.heapStamp, 2 * this.heapSize);
    }
    const { heapKey, heapTriangle, heapStamp } = this;
    let i = this.heapSize++;
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (heapKey[up] >= key) break;
      heapKey[i] = heapKey[up];
      heapTriangle[i] = heapTriangle[up];
      heapStamp[i] = heapStamp[up];
      i = up;
    }
    heapKey[i] = key;
    heapTriangle[i] = t;
    heapStamp[i] = this.stamp[t];
  }

  /** The worst triangle that still is as it was, −1 if there is none. */
  private pop(): number {
    const { heapKey, heapTriangle, heapStamp, stamp, corner } = this;
    while (this.heapSize > 0) {
      const t = heapTriangle[0];
      const s = heapStamp[0];
      const last = --this.heapSize;
      const key = heapKey[last];
      const triangle = heapTriangle[last];
      const marked = heapStamp[last];
      let i = 0;
      for (;;) {
        let down = 2 * i + 1;
        if (down >= last) break;
        if (down + 1 < last && heapKey[down + 1] > heapKey[down]) down++;
        if (heapKey[down] <= key) break;
        heapKey[i] = heapKey[down];
        heapTriangle[i] = heapTriangle[down];
        heapStamp[i] = heapStamp[down];
        i = down;
      }
      heapKey[i] = key;
      heapTriangle[i] = triangle;
      heapStamp[i] = marked;
      if (s === stamp[t] && corner[3 * t] >= 0) return t;
    }
    return -1;
  }

  private result(): Refined {
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

function grown(values: Float64Array, room: number): Float64Array {
  const out = new Float64Array(Math.max(room, values.length));
  out.set(values);
  return out;
}
function grownInt(values: Int32Array, room: number): Int32Array {
  const out = new Int32Array(Math.max(room, values.length));
  out.set(values);
  return out;
}

/** Refines counter-clockwise triangles of a constrained Delaunay triangulation whose boundary is made of the segments. */
export const refine = (
  x: Float64Array,
  y: Float64Array,
  triangles: Uint32Array,
  segments: Segments,
  options: RefinementOptions,
): Refined => new Refinement(x, y, triangles, segments, options).run();

export const tooMany = ({ mostPoints, path }: { readonly mostPoints: number; readonly path: string }): ModelError =>
  new ModelError(
    path,
    `the mesh needs more than ${mostPoints} corners; take a larger mesh size, or straighten features far smaller than it`,
  );
