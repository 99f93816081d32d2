/**
 * What a run consists of: the mechanical system with its contacts at a consistent start, who makes the steps, what is told of them. It is built at the start, and again from what
 * was written at an instant of the run (`remember`): what it does from there on follows from that alone.
 */
import { type Mechanisms, mechanismsOf } from '../assembly/restrict.js';
import type { System } from '../assembly/system.js';
import type { ContactPair } from '../contact/contact-pair.js';
import { ContactSystem } from '../contact/contact-system.js';
import { ShapeFacts } from '../contact/shape-facts.js';
import { nearSoft, refuseSoftOverlaps, resolveOverlaps } from '../contact/start-overlaps.js';
import { startFromRest } from '../dynamics/equilibrium.js';
import { initialise } from '../dynamics/initialise.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError, missingStage } from '../errors.js';
import type { GrainLoad } from '../grains/grain-load.js';
import type { GrainPlan } from '../grains/grain-plan.js';
import { TIME_STEPPING } from '../integration/method-name.js';
import type { Statistics } from '../integration/statistics.js';
import type { Tape } from '../math/tape.js';
import type { Model } from '../model/model.js';
import type { Recording } from '../results/recording.js';
import { ContactSampler } from './contact-signals.js';
import { DepthWatch } from './deepest-contact.js';
import type { GrainRun } from './grain-run.js';
import { hasFixedSteps, integrationFor } from './integration-for.js';
import { canHaveIslands, IslandSteps, initialiseEach } from './island-steps.js';
import { MachineSteps } from './machine-steps.js';
import { reservedStates, startContacts } from './moving-system.js';
import { RunEvents } from './run-events.js';
import { RunRecorder } from './run-recorder.js';
import type { RunSteps } from './run-steps.js';
import { DEFAULT_STEPS, type SimulationOptions, STEPS } from './simulation-options.js';
import type { Stages } from './stages.js';
import type { StepHolder } from './step-holder.js';

/** Contact tolerance τ = this · rtol, at most 1e-2, which it is at the default rtol */
const CONTACT_TOLERANCE = 1e4;

/** What is the same for all of a run */
export interface RunSetting {
  readonly model: Model;
  readonly options: SimulationOptions;
  /** What the program can do beside rigid bodies */
  readonly stages: Stages;
  readonly system: System;
  readonly rtol: number;
  /** s */
  readonly stopTime: number;
  /** s between recorded rows */
  readonly interval: number;
  readonly statistics: Statistics;
  readonly holder: StepHolder;
}

export interface RunParts {
  readonly mechanics: MechanicalSystem;
  /** Undefined where nothing can touch anything */
  readonly contacts: ContactSystem | undefined;
  readonly sampler: ContactSampler | undefined;
  readonly depths: DepthWatch;
  readonly steps: RunSteps;
  /** Undefined where there are none */
  readonly grains: GrainRun | undefined;
  readonly recorder: RunRecorder;
  readonly events: RunEvents;
}

/** A run at an instant, from which it goes on */
export interface RunMemory {
  readonly tape: Tape;
  readonly events: ReturnType<RunEvents['snapshot']>;
  /** Its own, where it goes on with that */
  readonly recording: Recording | undefined;
}

export function runParts(setting: RunSetting, memory?: RunMemory): RunParts {
  const { model, options, stages, system, interval, stopTime } = setting;
  const tape = memory?.tape;
  const ofGrains = model.grains && (stages.grains ?? missing('model.grains', 'grains', 'grains'));
  const grains = ofGrains?.plan(model);
  let loads: readonly GrainLoad[] = [];
  const mechanics = mechanicsOf(setting, grains, (own) => (loads = ofGrains!.loads(system, own, grains!.wallNames)));
  const apart = mechanismsApart(setting);
  const depths = new DepthWatch(system);

  // a consistent start, with those who touch
  const start = new Float64Array(mechanics.size);
  if (!tape) startInto(setting, mechanics, apart, start);
  const contacts = system.contacts && new ContactSystem(system, mechanics, ShapeFacts.of(system, stages));
  contacts?.refuseUnfound();
  const y = tape ? start : startContacts(mechanics, contacts, 0, start);
  mechanics.guard = contacts;
  const sampler = contacts && new ContactSampler(mechanics, contacts);
  if (!tape) sampler?.start(0, y);
  const whole = { mechanics, contacts, sampler, depths };
  if (tape) rememberWhole(tape, whole);

  // who makes the steps, and what is told of them
  const steps = stepsFrom(setting, whole, apart, tape ?? y);
  const grainRun =
    grains &&
    ofGrains!.run(model, grains, mechanics, loads, y, {
      stopTime,
      interval,
      // of a time-stepping run it is the machine's
      step: steps.stepping ? undefined : options.step,
      team: options.team,
      preparing: options.preparing,
      restart: options.restart?.checkpoint,
    });
  if (grainRun) steps.setGrains?.(grainRun);
  const recorder = new RunRecorder(
    { model, mechanics, ledger: steps.ledger, contacts: sampler, grains: grainRun, interval, origin: options.origin },
    memory?.recording,
  );
  const islands = steps instanceof IslandSteps ? steps : undefined;
  const events = new RunEvents(
    model.events,
    recorder.signalsFor((t, state) => islands?.stateAt(t) ?? state),
    (joint) => mechanics.constraintIndex(`joints.${joint}`),
  );
  if (memory) events.restore(memory.events);
  steps.watch(events.crossings());
  return { ...whole, steps, grains: grainRun, recorder, events };
}

/** Writes all that the run does from now on follows from, beside what `RunEvents` tells of itself; its parts must be built anew from it then. */
export function writeRun(tape: Tape, parts: RunParts): void {
  rememberWhole(tape, parts);
  parts.steps.write(tape);
}

/** Why a run cannot be gone on with from instants of its own; undefined where it can. */
export function cannotBeWritten({ model, options }: RunSetting): string | undefined {
  const { integrator = model.simulation.integrator } = options;
  if (model.grains && integrator === TIME_STEPPING) return `grains beside steps of '${TIME_STEPPING}' are not kept`;
  if (model.grains) return 'runs with grains leave checkpoints by themselves';
  return undefined;
}

/** What belongs to the whole, whoever makes the steps */
function rememberWhole(
  tape: Tape,
  { mechanics, contacts, sampler, depths }: Pick<RunParts, 'mechanics' | 'contacts' | 'sampler' | 'depths'>,
): void {
  const { initial } = mechanics.system;
  const reserved = tape.number(mechanics.size - initial.length);
  if (tape.reading) {
    mechanics.reserveStates(reserved);
    contacts?.resize();
  }
  mechanics.remember(tape);
  depths.rememberDrawn(tape);
  if (!contacts) return;
  contacts.shapeFacts.remember(tape);
  contacts.remember(tape);
  sampler!.remember(tape);
  depths.remember(tape, contacts);
  // who is listed, the steps tell
  if (tape.reading) contacts.forgetListed();
}

function mechanicsOf(
  { system, rtol }: RunSetting,
  grains: GrainPlan | undefined,
  held: (carriers: MechanicalSystem['carriers']) => readonly GrainLoad[],
): MechanicalSystem {
  const plan = system.contacts;
  return new MechanicalSystem(system, {
    ...(grains && { held: ({ carriers }) => held(carriers) }),
    tolerance: { relative: rtol, contact: plan?.tolerance ?? Math.min(1e-2, CONTACT_TOLERANCE * rtol) },
    ...(plan && { reservedStates: reservedStates(plan.shapes.length) }),
  });
}

function startInto(
  { model, system }: RunSetting,
  mechanics: MechanicalSystem,
  apart: Mechanisms | undefined,
  start: Float64Array,
): void {
  start.set(system.initial);
  if (apart) initialiseEach(system, apart, mechanics, start);
  else initialise(mechanics, 0, start);
  // forces of flexible bodies act from here on
  if (model.contacts !== false && model.contacts.resolve)
    resolveOverlaps(() => nearSoft(mechanics, 0, start), mechanics, 0, start);
  refuseSoftOverlaps(mechanics, 0, start, system.contacts?.told);
  if (model.simulation.start === 'equilibrium') startFromRest(mechanics, start);
}

/** Mechanisms that make steps of their own; undefined where all have one. */
function mechanismsApart({ model, options, system }: RunSetting): Mechanisms | undefined {
  const { integrator = model.simulation.integrator, steps = model.simulation.steps } = options;
  if (steps !== undefined && !STEPS.includes(steps))
    throw new ModelError('steps', `expected 'per island' or 'one for all', got ${JSON.stringify(steps)}`);
  if (model.grains || integrator === TIME_STEPPING || hasFixedSteps(integrator ?? 'automatic')) return undefined;
  if ((steps ?? DEFAULT_STEPS) !== 'per island') return undefined;
  const mechanisms = mechanismsOf(system);
  return canHaveIslands(system, mechanisms) ? mechanisms : undefined;
}

/** @param start a consistent state, or what was written of the run */
function stepsFrom(
  { model, options, stages, system, rtol, interval, stopTime, statistics, holder }: RunSetting,
  { mechanics, contacts, sampler, depths }: Pick<RunParts, 'mechanics' | 'contacts' | 'sampler' | 'depths'>,
  apart: Mechanisms | undefined,
  start: Float64Array | Tape,
): RunSteps {
  const committed = (own: ContactSystem, t: number): void => depths.watch(own, t);
  const { integrator = model.simulation.integrator } = options;
  if (integrator === TIME_STEPPING) {
    const { timeStepping = missing('integrator', `'${TIME_STEPPING}'`, 'timeStepping') } = stages;
    const stepping = timeStepping.stepping(model, options, mechanics, contacts, start, statistics);
    const struck = (pair: ContactPair): void => depths.strike(pair);
    const steps = timeStepping.steps(
      { mechanics, contacts, sampler, committed, struck },
      stepping,
      options.handling ?? model.simulation.handling,
    );
    if (!(start instanceof Float64Array)) steps.remember(start);
    return steps;
  }
  const integrate = integrationFor(model, options, { rtol, interval, stopTime, statistics });
  const stepped = (t: number, h: number): void => holder.watch(t, h);
  if (!apart)
    return new MachineSteps(
      { mechanics, contacts, heat: sampler, rtol, interval, integrate, stepped, committed },
      start,
    );
  const islands = new IslandSteps(
    {
      system,
      mechanisms: apart,
      contacts,
      tolerance: mechanics.norm.tolerance,
      interval,
      committed: (own, { shapes }, t) =>
        depths.watch(own, t, ({ route }) => contacts!.pairOf(shapes[route.a], shapes[route.b])),
      stepped,
      sensorsOf: (a, b) => sampler?.sensorsOf(a, b) ?? [-1, -1, -1],
      integrate,
    },
    mechanics,
    sampler?.count ?? 0,
    statistics,
  );
  if (start instanceof Float64Array) islands.start(start);
  else islands.resume(start);
  return islands;
}

function missing(path: string, what: string, stage: keyof Stages): never {
  throw missingStage(path, what, stage);
}
