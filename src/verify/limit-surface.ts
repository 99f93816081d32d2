/**
 * Claim about the limit surface of friction: the wrench that is found nearest to a wanted one is in the set of bearable
 * wrenches, and no farther from the wanted one than any can be. Held against a search over the sphere of slip directions that shares nothing with
 * the code it tests but the nodes of the contour.
 */
import { LimitSurface } from '../contact-laws/torsion/limit-surface.js';
import { PatchContour } from '../contact-laws/torsion/patch-contour.js';
import { random } from '../math/random.js';
import type { Check } from './check.js';

/** Directions evenly over the sphere: points on a spiral, the golden angle apart */
const GRID: readonly (readonly [number, number, number])[] = Array.from({ length: 120 }, (_, i) => {
  const z = 1 - (2 * i + 1) / 120;
  const angle = i * Math.PI * (3 - Math.sqrt(5));
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(angle), r * Math.sin(angle), z];
});

/** D(q) of a scaled slip, from its definition as a contour integral: (1/3ω) Σ |u_i| u_i·(n × q_i) */
function meanSlipOf(patch: PatchContour, q1: number, q2: number, q3: number): number {
  const w = q3 / patch.effectiveRadius;
  if (Math.abs(q3) < 1e-7) return Math.sqrt(q1 * q1 + q2 * q2);
  let sum = 0;
  for (let i = 0; i < patch.count; i++) {
    const u1 = q1 - w * patch.y[i];
    const u2 = q2 + w * patch.x[i];
    sum += Math.sqrt(u1 * u1 + u2 * u2) * (u2 * patch.qx[i] - u1 * patch.qy[i]);
  }
  return sum / (3 * w);
}

/** max over unit q of W·q − L D(q): best of the grid, then steps in a plane across it that halve when none of them leads up */
function greatest(patch: PatchContour, limit: number, w: readonly number[]): number {
  const height = (q: readonly number[]): number =>
    w[0] * q[0] + w[1] * q[1] + w[2] * q[2] - limit * meanSlipOf(patch, q[0], q[1], q[2]);
  let at: readonly number[] = GRID[0];
  let best = Number.NEGATIVE_INFINITY;
  const size = Math.hypot(w[0], w[1], w[2]);
  for (const q of [...GRID, w.map((x) => x / size)]) {
    const value = height(q);
    if (value > best) [best, at] = [value, q];
  }
  for (let step = 0.2; step > 1e-6; ) {
    const side = Math.abs(at[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
    const along = side[0] * at[0] + side[1] * at[1];
    const s = side.map((x, i) => x - along * at[i]);
    const t = [at[1] * s[2] - at[2] * s[1], at[2] * s[0] - at[0] * s[2], at[0] * s[1] - at[1] * s[0]];
    let found = false;
    for (const [a, b] of COMPASS) {
      const q = at.map((x, i) => x + step * (a * s[i] + b * t[i]));
      const length = Math.hypot(q[0], q[1], q[2]);
      const unit = q.map((x) => x / length);
      const value = height(unit);
      if (!(value > best)) continue;
      [best, at, found] = [value, unit, true];
      break;
    }
    if (!found) step *= 0.4;
  }
  return best;
}
const COMPASS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
  [0.7, 0.7],
  [-0.7, 0.7],
  [-0.7, -0.7],
  [0.7, -0.7],
] as const;

/**
 * Worst over random wrenches, limits, starts, sizes and shapes (discs to 18:1) of: how far the found wrench is outside the set, and how much farther from
 * the wanted one than it must be; both in parts of the larger of the limit and the wanted wrench.
 */
export function nearestWrenchError(cases: number, seed = 'limit surface'): number {
  const draw = random(seed);
  const patch = new PatchContour();
  const surface = new LimitSurface();
  let worst = 0;
  for (let n = 0; n < cases; n++) {
    const size = 10 ** draw.uniformBetween(-6, 1);
    const long = size * size;
    const short = long / draw.uniformBetween(1, n % 10 === 0 ? 30 : 8) ** 2;
    const turn = draw.uniformBetween(0, Math.PI);
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    patch.setEllipse(long * c * c + short * s * s, (long - short) * c * s, long * s * s + short * c * c);
    const limit = 10 ** draw.uniformBetween(-3, 4);
    // near the border, some times the limit, and far away; slips from none to fast, in any direction
    const part = [draw.uniformBetween(0.6, 1.2), draw.uniformBetween(0, 5), 10 ** draw.uniformBetween(-1, 3)][n % 3];
    const w = [...draw.unitVector()].map((x) => part * limit * x);
    const speed = n % 4 === 0 ? 0 : 10 ** draw.uniformBetween(-9, 2);
    const v = [...draw.unitVector()].map((x) => speed * x);
    surface.project(patch, limit, w[0], w[1], w[2], v[0], v[1], v[2]);
    const f = surface.force;
    const distance = Math.hypot(w[0] - f[0], w[1] - f[1], w[2] - f[2]);
    const scale = limit * Math.max(1, part);
    const outside = greatest(patch, limit, [...f]) / scale;
    // no wrench of the set is nearer than the greatest of W·q − L D(q)
    const farther = distance > 0 ? (distance - greatest(patch, limit, w)) / scale : 0;
    worst = Math.max(worst, outside, farther);
  }
  return worst;
}

export const limitSurfaceChecks: readonly Check[] = [
  {
    id: 'FRICTION-SURFACE',
    title:
      '10⁶ random wrenches on patches to 30:1: what friction makes of them, outside the limit surface or not nearest, relative',
    source: 'search over the sphere of slip directions',
    limit: 1e-9,
    long: true,
    measure: () => ({ value: nearestWrenchError(1e6), reference: 0 }),
  },
];
