// @ts-nocheck AssemblyScript, not TypeScript: read by scripts/build-kernels.mjs in place of ../prelude.ts.
/** What a kernel file may use, in AssemblyScript; `../prelude.ts` says the same in TypeScript, with the comments. */

/** No object: a reference to it is the address of the first element. */
@unmanaged
export class FloatArray {
  @inline
  @operator('[]')
  get(i: i32): f64 {
    return load<f64>(changetype<usize>(this) + ((<usize>i) << 3));
  }
  @inline
  @operator('[]=')
  set(i: i32, value: f64): void {
    store<f64>(changetype<usize>(this) + ((<usize>i) << 3), value);
  }
}

@unmanaged
export class IntArray {
  @inline
  @operator('[]')
  get(i: i32): i32 {
    return load<i32>(changetype<usize>(this) + ((<usize>i) << 2));
  }
  @inline
  @operator('[]=')
  set(i: i32, value: i32): void {
    store<i32>(changetype<usize>(this) + ((<usize>i) << 2), value);
  }
}

/** Address of this instance's pointer table, 4 bytes a slot; instances that share a memory have a table each. */
let table: usize = 0;
export function setTable(address: usize): void {
  table = address;
}

export function ptrF(slot: i32): FloatArray {
  return changetype<FloatArray>(<usize>load<u32>(table + ((<usize>slot) << 2)));
}
export function ptrI(slot: i32): IntArray {
  return changetype<IntArray>(<usize>load<u32>(table + ((<usize>slot) << 2)));
}

export function wholeOf(x: f64): i32 {
  return <i32>x;
}
