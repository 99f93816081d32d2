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
  /** K q and D η are left out of `own`: somebody solves for them, as for the joints of a time-stepping run. */
  elasticityApart = false;
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
  /** Entries (0 … 8) that Ckl of any pair has, planar parts four; of each the matrix over (k, l) of Clk */
  private readonly entries: Int32Array;
  private readonly byEntry: readonly Float64Array[];
  /** The same of ax(Ckl), planar parts one */
  private readonly turns: Int32Array;
  private readonly byTurn: readonly Float64Array[];
  private readonly trace: Float64Array;
  private readonly axes: Float64Array; // 3 per pair: ax(Ckl)
  private readonly traces: Float64Array; // per pair: tr Ckl
  private readonly g = new Float64Array(9);
  private readonly nd = new Float64Array(9);
  private readonly w = new Float64Array(3);
  private readonly ndk = new Float64Array(9); // Σ_l η_l Ckl of one k
  private readonly tension: Float64Array; // Gm q
  private readonly vector = new Float64Array(24); // of `differentiate`

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
    const { count, q, eta, node, s, g, n, nd, w, trace, own, byRate, bias, momentum, gyroscopic } = this;
    const { entries, turns, byTurn } = this;
    const { integrals, stiffness, damping } = this.plan;
    const { p, c0, c00, s0, mass } = integrals;
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
    n.set(c0);
    for (let index = 0; index < entries.length; index += 2) this.contract(index);
    for (let k = 0; k < count; k++) {
      const at = 9 * k;
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
      let force =
        bx * (n[at] * bx + (n[at + 1] + n[at + 3]) * by + (n[at + 2] + n[at + 6]) * bz) +
        by * (n[at + 4] * by + (n[at + 5] + n[at + 7]) * bz) +
        n[at + 8] * bz * bz -
        square * trace[k];
      const row = k * count;
      if (!this.elasticityApart) {
        let held = 0;
        for (let l = 0; l < count; l++) {
          force += damping[row + l] * eta[l];
          held += stiffness[row + l] * q[l];
        }
        force += held;
      }
      for (let index = 0; index < turns.length; index++) {
        const turning = byTurn[index];
        let sum = 0;
        for (let l = 0; l < count; l++) sum += turning[row + l] * eta[l];
        force -= 2 * w[turns[index]] * sum;
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
      n[9 * k + i] += a0;
      if (two) n[9 * k + j] += b0;
      if (next === row) continue;
      n[9 * k + 9 + i] += a1;
      if (two) n[9 * k + 9 + j] += b1;
    }
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
  lengthening(): number {
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
    const { velocity } = this;
    const { vector: x, entries, turns } = this;
    this.byAcceleration.set(this.byRate);
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
/** Which of the `width` entries of each row are not zero throughout */
function present(rows: Float64Array, width: number): Int32Array {
  const found = new Uint8Array(width);
  for (let i = 0; i < rows.length; i++) if (rows[i] !== 0) found[i % width] = 1;
  return Int32Array.from(Array.from(found, (_, j) => j).filter((j) => found[j] !== 0));
}
