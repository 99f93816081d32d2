/**
 * A study while it runs: asks for runs that the journal does not hold yet, keeps every outcome at once, shows how far it is, and leaves tables whatever happens. Ctrl-C, a closed
 * terminal and a polite kill end it alike; run again, it goes on where it was.
 */
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ModelError } from '../../errors.js';
import type { Study } from '../../model/study.js';
import { writeBytes } from '../../node/cad-files.js';
import { Journal } from '../../node/studies/journal.js';
import { type TableColumn, writeParquet, writeTableCsv } from '../../node/studies/table-files.js';
import { meritOf } from '../../studies/analysis.js';
import { type Conducted, conduct } from '../../studies/conduct.js';
import { designRows, goalName, goalsOf, type Row } from '../../studies/plan.js';
import type { Outcome, Task } from '../../studies/run-task.js';
import { compareMerits } from '../../studies/search/search.js';
import { Progress } from '../text/progress.js';
import { recordingFile } from './kept-recordings.js';
import type { ReadyStudy } from './study-setup.js';

/** Who computes runs: the cores of this machine, or many machines */
export interface Runner {
  run(task: Task): Promise<Outcome>;
  close(): void | Promise<void>;
}

export interface SessionOptions {
  readonly name: string;
  readonly folder: string;
  readonly quiet: boolean;
  /** Computes runs; told whether recordings are kept as they come */
  readonly runner: () => Promise<Runner>;
  /** Computes runs again whose recordings are kept; on this machine */
  readonly keeper: () => Runner;
  /** Tried again: those that were killed for their time, or crashed */
  readonly retry?: boolean;
  readonly force?: boolean;
}

/** `study.json` in the results: what a report must know without the study's files */
export interface StudyFacts {
  readonly name: string;
  /** The study's file, or the model's where there was none */
  readonly source: string;
  readonly study: Pick<Study, 'title' | 'model' | 'design' | 'search'>;
  readonly identity: Pick<ReadyStudy['identity'], 'version' | 'engine'>;
  readonly variables: readonly {
    readonly name: string;
    readonly unit: string;
    readonly from?: number;
    readonly to?: number;
    readonly log?: boolean;
  }[];
  readonly outputs: readonly { readonly name: string; readonly unit: string }[];
  readonly goals: readonly { readonly name: string; readonly maximise: boolean }[];
}

export interface SessionEnd extends Partial<Conducted> {
  readonly columns: readonly TableColumn[];
  readonly computed: number;
  readonly known: number;
  /** The signal that ended it */
  readonly signal?: NodeJS.Signals;
  readonly contradictions: readonly string[];
}

/** ms: tables are renewed while runs come in, for looks at a long study and for what a kill leaves */
const TABLES_EVERY = 30_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

class Stopped extends Error {
  constructor(readonly signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
  }
}

export async function conductStudy(ready: ReadyStudy, options: SessionOptions): Promise<SessionEnd> {
  const { plan, measured, keyOf } = ready;
  const { folder, name } = options;
  await claimFolder(folder, name, ready, options.force ?? false);
  const journal = new Journal(join(folder, 'journal.jsonl'));
  const asked = new Map<string, Row>();
  let runner: Runner | undefined;
  let [computed, known] = [0, 0];
  let status = '';
  let writing: Promise<unknown> = Promise.resolve();
  let written = performance.now();

  let stop: (error: Error) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  stopped.catch(() => undefined);
  const listeners = SIGNALS.map((signal) => [signal, () => stop(new Stopped(signal))] as const);
  for (const [signal, listener] of listeners) process.once(signal, listener);

  const total = expectedRuns(ready);
  let progress: Progress | undefined;
  const show = (): void => {
    progress?.show(() => ({
      at: computed,
      done: computed,
      what: `of ${total} runs${known > 0 ? ` (${known} known before)` : ''}`,
      ...(status && { holdUp: status }),
    }));
  };
  const evaluate = async (rows: readonly Row[]): Promise<Outcome[]> => {
    const keys = rows.map(keyOf);
    const missing = new Map<string, Row>();
    rows.forEach((row, i) => {
      if (!asked.has(keys[i])) asked.set(keys[i], row);
      const before = journal.outcomes.get(keys[i]);
      const again = options.retry === true && before !== undefined && before.status !== 'ok' && !missing.has(keys[i]);
      if (!before || again) missing.set(keys[i], row);
    });
    known += keys.length - missing.size;
    progress ??= new Progress(Math.max(1, total - known), options.quiet);
    if (missing.size > 0) runner ??= await options.runner();
    const running = [...missing].map(async ([key, { parameters }]) => {
      const outcome = await runner!.run({ key, parameters });
      journal.append(outcome);
      computed++;
      show();
      if (performance.now() - written > TABLES_EVERY) {
        written = Infinity;
        writing = writeTables(name, ready, folder, asked, journal).then(() => {
          written = performance.now();
        });
      }
    });
    await Promise.race([Promise.all(running), stopped]);
    return keys.map((key) => journal.outcomes.get(key)!);
  };

  let conducted: Conducted | undefined;
  let failure: unknown;
  try {
    conducted = await Promise.race([
      conduct({
        plan,
        measured,
        evaluate,
        progress: (text) => {
          status = text;
        },
      }),
      stopped,
    ]);
    await keepRecordings(ready, options, conducted, stopped);
  } catch (error) {
    failure = error;
  } finally {
    progress?.done();
    for (const [signal, listener] of listeners) process.off(signal, listener);
    await runner?.close();
    journal.close();
  }
  await writing;
  const columns = await writeTables(name, ready, folder, asked, journal);
  if (failure !== undefined && !(failure instanceof Stopped)) throw failure;
  if (conducted) await writeBytes(join(folder, 'analysis.json'), `${JSON.stringify(conducted.analysis, null, 2)}\n`);
  return {
    ...conducted,
    columns,
    computed,
    known,
    contradictions: journal.contradictions,
    ...(failure instanceof Stopped && { signal: failure.signal }),
  };
}

/** What is there, as tables in the order of the design */
async function writeTables(
  name: string,
  ready: ReadyStudy,
  folder: string,
  asked: ReadonlyMap<string, Row>,
  journal: Journal,
): Promise<TableColumn[]> {
  const { study, identity } = ready;
  const rows = [...asked].flatMap(([key, row]) => {
    const outcome = journal.outcomes.get(key);
    return outcome ? [{ row, outcome }] : [];
  });
  const columns = columnsOf(ready, rows);
  const { title = '', model, parameters, design, search } = study;
  await writeParquet(join(folder, 'results.parquet'), columns, {
    study: JSON.stringify({ name, title, model, parameters, design, search }, (_, value) =>
      typeof value === 'function' ? String(value) : value,
    ),
    tippetop: identity.version,
    engine: identity.engine,
  });
  await writeTableCsv(join(folder, 'results.csv'), columns);
  return columns;
}

export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** How many runs there will be, at most where a search decides */
export function expectedRuns({
  plan,
  study,
  setup: {
    run: { tangents },
  },
}: ReadyStudy): number {
  const { design, search } = study;
  const n = plan.variables.length;
  if (design) return design.kind === 'local' ? 1 + (tangents ? 0 : 4 * n) : designRows(plan).length;
  if (search?.kind === 'nsga-ii') return (search.population ?? 40) * (1 + (search.generations ?? 25));
  if (search?.kind === 'levenberg-marquardt')
    return (search.starts ?? 1) * (1 + ((tangents ? 0 : 2 * n) + 2) * Math.min(12, search.iterations ?? 50));
  return search?.runs ?? 200 * n;
}

/** A folder belongs to one study; another one's results are not written over without a word */
async function claimFolder(
  folder: string,
  name: string,
  { study, identity, plan, units, source }: ReadyStudy,
  force: boolean,
): Promise<void> {
  const file = join(folder, 'study.json');
  if (existsSync(file) && !force) {
    const before = JSON.parse(readFileSync(file, 'utf8')) as { name?: string };
    if (before.name !== name)
      throw new ModelError(
        '--out',
        `${folder} holds the study "${before.name}"; give another folder, or --force to write over it`,
      );
  }
  const plain = JSON.parse(JSON.stringify(study, (_, value) => (typeof value === 'function' ? String(value) : value)));
  const facts = {
    name,
    source,
    study: plain,
    identity,
    variables: plan.variables.map(({ name: variable, unit, range }) => ({
      name: variable,
      unit,
      ...(range && { from: range.from, to: range.to, log: range.log }),
    })),
    outputs: Object.keys(study.outputs ?? {}).map((output) => ({ name: output, unit: units[output] ?? '' })),
    goals: goalsOf(study).map((goal) => ({ name: goalName(goal), maximise: 'maximise' in goal })),
  } satisfies StudyFacts;
  await writeBytes(file, `${JSON.stringify(facts, null, 2)}\n`);
}

/** Recordings that the rule asks for and that are not there: their runs are made again, which gives the same bits */
async function keepRecordings(
  ready: ReadyStudy,
  { folder, keeper }: SessionOptions,
  { rows, outcomes }: Conducted,
  stopped: Promise<never>,
): Promise<void> {
  const { keep = 'none' } = ready.study;
  const chosen = outcomes
    .map((_, i) => i)
    .filter((i) => {
      if (keep === 'all') return outcomes[i].status !== 'crashed';
      return keep === 'failures' && outcomes[i].status === 'failed';
    });
  if (typeof keep === 'object') chosen.push(...bestRows(ready, outcomes).slice(0, keep.best));
  await keepRuns(
    chosen.map((i) => ({ key: outcomes[i].key, parameters: rows[i].parameters })),
    folder,
    keeper,
    stopped,
  );
}

/** @returns how many were not there yet */
export async function keepRuns(
  tasks: readonly Task[],
  folder: string,
  keeper: () => Runner,
  stopped: Promise<never> = new Promise<never>(() => undefined),
): Promise<number> {
  const missing = tasks.filter(({ key }) => !existsSync(recordingFile(folder, key)));
  if (missing.length === 0) return 0;
  const runner = keeper();
  try {
    await Promise.race([Promise.all(missing.map((task) => runner.run(task))), stopped]);
  } finally {
    await runner.close();
  }
  return missing.length;
}

/** Rows by the objective, the misfit, or the order of the Pareto set; where nothing is sought, as they come */
function bestRows({ study, measured }: ReadyStudy, outcomes: readonly Outcome[]): number[] {
  const order = outcomes.map((_, i) => i).filter((i) => outcomes[i].status === 'ok');
  if (goalsOf(study).length > 0)
    return order.sort((a, b) => compareMerits(meritOf(study, outcomes[a]), meritOf(study, outcomes[b])));
  const values = measured.flatMap((one) => one.values.map((value) => ({ value, deviation: one.deviation })));
  const misfit = ({ samples = [], outputs }: Outcome): number =>
    samples.reduce((sum, v, i) => sum + ((v - values[i].value) / values[i].deviation) ** 2, 0) +
    Object.entries(study.measurements?.outputs ?? {}).reduce(
      (sum, [name, { value, deviation }]) => sum + ((outputs[name] - value) / deviation) ** 2,
      0,
    );
  return study.measurements ? order.sort((a, b) => misfit(outcomes[a]) - misfit(outcomes[b])) : order;
}

/** The table: what varied, what came out, how the run went; no clock, so that equal studies leave equal bytes */
function columnsOf(
  { study, plan, units }: ReadyStudy,
  rows: readonly { readonly row: Row; readonly outcome: Outcome }[],
): TableColumn[] {
  const names = [
    ...new Set([...Object.keys(study.parameters), ...rows.flatMap(({ row }) => Object.keys(row.parameters))]),
  ];
  const columns: TableColumn[] = names.map((name) => {
    const values = rows.map(({ row }) => row.parameters[name] ?? null);
    const kinds = new Set(values.filter((value) => value !== null).map((value) => typeof value));
    const type = kinds.size > 1 ? 'text' : kinds.has('number') ? 'number' : kinds.has('boolean') ? 'truth' : 'text';
    return {
      name: `p.${name}`,
      unit: plan.units[name] ?? '',
      type,
      values: type === 'text' ? values.map((value) => (value === null ? null : String(value))) : values,
    };
  });
  for (const name of Object.keys(study.outputs ?? {}))
    columns.push({
      name: `out.${name}`,
      unit: units[name] ?? '',
      type: 'number',
      values: rows.map(({ outcome }) => (outcome.status === 'ok' ? outcome.outputs[name] : null)),
    });
  return [
    ...columns,
    { name: 'run.status', unit: '', type: 'text', values: rows.map(({ outcome }) => outcome.status) },
    { name: 'run.error', unit: '', type: 'text', values: rows.map(({ outcome }) => outcome.error ?? null) },
    { name: 'run.seed', unit: '', type: 'number', values: rows.map(({ row }) => row.seed) },
    { name: 'run.verdict', unit: '', type: 'text', values: rows.map(({ outcome }) => outcome.verdict ?? null) },
    { name: 'run.steps', unit: '', type: 'count', values: rows.map(({ outcome }) => outcome.steps ?? null) },
    { name: 'run.key', unit: '', type: 'text', values: rows.map(({ outcome }) => outcome.key) },
  ];
}
