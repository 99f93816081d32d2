/**
 * An edge of an outline that is a circular arc, from p to q with bulge b = tan(sweep/4):
 *
 *   φ = sweep/2 = 2 atan b,   cos φ = (1 − b²)/(1 + b²),   sin φ = 2b/(1 + b²),   curvature 2 sin φ/|q − p|
 *
 * The tangent at p is the chord turned by −φ, at q by +φ. A point that the sweep ψ of the arc separates from p is
 *
 *   p + (sin ½ψ / sin φ) R(½ψ − φ) (q − p),   R(α) a turn by α
 */
import { atan, atan2, cos, sin } from '../math/elementary.js';
import type { Vec2 } from '../math/vec3.js';
import { cosSin } from './circle.js';
import type { Corner } from './profile.js';

export const bulgeOf = (corner: Corner): number => corner[2] ?? 0;

/** The corner with a bulge for its edge; of a straight edge without. */
export const corner = (x: number, y: number, bulge: number): Corner => (bulge === 0 ? [x, y] : [x, y, bulge]);

/** Angle that an arc sweeps, rad; positive turns left. */
export const sweepOf = (bulge: number): number => 4 * atan(bulge);

/** Bulge of an arc of less than a full turn. @param sweep rad */
export function bulgeOfSweep(sweep: number): number {
  const [c, s] = cosSin(sweep / 2);
  return s / (1 + c);
}

export interface ArcCircle {
  readonly centre: Vec2;
  readonly radius: number;
  /** of the arc's start, seen from the centre, rad */
  readonly from: number;
  /** rad, positive counter-clockwise */
  readonly sweep: number;
}

/** The circle of an arc with b ≠ 0: its centre lies (1 − b²)/(4b) chords to the left of the chord's middle. */
export function arcCircle([px, py]: Corner, [qx, qy]: Corner, bulge: number): ArcCircle {
  const aside = (1 - bulge * bulge) / (4 * bulge);
  const cx = (px + qx) / 2 - aside * (qy - py);
  const cy = (py + qy) / 2 + aside * (qx - px);
  const chord = Math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py));
  const radius = (chord * (1 + bulge * bulge)) / (4 * Math.abs(bulge));
  return { centre: [cx, cy], radius, from: atan2(py - cy, px - cx), sweep: sweepOf(bulge) };
}

/** The unit tangents at both ends of an edge, straight or not. */
export function edgeTangents([px, py]: Corner, [qx, qy]: Corner, bulge: number): readonly [Vec2, Vec2] {
  const chord = Math.sqrt((qx - px) * (qx - px) + (qy - py) * (qy - py));
  const [tx, ty] = [(qx - px) / chord, (qy - py) / chord];
  const c = (1 - bulge * bulge) / (1 + bulge * bulge);
  const s = (2 * bulge) / (1 + bulge * bulge);
  return [
    [c * tx + s * ty, c * ty - s * tx],
    [c * tx - s * ty, c * ty + s * tx],
  ];
}

/** A point of an edge, straight or not, a part t of its length from p; the ends exactly. */
export function edgePoint(p: Corner, q: Corner, bulge: number, t: number): Vec2 {
  if (t > 0.5) return fromEnd(q, p, -bulge, 1 - t); // from the nearer end, so that mirror images have the same digits
  return fromEnd(p, q, bulge, t);
}

function fromEnd([px, py]: Corner, [qx, qy]: Corner, bulge: number, t: number): Vec2 {
  if (t === 0) return [px, py];
  const [dx, dy] = [qx - px, qy - py];
  if (bulge === 0) return [px + t * dx, py + t * dy];
  const half = 2 * atan(bulge); // φ
  const k = (sin(half * t) * (1 + bulge * bulge)) / (2 * bulge);
  const turn = half * (t - 1);
  const [c, s] = [cos(turn), sin(turn)];
  return [px + k * (c * dx - s * dy), py + k * (s * dx + c * dy)];
}

/**
 * The two parts of an arc on both sides of its point at a part t of its length have the bulges tan(t sweep/4) and
 * tan((1 − t) sweep/4).
 */
export const partialBulge = (bulge: number, t: number): number =>
  bulge === 0 ? 0 : t === 0.5 ? bulge / (1 + Math.sqrt(1 + bulge * bulge)) : bulgeOfSweep(sweepOf(bulge) * t);

/**
 * How far the edge lies beyond both of its ends along x, y, −x, −y: the points of an arc where its tangent is square to
 * an axis. Calls `visit` for each.
 */
export function visitExtremes(p: Corner, q: Corner, bulge: number, visit: (x: number, y: number) => void): void {
  if (bulge === 0) return;
  const { centre, radius, from, sweep } = arcCircle(p, q, bulge);
  const quarter = Math.PI / 2;
  const [low, high] = sweep > 0 ? [from, from + sweep] : [from + sweep, from];
  for (let k = Math.ceil(low / quarter); k * quarter <= high; k++) {
    const side = ((k % 4) + 4) % 4;
    visit(
      centre[0] + (side === 0 ? radius : side === 2 ? -radius : 0),
      centre[1] + (side === 1 ? radius : side === 3 ? -radius : 0),
    );
  }
}
