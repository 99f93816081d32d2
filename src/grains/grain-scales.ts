/** Scales of a bed that are known before it moves: mean radius, the greatest force to expect, how far adhesion reaches. */
import { reducedModulus } from '../contact-laws/combination.js';
import { STRIDE } from '../kernels/index.js';
import { pow } from '../math/elementary.js';
import type { Vec3 } from '../math/vec3.js';
import type { GrainArrays } from './grain-arrays.js';
import type { GrainKind } from './grain-laws.js';

/** The least power of two ≥ x */
export function powerAbove(x: number): number {
  let power = 1;
  while (power < x) power *= 2;
  while (power / 2 >= x && power > 1e-300) power /= 2;
  return power;
}

/** m; 1 mm where there are no grains yet */
export function meanRadius(arrays: GrainArrays, count: number): number {
  const x = arrays.floats('grains');
  let sum = 0;
  for (let i = 0; i < count; i++) sum += x[4 * i + 3];
  return count > 0 ? sum / count : 1e-3;
}

/**
 * Hertz's peak force of the fastest impact that is expected, N; a start, the scale follows.
 *
 * @param fastest m/s; of the grains and of a fall through their height where it is not given
 */
export function expectedForce(
  arrays: GrainArrays,
  count: number,
  greatestRadius: number,
  kinds: readonly GrainKind[],
  gravity: Vec3,
  fastest: number | undefined,
): number {
  const x = arrays.floats('grains');
  const v = arrays.floats('motion');
  let speed = fastest ?? 0;
  let mass = 0;
  const size = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
  let [low, high] = [0, 0];
  for (let i = 0; i < count; i++) {
    const along = size > 0 ? (gravity[0] * x[4 * i] + gravity[1] * x[4 * i + 1] + gravity[2] * x[4 * i + 2]) / size : 0;
    low = i === 0 ? along : Math.min(low, along);
    high = i === 0 ? along : Math.max(high, along);
    const [a, b, c] = [v[8 * i], v[8 * i + 1], v[8 * i + 2]];
    if (fastest === undefined) speed = Math.max(speed, Math.sqrt(a * a + b * b + c * c));
    mass = Math.max(mass, 1 / v[8 * i + 3]);
  }
  speed = Math.max(speed, Math.sqrt(2 * size * (high - low + 2 * greatestRadius)), 1e-3);
  let modulus = 0;
  for (const a of kinds)
    for (const b of kinds) if (!(a.wall && b.wall)) modulus = Math.max(modulus, reducedModulus(a, b));
  if (!(mass > 0)) return 1;
  const k = (4 / 3) * modulus * Math.sqrt(Math.max(greatestRadius, 1e-9));
  const depth = pow((1.25 * mass * speed * speed) / k, 0.4);
  return k * depth * Math.sqrt(depth);
}

/** How far an adhesive contact of the largest grains is drawn out before it parts, m */
export function reachOfAdhesion(arrays: GrainArrays, pairs: number, greatestRadius: number): number {
  const laws = arrays.floats('laws');
  let reach = 0;
  for (let k = 0; k < pairs; k++) {
    const c = laws[STRIDE.law * k + 11];
    if (c > 0) reach = Math.max(reach, 0.75 * c * pow((c * greatestRadius) / 4, 1 / 3));
  }
  return reach;
}
