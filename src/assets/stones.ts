/**
 * Convex stones by the number, each from its seed: angular rocks as hulls of points on a ball, Belgian blocks as boxes whose six faces are a bit off.
 */
import { ModelError } from '../errors.js';
import { convexHull } from '../geometry/hull.js';
import { ORIGIN, type Solid } from '../geometry/solid.js';
import { cos, PI, sin } from '../math/elementary.js';
import { random } from '../math/random.js';
import type { Vec3 } from '../math/vec3.js';

export interface AngularRockOptions {
  /** Of the ball the corners lie on, m */
  readonly radius: number;
  /** Corners, default 14, which make about 24 triangles */
  readonly points?: number;
  /** The ball is stretched by these along x, y, z; default 1, 1, 1 */
  readonly stretch?: Vec3;
  readonly seed: number | string;
}

/** A rock with flat faces and sharp edges: hull of random points on an ellipsoid. */
export function angularRock({ radius, points = 14, stretch = [1, 1, 1], seed }: AngularRockOptions): Solid {
  if (!(radius > 0)) throw new ModelError('angularRock.radius', `expected a length > 0 m, got ${radius}`);
  if (!(points >= 4)) throw new ModelError('angularRock.points', `expected at least 4, got ${points}`);
  const draw = random(seed).fork('angular rock');
  const corners = Array.from({ length: points }, (): Vec3 => {
    const z = draw.uniformBetween(-1, 1);
    const angle = draw.uniformBetween(0, 2 * PI);
    const across = Math.sqrt(1 - z * z);
    return [
      radius * stretch[0] * across * cos(angle),
      radius * stretch[1] * across * sin(angle),
      radius * stretch[2] * z,
    ];
  });
  return hullOf(corners);
}

export interface BelgianBlockOptions {
  /** Nominal length, width and height, m; default 0.14 × 0.09 × 0.09 */
  readonly size?: Vec3;
  /** Standard deviation of each half length over the nominal one; default 0.06 */
  readonly spread?: number;
  /** Greatest tilt of a face about each of its two directions, rad; default 0.09 (5°) */
  readonly tilt?: number;
  readonly seed: number | string;
}

/**
 * A hewn paving stone: six plane faces, each at its own distance and a bit tilted, so that no two edges are parallel.
 *
 * @example const stones = Array.from({ length: 400 }, (_, i) => belgianBlock({ seed: i }));
 */
export function belgianBlock({
  size = [0.14, 0.09, 0.09],
  spread = 0.06,
  tilt = 0.09,
  seed,
}: BelgianBlockOptions): Solid {
  if (!size.every((length) => length > 0))
    throw new ModelError('belgianBlock.size', `expected three lengths > 0 m, got ${size.join(', ')}`);
  if (!(spread >= 0 && spread <= 0.15))
    throw new ModelError('belgianBlock.spread', `expected 0 to 0.15 of the half lengths, got ${spread}`);
  if (!(tilt >= 0 && tilt <= 0.2)) throw new ModelError('belgianBlock.tilt', `expected 0 to 0.2 rad, got ${tilt}`);
  const draw = random(seed).fork('belgian block');
  // Planes n · r = d: + and − side of each axis; draws beyond two standard deviations are brought back
  const planes = [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((side) => {
      const n = [0, 0, 0];
      n[axis] = side;
      n[(axis + 1) % 3] = draw.uniformBetween(-tilt, tilt);
      n[(axis + 2) % 3] = draw.uniformBetween(-tilt, tilt);
      const off = Math.min(2, Math.max(-2, draw.normal()));
      return { n, d: 0.5 * size[axis] * (1 + spread * off) };
    }),
  );
  const corners: Vec3[] = [];
  for (let i = 0; i < 8; i++)
    corners.push(meeting(planes[i & 1], planes[2 + ((i >> 1) & 1)], planes[4 + ((i >> 2) & 1)]));
  return hullOf(corners);
}

const hullOf = (corners: readonly Vec3[]): Solid => ({
  mesh: convexHull(corners),
  form: { kind: 'mesh' },
  pose: ORIGIN,
});

interface Plane {
  readonly n: readonly number[];
  readonly d: number;
}

/** The point on three planes, by Cramer's rule. */
function meeting(a: Plane, b: Plane, c: Plane): Vec3 {
  const cross = (u: readonly number[], v: readonly number[]): number[] => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const [bc, ca, ab] = [cross(b.n, c.n), cross(c.n, a.n), cross(a.n, b.n)];
  const volume = a.n[0] * bc[0] + a.n[1] * bc[1] + a.n[2] * bc[2];
  return [0, 1, 2].map((k) => (a.d * bc[k] + b.d * ca[k] + c.d * ab[k]) / volume) as unknown as Vec3;
}
