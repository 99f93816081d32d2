/**
 * A run in which all bodies make one step, by an integrator with error control or with fixed steps; with grains, where there are some: they make steps of
 * their own against a prediction of the machine, then the machine makes one step, in pieces where its error asks for it, under what they did to it
 * (grains/grain-coupling.ts). Events are carried out between such steps.
 */
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import type { GrainBook } from '../grains/grain-book.js';
import type { LocatedCrossing } from '../integration/crossings.js';
import { IntegrationError } from '../integration/integration-error.js';
import type { IntegratorName } from '../integration/method-name.js';
import type { ZeroCrossing } from '../integration/problem.js';
import { Tape } from '../math/tape.js';
import type { Checkpoint } from '../results/checkpoint.js';
import { GrainLedger } from './grain-ledger.js';
import type { Integrate } from './integration-for.js';
import { MovingSystem } from './moving-system.js';
import { runFailure } from './run-failure.js';
import type { TrustLedger } from './run-ledger.js';
import { type ComingEvent, type JointSwitch, nextLimit, type RunSteps } from './run-steps.js';
import type { SensedHeat } from './work-quadrature.js';

/** Grains that make steps of their own between those of the machine */
export interface SteppedGrains {
  /** End of the machine's next step, s */
  readonly nextTime: number;
  /** Steps of the grains up to there, against a prediction of the machine from its present state */
  advance(until: number, y: Float64Array, tried?: (end: number) => Float64Array, shouldPause?: () => boolean): boolean;
  /** They were asked to pause on the way, */
  readonly underWay: boolean;
  /** and go no further: where they are, s */
  cutShort(evenly: boolean): number;
  /** The machine has made its step. */
  correct(t: number, y: Float64Array): void;
  readonly atStation: boolean;
  /** Undefined where their energy is not booked */
  readonly book: GrainBook | undefined;
  close(): void;
}

interface Machine {
  readonly mechanics: MechanicalSystem;
  readonly contacts: ContactSystem | undefined;
  readonly heat: SensedHeat | undefined;
  readonly rtol: number;
  /** s between recorded rows */
  readonly interval: number;
  readonly integrate: Integrate;
  /** Told of accepted steps, from t over h s */
  readonly stepped: (t: number, h: number) => void;
  /** Told of the contacts when regions are those at t */
  readonly committed: (contacts: ContactSystem, t: number) => void;
}

export class MachineSteps extends MovingSystem implements RunSteps {
  /** Undefined where there are none */
  private grains: SteppedGrains | undefined;
  private crossings: readonly ZeroCrossing[] = [];
  private start: Float64Array | Tape | undefined;

  /** @param start a consistent state, or what was written of a run that is gone on with */
  constructor(
    private readonly machine: Machine,
    start: Float64Array | Tape,
  ) {
    super(machine.mechanics, machine.contacts, machine.heat, machine.rtol, machine.interval);
    if (!(start instanceof Tape)) this.energy.start(0, start);
    this.start = start;
  }

  setGrains(grains: SteppedGrains): void {
    this.grains = grains;
  }

  watch(crossings: readonly ZeroCrossing[]): void {
    this.crossings = crossings;
    const { start } = this;
    this.start = undefined;
    if (start instanceof Tape) this.read(start, this.integrate);
    else this.setOut(this.integrate(0, start!));
  }

  private readonly integrate = (t: number, y: Float64Array, h?: number) =>
    this.machine.integrate(this.mechanics, this.contacts, t, y, h, this.crossings);

  get time(): number {
    return this.t;
  }
  get state(): Float64Array {
    return this.y;
  }
  get method(): IntegratorName {
    return this.integration.method;
  }
  get ledger(): MovingSystem['energy'] {
    return this.energy;
  }
  get wholeLedger(): TrustLedger {
    const { grains, energy } = this;
    return grains?.book ? new GrainLedger(energy, grains.book) : energy;
  }
  get located(): readonly LocatedCrossing[] {
    return this.integration.located;
  }
  get jumpsTo(): number {
    return this.integration.jumpsTo;
  }
  get last(): MovingSystem {
    return this;
  }

  get underWay(): boolean {
    return this.grains?.underWay ?? false;
  }

  step(end: number, events: readonly ComingEvent[], shouldPause?: () => boolean): number {
    const { grains } = this;
    if (!grains) this.stepMachine(nextLimit(end, events));
    else {
      const until = grains.nextTime;
      if (grains.advance(until, this.y, undefined, shouldPause)) this.followGrains(grains, until);
    }
    return this.t;
  }

  catchUp(): void {
    if (this.grains?.underWay) this.followGrains(this.grains, this.grains.cutShort(false));
  }

  private followGrains(grains: SteppedGrains, until: number): void {
    this.integration.revise();
    this.energy.renew(this.t, this.y); // the load of the grains is another one from here on
    while (this.t < until) {
      this.stepMachine(until);
      if (this.t < until) this.commit();
    }
    grains.correct(this.t, this.y);
  }

  private stepMachine(limit: number): void {
    try {
      this.makeStep(limit);
    } catch (error) {
      throw error instanceof IntegrationError ? runFailure(error, this, this.method) : error;
    }
    this.machine.stepped(this.tPrevious, this.t - this.tPrevious);
  }

  commit(): void {
    this.commitStep(this.integrate);
    if (this.atStation) this.restartWith(this.integrate(this.t, this.y.slice(), this.integration.plannedStep));
  }

  /** A run with grains can go on from there: nothing that its next steps depend on is older. Where bodies touch each other, or have histories, it is. */
  get atStation(): boolean {
    return (this.grains?.atStation ?? false) && !this.contacts?.touching && this.mechanics.own.length === 0;
  }

  /** State of the machine, first step to try, what was booked; at a station */
  snapshot(): Record<string, Float64Array> {
    return {
      state: this.y.slice(),
      planned: Float64Array.of(this.integration.plannedStep),
      booked: this.energy.snapshot(),
    };
  }

  /** Goes on from where a snapshot was taken. @param switched joints that were let go of or taken hold of until then */
  restore(t: number, { state, planned, booked }: Checkpoint['arrays'], switched: readonly JointSwitch[]): void {
    const { mechanics, contacts } = this;
    if (state.length > mechanics.size) {
      mechanics.reserveStates(state.length - mechanics.system.initial.length);
      contacts?.resize();
    }
    for (const { constraint, active } of switched) mechanics.setActive(constraint, active, t, state.slice());
    this.energy.restore(booked, t, state);
    this.restartWith(this.integrate(t, state.slice(), planned[0]));
  }

  protected override whenCommitted(contacts: ContactSystem, t: number): void {
    this.machine.committed(contacts, t);
  }

  switchJoints(switched: readonly JointSwitch[]): void {
    const y = this.y.slice();
    for (const { constraint, active } of switched) this.mechanics.setActive(constraint, active, this.t, y);
    this.restart(y);
  }

  close(): void {
    this.grains?.close();
  }
}
