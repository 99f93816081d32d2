/** Sizes of the shapes of a JSON model. */

import { notNegative, positive, real, shown } from './schema.js';
import * as z from './schema-kinds.js';

export const length = (what: string) => positive(what, 'm');
export const lengthOrZero = (what: string) => notNegative(what, 'm');

/** A whole number; may be left out. */
export const whole = (what: string, least: number) => {
  const error = ({ input }: { input?: unknown }) => `expected ${what}: a whole number ≥ ${least}, got ${shown(input)}`;
  return z.int({ error }).min(least, { error }).optional();
};
export const segments = whole('the corners of a circle', 3);

/** Corners, with arcs where a bulge says so. */
export const outline = z
  .array(
    z.union(
      [
        z.tuple([real('x', 'm'), real('y', 'm')]),
        z.tuple([real('x', 'm'), real('y', 'm'), real('the bulge tan(sweep/4) of an arc', '')]),
      ],
      {
        error: ({ input }) =>
          `expected a corner [x, y] in m, or [x, y, bulge] with bulge = tan(sweep/4) of the arc to the next corner, got ${shown(input)}`,
      },
    ),
    { error: () => 'expected corners [[x, y], …] in m' },
  )
  .min(2, { error: () => 'expected at least 3 corners [x, y] in m, or 2 and an arc' });

/** Without the keys that are undefined. */
export const given = <Options extends object>(
  options: Options,
): { [Key in keyof Options]: Exclude<Options[Key], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
