/**
 * A run in steps of known length, in each of which contact is a convex problem (time-stepping/); rows inside a step see its mean forces. Grains make steps of their own against a
 * prediction of the machine's, which is tried for it, then made under what they did (grains/grain-coupling.ts).
 */
import type { ContactPair } from '../contact/contact-pair.js';
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import type { LocatedCrossing } from '../integration/crossings.js';
import type { IntegratorName } from '../integration/method-name.js';
import type { ZeroCrossing } from '../integration/problem.js';
import type { Statistics } from '../integration/statistics.js';
import { Tape } from '../math/tape.js';
import type { Model } from '../model/model.js';
import { TimeStepping } from '../time-stepping/time-stepping.js';
import type { ContactSampler } from './contact-signals.js';
import { GrainLedger } from './grain-ledger.js';
import type { GrainRun } from './grain-run.js';
import { Hand } from './hand.js';
import type { SteppedGrains } from './machine-steps.js';
import type { TrustLedger } from './run-ledger.js';
import { type ComingEvent, type JointSwitch, nextLimit, type RunSteps } from './run-steps.js';
import { positive, type SimulationOptions } from './simulation-options.js';
import { StepBook } from './step-book.js';

interface Stepped {
  readonly mechanics: MechanicalSystem;
  readonly contacts: ContactSystem | undefined;
  readonly sampler: ContactSampler | undefined;
  /** Told of the contacts after a step */
  readonly committed: (contacts: ContactSystem, t: number) => void;
  /** Told of pairs that have returned a blow */
  readonly struck: (pair: ContactPair) => void;
}

export class ConvexSteps implements RunSteps {
  readonly ledger: StepBook;
  /** What dragged bodies so far */
  readonly hand: Hand;
  readonly jumpsTo = Number.POSITIVE_INFINITY;
  readonly last = undefined;
  private grains: SteppedGrains | undefined;
  private readonly between: Float64Array;

  constructor(
    private readonly stepped: Stepped,
    readonly stepping: TimeStepping,
    handling: SimulationOptions['handling'],
  ) {
    const { mechanics, sampler } = stepped;
    this.hand = new Hand(mechanics.system, stepping, handling);
    this.ledger = new StepBook(stepping, sampler);
    this.between = new Float64Array(mechanics.size);
  }

  get time(): number {
    return this.stepping.t;
  }
  get state(): Float64Array {
    return this.stepping.y;
  }
  get method(): IntegratorName {
    return this.stepping.method;
  }
  get located(): readonly LocatedCrossing[] {
    return this.stepping.located;
  }

  watch(crossings: readonly ZeroCrossing[]): void {
    this.stepping.watch(crossings);
  }

  setGrains(grains: GrainRun): void {
    this.grains = grains;
    grains.followSteps(this.stepping.plannedStep);
  }

  get wholeLedger(): TrustLedger {
    const { grains, ledger } = this;
    return grains?.book ? new GrainLedger(ledger, grains.book) : ledger;
  }

  get underWay(): boolean {
    return this.grains?.underWay ?? false;
  }

  step(end: number, events: readonly ComingEvent[], shouldPause?: () => boolean): number {
    const { grains, stepping } = this;
    if (!grains) return this.stepMachine(nextLimit(end, events));
    const until = grains.nextTime;
    if (grains.advance(until, stepping.y, this.tried, shouldPause)) this.followGrains(grains, until);
    return stepping.t;
  }

  catchUp(): void {
    if (this.grains?.underWay) this.followGrains(this.grains, this.grains.cutShort(true));
  }

  private followGrains(grains: SteppedGrains, until: number): void {
    const { stepping } = this;
    stepping.account.measurePowers(stepping.t, stepping.y);
    while (stepping.t < until) {
      this.stepMachine(until);
      if (stepping.t < until) this.commit();
    }
    grains.correct(stepping.t, stepping.y);
  }

  private readonly tried = (end: number): Float64Array => this.stepping.tried(end);

  private stepMachine(limit: number): number {
    const { stepping, ledger, stepped } = this;
    this.hand.follow();
    ledger.begin();
    stepping.step(limit);
    ledger.end();
    if (stepped.contacts) stepped.committed(stepped.contacts, stepping.t);
    for (let i = 0; i < (stepping.contacts?.count ?? 0); i++) {
      const { rebounds, pair } = stepping.contacts!.present[i];
      if (rebounds) stepped.struck(pair);
    }
    return stepping.t;
  }

  commit(): void {
    const { stepped, stepping } = this;
    stepped.mechanics.commit(stepping.t, stepping.y);
    stepping.account.release(stepped.mechanics.lasting.released);
  }

  stateAt(t: number): Float64Array {
    if (t === this.stepping.t) return this.stepping.y;
    this.stepping.interpolate(t, this.between);
    return this.between;
  }

  switchJoints(switched: readonly JointSwitch[]): void {
    const { stepping } = this;
    const y = stepping.y.slice();
    for (const { constraint, active } of switched) this.stepped.mechanics.setActive(constraint, active, stepping.t, y);
    stepping.restart(stepping.t, y);
    this.ledger.begin();
  }

  /** Writes all that its next steps follow from. */
  write(tape: Tape): void {
    tape.number(this.stepping.t);
    tape.numbers(this.stepping.y);
    this.remember(tape);
  }

  /** Beside t and y, which come first (`timeSteppingFor`) */
  remember(tape: Tape): void {
    this.hand.remember(tape);
    this.stepping.remember(tape);
    this.ledger.remember(tape);
  }

  close(): void {
    this.grains?.close();
  }
}

/** As the model and the options say. @param start a consistent state, or what was written of the run. @throws ModelError where it cannot be */
export function timeSteppingFor(
  { simulation }: Model,
  options: SimulationOptions,
  mechanics: MechanicalSystem,
  contacts: ContactSystem | undefined,
  start: Float64Array | Tape,
  statistics: Statistics,
): TimeStepping {
  const {
    step = simulation.step,
    accuracy = simulation.accuracy,
    rigidity = simulation.rigidity,
    longestStep = simulation.longestStep,
  } = options;
  if (step !== undefined) positive(step, 'step', 's');
  if (accuracy !== undefined) positive(accuracy, 'accuracy', 'm');
  if (rigidity !== undefined) positive(rigidity, 'rigidity', '');
  for (const { step: given, accuracy: asked } of [options, simulation])
    if (given !== undefined && asked !== undefined)
      throw new ModelError(
        'accuracy',
        `expected either step (${given} s, all steps alike) or accuracy (${asked} m, steps that choose themselves), got both; leave one out`,
      );
  const byAccuracy = accuracy !== undefined && options.step === undefined;
  const t0 = start instanceof Tape ? start.number(0) : 0;
  const y = start instanceof Tape ? start.numbers(new Float64Array(0)) : start;
  if (contacts) {
    contacts.pairs = [];
    mechanics.setElements([], y);
  }
  return new TimeStepping(mechanics, contacts, {
    t0,
    y0: y,
    step: byAccuracy ? undefined : step,
    accuracy,
    rigidity,
    longestStep,
    resting: options.resting ?? true,
    statistics,
  });
}
