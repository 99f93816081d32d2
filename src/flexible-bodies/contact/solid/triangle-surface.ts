/** Triangles of a body's surface, in its own axes and where its coordinates have put them: which of them is nearest to a point, and on which side of it the point is. */
import { type Bvh, buildBvh } from '../../../geometry/bvh.js';
import { TriangleFoot } from './triangle-foot.js';

/** Of the size of the surface: two triangles that are as near as that are equally near */
const TIE = 1e-10;
/** Cosine between the normals of two surfaces, above which they do not press on each other */
export const FACING = -0.1;

export class TriangleSurface {
  /** Of `nearest`: corners as they have moved (9), foot, and the distance from the triangle's plane, negative inside */
  readonly corners = new Float64Array(9);
  readonly foot = new TriangleFoot();
  height = 0;
  /** Around the undeformed triangles: least x, y, z, largest */
  readonly box = Float64Array.from([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  /** How far the coordinates have moved any of its points at most, m */
  reach = 0;
  /** Per coordinate: the most that it moves any point */
  readonly most: Float64Array;
  private readonly tree: Bvh;
  private readonly tie: number;
  private readonly stack: Int32Array;
  private q: Float64Array = new Float64Array(0);
  /** 3 per node; those whose stamp is of this state */
  private readonly moved: Float64Array;
  private readonly stamp: Int32Array;
  private now = 0;
  private readonly trial = new TriangleFoot();

  /** @param shapes displacement per unit of each coordinate, 3 per node; none of a rigid body */
  constructor(
    readonly points: Float64Array,
    readonly triangles: ArrayLike<number>,
    readonly shapes: readonly Float64Array[],
  ) {
    const used = new Set(Array.from(triangles));
    this.tree = buildBvh({ vertices: points, triangles: Uint32Array.from(triangles) });
    this.stack = new Int32Array(this.tree.depth + 2);
    this.moved = new Float64Array(points.length);
    this.stamp = new Int32Array(points.length / 3).fill(-1);
    for (const node of used)
      for (let d = 0; d < 3; d++) {
        this.box[d] = Math.min(this.box[d], points[3 * node + d]);
        this.box[3 + d] = Math.max(this.box[3 + d], points[3 * node + d]);
      }
    this.tie = TIE * Math.max(this.box[3] - this.box[0], this.box[4] - this.box[1], this.box[5] - this.box[2]);
    this.most = Float64Array.from(shapes, (shape) => {
      let most = 0;
      for (const node of used) {
        const [x, y, z] = [shape[3 * node], shape[3 * node + 1], shape[3 * node + 2]];
        most = Math.max(most, x * x + y * y + z * z);
      }
      return Math.sqrt(most);
    });
  }

  /** Its coordinates from here on */
  place(q: Float64Array): void {
    this.q = q;
    this.now++;
    this.reach = 0;
    for (let k = 0; k < q.length; k++) this.reach += this.most[k] * Math.abs(q[k]);
  }

  /** How far a point is outside the box around all triangles, at least, m */
  outside(x: number, y: number, z: number): number {
    const { box, reach } = this;
    const dx = Math.max(box[0] - x, x - box[3]);
    const dy = Math.max(box[1] - y, y - box[4]);
    const dz = Math.max(box[2] - z, z - box[5]);
    return Math.max(dx, dy, dz) - reach;
  }

  /** Where the corners of a triangle are, into `corners` */
  read(t: number): void {
    const { triangles, points, shapes, moved, stamp, now, q, corners } = this;
    for (let k = 0; k < 3; k++) {
      const node = triangles[3 * t + k];
      if (stamp[node] !== now) {
        stamp[node] = now;
        for (let d = 0; d < 3; d++) {
          let x = points[3 * node + d];
          for (let m = 0; m < q.length; m++) x += shapes[m][3 * node + d] * q[m];
          moved[3 * node + d] = x;
        }
      }
      for (let d = 0; d < 3; d++) corners[3 * k + d] = moved[3 * node + d];
    }
  }

  /**
   * The triangle nearest to a point; of several that meet in an edge or corner the one whose plane is farthest, which tells the side.
   * −1: none is nearer than `within`.
   *
   * @param facing normal of the point's own surface: only triangles that it faces are looked at
   */
  nearest(x: number, y: number, z: number, within: number, facing?: Float64Array): number {
    const { tree, stack, trial, reach, tie } = this;
    const { boxes, links, order } = tree;
    let best = within;
    let found = -1;
    let height = 0;
    let top = 0;
    if (links.length > 0) stack[top++] = 0;
    while (top > 0) {
      const node = stack[--top];
      const limit = best + reach + tie;
      if (distanceTo(boxes, 6 * node, x, y, z) > limit * limit) continue;
      const count = -links[2 * node];
      if (count <= 0) {
        const [a, b] = [links[2 * node], links[2 * node + 1]];
        const nearer = distanceTo(boxes, 6 * a, x, y, z) <= distanceTo(boxes, 6 * b, x, y, z);
        stack[top++] = nearer ? b : a;
        stack[top++] = nearer ? a : b;
        continue;
      }
      for (let i = links[2 * node + 1]; i < links[2 * node + 1] + count; i++) {
        const t = order[i];
        this.read(t);
        trial.find(this.corners, x, y, z);
        const { distance } = trial;
        if (distance >= best + (found < 0 ? 0 : tie)) continue;
        const side = this.heightOver(x, y, z);
        if (facing && !(NORMAL[0] * facing[0] + NORMAL[1] * facing[1] + NORMAL[2] * facing[2] < FACING)) continue;
        if (found >= 0 && distance > best - tie) {
          const [other, own] = [Math.abs(height), Math.abs(side)];
          if (own < other || (own === other && t > found)) continue;
        }
        best = Math.min(best, distance);
        found = t;
        height = side;
      }
    }
    if (found < 0) return -1;
    this.read(found);
    this.foot.find(this.corners, x, y, z);
    this.height = height;
    return found;
  }

  /**
   * Of a point inside, the nearest triangle that its surface faces: beside a rim the nearest one is that round the corner, which would push it sideways.
   * −1: it is outside by `near` or more, or none is there within `deepest`.
   */
  pressed(x: number, y: number, z: number, facing: Float64Array, deepest: number, near: number): number {
    const t = this.nearest(x, y, z, Number.POSITIVE_INFINITY);
    if (t < 0 || (!(this.height < 0) && !(this.foot.distance < near))) return -1;
    normalOf(this.corners, NORMAL);
    if (NORMAL[0] * facing[0] + NORMAL[1] * facing[1] + NORMAL[2] * facing[2] < FACING) return t;
    const other = this.nearest(x, y, z, deepest, facing);
    return other >= 0 && this.height < near ? other : -1;
  }

  /** Distance from the plane of the triangle in `corners`, positive outside */
  private heightOver(x: number, y: number, z: number): number {
    const { corners } = this;
    normalOf(corners, NORMAL);
    return NORMAL[0] * (x - corners[0]) + NORMAL[1] * (y - corners[1]) + NORMAL[2] * (z - corners[2]);
  }

  /** Displacement of the place with weights λ on a triangle per coordinate, 3 each */
  shapesAt(t: number, weights: Float64Array, out: Float64Array): void {
    const { shapes, triangles } = this;
    for (let k = 0; k < shapes.length; k++)
      for (let d = 0; d < 3; d++) {
        let sum = 0;
        for (let j = 0; j < 3; j++) sum += weights[j] * shapes[k][3 * triangles[3 * t + j] + d];
        out[3 * k + d] = sum;
      }
  }

  /** How the corners of a triangle move as the coordinates do, 9 numbers */
  cornersByShapes(t: number, d: Float64Array, from: number, out: Float64Array): void {
    const { shapes, triangles } = this;
    for (let j = 0; j < 3; j++)
      for (let i = 0; i < 3; i++) {
        let sum = 0;
        for (let k = 0; k < shapes.length; k++) sum += shapes[k][3 * triangles[3 * t + j] + i] * d[from + k];
        out[3 * j + i] = sum;
      }
  }
}

const NORMAL = new Float64Array(3);

/** Outward unit normal of a triangle from its corners */
export function normalOf(c: Float64Array, out: Float64Array): number {
  const [ux, uy, uz] = [c[3] - c[0], c[4] - c[1], c[5] - c[2]];
  const [vx, vy, vz] = [c[6] - c[0], c[7] - c[1], c[8] - c[2]];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const size = Math.sqrt(x * x + y * y + z * z);
  out[0] = x / size;
  out[1] = y / size;
  out[2] = z / size;
  return size;
}

/** Its change: (1 − n nᵀ) (du × v + u × dv)/|u × v| */
export function moveNormal(c: Float64Array, d: Float64Array, n: Float64Array, out: Float64Array): void {
  let along = 0;
  for (let i = 0; i < 3; i++) {
    const [e, g] = [(i + 1) % 3, (i + 2) % 3];
    out[i] =
      (d[3 + e] - d[e]) * (c[6 + g] - c[g]) -
      (d[3 + g] - d[g]) * (c[6 + e] - c[e]) +
      (c[3 + e] - c[e]) * (d[6 + g] - d[g]) -
      (c[3 + g] - c[g]) * (d[6 + e] - d[e]);
    along += out[i] * n[i];
  }
  const size = normalOf(c, NORMAL);
  for (let i = 0; i < 3; i++) out[i] = (out[i] - along * n[i]) / size;
}

/** Squared distance from a point to a node's box */
function distanceTo(boxes: Float64Array, at: number, x: number, y: number, z: number): number {
  const dx = Math.max(0, Math.abs(x - boxes[at]) - boxes[at + 3]);
  const dy = Math.max(0, Math.abs(y - boxes[at + 1]) - boxes[at + 4]);
  const dz = Math.max(0, Math.abs(z - boxes[at + 2]) - boxes[at + 5]);
  return dx * dx + dy * dy + dz * dz;
}
