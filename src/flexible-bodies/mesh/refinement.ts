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
import { turn } from '../../geometry/orientation.js';
import { after, BoundedDelaunay, before, type Refined, type Segments } from './bounded-delaunay.js';
import { WorstFirst } from './worst-first.js';

export interface RefinementOptions {
  /** Largest side wanted at a place, m */
  readonly size: (x: number, y: number) => number;
  /** sin α */
  readonly sine: number;
  readonly mostPoints: number;
  readonly path: string;
}

class Refinement {
  private readonly mesh: BoundedDelaunay;
  private readonly waiting = new WorstFirst();
  private readonly encroached: number[] = [];
  /** Per given point: it is a corner under 60° */
  private readonly sharp: Uint8Array;
  /** Sharp corners by the two edges that meet there */
  private readonly apexes = new Map<number, Map<number, number[]>>();
  private readonly givenPoints: number;
  private readonly bound: number; // B²
  /** Where the last triangle looked at wants a point, and how bad it is */
  private cx = 0;
  private cy = 0;
  private worst = 0;

  constructor(
    x: Float64Array,
    y: Float64Array,
    triangles: Uint32Array,
    segments: Segments,
    private readonly options: RefinementOptions,
  ) {
    this.bound = 1 / (4 * options.sine * options.sine);
    this.givenPoints = x.length;
    this.mesh = new BoundedDelaunay(x, y, triangles, segments);
    this.sharp = new Uint8Array(x.length);
    this.findSharpCorners();
  }

  private findSharpCorners(): void {
    const { x, y, segmentEnds, segmentEdge, points } = this.mesh;
    const next = new Int32Array(points).fill(-1);
    const edgeFrom = new Int32Array(points).fill(-1);
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
    const { mesh } = this;
    for (let s = 0; s < mesh.segmentAt.length; s++) this.lookAtSegment(s);
    for (let t = 0; t < mesh.triangles; t++) this.lookAt(t);
    for (;;) {
      const s = this.encroached.pop();
      if (s !== undefined) {
        if (this.isEncroached(s)) this.split(s);
        continue;
      }
      const t = this.worstNow();
      if (t < 0) break;
      this.improve(t);
      if (mesh.points > this.options.mostPoints) throw tooMany(this.options);
    }
    return mesh.result();
  }

  /** The worst triangle that still is as it was, −1 if there is none */
  private worstNow(): number {
    const { waiting, mesh } = this;
    while (waiting.pop())
      if (waiting.stamp === mesh.stamp[waiting.triangle] && mesh.corner[3 * waiting.triangle] >= 0)
        return waiting.triangle;
    return -1;
  }

  /** Encroached: the corner of its triangle lies in the circle above it. */
  private isEncroached(s: number): boolean {
    const { x, y, corner, segmentAt } = this.mesh;
    const apex = corner[before(segmentAt[s])];
    return this.encroaches(s, x[apex], y[apex]);
  }

  private encroaches(s: number, px: number, py: number): boolean {
    const { x, y, segmentEnds } = this.mesh;
    const a = segmentEnds[2 * s];
    const b = segmentEnds[2 * s + 1];
    return (x[a] - px) * (x[b] - px) + (y[a] - py) * (y[b] - py) < 0;
  }

  private lookAtSegment(s: number): void {
    if (this.isEncroached(s)) this.encroached.push(s);
  }

  /** Halves a segment, at corners under 60° at a power of two from the corner. */
  private split(s: number): void {
    const { sharp, givenPoints } = this;
    const { x, y, segmentEnds } = this.mesh;
    const a = segmentEnds[2 * s];
    const b = segmentEnds[2 * s + 1];
    const [ax, ay, bx, by] = [x[a], y[a], x[b], y[b]];
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
    this.lookAtMade(this.mesh.halve(s, part));
  }

  /** Where a triangle wants a point into cx, cy; how bad it is into worst: 0 for good. */
  private judge(t: number): void {
    const { options } = this;
    const { x, y, corner } = this.mesh;
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
    const { apexes } = this;
    const { x, y, edgeOf } = this.mesh;
    if (edgeOf[p] < 0 || edgeOf[q] < 0 || edgeOf[p] === edgeOf[q]) return false;
    for (const apex of apexes.get(edgeOf[p])?.get(edgeOf[q]) ?? []) {
      const pp = (x[p] - x[apex]) * (x[p] - x[apex]) + (y[p] - y[apex]) * (y[p] - y[apex]);
      const qq = (x[q] - x[apex]) * (x[q] - x[apex]) + (y[q] - y[apex]) * (y[q] - y[apex]);
      if (Math.abs(pp - qq) < 1e-6 * (pp + qq)) return true;
    }
    return false;
  }

  private lookAt(t: number): void {
    if (this.mesh.corner[3 * t] < 0) return;
    this.judge(t);
    if (this.worst > 0) this.waiting.push(this.worst, t, this.mesh.stamp[t]);
  }

  private lookAtMade(made: readonly number[]): void {
    const { segment } = this.mesh;
    for (const t of made) {
      for (let e = 3 * t; e < 3 * t + 3; e++) if (segment[e] >= 0) this.lookAtSegment(segment[e]);
      this.lookAt(t);
    }
  }

  private improve(t: number): void {
    const { mesh } = this;
    this.judge(t);
    const px = this.cx;
    const py = this.cy;
    const at = mesh.walk(t, px, py);
    if (at < 0) {
      // a segment is in the way
      this.split(-1 - at);
      this.lookAt(t);
      return;
    }
    mesh.gather(at, px, py);
    let clear = true;
    for (const e of mesh.rim) {
      const s = mesh.segment[e];
      if (s >= 0 && this.encroaches(s, px, py)) {
        this.encroached.push(s);
        clear = false;
      }
    }
    if (!clear) {
      for (const s of this.encroached.splice(0)) if (mesh.segmentAt[s] >= 0) this.split(s);
      this.lookAt(t);
      return;
    }
    const { x, y, corner } = mesh;
    for (const e of mesh.rim)
      if (!(turn(x[corner[e]], y[corner[e]], x[corner[after(e)]], y[corner[after(e)]], px, py) > 0)) return;
    this.lookAtMade(mesh.insert(px, py));
  }
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
