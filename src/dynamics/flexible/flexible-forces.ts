/**
 * Own inertia, stiffness and damping of a flexible body in the floating frame of its node, coordinates q_k and rates η_k.
 *
 * Integrals over the undeformed body are constant in the node's axes (flexible-bodies/shape-integrals.ts); per state
 *
 *   s = s0 + Σ q_k p_k      N_k = C0k + Σ_l q_l Clk      G = C00 + Σ q_k (C0kᵀ + N_k)      J = tr(G) 1 − G      n_k = ax(N_k)
 *   Nd = Σ η_k N_k          pd = Σ η_k p_k               ax(A) = (A23 − A32, A31 − A13, A12 − A21)
 *
 * The rigid part m, s, J is in the node's own inertia; beyond it, with ω, α and a (classical acceleration of the node's origin less gravity),
 *
 *   F   = 2 ω × pd + Σ p_k η_k'
 *   T   = 2 (tr(Nd) ω − Ndᵀ ω) + Σ n_k η_k'
 *   Q_k = p_k · a + n_k · α + ωᵀ N_k ω − ω² tr N_k − 2 ω · Σ_l η_l ax(Ckl) + (Mff η')_k + (K q)_k + (D η)_k
 *
 * Shabana, Dynamics of Multibody Systems, ch. 5; Schwertassek & Wallrapp, Dynamik flexibler Mehrkörpersysteme (1999).
 */
import type { FlexibleNode, Tree } from '../../assembly/system.js';
import { movesInPlane } from './flat-part.js';
import { InPlane } from './flexible-in-plane.js';

export class FlexibleForces {
  readonly plan: FlexibleNode;
  /** Node of the frame */
  readonly node: number;
  readonly count: number;
  /** Per coordinate: tree node, place in q, place in v */
  readonly nodes: Int32Array;
  readonly coordinate: Int32Array;
  readonly velocity: Int32Array;
  /** At the last update: q, η */
  readonly q: Float64Array;
  readonly eta: Float64Array;
  /** 6 per coordinate, world axes at the node's origin: (n_k, p_k), the wrench by η_k' */
  readonly byRate: Float64Array;
  /** Per coordinate: n_k along the node's z axis */
  readonly axial: Float64Array;
  /** 6, world axes: 2 (tr(Nd) ω − Ndᵀ ω), 2 ω × pd */
  readonly bias = new Float64Array(6);
  /** Per coordinate: Q_k without accelerations and weight */
  readonly own: Float64Array;
  /** K q and D η are left out of `own`: somebody solves for them, as for the joints of a time-stepping run. */
  elasticityApart = false;
  /** Gravity at the body, m/s², world; set where weights are added up */
  readonly gravity = new Float64Array(3);
  /** World axes: pd, and 2 (tr(Nd) 1 − Ndᵀ) row by row */
  readonly momentum = new Float64Array(3);
  readonly gyroscopic = new Float64Array(9);
  // in the node's axes
  private readonly s = new Float64Array(3);
  protected readonly n: Float64Array; // 9 per coordinate: N_k
  /** Entries (0 … 8) that Ckl of any pair has, planar parts four; of each the matrix over (k, l) of Clk */
  protected readonly entries: Int32Array;
  private readonly byEntry: readonly Float64Array[];
  /** The same of ax(Ckl), planar parts one */
  protected readonly turns: Int32Array;
  private readonly byTurn: readonly Float64Array[];
  /** Entries that N_k or its transpose has; C0kᵀ, 9 per coordinate */
  private readonly used: Int32Array;
  private readonly mirrored: Float64Array;
  protected readonly trace: Float64Array;
  protected readonly axes: Float64Array; // 3 per pair: ax(Ckl)
  private readonly g = new Float64Array(9);
  private readonly nd = new Float64Array(9);
  protected readonly w = new Float64Array(3);
  protected readonly tension: Float64Array; // Gm q
  /** Of a flat part that turns in its plane alone */
  readonly inPlane: InPlane | undefined;

  constructor(plan: FlexibleNode, tree: Tree) {
    this.plan = plan;
    this.node = plan.node;
    this.nodes = plan.nodes;
    const n = plan.nodes.length;
    this.count = n;
    this.coordinate = Int32Array.from(plan.nodes, (node) => tree.q[node]);
    this.velocity = Int32Array.from(plan.nodes, (node) => tree.v[node]);
    this.q = new Float64Array(n);
    this.eta = new Float64Array(n);
    this.byRate = new Float64Array(6 * n);
    this.own = new Float64Array(n);
    this.axial = new Float64Array(n);
    this.n = plan.integrals.c0.slice();
    this.trace = new Float64Array(n);
    this.axes = new Float64Array(3 * n * n);
    this.tension = new Float64Array(n);
    this.inPlane = movesInPlane(plan, tree) ? new InPlane(plan) : undefined;
    const { c, c0 } = plan.integrals;
    this.mirrored = Float64Array.from(c0, (_, at) => c0[at - (at % 9) + MIRROR[at % 9]]);
    const both = new Float64Array(9 * (n * n + 2 * n));
    both.set(c);
    both.set(c0, 9 * n * n);
    both.set(this.mirrored, 9 * (n * n + n));
    this.used = present(both, 9);
    for (let k = 0; k < n * n; k++) axial(c, 9 * k, this.axes, 3 * k);
    this.entries = present(c, 9);
    this.byEntry = Array.from(this.entries, (j) =>
      Float64Array.from({ length: n * n }, (_, at) => c[9 * ((at % n) * n + Math.floor(at / n)) + j]),
    );
    this.turns = present(this.axes, 3);
    this.byTurn = Array.from(this.turns, (j) => Float64Array.from({ length: n * n }, (_, at) => this.axes[3 * at + j]));
  }

  /**
   * At a state, once the node's pose and twist are known. Writes the node's centre of mass and inertia about its origin, world axes.
   *
   * @param velocities index of v[0] in y
   */
  update(
    y: Float64Array,
    velocities: number,
    rotation: Float64Array,
    twist: Float64Array,
    centre: Float64Array,
    inertia: Float64Array,
  ): void {
    const { count, q, eta, node, s, g, n, nd, w, trace, own, axial, byRate, bias, momentum, gyroscopic } = this;
    const { entries, used, mirrored } = this;
    const { p, c00, s0, mass } = this.plan.integrals;
    for (let k = 0; k < count; k++) {
      q[k] = y[this.coordinate[k]];
      eta[k] = y[velocities + this.velocity[k]];
    }
    if (this.inPlane !== undefined) {
      this.inPlane.update(this, rotation, twist, centre, inertia);
      this.stretch();
      return;
    }
    const r = 9 * node;
    const t = 6 * node;
    for (let j = 0; j < 3; j++) {
      s[j] = s0[j];
      w[j] = rotation[r + j] * twist[t] + rotation[r + 3 + j] * twist[t + 1] + rotation[r + 6 + j] * twist[t + 2];
    }
    let px = 0;
    let py = 0;
    let pz = 0;
    for (let index = 0; index < entries.length; index += 2) this.contract(index);
    // `turn` leaves numbers in all nine
    for (let j = 0; j < 9; j++) {
      g[j] = c00[j];
      nd[j] = 0;
    }
    for (let index = 0; index < used.length; index++) {
      const j = used[index];
      let moment = c00[j];
      let rate = 0;
      for (let k = 0, at = j; k < count; k++, at += 9) {
        const value = n[at];
        moment += q[k] * (mirrored[at] + value);
        rate += eta[k] * value;
      }
      g[j] = moment;
      nd[j] = rate;
    }
    for (let k = 0; k < count; k++) {
      const at = 9 * k;
      const x = q[k];
      const e = eta[k];
      const p0 = p[3 * k];
      const p1 = p[3 * k + 1];
      const p2 = p[3 * k + 2];
      s[0] += x * p0;
      s[1] += x * p1;
      s[2] += x * p2;
      px += e * p0;
      py += e * p1;
      pz += e * p2;
      trace[k] = n[at] + n[at + 4] + n[at + 8];
      // n_k and p_k in the world
      const nx = n[at + 5] - n[at + 7];
      const ny = n[at + 6] - n[at + 2];
      const nz = n[at + 1] - n[at + 3];
      axial[k] = nz;
      for (let i = 0; i < 3; i++) {
        const r0 = rotation[r + 3 * i];
        const r1 = rotation[r + 3 * i + 1];
        const r2 = rotation[r + 3 * i + 2];
        byRate[6 * k + i] = r0 * nx + r1 * ny + r2 * nz;
        byRate[6 * k + 3 + i] = r0 * p0 + r1 * p1 + r2 * p2;
      }
    }

    // Centre and inertia of the node
    for (let i = 0; i < 3; i++)
      centre[3 * node + i] =
        (rotation[r + 3 * i] * s[0] + rotation[r + 3 * i + 1] * s[1] + rotation[r + 3 * i + 2] * s[2]) / mass;
    const sum = g[0] + g[4] + g[8];
    this.turn(rotation, r, g);
    for (let k = 0; k < 6; k++) inertia[6 * node + k] = (k < 3 ? sum : 0) - g[3 * ROW[k] + COLUMN[k]];

    // Gyroscopic parts: in the node's axes, then in the world
    const turn = nd[0] + nd[4] + nd[8];
    this.turn(rotation, r, nd);
    for (let i = 0; i < 3; i++) {
      momentum[i] = rotation[r + 3 * i] * px + rotation[r + 3 * i + 1] * py + rotation[r + 3 * i + 2] * pz;
      for (let j = 0; j < 3; j++) gyroscopic[3 * i + j] = 2 * ((i === j ? turn : 0) - nd[3 * j + i]);
    }
    const wx = twist[t];
    const wy = twist[t + 1];
    const wz = twist[t + 2];
    for (let i = 0; i < 3; i++)
      bias[i] = gyroscopic[3 * i] * wx + gyroscopic[3 * i + 1] * wy + gyroscopic[3 * i + 2] * wz;
    bias[3] = 2 * (wy * momentum[2] - wz * momentum[1]);
    bias[4] = 2 * (wz * momentum[0] - wx * momentum[2]);
    bias[5] = 2 * (wx * momentum[1] - wy * momentum[0]);

    // Q_k but for accelerations of the frame and weight: those need ω × v and g
    const bx = w[0];
    const by = w[1];
    const bz = w[2];
    const square = bx * bx + by * by + bz * bz;
    for (let k = 0; k < count; k++) {
      const at = 9 * k;
      const force =
        bx * (n[at] * bx + (n[at + 1] + n[at + 3]) * by + (n[at + 2] + n[at + 6]) * bz) +
        by * (n[at + 4] * by + (n[at + 5] + n[at + 7]) * bz) +
        n[at + 8] * bz * bz -
        square * trace[k];
      own[k] = force;
    }
    this.hold();
    this.subtractCoriolis();
    this.stretch();
    // classical acceleration of the origin holds ω × v beside the spatial one
    const ax = wy * twist[t + 5] - wz * twist[t + 4];
    const ay = wz * twist[t + 3] - wx * twist[t + 5];
    const az = wx * twist[t + 4] - wy * twist[t + 3];
    for (let k = 0; k < count; k++) own[k] += byRate[6 * k + 3] * ax + byRate[6 * k + 4] * ay + byRate[6 * k + 5] * az;
  }

  /** K q + D η, two rows at a time: four sums that do not wait for each other */
  private hold(): void {
    if (this.elasticityApart) return;
    const { count, q, eta, own } = this;
    const { stiffness, damping } = this.plan;
    for (let k = 0; k < count; k += 2) {
      const row = k * count;
      const last = k + 1 === count;
      const next = last ? row : row + count;
      let d0 = own[k];
      let d1 = last ? 0 : own[k + 1];
      let k0 = 0;
      let k1 = 0;
      for (let l = 0; l < count; l++) {
        const x = q[l];
        const e = eta[l];
        d0 += damping[row + l] * e;
        k0 += stiffness[row + l] * x;
        d1 += damping[next + l] * e;
        k1 += stiffness[next + l] * x;
      }
      own[k] = d0 + k0;
      if (!last) own[k + 1] = d1 + k1;
    }
  }

  /** −2 ω · Σ_l η_l ax(Ckl) */
  private subtractCoriolis(): void {
    const { count, eta, own, turns, byTurn, w } = this;
    for (let index = 0; index < turns.length; index++) {
      const turning = byTurn[index];
      const twice = 2 * w[turns[index]];
      for (let k = 0; k < count; k += 2) {
        const row = k * count;
        const last = k + 1 === count;
        const next = last ? row : row + count;
        let a = 0;
        let b = 0;
        for (let l = 0; l < count; l++) {
          const e = eta[l];
          a += turning[row + l] * e;
          b += turning[next + l] * e;
        }
        own[k] -= twice * a;
        if (!last) own[k + 1] -= twice * b;
      }
    }
  }

  /** A ← R A Rᵀ, 3 × 3 */
  private turn(rotation: Float64Array, r: number, a: Float64Array): void {
    for (let j = 0; j < 3; j++) {
      const x = a[j];
      const y = a[3 + j];
      const z = a[6 + j];
      for (let i = 0; i < 3; i++)
        a[3 * i + j] = rotation[r + 3 * i] * x + rotation[r + 3 * i + 1] * y + rotation[r + 3 * i + 2] * z;
    }
    for (let i = 0; i < 9; i += 3) {
      const x = a[i];
      const y = a[i + 1];
      const z = a[i + 2];
      for (let j = 0; j < 3; j++)
        a[i + j] = x * rotation[r + 3 * j] + y * rotation[r + 3 * j + 1] + z * rotation[r + 3 * j + 2];
    }
  }

  /** Two entries of N_k = C0k + Σ_l q_l Clk, two coordinates at a time: four sums that do not wait for each other */
  private contract(index: number): void {
    const { count, n, q, entries, byEntry } = this;
    const { c0 } = this.plan.integrals;
    const a = byEntry[index];
    const i = entries[index];
    const two = index + 1 < entries.length;
    const b = two ? byEntry[index + 1] : a;
    const j = two ? entries[index + 1] : i;
    for (let k = 0; k < count; k += 2) {
      const row = k * count;
      const next = k + 1 < count ? row + count : row;
      let a0 = 0;
      let a1 = 0;
      let b0 = 0;
      let b1 = 0;
      for (let l = 0; l < count; l++) {
        const x = q[l];
        a0 += a[row + l] * x;
        a1 += a[next + l] * x;
        b0 += b[row + l] * x;
        b1 += b[next + l] * x;
      }
      n[9 * k + i] = c0[9 * k + i] + a0;
      if (two) n[9 * k + j] = c0[9 * k + j] + b0;
      if (next === row) continue;
      n[9 * k + 9 + i] = c0[9 * k + 9 + i] + a1;
      if (two) n[9 * k + 9 + j] = c0[9 * k + 9 + j] + b1;
    }
  }

  /** Membrane term: the axial elongation a of each span becomes a + ½ q Gm q. */
  private stretch(): void {
    const { count, q, own, tension } = this;
    const { spans } = this.plan;
    for (let i = 0; i < spans.length; i++) {
      const { along, stiffness } = spans[i];
      const s = this.lengthening(i);
      let a = s;
      for (let k = 0; k < count; k++) a += along[k] * q[k];
      for (let k = 0; k < count; k++) own[k] += stiffness * (along[k] * s + a * tension[k]);
    }
  }

  /** ½ q Gm q of a span, and Gm q into `tension` */
  lengthening(span: number): number {
    const { count, q, tension } = this;
    const { matrix } = this.plan.spans[span];
    let s = 0;
    for (let k = 0; k < count; k++) {
      let sum = 0;
      for (let l = 0; l < count; l++) sum += matrix[k * count + l] * q[l];
      tension[k] = sum;
      s += 0.5 * q[k] * sum;
    }
    return s;
  }

  /** V · Σ (n_k, p_k) η_k + ½ η Mff η, J */
  kineticEnergy(twist: Float64Array): number {
    const { count, eta, byRate, node } = this;
    const { mass } = this.plan;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      for (let j = 0; j < 6; j++) sum += eta[k] * byRate[6 * k + j] * twist[6 * node + j];
      for (let l = 0; l < count; l++) sum += 0.5 * eta[k] * mass[k * count + l] * eta[l];
    }
    return sum;
  }

  /** ½ q K q and the membrane's, J */
  strainEnergy(): number {
    const { count, q } = this;
    const { stiffness, spans } = this.plan;
    let sum = 0;
    for (let k = 0; k < count; k++) for (let l = 0; l < count; l++) sum += 0.5 * q[k] * stiffness[k * count + l] * q[l];
    for (let i = 0; i < spans.length; i++) {
      const s = this.lengthening(i);
      let a = 0;
      for (let k = 0; k < count; k++) a += spans[i].along[k] * q[k];
      sum += spans[i].stiffness * s * (a + 0.5 * s);
    }
    return sum;
  }

  /** η D η, W */
  dissipation(): number {
    const { count, eta } = this;
    const { damping } = this.plan;
    let sum = 0;
    for (let k = 0; k < count; k++) for (let l = 0; l < count; l++) sum += eta[k] * damping[k * count + l] * eta[l];
    return sum;
  }

  /** Adds F and T beyond those of the rigid part to the wrench of the node, for rates η' from index `at`. */
  addWrench(rates: Float64Array, at: number, out: Float64Array): void {
    const { count, bias, byRate, velocity, node } = this;
    for (let j = 0; j < 6; j++) out[6 * node + j] += bias[j];
    for (let k = 0; k < count; k++)
      for (let j = 0; j < 6; j++) out[6 * node + j] += rates[at + velocity[k]] * byRate[6 * k + j];
  }

  /** Q_k, to be added to forces along the coordinates; `acceleration` spatial, 6 per node. */
  generalisedForce(k: number, acceleration: Float64Array, rates: Float64Array, at: number): number {
    const { count, own, byRate, node, velocity, gravity: g } = this;
    const { mass } = this.plan;
    let sum = own[k];
    for (let j = 0; j < 6; j++) sum += byRate[6 * k + j] * (acceleration[6 * node + j] - (j < 3 ? 0 : g[j - 3]));
    for (let l = 0; l < count; l++) sum += mass[k * count + l] * rates[at + velocity[l]];
    return sum;
  }
}

const MIRROR = [0, 3, 6, 1, 4, 7, 2, 5, 8];
const ROW = [0, 1, 2, 0, 0, 1];
const COLUMN = [0, 1, 2, 1, 2, 2];

function axial(a: Float64Array, from: number, out: Float64Array, to: number): void {
  out[to] = a[from + 5] - a[from + 7];
  out[to + 1] = a[from + 6] - a[from + 2];
  out[to + 2] = a[from + 1] - a[from + 3];
}
/** Which of the `width` entries of each row are not zero throughout */
function present(rows: Float64Array, width: number): Int32Array {
  const found = new Uint8Array(width);
  for (let i = 0; i < rows.length; i++) if (rows[i] !== 0) found[i % width] = 1;
  return Int32Array.from(Array.from(found, (_, j) => j).filter((j) => found[j] !== 0));
}
