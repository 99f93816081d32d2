/**
 * Poses and velocities of the joint tree, root to leaf, and with them each node's inertia in world axes (turned-inertias.ts).
 *
 * Spatial vectors (angular, linear) are written in world axes at the node's own origin p_i, so that neither long chains nor a place
 * far from the world's origin cost digits; between neighbours they are only shifted by the arm r = p_i − p_parent. With the joint
 * column S = (turn · u, slide · u), u the joint axis in the world:
 *
 *   V_i = shift(V_parent) + S v          bias_i = V_i × (S v)  (+ S a for prescribed nodes)
 *
 *   revolute turn 1, slide 0;  prismatic 0, 1;  screw 1, pitch;  spherical: three columns along the child's axes, state: unit
 *   quaternion and angular velocity in the child's frame
 *
 * Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 2–4.
 */
import { NODE, type System, type Tree } from '../../assembly/system.js';
import { cos, sin } from '../../math/elementary.js';
import { FlexibleInertia } from '../flexible/flexible-inertia.js';
import type { Carriers } from './carriers.js';
import { nodeNames, requireFinite } from './dynamics-error.js';
import { planeNodes } from './plane-motion.js';
import { placeInPlane } from './plane-poses.js';
import { turnInertias } from './turned-inertias.js';

export class TreeKinematics {
  readonly tree: Tree;
  readonly carriers: Carriers;
  readonly names: readonly string[];
  /** 1 for revolute and screw */
  readonly turn: Float64Array;
  /** 1 for prismatic, pitch in m/rad for screw */
  readonly slide: Float64Array;
  /** 3 per node: joint axis in world axes (scalar joints) */
  readonly axis: Float64Array;
  /** 3 per node: node's origin from that of the one above, world axes, m */
  readonly arm: Float64Array;
  /** 6 per node: V × (S v), and S a where the motion is prescribed */
  readonly bias: Float64Array;
  /** 3 per node: centre of mass from the node's origin, world axes, m */
  readonly centre: Float64Array;
  /** 6 per node: xx yy zz xy xz yz about the node's origin, world axes, kg m² */
  readonly inertia: Float64Array;
  /**
   * 1 per node that is a mode of a deforming body: it carries nothing, has no pose, and axis, twist and bias stay 0. 2 per slide of an interface:
   * nothing hangs on it but the next node of its chain, so passes take it together with the first that turns; pose and twist it has.
   */
  readonly idle: Uint8Array;
  /** Nodes that are not idle, those that have a pose, those with mass, and of these the ones that do not deform; ascending */
  readonly active: Int32Array;
  readonly placed: Int32Array;
  readonly massive: Int32Array;
  private readonly solid: Int32Array;
  /** Parent in passes that leave idle nodes out; arm and bias are those against this one */
  readonly above: Int32Array;
  /** Velocities of each node, with those of slides that are taken together with it: from `first` to before `end` */
  readonly first: Int32Array;
  readonly end: Int32Array;
  /** Bodies that deform */
  readonly flexible: readonly FlexibleInertia[];
  /** 1 per node that moves in the world's xy plane alone (plane-motion.ts) */
  readonly plane: Uint8Array;
  /** First node of the tree each node belongs to */
  readonly root: Int32Array;
  /** Prescribed motions hold still where they are: for statics */
  standing = false;
  private readonly motions: System['motions'];
  private readonly turned: Uint8Array;
  /** 1 per frame of a body that deforms */
  private readonly deforms: Uint8Array;
  private readonly sample = new Float64Array(3);
  /** 2 per node: sine and cosine of turning joints */
  private readonly sines: Float64Array;

  constructor(system: System, carriers: Carriers) {
    const { tree } = system;
    const n = tree.count;
    this.tree = tree;
    this.carriers = carriers;
    this.motions = system.motions;
    this.names = nodeNames(system);
    this.turn = Float64Array.from(tree.kind, (kind) => (kind === NODE.revolute || kind === NODE.screw ? 1 : 0));
    this.slide = Float64Array.from(tree.kind, (kind, i) =>
      kind === NODE.prismatic ? 1 : kind === NODE.screw ? tree.pitch[i] : 0,
    );
    this.axis = new Float64Array(3 * n);
    this.arm = new Float64Array(3 * n);
    this.bias = new Float64Array(6 * n);
    this.centre = new Float64Array(3 * n);
    this.inertia = new Float64Array(6 * n);
    this.root = new Int32Array(n);
    this.flexible = (system.flexible ?? []).map((plan) => new FlexibleInertia(plan, tree));
    this.idle = new Uint8Array(n);
    this.deforms = new Uint8Array(n);
    for (const { node } of this.flexible) this.deforms[node] = 1;
    this.turned = new Uint8Array(n);
    this.sines = new Float64Array(2 * n);
    for (let i = 0; i < n; i++) {
      this.root[i] = tree.parent[i] < 0 ? i : this.root[tree.parent[i]];
      const r = tree.rotation.subarray(9 * i, 9 * i + 9);
      this.turned[i] = r[0] === 1 && r[4] === 1 && r[8] === 1 ? 0 : 1;
    }
    this.plane = planeNodes(system, this.root, this.flexible);
    for (const { node, inPlane } of this.flexible) if (this.plane[node] !== 0) inPlane!.upright = true;
    this.above = tree.parent.slice();
    this.first = tree.v.map((v) => Math.max(v, 0));
    this.end = tree.v.map((v, i) => (v < 0 ? 0 : v + (tree.kind[i] === NODE.spherical ? 3 : 1)));
    for (const { nodes, carrying } of system.flexible ?? []) {
      for (let k = carrying; k < nodes.length; k++) this.idle[nodes[k]] = 1;
      for (let k = 0; k + 1 < carrying; k++) this.takeTogether(nodes[k], nodes[k + 1]);
    }
    const all = Int32Array.from(this.idle.keys());
    this.active = all.filter((i) => this.idle[i] === 0);
    this.placed = all.filter((i) => this.idle[i] !== 1);
    this.massive = all.filter((i) => tree.mass[i] !== 0);
    this.solid = this.massive.filter((i) => this.deforms[i] === 0);
  }

  /** A slide and the next node of its chain */
  private takeTogether(slide: number, next: number): void {
    const { tree, above, first, idle, turned } = this;
    if (tree.kind[slide] !== NODE.prismatic || tree.parent[next] !== slide || turned[slide] !== 0) return;
    if (tree.v[slide] < 0 || tree.v[next] !== tree.v[slide] + 1) return;
    idle[slide] = 2;
    above[next] = above[slide];
    first[next] = first[slide];
  }

  /** Poses, velocities, biases and inertias at (t, y); `velocities` is the index of v[0] in y. */
  update(t: number, y: Float64Array, velocities: number): void {
    const { tree, turn, slide, axis, arm, bias, sample, sines, idle, above, plane, placed } = this;
    const { position, rotation, twist } = this.carriers;
    const { parent, kind, q: qAt, v: vAt, motion } = tree;
    this.turnAll(y);
    for (let index = 0; index < placed.length; index++) {
      const i = placed[index];
      if (plane[i] !== 0 && motion[i] < 0) {
        placeInPlane(this, i, y, velocities, sines);
        continue;
      }
      if (idle[i] === 2) {
        this.slideOn(i, y, velocities);
        continue;
      }
      const p = parent[i];
      const k = kind[i];
      const i3 = 3 * i;
      const i6 = 6 * i;
      const i9 = 9 * i;

      // Parent's pose and velocity; the ground has none
      let r00 = 1;
      let r01 = 0;
      let r02 = 0;
      let r10 = 0;
      let r11 = 1;
      let r12 = 0;
      let r20 = 0;
      let r21 = 0;
      let r22 = 1;
      let px = 0;
      let py = 0;
      let pz = 0;
      let wx = 0;
      let wy = 0;
      let wz = 0;
      let vx = 0;
      let vy = 0;
      let vz = 0;
      if (p >= 0) {
        const p9 = 9 * p;
        r00 = rotation[p9];
        r01 = rotation[p9 + 1];
        r02 = rotation[p9 + 2];
        r10 = rotation[p9 + 3];
        r11 = rotation[p9 + 4];
        r12 = rotation[p9 + 5];
        r20 = rotation[p9 + 6];
        r21 = rotation[p9 + 7];
        r22 = rotation[p9 + 8];
        px = position[3 * p];
        py = position[3 * p + 1];
        pz = position[3 * p + 2];
        wx = twist[6 * p];
        wy = twist[6 * p + 1];
        wz = twist[6 * p + 2];
        vx = twist[6 * p + 3];
        vy = twist[6 * p + 4];
        vz = twist[6 * p + 5];
      }

      // Joint frame
      const ox = tree.position[i3];
      const oy = tree.position[i3 + 1];
      const oz = tree.position[i3 + 2];
      let ax = r00 * ox + r01 * oy + r02 * oz;
      let ay = r10 * ox + r11 * oy + r12 * oz;
      let az = r20 * ox + r21 * oy + r22 * oz;
      if (this.turned[i] !== 0) {
        const m = tree.rotation;
        const a = r00 * m[i9] + r01 * m[i9 + 3] + r02 * m[i9 + 6];
        const b = r00 * m[i9 + 1] + r01 * m[i9 + 4] + r02 * m[i9 + 7];
        const c = r00 * m[i9 + 2] + r01 * m[i9 + 5] + r02 * m[i9 + 8];
        const d = r10 * m[i9] + r11 * m[i9 + 3] + r12 * m[i9 + 6];
        const e = r10 * m[i9 + 1] + r11 * m[i9 + 4] + r12 * m[i9 + 7];
        const f = r10 * m[i9 + 2] + r11 * m[i9 + 5] + r12 * m[i9 + 8];
        const g = r20 * m[i9] + r21 * m[i9 + 3] + r22 * m[i9 + 6];
        const h = r20 * m[i9 + 1] + r21 * m[i9 + 4] + r22 * m[i9 + 7];
        r22 = r20 * m[i9 + 2] + r21 * m[i9 + 5] + r22 * m[i9 + 8];
        r00 = a;
        r01 = b;
        r02 = c;
        r10 = d;
        r11 = e;
        r12 = f;
        r20 = g;
        r21 = h;
      }

      // Joint: relative angular velocity s, relative velocity l, acceleration `given` where prescribed
      let sx = 0;
      let sy = 0;
      let sz = 0;
      let lx = 0;
      let ly = 0;
      let lz = 0;
      let given = 0;
      if (k === NODE.spherical) {
        // R(q) of degree 0 in q: the length of a quaternion inside a step does not matter
        const at = qAt[i];
        const qw = y[at];
        const qx = y[at + 1];
        const qy = y[at + 2];
        const qz = y[at + 3];
        const two = 2 / (qw * qw + qx * qx + qy * qy + qz * qz);
        const m00 = 1 - two * (qy * qy + qz * qz);
        const m01 = two * (qx * qy - qw * qz);
        const m02 = two * (qx * qz + qw * qy);
        const m10 = two * (qx * qy + qw * qz);
        const m11 = 1 - two * (qx * qx + qz * qz);
        const m12 = two * (qy * qz - qw * qx);
        const m20 = two * (qx * qz - qw * qy);
        const m21 = two * (qy * qz + qw * qx);
        const m22 = 1 - two * (qx * qx + qy * qy);
        const a = r00 * m00 + r01 * m10 + r02 * m20;
        const b = r00 * m01 + r01 * m11 + r02 * m21;
        r02 = r00 * m02 + r01 * m12 + r02 * m22;
        r00 = a;
        r01 = b;
        const d = r10 * m00 + r11 * m10 + r12 * m20;
        const e = r10 * m01 + r11 * m11 + r12 * m21;
        r12 = r10 * m02 + r11 * m12 + r12 * m22;
        r10 = d;
        r11 = e;
        const g = r20 * m00 + r21 * m10 + r22 * m20;
        const h = r20 * m01 + r21 * m11 + r22 * m21;
        r22 = r20 * m02 + r21 * m12 + r22 * m22;
        r20 = g;
        r21 = h;
        const v = velocities + vAt[i];
        sx = r00 * y[v] + r01 * y[v + 1] + r02 * y[v + 2];
        sy = r10 * y[v] + r11 * y[v + 1] + r12 * y[v + 2];
        sz = r20 * y[v] + r21 * y[v + 1] + r22 * y[v + 2];
      } else if (k !== NODE.fixed) {
        let value: number;
        let rate: number;
        const drive = motion[i];
        if (drive >= 0) {
          this.motions[drive](t, sample);
          value = sample[0];
          rate = this.standing ? 0 : sample[1];
          given = this.standing ? 0 : sample[2];
          if (!Number.isFinite(value + rate + given)) this.refuse(i, t);
        } else {
          value = y[qAt[i]];
          rate = y[velocities + vAt[i]];
        }
        const ex = tree.axis[i3];
        const ey = tree.axis[i3 + 1];
        const ez = tree.axis[i3 + 2];
        const ux = r00 * ex + r01 * ey + r02 * ez;
        const uy = r10 * ex + r11 * ey + r12 * ez;
        const uz = r20 * ex + r21 * ey + r22 * ez;
        axis[i3] = ux;
        axis[i3 + 1] = uy;
        axis[i3 + 2] = uz;
        if (k !== NODE.prismatic) {
          // Rodrigues: R_i = R_j (cos 1 + sin [e] + (1 − cos) e eᵀ), column by column R_j [e] = cross products with e
          if (drive >= 0) this.turnTo(i, sample, 0);
          const s = sines[2 * i];
          const c = sines[2 * i + 1];
          const one = 1 - c;
          const fx = one * ux;
          const fy = one * uy;
          const fz = one * uz;
          const a = c * r00 + s * (r01 * ez - r02 * ey) + fx * ex;
          const b = c * r01 + s * (r02 * ex - r00 * ez) + fx * ey;
          r02 = c * r02 + s * (r00 * ey - r01 * ex) + fx * ez;
          r00 = a;
          r01 = b;
          const d = c * r10 + s * (r11 * ez - r12 * ey) + fy * ex;
          const e = c * r11 + s * (r12 * ex - r10 * ez) + fy * ey;
          r12 = c * r12 + s * (r10 * ey - r11 * ex) + fy * ez;
          r10 = d;
          r11 = e;
          const g = c * r20 + s * (r21 * ez - r22 * ey) + fz * ex;
          const h = c * r21 + s * (r22 * ex - r20 * ez) + fz * ey;
          r22 = c * r22 + s * (r20 * ey - r21 * ex) + fz * ez;
          r20 = g;
          r21 = h;
          sx = rate * ux;
          sy = rate * uy;
          sz = rate * uz;
        }
        if (k !== NODE.revolute) {
          const along = slide[i] * value;
          ax += along * ux;
          ay += along * uy;
          az += along * uz;
          const speed = slide[i] * rate;
          lx = speed * ux;
          ly = speed * uy;
          lz = speed * uz;
        }
      }

      // Pose
      rotation[i9] = r00;
      rotation[i9 + 1] = r01;
      rotation[i9 + 2] = r02;
      rotation[i9 + 3] = r10;
      rotation[i9 + 4] = r11;
      rotation[i9 + 5] = r12;
      rotation[i9 + 6] = r20;
      rotation[i9 + 7] = r21;
      rotation[i9 + 8] = r22;
      arm[i3] = ax;
      arm[i3 + 1] = ay;
      arm[i3 + 2] = az;
      position[i3] = px + ax;
      position[i3 + 1] = py + ay;
      position[i3 + 2] = pz + az;

      // Velocity at the node's own origin
      vx += wy * az - wz * ay + lx;
      vy += wz * ax - wx * az + ly;
      vz += wx * ay - wy * ax + lz;
      wx += sx;
      wy += sy;
      wz += sz;
      twist[i6] = wx;
      twist[i6 + 1] = wy;
      twist[i6 + 2] = wz;
      twist[i6 + 3] = vx;
      twist[i6 + 4] = vy;
      twist[i6 + 5] = vz;

      // V × (S v)
      bias[i6] = wy * sz - wz * sy;
      bias[i6 + 1] = wz * sx - wx * sz;
      bias[i6 + 2] = wx * sy - wy * sx;
      bias[i6 + 3] = wy * lz - wz * ly + vy * sz - vz * sy;
      bias[i6 + 4] = wz * lx - wx * lz + vz * sx - vx * sz;
      bias[i6 + 5] = wx * ly - wy * lx + vx * sy - vy * sx;
      if (given !== 0) {
        const a = turn[i] * given;
        const b = slide[i] * given;
        bias[i6] += a * axis[i3];
        bias[i6 + 1] += a * axis[i3 + 1];
        bias[i6 + 2] += a * axis[i3 + 2];
        bias[i6 + 3] += b * axis[i3];
        bias[i6 + 4] += b * axis[i3 + 1];
        bias[i6 + 5] += b * axis[i3 + 2];
      }
      if (above[i] !== p)
        for (let j = 0; j < 3; j++) {
          arm[i3 + j] += arm[3 * p + j];
          bias[i6 + 3 + j] += bias[6 * p + 3 + j];
        }
    }
    turnInertias(this, this.solid);
    const { flexible } = this;
    for (let k = 0; k < flexible.length; k++)
      flexible[k].update(y, velocities, rotation, twist, this.centre, this.inertia);
  }

  /** A slide of an interface: arm and bias from the frame of the body on, with those of the slides before it */
  private slideOn(i: number, y: Float64Array, velocities: number): void {
    const { tree, axis, arm, bias, idle } = this;
    const { position, rotation, twist } = this.carriers;
    const p = tree.parent[i];
    const value = y[tree.q[i]];
    const rate = y[velocities + tree.v[i]];
    const t = 6 * p;
    for (let j = 0; j < 3; j++) {
      const r = 9 * p + 3 * j;
      const k = 3 * i + j;
      const u =
        rotation[r] * tree.axis[3 * i] +
        rotation[r + 1] * tree.axis[3 * i + 1] +
        rotation[r + 2] * tree.axis[3 * i + 2];
      axis[k] = u;
      arm[k] =
        rotation[r] * tree.position[3 * i] +
        rotation[r + 1] * tree.position[3 * i + 1] +
        rotation[r + 2] * tree.position[3 * i + 2] +
        value * u;
      position[k] = position[3 * p + j] + arm[k];
      for (let c = 0; c < 3; c++) rotation[9 * i + 3 * j + c] = rotation[r + c];
    }
    const wx = twist[t];
    const wy = twist[t + 1];
    const wz = twist[t + 2];
    const ax = arm[3 * i];
    const ay = arm[3 * i + 1];
    const az = arm[3 * i + 2];
    const lx = rate * axis[3 * i];
    const ly = rate * axis[3 * i + 1];
    const lz = rate * axis[3 * i + 2];
    const s = 6 * i;
    twist[s] = wx;
    twist[s + 1] = wy;
    twist[s + 2] = wz;
    twist[s + 3] = twist[t + 3] + wy * az - wz * ay + lx;
    twist[s + 4] = twist[t + 4] + wz * ax - wx * az + ly;
    twist[s + 5] = twist[t + 5] + wx * ay - wy * ax + lz;
    bias[s + 3] = wy * lz - wz * ly;
    bias[s + 4] = wz * lx - wx * lz;
    bias[s + 5] = wx * ly - wy * lx;
    if (idle[p] === 2)
      for (let j = 0; j < 3; j++) {
        arm[3 * i + j] += arm[3 * p + j];
        bias[s + 3 + j] += bias[t + 3 + j];
      }
  }

  /**
   * Sines and cosines of all joints that turn freely, in a pass of their own: in the long loop of `update` the compiler inlines less, and
   * numbers that cross a call become heap objects.
   */
  private turnAll(y: Float64Array): void {
    const { turn } = this;
    const { q, motion, count } = this.tree;
    for (let i = 0; i < count; i++) if (turn[i] !== 0 && motion[i] < 0) this.turnTo(i, y, q[i]);
  }

  private turnTo(node: number, angles: Float64Array, at: number): void {
    const { sines } = this;
    sines[2 * node] = sin(angles[at]);
    sines[2 * node + 1] = cos(angles[at]);
  }

  /** The prescribed motion of a node is not finite. */
  private refuse(node: number, t: number): void {
    const { sample, names } = this;
    requireFinite(sample[0] + sample[1] + sample[2], t, names[node], 'its prescribed motion');
  }
}
