/** Where the motion of each body stands in a row of signals: looked up once, so that an instant of 5000 bodies needs no names. */
import type { SignalDescription } from '../recording.js';
import type { SceneBody } from '../scene.js';

const parts = (vector: string, axes: string): string[] => [...axes].map((axis) => `${vector}.${axis}`);
const POSE = [...parts('position', 'xyz'), ...parts('orientation', 'wxyz')];
const VELOCITY = [...parts('velocity', 'xyz'), ...parts('angularVelocity', 'xyz')];

export class PoseReader {
  readonly #drawn: Float64Array; // 7 per body: where it stands if its motion is not recorded
  readonly #pose: Int32Array; // 7 per body, −1 if not recorded
  readonly #velocity: Int32Array; // 6 per body

  constructor(
    { bodies }: { readonly bodies: readonly Pick<SceneBody, 'name' | 'pose'>[] },
    signals: readonly SignalDescription[],
  ) {
    const index = new Map(signals.map(({ name }, i) => [name, i] as const));
    const columns = (names: readonly string[]): Int32Array =>
      Int32Array.from(bodies.flatMap(({ name }) => names.map((part) => index.get(`${name}.${part}`) ?? -1)));
    this.#pose = columns(POSE);
    this.#velocity = columns(VELOCITY);
    this.#drawn = drawnPoses(bodies);
    // Half an orientation is none
    for (let b = 0; b < bodies.length; b++)
      if (this.#pose.subarray(7 * b + 3, 7 * b + 7).includes(-1)) this.#pose.fill(-1, 7 * b + 3, 7 * b + 7);
  }

  /** 7 per body: position in m, orientation w, x, y, z. Bodies that are not recorded stand where they were drawn. */
  poses(row: ArrayLike<number>, out: Float64Array): Float64Array {
    for (let i = 0; i < this.#pose.length; i++) out[i] = this.#pose[i] < 0 ? this.#drawn[i] : row[this.#pose[i]];
    return out;
  }

  /** 6 per body: velocity in m/s, angular velocity in rad/s, world axes; NaN where not recorded. */
  velocities(row: ArrayLike<number>, out: Float64Array): Float64Array {
    for (let i = 0; i < this.#velocity.length; i++)
      out[i] = this.#velocity[i] < 0 ? Number.NaN : row[this.#velocity[i]];
    return out;
  }
}

/** 7 per body: position, orientation, as drawn. */
export function drawnPoses(bodies: readonly Pick<SceneBody, 'pose'>[]): Float64Array {
  const poses = new Float64Array(7 * bodies.length);
  bodies.forEach(({ pose: { position, orientation } }, i) => {
    poses.set(position, 7 * i);
    poses.set(orientation, 7 * i + 3);
  });
  return poses;
}
