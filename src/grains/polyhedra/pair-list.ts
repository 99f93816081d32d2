/**
 * Which pieces may touch: pairs whose bounding spheres come within a skin of each other, from a grid of cells; and pieces of walls and
 * tools, for which a sphere would be too large, by their planes. Histories go with their pairs.
 *
 * What the list contains besides the pairs that touch changes no answer; it costs time only.
 */
import { FEATURE, HALF_SPACE, SPHERE } from '../../kernels/polyhedron-overlap.kernel.js';
import { type GrainArrays, PAIR_HISTORY } from './grain-arrays.js';
import { PAIR } from './snapshot.js';

/** Part of the cells from which a piece of a wall counts as near everywhere */
const EVERYWHERE = 0.5;
const REACHED_FROM = new Int32Array(3);
const REACHED_TO = new Int32Array(3);

export class PairList {
  /** One per piece and one more: where the pairs start that it is the first of */
  rows: Int32Array;
  #oldRows: Int32Array;
  #cellStart = new Int32Array(1);
  #cell = 1;
  readonly #low = new Float64Array(3);
  readonly #high = new Float64Array(3);
  readonly #cells = new Int32Array(3);
  readonly #cellOf: Int32Array;
  readonly #sorted: Int32Array;
  #walls: readonly number[] = [];
  /** Pieces of walls that are looked at from each cell, and those from all of them */
  #wallStart = new Int32Array(1);
  #wallsOfCell = new Int32Array(0);
  readonly #everywhere: number[] = [];
  #grains: readonly number[] = [];
  #greatest = 0;

  constructor(private readonly arrays: GrainArrays) {
    const { pieceCount } = arrays;
    this.rows = new Int32Array(pieceCount + 1);
    this.#oldRows = new Int32Array(pieceCount + 1);
    this.#cellOf = new Int32Array(pieceCount);
    this.#sorted = new Int32Array(pieceCount);
    this.regroup();
  }

  /** After bodies have come or left */
  regroup(): void {
    const { pieceCount, pieces, velocities, spheres, absent } = this.arrays;
    const bodyOf = (p: number): number => pieces.view[8 * p];
    const free = (p: number): boolean => velocities.view[8 * bodyOf(p) + 3] > 0;
    const all = Array.from({ length: pieceCount }, (_, p) => p).filter((p) => absent[bodyOf(p)] === 0);
    this.#grains = all.filter(free);
    this.#walls = all.filter((p) => !free(p));
    this.#greatest = this.#grains.reduce((most, p) => Math.max(most, spheres.view[4 * p + 3]), 0);
  }

  /** Makes the list anew; returns the number of pairs. */
  rebuild(skin: number): number {
    const { arrays } = this;
    const pieces = arrays.pieces.view;
    const spheres = arrays.spheres.view;
    const listed = arrays.listed.view;
    const positions = arrays.positions.view;
    for (let p = 0; p < arrays.pieceCount; p++) {
      const b = pieces[8 * p];
      for (let k = 0; k < 3; k++) listed[3 * p + k] = positions[4 * b + k] + spheres[4 * p + k];
    }
    this.#sortIntoCells(listed, skin);
    this.#sortWalls(skin);
    [this.rows, this.#oldRows] = [this.#oldRows, this.rows];
    const total = this.#fill(skin, undefined);
    this.#fill(skin, arrays.spare(total).pairs); // which may have moved the arrays
    this.#carry(total);
    arrays.swap(total);
    return total;
  }

  /** Lists pairs that are given with their histories, 18 numbers each in the order of the first piece, and nothing else: the next list takes the histories from there. */
  remember(given: Float64Array): void {
    const { arrays, rows } = this;
    const total = given.length / PAIR;
    const { pairs, history } = arrays.spare(total);
    let k = 0;
    for (let p = 0; p < arrays.pieceCount; p++) {
      rows[p] = k;
      for (; k < total && given[PAIR * k] === p; k++) {
        pairs.set(given.subarray(PAIR * k, PAIR * k + 2), 2 * k);
        history.set(given.subarray(PAIR * k + 2, PAIR * (k + 1)), PAIR_HISTORY * k);
      }
    }
    rows[arrays.pieceCount] = k;
    arrays.swap(total);
  }

  /** Goes through the pairs, rows of the first piece in its order, and writes them if there is where; returns how many. */
  #fill(skin: number, pairs: Int32Array | undefined): number {
    const { arrays, rows } = this;
    const pieces = arrays.pieces.view;
    const spheres = arrays.spheres.view;
    const listed = arrays.listed.view;
    const planes = arrays.planes.view;
    const [nx, ny, nz] = this.#cells;
    const [lowX, lowY, lowZ] = this.#low;
    const cell = this.#cell;
    const cellStart = this.#cellStart;
    const grains = this.#grains;
    let at = 0;
    let g = 0;
    for (let p = 0; p < arrays.pieceCount; p++) {
      rows[p] = at;
      if (grains[g] !== p) continue;
      g++;
      const x = listed[3 * p];
      const y = listed[3 * p + 1];
      const z = listed[3 * p + 2];
      const radius = spheres[4 * p + 3];
      const body = pieces[8 * p];
      const i = Math.floor((x - lowX) / cell);
      const j = Math.floor((y - lowY) / cell);
      const k = Math.floor((z - lowZ) / cell);
      for (let cz = Math.max(0, k - 1); cz <= Math.min(nz - 1, k + 1); cz++)
        for (let cy = Math.max(0, j - 1); cy <= Math.min(ny - 1, j + 1); cy++)
          for (let cx = Math.max(0, i - 1); cx <= Math.min(nx - 1, i + 1); cx++) {
            const c = (cz * ny + cy) * nx + cx;
            for (let s = cellStart[c]; s < cellStart[c + 1]; s++) {
              const other = this.#sorted[s];
              if (other <= p || pieces[8 * other] === body) continue;
              const dx = listed[3 * other] - x;
              const dy = listed[3 * other + 1] - y;
              const dz = listed[3 * other + 2] - z;
              const reach = radius + spheres[4 * other + 3] + skin;
              if (dx * dx + dy * dy + dz * dz >= reach * reach) continue;
              if (pairs) {
                pairs[2 * at] = p;
                pairs[2 * at + 1] = other;
              }
              at++;
            }
          }
      const ball = pieces[8 * p + 1] === SPHERE;
      const own = (k * ny + j) * nx + i;
      const here = this.#wallStart[own];
      for (let s = here - this.#everywhere.length; s < this.#wallStart[own + 1]; s++) {
        const wall = s < here ? this.#everywhere[s - here + this.#everywhere.length] : this.#wallsOfCell[s];
        if (!this.#near(wall, ball, x, y, z, radius + skin, planes)) continue;
        if (pairs) {
          pairs[2 * at] = p;
          pairs[2 * at + 1] = wall;
        }
        at++;
      }
    }
    rows[arrays.pieceCount] = at;
    return at;
  }

  /** A sphere against a piece of a wall: out of reach of one of its planes, or not. Features are for balls, parts of a surface for the others. */
  #near(wall: number, ball: boolean, x: number, y: number, z: number, reach: number, planes: Float64Array): boolean {
    const pieces = this.arrays.pieces.view;
    const kind = pieces[8 * wall + 1];
    if (ball ? pieces[8 * wall + 7] > 0 : kind === FEATURE) return false;
    const positions = this.arrays.positions.view;
    const b = 4 * pieces[8 * wall];
    const px = x - positions[b];
    const py = y - positions[b + 1];
    const pz = z - positions[b + 2];
    if (kind !== HALF_SPACE) {
      const spheres = this.arrays.spheres.view;
      const s = 4 * wall;
      const dx = px - spheres[s];
      const dy = py - spheres[s + 1];
      const dz = pz - spheres[s + 2];
      const far = reach + spheres[s + 3];
      if (dx * dx + dy * dy + dz * dz >= far * far) return false;
      if (kind === SPHERE) return true;
    }
    const first = pieces[8 * wall + 4];
    for (let f = first; f < first + pieces[8 * wall + 5]; f++)
      if (planes[4 * f] * px + planes[4 * f + 1] * py + planes[4 * f + 2] * pz - planes[4 * f + 3] >= reach)
        return false;
    return true;
  }

  /** Counting sort of the grains' pieces. Pieces far from the others must not blow up the grid: at most 8 cells a piece, then larger cells. */
  #sortIntoCells(listed: Float64Array, skin: number): void {
    const grains = this.#grains;
    const low = this.#low;
    const high = this.#high;
    const count = this.#cells;
    low.fill(Number.POSITIVE_INFINITY);
    high.fill(Number.NEGATIVE_INFINITY);
    for (const p of grains)
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k], listed[3 * p + k]);
        high[k] = Math.max(high[k], listed[3 * p + k]);
      }
    count.fill(1);
    let cell = 2 * this.#greatest + skin;
    for (; grains.length > 0; cell *= 1.25) {
      for (let k = 0; k < 3; k++) count[k] = Math.floor((high[k] - low[k]) / cell) + 1;
      if (count[0] * count[1] * count[2] <= 8 * grains.length + 64) break;
    }
    this.#cell = cell;
    const cells = count[0] * count[1] * count[2];
    if (this.#cellStart.length < cells + 1) this.#cellStart = new Int32Array(2 * cells + 1);
    const start = this.#cellStart;
    start.fill(0, 0, cells + 1);
    for (const p of grains) {
      const i = Math.floor((listed[3 * p] - low[0]) / cell);
      const j = Math.floor((listed[3 * p + 1] - low[1]) / cell);
      const k = Math.floor((listed[3 * p + 2] - low[2]) / cell);
      const c = (k * count[1] + j) * count[0] + i;
      this.#cellOf[p] = c;
      start[c + 1]++;
    }
    for (let c = 0; c < cells; c++) start[c + 1] += start[c];
    for (let i = grains.length - 1; i >= 0; i--) {
      const p = grains[i];
      this.#sorted[--start[this.#cellOf[p] + 1]] = p;
    }
    // the loop above has moved every start one cell on
    for (let c = 0; c < cells; c++) start[c] = start[c + 1];
    start[cells] = grains.length;
  }

  /**
   * Pieces of walls by the cells that they may be touched from: those that the ball about a piece reaches, grown by the largest grain and the skin. Pieces that reach most cells, and half-spaces,
   * are looked at from everywhere.
   */
  #sortWalls(skin: number): void {
    const { arrays } = this;
    const pieces = arrays.pieces.view;
    const spheres = arrays.spheres.view;
    const listed = arrays.listed.view;
    const [low, count, cell] = [this.#low, this.#cells, this.#cell];
    const cells = count[0] * count[1] * count[2];
    if (this.#wallStart.length < cells + 1) this.#wallStart = new Int32Array(2 * cells + 1);
    const start = this.#wallStart;
    start.fill(0, 0, cells + 1);
    this.#everywhere.length = 0;
    const [from, to] = [REACHED_FROM, REACHED_TO];
    const reached = (wall: number): number => {
      const reach = spheres[4 * wall + 3] + this.#greatest + skin;
      let number = 1;
      for (let k = 0; k < 3; k++) {
        from[k] = Math.max(0, Math.floor((listed[3 * wall + k] - reach - low[k]) / cell));
        to[k] = Math.min(count[k] - 1, Math.floor((listed[3 * wall + k] + reach - low[k]) / cell));
        number *= Math.max(0, to[k] - from[k] + 1);
      }
      return number;
    };
    const each = (see: (c: number) => void): void => {
      for (let z = from[2]; z <= to[2]; z++)
        for (let y = from[1]; y <= to[1]; y++)
          for (let x = from[0]; x <= to[0]; x++) see((z * count[1] + y) * count[0] + x);
    };
    // Counted, then written from behind
    const local: number[] = [];
    for (const wall of this.#walls) {
      const everywhere = pieces[8 * wall + 1] === HALF_SPACE || reached(wall) > EVERYWHERE * cells;
      (everywhere ? this.#everywhere : local).push(wall);
      if (!everywhere) each((c) => start[c + 1]++);
    }
    for (let c = 0; c < cells; c++) start[c + 1] += start[c];
    const total = start[cells];
    if (this.#wallsOfCell.length < total) this.#wallsOfCell = new Int32Array(2 * total);
    for (let w = local.length - 1; w >= 0; w--) {
      reached(local[w]);
      each((c) => {
        this.#wallsOfCell[--start[c + 1]] = local[w];
      });
    }
    // the loop above has moved every start one cell on
    for (let c = 0; c < cells; c++) start[c] = start[c + 1];
    start[cells] = total;
  }

  /** Histories of pairs that were listed before; the others begin with none. */
  #carry(total: number): void {
    const { arrays } = this;
    const { pairs, history } = arrays.spare(total);
    const oldPairs = arrays.pairs.view;
    const oldHistory = arrays.history.view;
    const oldRows = this.#oldRows;
    for (let k = 0; k < total; k++) {
      const first = pairs[2 * k];
      const second = pairs[2 * k + 1];
      let found = -1;
      for (let o = oldRows[first]; o < oldRows[first + 1]; o++)
        if (oldPairs[2 * o + 1] === second) {
          found = o;
          break;
        }
      for (let w = 0; w < PAIR_HISTORY; w++)
        history[PAIR_HISTORY * k + w] = found < 0 ? 0 : oldHistory[PAIR_HISTORY * found + w];
    }
  }
}
