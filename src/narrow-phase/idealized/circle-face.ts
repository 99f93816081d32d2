/**
 * A disc on a face: five contact points that pass over into one as the disc is tilted up onto its rim.
 *
 *   0 … 3   ends of two diameters along ±x, ±y of the disc, o ± R f e
 *   4       towards the deepest place of the rim, o − R κ w,   w = n − (n·n_B) n_B, |w| = sin(tilt)
 *
 * Lying flat, |w| = 0, four points on the rim and the centre carry; from a tilt ε on the deepest point of the rim carries alone, exactly where it
 * is. Between, with ξ = (|w|/ε)²,
 *
 *   f = (1 − ξ)³,     κ = (15/8 − 5/4 ξ + 3/8 ξ²)/ε       ξ < 1
 *   f = 0,            κ = 1/|w|                           ξ ≥ 1
 *
 * so that all points move twice continuously differentiably. ε = 0.01: the tilt of a disc that lies is its depth over its radius, far less. Oestersötebier et al.
 * (2014) give four to five points for planar contact and no formula for discs; these are ours.
 *
 * Every point lies on a line o + s C, −1 ≤ s ≤ 1, and if that end is not over the face, it moves along the line to the border (line-clip.ts).
 */
import type { Separation, ShapePoses } from '../route.js';
import { DistanceField } from './distance-field.js';
import { LineClip } from './line-clip.js';
import { PointRoute, type PointRouteOptions } from './point-route.js';
import type { Circle, Rectangle } from './surface.js';
import { turnX, turnY, turnZ } from './unit-turn.js';

/** ε, rad */
export const TILT = 0.01;
const DEEPEST = 2;

export class CircleFaceRoute extends PointRoute {
  private readonly clip: LineClip;
  /** f and κ, and their derivatives by |w|² */
  private spread = 0;
  private spreadBySquare = 0;
  private reach = 0;
  private reachBySquare = 0;

  constructor(
    a: number,
    b: number,
    face: Rectangle | Circle,
    private readonly circle: Circle,
    options: PointRouteOptions,
  ) {
    super(`circle–${face.kind}`, a, b, 5, new DistanceField(face, true, options.thickness), options);
    this.clip = new LineClip(face);
  }

  protected search(): void {
    this.setTilt();
    if (this.spread > 0) {
      this.addLine(0);
      this.addLine(1);
    }
    this.addLine(DEEPEST);
  }

  private setTilt(): void {
    const { rotation: r } = this;
    const square = r[2] * r[2] + r[5] * r[5];
    const xi = square / (TILT * TILT);
    if (xi < 1) {
      const rest = 1 - xi;
      this.spread = rest * rest * rest;
      this.spreadBySquare = (-3 * rest * rest) / (TILT * TILT);
      this.reach = (1.875 - 1.25 * xi + 0.375 * xi * xi) / TILT;
      this.reachBySquare = (-1.25 + 0.75 * xi) / (TILT * TILT * TILT);
    } else {
      this.spread = this.spreadBySquare = 0;
      this.reach = 1 / Math.sqrt(square);
      this.reachBySquare = (-0.5 * this.reach) / square;
    }
  }

  /** Component k of C: of the diameter along x or y of the disc, or of the vector towards the deepest point. */
  private vector(line: number, k: number): number {
    const { rotation: r } = this;
    const { radius } = this.circle;
    if (line < DEEPEST) return radius * this.spread * r[3 * k + line];
    // w = n − (n·n_B) n_B, n = (0, 0, 1)
    const w = k < 2 ? -r[8] * r[3 * k + 2] : r[2] * r[2] + r[5] * r[5];
    return -radius * this.reach * w;
  }

  private addLine(line: number): void {
    const { clip, position: p } = this;
    const cx = this.vector(line, 0);
    const cy = this.vector(line, 1);
    const cz = this.vector(line, 2);
    if (!clip.clip(p[0], p[1], cx, cy, -1, 1)) return;
    const { from, to, fromBorder, toBorder } = clip;
    this.addEnd(line < DEEPEST ? line : 4, line, to, toBorder, cx, cy, cz);
    if (line < DEEPEST) this.addEnd(line + 2, line, from, fromBorder, cx, cy, cz);
  }

  private addEnd(number: number, line: number, s: number, border: number, cx: number, cy: number, cz: number): void {
    const { field, rows, position: p } = this;
    const z = p[2] + s * cz;
    field.locateFace(z);
    if (!this.touches(0)) return;
    const x = p[0] + s * cx;
    const y = p[1] + s * cy;
    if (rows.gradients) this.setMotion(line, s, border, x, y, z, cx, cy, cz);
    rows.addPoint(field, number, x, y, z);
  }

  /** db = do + s dC + C ds */
  private setMotion(
    line: number,
    s: number,
    border: number,
    x: number,
    y: number,
    z: number,
    cx: number,
    cy: number,
    cz: number,
  ): void {
    const { rotation: r, position: p, clip } = this;
    const { radius } = this.circle;
    const { motion } = this.rows;
    const nx = r[2];
    const ny = r[5];
    const nz = r[8];
    const square = nx * nx + ny * ny;
    const ox = p[0] - x;
    const oy = p[1] - y;
    const oz = p[2] - z;
    for (let c = 0; c < 6; c++) {
      let mx = c === 0 ? 1 : 0;
      let my = c === 1 ? 1 : 0;
      let mz = c === 2 ? 1 : 0;
      if (c > 2) {
        const k = c - 3;
        const dx = turnX(k, ny, nz);
        const dy = turnY(k, nz, nx);
        const dz = turnZ(k, nx, ny);
        const bySquare = 2 * (nx * dx + ny * dy);
        mx = turnX(k, oy, oz);
        my = turnY(k, oz, ox);
        mz = turnZ(k, ox, oy);
        if (line < DEEPEST) {
          const ex = r[line];
          const ey = r[3 + line];
          const ez = r[6 + line];
          const f = s * radius * this.spread;
          const g = s * radius * this.spreadBySquare * bySquare;
          mx += f * turnX(k, ey, ez) + g * ex;
          my += f * turnY(k, ez, ex) + g * ey;
          mz += f * turnZ(k, ex, ey) + g * ez;
        } else {
          const f = -s * radius * this.reach;
          const g = -s * radius * this.reachBySquare * bySquare;
          mx += f * (-dz * nx - nz * dx) - g * nz * nx;
          my += f * (-dz * ny - nz * dy) - g * nz * ny;
          mz += f * bySquare + g * square;
        }
      }
      const ds = clip.slide(border, x, y, cx, cy, mx, my);
      motion[c] = mx + ds * cx;
      motion[6 + c] = my + ds * cy;
      motion[12 + c] = mz + ds * cz;
    }
  }

  /** The lowest point of the rim: exact over the face; elsewhere at least the distance of the ball around the disc. */
  separate(poses: ShapePoses, out: Separation): void {
    this.setPose(poses, this.a, this.b);
    const { rotation: r, position: p } = this;
    const { radius } = this.circle;
    const size = Math.sqrt(r[2] * r[2] + r[5] * r[5]);
    const z = p[2] - radius * size;
    this.separateBall(poses, out, p[0], p[1], p[2], radius);
    if (!(z > out.distance)) return;
    const offset = size > 0 ? (radius * r[8]) / size : 0;
    this.setSeparation(poses, out, z, 0, 0, 1, p[0] + offset * r[2], p[1] + offset * r[5], 0);
  }
}
