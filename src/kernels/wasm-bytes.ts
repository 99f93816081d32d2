/** The module of all kernels, for unshared or shared memory. */
import type { Arena } from './arena.js';
import { WASM_BASE64, WASM_MEMORY_FLAGS } from './wasm.generated.js';

export function moduleBytes(shared: boolean): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(WASM_BASE64), (character) => character.charCodeAt(0));
  if (shared) bytes[WASM_MEMORY_FLAGS] = 3;
  return bytes;
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
