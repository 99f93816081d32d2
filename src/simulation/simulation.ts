/**
 * The loop: poses → forces → accelerations → integrate → record. A `Simulation` owns one run: it can be advanced piece by piece, watched,
 * stopped and continued; `simulate` runs one to its end.
 */
import { assemble } from '../assembly/assemble.js';
import type { System } from '../assembly/system.js';
import { ContactSystem } from '../contact/contact-system.js';
import { constraintDrift } from '../dynamics/analysis.js';
import { initialise } from '../dynamics/initialise.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError, suggestion } from '../errors.js';
import { Integration } from '../integration/integration.js';
import { IntegrationError } from '../integration/integration-error.js';
import { firstStiffMethod } from '../integration/method-choice.js';
import { METHOD_NAMES, type MethodName } from '../integration/method-name.js';
import type { ZeroCrossing } from '../integration/problem.js';
import type { Model, ModelEvent } from '../model/model.js';
import { addContactTable } from '../results/contact-records.js';
import type { RecordTable } from '../results/record-table.js';
import { type Origin, Recording } from '../results/recording.js';
import { sceneOf } from '../results/scene/scene-of.js';
import { ContactSampler } from './contact-signals.js';
import { DepthWatch } from './deepest-contact.js';
import { EnergyBook } from './energy-book.js';
import { LimitWatch, type RunLimits } from './run-limits.js';
import { SignalSampler } from './signals.js';
import { stateName, stiffestContact } from './state-names.js';
import { StepHolder } from './step-holder.js';
import { SurfaceSampler } from './surface-sampler.js';
import { trustReport } from './trust.js';

export interface SimulationOptions extends RunLimits {
  /** s; the model's own, or 10 s, unless said */
  readonly stopTime?: number;
  /** s between recorded rows; 1/500 of the run unless said */
  readonly interval?: number;
  /** Relative tolerance, 1e-6 unless said */
  readonly rtol?: number;
  readonly integrator?: MethodName | 'automatic';
  /** Step of fixed-step integrators, s */
  readonly step?: number;
  /** No step of the other integrators is longer, s; no limit unless said */
  readonly longestStep?: number;
  /** For the recording. */
  readonly origin?: Origin;
}

export const DEFAULT_STOP_TIME = 10;
export const DEFAULT_TOLERANCE = 1e-6;
const DEFAULT_ROWS = 500;
/** A row that only repeats others is as closed as they are, 1e-11 of its size; near a fork of the mechanism 1e-6. */
const CONTRADICTION = 1e-4;
/** Contact tolerance τ = this · rtol, at most 1e-2, which it is at the default rtol */
const CONTACT_TOLERANCE = 1e4;
/** States reserved for contacts at the start; more are made when they run short. */
const STATES_PER_SHAPE = 10;
/** What a user's function does for this part of the row interval is not missed. */
const FINEST = 20;
const EXPLICIT: readonly string[] = ['dopri5', 'dop853'];
const FIXED_STEP: readonly string[] = ['verlet', 'symplecticEuler'];
/** Signals that cannot be told inside a step. */
const INTEGRALS: readonly string[] = ['energy.dissipated', 'energy.supplied', 'energy.total'];

export class Simulation {
  readonly model: Model;
  readonly system: System;
  readonly mechanics: MechanicalSystem;
  /** Undefined where nothing can touch anything */
  readonly contacts: ContactSystem | undefined;
  readonly recording: Recording;
  readonly stopTime: number;
  readonly rtol: number;
  private integration: Integration;
  private readonly sampler: SignalSampler;
  private readonly row: Float64Array;
  private between: Float64Array;
  private readonly contactSampler: ContactSampler | undefined;
  private readonly contactTable: RecordTable | undefined;
  private readonly surfaceSampler: SurfaceSampler | undefined;
  private readonly energy: EnergyBook;
  /** 1 per loop row that the equations hold closed */
  private readonly closed: Uint8Array;
  /** Index of the next row to record; its time is this × interval, and the end. */
  private nextRow = 0;
  private readonly interval: number;
  /** Events that have not happened yet; each happens once. */
  private readonly pendingEvents: Map<string, ModelEvent>;
  /** Conditions of events, and which were met at the start */
  private readonly conditions = new Map<string, ZeroCrossing['value']>();
  private readonly metAtStart = new Set<string>();
  private readonly depths: DepthWatch;
  private readonly holder: StepHolder;
  private readonly options: SimulationOptions;
  private readonly limits: LimitWatch;
  private ended = false;
  private endedBy: string | undefined;

  constructor(model: Model, options: SimulationOptions = {}) {
    this.model = model;
    this.options = options;
    const { maxSteps = model.simulation.maxSteps, maxTime = model.simulation.maxTime } = options;
    this.limits = new LimitWatch({ maxSteps, maxTime });
    this.stopTime = positive(options.stopTime ?? model.simulation.stop ?? DEFAULT_STOP_TIME, 'stopTime', 's');
    this.rtol = positive(options.rtol ?? model.simulation.rtol ?? DEFAULT_TOLERANCE, 'rtol', '');
    this.interval = positive(
      options.interval ?? model.simulation.interval ?? this.stopTime / DEFAULT_ROWS,
      'interval',
      's',
    );
    this.system = assemble(model);
    this.depths = new DepthWatch(this.system);
    this.holder = new StepHolder(this.stopTime);
    const plan = this.system.contacts;
    this.mechanics = new MechanicalSystem(this.system, {
      tolerance: { relative: this.rtol, contact: plan?.tolerance ?? Math.min(1e-2, CONTACT_TOLERANCE * this.rtol) },
      ...(plan && { reservedStates: STATES_PER_SHAPE * (plan.shapes.length + 2) }),
    });
    let y = new Float64Array(this.mechanics.size);
    y.set(this.system.initial);
    initialise(this.mechanics, 0, y);
    this.contacts = plan && new ContactSystem(this.system, this.mechanics);
    this.contacts?.start(0, y);
    while (this.contacts?.outOfRoom) {
      y = this.moreStates(y);
      this.contacts.start(0, y);
    }
    this.mechanics.guard = this.contacts;

    this.contactSampler = this.contacts && new ContactSampler(this.mechanics, this.contacts);
    this.contactSampler?.start(0, y);
    this.energy = new EnergyBook(this.mechanics, this.rtol, this.interval, this.contactSampler);
    this.energy.start(0, y);
    this.sampler = new SignalSampler(model, this.mechanics, this.energy, this.contactSampler);
    this.recording = new Recording(this.sampler.descriptions, {
      title: model.title,
      scene: () => sceneOf(model),
      ...options.origin,
    });
    this.contactTable = plan?.records ? addContactTable(this.recording) : undefined;
    this.surfaceSampler = model.surfaces.size > 0 ? new SurfaceSampler(model, this.recording) : undefined;
    this.row = new Float64Array(this.sampler.descriptions.length);
    this.between = new Float64Array(this.mechanics.size);
    this.closed = new Uint8Array(this.mechanics.loops.rows.length);
    this.pendingEvents = new Map(model.events);
    this.integration = this.integrate(0, y);
    this.mechanics.linear.exact = this.contacts?.touching ?? false;
    if (this.contacts?.touching) this.integration.stiffen('bodies touch');
    this.refuseContradiction();
    for (const [name, value] of this.conditions) if (value(0, this.state) >= 0) this.metAtStart.add(name);
    if (this.contacts) this.depths.start(this.contacts, this.state);
    this.recordUpTo(0);
    this.carryOutEvents();
  }

  /** s */
  get time(): number {
    return this.integration.t;
  }

  get finished(): boolean {
    return this.ended;
  }

  /** Why the run ended before its time, in words: a limit of the user's was reached. Undefined while it goes on. */
  get interruption(): string | undefined {
    return this.endedBy;
  }

  /** Who makes the steps short, in words; undefined where they are not. */
  get holdUp(): string | undefined {
    if (!this.holder.holds) return undefined;
    const { system, contacts, integration } = this;
    if (contacts?.limitedBy) return this.holder.text(contacts.limitedBy.name);
    const component = integration.worstComponent;
    if (component < 0) return undefined;
    const state = stateName(system, component, contacts);
    const touching = contacts && stiffestContact(system, contacts, state);
    return this.holder.text(touching ? `${touching} (${state})` : state);
  }

  /** The integrator at work. */
  get method(): MethodName {
    return this.integration.method;
  }

  get statistics(): Integration['statistics'] {
    return this.integration.statistics;
  }

  /** Present state, for looking at. */
  get state(): Float64Array {
    return this.integration.y;
  }

  /**
   * Goes on until `time` s is reached, or the end, or an event that ends the run, or a limit. `shouldPause` is asked after every step.
   * Steps are not cut at `time`, so that a run in pieces gives the same bits as one in one go: the last step may end beyond it.
   * True if there is more to do.
   */
  advance(time = this.stopTime, shouldPause?: () => boolean): boolean {
    this.limits.resume();
    while (!this.ended && this.endedBy === undefined && this.time < time) {
      this.step();
      this.carryOutEvents();
      if (this.time >= this.stopTime) this.ended = true;
      else this.endedBy = this.limits.reached(this.statistics);
      if (shouldPause?.()) break;
    }
    this.limits.pause();
    return !this.ended && this.endedBy === undefined;
  }

  /** Closes the recording: trust report and how the run ended. */
  finish(state: 'finished' | 'interrupted' | 'failed' = this.ended ? 'finished' : 'interrupted'): Recording {
    const { recording } = this;
    if (recording.times[recording.rows - 1] < this.time)
      try {
        this.record(this.time, this.state);
      } catch (error) {
        // What made the run fail may be what a signal needs, too.
        if (state !== 'failed') throw error;
      }
    const waiting = state === 'failed' ? [] : this.waitingEvents();
    recording.trust = trustReport(this, {
      energy: this.energy,
      depths: this.depths,
      heldBack: waiting.filter((name) => !this.metAtStart.has(name)),
      metAtStart: waiting.filter((name) => this.metAtStart.has(name)),
      failed: state === 'failed',
    });
    recording.state = state;
    return recording;
  }

  /** Events that have not happened and whose condition is met */
  private waitingEvents(): string[] {
    return [...this.conditions]
      .filter(([name, value]) => this.pendingEvents.has(name) && value(this.time, this.state) > 0)
      .map(([name]) => name);
  }

  private integrate(t0: number, y0: Float64Array, before?: Integration): Integration {
    const { integrator = this.model.simulation.integrator ?? 'automatic', step = this.model.simulation.step } =
      this.options;
    const methods: readonly string[] = ['automatic', ...METHOD_NAMES];
    if (!methods.includes(integrator))
      throw new ModelError(
        'integrator',
        `expected one of ${methods.join(', ')}, got "${integrator}"${suggestion(integrator, methods)}`,
      );
    if (this.contacts) this.contacts.fixedStep = FIXED_STEP.includes(integrator) ? (step ?? 0) : 0;
    const { longestStep = this.model.simulation.longestStep } = this.options;
    if (step !== undefined) positive(step, 'step', 's');
    if (longestStep !== undefined) positive(longestStep, 'longestStep', 's');
    if (step !== undefined && longestStep !== undefined && step > longestStep && FIXED_STEP.includes(integrator))
      throw new ModelError(
        'longestStep',
        `the integrator "${integrator}" takes steps of ${step} s: expected no less, got ${longestStep}`,
      );
    if (step === undefined && FIXED_STEP.includes(integrator))
      throw new ModelError(
        'step',
        `the integrator "${integrator}" takes steps of one length: expected it in s, got ${step}`,
      );
    return new Integration(this.mechanics, {
      t0,
      y0,
      method: integrator as MethodName | 'automatic',
      stiffMethod: firstStiffMethod(this.mechanics.timeDependent),
      rtol: this.rtol,
      crossings: this.crossings(),
      ...(before && { statistics: before.statistics, hInitial: before.plannedStep }),
      ...(step !== undefined && { fixedStep: step }),
      ...(longestStep !== undefined && { hMax: longestStep }),
      probe: { finest: this.interval / FINEST, until: this.stopTime },
    });
  }

  /** One accepted step, recorded. It ends at the next event, at the latest. */
  private step(): void {
    let limit = this.stopTime;
    for (const { at } of this.pendingEvents.values()) if (at !== undefined && at < limit) limit = at;
    try {
      if (this.integration.pass()) this.energy.renew(this.time, this.state);
      this.integration.step(limit);
    } catch (error) {
      throw error instanceof IntegrationError ? this.explain(error) : error;
    }
    this.holder.watch(this.integration.tPrevious, this.time - this.integration.tPrevious);
    this.refuseContradiction();
    this.contacts?.findPatches(this.time, this.state);
    this.energy.step(this.integration);
    this.recordUpTo(this.time);
    this.followContacts();
  }

  /** Regions are named and handed on between steps; more room is made for their states where it runs short. */
  private followContacts(): void {
    const { contacts, mechanics } = this;
    if (!contacts) return;
    const { t, y } = this.integration;
    const changed = contacts.update(t, y, this.integration.rates);
    if (contacts.outOfRoom || contacts.freeStates < STATES_PER_SHAPE) {
      const more = this.moreStates(y);
      contacts.update(t, more);
      this.between = new Float64Array(mechanics.size);
      this.integration = this.integrate(t, more, this.integration);
    } else if (changed) this.integration.revise();
    if (changed) this.energy.renew(t, this.integration.y);
    this.depths.watch(contacts, t);
    // Contacts are stiff, and at rest explicit methods shake them.
    this.mechanics.linear.exact = contacts.touching;
    if (contacts.touching) this.integration.stiffen('bodies touch');
  }

  /** Twice the room for states of contacts; the state with it. */
  private moreStates(y: Float64Array): Float64Array<ArrayBuffer> {
    const { mechanics, contacts } = this;
    mechanics.reserveStates(2 * (mechanics.size - this.system.initial.length));
    contacts!.resize();
    const more = new Float64Array(mechanics.size);
    more.set(y);
    return more;
  }

  /** Names what the integrator could only number. */
  private explain(error: IntegrationError): ModelError {
    const { reason, component, step, time, given } = error;
    const where = `t = ${Number(time.toPrecision(6))} s`;
    if (given >= 0) {
      const name = this.mechanics.given!.name(given);
      return new ModelError(
        name,
        `${where}: its function jumps to and fro with the motion it drives, and the run gets no further, with any integrator. For dry friction take ` +
          `${name.startsWith('joints.') ? "the joint's own friction: { limit }" : 'the friction of a joint or of a contact'}, which holds at rest; ` +
          'otherwise let the function change over a range instead of at one value',
      );
    }
    if (component < 0) return new ModelError(where, error.message.slice(error.path.length + 2) + this.loopsInTheWay());
    const state = stateName(this.system, component, this.contacts);
    return new ModelError(
      where,
      reason === 'rates not finite'
        ? `expected a finite rate of ${state}, got none: does a force grow without bound there?`
        : `${reason === 'no progress' ? 'the run gets no further: steps are down to' : 'step fell to'} ${step.toPrecision(3)} s. ` +
            `The state that resists most is ${state}; a softer spring, a smoother force, a looser rtol ` +
            (EXPLICIT.includes(this.method)
              ? "or another integrator ('rodas4', 'radau5') usually helps"
              : 'usually helps'),
    );
  }

  /** Joints that close loops, for a step that could not keep them closed */
  private loopsInTheWay(): string {
    const names = constraintDrift(this.mechanics, this.time, this.state).map(({ constraint }) => constraint);
    if (names.length === 0) return '';
    const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
    return (
      `. Loops are closed by ${shown}: if the mechanism is stretched to its full length there, or folded flat, it has nowhere to go: ` +
      'draw it with some slack'
    );
  }

  /**
   * Rows that repeat what others say are left out of the equations and stay closed by themselves. One that opens was no repetition:
   * prescribed motions and joints contradict each other, and no motion satisfies all.
   */
  private refuseContradiction(): void {
    const { loops } = this.mechanics;
    if (!loops.any) return;
    const closed = this.closed.fill(0);
    for (const row of loops.kept) closed[row] = 1;
    this.mechanics.update(this.time, this.state);
    for (let row = 0; row < loops.rows.length; row++) {
      if (closed[row] || !loops.rows[row].holonomic || !loops.isActive(row)) continue;
      const open = Math.abs(loops.value(row, this.state));
      if (open < CONTRADICTION * loops.sizeOf(row)) continue;
      throw new ModelError(
        this.system.constraints[loops.rows[row].constraint].name,
        `t = ${Number(this.time.toPrecision(6))} s: stands open by ${open.toPrecision(3)} ${loops.unit(row)}, and nothing is free to close it; ` +
          'a prescribed motion or another joint demands the opposite: take one of them away',
      );
    }
  }

  /** Rows whose times lie in the last step, up to `time`. */
  private recordUpTo(time: number): void {
    const { jumpsTo } = this.integration; // rows behind a jump see what is behind it
    while (this.nextRow * this.interval <= time * (1 + 1e-14) && this.nextRow * this.interval < jumpsTo) {
      const at = Math.min(this.nextRow * this.interval, time);
      if (at === this.time) this.record(at, this.state);
      else {
        this.integration.interpolate(at, this.between);
        this.mechanics.polish(this.between);
        this.record(at, this.between);
      }
      this.nextRow++;
    }
  }

  private record(t: number, y: Float64Array): void {
    this.energy.at(t);
    this.sampler.sample(t, y, this.row);
    if (this.contactTable) this.contactSampler?.record(t, y, this.contactTable);
    this.surfaceSampler?.record(t);
    this.recording.append(t, this.row);
  }

  /** Conditions of the user's. Those that have happened are over: −1 crosses nothing. */
  private crossings(): ZeroCrossing[] {
    return [...this.model.events].flatMap(([name, { when }]) => {
      if (!when) return [];
      const value = this.condition(name, when);
      this.conditions.set(name, value);
      return {
        name,
        direction: 'rising',
        stops: true,
        value: (t, y) => (this.pendingEvents.has(name) ? value(t, y) : -1),
      };
    });
  }

  /** A condition of the user's on signals. */
  private condition(event: string, when: NonNullable<ModelEvent['when']>): ZeroCrossing['value'] {
    const path = `events.${event}.when`;
    const row = new Float64Array(this.row.length);
    const index = new Map(this.sampler.descriptions.map(({ name }, i) => [name, i]));
    const read = (name: string): number => {
      const i = index.get(name);
      if (i === undefined) throw new ModelError(path, `there is no signal "${name}"${suggestion(name, index.keys())}`);
      if (INTEGRALS.includes(name) || this.contactSampler?.isHeat(name))
        throw new ModelError(
          path,
          `"${name}" is an integral that is known at the end of a step only; take another signal`,
        );
      return row[i];
    };
    return (t, y) => {
      this.sampler.sample(t, y, row);
      const value = when(read);
      if (!Number.isFinite(value))
        throw new ModelError(path, `t = ${t} s: expected a finite number whose zero is the event, got ${value}`);
      return value;
    };
  }

  /** Carries out the events at the present time, and starts anew from there. The instant is recorded before and after. */
  private carryOutEvents(): void {
    const { t } = this.integration;
    const located = new Set(this.integration.located.map(({ crossing }) => crossing.name));
    const due = [...this.pendingEvents].filter(([name, { at }]) => (at === undefined ? located.has(name) : at <= t));
    if (due.length === 0) return;
    const before = Float64Array.from(this.integration.y);
    const y = before.slice();
    if (this.recording.times[this.recording.rows - 1] < t) this.record(t, y);
    for (const [name, { release, attach, stop }] of due) {
      this.pendingEvents.delete(name);
      for (const joint of [release ?? []].flat()) this.switch(joint, false, t, y);
      for (const joint of [attach ?? []].flat()) this.switch(joint, true, t, y);
      this.recording.addEvent(t, name);
      if (stop) this.ended = true;
    }
    this.energy.jump(t, before, y);
    this.integration.restart(t, y);
    this.record(t, y);
  }

  private switch(joint: string, active: boolean, t: number, y: Float64Array): void {
    this.mechanics.setActive(this.mechanics.constraintIndex(`joints.${joint}`), active, t, y);
  }
}

function positive(value: number, path: string, unit: string): number {
  if (!(value > 0 && value < Infinity))
    throw new ModelError(path, `expected a number > 0${unit && ` ${unit}`}, got ${value}`);
  return value;
}

/**
 * Runs a model to its end.
 *
 * @example const run = simulate(pendulum(), { stopTime: 10 }); run.signal('bob.position.x').at(-1)
 */
export function simulate(model: Model, options: SimulationOptions = {}): Recording {
  const simulation = new Simulation(model, options);
  simulation.advance();
  return simulation.finish();
}
