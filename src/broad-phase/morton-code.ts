/**
 * Morton codes: the bits of three whole numbers interlaced, lowest x first, then y, then z, then the second bits
 * (Elmqvist et al. 2015, §5.2.1; Morton 1966). Cells in the order of their codes follow a curve that covers each cube of
 * an octree completely before it leaves it, so a cube is an interval of codes.
 *
 * Coordinates have 20 bits, codes therefore 60, kept as two words of 30: the upper word interlaces the upper 10 bits.
 */

/** Levels of the octree: cells of level 0 are the smallest, the one cell of level LEVELS is everything. */
export const LEVELS = 20;
/** Greatest coordinate of a cell of level 0. */
export const LAST_CELL = 0xfffff;
/** All bits of a word. */
export const WORD = 0x3fffffff;

/** Ten bits with two zeros after each: …cba → …00c00b00a. */
export function spreadBits(ten: number): number {
  let bits = ten & 0x3ff;
  bits = (bits | (bits << 16)) & 0x030000ff;
  bits = (bits | (bits << 8)) & 0x0300f00f;
  bits = (bits | (bits << 4)) & 0x030c30c3;
  return (bits | (bits << 2)) & 0x09249249;
}

/** Codes with what they belong to, in arrays that grow, sorted by radix: 10 bits a pass, passes that change nothing skipped. */
export class CodeList {
  count = 0;
  upper: Int32Array;
  lower: Int32Array;
  item: Int32Array;
  private spareUpper: Int32Array;
  private spareLower: Int32Array;
  private spareItem: Int32Array;
  private readonly histogram = new Int32Array(6 * 1024);

  constructor(capacity: number) {
    this.upper = new Int32Array(capacity);
    this.lower = new Int32Array(capacity);
    this.item = new Int32Array(capacity);
    this.spareUpper = new Int32Array(capacity);
    this.spareLower = new Int32Array(capacity);
    this.spareItem = new Int32Array(capacity);
  }

  /** Makes room for `more` codes after the present ones. */
  reserve(more: number): void {
    const needed = this.count + more;
    if (needed <= this.upper.length) return;
    const capacity = Math.max(needed, 2 * this.upper.length);
    this.upper = longer(this.upper, capacity);
    this.lower = longer(this.lower, capacity);
    this.item = longer(this.item, capacity);
    this.spareUpper = new Int32Array(capacity);
    this.spareLower = new Int32Array(capacity);
    this.spareItem = new Int32Array(capacity);
  }

  /** Ascending codes; of equal ones those of higher rank come first. `rank` is one per owner, below 32, an owner `item >> 3`. */
  sort(rank: Uint8Array): void {
    this.sortByRank(rank);
    const { count, histogram, upper, lower } = this;
    histogram.fill(0);
    for (let i = 0; i < count; i++) {
      const l = lower[i];
      const u = upper[i];
      histogram[l & 1023]++;
      histogram[1024 + ((l >> 10) & 1023)]++;
      histogram[2048 + (l >> 20)]++;
      histogram[3072 + (u & 1023)]++;
      histogram[4096 + ((u >> 10) & 1023)]++;
      histogram[5120 + (u >> 20)]++;
    }
    for (let pass = 0; pass < 6; pass++) {
      const shift = 10 * (pass % 3);
      const key = pass < 3 ? this.lower : this.upper;
      const base = 1024 * pass;
      if (count === 0 || histogram[base + ((key[0] >> shift) & 1023)] === count) continue;
      let sum = 0;
      for (let k = base; k < base + 1024; k++) {
        const many = histogram[k];
        histogram[k] = sum;
        sum += many;
      }
      this.scatter(key, shift, base);
    }
  }

  /** Descending ranks, which the passes by code then keep. */
  private sortByRank(rank: Uint8Array): void {
    const { count, histogram, item } = this;
    histogram.fill(0, 0, 32);
    for (let i = 0; i < count; i++) histogram[rank[item[i] >> 3]]++;
    if (count === 0 || histogram[rank[item[0] >> 3]] === count) return;
    let sum = 0;
    for (let k = 31; k >= 0; k--) {
      const many = histogram[k];
      histogram[k] = sum;
      sum += many;
    }
    const { upper, lower, spareUpper, spareLower, spareItem } = this;
    for (let i = 0; i < count; i++) {
      const to = histogram[rank[item[i] >> 3]]++;
      spareUpper[to] = upper[i];
      spareLower[to] = lower[i];
      spareItem[to] = item[i];
    }
    this.exchange();
  }

  private scatter(key: Int32Array, shift: number, base: number): void {
    const { count, histogram, upper, lower, item, spareUpper, spareLower, spareItem } = this;
    for (let i = 0; i < count; i++) {
      const to = histogram[base + ((key[i] >> shift) & 1023)]++;
      spareUpper[to] = upper[i];
      spareLower[to] = lower[i];
      spareItem[to] = item[i];
    }
    this.exchange();
  }

  private exchange(): void {
    const { upper, lower, item } = this;
    this.upper = this.spareUpper;
    this.lower = this.spareLower;
    this.item = this.spareItem;
    this.spareUpper = upper;
    this.spareLower = lower;
    this.spareItem = item;
  }
}

function longer(array: Int32Array, length: number): Int32Array {
  const result = new Int32Array(length);
  result.set(array);
  return result;
}
