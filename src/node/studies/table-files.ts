/** Results of a study as a table: Parquet for programs, CSV for people. Same rows, same bytes, wherever and in which order they were computed. */
import { writeBytes } from '../cad-files.js';

export interface TableColumn {
  /** `p.length`, `out.period`, `run.status` */
  readonly name: string;
  readonly unit: string;
  readonly type: 'number' | 'text' | 'truth' | 'count';
  /** Null where there is nothing */
  readonly values: readonly (number | string | boolean | null)[];
}

/** @param facts told in the file's own metadata: study, version, units */
export async function writeParquet(
  path: string,
  columns: readonly TableColumn[],
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const types = { number: 'DOUBLE', text: 'STRING', truth: 'BOOLEAN', count: 'INT32' } as const;
  const buffer = parquetWriteBuffer({
    columnData: columns.map(({ name, type, values }) => ({
      name,
      data: [...values],
      type: types[type],
      nullable: true,
    })),
    kvMetadata: Object.entries({
      ...facts,
      units: JSON.stringify(Object.fromEntries(columns.map(({ name, unit }) => [name, unit]))),
    }).map(([key, value]) => ({ key, value })),
  });
  await writeBytes(path, new Uint8Array(buffer));
}

export async function writeTableCsv(path: string, columns: readonly TableColumn[]): Promise<void> {
  const lines = [columns.map(({ name, unit }) => quoted(unit ? `${name} [${unit}]` : name)).join(',')];
  const rows = columns[0]?.values.length ?? 0;
  for (let row = 0; row < rows; row++) lines.push(columns.map(({ values }) => field(values[row])).join(','));
  await writeBytes(path, `${lines.join('\r\n')}\r\n`);
}

const field = (value: number | string | boolean | null): string =>
  value === null ? '' : typeof value === 'string' ? quoted(value) : Object.is(value, -0) ? '-0' : String(value);

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
