/**
 * Least squares by Levenberg & Marquardt within bounds:
 *
 *   (JᵀJ + µ D²) δ = −Jᵀ r,       D: the largest norms of J's columns so far (Moré 1978, doi 10.1007/BFb0067700)
 *
 * solved by reflections on [J; √µ D], not by the normal equations, which square the condition. What lies at a bound and wants beyond it is left out of the
 * system; the rest is projected. µ falls by how well the linear model foretold the gain (Nielsen 1999). A run that fails at a trial point counts as a step that
 * is too long. Derivatives are central differences, all of them in one batch for all cores.
 *
 * It ends where RSS changes by less than 1e-12 of itself, the step is below 1e-10 of the point, or the gradient is perpendicular; with a `tolerance`, where the residuals are as
 * good as perpendicular to all that the parameters can change, measured by the noise itself (the relative offset of Bates & Watts, Technometrics 23 (1981) 179):
 *
 *   ‖Qᵀr‖/√n  ≤  tolerance · ‖r − QQᵀr‖/√(m − n),       J = QR, m residuals, n parameters
 *
 * The step that is left is then that part of the parameters' own standard deviations. Runs differ by their tolerance from one another, so squares alone never stop changing.
 */
import { rotateToDiagonal } from '../../math/symmetric-diagonal.js';
import { backSolve, inverseNormal, triangular } from './least-squares-step.js';
import { type Bounds, clamped, type Search } from './search.js';

export interface LeastSquaresOptions {
  readonly bounds?: Bounds;
  /** Typical sizes of the parameters, for those that start at zero; 1 unless given */
  readonly scales?: readonly number[];
  /** Of a parameter's size, for differences; 6e-6, the cube root of rounding, suits formulas, 1e-4 runs */
  readonly difference?: number;
  readonly mostIterations?: number;
  /** Of the parameters' standard deviations: what is left to go when it ends; 0 unless given */
  readonly tolerance?: number;
  /** No parameter moves further in one step */
  readonly longestStep?: number;
  /** Told after every step taken */
  readonly progress?: (point: readonly number[], squares: number) => void;
}

export interface LeastSquaresFit {
  readonly point: number[];
  readonly residuals: readonly number[];
  /** Sum of squares at the start and at the end */
  readonly before: number;
  readonly squares: number;
  /** By parameter, of the residuals */
  readonly jacobian: readonly Float64Array[];
  /** s² (JᵀJ)⁻¹, s² = RSS/(m − n); row by row */
  readonly covariance: Float64Array;
  readonly deviations: number[];
  readonly freedom: number;
  readonly iterations: number;
  readonly evaluations: number;
  readonly reason: string;
  readonly identifiability: Identifiability;
}

export interface Identifiability {
  /** Largest over smallest singular value of J with columns of length 1 */
  readonly condition: number;
  /** Parameters, by index, that the data tell only together: large entries of the direction that hardly matters; empty where all are told */
  readonly together: readonly number[];
}

/** Beyond this the data do not tell the parameters apart */
const WORST_CONDITION = 1e6;
const SEEN_ENTRY = 0.3;
/** A step that does not gain although it is longer than the tolerance by less than this: the runs' own noise is reached */
const NOISE_OF_RUNS = 10;

/** Residuals at a point, with their derivatives by the parameters where whoever computed them knows those */
export type Residuals = readonly number[] & { readonly jacobian?: readonly Float64Array[] };

export function* levenbergMarquardt(
  start: readonly number[],
  {
    bounds = { lower: start.map(() => -Infinity), upper: start.map(() => Infinity) },
    scales = start.map(() => 1),
    difference = 6e-6,
    mostIterations = 200,
    tolerance = 0,
    longestStep = Infinity,
    progress,
  }: LeastSquaresOptions = {},
): Search<Residuals, LeastSquaresFit | undefined> {
  const n = start.length;
  let x = clamped(start, bounds);
  let evaluations = 1;
  let r = (yield [x])[0];
  if (!r?.every(Number.isFinite)) return undefined;
  const before = squaresOf(r);
  let squares = before;
  let [mu, growth] = [1e-3, 2];
  const norms = new Float64Array(n);
  let iterations = 0;
  let reason = `${mostIterations} iterations were made`;

  let jacobian = yield* differences(x, r);
  search: for (; iterations < mostIterations; iterations++) {
    // Columns that a bound holds are left out
    for (let k = 0; k < n; k++) norms[k] = Math.max(norms[k], lengthOf(jacobian[k]));
    const gradient = jacobian.map((column) => dot(column, r!));
    const free = gradient
      .map((slope, k) => ({ slope, k }))
      .filter(({ slope, k }) => !(x[k] <= bounds.lower[k] && slope > 0) && !(x[k] >= bounds.upper[k] && slope < 0))
      .map(({ k }) => k);
    const flat = free.every((k) => Math.abs(gradient[k]) <= 1e-14 * lengthOf(jacobian[k]) * Math.sqrt(squares));
    if (flat || squares === 0) {
      reason =
        free.length < n && free.length === 0 ? 'all parameters are at their bounds' : 'the gradient has vanished';
      break;
    }
    const offset = relativeOffset(
      free.map((k) => jacobian[k]),
      r,
      squares,
    );
    if (offset <= tolerance) {
      reason = `what is left to go is ${percent(offset)} of the parameters' standard deviations`;
      break;
    }
    // Trial steps until one gains
    for (let tries = 0; ; tries++) {
      const damped = free.map((k, at) => {
        const column = new Float64Array(r!.length + free.length);
        column.set(jacobian[k]);
        column[r!.length + at] = Math.sqrt(mu) * (norms[k] || 1);
        return column;
      });
      const rows = triangular(damped, Float64Array.from([...r!.map((v) => -v), ...free.map(() => 0)]));
      const delta = backSolve(rows, rows.right);
      const moved = [...x];
      free.forEach((k, at) => {
        moved[k] += Math.max(-longestStep, Math.min(longestStep, delta[at]));
      });
      const there = clamped(moved, bounds);
      const small = there.every(
        (value, k) => Math.abs(value - x[k]) <= 1e-10 * Math.max(Math.abs(x[k]), 1e-10 * scales[k]),
      );
      if (small || tries > 60) {
        reason = small ? 'the step has become small' : 'no step gains any more';
        break search;
      }
      evaluations++;
      const trial = (yield [there])[0];
      const now = trial?.every(Number.isFinite) ? squaresOf(trial) : Infinity;
      if (!(now < squares)) {
        if (now <= squares * (1 + 1e-12)) {
          reason = 'the sum of squares does not change any more';
          break search;
        }
        if (offset <= NOISE_OF_RUNS * tolerance) {
          reason = `no step gains any more; what is left to go is ${percent(offset)} of the parameters' standard deviations`;
          break search;
        }
        mu = Math.min(1e30, mu * growth);
        growth = Math.min(1e6, growth * 2);
        continue;
      }
      // By the linear model the squares would fall by δᵀ(µ D² δ − Jᵀ r)
      let foretold = 0;
      for (const k of free) {
        const step = there[k] - x[k];
        foretold += step * (mu * norms[k] * norms[k] * step - gradient[k]);
      }
      const ratio = (squares - now) / Math.max(foretold, Number.MIN_VALUE);
      const gained = (squares - now) / squares;
      [x, r, squares] = [there, trial!, now];
      mu = Math.max(1e-20, mu * Math.max(1 / 3, 1 - (2 * ratio - 1) ** 3));
      growth = 2;
      progress?.(x, squares);
      jacobian = yield* differences(x, r);
      if (gained < 1e-12) {
        iterations++;
        reason = 'the sum of squares does not change any more';
        break search;
      }
      break;
    }
  }

  const freedom = Math.max(1, r.length - n);
  const rows = triangular(jacobian, new Float64Array(r.length));
  const covariance = inverseNormal(rows).map((v) => (v * squares) / freedom);
  return {
    point: x,
    residuals: r,
    before,
    squares,
    jacobian,
    covariance,
    deviations: x.map((_, k) => Math.sqrt(covariance[n * k + k])),
    freedom,
    iterations,
    evaluations,
    reason,
    identifiability: identifiabilityOf(jacobian),
  };

  /** Central, one-sided where a bound or a failed run is in the way */
  function* differences(at: readonly number[], here: Residuals): Search<Residuals, Float64Array[]> {
    if (here.jacobian) return here.jacobian.map((column) => Float64Array.from(column));
    const steps = at.map((value, k) => difference * Math.max(Math.abs(value), scales[k] * 1e-3));
    const points = at.flatMap((value, k) =>
      [1, -1].map((sign) => {
        const moved = [...at];
        moved[k] = Math.min(bounds.upper[k], Math.max(bounds.lower[k], value + sign * steps[k]));
        return moved;
      }),
    );
    evaluations += points.length;
    const values = yield points;
    return at.map((_, k) => {
      const finite = (v: readonly number[] | undefined): v is readonly number[] => v?.every(Number.isFinite) ?? false;
      const [above, below] = [values[2 * k], values[2 * k + 1]];
      const [high, up] = finite(above) ? [above, points[2 * k][k]] : [here, at[k]];
      const [low, down] = finite(below) ? [below, points[2 * k + 1][k]] : [here, at[k]];
      return Float64Array.from(here, (_, i) => (up === down ? 0 : (high[i] - low[i]) / (up - down)));
    });
  }
}

/** How far residuals are from perpendicular to the columns, over what is left of them; per degree of freedom */
function relativeOffset(columns: readonly Float64Array[], residuals: readonly number[], squares: number): number {
  const [n, m] = [columns.length, residuals.length];
  const { right } = triangular(columns, residuals);
  const along = Math.min(squares, dot(right, right));
  return Math.sqrt((along / n) * (Math.max(1, m - n) / (squares - along)));
}

const percent = (part: number): string => `${Number((100 * part).toPrecision(2))} %`;

/** Singular values of J with columns of length 1, from the eigenvalues of its Gram matrix */
export function identifiabilityOf(jacobian: readonly ArrayLike<number>[]): Identifiability {
  const n = jacobian.length;
  const norms = jacobian.map(lengthOf);
  const untold = norms.flatMap((norm, k) => (norm > 0 ? [] : [k]));
  if (untold.length > 0) return { condition: Infinity, together: untold };
  const gram = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) gram[n * i + j] = dot(jacobian[i], jacobian[j]) / (norms[i] * norms[j]);
  const vectors = rotateToDiagonal(gram, n);
  let [least, most] = [0, 0];
  for (let k = 1; k < n; k++) {
    if (gram[n * k + k] < gram[n * least + least]) least = k;
    if (gram[n * k + k] > gram[n * most + most]) most = k;
  }
  const condition = Math.sqrt(gram[n * most + most] / Math.max(gram[n * least + least], 0));
  const together =
    condition > WORST_CONDITION
      ? Array.from(vectors[least], (entry, k) => ({ entry, k }))
          .filter(({ entry }) => Math.abs(entry) > SEEN_ENTRY)
          .map(({ k }) => k)
      : [];
  return { condition, together };
}

const squaresOf = (r: readonly number[]): number => r.reduce((sum, v) => sum + v * v, 0);
const lengthOf = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a));

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
