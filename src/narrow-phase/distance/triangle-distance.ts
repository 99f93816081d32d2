/**
 * Distance of two triangles and their nearest points. Those lie in the middle of one edge of each, or one of them is a corner; or the
 * triangles cross, and an edge of one runs through the other.
 *
 * Edges p + s u and q + t c with r = q − p and n = u × c come nearest at
 *
 *   s = n · (r × c)/n · n,   t = n · (r × u)/n · n
 *
 * Written with cross products the distance stays right to rounding for nearly parallel edges: s is uncertain by ε/φ there, φ being their angle,
 * but only φ s matters. (The usual denominator a e − b² loses half of the digits.) Where s or t is no inner point, an end is nearest, and
 * ends are looked at as corners.
 */
import { closestOnTriangle } from '../../geometry/closest-point.js';

/** Of a product of three lengths, more than it is */
const ROUNDING = 1e-14;

export class TriangleDistance {
  /** 3 each: nearest points, m */
  readonly pointP = new Float64Array(3);
  readonly pointQ = new Float64Array(3);
  private readonly foot = new Float64Array(3);
  private readonly height = new Float64Array(3);

  /**
   * Looks at the triangles at p … p + 8 and q … q + 8 of two lists of corners. Returns the squared distance, and sets the nearest points, if it
   * is less than `best`; returns `best` otherwise.
   */
  measure(listP: Float64Array, p: number, listQ: Float64Array, q: number, best: number): number {
    const far = Math.sqrt(best);
    if (this.heights(listQ, q, listP, p, far)) return best;
    let least = this.corners(listQ, q, listP, p, best, false);
    if (this.heights(listP, p, listQ, q, far)) return best;
    least = this.corners(listP, p, listQ, q, least, true);
    for (let i = 0; i < 3 && least > 0; i++)
      for (let j = 0; j < 3; j++) least = this.edges(listP, p, i, listQ, q, j, least);
    if (least > 0 && (this.pierces(listP, p, listQ, q) || this.pierces(listQ, q, listP, p))) {
      this.pointP.set(this.foot);
      this.pointQ.set(this.foot);
      return 0;
    }
    return least;
  }

  /**
   * How far the corners of the triangle at c are from the plane of the one at t, at least: rounding is taken off. True if all are on one side and
   * not nearer than `far`: so is all of the triangle.
   */
  private heights(list: Float64Array, t: number, corners: Float64Array, c: number, far: number): boolean {
    const { height } = this;
    const ax = list[t];
    const ay = list[t + 1];
    const az = list[t + 2];
    const ux = list[t + 3] - ax;
    const uy = list[t + 4] - ay;
    const uz = list[t + 5] - az;
    const vx = list[t + 6] - ax;
    const vy = list[t + 7] - ay;
    const vz = list[t + 8] - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const product =
      (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)) * ROUNDING;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) + product;
    let above = 0;
    let below = 0;
    for (let k = 0; k < 3; k++) {
      const x = corners[c + 3 * k] - ax;
      const y = corners[c + 3 * k + 1] - ay;
      const z = corners[c + 3 * k + 2] - az;
      const h = nx * x + ny * y + nz * z;
      const least = Math.abs(h) - product * (Math.abs(x) + Math.abs(y) + Math.abs(z));
      height[k] = length > 0 && least > 0 ? least / length : 0;
      if (height[k] > far) {
        if (h > 0) above++;
        else below++;
      }
    }
    return above === 3 || below === 3;
  }

  /** Corners of the triangle at c against the triangle at t; `heights` has told how far they are from its plane. */
  private corners(list: Float64Array, t: number, corners: Float64Array, c: number, best: number, of: boolean): number {
    const { foot, height } = this;
    let least = best;
    for (let k = 0; k < 3; k++) {
      if (height[k] * height[k] > least) continue;
      const i = c + 3 * k;
      const squared = closestOnTriangle(list, t, t + 3, t + 6, corners[i], corners[i + 1], corners[i + 2], foot);
      if (squared >= least) continue;
      least = squared;
      const at = of ? this.pointP : this.pointQ;
      const on = of ? this.pointQ : this.pointP;
      for (let axis = 0; axis < 3; axis++) {
        at[axis] = corners[i + axis];
        on[axis] = foot[axis];
      }
    }
    return least;
  }

  private edges(
    listP: Float64Array,
    p: number,
    i: number,
    listQ: Float64Array,
    q: number,
    j: number,
    best: number,
  ): number {
    const p0 = p + 3 * i;
    const p1 = p + 3 * (i === 2 ? 0 : i + 1);
    const q0 = q + 3 * j;
    const q1 = q + 3 * (j === 2 ? 0 : j + 1);
    const px = listP[p0];
    const py = listP[p0 + 1];
    const pz = listP[p0 + 2];
    const qx = listQ[q0];
    const qy = listQ[q0 + 1];
    const qz = listQ[q0 + 2];
    const ux = listP[p1] - px;
    const uy = listP[p1 + 1] - py;
    const uz = listP[p1 + 2] - pz;
    const cx = listQ[q1] - qx;
    const cy = listQ[q1 + 1] - qy;
    const cz = listQ[q1 + 2] - qz;
    const rx = qx - px;
    const ry = qy - py;
    const rz = qz - pz;
    const nx = uy * cz - uz * cy;
    const ny = uz * cx - ux * cz;
    const nz = ux * cy - uy * cx;
    const nn = nx * nx + ny * ny + nz * nz;
    const s = (nx * (ry * cz - rz * cy) + ny * (rz * cx - rx * cz) + nz * (rx * cy - ry * cx)) / nn;
    if (!(s > 0 && s < 1)) return best;
    const t = (nx * (ry * uz - rz * uy) + ny * (rz * ux - rx * uz) + nz * (rx * uy - ry * ux)) / nn;
    if (!(t > 0 && t < 1)) return best;
    const dx = rx + t * cx - s * ux;
    const dy = ry + t * cy - s * uy;
    const dz = rz + t * cz - s * uz;
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared >= best) return best;
    const { pointP, pointQ } = this;
    pointP[0] = px + s * ux;
    pointP[1] = py + s * uy;
    pointP[2] = pz + s * uz;
    pointQ[0] = qx + t * cx;
    pointQ[1] = qy + t * cy;
    pointQ[2] = qz + t * cz;
    return squared;
  }

  /**
   * Whether an edge of the triangle at e runs through the one at t; the point goes to `foot`. Rounding may decide wrongly where it runs through
   * a side, but there the distance of the edges is zero but for rounding.
   */
  private pierces(edges: Float64Array, e: number, list: Float64Array, t: number): boolean {
    const ax = list[t];
    const ay = list[t + 1];
    const az = list[t + 2];
    const ux = list[t + 3] - ax;
    const uy = list[t + 4] - ay;
    const uz = list[t + 5] - az;
    const cx = list[t + 6] - ax;
    const cy = list[t + 7] - ay;
    const cz = list[t + 8] - az;
    const nx = uy * cz - uz * cy;
    const ny = uz * cx - ux * cz;
    const nz = ux * cy - uy * cx;
    const nn = nx * nx + ny * ny + nz * nz;
    const h0 = nx * (edges[e] - ax) + ny * (edges[e + 1] - ay) + nz * (edges[e + 2] - az);
    const h1 = nx * (edges[e + 3] - ax) + ny * (edges[e + 4] - ay) + nz * (edges[e + 5] - az);
    const h2 = nx * (edges[e + 6] - ax) + ny * (edges[e + 7] - ay) + nz * (edges[e + 8] - az);
    if ((h0 > 0 && h1 > 0 && h2 > 0) || (h0 < 0 && h1 < 0 && h2 < 0)) return false;
    for (let i = 0; i < 3; i++) {
      const from = i === 0 ? h0 : i === 1 ? h1 : h2;
      const to = i === 0 ? h1 : i === 1 ? h2 : h0;
      if (from > 0 === to > 0) continue;
      const s = from / (from - to);
      const i0 = e + 3 * i;
      const i1 = e + 3 * (i === 2 ? 0 : i + 1);
      const x = edges[i0] + s * (edges[i1] - edges[i0]);
      const y = edges[i0 + 1] + s * (edges[i1 + 1] - edges[i0 + 1]);
      const z = edges[i0 + 2] + s * (edges[i1 + 2] - edges[i0 + 2]);
      const dx = x - ax;
      const dy = y - ay;
      const dz = z - az;
      const beta = (nx * (dy * cz - dz * cy) + ny * (dz * cx - dx * cz) + nz * (dx * cy - dy * cx)) / nn;
      const gamma = (nx * (uy * dz - uz * dy) + ny * (uz * dx - ux * dz) + nz * (ux * dy - uy * dx)) / nn;
      if (!(beta >= 0 && gamma >= 0 && beta + gamma <= 1)) continue;
      this.foot[0] = x;
      this.foot[1] = y;
      this.foot[2] = z;
      return true;
    }
    return false;
  }
}
