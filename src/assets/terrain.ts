/**
 * Ground as a height over (x, y): a sum of layers, each known at every point with its slope, so that nothing depends on how finely it is meshed.
 * Layers: a plane, a profile along one direction, a height map, noise, craters; each is added to what lies below it, or the higher or lower of
 * the two is taken.
 *
 * Buse et al. (2023), §3.2: "resolution-independent access to surface information: height and normal at given coordinates".
 */
import { ModelError } from '../errors.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import { cos, sin, tan } from '../math/elementary.js';
import type { Vec3 } from '../math/vec3.js';
import { type CraterOptions, craterParameters, craters } from './craters.js';
import { type HeightMap, heightMapField } from './height-map.js';
import { monotoneCubic, monotoneCubicSlope } from './monotone-cubic.js';
import { type Octaves, octaveNoise } from './noise.js';
import { type Asset, assetId, choice, fill, type Given, number, pairs, whole } from './parameters.js';

const VERSION = 1;

/** Height at (x, y) in out[0], its slopes ∂/∂x and ∂/∂y in out[1] and out[2] */
export type Field = (x: number, y: number, out: Float64Array) => void;

const PLANE = {
  height: number(0, -1e4, 1e4, 'm', 'at x = y = 0'),
  slope: number(0, 0, 1.4, 'rad', 'steepest'),
  azimuth: number(0, -7, 7, 'rad', 'direction in which it rises, from x towards y'),
} as const;
const PROFILE = {
  points: pairs('m', 'place along the direction and height'),
  interpolation: choice(['linear', 'smooth'], 'between the points'),
  azimuth: number(0, -7, 7, 'rad', 'direction in which the profile runs, from x towards y'),
} as const;
const NOISE = {
  type: choice(['fbm', 'billow', 'ridged'], 'kind of noise'),
  seed: whole(0, 0, 2147483000, 'another seed, another ground of the same statistics'),
  frequency: number(0.05, 1e-4, 100, '1/m', 'of the coarsest octave'),
  octaves: whole(6, 1, 30, 'each finer by the lacunarity'),
  lacunarity: number(2, 1.1, 8, '', 'ratio of the frequencies of neighbouring octaves'),
  persistence: number(0.55, 0.01, 1, '', 'ratio of their amplitudes; lacunarity^−H for a Hurst exponent H'),
  amplitude: number(0.15, 0, 50, 'm', 'of the coarsest octave'),
} as const;

export type Combination = 'add' | 'highest' | 'lowest';
export type Layer = { readonly combine?: Combination } & (
  | ({ readonly kind: 'plane' } & Given<typeof PLANE>)
  | ({ readonly kind: 'profile' } & Given<typeof PROFILE>)
  | ({ readonly kind: 'noise' } & Given<typeof NOISE>)
  | { readonly kind: 'heightMap'; readonly map: HeightMap }
  | ({ readonly kind: 'craters' } & CraterOptions)
);
const KINDS = ['plane', 'profile', 'noise', 'heightMap', 'craters'] as const;
const COMBINATIONS: readonly Combination[] = ['add', 'highest', 'lowest'];

export interface TerrainOptions {
  readonly layers: readonly Layer[];
}

export class Terrain implements Asset {
  readonly kind = 'surface';
  readonly id: string;
  readonly name: string;
  readonly parameters: unknown;
  private readonly fields: readonly { readonly field: Field; readonly combine: Combination }[];
  private readonly below = new Float64Array(3);
  private readonly here = new Float64Array(3);

  constructor({ layers }: TerrainOptions) {
    if (!Array.isArray(layers) || layers.length === 0)
      throw new ModelError('terrain.layers', "expected at least one layer, such as { kind: 'plane' }, got none");
    const made = layers.map((layer, i) => layerField(layer, `terrain.layers[${i}]`));
    this.fields = made.map(({ field }, i) => ({ field, combine: layers[i].combine ?? 'add' }));
    this.parameters = {
      layers: made.map(({ canonical }, i) => ({ combine: layers[i].combine ?? 'add', ...canonical })),
    };
    this.id = assetId('surface', VERSION, this.parameters);
    this.name = `surface_${this.id}`;
  }

  /** Height and slopes into out[0..2] */
  sample(x: number, y: number, out: Float64Array): void {
    const { fields, below, here } = this;
    below.fill(0);
    for (let i = 0; i < fields.length; i++) {
      const { field, combine } = fields[i];
      field(x, y, here);
      if (i === 0 || combine === 'add') for (let k = 0; k < 3; k++) below[k] += here[k];
      else if (combine === 'highest' ? here[0] > below[0] : here[0] < below[0]) below.set(here);
    }
    out.set(below);
  }

  /** m */
  height(x: number, y: number): number {
    this.sample(x, y, this.result);
    return this.result[0];
  }
  private readonly result = new Float64Array(3);

  /** Unit vector out of the ground */
  normal(x: number, y: number): Vec3 {
    this.sample(x, y, this.result);
    const [, a, b] = this.result;
    const length = Math.sqrt(1 + a * a + b * b);
    return [0 - a / length, 0 - b / length, 1 / length];
  }

  /** The place under (x, y) as a frame: x along the heading, z out of the ground. Columns are the axes. */
  frame(x: number, y: number, heading = 0): { readonly origin: Vec3; readonly axes: readonly [Vec3, Vec3, Vec3] } {
    const up = this.normal(x, y);
    const [c, s] = [cos(heading), sin(heading)];
    const along = c * up[0] + s * up[1];
    const flat: Vec3 = [c - along * up[0], s - along * up[1], 0 - along * up[2]];
    const length = Math.sqrt(flat[0] * flat[0] + flat[1] * flat[1] + flat[2] * flat[2]);
    const forward: Vec3 = [flat[0] / length, flat[1] / length, flat[2] / length];
    const left: Vec3 = [
      up[1] * forward[2] - up[2] * forward[1],
      up[2] * forward[0] - up[0] * forward[2],
      up[0] * forward[1] - up[1] * forward[0],
    ];
    return { origin: [x, y, this.height(x, y)], axes: [forward, left, up] };
  }

  /**
   * The piece over a rectangle as triangles; open, as ground is.
   *
   * @param resolution distance of vertices, m; made smaller so that it divides the sides
   */
  mesh({ size, centre = [0, 0], resolution }: TerrainPiece): TriangleMesh {
    const counts = pieceCounts(size, resolution);
    const [nx, ny] = counts;
    const vertices = new Float64Array(3 * (nx + 1) * (ny + 1));
    for (let j = 0; j <= ny; j++)
      for (let i = 0; i <= nx; i++) {
        const x = centre[0] + (i / nx - 0.5) * size[0];
        const y = centre[1] + (j / ny - 0.5) * size[1];
        vertices.set([x, y, this.height(x, y)], 3 * (j * (nx + 1) + i));
      }
    const triangles = new Uint32Array(6 * nx * ny);
    for (let j = 0, t = 0; j < ny; j++)
      for (let i = 0; i < nx; i++, t += 6) {
        const a = j * (nx + 1) + i;
        triangles.set([a, a + 1, a + nx + 2, a, a + nx + 2, a + nx + 1], t);
      }
    return { vertices, triangles };
  }
}

export interface TerrainPiece {
  /** m, along x and y */
  readonly size: readonly [number, number];
  readonly centre?: readonly [number, number];
  /** m */
  readonly resolution: number;
}

const MOST_VERTICES = 2e7;

function pieceCounts(size: readonly [number, number], resolution: number): [number, number] {
  if (!(size[0] > 0 && size[1] > 0 && size[0] < Infinity && size[1] < Infinity))
    throw new ModelError('terrain.size', `expected two lengths > 0 m, got ${size.join(', ')}`);
  if (!(resolution > 0)) throw new ModelError('terrain.resolution', `expected a length > 0 m, got ${resolution}`);
  const counts: [number, number] = [Math.ceil(size[0] / resolution - 1e-9), Math.ceil(size[1] / resolution - 1e-9)];
  if (counts[0] * counts[1] > MOST_VERTICES)
    throw new ModelError(
      'terrain.resolution',
      `${counts[0]} × ${counts[1]} vertices are more than ${MOST_VERTICES}; expected a coarser one, got ${resolution} m`,
    );
  return [Math.max(1, counts[0]), Math.max(1, counts[1])];
}

/** @example const ground = terrain({ layers: [{ kind: 'plane', slope: 0.1 }, { kind: 'noise', amplitude: 0.05, seed: 3 }] }); */
export const terrain = (options: TerrainOptions): Terrain => new Terrain(options);

export const flatTerrain = (): Terrain => new Terrain({ layers: [{ kind: 'plane' }] });

function layerField(layer: Layer, path: string): { field: Field; canonical: Record<string, unknown> } {
  const { combine, ...rest } = layer;
  if (combine !== undefined && !COMBINATIONS.includes(combine))
    throw new ModelError(
      `${path}.combine`,
      `expected one of ${COMBINATIONS.join(', ')}, got ${JSON.stringify(combine)}`,
    );
  const { kind, ...given } = rest as { kind: Layer['kind'] } & Record<string, unknown>;
  switch (kind) {
    case 'plane': {
      const p = fill(path, PLANE, given);
      const rise = tan(p.slope);
      const [a, b] = [rise * cos(p.azimuth), rise * sin(p.azimuth)];
      return {
        canonical: { kind, ...p },
        field: (x, y, out) => {
          out[0] = p.height + a * x + b * y;
          out[1] = a;
          out[2] = b;
        },
      };
    }
    case 'profile': {
      const p = fill(path, PROFILE, given);
      if (p.points.length < 2)
        throw new ModelError(`${path}.points`, `expected at least 2 points, got ${p.points.length}`);
      for (let i = 1; i < p.points.length; i++)
        if (!(p.points[i][0] > p.points[i - 1][0]))
          throw new ModelError(
            `${path}.points[${i}]`,
            `expected places that increase, got ${p.points[i][0]} after ${p.points[i - 1][0]} m`,
          );
      const [c, s] = [cos(p.azimuth), sin(p.azimuth)];
      const smooth = p.interpolation === 'smooth';
      const at = smooth ? monotoneCubic(p.points) : piecewise(p.points, 0);
      const slope = smooth ? monotoneCubicSlope(p.points) : piecewise(p.points, 1);
      return {
        canonical: { kind, ...p },
        field: (x, y, out) => {
          const along = c * x + s * y;
          const rise = slope(along);
          out[0] = at(along);
          out[1] = c * rise;
          out[2] = s * rise;
        },
      };
    }
    case 'noise': {
      const p = fill(path, NOISE, given);
      const octaves: Octaves = p;
      const value = new Float64Array(4);
      const slice = 0.37 / p.frequency; // off the lattice's planes, where the values would all vanish together
      return {
        canonical: { kind, ...p },
        field: (x, y, out) => {
          octaveNoise(octaves, x, y, slice, value);
          for (let k = 0; k < 3; k++) out[k] = p.amplitude * value[k];
        },
      };
    }
    case 'heightMap': {
      const map = given.map as HeightMap;
      return {
        field: heightMapField(map, `${path}.map`),
        canonical: { kind, map: { ...map, heights: heightsId(map) } },
      };
    }
    case 'craters': {
      const p = craterParameters(given as CraterOptions, path);
      return { field: craters(p), canonical: { kind, ...p } };
    }
    default:
      throw new ModelError(`${path}.kind`, `expected one of ${KINDS.join(', ')}, got ${JSON.stringify(kind)}`);
  }
}

const heightsId = (map: HeightMap): string => assetId('heights', 1, Array.from(map.heights));

/** Straight pieces: the height (0) or the slope (1) */
function piecewise(points: readonly (readonly [number, number])[], what: 0 | 1): (at: number) => number {
  return (at) => {
    const last = points.length - 1;
    if (at <= points[0][0]) return what === 0 ? points[0][1] : 0;
    if (at >= points[last][0]) return what === 0 ? points[last][1] : 0;
    let [low, high] = [0, last];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (points[middle][0] <= at) low = middle;
      else high = middle;
    }
    const rise = (points[high][1] - points[low][1]) / (points[high][0] - points[low][0]);
    return what === 0 ? points[low][1] + rise * (at - points[low][0]) : rise;
  };
}
