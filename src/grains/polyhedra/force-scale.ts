/**
 * S_F, the scale that contact forces are rounded to: multiples of 2⁻⁵⁰ S_F, so that sums are exact and do not depend on their order. It is a power of two, 16 times
 * what a first guess makes of the largest force: the fastest grain, after a fall through the height of the scene, flat on its largest face,
 *
 *   F = v √(K A m)
 *
 * and is raised in the run before a force comes near it.
 */
import { norm, sub, type Vec3 } from '../../math/vec3.js';
import { LAW_LENGTH } from './contact-parameters.js';
import type { GrainBody } from './grain-arrays.js';

/** The least power of two ≥ x > 0. */
export function powerOfTwo(x: number): number {
  let power = 1;
  while (power < x) power *= 2;
  while (0.5 * power >= x) power *= 0.5;
  return power;
}

/** S_F, N, and a length no lever exceeds, m. @param around places where grains come from, m */
export function forceScale(
  bodies: readonly GrainBody[],
  gravity: Vec3,
  laws: Float64Array,
  around: readonly Vec3[] = [],
): { readonly scale: number; readonly reach: number } {
  let stiffest = 0;
  for (let at = 0; at < laws.length; at += LAW_LENGTH) stiffest = Math.max(stiffest, laws[at]);
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = low.map((x) => -x);
  let [largest, heaviest, fastest] = [0, 0, 0];
  const see = (position: Vec3, reach: number): void => {
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], position[k] - reach);
      high[k] = Math.max(high[k], position[k] + reach);
    }
  };
  for (const point of around) see(point, 0);
  for (const { shape, density, position, velocity, absent = false } of bodies) {
    if (!absent) see(position, shape.radius < Number.POSITIVE_INFINITY ? shape.radius : 0);
    if (!(density < Number.POSITIVE_INFINITY)) continue;
    largest = Math.max(largest, shape.radius);
    heaviest = Math.max(heaviest, density * shape.volume);
    if (velocity) fastest = Math.max(fastest, norm(velocity));
  }
  const extent = norm(sub([high[0], high[1], high[2]], [low[0], low[1], low[2]]));
  const speed = fastest + Math.sqrt(2 * norm(gravity) * extent) + 0.01;
  const force = speed * Math.sqrt(stiffest * Math.PI * largest * largest * heaviest);
  return { scale: powerOfTwo(16 * Math.max(force, heaviest * norm(gravity), 1e-9)), reach: 4 * extent };
}
