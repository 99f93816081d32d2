/** One run of a study: the model with its parameters, simulated, and what is asked of its recording. The same wherever it is computed. */
import { ModelError } from '../errors.js';
import type { Model } from '../model/model.js';
import type { ModelFunction, ParameterValue } from '../model/parameters.js';
import type { Study } from '../model/study.js';
import type { Recording } from '../results/recording.js';
import { Simulation } from '../simulation/simulation.js';
import type { SimulationOptions } from '../simulation/simulation-options.js';
import { evaluateExpression, parseExpression } from './outputs/expression.js';
import { signalOf } from './outputs/signal-questions.js';
import { tangentRun } from './sensitivity/tangent-run.js';

/** What all runs of a study have in common, as plain data; functions stay in the study's file */
export interface RunSetup {
  readonly simulation: NonNullable<Study['simulation']>;
  /** An output without expression is a function of the study's file */
  readonly outputs: readonly { readonly name: string; readonly expression?: string }[];
  /** Signals whose values at given times are told, for fits: s */
  readonly samples: readonly { readonly signal: string; readonly times: readonly number[] }[];
  /** Whether events and touches are told, for derivatives */
  readonly events: boolean;
  /** Parameters by which derivatives of samples and outputs are told, with their differences: by a tangent run beside the run */
  readonly tangents?: readonly { readonly name: string; readonly step: number }[];
}

export interface Task {
  readonly key: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** In place of the setup's, for tight runs */
  readonly rtol?: number;
}

export type Status = 'ok' | 'failed' | 'timeout' | 'crashed';

export interface Outcome {
  readonly key: string;
  readonly status: Status;
  readonly error?: string;
  readonly outputs: Readonly<Record<string, number>>;
  readonly samples?: readonly number[];
  /** By parameter of the setup's tangents: derivatives of samples, then of outputs */
  readonly tangents?: readonly (readonly number[])[];
  /** Events in their order, and how often each body was touched anew */
  readonly events?: readonly string[];
  /** How far the run is to be trusted, in a word */
  readonly verdict?: string;
  readonly steps?: number;
  /** On the clock, s */
  readonly seconds: number;
}

export interface PreparedRuns {
  readonly construct: ModelFunction;
  readonly setup: RunSetup;
  /** One per output */
  readonly ask: readonly ((recording: Recording, values: Readonly<Record<string, unknown>>) => number)[];
}

/** @param functions outputs of the study's file, by name */
export function prepareRuns(
  construct: ModelFunction,
  setup: RunSetup,
  functions: Readonly<Record<string, unknown>> = {},
): PreparedRuns {
  const ask = setup.outputs.map(({ name, expression }) => {
    if (expression !== undefined) {
      const parsed = parseExpression(expression, `outputs.${name}`);
      return (recording: Recording, values: Readonly<Record<string, unknown>>) =>
        evaluateExpression(parsed, { recording, values });
    }
    const own = functions[name];
    if (typeof own !== 'function')
      throw new ModelError(`outputs.${name}`, 'is a function that the study file does not have');
    return (recording: Recording, values: Readonly<Record<string, unknown>>) => {
      const value: unknown = own(recording, values);
      if (typeof value !== 'number')
        throw new ModelError(`outputs.${name}`, `expected the function to give a number, got ${typeof value}`);
      return value;
    };
  });
  return { construct, setup, ask };
}

/** Options of a run, from those of the study */
export function optionsOf({ simulation }: RunSetup, rtol?: number): SimulationOptions {
  const { stop, ...rest } = simulation;
  return {
    ...(rest as SimulationOptions),
    ...(stop !== undefined && { stopTime: stop }),
    ...(rtol !== undefined && { rtol }),
  };
}

export interface RunTaskOptions {
  /** Awaited every fourth of a second or so: whoever runs it can hear that it is no longer wanted */
  readonly breathe?: () => Promise<void>;
  /** Gets the recording, also that of a run that failed on its way */
  readonly keep?: (recording: Recording) => Promise<void>;
}

const SLICE = 250; // ms

const afterSlice = (): (() => boolean) => {
  const end = performance.now() + SLICE;
  return () => performance.now() >= end;
};

/** Never throws: a run that fails is an outcome that says why */
export async function runTask(
  prepared: PreparedRuns,
  { key, parameters, rtol }: Task,
  { breathe, keep }: RunTaskOptions = {},
): Promise<Outcome> {
  const { construct, setup } = prepared;
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  let simulation: Simulation | undefined;
  try {
    const model = (await construct(parameters)) as Model;
    simulation = new Simulation(model, { ...optionsOf(setup, rtol), origin: { title: model.title, parameters } });
    if (breathe) while (simulation.advance(undefined, afterSlice())) await breathe();
    else simulation.advance();
    const recording = simulation.finish();
    await keep?.(recording);
    if (simulation.interruption !== undefined)
      return { key, status: 'failed', error: simulation.interruption, outputs: {}, seconds: seconds() };
    const { outputs, samples } = toldBy(recording, prepared, parameters);
    // where they cannot be had, whoever wants derivatives takes differences, and says so
    const tangents = setup.tangents && (await tangentsOf(prepared, parameters, rtol).catch(() => undefined));
    return {
      key,
      status: 'ok',
      outputs,
      ...(setup.samples.length > 0 && { samples }),
      ...(tangents && { tangents }),
      ...(setup.events && { events: eventsOf(recording) }),
      ...(recording.trust.verdict && { verdict: recording.trust.verdict.word }),
      ...(recording.trust.steps && { steps: recording.trust.steps.accepted }),
      seconds: seconds(),
    };
  } catch (error) {
    if (keep && simulation && simulation.recording.state === 'running')
      try {
        await keep(simulation.finish('failed'));
      } catch {
        // what made it fail may be what its end needs, too
      }
    const message = error instanceof Error ? error.message : String(error);
    return { key, status: 'failed', error: message, outputs: {}, seconds: seconds() };
  }
}

/** What is asked of a recording: outputs by name, samples one after another */
function toldBy(
  recording: Recording,
  { setup, ask }: PreparedRuns,
  parameters: Task['parameters'],
): { readonly outputs: Record<string, number>; readonly samples: number[] } {
  const values: Record<string, unknown> = { ...parameters };
  const outputs: Record<string, number> = {};
  setup.outputs.forEach(({ name }, i) => {
    outputs[name] = ask[i](recording, values);
    values[name] = outputs[name];
  });
  const samples = setup.samples.flatMap(({ signal, times }) => {
    const recorded = signalOf(recording, signal);
    return times.map((t) => recorded.valueAt(t));
  });
  return { outputs, samples };
}

/** Central differences of all that is asked over the recordings of a tangent run */
async function tangentsOf(
  prepared: PreparedRuns,
  parameters: Task['parameters'],
  rtol: number | undefined,
): Promise<number[][]> {
  const wanted = prepared.setup.tangents!;
  const at = (k: number, side: number): Task['parameters'] =>
    side === 0
      ? parameters
      : { ...parameters, [wanted[k].name]: Number(parameters[wanted[k].name]) + side * wanted[k].step };
  const models = new Map<string, Model>();
  for (let k = 0; k < wanted.length; k++)
    for (const side of [-1, 0, 1]) models.set(`${k} ${side}`, (await prepared.construct(at(k, side))) as Model);
  const { sides } = tangentRun({
    modelAt: (k, side) => models.get(`${k} ${side}`)!,
    steps: wanted.map(({ step }) => step),
    simulation: optionsOf(prepared.setup, rtol),
  });
  return sides.map((pair, k) => {
    const [below, above] = pair.map((recording, i) => {
      const { samples, outputs } = toldBy(recording, prepared, at(k, 2 * i - 1));
      return [...samples, ...Object.values(outputs)];
    });
    return above.map((value, i) => (value - below[i]) / (2 * wanted[k].step));
  });
}

/** `hit @ 0.5`-like facts that tell whether two runs went the same way; times are left out, for those differ by a little */
function eventsOf(recording: Recording): string[] {
  const touches = recording.names('contacts.*.touching').map((name) => {
    const { values } = recording.signal(name);
    let count = values[0] > 0 ? 1 : 0;
    for (let i = 1; i < values.length; i++) if (values[i] > 0 && !(values[i - 1] > 0)) count++;
    return `${name.replace(/^contacts\.|\.touching$/g, '')} touches ${count} times`;
  });
  return [...recording.events.map(({ name }) => name), ...touches];
}
