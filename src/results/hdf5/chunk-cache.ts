/** Unpacked chunks of a file that were used last, up to some bytes: what lies around the instant that is looked at is at hand. */
const MOST_BYTES = 96 * 1024 * 1024;

export class ChunkCache {
  readonly #most: number;
  #bytes = 0;
  /** By the address of the chunk; the ones used last are last. */
  readonly #kept = new Map<number, { readonly size: number; readonly chunk: Promise<Uint8Array> }>();

  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  get(address: number): Promise<Uint8Array> | undefined {
    const found = this.#kept.get(address);
    if (!found) return undefined;
    this.#kept.delete(address);
    this.#kept.set(address, found);
    return found.chunk;
  }

  /** @param size of the chunk when it is unpacked, bytes */
  keep(address: number, size: number, chunk: Promise<Uint8Array>): void {
    this.#kept.set(address, { size, chunk });
    this.#bytes += size;
    chunk.catch(() => this.#drop(address)); // a server that failed once may answer the next time
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#most || oldest === address) break;
      this.#drop(oldest);
    }
  }

  #drop(address: number): void {
    this.#bytes -= this.#kept.get(address)?.size ?? 0;
    this.#kept.delete(address);
  }
}
