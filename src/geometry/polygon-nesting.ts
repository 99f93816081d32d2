/** From outlines as they come to profiles as the rest wants them: clean, turned the right way, holes in their outlines. */
import { ModelError } from '../errors.js';
import type { Vec2 } from '../math/vec3.js';
import { type Crossing, sweep } from './polygon-crossing.js';
import { signedArea } from './polygon-measure.js';
import type { Outline, Profile } from './profile.js';

/** The outline counter-clockwise; the same object if it is already. */
export const counterClockwise = (outline: Outline): Outline =>
  signedArea(outline) < 0 ? outline.toReversed() : outline;

/** The outline clockwise, as holes run. */
export const clockwise = (outline: Outline): Outline => (signedArea(outline) > 0 ? outline.toReversed() : outline);

/**
 * Drops corners equal to the one before them, the last one being before the first. Corners on a straight line stay.
 *
 * @param within greatest distance in m at which corners count as equal; 0 drops only exact repeats
 */
export function withoutRepeats(outline: Outline, within = 0): Outline {
  const near = (a: Vec2, b: Vec2) =>
    within > 0
      ? (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) <= within * within
      : a[0] === b[0] && a[1] === b[1];
  const kept: Vec2[] = [];
  for (const corner of outline) if (kept.length === 0 || !near(kept[kept.length - 1], corner)) kept.push(corner);
  while (kept.length > 1 && near(kept[kept.length - 1], kept[0])) kept.pop();
  return kept.length === outline.length ? outline : kept;
}

/**
 * Sorts outlines into profiles by what lies inside what: an outline inside none, two, four… others is the outside of a
 * profile, one inside an odd number is a hole of the smallest around it. Repeated corners are dropped, the direction in
 * which the outlines run does not matter.
 *
 * @throws ModelError if two outlines cross or touch, or one does itself
 * @example nestOutlines([plate, bore, islandInBore]) // two profiles: the plate with its bore, and the island
 */
export function nestOutlines(outlines: readonly Outline[]): Profile[] {
  const clean = outlines.map((outline, i) => cleanOutline(outline, `outlines[${i}]`));
  const { crossing, parents } = sweep(clean);
  if (crossing) throw crossingError(crossing, (i) => `outlines[${i}]`);
  const depth = (i: number): number => {
    let count = 0;
    for (let j = parents[i]; j >= 0; j = parents[j]) count++;
    return count;
  };
  const holes = new Map<number, Outline[]>();
  for (let i = 0; i < clean.length; i++) if (depth(i) % 2 === 0) holes.set(i, []);
  for (let i = 0; i < clean.length; i++) holes.get(i) ?? holes.get(parents[i])?.push(clockwise(clean[i]));
  return [...holes].map(([i, inner]) => ({ outer: counterClockwise(clean[i]), holes: inner }));
}

/**
 * Checks a figure at the border and brings it into the form `Profile` promises: repeated corners dropped, the outside
 * counter-clockwise, holes clockwise. Corners on a straight line stay.
 *
 * @param path for messages, e.g. `extrude.outline`
 * @throws ModelError if outlines cross or touch, a hole lies outside or in another hole, a coordinate is not finite
 */
export function checkedProfile(figure: Outline | Profile, path: string): Profile {
  const { outer, holes } = 'outer' in figure ? figure : { outer: figure, holes: [] };
  const nameOf = (i: number) => (i === 0 ? ('outer' in figure ? `${path}.outer` : path) : `${path}.holes[${i - 1}]`);
  const rings = [outer, ...holes].map((ring, i) => cleanOutline(ring, nameOf(i)));
  const { crossing, parents } = sweep(rings);
  if (crossing) throw crossingError(crossing, nameOf);
  for (let i = 1; i < rings.length; i++)
    if (parents[i] !== 0)
      throw new ModelError(
        nameOf(i),
        parents[i] < 0
          ? `expected a hole inside the outline, got one outside, at (${rings[i][0].join(', ')}) m`
          : `expected a hole in the material, got one inside ${nameOf(parents[i])}; use nestOutlines for islands in holes`,
      );
  return { outer: counterClockwise(rings[0]), holes: rings.slice(1).map(clockwise) };
}

function cleanOutline(outline: Outline, path: string): Outline {
  for (let i = 0; i < outline.length; i++)
    if (!(outline[i].length === 2 && Number.isFinite(outline[i][0]) && Number.isFinite(outline[i][1])))
      throw new ModelError(`${path}[${i}]`, `expected a corner [x, y] in m, got ${JSON.stringify(outline[i])}`);
  const clean = withoutRepeats(outline);
  if (clean.length < 3) throw new ModelError(path, `expected at least 3 different corners, got ${clean.length}`);
  return clean;
}

function crossingError(crossing: Crossing, nameOf: (outline: number) => string): ModelError {
  const { first, second, firstOutline, secondOutline, at, kind } = crossing;
  const what = { cross: 'cross', touch: 'touch', overlap: 'run along each other' }[kind];
  const where = `at (${at.join(', ')}) m`;
  return firstOutline === secondOutline
    ? new ModelError(
        nameOf(firstOutline),
        `edges ${first} and ${second} ${what} ${where}; a solid needs an outline that does not cross or touch itself`,
      )
    : new ModelError(
        nameOf(secondOutline),
        `edge ${second} and edge ${first} of ${nameOf(firstOutline)} ${what} ${where}; outlines must keep clear of each other`,
      );
}
