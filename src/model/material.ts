/** A material: what a body is made of. Density gives its mass; the rest is for contact and for flexible bodies. */

import { notNegative, positive, real, shown } from './schema.js';
import * as z from './schema-kinds.js';

export const materialSchema = z
  .strictObject(
    {
      /** Finds measured values of pairs, see material-pairs.ts. */
      name: z.string().optional(),
      density: positive('a density', 'kg/m³'),
      youngsModulus: positive("Young's modulus", 'Pa').optional(),
      poissonRatio: real("Poisson's ratio", '')
        .gt(-1, { error: "expected Poisson's ratio > −1" })
        .lt(0.5, { error: "expected Poisson's ratio < 0.5; for rubber-like material take 0.49" })
        .optional(),
      /** Typical coefficient of restitution against a hard partner at about 1 m/s; used where a pair has none of its own. */
      restitution: notNegative('a coefficient of restitution', '')
        .max(1, { error: 'expected a coefficient of restitution ≤ 1' })
        .optional(),
      /** Typical coefficient of dry friction; used where a pair has none of its own. */
      friction: notNegative('a coefficient of friction', '').optional(),
    },
    {
      error: ({ input, code }) =>
        code === 'invalid_type'
          ? `expected a material such as steel (import { steel }), or { density: kg/m³ }, got ${shown(input)}`
          : undefined,
    },
  )
  .readonly();
export type Material = z.output<typeof materialSchema>;
