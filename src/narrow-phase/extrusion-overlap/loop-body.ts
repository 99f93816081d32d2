/**
 * The closed outlines of an extrusion prepared for overlap with others: the outside counter-clockwise, holes clockwise,
 * so that the inside lies to the left of every edge; and a tree of boxes over the edges in the order of the outlines,
 * in which neighbours are compact without any sorting.
 */
import type { Outline, Profile } from '../../geometry/profile.js';

const LEAF = 2;
const GAPS = [1750, 701, 301, 132, 57, 23, 10, 4, 1];

export interface Loops {
  /** 2 per vertex, m; edge e runs from vertex e to vertex next[e] */
  readonly vertices: Float64Array;
  readonly next: Int32Array;
  /** first vertex of each loop, and the number of all vertices */
  readonly start: Int32Array;
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
  const mirrored = (loop: Outline) => loop.map(([x, y]) => [x, -y] as const).reverse();
  const flipped = build([profile.outer, ...profile.holes].map(mirrored), -top, -bottom);
  return { ...build([profile.outer, ...profile.holes], bottom, top), flipped };
}

function build(loops: readonly Outline[], bottom: number, top: number): Loops {
  const count = loops.reduce((sum, loop) => sum + loop.length, 0);
  const vertices = new Float64Array(2 * count);
  const next = new Int32Array(count);
  const start = new Int32Array(loops.length + 1);
  let v = 0;
  loops.forEach((loop, i) => {
    start[i] = v;
    loop.forEach(([x, y], k) => {
      vertices[2 * v] = x;
      vertices[2 * v + 1] = y;
      next[v] = k + 1 < loop.length ? v + 1 : start[i];
      v++;
    });
  });
  start[loops.length] = v;

  const boxes: number[] = [];
  const nodes: number[] = [];
  let depth = 0;
  const grow = (first: number, last: number, level: number): number => {
    const node = nodes.length / 3;
    depth = Math.max(depth, level);
    nodes.push(first, last, 0);
    const low = [Infinity, Infinity];
    const high = [-Infinity, -Infinity];
    for (let e = first; e < last; e++)
      for (const w of [e, next[e]])
        for (let k = 0; k < 2; k++) {
          low[k] = Math.min(low[k], vertices[2 * w + k]);
          high[k] = Math.max(high[k], vertices[2 * w + k]);
        }
    // rounded up, so that comparisons in floating point miss nothing
    const half = (k: number): number =>
      0.5 * (high[k] - low[k]) * (1 + 1e-15) + 1e-15 * (Math.abs(low[k]) + Math.abs(high[k]));
    boxes.push(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), half(0), half(1));
    if (last - first > LEAF) {
      const middle = (first + last) >> 1;
      grow(first, middle, level + 1);
      nodes[3 * node + 2] = grow(middle, last, level + 1);
    }
    return node;
  };
  grow(0, count, 1);
  return { vertices, next, start, bottom, top, boxes: Float64Array.from(boxes), nodes: Int32Array.from(nodes), depth };
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

  /** The number that an edge in use has in the outlines as given. */
  givenEdge(edge: number): number {
    if (this.loops === this.given) return edge;
    const { start } = this.loops;
    let loop = 0;
    while (edge >= start[loop + 1]) loop++;
    const n = start[loop + 1] - start[loop];
    // vertices are numbered backwards, and an edge by the other of its ends
    return start[loop] + ((2 * n - 2 - (edge - start[loop])) % n);
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
