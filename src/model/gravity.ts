/** Gravity: uniform, towards a point mass, or a field of the user's own. */

import type { Vec3 } from '../math/vec3.js';
import { positive, userFunction, vector } from './schema.js';
import * as z from './schema-kinds.js';

/**
 * Uniform gravity along −z, m/s². Earth as in the Modelica Standard Library; Moon, Mars: surface values of NASA's planetary fact
 * sheets; Phobos: mean of a surface that varies between 0.004 and 0.007 m/s² (µ = 7.087e5 m³/s², mean radius 11.08 km).
 */
export const GRAVITY = { none: 0, earth: 9.81, moon: 1.62, mars: 3.71, phobos: 0.0057 } as const;

/** Gravitational parameters G M, m³/s² (Earth: IERS 2010; others: JPL). */
export const GRAVITATIONAL_PARAMETER = {
  earth: 3.986004418e14,
  moon: 4.9028e12,
  mars: 4.282837e13,
  phobos: 7.087e5,
} as const;

export const gravitySchema = z.union(
  [
    z.enum(Object.keys(GRAVITY) as [keyof typeof GRAVITY]),
    vector('an acceleration', 'm/s²'),
    z
      .strictObject({
        mu: positive('a gravitational parameter', 'm³/s²'),
        centre: vector('a position', 'm').optional(),
      })
      .readonly(),
    userFunction<(position: Vec3) => Vec3>('a function of position'),
  ],
  {
    error: () =>
      `expected ${Object.keys(GRAVITY).join(', ')}, an acceleration [x, y, z] in m/s², { mu, centre } of a point mass, or a function of position`,
  },
);
export type Gravity = z.output<typeof gravitySchema>;

/** Everything weighs, everywhere the same. */
export const isUniform = (gravity: Gravity): boolean =>
  typeof gravity === 'string'
    ? GRAVITY[gravity] > 0
    : Array.isArray(gravity) && gravity.some((component) => component !== 0);
