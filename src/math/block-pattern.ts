/**
 * Where the blocks of a sparse matrix of dense blocks are, the same on both sides of the diagonal: the order in which they are eliminated
 * (elimination-order.ts), the pairs of blocks that meet, fill included, and whether a matrix has the blocks of the one before.
 *
 * A pair is numbered as in `order.later`: those of the block eliminated first come first.
 */
import { EliminationOrder } from './elimination-order.js';
import { flagRoom, intRoom } from './room.js';

export class BlockPattern {
  readonly order = new EliminationOrder();
  /** Blocks */
  count = 0;
  /** Per block: number of unknowns that other blocks see */
  sizes: Int32Array = new Int32Array(0);
  /** Pairs of blocks off the diagonal, fill included */
  pairs = 0;
  /** Per block, after `scatter` of another that it meets: the pair they make */
  pairWith: Int32Array = new Int32Array(0);
  /** Per pair: 1 if it is an edge that was given (2 while they are counted), 0 if it fills */
  private given: Uint8Array = new Uint8Array(0);
  private edges = 0;

  /**
   * False where the blocks are those of the call before, and nothing was done.
   *
   * @param edges two blocks per pair that is not zero; may repeat
   */
  set(count: number, sizes: Int32Array, edges: Int32Array, edgeCount: number): boolean {
    if (this.sameAs(count, sizes, edges, edgeCount)) return false;
    this.count = count;
    this.sizes = intRoom(this.sizes, count);
    for (let i = 0; i < count; i++) this.sizes[i] = sizes[i];
    this.order.find(count, edges, edgeCount);
    this.pairs = this.order.start[count];
    this.given = flagRoom(this.given, this.pairs);
    this.pairWith = intRoom(this.pairWith, count);
    this.given.fill(0, 0, this.pairs);
    this.edges = this.markGiven(edges, edgeCount, 1);
    return true;
  }

  private sameAs(count: number, sizes: Int32Array, edges: Int32Array, edgeCount: number): boolean {
    if (count !== this.count || count === 0) return false;
    for (let i = 0; i < count; i++) if (sizes[i] !== this.sizes[i]) return false;
    for (let edge = 0; edge < edgeCount; edge++) {
      const a = edges[2 * edge];
      const b = edges[2 * edge + 1];
      if (a === b) continue;
      const pair = this.pairOf(a, b);
      if (pair < 0 || this.given[pair] === 0) return false;
    }
    // None new; are all still there?
    const seen = this.markGiven(edges, edgeCount, 2);
    for (let pair = 0; pair < this.pairs; pair++) if (this.given[pair] === 2) this.given[pair] = 1;
    return seen === this.edges;
  }

  /** How many pairs the edges make, each counted once */
  private markGiven(edges: Int32Array, edgeCount: number, mark: number): number {
    let seen = 0;
    for (let edge = 0; edge < edgeCount; edge++) {
      const a = edges[2 * edge];
      const b = edges[2 * edge + 1];
      if (a === b) continue;
      const pair = this.pairOf(a, b);
      if (this.given[pair] === mark) continue;
      this.given[pair] = mark;
      seen++;
    }
    return seen;
  }

  /** Index of a pair, −1 if the blocks do not meet */
  pairOf(a: number, b: number): number {
    const { place, start, later } = this.order;
    const first = place[a] < place[b] ? a : b;
    const wanted = place[first === a ? b : a];
    let low = start[place[first]];
    let high = start[place[first] + 1] - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = place[later[middle]];
      if (found === wanted) return middle;
      if (found < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Notes in `pairWith` the pairs of a block with those that go after it. */
  scatter(block: number): void {
    const { pairWith } = this;
    const { place, start, later } = this.order;
    const p = place[block];
    for (let k = start[p]; k < start[p + 1]; k++) pairWith[later[k]] = k;
  }
}
