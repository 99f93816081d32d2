/**
 * A = L D Lᵀ of a sparse symmetric matrix of a mesh, without pivoting: for definite matrices, and for shifted ones K − σM whose
 * negative pivots count the eigenvalues below σ (Sylvester). Multifrontal: along the tree of a nested dissection (dissection.ts) each front
 * is a small dense matrix that gathers its own entries and what the fronts below it leave.
 *
 * Duff & Reid (1983), doi 10.1145/356044.356047; Liu (1992), doi 10.1137/1034004.
 */
import { type Dissection, dissect, type NodePattern } from './dissection.js';
import { eliminateFront } from './front.js';

export interface BlockPattern extends NodePattern {
  /** Unknowns per node */
  readonly width: number;
  /** `dimension` per node */
  readonly coordinates: Float64Array;
  readonly dimension: number;
}

export class SparseLdl {
  /** Unknowns that are solved for */
  readonly size: number;
  /** Numbers in L and D */
  readonly entries: number;
  negativePivots = 0;
  private readonly pattern: BlockPattern;
  /** 1 per unknown (width per node) that is solved for; the others are held at zero */
  private readonly free: Uint8Array;
  private readonly dissection: Dissection;
  private readonly frontOf: Int32Array; // per node
  private readonly rows: Int32Array[] = []; // per front: unknowns, those eliminated first
  private readonly pivots: Int32Array; // per front
  private readonly below: number[][] = []; // per front: fronts whose rest it takes
  private readonly panel: Float64Array[] = []; // per front: its columns of L, column-major
  private readonly local: Int32Array; // per unknown: row in the front at work
  private work: Float64Array = new Float64Array(0);

  constructor(pattern: BlockPattern, free: Uint8Array) {
    this.pattern = pattern;
    this.free = free;
    const { count, width } = pattern;
    const wanted = new Uint8Array(count);
    let size = 0;
    for (let i = 0; i < count * width; i++)
      if (free[i] !== 0) {
        wanted[(i - (i % width)) / width] = 1;
        size++;
      }
    this.size = size;
    this.dissection = dissect(pattern, pattern.coordinates, pattern.dimension, wanted);
    const fronts = this.dissection.frontStart.length - 1;
    this.frontOf = new Int32Array(count).fill(-1);
    this.pivots = new Int32Array(fronts);
    this.local = new Int32Array(count * width).fill(-1);
    this.entries = this.analyse(fronts);
  }

  /** Rows of each front, and the tree. */
  private analyse(fronts: number): number {
    const { frontOf, pivots, below, rows, free } = this;
    const { order, frontStart } = this.dissection;
    const { rowStart, column, count, width } = this.pattern;
    const place = new Int32Array(count).fill(-1);
    for (let k = 0; k < fronts; k++) {
      below.push([]);
      for (let i = frontStart[k]; i < frontStart[k + 1]; i++) {
        frontOf[order[i]] = k;
        place[order[i]] = i;
      }
    }
    const mark = new Int32Array(count).fill(-1);
    const rest: Int32Array[] = [];
    let entries = 0;
    for (let k = 0; k < fronts; k++) {
      const found: number[] = [];
      for (let i = frontStart[k]; i < frontStart[k + 1]; i++) {
        const node = order[i];
        for (let c = rowStart[node]; c < rowStart[node + 1]; c++) {
          const other = column[c];
          if (frontOf[other] > k && mark[other] !== k) {
            mark[other] = k;
            found.push(place[other]);
          }
        }
      }
      for (const child of below[k])
        for (const at of rest[child])
          if (frontOf[order[at]] > k && mark[order[at]] !== k) {
            mark[order[at]] = k;
            found.push(at);
          }
      const later = Int32Array.from(found).sort();
      rest.push(later);
      if (later.length > 0) below[frontOf[order[later[0]]]].push(k);
      const own: number[] = [];
      const add = (node: number): void => {
        for (let d = node * width; d < (node + 1) * width; d++) if (free[d] !== 0) own.push(d);
      };
      for (let i = frontStart[k]; i < frontStart[k + 1]; i++) add(order[i]);
      pivots[k] = own.length;
      for (const at of later) add(order[at]);
      rows.push(Int32Array.from(own));
      entries += pivots[k] * own.length - (pivots[k] * (pivots[k] - 1)) / 2;
    }
    return entries;
  }

  /**
   * @param values width² per entry of the pattern, row by row: block (i, j) of the matrix
   * @param told   hears what part of the work is done, 0 … 1, front by front
   * @returns false where a pivot is zero: the matrix is singular, something can move freely
   */
  factorise(values: Float64Array, told?: (part: number) => void): boolean {
    const { rows, pivots, below, local, panel, frontOf } = this;
    const { rowStart, column, width } = this.pattern;
    const { order, frontStart } = this.dissection;
    const fronts = rows.length;
    const rest: (Float64Array | undefined)[] = new Array(fronts);
    this.negativePivots = 0;
    panel.length = 0;
    let front = new Float64Array(0);
    const work = (k: number): number => pivots[k] * rows[k].length * rows[k].length;
    const all = told ? rows.reduce((sum, _, k) => sum + work(k), 0) : 0;
    let done = 0;
    for (let k = 0; k < fronts; k++) {
      const own = rows[k];
      const size = own.length;
      const p = pivots[k];
      if (told) {
        told(done / all);
        done += work(k);
      }
      if (front.length < size * size) front = new Float64Array(Math.ceil(1.2 * size * size));
      else front.fill(0, 0, size * size);
      for (let i = 0; i < size; i++) local[own[i]] = i;
      // Own entries: columns of the nodes eliminated here, rows of this front and later ones
      for (let at = frontStart[k]; at < frontStart[k + 1]; at++) {
        const node = order[at];
        for (let c = rowStart[node]; c < rowStart[node + 1]; c++) {
          const other = column[c];
          if (frontOf[other] < k) continue;
          for (let a = 0; a < width; a++) {
            const j = local[node * width + a];
            if (j < 0) continue;
            for (let b = 0; b < width; b++) {
              const i = local[other * width + b];
              if (i >= j) front[j * size + i] = values[(c * width + a) * width + b];
            }
          }
        }
      }
      // What the fronts below leave
      for (const child of below[k]) {
        const given = rest[child]!;
        const theirs = rows[child];
        const first = pivots[child];
        const n = theirs.length - first;
        for (let j = 0; j < n; j++) {
          const column = local[theirs[first + j]];
          for (let i = j; i < n; i++) {
            const row = local[theirs[first + i]];
            front[row >= column ? column * size + row : row * size + column] += given[j * n + i];
          }
        }
        rest[child] = undefined;
      }
      for (let i = 0; i < size; i++) local[own[i]] = -1;
      if (!eliminateFront(front, size, p)) return false;
      panel.push(front.slice(0, p * size));
      for (let j = 0; j < p; j++) if (front[j * size + j] < 0) this.negativePivots++;
      if (size > p) {
        const n = size - p;
        const left = new Float64Array(n * n);
        for (let j = 0; j < n; j++) for (let i = j; i < n; i++) left[j * n + i] = front[(p + j) * size + p + i];
        rest[k] = left;
      }
    }
    return true;
  }

  /** b ← A⁻¹ b; unknowns that are held become zero. */
  solve(b: Float64Array): void {
    const { rows, pivots, panel, free } = this;
    for (let i = 0; i < b.length; i++) if (free[i] === 0) b[i] = 0;
    const most = rows.reduce((max, own) => Math.max(max, own.length), 0);
    if (this.work.length < most) this.work = new Float64Array(most);
    const { work } = this;
    for (let k = 0; k < rows.length; k++) {
      const own = rows[k];
      const size = own.length;
      const l = panel[k];
      for (let i = 0; i < size; i++) work[i] = b[own[i]];
      for (let j = 0; j < pivots[k]; j++) {
        const x = work[j];
        if (x !== 0) for (let i = j + 1, at = j * size + j + 1; i < size; i++, at++) work[i] -= l[at] * x;
      }
      for (let i = 0; i < size; i++) b[own[i]] = work[i];
    }
    for (let k = rows.length - 1; k >= 0; k--) {
      const own = rows[k];
      const size = own.length;
      const l = panel[k];
      for (let i = 0; i < size; i++) work[i] = b[own[i]];
      for (let j = pivots[k] - 1; j >= 0; j--) {
        let sum = work[j] / l[j * size + j];
        for (let i = j + 1, at = j * size + j + 1; i < size; i++, at++) sum -= l[at] * work[i];
        work[j] = sum;
      }
      for (let i = 0; i < pivots[k]; i++) b[own[i]] = work[i];
    }
  }
}
