/**
 * What the exact derivatives of the tree's dynamics need, per node and per joint column, in world axes at one common origin per tree
 * (its first node with mass, so that a place far from the world's origin costs no digits).
 *
 * Inverse dynamics τ_i = S_i · f_i differentiates into composites over subtrees. With B x = V ×* (I x) + x ×* (I V) + I (x × V), and
 * for a column s of joint k with parent p
 *
 *   ψ₁ = V_p × s        ψ₂ = (A_p − G) × s + V_p × ψ₁        φ = (V_p + V_k) × s
 *
 *   M_ik = S_i · I_m s     ∂τ_i/∂v_k = S_i · (I_m φ + B_m s)     ∂τ_i/∂q_k = S_i · (I_m ψ₂ + B_m ψ₁) + [i above k] S_i · (s ×* f_k)
 *
 * where m is the deeper of i and k and I_m, B_m are sums over its subtree. Moving joint k turns its whole subtree rigidly; the rigid
 * part cancels below k and leaves s ×* f_k above. By q of a spherical joint is meant by the rotation vector in the child's frame.
 *
 * B has few numbers: with momentum (L, P), h = m c
 *
 *   B = [ [ω] I − I [ω] − [L] − [v][h] − [h][v],  0;   −2 [P],  0 ]
 *
 * Of uniform gravity, G = (0, g) carries all derivatives; other gravity enters as a load of its own with G = 0.
 */
import { NODE } from '../../assembly/system.js';
import type { FlexibleInertia } from '../flexible/flexible-inertia.js';
import { addInertia, crossMotion, dot6, shiftForce, shiftMotion } from './spatial.js';
import type { TreeKinematics } from './tree-kinematics.js';

export class TreeDerivatives {
  readonly kinematics: TreeKinematics;
  /** Number of velocities of the tree */
  readonly size: number;
  /** Node of each velocity */
  readonly nodeOf: Int32Array;
  /** Velocities that are no modes, ascending */
  private readonly moving: Int32Array;
  /**
   * Nodes whose motion makes ψ₁, ψ₂, φ: with the joint and without. A scalar joint's own motion falls out of ψ₁ and ψ₂, so of coordinates that are
   * taken together one node is both: of slides the frame, as slides before them fall out too, of the joint behind them its own.
   */
  private readonly behind: Int32Array;
  private readonly before: Int32Array;
  /** 3 per node: its origin from the tree's common one, m */
  readonly offset: Float64Array;
  /** 6 per node at the common origin: twist, acceleration, wrench carried by the joint */
  readonly twist: Float64Array;
  readonly acceleration: Float64Array;
  readonly wrench: Float64Array;
  /** 10 per node: m, h = m c, inertia xx yy zz xy xz yz about the common origin */
  readonly inertia: Float64Array;
  /** 12 per node: the upper left block of B row by row, P */
  readonly coriolis: Float64Array;
  /** 6 per velocity: columns s, ψ₁, ψ₂ with and without G, φ */
  readonly column: Float64Array;
  readonly psi1: Float64Array;
  readonly psi2: Float64Array;
  readonly psi2Bare: Float64Array;
  readonly phi: Float64Array;
  /** Of `massMatrix`: inertia of the nodes above and with each one; a wrench */
  private readonly composite: Float64Array;
  private readonly force = new Float64Array(6);

  constructor(kinematics: TreeKinematics) {
    const { tree } = kinematics;
    const n = tree.count;
    this.kinematics = kinematics;
    let size = 0;
    for (let i = 0; i < n; i++) if (tree.v[i] >= 0) size += tree.kind[i] === NODE.spherical ? 3 : 1;
    this.size = size;
    this.nodeOf = new Int32Array(size);
    for (let i = 0; i < n; i++)
      for (let j = 0; tree.v[i] >= 0 && j < (tree.kind[i] === NODE.spherical ? 3 : 1); j++)
        this.nodeOf[tree.v[i] + j] = i;
    const { above, first, end } = kinematics;
    this.moving = Int32Array.from(this.nodeOf.keys()).filter((k) => kinematics.idle[this.nodeOf[k]] !== 1);
    this.behind = this.nodeOf.slice();
    this.before = this.nodeOf.map((node) => tree.parent[node]);
    for (let i = 0; i < n; i++)
      for (let k = first[i]; above[i] !== tree.parent[i] && k < end[i]; k++)
        this.behind[k] = this.before[k] = k < tree.v[i] ? above[i] : i;
    this.offset = new Float64Array(3 * n);
    this.twist = new Float64Array(6 * n);
    this.acceleration = new Float64Array(6 * n);
    this.wrench = new Float64Array(6 * n);
    this.inertia = new Float64Array(10 * n);
    this.coriolis = new Float64Array(12 * n);
    this.column = new Float64Array(6 * size);
    this.psi1 = new Float64Array(6 * size);
    this.psi2 = new Float64Array(6 * size);
    this.psi2Bare = new Float64Array(6 * size);
    this.phi = new Float64Array(6 * size);
    this.composite = new Float64Array(10 * n);
  }

  /**
   * From kinematics, node accelerations and carried wrenches, both at the nodes' own origins.
   *
   * @param g     uniform gravity or zero
   * @param rates accelerations of the coordinates, from index `at`
   */
  update(acceleration: Float64Array, wrench: Float64Array, g: Float64Array, rates: Float64Array, at: number): void {
    this.place();
    const { tree, active, above } = this.kinematics;
    for (let index = 0; index < active.length; index++) {
      const i = active[index];
      shiftMotion(this.kinematics.carriers.twist, 6 * i, this.offset, 3 * i, this.twist, 6 * i);
      shiftMotion(acceleration, 6 * i, this.offset, 3 * i, this.acceleration, 6 * i);
      shiftForce(wrench, 6 * i, this.offset, 3 * i, this.wrench, 6 * i);
      if (tree.mass[i] !== 0) this.inertial(i);
      // what node i carries its slides carry
      for (let k = tree.parent[i]; k !== above[i]; k = tree.parent[k])
        for (let j = 0; j < 6; j++) this.wrench[6 * k + j] = this.wrench[6 * i + j];
    }
    const { moving } = this;
    for (let index = 0; index < moving.length; index++) this.columns(moving[index], g);
    const { flexible, carriers } = this.kinematics;
    for (let k = 0; k < flexible.length; k++) {
      flexible[k].differentiate(carriers.rotation, carriers.twist, acceleration, rates, at);
      this.gyroscopic(flexible[k]);
    }
  }

  /** What the rates of a deforming body add to B: 2 (tr(Nd) 1 − Ndᵀ) − 2 [o][pd], and pd to P */
  private gyroscopic({ node, momentum: p, gyroscopic: own }: FlexibleInertia): void {
    const { coriolis, offset } = this;
    const b = 12 * node;
    const o = 3 * node;
    const along = offset[o] * p[0] + offset[o + 1] * p[1] + offset[o + 2] * p[2];
    for (let i = 0; i < 3; i++) {
      coriolis[b + 9 + i] += p[i];
      // [o][p] = p oᵀ − (o · p) 1
      for (let j = 0; j < 3; j++)
        coriolis[b + 3 * i + j] += own[3 * i + j] - 2 * (p[i] * offset[o + j] - (i === j ? along : 0));
    }
  }

  /** Offsets and joint columns only: enough for Jacobians of points. */
  place(): void {
    const { tree, root, axis, turn, slide } = this.kinematics;
    const { position, rotation } = this.kinematics.carriers;
    let ox = 0;
    let oy = 0;
    let oz = 0;
    let current = -1;
    for (let i = 0; i < tree.count; i++) {
      if (root[i] !== current) {
        // Trees may interleave; the origin of a tree is that of its first node with mass.
        current = root[i];
        let first = current;
        while (first < tree.count - 1 && (root[first] !== current || tree.mass[first] === 0)) first++;
        ox = position[3 * first];
        oy = position[3 * first + 1];
        oz = position[3 * first + 2];
      }
      this.offset[3 * i] = position[3 * i] - ox;
      this.offset[3 * i + 1] = position[3 * i + 1] - oy;
      this.offset[3 * i + 2] = position[3 * i + 2] - oz;
    }
    const { column, offset, nodeOf, moving } = this;
    for (let index = 0; index < moving.length; index++) {
      const k = moving[index];
      const i = nodeOf[k];
      const j = k - tree.v[i];
      const spherical = tree.kind[i] === NODE.spherical;
      const ux = spherical ? rotation[9 * i + j] : axis[3 * i];
      const uy = spherical ? rotation[9 * i + 3 + j] : axis[3 * i + 1];
      const uz = spherical ? rotation[9 * i + 6 + j] : axis[3 * i + 2];
      const a = spherical ? 1 : turn[i];
      const b = slide[i];
      const cx = offset[3 * i];
      const cy = offset[3 * i + 1];
      const cz = offset[3 * i + 2];
      const s = 6 * k;
      column[s] = a * ux;
      column[s + 1] = a * uy;
      column[s + 2] = a * uz;
      column[s + 3] = a * (cy * uz - cz * uy) + b * ux;
      column[s + 4] = a * (cz * ux - cx * uz) + b * uy;
      column[s + 5] = a * (cx * uy - cy * ux) + b * uz;
    }
  }

  /** The tree's mass matrix at the present pose, row-major and `width` wide: composite rigid bodies (Featherstone 2008, ch. 6) */
  massMatrix(out: Float64Array, width: number): void {
    this.place();
    const { tree } = this.kinematics;
    const { column, inertia, nodeOf } = this;
    const { composite: sum, force: f } = this;
    sum.fill(0);
    for (let i = tree.count - 1; i >= 0; i--) {
      if (tree.mass[i] !== 0) {
        this.inertial(i);
        for (let j = 0; j < 10; j++) sum[10 * i + j] += inertia[10 * i + j];
      }
      const p = tree.parent[i];
      if (p >= 0) for (let j = 0; j < 10; j++) sum[10 * p + j] += sum[10 * i + j];
    }
    for (let k = 0; k < this.size; k++) {
      f.fill(0);
      addInertia(sum, 10 * nodeOf[k], column, 6 * k, f, 0);
      for (let i = nodeOf[k]; i >= 0; i = tree.parent[i]) {
        const v = tree.v[i];
        if (v < 0) continue;
        for (let l = v; l < v + (tree.kind[i] === NODE.spherical ? 3 : 1); l++) {
          let entry = 0;
          for (let j = 0; j < 6; j++) entry += column[6 * l + j] * f[j];
          out[l * width + k] = out[k * width + l] = entry;
        }
      }
    }
    for (const flexible of this.kinematics.flexible) this.addFlexibleMass(flexible, out, width);
  }

  private addFlexibleMass(
    { node, count, velocity, plan, byRate }: FlexibleInertia,
    out: Float64Array,
    width: number,
  ): void {
    const { column, offset, force: u } = this;
    const { tree } = this.kinematics;
    for (let k = 0; k < count; k++) {
      for (let l = 0; l < count; l++) out[velocity[k] * width + velocity[l]] += plan.mass[k * count + l];
      shiftForce(byRate, 6 * k, offset, 3 * node, u, 0);
      for (let i = node; i >= 0; i = tree.parent[i]) {
        const v = tree.v[i];
        for (let l = v; v >= 0 && l < v + (tree.kind[i] === NODE.spherical ? 3 : 1); l++) {
          const entry = dot6(column, 6 * l, u, 0);
          out[l * width + velocity[k]] += entry;
          out[velocity[k] * width + l] += entry;
        }
      }
    }
  }

  /** I and B of one node about the common origin */
  private inertial(i: number): void {
    const { tree, centre, inertia: local } = this.kinematics;
    const { offset, inertia, coriolis, twist } = this;
    const m = tree.mass[i];
    const ox = offset[3 * i];
    const oy = offset[3 * i + 1];
    const oz = offset[3 * i + 2];
    const rx = centre[3 * i];
    const ry = centre[3 * i + 1];
    const rz = centre[3 * i + 2];
    const cx = ox + rx;
    const cy = oy + ry;
    const cz = oz + rz;
    // From the node's origin to the centre of mass and on to the common origin
    const xx = local[6 * i] + m * (cy * cy + cz * cz - ry * ry - rz * rz);
    const yy = local[6 * i + 1] + m * (cz * cz + cx * cx - rz * rz - rx * rx);
    const zz = local[6 * i + 2] + m * (cx * cx + cy * cy - rx * rx - ry * ry);
    const xy = local[6 * i + 3] - m * (cx * cy - rx * ry);
    const xz = local[6 * i + 4] - m * (cx * cz - rx * rz);
    const yz = local[6 * i + 5] - m * (cy * cz - ry * rz);
    const hx = m * cx;
    const hy = m * cy;
    const hz = m * cz;
    const at = 10 * i;
    inertia[at] = m;
    inertia[at + 1] = hx;
    inertia[at + 2] = hy;
    inertia[at + 3] = hz;
    inertia[at + 4] = xx;
    inertia[at + 5] = yy;
    inertia[at + 6] = zz;
    inertia[at + 7] = xy;
    inertia[at + 8] = xz;
    inertia[at + 9] = yz;
    const wx = twist[6 * i];
    const wy = twist[6 * i + 1];
    const wz = twist[6 * i + 2];
    const vx = twist[6 * i + 3];
    const vy = twist[6 * i + 4];
    const vz = twist[6 * i + 5];
    const lx = xx * wx + xy * wy + xz * wz + hy * vz - hz * vy;
    const ly = xy * wx + yy * wy + yz * wz + hz * vx - hx * vz;
    const lz = xz * wx + yz * wy + zz * wz + hx * vy - hy * vx;
    // [ω] I − I [ω] is symmetric: N + Nᵀ with N = [ω] I, as I [ω] = −([ω] I)ᵀ
    const n00 = wy * xz - wz * xy;
    const n01 = wy * yz - wz * yy;
    const n02 = wy * zz - wz * yz;
    const n10 = wz * xx - wx * xz;
    const n11 = wz * xy - wx * yz;
    const n12 = wz * xz - wx * zz;
    const n20 = wx * xy - wy * xx;
    const n21 = wx * yy - wy * xy;
    const n22 = wx * yz - wy * xz;
    // −[v][h] − [h][v] = 2 (v · h) 1 − h vᵀ − v hᵀ
    const vh = 2 * (vx * hx + vy * hy + vz * hz);
    const b = 12 * i;
    coriolis[b] = 2 * n00 + vh - 2 * hx * vx;
    coriolis[b + 4] = 2 * n11 + vh - 2 * hy * vy;
    coriolis[b + 8] = 2 * n22 + vh - 2 * hz * vz;
    const sxy = n01 + n10 - hx * vy - vx * hy;
    const sxz = n02 + n20 - hx * vz - vx * hz;
    const syz = n12 + n21 - hy * vz - vy * hz;
    coriolis[b + 1] = sxy + lz;
    coriolis[b + 3] = sxy - lz;
    coriolis[b + 2] = sxz - ly;
    coriolis[b + 6] = sxz + ly;
    coriolis[b + 5] = syz + lx;
    coriolis[b + 7] = syz - lx;
    coriolis[b + 9] = m * vx + wy * hz - wz * hy;
    coriolis[b + 10] = m * vy + wz * hx - wx * hz;
    coriolis[b + 11] = m * vz + wx * hy - wy * hx;
  }

  private columns(k: number, g: Float64Array): void {
    const { column, psi1, psi2, psi2Bare, phi, twist, acceleration } = this;
    const i = this.behind[k];
    const p = this.before[k];
    const s = 6 * k;
    crossMotion(twist, 6 * i, column, s, phi, s);
    if (p >= 0) {
      crossMotion(twist, 6 * p, column, s, psi1, s);
      crossMotion(acceleration, 6 * p, column, s, psi2Bare, s);
      crossMotion(twist, 6 * p, psi1, s, psi2, s);
      for (let j = 0; j < 6; j++) {
        phi[s + j] += psi1[s + j];
        psi2Bare[s + j] += psi2[s + j];
      }
    }
    // −G × s = (0, s_ω × g)
    for (let j = 0; j < 6; j++) psi2[s + j] = psi2Bare[s + j];
    psi2[s + 3] += column[s + 1] * g[2] - column[s + 2] * g[1];
    psi2[s + 4] += column[s + 2] * g[0] - column[s] * g[2];
    psi2[s + 5] += column[s] * g[1] - column[s + 1] * g[0];
  }
}
