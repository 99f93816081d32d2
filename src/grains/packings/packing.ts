/**
 * Making packings, the same from the same seed: on a lattice, at random to a fraction, poured, or where the user says. Grains that would be in a wall or in one
 * another are left out of lattices and tried elsewhere at random; where the user gives places they are refused.
 */
import { ModelError } from '../../errors.js';
import { PI, pow } from '../../math/elementary.js';
import { multiply, type Quaternion, rotate } from '../../math/quaternion.js';
import { type Random, random } from '../../math/random.js';
import { norm, type Vec3 } from '../../math/vec3.js';
import { LATTICE, type Packing } from '../../model/grains.js';
import type { NewGrain } from '../bed.js';
import type { Clearance } from '../clearance.js';
import { type SizedSpecies, type Sizes, sizesOf } from '../grain-sizes.js';
import { Neighbourhood } from '../neighbourhood.js';
import { limitsOf, type Region, regionOf, throughOf } from '../region.js';
import type { GrainShape } from '../shapes/grain-shape.js';
import { grown, poured, type Surroundings } from './relaxed-packing.js';
import { clearOfShapes } from './shape-clearance.js';
import { grownShapes, pouredShapes, type ShapeSurroundings, touching } from './shape-scene.js';

export interface PackingPlace {
  readonly path: string;
  readonly packing: Packing;
  readonly species: SizedSpecies;
  readonly kind: number;
  readonly seed: string;
  /** Part of the ball about it that a grain fills; 1 unless given */
  readonly fill?: number;
  /** Where some grains are no balls: form and orientation of grain i of this radius. What they are in, where they are given, is found by their shapes once all are there. */
  readonly turned?: ((i: number, radius: number) => Turned) | undefined;
}

type Turned = { readonly form: number; readonly orientation: Quaternion };

export interface PackingSurroundings extends Surroundings {
  /** Grains of earlier packings */
  readonly others: readonly NewGrain[];
  /** What shapes are packed among by their own form */
  readonly shapes?: ShapeSurroundings | undefined;
}

/** Tries for each grain of a random packing before it counts as full */
const TRIES = 400;

/**
 * @param placed where grains of earlier packings are, `surroundings.others` these grains themselves
 * @throws ModelError if the packing cannot be reached, with the fraction that can
 */
export function packed(
  place: PackingPlace,
  placed: Neighbourhood,
  free: Clearance,
  surroundings: PackingSurroundings,
): NewGrain[] {
  const { packing, path } = place;
  const stream = random(place.seed);
  const sizes = sizesOf(place.species.radius, stream.fork('sizes'));
  const grain = (position: Vec3, radius: number): NewGrain => ({
    position,
    radius,
    kind: place.kind,
    density: place.species.material.density,
    ...(packing.velocity && { velocity: packing.velocity }),
  });
  if (packing.arrangement === 'given') {
    return packing.at!.map(([x, y, z, r], i) => {
      const radius = r ?? sizes.draw();
      if (!(radius > 0)) throw new ModelError(`${path}.at[${i}]`, `expected a radius > 0 m, got ${radius}`);
      if (place.turned) {
        placed.add(x, y, z, radius);
        return grain([x, y, z], radius);
      }
      if (!free(x, y, z, radius * (1 - OVERLAP)))
        throw new ModelError(
          `${path}.at[${i}]`,
          `the grain at (${x}, ${y}, ${z}) m, radius ${radius} m, is in a wall; move it out`,
        );
      const other = placed.firstNear(x, y, z, radius, OVERLAP);
      if (other >= 0)
        throw new ModelError(
          `${path}.at[${i}]`,
          `the grain at (${x}, ${y}, ${z}) m, radius ${radius} m, is in the one at (${placed.at(other).join(', ')}) m; move them apart`,
        );
      placed.add(x, y, z, radius);
      return grain([x, y, z], radius);
    });
  }
  const region = regionOf(packing.region!);
  if (!(region.volume > 0))
    throw new ModelError(`${path}.region`, `expected a region with a volume > 0 m³, got ${region.volume}`);
  const { fill = 1 } = place;
  const each = (4 / 3) * PI * sizes.meanCube * fill;
  const wanted =
    packing.fraction !== undefined ? Math.floor((packing.fraction * region.volume) / each + 1e-9) : packing.count;
  const all: NewGrain[] = [];
  let besideOthers = 0;
  const canStand = (x: number, y: number, z: number, radius: number): boolean => {
    if (!free(x, y, z, radius)) return false;
    if (placed.firstNear(x, y, z, radius, 0) < 0) return true;
    besideOthers++;
    return false;
  };
  const kept = (grains: readonly NewGrain[]): NewGrain[] => {
    for (const { position, radius } of grains) placed.add(...position, radius);
    return [...grains];
  };
  const put = (x: number, y: number, z: number, radius: number): boolean => {
    if (!canStand(x, y, z, radius)) return false;
    placed.add(x, y, z, radius);
    all.push(grain([x, y, z], radius));
    return true;
  };
  const { arrangement } = packing;
  if (
    arrangement === 'poured' ||
    (arrangement === 'random' && (wanted ?? 0) * each > SCATTERED * fill * region.volume)
  ) {
    const count = wanted ?? Math.floor((POURED * fill * region.volume) / each);
    return kept(dense(place, count, sizes, region, stream, free, grain, surroundings));
  }
  if (packing.arrangement === 'random') {
    const whole = (x: number, y: number, z: number, r: number): boolean =>
      holdsThrough(region, x, y, z, r, surroundings.period) && canStand(x, y, z, r);
    const near = new Neighbourhood(2 * sizes.greatest, surroundings.period);
    scatter(region, wanted ?? Number.POSITIVE_INFINITY, sizes.draw, stream.fork('places'), (x, y, z, r) => {
      if (!whole(x, y, z, r) || near.firstNear(x, y, z, r, 0) >= 0) return false;
      near.add(x, y, z, r);
      all.push(grain([x, y, z], r));
      return true;
    });
    // a region that is narrow for its grains: they are moved within it
    if (wanted !== undefined && all.length < wanted)
      return kept(dense(place, wanted, sizes, region, stream, free, grain, surroundings, NARROW));
    for (const { position, radius } of all) placed.add(...position, radius);
  } else if (place.turned && packing.orientation && surroundings.shapes) {
    const on = shapedLattice(place, region, sizes, stream.fork('places'), free, grain, surroundings);
    all.push(...kept(on.slice(0, wanted)));
  } else
    lattice(
      region,
      wanted ?? Number.POSITIVE_INFINITY,
      sizes.greatest,
      packing,
      sizes.draw,
      stream.fork('places'),
      put,
    );
  if (all.length === 0)
    throw new ModelError(
      path,
      besideOthers > 0
        ? 'no grain fits into its region, for grains of earlier packings are there; keep their regions apart'
        : 'no grain fits into its region; is it inside a wall, or too small?',
    );
  if (wanted !== undefined && all.length < wanted)
    refuseShort(
      place,
      wanted,
      all.length,
      solidOf(all) / region.volume,
      packing.arrangement === 'random'
        ? 'make the region larger'
        : 'make the region larger or the spacing smaller, or take arrangement "random", which reaches about 0.6',
    );
  return all;
}

/** Whether a ball is in the region; what sticks out along a periodic axis that the region fills comes in on the other side. */
function holdsThrough(
  region: Region,
  x: number,
  y: number,
  z: number,
  radius: number,
  period: Surroundings['period'],
): boolean {
  const { low, high } = region;
  const through = throughOf(region, period);
  const inward = (at: number, k: number): number =>
    through[k] ? Math.max(low[k] + radius, Math.min(high[k] - radius, at)) : at;
  return region.holds(inward(x, 0), inward(y, 1), inward(z, 2), radius);
}

const solidOf = (grains: readonly NewGrain[]): number =>
  grains.reduce((sum, { radius }) => sum + (4 / 3) * PI * radius * radius * radius, 0);

function refuseShort(
  { path, packing, fill = 1 }: PackingPlace,
  wanted: number,
  got: number,
  fraction: number,
  remedy: string,
): never {
  throw new ModelError(
    path,
    `expected ${wanted} grains${packing.fraction !== undefined ? ` (a fraction of ${packing.fraction})` : ''}, but ` +
      `${got < wanted ? `only ${got} fit, ` : 'they overlap beyond '}a fraction of ${(fill * fraction).toPrecision(3)} of the region; ${remedy}`,
  );
}

/** Fractions of the region that seeds take, tried in turn; and of what they are to take, where they do not stand at random places in their full size, or stand among shapes */
const SEEDS = [0.25, 0.15, 0.05];
const NARROW = [0.5, 0.25, 0.1];
const AMONG = [1, 0.3, 0.1, 0.03];

/** Denser than random places reach: grown to their sizes, or let sink */
function dense(
  place: PackingPlace,
  count: number,
  sizes: Sizes,
  region: Region,
  stream: Random,
  free: Clearance,
  grain: (position: Vec3, radius: number) => NewGrain,
  surroundings: PackingSurroundings,
  narrow?: readonly number[],
): readonly NewGrain[] {
  const { packing, path } = place;
  if (count < 1) throw new ModelError(path, 'no grain fits into its region; is it too small?');
  const radii = Array.from({ length: count }, () => sizes.draw());
  const solid = radii.reduce((sum, r) => sum + (4 / 3) * PI * r * r * r, 0);
  const limits = limitsOf(packing.region!, throughOf(region, surroundings.period));
  const { others, shapes } = surroundings;
  let among = false;
  const greatest = others.reduce((most, { radius }) => Math.max(most, radius), sizes.greatest);

  // Seeds: the same grains, smaller, at random places that are free
  let seeds: NewGrain[] = [];
  let scale = 1;
  const sow = (
    fraction: number,
    beside: readonly NewGrain[],
    clear: (x: number, y: number, z: number, radius: number, scale: number) => boolean,
  ): boolean => {
    scale = Math.min(1, cbrt((fraction * region.volume) / solid));
    const near = new Neighbourhood(2 * greatest, surroundings.period);
    for (const { position, radius } of beside) near.add(...position, radius);
    seeds = [];
    let next = 0;
    const put = (x: number, y: number, z: number, r: number): boolean => {
      if (place.turned && !region.holds(x, y, z, r * scale)) return false;
      if (!clear(x, y, z, r, scale) || near.firstNear(x, y, z, r * scale, 0) >= 0) return false;
      near.add(x, y, z, r * scale);
      seeds.push(grain([x, y, z], r));
      return true;
    };
    scatter(region, count, () => radii[next++], stream.fork(`places ${fraction}`), put);
    return seeds.length === count;
  };
  const tight = crowded(others, surroundings.period);
  const sown =
    !(shapes && tight) &&
    (narrow?.map((part) => (part * solid) / region.volume) ?? SEEDS).some((fraction) =>
      sow(fraction, others, (x, y, z, r, own) => free(x, y, z, r * own)),
    );
  // Among shapes there is room that the balls about them take: best where all of a seed will have room
  if (!sown && shapes && others.length > 0) {
    const clear = clearOfShapes(others, shapes.forms, greatest, surroundings.period);
    const sownAmong = (least: number): boolean =>
      AMONG.some((part) =>
        sow((part * solid) / region.volume, [], (x, y, z, r, own) => {
          const reach = r * Math.max(own, least);
          return clear(x, y, z, reach) && free(x, y, z, reach);
        }),
      );
    among = sownAmong(1) || sownAmong(0);
  }
  if (seeds.length < count)
    refuseShort(
      place,
      count,
      seeds.length,
      solidOf(seeds) / region.volume,
      others.length > 0
        ? 'the rest of the region is inside walls or taken by earlier packings; ask for less, or keep their regions apart'
        : 'most of the region is inside walls',
    );
  const { turned } = place;
  const { walls, gravity, told } = surroundings;
  const byForm = turned && shapes ? { turned, shapes } : undefined;
  let { grains, scale: reached } =
    byForm && scale < 1 && (among || tight || solid > BALLS * region.volume)
      ? { grains: seeds, scale: 0 }
      : scale < 1
        ? grown(seeds, others, limits, surroundings, scale)
        : { grains: seeds, scale: 1 };
  if (byForm && reached < 1) {
    const turning = packing.orientation === undefined;
    seeds = seeds.map((seed, i) => ({ ...seed, ...byForm.turned(i, seed.radius) }));
    ({ grains, scale: reached } = grownShapes(
      seeds,
      others,
      packing.region!,
      walls,
      byForm.shapes,
      scale,
      turning,
      told,
    ));
  }
  if (reached < 1)
    refuseShort(
      place,
      count,
      count,
      (solid * reached * reached * reached) / region.volume,
      byForm
        ? 'cubes reach about 0.65 at random, long and hollow shapes less; ask for less, or make the region larger'
        : 'grains of one size reach about 0.64 far from walls and less beside them; ask for less, or make the region larger',
    );
  if (packing.arrangement === 'random') return grains;
  if (!(norm(gravity) > 0))
    throw new ModelError(path, 'grains are poured by gravity, and there is none; take arrangement "random"');
  if (byForm) {
    const loose = grains.map((own, i) => (own.orientation ? own : { ...own, ...byForm.turned(i, own.radius) }));
    return pouredShapes(loose, others, packing.region!, walls, byForm.shapes, gravity, told);
  }
  return poured(grains, others, limits, surroundings).map(({ position, radius }) => grain(position, radius));
}

const cbrt = (x: number): number => pow(x, 1 / 3);

/** Random places are tried up to this fraction; what is poured begins at the other unless a count is given. */
const SCATTERED = 0.3;
const POURED = 0.5;

/** Balls about grains are packed up to this fraction; shapes that are to be denser, by their own form */
const BALLS = 0.55;

/** Grains that were given where they lay pressed against each other are not refused, m/m */
export const OVERLAP = 2e-2;

/** Whether balls about grains are in one another, as those of shapes that were packed by their form are */
function crowded(grains: readonly NewGrain[], period: Surroundings['period']): boolean {
  const greatest = grains.reduce((most, { radius }) => Math.max(most, radius), 0);
  const near = new Neighbourhood(2 * greatest, period);
  return grains.some(({ position, radius }) => {
    if (near.firstNear(...position, radius, OVERLAP) >= 0) return true;
    near.add(...position, radius);
    return false;
  });
}

/** Layers of squares, from the low corner up; `put` says whether it had room. */
function lattice(
  region: Region,
  wanted: number,
  radius: number,
  { spacing = LATTICE.spacing, jitter = LATTICE.jitter }: Packing,
  draw: () => number,
  stream: Random,
  put: (x: number, y: number, z: number, r: number) => boolean,
): void {
  const pitch = 2 * radius * spacing;
  const n = [0, 1, 2].map((k) => Math.floor((region.high[k] - region.low[k] - 2 * radius) / pitch + 1e-9) + 1);
  const start = [0, 1, 2].map((k) => 0.5 * (region.low[k] + region.high[k] - (n[k] - 1) * pitch));
  start[2] = region.low[2] + radius * (1 + 2 * jitter);
  const shift = (): number =>
    2 *
    radius *
    jitter *
    (stream.uniform() - 0.5) *
    (spacing > 1 ? Math.min(1, (spacing - 1) / Math.max(jitter, 1e-9)) : 0);
  // Nothing is shaken out of the bounds of the region
  const within = (at: number, axis: number, r: number): number =>
    Math.max(region.low[axis] + r, Math.min(region.high[axis] - r, at));
  let count = 0;
  for (let k = 0; k < n[2]; k++)
    for (let j = 0; j < n[1]; j++)
      for (let i = 0; i < n[0]; i++) {
        if (count >= wanted) return;
        const r = draw();
        const x = within(start[0] + i * pitch + shift(), 0, r);
        const y = within(start[1] + j * pitch + shift(), 1, r);
        const z = within(start[2] + k * pitch + shift(), 2, r);
        if (region.contains(x, y, z) && put(x, y, z, r)) count++;
      }
}

/** Grains that are turned alike, as close as their forms let them: cells of the largest extents along the axes, with those left out that are not wholly in the region, or in a wall. */
function shapedLattice(
  { turned, packing }: PackingPlace,
  region: Region,
  sizes: Sizes,
  stream: Random,
  free: Clearance,
  grain: (position: Vec3, radius: number) => NewGrain,
  { shapes, others, walls }: PackingSurroundings,
  kind = grain([0, 0, 0], 1).kind,
): NewGrain[] {
  const { spacing = LATTICE.spacing, jitter = Math.min(LATTICE.jitter, Math.max(0, spacing - 1)) } = packing;
  const forms = shapes!.forms[kind].shapes;
  const { orientation } = turned!(0, sizes.greatest);
  const extents = forms.map((shape) => extentsOf(shape, orientation));
  const side = [0, 1, 2].map((k) => sizes.greatest * Math.max(...extents.map(({ low, high }) => high[k] - low[k])));
  const n = side.map((a, k) => Math.floor((region.high[k] - region.low[k] - a) / (a * spacing) + 1e-9) + 1);
  const start = side.map((a, k) => 0.5 * (region.low[k] + region.high[k] - (n[k] - 1) * a * spacing));
  start[2] = Math.min(start[2], region.low[2] + side[2] * (0.5 + jitter));
  const all: NewGrain[] = [];
  for (let k = 0; k < n[2]; k++)
    for (let j = 0; j < n[1]; j++)
      for (let i = 0; i < n[0]; i++) {
        const r = sizes.draw();
        const own = turned!(all.length, r);
        const { low, high } = extents[own.form];
        const position = [i, j, k].map((cell, axis) => {
          const half = 0.5 * r * (high[axis] - low[axis]);
          const at = start[axis] + cell * side[axis] * spacing + side[axis] * jitter * (stream.uniform() - 0.5);
          const within = Math.max(region.low[axis] + half, Math.min(region.high[axis] - half, at));
          return within - 0.5 * r * (low[axis] + high[axis]);
        }) as unknown as Vec3;
        if (region.contains(...position) && free(...position, 1e-6 * r)) all.push({ ...grain(position, r), ...own });
      }
  const bad = touching(all, others, packing.region, walls, shapes!, TOUCHING);
  return all.filter((_, i) => !bad.has(i));
}

/** What counts as touching, by the width of the thinner one */
const TOUCHING = 1e-6;

/** Bounds of a shape that is turned, from its centre of mass, m */
function extentsOf(
  { pieces, axes }: GrainShape,
  orientation: Quaternion,
): { readonly low: number[]; readonly high: number[] } {
  const turn = multiply(orientation, axes);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const see = (p: Vec3, reach: number): void => {
    const at = rotate(turn, p);
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], at[k] - reach);
      high[k] = Math.max(high[k], at[k] + reach);
    }
  };
  for (const { vertices, middle, radius } of pieces) {
    if (vertices.length === 0) see(middle, radius);
    for (let v = 0; v < vertices.length; v += 3) see([vertices[v], vertices[v + 1], vertices[v + 2]], 0);
  }
  return { low, high };
}

/** Random sequential addition: each at the first of its random places that is free */
function scatter(
  region: Region,
  wanted: number,
  draw: () => number,
  stream: Random,
  put: (x: number, y: number, z: number, r: number) => boolean,
): void {
  const [low, high] = [region.low, region.high];
  for (let count = 0; count < wanted; count++) {
    const r = draw();
    let found = false;
    for (let k = 0; k < TRIES && !found; k++) {
      const [x, y, z] = [0, 1, 2].map((axis) =>
        stream.uniformBetween(low[axis], Math.max(high[axis], low[axis] * (1 + 1e-15) + 1e-300)),
      );
      found = region.contains(x, y, z) && put(x, y, z, r);
    }
    if (!found) return;
  }
}
