/**
 * One block of memory for all arrays of a simulation, which WebAssembly kernels and TypeScript see alike.
 *
 * Arrays whose starts agree modulo the page size of 4096 B get in each other's way in the processor: a load that follows
 * a store to the same offset of another page is held up, which costs up to a factor of 2. So every start is a multiple of
 * 64 B, a cache line, no start lies on a page boundary, and long arrays take turns through the 63 other lines of a page.
 */
import { ModelError } from '../errors.js';

export interface ArenaOptions {
  /** First size, B; default 1 MiB. It grows when more is asked for. */
  readonly initialBytes?: number;
  /** Greatest size, B, rounded down to 64 KiB; default 1 GiB, at most 4 GiB; of given memory its size. */
  readonly maximumBytes?: number;
  /** Ask for memory that workers can share. See `Arena.shared` for whether it came. */
  readonly shared?: boolean;
  /** Memory to use instead of new memory, e.g. in a worker; needs `firstByte`. */
  readonly memory?: WebAssembly.Memory;
  /** First byte to hand out; default 1024, which leaves address 0 unused. */
  readonly firstByte?: number;
}

/** An array in an arena. */
export interface Block<View> {
  /** The array. When the arena grows this becomes a new object on the new memory: ask again after allocating. */
  readonly view: View;
  /** Address in the arena, B. */
  readonly address: number;
  readonly length: number;
}

export type FloatBlock = Block<Float64Array>;
export type IntBlock = Block<Int32Array>;

/** What can be freed at once: everything allocated after the mark was set. */
export interface Mark {
  readonly address: number;
  readonly blocks: number;
}

const WASM_PAGE = 65536;
const PAGE = 4096;
const LINE = 64;
const EMPTY = new ArrayBuffer(0);

export class Arena {
  /**
   * For tests: every allocation makes all views new, as only growing does otherwise. A view that was kept over it becomes empty, and what is computed with it no number: seen at once, not
   * in the one run whose memory happens to grow there.
   */
  static restless = false;
  /** Undefined where WebAssembly is missing; the arena then is a plain ArrayBuffer. */
  readonly memory: WebAssembly.Memory | undefined;
  /** Whether workers can share the memory. In a browser that takes the headers COOP and COEP. */
  readonly shared: boolean;
  readonly maximumBytes: number;
  #buffer: ArrayBuffer | SharedArrayBuffer;
  #next: number;
  #blocks: ArenaBlock[] = [];
  #longBlocks = 0;

  constructor(options: ArenaOptions = {}) {
    const { initialBytes = 1 << 20, memory, firstByte = 1024 } = options;
    const maximumBytes = options.maximumBytes ?? memory?.buffer.byteLength ?? 1 << 30;
    checkSize('arena.maximumBytes', maximumBytes, WASM_PAGE, WASM_PAGE * WASM_PAGE);
    if (!memory) checkSize('arena.initialBytes', initialBytes, 1, maximumBytes);
    checkSize('arena.firstByte', firstByte, 8, memory ? memory.buffer.byteLength : maximumBytes);
    this.maximumBytes = maximumBytes - (maximumBytes % WASM_PAGE);
    this.shared = memory
      ? isShared(memory.buffer)
      : Boolean(options.shared) && typeof WebAssembly === 'object' && typeof SharedArrayBuffer === 'function';
    this.memory =
      memory ??
      (typeof WebAssembly === 'object'
        ? new WebAssembly.Memory({
            initial: Math.ceil(Math.max(initialBytes, firstByte) / WASM_PAGE),
            maximum: this.maximumBytes / WASM_PAGE,
            shared: this.shared,
          })
        : undefined);
    this.#buffer = this.memory?.buffer ?? new ArrayBuffer(Math.max(initialBytes, firstByte));
    this.#next = firstByte;
  }

  /** The memory as it is now; another object after the arena has grown. */
  get buffer(): ArrayBuffer | SharedArrayBuffer {
    return this.#buffer;
  }

  /** Bytes from the start of the arena to the end of its last array. */
  get usedBytes(): number {
    return this.#next;
  }

  /** An array of `length` doubles, all 0. */
  floats(length: number): FloatBlock {
    return this.#allocate(length, 8) as ArenaBlock & FloatBlock;
  }

  /** An array of `length` 32-bit integers, all 0. */
  ints(length: number): IntBlock {
    return this.#allocate(length, 4) as ArenaBlock & IntBlock;
  }

  mark(): Mark {
    return { address: this.#next, blocks: this.#blocks.length };
  }

  /** Frees all arrays made since `mark`; their views become empty, so that a use after this is seen. */
  release(mark: Mark): void {
    for (const block of this.#blocks.splice(mark.blocks)) {
      block.place(EMPTY, 0);
      if (block.bytes >= PAGE) this.#longBlocks--;
    }
    this.#next = mark.address;
  }

  #allocate(length: number, elementSize: 4 | 8): ArenaBlock {
    checkSize('arena.length', length, 0, this.maximumBytes / elementSize);
    const bytes = length * elementSize;
    const address = this.#startFor(bytes);
    this.#reserve(address + bytes);
    const block = new ArenaBlock(address, length, elementSize);
    block.place(this.#buffer, address);
    block.view.fill(0); // memory that was freed before still holds old numbers
    this.#blocks.push(block);
    if (bytes >= PAGE) this.#longBlocks++;
    this.#next = address + bytes;
    return block;
  }

  #startFor(bytes: number): number {
    const line = Math.ceil(this.#next / LINE) * LINE;
    if (bytes < PAGE) return line % PAGE === 0 ? line + LINE : line;
    // 11 and 63 have no common factor, so 63 long arrays in a row start on 63 different lines, none of them the first.
    const offset = LINE * (1 + ((11 * this.#longBlocks) % 63));
    return line + ((offset - (line % PAGE) + PAGE) % PAGE);
  }

  #reserve(bytes: number): void {
    const before = this.#buffer.byteLength;
    if (bytes <= before) {
      if (Arena.restless && this.memory && !this.shared) this.#renew(0);
      return;
    }
    if (bytes > this.maximumBytes)
      throw new ModelError('arena', `needs ${bytes} B, but maximumBytes is ${this.maximumBytes}; raise it`);
    const wanted = Math.min(this.maximumBytes, Math.max(bytes, 2 * before));
    if (this.memory) this.#renew(Math.ceil((wanted - before) / WASM_PAGE));
    else {
      const old = new Uint8Array(this.#buffer);
      this.#buffer = new ArrayBuffer(wanted);
      new Uint8Array(this.#buffer).set(old);
      this.#placeAll();
    }
  }

  #renew(pages: number): void {
    this.memory!.grow(pages);
    this.#buffer = this.memory!.buffer;
    this.#placeAll();
  }

  #placeAll(): void {
    for (const block of this.#blocks) block.place(this.#buffer, block.address);
  }
}

class ArenaBlock {
  view: Float64Array | Int32Array = new Float64Array(EMPTY);
  readonly address: number;
  readonly length: number;
  readonly elementSize: 4 | 8;
  constructor(address: number, length: number, elementSize: 4 | 8) {
    this.address = address;
    this.length = length;
    this.elementSize = elementSize;
  }
  get bytes(): number {
    return this.length * this.elementSize;
  }
  place(buffer: ArrayBuffer | SharedArrayBuffer, address: number): void {
    const length = buffer === EMPTY ? 0 : this.length;
    this.view =
      this.elementSize === 8 ? new Float64Array(buffer, address, length) : new Int32Array(buffer, address, length);
  }
}

const isShared = (buffer: ArrayBuffer | SharedArrayBuffer): boolean =>
  typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;

function checkSize(path: string, size: number, least: number, most: number): void {
  if (!(size >= least && size <= most && Number.isInteger(size)))
    throw new ModelError(path, `expected a whole number from ${least} to ${Math.floor(most)}, got ${size}`);
}
