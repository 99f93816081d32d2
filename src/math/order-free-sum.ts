/**
 * A sum that does not depend on the order of its terms: each is rounded to a multiple of a power of two q that the largest term and the number of terms decide (a largest
 * and a number know no order), and sums of multiples of q below 2⁵³ q are exact.
 *
 *   q ≥ n max|x| 2⁻⁵¹,   (x + 1.5·2⁵² q) − 1.5·2⁵² q  rounds x to a multiple of q
 *
 * Each term is off by q/2 at most: 1e-16 of n times the largest.
 */
export class OrderFreeSum {
  private terms = new Float64Array(64);
  private count = 0;
  private largest = 0;

  add(x: number): void {
    if (this.count === this.terms.length) {
      const more = new Float64Array(2 * this.count);
      more.set(this.terms);
      this.terms = more;
    }
    this.terms[this.count++] = x;
    const size = Math.abs(x);
    if (!(size <= this.largest)) this.largest = size;
  }

  /** The sum of what was added; the next one starts at 0. */
  take(): number {
    const { terms, count, largest } = this;
    this.count = 0;
    this.largest = 0;
    if (largest === 0) return 0;
    if (!(largest < 1e280)) return Number.NaN;
    let scale = 1;
    while (scale < count * largest) scale *= 2;
    while (scale / 2 >= count * largest && scale > 1e-290) scale /= 2;
    const round = 3 * scale; // 1.5 · 2⁵² q with q = 2⁻⁵¹ scale
    let sum = 0;
    for (let k = 0; k < count; k++) sum += terms[k] + round - round;
    return sum;
  }
}
