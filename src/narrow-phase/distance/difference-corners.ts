/** Corners of the convex solid of all differences a − b of points of A and B, which GJK and its expansion ask for. */
import type { Support } from './support.js';

export class DifferenceCorners {
  /** 3 per corner, A's axes, m: a − b, and the two points */
  readonly w: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** one per corner: numbers of the corners of A and B, −1 on curved surfaces */
  readonly idA: Int32Array;
  readonly idB: Int32Array;
  /** bound on the coordinates taken so far, m: differences below a few ε of it are rounding */
  size = 0;
  private readonly scratch = new Float64Array(3);

  constructor(capacity: number) {
    this.w = new Float64Array(3 * capacity);
    this.a = new Float64Array(3 * capacity);
    this.b = new Float64Array(3 * capacity);
    this.idA = new Int32Array(capacity);
    this.idB = new Int32Array(capacity);
  }

  /**
   * The corner farthest along d ≠ 0 at place i.
   *
   * @param r 9, by rows: from B's axes to A's
   * @param t 3: B's origin in A's frame, m
   */
  take(
    supportA: Support,
    supportB: Support,
    r: Float64Array,
    t: Float64Array,
    dx: number,
    dy: number,
    dz: number,
    i: number,
  ): void {
    const { w, a, b, scratch } = this;
    this.idA[i] = supportA.support(dx, dy, dz, a, 3 * i);
    this.idB[i] = supportB.support(
      -(r[0] * dx + r[3] * dy + r[6] * dz),
      -(r[1] * dx + r[4] * dy + r[7] * dz),
      -(r[2] * dx + r[5] * dy + r[8] * dz),
      scratch,
      0,
    );
    const bx = scratch[0];
    const by = scratch[1];
    const bz = scratch[2];
    let size = 0;
    for (let k = 0; k < 3; k++) {
      b[3 * i + k] = r[3 * k] * bx + r[3 * k + 1] * by + r[3 * k + 2] * bz + t[k];
      w[3 * i + k] = a[3 * i + k] - b[3 * i + k];
      size += Math.abs(a[3 * i + k]) + Math.abs(b[3 * i + k]);
    }
    if (size > this.size) this.size = size;
  }

  move(from: number, to: number): void {
    if (from === to) return;
    const { w, a, b, idA, idB } = this;
    for (let k = 0; k < 3; k++) {
      w[3 * to + k] = w[3 * from + k];
      a[3 * to + k] = a[3 * from + k];
      b[3 * to + k] = b[3 * from + k];
    }
    idA[to] = idA[from];
    idB[to] = idB[from];
  }

  /** Whether the corner at n is one of those before it. */
  known(n: number): boolean {
    const { w } = this;
    for (let i = 0; i < n; i++)
      if (w[3 * i] === w[3 * n] && w[3 * i + 1] === w[3 * n + 1] && w[3 * i + 2] === w[3 * n + 2]) return true;
    return false;
  }
}
