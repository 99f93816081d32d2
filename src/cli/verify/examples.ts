/** The examples' expected figures, as checks: each example with an expected.json is run once and its figures compared. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from '../../results/recording.js';
import { simulate } from '../../simulation/simulation.js';
import { exampleNames, findModel, loadModel, PACKAGE_ROOT } from '../load-model.js';
import { requireModel } from '../run.js';
import type { Check } from './check.js';

export interface ExpectedFigure {
  /** Id of the claim; the example's name and a number where there is none */
  readonly id?: string;
  readonly signal: string;
  /** Time in s, or which value of the run is meant */
  readonly at: number | 'end' | 'max' | 'min';
  readonly value: number;
  readonly tolerance: number;
  readonly reason: string;
}

/** One run of an example and what must come out. */
export interface ExpectedRun {
  readonly run?: {
    /** A named export instead of the default one */
    readonly model?: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly stop?: number;
    readonly rtol?: number;
    readonly integrator?: string;
    readonly interval?: number;
    /** Run with `verify --all` only */
    readonly long?: boolean;
  };
  readonly figures?: readonly ExpectedFigure[];
}

/** The expected.json of an example: its default run, and others with other parameters. */
export interface Expected extends ExpectedRun {
  readonly variants?: readonly ExpectedRun[];
}

export async function exampleChecks(): Promise<Check[]> {
  return exampleNames().flatMap((name) => {
    const path = join(PACKAGE_ROOT, 'examples', name, 'expected.json');
    if (!existsSync(path)) return [];
    const { variants = [], ...main } = JSON.parse(readFileSync(path, 'utf8')) as Expected;
    return [main, ...variants].flatMap((expected, variant) => runChecks(name, variant, expected));
  });
}

function runChecks(name: string, variant: number, { run = {}, figures = [] }: ExpectedRun): Check[] {
  // One run serves all its figures; the first check pays for it.
  let made: Promise<Recording> | undefined;
  const recorded = (): Promise<Recording> => {
    made ??= runExample(name, run);
    return made;
  };
  const which = [run.model, ...Object.entries(run.parameters ?? {}).map(([key, value]) => `${key} = ${value}`)].filter(
    Boolean,
  );
  const title = which.length > 0 ? `${name} (${which.join(', ')})` : name;
  return figures.map(
    (figure, i): Check => ({
      id: figure.id ?? `${name}${variant > 0 ? `-variant${variant}` : ''}-${i + 1}`,
      title: `${title}: ${figure.signal} at ${typeof figure.at === 'number' ? `t = ${figure.at} s` : figure.at}`,
      source: figure.reason,
      limit: figure.tolerance,
      long: run.long === true,
      measure: async () => ({ value: figureOf(await recorded(), figure), reference: figure.value }),
    }),
  );
}

async function runExample(name: string, run: NonNullable<ExpectedRun['run']>): Promise<Recording> {
  const file = findModel(join(PACKAGE_ROOT, 'examples', name));
  const model = requireModel(await (await loadModel(file, run.model))(run.parameters), file);
  return simulate(model, {
    ...(run.stop !== undefined && { stopTime: run.stop }),
    ...(run.rtol !== undefined && { rtol: run.rtol }),
    ...(run.interval !== undefined && { interval: run.interval }),
    ...(run.integrator !== undefined && { integrator: run.integrator as never }),
  });
}

export function figureOf(recording: Recording, { signal, at }: Pick<ExpectedFigure, 'signal' | 'at'>): number {
  const values = recording.signal(signal);
  if (at === 'end') return values.at(-1)!;
  if (at === 'max') return values.max();
  return at === 'min' ? values.min() : values.valueAt(at);
}
