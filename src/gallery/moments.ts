/** Pictures of a run at moments of it: bodies, pale at other moments, ways of points; several side by side to one scale. */
import { cross, type Vec3 } from '../math/vec3.js';
import type { Recording } from '../results/recording.js';
import { partsAt, wayParts } from '../viewer/scene-parts.js';
import { drawStill, type Still, type StillPart } from '../viewer/still.js';

/** What one picture shows: the bodies at a row, pale at others, and the ways of points up to it; bodies may be left out. */
export function momentOf(
  recording: Recording,
  row: number,
  pale: readonly number[],
  ways: Readonly<Record<string, Vec3>>,
  without: readonly string[] = [],
): Moment {
  const others = pale.map((other) => partsAt(recording, other, PALE, without));
  const now = partsAt(recording, row, 1, without);
  const fit = [now, ...others].flatMap((moment) => moment.fit);
  return {
    parts: [...others.flatMap(({ parts }) => parts), ...now.parts, ...wayParts(recording, row, ways, fit)],
    fit,
  };
}

/** The box of all vertices, along the world's axes. */
function boxOf(parts: readonly StillPart[]): { readonly low: number[]; readonly high: number[] } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { mesh } of parts)
    for (let i = 0; i < mesh.vertices.length; i++) {
      low[i % 3] = Math.min(low[i % 3], mesh.vertices[i]);
      high[i % 3] = Math.max(high[i % 3], mesh.vertices[i]);
    }
  return { low, high };
}

/** How much of a body is left where it is drawn pale */
const PALE = 0.22;

export interface Moment {
  readonly parts: readonly StillPart[];
  readonly fit?: readonly StillPart[];
}

/** Moments in one picture, each with its bodies in the middle and all to one scale: side by side, what is long one below the other. */
export function strip(
  moments: readonly Moment[],
  eye: { readonly from: Vec3; readonly up: Vec3 },
  picture: { readonly width: number; readonly height: number },
): Still {
  const count = moments.length;
  const boxes = moments.map(({ parts, fit = parts }) => boxOf(fit));
  const half = [0, 1, 2].map((k) => 0.5 * Math.max(...boxes.map(({ low, high }) => high[k] - low[k])));
  // One floor for all: along what points up they share a middle, unless they go up or down by more than their own height.
  const up = eye.up.findIndex((part) => Math.abs(part) > 0.7);
  const [floor, roof] = [Math.min(...boxes.map(({ low }) => low[up])), Math.max(...boxes.map(({ high }) => high[up]))];
  if (roof - floor <= 4 * half[up]) {
    half[up] = 0.5 * (roof - floor);
    for (const { low, high } of boxes) [low[up], high[up]] = [floor, roof];
  }
  // how far the boxes reach across the picture, and up
  const reach = (axis: Vec3): number => half.reduce((sum, h, k) => sum + h * Math.abs(axis[k]), 0);
  const stacked = count > 1 && reach(cross(eye.up, eye.from)) > 4 * reach(eye.up) * Math.hypot(...eye.from);
  const width = stacked ? picture.width : Math.floor(picture.width / count);
  const height = stacked
    ? Math.min(Math.floor(picture.height / count), Math.round(width / 5))
    : Math.min(picture.height, Math.round(1.5 * width));
  const columns = stacked ? 1 : count;
  const rgba = new Uint8ClampedArray(4 * width * height * count);
  for (const [i, { parts, fit }] of moments.entries()) {
    const corners = boxes[i].low.map((low, k) => {
      const middle = 0.5 * (low + boxes[i].high[k]);
      return [middle - half[k], middle + half[k]];
    });
    const common = Float64Array.from({ length: 24 }, (_, c) => corners[c % 3][(Math.floor(c / 3) >> (c % 3)) & 1]);
    const shown = count > 1 ? [{ mesh: { vertices: common, triangles: new Uint32Array() } }] : fit;
    const still = drawStill(parts, { width, height, ...eye, ...(shown && { fit: shown }) });
    for (let y = 0; y < height; y++)
      rgba.set(
        still.rgba.subarray(4 * width * y, 4 * width * (y + 1)),
        4 * width * (stacked ? i * height + y : y * count + i),
      );
  }
  return { width: width * columns, height: (height * count) / columns, rgba };
}
