/** A recording in pieces: what has been added since the last look, and the way to put it together again on the other side. */

import type { RecordTable, RecordValues } from '../../results/record-table.js';
import { Recording } from '../../results/recording.js';
import type { Rows, RunHead, TableRows } from './messages.js';

/** Tells what a recording has more than at the last call. */
export class RowSender {
  #rows = 0;
  #events = 0;
  readonly #labels: number[];

  constructor(private readonly recording: Recording) {
    this.#labels = recording.tables.map(() => 0);
  }

  get waiting(): number {
    return this.recording.rows - this.#rows;
  }

  take(pace: number, step: number): Rows {
    const { recording } = this;
    const { samples } = recording;
    const [from, to] = [this.#rows, recording.rows];
    const width = recording.signals.length;
    const times = new Float64Array(to - from);
    const values = new Float64Array(width * (to - from));
    for (const run of samples.runs(from, to)) {
      times.set(run.times, run.start - from);
      values.set(run.values, width * (run.start - from));
    }
    const tables = recording.tables.map((table, i) => {
      const labels = table.labels.slice(this.#labels[i]);
      this.#labels[i] = table.labels.length;
      return { ...rowsOf(table, from, to), labels };
    });
    const events = recording.events.slice(this.#events);
    this.#rows = to;
    this.#events = recording.events.length;
    return { times, values, tables, events, pace, step };
  }
}

function rowsOf(table: RecordTable, from: number, to: number): Omit<TableRows, 'labels'> {
  const { first } = table;
  const counts = new Int32Array(to - from);
  for (let i = from; i < to; i++) counts[i - from] = first[i + 1] - first[i];
  return { counts, values: table.columns.map((_, c) => table.column(c).slice(first[from], first[to])) };
}

/** The buffers of a message, to be handed over and not copied */
export const buffersOf = ({ times, values, tables }: Rows): ArrayBuffer[] =>
  [times, values, ...tables.flatMap((table) => [table.counts, ...table.values])].map(
    (array) => array.buffer as ArrayBuffer,
  );

/** An empty recording like the one at the other side */
export function recordingLike({ title, signals, tables, parameters, versions }: RunHead): Recording {
  const recording = new Recording(signals, { title, parameters, versions });
  for (const { name, columns } of tables) recording.addTable(name, columns);
  return recording;
}

/** Adds rows as they came: the same numbers in the same order, so that the hash is the same. */
export function addRows(recording: Recording, { times, values, tables, events }: Rows): void {
  const width = recording.signals.length;
  const own = recording.tables;
  const next = tables.map(() => 0);
  const row: number[] = [];
  // Labels first: rows speak of them.
  tables.forEach(({ labels }, t) => {
    for (const label of labels) own[t].label(label);
  });
  for (let i = 0; i < times.length; i++) {
    tables.forEach(({ counts, values: columns }, t) => {
      for (let k = 0; k < counts[i]; k++) {
        row.length = columns.length;
        columns.forEach((column: RecordValues, c) => {
          row[c] = column[next[t]];
        });
        own[t].append(times[i], row);
        next[t]++;
      }
    });
    recording.append(times[i], values.subarray(width * i, width * (i + 1)));
  }
  for (const { time, name } of events) recording.addEvent(time, name);
}
