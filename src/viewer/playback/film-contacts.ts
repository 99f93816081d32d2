/**
 * Contacts of a film: those of its instants, and where they are too many the strongest of each instant. The sum of all normal forces is
 * kept apart, so that the strip of forces is right even so.
 */
import { deflate, inflate } from '../../geometry/deflate.js';
import { CONTACT, CONTACT_COLUMNS } from '../../results/contact-records.js';
import { Columns, RecordInstant, type RecordTable, type RecordValues } from '../../results/record-table.js';
import { floatCoded, fromFloatCoded, fromPlanes, planes } from './number-coding.js';

/** What a record takes when packed, bytes: 27 numbers of 3 bytes, of which deflate leaves half, and three whole ones */
const RECORD_BYTES = 48;

export interface FilmContacts {
  readonly labels: readonly string[];
  /** One more than instants: the first row of each, then the number of rows */
  readonly first: Uint32Array;
  /** N, sum of all normal forces at each instant, also of those that are left out */
  readonly forces: Float64Array;
  /** Rows that were left out */
  readonly missing: number;
  /** Column by column: whole numbers 4 bytes each, others as float24 */
  readonly columns: Uint8Array;
}

const isWhole = (column: number): boolean => (CONTACT_COLUMNS[column].type ?? 'f64') !== 'f64';

/** Sum of the normal forces at each row of the recording. */
export function totalForces(table: RecordTable): Float64Array {
  const { first, instants } = table;
  const force = table.column(CONTACT.normalForce);
  const sums = new Float64Array(instants);
  for (let k = 0; k < instants; k++) for (let row = first[k]; row < first[k + 1]; row++) sums[k] += force[row];
  return sums;
}

/**
 * @param rows of the recording that are the film's instants
 * @param budget bytes
 */
export function packContacts(table: RecordTable, rows: Uint32Array, sums: Float64Array, budget: number): FilmContacts {
  const { first } = table;
  const force = table.column(CONTACT.normalForce);
  const count = rows.reduce((sum, row) => sum + first[row + 1] - first[row], 0);
  // The greatest number per instant with which all fit
  let [low, most] = [1, count];
  const fits = (each: number): boolean =>
    rows.reduce((sum, row) => sum + Math.min(each, first[row + 1] - first[row]), 0) * RECORD_BYTES <= budget;
  while (low < most) {
    const middle = Math.ceil((low + most) / 2);
    if (fits(middle)) low = middle;
    else most = middle - 1;
  }
  const kept: number[] = [];
  const starts = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    const own = Array.from({ length: first[row + 1] - first[row] }, (_, k) => first[row] + k);
    if (own.length > low) {
      own.sort((a, b) => force[b] - force[a] || a - b);
      own.length = low;
      own.sort((a, b) => a - b);
    }
    for (const record of own) kept.push(record);
    starts[i + 1] = kept.length;
  });

  // Only labels that are left have a number
  const numbers = new Map<number, number>();
  const pair = table.column(CONTACT.pair);
  const codes = kept.map((record) => {
    const label = pair[record];
    if (!numbers.has(label)) numbers.set(label, numbers.size);
    return numbers.get(label)!;
  });
  const parts = CONTACT_COLUMNS.map((_, c) => {
    if (c === CONTACT.pair) return planes(Int32Array.from(codes), 4);
    const values = table.column(c);
    const own = kept.map((record) => values[record]);
    return isWhole(c) ? planes(Int32Array.from(own), 4) : floatCoded(own);
  });
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return {
    labels: [...numbers.keys()].map((label) => table.labels[label]),
    first: starts,
    forces: Float64Array.from(rows, (row) => Math.fround(sums[row])),
    missing: count - kept.length,
    columns: deflate(whole),
  };
}

/** Contacts of a film at any of its instants. */
export class ContactsReader {
  readonly #columns = new Columns('contacts', CONTACT_COLUMNS);
  #values: readonly RecordValues[] | undefined;

  /** @param refuse throws a FileError with what is wrong */
  constructor(
    private readonly contacts: FilmContacts,
    private readonly refuse: (defect: string) => never,
  ) {}

  instant(k: number): RecordInstant {
    const { first } = this.contacts;
    const [from, to] = [first[k], first[k + 1]];
    return new RecordInstant(
      this.#columns,
      to - from,
      this.#unpacked().map((values) => values.subarray(from, to)),
    );
  }

  /** Sum of the normal forces at every instant, N; of some pairs only as far as they are kept. */
  forces(pairs?: ReadonlySet<number>): Float64Array {
    const { first, forces } = this.contacts;
    if (!pairs) return forces.slice();
    const values = this.#unpacked();
    const sums = new Float64Array(first.length - 1);
    for (let k = 0; k < sums.length; k++)
      for (let row = first[k]; row < first[k + 1]; row++)
        if (pairs.has(values[CONTACT.pair][row])) sums[k] += values[CONTACT.normalForce][row];
    return sums;
  }

  #unpacked(): readonly RecordValues[] {
    if (this.#values) return this.#values;
    const { first, columns } = this.contacts;
    const rows = first[first.length - 1];
    const widths = CONTACT_COLUMNS.map((_, c) => (isWhole(c) ? 4 : 3));
    const size = rows * widths.reduce((sum, width) => sum + width, 0);
    const whole = inflate(columns, size) ?? this.refuse('is damaged: its contacts cannot be unpacked');
    let at = 0;
    this.#values = widths.map((width, c) => {
      const own = whole.subarray(at, (at += rows * width));
      return isWhole(c) ? fromPlanes(own, 4) : fromFloatCoded(own);
    });
    return this.#values;
  }
}
