/**
 * Curves of a drawing as chains of points.
 *
 * An arc of a circle or ellipse, in whatever frame, is p(t) = c + u cos t + v sin t. With steps Δ in t, no chord is
 * farther from its arc than a (1 − cos(Δ/2)), where a is the longest semi-axis: the bound of the circle stretched with
 * it. So Δ = 4 asin √(e / 2a) keeps the distance e.
 */
import { asin, atan, cos, sin, tan } from '../../math/elementary.js';
import { dot, type Vec3 } from '../../math/vec3.js';
import { circlePoint } from '../circle.js';
import { fitArcs } from '../fit-arcs.js';

/** Default distance of chord and arc, as part of the radius. */
const DEFAULT_CHORD_ERROR = 1e-3;
/** Segments of a full turn. */
const FEWEST = 32;
export const MOST_SEGMENTS = 100_000;

/** Takes the points of one curve after the other, in the drawing's unit, and the bulge of the arc to the next; none: a line. */
export type PointSink = (x: number, y: number, z: number, bulge?: number) => void;

/**
 * The side to which a frame with the axes u and v turns in the drawing's plane: 1 counter-clockwise, −1 clockwise; 0 if it
 * lies aslant or stretches unevenly, so that its circles are none in the drawing.
 */
export function sideOfCircles(u: Vec3, v: Vec3): 1 | -1 | 0 {
  const [uu, vv] = [u[0] * u[0] + u[1] * u[1], v[0] * v[0] + v[1] * v[1]];
  const slack = 1e-12 * (uu + vv);
  const aslant = u[2] * u[2] + v[2] * v[2] > 1e-12 * slack;
  if (aslant || !(Math.abs(uu - vv) <= slack && Math.abs(u[0] * v[0] + u[1] * v[1]) <= slack)) return 0;
  return u[0] * v[1] - u[1] * v[0] > 0 ? 1 : -1;
}

/** tan(90°/4) */
const QUARTER = Math.SQRT2 - 1;

/** A full circle as four arcs. @param side as sideOfCircles says */
export function fullCircle(c: Vec3, u: Vec3, v: Vec3, side: 1 | -1, sink: PointSink): void {
  for (let i = 0; i < 4; i++) {
    const [x, y] = circlePoint(i, 4);
    sink(c[0] + (u[0] * x + v[0] * y), c[1] + (u[1] * x + v[1] * y), c[2], side * QUARTER);
  }
}

/** An ellipse level with the drawing, or a part of it, as arcs within 1e-5 of its longer half axis. */
export function fittedEllipse(
  [c, u, v]: readonly [Vec3, Vec3, Vec3],
  [from, sweep]: readonly [number, number],
  longest: number,
  sink: PointSink,
): void {
  const chain = fitArcs(
    (t) => [c[0] + (u[0] * cos(t) + v[0] * sin(t)), c[1] + (u[1] * cos(t) + v[1] * sin(t))],
    (t) => [v[0] * cos(t) - u[0] * sin(t), v[1] * cos(t) - u[1] * sin(t)],
    from,
    from + sweep,
    { tolerance: 1e-5 * longest },
  );
  for (const [x, y, bulge = 0] of chain) sink(x, y, c[2], bulge);
}

/** A circular arc as two, so that none is more than half a circle; arguments as for ellipseArc. */
export function circleArc(
  [c, u, v]: readonly [Vec3, Vec3, Vec3],
  [start, end]: readonly [readonly [number, number], readonly [number, number]],
  [from, sweep]: readonly [number, number],
  side: 1 | -1,
  sink: PointSink,
): void {
  const middle = [cos(from + sweep / 2), sin(from + sweep / 2)] as const;
  const bulge = side * tan(sweep / 8);
  const put = ([x, y]: readonly [number, number], b: number) =>
    sink(c[0] + (u[0] * x + v[0] * y), c[1] + (u[1] * x + v[1] * y), c[2], b);
  put(start, bulge);
  put(middle, bulge);
  put(end, 0);
}

/**
 * Segments for a full turn, a multiple of 4; more than MOST_SEGMENTS (infinite too) if the chord error asks for that.
 *
 * @param chordError in the unit of the radius; undefined for 1/1000 of the radius
 */
export function segmentsOfTurn(radius: number, chordError: number | undefined): number {
  const relative = chordError === undefined ? DEFAULT_CHORD_ERROR : chordError / radius;
  if (!(relative < 1)) return FEWEST; // also for radius 0
  const step = 4 * asin(Math.sqrt(relative / 2));
  return Math.max(FEWEST, 4 * Math.ceil((2 * Math.PI) / step / 4 - 1e-9));
}

/** Longest semi-axis of the ellipse c + u cos t + v sin t: the larger singular value of (u v). */
export function longestSemiAxis(u: Vec3, v: Vec3): number {
  const uu = dot(u, u);
  const vv = dot(v, v);
  const uv = dot(u, v);
  const half = (uu - vv) / 2;
  return Math.sqrt((uu + vv) / 2 + Math.sqrt(half * half + uv * uv));
}

/** All points of a full ellipse from t = 0, the first not repeated; symmetric to the last bit about its centre. */
export function fullEllipse(c: Vec3, u: Vec3, v: Vec3, segments: number, sink: PointSink): void {
  for (let i = 0; i < segments; i++) {
    const [x, y] = circlePoint(i, segments);
    sink(c[0] + (u[0] * x + v[0] * y), c[1] + (u[1] * x + v[1] * y), c[2] + (u[2] * x + v[2] * y));
  }
}

/**
 * Points of an elliptic arc, both ends included.
 *
 * @param start (cos, sin) at the start, as exact as the caller knows it; `end` likewise
 * @param from  t at the start, rad; sweep > 0, rad
 */
export function ellipseArc(
  [c, u, v]: readonly [Vec3, Vec3, Vec3],
  [start, end]: readonly [readonly [number, number], readonly [number, number]],
  [from, sweep]: readonly [number, number],
  segmentsPerTurn: number,
  sink: PointSink,
): void {
  const segments = arcSegments(sweep, segmentsPerTurn);
  for (let i = 0; i <= segments; i++) {
    const t = from + (sweep * i) / segments;
    const [x, y] = i === 0 ? start : i === segments ? end : [cos(t), sin(t)];
    sink(c[0] + (u[0] * x + v[0] * y), c[1] + (u[1] * x + v[1] * y), c[2] + (u[2] * x + v[2] * y));
  }
}

/**
 * Points of the arc from p with chord d, without its two ends.
 *
 * The bulge b = tan(θ/4) has the included angle θ, positive counter-clockwise. Seen from p, the point that has turned
 * by φ lies at chord length sin(φ/2) / sin(θ/2) of d's in the direction of d turned by −(θ − φ)/2; no centre
 * appears, so an almost straight arc with a centre far away loses no digits.
 *
 * @param d chord, and n the same turned by 90° counter-clockwise in the plane of the arc; both in any affine image
 */
export function bulgeArc(p: Vec3, d: Vec3, n: Vec3, bulge: number, segmentsPerTurn: number, sink: PointSink): void {
  const angle = 4 * atan(bulge);
  const segments = arcSegments(Math.abs(angle), segmentsPerTurn);
  const whole = sin(angle / 2);
  for (let i = 1; i < segments; i++) {
    const turned = (angle * i) / segments;
    const length = sin(turned / 2) / whole;
    const along = length * cos((angle - turned) / 2);
    const across = -length * sin((angle - turned) / 2);
    sink(
      p[0] + (along * d[0] + across * n[0]),
      p[1] + (along * d[1] + across * n[1]),
      p[2] + (along * d[2] + across * n[2]),
    );
  }
}

/** Longest semi-axis of the ellipse a bulge arc lies on: r = |d| (1 + b²) / 4|b| along both d and n. */
export function bulgeRadius(d: Vec3, n: Vec3, bulge: number): number {
  return (longestSemiAxis(d, n) * (1 + bulge * bulge)) / (4 * Math.abs(bulge));
}

/** Segments of an arc: its part of the full turn, rounded up. */
export const arcSegments = (sweep: number, segmentsPerTurn: number): number =>
  Math.max(1, Math.ceil((segmentsPerTurn * sweep) / (2 * Math.PI) - 1e-9));
