/**
 * The articulated-body algorithm (articulated-body.ts) in trees that move in the xy plane (plane-motion.ts): of the inertia of a node J_zz, H_zx, H_zy, M_xx, M_yy and
 * M_xy matter there, of motions and wrenches three numbers. They lie where they lie among all others, and these stay zero: what uses the factors need not know.
 */
import type { FlexibleBlock } from './flexible-block.js';
import type { ArticulatedArrays } from './spherical-elimination.js';

/** What articulated-body.ts keeps of its nodes */
interface ArticulatedNodes extends ArticulatedArrays {
  readonly acceleration: Float64Array;
  readonly blocks: readonly FlexibleBlock[];
  readonly frameOf: Int32Array;
  readonly blockOf: Int32Array;
  readonly placeInBlock: Int32Array;
}

/** The node's own inertia, and V ×* (I V) less its load */
export function startInPlane(of: ArticulatedNodes, i: number): void {
  const { inertia, force } = of;
  const { tree, centre, inertia: own } = of.kinematics;
  const { twist, load } = of.kinematics.carriers;
  const s = 6 * i;
  const mass = tree.mass[i];
  if (mass === 0) {
    for (let j = s + 2; j < s + 5; j++) force[j] = -load[j];
    return;
  }
  const k = 21 * i;
  const zz = own[s + 2];
  const hx = mass * centre[3 * i];
  const hy = mass * centre[3 * i + 1];
  inertia[k + 2] = zz;
  inertia[k + 12] = -hy;
  inertia[k + 13] = hx;
  inertia[k + 15] = mass;
  inertia[k + 16] = mass;
  const w = twist[s + 2];
  const vx = twist[s + 3];
  const vy = twist[s + 4];
  const qx = mass * vx - w * hy;
  const qy = mass * vy + w * hx;
  force[s + 2] = vx * qy - vy * qx - load[s + 2];
  force[s + 3] = -w * qy - load[s + 3];
  force[s + 4] = w * qx - load[s + 4];
}

/** Eliminates the joint of a node whose inertia is complete, and adds what is left to the node above. */
export function backwardInPlane(of: ArticulatedNodes, i: number, applied: Float64Array): void {
  const { inertia, force, gain, pivot, residual, along, least, blocks, frameOf, blockOf } = of;
  const { tree, axis, arm, bias, turn, slide, above } = of.kinematics;
  const k = 21 * i;
  const s = 6 * i;
  const v = tree.v[i];
  const p = above[i];
  if (frameOf[i] >= 0) blocks[frameOf[i]].eliminate(inertia, k, force, applied, along);
  if (blockOf[i] >= 0) blocks[blockOf[i]].pass(of.placeInBlock[i], inertia, k, force, applied);
  let j = inertia[k + 2];
  let hx = inertia[k + 12];
  let hy = inertia[k + 13];
  let xx = inertia[k + 15];
  let yy = inertia[k + 16];
  let xy = inertia[k + 18];
  let n = force[s + 2];
  let fx = force[s + 3];
  let fy = force[s + 4];
  if (v >= 0 && blockOf[i] < 0) {
    const w = turn[i] * axis[3 * i + 2];
    const x = slide[i] * axis[3 * i];
    const y = slide[i] * axis[3 * i + 1];
    const g0 = j * w + hx * x + hy * y;
    const g1 = hx * w + xx * x + xy * y;
    const g2 = hy * w + xy * x + yy * y;
    const d = w * g0 + x * g1 + y * g2;
    if (!(d > least[i])) of.refuse(i, d);
    const inverse = 1 / d;
    const e = applied[v] - (w * n + x * fx + y * fy);
    gain[9 * i + 2] = g0;
    gain[9 * i + 3] = g1;
    gain[9 * i + 4] = g2;
    pivot[s] = inverse;
    along[i] = d;
    residual[3 * i] = e;
    const y0 = g0 * inverse;
    const y1 = g1 * inverse;
    const y2 = g2 * inverse;
    j -= g0 * y0;
    hx -= g0 * y1;
    hy -= g0 * y2;
    xx -= g1 * y1;
    yy -= g2 * y2;
    xy -= g1 * y2;
    n += y0 * e;
    fx += y1 * e;
    fy += y2 * e;
  }
  if (p < 0) return;
  const b0 = bias[s + 2];
  const b1 = bias[s + 3];
  const b2 = bias[s + 4];
  n += j * b0 + hx * b1 + hy * b2;
  fx += hx * b0 + xx * b1 + xy * b2;
  fy += hy * b0 + xy * b1 + yy * b2;
  const rx = arm[3 * i];
  const ry = arm[3 * i + 1];
  const mx = hx + rx * xy - ry * xx;
  const my = hy + rx * yy - ry * xy;
  const kp = 21 * p;
  inertia[kp + 2] += j - (hx * ry - hy * rx) + rx * my - ry * mx;
  inertia[kp + 12] += mx;
  inertia[kp + 13] += my;
  inertia[kp + 15] += xx;
  inertia[kp + 16] += yy;
  inertia[kp + 18] += xy;
  const sp = 6 * p;
  force[sp + 2] += n + rx * fy - ry * fx;
  force[sp + 3] += fx;
  force[sp + 4] += fy;
}

/** Accelerations of a node, and along its joint into `out` (from index `at`) */
export function forwardInPlane(of: ArticulatedNodes, i: number, out: Float64Array, at: number): void {
  const { acceleration, gain, pivot, residual, blocks, frameOf, blockOf } = of;
  const { tree, axis, arm, bias, turn, slide, above, first, end } = of.kinematics;
  const p = above[i];
  const s = 6 * i;
  let w = bias[s + 2];
  let x = bias[s + 3];
  let y = bias[s + 4];
  if (p >= 0) {
    const wp = acceleration[6 * p + 2];
    w += wp;
    x += acceleration[6 * p + 3] - wp * arm[3 * i + 1];
    y += acceleration[6 * p + 4] + wp * arm[3 * i];
  }
  const v = tree.v[i];
  if (v >= 0 && blockOf[i] < 0) {
    const g = 9 * i;
    out[at + v] = (residual[3 * i] - (gain[g + 2] * w + gain[g + 3] * x + gain[g + 4] * y)) * pivot[s];
  }
  for (let k = end[i] - 1, j = i; k >= first[i]; k--, j = tree.parent[j]) {
    const rate = out[at + k];
    w += rate * turn[j] * axis[3 * j + 2];
    x += rate * slide[j] * axis[3 * j];
    y += rate * slide[j] * axis[3 * j + 1];
  }
  // half solves write all six, and those of a step that is far too long nothing finite
  acceleration[s] = acceleration[s + 1] = acceleration[s + 5] = 0;
  acceleration[s + 2] = w;
  acceleration[s + 3] = x;
  acceleration[s + 4] = y;
  if (frameOf[i] >= 0) blocks[frameOf[i]].forward(acceleration, out, at);
}
