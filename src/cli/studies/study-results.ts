/** A study's results as they lie in their folder: the table, what was found, the runs whose recordings are kept. Needs neither the study's file nor its model. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileError } from '../../errors.js';
import { PACKAGE_ROOT } from '../../node/package-root.js';
import { readTableCsv, type TableColumn } from '../../node/studies/table-files.js';
import type { Analysis } from '../../studies/analysis.js';
import { linearSwings } from '../../studies/report/linear-swings.js';
import { type StudyReport, studyReport, type TornadoChart } from '../../viewer/study-report.js';
import * as format from '../text/format.js';
import { recordingReport } from './kept-recordings.js';
import type { StudyFacts } from './study-session.js';
import { analysisText } from './study-text.js';

export interface StudyResults {
  readonly folder: string;
  readonly facts: StudyFacts;
  readonly columns: readonly TableColumn[];
  /** Undefined while the study is not finished */
  readonly analysis: Analysis | undefined;
}

export function readResults(folder: string): StudyResults {
  const table = join(folder, 'results.csv');
  if (!existsSync(table))
    throw new FileError(
      table,
      '',
      'there is no table yet: it is written every half minute, and when "tippetop study run" ends',
    );
  const json = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return {
    folder,
    facts: json('study.json') as StudyFacts,
    columns: readTableCsv(table),
    analysis: existsSync(join(folder, 'analysis.json')) ? (json('analysis.json') as Analysis) : undefined,
  };
}

export const columnOf = (columns: readonly TableColumn[], name: string): TableColumn['values'] =>
  columns.find((column) => column.name === name)?.values ?? [];

/** The page of a study as one HTML file, links to kept runs relative to the results' folder */
export function reportOfStudy(results: StudyResults): string {
  const page = (file: string): string => readFileSync(join(PACKAGE_ROOT, 'dist/viewer/page', file), 'utf8');
  return studyReport(reportContent(results), { script: page('study.js'), style: page('study.css') });
}

function reportContent({ folder, facts, columns, analysis }: StudyResults): StudyReport {
  const { name, study, identity, variables, outputs, goals = [] } = facts;
  const status = columnOf(columns, 'run.status').map(String);
  const keys = columnOf(columns, 'run.key').map(String);
  const kept = new Set(
    existsSync(join(folder, 'recordings'))
      ? readdirSync(join(folder, 'recordings')).map((file) => `recordings/${file}`)
      : [],
  );
  const failed = status.filter((one) => one !== 'ok').length;
  const units = {
    parameters: Object.fromEntries(variables.map((one) => [one.name, one.unit])),
    outputs: Object.fromEntries(outputs.map((one) => [one.name, one.unit])),
  };
  const text = (values: TableColumn['values']): (string | null)[] =>
    values.map((value) => (value === null ? null : String(value)));
  return {
    name,
    title: study.title ?? '',
    about: [
      `${format.plural(status.length, 'run')} of ${study.model.replace(/.*[\\/]/, '')}`,
      failed > 0 ? `${failed} failed` : '',
      study.design ? `design ${study.design.kind}` : `search ${study.search?.kind ?? ''}`,
      analysis ? '' : 'not finished',
      `tippetop ${identity.version}, engine ${identity.engine}`,
    ]
      .filter(Boolean)
      .join('; '),
    found: analysis ? analysisText(analysis, units) : [],
    columns: columns
      .filter(({ name: column }) => /^(?:p|out)\./.test(column))
      .map(({ name: column, unit, values }) => ({
        name: column.replace(/^(?:p|out)\./, ''),
        unit,
        role: column.startsWith('p.') ? ('parameter' as const) : ('output' as const),
        log: variables.some((one) => `p.${one.name}` === column && one.log === true),
        values: values.map((value) => (typeof value === 'number' && !Number.isFinite(value) ? null : value)),
      })),
    status,
    errors: text(columnOf(columns, 'run.error')),
    verdicts: text(columnOf(columns, 'run.verdict')),
    runs: keys.map((key) => (kept.has(recordingReport(key)) ? recordingReport(key) : null)),
    goals,
    pareto: (analysis?.pareto ?? []).map(({ row }) => row),
    best: analysis?.best?.row ?? null,
    convergence: analysis?.convergence ?? [],
    tornado: tornadoOf(facts, columns, analysis),
    fit: analysis?.fit
      ? {
          names: analysis.fit.parameters.map((one) => one.name),
          correlation: analysis.fit.correlation,
          signals: (analysis.fit.signals ?? []).map(({ signal, ...rest }) => ({ name: signal, ...rest })),
        }
      : null,
  };
}

/** The best measure there is of what matters: indices, effects, derivatives, or a plane through all runs */
function tornadoOf(
  { variables, outputs }: StudyFacts,
  columns: readonly TableColumn[],
  analysis: Analysis | undefined,
): TornadoChart[] {
  const { sobol, morris, local } = analysis ?? {};
  if (sobol)
    return Object.entries(sobol).map(([output, { indices }]) => ({
      output,
      measure:
        'Share of the variance that goes with the parameter, alone and with others (total Sobol index); the line is its 95 % bar.',
      bars: Object.entries(indices).map(([name, { total, totalBar }]) => ({ name, value: total, bar: totalBar })),
    }));
  if (morris)
    return Object.entries(morris).map(([output, effects]) => ({
      output,
      measure:
        'Mean size µ* of the elementary effects, over the whole range of the parameter; the line is its standard error.',
      bars: Object.entries(effects).map(([name, { meanSize, error }]) => ({ name, value: meanSize, bar: error })),
    }));
  if (local)
    return Object.entries(local.outputs).map(([output, derivatives]) => ({
      output,
      measure: 'Change in per cent by one per cent of the parameter, at the point of the study.',
      bars: Object.entries(derivatives)
        .filter(([, { relative }]) => Number.isFinite(relative))
        .map(([name, { relative, doubt }]) => ({ name, value: relative, ...(doubt && { doubt }) })),
    }));
  const numbers = (name: string): number[] =>
    columnOf(columns, name).map((value) => (typeof value === 'number' ? value : Number.NaN));
  const varying = variables.filter(({ name }) => new Set(numbers(`p.${name}`).filter(Number.isFinite)).size > 1);
  return outputs.flatMap(({ name, unit }): TornadoChart[] => {
    const told = linearSwings(
      varying.map((one) => numbers(`p.${one.name}`)),
      numbers(`out.${name}`),
    );
    if (!told) return [];
    return [
      {
        output: name,
        measure: `Swing${unit ? ` in ${unit}` : ''} from the least to the greatest value of the parameter, by a plane through all runs; the plane tells ${format.number(100 * told.rSquared, 3)} % of the variance (R²).`,
        bars: varying.map((one, k) => ({ name: one.name, value: told.swings[k] })),
      },
    ];
  });
}
