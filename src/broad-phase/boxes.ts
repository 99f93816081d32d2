/**
 * Axis-aligned boxes, 6 numbers each in m: least x, y, z, greatest x, y, z. They are closed: boxes that touch in a face,
 * an edge or a point meet. A box may be without extent (a point), and unbounded on any side (±Infinity: a half space).
 */
import { ModelError } from '../errors.js';

/** Whether the box at i of `p` and the box at j of `q` have a point in common; i and j are places of first numbers. */
export function boxesMeet(p: Float64Array, i: number, q: Float64Array, j: number): boolean {
  return (
    p[i] <= q[j + 3] &&
    q[j] <= p[i + 3] &&
    p[i + 1] <= q[j + 4] &&
    q[j + 1] <= p[i + 4] &&
    p[i + 2] <= q[j + 5] &&
    q[j + 2] <= p[i + 5]
  );
}

/** Whether the box at i of `inner` lies in the box at j of `outer`. */
export function boxLiesIn(inner: Float64Array, i: number, outer: Float64Array, j: number): boolean {
  return (
    inner[i] >= outer[j] &&
    inner[i + 1] >= outer[j + 1] &&
    inner[i + 2] >= outer[j + 2] &&
    inner[i + 3] <= outer[j + 3] &&
    inner[i + 4] <= outer[j + 4] &&
    inner[i + 5] <= outer[j + 5]
  );
}

/** Longest edge of the box at i, m; Infinity if it is unbounded. */
export function longestEdge(boxes: Float64Array, i: number): number {
  const x = boxes[i + 3] - boxes[i];
  const y = boxes[i + 4] - boxes[i + 1];
  const z = boxes[i + 5] - boxes[i + 2];
  const xy = Math.max(x, y);
  return Math.max(xy, z);
}

/** Copies boxes, each enlarged by its margin on every side. @throws ModelError on a box that is none */
export function enlargeBoxes(boxes: Float64Array, margin: Float64Array, into: Float64Array): void {
  for (let i = 0, b = 0; b < boxes.length; i++, b += 6) {
    const m = margin[i];
    for (let k = b; k < b + 3; k++) {
      const min = boxes[k];
      const max = boxes[k + 3];
      // written this way round, NaN is refused too
      if (!(min <= max && min < Infinity && max > -Infinity)) refuse(boxes, i);
      into[k] = min - m;
      into[k + 3] = max + m;
    }
  }
}

function refuse(boxes: Float64Array, shape: number): never {
  const [x, y, z, X, Y, Z] = boxes.subarray(6 * shape, 6 * shape + 6);
  throw new ModelError(
    `broadPhase.boxes[${shape}]`,
    `expected least ≤ greatest coordinates in m, got (${x}, ${y}, ${z}) to (${X}, ${Y}, ${Z}); NaN often comes from a pose that is not a number`,
  );
}

const SAMPLE = 255;

/** How long the boxes of a scene are, from the longest edges of up to 255 bounded ones, evenly chosen. */
export class SizeSample {
  /** Half of the boxes are at most this long, m; 0 if none is bounded. */
  median = 0;
  /** Nine in ten of the boxes are at most this long, m; 0 if none is bounded. */
  common = 0;
  private readonly sample = new Float64Array(SAMPLE);

  take(boxes: Float64Array): void {
    const { sample } = this;
    const count = boxes.length / 6;
    const stride = Math.ceil(count / SAMPLE) || 1;
    let finite = 0;
    for (let i = 0; i < count; i += stride) {
      const edge = longestEdge(boxes, 6 * i);
      if (edge < Infinity) sample[finite++] = edge;
    }
    sample.fill(Infinity, finite).sort();
    this.median = finite > 0 ? sample[finite >> 1] : 0;
    this.common = finite > 0 ? sample[Math.floor(0.9 * finite)] : 0;
  }
}
