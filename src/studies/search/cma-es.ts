/**
 * CMA-ES: a population drawn from a normal distribution whose mean, size and shape follow the better half. Constants and updates of Hansen's tutorial
 * (2016), arXiv 1604.00772, figure 6. Only ranks count, so constraints and failed runs enter by rank; points beyond a bound are reflected at it.
 *
 *   x_k = m + σ B D z_k;    m ← Σ w_i x_(i);    C ← (1 − c₁ − c_µ Σw) C + c₁ p_c p_cᵀ + c_µ Σ w_i y_i y_iᵀ;    σ by the length of p_σ
 *
 * Parameters are scaled by `sizes` inside, so that σ = 1 is one size of each. A population is one batch for all cores.
 */
import { exp, log } from '../../math/elementary.js';
import { random } from '../../math/random.js';
import { rotateToDiagonal } from '../../math/symmetric-diagonal.js';
import { type Bounds, compareMerits, type Merit, type Minimum, type Search } from './search.js';

export interface CmaOptions {
  readonly bounds: Bounds;
  /** Of the first step in each parameter */
  readonly sizes: readonly number[];
  readonly seed?: number | string;
  /** 4 + ⌊3 log n⌋ unless given */
  readonly population?: number;
  readonly mostEvaluations?: number;
  /** Ends below this value */
  readonly target?: number;
  /** Ends where σ has become this much smaller than the first step, in all directions */
  readonly tolerance?: number;
  /** Populations of twice the size after a search has ended without the target; Auger & Hansen (2005) */
  readonly doublings?: number;
  readonly progress?: (best: Minimum) => void;
}

export function* cmaEs(start: readonly number[], options: CmaOptions): Search<Merit, Minimum> {
  const {
    doublings = 0,
    population = 4 + Math.floor(3 * log(start.length)),
    seed = 1,
    mostEvaluations = Infinity,
  } = options;
  let best: Minimum = { point: [...start], merit: undefined, evaluations: 0, reason: '' };
  for (let round = 0; round <= doublings; round++) {
    const left = mostEvaluations - best.evaluations;
    if (!(left > 0)) break;
    const found = yield* oneSearch(round === 0 ? start : best.point, {
      ...options,
      population: population * 2 ** round,
      seed: `${typeof seed} ${seed} / ${round}`,
      mostEvaluations: left,
    });
    const better = best.merit === undefined || compareMerits(found.merit, best.merit) < 0 ? found : best;
    best = { ...better, evaluations: best.evaluations + found.evaluations, reason: found.reason };
    if (options.target !== undefined && best.merit && best.merit.value <= options.target && best.merit.violation === 0)
      break;
  }
  return best;
}

function* oneSearch(
  start: readonly number[],
  {
    bounds,
    sizes,
    seed,
    population: lambda,
    mostEvaluations,
    target = -Infinity,
    tolerance = 1e-11,
    progress,
  }: CmaOptions & { seed: string; population: number; mostEvaluations: number },
): Search<Merit, Minimum> {
  const n = start.length;
  const draw = random(seed);
  const mu = Math.floor(lambda / 2);
  const raw = Array.from({ length: mu }, (_, i) => log((lambda + 1) / 2) - log(i + 1));
  const total = raw.reduce((sum, w) => sum + w, 0);
  const weights = raw.map((w) => w / total);
  const muEff = 1 / weights.reduce((sum, w) => sum + w * w, 0);
  const cSigma = (muEff + 2) / (n + muEff + 5);
  const damping = 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma;
  const cc = (4 + muEff / n) / (n + 4 + (2 * muEff) / n);
  const c1 = 2 / ((n + 1.3) ** 2 + muEff);
  const cMu = Math.min(1 - c1, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) ** 2 + muEff));
  const expected = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)); // of |z|

  const mean = Float64Array.from(start, (value, k) => value / sizes[k]);
  let sigma = 1;
  const pathC = new Float64Array(n);
  const pathSigma = new Float64Array(n);
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) c[n * i + i] = 1;
  let axes: Float64Array[] = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (_, j) => Number(i === j)),
  );
  let lengths = new Float64Array(n).fill(1);
  let evaluations = 0;
  let best: Minimum = { point: [...start], merit: undefined, evaluations: 0, reason: '' };
  const recent: number[] = [];
  let reason = `${mostEvaluations} runs were made`;

  for (let generation = 0; evaluations + lambda <= mostEvaluations || generation === 0; generation++) {
    // A population
    const people = Array.from({ length: lambda }, () => {
      const y = new Float64Array(n);
      for (let k = 0; k < n; k++) {
        const z = lengths[k] * draw.normal();
        for (let i = 0; i < n; i++) y[i] += axes[k][i] * z;
      }
      const point = Array.from(y, (v, i) =>
        reflected((mean[i] + sigma * v) * sizes[i], bounds.lower[i], bounds.upper[i]),
      );
      // what was reflected counts as drawn from where it is
      for (let i = 0; i < n; i++) y[i] = (point[i] / sizes[i] - mean[i]) / sigma;
      return { y, point };
    });
    const merits = yield people.map(({ point }) => point);
    evaluations += lambda;
    const ranked = people
      .map((person, i) => ({ ...person, merit: merits[i], i }))
      .sort((a, b) => compareMerits(a.merit, b.merit) || a.i - b.i);
    if (best.merit === undefined || compareMerits(ranked[0].merit, best.merit) < 0)
      best = { point: ranked[0].point, merit: ranked[0].merit, evaluations, reason: '' };
    progress?.({ ...best, evaluations });

    // Mean, paths, shape, size
    const step = new Float64Array(n);
    for (let k = 0; k < mu; k++) for (let i = 0; i < n; i++) step[i] += weights[k] * ranked[k].y[i];
    for (let i = 0; i < n; i++) mean[i] += sigma * step[i];
    const whitened = new Float64Array(n);
    for (let k = 0; k < n; k++) {
      let along = 0;
      for (let i = 0; i < n; i++) along += axes[k][i] * step[i];
      for (let i = 0; i < n; i++) whitened[i] += (axes[k][i] * along) / lengths[k];
    }
    let square = 0;
    for (let i = 0; i < n; i++) {
      pathSigma[i] = (1 - cSigma) * pathSigma[i] + Math.sqrt(cSigma * (2 - cSigma) * muEff) * whitened[i];
      square += pathSigma[i] * pathSigma[i];
    }
    const norm = Math.sqrt(square);
    const settled = norm / Math.sqrt(1 - (1 - cSigma) ** (2 * (generation + 1))) < (1.4 + 2 / (n + 1)) * expected;
    for (let i = 0; i < n; i++)
      pathC[i] = (1 - cc) * pathC[i] + (settled ? Math.sqrt(cc * (2 - cc) * muEff) * step[i] : 0);
    const kept = 1 - c1 - cMu + (settled ? 0 : c1 * cc * (2 - cc));
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let sum = kept * c[n * i + j] + c1 * pathC[i] * pathC[j];
        for (let k = 0; k < mu; k++) sum += cMu * weights[k] * ranked[k].y[i] * ranked[k].y[j];
        c[n * i + j] = c[n * j + i] = sum;
      }
    sigma *= exp(Math.min(1, (cSigma / damping) * (norm / expected - 1)));

    // Axes are told anew now and then: they change slowly
    if (generation % Math.max(1, Math.floor(1 / (10 * n * (c1 + cMu)))) === 0) {
      const diagonal = c.slice();
      axes = rotateToDiagonal(diagonal, n);
      lengths = Float64Array.from({ length: n }, (_, k) => Math.sqrt(Math.max(diagonal[n * k + k], 1e-300)));
    }

    // Enough?
    const value = best.merit?.violation === 0 ? best.merit.value : Infinity;
    recent.push(ranked[0].merit?.value ?? Infinity);
    const flat = 10 + Math.ceil((30 * n) / lambda);
    if (value <= target) {
      reason = 'the target is reached';
      break;
    }
    if (sigma * Math.max(...lengths) < tolerance) {
      reason = 'the steps have become small';
      break;
    }
    const window = recent.slice(-flat);
    if (window.length === flat && Math.max(...window) - Math.min(...window) <= 1e-15 * Math.abs(value)) {
      reason = 'the value does not change any more';
      break;
    }
    if (Math.max(...lengths) > 1e14 * Math.min(...lengths) || !(sigma > 0 && sigma < 1e20)) {
      reason = 'the distribution has degenerated';
      break;
    }
  }
  return { ...best, evaluations, reason };
}

/** Folded back between the bounds */
function reflected(x: number, lower: number, upper: number): number {
  if (x >= lower && x <= upper) return x;
  if (Number.isFinite(lower) && Number.isFinite(upper)) {
    const width = upper - lower;
    const turned = (((x - lower) % (2 * width)) + 2 * width) % (2 * width);
    return Math.min(upper, Math.max(lower, lower + (turned <= width ? turned : 2 * width - turned)));
  }
  return x < lower ? 2 * lower - x : 2 * upper - x;
}
