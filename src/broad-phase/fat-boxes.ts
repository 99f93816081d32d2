/**
 * Boxes with a skin: as long as every shape stays within its fat box, the pairs of fat boxes that meet contain all pairs
 * of boxes that meet, and need not be searched again (Verlet 1967, doi 10.1103/PhysRev.159.98, for neighbour lists).
 *
 *   skin = fraction · min(longest edge of the box, median of all longest edges)
 *
 * so that neither a large plate gathers everything near it nor a grain everything in reach of a plate's skin.
 */
import { boxLiesIn, longestEdge, SizeSample } from './boxes.js';

export class FatBoxes {
  /** 6 per shape, m */
  readonly boxes: Float64Array;
  /** Shapes that had left their fat boxes at the last `collectLeavers`, in ascending order; `leaverCount` of them. */
  readonly leavers: Int32Array;
  leaverCount = 0;
  private readonly sizes = new SizeSample();

  constructor(
    readonly shapes: number,
    readonly fraction: number,
  ) {
    this.boxes = new Float64Array(6 * shapes);
    this.leavers = new Int32Array(shapes);
  }

  /** Lays a new skin around every shape. */
  fattenAll(boxes: Float64Array): void {
    this.sizes.take(boxes);
    for (let i = 0; i < this.shapes; i++) this.fatten(boxes, i);
  }

  /** Lays a new skin around one shape. */
  fatten(boxes: Float64Array, shape: number): void {
    const at = 6 * shape;
    const edge = longestEdge(boxes, at);
    const skin = this.fraction * Math.min(edge, this.sizes.median);
    for (let k = at; k < at + 3; k++) {
      this.boxes[k] = boxes[k] - skin;
      this.boxes[k + 3] = boxes[k + 3] + skin;
    }
  }

  /** Notes who has left; returns how many. */
  collectLeavers(boxes: Float64Array): number {
    let count = 0;
    for (let i = 0; i < this.shapes; i++) if (!boxLiesIn(boxes, 6 * i, this.boxes, 6 * i)) this.leavers[count++] = i;
    this.leaverCount = count;
    return count;
  }

  /** Some shape has left its box. */
  anyLeft(boxes: Float64Array): boolean {
    for (let i = 0; i < this.shapes; i++) if (!boxLiesIn(boxes, 6 * i, this.boxes, 6 * i)) return true;
    return false;
  }
}
