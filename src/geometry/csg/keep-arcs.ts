/**
 * Arcs of operands in what CSG made of their chords.
 *
 * CSG works on polygons. An edge of its result is a piece of a chord of one operand, and so belongs to an arc or line of that operand's outline: runs of edges of one
 * arc become that arc again, and a corner between two runs moves from where chords cross to where the arcs do, no further than a chord is long. What belongs to nothing
 * stays as it is.
 */
import { atan2, cos, sin } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';
import { arcCircle, bulgeOf, bulgeOfSweep, corner, edgePoint } from '../arc.js';
import { circle } from '../circle-outline.js';
import { piecesOf, reversed, SEGMENTS } from '../outline.js';
import type { Corner, Outline, Polygon, Profile } from '../profile.js';

/** A line or arc of an operand, with the chords as which its mesh has it. */
export interface Source {
  /** Undefined: a straight line */
  readonly arc?: { readonly centre: Vec2; readonly radius: number; readonly turn: 1 | -1 };
  /** Where it begins and ends; a whole circle does neither. */
  readonly ends?: readonly [Vec2, Vec2];
  readonly chords: readonly (readonly [Vec2, Vec2])[];
}

/** Lines and arcs of a profile, drawn with so many pieces of a full circle. */
export function sourcesOf({ outer, holes }: Profile, segments = SEGMENTS): Source[] {
  return [outer, ...holes].flatMap((outline) => {
    const least = outline.length < 3 ? 2 : 1;
    return outline.map((p, i): Source => {
      const q = outline[(i + 1) % outline.length];
      const ends: [Vec2, Vec2] = [
        [p[0], p[1]],
        [q[0], q[1]],
      ];
      const bulge = bulgeOf(p);
      if (bulge === 0) return { ends, chords: [ends] };
      const { centre, radius } = arcCircle(p, q, bulge);
      const pieces = piecesOf(bulge, segments, least);
      const point = (k: number): Vec2 =>
        k === 0 ? ends[0] : k === pieces ? ends[1] : edgePoint(p, q, bulge, k / pieces);
      return {
        arc: { centre, radius, turn: bulge > 0 ? 1 : -1 },
        ends,
        chords: Array.from({ length: pieces }, (_, k) => [point(k), point(k + 1)] as const),
      };
    });
  });
}

/** A circle that is drawn as this polygon, counter-clockwise. */
export const circleSource = (centre: Vec2, radius: number, ring: readonly Vec2[]): Source => ({
  arc: { centre, radius, turn: 1 },
  chords: ring.map((p, i) => [p, ring[(i + 1) % ring.length]] as const),
});

/** Edges of one source, one after the other; `sign` −1: against its direction */
interface Run {
  readonly source: Source | undefined;
  readonly sign: number;
  readonly from: Vec2;
  readonly to: Vec2;
}

/**
 * The outline with the arcs of the sources; the polygon itself where nothing of it is part of an arc, or a corner cannot be told.
 *
 * @param within how near a point is to a line that it lies on, m
 */
export function keepArcs(polygon: Polygon, sources: readonly Source[], within: number): Outline {
  const runs = runsOf(polygon, sources, within);
  if (runs.every(({ source }) => !source?.arc)) return polygon;
  if (runs.length === 1) {
    const { source, sign } = runs[0];
    const { centre, radius, turn } = source!.arc!;
    return sign * turn > 0 ? circle(radius, centre) : reversed(circle(radius, centre));
  }
  const corners = runs.map((run, i) => cornerOf(runs[(i + runs.length - 1) % runs.length], run, within));
  const outline: Corner[] = [];
  for (let i = 0; i < runs.length; i++) {
    const from = corners[i];
    const to = corners[(i + 1) % runs.length];
    if (!from || !to) return polygon;
    const edge = edgeOf(runs[i], from, to, within);
    if (!edge) return polygon;
    outline.push(...edge);
  }
  return outline.length >= 2 ? outline : polygon;
}

function runsOf(polygon: Polygon, sources: readonly Source[], within: number): Run[] {
  const runs: Run[] = [];
  let last: Source | undefined;
  polygon.forEach(([x, y], i) => {
    const [u, v] = polygon[(i + 1) % polygon.length];
    const from: Vec2 = [x, y];
    const to: Vec2 = [u, v];
    // most often it is the same as that of the edge before
    let sign = last ? signOn(last, from, to, within) : 0;
    if (sign === 0) {
      last = sources.find((source) => (sign = signOn(source, from, to, within)) !== 0);
    }
    const before = runs.at(-1);
    if (last && before?.source === last && before.sign === sign) runs[runs.length - 1] = { ...before, to };
    else runs.push({ source: last, sign, from, to });
  });
  const first = runs[0];
  const end = runs[runs.length - 1];
  if (runs.length > 1 && first.source && first.source === end.source && first.sign === end.sign) {
    runs[0] = { ...first, from: end.from };
    runs.pop();
  }
  return runs;
}

/** 1 or −1 if the edge lies on a chord of the source, along or against it; 0 if it does not */
function signOn({ chords }: Source, p: Vec2, q: Vec2, within: number): number {
  for (const [a, b] of chords) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.sqrt(dx * dx + dy * dy);
    const on = ([x, y]: Vec2): boolean => {
      const along = ((x - a[0]) * dx + (y - a[1]) * dy) / length;
      const aside = ((x - a[0]) * dy - (y - a[1]) * dx) / length;
      return Math.abs(aside) <= within && along >= -within && along <= length + within;
    };
    if (on(p) && on(q)) return dx * (q[0] - p[0]) + dy * (q[1] - p[1]) > 0 ? 1 : -1;
  }
  return 0;
}

const distance = (p: Vec2, q: Vec2): number => Math.sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]));

/** Where a run ends and the next one begins; undefined where their arcs do not meet near where their chords do */
function cornerOf(before: Run, after: Run, within: number): Vec2 | undefined {
  const drawn = after.from;
  const [s, t] = [before.source, after.source];
  if (!s || !t || !(s.arc || t.arc)) return drawn;
  const end = s.ends?.[before.sign > 0 ? 1 : 0];
  const start = t.ends?.[after.sign > 0 ? 0 : 1];
  if (end && start && distance(end, drawn) <= within && distance(start, drawn) <= within) return end;
  const found = s.arc ? crossings(s.arc, t, within) : crossings(t.arc!, s, within);
  const reach = Math.max(...[s, t].map(({ arc, chords }) => (arc ? distance(...chords[0]) : 0)));
  let best: Vec2 | undefined;
  for (const point of found) if (distance(point, drawn) < (best ? distance(best, drawn) : reach)) best = point;
  return best;
}

/** Where a circle meets the circle or line of a source */
function crossings(
  { centre: [x, y], radius }: NonNullable<Source['arc']>,
  { arc, chords }: Source,
  within: number,
): Vec2[] {
  // all points at the distance `far` along (ux, uy) from the centre, and `aside` across
  let [ux, uy, far] = [0, 0, 0];
  if (arc) {
    const [dx, dy] = [arc.centre[0] - x, arc.centre[1] - y];
    const d = Math.sqrt(dx * dx + dy * dy);
    if (!(d > 0)) return [];
    [ux, uy] = [dx / d, dy / d];
    far = 0.5 * (d + ((radius - arc.radius) * (radius + arc.radius)) / d);
  } else {
    const [[a, b], [c, d]] = chords[0];
    const length = distance([a, b], [c, d]);
    [ux, uy] = [(d - b) / length, (a - c) / length];
    far = (a - x) * ux + (b - y) * uy;
  }
  const beyond = Math.abs(far) - radius;
  if (beyond > within) return [];
  // tangent to rounding: the one point
  const aside = Math.sqrt(Math.max(0, -beyond * (radius + Math.abs(far))));
  if (beyond > 0) far = far > 0 ? radius : -radius;
  return [-aside, aside].map((h): Vec2 => [x + far * ux - h * uy, y + far * uy + h * ux]);
}

/** The corners of a run but for its end, with bulges; undefined if it is no part of its arc */
function edgeOf({ source, sign }: Run, from: Vec2, to: Vec2, within: number): Corner[] | undefined {
  if (!source?.arc) return [from];
  const { centre, radius, turn } = source.arc;
  for (const point of [from, to]) if (!(Math.abs(distance(point, centre) - radius) <= within)) return undefined;
  const direction = sign * turn;
  const angle = ([x, y]: Vec2): number => atan2(y - centre[1], x - centre[0]);
  let sweep = direction * (angle(to) - angle(from));
  while (sweep <= 0) sweep += 2 * Math.PI;
  // what went once round has no length
  if (sweep > 2 * Math.PI - within / radius) return undefined;
  const parts = Math.ceil(sweep / 2 - 1e-9);
  const bulge = direction * bulgeOfSweep(sweep / parts);
  return Array.from({ length: parts }, (_, k) => {
    if (k === 0) return corner(from[0], from[1], bulge);
    const at = angle(from) + (direction * sweep * k) / parts;
    return corner(centre[0] + radius * cos(at), centre[1] + radius * sin(at), bulge);
  });
}
