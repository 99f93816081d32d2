/**
 * A patch with the contour of a polygon in place of an ellipse: Gauss points on its edges. Contacts of bodies take the ellipse of their second moments; this is what
 * the ellipse, and sums over any contour, are held against.
 */
import type { PatchContour } from './patch-contour.js';

// two-point Gauss rule on (0, 1)
const GAUSS = [0.5 - 0.5 / Math.sqrt(3), 0.5 + 0.5 / Math.sqrt(3)];

/**
 * From loops of corners in any origin, counter-clockwise outside and clockwise around holes; takes the area's centroid itself.
 *
 * @param corners x, y after x, y, m
 * @param loops   index of the first corner of every loop
 * @param pieces  parts per edge, two Gauss points each
 */
export function setPolygon(
  patch: PatchContour,
  corners: ArrayLike<number>,
  loops: ArrayLike<number> = [0],
  pieces = 2,
): void {
  const total = corners.length / 2;
  for (const key of ['x', 'y', 'qx', 'qy'] as const) patch[key] = new Float64Array(2 * pieces * total);
  // area and centroid
  let area = 0;
  let mx = 0;
  let my = 0;
  const originX = corners[0];
  const originY = corners[1];
  for (let loop = 0; loop < loops.length; loop++) {
    const start = loops[loop];
    const end = loop + 1 < loops.length ? loops[loop + 1] : total;
    for (let i = start; i < end; i++) {
      const j = i + 1 < end ? i + 1 : start;
      const ax = corners[2 * i] - originX;
      const ay = corners[2 * i + 1] - originY;
      const bx = corners[2 * j] - originX;
      const by = corners[2 * j + 1] - originY;
      const cross = ax * by - ay * bx;
      area += 0.5 * cross;
      mx += (cross * (ax + bx)) / 6;
      my += (cross * (ay + by)) / 6;
    }
  }
  if (!(area > 0)) {
    patch.setPoint();
    return;
  }
  const centreX = originX + mx / area;
  const centreY = originY + my / area;
  // nodes
  let n = 0;
  for (let loop = 0; loop < loops.length; loop++) {
    const start = loops[loop];
    const end = loop + 1 < loops.length ? loops[loop + 1] : total;
    for (let i = start; i < end; i++) {
      const j = i + 1 < end ? i + 1 : start;
      const ax = corners[2 * i] - centreX;
      const ay = corners[2 * i + 1] - centreY;
      const ex = corners[2 * j] - corners[2 * i];
      const ey = corners[2 * j + 1] - corners[2 * i + 1];
      for (let piece = 0; piece < pieces; piece++)
        for (let g = 0; g < 2; g++) {
          const at = (piece + GAUSS[g]) / pieces;
          patch.x[n] = ax + at * ex;
          patch.y[n] = ay + at * ey;
          patch.qx[n] = ey / (2 * pieces * area);
          patch.qy[n] = -ex / (2 * pieces * area);
          n++;
        }
    }
  }
  patch.count = n;
  patch.central = false;
  patch.measure();
}
