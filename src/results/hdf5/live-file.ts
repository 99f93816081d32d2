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
 *   …        B-tree of /signals/values, the same
 *   …        chunks and groups as they come; a root group that has changed is written anew, the old one forgotten
 *
 * Rows are not compressed here; `writeHdf5` makes a compact file of a run that has ended.
 */
import { FileError } from '../../errors.js';
import type { Recording } from '../recording.js';
import { toJson } from '../trust-report.js';
import type { WritableFile } from '../writable-file.js';
import { ByteWriter } from './byte-writer.js';
import { chunkEntry, chunkNodeSize, ENTRY_COUNT_AT, emptyChunkNode, entryAt, entryCount } from './chunk-tree.js';
import { chunkedDataset, chunkRows, type Placed, rootGroup, signalGroup } from './document.js';
import { SUPERBLOCK_SIZE, superblock, UNLIMITED } from './structures.js';

const SECTOR = 512;
const ONE_NODE_K = 16_383; // a node of 32 766 chunks: 32 GB and more of rows

export interface LiveFileOptions {
  /** How the file is called in errors. */
  readonly name?: string;
  /** Half the number of chunks that fit. */
  readonly chunkK?: number;
}

export class LiveFile {
  readonly #recording: Recording;
  readonly #file: WritableFile;
  readonly #name: string;
  readonly #k: number;
  readonly #chunkRows: number;
  readonly #trees: readonly [number, number]; // addresses: /time, /signals/values
  readonly #chunks: { readonly time: number; readonly values: number }[] = []; // addresses
  #counted = 0; // chunks that the B-trees count
  #rows = 0; // in the file
  #end: number; // of what is in use
  readonly #signals: number; // address of the header of /signals
  #root = 0; // address of the root group's header
  #described = ''; // what the root group says, to see a change
  #committed = false; // whether a reader sees that root group

  /** Makes the file a whole one without rows. */
  constructor(recording: Recording, file: WritableFile, { name = 'recording.h5', chunkK }: LiveFileOptions = {}) {
    this.#recording = recording;
    this.#file = file;
    this.#name = name;
    this.#k = chunkK ?? ONE_NODE_K;
    this.#chunkRows = chunkRows(recording.table.width);
    const values = SECTOR + chunkNodeSize(1, this.#k);
    this.#trees = [SECTOR, values];
    this.#end = values + chunkNodeSize(2, this.#k);
    for (const tree of this.#trees) file.write(tree, emptyChunkNode());
    this.#signals = this.#place(signalGroup(recording, this.#end, VALUES_HEADER_AT));
    this.flush();
  }

  /** Rows that survive from here on. */
  get rows(): number {
    return this.#rows;
  }

  /** All that is recorded so far survives a kill from here on. */
  flush(): void {
    const { table } = this.#recording;
    this.#describe();
    if (table.rows === this.#rows && this.#committed) return;
    for (const { start, count, times, values } of table.runs(this.#rows)) this.#addRows(start, count, times, values);
    this.#file.sync();
    if (this.#chunks.length > this.#counted) {
      for (const tree of this.#trees) this.#file.write(tree + ENTRY_COUNT_AT, entryCount(this.#chunks.length));
      this.#counted = this.#chunks.length;
      this.#file.sync();
    }
    this.#file.write(0, this.#sector(table.rows));
    this.#file.sync();
    this.#rows = table.rows;
    this.#committed = true;
  }

  #sector(rows: number): Uint8Array {
    const { width } = this.#recording.table;
    const sector = new ByteWriter()
      .bytes(superblock(this.#end, this.#root, this.#k))
      .bytes(timeHeader(rows, this.#chunkRows, this.#trees[0]))
      .bytes(chunkedDataset([rows, width], [UNLIMITED, width], [this.#chunkRows, width], this.#trees[1]));
    return sector.zeros(SECTOR - sector.length).done();
  }

  /** A new root group beyond the end, if attributes or events have changed since the last one. */
  #describe(): void {
    const { state, trust, events, hash } = this.#recording;
    const now = toJson([state, trust, events, state === 'running' ? '' : hash]);
    if (now === this.#described) return;
    this.#root = this.#place(rootGroup(this.#recording, this.#end, SUPERBLOCK_SIZE, this.#signals));
    this.#described = now;
    this.#committed = false;
  }

  #place({ bytes, header }: Placed): number {
    this.#file.write(this.#end, bytes);
    this.#end += bytes.length;
    return header;
  }

  /** Rows into chunks, the last of which may be partly filled: a reader knows how many rows there are. */
  #addRows(start: number, count: number, times: Float64Array, values: Float64Array): void {
    const { width } = this.#recording.table;
    for (let done = 0; done < count; ) {
      const row = start + done;
      const chunk = Math.floor(row / this.#chunkRows);
      const within = row - chunk * this.#chunkRows;
      const part = Math.min(count - done, this.#chunkRows - within);
      if (chunk === this.#chunks.length) this.#addChunk();
      const at = this.#chunks[chunk];
      this.#file.write(at.time + 8 * within, bytesOf(times.subarray(done, done + part)));
      this.#file.write(at.values + 8 * within * width, bytesOf(values.subarray(done * width, (done + part) * width)));
      done += part;
    }
  }

  #addChunk(): void {
    const index = this.#chunks.length;
    if (index === 2 * this.#k)
      throw new FileError(
        this.#name,
        '',
        `is full with ${index * this.#chunkRows} rows of ${this.#recording.table.width} signals; record fewer signals, ` +
          'or less often',
      );
    const rows = this.#chunkRows;
    const sizes = [8 * rows, 8 * rows * this.#recording.table.width];
    const addresses = sizes.map((size) => {
      const address = this.#end;
      this.#end += size;
      return address;
    });
    this.#file.write(this.#end - 1, new Uint8Array(1)); // the file really is as long as its superblock will say
    for (const [i, tree] of this.#trees.entries()) {
      const column = i === 0 ? [] : [0];
      const place = [index * rows, ...column];
      const entry = chunkEntry({ size: sizes[i], address: addresses[i], place }, [(index + 1) * rows, ...column]);
      this.#file.write(tree + entryAt(i + 1, index), entry);
    }
    this.#chunks.push({ time: addresses[0], values: addresses[1] });
  }
}

const timeHeader = (rows: number, chunk: number, tree: number): Uint8Array =>
  chunkedDataset([rows], [UNLIMITED], [chunk], tree);

const VALUES_HEADER_AT = SUPERBLOCK_SIZE + timeHeader(0, 1, 0).length;

const bytesOf = (values: Float64Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
