/**
 * Nearest points of two convex solids: Gilbert, Johnson & Keerthi (1988), doi 10.1109/56.2083. The differences a − b of their points
 * are a convex solid too; the solids are as far apart as that solid is from the origin. Its corners
 *
 *   w(v) = a(−v) − b(v),        a, b: the farthest points of A and B along a direction
 *
 * are taken in one by one. v, the point nearest to the origin of the simplex of at most four of them, comes ever nearer; all of the
 * solid lies beyond the plane through w across v, so that
 *
 *   v · w / |v| ≤ distance ≤ |v|
 *
 * and the search ends when both agree, or w is known already, or v comes no nearer in floating point.
 *
 * The simplex is not searched by Johnson's recursion, whose determinants lose their signs when it is flat, but like the signed volumes of
 * Montanari, Petrinic & Barbieri (2017), doi 10.1145/3083724, by corners with weights ≥ 0 only: the nearest of all its edges and faces. So v is
 * always a difference of two points that the solids have, however flat the simplex, and its length never less than the distance.
 * The origin counts as inside a tetrahedron only if it is so beyond rounding.
 */
import { DifferenceCorners } from './difference-corners.js';
import type { Support } from './support.js';

/** |v|² − v · w, relative, at which curved solids count as solved: the distance is then right to half of it. */
const CONVERGED = 1e-14;
/** Curved solids creep near the end; corners are used up long before. */
const MOST_STEPS = 128;
const ROUNDING = 2.220446049250313e-16;
/** By how much both bounds of a distance between corners may differ by rounding, over the size of the solids */
const UNCERTAIN = 64 * ROUNDING;

export class Gjk {
  /** corners in the simplex, 1 … 4 */
  count = 0;
  /** of the simplex */
  readonly corners = new DifferenceCorners(5);
  /** one per corner: weights of the nearest point, ≥ 0 with sum 1 */
  readonly weight = new Float64Array(5);
  /** m; 0 where the solids overlap or touch */
  distance = 0;
  /** never more than the true distance but for rounding, m */
  lower = 0;
  /** 3: the nearest point of the difference, from B's nearest point to A's, m */
  readonly v = new Float64Array(3);

  private best = 0;
  private bestCount = 0;
  private readonly bestAt = new Int32Array(4);
  private readonly bestWeight = new Float64Array(4);

  /**
   * @param r 9, by rows: from B's axes to A's
   * @param t 3: B's origin in A's frame, m
   * @param enough m; the search may end as soon as the distance is known to be larger
   */
  run(supportA: Support, supportB: Support, r: Float64Array, t: Float64Array, enough = Infinity): void {
    const { corners, v, weight, bestAt, bestWeight } = this;
    const { w } = corners;
    this.count = 0;
    this.lower = 0;
    corners.size = 0;
    let x = -t[0];
    let y = -t[1];
    let z = -t[2];
    if (!(x * x + y * y + z * z > 0)) x = 1;
    let squared = Infinity;
    let solved = false;
    for (let step = 0; step < MOST_STEPS; step++) {
      const n = this.count;
      corners.take(supportA, supportB, r, t, -x, -y, -z, n);
      // how far it can be at least
      const along = x * w[3 * n] + y * w[3 * n + 1] + z * w[3 * n + 2];
      if (n > 0) {
        const lower = along / Math.sqrt(squared);
        if (lower > this.lower) this.lower = lower;
        solved = squared - along <= CONVERGED * squared || corners.known(n);
        if (solved || lower > enough) break;
      }
      // the nearest point with the new corner; the old one stays where this is no nearer
      this.nearest(n + 1);
      if (this.best >= squared) {
        solved = true;
        break;
      }
      squared = this.best;
      this.count = this.bestCount;
      for (let i = 0; i < this.count; i++) {
        corners.move(bestAt[i], i); // ascending, so nothing is overwritten before it has moved
        weight[i] = bestWeight[i];
      }
      x = v[0];
      y = v[1];
      z = v[2];
      const floor = 8 * ROUNDING * this.corners.size;
      if (this.count === 4 || squared <= floor * floor) {
        squared = 0;
        solved = true;
        break;
      }
    }
    v[0] = x; // as it was before a corner that brought it no nearer
    v[1] = y;
    v[2] = z;
    this.distance = Math.sqrt(squared);
    if (squared === 0) this.lower = 0;
    else if (solved && corners.idA[0] >= 0 && corners.idB[0] >= 0) {
      // Where the one is a million times the other a flat simplex can end the search early: then the bound is all that is known.
      if (this.distance - this.lower <= UNCERTAIN * corners.size) this.lower = this.distance;
    }
  }

  /** The weighted sum of the simplex's points of A or B. */
  point(of: Float64Array, k: number): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.weight[i] * of[3 * i + k];
    return sum;
  }

  /** The point nearest to the origin of the hull of the first n corners: the nearest of all corners, edges and faces. */
  private nearest(n: number): void {
    this.best = Infinity;
    if (n === 1) this.only(0);
    if (n === 4 && this.inside()) return;
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) this.edge(i, j);
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) for (let k = j + 1; k < n; k++) this.face(i, j, k);
  }

  /** The nearest point of the edge i → j, its ends included. */
  private edge(i: number, j: number): void {
    const { bestAt, bestWeight } = this;
    const { w } = this.corners;
    const px = w[3 * i];
    const py = w[3 * i + 1];
    const pz = w[3 * i + 2];
    const ux = w[3 * j] - px;
    const uy = w[3 * j + 1] - py;
    const uz = w[3 * j + 2] - pz;
    const s = -(px * ux + py * uy + pz * uz) / (ux * ux + uy * uy + uz * uz);
    if (!(s > 0 && s < 1)) {
      this.only(s >= 1 ? j : i);
      return;
    }
    const x = px + s * ux;
    const y = py + s * uy;
    const z = pz + s * uz;
    if (!this.nearer(x, y, z)) return;
    this.bestCount = 2;
    bestAt[0] = i;
    bestAt[1] = j;
    bestWeight[0] = 1 - s;
    bestWeight[1] = s;
  }

  /** Keeps a point if it is nearer than the best so far. */
  private nearer(x: number, y: number, z: number): boolean {
    const squared = x * x + y * y + z * z;
    if (squared >= this.best) return false;
    this.best = squared;
    this.v[0] = x;
    this.v[1] = y;
    this.v[2] = z;
    return true;
  }

  private only(i: number): void {
    const { bestAt, bestWeight } = this;
    const { w } = this.corners;
    if (!this.nearer(w[3 * i], w[3 * i + 1], w[3 * i + 2])) return;
    this.bestCount = 1;
    bestAt[0] = i;
    bestWeight[0] = 1;
  }

  /**
   * The foot of the perpendicular on the face p, p + u, p + c, if it falls inside: with n = u × c and d = −p,
   * β = n · (d × c)/n · n and γ = n · (u × d)/n · n. Where p + β u + γ c and n (n · p)/n · n agree but for rounding, the latter is
   * taken: its direction is right also where the solids are but a hair apart.
   */
  private face(i: number, j: number, k: number): void {
    const { bestAt, bestWeight } = this;
    const { w } = this.corners;
    const px = w[3 * i];
    const py = w[3 * i + 1];
    const pz = w[3 * i + 2];
    const ux = w[3 * j] - px;
    const uy = w[3 * j + 1] - py;
    const uz = w[3 * j + 2] - pz;
    const cx = w[3 * k] - px;
    const cy = w[3 * k + 1] - py;
    const cz = w[3 * k + 2] - pz;
    const nx = uy * cz - uz * cy;
    const ny = uz * cx - ux * cz;
    const nz = ux * cy - uy * cx;
    const nn = nx * nx + ny * ny + nz * nz;
    const beta = (nx * (pz * cy - py * cz) + ny * (px * cz - pz * cx) + nz * (py * cx - px * cy)) / nn;
    const gamma = (nx * (uz * py - uy * pz) + ny * (ux * pz - uz * px) + nz * (uy * px - ux * py)) / nn;
    if (!(beta > 0 && gamma > 0 && beta + gamma < 1)) return;
    let x = px + beta * ux + gamma * cx;
    let y = py + beta * uy + gamma * cy;
    let z = pz + beta * uz + gamma * cz;
    const height = (px * nx + py * ny + pz * nz) / nn;
    const roundingMargin = 4 * ROUNDING * this.corners.size;
    if (
      Math.abs(x - height * nx) <= roundingMargin &&
      Math.abs(y - height * ny) <= roundingMargin &&
      Math.abs(z - height * nz) <= roundingMargin
    ) {
      x = height * nx;
      y = height * ny;
      z = height * nz;
    }
    if (!this.nearer(x, y, z)) return;
    this.bestCount = 3;
    bestAt[0] = i;
    bestAt[1] = j;
    bestAt[2] = k;
    bestWeight[0] = 1 - beta - gamma;
    bestWeight[1] = beta;
    bestWeight[2] = gamma;
  }

  /** Whether the origin is inside the tetrahedron of the four corners beyond rounding; then it is the nearest point. */
  private inside(): boolean {
    const { bestAt, bestWeight } = this;
    const { w } = this.corners;
    const px = w[0];
    const py = w[1];
    const pz = w[2];
    const ux = w[3] - px;
    const uy = w[4] - py;
    const uz = w[5] - pz;
    const cx = w[6] - px;
    const cy = w[7] - py;
    const cz = w[8] - pz;
    const ex = w[9] - px;
    const ey = w[10] - py;
    const ez = w[11] - pz;
    const volume = det(ux, uy, uz, cx, cy, cz, ex, ey, ez);
    const sign = volume < 0 ? -1 : 1;
    const wu = sign * det(-px, -py, -pz, cx, cy, cz, ex, ey, ez);
    const wc = sign * det(ux, uy, uz, -px, -py, -pz, ex, ey, ez);
    const we = sign * det(ux, uy, uz, cx, cy, cz, -px, -py, -pz);
    const wp = sign * volume - wu - wc - we;
    const size = Math.sqrt(
      Math.max(ux * ux + uy * uy + uz * uz, cx * cx + cy * cy + cz * cz, ex * ex + ey * ey + ez * ez),
    );
    const roundingMargin = 16 * ROUNDING * size * size * this.corners.size;
    if (!(wu > roundingMargin && wc > roundingMargin && we > roundingMargin && wp > roundingMargin)) return false;
    this.nearer(0, 0, 0);
    this.bestCount = 4;
    for (let i = 0; i < 4; i++) bestAt[i] = i;
    bestWeight[0] = wp / (sign * volume);
    bestWeight[1] = wu / (sign * volume);
    bestWeight[2] = wc / (sign * volume);
    bestWeight[3] = we / (sign * volume);
    return true;
  }
}

function det(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
): number {
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}
