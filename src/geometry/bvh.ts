/**
 * Tree of boxes over the triangles of a mesh (bounding volume hierarchy): finds the few triangles near a point, on a
 * ray or in a box without looking at the others.
 *
 * Built top down by the surface area heuristic (Goldsmith & Salmon 1987; Wald 2007, doi 10.1109/RT.2007.4342588): a
 * set of n triangles is cut where
 *
 *   cost = A(left) n(left) + A(right) n(right)
 *
 * is least, A being the surface of a box: the chance that a query which meets the parent also meets the child.
 * Sets of at most `SWEEP` triangles try every cut along the three axes (their boxes fit the cache; each axis is
 * sorted once and the order is kept while the set is divided); larger sets try 31 cuts along each axis, which loses
 * little so high up and takes one pass. Together O(n log n). Leaves hold at most two triangles.
 *
 * The tree depends on coordinates and indices only, so that it is the same on every machine.
 */
import { meshBounds, type TriangleMesh } from './triangle-mesh.js';

export interface Bvh {
  readonly mesh: TriangleMesh;
  /**
   * 6 per node: centre and half extent of its box. The half extent is rounded up by 2^-50 of itself, so that
   * comparisons in floating point with `<=` never miss a triangle.
   */
  readonly boxes: Float64Array;
  /** 2 per node. Inner node: its two children. Leaf: minus the number of its triangles, the first place in `order`. */
  readonly links: Int32Array;
  /** triangles in the order of leaves */
  readonly order: Uint32Array;
  /** the longest way from the root to a leaf, in nodes; 0 for a mesh without triangles */
  readonly depth: number;
}

const SWEEP = 16384;
const BINS = 32;
const LEAF = 2;
const ROUND_UP = 1 + 2.220446049250313e-16 * 4; // 1 + 2^-50

/**
 * Builds the tree. About 2 µs a triangle.
 *
 * @example const tree = buildBvh(mesh); const inside = isInside(tree, 0, 0, 0);
 */
export function buildBvh(mesh: TriangleMesh): Bvh {
  const n = mesh.triangles.length / 3;
  const bounds = triangleBounds(mesh);
  const order = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  const nodes = Math.max(0, 2 * n - 1);
  const boxes = new Float64Array(6 * nodes);
  const links = new Int32Array(2 * nodes);
  if (n === 0) return { mesh, boxes, links, order, depth: 0 };

  // areas are measured in units of the mesh's size, so that neither 1e-200 m nor 1e200 m under- or overflows
  const { min, max } = meshBounds(mesh);
  const unit = 1 / Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2], 1e-300);
  const binned = new BinnedCut(bounds, order, unit);
  const swept = new SweptCut(bounds, order, unit, Math.min(n, SWEEP));

  // work list: begin, end, parent × 2 + which child (−1: root), depth, start of the swept range or −1
  const work: number[] = [0, n, -1, 1, -1];
  let used = 0;
  let depth = 0;
  while (work.length > 0) {
    let sweptFrom = work.pop()!;
    const level = work.pop()!;
    const slot = work.pop()!;
    const end = work.pop()!;
    const begin = work.pop()!;
    const node = used++;
    if (slot >= 0) links[slot] = node;
    depth = Math.max(depth, level);
    setBox(boxes, 6 * node, bounds, order, begin, end);
    if (end - begin <= LEAF) {
      links[2 * node] = begin - end;
      links[2 * node + 1] = begin;
      continue;
    }
    let cut: number;
    if (end - begin > SWEEP) cut = binned.divide(begin, end);
    else {
      if (sweptFrom < 0) {
        swept.sort(begin, end);
        sweptFrom = begin;
      }
      cut = swept.divide(begin - sweptFrom, end - sweptFrom, sweptFrom) + sweptFrom;
    }
    // the left child is taken first, so that a swept set is finished before the next one is sorted
    work.push(cut, end, 2 * node + 1, level + 1, sweptFrom);
    work.push(begin, cut, 2 * node, level + 1, sweptFrom);
  }
  return { mesh, boxes: boxes.slice(0, 6 * used), links: links.slice(0, 2 * used), order, depth };
}

/** 6 per triangle: least x, y, z, greatest x, y, z. */
export function triangleBounds(mesh: TriangleMesh): Float64Array {
  const { vertices, triangles } = mesh;
  const bounds = new Float64Array(2 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    for (let k = 0; k < 3; k++) {
      const p = vertices[a + k];
      const q = vertices[b + k];
      const r = vertices[c + k];
      bounds[2 * t + k] = p < q ? Math.min(p, r) : Math.min(q, r);
      bounds[2 * t + 3 + k] = p > q ? Math.max(p, r) : Math.max(q, r);
    }
  }
  return bounds;
}

/** Box around triangles order[begin] … order[end − 1]. */
function setBox(
  boxes: Float64Array,
  at: number,
  bounds: Float64Array,
  order: Uint32Array,
  begin: number,
  end: number,
): void {
  for (let k = 0; k < 3; k++) {
    let min = Infinity;
    let max = -Infinity;
    for (let i = begin; i < end; i++) {
      const b = 6 * order[i] + k;
      if (bounds[b] < min) min = bounds[b];
      if (bounds[b + 3] > max) max = bounds[b + 3];
    }
    const centre = 0.5 * min + 0.5 * max;
    boxes[at + k] = centre;
    boxes[at + 3 + k] = Math.max(max - centre, centre - min) * ROUND_UP;
  }
}

/** Cuts large sets at 31 planes along each axis through the box of the triangles' centres. */
class BinnedCut {
  private readonly count = new Int32Array(BINS);
  private readonly bins = new Float64Array(6 * BINS);
  private readonly rightArea = new Float64Array(BINS);
  private readonly box = new Float64Array(6);
  private readonly right: Uint32Array;
  constructor(
    private readonly bounds: Float64Array,
    private readonly order: Uint32Array,
    private readonly unit: number,
  ) {
    this.right = new Uint32Array(order.length > SWEEP ? order.length : 0);
  }

  /** Reorders order[begin … end) and returns where the right half starts. */
  divide(begin: number, end: number): number {
    const { bounds, order } = this;
    let bestCost = Infinity;
    let bestAxis = -1;
    let bestBin = 0;
    let bestScale = 0;
    let bestMin = 0;
    for (let axis = 0; axis < 3; axis++) {
      let min = Infinity;
      let max = -Infinity;
      for (let i = begin; i < end; i++) {
        const b = 6 * order[i] + axis;
        const centre = 0.5 * bounds[b] + 0.5 * bounds[b + 3];
        if (centre < min) min = centre;
        if (centre > max) max = centre;
      }
      const scale = BINS / (max - min);
      if (!(max > min && scale < Infinity)) continue;
      this.fill(begin, end, axis, min, scale);
      const bin = this.cheapest();
      if (this.cost < bestCost) {
        bestCost = this.cost;
        bestAxis = axis;
        bestBin = bin;
        bestScale = scale;
        bestMin = min;
      }
    }
    if (bestAxis < 0) return (begin + end) >> 1; // all centres coincide

    // stable division
    let left = begin;
    let rights = 0;
    for (let i = begin; i < end; i++) {
      const t = order[i];
      const b = 6 * t + bestAxis;
      const bin = Math.min(BINS - 1, Math.floor((0.5 * bounds[b] + 0.5 * bounds[b + 3] - bestMin) * bestScale));
      if (bin < bestBin) order[left++] = t;
      else this.right[rights++] = t;
    }
    order.set(this.right.subarray(0, rights), left);
    return left > begin && left < end ? left : (begin + end) >> 1;
  }

  private fill(begin: number, end: number, axis: number, min: number, scale: number): void {
    const { bounds, order, bins, count } = this;
    count.fill(0);
    for (let b = 0; b < BINS; b++) clearBox(bins, 6 * b);
    for (let i = begin; i < end; i++) {
      const t = 6 * order[i];
      const centre = 0.5 * bounds[t + axis] + 0.5 * bounds[t + axis + 3];
      const bin = Math.min(BINS - 1, Math.floor((centre - min) * scale));
      count[bin]++;
      growBox(bins, 6 * bin, bounds, t);
    }
  }

  private cost = 0;
  /** The bin that starts the right half; its cost is left in `cost`. */
  private cheapest(): number {
    const { bins, count, rightArea, box, unit } = this;
    clearBox(box, 0);
    for (let b = BINS - 1; b > 0; b--) {
      if (count[b] > 0) growBox(box, 0, bins, 6 * b);
      rightArea[b] = boxArea(box, unit);
    }
    clearBox(box, 0);
    let total = 0;
    for (let b = 0; b < BINS; b++) total += count[b];
    let left = 0;
    let best = 1;
    this.cost = Infinity;
    for (let b = 1; b < BINS; b++) {
      if (count[b - 1] > 0) growBox(box, 0, bins, 6 * (b - 1));
      left += count[b - 1];
      if (left === 0 || left === total) continue;
      const cost = left * boxArea(box, unit) + (total - left) * rightArea[b];
      if (cost < this.cost) {
        this.cost = cost;
        best = b;
      }
    }
    return best;
  }
}

/** Tries every cut of small sets; keeps three orders of the triangles, one sorted along each axis. */
class SweptCut {
  private readonly sorted: [Uint32Array, Uint32Array, Uint32Array];
  private readonly keys: Uint32Array;
  private readonly other: Uint32Array;
  private readonly rightArea: Float64Array;
  private readonly histogram = new Uint32Array(2048);
  private readonly box = new Float64Array(6);
  private readonly onLeft: Uint8Array;
  constructor(
    private readonly bounds: Float64Array,
    private readonly order: Uint32Array,
    private readonly unit: number,
    capacity: number,
  ) {
    this.sorted = [new Uint32Array(capacity), new Uint32Array(capacity), new Uint32Array(capacity)];
    this.keys = new Uint32Array(capacity);
    this.other = new Uint32Array(capacity);
    this.rightArea = new Float64Array(capacity + 1);
    this.onLeft = new Uint8Array(order.length);
  }

  /**
   * Sorts order[begin … end) along each axis: centres as 22-bit fractions of the set's extent, two passes of a stable
   * counting sort. Centres that agree to 22 bits stay in the order they had.
   */
  sort(begin: number, end: number): void {
    const { bounds, order, keys, other, histogram } = this;
    const n = end - begin;
    for (let axis = 0; axis < 3; axis++) {
      let min = Infinity;
      let max = -Infinity;
      for (let i = begin; i < end; i++) {
        const b = 6 * order[i] + axis;
        const centre = 0.5 * bounds[b] + 0.5 * bounds[b + 3];
        if (centre < min) min = centre;
        if (centre > max) max = centre;
      }
      const scale = max > min ? 4194303 / (max - min) : 0;
      for (let i = 0; i < n; i++) {
        const b = 6 * order[begin + i] + axis;
        const key = (0.5 * bounds[b] + 0.5 * bounds[b + 3] - min) * scale;
        keys[i] = key > 0 ? Math.min(4194303, Math.floor(key)) : 0;
      }
      // low 11 bits: places into `other`; high 11 bits: triangles into the result
      histogram.fill(0);
      for (let i = 0; i < n; i++) histogram[keys[i] & 2047]++;
      startsFromCounts(histogram);
      for (let i = 0; i < n; i++) other[histogram[keys[i] & 2047]++] = i;
      histogram.fill(0);
      for (let i = 0; i < n; i++) histogram[keys[i] >>> 11]++;
      startsFromCounts(histogram);
      const result = this.sorted[axis];
      for (let i = 0; i < n; i++) result[histogram[keys[other[i]] >>> 11]++] = order[begin + other[i]];
    }
  }

  /** Divides the places begin … end of the sorted set; writes the x order back to `order` from `origin` on. */
  divide(begin: number, end: number, origin: number): number {
    const { bounds, rightArea, box, onLeft, unit } = this;
    const n = end - begin;
    let bestCost = Infinity;
    let bestImbalance = Infinity;
    let bestAxis = 0;
    let bestCut = (begin + end) >> 1;
    for (let axis = 0; axis < 3; axis++) {
      const sorted = this.sorted[axis];
      clearBox(box, 0);
      for (let i = end - 1; i > begin; i--) {
        growBox(box, 0, bounds, 6 * sorted[i]);
        rightArea[i] = boxArea(box, unit);
      }
      clearBox(box, 0);
      for (let i = begin + 1; i < end; i++) {
        growBox(box, 0, bounds, 6 * sorted[i - 1]);
        const left = i - begin;
        const cost = left * boxArea(box, unit) + (n - left) * rightArea[i];
        if (cost > bestCost) continue;
        // equal boxes cost the same wherever they are cut: halves keep the tree flat
        const imbalance = Math.abs(2 * left - n);
        if (cost < bestCost || imbalance < bestImbalance) {
          bestCost = cost;
          bestImbalance = imbalance;
          bestAxis = axis;
          bestCut = i;
        }
      }
    }
    const along = this.sorted[bestAxis];
    for (let i = begin; i < end; i++) onLeft[along[i]] = i < bestCut ? 1 : 0;
    for (let axis = 0; axis < 3; axis++) if (axis !== bestAxis) this.separate(this.sorted[axis], begin, end);
    this.order.set(this.sorted[0].subarray(begin, end), origin + begin);
    return bestCut;
  }

  /** Moves the triangles on the left before those on the right, both in their order. */
  private separate(sorted: Uint32Array, begin: number, end: number): void {
    const { onLeft, other } = this;
    let left = begin;
    let rights = 0;
    for (let i = begin; i < end; i++) {
      const t = sorted[i];
      if (onLeft[t] === 1) sorted[left++] = t;
      else other[rights++] = t;
    }
    for (let i = 0; i < rights; i++) sorted[left + i] = other[i];
  }
}

function startsFromCounts(histogram: Uint32Array): void {
  let sum = 0;
  for (let i = 0; i < histogram.length; i++) {
    const count = histogram[i];
    histogram[i] = sum;
    sum += count;
  }
}

function clearBox(box: Float64Array, at: number): void {
  box[at] = box[at + 1] = box[at + 2] = Infinity;
  box[at + 3] = box[at + 4] = box[at + 5] = -Infinity;
}

function growBox(box: Float64Array, at: number, by: Float64Array, from: number): void {
  if (by[from] < box[at]) box[at] = by[from];
  if (by[from + 1] < box[at + 1]) box[at + 1] = by[from + 1];
  if (by[from + 2] < box[at + 2]) box[at + 2] = by[from + 2];
  if (by[from + 3] > box[at + 3]) box[at + 3] = by[from + 3];
  if (by[from + 4] > box[at + 4]) box[at + 4] = by[from + 4];
  if (by[from + 5] > box[at + 5]) box[at + 5] = by[from + 5];
}

/** Half the surface of a box, in units of the mesh's size squared. */
function boxArea(box: Float64Array, unit: number): number {
  const x = (box[3] - box[0]) * unit;
  const y = (box[4] - box[1]) * unit;
  const z = (box[5] - box[2]) * unit;
  return x * y + y * z + z * x;
}
