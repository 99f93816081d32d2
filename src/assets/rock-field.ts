/**
 * Rocks strewn over a surface by a statistic of their sizes: the largest first, each at a random place that keeps its distance from those
 * before it, sunk into the ground by a part of its height, turned by chance, leaning with the ground as far as is asked.
 * A field has a library of some shapes, each used many times at different scales, so that files stay small.
 *
 * Buse et al. (2023), §3.2: one file of all rocks for static ones, places and single rocks for those that move.
 */
import { ModelError } from '../errors.js';
import { meshBounds, type TriangleMesh } from '../geometry/triangle-mesh.js';
import { atan2, cos, sin } from '../math/elementary.js';
import { multiply, type Quaternion, rotate } from '../math/quaternion.js';
import { type Random, random } from '../math/random.js';
import type { Vec3 } from '../math/vec3.js';
import { type Asset, assetId, choice, type Filled, fill, type Given, number, whole } from './parameters.js';
import { type RockAsset, rock } from './rock.js';
import { poisson, SizeTable } from './rock-sizes.js';
import type { Terrain } from './terrain.js';

const VERSION = 1;

export const ROCK_FIELD_RULES = {
  statistic: choice(['golombek', 'powerLaw'], 'of the sizes'),
  coverage: number(0.05, 0.001, 0.4, '', 'part of the ground under rocks, k of golombek'),
  density: number(0.02, 0, 1000, '1/m²', 'rocks of at least 1 m on a square metre, N₁ of powerLaw'),
  exponent: number(3, 0.5, 6, '', 'p of powerLaw'),
  smallest: number(0.05, 0.001, 10, 'm', 'diameter'),
  largest: number(2, 0.002, 50, 'm', 'diameter'),
  length: number(20, 0.1, 1e4, 'm', 'of the field along x, centred on the origin'),
  width: number(20, 0.1, 1e4, 'm', 'of the field along y'),
  gap: number(0.02, 0, 10, '', 'free distance between rocks over the sum of their radii'),
  clear: number(0, 0, 1e3, 'm', 'radius about the origin that stays empty'),
  burial: number(0.3, 0, 0.9, '', 'part of the height that is under ground'),
  lean: number(1, 0, 1, '', '0 upright, 1 with the ground'),
  steepest: number(1.4, 0, 1.5, 'rad', 'slope of the ground on which rocks lie'),
  shapes: whole(16, 1, 64, 'different rocks in the library'),
  form: number(0.2, 0, 0.5, '', 'roughness of the form'),
  surface: number(0.05, 0, 0.2, '', 'roughness of the surface'),
  subdivision: whole(3, 2, 5, 'fineness of a rock: 10·4ⁿ + 2 vertices'),
  rockDensity: number(2700, 100, 20000, 'kg/m³', 'of the rocks'),
  seed: whole(0, 0, 2147483000, 'another seed, another field of the same kind'),
} as const;
export type RockFieldOptions = Given<typeof ROCK_FIELD_RULES>;
export type RockFieldParameters = Filled<typeof ROCK_FIELD_RULES>;

export interface PlacedRock {
  /** Index in the library, and how much larger than there: its diameter in m, for the library's rocks have 1 m */
  readonly shape: number;
  readonly diameter: number;
  readonly position: Vec3;
  readonly orientation: Quaternion;
  /** kg */
  readonly mass: number;
}

export interface RockFieldAsset extends Asset {
  readonly kind: 'field';
  readonly library: readonly RockAsset[];
  readonly rocks: readonly PlacedRock[];
  /** Drawn by the statistic, but no free place was found */
  readonly notPlaced: number;
  /** Mesh of one rock where it lies */
  readonly meshOf: (rock: PlacedRock) => TriangleMesh;
}

/** Part of the rocks' area that may stay without a place */
const MOST_NOT_PLACED = 0.005;
const TRIES = 200;

/**
 * @throws ModelError if more than 0.5 % of the rocks' area finds no place, telling how many were placed
 * @example const field = rockField(terrain({ layers: [{ kind: 'noise' }] }), { coverage: 0.05, length: 10, width: 10, seed: 1 });
 */
export function rockField(ground: Terrain, options: RockFieldOptions = {}): RockFieldAsset {
  const p = fill('rockField', ROCK_FIELD_RULES, options);
  if (!(p.largest > p.smallest))
    throw new ModelError(
      'rockField.largest',
      `expected more than the smallest diameter, ${p.smallest} m, got ${p.largest}`,
    );
  const parameters = { field: p, ground: ground.parameters };
  const id = assetId('field', VERSION, parameters);
  const draw = random(p.seed).fork('rock field');
  const library = rockLibrary(p, draw.fork('library'));
  const { placed, lost, lostArea, area } = placeRocks(p, library, ground, draw);
  if (lostArea > MOST_NOT_PLACED * area)
    throw new ModelError(
      'rockField.coverage',
      `only ${placed.length} of ${placed.length + lost} rocks found a free place on ${p.length} × ${p.width} m; expected fewer or smaller rocks, a smaller gap, or more room`,
    );
  return {
    kind: 'field',
    id,
    name: `field_${id}`,
    parameters,
    library,
    rocks: placed,
    notPlaced: lost,
    meshOf: (one) => placedMesh(library[one.shape], one),
  };
}

/** Rocks of mean plan diameter 1 m. Width 0.8 ± 0.1 of the length, height 0.3 to 0.6 of the diameter: Golombek et al. (2003) give about a half. */
function rockLibrary(p: RockFieldParameters, draw: Random): RockAsset[] {
  return Array.from({ length: p.shapes }, (_, k) => {
    const aspect = Math.min(1, Math.max(0.5, 0.8 + 0.1 * draw.normal()));
    const height = draw.uniformBetween(0.4, 0.6);
    const length = 2 / (1 + aspect);
    return rock({
      length,
      width: length * aspect,
      height,
      form: p.form,
      surface: p.surface,
      density: p.rockDensity,
      subdivision: p.subdivision,
      seed: (p.seed * 64 + k) % 2147483000,
    });
  });
}

function placeRocks(
  p: RockFieldParameters,
  library: readonly RockAsset[],
  ground: Terrain,
  draw: Random,
): { placed: PlacedRock[]; lost: number; lostArea: number; area: number } {
  const sizes = new SizeTable(p);
  const expected = sizes.number * p.length * p.width;
  if (expected > 2e6)
    throw new ModelError(
      'rockField',
      `about ${Math.round(expected)} rocks; expected fewer than 2 000 000: a larger smallest diameter or a smaller field`,
    );
  const count = poisson(expected, draw.fork('number'));
  const drawSize = draw.fork('sizes');
  const diameters = Float64Array.from({ length: count }, () => sizes.diameter(drawSize.uniform()))
    .sort()
    .reverse();
  const drawPlace = draw.fork('places');
  const grid = new Spacing(Math.max(2 * p.smallest, Math.min(p.largest, diameters[0] ?? p.largest)) * 1.2);
  const placed: PlacedRock[] = [];
  let [lost, lostArea, area] = [0, 0, 0];
  for (const diameter of diameters) {
    const shape = drawPlace.integer(library.length);
    const long = library[shape].parameters.length;
    const radius = (diameter * long) / 2;
    area += diameter * diameter;
    let found: readonly [number, number] | undefined;
    for (let attempt = 0; attempt < TRIES && !found; attempt++) {
      const x = drawPlace.uniformBetween(-p.length / 2, p.length / 2);
      const y = drawPlace.uniformBetween(-p.width / 2, p.width / 2);
      if (x * x + y * y < (p.clear + radius) * (p.clear + radius) && p.clear > 0) continue;
      if (!grid.free(x, y, radius, 1 + p.gap)) continue;
      if (p.steepest < 1.4 && slopeAt(ground, x, y) > p.steepest) continue;
      found = [x, y];
    }
    const yaw = drawPlace.uniformBetween(-Math.PI, Math.PI);
    if (!found) {
      lost++;
      lostArea += diameter * diameter;
      continue;
    }
    grid.add(found[0], found[1], radius);
    placed.push(settle(p, library[shape], shape, diameter, found, radius, yaw, ground));
  }
  return { placed, lost, lostArea, area };
}

function settle(
  p: RockFieldParameters,
  kind: RockAsset,
  shape: number,
  diameter: number,
  [x, y]: readonly [number, number],
  radius: number,
  yaw: number,
  ground: Terrain,
): PlacedRock {
  let lowest = ground.height(x, y);
  for (let k = 0; k < 8; k++) {
    const angle = (k * Math.PI) / 4;
    lowest = Math.min(lowest, ground.height(x + radius * cos(angle), y + radius * sin(angle)));
  }
  const up = ground.normal(x, y);
  const across = Math.sqrt(up[0] * up[0] + up[1] * up[1]);
  const tilt = p.lean * atan2(across, up[2]);
  const lean: Quaternion =
    across > 0
      ? [cos(tilt / 2), (0 - up[1] / across) * sin(tilt / 2), (up[0] / across) * sin(tilt / 2), 0]
      : [1, 0, 0, 0];
  const turn: Quaternion = [cos(yaw / 2), 0, 0, sin(yaw / 2)];
  const { min, max } = meshBounds(kind.solid.mesh);
  const height = (max[2] - min[2]) * diameter;
  return {
    shape,
    diameter,
    position: [x, y, lowest - p.burial * height - min[2] * diameter],
    orientation: multiply(lean, turn),
    mass: kind.properties.mass * diameter * diameter * diameter,
  };
}

function slopeAt(ground: Terrain, x: number, y: number): number {
  const up = ground.normal(x, y);
  return atan2(Math.sqrt(up[0] * up[0] + up[1] * up[1]), up[2]);
}

function placedMesh({ solid: { mesh } }: RockAsset, { diameter, position, orientation }: PlacedRock): TriangleMesh {
  const vertices = new Float64Array(mesh.vertices.length);
  for (let i = 0; i < vertices.length; i += 3) {
    const turned = rotate(orientation, [
      diameter * mesh.vertices[i],
      diameter * mesh.vertices[i + 1],
      diameter * mesh.vertices[i + 2],
    ]);
    for (let k = 0; k < 3; k++) vertices[i + k] = position[k] + turned[k];
  }
  return { vertices, triangles: mesh.triangles };
}

/** Circles by square cells, to find what is near */
class Spacing {
  private readonly cells = new Map<number, number[]>(); // x, y, r of each
  private readonly cell: number;
  constructor(cell: number) {
    this.cell = cell;
  }
  private key(i: number, j: number): number {
    return (i + 1048576) * 2097152 + j + 1048576;
  }
  free(x: number, y: number, r: number, factor: number): boolean {
    const [ci, cj] = [Math.floor(x / this.cell), Math.floor(y / this.cell)];
    for (let i = ci - 1; i <= ci + 1; i++)
      for (let j = cj - 1; j <= cj + 1; j++) {
        const list = this.cells.get(this.key(i, j));
        if (!list) continue;
        for (let k = 0; k < list.length; k += 3) {
          const [dx, dy, reach] = [x - list[k], y - list[k + 1], factor * (r + list[k + 2])];
          if (dx * dx + dy * dy < reach * reach) return false;
        }
      }
    return true;
  }
  add(x: number, y: number, r: number): void {
    const key = this.key(Math.floor(x / this.cell), Math.floor(y / this.cell));
    const list = this.cells.get(key);
    if (list) list.push(x, y, r);
    else this.cells.set(key, [x, y, r]);
  }
}
