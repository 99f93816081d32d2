/**
 * Two boxes along the fifteen directions that can part them: the normals of their faces and the common perpendiculars of their edges (Gottschalk, Lin & Manocha 1996,
 * doi 10.1145/237170.237244). With half sizes a, b, the turn R from B's axes to A's and the way t from A's middle to B's, in A's axes:
 *
 *   face i of A    s = |t_i| − a_i − Σ_j b_j |R_ij|                  face j of B    s = |t·B_j| − b_j − Σ_i a_i |R_ij|
 *   edges i, j     s = (|t·L| − Σ_k a_k |L_k| − Σ_m b_m |L·B_m|)/|L|,    L = A_i × B_j
 *
 * s > 0: they are at least that far apart. All s ≤ 0: they overlap, and the largest s is how deep, along its direction, as an expanding polytope finds it. A face counts as
 * the largest where an edge is so by less than rounding.
 */

/** Sine of an angle between edges at which they count as parallel: their perpendicular then is that of faces */
const PARALLEL = 1e-6;
/** Of the size of both: how much larger s of a pair of edges must be than that of a face */
const DOUBT = 1e-7;

export class BoxDirections {
  /** Largest s, m, and its direction from A to B, A's axes */
  largest = 0;
  readonly normal = new Float64Array(3);
  /** A face's: 0 … 2 A's, 3 … 5 B's; edges: 6 + 3 i + j */
  which = 0;
  /** Of overlapping boxes whose largest is that of edges: points of these nearest to each other, A's frame */
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  private readonly absolute = new Float64Array(9);

  /**
   * False: they are farther apart than `most`.
   *
   * @param a b half sizes, m
   * @param r 9, by rows: from B's axes to A's
   * @param t 3: B's middle in A's frame, m
   */
  run(a: Float64Array, b: Float64Array, r: Float64Array, t: Float64Array, most: number): boolean {
    const { absolute: q, normal: n } = this;
    for (let k = 0; k < 9; k++) q[k] = Math.abs(r[k]);
    this.largest = Number.NEGATIVE_INFINITY;
    const same = 1e-12 * (a[0] + a[1] + a[2] + b[0] + b[1] + b[2]);
    for (let i = 0; i < 3; i++) {
      const s = Math.abs(t[i]) - a[i] - (b[0] * q[3 * i] + b[1] * q[3 * i + 1] + b[2] * q[3 * i + 2]);
      if (s > most) return false;
      if (s <= this.largest + same) continue;
      this.largest = s;
      this.which = i;
    }
    for (let j = 0; j < 3; j++) {
      const along = t[0] * r[j] + t[1] * r[3 + j] + t[2] * r[6 + j];
      const s = Math.abs(along) - b[j] - (a[0] * q[j] + a[1] * q[3 + j] + a[2] * q[6 + j]);
      if (s > most) return false;
      if (s <= this.largest + same) continue;
      this.largest = s;
      this.which = 3 + j;
    }
    const doubt = (DOUBT / 1e-12) * same;
    for (let i = 0; i < 3; i++) {
      const i1 = i === 2 ? 0 : i + 1;
      const i2 = i === 0 ? 2 : i - 1;
      for (let j = 0; j < 3; j++) {
        const j1 = j === 2 ? 0 : j + 1;
        const j2 = j === 0 ? 2 : j - 1;
        const square = q[3 * i1 + j] * q[3 * i1 + j] + q[3 * i2 + j] * q[3 * i2 + j];
        if (!(square > PARALLEL * PARALLEL)) continue;
        const along = t[i2] * r[3 * i1 + j] - t[i1] * r[3 * i2 + j];
        const s =
          (Math.abs(along) -
            (a[i1] * q[3 * i2 + j] + a[i2] * q[3 * i1 + j] + b[j1] * q[3 * i + j2] + b[j2] * q[3 * i + j1])) /
          Math.sqrt(square);
        if (s > most) return false;
        if (s <= this.largest + (this.which < 6 ? doubt : same)) continue;
        this.largest = s;
        this.which = 6 + 3 * i + j;
      }
    }
    // the direction, from A to B
    const { which } = this;
    if (which < 3) for (let k = 0; k < 3; k++) n[k] = k === which ? (t[k] < 0 ? -1 : 1) : 0;
    else if (which < 6) {
      const j = which - 3;
      const sign = t[0] * r[j] + t[1] * r[3 + j] + t[2] * r[6 + j] < 0 ? -1 : 1;
      for (let k = 0; k < 3; k++) n[k] = sign * r[3 * k + j];
    } else {
      const i = which < 9 ? 0 : which < 12 ? 1 : 2;
      const j = which - 6 - 3 * i;
      const i1 = i === 2 ? 0 : i + 1;
      const i2 = i === 0 ? 2 : i - 1;
      const along = t[i2] * r[3 * i1 + j] - t[i1] * r[3 * i2 + j];
      const length = Math.sqrt(q[3 * i1 + j] * q[3 * i1 + j] + q[3 * i2 + j] * q[3 * i2 + j]);
      const per = (along < 0 ? -1 : 1) / length;
      n[i] = 0;
      n[i1] = -per * r[3 * i2 + j];
      n[i2] = per * r[3 * i1 + j];
      if (this.largest <= 0) this.edges(a, b, r, t, i, j);
    }
    return true;
  }

  /** Points of the edge i of A and the edge j of B that face each other, nearest to each other */
  private edges(a: Float64Array, b: Float64Array, r: Float64Array, t: Float64Array, i: number, j: number): void {
    const { normal: n, pointA, pointB } = this;
    for (let k = 0; k < 3; k++) {
      pointA[k] = k === i ? 0 : n[k] > 0 ? a[k] : -a[k];
      pointB[k] = t[k];
    }
    for (let m = 0; m < 3; m++) {
      if (m === j) continue;
      const along = n[0] * r[m] + n[1] * r[3 + m] + n[2] * r[6 + m];
      const side = along > 0 ? -b[m] : b[m];
      for (let k = 0; k < 3; k++) pointB[k] += side * r[3 * k + m];
    }
    // e_i along A's, B_j along B's: both feet of the common perpendicular
    const cosine = r[3 * i + j];
    const x = pointB[0] - pointA[0];
    const y = pointB[1] - pointA[1];
    const z = pointB[2] - pointA[2];
    const alongA = i === 0 ? x : i === 1 ? y : z;
    const alongB = x * r[j] + y * r[3 + j] + z * r[6 + j];
    const per = 1 / (1 - cosine * cosine);
    const p = (alongA - cosine * alongB) * per;
    const q = (cosine * alongA - alongB) * per;
    pointA[i] += Math.min(a[i], Math.max(-a[i], p));
    const along = Math.min(b[j], Math.max(-b[j], q));
    for (let k = 0; k < 3; k++) pointB[k] += along * r[3 * k + j];
  }
}
