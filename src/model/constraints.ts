/** Constraints beyond joints: gears and couplers, rigid rods, a point kept on a plane, a wheel that rolls. */

import { placeSchema } from './joints.js';
import { direction, nameOf, positive, real } from './schema.js';
import * as z from './schema-kinds.js';

/** A point of a body: `body`, `body.frame`, or { body, at } with `at` in the world of the drawing. A bare position is on the ground. */
export const anchorSchema = z.union(
  [
    placeSchema,
    z.strictObject({ body: nameOf('a body; a place on the ground is [x, y, z] alone'), at: placeSchema }).readonly(),
  ],
  { error: () => 'expected "body", "body.frame", { body, at: [x, y, z] in m as drawn }, or a position on the ground' },
);
export type AnchorReference = z.output<typeof anchorSchema>;

export const constraintSchema = z.discriminatedUnion('kind', [
  /** x₁ = ratio · x₂ + constant, of two joints with one coordinate each. A pair of outer gears has ratio −z₂/z₁. */
  z.strictObject({
    kind: z.literal('gear'),
    joints: z.tuple([nameOf('a joint'), nameOf('a joint')]).readonly(),
    ratio: real('a ratio', ''),
  }),
  /** A massless rigid rod with a ball joint at either end. */
  z.strictObject({
    kind: z.literal('rod'),
    from: anchorSchema,
    to: anchorSchema,
    length: positive('a length', 'm').optional(),
  }),
  z.strictObject({
    kind: z.literal('pointOnPlane'),
    point: anchorSchema,
    /** The plane goes through this point of the other body, */
    plane: anchorSchema,
    /** across this direction of the drawing. */
    normal: direction('a normal'),
  }),
  /** A thin wheel that rolls without slipping on the plane through `plane` across `normal`. */
  z.strictObject({
    kind: z.literal('rollingWheel'),
    body: nameOf('a body'),
    /** Centre of the wheel; the body's origin if nothing is said. */
    at: placeSchema.optional(),
    axis: direction('an axis'),
    radius: positive('a radius', 'm'),
    plane: anchorSchema.optional(),
    normal: direction('a normal').optional(),
  }),
]);
export type Constraint = z.output<typeof constraintSchema>;
type ConstraintKind = Constraint['kind'];
type ConstraintInput<Kind extends ConstraintKind> = Extract<z.input<typeof constraintSchema>, { kind: Kind }>;

const constraint =
  <Kind extends ConstraintKind>(kind: Kind) =>
  (options: Omit<ConstraintInput<Kind>, 'kind'>): ConstraintInput<Kind> =>
    ({ kind, ...options }) as ConstraintInput<Kind>;

export const gear = constraint('gear');
export const rod = constraint('rod');
export const pointOnPlane = constraint('pointOnPlane');
export const rollingWheel = constraint('rollingWheel');
