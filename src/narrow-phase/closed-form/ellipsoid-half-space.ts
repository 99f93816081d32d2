/**
 * An ellipsoid and a half-space, exactly: what rolls and rocks on a table without facets. One region, always.
 *
 * A is the half-space with normal n, B the ellipsoid: centre x, axes the columns of R, half axes a, b, c along them. A stretch makes it the
 * unit ball, and the overlap a cap of height t of that. With Q = R diag(a², b², c²) Rᵀ:
 *
 *   h = √(n·Q n)               from the centre to the tangent plane, and −s, s = Q n/h, to the point in which that touches
 *   d = h − n·(x − x_A)        depth of the lowest point,   t = d/h
 *   V = π abc t² (1 − t/3),    c = x − z̄ s,  z̄ = 3 (2 − t)²/(4 (3 − t))          overlap and its centroid
 *   A = π abc t (2 − t)/h,     p = x − (1 − t) s,  M = ¼ A t (2 − t) (Q − s sᵀ)   section, its centroid and second moments
 *
 * If the ellipsoid moves by dx and dφ about c, its centre moves by u = dx + dφ × z̄ s, and
 *
 *   dh = (s × n)·dφ,     dd = −n·dx + (1 − z̄)(s × n)·dφ,     dt = (dd − t dh)/h
 *   ds = dφ × s − Q (dφ × n)/h − s dh/h,     dc = u − z̄' dt s − z̄ ds
 *
 * The normal is n whatever the ellipsoid does. Pressed like a bed of springs, N = K V at c, the contact has a potential: its torque is that of
 * the pressure K times the depth of each place.
 */
import type { Vec3 } from '../../math/vec3.js';
import { type ContactPatches, GRADIENT, PATCH } from '../contact-patches.js';
import type { Route, Separation, ShapePoses } from '../route.js';

export class EllipsoidHalfSpace implements Route {
  readonly name = 'half-space–ellipsoid';
  readonly mostRegions = 1;
  readonly curvature = 0;
  readonly rolls = true;
  readonly patches = true;
  /** n, s and Q n's matrix Q by rows, world */
  private readonly normal = new Float64Array(3);
  private readonly support = new Float64Array(3);
  private readonly square = new Float64Array(9);
  private height = 0;
  private depth = 0;

  /** @param a, b places of the half-space and of the ellipsoid in the poses */
  constructor(
    readonly a: number,
    readonly b: number,
    readonly radii: Vec3,
  ) {}

  separate(poses: ShapePoses, out: Separation): void {
    this.place(poses);
    const distance = Math.max(0, 0 - this.depth);
    out.distance = distance;
    for (let k = 0; k < 3; k++) {
      out.direction[k] = this.normal[k];
      out.pointB[k] = poses.position[3 * this.b + k] - this.support[k];
      out.pointA[k] = out.pointB[k] - distance * this.normal[k];
    }
  }

  find(poses: ShapePoses, pair: number, patches: ContactPatches, gradients: boolean): void {
    this.place(poses);
    const { normal, support, square, height: h, depth: d, radii } = this;
    if (!(d > 0)) return;
    const row = patches.add(pair, 0);
    const contained = d >= 2 * h;
    const t = contained ? 2 : d / h;
    const ball = Math.PI * radii[0] * radii[1] * radii[2];
    const area = (ball * t * (2 - t)) / h;
    const fall = (3 * (2 - t) * (2 - t)) / (4 * (3 - t)); // z̄
    patches.flags[row] = contained ? PATCH.contained : 0;
    patches.feature[2 * row] = patches.feature[2 * row + 1] = 0;
    patches.volume[row] = ball * t * t * (1 - t / 3);
    patches.area[row] = area;
    patches.extent[row] = patches.depth[row] = contained ? 2 * h : d;
    const spread = 0.25 * area * t * (2 - t);
    for (let k = 0; k < 3; k++) {
      const l = k === 2 ? 0 : k + 1;
      const m = k === 0 ? 2 : k - 1;
      const i = 3 * row + k;
      const centre = poses.position[3 * this.b + k];
      patches.centroid[i] = centre - fall * support[k];
      patches.patchCentroid[i] = centre - (1 - t) * support[k];
      patches.normal[i] = normal[k];
      patches.vectorArea[i] = area * normal[k];
      // A (p − c) × n
      patches.moment[i] = area * (fall - 1 + t) * (support[l] * normal[m] - support[m] * normal[l]);
      patches.secondMoments[6 * row + k] = spread * (square[4 * k] - support[k] * support[k]);
    }
    patches.secondMoments[6 * row + 3] = spread * (square[1] - support[0] * support[1]);
    patches.secondMoments[6 * row + 4] = spread * (square[2] - support[0] * support[2]);
    patches.secondMoments[6 * row + 5] = spread * (square[5] - support[1] * support[2]);
    if (gradients) this.differentiate(patches.gradient, 54 * row, t, fall, contained);
  }

  private differentiate(out: Float64Array, at: number, t: number, fall: number, contained: boolean): void {
    const { normal: n, support: s, square: q, height: h, radii } = this;
    const ball = Math.PI * radii[0] * radii[1] * radii[2];
    const volumeByT = ball * t * (2 - t);
    const fallByT = (-0.75 * (2 - t) * (4 - t)) / ((3 - t) * (3 - t));
    for (let column = 0; column < 6; column++) {
      const j = column % 3;
      const turns = column > 2;
      const l = j === 2 ? 0 : j + 1;
      const m = j === 0 ? 2 : j - 1;
      // e_j × v has −v_m in row l and v_l in row m
      const dh = turns ? s[l] * n[m] - s[m] * n[l] : 0;
      const dd = contained ? 2 * dh : turns ? (1 - fall) * dh : 0 - n[j];
      const dt = contained ? 0 : (dd - t * dh) / h;
      out[at + GRADIENT.depth + column] = dd;
      out[at + GRADIENT.volume + column] = volumeByT * dt;
      out[at + GRADIENT.vectorArea + column] = (ball * (2 - 2 * t) * dt - (volumeByT * dh) / h) / h;
      for (let k = 0; k < 3; k++) {
        const spun = turns ? (k === l ? -s[m] : k === m ? s[l] : 0) : 0; // dφ × s
        const bent = turns ? q[3 * k + m] * n[l] - q[3 * k + l] * n[m] : 0; // Q (dφ × n)
        const ds = spun - (bent + s[k] * dh) / h;
        const u = turns ? fall * spun : k === j ? 1 : 0;
        out[at + GRADIENT.centroid + 6 * k + column] = u - fallByT * dt * s[k] - fall * ds;
      }
    }
  }

  /** n, Q, h, s and the depth */
  private place({ position, rotation }: ShapePoses): void {
    const { a, b, normal, support, square, radii } = this;
    const r = 9 * b;
    const xx = radii[0] * radii[0];
    const yy = radii[1] * radii[1];
    const zz = radii[2] * radii[2];
    let level = 0;
    for (let k = 0; k < 3; k++) {
      normal[k] = rotation[9 * a + 3 * k + 2];
      level += normal[k] * (position[3 * b + k] - position[3 * a + k]);
      for (let l = 0; l < 3; l++)
        square[3 * k + l] =
          xx * rotation[r + 3 * k] * rotation[r + 3 * l] +
          yy * rotation[r + 3 * k + 1] * rotation[r + 3 * l + 1] +
          zz * rotation[r + 3 * k + 2] * rotation[r + 3 * l + 2];
    }
    let height = 0;
    for (let k = 0; k < 3; k++) {
      support[k] = square[3 * k] * normal[0] + square[3 * k + 1] * normal[1] + square[3 * k + 2] * normal[2];
      height += normal[k] * support[k];
    }
    height = Math.sqrt(height);
    for (let k = 0; k < 3; k++) support[k] /= height;
    this.height = height;
    this.depth = height - level;
  }
}
