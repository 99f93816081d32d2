/** Surfaces that are only drawn and bodies that deform, as parts of a still picture. */
import type { Recording } from '../results/recording.js';
import { scaleColour } from '../results/scene/colour-scale.js';
import { type SurfaceFrame, SurfaceReader } from '../results/scene/surface-frames.js';
import type { Scene } from '../results/scene.js';
import type { StillPart } from './still.js';

/** Of what has no colour of its own */
export const CLOTH = [0.3, 0.58, 0.6, 1] as const;

export interface SurfaceLook {
  /** Ends of the colours by quantity; else those of what is shown */
  readonly ranges?: Readonly<Record<string, Range>>;
  /** How often deformation is drawn; the stress stays what it is */
  readonly exaggeration?: number;
}

export type Range = readonly [low: number, high: number];

/**
 * Surfaces that are only drawn, coloured by their values; without lines, for they have no edges to speak of. All of one quantity have one scale.
 */
export function surfaceParts(
  recording: Recording,
  scene: Scene,
  row: number,
  { ranges = {}, exaggeration = 1 }: SurfaceLook = {},
): StillPart[] {
  const frames = framesAt(recording, new SurfaceReader(scene, recording.signals), row, exaggeration);
  return frames.map(({ vertices, values }, i) => {
    const { triangles, quantity, unit, modes, colour = CLOTH } = scene.surfaces[i];
    const alike = frames.filter((_, k) => k === i || (quantity !== '' && scene.surfaces[k].quantity === quantity));
    const here = rangeOf(alike.map((frame) => frame.values));
    const [low, high] = ranges[quantity] ?? here;
    const shown =
      low < high &&
      values.some(Number.isFinite) &&
      Array.from(values, (value) => LEVELS[levelOf((value - low) / (high - low))]);
    const scale = { quantity, unit, low, high, largest: here[1], ...(modes && { exaggeration }) };
    return {
      mesh: { vertices, triangles },
      colour,
      edges: { sharp: [], open: [] },
      ...(shown && {
        triangleColours: meanOfCorners(triangles, (vertex, k) => 255 * shown[vertex][k]),
        ...(quantity !== '' && { scale }),
      }),
    };
  });
}

const LEVELS = Array.from({ length: 1021 }, (_, i) => scaleColour(i / 1020));
const levelOf = (s: number): number => (s >= 0 ? Math.min(1020, Math.round(1020 * s)) : 0);

/** None where nothing is recorded of them */
function framesAt(recording: Recording, reader: SurfaceReader, row: number, exaggeration = 1): SurfaceFrame[] {
  const table = recording.hasTable('surfaces') ? recording.table('surfaces') : undefined;
  if (!table && !reader.deforms) return [];
  return reader.frames(recording.samples.row(row), table?.labels, table?.instant(row), exaggeration);
}

/** Bodies that deform: surfaces as others, but the picture must fit them, too */
export const deformedParts = (recording: Recording, scene: Scene, row: number, look?: SurfaceLook): StillPart[] =>
  surfaceParts(recording, scene, row, look).filter((_, i) => scene.surfaces[i].modes !== undefined);

/** Moments at which the ends of a run's scale and its largest deformation are looked for */
const MOMENTS = 40;

const momentsOf = (from: number, to: number): number[] =>
  Array.from({ length: MOMENTS }, (_, i) => Math.round(from + (i * (to - from)) / (MOMENTS - 1)));

/** Least and largest value of each quantity over rows of a recording: one scale for all pictures of a run, so that its colours can be compared. */
export function surfaceRanges(recording: Recording, from = 0, to = recording.rows - 1): Record<string, Range> {
  const { scene } = recording;
  if (!scene || recording.rows === 0) return {};
  const rows = new Set(momentsOf(from, to));
  for (const { name } of scene.surfaces) {
    if (!recording.has(`${name}.stress.largest`)) continue;
    const { values } = recording.signal(`${name}.stress.largest`);
    let most = from;
    for (let row = from; row <= to; row++) if (values[row] > values[most]) most = row;
    rows.add(most);
  }
  const ranges: Record<string, Range> = {};
  const reader = new SurfaceReader(scene, recording.signals);
  for (const row of rows)
    for (const [i, { values }] of framesAt(recording, reader, row).entries()) {
      const { quantity } = scene.surfaces[i];
      const [low, high] = rangeOf([values]);
      const [least, most] = ranges[quantity] ?? [Infinity, -Infinity];
      if (quantity !== '' && low <= high) ranges[quantity] = [Math.min(least, low), Math.max(most, high)];
    }
  return ranges;
}

/** Of the size of a scene, what the largest deformation is drawn as */
const SEEN = 0.06;

/**
 * How often deformation is to be drawn to be seen: a round number, by which the largest of the run becomes a twentieth of the scene; 1 where it is.
 *
 * @param size of the scene, m
 */
export function visibleExaggeration(recording: Recording, size: number): number {
  const { scene } = recording;
  if (!scene || recording.rows === 0) return 1;
  const reader = new SurfaceReader(scene, recording.signals);
  let most = 0;
  for (const row of reader.deforms ? momentsOf(0, recording.rows - 1) : []) {
    const values = recording.samples.row(row);
    const bent = reader.frames(values).map(({ vertices }) => vertices);
    for (const [i, { vertices }] of reader.frames(values, [], undefined, 0).entries())
      for (let v = 0; v < vertices.length; v += 3)
        most = Math.max(
          most,
          (bent[i][v] - vertices[v]) ** 2 +
            (bent[i][v + 1] - vertices[v + 1]) ** 2 +
            (bent[i][v + 2] - vertices[v + 2]) ** 2,
        );
  }
  const factor = (SEEN * size) / Math.sqrt(most);
  if (!(factor > 1 && factor < Infinity)) return 1;
  const decade = 10 ** Math.floor(Math.log10(factor));
  return decade * (factor >= 5 * decade ? 5 : factor >= 2 * decade ? 2 : 1);
}

/** The colour of each triangle, that of its corners on average. */
export const meanOfCorners = (triangles: Uint32Array, channel: (vertex: number, k: number) => number): Uint8Array =>
  Uint8Array.from(triangles, (_, i) => {
    const first = i - (i % 3);
    let sum = 0;
    for (let corner = 0; corner < 3; corner++) sum += channel(triangles[first + corner], i % 3);
    return Math.round(sum / 3);
  });

export function rangeOf(lists: readonly Float64Array[]): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const values of lists)
    for (const value of values)
      if (Number.isFinite(value)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
  return [low, high];
}
