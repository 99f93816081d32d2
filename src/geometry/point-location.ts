/**
 * Whether a point lies inside a mesh, decided exactly.
 *
 * The winding number of a point is the signed count of triangles on the ray from it along +x: +1 where the ray leaves
 * the solid, −1 where it enters. Every decision is the exact sign of a determinant of input coordinates. If the ray
 * meets an edge or a vertex, it is thought to be shifted by (0, ε, ε²) with an infinitesimal ε > 0 (Edelsbrunner &
 * Mücke 1990, doi 10.1145/77635.77639), the same for all triangles, so that every crossing is counted once whatever
 * the ray hits. For a closed mesh the answer is therefore right for every point, and points on the surface are known
 * as such.
 */
import type { Bvh } from './bvh.js';
import { turn } from './orientation.js';
import { axisShowing, sideOfPoint, turnAlong } from './side-of-plane.js';

/** Triangles that a ray along +x crosses. Made once and filled again by every `crossingsAlongX`. */
export class Crossings {
  count = 0;
  triangles = new Uint32Array(16);
  /** +1 where the ray leaves through the triangle's front, −1 where it comes in by it */
  signs = new Int8Array(16);
  /** a triangle that contains the starting point, −1 if none does */
  on = -1;
  /** one per triangle; those labelled `except` are passed over. Null: none are. */
  labels: Uint32Array | null = null;
  except = 0;

  add(triangle: number, sign: number): void {
    if (this.count === this.triangles.length) {
      const triangles = new Uint32Array(2 * this.count);
      triangles.set(this.triangles);
      this.triangles = triangles;
      const signs = new Int8Array(2 * this.count);
      signs.set(this.signs);
      this.signs = signs;
    }
    this.triangles[this.count] = triangle;
    this.signs[this.count++] = sign;
  }
}

const shared = new Crossings();
let stack = new Int32Array(64);

/**
 * How often the mesh winds around a point: 1 inside a solid, 0 outside and in its cavities, more where shells overlap,
 * negative inside a mesh that is turned inside out. On the surface itself the value of one side of it.
 */
export function windingNumber(tree: Bvh, x: number, y: number, z: number): number {
  crossingsAlongX(tree, x, y, z, shared);
  let winding = 0;
  for (let i = 0; i < shared.count; i++) winding += shared.signs[i];
  return winding;
}

/** 1 inside (winding number not 0), −1 outside, 0 exactly on the surface. The mesh must be closed. */
export function locatePoint(tree: Bvh, x: number, y: number, z: number): -1 | 0 | 1 {
  const winding = windingNumber(tree, x, y, z);
  if (shared.on >= 0) return 0;
  return winding !== 0 ? 1 : -1;
}

/** Whether a point lies inside a closed mesh or on its surface. */
export const isInside = (tree: Bvh, x: number, y: number, z: number): boolean => locatePoint(tree, x, y, z) >= 0;

/** Fills `into` with the triangles crossed by the ray from (x, y, z) along +x, in the order of the tree. */
export function crossingsAlongX(tree: Bvh, x: number, y: number, z: number, into: Crossings): void {
  const { boxes, links, order, mesh } = tree;
  const { vertices, triangles } = mesh;
  into.count = 0;
  into.on = -1;
  if (links.length === 0) return;
  if (stack.length < tree.depth + 2) stack = new Int32Array(2 * tree.depth + 2);
  stack[0] = 0;
  for (let top = 1; top > 0; ) {
    const node = stack[--top];
    const box = 6 * node;
    if (Math.abs(y - boxes[box + 1]) > boxes[box + 4] || Math.abs(z - boxes[box + 2]) > boxes[box + 5]) continue;
    if (x - boxes[box] > boxes[box + 3]) continue;
    const count = -links[2 * node];
    if (count <= 0) {
      stack[top++] = links[2 * node + 1];
      stack[top++] = -count;
      continue;
    }
    const first = links[2 * node + 1];
    for (let i = first; i < first + count; i++) {
      const t = order[i];
      if (into.labels !== null && into.labels[t] === into.except) continue;
      const a = 3 * triangles[3 * t];
      const b = 3 * triangles[3 * t + 1];
      const c = 3 * triangles[3 * t + 2];

      // the triangle's shadow on the yz plane holds the shifted point if all three sides agree
      const sign = turnShifted(vertices, a, b, y, z);
      const crosses =
        sign !== 0 && turnShifted(vertices, b, c, y, z) === sign && turnShifted(vertices, c, a, y, z) === sign;
      const mayHold = into.on < 0 && boxHolds(vertices, a, b, c, x, y, z);
      if (!crosses && !mayHold) continue;

      // the crossing lies ahead if the point is behind a front that faces +x or before one that faces −x
      const side = sideOfPoint(vertices, a, b, c, x, y, z);
      if (side === 0) {
        if (mayHold && holdsCoplanar(vertices, a, b, c, x, y, z)) into.on = t;
      } else if (crosses && side < 0 === sign > 0) into.add(t, sign);
    }
  }
}

/** Sign of the turn a → b → (y + ε, z + ε²) in the yz plane; 0 only if a and b have the same y and z. */
function turnShifted(v: Float64Array, a: number, b: number, y: number, z: number): number {
  const ay = v[a + 1];
  const az = v[a + 2];
  const by = v[b + 1];
  const bz = v[b + 2];
  // certain if beyond the rounding of differences and products: 3 × 2^-53 of their sum, Shewchuk (1997), §4.2
  const left = (ay - y) * (bz - z);
  const right = (az - z) * (by - y);
  const det = left - right;
  const bound = 3.3306690738754716e-16 * (Math.abs(left) + Math.abs(right));
  if (det > bound) return 1;
  if (det < -bound) return -1;
  const exact = turn(ay, az, by, bz, y, z);
  if (exact !== 0) return exact > 0 ? 1 : -1;
  // derivatives of the determinant by y and by z
  if (az !== bz) return az > bz ? 1 : -1;
  return Math.sign(by - ay);
}

function boxHolds(v: Float64Array, a: number, b: number, c: number, x: number, y: number, z: number): boolean {
  return (
    between(v[a], v[b], v[c], x) && between(v[a + 1], v[b + 1], v[c + 1], y) && between(v[a + 2], v[b + 2], v[c + 2], z)
  );
}

const between = (p: number, q: number, r: number, x: number): boolean =>
  (p <= x || q <= x || r <= x) && (p >= x || q >= x || r >= x);

const corner = new Float64Array(12);
/** Whether a point in the triangle's plane and in its box lies on the triangle, border included. */
function holdsCoplanar(v: Float64Array, a: number, b: number, c: number, x: number, y: number, z: number): boolean {
  for (let k = 0; k < 3; k++) {
    corner[k] = v[a + k];
    corner[3 + k] = v[b + k];
    corner[6 + k] = v[c + k];
  }
  corner[9] = x;
  corner[10] = y;
  corner[11] = z;
  const axis = axisShowing(corner, 0, 3, 6);
  // A triangle without area is a line along its longest side. A point on that line and in the box lies on it.
  if (axis < 0) {
    for (let k = 0; k < 3; k++) if (axisShowing(corner, 3 * k, (3 * k + 3) % 9, 9) >= 0) return false;
    return true;
  }
  const front = turnAlong(corner, axis, 0, 3, 6) > 0 ? 1 : -1;
  return (
    front * turnAlong(corner, axis, 0, 3, 9) >= 0 &&
    front * turnAlong(corner, axis, 3, 6, 9) >= 0 &&
    front * turnAlong(corner, axis, 6, 0, 9) >= 0
  );
}
