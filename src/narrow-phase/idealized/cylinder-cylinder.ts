/**
 * Two cylinders: two contact points where the axes are parallel, one where they cross (Oestersötebier et al. 2014, fig. 2).
 *
 * A contact point belongs to a place on the axis of the bearer, here of B at a = o + s â; it is the point of B's lateral surface
 * that lies nearest to A's axis, seen in B's cross-section there, and its depth is that in A:
 *
 *   b = a − R_B u,   u = y/|y|,   y = w − (w·â) â,   w = a less its part along A's axis;     δ = R_A − |b less its part along A's axis|
 *
 *   parallel   s: both ends of the common length of the axes
 *   crossing   s: closest approach of the axes, s = −(o·â − (o·ẑ)(â·ẑ))/(1 − (â·ẑ)²); there u is square to both axes and δ = R_A + R_B − distance;
 *              beyond an end of B that end; beyond an end of A the roles change: the end of A in B's field
 *
 * **Parallel** means that over half the shorter length ℓ the axes part by less than 1 % of R_A + R_B: sin θ ≤ 0.01 (R_A + R_B)/ℓ. The gap of the
 * surfaces then varies by at most 5e-5 (R_A + R_B) along the contact. Between one point and two the force jumps, as it must with laws per point.
 *
 * Contact points 0 and 1 are the ends of the line, towards −z and +z of B; 2 is the crossing.
 */
import type { Separation, ShapePoses } from '../route.js';
import { DistanceField } from './distance-field.js';
import { PointRoute, type PointRouteOptions } from './point-route.js';
import type { Cylinder } from './surface.js';
import { turnX, turnY, turnZ } from './unit-turn.js';

/** What holds a contact point on the bearer's axis. */
const HELD = { byOwnEnd: 0, byOtherEnd: 1, byApproach: 2 } as const;
type Held = (typeof HELD)[keyof typeof HELD];

const PARTING = 0.01;
const STEEPEST = 0.1;
/** Sine of the angle between an axis and the direction to the other axis below which one cylinder stands on the other. */
const STANDING = 1e-9;

export class CylinderCylinderRoute extends PointRoute {
  private readonly fieldB: DistanceField;
  /** Squared sine up to which axes are parallel */
  private readonly parallel: number;
  private readonly halfA: number;
  private readonly halfB: number;
  /** closest approach: places on the axes of A and B, m */
  private onA = 0;
  private onB = 0;

  constructor(
    a: number,
    b: number,
    private readonly first: Cylinder,
    private readonly second: Cylinder,
    options: PointRouteOptions,
  ) {
    super('cylinder–cylinder', a, b, 2, new DistanceField(first, true, options.thickness), options);
    this.fieldB = new DistanceField(second, true, options.thickness);
    this.halfA = first.length / 2;
    this.halfB = second.length / 2;
    const parting = (PARTING * (first.radius + second.radius)) / Math.min(this.halfA, this.halfB);
    const sine = Math.min(options.parallelAngle ?? parting, STEEPEST);
    this.parallel = sine * sine;
  }

  protected search(poses: ShapePoses): void {
    const { rotation: r, position: p, halfA, halfB, field } = this;
    const square = r[2] * r[2] + r[5] * r[5];
    if (square <= this.parallel) {
      const middle = -p[2] / r[8];
      const reach = halfA / Math.abs(r[8]);
      const from = Math.max(-halfB, middle - reach);
      const to = Math.min(halfB, middle + reach);
      if (!(from < to)) return;
      this.addPlace(field, this.second.radius, 0, from, from > -halfB ? HELD.byOtherEnd : HELD.byOwnEnd, Infinity);
      this.addPlace(field, this.second.radius, 1, to, to < halfB ? HELD.byOtherEnd : HELD.byOwnEnd, Infinity);
      return;
    }
    const held = this.approach();
    if (held === HELD.byOtherEnd) {
      this.setPose(poses, this.b, this.a);
      this.rows.reverse(this.b);
      this.addPlace(this.fieldB, this.first.radius, 2, this.onA, HELD.byOwnEnd, halfB);
    } else this.addPlace(field, this.second.radius, 2, this.onB, held, halfA);
  }

  /** Sets the places of the closest approach; tells which end holds it: none, B's own, or A's. */
  private approach(): Held {
    const { rotation: r, position: p, halfA, halfB } = this;
    const square = r[2] * r[2] + r[5] * r[5];
    const free = square > 0 ? -(p[0] * r[2] + p[1] * r[5]) / square : 0;
    this.onB = Math.max(-halfB, Math.min(halfB, free));
    this.onA = p[2] + this.onB * r[8];
    if (Math.abs(this.onA) <= halfA) return this.onB === free ? HELD.byApproach : HELD.byOwnEnd;
    this.onA = Math.max(-halfA, Math.min(halfA, this.onA));
    const back = (this.onA - p[2]) * r[8] - p[0] * r[2] - p[1] * r[5];
    this.onB = Math.max(-halfB, Math.min(halfB, back));
    return this.onB === back ? HELD.byOtherEnd : HELD.byOwnEnd;
  }

  /**
   * The contact point of the bearer, whose pose is set, at the place s of its axis.
   *
   * @param reach how far along the axis of the other the point may lie, m
   */
  private addPlace(field: DistanceField, radius: number, number: number, s: number, held: Held, reach: number): void {
    const { rotation: r, position: p, rows } = this;
    const ax = r[2];
    const ay = r[5];
    const az = r[8];
    const wx = p[0] + s * ax;
    const wy = p[1] + s * ay;
    const along = wx * ax + wy * ay;
    const yx = wx - along * ax;
    const yy = wy - along * ay;
    const yz = -along * az;
    const size = Math.sqrt(yx * yx + yy * yy + yz * yz);
    if (!(size * size > STANDING * STANDING * (wx * wx + wy * wy))) return;
    const x = wx - (radius * yx) / size;
    const y = wy - (radius * yy) / size;
    const z = p[2] + s * az - (radius * yz) / size;
    if (Math.abs(z) > reach) return;
    field.locateBeside(x, y);
    const depth = 0 - field.distance;
    // beyond A's axis the point has come out on the other side
    if (!(depth > 0 && depth <= field.thickness) || x * wx + y * wy < 0) return;
    if (rows.gradients) this.setMotion(radius, s, held, x, y, z, yx / size, yy / size, yz / size, size);
    rows.addPoint(field, number, x, y, z);
  }

  private setMotion(
    radius: number,
    s: number,
    held: Held,
    x: number,
    y: number,
    z: number,
    ux: number,
    uy: number,
    uz: number,
    size: number,
  ): void {
    const { rotation: r, position: p } = this;
    const { motion } = this.rows;
    const ax = r[2];
    const ay = r[5];
    const az = r[8];
    const square = ax * ax + ay * ay;
    const wx = p[0] + s * ax;
    const wy = p[1] + s * ay;
    const along = wx * ax + wy * ay;
    const ox = p[0] - x;
    const oy = p[1] - y;
    const oz = p[2] - z;
    for (let c = 0; c < 6; c++) {
      const k = c - 3;
      const turning = c > 2;
      // B's middle and axis
      const px = turning ? turnX(k, oy, oz) : c === 0 ? 1 : 0;
      const py = turning ? turnY(k, oz, ox) : c === 1 ? 1 : 0;
      const pz = turning ? turnZ(k, ox, oy) : c === 2 ? 1 : 0;
      const bx = turning ? turnX(k, ay, az) : 0;
      const by = turning ? turnY(k, az, ax) : 0;
      const bz = turning ? turnZ(k, ax, ay) : 0;
      // the place on the axis
      let ds = 0;
      if (held === HELD.byOtherEnd) ds = -(pz + s * bz) / az;
      else if (held === HELD.byApproach)
        ds = -(px * ax + py * ay + p[0] * bx + p[1] * by + 2 * s * (ax * bx + ay * by)) / square;
      const vx = px + s * bx + ds * ax;
      const vy = py + s * by + ds * ay;
      const vz = pz + s * bz + ds * az;
      // y = w − (w·â) â, w = (a_x, a_y, 0)
      const byAlong = vx * ax + vy * ay + wx * bx + wy * by;
      const yx = vx - byAlong * ax - along * bx;
      const yy = vy - byAlong * ay - along * by;
      const yz = -byAlong * az - along * bz;
      const onU = ux * yx + uy * yy + uz * yz;
      const f = radius / size;
      motion[c] = vx - f * (yx - onU * ux);
      motion[6 + c] = vy - f * (yy - onU * uy);
      motion[12 + c] = vz - f * (yz - onU * uz);
    }
  }

  /** Distance of the axes less the radii: exact where the nearest points lie between the ends, else less than the distance. */
  separate(poses: ShapePoses, out: Separation): void {
    this.setPose(poses, this.a, this.b);
    this.approach();
    const { rotation: r, position: p, onA, onB } = this;
    const { radius } = this.first;
    const x = p[0] + onB * r[2];
    const y = p[1] + onB * r[5];
    const z = p[2] + onB * r[8] - onA;
    const between = Math.sqrt(x * x + y * y + z * z);
    const inverse = between > 0 ? 1 / between : 0;
    const nx = between > 0 ? x * inverse : 1;
    const ny = y * inverse;
    const nz = z * inverse;
    const distance = between - radius - this.second.radius;
    this.setSeparation(poses, out, distance, nx, ny, nz, radius * nx, radius * ny, onA + radius * nz);
  }
}
