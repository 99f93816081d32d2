/**
 * Nelder & Mead's simplex with coefficients that depend on the number of parameters (Gao & Han 2012, doi 10.1007/s10589-010-9329-3), within bounds by
 * projection, restarted once from its best with a fresh simplex: the first may have collapsed. Constraints and failed runs enter by rank.
 */
import { type Bounds, clamped, compareMerits, type Merit, type Minimum, type Search } from './search.js';

export interface NelderMeadOptions {
  readonly bounds: Bounds;
  /** Edges of the first simplex; a tenth of the bounds' distance, or of the start's size, unless given */
  readonly edges?: readonly number[];
  /** Ends where values and points of the simplex differ by less than this, relative */
  readonly tolerance?: number;
  readonly mostEvaluations?: number;
  readonly restarts?: number;
  readonly progress?: (best: Minimum) => void;
}

export function* nelderMead(
  start: readonly number[],
  { bounds, edges, tolerance = 1e-10, mostEvaluations = 200 * start.length, restarts = 1, progress }: NelderMeadOptions,
): Search<Merit, Minimum> {
  const n = start.length;
  const [reflect, expand, contract, shrink] = [1, 1 + 2 / n, 0.75 - 1 / (2 * n), 1 - 1 / Math.max(2, n)];
  const sizes =
    edges ??
    start.map((value, k) => {
      const width = bounds.upper[k] - bounds.lower[k];
      return Number.isFinite(width) ? 0.1 * width : 0.1 * (Math.abs(value) || 1);
    });
  let evaluations = 0;
  let best: number[] = clamped(start, bounds);
  let bestMerit: Merit | undefined;
  let reason = `${mostEvaluations} runs were made`;

  for (let round = 0; round <= restarts && evaluations < mostEvaluations; round++) {
    const size = round === 0 ? 1 : 0.2;
    const points = [
      best,
      ...sizes.map((edge, k) => {
        const corner = [...best];
        corner[k] += corner[k] + size * edge <= bounds.upper[k] ? size * edge : -size * edge;
        return clamped(corner, bounds);
      }),
    ];
    const merits = yield points;
    evaluations += points.length;
    let simplex = points.map((point, i) => ({ point, merit: merits[i] }));
    for (;;) {
      simplex.sort((a, b) => compareMerits(a.merit, b.merit));
      [best, bestMerit] = [simplex[0].point, simplex[0].merit];
      progress?.({ point: best, merit: bestMerit, evaluations, reason: '' });
      if (isSmall(simplex, sizes, tolerance)) {
        reason = 'the simplex has become small';
        break;
      }
      if (evaluations >= mostEvaluations) {
        reason = `${mostEvaluations} runs were made`;
        break;
      }
      const worst = simplex[n];
      const centre = best.map((_, k) => simplex.slice(0, n).reduce((sum, { point }) => sum + point[k], 0) / n);
      const along = (factor: number): number[] =>
        clamped(
          centre.map((c, k) => c + factor * (c - worst.point[k])),
          bounds,
        );
      const reflected = along(reflect);
      evaluations++;
      const reflectedMerit = (yield [reflected])[0];
      let next = { point: reflected, merit: reflectedMerit };
      if (compareMerits(reflectedMerit, bestMerit) < 0) {
        const far = along(reflect * expand);
        evaluations++;
        const farMerit = (yield [far])[0];
        if (compareMerits(farMerit, reflectedMerit) < 0) next = { point: far, merit: farMerit };
      } else if (compareMerits(reflectedMerit, simplex[n - 1].merit) >= 0) {
        const outside = compareMerits(reflectedMerit, worst.merit) < 0;
        const near = along(outside ? reflect * contract : -contract);
        evaluations++;
        const nearMerit = (yield [near])[0];
        if (compareMerits(nearMerit, outside ? reflectedMerit : worst.merit) < 0)
          next = { point: near, merit: nearMerit };
        else {
          const moved = simplex.slice(1).map(({ point }) => point.map((v, k) => best[k] + shrink * (v - best[k])));
          evaluations += moved.length;
          const there = yield moved;
          simplex = [simplex[0], ...moved.map((point, i) => ({ point, merit: there[i] }))];
          continue;
        }
      }
      simplex[n] = next;
    }
  }
  return { point: best, merit: bestMerit, evaluations, reason };
}

function isSmall(
  simplex: readonly { readonly point: readonly number[]; readonly merit: Merit | undefined }[],
  sizes: readonly number[],
  tolerance: number,
): boolean {
  const [first, last] = [simplex[0], simplex[simplex.length - 1]];
  if (!first.merit || !last.merit) return false;
  const near = sizes.every((size, k) =>
    simplex.every(({ point }) => Math.abs(point[k] - first.point[k]) <= tolerance ** 0.5 * size),
  );
  return (
    near &&
    Math.abs(last.merit.value - first.merit.value) <= tolerance * (Math.abs(first.merit.value) + tolerance) &&
    last.merit.violation === first.merit.violation
  );
}
