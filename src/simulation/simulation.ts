/**
 * The loop: poses → forces → accelerations → integrate → record. A `Simulation` owns one run: it can be advanced piece by piece, watched,
 * stopped and continued; `simulate` runs one to its end.
 */
import { assemble } from '../assembly/assemble.js';
import type { System } from '../assembly/system.js';
import { initialise } from '../dynamics/initialise.js';
import { MechanicalSystem } from '../dynamics/mechanical-system.js';
import { ModelError, suggestion } from '../errors.js';
import { Integration } from '../integration/integration.js';
import { IntegrationError } from '../integration/integration-error.js';
import { METHOD_NAMES, type MethodName } from '../integration/method-name.js';
import type { ZeroCrossing } from '../integration/problem.js';
import type { Model, ModelEvent } from '../model/model.js';
import { type Origin, Recording } from '../results/recording.js';
import { EnergyBook } from './energy-book.js';
import { SignalSampler } from './signals.js';
import { stateName } from './state-names.js';
import { trustReport } from './trust.js';

export interface SimulationOptions {
  /** s; the model's own, or 10 s, unless said */
  readonly stopTime?: number;
  /** s between recorded rows; 1/500 of the run unless said */
  readonly interval?: number;
  /** Relative tolerance, 1e-6 unless said */
  readonly rtol?: number;
  readonly integrator?: MethodName | 'automatic';
  /** Step of fixed-step integrators, s */
  readonly step?: number;
  /** For the recording. */
  readonly origin?: Origin;
}

export const DEFAULT_STOP_TIME = 10;
export const DEFAULT_TOLERANCE = 1e-6;
const DEFAULT_ROWS = 500;

export class Simulation {
  readonly model: Model;
  readonly system: System;
  readonly mechanics: MechanicalSystem;
  readonly recording: Recording;
  readonly stopTime: number;
  readonly rtol: number;
  #integration: Integration;
  readonly #sampler: SignalSampler;
  readonly #row: Float64Array;
  readonly #between: Float64Array;
  readonly #energy: EnergyBook;
  /** Index of the next row to record; its time is this × interval. */
  #nextRow = 0;
  readonly #interval: number;
  readonly #pending: { readonly name: string; readonly event: ModelEvent }[];
  readonly #options: SimulationOptions;
  #finished = false;

  constructor(model: Model, options: SimulationOptions = {}) {
    this.model = model;
    this.#options = options;
    this.stopTime = positive(options.stopTime ?? model.simulation.stop ?? DEFAULT_STOP_TIME, 'stopTime', 's');
    this.rtol = positive(options.rtol ?? model.simulation.rtol ?? DEFAULT_TOLERANCE, 'rtol', '');
    this.#interval = positive(
      options.interval ?? model.simulation.interval ?? this.stopTime / DEFAULT_ROWS,
      'interval',
      's',
    );
    this.system = assemble(model);
    this.mechanics = new MechanicalSystem(this.system, { tolerance: { relative: this.rtol } });
    const y = Float64Array.from(this.system.initial);
    initialise(this.mechanics, 0, y);

    this.#energy = new EnergyBook(this.mechanics);
    this.#energy.start(0, y);
    this.#sampler = new SignalSampler(model, this.mechanics, this.#energy);
    this.recording = new Recording(this.#sampler.descriptions, { title: model.title, ...options.origin });
    this.#row = new Float64Array(this.#sampler.descriptions.length);
    this.#between = new Float64Array(this.mechanics.size);
    this.#pending = [...model.events].map(([name, event]) => ({ name, event }));
    this.#integration = this.#integrate(0, y);
    this.#recordUpTo(0);
  }

  /** s */
  get time(): number {
    return this.#integration.t;
  }

  get finished(): boolean {
    return this.#finished;
  }

  /** The integrator at work. */
  get method(): MethodName {
    return this.#integration.method;
  }

  get statistics(): Integration['statistics'] {
    return this.#integration.statistics;
  }

  /** Present state, for looking at. */
  get state(): Float64Array {
    return this.#integration.y;
  }

  /**
   * Goes on until `time` s, or the end, or an event that ends the run. `shouldPause` is asked after every step.
   * True if there is more to do.
   */
  advance(time = this.stopTime, shouldPause?: () => boolean): boolean {
    const limit = Math.min(time, this.stopTime);
    while (!this.#finished && this.time < limit) {
      const stopped = this.#step(limit);
      if (stopped) this.#happen();
      if (this.time >= this.stopTime) this.#finished = true;
      if (shouldPause?.()) break;
    }
    return !this.#finished;
  }

  /** Closes the recording: trust report and how the run ended. */
  finish(state: 'finished' | 'interrupted' | 'failed' = this.#finished ? 'finished' : 'interrupted'): Recording {
    const { recording } = this;
    if (state !== 'failed' && this.recording.times.at(-1)! < this.time) this.#record(this.time, this.state);
    recording.trust = trustReport(this, this.#energy);
    recording.state = state;
    return recording;
  }

  #integrate(t0: number, y0: Float64Array): Integration {
    const { integrator = this.model.simulation.integrator ?? 'automatic', step = this.model.simulation.step } =
      this.#options;
    const methods: readonly string[] = ['automatic', ...METHOD_NAMES];
    if (!methods.includes(integrator))
      throw new ModelError(
        'integrator',
        `expected one of ${methods.join(', ')}, got "${integrator}"${suggestion(integrator, methods)}`,
      );
    return new Integration(this.mechanics, {
      t0,
      y0,
      method: integrator as MethodName | 'automatic',
      // Driven in time, RODAS4 falls to order 1 on stiff parts and RODAS4P does not (docs/theory/integration.md).
      stiffMethod: this.mechanics.timeDependent ? 'rodas4p' : 'rodas4',
      rtol: this.rtol,
      crossings: this.#crossings(),
      ...(step !== undefined && { fixedStep: step }),
    });
  }

  /** One accepted step, recorded. True if it ended at an event. */
  #step(limit: number): boolean {
    let stopped: boolean;
    try {
      stopped = this.#integration.step(limit);
    } catch (error) {
      throw error instanceof IntegrationError ? this.#explain(error) : error;
    }
    this.#energy.step(this.#integration);
    this.#recordUpTo(this.time);
    return stopped;
  }

  /** Names what the integrator could only number. */
  #explain(error: IntegrationError): ModelError {
    const { component } = error;
    if (component === undefined || component < 0) return error;
    return new ModelError(
      `t = ${Number(this.time.toPrecision(6))} s`,
      `${error.message}. The state that resists most is ${stateName(this.system, component)}; ` +
        "a softer spring, a smoother force or another integrator ('rodas4', 'radau5') usually helps",
    );
  }

  /** Rows whose times lie in the last step, up to `time`. */
  #recordUpTo(time: number): void {
    while (this.#nextRow * this.#interval <= time * (1 + 1e-14)) {
      const at = Math.min(this.#nextRow * this.#interval, time);
      if (at === this.time) this.#record(at, this.state);
      else {
        this.#integration.interpolate(at, this.#between);
        this.mechanics.polish(this.#between);
        this.#record(at, this.#between);
      }
      this.#nextRow++;
    }
  }

  #record(t: number, y: Float64Array): void {
    this.#energy.at(t);
    this.#sampler.sample(t, y, this.#row);
    this.recording.append(t, this.#row);
  }

  #crossings(): ZeroCrossing[] {
    return this.#pending.map(({ name, event }) => ({
      name,
      direction: 'rising' as const,
      stops: true,
      value: event.at === undefined ? this.#condition(event) : (t: number) => t - event.at!,
    }));
  }

  /** A condition of the user's on signals. */
  #condition({ when }: ModelEvent): ZeroCrossing['value'] {
    const row = new Float64Array(this.#row.length);
    const index = new Map(this.#sampler.descriptions.map(({ name }, i) => [name, i]));
    const read = (name: string): number => {
      const i = index.get(name);
      if (i === undefined)
        throw new ModelError('events', `there is no signal "${name}"${suggestion(name, index.keys())}`);
      return row[i];
    };
    return (t, y) => {
      this.#sampler.sample(t, y, row);
      return when!(read);
    };
  }

  /** Carries out the events located at the end of the last step, and starts anew from there. */
  #happen(): void {
    const { t } = this.#integration;
    const y = Float64Array.from(this.#integration.y);
    this.#record(t, y);
    for (const {
      crossing: { name },
    } of this.#integration.located) {
      const index = this.#pending.findIndex((pending) => pending.name === name);
      if (index < 0) continue;
      const [{ event }] = this.#pending.splice(index, 1);
      for (const joint of [event.release ?? []].flat()) this.#switch(joint, false, t, y);
      for (const joint of [event.attach ?? []].flat()) this.#switch(joint, true, t, y);
      this.recording.addEvent(t, name);
      if (event.stop) this.#finished = true;
    }
    this.#energy.jump(t, y);
    this.#integration.restart(t, y);
    this.#record(t, y);
  }

  #switch(joint: string, active: boolean, t: number, y: Float64Array): void {
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
