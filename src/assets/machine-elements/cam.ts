/**
 * Plate cams from the lift they are to give: a follower that slides towards the cam's axis touches it where
 *
 *   knife edge         r(θ) = r₀ + s(θ), the polar curve itself
 *   roller of radius ρ its centre runs on r₀ + ρ + s(θ); the cam is that curve's parallel, ρ inside
 *   flat face          the cam's tangent square to the ray at θ is h(θ) = r₀ + s(θ) from the axis and touches at h u + h′ v,
 *                      u = (cos θ, sin θ), v = (−sin θ, cos θ)
 *
 *   r₀  radius of the base circle, m;   s  lift, m;   θ angle in the cam's own frame, rad
 *
 * The follower on +x sees lift(0) as the cam is drawn, and lift(−α) when it has turned by α counter-clockwise. The outline
 * is arcs fitted to these curves (fit-arcs.ts): smooth to the tangent, within `tolerance` of them.
 *
 * Norton, Cam Design and Manufacturing Handbook (2009), ch. 7.
 */
import { ModelError } from '../../errors.js';
import { fitArcs } from '../../geometry/fit-arcs.js';
import type { Outline } from '../../geometry/profile.js';
import { requireLength } from '../../geometry/require.js';
import { cos, sin } from '../../math/elementary.js';
import type { Vec2 } from '../../math/vec3.js';

export interface CamSize {
  /** r₀, m */
  readonly baseRadius: number;
  /**
   * Lift at an angle of the cam, m: a smooth function with the period 2π, or a table of lifts at equal angles from 0 to just
   * before a full turn, at least 8, through which a periodic cubic spline is laid.
   */
  readonly lift: ((angle: number) => number) | readonly number[];
  /** ds/dθ of a function, m/rad; without it by differences, which is right to about 1e-8 of the lift. */
  readonly slope?: (angle: number) => number;
  /** What rides on the cam: a knife edge (default), a flat face square to its way, or a roller of a radius in m. */
  readonly follower?: 'edge' | 'flat' | { readonly roller: number };
  /** Greatest distance of the arcs from the curve, m; default 1e-5 of the base radius. */
  readonly tolerance?: number;
}

const TURN = 2 * Math.PI;
/** Places at which a cam is looked at for undercut. */
const LOOKS = 1440;

/**
 * Outline of a plate cam about the origin, of arcs.
 *
 * @throws ModelError if the lift is not finite, takes the cam to its axis, or asks for a cam that undercuts itself
 * @example extrude({ outer: cam({ baseRadius: 20e-3, lift: (t) => 3e-3 * (1 - cos(t)), follower: 'flat' }), holes: [circle(5e-3)] }, 8e-3)
 */
export function cam({ baseRadius, lift, slope, follower = 'edge', tolerance }: CamSize): Outline {
  requireLength('cam.baseRadius', baseRadius);
  if (tolerance !== undefined) requireLength('cam.tolerance', tolerance);
  const roller = typeof follower === 'object' ? requireLength('cam.follower.roller', follower.roller) : 0;
  if (typeof follower === 'string' && follower !== 'edge' && follower !== 'flat')
    throw new ModelError('cam.follower', `expected 'edge', 'flat' or { roller: radius in m }, got '${follower}'`);
  const law = typeof lift === 'function' ? { lift, slope: slope ?? differences(lift) } : periodicSpline(lift);

  /** Distance from the axis to what the law gives, and the law's slope. */
  const at = (angle: number): { radius: number; slope: number } => {
    const s = law.lift(angle);
    const radius = baseRadius + roller + s;
    const ds = law.slope(angle);
    if (!(Number.isFinite(radius) && Number.isFinite(ds)))
      throw new ModelError('cam.lift', `expected a finite lift and slope at ${angle} rad, got ${s} m and ${ds} m/rad`);
    if (!(radius > roller))
      throw new ModelError('cam.lift', `expected more than −baseRadius = ${-baseRadius} m at ${angle} rad, got ${s} m`);
    return { radius, slope: ds };
  };
  const tangent = (angle: number): Vec2 => {
    const [c, s] = [cos(angle), sin(angle)];
    if (follower === 'flat') return [-s, c];
    const { radius, slope: ds } = at(angle);
    return [ds * c - radius * s, ds * s + radius * c];
  };
  const curve = (angle: number): Vec2 => {
    const [c, s] = [cos(angle), sin(angle)];
    const { radius, slope: ds } = at(angle);
    if (follower === 'flat') return [radius * c - ds * s, radius * s + ds * c];
    if (roller === 0) return [radius * c, radius * s];
    // inwards from the roller's centre, to the left of the way it runs
    const [tx, ty] = tangent(angle);
    const k = roller / Math.sqrt(tx * tx + ty * ty);
    return [radius * c - k * ty, radius * s + k * tx];
  };
  refuseUndercut(curve, tangent, follower === 'flat');
  return fitArcs(curve, tangent, 0, TURN, { tolerance: tolerance ?? 1e-5 * baseRadius });
}

/** Where the contact would run back against its tangent, the follower lifts off before it gets there. */
function refuseUndercut(curve: (angle: number) => Vec2, tangent: (angle: number) => Vec2, flat: boolean): void {
  let [x, y] = curve(0);
  for (let k = 1; k <= LOOKS; k++) {
    const [u, v] = curve((TURN * k) / LOOKS);
    const [tx, ty] = tangent((TURN * (k - 0.5)) / LOOKS);
    if (!((u - x) * tx + (v - y) * ty > 0)) {
      const angle = (TURN * (k - 0.5)) / LOOKS;
      throw new ModelError(
        'cam.lift',
        `the cam undercuts itself near ${angle} rad: ${
          flat ? 'r₀ + s + d²s/dθ² must stay > 0 under a flat follower' : 'the roller does not fit into its curve'
        }; take a larger baseRadius, a gentler lift${flat ? '' : ' or a smaller roller'}`,
      );
    }
    [x, y] = [u, v];
  }
}

/** Central differences of fourth order over 1e-3 rad. */
function differences(lift: (angle: number) => number): (angle: number) => number {
  const h = 1e-3;
  return (angle) => (8 * (lift(angle + h) - lift(angle - h)) - (lift(angle + 2 * h) - lift(angle - 2 * h))) / (12 * h);
}

/**
 * The periodic cubic spline through values at equal angles: its slopes obey mᵢ₋₁ + 4 mᵢ + mᵢ₊₁ = 3 (yᵢ₊₁ − yᵢ₋₁)/h, which
 * Gauss–Seidel solves to the last digit in 60 rounds, each leaving less than half of the error.
 */
function periodicSpline(values: readonly number[]): {
  lift: (angle: number) => number;
  slope: (angle: number) => number;
} {
  const n = values.length;
  if (n < 8) throw new ModelError('cam.lift', `expected a table of at least 8 lifts over the turn, got ${n}`);
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) throw new ModelError(`cam.lift[${i}]`, `expected a lift in m, got ${value}`);
  });
  const h = TURN / n;
  const slopes = new Float64Array(n);
  for (let round = 0; round < 60; round++)
    for (let i = 0; i < n; i++) {
      const [before, after] = [(i + n - 1) % n, (i + 1) % n];
      slopes[i] = ((3 * (values[after] - values[before])) / h - slopes[before] - slopes[after]) / 4;
    }
  /** piece, and how far into it, 0 to 1 */
  const place = (angle: number): [i: number, j: number, t: number] => {
    const turns = angle / TURN;
    const part = (turns - Math.floor(turns)) * n;
    const i = Math.min(n - 1, Math.floor(part));
    return [i, (i + 1) % n, part - i];
  };
  return {
    lift(angle) {
      const [i, j, t] = place(angle);
      const u = 1 - t;
      return (
        u * u * ((1 + 2 * t) * values[i] + t * h * slopes[i]) + t * t * ((1 + 2 * u) * values[j] - u * h * slopes[j])
      );
    },
    slope(angle) {
      const [i, j, t] = place(angle);
      const u = 1 - t;
      return (6 * t * u * (values[j] - values[i])) / h + u * (1 - 3 * t) * slopes[i] + t * (1 - 3 * u) * slopes[j];
    },
  };
}
