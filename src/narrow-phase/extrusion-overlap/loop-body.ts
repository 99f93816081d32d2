/**
 * The closed outlines of an extrusion prepared for overlap with others: the outside counter-clockwise, holes clockwise,
 * so that the inside lies to the left of every edge, line or arc; and a tree of boxes over the edges in the order of the outlines,
 * in which neighbours are compact without any sorting.
 */
import type { Profile } from '../../geometry/profile.js';
import { arcExtreme, extremePoint } from './arc-extreme.js';
import { SEGMENT, segmentSums } from './circular-segment.js';
import { type LoopEdges, loopEdges, mirrored } from './loop-edges.js';

const LEAF = 2;
/** Tangents that differ by less, rad, make no corner: outlines come from files and from sines and cosines. */
const STRAIGHT = 1e-9;
const GAPS = [1750, 701, 301, 132, 57, 23, 10, 4, 1];

export interface Loops {
  /** 2 per vertex, m; edge e runs from vertex e to vertex next[e] */
  readonly vertices: Float64Array;
  readonly next: Int32Array;
  /** one per edge: cosine and sine of half the sweep, 1 and 0 for a line; sine > 0 turns left and bulges to the right */
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
  /** one per edge, 1/m */
  readonly curvature: Float64Array;
  /** `SEGMENT.count` per edge: sums over the whole of an arc, which no motion changes */
  readonly segments: Float64Array;
  /** one per edge: its number in the outlines as given, where arcs may be longer */
  readonly source: Int32Array;
  /** first vertex of each loop, and the number of all vertices */
  readonly start: Int32Array;
  /** one loop without a corner or an arc that turns inwards: what two such bodies share is one piece */
  readonly convex: boolean;
  /** arcs only, and no corners: it rolls wherever it touches */
  readonly round: boolean;
  /** z from bottom to top, m */
  readonly bottom: number;
  readonly top: number;
  /** 4 per node: centre and half extent of the box around edges first … last − 1 */
  readonly boxes: Float64Array;
  /** 3 per node: first, last, right child (the left one is the next node); leaf: right child 0 */
  readonly nodes: Int32Array;
  readonly depth: number;
  /** the same extrusion turned by half a turn about x, for partners whose axis points the other way */
  readonly flipped?: Loops;
}

/**
 * @param profile checked: loops do not cross; outer counter-clockwise, holes clockwise
 * @param bottom, top z, m
 */
export function prepareLoops(profile: Profile, bottom: number, top: number): Loops {
  const loops = [profile.outer, ...profile.holes];
  const edges = loops.map(loopEdges);
  const first = loops.map((_, i) => loops.slice(0, i).reduce((sum, loop) => sum + loop.length, 0));
  const flipped = build(edges.map(mirrored), first, -top, -bottom);
  return { ...build(edges, first, bottom, top), flipped };
}

/** @param first number of the first edge of each loop as given */
function build(loops: readonly LoopEdges[], first: readonly number[], bottom: number, top: number): Loops {
  const count = loops.reduce((sum, { x }) => sum + x.length, 0);
  const vertices = new Float64Array(2 * count);
  const next = new Int32Array(count);
  const start = new Int32Array(loops.length + 1);
  const source = new Int32Array(count);
  let v = 0;
  loops.forEach((loop, i) => {
    start[i] = v;
    loop.x.forEach((x, k) => {
      vertices[2 * v] = x;
      vertices[2 * v + 1] = loop.y[k];
      source[v] = first[i] + loop.source[k];
      next[v] = k + 1 < loop.x.length ? v + 1 : start[i];
      v++;
    });
  });
  start[loops.length] = v;
  const cosine = Float64Array.from(loops.flatMap((loop) => loop.cosine));
  const sine = Float64Array.from(loops.flatMap((loop) => loop.sine));
  const curvature = new Float64Array(count);
  const segments = new Float64Array(SEGMENT.count * count);
  for (let e = 0; e < count; e++) {
    if (sine[e] === 0) continue;
    const dx = vertices[2 * next[e]] - vertices[2 * e];
    const dy = vertices[2 * next[e] + 1] - vertices[2 * e + 1];
    const chord = Math.sqrt(dx * dx + dy * dy);
    curvature[e] = (2 * sine[e]) / chord;
    segmentSums(segments, SEGMENT.count * e, chord, sine[e]);
  }

  // how the outlines turn at their vertices: sine of the angle between the tangents
  let sharpest = 0;
  let least = 0;
  for (let e = 0; e < count; e++) {
    const f = next[e];
    const turn = (edge: number, end: 1 | -1): readonly [number, number] => {
      const dx = vertices[2 * next[edge]] - vertices[2 * edge];
      const dy = vertices[2 * next[edge] + 1] - vertices[2 * edge + 1];
      const d = Math.sqrt(dx * dx + dy * dy);
      const c = cosine[edge] / d;
      const s = (end * sine[edge]) / d;
      return [c * dx - s * dy, c * dy + s * dx];
    };
    const [ux, uy] = turn(e, 1);
    const [wx, wy] = turn(f, -1);
    const corner = ux * wy - uy * wx;
    sharpest = Math.max(sharpest, ux * wx + uy * wy > 0 ? Math.abs(corner) : 1);
    least = Math.min(least, corner);
  }
  const convex = loops.length === 1 && least > -STRAIGHT && sine.every((s) => s >= 0);
  const round = sharpest < STRAIGHT && sine.every((s) => s !== 0);

  const extreme = (e: number, axis: number): boolean =>
    arcExtreme(
      vertices[2 * e],
      vertices[2 * e + 1],
      vertices[2 * next[e]],
      vertices[2 * next[e] + 1],
      curvature[e],
      1 - axis,
      axis,
    );
  const boxes: number[] = [];
  const nodes: number[] = [];
  let depth = 0;
  const grow = (first: number, last: number, level: number): number => {
    const node = nodes.length / 3;
    depth = Math.max(depth, level);
    nodes.push(first, last, 0);
    const low = [Infinity, Infinity];
    const high = [-Infinity, -Infinity];
    let slack = 1e-15; // rounded up, so that comparisons in floating point miss nothing
    for (let e = first; e < last; e++)
      for (let k = 0; k < 2; k++) {
        const p = vertices[2 * e + k];
        const q = vertices[2 * next[e] + k];
        low[k] = Math.min(low[k], p, q);
        high[k] = Math.max(high[k], p, q);
        if (sine[e] === 0) continue;
        slack = 4e-15;
        if (!extreme(e, k)) continue;
        low[k] = Math.min(low[k], extremePoint[k]);
        high[k] = Math.max(high[k], extremePoint[k]);
      }
    const half = (k: number): number =>
      0.5 * (high[k] - low[k]) * (1 + slack) + slack * (Math.abs(low[k]) + Math.abs(high[k]));
    boxes.push(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), half(0), half(1));
    if (last - first > LEAF) {
      const middle = (first + last) >> 1;
      grow(first, middle, level + 1);
      nodes[3 * node + 2] = grow(middle, last, level + 1);
    }
    return node;
  };
  grow(0, count, 1);
  return {
    vertices,
    next,
    cosine,
    sine,
    curvature,
    segments,
    source,
    start,
    convex,
    round,
    bottom,
    top,
    boxes: Float64Array.from(boxes),
    nodes: Int32Array.from(nodes),
    depth,
  };
}

/** Scratch of one body, as `OverlapBody` for meshes: stamps instead of clearing. */
export class LoopBody {
  stamp = 0;
  /** in use: the loops as given, or flipped */
  loops: Loops;
  /** 4, by rows, and 2: from the outline's plane to that of the evaluation */
  readonly rotation = new Float64Array(4);
  readonly offset = new Float64Array(2);
  /** 2 per vertex, in the frame of the evaluation, m */
  readonly points: Float64Array;
  private readonly placed: Int32Array;
  /** per edge: stamp, and first of the list of crossings */
  readonly edgeCrossed: Int32Array;
  readonly edgeFirst: Int32Array;
  readonly crossedEdges: Int32Array;
  crossedCount = 0;

  constructor(readonly given: Loops) {
    this.loops = given;
    const n = given.next.length;
    this.points = new Float64Array(2 * n);
    this.placed = new Int32Array(n);
    this.edgeCrossed = new Int32Array(n);
    this.edgeFirst = new Int32Array(n);
    this.crossedEdges = new Int32Array(n);
  }

  begin(): void {
    if (this.stamp === 0x7fffffff) {
      this.placed.fill(0);
      this.edgeCrossed.fill(0);
      this.stamp = 0;
    }
    this.stamp++;
    this.crossedCount = 0;
  }

  place(v: number): void {
    if (this.placed[v] === this.stamp) return;
    this.placed[v] = this.stamp;
    const { rotation: r, offset, points } = this;
    const x = this.loops.vertices[2 * v];
    const y = this.loops.vertices[2 * v + 1];
    points[2 * v] = r[0] * x + r[1] * y + offset[0];
    points[2 * v + 1] = r[2] * x + r[3] * y + offset[1];
  }

  /** Sorts the crossed edges: Shell's sort, gaps of Ciura (2001); few, or nearly in order. */
  sortCrossed(): void {
    const { crossedEdges: list, crossedCount: n } = this;
    for (const gap of GAPS)
      for (let i = gap; i < n; i++) {
        const edge = list[i];
        let j = i;
        for (; j >= gap && list[j - gap] > edge; j -= gap) list[j] = list[j - gap];
        list[j] = edge;
      }
  }
}
