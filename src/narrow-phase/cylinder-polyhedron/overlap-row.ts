/** The row of a contact patch from the sums over an overlap with a cylinder: one region, its normal along S and its depth 2V/|S|. */
import type { ContactPatches } from '../contact-patches.js';
import { SUM, SurfaceSums } from '../convex-overlap/index.js';
import type { OverlapGradient } from '../overlap-gradient.js';
import type { OverlapSums } from './overlap-sums.js';

/** o in a frame, the frame's axes (9, by rows, to the world's), and its origin in the world at position[at …] */
export interface OverlapPlace {
  readonly origin: Float64Array;
  readonly rotation: Float64Array;
  readonly position: Float64Array;
  readonly at: number;
}

/** Appends the row of an overlap whose |S| is `size`, with its gradient if sums for it were taken. */
export function appendOverlap(
  overlap: OverlapSums,
  pair: number,
  patches: ContactPatches,
  size: number,
  extent: number,
  gradient: OverlapGradient | undefined,
  { origin, rotation, position, at }: OverlapPlace,
): number {
  const row = patches.add(pair, 0);
  surface.begin(1);
  const { sums } = surface;
  sums.fill(0, 0, SUM.length);
  sums[SUM.areaA] = overlap.areaA;
  sums[SUM.areaB] = overlap.areaB;
  sums[SUM.volume] = overlap.volume;
  for (let k = 0; k < 3; k++) {
    sums[SUM.vectorA + k] = overlap.vectorA[k];
    sums[SUM.vectorB + k] = 0 - overlap.vectorA[k];
    sums[SUM.momentA + k] = overlap.momentA[k];
    sums[SUM.momentB + k] = 0 - overlap.momentA[k];
    sums[SUM.first + k] = overlap.first[k];
    sums[SUM.volumeFirst + k] = overlap.volumeFirst[k];
  }
  sums.set(overlap.second, SUM.second);
  surface.fill(0, patches, row, true);
  patches.feature[2 * row] = overlap.mostFace;
  patches.feature[2 * row + 1] = overlap.mostEnd;
  for (let k = 0; k < 3; k++) patches.normal[3 * row + k] = overlap.vectorA[k] / size;
  patches.extent[row] = extent;
  patches.depth[row] = (2 * overlap.volume) / size;
  surface.place(0, patches, row, origin, rotation, position, at);
  gradient?.finish(0, patches, row, surface.centroid, 0, rotation);
  return row;
}

/** Scratch for all pairs: evaluations come one after the other and remember nothing. */
const surface = new SurfaceSums();
