/** Triangles that wait to be made better, the worst first: a binary heap. A triangle may have become another one while it waited, so each is kept with the stamp that it had. */
import { grown, grownInt } from './grown.js';

export class WorstFirst {
  /** Of the last one that was taken */
  triangle = -1;
  stamp = 0;
  private heapKey: Float64Array = new Float64Array(1024);
  private heapTriangle: Int32Array = new Int32Array(1024);
  private heapStamp: Int32Array = new Int32Array(1024);
  private heapSize = 0;

  /** @param key how bad it is */
  push(key: number, t: number, stamp: number): void {
    if (this.heapSize === this.heapKey.length) {
      this.heapKey = grown(this.heapKey, 2 * this.heapSize);
      this.heapTriangle = grownInt(this.heapTriangle, 2 * this.heapSize);
      this.heapStamp = grownInt(this.heapStamp, 2 * this.heapSize);
    }
    const { heapKey, heapTriangle, heapStamp } = this;
    let i = this.heapSize++;
    while (i > 0) {
      const up = (i - 1) >> 1;
      if (heapKey[up] >= key) break;
      heapKey[i] = heapKey[up];
      heapTriangle[i] = heapTriangle[up];
      heapStamp[i] = heapStamp[up];
      i = up;
    }
    heapKey[i] = key;
    heapTriangle[i] = t;
    heapStamp[i] = stamp;
  }

  /** Takes the worst one, into `triangle` and `stamp`; false if there is none. */
  pop(): boolean {
    const { heapKey, heapTriangle, heapStamp } = this;
    if (this.heapSize === 0) return false;
    this.triangle = heapTriangle[0];
    this.stamp = heapStamp[0];
    const last = --this.heapSize;
    const key = heapKey[last];
    const triangle = heapTriangle[last];
    const marked = heapStamp[last];
    let i = 0;
    for (;;) {
      let down = 2 * i + 1;
      if (down >= last) break;
      if (down + 1 < last && heapKey[down + 1] > heapKey[down]) down++;
      if (heapKey[down] <= key) break;
      heapKey[i] = heapKey[down];
      heapTriangle[i] = heapTriangle[down];
      heapStamp[i] = heapStamp[down];
      i = down;
    }
    heapKey[i] = key;
    heapTriangle[i] = triangle;
    heapStamp[i] = marked;
    return true;
  }
}
