/**
 * Who holds the step where steps are short: so short that the run would take more than a hundred thousand of them. A run that crawls says so
 * while it does.
 */
import { quantity } from '../math/quantity.js';

/** Part of the run: shorter steps are short */
const SHORT = 1e-5;
/** Steps over which the length is averaged: one short step is none. */
const MEMORY = 20;

export class StepHolder {
  /** s: mean length of the last steps, and since when they have been short */
  private mean = 0;
  private since = Number.NaN;

  /** @param stopTime s */
  constructor(private readonly stopTime: number) {}

  /** After an accepted step from t over h s */
  watch(t: number, h: number): void {
    this.mean = this.mean === 0 ? h : this.mean + (h - this.mean) / MEMORY;
    if (this.mean >= SHORT * this.stopTime) this.since = Number.NaN;
    else if (Number.isNaN(this.since)) this.since = t;
  }

  /** Steps are short now. */
  get holds(): boolean {
    return !Number.isNaN(this.since);
  }

  /** `pawl–ring holds the step at 1.0 µs since t = 0.14 s` */
  text(who: string): string {
    return `${who} holds the step at ${quantity(this.mean, 's', 2)} since t = ${Number(this.since.toPrecision(4))} s`;
  }

  /** `floor–block sets the step, 40 µs of late`: for runs that take long although no step is short */
  pace(who: string): string {
    return `${who} sets the step, ${quantity(this.mean, 's', 2)} of late`;
  }
}
