/**
 * Inverse dynamics of the tree (recursive Newton–Euler): forces from accelerations, and the wrench that each joint carries.
 *
 *   A_i = shift(A_parent) + S a + bias      W_i = I A + V ×* (I V) − load
 *   f_i = W_i + Σ children shift(f_c)       τ_i = Sᵀ f_i
 *
 * f_i acts from the parent's side on node i, world axes at the node's origin. Featherstone (2008), ch. 5.
 */
import { NODE } from '../../assembly/system.js';
import type { TreeKinematics } from './tree-kinematics.js';

/** Spatial accelerations of all nodes for joint accelerations `a` (from index `at`), 6 per node into `out`. */
export function nodeAccelerations(kinematics: TreeKinematics, a: Float64Array, at: number, out: Float64Array): void {
  const { tree, axis, arm, bias, turn, slide, active, above } = kinematics;
  const { rotation } = kinematics.carriers;
  for (let index = 0; index < active.length; index++) {
    const i = active[index];
    const s = 6 * i;
    const p = above[i];
    for (let j = 0; j < 6; j++) out[s + j] = bias[s + j];
    if (p >= 0) {
      const wx = out[6 * p];
      const wy = out[6 * p + 1];
      const wz = out[6 * p + 2];
      const rx = arm[3 * i];
      const ry = arm[3 * i + 1];
      const rz = arm[3 * i + 2];
      out[s] += wx;
      out[s + 1] += wy;
      out[s + 2] += wz;
      out[s + 3] += out[6 * p + 3] + wy * rz - wz * ry;
      out[s + 4] += out[6 * p + 4] + wz * rx - wx * rz;
      out[s + 5] += out[6 * p + 5] + wx * ry - wy * rx;
    }
    const v = tree.v[i];
    if (v < 0) continue;
    if (tree.kind[i] === NODE.spherical) {
      const r = 9 * i;
      for (let j = 0; j < 3; j++)
        out[s + j] +=
          rotation[r + 3 * j] * a[at + v] +
          rotation[r + 3 * j + 1] * a[at + v + 1] +
          rotation[r + 3 * j + 2] * a[at + v + 2];
    } else
      for (let j = 0; j < 3; j++) {
        out[s + j] += turn[i] * a[at + v] * axis[3 * i + j];
        out[s + 3 + j] += slide[i] * a[at + v] * axis[3 * i + j];
      }
    for (let k = tree.parent[i]; k !== p; k = tree.parent[k])
      for (let j = 0; j < 3; j++) out[s + 3 + j] += a[at + tree.v[k]] * axis[3 * k + j];
  }
}

/** Wrenches f carried by the joints (6 per node), from accelerations of nodes and joints (from index `at`) and the carriers' loads. */
export function jointWrenches(
  kinematics: TreeKinematics,
  acceleration: Float64Array,
  a: Float64Array,
  at: number,
  out: Float64Array,
): void {
  const { tree, arm, centre, inertia, active, above } = kinematics;
  const { twist, load } = kinematics.carriers;
  // nothing acts on idle nodes but along their coordinates
  for (let index = 0; index < active.length; index++) {
    const i = active[index];
    const s = 6 * i;
    for (let j = 0; j < 6; j++) out[s + j] = -load[s + j];
    const mass = tree.mass[i];
    if (mass === 0) continue;
    const hx = mass * centre[3 * i];
    const hy = mass * centre[3 * i + 1];
    const hz = mass * centre[3 * i + 2];
    const xx = inertia[s];
    const yy = inertia[s + 1];
    const zz = inertia[s + 2];
    const xy = inertia[s + 3];
    const xz = inertia[s + 4];
    const yz = inertia[s + 5];
    const wx = twist[s];
    const wy = twist[s + 1];
    const wz = twist[s + 2];
    const vx = twist[s + 3];
    const vy = twist[s + 4];
    const vz = twist[s + 5];
    const lx = xx * wx + xy * wy + xz * wz + hy * vz - hz * vy;
    const ly = xy * wx + yy * wy + yz * wz + hz * vx - hx * vz;
    const lz = xz * wx + yz * wy + zz * wz + hx * vy - hy * vx;
    const qx = mass * vx + wy * hz - wz * hy;
    const qy = mass * vy + wz * hx - wx * hz;
    const qz = mass * vz + wx * hy - wy * hx;
    const bx = acceleration[s];
    const by = acceleration[s + 1];
    const bz = acceleration[s + 2];
    const ax = acceleration[s + 3];
    const ay = acceleration[s + 4];
    const az = acceleration[s + 5];
    out[s] += xx * bx + xy * by + xz * bz + hy * az - hz * ay + wy * lz - wz * ly + vy * qz - vz * qy;
    out[s + 1] += xy * bx + yy * by + yz * bz + hz * ax - hx * az + wz * lx - wx * lz + vz * qx - vx * qz;
    out[s + 2] += xz * bx + yz * by + zz * bz + hx * ay - hy * ax + wx * ly - wy * lx + vx * qy - vy * qx;
    out[s + 3] += mass * ax + by * hz - bz * hy + wy * qz - wz * qy;
    out[s + 4] += mass * ay + bz * hx - bx * hz + wz * qx - wx * qz;
    out[s + 5] += mass * az + bx * hy - by * hx + wx * qy - wy * qx;
  }
  const { flexible } = kinematics;
  for (let k = 0; k < flexible.length; k++) flexible[k].addWrench(a, at, out);
  for (let index = active.length - 1; index >= 0; index--) {
    const i = active[index];
    const p = above[i];
    if (p < 0) continue;
    const s = 6 * i;
    for (let k = tree.parent[i]; k !== p; k = tree.parent[k]) bySlide(kinematics, i, k, out);
    const fx = out[s + 3];
    const fy = out[s + 4];
    const fz = out[s + 5];
    const rx = arm[3 * i];
    const ry = arm[3 * i + 1];
    const rz = arm[3 * i + 2];
    out[6 * p] += out[s] + ry * fz - rz * fy;
    out[6 * p + 1] += out[s + 1] + rz * fx - rx * fz;
    out[6 * p + 2] += out[s + 2] + rx * fy - ry * fx;
    out[6 * p + 3] += fx;
    out[6 * p + 4] += fy;
    out[6 * p + 5] += fz;
  }
}

/** The wrench that a slide carries on to node i, which is taken together with it: about the slide's own origin */
function bySlide({ arm }: TreeKinematics, i: number, slide: number, out: Float64Array): void {
  const rx = arm[3 * i] - arm[3 * slide];
  const ry = arm[3 * i + 1] - arm[3 * slide + 1];
  const rz = arm[3 * i + 2] - arm[3 * slide + 2];
  const s = 6 * i;
  const to = 6 * slide;
  out[to] = out[s] + ry * out[s + 5] - rz * out[s + 4];
  out[to + 1] = out[s + 1] + rz * out[s + 3] - rx * out[s + 5];
  out[to + 2] = out[s + 2] + rx * out[s + 4] - ry * out[s + 3];
  for (let j = 3; j < 6; j++) out[to + j] = out[s + j];
}

/** Generalised forces τ = Sᵀ f of carried wrenches, into `out` by velocity index. */
export function alongJoints(kinematics: TreeKinematics, wrench: Float64Array, out: Float64Array): void {
  const { tree, axis, turn, slide } = kinematics;
  const { rotation } = kinematics.carriers;
  for (let i = 0; i < tree.count; i++) {
    const v = tree.v[i];
    if (v < 0) continue;
    const s = 6 * i;
    if (tree.kind[i] === NODE.spherical) {
      const r = 9 * i;
      for (let j = 0; j < 3; j++)
        out[v + j] =
          rotation[r + j] * wrench[s] + rotation[r + 3 + j] * wrench[s + 1] + rotation[r + 6 + j] * wrench[s + 2];
    } else {
      const ux = axis[3 * i];
      const uy = axis[3 * i + 1];
      const uz = axis[3 * i + 2];
      out[v] =
        turn[i] * (ux * wrench[s] + uy * wrench[s + 1] + uz * wrench[s + 2]) +
        slide[i] * (ux * wrench[s + 3] + uy * wrench[s + 4] + uz * wrench[s + 5]);
    }
  }
}
