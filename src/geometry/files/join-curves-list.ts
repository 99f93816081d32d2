/** Many plane curves in one array: chains of lines and arcs between points, each open or closed. */
import { GrowingFloat64, GrowingUint32 } from './growing.js';

/** Curve i has the points starts[i] to starts[i + 1] − 1. */
export interface CurveSet {
  /** 2 per point */
  readonly points: Float64Array;
  /** 1 per point: the bulge tan(sweep/4) of the arc from it to the next, 0 for a line */
  readonly bulges: Float64Array;
  /** one more than curves */
  readonly starts: Uint32Array;
  /** 1 for a curve that goes on from its last point to its first, which is not repeated */
  readonly closed: Uint8Array;
  /** where a curve comes from; its meaning is the caller's */
  readonly sources: Int32Array;
}

/** Collects curves point by point. */
export class CurveList {
  readonly #points = new GrowingFloat64();
  readonly #bulges = new GrowingFloat64();
  readonly #starts = new GrowingUint32();
  /** 2 × source, + 1 if closed */
  readonly #kinds = new GrowingUint32();
  /** Lowest and highest z of each curve, by turns. */
  readonly #heights = new GrowingFloat64();
  #lowest = Infinity;
  #highest = -Infinity;

  point(x: number, y: number, z: number, bulge = 0): void {
    this.#points.push(x);
    this.#points.push(y);
    this.#bulges.push(bulge);
    if (z < this.#lowest) this.#lowest = z;
    if (z > this.#highest) this.#highest = z;
  }

  /** Ends a curve; `source` is a whole number from 0 to 2³¹ − 1. */
  finish(closed: boolean, source: number): void {
    if (this.#starts.length === 0) this.#starts.push(0);
    this.#starts.push(this.#points.length / 2);
    this.#kinds.push(2 * source + (closed ? 1 : 0));
    this.#heights.push(this.#lowest);
    this.#heights.push(this.#highest);
    this.#lowest = Infinity;
    this.#highest = -Infinity;
  }

  /** Box around all points: lowest x, y and highest x, y; infinite and the wrong way round without points. */
  bounds(): [number, number, number, number] {
    const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    const { values, length } = this.#points;
    for (let i = 0; i < length; i += 2) {
      const x = values[i];
      const y = values[i + 1];
      if (x < box[0]) box[0] = x;
      if (y < box[1]) box[1] = y;
      if (x > box[2]) box[2] = x;
      if (y > box[3]) box[3] = y;
    }
    return box;
  }

  /**
   * The curves whose z varies by at most `tolerance`, how many others there are, and between which heights the
   * curves lie. The list is used up: its points may be moved together.
   */
  level(tolerance: number): { curves: CurveSet; slanting: number; low: number; high: number } {
    const count = this.#kinds.length;
    const points = this.#points.values;
    const bulges = this.#bulges.values;
    const from = this.#starts.values;
    const starts = new Uint32Array(count + 1);
    const closed = new Uint8Array(count);
    const sources = new Int32Array(count);
    let kept = 0;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      const bottom = this.#heights.values[2 * i];
      const top = this.#heights.values[2 * i + 1];
      if (!(top - bottom <= tolerance)) continue;
      if (kept < i) {
        points.copyWithin(2 * starts[kept], 2 * from[i], 2 * from[i + 1]);
        bulges.copyWithin(starts[kept], from[i], from[i + 1]);
      }
      starts[kept + 1] = starts[kept] + (from[i + 1] - from[i]);
      closed[kept] = this.#kinds.values[i] & 1;
      sources[kept] = this.#kinds.values[i] >>> 1;
      low = Math.min(low, bottom);
      high = Math.max(high, top);
      kept++;
    }
    return {
      curves: {
        points: points.subarray(0, 2 * starts[kept]),
        bulges: bulges.subarray(0, starts[kept]),
        starts: starts.subarray(0, kept + 1),
        closed: closed.subarray(0, kept),
        sources: sources.subarray(0, kept),
      },
      slanting: count - kept,
      low,
      high,
    };
  }
}
