/** The piece of soft ground that is drawn: vertices on the present surface, coloured by sinkage, pressure or shear. */
import { ModelError } from '../../errors.js';
import type { SampledGround, SoilBed } from '../../model/soil-bed.js';
import type { SurfaceOptions } from '../../model/surfaces.js';
import { type SoilTiles, TILE, TILE_BITS } from './soil-tiles.js';
import type { TerrainFrame } from './terrain-frame.js';

const MOST_VERTICES = 200_000;

const QUANTITIES = {
  sinkage: { quantity: 'sinkage', unit: 'm' },
  pressure: { quantity: 'pressure', unit: 'Pa' },
  shear: { quantity: 'shear stress', unit: 'Pa' },
} as const;

/** @param tiles of the soil as it is now; undefined before the run */
export function drawnGround(
  drawn: NonNullable<SoilBed['drawn']>,
  spacing: number,
  ground: SampledGround,
  frame: TerrainFrame,
  tiles: () => SoilTiles | undefined,
): SurfaceOptions {
  const { size, centre = [0, 0], resolution = 2 * spacing, show = 'sinkage' } = drawn;
  // Vertices are nodes of the grid: every `stride`-th of them
  const stride = Math.max(1, Math.round(resolution / spacing));
  const step = stride * spacing;
  const [nx, ny] = [Math.max(1, Math.round(size[0] / step)), Math.max(1, Math.round(size[1] / step))];
  if ((nx + 1) * (ny + 1) > MOST_VERTICES)
    throw new ModelError(
      'soils.drawn',
      `${nx + 1} × ${ny + 1} vertices are more than ${MOST_VERTICES}, and all of them are recorded at every instant; expected a smaller piece or a coarser resolution`,
    );
  const i0 = stride * Math.round((centre[0] - size[0] / 2) / step);
  const j0 = stride * Math.round((centre[1] - size[1] / 2) / step);
  const count = (nx + 1) * (ny + 1);
  const vertices = new Float64Array(3 * count);
  const values = new Float64Array(count);
  const local = new Float64Array(3);
  const world = new Float64Array(3);
  const refresh = (): void => {
    const now = tiles();
    for (let b = 0, v = 0; b <= ny; b++)
      for (let a = 0; a <= nx; a++, v++) {
        const [i, j] = [i0 + stride * a, j0 + stride * b];
        const [x, y] = [i * spacing, j * spacing];
        ground.sample(x, y, local);
        const virgin = local[0];
        const tile = now ? now.find(i >> TILE_BITS, j >> TILE_BITS) : -1;
        const node = tile < 0 ? -1 : TILE * TILE * tile + ((j & (TILE - 1)) << TILE_BITS) + (i & (TILE - 1));
        const level = node < 0 ? virgin : now!.fields.level[node];
        local.set([x, y, level]);
        frame.placeOutOf(local, world);
        vertices.set(world, 3 * v);
        if (show === 'sinkage') values[v] = virgin - level;
        else values[v] = node < 0 ? 0 : now!.fields[show][node];
      }
  };
  const triangles: number[] = [];
  for (let b = 0; b < ny; b++)
    for (let a = 0; a < nx; a++) {
      const k = b * (nx + 1) + a;
      triangles.push(k, k + 1, k + nx + 2, k, k + nx + 2, k + nx + 1);
    }
  return {
    triangles,
    vertices: () => {
      refresh();
      return vertices;
    },
    values: () => values,
    ...QUANTITIES[show],
    colour: [0.76, 0.67, 0.53, 1],
  };
}
