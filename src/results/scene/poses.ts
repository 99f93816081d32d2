/** From a row of signals to the poses and velocities of a scene's bodies; names are looked up once. */
import type { SignalDescription } from '../recording.js';
import type { Scene } from './scene.js';

const POSE = [
  'position.x',
  'position.y',
  'position.z',
  'orientation.w',
  'orientation.x',
  'orientation.y',
  'orientation.z',
];
const VELOCITY = ['velocity', 'angularVelocity'].flatMap((vector) =>
  ['x', 'y', 'z'].map((axis) => `${vector}.${axis}`),
);

export class PoseReader {
  readonly #at: Int32Array; // column of each of 7 numbers a body, −1 where it is not recorded
  readonly #velocityAt: Int32Array; // 6 a body
  readonly #drawn: Float64Array; // 7 a body, where it stands without a recording

  constructor(scene: Scene, signals: readonly SignalDescription[]) {
    const columns = new Map(signals.map(({ name }, i) => [name, i]));
    const find = (parts: readonly string[]): Int32Array =>
      Int32Array.from(scene.bodies.flatMap(({ name }) => parts.map((part) => columns.get(`${name}.${part}`) ?? -1)));
    this.#at = find(POSE);
    this.#velocityAt = find(VELOCITY);
    this.#drawn = Float64Array.from(scene.bodies.flatMap(({ pose }) => [...pose.position, ...pose.orientation]));
  }

  /** 7 per body: position in m, orientation w, x, y, z. Bodies that are not recorded stand where they were drawn. */
  poses(row: ArrayLike<number>, out: Float64Array): void {
    for (let i = 0; i < this.#at.length; i++) out[i] = this.#at[i] < 0 ? this.#drawn[i] : row[this.#at[i]];
  }

  /** 6 per body: velocity in m/s, angular velocity in rad/s; NaN where not recorded. */
  velocities(row: ArrayLike<number>, out: Float64Array): void {
    for (let i = 0; i < this.#velocityAt.length; i++)
      out[i] = this.#velocityAt[i] < 0 ? Number.NaN : row[this.#velocityAt[i]];
  }
}
