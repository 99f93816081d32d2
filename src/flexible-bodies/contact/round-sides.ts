/**
 * Sides that are round where they are drawn, of radius h²/(8 arrow); how much of a rigid arc in a hollow of theirs presses between their points; and the place of a bent side that lies farthest in a direction.
 */
import { type ContactSurface, sideShape } from './contact-surface.js';
import type { SideFoot } from './side-foot.js';

/** Arrow of a side over its length, from which on it is round; a flatter one is a ten-thousandth of its length deep before its points are */
const ROUND = 0.004;

/** Sides whose middle stands outward of their chord */
export function roundSidesOf({ mesh, sides, sideCount }: ContactSurface): Int32Array {
  if (mesh.nodesPerElement !== 6) return new Int32Array(0);
  const { points } = mesh;
  const round: number[] = [];
  for (let s = 0; s < sideCount; s++) {
    const [p, q, m] = [2 * sides[3 * s], 2 * sides[3 * s + 1], 2 * sides[3 * s + 2]];
    const [dx, dy] = [points[q] - points[p], points[q + 1] - points[p + 1]];
    const [ux, uy] = [points[m] - points[p], points[m + 1] - points[p + 1]];
    if (dy * ux - dx * uy > ROUND * (dx * dx + dy * dy)) round.push(s);
  }
  return Int32Array.from(round);
}

/** Largest radius of some sides, h²/(8 arrow), m */
export function radiusOf({ mesh, sides }: ContactSurface, round: Int32Array): number {
  const { points: x } = mesh;
  let most = 0;
  for (const s of round) {
    const [p, q, m] = [2 * sides[3 * s], 2 * sides[3 * s + 1], 2 * sides[3 * s + 2]];
    const [dx, dy] = [x[q] - x[p], x[q + 1] - x[p + 1]];
    const [ux, uy] = [x[m] - (x[p] + x[q]) / 2, x[m + 1] - (x[p + 1] + x[q + 1]) / 2];
    most = Math.max(most, (dx * dx + dy * dy) / (8 * Math.sqrt(ux * ux + uy * uy)));
  }
  return most;
}

/** 1 − r κ from which on an arc presses in a hollow as on a straight side */
const WIDER = 0.1;

/** Per side: κ of the hollow that it was drawn as, 8 arrow/h², 1/m; 0 where it is straight or stands out */
export function hollowsOf({ mesh, sides, sideCount }: ContactSurface): Float64Array {
  const hollows = new Float64Array(sideCount);
  if (mesh.nodesPerElement !== 6) return hollows;
  const { points: x } = mesh;
  for (let s = 0; s < sideCount; s++) {
    const [p, q, m] = [2 * sides[3 * s], 2 * sides[3 * s + 1], 2 * sides[3 * s + 2]];
    const [dx, dy] = [x[q] - x[p], x[q + 1] - x[p + 1]];
    const [ux, uy] = [x[m] - x[p], x[m + 1] - x[p + 1]];
    const square = dx * dx + dy * dy;
    hollows[s] = Math.max(0, (8 * (dx * uy - dy * ux)) / (square * Math.sqrt(square)));
  }
  return hollows;
}

/**
 * How much of an arc of radius r presses at the place of a hollow side that is nearest to its centre. It is there because the arc dips in between the points of the side, by (0.19 h)²/2 (1/r − κ); where
 * it fits the hollow it does not, and there is no such place: it runs along the side by dx/(1 − r κ) where the centre moves by dx, and a pin that is pressed into its hole has it anywhere. There the points
 * of the side bear all.
 */
export function shareInHollow(radius: number, hollow: number): number {
  const wider = (1 - radius * hollow) / WIDER;
  return wider >= 1 ? 1 : wider > 0 ? wider * wider * (3 - 2 * wider) : 0;
}

/** A place of a side: shape functions, E', E'', and E itself in `ox`, `oy` */
export function placeOnSide(x: Float64Array, sides: Int32Array, side: number, xi: number, out: SideFoot): void {
  const { shape: n } = out;
  out.side = side;
  out.xi = xi;
  sideShape(xi, true, n);
  out.ox = out.oy = out.tx = out.ty = out.bx = out.by = 0;
  for (let j = 0; j < 3; j++) {
    const [u, v] = [x[2 * sides[3 * side + j]], x[2 * sides[3 * side + j] + 1]];
    out.ox += n[j] * u;
    out.oy += n[j] * v;
    out.tx += n[3 + j] * u;
    out.ty += n[3 + j] * v;
    out.bx += n[6 + j] * u;
    out.by += n[6 + j] * v;
  }
}

/** ξ of the place of a side that is farthest along −n, which may lie beyond its ends; −∞: it does not bend so */
export function lowestOnSide(x: Float64Array, sides: Int32Array, side: number, nx: number, ny: number): number {
  const [p, q, m] = [2 * sides[3 * side], 2 * sides[3 * side + 1], 2 * sides[3 * side + 2]];
  const slope = nx * (x[q] - x[p]) + ny * (x[q + 1] - x[p + 1]);
  const bend = nx * (x[p] + x[q] - 2 * x[m]) + ny * (x[p + 1] + x[q + 1] - 2 * x[m + 1]);
  return bend > 0 ? (-0.5 * slope) / bend : Number.NEGATIVE_INFINITY;
}
