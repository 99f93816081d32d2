/**
 * A recording on its way to disk, as an HDF5 file that is whole at any moment: whenever the program, the machine or the power
 * goes, the file opens in every HDF5 reader and holds all rows up to the last flush.
 *
 * The first 512 bytes are the only part that is written over and matters. They hold the superblock, which says where the file
 * ends and where its root group is, and the object headers of the two datasets that grow, which say how many rows they
 * have. A flush first adds: rows in places no reader looks at yet, chunks and texts beyond the end. When all that is on the
 * medium it writes those 512 bytes, one sector of any disk, in one go: before, a reader sees the old rows, after, the new.
 *
 *   0        superblock, header of /time, header of /signals/values      rewritten by each flush
 *   512      B-tree of /time, one node: an entry is added behind the counted ones, then counted, before rows use it
 *   …        B-tree of /signals/values, the same; those of tables of records (live-table.ts)
 *   …        what there is to see, once
 *   …        chunks and groups as they come; a root group that has changed is written anew, the old one forgotten
 *
 * Rows are not compressed here; `writeHdf5` makes a compact file of a run that has ended.
 */
import type { Recording } from '../recording.js';
import { sceneBytes } from '../scene/scene-bytes.js';
import { toJson } from '../trust-report.js';
import type { WritableFile } from '../writable-file.js';
import { ByteWriter } from './byte-writer.js';
import { byteArray, chunkedDataset, chunkRows, type Placed, rootGroup, signalGroup } from './document.js';
import { bytesOf, GrowingDataset, LiveSpace } from './growing-dataset.js';
import { LiveTable } from './live-table.js';
import { SUPERBLOCK_SIZE, superblock, UNLIMITED } from './structures.js';

const SECTOR = 512;
const ONE_NODE_K = 16_383; // a node of 32 766 chunks: 32 GB and more of rows
// With tables there is a node for each of their columns: of 8 190 chunks, which are 33 million records and 8 GB of rows
const ONE_OF_MANY_K = 4_095;

export interface LiveFileOptions {
  /** How the file is called in errors. */
  readonly name?: string;
  /** Half the number of chunks that fit. */
  readonly chunkK?: number;
}

export class LiveFile {
  readonly #recording: Recording;
  readonly #space: LiveSpace;
  readonly #time: GrowingDataset;
  readonly #values: GrowingDataset;
  readonly #tables: LiveTable[] = [];
  #rows = 0; // in the file
  readonly #signals: number; // address of the header of /signals
  #scene: number | undefined; // address of the header of /scene
  #root = 0; // address of the root group's header
  #described = ''; // what the root group says, to see a change
  #committed = false; // whether a reader sees that root group

  /** Makes the file a whole one without rows. */
  constructor(recording: Recording, file: WritableFile, { name = 'recording.h5', chunkK }: LiveFileOptions = {}) {
    this.#recording = recording;
    const { width } = recording.samples;
    const k = chunkK ?? (recording.tables.length > 0 ? ONE_OF_MANY_K : ONE_NODE_K);
    this.#space = new LiveSpace(file, name, k, SECTOR);
    const full = (rows: number): string =>
      `is full with ${rows} rows of ${width} signals; record fewer signals, or less often`;
    this.#time = new GrowingDataset(this.#space, 1, 8, chunkRows(width), full);
    this.#values = new GrowingDataset(this.#space, 2, 8 * width, chunkRows(width), full);
    this.#signals = this.#place(signalGroup(recording, this.#space.end, VALUES_HEADER_AT));
    this.flush();
  }

  /** Rows that survive from here on. */
  get rows(): number {
    return this.#rows;
  }

  /** All that is recorded so far survives a kill from here on; rows of tables whose instant is not closed yet do not. */
  flush(): void {
    const { samples, tables } = this.#recording;
    const { file } = this.#space;
    for (const table of tables.slice(this.#tables.length)) this.#tables.push(new LiveTable(this.#space, table));
    for (const table of this.#tables) table.write();
    this.#describe();
    if (samples.rows === this.#rows && this.#committed) return;
    for (const { start, times, values } of samples.runs(this.#rows)) {
      this.#time.write(start, bytesOf(times));
      this.#values.write(start, bytesOf(values));
    }
    file.sync();
    let counted = false;
    for (const dataset of [this.#time, this.#values, ...this.#tables.flatMap(({ datasets }) => datasets)])
      counted = dataset.count() || counted;
    if (counted) file.sync();
    file.write(0, this.#sector(samples.rows));
    file.sync();
    this.#rows = samples.rows;
    this.#committed = true;
  }

  #sector(rows: number): Uint8Array {
    const { width } = this.#recording.samples;
    const height = this.#values.chunkRows;
    const sector = new ByteWriter()
      .bytes(superblock(this.#space.end, this.#root, this.#space.k))
      .bytes(timeHeader(rows, height, this.#time.tree))
      .bytes(chunkedDataset('double', [rows, width], [UNLIMITED, width], [height, width], this.#values.tree));
    return sector.zeros(SECTOR - sector.length).done();
  }

  /** A new root group beyond the end, if attributes, events, tables or labels have changed since the last one. */
  #describe(): void {
    const { state, trust, events, hash, scene } = this.#recording;
    if (scene && this.#scene === undefined) this.#scene = this.#place(byteArray(this.#space.end, sceneBytes(scene)));
    const labels = this.#tables.map(({ table }) => table.labels.length);
    const now = toJson([state, trust, events, state === 'running' ? '' : hash, labels, this.#scene]);
    if (now === this.#described) return;
    const tables = Object.fromEntries(this.#tables.map((table) => [table.table.name, table.group()]));
    const links = { time: SUPERBLOCK_SIZE, signals: this.#signals, scene: this.#scene, tables };
    this.#root = this.#place(rootGroup(this.#recording, this.#space.end, links));
    this.#described = now;
    this.#committed = false;
  }

  #place({ bytes, header }: Placed): number {
    this.#space.place(bytes);
    return header;
  }
}

const timeHeader = (rows: number, chunk: number, tree: number): Uint8Array =>
  chunkedDataset('double', [rows], [UNLIMITED], [chunk], tree);

const VALUES_HEADER_AT = SUPERBLOCK_SIZE + timeHeader(0, 1, 0).length;
