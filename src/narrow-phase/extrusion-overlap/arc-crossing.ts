/**
 * Where two edges cross of which at least one is an arc. Let (a) be the edge of A along B's circle, (b) that of B along A's; arc-side.ts has
 * the quadratics. An edge whose ends lie on different sides ("odd") crosses the circle once; one whose ends lie on the same side ("even")
 * twice, if a1 has the other sign and a1² > 4 a0 a2, else never. A enters B at one of the two points that circles have in common and
 * leaves it at the other, so
 *
 *   (a)    (b)     crossings of the edges
 *   odd    odd     one if A enters where B leaves, that is sign b0 = sign a2; else each passes another of the two points: none
 *   odd    even    one, A enters if a2 > 0
 *   even   odd     one, A enters if b0 > 0
 *   even   even    two, which cancel; only here does the discriminant decide, in floats: what it gets wrong is a lens of rounding depth
 *
 * Where one edge is odd, it proves that the circles meet, and of the even one the sign of a1 is enough.
 */
import { middleSign, middleValue, sideOfCircle, sideValue } from './arc-side.js';

/** 16: the last pair: p, q, cosine and sine of A's edge; i, j, cosine and sine of B's; a0, a1, a2; spare */
const pair = new Float64Array(16);

/** Where `arcPlace` found the crossing, m, and its places along the two edges from 0 to 1 */
export const crossingPlace = { x: 0, y: 0, placeA: 0, placeB: 0 };

/** 0 without a crossing, 1 if p → q of A enters B through i → j, −1 if it leaves, 2 if it does both. */
export function arcCrossing(
  px: number,
  py: number,
  qx: number,
  qy: number,
  cosineA: number,
  sineA: number,
  ix: number,
  iy: number,
  jx: number,
  jy: number,
  cosineB: number,
  sineB: number,
): 0 | 1 | -1 | 2 {
  const start = sideOfCircle(ix, iy, jx, jy, cosineB, sineB, px, py, -1);
  const a0 = sideValue.value;
  const end = sideOfCircle(ix, iy, jx, jy, cosineB, sineB, qx, qy, -1);
  const a2 = sideValue.value;
  const evenA = start === end;
  if (evenA && middleSign(px, py, qx, qy, cosineA, sineA, ix, iy, jx, jy, cosineB, sineB, -1) === start) return 0;
  const startB = sideOfCircle(px, py, qx, qy, cosineA, sineA, ix, iy, 1);
  const endB = sideOfCircle(px, py, qx, qy, cosineA, sineA, jx, jy, 1);
  const evenB = startB === endB;
  if (evenB && middleSign(ix, iy, jx, jy, cosineB, sineB, px, py, qx, qy, cosineA, sineA, 1) === startB) return 0;
  if (!evenA && !evenB && startB !== end) return 0;
  const a1 = middleValue(px, py, qx, qy, cosineA, sineA, ix, iy, jx, jy, cosineB, sineB);
  if (evenA && evenB && !(a1 * a1 > 4 * a0 * a2)) return 0;
  pair[0] = px;
  pair[1] = py;
  pair[2] = qx;
  pair[3] = qy;
  pair[4] = cosineA;
  pair[5] = sineA;
  pair[6] = ix;
  pair[7] = iy;
  pair[8] = jx;
  pair[9] = jy;
  pair[10] = cosineB;
  pair[11] = sineB;
  pair[12] = a0;
  pair[13] = a1;
  pair[14] = a2;
  if (!evenA) return end;
  return evenB ? 2 : startB;
}

/**
 * Places the crossing of the last pair into `crossingPlace`.
 *
 * @param sign 1 for the one where A enters: the root of P(t) where it rises; −1 where it leaves
 */
export function arcPlace(sign: 1 | -1): void {
  const px = pair[0];
  const py = pair[1];
  const qx = pair[2];
  const qy = pair[3];
  const c = pair[4];
  const s = pair[5];
  const a0 = sign * pair[12];
  const a1 = sign * pair[13];
  const a2 = sign * pair[14];
  // t/(1 − t) = u/v; either form of the root without a difference of equals, the second also where the first says nothing
  const root = Math.sqrt(Math.max(0, a1 * a1 - 4 * a0 * a2));
  const first = a1 >= 0 && a1 + root > 0;
  const u = Math.max(0, first ? -2 * a0 : root - a1);
  const v = Math.max(0, first ? a1 + root : 2 * a2);
  const t = u + v > 0 ? u / (u + v) : 0.5;
  const back = u + v > 0 ? v / (u + v) : 0.5;
  const dx = qx - px;
  const dy = qy - py;
  const weight = 1 - 2 * (1 - c) * t * back;
  let x = 0;
  let y = 0;
  if (t <= 0.5) {
    x = px + (t * (back * (c * dx + s * dy) + t * dx)) / weight;
    y = py + (t * (back * (c * dy - s * dx) + t * dy)) / weight;
  } else {
    x = qx - (back * (t * (c * dx - s * dy) + back * dx)) / weight;
    y = qy - (back * (t * (c * dy + s * dx) + back * dy)) / weight;
  }

  // arcs that coincide make t a gamble, but the point lies on both edges: beyond an end of B's it is that end
  const ix = pair[6];
  const iy = pair[7];
  const jx = pair[8];
  const jy = pair[9];
  const cb = pair[10];
  const sb = pair[11];
  const ex = jx - ix;
  const ey = jy - iy;
  const before = (x - ix) * (cb * ex + sb * ey) + (y - iy) * (cb * ey - sb * ex) < 0;
  const beyond = (x - jx) * (cb * ex - sb * ey) + (y - jy) * (cb * ey + sb * ex) > 0;
  crossingPlace.placeA = t;
  if (before || beyond) {
    const toStart = before && (!beyond || gap(x, y, ix, iy) <= gap(x, y, jx, jy));
    x = toStart ? ix : jx;
    y = toStart ? iy : jy;
    crossingPlace.placeA = share(x, y, px, py, qx, qy);
  }
  crossingPlace.x = x;
  crossingPlace.y = y;
  crossingPlace.placeB = share(x, y, ix, iy, jx, jy);
}

const gap = (x: number, y: number, ix: number, iy: number): number =>
  Math.sqrt((x - ix) * (x - ix) + (y - iy) * (y - iy));

/** Place of a point between the ends of an edge */
function share(x: number, y: number, ix: number, iy: number, jx: number, jy: number): number {
  const start = gap(x, y, ix, iy);
  const end = gap(x, y, jx, jy);
  return start + end > 0 ? start / (start + end) : 0.5;
}
