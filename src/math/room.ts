/**
 * Arrays that grow and never shrink: for structures that are rebuilt often in much the same size. The array itself where it is long
 * enough, otherwise one of at least twice its length; its content is lost or kept.
 */
export function intRoom(array: Int32Array, length: number, keep = false): Int32Array {
  if (length <= array.length) return array;
  const larger = new Int32Array(Math.max(length, 2 * array.length));
  if (keep) larger.set(array);
  return larger;
}

/** The same for numbers; the content is lost. */
export function numberRoom(array: Float64Array, length: number): Float64Array {
  return length <= array.length ? array : new Float64Array(Math.max(length, 2 * array.length));
}

/** The same for flags; the content is lost. */
export function flagRoom(array: Uint8Array, length: number): Uint8Array {
  return length <= array.length ? array : new Uint8Array(Math.max(length, 2 * array.length));
}
