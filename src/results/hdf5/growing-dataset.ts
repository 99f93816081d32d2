/**
 * A dataset that grows in a live file (live-file.ts): chunks where there is room, found through a B-tree of one node.
 *
 * An entry of the index is written behind those that it counts, and counted when it is on the medium: `count` is to be called between
 * two syncs. Elements go where no reader looks yet, for it is told later how many there are.
 */
import { FileError } from '../../errors.js';
import type { WritableFile } from '../writable-file.js';
import { chunkEntry, chunkNodeSize, ENTRY_COUNT_AT, emptyChunkNode, entryAt, entryCount } from './chunk-tree.js';

/** Where a live file ends, and how large the nodes of its indexes are. */
export class LiveSpace {
  readonly file: WritableFile;
  readonly name: string;
  /** Half the number of chunks of a dataset. */
  readonly k: number;
  end: number;

  constructor(file: WritableFile, name: string, k: number, end: number) {
    this.file = file;
    this.name = name;
    this.k = k;
    this.end = end;
  }

  /** Room for some bytes; a multiple of 8. */
  take(size: number): number {
    const address = this.end;
    this.end += Math.ceil(size / 8) * 8;
    return address;
  }

  place(bytes: Uint8Array): number {
    const address = this.take(bytes.length);
    this.file.write(address, bytes);
    return address;
  }
}

export class GrowingDataset {
  /** Address of the index. */
  readonly tree: number;
  readonly chunkRows: number;
  readonly #space: LiveSpace;
  readonly #rowSize: number; // bytes
  readonly #rank: 1 | 2;
  readonly #full: (rows: number) => string;
  readonly #chunks: number[] = []; // addresses
  #counted = 0; // chunks that the index counts

  /** @param full what an error says when there is no more room, of so many rows */
  constructor(space: LiveSpace, rank: 1 | 2, rowSize: number, chunkRows: number, full: (rows: number) => string) {
    this.#space = space;
    this.#rank = rank;
    this.#rowSize = rowSize;
    this.#full = full;
    this.chunkRows = chunkRows;
    this.tree = space.take(chunkNodeSize(rank, space.k));
    space.file.write(this.tree, emptyChunkNode());
  }

  /** Rows from `row` on into chunks, the last of which may be partly filled. */
  write(row: number, bytes: Uint8Array): void {
    const size = this.#rowSize;
    const count = bytes.length / size;
    for (let done = 0; done < count; ) {
      const chunk = Math.floor((row + done) / this.chunkRows);
      const within = row + done - chunk * this.chunkRows;
      const part = Math.min(count - done, this.chunkRows - within);
      if (chunk === this.#chunks.length) this.#addChunk();
      this.#space.file.write(this.#chunks[chunk] + size * within, bytes.subarray(size * done, size * (done + part)));
      done += part;
    }
  }

  #addChunk(): void {
    const { file, name, k } = this.#space;
    const index = this.#chunks.length;
    const rows = this.chunkRows;
    if (index === 2 * k) throw new FileError(name, '', this.#full(index * rows));
    const size = this.#rowSize * rows;
    const address = this.#space.take(size);
    file.write(this.#space.end - 1, new Uint8Array(1)); // the file really is as long as its superblock will say
    const column = this.#rank === 2 ? [0] : [];
    const entry = chunkEntry({ size, address, place: [index * rows, ...column] }, [(index + 1) * rows, ...column]);
    file.write(this.tree + entryAt(this.#rank, index), entry);
    this.#chunks.push(address);
  }

  /** Lets the index count its new chunks; whether there were any. */
  count(): boolean {
    if (this.#chunks.length === this.#counted) return false;
    this.#space.file.write(this.tree + ENTRY_COUNT_AT, entryCount(this.#chunks.length));
    this.#counted = this.#chunks.length;
    return true;
  }
}

export const bytesOf = (values: Float64Array | Int32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
