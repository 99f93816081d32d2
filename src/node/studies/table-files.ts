/** Results of a study as a table: Parquet for programs, CSV for people. Same rows, same bytes, wherever and in which order they were computed. */
import { readFileSync } from 'node:fs';
import { writeBytes } from '../cad-files.js';
import { systemError } from '../system-error.js';

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

/** The table that `writeTableCsv` wrote; a parameter's column is of numbers where all its fields are */
export function readTableCsv(path: string): TableColumn[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw systemError(path, error, 'read');
  }
  const lines = csvFields(text);
  const [head = [], ...rows] = lines;
  return head.map((title, i): TableColumn => {
    const [, name, unit = ''] = /^(.*?)(?: \[([^\]]*)\])?$/.exec(title)!;
    const fields = rows.map((row) => row[i] ?? '');
    const isText = /^run\.(?:status|error|verdict|key)$/.test(name);
    const filled = fields.filter((one) => one !== '');
    const type = isText
      ? 'text'
      : name === 'run.steps'
        ? 'count'
        : filled.every((one) => one === 'true' || one === 'false') && filled.length > 0
          ? 'truth'
          : filled.every((one) => one === 'NaN' || !Number.isNaN(Number(one)))
            ? 'number'
            : 'text';
    const value = (one: string): number | string | boolean | null =>
      one === '' ? null : type === 'text' ? one : type === 'truth' ? one === 'true' : Number(one);
    return { name, unit, type, values: fields.map(value) };
  });
}

/** RFC 4180: fields in quotes may hold commas, quotes and line ends */
function csvFields(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const next = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  for (let match = next.exec(text); match && next.lastIndex <= text.length; match = next.exec(text)) {
    row.push(match[1] !== undefined ? match[1].replaceAll('""', '"') : match[2]);
    if (match[3] === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    if (match[3] === '') break;
  }
  return rows;
}

const field = (value: number | string | boolean | null): string =>
  value === null ? '' : typeof value === 'string' ? quoted(value) : Object.is(value, -0) ? '-0' : String(value);

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
