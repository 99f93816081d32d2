/**
 * Dense packings of grains with a shape, by their own form, with the engine that moves them in a run:
 *
 *   grown   grains at a fraction of their size grow to it while what overlaps is pushed apart without friction and turns (after Lubachevsky & Stillinger 1990, with soft contacts in
 *           place of events). Random packings jam at 0.64 to 0.67 for cubes, 0.6 to 0.64 for the other regular solids by experiment (Baker & Kudrolli 2010,
 *           doi 10.1103/PhysRevE.82.061304), a few per cent higher where nothing rubs (Jiao & Torquato 2011, doi 10.1103/PhysRevE.84.041309)
 *   poured  grains sink with their own laws, as in a viscous liquid, until they lie
 *   touching  who is in a wall, in others, or in one another, where they are put
 *
 * Walls of the model and the limits of the region hold them while they are made.
 */
import { conjugate, multiply } from '../../math/quaternion.js';
import { norm, type Vec3 } from '../../math/vec3.js';
import type { GrainRegion } from '../../model/grains.js';
import type { NewGrain } from '../bed.js';
import { imageWithin, type Period } from '../neighbourhood.js';
import { census } from '../polyhedra/census.js';
import type { GrainContact } from '../polyhedra/contact-parameters.js';
import { foundationStep, largestFace } from '../polyhedra/foundation-step.js';
import type { GrainBody } from '../polyhedra/grain-arrays.js';
import { bodiesFor } from '../polyhedra/grain-body.js';
import { RigidGrains } from '../polyhedra/rigid-grains.js';
import { poseQuaternion } from '../polyhedra/tool.js';
import { regionOf, throughOf } from '../region.js';
import type { GrainForms } from '../shapes/grain-forms.js';
import { type GrainShape, toolShape } from '../shapes/grain-shape.js';
import type { WallBody } from '../wall-arrays.js';
import { regionPieces } from './region-pieces.js';
import { growth, PER_LOOK, sinking, sinkingSteps, type Told } from './relaxed-packing.js';

/** What shapes are packed among */
export interface ShapeSurroundings {
  /** Of each species */
  readonly forms: readonly GrainForms[];
  /** Of each wall, as rigid grains touch it */
  readonly tools: readonly GrainShape[];
  readonly period: Period | undefined;
  /** How kinds touch: species, then walls */
  readonly contact: (a: number, b: number) => GrainContact;
}

export interface GrownShapes {
  readonly grains: readonly NewGrain[];
  /** Of the size that was wanted; 1 where it was reached */
  readonly scale: number;
}

/** V/|S| by the least width up to which grains go on growing; of a corner V/|S| is a third of its depth */
const GROWING = 8e-2;
const MOST_LOOKS = 2500;
const PATIENCE = 40; // looks without growth, or without less overlap
/** Sizes by the one that is wanted: where it is tried whether grains are apart; how far beyond they are pressed in between, in steps, to find denser places */
const BEYOND = 1.002;
const FURTHER = 0.02;
const FARTHEST = 1.082;
/** Trials without less overlap than before: so many, and more where they are cheap */
const TRIALS = 3;
const TRIALS_OF_FEW = 600; // by the number of grains

/** Bodies of a scene: walls, limits, others, all of which stay, then the grains */
interface Scene {
  readonly bodies: readonly GrainBody[];
  /** Number of the first grain */
  readonly first: number;
}

function sceneOf(
  grains: readonly NewGrain[],
  others: readonly NewGrain[],
  region: GrainRegion | undefined,
  walls: readonly WallBody[],
  { forms, tools, period }: ShapeSurroundings,
  limits: number,
): Scene {
  const fixed = { density: Number.POSITIVE_INFINITY } as const;
  const bodyFor = bodiesFor(forms);
  const bodies: GrainBody[] = walls.map(({ kind, pose }, w) => ({
    ...fixed,
    shape: tools[w],
    species: kind,
    position: [pose.position[0], pose.position[1], pose.position[2]],
    orientation: poseQuaternion(pose),
  }));
  const reach = grains.reduce((most, { radius }) => Math.max(most, radius), 0);
  if (region) {
    const shape = toolShape(regionPieces(region, reach, throughOf(regionOf(region), period)));
    bodies.push({ ...fixed, shape, species: limits, position: [0, 0, 0], orientation: [1, 0, 0, 0] });
  }
  for (const { velocity: _, spin: __, ...other } of others)
    for (const position of imagesOf(other, reach, period))
      bodies.push({ ...bodyFor({ ...other, position }), ...fixed });
  const first = bodies.length;
  for (const { velocity: _, spin: __, ...grain } of grains) bodies.push(bodyFor(grain));
  return { bodies, first };
}

/** Where one that stays is seen by grains of the period that reach over its borders: bodies of infinite density have no images of their own. @param reach radius of the largest, m */
function imagesOf({ position, radius }: NewGrain, reach: number, period: Period | undefined): readonly Vec3[] {
  if (!period) return [position];
  let all: Vec3[] = [[0, 0, 0]];
  for (let k = 0; k < 3; k++) {
    const [low, length] = [period.low[k], period.length[k]];
    const x = imageWithin(position[k], k, period);
    const places = [x];
    if (length > 0 && x + radius + reach > low + length) places.push(x - length);
    if (length > 0 && x - radius - reach < low) places.push(x + length);
    all = all.flatMap((at) => places.map((own) => at.map((c, axis) => (axis === k ? own : c)) as unknown as Vec3));
  }
  return all;
}

/** Where the grains of a scene are now */
function placesOf({ arrays }: RigidGrains, { bodies, first }: Scene, grains: readonly NewGrain[]): NewGrain[] {
  const [x, q] = [arrays.positions.view, arrays.orientations.view];
  return grains.map((grain, i) => {
    const at = 4 * (first + i);
    return {
      ...grain,
      position: [x[at], x[at + 1], x[at + 2]],
      orientation: multiply([q[at], q[at + 1], q[at + 2], q[at + 3]], conjugate(bodies[first + i].shape.axes)),
    };
  });
}

function slow({ arrays }: RigidGrains, first: number, factor: number): void {
  const [v, l] = [arrays.velocities.view, arrays.momenta.view];
  for (let b = first; b < arrays.bodyCount; b++)
    for (let k = 0; k < 3; k++) {
      v[8 * b + k] *= factor;
      l[4 * b + k] *= factor;
    }
}

/**
 * Pushes grains apart while they grow from `scale` of their size to all of it.
 *
 * @param seeds   places and orientations of grains of the size that is wanted; at `scale` of it they are apart
 * @param others  grains that do not give way
 * @param turning whether they may turn
 */
export function grownShapes(
  seeds: readonly NewGrain[],
  others: readonly NewGrain[],
  region: GrainRegion,
  walls: readonly WallBody[],
  shapes: ShapeSurroundings,
  scale: number,
  turning: boolean,
  told?: Told,
): GrownShapes {
  // All of them as heavy as their faces are stiff, so that small ones want no shorter steps: m = A r₁ for K = 1 N/m³, r₁ the largest radius
  const largest = seeds.reduce((most, { radius }) => Math.max(most, radius), 0);
  const like = seeds.map((seed) => ({ ...seed, kind: seed.kind, density: largest / seed.radius }));
  const kinds = shapes.forms.length + walls.length + 1;
  const scene = sceneOf(like, others, region, walls, shapes, kinds - 1);
  const { bodies, first } = scene;
  let fastest = 0;
  for (const { shape, density } of bodies.slice(first)) {
    const area = shape.pieces.reduce((most, piece) => Math.max(most, largestFace(piece)), shape.radius * shape.radius);
    fastest = Math.max(fastest, area / (density * shape.volume));
  }
  // Steps of flat contacts at first; what there are of contacts says more
  const shortest = 0.1 / Math.sqrt(fastest);
  const engine = new RigidGrains({
    bodies,
    contact: () => ({
      modulus: 1,
      restitution: 0.9,
      friction: 0,
      reducedModulus: largest,
      reducedShearModulus: largest,
    }),
    gravity: [0, 0, 0],
    step: shortest,
    ...(shapes.period && { period: shapes.period }),
  });
  const end = bodies.length;
  if (!turning) engine.arrays.inverseMoments.view.fill(0, 4 * first, 4 * end);
  engine.refusing = false;
  let now = scale;
  const resize = (to: number): void => {
    if (to !== now) engine.resize(first, end, to / now);
    now = to;
  };
  /** Whether nobody is in another at this size */
  const apart = (size: number): boolean => {
    const before = now;
    resize(size);
    engine.meet(0);
    const none = engine.touching === 0;
    resize(before);
    return none;
  };
  engine.resize(first, end, scale);
  engine.begin();
  const least = seeds.reduce((most, { radius }) => Math.min(most, radius), largest);
  const advance = (to: number, damping: number): void => {
    told?.(growth(seeds.length, now));
    engine.recording = true;
    engine.meet(0);
    engine.recording = false;
    const speed = Math.sqrt(fastestOf(engine, first));
    const h = Math.min(0.3 * census(engine.arrays).criticalStep, (0.02 * least * now) / speed, 50 * shortest);
    for (let k = 0; k < PER_LOOK; k++) {
      engine.drift(h);
      if (k === 0) resize(to);
      engine.meet(h);
    }
    slow(engine, first, damping);
  };
  /** Pushes apart what is still in one another near the size that is wanted. */
  const relax = (): boolean => {
    let [before, since] = [Number.POSITIVE_INFINITY, 0];
    for (let look = 0; look < MOST_LOOKS && since < PATIENCE; look++) {
      advance(BEYOND, 0.9);
      const { share } = engine.stepDeepest;
      since = share < 0.98 * before ? 0 : since + 1;
      before = Math.min(before, share);
      if (look % 5 === 0 && apart(1)) return true;
    }
    return false;
  };
  // Pressed beyond the size that is wanted and let go, again and again, as long as less overlap is left each time
  let done = false;
  let [left, since] = [Number.POSITIVE_INFINITY, 0];
  const trials = TRIALS + TRIALS_OF_FEW / seeds.length;
  for (let goal = BEYOND; !done && since < trials; goal = Math.min(FARTHEST, goal + FURTHER)) {
    let still = 0;
    for (let look = 0; look < MOST_LOOKS && now < goal && still < PATIENCE; look++) {
      const { share } = engine.stepDeepest;
      const next = share < GROWING ? Math.min(goal, now * (1 + 0.2 * (GROWING - share))) : now;
      still = next > now * (1 + 1e-5) ? 0 : still + 1;
      // What growing gives of motion goes, slowly: it shakes grains into denser places
      advance(next, 0.995);
    }
    if (now < BEYOND) break;
    done = relax();
    const { share } = engine.stepDeepest;
    since = share < 0.9 * left ? 0 : since + 1;
    left = Math.min(left, share);
  }
  // Jammed: the size at which they would be apart as they are
  let [low, high] = [scale, done ? scale : Math.min(now, 1)];
  for (let k = 0; !done && k < 20; k++) {
    const middle = 0.5 * (low + high);
    if (apart(middle)) low = middle;
    else high = middle;
  }
  const grains = placesOf(engine, scene, seeds);
  engine.close();
  return { grains, scale: done ? 1 : low };
}

/** Lets grains sink until they lie; velocities are damped with a time of two falls through a diameter. */
export function pouredShapes(
  seeds: readonly NewGrain[],
  others: readonly NewGrain[],
  region: GrainRegion,
  walls: readonly WallBody[],
  shapes: ShapeSurroundings,
  gravity: Vec3,
  told?: Told,
): readonly NewGrain[] {
  const { contact, forms, period } = shapes;
  const limits = forms.length + walls.length;
  const scene = sceneOf(seeds, others, region, walls, shapes, limits);
  const { bodies, first } = scene;
  const contactHere = (a: number, b: number): GrainContact => {
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    if (low >= forms.length) return { modulus: 1, restitution: 1, friction: 0 }; // two walls: never asked
    return high === limits ? { ...contact(low, low), friction: 0 } : contact(low, high);
  };
  const g = norm(gravity);
  let [least, greatest] = [Number.POSITIVE_INFINITY, 0];
  for (const { radius } of seeds) [least, greatest] = [Math.min(least, radius), Math.max(greatest, radius)];
  const { kind, density } = seeds[0];
  let h = Number.POSITIVE_INFINITY;
  for (const shape of forms[kind].shapes)
    for (let b = 0; b <= limits; b++) {
      const { modulus } = contactHere(kind, b);
      h = Math.min(h, foundationStep({ shape, least, greatest, density }, modulus, b >= forms.length));
    }
  const relaxation = 2 * Math.sqrt((2 * greatest) / g);
  const engine = new RigidGrains({ bodies, contact: contactHere, gravity, step: h, ...(period && { period }) });
  engine.refusing = false;
  engine.begin();
  const { steps, factor } = sinkingSteps(seeds, gravity, relaxation, h);
  for (let k = 0; k < steps; k++) {
    engine.drift(h);
    engine.meet(h);
    if (k % PER_LOOK > 0) continue;
    told?.(sinking(seeds.length, k / steps));
    slow(engine, first, factor);
    // Quiet: no grain would rise a thousandth of a radius
    if (engine.touching > 0 && fastestOf(engine, first) < 2e-3 * g * least) break;
  }
  const grains = placesOf(engine, scene, seeds);
  engine.close();
  return grains;
}

/** Square of the greatest speed of a centre of mass, m²/s² */
function fastestOf({ arrays }: RigidGrains, first: number): number {
  const v = arrays.velocities.view;
  let most = 0;
  for (let b = first; b < arrays.bodyCount; b++)
    most = Math.max(most, v[8 * b] * v[8 * b] + v[8 * b + 1] * v[8 * b + 1] + v[8 * b + 2] * v[8 * b + 2]);
  return most;
}

/**
 * Which grains are in something by more than `tolerance` of the thinner one's width, by number: in walls, limits or others, and of two that are in one another the later one.
 */
export function touching(
  grains: readonly NewGrain[],
  others: readonly NewGrain[],
  region: GrainRegion | undefined,
  walls: readonly WallBody[],
  shapes: ShapeSurroundings,
  tolerance: number,
): ReadonlySet<number> {
  const { forms } = shapes;
  const { bodies, first } = sceneOf(grains, others, region, walls, shapes, forms.length + walls.length);
  const engine = new RigidGrains({
    bodies,
    contact: () => ({ modulus: 1, restitution: 1, friction: 0, reducedModulus: 1, reducedShearModulus: 1 }),
    gravity: [0, 0, 0],
    step: 1,
    ...(shapes.period && { period: shapes.period }),
  });
  engine.refusing = false;
  engine.recording = true;
  engine.begin();
  const found = new Set<number>();
  const { records, pairCount, pairs, thinness } = engine.arrays;
  for (let pair = 0; pair < pairCount; pair++) {
    const depth = records.view[16 * pair + 14];
    if (!(records.view[16 * pair] > 0)) continue;
    const width = Math.min(thinness.view[pairs.view[2 * pair]], thinness.view[pairs.view[2 * pair + 1]]);
    if (!(depth > tolerance * width)) continue;
    const later = Math.max(...engine.bodiesOf(pair));
    if (later >= first) found.add(later - first);
  }
  engine.close();
  return found;
}
