/**
 * Gravity on every body, as a force m g(x) at its centre of mass x.
 *
 *   uniform   g constant
 *   point     g = −µ d/|d|³, d = x − centre;   ∇g = −µ/|d|³ (1 − 3 d dᵀ/|d|²);   potential −µ m/|d|
 *   field     the user's own; ∇g by central differences with a step of 1e-4 of |x| + 1 m; its potential is not known
 */
import type { Gravity, System } from '../../assembly/system.js';
import type { Vec3 } from '../../math/vec3.js';
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
  /** Of a uniform field, or the centre of one about a point */
  private readonly constant: Float64Array;
  private readonly offset = new Float64Array(3);

  constructor(system: System, kinematics: TreeKinematics) {
    this.gravity = system.gravity;
    this.kinematics = kinematics;
    this.carriers = kinematics.carriers;
    this.freeMass = system.free.mass;
    const { gravity } = system;
    this.constant = Float64Array.from(
      gravity.kind === 'uniform' ? gravity.acceleration : gravity.kind === 'point' ? gravity.centre : [0, 0, 0],
    );
  }

  /** m/s² of a uniform field; others: 0 */
  get strength(): number {
    const [x, y, z] = this.constant;
    return this.gravity.kind === 'uniform' ? Math.sqrt(x * x + y * y + z * z) : 0;
  }

  /** Another one from now on, m/s²; only where it is uniform. */
  change(acceleration: Vec3): void {
    this.constant.set(acceleration);
  }

  /** g at a point of the world, into `value`. */
  at(x: number, y: number, z: number): void {
    const { gravity, value, constant } = this;
    if (gravity.kind === 'uniform') value.set(constant);
    else if (gravity.kind === 'point') {
      const dx = x - constant[0];
      const dy = y - constant[1];
      const dz = z - constant[2];
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
    const { gravity, gradient, value, constant, offset: d } = this;
    gradient.fill(0);
    if (gravity.kind === 'point') {
      d[0] = x - constant[0];
      d[1] = y - constant[1];
      d[2] = z - constant[2];
      const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      const factor = -gravity.mu / (square * Math.sqrt(square));
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) gradient[3 * i + j] = factor * ((i === j ? 1 : 0) - (3 * d[i] * d[j]) / square);
    } else if (gravity.kind === 'field') {
      const step = 1e-4 * (Math.abs(x) + Math.abs(y) + Math.abs(z) + 1);
      for (let j = 0; j < 3; j++)
        for (let sign = 1; sign >= -1; sign -= 2) {
          const h = sign * step;
          this.at(j === 0 ? x + h : x, j === 1 ? y + h : y, j === 2 ? z + h : z);
          for (let i = 0; i < 3; i++) gradient[3 * i + j] += (sign * value[i]) / (2 * step);
        }
    }
    this.at(x, y, z);
  }

  /** Adds the weights to the carriers' loads. */
  addLoads(): void {
    const { carriers, kinematics, value, freeMass } = this;
    const { position, load, nodes, free } = carriers;
    const { tree, centre, massive } = kinematics;
    const uniform = this.gravity.kind === 'uniform';
    if (uniform) value.set(this.constant);
    for (let index = 0; index < massive.length; index++) {
      const i = massive[index];
      const mass = tree.mass[i];
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
    const { flexible } = kinematics;
    for (let k = 0; k < flexible.length; k++) {
      const { node, gravity } = flexible[k];
      if (!uniform) {
        const at = 3 * node;
        this.at(position[at] + centre[at], position[at + 1] + centre[at + 1], position[at + 2] + centre[at + 2]);
      }
      gravity.set(value);
    }
    for (let i = 0; i < free; i++) {
      const k = nodes + i;
      if (!uniform) this.at(position[3 * k], position[3 * k + 1], position[3 * k + 2]);
      load[6 * k + 3] += freeMass[i] * value[0];
      load[6 * k + 4] += freeMass[i] * value[1];
      load[6 * k + 5] += freeMass[i] * value[2];
    }
  }

  /** Potential energy of all bodies where they are, J; 0 in a field of the user's own, whose work counts as put in. */
  potential(): number {
    const { carriers, kinematics, freeMass, gravity } = this;
    const { position, nodes, free } = carriers;
    const { tree, centre } = kinematics;
    if (gravity.kind === 'field') return 0;
    let sum = 0;
    for (let i = 0; i < tree.count; i++)
      if (tree.mass[i] !== 0) sum += this.potentialOf(tree.mass, i, position, 3 * i, centre, 3 * i);
    for (let i = 0; i < free; i++) sum += this.potentialOf(freeMass, i, position, 3 * (nodes + i), NOWHERE, 0);
    return sum;
  }

  private potentialOf(
    mass: Float64Array,
    i: number,
    position: Float64Array,
    at: number,
    centre: Float64Array,
    c: number,
  ): number {
    const { gravity, constant } = this;
    const x = position[at] + centre[c];
    const y = position[at + 1] + centre[c + 1];
    const z = position[at + 2] + centre[c + 2];
    if (gravity.kind !== 'point') return -mass[i] * (constant[0] * x + constant[1] * y + constant[2] * z);
    const dx = x - constant[0];
    const dy = y - constant[1];
    const dz = z - constant[2];
    return (-gravity.mu * mass[i]) / Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
}

const NOWHERE = new Float64Array(3);
