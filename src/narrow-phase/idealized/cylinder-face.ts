/**
 * A cylinder on a face: two contact points, the ends of the generator nearest to the face, as far as it lies over the face
 * (Oestersötebier et al. 2014, figs 6 and 7).
 *
 *   b(s) = o + s â − R u,     u = y/|y|,   y = n − (n·â) â,   −L/2 ≤ s ≤ L/2
 *
 *   o, â   middle and axis of the cylinder         n   normal of the face
 *
 *   db = do + s dâ − R du + â ds,     du = (1 − u uᵀ) dy/|y|,   dy = −(n·dâ) â − (n·â) dâ
 *
 * with ds from line-clip.ts where the point has moved along the generator. A cylinder that stands on its end has no such generator and
 * its lateral surface does not touch; its end is a circle.
 *
 * Contact point 0 lies towards −z of the cylinder, 1 towards +z.
 */
import type { Separation, ShapePoses } from '../route.js';
import { DistanceField } from './distance-field.js';
import { LineClip } from './line-clip.js';
import { PointRoute, type PointRouteOptions } from './point-route.js';
import type { Circle, Cylinder, Rectangle } from './surface.js';
import { turnX, turnY, turnZ } from './unit-turn.js';

/** Sine of the angle between axis and normal below which the cylinder stands on its end. */
const STANDING = 1e-9;

export class CylinderFaceRoute extends PointRoute {
  private readonly clip: LineClip;
  private readonly half: number;

  constructor(
    a: number,
    b: number,
    face: Rectangle | Circle,
    private readonly cylinder: Cylinder,
    options: PointRouteOptions,
  ) {
    super(`cylinder–${face.kind}`, a, b, 2, new DistanceField(face, true, options.thickness), options);
    this.clip = new LineClip(face);
    this.half = cylinder.length / 2;
  }

  protected search(): void {
    const { rotation: r, position: p, clip, half } = this;
    const { radius } = this.cylinder;
    const ax = r[2];
    const ay = r[5];
    const az = r[8];
    const across = Math.sqrt(ax * ax + ay * ay);
    if (!(across > STANDING)) return;
    // u = (n − (n·â) â)/|…|, n = (0, 0, 1)
    const ux = (-az * ax) / across;
    const uy = (-az * ay) / across;
    const uz = across;
    const x = p[0] - radius * ux;
    const y = p[1] - radius * uy;
    const z = p[2] - radius * uz;
    if (!clip.clip(x, y, ax, ay, -half, half)) return;
    const { from, to, fromBorder, toBorder } = clip;
    this.addEnd(0, from, fromBorder, x + from * ax, y + from * ay, z + from * az);
    this.addEnd(1, to, toBorder, x + to * ax, y + to * ay, z + to * az);
  }

  private addEnd(number: number, s: number, border: number, x: number, y: number, z: number): void {
    const { field, rows } = this;
    field.locateFace(z);
    if (!this.touches(0)) return;
    if (rows.gradients) this.setMotion(s, border, x, y, z);
    rows.addPoint(field, number, x, y, z);
  }

  private setMotion(s: number, border: number, x: number, y: number, z: number): void {
    const { rotation: r, position: p, clip } = this;
    const { radius } = this.cylinder;
    const { motion } = this.rows;
    const ax = r[2];
    const ay = r[5];
    const az = r[8];
    const size = Math.sqrt(ax * ax + ay * ay);
    const ux = (-az * ax) / size;
    const uy = (-az * ay) / size;
    const uz = size;
    const ox = p[0] - x;
    const oy = p[1] - y;
    const oz = p[2] - z;
    for (let c = 0; c < 6; c++) {
      let mx = c === 0 ? 1 : 0;
      let my = c === 1 ? 1 : 0;
      let mz = c === 2 ? 1 : 0;
      if (c > 2) {
        const k = c - 3;
        const bx = turnX(k, ay, az);
        const by = turnY(k, az, ax);
        const bz = turnZ(k, ax, ay);
        const yx = -bz * ax - az * bx;
        const yy = -bz * ay - az * by;
        const yz = -bz * az - az * bz;
        const along = ux * yx + uy * yy + uz * yz;
        mx = turnX(k, oy, oz) + s * bx - (radius * (yx - along * ux)) / size;
        my = turnY(k, oz, ox) + s * by - (radius * (yy - along * uy)) / size;
        mz = turnZ(k, ox, oy) + s * bz - (radius * (yz - along * uz)) / size;
      }
      const ds = clip.slide(border, x, y, ax, ay, mx, my);
      motion[c] = mx + ds * ax;
      motion[6 + c] = my + ds * ay;
      motion[12 + c] = mz + ds * az;
    }
  }

  /** Exact over the face; elsewhere at least the distance of the ball around the cylinder. */
  separate(poses: ShapePoses, out: Separation): void {
    this.setPose(poses, this.a, this.b);
    const { rotation: r, position: p, half } = this;
    const { radius } = this.cylinder;
    const across = Math.sqrt(r[2] * r[2] + r[5] * r[5]);
    const lowest = r[8] < 0 ? half : -half;
    const offset = across > STANDING ? (radius * r[8]) / across : 0;
    const x = p[0] + (lowest + offset) * r[2];
    const y = p[1] + (lowest + offset) * r[5];
    const z = p[2] + lowest * r[8] - radius * across;
    this.separateBall(poses, out, p[0], p[1], p[2], Math.sqrt(half * half + radius * radius));
    if (z > out.distance) this.setSeparation(poses, out, z, 0, 0, 1, x, y, 0);
  }
}
