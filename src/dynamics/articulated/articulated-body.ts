/**
 * Forward dynamics of the tree in O(n): the articulated-body algorithm, in world axes at each node's own origin.
 *
 *   leaf to root   U = I S,  D = Sᵀ U,  ε = τ − Sᵀ p
 *                  I_parent += shift(I − U D⁻¹ Uᵀ),  p_parent += shift(p + (I − U D⁻¹ Uᵀ) bias + U D⁻¹ ε)
 *   root to leaf   A' = shift(A_parent) + bias,  a = D⁻¹ (ε − Uᵀ A'),  A = A' + S a
 *
 * I = [J H; Hᵀ M] is symmetric, 21 numbers. A shift by the arm r leaves M and makes H + [r] M and J − H [r] + [r] (H + [r] M)ᵀ.
 * A spherical node takes the world's axes for its columns, so D = J, and behind it J and H vanish.
 *
 * Coordinates of a body that deforms are taken together at its frame (flexible-block.ts). Trees that move in the xy plane take the short form of all
 * that (articulated-in-plane.ts).
 *
 * The two sweeps also factor the mass matrix (mass-factors.ts).
 *
 * Featherstone (2008), ch. 7.
 */
import { NODE } from '../../assembly/system.js';
import { NoAccelerationError } from '../tree/dynamics-error.js';
import type { TreeKinematics } from '../tree/tree-kinematics.js';
import { backwardInPlane, forwardInPlane, startInPlane } from './articulated-in-plane.js';
import { FlexibleBlock } from './flexible-block.js';
import { FlexiblePlaneBlock } from './flexible-plane-block.js';
import { leastInertia } from './least-inertia.js';
import { halfSolve, halfSolveTransposed, type MassFactors } from './mass-factors.js';
import { type ArticulatedArrays, eliminateSpherical } from './spherical-elimination.js';

export class ArticulatedBody implements MassFactors, ArticulatedArrays {
  /** 6 per node: spatial accelerations of the last solve, world axes at the node's origin */
  readonly acceleration: Float64Array;
  /** D of scalar nodes; the smallest pivot of spherical ones */
  readonly along: Float64Array;
  readonly kinematics: TreeKinematics;
  readonly inertia: Float64Array; // 21 per node: J xx yy zz xy xz yz, H row by row, M xx yy zz xy xz yz
  readonly force: Float64Array; // 6 per node: p
  readonly gain: Float64Array; // 9 per node: U (scalar), J⁻¹ H (spherical)
  readonly pivot: Float64Array; // 6 per node: D⁻¹, √D (scalar); Cholesky factor of J, l00 l10 l11 l20 l21 l22 (spherical)
  readonly residual: Float64Array; // 3 per node: ε, world axes for spherical nodes
  /** Of bodies that deform */
  readonly blocks: readonly FlexibleBlock[];
  /** Per node: the block whose frame it is, the block it is a coordinate of, −1: none; and which coordinate */
  readonly frameOf: Int32Array;
  readonly blockOf: Int32Array;
  readonly placeInBlock: Int32Array;
  /** D below this means that nothing with mass moves along the joint. */
  readonly least: Float64Array;

  constructor(kinematics: TreeKinematics) {
    const n = kinematics.tree.count;
    this.kinematics = kinematics;
    this.acceleration = new Float64Array(6 * n);
    this.along = new Float64Array(n);
    this.inertia = new Float64Array(21 * n);
    this.force = new Float64Array(6 * n);
    this.gain = new Float64Array(9 * n);
    this.pivot = new Float64Array(6 * n);
    this.residual = new Float64Array(3 * n);
    this.least = leastInertia(kinematics);
    this.blocks = kinematics.flexible.map((flexible) =>
      kinematics.plane[flexible.node] !== 0
        ? new FlexiblePlaneBlock(flexible, kinematics)
        : new FlexibleBlock(flexible, kinematics),
    );
    this.frameOf = new Int32Array(n).fill(-1);
    this.blockOf = new Int32Array(n).fill(-1);
    this.placeInBlock = new Int32Array(n);
    kinematics.flexible.forEach(({ node, nodes }, index) => {
      this.frameOf[node] = index;
      nodes.forEach((own, k) => {
        this.blockOf[own] = index;
        this.placeInBlock[own] = k;
      });
    });
  }

  /**
   * Accelerations `out` (from index `at`) under the generalised forces `applied` and the carriers' loads.
   *
   * @throws DynamicsError where a joint moves nothing that has inertia
   */
  solve(applied: Float64Array, out: Float64Array, at: number): void {
    this.start();
    for (let k = 0; k < this.blocks.length; k++) this.blocks[k].start();
    this.backward(applied);
    this.forward(out, at);
  }

  /** Each node's own inertia, and V ×* (I V) less its load. */
  private start(): void {
    const { inertia, force } = this;
    const { tree, centre, inertia: own, active, plane } = this.kinematics;
    const { twist, load } = this.kinematics.carriers;
    for (let index = 0; index < active.length; index++) {
      const i = active[index];
      inertia.fill(0, 21 * i, 21 * i + 21);
      if (plane[i] !== 0) {
        startInPlane(this, i);
        continue;
      }
      const s = 6 * i;
      const mass = tree.mass[i];
      if (mass === 0) {
        for (let j = 0; j < 6; j++) force[s + j] = -load[s + j];
        continue;
      }
      const k = 21 * i;
      const cx = centre[3 * i];
      const cy = centre[3 * i + 1];
      const cz = centre[3 * i + 2];
      const xx = own[s];
      const yy = own[s + 1];
      const zz = own[s + 2];
      const xy = own[s + 3];
      const xz = own[s + 4];
      const yz = own[s + 5];
      const hx = mass * cx;
      const hy = mass * cy;
      const hz = mass * cz;
      inertia[k] = xx;
      inertia[k + 1] = yy;
      inertia[k + 2] = zz;
      inertia[k + 3] = xy;
      inertia[k + 4] = xz;
      inertia[k + 5] = yz;
      inertia[k + 7] = -hz;
      inertia[k + 8] = hy;
      inertia[k + 9] = hz;
      inertia[k + 11] = -hx;
      inertia[k + 12] = -hy;
      inertia[k + 13] = hx;
      inertia[k + 15] = mass;
      inertia[k + 16] = mass;
      inertia[k + 17] = mass;
      const wx = twist[s];
      const wy = twist[s + 1];
      const wz = twist[s + 2];
      const vx = twist[s + 3];
      const vy = twist[s + 4];
      const vz = twist[s + 5];
      // Momentum: L = J ω + h × v, P = m v + ω × h
      const lx = xx * wx + xy * wy + xz * wz + hy * vz - hz * vy;
      const ly = xy * wx + yy * wy + yz * wz + hz * vx - hx * vz;
      const lz = xz * wx + yz * wy + zz * wz + hx * vy - hy * vx;
      const qx = mass * vx + wy * hz - wz * hy;
      const qy = mass * vy + wz * hx - wx * hz;
      const qz = mass * vz + wx * hy - wy * hx;
      force[s] = wy * lz - wz * ly + vy * qz - vz * qy - load[s];
      force[s + 1] = wz * lx - wx * lz + vz * qx - vx * qz - load[s + 1];
      force[s + 2] = wx * ly - wy * lx + vx * qy - vy * qx - load[s + 2];
      force[s + 3] = wy * qz - wz * qy - load[s + 3];
      force[s + 4] = wz * qx - wx * qz - load[s + 4];
      force[s + 5] = wx * qy - wy * qx - load[s + 5];
    }
  }

  /** Leaf to root: each joint eliminated, what is left of it added to its parent */
  private backward(applied: Float64Array): void {
    const { inertia, force, gain, pivot, residual, along, least, blocks, frameOf, blockOf } = this;
    const { tree, axis, arm, bias, turn, slide, active, above, plane } = this.kinematics;
    const { kind, v: vAt } = tree;
    for (let index = active.length - 1; index >= 0; index--) {
      const i = active[index];
      if (plane[i] !== 0) {
        backwardInPlane(this, i, applied);
        continue;
      }
      const k = 21 * i;
      const s = 6 * i;
      if (frameOf[i] >= 0) blocks[frameOf[i]].eliminate(inertia, k, force, applied, along);
      const inBlock = blockOf[i] >= 0;
      const v = vAt[i];
      const p = above[i];
      if (inBlock) blocks[blockOf[i]].pass(this.placeInBlock[i], inertia, k, force, applied);
      else if (v >= 0 && kind[i] === NODE.spherical) eliminateSpherical(this, i, applied, v);
      let jxx = inertia[k];
      let jyy = inertia[k + 1];
      let jzz = inertia[k + 2];
      let jxy = inertia[k + 3];
      let jxz = inertia[k + 4];
      let jyz = inertia[k + 5];
      let h00 = inertia[k + 6];
      let h01 = inertia[k + 7];
      let h02 = inertia[k + 8];
      let h10 = inertia[k + 9];
      let h11 = inertia[k + 10];
      let h12 = inertia[k + 11];
      let h20 = inertia[k + 12];
      let h21 = inertia[k + 13];
      let h22 = inertia[k + 14];
      let mxx = inertia[k + 15];
      let myy = inertia[k + 16];
      let mzz = inertia[k + 17];
      let mxy = inertia[k + 18];
      let mxz = inertia[k + 19];
      let myz = inertia[k + 20];
      let tx = force[s];
      let ty = force[s + 1];
      let tz = force[s + 2];
      let fx = force[s + 3];
      let fy = force[s + 4];
      let fz = force[s + 5];

      // a coordinate of a body that deforms stays: the frame eliminates it
      if (v >= 0 && !inBlock && kind[i] !== NODE.spherical) {
        // Scalar joint: U = I S, D = S · U
        const ux = axis[3 * i];
        const uy = axis[3 * i + 1];
        const uz = axis[3 * i + 2];
        const a = turn[i];
        const b = slide[i];
        let g0 = 0;
        let g1 = 0;
        let g2 = 0;
        let g3 = 0;
        let g4 = 0;
        let g5 = 0;
        if (a !== 0) {
          g0 = jxx * ux + jxy * uy + jxz * uz;
          g1 = jxy * ux + jyy * uy + jyz * uz;
          g2 = jxz * ux + jyz * uy + jzz * uz;
          g3 = h00 * ux + h10 * uy + h20 * uz;
          g4 = h01 * ux + h11 * uy + h21 * uz;
          g5 = h02 * ux + h12 * uy + h22 * uz;
        }
        if (b !== 0) {
          g0 += b * (h00 * ux + h01 * uy + h02 * uz);
          g1 += b * (h10 * ux + h11 * uy + h12 * uz);
          g2 += b * (h20 * ux + h21 * uy + h22 * uz);
          g3 += b * (mxx * ux + mxy * uy + mxz * uz);
          g4 += b * (mxy * ux + myy * uy + myz * uz);
          g5 += b * (mxz * ux + myz * uy + mzz * uz);
        }
        const d = a * (ux * g0 + uy * g1 + uz * g2) + b * (ux * g3 + uy * g4 + uz * g5);
        if (!(d > least[i])) this.refuse(i, d);
        const inverse = 1 / d;
        const e = applied[v] - a * (ux * tx + uy * ty + uz * tz) - b * (ux * fx + uy * fy + uz * fz);
        const g = 9 * i;
        gain[g] = g0;
        gain[g + 1] = g1;
        gain[g + 2] = g2;
        gain[g + 3] = g3;
        gain[g + 4] = g4;
        gain[g + 5] = g5;
        pivot[s] = inverse;
        along[i] = d;
        residual[3 * i] = e;
        if (p < 0) continue;
        // I − U D⁻¹ Uᵀ and p + U D⁻¹ ε
        const y0 = g0 * inverse;
        const y1 = g1 * inverse;
        const y2 = g2 * inverse;
        const y3 = g3 * inverse;
        const y4 = g4 * inverse;
        const y5 = g5 * inverse;
        jxx -= g0 * y0;
        jyy -= g1 * y1;
        jzz -= g2 * y2;
        jxy -= g0 * y1;
        jxz -= g0 * y2;
        jyz -= g1 * y2;
        h00 -= g0 * y3;
        h01 -= g0 * y4;
        h02 -= g0 * y5;
        h10 -= g1 * y3;
        h11 -= g1 * y4;
        h12 -= g1 * y5;
        h20 -= g2 * y3;
        h21 -= g2 * y4;
        h22 -= g2 * y5;
        mxx -= g3 * y3;
        myy -= g4 * y4;
        mzz -= g5 * y5;
        mxy -= g3 * y4;
        mxz -= g3 * y5;
        myz -= g4 * y5;
        tx += y0 * e;
        ty += y1 * e;
        tz += y2 * e;
        fx += y3 * e;
        fy += y4 * e;
        fz += y5 * e;
      }
      if (p < 0) continue;

      // p + I bias
      const b0 = bias[s];
      const b1 = bias[s + 1];
      const b2 = bias[s + 2];
      const b3 = bias[s + 3];
      const b4 = bias[s + 4];
      const b5 = bias[s + 5];
      tx += jxx * b0 + jxy * b1 + jxz * b2 + h00 * b3 + h01 * b4 + h02 * b5;
      ty += jxy * b0 + jyy * b1 + jyz * b2 + h10 * b3 + h11 * b4 + h12 * b5;
      tz += jxz * b0 + jyz * b1 + jzz * b2 + h20 * b3 + h21 * b4 + h22 * b5;
      fx += h00 * b0 + h10 * b1 + h20 * b2 + mxx * b3 + mxy * b4 + mxz * b5;
      fy += h01 * b0 + h11 * b1 + h21 * b2 + mxy * b3 + myy * b4 + myz * b5;
      fz += h02 * b0 + h12 * b1 + h22 * b2 + mxz * b3 + myz * b4 + mzz * b5;

      // Shift to the parent's origin and add
      const rx = arm[3 * i];
      const ry = arm[3 * i + 1];
      const rz = arm[3 * i + 2];
      // H' = H + [r] M
      const n00 = h00 + ry * mxz - rz * mxy;
      const n01 = h01 + ry * myz - rz * myy;
      const n02 = h02 + ry * mzz - rz * myz;
      const n10 = h10 + rz * mxx - rx * mxz;
      const n11 = h11 + rz * mxy - rx * myz;
      const n12 = h12 + rz * mxz - rx * mzz;
      const n20 = h20 + rx * mxy - ry * mxx;
      const n21 = h21 + rx * myy - ry * mxy;
      const n22 = h22 + rx * myz - ry * mxz;
      // J' = J − H [r] + [r] H'ᵀ
      const kp = 21 * p;
      inertia[kp] += jxx - (h01 * rz - h02 * ry) + ry * n02 - rz * n01;
      inertia[kp + 1] += jyy - (h12 * rx - h10 * rz) + rz * n10 - rx * n12;
      inertia[kp + 2] += jzz - (h20 * ry - h21 * rx) + rx * n21 - ry * n20;
      inertia[kp + 3] += jxy - (h02 * rx - h00 * rz) + ry * n12 - rz * n11;
      inertia[kp + 4] += jxz - (h00 * ry - h01 * rx) + ry * n22 - rz * n21;
      inertia[kp + 5] += jyz - (h10 * ry - h11 * rx) + rz * n20 - rx * n22;
      inertia[kp + 6] += n00;
      inertia[kp + 7] += n01;
      inertia[kp + 8] += n02;
      inertia[kp + 9] += n10;
      inertia[kp + 10] += n11;
      inertia[kp + 11] += n12;
      inertia[kp + 12] += n20;
      inertia[kp + 13] += n21;
      inertia[kp + 14] += n22;
      inertia[kp + 15] += mxx;
      inertia[kp + 16] += myy;
      inertia[kp + 17] += mzz;
      inertia[kp + 18] += mxy;
      inertia[kp + 19] += mxz;
      inertia[kp + 20] += myz;
      const sp = 6 * p;
      force[sp] += tx + ry * fz - rz * fy;
      force[sp + 1] += ty + rz * fx - rx * fz;
      force[sp + 2] += tz + rx * fy - ry * fx;
      force[sp + 3] += fx;
      force[sp + 4] += fy;
      force[sp + 5] += fz;
    }
  }

  /** Root to leaf: accelerations of nodes, and along joints */
  private forward(out: Float64Array, at: number): void {
    const { acceleration, gain, pivot, residual, blocks, frameOf, blockOf } = this;
    const { tree, axis, arm, bias, turn, slide, active, above, plane } = this.kinematics;
    const { rotation } = this.kinematics.carriers;
    const { kind, v: vAt } = tree;
    for (let index = 0; index < active.length; index++) {
      const i = active[index];
      if (plane[i] !== 0) {
        forwardInPlane(this, i, out, at);
        continue;
      }
      const p = above[i];
      const s = 6 * i;
      let a0 = bias[s];
      let a1 = bias[s + 1];
      let a2 = bias[s + 2];
      let a3 = bias[s + 3];
      let a4 = bias[s + 4];
      let a5 = bias[s + 5];
      if (p >= 0) {
        const wx = acceleration[6 * p];
        const wy = acceleration[6 * p + 1];
        const wz = acceleration[6 * p + 2];
        const rx = arm[3 * i];
        const ry = arm[3 * i + 1];
        const rz = arm[3 * i + 2];
        a0 += wx;
        a1 += wy;
        a2 += wz;
        a3 += acceleration[6 * p + 3] + wy * rz - wz * ry;
        a4 += acceleration[6 * p + 4] + wz * rx - wx * rz;
        a5 += acceleration[6 * p + 5] + wx * ry - wy * rx;
      }
      const v = vAt[i];
      const g = 9 * i;
      if (v >= 0 && kind[i] !== NODE.spherical) {
        const x =
          blockOf[i] >= 0
            ? out[at + v]
            : (residual[3 * i] -
                (gain[g] * a0 +
                  gain[g + 1] * a1 +
                  gain[g + 2] * a2 +
                  gain[g + 3] * a3 +
                  gain[g + 4] * a4 +
                  gain[g + 5] * a5)) *
              pivot[s];
        out[at + v] = x;
        const a = turn[i] * x;
        const b = slide[i] * x;
        a0 += a * axis[3 * i];
        a1 += a * axis[3 * i + 1];
        a2 += a * axis[3 * i + 2];
        a3 += b * axis[3 * i];
        a4 += b * axis[3 * i + 1];
        a5 += b * axis[3 * i + 2];
        // slides that are taken together with it
        for (let j = tree.parent[i]; j !== p; j = tree.parent[j]) {
          const along = out[at + vAt[j]];
          a3 += along * axis[3 * j];
          a4 += along * axis[3 * j + 1];
          a5 += along * axis[3 * j + 2];
        }
      } else if (v >= 0) {
        const l00 = pivot[s];
        const l10 = pivot[s + 1];
        const l11 = pivot[s + 2];
        const l20 = pivot[s + 3];
        const l21 = pivot[s + 4];
        const l22 = pivot[s + 5];
        const z0 = residual[3 * i] / l00;
        const z1 = (residual[3 * i + 1] - l10 * z0) / l11;
        const z2 = (residual[3 * i + 2] - l20 * z0 - l21 * z1) / l22;
        const y2 = z2 / l22;
        const y1 = (z1 - l21 * y2) / l11;
        const y0 = (z0 - l10 * y1 - l20 * y2) / l00;
        const x0 = y0 - a0 - (gain[g] * a3 + gain[g + 1] * a4 + gain[g + 2] * a5);
        const x1 = y1 - a1 - (gain[g + 3] * a3 + gain[g + 4] * a4 + gain[g + 5] * a5);
        const x2 = y2 - a2 - (gain[g + 6] * a3 + gain[g + 7] * a4 + gain[g + 8] * a5);
        out[at + v] = rotation[g] * x0 + rotation[g + 3] * x1 + rotation[g + 6] * x2;
        out[at + v + 1] = rotation[g + 1] * x0 + rotation[g + 4] * x1 + rotation[g + 7] * x2;
        out[at + v + 2] = rotation[g + 2] * x0 + rotation[g + 5] * x1 + rotation[g + 8] * x2;
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
      if (frameOf[i] >= 0) blocks[frameOf[i]].forward(acceleration, out, at);
    }
  }

  /** x = B f, with the factors of the last `solve`; M⁻¹ = Bᵀ B. */
  halfSolve(f: Float64Array, fAt: number, x: Float64Array, xAt: number): void {
    halfSolve(this, f, fAt, x, xAt);
  }

  /** a = Bᵀ x; also the accelerations of the nodes that go with a. */
  halfSolveTransposed(x: Float64Array, xAt: number, a: Float64Array, aAt: number): void {
    halfSolveTransposed(this, x, xAt, a, aAt);
  }

  refuse(node: number, found: number): never {
    const { kind } = this.kinematics.tree;
    const unit = kind[node] === NODE.prismatic ? 'kg' : 'kg m²';
    if (Number.isNaN(found) && kind[node] !== NODE.spherical)
      throw new NoAccelerationError(
        this.kinematics.names[node],
        'the motion is not a number any more; the step was too long',
      );
    throw new NoAccelerationError(
      this.kinematics.names[node],
      `moves a body without inertia along it: ${(found || 0).toExponential(2)} ${unit}; give what it moves a mass and moments of inertia`,
    );
  }
}
