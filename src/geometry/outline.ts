/** Outlines of lines and arcs: whether there are arcs, the other way round, as polygons, in a box. */

import { cos } from '../math/elementary.js';
import type { Vec2 } from '../math/vec3.js';
import { arcCircle, bulgeOf, corner, edgePoint, sweepOf, visitExtremes } from './arc.js';
import type { Corner, Outline, Polygon, PolygonProfile, Profile } from './profile.js';
import { requireCount } from './require.js';

/** Pieces of a full circle unless the caller says otherwise: chords are 0.12 % of the radius inside the circle. */
export const SEGMENTS = 64;

export const outlineHasArcs = (outline: Outline): boolean => outline.some((c) => bulgeOf(c) !== 0);

/** Whether an edge of the figure is an arc. */
export function hasArcs(figure: Outline | Profile): boolean {
  return 'outer' in figure ? outlineHasArcs(figure.outer) || figure.holes.some(outlineHasArcs) : outlineHasArcs(figure);
}

/** The outline run through the other way: a bulge changes its sign and moves to the edge's other end. */
export function reversed(outline: Polygon): Polygon;
export function reversed(outline: Outline): Outline;
export function reversed(outline: Outline): Outline {
  const n = outline.length;
  return outline.map((_, i) => {
    const [x, y] = outline[n - 1 - i];
    return corner(x, y, -bulgeOf(outline[(2 * n - 2 - i) % n]));
  });
}

/**
 * The figure with straight edges only: each arc as chords between points on it, equally far apart.
 *
 * Chords of a full circle in n pieces are r (1 − cos(π/n)) ≈ 4.9 r/n² inside it.
 *
 * @param segments pieces of a full circle, default 64; an arc gets its share, at least 1
 * @example flattened(roundCorners(plate, 2e-3), 256)
 */
export function flattened(figure: Outline, segments?: number): Polygon;
export function flattened(figure: Profile, segments?: number): PolygonProfile;
export function flattened(figure: Outline | Profile, segments?: number): Polygon | PolygonProfile;
export function flattened(figure: Outline | Profile, segments = SEGMENTS): Polygon | PolygonProfile {
  requireCount('flattened.segments', segments, 3);
  return 'outer' in figure
    ? { outer: chords(figure.outer, segments), holes: figure.holes.map((hole) => chords(hole, segments)) }
    : chords(figure, segments);
}

function chords(outline: Outline, segments: number): Polygon {
  if (isPolygon(outline)) return outline;
  const points: Vec2[] = [];
  // two corners and an arc need a third point to have an inside
  const least = outline.length < 3 ? 2 : 1;
  for (let i = 0; i < outline.length; i++) {
    const p = outline[i];
    const bulge = bulgeOf(p);
    points.push([p[0], p[1]]);
    if (bulge === 0) continue;
    const q = outline[(i + 1) % outline.length];
    const pieces = piecesOf(bulge, segments, least);
    for (let k = 1; k < pieces; k++) points.push(edgePoint(p, q, bulge, k / pieces));
  }
  return points;
}

/** The share of an arc in the pieces of a full circle; the small number keeps a whole number of them whole. */
export const piecesOf = (bulge: number, segments: number, least: number): number =>
  Math.max(least, Math.ceil((Math.abs(sweepOf(bulge)) * segments) / (2 * Math.PI) - 1e-9));

const isPolygon = (outline: Outline): outline is Polygon => outline.every((c) => c.length === 2);

/**
 * Points around the outline: its corners, and corners of chains of tangents around the arcs that bulge out of an outline
 * that runs counter-clockwise. Their convex hull holds the outline and reaches at most 0.03 % of a radius beyond it.
 */
export function pointsAround(outline: Outline): Vec2[] {
  const points: Vec2[] = [];
  for (let i = 0; i < outline.length; i++) {
    const p = outline[i];
    const bulge = bulgeOf(p);
    points.push([p[0], p[1]]);
    if (!(bulge > 0)) continue;
    const q = outline[(i + 1) % outline.length];
    const pieces = piecesOf(bulge, 2 * SEGMENTS, 1);
    const { centre } = arcCircle(p, q, bulge);
    const beyond = 1 / cos(sweepOf(bulge) / (2 * pieces)) + 1e-12;
    for (let k = 0; k < pieces; k++) {
      const [x, y] = edgePoint(p, q, bulge, (k + 0.5) / pieces);
      points.push([centre[0] + beyond * (x - centre[0]), centre[1] + beyond * (y - centre[1])]);
    }
  }
  return points;
}

/** Least and greatest x and y, arcs included, m. */
export function outlineBounds(outline: Outline): { readonly min: Vec2; readonly max: Vec2 } {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  const visit = (x: number, y: number): void => {
    left = Math.min(left, x);
    bottom = Math.min(bottom, y);
    right = Math.max(right, x);
    top = Math.max(top, y);
  };
  outline.forEach((p: Corner, i) => {
    visit(p[0], p[1]);
    visitExtremes(p, outline[(i + 1) % outline.length], bulgeOf(p), visit);
  });
  return { min: [left, bottom], max: [right, top] };
}
