/** Where the sides of a part are as it is drawn: boxes around groups of them, and a map that tells at once which places are near to none. */
import type { ContactSurface } from './contact-surface.js';
import { GROUP } from './side-search.js';

/** Points of the sides of a group */
export const POINTS = 3 * GROUP;

/** Around all points of a surface, and a bit: left, low, right, high */
export function boxOf({ places, longestSide }: ContactSurface, from = 0, to = places.length / 2): Float64Array {
  const box = Float64Array.from([Infinity, Infinity, -Infinity, -Infinity]);
  for (let i = from; i < to; i++)
    for (let j = 0; j < 2; j++) {
      box[j] = Math.min(box[j], places[2 * i + j] - 0.5 * longestSide);
      box[2 + j] = Math.max(box[2 + j], places[2 * i + j] + 0.5 * longestSide);
    }
  return box;
}

/** One box per group of sides */
export function groupBoxesOf(surface: ContactSurface): Float64Array {
  const boxes: number[] = [];
  for (let i = 0; i < surface.firstCorner; i += POINTS)
    boxes.push(...boxOf(surface, i, Math.min(i + POINTS, surface.firstCorner)));
  return Float64Array.from(boxes);
}

/** Cells of a grid that some box comes near to within a margin */
export class NearMap {
  private readonly cells = new Uint8Array(NEAR_CELLS * NEAR_CELLS);
  private readonly low: [number, number] = [Infinity, Infinity];
  private readonly cell: number;

  constructor(
    boxes: Float64Array,
    readonly margin: number,
  ) {
    const high = [-Infinity, -Infinity];
    for (let at = 0; at < boxes.length; at += 4)
      for (let j = 0; j < 2; j++) {
        this.low[j] = Math.min(this.low[j], boxes[at + j] - margin);
        high[j] = Math.max(high[j], boxes[at + 2 + j] + margin);
      }
    this.cell = Math.max(high[0] - this.low[0], high[1] - this.low[1]) / (NEAR_CELLS - 1e-6);
    const place = (x: number, axis: number): number => Math.floor((x - this.low[axis]) / this.cell);
    for (let at = 0; at < boxes.length; at += 4)
      for (let r = place(boxes[at + 1] - margin, 1); r <= place(boxes[at + 3] + margin, 1); r++)
        for (let c = place(boxes[at] - margin, 0); c <= place(boxes[at + 2] + margin, 0); c++)
          this.cells[r * NEAR_CELLS + c] = 1;
  }

  has(x: number, y: number): boolean {
    const column = Math.floor((x - this.low[0]) / this.cell);
    const row = Math.floor((y - this.low[1]) / this.cell);
    if (!(column >= 0 && column < NEAR_CELLS && row >= 0 && row < NEAR_CELLS)) return false;
    return this.cells[row * NEAR_CELLS + column] !== 0;
  }
}

const NEAR_CELLS = 64;
