/**
 * The layout of a recording in HDF5:
 *
 *   /                    attributes, all text: format, title, state, hash, and as JSON parameters, versions, trust
 *   /time                [rows], s
 *   /signals/values      [rows × signals]
 *   /signals/name        [signals], text
 *   /signals/unit        [signals], text
 *   /signals/description [signals], text
 *   /events/time         [events], s
 *   /events/name         [events], text
 *
 * Another table with a time base of its own is another group with time, values, name, unit and description.
 */
import type { Recording } from '../recording.js';
import { toJson } from '../trust-report.js';
import { ByteWriter } from './byte-writer.js';
import * as h5 from './structures.js';

export const FORMAT = 'tippetop recording 1';

/** Rows of a chunk of full width: about 1 MiB. */
export const chunkRows = (width: number): number => Math.min(4096, Math.max(1, Math.floor(131_072 / width)));

/** Object header of a dataset of doubles in chunks. */
export const chunkedDataset = (
  extents: readonly number[],
  most: readonly number[],
  chunk: readonly number[],
  tree: number,
  more: readonly Uint8Array[] = [],
): Uint8Array =>
  h5.objectHeader([
    h5.dataspace(extents, most),
    h5.doubleType(),
    h5.fillValue(),
    h5.chunkedLayout(tree, chunk),
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
    name: site.array(h5.textType(), signals.length, names),
    unit: site.array(h5.textType(), signals.length, units),
    description: site.array(h5.textType(), signals.length, descriptions),
  });
  return { bytes: site.done(), header };
}

/**
 * The root group with its attributes, and /events: what may still change while a run goes on.
 *
 * @param time, signals addresses of the object headers of /time and /signals
 */
export function rootGroup(recording: Recording, address: number, time: number, signals: number): Placed {
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
    time: site.array(h5.doubleType(), events.length, times),
    name: site.array(h5.textType(), events.length, names),
  });
  const header = site.group({ time, signals, events: eventGroup }, attributes);
  return { bytes: site.done(), header };
}

function references(heap: h5.TextHeap, texts: readonly string[]): Uint8Array {
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
  array(type: Uint8Array, count: number, bytes: Uint8Array): number {
    const content = bytes.length > 0 ? this.#place(bytes) : h5.UNDEFINED;
    return this.#place(
      h5.objectHeader([h5.dataspace([count]), type, h5.fillValue(), h5.contiguousLayout(content, bytes.length)]),
    );
  }

  group(links: Readonly<Record<string, number>>, attributes: readonly Uint8Array[] = []): number {
    const at = this.#address + this.#writer.align().length;
    return this.#place(h5.group(at, new Map(Object.entries(links)), attributes));
  }

  done(): Uint8Array {
    return this.#writer.align().done();
  }
}
