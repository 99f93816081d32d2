/**
 * Version 1 B-trees that lead to the chunks of a dataset: The HDF Group, HDF5 File Format Specification, §III.A.1.
 *
 * A node is key₀ child₀ key₁ child₁ … keyₙ. Keys are the place of a chunk's first element; chunk c is under child i if
 * keyᵢ ≤ c < keyᵢ₊₁ in lexicographic order. A node takes the room of 2 K children whether it has them or not.
 */
import { ByteWriter } from './byte-writer.js';
import { UNDEFINED } from './structures.js';

export interface StoredChunk {
  /** Bytes in the file. */
  readonly size: number;
  readonly address: number;
  /** Row, and column if there are columns, of its first element. */
  readonly place: readonly number[];
}

const HEAD = 24;
const keySize = (rank: number): number => 8 + 8 * (rank + 1);

export const chunkNodeSize = (rank: number, k: number): number => HEAD + (2 * k + 1) * keySize(rank) + 2 * k * 8;

function nodeHead(level: number, entries: number, left: number, right: number): ByteWriter {
  return new ByteWriter().ascii('TREE').u8(1, level).u16(entries).u64(left, right);
}

function key(writer: ByteWriter, size: number, place: readonly number[]): void {
  writer.u32(size, 0).u64(...place, 0);
}

/** The root of a tree that is one leaf, without entries. */
export const emptyChunkNode = (): Uint8Array => nodeHead(0, 0, UNDEFINED, UNDEFINED).done();

/** Where a node keeps the number of its entries, and the two bytes for that number. */
export const ENTRY_COUNT_AT = 6;
export const entryCount = (count: number): Uint8Array => new ByteWriter().u16(count).done();

/** Where entry `index` stands in a node. */
export const entryAt = (rank: number, index: number): number => HEAD + index * (keySize(rank) + 8);

/** An entry of a leaf with the key after it; the next chunk of a growing dataset starts at `next`. */
export function chunkEntry({ size, address, place }: StoredChunk, next: readonly number[]): Uint8Array {
  const writer = new ByteWriter();
  key(writer, size, place);
  writer.u64(address);
  key(writer, size, next);
  return writer.done();
}

/**
 * A whole tree for chunks in order, its nodes one after another from an address on.
 *
 * @param end a place after all chunks
 */
export function chunkTree(
  chunks: readonly StoredChunk[],
  end: readonly number[],
  k: number,
  address: number,
): { readonly bytes: Uint8Array; readonly root: number } {
  if (chunks.length === 0) return { bytes: new Uint8Array(0), root: UNDEFINED };
  const nodeSize = chunkNodeSize(end.length, k);
  const writer = new ByteWriter();
  let children = chunks;
  for (let level = 0; ; level++) {
    const parents: StoredChunk[] = [];
    const start = address + writer.length;
    const count = Math.ceil(children.length / (2 * k));
    for (let n = 0; n < count; n++) {
      const own = children.slice(n * 2 * k, (n + 1) * 2 * k);
      const at = start + n * nodeSize;
      const left = n > 0 ? at - nodeSize : UNDEFINED;
      const node = nodeHead(level, own.length, left, n < count - 1 ? at + nodeSize : UNDEFINED);
      for (const child of own) {
        key(node, child.size, child.place);
        node.u64(child.address);
      }
      key(node, 0, children[(n + 1) * 2 * k]?.place ?? end);
      writer.bytes(node.zeros(nodeSize - node.length).done());
      parents.push({ size: own[0].size, address: at, place: own[0].place });
    }
    if (parents.length === 1) return { bytes: writer.done(), root: parents[0].address };
    children = parents;
  }
}
