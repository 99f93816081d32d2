/**
 * The loop: step → rows → commit → events. What a step is made of, stage by stage, stands in moving-system.ts; who makes the steps in run-steps.ts.
 * A `Simulation` owns one run: it can be advanced piece by piece, watched, stopped and continued; `simulate` runs one to its end.
 */
import { assemble } from '../assembly/assemble.js';
import { type Mechanisms, mechanismsOf } from '../assembly/restrict.js';
import type { System } from '../assembly/system.js';
import type { ContactPair } from '../contact/contact-pair.js';
import { ContactSystem } from '../contact/contact-system.js';
import { withSoils } from '../contact/soil/soil-bed.js';
import { startFromRest } from '../dynamics/equilibrium.js';
import { initialise } from '../dynamics/initialise.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError } from '../errors.js';
import { grainLoads } from '../grains/grain-coupling.js';
import type { GrainLoad } from '../grains/grain-load.js';
import { grainPlan } from '../grains/grain-plan.js';
import { type IntegratorName, TIME_STEPPING } from '../integration/method-name.js';
import { noStatistics, type Statistics } from '../integration/statistics.js';
import { quantity } from '../math/quantity.js';
import type { Vec3 } from '../math/vec3.js';
import type { Model } from '../model/model.js';
import type { Checkpoint } from '../results/checkpoint.js';
import type { Recording } from '../results/recording.js';
import type { TimeStepping } from '../time-stepping/time-stepping.js';
import { askedStop, askedTolerance, refuseRowsBeyondMemory, refuseUnknownPlots } from './asked.js';
import { ContactSampler } from './contact-signals.js';
import { ConvexSteps, timeSteppingFor } from './convex-steps.js';
import { DepthWatch } from './deepest-contact.js';
import type { IslandCounts } from './front.js';
import { GrainRun } from './grain-run.js';
import type { Grip, Hand } from './hand.js';
import { hasFixedSteps, integrationFor } from './integration-for.js';
import { canHaveIslands, IslandSteps, initialiseEach } from './island-steps.js';
import { MachineSteps } from './machine-steps.js';
import { reservedStates, startContacts } from './moving-system.js';
import { GRAINS } from './rigid-grain-plan.js';
import { RigidGrainSimulation } from './rigid-grain-simulation.js';
import { RunEvents } from './run-events.js';
import { LimitWatch } from './run-limits.js';
import { RunRecorder } from './run-recorder.js';
import type { RunSteps } from './run-steps.js';
import {
  DEFAULT_ROWS,
  DEFAULT_STEPS,
  DEFAULT_STOP_TIME,
  DEFAULT_TOLERANCE,
  positive,
  type Restart,
  type SimulationOptions,
  STEPS,
} from './simulation-options.js';
import { stateName, stiffestContact } from './state-names.js';
import { StepHolder } from './step-holder.js';
import { trustReport } from './trust.js';

export {
  DEFAULT_STOP_TIME,
  DEFAULT_TOLERANCE,
  type Restart,
  type SimulationOptions,
  STEPS,
  type StepsOf,
} from './simulation-options.js';

/** Contact tolerance τ = this · rtol, at most 1e-2, which it is at the default rtol */
const CONTACT_TOLERANCE = 1e4;

export class Simulation {
  readonly model: Model;
  readonly system: System;
  readonly mechanics: MechanicalSystem;
  /** Undefined where nothing can touch anything */
  readonly contacts: ContactSystem | undefined;
  readonly stopTime: number;
  readonly rtol: number;
  /** Undefined where there are none */
  readonly grains: GrainRun | undefined;
  readonly statistics: Statistics = noStatistics();
  private readonly options: SimulationOptions;
  /** s between recorded rows */
  private readonly interval: number;
  private readonly steps: RunSteps;
  private readonly recorder: RunRecorder;
  private readonly events: RunEvents;
  private readonly depths: DepthWatch;
  private readonly holder: StepHolder;
  private readonly limits: LimitWatch;
  private ended = false;
  private endedBy: string | undefined;

  constructor(given: Model, options: SimulationOptions = {}) {
    const model = withSoils(given);
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
    this.system = assemble(model);
    this.depths = new DepthWatch(this.system);
    this.holder = new StepHolder(this.stopTime);

    // a consistent start, with those who touch
    const plan = this.system.contacts;
    const grains = model.grains && grainPlan(model);
    let loads: readonly GrainLoad[] = [];
    this.mechanics = new MechanicalSystem(this.system, {
      ...(grains && {
        held: ({ carriers }) => (loads = grainLoads(this.system, carriers, grains.wallNames)),
      }),
      tolerance: { relative: this.rtol, contact: plan?.tolerance ?? Math.min(1e-2, CONTACT_TOLERANCE * this.rtol) },
      ...(plan && { reservedStates: reservedStates(plan.shapes.length) }),
    });
    const start = new Float64Array(this.mechanics.size);
    start.set(this.system.initial);
    const apart = this.mechanismsApart();
    if (apart) initialiseEach(this.system, apart, this.mechanics, start);
    else initialise(this.mechanics, 0, start);
    if (model.simulation.start === 'equilibrium') startFromRest(this.mechanics, start);
    this.contacts = plan && new ContactSystem(this.system, this.mechanics);
    const y = startContacts(this.mechanics, this.contacts, 0, start);
    this.mechanics.guard = this.contacts;

    // who makes the steps, and what is told of them
    const sampler = this.contacts && new ContactSampler(this.mechanics, this.contacts);
    sampler?.start(0, y);
    this.steps = this.stepsFrom(y, apart, sampler);
    this.grains =
      grains &&
      new GrainRun(model, grains, this.mechanics, loads, y, {
        stopTime: this.stopTime,
        interval: this.interval,
        step: options.step,
        team: options.team,
        restart: options.restart?.checkpoint,
      });
    if (this.steps instanceof MachineSteps) this.steps.grains = this.grains;
    this.recorder = new RunRecorder({
      model,
      mechanics: this.mechanics,
      ledger: this.steps.ledger,
      contacts: sampler,
      grains: this.grains,
      interval: this.interval,
      origin: options.origin,
    });
    refuseUnknownPlots(model.plots, this.recording);
    if (maxSteps === undefined && maxTime === undefined)
      refuseRowsBeyondMemory(this.stopTime, this.interval, this.recording.signals.length);

    const { islands } = this;
    this.events = new RunEvents(
      model.events,
      this.recorder.signalsFor((t, state) => islands?.stateAt(t) ?? state),
      (joint) => this.mechanics.constraintIndex(`joints.${joint}`),
    );
    this.steps.watch(this.events.crossings());
    if (options.restart) {
      this.restart(options.restart);
      return;
    }
    this.events.start(this.state);
    if (this.contacts) this.depths.start(this.contacts, this.state);
    this.recorder.recordUpTo(0, this.steps);
    this.carryOutEvents();
  }

  /**
   * All that the rest of the run depends on, at a row: `new Simulation(model, { restart: { checkpoint, recording } })` goes on from it with the same bits.
   * Undefined where it cannot be told now: between rows, while bodies of the machine touch each other, and in runs without grains.
   */
  checkpoint(): Checkpoint | undefined {
    const { steps, grains, time, interval, statistics, recording } = this;
    if (!(grains && steps instanceof MachineSteps && steps.atRow)) return undefined;
    return {
      time,
      facts: {
        run: 'machine and grains',
        parameters: recording.parameters,
        interval,
        stop: this.stopTime,
        rtol: this.rtol,
        events: this.events.snapshot(),
        grains: grains.facts,
        statistics: { ...statistics, switches: statistics.switches.map((change) => ({ ...change })) },
      },
      arrays: { ...steps.snapshot(), ...grains.snapshot() },
    };
  }

  private restart({ checkpoint, recording }: Restart): void {
    const { time, facts, arrays } = checkpoint;
    const { steps, grains, interval } = this;
    if (!(grains && steps instanceof MachineSteps && facts.run === 'machine and grains'))
      throw new ModelError('restart', `expected the checkpoint of a run like this one, got one of ${facts.run}`);
    if (facts.interval !== interval)
      throw new ModelError(
        'interval',
        `expected ${facts.interval} s, as in the run that is gone on with, got ${interval}`,
      );
    if (!(time <= this.stopTime))
      throw new ModelError(
        'stop',
        `the run is gone on with from ${time} s: expected a later end, got ${this.stopTime} s`,
      );
    const switched = this.events.restore(facts.events as unknown as ReturnType<RunEvents['snapshot']>);
    steps.restore(time, arrays, switched);
    grains.takeUp(time, this.state);
    Object.assign(this.statistics, facts.statistics);
    this.recorder.takeOver(recording, time);
    this.ended = time >= this.stopTime;
  }

  /** Mechanisms that make steps of their own; undefined where all have one. */
  private mechanismsApart(): Mechanisms | undefined {
    const { integrator = this.model.simulation.integrator, steps = this.model.simulation.steps } = this.options;
    if (steps !== undefined && !STEPS.includes(steps))
      throw new ModelError('steps', `expected 'per island' or 'one for all', got ${JSON.stringify(steps)}`);
    if (this.model.grains || integrator === TIME_STEPPING || hasFixedSteps(integrator ?? 'automatic')) return undefined;
    if ((steps ?? DEFAULT_STEPS) !== 'per island') return undefined;
    const mechanisms = mechanismsOf(this.system);
    return canHaveIslands(this.system, mechanisms) ? mechanisms : undefined;
  }

  private stepsFrom(y: Float64Array, apart: Mechanisms | undefined, sampler: ContactSampler | undefined): RunSteps {
    const { model, options, system, mechanics, contacts, rtol, interval, statistics, depths, holder } = this;
    const settled = (own: ContactSystem, t: number): void => depths.watch(own, t);
    const { integrator = model.simulation.integrator } = options;
    if (integrator === TIME_STEPPING) {
      const stepping = timeSteppingFor(model, options, mechanics, contacts, y, statistics);
      const struck = (pair: ContactPair): void => depths.strike(pair);
      return new ConvexSteps(
        { mechanics, contacts, sampler, settled, struck },
        stepping,
        options.handling ?? model.simulation.handling,
      );
    }
    const integrate = integrationFor(model, options, { rtol, interval, stopTime: this.stopTime, statistics });
    const stepped = (t: number, h: number): void => holder.watch(t, h);
    if (!apart)
      return new MachineSteps({ mechanics, contacts, heat: sampler, rtol, interval, integrate, stepped, settled }, y);
    const islands = new IslandSteps(
      {
        system,
        mechanisms: apart,
        contacts,
        tolerance: mechanics.norm.tolerance,
        interval,
        settled: (own, { shapes }, t) =>
          depths.watch(own, t, ({ route }) => contacts!.pairOf(shapes[route.a], shapes[route.b])),
        stepped,
        sensorsOf: (a, b) => sampler?.sensorsOf(a, b) ?? [-1, -1, -1],
        integrate,
      },
      mechanics,
      sampler?.count ?? 0,
      statistics,
    );
    islands.start(y);
    return islands;
  }

  // ---- what can be asked of it ------------------------------------------------------------------------------------------------------

  get recording(): Recording {
    return this.recorder.recording;
  }

  /** s */
  get time(): number {
    return this.steps.time;
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
    return this.steps instanceof ConvexSteps ? this.steps.stepping : undefined;
  }

  /** What dragged bodies so far, in a 'time-stepping' run */
  get hand(): Hand | undefined {
    return this.steps instanceof ConvexSteps ? this.steps.hand : undefined;
  }

  /** What a user should know before the first step, in words */
  get warnings(): readonly string[] {
    const { drawn } = this.depths;
    if (!drawn?.violent) return [];
    return [
      `${drawn.pair} overlaps by ${quantity(drawn.depth, 'm', 3)} as drawn, and is pushed apart at ${quantity(drawn.speed, 'm/s', 2)}: ` +
        'draw them so that they just touch, or have them moved apart: contacts: { resolve: true }',
    ];
  }

  /** Who makes the steps short, in words; undefined where they are not. */
  get holdUp(): string | undefined {
    const { last } = this.steps;
    if (!this.holder.holds || !last) return undefined;
    const { mechanics, contacts, integration } = last;
    const { system } = mechanics;
    const limiting = contacts?.limitedBy ?? mechanics.limitedBy;
    if (limiting) return this.holder.text(limiting.name);
    const component = integration.worstComponent;
    if (component < 0) return undefined;
    const state = stateName(system, component, contacts);
    const touching = contacts && stiffestContact(system, contacts, state);
    return this.holder.text(touching ? `${touching} (${state})` : state);
  }

  // ---- going on ---------------------------------------------------------------------------------------------------------------------

  /**
   * Goes on until `time` s is reached, or the end, or an event that ends the run, or a limit. `shouldPause` is asked after every step.
   * Steps are not cut at `time`, so that a run in pieces gives the same bits as one in one go: the last step may end beyond it.
   * With a number in place of the function it pauses after that many ms on the clock; a step is never split.
   * True if there is more to do.
   */
  advance(time = this.stopTime, pause?: (() => boolean) | number): boolean {
    const shouldPause = typeof pause === 'number' ? afterTime(pause) : pause;
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

  /**
   * Takes hold of a body at a point, as a hand does, in a run with the integrator 'time-stepping'. The pull is soft and bounded (30 times the body's weight).
   *
   * @param point world, m
   * @example const grip = simulation.grab('brick[7]', [0, 0, 1]); grip.moveTo([0.2, 0, 1]); simulation.advance(0.1); grip.release();
   */
  grab(body: string, point: Vec3): Grip {
    if (!this.hand)
      throw new ModelError('grab', `expected a run with the integrator '${TIME_STEPPING}', got '${this.method}'`);
    return this.hand.grab(body, point);
  }

  /** One accepted step, with its rows. It ends at the next event, at the latest. */
  private step(): void {
    const { steps, recorder, events } = this;
    const until = steps.step(this.stopTime, events.coming);
    recorder.recordUpTo(until, steps);
    steps.commit();
  }

  /** Carries out the events at the present time, and starts anew from there. The instant is recorded before and after. */
  private carryOutEvents(): void {
    const { steps, recorder, time } = this;
    const due = this.events.takeDue(time, steps.located);
    if (!due) return;
    if (recorder.lastTime < time) recorder.record(time, this.state);
    steps.switchJoints(due.switched);
    for (const name of due.names) this.recording.addEvent(time, name);
    if (due.stops) this.ended = true;
    recorder.record(time, this.state);
  }

  /** Closes the recording: trust report and how the run ended. */
  finish(state: 'finished' | 'interrupted' | 'failed' = this.ended ? 'finished' : 'interrupted'): Recording {
    const { recording, recorder, steps } = this;
    const failed = state === 'failed';
    if (recorder.lastTime < this.time)
      try {
        recorder.record(this.time, this.state);
      } catch (error) {
        // What made the run fail may be what a signal needs, too.
        if (!failed) throw error;
      }
    const waiting = failed ? { heldBack: [], metAtStart: [] } : this.events.waiting(this.time, this.state);
    steps.close();
    recording.trust = trustReport(this, {
      energy: steps.wholeLedger ?? steps.ledger,
      depths: this.depths,
      ...waiting,
      failed,
    });
    recording.state = state;
    return recording;
  }
}

/** True once so many ms have passed */
function afterTime(budget: number): () => boolean {
  const end = performance.now() + budget;
  return () => performance.now() >= end;
}

/** A run of the model: by an integrator's steps, or by those of grains where the model or the options say so. */
export const runOf = (model: Model, options: SimulationOptions = {}): Simulation | RigidGrainSimulation =>
  (options.integrator ?? model.simulation.integrator) === GRAINS
    ? new RigidGrainSimulation(model, options)
    : new Simulation(model, options);

/**
 * Runs a model to its end.
 *
 * @example const run = simulate(pendulum(), { stopTime: 10 }); run.signal('bob.position.x').at(-1)
 */
export function simulate(model: Model, options: SimulationOptions = {}): Recording {
  const simulation = runOf(model, options);
  simulation.advance();
  return simulation.finish();
}
