/** What is drawn, as clouds of points and as spheres around them. */
import type { Vec3 } from '../../math/vec3.js';
import type { Scene } from '../../results/scene.js';
import type { Bodies } from './bodies.js';
import type { Grains } from './grains.js';
import type { Placement } from './placement.js';
import type { Surfaces } from './surfaces.js';

export interface Ball {
  readonly centre: Vec3;
  readonly radius: number;
}

/** Outermost points of all visible bodies, surfaces and ends of springs, 3 each, world, m. */
export function drawnPoints(
  scene: Scene,
  placement: Placement,
  bodies: Bodies,
  surfaces: Surfaces,
  grains: Grains,
): Float64Array[] {
  const ends = scene.springs.flatMap(({ from, to }) => [
    ...placement.point(from.body, from.position),
    ...placement.point(to.body, to.position),
  ]);
  const clouds = [bodies.outermost(), ...surfaces.points(), grains.points(), Float64Array.from(ends)];
  if (clouds.some(({ length }) => length > 0)) return clouds;
  // Nothing has a shape: the places of bodies are all there is
  const places = scene.bodies.flatMap(({ centreOfMass }, body) => [...placement.point(body, centreOfMass)]);
  return [Float64Array.from(places)];
}

/** The smallest ball about the middle of the box around all points; of radius 1 m if there is nothing, or a single point. */
export function ballAround(clouds: readonly Float64Array[]): Ball {
  const box = emptyBox();
  for (const cloud of clouds)
    for (let i = 0; i < cloud.length; i++) {
      const k = i % 3;
      if (cloud[i] < box[k]) box[k] = cloud[i];
      if (cloud[i] > box[3 + k]) box[3 + k] = cloud[i];
    }
  if (!(box[0] <= box[3])) return { centre: [0, 0, 0], radius: 1 };
  const [x, y, z] = [0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5])];
  let square = 0;
  for (const cloud of clouds)
    for (let i = 0; i < cloud.length; i += 3)
      square = Math.max(square, (cloud[i] - x) ** 2 + (cloud[i + 1] - y) ** 2 + (cloud[i + 2] - z) ** 2);
  return { centre: [x, y, z], radius: Math.sqrt(square) || 1 };
}

/** The point under the ball's centre at the height of the lowest point. */
export function floorUnder({ centre }: Ball, clouds: readonly Float64Array[], up: Vec3): Vec3 {
  let lowest = Infinity;
  for (const cloud of clouds)
    for (let i = 0; i < cloud.length; i += 3)
      lowest = Math.min(lowest, cloud[i] * up[0] + cloud[i + 1] * up[1] + cloud[i + 2] * up[2]);
  const height = centre[0] * up[0] + centre[1] * up[1] + centre[2] * up[2];
  const drop = Number.isFinite(lowest) ? height - lowest : 0;
  return [centre[0] - drop * up[0], centre[1] - drop * up[1], centre[2] - drop * up[2]];
}

/** A ball around all that is drawn now, stage lengths. Cheap enough for every frame. */
export function drawnBall({ origin, scale }: Placement, bodies: Bodies, surfaces: Surfaces, grains: Grains): Ball {
  box.fill(Infinity, 0, 3).fill(-Infinity, 3);
  bodies.addBounds(box);
  surfaces.addBounds(box);
  grains.addBounds(box);
  if (!(box[0] <= box[3])) return { centre: [0, 0, 0], radius: 1 };
  const middle = (k: number): number => scale * (0.5 * (box[k] + box[3 + k]) - origin[k]);
  const [x, y, z] = [box[3] - box[0], box[4] - box[1], box[5] - box[2]];
  return { centre: [middle(0), middle(1), middle(2)], radius: 0.5 * scale * Math.sqrt(x * x + y * y + z * z) };
}

/** Least x, y, z, greatest x, y, z */
const emptyBox = (): Float64Array => new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
const box = emptyBox();
