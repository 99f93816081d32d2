/**
 * How much of each cell of a grid lies under a body, and where the middle of that part is: its outline, seen from above, is followed through the cells.
 *
 * Within a cell, in distances of nodes from its middle, Green's theorem has for the part under the body, which lies to the left of its outline,
 *
 *   area  a = ½ ∮ (x dy − y dx)        moments  ∫ x dA = ½ ∮ x² dy,   ∫ y dA = −½ ∮ y² dx
 *
 * along the pieces of the outline and back along the cell's border. What the way along the border gives up to a point of it, F(s) with s from 0 to 4 counter-clockwise from the lower left corner, is
 * known in closed form: where the outline comes in F(s) is added, where it goes out it is taken away, and for each layer of the body over that corner a whole cell is added (windings are summed
 * along rows). Everything is a sum over edges, so edges that two triangles share cancel, and their order matters for rounding only.
 *
 * How area and moments change with the pose follows in the same way: an edge that moves by v(x) sweeps ∫ v·n ds, and takes moments ∫ x v·n ds with it; v = δp + θ × r is linear along an edge, so
 * Simpson's rule is exact. Where a face of slope g was cut off at a height, what rises takes v_z/g off.
 */

/** Parts of a cell smaller than this are none, and larger than 1 less this are the whole: rounding, not geometry */
const SLIVER = 1e-9;

/** Numbers per cell on the outline: change of area and both moments with a shift along and a turn about x, y, z */
export const RATES = 18;

export class Coverage {
  /** Per cell: part of it under the body, and from its middle to the middle of that part, m. 1, 0, 0 off the outline, under the body or not */
  cover = new Float64Array(0);
  offsetX = new Float64Array(0);
  offsetY = new Float64Array(0);
  /** Per row: whether a cell of it is covered in part */
  rowIsCut = new Uint8Array(0);
  /** Rows of which that is true */
  cutRows = 0;
  /** Cells on the outline, and per cell its place among them, −1 for none */
  cells = new Int32Array(64);
  count = 0;
  slot = new Int32Array(0);
  /** Triangle whose edge passes lowest through the cell, and how low, m, per place */
  lowest = new Int32Array(64);
  lowestZ = new Float64Array(64);
  /** RATES per place: of area, of moment along x, of moment along y, in parts of a cell and m for each m or rad */
  rates = new Float64Array(64 * RATES);
  private area = new Float64Array(64);
  private momentX = new Float64Array(64);
  private momentY = new Float64Array(64);
  /** Per cell: layers that begin, left to right, over its lower border */
  private wind = new Int32Array(0);
  private columns = 0;
  private rows = 0;
  private i0 = 0;
  private j0 = 0;
  private spacing = 1;
  private wantsRates = false;
  private readonly origin = new Float64Array(3);

  /** A window of cells whose first is (i0, j0), of a body at p. @param wantsRates its derivatives are asked for */
  begin(
    i0: number,
    j0: number,
    columns: number,
    rows: number,
    spacing: number,
    p: Float64Array,
    wantsRates: boolean,
  ): void {
    const cells = columns * rows;
    for (let k = 0; k < this.count; k++) {
      const cell = this.cells[k];
      this.slot[cell] = -1;
      this.cover[cell] = 1;
      this.offsetX[cell] = this.offsetY[cell] = 0;
    }
    this.count = 0;
    if (this.cover.length < cells) {
      this.cover = new Float64Array(2 * cells).fill(1);
      this.offsetX = new Float64Array(2 * cells);
      this.offsetY = new Float64Array(2 * cells);
      this.wind = new Int32Array(2 * cells);
      this.slot = new Int32Array(2 * cells).fill(-1);
    }
    if (this.rowIsCut.length < rows) this.rowIsCut = new Uint8Array(2 * rows);
    this.wind.fill(0, 0, cells);
    this.rowIsCut.fill(0, 0, rows);
    this.cutRows = 0;
    this.i0 = i0;
    this.j0 = j0;
    this.columns = columns;
    this.rows = rows;
    this.spacing = spacing;
    this.wantsRates = wantsRates;
    this.origin.set(p);
  }

  /** The edge to be added: from one place to another, m, the body to its left; and 1/g if a face of slope g was cut off there, 0 if it ends there. Numbers in an array, for calls would make objects of them. */
  readonly edge = new Float64Array(7);

  /** Adds `edge`, of a triangle. */
  addEdge(triangle: number): void {
    const { edge, spacing, i0, j0, columns, wind } = this;
    const az = edge[2];
    const bz = edge[5];
    // in distances of nodes, from the middle of the window's first cell
    const x0 = edge[0] / spacing - i0;
    const y0 = edge[1] / spacing - j0;
    const dx = edge[3] / spacing - i0 - x0;
    const dy = edge[4] / spacing - j0 - y0;
    let i = Math.floor(x0 + 0.5);
    let j = Math.floor(y0 + 0.5);
    const iEnd = Math.floor(x0 + dx + 0.5);
    const jEnd = Math.floor(y0 + dy + 0.5);
    const right = dx > 0 ? 1 : -1;
    const up = dy > 0 ? 1 : -1;
    let x = x0 - i;
    let y = y0 - j;
    let z = az;
    let k = this.open(j * columns + i);
    for (;;) {
      // where it leaves the cell: through a side, or through the upper or lower border, whichever comes first; or where it ends
      const tx = i !== iEnd ? (i + 0.5 * right - x0) / dx : Infinity;
      const ty = j !== jEnd ? (j + 0.5 * up - y0) / dy : Infinity;
      const ends = i === iEnd && j === jEnd;
      const bySide = tx <= ty;
      const along = ends ? 1 : Math.max(0, Math.min(1, Math.min(tx, ty)));
      let xOut = x0 + along * dx - i;
      let yOut = y0 + along * dy - j;
      if (!ends) {
        xOut = bySide ? 0.5 * right : Math.max(-0.5, Math.min(0.5, xOut));
        yOut = bySide ? Math.max(-0.5, Math.min(0.5, yOut)) : 0.5 * up;
      }
      const zOut = az + along * (bz - az);
      this.area[k] += 0.5 * (x * yOut - xOut * y); // `open` may have made new arrays
      this.momentX[k] += ((yOut - y) * (x * x + x * xOut + xOut * xOut)) / 6;
      this.momentY[k] -= ((xOut - x) * (y * y + y * yOut + yOut * yOut)) / 6;
      const low = Math.min(z, zOut);
      if (low < this.lowestZ[k]) {
        this.lowestZ[k] = low;
        this.lowest[k] = triangle;
      }
      if (this.wantsRates) {
        const { piece } = this;
        piece[0] = x;
        piece[1] = y;
        piece[2] = z;
        piece[3] = xOut;
        piece[4] = yOut;
        piece[5] = zOut;
        this.sweep(k, i, j);
      }
      if (ends) return;
      if (bySide) {
        this.crossSide(k, right, yOut, -1);
        i += right;
        k = this.open(j * columns + i);
        x = -0.5 * right;
        y = yOut;
        this.crossSide(k, -right, y, 1);
      } else {
        this.crossBorder(k, up, xOut, -1);
        wind[(up > 0 ? j + 1 : j) * columns + i] -= up;
        j += up;
        k = this.open(j * columns + i);
        x = xOut;
        y = -0.5 * up;
        this.crossBorder(k, -up, x, 1);
      }
      z = zOut;
    }
  }

  /** The outline comes in (sign 1) or goes out (−1) through the right (1) or left (−1) side of a cell: the way along its border up to there, at the height y. The lower left corner is the end of the left side, s = 4. */
  private crossSide(k: number, side: number, y: number, sign: number): void {
    this.area[k] += (sign * (side > 0 ? 1.5 + y : 3.5 - y)) / 4;
    this.momentX[k] += (sign * (0.5 + y)) / 8;
    if (side > 0) this.momentY[k] -= sign / 8;
  }

  /** The same through the upper (1) or lower (−1) border, at x. The lower left corner is the beginning of the lower border, s = 0. */
  private crossBorder(k: number, border: number, x: number, sign: number): void {
    this.area[k] += (sign * (border < 0 ? 0.5 + x : 2.5 - x)) / 4;
    this.momentY[k] -= (sign * (0.5 + x)) / 8;
    if (border > 0) this.momentX[k] += sign / 8;
  }

  /** Piece of an edge within a cell: from one place to another, x and y in distances of nodes from the middle of the cell, z in m */
  private readonly piece = new Float64Array(6);

  /** What the motion of `piece`, in cell (i, j) of the window, sweeps: area by the velocity in its middle, moments by Simpson's rule */
  private sweep(k: number, i: number, j: number): void {
    const { rates, spacing, origin, piece } = this;
    const x0 = piece[0];
    const y0 = piece[1];
    const z0 = piece[2];
    const x1 = piece[3];
    const y1 = piece[4];
    const z1 = piece[5];
    // n ds in distances of nodes, for a velocity in m
    const nx = (y1 - y0) / spacing;
    const ny = (x0 - x1) / spacing;
    const off = this.edge[6] * Math.sqrt(nx * nx + ny * ny);
    const left = (this.i0 + i) * spacing - origin[0];
    const below = (this.j0 + j) * spacing - origin[1];
    for (let q = 0; q < 3; q++) {
      const simpson = q === 1 ? 4 / 6 : 1 / 6;
      const x = q === 0 ? x0 : q === 1 ? 0.5 * (x0 + x1) : x1;
      const y = q === 0 ? y0 : q === 1 ? 0.5 * (y0 + y1) : y1;
      const rz = (q === 0 ? z0 : q === 1 ? 0.5 * (z0 + z1) : z1) - origin[2];
      const rx = left + x * spacing;
      const ry = below + y * spacing;
      // v·n of a shift and a turn: θ × r = (θy rz − θz ry, θz rx − θx rz, θx ry − θy rx)
      SWEPT[0] = nx;
      SWEPT[1] = ny;
      SWEPT[2] = -off;
      SWEPT[3] = -rz * ny - ry * off;
      SWEPT[4] = rz * nx + rx * off;
      SWEPT[5] = rx * ny - ry * nx;
      for (let c = 0; c < 6; c++) {
        const swept = simpson * SWEPT[c];
        rates[RATES * k + c] += swept;
        rates[RATES * k + 6 + c] += swept * x * spacing;
        rates[RATES * k + 12 + c] += swept * y * spacing;
      }
    }
  }

  /** Place of a cell among those of the outline, made if need be */
  private open(cell: number): number {
    const known = this.slot[cell];
    if (known >= 0) return known;
    if (this.count === this.cells.length) this.grow();
    const k = this.count++;
    this.slot[cell] = k;
    this.cells[k] = cell;
    this.area[k] = this.momentX[k] = this.momentY[k] = 0;
    this.lowestZ[k] = Infinity;
    if (this.wantsRates) this.rates.fill(0, RATES * k, RATES * (k + 1));
    return k;
  }

  private grow(): void {
    for (const name of ['cells', 'lowest'] as const) {
      const longer = new Int32Array(2 * this.count);
      longer.set(this[name]);
      this[name] = longer;
    }
    for (const name of ['lowestZ', 'area', 'momentX', 'momentY', 'rates'] as const) {
      const longer = new Float64Array(2 * this[name].length);
      longer.set(this[name]);
      this[name] = longer;
    }
  }

  /** All edges are there: parts and middles, of cells that the outline crosses below a height. Where layers of the body lie over one another their parts are summed, up to the whole cell. */
  finish(top: number): void {
    const { columns, rows, wind, slot, area, spacing, lowestZ } = this;
    for (let b = 0, cell = 0; b < rows; b++) {
      let layers = 0;
      for (let a = 0; a < columns; a++, cell++) {
        const k = slot[cell];
        if (k >= 0 && lowestZ[k] <= top) {
          const part = area[k] + layers;
          if (part < SLIVER) this.cover[cell] = 0;
          else if (part < 1 - SLIVER) {
            this.cover[cell] = part;
            this.offsetX[cell] = (spacing * this.momentX[k]) / part;
            this.offsetY[cell] = (spacing * this.momentY[k]) / part;
            if (this.rowIsCut[b] === 0) this.cutRows++;
            this.rowIsCut[b] = 1;
          }
        }
        layers += wind[cell];
      }
    }
  }

  /**
   * How part and middle of a cell change with a shift along and a turn about x, y, z: `out` gets 6 of the part, then 6 each of its middle, m, times the part.
   * All 0 where the cell is not covered in part.
   */
  ratesOf(cell: number, out: Float64Array): void {
    const k = this.slot[cell];
    const part = this.cover[cell];
    if (k < 0 || !(part > 0 && part < 1)) {
      out.fill(0);
      return;
    }
    for (let c = 0; c < 6; c++) {
      const more = this.rates[RATES * k + c];
      out[c] = more;
      out[6 + c] = this.rates[RATES * k + 6 + c] - this.offsetX[cell] * more;
      out[12 + c] = this.rates[RATES * k + 12 + c] - this.offsetY[cell] * more;
    }
  }
}

const SWEPT = new Float64Array(6);
