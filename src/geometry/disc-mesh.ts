/**
 * Flat discs and rings of well-shaped triangles, for the ends of round solids.
 *
 * A regular n-gon cut up between its own corners has triangles with an angle of π/n at best (2.8° for 64 corners),
 * and a fan around its centre one of 2π/n. Contact evaluates forces triangle by triangle, so such slivers hurt later.
 * Here rings of half as many corners each lead inwards to a small fan: all angles stay above 30° from 3 to 1024
 * corners, at 2.7 triangles per corner.
 */
import { log, pow, sin } from '../math/elementary.js';
import { circlePoint } from './circle.js';

/** Collects vertices and triangles; arrays grow, so only for code that runs once. */
export interface Growing {
  /** 3 per vertex, m */
  readonly vertices: number[];
  /** 3 per triangle */
  readonly triangles: number[];
}

/** Corners of a circle around the z axis; returns the index of the first. */
export function addRing(into: Growing, corners: number, radius: number, z: number): number {
  const first = into.vertices.length / 3;
  for (let i = 0; i < corners; i++) {
    const [c, s] = circlePoint(i, corners);
    into.vertices.push(radius * c, radius * s, z);
  }
  return first;
}

/** Band between two rings of equally many corners, two triangles per corner; faces outwards if a is the lower one. */
export function addBand(into: Growing, corners: number, a: number, b: number): void {
  for (let i = 0; i < corners; i++) {
    const j = i + 1 === corners ? 0 : i + 1;
    into.triangles.push(a + i, a + j, b + j, a + i, b + j, b + i);
  }
}

/** Flat disc at height z inside the ring that starts at vertex `rim`; normal along +z if `up`, else along −z. */
export function addDisc(into: Growing, corners: number, rim: number, radius: number, z: number, up: boolean): void {
  let outer = rim;
  let outerCorners = corners;
  let outerRadius = radius;
  while (outerCorners > 9) {
    // Gap = 0.95 edges: the corner triangles are then half squares, as even as a change from n to n/2 corners allows.
    const innerCorners = Math.ceil(outerCorners / 2);
    const innerRadius = outerRadius * (1 - 1.9 * sin(Math.PI / outerCorners));
    const inner = addRing(into, innerCorners, innerRadius, z);
    zip(into, outer, outerCorners, inner, innerCorners, up);
    outer = inner;
    outerCorners = innerCorners;
    outerRadius = innerRadius;
  }
  if (outerCorners <= 4) {
    for (let i = 2; i < outerCorners; i++) addTriangle(into, outer, outer + i - 1, outer + i, up);
    return;
  }
  const centre = into.vertices.length / 3;
  into.vertices.push(0, 0, z);
  for (let i = 0; i < outerCorners; i++) addTriangle(into, centre, outer + i, outer + ((i + 1) % outerCorners), up);
}

/**
 * Flat ring at height z between two circles of equally many corners, `outer` and `inner` being their first vertices.
 * Circles between them, in geometric progression, keep every quadrilateral at most twice as long as wide.
 */
export function addAnnulus(
  into: Growing,
  corners: number,
  outer: number,
  outerRadius: number,
  inner: number,
  innerRadius: number,
  z: number,
  up: boolean,
): void {
  const widest = 4 * sin(Math.PI / corners); // two edges, as a fraction of the radius
  const layers = Math.max(1, Math.ceil(log(outerRadius / innerRadius) / log(1 + widest)));
  let ring = outer;
  for (let layer = 1; layer <= layers; layer++) {
    const next =
      layer === layers
        ? inner
        : addRing(into, corners, outerRadius * pow(innerRadius / outerRadius, layer / layers), z);
    if (up) addBand(into, corners, ring, next);
    else addBand(into, corners, next, ring);
    ring = next;
  }
}

function addTriangle(into: Growing, a: number, b: number, c: number, up: boolean): void {
  if (up) into.triangles.push(a, b, c);
  else into.triangles.push(a, c, b);
}

/** Triangles between two concentric rings, the next corner taken on whichever ring lags behind. */
function zip(into: Growing, outer: number, m: number, inner: number, n: number, up: boolean): void {
  let i = 0;
  let j = 0;
  while (i < m || j < n) {
    const a = outer + (i % m);
    const b = inner + (j % n);
    if (j === n || (i < m && (2 * i + 1) * n <= (2 * j + 1) * m)) {
      i++;
      addTriangle(into, a, outer + (i % m), b, up);
    } else {
      j++;
      addTriangle(into, a, inner + (j % n), b, up);
    }
  }
}
