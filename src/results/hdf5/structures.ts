/**
 * The structures of an HDF5 file that a recording needs, as bytes. All are of the oldest kind that can do it, which every
 * version of the HDF5 library reads: superblock 1, object headers 1, groups as symbol tables, chunks in version 1 B-trees.
 *
 * Section numbers are those of The HDF Group, HDF5 File Format Specification Version 3.0.
 */
import { ByteWriter } from './byte-writer.js';

/** Stands for an address that points nowhere and for a dimension without limit. */
export const UNDEFINED = -1;
export const UNLIMITED = -1;

const GROUP_LEAF_K = 4; // a symbol table node holds up to 2 K = 8 links
const GROUP_INTERNAL_K = 16;
const NODE_LINKS = 2 * GROUP_LEAF_K;
export const MOST_LINKS = NODE_LINKS * 2 * GROUP_INTERNAL_K;
export const SUPERBLOCK_SIZE = 104;

/**
 * §II.A, version 1: where the file ends and where its root group is. It begins the file, and nothing that it does not lead
 * to is ever looked at.
 *
 * @param chunkK half the number of entries of a chunk B-tree node
 */
export function superblock(endOfFile: number, rootHeader: number, chunkK: number): Uint8Array {
  return new ByteWriter()
    .u8(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a)
    .u8(1, 0, 0, 0, 0, 8, 8, 0) // versions; addresses and lengths have 8 bytes
    .u16(GROUP_LEAF_K, GROUP_INTERNAL_K)
    .u32(0) // consistency flags: never "open for writing"
    .u16(chunkK, 0)
    .u64(0, UNDEFINED, endOfFile, UNDEFINED)
    .u64(0, rootHeader)
    .u32(0, 0)
    .zeros(16)
    .align()
    .done();
}

/** §IV.A.1.a: an object header of version 1 with its messages. */
export function objectHeader(messages: readonly Uint8Array[]): Uint8Array {
  const size = messages.reduce((sum, { length }) => sum + length, 0);
  const writer = new ByteWriter().u8(1, 0).u16(messages.length).u32(1, size).align();
  for (const message of messages) writer.bytes(message);
  return writer.done();
}

function message(type: number, body: ByteWriter): Uint8Array {
  body.align();
  return new ByteWriter().u16(type, body.length).u8(0, 0, 0, 0).bytes(body.done()).done();
}

/** §IV.A.2.b: extents, none for a single value; `most` gives the limits, UNLIMITED where there is none. */
export function dataspace(extents: readonly number[], most?: readonly number[]): Uint8Array {
  return message(0x01, dataspaceBody(extents, most));
}

/** Where an object header whose first message is a dataspace has the first extent: 8 bytes at a multiple of 8. */
export const FIRST_EXTENT_AT = 32;

function dataspaceBody(extents: readonly number[], most?: readonly number[]): ByteWriter {
  const body = new ByteWriter().u8(1, extents.length, most ? 1 : 0, 0).u32(0);
  body.u64(...extents);
  if (most) body.u64(...most);
  return body;
}

/** §IV.A.2.d, class 1: IEEE 754 double, little-endian: sign at bit 63, exponent of 11 bits at 52 with bias 1023. */
export const doubleType = (): Uint8Array =>
  message(0x03, new ByteWriter().u8(0x11, 0x20, 63, 0).u32(8).u16(0, 64).u8(52, 11, 0, 52).u32(1023));

/** §IV.A.2.d, class 0: whole numbers of 32 bits with a sign, little-endian. */
export const intType = (): Uint8Array => message(0x03, new ByteWriter().u8(0x10, 0x08, 0, 0).u32(4).u16(0, 32));

/** §IV.A.2.d, class 0: bytes, whole numbers of 8 bits without a sign. */
export const byteType = (): Uint8Array => message(0x03, new ByteWriter().u8(0x10, 0, 0, 0).u32(1).u16(0, 8));

/** §IV.A.2.d, class 9: text of any length in UTF-8, kept in a global heap. */
export const textType = (): Uint8Array => message(0x03, textTypeBody());

const textTypeBody = (): ByteWriter =>
  new ByteWriter().u8(0x19, 0x01, 0x01, 0).u32(16).u8(0x10, 0, 0, 0).u32(1).u16(0, 8);

/** §IV.A.2.f: unset elements have no value of their own; storage comes as it is needed. */
export const fillValue = (): Uint8Array => message(0x05, new ByteWriter().u8(2, 3, 2, 0));

/** §IV.A.2.i, class 1: all elements in one piece. */
export const contiguousLayout = (address: number, size: number): Uint8Array =>
  message(0x08, new ByteWriter().u8(3, 1).u64(address, size));

/** §IV.A.2.i, class 2: pieces of equal extent, found through a B-tree; `size` bytes an element. */
export const chunkedLayout = (tree: number, chunk: readonly number[], size: number): Uint8Array =>
  message(
    0x08,
    new ByteWriter()
      .u8(3, 2, chunk.length + 1)
      .u64(tree)
      .u32(...chunk, size),
  );

/** §IV.A.2.l: bytes of equal weight of all numbers side by side (filter 2), then deflate (filter 1). */
export const shuffleAndDeflate = (level: number, size: number): Uint8Array =>
  message(0x0b, new ByteWriter().u8(1, 2).zeros(6).u16(2, 0, 0, 1).u32(size, 0).u16(1, 0, 0, 1).u32(level, 0));

/** §IV.A.2.m: a named text; `reference` comes from a TextHeap. */
export function textAttribute(name: string, reference: Uint8Array): Uint8Array {
  const type = textTypeBody();
  const space = dataspaceBody([]);
  const body = new ByteWriter().u8(1, 0).u16(name.length + 1, type.length, space.length);
  body.ascii(name).u8(0).align().bytes(type.align().done()).bytes(space.align().done()).bytes(reference);
  return message(0x0c, body);
}

/** §IV.A.2.r: makes the object a group. */
const symbolTable = (tree: number, heap: number): Uint8Array => message(0x11, new ByteWriter().u64(tree, heap));

/**
 * A group at an address: object header, §III.A.1 B-tree of one node, §III.C symbol table nodes of 8 links each, §III.D local heap with
 * names. Between two children of the B-tree stands the last name of the first.
 *
 * @param links up to MOST_LINKS names with the address of each object header
 */
export function group(
  address: number,
  links: ReadonlyMap<string, number>,
  attributes: readonly Uint8Array[],
): Uint8Array {
  const sorted = [...links].sort(([a], [b]) => (a < b ? -1 : 1));
  const header = (tree: number, heap: number) => objectHeader([symbolTable(tree, heap), ...attributes]);
  const treeAt = address + header(0, 0).length;
  const leavesAt = treeAt + 24 + 8 * (4 * GROUP_INTERNAL_K + 1);
  const leafCount = Math.max(1, Math.ceil(sorted.length / NODE_LINKS));
  const heapAt = leavesAt + leafCount * (8 + 40 * NODE_LINKS);
  const names = new ByteWriter().zeros(8);
  const leaves = new ByteWriter();
  const tree = new ByteWriter().ascii('TREE').u8(0, 0);
  tree.u16(sorted.length > 0 ? leafCount : 0).u64(UNDEFINED, UNDEFINED, 0);
  for (let n = 0; n < leafCount; n++) {
    const own = sorted.slice(n * NODE_LINKS, (n + 1) * NODE_LINKS);
    tree.u64(leavesAt + leaves.length);
    leaves.ascii('SNOD').u8(1, 0).u16(own.length);
    let lastName = 0;
    for (const [name, object] of own) {
      lastName = names.length;
      names.ascii(name).u8(0).align();
      leaves.u64(lastName, object).u32(0, 0).zeros(16);
    }
    leaves.zeros(40 * (NODE_LINKS - own.length));
    tree.u64(lastName);
  }
  return new ByteWriter()
    .bytes(header(treeAt, heapAt))
    .bytes(tree.zeros(leavesAt - treeAt - tree.length).done())
    .bytes(leaves.done())
    .ascii('HEAP')
    .u8(0, 0, 0, 0)
    .u64(names.length, 1, heapAt + 32) // 1: no free space
    .bytes(names.done())
    .done();
}

/** §III.E: texts in global heap collections. Add all, then take the bytes; addresses count from the given one. */
export class TextHeap {
  readonly #address: number;
  readonly #done = new ByteWriter();
  #open = new ByteWriter();
  #count = 0;

  constructor(address: number) {
    this.#address = address;
  }

  /** Keeps a text and returns the 16 bytes that refer to it. */
  add(text: string): Uint8Array {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length === 0) return new Uint8Array(16); // no object at all
    if (this.#count === 65_000 || (this.#count > 0 && this.#open.length + bytes.length > 65_000)) this.#close();
    this.#count++;
    const collection = this.#address + this.#done.length;
    this.#open.u16(this.#count, 1).u32(0).u64(bytes.length).bytes(bytes).align();
    return new ByteWriter().u32(bytes.length).u64(collection).u32(this.#count).done();
  }

  #close(): void {
    // What is left of the collection, at least 4096 bytes long, is object 0.
    const size = Math.max(4096, 16 + this.#open.length + 16);
    this.#done.ascii('GCOL').u8(1, 0, 0, 0).u64(size).bytes(this.#open.done());
    const left = size - 16 - this.#open.length;
    this.#done.u16(0, 0).u32(0).u64(left);
    this.#done.zeros(left - 16);
    this.#open = new ByteWriter();
    this.#count = 0;
  }

  bytes(): Uint8Array {
    if (this.#count > 0) this.#close();
    return this.#done.done();
  }
}
