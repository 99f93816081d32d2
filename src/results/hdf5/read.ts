/** Whole recordings from HDF5 files of the layout in document.ts, checked against their hash. */
import { FileError } from '../../errors.js';
import type { RecordInstant, RecordTable } from '../record-table.js';
import { Recording } from '../recording.js';
import { WholeStore } from './byte-store.js';
import { type RecordReader, refusing } from './record-reader.js';
import { RecordingReader } from './recording-reader.js';
import { Hdf5Source } from './source.js';

/**
 * Reads a recording, also that of a run that goes on or was killed.
 *
 * @throws FileError if the bytes are not such a file, or were damaged: cut, or with other numbers than its hash says
 */
export async function readHdf5(bytes: Uint8Array, fileName = 'recording.h5'): Promise<Recording> {
  const reader = await RecordingReader.read(await Hdf5Source.open(new WholeStore(bytes), fileName));
  const { signals, times, title, parameters, versions, scene } = reader;
  const recording = refusing(fileName, 'signals', () => new Recording(signals, { title, parameters, versions, scene }));
  recording.trust = reader.trust;
  recording.state = reader.state;

  // Rows, each after the records of its instant
  const records = reader.tables.map((table) => new RecordCopy(table, recording, fileName));
  const width = signals.length;
  for await (const { start, count, values } of reader.bands())
    for (let i = 0; i < count; i++) {
      const row = start + i;
      for (const table of records) {
        if (table.needs(row)) await table.load();
        table.append(row, times[row]);
      }
      refusing(fileName, `row ${row}`, () => recording.append(times[row], values.subarray(i * width, (i + 1) * width)));
    }
  if (reader.hash !== '' && reader.hash !== recording.hash)
    throw new FileError(
      fileName,
      '',
      `is damaged: its numbers have the hash ${recording.hash}, but were written with ${reader.hash}`,
    );
  for (const [i, { time, name }] of reader.events.entries())
    refusing(fileName, `event ${i}`, () => recording.addEvent(time, name));
  return recording;
}

const PART_ROWS = 8192;

/** Brings the records of a file into a recording, some thousand rows at a time. */
class RecordCopy {
  readonly #from: RecordReader;
  readonly #to: RecordTable;
  readonly #fileName: string;
  readonly #row: Float64Array;
  #part: RecordInstant | undefined;
  #start = 0; // of the part
  #end = 0;

  constructor(from: RecordReader, recording: Recording, fileName: string) {
    const { name, columns, labels } = from;
    this.#from = from;
    this.#fileName = fileName;
    this.#row = new Float64Array(columns.length);
    this.#to = refusing(fileName, `records/${name}`, () => recording.addTable(name, columns));
    for (const [i, label] of labels.entries())
      if (this.#to.label(label) !== i)
        throw new FileError(fileName, `records/${name}`, `is damaged: label ${i} stands there twice`);
  }

  /** Whether rows of an instant are not loaded yet. */
  needs(instant: number): boolean {
    return this.#from.first[instant + 1] > this.#end;
  }

  /** The next rows: of whole instants, so that none is in two parts. */
  async load(): Promise<void> {
    const { first, rows, instants } = this.#from;
    this.#start = this.#end;
    const enough = Math.min(rows, this.#start + PART_ROWS);
    let [low, high] = [0, instants];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (first[middle] >= enough) high = middle;
      else low = middle + 1;
    }
    this.#end = first[low];
    this.#part = await this.#from.slice(this.#start, this.#end);
  }

  append(instant: number, time: number): void {
    const { first, name } = this.#from;
    for (let row = first[instant]; row < first[instant + 1]; row++) {
      const { values } = this.#part!;
      for (let i = 0; i < values.length; i++) this.#row[i] = values[i][row - this.#start];
      refusing(this.#fileName, `records/${name}, row ${row}`, () => this.#to.append(time, this.#row));
    }
  }
}
