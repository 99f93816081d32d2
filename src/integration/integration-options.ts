/** What an integration is told: where it starts, how well and with which steps, and what it calls on its way. */
import { ModelError, suggestion } from '../errors.js';
import type { Tolerances } from './error-measure.js';
import type { StiffMethodName } from './method-choice.js';
import { METHOD_NAMES, type MethodName } from './method-name.js';
import type { Problem, ZeroCrossing } from './problem.js';
import type { Statistics } from './statistics.js';

export interface StepOptions extends Tolerances {
  readonly t0: number;
  readonly y0: ArrayLike<number>;
  /** 'automatic' unless said. */
  readonly method?: MethodName | 'automatic';
  /** What 'automatic' takes where the problem is stiff; 'rodas4' unless said. */
  readonly stiffMethod?: StiffMethodName;
  /** Longest step. */
  readonly hMax?: number;
  /** Below this step the integration gives up; 16 ulp of t unless said. */
  readonly hMin?: number;
  /** First step; chosen from the rates unless said. */
  readonly hInitial?: number;
  /** Step of 'verlet' and 'symplecticEuler'; shorter where `stepLimit` says so. */
  readonly fixedStep?: number;
  /**
   * How closely functions that the problem was given are read (`Problem.given`): what they do for as long as `finest` is not missed, from t0
   * to `until`. They are taken for smooth unless said.
   */
  readonly probe?: { readonly finest: number; readonly until: number } | undefined;
  readonly crossings?: readonly ZeroCrossing[];
  /** Times at which `onOutput` is called, ascending; the values come from dense output, steps are not cut for them. */
  readonly output?: ArrayLike<number>;
  /** `y` is overwritten by the next call: copy what is to stay. */
  readonly onOutput?: (t: number, y: Float64Array) => void;
  /** Asked after every step; true stops the integration where it is. */
  readonly shouldStop?: () => boolean;
  /** More steps than this, rejected ones included, are taken for a mistake; no limit unless said. */
  readonly maxSteps?: number;
  /** Counts go on from here, where an integration carries on for another. */
  readonly statistics?: Statistics;
}

/** @throws ModelError naming what is wrong */
export function checkOptions(problem: Problem, options: StepOptions): void {
  const { t0, y0, method = 'automatic', fixedStep, hMax, hMin, hInitial } = options;
  if (!Number.isFinite(t0)) throw new ModelError('t0', `expected a finite time, got ${t0}`);
  if (y0.length !== problem.size)
    throw new ModelError('y0', `expected ${problem.size} numbers, one per component, got ${y0.length}`);
  for (let i = 0; i < y0.length; i++)
    if (!Number.isFinite(y0[i])) throw new ModelError(`y0[${i}]`, `expected a finite number, got ${y0[i]}`);
  if (method !== 'automatic' && !METHOD_NAMES.includes(method))
    throw new ModelError('method', `no method "${method}"${suggestion(method, METHOD_NAMES)}`);
  if ((method === 'verlet' || method === 'symplecticEuler') && !(fixedStep! > 0))
    throw new ModelError('fixedStep', `expected a step > 0 for the method "${method}", got ${fixedStep}`);
  for (const [name, value] of Object.entries({ hMax, hMin, hInitial }))
    if (value !== undefined && !(value > 0)) throw new ModelError(name, `expected a step > 0, got ${value}`);
}
