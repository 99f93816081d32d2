/** Walls in the arrays of a bed: features of each body, and a grid over those with a box, in the body's own frame. */
import { STRIDE } from '../kernels/index.js';
import type { GrainArrays } from './grain-arrays.js';
import type { WallFeatures } from './wall-features.js';

/** A body that grains touch */
export interface WallBody {
  readonly name: string;
  /** Of its material, among the bed's kinds */
  readonly kind: number;
  readonly features: WallFeatures;
  readonly pose: WallPose;
  /** 1/kg; 0 if it does not give way */
  readonly perMass?: number;
  /** From its origin, m; Infinity for a half-space that turns */
  readonly farthest: number;
}

/** Rotation row by row, world axes */
export interface WallPose {
  readonly rotation: ArrayLike<number>;
  readonly position: ArrayLike<number>;
  readonly velocity: ArrayLike<number>;
  readonly angularVelocity: ArrayLike<number>;
}

export const AT_REST: WallPose = {
  rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  position: [0, 0, 0],
  velocity: [0, 0, 0],
  angularVelocity: [0, 0, 0],
};

export function packWalls(arrays: GrainArrays, walls: readonly WallBody[]): void {
  const total = walls.reduce((sum, { features }) => sum + features.count, 0);
  const spokes = walls.reduce((sum, { features }) => sum + features.spokes.length, 0);
  arrays.give('walls', STRIDE.wall * walls.length);
  arrays.give('wallInts', STRIDE.wallInts * walls.length);
  arrays.give('wrenches', 8 * walls.length * arrays.ints('counts')[1]);
  arrays.give('features', STRIDE.feature * total);
  arrays.give('boxes', 6 * total);
  arrays.give('spokes', spokes);
  const grids = walls.map(({ features }) => gridOf(features));
  arrays.give('gridStart', grids.reduce((sum, { starts }) => sum + starts.length, 0) + 1);
  arrays.give(
    'gridFeatures',
    grids.reduce((sum, { list }) => sum + list.length, 0),
  );
  const numbers = arrays.floats('walls');
  const ints = arrays.ints('wallInts');
  let feature = 0;
  let spoke = 0;
  let cell = 0;
  let entry = 0;
  walls.forEach(({ kind, features, pose, perMass = 0 }, b) => {
    const at = STRIDE.wall * b;
    numbers.set(pose.rotation, at);
    numbers.set(pose.position, at + 9);
    numbers.set(pose.velocity, at + 12);
    numbers.set(pose.angularVelocity, at + 15);
    numbers[at + 27] = perMass;
    arrays.floats('features').set(features.numbers, STRIDE.feature * feature);
    for (let f = 0; f < features.count; f++)
      if (features.numbers[STRIDE.feature * f] === 3 || features.numbers[STRIDE.feature * f] === 8)
        arrays.floats('features')[STRIDE.feature * (feature + f) + 4] += spoke;
    arrays.floats('boxes').set(features.boxes, 6 * feature);
    arrays.floats('spokes').set(features.spokes, STRIDE.spoke * spoke);
    const grid = grids[b];
    for (let k = 0; k < 3; k++) {
      numbers[at + 18 + k] = grid.low[k];
      numbers[at + 21 + k] = grid.perLength[k];
      numbers[at + 24 + k] = grid.high[k];
      ints[STRIDE.wallInts * b + 2 + k] = grid.cells[k];
    }
    ints[STRIDE.wallInts * b] = feature;
    ints[STRIDE.wallInts * b + 1] = feature + features.unbounded;
    ints[STRIDE.wallInts * b + 5] = cell;
    ints[STRIDE.wallInts * b + 6] = kind;
    const starts = arrays.ints('gridStart');
    for (let c = 0; c < grid.starts.length; c++) starts[cell + c] = entry + grid.starts[c];
    const list = arrays.ints('gridFeatures');
    for (let k = 0; k < grid.list.length; k++) list[entry + k] = feature + grid.list[k];
    feature += features.count;
    spoke += features.spokes.length / STRIDE.spoke;
    cell += grid.starts.length;
    entry += grid.list.length;
  });
}

interface Grid {
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly perLength: readonly number[];
  readonly cells: readonly number[];
  readonly starts: Int32Array;
  readonly list: Int32Array;
}

/** About as many cells as features; each feature in all cells its box meets. */
function gridOf({ count, unbounded, boxes }: WallFeatures): Grid {
  const low = [0, 0, 0];
  const high = [0, 0, 0];
  if (count === unbounded)
    return { low, high, perLength: low, cells: low, starts: new Int32Array(1), list: new Int32Array(0) };
  for (let k = 0; k < 3; k++) {
    low[k] = Number.POSITIVE_INFINITY;
    high[k] = Number.NEGATIVE_INFINITY;
    for (let f = unbounded; f < count; f++) {
      low[k] = Math.min(low[k], boxes[6 * f + k]);
      high[k] = Math.max(high[k], boxes[6 * f + 3 + k]);
    }
  }
  const size = low.map((l, k) => Math.max(high[k] - l, 1e-12));
  // Cells of one side, as many as features together, at most 128 along an axis
  let side = Math.max(...size) / 128;
  const cellsAt = (s: number): number[] => size.map((length) => Math.max(1, Math.ceil(length / s - 1e-9)));
  const number = count - unbounded;
  while (cellsAt(side).reduce((product, n) => product * n, 1) > 2 * number + 8) side *= 1.2;
  const cells = cellsAt(side);
  const perLength = cells.map((n, k) => n / size[k]);
  const clamp = (x: number, k: number): number =>
    Math.max(0, Math.min(cells[k] - 1, Math.floor((x - low[k]) * perLength[k])));
  const visit = (see: (cell: number, f: number) => void): void => {
    for (let f = unbounded; f < count; f++) {
      const from = [0, 1, 2].map((k) => clamp(boxes[6 * f + k], k));
      const to = [0, 1, 2].map((k) => clamp(boxes[6 * f + 3 + k], k));
      for (let z = from[2]; z <= to[2]; z++)
        for (let y = from[1]; y <= to[1]; y++)
          for (let x = from[0]; x <= to[0]; x++) see(x + cells[0] * (y + cells[1] * z), f);
    }
  };
  const starts = new Int32Array(cells[0] * cells[1] * cells[2] + 1);
  visit((c) => starts[c + 1]++);
  for (let c = 0; c + 1 < starts.length; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  const list = new Int32Array(starts[starts.length - 1]);
  visit((c, f) => {
    list[next[c]++] = f;
  });
  return { low, high, perLength, cells, starts, list };
}
