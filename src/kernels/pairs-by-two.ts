/**
 * Two pairs at a time, where there are lanes for it: in WebAssembly (`assembly/pairs-by-two.ts`, which says how). Here pairs are computed one by one, with the same bits.
 */
import type { i32 } from './prelude.js';

/** Forces of the touching pairs of a thread's rows; false where it has not done them. */
export function pairsByTwo(_thread: i32): boolean {
  return false;
}
