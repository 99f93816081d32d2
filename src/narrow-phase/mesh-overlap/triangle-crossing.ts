/**
 * Where two triangles cross: at most four orders of points on their common line.
 *
 * The planes of A's triangle (corners p, normal n_A) and of B's (corners x, normal n_B) meet in a line of direction
 * l = n_A × n_B. Each triangle cuts an interval out of it. Along l, A's interval starts on the side that leaves B's half
 * space (aS) and ends on the side that comes back (aE); B's starts on the side that enters A's half space (bS) and ends
 * on the one that leaves it (bE). For a side a = p → q of A and a side b = i → j of B
 *
 *   D(a, b) = (i − p) · ((q − p) × (j − i)),      l · (u × w) = −(n_A · w)(n_B · u),
 *
 * so the sign of D is the order of the two points on l, and no coordinates of the points are needed.
 *
 * Signs come from floating point if they are beyond rounding, else from exact arithmetic, else from an infinitesimal
 * shift of B (see geometry/translation-sign.ts). They therefore fit together whatever coincides.
 */
import { behindPlane, shiftSign } from '../../geometry/translation-sign.js';
import type { OverlapBody } from './overlap-body.js';
import type { OverlapCurves } from './overlap-curves.js';

/**
 * Rounding of a determinant of three coordinate differences, over the product of the sizes of the box that holds all
 * its points: six products, each with the rounding of three differences, two products and three sums.
 */
export const FILTER = 7e-15;

/** How often floating point could not decide; set to zero by whoever wants to know. */
export const signCounts = { exact: 0, shifted: 0 };

/** 1, or −1 for a shift the other way; set by every evaluation for itself. */
export const shift = { direction: 1 };

/** Finds the common segment of a triangle of A and one of B, both placed, and adds it with its ends to the curves. */
export function crossTriangles(a: OverlapBody, b: OverlapBody, curves: OverlapCurves, ta: number, tb: number): void {
  const boundsA = a.bounds;
  const boundsB = b.bounds;
  const sizeX = Math.max(boundsA[6 * ta + 3], boundsB[6 * tb + 3]) - Math.min(boundsA[6 * ta], boundsB[6 * tb]);
  const sizeY = Math.max(boundsA[6 * ta + 4], boundsB[6 * tb + 4]) - Math.min(boundsA[6 * ta + 1], boundsB[6 * tb + 1]);
  const sizeZ = Math.max(boundsA[6 * ta + 5], boundsB[6 * tb + 5]) - Math.min(boundsA[6 * ta + 2], boundsB[6 * tb + 2]);
  const bound = FILTER * sizeX * sizeY * sizeZ;
  if (!(bound > 0)) return; // both in one plane across an axis; the shift takes them apart

  const wa = a.points;
  const wb = b.points;
  const cornersA = a.triangles;
  const cornersB = b.triangles;
  const p = 3 * cornersA[3 * ta];
  const q = 3 * cornersA[3 * ta + 1];
  const r = 3 * cornersA[3 * ta + 2];
  const i = 3 * cornersB[3 * tb];
  const j = 3 * cornersB[3 * tb + 1];
  const k = 3 * cornersB[3 * tb + 2];

  // corners of A against the plane of B: d > 0 behind it
  const ix = wb[i];
  const iy = wb[i + 1];
  const iz = wb[i + 2];
  let ux = wb[j] - ix;
  let uy = wb[j + 1] - iy;
  let uz = wb[j + 2] - iz;
  let vx = wb[k] - ix;
  let vy = wb[k + 1] - iy;
  let vz = wb[k + 2] - iz;
  let nx = uy * vz - uz * vy;
  let ny = uz * vx - ux * vz;
  let nz = ux * vy - uy * vx;
  const px = wa[p];
  const py = wa[p + 1];
  const pz = wa[p + 2];
  let dp = nx * (ix - px) + ny * (iy - py) + nz * (iz - pz);
  let dq = nx * (ix - wa[q]) + ny * (iy - wa[q + 1]) + nz * (iz - wa[q + 2]);
  let dr = nx * (ix - wa[r]) + ny * (iy - wa[r + 1]) + nz * (iz - wa[r + 2]);
  let gp = dp > bound ? 1 : dp < -bound ? -1 : 0;
  let gq = dq > bound ? 1 : dq < -bound ? -1 : 0;
  let gr = dr > bound ? 1 : dr < -bound ? -1 : 0;
  if (gp === 0 || gq === 0 || gr === 0) {
    if (gp === 0) gp = sign((dp = exactSide(wb, i, j, k, wa, p)));
    if (gq === 0) gq = sign((dq = exactSide(wb, i, j, k, wa, q)));
    if (gr === 0) gr = sign((dr = exactSide(wb, i, j, k, wa, r)));
    if (gp === 0 || gq === 0 || gr === 0) {
      const shifted = shiftOfPlane(wb, i, j, k);
      if (gp === 0) gp = shifted;
      if (gq === 0) gq = shifted;
      if (gr === 0) gr = shifted;
    }
  }
  if (gp === gq && gq === gr) return;

  // corners of B against the plane of A
  ux = wa[q] - px;
  uy = wa[q + 1] - py;
  uz = wa[q + 2] - pz;
  vx = wa[r] - px;
  vy = wa[r + 1] - py;
  vz = wa[r + 2] - pz;
  nx = uy * vz - uz * vy;
  ny = uz * vx - ux * vz;
  nz = ux * vy - uy * vx;
  let di = nx * (px - ix) + ny * (py - iy) + nz * (pz - iz);
  let dj = nx * (px - wb[j]) + ny * (py - wb[j + 1]) + nz * (pz - wb[j + 2]);
  let dk = nx * (px - wb[k]) + ny * (py - wb[k + 1]) + nz * (pz - wb[k + 2]);
  let hi = di > bound ? 1 : di < -bound ? -1 : 0;
  let hj = dj > bound ? 1 : dj < -bound ? -1 : 0;
  let hk = dk > bound ? 1 : dk < -bound ? -1 : 0;
  if (hi === 0 || hj === 0 || hk === 0) {
    if (hi === 0) hi = sign((di = exactSide(wa, p, q, r, wb, i)));
    if (hj === 0) hj = sign((dj = exactSide(wa, p, q, r, wb, j)));
    if (hk === 0) hk = sign((dk = exactSide(wa, p, q, r, wb, k)));
    if (hi === 0 || hj === 0 || hk === 0) {
      const shifted = 0 - shiftOfPlane(wa, p, q, r);
      if (hi === 0) hi = shifted;
      if (hj === 0) hj = shifted;
      if (hk === 0) hk = shifted;
    }
  }
  if (hi === hj && hj === hk) return;

  // sides through the other's plane: number of the side, its ends, and their distances
  const aS = gp > 0 && gq < 0 ? 0 : gq > 0 && gr < 0 ? 1 : 2;
  const aE = gp < 0 && gq > 0 ? 0 : gq < 0 && gr > 0 ? 1 : 2;
  const bS = hi < 0 && hj > 0 ? 0 : hj < 0 && hk > 0 ? 1 : 2;
  const bE = hi > 0 && hj < 0 ? 0 : hj > 0 && hk < 0 ? 1 : 2;
  const aSFrom = aS === 0 ? p : aS === 1 ? q : r;
  const aSTo = aS === 0 ? q : aS === 1 ? r : p;
  const bEFrom = bE === 0 ? i : bE === 1 ? j : k;
  const bETo = bE === 0 ? j : bE === 1 ? k : i;
  if (order(wa, aSFrom, aSTo, wb, bEFrom, bETo, bound) > 0) return;
  const aEFrom = aE === 0 ? p : aE === 1 ? q : r;
  const aETo = aE === 0 ? q : aE === 1 ? r : p;
  const bSFrom = bS === 0 ? i : bS === 1 ? j : k;
  const bSTo = bS === 0 ? j : bS === 1 ? k : i;
  if (order(wa, aEFrom, aETo, wb, bSFrom, bSTo, bound) < 0) return;

  // ends of the common interval
  let start: number;
  if (order(wa, aSFrom, aSTo, wb, bSFrom, bSTo, bound) > 0) {
    const from = bS === 0 ? di : bS === 1 ? dj : dk;
    const to = bS === 0 ? dj : bS === 1 ? dk : di;
    start = crossing(curves, b, ~b.edgeOf[3 * tb + bS], bSFrom, bSTo, from, to, 1, ta);
  } else {
    const from = aS === 0 ? dp : aS === 1 ? dq : dr;
    const to = aS === 0 ? dq : aS === 1 ? dr : dp;
    start = crossing(curves, a, a.edgeOf[3 * ta + aS], aSFrom, aSTo, from, to, -1, tb);
  }
  let end: number;
  if (order(wa, aEFrom, aETo, wb, bEFrom, bETo, bound) > 0) {
    const from = aE === 0 ? dp : aE === 1 ? dq : dr;
    const to = aE === 0 ? dq : aE === 1 ? dr : dp;
    end = crossing(curves, a, a.edgeOf[3 * ta + aE], aEFrom, aETo, from, to, 1, tb);
  } else {
    const from = bE === 0 ? di : bE === 1 ? dj : dk;
    const to = bE === 0 ? dj : bE === 1 ? dk : di;
    end = crossing(curves, b, ~b.edgeOf[3 * tb + bE], bEFrom, bETo, from, to, -1, ta);
  }

  // the segment, on the lists of both triangles
  const segment = curves.addSegment(start, end, ta, tb);
  curves.segmentNext[2 * segment] = a.triangleCut[ta] === a.stamp ? a.triangleFirst[ta] : -1;
  curves.segmentNext[2 * segment + 1] = b.triangleCut[tb] === b.stamp ? b.triangleFirst[tb] : -1;
  a.triangleFirst[ta] = b.triangleFirst[tb] = segment;
  a.triangleCut[ta] = a.stamp;
  b.triangleCut[tb] = b.stamp;
  a.wetTriangle(ta);
  b.wetTriangle(tb);
}

const sign = (x: number): number => (x > 0 ? 1 : x < 0 ? -1 : 0);

/** Exact side of point `at` against the plane through a, b, c: > 0 behind, 0 in it. */
export function exactSide(
  plane: Float64Array,
  a: number,
  b: number,
  c: number,
  point: Float64Array,
  at: number,
): number {
  return exactOrientation(
    plane[a],
    plane[a + 1],
    plane[a + 2],
    plane[b],
    plane[b + 1],
    plane[b + 2],
    plane[c],
    plane[c + 1],
    plane[c + 2],
    point[at],
    point[at + 1],
    point[at + 2],
  );
}

/**
 * ((b − a) × (c − a)) · (a − p) with its exact sign. Before the exact arithmetic comes a bound from the products that
 * are really there, 2⁻⁵⁰ of their sum: it also knows without it that things in a plane across an axis are in one plane.
 */
function exactOrientation(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
  px: number,
  py: number,
  pz: number,
): number {
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const dx = ax - px;
  const dy = ay - py;
  const dz = az - pz;
  const xy = ux * vy;
  const yx = uy * vx;
  const yz = uy * vz;
  const zy = uz * vy;
  const zx = uz * vx;
  const xz = ux * vz;
  const value = dx * (yz - zy) + dy * (zx - xz) + dz * (xy - yx);
  const sum =
    Math.abs(dx) * (Math.abs(yz) + Math.abs(zy)) +
    Math.abs(dy) * (Math.abs(zx) + Math.abs(xz)) +
    Math.abs(dz) * (Math.abs(xy) + Math.abs(yx));
  // Shewchuk (1997), §4.3 proves 7 × 2⁻⁵³ + 56 × 2⁻¹⁰⁶ of the sum
  if (Math.abs(value) > 8.881784197001252e-16 * sum || sum === 0) return value;
  signCounts.exact++;
  return behindPlane(ax, ay, az, bx, by, bz, cx, cy, cz, px, py, pz);
}

/** Sign of n · shift; +1 for a triangle without area, whose plane then has everything on one side. */
export function shiftOfPlane(v: Float64Array, a: number, b: number, c: number): number {
  signCounts.shifted++;
  const ax = v[a];
  const ay = v[a + 1];
  const az = v[a + 2];
  return shift.direction * shiftSign(ax, ay, az, v[b], v[b + 1], v[b + 2], ax, ay, az, v[c], v[c + 1], v[c + 2]) || 1;
}

/** Sign of D(p → q of A, i → j of B). */
export function order(
  wa: Float64Array,
  p: number,
  q: number,
  wb: Float64Array,
  i: number,
  j: number,
  bound: number,
): number {
  const px = wa[p];
  const py = wa[p + 1];
  const pz = wa[p + 2];
  const ux = wa[q] - px;
  const uy = wa[q + 1] - py;
  const uz = wa[q + 2] - pz;
  const ix = wb[i];
  const iy = wb[i + 1];
  const iz = wb[i + 2];
  const vx = wb[j] - ix;
  const vy = wb[j + 1] - iy;
  const vz = wb[j + 2] - iz;
  const d = (ix - px) * (uy * vz - uz * vy) + (iy - py) * (uz * vx - ux * vz) + (iz - pz) * (ux * vy - uy * vx);
  if (d > bound) return 1;
  if (d < -bound) return -1;
  const exact = exactOrientation(px, py, pz, wa[q], wa[q + 1], wa[q + 2], wb[j], wb[j + 1], wb[j + 2], ix, iy, iz);
  if (exact !== 0) return exact < 0 ? 1 : -1;
  signCounts.shifted++;
  return shift.direction * shiftSign(px, py, pz, wa[q], wa[q + 1], wa[q + 2], ix, iy, iz, wb[j], wb[j + 1], wb[j + 2]);
}

/**
 * The node where an edge pierces a triangle of the other body: made once for all triangles on the edge.
 *
 * @param label             e for edge e of A, ~e for edge e of B
 * @param from, to          places of the side's ends in `body.points`, in the direction of its triangle
 * @param dFrom, dTo        their distances behind the pierced plane, in any unit
 * @param entering          1 if the side enters the other body on its way from → to, −1 if it leaves
 */
function crossing(
  curves: OverlapCurves,
  body: OverlapBody,
  label: number,
  from: number,
  to: number,
  dFrom: number,
  dTo: number,
  entering: number,
  triangle: number,
): number {
  const edge = label < 0 ? ~label : label;
  let first = -1;
  if (body.edgeCrossed[edge] === body.stamp) {
    first = body.edgeFirst[edge];
    const { next, pierced } = curves;
    for (let node = first; node >= 0; node = next[node]) if (pierced[node] === triangle) return node;
  } else {
    body.edgeCrossed[edge] = body.stamp;
    body.crossedEdges[body.crossedCount++] = edge;
  }
  const forward = from < to;
  const lo = forward ? from : to;
  const hi = forward ? to : from;
  const dLo = forward ? dFrom : dTo;
  const dHi = forward ? dTo : dFrom;
  const span = dLo - dHi;
  // fractions from either end; 0/0 only where the edge lies in the plane to all digits
  let s = span !== 0 ? dLo / span : 0.5;
  let t = span !== 0 ? (0 - dHi) / span : 0.5;
  if (!(s >= 0)) s = 0;
  if (!(s <= 1)) s = 1;
  if (!(t >= 0)) t = 0;
  if (!(t <= 1)) t = 1;
  const w = body.points;
  const near = s <= 0.5 ? lo : hi;
  const far = s <= 0.5 ? hi : lo;
  const f = s <= 0.5 ? s : t;
  const node = curves.addNode(
    w[near] + f * (w[far] - w[near]),
    w[near + 1] + f * (w[far + 1] - w[near + 1]),
    w[near + 2] + f * (w[far + 2] - w[near + 2]),
  );
  curves.parameter[node] = s;
  curves.sign[node] = forward ? entering : -entering;
  curves.pierced[node] = triangle;
  curves.edge[node] = label;
  curves.next[node] = first;
  body.edgeFirst[edge] = node;
  return node;
}
