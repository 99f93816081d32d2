/**
 * The inverse mass matrix of the tree as a product, M⁻¹ = Bᵀ B: what the two sweeps of the articulated-body algorithm leave behind (articulated-body.ts).
 *
 *   leaf to root   B f = D^(−½) ε(f)
 *   root to leaf   Bᵀ, with the same gains
 *
 * Rodriguez, Jain & Kreutz-Delgado, J. Astronaut. Sci. 40 (1992) 27–50.
 */
import { NODE } from '../../assembly/system.js';
import type { TreeKinematics } from '../tree/tree-kinematics.js';
import type { FlexibleBlock } from './flexible-block.js';

/** What the last sweeps left; `force` and `acceleration` are overwritten. */
export interface MassFactors {
  readonly kinematics: TreeKinematics;
  /** 6 per node */
  readonly force: Float64Array;
  readonly acceleration: Float64Array;
  /** 9 per node: U (scalar), J⁻¹ H (spherical) */
  readonly gain: Float64Array;
  /** 6 per node: D⁻¹ (scalar); Cholesky factor of J (spherical) */
  readonly pivot: Float64Array;
  /** D of scalar nodes */
  readonly along: Float64Array;
  /** Of bodies that deform; per node the block whose frame it is, the block it is a coordinate of, −1: none; and which coordinate */
  readonly blocks: readonly FlexibleBlock[];
  readonly frameOf: Int32Array;
  readonly blockOf: Int32Array;
  readonly placeInBlock: Int32Array;
}

/** x = B f */
export function halfSolve(of: MassFactors, f: Float64Array, fAt: number, x: Float64Array, xAt: number): void {
  const { force, gain, pivot, along, blocks, frameOf, blockOf } = of;
  const { tree, axis, arm, turn, slide, idle, above } = of.kinematics;
  const { rotation } = of.kinematics.carriers;
  const { kind, v: vAt } = tree;
  force.fill(0);
  for (let i = tree.count - 1; i >= 0; i--) {
    if (idle[i] !== 0) continue;
    const s = 6 * i;
    const g = 9 * i;
    if (frameOf[i] >= 0) blocks[frameOf[i]].halfEliminate(force, f, fAt, x, xAt);
    if (blockOf[i] >= 0) blocks[blockOf[i]].halfPass(of.placeInBlock[i], force, f, fAt);
    let tx = force[s];
    let ty = force[s + 1];
    let tz = force[s + 2];
    let fx = force[s + 3];
    let fy = force[s + 4];
    let fz = force[s + 5];
    const v = blockOf[i] >= 0 ? -1 : vAt[i];
    if (v >= 0 && kind[i] !== NODE.spherical) {
      const ux = axis[3 * i];
      const uy = axis[3 * i + 1];
      const uz = axis[3 * i + 2];
      const e = f[fAt + v] - turn[i] * (ux * tx + uy * ty + uz * tz) - slide[i] * (ux * fx + uy * fy + uz * fz);
      x[xAt + v] = e / Math.sqrt(along[i]);
      const y = e * pivot[s];
      tx += gain[g] * y;
      ty += gain[g + 1] * y;
      tz += gain[g + 2] * y;
      fx += gain[g + 3] * y;
      fy += gain[g + 4] * y;
      fz += gain[g + 5] * y;
    } else if (v >= 0) {
      const r0 = f[fAt + v];
      const r1 = f[fAt + v + 1];
      const r2 = f[fAt + v + 2];
      const ex = rotation[g] * r0 + rotation[g + 1] * r1 + rotation[g + 2] * r2;
      const ey = rotation[g + 3] * r0 + rotation[g + 4] * r1 + rotation[g + 5] * r2;
      const ez = rotation[g + 6] * r0 + rotation[g + 7] * r1 + rotation[g + 8] * r2;
      const e0 = ex - tx;
      const e1 = ey - ty;
      const e2 = ez - tz;
      const z0 = e0 / pivot[s];
      const z1 = (e1 - pivot[s + 1] * z0) / pivot[s + 2];
      x[xAt + v] = z0;
      x[xAt + v + 1] = z1;
      x[xAt + v + 2] = (e2 - pivot[s + 3] * z0 - pivot[s + 4] * z1) / pivot[s + 5];
      fx += gain[g] * e0 + gain[g + 3] * e1 + gain[g + 6] * e2;
      fy += gain[g + 1] * e0 + gain[g + 4] * e1 + gain[g + 7] * e2;
      fz += gain[g + 2] * e0 + gain[g + 5] * e1 + gain[g + 8] * e2;
      tx = ex;
      ty = ey;
      tz = ez;
    }
    const p = above[i];
    if (p < 0) continue;
    const rx = arm[3 * i];
    const ry = arm[3 * i + 1];
    const rz = arm[3 * i + 2];
    force[6 * p] += tx + ry * fz - rz * fy;
    force[6 * p + 1] += ty + rz * fx - rx * fz;
    force[6 * p + 2] += tz + rx * fy - ry * fx;
    force[6 * p + 3] += fx;
    force[6 * p + 4] += fy;
    force[6 * p + 5] += fz;
  }
}

/** a = Bᵀ x; also the accelerations of the nodes that go with a. */
export function halfSolveTransposed(of: MassFactors, x: Float64Array, xAt: number, a: Float64Array, aAt: number): void {
  const { acceleration, gain, pivot, along, blocks, frameOf, blockOf } = of;
  const { tree, axis, arm, turn, slide, idle, above } = of.kinematics;
  const { rotation } = of.kinematics.carriers;
  const { kind, v: vAt } = tree;
  for (let i = 0; i < tree.count; i++) {
    if (idle[i] !== 0) continue;
    const p = above[i];
    const s = 6 * i;
    const g = 9 * i;
    let a0 = 0;
    let a1 = 0;
    let a2 = 0;
    let a3 = 0;
    let a4 = 0;
    let a5 = 0;
    if (p >= 0) {
      a0 = acceleration[6 * p];
      a1 = acceleration[6 * p + 1];
      a2 = acceleration[6 * p + 2];
      const rx = arm[3 * i];
      const ry = arm[3 * i + 1];
      const rz = arm[3 * i + 2];
      a3 = acceleration[6 * p + 3] + a1 * rz - a2 * ry;
      a4 = acceleration[6 * p + 4] + a2 * rx - a0 * rz;
      a5 = acceleration[6 * p + 5] + a0 * ry - a1 * rx;
    }
    const v = vAt[i];
    if (v >= 0 && kind[i] !== NODE.spherical) {
      const carried =
        gain[g] * a0 + gain[g + 1] * a1 + gain[g + 2] * a2 + gain[g + 3] * a3 + gain[g + 4] * a4 + gain[g + 5] * a5;
      const z = blockOf[i] >= 0 ? a[aAt + v] : x[xAt + v] / Math.sqrt(along[i]) - carried * pivot[s];
      a[aAt + v] = z;
      const turning = turn[i] * z;
      const sliding = slide[i] * z;
      a0 += turning * axis[3 * i];
      a1 += turning * axis[3 * i + 1];
      a2 += turning * axis[3 * i + 2];
      a3 += sliding * axis[3 * i];
      a4 += sliding * axis[3 * i + 1];
      a5 += sliding * axis[3 * i + 2];
      // slides that are taken together with it
      for (let j = tree.parent[i]; j !== p; j = tree.parent[j]) {
        const along = a[aAt + vAt[j]];
        a3 += along * axis[3 * j];
        a4 += along * axis[3 * j + 1];
        a5 += along * axis[3 * j + 2];
      }
    } else if (v >= 0) {
      const y2 = x[xAt + v + 2] / pivot[s + 5];
      const y1 = (x[xAt + v + 1] - pivot[s + 4] * y2) / pivot[s + 2];
      const y0 = (x[xAt + v] - pivot[s + 1] * y1 - pivot[s + 3] * y2) / pivot[s];
      const x0 = y0 - a0 - (gain[g] * a3 + gain[g + 1] * a4 + gain[g + 2] * a5);
      const x1 = y1 - a1 - (gain[g + 3] * a3 + gain[g + 4] * a4 + gain[g + 5] * a5);
      const x2 = y2 - a2 - (gain[g + 6] * a3 + gain[g + 7] * a4 + gain[g + 8] * a5);
      a[aAt + v] = rotation[g] * x0 + rotation[g + 3] * x1 + rotation[g + 6] * x2;
      a[aAt + v + 1] = rotation[g + 1] * x0 + rotation[g + 4] * x1 + rotation[g + 7] * x2;
      a[aAt + v + 2] = rotation[g + 2] * x0 + rotation[g + 5] * x1 + rotation[g + 8] * x2;
      a0 += x0;
      a1 += x1;
      a2 += x2;
    }
    acceleration[s] = a0;
    acceleration[s + 1] = a1;
    acceleration[s + 2] = a2;
    acceleration[s + 3] = a3;
    acceleration[s + 4] = a4;
    acceleration[s + 5] = a5;
    if (frameOf[i] >= 0) blocks[frameOf[i]].halfForward(acceleration, x, xAt, a, aAt);
  }
}
