/** Whether outlines make a solid, and if not, where and why. */
import { ModelError } from '../../errors.js';
import { firstCrossingAmong } from '../../geometry/outline-crossing.js';
import { profileArea } from '../../geometry/polygon-measure.js';
import { nestOutlines } from '../../geometry/polygon-nesting.js';
import type { Profile } from '../../geometry/profile.js';
import type { Vec2 } from '../../math/vec3.js';
import type { Sketch } from '../document/sketch.js';
import { asOutline, edgeAt, edgeCount, edgeLength, millimetres } from './outline.js';

export interface SketchCheck {
  /** Outside with holes, counter-clockwise, as many as stand beside each other; none while something is wrong */
  readonly profiles: readonly Profile[];
  /** m² */
  readonly area: number;
  /** m; undefined of nothing */
  readonly shortestEdge: number | undefined;
  readonly allClosed: boolean;
  readonly problem?: { readonly text: string; readonly at?: Vec2; readonly outlines: readonly string[] };
}

export function checkSketch({ outlines }: Sketch): SketchCheck {
  const names = Object.keys(outlines).filter((name) => outlines[name].corners.length > 1);
  const lengths = names.flatMap((name) =>
    Array.from({ length: edgeCount(outlines[name]) }, (_, i) => edgeLength(edgeAt(outlines[name], i))),
  );
  const open = names.filter((name) => !outlines[name].closed);
  const found = {
    shortestEdge: lengths.length > 0 ? Math.min(...lengths) : undefined,
    allClosed: open.length === 0 && names.length > 0,
  };
  const nothing = { ...found, profiles: [], area: 0 };
  const closed = names.filter((name) => outlines[name].closed);
  // What crosses is told first, with its place; an open outline is told once nothing crosses.
  const figures = closed.map((name) => asOutline(outlines[name]));
  const zero = closed.find((name) =>
    Array.from({ length: edgeCount(outlines[name]) }, (_, i) => edgeAt(outlines[name], i)).some(
      ({ from, to }) => from[0] === to[0] && from[1] === to[1],
    ),
  );
  if (zero !== undefined)
    return { ...nothing, problem: { text: `${zero} has two corners at one place; delete one`, outlines: [zero] } };
  const crossing = firstCrossingAmong(figures);
  if (crossing) {
    const [a, b] = [closed[crossing.firstOutline], closed[crossing.secondOutline]];
    const [x, y] = crossing.at;
    const how = crossing.kind === 'cross' ? 'cross' : crossing.kind === 'touch' ? 'touch' : 'lie on each other';
    const where = `at ${millimetres(x)}, ${millimetres(y)}`;
    const text =
      a === b
        ? `${a}: edges ${crossing.first + 1} and ${crossing.second + 1} ${how} ${where}`
        : `edge ${crossing.first + 1} of ${a} and edge ${crossing.second + 1} of ${b} ${how} ${where}`;
    return { ...nothing, problem: { text, at: crossing.at, outlines: [a, b] } };
  }
  if (open.length > 0)
    return {
      ...nothing,
      problem: { text: `${open[0]} is open: click its first corner, or press Enter, to close it`, outlines: [open[0]] },
    };
  if (names.length === 0) return nothing;
  try {
    const profiles = nestOutlines(figures);
    return { ...found, profiles, area: profiles.reduce((sum, profile) => sum + profileArea(profile), 0) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { ...nothing, problem: { text: error.message, outlines: closed } };
  }
}
