/**
 * Sharp edges of a surface of triangles, at which its faces end, and how a place near one counts. What presses at a place stands for the surface around it, so where that ends its share falls:
 *
 *   s = u² (3 − 2 u),   u = d/ℓ < 1        d distance inside from the nearest sharp edge (undeformed), m
 *
 * A place that has come to the edge presses no more, and force and energy have no jump where a roller or block is moved over the end of the other.
 */

/** Cosine of the angle between triangles beyond which their common edge is sharp, 30° */
const SHARP = 0.866;
/** Of ℓ²: squares of distances that are as near are equal */
const TIE = 1e-12;
/** Sine of the angle with an edge's line beyond which a place lies inside */
const OUT = 1e-9;

/** Share of a place, its slope by X, and what a change of X does to both */
export interface Share {
  share: number;
  readonly slope: Float64Array;
  dShare: number;
  readonly dSlope: Float64Array;
}

export class RimOfFaces {
  /** Per triangle: which surface without sharp edges it is part of, and its normal */
  readonly partOf: Int32Array;
  readonly normals: Float64Array;
  /** 9 per sharp edge: one end, the way to the other, direction into the face */
  private readonly edges: Float64Array;
  private readonly edgePart: Int32Array;
  /** Edges that are near to a triangle, once it was asked for */
  private readonly near: (Int32Array | undefined)[] = [];
  // of the last edge that was nearest: how far along it
  private along = 0;

  /** @param length ℓ, m */
  constructor(
    private readonly points: Float64Array,
    private readonly triangles: ArrayLike<number>,
    private readonly length: number,
  ) {
    const count = triangles.length / 3;
    this.normals = new Float64Array(3 * count);
    for (let t = 0; t < count; t++) this.findNormal(t);
    const sides = new Map<number, number[]>();
    const nodes = points.length / 3;
    for (let i = 0; i < triangles.length; i++) {
      const [a, b] = [triangles[i], triangles[i - (i % 3) + ((i + 1) % 3)]];
      const key = Math.min(a, b) * nodes + Math.max(a, b);
      const known = sides.get(key);
      if (known) known.push(i);
      else sides.set(key, [i]);
    }
    // parts: triangles joined by edges that are not sharp
    const root = Int32Array.from({ length: count }, (_, t) => t);
    const rootOf = (t: number): number => {
      let at = t;
      while (root[at] !== at) {
        root[at] = root[root[at]];
        at = root[at];
      }
      return at;
    };
    const sharp: number[] = [];
    for (const around of sides.values()) {
      const [s, t] = [Math.floor(around[0] / 3), Math.floor((around[1] ?? 0) / 3)];
      if (around.length === 2 && this.cosine(s, t) > SHARP)
        root[Math.max(rootOf(s), rootOf(t))] = Math.min(rootOf(s), rootOf(t));
      else sharp.push(...around);
    }
    this.partOf = Int32Array.from({ length: count }, (_, t) => rootOf(t));
    this.edges = new Float64Array(9 * sharp.length);
    this.edgePart = Int32Array.from(sharp, (i) => this.partOf[Math.floor(i / 3)]);
    sharp.forEach((i, e) => {
      const [a, b] = [3 * triangles[i], 3 * triangles[i - (i % 3) + ((i + 1) % 3)]];
      const n = 3 * Math.floor(i / 3);
      for (let d = 0; d < 3; d++) {
        this.edges[9 * e + d] = points[a + d];
        this.edges[9 * e + 3 + d] = points[b + d] - points[a + d];
      }
      for (let d = 0; d < 3; d++) {
        const [f, g] = [(d + 1) % 3, (d + 2) % 3];
        this.edges[9 * e + 6 + d] =
          this.normals[n + f] * this.edges[9 * e + 3 + g] - this.normals[n + g] * this.edges[9 * e + 3 + f];
      }
    });
  }

  private findNormal(t: number): void {
    const { points, triangles, normals } = this;
    const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
    let square = 0;
    for (let d = 0; d < 3; d++) {
      const [f, g] = [(d + 1) % 3, (d + 2) % 3];
      const x =
        (points[b + f] - points[a + f]) * (points[c + g] - points[a + g]) -
        (points[b + g] - points[a + g]) * (points[c + f] - points[a + f]);
      normals[3 * t + d] = x;
      square += x * x;
    }
    if (square > 0) for (let d = 0; d < 3; d++) normals[3 * t + d] /= Math.sqrt(square);
  }

  private cosine(s: number, t: number): number {
    const { normals: n } = this;
    return n[3 * s] * n[3 * t] + n[3 * s + 1] * n[3 * t + 1] + n[3 * s + 2] * n[3 * t + 2];
  }

  private around(t: number): Int32Array {
    const known = this.near[t];
    if (known) return known;
    const { points, triangles, edges, edgePart, partOf, length } = this;
    const found: number[] = [];
    for (let e = 0; e < edgePart.length; e++) {
      if (edgePart[e] !== partOf[t]) continue;
      let square = 0;
      for (let d = 0; d < 3; d++) {
        let least = Number.POSITIVE_INFINITY;
        let most = Number.NEGATIVE_INFINITY;
        for (let k = 0; k < 3; k++) {
          const x = points[3 * triangles[3 * t + k] + d];
          least = Math.min(least, x);
          most = Math.max(most, x);
        }
        const [from, to] = [edges[9 * e + d], edges[9 * e + d] + edges[9 * e + 3 + d]];
        const away = Math.max(0, least - Math.max(from, to), Math.min(from, to) - most);
        square += away * away;
      }
      if (square < 1.5 * length * length) found.push(e);
    }
    this.near[t] = Int32Array.from(found);
    return this.near[t];
  }

  /** Of X beside edge e: offset into OFFSET, how far along it; its square */
  private beside(e: number, x: Float64Array): number {
    const { edges } = this;
    let inner = 0;
    let square = 0;
    for (let d = 0; d < 3; d++) {
      const side = edges[9 * e + 3 + d];
      inner += side * (x[d] - edges[9 * e + d]);
      square += side * side;
    }
    this.along = Math.min(1, Math.max(0, inner / square));
    let away = 0;
    for (let d = 0; d < 3; d++) {
      OFFSET[d] = x[d] - edges[9 * e + d] - this.along * edges[9 * e + 3 + d];
      away += OFFSET[d] * OFFSET[d];
    }
    return away;
  }

  /** The nearest edge; of two that meet in the nearest corner the one that the place lies farther outside of */
  private nearestTo(t: number, x: Float64Array): number {
    const near = this.around(t);
    const tie = TIE * this.length * this.length;
    let best = Number.POSITIVE_INFINITY;
    let found = -1;
    let inside = 0;
    for (let i = 0; i < near.length; i++) {
      const square = this.beside(near[i], x);
      if (square > best + tie) continue;
      const own = this.inside(near[i]);
      if (found >= 0 && square > best - tie && own >= inside) continue;
      best = square;
      found = near[i];
      inside = own;
    }
    return found;
  }

  /** How far OFFSET leads into the face of an edge, times the edge's length */
  private inside(e: number): number {
    const { edges } = this;
    return OFFSET[0] * edges[9 * e + 6] + OFFSET[1] * edges[9 * e + 7] + OFFSET[2] * edges[9 * e + 8];
  }

  /** Share and slope of a place of triangle t; false: it has none */
  find(t: number, x: Float64Array, out: Share): boolean {
    const { length } = this;
    out.share = 1;
    out.slope.fill(0);
    const e = this.nearestTo(t, x);
    if (e < 0) return true;
    const d = Math.sqrt(this.beside(e, x));
    if (!(this.inside(e) > OUT * d * length)) return false;
    shareOf(d / length, length, OFFSET, d, out);
    return out.share > 0;
  }

  /** What dX does to both */
  move(t: number, x: Float64Array, dx: Float64Array, out: Share): void {
    const { edges, length } = this;
    out.dShare = 0;
    out.dSlope.fill(0);
    const e = this.nearestTo(t, x);
    if (e < 0) return;
    const d = Math.sqrt(this.beside(e, x));
    if (d >= length) return;
    // across the edge, and at its ends across the way to them
    const between = this.along > 0 && this.along < 1;
    let square = 0;
    let inner = 0;
    if (between)
      for (let i = 0; i < 3; i++) {
        square += edges[9 * e + 3 + i] * edges[9 * e + 3 + i];
        inner += edges[9 * e + 3 + i] * dx[i];
      }
    for (let i = 0; i < 3; i++) CHANGE[i] = dx[i] - (between ? (inner / square) * edges[9 * e + 3 + i] : 0);
    moveShare(d / length, length, OFFSET, d, CHANGE, out);
  }
}

const OFFSET = new Float64Array(3);
const CHANGE = new Float64Array(3);

/** Share at u with the way from the edge, of length d */
export function shareOf(u: number, length: number, offset: Float64Array, d: number, out: Share): void {
  out.share = u < 1 ? u * u * (3 - 2 * u) : 1;
  const slope = u < 1 && d > 0 ? (6 * u * (1 - u)) / (length * d) : 0;
  for (let i = 0; i < 3; i++) out.slope[i] = slope * offset[i];
}

/** Its changes, where the way from the edge changes */
export function moveShare(
  u: number,
  length: number,
  offset: Float64Array,
  d: number,
  dOffset: Float64Array,
  out: Share,
): void {
  out.dShare = 0;
  out.dSlope.fill(0);
  if (!(u < 1) || !(d > 0)) return;
  let rate = 0;
  for (let i = 0; i < 3; i++) rate += (offset[i] * dOffset[i]) / d;
  const first = (6 * u * (1 - u)) / length;
  const second = (6 * (1 - 2 * u)) / (length * length);
  out.dShare = first * rate;
  for (let i = 0; i < 3; i++)
    out.dSlope[i] = (second * rate * offset[i] + first * (dOffset[i] - (rate * offset[i]) / d)) / d;
}
