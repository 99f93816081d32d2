/**
 * An HDF5 file, read with suspicion: whatever stands in it, reading ends, takes memory in proportion to the file, and
 * gives objects or a FileError. It knows the structures of structures.ts, in the generality in which other programs leave them
 * when they add to such a file or copy it: object headers in several blocks, groups and chunk indexes of any depth.
 *
 * Structures are read as if all bytes were at hand. Where they are not (byte-store.ts), `reading` fetches what was missing and asks
 * again.
 */
import { FileError } from '../../errors.js';
import { type ByteStore, reading } from './byte-store.js';
import { ChunkCache } from './chunk-cache.js';
import type { ElementType } from './document.js';

const MAGIC = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const UTF8 = new TextDecoder('utf-8', { fatal: true });
const UNDEFINED = 9_007_199_254_740_992; // 2⁵³ stands for every address that no file can have

export interface Message {
  readonly type: number;
  readonly at: number;
  readonly size: number;
}

export class Hdf5Source {
  /** Bytes of the file. */
  readonly size: number;
  readonly name: string;
  readonly #store: ByteStore;
  /** Of all its datasets. */
  readonly cache = new ChunkCache();
  // The part of the file that was asked for last
  #start = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(this.#bytes.buffer);
  /** Address of the root group's object header. */
  readonly root: number;

  /** Opens a file of which not all bytes need be at hand. */
  static async open(store: ByteStore, name: string): Promise<Hdf5Source> {
    return reading(store, () => new Hdf5Source(store, name));
  }

  constructor(store: ByteStore, name: string) {
    this.size = store.size;
    this.name = name;
    this.#store = store;
    if (this.size === 0) throw new FileError(name, '', 'expected an HDF5 file, got an empty file (0 bytes)');
    if (!(this.size >= MAGIC.length && MAGIC.every((byte, i) => this.u8(i) === byte)))
      this.refuse(0, 'is not an HDF5 file');
    const version = this.u8(8);
    if (version > 1)
      this.refuse(
        8,
        `expected a superblock of version 0 or 1, got ${version}: another program wrote this file in a newer layout`,
      );
    if (this.u8(13) !== 8 || this.u8(14) !== 8) this.refuse(13, 'expected addresses and lengths of 8 bytes');
    const at = version === 0 ? 24 : 28;
    if (this.u64(at) !== 0) this.refuse(at, 'expected the base address 0');
    const end = this.u64(at + 16);
    if (end > this.size) throw new FileError(name, '', `is cut short: expected ${end} bytes, got ${this.size}`);
    this.root = this.u64(at + 40);
  }

  /** The result of something that reads structures; bytes that are missing are fetched, and it is called again. */
  async reading<T>(run: () => T): Promise<T> {
    return reading(this.#store, run);
  }

  /** Bytes of the file, fetched if they are not at hand; not to be written to. */
  async load(at: number, size: number): Promise<Uint8Array> {
    this.need(at, size);
    return this.#store.load(at, size);
  }

  refuse(at: number, defect: string): never {
    throw new FileError(this.name, `byte ${at}`, defect);
  }

  /** @throws FileError if the file does not reach that far */
  need(at: number, size: number): void {
    if (!(at >= 0 && size >= 0 && at + size <= this.size))
      throw new FileError(
        this.name,
        '',
        `is damaged: something of ${size} bytes should be at byte ${at}, beyond its end`,
      );
  }

  /** Where in `#bytes` the bytes from `at` on are. */
  #locate(at: number, size: number): number {
    if (!(at >= this.#start && at + size <= this.#start + this.#bytes.length)) {
      this.need(at, size);
      const { start, bytes } = this.#store.window(at, size);
      this.#start = start;
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    return at - this.#start;
  }

  u8(at: number): number {
    const place = this.#locate(at, 1); // first, for it may replace the bytes
    return this.#bytes[place];
  }

  u16(at: number): number {
    const place = this.#locate(at, 2);
    return this.#view.getUint16(place, true);
  }

  u32(at: number): number {
    const place = this.#locate(at, 4);
    return this.#view.getUint32(place, true);
  }

  /** A length or an address; what is beyond 2⁵³, the undefined address included, becomes 2⁵³. */
  u64(at: number): number {
    const place = this.#locate(at, 8);
    return u64(this.#view, place);
  }

  signature(at: number, text: string): void {
    for (let i = 0; i < text.length; i++)
      if (this.u8(at + i) !== text.charCodeAt(i)) this.refuse(at, `is damaged: expected "${text}"`);
  }

  slice(at: number, size: number): Uint8Array {
    const place = this.#locate(at, size);
    return this.#bytes.subarray(place, place + size);
  }

  /** The messages of an object header of version 1, in all its blocks. */
  messages(header: number): Message[] {
    if (this.u8(header) !== 1) this.refuse(header, 'is damaged: expected an object header of version 1');
    const found: Message[] = [];
    const seen = new Set<number>();
    const blocks = [{ at: header + 16, size: this.u32(header + 8) }];
    for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) {
      if (seen.has(block.at)) this.refuse(block.at, 'is damaged: a header leads back to itself');
      seen.add(block.at);
      this.need(block.at, block.size);
      const end = block.at + block.size;
      for (let at = block.at; at + 8 <= end; ) {
        const message = { type: this.u16(at), at: at + 8, size: this.u16(at + 2) };
        if (message.at + message.size > end) this.refuse(at, 'is damaged: a message is longer than its header');
        if (this.u8(at + 4) & 2) this.refuse(at, 'has a shared message, which no recording has');
        if (message.type === 0x10) blocks.push({ at: this.u64(message.at), size: this.u64(message.at + 8) });
        else found.push(message);
        at = message.at + message.size;
      }
    }
    return found;
  }

  message(messages: readonly Message[], type: number, what: string, header: number): Message {
    return messages.find((message) => message.type === type) ?? this.refuse(header, `is damaged: ${what} is missing`);
  }

  /** The object at a path such as `signals/name`: the address of its header. */
  find(path: string): number {
    let header = this.root;
    for (const name of path.split('/')) {
      const next = this.links(header).get(name);
      if (next === undefined) throw new FileError(this.name, path, 'there is no such object');
      header = next;
    }
    return header;
  }

  /** Names in a group with the address of each header: a B-tree leads to symbol table nodes, whose names stand in a local heap. */
  links(header: number): Map<string, number> {
    const { at } = this.message(this.messages(header), 0x11, 'a symbol table', header);
    const heap = this.u64(at + 8);
    this.signature(heap, 'HEAP');
    const names = this.slice(this.u64(heap + 24), this.u64(heap + 8));
    const links = new Map<string, number>();
    this.walk(this.u64(at), 0, 8, (node) => {
      this.signature(node, 'SNOD');
      const count = this.u16(node + 6);
      for (let i = 0; i < count; i++) {
        const entry = node + 8 + 40 * i;
        const start = this.u64(entry);
        const end = names.indexOf(0, start);
        if (start >= names.length || end < 0) this.refuse(entry, 'is damaged: the name of a link is missing');
        links.set(new TextDecoder().decode(names.subarray(start, end)), this.u64(entry + 8));
      }
    });
    return links;
  }

  /** All children of the leaves of a version 1 B-tree, with the place of the key before each. */
  walk(tree: number, type: 0 | 1, keySize: number, visit: (child: number, key: number) => void): void {
    const seen = new Set<number>();
    const visitNode = (node: number, level: number): void => {
      if (seen.has(node)) this.refuse(node, 'is damaged: an index leads back to itself');
      seen.add(node);
      this.signature(node, 'TREE');
      if (this.u8(node + 4) !== type || (level >= 0 && this.u8(node + 5) !== level))
        this.refuse(node, 'is damaged: a node of an index does not belong there');
      const own = this.u8(node + 5);
      if (own > 16) this.refuse(node, `is damaged: an index of ${own} levels`);
      const count = this.u16(node + 6);
      this.need(node + 24, count * (keySize + 8) + keySize);
      for (let i = 0; i < count; i++) {
        const key = node + 24 + i * (keySize + 8);
        const child = this.u64(key + keySize);
        if (own === 0) visit(child, key);
        else visitNode(child, own - 1);
      }
    };
    visitNode(tree, -1);
  }

  /** The extents of a dataspace message. */
  extents(at: number): number[] {
    const version = this.u8(at);
    if (version !== 1 && version !== 2) this.refuse(at, `is damaged: a dataspace of version ${version}`);
    const start = at + (version === 1 ? 8 : 4);
    return Array.from({ length: this.u8(at + 1) }, (_, i) => this.u64(start + 8 * i));
  }

  /**
   * `double` for little-endian IEEE 754, `int` for little-endian whole numbers of 32 bits with a sign, `byte` for those of 8 bits without
   * one, `text` for UTF-8 or ASCII of any length; refuses all other types.
   */
  type(at: number): ElementType {
    const kind = this.u8(at) & 15;
    const size = this.u32(at + 4);
    if (kind === 1 && size === 8 && (this.u8(at + 1) & 0x41) === 0 && this.u16(at + 8) === 0) return 'double';
    if (kind === 9 && size === 16 && (this.u8(at + 1) & 15) === 1) return 'text';
    if (
      kind === 0 &&
      size === 4 &&
      (this.u8(at + 1) & 0x09) === 0x08 &&
      this.u16(at + 8) === 0 &&
      this.u16(at + 10) === 32
    )
      return 'int';
    if (kind === 0 && size === 1 && (this.u8(at + 1) & 0x08) === 0 && this.u16(at + 8) === 0 && this.u16(at + 10) === 8)
      return 'byte';
    return this.refuse(at, 'expected doubles, whole numbers of 32 or 8 bits, or texts of any length');
  }

  /** The attributes of an object that are single texts. */
  textAttributes(header: number): Map<string, string> {
    const found = new Map<string, string>();
    for (const { type, at, size } of this.messages(header)) {
      if (type !== 0x0c) continue;
      const version = this.u8(at);
      if (!(version >= 1 && version <= 3)) this.refuse(at, `is damaged: an attribute of version ${version}`);
      const padded = (length: number): number => (version === 1 ? Math.ceil(length / 8) * 8 : length);
      const nameAt = at + (version === 3 ? 9 : 8);
      const typeAt = nameAt + padded(this.u16(at + 2));
      const spaceAt = typeAt + padded(this.u16(at + 4));
      const valueAt = spaceAt + padded(this.u16(at + 6));
      if (valueAt > at + size) this.refuse(at, 'is damaged: an attribute is longer than its message');
      if ((this.u8(typeAt) & 15) !== 9 || this.extents(spaceAt).length > 0) continue; // someone's own
      const name = new TextDecoder().decode(this.slice(nameAt, Math.max(0, this.u16(at + 2) - 1)));
      found.set(name, this.text(valueAt));
    }
    return found;
  }

  readonly #collections = new Map<number, Map<number, { at: number; size: number }>>();

  /** The text that 16 bytes of the file refer to. */
  text(reference: number): string {
    return this.textOf(this.slice(reference, 16));
  }

  /** The text that 16 bytes refer to. */
  textOf(reference: Uint8Array): string {
    const view = new DataView(reference.buffer, reference.byteOffset, 16);
    const length = view.getUint32(0, true);
    if (length === 0) return '';
    const heap = u64(view, 4);
    const found = this.#collection(heap).get(view.getUint32(12, true));
    if (!found || length > found.size) return this.refuse(heap, 'is damaged: a text is missing');
    const bytes = this.slice(found.at, length);
    try {
      return UTF8.decode(bytes);
    } catch {
      return this.refuse(found.at, 'is damaged: a text is not in UTF-8');
    }
  }

  /** Where the objects of a global heap collection are. */
  #collection(address: number): Map<number, { at: number; size: number }> {
    const known = this.#collections.get(address);
    if (known) return known;
    this.signature(address, 'GCOL');
    const end = address + this.u64(address + 8);
    this.need(address, end - address);
    const objects = new Map<number, { at: number; size: number }>();
    for (let at = address + 16; at + 16 <= end; ) {
      const index = this.u16(at);
      const size = this.u64(at + 8);
      if (index === 0) break; // free space to the end
      if (at + 16 + size > end) this.refuse(at, 'is damaged: a text is longer than its heap');
      objects.set(index, { at: at + 16, size });
      at += 16 + Math.ceil(size / 8) * 8;
    }
    this.#collections.set(address, objects);
    return objects;
  }
}

/** Up to 2⁵³, which stands for all beyond. */
const u64 = (view: DataView, at: number): number =>
  Math.min(UNDEFINED, view.getUint32(at, true) + view.getUint32(at + 4, true) * 4294967296);
