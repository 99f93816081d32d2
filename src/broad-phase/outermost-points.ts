/** The points of a solid that can be its outermost in some direction: the corners of its convex hull. */
import { ModelError } from '../errors.js';
import { type Bvh, buildBvh } from '../geometry/bvh.js';
import { convexHull } from '../geometry/hull.js';
import { turn } from '../geometry/orientation.js';
import type { Outline } from '../geometry/profile.js';
import type { TriangleMesh } from '../geometry/triangle-mesh.js';
import type { Vec2 } from '../math/vec3.js';

/** Convex hull of a mesh's vertices; undefined for a mesh without volume, of which every vertex may be outermost. */
export function hullOf({ vertices }: TriangleMesh): TriangleMesh | undefined {
  try {
    return convexHull(vertices);
  } catch (error) {
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}

/** Corners of the convex hull of an outline, counter-clockwise: monotone chains with exact turns (Andrew 1979). */
export function outlineHull(outline: Outline): Vec2[] {
  const sorted = [...outline].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
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

/**
 * How far a hull with many corners reaches along a direction, by branch and bound in its tree of boxes: a box with centre c
 * and half extent h reaches c · d + h · |d|, and a box that reaches less than the best corner so far is not opened.
 */
export class SupportTree {
  private readonly tree: Bvh;
  private readonly stack: Int32Array;

  constructor(hull: TriangleMesh) {
    this.tree = buildBvh(hull);
    this.stack = new Int32Array(this.tree.depth + 2);
  }

  /** The greatest d · v of all corners v, computed as (dx x + dy y) + dz z. */
  reach(dx: number, dy: number, dz: number): number {
    const { links, order, mesh } = this.tree;
    const { vertices, triangles } = mesh;
    const { stack } = this;
    let best = -Infinity;
    let top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const node = stack[--top];
      if (this.bound(node, dx, dy, dz) < best) continue;
      const many = -links[2 * node];
      if (many <= 0) {
        // the child that may reach farther comes first
        const p = links[2 * node];
        const q = links[2 * node + 1];
        const nearer = this.bound(p, dx, dy, dz) < this.bound(q, dx, dy, dz);
        stack[top++] = nearer ? p : q;
        stack[top++] = nearer ? q : p;
        continue;
      }
      const first = links[2 * node + 1];
      for (let i = first; i < first + many; i++)
        for (let c = 0; c < 3; c++) {
          const v = 3 * triangles[3 * order[i] + c];
          const along = dx * vertices[v] + dy * vertices[v + 1] + dz * vertices[v + 2];
          if (along > best) best = along;
        }
    }
    return best;
  }

  /** Bound of d · v in a node's box, up to rounding: what it may lose is less than what ShapeBounds enlarges boxes by. */
  private bound(node: number, dx: number, dy: number, dz: number): number {
    const { boxes } = this.tree;
    const at = 6 * node;
    return (
      dx * boxes[at] +
      dy * boxes[at + 1] +
      dz * boxes[at + 2] +
      (Math.abs(dx) * boxes[at + 3] + Math.abs(dy) * boxes[at + 4] + Math.abs(dz) * boxes[at + 5])
    );
  }
}
