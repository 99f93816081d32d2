/**
 * Soils: what a plate and a shear ring measure of them. Moduli are for sinkage z in m:
 *
 *   p = (kc/b + kphi) zⁿ        Bekker; b the smaller side of the plate
 *   p = (k1 + k2 b) (z/b)ⁿ      Reece, where `reece` is given instead
 *   τ = (c + p tan φ)(1 − e^(−j/K))   Janosi & Hanamoto
 */

import { ModelError } from '../errors.js';
import { pow } from '../math/elementary.js';
import { check, notNegative, positive, real } from './schema.js';
import * as z from './schema-kinds.js';

export const soilSchema = z
  .strictObject({
    name: z.string().optional(),
    /** N/m^(n+1); sets fitted to SCM may have it negative as long as kc/b + kphi > 0 */
    kc: real('a modulus of sinkage kc', 'N/m^(n+1)').optional(),
    /** N/m^(n+2) */
    kphi: real('a modulus of sinkage kphi', 'N/m^(n+2)').optional(),
    /** Reece's moduli: k1 Pa, k2 N/m³ */
    reece: z
      .strictObject({ k1: real('k1', 'Pa'), k2: real('k2', 'N/m³') })
      .readonly()
      .optional(),
    n: positive('an exponent of sinkage n', ''),
    cohesion: notNegative('a cohesion', 'Pa'),
    frictionAngle: notNegative('an angle of internal friction', 'rad').max(1.4, {
      error: ({ input }) => `expected an angle of internal friction below 1.4 rad, got ${input}; is it in degrees?`,
    }),
    /** K of Janosi & Hanamoto, m */
    shearLength: positive('a shear deformation modulus K', 'm'),
    density: positive('a density', 'kg/m³'),
    /** Unloading and reloading, Pa/m; unless given 100 × the secant of the pressure curve at 5 cm */
    elasticStiffness: positive('an elastic stiffness', 'Pa/m').optional(),
    /** Of the normal velocity, Pa s/m */
    damping: notNegative('a damping', 'Pa s/m').optional(),
    /** Slope to which loose soil slides, rad; the angle of friction unless given */
    reposeAngle: positive('an angle of repose', 'rad').optional(),
    /** Where the numbers come from */
    source: z.string().optional(),
  })
  .readonly();
export type Soil = z.output<typeof soilSchema>;
export type SoilOptions = z.input<typeof soilSchema>;

/** @example const mine = soil({ kc: 1400, kphi: 820e3, n: 1, cohesion: 170, frictionAngle: 0.61, shearLength: 0.0178, density: 1600 }); */
export const soil = (options: SoilOptions): Soil => check(soilSchema, options, 'soil');

/**
 * A soil whose moduli were found at 1 g, in another gravity: kc and kphi (k1 and k2) times (g/9.81)^a. Soil that bears by friction alone has a = 1, for
 * the weight that holds it together falls with g; a = 0 is the classical use of Bekker's moduli anywhere. What lies between is not known well:
 * one half is an assumption.
 *
 * @param gravity m/s²
 * @example const onMars = soilInGravity(SOILS['sand-azimi'], 3.71);
 */
export function soilInGravity(given: Soil, gravity: number, exponent = 0.5): Soil {
  if (!(gravity > 0)) throw new ModelError('soilInGravity.gravity', `expected more than 0 m/s², got ${gravity}`);
  if (!(exponent >= 0 && exponent <= 1))
    throw new ModelError('soilInGravity.exponent', `expected a number from 0 to 1, got ${exponent}`);
  const factor = pow(gravity / 9.81, exponent);
  const { kc, kphi, reece, elasticStiffness } = given;
  return {
    ...given,
    ...(kc !== undefined && { kc: factor * kc }),
    ...(kphi !== undefined && { kphi: factor * kphi }),
    ...(reece && { reece: { k1: factor * reece.k1, k2: factor * reece.k2 } }),
    ...(elasticStiffness !== undefined && { elasticStiffness: factor * elasticStiffness }),
  };
}
