/** What a study has found, as plain data for reports, programs and files. */
import type { ParameterValue } from '../model/parameters.js';
import type { Study } from '../model/study.js';
import { goalName, goalsOf } from './plan.js';
import type { Outcome } from './run-task.js';
import type { Individual, Merits } from './search/nsga2.js';
import { paretoSet } from './search/nsga2.js';
import type { Merit } from './search/search.js';
import type { LocalDerivative } from './sensitivity/local.js';
import type { ElementaryEffects } from './sensitivity/morris.js';
import type { SobolIndex } from './sensitivity/sobol-indices.js';

export interface Found {
  /** Row of the table */
  readonly row: number;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly outputs: Readonly<Record<string, number>>;
}

export interface FittedParameter {
  readonly name: string;
  readonly value: number;
  /** Standard deviation; of the logarithm where the range is one of factors */
  readonly deviation: number;
  /** 95 % */
  readonly low: number;
  readonly high: number;
  /** Ends that hold for all parameters at once with 95 %: those of the ellipsoid (p − p̂)ᵀ JᵀJ (p − p̂) = n s² F */
  readonly joint: readonly [low: number, high: number];
  readonly atBound?: boolean;
}

export interface FitAnalysis {
  readonly parameters: readonly FittedParameter[];
  /** Row by row */
  readonly correlation: readonly (readonly number[])[];
  readonly residuals: number;
  /** Root mean square of residuals over their deviations, before and after */
  readonly before: number;
  readonly after: number;
  readonly condition: number;
  /** Parameters that the data tell only together */
  readonly together: readonly string[];
  readonly iterations: number;
  readonly reason: string;
  /** Measured beside fitted, by signal */
  readonly signals: readonly {
    readonly signal: string;
    readonly unit: string;
    readonly times: readonly number[];
    readonly measured: readonly number[];
    readonly fitted: readonly number[];
  }[];
}

export interface Analysis {
  readonly runs: { readonly ok: number; readonly failed: number };
  /** Best by the objective, where there is one */
  readonly best?: Found;
  readonly reason?: string;
  readonly fit?: FitAnalysis;
  readonly pareto?: readonly Found[];
  readonly morris?: Readonly<Record<string, Readonly<Record<string, ElementaryEffects>>>>;
  readonly sobol?: Readonly<
    Record<
      string,
      { readonly variance: number; readonly rows: number; readonly indices: Readonly<Record<string, SobolIndex>> }
    >
  >;
  readonly local?: {
    readonly at: Readonly<Record<string, number>>;
    readonly method: string;
    readonly outputs: Readonly<Record<string, Readonly<Record<string, LocalDerivative>>>>;
  };
  /** Best value so far, by the number of runs */
  readonly convergence?: readonly (readonly [runs: number, value: number])[];
  readonly remarks?: readonly string[];
}

/** Sum of what constraints are broken by, each over the size of its bound */
export function violationOf({ constraints = {} }: Study, outputs: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const [name, { atMost, atLeast }] of Object.entries(constraints)) {
    if (atMost !== undefined) sum += Math.max(0, outputs[name] - atMost) / (Math.abs(atMost) || 1);
    if (atLeast !== undefined) sum += Math.max(0, atLeast - outputs[name]) / (Math.abs(atLeast) || 1);
  }
  return sum;
}

/** Values that are to be made small; undefined for a failed run */
export function meritsOf(study: Study, outcome: Outcome | undefined): Merits | undefined {
  if (outcome?.status !== 'ok') return undefined;
  const values = goalsOf(study).map((goal) => {
    const value = outcome.outputs[goalName(goal)];
    return 'minimise' in goal ? value : -value;
  });
  return { values, violation: violationOf(study, outcome.outputs) };
}

export function meritOf(study: Study, outcome: Outcome | undefined): Merit | undefined {
  const merits = meritsOf(study, outcome);
  return merits && { value: merits.values[0], violation: merits.violation };
}

/** Rows that no other beats in all objectives */
export function paretoRows(study: Study, outcomes: readonly (Outcome | undefined)[]): number[] {
  const people: (Individual & { readonly row: number })[] = outcomes.flatMap((outcome, row) => {
    const merits = meritsOf(study, outcome);
    return merits ? [{ point: [row], merits, row }] : [];
  });
  return paretoSet(people).map(({ point }) => point[0]);
}
