/** Where grains were when they were last looked at, by number, and the way they have come since: what goes through a plane or a thin outlet between two looks is seen. */
import type { Bed } from '../grains/bed.js';
import { wayBetween } from '../grains/neighbourhood.js';
import type { Tape } from '../math/tape.js';

export class GrainTrails {
  /** 3 per number, m; no number where a grain was not looked at yet */
  private marks = new Float64Array(3 * 1024).fill(Number.NaN);
  private readonly bed: Bed;

  constructor(bed: Bed) {
    this.bed = bed;
  }

  /** The way of the grain at a place since it was marked, m; over a period the shorter one. False if it was not. */
  wayOf(place: number, x: Float64Array, out: Float64Array): boolean {
    const at = 3 * this.bed.ids[place];
    if (!(at < this.marks.length) || Number.isNaN(this.marks[at])) return false;
    for (let k = 0; k < 3; k++) out[k] = wayBetween(x[4 * place + k], this.marks[at + k], k, this.bed.period);
    return true;
  }

  /** All grains are seen where they are. */
  mark(): void {
    const { bed } = this;
    const { ids, grains: x, count } = bed;
    let most = -1;
    for (let i = 0; i < count; i++) most = Math.max(most, ids[i]);
    if (3 * (most + 1) > this.marks.length) {
      const more = new Float64Array(Math.max(2 * this.marks.length, 3 * (most + 1))).fill(Number.NaN);
      more.set(this.marks);
      this.marks = more;
    }
    for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) this.marks[3 * ids[i] + k] = x[4 * i + k];
  }

  remember(tape: Tape): void {
    this.marks = tape.numbers(this.marks) as Float64Array<ArrayBuffer>;
  }
}
