/** What a user may say of a body that deforms. */

import { notNegative, positive } from './schema.js';
import * as z from './schema-kinds.js';

const interfaceSchema = z
  .strictObject({
    /** All nodes of the mesh within it move with the joint as one piece, m; by default the rim of the hole, or the edge, at the joint. */
    radius: positive('a radius', 'm').optional(),
    /** Of a solid: the set of its mesh that moves as one piece; by default one that has the joint's name */
    set: z.string().optional(),
  })
  .readonly();

export const flexibleSchema = z
  .strictObject({
    /** Largest side of the mesh, m; by default 0.4 of the mean width, some 4000 triangles at most */
    meshSize: positive('a mesh size', 'm').optional(),
    /** A regular grid of so many columns and rows, for a part that is a rectangle along its own axes */
    grid: z.tuple([z.int().positive(), z.int().positive()]).readonly().optional(),
    /** Chords of a full circle at least; default 24 */
    chords: z.int().min(6).optional(),
    /**
     * An extrusion becomes a solid of so many layers of tetrahedra over its height, which bends and twists in space; without it the part deforms in
     * its plane alone
     */
    layers: z.int().positive().max(16).optional(),
    /** How full each element of the mesh is, 0 … 1, on the way of a topology optimisation; stress is then that of full ones */
    densities: z.array(z.number().min(0).max(1)).readonly().optional(),
    /** Modes with all interfaces held, beside the interfaces' own motion; default 4 */
    modes: z.int().nonnegative().max(60).optional(),
    /** Ratio of critical damping of all modes; default 1 % up to five times the first frequency, then rising to 5 % */
    damping: notNegative('a damping ratio', '').optional(),
    /** Plane strain instead of plane stress */
    planeStrain: z.boolean().optional(),
    /** Stretching stiffens bending in straight slender parts; by default where the part is ten times as long as wide */
    membrane: z.boolean().optional(),
    /** Pieces in a row along a straight slender part, for large deflection; default 1 */
    substructures: z
      .union([z.int().positive().max(64), z.literal('automatic')], {
        error: () => "expected a number of pieces from 1 to 64, or 'automatic'",
      })
      .optional(),
    /** Points whose stress is recorded, in the plane of the outline, of solids in space; the nearest node is taken */
    gauges: z
      .record(
        z.string(),
        z
          .strictObject({
            at: z
              .union(
                [
                  z.tuple([z.number(), z.number()]).readonly(),
                  z.tuple([z.number(), z.number(), z.number()]).readonly(),
                ],
                { error: () => 'expected a point [x, y] in m, of solids [x, y, z]' },
              )
              .readonly(),
          })
          .readonly(),
      )
      .optional(),
    /** Stress by the shapes alone, or with the static answer to inertia and weight that they do not have */
    stress: z
      .enum(['modes', 'mode acceleration'], { error: () => "expected 'modes' or 'mode acceleration'" })
      .optional(),
    /** By joint or force: how it takes hold of the part */
    interfaces: z.record(z.string(), interfaceSchema).optional(),
  })
  .readonly();

export type FlexibleOptions = z.output<typeof flexibleSchema>;
