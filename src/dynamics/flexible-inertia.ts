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
import type { FlexibleNode, Tree } from '../assembly/system.js';

export class FlexibleInertia {
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
  /** 6, world axes: 2 (tr(Nd) ω − Ndᵀ ω), 2 ω × pd */
  readonly bias = new Float64Array(6);
  /** Per coordinate: Q_k without accelerations and weight */
  readonly own: Float64Array;
  /** Gravity at the body, m/s², world; set where weights are added up */
  readonly gravity = new Float64Array(3);
  /** World axes: pd, and 2 (tr(Nd) 1 − Ndᵀ) row by row */
  readonly momentum = new Float64Array(3);
  readonly gyroscopic = new Float64Array(9);
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
  // in the node's axes
  private readonly s = new Float64Array(3);
  private readonly n: Float64Array; // 9 per coordinate: N_k
  private readonly trace: Float64Array;
  private readonly axes: Float64Array; // 3 per pair: ax(Ckl)
  private readonly traces: Float64Array; // per pair: tr Ckl
  private readonly g = new Float64Array(9);
  private readonly nd = new Float64Array(9);
  private readonly w = new Float64Array(3);
  private readonly ndk = new Float64Array(9); // Σ_l η_l Ckl of one k
  private readonly tension: Float64Array; // Gm q

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
    this.byAcceleration = new Float64Array(6 * n);
    this.byEta = new Float64Array(6 * n);
    this.byQ = new Float64Array(6 * n);
    this.beta = new Float64Array(3 * n);
    this.rowsByEta = new Float64Array(n * n);
    this.rowsByQ = new Float64Array(n * n);
    this.n = new Float64Array(9 * n);
    this.trace = new Float64Array(n);
    this.axes = new Float64Array(3 * n * n);
    this.traces = new Float64Array(n * n);
    this.tension = new Float64Array(n);
    const { c } = plan.integrals;
    for (let k = 0; k < n * n; k++) {
      axial(c, 9 * k, this.axes, 3 * k);
      this.traces[k] = c[9 * k] + c[9 * k + 4] + c[9 * k + 8];
    }
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
    const { count, q, eta, node, s, g, n, nd, w, trace, axes, own, byRate, bias, momentum, gyroscopic } = this;
    const { integrals, stiffness, damping } = this.plan;
    const { p, c0, c, c00, s0, mass } = integrals;
    for (let k = 0; k < count; k++) {
      q[k] = y[this.coordinate[k]];
      eta[k] = y[velocities + this.velocity[k]];
    }
    const r = 9 * node;
    const t = 6 * node;
    for (let j = 0; j < 3; j++) {
      s[j] = s0[j];
      w[j] = rotation[r + j] * twist[t] + rotation[r + 3 + j] * twist[t + 1] + rotation[r + 6 + j] * twist[t + 2];
    }
    g.set(c00);
    nd.fill(0);
    let px = 0;
    let py = 0;
    let pz = 0;
    for (let k = 0; k < count; k++) {
      const at = 9 * k;
      for (let j = 0; j < 9; j++) n[at + j] = c0[at + j];
      for (let l = 0; l < count; l++) {
        const x = q[l];
        if (x === 0) continue;
        const from = 9 * (l * count + k);
        for (let j = 0; j < 9; j++) n[at + j] += x * c[from + j];
      }
      const x = q[k];
      const e = eta[k];
      for (let i = 0; i < 3; i++) {
        s[i] += x * p[3 * k + i];
        for (let j = 0; j < 3; j++) {
          g[3 * i + j] += x * (c0[at + 3 * j + i] + n[at + 3 * i + j]);
          nd[3 * i + j] += e * n[at + 3 * i + j];
        }
      }
      px += e * p[3 * k];
      py += e * p[3 * k + 1];
      pz += e * p[3 * k + 2];
      trace[k] = n[at] + n[at + 4] + n[at + 8];
      // n_k and p_k in the world
      const nx = n[at + 5] - n[at + 7];
      const ny = n[at + 6] - n[at + 2];
      const nz = n[at + 1] - n[at + 3];
      for (let i = 0; i < 3; i++) {
        const r0 = rotation[r + 3 * i];
        const r1 = rotation[r + 3 * i + 1];
        const r2 = rotation[r + 3 * i + 2];
        byRate[6 * k + i] = r0 * nx + r1 * ny + r2 * nz;
        byRate[6 * k + 3 + i] = r0 * p[3 * k] + r1 * p[3 * k + 1] + r2 * p[3 * k + 2];
      }
    }

    // Centre and inertia of the node
    for (let i = 0; i < 3; i++)
      centre[3 * node + i] =
        (rotation[r + 3 * i] * s[0] + rotation[r + 3 * i + 1] * s[1] + rotation[r + 3 * i + 2] * s[2]) / mass;
    const sum = g[0] + g[4] + g[8];
    for (let k = 0; k < 6; k++) {
      const i = ROW[k];
      const j = COLUMN[k];
      let entry = i === j ? sum : 0;
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) entry -= rotation[r + 3 * i + a] * g[3 * a + b] * rotation[r + 3 * j + b];
      inertia[6 * node + k] = entry;
    }

    // Gyroscopic parts: in the node's axes, then in the world
    const turn = nd[0] + nd[4] + nd[8];
    for (let i = 0; i < 3; i++) {
      momentum[i] = rotation[r + 3 * i] * px + rotation[r + 3 * i + 1] * py + rotation[r + 3 * i + 2] * pz;
      for (let j = 0; j < 3; j++) {
        let entry = i === j ? turn : 0;
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++) entry -= rotation[r + 3 * i + a] * nd[3 * b + a] * rotation[r + 3 * j + b];
        gyroscopic[3 * i + j] = 2 * entry;
      }
    }
    const [wx, wy, wz] = [twist[t], twist[t + 1], twist[t + 2]];
    for (let i = 0; i < 3; i++)
      bias[i] = gyroscopic[3 * i] * wx + gyroscopic[3 * i + 1] * wy + gyroscopic[3 * i + 2] * wz;
    bias[3] = 2 * (wy * momentum[2] - wz * momentum[1]);
    bias[4] = 2 * (wz * momentum[0] - wx * momentum[2]);
    bias[5] = 2 * (wx * momentum[1] - wy * momentum[0]);

    // Q_k but for accelerations of the frame and weight: those need ω × v and g
    const [bx, by, bz] = w;
    const square = bx * bx + by * by + bz * bz;
    for (let k = 0; k < count; k++) {
      const at = 9 * k;
      let force =
        bx * (n[at] * bx + (n[at + 1] + n[at + 3]) * by + (n[at + 2] + n[at + 6]) * bz) +
        by * (n[at + 4] * by + (n[at + 5] + n[at + 7]) * bz) +
        n[at + 8] * bz * bz -
        square * trace[k];
      for (let l = 0; l < count; l++) {
        const a = 3 * (k * count + l);
        force +=
          eta[l] * (damping[k * count + l] - 2 * (bx * axes[a] + by * axes[a + 1] + bz * axes[a + 2])) +
          stiffness[k * count + l] * q[l];
      }
      own[k] = force;
    }
    this.stretch();
    // classical acceleration of the origin holds ω × v beside the spatial one
    const ax = wy * twist[t + 5] - wz * twist[t + 4];
    const ay = wz * twist[t + 3] - wx * twist[t + 5];
    const az = wx * twist[t + 4] - wy * twist[t + 3];
    for (let k = 0; k < count; k++) own[k] += byRate[6 * k + 3] * ax + byRate[6 * k + 4] * ay + byRate[6 * k + 5] * az;
  }

  /** Membrane term: the axial elongation a becomes a + ½ q Gm q. */
  private stretch(): void {
    const { membrane } = this.plan;
    if (!membrane) return;
    const { count, q, own, tension } = this;
    const { along, stiffness } = membrane;
    const s = this.lengthening();
    let a = s;
    for (let k = 0; k < count; k++) a += along[k] * q[k];
    for (let k = 0; k < count; k++) own[k] += stiffness * (along[k] * s + a * tension[k]);
  }

  /** ½ q Gm q, and Gm q into `tension` */
  private lengthening(): number {
    const { count, q, tension } = this;
    const { matrix } = this.plan.membrane!;
    let s = 0;
    for (let k = 0; k < count; k++) {
      let sum = 0;
      for (let l = 0; l < count; l++) sum += matrix[k * count + l] * q[l];
      tension[k] = sum;
      s += 0.5 * q[k] * sum;
    }
    return s;
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
    const {
      count,
      node,
      gravity: g,
      ndk,
      n,
      trace,
      axes,
      traces,
      w,
      q,
      eta,
      byEta,
      byQ,
      beta,
      rowsByEta,
      rowsByQ,
    } = this;
    const { integrals, stiffness, damping, membrane } = this.plan;
    const { p, c } = integrals;
    this.byAcceleration.set(this.byRate);
    const r = 9 * node;
    const t = 6 * node;
    const [wx, wy, wz] = [twist[t], twist[t + 1], twist[t + 2]];
    const classical = [
      acceleration[t + 3] + wy * twist[t + 5] - wz * twist[t + 4] - g[0],
      acceleration[t + 4] + wz * twist[t + 3] - wx * twist[t + 5] - g[1],
      acceleration[t + 5] + wx * twist[t + 4] - wy * twist[t + 3] - g[2],
    ];
    const body = (x: number, y: number, z: number): [number, number, number] => [
      rotation[r] * x + rotation[r + 3] * y + rotation[r + 6] * z,
      rotation[r + 1] * x + rotation[r + 4] * y + rotation[r + 7] * z,
      rotation[r + 2] * x + rotation[r + 5] * y + rotation[r + 8] * z,
    ];
    const a = body(classical[0], classical[1], classical[2]);
    const alpha = body(acceleration[t], acceleration[t + 1], acceleration[t + 2]);
    const v = body(twist[t + 3], twist[t + 4], twist[t + 5]);
    const o = [w[0], w[1], w[2]];
    const ox = w[0];
    const oy = w[1];
    const oz = w[2];
    const square = ox * ox + oy * oy + oz * oz;
    const out = (vector: readonly number[], into: Float64Array, to: number): void => {
      for (let i = 0; i < 3; i++)
        into[to + i] =
          rotation[r + 3 * i] * vector[0] + rotation[r + 3 * i + 1] * vector[1] + rotation[r + 3 * i + 2] * vector[2];
    };
    for (let k = 0; k < count; k++) {
      const pk = [p[3 * k], p[3 * k + 1], p[3 * k + 2]];
      const nk = n.subarray(9 * k, 9 * k + 9);
      // by η_k
      const spun = cross(o, pk);
      out([2 * spun[0], 2 * spun[1], 2 * spun[2]], byEta, 6 * k + 3);
      const turned = timesTransposed(nk, o);
      out(
        turned.map((x, i) => 2 * (trace[k] * o[i] - x)),
        byEta,
        6 * k,
      );
      // by q_k
      const swung = cross(o, spun);
      const pulled = cross(alpha, pk);
      out([pulled[0] + swung[0], pulled[1] + swung[1], pulled[2] + swung[2]], byQ, 6 * k + 3);
      const pa = cross(pk, a);
      const jk = (x: readonly number[]): number[] => {
        const m = times(nk, x);
        const mt = timesTransposed(nk, x);
        return x.map((xi, i) => 2 * trace[k] * xi - m[i] - mt[i]);
      };
      const ja = jk(alpha);
      const gyro = cross(o, jk(o));
      const torque = [pa[0] + ja[0] + gyro[0], pa[1] + ja[1] + gyro[1], pa[2] + ja[2] + gyro[2]];
      // Σ_l η_l Ckl and Σ_l η_l' ax(Ckl), Σ_l η_l ax(Clk)
      ndk.fill(0);
      const coupled = [0, 0, 0];
      for (let l = 0; l < count; l++) {
        const from = 9 * (k * count + l);
        const rate = rates[at + this.velocity[l]];
        for (let j = 0; j < 9; j++) ndk[j] += eta[l] * c[from + j];
        for (let j = 0; j < 3; j++) {
          torque[j] += rate * axes[3 * (k * count + l) + j];
          coupled[j] += eta[l] * axes[3 * (l * count + k) + j];
        }
      }
      const traceD = ndk[0] + ndk[4] + ndk[8];
      const nt = timesTransposed(ndk, o);
      for (let j = 0; j < 3; j++) torque[j] += 2 * (traceD * o[j] - nt[j]);
      out(torque, byQ, 6 * k);
      // β_k
      const vp = cross(v, pk);
      const nw = times(nk, o);
      out(
        [0, 1, 2].map((j) => 2 * (vp[j] + nw[j] - trace[k] * o[j] + coupled[j])),
        beta,
        3 * k,
      );
      // rows: Q_l by η_k and q_k
      for (let l = 0; l < count; l++) {
        const lk = l * count + k;
        const kl = k * count + l;
        rowsByEta[lk] = damping[lk] - 2 * (ox * axes[3 * lk] + oy * axes[3 * lk + 1] + oz * axes[3 * lk + 2]);
        const at9 = 9 * kl;
        rowsByQ[lk] =
          stiffness[lk] +
          axes[3 * kl] * alpha[0] +
          axes[3 * kl + 1] * alpha[1] +
          axes[3 * kl + 2] * alpha[2] +
          ox * (c[at9] * ox + (c[at9 + 1] + c[at9 + 3]) * oy + (c[at9 + 2] + c[at9 + 6]) * oz) +
          oy * (c[at9 + 4] * oy + (c[at9 + 5] + c[at9 + 7]) * oz) +
          c[at9 + 8] * oz * oz -
          square * traces[kl];
      }
    }
    if (!membrane) return;
    const s = this.lengthening();
    const { matrix, along, stiffness: pull } = membrane;
    const { tension } = this;
    let force = s;
    for (let k = 0; k < count; k++) force += along[k] * q[k];
    force *= pull;
    for (let l = 0; l < count; l++)
      for (let k = 0; k < count; k++)
        rowsByQ[l * count + k] +=
          pull * (along[l] * tension[k] + tension[l] * along[k] + tension[l] * tension[k]) +
          force * matrix[l * count + k];
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
    const { stiffness, membrane } = this.plan;
    let sum = 0;
    for (let k = 0; k < count; k++) for (let l = 0; l < count; l++) sum += 0.5 * q[k] * stiffness[k * count + l] * q[l];
    if (!membrane) return sum;
    const s = this.lengthening();
    let a = 0;
    for (let k = 0; k < count; k++) a += membrane.along[k] * q[k];
    return sum + membrane.stiffness * s * (a + 0.5 * s);
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

const ROW = [0, 1, 2, 0, 0, 1];
const COLUMN = [0, 1, 2, 1, 2, 2];

function axial(a: Float64Array, from: number, out: Float64Array, to: number): void {
  out[to] = a[from + 5] - a[from + 7];
  out[to + 1] = a[from + 6] - a[from + 2];
  out[to + 2] = a[from + 1] - a[from + 3];
}
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const times = (m: Float64Array, x: readonly number[]): number[] => [
  m[0] * x[0] + m[1] * x[1] + m[2] * x[2],
  m[3] * x[0] + m[4] * x[1] + m[5] * x[2],
  m[6] * x[0] + m[7] * x[1] + m[8] * x[2],
];
const timesTransposed = (m: Float64Array, x: readonly number[]): number[] => [
  m[0] * x[0] + m[3] * x[1] + m[6] * x[2],
  m[1] * x[0] + m[4] * x[1] + m[7] * x[2],
  m[2] * x[0] + m[5] * x[1] + m[8] * x[2],
];
