/** Forces between bodies and on bodies: springs, dampers, bushings, applied forces, laws of the user's own. */

import type { Quaternion } from '../math/quaternion.js';
import type { Vec3 } from '../math/vec3.js';
import { anchorSchema } from './constraints.js';
import { takesNumbers } from './number-arguments.js';
import { notNegative, userFunction, vector } from './schema.js';
import * as z from './schema-kinds.js';

/** What a user's force sees of the point it acts on; world axes. */
export interface PointMotion {
  readonly position: Vec3;
  readonly velocity: Vec3;
  readonly orientation: Quaternion;
  readonly angularVelocity: Vec3;
}

const six = (what: string, units: string) =>
  z
    .tuple([
      notNegative(what, units),
      notNegative(what, units),
      notNegative(what, units),
      notNegative(what, units),
      notNegative(what, units),
      notNegative(what, units),
    ])
    .readonly();

const vectorOverTime = (what: string, unit: string) =>
  z
    .union([vector(what, unit), userFunction<(t: number, motion: PointMotion) => Vec3>('a function (t, motion)')], {
      error: () => `expected ${what} [x, y, z] in ${unit}, or a function (t, motion) giving it`,
    })
    .superRefine(takesNumbers(['t'], { motion: AT_REST }));

const AT_REST: PointMotion = {
  position: [0, 0, 0],
  velocity: [0, 0, 0],
  orientation: [1, 0, 0, 0],
  angularVelocity: [0, 0, 0],
};

export const forceSchema = z.discriminatedUnion('kind', [
  /** Spring and damper along the line between two points. */
  z.strictObject({
    kind: z.literal('spring'),
    from: anchorSchema,
    to: anchorSchema,
    stiffness: notNegative('a stiffness', 'N/m').optional(),
    damping: notNegative('a damping', 'N s/m').optional(),
    /** As drawn if nothing is said. */
    restLength: notNegative('a length', 'm').optional(),
  }),
  /** A law of the user's own along the line: force in N over length and its rate, positive pushes apart. */
  z.strictObject({
    kind: z.literal('lineForce'),
    from: anchorSchema,
    to: anchorSchema,
    law: userFunction<(length: number, rate: number, t: number) => number>(
      'a function (length, rate, t) giving N',
    ).superRefine(takesNumbers(['length', 'rate', 't'])),
  }),
  /** Six springs and dampers between two frames that coincide as drawn; axes of the first. */
  z.strictObject({
    kind: z.literal('bushing'),
    from: anchorSchema,
    to: anchorSchema,
    /** x, y, z in N/m, then about x, y, z in N m/rad */
    stiffness: six('a stiffness', 'N/m or N m/rad'),
    damping: six('a damping', 'N s/m or N m s/rad').optional(),
  }),
  /** Force and torque on a point of a body. */
  z.strictObject({
    kind: z.literal('applied'),
    on: anchorSchema,
    /** What pushes back; the ground if nothing is said. */
    reactionOn: anchorSchema.optional(),
    force: vectorOverTime('a force', 'N').optional(),
    torque: vectorOverTime('a torque', 'N m').optional(),
    /** Axes of force and torque: the world's, or the body's. */
    axes: z.enum(['world', 'body']).optional(),
  }),
]);
export type Force = z.output<typeof forceSchema>;
type ForceInput<Kind extends Force['kind']> = Extract<z.input<typeof forceSchema>, { kind: Kind }>;

const force =
  <Kind extends Force['kind']>(kind: Kind) =>
  (options: Omit<ForceInput<Kind>, 'kind'>): ForceInput<Kind> =>
    ({ kind, ...options }) as ForceInput<Kind>;

/** @example spring({ from: [0, 0, 2], to: 'bob', stiffness: 100, damping: 0.5, restLength: 1 }) */
export const spring = force('spring');
export const lineForce = force('lineForce');
export const bushing = force('bushing');
export const applied = force('applied');
