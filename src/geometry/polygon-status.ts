/**
 * The edges a vertical line meets, in order from below, while it sweeps over polygons from left to right: a balanced
 * tree (treap) with a linked list through it. "Left" is by x and, where that is equal, by y, as if everything were
 * turned by a hair; vertical edges then need no special care. Insert, remove and locate cost O(log n).
 *
 * Edges are named by numbers. Their ends `low` and `high` (left and right) are numbers of corners.
 */
import { turn } from './orientation.js';

export interface SweepEdges {
  /** of the corners, m */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** left and right end of each edge */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/** Whether corner a comes before corner b: by x, then by y. */
export const isBefore = (x: Float64Array, y: Float64Array, a: number, b: number): boolean =>
  x[a] < x[b] || (x[a] === x[b] && y[a] < y[b]);

export class SweepStatus {
  /** next edge above and below each edge in the status, or −1 */
  readonly above: Int32Array;
  readonly below: Int32Array;
  /** an edge on which the corner of the last `locate` lies, or −1 */
  touched = -1;
  private readonly left: Int32Array;
  private readonly right: Int32Array;
  private readonly parent: Int32Array;
  private root = -1;

  constructor(private readonly edges: SweepEdges) {
    const n = edges.low.length;
    this.above = new Int32Array(n).fill(-1);
    this.below = new Int32Array(n).fill(-1);
    this.left = new Int32Array(n).fill(-1);
    this.right = new Int32Array(n).fill(-1);
    this.parent = new Int32Array(n).fill(-1);
  }

  /** The highest edge that runs below corner p, or −1. Sets `touched`. */
  locate(p: number): number {
    const { x, y, low, high } = this.edges;
    const [px, py] = [x[p], y[p]];
    this.touched = -1;
    let found = -1;
    let edge = this.root;
    while (edge >= 0) {
      const side = turn(x[low[edge]], y[low[edge]], x[high[edge]], y[high[edge]], px, py);
      if (side === 0) this.touched = edge;
      if (side >= 0) {
        found = edge;
        edge = this.right[edge];
      } else edge = this.left[edge];
    }
    return found;
  }

  /** Puts an edge directly above another one, or lowest of all if that is −1. */
  insertAbove(under: number, edge: number): void {
    const { left, right, parent, above, below } = this;
    left[edge] = right[edge] = parent[edge] = -1;
    let over: number;
    if (under >= 0) over = above[under];
    else {
      over = this.root;
      while (over >= 0 && left[over] >= 0) over = left[over];
    }
    // Either the edge below has no right child or the one above no left child
    if (this.root < 0) this.root = edge;
    else if (under >= 0 && right[under] < 0) {
      right[under] = edge;
      parent[edge] = under;
    } else {
      left[over] = edge;
      parent[edge] = over;
    }
    above[edge] = over;
    below[edge] = under;
    if (over >= 0) below[over] = edge;
    if (under >= 0) above[under] = edge;
    while (parent[edge] >= 0 && priority(edge) > priority(parent[edge])) this.rotateUp(edge);
  }

  remove(edge: number): void {
    const { left, right, parent, above, below } = this;
    while (left[edge] >= 0 && right[edge] >= 0)
      this.rotateUp(priority(left[edge]) > priority(right[edge]) ? left[edge] : right[edge]);
    const child = left[edge] >= 0 ? left[edge] : right[edge];
    this.replaceChild(parent[edge], edge, child);
    if (above[edge] >= 0) below[above[edge]] = below[edge];
    if (below[edge] >= 0) above[below[edge]] = above[edge];
  }

  /** `edge` gives way to `by`, which continues it from a common corner. */
  replace(edge: number, by: number): void {
    const under = this.below[edge];
    this.remove(edge);
    this.insertAbove(under, by);
  }

  private replaceChild(parent: number, child: number, by: number): void {
    if (parent < 0) this.root = by;
    else if (this.left[parent] === child) this.left[parent] = by;
    else this.right[parent] = by;
    if (by >= 0) this.parent[by] = parent;
  }

  private rotateUp(edge: number): void {
    const { left, right, parent } = this;
    const down = parent[edge];
    this.replaceChild(parent[down], down, edge);
    if (left[down] === edge) {
      left[down] = right[edge];
      if (right[edge] >= 0) parent[right[edge]] = down;
      right[edge] = down;
    } else {
      right[down] = left[edge];
      if (left[edge] >= 0) parent[left[edge]] = down;
      left[edge] = down;
    }
    parent[down] = edge;
  }
}

/** Treap priorities: a mixing hash of the edge's number, so that the tree's shape is the same in every run. */
function priority(edge: number): number {
  let h = Math.imul(edge + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}
