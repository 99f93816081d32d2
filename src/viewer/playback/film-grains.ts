/** Grains of a film: 16 bits for each coordinate in the box of all, 8 for speed and force; instant by instant, in the order of their numbers. */
import { deflate, inflate } from '../../geometry/deflate.js';
import type { GrainFrame } from '../../results/scene/grain-frames.js';

/** Bytes of a grain before deflating: 3 × 2 position, 2 radius, 1 species, 2 values; where grains have shapes, 2 form, 4 × 2 orientation */
const WIDTH = 11;
const SHAPED_WIDTH = 21;

export interface FilmGrains {
  /** x, y, z, radius, speed, force: least and greatest of all instants */
  readonly ranges: Float64Array;
  readonly counts: Uint32Array;
  /** One per instant; where it is empty the one before is shown */
  readonly frames: readonly Uint8Array[];
  /** Whether they have forms and orientations */
  readonly shaped?: boolean;
}

/** @param instants in the film, @param frameAt grains at one, if any were kept */
export function packGrains(instants: number, frameAt: (k: number) => GrainFrame | undefined): FilmGrains {
  const ranges = new Float64Array(12);
  for (let k = 0; k < 6; k++) [ranges[2 * k], ranges[2 * k + 1]] = [Infinity, -Infinity];
  const widen = (k: number, value: number): void => {
    if (value < ranges[2 * k]) ranges[2 * k] = value;
    if (value > ranges[2 * k + 1]) ranges[2 * k + 1] = value;
  };
  for (let i = 0; i < instants; i++) {
    const frame = frameAt(i);
    if (!frame) continue;
    for (let g = 0; g < frame.count; g++) {
      for (let k = 0; k < 3; k++) widen(k, frame.positions[3 * g + k]);
      widen(3, frame.radii[g]);
      widen(4, frame.speed[g]);
      widen(5, frame.force[g]);
    }
  }
  const counts = new Uint32Array(instants);
  const frames: Uint8Array[] = [];
  let shaped = false;
  for (let i = 0; i < instants; i++) {
    const frame = frameAt(i);
    counts[i] = frame?.count ?? 0;
    shaped ||= frame?.forms !== undefined;
    frames.push(frame ? deflate(coded(frame, ranges)) : new Uint8Array(0));
  }
  return { ranges, counts, frames, ...(shaped && { shaped }) };
}

/** Low bytes of all, then high bytes: so deflate finds what they have in common. */
function coded(frame: GrainFrame, ranges: Float64Array): Uint8Array {
  const { count, positions, radii, species, speed, force, forms, orientations } = frame;
  const bytes = new Uint8Array((forms ? SHAPED_WIDTH : WIDTH) * count);
  const put = (column: number, g: number, k: number, value: number, steps: number): number => {
    const [least, greatest] = [ranges[2 * k], ranges[2 * k + 1]];
    const code = greatest > least ? Math.round(((value - least) / (greatest - least)) * steps) : 0;
    bytes[column * count + g] = code & 255;
    return code >> 8;
  };
  for (let g = 0; g < count; g++) {
    for (let k = 0; k < 3; k++) bytes[(2 * k + 1) * count + g] = put(2 * k, g, k, positions[3 * g + k], 65535);
    bytes[7 * count + g] = put(6, g, 3, radii[g], 65535);
    bytes[8 * count + g] = species[g];
    put(9, g, 4, speed[g], 255);
    put(10, g, 5, force[g], 255);
    if (!forms || !orientations) continue;
    bytes[11 * count + g] = forms[g] & 255;
    bytes[12 * count + g] = forms[g] >> 8;
    for (let k = 0; k < 4; k++) {
      const code = Math.round(32767.5 * (1 + Math.max(-1, Math.min(1, orientations[4 * g + k]))));
      bytes[(13 + 2 * k) * count + g] = code & 255;
      bytes[(14 + 2 * k) * count + g] = code >> 8;
    }
  }
  return bytes;
}

/** Undoes it; undefined if the bytes are damaged. */
export function unpackGrains(
  { ranges, counts, frames, shaped = false }: FilmGrains,
  instant: number,
): GrainFrame | undefined {
  let i = Math.min(instant, counts.length - 1);
  while (i > 0 && frames[i].length === 0) i--;
  const count = counts[i] ?? 0;
  const bytes = frames[i] && inflate(frames[i], (shaped ? SHAPED_WIDTH : WIDTH) * count);
  if (!bytes) return undefined;
  /** Of `column`, and of the next where there are 16 bits */
  const into = (out: Float64Array, stride: number, at: number, k: number, column: number, steps: number): void => {
    const [least, width] = [ranges[2 * k], ranges[2 * k + 1] - ranges[2 * k]];
    const low = bytes.subarray(column * count, (column + 1) * count);
    const high = bytes.subarray((column + 1) * count, (column + 2) * count);
    if (steps === 255) for (let g = 0; g < count; g++) out[stride * g + at] = least + (width * low[g]) / steps;
    else for (let g = 0; g < count; g++) out[stride * g + at] = least + (width * (low[g] + 256 * high[g])) / steps;
  };
  const frame: GrainFrame = {
    count,
    ids: new Float64Array(count),
    positions: new Float64Array(3 * count),
    radii: new Float64Array(count),
    species: new Int32Array(count),
    speed: new Float64Array(count),
    force: new Float64Array(count),
    ...(shaped && { forms: new Int32Array(count), orientations: new Float64Array(4 * count) }),
  };
  for (let k = 0; k < 3; k++) into(frame.positions, 3, k, k, 2 * k, 65535);
  into(frame.radii, 1, 0, 3, 6, 65535);
  into(frame.speed, 1, 0, 4, 9, 255);
  into(frame.force, 1, 0, 5, 10, 255);
  for (let g = 0; g < count; g++) {
    frame.ids[g] = g;
    frame.species[g] = bytes[8 * count + g];
    if (!frame.forms || !frame.orientations) continue;
    frame.forms[g] = bytes[11 * count + g] + 256 * bytes[12 * count + g];
    for (let k = 0; k < 4; k++)
      frame.orientations[4 * g + k] =
        (bytes[(13 + 2 * k) * count + g] + 256 * bytes[(14 + 2 * k) * count + g]) / 32767.5 - 1;
  }
  return frame;
}

export const grainBytes = (grains: FilmGrains | null): number =>
  grains ? grains.frames.reduce((sum, { length }) => sum + length, 0) : 0;
