/** What was measured, from a CSV file: times and values in SI units, with how well each is known. */
import { FileError, ModelError, suggestion } from '../../errors.js';
import type { StudyMeasurements } from '../../model/study.js';
import { toSi } from './units.js';

export interface CsvColumn {
  readonly name: string;
  readonly unit: string;
  /** NaN where the field is empty */
  readonly values: readonly number[];
}

/** Columns of numbers under a line of names, units in brackets. Lines that begin with # are remarks. */
export function csvColumns(text: string, file: string): CsvColumn[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.startsWith('#'));
  const [head, ...rows] = lines;
  if (!head) throw new FileError(file, '', 'expected a line of column names, got nothing');
  const separator = [',', ';', '\t'].find((mark) => head.line.includes(mark)) ?? ',';
  const fields = (line: string): string[] =>
    line.split(separator).map((field) => field.trim().replace(/^"(.*)"$/, '$1'));
  const names = fields(head.line).map((name) => /^(.*?)\s*(?:[[(]([^\])]*)[\])])?$/.exec(name)!);
  const columns: CsvColumn[] = names.map(([, name, unit = '']) => ({ name, unit, values: [] as number[] }));
  for (const { line, number } of rows) {
    const values = fields(line);
    if (values.length !== columns.length)
      throw new FileError(
        file,
        `line ${number}`,
        `expected ${columns.length} fields, as in the line of names, got ${values.length}`,
      );
    values.forEach((text, i) => {
      const value = text === '' ? Number.NaN : Number(text);
      if (text !== '' && !/^nan$/i.test(text) && !Number.isFinite(value))
        throw new FileError(file, `line ${number}`, `expected a number in column "${columns[i].name}", got "${text}"`);
      (columns[i].values as number[]).push(value);
    });
  }
  return columns;
}

/** One signal as it was measured */
export interface MeasuredSignal {
  readonly signal: string;
  /** SI */
  readonly unit: string;
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** What a residual is divided by, SI */
  readonly deviation: number;
}

/**
 * @param unitOf SI unit of a signal of the model, undefined if there is none
 * @throws ModelError or FileError with the place of what does not fit
 */
export function measuredSignals(
  { file = '', time, signals = {} }: StudyMeasurements,
  columns: readonly CsvColumn[],
  unitOf: (signal: string) => string | undefined,
): MeasuredSignal[] {
  const find = (wanted: string, path: string): CsvColumn => {
    const plain = wanted.replace(/\s*[[(][^\])]*[\])]$/, '');
    const column = columns.find(({ name }) => name === plain);
    if (!column)
      throw new ModelError(
        path,
        `${file} has no column "${plain}"${
          suggestion(
            plain,
            columns.map(({ name }) => name),
          ) || `; it has ${columns.map(({ name }) => name).join(', ')}`
        }`,
      );
    return column;
  };
  const clock = time === undefined ? columns[0] : find(time, 'measurements.time');
  const toSeconds = toSi(clock.unit, 's', 'measurements.time');
  return Object.entries(signals).map(([signal, given]) => {
    const path = `measurements.signals.${signal}`;
    const { column: name, deviation, weight = 1 } = typeof given === 'string' ? { column: given } : given;
    const si = unitOf(signal);
    if (si === undefined) throw new ModelError(path, `the model has no signal "${signal}"`);
    const column = find(name, path);
    const factor = toSi(column.unit, si, path);
    const rows = column.values.flatMap((value, i) =>
      Number.isFinite(value) && Number.isFinite(clock.values[i]) ? [i] : [],
    );
    if (rows.length === 0) throw new ModelError(path, `column "${column.name}" of ${file} holds no number`);
    const times = rows.map((i) => toSeconds * clock.values[i]);
    if (times.some((t) => t < 0))
      throw new ModelError('measurements.time', `expected times ≥ 0 s, the run's own, got ${Math.min(...times)}`);
    const values = rows.map((i) => factor * column.values[i]);
    if (deviation !== undefined || weight !== 1)
      return { signal, unit: si, times, values, deviation: (deviation ?? 1) / Math.sqrt(weight || Number.MIN_VALUE) };
    // nothing said: signals of different units count alike, by how much each varies
    const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    const spread = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) * (v - mean), 0) / values.length);
    return { signal, unit: si, times, values, deviation: Object.keys(signals).length > 1 && spread > 0 ? spread : 1 };
  });
}

/** Time between recorded rows such that measured times are rows, where they are regular; else a quarter of their smallest distance */
export function intervalFor(measured: readonly MeasuredSignal[], usual: number): number {
  const times = [...new Set(measured.flatMap(({ times }) => times))].sort((a, b) => a - b);
  let gap = Infinity;
  for (let i = 1; i < times.length; i++)
    if (times[i] - times[i - 1] > 1e-12) gap = Math.min(gap, times[i] - times[i - 1]);
  if (times[0] > 0) gap = Math.min(gap, times[0]);
  if (!(gap < Infinity)) return usual;
  const regular = times.every((t) => Math.abs(t / gap - Math.round(t / gap)) < 1e-6);
  if (!regular) return Math.min(usual, Math.max(gap / 4, usual / 20));
  return gap / Math.max(1, Math.ceil(gap / usual - 1e-9));
}
