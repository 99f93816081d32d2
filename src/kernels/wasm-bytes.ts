/** The module of all kernels, for unshared or shared memory. */
import type { Arena } from './arena.js';
import { WASM_BYTES, WASM_MEMORY_FLAGS, WASM_TEXT } from './wasm.generated.js';

export function moduleBytes(shared: boolean): Uint8Array<ArrayBuffer> {
  const bytes = fromText();
  if (shared) bytes[WASM_MEMORY_FLAGS] = 3;
  return bytes;
}

/** Characters of the text, ascending; the first SINGLES stand for the most frequent bytes, one of the others tells that the next is of rarer ones (scripts/build-kernels.mjs, asText). */
const NOT_USED = '\\\'"`$<&';
const SINGLES = 80;

function fromText(): Uint8Array<ArrayBuffer> {
  const rankOf = new Uint8Array(128);
  let rank = 0;
  for (let code = 33; code < 127; code++) if (!NOT_USED.includes(String.fromCharCode(code))) rankOf[code] = rank++;
  const byRank = Uint8Array.from({ length: 256 }, (_, i) => Number.parseInt(WASM_BYTES.slice(2 * i, 2 * i + 2), 16));
  const bytes = new Uint8Array(WASM_TEXT.length);
  let count = 0;
  for (let i = 0; i < WASM_TEXT.length; i++) {
    const first = rankOf[WASM_TEXT.charCodeAt(i)];
    const more = first < SINGLES ? 0 : SINGLES * (first - SINGLES + 1);
    bytes[count++] = byRank[more > 0 ? more + rankOf[WASM_TEXT.charCodeAt(++i)] : first];
  }
  return bytes.slice(0, count);
}

/** Compiled once for all simulations, unshared and shared */
const compiled: (WebAssembly.Module | undefined)[] = [];

/** An instance on the memory of an arena, made at once; undefined where that cannot be. */
export function instantiateNow<Entries>(arena: Arena): (Entries & { setTable(address: number): void }) | undefined {
  if (!arena.memory) return undefined;
  try {
    const kind = arena.shared ? 1 : 0;
    compiled[kind] ??= new WebAssembly.Module(moduleBytes(arena.shared));
    const { exports } = new WebAssembly.Instance(compiled[kind], { env: { memory: arena.memory } });
    return exports as unknown as Entries & { setTable(address: number): void };
  } catch (error) {
    // Forbidden by the page's policy, or too large to be compiled at once on a page's main thread
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return undefined;
    throw error;
  }
}
