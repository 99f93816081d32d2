/**
 * A recording read piece by piece from an HDF5 file of the layout in document.ts: a row, a signal or the contacts of an instant
 * without the rest, so that a file of any size is looked through at once. At hand are texts, times, and where each instant's
 * records begin.
 *
 *   const reader = await RecordingReader.open(blobFile(dropped));
 *   await reader.row(17);                                              // all signals at times[17]
 *   (await reader.table('contacts').instant(17)).column('normalForce'); // all contacts at times[17]
 *
 * It sees the file as it was when it was opened; a run may go on meanwhile. Numbers are not checked against the hash: that takes
 * all of them (`readHdf5`).
 */
import { FileError, ModelError, suggestion } from '../../errors.js';
import type { ReadableFile } from '../readable-file.js';
import { instantIndex } from '../record-table.js';
import {
  type Origin,
  type RecordedEvent,
  RUN_STATES,
  type RunState,
  refuseTable,
  type SignalDescription,
} from '../recording.js';
import { readScene } from '../scene/scene-bytes.js';
import type { Scene } from '../scene.js';
import { Signal } from '../signal.js';
import type { Json, TrustReport } from '../trust-report.js';
import { PagedStore } from './byte-store.js';
import { Dataset } from './dataset.js';
import { FORMAT } from './document.js';
import { parsed, type RecordReader, readTable } from './record-reader.js';
import { Hdf5Source } from './source.js';

/** What a file says of itself, and its datasets. */
interface Content {
  readonly state: RunState;
  /** As it was written; empty while the run goes on. */
  readonly hash: string;
  readonly origin: Required<Omit<Origin, 'scene'>>;
  readonly scene: Scene | undefined;
  readonly trust: TrustReport;
  readonly signals: readonly Required<SignalDescription>[];
  readonly events: readonly RecordedEvent[];
  readonly times: Float64Array;
  readonly values: Dataset;
  readonly tables: readonly RecordReader[];
}

export class RecordingReader {
  readonly #content: Content;
  readonly #index = new Map<string, number>();

  /** @throws FileError if it is no such file, or one that was cut or damaged */
  static async open(file: ReadableFile, name = 'recording.h5'): Promise<RecordingReader> {
    return RecordingReader.read(await Hdf5Source.open(new PagedStore(file, name), name));
  }

  static async read(source: Hdf5Source): Promise<RecordingReader> {
    return new RecordingReader(await readContent(source));
  }

  private constructor(content: Content) {
    this.#content = content;
    for (const [i, { name }] of content.signals.entries()) this.#index.set(name, i);
  }

  get title(): string {
    return this.#content.origin.title;
  }
  get parameters(): { readonly [name: string]: Json } {
    return this.#content.origin.parameters;
  }
  get versions(): { readonly [name: string]: string } {
    return this.#content.origin.versions;
  }
  get state(): RunState {
    return this.#content.state;
  }
  get trust(): TrustReport {
    return this.#content.trust;
  }
  /** As it was written; empty while the run goes on. */
  get hash(): string {
    return this.#content.hash;
  }
  /** What there is to see; files of before have none. */
  get scene(): Scene | undefined {
    return this.#content.scene;
  }
  get signals(): readonly Required<SignalDescription>[] {
    return this.#content.signals;
  }
  get events(): readonly RecordedEvent[] {
    return this.#content.events;
  }
  get rows(): number {
    return this.#content.times.length;
  }
  /** s, never decreasing. Not to be written to. */
  get times(): Float64Array {
    return this.#content.times;
  }
  get tables(): readonly RecordReader[] {
    return this.#content.tables;
  }

  /** @throws ModelError with the nearest name if there is none */
  table(name: string): RecordReader {
    return (
      this.tables.find((table) => table.name === name) ??
      refuseTable(
        name,
        this.tables.map((table) => table.name),
      )
    );
  }

  /** All signals at an instant, in order; −1 is the last. */
  async row(index: number): Promise<Float64Array> {
    const k = instantIndex('row', index, this.rows);
    return this.#content.values.doubles(k, k + 1);
  }

  /**
   * @param progress told how much of the signal has been read, 0…1
   * @throws ModelError with the nearest name if there is none
   */
  async signal(name: string, progress?: (part: number) => void): Promise<Signal> {
    const i = this.#index.get(name);
    if (i === undefined)
      throw new ModelError('recording.signal', `there is no signal "${name}"${suggestion(name, this.#index.keys())}`);
    return new Signal(this.signals[i], this.times, await this.#content.values.column(i, progress));
  }

  /** All rows in bands, in order. */
  bands(): ReturnType<Dataset['bands']> {
    return this.#content.values.bands();
  }
}

async function readContent(source: Hdf5Source): Promise<Content> {
  const refuse = (where: string, defect: string): never => {
    throw new FileError(source.name, where, defect);
  };
  const attributes = await source.reading(() => source.textAttributes(source.root));
  const attribute = (name: string): string =>
    attributes.get(name) ?? refuse(`attribute ${name}`, 'expected a text, but there is none');
  const json = (name: string): { readonly [key: string]: Json } => {
    const value = parsed(attribute(name));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as { [key: string]: Json };
    return refuse(`attribute ${name}`, 'expected a JSON object');
  };
  const texts = async (path: string): Promise<string[]> => (await Dataset.open(source, path, 'text', 1)).texts();

  if (!attributes.has('format'))
    return refuse('', 'is an HDF5 file, but not a recording of tippetop: it has no attribute "format"');
  const format = attribute('format');
  if (format !== FORMAT)
    return refuse('attribute format', `expected "${FORMAT}", got ${JSON.stringify(format.slice(0, 60))}`);
  const state = attribute('state') as RunState;
  if (!RUN_STATES.includes(state)) return refuse('attribute state', `expected one of ${RUN_STATES.join(', ')}`);

  // Signals, and what made them
  const names = await texts('signals/name');
  const units = await texts('signals/unit');
  const descriptions = await texts('signals/description');
  const time = await Dataset.open(source, 'time', 'double', 1);
  const values = await Dataset.open(source, 'signals/values', 'double', 2);
  const [rows, width] = values.extents;
  if (time.extents[0] !== rows || ![names, units, descriptions].every((list) => list.length === width))
    return refuse('signals', `${time.extents[0]} times and ${names.length} names do not fit ${rows} × ${width} values`);
  const origin = {
    title: attribute('title'),
    parameters: json('parameters'),
    versions: json('versions') as { [name: string]: string },
  };

  // Events
  const eventNames = await texts('events/name');
  const eventTimes = await (await Dataset.open(source, 'events/time', 'double', 1)).doubles();
  if (eventTimes.length !== eventNames.length) return refuse('events', 'times and names are not equally many');

  // Records
  const root = await source.reading(() => source.links(source.root));
  const groups = root.has('records') ? await source.reading(() => source.links(root.get('records')!)) : [];
  const tables: RecordReader[] = [];
  for (const [name, header] of groups) tables.push(await readTable(source, name, header, rows));

  const scene = root.has('scene')
    ? readScene(await (await Dataset.open(source, 'scene', 'byte', 1)).bytes(), source.name)
    : undefined;

  return {
    scene,
    state,
    hash: attribute('hash'),
    origin,
    trust: json('trust') as TrustReport,
    signals: names.map((name, i) => ({ name, unit: units[i], description: descriptions[i] })),
    events: eventNames.map((name, i) => ({ time: eventTimes[i], name })),
    times: await time.doubles(),
    values,
    tables,
  };
}
