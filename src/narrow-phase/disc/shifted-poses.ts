/** Two shapes by themselves, each at the middle of the form that stands in for it. */
import type { ShapePoses } from '../route.js';

/** Of the stand-in in the form's frame, m */
export type Shift = readonly [number, number, number];
export const NONE: Shift = [0, 0, 0];

export class ShiftedPoses implements ShapePoses {
  readonly position: Float64Array;
  readonly rotation: Float64Array;

  constructor(shapes: number) {
    this.position = new Float64Array(3 * shapes);
    this.rotation = new Float64Array(9 * shapes);
  }

  /** @param at place here, @param of place in `poses` */
  place({ position, rotation }: ShapePoses, at: number, of: number, [x, y, z]: Shift): void {
    for (let k = 0; k < 3; k++) {
      const r = 9 * of + 3 * k;
      this.position[3 * at + k] = position[3 * of + k] + (x * rotation[r] + y * rotation[r + 1] + z * rotation[r + 2]);
    }
    for (let k = 0; k < 9; k++) this.rotation[9 * at + k] = rotation[9 * of + k];
  }
}
