/**
 * Numbers points so that points within a tolerance of each other get the same number: a hash of square cells, wide
 * enough that a point rarely has to look into more than its own. O(1) a point.
 */
const CELL = 8; // tolerances

export class PointNodes {
  readonly x: Float64Array;
  readonly y: Float64Array;
  count = 0;
  readonly #tolerance: number;
  /** first node of a cell and, per node, the next one with the same hash; −1 for none */
  readonly #heads: Int32Array;
  readonly #next: Int32Array;

  constructor(capacity: number, tolerance: number) {
    let slots = 16;
    while (slots < 2 * capacity) slots *= 2;
    this.x = new Float64Array(capacity);
    this.y = new Float64Array(capacity);
    this.#tolerance = tolerance;
    this.#heads = new Int32Array(slots).fill(-1);
    this.#next = new Int32Array(capacity);
  }

  /** The nearest node within the tolerance, else a new one. */
  at(x: number, y: number): number {
    const reach = this.#tolerance;
    const width = CELL * reach;
    const left = Math.floor((x - reach) / width);
    const right = Math.floor((x + reach) / width);
    const low = Math.floor((y - reach) / width);
    const high = Math.floor((y + reach) / width);
    let nearest = -1;
    let least = reach * reach;
    for (let i = left; i <= right; i++)
      for (let j = low; j <= high; j++)
        for (let node = this.#heads[this.#slot(i, j)]; node >= 0; node = this.#next[node]) {
          const dx = x - this.x[node];
          const dy = y - this.y[node];
          const squared = dx * dx + dy * dy;
          if (squared < least || (squared === least && node < nearest)) {
            least = squared;
            nearest = node;
          }
        }
    if (nearest >= 0) return nearest;
    const node = this.count++;
    const slot = this.#slot(Math.floor(x / width), Math.floor(y / width));
    this.x[node] = x;
    this.y[node] = y;
    this.#next[node] = this.#heads[slot];
    this.#heads[slot] = node;
    return node;
  }

  /** Mixes the cell's column and row; multipliers: odd numbers near 2³² over the golden ratio and over √2. */
  #slot(column: number, row: number): number {
    // |column| may exceed 2³¹: the bitwise operators take it modulo 2³².
    let hash = Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0xb504f32d);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x85ebca6b);
    return (hash ^ (hash >>> 13)) & (this.#heads.length - 1);
  }
}
