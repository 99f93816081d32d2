/** Grains of an instant, from the rows of the table `grains`. */
import { GRAIN } from '../grain-records.js';
import type { RecordInstant } from '../record-table.js';

export interface GrainFrame {
  readonly count: number;
  /** Their numbers; in a film their places in the order of numbers */
  readonly ids: Float64Array;
  /** 3 each, world, m */
  readonly positions: Float64Array;
  /** m */
  readonly radii: Float64Array;
  /** Place of the species in `scene.grains.species` */
  readonly species: Int32Array;
  /** m/s and N */
  readonly speed: Float64Array;
  readonly force: Float64Array;
  /** Where grains have shapes: which form of the species each has, and its orientation, w x y z */
  readonly forms?: Int32Array;
  readonly orientations?: Float64Array;
}

/** @param labels of the table, @param species names in the order of the scene */
export function grainsOf(labels: readonly string[], species: readonly string[], rows: RecordInstant): GrainFrame {
  const { count, values } = rows;
  const place = labels.map((label) => Math.max(0, species.indexOf(label)));
  const shaped = values.length > GRAIN.orientation;
  const frame: GrainFrame = {
    count,
    ids: new Float64Array(values[GRAIN.id]),
    positions: new Float64Array(3 * count),
    radii: new Float64Array(values[GRAIN.radius]),
    species: new Int32Array(count),
    speed: new Float64Array(count),
    force: new Float64Array(values[GRAIN.force]),
    ...(shaped && {
      forms: new Int32Array(values[GRAIN.form]),
      orientations: new Float64Array(4 * count),
    }),
  };
  const { positions, species: kinds, speed, orientations } = frame;
  const labelled = values[GRAIN.species];
  for (let i = 0; i < count; i++) kinds[i] = place[labelled[i]];
  // column by column, as they lie in the table
  for (let k = 0; k < 3; k++) {
    const [x, v] = [values[GRAIN.x + k], values[GRAIN.velocity + k]];
    for (let i = 0; i < count; i++) {
      positions[3 * i + k] = x[i];
      speed[i] += v[i] * v[i];
    }
  }
  for (let i = 0; i < count; i++) speed[i] = Math.sqrt(speed[i]);
  for (let k = 0; orientations && k < 4; k++) {
    const turn = values[GRAIN.orientation + k];
    for (let i = 0; i < count; i++) orientations[4 * i + k] = turn[i];
  }
  return frame;
}

export const NO_GRAINS: GrainFrame = {
  count: 0,
  ids: new Float64Array(0),
  positions: new Float64Array(0),
  radii: new Float64Array(0),
  species: new Int32Array(0),
  speed: new Float64Array(0),
  force: new Float64Array(0),
};

/** The last instant up to k that has grains, or the first that has; −1 if none has. @param first rows of each instant */
export function instantWithGrains(first: ArrayLike<number>, k: number): number {
  for (let i = k; i >= 0; i--) if (first[i + 1] > first[i]) return i;
  for (let i = k + 1; i + 1 < first.length; i++) if (first[i + 1] > first[i]) return i;
  return -1;
}
