/**
 * Positions of a state as what they are, numbers and unit quaternions: how they change with the velocities, how far a velocity moves them, how they are put back to unit length.
 */

import { turnQuaternion } from '../tree/turn-quaternion.js';
import type { StepColumns } from './step-columns.js';

export class Configuration {
  private readonly theta = new Float64Array(3);

  /** @param columns which coordinate a velocity moves, and where quaternions are */
  constructor(
    private readonly nq: number,
    private readonly nv: number,
    private readonly columns: StepColumns,
  ) {}

  /** q' : v, and ½ q (0, ω) for quaternions */
  rates(y: Float64Array, out: Float64Array): void {
    const { nq, nv } = this;
    const { coordinateOf, rotorOf, rotorQ, rotorV } = this.columns;
    for (let k = 0; k < nv; k++) if (rotorOf[k] < 0) out[coordinateOf[k]] = y[nq + k];
    for (let k = 0; k < rotorQ.length; k++) {
      const q = rotorQ[k];
      const v = nq + rotorV[k];
      const qw = 0.5 * y[q];
      const qx = 0.5 * y[q + 1];
      const qy = 0.5 * y[q + 2];
      const qz = 0.5 * y[q + 3];
      const wx = y[v];
      const wy = y[v + 1];
      const wz = y[v + 2];
      out[q] = -(qx * wx + qy * wy + qz * wz);
      out[q + 1] = qw * wx + qy * wz - qz * wy;
      out[q + 2] = qw * wy + qz * wx - qx * wz;
      out[q + 3] = qw * wz + qx * wy - qy * wx;
    }
  }

  /** q ← q ⊕ h v, v in `velocities` from index `at` */
  displace(y: Float64Array, velocities: Float64Array, at: number, h: number): void {
    const { theta } = this;
    const { coordinateOf, rotorOf, rotorQ, rotorV } = this.columns;
    for (let k = 0; k < this.nv; k++) if (rotorOf[k] < 0) y[coordinateOf[k]] += h * velocities[at + k];
    for (let k = 0; k < rotorQ.length; k++) {
      const v = at + rotorV[k];
      for (let j = 0; j < 3; j++) theta[j] = h * velocities[v + j];
      turnQuaternion(y, rotorQ[k], theta);
    }
  }

  /** Quaternions to unit length */
  normalise(y: Float64Array): void {
    const { rotorQ } = this.columns;
    for (let k = 0; k < rotorQ.length; k++) {
      const q = rotorQ[k];
      const length = Math.sqrt(y[q] * y[q] + y[q + 1] * y[q + 1] + y[q + 2] * y[q + 2] + y[q + 3] * y[q + 3]);
      for (let j = 0; j < 4; j++) y[q + j] /= length;
    }
  }
}
