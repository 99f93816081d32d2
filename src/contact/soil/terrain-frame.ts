/** Where a terrain's frame is: what is in world axes as seen from it, and back. Any orientation; gravity does not matter. */
import { cos, sin } from '../../math/elementary.js';
import { fromQuaternion } from '../../math/mat3.js';
import { IDENTITY, type Quaternion } from '../../math/quaternion.js';
import type { Vec3 } from '../../math/vec3.js';
import type { Carrier } from '../../model/contact-element.js';
import type { SoilDerivative } from './soil-derivative.js';
import type { SoilWrench } from './soil-grid.js';
import type { SoilMotion } from './soil-object.js';

export type Orientation = Quaternion | { readonly axis: Vec3; readonly angle: number };

export class TerrainFrame {
  readonly origin: Float64Array;
  /** Row by row: world = R terrain */
  readonly rotation: Float64Array;
  private readonly point = new Float64Array(3);

  constructor(position: Vec3 = [0, 0, 0], orientation: Orientation = IDENTITY) {
    this.origin = Float64Array.from(position);
    this.rotation = Float64Array.from(fromQuaternion(quaternionOf(orientation)));
  }

  /** out = Rᵀ v */
  into(v: ArrayLike<number>, out: Float64Array, at = 0): void {
    const { rotation: R } = this;
    const [x, y, z] = [v[0], v[1], v[2]];
    for (let k = 0; k < 3; k++) out[at + k] = R[k] * x + R[3 + k] * y + R[6 + k] * z;
  }

  /** out = R v */
  outOf(v: ArrayLike<number>, out: Float64Array): void {
    const { rotation: R } = this;
    const [x, y, z] = [v[0], v[1], v[2]];
    for (let k = 0; k < 3; k++) out[k] = R[3 * k] * x + R[3 * k + 1] * y + R[3 * k + 2] * z;
  }

  placeInto(place: ArrayLike<number>, out: Float64Array): void {
    const { point, origin } = this;
    for (let k = 0; k < 3; k++) point[k] = place[k] - origin[k];
    this.into(point, out);
  }

  placeOutOf(place: ArrayLike<number>, out: Float64Array): void {
    this.outOf(place, out);
    for (let k = 0; k < 3; k++) out[k] += this.origin[k];
  }

  /** Pose and twist of a body's frame, seen from the terrain */
  observe(carrier: Carrier, motion: SoilMotion): void {
    const { point } = this;
    const { position, rotation, velocity, spin } = motion;
    const world = OBSERVED;
    carrier.place(ORIGIN, world);
    this.placeInto(world, position);
    for (let k = 0; k < 3; k++) {
      carrier.direction(ORIGIN, AXES[k], world);
      this.into(world, point);
      for (let i = 0; i < 3; i++) rotation[3 * i + k] = point[i];
    }
    carrier.velocity(ORIGIN, world);
    this.into(world, velocity);
    carrier.angularVelocity(ORIGIN, world);
    this.into(world, spin);
  }

  /** Force and torque in world axes */
  wrenchOut({ force, torque }: SoilWrench, forceOut: Float64Array, torqueOut: Float64Array): void {
    this.outOf(force, forceOut);
    this.outOf(torque, torqueOut);
  }

  /** R B Rᵀ of the 3 × 3 block of a 6 × 6 matrix at (row, column) */
  block(matrix: SoilDerivative['byPose'], row: number, column: number, out: Float64Array): void {
    const { rotation: R } = this;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let k = 0; k < 3; k++)
          for (let l = 0; l < 3; l++) sum += R[3 * i + k] * matrix[6 * (row + k) + column + l] * R[3 * j + l];
        out[3 * i + j] = sum;
      }
  }
}

const ORIGIN = [0, 0, 0];
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const OBSERVED = new Float64Array(3);

function quaternionOf(orientation: Orientation): Quaternion {
  if (!('axis' in orientation)) {
    const [w, x, y, z] = orientation;
    const length = Math.sqrt(w * w + x * x + y * y + z * z);
    return [w / length, x / length, y / length, z / length];
  }
  const [x, y, z] = orientation.axis;
  const part = sin(orientation.angle / 2) / Math.sqrt(x * x + y * y + z * z);
  return [cos(orientation.angle / 2), part * x, part * y, part * z];
}
