/**
 * The loop: step → rows → commit → events. What a step is made of, stage by stage, stands in moving-system.ts; who makes the steps in run-steps.ts.
 * A `Simulation` owns one run: it can be advanced piece by piece, watched, stopped and continued; `simulate` runs one to its end.
 */
import { assembleWith } from '../assembly/assemble.js';
import type { System } from '../assembly/system.js';
import type { ContactSystem } from '../contact/contact-system.js';
import type { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError, missingStage } from '../errors.js';
import { type IntegratorName, TIME_STEPPING } from '../integration/method-name.js';
import { noStatistics, type Statistics } from '../integration/statistics.js';
import { quantity } from '../math/quantity.js';
import type { Vec3 } from '../math/vec3.js';
import type { Model } from '../model/model.js';
import type { Checkpoint } from '../results/checkpoint.js';
import type { Recording } from '../results/recording.js';
import type { TimeStepping } from '../time-stepping/time-stepping.js';
import { askedStop, askedTolerance, refuseNoModel, refuseRowsBeyondMemory, refuseUnknownPlots } from './asked.js';
import type { IslandCounts } from './front.js';
import type { GrainRun } from './grain-run.js';
import type { Grip, Hand } from './hand.js';
import { IslandSteps } from './island-steps.js';
import { MachineSteps } from './machine-steps.js';
import { refuseOtherParts } from './past-rows.js';
import { checkpointAtMark, checkpointWithGrains, countFrom, memoryOf, refuseOtherRun } from './run-checkpoint.js';
import type { RunEvents } from './run-events.js';
import { LimitWatch } from './run-limits.js';
import { cannotBeWritten, type RunParts, type RunSetting, runParts } from './run-parts.js';
import type { RunSteps } from './run-steps.js';
import {
  DEFAULT_ROWS,
  DEFAULT_STOP_TIME,
  DEFAULT_TOLERANCE,
  positive,
  type Restart,
  refuseUnknownOptions,
  type SimulationOptions,
} from './simulation-options.js';
import { holdings } from './snapshot.js';
import { allStages, type Stages } from './stages.js';
import { StepHolder } from './step-holder.js';
import { stepSetter } from './step-setter.js';
import { trustReport } from './trust.js';

export {
  DEFAULT_STOP_TIME,
  DEFAULT_TOLERANCE,
  type Restart,
  type SimulationOptions,
  STEPS,
  type StepsOf,
} from './simulation-options.js';

/** A run whose program can do what `stages` say. */
export class StagedSimulation {
  readonly model: Model;
  readonly system: System;
  readonly stopTime: number;
  readonly rtol: number;
  readonly statistics: Statistics = noStatistics();
  /** Instants passed so far that the run can be gone on with from, in order (`restartable`); whoever has kept one elsewhere may take it out. */
  readonly marks: Checkpoint[] = [];
  private readonly options: SimulationOptions;
  /** s between recorded rows */
  readonly interval: number;
  /** s between marks */
  private readonly every: number;
  private nextMark: number;
  private parts: RunParts;
  private readonly holder: StepHolder;
  private readonly limits: LimitWatch;
  private ended = false;
  private endedBy: string | undefined;

  constructor(
    given: Model,
    options: SimulationOptions,
    private readonly stages: Stages,
  ) {
    refuseNoModel(given);
    refuseUnknownOptions(options);
    if (given.soils.size > 0 && !stages.soils)
      throw missingStage(`soils.${[...given.soils.keys()][0]}`, 'soft ground', 'soils');
    const model = stages.soils?.(given) ?? given;
    this.model = model;
    this.options = options;
    const { maxSteps = model.simulation.maxSteps, maxTime = model.simulation.maxTime } = options;
    this.limits = new LimitWatch({ maxSteps, maxTime });
    this.stopTime = askedStop(options.stopTime ?? model.simulation.stop ?? DEFAULT_STOP_TIME);
    this.rtol = askedTolerance(options.rtol ?? model.simulation.rtol ?? DEFAULT_TOLERANCE);
    this.interval = positive(
      options.interval ?? model.simulation.interval ?? this.stopTime / DEFAULT_ROWS,
      'interval',
      's',
    );
    const system = assembleWith(model, stages.flexibleBodies?.assembly, options.preparing);
    this.system =
      options.overlaps === 'told' && system.contacts
        ? { ...system, contacts: { ...system.contacts, told: [] } }
        : system;
    this.holder = new StepHolder(this.stopTime);
    this.every = this.askedMarks();
    this.nextMark = options.restart
      ? this.every * (Math.floor(options.restart.checkpoint.time / this.every) + 1)
      : this.every;
    const { restart } = options;
    const past = restart && memoryOf(restart.checkpoint);
    if (past) refuseOtherParts(model, restart.checkpoint.facts.parts as string[]);
    this.parts = runParts(this.setting, past && { ...past, recording: undefined });
    refuseUnknownPlots(model.plots, this.recording);
    if (maxSteps === undefined && maxTime === undefined)
      refuseRowsBeyondMemory(this.stopTime, this.interval, this.recording.signals.length);
    if (restart) {
      this.restart(restart);
      return;
    }
    const { events, depths, recorder, steps } = this.parts;
    events.start(this.state);
    if (this.contacts) depths.start(this.contacts, this.state);
    // in equilibrium nothing is pushed
    if (model.simulation.start !== 'equilibrium') depths.startSoft(this.mechanics, this.state);
    recorder.recordUpTo(0, steps);
    this.carryOutEvents();
  }

  /**
   * All that the rest of the run depends on: `new Simulation(model, { restart: { checkpoint, recording } })` goes on from it with the same bits.
   * Undefined where it cannot be told now: between rows, where grains move bodies (in long rows between every 1024 steps of the grains), while bodies of the machine touch each
   * other, and in runs without grains.
   */
  checkpoint(): Checkpoint | undefined {
    const { steps, grains } = this.parts;
    if (!(grains && steps instanceof MachineSteps && steps.atStation)) return undefined;
    return checkpointWithGrains(this, this.parts, steps, grains);
  }

  /**
   * The run as it is now, to be gone back to with `restore`, as often as wanted, in this very simulation: what follows then has the same bits. For playing: in runs with the integrator
   * 'time-stepping' and without events and grains. To go on in another program there is `restartable`.
   */
  snapshot(): Snapshot {
    const why = !this.stepping
      ? `'${this.method}'`
      : this.grains || this.model.events.size > 0
        ? `one with ${this.grains ? 'grains' : 'events'}`
        : undefined;
    if (why)
      throw new ModelError('snapshot', `expected a run with '${TIME_STEPPING}', without events and grains, got ${why}`);
    const { time, recording } = this;
    const record = recording.keepPlace();
    const rest = holdings(this, new Set<object>([this.model, this.options, this.stages, recording]));
    const back = (): void => {
      rest();
      record();
    };
    ways.set(back, this);
    return { time, back };
  }

  /** @throws ModelError if the snapshot is that of another simulation */
  restore({ back }: Snapshot): void {
    if (ways.get(back) !== this) throw new ModelError('restore', 'expected a snapshot of this simulation, got another');
    back();
  }

  private restart({ checkpoint, recording }: Restart): void {
    const { time, facts, arrays } = checkpoint;
    const { steps, grains, events, recorder } = this.parts;
    const machineAndGrains = grains && steps instanceof MachineSteps;
    refuseOtherRun(checkpoint, this, machineAndGrains !== undefined, cannotBeWritten(this.setting) === undefined);
    if (machineAndGrains) {
      const switched = events.restore(facts.events as unknown as ReturnType<RunEvents['snapshot']>);
      steps.restore(time, arrays, switched);
      grains.takeUp(time, this.state);
    }
    countFrom(this.statistics, checkpoint);
    recorder.takeOver(recording, time, facts.rows as number | undefined);
    this.ended = time >= this.stopTime;
  }

  /** s between instants that the run can be gone on with from; ∞: there are none */
  private askedMarks(): number {
    const { options } = this;
    const every = options.restartable ?? (options.restart?.checkpoint.facts.every as number | undefined);
    if (every === undefined) return Number.POSITIVE_INFINITY;
    positive(every, 'restartable', 's');
    const why = cannotBeWritten(this.setting);
    if (why) throw new ModelError('restartable', `expected a run that can be gone on with from any instant: ${why}`);
    return every;
  }

  /**
   * Writes all that the rest of the run follows from, and goes on from that alone, as a run does that is gone on with: so both give the same bits. Not just before a jump of a
   * user's function, which belongs to the step that begins behind it.
   */
  private passMark(): void {
    const { parts, every, time, recording } = this;
    if (time < this.nextMark || this.ended || parts.steps.jumpsTo < Number.POSITIVE_INFINITY) return;
    this.nextMark = every * (Math.floor(time / every) + 1);
    const checkpoint = checkpointAtMark(this, parts, every);
    this.marks.push(checkpoint);
    this.parts = runParts(this.setting, { ...memoryOf(checkpoint)!, recording });
    this.parts.recorder.goOnFrom(time);
    countFrom(this.statistics, checkpoint);
  }

  // ---- what can be asked of it ------------------------------------------------------------------------------------------------------

  get recording(): Recording {
    return this.parts.recorder.recording;
  }

  get mechanics(): MechanicalSystem {
    return this.parts.mechanics;
  }

  /** Undefined where nothing can touch anything */
  get contacts(): ContactSystem | undefined {
    return this.parts.contacts;
  }

  /** Undefined where there are none */
  get grains(): GrainRun | undefined {
    return this.parts.grains;
  }

  private get steps(): RunSteps {
    return this.parts.steps;
  }

  private get setting(): RunSetting {
    const { model, options, stages, system, rtol, stopTime, interval, statistics, holder } = this;
    return { model, options, stages, system, rtol, stopTime, interval, statistics, holder };
  }

  /** s; up to here all is known */
  get time(): number {
    return this.steps.time;
  }

  /** How far the run has come, s: grains may be ahead of the machine */
  get reached(): number {
    return this.steps.underWay ? this.grains!.reached : this.time;
  }

  /** Steps tried so far: of the machine, or of the grains where there is none */
  get stepsMade(): Pick<Statistics, 'accepted' | 'rejected'> {
    const { grains, mechanics, statistics } = this;
    return grains && mechanics.system.initial.length === 0 ? { accepted: grains.steps, rejected: 0 } : statistics;
  }

  /** Present state, for looking at. */
  get state(): Float64Array {
    return this.steps.state;
  }

  /** The integrator at work. */
  get method(): IntegratorName {
    return this.steps.method;
  }

  get finished(): boolean {
    return this.ended;
  }

  /** Why the run ended before its time, in words: a limit of the user's was reached. Undefined while it goes on. */
  get interruption(): string | undefined {
    return this.endedBy;
  }

  /** Where islands have their own steps; for looking at */
  get islands(): IslandSteps | undefined {
    return this.steps instanceof IslandSteps ? this.steps : undefined;
  }

  /** Islands that came together and came apart, and the largest; undefined where all have one step. */
  get islandCounts(): IslandCounts | undefined {
    return this.islands?.counts;
  }

  /** Where steps have a known length and contact is a convex problem */
  get stepping(): TimeStepping | undefined {
    return this.steps.stepping;
  }

  /** What dragged bodies so far, in a 'time-stepping' run */
  get hand(): Hand | undefined {
    return this.steps.hand;
  }

  /** What a user should know before the first step, in words */
  get warnings(): readonly string[] {
    const { drawn } = this.parts.depths;
    if (!drawn?.violent) return [];
    return [
      `${drawn.pair} overlaps by ${quantity(drawn.depth, 'm', 3)} as drawn, and is pushed apart at ${quantity(drawn.speed, 'm/s', 2)}: ` +
        'draw them so that they just touch, or have them moved apart: contacts: { resolve: true }',
    ];
  }

  /** Who makes the steps short, in words; undefined where they are not. */
  get holdUp(): string | undefined {
    const who = this.holder.holds ? stepSetter(this.steps) : undefined;
    return who && this.holder.text(who);
  }

  /** Who sets the length of the steps and how long they are of late, in words, short or not; undefined before the first and where steps are fixed. */
  get pace(): string | undefined {
    const who = stepSetter(this.steps);
    return who && this.holder.pace(who);
  }

  // ---- going on ---------------------------------------------------------------------------------------------------------------------

  /**
   * Goes on until `time` s is reached, or the end, or an event that ends the run, or a limit. `shouldPause` is asked after every step, also of grains.
   * Steps are not cut at `time`, so that a run in pieces gives the same bits as one in one go: the last step may end beyond it.
   * With a number in place of the function it pauses after that many ms on the clock; a step is never split.
   * True if there is more to do.
   */
  advance(time = this.stopTime, pause?: (() => boolean) | number): boolean {
    if (!(time >= Number.NEGATIVE_INFINITY)) throw new ModelError('advance.time', `expected a time in s, got ${time}`);
    if (pause !== undefined && typeof pause !== 'function' && !(typeof pause === 'number' && pause >= 0))
      throw new ModelError(
        'advance.pause',
        `expected ms ≥ 0 on the clock or a function that tells when to pause, got ${pause}`,
      );
    const shouldPause = typeof pause === 'number' ? afterTime(pause) : pause;
    const onTheWay = (): boolean => {
      this.endedBy = this.limits.reached(this.stepsMade);
      return this.endedBy !== undefined || (shouldPause?.() ?? false);
    };
    this.limits.resume();
    while (!this.ended && this.endedBy === undefined && this.time < time) {
      if (!this.step(onTheWay)) break;
      this.carryOutEvents();
      if (this.time >= this.stopTime) this.ended = true;
      else this.endedBy = this.limits.reached(this.stepsMade);
      this.passMark();
      if (shouldPause?.()) break;
    }
    this.limits.pause();
    return !this.ended && this.endedBy === undefined;
  }

  /**
   * Takes hold of a body at a point, as a hand does, in a run with the integrator 'time-stepping'. The pull is soft and bounded (30 times the body's weight).
   *
   * @param point world, m
   * @example const grip = simulation.grab('brick[7]', [0, 0, 1]); grip.moveTo([0.2, 0, 1]); simulation.advance(0.1); grip.release();
   */
  grab(body: string, point: Vec3): Grip {
    if (!this.hand)
      throw new ModelError('grab', `expected a run with the integrator '${TIME_STEPPING}', got '${this.method}'`);
    // at a mark the hand becomes another one, with the same grips
    const grip = this.hand.grab(body, point);
    return {
      moveTo: (target) => this.hand!.move(grip, target),
      release: () => this.hand!.release(grip),
    };
  }

  /** One accepted step, with its rows. It ends at the next event, at the latest. False if grains have paused on the way. */
  private step(shouldPause: () => boolean): boolean {
    const { steps, recorder, events } = this.parts;
    const until = steps.step(this.stopTime, events.coming, shouldPause);
    if (steps.underWay) return false;
    recorder.recordUpTo(until, steps);
    steps.commit();
    return true;
  }

  /** Carries out the events at the present time, and starts anew from there. The instant is recorded before and after. */
  private carryOutEvents(): void {
    const { time } = this;
    const { steps, recorder, events } = this.parts;
    const due = events.takeDue(time, steps.located);
    if (!due) return;
    if (recorder.lastTime < time) recorder.record(time, this.state);
    steps.switchJoints(due.switched);
    for (const name of due.names) this.recording.addEvent(time, name);
    if (due.stops) this.ended = true;
    recorder.record(time, this.state);
  }

  /** Closes the recording: trust report and how the run ended. */
  finish(state: 'finished' | 'interrupted' | 'failed' = this.ended ? 'finished' : 'interrupted'): Recording {
    const { recording } = this;
    const { recorder, steps, events, depths } = this.parts;
    const failed = state === 'failed';
    if (!failed) steps.catchUp?.();
    if (recorder.lastTime < this.time)
      try {
        recorder.record(this.time, this.state);
      } catch (error) {
        // What made the run fail may be what a signal needs, too.
        if (!failed) throw error;
      }
    const waiting = failed ? { heldBack: [], metAtStart: [] } : events.waiting(this.time, this.state);
    steps.close();
    recording.trust = trustReport(this, {
      energy: steps.wholeLedger ?? steps.ledger,
      depths,
      ...waiting,
      failed,
      flexible: this.system.flexible && this.stages.flexibleBodies?.doubts(this.system, this.model, recording),
    });
    recording.state = state;
    return recording;
  }
}

/** A run as it was; see `Simulation.snapshot`. */
export interface Snapshot {
  /** s */
  readonly time: number;
  readonly back: () => void;
}
const ways = new WeakMap<() => void, StagedSimulation>();

/** True once so many ms have passed */
function afterTime(budget: number): () => boolean {
  const end = performance.now() + budget;
  return () => performance.now() >= end;
}

export class Simulation extends StagedSimulation {
  constructor(model: Model, options: SimulationOptions = {}) {
    super(model, options, allStages());
  }
}

/**
 * Runs a model to its end.
 *
 * @example const run = simulate(pendulum(), { stopTime: 10 }); run.signal('bob.position.x').at(-1)
 */
export const simulate = (model: Model, options: SimulationOptions = {}): Recording =>
  toTheEnd(new Simulation(model, options));

/**
 * `simulate` and `Simulation` that can do rigid bodies, joints, forces, and contact of balls, boxes, convex solids and half-spaces; and what they are handed. With the same bits: it
 * is for pages, which then load half as much.
 *
 * @example const { simulate } = simulationWith(cylinders, grains);
 */
export function simulationWith(...stages: readonly Stages[]): {
  simulate(model: Model, options?: SimulationOptions): Recording;
  Simulation: new (model: Model, options?: SimulationOptions) => StagedSimulation;
} {
  const handed: Stages = Object.assign({}, ...stages);
  class Simulation extends StagedSimulation {
    constructor(model: Model, options: SimulationOptions = {}) {
      super(model, options, handed);
    }
  }
  return { Simulation, simulate: (model, options) => toTheEnd(new Simulation(model, options)) };
}

function toTheEnd(simulation: StagedSimulation): Recording {
  simulation.advance();
  return simulation.finish();
}
