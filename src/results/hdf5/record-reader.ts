/** A table of records in an HDF5 file, of which any part is read without the rest. */
import { FileError } from '../../errors.js';
import {
  Columns,
  instantIndex,
  RECORD_TYPES,
  type RecordColumn,
  RecordInstant,
  type RecordType,
  type RecordValues,
} from '../record-table.js';
import { Dataset } from './dataset.js';
import { elementOf } from './document.js';
import type { Hdf5Source } from './source.js';

export class RecordReader {
  readonly name: string;
  readonly labels: readonly string[];
  /** One more than instants: the first row of each, then the number of rows. */
  readonly first: Int32Array;
  readonly #columns: Columns;
  readonly #datasets: readonly Dataset[];

  constructor(
    name: string,
    columns: Columns,
    { labels, first, datasets }: { labels: readonly string[]; first: Int32Array; datasets: readonly Dataset[] },
  ) {
    this.name = name;
    this.labels = labels;
    this.first = first;
    this.#columns = columns;
    this.#datasets = datasets;
  }

  get columns(): readonly Required<RecordColumn>[] {
    return this.#columns.list;
  }

  get instants(): number {
    return this.first.length - 1;
  }

  get rows(): number {
    return this.first[this.instants];
  }

  /** All rows of an instant; −1 is the last. */
  async instant(index: number): Promise<RecordInstant> {
    const k = instantIndex(this.name, index, this.instants);
    return this.slice(this.first[k], this.first[k + 1]);
  }

  /** The rows from..to − 1. */
  async slice(from: number, to: number): Promise<RecordInstant> {
    const values = await Promise.all(this.columns.map((_, i) => this.#read(i, from, to)));
    return new RecordInstant(this.#columns, to - from, values);
  }

  /** All values of a column, or those of the rows from..to − 1. */
  async column(name: string, from = 0, to = this.rows): Promise<RecordValues> {
    return this.#read(this.#columns.index(name), from, to);
  }

  #read(column: number, from: number, to: number): Promise<RecordValues> {
    const dataset = this.#datasets[column];
    return this.columns[column].type === 'f64' ? dataset.doubles(from, to) : dataset.ints(from, to);
  }
}

/**
 * The table of a group.
 *
 * @param rows of /time: how many instants count
 */
export async function readTable(source: Hdf5Source, name: string, header: number, rows: number): Promise<RecordReader> {
  const path = `records/${name}`;
  const refuse = (defect: string): never => {
    throw new FileError(source.name, path, defect);
  };
  const names = parsed((await source.reading(() => source.textAttributes(header))).get('columns') ?? '');
  if (!Array.isArray(names) || !names.every((column) => typeof column === 'string'))
    return refuse('expected an attribute "columns" with a JSON list of names');
  const links = await source.reading(() => source.links(header));
  const columns: RecordColumn[] = [];
  for (const column of names as string[]) {
    const at = links.get(column) ?? refuse(`has no column ${JSON.stringify(column.slice(0, 60))}`);
    const texts = await source.reading(() => source.textAttributes(at));
    const type = texts.get('type') as RecordType;
    if (!RECORD_TYPES.includes(type))
      return refuse(`expected an attribute "type" of ${column} out of ${RECORD_TYPES.join(', ')}`);
    columns.push({ name: column, unit: texts.get('unit') ?? '', quantity: texts.get('quantity') ?? '', type });
  }
  const described = refusing(source.name, path, () => new Columns(name, columns));
  const first = await (await Dataset.open(source, `${path}/offset`, 'int', 1, rows + 1)).ints();
  if (first[0] !== 0 || first.some((row, i) => i > 0 && row < first[i - 1]))
    return refuse('is damaged: its offsets do not rise from 0');
  const labels = await (await Dataset.open(source, `${path}/labels`, 'text', 1)).texts();
  const datasets: Dataset[] = [];
  for (const { name: column, type } of described.list)
    datasets.push(await Dataset.open(source, `${path}/${column}`, elementOf(type), 1, first[rows]));
  return new RecordReader(name, described, { labels, first, datasets });
}

/** The value of a JSON text; undefined if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs something that refuses bad input with a ModelError, and says in which file that was. */
export function refusing<T>(fileName: string, where: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new FileError(fileName, where, (error as Error).message);
  }
}
