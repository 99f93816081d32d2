/** Corners between straight edges replaced by arcs. */
import { ModelError } from '../errors.js';
import { atan2, tan } from '../math/elementary.js';
import { bulgeOf } from './arc.js';
import { flattened } from './outline.js';
import { withoutRepeats } from './polygon-nesting.js';
import type { Corner, Outline, Polygon, PolygonProfile, Profile } from './profile.js';
import { requireCount } from './require.js';

/**
 * Replaces each corner by an arc that is tangent to both of its edges, outer and inner corners alike.
 *
 * With the turn θ at a corner the arc begins and ends r tan(|θ|/2) away from it. Corners on a straight line and corners
 * with radius 0 stay as they are, and so do corners at which an edge is an arc.
 *
 * @param figure   m
 * @param radius   m; one for all corners, or for an outline one per corner
 * @param segments chords in place of arcs: pieces of a full circle; an arc of angle θ gets its share, at least 1
 * @throws ModelError naming the corner if an arc does not fit: neighbouring arcs would overlap on an edge
 * @example roundCorners([[0, 0], [20e-3, 0], [20e-3, 10e-3], [0, 10e-3]], 2e-3)
 */
export function roundCorners(figure: Polygon, radius: number | readonly number[], segments: number): Polygon;
export function roundCorners(figure: PolygonProfile, radius: number, segments: number): PolygonProfile;
export function roundCorners(figure: Outline, radius: number | readonly number[], segments?: number): Outline;
export function roundCorners(figure: Profile, radius: number, segments?: number): Profile;
export function roundCorners(
  figure: Outline | Profile,
  radius: number | readonly number[],
  segments?: number,
): Outline | Profile {
  if (segments !== undefined) {
    requireCount('roundCorners.segments', segments, 4);
    return flattened(
      'outer' in figure ? roundCorners(figure, radius as number) : roundCorners(figure, radius),
      segments,
    );
  }
  if (!('outer' in figure)) return roundOutline(figure, radius, 'roundCorners.outline');
  return {
    outer: roundOutline(figure.outer, radius, 'roundCorners.profile.outer'),
    holes: figure.holes.map((hole, i) => roundOutline(hole, radius, `roundCorners.profile.holes[${i}]`)),
  };
}

function roundOutline(outline: Outline, radius: number | readonly number[], path: string): Outline {
  const n = outline.length;
  if (n < 3) throw new ModelError(path, `expected at least 3 corners, got ${n}`);
  if (typeof radius !== 'number' && radius.length !== n)
    throw new ModelError('roundCorners.radius', `expected one radius for each of ${n} corners, got ${radius.length}`);
  const radiusAt = (i: number) => (typeof radius === 'number' ? radius : radius[i]);
  // Direction and length of each edge, from corner i to the next
  const edges = outline.map(([x, y], i) => {
    const [bx, by] = outline[(i + 1) % n];
    const length = Math.sqrt((bx - x) * (bx - x) + (by - y) * (by - y));
    if (!(length > 0))
      throw new ModelError(`${path}[${i}]`, `expected a corner apart from the next one, got (${x}, ${y}) m twice`);
    return { x: (bx - x) / length, y: (by - y) / length, length };
  });
  // Length an arc takes from both edges: r tan(θ/2) = r sin θ / (1 + cos θ)
  const turns = outline.map((corner, i) => {
    const r = radiusAt(i);
    if (!(r >= 0 && r < Number.POSITIVE_INFINITY))
      throw new ModelError(
        typeof radius === 'number' ? 'roundCorners.radius' : `roundCorners.radius[${i}]`,
        `expected a length ≥ 0 m, got ${r}`,
      );
    const [e, f] = [edges[(i + n - 1) % n], edges[i]];
    const sine = e.x * f.y - e.y * f.x;
    const cosine = e.x * f.x + e.y * f.y;
    if (Math.abs(sine) < 1e-12 && cosine < 0 && outline.every((c) => bulgeOf(c) === 0))
      throw new ModelError(`${path}[${i}]`, `expected a corner, got a turn back on itself at (${corner.join(', ')}) m`);
    const curved = bulgeOf(outline[i]) !== 0 || bulgeOf(outline[(i + n - 1) % n]) !== 0;
    const straight = Math.abs(sine) < 1e-12 || r === 0 || curved;
    return { bulge: tan(atan2(sine, cosine) / 4), cut: straight ? 0 : (r * Math.abs(sine)) / (1 + cosine), straight };
  });
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    const room = edges[i].length - turns[i].cut - turns[j].cut;
    if (room < -1e-12 * edges[i].length) {
      const worse = turns[i].cut >= turns[j].cut ? i : j;
      throw new ModelError(
        `${path}[${worse}]`,
        `a radius of ${radiusAt(worse)} m does not fit at (${outline[worse].join(', ')}) m: the arcs at both ends of edge ${i} ` +
          `take ${turns[i].cut + turns[j].cut} m of its ${edges[i].length} m; use a smaller radius`,
      );
    }
  }
  const rounded: Corner[] = [];
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    const [px, py] = outline[i];
    const { bulge, cut, straight } = turns[i];
    if (straight) {
      rounded.push(outline[i]);
      continue;
    }
    const [e, f] = [edges[(i + n - 1) % n], edges[i]];
    shortest = Math.min(shortest, radiusAt(i));
    rounded.push([px - cut * e.x, py - cut * e.y, bulge], [px + cut * f.x, py + cut * f.y]);
  }
  // Two arcs that meet on an edge without a straight piece between them share their ends
  return shortest < Number.POSITIVE_INFINITY ? withoutRepeats(rounded, 1e-9 * shortest) : rounded;
}
