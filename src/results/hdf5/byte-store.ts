/**
 * Where a reader's bytes come from: all at hand, or pages of a file fetched as they are asked for.
 *
 * Structures of HDF5 lie scattered and lead from one to the next. Code that reads them is far simpler if it need not wait at each
 * number. So it asks for bytes as if all were there; where they are not, it is broken off with AbsentBytes, the bytes are fetched, and
 * it starts again. It changes nothing but what it returns, and a few structures lead to any chunk, so little is done twice.
 */
import { FileError } from '../../errors.js';
import type { ReadableFile } from '../readable-file.js';

export interface ByteStore {
  readonly size: number;
  /** Bytes of the file that include those asked for, and where they start. @throws AbsentBytes */
  window(at: number, size: number): { readonly start: number; readonly bytes: Uint8Array };
  /** Just those bytes. */
  load(at: number, size: number): Promise<Uint8Array>;
  fetch(absent: AbsentBytes): Promise<void>;
}

export class AbsentBytes extends Error {
  constructor(
    readonly at: number,
    readonly size: number,
  ) {
    super(`${size} bytes at ${at} are not at hand`);
  }
}

export async function reading<T>(store: ByteStore, run: () => T): Promise<T> {
  for (;;)
    try {
      return run();
    } catch (error) {
      if (!(error instanceof AbsentBytes)) throw error;
      await store.fetch(error);
    }
}

/** All bytes of a file. */
export class WholeStore implements ByteStore {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength); // slice() of Node's Buffer copies nothing
  }

  get size(): number {
    return this.#bytes.length;
  }

  window(): { readonly start: number; readonly bytes: Uint8Array } {
    return { start: 0, bytes: this.#bytes };
  }

  async load(at: number, size: number): Promise<Uint8Array> {
    return this.#bytes.subarray(at, at + size);
  }

  async fetch(absent: AbsentBytes): Promise<void> {
    throw absent; // never thrown by this store
  }
}

const PAGE = 65_536; // bytes
const MOST_AHEAD = 64; // pages

/** Pages of a file; those that were fetched are kept. */
export class PagedStore implements ByteStore {
  readonly size: number;
  readonly #file: ReadableFile;
  readonly #name: string;
  readonly #pages = new Map<number, Uint8Array>();
  #next = 0; // the page after the last that was fetched
  #ahead = 1; // pages to fetch at once

  constructor(file: ReadableFile, name: string) {
    this.#file = file;
    this.#name = name;
    this.size = file.size;
  }

  window(at: number, size: number): { readonly start: number; readonly bytes: Uint8Array } {
    const first = Math.floor(at / PAGE);
    const last = Math.max(first, Math.ceil((at + size) / PAGE) - 1);
    const page = this.#page(first);
    if (last === first) return { start: first * PAGE, bytes: page };
    for (let i = first + 1; i <= last; i++)
      if (!this.#pages.has(i)) throw new AbsentBytes(i * PAGE, (last - i + 1) * PAGE);
    const bytes = new Uint8Array((last - first + 1) * PAGE);
    for (let i = first; i <= last; i++) bytes.set(this.#page(i), (i - first) * PAGE);
    return { start: first * PAGE, bytes: bytes.subarray(0, this.size - first * PAGE) };
  }

  #page(index: number): Uint8Array {
    const page = this.#pages.get(index);
    if (!page) throw new AbsentBytes(index * PAGE, PAGE);
    return page;
  }

  /** The pages that hold those bytes; more if the file is being read from one to the next. */
  async fetch({ at, size }: AbsentBytes): Promise<void> {
    const first = Math.floor(at / PAGE);
    this.#ahead = first === this.#next ? Math.min(MOST_AHEAD, 2 * this.#ahead) : 1;
    const end = Math.max(Math.ceil((at + size) / PAGE), first + this.#ahead);
    const bytes = await this.load(first * PAGE, Math.min(this.size, end * PAGE) - first * PAGE);
    for (let i = first; i < end && i * PAGE < this.size; i++)
      this.#pages.set(i, bytes.subarray((i - first) * PAGE, (i - first + 1) * PAGE));
    this.#next = end;
  }

  async load(at: number, size: number): Promise<Uint8Array> {
    const bytes = await this.#file.read(at, size);
    if (bytes.length !== size)
      throw new FileError(
        this.#name,
        `byte ${at}`,
        `expected ${size} bytes, got ${bytes.length}: the file was changed while it was being read`,
      );
    return bytes;
  }
}
