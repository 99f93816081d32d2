/**
 * Modes m of a flexible body in the articulated-body algorithm: orthogonal by the mass and carrying nothing, they are eliminated from the coordinates c of its
 * chains and from its frame by constants,
 *
 *   W = Mmm⁻¹ Mmc,   S = Mcc − Mcm W;     I −= U_mᵀ Mmm⁻¹ U_m,   U_c −= Wᵀ U_m
 *
 * The column U_k = (n_k, p_k) of a mode of a flat part is three numbers in the axes x, y, z of its frame, wherever that turns: the part is symmetric about its
 * own plane, which is at the height h, so U_k = (n z + h z × p, p) with p in the plane. What p does alone is constant; of sums Σ over modes of 1/M
 *
 *   A = Σ p pᵀ,  g = Σ n p,  a = Σ n²:    J −= a z zᵀ + h (z (z × g)ᵀ + (z × g) zᵀ) + h² [z] A [z]ᵀ,   H −= z gᵀ + h [z] A,   M −= A
 */

import { flatHeight } from './flat-part.js';
import type { FlexibleInertia } from './flexible-inertia.js';

export class ModeElimination {
  /** Modes */
  readonly count: number;
  /** Coordinates of chains: W has so many numbers per mode */
  readonly carrying: number;
  readonly share: Float64Array; // W
  readonly schur: Float64Array; // carrying × carrying: S
  readonly mass: Float64Array; // Mmm
  readonly inverse: Float64Array; // Mmm⁻¹
  readonly root: Float64Array; // Mmm^(−½)
  /** In the frame's axes: A (xx, xy, yy), and Σ W p, 2 per coordinate of chains */
  readonly still = new Float64Array(3);
  readonly shareMoved: Float64Array;
  /** Height of the plane of a flat part over its frame, m; NaN: it is not flat */
  private readonly height: number;
  private readonly flexible: FlexibleInertia;

  constructor(flexible: FlexibleInertia) {
    this.flexible = flexible;
    const { mass, carrying: c, integrals } = flexible.plan;
    const n = flexible.count;
    this.carrying = c;
    this.count = n - c;
    this.height = flatHeight(flexible.plan);
    this.schur = new Float64Array(c * c);
    this.mass = Float64Array.from({ length: n - c }, (_, k) => mass[(c + k) * (n + 1)]);
    this.inverse = this.mass.map((own) => 1 / own);
    this.root = this.mass.map((own) => 1 / Math.sqrt(own));
    this.share = Float64Array.from({ length: (n - c) * c }, (_, at) => {
      const k = Math.floor(at / c);
      return mass[(c + k) * n + (at % c)] / this.mass[k];
    });
    for (let i = 0; i < c; i++)
      for (let j = 0; j < c; j++) {
        let sum = mass[i * n + j];
        for (let k = 0; k < n - c; k++) sum -= mass[i * n + c + k] * this.share[k * c + j];
        this.schur[i * c + j] = sum;
      }
    this.shareMoved = new Float64Array(2 * c);
    const { p } = integrals;
    for (let k = 0; k < n - c; k++) {
      const [x, y] = [p[3 * (c + k)], p[3 * (c + k) + 1]];
      this.still[0] += x * x * this.inverse[k];
      this.still[1] += x * y * this.inverse[k];
      this.still[2] += y * y * this.inverse[k];
      for (let i = 0; i < c; i++) {
        this.shareMoved[2 * i] += this.share[k * c + i] * x;
        this.shareMoved[2 * i + 1] += this.share[k * c + i] * y;
      }
    }
  }

  /** I −= U_mᵀ Mmm⁻¹ U_m (21 numbers from `at`), and U_c −= Wᵀ U_m of `column`, 6 per coordinate of chains */
  take(column: Float64Array, rotation: Float64Array, inertia: Float64Array, at: number): void {
    if (this.count === 0) return;
    if (Number.isNaN(this.height)) this.takeAny(column, inertia, at);
    else this.takeFlat(column, rotation, inertia, at);
  }

  private takeAny(column: Float64Array, inertia: Float64Array, at: number): void {
    const { carrying: c, share, inverse } = this;
    const { byRate } = this.flexible;
    for (let k = 0; k < inverse.length; k++) {
      const from = 6 * (c + k);
      subtractSquares(byRate, byRate, from, 1, inverse[k], inertia, at);
      for (let i = 0; i < c; i++) {
        const w = share[k * c + i];
        for (let j = 0; j < 6; j++) column[6 * i + j] -= w * byRate[from + j];
      }
    }
  }

  private takeFlat(column: Float64Array, rotation: Float64Array, inertia: Float64Array, at: number): void {
    const { carrying: c, share, shareMoved, still, inverse, flexible, height: h } = this;
    const { p } = flexible.plan.integrals;
    const { axial } = flexible;
    let nn = 0;
    let nx = 0;
    let ny = 0;
    for (let k = 0, m = c; k < inverse.length; k++, m++) {
      const own = axial[m];
      const y = own * inverse[k];
      nn += own * y;
      nx += p[3 * m] * y;
      ny += p[3 * m + 1] * y;
    }
    const r = 9 * flexible.node;
    const x0 = rotation[r];
    const x1 = rotation[r + 3];
    const x2 = rotation[r + 6];
    const y0 = rotation[r + 1];
    const y1 = rotation[r + 4];
    const y2 = rotation[r + 7];
    const z0 = rotation[r + 2];
    const z1 = rotation[r + 5];
    const z2 = rotation[r + 8];
    const xx = still[0];
    const xy = still[1];
    const yy = still[2];
    // A = x aᵀ + y bᵀ, [z] A = y aᵀ − x bᵀ, [z] A [z]ᵀ = y cᵀ − x dᵀ
    const a0 = xx * x0 + xy * y0;
    const a1 = xx * x1 + xy * y1;
    const a2 = xx * x2 + xy * y2;
    const b0 = xy * x0 + yy * y0;
    const b1 = xy * x1 + yy * y1;
    const b2 = xy * x2 + yy * y2;
    const hh = h * h;
    const c0 = hh * (xx * y0 - xy * x0);
    const c1 = hh * (xx * y1 - xy * x1);
    const c2 = hh * (xx * y2 - xy * x2);
    const d0 = hh * (xy * y0 - yy * x0);
    const d1 = hh * (xy * y1 - yy * x1);
    const d2 = hh * (xy * y2 - yy * x2);
    const g0 = nx * x0 + ny * y0;
    const g1 = nx * x1 + ny * y1;
    const g2 = nx * x2 + ny * y2;
    // h z × g
    const k0 = h * (nx * y0 - ny * x0);
    const k1 = h * (nx * y1 - ny * x1);
    const k2 = h * (nx * y2 - ny * x2);
    inertia[at] -= z0 * (nn * z0 + 2 * k0) + y0 * c0 - x0 * d0;
    inertia[at + 1] -= z1 * (nn * z1 + 2 * k1) + y1 * c1 - x1 * d1;
    inertia[at + 2] -= z2 * (nn * z2 + 2 * k2) + y2 * c2 - x2 * d2;
    inertia[at + 3] -= z0 * (nn * z1 + k1) + k0 * z1 + y0 * c1 - x0 * d1;
    inertia[at + 4] -= z0 * (nn * z2 + k2) + k0 * z2 + y0 * c2 - x0 * d2;
    inertia[at + 5] -= z1 * (nn * z2 + k2) + k1 * z2 + y1 * c2 - x1 * d2;
    inertia[at + 6] -= z0 * g0 + h * (y0 * a0 - x0 * b0);
    inertia[at + 7] -= z0 * g1 + h * (y0 * a1 - x0 * b1);
    inertia[at + 8] -= z0 * g2 + h * (y0 * a2 - x0 * b2);
    inertia[at + 9] -= z1 * g0 + h * (y1 * a0 - x1 * b0);
    inertia[at + 10] -= z1 * g1 + h * (y1 * a1 - x1 * b1);
    inertia[at + 11] -= z1 * g2 + h * (y1 * a2 - x1 * b2);
    inertia[at + 12] -= z2 * g0 + h * (y2 * a0 - x2 * b0);
    inertia[at + 13] -= z2 * g1 + h * (y2 * a1 - x2 * b1);
    inertia[at + 14] -= z2 * g2 + h * (y2 * a2 - x2 * b2);
    inertia[at + 15] -= a0 * x0 + b0 * y0;
    inertia[at + 16] -= a1 * x1 + b1 * y1;
    inertia[at + 17] -= a2 * x2 + b2 * y2;
    inertia[at + 18] -= a0 * x1 + b0 * y1;
    inertia[at + 19] -= a0 * x2 + b0 * y2;
    inertia[at + 20] -= a1 * x2 + b1 * y2;
    for (let i = 0; i < c; i++) {
      let turned = 0;
      for (let k = 0, w = i; k < inverse.length; k++, w += c) turned += share[w] * axial[c + k];
      const x = shareMoved[2 * i];
      const y = shareMoved[2 * i + 1];
      const to = 6 * i;
      column[to] -= turned * z0 + h * (x * y0 - y * x0);
      column[to + 1] -= turned * z1 + h * (x * y1 - y * x1);
      column[to + 2] -= turned * z2 + h * (x * y2 - y * x2);
      column[to + 3] -= x * x0 + y * y0;
      column[to + 4] -= x * x1 + y * y1;
      column[to + 5] -= x * x2 + y * y2;
    }
  }
}

/** I −= factor Σ u gᵀ of `count` columns of six from `from` on; many sums side by side, none waits for the one before */
export function subtractSquares(
  u: Float64Array,
  g: Float64Array,
  from: number,
  count: number,
  factor: number,
  inertia: Float64Array,
  at: number,
): void {
  for (let row = 0; row < 6; row += 2) {
    let a0 = 0;
    let a1 = 0;
    let a2 = 0;
    let a3 = 0;
    let a4 = 0;
    let a5 = 0;
    let b1 = 0;
    let b2 = 0;
    let b3 = 0;
    let b4 = 0;
    let b5 = 0;
    for (let k = from; k < from + 6 * count; k += 6) {
      const a = factor * u[k + row];
      const b = factor * u[k + row + 1];
      a0 += a * g[k];
      a1 += a * g[k + 1];
      a2 += a * g[k + 2];
      a3 += a * g[k + 3];
      a4 += a * g[k + 4];
      a5 += a * g[k + 5];
      b1 += b * g[k + 1];
      b2 += b * g[k + 2];
      b3 += b * g[k + 3];
      b4 += b * g[k + 4];
      b5 += b * g[k + 5];
    }
    // the 21 numbers: J xx yy zz xy xz yz, H row by row, M xx yy zz xy xz yz
    if (row === 0) {
      inertia[at] -= a0;
      inertia[at + 3] -= a1;
      inertia[at + 4] -= a2;
      inertia[at + 6] -= a3;
      inertia[at + 7] -= a4;
      inertia[at + 8] -= a5;
      inertia[at + 1] -= b1;
      inertia[at + 5] -= b2;
      inertia[at + 9] -= b3;
      inertia[at + 10] -= b4;
      inertia[at + 11] -= b5;
    } else if (row === 2) {
      inertia[at + 2] -= a2;
      inertia[at + 12] -= a3;
      inertia[at + 13] -= a4;
      inertia[at + 14] -= a5;
      inertia[at + 15] -= b3;
      inertia[at + 18] -= b4;
      inertia[at + 19] -= b5;
    } else {
      inertia[at + 16] -= a4;
      inertia[at + 20] -= a5;
      inertia[at + 17] -= b5;
    }
  }
}
