/**
 * Conducts a study: asks for the runs of its design or of its search and says what they tell. Who computes the runs is not its business: `evaluate` may use one core, all, or
 * many machines. Whatever it asks depends on outcomes alone, so a study that was stopped asks the same again and gets it from the journal.
 */
import { ModelError } from '../errors.js';
import { exp, log } from '../math/elementary.js';
import type { ParameterValue } from '../model/parameters.js';
import { type Analysis, type FitAnalysis, type Found, meritOf, meritsOf, paretoRows } from './analysis.js';
import type { MeasuredSignal } from './calibration/measurements.js';
import { latinHypercube } from './designs/latin-hypercube.js';
import { fisherQuantile, studentQuantile } from './designs/quantiles.js';
import { designRows, goalsOf, type Row, rowOf, type StudyPlan, unitPoints, type Variable } from './plan.js';
import type { Outcome } from './run-task.js';
import { cmaEs } from './search/cma-es.js';
import { type LeastSquaresFit, levenbergMarquardt, type Residuals } from './search/levenberg-marquardt.js';
import { nelderMead } from './search/nelder-mead.js';
import { nsga2 } from './search/nsga2.js';
import { type Bounds, compareMerits, type Merit, searchWith } from './search/search.js';
import { derivativeOf, STEPS, USUAL_DIFFERENCE } from './sensitivity/local.js';
import { elementaryEffects } from './sensitivity/morris.js';
import { sobolIndices } from './sensitivity/sobol-indices.js';

export interface Conducting {
  readonly plan: StudyPlan;
  readonly measured: readonly MeasuredSignal[];
  /** Outcomes of rows, in their order */
  readonly evaluate: (rows: readonly Row[]) => Promise<readonly Outcome[]>;
  /** Told how a search stands */
  readonly progress?: (text: string) => void;
}

export interface Conducted {
  readonly analysis: Analysis;
  /** All rows in the order they were asked for, each once */
  readonly rows: readonly Row[];
  readonly outcomes: readonly Outcome[];
}

/** Runs a search may make unless said, by parameter */
const USUAL_RUNS = 200;
const FIT_DIFFERENCE = 1e-4;
/** Of the parameters' standard deviations, as Bates & Watts advise */
const FIT_TOLERANCE = 1e-3;

export async function conduct({ plan, measured, evaluate, progress }: Conducting): Promise<Conducted> {
  const { study, variables } = plan;
  const rows: Row[] = [];
  const outcomes: Outcome[] = [];
  const convergence: [number, number][] = [];
  const keys = new Map<string, number>();

  /** Outcomes of rows, which become rows of the table unless they are there */
  const ask = async (asked: readonly Row[]): Promise<readonly Outcome[]> => {
    const told = await evaluate(asked);
    told.forEach((outcome, i) => {
      if (keys.has(outcome.key)) return;
      keys.set(outcome.key, rows.length);
      rows.push({ ...asked[i], index: rows.length });
      outcomes.push(outcome);
    });
    return told;
  };
  const parametersAt = ({ key }: Outcome): Row['parameters'] | undefined => rows[keys.get(key) ?? -1]?.parameters;
  const found = (row: number): Found => ({ row, parameters: rows[row].parameters, outputs: outcomes[row].outputs });
  const best = (): Found | undefined => {
    if (goalsOf(study).length !== 1) return undefined;
    const order = outcomes
      .map((_, i) => i)
      .sort((a, b) => compareMerits(meritOf(study, outcomes[a]), meritOf(study, outcomes[b])));
    return order.length > 0 && outcomes[order[0]].status === 'ok' ? found(order[0]) : undefined;
  };
  const finished = (more: Partial<Analysis> = {}): Conducted => {
    const one = best();
    return {
      rows,
      outcomes,
      analysis: {
        runs: {
          ok: outcomes.filter(({ status }) => status === 'ok').length,
          failed: outcomes.filter(({ status }) => status !== 'ok').length,
        },
        ...(one && { best: one }),
        ...(goalsOf(study).length > 1 && { pareto: paretoRows(study, outcomes).map(found) }),
        ...(convergence.length > 0 && { convergence }),
        ...more,
      },
    };
  };

  const { design, search } = study;
  if (design?.kind === 'local') return finished({ local: await localDerivatives(plan, ask) });
  if (design) {
    const told = await ask(designRows(plan));
    const values = (name: string): number[] =>
      told.map(({ status, outputs }) => (status === 'ok' ? outputs[name] : Number.NaN));
    const names = Object.keys(study.outputs ?? {});
    const byVariable = <T>(list: readonly T[]): Record<string, T> =>
      Object.fromEntries(variables.map(({ name }, k) => [name, list[k]]));
    if (design.kind === 'morris') {
      const points = unitPoints(plan);
      return finished({
        morris: Object.fromEntries(names.map((name) => [name, byVariable(elementaryEffects(points, values(name)))])),
      });
    }
    if (design.kind === 'sobol-indices')
      return finished({
        sobol: Object.fromEntries(
          names.map((name) => {
            const { variance, indices, rows: count } = sobolIndices(values(name), variables.length, study.seed ?? 1);
            return [name, { variance, rows: count, indices: byVariable(indices) }];
          }),
        ),
      });
    return finished();
  }

  // Searches go over the logarithm of what ranges over factors
  const space = new SearchSpace(variables);
  let count = 0;
  const rowsAt = (points: readonly (readonly number[])[]): Row[] =>
    points.map((point) => rowOf(plan, count++, space.values(point)));
  let lowest = Infinity;
  const note = (value: number | undefined, name: string): void => {
    if (value !== undefined && value < lowest) {
      lowest = value;
      convergence.push([outcomes.length, value]);
    }
    progress?.(`${name} ${Number.isFinite(lowest) ? Number(lowest.toPrecision(5)) : 'not yet'}`);
  };
  const misfit = residualsOf(study.measurements?.outputs ?? {}, measured);
  const squares = (outcome: Outcome): number | undefined => misfit(outcome)?.reduce((sum, r) => sum + r * r, 0);
  const merit = (outcome: Outcome): Merit | undefined => {
    if (!study.measurements) return meritOf(study, outcome);
    const value = squares(outcome);
    return value === undefined ? undefined : { value, violation: 0 };
  };
  const merits = async (points: readonly (readonly number[])[]): Promise<readonly (Merit | undefined)[]> => {
    const list = (await ask(rowsAt(points))).map(merit);
    for (const one of list)
      note(one?.violation === 0 ? one.value : undefined, study.measurements ? 'sum of squares' : 'best');
    return list;
  };

  if (search?.kind === 'nsga-ii') {
    const { population = 40, generations = 25 } = search;
    await searchWith(
      nsga2({
        bounds: space.bounds,
        population,
        generations,
        seed: study.seed ?? 1,
        starts: [space.start],
        progress: (front, generation) => progress?.(`generation ${generation}, ${front.length} on the front`),
      }),
      async (points) => (await ask(rowsAt(points))).map((outcome) => meritsOf(study, outcome)),
    );
    return finished({ reason: `${generations} generations of ${population} were made` });
  }
  let from = space.start;
  let reason = '';
  if (search?.kind === 'cma-es') {
    const { runs = USUAL_RUNS * variables.length, population, doublings, target, tolerance = 1e-6 } = search;
    const end = await searchWith(
      cmaEs(from, {
        bounds: space.bounds,
        sizes: space.sizes(0.25),
        seed: study.seed ?? 1,
        mostEvaluations: runs,
        tolerance,
        ...(population !== undefined && { population }),
        ...(doublings !== undefined && { doublings }),
        ...(target !== undefined && { target }),
      }),
      merits,
    );
    [from, reason] = [end.point, end.reason];
  } else if (search?.kind === 'nelder-mead') {
    const { runs = USUAL_RUNS * variables.length, tolerance = 1e-8 } = search;
    const end = await searchWith(nelderMead(from, { bounds: space.bounds, mostEvaluations: runs, tolerance }), merits);
    [from, reason] = [end.point, end.reason];
  }
  if (!study.measurements) return finished({ reason });

  // Least squares, from the start or from the best so far: it tells how well each number is known
  const {
    iterations = 50,
    starts = 1,
    difference = FIT_DIFFERENCE,
    tolerance = FIT_TOLERANCE,
  } = search?.kind === 'levenberg-marquardt' ? search : {};
  const others =
    starts > 1 ? latinHypercube(starts - 1, variables.length, study.seed ?? 1).map((u) => space.at(u)) : [];
  const withTangents = (outcome: Outcome): Residuals | undefined => {
    const residuals = misfit(outcome);
    const { tangents } = outcome;
    const parameters = parametersAt(outcome);
    if (!residuals || !tangents || !parameters) return residuals;
    const deviations = measured.flatMap((one) => one.values.map(() => one.deviation));
    const measuredOutputs = Object.entries(study.measurements?.outputs ?? {});
    const names = Object.keys(study.outputs ?? {});
    return Object.assign([...residuals], {
      jacobian: tangents.map((column, k) => {
        const chain = variables[k].range!.log ? Number(parameters[variables[k].name]) : 1;
        return Float64Array.from([
          ...deviations.map((deviation, i) => (chain * column[i]) / deviation),
          ...measuredOutputs.map(
            ([name, { deviation }]) => (chain * column[deviations.length + names.indexOf(name)]) / deviation,
          ),
        ]);
      }),
    });
  };
  let fit: LeastSquaresFit | undefined;
  for (const start of [from, ...others]) {
    const next = await searchWith(
      levenbergMarquardt(start, {
        bounds: space.bounds,
        scales: space.sizes(1).map((size) => 1e3 * size),
        difference,
        tolerance,
        mostIterations: iterations,
      }),
      async (points) =>
        (await ask(rowsAt(points))).map((outcome) => {
          note(squares(outcome), 'sum of squares');
          return withTangents(outcome);
        }),
    );
    if (next && (!fit || next.squares < fit.squares)) fit = next;
  }
  if (!fit)
    throw new ModelError(
      'search',
      `the run at the start failed: ${outcomes.find(({ status }) => status !== 'ok')?.error ?? 'no outcome'}; give other starts`,
    );
  return finished({ fit: fitAnalysis(fit, variables, space, measured), reason: reason || fit.reason });
}

/** Residuals over their deviations, signals one after another, then outputs; undefined for a failed run */
function residualsOf(
  outputs: Readonly<Record<string, { readonly value: number; readonly deviation: number }>>,
  measured: readonly MeasuredSignal[],
): (outcome: Outcome) => readonly number[] | undefined {
  const values = measured.flatMap((one) => one.values);
  const deviations = measured.flatMap((one) => one.values.map(() => one.deviation));
  return ({ status, samples = [], outputs: told }) => {
    if (status !== 'ok') return undefined;
    const residuals = [
      ...samples.map((value, i) => (value - values[i]) / deviations[i]),
      ...Object.entries(outputs).map(([name, { value, deviation }]) => (told[name] - value) / deviation),
    ];
    return residuals.every(Number.isFinite) ? residuals : undefined;
  };
}

/** Ranges as a search sees them: as they are, or their logarithms */
class SearchSpace {
  readonly bounds: Bounds;
  readonly start: number[];
  private readonly variables: readonly Variable[];

  constructor(variables: readonly Variable[]) {
    this.variables = variables;
    const inside = (value: number, k: number): number => (variables[k].range!.log ? log(value) : value);
    this.bounds = {
      lower: variables.map(({ range }, k) => inside(range!.from, k)),
      upper: variables.map(({ range }, k) => inside(range!.to, k)),
    };
    this.start = variables.map(({ range }, k) => inside(range!.start, k));
  }

  /** A part of each range's width */
  sizes(part: number): number[] {
    return this.bounds.lower.map((low, k) => part * (this.bounds.upper[k] - low));
  }

  at(u: ArrayLike<number>): number[] {
    return this.bounds.lower.map((low, k) => low + u[k] * (this.bounds.upper[k] - low));
  }

  value(k: number, x: number): number {
    const { from, to, log: isLog } = this.variables[k].range!;
    return Math.min(to, Math.max(from, isLog ? exp(x) : x));
  }

  values(point: readonly number[]): Record<string, ParameterValue> {
    return Object.fromEntries(this.variables.map(({ name }, k) => [name, this.value(k, point[k])]));
  }
}

function fitAnalysis(
  fit: LeastSquaresFit,
  variables: readonly Variable[],
  space: SearchSpace,
  measured: readonly MeasuredSignal[],
): FitAnalysis {
  const { point, deviations, covariance, freedom, residuals, identifiability } = fit;
  const n = point.length;
  const t = studentQuantile(0.975, freedom);
  // the ellipsoid in which all lie at once with 95 % reaches that many deviations along each axis
  const reach = Math.sqrt(n * fisherQuantile(0.95, n, freedom));
  return {
    parameters: variables.map(({ name, range }, k) => {
      const end = (x: number): number => (range!.log ? exp(x) : x);
      const { lower, upper } = space.bounds;
      const atBound = point[k] <= lower[k] || point[k] >= upper[k];
      return {
        name,
        value: space.value(k, point[k]),
        deviation: deviations[k],
        low: end(point[k] - t * deviations[k]),
        high: end(point[k] + t * deviations[k]),
        joint: [end(point[k] - reach * deviations[k]), end(point[k] + reach * deviations[k])],
        ...(atBound && { atBound }),
      };
    }),
    correlation: variables.map((_, i) =>
      variables.map((_, j) => covariance[n * i + j] / Math.sqrt(covariance[n * i + i] * covariance[n * j + j])),
    ),
    residuals: residuals.length,
    before: Math.sqrt(fit.before / residuals.length),
    after: Math.sqrt(fit.squares / residuals.length),
    condition: identifiability.condition,
    together: identifiability.together.map((k) => variables[k].name),
    iterations: fit.iterations,
    reason: fit.reason,
    signals: measured.map(({ signal, unit, times, values, deviation }, k) => {
      const before = measured.slice(0, k).reduce((sum, one) => sum + one.values.length, 0);
      const fitted = values.map((value, i) => value + deviation * residuals[before + i]);
      return { signal, unit, times, measured: values, fitted };
    }),
  };
}

/** Of a run with tangents */
function tangentDerivatives(
  { outputs }: Outcome,
  tangents: NonNullable<Outcome['tangents']>,
  at: Readonly<Record<string, number>>,
): NonNullable<Analysis['local']> {
  return {
    at,
    method: 'tangent',
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([output, y], i) => [
        output,
        Object.fromEntries(
          Object.keys(at).map((name, k) => {
            const value = tangents[k][i];
            return [name, { value, error: 0, relative: (value * at[name]) / y }];
          }),
        ),
      ]),
    ),
  };
}

async function localDerivatives(
  plan: StudyPlan,
  ask: (rows: readonly Row[]) => Promise<readonly Outcome[]>,
): Promise<NonNullable<Analysis['local']>> {
  const { study, variables } = plan;
  const design = study.design as Extract<NonNullable<typeof study.design>, { kind: 'local' }>;
  const ranged = variables.filter(({ range }) => range !== undefined);
  const at = Object.fromEntries(ranged.map(({ name, range }) => [name, design.at?.[name] ?? range!.start]));
  const steps = ranged.map(
    ({ name, range }) => (design.difference ?? USUAL_DIFFERENCE) * (Math.abs(at[name]) || range!.to - range!.from),
  );
  const [base] = await ask([rowOf(plan, 0, at)]);
  if (base.status !== 'ok') throw new ModelError('design.at', `the run at this point failed: ${base.error}`);
  if (base.tangents) return tangentDerivatives(base, base.tangents, at);
  const around = await ask(
    ranged.flatMap(({ name }, k) =>
      STEPS.map((factor, i) => rowOf(plan, 1 + 4 * k + i, { ...at, [name]: at[name] + factor * steps[k] })),
    ),
  );
  return {
    at,
    method: 'difference',
    outputs: Object.fromEntries(
      Object.keys(study.outputs ?? {}).map((output) => [
        output,
        Object.fromEntries(
          ranged.map(({ name }, k) => [
            name,
            derivativeOf(output, at[name], steps[k], base, around.slice(4 * k, 4 * k + 4)),
          ]),
        ),
      ]),
    ),
  };
}
