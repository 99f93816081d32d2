/**
 * Curve entities of a drawing as chains of lines and arcs: LINE, CIRCLE, ARC, ELLIPSE, LWPOLYLINE, POLYLINE, SPLINE, and the
 * filled quadrilaterals SOLID and TRACE as their borders. Group codes: AutoCAD DXF Reference (2012), "ENTITIES Section".
 *
 * CIRCLE, ARC, LWPOLYLINE, flat POLYLINE, SOLID and TRACE have coordinates in the frame of their normal; LINE, ELLIPSE,
 * SPLINE and the three-dimensional POLYLINE in that of the drawing.
 *
 * Unless a chord error asks for chords, circles and bulges are arcs, ellipses arcs fitted to them within 1e-5 of their
 * longer half axis; splines are always chords.
 */
import { cross, normalize, type Vec3 } from '../../math/vec3.js';
import { circlePoint, cosSin } from '../circle.js';
import {
  bulgeArc,
  bulgeRadius,
  circleArc,
  ellipseArc,
  fittedEllipse,
  fullCircle,
  fullEllipse,
  longestSemiAxis,
  MOST_SEGMENTS,
  type PointSink,
  segmentsOfTurn,
  sideOfCircles,
} from './dxf-curves.js';
import { type Spline, sampleSpline, splineThrough } from './dxf-curves-spline.js';
import { chain, direction, type Frame, frameOfNormal, place } from './dxf-entities-frames.js';
import type { DxfGroups } from './dxf-read-groups.js';
import { findGroup, numberOf } from './dxf-read-sections.js';

export interface CurveEntity {
  readonly groups: DxfGroups;
  readonly type: string;
  /** The entity's groups are [first, end). */
  readonly first: number;
  readonly end: number;
  /** Of a POLYLINE: the groups of its vertices. */
  readonly vertices: readonly (readonly [first: number, end: number])[];
  /** Of the block the entity is in. */
  readonly frame: Frame;
  /** In the drawing's unit; undefined: arcs stay arcs, and chords of other curves are within 1/1000 of the radius. */
  readonly chordError: number | undefined;
  readonly note: (text: string) => void;
}

export type CurveReader = (entity: CurveEntity, sink: PointSink) => 'open' | 'closed';

export const CURVE_READERS: ReadonlyMap<string, CurveReader> = new Map<string, CurveReader>([
  ['LINE', line],
  ['CIRCLE', circle],
  ['ARC', arc],
  ['ELLIPSE', ellipse],
  ['LWPOLYLINE', lightPolyline],
  ['POLYLINE', polyline],
  ['SPLINE', spline],
  ['SOLID', quadrilateral],
  ['TRACE', quadrilateral],
]);

function line(entity: CurveEntity, sink: PointSink): 'open' {
  sink(...place(entity.frame, point(entity, 10)));
  sink(...place(entity.frame, point(entity, 11)));
  return 'open';
}

function circle(entity: CurveEntity, sink: PointSink): 'closed' {
  const [c, u, v] = circleAxes(entity);
  const side = entity.chordError === undefined ? sideOfCircles(u, v) : 0;
  if (side !== 0) fullCircle(c, u, v, side, sink);
  else fullEllipse(c, u, v, segments(entity, longestSemiAxis(u, v)), sink);
  return 'closed';
}

function arc(entity: CurveEntity, sink: PointSink): 'open' | 'closed' {
  const axes = circleAxes(entity);
  const from = required(entity, 50, 'start angle');
  const to = required(entity, 51, 'end angle');
  const perTurn = segments(entity, longestSemiAxis(axes[1], axes[2]));
  const sweep = ((to - from) % 360) + (to - from < 0 ? 360 : 0); // degrees, counter-clockwise from start to end
  const side = entity.chordError === undefined ? sideOfCircles(axes[1], axes[2]) : 0;
  if (!(sweep > 1e-9 && sweep < 360 - 1e-9)) {
    if (side !== 0) fullCircle(...axes, side, sink);
    else fullEllipse(...axes, perTurn, sink);
    return 'closed';
  }
  const degree = Math.PI / 180;
  // Ends by degrees, so that an arc ending at 90° ends exactly there.
  const ends = [circlePoint(from, 360), circlePoint(to, 360)] as const;
  const range = [(from % 360) * degree, sweep * degree] as const;
  if (side !== 0) circleArc(axes, ends, range, side, sink);
  else ellipseArc(axes, ends, range, perTurn, sink);
  return 'open';
}

function ellipse(entity: CurveEntity, sink: PointSink): 'open' | 'closed' {
  const major = point(entity, 11);
  const ratio = required(entity, 40, 'ratio of the axes');
  if (!(ratio > 0)) throw entity.groups.error(entity.first, `ELLIPSE: expected a ratio of axes > 0, got ${ratio}`);
  const across = cross(normalize(normal(entity)), major);
  const c = place(entity.frame, point(entity, 10));
  const u = direction(entity.frame, major);
  const v = direction(entity.frame, [ratio * across[0], ratio * across[1], ratio * across[2]]);
  const longest = longestSemiAxis(u, v);
  if (!(longest > 0)) throw entity.groups.error(entity.first, 'ELLIPSE: expected a major axis longer than 0');
  const perTurn = segments(entity, longest);
  const turn = 2 * Math.PI;
  const fitted = entity.chordError === undefined && u[2] === 0 && v[2] === 0;
  const from = numberOf(entity.groups, entity.first, entity.end, 41, 0);
  const to = numberOf(entity.groups, entity.first, entity.end, 42, turn);
  const sweep = ((to - from) % turn) + (to - from < 0 ? turn : 0); // rad
  if (!(sweep > 1e-9 && sweep < turn - 1e-9)) {
    if (fitted) fittedEllipse([c, u, v], [0, turn], longest, sink);
    else fullEllipse(c, u, v, perTurn, sink);
    return 'closed';
  }
  if (fitted) fittedEllipse([c, u, v], [from, sweep], longest, sink);
  else ellipseArc([c, u, v], [cosSin(from), cosSin(to)], [from, sweep], perTurn, sink);
  return 'open';
}

function lightPolyline(entity: CurveEntity, sink: PointSink): 'open' | 'closed' {
  const { groups, first, end } = entity;
  const z = numberOf(groups, first, end, 38, 0);
  const corners: Vec3[] = [];
  const bulges: number[] = [];
  let x = Number.NaN;
  for (let i = first; i < end; i++) {
    const code = groups.codes[i];
    if (code === 10) x = groups.number(i);
    else if (code === 20) {
      if (Number.isNaN(x)) throw groups.error(i, 'LWPOLYLINE: y (group code 20) without x (group code 10)');
      corners.push([x, groups.number(i), z]);
      bulges.push(0);
      x = Number.NaN;
    } else if (code === 42 && corners.length > 0) bulges[corners.length - 1] = groups.number(i);
  }
  if (!Number.isNaN(x)) throw groups.error(first, 'LWPOLYLINE: x (group code 10) without y (group code 20)');
  const expected = numberOf(groups, first, end, 90, corners.length);
  if (expected !== corners.length)
    throw groups.error(first, `LWPOLYLINE: expected the ${expected} corners it announces, got ${corners.length}`);
  const closed = (numberOf(groups, first, end, 70, 0) & 1) !== 0;
  bulgedPath(entity, flatFrame(entity), corners, bulges, closed, sink);
  return closed ? 'closed' : 'open';
}

function polyline(entity: CurveEntity, sink: PointSink): 'open' | 'closed' {
  const { groups, first, end, vertices } = entity;
  const flags = numberOf(groups, first, end, 70, 0);
  const flat = (flags & 8) === 0;
  const elevation = numberOf(groups, first, end, 30, 0);
  const corners: Vec3[] = [];
  const bulges: number[] = [];
  for (const [from, to] of vertices) {
    if ((numberOf(groups, from, to, 70, 0) & 16) !== 0) continue; // frame of a smoothed polyline, not on the curve
    const part = { ...entity, type: 'VERTEX', first: from, end: to };
    const [x, y, z] = point(part, 10);
    corners.push([x, y, flat ? elevation : z]);
    bulges.push(flat ? numberOf(groups, from, to, 42, 0) : 0);
  }
  const closed = (flags & 1) !== 0;
  bulgedPath(entity, flat ? flatFrame(entity) : entity.frame, corners, bulges, closed, sink);
  return closed ? 'closed' : 'open';
}

/** Straight and arc segments between corners; a bulge belongs to the segment that starts at its corner. */
function bulgedPath(
  entity: CurveEntity,
  frame: Frame,
  corners: readonly Vec3[],
  bulges: readonly number[],
  closed: boolean,
  sink: PointSink,
): void {
  for (let i = 0; i < corners.length; i++) {
    const p = place(frame, corners[i]);
    const next = corners[(i + 1) % corners.length];
    const dx = next[0] - corners[i][0];
    const dy = next[1] - corners[i][1];
    const straight = bulges[i] === 0 || (i + 1 === corners.length && !closed) || (dx === 0 && dy === 0);
    const d = direction(frame, [dx, dy, 0]);
    const n = direction(frame, [-dy, dx, 0]);
    const side = straight || entity.chordError !== undefined ? 0 : sideOfCircles(d, n);
    sink(p[0], p[1], p[2], side * bulges[i]);
    if (straight || side !== 0) continue;
    bulgeArc(p, d, n, bulges[i], segments(entity, bulgeRadius(d, n, bulges[i])), sink);
  }
}

function quadrilateral(entity: CurveEntity, sink: PointSink): 'closed' {
  const frame = flatFrame(entity);
  // The third and fourth corner are stored the other way round; without a fourth it is a triangle.
  const order = findGroup(entity.groups, entity.first, entity.end, 13) < 0 ? [10, 11, 12] : [10, 11, 13, 12];
  for (const code of order) sink(...place(frame, point(entity, code)));
  return 'closed';
}

function spline(entity: CurveEntity, sink: PointSink): 'open' {
  const { groups, first, end } = entity;
  const refuse = (defect: string): never => {
    throw groups.error(first, `SPLINE: ${defect}`);
  };
  const flags = numberOf(groups, first, end, 70, 0);
  const degree = numberOf(groups, first, end, 71, 3);
  const poles = pointList(entity, 10);
  if (poles.length === 0) {
    const fit = pointList(entity, 11).filter((p, i, all) => i === 0 || !same(p, all[i - 1]));
    const closed = (flags & 3) !== 0;
    if (closed && fit.length > 1 && same(fit[0], fit[fit.length - 1])) fit.pop();
    if (fit.length < (closed ? 3 : 2)) refuse('it has neither control points nor enough points to pass through');
    entity.note(
      'a SPLINE given by the points it passes through is read as the cubic spline through them; the CAD program may draw it a little differently between them',
    );
    const tangent = (code: number): Vec3 | undefined =>
      findGroup(groups, first, end, code) < 0 ? undefined : direction(entity.frame, normalize(point(entity, code)));
    const startTangent = tangent(12);
    const endTangent = tangent(13);
    const smooth = splineThrough(fit, {
      closed,
      ...(startTangent && norm2(startTangent) > 0 ? { startTangent } : {}),
      ...(endTangent && norm2(endTangent) > 0 ? { endTangent } : {}),
    });
    sampleSpline(smooth, entity.chordError, sink);
    return 'open';
  }
  if (!(Number.isInteger(degree) && degree >= 1 && degree <= 25))
    refuse(`expected a degree from 1 to 25, got ${degree}`);
  const knots: number[] = [];
  const weights: number[] = [];
  for (let i = first; i < end; i++) {
    if (groups.codes[i] === 40) knots.push(groups.number(i));
    else if (groups.codes[i] === 41) weights.push(groups.number(i));
  }
  const n = poles.length;
  if (n < degree + 1) refuse(`expected at least ${degree + 1} control points for degree ${degree}, got ${n}`);
  if (knots.length !== n + degree + 1)
    refuse(`expected ${n + degree + 1} knots for ${n} control points of degree ${degree}, got ${knots.length}`);
  for (let i = 1; i < knots.length; i++)
    if (!(knots[i] >= knots[i - 1]))
      refuse(`expected knots that do not decrease, got ${knots[i]} after ${knots[i - 1]}`);
  if (!(knots[n] > knots[degree])) refuse('expected knots that span an interval, got all equal');
  if (weights.length !== 0 && weights.length !== n) refuse(`expected ${n} weights, got ${weights.length}`);
  const control = new Float64Array(4 * n);
  for (let i = 0; i < n; i++) {
    const w = weights[i] ?? 1;
    if (!(w > 0)) refuse(`expected weights > 0, got ${w}`);
    control.set([w * poles[i][0], w * poles[i][1], w * poles[i][2], w], 4 * i);
  }
  const curve: Spline = { degree, knots: Float64Array.from(knots), control };
  sampleSpline(curve, entity.chordError, sink);
  return 'open'; // a closed one ends where it started, which joining finds
}

/** Points of group codes code, code + 10, code + 20 that follow each other, placed in the drawing. */
function pointList({ groups, first, end, frame }: CurveEntity, code: number): Vec3[] {
  const points: Vec3[] = [];
  for (let i = first; i < end; i++) {
    if (groups.codes[i] !== code) continue;
    if (!(i + 1 < end && groups.codes[i + 1] === code + 10))
      throw groups.error(i, `a point's x (group code ${code}) without y (group code ${code + 10})`);
    const z = i + 2 < end && groups.codes[i + 2] === code + 20 ? groups.number(i + 2) : 0;
    points.push(place(frame, [groups.number(i), groups.number(i + 1), z]));
  }
  return points;
}

/** Centre and the two radii along the axes of the entity's frame, seen from the drawing. */
function circleAxes(entity: CurveEntity): [Vec3, Vec3, Vec3] {
  const radius = required(entity, 40, 'radius');
  if (!(radius > 0)) throw entity.groups.error(entity.first, `${entity.type}: expected a radius > 0, got ${radius}`);
  const frame = flatFrame(entity);
  return [place(frame, point(entity, 10)), direction(frame, [radius, 0, 0]), direction(frame, [0, radius, 0])];
}

function segments({ groups, first, type, chordError }: CurveEntity, radius: number): number {
  const count = segmentsOfTurn(radius, chordError);
  if (count <= MOST_SEGMENTS) return count;
  throw groups.error(
    first,
    `${type} of radius ${radius} would take ${count} segments a turn; expected a chord error that asks for at most ${MOST_SEGMENTS}`,
  );
}

function normal({ groups, first, end }: CurveEntity): Vec3 {
  return [
    numberOf(groups, first, end, 210, 0),
    numberOf(groups, first, end, 220, 0),
    numberOf(groups, first, end, 230, 1),
  ];
}

function flatFrame(entity: CurveEntity): Frame {
  const frame = frameOfNormal(normal(entity));
  if (!frame) throw entity.groups.error(entity.first, `${entity.type}: its extrusion direction is the zero vector`);
  return chain(entity.frame, frame);
}

/** The point of group codes code, code + 10 and code + 20; z may be missing. */
function point(entity: CurveEntity, code: number): Vec3 {
  return [
    required(entity, code, 'x'),
    required(entity, code + 10, 'y'),
    numberOf(entity.groups, entity.first, entity.end, code + 20, 0),
  ];
}

function required({ groups, first, end, type }: CurveEntity, code: number, what: string): number {
  const i = findGroup(groups, first, end, code);
  if (i < 0) throw groups.error(first, `${type}: its ${what} (group code ${code}) is missing`);
  return groups.number(i);
}

const same = (a: Vec3, b: Vec3): boolean => a[0] === b[0] && a[1] === b[1] && a[2] === b[2];
const norm2 = (a: Vec3): number => a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
