/**
 * A set of unordered pairs of small whole numbers, hashed: open addressing with linear probing, at most half full, so
 * that a question takes one or two looks (Knuth, The Art of Computer Programming, vol. 3, §6.4).
 */
export class PairSet {
  size = 0;
  // 2 per place: the smaller and the larger number, both plus OFFSET; 0: the place is free
  private table = new Int32Array(32);

  /** Numbers from −1 (the ground) up. */
  has(i: number, j: number): boolean {
    return this.size > 0 && this.table[2 * this.find(i, j)] !== 0;
  }

  /** False if the pair was there already. */
  add(i: number, j: number): boolean {
    let place = this.find(i, j);
    if (this.table[2 * place] !== 0) return false;
    if (4 * (this.size + 1) > this.table.length) {
      this.grow();
      place = this.find(i, j);
    }
    this.table[2 * place] = Math.min(i, j) + OFFSET;
    this.table[2 * place + 1] = Math.max(i, j) + OFFSET;
    this.size++;
    return true;
  }

  /** Where the pair is, or the free place where it would go. */
  private find(i: number, j: number): number {
    const { table } = this;
    const first = Math.min(i, j) + OFFSET;
    const second = Math.max(i, j) + OFFSET;
    const mask = table.length / 2 - 1;
    let place = hash(first, second) & mask;
    while (table[2 * place] !== 0 && (table[2 * place] !== first || table[2 * place + 1] !== second))
      place = (place + 1) & mask;
    return place;
  }

  private grow(): void {
    const old = this.table;
    this.table = new Int32Array(2 * old.length);
    for (let p = 0; p < old.length; p += 2) {
      if (old[p] === 0) continue;
      const place = this.find(old[p] - OFFSET, old[p + 1] - OFFSET);
      this.table[2 * place] = old[p];
      this.table[2 * place + 1] = old[p + 1];
    }
  }
}

const OFFSET = 2;

/** Mixes two whole numbers into 32 bits: two odd multipliers, then shifts that carry high bits down. */
function hash(first: number, second: number): number {
  let h = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
