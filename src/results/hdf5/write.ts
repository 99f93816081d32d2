/**
 * A recording as a compact HDF5 file: the layout of document.ts with rows in chunks of some signals each, so that one signal is
 * read without the others; each chunk's bytes shuffled and deflated.
 */
import type { Recording } from '../recording.js';
import type { SampleTable } from '../sample-table.js';
import type { WritableFile } from '../writable-file.js';
import { chunkTree, type StoredChunk } from './chunk-tree.js';
import { chunkedDataset, rootGroup, signalGroup } from './document.js';
import { SUPERBLOCK_SIZE, shuffleAndDeflate, superblock, UNLIMITED } from './structures.js';

const CHUNK_K = 32; // the library's own default
const CHUNK_NUMBERS = 131_072; // 1 MiB, which is what a reader keeps at hand
const BAND_NUMBERS = 8_388_608; // 64 MiB: all chunks side by side, which is what reading whole rows takes

export interface Hdf5Options {
  /** Compresses to the zlib format; by default the platform's CompressionStream. */
  readonly deflate?: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
  /** What the file says of `deflate`: 1 fast … 9 small. */
  readonly level?: number;
}

/** Writes the recording; the file is whole when its first bytes are, which come last. */
export async function writeHdf5(recording: Recording, file: WritableFile, options: Hdf5Options = {}): Promise<void> {
  const { table } = recording;
  const { rows, width } = table;
  const { deflate = platformDeflate, level = 6 } = options;
  let end = SUPERBLOCK_SIZE;
  const place = (bytes: Uint8Array): number => {
    const address = end;
    file.write(address, bytes);
    end += bytes.length + ((8 - (bytes.length % 8)) % 8);
    return address;
  };
  const store = async (numbers: Float64Array, at: readonly number[]): Promise<StoredChunk> => {
    const bytes = await deflate(shuffle(numbers));
    return { size: bytes.length, address: place(bytes), place: at };
  };
  const dataset = (chunks: readonly StoredChunk[], extents: number[], most: number[], chunk: number[]): number => {
    const tree = chunkTree(
      chunks,
      [Math.ceil(rows / chunk[0]) * chunk[0], ...most.slice(1).map(() => 0)],
      CHUNK_K,
      end,
    );
    place(tree.bytes);
    return place(chunkedDataset(extents, most, chunk, tree.root, [shuffleAndDeflate(level)]));
  };

  // Rows
  const height = Math.max(1, Math.min(4096, rows, Math.floor(BAND_NUMBERS / width)));
  const columns = Math.min(width, Math.floor(CHUNK_NUMBERS / height));
  const timeChunks: StoredChunk[] = [];
  const valueChunks: StoredChunk[] = [];
  for (let row = 0; row < rows; row += height) {
    const times = new Float64Array(height);
    for (const run of table.runs(row, row + height)) times.set(run.times, run.start - row);
    timeChunks.push(await store(times, [row]));
    for (let column = 0; column < width; column += columns)
      valueChunks.push(await store(piece(table, row, height, column, columns), [row, column]));
  }
  const time = dataset(timeChunks, [rows], [UNLIMITED], [height]);
  const values = dataset(valueChunks, [rows, width], [UNLIMITED, width], [height, columns]);

  // All else, then the bytes that make it a file
  const signals = signalGroup(recording, end, values);
  place(signals.bytes);
  const root = rootGroup(recording, end, time, signals.header);
  place(root.bytes);
  file.sync();
  file.write(0, superblock(end, root.header, CHUNK_K));
  file.sync();
}

/** A chunk of the rows, zeros where it reaches beyond them. */
function piece(table: SampleTable, row: number, height: number, column: number, columns: number): Float64Array {
  const { width } = table;
  const numbers = new Float64Array(height * columns);
  const inside = Math.min(columns, width - column);
  for (const { start, count, values } of table.runs(row, row + height))
    for (let i = 0; i < count; i++) {
      const from = i * width + column;
      numbers.set(values.subarray(from, from + inside), (start - row + i) * columns);
    }
  return numbers;
}

/** Byte b of all numbers, then byte b + 1 of all: neighbours in time share their upper bytes. */
export function shuffle(numbers: Float64Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const count = numbers.length;
  const shuffled = new Uint8Array(bytes.length);
  for (let b = 0; b < 8; b++) for (let i = 0; i < count; i++) shuffled[b * count + i] = bytes[8 * i + b];
  return shuffled;
}

async function platformDeflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
