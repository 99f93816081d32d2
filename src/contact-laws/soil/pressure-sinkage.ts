/**
 * Pressure under a plate that sinks into soil, and what follows from it:
 *
 *   p = k zⁿ,   k = kc/b + kphi (Bekker) or (k1 + k2 b)/bⁿ (Reece)
 *
 *   p pressure, Pa; z sinkage, m; b smaller side of a rectangle or radius of a disc, m
 *
 * Passive earth pressure of a wall of height H pushed into the soil, force per width: ½ ρ g H² Kp + 2 c H √Kp, Kp = tan²(45° + φ/2)
 * (Rankine). Bekker (1969); Wong, Theory of Ground Vehicles (2008), ch. 2.
 */
import { ModelError } from '../../errors.js';
import { pow, tan } from '../../math/elementary.js';
import type { Soil } from '../../model/soil.js';

/** k for a contact of width b, N/m^(n+2). @param path of the soil, for errors */
export function sinkageModulus(soil: Soil, width: number, path = 'soil'): number {
  const { kc = 0, kphi = 0, reece, n } = soil;
  const k = reece ? (reece.k1 + reece.k2 * width) / pow(width, n) : kc / width + kphi;
  if (!(k > 0))
    throw new ModelError(
      path,
      reece
        ? `k1 + k2 b is ${k} for a contact ${width} m wide; expected more than 0`
        : `kc/b + kphi = ${kc}/${width} + ${kphi} = ${k} N/m^(n+2) for a contact ${width} m wide; expected more than 0: this soil is not for contacts so narrow`,
    );
  return k;
}

/** Pa */
export const platePressure = (soil: Soil, width: number, sinkage: number): number =>
  sinkage > 0 ? sinkageModulus(soil, width) * pow(sinkage, soil.n) : 0;

/** m */
export const plateSinkage = (soil: Soil, width: number, pressure: number): number =>
  pressure > 0 ? pow(pressure / sinkageModulus(soil, width), 1 / soil.n) : 0;

/** Elastic stiffness for unloading, Pa/m: as given, or 100 × the secant of the pressure curve at 5 cm */
export function elasticStiffness(soil: Soil, width: number): number {
  return soil.elasticStiffness ?? (100 * platePressure(soil, width, 0.05)) / 0.05;
}

/** tan²(45° + φ/2) */
export function passiveCoefficient(frictionAngle: number): number {
  const t = tan(Math.PI / 4 + frictionAngle / 2);
  return t * t;
}

/** ½ ρ g Kp, N/m³, and 2 c √Kp, N/m²: force per width of a wall of height H is H (weight H + cohesion) */
export function passivePressure(
  { density, cohesion, frictionAngle }: Soil,
  gravity: number,
): { readonly weight: number; readonly cohesion: number } {
  const K = passiveCoefficient(frictionAngle);
  return { weight: 0.5 * density * gravity * K, cohesion: 2 * cohesion * Math.sqrt(K) };
}

/** Force per width on a wall of height H that is pushed into the soil, N/m */
export function passiveForce(soil: Soil, gravity: number, height: number): number {
  const { weight, cohesion } = passivePressure(soil, gravity);
  return height * (weight * height + cohesion);
}
