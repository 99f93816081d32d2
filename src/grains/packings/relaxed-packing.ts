/**
 * Dense packings, made with the bed's own step and kernels, so the same from the same seed on every machine:
 *
 *   grown   grains at a fraction that random places reach grow to their size while what overlaps is pushed apart without friction
 *           (after Lubachevsky & Stillinger 1990, with soft contacts in place of events): up to about 0.64 for grains of one size, less where walls
 *           keep a layer in order and more for mixed sizes
 *   poured  grains sink with their own laws, as in a viscous liquid, until they lie; looser, with an upper surface
 *
 * Walls of the model and the limits of the region hold them while they are made.
 */
import { PI } from '../../math/elementary.js';
import { norm, type Vec3 } from '../../math/vec3.js';
import type { NewGrain } from '../bed.js';
import { impactStep } from '../critical-step.js';
import { GrainBed, type GrainBedOptions } from '../grain-bed.js';
import { powerAbove } from '../grain-scales.js';
import { AT_REST, type WallBody } from '../wall-arrays.js';
import type { WallFeatures } from '../wall-features.js';

/** Where a packing is made: what holds it, and what is there already */
export interface Surroundings {
  readonly walls: readonly WallBody[];
  readonly kinds: GrainBedOptions['kinds'];
  readonly lawOf: GrainBedOptions['lawOf'];
  readonly gravity: Vec3;
  readonly period?: NonNullable<GrainBedOptions['period']> | undefined;
  /** Hears how far it is */
  readonly told?: Told | undefined;
}

export type Told = (what: string) => void;

/** `400 grains grow, 62 % of the size`, then `400 grains have their size and are pushed apart` */
export const growth = (count: number, scale: number): string => {
  const [who, grow, have, are] =
    count === 1 ? ['grain', 'grows', 'has its', 'is'] : ['grains', 'grow', 'have their', 'are'];
  return scale < 1
    ? `${count} ${who} ${grow}, ${Math.round(100 * scale)} % of the size`
    : `${count} ${who} ${have} size and ${are} pushed apart`;
};

/** `400 grains sink until they lie, 12 % of the longest it takes` */
export const sinking = (count: number, part: number): string =>
  `${count} ${count === 1 ? 'grain sinks until it lies' : 'grains sink until they lie'}, ${Math.round(100 * part)} % of the longest it takes`;

export interface Grown {
  readonly grains: readonly NewGrain[];
  /** Of the radius that was wanted; 1 where it was reached */
  readonly scale: number;
}

/** Radii are grown this much beyond what is wanted, so that what the tolerance leaves of overlap is none at the size itself. */
const BEYOND = 1.001;
const TOLERANCE = 9e-4; // overlap by radius
const GROWING = 2e-2; // overlap by radius up to which grains go on growing
export const PER_LOOK = 8; // steps
const MOST_LOOKS = 2500;
const PATIENCE = 60; // looks without growth or a smaller overlap
const HEAVY = 1e12;

/**
 * Pushes grains apart while they grow from `scale` of their radius to all of it.
 *
 * @param seeds   places of grains whose radii are those wanted; at `scale` of them they are apart
 * @param others  grains that do not give way
 */
export function grown(
  seeds: readonly NewGrain[],
  others: readonly NewGrain[],
  limits: WallFeatures,
  { walls, period, told }: Surroundings,
  scale: number,
): Grown {
  // Unit masses and stiffness: h is a fifth of the critical step of a grain with twelve neighbours
  const h = 0.15;
  const kinds = [
    { name: 'grain', youngsModulus: 1, poissonRatio: 0.3 },
    { name: 'wall', youngsModulus: 1, poissonRatio: 0.3, wall: true },
  ];
  const bed = new GrainBed({
    kinds,
    lawOf: () => ({ restitution: 0.6, friction: 0, stiffness: 1 }),
    walls: [...walls.map((wall) => ({ ...wall, kind: 1 })), limitsOf(limits, 1)],
    ...(period && { period }),
  });
  const perVolume = (radius: number): number => 1 / ((4 / 3) * PI * radius * radius * radius);
  bed.add(seeds.map(({ position, radius }) => ({ position, radius, kind: 0, density: perVolume(radius) })));
  bed.add(others.map(({ position, radius }) => ({ position, radius, kind: 0, density: HEAVY * perVolume(radius) })));
  const resize = (factor: number): void => {
    const x = bed.arrays.floats('grains');
    const own = bed.arrays.ints('ids');
    for (let i = 0; i < bed.count; i++) if (own[i] < seeds.length) x[4 * i + 3] *= factor;
  };
  const wanted = Float64Array.from(seeds, ({ radius }) => radius);
  const greatest = wanted.reduce((most, r) => Math.max(most, r), 0);
  bed.forceScale = powerAbove(16 * greatest);
  let now = scale;
  resize(scale);
  bed.start();
  let goal = BEYOND;
  let least = Number.POSITIVE_INFINITY;
  let since = 0;
  for (let look = 0; look < MOST_LOOKS; look++) {
    told?.(growth(seeds.length, now));
    const deepest = Math.max(bed.facts.deepestPair, bed.facts.deepestWall);
    if (now === goal && deepest < TOLERANCE) break;
    let next = deepest < GROWING ? Math.min(goal, now * (1 + 0.2 * (GROWING - deepest))) : now;
    if (deepest < 0.98 * least) {
      least = deepest;
      since = 0;
    } else if (next > now) since = 0;
    else if (++since > PATIENCE) {
      // Jammed: what cannot be reached is given up, a little at a time
      goal = next = now * (1 - Math.max(5e-4, deepest / 4));
      least = Number.POSITIVE_INFINITY;
      since = 0;
    }
    for (let k = 0; k < PER_LOOK; k++) {
      bed.move(h);
      if (k === 0 && next !== now) {
        resize(next / now);
        bed.makeLists();
        now = next;
      }
      bed.evaluate(h);
    }
    // What growing gives of motion goes, slowly: it shakes grains into denser places
    slow(bed, now === goal ? 0.9 : 0.995);
  }
  const { deepestPair, deepestWall } = bed.facts;
  const reached =
    goal === BEYOND && now === goal && Math.max(deepestPair, deepestWall) < TOLERANCE
      ? 1
      : // At this size nobody overlaps: d ≥ s (r₁ + r₂) for δ ≤ f min(r₁, r₂), s = 1 − f/2; a wall takes all of it
        Math.min(1, now) * Math.min(1 - 0.5 * deepestPair, 1 - deepestWall);
  const x = bed.arrays.floats('grains');
  const grains: NewGrain[] = [];
  const places = bed.arrays.ints('ids');
  const at = new Int32Array(seeds.length);
  for (let i = 0; i < bed.count; i++) if (places[i] < seeds.length) at[places[i]] = i;
  seeds.forEach((seed, k) => {
    const o = 4 * at[k];
    grains.push({ ...seed, position: [x[o], x[o + 1], x[o + 2]], radius: wanted[k] });
  });
  bed.close();
  return { grains, scale: reached };
}

/** Steps of h in which grains fall through all the height there may be and come to rest, and what is left of velocities at each look. @param relaxation time of the damping, s */
export function sinkingSteps(
  seeds: readonly NewGrain[],
  gravity: Vec3,
  relaxation: number,
  h: number,
): { readonly steps: number; readonly factor: number } {
  const g = norm(gravity);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { position } of seeds) {
    const along = (position[0] * gravity[0] + position[1] * gravity[1] + position[2] * gravity[2]) / g;
    [low, high] = [Math.min(low, along), Math.max(high, along)];
  }
  return {
    steps: Math.ceil(((high - low) / (g * relaxation) + 40 * relaxation) / h),
    factor: 1 - Math.min(0.5, (PER_LOOK * h) / relaxation),
  };
}

/** Lets grains sink until they lie; velocities are damped with a time of two falls through a diameter. */
export function poured(
  seeds: readonly NewGrain[],
  others: readonly NewGrain[],
  limits: WallFeatures,
  { walls, kinds, lawOf, gravity, period, told }: Surroundings,
): readonly NewGrain[] {
  const g = norm(gravity);
  let [least, greatest] = [Number.POSITIVE_INFINITY, 0];
  for (const { radius } of seeds) [least, greatest] = [Math.min(least, radius), Math.max(greatest, radius)];
  const smooth = kinds.length;
  const lawHere: GrainBedOptions['lawOf'] = (a, b) =>
    b === smooth ? { ...lawOf(a, a), friction: 0, rollingFriction: 0, twistingFriction: 0 } : lawOf(a, b);
  const all = [...kinds, { ...kinds[seeds[0].kind], name: 'limits', wall: true }];
  const relaxation = 2 * Math.sqrt((2 * greatest) / g);
  const speed = g * relaxation;
  const bed = new GrainBed({
    kinds: all,
    lawOf: lawHere,
    walls: [...walls, limitsOf(limits, smooth)],
    gravity,
    fastest: speed,
    ...(period && { period }),
  });
  bed.add(seeds.map(({ velocity: _, ...seed }) => seed));
  bed.add(others);
  let h = Number.POSITIVE_INFINITY;
  for (const { kind, density } of seeds.slice(0, 1))
    all.forEach((partner, b) => {
      if (b < kinds.length && !partner.wall && b !== kind) return;
      const law = lawHere(Math.min(kind, b), Math.max(kind, b));
      h = Math.min(h, 2 * impactStep(all[kind], partner, law, least, density, speed).step);
    });
  bed.start();
  const { steps, factor } = sinkingSteps(seeds, gravity, relaxation, h);
  for (let k = 0; k < steps; k++) {
    bed.move(h);
    hold(bed, seeds.length, others);
    bed.evaluate(h);
    if (k % PER_LOOK > 0) continue;
    told?.(sinking(seeds.length, k / steps));
    slow(bed, factor);
    // Quiet: no grain would rise a thousandth of a radius
    if (bed.facts.pairs + bed.facts.wallContacts > 0 && fastest(bed, seeds.length) < 2e-3 * g * least) break;
  }
  const x = bed.arrays.floats('grains');
  const places = bed.arrays.ints('ids');
  const out: NewGrain[] = new Array(seeds.length);
  for (let i = 0; i < bed.count; i++)
    if (places[i] < seeds.length)
      out[places[i]] = { ...seeds[places[i]], position: [x[4 * i], x[4 * i + 1], x[4 * i + 2]] };
  bed.close();
  return out;
}

const limitsOf = (features: WallFeatures, kind: number): WallBody => ({
  name: 'region',
  kind,
  features,
  pose: AT_REST,
  farthest: 0,
});

/** Grains from the number `first` on stay where they are. */
function hold(bed: GrainBed, first: number, others: readonly NewGrain[]): void {
  if (others.length === 0) return;
  const [x, v, ids] = [bed.arrays.floats('grains'), bed.arrays.floats('motion'), bed.arrays.ints('ids')];
  for (let i = 0; i < bed.count; i++) {
    if (ids[i] < first) continue;
    x.set(others[ids[i] - first].position, 4 * i);
    for (let k = 0; k < 7; k++) if (k !== 3) v[8 * i + k] = 0;
  }
}

function slow(bed: GrainBed, factor: number): void {
  const v = bed.arrays.floats('motion');
  for (let i = 0; i < bed.count; i++) for (let k = 0; k < 7; k++) if (k !== 3) v[8 * i + k] *= factor;
}

/** Square of the greatest speed of the grains before the number `end`, m²/s² */
function fastest(bed: GrainBed, end: number): number {
  const v = bed.arrays.floats('motion');
  const ids = bed.arrays.ints('ids');
  let most = 0;
  for (let i = 0; i < bed.count; i++)
    if (ids[i] < end)
      most = Math.max(most, v[8 * i] * v[8 * i] + v[8 * i + 1] * v[8 * i + 1] + v[8 * i + 2] * v[8 * i + 2]);
  return most;
}
