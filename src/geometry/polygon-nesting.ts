/** From outlines as they come to profiles as the rest wants them: clean, turned the right way, holes in their outlines. */
import { ModelError } from '../errors.js';
import { bulgeOf, corner as withBulge } from './arc.js';
import { outlineHasArcs, reversed } from './outline.js';
import { nesting } from './outline-crossing.js';
import type { Crossing } from './polygon-crossing.js';
import { signedArea } from './polygon-measure.js';
import type { Corner, Outline, Polygon, PolygonProfile, Profile } from './profile.js';

/** The outline counter-clockwise; the same object if it is already. */
export function counterClockwise(outline: Polygon): Polygon;
export function counterClockwise(outline: Outline): Outline;
export function counterClockwise(outline: Outline): Outline {
  return signedArea(outline) < 0 ? reversed(outline) : outline;
}

/** The outline clockwise, as holes run. */
export function clockwise(outline: Polygon): Polygon;
export function clockwise(outline: Outline): Outline;
export function clockwise(outline: Outline): Outline {
  return signedArea(outline) > 0 ? reversed(outline) : outline;
}

/**
 * Drops corners equal to the one before them, the last one being before the first. Corners on a straight line stay.
 *
 * @param within greatest distance in m at which corners count as equal; 0 drops only exact repeats
 */
export function withoutRepeats(outline: Polygon, within?: number): Polygon;
export function withoutRepeats(outline: Outline, within?: number): Outline;
export function withoutRepeats(outline: Outline, within = 0): Outline {
  const near = (a: Corner, b: Corner) =>
    within > 0
      ? (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) <= within * within
      : a[0] === b[0] && a[1] === b[1];
  const kept: Corner[] = [];
  for (const corner of outline) {
    // of two equal corners the second one's edge is the one with a length
    if (kept.length > 0 && near(kept[kept.length - 1], corner))
      kept[kept.length - 1] = cornerOf(kept[kept.length - 1], corner);
    else kept.push(corner);
  }
  while (kept.length > 1 && near(kept[kept.length - 1], kept[0])) kept.pop();
  return kept.length === outline.length ? outline : kept;
}

const cornerOf = ([x, y]: Corner, edge: Corner): Corner => withBulge(x, y, bulgeOf(edge));

/**
 * Sorts outlines into profiles by what lies inside what: an outline inside none, two, four… others is the outside of a
 * profile, one inside an odd number is a hole of the smallest around it. Repeated corners are dropped, the direction in
 * which the outlines run does not matter.
 *
 * @throws ModelError if two outlines cross or touch, or one does itself
 * @example nestOutlines([plate, bore, islandInBore]) // two profiles: the plate with its bore, and the island
 */
export function nestOutlines(outlines: readonly Polygon[]): PolygonProfile[];
export function nestOutlines(outlines: readonly Outline[]): Profile[];
export function nestOutlines(outlines: readonly Outline[]): Profile[] {
  const clean = outlines.map((outline, i) => cleanOutline(outline, `outlines[${i}]`));
  const { crossing, parents } = nesting(clean);
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
export function checkedProfile(figure: Polygon | PolygonProfile, path: string): PolygonProfile;
export function checkedProfile(figure: Outline | Profile, path: string): Profile;
export function checkedProfile(figure: Outline | Profile, path: string): Profile {
  requireRings(figure, path);
  const { outer, holes = [] } = 'outer' in figure ? figure : { outer: figure, holes: [] };
  const nameOf = (i: number) => (i === 0 ? ('outer' in figure ? `${path}.outer` : path) : `${path}.holes[${i - 1}]`);
  const rings = [outer, ...holes].map((ring, i) => cleanOutline(ring, nameOf(i)));
  const { crossing, parents } = nesting(rings);
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

/** A figure is an outline, or an object with one and with holes: whatever else came is said. */
function requireRings(figure: unknown, path: string): void {
  const wanted = 'an outline [[x, y], …] in m, or a profile { outer, holes } of outlines';
  if (Array.isArray(figure)) return;
  if (typeof figure !== 'object' || figure === null)
    throw new ModelError(path, `expected ${wanted}, got ${figure === undefined ? 'nothing' : String(figure)}`);
  const { outer, holes = [] } = figure as { outer?: unknown; holes?: unknown };
  if (outer === undefined) {
    const keys = Object.keys(figure);
    throw new ModelError(
      path,
      `expected ${wanted}, got an object without "outer"${keys.length > 0 ? `; it has ${keys.join(', ')}` : ''}`,
    );
  }
  if (!Array.isArray(outer))
    throw new ModelError(`${path}.outer`, `expected an outline [[x, y], …] in m, got ${typeof outer}`);
  if (!Array.isArray(holes) || !holes.every((hole) => Array.isArray(hole)))
    throw new ModelError(`${path}.holes`, 'expected a list of outlines [[[x, y], …], …] in m');
}

function cleanOutline(outline: Outline, path: string): Outline {
  for (let i = 0; i < outline.length; i++) {
    const [x, y, bulge = 0] = Array.isArray(outline[i]) ? outline[i] : [];
    const length = Array.isArray(outline[i]) ? outline[i].length : 0;
    if (!((length === 2 || length === 3) && Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(bulge)))
      throw new ModelError(
        `${path}[${i}]`,
        `expected a corner [x, y] in m, or [x, y, bulge] with bulge = tan(sweep/4) of the arc to the next, got ${JSON.stringify(outline[i])}`,
      );
  }
  const clean = withoutRepeats(outline);
  if (clean.length < (outlineHasArcs(clean) ? 2 : 3))
    throw new ModelError(path, `expected at least 3 different corners, or 2 and an arc, got ${clean.length}`);
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
