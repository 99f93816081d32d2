/**
 * What steps cost, in evaluations of the rates, so that methods can be compared on the run itself. Counted, never timed: the same run takes
 * the same decisions everywhere. Weights are round figures measured on chains of 1 to 40 bodies:
 *
 * | | linearisation | factorisation with its solutions |
 * |---|---|---|
 * | the owner's solver | 2 | 10 |
 * | dense, n components | 1, its differences are counted | 1 + n²/250 |
 */
import { DenseLinearSolver } from './dense-linear-solver.js';
import type { OneStepMethod, Workshop } from './one-step-method.js';

/** Steps that are remembered */
const MEMORY = 24;

/** Components beyond which no dense method is tried: its matrices alone would take 10 MB. */
const MOST_DENSE = 500;

export class MethodCost {
  /** Since `begin` */
  spent = 0;
  steps = 0;
  readonly #work: Workshop;
  readonly #costs = new Float64Array(MEMORY);
  readonly #lengths = new Float64Array(MEMORY);
  #evaluations = 0;
  #linearisations = 0;
  #factorisations = 0;

  constructor(work: Workshop) {
    this.#work = work;
  }

  /** A step begins: what was counted before may be others' work, who share the statistics. */
  stepBegins(): void {
    const { evaluations, linearisations, factorisations } = this.#work.statistics;
    this.#evaluations = evaluations;
    this.#linearisations = linearisations;
    this.#factorisations = factorisations;
  }

  /** Another method, or another question. */
  begin(): void {
    this.spent = this.steps = 0;
  }

  /** The step that was begun is accepted; its rejected tries count, too. */
  add({ name, h }: OneStepMethod): void {
    const { evaluations, linearisations, factorisations } = this.#work.statistics;
    const dense = name === 'radau5' || this.#work.linear instanceof DenseLinearSolver;
    const cost =
      evaluations -
      this.#evaluations +
      (dense ? 1 : 2) * (linearisations - this.#linearisations) +
      (dense ? this.#denseFactorisation : 10) * (factorisations - this.#factorisations);
    this.#costs[this.steps % MEMORY] = cost;
    this.#lengths[this.steps % MEMORY] = h;
    this.spent += cost;
    this.steps++;
  }

  /** Evaluations per unit of time over the last steps since `begin`, 24 at most. */
  rate(steps = MEMORY): number {
    const count = Math.min(steps, MEMORY, this.steps);
    let cost = 0;
    let length = 0;
    for (let i = this.steps - count; i < this.steps; i++) {
      cost += this.#costs[i % MEMORY];
      length += this.#lengths[i % MEMORY];
    }
    return cost / length;
  }

  /** What a trial of Radau IIA will cost about: a few new matrices, a dozen steps of three iterations; ∞ where the system is too large. */
  get trial(): number {
    const { size, jacobian } = this.#work.problem;
    if (size > MOST_DENSE) return Number.POSITIVE_INFINITY;
    return 4 * ((jacobian ? 0 : size) + 2 * this.#denseFactorisation) + 120;
  }

  get #denseFactorisation(): number {
    const { size } = this.#work.problem;
    return 1 + (size * size) / 250;
  }
}
