/**
 * A flat part that turns about the normal z of its plane alone, because every joint between it and the ground does: the short form of
 * flexible-forces.ts and flexible-inertia.ts, which needs traces and axial parts only. With
 *
 *   h_k = tr C0k,  c_k = ax(C0k)_z,  M_kl = tr Ckl,  B_kl = ax(Ckl)_z = −B_lk
 *
 *   hq = h + M q      n = c − B q      J_z = tr C00 + q · (h + hq)
 *   F  = 2 ω × pd,    T = 2 ω hq · η,  Q = −ω² hq − 2 ω B η + K q + D η + p · (ω × v)
 *
 *   by η_k   F = 2 ω × p_k             T = 2 ω hq_k                                          Q_l = D_lk − 2 ω B_lk
 *   by q_k   F = α × p_k − ω² p_k      T = p_k × a + 2 α hq_k + 2 ω (M η)_k + (B η')_k       Q_l = K_lk + α B_kl − ω² M_kl
 *   β_k      2 (v × p_k − ω hq_k − (B η)_k)
 *
 * Modes are orthogonal by mass and stiffness. A part beside the plane of its frame (s_z ≠ 0) loads its joints across: C0k has a third row l_k = s_z p_k / m,
 * which is in torques that are reactions. Moments of inertia about axes in the plane turn nothing and stay those of the undeformed part.
 */
import type { FlexibleNode } from '../../assembly/system.js';

/** What the short form gives; flexible-forces.ts */
export interface OwnForces {
  readonly node: number;
  readonly q: Float64Array;
  readonly eta: Float64Array;
  readonly byRate: Float64Array;
  readonly bias: Float64Array;
  readonly own: Float64Array;
  readonly axial: Float64Array;
  readonly momentum: Float64Array;
  readonly gyroscopic: Float64Array;
  readonly elasticityApart: boolean;
}

/** And of derivatives; flexible-inertia.ts */
export interface OwnDerivatives extends OwnForces {
  readonly velocity: Int32Array;
  readonly gravity: Float64Array;
  readonly byEta: Float64Array;
  readonly byQ: Float64Array;
  readonly beta: Float64Array;
  readonly rowsByEta: Float64Array;
  readonly rowsByQ: Float64Array;
}

export class InPlane {
  /** The z axes of the node and of the world are the same: its tree stays in the world's xy plane (plane-motion.ts). */
  upright = false;
  private readonly plan: FlexibleNode;
  private readonly count: number;
  private readonly turns: Float64Array; // n × n: B
  private readonly h: Float64Array;
  private readonly c: Float64Array;
  private readonly height: number; // s_z / m, m
  private readonly sums = new Float64Array(6); // s_x, s_y, pd_x, pd_y, J_z, hq · η
  private readonly hq: Float64Array;
  private readonly turning: Float64Array; // B η
  private readonly rates: Float64Array; // η'

  constructor(plan: FlexibleNode) {
    const { c, c0 } = plan.integrals;
    const n = plan.nodes.length;
    this.plan = plan;
    this.count = n;
    this.turns = Float64Array.from({ length: n * n }, (_, at) => c[9 * at + 1] - c[9 * at + 3]);
    this.h = Float64Array.from({ length: n }, (_, k) => c0[9 * k] + c0[9 * k + 4]);
    this.c = Float64Array.from({ length: n }, (_, k) => c0[9 * k + 1] - c0[9 * k + 3]);
    this.height = plan.integrals.s0[2] / plan.integrals.mass;
    this.hq = new Float64Array(n);
    this.turning = new Float64Array(n);
    this.rates = new Float64Array(n);
  }

  /** At q and η of `of`, once the node's pose and twist are known. Writes the node's centre of mass and inertia about its origin, world axes. */
  update(
    of: OwnForces,
    rotation: Float64Array,
    twist: Float64Array,
    centre: Float64Array,
    inertia: Float64Array,
  ): void {
    this.contract(of);
    if (this.upright) this.placeUpright(of, rotation, twist, centre, inertia);
    else this.place(of, rotation, twist, centre, inertia);
  }

  /** Sums over the coordinates, in the node's axes; the rest of Q. @param w, vx, vy motion of the node */
  private gather({ q, eta, own }: OwnForces, w: number, vx: number, vy: number): void {
    const { count, h, hq, turning, sums } = this;
    const { p, c00, s0 } = this.plan.integrals;
    let sx = s0[0];
    let sy = s0[1];
    let px = 0;
    let py = 0;
    let spin = c00[0] + c00[4]; // J_z
    let stir = 0; // hq · η
    for (let k = 0, m = 0; k < count; k++, m += 3) {
      const x = q[k];
      const e = eta[k];
      const a = p[m];
      const b = p[m + 1];
      const hk = hq[k];
      sx += x * a;
      sy += x * b;
      px += e * a;
      py += e * b;
      spin += x * (h[k] + hk);
      stir += e * hk;
      own[k] += w * (b * vx - a * vy - w * hk - 2 * turning[k]);
    }
    sums[0] = sx;
    sums[1] = sy;
    sums[2] = px;
    sums[3] = py;
    sums[4] = spin;
    sums[5] = stir;
  }

  private place(
    of: OwnForces,
    rotation: Float64Array,
    twist: Float64Array,
    centre: Float64Array,
    inertia: Float64Array,
  ): void {
    const { count, height, sums } = this;
    const { node, byRate, bias, axial, momentum, gyroscopic } = of;
    const { p, c00, s0, mass } = this.plan.integrals;
    const r = 9 * node;
    // the node's axes in the world
    const x0 = rotation[r];
    const x1 = rotation[r + 3];
    const x2 = rotation[r + 6];
    const y0 = rotation[r + 1];
    const y1 = rotation[r + 4];
    const y2 = rotation[r + 7];
    const z0 = rotation[r + 2];
    const z1 = rotation[r + 5];
    const z2 = rotation[r + 8];
    const t = 6 * node;
    const w = z0 * twist[t] + z1 * twist[t + 1] + z2 * twist[t + 2];
    const vx = x0 * twist[t + 3] + x1 * twist[t + 4] + x2 * twist[t + 5];
    const vy = y0 * twist[t + 3] + y1 * twist[t + 4] + y2 * twist[t + 5];
    this.gather(of, w, vx, vy);
    for (let k = 0, m = 0, at = 0; k < count; k++, m += 3, at += 6) {
      // (n_k, p_k); ax(C0k) across the normal is (−l_y, l_x)
      const n = axial[k];
      const fx = p[m];
      const fy = p[m + 1];
      const l0 = height * fx;
      const l1 = height * fy;
      byRate[at] = n * z0 - l1 * x0 + l0 * y0;
      byRate[at + 1] = n * z1 - l1 * x1 + l0 * y1;
      byRate[at + 2] = n * z2 - l1 * x2 + l0 * y2;
      byRate[at + 3] = fx * x0 + fy * y0;
      byRate[at + 4] = fx * x1 + fy * y1;
      byRate[at + 5] = fx * x2 + fy * y2;
    }

    const sx = sums[0];
    const sy = sums[1];
    const px = sums[2];
    const py = sums[3];
    const stir = sums[5];
    const sz = s0[2];
    const per = 1 / mass;
    centre[3 * node] = per * (sx * x0 + sy * y0 + sz * z0);
    centre[3 * node + 1] = per * (sx * x1 + sy * y1 + sz * z1);
    centre[3 * node + 2] = per * (sx * x2 + sy * y2 + sz * z2);
    // J = a x xᵀ + b y yᵀ + J_z z zᵀ − … ; J − a 1 leaves two squares
    const a = c00[4] + c00[8];
    const b = c00[0] + c00[8] - a;
    const d = sums[4] - a;
    const xy = -c00[1];
    const xz = c00[2] + height * (sx - s0[0]);
    const yz = c00[5] + height * (sy - s0[1]);
    const i6 = 6 * node;
    inertia[i6] = a + b * y0 * y0 + d * z0 * z0 + 2 * (xy * x0 * y0 - xz * x0 * z0 - yz * y0 * z0);
    inertia[i6 + 1] = a + b * y1 * y1 + d * z1 * z1 + 2 * (xy * x1 * y1 - xz * x1 * z1 - yz * y1 * z1);
    inertia[i6 + 2] = a + b * y2 * y2 + d * z2 * z2 + 2 * (xy * x2 * y2 - xz * x2 * z2 - yz * y2 * z2);
    const uz0 = xz * x0 + yz * y0;
    const uz1 = xz * x1 + yz * y1;
    const uz2 = xz * x2 + yz * y2;
    inertia[i6 + 3] = b * y0 * y1 + d * z0 * z1 + xy * (x0 * y1 + y0 * x1) - uz0 * z1 - z0 * uz1;
    inertia[i6 + 4] = b * y0 * y2 + d * z0 * z2 + xy * (x0 * y2 + y0 * x2) - uz0 * z2 - z0 * uz2;
    inertia[i6 + 5] = b * y1 * y2 + d * z1 * z2 + xy * (x1 * y2 + y1 * x2) - uz1 * z2 - z1 * uz2;

    // 2 (tr(Nd) 1 − Ndᵀ), of which the column of z alone is ever used
    momentum[0] = px * x0 + py * y0;
    momentum[1] = px * x1 + py * y1;
    momentum[2] = px * x2 + py * y2;
    const l0 = height * momentum[0];
    const l1 = height * momentum[1];
    const l2 = height * momentum[2];
    gyroscopic[0] = 2 * (stir - l0 * z0);
    gyroscopic[1] = -2 * l0 * z1;
    gyroscopic[2] = -2 * l0 * z2;
    gyroscopic[3] = -2 * l1 * z0;
    gyroscopic[4] = 2 * (stir - l1 * z1);
    gyroscopic[5] = -2 * l1 * z2;
    gyroscopic[6] = -2 * l2 * z0;
    gyroscopic[7] = -2 * l2 * z1;
    gyroscopic[8] = 2 * (stir - l2 * z2);
    const twice = 2 * w;
    bias[0] = twice * (stir * z0 - l0);
    bias[1] = twice * (stir * z1 - l1);
    bias[2] = twice * (stir * z2 - l2);
    bias[3] = twice * (px * y0 - py * x0);
    bias[4] = twice * (px * y1 - py * x1);
    bias[5] = twice * (px * y2 - py * x2);
  }

  /** `place` with z = (0, 0, 1): what is zero then stays zero. */
  private placeUpright(
    of: OwnForces,
    rotation: Float64Array,
    twist: Float64Array,
    centre: Float64Array,
    inertia: Float64Array,
  ): void {
    const { count, height, sums } = this;
    const { node, byRate, bias, axial, momentum, gyroscopic } = of;
    const { p, c00, s0, mass } = this.plan.integrals;
    const cos = rotation[9 * node];
    const sin = rotation[9 * node + 3];
    const t = 6 * node;
    const w = twist[t + 2];
    this.gather(of, w, cos * twist[t + 3] + sin * twist[t + 4], cos * twist[t + 4] - sin * twist[t + 3]);
    for (let k = 0, m = 0, at = 0; k < count; k++, m += 3, at += 6) {
      const fx = p[m] * cos - p[m + 1] * sin;
      const fy = p[m] * sin + p[m + 1] * cos;
      byRate[at] = -height * fy;
      byRate[at + 1] = height * fx;
      byRate[at + 2] = axial[k];
      byRate[at + 3] = fx;
      byRate[at + 4] = fy;
    }

    const sx = sums[0];
    const sy = sums[1];
    const per = 1 / mass;
    centre[3 * node] = per * (sx * cos - sy * sin);
    centre[3 * node + 1] = per * (sx * sin + sy * cos);
    centre[3 * node + 2] = height;
    const a = c00[4] + c00[8];
    const b = c00[0] - c00[4];
    const xy = -c00[1];
    const xz = c00[2] + height * (sx - s0[0]);
    const yz = c00[5] + height * (sy - s0[1]);
    inertia[t] = a + b * sin * sin - 2 * xy * sin * cos;
    inertia[t + 1] = a + b * cos * cos + 2 * xy * sin * cos;
    inertia[t + 2] = sums[4];
    inertia[t + 3] = xy * (cos * cos - sin * sin) - b * sin * cos;
    inertia[t + 4] = yz * sin - xz * cos;
    inertia[t + 5] = -xz * sin - yz * cos;

    const px = sums[2] * cos - sums[3] * sin;
    const py = sums[2] * sin + sums[3] * cos;
    const stir = sums[5];
    momentum[0] = px;
    momentum[1] = py;
    gyroscopic[0] = gyroscopic[4] = gyroscopic[8] = 2 * stir;
    gyroscopic[2] = -2 * height * px;
    gyroscopic[5] = -2 * height * py;
    const twice = 2 * w;
    bias[0] = -twice * height * px;
    bias[1] = -twice * height * py;
    bias[2] = twice * stir;
    bias[3] = -twice * py;
    bias[4] = twice * px;
  }

  /** hq, n, B η, and K q + D η into `own`; two rows at a time, sums side by side, none waits for another */
  private contract({ q, eta, own, axial, elasticityApart }: OwnForces): void {
    const { count: n, turns, c, turning } = this;
    const { damping } = this.plan;
    for (let k = 0, at = 0; k < n; k += 2, at += 2 * n) {
      const last = k + 1 === n;
      let next = last ? at : at + n;
      let bq = 0;
      let be = 0;
      let de = 0;
      let bq1 = 0;
      let be1 = 0;
      let de1 = 0;
      for (let l = 0, row = at; l < n; l++, row++, next++) {
        const x = q[l];
        const e = eta[l];
        const b = turns[row];
        const b1 = turns[next];
        bq += b * x;
        be += b * e;
        bq1 += b1 * x;
        be1 += b1 * e;
        de += damping[row] * e;
        de1 += damping[next] * e;
      }
      turning[k] = be;
      axial[k] = c[k] - bq;
      own[k] = de;
      if (last) break;
      turning[k + 1] = be1;
      axial[k + 1] = c[k + 1] - bq1;
      own[k + 1] = de1;
    }
    this.hold(q, own);
    if (elasticityApart) own.fill(0);
  }

  /** hq, and K q beside what is in `own`: of modes mass and stiffness are diagonal, and no stiffness ties them to chains */
  private hold(q: Float64Array, own: Float64Array): void {
    const { count: n, h, hq } = this;
    const { mass, stiffness, carrying: c } = this.plan;
    for (let k = 0; k < c; k++) {
      let mq = 0;
      let kq = 0;
      for (let l = 0, at = k * n; l < c; l++, at++) {
        mq += mass[at] * q[l];
        kq += stiffness[at] * q[l];
      }
      for (let l = c, at = k * n + c; l < n; l++, at++) mq += mass[at] * q[l];
      hq[k] = h[k] + mq;
      own[k] += kq;
    }
    for (let k = c; k < n; k++) {
      const diagonal = k * n + k;
      let mq = mass[diagonal] * q[k];
      for (let l = 0, at = k * n; l < c; l++, at++) mq += mass[at] * q[l];
      hq[k] = h[k] + mq;
      own[k] += stiffness[diagonal] * q[k];
    }
  }

  /**
   * Derivatives at the state of the last `update`, but for the membrane's.
   *
   * @param acceleration 6 per node: spatial, world axes at the node's origin
   * @param rates        η' per velocity from index `at`
   */
  differentiate(
    of: OwnDerivatives,
    rotation: Float64Array,
    twist: Float64Array,
    acceleration: Float64Array,
    rates: Float64Array,
    at: number,
  ): void {
    const { count: n, turns, hq, turning, rates: own } = this;
    const { node, eta, gravity: g, velocity, byEta, byQ, beta, rowsByEta, rowsByQ } = of;
    const { mass, stiffness, damping, integrals } = this.plan;
    const { p } = integrals;
    const r = 9 * node;
    const x0 = rotation[r];
    const x1 = rotation[r + 3];
    const x2 = rotation[r + 6];
    const y0 = rotation[r + 1];
    const y1 = rotation[r + 4];
    const y2 = rotation[r + 7];
    const z0 = rotation[r + 2];
    const z1 = rotation[r + 5];
    const z2 = rotation[r + 8];
    const t = 6 * node;
    const w = z0 * twist[t] + z1 * twist[t + 1] + z2 * twist[t + 2];
    const vx = x0 * twist[t + 3] + x1 * twist[t + 4] + x2 * twist[t + 5];
    const vy = y0 * twist[t + 3] + y1 * twist[t + 4] + y2 * twist[t + 5];
    const alpha = z0 * acceleration[t] + z1 * acceleration[t + 1] + z2 * acceleration[t + 2];
    const b0 = acceleration[t + 3] - g[0];
    const b1 = acceleration[t + 4] - g[1];
    const b2 = acceleration[t + 5] - g[2];
    const ax = x0 * b0 + x1 * b1 + x2 * b2 - w * vy;
    const ay = y0 * b0 + y1 * b1 + y2 * b2 + w * vx;
    const square = w * w;
    for (let l = 0; l < n; l++) own[l] = rates[at + velocity[l]];
    for (let k = 0, row = 0; k < n; k++, row += n) {
      const px = p[3 * k];
      const py = p[3 * k + 1];
      let driven = 0;
      let moved = 0;
      for (let l = 0; l < n; l++) {
        const b = turns[row + l];
        const m = mass[row + l];
        driven += b * own[l];
        moved += m * eta[l];
        rowsByEta[row + l] = damping[row + l] - 2 * w * b;
        rowsByQ[row + l] = stiffness[row + l] - alpha * b - square * m;
      }
      const stir = 2 * w * hq[k];
      byEta[6 * k] = stir * z0;
      byEta[6 * k + 1] = stir * z1;
      byEta[6 * k + 2] = stir * z2;
      byEta[6 * k + 3] = 2 * w * (px * y0 - py * x0);
      byEta[6 * k + 4] = 2 * w * (px * y1 - py * x1);
      byEta[6 * k + 5] = 2 * w * (px * y2 - py * x2);
      const torque = px * ay - py * ax + 2 * (alpha * hq[k] + w * moved) + driven;
      const fx = -alpha * py - square * px;
      const fy = alpha * px - square * py;
      byQ[6 * k] = torque * z0;
      byQ[6 * k + 1] = torque * z1;
      byQ[6 * k + 2] = torque * z2;
      byQ[6 * k + 3] = fx * x0 + fy * y0;
      byQ[6 * k + 4] = fx * x1 + fy * y1;
      byQ[6 * k + 5] = fx * x2 + fy * y2;
      const twist2 = 2 * (vx * py - vy * px - w * hq[k] - turning[k]);
      beta[3 * k] = twist2 * z0;
      beta[3 * k + 1] = twist2 * z1;
      beta[3 * k + 2] = twist2 * z2;
    }
  }
}
