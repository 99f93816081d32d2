/**
 * A sum of numbers and products, as if carried out in twice the digits of a double and rounded once: each rounding error is found exactly and summed
 * up beside the sum. For differences of what is nearly equal and large.
 *
 * T. Ogita, S. M. Rump, S. Oishi: Accurate sum and dot product. SIAM J. Sci. Comput. 26 (2005), Sum2 and Dot2; the product's error by Dekker's
 * splitting into halves of 26 bits (1971).
 */
export class CompensatedSum {
  private sum = 0;
  private error = 0;

  begin(): void {
    this.sum = this.error = 0;
  }

  add(x: number): void {
    const s = this.sum + x;
    const part = s - this.sum;
    this.error += this.sum - (s - part) + (x - part);
    this.sum = s;
  }

  addProduct(a: number, b: number): void {
    const p = a * b;
    const splitA = SPLITTER * a;
    const splitB = SPLITTER * b;
    const highA = splitA - (splitA - a);
    const highB = splitB - (splitB - b);
    const lowA = a - highA;
    const lowB = b - highB;
    this.error += lowA * lowB - (p - highA * highB - lowA * highB - highA * lowB);
    this.add(p);
  }

  get value(): number {
    return this.sum + this.error;
  }

  /** What `value` leaves out by rounding */
  get remainder(): number {
    const s = this.sum + this.error;
    const part = s - this.sum;
    return this.sum - (s - part) + (this.error - part);
  }
}

/** 2²⁷ + 1 */
const SPLITTER = 134217729;
