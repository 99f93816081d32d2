/** What a run cost and where it was hardest. */
import type { MethodName } from './method-name.js';
import type { Problem } from './problem.js';

export interface Statistics {
  accepted: number;
  /** Steps tried again because of their error, a failed iteration, a value that is not finite, or a refused projection. */
  rejected: number;
  /** Of those: Newton iterations that did not converge, and singular matrices. */
  failures: number;
  /** Evaluations of the rates, those for finite differences included. */
  evaluations: number;
  linearisations: number;
  factorisations: number;
  /** Smallest accepted step that was not cut short by an end or an event. 0 before the first. */
  smallestStep: number;
  /** Where that step began. */
  smallestStepTime: number;
  /** Component with the largest error in it, −1: none. */
  smallestStepComponent: number;
  lastStep: number;
  /** Changes of the method on the way, and why. */
  switches: MethodSwitch[];
}

export interface MethodSwitch {
  readonly t: number;
  readonly from: MethodName;
  readonly to: MethodName;
  readonly reason: string;
}

export function noStatistics(): Statistics {
  return {
    accepted: 0,
    rejected: 0,
    failures: 0,
    evaluations: 0,
    linearisations: 0,
    factorisations: 0,
    smallestStep: 0,
    smallestStepTime: 0,
    smallestStepComponent: -1,
    lastStep: 0,
    switches: [],
  };
}

/** The rates of a problem, counted. */
export class Rates {
  readonly size: number;
  readonly #problem: Problem;
  readonly #statistics: Statistics;
  constructor(problem: Problem, statistics: Statistics) {
    this.size = problem.size;
    this.#problem = problem;
    this.#statistics = statistics;
  }
  evaluate(t: number, y: Float64Array, out: Float64Array): void {
    this.#statistics.evaluations++;
    this.#problem.rates(t, y, out);
  }
}
