/** Forms of grains that are not balls: rocks, hewn blocks, polyhedra, concave ones of convex parts, clumps of balls. */

import type { Solid } from '../geometry/solid.js';
import { notNegative, positive, positiveWhole, real, shown, vector } from './schema.js';
import * as z from './schema-kinds.js';

const seed = z.union([z.number(), z.string()]).optional();

/** Of how many forms the grains of a species are; each grain is one of them, turned at random */
const variants = positiveWhole('a number of forms').optional();

const convex = z.union(
  [
    z
      .array(vector('a corner', 'm'))
      .min(4, { error: () => 'expected at least four corners in m' })
      .readonly(),
    z.custom<Solid>((value) => typeof value === 'object' && value !== null && 'mesh' in value),
  ],
  { error: ({ input }) => `expected corners [[x, y, z], …] in m or a solid such as box(0.01), got ${shown(input)}` },
);
export type ConvexForm = z.output<typeof convex>;

export const grainShapeSchema = z.union(
  [
    /** Hull of random points on an ellipsoid, another for each seed */
    z
      .strictObject({
        rock: z
          .strictObject({
            /** Corners; 14 unless given, which make about 24 triangles */
            points: z
              .int({ error: ({ input }) => `expected a number of corners from 4 to 200, got ${shown(input)}` })
              .min(4, { error: 'expected at least 4 corners' })
              .max(200, { error: 'expected at most 200 corners' })
              .optional(),
            stretch: vector('a stretch', '').optional(),
            variants,
            seed,
          })
          .readonly(),
      })
      .readonly(),
    /** A box whose six faces are a bit off, as hewn stones are; `spread: 0, tilt: 0` is a box */
    z
      .strictObject({
        block: z
          .strictObject({
            size: vector('a size', 'm'),
            spread: notNegative('a standard deviation', '').optional(),
            tilt: notNegative('a tilt', 'rad').optional(),
            variants,
            seed,
          })
          .readonly(),
      })
      .readonly(),
    /** The hull of points, or a convex solid */
    z.strictObject({ polyhedron: convex }).readonly(),
    /** A concave one: convex parts that touch or keep apart, but do not overlap */
    z
      .strictObject({
        parts: z
          .array(convex)
          .min(1, { error: () => 'expected at least one convex part' })
          .readonly(),
      })
      .readonly(),
    /** Balls rigidly joined, overlapping or not: [x, y, z, radius] each, m */
    z
      .strictObject({
        clump: z
          .array(z.tuple([real('x', 'm'), real('y', 'm'), real('z', 'm'), positive('a radius', 'm')]).readonly())
          .min(1, { error: () => 'expected at least one ball [x, y, z, radius] in m' })
          .readonly(),
      })
      .readonly(),
  ],
  {
    error: ({ input }) =>
      `expected { rock: {} }, { block: { size } }, { polyhedron: corners or solid }, { parts: […] } or { clump: [[x, y, z, radius], …] }, got ${shown(input)}`,
  },
);
export type GrainForm = z.output<typeof grainShapeSchema>;
