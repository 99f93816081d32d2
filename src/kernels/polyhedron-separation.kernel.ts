/** A vector that tells two convex polyhedra apart (Chung & Wang 1996, doi 10.1145/3304181.3304185). */
import { OVERLAP_RESULT, PIECES, VERTICES, WORK } from './polyhedron-overlap.kernel.js';
import { REPORT, REPORT_VECTORS } from './polyhedron-report.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';

const TRIES: i32 = 6;

/**
 * Looks for a vector with all of A below all of B, from the one given. Leaves at OVERLAP_RESULT + 8 the one that separates (returns 1) or the one
 * along which they penetrate least (returns 0).
 */
export function separated(
  a: i32,
  b: i32,
  dx: f64,
  dy: f64,
  dz: f64,
  startX: f64,
  startY: f64,
  startZ: f64,
  size: f64,
  report: i32,
  room: i32,
): i32 {
  const pieces: IntArray = ptrI(PIECES);
  const vertices: FloatArray = ptrF(VERTICES);
  const work: FloatArray = ptrF(WORK);
  const reports: FloatArray = ptrF(REPORT);
  const result: i32 = OVERLAP_RESULT * room;
  const firstA: i32 = 3 * pieces[8 * a + 2];
  const endA: i32 = firstA + 3 * pieces[8 * a + 3];
  const firstB: i32 = 3 * pieces[8 * b + 2];
  const endB: i32 = firstB + 3 * pieces[8 * b + 3];
  const margin: f64 = 1e-12 * size;
  const length: f64 = Math.sqrt(startX * startX + startY * startY + startZ * startZ);
  let sx: f64 = startX / length;
  let sy: f64 = startY / length;
  let sz: f64 = startZ / length;
  let best: f64 = 1e300;
  for (let attempt: i32 = 0; attempt < TRIES; attempt++) {
    reports[report + REPORT_VECTORS] += 1;
    let hi: f64 = -1e300;
    let lo: f64 = 1e300;
    let p: i32 = firstA;
    let q: i32 = firstB;
    for (let v: i32 = firstA; v < endA; v += 3) {
      const t: f64 = sx * vertices[v] + sy * vertices[v + 1] + sz * vertices[v + 2];
      if (t > hi) {
        hi = t;
        p = v;
      }
    }
    for (let v: i32 = firstB; v < endB; v += 3) {
      const t: f64 = sx * vertices[v] + sy * vertices[v + 1] + sz * vertices[v + 2];
      if (t < lo) {
        lo = t;
        q = v;
      }
    }
    const penetration: f64 = hi - lo - (sx * dx + sy * dy + sz * dz);
    if (penetration < best) {
      best = penetration;
      work[result + 8] = sx;
      work[result + 9] = sy;
      work[result + 10] = sz;
    }
    if (penetration < -margin) return 1;

    // Mirror at the direction between the support points
    const rx: f64 = vertices[q] + dx - vertices[p];
    const ry: f64 = vertices[q + 1] + dy - vertices[p + 1];
    const rz: f64 = vertices[q + 2] + dz - vertices[p + 2];
    const square: f64 = rx * rx + ry * ry + rz * rz;
    if (!(square > 0)) return 0;
    const twice: f64 = (2 * (rx * sx + ry * sy + rz * sz)) / square;
    sx -= twice * rx;
    sy -= twice * ry;
    sz -= twice * rz;
  }
  return 0;
}
