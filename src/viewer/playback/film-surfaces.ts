/**
 * Moving surfaces of a film: vertices in 16 bits within the box of each coordinate's motion, values within their range. Of what deforms it is the
 * displacement, in 12 bits, and the pose that carries it whole: it stays fine where a part moves far and bends little.
 */
import { deflate, inflate } from '../../geometry/deflate.js';
import { conjugate, multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import { sub, type Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';
import { fromRangeCoded, rangeCoded } from './number-coding.js';
import type { SurfaceFrame } from './playback.js';

const BITS = 16;
const BENT_BITS = 12;
/** Bytes of a vertex at an instant, about: so many instants are tried first, for a fine mesh fills memory before it is seen what it takes */
export const VERTEX_BYTES = 5;

export interface FilmSurface {
  /** x, y, z and value of all vertices, vertex after vertex, each over all instants: differences over time are small. Of what deforms x, y, z of its displacement */
  readonly tracks: readonly { readonly range: readonly [number, number]; readonly bytes: Uint8Array }[];
  /** Of what deforms: its undeformed vertices at the first instant, 3 each, and the pose that carries them from there, 7 per instant */
  readonly rest: Float64Array | null;
  readonly poses: Float64Array | null;
}
export type FilmSurfaces = readonly FilmSurface[];

/** Surfaces at an instant: as they are, undeformed, and what carries those that deform */
export interface FilmedSurfaces {
  readonly frames: readonly SurfaceFrame[];
  readonly rest: readonly SurfaceFrame[];
  readonly poses: readonly (readonly number[] | undefined)[];
}

export function packSurfaces(
  { surfaces }: Scene,
  instants: number,
  filmed: (k: number) => FilmedSurfaces,
): FilmSurfaces {
  const tracks = surfaces.map(({ vertexCount }) =>
    Array.from({ length: 4 }, () => new Float64Array(vertexCount * instants)),
  );
  const first = filmed(0);
  const poses = first.poses.map((pose) => (pose ? new Float64Array(7 * instants) : null));
  for (let i = 0; i < instants; i++) {
    const { frames, rest, poses: now } = i === 0 ? first : filmed(i);
    frames.forEach(({ vertices, values }, s) => {
      const from = now[s] && rest[s].vertices;
      for (let v = 0; v < values.length; v++) {
        for (let k = 0; k < 3; k++) tracks[s][k][v * instants + i] = vertices[3 * v + k] - (from ? from[3 * v + k] : 0);
        tracks[s][3][v * instants + i] = values[v];
      }
      if (now[s]) poses[s]!.set(carried(first.poses[s]!, now[s]), 7 * i);
    });
  }
  return tracks.map((four, s) => ({
    tracks: four.map((track) => {
      const { range, bytes } = rangeCoded(track, poses[s] ? BENT_BITS : BITS);
      return { range, bytes: deflate(bytes) };
    }),
    rest: poses[s] && first.rest[s].vertices.map(Math.fround),
    poses: poses[s],
  }));
}

/** Pose that takes what is at `from` to `to`: q = q₂ q₁*, p = p₂ − q p₁ */
function carried(from: readonly number[], to: readonly number[]): number[] {
  const turn = multiply(to.slice(3) as unknown as Quaternion, conjugate(from.slice(3) as unknown as Quaternion));
  const shift = sub(to.slice(0, 3) as unknown as Vec3, rotate(turn, from.slice(0, 3) as unknown as Vec3));
  return [...shift, ...turn];
}

export const surfaceBytes = (surfaces: FilmSurfaces): number =>
  surfaces.flatMap(({ tracks }) => tracks).reduce((sum, { bytes }) => sum + bytes.length, 0);

/** Least and largest value of each quantity in the film */
export function filmRanges({ surfaces }: Scene, packed: FilmSurfaces): Record<string, readonly [number, number]> {
  const ranges: Record<string, readonly [number, number]> = {};
  for (const [s, { quantity }] of surfaces.entries()) {
    const [least, step] = packed[s]?.tracks[3]?.range ?? [0, 0];
    if (quantity === '' || !(step > 0)) continue;
    const [low, high] = ranges[quantity] ?? [least, least];
    ranges[quantity] = [
      Math.min(low, least),
      Math.max(high, least + step * (2 ** (packed[s].poses ? BENT_BITS : BITS) - 2)),
    ];
  }
  return ranges;
}

/** Undoes it, with the deformation as often as is asked for; undefined if the bytes are damaged. */
export function unpackSurfaces(
  { surfaces }: Scene,
  instants: number,
  packed: FilmSurfaces,
): ((k: number, exaggeration: number) => SurfaceFrame[]) | undefined {
  const tracks: Float64Array[][] = [];
  for (const [s, { vertexCount }] of surfaces.entries()) {
    const { tracks: own = [], rest, poses } = packed[s] ?? {};
    const four: Float64Array[] = [];
    for (const { range, bytes } of own) {
      const plain = inflate(bytes, 4 * vertexCount * instants);
      if (!plain) return undefined;
      four.push(fromRangeCoded(range, plain, poses ? BENT_BITS : BITS));
    }
    if (four.length !== 4 || (poses && (poses.length !== 7 * instants || rest?.length !== 3 * vertexCount)))
      return undefined;
    tracks.push(four);
  }
  return (i, exaggeration) =>
    surfaces.map(({ vertexCount }, s) => {
      const vertices = new Float64Array(3 * vertexCount);
      const values = new Float64Array(vertexCount);
      const { rest, poses } = packed[s];
      const pose = poses && [...poses.subarray(7 * i, 7 * i + 7)];
      for (let v = 0; v < vertexCount; v++) {
        values[v] = tracks[s][3][v * instants + i];
        const from =
          pose && rotate(pose.slice(3) as unknown as Quaternion, [rest![3 * v], rest![3 * v + 1], rest![3 * v + 2]]);
        for (let k = 0; k < 3; k++) {
          const x = tracks[s][k][v * instants + i];
          vertices[3 * v + k] = from ? pose[k] + from[k] + exaggeration * x : x;
        }
      }
      return { vertices, values };
    });
}
