/**
 * The layout of a recording in HDF5:
 *
 *   /                      attributes, all text: format, title, state, hash, and as JSON parameters, versions, trust
 *   /time                  [rows], s
 *   /signals/values        [rows × signals]
 *   /signals/name          [signals], text
 *   /signals/unit          [signals], text
 *   /signals/description   [signals], text
 *   /events/time           [events], s
 *   /events/name           [events], text
 *   /scene                 [bytes]: what there is to see (scene/scene-bytes.ts), if it was told
 *   /records/<table>       a group for each table, none if there is none; its attribute columns has their names in order, as JSON
 *   /records/<t>/<column>  [records], doubles or whole numbers; attributes unit, quantity, type
 *   /records/<t>/offset    [rows + 1]: those of row k of /time are offset[k] … offset[k + 1] − 1
 *   /records/<t>/labels    [labels], text: what columns of type "label" count from 0
 *
 * The number of rows is that of /time. In a file whose run was killed, offset and columns may be longer: what is beyond
 * offset[rows] is of a flush that did not come to its end, and does not count.
 */
import type { RecordColumn, RecordTable, RecordType } from '../record-table.js';
import type { Recording } from '../recording.js';
import { toJson } from '../trust-report.js';
import { ByteWriter } from './byte-writer.js';
import * as h5 from './structures.js';

export const FORMAT = 'tippetop recording 1';

/** Rows of a chunk of full width: about 1 MiB. */
export const chunkRows = (width: number): number => Math.min(4096, Math.max(1, Math.floor(131_072 / width)));

/** Bytes of an element as a file has it. */
export const ELEMENT = { double: 8, int: 4, text: 16, byte: 1 } as const;
export type ElementType = keyof typeof ELEMENT;

export const elementOf = (type: RecordType): 'double' | 'int' => (type === 'f64' ? 'double' : 'int');

const TYPE_MESSAGE: Readonly<Record<ElementType, () => Uint8Array>> = {
  double: h5.doubleType,
  int: h5.intType,
  text: h5.textType,
  byte: h5.byteType,
};
const typeMessage = (type: ElementType): Uint8Array => TYPE_MESSAGE[type]();

/** Object header of a dataset in chunks. */
export const chunkedDataset = (
  type: ElementType,
  extents: readonly number[],
  most: readonly number[],
  chunk: readonly number[],
  tree: number,
  more: readonly Uint8Array[] = [],
): Uint8Array =>
  h5.objectHeader([
    h5.dataspace(extents, most),
    typeMessage(type),
    h5.fillValue(),
    h5.chunkedLayout(tree, chunk, ELEMENT[type]),
    ...more,
  ]);

/** Bytes to be written at the address that was asked for, and the object header in them. */
export interface Placed {
  readonly bytes: Uint8Array;
  readonly header: number;
}

/**
 * /signals with the texts that describe them.
 *
 * @param values address of the object header of /signals/values
 */
export function signalGroup({ signals }: Recording, address: number, values: number): Placed {
  const heap = new h5.TextHeap(address);
  const names = references(
    heap,
    signals.map(({ name }) => name),
  );
  const units = references(
    heap,
    signals.map(({ unit }) => unit),
  );
  const descriptions = references(
    heap,
    signals.map(({ description }) => description),
  );
  const site = new Site(address, heap.bytes());
  const header = site.group({
    values,
    name: site.array('text', signals.length, names),
    unit: site.array('text', signals.length, units),
    description: site.array('text', signals.length, descriptions),
  });
  return { bytes: site.done(), header };
}

/**
 * The root group with its attributes, and /events: what may still change while a run goes on.
 *
 * @param links addresses of the object headers of /time, /signals and /scene, and of the tables under /records
 */
export function rootGroup(
  recording: Recording,
  address: number,
  links: {
    readonly time: number;
    readonly signals: number;
    readonly scene: number | undefined;
    readonly tables: Readonly<Record<string, number>>;
  },
): Placed {
  const { time, signals, scene, tables } = links;
  const { events } = recording;
  const heap = new h5.TextHeap(address);
  const attributes = Object.entries({
    format: FORMAT,
    title: recording.title,
    state: recording.state,
    hash: recording.state === 'running' ? '' : recording.hash,
    parameters: toJson(recording.parameters),
    versions: toJson(recording.versions),
    trust: toJson(recording.trust),
  }).map(([name, text]) => h5.textAttribute(name, heap.add(text)));
  const names = references(
    heap,
    events.map(({ name }) => name),
  );
  const times = new Uint8Array(Float64Array.from(events, (event) => event.time).buffer);
  const site = new Site(address, heap.bytes());
  const eventGroup = site.group({
    time: site.array('double', events.length, times),
    name: site.array('text', events.length, names),
  });
  const records = Object.keys(tables).length > 0 ? { records: site.group(tables) } : {};
  const shown = scene === undefined ? {} : { scene };
  const header = site.group({ time, signals, events: eventGroup, ...shown, ...records }, attributes);
  return { bytes: site.done(), header };
}

/** The attributes of each column and of the group of a table; the texts that they refer to go into a heap. */
export function tableAttributes(
  heap: h5.TextHeap,
  { columns }: RecordTable,
): { readonly columns: readonly Uint8Array[][]; readonly group: readonly Uint8Array[] } {
  const attribute = (name: string, text: string): Uint8Array => h5.textAttribute(name, heap.add(text));
  const ofColumn = ({ unit, quantity, type }: Required<RecordColumn>): Uint8Array[] =>
    Object.entries({ unit, quantity, type }).map(([name, text]) => attribute(name, text));
  return {
    columns: columns.map(ofColumn),
    group: [attribute('columns', toJson(columns.map(({ name }) => name)))],
  };
}

/**
 * The group of a table.
 *
 * @param links addresses of the object headers of offset, labels and the columns
 */
export function tableGroup(
  address: number,
  links: Readonly<Record<string, number>>,
  attributes: readonly Uint8Array[],
): Placed {
  const site = new Site(address, new Uint8Array(0));
  const header = site.group(links, attributes);
  return { bytes: site.done(), header };
}

/** A dataset of bytes in one piece. */
export function byteArray(address: number, bytes: Uint8Array): Placed {
  const site = new Site(address, new Uint8Array(0));
  const header = site.array('byte', bytes.length, bytes);
  return { bytes: site.done(), header };
}

/** A dataset of texts in one piece. */
export function textArray(address: number, texts: readonly string[]): Placed {
  const heap = new h5.TextHeap(address);
  const all = references(heap, texts);
  const site = new Site(address, heap.bytes());
  const header = site.array('text', texts.length, all);
  return { bytes: site.done(), header };
}

export function references(heap: h5.TextHeap, texts: readonly string[]): Uint8Array {
  const writer = new ByteWriter();
  for (const text of texts) writer.bytes(heap.add(text));
  return writer.done();
}

/** Objects placed one behind another from an address on. Texts come first: what refers to them needs their address. */
class Site {
  readonly #address: number;
  readonly #writer = new ByteWriter();

  constructor(address: number, texts: Uint8Array) {
    this.#address = address;
    this.#writer.bytes(texts);
  }

  #place(bytes: Uint8Array): number {
    const at = this.#address + this.#writer.align().length;
    this.#writer.bytes(bytes);
    return at;
  }

  /** A dataset of one dimension in one piece. */
  array(type: ElementType, count: number, bytes: Uint8Array): number {
    const content = bytes.length > 0 ? this.#place(bytes) : h5.UNDEFINED;
    const layout = h5.contiguousLayout(content, bytes.length);
    return this.#place(h5.objectHeader([h5.dataspace([count]), typeMessage(type), h5.fillValue(), layout]));
  }

  group(links: Readonly<Record<string, number>>, attributes: readonly Uint8Array[] = []): number {
    const at = this.#address + this.#writer.align().length;
    return this.#place(h5.group(at, new Map(Object.entries(links)), attributes));
  }

  done(): Uint8Array {
    return this.#writer.align().done();
  }
}
