/**
 * A tree of boxes over the shapes of a scene (dynamic AABB tree; Bullet's and Box2D's broad phases are of this kind).
 * Leaves are nodes 0 … n − 1, one per shape; n − 1 inner nodes follow. A node's box is the union of its children's.
 *
 *   build   top down, a set cut at the median of its centres along the axis where they spread most: O(n log n), and
 *           depth ⌈log₂ n⌉ whatever the boxes
 *   move    a leaf is taken out and put in again where it lengthens the boxes on its way least: O(depth)
 *
 * Lengths of boxes are sums of their edges. Surface areas, the usual measure, vanish for shapes in a line and overflow for
 * unbounded ones; sums of edges do neither.
 */
import type { AllowedPairs } from './allowed-pairs.js';
import { boxesMeet } from './boxes.js';
import type { PairList } from './candidate-pairs.js';

/** Unbounded edges count as this long, so that sums and differences of lengths stay finite. */
const LONGEST = 1e150;

export class BoxTree {
  /** The longest way an insertion took since the tree was built: a measure of how far it has degenerated. */
  depth = 0;
  /** Result of `neighbours`. */
  readonly near: Int32Array;
  // 6 per node
  private readonly boxes: Float64Array;
  private readonly parent: Int32Array;
  private readonly left: Int32Array;
  private readonly right: Int32Array;
  private root = -1;
  // work space: shapes in the order of the tree under construction, 3 centres per shape, a stack of nodes
  private readonly order: Int32Array;
  private readonly centre: Float64Array;
  private stack = new Int32Array(256);

  constructor(readonly shapes: number) {
    const nodes = Math.max(0, 2 * shapes - 1);
    this.boxes = new Float64Array(6 * nodes);
    this.parent = new Int32Array(nodes);
    this.left = new Int32Array(nodes);
    this.right = new Int32Array(nodes);
    this.near = new Int32Array(shapes);
    this.order = new Int32Array(shapes);
    this.centre = new Float64Array(3 * shapes);
  }

  build(leafBoxes: Float64Array): void {
    const { shapes, boxes, parent, left, right, order, centre } = this;
    this.depth = 0;
    this.root = -1;
    if (shapes === 0) return;
    boxes.set(leafBoxes);
    for (let i = 0; i < shapes; i++) {
      order[i] = i;
      for (let k = 0; k < 3; k++) {
        const middle = 0.5 * boxes[6 * i + k] + 0.5 * boxes[6 * i + k + 3];
        centre[3 * i + k] = Number.isNaN(middle) ? 0 : middle; // NaN: from −∞ to ∞
      }
    }

    // Work list: begin and end of a set, its parent × 2 + which child. The left child of a node gets the next number
    let used = shapes;
    let top = this.pushThree(0, 0, shapes, -1);
    while (top > 0) {
      const slot = this.stack[--top];
      const end = this.stack[--top];
      const begin = this.stack[--top];
      const node = end - begin === 1 ? order[begin] : used++;
      parent[node] = slot < 0 ? -1 : slot >> 1;
      if (slot < 0) this.root = node;
      else if ((slot & 1) === 0) left[slot >> 1] = node;
      else right[slot >> 1] = node;
      if (end - begin === 1) continue;
      const middle = (begin + end) >> 1;
      selectMiddle(order, centre, this.widestAxis(begin, end), begin, end, middle);
      top = this.pushThree(top, middle, end, 2 * node + 1);
      top = this.pushThree(top, begin, middle, 2 * node);
    }
    // Parents have smaller numbers than their inner children
    for (let node = used - 1; node >= shapes; node--) this.unite(node, left[node], right[node]);
  }

  /** Gives a shape another box and a new place in the tree. */
  move(shape: number, leafBoxes: Float64Array): void {
    for (let k = 0; k < 6; k++) this.boxes[6 * shape + k] = leafBoxes[6 * shape + k];
    if (this.shapes > 1) this.insert(shape, this.remove(shape));
  }

  /** Adds every two allowed shapes whose boxes meet, once. */
  selfPairs(allowed: AllowedPairs, pairs: PairList): void {
    const { shapes, boxes, left, right } = this;
    if (shapes < 2) return;
    // Pairs of nodes whose boxes meet; a node with itself stands for all pairs below it
    let top = this.pushTwo(0, this.root, this.root);
    while (top > 0) {
      const q = this.stack[--top];
      const p = this.stack[--top];
      if (p === q) {
        if (p < shapes) continue;
        const l = left[p];
        const r = right[p];
        top = this.pushTwo(top, r, r);
        top = this.pushTwo(top, l, l);
        if (boxesMeet(boxes, 6 * l, boxes, 6 * r)) top = this.pushTwo(top, l, r);
      } else if (p < shapes && q < shapes) {
        if (allowed.allows(p, q)) pairs.push(p, q);
      } else {
        // The longer box is opened
        const openP = p >= shapes && (q < shapes || this.length(p) >= this.length(q));
        const open = openP ? p : q;
        const other = openP ? q : p;
        const l = left[open];
        const r = right[open];
        if (boxesMeet(boxes, 6 * other, boxes, 6 * r)) top = this.pushTwo(top, other, r);
        if (boxesMeet(boxes, 6 * other, boxes, 6 * l)) top = this.pushTwo(top, other, l);
      }
    }
  }

  /** Writes to `near` every shape whose box meets that of `shape`, itself left out; returns how many. */
  neighbours(shape: number): number {
    const { shapes, boxes, left, right, near } = this;
    let count = 0;
    let top = this.pushTwo(0, this.root, 0) - 1;
    while (top > 0) {
      const node = this.stack[--top];
      if (!boxesMeet(boxes, 6 * node, boxes, 6 * shape)) continue;
      if (node >= shapes) top = this.pushTwo(top, right[node], left[node]);
      else if (node !== shape) near[count++] = node;
    }
    return count;
  }

  /** Takes a leaf out; its brother moves up. Returns the inner node that became free. */
  private remove(leaf: number): number {
    const { parent, left, right } = this;
    const free = parent[leaf];
    const brother = left[free] === leaf ? right[free] : left[free];
    const above = parent[free];
    parent[brother] = above;
    if (above < 0) this.root = brother;
    else {
      if (left[above] === free) left[above] = brother;
      else right[above] = brother;
      for (let node = above; node >= 0; node = parent[node]) if (!this.unite(node, left[node], right[node])) break;
    }
    return free;
  }

  /**
   * Puts a leaf in, `free` becoming the parent of the leaf and its new brother. On the way down from the root the
   * lengths gained are compared: making this node the brother gains the length of their union; going on gains what
   * this node lengthens by, plus what comes below (Catto 2019, Dynamic bounding volume hierarchies).
   */
  private insert(leaf: number, free: number): void {
    const { shapes, parent, left, right } = this;
    let node = this.root;
    let depth = 1;
    for (; node >= shapes; depth++) {
      const union = this.unionLength(node, leaf);
      const inherited = union - this.length(node);
      const costLeft = inherited + this.gain(left[node], leaf);
      const costRight = inherited + this.gain(right[node], leaf);
      if (union < costLeft && union < costRight) break;
      node = costLeft <= costRight ? left[node] : right[node];
    }
    if (depth > this.depth) this.depth = depth;
    const above = parent[node];
    parent[free] = above;
    left[free] = node;
    right[free] = leaf;
    parent[node] = parent[leaf] = free;
    if (above < 0) this.root = free;
    else if (left[above] === node) left[above] = free;
    else right[above] = free;
    this.unite(free, node, leaf);
    for (let up = above; up >= 0; up = parent[up]) if (!this.unite(up, left[up], right[up])) break;
  }

  /** What it costs at least to put the leaf at or below a node. */
  private gain(node: number, leaf: number): number {
    const union = this.unionLength(node, leaf);
    return node < this.shapes ? union : union - this.length(node);
  }

  /** Makes the box of a node the union of two others; false if it was already. */
  private unite(node: number, p: number, q: number): boolean {
    const { boxes } = this;
    let changed = false;
    for (let k = 0; k < 3; k++) {
      const min = Math.min(boxes[6 * p + k], boxes[6 * q + k]);
      const max = Math.max(boxes[6 * p + k + 3], boxes[6 * q + k + 3]);
      if (boxes[6 * node + k] !== min || boxes[6 * node + k + 3] !== max) changed = true;
      boxes[6 * node + k] = min;
      boxes[6 * node + k + 3] = max;
    }
    return changed;
  }

  private length(node: number): number {
    return this.unionLength(node, node);
  }
  private unionLength(p: number, q: number): number {
    const { boxes } = this;
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const min = Math.min(boxes[6 * p + k], boxes[6 * q + k]);
      const max = Math.max(boxes[6 * p + k + 3], boxes[6 * q + k + 3]);
      sum += Math.min(max - min, LONGEST);
    }
    return sum;
  }

  private widestAxis(begin: number, end: number): number {
    const { order, centre } = this;
    let axis = 0;
    let widest = -1;
    for (let k = 0; k < 3; k++) {
      let min = Infinity;
      let max = -Infinity;
      for (let i = begin; i < end; i++) {
        const c = centre[3 * order[i] + k];
        if (c < min) min = c;
        if (c > max) max = c;
      }
      if (max - min > widest) {
        widest = max - min;
        axis = k;
      }
    }
    return axis;
  }

  private pushTwo(top: number, p: number, q: number): number {
    if (top + 3 > this.stack.length) this.growStack();
    this.stack[top] = p;
    this.stack[top + 1] = q;
    return top + 2;
  }
  private pushThree(top: number, p: number, q: number, r: number): number {
    this.pushTwo(top, p, q);
    this.stack[top + 2] = r;
    return top + 3;
  }
  private growStack(): void {
    const stack = new Int32Array(2 * this.stack.length);
    stack.set(this.stack);
    this.stack = stack;
  }
}

/**
 * Reorders order[begin … end) so that what comes before `middle` has no greater centre along the axis than what
 * comes from there on (Hoare 1961, algorithm 65). Equal centres are exchanged too, which halves sets of equal ones.
 */
function selectMiddle(
  order: Int32Array,
  centre: Float64Array,
  axis: number,
  begin: number,
  end: number,
  middle: number,
): void {
  let low = begin;
  let high = end - 1;
  while (low < high) {
    const pivot = medianOfThree(
      centre[3 * order[low] + axis],
      centre[3 * order[(low + high) >> 1] + axis],
      centre[3 * order[high] + axis],
    );
    let i = low;
    let j = high;
    while (i <= j) {
      while (centre[3 * order[i] + axis] < pivot) i++;
      while (centre[3 * order[j] + axis] > pivot) j--;
      if (i > j) break;
      const swap = order[i];
      order[i++] = order[j];
      order[j--] = swap;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}

function medianOfThree(a: number, b: number, c: number): number {
  return a < b ? (b < c ? b : Math.max(a, c)) : a < c ? a : Math.max(b, c);
}
