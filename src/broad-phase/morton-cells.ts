/**
 * Candidate pairs by Morton codes (Elmqvist et al. 2015, §5.2.2, after Lavrov 2014):
 *
 *   1. Every box occupies one to eight cells of an octree, of the smallest level whose cells are long enough that the
 *      box reaches into at most two along each axis. A cell is an interval of codes.
 *   2. The intervals are sorted by their first codes.
 *   3. Cubes of an octree contain each other or are apart. Going through the intervals in order, one keeps those that
 *      have begun and not yet ended: they contain the present one, and only boxes that share a cell are compared.
 *   4. Two boxes may share several cells. Instead of sorting all finds and dropping repeats, the pair is taken in one of
 *      them only: where the lower corner of what the boxes have in common lies. That corner is in exactly one cell of
 *      either box, and these two contain each other.
 *
 * The grid is a torus: coordinates of cells count modulo 2^20. Cells whose coordinates differ by a multiple of 2^20
 * are then taken for one, which costs comparisons but loses nothing, so a body that flies far away does not make
 * the cells of the others larger. Boxes as long as half the torus, and unbounded ones, occupy the one cell that is
 * everything.
 */
import type { AllowedPairs } from './allowed-pairs.js';
import { longestEdge, SizeSample } from './boxes.js';
import type { PairList } from './candidate-pairs.js';
import { CodeList, LAST_CELL, LEVELS, spreadBits, WORD } from './morton-code.js';

const TORUS = LAST_CELL + 1;
/** Boxes whose cell is everything have this level. */
const EVERYTHING = LEVELS;
/** Length of a cell over that of a common box: longer cells are fewer to sort, but more boxes share one. */
const CELL_PER_BOX = 1.5;

export class MortonCells {
  private readonly codes: CodeList;
  // 3 per shape: cell of level 0 of its lower corner, on the torus
  private readonly corner: Int32Array;
  // one per shape: level of its cells
  private readonly level: Uint8Array;
  private readonly sizes = new SizeSample();
  // edge of a cell of level 0, m, and the grid's first cell along x, y, z
  private edge = 1;
  private readonly first = new Float64Array(3);
  // stack of open cells: shape × 8 + which of its cells, box, last code
  private openItem = new Int32Array(64);
  private openBoxes = new Float64Array(6 * 64);
  private lastUpper = new Int32Array(64);
  private lastLower = new Int32Array(64);

  constructor(readonly shapes: number) {
    this.codes = new CodeList(4 * shapes + 8);
    this.corner = new Int32Array(3 * shapes);
    this.level = new Uint8Array(shapes);
  }

  /** Writes all allowed pairs whose boxes meet, not sorted. */
  find(boxes: Float64Array, allowed: AllowedPairs, pairs: PairList): void {
    pairs.clear();
    this.chooseGrid(boxes);
    this.codes.count = 0;
    for (let i = 0; i < this.shapes; i++) this.occupy(boxes, i);
    this.codes.sort(this.level);
    this.sweep(boxes, allowed, pairs);
  }

  /**
   * Cells of some level are half as long again as the common boxes, and cells of level 0 at most twice as long as the
   * smallest box. But level 0 is not shorter than 2^-14 of the common box, lest many boxes fill the torus for the sake of a
   * few tiny ones, nor than 2^-50 of the largest coordinate, below which coordinates tell nothing apart. Where most
   * boxes are points, the torus is made to fit the scene.
   */
  private chooseGrid(boxes: Float64Array): void {
    const { first } = this;
    let smallest = Infinity;
    let largest = 0;
    let extent = 0;
    for (let i = 0; i < boxes.length; i += 6) {
      const size = longestEdge(boxes, i);
      if (size < smallest) smallest = size;
    }
    for (let k = 0; k < 3; k++) {
      let min = Infinity;
      let max = -Infinity;
      for (let i = k; i < boxes.length; i += 6) {
        const low = boxes[i];
        const high = boxes[i + 3];
        if (low > -Infinity && low < min) min = low;
        if (high < Infinity && high > max) max = high;
      }
      first[k] = min;
      extent = Math.max(extent, max - min);
      largest = Math.max(largest, Math.abs(min), Math.abs(max));
    }
    // nothing bounded along some axis, or beyond the largest number: any grid will do, for correctness depends on none
    if (!(smallest < Infinity && largest < Infinity && extent < Infinity)) {
      first.fill(0);
      smallest = largest = extent = 1;
    }
    this.sizes.take(boxes);
    const { common } = this.sizes;
    const least = smallest > 0 || common > 0 ? smallest : extent / TORUS;
    const shortest = Math.max(least, common / 16384, largest / 1125899906842624);
    let edge = Math.min(CELL_PER_BOX * common, 1e300);
    while (edge > 2 * shortest) edge *= 0.5;
    this.edge = Math.max(edge, shortest) > 1e-300 ? Math.max(edge, shortest) : 1;
    for (let k = 0; k < 3; k++) first[k] = Math.floor(first[k] / this.edge);
  }

  /** Adds the cells of a shape to the list. */
  private occupy(boxes: Float64Array, shape: number): void {
    const { codes, corner, level, first, edge } = this;
    const at = 6 * shape;
    codes.reserve(8);

    // Cells of the lower and upper corner, counted from the first; division and floor keep the order of coordinates
    const x = Math.floor(boxes[at] / edge) - first[0];
    const y = Math.floor(boxes[at + 1] / edge) - first[1];
    const z = Math.floor(boxes[at + 2] / edge) - first[2];
    const X = Math.floor(boxes[at + 3] / edge) - first[0];
    const Y = Math.floor(boxes[at + 4] / edge) - first[1];
    const Z = Math.floor(boxes[at + 5] / edge) - first[2];
    const cx = onTorus(x);
    const cy = onTorus(y);
    const cz = onTorus(z);
    corner[3 * shape] = cx;
    corner[3 * shape + 1] = cy;
    corner[3 * shape + 2] = cz;
    const span = Math.max(X - x, Y - y, Z - z);
    if (!(span < TORUS / 2)) {
      level[shape] = EVERYTHING;
      this.add(0, 0, shape << 3);
      return;
    }

    // The smallest level at which the box reaches into at most two cells along each axis
    let l = span < 2 ? 0 : 31 - Math.clz32(span);
    l = l > 0 ? l - 1 : 0;
    let dx = 0;
    let dy = 0;
    let dz = 0;
    for (; ; l++) {
      const mask = LAST_CELL >> l;
      dx = ((onTorus(X) >> l) - (cx >> l)) & mask;
      dy = ((onTorus(Y) >> l) - (cy >> l)) & mask;
      dz = ((onTorus(Z) >> l) - (cz >> l)) & mask;
      if (dx <= 1 && dy <= 1 && dz <= 1) break;
    }
    level[shape] = l;

    // One cell for each corner of the range, with the corner's number beside the shape's
    for (let c = 0; c < 8; c++) {
      const ox = c & 1;
      const oy = (c >> 1) & 1;
      const oz = c >> 2;
      if (ox > dx || oy > dy || oz > dz) continue;
      const ix = (cx + (ox << l)) & LAST_CELL & (-1 << l);
      const iy = (cy + (oy << l)) & LAST_CELL & (-1 << l);
      const iz = (cz + (oz << l)) & LAST_CELL & (-1 << l);
      const lower = spreadBits(ix) | (spreadBits(iy) << 1) | (spreadBits(iz) << 2);
      const upper = spreadBits(ix >> 10) | (spreadBits(iy >> 10) << 1) | (spreadBits(iz >> 10) << 2);
      this.add(upper, lower, (shape << 3) | c);
    }
  }

  private add(upper: number, lower: number, item: number): void {
    const { codes } = this;
    const place = codes.count++;
    codes.upper[place] = upper;
    codes.lower[place] = lower;
    codes.item[place] = item;
  }

  /**
   * Goes through the cells in order with a stack of those that contain the present one, outermost first. Their boxes
   * lie side by side on the stack, so comparing them needs no search in memory.
   */
  private sweep(boxes: Float64Array, allowed: AllowedPairs, pairs: PairList): void {
    const { level } = this;
    const { upper, lower, item, count } = this.codes;
    let open = 0;
    for (let i = 0; i < count; i++) {
      // Cells that end before this one begins are left
      while (
        open > 0 &&
        (this.lastUpper[open - 1] < upper[i] ||
          (this.lastUpper[open - 1] === upper[i] && this.lastLower[open - 1] < lower[i]))
      )
        open--;
      if (open === this.openItem.length) this.growStack();

      const own = item[i];
      const shape = own >> 3;
      const l = level[shape];
      const { openBoxes, openItem } = this;
      const minX = boxes[6 * shape];
      const minY = boxes[6 * shape + 1];
      const minZ = boxes[6 * shape + 2];
      const maxX = boxes[6 * shape + 3];
      const maxY = boxes[6 * shape + 4];
      const maxZ = boxes[6 * shape + 5];
      for (let s = 0, at = 0; s < open; s++, at += 6) {
        const same = level[openItem[s] >> 3] === l;
        if (same && (openItem[s] & own & 7) !== 0) continue;
        if (openBoxes[at] > maxX || openBoxes[at + 3] < minX) continue;
        if (openBoxes[at + 1] > maxY || openBoxes[at + 4] < minY) continue;
        if (openBoxes[at + 2] > maxZ || openBoxes[at + 5] < minZ) continue;
        const other = openItem[s] >> 3;
        const first = same || this.isTheCell(boxes, own, other);
        if (first && allowed.allows(shape, other)) pairs.push(shape, other);
      }

      // Last code of this cell: 8^level − 1 above its first, all low bits set
      const bits = 3 * l;
      openItem[open] = own;
      openBoxes[6 * open] = minX;
      openBoxes[6 * open + 1] = minY;
      openBoxes[6 * open + 2] = minZ;
      openBoxes[6 * open + 3] = maxX;
      openBoxes[6 * open + 4] = maxY;
      openBoxes[6 * open + 5] = maxZ;
      this.lastLower[open] = bits >= 30 ? WORD : lower[i] | ((1 << bits) - 1);
      this.lastUpper[open] = bits >= 60 ? WORD : bits > 30 ? upper[i] | ((1 << (bits - 30)) - 1) : upper[i];
      open++;
    }
  }

  private growStack(): void {
    const length = 2 * this.openItem.length;
    const { openItem, openBoxes, lastUpper, lastLower } = this;
    this.openItem = new Int32Array(length);
    this.openBoxes = new Float64Array(6 * length);
    this.lastUpper = new Int32Array(length);
    this.lastLower = new Int32Array(length);
    this.openItem.set(openItem);
    this.openBoxes.set(openBoxes);
    this.lastUpper.set(lastUpper);
    this.lastLower.set(lastLower);
  }

  /** Whether this cell of the finer box contains the lower corner of what the two boxes have in common. */
  private isTheCell(boxes: Float64Array, finerItem: number, other: number): boolean {
    const finer = finerItem >> 3;
    const l = this.level[finer];
    if (l === EVERYTHING) return true;
    const mask = LAST_CELL >> l;
    for (let k = 0; k < 3; k++) {
      const own = this.corner[3 * finer + k];
      // the corner's coordinate is the greater of the two least ones; cells are in the same order
      const common = boxes[6 * other + k] > boxes[6 * finer + k] ? this.corner[3 * other + k] : own;
      if ((((common >> l) - (own >> l)) & mask) !== ((finerItem >> k) & 1)) return false;
    }
    return true;
  }
}

/** Remainder of a whole number of any size modulo the torus; 0 for ±Infinity. */
function onTorus(cell: number): number {
  return (cell - TORUS * Math.floor(cell / TORUS)) | 0;
}
