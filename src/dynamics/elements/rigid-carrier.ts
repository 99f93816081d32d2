/**
 * A rigid body as a contact element sees it (model/contact-element.ts): x = c + R (p₀ + Q p) with c, R the pose of the carrier, p₀, Q that of the
 * body's frame on it, p a point of the frame.
 */
import type { Anchor } from '../../assembly/system.js';
import { fromQuaternion, type Mat3 } from '../../math/mat3.js';
import type { Carrier, Triple } from '../../model/contact-element.js';
import type { Carriers } from '../tree/carriers.js';

/** dᵀ J M⁻¹ Jᵀ d at a place of a carrier, 1/kg */
export type MobilityAt = (carrier: number, place: ArrayLike<number>, direction: ArrayLike<number>) => number;

export class RigidCarrier implements Carrier {
  /** Index among the carriers */
  readonly index: number;
  /** 6: torque about the carrier's reference point, N m, and force, N, of all that was added since `clear` */
  readonly wrench = new Float64Array(6);
  private readonly origin: readonly number[];
  private readonly frame: Mat3;
  /** 3: of the point asked for last, from the reference point */
  private readonly lever = new Float64Array(3);
  private readonly world = new Float64Array(3);

  constructor(
    readonly name: string,
    readonly size: number,
    private readonly carriers: Carriers,
    anchor: Anchor,
    private readonly mobilityAt: MobilityAt,
  ) {
    this.index = carriers.indexOf(anchor);
    this.origin = anchor.position;
    this.frame = fromQuaternion(anchor.orientation);
  }

  clear(): void {
    this.wrench.fill(0);
  }

  /** R (p₀ + Q p) into out[at …] */
  leverOf(point: Triple, out: Float64Array, at = 0): void {
    const { frame: q, origin, index } = this;
    const x = origin[0] + q[0] * point[0] + q[1] * point[1] + q[2] * point[2];
    const y = origin[1] + q[3] * point[0] + q[4] * point[1] + q[5] * point[2];
    const z = origin[2] + q[6] * point[0] + q[7] * point[1] + q[8] * point[2];
    this.turn(x, y, z, 9 * index, out, at);
  }

  private turn(x: number, y: number, z: number, r: number, out: Float64Array, at: number): void {
    const { rotation } = this.carriers;
    out[at] = rotation[r] * x + rotation[r + 1] * y + rotation[r + 2] * z;
    out[at + 1] = rotation[r + 3] * x + rotation[r + 4] * y + rotation[r + 5] * z;
    out[at + 2] = rotation[r + 6] * x + rotation[r + 7] * y + rotation[r + 8] * z;
  }

  place(point: Triple, out: Float64Array): void {
    const { lever, index } = this;
    const { position } = this.carriers;
    this.leverOf(point, lever);
    for (let k = 0; k < 3; k++) out[k] = position[3 * index + k] + lever[k];
  }

  pointAt(place: Triple, out: Float64Array): void {
    const { index, frame: q, origin } = this;
    const { position, rotation } = this.carriers;
    const r = 9 * index;
    const dx = place[0] - position[3 * index];
    const dy = place[1] - position[3 * index + 1];
    const dz = place[2] - position[3 * index + 2];
    const x = rotation[r] * dx + rotation[r + 3] * dy + rotation[r + 6] * dz - origin[0];
    const y = rotation[r + 1] * dx + rotation[r + 4] * dy + rotation[r + 7] * dz - origin[1];
    const z = rotation[r + 2] * dx + rotation[r + 5] * dy + rotation[r + 8] * dz - origin[2];
    out[0] = q[0] * x + q[3] * y + q[6] * z;
    out[1] = q[1] * x + q[4] * y + q[7] * z;
    out[2] = q[2] * x + q[5] * y + q[8] * z;
  }

  velocity(point: Triple, out: Float64Array): void {
    const { lever, index } = this;
    const { twist } = this.carriers;
    this.leverOf(point, lever);
    const w = 6 * index;
    out[0] = twist[w + 3] + twist[w + 1] * lever[2] - twist[w + 2] * lever[1];
    out[1] = twist[w + 4] + twist[w + 2] * lever[0] - twist[w] * lever[2];
    out[2] = twist[w + 5] + twist[w] * lever[1] - twist[w + 1] * lever[0];
  }

  direction(_point: Triple, direction: Triple, out: Float64Array): void {
    const { frame: q, index } = this;
    const [dx, dy, dz] = [direction[0], direction[1], direction[2]];
    const x = q[0] * dx + q[1] * dy + q[2] * dz;
    const y = q[3] * dx + q[4] * dy + q[5] * dz;
    const z = q[6] * dx + q[7] * dy + q[8] * dz;
    this.turn(x, y, z, 9 * index, out, 0);
  }

  angularVelocity(_point: Triple, out: Float64Array): void {
    const { twist } = this.carriers;
    for (let k = 0; k < 3; k++) out[k] = twist[6 * this.index + k];
  }

  addForce(point: Triple, force: Triple): void {
    const { lever, wrench } = this;
    this.leverOf(point, lever);
    wrench[0] += lever[1] * force[2] - lever[2] * force[1];
    wrench[1] += lever[2] * force[0] - lever[0] * force[2];
    wrench[2] += lever[0] * force[1] - lever[1] * force[0];
    for (let k = 0; k < 3; k++) wrench[3 + k] += force[k];
  }

  addTorque(_point: Triple, torque: Triple): void {
    for (let k = 0; k < 3; k++) this.wrench[k] += torque[k];
  }

  mobility(point: Triple, direction: Triple): number {
    this.place(point, this.world);
    return this.mobilityAt(this.index, this.world, direction);
  }
}
