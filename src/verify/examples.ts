/** The examples' expected figures, as checks: each run of an expected.json is made once and its figures compared. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IntegratorName } from '../integration/method-name.js';
import type { Vec3 } from '../math/vec3.js';
import { exampleNames, findModel, loadModel, requireModel } from '../node/model-files/load-model.js';
import { PACKAGE_ROOT } from '../node/package-root.js';
import type { Recording } from '../results/recording.js';
import { Signal } from '../results/signal.js';
import { type StepsOf, simulate } from '../simulation/simulation.js';
import type { Check } from './check.js';

export interface ExpectedFigure {
  /** Id of the claim; that of the run and a number where there is none */
  readonly id?: string;
  readonly signal: string;
  /** Then `signal` is a column of this table of records, and `at` says which of its rows: 'end', 'max' or 'min'. */
  readonly table?: string;
  /** Time in s, or which value of the run is meant; 'mean' is that over time, 'period' the mean time between its passages upwards through its mean, s */
  readonly at?: number | 'end' | 'max' | 'min' | 'mean' | 'period';
  /** s: 'max', 'min', 'mean' and 'period' of what comes from here on; of the whole run unless said */
  readonly from?: number;
  /** In place of `at`: the figure is the time in s at which the signal first passes this value */
  readonly passes?: number;
  /** For a balance: so many times the figure of another signal is taken off, at the same moment */
  readonly less?: Readonly<Record<string, number>>;
  readonly value: number;
  readonly tolerance: number;
  readonly reason: string;
}

export interface ExpectedRun {
  readonly run?: {
    readonly stop?: number;
    readonly rtol?: number;
    readonly integrator?: string;
    readonly steps?: StepsOf;
    readonly interval?: number;
    readonly parameters?: Readonly<Record<string, unknown>>;
    /** Which export of the model file; the default one unless said */
    readonly model?: string;
    readonly long?: boolean;
  };
  readonly figures?: readonly ExpectedFigure[];
}

/** What the trust report is to say of the plain run, where it is not "trusted", and why that is so */
export interface ExpectedVerdict {
  readonly word: (typeof VERDICTS)[number];
  readonly reason: string;
}
const VERDICTS = ['trusted', 'doubtful', 'not to be trusted'] as const;

export interface ExpectedPicture {
  /** The moment of the run that tells most, 0 its start and 1 its end, or several side by side; a third unless said */
  readonly at?: number | readonly number[];
  /** From which side: see `tippetop render` */
  readonly view?: string;
  /** Further moments, drawn pale */
  readonly pale?: readonly number[];
  /** Points on bodies, in their frames, m, whose ways are drawn up to the moment */
  readonly ways?: Readonly<Record<string, Vec3>>;
  /** Bodies that are not drawn: they hide what the picture is about, or make it small */
  readonly without?: readonly string[];
  /** Of the model that is shown and replayed, where its own defaults are not what tells most */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export interface Expected extends ExpectedRun {
  /** What its README shows */
  readonly picture?: ExpectedPicture;
  readonly verdict?: ExpectedVerdict;
  /** Further runs of the same model file */
  readonly variants?: readonly ExpectedRun[];
}

/** @param load how a model file becomes the function it exports */
export function exampleChecks(load: typeof loadModel = loadModel): Check[] {
  return exampleNames().flatMap((name) => checksOf(name, load));
}

/** What an example's expected.json says, if there is one. */
export function expectedOf(name: string): Expected | undefined {
  const path = join(PACKAGE_ROOT, 'examples', name, 'expected.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Expected) : undefined;
}

/** The checks of one example, none if it expects nothing of a run. */
export function checksOf(name: string, load: typeof loadModel = loadModel): Check[] {
  const { variants = [], verdict, ...first } = expectedOf(name) ?? {};
  return [first, ...variants].flatMap(({ run = {}, figures = [] }, which) => {
    // One run serves all its figures; the first check pays for it.
    let made: Promise<Recording> | undefined;
    const recorded = (): Promise<Recording> => {
      made ??= runExample(name, run, load);
      return made;
    };
    const variant = variantOf(run);
    const checks = figures.map(
      (figure, i): Check => ({
        id: figure.id ?? [name, ...variant, i + 1].join('-'),
        title: `${name}${variant.length > 0 ? ` (${variant.join(', ')})` : ''}: ${figure.signal}${lessOf(figure)} ${momentOf(figure)}`,
        source: figure.reason,
        limit: figure.tolerance,
        long: run.long === true,
        measure: async () => ({ value: balanceOf(await recorded(), figure), reference: figure.value }),
      }),
    );
    if (which === 0 && checks.length > 0)
      checks.push({
        id: `${name}-verdict`,
        title: `${name}: verdict, 0 ${VERDICTS[0]}, 1 ${VERDICTS[1]}, 2 ${VERDICTS[2]}`,
        source: verdict?.reason ?? 'the trust report of the run',
        limit: 0.5,
        long: run.long === true,
        measure: async () => {
          const { word } = (await recorded()).trust.verdict!;
          return { value: VERDICTS.indexOf(word), reference: VERDICTS.indexOf(verdict?.word ?? 'trusted') };
        },
      });
    return checks;
  });
}

/** What sets a run apart from the plain one: `coasting`, `n=10`. */
const variantOf = ({ model, parameters = {} }: NonNullable<ExpectedRun['run']>): string[] => [
  ...(model === undefined ? [] : [model]),
  ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`),
];

const momentOf = ({ at, from, passes }: ExpectedFigure): string =>
  passes !== undefined
    ? `passes ${passes}, s`
    : `at ${typeof at === 'number' ? `t = ${at} s` : at}${from === undefined ? '' : ` from t = ${from} s`}`;

async function runExample(
  name: string,
  run: NonNullable<ExpectedRun['run']>,
  load: typeof loadModel,
): Promise<Recording> {
  const file = findModel(join(PACKAGE_ROOT, 'examples', name));
  const construct = await load(file, run.model);
  const model = requireModel(await construct(run.parameters), file);
  return simulate(model, {
    ...(run.stop !== undefined && { stopTime: run.stop }),
    ...(run.rtol !== undefined && { rtol: run.rtol }),
    ...(run.interval !== undefined && { interval: run.interval }),
    ...(run.integrator !== undefined && { integrator: run.integrator as IntegratorName }),
    ...(run.steps !== undefined && { steps: run.steps }),
  });
}

const lessOf = ({ less = {} }: ExpectedFigure): string =>
  Object.entries(less)
    .map(([signal, factor]) => ` − ${factor} ${signal}`)
    .join('');

/** The figure, less so many times those of others */
function balanceOf(recording: Recording, figure: ExpectedFigure): number {
  let value = figureOf(recording, figure);
  for (const [signal, factor] of Object.entries(figure.less ?? {}))
    value -= factor * figureOf(recording, { ...figure, signal });
  return value;
}

export function figureOf(
  recording: Recording,
  { signal, at = 'end', from, passes, table }: Pick<ExpectedFigure, 'signal' | 'at' | 'passes' | 'table' | 'from'>,
): number {
  if (table !== undefined) {
    const records = recording.table(table);
    const column = records.column(signal);
    if (at === 'end') return column[records.rows - 1];
    let most = Number.NaN;
    for (let row = 0; row < records.rows; row++)
      if (!(at === 'min' ? column[row] >= most : column[row] <= most)) most = column[row];
    return most;
  }
  const whole = recording.signal(signal);
  if (passes !== undefined) return passageOf(whole, passes);
  if (at === 'end') return whole.at(-1)!;
  if (typeof at === 'number') return whole.valueAt(at);
  const values = from === undefined ? whole : laterThan(whole, from);
  if (at === 'max') return values.max();
  if (at === 'period') return periodOf(values);
  return at === 'min' ? values.min() : meanOf(values);
}

/** NaN where it passes its mean upwards less than twice */
function periodOf(signal: Signal): number {
  const { times, values } = signal;
  const mean = meanOf(signal);
  const passages: number[] = [];
  for (let i = 1; i < values.length; i++)
    if (values[i - 1] < mean && values[i] >= mean)
      passages.push(times[i - 1] + ((times[i] - times[i - 1]) * (mean - values[i - 1])) / (values[i] - values[i - 1]));
  return (passages[passages.length - 1] - passages[0]) / (passages.length - 1);
}

/** Rows from a time on; a time between two rows begins with the later one. */
function laterThan(signal: Signal, from: number): Signal {
  const { times, values } = signal;
  let first = 0;
  while (first < times.length - 1 && times[first] < from * (1 - 1e-12)) first++;
  return new Signal(signal, times.subarray(first), values.subarray(first));
}

/** Over time, by trapezoids */
function meanOf({ times, values }: Signal): number {
  const span = times[times.length - 1] - times[0];
  let sum = 0;
  for (let i = 1; i < times.length; i++) sum += 0.5 * (values[i] + values[i - 1]) * (times[i] - times[i - 1]);
  return span > 0 ? sum / span : values[0];
}

/** Time of the first passage in either direction, on the straight line between rows; NaN if there is none */
function passageOf({ times, values }: Signal, level: number): number {
  for (let i = 1; i < times.length; i++) {
    const before = values[i - 1] - level;
    const after = values[i] - level;
    if (before === 0) return times[i - 1];
    if (before < 0 !== after < 0 || after === 0)
      return times[i - 1] + (before / (before - after)) * (times[i] - times[i - 1]);
  }
  return Number.NaN;
}
