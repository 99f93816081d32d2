/**
 * Where the bodies are, seen from the stage's origin.
 *
 * The graphics card counts with 24 bits: a part of 0.1 mm at 100 m would tremble. So everything is measured from an origin near what
 * is looked at, in double precision here, and divided by the size of the scene, so that a watch and a bridge are drawn alike:
 *
 *   stage = (world − origin) · scale
 */
import type { Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';

export class Placement {
  /** World, m */
  origin: Vec3 = [0, 0, 0];
  /** Stage lengths per m */
  scale = 1;
  /** 7 per body, as in `Frame.poses`; the scene's own pose where a frame has none */
  readonly poses: Float64Array;
  /** 6 per body: velocity and angular velocity, NaN where unknown */
  readonly velocities: Float64Array;
  /** 9 per body, row by row: from the body's frame to the world's */
  readonly rotations: Float64Array;
  readonly #scenePoses: Float64Array;
  /** 9 per body: `rotations` where the scene has the body at the start */
  readonly startRotations: Float64Array;

  constructor(scene: Scene) {
    const count = scene.bodies.length;
    this.#scenePoses = new Float64Array(7 * count);
    for (let i = 0; i < count; i++) {
      this.#scenePoses.set(scene.bodies[i].pose.position, 7 * i);
      this.#scenePoses.set(scene.bodies[i].pose.orientation, 7 * i + 3);
    }
    this.poses = this.#scenePoses.slice();
    this.velocities = new Float64Array(6 * count).fill(Number.NaN);
    this.rotations = new Float64Array(9 * count);
    setRotations(this.poses, this.rotations);
    this.startRotations = this.rotations.slice();
  }

  /** At the start, world m */
  startPosition(body: number, axis: number): number {
    return this.#scenePoses[7 * body + axis];
  }

  set(poses: Float64Array, velocities: Float64Array | undefined): void {
    const scenePoses = this.#scenePoses;
    const own = this.poses;
    for (let i = 0; i < own.length; i += 7) {
      let sum = 0;
      for (let k = 0; k < 7; k++) sum += poses[i + k];
      const from = Number.isFinite(sum) ? poses : scenePoses;
      for (let k = 0; k < 7; k++) own[i + k] = from[i + k];
    }
    if (velocities) this.velocities.set(velocities);
    else this.velocities.fill(Number.NaN);
    setRotations(own, this.rotations);
  }

  /** World place of a point fixed to a body; body −1 is the world itself. */
  point(body: number, local: Vec3): Vec3 {
    if (body < 0) return local;
    const { rotations: r, poses } = this;
    const i = 9 * body;
    const [x, y, z] = local;
    return [
      poses[7 * body] + r[i] * x + r[i + 1] * y + r[i + 2] * z,
      poses[7 * body + 1] + r[i + 3] * x + r[i + 4] * y + r[i + 5] * z,
      poses[7 * body + 2] + r[i + 6] * x + r[i + 7] * y + r[i + 8] * z,
    ];
  }

  /** World direction of one fixed to a body. */
  direction(body: number, local: Vec3): Vec3 {
    if (body < 0) return local;
    const r = this.rotations;
    const i = 9 * body;
    const [x, y, z] = local;
    return [
      r[i] * x + r[i + 1] * y + r[i + 2] * z,
      r[i + 3] * x + r[i + 4] * y + r[i + 5] * z,
      r[i + 6] * x + r[i + 7] * y + r[i + 8] * z,
    ];
  }
}

/** Rotation matrix of q = [w, x, y, z] of any length but 0: 1 + 2/|q|² (w [u]× + [u]×²). */
function setRotations(poses: Float64Array, into: Float64Array): void {
  for (let p = 3, r = 0; r < into.length; p += 7, r += 9) {
    const w = poses[p];
    const x = poses[p + 1];
    const y = poses[p + 2];
    const z = poses[p + 3];
    const square = w * w + x * x + y * y + z * z;
    const s = square > 0 ? 2 / square : 0;
    into[r] = 1 - s * (y * y + z * z);
    into[r + 1] = s * (x * y - w * z);
    into[r + 2] = s * (x * z + w * y);
    into[r + 3] = s * (x * y + w * z);
    into[r + 4] = 1 - s * (x * x + z * z);
    into[r + 5] = s * (y * z - w * x);
    into[r + 6] = s * (x * z - w * y);
    into[r + 7] = s * (y * z + w * x);
    into[r + 8] = 1 - s * (x * x + y * y);
  }
}
