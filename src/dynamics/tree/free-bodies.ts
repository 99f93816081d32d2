/**
 * Bodies without joints. State: centre of mass p (world), unit quaternion of the principal frame, velocity (world), angular velocity ω
 * in the principal frame, so that the inertia is three constants:
 *
 *   m v' = F        J ω' = Rᵀ τ − ω × J ω        q' = ½ q (0, ω)
 *
 * A moment of zero (point mass, thin rod) leaves the angular velocity about that axis as it is: nothing can turn it.
 */
import type { System } from '../../assembly/system.js';
import type { Carriers } from './carriers.js';

export class FreeBodies {
  readonly count: number;
  readonly mass: Float64Array;
  /** 3 per body; exactly 0 where the moment is nothing beside the largest */
  readonly moments: Float64Array;
  private readonly carriers: Carriers;

  constructor(system: System, carriers: Carriers) {
    this.carriers = carriers;
    this.count = system.free.count;
    this.mass = system.free.mass;
    this.moments = Float64Array.from(system.free.inertia);
    for (let i = 0; i < this.count; i++) {
      const moments = this.moments.subarray(3 * i, 3 * i + 3);
      const largest = Math.max(moments[0], moments[1], moments[2]);
      for (let j = 0; j < 3; j++) if (moments[j] < 1e-12 * largest) moments[j] = 0;
    }
  }

  /** Poses and twists; the state of body i starts at y[q + 7 i] and y[v + 6 i]. */
  update(y: Float64Array, q: number, v: number): void {
    const { position, rotation, twist, nodes } = this.carriers;
    for (let i = 0; i < this.count; i++) {
      const at = q + 7 * i;
      const k = nodes + i;
      position[3 * k] = y[at];
      position[3 * k + 1] = y[at + 1];
      position[3 * k + 2] = y[at + 2];
      const qw = y[at + 3];
      const qx = y[at + 4];
      const qy = y[at + 5];
      const qz = y[at + 6];
      const two = 2 / (qw * qw + qx * qx + qy * qy + qz * qz);
      const r00 = 1 - two * (qy * qy + qz * qz);
      const r01 = two * (qx * qy - qw * qz);
      const r02 = two * (qx * qz + qw * qy);
      const r10 = two * (qx * qy + qw * qz);
      const r11 = 1 - two * (qx * qx + qz * qz);
      const r12 = two * (qy * qz - qw * qx);
      const r20 = two * (qx * qz - qw * qy);
      const r21 = two * (qy * qz + qw * qx);
      const r22 = 1 - two * (qx * qx + qy * qy);
      const r = 9 * k;
      rotation[r] = r00;
      rotation[r + 1] = r01;
      rotation[r + 2] = r02;
      rotation[r + 3] = r10;
      rotation[r + 4] = r11;
      rotation[r + 5] = r12;
      rotation[r + 6] = r20;
      rotation[r + 7] = r21;
      rotation[r + 8] = r22;
      const u = v + 6 * i;
      const wx = y[u + 3];
      const wy = y[u + 4];
      const wz = y[u + 5];
      const s = 6 * k;
      twist[s] = r00 * wx + r01 * wy + r02 * wz;
      twist[s + 1] = r10 * wx + r11 * wy + r12 * wz;
      twist[s + 2] = r20 * wx + r21 * wy + r22 * wz;
      twist[s + 3] = y[u];
      twist[s + 4] = y[u + 1];
      twist[s + 5] = y[u + 2];
    }
  }

  /** Accelerations from the carriers' loads into out[a + 6 i]. */
  solve(y: Float64Array, v: number, out: Float64Array, a: number): void {
    const { rotation, load, nodes } = this.carriers;
    const { mass, moments } = this;
    for (let i = 0; i < this.count; i++) {
      const s = 6 * (nodes + i);
      const r = 9 * (nodes + i);
      const at = a + 6 * i;
      const inverse = 1 / mass[i];
      out[at] = load[s + 3] * inverse;
      out[at + 1] = load[s + 4] * inverse;
      out[at + 2] = load[s + 5] * inverse;
      const u = v + 6 * i;
      const wx = y[u + 3];
      const wy = y[u + 4];
      const wz = y[u + 5];
      const jx = moments[3 * i];
      const jy = moments[3 * i + 1];
      const jz = moments[3 * i + 2];
      const tx = rotation[r] * load[s] + rotation[r + 3] * load[s + 1] + rotation[r + 6] * load[s + 2];
      const ty = rotation[r + 1] * load[s] + rotation[r + 4] * load[s + 1] + rotation[r + 7] * load[s + 2];
      const tz = rotation[r + 2] * load[s] + rotation[r + 5] * load[s + 1] + rotation[r + 8] * load[s + 2];
      out[at + 3] = jx > 0 ? (tx + (jy - jz) * wy * wz) / jx : 0;
      out[at + 4] = jy > 0 ? (ty + (jz - jx) * wz * wx) / jy : 0;
      out[at + 5] = jz > 0 ? (tz + (jx - jy) * wx * wy) / jz : 0;
    }
  }
}
