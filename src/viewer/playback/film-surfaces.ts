/** Moving surfaces of a film: vertices in 16 bits within the box of each coordinate's motion, values within their range. */
import { deflate, inflate } from '../../geometry/deflate.js';
import type { Scene } from '../../results/scene.js';
import { fromRangeCoded, rangeCoded } from './number-coding.js';
import type { SurfaceFrame } from './playback.js';

const BITS = 16;

/** Per surface x, y, z and value of all vertices, vertex after vertex, each over all instants: differences over time are small. */
export type FilmSurfaces = readonly (readonly {
  readonly range: readonly [number, number];
  readonly bytes: Uint8Array;
}[])[];

export function packSurfaces(
  { surfaces }: Scene,
  instants: number,
  framesAt: (k: number) => readonly SurfaceFrame[],
): FilmSurfaces {
  const tracks = surfaces.map(({ vertexCount }) =>
    Array.from({ length: 4 }, () => new Float64Array(vertexCount * instants)),
  );
  for (let i = 0; i < instants; i++)
    framesAt(i).forEach(({ vertices, values }, s) => {
      for (let v = 0; v < values.length; v++) {
        for (let k = 0; k < 3; k++) tracks[s][k][v * instants + i] = vertices[3 * v + k];
        tracks[s][3][v * instants + i] = values[v];
      }
    });
  return tracks.map((four) =>
    four.map((track) => {
      const { range, bytes } = rangeCoded(track, BITS);
      return { range, bytes: deflate(bytes) };
    }),
  );
}

/** Undoes it; undefined if the bytes are damaged. */
export function unpackSurfaces(
  { surfaces }: Scene,
  instants: number,
  packed: FilmSurfaces,
): ((k: number) => SurfaceFrame[]) | undefined {
  const tracks: Float64Array[][] = [];
  for (const [s, { vertexCount }] of surfaces.entries()) {
    const four: Float64Array[] = [];
    for (const { range, bytes } of packed[s] ?? []) {
      const plain = inflate(bytes, 4 * vertexCount * instants);
      if (!plain) return undefined;
      four.push(fromRangeCoded(range, plain, BITS));
    }
    if (four.length !== 4) return undefined;
    tracks.push(four);
  }
  return (i) =>
    surfaces.map(({ vertexCount }, s) => {
      const vertices = new Float64Array(3 * vertexCount);
      const values = new Float64Array(vertexCount);
      for (let v = 0; v < vertexCount; v++) {
        for (let k = 0; k < 3; k++) vertices[3 * v + k] = tracks[s][k][v * instants + i];
        values[v] = tracks[s][3][v * instants + i];
      }
      return { vertices, values };
    });
}
