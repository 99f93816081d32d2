/**
 * What two triangles have in common, decided exactly.
 *
 * Two triangles of a sound surface share nothing, a corner or a side. Anything beyond is told by its dimension: a
 * point, a line, an area. Corners count as shared if they are the same vertex.
 *
 * Triangles not in one plane can only meet on the line of their planes. Each cuts an interval out of it; four signs of
 * tetrahedra order the interval ends (after Guigue & Devillers 2003, doi 10.1080/10867651.2003.10487580). With a, b
 * the sides p → q of A and i → j of B that make two ends X and Y, and l = n_A × n_B,
 *
 *   sign((Y − X)·l) = sign(volume(p, q, i, j)) · sign(n_B·(q − p)) · sign(n_A·(j − i)),
 *
 * because (i − p)·((q − p) × (j − i)) = (Y − X)·((q − p) × (j − i)) and l·(u × w) = −(n_A·w)(n_B·u).
 *
 * Most pairs are neighbours or far apart and leave through a floating-point filter: a direction along which they are
 * apart by more than the rounding of the test.
 */
import { axisShowing, sideOfPlane, turnAlong } from './side-of-plane.js';

/** Nothing in common but shared corners and sides. */
export const APART = -1;
/** A point that is not a shared corner. */
export const TOUCHING = 0;
/** A piece of a line that is not a shared side. */
export const CROSSING = 1;
/** An area; the triangles lie in one plane. */
export const OVERLAPPING = 2;
export type Meeting = -1 | 0 | 1 | 2;

/** A point that the two triangles of the last `meetingOf` share beyond corners and sides; rounded. m */
export const meetingPoint = new Float64Array(3);

const A = new Int32Array(3);
const B = new Int32Array(3);

/**
 * How triangles a0 a1 a2 and b0 b1 b2 meet; vertices as places in the coordinates. A triangle without area is a line
 * or a point, which its neighbours have too: it counts as apart from everything.
 */
export function meetingOf(
  v: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  b0: number,
  b1: number,
  b2: number,
): Meeting {
  const sharedA0 = a0 === b0 || a0 === b1 || a0 === b2;
  const sharedA1 = a1 === b0 || a1 === b1 || a1 === b2;
  const sharedA2 = a2 === b0 || a2 === b1 || a2 === b2;
  const shared = (sharedA0 ? 1 : 0) + (sharedA1 ? 1 : 0) + (sharedA2 ? 1 : 0);
  if (shared === 3) {
    for (let k = 0; k < 3; k++) meetingPoint[k] = (v[a0 + k] + v[a1 + k] + v[a2 + k]) / 3;
    return axisShowing(v, a0, a1, a2) < 0 ? APART : OVERLAPPING;
  }
  // turn both so that shared corners come first
  if (shared === 2) {
    if (!sharedA0) setCorners(A, a1, a2, a0);
    else if (!sharedA1) setCorners(A, a2, a0, a1);
    else setCorners(A, a0, a1, a2);
    if (b0 !== A[0] && b0 !== A[1]) setCorners(B, b1, b2, b0);
    else if (b1 !== A[0] && b1 !== A[1]) setCorners(B, b2, b0, b1);
    else setCorners(B, b0, b1, b2);
    return foldOf(v);
  }
  if (shared === 1) {
    if (sharedA0) setCorners(A, a0, a1, a2);
    else if (sharedA1) setCorners(A, a1, a2, a0);
    else setCorners(A, a2, a0, a1);
    if (b0 === A[0]) setCorners(B, b0, b1, b2);
    else if (b1 === A[0]) setCorners(B, b1, b2, b0);
    else setCorners(B, b2, b0, b1);
    if (wedgesApart(v)) return APART;
    const meeting = exactMeeting(v);
    return meeting === TOUCHING ? APART : meeting;
  }
  setCorners(A, a0, a1, a2);
  setCorners(B, b0, b1, b2);
  return trianglesApart(v) ? APART : exactMeeting(v);
}

function setCorners(to: Int32Array, p: number, q: number, r: number): void {
  to[0] = p;
  to[1] = q;
  to[2] = r;
}

/** Neighbours at the side A[0], A[1]: they overlap if they lie in one plane on the same side of it. */
function foldOf(v: Float64Array): Meeting {
  const p = A[0];
  const [ex, ey, ez] = [v[A[1]] - v[p], v[A[1] + 1] - v[p + 1], v[A[1] + 2] - v[p + 2]];
  const [ax, ay, az] = [v[A[2]] - v[p], v[A[2] + 1] - v[p + 1], v[A[2] + 2] - v[p + 2]];
  const [bx, by, bz] = [v[B[2]] - v[p], v[B[2] + 1] - v[p + 1], v[B[2] + 2] - v[p + 2]];
  // the parts of a and b across the side point away from each other: (e × a)·(e × b) < 0
  const ee = ex * ex + ey * ey + ez * ez;
  const across = (ax * bx + ay * by + az * bz) * ee - (ax * ex + ay * ey + az * ez) * (bx * ex + by * ey + bz * ez);
  const sizeA = Math.abs(ax) + Math.abs(ay) + Math.abs(az);
  const sizeB = Math.abs(bx) + Math.abs(by) + Math.abs(bz);
  if (across < -1e-14 * sizeA * sizeB * ee) return APART;

  if (sideOfPlane(v, A[0], A[1], A[2], B[2]) !== 0) return APART;
  const axis = axisShowing(v, A[0], A[1], A[2]);
  if (axis < 0) return APART;
  const sideA = turnAlong(v, axis, A[0], A[1], A[2]);
  const sideB = turnAlong(v, axis, A[0], A[1], B[2]);
  if (sideB === 0 || sideA > 0 !== sideB > 0) return APART;
  markOverlap(v, axis);
  return OVERLAPPING;
}

/** Filter for triangles that share corner A[0] = B[0]: a plane through it with A before and B behind. */
function wedgesApart(v: Float64Array): boolean {
  const o = A[0];
  let mx = 0;
  let my = 0;
  let mz = 0;
  for (let k = 1; k < 3; k++)
    for (let side = -1; side <= 1; side += 2) {
      const p = side < 0 ? B[k] : A[k];
      const x = v[p] - v[o];
      const y = v[p + 1] - v[o + 1];
      const z = v[p + 2] - v[o + 2];
      const scale = side / Math.sqrt(x * x + y * y + z * z);
      mx += scale * x;
      my += scale * y;
      mz += scale * z;
    }
  return ahead(v, o, A[1], mx, my, mz) && ahead(v, o, A[2], mx, my, mz) && ahead(v, o, B[1], -mx, -my, -mz)
    ? ahead(v, o, B[2], -mx, -my, -mz)
    : false;
}

/** m·(p − o) > 0 beyond rounding; any m will do. False if m is not a number. */
function ahead(v: Float64Array, o: number, p: number, mx: number, my: number, mz: number): boolean {
  const x = mx * (v[p] - v[o]);
  const y = my * (v[p + 1] - v[o + 1]);
  const z = mz * (v[p + 2] - v[o + 2]);
  return x + y + z > 1e-15 * (Math.abs(x) + Math.abs(y) + Math.abs(z));
}

// Corners of A, then of B, relative to A[0]; and the largest |x|, |y|, |z| among them.
const local = new Float64Array(18);
let reachX = 0;
let reachY = 0;
let reachZ = 0;

/** Filter for triangles without common corners: apart along a normal, along the line of centres, across a side. */
function trianglesApart(v: Float64Array): boolean {
  reachX = reachY = reachZ = 0;
  for (let i = 0; i < 6; i++) {
    const p = i < 3 ? A[i] : B[i - 3];
    const x = (local[3 * i] = v[p] - v[A[0]]);
    const y = (local[3 * i + 1] = v[p + 1] - v[A[0] + 1]);
    const z = (local[3 * i + 2] = v[p + 2] - v[A[0] + 2]);
    reachX = Math.max(reachX, Math.abs(x));
    reachY = Math.max(reachY, Math.abs(y));
    reachZ = Math.max(reachZ, Math.abs(z));
  }
  const p = local;
  if (
    apartAlong(
      p[9] + p[12] + p[15] - p[3] - p[6],
      p[10] + p[13] + p[16] - p[4] - p[7],
      p[11] + p[14] + p[17] - p[5] - p[8],
    )
  )
    return true;
  for (let t = 0; t < 18; t += 9) {
    const [ux, uy, uz] = [p[t + 3] - p[t], p[t + 4] - p[t + 1], p[t + 5] - p[t + 2]];
    const [wx, wy, wz] = [p[t + 6] - p[t], p[t + 7] - p[t + 1], p[t + 8] - p[t + 2]];
    const [nx, ny, nz] = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
    if (apartAlong(nx, ny, nz)) return true;
    if (apartAlong(uy * nz - uz * ny, uz * nx - ux * nz, ux * ny - uy * nx)) return true;
    if (apartAlong(wy * nz - wz * ny, wz * nx - wx * nz, wx * ny - wy * nx)) return true;
    const [sx, sy, sz] = [wx - ux, wy - uy, wz - uz];
    if (apartAlong(sy * nz - sz * ny, sz * nx - sx * nz, sx * ny - sy * nx)) return true;
  }
  return false;
}

/** Whether the shadows of A and B on direction m are apart by more than rounding; true for some m proves apartness. */
function apartAlong(mx: number, my: number, mz: number): boolean {
  const p = local;
  const a1 = mx * p[3] + my * p[4] + mz * p[5];
  const a2 = mx * p[6] + my * p[7] + mz * p[8];
  const b0 = mx * p[9] + my * p[10] + mz * p[11];
  const b1 = mx * p[12] + my * p[13] + mz * p[14];
  const b2 = mx * p[15] + my * p[16] + mz * p[17];
  // each product sum is off by at most 4 roundings of 2^-53, and two are compared
  const margin = 2e-15 * (Math.abs(mx) * reachX + Math.abs(my) * reachY + Math.abs(mz) * reachZ);
  return Math.min(b0, b1, b2) > Math.max(0, a1, a2) + margin || Math.max(b0, b1, b2) < Math.min(0, a1, a2) - margin;
}

const sidesA = new Float64Array(3);
const sidesB = new Float64Array(3);

/** Triangles A and B by exact signs; a common corner counts as a touching point. */
function exactMeeting(v: Float64Array): Meeting {
  if (!straddles(v, A, B, sidesA) || !straddles(v, B, A, sidesB)) return APART;
  if (axisShowing(v, A[0], A[1], A[2]) < 0 || axisShowing(v, B[0], B[1], B[2]) < 0) return APART;
  if (sidesA[0] === 0 && sidesA[1] === 0 && sidesA[2] === 0) return coplanarMeeting(v);

  const cornerA = lonely(sidesA);
  const cornerB = lonely(sidesB);
  const upA = Math.sign(sidesA[(cornerA + 1) % 3]) - Math.sign(sidesA[cornerA]) > 0;
  const upB = Math.sign(sidesB[(cornerB + 1) % 3]) - Math.sign(sidesB[cornerB]) > 0;
  // ends of the two intervals along n_A × n_B: the sides from the lonely corner that make them
  const [a1, a2] = [(cornerA + 1) % 3, (cornerA + 2) % 3];
  const [b1, b2] = [(cornerB + 1) % 3, (cornerB + 2) % 3];
  const lowA = upA ? a1 : a2;
  const highA = upA ? a2 : a1;
  const lowB = upB ? b2 : b1;
  const highB = upB ? b1 : b2;
  const same = upA === upB ? 1 : -1;
  const gapAB = same * sideOfPlane(v, A[cornerA], A[highA], B[cornerB], B[lowB]);
  if (gapAB > 0) return APART;
  const gapBA = same * sideOfPlane(v, A[cornerA], A[lowA], B[cornerB], B[highB]);
  if (gapBA < 0) return APART;
  markLine(v, cornerA, cornerB);
  // an interval is a single point if the lonely corner lies in the other plane
  if (gapAB === 0 || gapBA === 0 || sidesA[cornerA] === 0 || sidesB[cornerB] === 0) return TOUCHING;
  return CROSSING;
}

/** Sides of the plane of `of` on which the corners of `corners` lie; false if all strictly on one side. */
function straddles(v: Float64Array, corners: Int32Array, of: Int32Array, sides: Float64Array): boolean {
  for (let k = 0; k < 3; k++) {
    const p = corners[k];
    sides[k] = p === of[0] || p === of[1] || p === of[2] ? 0 : sideOfPlane(v, of[0], of[1], of[2], p);
  }
  return !((sides[0] > 0 && sides[1] > 0 && sides[2] > 0) || (sides[0] < 0 && sides[1] < 0 && sides[2] < 0));
}

/** The corner whose sign differs from both others; of +, 0, − the +. Not all three signs are equal. */
function lonely(sides: Float64Array): number {
  const s0 = Math.sign(sides[0]);
  const s1 = Math.sign(sides[1]);
  const s2 = Math.sign(sides[2]);
  if (s1 === s2) return 0;
  if (s0 === s2) return 1;
  if (s0 === s1) return 2;
  return s0 > 0 ? 0 : s1 > 0 ? 1 : 2;
}

const ends = new Float64Array(16); // x, y, z and the place on the line of the four interval ends
/** `meetingPoint` becomes the middle of the common interval: half way between the two inner ends of the four. */
function markLine(v: Float64Array, cornerA: number, cornerB: number): void {
  for (let i = 0; i < 4; i++) {
    const [corners, sides, corner] = i < 2 ? [A, sidesA, cornerA] : [B, sidesB, cornerB];
    const other = (corner + 1 + (i % 2)) % 3;
    const s = sides[corner] / (sides[corner] - sides[other]);
    for (let k = 0; k < 3; k++) {
      const from = v[corners[corner] + k];
      ends[4 * i + k] = from + s * (v[corners[other] + k] - from);
    }
  }
  // order along the longest extent of the four
  let axis = 0;
  let longest = -1;
  for (let k = 0; k < 3; k++) {
    const least = Math.min(ends[k], ends[4 + k], ends[8 + k], ends[12 + k]);
    const extent = Math.max(ends[k], ends[4 + k], ends[8 + k], ends[12 + k]) - least;
    if (extent > longest) {
      longest = extent;
      axis = k;
    }
  }
  const order = [0, 1, 2, 3].sort((i, j) => ends[4 * i + axis] - ends[4 * j + axis] || i - j);
  for (let k = 0; k < 3; k++) meetingPoint[k] = 0.5 * ends[4 * order[1] + k] + 0.5 * ends[4 * order[2] + k];
}

/** A and B in one plane. */
function coplanarMeeting(v: Float64Array): Meeting {
  const axis = axisShowing(v, A[0], A[1], A[2]);
  const frontA = turnAlong(v, axis, A[0], A[1], A[2]) > 0 ? 1 : -1;
  const frontB = turnAlong(v, axis, B[0], B[1], B[2]) > 0 ? 1 : -1;
  // convex figures are apart exactly if a side of one has the other beyond it
  const gap = Math.max(gapBeyond(v, axis, A, frontA, B), gapBeyond(v, axis, B, frontB, A));
  if (gap > 0) return APART;
  if (gap < 0) {
    markOverlap(v, axis);
    return OVERLAPPING;
  }
  // they touch from outside: along a line if two sides run along each other, else in a point
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) if (runAlong(v, axis, A[i], A[(i + 1) % 3], B[j], B[(j + 1) % 3])) return CROSSING;
  let touching = A[0];
  for (let k = 0; k < 3; k++) {
    if (holds(v, axis, A, frontA, B[k])) touching = B[k];
    if (holds(v, axis, B, frontB, A[k])) touching = A[k];
  }
  for (let k = 0; k < 3; k++) meetingPoint[k] = v[touching + k];
  return TOUCHING;
}

/** 1 if some side of `of` has all of `corners` strictly beyond it, 0 if beyond it or on it, −1 if there is none. */
function gapBeyond(v: Float64Array, axis: number, of: Int32Array, front: number, corners: Int32Array): number {
  let gap = -1;
  for (let k = 0; k < 3; k++) {
    const [p, q] = [of[k], of[(k + 1) % 3]];
    let nearest = -Infinity;
    for (let i = 0; i < 3; i++) nearest = Math.max(nearest, front * turnAlong(v, axis, p, q, corners[i]));
    gap = Math.max(gap, -Math.sign(nearest));
  }
  return gap;
}

function holds(v: Float64Array, axis: number, of: Int32Array, front: number, p: number): boolean {
  for (let k = 0; k < 3; k++) if (front * turnAlong(v, axis, of[k], of[(k + 1) % 3], p) < 0) return false;
  return true;
}

/** Whether segments p q and i j lie on one line and have more than a point in common; marks the middle of it. */
function runAlong(v: Float64Array, axis: number, p: number, q: number, i: number, j: number): boolean {
  if (turnAlong(v, axis, p, q, i) !== 0 || turnAlong(v, axis, p, q, j) !== 0) return false;
  // coordinates along a line are in the same order on every axis that shows it; the longest shows it
  let along = 0;
  for (let k = 1; k < 3; k++) if (Math.abs(v[q + k] - v[p + k]) > Math.abs(v[q + along] - v[p + along])) along = k;
  const low = Math.max(Math.min(v[p + along], v[q + along]), Math.min(v[i + along], v[j + along]));
  const high = Math.min(Math.max(v[p + along], v[q + along]), Math.max(v[i + along], v[j + along]));
  if (!(low < high)) return false;
  const s = (0.5 * low + 0.5 * high - v[p + along]) / (v[q + along] - v[p + along]);
  for (let k = 0; k < 3; k++) meetingPoint[k] = v[p + k] + s * (v[q + k] - v[p + k]);
  return true;
}

/** `meetingPoint` becomes the mean corner of the common area of A and B: B clipped at the sides of A. */
function markOverlap(v: Float64Array, axis: number): void {
  const i = axis === 2 ? 0 : axis + 1;
  const j = axis === 0 ? 2 : axis - 1;
  const front = turnAlong(v, axis, A[0], A[1], A[2]) > 0 ? 1 : -1;
  let polygon = [...B].map((p) => [v[p], v[p + 1], v[p + 2]]);
  for (let k = 0; k < 3; k++) {
    const p = A[k];
    const q = A[(k + 1) % 3];
    const side = (r: number[]) =>
      front * ((v[q + i] - v[p + i]) * (r[j] - v[p + j]) - (v[q + j] - v[p + j]) * (r[i] - v[p + i]));
    polygon = polygon.flatMap((r, n) => {
      const s = polygon[(n + 1) % polygon.length];
      const [sideR, sideS] = [side(r), side(s)];
      const kept = sideR >= 0 ? [r] : [];
      if (sideR > 0 !== sideS > 0 && sideR !== sideS)
        kept.push(r.map((x, c) => x + (sideR / (sideR - sideS)) * (s[c] - x)));
      return kept;
    });
  }
  const corners = polygon.length > 0 ? polygon : [...A, ...B].map((p) => [v[p], v[p + 1], v[p + 2]]);
  for (let k = 0; k < 3; k++) meetingPoint[k] = corners.reduce((sum, r) => sum + r[k], 0) / corners.length;
}
