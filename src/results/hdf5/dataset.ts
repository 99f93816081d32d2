/** Datasets of an Hdf5Source: texts and numbers, in one piece or in chunks, deflated or not; any part is read without the rest. */
import { FileError } from '../../errors.js';
import { unshuffle } from '../shuffle.js';
import { ELEMENT, type ElementType } from './document.js';
import type { Hdf5Source } from './source.js';

/** Deflate makes nothing smaller than 1/1032 of itself: zlib.net, "zlib Technical Details". */
const MOST_EXPANSION = 1100;

const SHUFFLE = 2;
const DEFLATE = 1;

const FEW_BANDS = 2; // of which the chunks are kept
const CHUNKS_AT_ONCE = 16; // of a dataset that passes by
const LONG_ROW = 65_536; // bytes
const GAP = 16_384; // bytes that are fetched for nothing rather than in two parts
const RUN = 16_777_216; // bytes that are fetched at once, where a chunk is not larger

interface Chunk {
  readonly at: number;
  readonly size: number;
  readonly skipped: number;
}

/** How a dataset in chunks is divided. */
interface Division {
  readonly height: number; // rows of a chunk
  readonly columns: number; // of a chunk
  readonly across: number; // chunks side by side
  readonly chunks: ReadonlyMap<number, Chunk>; // by place: band · across + chunk in it
}

export class Dataset {
  /** The first is the number of rows that count. */
  readonly extents: readonly number[];
  readonly #source: Hdf5Source;
  readonly #path: string;
  readonly #type: ElementType;
  readonly #layout: number;
  readonly #isChunked: boolean;
  readonly #filters: readonly number[];
  #division: Division | undefined;

  /**
   * @param most rows that count where the dataset may have more; it must not have less
   * @throws FileError if there is no such dataset of that type and number of dimensions
   */
  static async open(
    source: Hdf5Source,
    path: string,
    type: ElementType,
    rank: number,
    most?: number,
  ): Promise<Dataset> {
    return source.reading(() => new Dataset(source, path, type, rank, most));
  }

  private constructor(source: Hdf5Source, path: string, type: ElementType, rank: number, most?: number) {
    this.#source = source;
    this.#path = path;
    this.#type = type;
    const header = source.find(path);
    const messages = source.messages(header);
    const extents = source.extents(source.message(messages, 0x01, 'a dataspace', header).at);
    this.#layout = source.message(messages, 0x08, 'a layout', header).at;
    if (source.type(source.message(messages, 0x03, 'a type', header).at) !== type || extents.length !== rank)
      this.#refuse(`expected ${rank} dimensions of ${type}s`);
    if (most !== undefined && extents[0] < most) this.#refuse(`is damaged: expected ${most} rows, got ${extents[0]}`);
    this.extents = [most ?? extents[0], ...extents.slice(1)];
    if (source.u8(this.#layout) !== 3) this.#refuse('expected a layout of version 3');
    const kind = source.u8(this.#layout + 1);
    if (kind !== 1 && kind !== 2) this.#refuse('expected a dataset in one piece or in chunks');
    this.#isChunked = kind === 2;
    const pipeline = messages.find((message) => message.type === 0x0b);
    this.#filters = pipeline ? this.#pipeline(pipeline.at) : [];
    const elements = this.extents.reduce((product, extent) => product * extent, 1);
    if (!(ELEMENT[type] * elements <= this.#mostBytes()))
      this.#refuse(`says it is ${this.extents.join(' × ')}, more than ${source.size} bytes can hold`);
  }

  #refuse(defect: string): never {
    throw new FileError(this.#source.name, this.#path, defect);
  }

  /** What the file can unpack to. */
  #mostBytes(): number {
    return (this.#filters.length > 0 ? MOST_EXPANSION : 1) * this.#source.size;
  }

  #pipeline(at: number): number[] {
    const source = this.#source;
    if (source.u8(at) !== 1) this.#refuse('expected a filter pipeline of version 1');
    const filters: number[] = [];
    let next = at + 8;
    for (let i = source.u8(at + 1); i > 0; i--) {
      const id = source.u16(next);
      if (id !== SHUFFLE && id !== DEFLATE)
        this.#refuse(`is packed by filter ${id}; expected none, shuffle or deflate`);
      filters.push(id);
      const values = source.u16(next + 6);
      next += 8 + Math.ceil(source.u16(next + 2) / 8) * 8 + 4 * (values + (values % 2));
    }
    if (new Set(filters).size < filters.length) this.#refuse('has the same filter twice');
    return filters;
  }

  /** All texts of a dataset of texts. */
  async texts(): Promise<string[]> {
    const references = await this.#bytes(0, this.extents[0], 0, 1);
    const found: string[] = [];
    return this.#source.reading(() => {
      while (found.length < this.extents[0])
        found.push(this.#source.textOf(references.subarray(16 * found.length, 16 * found.length + 16)));
      return found;
    });
  }

  /** Doubles of the rows from..to − 1, by default of all, and of all columns or of some. */
  async doubles(from = 0, to = this.extents[0], first = 0, end = this.extents[1] ?? 1): Promise<Float64Array> {
    return new Float64Array((await this.#bytes(from, to, first, end)).buffer);
  }

  /** Whole numbers of the rows from..to − 1, by default of all. */
  async ints(from = 0, to = this.extents[0]): Promise<Int32Array> {
    return new Int32Array((await this.#bytes(from, to, 0, 1)).buffer);
  }

  /** All bytes of a dataset of bytes. */
  async bytes(): Promise<Uint8Array> {
    return this.#bytes(0, this.extents[0], 0, 1);
  }

  /** Doubles of all columns in bands of rows, in order. */
  async *bands(): AsyncGenerator<{ readonly start: number; readonly count: number; readonly values: Float64Array }> {
    const [rows] = this.extents;
    if (rows === 0) return;
    const height = this.#isChunked ? (await this.#divide()).height : rows;
    for (let start = 0; start < rows; start += height) {
      const count = Math.min(height, rows - start);
      yield { start, count, values: await this.doubles(start, start + count) };
    }
  }

  /** The elements of some rows and columns as they are in memory; the caller's own. */
  async #bytes(
    from: number,
    to: number,
    first: number,
    end: number,
    progress?: (part: number) => void,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const width = this.extents[1] ?? 1;
    const size = ELEMENT[this.#type];
    const wide = end - first;
    const bytes = new Uint8Array((to - from) * wide * size);
    if (bytes.length === 0) return bytes;
    if (!this.#isChunked) {
      if (wide !== width) this.#refuse('expected chunks');
      const at = await this.#source.reading(() => this.#source.u64(this.#layout + 2));
      bytes.set(await this.#source.load(at + size * width * from, bytes.length));
      return bytes;
    }
    const { height, columns, across } = await this.#divide();
    const [leftmost, wideEnd] = [Math.floor(first / columns), Math.ceil(end / columns)];
    const [lowest, highEnd] = [Math.floor(from / height), Math.ceil(to / height)];
    const side = wideEnd - leftmost; // chunks of a band that are needed
    const isPassing = highEnd - lowest > FEW_BANDS;
    const group = isPassing ? Math.max(1, Math.floor(CHUNKS_AT_ONCE / side)) : highEnd - lowest;
    for (let start = lowest; start < highEnd; start += group) {
      const stop = Math.min(highEnd, start + group);
      const places: number[] = [];
      for (let band = start; band < stop; band++)
        for (let c = leftmost; c < wideEnd; c++) places.push(band * across + c);
      const chunks = await this.#load(places, !isPassing);
      for (let i = 0; i < places.length; i++) {
        const top = (start + Math.floor(i / side)) * height;
        const before = (leftmost + (i % side)) * columns;
        const [low, high] = [Math.max(from, top), Math.min(to, top + height)];
        const [left, right] = [Math.max(first, before), Math.min(end, before + columns)];
        const chunk = chunks[i];
        if (right - left === columns && columns === wide)
          bytes.set(chunk.subarray((low - top) * wide * size, (high - top) * wide * size), (low - from) * wide * size);
        else
          for (let row = low; row < high; row++) {
            const at = ((row - top) * columns + left - before) * size;
            bytes.set(chunk.subarray(at, at + (right - left) * size), ((row - from) * wide + left - first) * size);
          }
      }
      progress?.((Math.min(to, stop * height) - from) / (to - from));
    }
    return bytes;
  }

  /** Doubles of one column, all rows. Where rows are long and lie there as they are, nothing else is read. */
  async column(index: number, progress?: (part: number) => void): Promise<Float64Array> {
    const [rows, width = 1] = this.extents;
    if (this.#isChunked && this.#filters.length === 0 && rows > 0 && width > 1) {
      const { height, columns, across, chunks } = await this.#divide();
      if (ELEMENT.double * columns > LONG_ROW) {
        const c = Math.floor(index / columns);
        const values = new Float64Array(rows);
        for (let start = 0; start < rows; start += CHUNKS_AT_ONCE) {
          const some = Array.from({ length: Math.min(CHUNKS_AT_ONCE, rows - start) }, async (_, i) => {
            const band = Math.floor((start + i) / height);
            const within = (start + i - band * height) * columns + index - c * columns;
            const bytes = await this.#source.load(chunks.get(band * across + c)!.at + 8 * within, 8);
            values[start + i] = new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
          });
          await Promise.all(some);
          progress?.((start + some.length) / rows);
        }
        return values;
      }
    }
    return new Float64Array((await this.#bytes(0, rows, index, index + 1, progress)).buffer);
  }

  /** Where the chunks are; some may be beyond the rows that count. */
  async #divide(): Promise<Division> {
    this.#division ??= await this.#source.reading(() => this.#readDivision());
    return this.#division;
  }

  #readDivision(): Division {
    const source = this.#source;
    const [rows, width = 1] = this.extents;
    const rank = this.extents.length;
    if (source.u8(this.#layout + 2) !== rank + 1) this.#refuse('is damaged: its chunks have other dimensions');
    const [height, columns] = [0, 1].map((i) => (i < rank ? source.u32(this.#layout + 11 + 4 * i) : 1));
    if (!(height >= 1 && columns >= 1 && ELEMENT[this.#type] * height * columns <= this.#mostBytes()))
      this.#refuse(`is damaged: it has chunks of ${height} × ${columns}`);
    const across = Math.ceil(width / columns);
    const chunks = new Map<number, Chunk>();
    source.walk(source.u64(this.#layout + 3), 1, 8 + 8 * (rank + 1), (at, key) => {
      const row = source.u64(key + 8);
      const column = rank > 1 ? source.u64(key + 16) : 0;
      if (row % height !== 0 || column % columns !== 0) this.#refuse(`is damaged: a chunk begins at ${row}, ${column}`);
      if (row < rows && column < width)
        chunks.set((row / height) * across + column / columns, {
          at,
          size: source.u32(key),
          skipped: source.u32(key + 4),
        });
    });
    if (chunks.size !== Math.ceil(rows / height) * across)
      this.#refuse(`is damaged: ${chunks.size} of its ${Math.ceil(rows / height) * across} chunks are there`);
    return { height, columns, across, chunks };
  }

  /**
   * Chunks by their places. Those that lie side by side in the file are fetched at once.
   *
   * @param keeps for the next time; not if a whole dataset passes by
   */
  async #load(places: readonly number[], keeps: boolean): Promise<Uint8Array[]> {
    const { height, columns, chunks } = await this.#divide();
    const { cache } = this.#source;
    const count = height * columns;
    const found = new Map<number, Promise<Uint8Array>>();
    const absent: Chunk[] = [];
    for (const place of places) {
      const chunk = chunks.get(place)!;
      const kept = cache.get(chunk.at);
      if (kept) found.set(chunk.at, kept);
      else absent.push(chunk);
    }
    absent.sort((a, b) => a.at - b.at);
    for (let i = 0; i < absent.length; ) {
      // A run of chunks with next to nothing between them
      const start = absent[i].at;
      let stop = i + 1;
      let end = start + absent[i].size;
      while (stop < absent.length && absent[stop].at - end < GAP && absent[stop].at + absent[stop].size - start < RUN)
        end = Math.max(end, absent[stop].at + absent[stop++].size);
      const run = this.#source.load(start, end - start);
      for (; i < stop; i++) {
        const chunk = absent[i];
        const unpacked = run.then((bytes) =>
          this.#unpack(chunk, bytes.subarray(chunk.at - start, chunk.at - start + chunk.size), count),
        );
        found.set(chunk.at, unpacked);
        if (keeps) cache.keep(chunk.at, ELEMENT[this.#type] * count, unpacked);
      }
    }
    return Promise.all(places.map((place) => found.get(chunks.get(place)!.at)!));
  }

  /** The elements of a chunk: filters undone, last first, those left out that its mask says were skipped. */
  async #unpack({ at, skipped }: Chunk, stored: Uint8Array, count: number): Promise<Uint8Array> {
    let bytes = stored;
    const length = ELEMENT[this.#type] * count;
    for (let i = this.#filters.length - 1; i >= 0; i--) {
      if (skipped & (1 << i)) continue;
      const unpacked =
        this.#filters[i] === SHUFFLE ? unshuffle(bytes, ELEMENT[this.#type]) : await inflate(bytes, length);
      bytes = unpacked ?? this.#refuse(`is damaged: the chunk at byte ${at} cannot be unpacked`);
    }
    if (bytes.length !== length) this.#refuse(`is damaged: the chunk at byte ${at} has ${bytes.length} bytes`);
    return bytes;
  }
}

/** Undoes zlib's deflate if that gives just `size` bytes; else undefined. */
async function inflate(bytes: Uint8Array, size: number): Promise<Uint8Array | undefined> {
  const stream = new DecompressionStream('deflate');
  const writer = stream.writable.getWriter();
  // A failure shows at the reader; here it would only be told twice.
  writer.write(bytes as Uint8Array<ArrayBuffer>).catch(() => undefined);
  writer.close().catch(() => undefined);
  const reader = stream.readable.getReader();
  const unpacked = new Uint8Array(size);
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return length === size ? unpacked : undefined;
      if (length + value.length > size) {
        await reader.cancel();
        return undefined;
      }
      unpacked.set(value, length);
      length += value.length;
    }
  } catch {
    return undefined;
  }
}
