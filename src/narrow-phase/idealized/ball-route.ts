/**
 * Balls against any surface: a sphere, or the corners of a body, which are balls of radius 0. One contact point each
 * (Oestersötebier et al. 2014, fig. 2 and §3.1: sphere to cylinder).
 *
 * Corners against an endless rectangle are the corners of a box against the half-space of a face.
 */
import type { Separation, ShapePoses } from '../route.js';
import { DistanceField } from './distance-field.js';
import { PointRoute, type PointRouteOptions } from './point-route.js';
import type { IdealizedSurface, Points, Sphere } from './surface.js';

export class BallRoute extends PointRoute {
  /** 3 per ball: centre in B's frame, m */
  private readonly centres: Float64Array;
  private readonly radius: number;
  private readonly share: number;

  constructor(a: number, b: number, target: IdealizedSurface, balls: Sphere | Points, options: PointRouteOptions) {
    const count = balls.kind === 'points' ? balls.points.length : 1;
    const field = new DistanceField(target, options.edges ?? true, options.thickness);
    super(`${balls.kind}–${target.kind}`, a, b, count, field, options, hertzCurvature(target, balls));
    this.centres = balls.kind === 'points' ? Float64Array.from(balls.points.flat()) : new Float64Array(3);
    this.radius = balls.kind === 'sphere' ? balls.radius : 0;
    this.share = balls.kind === 'sphere' && target.kind === 'sphere' ? 0.5 : 0;
  }

  protected search(): void {
    const { centres, field, radius, rotation: r, position: p } = this;
    for (let i = 0; i < centres.length; i += 3) {
      const u = centres[i];
      const v = centres[i + 1];
      const w = centres[i + 2];
      const x = p[0] + r[0] * u + r[1] * v + r[2] * w;
      const y = p[1] + r[3] * u + r[4] * v + r[5] * w;
      const z = p[2] + r[6] * u + r[7] * v + r[8] * w;
      field.locate(x, y, z);
      if (this.touches(radius)) this.rows.addBall(field, i / 3, x, y, z, radius, this.share);
    }
  }

  /** Exact. */
  separate(poses: ShapePoses, out: Separation): void {
    this.setPose(poses, this.a, this.b);
    const { centres, field, rotation: r, position: p } = this;
    let nearest = Number.POSITIVE_INFINITY;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = 0; i < centres.length; i += 3) {
      const u = p[0] + r[0] * centres[i] + r[1] * centres[i + 1] + r[2] * centres[i + 2];
      const v = p[1] + r[3] * centres[i] + r[4] * centres[i + 1] + r[5] * centres[i + 2];
      const w = p[2] + r[6] * centres[i] + r[7] * centres[i + 1] + r[8] * centres[i + 2];
      field.locate(u, v, w);
      if (!(field.distance < nearest)) continue;
      nearest = field.distance;
      x = u;
      y = v;
      z = w;
    }
    this.separateBall(poses, out, x, y, z, this.radius);
  }
}

function hertzCurvature(target: IdealizedSurface, balls: Sphere | Points): number {
  if (balls.kind === 'points') return 0;
  if (target.kind === 'sphere') return 1 / target.radius + 1 / balls.radius;
  return target.kind === 'cylinder' ? 0 : 1 / balls.radius;
}
