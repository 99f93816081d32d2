/**
 * Triangles of a polygon with holes: the constrained Delaunay triangulation, which of all triangulations between the
 * given corners has the largest smallest angle (Lee & Lin 1986, doi 10.1007/BF02187695).
 *
 * Every corner becomes a corner of triangles, those on straight lines too, so walls put onto the outline match the
 * triangles without gaps. First monotone pieces, decided by exact predicates; then flips towards Delaunay.
 */
import { ModelError } from '../errors.js';
import { flipToDelaunay } from './delaunay-flips.js';
import { monotoneTriangles } from './monotone.js';
import { hasArcs } from './outline.js';
import { sweepEdges } from './polygon-crossing.js';
import { checkedProfile } from './polygon-nesting.js';
import type { Polygon, PolygonProfile } from './profile.js';

/**
 * Index triples, counter-clockwise, into the corners of `outer` followed by those of each hole: as many triangles as
 * corners + 2 holes − 2.
 *
 * @throws ModelError if outlines cross or touch, a hole is not inside, or a corner is repeated
 * @example triangulate({ outer: [[0, 0], [1, 0], [1, 1], [0, 1]], holes: [] }) // two triangles
 */
export function triangulate(figure: Polygon | PolygonProfile): Uint32Array {
  const { outer, holes } = 'outer' in figure ? figure : { outer: figure, holes: [] };
  if (hasArcs(figure))
    throw new ModelError(
      'triangulate.profile',
      'expected straight edges, got arcs; draw them by chords with flattened',
    );
  const checked = checkedProfile(figure, 'triangulate.profile');
  const triangles = triangulateChecked(checked);
  // An outline that ran the other way round was turned: count its corners backwards again
  const index = new Uint32Array(
    triangles.length > 0 ? outer.length + holes.reduce((n, hole) => n + hole.length, 0) : 0,
  );
  let start = 0;
  const given = [outer, ...holes];
  for (const [r, ring] of [checked.outer, ...checked.holes].entries()) {
    const n = given[r].length;
    if (ring.length !== n)
      throw new ModelError(
        'triangulate.profile',
        `expected corners that differ, got ${n - ring.length} repeated ones; drop them with withoutRepeats`,
      );
    for (let i = 0; i < n; i++) index[start + i] = start + (ring === given[r] ? i : n - 1 - i);
    start += n;
  }
  return triangles.map((i) => index[i]);
}

/** As triangulate, for a profile that `checkedProfile` returned. */
export function triangulateChecked({ outer, holes }: PolygonProfile): Uint32Array {
  const rings = [outer, ...holes];
  const n = rings.reduce((sum, ring) => sum + ring.length, 0);
  const next = new Uint32Array(n);
  const previous = new Uint32Array(n);
  let start = 0;
  for (const { length } of rings) {
    for (let i = 0; i < length; i++) {
      next[start + i] = start + (i + 1 === length ? 0 : i + 1);
      previous[start + i] = start + (i === 0 ? length : i) - 1;
    }
    start += length;
  }
  const edges = sweepEdges(rings, n);
  const triangles = monotoneTriangles({ ...edges, next, previous });
  flipToDelaunay(triangles, edges.x, edges.y);
  return triangles;
}
