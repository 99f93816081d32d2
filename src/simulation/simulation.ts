/**
 * The loop: poses → forces → accelerations → integrate → record. A `Simulation` owns one run: it can be advanced piece by piece, watched,
 * stopped and continued; `simulate` runs one to its end.
 */
import { assemble } from '../assembly/assemble.js';
import { type Mechanisms, mechanismsOf } from '../assembly/restrict.js';
import type { System } from '../assembly/system.js';
import { ContactSystem } from '../contact/contact-system.js';
import { withSoils } from '../contact/soil/soil-bed.js';
import { initialise } from '../dynamics/initialise.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError, suggestion } from '../errors.js';
import { grainLoads } from '../grains/grain-coupling.js';
import type { GrainLoad } from '../grains/grain-load.js';
import { grainPlan } from '../grains/grain-plan.js';
import type { Team } from '../grains/team.js';
import { Integration } from '../integration/integration.js';
import { IntegrationError } from '../integration/integration-error.js';
import { firstStiffMethod } from '../integration/method-choice.js';
import { INTEGRATOR_NAMES, type IntegratorName, type MethodName, TIME_STEPPING } from '../integration/method-name.js';
import type { ZeroCrossing } from '../integration/problem.js';
import { noStatistics, type Statistics } from '../integration/statistics.js';
import type { Vec3 } from '../math/vec3.js';
import type { Model, ModelEvent } from '../model/model.js';
import { addContactTable } from '../results/contact-records.js';
import type { RecordTable } from '../results/record-table.js';
import { type Origin, Recording, type SignalDescription } from '../results/recording.js';
import { sceneOf } from '../results/scene/scene-of.js';
import { TimeStepping } from '../time-stepping/time-stepping.js';
import { askedStop, askedTolerance, refuseRowsBeyondMemory, refuseUnknownPlots } from './asked.js';
import { believedStep } from './believed-step.js';
import { ContactSampler } from './contact-signals.js';
import { refuseContradiction } from './contradiction.js';
import { DepthWatch } from './deepest-contact.js';
import { ElementRecords } from './element-records.js';
import { EnergyBook } from './energy-book.js';
import { type IslandCounts, IslandFailure } from './front.js';
import { GrainRun } from './grain-run.js';
import { type Grip, Hand, type HandNote } from './hand.js';
import { canHaveIslands, IslandSteps, initialiseEach } from './island-steps.js';
import { STATES_PER_SHAPE } from './moving-island.js';
import { GRAINS } from './rigid-grain-plan.js';
import { RigidGrainSimulation } from './rigid-grain-simulation.js';
import { runFailure } from './run-failure.js';
import type { TrustLedger } from './run-ledger.js';
import { LimitWatch, type RunLimits } from './run-limits.js';
import { SignalSampler } from './signals.js';
import { stateName, stiffestContact } from './state-names.js';
import { StepBook } from './step-book.js';
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
  readonly integrator?: IntegratorName | 'automatic' | typeof GRAINS;
  /** Step of fixed-step integrators and of 'time-stepping', s */
  readonly step?: number;
  /** In place of the step of 'time-stepping', m: how far a step may be from two of half its length */
  readonly accuracy?: number;
  /** κ of 'time-stepping': depth at rest h² g/κ under a body's own weight; 1000, of islands of more than 50 bodies 100, unless said */
  readonly rigidity?: number;
  /** False: 'time-stepping' goes on solving for bodies that have come to rest */
  readonly resting?: boolean;
  /** Notes of a hand that dragged bodies in another 'time-stepping' run (`simulation.hand.notes`), to be done again */
  readonly handling?: readonly HandNote[];
  /** No step of the other integrators is longer, s; no limit unless said */
  readonly longestStep?: number;
  /**
   * Whether mechanisms that touch nothing in common make steps of their own: 'per island', as error-controlled integrators do unless said, or all
   * together, as fixed-step ones do
   */
  readonly steps?: StepsOf;
  /** Who computes the grains: one thread unless said; see src/node/kernel-workers.ts. Changes no bit. */
  readonly team?: Team;
  /** For the recording. */
  readonly origin?: Origin;
}

export const STEPS = ['per island', 'one for all'] as const;
export type StepsOf = (typeof STEPS)[number];
const DEFAULT_STEPS: StepsOf = 'per island';

export const DEFAULT_STOP_TIME = 10;
export const DEFAULT_TOLERANCE = 1e-6;
const DEFAULT_ROWS = 500;
/** Contact tolerance τ = this · rtol, at most 1e-2, which it is at the default rtol */
const CONTACT_TOLERANCE = 1e4;
/** What a user's function does for this part of the row interval is not missed. */
const FINEST = 20;
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
  /** Where all have one step */
  private ofWhole: Integration | undefined;
  /** Where steps have a known length and contact is a convex problem */
  readonly stepping: TimeStepping | undefined;
  /** What dragged bodies so far, in a 'time-stepping' run */
  readonly hand: Hand | undefined;
  /** Undefined where there are none */
  readonly grains: GrainRun | undefined;
  /** Where islands have their own steps; for looking at */
  readonly islands: IslandSteps | undefined;
  private readonly sampler: SignalSampler;
  private readonly descriptions: readonly SignalDescription[];
  private readonly row: Float64Array;
  private between: Float64Array;
  private readonly contactSampler: ContactSampler | undefined;
  private readonly contactTable: RecordTable | undefined;
  private readonly elementRecords: ElementRecords | undefined;
  private readonly surfaceSampler: SurfaceSampler | undefined;
  private readonly energy: TrustLedger;
  /** Of the whole, where it has one */
  private readonly book: EnergyBook | undefined;
  private readonly stepBook: StepBook | undefined;
  readonly statistics: Statistics;
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
    const plan = this.system.contacts;
    const grains = model.grains && grainPlan(model);
    let loads: readonly GrainLoad[] = [];
    this.mechanics = new MechanicalSystem(this.system, {
      ...(grains && {
        held: ({ carriers }) => (loads = grainLoads(this.system, carriers, grains.wallNames)),
      }),
      tolerance: { relative: this.rtol, contact: plan?.tolerance ?? Math.min(1e-2, CONTACT_TOLERANCE * this.rtol) },
      ...(plan && { reservedStates: STATES_PER_SHAPE * (plan.shapes.length + 2) }),
    });
    let y = new Float64Array(this.mechanics.size);
    y.set(this.system.initial);
    const mechanisms = this.haveOwnSteps() ? mechanismsOf(this.system) : undefined;
    const apart = mechanisms && canHaveIslands(this.system, mechanisms) ? mechanisms : undefined;
    if (apart) initialiseEach(this.system, apart, this.mechanics, y);
    else initialise(this.mechanics, 0, y);
    this.contacts = plan && new ContactSystem(this.system, this.mechanics);
    this.contacts?.start(0, y);
    while (this.contacts?.outOfRoom) {
      y = this.moreStates(y);
      this.contacts.start(0, y);
    }
    this.mechanics.guard = this.contacts;

    this.contactSampler = this.contacts && new ContactSampler(this.mechanics, this.contacts);
    this.contactSampler?.start(0, y);
    this.statistics = noStatistics();
    this.islands = apart && this.makeIslands(apart, y);
    this.stepping = this.isStepping() ? this.makeSteps(y) : undefined;
    this.hand = this.stepping && new Hand(this.system, this.stepping, options.handling);
    if (this.islands) this.energy = this.islands.ledger;
    else if (this.stepping) this.energy = this.stepBook = new StepBook(this.stepping, this.contactSampler);
    else {
      this.book = new EnergyBook(this.mechanics, this.rtol, this.interval, this.contactSampler);
      this.book.start(0, y);
      this.energy = this.book;
    }
    this.sampler = new SignalSampler(model, this.mechanics, this.energy, this.contactSampler);
    this.grains =
      grains &&
      new GrainRun(model, grains, this.mechanics, loads, y, {
        stopTime: this.stopTime,
        interval: this.interval,
        step: options.step,
        team: options.team,
      });
    this.descriptions = [...this.sampler.descriptions, ...(this.grains?.descriptions ?? [])];
    this.recording = new Recording(this.descriptions, {
      title: model.title,
      scene: () => ({
        ...sceneOf(model, this.system.flexible),
        ...(this.grains && { grains: this.grains.drawn }),
      }),
      ...options.origin,
    });
    refuseUnknownPlots(model.plots, this.recording);
    if (maxSteps === undefined && maxTime === undefined)
      refuseRowsBeyondMemory(this.stopTime, this.interval, this.recording.signals.length);
    const tells = this.mechanics.own.some(({ tellsTouches }) => tellsTouches);
    const records = plan?.records ?? (tells && (model.contacts === false || (model.contacts.records ?? true)));
    this.contactTable = records ? addContactTable(this.recording) : undefined;
    this.elementRecords = tells ? new ElementRecords(this.mechanics.own) : undefined;
    this.surfaceSampler = model.surfaces.size > 0 ? new SurfaceSampler(model, this.recording) : undefined;
    this.grains?.keep(this.recording);
    this.row = new Float64Array(this.descriptions.length);
    this.between = new Float64Array(this.mechanics.size);
    this.closed = new Uint8Array(this.mechanics.loops.rows.length);
    this.pendingEvents = new Map(model.events);
    if (this.islands) this.islands.watch(this.crossings());
    else if (this.stepping) this.stepping.watch(this.crossings());
    else {
      this.ofWhole = this.integrate(this.mechanics, this.contacts, 0, y);
      this.mechanics.linear.exact = this.contacts?.touching ?? false;
      if (this.contacts?.touching) this.integration.stiffen('bodies touch');
      refuseContradiction(this.mechanics, 0, y, this.closed);
    }
    for (const [name, value] of this.conditions) if (value(0, this.state) >= 0) this.metAtStart.add(name);
    if (this.contacts) this.depths.start(this.contacts, this.state);
    this.recordUpTo(0);
    this.carryOutEvents();
  }

  /** s */
  get time(): number {
    return this.islands?.time ?? this.stepping?.t ?? this.integration.t;
  }

  private get integration(): Integration {
    return this.ofWhole!;
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
    if (!this.holder.holds || this.stepping) return undefined;
    const { mechanics, contacts } = this.islands?.last ?? this;
    const { integration } = this.islands?.last ?? { integration: this.integration };
    const { system } = mechanics;
    const limiting = contacts?.limitedBy ?? mechanics.limitedBy;
    if (limiting) return this.holder.text(limiting.name);
    const component = integration.worstComponent;
    if (component < 0) return undefined;
    const state = stateName(system, component, contacts);
    const touching = contacts && stiffestContact(system, contacts, state);
    return this.holder.text(touching ? `${touching} (${state})` : state);
  }

  /** The integrator at work. */
  get method(): IntegratorName {
    return this.islands?.method ?? this.stepping?.method ?? this.integration.method;
  }

  /** Islands that came together and came apart, and the largest; undefined where all have one step. */
  get islandCounts(): IslandCounts | undefined {
    return this.islands?.counts;
  }

  /** Present state, for looking at. */
  get state(): Float64Array {
    return this.islands?.stateAt(this.islands.time) ?? this.stepping?.y ?? this.integration.y;
  }

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
    this.islands?.close();
    const waiting = state === 'failed' ? [] : this.waitingEvents();
    this.grains?.close();
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

  /** What islands share; they are made of it. */
  private makeIslands(mechanisms: Mechanisms, y: Float64Array): IslandSteps {
    const { system, mechanics, contacts, contactSampler, interval } = this;
    const islands = new IslandSteps(
      {
        system,
        mechanisms,
        contacts,
        tolerance: mechanics.norm.tolerance,
        interval,
        settled: (own, { shapes }, t) =>
          this.depths.watch(own, t, ({ route }) => contacts!.pairOf(shapes[route.a], shapes[route.b])),
        sensorsOf: (a, b) => contactSampler?.sensorsOf(a, b) ?? [-1, -1, -1],
        integrate: (own, touching, t, y0, h) => this.integrate(own, touching, t, y0, h),
      },
      mechanics,
      contactSampler?.count ?? 0,
      this.statistics,
    );
    islands.start(y);
    return islands;
  }

  private haveOwnSteps(): boolean {
    const { integrator = this.model.simulation.integrator, steps = this.model.simulation.steps } = this.options;
    if (steps !== undefined && !STEPS.includes(steps))
      throw new ModelError('steps', `expected 'per island' or 'one for all', got ${JSON.stringify(steps)}`);
    if (this.model.grains) return false;
    const own = integrator ?? 'automatic';
    return own !== TIME_STEPPING && !FIXED_STEP.includes(own) && (steps ?? DEFAULT_STEPS) === 'per island';
  }

  private isStepping(): boolean {
    const { integrator = this.model.simulation.integrator } = this.options;
    return integrator === TIME_STEPPING;
  }

  private makeSteps(y: Float64Array): TimeStepping {
    const { simulation } = this.model;
    if (this.model.grains)
      throw new ModelError('integrator', `'${TIME_STEPPING}' does not know grains; expected 'automatic', which does`);
    if (this.mechanics.kinematics.flexible.length > 0)
      throw new ModelError(
        'integrator',
        `'${TIME_STEPPING}' does not know flexible bodies; expected 'automatic', which does`,
      );
    const {
      step = simulation.step,
      accuracy = simulation.accuracy,
      rigidity = simulation.rigidity,
      longestStep = simulation.longestStep,
    } = this.options;
    if (step !== undefined) positive(step, 'step', 's');
    if (accuracy !== undefined) positive(accuracy, 'accuracy', 'm');
    if (rigidity !== undefined) positive(rigidity, 'rigidity', '');
    const byAccuracy = accuracy !== undefined && this.options.step === undefined;
    if (this.contacts) {
      this.contacts.pairs = [];
      this.mechanics.setElements([], y);
    }
    return new TimeStepping(this.mechanics, this.contacts, {
      t0: 0,
      y0: y,
      step: byAccuracy ? undefined : step,
      accuracy,
      rigidity,
      longestStep,
      resting: this.options.resting ?? true,
      statistics: this.statistics,
    });
  }

  private integrate(
    mechanics: MechanicalSystem,
    contacts: ContactSystem | undefined,
    t0: number,
    y0: Float64Array,
    hInitial?: number,
  ): Integration {
    const { integrator = this.model.simulation.integrator ?? 'automatic', step = this.model.simulation.step } =
      this.options;
    const methods: readonly string[] = ['automatic', ...INTEGRATOR_NAMES];
    if (!methods.includes(integrator))
      throw new ModelError(
        'integrator',
        `expected one of ${methods.join(', ')}, got "${integrator}"${suggestion(integrator, methods)}`,
      );
    mechanics.fixedSteps = FIXED_STEP.includes(integrator);
    if (contacts) contacts.fixedStep = FIXED_STEP.includes(integrator) ? (step ?? 0) : 0;
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
    return new Integration(mechanics, {
      t0,
      y0,
      method: integrator as MethodName | 'automatic',
      stiffMethod: firstStiffMethod(mechanics.timeDependent),
      rtol: this.rtol,
      statistics: this.statistics,
      // those on the state of the whole are told by whoever has it
      ...(mechanics === this.mechanics && !this.islands && { crossings: this.crossings() }),
      ...(hInitial !== undefined && hInitial > 0 && { hInitial }),
      ...(step !== undefined && { fixedStep: step }),
      ...(longestStep !== undefined && { hMax: longestStep }),
      probe: { finest: this.interval / FINEST, until: this.stopTime },
    });
  }

  /** One accepted step, recorded. It ends at the next event, at the latest. */
  private step(): void {
    if (this.islands) {
      this.stepIslands(this.islands);
      return;
    }
    if (this.grains) {
      this.stepGrains(this.grains);
      return;
    }
    let limit = this.stopTime;
    for (const { at } of this.pendingEvents.values()) if (at !== undefined && at < limit) limit = at;
    if (this.stepping) {
      this.stepTime(this.stepping, limit);
      return;
    }
    this.stepMachine(limit);
    this.recordUpTo(this.time);
    this.followContacts();
  }

  /**
   * Grains make steps of their own against a prediction of the machine, then the machine makes one step, in pieces where its error asks for it, under what
   * they did to it; grain-coupling.ts. Events are carried out between such steps.
   */
  private stepGrains(grains: GrainRun): void {
    const until = grains.nextTime;
    grains.advance(until, this.state);
    this.integration.revise();
    while (this.time < until) {
      this.stepMachine(until);
      if (this.time < until) this.followContacts();
    }
    grains.correct(this.time, this.state);
    this.recordUpTo(this.time);
    this.followContacts();
  }

  private stepMachine(limit: number): void {
    try {
      if (this.integration.pass()) this.book!.renew(this.time, this.state);
      believedStep(this.integration, this.book!, limit, this.look);
    } catch (error) {
      throw error instanceof IntegrationError ? runFailure(error, this, this.method) : error;
    }
    this.holder.watch(this.integration.tPrevious, this.time - this.integration.tPrevious);
    refuseContradiction(this.mechanics, this.time, this.state, this.closed);
  }

  private readonly look = (): void => this.contacts?.findPatches(this.time, this.state);

  /** A step of known length; rows inside it see its mean forces. */
  private stepTime(stepping: TimeStepping, limit: number): void {
    this.hand!.follow();
    this.stepBook!.begin();
    stepping.step(limit);
    this.stepBook!.end();
    if (this.contacts) this.depths.watch(this.contacts, stepping.t);
    for (let i = 0; i < (stepping.contacts?.count ?? 0); i++) {
      const { rebounds, pair } = stepping.contacts!.present[i];
      if (rebounds) this.depths.strike(pair);
    }
    this.recordUpTo(stepping.t);
    this.mechanics.commit(stepping.t, stepping.y);
  }

  /** A step of one island, or what is known already up to the next event; rows follow the front. */
  private stepIslands(islands: IslandSteps): void {
    const coming = [...this.pendingEvents.values()].map(({ at, release, attach }) => ({
      at,
      constraints: [release ?? [], attach ?? []].flat(2).map((joint) => this.constraintOf(joint)),
    }));
    let until: number;
    try {
      until = islands.step(this.stopTime, coming);
    } catch (error) {
      throw error instanceof IslandFailure ? runFailure(error.failure, error.island, this.method) : error;
    }
    if (islands.last) this.holder.watch(islands.last.tPrevious, islands.last.t - islands.last.tPrevious);
    this.recordUpTo(until);
    islands.time = until;
  }

  /** Elements commit their history; regions are named and handed on between steps; more room is made for their states where it runs short. */
  private followContacts(): void {
    const { contacts, mechanics } = this;
    const { t, y } = this.integration;
    const committed = mechanics.commit(t, y);
    if (!contacts) {
      if (!committed) return;
      this.integration.revise();
      this.book!.renew(t, y);
      return;
    }
    if (committed) this.integration.revise();
    const changed = contacts.update(t, y, this.integration.rates) || committed;
    if (contacts.outOfRoom || contacts.freeStates < STATES_PER_SHAPE) {
      const more = this.moreStates(y);
      contacts.update(t, more);
      this.between = new Float64Array(mechanics.size);
      this.ofWhole = this.integrate(mechanics, contacts, t, more, this.integration.plannedStep);
    } else if (changed) this.integration.revise();
    if (changed) this.book!.renew(t, this.integration.y);
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

  /** Rows whose times lie in the last step, up to `time`. */
  private recordUpTo(time: number): void {
    const jumpsTo = this.stepping ? Number.POSITIVE_INFINITY : (this.islands ?? this.integration).jumpsTo; // rows behind a jump see what is behind it
    while (this.nextRow * this.interval <= time * (1 + 1e-14) && this.nextRow * this.interval < jumpsTo) {
      const at = Math.min(this.nextRow * this.interval, time);
      if (this.islands) this.record(at, this.islands.stateAt(at));
      else if (at === this.time) this.record(at, this.state);
      else if (this.stepping) {
        this.stepping.interpolate(at, this.between);
        this.record(at, this.between);
      } else {
        this.integration.interpolate(at, this.between);
        this.mechanics.restoreInvariants(this.between);
        this.record(at, this.between);
      }
      this.nextRow++;
    }
  }

  private record(t: number, y: Float64Array): void {
    this.energy.at(t);
    this.sampler.sample(t, y, this.row);
    if (this.contactTable) {
      this.contactSampler?.record(t, y, this.contactTable);
      this.elementRecords?.record(t, y, this.contactTable);
    }
    this.surfaceSampler?.record(t);
    this.grains?.record(t, this.row, this.sampler.descriptions.length);
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
    const index = new Map(this.descriptions.map(({ name }, i) => [name, i]));
    const read = (name: string): number => {
      const i = index.get(name);
      if (i === undefined) throw new ModelError(path, `there is no signal "${name}"${suggestion(name, index.keys())}`);
      if (INTEGRALS.includes(name) || this.contactSampler?.isHeat(name))
        throw new ModelError(
          path,
          `"${name}" is an integral that is known at the end of a step only; take another signal`,
        );
      return i < this.sampler.descriptions.length ? row[i] : this.row[i]; // of grains: as last recorded
    };
    return (t, y) => {
      this.sampler.sample(t, this.islands?.stateAt(t) ?? y, row);
      const value = when(read);
      if (!Number.isFinite(value))
        throw new ModelError(path, `t = ${t} s: expected a finite number whose zero is the event, got ${value}`);
      return value;
    };
  }

  /** Carries out the events at the present time, and starts anew from there. The instant is recorded before and after. */
  private carryOutEvents(): void {
    const t = this.time;
    const { located: found } = this.islands ?? this.stepping ?? this.integration;
    const located = new Set(found.map(({ crossing }) => crossing.name));
    const due = [...this.pendingEvents].filter(([name, { at }]) => (at === undefined ? located.has(name) : at <= t));
    if (due.length === 0) return;
    const before = Float64Array.from(this.state);
    const y = before.slice();
    if (this.recording.times[this.recording.rows - 1] < t) this.record(t, y);
    for (const [name, { release, attach, stop }] of due) {
      this.pendingEvents.delete(name);
      for (const joint of [release ?? []].flat()) this.switchJoint(joint, false, t, y);
      for (const joint of [attach ?? []].flat()) this.switchJoint(joint, true, t, y);
      this.recording.addEvent(t, name);
      if (stop) this.ended = true;
    }
    if (this.islands) this.islands.afterEvents();
    else if (this.stepping) {
      this.stepping.restart(t, y);
      this.stepBook!.begin();
    } else {
      this.book!.jump(t, before, y);
      this.integration.restart(t, y);
    }
    this.record(t, this.state);
  }

  private switchJoint(joint: string, active: boolean, t: number, y: Float64Array): void {
    const constraint = this.constraintOf(joint);
    if (this.islands) this.islands.switchJoint(constraint, active);
    else this.mechanics.setActive(constraint, active, t, y);
  }

  private constraintOf(joint: string): number {
    return this.mechanics.constraintIndex(`joints.${joint}`);
  }
}

/** True once so many ms have passed */
function afterTime(budget: number): () => boolean {
  const end = performance.now() + budget;
  return () => performance.now() >= end;
}

function positive(value: number, path: string, unit: string): number {
  if (!(value > 0 && value < Infinity))
    throw new ModelError(path, `expected a number > 0${unit && ` ${unit}`}, got ${value}`);
  return value;
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
