/**
 * A recording as a compact HDF5 file: the layout of document.ts with rows in chunks of some signals each, so that one signal is
 * read without the others, and columns of records in chunks that are quickly unpacked for one instant; each chunk's bytes shuffled
 * and deflated.
 */
import { arrayOf, type RecordTable, type RecordValues } from '../record-table.js';
import type { Recording } from '../recording.js';
import type { SampleTable } from '../sample-table.js';
import { sceneBytes } from '../scene/scene-bytes.js';
import { shuffle } from '../shuffle.js';
import type { WritableFile } from '../writable-file.js';
import { chunkTree, type StoredChunk } from './chunk-tree.js';
import {
  byteArray,
  chunkedDataset,
  ELEMENT,
  elementOf,
  rootGroup,
  signalGroup,
  tableAttributes,
  tableGroup,
  textArray,
} from './document.js';
import { SUPERBLOCK_SIZE, shuffleAndDeflate, superblock, TextHeap, UNLIMITED } from './structures.js';

const CHUNK_K = 32; // the library's own default
const CHUNK_NUMBERS = 32_768; // 256 KiB; readers keep some of them at hand
const BAND_NUMBERS = 131_072; // 1 MiB: all chunks side by side, which is what is unpacked to see one instant
const RECORD_ROWS = 8192; // 64 KiB a column

export interface Hdf5Options {
  /** Compresses to the zlib format; by default the platform's CompressionStream. */
  readonly deflate?: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
  /** What the file says of `deflate`: 1 fast … 9 small. */
  readonly level?: number;
}

/** A column of records whose chunks are in the file. */
interface ChunkedColumn {
  readonly type: 'double' | 'int';
  readonly rows: number;
  readonly chunkRows: number;
  readonly chunks: readonly StoredChunk[];
}

/** Writes the recording; the file is whole when its first bytes are, which come last. */
export async function writeHdf5(recording: Recording, file: WritableFile, options: Hdf5Options = {}): Promise<void> {
  const { samples } = recording;
  const { rows, width } = samples;
  const { deflate = platformDeflate, level = 6 } = options;
  let end = SUPERBLOCK_SIZE;
  const place = (bytes: Uint8Array): number => {
    const address = end;
    file.write(address, bytes);
    end += bytes.length + ((8 - (bytes.length % 8)) % 8);
    return address;
  };
  const store = async (numbers: RecordValues, at: readonly number[]): Promise<StoredChunk> => {
    const bytes = await deflate(shuffle(numbers));
    return { size: bytes.length, address: place(bytes), place: at };
  };
  const dataset = (
    type: 'double' | 'int',
    chunks: readonly StoredChunk[],
    extents: readonly number[],
    chunk: readonly number[],
    attributes: readonly Uint8Array[] = [],
  ): number => {
    const beyond = [Math.ceil(extents[0] / chunk[0]) * chunk[0], ...extents.slice(1).map(() => 0)];
    const tree = chunkTree(chunks, beyond, CHUNK_K, end);
    place(tree.bytes);
    const most = [UNLIMITED, ...extents.slice(1)];
    const filters = shuffleAndDeflate(level, ELEMENT[type]);
    return place(chunkedDataset(type, extents, most, chunk, tree.root, [filters, ...attributes]));
  };

  // Rows
  const height = Math.max(1, Math.min(4096, rows, Math.floor(BAND_NUMBERS / width)));
  const across = Math.min(width, Math.max(1, Math.floor(CHUNK_NUMBERS / height))); // columns of a chunk
  const timeChunks: StoredChunk[] = [];
  const valueChunks: StoredChunk[] = [];
  for (let row = 0; row < rows; row += height) {
    const times = new Float64Array(height);
    for (const run of samples.runs(row, row + height)) times.set(run.times, run.start - row);
    timeChunks.push(await store(times, [row]));
    for (let column = 0; column < width; column += across)
      valueChunks.push(await store(piece(samples, row, height, column, across), [row, column]));
  }
  const time = dataset('double', timeChunks, [rows], [height]);
  const values = dataset('double', valueChunks, [rows, width], [height, across]);

  // Records: all chunks, then what leads to them, close together for readers that fetch pages
  const stored: { table: RecordTable; offset: ChunkedColumn; columns: ChunkedColumn[] }[] = [];
  const column = async (type: 'double' | 'int', all: RecordValues): Promise<ChunkedColumn> => {
    const most = Math.max(1, Math.min(RECORD_ROWS, all.length));
    const chunks: StoredChunk[] = [];
    for (let row = 0; row < all.length; row += most) {
      const chunk = arrayOf(type === 'double' ? 'f64' : 'i32', most);
      chunk.set(all.subarray(row, row + most));
      chunks.push(await store(chunk, [row]));
    }
    return { type, rows: all.length, chunkRows: most, chunks };
  };
  for (const table of recording.tables) {
    const columns: ChunkedColumn[] = [];
    for (const [i, { type }] of table.columns.entries()) columns.push(await column(elementOf(type), table.column(i)));
    stored.push({ table, offset: await column('int', table.first), columns });
  }
  const tables: Record<string, number> = {};
  for (const { table, offset, columns } of stored) {
    const heap = new TextHeap(end);
    const attributes = tableAttributes(heap, table);
    place(heap.bytes());
    const header = ({ type, chunks, rows: count, chunkRows }: ChunkedColumn, more: readonly Uint8Array[]): number =>
      dataset(type, chunks, [count], [chunkRows], more);
    const links: Record<string, number> = { offset: header(offset, []) };
    for (const [i, { name }] of table.columns.entries()) links[name] = header(columns[i], attributes.columns[i]);
    const labels = textArray(end, table.labels);
    place(labels.bytes);
    const group = tableGroup(end, { ...links, labels: labels.header }, attributes.group);
    place(group.bytes);
    tables[table.name] = group.header;
  }

  // All else, then the bytes that make it a file
  const signals = signalGroup(recording, end, values);
  place(signals.bytes);
  const scene = recording.scene && byteArray(end, sceneBytes(recording.scene));
  if (scene) place(scene.bytes);
  const root = rootGroup(recording, end, { time, signals: signals.header, scene: scene?.header, tables });
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

async function platformDeflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
