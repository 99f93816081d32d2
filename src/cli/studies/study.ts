/** `tippetop study`: sweeps, calibration, optimisation and sensitivities from a study file; on all cores, or on many machines. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Command } from 'commander';
import { ModelError } from '../../errors.js';
import type { Study } from '../../model/study.js';
import { readJournal } from '../../node/studies/journal.js';
import { checkQueue, withoutPassword } from '../../node/studies/queue-connection.js';
import type { RunPool } from '../../node/studies/run-pool.js';
import type { Analysis } from '../../studies/analysis.js';
import { designRows, remarksOf } from '../../studies/plan.js';
import * as format from '../text/format.js';
import { duration } from '../text/progress.js';
import type { KeptIn } from './kept-recordings.js';
import { findStudy, loadStudy, studyName } from './study-files.js';
import { addLookCommands, poolFor, resultsFolder, writeReport } from './study-look.js';
import { conductStudy, exitCodeOf, expectedRuns, type Runner } from './study-session.js';
import { type QueuedSetup, type ReadyStudy, readyStudy } from './study-setup.js';
import { analysisText, tableText } from './study-text.js';

export interface StudyRunOptions {
  readonly out?: string;
  readonly jobs?: string;
  readonly queue?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly force?: boolean;
}

export function studyCommand(): Command {
  const command = new Command('study').description(
    'vary, fit or optimise the parameters of a model by a study file: on all cores, or on many machines',
  );
  const common = (one: Command): Command =>
    one
      .option('--out <folder>', 'where the results go (default: out/<name>)')
      .option('--jobs <number>', 'processes of this machine (default: one per processor)')
      .option('--queue <url>', 'have workers of other machines compute: redis://host:6379 or rediss://… with TLS')
      .option('--force', 'write over the results of another study')
      .option('--quiet', 'nothing about the progress')
      .option('--json', 'print one JSON document and nothing else');
  common(
    command
      .command('run')
      .description('run a study, or go on with one that was stopped')
      .argument('<study>', 'a file such as friction.study.ts, a folder with one, or the name of an example'),
  )
    .addHelpText(
      'after',
      '\nEvery run is kept as it comes in; stopped or killed, the same command goes on. A run that fails is a row with its error.' +
        '\nExit codes: 0 done; 1 no run came through; 2 bad input; 130 stopped by Ctrl-C, results kept.' +
        '\n\nExample:\n  tippetop study run tippe-top-inversion --jobs 2',
    )
    .action((typed: string, options: StudyRunOptions) => run(typed, options, false));
  common(
    command
      .command('retry')
      .description('run again what failed, hung or crashed')
      .argument('<study>', 'the study, as for run'),
  ).action((typed: string, options: StudyRunOptions) => run(typed, options, true));
  command
    .command('status')
    .description('how far a study is, also while it runs elsewhere')
    .argument('<study>', 'the study or its results folder')
    .option('--queue <url>', 'ask the queue, from any machine')
    .option('--json', 'print one JSON document and nothing else')
    .action(status);
  addLookCommands(command);
  return command;
}

async function run(typed: string, options: StudyRunOptions, retry: boolean): Promise<void> {
  const file = findStudy(typed);
  await runStudy(await loadStudy(file), file, studyName(file), options, retry);
}

/** @param file beside which the model and measurements of the study are looked for */
export async function runStudy(
  study: Study,
  file: string,
  name: string,
  options: StudyRunOptions,
  retry = false,
): Promise<void> {
  const ready = await readyStudy(study, file);
  for (const remark of remarksOf(ready.plan)) if (!options.json) console.error(`note: ${remark}`);
  const folder = options.out ?? join('out', name);
  const size = options.jobs === undefined ? undefined : jobs(options.jobs);
  const { keep = 'none' } = study;
  const pool = (kept?: KeptIn): RunPool => poolFor(ready, size, kept);
  const local = async (): Promise<Runner> =>
    pool(keep === 'all' || keep === 'failures' ? { folder, failures: keep === 'failures' } : undefined);
  if (options.queue !== undefined) await checkQueue(options.queue);
  const began = performance.now();
  const end = await conductStudy(ready, {
    name,
    folder,
    quiet: options.quiet === true || options.json === true,
    runner: options.queue === undefined ? local : () => queued(ready, name, options.queue!, retry),
    keeper: () => pool({ folder, failures: false }),
    retry,
    ...(options.force && { force: true }),
  });
  if (!end.signal) await writeReport(folder);
  const seconds = (performance.now() - began) / 1000;
  const rows = end.columns[0]?.values.length ?? 0;
  const statuses = end.columns.find(({ name: column }) => column === 'run.status')!.values;
  const failed = statuses.filter((one) => one !== 'ok').length;
  for (const key of end.contradictions)
    console.error(
      `warning: run ${key.slice(0, 16)} came twice with different bits: machines do not compute alike, or a defect`,
    );
  if (options.json)
    console.log(
      JSON.stringify(
        {
          name,
          folder,
          rows,
          failed,
          computed: end.computed,
          known: end.known,
          seconds,
          analysis: end.analysis,
          stopped: end.signal,
        },
        null,
        2,
      ),
    );
  else {
    console.log(
      `${name}: ${format.plural(rows, 'row')}${failed > 0 ? `, ${failed} of them failed` : ''}; ${format.plural(end.computed, 'run')} computed in ${duration(seconds)}${end.known > 0 ? `, ${end.known} known before` : ''}`,
    );
    if (study.design) for (const line of tableText(end.columns)) console.log(line);
    for (const line of failureLines(end.columns)) console.log(line);
    if (end.analysis) for (const line of analysisText(end.analysis, unitsOf(ready))) console.log(line);
    if (end.signal) console.log(`stopped by ${end.signal}; what is computed is kept, the same command goes on`);
    console.log(`results     ${join(folder, 'results.parquet')}, results.csv`);
    if (!end.signal) console.log(`report      ${join(folder, 'report.html')}`);
  }
  if (end.signal) process.exitCode = exitCodeOf(end.signal);
  else if (rows > 0 && failed === rows) process.exitCode = 1;
}

/** Runs by workers elsewhere; the server is asked before anything runs */
async function queued(ready: ReadyStudy, name: string, url: string, retry: boolean): Promise<Runner> {
  const { QueueRunner } = await import('../../node/studies/queue-runner.js');
  const { identity, study, id } = ready;
  const say = (text: string): void => console.error(text);
  const setup: QueuedSetup = {
    identity,
    ...(study.limits && { limits: study.limits as NonNullable<QueuedSetup['limits']> }),
  };
  const runner = await QueueRunner.open({
    url,
    say,
    study: { id, name, version: identity.version, engine: identity.engine, setup, total: expectedRuns(ready) },
  });
  if (retry) await runner.forgetDead(designRows(ready.plan).map(ready.keyOf));
  const workers = await runner.workers();
  if (workers === 0)
    say(
      `no worker of tippetop ${identity.version} (engine ${identity.engine}) listens yet: tippetop worker --queue ${withoutPassword(url)} --models <folder>`,
    );
  return runner;
}

const unitsOf = ({ plan, units }: ReadyStudy) => ({ parameters: plan.units, outputs: units });

function jobs(text: string): number {
  const value = Number(text);
  if (!(Number.isInteger(value) && value >= 1 && value <= 1024))
    throw new ModelError('--jobs', `expected a whole number of processes from 1 to 1024, got "${text}"`);
  return value;
}

/** The failures by their message, the most frequent first */
function failureLines(columns: readonly { readonly name: string; readonly values: readonly unknown[] }[]): string[] {
  const [statuses, errors] = ['run.status', 'run.error'].map(
    (name) => columns.find((column) => column.name === name)!.values,
  );
  const counts = new Map<string, { count: number; row: number }>();
  errors.forEach((error, row) => {
    if (statuses[row] === 'ok') return;
    const text = `${statuses[row]}: ${String(error).split('\n')[0]}`.slice(0, 160);
    const before = counts.get(text);
    counts.set(text, { count: (before?.count ?? 0) + 1, row: before?.row ?? row });
  });
  const list = [...counts].sort(([, a], [, b]) => b.count - a.count);
  const lines = list.slice(0, 5).map(([text, { count, row }]) => `  ${count} × ${text}  (row ${row + 1})`);
  return list.length > 5 ? [...lines, `  and ${list.length - 5} other messages: see run.error in the table`] : lines;
}

async function status(typed: string, options: { json?: boolean; queue?: string }): Promise<void> {
  if (options.queue !== undefined) {
    await queueStatus(typed, options.queue, options.json ?? false);
    return;
  }
  const folder = resultsFolder(typed);
  const { name } = JSON.parse(readFileSync(join(folder, 'study.json'), 'utf8')) as { name: string };
  const outcomes = [...readJournal(join(folder, 'journal.jsonl')).outcomes.values()];
  const count = (wanted: string): number => outcomes.filter((outcome) => outcome.status === wanted).length;
  const seconds = outcomes.map((outcome) => outcome.seconds).sort((a, b) => a - b);
  const analysis = existsSync(join(folder, 'analysis.json'))
    ? (JSON.parse(readFileSync(join(folder, 'analysis.json'), 'utf8')) as Analysis)
    : undefined;
  const facts = {
    name,
    folder,
    runs: outcomes.length,
    ok: count('ok'),
    failed: count('failed'),
    timeout: count('timeout'),
    crashed: count('crashed'),
    medianSeconds: seconds[Math.floor(seconds.length / 2)] ?? 0,
    finished: analysis !== undefined,
  };
  if (options.json) {
    console.log(JSON.stringify(facts, null, 2));
    return;
  }
  console.log(
    `${name}: ${format.plural(facts.runs, 'run')} in ${folder}, ${facts.ok} came through, ${facts.failed} failed, ${facts.timeout} stopped at their limit, ${facts.crashed} crashed`,
  );
  console.log(
    `            ${format.number(facts.medianSeconds, 3)} s a run in the median; ${facts.finished ? 'finished' : 'not finished: "tippetop study run" goes on'}`,
  );
}

/** From any machine: what the queue knows of studies of this name */
async function queueStatus(typed: string, url: string, json: boolean): Promise<void> {
  await checkQueue(url);
  const { studiesInQueue } = await import('../../node/studies/queue-status.js');
  const wanted = existsSync(typed) ? studyName(typed) : typed;
  const found = (await studiesInQueue(url)).filter(({ name }) => name === wanted);
  if (found.length === 0) throw new ModelError('study', `the queue knows no study "${wanted}"`);
  if (json) {
    console.log(JSON.stringify(found, null, 2));
    return;
  }
  for (const { name, version, engine, total, done, failed, seconds, waiting, active, dead, workers } of found) {
    console.log(
      `${name}: ${done} of ${total} runs, ${failed} failed; ${format.number(done > 0 ? seconds / done : 0, 3)} s a run; tippetop ${version} (engine ${engine})`,
    );
    console.log(
      `            ${format.plural(workers, 'worker')}; in the queue ${waiting} waiting, ${active} at work, ${dead.length} dead letters${dead.length > 0 ? ' (study retry tries them again):' : ''}`,
    );
    for (const { key, reason } of dead.slice(0, 10))
      console.log(`            ${key.slice(0, 16)}  ${reason.slice(0, 200)}`);
  }
}
