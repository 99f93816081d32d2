/** Frames from rows of signals. */
import type { SignalDescription } from '../../results/recording.js';
import { PoseReader } from '../../results/scene/poses.js';
import type { Scene } from '../../results/scene.js';
import type { Frame } from './playback.js';

export class FrameReader {
  readonly #poses: PoseReader;
  readonly #bodies: number;

  constructor(scene: Scene, signals: readonly SignalDescription[]) {
    this.#poses = new PoseReader(scene, signals);
    this.#bodies = scene.bodies.length;
  }

  /** The bodies as a row of signals has them; a frame of its own, for several are kept. */
  frame(time: number, row: ArrayLike<number>): Frame {
    return {
      time,
      poses: this.#poses.poses(row, new Float64Array(7 * this.#bodies)),
      velocities: this.#poses.velocities(row, new Float64Array(6 * this.#bodies)),
    };
  }
}
