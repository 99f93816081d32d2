/**
 * Kick and drift with two components at a time, where there are lanes for it: in WebAssembly (`assembly/leap-by-two.ts`). Here grains are moved number by number, with the same bits.
 */
import type { i32 } from './prelude.js';

/** Moves the grains of a thread's range as grainMove does; false where it has not. */
export function leapByTwo(_thread: i32): boolean {
  return false;
}
