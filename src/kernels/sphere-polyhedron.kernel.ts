/**
 * The point of a convex polyhedron nearest to a sphere's centre, feature by feature: a centre over the inside of a face touches the face,
 * else the nearest of the edges that it is beyond, ends included. A convex solid has one nearest point, so there is one contact,
 * and from face to edge to corner it moves without a jump.
 */

import { LOOP_START, LOOPS, PIECES, PLANES, VERTICES } from './polyhedron-overlap.kernel.js';
import { type FloatArray, type f64, type IntArray, type i32, ptrF, ptrI } from './prelude.js';

/**
 * Signed distance from the centre to the surface, m, negative inside; a number ≥ `radius` if they do not touch.
 *
 * @param x y z the centre, seen from the centre of mass of the polyhedron's body, m
 * @param out   where in `work` to write: unit vector from the centre to the polyhedron, then the nearest point (from that centre of mass)
 */
export function nearestOfPolyhedron(piece: i32, x: f64, y: f64, z: f64, radius: f64, work: FloatArray, out: i32): f64 {
  const pieces: IntArray = ptrI(PIECES);
  const vertices: FloatArray = ptrF(VERTICES);
  const planes: FloatArray = ptrF(PLANES);
  const loopStart: IntArray = ptrI(LOOP_START);
  const loops: IntArray = ptrI(LOOPS);
  const firstVertex: i32 = pieces[8 * piece + 2];
  const first: i32 = pieces[8 * piece + 4];
  const end: i32 = first + pieces[8 * piece + 5];

  // The plane it is farthest out of
  let farthest: f64 = -1e300;
  let face: i32 = first;
  for (let f: i32 = first; f < end; f++) {
    const height: f64 = planes[4 * f] * x + planes[4 * f + 1] * y + planes[4 * f + 2] * z - planes[4 * f + 3];
    if (height > farthest) {
      farthest = height;
      face = f;
    }
  }
  if (farthest >= radius) return farthest;
  if (farthest <= 0) {
    faceContact(planes, face, farthest, x, y, z, work, out);
    return farthest;
  }

  let nearest: f64 = 1e300;
  let px: f64 = 0;
  let py: f64 = 0;
  let pz: f64 = 0;
  for (let f: i32 = first; f < end; f++) {
    const nx: f64 = planes[4 * f];
    const ny: f64 = planes[4 * f + 1];
    const nz: f64 = planes[4 * f + 2];
    const height: f64 = nx * x + ny * y + nz * z - planes[4 * f + 3];
    if (!(height > 0)) continue;
    let over: i32 = 1;
    let u: i32 = 3 * (firstVertex + loops[loopStart[f + 1] - 1]);
    for (let k: i32 = loopStart[f]; k < loopStart[f + 1]; k++) {
      const v: i32 = 3 * (firstVertex + loops[k]);
      const ex: f64 = vertices[v] - vertices[u];
      const ey: f64 = vertices[v + 1] - vertices[u + 1];
      const ez: f64 = vertices[v + 2] - vertices[u + 2];
      const wx: f64 = x - vertices[u];
      const wy: f64 = y - vertices[u + 1];
      const wz: f64 = z - vertices[u + 2];
      // e × N points out of the face
      const beyond: f64 = (ey * nz - ez * ny) * wx + (ez * nx - ex * nz) * wy + (ex * ny - ey * nx) * wz;
      if (beyond > 0) {
        over = 0;
        let t: f64 = (ex * wx + ey * wy + ez * wz) / (ex * ex + ey * ey + ez * ez);
        if (t < 0) t = 0;
        if (t > 1) t = 1;
        const cx: f64 = vertices[u] + t * ex;
        const cy: f64 = vertices[u + 1] + t * ey;
        const cz: f64 = vertices[u + 2] + t * ez;
        const square: f64 = (x - cx) * (x - cx) + (y - cy) * (y - cy) + (z - cz) * (z - cz);
        if (square < nearest) {
          nearest = square;
          px = cx;
          py = cy;
          pz = cz;
        }
      }
      u = v;
    }
    if (over !== 0) {
      faceContact(planes, f, height, x, y, z, work, out);
      return height;
    }
  }
  const distance: f64 = Math.sqrt(nearest);
  work[out] = (px - x) / distance;
  work[out + 1] = (py - y) / distance;
  work[out + 2] = (pz - z) / distance;
  work[out + 3] = px;
  work[out + 4] = py;
  work[out + 5] = pz;
  return distance;
}

function faceContact(
  planes: FloatArray,
  f: i32,
  height: f64,
  x: f64,
  y: f64,
  z: f64,
  work: FloatArray,
  out: i32,
): void {
  work[out] = -planes[4 * f];
  work[out + 1] = -planes[4 * f + 1];
  work[out + 2] = -planes[4 * f + 2];
  work[out + 3] = x - height * planes[4 * f];
  work[out + 4] = y - height * planes[4 * f + 1];
  work[out + 5] = z - height * planes[4 * f + 2];
}

/**
 * Distance from the centre to a face, an edge or a corner of a wall, m; a number ≥ `radius` if they do not touch or another feature is nearer. A centre on the border
 * between an edge or a corner and a face belongs to the former.
 */
export function distanceToFeature(piece: i32, x: f64, y: f64, z: f64, radius: f64, work: FloatArray, out: i32): f64 {
  const pieces: IntArray = ptrI(PIECES);
  const vertices: FloatArray = ptrF(VERTICES);
  const planes: FloatArray = ptrF(PLANES);
  const v: i32 = 3 * pieces[8 * piece + 2];
  const corners: i32 = pieces[8 * piece + 3];
  const first: i32 = pieces[8 * piece + 4];
  const end: i32 = first + pieces[8 * piece + 5];
  const apart: f64 = 2 * radius;
  let height: f64 = 0;
  let f: i32 = first;
  if (corners > 2) {
    height = planes[4 * f] * x + planes[4 * f + 1] * y + planes[4 * f + 2] * z - planes[4 * f + 3];
    if (height >= radius || height <= -radius) return apart;
    f++;
  }
  for (; f < end; f++) {
    const beyond: f64 = planes[4 * f] * x + planes[4 * f + 1] * y + planes[4 * f + 2] * z - planes[4 * f + 3];
    if (beyond > 0 || (corners > 2 && beyond === 0)) return apart;
  }
  if (corners > 2) {
    faceContact(planes, first, height, x, y, z, work, out);
    return height;
  }
  let px: f64 = vertices[v] - x;
  let py: f64 = vertices[v + 1] - y;
  let pz: f64 = vertices[v + 2] - z;
  if (corners === 2) {
    const ex: f64 = vertices[v + 3] - vertices[v];
    const ey: f64 = vertices[v + 4] - vertices[v + 1];
    const ez: f64 = vertices[v + 5] - vertices[v + 2];
    const share: f64 = (px * ex + py * ey + pz * ez) / (ex * ex + ey * ey + ez * ez);
    px -= share * ex;
    py -= share * ey;
    pz -= share * ez;
  }
  const distance: f64 = Math.sqrt(px * px + py * py + pz * pz);
  if (distance >= radius || distance === 0) return apart;
  work[out] = px / distance;
  work[out + 1] = py / distance;
  work[out + 2] = pz / distance;
  work[out + 3] = x + px;
  work[out + 4] = y + py;
  work[out + 5] = z + pz;
  return distance;
}
