/** The stretch of time that all plots show. */

export class TimeWindow {
  #first = 0;
  #last = 1;
  #from = 0;
  #to = 1;

  constructor(times: Float64Array) {
    this.extend(times);
  }

  /** The recording is longer now: who saw all of it still does. */
  extend(times: Float64Array): void {
    const wasWhole = this.isWhole;
    this.#first = times[0] ?? 0;
    this.#last = times[times.length - 1] ?? 0;
    // one instant alone still needs an axis
    if (!(this.#last > this.#first)) this.#last = this.#first + 1;
    if (wasWhole) this.reset();
  }

  get from(): number {
    return this.#from;
  }

  get to(): number {
    return this.#to;
  }

  get isWhole(): boolean {
    return this.#from === this.#first && this.#to === this.#last;
  }

  reset(): void {
    this.#from = this.#first;
    this.#to = this.#last;
  }

  /** Never beyond the recording; never so short that doubles run out. */
  set(from: number, to: number): void {
    const least = 1e-12 * Math.max(Math.abs(this.#first), Math.abs(this.#last)) + 1e-9 * (this.#last - this.#first);
    if (!(to - from >= least)) return;
    this.#from = Math.max(this.#first, from);
    this.#to = Math.min(this.#last, to);
    if (!(this.#to > this.#from)) this.reset();
  }

  /** Shorter by a factor > 1, longer by one < 1; the time in the middle stays where it is. */
  zoom(factor: number, middle: number): void {
    const part = (middle - this.#from) / (this.#to - this.#from);
    const length = (this.#to - this.#from) / factor;
    this.set(middle - part * length, middle + (1 - part) * length);
  }

  /** What lay at two places now lies at two others, places from 0 to 1. */
  stretch(was: readonly [number, number], is: readonly [number, number]): void {
    const [a, b] = was.map((place) => this.#from + place * (this.#to - this.#from));
    if (Math.abs(is[1] - is[0]) < 1e-3 || a === b) return;
    const length = (b - a) / (is[1] - is[0]);
    const from = a - is[0] * length;
    this.set(Math.min(from, from + length), Math.max(from, from + length));
  }
}
