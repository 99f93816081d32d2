/** Where shapes are: the world pose of each from that of its carrier and its own place and axes on it. */
import type { ContactShape } from '../assembly/system.js';
import type { Carriers } from '../dynamics/tree/carriers.js';
import { fromQuaternion } from '../math/mat3.js';
import type { ShapePoses } from '../narrow-phase/route.js';

export class ShapePlaces {
  /** As of the last `place` of each */
  readonly poses: ShapePoses;
  /** 3 and 9 per shape: place and axes of its form on its carrier */
  private readonly local: Float64Array;
  private readonly axes: Float64Array;

  /** Carrier of each shape */
  readonly carrierOf: Int32Array;

  constructor(
    shapes: readonly ContactShape[],
    private readonly carriers: Carriers,
  ) {
    const n = shapes.length;
    this.carrierOf = Int32Array.from(shapes, ({ anchor }) => carriers.indexOf(anchor));
    this.poses = { position: new Float64Array(3 * n), rotation: new Float64Array(9 * n) };
    this.local = Float64Array.from(shapes.flatMap(({ anchor }) => [...anchor.position]));
    this.axes = Float64Array.from(shapes.flatMap(({ anchor }) => [...fromQuaternion(anchor.orientation)]));
  }

  /** Sets the poses of two shapes to those of their carriers. */
  placeBoth(a: number, b: number): void {
    this.place(a, this.carriers, this.carrierOf[a]);
    this.place(b, this.carriers, this.carrierOf[b]);
  }

  /** Sets the pose of shape i on carrier c, here or in a part of the system that has it under another number. */
  place(i: number, { position, rotation }: Carriers, c: number): void {
    const { poses, local, axes } = this;
    const r = 9 * c;
    for (let k = 0; k < 3; k++) {
      const a = rotation[r + 3 * k];
      const b = rotation[r + 3 * k + 1];
      const d = rotation[r + 3 * k + 2];
      poses.position[3 * i + k] =
        position[3 * c + k] + (a * local[3 * i] + b * local[3 * i + 1] + d * local[3 * i + 2]);
      for (let j = 0; j < 3; j++)
        poses.rotation[9 * i + 3 * k + j] = a * axes[9 * i + j] + b * axes[9 * i + 3 + j] + d * axes[9 * i + 6 + j];
    }
  }
}
