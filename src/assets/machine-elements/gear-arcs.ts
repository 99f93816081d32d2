/**
 * The outline of an involute gear as circular arcs within a tolerance (fit-arcs.ts): round flanks roll on each other, where those of chords have corners that are felt.
 *
 * Half a tooth, from its tip down. On the involute of the base circle r_b, at the roll angle t, with β the half angle of the tooth where it leaves the base circle,
 *
 *   p = r_b √(1 + t²) (cos, sin)(β − t + atan t),   tangent (cos, sin)(β − t)
 *
 * The fillet is what the rounded tip of the rack sweeps; its normal goes through the pitch point (gear.ts). The floor of the gap and the tip are arcs about the centre.
 */

import { bulgeOf, bulgeOfSweep, corner } from '../../geometry/arc.js';
import { fitArcs } from '../../geometry/fit-arcs.js';
import type { Corner } from '../../geometry/profile.js';
import { atan, cos, sin } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';

/** The curves of half a tooth; angles from its middle, rad */
export interface ToothCurves {
  readonly teeth: number;
  readonly baseRadius: number;
  readonly tipRadius: number;
  /** Where the involute begins, m */
  readonly involuteFrom: number;
  /** β */
  readonly atBase: number;
  /** Radius and angle of the fillet's point at X, from 0 at the root to `filletEnd` */
  readonly fillet: (X: number) => Vec2;
  /** Angle of the fillet's normal at X */
  readonly filletNormal: (X: number) => number;
  readonly filletEnd: number;
}

/** Corners of one pitch, counter-clockwise, from the tip of a tooth to that of the next. @param tolerance m */
export function toothOfArcs(tooth: ToothCurves, tolerance: number): Corner[] {
  const { teeth, baseRadius: r, tipRadius, involuteFrom, atBase, fillet, filletNormal, filletEnd } = tooth;
  const roll = (radius: number): number => Math.sqrt(Math.max(0, (radius / r) * (radius / r) - 1));
  const involute = fitArcs(
    (s) => turned(r * Math.sqrt(1 + s * s), atBase + s - atan(s)),
    (s) => turned(-1, atBase + s),
    0 - roll(tipRadius),
    0 - roll(involuteFrom),
    { tolerance },
  );
  // the fillet runs down to the root and out to the middle of the gap: its normal, from the pitch point, turned to the right
  const root = fitArcs(
    (s) => turned(...fillet(0 - s)),
    (s) => turned(1, filletNormal(0 - s) - 0.5 * Math.PI),
    0 - filletEnd,
    0,
    { tolerance },
  );
  const down = [...involute.slice(0, -1), ...root];

  // and up again on the other side of the gap, whose middle is at π/z
  const middle = Math.PI / teeth;
  const [rootAngle, tipAngle] = [fillet(0)[1], atBase - roll(tipRadius) + atan(roll(tipRadius))];
  const floor = 2 * (middle - rootAngle);
  const meets = !(floor > 2e-6 * middle);
  const up = down.map(([x, y], i) => {
    const bulge = i > 0 ? bulgeOf(down[i - 1]) : bulgeOfSweep(2 * tipAngle);
    const [c, s] = [cos(2 * middle), sin(2 * middle)];
    return corner(c * x + s * y, s * x - c * y, bulge);
  });
  const last = down.length - 1;
  const bottom = corner(down[last][0], down[last][1], meets ? 0 : bulgeOfSweep(floor));
  return [...down.slice(0, -1), ...(meets ? [] : [bottom]), ...up.toReversed()];
}

const turned = (radius: number, angle: number): Vec2 => [radius * cos(angle), radius * sin(angle)];
