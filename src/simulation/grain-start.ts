/** What a run of grains starts from: gravity, places of walls, periods, the fastest impact to expect. */
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import type { NewGrain } from '../grains/bed.js';
import type { GrainPlan } from '../grains/grain-plan.js';
import { sizesOf } from '../grains/grain-sizes.js';
import { regionOf } from '../grains/region.js';
import type { WallPose } from '../grains/wall-arrays.js';
import { fromQuaternion, type Mat3, multiply } from '../math/mat3.js';
import { random } from '../math/random.js';
import { norm, type Vec3 } from '../math/vec3.js';

export function uniformGravity({ system }: MechanicalSystem): Vec3 {
  if (system.gravity.kind === 'uniform') return system.gravity.acceleration;
  throw new ModelError(
    'gravity',
    'grains need gravity that is the same everywhere; expected a vector in m/s², or a planet',
  );
}

/** Where a body's frame is and how it moves, where the carriers are */
export function poseOf({ carriers, system }: MechanicalSystem, name: string): WallPose {
  const { anchor } = system.bodies.find((body) => body.name === name)!;
  const c = carriers.indexOf(anchor);
  const own = [...carriers.rotation.subarray(9 * c, 9 * c + 9)] as unknown as Mat3;
  const lever = [0, 1, 2].map(
    (k) => own[3 * k] * anchor.position[0] + own[3 * k + 1] * anchor.position[1] + own[3 * k + 2] * anchor.position[2],
  );
  const w = carriers.twist.subarray(6 * c, 6 * c + 6);
  return {
    rotation: multiply(own, fromQuaternion(anchor.orientation)),
    position: lever.map((l, k) => carriers.position[3 * c + k] + l),
    velocity: [0, 1, 2].map((k) => {
      const [m, n] = [(k + 1) % 3, (k + 2) % 3];
      return w[3 + k] + w[m] * lever[n] - w[n] * lever[m];
    }),
    angularVelocity: [w[0], w[1], w[2]],
  };
}

export function periodOf(
  given: { x?: unknown; y?: unknown; z?: unknown } | undefined,
): { low: Vec3; length: Vec3 } | undefined {
  if (!given) return undefined;
  const ranges = [given.x, given.y, given.z] as (readonly [number, number] | undefined)[];
  return {
    low: ranges.map((range) => range?.[0] ?? 0) as unknown as Vec3,
    length: ranges.map((range) => (range ? range[1] - range[0] : 0)) as unknown as Vec3,
  };
}

/** Velocities that are written, free fall through the height there is, and walls that move */
export function expectedSpeed(
  { grains, species }: GrainPlan,
  start: readonly NewGrain[],
  walls: readonly { readonly pose: WallPose; readonly farthest: number }[],
  gravity: Vec3,
): number {
  let speed = 0;
  for (const { velocity } of start) if (velocity) speed = Math.max(speed, norm(velocity));
  for (const { velocity } of Object.values(grains.inlets ?? {})) if (velocity) speed = Math.max(speed, norm(velocity));
  for (const { pose, farthest } of walls)
    if (farthest < Number.POSITIVE_INFINITY)
      speed = Math.max(
        speed,
        norm([pose.velocity[0], pose.velocity[1], pose.velocity[2]]) +
          farthest * norm([pose.angularVelocity[0], pose.angularVelocity[1], pose.angularVelocity[2]]),
      );
  const g = norm(gravity);
  if (g > 0) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const see = (p: ArrayLike<number>): void => {
      const along = (p[0] * gravity[0] + p[1] * gravity[1] + p[2] * gravity[2]) / g;
      low = Math.min(low, along);
      high = Math.max(high, along);
    };
    for (const { position } of start) see(position);
    for (const { region } of Object.values(grains.inlets ?? {})) {
      const bounds = regionOf(region);
      see(bounds.low);
      see(bounds.high);
    }
    for (const { pose } of walls) see(pose.position);
    let radius = 0;
    for (const [, { radius: given }] of species) radius = Math.max(radius, sizesOf(given, random(0)).greatest);
    speed = Math.max(speed, Math.sqrt(2 * g * (Math.max(0, high - low) + 2 * radius)));
  }
  return Math.max(speed, 1e-3);
}
