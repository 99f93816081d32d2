/**
 * Contacts with walls two at a time, where there are lanes for it: in WebAssembly (`assembly/walls-by-two.ts`). Here they are computed one by one, with the same bits.
 */
import type { i32 } from './prelude.js';

/** Forces of the contacts that wait; false where it has not done them. */
export function wallsByTwo(_thread: i32, _held: i32): boolean {
  return false;
}
