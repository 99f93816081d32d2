/**
 * B-splines, rational or not, as chains of points, and the spline through given points.
 *
 * C(t) = Σ N_i(t) w_i P_i / Σ N_i(t) w_i, evaluated by de Boor's algorithm on (w P, w). Each knot span is halved until
 * a quarter, half and three quarters of a piece lie close enough to its chord; knots are always points of the chain,
 * so corners at multiple knots stay.
 *
 * Piegl & Tiller, The NURBS Book (1997), §3.2, §4.2; de Boor, A Practical Guide to Splines (2001), ch. IV.
 */
import { norm, type Vec3 } from '../../math/vec3.js';
import type { PointSink } from './dxf-curves.js';

export interface Spline {
  readonly degree: number;
  /** Not decreasing; as many as control points + degree + 1. */
  readonly knots: Float64Array;
  /** 4 per control point: w x, w y, w z, w with w > 0 */
  readonly control: Float64Array;
}

/**
 * Arc that turns by Δ: sagitta / chord = tan(Δ/4) / 2. 72 chords a turn are 1/1000 of the radius away from the arc, the
 * default of circles; 32 a turn are the fewest.
 */
const DEFAULT_SAGITTA = Math.PI / 288;
const LARGEST_SAGITTA = Math.PI / 128;
/** Detail smaller than this part of the spline's extent (a cusp) is not followed. */
const FINEST = 1e-6;
const DEEPEST = 16;

/** Points from start to end, both included. `chordError` in the unit of the control points; undefined for the default. */
export function sampleSpline(spline: Spline, chordError: number | undefined, sink: PointSink): void {
  const { degree, knots, control } = spline;
  const count = control.length / 4;
  const point = evaluator(spline);
  const finest = FINEST * extent(control);
  const flat = (deviation: number, chord: number): boolean =>
    chordError === undefined
      ? deviation <= DEFAULT_SAGITTA * chord || deviation <= finest
      : deviation <= chordError && (deviation <= LARGEST_SAGITTA * chord || deviation <= finest);

  let span = degree;
  // Emits the curve over (a, b]; p is the point at a, q at b.
  const piece = (a: number, b: number, p: Vec3, q: Vec3, depth: number): void => {
    const middle = (a + b) / 2;
    const half = point(middle, span);
    if (degree > 1 && depth < DEEPEST) {
      const chord = norm([q[0] - p[0], q[1] - p[1], q[2] - p[2]]);
      const deviation = Math.max(
        distanceToSegment(half, p, q),
        distanceToSegment(point(a + (b - a) / 4, span), p, q),
        distanceToSegment(point(b - (b - a) / 4, span), p, q),
      );
      if (!flat(deviation, chord)) {
        piece(a, middle, p, half, depth + 1);
        piece(middle, b, half, q, depth + 1);
        return;
      }
    }
    sink(q[0], q[1], q[2]);
  };
  let p = point(knots[degree], firstSpan(knots, degree, count));
  sink(p[0], p[1], p[2]);
  for (span = degree; span < count; span++) {
    const a = knots[span];
    const b = knots[span + 1];
    if (!(b > a)) continue;
    // As many pieces as the degree, so that no wave of the polynomial hides between three trial points.
    for (let i = 0; i < degree; i++) {
      const to = i + 1 === degree ? b : a + ((b - a) * (i + 1)) / degree;
      const q = point(to, span);
      piece(a + ((b - a) * i) / degree, to, p, q, 0);
      p = q;
    }
  }
}

function firstSpan(knots: Float64Array, degree: number, count: number): number {
  let span = degree;
  while (span < count - 1 && !(knots[span + 1] > knots[span])) span++;
  return span;
}

/** de Boor's algorithm: the point at t in [knots[span], knots[span + 1]]. */
function evaluator({ degree, knots, control }: Spline): (t: number, span: number) => Vec3 {
  const work = new Float64Array(4 * (degree + 1));
  return (t, span) => {
    work.set(control.subarray(4 * (span - degree), 4 * (span + 1)));
    for (let level = 1; level <= degree; level++)
      for (let j = degree; j >= level; j--) {
        const left = knots[span - degree + j];
        const alpha = (t - left) / (knots[span + 1 + j - level] - left);
        for (let k = 4 * j; k < 4 * j + 4; k++) work[k] = (1 - alpha) * work[k - 4] + alpha * work[k];
      }
    const last = 4 * degree;
    const w = work[last + 3];
    return [work[last] / w, work[last + 1] / w, work[last + 2] / w];
  };
}

/** Longest side of the box around the control points. */
function extent(control: Float64Array): number {
  let longest = 0;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < control.length; i += 4) {
      const x = control[i + k] / control[i + 3];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    longest = Math.max(longest, high - low);
  }
  return longest;
}

function distanceToSegment(p: Vec3, a: Vec3, b: Vec3): number {
  const d: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const e: Vec3 = [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
  const dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const s = dd > 0 ? Math.min(1, Math.max(0, (d[0] * e[0] + d[1] * e[1] + d[2] * e[2]) / dd)) : 0;
  return norm([e[0] - s * d[0], e[1] - s * d[1], e[2] - s * d[2]]);
}

/**
 * The cubic spline with continuous curvature through `points`, parameter by chord length. Where an end has no tangent
 * the curvature there is 0; a closed spline goes on smoothly from the last point to the first.
 *
 * With h_i the chords and m_i the derivatives, de Boor (2001), ch. IV, eq. 8:
 *   h_i m_{i−1} + 2 (h_{i−1} + h_i) m_i + h_{i−1} m_{i+1} = 3 (h_i Δ_{i−1} + h_{i−1} Δ_i),  Δ_i = (p_{i+1} − p_i) / h_i
 *
 * @param points at least 2 (3 if closed), no neighbours equal
 */
export function splineThrough(
  points: readonly Vec3[],
  { closed, startTangent, endTangent }: { closed: boolean; startTangent?: Vec3; endTangent?: Vec3 },
): Spline {
  const path = closed ? [...points, points[0]] : points;
  const n = path.length - 1; // pieces
  const h = Float64Array.from({ length: n }, (_, i) =>
    norm([path[i + 1][0] - path[i][0], path[i + 1][1] - path[i][1], path[i + 1][2] - path[i][2]]),
  );
  const slopes = [0, 1, 2].map((k) => {
    const delta = Float64Array.from({ length: n }, (_, i) => (path[i + 1][k] - path[i][k]) / h[i]);
    const rows = closed ? n : n + 1;
    const lower = new Float64Array(rows);
    const diagonal = new Float64Array(rows);
    const upper = new Float64Array(rows);
    const right = new Float64Array(rows);
    for (let i = 0; i < rows; i++) {
      const before = closed ? (i + n - 1) % n : i - 1;
      if (!closed && (i === 0 || i === n)) {
        const tangent = i === 0 ? startTangent : endTangent;
        diagonal[i] = tangent ? 1 : 2;
        if (!tangent) (i === 0 ? upper : lower)[i] = 1;
        right[i] = tangent ? tangent[k] : 3 * delta[i === 0 ? 0 : n - 1];
      } else {
        lower[i] = h[i];
        diagonal[i] = 2 * (h[before] + h[i]);
        upper[i] = h[before];
        right[i] = 3 * (h[i] * delta[before] + h[before] * delta[i]);
      }
    }
    const m = closed ? solveCyclic(lower, diagonal, upper, right) : solveTridiagonal(lower, diagonal, upper, right);
    return closed ? Float64Array.from([...m, m[0]]) : m;
  });
  // Each piece is a cubic Bézier curve: knots three times each, four at the ends.
  const control = new Float64Array(4 * (3 * n + 1));
  const knots = new Float64Array(3 * n + 5);
  let t = 0;
  for (let i = 0; i <= n; i++) {
    for (let k = 0; k < 3; k++) {
      const x = path[i][k];
      control[12 * i + k] = x;
      if (i < n) control[12 * i + 4 + k] = x + (h[i] * slopes[k][i]) / 3;
      if (i > 0) control[12 * i - 4 + k] = x - (h[i - 1] * slopes[k][i]) / 3;
    }
    for (let j = 0; j < 3; j++) knots[3 * i + 1 + j] = t;
    if (i < n) t += h[i];
  }
  knots[knots.length - 1] = t;
  for (let i = 3; i < control.length; i += 4) control[i] = 1;
  return { degree: 3, knots, control };
}

/** Thomas algorithm; the matrices here are diagonally dominant, so no pivots are needed. */
function solveTridiagonal(
  lower: Float64Array,
  diagonal: Float64Array,
  upper: Float64Array,
  right: Float64Array,
): Float64Array {
  const n = right.length;
  const x = Float64Array.from(right);
  const pivot = Float64Array.from(diagonal);
  for (let i = 1; i < n; i++) {
    const factor = lower[i] / pivot[i - 1];
    pivot[i] -= factor * upper[i - 1];
    x[i] -= factor * x[i - 1];
  }
  x[n - 1] /= pivot[n - 1];
  for (let i = n - 2; i >= 0; i--) x[i] = (x[i] - upper[i] * x[i + 1]) / pivot[i];
  return x;
}

/** Tridiagonal with the corners lower[0] and upper[n − 1], by the Sherman–Morrison formula; n ≥ 3. */
function solveCyclic(
  lower: Float64Array,
  diagonal: Float64Array,
  upper: Float64Array,
  right: Float64Array,
): Float64Array {
  const n = right.length;
  const gamma = -diagonal[0];
  const changed = Float64Array.from(diagonal);
  changed[0] -= gamma;
  changed[n - 1] -= (lower[0] * upper[n - 1]) / gamma;
  const x = solveTridiagonal(lower, changed, upper, right);
  const u = new Float64Array(n);
  u[0] = gamma;
  u[n - 1] = upper[n - 1];
  const z = solveTridiagonal(lower, changed, upper, u);
  const ratio = lower[0] / gamma;
  const factor = (x[0] + ratio * x[n - 1]) / (1 + z[0] + ratio * z[n - 1]);
  return x.map((value, i) => value - factor * z[i]);
}
