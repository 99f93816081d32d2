/**
 * How far a set of points reaches along any direction, without looking at all of them.
 *
 * Directions are points e of the surface of the cube [−1, 1]³, each face of which is cut into four squares again and
 * again. For a square with centre c and half edge r every direction is e = c + (0, μ, ν), |μ|, |ν| ≤ r, axes turned so that
 * the face comes first. A point v lies behind a point w along all of them if
 *
 *   e · (w − v) ≥ c · (w − v) − r (|w − v|_2 + |w − v|_3) > 0          (components 2 and 3 of w − v)
 *
 * Points behind the outermost one along the centre or a corner of the square are struck off; what is left goes to the
 * four smaller squares, until few are left. It is best given corners of a convex hull: a point inside a face is behind
 * no single corner along all directions near the face's normal. But any points will do, also in a plane or on a line.
 */
import { ModelError } from '../errors.js';
import { convexHull } from '../geometry/hull.js';
import { turn } from '../geometry/orientation.js';
import type { Outline } from '../geometry/profile.js';
import type { Vec2 } from '../math/vec3.js';

export class OutermostPoints {
  // nodes of the six trees, the first six being the faces +x, −x, +y, −y, +z, −z; 2 per node:
  // first of its four children, 0; or first place in `list`, how many
  private readonly nodes: Int32Array;
  // points by squares
  private readonly list: Int32Array;
  /** The greatest |x| + |y| + |z| of a point, m. */
  readonly extent: number;

  /** @param points at least one, 3 coordinates each, m */
  constructor(private readonly points: Float64Array) {
    let extent = 0;
    for (let p = 0; p < points.length; p += 3)
      extent = Math.max(extent, Math.abs(points[p]) + Math.abs(points[p + 1]) + Math.abs(points[p + 2]));
    this.extent = extent;
    const all = Int32Array.from({ length: points.length / 3 }, (_, i) => i);
    const few = Math.max(16, Math.ceil(0.5 * Math.sqrt(all.length)));
    const nodes: number[] = new Array(12).fill(0);
    const list: number[] = [];
    const divide = (node: number, face: number, u: number, v: number, r: number, left: Int32Array): void => {
      const kept = this.outermostIn(face, u, v, r, left);
      if (kept.length <= few || r <= SMALLEST_SQUARE) {
        nodes[2 * node] = list.length;
        nodes[2 * node + 1] = kept.length;
        for (const point of kept) list.push(point);
        return;
      }
      const child = nodes.length / 2;
      nodes[2 * node] = child;
      nodes.push(0, 0, 0, 0, 0, 0, 0, 0);
      for (let q = 0; q < 4; q++)
        divide(child + q, face, u + (q & 1 ? r : -r) / 2, v + (q & 2 ? r : -r) / 2, r / 2, kept);
    };
    for (let face = 0; face < 6; face++) divide(face, face, 0, 0, 1, all);
    this.nodes = Int32Array.from(nodes);
    this.list = Int32Array.from(list);
  }

  /** The greatest d · p of all points p, d ≠ 0; −Infinity if d is not a number. */
  reach(dx: number, dy: number, dz: number): number {
    const { nodes, list, points } = this;
    const ax = Math.abs(dx);
    const ay = Math.abs(dy);
    const az = Math.abs(dz);
    const axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
    const along = axis === 0 ? dx : axis === 1 ? dy : dz;
    // Place on the face: the two other coordinates, in cyclic order
    const u = (axis === 0 ? dy : axis === 1 ? dz : dx) / Math.abs(along);
    const v = (axis === 0 ? dz : axis === 1 ? dx : dy) / Math.abs(along);
    let node = 2 * axis + (along < 0 ? 1 : 0);
    let cu = 0;
    let cv = 0;
    for (let r = 0.5; nodes[2 * node + 1] === 0; r *= 0.5) {
      node = nodes[2 * node] + (u > cu ? 1 : 0) + (v > cv ? 2 : 0);
      cu += u > cu ? r : -r;
      cv += v > cv ? r : -r;
    }
    let best = -Infinity;
    const end = nodes[2 * node] + nodes[2 * node + 1];
    for (let i = nodes[2 * node]; i < end; i++) {
      const p = 3 * list[i];
      const reach = dx * points[p] + dy * points[p + 1] + dz * points[p + 2];
      if (reach > best) best = reach;
    }
    return best;
  }

  /** Points that may be outermost along some direction of a square. */
  private outermostIn(face: number, u: number, v: number, r: number, left: Int32Array): Int32Array {
    const { points } = this;
    const axis = face >> 1;
    const sign = face & 1 ? -1 : 1;
    const [first, second, third] = [axis, (axis + 1) % 3, (axis + 2) % 3];
    const outermost = (cu: number, cv: number): number => {
      let best = left[0];
      let reach = -Infinity;
      for (const i of left) {
        const along = sign * points[3 * i + first] + cu * points[3 * i + second] + cv * points[3 * i + third];
        if (along > reach) {
          reach = along;
          best = i;
        }
      }
      return best;
    };
    const rivals = new Set([
      outermost(u, v),
      outermost(u - r, v - r),
      outermost(u + r, v - r),
      outermost(u - r, v + r),
      outermost(u + r, v + r),
    ]);
    return left.filter((i) => {
      for (const w of rivals) {
        const d1 = sign * (points[3 * w + first] - points[3 * i + first]);
        const d2 = points[3 * w + second] - points[3 * i + second];
        const d3 = points[3 * w + third] - points[3 * i + third];
        if (d1 === 0 && d2 === 0 && d3 === 0) return i === w; // the same point again
        // r a little larger than it is: roundings at the border of the square
        if (d1 + u * d2 + v * d3 > (r + 1e-9) * (Math.abs(d2) + Math.abs(d3)) + 1e-15 * Math.abs(d1)) return false;
      }
      return true;
    });
  }
}

/** Half an edge of squares that are not cut further: five cuts, at most 6144 squares. */
const SMALLEST_SQUARE = 1 / 32;

/** Corners of the convex hull of points in space; all points if they lie in one plane. */
export function hullCorners(points: Float64Array): Float64Array {
  try {
    return convexHull(points).vertices;
  } catch (error) {
    if (error instanceof ModelError) return points;
    throw error;
  }
}

/** Corners of the convex hull of an outline, counter-clockwise: monotone chains with exact turns (Andrew 1979). */
export function outlineHull(outline: Outline): Vec2[] {
  const sorted = outline.map(([x, y]): Vec2 => [x, y]).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const chain = (points: readonly Vec2[]): Vec2[] => {
    const corners: Vec2[] = [];
    for (const p of points) {
      while (corners.length > 1) {
        const [[ax, ay], [bx, by]] = [corners[corners.length - 2], corners[corners.length - 1]];
        if (turn(ax, ay, bx, by, p[0], p[1]) > 0) break;
        corners.pop();
      }
      corners.push(p);
    }
    return corners;
  };
  const [lower, upper] = [chain(sorted), chain(sorted.toReversed())];
  return lower.slice(0, -1).concat(upper.slice(0, -1));
}
