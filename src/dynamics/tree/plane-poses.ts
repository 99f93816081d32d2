/**
 * Poses and velocities of nodes that move in the world's xy plane (plane-motion.ts): tree-kinematics.ts for c = cos, s = sin of the whole turn, ω, v_x and v_y. What
 * else there is of rotations, twists, axes and biases has the value it had at the start.
 */
import { NODE, type Tree } from '../../assembly/system.js';
import type { Carriers } from './carriers.js';

/** What tree-kinematics.ts keeps of its nodes */
interface PlacedNodes {
  readonly tree: Tree;
  readonly carriers: Carriers;
  readonly axis: Float64Array;
  readonly arm: Float64Array;
  readonly bias: Float64Array;
  readonly idle: Uint8Array;
}

/**
 * A node that nothing drives, the one above it in the tree being placed.
 *
 * @param sines 2 per node: sine and cosine of turning joints
 */
export function placeInPlane(
  { tree, carriers, axis, arm, bias, idle }: PlacedNodes,
  i: number,
  y: Float64Array,
  velocities: number,
  sines: Float64Array,
): void {
  const { position, rotation, twist } = carriers;
  const p = tree.parent[i];
  let c = 1;
  let s = 0;
  let w = 0;
  let vx = 0;
  let vy = 0;
  let px = 0;
  let py = 0;
  let pz = 0;
  if (p >= 0) {
    c = rotation[9 * p];
    s = rotation[9 * p + 3];
    w = twist[6 * p + 2];
    vx = twist[6 * p + 3];
    vy = twist[6 * p + 4];
    px = position[3 * p];
    py = position[3 * p + 1];
    pz = position[3 * p + 2];
  }
  const ox = tree.position[3 * i];
  const oy = tree.position[3 * i + 1];
  let ax = c * ox - s * oy;
  let ay = s * ox + c * oy;
  let az = tree.position[3 * i + 2];
  const turned = tree.rotation[9 * i + 3];
  if (turned !== 0 || tree.rotation[9 * i] !== 1) {
    const before = c;
    c = c * tree.rotation[9 * i] - s * turned;
    s = s * tree.rotation[9 * i] + before * turned;
  }
  let turning = 0;
  let lx = 0;
  let ly = 0;
  if (tree.kind[i] === NODE.revolute) {
    const about = tree.axis[3 * i + 2];
    const sine = about * sines[2 * i];
    const cosine = sines[2 * i + 1];
    const before = c;
    c = c * cosine - s * sine;
    s = s * cosine + before * sine;
    axis[3 * i + 2] = about;
    turning = about * y[velocities + tree.v[i]];
  } else if (tree.kind[i] === NODE.prismatic) {
    const ux = c * tree.axis[3 * i] - s * tree.axis[3 * i + 1];
    const uy = s * tree.axis[3 * i] + c * tree.axis[3 * i + 1];
    const value = y[tree.q[i]];
    const rate = y[velocities + tree.v[i]];
    axis[3 * i] = ux;
    axis[3 * i + 1] = uy;
    ax += value * ux;
    ay += value * uy;
    lx = rate * ux;
    ly = rate * uy;
  }
  rotation[9 * i] = c;
  rotation[9 * i + 1] = -s;
  rotation[9 * i + 3] = s;
  rotation[9 * i + 4] = c;
  position[3 * i] = px + ax;
  position[3 * i + 1] = py + ay;
  position[3 * i + 2] = pz + az;
  vx += lx - w * ay;
  vy += ly + w * ax;
  w += turning;
  twist[6 * i + 2] = w;
  twist[6 * i + 3] = vx;
  twist[6 * i + 4] = vy;
  let bx = vy * turning - w * ly;
  let by = w * lx - vx * turning;
  // behind slides that it is taken together with
  if (p >= 0 && idle[p] === 2) {
    ax += arm[3 * p];
    ay += arm[3 * p + 1];
    az += arm[3 * p + 2];
    bx += bias[6 * p + 3];
    by += bias[6 * p + 4];
  }
  arm[3 * i] = ax;
  arm[3 * i + 1] = ay;
  arm[3 * i + 2] = az;
  bias[6 * i + 3] = bx;
  bias[6 * i + 4] = by;
}
