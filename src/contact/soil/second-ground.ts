/**
 * Two soils under one body. Soils have no borders: each is a ground over all of its frame, and nothing says which of two carries where both are. Side by side they may lie, each with a terrain that is
 * below the other's where that one carries; a body that both would carry at one place would be carried twice, and is refused.
 */
import { ModelError } from '../../errors.js';
import type { SampledGround } from '../../model/soil-bed.js';
import type { TerrainFrame } from './terrain-frame.js';

export interface OtherGround {
  readonly name: string;
  readonly frame: TerrainFrame;
  readonly ground: SampledGround;
}

/** Deeper than this below a ground is in it, m: beyond rounding */
const INSIDE = 1e-9;

/** @param place world axes, m, in the soil that carries. @param path of what is carried there; @param name of that soil */
export function refuseSecondGround(
  others: readonly OtherGround[],
  place: Float64Array,
  path: string,
  name: string,
): void {
  for (const { name: other, frame, ground } of others) {
    const local = new Float64Array(3);
    const sampled = new Float64Array(3);
    frame.placeInto(place, local);
    ground.sample(local[0], local[1], sampled);
    const depth = sampled[0] - local[2];
    if (depth > INSIDE)
      throw new ModelError(
        path,
        `is carried twice: "${name}" carries it at (${Array.from(place, (x) => Number(x.toPrecision(3))).join(', ')}) m, ${Number(depth.toPrecision(3))} m below the ground of "${other}", too; expected one soil at a place: leave it out of one, or give each a terrain that lies deeper where the other carries`,
      );
  }
}
