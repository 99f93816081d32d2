/**
 * Which pieces may touch: pairs whose bounding spheres come within a skin of each other, from a grid of cells; and pieces of walls and
 * tools, for which a sphere would be too large, by their planes. Histories go with their pairs.
 *
 * Where space is periodic a whole number of cells fills the period, and cells at its borders are neighbours.
 *
 * What the list contains besides the pairs that touch changes no answer; it costs time only.
 */
import { FEATURE, HALF_SPACE, SPHERE } from '../../kernels/polyhedron-overlap.kernel.js';
import { wayBetween } from '../neighbourhood.js';
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
  /** Of a cell along each axis, m */
  readonly #sides = new Float64Array(3);
  readonly #low = new Float64Array(3);
  readonly #high = new Float64Array(3);
  readonly #cells = new Int32Array(3);
  readonly #ways = new Float64Array(3);
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
    const [sideX, sideY, sideZ] = this.#sides;
    const { period } = arrays;
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
      const i = within(Math.floor((x - lowX) / sideX), nx);
      const j = within(Math.floor((y - lowY) / sideY), ny);
      const k = within(Math.floor((z - lowZ) / sideZ), nz);
      const lastZ = this.#last(k, 2);
      const lastY = this.#last(j, 1);
      const lastX = this.#last(i, 0);
      for (let cz = this.#first(k, 2); cz <= lastZ; cz++)
        for (let cy = this.#first(j, 1); cy <= lastY; cy++)
          for (let cx = this.#first(i, 0); cx <= lastX; cx++) {
            const c = (within(cz, nz) * ny + within(cy, ny)) * nx + within(cx, nx);
            for (let s = cellStart[c]; s < cellStart[c + 1]; s++) {
              const other = this.#sorted[s];
              if (other <= p || pieces[8 * other] === body) continue;
              let dx = listed[3 * other] - x;
              let dy = listed[3 * other + 1] - y;
              let dz = listed[3 * other + 2] - z;
              if (period) {
                dx = wayBetween(dx, 0, 0, period);
                dy = wayBetween(dy, 0, 1, period);
                dz = wayBetween(dz, 0, 2, period);
              }
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
      const crossing = period !== undefined && this.#mayCross(body, skin);
      const own = (k * ny + j) * nx + i;
      const here = this.#wallStart[own];
      for (let s = here - this.#everywhere.length; s < this.#wallStart[own + 1]; s++) {
        const wall = s < here ? this.#everywhere[s - here + this.#everywhere.length] : this.#wallsOfCell[s];
        const near =
          this.#near(wall, ball, x, y, z, radius + skin, planes) ||
          (crossing && this.#nearBeyond(wall, ball, x, y, z, radius + skin, planes));
        if (!near) continue;
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

  /** Cells beside one along an axis, from … to; over the borders of a period, each once */
  #first(cell: number, k: number): number {
    if (!this.#periodic(k)) return Math.max(0, cell - 1);
    return this.#cells[k] < 3 ? 0 : cell - 1;
  }
  #last(cell: number, k: number): number {
    if (!this.#periodic(k)) return Math.min(this.#cells[k] - 1, cell + 1);
    return this.#cells[k] < 3 ? this.#cells[k] - 1 : cell + 1;
  }
  #periodic(k: number): boolean {
    return (this.arrays.period?.length[k] ?? 0) > 0;
  }

  /** Walls have no images: one that may go over a border before the next list meets what is beyond it at once. `#ways` are where to. */
  #nearBeyond(
    wall: number,
    ball: boolean,
    x: number,
    y: number,
    z: number,
    reach: number,
    planes: Float64Array,
  ): boolean {
    const [sx, sy, sz] = this.#ways;
    for (let n = 1; n < 8; n++) {
      const [i, j, k] = [n & 1, (n >> 1) & 1, n >> 2];
      if ((i === 1 && sx === 0) || (j === 1 && sy === 0) || (k === 1 && sz === 0)) continue;
      if (this.#near(wall, ball, x + i * sx, y + j * sy, z + k * sz, reach, planes)) return true;
    }
    return false;
  }

  /** Finds by which ways a body would come in again that goes a skin; whether there are any. */
  #mayCross(body: number, skin: number): boolean {
    const { positions, period } = this.arrays;
    let any = false;
    for (let k = 0; k < 3; k++) {
      const length = period?.length[k] ?? 0;
      const at = length > 0 ? positions.view[4 * body + k] - period!.low[k] : 0;
      this.#ways[k] = !(length > 0) ? 0 : at < skin ? length : at > length - skin ? -length : 0;
      any ||= this.#ways[k] !== 0;
    }
    return any;
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
    const sides = this.#sides;
    const { period } = this.arrays;
    let cell = 2 * this.#greatest + skin;
    for (; grains.length > 0; cell *= 1.25) {
      for (let k = 0; k < 3; k++)
        count[k] = this.#periodic(k)
          ? Math.max(1, Math.floor(period!.length[k] / cell))
          : Math.floor((high[k] - low[k]) / cell) + 1;
      if (count[0] * count[1] * count[2] <= 8 * grains.length + 64) break;
    }
    for (let k = 0; k < 3; k++) {
      if (this.#periodic(k)) low[k] = period!.low[k];
      sides[k] = this.#periodic(k) ? period!.length[k] / count[k] : cell;
    }
    const cells = count[0] * count[1] * count[2];
    if (this.#cellStart.length < cells + 1) this.#cellStart = new Int32Array(2 * cells + 1);
    const start = this.#cellStart;
    start.fill(0, 0, cells + 1);
    for (const p of grains) {
      const i = within(Math.floor((listed[3 * p] - low[0]) / sides[0]), count[0]);
      const j = within(Math.floor((listed[3 * p + 1] - low[1]) / sides[1]), count[1]);
      const k = within(Math.floor((listed[3 * p + 2] - low[2]) / sides[2]), count[2]);
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
    const [low, count, sides] = [this.#low, this.#cells, this.#sides];
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
        from[k] = Math.floor((listed[3 * wall + k] - reach - low[k]) / sides[k]);
        to[k] = Math.floor((listed[3 * wall + k] + reach - low[k]) / sides[k]);
        if (!this.#periodic(k)) {
          from[k] = Math.max(0, from[k]);
          to[k] = Math.min(count[k] - 1, to[k]);
        } else if (to[k] - from[k] >= count[k]) {
          from[k] = 0;
          to[k] = count[k] - 1;
        }
        number *= Math.max(0, to[k] - from[k] + 1);
      }
      return number;
    };
    const each = (see: (c: number) => void): void => {
      for (let z = from[2]; z <= to[2]; z++)
        for (let y = from[1]; y <= to[1]; y++)
          for (let x = from[0]; x <= to[0]; x++)
            see((within(z, count[2]) * count[1] + within(y, count[1])) * count[0] + within(x, count[0]));
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

/** Number of a cell along an axis of n; over the borders of a period */
const within = (cell: number, n: number): number => (cell >= 0 && cell < n ? cell : ((cell % n) + n) % n);
