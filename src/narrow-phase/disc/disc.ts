/**
 * A disc: an extrusion whose outline is one circle, with or without holes through it. Wheels, rings, washers, pulleys, drawn or cut out of cylinders. Its rim is round
 * however many chords its mesh has, so it rolls as a cylinder does; as a polygon of 64 corners it would fall from edge to edge and lose 2 % of its speed in a turn.
 */
import { fullCircle } from '../../geometry/circle-outline.js';
import { cylinder } from '../../geometry/index.js';
import type { Outline } from '../../geometry/profile.js';
import type { Solid } from '../../geometry/solid.js';

export interface Disc {
  /** m */
  readonly radius: number;
  readonly height: number;
  /** Centre of the circle in the form's frame, m; the form runs from z = 0 to height */
  readonly centre: readonly [number, number];
  readonly holes: readonly Outline[];
}

/** Undefined if the solid is none; a cylinder is one already. */
export function discOf({ form }: Solid): Disc | undefined {
  if (form.kind !== 'extrusion') return undefined;
  const { profile, height } = form;
  const around = fullCircle(profile.outer);
  if (!around) return undefined;
  const [x, y] = around.centre;
  return { radius: around.radius, height, centre: [x, y], holes: profile.holes };
}

/** The cylinder around it. */
export const cylinderAround = ({ radius, height }: Disc): Solid => cylinder({ radius, height });
