/** Outlines of lines and arcs as the sketcher has them: corners `[x, y, bulge]`, open while they are drawn. */
import { arcCircle, corner, edgePoint } from '../../geometry/arc.js';
import { perimeter, signedArea } from '../../geometry/polygon-measure.js';
import type { Outline } from '../../geometry/profile.js';
import type { Vec2 } from '../../math/vec3.js';
import type { SketchCorner, SketchOutline } from '../document/sketch.js';

/** An arc that the pointer bends passes through its own end and would be infinitely large. */
const MOST_BULGE = 50;

const bounded = (bulge: number): number =>
  Number.isFinite(bulge) ? Math.max(-MOST_BULGE, Math.min(MOST_BULGE, bulge)) : MOST_BULGE;

export const sketchCorner = (at: Vec2, bulge = 0): SketchCorner => [at[0], at[1], bulge];

/** As geometry has outlines: no bulge on straight edges. */
export const asOutline = ({ corners }: SketchOutline): Outline => corners.map(([x, y, bulge]) => corner(x, y, bulge));

export const fromOutline = (outline: Outline, closed = true): SketchOutline => ({
  corners: outline.map(([x, y, bulge = 0]) => [x, y, bulge]),
  closed,
});

/** Edges go from corner i to the next; an open outline has none behind its last corner. */
export const edgeCount = ({ corners, closed }: SketchOutline): number =>
  corners.length < 2 ? 0 : closed ? corners.length : corners.length - 1;

export interface Edge {
  readonly from: Vec2;
  readonly to: Vec2;
  readonly bulge: number;
}

export function edgeAt({ corners }: SketchOutline, i: number): Edge {
  const [x, y, bulge] = corners[i];
  const [u, v] = corners[(i + 1) % corners.length];
  return { from: [x, y], to: [u, v], bulge };
}

export const edgeMiddle = ({ from, to, bulge }: Edge): Vec2 => edgePoint(from, to, bulge, 0.5);

export const edgeLength = ({ from, to, bulge }: Edge): number => {
  const chord = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (bulge === 0) return chord;
  const { radius, sweep } = arcCircle(from, to, bulge);
  return radius * Math.abs(sweep);
};

/**
 * Bulge of the arc from p to q through m. The angle α at which m sees p and q is π less half the sweep, so
 * tan(sweep/4) = cot(α/2) = (|u| |v| + u·v)/|u × v| with u = p − m, v = q − m; an arc to the left of its chord turns right.
 */
export function bulgeThrough(p: Vec2, m: Vec2, q: Vec2): number {
  const [ux, uy, vx, vy] = [p[0] - m[0], p[1] - m[1], q[0] - m[0], q[1] - m[1]];
  const cross = ux * vy - uy * vx;
  const size = Math.hypot(ux, uy) * Math.hypot(vx, vy);
  if (Math.abs(cross) <= 1e-9 * size) return ux * vx + uy * vy <= 0 ? 0 : MOST_BULGE; // on the chord, or beside it
  return bounded(-(size + ux * vx + uy * vy) / cross);
}

/** Bulge of the arc from p to q that begins along the unit vector t: (t × c)/(|c| + t·c), c = q − p. */
export function bulgeAlong(t: Vec2, p: Vec2, q: Vec2): number {
  const [x, y] = [q[0] - p[0], q[1] - p[1]];
  return bounded((t[0] * y - t[1] * x) / (Math.hypot(x, y) + t[0] * x + t[1] * y));
}

/** Two half circles. */
export const circle = (centre: Vec2, radius: number): SketchOutline => ({
  corners: [
    [centre[0] + radius, centre[1], 1],
    [centre[0] - radius, centre[1], 1],
  ],
  closed: true,
});

/** Centre and radius where the outline is nothing but one circle. */
export function asCircle(outline: SketchOutline): { readonly centre: Vec2; readonly radius: number } | undefined {
  const { corners, closed } = outline;
  if (!closed || corners.length !== 2 || Math.abs(corners[0][2]) !== 1 || corners[0][2] !== corners[1][2])
    return undefined;
  const { from, to } = edgeAt(outline, 0);
  return {
    centre: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2],
    radius: Math.hypot(to[0] - from[0], to[1] - from[1]) / 2,
  };
}

/** m²; of an open outline that of the line drawn back to its start. */
export const areaOf = (outline: SketchOutline): number =>
  outline.corners.length < 2 ? 0 : Math.abs(signedArea(asOutline(outline)));
export const lengthOf = (outline: SketchOutline): number => perimeter(asOutline(outline));

/** Number of corners and arcs, in words: `41 corners, 3 arcs` or `circle Ø 0.2 mm`. */
export function outlineText(outline: SketchOutline): string {
  const round = asCircle(outline);
  if (round) return `circle Ø ${millimetres(2 * round.radius)}`;
  const arcs = outline.corners.slice(0, edgeCount(outline)).filter(([, , bulge]) => bulge !== 0).length;
  const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
  return many(outline.corners.length, 'corner') + (arcs > 0 ? `, ${many(arcs, 'arc')}` : '');
}

/** A length for people; the page works in mm. */
export const millimetres = (metres: number, digits = 4): string => `${Number((1e3 * metres).toPrecision(digits))} mm`;

/** The way of an SVG path in the drawing's own axes, y up: arcs stay arcs. */
export function pathOf(outline: SketchOutline, places: (metres: number) => number = (metres) => metres): string {
  const { corners, closed } = outline;
  if (corners.length === 0) return '';
  const at = ([x, y]: readonly number[]): string => `${places(x)} ${places(y)}`;
  let text = `M${at(corners[0])}`;
  for (let i = 0; i < edgeCount(outline); i++) {
    const { from, to, bulge } = edgeAt(outline, i);
    if (bulge === 0) text += `L${at(to)}`;
    else {
      const radius = places(arcCircle(from, to, bulge).radius);
      text += `A${radius} ${radius} 0 ${Math.abs(bulge) > 1 ? 1 : 0} ${bulge > 0 ? 1 : 0} ${at(to)}`;
    }
  }
  return closed && corners.length > 1 ? `${text}Z` : text;
}

/** Smallest box around all corners and arcs' middles, m; undefined of nothing. */
export function boundsOf(outlines: readonly SketchOutline[]): readonly [Vec2, Vec2] | undefined {
  const points = outlines.flatMap((outline) => [
    ...outline.corners,
    ...Array.from({ length: edgeCount(outline) }, (_, i) => edgeMiddle(edgeAt(outline, i))),
  ]);
  if (points.length === 0) return undefined;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [
    [Math.min(...xs), Math.min(...ys)],
    [Math.max(...xs), Math.max(...ys)],
  ];
}
