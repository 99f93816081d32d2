/** Pairs of shapes whose boxes meet: what this stage hands on to the narrow phase. */

/**
 * Shapes a[i] < b[i] for i < count, sorted by a, then by b, each pair once. The arrays may be longer than `count`, and
 * they are written again by the next update: whoever wants to keep pairs copies them.
 */
export interface CandidatePairs {
  readonly count: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/** Pairs in arrays that grow: twice as long when full, so that a pair costs O(1) and a settled scene allocates nothing. */
export class PairList implements CandidatePairs {
  count = 0;
  a: Int32Array;
  b: Int32Array;
  private spareA: Int32Array;
  private spareB: Int32Array;
  private place = new Int32Array(0);

  constructor(capacity = 64) {
    this.a = new Int32Array(capacity);
    this.b = new Int32Array(capacity);
    this.spareA = new Int32Array(0);
    this.spareB = new Int32Array(0);
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds shapes i ≠ j, given in any order. */
  push(i: number, j: number): void {
    const { count } = this;
    if (count === this.a.length) this.grow();
    this.a[count] = Math.min(i, j);
    this.b[count] = Math.max(i, j);
    this.count = count + 1;
  }

  /**
   * Sorts by (a, b) with two counting sorts, by b and then by a, the second being stable: O(pairs + shapes).
   * Pairs that are there twice stay there twice.
   */
  sort(shapes: number): void {
    const { count } = this;
    if (this.isSorted()) return;
    if (this.spareA.length < count) {
      this.spareA = new Int32Array(this.a.length);
      this.spareB = new Int32Array(this.a.length);
    }
    if (this.place.length < shapes) this.place = new Int32Array(shapes);
    countingSort(this.b, this.a, this.b, this.spareA, this.spareB, count, this.place, shapes);
    countingSort(this.spareA, this.spareA, this.spareB, this.a, this.b, count, this.place, shapes);
  }

  private isSorted(): boolean {
    const { a, b, count } = this;
    for (let i = 1; i < count; i++) if (a[i] < a[i - 1] || (a[i] === a[i - 1] && b[i] < b[i - 1])) return false;
    return true;
  }

  private grow(): void {
    const length = 2 * this.a.length + 16;
    const a = new Int32Array(length);
    const b = new Int32Array(length);
    a.set(this.a);
    b.set(this.b);
    this.a = a;
    this.b = b;
  }
}

/** Copies (fromA, fromB) to (toA, toB) in ascending order of `keys`, equal keys in the order they had. */
function countingSort(
  keys: Int32Array,
  fromA: Int32Array,
  fromB: Int32Array,
  toA: Int32Array,
  toB: Int32Array,
  count: number,
  place: Int32Array,
  range: number,
): void {
  place.fill(0, 0, range);
  for (let i = 0; i < count; i++) place[keys[i]]++;
  let sum = 0;
  for (let k = 0; k < range; k++) {
    const many = place[k];
    place[k] = sum;
    sum += many;
  }
  for (let i = 0; i < count; i++) {
    const to = place[keys[i]]++;
    toA[to] = fromA[i];
    toB[to] = fromB[i];
  }
}
