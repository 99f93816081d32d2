/**
 * Gravity on every body, as a force m g(x) at its centre of mass x.
 *
 *   uniform   g constant
 *   point     g = −µ d/|d|³, d = x − centre;   ∇g = −µ/|d|³ (1 − 3 d dᵀ/|d|²);   potential −µ m/|d|
 *   field     the user's own; ∇g by central differences with a step of 1e-4 of |x| + 1 m; its potential is not known
 */
import type { Gravity, System } from '../assembly/system.js';
import type { Vec3 } from '../math/vec3.js';
import type { Carriers } from './carriers.js';
import { DynamicsError } from './dynamics-error.js';
import type { TreeKinematics } from './tree-kinematics.js';

export class GravityField {
  readonly gravity: Gravity;
  /** Acceleration of the last `at`, m/s² */
  readonly value = new Float64Array(3);
  /** ∂g_i/∂x_j of the last `gradientAt`, row-major */
  readonly gradient = new Float64Array(9);
  private readonly kinematics: TreeKinematics;
  private readonly carriers: Carriers;
  private readonly freeMass: Float64Array;

  constructor(system: System, kinematics: TreeKinematics) {
    this.gravity = system.gravity;
    this.kinematics = kinematics;
    this.carriers = kinematics.carriers;
    this.freeMass = system.free.mass;
  }

  /** g at a point of the world, into `value`. */
  at(x: number, y: number, z: number): void {
    const { gravity, value } = this;
    if (gravity.kind === 'uniform') {
      value[0] = gravity.acceleration[0];
      value[1] = gravity.acceleration[1];
      value[2] = gravity.acceleration[2];
    } else if (gravity.kind === 'point') {
      const dx = x - gravity.centre[0];
      const dy = y - gravity.centre[1];
      const dz = z - gravity.centre[2];
      const square = dx * dx + dy * dy + dz * dz;
      const factor = -gravity.mu / (square * Math.sqrt(square));
      value[0] = factor * dx;
      value[1] = factor * dy;
      value[2] = factor * dz;
    } else {
      const here: Vec3 = gravity.field([x, y, z]);
      for (let i = 0; i < 3; i++) {
        if (!Number.isFinite(here[i]))
          throw new DynamicsError(
            'gravity',
            `gave ${here[i]} at [${x}, ${y}, ${z}] m, expected an acceleration in m/s²`,
          );
        value[i] = here[i];
      }
    }
  }

  /** ∇g, into `gradient`; leaves g in `value`. */
  gradientAt(x: number, y: number, z: number): void {
    const { gravity, gradient, value } = this;
    gradient.fill(0);
    if (gravity.kind === 'point') {
      const d = [x - gravity.centre[0], y - gravity.centre[1], z - gravity.centre[2]];
      const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      const factor = -gravity.mu / (square * Math.sqrt(square));
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) gradient[3 * i + j] = factor * ((i === j ? 1 : 0) - (3 * d[i] * d[j]) / square);
    } else if (gravity.kind === 'field') {
      const here = [x, y, z];
      const step = 1e-4 * (Math.abs(x) + Math.abs(y) + Math.abs(z) + 1);
      for (let j = 0; j < 3; j++)
        for (const sign of [1, -1]) {
          const [a, b, c] = here.map((value, k) => (k === j ? value + sign * step : value));
          this.at(a, b, c);
          for (let i = 0; i < 3; i++) gradient[3 * i + j] += (sign * value[i]) / (2 * step);
        }
    }
    this.at(x, y, z);
  }

  /** Adds the weights to the carriers' loads. */
  addLoads(): void {
    const { carriers, kinematics, value, freeMass } = this;
    const { position, load, nodes, free } = carriers;
    const { tree, centre } = kinematics;
    const uniform = this.gravity.kind === 'uniform';
    this.at(0, 0, 1); // any point for a uniform field
    for (let i = 0; i < tree.count; i++) {
      const mass = tree.mass[i];
      if (mass === 0) continue;
      const cx = centre[3 * i];
      const cy = centre[3 * i + 1];
      const cz = centre[3 * i + 2];
      if (!uniform) this.at(position[3 * i] + cx, position[3 * i + 1] + cy, position[3 * i + 2] + cz);
      const fx = mass * value[0];
      const fy = mass * value[1];
      const fz = mass * value[2];
      const s = 6 * i;
      load[s] += cy * fz - cz * fy;
      load[s + 1] += cz * fx - cx * fz;
      load[s + 2] += cx * fy - cy * fx;
      load[s + 3] += fx;
      load[s + 4] += fy;
      load[s + 5] += fz;
    }
    for (let i = 0; i < free; i++) {
      const k = nodes + i;
      if (!uniform) this.at(position[3 * k], position[3 * k + 1], position[3 * k + 2]);
      load[6 * k + 3] += freeMass[i] * value[0];
      load[6 * k + 4] += freeMass[i] * value[1];
      load[6 * k + 5] += freeMass[i] * value[2];
    }
  }

  /** Potential energy of a mass at a point, J; 0 in a field of the user's own, whose work counts as put in. */
  potential(mass: number, x: number, y: number, z: number): number {
    const { gravity } = this;
    if (gravity.kind === 'uniform') {
      const [gx, gy, gz] = gravity.acceleration;
      return -mass * (gx * x + gy * y + gz * z);
    }
    if (gravity.kind === 'field') return 0;
    const dx = x - gravity.centre[0];
    const dy = y - gravity.centre[1];
    const dz = z - gravity.centre[2];
    return (-gravity.mu * mass) / Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
}
