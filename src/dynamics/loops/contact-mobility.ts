/**
 * What an impulse at a point does to the velocity of the point: μ = dᵀ J M⁻¹ Jᵀ d, the reciprocal of the effective mass that a contact feels.
 *
 *   free body   μ = d²/m + l · R J⁻¹ Rᵀ l,   l = r × d, r from the centre; an axis without inertia is not turned
 *   tree        generalised forces of d at the point, along the joints above it; then the factors of the mass matrix, M⁻¹ = Bᵀ B
 *               (articulated-body.ts), and what loop rows leave of B f
 */
import { NODE } from '../../assembly/system.js';
import type { ArticulatedBody } from '../articulated/articulated-body.js';
import type { Carriers } from '../tree/carriers.js';
import type { FreeBodies } from '../tree/free-bodies.js';
import type { TreeKinematics } from '../tree/tree-kinematics.js';
import type { Loops } from './loops.js';

/** The parts of a mechanical system that are needed here */
interface Moving {
  readonly nv: number;
  readonly carriers: Carriers;
  readonly kinematics: TreeKinematics;
  readonly freeBodies: FreeBodies;
  readonly articulated: ArticulatedBody;
  readonly loops: Loops;
}

export class ContactMobility {
  private readonly of: Moving;
  private readonly forces: Float64Array;
  private readonly scratch: Float64Array;
  /** Factors are those of the present pose */
  private factored = false;

  constructor(of: Moving) {
    this.of = of;
    this.forces = new Float64Array(of.nv);
    this.scratch = new Float64Array(of.nv);
  }

  /** Pose or kept loop rows have changed. */
  moved(): void {
    this.factored = false;
  }

  at(carrier: number, point: ArrayLike<number>, direction: ArrayLike<number>): number {
    const { nodes, ground } = this.of.carriers;
    if (carrier === ground) return 0;
    return carrier < nodes
      ? this.ofNode(carrier, point, direction, NONE)
      : this.ofBody(carrier, point, direction, NONE);
  }

  /** The same of a torque about an axis: a · J M⁻¹ Jᵀ a, 1/(kg m²) */
  about(carrier: number, axis: ArrayLike<number>): number {
    const { nodes, ground, position } = this.of.carriers;
    if (carrier === ground) return 0;
    if (carrier >= nodes) return this.ofBody(carrier, NONE, NONE, axis);
    for (let k = 0; k < 3; k++) ORIGIN[k] = position[3 * carrier + k];
    return this.ofNode(carrier, ORIGIN, NONE, axis);
  }

  private ofBody(carrier: number, point: ArrayLike<number>, d: ArrayLike<number>, torque: ArrayLike<number>): number {
    const { carriers, freeBodies } = this.of;
    const { position, rotation, nodes } = carriers;
    const rx = point[0] - position[3 * carrier];
    const ry = point[1] - position[3 * carrier + 1];
    const rz = point[2] - position[3 * carrier + 2];
    const lx = ry * d[2] - rz * d[1] + torque[0];
    const ly = rz * d[0] - rx * d[2] + torque[1];
    const lz = rx * d[1] - ry * d[0] + torque[2];
    const i = carrier - nodes;
    let sum = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / freeBodies.mass[i];
    for (let j = 0; j < 3; j++) {
      const moment = freeBodies.moments[3 * i + j];
      if (moment === 0) continue;
      const at = 9 * carrier + j;
      const along = rotation[at] * lx + rotation[at + 3] * ly + rotation[at + 6] * lz;
      sum += (along * along) / moment;
    }
    return sum;
  }

  private ofNode(carrier: number, point: ArrayLike<number>, d: ArrayLike<number>, torque: ArrayLike<number>): number {
    const { kinematics, carriers, articulated, loops } = this.of;
    const { position, rotation } = carriers;
    const { tree, axis, turn, slide } = kinematics;
    const { forces, scratch } = this;
    forces.fill(0);
    if (!this.factored) {
      // For the factors only: what acts does not matter
      articulated.solve(forces, scratch, 0);
      loops.hold();
      this.factored = true;
    }
    for (let i = carrier; i >= 0; i = tree.parent[i]) {
      const v = tree.v[i];
      if (v < 0) continue;
      const rx = point[0] - position[3 * i];
      const ry = point[1] - position[3 * i + 1];
      const rz = point[2] - position[3 * i + 2];
      const lx = ry * d[2] - rz * d[1] + torque[0];
      const ly = rz * d[0] - rx * d[2] + torque[1];
      const lz = rx * d[1] - ry * d[0] + torque[2];
      if (tree.kind[i] === NODE.spherical)
        for (let j = 0; j < 3; j++) {
          const at = 9 * i + j;
          forces[v + j] = rotation[at] * lx + rotation[at + 3] * ly + rotation[at + 6] * lz;
        }
      else {
        const a = 3 * i;
        forces[v] =
          turn[i] * (axis[a] * lx + axis[a + 1] * ly + axis[a + 2] * lz) +
          slide[i] * (axis[a] * d[0] + axis[a + 1] * d[1] + axis[a + 2] * d[2]);
      }
    }
    return loops.mobility(forces);
  }
}

const NONE = Float64Array.of(0, 0, 0);
const ORIGIN = new Float64Array(3);
