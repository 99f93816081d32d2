/** The module of all kernels, for unshared or shared memory. */
import { WASM_BASE64, WASM_MEMORY_FLAGS } from './wasm.generated.js';

export function moduleBytes(shared: boolean): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(WASM_BASE64), (character) => character.charCodeAt(0));
  if (shared) bytes[WASM_MEMORY_FLAGS] = 3;
  return bytes;
}
