/**
 * The route of two idealized surfaces, all pairs of Oestersötebier et al. (2014), fig. 2, and corner points:
 *
 * | | sphere | cylinder | rectangle | circle |
 * |---|---|---|---|---|
 * | points    | n | n | n | n |
 * | sphere    | 1 | 1 | 1 | 1 |
 * | cylinder  |   | 1 or 2 | 2 | 2 |
 * | rectangle |   |   | 4–5, at most 8 | 4–5, at most 8 |
 * | circle    |   |   |   | 5 |
 *
 * Of two faces the smaller one bears the points; one without end never does.
 */
import { ModelError } from '../../errors.js';
import type { Route } from '../route.js';
import { BallRoute } from './ball-route.js';
import { CircleFaceRoute } from './circle-face.js';
import { CylinderCylinderRoute } from './cylinder-cylinder.js';
import { CylinderFaceRoute } from './cylinder-face.js';
import type { PointRouteOptions } from './point-route.js';
import { RectangleFaceRoute } from './rectangle-face.js';
import { type IdealizedSurface, isEndless, isFace, requireSurface, type SurfaceKind, sides } from './surface.js';

const PAIRS: readonly (readonly [SurfaceKind, SurfaceKind])[] = [
  ['sphere', 'sphere'],
  ['sphere', 'cylinder'],
  ['sphere', 'rectangle'],
  ['sphere', 'circle'],
  ['cylinder', 'cylinder'],
  ['cylinder', 'rectangle'],
  ['cylinder', 'circle'],
  ['rectangle', 'rectangle'],
  ['rectangle', 'circle'],
  ['circle', 'circle'],
  ['points', 'sphere'],
  ['points', 'cylinder'],
  ['points', 'rectangle'],
  ['points', 'circle'],
];

/** True if two kinds can touch, in either order. Two endless rectangles cannot, though their kinds do. */
export const isIdealizedPair = (a: SurfaceKind, b: SurfaceKind): boolean =>
  PAIRS.some(([first, second]) => (first === a && second === b) || (first === b && second === a));

/**
 * @param ia, ib the shapes' places in the poses, whose frames are those of the surfaces
 * @throws ModelError for sizes that are no lengths, and for pairs that cannot touch
 * @example idealizedRoute({ kind: 'sphere', radius: 0.015 }, { kind: 'cylinder', radius: 0.0075, length: 0.05 }, 0, 1)
 */
export function idealizedRoute(
  surfaceA: IdealizedSurface,
  surfaceB: IdealizedSurface,
  ia: number,
  ib: number,
  options: PointRouteOptions = {},
): Route {
  requireSurface('surfaceA', surfaceA);
  requireSurface('surfaceB', surfaceB);
  const { thickness, parallelAngle } = options;
  if (thickness !== undefined && !(thickness > 0))
    throw new ModelError('thickness', `expected a length > 0 m, got ${thickness}`);
  if (parallelAngle !== undefined && !(parallelAngle > 0 && parallelAngle <= 0.1))
    throw new ModelError('parallelAngle', `expected an angle > 0 and ≤ 0.1 rad, got ${parallelAngle}`);
  const route = bears(surfaceA, surfaceB)
    ? inOrder(surfaceB, surfaceA, ib, ia, options)
    : inOrder(surfaceA, surfaceB, ia, ib, options);
  if (route) return route;
  const known = PAIRS.map(([a, b]) => `${a}–${b}`).join(', ');
  throw new ModelError(
    'surfaces',
    isIdealizedPair(surfaceA.kind, surfaceB.kind)
      ? 'two rectangles without end cannot touch; give one of them a width and a length in m'
      : `no contact of ${surfaceA.kind} and ${surfaceB.kind}; possible are ${known}`,
  );
}

const RANK: Readonly<Record<SurfaceKind, number>> = { points: 4, sphere: 3, cylinder: 2, rectangle: 1, circle: 1 };

/** True if a rather than b bears the points of contact; of equals b does. */
function bears(a: IdealizedSurface, b: IdealizedSurface): boolean {
  if (isFace(a) && isFace(b)) return isEndless(a) === isEndless(b) ? faceSize(a) < faceSize(b) : isEndless(b);
  return RANK[a.kind] > RANK[b.kind];
}

/** Radius of the disc around a rectangle or circle, m, to tell which of two faces is the smaller. */
function faceSize(face: IdealizedSurface): number {
  if (face.kind === 'circle') return face.radius;
  const [width, length] = face.kind === 'rectangle' ? sides(face) : [0, 0];
  return Math.sqrt(width * width + length * length) / 2;
}

/** The route with b bearing the points. */
function inOrder(
  a: IdealizedSurface,
  b: IdealizedSurface,
  ia: number,
  ib: number,
  options: PointRouteOptions,
): Route | undefined {
  if (b.kind === 'points') return a.kind === 'points' ? undefined : new BallRoute(ia, ib, a, b, options);
  if (b.kind === 'sphere') return new BallRoute(ia, ib, a, b, options);
  if (b.kind === 'cylinder') {
    if (isFace(a)) return new CylinderFaceRoute(ia, ib, a, b, options);
    return a.kind === 'cylinder' ? new CylinderCylinderRoute(ia, ib, a, b, options) : undefined;
  }
  if (!isFace(a) || isEndless(b)) return undefined;
  return b.kind === 'circle'
    ? new CircleFaceRoute(ia, ib, a, b, options)
    : new RectangleFaceRoute(ia, ib, a, b, options);
}
