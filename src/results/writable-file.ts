/**
 * The little of a file that writers need, so that they run on a disk, in a browser's private file system and in memory.
 * A browser's FileSystemSyncAccessHandle has the same three operations.
 */
export interface WritableFile {
  /** Writes all bytes at a position, in bytes from the start; a gap before it reads as zeros. */
  write(position: number, bytes: Uint8Array): void;
  /** Everything written so far is on the medium before anything that is written later. */
  sync(): void;
  close(): void;
}

/** A file in memory. */
export class MemoryFile implements WritableFile {
  #buffer = new Uint8Array(4096);
  #length = 0;

  write(position: number, bytes: Uint8Array): void {
    const end = position + bytes.length;
    if (end > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.#buffer.length));
      grown.set(this.#buffer);
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, position);
    this.#length = Math.max(this.#length, end);
  }

  sync(): void {}

  close(): void {}

  /** What the file holds now; a copy. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.slice(0, this.#length);
  }
}
