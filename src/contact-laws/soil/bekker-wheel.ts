/**
 * Bekker's rigid wheel: forces from the sinkage alone, the arc replaced by a parabola.
 *
 *   N  = b k √(2r) z^(n + ½) (3 − n)/3                       load
 *   Rc = b k z^(n + 1)/(n + 1)                               compaction resistance
 *   Rb = b (½ ρ g z² Kp + 2 c z √Kp)                         bulldozing resistance
 *   H  = (b l c + N tan φ)[1 − K/(i l)(1 − e^(−i l/K))]      thrust;  l = r acos(1 − z/r) length of the contact
 *   T  = H r
 *
 *   z sinkage, m; i slip = 1 − v/(ω r); b width, r radius, m
 *
 * For z/r below 0.3: beyond that the parabola is 4 to 10 % off. Bekker (1969); Wong (2008), §2.4. Buse et al. (2023), §4.3.2.
 */
import { acos, exp, pow, tan } from '../../math/elementary.js';
import type { Soil } from '../../model/soil.js';
import { passiveForce, sinkageModulus } from './pressure-sinkage.js';

export interface WheelSize {
  /** Of the tread, m */
  readonly radius: number;
  readonly width: number;
}

export interface BekkerForces {
  /** N, all */
  readonly load: number;
  readonly thrust: number;
  readonly compaction: number;
  readonly bulldozing: number;
  readonly drawbarPull: number;
  /** N m */
  readonly torque: number;
}

/** Sinkage under a load W, m */
export function bekkerSinkage(soil: Soil, { radius, width }: WheelSize, load: number): number {
  const { n } = soil;
  const k = sinkageModulus(soil, width);
  return pow((3 * load) / ((3 - n) * width * k * Math.sqrt(2 * radius)), 2 / (2 * n + 1));
}

/** @param gravity m/s² */
export function bekkerForces(
  soil: Soil,
  wheel: WheelSize,
  sinkage: number,
  slip: number,
  gravity: number,
): BekkerForces {
  const { radius: r, width: b } = wheel;
  const { n, cohesion, frictionAngle, shearLength: K } = soil;
  if (!(sinkage > 0)) return { load: 0, thrust: 0, compaction: 0, bulldozing: 0, drawbarPull: 0, torque: 0 };
  const k = sinkageModulus(soil, b);
  const load = (b * k * Math.sqrt(2 * r) * pow(sinkage, n + 0.5) * (3 - n)) / 3;
  const compaction = (b * k * pow(sinkage, n + 1)) / (n + 1);
  const bulldozing = b * passiveForce(soil, gravity, sinkage);
  const length = r * acos(1 - Math.min(sinkage, 2 * r) / r);
  const thrust = (b * length * cohesion + load * tan(frictionAngle)) * meanShear((slip * length) / K);
  return { load, thrust, compaction, bulldozing, drawbarPull: thrust - compaction - bulldozing, torque: thrust * r };
}

/** 1 − (1 − e^−x)/x of shear that grows evenly to x over the contact; odd in x. */
export function meanShear(x: number): number {
  const a = Math.abs(x);
  const value = a < 1e-3 ? (a / 2) * (1 - a / 3) : 1 - (1 - exp(-a)) / a;
  return x < 0 ? -value : value;
}
