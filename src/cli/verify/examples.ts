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

export interface ExpectedRun {
  readonly run?: {
    readonly stop?: number;
    readonly rtol?: number;
    readonly integrator?: string;
    readonly interval?: number;
    readonly parameters?: Record<string, unknown>;
    readonly long?: boolean;
  };
  readonly figures?: readonly ExpectedFigure[];
}

export async function exampleChecks(): Promise<Check[]> {
  return exampleNames().flatMap((name) => {
    const path = join(PACKAGE_ROOT, 'examples', name, 'expected.json');
    if (!existsSync(path)) return [];
    const { run = {}, figures = [] } = JSON.parse(readFileSync(path, 'utf8')) as ExpectedRun;
    // One run serves all figures of an example; the first check pays for it.
    let made: Promise<Recording> | undefined;
    const recorded = (): Promise<Recording> => {
      made ??= runExample(name, run);
      return made;
    };
    return figures.map(
      (figure, i): Check => ({
        id: figure.id ?? `${name}-${i + 1}`,
        title: `${name}: ${figure.signal} at ${typeof figure.at === 'number' ? `t = ${figure.at} s` : figure.at}`,
        source: figure.reason,
        limit: figure.tolerance,
        long: run.long === true,
        measure: async () => ({ value: figureOf(await recorded(), figure), reference: figure.value }),
      }),
    );
  });
}

async function runExample(name: string, run: NonNullable<ExpectedRun['run']>): Promise<Recording> {
  const file = findModel(join(PACKAGE_ROOT, 'examples', name));
  const model = requireModel(await (await loadModel(file))(run.parameters), file);
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
