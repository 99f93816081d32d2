/**
 * Energy of a time-stepping run over time, for signals and the trust report: what the steps book (time-stepping/step-account.ts), and the heat of single
 * sensors. Inside a step all grow linearly, as the mean forces of the step do.
 */
import type { Tape } from '../math/tape.js';
import type { TimeStepping } from '../time-stepping/time-stepping.js';
import type { ContactSampler } from './contact-signals.js';
import type { TrustLedger } from './run-ledger.js';

export class StepBook implements TrustLedger {
  dissipated = 0;
  supplied = 0;
  friction = 0;
  readonly heats: Float64Array;
  readonly held = 0;
  readonly heldAtStart = 0;
  private readonly before = { dissipated: 0, supplied: 0, friction: 0 };
  private readonly heatsBefore: Float64Array;
  private readonly heatsAfter: Float64Array;

  constructor(
    private readonly stepping: TimeStepping,
    private readonly sampler: ContactSampler | undefined,
  ) {
    const sensors = sampler?.count ?? 0;
    this.heats = new Float64Array(sensors);
    this.heatsBefore = new Float64Array(sensors);
    this.heatsAfter = new Float64Array(sensors);
  }

  get initial(): number {
    return this.stepping.account.initial;
  }

  get scale(): number {
    return this.stepping.account.scale;
  }

  get worst(): number {
    return this.stepping.account.worst;
  }

  /** J that the length of the steps made or lost */
  get fromSteps(): number {
    return this.stepping.account.step;
  }

  /** The largest amount of it at any time so far, J */
  get mostFromSteps(): number {
    return this.stepping.account.largestStep;
  }

  get parts(): readonly [number, number, number] {
    const { parts } = this.stepping.account;
    return [parts[0], parts[1], parts[2]];
  }

  /** Before a step: what is booked so far */
  begin(): void {
    const { dissipated, supplied, friction } = this.stepping.account;
    this.before.dissipated = dissipated;
    this.before.supplied = supplied;
    this.before.friction = friction;
    this.heatsBefore.set(this.heatsAfter);
  }

  /** After a step: the heat of its pairs to their sensors */
  end(): void {
    const { sampler, heatsAfter } = this;
    const { contacts } = this.stepping;
    if (!contacts || !sampler || heatsAfter.length === 0) return;
    for (let i = 0; i < contacts.count; i++) {
      const { pair, heat } = contacts.present[i];
      if (heat === 0) continue;
      for (const sensor of sampler.sensorsOfPair(pair)) if (sensor >= 0) heatsAfter[sensor] += heat;
    }
  }

  remember(tape: Tape): void {
    tape.fields(this);
    tape.fields(this.before);
  }

  at(t: number): void {
    const { account, tPrevious, t: end } = this.stepping;
    const share = end > tPrevious ? Math.max(0, Math.min(1, (t - tPrevious) / (end - tPrevious))) : 1;
    this.dissipated = this.before.dissipated + share * (account.dissipated - this.before.dissipated);
    this.supplied = this.before.supplied + share * (account.supplied - this.before.supplied);
    this.friction = this.before.friction + share * (account.friction - this.before.friction);
    for (let s = 0; s < this.heats.length; s++)
      this.heats[s] = this.heatsBefore[s] + share * (this.heatsAfter[s] - this.heatsBefore[s]);
  }
}
