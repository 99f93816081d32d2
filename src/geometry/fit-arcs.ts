/**
 * Smooth curves as chains of circular arcs with a common tangent where they meet: biarcs, two arcs to each span.
 *
 * A span from p to q with unit tangents t₀ and t₁ is two arcs that meet at J with tangent lengths δ on both sides:
 *
 *   v = q − p,   s = t₀ + t₁,   δ = v² / (v·s + √((v·s)² + 2 (1 − t₀·t₁) v²)),   J = ½ (p + q + δ (t₀ − t₁))
 *
 * The bulge of a chord c that starts along t is (t × c)/(|c| + t·c). Spans are made one after the other, each as long as
 * its error allows; that is about |κ′| h³/324 for a span of length h whose curvature changes by κ′ a length, so the number
 * of arcs grows with tolerance^(−1/3), where chords would grow with tolerance^(−1/2).
 *
 * Bolton (1975), Biarc curves, Computer-Aided Design 7, 89–92.
 */
import { ModelError } from '../errors.js';
import { cbrt } from '../math/elementary.js';
import type { Vec2 } from '../math/vec3.js';
import { corner } from './arc.js';
import type { Corner } from './profile.js';
import { requireFinite, requireLength } from './require.js';

export interface FitArcsOptions {
  /** Greatest distance between arcs and curve, m; default 1e-5 of half the larger side of the box around the curve. */
  readonly tolerance?: number;
}

/** Places on a span where its error is measured. */
const SAMPLES = 24;
/** Pieces of the parameter's range at whose ends the curve is looked at for its size. */
const LOOKS = 64;
/** Places between samples are worse by a little. */
const MARGIN = 0.98;
const MOST_SPANS = 100_000;

/**
 * Fits arcs to a smooth curve.
 *
 * @param curve   point at a parameter, m
 * @param tangent direction at a parameter in which the curve runs while the parameter goes from `from` to `to`, any length
 * @param from, to range of the parameter, from < to; corners inside it are rounded off within the tolerance
 * @returns corners with bulges, the ends on the curve; of a closed curve the end is not repeated, so that it is an outline
 * @throws ModelError if the curve or its tangent is not finite, or does not run along its tangent
 * @example const ellipse = fitArcs((t) => [2 * cos(t), sin(t)], (t) => [-2 * sin(t), cos(t)], 0, 2 * Math.PI, { tolerance: 1e-5 });
 */
export function fitArcs(
  curve: (t: number) => Vec2,
  tangent: (t: number) => Vec2,
  from: number,
  to: number,
  options: FitArcsOptions = {},
): Corner[] {
  requireFinite('fitArcs.from', from, 'the parameter');
  requireFinite('fitArcs.to', to, 'the parameter');
  if (!(from < to)) throw new ModelError('fitArcs.to', `expected a parameter > from = ${from}, got ${to}`);
  const size = halfSize(curve, from, to);
  const tolerance = requireLength('fitArcs.tolerance', options.tolerance ?? 1e-5 * size);
  const start = endAt(curve, tangent, from);
  const last = endAt(curve, tangent, to);
  // A closed curve ends in its first corner, digit for digit, and along its tangent there if it is smooth
  const closed = Math.abs(last.x - start.x) <= 1e-12 * size && Math.abs(last.y - start.y) <= 1e-12 * size;
  const smooth = Math.abs(last.tx - start.tx) <= 1e-9 && Math.abs(last.ty - start.ty) <= 1e-9;
  const end = closed ? (smooth ? { ...start, t: to } : { ...last, x: start.x, y: start.y }) : last;

  const corners: Corner[] = [];
  let here = start;
  let span = (to - from) / 16;
  while (here.t < to) {
    if (corners.length > 2 * MOST_SPANS)
      throw new ModelError('fitArcs.tolerance', `more than ${2 * MOST_SPANS} arcs; expected more than ${tolerance} m`);
    const found = longestSpan(curve, tangent, here, end, span, tolerance);
    corners.push(corner(here.x, here.y, found.first), corner(found.x, found.y, found.second));
    span = found.end.t - here.t;
    here = found.end;
  }
  return closed ? corners : [...corners, [end.x, end.y]];
}

interface End {
  readonly t: number;
  readonly x: number;
  readonly y: number;
  /** unit tangent */
  readonly tx: number;
  readonly ty: number;
}

function endAt(curve: (t: number) => Vec2, tangent: (t: number) => Vec2, t: number): End {
  const [x, y] = curve(t);
  const [u, v] = tangent(t);
  const length = Math.sqrt(u * u + v * v);
  if (!(Number.isFinite(x) && Number.isFinite(y)))
    throw new ModelError('fitArcs.curve', `expected a point in m at the parameter ${t}, got (${x}, ${y})`);
  if (!(length > 0 && length < Infinity))
    throw new ModelError('fitArcs.tangent', `expected a direction at the parameter ${t}, got (${u}, ${v})`);
  return { t, x, y, tx: u / length, ty: v / length };
}

interface Biarc {
  /** the joint, m */
  readonly x: number;
  readonly y: number;
  readonly first: number;
  readonly second: number;
}

/** The longest span from `here` within the tolerance: its length goes by the cube root of its error, between bounds that draw together. */
function longestSpan(
  curve: (t: number) => Vec2,
  tangent: (t: number) => Vec2,
  here: End,
  last: End,
  guess: number,
  tolerance: number,
): Biarc & { readonly end: End } {
  const whole = last.t - here.t;
  const wanted = MARGIN * tolerance;
  let best: (Biarc & { readonly end: End }) | undefined;
  let [short, long] = [0, Infinity];
  let span = Math.min(guess, whole);
  for (let tries = 0; tries < 60; tries++) {
    const end = span >= whole ? last : endAt(curve, tangent, here.t + span);
    const biarc = biarcOf(here, end);
    const error = biarc ? errorOf(curve, here, end, biarc) : Infinity;
    if (biarc && error <= wanted) {
      best = { ...biarc, end };
      short = span;
      if (span >= whole || error > 0.95 * wanted) break;
    } else long = span;
    if (long - short <= 0.01 * short) break;
    let next = span * (error < Infinity ? Math.min(2, Math.max(0.25, cbrt((0.98 * wanted) / error))) : 0.5);
    if (!(next > short && next < long)) next = long < Infinity ? (short + long) / 2 : 2 * span;
    span = Math.min(next, whole);
  }
  if (best) return best;
  throw new ModelError(
    'fitArcs.tangent',
    `no arc within ${tolerance} m at the parameter ${here.t}, (${here.x}, ${here.y}) m; expected a curve that runs along its tangent and has no corner`,
  );
}

function biarcOf(p: End, q: End): Biarc | undefined {
  const [vx, vy] = [q.x - p.x, q.y - p.y];
  const along = vx * (p.tx + q.tx) + vy * (p.ty + q.ty);
  const facing = p.tx * q.tx + p.ty * q.ty;
  // more than a quarter turn in a span is never needed and may be anything
  if (!(along > 0 && facing > -1e-9)) return undefined;
  const v2 = vx * vx + vy * vy;
  // 1 − t₀·t₁ = ½ |t₁ − t₀|², which does not cancel
  const apart = (q.tx - p.tx) * (q.tx - p.tx) + (q.ty - p.ty) * (q.ty - p.ty);
  const delta = v2 / (along + Math.sqrt(along * along + apart * v2));
  const x = 0.5 * (p.x + q.x + delta * (p.tx - q.tx));
  const y = 0.5 * (p.y + q.y + delta * (p.ty - q.ty));
  const first = bulgeAlong(p.tx, p.ty, x - p.x, y - p.y);
  // seen from the far end, the other way
  const second = -bulgeAlong(-q.tx, -q.ty, x - q.x, y - q.y);
  return { x, y, first, second };
}

/** Bulge of the arc over a chord that starts along a unit tangent. */
const bulgeAlong = (tx: number, ty: number, cx: number, cy: number): number =>
  (tx * cy - ty * cx) / (Math.sqrt(cx * cx + cy * cy) + tx * cx + ty * cy);

/** Greatest distance of the curve from the circles of a span's two arcs, m. */
function errorOf(curve: (t: number) => Vec2, p: End, q: End, { x, y, first, second }: Biarc): number {
  let worst = 0;
  const one = circleFrom(p.x, p.y, x, y, first);
  const two = circleFrom(q.x, q.y, x, y, -second);
  // the tangent at the joint tells which arc a point belongs to
  const [c, s] = [(1 - first * first) / (1 + first * first), (2 * first) / (1 + first * first)];
  const [dx, dy] = [x - p.x, y - p.y];
  const [jx, jy] = [c * dx - s * dy, c * dy + s * dx];
  for (let k = 1; k < SAMPLES; k++) {
    const [cx, cy] = curve(p.t + ((q.t - p.t) * k) / SAMPLES);
    const before = (cx - x) * jx + (cy - y) * jy < 0;
    const error = Math.abs(before ? one(cx, cy) : two(cx, cy));
    if (!(error <= worst)) worst = error; // NaN, too
  }
  return worst >= 0 ? worst : Infinity;
}

/** Signed distance from the circle of an arc: with n = u·normal − ½κu² at u from its start, 2n/(1 + √(1 − 2κn)). */
function circleFrom(px: number, py: number, qx: number, qy: number, bulge: number): (x: number, y: number) => number {
  const [dx, dy] = [qx - px, qy - py];
  const chord = Math.sqrt(dx * dx + dy * dy);
  const c = (1 - bulge * bulge) / (1 + bulge * bulge);
  const s = (2 * bulge) / (1 + bulge * bulge);
  const curvature = (2 * s) / chord;
  const [nx, ny] = [(s * dx - c * dy) / chord, (c * dx + s * dy) / chord]; // to the left of the tangent
  return (x, y) => {
    const [ux, uy] = [x - px, y - py];
    const n = ux * nx + uy * ny - 0.5 * curvature * (ux * ux + uy * uy);
    return (2 * n) / (1 + Math.sqrt(Math.max(0, 1 - 2 * curvature * n)));
  };
}

/** Half the larger side of the box around the curve, m. */
function halfSize(curve: (t: number) => Vec2, from: number, to: number): number {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = 0; k <= LOOKS; k++) {
    const [x, y] = curve(from + ((to - from) * k) / LOOKS);
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  return Math.max(right - left, top - bottom) / 2;
}
