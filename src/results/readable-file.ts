/**
 * The little of a file that readers need, so that a recording of any size is read piece by piece from a disk, from a file that was
 * dropped on a page, or from a server.
 */
export interface ReadableFile {
  /** Bytes. */
  readonly size: number;
  /** Just those bytes; they are within the file. */
  read(position: number, length: number): Uint8Array | Promise<Uint8Array>;
}

/** A file that a browser was given, or any other Blob. */
export const blobFile = (blob: Blob): ReadableFile => ({
  size: blob.size,
  read: async (position, length) => new Uint8Array(await blob.slice(position, position + length).arrayBuffer()),
});
