/**
 * What a kernel file may use, in TypeScript. `assembly/prelude.ts` says the same in AssemblyScript, so one kernel file is
 * both: plain TypeScript to debug, to fall back on and to call at once, and WebAssembly for speed. Same bits from both.
 *
 * The common subset: numbers are `f64` or `i32` locals with the type written, arrays come from `ptrF` and `ptrI`,
 * code is loops, ifs and calls of functions in the same file. Integers stay within ±2³¹ and are not divided with `/`,
 * which truncates in AssemblyScript and not in TypeScript; shift them. Of Math only `Math.sqrt` and `Math.abs`.
 */

export type f64 = number;
export type i32 = number;
export type FloatArray = Float64Array;
export type IntArray = Int32Array;

const table: (Float64Array | Int32Array)[] = [];

/** The f64 array in slot `slot` of this call. */
export function ptrF(slot: i32): FloatArray {
  return table[slot] as Float64Array;
}
/** The i32 array in slot `slot` of this call. */
export function ptrI(slot: i32): IntArray {
  return table[slot] as Int32Array;
}
/** Not for kernels: puts an array into a slot before a kernel is called. */
export function placeInTable(slot: number, array: Float64Array | Int32Array): void {
  table[slot] = array;
}
/** A number as an integer, cut towards 0; it must be within ±2³¹. */
export function wholeOf(x: f64): i32 {
  return Math.trunc(x);
}
