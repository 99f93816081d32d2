/** What a user may say of a body that deforms. */

import { notNegative, positive } from './schema.js';
import * as z from './schema-kinds.js';

/** Of tetrahedra over the height of an extrusion */
export const MOST_LAYERS = 16;

/** With a line that editors show and the page of keys has */
const told = <S extends z.AnySchema>(schema: S, title: string): S => schema.meta({ title }) as S;

const interfaceSchema = z
  .strictObject({
    /** All nodes of the mesh within it move with the joint as one piece, m; by default the rim of the hole, or the edge, at the joint. */
    radius: told(positive('a radius', 'm'), 'all nodes within it move as one piece').optional(),
    /** Of a solid: the set of its mesh that moves as one piece; by default one that has the joint's name */
    set: told(z.string(), 'of a solid, the set of its mesh that moves as one piece').optional(),
  })
  .readonly();

export const flexibleSchema = z
  .strictObject({
    /** Largest side of the mesh, m; by default 0.4 of the mean width, some 4000 triangles at most */
    meshSize: told(positive('a mesh size', 'm'), 'largest side of the mesh').optional(),
    /** A regular grid of so many columns and rows, for a part that is a rectangle along its own axes */
    grid: told(
      z.tuple([z.int().positive(), z.int().positive()]).readonly(),
      'columns and rows of a regular mesh, of a rectangle along its own axes',
    ).optional(),
    /** Chords of a full circle at least; default 24 */
    chords: told(z.int().min(6), 'sides of a full circle at least; default 24').optional(),
    /**
     * An extrusion becomes a solid of so many layers of tetrahedra over its height, which bends and twists in space; without it the part deforms in
     * its plane alone
     */
    layers: told(
      z.int().positive().max(MOST_LAYERS),
      'makes a solid of so many layers of tetrahedra over the height',
    ).optional(),
    /** How full each element of the mesh is, 0 … 1, on the way of a topology optimisation; stress is then that of full ones */
    densities: told(z.array(z.number().min(0).max(1)).readonly(), 'how full each element is').optional(),
    /** Modes with all interfaces held, beside the interfaces' own motion; default 4 */
    modes: told(z.int().nonnegative().max(60), 'beside the motion of the interfaces; default 4').optional(),
    /** Ratio of critical damping of the modes with the frame held; where a hinge lets go of it they are damped more, which `explain` tells; default 1 % up to five times the first frequency, then rising to 5 % */
    damping: told(
      notNegative('a damping ratio', ''),
      'ratio of critical damping of the modes with the frame held, more on a hinge; default 0.01, rising to 0.05 of fast ones',
    ).optional(),
    /** Plane strain instead of plane stress */
    planeStrain: told(z.boolean(), 'plane strain in place of plane stress').optional(),
    /** Stretching stiffens bending in straight slender parts; by default where the part is ten times as long as wide */
    membrane: told(z.boolean(), 'stretching stiffens bending; default of parts ten times as long as wide').optional(),
    /** Pieces in a row along a straight slender part, for large deflection; default 1 */
    substructures: told(
      z.union([z.int().positive().max(64), z.literal('automatic')], {
        error: () => "expected a number of pieces from 1 to 64, or 'automatic'",
      }),
      'pieces of a strip in a row, for large deflection; default 1',
    ).optional(),
    /** Points whose stress is recorded, in the plane of the outline, of solids in space; the nearest node is taken */
    gauges: told(
      z.record(
        z.string(),
        z
          .strictObject({
            at: z
              .union(
                [
                  z.tuple([z.number(), z.number()]).readonly().describe('m'),
                  z.tuple([z.number(), z.number(), z.number()]).readonly().describe('m'),
                ],
                { error: () => 'expected a point [x, y] in m, of solids [x, y, z]' },
              )
              .readonly(),
          })
          .readonly(),
      ),
      'points whose stress is recorded, by name: [x, y] of the outline, of solids [x, y, z]',
    ).optional(),
    /** Stress by the shapes alone, or with the static answer to inertia and weight that they do not have */
    stress: told(
      z.enum(['modes', 'mode acceleration'], { error: () => "expected 'modes' or 'mode acceleration'" }),
      'of the modes alone, or with the static answer to inertia and weight that they do not have',
    ).optional(),
    /** By joint or force: how it takes hold of the part */
    interfaces: told(
      z.record(z.string(), interfaceSchema),
      'by joint or force: how it takes hold of the part',
    ).optional(),
  })
  .readonly();

export type FlexibleOptions = z.output<typeof flexibleSchema>;
