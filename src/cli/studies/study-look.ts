/** Looking at a study that has run, or runs: its page, its table for other programs, recordings of single runs. */
import { existsSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Command } from 'commander';
import { FileError, ModelError } from '../../errors.js';
import type { ParameterValue } from '../../model/parameters.js';
import { type Study, type StudyOptions, study } from '../../model/study.js';
import { writeBytes } from '../../node/cad-files.js';
import { RUN_CHILD } from '../../node/package-root.js';
import { RunPool } from '../../node/studies/run-pool.js';
import { type TableColumn, writeParquet, writeTableCsv } from '../../node/studies/table-files.js';
import { matrixFile } from '../../results/mat-level4.js';
import * as format from '../text/format.js';
import type { KeptIn } from './kept-recordings.js';
import { recordingReport } from './kept-recordings.js';
import { findStudy, isStudyFile, loadStudy, studyName } from './study-files.js';
import { columnOf, readResults, reportOfStudy, type StudyResults } from './study-results.js';
import { keepRuns } from './study-session.js';
import { type ReadyStudy, readyStudy } from './study-setup.js';

const WHICH = 'the study, its results folder, or its name in out/';

export function addLookCommands(command: Command): void {
  command
    .command('report')
    .description('write the page of a study: charts of all runs, one HTML file that opens from disk')
    .argument('<study>', WHICH)
    .option('--out <file>', 'the page (default: report.html in the results; kept runs are linked from there only)')
    .action(async (typed: string, { out }: { out?: string }) => {
      const folder = resultsFolder(typed);
      console.log(`report      ${await writeReport(folder, out)}`);
    });
  command
    .command('export')
    .description("write a study's table for other programs")
    .argument('<study>', WHICH)
    .argument('<file>', 'ending in .csv, .parquet, .json or .mat')
    .option('--rows <which>', 'all, ok, failed, pareto or best', 'all')
    .addHelpText(
      'after',
      '\nA .mat file (MATLAB level 4) holds the columns that are numbers, dots in their names as _.' +
        '\n\nExample:\n  tippetop study export friction friction.mat --rows ok',
    )
    .action(exportTable);
  command
    .command('keep')
    .description('compute runs again and keep their recordings and pages, to be opened from the report')
    .argument('<study>', WHICH)
    .argument('<runs...>', 'numbers of runs as in the table, 1 the first; "best" for the best')
    .option('--jobs <number>', 'processes of this machine (default: one per processor)')
    .action(keep);
}

/** s: a recording and its page take longer to write than many a run to compute */
const KEEPING = 120;

export function poolFor(
  { setup, study: { limits = {} } }: ReadyStudy,
  size: number | undefined,
  kept?: KeptIn,
): RunPool {
  return new RunPool({
    script: RUN_CHILD,
    setup: { ...setup, ...(kept && { keepIn: kept }) },
    size,
    seconds: limits.seconds ?? (kept && KEEPING),
    memory: limits.memory,
  });
}

/** The folder of a study, or of the study that is meant */
export function resultsFolder(typed: string): string {
  for (const folder of [typed, join('out', typed)])
    if (existsSync(join(folder, 'study.json')) && statSync(folder).isDirectory()) return folder;
  const folder = join('out', studyName(findStudy(typed)));
  if (existsSync(join(folder, 'study.json'))) return folder;
  throw new FileError(
    typed,
    '',
    `there are no results yet; expected ${join(folder, 'study.json')}: "tippetop study run ${typed}" makes them`,
  );
}

/** @returns the file */
export async function writeReport(folder: string, out = join(folder, 'report.html')): Promise<string> {
  await writeBytes(out, reportOfStudy(readResults(folder)));
  return out;
}

async function exportTable(typed: string, file: string, { rows: which }: { rows: string }): Promise<void> {
  const results = readResults(resultsFolder(typed));
  const rows = chosenRows(results, which);
  const columns = results.columns.map((column) => ({ ...column, values: rows.map((i) => column.values[i]) }));
  switch (extname(file).toLowerCase()) {
    case '.csv':
      await writeTableCsv(file, columns);
      break;
    case '.parquet': {
      const { name, identity } = results.facts;
      await writeParquet(file, columns, { study: name, tippetop: identity.version, engine: identity.engine });
      break;
    }
    case '.json':
      await writeBytes(file, `${JSON.stringify(tableJson(columns, rows), null, 2)}\n`);
      break;
    case '.mat':
      await writeBytes(file, tableMat(columns));
      break;
    default:
      throw new FileError(file, '', 'expected a name that ends in .csv, .parquet, .json or .mat');
  }
  console.log(`${file}: ${format.plural(rows.length, 'row')}, ${columns.length} columns`);
}

function chosenRows({ columns, analysis }: StudyResults, which: string): number[] {
  const status = columnOf(columns, 'run.status');
  const all = status.map((_, i) => i);
  if (which === 'all') return all;
  if (which === 'ok') return all.filter((i) => status[i] === 'ok');
  if (which === 'failed') return all.filter((i) => status[i] !== 'ok');
  if (which === 'pareto' && analysis?.pareto) return analysis.pareto.map(({ row }) => row);
  if (which === 'best' && analysis?.best) return [analysis.best.row];
  throw new ModelError(
    '--rows',
    which === 'pareto' || which === 'best'
      ? `the study has no ${which === 'best' ? 'single objective' : 'objectives in a list'}, or is not finished`
      : `expected all, ok, failed, pareto or best, got "${which}"`,
  );
}

const tableJson = (columns: readonly TableColumn[], rows: readonly number[]) => ({
  units: Object.fromEntries(columns.filter(({ unit }) => unit).map(({ name, unit }) => [name, unit])),
  rows: rows.map((_, i) => Object.fromEntries(columns.map(({ name, values }) => [name, values[i]]))),
});

function tableMat(columns: readonly TableColumn[]): Uint8Array {
  const numbers = columns.filter(({ type }) => type === 'number' || type === 'count');
  return matrixFile([
    { name: 'columns', texts: numbers.map(({ name }) => name) },
    { name: 'units', texts: numbers.map(({ unit }) => unit || '1') },
    ...numbers.map(({ name, values }) => ({
      name: name.replace(/\W/g, '_'),
      rows: values.length,
      columns: 1,
      values: values.map((value) => (typeof value === 'number' ? value : Number.NaN)),
    })),
  ]);
}

async function keep(typed: string, wanted: string[], { jobs }: { jobs?: string }): Promise<void> {
  const folder = resultsFolder(typed);
  const results = readResults(folder);
  const { columns, analysis, facts } = results;
  const keys = columnOf(columns, 'run.key').map(String);
  const rows = wanted.map((word) => {
    if (word === 'best' && analysis?.best) return analysis.best.row;
    const number = Number(word);
    if (!(Number.isInteger(number) && number >= 1 && number <= keys.length))
      throw new ModelError('runs', `expected numbers from 1 to ${keys.length}, or "best", got "${word}"`);
    return number - 1;
  });
  const ready = await readyStudy(await studyOf(facts), facts.source);
  const tasks = rows.map((row) => {
    const parameters = Object.fromEntries(
      columns.flatMap(({ name, values }): [string, ParameterValue][] =>
        name.startsWith('p.') && values[row] !== null ? [[name.slice(2), values[row]!]] : [],
      ),
    );
    const key = keys[row];
    if (ready.keyOf({ index: row, seed: 0, parameters }) !== key)
      throw new ModelError(
        'study',
        `run ${row + 1} is of another state of the model, the study or the program: "tippetop study run ${facts.name}" computes it anew`,
      );
    return { key, parameters };
  });
  const size = jobs === undefined ? undefined : format.parsePositive(jobs, '--jobs', '');
  await keepRuns(tasks, folder, () => poolFor(ready, size, { folder, failures: false }));
  await writeReport(folder);
  for (const { key } of tasks) console.log(`run         ${join(folder, recordingReport(key))}`);
}

/** The study's file where it still is; else the data that the results keep, which a sweep has no file for */
async function studyOf({ source, study: kept }: StudyResults['facts']): Promise<Study> {
  if (isStudyFile(source)) return loadStudy(source);
  const { kind: _, ...options } = kept as Study;
  return study(options as StudyOptions);
}
