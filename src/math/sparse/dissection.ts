/**
 * An order in which to eliminate the nodes of a mesh: nested dissection by their coordinates. The set is cut at the median of its longer
 * side; of the two layers along the cut the smaller separates the halves and is eliminated after both, which are cut on in the same
 * way down to leaves. Each leaf and each separator is one front of a multifrontal factorisation.
 *
 * George (1973), doi 10.1137/0710032.
 */

/** Which nodes share an entry: row i has the columns column[rowStart[i] … rowStart[i + 1]), itself included, both ways. */
export interface NodePattern {
  readonly count: number;
  readonly rowStart: Int32Array;
  readonly column: Int32Array;
}

export interface Dissection {
  /** Nodes in the order of elimination */
  readonly order: Int32Array;
  /** Front k eliminates order[frontStart[k] … frontStart[k + 1]); those below a front come before it */
  readonly frontStart: Int32Array;
}

const LEAF = 40;

/**
 * @param coordinates `dimension` per node
 * @param wanted      1 per node that is to be eliminated
 */
export function dissect(
  pattern: NodePattern,
  coordinates: Float64Array,
  dimension: number,
  wanted: Uint8Array,
): Dissection {
  const nodes = new Int32Array(pattern.count);
  let count = 0;
  for (let i = 0; i < pattern.count; i++) if (wanted[i] !== 0) nodes[count++] = i;
  const work = new Dissector(pattern, coordinates, dimension, nodes, count);
  work.cut(0, count);
  return { order: work.order, frontStart: Int32Array.from(work.frontStart) };
}

class Dissector {
  readonly order: Int32Array;
  readonly frontStart: number[] = [0];
  private filled = 0;
  private readonly side: Int8Array;
  private readonly separator: Int32Array;
  private readonly pattern: NodePattern;
  private readonly coordinates: Float64Array;
  private readonly dimension: number;
  private readonly nodes: Int32Array;

  constructor(pattern: NodePattern, coordinates: Float64Array, dimension: number, nodes: Int32Array, count: number) {
    this.pattern = pattern;
    this.coordinates = coordinates;
    this.dimension = dimension;
    this.nodes = nodes;
    this.order = new Int32Array(count);
    this.side = new Int8Array(pattern.count);
    this.separator = new Int32Array(count);
  }

  /** Orders nodes[from … to). */
  cut(from: number, to: number): void {
    const { nodes, side, coordinates, dimension } = this;
    if (to - from <= LEAF) {
      this.emit(nodes, from, to);
      return;
    }
    // The longer side
    let axis = 0;
    let longest = -1;
    for (let d = 0; d < dimension; d++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let i = from; i < to; i++) {
        const x = coordinates[dimension * nodes[i] + d];
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
      if (high - low > longest) {
        longest = high - low;
        axis = d;
      }
    }
    const middle = (from + to) >> 1;
    this.selectMiddle(from, to, middle, axis);
    for (let i = from; i < to; i++) side[nodes[i]] = i < middle ? 1 : 2;
    const left = this.borderCount(from, middle, 2);
    const right = this.borderCount(middle, to, 1);
    const takeLeft = left <= right;
    // The layer goes out; what is left of both halves moves together
    let removed = 0;
    let kept = from;
    let half = from;
    for (let i = from; i < to; i++) {
      const node = nodes[i];
      const inLeft = i < middle;
      if (inLeft === takeLeft && this.touches(node, takeLeft ? 2 : 1)) this.separator[removed++] = node;
      else nodes[kept++] = node;
      if (i === middle - 1) half = kept;
    }
    for (let i = from; i < to; i++) side[i < kept ? nodes[i] : 0] = 0;
    const layer = this.separator.slice(0, removed);
    for (let i = 0; i < removed; i++) side[layer[i]] = 0;
    this.cut(from, half);
    this.cut(half, kept);
    this.emit(layer, 0, removed);
  }

  private emit(nodes: Int32Array, from: number, to: number): void {
    if (to === from) return;
    for (let i = from; i < to; i++) this.order[this.filled++] = nodes[i];
    this.frontStart.push(this.filled);
  }

  private borderCount(from: number, to: number, other: number): number {
    let count = 0;
    for (let i = from; i < to; i++) if (this.touches(this.nodes[i], other)) count++;
    return count;
  }

  private touches(node: number, other: number): boolean {
    const { side } = this;
    const { rowStart, column } = this.pattern;
    for (let k = rowStart[node]; k < rowStart[node + 1]; k++) if (side[column[k]] === other) return true;
    return false;
  }

  /** Puts the nodes that are lower along the axis before `middle`; equal ones by number, so that the order is one. */
  private selectMiddle(from: number, to: number, middle: number, axis: number): void {
    const { nodes, coordinates, dimension } = this;
    const less = (a: number, b: number): boolean => {
      const x = coordinates[dimension * a + axis];
      const y = coordinates[dimension * b + axis];
      return x < y || (x === y && a < b);
    };
    let low = from;
    let high = to - 1;
    while (low < high) {
      const pivot = nodes[(low + high) >> 1];
      let i = low;
      let j = high;
      while (i <= j) {
        while (less(nodes[i], pivot)) i++;
        while (less(pivot, nodes[j])) j--;
        if (i <= j) {
          const kept = nodes[i];
          nodes[i++] = nodes[j];
          nodes[j--] = kept;
        }
      }
      if (middle <= j) high = j;
      else if (middle >= i) low = i;
      else return;
    }
  }
}
