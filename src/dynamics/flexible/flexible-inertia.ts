/**
 * A flexible body in the floating frame of its node: its own forces (flexible-forces.ts) with their derivatives by q, η, η' and the motion of the node. With
 *
 *   J_k = tr(N_k + N_kᵀ) 1 − (N_k + N_kᵀ),   Nd_k = Σ_l η_l Ckl
 *
 *   by η_k   F = 2 ω × p_k                       T = 2 (tr(N_k) ω − N_kᵀ ω)        Q_l = 2 Clk : [ω] + D_lk
 *   by q_k   F = α × p_k + ω × (ω × p_k)         T = p_k × a + J_k α + ω × J_k ω + 2 (tr(Nd_k) ω − Nd_kᵀ ω) + Σ_l η_l' ax(Ckl)
 *                                                Q_l = ax(Ckl) · α + Ckl : (ω ωᵀ − ω² 1) + K_lk
 *   β_k      of Q_k by ω of the node             2 (v × p_k + N_k ω − tr(N_k) ω + Σ_l η_l ax(Clk))
 */
import type { FlexibleNode, Tree } from '../../assembly/system.js';
import { FlexibleForces } from './flexible-forces.js';

export class FlexibleInertia extends FlexibleForces {
  // of the last `differentiate`: steps go on from there to other states
  /** As `byRate` */
  readonly byAcceleration: Float64Array;
  /** 6 per coordinate, world axes at the node's origin: wrench by η_k, by q_k */
  readonly byEta: Float64Array;
  readonly byQ: Float64Array;
  /** 3 per coordinate, world axes: β_k */
  readonly beta: Float64Array;
  /** count × count: Q_l by η_k, by q_k at l · count + k */
  readonly rowsByEta: Float64Array;
  readonly rowsByQ: Float64Array;
  private readonly traces: Float64Array; // per pair: tr Ckl
  private readonly ndk = new Float64Array(9); // Σ_l η_l Ckl of one k
  private readonly vector = new Float64Array(24);

  constructor(plan: FlexibleNode, tree: Tree) {
    super(plan, tree);
    const n = this.count;
    const { c } = plan.integrals;
    this.byAcceleration = new Float64Array(6 * n);
    this.byEta = new Float64Array(6 * n);
    this.byQ = new Float64Array(6 * n);
    this.beta = new Float64Array(3 * n);
    this.rowsByEta = new Float64Array(n * n);
    this.rowsByQ = new Float64Array(n * n);
    this.traces = Float64Array.from({ length: n * n }, (_, k) => c[9 * k] + c[9 * k + 4] + c[9 * k + 8]);
  }

  /**
   * Derivatives at the state of the last `update`.
   *
   * @param acceleration 6 per node: spatial, world axes at the node's origin
   * @param rates        η' per velocity from index `at`
   */
  differentiate(
    rotation: Float64Array,
    twist: Float64Array,
    acceleration: Float64Array,
    rates: Float64Array,
    at: number,
  ): void {
    this.byAcceleration.set(this.byRate);
    if (this.inPlane !== undefined) this.inPlane.differentiate(this, rotation, twist, acceleration, rates, at);
    else this.differentiateInSpace(rotation, twist, acceleration, rates, at);
    this.differentiateStretch();
  }

  private differentiateInSpace(
    rotation: Float64Array,
    twist: Float64Array,
    acceleration: Float64Array,
    rates: Float64Array,
    at: number,
  ): void {
    const { count, node, gravity: g, ndk, n, trace, axes, traces, w, eta, byEta, byQ, beta, rowsByEta, rowsByQ } = this;
    const { integrals, stiffness, damping } = this.plan;
    const { p, c } = integrals;
    const { velocity } = this;
    const { vector: x, entries, turns } = this;
    const r = 9 * node;
    const t = 6 * node;
    const wx = twist[t];
    const wy = twist[t + 1];
    const wz = twist[t + 2];
    // in the node's axes: a from 0, α from 3, v from 6
    x[9] = acceleration[t + 3] + wy * twist[t + 5] - wz * twist[t + 4] - g[0];
    x[10] = acceleration[t + 4] + wz * twist[t + 3] - wx * twist[t + 5] - g[1];
    x[11] = acceleration[t + 5] + wx * twist[t + 4] - wy * twist[t + 3] - g[2];
    for (let j = 0; j < 3; j++) {
      const r0 = rotation[r + j];
      const r1 = rotation[r + 3 + j];
      const r2 = rotation[r + 6 + j];
      x[j] = r0 * x[9] + r1 * x[10] + r2 * x[11];
      x[3 + j] = r0 * acceleration[t] + r1 * acceleration[t + 1] + r2 * acceleration[t + 2];
      x[6 + j] = r0 * twist[t + 3] + r1 * twist[t + 4] + r2 * twist[t + 5];
    }
    const ax = x[0];
    const ay = x[1];
    const az = x[2];
    const bx = x[3];
    const by = x[4];
    const bz = x[5];
    const vx = x[6];
    const vy = x[7];
    const vz = x[8];
    const ox = w[0];
    const oy = w[1];
    const oz = w[2];
    const square = ox * ox + oy * oy + oz * oz;
    for (let k = 0; k < count; k++) {
      const m = 9 * k;
      const px = p[3 * k];
      const py = p[3 * k + 1];
      const pz = p[3 * k + 2];
      const n0 = n[m];
      const n1 = n[m + 1];
      const n2 = n[m + 2];
      const n3 = n[m + 3];
      const n4 = n[m + 4];
      const n5 = n[m + 5];
      const n6 = n[m + 6];
      const n7 = n[m + 7];
      const n8 = n[m + 8];
      const tr = trace[k];
      // ω × p, N ω, Nᵀ ω
      const sx = oy * pz - oz * py;
      const sy = oz * px - ox * pz;
      const sz = ox * py - oy * px;
      const ux = n0 * ox + n1 * oy + n2 * oz;
      const uy = n3 * ox + n4 * oy + n5 * oz;
      const uz = n6 * ox + n7 * oy + n8 * oz;
      const tx = n0 * ox + n3 * oy + n6 * oz;
      const ty = n1 * ox + n4 * oy + n7 * oz;
      const tz = n2 * ox + n5 * oy + n8 * oz;
      // by η_k
      this.outward(rotation, r, 2 * (tr * ox - tx), 2 * (tr * oy - ty), 2 * (tr * oz - tz), byEta, 6 * k);
      this.outward(rotation, r, 2 * sx, 2 * sy, 2 * sz, byEta, 6 * k + 3);
      // by q_k: α × p + ω × (ω × p)
      this.outward(
        rotation,
        r,
        by * pz - bz * py + oy * sz - oz * sy,
        bz * px - bx * pz + oz * sx - ox * sz,
        bx * py - by * px + ox * sy - oy * sx,
        byQ,
        6 * k + 3,
      );
      // J_k α and J_k ω
      const jx = 2 * tr * ox - ux - tx;
      const jy = 2 * tr * oy - uy - ty;
      const jz = 2 * tr * oz - uz - tz;
      let qx = py * az - pz * ay + oy * jz - oz * jy;
      let qy = pz * ax - px * az + oz * jx - ox * jz;
      let qz = px * ay - py * ax + ox * jy - oy * jx;
      qx += 2 * tr * bx - (2 * n0 * bx + (n1 + n3) * by + (n2 + n6) * bz);
      qy += 2 * tr * by - ((n1 + n3) * bx + 2 * n4 * by + (n5 + n7) * bz);
      qz += 2 * tr * bz - ((n2 + n6) * bx + (n5 + n7) * by + 2 * n8 * bz);
      // Σ_l η_l Ckl, Σ_l η_l' ax(Ckl), Σ_l η_l ax(Clk)
      ndk.fill(0);
      for (let index = 0; index < entries.length; index++) {
        const j = entries[index];
        let sum = 0;
        for (let l = 0, from = 9 * k * count + j; l < count; l++, from += 9) sum += eta[l] * c[from];
        ndk[j] = sum;
      }
      let cx = 0;
      let cy = 0;
      let cz = 0;
      for (let index = 0; index < turns.length; index++) {
        const j = turns[index];
        let driven = 0;
        let coupled = 0;
        for (let l = 0; l < count; l++) {
          driven += rates[at + velocity[l]] * axes[3 * (k * count + l) + j];
          coupled += eta[l] * axes[3 * (l * count + k) + j];
        }
        if (j === 0) {
          qx += driven;
          cx = coupled;
        } else if (j === 1) {
          qy += driven;
          cy = coupled;
        } else {
          qz += driven;
          cz = coupled;
        }
      }
      const traceD = ndk[0] + ndk[4] + ndk[8];
      qx += 2 * (traceD * ox - (ndk[0] * ox + ndk[3] * oy + ndk[6] * oz));
      qy += 2 * (traceD * oy - (ndk[1] * ox + ndk[4] * oy + ndk[7] * oz));
      qz += 2 * (traceD * oz - (ndk[2] * ox + ndk[5] * oy + ndk[8] * oz));
      this.outward(rotation, r, qx, qy, qz, byQ, 6 * k);
      // β_k = 2 (v × p + N ω − tr N ω + Σ_l η_l ax(Clk))
      this.outward(
        rotation,
        r,
        2 * (vy * pz - vz * py + ux - tr * ox + cx),
        2 * (vz * px - vx * pz + uy - tr * oy + cy),
        2 * (vx * py - vy * px + uz - tr * oz + cz),
        beta,
        3 * k,
      );
    }
    // Rows: Q_l by η_k and q_k
    for (let l = 0, lk = 0; l < count; l++)
      for (let k = 0; k < count; k++, lk++) {
        rowsByEta[lk] = damping[lk];
        rowsByQ[lk] = stiffness[lk];
      }
    if (square + bx * bx + by * by + bz * bz > 0)
      for (let l = 0, lk = 0; l < count; l++)
        for (let k = 0; k < count; k++, lk++) {
          const kl = k * count + l;
          const from = 9 * kl;
          rowsByEta[lk] -= 2 * (ox * axes[3 * lk] + oy * axes[3 * lk + 1] + oz * axes[3 * lk + 2]);
          rowsByQ[lk] +=
            axes[3 * kl] * bx +
            axes[3 * kl + 1] * by +
            axes[3 * kl + 2] * bz +
            ox * (c[from] * ox + (c[from + 1] + c[from + 3]) * oy + (c[from + 2] + c[from + 6]) * oz) +
            oy * (c[from + 4] * oy + (c[from + 5] + c[from + 7]) * oz) +
            c[from + 8] * oz * oz -
            square * traces[kl];
        }
  }

  /** Of the membrane term */
  private differentiateStretch(): void {
    const { count, q, tension, rowsByQ } = this;
    const { spans } = this.plan;
    for (let i = 0; i < spans.length; i++) {
      const { matrix, along, stiffness: pull } = spans[i];
      let force = this.lengthening(i);
      for (let k = 0; k < count; k++) force += along[k] * q[k];
      force *= pull;
      for (let l = 0; l < count; l++)
        for (let k = 0; k < count; k++)
          rowsByQ[l * count + k] +=
            pull * (along[l] * tension[k] + tension[l] * along[k] + tension[l] * tension[k]) +
            force * matrix[l * count + k];
    }
  }

  /** A vector of the node's axes in the world */
  private outward(
    rotation: Float64Array,
    r: number,
    x: number,
    y: number,
    z: number,
    into: Float64Array,
    to: number,
  ): void {
    into[to] = rotation[r] * x + rotation[r + 1] * y + rotation[r + 2] * z;
    into[to + 1] = rotation[r + 3] * x + rotation[r + 4] * y + rotation[r + 5] * z;
    into[to + 2] = rotation[r + 6] * x + rotation[r + 7] * y + rotation[r + 8] * z;
  }
}
