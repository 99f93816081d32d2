/**
 * Limits that end a run before its time: steps tried, and time on the clock. They are looked at between steps and change none of them,
 * so that what a run has computed until then has the same bits as without them.
 */
import { ModelError } from '../errors.js';
import type { Statistics } from '../integration/statistics.js';

export interface RunLimits {
  /** Most steps that are tried, rejected ones included; no limit unless said */
  readonly maxSteps?: number | undefined;
  /** Longest time on the clock, s, not counting pauses; no limit unless said */
  readonly maxTime?: number | undefined;
}

export class LimitWatch {
  private readonly limits: RunLimits;
  /** ms: spent in earlier stretches, and when the present one began */
  private spent = 0;
  private since = 0;

  constructor(limits: RunLimits) {
    const { maxSteps, maxTime } = limits;
    if (maxSteps !== undefined && !(maxSteps >= 1))
      throw new ModelError('maxSteps', `expected a number of steps ≥ 1, got ${maxSteps}`);
    if (maxTime !== undefined && !(maxTime > 0))
      throw new ModelError('maxTime', `expected a time > 0 s, got ${maxTime}`);
    this.limits = limits;
  }

  /** A stretch of computing begins, */
  resume(): void {
    this.since = this.limits.maxTime === undefined ? 0 : performance.now();
  }

  /** and ends. */
  pause(): void {
    if (this.limits.maxTime !== undefined) this.spent += performance.now() - this.since;
  }

  /** Which limit is reached, in words; undefined while there is none. */
  reached({ accepted, rejected }: Pick<Statistics, 'accepted' | 'rejected'>): string | undefined {
    const { maxSteps, maxTime } = this.limits;
    if (maxSteps !== undefined && accepted + rejected >= maxSteps)
      return `${accepted + rejected} steps were tried, as many as maxSteps allows`;
    if (maxTime !== undefined && this.spent + performance.now() - this.since >= 1000 * maxTime)
      return `${maxTime} s on the clock are over, as long as maxTime allows`;
    return undefined;
  }
}
