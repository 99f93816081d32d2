/** Datasets of an Hdf5Source: texts and numbers in one piece, numbers in chunks, deflated or not. */
import { FileError } from '../../errors.js';
import type { Hdf5Source } from './source.js';

/** Deflate makes nothing smaller than 1/1032 of itself: zlib.net, "zlib Technical Details". */
const MOST_EXPANSION = 1100;

const SHUFFLE = 2;
const DEFLATE = 1;

export class Dataset {
  readonly extents: readonly number[];
  readonly #source: Hdf5Source;
  readonly #path: string;
  readonly #layout: number;
  readonly #filters: readonly number[];

  /** @throws FileError if there is no such dataset of that type and number of dimensions */
  constructor(source: Hdf5Source, path: string, type: 'double' | 'text', rank: number) {
    this.#source = source;
    this.#path = path;
    const header = source.find(path);
    const messages = source.messages(header);
    this.extents = source.extents(source.message(messages, 0x01, 'a dataspace', header).at);
    this.#layout = source.message(messages, 0x08, 'a layout', header).at;
    if (source.type(source.message(messages, 0x03, 'a type', header).at) !== type || this.extents.length !== rank)
      this.#refuse(`expected ${rank} dimensions of ${type}s`);
    if (source.u8(this.#layout) !== 3) this.#refuse('expected a layout of version 3');
    const pipeline = messages.find((message) => message.type === 0x0b);
    this.#filters = pipeline ? this.#pipeline(pipeline.at) : [];
    const elements = this.extents.reduce((product, extent) => product * extent, 1);
    if (!(8 * elements <= this.#mostBytes()))
      this.#refuse(`says it is ${this.extents.join(' × ')}, more than ${source.bytes.length} bytes can hold`);
  }

  #refuse(defect: string): never {
    throw new FileError(this.#source.name, this.#path, defect);
  }

  /** What the file can unpack to. */
  #mostBytes(): number {
    return (this.#filters.length > 0 ? MOST_EXPANSION : 1) * this.#source.bytes.length;
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

  /** Where the elements are, for a dataset in one piece; `size` bytes each. */
  #piece(size: number): number {
    const source = this.#source;
    if (source.u8(this.#layout + 1) !== 1) this.#refuse('expected a dataset in one piece');
    const at = source.u64(this.#layout + 2);
    source.need(at, size * this.extents[0]);
    return at;
  }

  texts(): string[] {
    if (this.extents[0] === 0) return [];
    const at = this.#piece(16);
    return Array.from({ length: this.extents[0] }, (_, i) => this.#source.text(at + 16 * i));
  }

  numbers(): Float64Array {
    return this.extents[0] === 0 ? new Float64Array(0) : this.#source.doubles(this.#piece(8), this.extents[0]);
  }

  /** The rows in bands as high as a chunk, in order; `values` has all columns. */
  async *bands(): AsyncGenerator<{ readonly start: number; readonly count: number; readonly values: Float64Array }> {
    const [rows, width = 1] = this.extents;
    if (rows === 0) return;
    const source = this.#source;
    const rank = this.extents.length;
    if (source.u8(this.#layout + 1) !== 2 || source.u8(this.#layout + 2) !== rank + 1) this.#refuse('expected chunks');
    const [height, columns] = [0, 1].map((i) => (i < rank ? source.u32(this.#layout + 11 + 4 * i) : 1));
    if (!(height >= 1 && columns >= 1 && 8 * height * columns <= this.#mostBytes()))
      this.#refuse(`is damaged: it has chunks of ${height} × ${columns}`);
    const across = Math.ceil(width / columns);

    // Chunks by place; some may be beyond the rows that count
    const chunks = new Map<number, { at: number; size: number; skipped: number }>();
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
    for (let start = 0; start < rows; start += height) {
      const count = Math.min(height, rows - start);
      const values = new Float64Array(count * width);
      for (let c = 0; c < across; c++) {
        const numbers = await this.#unpack(chunks.get((start / height) * across + c)!, height * columns);
        const first = c * columns;
        const inside = Math.min(columns, width - first);
        for (let row = 0; row < count; row++)
          values.set(numbers.subarray(row * columns, row * columns + inside), row * width + first);
      }
      yield { start, count, values };
    }
  }

  /** The numbers of a chunk: filters undone, last first, those left out that its mask says were skipped. */
  async #unpack(
    { at, size, skipped }: { at: number; size: number; skipped: number },
    count: number,
  ): Promise<Float64Array> {
    let bytes = this.#source.slice(at, size);
    for (let i = this.#filters.length - 1; i >= 0; i--) {
      if (skipped & (1 << i)) continue;
      const unpacked = this.#filters[i] === SHUFFLE ? unshuffle(bytes) : await inflate(bytes, 8 * count);
      bytes = unpacked ?? this.#refuse(`is damaged: the chunk at byte ${at} cannot be unpacked`);
    }
    if (bytes.length !== 8 * count) this.#refuse(`is damaged: the chunk at byte ${at} has ${bytes.length} bytes`);
    return new Float64Array(bytes.slice().buffer);
  }
}

function unshuffle(bytes: Uint8Array): Uint8Array {
  const count = Math.floor(bytes.length / 8);
  const numbers = bytes.slice();
  for (let b = 0; b < 8; b++) for (let i = 0; i < count; i++) numbers[8 * i + b] = bytes[b * count + i];
  return numbers;
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
