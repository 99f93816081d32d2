/**
 * The lowest face of a body over each cell of a window: triangles are drawn into it one after another, each line of cells between the two edges that bound it there, so that narrow triangles cost what
 * they cover and not their bounding boxes.
 */
import type { Coverage } from './coverage.js';
import { FLANK, type SoilMesh } from './soil-mesh.js';

/** Nearer than this part of their distance to the edge of a triangle, nodes are on it and must not be lost between two */
const ON_EDGE = 1e-6;

/** Faces of a greater slope are not seen at nodes: one that lies on their edge by rounding would find them at any height. They belong to the outline. */
const SHEER = 1e3;

/** An edge that goes along a line of cells but for this part of the triangle's size does not bound it */
const ALONG = 1e-9;

/** Where a line of cells begins and ends is known to this part of a cell; then its ends are tried */
const ROUNDING = 1e-3;

/** Numbers per face, and of those the first of what a round one has more */
const FACE = 14;
const BENDS = 5;

export class Underside {
  /** Per cell of the window, row by row: height of the underside, m, ∞ where there is none; and its face */
  under = new Float64Array(0);
  private face = new Int32Array(0);
  /**
   * Per face: unit vector into the body that pressure acts along, its normal but on flanks; slopes along x and y. Of a round one 3 × 3 more: that vector as a linear function of the place, N₀ + N_x x + N_y y,
   * which is not of length 1 between corners
   */
  private faces = new Float64Array(0);
  private kinds = new Uint8Array(0);
  private round = new Uint8Array(0);
  private count = 0;
  private i0 = 0;
  private j0 = 0;
  private columns = 0;
  private rows = 0;
  private spacing = 1;
  private top = 0;
  private coverage: Coverage | undefined;

  /** A window of cells whose first is (i0, j0), over ground up to `top`, m. @param mostFaces that may be drawn into it */
  begin(
    i0: number,
    j0: number,
    columns: number,
    rows: number,
    spacing: number,
    top: number,
    coverage: Coverage,
    mostFaces: number,
  ): void {
    const cells = columns * rows;
    this.spacing = spacing;
    this.top = top;
    this.coverage = coverage;
    if (this.under.length < cells) {
      this.under = new Float64Array(2 * cells);
      this.face = new Int32Array(2 * cells);
    }
    if (this.kinds.length < mostFaces) {
      this.faces = new Float64Array(2 * FACE * mostFaces);
      this.kinds = new Uint8Array(2 * mostFaces);
      this.round = new Uint8Array(2 * mostFaces);
    }
    this.under.fill(Infinity, 0, cells);
    this.count = 0;
    this.i0 = i0;
    this.j0 = j0;
    this.columns = columns;
    this.rows = rows;
  }

  kindAt(k: number): number {
    return this.kinds[this.face[k]];
  }

  /** Direction that pressure acts along at a place of cell k, a unit vector, and how it changes with the place along x and y, 1/m: 9 numbers */
  normalAt(k: number, x: number, y: number, out: Float64Array): void {
    const { faces } = this;
    const face = this.face[k];
    const o = FACE * face;
    if (this.round[face] === 0) {
      out[0] = faces[o];
      out[1] = faces[o + 1];
      out[2] = faces[o + 2];
      for (let c = 3; c < 9; c++) out[c] = 0;
      return;
    }
    const b = o + BENDS;
    let nx = faces[b] + faces[b + 3] * x + faces[b + 6] * y;
    let ny = faces[b + 1] + faces[b + 4] * x + faces[b + 7] * y;
    let nz = faces[b + 2] + faces[b + 5] * x + faces[b + 8] * y;
    const inverse = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    nx *= inverse;
    ny *= inverse;
    nz *= inverse;
    out[0] = nx;
    out[1] = ny;
    out[2] = nz;
    for (let c = 3; c < 9; c += 3) {
      const along = nx * faces[b + c] + ny * faces[b + c + 1] + nz * faces[b + c + 2];
      out[c] = inverse * (faces[b + c] - along * nx);
      out[c + 1] = inverse * (faces[b + c + 1] - along * ny);
      out[c + 2] = inverse * (faces[b + c + 2] - along * nz);
    }
  }

  slopeXAt(k: number): number {
    return this.faces[FACE * this.face[k] + 3];
  }

  slopeYAt(k: number): number {
    return this.faces[FACE * this.face[k] + 4];
  }

  // The plane of the triangle at hand: through its first corner, slopes along x and y
  private ax = 0;
  private ay = 0;
  private az = 0;
  sx = 0;
  sy = 0;
  // and from that corner to the two others, seen from above; twice its area as a vector
  private bx = 0;
  private by = 0;
  private cx = 0;
  private cy = 0;
  private nx = 0;
  private ny = 0;
  private nz = 0;
  private lowest = 0;

  /** Plane of triangle t, whose corners are among `turned` */
  lay(triangles: Int32Array, turned: Float64Array, t: number): void {
    const a = 3 * triangles[3 * t];
    const b = 3 * triangles[3 * t + 1];
    const c = 3 * triangles[3 * t + 2];
    const ax = turned[a];
    const ay = turned[a + 1];
    const az = turned[a + 2];
    const bx = turned[b] - ax;
    const by = turned[b + 1] - ay;
    const bz = turned[b + 2] - az;
    const cx = turned[c] - ax;
    const cy = turned[c + 1] - ay;
    const cz = turned[c + 2] - az;
    const nz = bx * cy - by * cx;
    const nx = by * cz - bz * cy;
    const ny = bz * cx - bx * cz;
    this.ax = ax;
    this.ay = ay;
    this.az = az;
    this.bx = bx;
    this.by = by;
    this.cx = cx;
    this.cy = cy;
    this.nz = nz;
    this.lowest = az + Math.min(0, bz, cz);
    this.sx = nx / -nz;
    this.sy = ny / -nz;
    this.nx = nx;
    this.ny = ny;
  }

  /** The plane at hand becomes a face. @param within places are seen between its corners, where a round one bends */
  private open(mesh: SoilMesh, t: number, R: Float64Array, within: boolean): number {
    const { faces, nx, ny, nz } = this;
    const { kinds, flanks: e } = mesh;
    const o = FACE * this.count;
    if (kinds[t] === FLANK) {
      faces[o] = -(R[0] * e[3 * t] + R[1] * e[3 * t + 1] + R[2] * e[3 * t + 2]);
      faces[o + 1] = -(R[3] * e[3 * t] + R[4] * e[3 * t + 1] + R[5] * e[3 * t + 2]);
      faces[o + 2] = -(R[6] * e[3 * t] + R[7] * e[3 * t + 1] + R[8] * e[3 * t + 2]);
    } else {
      const inverse = -1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
      faces[o] = nx * inverse;
      faces[o + 1] = ny * inverse;
      faces[o + 2] = nz * inverse;
    }
    faces[o + 3] = this.sx;
    faces[o + 4] = this.sy;
    this.kinds[this.count] = kinds[t];
    this.round[this.count] = within ? mesh.isRound[t] : 0;
    if (this.round[this.count] !== 0) this.bend(mesh, t, R, o + BENDS);
    return this.count++;
  }

  /** N₀, N_x and N_y of the plane at hand, from the normals at its corners */
  private bend({ cornerNormals }: SoilMesh, t: number, R: Float64Array, o: number): void {
    const { faces, ax, ay, bx, by, cx, cy } = this;
    const inverse = 1 / this.nz;
    for (let c = 0; c < 3; c++) {
      const r0 = -R[3 * c];
      const r1 = -R[3 * c + 1];
      const r2 = -R[3 * c + 2];
      const n = 9 * t;
      const first = r0 * cornerNormals[n] + r1 * cornerNormals[n + 1] + r2 * cornerNormals[n + 2];
      const second = r0 * cornerNormals[n + 3] + r1 * cornerNormals[n + 4] + r2 * cornerNormals[n + 5] - first;
      const third = r0 * cornerNormals[n + 6] + r1 * cornerNormals[n + 7] + r2 * cornerNormals[n + 8] - first;
      const alongX = (second * cy - third * by) * inverse;
      const alongY = (third * bx - second * cx) * inverse;
      faces[o + c] = first - alongX * ax - alongY * ay;
      faces[o + 3 + c] = alongX;
      faces[o + 6 + c] = alongY;
    }
  }

  /** One triangle into the cells that are seen at a place under it; those on its edges count to it. */
  add(mesh: SoilMesh, turned: Float64Array, t: number, R: Float64Array): void {
    this.lay(mesh.triangles, turned, t);
    if (this.lowest > this.top || this.sx * this.sx + this.sy * this.sy > SHEER * SHEER) return;
    const face = this.open(mesh, t, R, true);
    const { ax, ay, bx, by, cx, cy, i0, j0, columns, rows, spacing } = this;
    const { rowIsCut, cutRows } = this.coverage!;
    const left = (ax + Math.min(0, bx, cx)) / spacing - ON_EDGE;
    const right = (ax + Math.max(0, bx, cx)) / spacing + ON_EDGE;
    const near = (ay + Math.min(0, by, cy)) / spacing - ON_EDGE;
    const far = (ay + Math.max(0, by, cy)) / spacing + ON_EDGE;
    const first = Math.ceil(left);
    const last = Math.floor(right);
    const low = Math.ceil(near);
    const high = Math.floor(far);
    const size = Math.abs(bx) + Math.abs(by) + Math.abs(cx) + Math.abs(cy);
    this.small = ALONG * size;
    this.edge = ON_EDGE * size * spacing;
    if (last - first < high - low) for (let i = first; i <= last; i++) this.fillLine(face, 0, i, low, high);
    else for (let j = low; j <= high; j++) if (rowIsCut[j - j0] === 0) this.fillLine(face, 1, j, first, last);
    if (cutRows === 0) return;
    // Cells that are seen off their node may be half a cell farther
    const firstCut = Math.max(i0, Math.ceil(left - 0.5));
    const lastCut = Math.min(i0 + columns - 1, Math.floor(right + 0.5));
    const lowCut = Math.max(j0, Math.ceil(near - 0.5));
    const highCut = Math.min(j0 + rows - 1, Math.floor(far + 0.5));
    for (let j = lowCut; j <= highCut; j++) if (rowIsCut[j - j0] !== 0) this.fillCutRow(face, j, firstCut, lastCut);
  }

  /**
   * Between which places on a line the triangle at hand lies, m from its first corner along the line. Inside it, with barycentric coordinates times nz < 0: u = x cy − y cx, v = bx y − by x,
   *
   *   u ≤ ε,   v ≤ ε,   u + v ≥ nz − ε
   *
   * each of which is slope · s ≤ most for the place s on the line; ε keeps a node on the edge of two triangles from being lost between them.
   *
   * @param along 0: the line is column number `line`; 1: row number `line`. @param off how far beside the line places may be, in cells
   */
  private bound(along: number, line: number, off: number): void {
    const { ax, ay, bx, by, cx, cy, nz, edge, small, spacing } = this;
    const at = line * spacing - (along === 0 ? ax : ay);
    let from = -Infinity;
    let to = Infinity;
    for (let side = 0; side < 3; side++) {
      // the edge along (x, y); inside is to the right of c, to the left of b
      const x = side === 0 ? cx : side === 1 ? -bx : bx - cx;
      const y = side === 0 ? cy : side === 1 ? -by : by - cy;
      const slope = along === 0 ? -x : y;
      const beside = along === 0 ? -at * y : at * x;
      const most = edge + off * spacing * (Math.abs(x) + Math.abs(y)) - (side === 2 ? nz : 0) + beside;
      if (slope > small) to = Math.min(to, most / slope);
      else if (slope < -small) from = Math.max(from, most / slope);
    }
    const origin = along === 0 ? ay : ax;
    this.from = Math.ceil((origin + from) / spacing - ROUNDING);
    this.to = Math.floor((origin + to) / spacing + ROUNDING);
  }
  private small = 0;
  private edge = 0;
  /** Nodes, along the line */
  private from = 0;
  private to = 0;

  /** Nodes of column (along 0) or row (along 1) number `line`, of those from `first` to `last` that are under the triangle; rows with cells that are seen off their node are left out */
  private fillLine(face: number, along: number, line: number, first: number, last: number): void {
    const { under, ax, ay, az, bx, by, cx, cy, nz, sx, sy, i0, j0, columns, spacing, edge } = this;
    const { rowIsCut } = this.coverage!;
    const at = line * spacing - (along === 0 ? ax : ay);
    const origin = along === 0 ? ay : ax;
    this.bound(along, line, 0);
    let from = Math.max(first, this.from);
    let to = Math.min(last, this.to);
    for (let end = 0; end < 2; end++)
      while (from <= to) {
        const s = (end === 0 ? from : to) * spacing - origin;
        const x = along === 0 ? at : s;
        const y = along === 0 ? s : at;
        const u = x * cy - y * cx;
        const v = bx * y - by * x;
        if (!(u > edge || v > edge || u + v < nz - edge)) break;
        if (end === 0) from++;
        else to--;
      }
    const step = along === 0 ? columns : 1;
    let k = along === 0 ? (from - j0) * columns + line - i0 : (line - j0) * columns + from - i0;
    for (let n = from; n <= to; n++, k += step) {
      const s = n * spacing - origin;
      const x = along === 0 ? at : s;
      const y = along === 0 ? s : at;
      const z = az + sx * x + sy * y;
      if (z < under[k] && rowIsCut[along === 0 ? n - j0 : line - j0] === 0) {
        under[k] = z;
        this.face[k] = face;
      }
    }
  }

  /** The same of a row with cells that are seen off their node */
  private fillCutRow(face: number, j: number, first: number, last: number): void {
    const { under, ax, ay, az, bx, by, cx, cy, nz, sx, sy, i0, j0, columns, spacing, edge } = this;
    const { offsetX, offsetY } = this.coverage!;
    this.bound(1, j, 0.5);
    const from = Math.max(first, this.from);
    const to = Math.min(last, this.to);
    for (let i = from; i <= to; i++) {
      const k = (j - j0) * columns + i - i0;
      const x = i * spacing - ax + offsetX[k];
      const y = j * spacing - ay + offsetY[k];
      const u = x * cy - y * cx;
      const v = bx * y - by * x;
      if (u > edge || v > edge || u + v < nz - edge) continue;
      const z = az + sx * x + sy * y;
      if (z < under[k]) {
        under[k] = z;
        this.face[k] = face;
      }
    }
  }

  /**
   * Cells that the outline merely touches are not under the body. The middle of two parts, where there may be nothing, is seen on the plane of the edge that passes lowest, no lower than that edge
   * and with no slope if it stands upright.
   */
  trim(mesh: SoilMesh, turned: Float64Array, R: Float64Array): void {
    const { under, columns, i0, j0, spacing, top } = this;
    const { cells, count, cover, offsetX, offsetY, lowest, lowestZ } = this.coverage!;
    for (let n = 0; n < count; n++) {
      const k = cells[n];
      if (cover[k] === 0) under[k] = Infinity;
      else if (under[k] === Infinity && cover[k] < 1 && lowestZ[n] <= top) {
        this.lay(mesh.triangles, turned, lowest[n]);
        const x = (i0 + (k % columns)) * spacing + offsetX[k] - this.ax;
        const y = (j0 + Math.floor(k / columns)) * spacing + offsetY[k] - this.ay;
        const z = this.az + this.sx * x + this.sy * y;
        if (!(z >= lowestZ[n])) this.sx = this.sy = 0;
        this.face[k] = this.open(mesh, lowest[n], R, false);
        under[k] = Math.max(z, lowestZ[n]);
      }
    }
  }
}
