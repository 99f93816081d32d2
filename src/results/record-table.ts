/**
 * Records: what comes and goes during a run, any number of rows at each recorded instant. Contacts are the first of them.
 *
 *   const contacts = recording.addTable('contacts', [{ name: 'pair', type: 'label' }, { name: 'depth', unit: 'm' }]);
 *   contacts.append(0.1, [contacts.label('ball – floor'), 2e-6]); // as often as there are contacts at 0.1 s
 *   recording.append(0.1, signals);                               // this closes the instant, of all tables
 *   contacts.instant(-1).column('depth');                         // those of the last instant
 *
 * Rows of an instant come before the row of signals with its time. So an instant is recorded whole or not at all, and a file
 * that is written meanwhile never holds half of one.
 *
 * Each column lies in one array, which doubles when it is full; `first[k]` is the first row of instant k and `first[k + 1]` the
 * one after its last, so that all of an instant is a slice. Rows of a closed instant never change.
 */
import { ModelError, suggestion } from '../errors.js';
import { Hash } from '../math/hash.js';

/**
 * `f64`: doubles. `i32`: whole numbers of 32 bits. `label`: places in the table's list of texts, kept as `i32`.
 */
export type RecordType = 'f64' | 'i32' | 'label';
export const RECORD_TYPES: readonly RecordType[] = ['f64', 'i32', 'label'];

export interface RecordColumn {
  /** Letters, digits, _ and dots, e.g. `point.x`; unique in the table */
  readonly name: string;
  /** SI unit as text, e.g. `m/s`; empty or absent if there is none */
  readonly unit?: string;
  /** What it is, in words */
  readonly quantity?: string;
  /** Default `f64` */
  readonly type?: RecordType;
}

export type RecordValues = Float64Array | Int32Array;

/** All rows of one instant. Not to be written to. */
export class RecordInstant {
  readonly count: number;
  /** Values column by column, `count` each. */
  readonly values: readonly RecordValues[];
  readonly #table: Columns;

  constructor(table: Columns, count: number, values: readonly RecordValues[]) {
    this.#table = table;
    this.count = count;
    this.values = values;
  }

  /** @throws ModelError with the nearest name if there is no such column */
  column(name: string): RecordValues {
    return this.values[this.#table.index(name)];
  }
}

/** The columns of a table and where each is. */
export class Columns {
  readonly list: readonly Required<RecordColumn>[];
  readonly #table: string;
  readonly #index = new Map<string, number>();

  constructor(table: string, columns: readonly RecordColumn[]) {
    this.#table = table;
    this.list = columns.map(({ name, unit = '', quantity = '', type = 'f64' }) => ({ name, unit, quantity, type }));
    if (!(columns.length >= 1 && columns.length <= MOST_COLUMNS))
      throw new ModelError(`recording.${table}`, `expected 1 to ${MOST_COLUMNS} columns, got ${columns.length}`);
    for (const [i, { name, type }] of this.list.entries()) {
      const path = `recording.${table}.columns[${i}]`;
      if (!COLUMN_NAME.test(name) || TAKEN.includes(name))
        throw new ModelError(
          `${path}.name`,
          `expected letters, digits, _ and dots, and none of ${TAKEN.join(', ')}; got "${name}"`,
        );
      if (this.#index.has(name))
        throw new ModelError(`${path}.name`, `"${name}" is already the name of column ${this.#index.get(name)}`);
      if (!RECORD_TYPES.includes(type))
        throw new ModelError(`${path}.type`, `expected one of ${RECORD_TYPES.join(', ')}, got "${type}"`);
      this.#index.set(name, i);
    }
  }

  index(name: string): number {
    const index = this.#index.get(name);
    if (index === undefined)
      throw new ModelError(
        `recording.${this.#table}`,
        `there is no column "${name}"${suggestion(name, this.#index.keys()) || `; there are ${[...this.#index.keys()].join(', ')}`}`,
      );
    return index;
  }
}

const TABLE_NAME = /^[A-Za-z]\w{0,63}$/;
const COLUMN_NAME = /^[A-Za-z][\w.]{0,63}$/;
const TAKEN = ['time', 'offset', 'labels']; // what stands beside the columns in a file
const MOST_COLUMNS = 250; // what a group of a file has links for, with some to spare
const MOST_ROWS = 0x7fffffff; // `first` counts in 32 bits
const FIRST_ROWS = 64;

export class RecordTable {
  readonly name: string;
  readonly #columns: Columns;
  #values: RecordValues[];
  #capacity = FIRST_ROWS; // rows
  #rows = 0; // with those of the open instant
  #openTime = Number.NaN; // of the rows that no instant has yet, s
  #lastTime = Number.NEGATIVE_INFINITY; // s
  #first = new Int32Array(FIRST_ROWS);
  #instants = 0;
  readonly #labels: string[] = [];
  readonly #places = new Map<string, number>();
  #rowHash = new Hash();
  #labelHash = new Hash();

  /** Use `Recording.addTable`. */
  constructor(name: string, columns: readonly RecordColumn[]) {
    if (!TABLE_NAME.test(name))
      throw new ModelError('recording.addTable', `expected a name of letters, digits and _, got "${name}"`);
    this.name = name;
    this.#columns = new Columns(name, columns);
    this.#values = this.columns.map(({ type }) => arrayOf(type, FIRST_ROWS));
  }

  get columns(): readonly Required<RecordColumn>[] {
    return this.#columns.list;
  }

  /** Rows of all closed instants. */
  get rows(): number {
    return this.#first[this.#instants];
  }

  /** Closed instants: as many as the recording has rows. */
  get instants(): number {
    return this.#instants;
  }

  /** One more than instants: the first row of each, then the number of rows. Not to be written to. */
  get first(): Int32Array {
    return this.#first.subarray(0, this.#instants + 1);
  }

  /** Texts that columns of type `label` refer to, in the order they came. */
  get labels(): readonly string[] {
    return this.#labels;
  }

  /** The place of a text among the labels; one that is not there yet is added. */
  label(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#labels.length);
    this.#labelHash.text(text);
    return this.#labels.push(text) - 1;
  }

  /**
   * Copies one row into the instant that the next row of the recording closes.
   *
   * @param time s; that of all rows of the instant, and not before the last one
   * @param values one per column, in order
   */
  append(time: number, values: ArrayLike<number>): void {
    const path = `recording.${this.name}`;
    const open = this.#rows > this.rows;
    if (open ? time !== this.#openTime : !(time >= this.#lastTime) || time === Number.POSITIVE_INFINITY)
      throw new ModelError(
        path,
        open
          ? `has rows of t = ${this.#openTime} s that wait for recording.append(${this.#openTime}, …), got one of t = ${time} s`
          : `expected a time ≥ ${this.#lastTime} s, got ${time}`,
      );
    const { list } = this.#columns;
    if (values.length !== list.length)
      throw new ModelError(path, `expected ${list.length} values at t = ${time} s, got ${values.length}`);
    if (this.#rows === this.#capacity) this.#grow();
    const row = this.#rows;
    for (let i = 0; i < list.length; i++) {
      const value = values[i];
      const { type } = list[i];
      if (
        type !== 'f64' &&
        ((value | 0) !== value || (type === 'label' && !(value >= 0 && value < this.#labels.length)))
      )
        throw new ModelError(
          `${path}.${list[i].name}`,
          type === 'label'
            ? `expected the place of one of ${this.#labels.length} labels at t = ${time} s, got ${value}; label(text) gives it`
            : `expected a whole number of 32 bits at t = ${time} s, got ${value}`,
        );
      this.#values[i][row] = value;
    }
    this.#openTime = time;
    this.#rows++;
  }

  #grow(): void {
    if (this.#capacity === MOST_ROWS)
      throw new ModelError(`recording.${this.name}`, `holds at most ${MOST_ROWS} rows; record less often`);
    this.#capacity = Math.min(MOST_ROWS, 2 * this.#capacity);
    this.#values = this.#values.map((values, i) => {
      const grown = arrayOf(this.columns[i].type, this.#capacity);
      grown.set(values);
      return grown;
    });
  }

  /** @throws ModelError if rows of another time wait to be closed */
  checkOpen(time: number): void {
    if (this.#rows > this.rows && this.#openTime !== time)
      throw new ModelError('recording.append', `${this.name} has rows of t = ${this.#openTime} s, got t = ${time} s`);
  }

  /** Ends the instant; `Recording.append` does that. */
  close(time: number): void {
    const [from, to] = [this.rows, this.#rows];
    this.#rowHash.word(to - from);
    for (const values of this.#values) for (let row = from; row < to; row++) this.#rowHash.number(values[row]);
    this.#instants++;
    if (this.#instants === this.#first.length) {
      const grown = new Int32Array(2 * this.#first.length);
      grown.set(this.#first);
      this.#first = grown;
    }
    this.#first[this.#instants] = to;
    this.#lastTime = time;
  }

  /** @returns the way back: rows and labels that come from now on are forgotten by it */
  keepPlace(): () => void {
    const { rows } = this;
    const [instants, last, labels] = [this.#instants, this.#lastTime, this.#labels.length];
    const [rowHash, labelHash] = [this.#rowHash.copy(), this.#labelHash.copy()];
    return () => {
      this.#rows = rows;
      this.#instants = instants;
      this.#lastTime = last;
      this.#openTime = Number.NaN;
      for (const text of this.#labels.splice(labels)) this.#places.delete(text);
      this.#rowHash = rowHash.copy();
      this.#labelHash = labelHash.copy();
    };
  }

  /** All values of a column, by name or place. Not to be written to. */
  column(name: string | number): RecordValues {
    return this.#values[typeof name === 'number' ? name : this.#columns.index(name)].subarray(0, this.rows);
  }

  /** All rows of an instant; −1 is the last. */
  instant(index: number): RecordInstant {
    const k = instantIndex(this.name, index, this.#instants);
    const [from, to] = [this.#first[k], this.#first[k + 1]];
    return new RecordInstant(
      this.#columns,
      to - from,
      this.#values.map((values) => values.subarray(from, to)),
    );
  }

  /** Fingerprint of all closed instants, of each the number of rows and then column after column; and of the labels. */
  get hash(): string {
    return new Hash().text(this.#rowHash.hex()).text(this.#labelHash.hex()).hex();
  }
}

export const arrayOf = (type: RecordType, length: number): RecordValues =>
  type === 'f64' ? new Float64Array(length) : new Int32Array(length);

/** The instant that an index means, counted from the end if negative. */
export function instantIndex(table: string, index: number, instants: number): number {
  const k = index < 0 ? instants + index : index;
  if (!(Number.isInteger(k) && k >= 0 && k < instants))
    throw new ModelError(
      `recording.${table}`,
      instants === 0 ? 'nothing is recorded yet' : `expected an instant from 0 to ${instants - 1}, got ${index}`,
    );
  return k;
}
